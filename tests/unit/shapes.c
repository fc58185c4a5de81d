/* SPDX-License-Identifier: MIT */
#include "tests/unit/shapes.h"

#include <math.h>
#include <stdio.h>

#define MADE_MAX 128

static kt_report *reports[MADE_MAX];
static kt_report_comparison *comparisons[MADE_MAX];
static unsigned report_count, comparison_count;

int forget_shapes(void **state)
{
    while (comparison_count > 0)
        kt_report_comparison_destroy(&comparisons[--comparison_count]);
    while (report_count > 0)
        kt_report_destroy(&reports[--report_count]);
    return 0;
}

shape make_shape(double median_ns)
{
    shape s = {.info = make_device("opencl:0", "a device").info,
               .limits = {.resolution_ns = 100, .min_span_ns = 200, .trusted = 1},
               .origin = {.version = "1",
                          .started = "2001-02-03T04:05:06Z",
                          .os = "an os",
                          .cpu = "a processor",
                          .clock = "a clock",
                          .cores = 4}};
    snprintf(s.info.clocks[0].name, sizeof s.info.clocks[0].name, "kernel");
    s.info.clocks[0].period_ns = 10;
    s.info.compute_units = 2;
    s.series = make_series("work/8", "opencl:0", median_ns);
    s.series.method = KT_METHOD_EVENT_PROFILE;
    s.series.clock = "kernel";
    return s;
}

void add(kt_report *report, const shape *s, uint32_t run)
{
    shape copy = *s;
    double scratch[SAMPLES], median_ns = s->series.summary.median;
    for (int i = 0; i < SAMPLES; i++)
        copy.samples_ns[i] = median_ns + i - (SAMPLES - 1) / 2.0;
    if (!isnan(median_ns)) {
        kt_summarize(copy.samples_ns, SAMPLES, 0, scratch, &copy.series.summary);
        copy.series.samples_ns = copy.samples_ns;
    }
    copy.series.run = run;
    EXPECT_OK(kt_report_add_series(report, &copy.series));
}

kt_report *make_report(const shape *s)
{
    kt_report *report = NULL;
    const kt_report_desc desc = {.size = sizeof desc, .origin = &s->origin};
    EXPECT_OK(kt_report_create(&report, &desc));
    EXPECT_OK(kt_report_add_device(report, &s->info, &s->limits));
    assert_true(report_count < MADE_MAX);
    return reports[report_count++] = report;
}

kt_report *make_runs(const shape *s, uint32_t runs)
{
    kt_report *report = make_report(s);
    for (uint32_t run = 0; run < runs; run++) {
        shape one = *s;
        one.series.summary.median *= 1 + 1e-4 * run;
        add(report, &one, run);
    }
    return report;
}

kt_report_comparison *compare_all(const kt_report *const *base, uint32_t baseline_count,
                                  const kt_report *const *new, uint32_t contender_count,
                                  kt_timing timing)
{
    const kt_compare_options options = {.size = sizeof options, .timing = timing};
    const kt_compare_side sides[] = {{.reports = base, .count = baseline_count},
                                     {.reports = new, .count = contender_count}};
    kt_report_comparison *comparison = NULL;
    EXPECT_OK(kt_report_compare(&sides[0], &sides[1], &options, NULL, &comparison));
    assert_true(comparison_count < MADE_MAX);
    return comparisons[comparison_count++] = comparison;
}

kt_report_comparison *compare(const kt_report *base, const kt_report *new)
{
    return compare_all(&base, 1, &new, 1, KT_TIMING_BOTH);
}
