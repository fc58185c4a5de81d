/* snapshot.h - what the registry holds at a moment: statistics by name, printed and compared. */
#ifndef KERNTIME_SNAPSHOT_H
#define KERNTIME_SNAPSHOT_H

#include <kerntime/api.h>
#include <kerntime/registry.h>
#include <kerntime/result.h>
#include <kerntime/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A name on a backend: all durations since the last reset. What there are too few of is NaN, never
 * 0. */
typedef struct kt_row {
    const char *name;
    kt_backend_id backend;
    uint64_t count;                 /**< durations recorded */
    double total_ns;                /**< 0 of none */
    double min_ns, max_ns, mean_ns; /**< count >= 1 */
    double last_ns;   /**< count >= 1; where several threads record, the newest of one of them */
    double stddev_ns; /**< count >= 2; divisor count - 1 */
    double p50_ns, p95_ns, p99_ns;            /**< count >= 1; as kt_row_percentile() */
    uint64_t discarded[KT_STAMP_STATE_COUNT]; /**< spans of timers without a duration, by why */
    const struct kt_histogram *histogram;     /**< for kt_row_percentile(); NULL: count is 0 */
} kt_row;

/** A snapshot. NULL is an empty one. Each row is consistent in itself; rows differ by the moment in
 * which they were read. It never changes; any number of threads may read it. */
typedef struct kt_snapshot kt_snapshot;

/** Copies the registry while others record. Any thread; one at a time, as others wait.
 * KT_NO_MEMORY. */
KT_API kt_status kt_snapshot_take(kt_snapshot **out);
KT_API void kt_snapshot_destroy(kt_snapshot **snapshot);

/** Rows with at least one duration or discarded span, ordered by name and, of one name, by backend
 * id. */
KT_API uint32_t kt_snapshot_count(const kt_snapshot *snapshot);
/** Lives as long as the snapshot. NULL if index is out of range. */
KT_API const kt_row *kt_snapshot_row(const kt_snapshot *snapshot, uint32_t index);
/** NULL: there is none. */
KT_API const kt_row *kt_snapshot_find(const kt_snapshot *snapshot, const char *name,
                                      kt_backend_id backend);
/** Durations that could not be recorded since the last reset: below 0, not finite, of a site
 * without a name, with a backend that kt_backend_id does not have, or without room: out of memory,
 * or rows, of which there are 65,536. */
KT_API uint64_t kt_snapshot_dropped(const kt_snapshot *snapshot);

/**
 * The duration that `percent` (0..100) of a row's durations are not above (the inverse of the
 * empirical distribution, Hyndman and Fan 1996, type 1), within 2 % from 1/256 ns to 2^48 ns (3
 * days); 0 and 100 are the exact minimum and maximum. NaN: there are none, or `percent` is no
 * percentage.
 */
KT_API double kt_row_percentile(const kt_row *row, double percent);

/** Formats of a snapshot. */
typedef enum kt_snapshot_format {
    KT_SNAPSHOT_TEXT = 0, /**< aligned lines for people: name, backend, avg, min, max, n */
    KT_SNAPSHOT_JSON,     /**< document "registry" of the schema kerntime/1 */
    KT_SNAPSHOT_CSV
} kt_snapshot_format;

/** KT_IO_ERROR: the sink refused. KT_INVALID: no such format. */
KT_API kt_status kt_snapshot_write(const kt_snapshot *snapshot, kt_snapshot_format format,
                                   const kt_sink *sink);
/** The same to a file, in the way of kt_report_write_file(). KT_IO_ERROR with the reason. */
KT_API kt_status kt_snapshot_write_file(const kt_snapshot *snapshot, kt_snapshot_format format,
                                        const char *path);

/** A row before and after a change. */
typedef struct kt_row_change {
    const char *name;
    kt_backend_id backend;
    const kt_row *before, *after; /**< NULL: only the other one has it */
    double speedup; /**< mean before over mean after; NaN: one side has none, or one that is 0 */
    /** 95 % interval of the speed-up, if durations are independent: Welch's, of the difference of
     * the means' logarithms. NaN: one side has fewer than 2 durations. */
    double speedup_low, speedup_high;
} kt_row_change;

/** Rows of two snapshots, matched by name and backend, in the order of rows. */
typedef struct kt_comparison kt_comparison;

/**
 * Matches two snapshots, which must outlive it; either may be NULL, an empty one. What is to be
 * compared must not be in both, so kt_reset() in between. KT_NO_MEMORY.
 */
KT_API kt_status kt_snapshot_compare(const kt_snapshot *before, const kt_snapshot *after,
                                     kt_comparison **out);
KT_API void kt_comparison_destroy(kt_comparison **comparison);
KT_API uint32_t kt_comparison_count(const kt_comparison *comparison);
/** Lives as long as the comparison. NULL if index is out of range. */
KT_API const kt_row_change *kt_comparison_row(const kt_comparison *comparison, uint32_t index);
/** Aligned lines for people. KT_IO_ERROR: the sink refused. */
KT_API kt_status kt_comparison_write(const kt_comparison *comparison, const kt_sink *sink);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_SNAPSHOT_
#include <kerntime/compiled_out.h>
#endif

#endif
