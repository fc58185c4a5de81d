/* SPDX-License-Identifier: MIT */
/* json.c - writes the result file, schema kerntime/1 (docs/result-file.md,
 * docs/kerntime-1.schema.json). */
#include "output/json/json.h"

#include "report/runs.h"
#include "report/transfers.h"

#include <math.h>
#include <string.h>

void kt_json_bool_member(kt_json *json, const char *key, bool value)
{
    kt_json_key(json, key);
    kt_json_bool(json, value);
}

/* A device number that is 0 for unknown is null in the file. */
static void count_member(kt_json *json, const char *key, uint64_t value)
{
    kt_json_number_member(json, key, value ? (double)value : NAN);
}

static void launch_count_member(kt_json *json, const char *key, uint32_t value)
{
    kt_json_number_member(json, key, value == KT_LAUNCH_UNKNOWN ? NAN : (double)value);
}

static void print_launch(kt_json *json, const kt_launch *launch)
{
    kt_json_key(json, "launch");
    if (!launch) {
        kt_json_text(json, NULL);
        return;
    }
    kt_json_open_line(json, '{');
    launch_count_member(json, "rank", launch->rank);
    launch_count_member(json, "size", launch->size);
    launch_count_member(json, "local_rank", launch->local_rank);
    launch_count_member(json, "local_size", launch->local_size);
    kt_json_text_member(json, "job", launch->job[0] ? launch->job : NULL);
    kt_json_text_member(json, "node", launch->node[0] ? launch->node : NULL);
    kt_json_text_member(json, "variable", launch->variable);
    kt_json_close(json, '}');
}

static void source_member(kt_json *json, const char *key, kt_clock_source source)
{
    kt_json_text_member(json, key, source == KT_SOURCE_NONE ? NULL : kt_clock_source_name(source));
}

static void print_clock(kt_json *json, const kt_clock_info *clock)
{
    kt_json_open_line(json, '{');
    kt_json_text_member(json, "name", clock->name);
    kt_json_text_member(json, "method", kt_method_name(clock->method));
    kt_json_number_member(json, "period_ns", clock->period_ns);
    kt_json_number_member(json, "frequency_hz", clock->frequency_hz);
    if (clock->reported_period_ns)
        kt_json_integer_member(json, "reported_period_ns", clock->reported_period_ns);
    if (clock->period_source > KT_SOURCE_REPORTED && !isnan(clock->period_uncertainty_ns))
        kt_json_number_member(json, "period_uncertainty_ns", clock->period_uncertainty_ns);
    count_member(json, "valid_bits", clock->valid_bits);
    count_member(json, "valid_bits_min", clock->valid_bits ? 0 : clock->valid_bits_min);
    if (clock->pauses)
        kt_json_bool_member(json, "pauses", true);
    kt_json_text_member(json, "domain", clock->domain[0] ? clock->domain : NULL);
    kt_json_number_member(json, "uncertainty_ns", clock->uncertainty_ns);
    kt_json_number_member(json, "drift_ppm", clock->drift_ppm);
    source_member(json, "period_source", clock->period_source);
    source_member(json, "relation_source", clock->relation_source);
    kt_json_close(json, '}');
}

static void print_memory_kinds(kt_json *json, const char *key, uint32_t kinds)
{
    kt_json_key(json, key);
    kt_json_open_line(json, '[');
    for (int kind = KT_MEMORY_HEAP; kind < KT_MEMORY_KIND_COUNT; kind++)
        if (kinds & (1u << kind))
            kt_json_text(json, kt_memory_kind_name((kt_memory_kind)kind));
    kt_json_close(json, ']');
}

