/* SPDX-License-Identifier: MIT */
#include "statistics/ratio.h"

#include <math.h>

#define PI      3.14159265358979323846
#define NORMAL  1.95996398454005423552 /* two-sided 95 % critical value, normal distribution */
#define INNER   0.95
#define DEGREES 100 /* degrees of freedom above which expand() is exact to a double */
#define STEPS   256
#define ROUNDS  100

/* Critical value of Student's t: Fisher and Cornish's expansion (1960) in powers of 1 / degrees. */
static double expand(double degrees)
{
    static const double terms[] = {
        /* Polynomials of the normal quantile: Abramowitz and Stegun, 26.7.5. */
        (NORMAL * NORMAL + 1) * NORMAL / 4,
        ((5 * NORMAL * NORMAL + 16) * NORMAL * NORMAL + 3) * NORMAL / 96,
        (((3 * NORMAL * NORMAL + 19) * NORMAL * NORMAL + 17) * NORMAL * NORMAL - 15) * NORMAL / 384,
        ((((79 * NORMAL * NORMAL + 776) * NORMAL * NORMAL + 1482) * NORMAL * NORMAL - 1920) *
             NORMAL * NORMAL -
         945) *
            NORMAL / 92160,
    };
    double sum = 0;
    for (int i = sizeof terms / sizeof terms[0] - 1; i >= 0; i--)
        sum = (sum + terms[i]) / degrees;
    return NORMAL + sum;
}

/* Integral of cos(x)^power from 0 to `end`, by Simpson's rule. */
static double integrate(double power, double end)
{
    double sum = 1 + pow(cos(end), power);
    for (int i = 1; i < STEPS; i++)
        sum += (i % 2 ? 4 : 2) * pow(cos(end * i / STEPS), power);
    return sum * end / STEPS / 3;
}

double kt_student_95(double degrees)
{
    if (degrees > DEGREES)
        return expand(degrees);
    /* With t = sqrt(degrees) tan(x) the density is cos(x)^(degrees - 1). Newton's method converges
     * from below, because the probability within t grows ever slower. */
    double scale = 2 * tgamma((degrees + 1) / 2) / tgamma(degrees / 2) / sqrt(PI);
    double t = NORMAL, step = t;
    for (int i = 0; i < ROUNDS && step > 1e-13 * t; i++) {
        double inner = scale * integrate(degrees - 1, atan(t / sqrt(degrees)));
        double density = scale / sqrt(degrees) * pow(1 + t * t / degrees, -(degrees + 1) / 2);
        step = (INNER - inner) / density;
        t += step;
    }
    return t;
}

/* Variance of a mean over the squared mean. */
static double relative_variance(const kt_moments *of)
{
    double relative = of->stddev / of->mean;
    return relative * relative / (double)of->n;
}

void kt_ratio_of_means(const kt_moments *a, const kt_moments *b, double *ratio, double *low,
                       double *high)
{
    *ratio = *low = *high = NAN;
    if (a->n == 0 || b->n == 0 || !(a->mean > 0) || !(b->mean > 0))
        return;
    *ratio = a->mean / b->mean;
    if (a->n < 2 || b->n < 2)
        return;
    double of_a = relative_variance(a), of_b = relative_variance(b), sum = of_a + of_b;
    double half = 0; /* 0 if all durations are equal */
    if (sum > 0) {
        double share = of_a / sum; /* shares, because squares of tiny variances underflow */
        double degrees = 1 / (share * share / (double)(a->n - 1) +
                              (1 - share) * (1 - share) / (double)(b->n - 1));
        half = kt_student_95(degrees) * sqrt(sum);
    }
    *low = *ratio * exp(-half);
    *high = *ratio * exp(half);
}

void kt_ratio_of_medians(const kt_summary *a, const kt_summary *b, double *ratio, double *low,
                         double *high)
{
    *ratio = *low = *high = NAN;
    if (!(a->median > 0) || !(b->median > 0))
        return;
    *ratio = a->median / b->median;
    if (!(a->ci95_low > 0) || !(b->ci95_low > 0))
        return;
    *low = *ratio * exp(-hypot(log(a->median / a->ci95_low), log(b->ci95_high / b->median)));
    *high = *ratio * exp(hypot(log(a->ci95_high / a->median), log(b->median / b->ci95_low)));
}
