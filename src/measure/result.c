/* SPDX-License-Identifier: MIT */
/*
 * result.c - builds the series of a result: one for each step; total, gaps and span if there are
 * several steps; and the wall times.
 *
 * For each sample total + gaps = span holds to the last bit: the total is rounded to the last bit
 * of the span, so that the difference is exact.
 */
#include "measure/result.h"

#include "clock/ticks.h"
#include "measure/timer_limits.h"
#include "statistics/interval.h"
#include "support/alloc.h"
#include "support/keep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* State while a result is built. */
typedef struct builder {
    kt_samples *samples;
    kt_result *result;
    kt_status status; /* KT_NO_MEMORY once memory could not be kept */
    kt_status ended;  /* how the measurement ended */
    const char *ended_text;
    kt_series common;
} builder;

/* Keeps allocated memory for the lifetime of the result. */
static void *keep(builder *b, void *memory)
{
    void *kept = kt_keep(&b->result->copies, &b->result->copy_count, memory);
    if (!kept)
        b->status = KT_NO_MEMORY;
    return kept;
}

static const char *keep_text(builder *b, const char *text)
{
    if (!text)
        return NULL;
    char *copy = keep(b, kt_alloc(strlen(text) + 1, 1));
    if (copy)
        memcpy(copy, text, strlen(text) + 1);
    return copy;
}

static const kt_param *keep_params(builder *b, const kt_param *params, uint32_t count)
{
    kt_param *copy = keep(b, kt_alloc(count, sizeof *copy));
    for (uint32_t i = 0; copy && i < count; i++)
        copy[i] = (kt_param){keep_text(b, params[i].name), params[i].value};
    return copy;
}

static void fill_shared(builder *b)
{
    const kt_samples *samples = b->samples;
    const kt_job_desc *desc = &samples->job->desc;
    b->common = (kt_series){
        .name = keep_text(b, desc->name),
        .workload = keep_text(b, desc->workload),
        .variant = keep_text(b, desc->variant),
        .device = keep_text(b, samples->job->device->info.id),
        .params = keep_params(b, desc->params, desc->param_count),
        .param_count = desc->param_count,
        .run = samples->options->run,
        .trials = samples->options->trials,
        .verified = desc->verify && !isnan(samples->first_use_ns) && b->ended != KT_WRONG_RESULT,
        .wrong = b->ended == KT_WRONG_RESULT,
        .first_use_ns = samples->first_use_ns,
        .warmup_n = samples->warmup_n,
        .warmup_ns = samples->warmup_ns,
        .warmup_end = samples->warmup_end,
        .cold = samples->options->cold,
        .stop = samples->stop,
        .state = samples->state,
        .clock_resolution_ns = NAN,
        .clock_period_ns = NAN,
        .context_ns = NAN,
        .speedup = NAN,
    };
}

bool kt_is_copy_step(const kt_step *step)
{
    return step->kind == KT_STEP_COPY || step->kind == KT_STEP_MAP ||
           (step->kind == KT_STEP_DISPATCH && step->src && step->dst);
}

static bool all_copies(const kt_job_desc *desc)
{
    for (uint32_t i = 0; i < desc->step_count; i++)
        if (!kt_is_copy_step(&desc->steps[i]))
            return false;
    return true;
}

