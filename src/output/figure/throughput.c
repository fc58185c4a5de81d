/* SPDX-License-Identifier: MIT */
#include "output/figure/throughput.h"

#include "output/figure/draw.h"
#include "output/figure/points.h"
#include "output/script.h"
#include "output/table/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Range of drawable rates in GB/s; no clock measures values beyond. */
#define RATE_MIN 1e-30
#define RATE_MAX 1e30

/* ---- looks ---- */

#define KINDS       4
#define TITLE_BYTES 600 /* a name of KT_CUT_BYTES and what is behind it */
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* gnuplot's numbers of filled point shapes. The open form of a shape has the number less 1. */
static const int filled[] = {7, 5, 9, 13, 11};

/* A direction has the same look in each figure. Colour, shape and point size show its two memories.
 * Filled points on a solid line and open points on a dashed line distinguish there and back; other
 * dashes and shapes show other means than a copy. */
typedef struct look {
    unsigned pair;
    bool back, otherwise;
} look;

static look look_of(const kt_transfer *transfer)
{
    static const unsigned char pairs[KINDS][KINDS] = {
        {4, 6, 0, 5}, {6, 7, 1, 8}, {0, 1, 2, 9}, {5, 8, 9, 3}};
    unsigned src = 0, dst = 0;
    for (unsigned i = 0; i < KINDS; i++) {
        const char *kind = kt_memory_kind_name((kt_memory_kind)(KT_MEMORY_HEAP + i));
        src = strcmp(kind, transfer->src) == 0 ? i : src;
        dst = strcmp(kind, transfer->dst) == 0 ? i : dst;
    }
    size_t length = strlen(transfer->src) + strlen("-") + strlen(transfer->dst);
    return (look){pairs[src][dst], src > dst, strlen(transfer->first->variant) > length};
}

#define PRINTED_MAX 30 /* characters of a device's name in a title for print */

/* ---- curves ---- */

/* The rate in GB/s, or NaN if the axis cannot show it. */
static double if_drawn(double rate)
{
    return rate > RATE_MIN && rate < RATE_MAX ? rate : NAN;
}

static bool has_rates(const kt_transfer *transfer, int time)
{
    for (uint32_t i = 0; i < transfer->size_count; i++)
        if (!isnan(if_drawn(kt_transfer_rate(transfer, &transfer->sizes[i], time))))
            return true;
    return false;
}

/* The time of a transfer to draw, device or wall; KT_TRANSFER_TIMES: neither has rates. */
static int drawn_time(const kt_transfer *transfer)
{
    int time = KT_TRANSFER_DEVICE;
    while (time < KT_TRANSFER_TIMES && !has_rates(transfer, time))
        time++;
    return time;
}

/* The rate of a transfer at one size, and its error bar. The transfer must have rates. */
static kt_point point_of(const kt_throughput *t, const kt_transfer *transfer,
                         const kt_transfer_size *size)
{
    int time = drawn_time(transfer);
    const kt_series *series = size->times[time];
    kt_point point = {NAN, NAN, NAN};
    double rate = if_drawn(kt_transfer_rate(transfer, size, time)), low_ns, high_ns;
    if (!isnan(rate)) {
        kt_find_bar(t->document, series, &low_ns, &high_ns);
        point = kt_rate_point(series->bytes, series->summary.median, low_ns, high_ns);
        point.value = rate;
    }
    if (isnan(point.low) || isnan(point.high))
        point.low = point.high = NAN;
    return point;
}

/* Writes a curve's points. A size without a value is NaN, which leaves a gap in the line. */
static void put_data(const kt_throughput *t, uint32_t index, kt_writer *writer)
{
    const kt_transfer *transfer = &t->transfers.list[index];
    kt_putf(writer, "$curve%u << EOD\n", index + 1);
    for (uint32_t i = 0; i < transfer->size_count; i++) {
        kt_point point = point_of(t, transfer, &transfer->sizes[i]);
        kt_putf(writer, "%.0f", transfer->sizes[i].bytes);
        kt_put_point(writer, &point);
    }
    kt_put(writer, "EOD\n");
}

