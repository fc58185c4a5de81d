/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Timers around work that the program submits to its own queues.
 *
 * Nobody waits for a result: a span goes into the registry (registry.h) once it is collected.
 *
 * A span is one start and stop of a timer. It is pending from its start, in flight from its stop or
 * submission, and collected when kt_collect() has read its timestamps.
 */
#ifndef KERNTIME_TIMER_H
#define KERNTIME_TIMER_H

#include <kerntime/api.h>
#include <kerntime/clock.h>
#include <kerntime/registry.h>
#include <kerntime/result.h>
#include <kerntime/status.h>
#include <kerntime/units.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A timer context: a device of the program, imported by kt_timer_context_import_X() of timer/X.h.
 *
 * It owns timers and recordings. What was imported must stay valid until kt_timer_context_close().
 *
 * NULL handles:
 *
 * - If a driver is missing, the import returns KT_UNAVAILABLE, and the handle stays NULL. So do the
 *   timers created on it.
 * - Every call on a NULL handle does nothing, returns KT_UNAVAILABLE and keeps the error text. So a
 *   program need not check whether it is timed.
 *
 * Threads:
 *
 * - Import, close, create and destroy timers and recordings: one thread at a time per timer
 *   context.
 * - Start and stop: different timers and recordings on different threads at once; one thread per
 *   object.
 * - kt_timer_elapsed(), kt_timer_wait() and kt_collect(): any thread, until the object is destroyed
 *   or closed.
 */
typedef struct kt_timer_context kt_timer_context;

/** Spans of a timer context that may be pending at once, if spans_max is 0. */
#define KT_SPANS_DEFAULT 1048576

/**
 * Collects finished spans, counts unfinished ones as lost, and closes the timer context.
 *
 * - No work with timestamps may still run.
 * - Timers and recordings that are left return KT_INVALID from then on, and are still to be
 *   destroyed.
 *
 * @param context address of the handle; set to NULL; may hold NULL
 */
KT_API void kt_timer_context_close(kt_timer_context **context);

/**
 * Info of a clock of the timer context's timestamps.
 *
 * kt_timer_context_calibrate() writes the info of a clock that it follows: read it only while no
 * such call runs.
 *
 * @param context owner of the clock, or NULL
 * @param index number of the clock, below KT_CLOCKS_MAX
 * @return the info, which lives as long as the timer context. NULL: no clock of that index,
 * although a later index may have one, or `context` is NULL
 */
KT_API const kt_clock_info *kt_timer_context_get_clock(const kt_timer_context *context,
                                                       uint32_t index);

/**
 * Reads the device's and the host's clock, if it is time, to follow clocks with an unreported
 * period.
 *
 * Only clocks whose length of a tick no driver reports are followed (timer/metal.h). For other
 * clocks it returns KT_OK at once.
 *
 * - Effect: the import has measured the period. The longer this call is repeated, the smaller is
 *   the uncertainty, and the sooner a change is seen, as when a GPU warms up.
 * - Without it: the period of the import stays. It is right to 0.01 % as a rule, if the GPU was
 *   idle then, and to some 0.05 % if readings waited for the GPU.
 * - Change of the period: one of more than 0.1 % is accepted when more readings agree with it than
 *   with the old one. Until then the difference is the uncertainty.
 * - When: every frame; it limits itself to once in 10 ms and, by the average cost of all readings,
 *   to 1 % of the time. A useless reading is repeated up to three times.
 * - Cost: a few us. Some drivers answer only when the GPU has finished its work (AMD and Intel on
 *   macOS): call it where a frame may wait for that, or from a thread of its own.
 * - On Intel's GPUs with macOS 15 on, other programs have stopped reading the clock
 *   (docs/traps/metal.md).
 * - After a failure the clock keeps its earlier state.
 * - Threads: any, beside all calls on the same timer context but its close. While one thread is in
 *   this call, others return at once.
 *
 * @param context the timer context
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `context` is NULL
 * - KT_INVALID: the timer context was closed
 * - KT_UNSUPPORTED: the driver returned no reading
 * - KT_DRIVER_ERROR: a driver call failed
 * - KT_DEVICE_LOST: the device stopped working
 * - KT_NO_MEMORY: the host or the device is out of memory
 */
