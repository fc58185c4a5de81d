/* SPDX-License-Identifier: MIT */
#include "report/transfers.h"

#include "report/runs.h"
#include "support/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Copy size from which no host cache holds source and destination. */
#define MEMORY_BYTES_MIN (128.0 * (1 << 20))
/* A copy this many times faster than the memory was served by a cache. */
#define FROM_CACHE 1.1
/* GB/s of a simulated device, which has no reference. A scenario means 10 times more as zero
 * copy. */
#define SIMULATED_RATE_MAX 100.0
/* Standard error of a median over that of a mean, for normal noise. */
#define MEDIAN_ERROR 1.2533

static bool is_host_memory(const char *kind)
{
    return strcmp(kind, kt_memory_kind_name(KT_MEMORY_HEAP)) == 0 ||
           strcmp(kind, kt_memory_kind_name(KT_MEMORY_HOST)) == 0;
}

static kt_transfer describe(const kt_document *document, const kt_series *series)
{
    kt_transfer transfer = {.first = series};
    kt_is_transfer(series, &transfer.src, &transfer.dst);
    const kt_document_device *device = kt_find_device(document, series->device);
    transfer.by_cpu = device && device->info.type == KT_DEVICE_CPU;
    transfer.cached =
        is_host_memory(transfer.src) || is_host_memory(transfer.dst) || transfer.by_cpu;
    const char *means = series->variant ? strrchr(series->variant, '-') : NULL;
    transfer.map = means && strcmp(means, "-map") == 0;
    transfer.simulated = device && device->info.type == KT_DEVICE_SIMULATED;
    return transfer;
}

/* The highest plausible rate for kt_transfer_fit(), from the fastest memory involved. */
static double most_rate(const kt_transfer *transfer, double fastest_gb_per_s)
{
    if (transfer->simulated)
        return SIMULATED_RATE_MAX;
    return transfer->cached ? fastest_gb_per_s : NAN;
}

bool kt_same_direction(const kt_series *a, const kt_series *b)
{
    return strcmp(a->device, b->device) == 0 && kt_same_text(a->variant, b->variant) &&
           kt_is_transfer(a, NULL, NULL) && kt_is_transfer(b, NULL, NULL);
}

/* Which time of its transfer the series is; KT_TRANSFER_TIMES: none. */
static int time_of(const kt_series *series)
{
    if (!kt_series_is_wall(series))
        return KT_TRANSFER_DEVICE;
    return kt_series_get_role(series) == KT_ROLE_WALL ? KT_TRANSFER_WALL : KT_TRANSFER_TIMES;
}

/* Copied bytes of the series, known even if the copy never started. */
static double bytes_of(const kt_series *series)
{
    for (uint32_t i = 0; i < series->param_count; i++)
        if (strcmp(series->params[i].name, "size") == 0)
            return (double)series->params[i].value;
    return series->bytes;
}

/* ---- zero copies ---- */

/* Point of a series from its summary. Without a summary, uses the mean: samples below the shortest
 * measurable span are short enough to judge. */
static kt_transfer_point glance(const kt_series *series)
{
    const kt_summary *summary = &series->summary;
    kt_transfer_point point = {.bytes = series->bytes, .time_ns = summary->median};
    bool below = series->status == KT_SERIES_BELOW_MIN_SPAN;
    double sum = 0, n = (double)summary->n;
    for (size_t i = 0; below && i < summary->n; i++)
        sum += series->samples_ns[i];
    if (below)
        point.time_ns = sum / n;
    point.error_ns = MEDIAN_ERROR * summary->robust_stddev * sqrt(fmax(1, summary->inflation) / n);
    return point;
}

/* Appends a point; returns the new number of points. */
static size_t add_glance(kt_transfer_point *points, size_t count, const kt_series *series)
{
    points[count] = glance(series);
    return count + (points[count].time_ns > 0);
}

/* Whether the model is surely that of a copy: valid up to the largest size and no faster than
 * memory. */
static bool is_line_of_copy(const kt_transfer_model *model, double most)
{
    return model->state == KT_TRANSFER_OK && isnan(model->above) && !isnan(model->gb_per_s_high) &&
           !(model->gb_per_s_high > most);
}

/* Judges by the device's clock, unless the wall time refutes it. */
static bool copies_nothing(const kt_transfer_point *device, size_t device_count,
                           const kt_transfer_point *wall, size_t wall_count, double most)
{
    kt_transfer_model by_device, by_wall;
    kt_transfer_fit(device, device_count, most, &by_device);
    kt_transfer_fit(wall, wall_count, most, &by_wall);
    if (device_count == 0)
        return by_wall.state == KT_TRANSFER_ZERO_COPY;
    return by_device.state == KT_TRANSFER_ZERO_COPY && !is_line_of_copy(&by_wall, most);
}

