/* SPDX-License-Identifier: MIT */
/*
 * run_statistics.h - summarises the runs of one row per side. Pure.
 *
 * Each run counts once, by its median: the samples of a process show how well that process is
 * known, not what the next process will do. So the variance is that between runs.
 */
#ifndef KT_COMPARE_RUN_STATISTICS_H
#define KT_COMPARE_RUN_STATISTICS_H

#include <kerntime/compare.h>
#include <stdbool.h>
#include <stddef.h>

/* Copies the options of kt_compare_rows() and replaces zeros, except `timing`, by defaults.
 * KT_INVALID: one is out of range. */
kt_status kt_take_compare_options(kt_compare_options *out, const kt_compare_options *options);

typedef struct kt_side {
    uint32_t runs;     /* number of valid runs */
    double mean;       /* mean of the runs' medians in ns; NaN: no valid run */
    double squares;    /* sum of squared relative distances of the medians from the mean */
    double own;        /* mean relative variance of a run's median, by its samples */
    double within;     /* as `own`, over runs that have an interval */
    double spread;     /* mean over runs of the samples' robust deviation, relative to the median */
    double resolution; /* coarsest clock resolution, relative to the mean */
} kt_side;

/* Number of scratch doubles that kt_rank_runs() needs for a row. */
size_t kt_runs_scratch(const kt_compare_row *row);

/* `medians`: scratch. */
kt_side kt_summarize_runs(const kt_compare_run *runs, size_t count, double *medians);

/* Adds two numbers per run: the distance of its log median from the side's mean, times `weight`,
 * and the weight. A single run adds nothing, since its distance is unknown. */
void kt_add_to_centers(const kt_compare_run *runs, size_t count, double weight, double *centers);

typedef struct kt_run_ranks {
    double p;      /* of the rank test */
    double least;  /* smallest p possible for these counts */
    double longer; /* kt_change.p_longer */
} kt_run_ranks;

/* Ranks the medians of the runs, or the samples if each side has one valid run, with the
 * contender's times multiplied by `factor`. */
kt_run_ranks kt_rank_runs(const kt_compare_row *row, double factor, double *scratch);

#endif