KT_API kt_status kt_timer_context_calibrate(kt_timer_context *context);

/**
 * State of a clock that kt_timer_context_calibrate() follows.
 *
 * - Durations have the same relative error as the period.
 * - Threads: any, beside all calls on the same timer context but its close.
 *
 * @param context the timer context
 * @param index number of the clock, below KT_CLOCKS_MAX
 * @param[out] out its state; owned by the caller
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `context` is NULL
 * - KT_INVALID: no clock of that index, or the timer context was closed
 * - KT_UNSUPPORTED: the clock is not followed, since its driver reports the period
 */
KT_API kt_status kt_timer_context_get_clock_state(const kt_timer_context *context, uint32_t index,
                                                  kt_clock_state *out);

/**
 * Collects all finished spans: their durations go into the registry and to their timers.
 *
 * - It asks the driver and never waits for it.
 * - When: once a frame, or from a thread of its own.
 * - Threads: any. While one thread is in this call, others return at once.
 *
 * @param context the timer context
 * @return KT_OK, or the last failure, after all other spans were asked for:
 * - KT_UNAVAILABLE: `context` is NULL
 * - KT_INVALID: a command of kt_timer_event_opencl() went to another context or device, or to a
 *   queue without profiling
 * - KT_DEVICE_LOST: the device stopped working
 * - KT_DRIVER_ERROR: a driver call failed
 * - KT_NO_MEMORY: the driver is out of memory
 */
KT_API kt_status kt_collect(kt_timer_context *context);

/** Numbers of spans of a timer context since its import. */
typedef struct kt_timer_context_counts {
    /** Pending spans, which spans_max limits: started and not collected. Spans of a recording count
     * from their start until it is reset. */
    uint64_t pending;
    /** Spans in flight: stopped, or of a recording or pass submitted (on Metal: encoded), and not
     * collected. */
    uint64_t in_flight;
    uint64_t recorded; /**< spans with a duration */
    /** Spans that never started: spans_max was reached, or an event for one command was used again
     * (timer/level_zero.h). */
    uint64_t refused;
    uint64_t discarded[KT_TIMESTAMP_STATE_COUNT]; /**< spans without a duration, by state */
} kt_timer_context_counts;

/**
 * Numbers of spans of a timer context.
 *
 * Threads: any.
 *
 * @param context the timer context; NULL: all numbers are 0
 * @param[out] out the numbers; owned by the caller
 */
KT_API void kt_timer_context_get_counts(const kt_timer_context *context,
                                        kt_timer_context_counts *out);

/** A timer: a name on a timer context. Each start and stop is a span of its own. */
typedef struct kt_timer kt_timer;

/**
 * Creates a timer.
 *
 * @param context owner of the timer
 * @param name name of its row in the registry, copied
 * @param[out] out the timer; destroy it with kt_timer_destroy(). NULL after KT_UNAVAILABLE
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `context` is NULL
 * - KT_INVALID: no name, or the timer context was closed
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_timer_create(kt_timer_context *context, const char *name, kt_timer **out);

/**
 * Destroys a timer. Its spans in flight still go into the registry.
 *
 * @param timer address of the handle; set to NULL; may hold NULL
 */
KT_API void kt_timer_destroy(kt_timer **timer);