/* Rate of this machine's memory or caches in GB/s, by one series; NaN: unrelated. */
static double memory_rate(const kt_series *series)
{
    const char *src, *dst;
    if (strcmp(series->device, "cpu:0") != 0 || !kt_is_transfer(series, &src, &dst) || src != dst ||
        time_of(series) == KT_TRANSFER_TIMES)
        return NAN;
    /* Uses the fastest sample: other load on the machine slows most samples. */
    return kt_rate(series->bytes, series->summary.min);
}

/* Whether the direction copies nothing, over all runs. */
static bool is_zero_copy(const kt_zero_copies *zero_copies, const kt_document *document,
                         const kt_series *direction)
{
    kt_transfer_point *scratch = zero_copies->points;
    size_t count[KT_TRANSFER_TIMES] = {0};
    uint32_t n = document->series_count;
    kt_transfer transfer = describe(document, direction);
    for (uint32_t i = 0; i < n; i++) {
        const kt_series *series = &document->series[i];
        int time = time_of(series);
        if (time < KT_TRANSFER_TIMES && kt_same_direction(series, direction))
            count[time] = add_glance(scratch + (size_t)time * n, count[time], series);
    }
    return copies_nothing(scratch, count[KT_TRANSFER_DEVICE], scratch + n, count[KT_TRANSFER_WALL],
                          most_rate(&transfer, zero_copies->fastest_gb_per_s));
}

bool kt_grow_zero_copies(kt_zero_copies *zero_copies, size_t series)
{
    bool *reported = kt_grow(zero_copies->reported, series, sizeof *reported);
    if (!reported)
        return false;
    zero_copies->reported = reported;
    kt_transfer_point *points =
        kt_grow(zero_copies->points, series, KT_TRANSFER_TIMES * sizeof *points);
    if (!points)
        return false;
    zero_copies->points = points;
    return true;
}

void kt_free_zero_copies(kt_zero_copies *zero_copies)
{
    kt_free(zero_copies->reported);
    kt_free(zero_copies->points);
}

static void judge_direction(const kt_zero_copies *zero_copies, const kt_document *document,
                            const kt_series *direction)
{
    bool zero_copy = is_zero_copy(zero_copies, document, direction);
    for (uint32_t i = 0; i < document->series_count; i++)
        if (kt_same_direction(&document->series[i], direction))
            document->series[i].zero_copy = zero_copy || zero_copies->reported[i];
}

void kt_judge_zero_copies(kt_zero_copies *zero_copies, const kt_document *document,
                          const kt_series *added)
{
    const kt_series *series = document->series;
    double rate = memory_rate(added);
    if (!kt_is_transfer(added, NULL, NULL))
        return;
    if (isnan(rate) || rate <= zero_copies->fastest_gb_per_s) {
        judge_direction(zero_copies, document, added);
        return;
    }
    zero_copies->fastest_gb_per_s = rate;
    for (uint32_t i = 0; i < document->series_count; i++)
        if (kt_is_transfer(&series[i], NULL, NULL) &&
            (i == 0 || !kt_same_direction(&series[i - 1], &series[i])))
            judge_direction(zero_copies, document, &series[i]);
}

/* ---- gathering ---- */

static kt_transfer *find(const kt_transfers *all, const kt_series *series)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (kt_same_direction(all->list[i].first, series))
            return &all->list[i];
    return NULL;
}

/* Order of a device: as in the document, with cpu:0, the reference, last. */
static uint32_t place_of(const kt_document *document, const char *device)
{
    uint32_t at = 0;
    if (strcmp(device, "cpu:0") == 0)
        return UINT32_MAX;
    while (at < document->device_count && strcmp(document->devices[at].info.id, device) != 0)
        at++;
    return at;
}

/* Inserts a direction after those of its device, else after those of all devices that precede
 * it. */
static void add_direction(kt_transfers *all, const kt_document *over, const kt_series *series)
{
    uint32_t at = all->count, place = place_of(over, series->device);
    while (at > 0 && strcmp(all->list[at - 1].first->device, series->device) != 0)
        at--;
    for (at = at ? at : all->count; at > 0; at--) {
        const char *before = all->list[at - 1].first->device;
        if (strcmp(before, series->device) == 0 || place_of(over, before) <= place)
            break;
    }
    memmove(&all->list[at + 1], &all->list[at], (all->count++ - at) * sizeof *all->list);
    all->list[at] = describe(over, series);
}

static void add_time(kt_transfer *transfer, const kt_series *series)
{
    uint32_t i = 0;
    int time = time_of(series);
    double bytes = bytes_of(series);
    if (time == KT_TRANSFER_TIMES || !(bytes > 0))
        return;
    while (i < transfer->size_count && transfer->sizes[i].bytes < bytes)
        i++;
    kt_transfer_size *size = &transfer->sizes[i];
    if (i == transfer->size_count || size->bytes > bytes) {
        memmove(size + 1, size, (transfer->size_count++ - i) * sizeof *size);
        *size = (kt_transfer_size){.bytes = bytes};
    }
    if (!size->times[time])
        size->times[time] = series;
}