static kt_cut cut_of(const kt_throughput *t, const kt_transfer *transfer)
{
    kt_cut cut = {false, false};
    for (uint32_t i = 0; i < transfer->size_count; i++) {
        kt_point point = point_of(t, transfer, &transfer->sizes[i]);
        kt_cut_include(&cut, &t->y, &point);
    }
    return cut;
}

static char *title_of(const kt_transfer *transfer, char text[TITLE_BYTES])
{
    char direction[KT_CUT_BYTES];
    snprintf(text, TITLE_BYTES, "%s%s",
             kt_cut_middle(direction, transfer->first->variant, KT_LABEL_MAX),
             drawn_time(transfer) == KT_TRANSFER_WALL ? ", wall time" : "");
    return text;
}

static void put_curve(const kt_throughput *t, uint32_t index, kt_writer *writer)
{
    static const char dashes[][16] = {"dt 1", "pi -1 dt (8,4)", "dt (12,3,2,3)", "pi -1 dt (3,3)"};
    const kt_transfer *transfer = &t->transfers.list[index];
    look l = look_of(transfer);
    const char *colour = kt_colours[l.pair % KT_COLOURS];
    char title[TITLE_BYTES];
    kt_put(writer, ", \\\n  ");
    kt_put_bars(writer, index + 1, colour, cut_of(t, transfer));
    kt_putf(writer, "  '' using 1:2 with linespoints lc rgb '#%s' lw 2 ps %s %s pt %d title '",
            colour, l.pair < COUNT(filled) ? "0.9" : "0.5", dashes[l.back + 2 * l.otherwise],
            filled[(l.pair + 2U * l.otherwise) % COUNT(filled)] - l.back);
    title_of(transfer, title);
    kt_put_script_bytes(writer, title, strlen(title));
    kt_put(writer, "'");
}

static bool is_yardstick(const kt_transfer *transfer)
{
    return kt_is_memcpy(transfer) && drawn_time(transfer) != KT_TRANSFER_TIMES;
}

/* Draws the host's own copies behind the curves, and lists them last. */
static void put_yardsticks(const kt_throughput *t, bool in_legend, kt_writer *writer)
{
    for (uint32_t i = 0; i < t->transfers.count; i++) {
        const kt_transfer *transfer = &t->transfers.list[i];
        if (!is_yardstick(transfer))
            continue;
        bool all = look_of(transfer).otherwise;
        kt_put(writer, ", \\\n  ");
        if (in_legend)
            kt_put(writer, "NaN");
        else
            kt_putf(writer, "$curve%u using 1:2", i + 1);
        kt_putf(writer, " with linespoints lc rgb '#909090' lw 1.5 %s pt 7 ps 0.2 ",
                all ? "dt (3,3)" : "dt 1");
        if (in_legend)
            kt_putf(writer, "title 'memcpy, %s'", all ? "all cores" : "one core");
        else
            kt_put(writer, "notitle");
    }
}

/* ---- panels ---- */

/* The panel of one device: its transfers, which are adjacent, as indices in the list. */
typedef struct panel {
    uint32_t begin, end;
    bool yardstick;
} panel;

static bool next_panel(const kt_throughput *t, panel *p)
{
    const kt_transfers *all = &t->transfers;
    p->begin = p->end;
    for (p->yardstick = false; p->end < all->count; p->end++)
        if (strcmp(all->list[p->end].first->device, all->list[p->begin].first->device) != 0)
            break;
    if (p->begin < p->end)
        p->yardstick = strcmp(all->list[p->begin].first->device, "cpu:0") != 0;
    return p->begin < p->end;
}

static void put_title(const kt_layout *layout, const kt_legend *legend,
                      const kt_document_device *device, const char *id, kt_writer *writer)
{
    char name[KT_CUT_BYTES];
    if (!layout->titles)
        return;
    kt_begin_title(layout, legend, writer);
    kt_put_script_text(writer, id, KT_LABEL_MAX);
    if (device && layout->notes) {
        kt_put(writer, ": ");
        kt_cut_end(name, device->info.name, layout->print ? PRINTED_MAX : KT_NAME_MAX);
        kt_put_script_bytes(writer, name, strlen(name));
    }
    kt_put(writer, "'\n");
}