static void print_copies(kt_json *json, const uint32_t copies[KT_MEMORY_KIND_COUNT])
{
    char name[32];
    kt_json_key(json, "copies");
    kt_json_open_line(json, '[');
    for (int src = KT_MEMORY_HEAP; src < KT_MEMORY_KIND_COUNT; src++)
        for (int dst = KT_MEMORY_HEAP; dst < KT_MEMORY_KIND_COUNT; dst++)
            if (copies[src] & 1u << dst) {
                snprintf(name, sizeof name, "%s-%s", kt_memory_kind_name((kt_memory_kind)src),
                         kt_memory_kind_name((kt_memory_kind)dst));
                kt_json_text(json, name);
            }
    kt_json_close(json, ']');
}

static void print_queue_group(kt_json *json, const kt_queue_group *group)
{
    kt_json_open_line(json, '{');
    kt_json_key(json, "kinds");
    kt_json_open_line(json, '[');
    for (int kind = 1; kind <= KT_QUEUE_METRICS; kind *= 2)
        if (group->kinds & (unsigned)kind)
            kt_json_text(json, kt_queue_kind_name((kt_queue_kind)kind));
    kt_json_close(json, ']');
    kt_json_integer_member(json, "queues", group->queue_count);
    kt_json_close(json, '}');
}

/* Prints a device's queue groups, if its API reports them. */
static void print_queue_groups(kt_json *json, const kt_device_info *info)
{
    if (info->queue_group_count == 0)
        return;
    kt_json_key(json, "queue_groups");
    kt_json_open(json, '[');
    for (uint32_t i = 0; i < info->queue_group_count; i++)
        print_queue_group(json, &info->queue_groups[i]);
    kt_json_close(json, ']');
}

static void print_clock_limits(kt_json *json, const kt_document_device *device)
{
    bool any = false;
    for (int i = 0; i < KT_CLOCKS_MAX && device->has_timer_limits; i++) {
        const kt_clock_limits *limits = &device->limits.clocks[i];
        if (!limits->name[0])
            continue;
        if (!any) {
            kt_json_key(json, "clock_limits");
            kt_json_open(json, '[');
            any = true;
        }
        kt_json_open(json, '{');
        kt_json_text_member(json, "name", limits->name);
        kt_json_number_member(json, "min_span_ns", limits->min_span_ns);
        kt_json_text_member(json, "untrusted", limits->reason[0] ? limits->reason : NULL);
        kt_json_close(json, '}');
    }
    if (any)
        kt_json_close(json, ']');
}

static void print_reasons(kt_json *json, uint32_t mask)
{
    kt_json_open_line(json, '[');
    for (uint32_t reason = 1; reason <= KT_THROTTLE_SETTING; reason *= 2)
        if (mask & reason)
            kt_json_text(json, kt_throttle_name((kt_throttle)reason));
    kt_json_close(json, ']');
}

/* Prints why values are missing, other than that no source has them. */
static void print_missing(kt_json *json, const kt_device_state *state)
{
    bool any = false;
    for (int i = 0; i < KT_STATE_VALUE_COUNT; i++) {
        if (state->reading[i] == KT_READING_OK || state->reading[i] == KT_READING_UNSUPPORTED)
            continue;
        if (!any) {
            kt_json_key(json, "missing");
            kt_json_open_line(json, '{');
            any = true;
        }
        kt_json_text_member(json, kt_state_value_name((kt_state_value)i),
                            kt_reading_name(state->reading[i]));
    }
    if (any)
        kt_json_close(json, '}');
}

static void print_device_state(kt_json *json, const kt_device_state *state)
{
    kt_json_key(json, "state");
    kt_json_open(json, '{');
    kt_json_text_member(json, "source", state->source);
    for (int i = 0; i < KT_STATE_VALUE_COUNT; i++) {
        kt_json_key(json, kt_state_value_name((kt_state_value)i));
        if (i == KT_STATE_THROTTLE && state->reading[i] == KT_READING_OK)
            print_reasons(json, (uint32_t)state->value[i]);
        else
            kt_json_number(json, state->value[i]);
    }
    print_missing(json, state);
    kt_json_close(json, '}');
}

