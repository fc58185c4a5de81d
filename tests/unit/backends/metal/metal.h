/* metal.h - the world of the tests of Metal's backend over its stub. */
#ifndef METAL_H
#define METAL_H

#include "tests/unit/testing.h"

#include <kerntime/kerntime.h>

/* Of the stub; see tests/drivers/metal_stub/README.md. */
typedef struct metal_stub {
    int64_t (*now)(void);
    void (*advance)(int64_t ns);
    void (*take)(int64_t ns);
} metal_stub;

extern metal_stub stub;
extern kt_context *context;
extern kt_device *device;

/* The host's clock is the stub's own, so that minutes on the device are minutes for kerntime, and
 * take no time. */
kt_status open_device(void);
void close_device(void);

/* A job of some steps, each a kernel that fills, or a copy. */
typedef struct work {
    kt_memory *memory, *other;
    kt_program *program;
    kt_job *job;
} work;

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

typedef struct metal_mood {
    const char *name;
    void (*test)(void **state);
} metal_mood;

/* Each ends with NULL. */
extern const metal_mood metal_times[], metal_failures[];

#endif
