/*
 * interval.h - order statistics, and the intervals between them. Pure.
 *
 * Room statistics: numbers in, numbers out: summaries, intervals, patterns, ratios, lines,
 * histograms. No clock, no device, no state. May know: support.
 */
#ifndef KT_STATISTICS_INTERVAL_H
#define KT_STATISTICS_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

void kt_sort(double *values, size_t n);

/* The following take sorted values, n >= 1. Ranks count from 0. */

/* Number of values below x. */
size_t kt_count_below(const double *sorted, size_t n, double x);

/* Order statistic at a fractional rank 0..n - 1, linear between its neighbours. */
double kt_at_rank(const double *sorted, size_t n, double rank);

/* Quantile p, linear between order statistics (Hyndman and Fan 1996, type 7). */
double kt_quantile(const double *sorted, size_t n, double p);

/* Of even n the mean of the middle two. */
double kt_median(const double *sorted, size_t n);

#define KT_MAD_SCALE 1.4826 /* deviation of the normal law over its median distance */

/* Whether an interval with half a step of the clock added at both ends has at most one step more:
 * its ranks are on one value or on two neighbouring ones, so the clock is what makes it as wide. */
static inline bool kt_grid_rules(double low, double high, double grid)
{
    return high - low < 2.001 * grid;
}

/* Median of the distances from `center`. */
double kt_median_distance(const double *sorted, size_t n, double center);

/*
 * Fractional ranks between which quantile p (0 < p < 1) of any continuous distribution lies with a
 * probability of about 95 %, half of the rest on either side. Interpolated between the two order
 * statistics whose binomial probabilities enclose the wanted one: for the median as in
 * Hettmansperger and Sheather, Statistics & Probability Letters 4 (1986), for other quantiles as in
 * Nyblom, Statistics & Probability Letters 14 (1992). The distance of both ranks from the
 * quantile's own rank is then stretched by sqrt(inflation), so that the interval is that of n /
 * inflation samples. Returns false, and writes nothing, where n is too small: one of the ranks
 * would lie outside.
 */
bool kt_interval_ranks(size_t n, double p, double inflation, double *low, double *high);

#endif
