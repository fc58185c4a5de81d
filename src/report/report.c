/* SPDX-License-Identifier: MIT */
#include "report/report.h"

#include "measure/result.h"
#include "support/alloc.h"
#include "support/error.h"
#include "support/host_clock.h"
#include "support/keep.h"
#include "support/launch.h"
#include "support/options.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

/* Copies data for the lifetime of the report; zeros if `data` is NULL. NULL: out of memory. */
static void *keep(kt_report *report, const void *data, size_t bytes)
{
    void *copy = kt_keep(&report->copies, &report->copy_count, kt_alloc(bytes, 1));
    if (copy && data && bytes)
        memcpy(copy, data, bytes);
    return copy;
}

/* Copies a text; NULL for NULL. Sets `status` only when out of memory. */
static const char *keep_text(kt_report *report, const char *text, kt_status *status)
{
    if (!text)
        return NULL;
    const char *copy = keep(report, text, strlen(text) + 1);
    if (!copy)
        *status = KT_NO_MEMORY;
    return copy;
}

static const kt_param *keep_params(kt_report *report, const kt_param *params, uint32_t count,
                                   kt_status *status)
{
    kt_param *copy = keep(report, params, count * sizeof *copy);
    if (!copy)
        *status = KT_NO_MEMORY;
    for (uint32_t i = 0; copy && i < count; i++)
        copy[i].name = keep_text(report, params[i].name, status);
    return copy;
}

/* Whether an array of `count` parameters, each with a name, is there. */
static bool has_params(const kt_param *params, uint32_t count)
{
    for (uint32_t i = 0; params && i < count; i++)
        if (!params[i].name)
            return false;
    return params || count == 0;
}

static kt_status check_series(const kt_series *series)
{
    if (!series->name || !series->workload || !series->device || !series->step)
        return kt_fail(KT_INVALID, "name, workload, device or step of kt_series is not set");
    if (!has_params(series->params, series->param_count))
        return kt_fail(KT_INVALID, "a parameter of kt_series is not set");
    if (series->summary.n && !series->samples_ns)
        return kt_fail(KT_INVALID, "kt_series has %zu samples and gives none",
                       (size_t)series->summary.n);
    if ((unsigned)series->kind > KT_SERIES_WALL_TIMESTAMPED ||
        (unsigned)series->status > KT_SERIES_NOT_POSSIBLE ||
        (unsigned)series->method > KT_METHOD_SIMULATED ||
        (unsigned)series->stop > KT_STOP_RESOLUTION ||
        (unsigned)series->warmup_end > KT_WARMUP_SHORT)
        return kt_fail(KT_INVALID, "an enum of kt_series is out of range");
    return KT_OK;
}

static kt_status check_baseline(const kt_baseline *baseline)
{
    if (!baseline->name || !baseline->workload || !baseline->flags)
        return kt_fail(KT_INVALID, "name, workload or flags of kt_baseline is not set");
    if (!has_params(baseline->params, baseline->param_count))
        return kt_fail(KT_INVALID, "a parameter of kt_baseline is not set");
    if (baseline->n && !baseline->samples_ns)
        return kt_fail(KT_INVALID, "kt_baseline has %zu samples and gives none", baseline->n);
    return KT_OK;
}

/* A report with simulated devices only omits the machine and date, so that a scenario produces the
 * same bytes everywhere. */
static void choose_origin(kt_report *report)
{
    bool all_simulated = report->document.device_count > 0 && !report->origin_given;
    for (uint32_t i = 0; i < report->document.device_count; i++)
        all_simulated &= report->document.devices[i].info.type == KT_DEVICE_SIMULATED;
    report->document.desc.origin = all_simulated ? &report->simulated : &report->origin;
}

/* Leaves out what identifies the host. */
static void anonymize(kt_report_origin *origin)
{
    origin->id = origin->host = origin->boot_id = NULL;
    origin->launch = NULL;
}

