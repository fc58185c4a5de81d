#include "report/report.h"

#include "measure/result.h"
#include "support/alloc.h"
#include "support/error.h"
#include "support/host_clock.h"
#include "support/keep.h"
#include "support/options.h"
#include "support/random.h"

#include <math.h>
#include <string.h>

void *kt_report_keep(kt_report *report, const void *data, size_t bytes)
{
    void *copy = kt_keep(&report->copies, &report->copy_count, kt_alloc(bytes, 1));
    if (copy && data && bytes)
        memcpy(copy, data, bytes);
    return copy;
}

const char *kt_report_keep_text(kt_report *report, const char *text, kt_status *status)
{
    if (!text)
        return NULL;
    const char *copy = kt_report_keep(report, text, strlen(text) + 1);
    if (!copy)
        *status = KT_NO_MEMORY;
    return copy;
}

static const kt_param *keep_params(kt_report *report, const kt_param *params, uint32_t count,
                                   kt_status *status)
{
    kt_param *copy = kt_report_keep(report, params, count * sizeof *copy);
    if (!copy)
        *status = KT_NO_MEMORY;
    for (uint32_t i = 0; copy && i < count; i++)
        copy[i].name = kt_report_keep_text(report, params[i].name, status);
    return copy;
}

/* A report with simulated devices only omits the machine and date, so that a scenario produces the
 * same bytes everywhere. */
static void choose_origin(kt_report *report)
{
    bool all_simulated = report->device_count > 0 && !report->origin_given;
    for (uint32_t i = 0; i < report->device_count; i++)
        all_simulated &= report->devices[i].info.type == KT_DEVICE_SIMULATED;
    report->desc.origin = all_simulated ? &report->simulated : &report->origin;
}

static kt_status keep_origin(kt_report *report, const kt_report_origin *given)
{
    kt_host host;
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
        given = &here;
    }
    kt_status status = KT_OK;
    report->origin =
        (kt_report_origin){.version = kt_report_keep_text(report, given->version, &status),
                           .started = kt_report_keep_text(report, given->started, &status),
                           .os = kt_report_keep_text(report, given->os, &status),
                           .cpu = kt_report_keep_text(report, given->cpu, &status),
                           .clock = kt_report_keep_text(report, given->clock, &status),
                           .cores = given->cores,
                           .id = kt_report_keep_text(report, given->id, &status)};
    report->simulated = (kt_report_origin){.version = report->origin.version,
                                           .started = "2000-01-01T00:00:00Z",
                                           .os = "simulated",
                                           .cpu = "simulated",
                                           .clock = "simulated",
                                           .cores = 1};
    choose_origin(report);
    return status;
}

kt_status kt_report_create(kt_report **out, const kt_report_desc *desc)
{
    kt_report_desc given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_report_desc");
    if (status != KT_OK)
        return status;
    kt_report *report = kt_alloc(1, sizeof *report);
    if (!report)
        return KT_NO_MEMORY;
    report->zero_copies.fastest_gb_per_s = NAN;
    status = keep_origin(report, given.origin);
    uint32_t count = given.command_count;
    const char **command = kt_report_keep(report, NULL, count * sizeof *command);
    if (!command)
        status = KT_NO_MEMORY;
    for (uint32_t i = 0; command && i < count; i++)
        command[i] = kt_report_keep_text(report, given.command[i], &status);
    report->desc.size = sizeof report->desc;
    report->desc.document =
        kt_report_keep_text(report, given.document ? given.document : "result", &status);
    report->desc.command = command;
    report->desc.command_count = count;
    if (status == KT_OK)
        *out = report;
    else
        kt_report_destroy(&report);
    return status;
}

void kt_report_destroy(kt_report **report)
{
    kt_report *r = *report;
    if (!r)
        return;
    for (uint32_t i = 0; i < r->result_count; i++)
        kt_result_destroy(&r->results[i]);
    kt_free_kept(&r->copies, &r->copy_count);
    kt_free(r->results);
    kt_free(r->diagnostics);
    kt_free(r->baselines);
    kt_free(r->series);
    kt_free_zero_copies(&r->zero_copies);
    kt_free(r->backends);
    kt_free(r->devices);
    kt_free(r);
    *report = NULL;
}

const kt_report_desc *kt_report_get_desc(const kt_report *report)
{
    return &report->desc;
}

uint32_t kt_report_find_device(const kt_report *report, const char *id)
{
    uint32_t at = 0;
    while (at < report->device_count && strcmp(report->devices[at].info.id, id) != 0)
        at++;
    return at;
}

