/* SPDX-License-Identifier: MIT */
/* made_contest.h - contests of configurations with made-up times. */
#ifndef MADE_CONTEST_H
#define MADE_CONTEST_H

#include "cli/run/answer.h"
#include "tests/unit/testing.h"
#include <stdlib.h>

#define SAMPLES 40
#define ROWS    64

/* A series with samples around a time, ±0.5 %, in an order that `seed` turns. */
typedef struct made_series {
    kt_series series;
    double samples_ns[SAMPLES];
} made_series;

static inline const kt_series *make_series(made_series *out, kt_series_kind kind, double ns,
                                           unsigned seed)
{
    double scratch[SAMPLES];
    for (unsigned i = 0; i < SAMPLES; i++)
        out->samples_ns[i] = ns * (1 + 0.001 * ((double)((i * 7 + seed * 3) % 11) - 5));
    out->series = (kt_series){.step = kind == KT_SERIES_WALL ? "wall" : "gemm",
                              .kind = kind,
                              .samples_ns = out->samples_ns};
    kt_summarize(out->samples_ns, SAMPLES, 0, scratch, &out->series.summary);
    return &out->series;
}

typedef struct made_contest {
    answer_contest contest;
    answer_row rows[ROWS]; /* `contest.rows` once one is added */
    made_series series[2 * ROWS];
    size_t series_count;
} made_contest;

static inline made_contest make_contest(size_t rows)
{
    return (made_contest){
        .contest = {.device = "sim:0", .kernel = "gemm", .n = 1024, .row_count = rows}};
}

static inline void add(made_contest *to, size_t row, const char *text, kt_series_kind kind,
                       double ns)
{
    to->contest.rows = to->rows;
    to->rows[row].text = text;
    made_series *made = &to->series[to->series_count++];
    assert_true(
        answer_add_series(&to->rows[row], make_series(made, kind, ns, (unsigned)to->series_count)));
}

static inline void fail_row(made_contest *to, size_t row, launch_outcome outcome,
                            const char *reason)
{
    to->contest.rows = to->rows;
    free(to->rows[row].device.runs);
    free(to->rows[row].wall.runs);
    to->rows[row] = (answer_row){.text = "TILE=1", .outcome = outcome, .reason = reason};
}

#endif