static kt_status keep_origin(kt_report *report, const kt_report_desc *desc)
{
    const kt_report_origin *given = desc->origin;
    kt_host host;
    kt_launch launch;
    char started[32], id[KT_RANDOM_ID_BYTES];
    kt_report_origin here = {.version = kt_version(),
                             .started = started,
                             .os = host.os,
                             .clock = kt_system_clock_name()};
    if (given) {
        report->origin_given = true;
        if (!given->version || !given->started || !given->os || !given->clock)
            return kt_fail(KT_INVALID, "a text of kt_report_origin is not set");
    } else {
        kt_utc_text(started, sizeof started);
        kt_host_describe(&host);
        here.cpu = host.cpu[0] ? host.cpu : NULL;
        here.cores = host.cores;
        here.id = kt_random_id(id) ? id : NULL;
        here.host = host.name[0] ? host.name : NULL;
        here.boot_id = host.boot_id[0] ? host.boot_id : NULL;
        here.launch = kt_launch_find(desc->rank_variable, &launch) ? &launch : NULL;
        given = &here;
    }
    kt_status status = KT_OK;
    report->origin = (kt_report_origin){.version = keep_text(report, given->version, &status),
                                        .started = keep_text(report, given->started, &status),
                                        .os = keep_text(report, given->os, &status),
                                        .cpu = keep_text(report, given->cpu, &status),
                                        .clock = keep_text(report, given->clock, &status),
                                        .cores = given->cores,
                                        .id = keep_text(report, given->id, &status),
                                        .host = keep_text(report, given->host, &status),
                                        .boot_id = keep_text(report, given->boot_id, &status)};
    if (given->launch) {
        report->launch = *given->launch;
        report->origin.launch = &report->launch;
    }
    report->simulated = (kt_report_origin){.version = report->origin.version,
                                           .started = "simulated",
                                           .os = "simulated",
                                           .cpu = "simulated",
                                           .clock = "simulated",
                                           .cores = 1,
                                           .host = "simulated",
                                           .launch = report->origin.launch};
    report->is_anonymous = desc->anonymous != 0;
    if (report->is_anonymous) {
        anonymize(&report->origin);
        anonymize(&report->simulated);
    }
    choose_origin(report);
    return status;
}

kt_status kt_report_create(kt_report **out, const kt_report_desc *desc)
{
    KT_NEED(out);
    kt_report_desc given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_report_desc");
    if (status != KT_OK)
        return status;
    kt_report *report = kt_alloc(1, sizeof *report);
    if (!report)
        return KT_NO_MEMORY;
    report->zero_copies.fastest_gb_per_s = NAN;
    status = keep_origin(report, &given);
    uint32_t count = given.command_count;
    const char **command = keep(report, NULL, count * sizeof *command);
    if (!command)
        status = KT_NO_MEMORY;
    for (uint32_t i = 0; command && i < count; i++)
        command[i] = keep_text(report, given.command[i], &status);
    report->document.desc.size = sizeof report->document.desc;
    report->document.desc.document =
        keep_text(report, given.document ? given.document : "result", &status);
    report->document.desc.command = command;
    report->document.desc.command_count = count;
    report->document.desc.anonymous = report->is_anonymous;
    report->document.desc.rank_variable = keep_text(report, given.rank_variable, &status);
    if (status == KT_OK)
        *out = report;
    else
        kt_report_destroy(&report);
    return status;
}

void kt_report_destroy(kt_report **report)
{
    kt_report *r = report ? *report : NULL;
    if (!r)
        return;
    for (uint32_t i = 0; i < r->result_count; i++)
        kt_result_destroy(&r->results[i]);
    kt_free_kept(&r->copies, &r->copy_count);
    kt_free(r->results);
    kt_free(r->document.diagnostics);
    kt_free(r->document.baselines);
    kt_free(r->document.series);
    kt_free_zero_copies(&r->zero_copies);
    kt_free(r->document.backends);
    kt_free(r->document.devices);
    kt_free(r);
    *report = NULL;
}

const kt_report_desc *kt_report_get_desc(const kt_report *report)
{
    if (!report)
        return NULL;
    return &report->document.desc;
}

