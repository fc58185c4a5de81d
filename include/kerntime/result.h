/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Results of measurements, and reports made of them.
 */
#ifndef KERNTIME_RESULT_H
#define KERNTIME_RESULT_H

#include <kerntime/api.h>
#include <kerntime/clock.h>
#include <kerntime/device.h>
#include <kerntime/host.h>
#include <kerntime/job.h>
#include <kerntime/state.h>
#include <kerntime/stats.h>
#include <kerntime/status.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** State of one timestamp or sample. Every state but KT_TIMESTAMP_OK is counted, and is no
 * duration. */
typedef enum kt_timestamp_state {
    KT_TIMESTAMP_OK = 0,         /**< usable */
    KT_TIMESTAMP_NOT_READY,      /**< the driver had none yet, although the work was done */
    KT_TIMESTAMP_ZERO,           /**< the driver returned success and wrote nothing */
    KT_TIMESTAMP_ERROR,          /**< the driver returned an error */
    KT_TIMESTAMP_NEGATIVE,       /**< the end is before the start */
    KT_TIMESTAMP_LOST,           /**< dropped by the driver or the device */
    KT_TIMESTAMP_OVERWRITTEN,    /**< run again before it was read */
    KT_TIMESTAMP_AMBIGUOUS,      /**< wrapped or reset, and the host's clock cannot resolve it */
    KT_TIMESTAMP_BELOW_MIN_SPAN, /**< shorter than the shortest measurable span of the device */
    KT_TIMESTAMP_THROTTLED,      /**< the device ran at a lower clock, see kt_state_summary */
    KT_TIMESTAMP_STATE_COUNT     /**< number of states */
} kt_timestamp_state;

/**
 * Name of a state as in the result file, such as "not_ready".
 *
 * Threads: any.
 *
 * @param state any value
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_timestamp_state_name(kt_timestamp_state state);

/** What a series is about: one step of a job, or the job as a whole. */
typedef enum kt_series_role {
    KT_ROLE_KERNEL = 0,      /**< a step that is a kernel */
    KT_ROLE_COPY,            /**< a step that is a copy */
    KT_ROLE_TOTAL,           /**< sum of the steps, without the gaps */
    KT_ROLE_GAPS,            /**< time between the steps */
    KT_ROLE_SPAN,            /**< start of the first step to the end of the last */
    KT_ROLE_WALL,            /**< wall time of submissions without timestamps */
    KT_ROLE_WALL_TIMESTAMPED /**< wall time of submissions with timestamps */
} kt_series_role;

/** Kind of work that a series times. */
typedef enum kt_series_kind {
    KT_SERIES_KERNEL = 0,      /**< kernels */
    KT_SERIES_COPY,            /**< a copy */
    KT_SERIES_WALL,            /**< wall time of submissions without timestamps */
    KT_SERIES_WALL_TIMESTAMPED /**< wall time of submissions with timestamps */
} kt_series_kind;

/** Status of a series. */
typedef enum kt_series_status {
    KT_SERIES_OK = 0,         /**< measured */
    KT_SERIES_PARTIAL,        /**< measured, but samples are missing or it ended early */
    KT_SERIES_FAILED,         /**< no trusted time; `error` has the reason */
    KT_SERIES_BELOW_MIN_SPAN, /**< shorter than the shortest measurable span: no summary */
    KT_SERIES_NOT_POSSIBLE    /**< the device cannot do it; `error` has the reason */
} kt_series_status;

/** Reason for the end of sampling. */
typedef enum kt_stop {
    KT_STOP_NONE = 0,    /**< it did not begin, or was ended from outside */
    KT_STOP_REL_ERR,     /**< the relative error was reached */
    KT_STOP_MAX_TIME,    /**< the sampling time was up */
    KT_STOP_MAX_SAMPLES, /**< the number of samples was reached */
    /** the clock is too coarse for the relative error: more samples do not help */
    KT_STOP_RESOLUTION
} kt_stop;

