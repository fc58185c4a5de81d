/* SPDX-License-Identifier: MIT */
/* raw.h - the loops that people write by hand to time an empty kernel or a copy, as fair
 * yardsticks. */
#ifndef BENCH_RAW_H
#define BENCH_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the memory of the process begins that is copied: at a page, as kerntime's own, or else
 * malloc() decides what is compared. */
#define RAW_PAGE_BYTES 4096

/* One API; `raw` is what open() returned. */
typedef struct raw_api {
    /* Opens a driver library and its first device, and builds the kernel. NULL after a sentence on
     * standard error. */
    void *(*open)(const char *library);
    void (*close)(void *raw);
    /* Dispatches the empty kernel `count` times, each waited for; if timestamped its start and end are
     * asked for, too. False if the driver fails. */
    bool (*dispatch)(void *raw, bool timestamped, uint32_t count);

    /* Makes two memories of so many whole pages for copy(), and touches each of these: memory of
     * the process and of the device where the API tells them apart. NULL: not written for this API.
     * False after a failure; close() frees what there is. */
    bool (*make_copy)(void *raw, size_t bytes);
    /* Copies all of one to the other, waits for it, and tells its duration by the device's own
     * timestamps. */
    bool (*copy)(void *raw, double *duration_ns);
} raw_api;

extern const raw_api raw_cpu, raw_cuda, raw_hip, raw_opencl, raw_vulkan, raw_webgpu;

/* The queue with profiling of an opened raw_opencl, a cl_command_queue. */
void *raw_opencl_queue(void *opened);
/* Times nothing, `count` times, at most RAW_SPANS_MAX: a marker before and one after. Then reads
 * when both ended and releases them, as is done once a frame. False if the driver fails or a marker
 * has not ended. */
#define RAW_SPANS_MAX 1024
bool raw_opencl_spans(void *opened, uint32_t count);

#endif