static void print_device(kt_json *json, const kt_document_device *device)
{
    const kt_device_info *info = &device->info;
    const kt_timer_limits *limits = &device->limits;
    kt_json_open(json, '{');
    kt_json_text_member(json, "id", info->id);
    kt_json_text_member(json, "backend", info->backend);
    kt_json_text_member(json, "name", info->name);
    kt_json_text_member(json, "vendor", info->vendor[0] ? info->vendor : NULL);
    kt_json_text_member(json, "driver", info->driver);
    count_member(json, "vendor_id", info->vendor_id);
    kt_json_text_member(json, "pci_address", info->pci_address[0] ? info->pci_address : NULL);
    kt_json_text_member(json, "uuid", info->uuid[0] ? info->uuid : NULL);
    kt_json_text_member(json, "serial", info->serial[0] ? info->serial : NULL);
    kt_json_text_member(json, "type", kt_device_type_name(info->type));
    count_member(json, "compute_units", info->compute_units);
    count_member(json, "memory_bytes", info->memory_bytes);
    count_member(json, "max_memory_bytes", info->max_memory_bytes);
    count_member(json, "max_argument_bytes", info->max_argument_bytes);
    count_member(json, "max_group_size", info->max_group_size);
    print_memory_kinds(json, "memory_kinds", info->memory_kinds);
    print_copies(json, info->copies);
    print_memory_kinds(json, "maps", info->maps);
    print_queue_groups(json, info);
    kt_json_key(json, "clocks");
    kt_json_open(json, '[');
    for (uint32_t i = 0; i < info->clock_count; i++)
        print_clock(json, &info->clocks[i]);
    kt_json_close(json, ']');
    kt_json_number_member(json, "resolution_ns",
                          device->has_timer_limits ? limits->resolution_ns : NAN);
    kt_json_number_member(json, "min_span_ns",
                          device->has_timer_limits ? limits->min_span_ns : NAN);
    kt_json_number_member(json, "timestamp_overhead_ns",
                          device->has_timer_limits ? limits->timestamp_overhead_ns : NAN);
    if (device->has_timer_limits &&
        !isnan(limits->timestamp_overhead_ns + limits->timestamp_overhead_error_ns))
        kt_json_number_member(json, "timestamp_overhead_error_ns",
                              limits->timestamp_overhead_error_ns);
    print_clock_limits(json, device);
    bool untrusted = device->has_timer_limits && !limits->trusted;
    kt_json_text_member(json, "untrusted", untrusted ? limits->reason : NULL);
    kt_json_text_member(json, "clock_error", device->clock_error);
    kt_json_text_member(json, "quirk", info->quirk[0] ? info->quirk : NULL);
    if (device->has_state)
        print_device_state(json, &device->state);
    kt_json_close(json, '}');
}

void kt_print_json_devices(kt_json *json, const kt_document *document)
{
    kt_json_key(json, "devices");
    kt_json_open(json, '[');
    for (uint32_t i = 0; i < document->device_count; i++)
        print_device(json, &document->devices[i]);
    kt_json_close(json, ']');
}

void kt_print_json_params(kt_json *json, const kt_param *params, uint32_t count)
{
    kt_json_key(json, "params");
    kt_json_open_line(json, '{');
    for (uint32_t i = 0; i < count; i++)
        kt_json_integer_member(json, params[i].name, params[i].value);
    kt_json_close(json, '}');
}

static void print_numbers(kt_json *json, const char *key, const double *values, size_t count)
{
    kt_json_key(json, key);
    kt_json_open_line(json, '[');
    for (size_t i = 0; i < count; i++)
        kt_json_number(json, values[i]);
    kt_json_close(json, ']');
}

static void print_discarded(kt_json *json, const uint32_t *discarded)
{
    kt_json_key(json, "discarded");
    kt_json_open_line(json, '{');
    for (int state = 1; state < KT_TIMESTAMP_STATE_COUNT; state++)
        kt_json_integer_member(json, kt_timestamp_state_name((kt_timestamp_state)state),
                               discarded[state]);
    kt_json_close(json, '}');
}