kt_status kt_report_add_device(kt_report *report, const kt_device_info *info,
                               const kt_timer_limits *limits)
{
    uint32_t at = kt_report_find_device(report, info->id);
    if (at == report->device_count) {
        kt_document_device *devices =
            kt_grow(report->devices, (size_t)report->device_count + 1, sizeof *devices);
        if (!devices)
            return KT_NO_MEMORY;
        report->devices = devices;
        report->devices[report->device_count++] = (kt_document_device){0};
    }
    report->devices[at].info = *info; /* later measurements add to the infos of clocks */
    choose_origin(report);
    if (limits) {
        report->devices[at].has_timer_limits = true;
        report->devices[at].limits = *limits;
    }
    return KT_OK;
}

kt_status kt_report_set_clock_error(kt_report *report, const char *device_id, const char *error)
{
    uint32_t at = kt_report_find_device(report, device_id);
    if (at == report->device_count)
        return kt_fail(KT_INVALID, "%s is no device of the report", device_id);
    kt_status status = KT_OK;
    const char *copy = kt_report_keep_text(report, error, &status);
    if (status == KT_OK)
        report->devices[at].clock_error = copy;
    return status;
}

kt_status kt_report_add_backend(kt_report *report, const kt_backend_info *info)
{
    kt_status status = KT_OK;
    kt_document_backend backend = {.name = kt_report_keep_text(report, info->name, &status),
                                   .reason = kt_report_keep_text(report, info->reason, &status),
                                   .device_count = info->device_count};
    kt_document_backend *backends =
        kt_grow(report->backends, (size_t)report->backend_count + 1, sizeof *backends);
    if (backends) /* even after a failure: the old array is gone */
        report->backends = backends;
    if (status != KT_OK || !backends)
        return KT_NO_MEMORY;
    report->backends[report->backend_count++] = backend;
    return KT_OK;
}

/* Whether the series is one of several steps; the baseline does the work of all of them. */
static bool is_part(const kt_report *report, const kt_series *series)
{
    kt_series_role role = kt_series_get_role(series);
    bool whole = series->kind == KT_SERIES_WALL || role == KT_ROLE_TOTAL || role == KT_ROLE_SPAN;
    for (uint32_t i = 0; !whole && i < report->series_count; i++)
        if (kt_series_get_role(&report->series[i]) == KT_ROLE_TOTAL &&
            kt_same_measurement(&report->series[i], series))
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
        series->speedup = baseline->median_ns / series->summary.median;
}

/* Removes the speed-up of a series that a later step reveals to be one of several. */
static void drop_speedup_of_part(const kt_report *report, kt_series *series)
{
    for (uint32_t i = 0; i < report->baseline_count; i++) {
        double filled = report->baselines[i].median_ns / series->summary.median;
        if (compares(series, &report->baselines[i]) && series->speedup == filled &&
            is_part(report, series))
            series->speedup = NAN;
    }
}

kt_document kt_report_document(const kt_report *report)
{
    return (kt_document){
        .kind = report->desc.document,
        .command = report->desc.command,
        .command_count = report->desc.command_count,
        .origin = report->desc.origin,
        .devices = report->devices,
        .device_count = report->device_count,
        .backends = report->backends,
        .backend_count = report->backend_count,
        .series = report->series,
        .series_count = report->series_count,
        .baselines = report->baselines,
        .baseline_count = report->baseline_count,
        .diagnostics = report->diagnostics,
        .diagnostic_count = report->diagnostic_count,
    };
}

/* Grows the array by `count` series; NULL: out of memory. */
static kt_series *grow_series(kt_report *report, uint32_t count)
{
    size_t room = (size_t)report->series_count + count;
    kt_series *series = kt_grow_zero_copies(&report->zero_copies, room)
                            ? kt_grow(report->series, room, sizeof *series)
                            : NULL;
    if (series)
        report->series = series;
    return series;
}

static void add_series(kt_report *report, const kt_series *series)
{
    report->zero_copies.reported[report->series_count] = series->zero_copy != 0;
    report->series[report->series_count++] = *series;
}

/* Judges the added series; cannot fail. */
static void judge(kt_report *report, const kt_series *added)
{
    const kt_document document = kt_report_document(report);
    kt_judge_zero_copies(&report->zero_copies, &document, added, report->series);
}