/* The time of a zero copy as text; NULL: no zero copy, or its time is unknown. */
static const char *zero_copy_text(const kt_throughput *t, const kt_transfer *transfer, char *text,
                                  size_t bytes)
{
    const kt_series *below = kt_below_min_span(transfer);
    double device_ns = transfer->models[KT_TRANSFER_DEVICE][0].latency_ns;
    double wall_ns = transfer->models[KT_TRANSFER_WALL][0].latency_ns;
    if (!transfer->zero_copy || (isnan(device_ns) && isnan(wall_ns)))
        return NULL;
    return below ? kt_device_time_text(t->document, below, text, bytes)
                 : kt_format_ns(text, bytes, isnan(device_ns) ? wall_ns : device_ns);
}

/* Whether the transfer is a measured mapping without known rates. */
static bool is_timed_map(const kt_transfer *transfer)
{
    bool timed = false;
    for (uint32_t i = 0; i < transfer->size_count; i++)
        for (int time = 0; time < KT_TRANSFER_TIMES; time++)
            timed |= transfer->sizes[i].times[time] && transfer->sizes[i].times[time]->summary.n;
    return timed && kt_is_only_mapped(transfer);
}

static unsigned note_lines(const kt_throughput *t, const panel *p)
{
    unsigned lines = 0;
    char text[32];
    for (uint32_t i = p->begin; i < p->end; i++)
        if (drawn_time(&t->transfers.list[i]) == KT_TRANSFER_TIMES)
            lines += zero_copy_text(t, &t->transfers.list[i], text, sizeof text) ? 2 : 1;
    return lines;
}

/* Lists the transfers without a line, with reasons, below the legend, down to the x axis. */
static void put_notes(const kt_throughput *t, const kt_layout *layout, const panel *p,
                      kt_writer *writer)
{
    unsigned line = 0, lines = note_lines(t, p);
    for (uint32_t i = p->begin; i < p->end; i++) {
        const kt_transfer *transfer = &t->transfers.list[i];
        char text[32];
        const char *time = zero_copy_text(t, transfer, text, sizeof text);
        if (drawn_time(transfer) != KT_TRANSFER_TIMES)
            continue;
        kt_begin_panel_note(layout, line++, lines, writer);
        kt_put_script_text(writer, transfer->first->variant, KT_LABEL_MAX);
        kt_put(writer, transfer->zero_copy      ? ": zero-copy"
                       : is_timed_map(transfer) ? ": mapped"
                                                : ": not measured");
        kt_put(writer, time ? ",'\n" : "'\n");
        if (!time)
            continue;
        kt_begin_panel_note(layout, line++, lines, writer);
        kt_putf(writer, "%s whatever the size'\n", time);
    }
}

static kt_legend legend_of(const kt_throughput *t, const panel *p)
{
    char title[TITLE_BYTES];
    kt_legend legend = {.notes = note_lines(t, p)};
    for (uint32_t i = p->begin; i < p->end; i++)
        if (drawn_time(&t->transfers.list[i]) != KT_TRANSFER_TIMES) {
            legend.entries++;
            kt_legend_include(&legend, title_of(&t->transfers.list[i], title));
        }
    for (uint32_t i = 0; i < t->transfers.count && p->yardstick; i++)
        if (is_yardstick(&t->transfers.list[i])) {
            legend.entries++;
            kt_legend_include(&legend, "memcpy, all cores");
        }
    return legend;
}

static void put_panel(const kt_throughput *t, const kt_layout *layout, const panel *p,
                      kt_writer *writer)
{
    const char *id = t->transfers.list[p->begin].first->device;
    kt_legend legend = legend_of(t, p);
    put_title(layout, &legend, kt_find_device(t->document, id), id, writer);
    if (layout->notes)
        put_notes(t, layout, p, writer);
    kt_put_legend(layout, &legend, writer);
    kt_put(writer, "plot NaN notitle");
    if (p->yardstick)
        put_yardsticks(t, false, writer);
    for (uint32_t i = p->begin; i < p->end; i++)
        if (drawn_time(&t->transfers.list[i]) != KT_TRANSFER_TIMES)
            put_curve(t, i, writer);
    if (p->yardstick)
        put_yardsticks(t, true, writer);
    kt_put(writer, "\nunset label\n");
}

