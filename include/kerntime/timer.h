/* timer.h - timers around work that the program itself hands to its own queues. Results come later,
 * into the registry, without anybody waiting for them. */
#ifndef KERNTIME_TIMER_H
#define KERNTIME_TIMER_H

#include <kerntime/api.h>
#include <kerntime/clock.h>
#include <kerntime/registry.h>
#include <kerntime/result.h>
#include <kerntime/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A device of the program's own that kerntime was told of: kt_native_import_X() of native/X.h makes
 * one. It has timers and recordings. What was imported must stay valid until kt_native_close().
 *
 * NULL. Where a driver is not here, importing answers KT_UNAVAILABLE and the handle stays NULL; so
 * do the timers made on it. Every call on a NULL handle answers KT_UNAVAILABLE, leaves the error
 * text as it is, and does nothing: a program need not ask whether it is timed.
 *
 * Threads. Importing, closing, and making and destroying of timers and recordings: one thread at a
 * time per native. Starting and stopping: different timers and recordings on different threads at
 * once, one thread per object. kt_timer_elapsed(), kt_timer_wait() and kt_collect(): any thread, at
 * any time before what they are given is destroyed or closed.
 */
typedef struct kt_native kt_native;

/** What spans_max means where it is 0. */
#define KT_SPANS_DEFAULT 1048576

/**
 * Takes in what has ended, and forgets the rest, which is counted as lost. Nothing that was stamped
 * may still run. Timers and recordings that are left answer KT_INVALID from then on, and are
 * destroyed as ever.
 */
KT_API void kt_native_close(kt_native **native);

/** A clock of its stamps, by an index below KT_CLOCKS_MAX; lives until it is closed. NULL: there is
 * none of that index, though there may be of a later one, or native is NULL. One that
 * kt_native_calibrate() follows is written by it: read it when no such call is under way. */
KT_API const kt_clock_info *kt_native_get_clock(const kt_native *native, uint32_t index);

/**
 * Reads the device's clock and the host's, if it is time, of each clock whose length of a tick no
 * driver tells (native/metal.h): importing has found it, and the longer this is done, the better it
 * is known, and the more surely a change of it, as GPUs warm up, is seen. What tells nothing is
 * read anew, up to three times. Made to be called every frame: it limits itself to once in 10 ms
 * and, by what all readings cost on average, to 1 % of the time. Some drivers answer only when the
 * GPU has ended what it does (AMD's and Intel's on macOS), so that is not always a few us: call it
 * where a frame may wait for that, or from a thread of its own. On Intel's GPUs with macOS 15
 * others have stopped asking (docs/traps/). Without it all goes on with what was known at the
 * import, good to 0.01 % as a rule where the GPU had nothing else to do then, and to some 0.05 %
 * where readings waited for it. A length that differs by more than 0.1 % is taken once more
 * readings agree with it than with the one before; until then what they differ by is its
 * uncertainty. Of other clocks, and of what is known beforehand: KT_OK at once.
 *
 * Any thread, beside all calls on the same native but its close; while one thread is at it, others
 * return at once. KT_INVALID: a native that was closed. KT_DRIVER_ERROR, KT_DEVICE_LOST,
 * KT_NO_MEMORY, KT_UNSUPPORTED (a reading of nothing): then what was known stays.
 */
KT_API kt_status kt_native_calibrate(kt_native *native);

/** What is known of a clock that kt_native_calibrate() follows, and how surely: durations are as
 * much longer or shorter than true as its period is. Any thread, beside all calls on the same
 * native but its close. KT_UNSUPPORTED: it is not followed, as its driver tells its period;
 * KT_INVALID: there is none of that index, a native that was closed. */
KT_API kt_status kt_native_get_clock_state(const kt_native *native, uint32_t index,
                                           kt_clock_state *out);

/**
 * Takes in all spans that have ended: their durations go into the registry and to their timers.
 * Asks the driver and never waits for it. Call it once a frame, or from a thread of its own; while
 * one thread is at it, others return at once. KT_DEVICE_LOST, KT_DRIVER_ERROR, KT_NO_MEMORY (the
 * driver's): what failed last; all others were asked all the same.
 */
KT_API kt_status kt_collect(kt_native *native);

/** Spans of a native so far. */
typedef struct kt_native_counts {
    /** What spans_max limits: started and not taken in yet; of a recording, all from their start
     * until it is reset. */
    uint64_t held;
    /** stopped, or of a recording or pass submitted (of Metal: encoded), and not taken in yet */
    uint64_t in_flight;
    uint64_t recorded; /**< ended with a duration */
    /** never started: the native held as many as may be, or an event for one command
     * (native/level_zero.h) was used anew */
    uint64_t refused;
    uint64_t discarded[KT_STAMP_STATE_COUNT]; /**< ended without a duration, by why */
} kt_native_counts;

/** All 0 of NULL. Any thread. */
KT_API void kt_native_get_counts(const kt_native *native, kt_native_counts *out);

/** A name on a native. Each start and stop is a span of its own. */
typedef struct kt_timer kt_timer;

/** KT_UNAVAILABLE: native is NULL, and *out becomes NULL. KT_INVALID: no name. KT_NO_MEMORY. */
KT_API kt_status kt_timer_create(kt_native *native, const char *name, kt_timer **out);
/** Spans that have not ended yet still go into the registry. */
KT_API void kt_timer_destroy(kt_timer **timer);

