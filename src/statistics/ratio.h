/* ratio.h - how surely the ratio of two means is known. Pure. */
#ifndef KT_STATISTICS_RATIO_H
#define KT_STATISTICS_RATIO_H

#include <stdint.h>

/* What is known of independent durations. */
typedef struct kt_moments {
    uint64_t n;
    double mean, stddev; /* divisor n - 1 */
} kt_moments;

/* Student's t is between - t and t in 95 % of all cases: that t. `degrees` of freedom are at least
 * 1, and need not be whole. */
double kt_student_95(double degrees);

/*
 * Mean of a over mean of b, and its 95 % interval: Welch's (1947) of the difference of the means'
 * logarithms, whose standard errors are those of the means, relative to them; degrees of freedom by
 * Satterthwaite (1946). What there is too little of is NaN: a ratio needs two means above 0, the
 * interval n >= 2 of each.
 */
void kt_ratio_of_means(const kt_moments *a, const kt_moments *b, double *ratio, double *low,
                       double *high);

#endif
