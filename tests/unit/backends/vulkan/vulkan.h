/* SPDX-License-Identifier: MIT */
/* vulkan.h - tests of the Vulkan backend over the stub driver in one of its moods (vulkan.sh). */
#ifndef VULKAN_H
#define VULKAN_H

#include "tests/unit/moods.h"

#include <kerntime/kerntime.h>

extern const struct CMUnitTest vulkan_timestamp_tests[], vulkan_pair_tests[], vulkan_memory_tests[],
    vulkan_failure_tests[], vulkan_thread_tests[]; /* each ends with name NULL */

extern kt_context *context;
extern kt_device *device;
extern const kt_device_info *info;

/* A device on the system's clock, or on one that moves by `step_ns` with each look and never
 * else. */
void open_device(int64_t step_ns);
void close_device(void);

kt_memory *make_memory(kt_memory_kind kind, size_t bytes);
/* A job of one copy of all of `src`. */
kt_job *make_copy(kt_memory *src, kt_memory *dst, size_t bytes);
/* `count` samples of a copy between two memories of the default kind; the result is the
 * caller's. */
kt_result *measure_copy(uint32_t count, uint32_t trials, kt_timing timing);
/* Its series of that step, which must be there. */
const kt_series *series_of(const kt_result *result, const char *name);

#endif
