/* SPDX-License-Identifier: MIT */
#include "compare/matching.h"

#include "support/alloc.h"

#include <stdlib.h>
#include <string.h>

/* ---- times to match ---- */

static bool is_wanted(const kt_series *series, kt_timing timing)
{
    kt_series_role role = kt_series_get_role(series);
    if (kt_series_is_wall(series))
        return timing != KT_TIMING_DEVICE && role == KT_ROLE_WALL;
    return timing != KT_TIMING_WALL && role != KT_ROLE_GAPS;
}

/* Length of an id without its scenario. */
static size_t plain_length(const char *id)
{
    const char *first = strchr(id, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    return second ? (size_t)(second - id) : strlen(id);
}

static bool has_twins(const kt_report *report)
{
    for (uint32_t i = 0; i < report->document.device_count; i++) {
        const kt_device_info *info = &report->document.devices[i].info;
        size_t length = plain_length(info->id);
        for (uint32_t k = 0; k < i && info->type == KT_DEVICE_SIMULATED; k++)
            if (plain_length(report->document.devices[k].info.id) == length &&
                strncmp(report->document.devices[k].info.id, info->id, length) == 0)
                return true;
    }
    return false;
}

/* Tries `latest` first, since the series of a device mostly follow each other. */
static const kt_document_device *find_device(const kt_report *report, const char *id,
                                             const kt_document_device *latest)
{
    if (latest && strcmp(latest->info.id, id) == 0)
        return latest;
    return kt_find_device(&report->document, id);
}

static void add_report(kt_matching *matching, const kt_report *report, unsigned side,
                       uint32_t number, kt_timing timing, bool twins)
{
    const kt_document_device *device = NULL;
    for (uint32_t i = 0; i < report->document.series_count; i++) {
        const kt_series *series = &report->document.series[i];
        if (!is_wanted(series, timing))
            continue;
        device = find_device(report, series->device, device);
        bool scripted = device && device->info.type == KT_DEVICE_SIMULATED && !twins;
        matching->all[matching->count] = (kt_matched){
            .taken = {series, report, device},
            .side = side,
            .report = number,
            .number = matching->count,
            .id_length = scripted ? plain_length(series->device) : strlen(series->device)};
        matching->count++;
    }
}

static kt_status add_all(kt_matching *matching, const kt_compare_side sides[KT_SIDE_COUNT],
                         kt_timing timing)
{
    size_t room = 0;
    bool twins = false;
    for (unsigned side = 0; side < KT_SIDE_COUNT; side++)
        for (uint32_t i = 0; i < sides[side].count; i++) {
            room += sides[side].reports[i]->document.series_count;
            twins = twins || has_twins(sides[side].reports[i]);
        }
    matching->all = kt_alloc(room, sizeof *matching->all);
    if (!matching->all)
        return KT_NO_MEMORY;
    for (unsigned side = 0; side < KT_SIDE_COUNT; side++)
        for (uint32_t i = 0; i < sides[side].count; i++)
            add_report(matching, sides[side].reports[i], side, i, timing, twins);
    return KT_OK;
}

/* ---- equality of times ---- */

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_texts(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_params(const kt_series *a, const kt_series *b)
{
    int order = compare_numbers(a->param_count, b->param_count);
    for (uint32_t i = 0; order == 0 && i < a->param_count; i++) {
        order = strcmp(a->params[i].name, b->params[i].name);
        if (order == 0)
            order = (a->params[i].value > b->params[i].value) -
                    (a->params[i].value < b->params[i].value);
    }
    return order;
}

static int compare_devices(const kt_matched *a, const kt_matched *b)
{
    int order = compare_numbers(a->id_length, b->id_length);
    return order ? order : strncmp(a->taken.series->device, b->taken.series->device, a->id_length);
}

/* Compares job, device and runs. */
static int compare_jobs(const kt_matched *one, const kt_matched *other)
{
    const kt_series *a = one->taken.series, *b = other->taken.series;
    int order = compare_texts(a->name, b->name);
    order = order ? order : compare_params(a, b);
    order = order ? order : compare_texts(a->variant, b->variant);
    return order ? order : compare_devices(one, other);
}

/* Compares the kind too, since a kernel's name may equal that of a wall time. */
static int compare_times(const kt_matched *one, const kt_matched *other)
{
    const kt_series *a = one->taken.series, *b = other->taken.series;
    int order = compare_jobs(one, other);
    order = order ? order : kt_series_is_wall(a) - kt_series_is_wall(b);
    return order ? order : compare_texts(a->step, b->step);
}

static int by_time(const void *left, const void *right)
{
    const kt_matched *a = left, *b = right;
    int order = compare_times(a, b);
    order = order ? order : compare_numbers(a->side, b->side);
    order = order ? order : compare_numbers(a->report, b->report);
    order = order ? order : compare_numbers(a->taken.series->run, b->taken.series->run);
    return order ? order : compare_numbers(a->number, b->number);
}

static int by_number(const void *left, const void *right)
{
    const kt_matched_row *a = left, *b = right;
    return compare_numbers(a->number, b->number);
}

static void add_to_row(kt_matched_row *row, const kt_matched *matched)
{
    if (row->count[matched->side]++ == 0)
        row->of[matched->side] = matched;
    if (matched->number < row->number)
        row->number = matched->number;
}

static kt_status gather_rows(kt_matching *matching)
{
    matching->rows = kt_alloc(matching->count, sizeof *matching->rows);
    if (!matching->rows)
        return KT_NO_MEMORY;
    if (matching->count)
        qsort(matching->all, matching->count, sizeof *matching->all, by_time);
    uint32_t job = 0;
    for (size_t i = 0; i < matching->count; i++) {
        const kt_matched *matched = &matching->all[i];
        job += i == 0 || compare_jobs(matched - 1, matched) != 0;
        if (i == 0 || compare_times(matched - 1, matched) != 0)
            matching->rows[matching->row_count++] =
                (kt_matched_row){.number = matched->number, .job = job};
        add_to_row(&matching->rows[matching->row_count - 1], matched);
    }
    if (matching->row_count)
        qsort(matching->rows, matching->row_count, sizeof *matching->rows, by_number);
    return KT_OK;
}

/* ---- runs ---- */

static int by_run(const void *left, const void *right)
{
    const kt_matched *a = *(const kt_matched *const *)left, *b = *(const kt_matched *const *)right;
    int order = compare_numbers(a->side, b->side);
    order = order ? order : compare_numbers(a->report, b->report);
    order = order ? order : compare_numbers(a->taken.series->run, b->taken.series->run);
    return order ? order : (a > b) - (a < b);
}

static bool is_same_run(const kt_matched *a, const kt_matched *b)
{
    return a->side == b->side && a->report == b->report &&
           a->taken.series->run == b->taken.series->run;
}

static kt_status number_runs(kt_matching *matching)
{
    kt_matched **pointers = kt_alloc(matching->count, sizeof *pointers);
    if (!pointers)
        return KT_NO_MEMORY;
    for (size_t i = 0; i < matching->count; i++)
        pointers[i] = &matching->all[i];
    if (matching->count)
        qsort(pointers, matching->count, sizeof *pointers, by_run);
    for (size_t i = 0; i < matching->count; i++) {
        kt_matched *matched = pointers[i];
        matched->run = i > 0 && is_same_run(pointers[i - 1], matched)
                           ? pointers[i - 1]->run
                           : matching->runs[matched->side]++;
    }
    kt_free(pointers);
    return KT_OK;
}

kt_status kt_match(kt_matching *matching, const kt_compare_side sides[KT_SIDE_COUNT],
                   kt_timing timing)
{
    *matching = (kt_matching){0};
    kt_status status = add_all(matching, sides, timing);
    if (status == KT_OK)
        status = gather_rows(matching);
    return status == KT_OK ? number_runs(matching) : status;
}

void kt_free_matching(kt_matching *matching)
{
    kt_free(matching->all);
    kt_free(matching->rows);
    *matching = (kt_matching){0};
}
