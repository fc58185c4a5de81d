/* SPDX-License-Identifier: MIT */
/* rows.h - rows whose runs have known medians, and their comparison. */
#ifndef TESTS_UNIT_COMPARE_ROWS_H
#define TESTS_UNIT_COMPARE_ROWS_H

#include "bench/accuracy/compared.h"
#include "tests/unit/testing.h"

#include <kerntime/compare.h>
#include <stdlib.h>

enum { ROWS_MAX = 64, RUNS_MAX = 40, SAMPLES = 20 };

/* Rows whose runs have the medians that were asked for. */
typedef struct table {
    double samples[2][ROWS_MAX][RUNS_MAX][SAMPLES];
    kt_summary summaries[2][ROWS_MAX][RUNS_MAX];
    kt_compare_run runs[2][ROWS_MAX][RUNS_MAX];
    kt_compare_row rows[ROWS_MAX];
    size_t count;
    kt_change changes[ROWS_MAX];
    kt_common_mode_shift common;
} table;

/* The one table, emptied. */
static inline table *new_table(void)
{
    static table t;
    memset(&t, 0, sizeof t);
    return &t;
}

/* Samples around a median, 0.1 % to either side. */
static inline void add_run(table *t, int side, double median, double resolution)
{
    kt_compare_row *row = &t->rows[t->count];
    size_t *count = side ? &row->contender_count : &row->baseline_count;
    double *samples = t->samples[side][t->count][*count], scratch[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        samples[i] = median * (1 + (i % 2 ? 1e-5 : -1e-5) * (i - i % 2 + 1));
    kt_summary *summary = &t->summaries[side][t->count][*count];
    kt_summarize(samples, SAMPLES, resolution, scratch, summary);
    summary->median = median;
    summary->resolution = resolution;
    t->runs[side][t->count][(*count)++] = (kt_compare_run){samples, summary};
    row->baseline_runs = t->runs[0][t->count];
    row->contender_runs = t->runs[1][t->count];
}

static inline kt_compare_row *add_row(table *t, size_t base, const double *base_medians, size_t new,
                                      const double *new_medians)
{
    for (size_t i = 0; i < base; i++)
        add_run(t, 0, base_medians[i], 0);
    for (size_t i = 0; i < new; i++)
        add_run(t, 1, new_medians[i], 0);
    return &t->rows[t->count++];
}

/* Medians of `runs` runs a side, noisy around a center each. */
static inline void make_noisy(double *base, double base_center, double *new, double new_center,
                              size_t runs, double spread, uint64_t *random)
{
    for (size_t k = 0; k < runs; k++) {
        base[k] = base_center * (1 + spread * noise_normal(random));
        new[k] = new_center *(1 + spread * noise_normal(random));
    }
}

/* In memory of exactly as many bytes as asked for, so that a sanitizer sees what is beyond. */
static inline kt_status compare_with(table *t, const kt_compare_options *options)
{
    size_t bytes = kt_compare_scratch_bytes(t->rows, t->count);
    void *scratch = malloc(bytes ? bytes : 1);
    assert_non_null(scratch);
    memset(scratch, 0xff, bytes);
    kt_status status = kt_compare_rows(t->rows, t->count, options, scratch, t->changes, &t->common);
    free(scratch);
    return status;
}

static inline void compare(table *t)
{
    EXPECT_OK(compare_with(t, NULL));
}

static inline void expect_verdict(const table *t, size_t row, kt_verdict verdict)
{
    const kt_change *change = &t->changes[row];
    if (change->verdict != verdict)
        fail_msg("row %zu is %s, not %s: shift %g (%g .. %g), p %g, q %g, rank p %g", row,
                 kt_verdict_name(change->verdict), kt_verdict_name(verdict), change->shift,
                 change->shift_low, change->shift_high, change->p, change->q, change->rank_p);
}

/* Rows from..to-1. */
static inline void expect_verdicts(const table *t, size_t from, size_t to, kt_verdict verdict)
{
    for (size_t i = from; i < to; i++)
        expect_verdict(t, i, verdict);
}

#endif
