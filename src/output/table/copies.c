/* SPDX-License-Identifier: MIT */
/* copies.c - prints copies between memories: a line per size with time and rate by either clock,
 * and below them the models over all sizes of a direction. */
#include "output/table/cells.h"
#include "output/table/note_list.h"
#include "report/transfers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    COLUMN_DIRECTION,
    COLUMN_DEVICE,
    COLUMN_SIZE,
    COLUMN_TRIALS,
    COLUMN_TIME,
    COLUMN_BETWEEN_RUNS,
    COLUMN_INTERVAL,
    COLUMN_HALF_INTERVAL,
    COLUMN_RATE,
    COLUMN_WALL,
    COLUMN_WALL_INTERVAL,
    COLUMN_WALL_RATE,
    COLUMN_MEMCPY,
    COLUMN_ENERGY,
    COLUMN_RUNS,
    COLUMN_SAMPLES,
    COLUMN_NOTE,
    COLUMN_COUNT
};

enum {
    MODEL_DIRECTION,
    MODEL_DEVICE,
    MODEL_TIME,
    MODEL_LATENCY,
    MODEL_LATENCY_INTERVAL,
    MODEL_RATE,
    MODEL_RATE_INTERVAL,
    MODEL_HALF,
    MODEL_HOLDS,
    MODEL_COUNT
};

static const kt_column columns[COLUMN_COUNT] = {
    [COLUMN_DIRECTION] = {.head = "DIRECTION", .left = true},
    [COLUMN_DEVICE] = {.head = "DEVICE", .left = true},
    [COLUMN_SIZE] = {.head = "SIZE"},
    [COLUMN_TRIALS] = {.head = "TRIALS", .optional = true, .rank = 7},
    [COLUMN_TIME] = {.head = "DEVICE TIME"},
    [COLUMN_BETWEEN_RUNS] = {.head = "RUN-TO-RUN RANGE", .optional = true, .rank = 5},
    [COLUMN_INTERVAL] = {.head = "95% INTERVAL", .rank = 4},
    [COLUMN_HALF_INTERVAL] = {.head = "±95%", .stands_in = true},
    [COLUMN_RATE] = {.head = "GB/s"},
    [COLUMN_WALL] = {.head = "WALL", .rank = 1},
    [COLUMN_WALL_INTERVAL] = {.head = "95% INTERVAL", .rank = 9},
    [COLUMN_WALL_RATE] = {.head = "GB/s", .rank = 3},
    [COLUMN_MEMCPY] = {.head = "MEMCPY", .optional = true, .rank = 2},
    [COLUMN_ENERGY] = {.head = "ENERGY", .optional = true},
    [COLUMN_RUNS] = {.head = "RUNS", .optional = true, .rank = 6},
    [COLUMN_SAMPLES] = {.head = "SAMPLES", .rank = 8},
    [COLUMN_NOTE] = {.head = "NOTE", .left = true, .optional = true},
};

static const kt_column model_columns[MODEL_COUNT] = {
    [MODEL_DIRECTION] = {.head = "DIRECTION", .left = true},
    [MODEL_DEVICE] = {.head = "DEVICE", .left = true},
    [MODEL_TIME] = {.head = "TIME", .left = true},
    [MODEL_LATENCY] = {.head = "LATENCY"},
    [MODEL_LATENCY_INTERVAL] = {.head = "95% INTERVAL", .rank = 3},
    [MODEL_RATE] = {.head = "GB/s"},
    [MODEL_RATE_INTERVAL] = {.head = "95% INTERVAL", .rank = 2},
    [MODEL_HALF] = {.head = "HALF AT", .rank = 1},
    [MODEL_HOLDS] = {.head = "HOLDS", .left = true},
};

typedef struct copies {
    const kt_document *document;
    kt_transfers all;
} copies;

/* Whole bytes in the largest unit that gives a whole number; other sizes in three digits. */
static char *size_text(double bytes, char *text, size_t room)
{
    static const char units[][6] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    unsigned unit = 0;
    bool whole = bytes == floor(bytes);
    for (; unit < 4 && bytes >= (whole ? 1024 : 999.5) && (!whole || fmod(bytes, 1024) == 0);
         unit++)
        bytes /= 1024;
    int decimals = whole || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2;
    snprintf(text, room, "%.*f %s", decimals, bytes, units[unit]);
    return text;
}

/* ---- times ---- */

/* Whether the host's clock timed the series although the device has its own timestamps. */
static bool is_by_host(const copies *c, const kt_series *series)
{
    const kt_document_device *device = series ? kt_find_device(c->document, series->device) : NULL;
    return device && device->has_timer_limits && device->limits.trusted &&
           !kt_series_is_wall(series) && series->method == KT_METHOD_HOST_WALL &&
           device->info.clocks[0].method != KT_METHOD_HOST_WALL;
}