static void gather(kt_transfers *all, const kt_document *over)
{
    kt_transfer_size *sizes = all->sizes;
    for (uint32_t i = 0; i < over->series_count; i++)
        if (kt_is_transfer(&over->series[i], NULL, NULL) && !find(all, &over->series[i]))
            add_direction(all, over, &over->series[i]);
    for (uint32_t i = 0; i < all->count; i++) {
        kt_transfer *transfer = &all->list[i];
        transfer->sizes = sizes;
        for (uint32_t k = 0; k < over->series_count; k++)
            if (kt_same_direction(transfer->first, &over->series[k]))
                add_time(transfer, &over->series[k]);
        sizes += transfer->size_count;
    }
}

static double best_rate(const kt_transfer *transfer, const kt_transfer_size *size)
{
    double rate = kt_transfer_rate(transfer, size, KT_TRANSFER_DEVICE);
    return isnan(rate) ? kt_transfer_rate(transfer, size, KT_TRANSFER_WALL) : rate;
}

bool kt_is_memcpy(const kt_transfer *transfer)
{
    return strcmp(transfer->first->device, "cpu:0") == 0 && transfer->src == transfer->dst;
}

/* Finds the rate of the memory itself. */
static void find_memory(kt_transfers *all)
{
    double least = MEMORY_BYTES_MIN;
    for (uint32_t i = 0; i < all->count; i++) {
        const kt_transfer *transfer = &all->list[i];
        for (uint32_t k = 0; kt_is_memcpy(transfer) && k < transfer->size_count; k++) {
            const kt_transfer_size *size = &transfer->sizes[k];
            double rate = best_rate(transfer, size);
            if (isnan(rate) || size->bytes < least ||
                (size->bytes == all->memory_bytes && rate <= all->memory_gb_per_s))
                continue;
            least = all->memory_bytes = size->bytes;
            all->memory_gb_per_s = rate;
            all->memory = transfer;
        }
    }
}

/* ---- models ---- */

typedef struct workplace {
    const kt_document *over;
    double fastest;            /* largest memory_rate() of any series */
    kt_transfer_point *points; /* room for two per measured series */
    double *scratch;           /* room for the most samples of any series */
} workplace;

static int by_time(const void *left, const void *right)
{
    double a = ((const kt_transfer_point *)left)->time_ns,
           b = ((const kt_transfer_point *)right)->time_ns;
    return (a > b) - (a < b);
}

/* Adds the points (size, time) of all runs of the transfer. */
static size_t add_points(const workplace *at, const kt_transfer *transfer, int time, bool glances,
                         kt_transfer_point *points)
{
    size_t count = 0;
    for (uint32_t i = 0; i < transfer->size_count; i++) {
        const kt_series *series = transfer->sizes[i].times[time];
        const kt_runs *runs = series ? kt_runs_of(at->over, series) : NULL;
        for (uint32_t k = 0; runs && k < runs->count; k++) {
            const kt_series *one = runs->series[k];
            if (glances)
                count = add_glance(points, count, one);
            else if (!isnan(one->summary.median))
                points[count++] =
                    kt_transfer_point_of(one->bytes, one->samples_ns, one->summary.n, at->scratch);
        }
    }
    return count;
}

static void judge_zero_copy(const workplace *at, kt_transfer *transfer)
{
    size_t device = add_points(at, transfer, KT_TRANSFER_DEVICE, true, at->points);
    size_t wall = add_points(at, transfer, KT_TRANSFER_WALL, true, at->points + device);
    transfer->zero_copy = copies_nothing(at->points, device, at->points + device, wall,
                                         most_rate(transfer, at->fastest));
    for (uint32_t i = 0; i < transfer->size_count; i++)
        for (int time = 0; time < KT_TRANSFER_TIMES; time++)
            transfer->zero_copy |=
                transfer->sizes[i].times[time] && transfer->sizes[i].times[time]->zero_copy;
}

/* Models a zero copy as one time for all sizes. */
static void model_zero_copy(const workplace *at, kt_transfer *transfer, int time)
{
    kt_transfer_model *out = transfer->models[time];
    size_t count = add_points(at, transfer, time, true, at->points);
    kt_transfer_fit(NULL, 0, NAN, out);
    transfer->model_count[time] = 1;
    if (count == 0)
        return;
    qsort(at->points, count, sizeof *at->points, by_time);
    out->state = KT_TRANSFER_ZERO_COPY;
    out->latency_ns = at->points[(count - 1) / 2].time_ns;
}

