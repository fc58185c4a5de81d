/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Comparison of two sets of measurements, with an interval and a verdict for each row.
 *
 * docs/comparing.md describes the model.
 */
#ifndef KERNTIME_COMPARE_H
#define KERNTIME_COMPARE_H

#include <kerntime/api.h>
#include <kerntime/measure.h>
#include <kerntime/result.h>
#include <kerntime/stats.h>
#include <kerntime/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Verdict on a row, or on a whole comparison. */
typedef enum kt_verdict {
    KT_VERDICT_NONE = 0, /**< not compared: only one side has the row, or it is not comparable */
    KT_VERDICT_SAME,     /**< the change is shown to be at most twice the minimum effect */
    KT_VERDICT_FASTER,   /**< the contender is surely faster, by the minimum effect or more */
    KT_VERDICT_SLOWER,   /**< the contender is surely slower, by the minimum effect or more */
    KT_VERDICT_INCONCLUSIVE,  /**< nothing is shown; more runs would decide */
    KT_VERDICT_LIKELY_FASTER, /**< as KT_VERDICT_LIKELY_SLOWER, in the other direction */
    /** Not sure, as both sides have one run: the contender takes KT_LIKELY_RATIO times as long or
     * more, and its samples hardly overlap with the baseline's (KT_LIKELY_P). */
    KT_VERDICT_LIKELY_SLOWER,
    KT_VERDICT_COUNT /**< number of verdicts */
} kt_verdict;

/**
 * Name of a verdict as in the result file, such as "likely_slower".
 *
 * Threads: any.
 *
 * @param verdict any value
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_verdict_name(kt_verdict verdict);

/** Minimum effect if kt_compare_options.min_effect is 0. */
#define KT_MIN_EFFECT_DEFAULT 0.01
/** Share of wrong calls if kt_compare_options.alpha is 0. */
#define KT_ALPHA_DEFAULT 0.05
/** Noise from run to run if kt_compare_options.run_noise is 0. */
#define KT_RUN_NOISE_DEFAULT 0.005

/** Least ratio of the medians of a likely change. */
#define KT_LIKELY_RATIO 1.5
/** Least probability that a sample of the slower side is longer, of a likely change. */
#define KT_LIKELY_P 0.99

/** Least number of independent groups for a common-mode shift (kt_common_mode_shift). */
#define KT_GROUPS_MIN 10

/** Options of a comparison. Zero everything but `size` for the defaults. */
typedef struct kt_compare_options {
    size_t size;       /**< sizeof(kt_compare_options) */
    double min_effect; /**< minimum effect: smallest relative change that matters, 0..1; 0: 0.01 */
    double alpha; /**< largest share of wrong calls among slower and faster rows, 0..0.5; 0: 0.05 */
    /** Relative standard deviation from run to run, 0..1, assumed where a side has a single run,
     * since one run does not show what the next process would do; 0: 0.005. */
    double run_noise;
    kt_timing timing; /**< KT_TIMING_DEVICE, KT_TIMING_WALL: compare only such rows */
} kt_compare_options;

/* ---- numbers only: pure functions, no state, any thread ---- */

/** One row as one run measured it. */
typedef struct kt_compare_run {
    const double *samples;     /**< summary->n samples in the order taken; NULL: n is 0 */
    const kt_summary *summary; /**< summary of the samples */
} kt_compare_run;

/**
 * One row with the runs of both sides.
 *
 * - A run does not count if it has no samples, or if its median is not finite or not above 0.
 * - Runs at the same index of a side are of one process in all rows. A process that lacks a row has
 *   a run there that does not count.
 */
typedef struct kt_compare_row {
    const kt_compare_run *baseline_runs, /**< baseline_count runs of the baseline */
        *contender_runs;                 /**< contender_count runs of the contender */
    size_t baseline_count,               /**< number of baseline runs */
        contender_count;                 /**< number of contender runs */
    /** Group: rows with the same nonzero number vary together, as the steps of a job do; 0: the row
     * is a group of its own. */
    uint32_t group;
    int identical; /**< 1: both sides are known to be one measurement, read twice */
} kt_compare_row;

