#include <kerntime/stats.h>

#include "statistics/interval.h"
#include "statistics/pattern.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/*
 * Two passes, and sums of distances from the median: large times with a small spread would lose
 * their last digits in the textbook formulas, and equal samples would get a mean beside them.
 */
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

/* What is rounded to steps varies by step^2 / 12 more (Sheppard 1898), which a median distance of 0
 * does not show. */
static double robust_stddev(double mad, double grid)
{
    double scaled = KT_MAD_SCALE * mad;
    return sqrt(scaled * scaled + grid * grid / 12);
}

/* Tukey's outer fences, three interquartile ranges beyond the quartiles. With two levels each has a
 * fence of its own, on its outer side. */
static void count_outliers(const double *sorted, size_t n, size_t low_n, size_t high_n,
                           kt_summary *out)
{
    const double *high = sorted + n - high_n;
    double least = fmax(out->grid, 1e-9 * fabs(out->median));
    double low_first = kt_quantile(sorted, low_n, 0.25);
    double low_range = fmax(least, kt_quantile(sorted, low_n, 0.75) - low_first);
    double high_third = kt_quantile(high, high_n, 0.75);
    double high_range = fmax(least, high_third - kt_quantile(high, high_n, 0.25));
    out->outliers_low = kt_count_below(sorted, n, low_first - 3 * low_range);
    while (out->outliers_high < n &&
           sorted[n - 1 - out->outliers_high] > high_third + 3 * high_range)
        out->outliers_high++;
}

/* What can be told without their order. */
static void describe(const double *sorted, size_t n, double grid, kt_summary *out,
                     kt_levels *levels)
{
    out->min = sorted[0];
    out->max = sorted[n - 1];
    out->median = kt_median(sorted, n);
    out->mad = kt_median_distance(sorted, n, out->median);
    out->p95 = kt_quantile(sorted, n, 0.95);
    out->grid = grid > 0 ? grid : kt_visible_grid(sorted, n);
    if (n >= 2)
        out->robust_stddev = robust_stddev(out->mad, out->grid);
    if (kt_find_levels(sorted, n, out->grid, levels)) {
        out->patterns |= KT_PATTERN_LEVELS;
        out->level_low = levels->low;
        out->level_high = levels->high;
        out->level_high_share = (double)(n - levels->low_count) / (double)n;
        count_outliers(sorted, n, levels->low_count, n - levels->low_count, out);
    } else {
        count_outliers(sorted, n, n, n, out);
    }
}

#define INFLATION_N_MIN 20

/* What only their order tells; whether there is one time to enclose. */
static bool look_for_changes(const double *samples, double *scratch, const kt_levels *levels,
                             kt_summary *out)
{
    size_t n = out->n;
    double change, inflation;
    if (n < INFLATION_N_MIN)
        return true;
    out->inflation = kt_sample_inflation(samples, n, out->median, out->mad, scratch);
    bool drift =
        out->median > 0 && kt_find_drift(samples, n, out->grid, scratch, &change, &inflation);
    if (drift) {
        out->patterns |= KT_PATTERN_DRIFT;
        out->drift = change / out->median;
        out->inflation = inflation;
    }
    /* More than chance makes of independent samples in 19 of 20 lists. */
    if (out->inflation > 1 + 10 / sqrt((double)n))
        out->patterns |= KT_PATTERN_AUTOCORRELATED;
    bool slow = out->patterns & KT_PATTERN_LEVELS && kt_levels_are_slow(samples, n, levels);
    return !drift && !slow;
}

/* Half a step further down, but not below 0 where no sample is: a duration is none. */
static double step_down(double value, double least, double grid)
{
    return least < 0 ? value - grid / 2 : fmax(0, value - grid / 2);
}

/* Where the interval of a quantile ends; half a step further out, since a clock that moves in steps
 * shows what lies anywhere within one. */
static void enclose(const double *sorted, size_t n, double p, double inflation, double grid,
                    double *low, double *high)
{
    double low_rank, high_rank;
    if (!kt_interval_ranks(n, p, inflation, &low_rank, &high_rank))
        return;
    *low = step_down(kt_at_rank(sorted, n, low_rank), sorted[0], grid);
    *high = kt_at_rank(sorted, n, high_rank) + grid / 2;
}

#define COARSE_GRID_MIN 0.001 /* of the median */

static bool is_grid_coarse(const kt_summary *summary)
{
    return summary->grid > COARSE_GRID_MIN * summary->median &&
           kt_grid_rules(summary->ci95_low, summary->ci95_high, summary->grid);
}

static const kt_summary unknown = {.min = NAN,
                                   .max = NAN,
                                   .mean = NAN,
                                   .median = NAN,
                                   .stddev = NAN,
                                   .mad = NAN,
                                   .robust_stddev = NAN,
                                   .p95 = NAN,
                                   .ci95_low = NAN,
                                   .ci95_high = NAN,
                                   .p95_ci95_low = NAN,
                                   .p95_ci95_high = NAN,
                                   .grid = NAN,
                                   .inflation = NAN,
                                   .drift = NAN,
                                   .level_low = NAN,
                                   .level_high = NAN,
                                   .level_high_share = NAN};

void kt_summarize(const double *samples, size_t n, double grid, double *scratch, kt_summary *out)
{
    *out = unknown;
    out->n = n;
    if (n == 0)
        return;
    memcpy(scratch, samples, n * sizeof *scratch);
    kt_sort(scratch, n);
    kt_levels levels;
    describe(scratch, n, grid, out, &levels);
    moments(samples, n, out);
    /* The scratch is spoilt here, so the samples are sorted again for the intervals. */
    if (!look_for_changes(samples, scratch, &levels, out))
        return;
    bool known = n >= INFLATION_N_MIN;
    double inflation = known ? out->inflation : 1;
    double p95_inflation = known ? kt_side_inflation(samples, n, out->p95, scratch) : 1;
    memcpy(scratch, samples, n * sizeof *scratch);
    kt_sort(scratch, n);
    enclose(scratch, n, 0.5, inflation, out->grid, &out->ci95_low, &out->ci95_high);
    enclose(scratch, n, 0.95, p95_inflation, out->grid, &out->p95_ci95_low, &out->p95_ci95_high);
    if (is_grid_coarse(out))
        out->patterns |= KT_PATTERN_COARSE_GRID;
}