kt_status kt_report_add_device(kt_report *report, const kt_device_info *info,
                               const kt_timer_limits *limits)
{
    KT_NEED(report);
    KT_NEED(info);
    if (info->clock_count > KT_CLOCKS_MAX || info->queue_group_count > KT_QUEUE_GROUPS_MAX)
        return kt_fail(KT_INVALID, "%u clocks and %u queue groups are more than fit kt_device_info",
                       info->clock_count, info->queue_group_count);
    kt_document *document = &report->document;
    kt_document_device *device = kt_find_device(document, info->id);
    if (!device) {
        kt_document_device *devices =
            kt_grow(document->devices, (size_t)document->device_count + 1, sizeof *devices);
        if (!devices)
            return KT_NO_MEMORY;
        document->devices = devices;
        device = &devices[document->device_count++];
        *device = (kt_document_device){0};
    }
    device->info = *info; /* later measurements add to the infos of clocks */
    if (report->is_anonymous)
        device->info.pci_address[0] = device->info.uuid[0] = device->info.serial[0] = '\0';
    choose_origin(report);
    if (limits) {
        device->has_timer_limits = true;
        device->limits = *limits;
    }
    return KT_OK;
}

kt_status kt_report_set_clock_error(kt_report *report, const char *device_id, const char *error)
{
    KT_NEED(report);
    KT_NEED(device_id);
    KT_NEED(error);
    kt_document_device *device = kt_find_device(&report->document, device_id);
    if (!device)
        return kt_fail(KT_INVALID, "%s is no device of the report", device_id);
    kt_status status = KT_OK;
    const char *copy = keep_text(report, error, &status);
    if (status == KT_OK)
        device->clock_error = copy;
    return status;
}

kt_status kt_report_set_device_state(kt_report *report, const char *device_id,
                                     const kt_device_state *state)
{
    KT_NEED(report);
    KT_NEED(device_id);
    KT_NEED(state);
    kt_document_device *device = kt_find_device(&report->document, device_id);
    if (!device)
        return kt_fail(KT_INVALID, "%s is no device of the report", device_id);
    device->has_state = state->source[0] != '\0';
    device->state = *state;
    return KT_OK;
}

kt_status kt_report_add_backend(kt_report *report, const kt_backend_info *info)
{
    KT_NEED(report);
    KT_NEED(info);
    KT_NEED(info->name);
    kt_status status = KT_OK;
    kt_document_backend backend = {.name = keep_text(report, info->name, &status),
                                   .reason = keep_text(report, info->reason, &status),
                                   .device_count = info->device_count};
    kt_document_backend *backends = kt_grow(
        report->document.backends, (size_t)report->document.backend_count + 1, sizeof *backends);
    if (backends) /* even after a failure: the old array is gone */
        report->document.backends = backends;
    if (status != KT_OK || !backends)
        return KT_NO_MEMORY;
    report->document.backends[report->document.backend_count++] = backend;
    return KT_OK;
}

/* Whether the series is one of several steps; the baseline does the work of all of them. */
static bool is_part(const kt_report *report, const kt_series *series)
{
    kt_series_role role = kt_series_get_role(series);
    bool whole = kt_series_is_wall(series) || role == KT_ROLE_TOTAL || role == KT_ROLE_SPAN;
    for (uint32_t i = 0; !whole && i < report->document.series_count; i++)
        if (kt_series_get_role(&report->document.series[i]) == KT_ROLE_TOTAL &&
            kt_same_measurement(&report->document.series[i], series))
            return true;
    return false;
}

/* Simulated and real times do not compare, and baselines run with warm caches. */
static bool compares(const kt_series *series, const kt_baseline *baseline)
{
    return !series->cold && series->method != KT_METHOD_SIMULATED &&
           strcmp(baseline->name, "sequential") == 0 && kt_same_work(series, baseline);
}

/* Fills in the speed-up over the sequential baseline if it is unknown. */
static void fill_speedup(const kt_report *report, kt_series *series, const kt_baseline *baseline)
{
    if (isnan(series->speedup) && compares(series, baseline) && !is_part(report, series))
        series->speedup = baseline->summary.median / series->summary.median;
}

