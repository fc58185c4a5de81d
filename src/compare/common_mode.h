/* SPDX-License-Identifier: MIT */
/*
 * common_mode.h - estimates the common-mode shift of a comparison, as a logarithm. Pure.
 *
 * The shift is subtracted before rows are judged: a machine that runs 1 % slower makes all rows
 * slower. Nearly all groups must show it, else rows are judged as measured. It is reported separately. If it matters, the whole comparison is never "same" or
 * "faster", because a change in code shared by all kernels looks the same.
 */
#ifndef KT_COMPARE_COMMON_MODE_H
#define KT_COMPARE_COMMON_MODE_H

#include <stdbool.h>
#include <stddef.h>

/* The common-mode shift. */
typedef struct kt_common_mode {
    bool known; /* true if there are enough groups and most of them agree */
    double at, error;
} kt_common_mode;

/* Estimates the common-mode shift from shifts and standard errors of n groups. `scratch`: n. */
kt_common_mode kt_find_common_mode(const double *shifts, const double *errors, size_t n,
                                   double *scratch);

/* A standard error and its degrees of freedom. */
typedef struct kt_doubt {
    double error, degrees;
} kt_doubt;

/*
 * Uncertainty of the difference of the sides' means over all rows, by the centers of the runs.
 * `centers` has, per side, two numbers for each of `most` runs: a sum of weighted distances, and
 * the sum of weights (0: unknown). A side with fewer than two known centers counts as a single run,
 * with a standard deviation of at least `assumed` at `degrees` degrees of freedom.
 */
kt_doubt kt_doubt_of_runs(double *const centers[2], const size_t most[2], double assumed,
                          double degrees);

#endif
