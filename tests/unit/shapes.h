/* SPDX-License-Identifier: MIT */
/* shapes.h - reports that differ in how their times were taken, and comparisons of them. */
#ifndef KT_SHAPES_H
#define KT_SHAPES_H

#include "tests/unit/documents.h"

#include <kerntime/compare.h>

#define SAMPLES 12

/* How one time of a report was taken, and where. */
typedef struct shape {
    kt_device_info info;
    kt_timer_limits limits;
    kt_report_origin origin;
    kt_series series;
    double samples_ns[SAMPLES];
} shape;

/* "work" on a device with one clock, so long, and each sample a ns longer than the one before. */
shape make_shape(double median_ns);

/* What a shape says of the report, and its device. */
kt_report *make_report(const shape *s);
/* The samples are those around its median; NaN: it has none. */
void add(kt_report *report, const shape *s, uint32_t run);
/* So many runs, each 0.01 % longer than the one before. */
kt_report *make_runs(const shape *s, uint32_t runs);

kt_report_comparison *compare_all(const kt_report *const *base, uint32_t baseline_count,
                                  const kt_report *const *new, uint32_t contender_count,
                                  kt_timing timing);
kt_report_comparison *compare(const kt_report *base, const kt_report *new);

/* Frees all reports and comparisons that these functions made: the teardown of each test. */
int forget_shapes(void **state);

#endif
