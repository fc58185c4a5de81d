/* SPDX-License-Identifier: MIT */
/*
 * loop.h - rounds of arithmetic that no compiler can save, by one small group, as a workload: how
 * many of them were done can be told from what it leaves. It is not in the list of workloads, since
 * it is of no use but to look at devices, as `doctor` does.
 */
#ifndef WORKLOAD_LOOP_H
#define WORKLOAD_LOOP_H

#include "../workload.h"
#include "mark.h"

#define LOOP_ITEMS 4

typedef struct loop_problem {
    uint32_t iterations;
    uint32_t groups; /* 1, unless set to more before the workload is opened: all do the same */
    uint32_t expected[LOOP_ITEMS]; /* after all of them, of each group */
} loop_problem;

/* No closed form is known of what stands there after so many iterations, so no compiler can save
 * them. */
static inline uint32_t loop_next(uint32_t state, uint32_t iteration)
{
    return (state ^ (state >> 15)) * UINT32_C(0x2c1b3c6d) + iteration;
}

/* What can be told of an output that is not that of so many iterations. */
#define LOOP_DONE_UNKNOWN UINT32_MAX

/* The states of the first group that are not as expected, within those of all groups; NULL: all
 * are. */
const uint32_t *loop_first_wrong(const loop_problem *problem, const uint32_t *states);

/* How many iterations leave these states of all items, at most those of the problem;
 * LOOP_DONE_UNKNOWN: no number does. */
uint32_t loop_iterations_done(const loop_problem *problem, const uint32_t *states);

/* The kernel for devices that run C functions; arguments states, iterations. */
void loop_rounds_c(const kt_c_group *group, void *const *args);

extern const workload workload_loop;

/* The workload with a kernel of its own. It holds its texts, so it may not be moved, and is to be
 * freed after its runs. */
typedef struct loop_marked {
    workload workload;
    workload_kernel kernel;
    char *source, *wgsl, *ptx;
    uint32_t *spirv, *spirv_kernel;
} loop_marked;

/* The same kernel in other words: a driver that has not met this mark has it in no cache. Where
 * kernels are C functions it is the same one. */
kt_status loop_mark(loop_marked *marked, uint32_t mark);
void loop_marked_free(loop_marked *marked);

#endif