/* Sets what the row measures: name, kind, and work. */
static void describe_row(builder *b, uint32_t index, kt_series *series)
{
    static const kt_series_role roles[KT_ROW_STEPS] = {[KT_ROW_TOTAL] = KT_ROLE_TOTAL,
                                                       [KT_ROW_GAPS] = KT_ROLE_GAPS,
                                                       [KT_ROW_SPAN] = KT_ROLE_SPAN,
                                                       [KT_ROW_WALL] = KT_ROLE_WALL,
                                                       [KT_ROW_WALL_TIMESTAMPED] =
                                                           KT_ROLE_WALL_TIMESTAMPED};
    const kt_job_desc *desc = &b->samples->job->desc;
    uint32_t first = 0, end = desc->step_count;
    series->kind = all_copies(desc) ? KT_SERIES_COPY : KT_SERIES_KERNEL;
    if (index >= KT_ROW_STEPS) {
        const kt_step *step = &desc->steps[index - KT_ROW_STEPS];
        first = index - KT_ROW_STEPS;
        end = first + 1;
        series->step = keep_text(b, step->name);
        series->kind = kt_is_copy_step(step) ? KT_SERIES_COPY : KT_SERIES_KERNEL;
        if (kt_is_copy_step(step)) {
            series->src = kt_memory_kind_name(step->src->kind);
            series->dst = kt_memory_kind_name(step->dst->kind);
        }
    } else {
        series->step = kt_series_role_name(roles[index]);
        if (index == KT_ROW_WALL)
            series->kind = KT_SERIES_WALL;
        if (index == KT_ROW_WALL_TIMESTAMPED)
            series->kind = KT_SERIES_WALL_TIMESTAMPED;
    }
    series->bytes = series->flops = 0;
    for (uint32_t i = first; i < end && index != KT_ROW_GAPS; i++) { /* gaps do no work */
        const kt_step *step = &desc->steps[i];
        series->bytes += kt_is_copy_step(step) ? (double)step->copy_bytes : (double)step->bytes;
        series->flops += step->flops;
    }
    if (series->bytes == 0)
        series->bytes = NAN;
    if (series->flops == 0)
        series->flops = NAN;
}

static void describe_method(builder *b, uint32_t index, kt_series *series)
{
    const kt_device *device = b->samples->job->device;
    bool wall = kt_samples_are_of_host(b->samples, index);
    uint32_t clock = kt_samples_clock(b->samples, index);
    series->method = device->backend->simulated ? KT_METHOD_SIMULATED
                     : wall                     ? KT_METHOD_HOST_WALL
                                                : device->info.clocks[clock].method;
    series->clock = wall ? NULL : keep_text(b, device->info.clocks[clock].name);
    if (!wall && b->samples->clocks[clock].period_source > KT_SOURCE_REPORTED)
        series->clock_period_ns = b->samples->clocks[clock].period_ns;
}

static const char *format_error(builder *b, const char *format, const char *name, unsigned count,
                                unsigned all)
{
    char text[160];
    snprintf(text, sizeof text, format, name, count, all);
    return keep_text(b, text);
}

/* Samples that throttling left out were replaced by others, so the series lacks nothing. */
static uint32_t discarded_count(const kt_series *series, kt_timestamp_state *most)
{
    uint32_t count = 0;
    *most = KT_TIMESTAMP_OK;
    for (int i = 1; i < KT_TIMESTAMP_STATE_COUNT; i++) {
        if (i == KT_TIMESTAMP_THROTTLED)
            continue;
        count += series->discarded[i];
        if (*most == KT_TIMESTAMP_OK || series->discarded[i] > series->discarded[*most])
            *most = (kt_timestamp_state)i;
    }
    return count;
}

static bool is_gaps(const kt_series *series)
{
    return kt_series_get_role(series) == KT_ROLE_GAPS;
}

/* True if the span cannot be distinguished from that of an empty step, or from one clock
 * resolution. Gaps are differences of spans and may have any value. */
static bool is_below_min_span(const builder *b, const kt_series *series)
{
    const kt_device *device = b->samples->job->device;
    if (kt_series_is_wall(series) || is_gaps(series) || !device->has_timer_limits)
        return false;
    double low =
        isnan(series->summary.ci95_low) ? series->summary.median : series->summary.ci95_low;
    /* A total has one span for each step, each with its own shortest measurable span. */
    bool total = kt_series_get_role(series) == KT_ROLE_TOTAL;
    double spans = total ? b->samples->job->desc.step_count : 1;
    /* If both are NaN the limit is 0: a time of 0 is of no use in any comparison. */
    const kt_clock_info *timed_by = kt_series_clock(series, &device->info);
    uint32_t clock = timed_by ? (uint32_t)(timed_by - device->info.clocks) : b->samples->job->clock;
    double least_ns =
        fmax(0, fmax(kt_clock_min_span_ns(device, clock), kt_clock_resolution_ns(device, clock)));
    return low * series->trials <= spans * least_ns;
}