/** Outcome of warm-up. */
typedef enum kt_warmup_end {
    KT_WARMUP_NONE = 0, /**< it did not begin or end */
    KT_WARMUP_STEADY,   /**< the times were steady */
    KT_WARMUP_MOVING,   /**< its time was up, and the times still rose or fell */
    KT_WARMUP_SHORT     /**< its time was up after too few submissions to decide */
} kt_warmup_end;

/**
 * Name of a kind as in the result file, such as "copy".
 *
 * Threads: any.
 *
 * @param kind any value
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_series_kind_name(kt_series_kind kind);

/**
 * Name of a status as in the result file, such as "below_min_span".
 *
 * Threads: any.
 *
 * @param status any value
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_series_status_name(kt_series_status status);

/**
 * Name of a reason as in the result file, such as "rel_err".
 *
 * Threads: any.
 *
 * @param stop any value
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_stop_name(kt_stop stop);

/**
 * Name of an outcome of warm-up as in the result file, such as "steady".
 *
 * Threads: any.
 *
 * @param end any value
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_warmup_end_name(kt_warmup_end end);

/** One submission as the driver and the host timed it. Ticks and elapsed times are the driver's. */
typedef struct kt_raw {
    kt_timestamp_state state; /**< state of its timestamps */
    int has_timestamps;       /**< 0: submission without timestamps, or none could be read */
    /** 1: queued_ticks and submitted_ticks are given. 0: the driver has none, or reports them after
     * the start, as some do that read them from another clock. */
    int has_queue_timestamps;
    uint64_t queued_ticks;    /**< when the driver took the command over */
    uint64_t submitted_ticks; /**< when the driver handed the command to the device */
    uint64_t start_ticks;     /**< start on the device */
    uint64_t end_ticks;       /**< end on the device */
    int64_t host_before_ns;   /**< host clock just before the submission */
    int64_t host_after_ns;    /**< host clock when the wait had returned */
    int has_elapsed;  /**< 1: elapsed_ms and gap_ms are given, and no ticks (elapsed-only clock) */
    float elapsed_ms; /**< from the step's start to its end; NaN: the driver wrote none */
    float gap_ms;     /**< from the end of the step before to its start; 0: first; NaN: none */
    int has_context;  /**< 1: the two members below are given: the same step by a context clock */
    uint64_t context_start_ticks; /**< start by the context clock */
    uint64_t context_end_ticks;   /**< end by the context clock */
} kt_raw;

/** Energy that a job takes, by the energy counter of its device. An unknown number is NaN. */
typedef struct kt_energy {
    const char *reason;  /**< one sentence why there is no number; NULL: measured */
    double dispatch_j;   /**< mean of one dispatch of all steps, in J, with what the device takes
                              while idle */
    double ci95_low_j;   /**< lower end of its 95 % interval */
    double ci95_high_j;  /**< upper end of its 95 % interval */
    double power_w;      /**< mean power while the job ran without a pause, in W */
    double idle_w;       /**< mean power of the idle device before that, in W; not subtracted */
    double update_ms;    /**< update period of the counter, as it was seen to move */
    double duration_s;   /**< how long the job ran for this */
    uint64_t dispatches; /**< number of dispatches in that time */
    uint32_t windows;    /**< windows from update to update, which the interval is of */
    uint32_t throttle;   /**< reasons for throttling (kt_throttle) in that time */
} kt_energy;

/**
 * Times of one step of a job, or of its sum, gaps, span or wall time. An unknown `double` is NaN.
 *
 * Owned by the result or report that it was read from, with all that it points to.
 */
