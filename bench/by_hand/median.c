/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include <kerntime/stats.h>

double bench_median_ci95(const double *values, size_t count, double *low, double *high)
{
    kt_summary summary;
    double scratch[BENCH_VALUES_MAX];
    kt_summarize(values, count, 0, scratch, &summary);
    *low = summary.ci95_low;
    *high = summary.ci95_high;
    return summary.median;
}

double bench_median(const double *values, size_t count)
{
    double low, high;
    return bench_median_ci95(values, count, &low, &high);
}