/**
 * Result for one row.
 *
 * Changes are relative: 0.03 is 3 % slower. An unknown number is NaN.
 */
typedef struct kt_change {
    kt_verdict verdict;     /**< verdict on the row */
    int identical;          /**< kt_compare_row.identical of a compared row */
    uint32_t baseline_runs, /**< baseline runs that count */
        contender_runs;     /**< contender runs that count */
    double baseline_ns,     /**< mean of the baseline runs' medians, in ns */
        contender_ns;       /**< mean of the contender runs' medians, in ns */
    double shift;     /**< change of contender_ns over baseline_ns, without the common-mode shift */
    double shift_low, /**< lower end of the 95 % interval of `shift` */
        shift_high;   /**< upper end of the 95 % interval of `shift` */
    /** Relative standard deviation of one run's median: after variance shrinkage, or assumed and
     * widened. */
    double deviation;
    double p; /**< probability that a row with a change that does not matter looks as different */
    double q; /**< p adjusted for the number of rows (Benjamini and Hochberg 1995) */
    double rank_p; /**< two-sided p of the rank test (Mann and Whitney 1947) */
    /** Probability that a sample of the contender, without the common-mode shift, is longer than
     * one of the baseline (Mann and Whitney 1947). NaN: a side has several runs. */
    double p_longer;
    /** Minimum detectable effect: smallest min_effect that would make an inconclusive row "same".
     * NaN: a side has one run. */
    double min_detectable_effect;
    /** Runs per side that would decide an inconclusive or likely row; 0: decided, or unknown. */
    uint32_t runs_needed;
} kt_change;

/** Common-mode shift: the relative change that nearly all groups of rows share. */
typedef struct kt_common_mode_shift {
    size_t rows; /**< rows compared */
    /** Independent groups among the compared rows that are not identical. Rows of one group count
     * once, and so does each row without a group. */
    size_t groups;
    /** Groups whose rows, most of them, surely changed by more or less than a significant shift; at
     * least 1 if a row contradicts: it would be faster without the shift where most are slower, or
     * the reverse. If one does, or these are more than a tenth, nothing is subtracted. */
    size_t exceptions;
    /** Shift of nearly all groups, subtracted from each row; 0: nothing was subtracted, since its
     * 95 % interval includes 0, or because of `exceptions`. */
    double shift;
    /** Lower end of the 95 % interval of the shift that most groups share, subtracted or not; NaN:
     * fewer than 10 groups, or most of them disagree. */
    double shift_low, shift_high; /**< upper end of its 95 % interval; NaN as shift_low */
    /** 1: it was subtracted, is the minimum effect or more, and surely above half of it. The
     * machine changed, or something that all rows share. */
    int matters;
    int unclear; /**< 1: it was subtracted, and may exceed twice the minimum effect */
    /** Noise assumed for each run, after a look at the scatter of the groups; NaN: it was measured,
     * not assumed. */
    double run_noise;
} kt_common_mode_shift;

/**
 * Compares rows.
 *
 * Threads: any; it has no state.
 *
 * @param rows `count` rows; may be NULL if `count` is 0
 * @param count number of rows
 * @param options NULL: the defaults
 * @param scratch kt_compare_scratch_bytes() bytes, aligned as by malloc(); may be NULL if `count`
 * is 0
 * @param[out] out `count` results, in the order of the rows
 * @param[out] common common-mode shift of all rows
 * @return KT_OK, or
 * - KT_INVALID: an option is out of range
 */
KT_API kt_status kt_compare_rows(const kt_compare_row *rows, size_t count,
                                 const kt_compare_options *options, void *scratch, kt_change *out,
                                 kt_common_mode_shift *common);

