/* SPDX-License-Identifier: MIT */
/* webgpu.h - tests of the WebGPU backend over the stub library in one of its moods (webgpu.sh). */
#ifndef WEBGPU_H
#define WEBGPU_H

#include "tests/unit/moods.h"

#include <kerntime/kerntime.h>

extern const struct CMUnitTest webgpu_timestamp_tests[], webgpu_memory_tests[],
    webgpu_device_tests[], webgpu_failure_tests[],
    webgpu_thread_tests[]; /* each ends with MOODS_END */

extern kt_context *context;
extern kt_device *device;
extern const kt_device_info *info;

/* A device on the system's clock, or on one that moves by `step_ns` with each look and never
 * else. */
void open_device(int64_t step_ns);
kt_status try_device(int64_t step_ns);
void close_device(void);

kt_memory *make_memory(kt_memory_kind kind, size_t bytes);
kt_job *make_job(const kt_step *steps, uint32_t count);
/* The workload's kernel fill. */
kt_program *make_fill(void);
/* A dispatch of it over `n` elements of `memory`; `n` must live as long as the job is not made. */
typedef struct fill_step {
    kt_arg args[2];
    kt_step step;
} fill_step;
void fill_step_make(fill_step *fill, const char *name, kt_program *program, kt_memory *memory,
                    const uint32_t *n);

/* `count` samples, no more and no less; the result is the caller's. */
kt_result *measure_job(kt_job *job, uint32_t count, uint32_t trials, kt_timing timing);
/* The same of a copy, or of a dispatch, which is named "step". */
kt_result *measure_copy(uint32_t count, uint32_t trials, kt_timing timing);
kt_result *measure_fill(uint32_t count, uint32_t trials, kt_timing timing);
/* Two samples of a workload fill of `n` elements. */
kt_status run_fill(uint64_t n);
/* Its series of that step, which must be there. */
const kt_series *series_of(const kt_result *result, const char *name);

#endif
