/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Snapshots of the registry: statistics by name, printed and compared.
 */
#ifndef KERNTIME_SNAPSHOT_H
#define KERNTIME_SNAPSHOT_H

#include <kerntime/api.h>
#include <kerntime/registry.h>
#include <kerntime/result.h>
#include <kerntime/status.h>
#include <kerntime/units.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * One name on one backend: statistics of all durations since the last reset.
 *
 * A statistic of too few durations is NaN, never 0.
 */
typedef struct kt_row {
    const char *name;      /**< name of the row */
    kt_backend_id backend; /**< backend of the row */
    uint64_t count;        /**< durations recorded */
    double total_ns;       /**< sum; 0 for no durations */
    double min_ns,         /**< shortest duration; count >= 1 */
        max_ns,            /**< longest duration; count >= 1 */
        mean_ns;           /**< mean; count >= 1 */
    double last_ns;        /**< count >= 1; if several threads record, the newest of one of them */
    double stddev_ns;      /**< standard deviation, divisor count - 1; count >= 2 */
    double p50_ns,         /**< median, as by kt_row_percentile(); count >= 1 */
        p95_ns,            /**< 95th percentile; count >= 1 */
        p99_ns;            /**< 99th percentile; count >= 1 */
    uint64_t discarded[KT_TIMESTAMP_STATE_COUNT]; /**< spans without a duration, by state */
    const struct kt_accumulator *histogram;       /**< for kt_row_percentile(); NULL: count is 0 */
    /**
     * Durations that contain host time, as after a blocking call: the thread slept between
     * kt_timer_start() and kt_timer_stop(), and the stop came when the queue was idle.
     *
     * - A lower bound. Known on OpenCL and Linux only, of spans of 20 us or more, from the second
     *   span of a timer on, and not where blocking calls spin.
     * - They are in `count`.
     */
    uint64_t stop_late;
    /**
     * 99 % uncertainty that the period of the CPU's counter gives to all durations, relative to
     * them. A later snapshot may differ by as much. NaN: none was timed by the counter.
     */
    double period_uncertainty;
} kt_row;

/**
 * A snapshot of the registry. NULL is an empty one.
 *
 * - Each row is consistent in itself; rows differ by the moment in which they were read.
 * - Threads: any number may read it, since it never changes.
 */
typedef struct kt_snapshot kt_snapshot;

/**
 * Copies the registry while other threads record.
 *
 * Threads: any; one at a time, others wait.
 *
 * @param[out] out the snapshot; destroy it with kt_snapshot_destroy()
 * @return KT_OK, or
 * - KT_INVALID: `out` is NULL
 * - KT_NO_MEMORY: the host is out of memory
 * - KT_NOT_READY: a signal handler interrupted this thread in the registry, or a thread stood still
 *   in the middle of a record for 2 s
 */
KT_API kt_status kt_snapshot_take(kt_snapshot **out);

/**
 * Frees a snapshot, with its rows.
 *
 * @param snapshot address of the handle; set to NULL; may hold NULL
 */
KT_API void kt_snapshot_destroy(kt_snapshot **snapshot);

/**
 * Number of rows with at least one duration or discarded span, ordered by name, then by backend id.
 *
 * @param snapshot any snapshot, or NULL
 * @return number of rows
 */
KT_API uint32_t kt_snapshot_count(const kt_snapshot *snapshot);

/**
 * One row of a snapshot.
 *
 * @param snapshot owner of the row, or NULL
 * @param index number of the row, from 0
 * @return the row, which lives as long as the snapshot, or NULL if `index` is out of range
 */
KT_API const kt_row *kt_snapshot_row(const kt_snapshot *snapshot, uint32_t index);

/**
 * Finds a row by name and backend.
 *
 * @param snapshot owner of the row, or NULL
 * @param name name of the row
 * @param backend backend of the row
 * @return the row, which lives as long as the snapshot, or NULL if there is none
 */
KT_API const kt_row *kt_snapshot_find(const kt_snapshot *snapshot, const char *name,
                                      kt_backend_id backend);

/**
 * Number of dropped durations since the last reset: those that could not be recorded.
 *
 * Reasons: below 0, not finite, or above 1e18 ns (31 years); a site without a name or with an
 * unknown backend; out of memory; more than 65,536 rows.
 *
 * @param snapshot any snapshot, or NULL
 * @return number of durations
 */
KT_API uint64_t kt_snapshot_dropped(const kt_snapshot *snapshot);

/**
 * Percentile of a row's durations: `percent` of them are not above it.
 *
 * - Definition: inverse of the empirical distribution (Hyndman and Fan 1996, type 1).
 * - Accuracy: within 2 % from 1/256 ns (kt_record_cycles(): one tick) to 2^48 ns (3 days), and 4 %
 *   in a row to which both kt_record() and kt_record_cycles() record. 0 and 100 are the exact
 *   minimum and maximum.
 *
 * @param row any row
 * @param percent 0..100
 * @return duration in ns, or NaN if there are no durations or `percent` is out of range
 */
KT_API double kt_row_percentile(const kt_row *row, double percent);

