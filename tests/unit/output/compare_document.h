/* SPDX-License-Identifier: MIT */
/* compare_document.h - a comparison made by hand, and its table. */
#ifndef TESTS_UNIT_COMPARE_DOCUMENT_H
#define TESTS_UNIT_COMPARE_DOCUMENT_H

#include "output/compare/compare.h"
#include "tests/unit/collect.h"
#include "tests/unit/documents.h"

#include <stdio.h>

#define ROWS_MAX 400

static kt_series series[ROWS_MAX];
static kt_series_change changes[ROWS_MAX];
static kt_document head;
static kt_compare_document document;

static const char *const baseline_names[] = {"base.json"}, *const contender_names[] = {"new.json"};
static const char *const baseline_started[] = {"2026-01-30T12:00:00Z"};
static const char *const contender_started[] = {"2026-01-31T12:00:00Z"};

static inline int begin(void **state)
{
    head = make_document(NULL, 0);
    head.desc.document = "compare";
    document = (kt_compare_document){
        .head = &head,
        .baseline_side = {baseline_names, baseline_started, 1, 5},
        .contender_side = {contender_names, contender_started, 1, 5},
        .options = {.min_effect = 0.01, .alpha = 0.05, .run_noise = 0.005},
        .changes = changes,
        .common = {.shift_low = -0.0001, .shift_high = 0.0001, .run_noise = NAN},
        .verdict = KT_VERDICT_SAME};
    return 0;
}

/* A time of 1 ms before. */
static inline kt_series_change *add(const char *name, kt_verdict verdict, double low, double shift,
                                    double high)
{
    uint32_t at = document.change_count++;
    series[at] = make_series(name, "gpu:0", 1e6);
    changes[at] = (kt_series_change){.baseline_series = &series[at],
                                     .contender_series = &series[at],
                                     .change = {.verdict = verdict,
                                                .baseline_runs = 5,
                                                .contender_runs = 5,
                                                .baseline_ns = 1e6,
                                                .contender_ns = 1e6 * (1 + shift),
                                                .shift = shift,
                                                .shift_low = low,
                                                .shift_high = high,
                                                .deviation = NAN,
                                                .p = NAN,
                                                .q = NAN,
                                                .rank_p = NAN,
                                                .p_longer = NAN}};
    document.common.rows += verdict != KT_VERDICT_NONE;
    document.common.groups = document.common.rows;
    return &changes[at];
}

static inline void make_wall(uint32_t at)
{
    series[at].kind = KT_SERIES_WALL;
    series[at].step = "wall";
}

static inline void not_compared(const char *name, const char *step, const char *reason)
{
    add(name, KT_VERDICT_NONE, NAN, NAN, NAN)->reason = reason;
    series[document.change_count - 1].step = step;
}

static inline const char *print(const kt_style *style)
{
    const kt_sink sink = {.write = collect};
    kt_writer writer = {.sink = &sink};
    output_bytes = 0;
    output[0] = '\0';
    kt_print_compare(&document, style, &writer);
    kt_flush(&writer);
    assert_int_equal(writer.status, KT_OK);
    return output;
}

static inline const char *print_table(void)
{
    return print(&kt_style_aligned);
}

static inline const char *print_markdown(void)
{
    return print(&kt_style_markdown);
}

#endif