static void clear_summary(kt_series *series)
{
    size_t n = series->summary.n;
    kt_summarize(NULL, 0, 0, NULL, &series->summary);
    series->summary.n = n;
    series->median_total_ns = series->context_ns = NAN;
    series->context_missing = 0;
}

/* Sets the status of the row's series, and the reason if it is not KT_OK. */
static void judge_row(builder *b, kt_series *series)
{
    const kt_device *device = b->samples->job->device;
    kt_timestamp_state most;
    uint32_t discarded = discarded_count(series, &most);
    const char *untrusted = !kt_series_is_wall(series) && device->has_timer_limits
                                ? kt_job_untrusted_reason(b->samples->job)
                                : NULL;
    if (b->ended != KT_OK) {
        bool usable = series->summary.n > 0 && b->ended != KT_WRONG_RESULT && !untrusted;
        series->status = !usable                        ? KT_SERIES_FAILED
                         : is_below_min_span(b, series) ? KT_SERIES_BELOW_MIN_SPAN
                                                        : KT_SERIES_PARTIAL;
        if (series->status != KT_SERIES_BELOW_MIN_SPAN) /* whose status says all */
            series->error = keep_text(b, b->ended_text);
    } else if (untrusted) {
        series->status = KT_SERIES_NOT_POSSIBLE;
        series->error = keep_text(b, untrusted);
    } else if (series->summary.n == 0 && is_gaps(series) && most == KT_TIMESTAMP_NEGATIVE) {
        series->status = KT_SERIES_NOT_POSSIBLE;
        series->error =
            format_error(b,
                         "the steps overlap, so there are no gaps: their sum is longer than their "
                         "span, which is \"%s\", in %u of %u",
                         kt_timestamp_state_name(most), series->discarded[most], discarded);
    } else if (series->summary.n == 0) {
        series->status = KT_SERIES_FAILED;
        series->error =
            format_error(b, "no usable sample: the state is \"%s\" in %u of %u",
                         kt_timestamp_state_name(most), series->discarded[most], discarded);
    } else if (is_below_min_span(b, series)) {
        series->status = KT_SERIES_BELOW_MIN_SPAN;
    } else if (discarded > 0) {
        series->status = KT_SERIES_PARTIAL;
        series->error = format_error(b, "discarded timestamps, mostly in state \"%s\": %u of %u",
                                     kt_timestamp_state_name(most), discarded,
                                     discarded + (uint32_t)series->summary.n);
    }
    if (series->status == KT_SERIES_BELOW_MIN_SPAN)
        series->discarded[KT_TIMESTAMP_BELOW_MIN_SPAN] += (uint32_t)series->summary.n;
    if (series->status == KT_SERIES_FAILED || series->status == KT_SERIES_BELOW_MIN_SPAN)
        clear_summary(series);
}

/* Sets the median of a step's times by the context clock, over all trials. */
static double median_of_contexts(const builder *b, const kt_sample_row *row)
{
    double *sorted = b->samples->scratch;
    if (row->context_n == 0)
        return NAN;
    memcpy(sorted, row->contexts_ns, row->context_n * sizeof *sorted);
    kt_sort(sorted, row->context_n);
    return kt_median(sorted, row->context_n);
}

/* Gaps vary with the steps around them, so the span carries the sample warnings instead. */
static void forget_noticed(kt_summary *summary)
{
    summary->warnings = 0;
    summary->drift = NAN;
    summary->cluster_low = summary->cluster_high = summary->cluster_high_share = NAN;
}

/* The row that shows the energy of the whole job. */
static uint32_t energy_row(const kt_samples *samples)
{
    if (!kt_samples_take_row(samples, KT_ROW_STEPS))
        return KT_ROW_WALL;
    return samples->job->desc.step_count > 1 ? KT_ROW_TOTAL : KT_ROW_STEPS;
}

static const kt_energy *keep_energy(builder *b)
{
    kt_energy *energy = keep(b, kt_alloc(1, sizeof *energy));
    if (energy)
        *energy = b->samples->energy;
    if (energy && energy->reason)
        energy->reason = keep_text(b, energy->reason);
    return energy;
}

