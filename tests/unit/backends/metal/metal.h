/* SPDX-License-Identifier: MIT */
/* metal.h - the world of the tests of Metal's backend over its stub. */
#ifndef METAL_H
#define METAL_H

#include "tests/unit/stubbed.h"

extern void (*stub_take)(int64_t ns); /* of the stub; see tests/drivers/metal_stub/README.md */

/* A job of some steps, each a kernel that fills, or a copy. */
typedef struct work {
    kt_memory *memory, *other;
    kt_program *program;
    kt_job *job;
} work;

/* Of the test, which need not destroy it. */
extern work made;

kt_status make_program(kt_program **out);
work make_fill(uint32_t steps);
/* Not made, but tried: the kernel with groups of that size. */
kt_status try_group(uint32_t group_size);
/* Of steps that have nothing in common. */
work make_empty(uint32_t steps);
/* Not made, but tried: a copy within one memory, that many bytes further. */
kt_status try_shift(uint32_t offset, size_t bytes);
work make_copy(kt_memory_kind from, kt_memory_kind to);
void destroy_work(work *w);
kt_status try_measure(const work *w, uint32_t samples, kt_result **out);
/* Its first step. */
const kt_series *work_of(const kt_result *result);

extern const struct CMUnitTest metal_times[], metal_failures[];

#endif
