/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Timers around passes, commands and whole command buffers of the program's own Metal device.
 *
 * - Languages: C, C++ and Objective-C, with or without Metal's headers beside it.
 * - Objects of Metal are `void *` here. With automatic reference counting write `(__bridge void
 *   *)buffer`: ownership stays, and kerntime retains what it keeps. A metal-cpp pointer is passed
 *   as it is.
 */
#ifndef KERNTIME_TIMER_CONTEXT_METAL_H
#define KERNTIME_TIMER_CONTEXT_METAL_H

#include <kerntime/timer.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to import. Zero everything for the defaults but `size` and the device. */
typedef struct kt_metal_import {
    size_t size;  /**< sizeof(kt_metal_import) */
    void *device; /**< `id<MTLDevice>`; retained until kt_timer_context_close() */
    /** Spans pending at once, encoded, running or in flight; 0: KT_SPANS_DEFAULT. At most
     * 32,768 of them in passes and encoders. */
    uint32_t spans_max;
} kt_metal_import;

/**
 * Imports a device.
 *
 * Clocks (kt_timer_context_get_clock()):
 *
 * - 0 is "gpu", that of counter sample buffers. 1 is "command-buffer": start and end of a whole
 *   command buffer as Metal reports them.
 * - They measure different things, so do not put both into one timer.
 * - No call of Metal reports the length of a tick of "gpu": Apple's and AMD's GPUs count ns,
 *   Intel's count 83.333 ns. The import measures it, from readings of both clocks at one moment
 *   (sampleTimestamps:gpuTimestamp:).
 * - The longer kt_timer_context_calibrate() is called, the better it is known. A span uses the
 *   length that is known when it is collected.
 * - "gpu" is missing on systems whose samples are always 0, or whose ticks do not fit the times of
 *   command buffers. The import checks that with a few passes of a queue of its own. Without "gpu"
 *   only kt_timer_add_metal_commands() works.
 *
 * Duration of the import:
 *
 * - Under 0.1 s if the GPU is idle.
 * - If a reading waits for a busy GPU (AMD, Intel), each reading takes as long as
 *   what it waits for. Then it is up to some 2 s, or as long as some 20 readings, and the length of
 *   a tick has a larger uncertainty.
 *
 * Counter sample buffers:
 *
 * - They are kerntime's own, of 4,096 samples each. macOS gives a process 32 of a device; kerntime
 *   takes at most 16. So 32,768 spans in passes and encoders may be pending.
 * - A single command buffer that is neither committed nor discarded keeps one of the 16.
 * - A command buffer keeps the sample buffers that it writes to until it is deallocated, so do not
 *   keep thousands of command buffers.
 * - kerntime reads samples once their command buffer is complete. So there is nothing to encode for
 *   that, and nothing to announce at the commit.
 *
 * Threads:
 *
 * - As in timer.h, with command buffers and encoders instead of queues: a call that takes one is
 *   made by the thread that encodes into it.
 * - Different timers in different command buffers on different threads at once.
 * - Every call has an autorelease pool of its own.
 *
 * @param desc what to import
 * @param[out] out the timer context; close it with kt_timer_context_close()
 * @return KT_OK, or
 * - KT_UNAVAILABLE: this is not macOS
 * - KT_INVALID: no device
 * - KT_UNSUPPORTED: neither samples nor command buffers have times, as before macOS 10.15
 * - KT_NOT_READY: the length of a tick could not be measured
 * - KT_NO_MEMORY: the host or the device is out of memory
 * - KT_DRIVER_ERROR: a driver call failed
 * - KT_TIMEOUT: the GPU did not answer in time
 */
KT_API kt_status kt_timer_context_import_metal(const kt_metal_import *desc, kt_timer_context **out);

/**
 * Makes the next pass of a command buffer a span, by filling its descriptor (compute, blit or
 * render).
 *
 * @code{.m}
 * MTLComputePassDescriptor *pass = [MTLComputePassDescriptor computePassDescriptor];
 * kt_timer_pass_metal(blur, (__bridge void *)buffer, (__bridge void *)pass);
 * id<MTLComputeCommandEncoder> encoder = [buffer computeCommandEncoderWithDescriptor:pass];
 * @endcode
 *
 * Span:
 *
 * - It lasts from the start of the pass to its end; of a render pass from the start of its vertex
 *   stage to the end of its fragment stage.
 * - On Apple's GPUs these of two passes overlap, so the sum of all passes may exceed the frame.
 * - It is pending from this call on: kerntime retains the command buffer, and kt_collect() asks for
 *   its status. Commit it, or call kt_timer_context_discard_metal().
 * - Command buffers may finish in any order.
 * - kt_timer_wait() waits for what was filled, so call it after the commit.
 *
 * Descriptor:
 *
 * - sampleBufferAttachments[0] is kerntime's. If it has a sample buffer of the program's own, that
 *   stays, and the pass is refused.
 * - Call it anew for each pass, right before its encoder is made: what it fills is for one pass of
 *   this command buffer.
 * - A descriptor used for a second pass without a new call leaves its timestamps in the same place.
 *   Then the span is that of the later pass, or is counted as `negative` or `error`.
 * - A descriptor that is kept retains the sample buffer of its last pass, one of those 32, until it
 *   is filled anew or its `sampleBuffer` is nil.
 * - After a refusal, and while the registry is disabled (KT_OK), the descriptor is as without a
 *   timer. What an earlier call filled is removed, so that the pass does not count for the timer
 *   before.
 * - With a NULL timer, a timer of another API, or a closed timer context the descriptor stays as it
 *   is. One that is kept then needs `sampleBufferAttachments[0].sampleBuffer = nil`.
 *
 * Counted instead of a duration, for which the time of the whole command buffer is no substitute:
 *
 * - `zero`: the driver leaves out a pass with nothing encoded, and writes no timestamps. So it does
 *   now and then on macOS 26.
 * - `error`: the value that Metal writes if sampling failed, or a command buffer that failed.
 * - `negative`: an end before its start.
 * - `below_min_span`: the end is the start, since the clock did not advance.
 *
 * @param timer the timer
 * @param command_buffer `id<MTLCommandBuffer>`, not committed
 * @param pass_descriptor descriptor of a compute, blit or render pass
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `timer` is NULL
 * - KT_UNSUPPORTED: this GPU samples between commands, as AMD's and Intel's do; use
 *   kt_timer_start_metal()
 * - KT_UNSUPPORTED: samples, all or those of blits, are untrusted; use
 *   kt_timer_add_metal_commands()
 * - KT_UNSUPPORTED: before macOS 11, which has compute and blit descriptors, and the attachments of
 *   render ones
 * - KT_INVALID: a timer of another API, a closed timer context, something missing, no pass
 *   descriptor, a sample buffer of the program's own, or a command buffer that was committed
 * - KT_LIMIT: as many spans or samples are pending as may be; collect more often; counted as
 *   refused
 * - KT_NO_MEMORY: the host or the device is out of memory
 * - KT_DRIVER_ERROR: a driver call failed
 */