/**
 * Starts a span around what is submitted to a queue until kt_timer_stop().
 *
 * - While the registry is disabled it does nothing, and neither does its stop.
 * - WebGPU has no start and stop, but passes (timer/webgpu.h). Metal has its own (timer/metal.h).
 * - Threads: one per timer.
 *
 * @param timer the timer
 * @param stream an imported queue (timer/cuda.h, timer/hip.h, timer/level_zero.h, timer/opencl.h).
 * CPU: NULL. CUDA and HIP: NULL is the default stream, which has to be imported like any other
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `timer` is NULL
 * - KT_INVALID: it was started already, the queue was not imported, or the timer context was closed
 * - KT_UNSUPPORTED: work of this API is recorded (kt_recording) or timed by passes, or the queue
 *   takes no timestamps
 * - KT_LIMIT: as many spans are pending as may be; collect more often. No span; the stop does
 *   nothing
 * - KT_NO_MEMORY: the host or the device is out of memory. No span; the stop does nothing
 * - KT_DRIVER_ERROR: a driver call failed. No span; the stop does nothing
 * - KT_DEVICE_LOST: the device stopped working. No span; the stop does nothing
 */
KT_API kt_status kt_timer_start(kt_timer *timer, void *stream);

/**
 * Stops the span of kt_timer_start().
 *
 * Threads: one per timer.
 *
 * @param timer the timer
 * @param stream the queue of the start; NULL as of kt_timer_start()
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `timer` is NULL
 * - KT_INVALID: it was not started, the queue is not that of the start, or the timer context was
 *   closed
 * - KT_UNSUPPORTED: as of kt_timer_start()
 * - KT_NO_MEMORY: the host or the device is out of memory
 * - KT_DRIVER_ERROR: a driver call failed
 * - KT_DEVICE_LOST: the device stopped working
 */
KT_API kt_status kt_timer_stop(kt_timer *timer, void *stream);

/**
 * Duration of the newest collected span; never waits and asks no driver.
 *
 * Threads: any.
 *
 * @param timer the timer
 * @param[out] elapsed_ns duration in ns; of a running CPU timer the time since its start
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `timer` is NULL
 * - KT_NOT_READY: it runs, or none of its spans is collected; a CPU timer: the host's clock changed
 *   since its start
 * - KT_DRIVER_ERROR: the newest span has no duration; the error text has the reason
 * - KT_INVALID: the timer context was closed
 */
KT_API kt_status kt_timer_elapsed(const kt_timer *timer, double *elapsed_ns);

/**
 * Waits until all spans in flight of a timer are collected.
 *
 * - It asks now and then, and sleeps in between. The driver itself never waits.
 * - Threads: any.
 *
 * @param timer the timer
 * @param timeout_ns time limit in ns; 0: 30 s
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `timer` is NULL
 * - KT_TIMEOUT: not all were collected within the time limit
 * - KT_INVALID: `timeout_ns` is below 0, or the timer context was closed
 * - KT_INVALID: as of kt_collect(); returned at once
 * - KT_DEVICE_LOST: the device stopped working; returned at once
 * - KT_DRIVER_ERROR: a driver call failed; returned at once
 * - KT_NO_MEMORY: the driver is out of memory; returned at once
 */
KT_API kt_status kt_timer_wait(kt_timer *timer, int64_t timeout_ns);

/**
 * Waits until the spans in flight of all timers of a timer context are collected.
 *
 * Threads: any.
 *
 * @param context the timer context
 * @param timeout_ns time limit in ns; 0: 30 s
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `context` is NULL
 * - another status of kt_timer_wait()
 */
KT_API kt_status kt_timer_context_wait(kt_timer_context *context, int64_t timeout_ns);

/**
 * A recording: spans within commands that the program records, and submits once or often.
 *
 * - kt_recording_begin_X() of timer/X.h begins it, in commands that the program has just begun to
 *   record.
 * - The same commands must not be in flight twice: both runs would write to the same queries.
 */
typedef struct kt_recording kt_recording;

/** Spans of a recording if kt_recording_options.spans_max is 0. */
#define KT_RECORDING_SPANS_DEFAULT 64

/** Options of a recording. Zero everything but `size` for the defaults. */
typedef struct kt_recording_options {
    size_t size;        /**< sizeof(kt_recording_options) */
    uint32_t spans_max; /**< largest number of spans in the recording; 0: 64 */
} kt_recording_options;