kt_status kt_report_add_result(kt_report *report, kt_result **result)
{
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
    kt_series *added = &report->series[report->series_count];
    for (uint32_t i = 0; i < owned->series_count; i++)
        add_series(report, &owned->series[i]);
    for (uint32_t i = 0; i < owned->series_count; i++) {
        for (uint32_t k = 0; k < report->baseline_count; k++)
            fill_speedup(report, &added[i], &report->baselines[k]);
        judge(report, &added[i]);
    }
    return KT_OK;
}

kt_status kt_report_add_series(kt_report *report, const kt_series *series)
{
    kt_status status = KT_OK;
    kt_series copy = *series;
    copy.name = kt_report_keep_text(report, series->name, &status);
    copy.workload = kt_report_keep_text(report, series->workload, &status);
    copy.variant = kt_report_keep_text(report, series->variant, &status);
    copy.device = kt_report_keep_text(report, series->device, &status);
    copy.params = keep_params(report, series->params, series->param_count, &status);
    copy.step = kt_report_keep_text(report, series->step, &status);
    copy.error = kt_report_keep_text(report, series->error, &status);
    copy.clock = kt_report_keep_text(report, series->clock, &status);
    copy.src = kt_report_keep_text(report, series->src, &status);
    copy.dst = kt_report_keep_text(report, series->dst, &status);
    copy.samples_ns =
        kt_report_keep(report, series->samples_ns, series->summary.n * sizeof *copy.samples_ns);
    if (series->raw)
        copy.raw = kt_report_keep(report, series->raw, series->raw_count * sizeof *copy.raw);
    if (status != KT_OK || !copy.samples_ns || (series->raw && !copy.raw) ||
        !grow_series(report, 1))
        return KT_NO_MEMORY;
    kt_series *own = &report->series[report->series_count];
    add_series(report, &copy);
    for (uint32_t i = 0; i < report->baseline_count; i++)
        fill_speedup(report, own, &report->baselines[i]);
    bool is_total = kt_series_get_role(own) == KT_ROLE_TOTAL;
    for (uint32_t i = 0; is_total && i < report->series_count; i++)
        drop_speedup_of_part(report, &report->series[i]);
    judge(report, own);
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
    kt_status status = KT_OK;
    kt_baseline copy = *baseline;
    copy.workload = kt_report_keep_text(report, baseline->workload, &status);
    copy.name = kt_report_keep_text(report, baseline->name, &status);
    copy.flags = kt_report_keep_text(report, baseline->flags, &status);
    copy.params = keep_params(report, baseline->params, baseline->param_count, &status);
    copy.samples_ns =
        kt_report_keep(report, baseline->samples_ns, baseline->n * sizeof *copy.samples_ns);
    double *scratch = kt_alloc(baseline->n, sizeof *scratch);
    kt_baseline *baselines =
        kt_grow(report->baselines, (size_t)report->baseline_count + 1, sizeof *baselines);
    if (baselines)
        report->baselines = baselines;
    if (status != KT_OK || !copy.samples_ns || !scratch || !baselines) {
        kt_free(scratch);
        return KT_NO_MEMORY;
    }
    kt_summary summary;
    kt_summarize(copy.samples_ns, baseline->n, 0, scratch, &summary);
    kt_free(scratch);
    copy.median_ns = summary.median;
    report->baselines[report->baseline_count++] = copy;
    for (uint32_t i = 0; i < report->series_count; i++)
        fill_speedup(report, &report->series[i], &copy);
    return KT_OK;
}

uint32_t kt_report_series_count(const kt_report *report)
{
    return report->series_count;
}

const kt_series *kt_report_series(const kt_report *report, uint32_t index)
{
    return index < report->series_count ? &report->series[index] : NULL;
}

uint32_t kt_report_device_count(const kt_report *report)
{
    return report->device_count;
}

const kt_device_info *kt_report_device(const kt_report *report, uint32_t index)
{
    return index < report->device_count ? &report->devices[index].info : NULL;
}

const kt_timer_limits *kt_report_timer_limits(const kt_report *report, uint32_t index)
{
    bool measured = index < report->device_count && report->devices[index].has_timer_limits;
    return measured ? &report->devices[index].limits : NULL;
}

const char *kt_report_clock_error(const kt_report *report, uint32_t index)
{
    return index < report->device_count ? report->devices[index].clock_error : NULL;
}

uint32_t kt_report_baseline_count(const kt_report *report)
{
    return report->baseline_count;
}

const kt_baseline *kt_report_baseline(const kt_report *report, uint32_t index)
{
    return index < report->baseline_count ? &report->baselines[index] : NULL;
}
