/* SPDX-License-Identifier: MIT */
#include "measure/samples.h"

#include "clock/ticks.h"
#include "measure/timer_limits.h"
#include "statistics/interval.h"
#include "support/alloc.h"

#include <math.h>
#include <string.h>

#define FIRST_CAPACITY 64

bool kt_samples_take_row(const kt_samples *samples, uint32_t index)
{
    bool timestamped = samples->options->timing != KT_TIMING_WALL;
    switch (index) {
    case KT_ROW_WALL: return samples->options->timing != KT_TIMING_DEVICE;
    case KT_ROW_TOTAL:
    case KT_ROW_GAPS:
    case KT_ROW_SPAN: return timestamped && samples->job->desc.step_count > 1;
    default: return timestamped;
    }
}

kt_status kt_samples_init(kt_samples *samples, kt_job *job, const kt_measure_options *options,
                          const kt_clock_info *clocks)
{
    *samples = (kt_samples){.job = job,
                            .options = options,
                            .clocks = clocks,
                            .row_count = KT_ROW_STEPS + job->desc.step_count,
                            .first_use_ns = NAN,
                            .warmup_ns = NAN};
    samples->rows = kt_alloc(samples->row_count, sizeof *samples->rows);
    for (uint32_t i = 0; samples->rows && i < samples->row_count; i++)
        samples->rows[i].first_use_ns = NAN;
    uint32_t expected = options->samples_min;
    return samples->rows
               ? kt_samples_reserve(samples, expected > FIRST_CAPACITY ? expected : FIRST_CAPACITY)
               : KT_NO_MEMORY;
}

void kt_samples_fini(kt_samples *samples)
{
    for (uint32_t i = 0; samples->rows && i < samples->row_count; i++) {
        kt_free(samples->rows[i].samples_ns);
        kt_free(samples->rows[i].contexts_ns);
        kt_free(samples->rows[i].raw);
    }
    kt_free(samples->rows);
    kt_free(samples->scratch);
}

static bool has_context_clock(const kt_device_info *info)
{
    bool any = false;
    for (uint32_t i = 0; i < info->clock_count; i++)
        any |= info->clocks[i].pauses != 0;
    return any;
}

/* Writes to the new memory here, so that no page is touched for the first time between two
 * samples. */
static kt_status grow_times(double **times_ns, uint32_t old_capacity, uint32_t capacity)
{
    double *grown = kt_grow(*times_ns, capacity, sizeof *grown);
    if (!grown)
        return KT_NO_MEMORY;
    *times_ns = grown;
    memset(grown + old_capacity, 0, (capacity - old_capacity) * sizeof *grown);
    return KT_OK;
}

static kt_status grow_row(kt_sample_row *row, uint32_t old_capacity, uint32_t capacity,
                          bool keep_contexts, bool keep_raw)
{
    size_t added = capacity - old_capacity;
    kt_status status = grow_times(&row->samples_ns, old_capacity, capacity);
    if (status == KT_OK && keep_contexts)
        status = grow_times(&row->contexts_ns, old_capacity, capacity);
    if (status != KT_OK)
        return status;
    if (!keep_raw)
        return KT_OK;
    kt_raw *raw = kt_grow(row->raw, capacity, sizeof *raw);
    if (!raw)
        return KT_NO_MEMORY;
    row->raw = raw;
    memset(raw + old_capacity, 0, added * sizeof *raw);
    return KT_OK;
}

kt_status kt_samples_reserve(kt_samples *samples, uint32_t count)
{
    if (count <= samples->capacity)
        return KT_OK;
    uint32_t capacity = samples->capacity > count / 2 ? 2 * samples->capacity : count;
    double *scratch = kt_grow(samples->scratch, capacity, sizeof *scratch);
    if (!scratch)
        return KT_NO_MEMORY;
    samples->scratch = scratch;
    bool pauses = has_context_clock(&samples->job->device->info);
    for (uint32_t i = 0; i < samples->row_count; i++) {
        if (!kt_samples_take_row(samples, i))
            continue;
        kt_status status = grow_row(&samples->rows[i], samples->capacity, capacity,
                                    pauses && i >= KT_ROW_STEPS, samples->options->keep_raw != 0);
        if (status != KT_OK)
            return status;
    }
    samples->capacity = capacity;
    return KT_OK;
}

void kt_samples_add(kt_samples *samples, uint32_t row, kt_timestamp_state state, double total_ns)
{
    kt_sample_row *to = &samples->rows[row];
    if (state == KT_TIMESTAMP_OK)
        to->samples_ns[to->n++] = total_ns;
    else
        to->discarded[state]++;
}