/**
 * Creates an empty recording.
 *
 * @param context owner of the recording
 * @param options NULL: the defaults
 * @param[out] out the recording; destroy it with kt_recording_destroy(). NULL after KT_UNAVAILABLE
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `context` is NULL
 * - KT_UNSUPPORTED: this API has nothing to record
 * - KT_INVALID: the timer context was closed
 * - KT_LIMIT: spans_max is too large
 * - KT_NO_MEMORY: the host or the device is out of memory
 * - KT_DRIVER_ERROR: a driver call failed
 * - KT_DEVICE_LOST: the device stopped working
 */
KT_API kt_status kt_recording_create(kt_timer_context *context, const kt_recording_options *options,
                                     kt_recording **out);

/**
 * Destroys a recording. Uncollected spans count as lost.
 *
 * Its commands must not be in flight.
 *
 * @param recording address of the handle; set to NULL; may hold NULL
 */
KT_API void kt_recording_destroy(kt_recording **recording);

/**
 * Starts a span of a timer around what is recorded until kt_recording_stop().
 *
 * - A timer may have any number of spans in a recording, one after another.
 * - While the registry is disabled it does nothing, and neither does its stop.
 * - Threads: one per recording.
 *
 * @param recording a recording that was begun
 * @param timer a timer of the same timer context
 * @return KT_OK, or
 * - KT_UNAVAILABLE: a handle is NULL
 * - KT_INVALID: the recording was not begun, the timer was started already or is of another timer
 *   context, or the timer context was closed
 * - KT_LIMIT: more spans than the recording or the timer context may have
 * - KT_NO_MEMORY, KT_DRIVER_ERROR, KT_DEVICE_LOST: the timestamp could not be recorded. Each run of
 *   the span counts as an error; stop it all the same
 */
KT_API kt_status kt_recording_start(kt_recording *recording, kt_timer *timer);

/**
 * Stops the span of kt_recording_start().
 *
 * Threads: one per recording.
 *
 * @param recording the recording of the start
 * @param timer the timer of the start
 * @return KT_OK, or
 * - KT_UNAVAILABLE: a handle is NULL
 * - KT_INVALID: the recording was not begun, the timer was not started in it or is of another timer
 *   context, or the timer context was closed
 * - KT_NO_MEMORY, KT_DRIVER_ERROR, KT_DEVICE_LOST: the timestamp could not be recorded. Each run of
 *   the span counts as an error
 */
KT_API kt_status kt_recording_stop(kt_recording *recording, kt_timer *timer);

/**
 * Announces a run of the recorded commands. Call it right before each submission.
 *
 * - It collects the run before, if that was not done yet.
 * - After "overwritten" the program may submit all the same. Then let both runs finish before the
 *   next one, which is not checked.
 * - Threads: one per recording.
 *
 * @param recording the recording
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `recording` is NULL
 * - KT_INVALID: nothing was recorded, a span was not stopped, or the timer context was closed
 * - KT_INVALID: the run before has not finished, so its timestamps will be lost. Its spans count as
 *   overwritten, and this run is not timed
 * - KT_DEVICE_LOST, KT_DRIVER_ERROR, KT_NO_MEMORY: the run before could not be collected, and this
 *   run is not timed
 */
KT_API kt_status kt_recording_submit(kt_recording *recording);

/**
 * Forgets what was recorded, and frees its spans.
 *
 * - When: before the commands are recorded anew, or if they will not be submitted at all.
 * - Spans of an uncollected run are collected if they are finished, else they count as lost. That
 *   holds also if the submission failed and there is no run.
 * - Threads: one per recording.
 *
 * @param recording the recording
 * @return KT_OK, or
 * - KT_UNAVAILABLE: `recording` is NULL
 * - KT_INVALID: the timer context was closed
 * - KT_DEVICE_LOST, KT_DRIVER_ERROR, KT_NO_MEMORY: as of kt_collect(); it is reset all the same
 */
KT_API kt_status kt_recording_reset(kt_recording *recording);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_TIMER_
#include <kerntime/compiled_out.h>
#endif

#endif