typedef struct kt_series {
    const char *name;       /**< name of the job: "matmul/512"; never NULL */
    const char *workload;   /**< name of the workload: "matmul"; never NULL */
    const char *variant;    /**< NULL: there is only one */
    const char *device;     /**< id of the device; never NULL */
    const kt_param *params; /**< param_count parameters of the work; NULL: there are none */
    uint32_t param_count;   /**< number of parameters */
    uint32_t run;           /**< number of the run */
    /** A step's name, "total", "gaps", "span", "wall" or "wall_timestamped"; never NULL. */
    const char *step;
    kt_series_kind kind;     /**< kind */
    kt_series_status status; /**< status */
    const char *error;       /**< one sentence; NULL: none */
    int wrong;               /**< 1: an output was computed, and is not the right one */
    kt_method method;        /**< how its times were obtained */
    const char *clock;       /**< name of the clock; NULL: no timestamps took part */
    uint32_t trials;         /**< dispatches between two timestamps */
    int verified;            /**< 1: the output of every submission was checked and right */
    /** 1: nothing is copied, so its times give no bandwidth.
     *
     * - A report decides it from all sizes of a direction (kt_transfer_fit()) as series are added;
     *   in a result it is 0.
     * - For other maps (KT_STEP_MAP) formats show GB/s only if the times surely grow with the
     *   size: on a line whose upper end of bandwidth is one that memory can have. */
    int zero_copy;
    int cold;            /**< 1: the device's caches were flushed before each submission */
    const char *src,     /**< kind of the source memory of a copy, else NULL */
        *dst;            /**< kind of the destination memory of a copy, else NULL */
    double bytes,        /**< memory traffic of one dispatch, in bytes */
        flops;           /**< arithmetic operations of one dispatch */
    double first_use_ns; /**< wall time of the first submission */
    /** Device time of a step in the first submission, all trials together. NaN: without timestamps,
     * unusable timestamps, no step, or read from a result file, which does not have it. */
    double first_use_device_ns;
    uint32_t warmup_n;        /**< submissions of warm-up, after the first one */
    kt_warmup_end warmup_end; /**< how warm-up ended */
    double warmup_ns;         /**< sum of the wall times of warm-up */
    kt_stop stop;             /**< why sampling ended */
    const double *samples_ns; /**< summary.n samples per dispatch, in the order taken; NULL: none */
    uint32_t discarded[KT_TIMESTAMP_STATE_COUNT]; /**< samples without a duration, by state */
    kt_summary summary;     /**< of the samples; all NaN but n where there is no trusted time */
    double median_total_ns; /**< median of all trials of a sample together */
    /** Resolution per dispatch of an elapsed-only clock, with the rounding of the largest sample's
     * float. NaN or 0: another clock, or unknown. */
    double clock_resolution_ns;
    /** Median per dispatch of a step by the context clock, which stops while the device works for
     * others, so it is shorter than the median of `summary` by that time. NaN: no such clock, or no
     * timestamps of it. */
    double context_ns;
    uint32_t context_missing; /**< samples not in context_ns: their context clock time is unknown */
    /** 1: of compared variants it is the fastest, or cannot be told apart from it. The program sets
     * it. 0: it is not, or none were compared. */
    int fastest;
    /** Length of a tick behind these times, where it was measured: each run measures its own. NaN
     * or 0: it is reported, and is that of the clock. */
    double clock_period_ns;
    double speedup; /**< median of the sequential baseline over this median */
    /** Energy of the job. NULL: not asked for, or of another series: of a job of several steps, its
     * total has it; of a measurement without device times, the wall time. */
    const kt_energy *energy;
    kt_state_summary state; /**< what the device did meanwhile; equal for all series of a result */
    const kt_raw *raw;      /**< raw_count submissions; NULL unless asked for */
    size_t raw_count;       /**< number of submissions in `raw` */
} kt_series;

/**
 * Role of a series, from its kind and the reserved names of steps.
 *
 * Threads: any.
 *
 * @param series a series; its `step` may be NULL
 * @return its role
 */
KT_API kt_series_role kt_series_get_role(const kt_series *series);

