/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Measuring jobs until their times are known.
 */
#ifndef KERNTIME_MEASURE_H
#define KERNTIME_MEASURE_H

#include <kerntime/api.h>
#include <kerntime/job.h>
#include <kerntime/result.h>
#include <kerntime/trace.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Samples if kt_measure_options.samples_min is 0. */
#define KT_SAMPLES_MIN_DEFAULT 10
/** Samples if kt_measure_options.samples_max is 0. */
#define KT_SAMPLES_MAX_DEFAULT 1000
/** Relative error if kt_measure_options.rel_err is 0. */
#define KT_REL_ERR_DEFAULT 0.005
/** Sampling time if kt_measure_options.max_time_ns is 0, in ns. */
#define KT_MAX_TIME_DEFAULT_NS INT64_C(2000000000)
/** Time limit where 0 is given for one, in ns. */
#define KT_TIMEOUT_DEFAULT_NS INT64_C(30000000000)

/** Times that a measurement takes. */
typedef enum kt_timing {
    KT_TIMING_BOTH = 0, /**< submissions with and without timestamps, in turn */
    KT_TIMING_DEVICE,   /**< only submissions with timestamps: device times */
    KT_TIMING_WALL      /**< only submissions without timestamps: wall times */
} kt_timing;

/**
 * Progress of a measurement.
 *
 * The progress callback gets it before the first use, before each round of warm-up and after
 * the last (with 0 samples), and between two samples.
 */
typedef struct kt_progress {
    uint32_t samples;   /**< samples taken so far */
    int64_t elapsed_ns; /**< time spent on sampling this job */
    double fraction;    /**< 0..1, an estimate of how much of the sampling is done */
    int ended;          /**< 1: no further sample is taken; this is the last call */
    double median_ns;   /**< latest estimate, per dispatch: the device time of a job of one step,
                               else the wall time. Renewed when the samples have grown by half.
                               Before the first sample: the wall time of the latest submission of
                               warm-up. NaN: none yet */
    double error;       /**< how far the farther end of the 95 % interval is from the median,
                               over the median; NaN: no interval */
    int is_wall;        /**< 1: the estimate is of the wall time */
} kt_progress;

/** Options of a measurement. Zero everything but `size` for the defaults. */
typedef struct kt_measure_options {
    size_t size;     /**< sizeof(kt_measure_options) */
    uint32_t trials; /**< consecutive dispatches of each step between its timestamps. 0: 1, or on a
                          coarse clock as many as it needs; see kt_measure() */
    uint32_t samples_min; /**< samples to take in any case; 0: 10, or samples_max if less */
    uint32_t samples_max; /**< samples to stop at; 0: 1000, or samples_min if that is more */
    /** Stop when half the 95 % interval of the median, of each step and of the wall time, is within
     * this share of the median; 0: 0.005. */
    double rel_err;
    int64_t max_time_ns; /**< limit of the sampling time; 0: 2 s */
    int64_t timeout_ns;  /**< limit of one submission; 0: 30 s */
    kt_timing timing;    /**< which times to take */
    int keep_raw;        /**< not 0: keep the driver's timestamps in kt_series.raw */
    /** Not 0: flush the device's caches before each submission, untimed. Of several steps only the
     * first finds them empty. KT_UNSUPPORTED where the device cannot flush; KT_INVALID with more
     * than one trial. */
    int cold;
    uint32_t run; /**< number of this run, copied into the result */
    int (*progress)(void *user, const kt_progress *progress); /**< returns 0 to stop; NULL: none */
    void *progress_user;                                      /**< passed to `progress` */
    /** Trace that gets an event for each submission; NULL: none.
     *
     * - Host: from before the submission to its return, and to the end of the wait.
     * - Device: each timestamped step, if its clock has a place on the host's clock.
     * - Cost: one more reading of the host's clock per submission, about 30 ns, and about 1 us
     *   after it. */
    kt_trace *trace;
    /** Not 0: measure the energy of a dispatch after the samples, for some seconds. */
    int energy;
} kt_measure_options;