static const char *note_of(const copies *c, const kt_transfer *transfer,
                           const kt_transfer_size *size, const kt_series *series)
{
    bool known = series->status == KT_SERIES_OK || series->status == KT_SERIES_BELOW_MIN_SPAN;
    if (transfer->zero_copy)
        return "zero-copy";
    if (known && kt_is_only_mapped(transfer))
        return "mapped";
    bool by_device = !isnan(kt_transfer_rate(transfer, size, KT_TRANSFER_DEVICE));
    if (kt_is_from_cache(&c->all, transfer, size,
                         by_device ? KT_TRANSFER_DEVICE : KT_TRANSFER_WALL))
        return "from cache";
    return known ? "" : kt_series_status_name(series->status);
}

static void set_note(const copies *c, kt_grid *grid, const kt_transfer *transfer,
                     const kt_transfer_size *size, const kt_series *series)
{
    const char *note = note_of(c, transfer, size, series);
    bool by_host = is_by_host(c, size->times[KT_TRANSFER_DEVICE]);
    kt_grid_set(grid, COLUMN_NOTE, "%s%s%s", note, *note && by_host ? ", " : "",
                by_host ? "by the host's clock" : "");
}

static void set_device_time(const copies *c, kt_grid *grid, const kt_series *series)
{
    char text[32];
    kt_grid_set(grid, COLUMN_TIME, "%s",
                series ? kt_device_time_text(c->document, series, text, sizeof text) : "-");
    if (!series || isnan(series->summary.median))
        return;
    kt_set_between_runs(c->document, grid, COLUMN_BETWEEN_RUNS, series);
    kt_set_interval(grid, COLUMN_INTERVAL, &series->summary);
    kt_set_half_interval(grid, COLUMN_HALF_INTERVAL, &series->summary);
}

/* Whether memcpy is a reference for this transfer: a copy on another device. */
static bool has_memcpy(const kt_transfer *transfer)
{
    return !transfer->zero_copy && !kt_is_only_mapped(transfer) &&
           strcmp(transfer->first->device, "cpu:0") != 0;
}

static void print_size(const copies *c, kt_grid *grid, const kt_transfer *transfer,
                       const kt_transfer_size *size)
{
    const kt_series *device = size->times[KT_TRANSFER_DEVICE],
                    *wall = size->times[KT_TRANSFER_WALL];
    /* Without device times, the wall time is the measured one. */
    bool by_wall = wall && (!device || device->status == KT_SERIES_NOT_POSSIBLE);
    const kt_series *series = by_wall ? wall : device;
    char text[32];
    kt_grid_set(grid, COLUMN_DIRECTION, "%s", series->variant);
    kt_grid_set(grid, COLUMN_DEVICE, "%s", series->device);
    kt_grid_set(grid, COLUMN_SIZE, "%s", size_text(size->bytes, text, sizeof text));
    if (series->trials > 1)
        kt_grid_set(grid, COLUMN_TRIALS, "%u", series->trials);
    set_device_time(c, grid, device);
    if (by_wall)
        kt_set_between_runs(c->document, grid, COLUMN_BETWEEN_RUNS, wall);
    kt_set_rate(grid, COLUMN_RATE, kt_transfer_rate(transfer, size, KT_TRANSFER_DEVICE));
    if (wall && !isnan(wall->summary.median)) {
        kt_set_time(grid, COLUMN_WALL, wall->summary.median);
        kt_set_interval(grid, COLUMN_WALL_INTERVAL, &wall->summary);
    }
    kt_set_rate(grid, COLUMN_WALL_RATE, kt_transfer_rate(transfer, size, KT_TRANSFER_WALL));
    if (has_memcpy(transfer))
        kt_set_rate(grid, COLUMN_MEMCPY, kt_memcpy_rate(&c->all, size->bytes));
    if (device)
        kt_set_energy(grid, COLUMN_ENERGY, device);
    kt_set_counts(c->document, grid, COLUMN_SAMPLES, COLUMN_RUNS, series);
    set_note(c, grid, transfer, size, series);
    kt_grid_end_row(grid);
}

static void print_sizes(kt_grid *grid, const void *user)
{
    const copies *c = user;
    for (uint32_t i = 0; i < c->all.count; i++)
        for (uint32_t k = 0; k < c->all.list[i].size_count; k++)
            print_size(c, grid, &c->all.list[i], &c->all.list[i].sizes[k]);
}

/* ---- models ---- */

static const kt_transfer_size *size_of(const kt_transfer *transfer, double bytes)
{
    uint32_t i = 0;
    while (i + 1 < transfer->size_count && transfer->sizes[i].bytes < bytes)
        i++;
    return &transfer->sizes[i];
}

