/* result.h - what was measured, and documents made of it. */
#ifndef KERNTIME_RESULT_H
#define KERNTIME_RESULT_H

#include <kerntime/api.h>
#include <kerntime/clock.h>
#include <kerntime/device.h>
#include <kerntime/job.h>
#include <kerntime/stats.h>
#include <kerntime/status.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What became of one stamp or sample. Every state but KT_STAMP_OK is counted, none is a
 * duration. */
typedef enum kt_stamp_state {
    KT_STAMP_OK = 0,
    KT_STAMP_NOT_READY,    /**< the driver had none yet though the work was done */
    KT_STAMP_ZERO,         /**< the driver answered success and wrote nothing */
    KT_STAMP_ERROR,        /**< the driver answered an error */
    KT_STAMP_NEGATIVE,     /**< the end before the start */
    KT_STAMP_OUT_OF_ORDER, /**< stamps of one command in an order that cannot be */
    KT_STAMP_LOST,         /**< dropped by the driver or the device */
    KT_STAMP_OVERWRITTEN,  /**< run again before it was read */
    KT_STAMP_AMBIGUOUS,    /**< wrapped or reset: the host's clock cannot tell what it means */
    KT_STAMP_BELOW_FLOOR,  /**< shorter than what this device can resolve */
    KT_STAMP_THROTTLED,    /**< the device ran at a lower clock */
    KT_STAMP_STATE_COUNT
} kt_stamp_state;

/** As in the result file: "out_of_order". Never NULL. */
KT_API const char *kt_stamp_state_name(kt_stamp_state state);

typedef enum kt_series_kind { KT_SERIES_KERNEL = 0, KT_SERIES_COPY, KT_SERIES_WALL } kt_series_kind;

typedef enum kt_series_status {
    KT_SERIES_OK = 0,
    KT_SERIES_PARTIAL,     /**< measured, but samples are missing or it ended early */
    KT_SERIES_FAILED,      /**< nothing that can be believed; `error` says why */
    KT_SERIES_BELOW_FLOOR, /**< too short for this device's ruler: no summary */
    KT_SERIES_NOT_POSSIBLE /**< the device cannot do it; `error` says why */
} kt_series_status;

/** Why sampling ended. */
typedef enum kt_stop {
    KT_STOP_NONE = 0, /**< it did not get as far, or it was ended from outside */
    KT_STOP_REL_ERR,
    KT_STOP_MAX_TIME,
    KT_STOP_MAX_SAMPLES,
    KT_STOP_GRID /**< the clock is too coarse for the wanted error: more samples would not help */
} kt_stop;

/** How warming up ended. */
typedef enum kt_warmup_end {
    KT_WARMUP_NONE = 0, /**< it did not get as far */
    KT_WARMUP_STEADY,   /**< the times had become steady */
    KT_WARMUP_MOVING,   /**< its time was up, and the times still rose or fell */
    KT_WARMUP_SHORT     /**< its time was up after too few submissions to tell */
} kt_warmup_end;

/** Names as in the result file; never NULL. */
KT_API const char *kt_series_kind_name(kt_series_kind kind);
KT_API const char *kt_series_status_name(kt_series_status status);
KT_API const char *kt_stop_name(kt_stop stop);
KT_API const char *kt_warmup_end_name(kt_warmup_end end);

/** One submission as the driver and the host saw it. Ticks and distances are as the driver gave
 * them. */
typedef struct kt_raw {
    kt_stamp_state state;
    int has_stamps;           /**< 0: of an unstamped submission, or nothing could be read */
    int has_queue_stamps;     /**< the two below are given */
    uint64_t queued_ticks;    /**< taken over by the driver */
    uint64_t submitted_ticks; /**< handed to the device */
    uint64_t start_ticks;
    uint64_t end_ticks;
    int64_t host_before_ns; /**< host clock just before the submission */
    int64_t host_after_ns;  /**< host clock once the wait had returned */
    /** the two below are given, in place of all ticks (kt_method_gives_distances()) */
    int has_elapsed;
    float elapsed_ms; /**< from the step's start to its end; NaN: the driver wrote none */
    float gap_ms; /**< from the end of the step before to its start; 0 of the first; NaN as above */
    /** the two below are given: the same step by a clock that pauses (kt_clock_info) */
    int has_context;
    uint64_t context_start_ticks;
    uint64_t context_end_ticks;
} kt_raw;