/**
 * Whether a series is of wall time, with or without timestamps.
 *
 * Threads: any.
 *
 * @param series a series
 * @return 1: wall time; 0: device time
 */
static inline int kt_series_is_wall(const kt_series *series)
{
    return series->kind >= KT_SERIES_WALL;
}

/**
 * Name of a role as in `step` of the result file, such as "wall_timestamped".
 *
 * Threads: any.
 *
 * @param role any value
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_series_role_name(kt_series_role role);

/** Result of one measurement: its series. */
typedef struct kt_result kt_result;

/**
 * Frees a result, with its series.
 *
 * @param result address of the handle; set to NULL; may hold NULL
 */
KT_API void kt_result_destroy(kt_result **result);

/**
 * Number of series, in the order: steps, total, gaps, span, wall, wall_timestamped.
 *
 * @param result any result
 * @return number of series
 */
KT_API uint32_t kt_result_series_count(const kt_result *result);

/**
 * One series of a result.
 *
 * @param result owner of the series
 * @param index number of the series, from 0
 * @return the series, which lives as long as the result, or NULL if `index` is out of range
 */
KT_API const kt_series *kt_result_series(const kt_result *result, uint32_t index);

/**
 * Finds the series of a step.
 *
 * @param result owner of the series
 * @param step a step's name, "total", "gaps", "span", "wall" or "wall_timestamped"
 * @return the series, which lives as long as the result, or NULL
 */
KT_API const kt_series *kt_result_find(const kt_result *result, const char *step);

/**
 * Clock of a series' timestamps.
 *
 * @param series any series
 * @param device info of the series' device
 * @return the clock within `device`, or NULL if no timestamps took part
 */
KT_API const kt_clock_info *kt_series_clock(const kt_series *series, const kt_device_info *device);

/** Duration of one submission by its ticks, of all trials of the sample together. */
typedef struct kt_raw_span {
    uint64_t ticks; /**< from start to end, modulo the clock's width; 0: it has no ticks */
    double span_ns; /**< of the sample that it became; NaN: it became none, or has no ticks */
    uint64_t context_ticks; /**< as `ticks`, by the context clock */
    double context_ns;      /**< as `span_ns`, by the context clock; NaN: none, or unknown */
} kt_raw_span;

/**
 * Computes the duration of each submission of a series.
 *
 * @param series series with `raw`
 * @param device info of the series' device
 * @param[out] spans raw_count spans; owned by the caller
 */
KT_API void kt_series_get_spans(const kt_series *series, const kt_device_info *device,
                                kt_raw_span *spans);

/** A report: a document of devices, of measurements on them, and of the baselines beside them. */
typedef struct kt_report kt_report;

/** Origin of a report: program, time and host. All strings but `cpu`, `id`, `host` and `boot_id`
 * are required. */
typedef struct kt_report_origin {
    const char *version;     /**< version of kerntime */
    const char *started;     /**< moment in UTC: "2026-01-31T12:00:00Z"; "simulated": no moment */
    const char *os;          /**< operating system */
    const char *cpu;         /**< model of the CPU; NULL: unknown */
    const char *clock;       /**< name of the host clock behind all wall times */
    uint32_t cores;          /**< cores that the process could use */
    const char *id;          /**< random name of the report, 32 hexadecimal digits; NULL: none */
    const char *host;        /**< name of the host; NULL: unknown */
    const char *boot_id;     /**< random name of the host's start; NULL: unknown */
    const kt_launch *launch; /**< place among the processes of a launcher; NULL: none */
} kt_report_origin;

