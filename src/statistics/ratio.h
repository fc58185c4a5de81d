/* SPDX-License-Identifier: MIT */
/* ratio.h - confidence intervals of the ratio of two means or medians. Pure functions. */
#ifndef KT_STATISTICS_RATIO_H
#define KT_STATISTICS_RATIO_H

#include <kerntime/stats.h>
#include <stdint.h>

/* Number, mean and standard deviation of independent durations. */
typedef struct kt_moments {
    uint64_t n;
    double mean, stddev; /* sample standard deviation (divisor n - 1) */
} kt_moments;

/* Two-sided 95 % critical value of Student's t. `degrees` >= 1, not necessarily whole. */
double kt_student_95(double degrees);

/*
 * Mean of a over mean of b with a 95 % interval: Welch's (1947) for the difference of the
 * logarithms, degrees of freedom by Satterthwaite (1946). The ratio is NaN unless both means are
 * above 0, the interval is NaN unless both n >= 2.
 */
void kt_ratio_of_means(const kt_moments *a, const kt_moments *b, double *ratio, double *low,
                       double *high);

/*
 * Median of a over median of b with a 95 % interval from the intervals of both: the recovery of
 * variances of Zou and Donner (2008), on logarithms. The ratio is NaN unless both medians are above
 * 0, the interval is NaN unless both have one that is above 0.
 */
void kt_ratio_of_medians(const kt_summary *a, const kt_summary *b, double *ratio, double *low,
                         double *high);

#endif