/**
 * Scratch memory that kt_compare_rows() needs.
 *
 * Threads: any.
 *
 * @param rows `count` rows
 * @param count number of rows
 * @return bytes
 */
KT_API size_t kt_compare_scratch_bytes(const kt_compare_row *rows, size_t count);

/* ---- reports ---- */

/** Reports that together are one side: each run of each report is a run of the side. */
typedef struct kt_compare_side {
    const kt_report *const *reports; /**< `count` reports */
    const char *const *names;        /**< `count` names (of files), shown as they are; NULL: none */
    uint32_t count;                  /**< number of reports, at least 1 */
} kt_compare_side;

/** A row of a comparison of reports: a step of a job on a device, or its wall time. */
typedef struct kt_series_change {
    const kt_series *baseline_series, /**< first series of the baseline; NULL: it lacks the row */
        *contender_series;            /**< first series of the contender; NULL: it lacks the row */
    kt_change change;                 /**< result */
    const char *reason;       /**< one sentence on why the row was not compared; NULL: it was */
    uint32_t baseline_failed, /**< baseline runs that failed, of a row that was compared */
        contender_failed;     /**< contender runs that failed, of a row that was compared */
    /** Error of the first failed run, the contender's before the baseline's; NULL: none failed, or
     * unknown. */
    const char *error;
    /** Difference of the device's state in the contender's runs, which may be all that changed:
     * "core clock 1410 -> 1200 MHz (-15 %); power limit 400 -> 300 W (-25 %)". NULL: nothing known,
     * or the row was not compared. */
    const char *state_change;
} kt_series_change;

/**
 * A comparison of two sides.
 *
 * - It refers to the reports: they must outlive it, and nothing may be added to them meanwhile.
 * - Rows, and all they point to, live as long as the comparison.
 */
typedef struct kt_report_comparison kt_report_comparison;

/**
 * Matches rows of two sides by name, parameters, variant, device and step, and compares them.
 *
 * - Rows are steps, "total", "span" and "wall". Not "gaps", which may be 0, nor "wall_timestamped",
 *   which is about timestamps.
 * - Rows that differ in method, clock, number of trials, clock resolution, device or state of the
 *   caches (cold) are not compared, and give the reason. For wall times and CPUs the host is part
 *   of the device.
 * - A row is compared, and its `state_change` says so, where core or memory clock differ by more
 *   than 2 % and their ranges in all runs do not overlap, where the power limits differ by more
 *   than 1 %, or where one side alone was throttled. A program's kernel need not have changed then.
 * - The scenario of a simulated device may differ, since it is what was changed, unless a report
 *   has several scenarios of that device number.
 * - Two reports are one result if they are one handle, or have the same id (kt_report_origin). If
 *   both sides have the same results, all rows are `identical`. Reports without an id, as of
 *   simulated devices, are never duplicate runs.
 *
 * @param baseline_side reports of the baseline
 * @param contender_side reports of the contender
 * @param options NULL: the defaults
 * @param desc command words and origin of the document; NULL: no words, and the origin that
 * kt_report_create() chooses
 * @param[out] out the comparison; destroy it with kt_report_comparison_destroy()
 * @return KT_OK, or
 * - KT_INVALID: a side has no report
 * - KT_INVALID: an option is out of range
 * - KT_INVALID: two reports of one side are one result: duplicate runs look like runs that do not
 *   differ
 * - KT_INVALID: some reports are also reports of the other side, and others are not
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_report_compare(const kt_compare_side *baseline_side,
                                   const kt_compare_side *contender_side,
                                   const kt_compare_options *options, const kt_report_desc *desc,
                                   kt_report_comparison **out);

/**
 * Frees a comparison, and not its reports.
 *
 * @param comparison address of the handle; set to NULL; may hold NULL
 */
KT_API void kt_report_comparison_destroy(kt_report_comparison **comparison);

