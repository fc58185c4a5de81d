/* compare.h - what changed between two sets of measurements, and how surely. */
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

/** What is said of a row. */
typedef enum kt_verdict {
    KT_VERDICT_NONE = 0,    /**< not compared: it is on one side alone, or not comparable */
    KT_VERDICT_SAME,        /**< shown to be no further apart than twice the minimum effect */
    KT_VERDICT_FASTER,      /**< the new side surely is, by the minimum effect or more */
    KT_VERDICT_SLOWER,      /**< likewise */
    KT_VERDICT_INCONCLUSIVE /**< neither shown: more runs would tell */
} kt_verdict;

/** As in the result file: "inconclusive". Never NULL. */
KT_API const char *kt_verdict_name(kt_verdict verdict);

/* What the members of kt_compare_options mean when they are 0. */
#define KT_MIN_EFFECT_DEFAULT 0.01
#define KT_ALPHA_DEFAULT      0.05
#define KT_RUN_NOISE_DEFAULT  0.005

/* So many witnesses tell what is common to all rows (kt_change_common). */
#define KT_WITNESSES_MIN 10

/** Options. Zero everything but `size` for the defaults. */
typedef struct kt_compare_options {
    size_t size;       /**< sizeof(kt_compare_options) */
    double min_effect; /**< smallest relative change that matters, 0..1; 0: 0.01 */
    double alpha;      /**< share of wrong ones among the rows called different, 0..0.5; 0: 0.05 */
    /** Standard deviation from run to run, relative, that is assumed where a side has a single run:
     * what the next process would do is not seen. 0: 0.005 */
    double run_noise;
    kt_timing timing; /**< KT_TIMING_DEVICE, KT_TIMING_WALL: compare rows of such times alone */
} kt_compare_options;

/* ---- numbers alone: pure functions, no state, any thread ---- */

/** One row as one run measured it. */
typedef struct kt_compare_run {
    const double *samples; /**< summary->n of them, in the order taken; NULL: n is 0 */
    const kt_summary *summary;
} kt_compare_run;

/** One row on both sides. A run with a median that is not above 0 or not finite, or without
 * samples, does not count. Runs at the same place of a side are of one process in all rows: one
 * that lacks a row has there a run that does not count. */
typedef struct kt_compare_row {
    const kt_compare_run *base_runs, *new_runs;
    size_t base_count, new_count;
    /** rows with the same number vary together, as the steps of a job do, and are one witness; 0:
     * by itself */
    uint32_t group;
    int identical; /**< both sides are known to be one measurement, read twice */
} kt_compare_row;

/** What is said of one row. Unknown numbers are NaN. Changes are relative: 0.03 is 3 % slower. */
typedef struct kt_change {
    kt_verdict verdict;
    int identical;                /**< as it was given: one measurement, read twice */
    uint32_t base_runs, new_runs; /**< that count */
    double base_ns, new_ns;       /**< means of the runs' medians */
    double shift;                 /**< of new_ns over base_ns, without what is common to all rows */
    double shift_low, shift_high; /**< its 95 % interval */
    /** of one run's median from its true value: moderated, or assumed and widened */
    double deviation;
    double p;      /**< that a row without a change worth mentioning looks as different */
    double q;      /**< the same, adjusted for the number of rows (Benjamini and Hochberg 1995) */
    double rank_p; /**< two-sided, of the rank test (Mann and Whitney 1947) */
    /** Smallest minimum effect of which the row is shown to be at most twice apart: with it what is
     * inconclusive is the same. NaN: one run on a side. */
    double decidable;
    /** a side, that would decide an inconclusive row; 0: it is decided, or cannot be told */
    uint32_t runs_needed;
} kt_change;

/** What is said of all rows together. */
typedef struct kt_change_common {
    size_t rows; /**< that were compared */
    /** Of them, but for those that are identical: rows of a group are one, and each row without a
     * group is one. */
    size_t witnesses;
    /** common to all witnesses, and taken off each row; 0 where it is not surely there */
    double shift;
    /** its 95 % interval; NaN: fewer than 10 witnesses, or most of them do not agree */
    double shift_low, shift_high;
    /** of the minimum effect or more, and surely more than half of it: the machine, or something
     * shared */
    int matters;
    int unclear; /**< taken off, and not shown to be within twice the minimum effect */
    /** assumed for each run, after the witnesses' own scatter was looked at; NaN: seen, not
     * assumed */
    double run_noise;
} kt_change_common;

/**
 * Compares rows. `out` has room for `count`; `scratch`, aligned as malloc() aligns, for as many
 * bytes as kt_compare_scratch_bytes() says, and may be NULL if `count` is 0.
 * KT_INVALID: an option is out of its range.
 */