/* One model (a line through sizes and times) of a transfer's device time or wall time. */
typedef struct line {
    const kt_transfer *transfer;
    int time;
    size_t at;
} line;

static const kt_transfer_model *model_of(const line *l)
{
    return &l->transfer->models[l->time][l->at];
}

/* Whether the line ends at the size of the host's caches, which speed up the sizes that they hold.
 * `above`: the line is that of the caches, and the largest size exceeds them; else it is the
 * memory's, and some smaller size fits into the caches. */
static bool ends_at_cache(const copies *c, const line *l, bool above)
{
    const kt_transfer_model *m = model_of(l);
    const kt_transfer *transfer = l->transfer;
    const kt_transfer_size *end = transfer->sizes + transfer->size_count - 1;
    const kt_transfer_size *last = size_of(transfer, above ? m->to_bytes : m->from_bytes);
    bool cached = kt_is_from_cache(&c->all, transfer, last, l->time);
    if (above)
        return m->above > 0 && cached && !kt_is_from_cache(&c->all, transfer, end, l->time);
    if (m->below > 0 || cached)
        return false;
    while (last > transfer->sizes)
        if (kt_is_from_cache(&c->all, transfer, --last, l->time))
            return true;
    return false;
}

/* Writes, for example, "; above: up to 2.4 times as long", unless another line covers the sizes
 * there. */
static void describe_end(const copies *c, const line *l, bool above, char *text, size_t room)
{
    const kt_transfer_model *m = model_of(l);
    double off = above ? m->above : m->below;
    bool followed = above ? l->at + 1 < l->transfer->model_count[l->time] : l->at > 0;
    const char *reason = ends_at_cache(c, l, above) ? " (caches)" : "";
    text[0] = '\0';
    if (isnan(off))
        return;
    double times = off < 0 ? 1 / (1 + off) : 1 + off;
    if (!followed)
        snprintf(text, room, "; %s: up to %.*f times as %s%s", above ? "above" : "below",
                 times < 9.95, times, off < 0 ? "fast" : "long", reason);
    else if (above)
        snprintf(text, room, "%s", reason);
}

static void set_holds(const copies *c, kt_grid *grid, const line *l)
{
    const kt_transfer_model *m = model_of(l);
    char from[32], to[32], below[96], above[96];
    describe_end(c, l, false, below, sizeof below);
    describe_end(c, l, true, above, sizeof above);
    kt_grid_set(grid, MODEL_HOLDS, "%s .. %s%s%s", size_text(m->from_bytes, from, sizeof from),
                size_text(m->to_bytes, to, sizeof to), below, above);
}

/* Sets the cells of a model. A latency whose interval includes 0 has only an upper bound. */
static void set_line(kt_grid *grid, const kt_transfer_model *m)
{
    bool none = m->latency_low_ns <= 0;
    const char *most = none ? "< " : "";
    double latency_ns = none ? m->latency_high_ns : m->latency_ns;
    char text[32];
    kt_grid_set(grid, MODEL_LATENCY, "%s%s", most, kt_format_ns(text, sizeof text, latency_ns));
    kt_set_range(grid, MODEL_LATENCY_INTERVAL, m->latency_low_ns, m->latency_high_ns, "");
    kt_set_rate(grid, MODEL_RATE, m->gb_per_s);
    kt_set_rates(grid, MODEL_RATE_INTERVAL, m->gb_per_s_low, m->gb_per_s_high);
    double half = none ? latency_ns * m->gb_per_s : m->half_bytes;
    kt_grid_set(grid, MODEL_HALF, "%s%s", most, size_text(half + 0.5, text, sizeof text));
}

/* Sets the reason why a time has no model. */
static void set_no_line(const copies *c, kt_grid *grid, const line *l)
{
    const kt_transfer_model *m = model_of(l);
    char text[32];
    const kt_series *below = l->time == KT_TRANSFER_DEVICE ? kt_below_min_span(l->transfer) : NULL;
    if (m->state == KT_TRANSFER_ZERO_COPY)
        kt_grid_set(grid, MODEL_HOLDS, "zero-copy: %s whatever the size",
                    below ? kt_device_time_text(c->document, below, text, sizeof text)
                          : kt_format_ns(text, sizeof text, m->latency_ns));
    else if (m->state == KT_TRANSFER_FLAT)
        kt_grid_set(grid, MODEL_HOLDS,
                    "%s whatever the size so far: larger sizes tell the bandwidth",
                    kt_format_ns(text, sizeof text, m->latency_ns));
    else
        kt_grid_set(grid, MODEL_HOLDS, "%s",
                    l->transfer->rates[l->time] ? "not on a line" : "no sure growth with size");
}

