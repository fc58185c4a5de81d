/* SPDX-License-Identifier: MIT */
#include "report/document.h"

#include "statistics/ratio.h"

#include <math.h>
#include <string.h>

bool kt_same_job(const kt_series *a, const kt_series *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->device, b->device) == 0 &&
           kt_same_text(a->variant, b->variant);
}

bool kt_same_measurement(const kt_series *a, const kt_series *b)
{
    return a->run == b->run && kt_same_job(a, b);
}

bool kt_is_step(const kt_series *series)
{
    kt_series_role role = kt_series_get_role(series);
    return role == KT_ROLE_KERNEL || role == KT_ROLE_COPY;
}

/* Takes the memory kind at the start of the text and moves the text past it; NULL: none. */
static const char *take_kind(const char **text)
{
    for (int kind = KT_MEMORY_HEAP; kind < KT_MEMORY_KIND_COUNT; kind++) {
        const char *name = kt_memory_kind_name((kt_memory_kind)kind);
        size_t length = strlen(name);
        if (strncmp(*text, name, length) != 0 || ((*text)[length] && (*text)[length] != '-'))
            continue;
        *text += length + ((*text)[length] == '-');
        return name;
    }
    return NULL;
}

bool kt_is_transfer(const kt_series *series, const char **src, const char **dst)
{
    if (!series->variant || strcmp(series->workload, "copy") != 0)
        return false;
    const char *text = series->variant, *from = take_kind(&text), *to = from ? take_kind(&text) : 0;
    if (to && src) {
        *src = from;
        *dst = to;
    }
    return to != NULL;
}

bool kt_same_work(const kt_series *series, const kt_baseline *baseline)
{
    if (strcmp(series->workload, baseline->workload) != 0 ||
        series->param_count != baseline->param_count)
        return false;
    for (uint32_t i = 0; i < series->param_count; i++)
        if (strcmp(series->params[i].name, baseline->params[i].name) != 0 ||
            series->params[i].value != baseline->params[i].value)
            return false;
    return true;
}

const kt_baseline *kt_find_baseline(const kt_document *document, const kt_series *series,
                                    const char *name)
{
    for (uint32_t i = 0; i < document->baseline_count; i++)
        if (strcmp(document->baselines[i].name, name) == 0 &&
            kt_same_work(series, &document->baselines[i]))
            return &document->baselines[i];
    return NULL;
}

kt_speedup kt_speedup_over(const kt_document *document, const kt_series *series, const char *name)
{
    kt_speedup over = {NAN, NAN, NAN};
    const kt_baseline *baseline = kt_find_baseline(document, series, name);
    if (baseline && !isnan(series->speedup))
        kt_ratio_of_medians(&baseline->summary, &series->summary, &over.ratio, &over.low,
                            &over.high);
    return over;
}

const char *kt_stop_text(const kt_series *series)
{
    return series->stop == KT_STOP_NONE ? NULL : kt_stop_name(series->stop);
}

const char *kt_warmup_end_text(const kt_series *series)
{
    return series->warmup_end == KT_WARMUP_NONE ? NULL : kt_warmup_end_name(series->warmup_end);
}

kt_document_device *kt_find_device(const kt_document *document, const char *id)
{
    for (uint32_t i = 0; i < document->device_count; i++)
        if (strcmp(document->devices[i].info.id, id) == 0)
            return &document->devices[i];
    return NULL;
}

bool kt_is_device_list(const kt_document *document)
{
    return strcmp(document->desc.document, "devices") == 0;
}

bool kt_is_doctor(const kt_document *document)
{
    return strcmp(document->desc.document, "doctor") == 0;
}

double kt_rate(double amount, double ns)
{
    return ns > 0 ? amount / ns : NAN;
}

double kt_gflop_per_j(const kt_series *series)
{
    return series->energy ? kt_rate(series->flops * 1e-9, series->energy->dispatch_j) : NAN;
}