/* Removes the speed-up of a series that a later step reveals to be one of several. */
static void drop_speedup_of_part(const kt_report *report, kt_series *series)
{
    for (uint32_t i = 0; i < report->document.baseline_count; i++) {
        double filled = report->document.baselines[i].summary.median / series->summary.median;
        if (compares(series, &report->document.baselines[i]) && series->speedup == filled &&
            is_part(report, series))
            series->speedup = NAN;
    }
}

/* Grows the array by `count` series; NULL: out of memory. */
static kt_series *grow_series(kt_report *report, uint32_t count)
{
    size_t room = (size_t)report->document.series_count + count;
    kt_series *series = kt_grow_zero_copies(&report->zero_copies, room)
                            ? kt_grow(report->document.series, room, sizeof *series)
                            : NULL;
    if (series)
        report->document.series = series;
    return series;
}

static void add_series(kt_report *report, const kt_series *series)
{
    report->zero_copies.reported[report->document.series_count] = series->zero_copy != 0;
    report->document.series[report->document.series_count++] = *series;
}

/* Computes what a series shows only beside others: speed-up and zero copy. */
static void complete_series(kt_report *report, kt_series *series)
{
    for (uint32_t i = 0; i < report->document.baseline_count; i++)
        fill_speedup(report, series, &report->document.baselines[i]);
    kt_judge_zero_copies(&report->zero_copies, &report->document, series);
}

kt_status kt_report_add_result(kt_report *report, kt_result **result)
{
    KT_NEED(report);
    KT_NEED(result);
    KT_NEED(*result);
    kt_result *owned = *result;
    *result = NULL;
    kt_result **results =
        kt_grow(report->results, (size_t)report->result_count + 1, sizeof *results);
    if (!results) {
        kt_result_destroy(&owned);
        return KT_NO_MEMORY;
    }
    report->results = results;
    report->results[report->result_count++] = owned;
    if (!grow_series(report, owned->series_count))
        return KT_NO_MEMORY;
    kt_series *added = &report->document.series[report->document.series_count];
    for (uint32_t i = 0; i < owned->series_count; i++)
        add_series(report, &owned->series[i]);
    for (uint32_t i = 0; i < owned->series_count; i++)
        complete_series(report, &added[i]);
    return KT_OK;
}

kt_status kt_report_add_series(kt_report *report, const kt_series *series)
{
    KT_NEED(report);
    KT_NEED(series);
    kt_status status = check_series(series);
    if (status != KT_OK)
        return status;
    kt_series copy = *series;
    copy.name = keep_text(report, series->name, &status);
    copy.workload = keep_text(report, series->workload, &status);
    copy.variant = keep_text(report, series->variant, &status);
    copy.device = keep_text(report, series->device, &status);
    copy.params = keep_params(report, series->params, series->param_count, &status);
    copy.step = keep_text(report, series->step, &status);
    copy.error = keep_text(report, series->error, &status);
    copy.clock = keep_text(report, series->clock, &status);
    copy.src = keep_text(report, series->src, &status);
    copy.dst = keep_text(report, series->dst, &status);
    copy.samples_ns = keep(report, series->samples_ns, series->summary.n * sizeof *copy.samples_ns);
    if (series->energy) {
        kt_energy energy = *series->energy;
        energy.reason = keep_text(report, energy.reason, &status);
        copy.energy = keep(report, &energy, sizeof energy);
    }
    if (series->raw)
        copy.raw = keep(report, series->raw, series->raw_count * sizeof *copy.raw);
    if (status != KT_OK || !copy.samples_ns || (series->raw && !copy.raw) ||
        (series->energy && !copy.energy) || !grow_series(report, 1))
        return KT_NO_MEMORY;
    kt_series *own = &report->document.series[report->document.series_count];
    add_series(report, &copy);
    complete_series(report, own);
    bool is_total = kt_series_get_role(own) == KT_ROLE_TOTAL;
    for (uint32_t i = 0; is_total && i < report->document.series_count; i++)
        drop_speedup_of_part(report, &report->document.series[i]);
    return KT_OK;
}

