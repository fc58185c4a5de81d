/* SPDX-License-Identifier: MIT */
/*
 * sample_warnings.h - detects clock resolution, autocorrelation, drift and two clusters in samples.
 *
 * Pure functions. `scratch` holds n doubles. `resolution` is the clock resolution. Methods:
 *
 * - Inflation: variance of the mean over its value for independent samples, which is 1 + 2 * (sum
 *   of the autocorrelations). Autocorrelations are summed in pairs of adjacent lags while the pairs
 *   are positive, no pair larger than the one before (initial monotone sequence: Geyer, Statistical
 *   Science 7 (1992), section 3.3).
 * - Inflation of the median: the larger of two estimates. The first uses the side of the median on
 *   which each sample lies. The median needs this estimate, but it is often too small, as sides
 *   carry little information. The second uses distances from the median, clipped at Huber's 1.5
 *   deviations, and is not smaller for all common kinds of noise.
 * - Drift: Tukey's resistant line through the medians of the first and the last third (Hoaglin,
 *   Mosteller and Tukey, Understanding Robust and Exploratory Data Analysis, 1983, chapter 5). The
 *   test is Spearman's rank correlation with time at 2.2 standard deviations. Its variance
 *   1 / (n - 1) is multiplied by the inflation I of the residuals, and by 1 + 10 (I - 1) / n, found
 *   by trial, because the line removes part of long correlations.
 * - Clusters: the split into two groups with the largest separation, which is the distance of the
 *   groups' medians over the sum of their deviations (interquartile range / 1.349). Each group has
 *   at least 4 samples and 1/20 of all. The split then moves midway between the medians. Two
 *   clusters need a separation of 1.5 + 60 / n, medians 2.5 clock resolutions apart, and a valley:
 *   less than half as many samples around the middle as around either median, in windows of a third
 *   of the distance.
 */
#ifndef KT_STATISTICS_SAMPLE_WARNINGS_H
#define KT_STATISTICS_SAMPLE_WARNINGS_H

#include <stdbool.h>
#include <stddef.h>

/* Clock resolution visible in sorted samples: the smallest difference between unequal ones. 0 if no
 * two samples are equal, or all are. Differences below a billionth are rounding errors. */
double kt_visible_resolution(const double *sorted, size_t n);

/* Inflation of the mean of a series, 1 or more; 1 if all values are equal. Overwrites the
 * values. */
double kt_inflation(double *values, size_t n);

/* Inflation of the share of samples below x, from the series of sides: -1, 0 or 1. */
double kt_side_inflation(const double *samples, size_t n, double x, double *scratch);

/* Inflation of the median of a series, whose median and MAD are given. */
double kt_sample_inflation(const double *samples, size_t n, double median, double mad,
                           double *scratch);

/* True if samples drift, n >= 30: `change` from first to last sample is significant, above 0.5 % of
 * the median, and above the clock resolution. `inflation` is then that of the residuals. */
bool kt_find_drift(const double *samples, size_t n, double resolution, double *scratch,
                   double *change, double *inflation);

typedef struct kt_clusters {
    double low, high; /* medians of the two clusters */
    size_t low_count; /* number of sorted samples in the lower cluster */
    double split;     /* lowest value of the upper cluster */
} kt_clusters;

/* True if sorted samples, n >= 20, have two clusters. */
bool kt_find_clusters(const double *sorted, size_t n, double resolution, kt_clusters *out);

/* True if samples switch clusters so rarely that each cluster's share is left to chance: they are
 * worth fewer than 50 independent samples. Models the switches as a two-state Markov chain. */
bool kt_clusters_are_slow(const double *samples, size_t n, const kt_clusters *clusters);

#endif