void kt_json_interval_member(kt_json *json, const char *key, double low, double high)
{
    if (isnan(low))
        kt_json_text_member(json, key, NULL);
    else
        print_numbers(json, key, (const double[]){low, high}, 2);
}

/* Prints the group that begins with field `first`; null if that is unknown. Returns the field after
 * the group. */
static size_t print_group(kt_json *json, const kt_summary *summary, size_t first)
{
    const kt_summary_field *field = kt_summary_get_field(first);
    const char *group = field->group;
    bool known = !isnan(kt_summary_get(summary, field)), list = !*field->part;
    kt_json_key(json, group);
    if (known)
        kt_json_open_line(json, list ? '[' : '{');
    else
        kt_json_text(json, NULL);
    size_t i = first;
    for (; (field = kt_summary_get_field(i)) != NULL && strcmp(field->group, group) == 0; i++) {
        if (known && !list)
            kt_json_key(json, field->part);
        if (known)
            kt_json_number(json, kt_summary_get(summary, field));
    }
    if (known)
        kt_json_close(json, list ? ']' : '}');
    return i;
}

static void print_summary(kt_json *json, const kt_summary *summary)
{
    const kt_summary_field *field;
    for (size_t i = 0; (field = kt_summary_get_field(i)) != NULL;)
        if (*field->group) {
            i = print_group(json, summary, i);
        } else {
            kt_json_number_member(json, field->column, kt_summary_get(summary, field));
            i++;
        }
    kt_json_key(json, "warnings");
    kt_json_open_line(json, '[');
    for (int i = 0; i < KT_WARNING_COUNT; i++)
        if (summary->warnings & 1u << i)
            kt_json_text(json, kt_sample_warning_name((kt_sample_warning)(1 << i)));
    kt_json_close(json, ']');
}

static void ticks_member(kt_json *json, const char *key, uint64_t ticks)
{
    kt_json_key(json, key);
    kt_json_ticks(json, ticks);
}

static void print_raw(kt_json *json, const kt_series *series)
{
    kt_json_key(json, "raw");
    kt_json_open(json, '[');
    for (size_t i = 0; i < series->raw_count; i++) {
        const kt_raw *raw = &series->raw[i];
        kt_json_open_line(json, '{');
        kt_json_text_member(json, "state", kt_timestamp_state_name(raw->state));
        if (raw->has_queue_timestamps) {
            ticks_member(json, "queued_ticks", raw->queued_ticks);
            ticks_member(json, "submitted_ticks", raw->submitted_ticks);
        }
        if (raw->has_timestamps) {
            ticks_member(json, "start_ticks", raw->start_ticks);
            ticks_member(json, "end_ticks", raw->end_ticks);
        }
        if (raw->has_context) {
            ticks_member(json, "context_start_ticks", raw->context_start_ticks);
            ticks_member(json, "context_end_ticks", raw->context_end_ticks);
        }
        if (raw->has_elapsed) {
            kt_json_number_member(json, "elapsed_ms", (double)raw->elapsed_ms);
            kt_json_number_member(json, "gap_ms", (double)raw->gap_ms);
        }
        kt_json_integer_member(json, "host_before_ns", raw->host_before_ns);
        kt_json_integer_member(json, "host_after_ns", raw->host_after_ns);
        kt_json_close(json, '}');
    }
    kt_json_close(json, ']');
}

static void speedup_member(kt_json *json, const kt_document *document, const kt_series *series,
                           const char *baseline)
{
    bool best = strcmp(baseline, "best") == 0;
    kt_speedup over = kt_speedup_over(document, series, baseline);
    kt_json_number_member(json, best ? "speedup_best" : "speedup",
                          best ? over.ratio : series->speedup);
    kt_json_interval_member(json, best ? "speedup_best_ci95" : "speedup_ci95", over.low, over.high);
}