/* A mapping has rates only if some line surely grows with the size. */
static void model_copy(const workplace *at, kt_transfer *transfer, int time)
{
    kt_transfer_model *out = transfer->models[time];
    double most = most_rate(transfer, at->fastest);
    size_t count = add_points(at, transfer, time, false, at->points);
    size_t models = kt_transfer_fit_lines(at->points, count, most, out);
    bool grows = !transfer->map;
    for (size_t i = 0; i < models; i++)
        grows |= is_line_of_copy(&out[i], most);
    if (!grows && out->state == KT_TRANSFER_OK) {
        kt_transfer_fit(NULL, 0, NAN, out);
        out->state = KT_TRANSFER_NO_LINE;
        models = 1;
    }
    if (out->state == KT_TRANSFER_ZERO_COPY) /* the other clock decides about a zero copy */
        out->state = count < KT_TRANSFER_SIZES_MIN ? KT_TRANSFER_NONE : KT_TRANSFER_NO_LINE;
    transfer->rates[time] = grows;
    transfer->model_count[time] = models;
}

static void model(const workplace *at, kt_transfer *transfer)
{
    judge_zero_copy(at, transfer);
    for (int time = 0; time < KT_TRANSFER_TIMES; time++)
        if (transfer->zero_copy)
            model_zero_copy(at, transfer, time);
        else
            model_copy(at, transfer, time);
}

/* Models the times of all transfers. False if out of memory. */
static bool model_all(kt_transfers *all, const kt_document *over)
{
    workplace at = {.over = over, .fastest = NAN};
    size_t measured = 0, samples = 0;
    for (uint32_t i = 0; i < over->series_count; i++) {
        const kt_runs *runs = kt_runs_of(over, &over->series[i]);
        measured += runs->count;
        for (uint32_t k = 0; k < runs->count; k++) {
            size_t n = runs->series[k]->summary.n;
            samples = n > samples ? n : samples;
            at.fastest = fmax(at.fastest, memory_rate(runs->series[k]));
        }
    }
    at.points = kt_alloc(measured, 2 * sizeof *at.points);
    at.scratch = kt_alloc(samples, sizeof *at.scratch);
    bool done = at.points && at.scratch;
    for (uint32_t i = 0; done && i < all->count; i++)
        model(&at, &all->list[i]);
    kt_free(at.points);
    kt_free(at.scratch);
    return done;
}

bool kt_gather_transfers(kt_transfers *out, const kt_document *over)
{
    *out = (kt_transfers){.memory_gb_per_s = NAN, .memory_bytes = NAN};
    out->list = kt_alloc(over->series_count, sizeof *out->list);
    out->sizes = kt_alloc(over->series_count, sizeof *out->sizes);
    if (out->list && out->sizes) {
        gather(out, over);
        if (out->count == 0 || model_all(out, over)) {
            find_memory(out);
            return true;
        }
    }
    kt_free_transfers(out);
    return false;
}

void kt_free_transfers(kt_transfers *transfers)
{
    kt_free(transfers->list);
    kt_free(transfers->sizes);
    *transfers = (kt_transfers){0};
}

/* ---- rates ---- */

double kt_transfer_rate(const kt_transfer *transfer, const kt_transfer_size *size, int time)
{
    const kt_series *series = size->times[time];
    return series && transfer->rates[time] ? kt_rate(series->bytes, series->summary.median) : NAN;
}

bool kt_is_only_mapped(const kt_transfer *transfer)
{
    return !transfer->zero_copy && !transfer->rates[KT_TRANSFER_DEVICE] &&
           !transfer->rates[KT_TRANSFER_WALL];
}

const kt_series *kt_below_min_span(const kt_transfer *transfer)
{
    const kt_series *last = NULL;
    for (uint32_t i = 0; i < transfer->size_count; i++) {
        const kt_series *series = transfer->sizes[i].times[KT_TRANSFER_DEVICE];
        if (!series || series->summary.n == 0)
            continue;
        if (series->status != KT_SERIES_BELOW_MIN_SPAN)
            return NULL;
        last = series;
    }
    return last;
}

bool kt_is_from_cache(const kt_transfers *all, const kt_transfer *transfer,
                      const kt_transfer_size *size, int time)
{
    return transfer->by_cpu &&
           kt_transfer_rate(transfer, size, time) > FROM_CACHE * all->memory_gb_per_s;
}

double kt_memcpy_rate(const kt_transfers *all, double bytes)
{
    double best = NAN;
    for (uint32_t i = 0; i < all->count; i++)
        for (uint32_t k = 0; kt_is_memcpy(&all->list[i]) && k < all->list[i].size_count; k++)
            if (all->list[i].sizes[k].bytes == bytes)
                best = fmax(best, best_rate(&all->list[i], &all->list[i].sizes[k]));
    return best;
}