/** Description of a report. Zero everything but `size` for the defaults. */
typedef struct kt_report_desc {
    size_t size;                /**< sizeof(kt_report_desc) */
    const char *document;       /**< "result", "devices" or "doctor"; NULL: "result" */
    const char *const *command; /**< command_count words of the command line, copied */
    uint32_t command_count;     /**< number of words */
    /** Origin, copied. NULL: this program, now, on this machine, with a new id; or a fixed one
     * without an id if all devices of the report are simulated. */
    const kt_report_origin *origin;
    /** 1: without what identifies the host and its devices: names, addresses, serial numbers, place
     * among processes, and the id. */
    int anonymous;
    /** Variable of the environment with the rank, as in kt_launch_read(), if `origin` is NULL.
     * NULL: the known ones. */
    const char *rank_variable;
} kt_report_desc;

/**
 * Creates an empty report.
 *
 * @param[out] out the report; destroy it with kt_report_destroy()
 * @param desc description, copied; NULL: the defaults
 * @return KT_OK, or
 * - KT_INVALID: a required string of the origin is missing
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_report_create(kt_report **out, const kt_report_desc *desc);

/**
 * Frees a report, with all that was read from it.
 *
 * @param report address of the handle; set to NULL; may hold NULL
 */
KT_API void kt_report_destroy(kt_report **report);

/**
 * Description of a report, with its defaults filled in.
 *
 * @param report any report
 * @return description; nothing in it is NULL but origin->cpu, id and host. It lives until the
 * report is destroyed or a device is added to it
 */
KT_API const kt_report_desc *kt_report_get_desc(const kt_report *report);

/**
 * Adds a device. One that was added before gets the new info, and the new timer limits if given.
 *
 * @param report report to add to
 * @param info properties of the device, copied
 * @param limits timer limits, copied; NULL: it was not measured on
 * @return KT_OK, or
 * - KT_INVALID: a required pointer is NULL, or `info` has more clocks or queue groups than fit it
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_report_add_device(kt_report *report, const kt_device_info *info,
                                      const kt_timer_limits *limits);

/**
 * Records why an added device could not be opened, or one of its clocks not be measured.
 *
 * @param report report to add to
 * @param device_id id of the device
 * @param error one sentence, copied
 * @return KT_OK, or
 * - KT_INVALID: the device was not added
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_report_set_clock_error(kt_report *report, const char *device_id,
                                           const char *error);

/**
 * Records the state of an added device. One without a source is not recorded.
 *
 * @param report report to add to
 * @param device_id id of the device
 * @param state its state, copied
 * @return KT_OK, or
 * - KT_INVALID: a required pointer is NULL, or the device was not added
 */
KT_API kt_status kt_report_set_device_state(kt_report *report, const char *device_id,
                                            const kt_device_state *state);

/**
 * Adds a backend to a document about devices, with why its driver is missing if it is.
 *
 * @param report report to add to
 * @param info the backend, copied
 * @return KT_OK, or
 * - KT_INVALID: a required pointer or the name is NULL
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_report_add_backend(kt_report *report, const kt_backend_info *info);

/**
 * Adds all series of a result, and takes over its ownership.
 *
 * @param report report to add to
 * @param result address of the handle; set to NULL on success and on failure
 * @return KT_OK, or
 * - KT_INVALID: a required pointer or the handle is NULL
 * - KT_NO_MEMORY: the host is out of memory; no series was added
 */
KT_API kt_status kt_report_add_result(kt_report *report, kt_result **result);

/**
 * Adds one series, of another report or made by the program.
 *
 * It computes nothing anew but an unknown speed-up (NaN). That is filled in, as by
 * kt_report_add_result(), once the report has the sequential baseline.
 *
 * @param report report to add to
 * @param series copied with all that it points to
 * @return KT_OK, or
 * - KT_INVALID: a required member is missing (see kt_series), or an enum is out of range
 * - KT_NO_MEMORY: the host is out of memory; it was not added
 */
KT_API kt_status kt_report_add_series(kt_report *report, const kt_series *series);