/** The time of one step (or the sum, gaps, span or wall time) of one job. Unknown doubles are
 * NaN. */
typedef struct kt_series {
    const char *name; /**< "matmul/512" */
    const char *workload;
    const char *variant; /**< NULL: there is but one */
    const char *device;  /**< id */
    const kt_param *params;
    uint32_t param_count;
    uint32_t run;
    const char *step; /**< a step's name, "total", "gaps", "span", "wall" or "wall_stamped" */
    kt_series_kind kind;
    kt_series_status status;
    const char *error; /**< NULL: none */
    kt_method method;
    const char *clock; /**< name of the clock; NULL: no stamps took part */
    uint32_t trials;
    int verified; /**< every submission's output was checked and right */
    /** 1: nothing is copied, so its times are of no bandwidth. A report judges it by all sizes of a
     * direction (kt_transfer_fit()) as series are added; in a result it is 0. Of other mappings
     * (KT_STEP_MAP) formats show GB/s only where the times surely grow with the size: on a line
     * whose upper end of bandwidth is one that memory can have. */
    int zero_copy;
    int cold;              /**< 1: the device's caches were flushed before each submission */
    const char *src, *dst; /**< memory kinds of a copy, else NULL */
    double bytes, flops;   /**< of one dispatch */
    double first_use_ns;   /**< wall time of the very first submission */
    /** Of a step: its device time in that submission, all trials together. NaN: it was not stamped,
     * its stamps could not be used, or this is not a step, or of a result file, which does not hold
     * it. */
    double first_use_device_ns;
    uint32_t warmup_n; /**< submissions after that whose times were not kept */
    kt_warmup_end warmup_end;
    double warmup_ns; /**< their wall times, all together */
    kt_stop stop;
    const double *samples_ns; /**< summary.n of them, per dispatch, in the order taken */
    uint32_t discarded[KT_STAMP_STATE_COUNT];
    kt_summary summary;     /**< per dispatch; all NaN but n where nothing may be ranked */
    double median_total_ns; /**< of all trials of a sample together */
    /** Per dispatch: the step in which a clock that gives distances can tell them, with that of the
     * largest sample's float. NaN or 0: another clock, or not known. */
    double clock_grid_ns;
    /** Median per dispatch of a step by the clock that pauses while the device works for others:
     * shorter than median_ns by what they took. NaN: the device has no such clock, or the step no
     * stamps of it. */
    double context_ns;
    /** samples that context_ns is not of, since their time by that clock cannot be told */
    uint32_t context_missing;
    /** Length of a tick that these times were made with, where it was found: each run finds its
     * own. NaN or 0: it was told, and is that of the clock. */
    double clock_period_ns;
    double speedup;    /**< sequential baseline over this median */
    const kt_raw *raw; /**< raw_count of them, one per submission; NULL unless asked for */
    size_t raw_count;
} kt_series;

typedef struct kt_result kt_result;

KT_API void kt_result_destroy(kt_result **result);

/** The series of a result, index 0 .. count - 1, in the order: steps, total, gaps, span,
 * wall, wall_stamped. */
KT_API uint32_t kt_result_series_count(const kt_result *result);
KT_API const kt_series *kt_result_series(const kt_result *result, uint32_t index);

/** The series of that step, or NULL. */
KT_API const kt_series *kt_result_find(const kt_result *result, const char *step);

/** The clock behind a series' stamps, among those of its device; NULL: none took part. */
KT_API const kt_clock_info *kt_series_clock(const kt_series *series, const kt_device_info *device);

