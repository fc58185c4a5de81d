/* measure.h - running a job until its time is known. */
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

/* What the members of kt_measure_options mean when they are 0. */
#define KT_SAMPLES_MIN_DEFAULT 10
#define KT_SAMPLES_MAX_DEFAULT 1000
#define KT_REL_ERR_DEFAULT     0.005
#define KT_MAX_TIME_DEFAULT_NS INT64_C(2000000000)
#define KT_TIMEOUT_DEFAULT_NS  INT64_C(30000000000)

/** Which times are taken. */
typedef enum kt_timing {
    KT_TIMING_BOTH = 0, /**< stamped and unstamped submissions in turn */
    KT_TIMING_DEVICE,   /**< stamped submissions alone */
    KT_TIMING_WALL      /**< unstamped submissions alone */
} kt_timing;

/** How far a measurement is. The progress callback is given it before the first use, before each
 * round of warm-up (with nothing taken yet), and between two samples. */
typedef struct kt_progress {
    uint32_t samples;   /**< taken so far */
    int64_t elapsed_ns; /**< spent on sampling this job */
    double fraction;    /**< 0..1, an estimate of how much of the sampling is done */
} kt_progress;

/** Options. Zero everything but `size` for the defaults. */
typedef struct kt_measure_options {
    size_t size;     /**< sizeof(kt_measure_options) */
    uint32_t trials; /**< consecutive dispatches of each step between its stamps. 0: 1, but on a
                               coarse clock as many as it needs, see kt_measure() */
    uint32_t samples_min; /**< taken whatever max_time says; 0: 10, or samples_max if less */
    uint32_t samples_max; /**< 0: 1000, or samples_min if that is more */
    double rel_err; /**< stop once half the 95 % interval of each step's and the wall time's median
                               is within this share of it; 0: 0.005 */
    int64_t max_time_ns; /**< of sampling; 0: 2 s */
    int64_t timeout_ns;  /**< of one submission; 0: 30 s */
    kt_timing timing;
    int keep_raw; /**< keep the stamps as the driver gave them, see kt_series.raw */
    int cold; /**< not 0: the device's caches are flushed before each submission, untimed; only the
                   first of several steps finds them empty. KT_UNSUPPORTED where the device
                   cannot, KT_INVALID with more than one trial */
    uint32_t run; /**< number of this run, copied into the result */
    int (*progress)(void *user, const kt_progress *progress); /**< return 0 to stop; NULL: none */
    void *progress_user;
    /** every submission is added to it: on the host from before the submission to its return and on
     * to the end of the wait, and each stamped step where the device's clock lies on the host's.
     * Costs one more reading of the host's clock in each submission, about 30 ns, and about 1 us
     * after it; NULL: none */
    kt_trace *trace;
} kt_measure_options;

/**
 * Measures a job: runs it once (and reports what the first use cost), warms it up until its times
 * are steady (at least max_time / 100 or 20 ms, at most max_time / 4 or 5 s, whichever is less),
 * then takes samples: drain, host clock, submit, wait, host clock, read stamps, verify. The first
 * measurement on a device also makes its ruler (about 100 ms).
 *
 * With `trials` 0, on a clock of whose steps (its grid) an empty step spans fewer than ten: if the
 * shortest step of the job spans less than grid / rel_err at the end of warm-up (ten grids or ten
 * empty steps, if that is more), trials are raised by powers of two until it does, up to the job's
 * trials_max, to 4096, and to what lets samples_min samples fit into max_time. kt_series.trials
 * says how many there were. So all dispatches of a job whose trials_max is 0 must be able to follow
 * each other. Never with `cold`.
 *
 * Unlike elsewhere, *out is written on failure too, with whatever had been measured by then, and
 * the returned status says what went wrong (KT_TIMEOUT, KT_WRONG_RESULT, KT_DEVICE_LOST,
 * KT_DRIVER_ERROR, KT_CANCELLED, or what a callback answered); it is NULL only for KT_INVALID,
 * KT_UNSUPPORTED, KT_LIMIT (more trials than the job allows), KT_NO_MEMORY, and KT_DEVICE_LOST of a
 * device that had hung before the call: so test the handle, not the status. After KT_TIMEOUT or
 * KT_DEVICE_LOST the device should be closed. One thread per job; between two host stamps nothing
 * is allocated, locked or logged here.
 */
KT_API kt_status kt_measure(kt_job *job, const kt_measure_options *options, kt_result **out);

/** One of several jobs that are measured together. */
typedef struct kt_measure_item {
    kt_job *job;
    const kt_measure_options *options; /**< NULL: the defaults */
    kt_result *result;                 /**< written: as *out of kt_measure(); the caller's */
    kt_status status;                  /**< written: as what kt_measure() returns */
    char error[256]; /**< written: one sentence if status is not KT_OK, else empty */
} kt_measure_item;

/**
 * Measures several jobs, on any devices: all are begun (first use, warm-up), then their samples are
 * taken in turns of about 20 ms, there and back (A B C, C B A, ...), so that what changes with time
 * changes all alike. Each ends by its own options; the others go on. max_time counts for each job
 * the time that went into itself. What others left in the caches is not its time: a turn after
 * another job's begins with a submission that only counts in warmup_n and warmup_ns, unless one
 * takes longer than a turn. With one item this is kt_measure().
 *
 * One that fails ends alone, with what it has. If its device hung, the others on that device end
 * with KT_DEVICE_LOST when it is their turn (without a result, if they had not begun). One whose
 * progress callback answers 0 is cancelled alone: the others are asked by their own callbacks,
 * before whatever they do next.
 *
 * Returns KT_OK if every item did, else the status of the first that did not, whose sentence is
 * then the error text. Items may share devices and options, and a job may be in several. One
 * thread; no other thread may use any of the jobs meanwhile.
 */
KT_API kt_status kt_measure_all(kt_measure_item *items, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
