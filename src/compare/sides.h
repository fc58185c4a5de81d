/*
 * sides.h - what the runs of one row say of its two sides. Pure.
 *
 * A run counts once, by its median: the samples of a process tell how well that process is known,
 * not what the next one does. So the variance is that of the runs.
 */
#ifndef KT_COMPARE_SIDES_H
#define KT_COMPARE_SIDES_H

#include <kerntime/compare.h>
#include <stdbool.h>
#include <stddef.h>

/* Of kt_compare_rows(): a copy in which none but `timing` is 0. KT_INVALID: one is out of its
 * range. */
kt_status kt_take_compare_options(kt_compare_options *out, const kt_compare_options *options);

typedef struct kt_side {
    uint32_t runs;  /* that count */
    double mean;    /* of their medians; NaN: none counts */
    double squares; /* of the medians' relative distances from the mean */
    double own;     /* mean of the relative variances of a run's median, by its own samples */
    double within;  /* the same, over runs that have an interval */
    double spread;  /* the largest of a run: robust deviation of its samples over its median */
    double grid;    /* the coarsest, over the mean */
} kt_side;

/* Doubles of scratch that the following need for a row. */
size_t kt_sides_scratch(const kt_compare_row *row);

/* `medians`: scratch. */
kt_side kt_look_at_side(const kt_compare_run *runs, size_t count, double *medians);

/* Adds how far each run lies from the mean of its side, as a logarithm times `weight`, and the
 * weight: two numbers a run. A run that stands alone tells nothing of how far off its process
 * is. */
void kt_add_to_centers(const kt_compare_run *runs, size_t count, double weight, double *centers);

/* p of the rank test with the new side's times multiplied by `factor`: of the medians of the runs,
 * or where each side has one that counts, of their samples. `least`: the smallest that so many can
 * have. */
double kt_sides_rank_p(const kt_compare_row *row, double factor, double *least, double *scratch);

#endif