/** What the ticks of one submission say, of all trials of the sample together. */
typedef struct kt_raw_span {
    uint64_t ticks; /**< from start to end, modulo the clock's width; 0: it has no ticks */
    double span_ns; /**< of the sample that it became; NaN: it became none, or has no ticks */
    uint64_t context_ticks; /**< the same of the clock that pauses */
    double context_ns;      /**< NaN: it has none of these, or it cannot be told */
} kt_raw_span;

/** Reckons what each of the raw_count submissions of a series says, into as many `spans`. `device`
 * is the series' own. */
KT_API void kt_series_get_spans(const kt_series *series, const kt_device_info *device,
                                kt_raw_span *spans);

/** A document: devices, what was measured on them, and what it is compared with. */
typedef struct kt_report kt_report;

/** Who measured, when and on what host. All texts must be given but `cpu`. */
typedef struct kt_report_origin {
    const char *version; /**< of kerntime */
    const char *started; /**< in UTC, "2026-01-31T12:00:00Z" */
    const char *os;
    const char *cpu;   /**< the model's name; NULL: unknown */
    const char *clock; /**< name of the host's clock, behind all wall times */
    uint32_t cores;    /**< that the process could use */
} kt_report_origin;

typedef struct kt_report_desc {
    size_t size;                /**< sizeof(kt_report_desc) */
    const char *document;       /**< "result", "devices" or "doctor"; NULL: "result" */
    const char *const *command; /**< the words of the command line, copied */
    uint32_t command_count;
    const kt_report_origin *origin; /**< copied; NULL: this program, now, on this machine, or a
                                         fixed one if all devices of the report are simulated */
} kt_report_desc;

KT_API kt_status kt_report_create(kt_report **out, const kt_report_desc *desc);
KT_API void kt_report_destroy(kt_report **report);

/** What the report is: what was given, and what stands for what was not. Nothing in it is NULL but
 * origin->cpu. Lives until the report is destroyed or a device is added to it. */
KT_API const kt_report_desc *kt_report_get_desc(const kt_report *report);

/** Adds a device, with its ruler if it has been measured (`ruler` may be NULL). One that was added
 * before gets the new info, and the new ruler if there is one. */
KT_API kt_status kt_report_add_device(kt_report *report, const kt_device_info *info,
                                      const kt_ruler *ruler);

/** Why a device that was added could not be opened, or one of its clocks not be found: one
 * sentence, copied. KT_INVALID: it was not added. */
KT_API kt_status kt_report_set_clock_error(kt_report *report, const char *device_id,
                                           const char *error);

/** Lists a backend in a document about devices, with why its driver is missing if it is. Copied. */
KT_API kt_status kt_report_add_backend(kt_report *report, const kt_backend_info *info);

/** Takes over *result and sets it to NULL, on success and on failure. KT_NO_MEMORY: no series of it
 * was added. */
KT_API kt_status kt_report_add_result(kt_report *report, kt_result **result);

/**
 * Adds one series, of another report or made by hand: copied with all that it points to, and
 * nothing of it is computed anew. Only a speed-up that is not known (NaN) is filled in, as with
 * kt_report_add_result(), if the report has the baseline that it is made of, or gets it later.
 * KT_NO_MEMORY: it was not added.
 */
KT_API kt_status kt_report_add_series(kt_report *report, const kt_series *series);

/** A row for what could not even be begun: no samples, a status and a sentence. All is copied. If
 * the job is one KT_STEP_COPY, it is the row of a copy with its bytes; kinds are those of its
 * memories, which may be missing, or of the direction that is the variant of the workload
 * "copy". */
KT_API kt_status kt_report_add_failure(kt_report *report, const char *device_id,
                                       const kt_job_desc *desc, kt_series_status status,
                                       const char *error);

