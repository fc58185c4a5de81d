/* SPDX-License-Identifier: MIT */
/*
 * samples.h - allocates counter samples for timestamps, for both APIs. A counter sample buffer has
 * 4,096 samples, starts zeroed and cannot be reset, and few can exist at once. So each timestamp
 * takes unused samples, and a buffer is released once all its samples were used and read. A command
 * buffer that writes samples must keep the sample buffer (kt_metal_keep()): it does not always retain
 * it, but needs it until its own deallocation (WebKit pull request 39933).
 */
#ifndef KT_METAL_SAMPLES_H
#define KT_METAL_SAMPLES_H

#include "backends/metal/api.h"
#include "support/thread.h"

#include <kerntime/result.h>

/* Samples per counter sample buffer: 32 KiB, Metal's maximum. */
#define METAL_SAMPLES 4096
/* Metal refuses more than 32 live sample buffers per device (seen up to macOS 14). Buffers of the
 * program and of other timer contexts count, too. */
#define METAL_SAMPLE_BUFFERS_MAX 16

typedef struct metal_sample_buffer {
    objc_id buffer;  /* counter sample buffer; NULL: not created */
    uint32_t used;   /* number of samples handed out so far */
    uint32_t ranges; /* number of ranges not given back yet */
} metal_sample_buffer;

/* Label of kerntime's sample buffers. Timers use it to recognise them in a descriptor of the
 * program, so no program should use this name. */
#define METAL_SAMPLES_LABEL "kerntime counter samples"

/* Consecutive samples of one sample buffer. Zeroed if it holds no samples. */
typedef struct metal_range {
    objc_id buffer; /* the sample buffer, alive until the range is given back */
    uint32_t index; /* index of the sample buffer in metal_samples.buffers */
    uint32_t first, count;
} metal_range;

typedef struct metal_samples {
    const metal_api *api;
    objc_id device;
    objc_id counter_set; /* the timestamp counter set */
    kt_mutex *mutex;
    uint32_t current; /* index of the sample buffer that new ranges come from */
    metal_sample_buffer buffers[METAL_SAMPLE_BUFFERS_MAX];
} metal_samples;

/* Initialises `samples` without a sample buffer. Retains neither object. Call kt_metal_samples_fini()
 * also after a failure or on a zeroed structure. */
kt_status kt_metal_samples_init(metal_samples *samples, const metal_api *api, objc_id device,
                                objc_id counter_set);
/* Releases all sample buffers. Call it once no range is in use. */
void kt_metal_samples_fini(metal_samples *samples);

/* Creates a sample buffer unless the current one has `count` samples left, so that the next
 * kt_metal_samples_take() need not. `count` <= METAL_SAMPLES. KT_LIMIT: too many buffers;
 * KT_DRIVER_ERROR with Metal's text. Thread-safe, like the functions below. */
kt_status kt_metal_samples_prepare(metal_samples *samples, uint32_t count);
/* Takes the next `count` samples, in a new sample buffer if needed. Fails like
 * kt_metal_samples_prepare(), with `out` zeroed. */
kt_status kt_metal_samples_take(metal_samples *samples, uint32_t count, metal_range *out);
/* Ends the use of a range and zeroes it. Its command buffer may still run: it keeps the sample
 * buffer alive. */
void kt_metal_samples_give_back(metal_samples *samples, metal_range *range);

/* Reads the samples of a range whose command buffer has completed. KT_DRIVER_ERROR: the
 * samples are not available. */
kt_status kt_metal_samples_resolve(const metal_samples *samples, const metal_range *range,
                                   uint64_t *values);

/* Returns the timestamp state of a step or pass by its two samples. Equal samples are valid: the
 * span is shorter than the clock's resolution. An end far below the start may be a wrapped counter,
 * which the core resolves. */
static inline kt_timestamp_state metal_timestamp_state(uint64_t start, uint64_t end)
{
    if (start == METAL_SAMPLE_ERROR || end == METAL_SAMPLE_ERROR)
        return KT_TIMESTAMP_ERROR;
    if (start == 0 || end == 0)
        return KT_TIMESTAMP_ZERO;
    return end < start && end >= start / 2 ? KT_TIMESTAMP_NEGATIVE : KT_TIMESTAMP_OK;
}

#endif
