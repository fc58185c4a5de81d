/* native/metal.h - timers around passes, commands and whole command buffers of the program's own
 * Metal device. For C, C++ and Objective-C, with or without Metal's headers beside it. */
#ifndef KERNTIME_NATIVE_METAL_H
#define KERNTIME_NATIVE_METAL_H

#include <kerntime/timer.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Objects of Metal are `void *` here. A program with automatic reference counting writes `(__bridge
 * void *)buffer`: nothing changes hands, as kerntime itself retains what it has to keep. From
 * metal-cpp a pointer is handed over as it is.
 */

/** What is imported. Zero everything for the defaults but `size` and the device. */
typedef struct kt_metal_import {
    size_t size;        /**< sizeof(kt_metal_import) */
    void *device;       /**< id<MTLDevice>; it is retained until kt_native_close() */
    uint32_t spans_max; /**< held at once, encoded, running or in flight; 0: KT_SPANS_DEFAULT. Of
                             those in passes and encoders there is room for 32,768 */
} kt_metal_import;

/**
 * Tells kerntime of a device. Durations are of two clocks (kt_native_get_clock()): 0 is "gpu", that
 * of counter sample buffers, 1 is "command-buffer", the start and end that Metal tells of a whole
 * command buffer. They are different things, so do not put both into one timer.
 *
 * No call of Metal tells how long a tick of "gpu" is: Apple's GPUs count ns, AMD's too, Intel's
 * 83.333 of them. It is found while importing, from readings of both clocks at one moment
 * (sampleTimestamps:gpuTimestamp:), known the better the longer kt_native_calibrate() is called,
 * and the one that is known when a span is taken in is what it is reckoned with. Importing also
 * tries out the samples by a few passes of a queue of kerntime's own, since there are systems whose
 * samples are always 0, or whose ticks do not fit the times of command buffers. There "gpu" is
 * missing, and only kt_timer_add_metal_commands() is left. All of it takes under 0.1 s where the
 * GPU has nothing else to do. Where a reading waits for the GPU (AMD, Intel) and that is busy, each
 * takes as long as what it waits for: then it is up to some 2 s, or as long as some 20 readings
 * take, and the length of a tick is known less surely.
 *
 * Counter sample buffers are kerntime's own: 4,096 samples each, of which macOS lets a process have
 * 32 of a device. Kerntime takes 16 at most, so 32,768 spans in passes and encoders are held at
 * once, and a single command buffer that is neither committed nor discarded keeps a whole one of
 * the 16. A command buffer keeps those that it writes to until it is deallocated, so do not hold on
 * to thousands of them. Samples are brought to the CPU once their command buffer is complete, so
 * there is nothing to encode for that, and nothing to say when it is committed.
 *
 * Threads. Those of timer.h, with command buffers and encoders in place of queues: a call that
 * takes one is made by the thread that encodes into it. Different timers in different command
 * buffers on different threads at once. Every call brings an autorelease pool of its own.
 *
 * KT_UNAVAILABLE: this is no macOS. KT_INVALID: no device. KT_UNSUPPORTED: neither samples nor
 * command buffers have times, as before macOS 10.15. KT_NOT_READY: how long a tick is could not be
 * found. KT_NO_MEMORY, KT_DRIVER_ERROR, KT_TIMEOUT.
 */
KT_API kt_status kt_native_import_metal(const kt_metal_import *desc, kt_native **out);

/**
 * Fills a pass descriptor, compute, blit or render, with what makes the next pass of the command
 * buffer a span of the timer:
 *
 *     MTLComputePassDescriptor *pass = [MTLComputePassDescriptor computePassDescriptor];
 *     kt_timer_pass_metal(blur, (__bridge void *)buffer, (__bridge void *)pass);
 *     id<MTLComputeCommandEncoder> encoder = [buffer computeCommandEncoderWithDescriptor:pass];
 *
 * Its sampleBufferAttachments[0] is kerntime's; a sample buffer of the program's own there is left
 * alone, and the pass refused. The span lasts from the start of the pass to its end, of a render
 * pass from the start of its vertex stage to the end of its fragment stage: on Apple's GPUs those
 * of two passes overlap, so the sum of all passes may be more than the frame took.
 *
 * Call it anew for each pass, right before its encoder is made: what it filled is for one pass of
 * this command buffer. A descriptor that is used for a second pass without leaves its stamps in the
 * same place; then the span is the later pass's, or is counted as `negative`, or as `error`. A
 * descriptor that is kept retains the sample buffer of its last pass, which is one of those 32,
 * until it is filled anew, or its `sampleBuffer` is nil.
 *
 * After any refusal the descriptor is as without a timer: what an earlier call filled in it is
 * taken out again, so that the pass does not run into the time of the timer before. So it is, and
 * KT_OK, while the registry is disabled. With a NULL timer, one of another API, and on a native
 * that was closed, nothing is looked at: a descriptor that is kept then needs
 * `sampleBufferAttachments[0].sampleBuffer = nil`.
 *
 * The span is awaited from this call on: kerntime retains the command buffer, and kt_collect() asks
 * for its status. Commit it, or say kt_native_discard_metal(). Command buffers may end in any
 * order. kt_timer_wait() waits for what was filled, so call it after the commit.
 *
 * A pass in which nothing is encoded is left out by the driver and writes no stamps: counted as
 * `zero`, as are those of macOS 26 that were seen to stay 0 now and then. The value that Metal
 * writes where sampling failed counts as `error`, as does a command buffer that failed; an end
 * before its start as `negative`. None of these is a duration, nor is the time of the whole command
 * buffer put in its place. An end that is the start, since the clock did not move: `below_floor`.
 *
 * KT_UNSUPPORTED: this GPU samples no passes: AMD and Intel do it between commands, so use
 * kt_timer_start_metal(); or samples, all or those of blits, are not to be believed, then use
 * kt_timer_add_metal_commands(); before macOS 11 (compute and blit descriptors, and the attachments
 * of render ones, are of 11). KT_INVALID: a timer of another API, something is missing, no pass
 * descriptor, a foreign sample buffer, a command buffer that was committed. KT_LIMIT: as many spans
 * are held as may be, or as many samples: collect more often; counted as refused. KT_NO_MEMORY,
 * KT_DRIVER_ERROR.
 */
KT_API kt_status kt_timer_pass_metal(kt_timer *timer, void *command_buffer, void *pass_descriptor);

/**
 * Begins and ends a span around what is encoded in between into one encoder, compute, blit or
 * render: where the GPU samples between commands, as AMD's and Intel's do. Each sample stands
 * behind a barrier, so the span lasts from the end of all that was encoded before its start to the
 * end of all before its stop. Stop it before endEncoding. The command buffer, collecting,
 * discarding and what is no duration are as in kt_timer_pass_metal().
 *
 * While the registry is disabled a start does nothing, and neither does its stop. KT_UNSUPPORTED:
 * this GPU samples at the ends of passes only, as Apple's do: use kt_timer_pass_metal(); or see
 * there. KT_INVALID: started already, not started, another encoder than that of the start, no
 * encoder of compute, blit or render, a stop after the commit, whose span is counted as `error`;
 * else as kt_timer_pass_metal(). A start that fails makes no span, and its stop does nothing,
 * unless the timer was started already or is of another API, or something is missing.
 */
KT_API kt_status kt_timer_start_metal(kt_timer *timer, void *command_buffer, void *encoder);
KT_API kt_status kt_timer_stop_metal(kt_timer *timer, void *encoder);

/**
 * The time of a whole command buffer becomes a span of the timer, from its GPUStartTime to its
 * GPUEndTime. Everywhere from macOS 10.15 on; at any time before the command buffer is released by
 * the program, committed or not. Each call is a span of its own, so a second one for the same
 * command buffer counts its time twice. It is retained until its span was taken in; discarding as
 * above. Its durations are of the method KT_METHOD_COMMAND_BUFFER: what the GPU did for others
 * between its first and its last command is in them. KT_UNSUPPORTED: its command buffers tell no
 * times (kt_native_get_clock(native, 1) is NULL). KT_INVALID, KT_LIMIT, KT_NO_MEMORY as above.
 */
KT_API kt_status kt_timer_add_metal_commands(kt_timer *timer, void *command_buffer);

/**
 * This command buffer will not be committed: its spans are given back, and never were. Stop first
 * what was started in it. Those of which neither is said nor done are held, and the command buffers
 * retained, until the native is closed; then they count as lost. So retained, each keeps its place
 * among the command buffers that its queue may have, 64 unless the program says otherwise: when all
 * are taken, [queue commandBuffer] waits for ever. Waits for a kt_collect() of another thread.
 * KT_OK, too, if it has no spans.
 */
KT_API kt_status kt_native_discard_metal(kt_native *native, void *command_buffer);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_METAL_
#include <kerntime/compiled_out.h>
#endif

#endif
