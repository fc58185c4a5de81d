/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Timers around passes of the program's own WebGPU device.
 *
 * Any webgpu.h, or none, may be included beside it.
 */
#ifndef KERNTIME_TIMER_CONTEXT_WEBGPU_H
#define KERNTIME_TIMER_CONTEXT_WEBGPU_H

#include <kerntime/timer.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Targets of WebGPU's handles, and the structure by which a pass gets its timestamps. */
struct WGPUInstanceImpl;
struct WGPUDeviceImpl;
struct WGPUCommandEncoderImpl;
struct WGPUPassTimestampWrites;

/** Encoders if kt_webgpu_import.frames_max is 0. */
#define KT_WEBGPU_FRAMES_DEFAULT 8
/** Passes if kt_webgpu_import.passes_max is 0. */
#define KT_WEBGPU_PASSES_DEFAULT 64

/** What to import. Zero everything for the defaults but `size` and the two handles. */
typedef struct kt_webgpu_import {
    size_t size;                       /**< sizeof(kt_webgpu_import) */
    struct WGPUInstanceImpl *instance; /**< instance */
    struct WGPUDeviceImpl *device;     /**< made with the feature "timestamp-query" */
    /** Encoders with timed passes that may be pending at once: from their first timed pass until
     * their timestamps are collected. At most 1,024; 0: 8. */
    uint32_t frames_max;
    uint32_t passes_max; /**< timed passes of one encoder, at most 2,048; 0: 64 */
    /** wgpuGetProcAddress of the program's library; NULL: functions of the system's library
     * (KERNTIME_LIB_WEBGPU names another one). */
    void (*get_proc_address)(void);
} kt_webgpu_import;

/**
 * Imports a device.
 *
 * Resources: each encoder with timed passes needs a query set and two small buffers, made if none
 * can be used again. Nothing is submitted. The program's callbacks and error scopes stay as they
 * are.
 *
 * Resolution of timestamps:
 *
 * - Timestamps are ns. Dawn rounds them down to multiples of 65,536 ns, unless the device was made
 *   with its toggle "timestamp_quantization" disabled. Browsers round to that or to 100,000 ns.
 * - kerntime detects the rounding from the timestamps. Spans below four such steps then count as
 *   `below_min_span`, and longer ones are right to one step.
 * - A row then lacks its short spans, and its mean, minimum and percentiles are too high. For work
 *   of about four steps, disable the toggle or trust none of them.
 *
 * Threads:
 *
 * - WebGPU's calls on one device are for one thread at a time, unless its library says otherwise
 *   (Dawn: the feature "implicit-device-synchronization").
 * - So are calls on a timer context and its timers, also kt_collect(), kt_timer_wait() and
 *   kt_timer_context_wait(): each makes calls on the device.
 * - For a device for many threads the rules are those of timer.h, with encoders instead of queues.
 *
 * @param desc what to import
 * @param[out] out the timer context; close it with kt_timer_context_close()
 * @return KT_OK, or
 * - KT_UNAVAILABLE: no library, or wgpu-native, which cannot be asked whether something is done
 *   without waiting for it
 * - KT_INVALID: a handle is missing, or frames_max or passes_max is too large
 * - KT_UNSUPPORTED: the device was made without "timestamp-query"
 * - KT_NO_MEMORY: the host or the device is out of memory
 */
KT_API kt_status kt_timer_context_import_webgpu(const kt_webgpu_import *desc,
                                                kt_timer_context **out);

/**
 * Fills the timestamp writes of the next pass of an encoder, and makes that pass a span of the
 * timer.
 *
 * Give the return value to the descriptor of the pass, compute or render:
 *
 * @code{.c}
 * WGPUPassTimestampWrites writes;
 * pass.timestampWrites = kt_timer_pass_webgpu(blur, encoder, &writes);
 * @endcode
 *
 * - Call it anew for each pass: what it fills is for one pass of this encoder, begun before the
 *   next one is filled.
 * - Some mistakes show in the timestamps. They are counted instead of a duration: `zero` if no pass
 *   was begun with it; `overwritten` if a later pass was, and one filled in between was begun
 *   before that.
 * - Other mistakes do not show. If passes were begun with it one right after another, the span is
 *   that of the last one. Passes of other encoders are not timed at all.
 * - So a pass that is not timed needs `pass.timestampWrites = NULL` if its descriptor was used
 *   before. Otherwise its time goes to the timer of the earlier pass.
 *
 * @param timer the timer
 * @param encoder encoder of the pass
 * @param[out] writes to be filled; the program's
 * @return `writes`, or NULL if the pass is not timed:
 * - `timer` is NULL
 * - the registry is disabled
 * - as many encoders, passes or spans are pending as may be; counted as refused; kt_error_text()
 *   has the reason
 * - the encoder was resolved already; kt_error_text() has the reason
 * - the timer is not of WebGPU, or its timer context was closed; kt_error_text() has the reason
 * - no memory is left; kt_error_text() has the reason
 */
KT_API const struct WGPUPassTimestampWrites *kt_timer_pass_webgpu(
    kt_timer *timer, struct WGPUCommandEncoderImpl *encoder,
    struct WGPUPassTimestampWrites *writes);

/**
 * Resolves the timestamps of an encoder's timed passes into a buffer.
 *
 * When: once per encoder, after its last pass and right before wgpuCommandEncoderFinish().
 *
 * @param context the timer context
 * @param encoder the encoder
 * @return KT_OK, also if it has no timed passes, or
 * - KT_UNAVAILABLE: `context` is NULL
 * - KT_INVALID: it was resolved already, no encoder, a timer context of another API, or a closed
 *   one
 * - KT_DRIVER_ERROR: the encoder is finished; its spans have no durations
 * - KT_NO_MEMORY: the host or the device is out of memory; its spans have no durations
 */
KT_API kt_status kt_timer_context_resolve_webgpu(kt_timer_context *context,
                                                 struct WGPUCommandEncoderImpl *encoder);

/**
 * Announces that an encoder's commands were submitted, so that kt_collect() asks for their
 * timestamps.
 *
 * - When: right after wgpuQueueSubmit(). Before it, this call makes the submission fail (Dawn:
 *   `[Buffer "kerntime"] used in submit while pending map`).
 * - The encoder may have been released. It is known by its address, which stays in use as long as
 *   kerntime keeps it.
 *
 * @param context the timer context
 * @param encoder the encoder; NULL: all that were resolved
 * @return KT_OK, also if it has no timed passes, or
 * - KT_UNAVAILABLE: `context` is NULL
 * - KT_INVALID: it was not resolved, was announced before, a timer context of another API, or a
 *   closed one
 */
KT_API kt_status kt_timer_context_submitted_webgpu(kt_timer_context *context,
                                                   struct WGPUCommandEncoderImpl *encoder);

/**
 * Announces that an encoder's commands will not be submitted: its spans are freed and do not count.
 *
 * An encoder that is neither discarded nor announced by kt_timer_context_submitted_webgpu() stays
 * pending until the timer context is closed. Then its spans count as lost.
 *
 * @param context the timer context
 * @param encoder the encoder
 * @return KT_OK, also if it has no timed passes, or
 * - KT_UNAVAILABLE: `context` is NULL
 * - KT_INVALID: no encoder, a timer context of another API, or a closed one
 */
KT_API kt_status kt_timer_context_discard_webgpu(kt_timer_context *context,
                                                 struct WGPUCommandEncoderImpl *encoder);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_WEBGPU_
#include <kerntime/compiled_out.h>
#endif

#endif
