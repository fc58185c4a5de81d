/* SPDX-License-Identifier: MIT */
#include "bench/cost/result.h"

#include "bench/bench.h"

#include <kerntime/kerntime.h>
#include <math.h>
#include <stdio.h>

#define SHARE 8 /* one of so many rounds */

static kt_report *report;
static kt_device_info host;

static int said(kt_status status)
{
    if (status != KT_OK)
        fprintf(stderr, "kerntime-bench: --result: %s\n", kt_error_text());
    return status != KT_OK;
}

int result_begin(void)
{
    const kt_context_options options = {.size = sizeof options, .backends = "cpu"};
    kt_context *context = NULL;
    kt_status status = kt_context_create(&context, &options);
    if (status == KT_OK)
        status = kt_device_describe(context, "cpu:0", &host);
    if (status == KT_OK)
        status = kt_report_create(&report, NULL);
    kt_context_destroy(&context);
    return said(status);
}

int result_rounds(int all)
{
    return report ? all / SHARE : all;
}

int result_series(const char *name, const kt_device_info *device, const double *kerntime_ns,
                  const double *by_hand_ns, size_t rounds)
{
    double samples_ns[BENCH_VALUES_MAX], scratch[BENCH_VALUES_MAX];
    if (!report)
        return 0;
    if (!device)
        device = &host;
    for (size_t i = 0; i < rounds; i++)
        samples_ns[i] = RESULT_SCALE_NS * kerntime_ns[i] / by_hand_ns[i];
    kt_series series = {.name = name,
                        .workload = name,
                        .variant = "per us by hand",
                        .device = device->id,
                        .step = "wall",
                        .kind = KT_SERIES_WALL,
                        .method = KT_METHOD_HOST_WALL,
                        .trials = 1,
                        .bytes = NAN,
                        .flops = NAN,
                        .first_use_ns = NAN,
                        .warmup_ns = NAN,
                        .stop = KT_STOP_MAX_SAMPLES,
                        .samples_ns = samples_ns,
                        .clock_resolution_ns = NAN,
                        .context_ns = NAN,
                        .speedup = NAN};
    kt_summarize(samples_ns, rounds, 0, scratch, &series.summary);
    series.median_total_ns = series.summary.median;
    kt_status status = kt_report_add_device(report, device, NULL);
    if (status == KT_OK)
        status = kt_report_add_series(report, &series);
    return said(status);
}

int result_end(const char *path)
{
    kt_status status = kt_report_write_file(report, KT_FORMAT_JSON, path);
    kt_report_destroy(&report);
    return said(status);
}
