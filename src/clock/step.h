/* step.h - the step that a clock moves in where that is no whole number of its ticks. Pure. */
#ifndef KT_CLOCK_STEP_H
#define KT_CLOCK_STEP_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Of distances between stamps, in ticks: the largest step that all of them are whole multiples of
 * (of the longer ones, all but a few), but for the cutting of both stamps to whole ticks. So
 * Apple's GPUs count ns, and move by 125/3 of them. NaN where there is none, or the distances are
 * too few to show it, or the step is below 8 ticks, where cutting hides it. Leaves them in
 * disorder.
 */
double kt_step_find(double *distances, size_t n);

/*
 * Whether they are whole multiples of `step`, to within `slack` ticks by which two stamps were
 * rounded, and so many unlike ones that it is no accident. Leaves them in disorder.
 */
bool kt_step_fits(double *distances, size_t n, double step, double slack);

#endif
