/* SPDX-License-Identifier: MIT */
#include "statistics/sample_warnings.h"

#include "statistics/interval.h"

#include <math.h>
#include <string.h>

/* Relative rounding error of a double after some arithmetic with ticks. */
#define SAME 1e-9

double kt_visible_resolution(const double *sorted, size_t n)
{
    double smallest = 0;
    bool ties = false;
    for (size_t i = 1; i < n; i++) {
        double distance = sorted[i] - sorted[i - 1];
        if (distance <= SAME * fabs(sorted[i]))
            ties = true;
        else if (!(smallest > 0) || distance < smallest)
            smallest = distance;
    }
    return ties ? smallest : 0;
}

static double lagged_product(const double *values, size_t n, size_t lag)
{
    double sum = 0;
    for (size_t i = lag; i < n; i++)
        sum += values[i] * values[i - lag];
    return sum;
}

static void center(double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    for (size_t i = 0; i < n; i++)
        values[i] -= sum / (double)n;
}

#define PAIRS_MAX 64

/* n times the sum of autocovariances at all lags, negative ones included. `*lags` is the last lag;
 * 2 * PAIRS_MAX - 1 means that the correlation reaches further. */
static double covariance_sum(const double *values, size_t n, size_t *lags)
{
    double sum = 0, pair = INFINITY;
    size_t m = 0;
    for (; m < PAIRS_MAX && 2 * m < n; m++) {
        double next = lagged_product(values, n, 2 * m) + lagged_product(values, n, 2 * m + 1);
        pair = next < pair ? next : pair;
        if (!(pair > 0))
            break;
        sum += pair;
    }
    *lags = m > 0 ? 2 * m - 1 : 0;
    return 2 * sum - lagged_product(values, n, 0);
}

double kt_inflation(double *values, size_t n)
{
    center(values, n);
    double variance = lagged_product(values, n, 0) / (double)n;
    if (!(variance > 0))
        return 1;
    size_t lags;
    double size = 1, sum = covariance_sum(values, n, &lags);
    /* Halves a series with a longer correlation by averaging pairs of samples, so that the run time
     * stays proportional to n. */
    while (lags == 2 * PAIRS_MAX - 1 && n >= (size_t)4 * PAIRS_MAX) {
        n /= 2;
        size *= 2;
        for (size_t i = 0; i < n; i++)
            values[i] = (values[2 * i] + values[2 * i + 1]) / 2;
        sum = covariance_sum(values, n, &lags);
    }
    /* Deviations from the sample mean are too small: each covariance lacks the variance of the
     * mean. */
    double inflation = sum / (double)n * size / variance;
    inflation *= 1 + (2 * (double)lags + 1) / (double)n;
    return inflation > 1 ? inflation : 1;
}

double kt_side_inflation(const double *samples, size_t n, double x, double *scratch)
{
    for (size_t i = 0; i < n; i++)
        scratch[i] = (double)((samples[i] > x) - (samples[i] < x));
    return kt_inflation(scratch, n);
}

/* Slope of Tukey's resistant line, per sample. */
static double resistant_slope(const double *samples, size_t n, double *scratch)
{
    size_t third = n / 3;
    memcpy(scratch, samples, third * sizeof *scratch);
    kt_sort(scratch, third);
    double first = kt_median(scratch, third);
    memcpy(scratch, samples + n - third, third * sizeof *scratch);
    kt_sort(scratch, third);
    return (kt_median(scratch, third) - first) / (double)(n - third);
}

static double residual(const double *samples, size_t n, size_t i, double slope)
{
    return samples[i] - slope * ((double)i - (double)(n - 1) / 2);
}

#define HUBER 1.5

/* Inflation of the residuals from a line, clipped so that outliers do not dominate the sums. */
static double line_inflation(const double *samples, size_t n, double slope, double middle,
                             double mad, double *scratch)
{
    double limit = HUBER * KT_MAD_SCALE * mad;
    if (!(limit > 0)) /* more than half of the residuals are equal */
        limit = INFINITY;
    for (size_t i = 0; i < n; i++)
        scratch[i] = fmax(-limit, fmin(limit, residual(samples, n, i, slope) - middle));
    return kt_inflation(scratch, n);
}

static double residual_inflation(const double *samples, size_t n, double slope, double *scratch)
{
    for (size_t i = 0; i < n; i++)
        scratch[i] = residual(samples, n, i, slope);
    kt_sort(scratch, n);
    double middle = kt_median(scratch, n), mad = kt_median_distance(scratch, n, middle);
    return line_inflation(samples, n, slope, middle, mad, scratch);
}

double kt_sample_inflation(const double *samples, size_t n, double median, double mad,
                           double *scratch)
{
    double distances = line_inflation(samples, n, 0, median, mad, scratch);
    return fmax(distances, kt_side_inflation(samples, n, median, scratch));
}

/* Spearman's rank correlation of samples with time; 0 if all samples are equal. */
static double time_correlation(const double *samples, size_t n, double *scratch)
{
    memcpy(scratch, samples, n * sizeof *scratch);
    kt_sort(scratch, n);
    double middle = (double)(n - 1) / 2, product = 0, ranks = 0, times = 0;
    for (size_t i = 0; i < n; i++) {
        /* Ties share the mean of their ranks. */
        size_t below = kt_count_below(scratch, n, samples[i]);
        size_t up_to = kt_count_below(scratch, n, nextafter(samples[i], INFINITY));
        double rank = (double)(below + up_to - 1) / 2 - middle, time = (double)i - middle;
        product += rank * time;
        ranks += rank * rank;
        times += time * time;
    }
    return ranks > 0 ? product / sqrt(ranks * times) : 0;
}

