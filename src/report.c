#include "core.h"
#include "results/document.h"
#include "support/alloc.h"
#include "support/file.h"
#include "support/host_clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct kt_report {
    char *kind;
    char **command;
    uint32_t command_count;
    char started[32];
    kt_document_device *devices;
    uint32_t device_count;
    kt_document_backend *backends;
    uint32_t backend_count;
    kt_series *series; /* those of all results, in the order added */
    uint32_t series_count;
    kt_baseline *baselines;
    uint32_t baseline_count;
    void **copies; /* what baselines and failures point to */
    uint32_t copy_count;
    kt_result **results; /* own what the other series point to */
    uint32_t result_count;
};

typedef void (*printer)(const kt_document *document, kt_writer *writer);
static const printer printers[] = {
    [KT_FORMAT_TABLE] = kt_print_table,
    [KT_FORMAT_JSON] = kt_print_json,
    [KT_FORMAT_CSV] = kt_print_csv,
    [KT_FORMAT_MARKDOWN] = kt_print_markdown,
};

static void *keep(kt_report *report, const void *data, size_t bytes)
{
    void *copy = kt_keep(&report->copies, &report->copy_count, kt_alloc(bytes, 1));
    if (copy && bytes)
        memcpy(copy, data, bytes);
    return copy;
}

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

kt_status kt_report_create(kt_report **out, const kt_report_desc *desc)
{
    kt_report_desc given;
    kt_status status = kt_take_options(&given, sizeof given, desc, "kt_report_desc");
    if (status != KT_OK)
        return status;
    kt_report *report = kt_alloc(1, sizeof *report);
    if (!report)
        return KT_NO_MEMORY;
    uint32_t count = given.command_count;
    report->kind = kt_copy_text(given.document ? given.document : "result");
    report->command = kt_alloc(count, sizeof *report->command);
    bool complete = report->kind && report->command;
    for (uint32_t i = 0; complete && i < count; i++) {
        report->command[i] = kt_copy_text(given.command[i]);
        report->command_count = i + 1;
        complete = report->command[i] != NULL;
    }
    if (!complete) {
        kt_report_destroy(&report);
        return KT_NO_MEMORY;
    }
    kt_utc_text(report->started, sizeof report->started);
    *out = report;
    return KT_OK;
}

void kt_report_destroy(kt_report **report)
{
    kt_report *r = *report;
    if (!r)
        return;
    for (uint32_t i = 0; i < r->result_count; i++)
        kt_result_destroy(&r->results[i]);
    for (uint32_t i = 0; r->command && i < r->command_count; i++)
        kt_free(r->command[i]);
    kt_free_kept(&r->copies, &r->copy_count);
    kt_free(r->results);
    kt_free(r->baselines);
    kt_free(r->series);
    kt_free(r->backends);
    kt_free(r->devices);
    kt_free(r->command);
    kt_free(r->kind);
    kt_free(r);
    *report = NULL;
}

kt_status kt_report_add_device(kt_report *report, const kt_device_info *info, const kt_ruler *ruler)
{
    uint32_t at = 0; /* a device measured again brings its ruler */
    while (at < report->device_count && strcmp(report->devices[at].info.id, info->id) != 0)
        at++;
    if (at == report->device_count) {
        kt_document_device *devices =
            kt_grow(report->devices, (size_t)report->device_count + 1, sizeof *devices);
        if (!devices)
            return KT_NO_MEMORY;
        report->devices = devices;
        report->devices[report->device_count++] = (kt_document_device){.info = *info};
    }
    if (ruler) {
        report->devices[at].has_ruler = true;
        report->devices[at].ruler = *ruler;
    }
    return KT_OK;
}

kt_status kt_report_add_backend(kt_report *report, const kt_backend_info *info)
{
    kt_status status = KT_OK;
    kt_document_backend backend = {.name = keep_text(report, info->name, &status),
                                   .why = keep_text(report, info->why, &status),
                                   .device_count = info->device_count};
    kt_document_backend *backends =
        kt_grow(report->backends, (size_t)report->backend_count + 1, sizeof *backends);
    if (backends) /* whatever else failed: the old array is gone */
        report->backends = backends;
    if (status != KT_OK || !backends)
        return KT_NO_MEMORY;
    report->backends[report->backend_count++] = backend;
    return KT_OK;
}

/* Speed-ups over the sequential baseline. Simulated time and this machine's time are two worlds. */
static void fill_speedups(kt_report *report)
{
    for (uint32_t i = 0; i < report->series_count; i++) {
        kt_series *series = &report->series[i];
        if (series->method == KT_METHOD_SIMULATED)
            continue;
        for (uint32_t k = 0; k < report->baseline_count; k++) {
            const kt_baseline *baseline = &report->baselines[k];
            if (strcmp(baseline->name, "sequential") == 0 && kt_same_work(series, baseline))
                series->speedup = baseline->median_ns / series->summary.median;
        }
    }
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
    kt_series *series =
        kt_grow(report->series, (size_t)report->series_count + owned->series_count, sizeof *series);
    if (!series)
        return KT_NO_MEMORY;
    report->series = series;
    for (uint32_t i = 0; i < owned->series_count; i++)
        report->series[report->series_count++] = owned->series[i];
    fill_speedups(report);
    return KT_OK;
}

