/* SPDX-License-Identifier: MIT */
#include "statistics/shrinkage.h"

#include <math.h>

#define ROWS_MIN     3
#define LARGE        20  /* x above which the asymptotic series are exact to a double */
#define DEGREES_MANY 1e5 /* degrees above which Student's t counts as normal */
#define TERMS        1000
#define HALVINGS     60
#define TINY         1e-300
#define PRECISE      1e-14

/*
 * ln of the gamma function and its two derivatives for x > 0: Stirling's series (Abramowitz and
 * Stegun, 6.1.41, 6.3.18, 6.4.12) after raising x to LARGE. The C library's lgamma() is not
 * thread-safe: it writes a global variable.
 */
static double log_gamma(double x)
{
    double lower = 0;
    while (x < LARGE)
        lower += log(x++);
    double y = 1 / (x * x);
    double series = (1. / 12 - y * (1. / 360 - y * (1. / 1260 - y / 1680))) / x;
    return (x - 0.5) * log(x) - x + 0.91893853320467274178 + series - lower;
}

static double digamma(double x)
{
    double lower = 0;
    while (x < LARGE)
        lower += 1 / x++;
    double y = 1 / (x * x);
    return log(x) - 0.5 / x - y * (1. / 12 - y * (1. / 120 - y * (1. / 252 - y / 240))) - lower;
}

static double trigamma(double x)
{
    double lower = 0;
    while (x < LARGE) {
        lower += 1 / (x * x);
        x++;
    }
    double y = 1 / (x * x);
    return (1 + 0.5 / x + y * (1. / 6 - y * (1. / 30 - y * (1. / 42 - y / 30)))) / x + lower;
}

/* Solves trigamma(x) = value > 0. Trigamma falls from above 1 / x^2 near 0 to 1 / x for large x. */
static double inverse_trigamma(double value)
{
    double low = 0, high = 1 + 1 / value;
    for (int i = 0; i < 200 && high - low > PRECISE * high; i++) {
        double middle = (low + high) / 2;
        if (trigamma(middle) > value)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* ln of a variance, minus its expectation for a true variance of 1. */
static double centered(double variance, double degrees)
{
    return log(variance) - digamma(degrees / 2) + log(degrees / 2);
}

kt_prior kt_fit_prior(const double *variances, const double *degrees, size_t n)
{
    kt_prior prior = {0, 0};
    if (n < ROWS_MIN)
        return prior;
    double mean = 0, squares = 0, own = 0;
    for (size_t i = 0; i < n; i++)
        mean += centered(variances[i], degrees[i]) / (double)n;
    for (size_t i = 0; i < n; i++) {
        double distance = centered(variances[i], degrees[i]) - mean;
        squares += distance * distance;
        own += trigamma(degrees[i] / 2);
    }
    double beyond = squares / (double)(n - 1) - own / (double)n;
    if (!(beyond > 1e-6)) { /* equal true variances explain the scatter of the rows */
        prior.degrees = INFINITY;
        prior.variance = exp(mean);
        return prior;
    }
    double half = inverse_trigamma(beyond);
    prior.degrees = 2 * half;
    prior.variance = exp(mean + digamma(half) - log(half));
    return prior;
}

void kt_shrink_variance(const kt_prior *prior, double total, double *variance, double *degrees)
{
    if (!(prior->degrees > 0))
        return;
    double share = isinf(prior->degrees) ? 1 : prior->degrees / (prior->degrees + *degrees);
    *variance += share * (prior->variance - *variance);
    *degrees = fmin(*degrees + prior->degrees, total);
}

/* Continued fraction of the incomplete beta function (DLMF 8.17.22) without the factor before it,
 * by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 - (a + b) * x / (a + 1), f;
    d = 1 / (fabs(d) < TINY ? TINY : d);
    f = d;
    for (int m = 1; m < TERMS; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        for (int i = 0; i < 2; i++) {
            double term = i ? odd : even;
            d = 1 + term * d;
            d = 1 / (fabs(d) < TINY ? TINY : d);
            c = 1 + term / c;
            c = fabs(c) < TINY ? TINY : c;
            f *= c * d;
        }
        if (fabs(c * d - 1) < PRECISE)
            break;
    }
    return f;
}

/* Regularized incomplete beta function at x = 1 - y: the share of a beta distribution below x. */
static double beta_below(double a, double b, double x, double y, double log_x, double log_y)
{
    double log_beta = log_gamma(a) + log_gamma(b) - log_gamma(a + b);
    double front = x > 0 && y > 0 ? exp(a * log_x + b * log_y - log_beta) : 0;
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, y) / b;
}

double kt_student_above(double t, double degrees)
{
    if (isnan(t) || isnan(degrees))
        return NAN;
    if (degrees > DEGREES_MANY)
        return erfc(t / sqrt(2)) / 2;
    if (isinf(t * t))
        return t < 0;
    /* Both tails together: below x = degrees / (degrees + t^2) = 1 - y. */
    double y = t * t / (degrees + t * t);
    double log_x = t * t > degrees ? -log1p(t * t / degrees) : log1p(-y);
    double both = beta_below(degrees / 2, 0.5, 1 - y, y, log_x, log(y));
    return t < 0 ? 1 - both / 2 : both / 2;
}

double kt_f_above(double f, double degrees, double of_divisor)
{
    if (!(f > 0))
        return isnan(f) ? NAN : 1;
    double ratio = f * degrees / of_divisor;
    if (isinf(ratio))
        return 0;
    return beta_below(of_divisor / 2, degrees / 2, 1 / (1 + ratio), ratio / (1 + ratio),
                      -log1p(ratio), log(ratio) - log1p(ratio));
}

double kt_student_at(double p, double degrees)
{
    double low = 0, high = 1;
    while (kt_student_above(high, degrees) > p && isfinite(high))
        high *= 2;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = low + (high - low) / 2;
        if (kt_student_above(middle, degrees) > p)
            low = middle;
        else
            high = middle;
    }
    return high;
}