/**
 * Adds a row for work that could not even begin: no samples, a status and a sentence.
 *
 * - If the job is one KT_STEP_COPY, it is the row of a copy, with its bytes.
 * - The kinds of memory are those of the job's memories, which may be missing, or those of the
 *   direction that is the variant of the workload "copy".
 *
 * @param report report to add to
 * @param device_id id of the device, copied
 * @param desc description of the job, copied
 * @param status status of the row
 * @param error one sentence, copied; NULL: none
 * @return KT_OK, or
 * - KT_INVALID: a required pointer, the name of the job or of a parameter is NULL, or `status` is
 *   out of range
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_report_add_failure(kt_report *report, const char *device_id,
                                       const kt_job_desc *desc, kt_series_status status,
                                       const char *error);

/** A CPU baseline: the same work done by the host without any device. */
typedef struct kt_baseline {
    const char *workload;   /**< name of the workload: "matmul"; never NULL */
    const kt_param *params; /**< param_count parameters of the work; NULL: there are none */
    uint32_t param_count;   /**< number of parameters */
    uint32_t threads;       /**< threads that it ran on; 0: unknown */
    const char *name;  /**< "sequential" or "best"; speed-ups are over "sequential"; never NULL */
    const char *flags; /**< flags of the compiler; never NULL */
    const double *samples_ns; /**< `n` samples in the order taken; NULL: none */
    size_t n;                 /**< number of samples */
    kt_summary summary;       /**< of the samples; filled in by kt_report_add_baseline() */
} kt_baseline;

/**
 * Adds a CPU baseline, and fills in speed-ups over it.
 *
 * @param report report to add to
 * @param baseline copied with all that it points to
 * @return KT_OK, or
 * - KT_INVALID: a required member is missing (see kt_baseline)
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_report_add_baseline(kt_report *report, const kt_baseline *baseline);

/**
 * Number of devices in a report.
 *
 * @param report any report
 * @return number of devices
 */
KT_API uint32_t kt_report_device_count(const kt_report *report);

/**
 * One device of a report.
 *
 * @param report owner of the device
 * @param index number of the device, from 0, in the order added
 * @return its info, which lives until the report is destroyed or added to, or NULL if `index` is
 * out of range
 */
KT_API const kt_device_info *kt_report_device(const kt_report *report, uint32_t index);

/**
 * Timer limits of a device of a report.
 *
 * @param report owner of the device
 * @param index number of the device, from 0
 * @return timer limits, which live until the report is destroyed or added to, or NULL if it was not
 * measured on or `index` is out of range
 */
KT_API const kt_timer_limits *kt_report_timer_limits(const kt_report *report, uint32_t index);

/**
 * Sentence of kt_report_set_clock_error() on a device of a report.
 *
 * @param report owner of the device
 * @param index number of the device, from 0
 * @return the sentence, which lives until the report is destroyed or added to, or NULL if there is
 * none or `index` is out of range
 */
KT_API const char *kt_report_clock_error(const kt_report *report, uint32_t index);

/**
 * State of a device of a report.
 *
 * @param report owner of the state
 * @param index number of the device, from 0
 * @return the state, which lives until the report is destroyed or added to, or NULL if there is
 * none or `index` is out of range
 */
KT_API const kt_device_state *kt_report_device_state(const kt_report *report, uint32_t index);

/**
 * Number of CPU baselines in a report.
 *
 * @param report any report
 * @return number of baselines
 */
KT_API uint32_t kt_report_baseline_count(const kt_report *report);

/**
 * One CPU baseline of a report.
 *
 * @param report owner of the baseline
 * @param index number of the baseline, from 0, in the order added
 * @return the baseline, which lives until the report is destroyed or added to, or NULL if `index`
 * is out of range
 */
KT_API const kt_baseline *kt_report_baseline(const kt_report *report, uint32_t index);

/**
 * Number of series in a report.
 *
 * @param report any report
 * @return number of series
 */
KT_API uint32_t kt_report_series_count(const kt_report *report);