/* Moves the samples of a row, and their raw data, into a series. */
static void build_row(builder *b, uint32_t index)
{
    kt_sample_row *row = &b->samples->rows[index];
    kt_series *series = &b->result->series[b->result->series_count];
    *series = b->common;
    describe_row(b, index, series);
    describe_method(b, index, series);
    memcpy(series->discarded, row->discarded, sizeof series->discarded);
    double trials = b->samples->options->trials;
    double divisor = index <= KT_ROW_SPAN ? 1 : trials; /* total, gaps, span are per dispatch */
    double resolution_ns = kt_samples_resolution_ns(b->samples, index) / trials;
    double *samples_ns = keep(b, row->samples_ns);
    row->samples_ns = NULL;
    for (uint32_t i = 0; samples_ns && i < row->n; i++)
        samples_ns[i] /= divisor;
    if (row->raw)
        series->raw = keep(b, row->raw);
    series->raw_count = series->raw ? row->raw_n : 0;
    row->raw = NULL;
    if (b->status != KT_OK)
        return;
    if (kt_method_is_elapsed_only(series->method) && resolution_ns > 0)
        series->clock_resolution_ns = resolution_ns;
    kt_summarize(samples_ns, row->n, resolution_ns, b->samples->scratch, &series->summary);
    if (index == KT_ROW_GAPS)
        forget_noticed(&series->summary);
    series->samples_ns = samples_ns;
    series->first_use_device_ns = row->first_use_ns;
    series->median_total_ns = series->summary.median * trials;
    series->context_ns = median_of_contexts(b, row) / trials;
    series->context_missing = row->context_n ? row->n - row->context_n : 0;
    if (b->samples->has_energy && index == energy_row(b->samples))
        series->energy = keep_energy(b);
    judge_row(b, series);
    b->result->series_count++;
}

kt_status kt_samples_to_result(kt_samples *samples, kt_status status, kt_result **out)
{
    char ended_text[KT_ERROR_TEXT_BYTES];
    snprintf(ended_text, sizeof ended_text, "%s", kt_error_text());
    builder b = {.samples = samples, .ended = status, .ended_text = ended_text};
    b.result = kt_alloc(1, sizeof *b.result);
    if (!b.result)
        return KT_NO_MEMORY;
    b.result->series = kt_alloc(samples->row_count, sizeof *b.result->series);
    if (!b.result->series) {
        kt_result_destroy(&b.result);
        return KT_NO_MEMORY;
    }
    fill_shared(&b);
    uint32_t order_count = samples->row_count;
    for (uint32_t i = 0; i < order_count; i++) {
        /* Steps first, then the rows about all steps. */
        uint32_t row = (i + KT_ROW_STEPS) % order_count;
        if (kt_samples_take_row(samples, row))
            build_row(&b, row);
    }
    if (b.status != KT_OK) {
        kt_result_destroy(&b.result);
        return KT_NO_MEMORY;
    }
    *out = b.result;
    return KT_OK;
}

/* ---- Reading a result ---- */

void kt_result_destroy(kt_result **result)
{
    if (!result || !*result)
        return;
    kt_free((*result)->series);
    kt_free_kept(&(*result)->copies, &(*result)->copy_count);
    kt_free(*result);
    *result = NULL;
}

uint32_t kt_result_series_count(const kt_result *result)
{
    if (!result)
        return 0;
    return result->series_count;
}

const kt_series *kt_result_series(const kt_result *result, uint32_t index)
{
    if (!result)
        return NULL;
    return index < result->series_count ? &result->series[index] : NULL;
}

const kt_series *kt_result_find(const kt_result *result, const char *step)
{
    if (!result || !step)
        return NULL;
    for (uint32_t i = 0; i < result->series_count; i++)
        if (strcmp(result->series[i].step, step) == 0)
            return &result->series[i];
    return NULL;
}

const kt_clock_info *kt_series_clock(const kt_series *series, const kt_device_info *device)
{
    if (!series || !device)
        return NULL;
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
    if (!series || !device || !spans)
        return;
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