static void print_state_summary(kt_json *json, const kt_state_summary *state)
{
    kt_json_key(json, "state");
    kt_json_open(json, '{');
    kt_json_integer_member(json, "readings", state->readings);
    kt_json_number_member(json, "core_clock_mhz", state->core_clock_mhz);
    kt_json_number_member(json, "core_clock_low_mhz", state->core_clock_low_mhz);
    kt_json_number_member(json, "core_clock_high_mhz", state->core_clock_high_mhz);
    kt_json_number_member(json, "memory_clock_mhz", state->memory_clock_mhz);
    kt_json_number_member(json, "temperature_c", state->temperature_c);
    kt_json_number_member(json, "power_w", state->power_w);
    kt_json_key(json, "throttle");
    print_reasons(json, state->throttle);
    kt_json_key(json, "left_out");
    print_reasons(json, state->left_out);
    kt_json_integer_member(json, "kept_throttled", state->kept_throttled);
    kt_json_number_member(json, "read_s", state->read_s);
    kt_json_number_member(json, "waited_s", state->waited_s);
    kt_json_close(json, '}');
}

static void print_energy(kt_json *json, const kt_series *series)
{
    const kt_energy *energy = series->energy;
    kt_json_key(json, "energy");
    kt_json_open(json, '{');
    kt_json_text_member(json, "reason", energy->reason);
    kt_json_number_member(json, "dispatch_j", energy->dispatch_j);
    kt_json_number_member(json, "ci95_low_j", energy->ci95_low_j);
    kt_json_number_member(json, "ci95_high_j", energy->ci95_high_j);
    kt_json_number_member(json, "gflop_per_j", kt_gflop_per_j(series));
    kt_json_number_member(json, "power_w", energy->power_w);
    kt_json_number_member(json, "idle_w", energy->idle_w);
    kt_json_number_member(json, "update_ms", energy->update_ms);
    kt_json_number_member(json, "duration_s", energy->duration_s);
    kt_json_integer_member(json, "dispatches", (int64_t)energy->dispatches);
    kt_json_integer_member(json, "windows", energy->windows);
    kt_json_key(json, "throttle");
    print_reasons(json, energy->throttle);
    kt_json_close(json, '}');
}

static void print_series(kt_json *json, const kt_document *document, const kt_series *series)
{
    kt_json_open(json, '{');
    kt_json_text_member(json, "name", series->name);
    kt_json_text_member(json, "workload", series->workload);
    kt_print_json_params(json, series->params, series->param_count);
    kt_json_text_member(json, "variant", series->variant);
    kt_json_text_member(json, "device", series->device);
    kt_json_integer_member(json, "run", series->run);
    kt_json_text_member(json, "step", series->step);
    kt_json_text_member(json, "kind", kt_series_kind_name(series->kind));
    kt_json_text_member(json, "status", kt_series_status_name(series->status));
    kt_json_text_member(json, "error", series->error);
    if (series->wrong)
        kt_json_bool_member(json, "wrong", true);
    kt_json_text_member(json, "method", kt_method_name(series->method));
    kt_json_text_member(json, "clock", series->clock);
    kt_json_integer_member(json, "trials", series->trials);
    kt_json_bool_member(json, "verified", series->verified != 0);
    kt_json_bool_member(json, "zero_copy", series->zero_copy != 0);
    kt_json_bool_member(json, "cold", series->cold != 0);
    kt_json_text_member(json, "src", series->src);
    kt_json_text_member(json, "dst", series->dst);
    kt_json_number_member(json, "bytes", series->bytes);
    kt_json_number_member(json, "flops", series->flops);
    kt_json_number_member(json, "first_use_ns", series->first_use_ns);
    kt_json_integer_member(json, "warmup_n", series->warmup_n);
    kt_json_number_member(json, "warmup_ns", series->warmup_ns);
    kt_json_text_member(json, "warmup_end", kt_warmup_end_text(series));
    kt_json_text_member(json, "stop", kt_stop_text(series));
    kt_json_integer_member(json, "n", (int64_t)series->summary.n);
    print_numbers(json, "samples_ns", series->samples_ns, series->summary.n);
    print_discarded(json, series->discarded);
    print_summary(json, &series->summary);
    kt_json_number_member(json, "median_total_ns", series->median_total_ns);
    if (series->clock_period_ns > 0)
        kt_json_number_member(json, "clock_period_ns", series->clock_period_ns);
    if (series->clock_resolution_ns > 0)
        kt_json_number_member(json, "clock_resolution_ns", series->clock_resolution_ns);
    kt_json_number_member(json, "context_ns", series->context_ns);
    if (series->context_missing)
        kt_json_integer_member(json, "context_missing", series->context_missing);
    speedup_member(json, document, series, "sequential");
    speedup_member(json, document, series, "best");
    if (series->fastest)
        kt_json_bool_member(json, "fastest", true);
    if (series->state.readings)
        print_state_summary(json, &series->state);
    if (series->energy)
        print_energy(json, series);
    if (series->raw)
        print_raw(json, series);
    kt_json_close(json, '}');
}