/**
 * One series of a report.
 *
 * @param report owner of the series
 * @param index number of the series, from 0, in the order added
 * @return the series, which lives until the report is destroyed or added to, or NULL if `index` is
 * out of range
 */
KT_API const kt_series *kt_report_series(const kt_report *report, uint32_t index);

/** Destination of bytes. */
typedef struct kt_sink {
    /** Writes `bytes` bytes. Returns 0; another value ends the writing with KT_IO_ERROR. */
    int (*write)(void *user, const char *data, size_t bytes);
    void *user; /**< passed to `write`; the program's */
    /* The members below describe the place, for the table alone. All 0: a file. */
    uint32_t width;     /**< columns of a terminal: the table drops columns to fit; 0: no limit */
    uint32_t notes_max; /**< notes to show, the most important first; 0: all */
    int color;          /**< 1: ANSI colours for heads, devices, changes and warnings */
} kt_sink;

/** @cond */
static inline int kt_write_to_file_(void *file, const char *data, size_t bytes)
{
    return fwrite(data, 1, bytes, (FILE *)file) != bytes;
}
/** @endcond */

/**
 * Makes a sink that writes to an open file, such as stdout. It neither flushes nor closes the file.
 *
 * @param file open file; must outlive the sink
 * @return the sink
 */
static inline kt_sink kt_file_sink(FILE *file)
{
    kt_sink sink = {kt_write_to_file_, file, 0, 0, 0};
    return sink;
}

/*
 * The formats: X(NAME, name, option, report, compare, snapshot, meaning).
 *
 * - option: 1: the command has an option --name
 * - report: SERIES: reports of measurements; ALL: lists of devices and diagnostics, too
 * - compare, snapshot: 1: comparisons, snapshots of the registry
 */
#define KT_FORMATS_(X)                                            \
    X(TABLE, table, 0, ALL, 1, 1, "aligned text for people")      \
    X(JSON, json, 1, ALL, 1, 1, "the results as JSON")            \
    X(CSV, csv, 1, SERIES, 0, 1, "one row per time as CSV")       \
    X(MARKDOWN, markdown, 1, ALL, 1, 0, "the tables as Markdown") \
    X(GNUPLOT, gnuplot, 0, SERIES, 0, 0, "figure: a script for gnuplot 5 or later, with its data")

#define KT_FORMAT_ID_(NAME, name, option, report, compare, snapshot, meaning) KT_FORMAT_##NAME,

/**
 * Formats of reports, comparisons and snapshots.
 *
 * The script of KT_FORMAT_GNUPLOT draws on the terminal set before; see
 * kt_report_write_figure().
 */
typedef enum kt_format {
    KT_FORMATS_(KT_FORMAT_ID_)
    /** number of formats */
    KT_FORMAT_COUNT
} kt_format;

/**
 * Writes a report.
 *
 * @param report any report
 * @param format format
 * @param sink where the bytes go
 * @return KT_OK, or
 * - KT_INVALID: no such format of a report
 * - KT_IO_ERROR: the sink refused
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_report_write(const kt_report *report, kt_format format, const kt_sink *sink);

/**
 * Writes a report to a file.
 *
 * It writes a temporary file beside it and renames that when complete, so there is never half a
 * file. The complete content is copied into a file that may be written to but not replaced, such as
 * a bind mount, and written into pipes, devices and open files (/dev/stdout).
 *
 * @param report any report
 * @param format format
 * @param path the file
 * @return KT_OK, or
 * - KT_INVALID: no such format
 * - KT_IO_ERROR: the file could not be written; the error text has the reason
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_report_write_file(const kt_report *report, kt_format format, const char *path);

/** What the y axis of a figure shows. */
typedef enum kt_figure_values {
    KT_FIGURE_USUAL = 0, /**< `usual` of the workload; else speed-ups, or times without baseline */
    KT_FIGURE_SPEEDUP,   /**< speed-up over the sequential baseline */
    KT_FIGURE_SPEEDUP_BEST, /**< speed-up over the best baseline */
    KT_FIGURE_TIME,         /**< time per dispatch */
    KT_FIGURE_GBS,          /**< memory traffic in GB/s */
    KT_FIGURE_GFLOPS        /**< arithmetic in GFLOP/s */
} kt_figure_values;

