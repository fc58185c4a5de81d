/*
 * common.h - the common-mode shift of a comparison, as a logarithm. Pure.
 *
 * It is taken off before rows are judged: a machine that runs 1 % slower would make all rows
 * slower. It is reported by itself. If it matters, the whole comparison is never "same" or
 * "faster", because a change in code that all kernels share looks just like it.
 */
#ifndef KT_COMPARE_COMMON_H
#define KT_COMPARE_COMMON_H

#include <stdbool.h>
#include <stddef.h>

/* What all rows have in common. */
typedef struct kt_common {
    bool known; /* the rows are enough, and most of them agree */
    double at, error;
} kt_common;

/* From the shifts of n witnesses (witnesses.h) and their standard errors; `scratch`: n. */
kt_common kt_find_common(const double *shifts, const double *errors, size_t n, double *scratch);

/* Standard error, and by how many degrees of freedom it is known. */
typedef struct kt_doubt {
    double error, degrees;
} kt_doubt;

/*
 * What a difference of the sides' means over all rows is unsure by, as far as the centers of the
 * runs tell. `centers`: of either side those of `most` runs, two numbers each: a sum of weighted
 * distances, and of weights (0: there is no such run, or nothing is known of its center). A side of
 * which fewer than two centers are known counts as a single run. `assumed`: standard deviation of a
 * run that stands alone, at least, and worth so many `degrees`.
 */
kt_doubt kt_doubt_of_runs(double *const centers[2], const size_t most[2], double assumed,
                          double degrees);

#endif