/* ---- all panels ---- */

/* Extends the axes to a transfer's points. The y axis clips error bars, since a wide interval would
 * leave no room for the lines. */
static void include(kt_throughput *t, const kt_transfer *transfer)
{
    bool drawn = drawn_time(transfer) != KT_TRANSFER_TIMES;
    for (uint32_t i = 0; drawn && i < transfer->size_count; i++) {
        kt_point point = point_of(t, transfer, &transfer->sizes[i]);
        kt_axis_include(&t->x, isnan(point.value) ? NAN : transfer->sizes[i].bytes);
        kt_axis_include(&t->y, point.value);
    }
}

bool kt_gather_throughput(kt_throughput *out, const kt_document *document)
{
    *out = (kt_throughput){.document = document};
    if (!kt_gather_transfers(&out->transfers, document))
        return false;
    bool memcpy_drawn = false;
    for (uint32_t i = 0; i < out->transfers.count; i++) {
        const kt_transfer *transfer = &out->transfers.list[i];
        memcpy_drawn |= is_yardstick(transfer);
        include(out, transfer);
    }
    for (panel p = {0}; next_panel(out, &p); out->panels++) {
        kt_legend legend = legend_of(out, &p), *most = &out->legend;
        most->entries = legend.entries > most->entries ? legend.entries : most->entries;
        most->notes = legend.notes > most->notes ? legend.notes : most->notes;
        most->longest = legend.longest > most->longest ? legend.longest : most->longest;
        out->yardstick |= p.yardstick && memcpy_drawn;
    }
    kt_axis_close_bytes(&out->x);
    kt_axis_close_rates(&out->y);
    for (uint32_t i = 0; i < out->transfers.count; i++) {
        const kt_transfer *transfer = &out->transfers.list[i];
        if (drawn_time(transfer) == KT_TRANSFER_TIMES)
            continue;
        kt_cut cut = cut_of(out, transfer);
        out->cut.below |= cut.below;
        out->cut.above |= cut.above;
    }
    return true;
}

void kt_free_throughput(kt_throughput *t)
{
    kt_free_transfers(&t->transfers);
}

void kt_put_throughput_points(const kt_throughput *t, kt_csv *csv)
{
    for (uint32_t i = 0; i < t->transfers.count; i++) {
        const kt_transfer *transfer = &t->transfers.list[i];
        int time = drawn_time(transfer);
        for (uint32_t k = 0; time != KT_TRANSFER_TIMES && k < transfer->size_count; k++)
            kt_put_points_row(
                csv, &(kt_points_row){.workload = transfer->first->workload,
                                      .variant = transfer->first->variant,
                                      .device = transfer->first->device,
                                      .time = time == KT_TRANSFER_WALL ? "wall" : "device",
                                      .size = transfer->sizes[k].bytes,
                                      .quantity = "gb_per_s",
                                      .point = point_of(t, transfer, &transfer->sizes[k])});
    }
}

void kt_put_throughput(const kt_throughput *t, const kt_layout *layout, kt_writer *writer)
{
    if (!t->panels)
        return;
    kt_put(writer, "set xlabel 'size'\nset ylabel 'throughput (GB/s)'\n"
                   "set grid xtics ytics lt 1 lc rgb '#d8d8d8' lw 1 dt 1\n");
    kt_axis_put(&t->x, writer, 'x', 2);
    kt_axis_put(&t->y, writer, 'y', 10);
    if (t->x.used) {
        kt_axis_put_byte_tics(&t->x, writer);
        kt_axis_put_tics(&t->y, writer, false);
    } else {
        /* Tics would show numbers that nobody measured. */
        kt_put(writer, "unset xtics\nunset ytics\n");
    }
    kt_put_ends(writer, &t->y);
    for (uint32_t i = 0; i < t->transfers.count; i++)
        if (drawn_time(&t->transfers.list[i]) != KT_TRANSFER_TIMES)
            put_data(t, i, writer);
    for (panel p = {0}; next_panel(t, &p);)
        put_panel(t, layout, &p, writer);
}