void kt_samples_add_context(kt_samples *samples, uint32_t row, kt_timestamp_state state,
                            double total_ns)
{
    kt_sample_row *to = &samples->rows[row];
    if (to->contexts_ns && state == KT_TIMESTAMP_OK)
        to->contexts_ns[to->context_n++] = total_ns;
}

/*
 * A difference of two doubles is exact if both are multiples of the larger one's last bit. Rounding
 * the total to that bit changes it no more than rounding the span does. A difference within the
 * rounding error of the sum is neither a gap nor an overlap.
 */
void kt_samples_add_whole(kt_samples *samples, kt_timestamp_state total_state, double total_ns,
                          kt_timestamp_state span_state, double span_ns)
{
    double trials = samples->options->trials;
    double total = total_ns / trials, span = span_ns / trials;
    kt_timestamp_state gaps_state = span_state;
    if (span_state == KT_TIMESTAMP_OK) {
        double last_bit = nextafter(span, INFINITY) - span;
        if (fabs(total - span) <= samples->job->desc.step_count * last_bit)
            total = span;
        else if (total < span)
            total = nearbyint(total / last_bit) * last_bit;
        else
            gaps_state = KT_TIMESTAMP_NEGATIVE;
    }
    kt_samples_add(samples, KT_ROW_TOTAL, total_state, total);
    kt_samples_add(samples, KT_ROW_GAPS, gaps_state, span - total);
    kt_samples_add(samples, KT_ROW_SPAN, span_state, span);
}

static bool is_elapsed_only(const kt_samples *samples, uint32_t clock)
{
    return kt_method_is_elapsed_only(samples->job->device->info.clocks[clock].method);
}

bool kt_samples_take_clock(const kt_samples *samples, uint32_t row, const kt_timestamp *timestamp)
{
    return samples->rows[row].n == 0 || samples->rows[row].clock == timestamp->clock;
}

void kt_samples_add_raw(kt_samples *samples, uint32_t row, const kt_timestamp *timestamp,
                        kt_timestamp_state state, const kt_submission *submission)
{
    kt_sample_row *to = &samples->rows[row];
    if (timestamp && to->n == 0)
        to->clock = timestamp->clock;
    if (!to->raw)
        return;
    kt_raw *raw = &to->raw[to->raw_n++];
    *raw = (kt_raw){.state = state,
                    .host_before_ns = submission->host_before_ns,
                    .host_after_ns = submission->host_after_ns};
    if (!timestamp)
        return;
    bool has_any = timestamp->state != KT_TIMESTAMP_NOT_READY &&
                   timestamp->state != KT_TIMESTAMP_ERROR && timestamp->state != KT_TIMESTAMP_LOST;
    bool distances = is_elapsed_only(samples, timestamp->clock);
    if (has_any && distances) {
        raw->has_elapsed = true;
        raw->elapsed_ms = timestamp->elapsed_ms;
        raw->gap_ms = timestamp->gap_ms;
    }
    if (!has_any || distances)
        return;
    raw->has_timestamps = true;
    raw->has_queue_timestamps = timestamp->has_queue_timestamps;
    raw->queued_ticks = timestamp->queued_ticks;
    raw->submitted_ticks = timestamp->submitted_ticks;
    raw->start_ticks = timestamp->start_ticks;
    raw->end_ticks = timestamp->end_ticks;
    raw->has_context = timestamp->has_context;
    raw->context_start_ticks = timestamp->context_start_ticks;
    raw->context_end_ticks = timestamp->context_end_ticks;
}

void kt_samples_begin_window(kt_samples *samples)
{
    for (uint32_t i = 0; i < samples->row_count; i++) {
        kt_sample_row *row = &samples->rows[i];
        row->window_n = row->n;
        row->window_context_n = row->context_n;
        row->window_raw_n = row->raw_n;
    }
}

static void mark_throttled(kt_sample_row *row, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; row->raw && i < to; i++)
        if (row->raw[i].state == KT_TIMESTAMP_OK)
            row->raw[i].state = KT_TIMESTAMP_THROTTLED;
}

void kt_samples_leave_out(kt_samples *samples)
{
    for (uint32_t i = 0; i < samples->row_count; i++) {
        kt_sample_row *row = &samples->rows[i];
        row->discarded[KT_TIMESTAMP_THROTTLED] += row->n - row->window_n;
        mark_throttled(row, row->window_raw_n, row->raw_n);
        row->n = row->window_n;
        row->context_n = row->window_context_n;
    }
}

