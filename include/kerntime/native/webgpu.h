/* native/webgpu.h - timers around passes of the program's own WebGPU device. Any webgpu.h, or none,
 * may stand beside it. */
#ifndef KERNTIME_NATIVE_WEBGPU_H
#define KERNTIME_NATIVE_WEBGPU_H

#include <kerntime/timer.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What WebGPU's handles point to, and the structure that a pass takes its stamps by. */
struct WGPUInstanceImpl;
struct WGPUDeviceImpl;
struct WGPUCommandEncoderImpl;
struct WGPUPassTimestampWrites;

/** What frames_max and passes_max mean where they are 0. */
#define KT_WEBGPU_FRAMES_DEFAULT 8
#define KT_WEBGPU_PASSES_DEFAULT 64

/** What is imported. Zero everything for the defaults but `size` and the two handles. */
typedef struct kt_webgpu_import {
    size_t size; /**< sizeof(kt_webgpu_import) */
    struct WGPUInstanceImpl *instance;
    struct WGPUDeviceImpl *device; /**< made with the feature "timestamp-query" */
    /** Encoders with passes that are timed, held at once: from their first such pass until their
     * stamps were taken in; 1,024 at most, 0: 8 */
    uint32_t frames_max;
    uint32_t passes_max; /**< that are timed, in one encoder; 2,048 at most, 0: 64 */
    /** wgpuGetProcAddress of the library that the program uses; NULL: functions are those of the
     * system's library (KERNTIME_LIB_WEBGPU names another) */
    void (*get_proc_address)(void);
} kt_webgpu_import;

/**
 * Tells kerntime of a device. Each encoder with timed passes needs a query set and two small
 * buffers, which are made when there is none to be used again. Nothing is submitted, the program's
 * callbacks are left alone, and so are its error scopes.
 *
 * Stamps are ns. Dawn cuts them down to multiples of 65,536 ns, unless the device was made with its
 * toggle "timestamp_quantization" disabled. That is seen from the stamps: spans below four such
 * steps then count as `below_floor`, and longer ones are good to one step. A row then lacks its
 * short spans, and mean, minimum and percentiles of what is left are too high: of work that takes
 * about as long as four steps, disable the toggle or believe none of them.
 *
 * Threads. WebGPU's calls on one device are for one thread at a time, where its library does not
 * say otherwise (Dawn: the feature "implicit-device-synchronization"). So are those of a native and
 * its timers, kt_collect(), kt_timer_wait() and kt_native_wait() among them: each makes calls on
 * the device. Of a device for many threads the rules are those of timer.h, with encoders in place
 * of queues.
 *
 * KT_UNAVAILABLE: no library, or wgpu-native, which cannot be asked whether something is done
 * without waiting for it. KT_INVALID: a handle is missing, or more frames or passes than may be.
 * KT_UNSUPPORTED: the device was made without "timestamp-query". KT_NO_MEMORY.
 */
KT_API kt_status kt_native_import_webgpu(const kt_webgpu_import *desc, kt_native **out);

/**
 * Fills `writes` for the next pass of an encoder, whose time will be a span of the timer, and
 * returns it, for the descriptor of that pass, compute or render:
 *
 *     WGPUPassTimestampWrites writes;
 *     pass.timestampWrites = kt_timer_pass_webgpu(blur, encoder, &writes);
 *
 * Call it anew for each pass: what it filled is for one pass of this encoder, begun before the next
 * one is filled. Of mistakes with that the stamps show some, which are then counted in place of a
 * duration: as `zero` if no pass was begun with it, as `overwritten` if a later pass was, and one
 * filled in between was begun before that. They do not show all. Where passes were begun with it
 * one right after another, the span is the last one's alone; those of other encoders are not timed
 * at all. So a pass that is not timed needs `pass.timestampWrites = NULL` where its descriptor was
 * used before, or its time goes to the timer of the earlier pass.
 *
 * NULL where the pass is not timed: the timer is NULL, the registry is disabled, or there is an
 * error, of which kt_error_text() tells: as many frames, passes or spans are held as may be, which
 * is counted as refused; the encoder was resolved already; the timer is not of WebGPU, or its
 * native was closed; no memory is left.
 */
KT_API const struct WGPUPassTimestampWrites *kt_timer_pass_webgpu(
    kt_timer *timer, struct WGPUCommandEncoderImpl *encoder,
    struct WGPUPassTimestampWrites *writes);

/**
 * Say it once for each encoder, after its last pass and right before wgpuCommandEncoderFinish():
 * has the stamps of its timed passes brought into a buffer. KT_OK, too, if there are none.
 * KT_INVALID: resolved already. KT_DRIVER_ERROR: the encoder is finished; KT_NO_MEMORY; after these
 * two its spans have no durations.
 */
KT_API kt_status kt_native_resolve_webgpu(kt_native *native,
                                          struct WGPUCommandEncoderImpl *encoder);

/**
 * Say it right after wgpuQueueSubmit(): the commands of this encoder, or with NULL of all that were
 * resolved, are on their way, and kt_collect() asks for their stamps from now on. The encoder may
 * have been released: it is known by its address, which stays in use as long as kerntime holds it.
 * Said before the submission, it makes the submission fail (Dawn: `[Buffer "kerntime"] used in
 * submit while pending map`). KT_OK, too, if it has no timed passes. KT_INVALID: it was not
 * resolved, or this was said before.
 */
KT_API kt_status kt_native_submitted_webgpu(kt_native *native,
                                            struct WGPUCommandEncoderImpl *encoder);

/**
 * The commands of this encoder will not be submitted: its spans are given back, and never were.
 * Encoders of which neither this nor kt_native_submitted_webgpu() is said are held until the native
 * is closed; then their spans count as lost.
 */
KT_API kt_status kt_native_discard_webgpu(kt_native *native,
                                          struct WGPUCommandEncoderImpl *encoder);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_WEBGPU_
#include <kerntime/compiled_out.h>
#endif

#endif
