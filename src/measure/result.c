#include "measure/result.h"

#include "clock/spans.h"
#include "clock/ticks.h"
#include "device/device.h"
#include "support/alloc.h"
#include "support/keep.h"

#include <math.h>
#include <string.h>

void kt_result_destroy(kt_result **result)
{
    if (!*result)
        return;
    kt_free((*result)->series);
    kt_free_kept(&(*result)->copies, &(*result)->copy_count);
    kt_free(*result);
    *result = NULL;
}

uint32_t kt_result_series_count(const kt_result *result)
{
    return result->series_count;
}

const kt_series *kt_result_series(const kt_result *result, uint32_t index)
{
    return index < result->series_count ? &result->series[index] : NULL;
}

const kt_series *kt_result_find(const kt_result *result, const char *step)
{
    for (uint32_t i = 0; i < result->series_count; i++)
        if (strcmp(result->series[i].step, step) == 0)
            return &result->series[i];
    return NULL;
}

const kt_clock_info *kt_series_clock(const kt_series *series, const kt_device_info *device)
{
    for (uint32_t i = 0; series->clock && i < device->clock_count; i++)
        if (strcmp(device->clocks[i].name, series->clock) == 0)
            return &device->clocks[i];
    return NULL;
}

static const kt_clock_info *context_clock(const kt_device_info *device)
{
    for (uint32_t i = 0; i < device->clock_count; i++)
        if (device->clocks[i].pauses)
            return &device->clocks[i];
    return NULL;
}

/* Gives the clock as it was when the series was measured. All measured periods of a device are of
 * one timer, so the series' period holds for the context clock, too. */
static kt_clock_info clock_of_run(const kt_series *series, const kt_clock_info *clock)
{
    kt_clock_info of_run = *clock;
    if (series->clock_period_ns > 0)
        of_run.period_ns = series->clock_period_ns;
    return of_run;
}

static void get_context(const kt_raw *raw, const kt_clock_info *clock, kt_raw_span *span)
{
    double wall_ns = (double)(raw->host_after_ns - raw->host_before_ns), span_ns = NAN;
    span->context_ticks =
        kt_ticks_delta(raw->context_start_ticks, raw->context_end_ticks, clock->valid_bits);
    if (raw->state == KT_TIMESTAMP_OK &&
        kt_ticks_span(clock, raw->context_start_ticks, raw->context_end_ticks, 0,
                      kt_span_most_ns(wall_ns, clock->period_ns), &span_ns) == KT_TIMESTAMP_OK)
        span->context_ns = span_ns;
}

void kt_series_get_spans(const kt_series *series, const kt_device_info *device, kt_raw_span *spans)
{
    const kt_clock_info *clock = kt_series_clock(series, device);
    const kt_clock_info *pausing = context_clock(device);
    size_t sample = 0;
    for (size_t i = 0; i < series->raw_count; i++) {
        const kt_raw *raw = &series->raw[i];
        bool counts = raw->state == KT_TIMESTAMP_OK && sample < series->summary.n;
        double sample_ns = counts ? series->samples_ns[sample++] * series->trials : NAN;
        spans[i] = (kt_raw_span){.span_ns = NAN, .context_ns = NAN};
        if (!clock || !raw->has_timestamps)
            continue;
        spans[i].ticks = kt_ticks_delta(raw->start_ticks, raw->end_ticks, clock->valid_bits);
        spans[i].span_ns = sample_ns;
        if (raw->has_context && pausing) {
            kt_clock_info of_run = clock_of_run(series, pausing);
            get_context(raw, &of_run, &spans[i]);
        }
    }
}