static void print_baseline(kt_json *json, const kt_baseline *baseline)
{
    kt_json_open(json, '{');
    kt_json_text_member(json, "workload", baseline->workload);
    kt_print_json_params(json, baseline->params, baseline->param_count);
    kt_json_text_member(json, "name", baseline->name);
    kt_json_text_member(json, "flags", baseline->flags);
    kt_json_key(json, "threads");
    kt_json_number(json, baseline->threads ? baseline->threads : NAN);
    kt_json_integer_member(json, "n", (int64_t)baseline->n);
    print_numbers(json, "samples_ns", baseline->samples_ns, baseline->n);
    print_summary(json, &baseline->summary);
    kt_json_close(json, '}');
}

static bool is_measured(const kt_transfer *transfer, int time)
{
    for (uint32_t i = 0; i < transfer->size_count; i++)
        if (transfer->sizes[i].times[time])
            return true;
    return false;
}

static void print_model(kt_json *json, const kt_transfer *transfer, int time,
                        const kt_transfer_model *model)
{
    kt_json_open(json, '{');
    kt_json_text_member(json, "device", transfer->first->device);
    kt_json_text_member(json, "workload", transfer->first->workload);
    kt_json_text_member(json, "variant", transfer->first->variant);
    kt_json_text_member(json, "src", transfer->src);
    kt_json_text_member(json, "dst", transfer->dst);
    kt_json_text_member(json, "step", time == KT_TRANSFER_WALL ? "wall" : "copy");
    kt_json_text_member(json, "state", kt_transfer_state_name(model->state));
    kt_json_number_member(json, "latency_ns", model->latency_ns);
    kt_json_interval_member(json, "latency_ci95_ns", model->latency_low_ns, model->latency_high_ns);
    kt_json_number_member(json, "gb_per_s", model->gb_per_s);
    kt_json_interval_member(json, "gb_per_s_ci95", model->gb_per_s_low, model->gb_per_s_high);
    kt_json_number_member(json, "half_bytes", model->half_bytes);
    kt_json_number_member(json, "from_bytes", model->from_bytes);
    kt_json_number_member(json, "to_bytes", model->to_bytes);
    kt_json_integer_member(json, "points", (int64_t)model->points);
    kt_json_number_member(json, "below", model->below);
    kt_json_number_member(json, "above", model->above);
    kt_json_close(json, '}');
}

static void print_models(kt_json *json, const kt_transfer *transfer, int time)
{
    for (size_t i = 0; is_measured(transfer, time) && i < transfer->model_count[time]; i++)
        print_model(json, transfer, time, &transfer->models[time][i]);
}