/** The same work done by the host without any device. Everything is copied. */
typedef struct kt_baseline {
    const char *workload;
    const kt_param *params;
    uint32_t param_count;
    const char *name;  /**< "sequential" or "best"; speed-ups are made of "sequential" */
    const char *flags; /**< of the compiler */
    const double *samples_ns;
    size_t n;
    double median_ns; /**< filled in by kt_report_add_baseline() */
} kt_baseline;

KT_API kt_status kt_report_add_baseline(kt_report *report, const kt_baseline *baseline);

/** Reading a report back: pointers live until the report is destroyed or added to. An index that is
 * out of range gives NULL. */
KT_API uint32_t kt_report_device_count(const kt_report *report);
KT_API const kt_device_info *kt_report_device(const kt_report *report, uint32_t index);
/** The ruler of that device; NULL: it was not measured. */
KT_API const kt_ruler *kt_report_ruler(const kt_report *report, uint32_t index);
/** That device's sentence of kt_report_set_clock_error(); NULL: there is none. */
KT_API const char *kt_report_clock_error(const kt_report *report, uint32_t index);
KT_API uint32_t kt_report_baseline_count(const kt_report *report);
KT_API const kt_baseline *kt_report_baseline(const kt_report *report, uint32_t index);
KT_API uint32_t kt_report_series_count(const kt_report *report);
KT_API const kt_series *kt_report_series(const kt_report *report, uint32_t index);

/** Where bytes go. Returns 0 on success; anything else ends the writing with KT_IO_ERROR. */
typedef struct kt_sink {
    int (*write)(void *user, const char *data, size_t bytes);
    void *user;
} kt_sink;

static inline int kt_write_to_file_(void *file, const char *data, size_t bytes)
{
    return fwrite(data, 1, bytes, (FILE *)file) != bytes;
}

/** A sink that writes to an open file, stdout say; neither flushes nor closes it. */
static inline kt_sink kt_file_sink(FILE *file)
{
    kt_sink sink = {kt_write_to_file_, file};
    return sink;
}

/** Formats that a report can be written in. */
typedef enum kt_format {
    KT_FORMAT_TABLE = 0, /**< aligned text for people */
    KT_FORMAT_JSON,      /**< schema kerntime/1 */
    KT_FORMAT_CSV,       /**< a row for each series (docs/result-file.md) */
    KT_FORMAT_MARKDOWN,  /**< the table as GitHub takes it (docs/result-file.md) */
    KT_FORMAT_GNUPLOT /**< a figure: a script for gnuplot 5 or later, its data inside. It draws on
                            the terminal set before; its first line sets the variables width and
                            height, the pixels that it is laid out for */
} kt_format;

/** Writes a report. KT_IO_ERROR: the sink refused. KT_NO_MEMORY. */
KT_API kt_status kt_report_write(const kt_report *report, kt_format format, const kt_sink *sink);

/**
 * Writes a report to a file: into a temporary one beside it, renamed when complete, so that there
 * is never half a file. KT_IO_ERROR with the reason.
 */
KT_API kt_status kt_report_write_file(const kt_report *report, kt_format format, const char *path);

/** KT_OK if kt_report_write_file() could write there now; leaves nothing behind. */
KT_API kt_status kt_path_check_writable(const char *path);

/**
 * Writes `bytes` bytes to a file in the way of kt_report_write_file(): what goes with a report,
 * such as a picture made of one. KT_IO_ERROR with the reason.
 */
KT_API kt_status kt_path_write(const char *path, const void *data, size_t bytes);

/**
 * A duration for people: "12.3 us", four significant digits at most, "-" for NaN. Returns `text`.
 * `bytes` of at least 24 are always enough.
 */
KT_API char *kt_format_ns(char *text, size_t bytes, double ns);

/**
 * The size of a memory for people: "1.5 GiB", "128.0 MiB", below 1 MiB in bytes. Returns `text`.
 * `bytes` of at least 24 are always enough.
 */
KT_API char *kt_format_bytes(char *text, size_t bytes, uint64_t size_bytes);

#ifdef __cplusplus
}
#endif

#endif