static void print_model(const copies *c, kt_grid *grid, const line *l)
{
    const kt_transfer_model *m = model_of(l);
    if (m->state == KT_TRANSFER_NONE)
        return;
    kt_grid_set(grid, MODEL_DIRECTION, "%s", l->transfer->first->variant);
    kt_grid_set(grid, MODEL_DEVICE, "%s", l->transfer->first->device);
    kt_grid_set(grid, MODEL_TIME, "%s", l->time == KT_TRANSFER_WALL ? "wall" : "device");
    if (m->state == KT_TRANSFER_FLAT)
        kt_set_time(grid, MODEL_LATENCY, m->latency_ns);
    if (m->state == KT_TRANSFER_FLAT)
        kt_set_range(grid, MODEL_LATENCY_INTERVAL, m->latency_low_ns, m->latency_high_ns, "");
    if (m->state == KT_TRANSFER_OK) {
        set_line(grid, m);
        set_holds(c, grid, l);
    } else {
        set_no_line(c, grid, l);
    }
    kt_grid_end_row(grid);
}

static void print_models(kt_grid *grid, const void *user)
{
    const copies *c = user;
    line l;
    for (uint32_t i = 0; i < c->all.count; i++)
        for (l = (line){.transfer = &c->all.list[i]}; l.time < KT_TRANSFER_TIMES; l.time++)
            for (l.at = 0; l.at < l.transfer->model_count[l.time]; l.at++)
                print_model(c, grid, &l);
}

static bool any_model(const copies *c)
{
    for (uint32_t i = 0; i < c->all.count; i++)
        for (int time = 0; time < KT_TRANSFER_TIMES; time++)
            if (c->all.list[i].models[time][0].state != KT_TRANSFER_NONE)
                return true;
    return false;
}

static void print_tables(const copies *c, const kt_style *style, kt_writer *writer)
{
    kt_print_columns(columns, COLUMN_COUNT, style, writer, print_sizes, c);
    if (!any_model(c))
        return;
    kt_put(writer, "\n");
    kt_print_columns(model_columns, MODEL_COUNT, style, writer, print_models, c);
}

/* Whether any row has a value in the column of memcpy. */
static bool any_memcpy(const copies *c)
{
    for (uint32_t i = 0; i < c->all.count; i++)
        for (uint32_t k = 0; has_memcpy(&c->all.list[i]) && k < c->all.list[i].size_count; k++)
            if (!isnan(kt_memcpy_rate(&c->all, c->all.list[i].sizes[k].bytes)))
                return true;
    return false;
}

/* Whether each direction has too few measured sizes for a model. */
static bool too_few_sizes(const copies *c)
{
    bool timed = false;
    for (uint32_t i = 0; i < c->all.count; i++)
        for (uint32_t k = 0; k < c->all.list[i].size_count; k++)
            for (int time = 0; time < KT_TRANSFER_TIMES; time++) {
                const kt_series *series = c->all.list[i].sizes[k].times[time];
                timed |= series && !isnan(series->summary.median);
            }
    return timed && !any_model(c);
}

static void add_notes(const copies *c, kt_note_list *list)
{
    char rate[32], size[32];
    const kt_transfer *memory = c->all.memory;
    if (too_few_sizes(c))
        kt_add_note(list, KT_NOTE_FACT,
                    (const char *[]){"a model takes four sizes or more: --size 64KiB..1MiB", NULL},
                    NULL);
    if (any_memcpy(c))
        kt_add_note(list, KT_NOTE_FACT,
                    (const char *[]){"MEMCPY: memcpy() on cpu:0 at that size in GB/s, the better "
                                     "of one core and all",
                                     NULL},
                    NULL);
    if (memory)
        kt_add_note(list, KT_NOTE_FACT,
                    (const char *[]){
                        "memory speed: ", kt_rate_text(c->all.memory_gb_per_s, rate, sizeof rate),
                        " GB/s (", memory->first->variant, " of ",
                        size_text(c->all.memory_bytes, size, sizeof size),
                        " on cpu:0); \"from cache\" is more than 1.1 times that", NULL},
                    NULL);
}

void kt_print_copies(const kt_document *document, const kt_style *style, kt_writer *writer)
{
    copies c = {.document = document};
    if (kt_gather_transfers(&c.all, document))
        print_tables(&c, style, writer);
    else
        writer->status = KT_NO_MEMORY;
    kt_free_transfers(&c.all);
}

void kt_add_copies_notes(const kt_document *document, kt_note_list *list)
{
    copies c = {.document = document};
    if (kt_gather_transfers(&c.all, document))
        add_notes(&c, list);
    else
        list->failed = true;
    kt_free_transfers(&c.all);
}