#define DRIFT_N_MIN     30
#define DRIFT_DEVIATION 2.2   /* least drift in standard deviations of the rank correlation */
#define DRIFT_SIZE_MIN  0.005 /* least drift as a fraction of the median */

bool kt_find_drift(const double *samples, size_t n, double resolution, double *scratch,
                   double *change, double *inflation)
{
    if (n < DRIFT_N_MIN)
        return false;
    double slope = resistant_slope(samples, n, scratch);
    *inflation = residual_inflation(samples, n, slope, scratch);
    double correlation = time_correlation(samples, n, scratch);
    /* The line removes part of long correlations: see the head of sample_warnings.h. */
    double variance = *inflation * (1 + 10 * (*inflation - 1) / (double)n) / (double)(n - 1);
    *change = slope * (double)(n - 1);
    return correlation * *change > 0 &&
           correlation * correlation > DRIFT_DEVIATION * DRIFT_DEVIATION * variance &&
           fabs(*change) > fmax(resolution, DRIFT_SIZE_MIN * kt_median(scratch, n));
}

#define QUARTILES_SCALE 1.349 /* interquartile range over standard deviation, normal distribution */

static double deviation(const double *sorted, size_t n)
{
    return (kt_quantile(sorted, n, 0.75) - kt_quantile(sorted, n, 0.25)) / QUARTILES_SCALE;
}

static size_t count_around(const double *sorted, size_t n, double x, double width)
{
    return kt_count_below(sorted, n, x + width) - kt_count_below(sorted, n, x - width);
}

#define LEVELS_N_MIN             20
#define LEVEL_SAMPLES            4  /* least number of samples in a cluster, */
#define LEVEL_SHARE              20 /* and its least share: 1 in this many samples */
#define CLUSTERS_RESOLUTIONS_MIN 2.5

static kt_clusters split_at(const double *sorted, size_t n, size_t low_count)
{
    return (kt_clusters){.low = kt_median(sorted, low_count),
                         .high = kt_median(sorted + low_count, n - low_count),
                         .low_count = low_count,
                         .split = sorted[low_count]};
}

/* Separation of two groups: distance of their medians over the sum of their deviations. */
static double separation(const double *sorted, size_t n, double resolution,
                         const kt_clusters *clusters)
{
    size_t k = clusters->low_count;
    double distance = clusters->high - clusters->low;
    if (distance < CLUSTERS_RESOLUTIONS_MIN * resolution || distance <= SAME * fabs(clusters->high))
        return 0;
    double spread = deviation(sorted, k) + deviation(sorted + k, n - k);
    return distance / fmax(spread, fmax(resolution / 2, SAME * distance));
}

/* True if samples are rare midway between the cluster medians, compared with around each median. */
static bool has_valley(const double *sorted, size_t n, const kt_clusters *clusters)
{
    double width = (clusters->high - clusters->low) / 6;
    size_t valley = count_around(sorted, n, (clusters->low + clusters->high) / 2, width);
    return 2 * valley < count_around(sorted, n, clusters->low, width) &&
           2 * valley < count_around(sorted, n, clusters->high, width);
}

#define SETTLE_MAX 10

/* Moves the split to midway between the medians of the two groups until it stays there. The best
 * split may leave a tail of one group in the other, which quartiles do not show. */
static bool settle(const double *sorted, size_t n, size_t least, kt_clusters *clusters)
{
    for (int i = 0; i < SETTLE_MAX; i++) {
        size_t count = kt_count_below(sorted, n, (clusters->low + clusters->high) / 2);
        if (count < least || n - count < least)
            return false;
        if (count == clusters->low_count)
            return true;
        *clusters = split_at(sorted, n, count);
    }
    return true;
}

bool kt_find_clusters(const double *sorted, size_t n, double resolution, kt_clusters *out)
{
    if (n < LEVELS_N_MIN)
        return false;
    size_t least = n / LEVEL_SHARE > LEVEL_SAMPLES ? n / LEVEL_SHARE : LEVEL_SAMPLES;
    double enough = 1.5 + 60 / (double)n, farthest = enough;
    kt_clusters best = {.low_count = 0};
    for (size_t k = least; k + least <= n; k++) {
        if (sorted[k] <= sorted[k - 1])
            continue;
        kt_clusters clusters = split_at(sorted, n, k);
        double distance = separation(sorted, n, resolution, &clusters);
        if (distance >= farthest && has_valley(sorted, n, &clusters)) {
            farthest = distance;
            best = clusters;
        }
    }
    if (!best.low_count || !settle(sorted, n, least, &best) ||
        separation(sorted, n, resolution, &best) < enough || !has_valley(sorted, n, &best))
        return false;
    *out = best;
    return true;
}

#define LEVELS_INFLATION_MAX 2
#define LEVELS_WORTH_MIN     50

bool kt_clusters_are_slow(const double *samples, size_t n, const kt_clusters *clusters)
{
    size_t switches = 0;
    for (size_t i = 1; i < n; i++)
        switches += (samples[i] < clusters->split) != (samples[i - 1] < clusters->split);
    /* A two-state chain with leaving probabilities a and b has inflation (2 - a - b) / (a + b).
     * Every other switch leaves the same cluster. */
    double low = (double)clusters->low_count, high = (double)(n - clusters->low_count);
    double leaving = (double)switches / 2 * (1 / low + 1 / high);
    double inflation = (2 - leaving) / leaving;
    return inflation > LEVELS_INFLATION_MAX && (double)n / inflation < LEVELS_WORTH_MIN;
}