/* Describes a failed copy by its job, as other kinds of steps need no description. */
static void describe_copy(const kt_job_desc *job, kt_series *failure)
{
    const kt_step *step = job->steps;
    if (job->step_count != 1 || step->kind != KT_STEP_COPY)
        return;
    failure->kind = KT_SERIES_COPY;
    failure->bytes = (double)step->copy_bytes;
    failure->src = step->src ? kt_memory_kind_name(kt_memory_get_kind(step->src)) : NULL;
    failure->dst = step->dst ? kt_memory_kind_name(kt_memory_get_kind(step->dst)) : NULL;
}

kt_status kt_report_add_failure(kt_report *report, const char *device_id, const kt_job_desc *desc,
                                kt_series_status series_status, const char *error)
{
    KT_NEED(report);
    KT_NEED(device_id);
    KT_NEED(desc);
    kt_job_desc job;
    kt_status status = kt_take_options(&job, sizeof job, desc, "kt_job_desc");
    if (status != KT_OK)
        return status;
    kt_series failure = {
        .name = job.name,
        .workload = job.workload ? job.workload : job.name,
        .variant = job.variant,
        .device = device_id,
        .params = job.params,
        .param_count = job.param_count,
        .step = job.workload ? job.workload : job.name,
        .status = series_status,
        .error = error,
        .trials = 1,
        .bytes = NAN,
        .flops = NAN,
        .first_use_ns = NAN,
        .first_use_device_ns = NAN,
        .warmup_ns = NAN,
        .median_total_ns = NAN,
        .clock_resolution_ns = NAN,
        .clock_period_ns = NAN,
        .context_ns = NAN,
        .speedup = NAN,
    };
    describe_copy(&job, &failure);
    kt_summarize(NULL, 0, 0, NULL, &failure.summary);
    if (kt_is_transfer(&failure, &failure.src, &failure.dst))
        failure.kind = KT_SERIES_COPY;
    return kt_report_add_series(report, &failure);
}

kt_status kt_report_add_baseline(kt_report *report, const kt_baseline *baseline)
{
    KT_NEED(report);
    KT_NEED(baseline);
    kt_status status = check_baseline(baseline);
    if (status != KT_OK)
        return status;
    kt_baseline copy = *baseline;
    copy.workload = keep_text(report, baseline->workload, &status);
    copy.name = keep_text(report, baseline->name, &status);
    copy.flags = keep_text(report, baseline->flags, &status);
    copy.params = keep_params(report, baseline->params, baseline->param_count, &status);
    copy.samples_ns = keep(report, baseline->samples_ns, baseline->n * sizeof *copy.samples_ns);
    double *scratch = kt_alloc(baseline->n, sizeof *scratch);
    kt_baseline *baselines = kt_grow(
        report->document.baselines, (size_t)report->document.baseline_count + 1, sizeof *baselines);
    if (baselines)
        report->document.baselines = baselines;
    if (status != KT_OK || !copy.samples_ns || !scratch || !baselines) {
        kt_free(scratch);
        return KT_NO_MEMORY;
    }
    kt_summarize(copy.samples_ns, baseline->n, 0, scratch, &copy.summary);
    kt_free(scratch);
    report->document.baselines[report->document.baseline_count++] = copy;
    for (uint32_t i = 0; i < report->document.series_count; i++)
        fill_speedup(report, &report->document.series[i], &copy);
    return KT_OK;
}