/* Prints nothing if no copies were measured. False: out of memory. */
static bool print_transfers(kt_json *json, const kt_document *document)
{
    kt_over_runs over;
    kt_transfers transfers;
    if (!kt_gather_runs(&over, document))
        return false;
    bool done = kt_gather_transfers(&transfers, &over.document);
    if (done && transfers.count) {
        kt_json_key(json, "transfers");
        kt_json_open(json, '[');
        for (uint32_t i = 0; i < transfers.count; i++)
            for (int time = 0; time < KT_TRANSFER_TIMES; time++)
                print_models(json, &transfers.list[i], time);
        kt_json_close(json, ']');
    }
    kt_free_transfers(&transfers);
    kt_free_runs(&over);
    return done;
}

static void print_backend(kt_json *json, const kt_document_backend *backend)
{
    kt_json_open_line(json, '{');
    kt_json_text_member(json, "name", backend->name);
    kt_json_integer_member(json, "devices", backend->device_count);
    kt_json_text_member(json, "missing", backend->reason[0] ? backend->reason : NULL);
    kt_json_close(json, '}');
}

static void print_backends(kt_json *json, const kt_document *document)
{
    kt_json_key(json, "backends");
    kt_json_open(json, '[');
    for (uint32_t i = 0; i < document->backend_count; i++)
        print_backend(json, &document->backends[i]);
    kt_json_close(json, ']');
}

static void print_diagnostic(kt_json *json, const kt_diagnostic *diagnostic)
{
    kt_json_open(json, '{');
    kt_json_text_member(json, "device", diagnostic->device);
    kt_json_text_member(json, "check", diagnostic->check);
    kt_json_text_member(json, "severity", kt_severity_name(diagnostic->severity));
    kt_json_text_member(json, "seen", diagnostic->seen);
    kt_json_text_member(json, "means", diagnostic->means);
    kt_json_text_member(json, "advice", diagnostic->advice);
    kt_json_key(json, "values");
    kt_json_open_line(json, '{');
    for (uint32_t i = 0; i < diagnostic->value_count; i++)
        kt_json_number_member(json, diagnostic->values[i].name, diagnostic->values[i].value);
    kt_json_close(json, '}');
    kt_json_close(json, '}');
}

static void print_diagnostics(kt_json *json, const kt_document *document)
{
    kt_json_key(json, "diagnostics");
    kt_json_open(json, '[');
    for (uint32_t i = 0; i < document->diagnostic_count; i++)
        print_diagnostic(json, &document->diagnostics[i]);
    kt_json_close(json, ']');
}

void kt_print_json_head(kt_json *json, const kt_document *document)
{
    kt_json_text_member(json, "schema", "kerntime/1");
    kt_json_text_member(json, "document", document->desc.document);
    kt_json_text_member(json, "version", document->desc.origin->version);
    kt_json_key(json, "command");
    kt_json_open_line(json, '[');
    for (uint32_t i = 0; i < document->desc.command_count; i++)
        kt_json_text(json, document->desc.command[i]);
    kt_json_close(json, ']');
    if (document->desc.origin->id)
        kt_json_text_member(json, "document_id", document->desc.origin->id);
    kt_json_text_member(json, "started", document->desc.origin->started);
    kt_print_json_host(json, document->desc.origin);
    print_launch(json, document->desc.origin->launch);
}

void kt_print_json(const kt_document *document, kt_writer *writer)
{
    kt_json json = {.writer = writer};
    kt_json_open(&json, '{');
    kt_print_json_head(&json, document);
    if (document->backend_count)
        print_backends(&json, document);
    kt_print_json_devices(&json, document);
    if (kt_is_doctor(document))
        print_diagnostics(&json, document);
    kt_json_key(&json, "series");
    kt_json_open(&json, '[');
    for (uint32_t i = 0; i < document->series_count; i++)
        print_series(&json, document, &document->series[i]);
    kt_json_close(&json, ']');
    kt_json_key(&json, "baselines");
    kt_json_open(&json, '[');
    for (uint32_t i = 0; i < document->baseline_count; i++)
        print_baseline(&json, &document->baselines[i]);
    kt_json_close(&json, ']');
    if (!print_transfers(&json, document))
        writer->status = KT_NO_MEMORY;
    kt_json_close(&json, '}');
}