/**
 * Number of rows: those of the baseline in their order, then those that only the contender has.
 *
 * @param comparison any comparison
 * @return number of rows
 */
KT_API uint32_t kt_report_comparison_count(const kt_report_comparison *comparison);

/**
 * One row.
 *
 * @param comparison owner of the row
 * @param index number of the row, from 0
 * @return the row, or NULL if `index` is out of range
 */
KT_API const kt_series_change *kt_report_comparison_row(const kt_report_comparison *comparison,
                                                        uint32_t index);

/**
 * Common-mode shift of all rows.
 *
 * @param comparison owner of the result
 * @return the shift, never NULL
 */
KT_API const kt_common_mode_shift *kt_report_comparison_common_mode(
    const kt_report_comparison *comparison);

/**
 * Verdict on the whole comparison.
 *
 * @param comparison any comparison
 * @return the first of these that holds:
 * - KT_VERDICT_SLOWER: a row is slower
 * - KT_VERDICT_LIKELY_SLOWER: a row is likely slower
 * - KT_VERDICT_INCONCLUSIVE: a row is inconclusive
 * - KT_VERDICT_INCONCLUSIVE: a row that both sides have, at least one with a time, was not compared
 * - KT_VERDICT_INCONCLUSIVE: only the baseline has a time of a row
 * - KT_VERDICT_INCONCLUSIVE: a run of the contender failed in a row
 * - KT_VERDICT_INCONCLUSIVE: no row could be compared
 * - KT_VERDICT_INCONCLUSIVE: the common-mode shift matters or is unclear
 * - KT_VERDICT_LIKELY_FASTER: a row is likely faster
 * - KT_VERDICT_FASTER: a row is faster
 * - KT_VERDICT_SAME: otherwise
 */
KT_API kt_verdict kt_report_comparison_verdict(const kt_report_comparison *comparison);

/** Largest number of runs per side worth measuring to decide a row. */
#define KT_RUNS_USUAL 30

/** Runs, or minimum effect, that would decide the inconclusive rows. */
typedef struct kt_compare_outlook {
    uint32_t inconclusive; /**< inconclusive rows */
    uint32_t decided;      /**< rows of these that `runs` runs per side would decide */
    uint32_t runs;         /**< at most KT_RUNS_USUAL; 0: none would be decided */
    uint32_t noisy;        /**< rows that would need more than KT_RUNS_USUAL runs */
    /** Minimum effect with which the noisy rows would be "same", rounded up to two digits. From 1
     * on it is no valid option. 0: no row is noisy; NaN: a noisy row has one run on a side. */
    double min_effect;
} kt_compare_outlook;

/**
 * Estimates what would decide the inconclusive rows.
 *
 * @param comparison any comparison
 * @param[out] out the outlook; owned by the caller
 */
KT_API void kt_report_comparison_outlook(const kt_report_comparison *comparison,
                                         kt_compare_outlook *out);

/**
 * Writes a comparison (document "compare").
 *
 * @param comparison any comparison
 * @param format KT_FORMAT_TABLE, KT_FORMAT_MARKDOWN or KT_FORMAT_JSON
 * @param sink where the bytes go
 * @return KT_OK, or
 * - KT_INVALID: another format
 * - KT_IO_ERROR: the sink refused
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_report_comparison_write(const kt_report_comparison *comparison,
                                            kt_format format, const kt_sink *sink);

/**
 * Writes a comparison to a file, as kt_report_write_file() does.
 *
 * @param comparison any comparison
 * @param format as of kt_report_comparison_write()
 * @param path the file
 * @return KT_OK, or
 * - KT_INVALID: another format
 * - KT_IO_ERROR: the file could not be written; the error text has the reason
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_report_comparison_write_file(const kt_report_comparison *comparison,
                                                 kt_format format, const char *path);

#ifdef __cplusplus
}
#endif

#endif