KT_API kt_status kt_compare_rows(const kt_compare_row *rows, size_t count,
                                 const kt_compare_options *options, void *scratch, kt_change *out,
                                 kt_change_common *common);
KT_API size_t kt_compare_scratch_bytes(const kt_compare_row *rows, size_t count);

/* ---- reports ---- */

/** Some reports that together are one side: each run of each of them is a run of it. */
typedef struct kt_compare_side {
    const kt_report *const *reports;
    const char *const *names; /**< of the files, say; shown as they are. NULL: no names */
    uint32_t count;
} kt_compare_side;

/** A row of a comparison of reports: a step of a job on a device, or its wall time. */
typedef struct kt_series_change {
    const kt_series *base_series,
        *new_series; /**< each side's first; NULL: only the other side has it */
    kt_change change;
    const char *why; /**< why it was not compared, one sentence; NULL: it was */
    /* Of a row that was compared, for others of its runs have a time: */
    uint32_t base_failed, new_failed; /**< runs that failed */
    /** of the first of them, NEW's before BASE's; NULL: none failed, or it is not known */
    const char *error;
} kt_series_change;

/** Two sides compared. It refers to the reports, which must outlive it and may not be added to. */
typedef struct kt_report_comparison kt_report_comparison;

/**
 * Matches rows by name, parameters, variant, device and step, and compares them. Rows are steps,
 * "total", "span" and "wall"; "gaps" may be 0, and "wall_stamped" is about stamps. Rows of a
 * method, clock, number of trials, grid, device or kind of cache (cold) that differs are not
 * compared, and say why; for wall times and CPUs the host is part of the device. The scenario of a
 * simulated device is not: it is what was changed, unless a report has several of that number.
 * `desc`: the words of the command, and its origin; NULL: none, and as kt_report_create(). Runs of
 * both sides are one measurement if all times that both have hold the same samples, and these
 * change often enough for chance not to repeat them, or the reports began at the same time by the
 * same command. Where that pairs all runs, all rows are `identical`. KT_INVALID: a side without a
 * report, an option out of its range, or two runs of one side that hold the same samples of a real
 * device: one run, given twice, would look like runs that do not differ. Or some of a real device's
 * runs are those of the other side, and others are not. KT_NO_MEMORY.
 */
KT_API kt_status kt_report_compare(const kt_compare_side *base_side,
                                   const kt_compare_side *new_side,
                                   const kt_compare_options *options, const kt_report_desc *desc,
                                   kt_report_comparison **out);
KT_API void kt_report_comparison_destroy(kt_report_comparison **comparison);

/** Rows in the order of the base side, then those that the new side alone has. */
KT_API uint32_t kt_report_comparison_count(const kt_report_comparison *comparison);
/** NULL if index is out of range. */
KT_API const kt_series_change *kt_report_comparison_row(const kt_report_comparison *comparison,
                                                        uint32_t index);
KT_API const kt_change_common *kt_report_comparison_common(const kt_report_comparison *comparison);

/** The whole in one word: slower if a row is; else inconclusive if a row is, if one could not be
 * compared though both sides have it and one of them a time, if BASE alone has a time of one, if a
 * run of NEW failed in one, if nothing could, or if what is common to all rows matters or is
 * unclear; else faster if a row is, else same. */
KT_API kt_verdict kt_report_comparison_verdict(const kt_report_comparison *comparison);

/** More runs than this a side nobody measures to decide a row. */
#define KT_RUNS_USUAL 30

/** What would decide the inconclusive rows. */
typedef struct kt_compare_outlook {
    uint32_t inconclusive; /**< rows */
    uint32_t decided;      /**< so many of them by `runs` runs a side, KT_RUNS_USUAL or fewer */
    uint32_t runs;         /**< 0: none would be decided */
    uint32_t noisy;        /**< so many of them would take more runs */
    /** With which the noisy ones would have been the same, rounded up to two digits. From 1 on
     * nobody can ask for it. 0: none are noisy; NaN: one of them has one run on a side, which
     * cannot tell. */
    double min_effect;
} kt_compare_outlook;

KT_API void kt_report_comparison_outlook(const kt_report_comparison *comparison,
                                         kt_compare_outlook *out);

/** As a table, Markdown or JSON (document "compare"). KT_INVALID: another format. KT_IO_ERROR,
 * KT_NO_MEMORY. */
KT_API kt_status kt_report_comparison_write(const kt_report_comparison *comparison,
                                            kt_format format, const kt_sink *sink);
/** The same to a file, in the way of kt_report_write_file(). */
KT_API kt_status kt_report_comparison_write_file(const kt_report_comparison *comparison,
                                                 kt_format format, const char *path);

#ifdef __cplusplus
}
#endif

#endif