/**
 * Writes a snapshot.
 *
 * @param snapshot any snapshot, or NULL
 * @param format KT_FORMAT_TABLE, KT_FORMAT_JSON or KT_FORMAT_CSV
 * @param sink where the bytes go
 * @return KT_OK, or
 * - KT_INVALID: no such format
 * - KT_IO_ERROR: the sink refused
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_snapshot_write(const kt_snapshot *snapshot, kt_format format,
                                   const kt_sink *sink);

/**
 * Writes a snapshot to a file, as kt_report_write_file() does.
 *
 * @param snapshot any snapshot, or NULL
 * @param format KT_FORMAT_TABLE, KT_FORMAT_JSON or KT_FORMAT_CSV
 * @param path the file
 * @return KT_OK, or
 * - KT_INVALID: no such format
 * - KT_IO_ERROR: the file could not be written; the error text has the reason
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_snapshot_write_file(const kt_snapshot *snapshot, kt_format format,
                                        const char *path);

/**
 * Prints all rows as a table: takes a snapshot and writes it. Spans in flight are not in it:
 * collect them first.
 *
 * Threads: any.
 *
 * @param file open file, such as stdout
 * @return KT_OK, or
 * - KT_INVALID: `file` is NULL
 * - KT_IO_ERROR: the file could not be written
 * - KT_NO_MEMORY, KT_NOT_READY: as of kt_snapshot_take()
 */
KT_API kt_status kt_registry_print(FILE *file);

/**
 * Writes the registry when the program exits, as KT_REPORT=`path` in the environment does.
 *
 * - When: at exit() or return from main(), after the program's own exit handlers and destructors.
 *   Not after _exit(), quick_exit(), abort() or a signal that ends the process.
 * - KT_REPORT, if it is set, goes before this call. Of several calls the last one counts.
 * - It calls no driver. Spans that were not collected count as lost: call kt_timer_context_wait()
 *   or kt_timer_context_close() before.
 * - A relative path begins at the folder of this call; KT_REPORT at that of the program's start.
 *   "%p" in it becomes the number of the process.
 * - fork(): a child writes nothing, unless the path has "%p" or the child calls this itself.
 * - Failure at exit: one sentence on standard error. The exit code stays.
 * - A library that holds libkerntime.a writes when it is unloaded.
 * - Threads: any.
 *
 * @param path a file that ends with .txt (a table), .json or .csv; "-" or "stderr": a table on
 * standard output or standard error
 * @return KT_OK, or
 * - KT_INVALID: `path` is NULL or ends otherwise
 * - KT_IO_ERROR: the file cannot be written; the error text has the reason
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_report_at_exit(const char *path);

/** A row before and after a change of the program. */
typedef struct kt_row_change {
    const char *name;      /**< name of the row */
    kt_backend_id backend; /**< backend of the row */
    const kt_row *before,  /**< row of the snapshot before; NULL: it lacks the row */
        *after;            /**< row of the snapshot after; NULL: it lacks the row */
    double speedup;        /**< mean before over mean after; NaN: a mean is missing or 0 */
    /** Lower end of the 95 % interval of `speedup`, if durations are independent, and many or not
     * very skewed: Welch's, of the difference of the means' logarithms. NaN: a side has fewer than
     * 2 durations. */
    double speedup_low, speedup_high; /**< upper end of that interval; NaN as speedup_low */
} kt_row_change;

/**
 * Rows of two snapshots, matched by name and backend, in the order of rows.
 *
 * The snapshots must outlive it.
 */
typedef struct kt_comparison kt_comparison;

/**
 * Matches two snapshots.
 *
 * A duration must not be in both snapshots, so call kt_reset() between the two.
 *
 * @param before earlier snapshot; must outlive the comparison; NULL: an empty one
 * @param after later snapshot; must outlive the comparison; NULL: an empty one
 * @param[out] out the comparison; destroy it with kt_comparison_destroy()
 * @return KT_OK, or
 * - KT_INVALID: a required pointer is NULL
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_snapshot_compare(const kt_snapshot *before, const kt_snapshot *after,
                                     kt_comparison **out);

/**
 * Frees a comparison, and not its snapshots.
 *
 * @param comparison address of the handle; set to NULL; may hold NULL
 */
KT_API void kt_comparison_destroy(kt_comparison **comparison);

/**
 * Number of rows of a comparison.
 *
 * @param comparison any comparison, or NULL
 * @return number of rows
 */
KT_API uint32_t kt_comparison_count(const kt_comparison *comparison);

/**
 * One row of a comparison.
 *
 * @param comparison owner of the row
 * @param index number of the row, from 0
 * @return the row, which lives as long as the comparison, or NULL if `index` is out of range
 */
KT_API const kt_row_change *kt_comparison_row(const kt_comparison *comparison, uint32_t index);

/**
 * Writes a comparison as aligned lines for people.
 *
 * @param comparison any comparison, or NULL
 * @param sink where the bytes go
 * @return KT_OK, or
 * - KT_INVALID: `sink` is NULL
 * - KT_IO_ERROR: the sink refused
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_comparison_write(const kt_comparison *comparison, const kt_sink *sink);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_SNAPSHOT_
#include <kerntime/compiled_out.h>
#endif

#endif