static uint32_t drop_first(double *times_ns, uint32_t n, uint32_t dropped)
{
    if (times_ns)
        memmove(times_ns, times_ns + dropped, (n - dropped) * sizeof *times_ns);
    return n - dropped;
}

void kt_samples_leave_out_before(kt_samples *samples)
{
    for (uint32_t i = 0; i < samples->row_count; i++) {
        kt_sample_row *row = &samples->rows[i];
        row->discarded[KT_TIMESTAMP_THROTTLED] += row->window_n;
        mark_throttled(row, 0, row->window_raw_n);
        row->n = drop_first(row->samples_ns, row->n, row->window_n);
        row->context_n = drop_first(row->contexts_ns, row->context_n, row->window_context_n);
    }
}

bool kt_samples_are_of_host(const kt_samples *samples, uint32_t index)
{
    const kt_device *device = samples->job->device;
    bool wall = index == KT_ROW_WALL || index == KT_ROW_WALL_TIMESTAMPED;
    return wall || !device->has_timer_limits || kt_job_untrusted_reason(samples->job);
}

/* Rows about all steps use the clock of the first step. */
uint32_t kt_samples_clock(const kt_samples *samples, uint32_t index)
{
    return samples->rows[index < KT_ROW_STEPS ? KT_ROW_STEPS : index].clock;
}

/* Number of elapsed times that are added up in one sample of the row. */
static uint32_t chained_count(const kt_samples *samples, uint32_t index)
{
    uint32_t steps = samples->job->desc.step_count;
    switch (index) {
    case KT_ROW_TOTAL: return steps;
    case KT_ROW_GAPS: return steps - 1;
    case KT_ROW_SPAN: return 2 * steps - 1;
    default: return 1;
    }
}

/* ns: float resolution of the elapsed times in the row's largest sample, over all trials. No
 * elapsed time in the sum is larger than the sample. */
static double floats_step_ns(const kt_samples *samples, uint32_t index)
{
    const kt_sample_row *row = &samples->rows[index];
    double largest_ns = 0;
    for (uint32_t i = 0; i < row->n; i++)
        largest_ns = fmax(largest_ns, row->samples_ns[i]);
    if (index < KT_ROW_STEPS) /* these rows are per dispatch */
        largest_ns *= samples->options->trials;
    return chained_count(samples, index) * kt_elapsed_step_ns((float)(largest_ns * 1e-6));
}

double kt_samples_resolution_ns(const kt_samples *samples, uint32_t index)
{
    if (kt_samples_are_of_host(samples, index))
        return samples->job->device->host_step_ns;
    uint32_t clock = kt_samples_clock(samples, index);
    double resolution_ns =
        fmax(0, kt_clock_resolution_ns(samples->job->device, clock)); /* not NaN */
    if (is_elapsed_only(samples, clock))
        resolution_ns += floats_step_ns(samples, index);
    return resolution_ns;
}

static kt_summary summary_of(kt_samples *samples, uint32_t index)
{
    const kt_sample_row *row = &samples->rows[index];
    kt_summary summary;
    kt_summarize(row->samples_ns, row->n, kt_samples_resolution_ns(samples, index),
                 samples->scratch, &summary);
    return summary;
}

static void look_at_row(kt_samples *samples, uint32_t index, kt_stopping *rule)
{
    const kt_summary summary = summary_of(samples, index);
    kt_stopping_add(rule, &summary);
}

void kt_samples_look(kt_samples *samples, kt_stopping *rule)
{
    bool any = false;
    for (uint32_t i = KT_ROW_WALL; i < samples->row_count; i++) {
        /* Timestamp overhead in the wall time is no reason to go on. */
        if (i == KT_ROW_WALL_TIMESTAMPED || samples->rows[i].n == 0)
            continue;
        look_at_row(samples, i, rule);
        any = true;
    }
    if (!any)
        look_at_row(samples, KT_ROW_WALL_TIMESTAMPED, rule);
}

void kt_samples_estimate(kt_samples *samples, kt_progress *progress)
{
    bool one_step = samples->row_count == KT_ROW_STEPS + 1;
    bool is_wall = !one_step || samples->rows[KT_ROW_STEPS].n == 0;
    uint32_t index = !is_wall                       ? KT_ROW_STEPS
                     : samples->rows[KT_ROW_WALL].n ? KT_ROW_WALL
                                                    : KT_ROW_WALL_TIMESTAMPED;
    const kt_summary summary = summary_of(samples, index);
    progress->median_ns = summary.median / samples->options->trials;
    progress->error = fmax(summary.ci95_high - summary.median, summary.median - summary.ci95_low) /
                      summary.median;
    progress->is_wall = is_wall;
}
