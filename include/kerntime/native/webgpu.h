/* native/webgpu.h - timers around passes of the program's own WebGPU device. Any webgpu.h, or none, may stand beside it. */
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

/** What the frames of a native mean where they are 0. */
#define KT_WEBGPU_FRAMES_DEFAULT 8
#define KT_WEBGPU_PASSES_DEFAULT 64

/** What is imported. Zero everything for the defaults but `size` and the two handles. */
typedef struct kt_webgpu_import {
    size_t size; /**< sizeof(kt_webgpu_import) */
    struct WGPUInstanceImpl *instance;
    struct WGPUDeviceImpl *device; /**< made with the feature "timestamp-query" */
    uint32_t
        frames_max; /**< encoders with passes that are timed, from their first pass until their stamps were taken in, at once;
                            0: KT_WEBGPU_FRAMES_DEFAULT */
    uint32_t passes_max; /**< that are timed, in one encoder; 0: KT_WEBGPU_PASSES_DEFAULT */
    /** wgpuGetProcAddress of the library that the program uses; NULL: that of the system's (KERNTIME_LIB_WEBGPU names
     * another) */
    void (*get_proc_address)(void);
} kt_webgpu_import;

/**
 * Tells kerntime of a device. Each frame (an encoder with timed passes) gets a query set and two small buffers when it is first
 * needed, which later ones use again. Nothing is submitted. KT_UNAVAILABLE: no library. KT_INVALID: a handle is missing,
 * or too many frames or passes. KT_UNSUPPORTED: the device was made without "timestamp-query". KT_NO_MEMORY,
 * KT_DRIVER_ERROR.
 */
KT_API kt_status kt_native_import_webgpu(const kt_webgpu_import *desc, kt_native **out);

/**
 * Fills `writes` for the next pass of an encoder, whose time will be a span of the timer, and returns it, for the descriptor of that
 * pass, compute or render:
 *
 *     WGPUPassTimestampWrites writes;
 *     pass.timestampWrites = kt_timer_pass_webgpu(blur, encoder, &writes);
 *
 * It is for one pass, and needed until that was begun. NULL where the pass is not timed: timer is NULL, the registry is
 * disabled, or an error of which kt_error_text() tells; as many frames, passes or spans as may be are held, which is
 * counted as refused; the encoder was resolved already. Different timers and encoders on different threads at once.
 */
KT_API const struct WGPUPassTimestampWrites *kt_timer_pass_webgpu(
    kt_timer *timer, struct WGPUCommandEncoderImpl *encoder,
    struct WGPUPassTimestampWrites *writes);

/**
 * Say it once for each encoder, after its last pass and right before wgpuCommandEncoderFinish(): the stamps of its timed passes are brought into
 * a buffer. KT_OK, too, if there are none. KT_INVALID: resolved already.
 */
KT_API kt_status kt_native_resolve_webgpu(kt_native *native,
                                          struct WGPUCommandEncoderImpl *encoder);

/**
 * Say it right after wgpuQueueSubmit(): the commands of this encoder, or with NULL of all that were resolved, are on their way, and
 * kt_collect() asks for their stamps from now on, without waiting. The encoder may have been released: it is known by its address,
 * which stays in use as long as it is awaited here. Commands of which this is not said are never taken in. KT_INVALID: not resolved. KT_DRIVER_ERROR, KT_DEVICE_LOST.
 */
KT_API kt_status kt_native_submitted_webgpu(kt_native *native,
                                            struct WGPUCommandEncoderImpl *encoder);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_WEBGPU_
#include <kerntime/compiled_out.h>
#endif

#endif