/**
 * Begins and ends a span around what is handed to a queue in between: `stream` is a queue that the
 * native knows (native/cuda.h, native/hip.h, native/level_zero.h, native/opencl.h), NULL for the
 * CPU; of CUDA and HIP NULL is the default stream, which has to be imported like any other. While
 * the registry is disabled a start does nothing, and neither does its stop. Passes of WebGPU have
 * no start and stop (native/webgpu.h), work of Metal has its own (native/metal.h). KT_INVALID:
 * started already, not started, another queue than that of the start, a queue that was not
 * imported, a native that was closed. KT_UNSUPPORTED: work of this API is recorded (kt_recording)
 * or timed by passes, or the queue cannot be stamped. KT_LIMIT: as many spans are held as may be,
 * so collect more often. KT_NO_MEMORY, KT_DRIVER_ERROR, KT_DEVICE_LOST. After the last four of
 * these there is no span, and the stop after that start does nothing.
 */
KT_API kt_status kt_timer_start(kt_timer *timer, void *stream);
KT_API kt_status kt_timer_stop(kt_timer *timer, void *stream);

/**
 * The duration of the newest span that was taken in; never waits and asks no driver. Of a CPU timer
 * that runs: the time since its start. KT_NOT_READY: it runs, or none of its spans was taken in
 * yet. KT_DRIVER_ERROR: the newest span has no duration, the text says why. KT_INVALID: a native
 * that was closed.
 */
KT_API kt_status kt_timer_elapsed(const kt_timer *timer, double *elapsed_ns);

/**
 * Returns when all spans of the timer that were stopped (of recordings and passes: submitted) have
 * been taken in: KT_OK; KT_TIMEOUT after timeout_ns (0: 30 s). Asks now and then, and sleeps in
 * between; the driver is never told to wait. KT_DEVICE_LOST, KT_DRIVER_ERROR, KT_NO_MEMORY as
 * kt_collect(), then it returns at once. KT_INVALID: timeout_ns is below 0, a native that was
 * closed.
 */
KT_API kt_status kt_timer_wait(kt_timer *timer, int64_t timeout_ns);

/** The same for the spans of all its timers. */
KT_API kt_status kt_native_wait(kt_native *native, int64_t timeout_ns);

/**
 * Spans within commands that are recorded by the program, and submitted once or often. The same
 * commands may not be in flight twice: stamps of two runs would fall on the same queries.
 */
typedef struct kt_recording kt_recording;

/** What spans_max of a recording means where it is 0. */
#define KT_RECORDING_SPANS_DEFAULT 64

/** Options of a recording. Zero everything but `size` for the defaults. */
typedef struct kt_recording_options {
    size_t size;        /**< sizeof(kt_recording_options) */
    uint32_t spans_max; /**< in one recording; 0: 64 */
} kt_recording_options;

/** KT_UNAVAILABLE: native is NULL, and *out becomes NULL. KT_UNSUPPORTED: this API has nothing to
 * record. KT_INVALID, KT_LIMIT, KT_NO_MEMORY, KT_DRIVER_ERROR, KT_DEVICE_LOST. */
KT_API kt_status kt_recording_create(kt_native *native, const kt_recording_options *options,
                                     kt_recording **out);
/** Its commands must not be in flight. Spans that were not taken in yet count as lost. */
KT_API void kt_recording_destroy(kt_recording **recording);

/* kt_recording_begin_X() of native/X.h begins a recording, in commands that the program has just
 * begun to record. */

/**
 * Begins and ends a span of a timer between what is recorded before and after. A timer may have any
 * number of spans in a recording, one after another. KT_INVALID: recording was not begun, started
 * already, not started, a timer of another native, a native that was closed. KT_LIMIT: more spans
 * than the recording or the native may have. KT_NO_MEMORY, KT_DRIVER_ERROR, KT_DEVICE_LOST: the
 * stamp could not be put in, so each run of the span counts as an error; stop it all the same.
 */
KT_API kt_status kt_recording_start(kt_recording *recording, kt_timer *timer);
KT_API kt_status kt_recording_stop(kt_recording *recording, kt_timer *timer);

/**
 * Say it right before each submission of the commands. Takes in the run before, if nobody has yet.
 * KT_INVALID, a refusal: a span was not stopped, or the run before has not ended, so that its
 * stamps will be lost: its spans count as overwritten, and this run is not timed. If it is
 * submitted all the same, let both end before the next one: that they have is not looked at.
 * KT_DEVICE_LOST, KT_DRIVER_ERROR, KT_NO_MEMORY: asking for the run before failed, and this run is
 * not timed either.
 */
KT_API kt_status kt_recording_submit(kt_recording *recording);

/** Forgets what was recorded, before the commands are recorded anew or not submitted at all: gives
 * its spans back. Those of a run that was not taken in yet are taken in if they have ended, else
 * they count as lost: also if submitting failed, so that there is no run at all. What kt_collect()
 * answers, too: then it is reset all the same. */
KT_API kt_status kt_recording_reset(kt_recording *recording);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_TIMER_
#include <kerntime/compiled_out.h>
#endif

#endif
