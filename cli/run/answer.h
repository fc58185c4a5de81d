/* SPDX-License-Identifier: MIT */
/*
 * answer.h - which configuration of a contest is the fastest, and which cannot be told apart from
 * it, as data and as a sentence.
 *
 * The caller fills contests and rows, adds the measured series, and calls answer_judge(). Texts and
 * series stay the caller's and must outlive the contest.
 */
#ifndef CLI_RUN_ANSWER_H
#define CLI_RUN_ANSWER_H

#include "cli/run/launch.h"

#include <kerntime/result.h>

/* A -D of a configuration, or "local", with its value: "TILE" and "16". */
typedef struct answer_value {
    const char *name, *value;
} answer_value;

/* The series of one kind of time, by run. */
typedef struct answer_times {
    const kt_series **runs; /* each has samples */
    size_t run_count;
} answer_times;

/* A configuration. Zero what is not known, but NaN for times. */
typedef struct answer_row {
    const char *text; /* configuration.text, with the file in front if subjects differ */
    const answer_value *values;
    size_t value_count;
    launch_outcome outcome;
    const char *reason; /* a sentence; NULL or empty if OK */
    bool is_dropped;    /* it passed, and the race dropped it as surely slower */
    double build_ns, first_use_ns;
    answer_times device, wall; /* by answer_add_series() */
    /* By answer_judge(): median and 95 % interval of the kind of time that answer_row_is_wall()
     * tells; NaN: unknown. Of several runs the median of their medians, and their range. */
    double median_ns, low_ns, high_ns;
    bool in_set; /* it is the fastest, or cannot be told apart from it */
} answer_row;

typedef struct answer_contest {
    const char *device; /* id */
    const char *kernel; /* name in results: "gemm" */
    uint64_t n;
    answer_row *rows;
    size_t row_count;
    /* By answer_judge(). */
    bool is_wall;      /* wall times are compared: not all that were measured have device times */
    size_t fastest;    /* row with the smallest median; SIZE_MAX: none was measured */
    size_t set_count;  /* rows in the set, with the fastest */
    size_t *by_median; /* rows that were measured, fastest first, those that were dropped last */
    size_t measured_count;
} answer_contest;

/* Adds a series of a row, in the order of runs: device or wall time. Ignores one without trusted
 * samples, and those of gaps, span and timestamped wall time. Returns false if memory runs out. */
bool answer_add_series(answer_row *row, const kt_series *series);
/* Sets what is said to be set above. Returns false if memory runs out. */
bool answer_judge(answer_contest *contest);
/* Whether the times of a row of a judged contest are wall times: of the kind that the contest
 * compares, but one that was dropped may have the other kind alone. */
static inline bool answer_row_is_wall(const answer_contest *contest, const answer_row *row)
{
    size_t own = contest->is_wall ? row->wall.run_count : row->device.run_count;
    size_t other = contest->is_wall ? row->device.run_count : row->wall.run_count;
    return contest->is_wall != (row->is_dropped && own == 0 && other > 0);
}
static inline const answer_times *answer_times_of(const answer_contest *contest,
                                                  const answer_row *row)
{
    return answer_row_is_wall(contest, row) ? &row->wall : &row->device;
}
/* "fastest: TILE=16, 1.02 ms ± 0.3 %. Not told apart: TILE=32 (2 of 9). 1 crashed.", or "measured: "
 * if all others failed; "opencl:0, n=1048576: " in front if `is_named`. Empty if the contest has one
 * configuration; NULL if memory runs out. free() it. */
char *answer_sentence(const answer_contest *contest, bool is_named);
/* Frees what judging and adding took, of its rows too; not the rows. */
void answer_free(answer_contest *contest);

#endif