/** What a figure needs to know of a workload. */
typedef struct kt_figure_workload {
    const char *name; /**< workload of the series: "saxpy"; never NULL */
    const char *unit; /**< what its sizes count: "elements"; NULL: nothing more than their name */
    kt_figure_values usual; /**< values to show if the options leave it open */
} kt_figure_workload;

/** Looks of a figure. Zero everything but `size` for the defaults. */
typedef struct kt_figure_options {
    size_t size;                         /**< sizeof(kt_figure_options) */
    kt_figure_values values;             /**< y axis of workloads; copies are in GB/s */
    double width_mm;                     /**< width for print, 40 to 1000 mm; 0: for a screen */
    int plain;                           /**< 1: no titles and no notes */
    int points;                          /**< 1: the points as CSV instead of the script */
    const kt_figure_workload *workloads; /**< workload_count workloads; others have no unit */
    uint32_t workload_count;             /**< number of workloads */
} kt_figure_options;

/**
 * Writes the figure of a report as a script for gnuplot 5 or later, like KT_FORMAT_GNUPLOT.
 *
 * Its first line sets `width` and `height` in pixels of 1/96 inch, and `lines`, the distance of
 * lines in a legend for print. The terminal's font has 12 pixels; with a width for print it has 10,
 * which is 7.5 points, and legends are above the axes.
 *
 * @param report any report
 * @param options looks; NULL: the defaults
 * @param sink where the bytes go
 * @return KT_OK, or
 * - KT_INVALID: an option is out of range, or a workload has no name
 * - KT_UNSUPPORTED: an option is newer than this library
 * - KT_IO_ERROR: the sink refused
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_report_write_figure(const kt_report *report, const kt_figure_options *options,
                                        const kt_sink *sink);

/**
 * Checks whether kt_report_write_file() could write to a path now; leaves nothing behind.
 *
 * @param path the file
 * @return KT_OK, or
 * - KT_INVALID: `path` is NULL
 * - KT_IO_ERROR: it could not; the error text has the reason
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_path_check_writable(const char *path);

/**
 * Whether two paths are of one file, so that what is written to one replaces the other.
 *
 * @param one a path; its file may be missing
 * @param other a path; its file may be missing
 * @return 1 if they are; 0 if not, if one is NULL, or where a folder is missing
 */
KT_API int kt_path_is_same(const char *one, const char *other);

/**
 * Writes bytes to a file as kt_report_write_file() does, such as a picture made of a report.
 *
 * @param path the file
 * @param data `bytes` bytes
 * @param bytes number of bytes
 * @return KT_OK, or
 * - KT_INVALID: `path` or `data` is NULL
 * - KT_IO_ERROR: the file could not be written; the error text has the reason
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_path_write(const char *path, const void *data, size_t bytes);

/**
 * Formats a duration for people: "12.3 us", at most four significant digits, "-" for NaN.
 *
 * @param[out] text buffer
 * @param bytes size of the buffer; 24 is always enough
 * @param ns duration in ns
 * @return `text`
 */
KT_API char *kt_format_ns(char *text, size_t bytes, double ns);

/**
 * Formats a size of memory for people: "1.5 GiB", "128.0 MiB", below 1 MiB in bytes.
 *
 * @param[out] text buffer
 * @param bytes size of the buffer; 24 is always enough
 * @param size_bytes size in bytes
 * @return `text`
 */
KT_API char *kt_format_bytes(char *text, size_t bytes, uint64_t size_bytes);

#ifdef __cplusplus
}
#endif

#endif
