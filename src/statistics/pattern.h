/* pattern.h - what a list of samples is like: steps, resemblance of neighbours, drift, two levels.
 * Pure. */
#ifndef KT_STATISTICS_PATTERN_H
#define KT_STATISTICS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The step that sorted samples move in: the smallest distance between two that differ. 0 where none
 * is to be seen, as there are no ties among the samples, or no differences. What differs by less
 * than a billionth is the same value, rounded differently.
 */
double kt_visible_grid(const double *sorted, size_t n);

/*
 * Variance of the mean of a series over what it would be if its values were independent; 1 or more.
 * That is 1 + 2 * (sum of the autocorrelations), summed in pairs of neighbouring lags as long as
 * the pairs are positive, none larger than the one before it (the initial monotone sequence: Geyer,
 * Statistical Science 7 (1992), section 3.3). The values are spoilt. 1 where all are equal.
 */
double kt_inflation(double *values, size_t n);

/* The same of the share of samples below x, by the series of their sides of it: -1, 0 or 1. */
double kt_side_inflation(const double *samples, size_t n, double x, double *scratch);

/* The same of the median (given with its `mad`): the larger one of its sides and of the distances
 * from it, which are kept within Huber's 1.5 deviations. The first is what the median needs, but
 * often found too small, as sides tell little; the second is not smaller for all common kinds of
 * noise. */
double kt_sample_inflation(const double *samples, size_t n, double median, double mad,
                           double *scratch);

/*
 * Change from the first sample to the last, n >= 30. Noticed (true) if it is more than chance
 * explains, half a percent of the median and one step of the grid.
 * The fit is Tukey's resistant line: the medians of the first and the last third (Hoaglin,
 * Mosteller and Tukey, Understanding Robust and Exploratory Data Analysis, 1983, chapter 5). The
 * test is Spearman's rank correlation with time, whose variance 1 / (n - 1) is multiplied by the
 * inflation I of what remains around that line, and by 1 + 10 (I - 1) / n, found by trial, for what
 * the line takes of long correlations; 2.2 deviations are needed. If noticed, `inflation` is I.
 */
bool kt_find_drift(const double *samples, size_t n, double grid, double *scratch, double *change,
                   double *inflation);

typedef struct kt_levels {
    double low, high; /* medians of the two groups */
    size_t low_count; /* of the sorted samples, the first so many are the lower group */
    double split;     /* the lowest value of the upper group */
} kt_levels;

/*
 * Two levels among sorted samples, n >= 20. Of all splits into two groups, each at least 4 samples
 * and 1 / 20 of all, the one with the largest separation: the distance of the groups' medians over
 * the sum of their deviations (interquartile range / 1.349). It is then moved to the middle between
 * the two medians. They are levels (true) if the separation is at least 1.5 + 60 / n, they are at
 * least 2.5 steps of the grid apart, and there is a valley between them: around the middle there
 * are less than half as many samples as around either median, in windows of a third of the
 * distance.
 */
bool kt_find_levels(const double *sorted, size_t n, double grid, kt_levels *out);

/* Whether the samples switch so seldom between two levels that the share of each is left to chance:
 * for that share they are worth less than 50 independent ones. Their inflation is that of a chain
 * of two states (Markov), by the number of switches. */
bool kt_levels_are_slow(const double *samples, size_t n, const kt_levels *levels);

#endif