/**
 * Measures a job: first use, warm-up, then samples.
 *
 * - First use: the job runs once, and the result has its time.
 * - Warm-up: until the times are steady. At least max_time / 100 or 20 ms, whichever is less; at
 *   most max_time / 4 or 5 s, whichever is less.
 * - Sample: drain, host clock, submit, wait, host clock, read timestamps, verify.
 * - The first measurement on a device also measures its timer limits (about 100 ms).
 * - Between two turns, the state of the device is read (kt_device_get_state()), for at most 1 % of
 *   the time. Samples since the last reading are left out as KT_TIMESTAMP_THROTTLED if the device
 *   was throttled. Then it waits for the device to recover, for max_time_ns in all. Throttling that
 *   lasts from the first turn on, or beyond that time, is how the device runs: samples are kept.
 * - Between two host timestamps kerntime allocates nothing, takes no lock and logs nothing.
 * - After KT_TIMEOUT or KT_DEVICE_LOST close the device.
 * - Threads: one per job.
 *
 * Number of trials, if `trials` is 0, the measurement is not `cold`, and an empty step spans fewer
 * than ten steps of the clock:
 *
 * - The shortest step of the job must span at least resolution / rel_err, and at least ten steps of
 *   the clock or ten empty steps.
 * - At the end of warm-up, trials are raised by powers of two until it does. The limits are
 *   trials_max of the job, 4096, and what lets samples_min samples fit into max_time_ns.
 * - kt_series.trials has the number.
 * - So all dispatches of a job with trials_max 0 must be able to follow each other.
 *
 * Unlike other calls, it writes *out on failure, too, with what was measured until then: test the
 * handle, not the status.
 *
 * @param job job to measure
 * @param options NULL: the defaults
 * @param[out] out the result, the caller's; destroy it with kt_result_destroy(). NULL after the
 * statuses marked "no result"
 * @return KT_OK, or
 * - KT_INVALID, no result: an option is out of range
 * - KT_UNSUPPORTED, no result: the device cannot flush its caches
 * - KT_LIMIT, no result: more trials than the job allows
 * - KT_NO_MEMORY, no result: the host or the device is out of memory
 * - KT_DEVICE_LOST, no result: the device hung before the call
 * - KT_DEVICE_LOST: the device stopped working
 * - KT_TIMEOUT: a submission took longer than timeout_ns
 * - KT_WRONG_RESULT: the output is wrong
 * - KT_DRIVER_ERROR: a driver call failed
 * - KT_CANCELLED: the progress callback returned 0
 * - any status that a callback of the job returned
 */
KT_API kt_status kt_measure(kt_job *job, const kt_measure_options *options, kt_result **out);

/** One of several jobs that are measured together. */
typedef struct kt_measure_item {
    kt_job *job;                       /**< job to measure */
    const kt_measure_options *options; /**< NULL: the defaults */
    kt_result *result; /**< written: as *out of kt_measure(); the caller's to destroy */
    kt_status status;  /**< written: as the return value of kt_measure() */
    char error[256];   /**< written: one sentence if `status` is not KT_OK, else empty */
} kt_measure_item;

/**
 * Measures several jobs together, on any devices, with their samples in turn.
 *
 * - All jobs begin (first use, warm-up). Then their samples are taken in turns of about 20 ms,
 *   there and back (A B C, C B A, ...), so that a change over time affects all jobs alike.
 * - Each job ends by its own options; the others go on.
 * - max_time_ns counts, per job, the time spent on that job.
 * - A turn after another job's begins with a submission that is no sample, since the other job has
 *   filled the caches. It counts in warmup_n and warmup_ns only. It is left out if one submission
 *   takes longer than a turn.
 * - A job that fails ends alone, with what it has.
 * - If a device hangs, its other jobs end with KT_DEVICE_LOST at their turn, without a result if
 *   they had not begun.
 * - A job whose progress callback returns 0 is cancelled alone. The callbacks of the others are
 *   asked before their next action.
 * - Items may share devices and options, and a job may be in several items.
 * - With one item it is kt_measure().
 * - Threads: one; no other thread may use any of the jobs meanwhile.
 *
 * @param items `count` items; written as their members say
 * @param count number of items
 * @return KT_OK if every item has KT_OK, else the status of the first item without it, whose
 * sentence is then the error text. KT_INVALID if `items` is NULL
 */
KT_API kt_status kt_measure_all(kt_measure_item *items, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
