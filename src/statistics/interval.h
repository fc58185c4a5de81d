/* SPDX-License-Identifier: MIT */
/*
 * interval.h - order statistics and their confidence intervals. Pure functions.
 *
 * Ranks of intervals are interpolated between the two order statistics whose binomial probabilities
 * enclose 2.5 %: for the median as in Hettmansperger and Sheather, Statistics & Probability Letters
 * 4 (1986), for other quantiles as in Nyblom, Statistics & Probability Letters 14 (1992). The
 * distance of both ranks from the quantile's own rank is then multiplied by sqrt(inflation), which
 * gives the interval of n / inflation independent samples.
 *
 * Room statistics: numbers in, numbers out: summaries, intervals, sample warnings, ratios, transfer
 * fits, histograms. No clock, no device, no state. May know: support.
 */
#ifndef KT_STATISTICS_INTERVAL_H
#define KT_STATISTICS_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

void kt_sort(double *values, size_t n);

/* The functions below take sorted values, n >= 1. Ranks count from 0. */

/* Number of sorted values below x. */
size_t kt_count_below(const double *sorted, size_t n, double x);

/* Order statistic at a fractional rank 0..n - 1, linear between its neighbours. */
double kt_at_rank(const double *sorted, size_t n, double rank);

/* Quantile p of sorted values, linear between order statistics (Hyndman and Fan 1996, type 7). */
double kt_quantile(const double *sorted, size_t n, double p);

/* Median of sorted values; for even n, the mean of the middle two. */
double kt_median(const double *sorted, size_t n);

#define KT_MAD_SCALE 1.4826 /* standard deviation of the normal distribution over its MAD */

/* True if the clock resolution explains the width of an interval: the interval, already widened
 * by half a resolution at both ends, covers at most two adjacent clock values. */
static inline bool kt_resolution_rules(double low, double high, double resolution)
{
    return high - low < 2.001 * resolution;
}

/* Median of the absolute distances of sorted values from `center`. */
double kt_median_distance(const double *sorted, size_t n, double center);

/* Returns the fractional ranks of a 95 % interval for quantile p (0 < p < 1) of any continuous
 * distribution. False, and nothing written, if n is too small. */
bool kt_interval_ranks(size_t n, double p, double inflation, double *low, double *high);

#endif
