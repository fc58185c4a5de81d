/* level_zero.h - the world of the tests of Level Zero's backend over its stub. */
#ifndef LEVEL_ZERO_H
#define LEVEL_ZERO_H

#include "tests/unit/testing.h"

#include <kerntime/kerntime.h>

/* Of the stub; see tests/drivers/level_zero_stub/entry_points.h. */
typedef struct level_zero_stub {
    int64_t (*now)(void);
    void (*advance)(int64_t ns);
    void (*take)(uint64_t ticks);
    void (*set_counters)(uint64_t global_ticks, uint64_t kernel_ticks);
} level_zero_stub;

extern level_zero_stub stub;
extern kt_context *context;
extern kt_device *device;

/* The host's clock is the stub's own, so that minutes on the device are minutes for kerntime, and
 * take no time. */
kt_status open_device(void);
void close_device(void);

/* A job with one step, "work": a kernel that fills, or a copy. */
typedef struct work {
    kt_memory *memory, *other;
    kt_program *program;
    kt_job *job;
} work;

kt_status make_program(kt_program **out);
work make_fill(void);
work make_copy(kt_memory_kind from, kt_memory_kind to);
void destroy_work(work *w);
kt_status try_measure(const work *w, uint32_t samples, uint32_t trials, kt_result **out);
const kt_series *work_of(const kt_result *result);

typedef struct level_zero_mood {
    const char *name;
    void (*test)(void **state);
} level_zero_mood;

/* Each ends with NULL. */
extern const level_zero_mood level_zero_times[], level_zero_failures[];

#endif