KT_API kt_status kt_timer_pass_metal(kt_timer *timer, void *command_buffer, void *pass_descriptor);

/**
 * Starts a span around what is encoded into one encoder (compute, blit or render).
 *
 * - Where: GPUs that sample between commands, as AMD's and Intel's do.
 * - Each sample stands behind a barrier. So the span lasts from the end of all work encoded before
 *   its start to the end of all work encoded before its stop.
 * - Stop it before endEncoding.
 * - Command buffer, collection, discarding and what is no duration are as of kt_timer_pass_metal().
 * - While the registry is disabled it does nothing, and neither does its stop.
 * - A start that fails makes no span, and its stop does nothing, unless the timer was started
 *   already or is of another API, or something is missing.
 *
 * @param timer the timer
 * @param command_buffer `id<MTLCommandBuffer>` of the encoder, not committed
 * @param encoder the encoder
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `timer` is NULL
 * - KT_UNSUPPORTED: this GPU samples at the ends of passes only, as Apple's do; use
 *   kt_timer_pass_metal()
 * - KT_UNSUPPORTED: another reason of kt_timer_pass_metal()
 * - KT_INVALID: it was started already, no encoder of compute, blit or render, or a reason of
 *   kt_timer_pass_metal()
 * - KT_LIMIT, KT_NO_MEMORY, KT_DRIVER_ERROR: as of kt_timer_pass_metal()
 */
KT_API kt_status kt_timer_start_metal(kt_timer *timer, void *command_buffer, void *encoder);

/**
 * Stops the span of kt_timer_start_metal(), before endEncoding.
 *
 * @param timer the timer
 * @param encoder the encoder of the start
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `timer` is NULL
 * - KT_INVALID: it was not started, another encoder than that of the start, a timer of another API,
 *   or a closed timer context
 * - KT_INVALID: the command buffer was committed; the span is counted as `error`
 * - KT_DRIVER_ERROR: a driver call failed
 */
KT_API kt_status kt_timer_stop_metal(kt_timer *timer, void *encoder);

/**
 * Makes a whole command buffer a span of the timer, from its GPUStartTime to its GPUEndTime.
 *
 * - Where: everywhere from macOS 10.15 on.
 * - When: any time before the program releases the command buffer, committed or not.
 * - Each call is a span of its own, so a second one for the same command buffer counts its time
 *   twice.
 * - The command buffer is retained until its span is collected. Discard it with
 *   kt_timer_context_discard_metal() if it will not be committed.
 * - Method: KT_METHOD_COMMAND_BUFFER. The durations include what the GPU did for others between its
 *   first and its last command.
 *
 * @param timer the timer
 * @param command_buffer `id<MTLCommandBuffer>`
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `timer` is NULL
 * - KT_UNSUPPORTED: its command buffers have no times (clock 1 of kt_timer_context_get_clock() is
 *   NULL)
 * - KT_INVALID: no command buffer, one of another device, a timer of another API, or a closed timer
 *   context
 * - KT_LIMIT: as many spans are pending as may be; collect more often; counted as refused
 * - KT_NO_MEMORY: the host or the device is out of memory
 */
KT_API kt_status kt_timer_add_metal_commands(kt_timer *timer, void *command_buffer);

/**
 * Announces that a command buffer will not be committed: its spans are freed and do not count.
 *
 * - Stop first what was started in it.
 * - A command buffer that is neither committed nor discarded is retained, and its spans stay
 *   pending, until the timer context is closed. Then they count as lost.
 * - So retained, it keeps its place among the command buffers that its queue may have, 64 unless
 *   the program says otherwise. When all are taken, [queue commandBuffer] waits for ever.
 * - It waits for a kt_collect() of another thread.
 *
 * @param context the timer context
 * @param command_buffer `id<MTLCommandBuffer>`
 * @return KT_OK, also if it has no spans, or
 * - KT_UNAVAILABLE: `context` is NULL
 * - KT_INVALID: no command buffer, a timer context of another API, or a closed one
 */
KT_API kt_status kt_timer_context_discard_metal(kt_timer_context *context, void *command_buffer);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_METAL_
#include <kerntime/compiled_out.h>
#endif

#endif