/* A diagnostic of an unlisted device would never be shown. */
static kt_status check_diagnostic(const kt_report *report, const kt_diagnostic *diagnostic)
{
    if (!diagnostic->device || !diagnostic->check || !diagnostic->seen)
        return kt_fail(KT_INVALID, "a text of kt_diagnostic is not set");
    if ((unsigned)diagnostic->severity > KT_SEVERITY_FAULT)
        return kt_fail(KT_INVALID, "there is no severity %d", (int)diagnostic->severity);
    if (!kt_find_device(&report->document, diagnostic->device))
        return kt_fail(KT_INVALID, "%s is no device of the report", diagnostic->device);
    if (diagnostic->value_count > 0 && !diagnostic->values)
        return kt_fail(KT_INVALID, "the values of kt_diagnostic are not set");
    for (uint32_t i = 0; i < diagnostic->value_count; i++)
        if (!diagnostic->values[i].name)
            return kt_fail(KT_INVALID, "value %u of kt_diagnostic has no name", i);
    return KT_OK;
}

kt_status kt_report_add_diagnostic(kt_report *report, const kt_diagnostic *diagnostic)
{
    KT_NEED(report);
    KT_NEED(diagnostic);
    kt_status status = check_diagnostic(report, diagnostic);
    if (status != KT_OK)
        return status;
    kt_diagnostic copy = *diagnostic;
    copy.device = keep_text(report, diagnostic->device, &status);
    copy.check = keep_text(report, diagnostic->check, &status);
    copy.seen = keep_text(report, diagnostic->seen, &status);
    copy.means = keep_text(report, diagnostic->means, &status);
    copy.advice = keep_text(report, diagnostic->advice, &status);
    kt_diagnostic_value *values =
        keep(report, diagnostic->values, copy.value_count * sizeof *values);
    for (uint32_t i = 0; values && i < copy.value_count; i++)
        values[i].name = keep_text(report, values[i].name, &status);
    copy.values = values;
    kt_diagnostic *diagnostics =
        kt_grow(report->document.diagnostics, (size_t)report->document.diagnostic_count + 1,
                sizeof *diagnostics);
    if (diagnostics) /* even after a failure: the old array is gone */
        report->document.diagnostics = diagnostics;
    if (status != KT_OK || !values || !diagnostics)
        return KT_NO_MEMORY;
    report->document.diagnostics[report->document.diagnostic_count++] = copy;
    return KT_OK;
}

uint32_t kt_report_series_count(const kt_report *report)
{
    if (!report)
        return 0;
    return report->document.series_count;
}

const kt_series *kt_report_series(const kt_report *report, uint32_t index)
{
    if (!report)
        return NULL;
    return index < report->document.series_count ? &report->document.series[index] : NULL;
}

uint32_t kt_report_device_count(const kt_report *report)
{
    if (!report)
        return 0;
    return report->document.device_count;
}

const kt_device_info *kt_report_device(const kt_report *report, uint32_t index)
{
    if (!report)
        return NULL;
    return index < report->document.device_count ? &report->document.devices[index].info : NULL;
}

const kt_timer_limits *kt_report_timer_limits(const kt_report *report, uint32_t index)
{
    if (!report)
        return NULL;
    bool measured =
        index < report->document.device_count && report->document.devices[index].has_timer_limits;
    return measured ? &report->document.devices[index].limits : NULL;
}

const char *kt_report_clock_error(const kt_report *report, uint32_t index)
{
    if (!report)
        return NULL;
    return index < report->document.device_count ? report->document.devices[index].clock_error
                                                 : NULL;
}

const kt_device_state *kt_report_device_state(const kt_report *report, uint32_t index)
{
    if (!report)
        return NULL;
    bool known = index < report->document.device_count && report->document.devices[index].has_state;
    return known ? &report->document.devices[index].state : NULL;
}

uint32_t kt_report_baseline_count(const kt_report *report)
{
    if (!report)
        return 0;
    return report->document.baseline_count;
}

const kt_baseline *kt_report_baseline(const kt_report *report, uint32_t index)
{
    if (!report)
        return NULL;
    return index < report->document.baseline_count ? &report->document.baselines[index] : NULL;
}

uint32_t kt_report_diagnostic_count(const kt_report *report)
{
    if (!report)
        return 0;
    return report->document.diagnostic_count;
}

const kt_diagnostic *kt_report_diagnostic(const kt_report *report, uint32_t index)
{
    if (!report)
        return NULL;
    return index < report->document.diagnostic_count ? &report->document.diagnostics[index] : NULL;
}
