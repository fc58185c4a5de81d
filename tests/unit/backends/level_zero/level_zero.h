/* SPDX-License-Identifier: MIT */
/* level_zero.h - the world of the tests of Level Zero's backend over its stub. */
#ifndef LEVEL_ZERO_H
#define LEVEL_ZERO_H

#include "tests/unit/stubbed.h"

/* Of the stub; see tests/drivers/level_zero_stub/entry_points.h. */
extern void (*stub_take)(uint64_t ticks);
extern void (*stub_set_counters)(uint64_t global_ticks, uint64_t kernel_ticks);

/* A job with one step, "work": a kernel that fills, or a copy. */
typedef struct work {
    kt_memory *memory, *other;
    kt_program *program;
    kt_job *job;
} work;

/* Of the test, which need not destroy it. */
extern work made;

kt_status make_program(kt_program **out);
work make_fill(void);
work make_copy(kt_memory_kind from, kt_memory_kind to);
void destroy_work(work *w);
kt_status try_measure(const work *w, uint32_t samples, uint32_t trials, kt_result **out);
const kt_series *work_of(const kt_result *result);

extern const struct CMUnitTest level_zero_times[], level_zero_failures[];

#endif