kt_status kt_report_add_failure(kt_report *report, const char *device_id, const kt_job_desc *desc,
                                kt_series_status series_status, const char *error)
{
    kt_job_desc job;
    kt_status status = kt_take_options(&job, sizeof job, desc, "kt_job_desc");
    if (status != KT_OK)
        return status;
    kt_series failure = {
        .name = keep_text(report, job.name, &status),
        .workload = keep_text(report, job.workload ? job.workload : job.name, &status),
        .variant = keep_text(report, job.variant, &status),
        .device = keep_text(report, device_id, &status),
        .params = keep_params(report, job.params, job.param_count, &status),
        .param_count = job.param_count,
        .step = keep_text(report, job.workload ? job.workload : job.name, &status),
        .status = series_status,
        .error = keep_text(report, error, &status),
        .trials = 1,
        .bytes = NAN,
        .flops = NAN,
        .first_use_ns = NAN,
        .median_total_ns = NAN,
        .context_ns = NAN,
        .speedup = NAN,
    };
    kt_summarize(NULL, 0, &failure.summary);
    kt_series *series = kt_grow(report->series, (size_t)report->series_count + 1, sizeof *series);
    if (series) /* whatever else failed: the old array is gone */
        report->series = series;
    if (status != KT_OK || !series)
        return KT_NO_MEMORY;
    report->series[report->series_count++] = failure;
    return KT_OK;
}

kt_status kt_report_add_baseline(kt_report *report, const kt_baseline *baseline)
{
    kt_status status = KT_OK;
    kt_baseline copy = *baseline;
    copy.workload = keep_text(report, baseline->workload, &status);
    copy.name = keep_text(report, baseline->name, &status);
    copy.flags = keep_text(report, baseline->flags, &status);
    copy.params = keep_params(report, baseline->params, baseline->param_count, &status);
    copy.samples_ns = keep(report, baseline->samples_ns, baseline->n * sizeof *copy.samples_ns);
    double *sorted = kt_alloc(baseline->n, sizeof *sorted);
    kt_baseline *baselines =
        kt_grow(report->baselines, (size_t)report->baseline_count + 1, sizeof *baselines);
    if (baselines)
        report->baselines = baselines;
    if (status != KT_OK || !copy.samples_ns || !sorted || !baselines) {
        kt_free(sorted);
        return KT_NO_MEMORY;
    }
    kt_summary summary;
    memcpy(sorted, baseline->samples_ns, baseline->n * sizeof *sorted);
    kt_summarize(sorted, baseline->n, &summary);
    kt_free(sorted);
    copy.median_ns = summary.median;
    report->baselines[report->baseline_count++] = copy;
    fill_speedups(report);
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

/* A document about simulated devices alone says nothing of this machine or this day, so that the
 * same scenario gives the same bytes everywhere. */
static void describe_origin(const kt_report *report, kt_document *document)
{
    bool simulated = report->device_count > 0;
    for (uint32_t i = 0; i < report->device_count; i++)
        simulated &= report->devices[i].info.type == KT_DEVICE_SIMULATED;
    if (simulated) {
        snprintf(document->started, sizeof document->started, "2000-01-01T00:00:00Z");
        snprintf(document->host_os, sizeof document->host_os, "simulated");
        snprintf(document->host_cpu, sizeof document->host_cpu, "simulated");
        snprintf(document->host_clock, sizeof document->host_clock, "simulated");
        document->host_cores = 1;
        return;
    }
    kt_host host;
    kt_host_describe(&host);
    snprintf(document->started, sizeof document->started, "%s", report->started);
    snprintf(document->host_os, sizeof document->host_os, "%s", host.os);
    snprintf(document->host_cpu, sizeof document->host_cpu, "%s", host.cpu);
    snprintf(document->host_clock, sizeof document->host_clock, "%s", kt_system_clock_name());
    document->host_cores = host.cores;
}

kt_status kt_report_write(const kt_report *report, kt_format format, const kt_sink *sink)
{
    if ((unsigned)format >= sizeof printers / sizeof printers[0])
        return kt_fail(KT_INVALID, "there is no format %d", (int)format);
    kt_document document = {
        .kind = report->kind,
        .version = kt_version(),
        .command = (const char *const *)report->command,
        .command_count = report->command_count,
        .devices = report->devices,
        .device_count = report->device_count,
        .backends = report->backends,
        .backend_count = report->backend_count,
        .series = report->series,
        .series_count = report->series_count,
        .baselines = report->baselines,
        .baseline_count = report->baseline_count,
    };
    describe_origin(report, &document);
    kt_writer writer = {.sink = sink};
    printers[format](&document, &writer);
    kt_flush(&writer);
    return writer.status == KT_IO_ERROR ? kt_fail(KT_IO_ERROR, "the result could not be written")
                                        : writer.status;
}

static int write_to_file(void *user, const char *data, size_t bytes)
{
    return kt_file_write(user, data, bytes);
}

kt_status kt_report_write_file(const kt_report *report, kt_format format, const char *path)
{
    kt_file *file;
    kt_status status = kt_file_create(path, &file);
    if (status != KT_OK)
        return status;
    kt_sink sink = {.write = write_to_file, .user = file};
    status = kt_report_write(report, format, &sink);
    if (status != KT_OK && status != KT_IO_ERROR) {
        kt_file_abandon(file);
        return status;
    }
    return kt_file_commit(file); /* after a refused write it removes the file and tells why */
}

kt_status kt_path_check_writable(const char *path)
{
    return kt_file_check(path);
}
