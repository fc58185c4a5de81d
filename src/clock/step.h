/* SPDX-License-Identifier: MIT */
/*
 * step.h - finds a clock resolution that is not a whole number of ticks. Pure functions.
 *
 * Example: Apple's GPUs count ns and advance by 125/3 ns.
 */
#ifndef KT_CLOCK_STEP_H
#define KT_CLOCK_STEP_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the largest step, in ticks, whose multiples are all `distances` between timestamps (a few
 * long ones may differ), given that timestamps are truncated to whole ticks. NaN if there is none,
 * if distances are too few, or if the step is below 8 ticks. Reorders `distances`.
 */
double kt_step_find(double *distances, size_t n);

/* True if `distances` are multiples of `step`, to within `slack` ticks of rounding, and enough of
 * them differ to exclude chance. Reorders `distances`. */
bool kt_step_fits(double *distances, size_t n, double step, double slack);

#endif
