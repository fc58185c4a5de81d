/* SPDX-License-Identifier: MIT */
#include <kerntime/stats.h>

#include "statistics/interval.h"
#include "statistics/sample_warnings.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Sets mean and standard deviation in two passes over distances from the median. Textbook formulas
 * lose digits of large times with a small spread, and give equal samples a different mean. */
static void moments(const double *samples, size_t n, kt_summary *out)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += samples[i] - out->median;
    out->mean = out->median + sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (samples[i] - out->mean) * (samples[i] - out->mean);
    out->stddev = n >= 2 ? sqrt(squares / (double)(n - 1)) : NAN;
}

/* Rounding to a resolution adds resolution^2 / 12 to the variance (Sheppard 1898). A MAD of 0 does
 * not show that. */
static double robust_stddev(double mad, double resolution)
{
    double scaled = KT_MAD_SCALE * mad;
    return sqrt(scaled * scaled + resolution * resolution / 12);
}

/* Counts samples beyond Tukey's outer fences, three interquartile ranges beyond the quartiles. With
 * two clusters, each cluster has one fence, on its outer side. */
static void count_outliers(const double *sorted, size_t n, size_t low_n, size_t high_n,
                           kt_summary *out)
{
    const double *high = sorted + n - high_n;
    double least = fmax(out->resolution, 1e-9 * fabs(out->median));
    double low_first = kt_quantile(sorted, low_n, 0.25);
    double low_range = fmax(least, kt_quantile(sorted, low_n, 0.75) - low_first);
    double high_third = kt_quantile(high, high_n, 0.75);
    double high_range = fmax(least, high_third - kt_quantile(high, high_n, 0.25));
    size_t above = 0;
    while (above < n && sorted[n - 1 - above] > high_third + 3 * high_range)
        above++;
    out->outliers_low = (double)kt_count_below(sorted, n, low_first - 3 * low_range);
    out->outliers_high = (double)above;
}

/* Sets the statistics that do not depend on the order of the samples. */
static void describe(const double *sorted, size_t n, double resolution, kt_summary *out,
                     kt_clusters *clusters)
{
    out->min = sorted[0];
    out->max = sorted[n - 1];
    out->median = kt_median(sorted, n);
    out->mad = kt_median_distance(sorted, n, out->median);
    out->p95 = kt_quantile(sorted, n, 0.95);
    out->p99 = kt_quantile(sorted, n, 0.99);
    out->resolution = resolution > 0 ? resolution : kt_visible_resolution(sorted, n);
    if (n >= 2)
        out->robust_stddev = robust_stddev(out->mad, out->resolution);
    if (kt_find_clusters(sorted, n, out->resolution, clusters)) {
        out->warnings |= KT_WARNING_BIMODAL;
        out->cluster_low = clusters->low;
        out->cluster_high = clusters->high;
        out->cluster_high_share = (double)(n - clusters->low_count) / (double)n;
        count_outliers(sorted, n, clusters->low_count, n - clusters->low_count, out);
    } else {
        count_outliers(sorted, n, n, n, out);
    }
}

#define INFLATION_N_MIN 20

/* Sets the statistics that depend on the order of the samples. False if one interval would mislead:
 * drift, or rare switches between clusters. */
static bool look_for_changes(const double *samples, double *scratch, const kt_clusters *clusters,
                             kt_summary *out)
{
    size_t n = out->n;
    double change, inflation;
    if (n < INFLATION_N_MIN)
        return true;
    out->inflation = kt_sample_inflation(samples, n, out->median, out->mad, scratch);
    bool drift =
        out->median > 0 && kt_find_drift(samples, n, out->resolution, scratch, &change, &inflation);
    if (drift) {
        out->warnings |= KT_WARNING_DRIFT;
        out->drift = change / out->median;
        out->inflation = inflation;
    }
    /* 1 of 20 lists of independent samples exceeds this limit by chance. */
    if (out->inflation > 1 + 10 / sqrt((double)n))
        out->warnings |= KT_WARNING_AUTOCORRELATED;
    bool slow = out->warnings & KT_WARNING_BIMODAL && kt_clusters_are_slow(samples, n, clusters);
    return !drift && !slow;
}

/* Interval end half a resolution further down, but not below 0 unless a sample is negative. */
static double step_down(double value, double least, double resolution)
{
    return least < 0 ? value - resolution / 2 : fmax(0, value - resolution / 2);
}

/* Confidence interval of a quantile. Each end moves outwards by half a resolution, because the true
 * value lies anywhere within one clock step. */
static void enclose(const double *sorted, size_t n, double p, double inflation, double resolution,
                    double *low, double *high)
{
    double low_rank, high_rank;
    if (!kt_interval_ranks(n, p, inflation, &low_rank, &high_rank))
        return;
    *low = step_down(kt_at_rank(sorted, n, low_rank), sorted[0], resolution);
    *high = kt_at_rank(sorted, n, high_rank) + resolution / 2;
}

/* Least resolution of a coarse clock, as a fraction of the median. */
#define COARSE_CLOCK_MIN 0.001

static bool is_clock_coarse(const kt_summary *summary)
{
    return summary->resolution > COARSE_CLOCK_MIN * summary->median &&
           kt_resolution_rules(summary->ci95_low, summary->ci95_high, summary->resolution);
}

#define UNKNOWN(member, unit, least, group, part, n_min, warning, since, meaning) .member = NAN,
static const kt_summary unknown = {KT_SUMMARY_FIELDS_(UNKNOWN)};

void kt_summarize(const double *samples, size_t n, double resolution, double *scratch,
                  kt_summary *out)
{
    *out = unknown;
    out->n = n;
    if (n == 0)
        return;
    memcpy(scratch, samples, n * sizeof *scratch);
    kt_sort(scratch, n);
    kt_clusters clusters;
    describe(scratch, n, resolution, out, &clusters);
    moments(samples, n, out);
    /* look_for_changes() overwrites the scratch, so the samples are sorted again for the
     * intervals. */
    if (!look_for_changes(samples, scratch, &clusters, out))
        return;
    bool known = n >= INFLATION_N_MIN;
    double inflation = known ? out->inflation : 1;
    double p95_inflation = known ? kt_side_inflation(samples, n, out->p95, scratch) : 1;
    double p99_inflation = known ? kt_side_inflation(samples, n, out->p99, scratch) : 1;
    memcpy(scratch, samples, n * sizeof *scratch);
    kt_sort(scratch, n);
    enclose(scratch, n, 0.5, inflation, out->resolution, &out->ci95_low, &out->ci95_high);
    enclose(scratch, n, 0.95, p95_inflation, out->resolution, &out->p95_ci95_low,
            &out->p95_ci95_high);
    enclose(scratch, n, 0.99, p99_inflation, out->resolution, &out->p99_ci95_low,
            &out->p99_ci95_high);
    if (is_clock_coarse(out))
        out->warnings |= KT_WARNING_COARSE_CLOCK;
}
