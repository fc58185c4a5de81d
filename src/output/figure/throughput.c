#include "output/figure/throughput.h"

#include "output/figure/figure.h"
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
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* The colours of gnuplot.c, by Okabe and Ito. */
static const char colours[][8] = {"0072B2", "E69F00", "000000", "D55E00",
                                  "56B4E9", "009E73", "CC79A7"};
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
    kt_point point = {if_drawn(kt_transfer_rate(transfer, size, time)), NAN, NAN};
    double low_ns, high_ns;
    if (!isnan(point.value)) {
        kt_find_bar(t->document, series, &low_ns, &high_ns);
        point.low = if_drawn(series->bytes / high_ns);
        point.high = if_drawn(series->bytes / low_ns);
    }
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
        kt_put_value(writer, point.value);
        kt_put_value(writer, point.low);
        kt_put_value(writer, point.high);
        kt_put(writer, "\n");
    }
    kt_put(writer, "EOD\n");
}

static void put_curve(const kt_throughput *t, uint32_t index, kt_writer *writer)
{
    static const char dashes[][16] = {"dt 1", "pi -1 dt (8,4)", "dt (12,3,2,3)", "pi -1 dt (3,3)"};
    const kt_transfer *transfer = &t->transfers.list[index];
    look l = look_of(transfer);
    const char *colour = colours[l.pair % COUNT(colours)];
    kt_putf(writer,
            ", \\\n  $curve%u using 1:2:3:4 with yerrorbars lc rgb '#%s' lw 1 pt -1 ps 0.5 notitle"
            ", \\\n  '' using 1:2 with linespoints lc rgb '#%s' lw 2 ps %s %s pt %d title '",
            index + 1, colour, colour, l.pair < COUNT(filled) ? "0.9" : "0.5",
            dashes[l.back + 2 * l.otherwise],
            filled[(l.pair + 2U * l.otherwise) % COUNT(filled)] - l.back);
    kt_put_script_text(writer, transfer->first->variant, KT_LABEL_MAX);
    kt_put(writer, drawn_time(transfer) == KT_TRANSFER_WALL ? ", wall time'" : "'");
}

/* Draws the host's own copies behind the curves, and lists them last. */
static void put_yardsticks(const kt_throughput *t, bool in_legend, kt_writer *writer)
{
    for (uint32_t i = 0; i < t->transfers.count; i++) {
        const kt_transfer *transfer = &t->transfers.list[i];
        if (!kt_is_memcpy(transfer) || drawn_time(transfer) == KT_TRANSFER_TIMES)
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

static void put_title(const kt_document_device *device, const char *id, kt_writer *writer)
{
    kt_begin_script_label(writer, "graph 0, graph 1", 0, 1, 15);
    kt_put_script_text(writer, id, KT_LABEL_MAX);
    if (device) {
        kt_put(writer, ": ");
        kt_put_script_text(writer, device->info.name, KT_NAME_MAX);
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

static void begin_note(unsigned line, kt_writer *writer)
{
    kt_begin_script_label(writer, "graph 1.03, graph 0", 0, line, 10);
}

/* Lists the transfers without a line, with reasons, below the legend, down to the x axis. */
static void put_notes(const kt_throughput *t, const panel *p, kt_writer *writer)
{
    unsigned line = note_lines(t, p);
    for (uint32_t i = p->begin; i < p->end; i++) {
        const kt_transfer *transfer = &t->transfers.list[i];
        char text[32];
        const char *time = zero_copy_text(t, transfer, text, sizeof text);
        if (drawn_time(transfer) != KT_TRANSFER_TIMES)
            continue;
        begin_note(--line, writer);
        kt_put_script_text(writer, transfer->first->variant, KT_LABEL_MAX);
        kt_put(writer, transfer->zero_copy      ? ": zero-copy"
                       : is_timed_map(transfer) ? ": mapped"
                                                : ": not measured");
        kt_put(writer, time ? ",'\n" : "'\n");
        if (!time)
            continue;
        begin_note(--line, writer);
        kt_putf(writer, "%s whatever the size'\n", time);
    }
}

static void put_panel(const kt_throughput *t, const panel *p, kt_writer *writer)
{
    const char *id = t->transfers.list[p->begin].first->device;
    put_title(kt_find_device(t->document, id), id, writer);
    put_notes(t, p, writer);
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
        memcpy_drawn |= kt_is_memcpy(transfer) && drawn_time(transfer) != KT_TRANSFER_TIMES;
        include(out, transfer);
    }
    for (panel p = {0}; next_panel(out, &p); out->panels++) {
        /* The most curves that a panel can have, with the host's own two copies. */
        unsigned lines = p.end - p.begin + 2 + note_lines(out, &p);
        out->legend_lines = lines > out->legend_lines ? lines : out->legend_lines;
        out->yardstick |= p.yardstick && memcpy_drawn;
    }
    kt_axis_close_bytes(&out->x);
    kt_axis_close_rates(&out->y);
    return true;
}

void kt_free_throughput(kt_throughput *t)
{
    kt_free_transfers(&t->transfers);
}

void kt_put_throughput(const kt_throughput *t, kt_writer *writer)
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
    for (uint32_t i = 0; i < t->transfers.count; i++)
        if (drawn_time(&t->transfers.list[i]) != KT_TRANSFER_TIMES)
            put_data(t, i, writer);
    for (panel p = {0}; next_panel(t, &p);)
        put_panel(t, &p, writer);
}
