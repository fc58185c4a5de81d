/* SPDX-License-Identifier: MIT */
/* points.c - writes the points of a figure as CSV, for other programs that draw. */
#include "output/figure/points.h"

#include <math.h>

/* Empty for NaN. The bar of a time that may be 0 has no upper end as a rate. */
static void put_number(kt_csv *csv, const char *key, double value)
{
    if (!isinf(value))
        kt_csv_number(csv, key, value);
    else if (kt_csv_begin(csv, key))
        kt_put(csv->writer, "inf");
}

void kt_put_points_row(kt_csv *csv, const kt_points_row *row)
{
    if (!csv->head && isnan(row->point.value))
        return;
    kt_csv_text(csv, "workload", row->workload);
    kt_csv_text(csv, "variant", row->variant);
    kt_csv_text(csv, "device", row->device);
    kt_csv_text(csv, "time", row->time);
    kt_csv_number(csv, "size", row->size);
    kt_csv_text(csv, "quantity", row->quantity);
    put_number(csv, "value", row->point.value);
    put_number(csv, "low", row->point.low);
    put_number(csv, "high", row->point.high);
    kt_csv_end_row(csv);
}

static void put_curve(kt_csv *csv, const kt_panel *panel, const kt_curve *curve)
{
    static const char *const quantities[] = {[KT_FIGURE_SPEEDUP] = "speedup",
                                             [KT_FIGURE_SPEEDUP_BEST] = "speedup_best",
                                             [KT_FIGURE_TIME] = "time_ns",
                                             [KT_FIGURE_GBS] = "gb_per_s",
                                             [KT_FIGURE_GFLOPS] = "gflop_per_s"};
    const char *baseline = kt_curve_baseline(curve);
    for (int64_t size = INT64_MIN; kt_panel_next_size(panel, &size);)
        kt_put_points_row(csv,
                          &(kt_points_row){.workload = panel->workload,
                                           .variant = curve->first ? curve->first->variant : NULL,
                                           .device = curve->first ? curve->first->device : NULL,
                                           .time = baseline                       ? baseline
                                                   : curve->kind == KT_CURVE_WALL ? "wall"
                                                                                  : "device",
                                           .size = (double)size,
                                           .quantity = quantities[panel->values],
                                           .point = kt_curve_point(panel, curve, size)});
}

void kt_print_points(const kt_document *document, const kt_figure_options *options,
                     const kt_throughput *copies, kt_writer *writer)
{
    kt_csv csv = {.writer = writer, .head = true};
    static const kt_points_row none;
    kt_put_points_row(&csv, &none);
    csv.head = false;
    unsigned count = kt_panel_count(document);
    for (unsigned i = 0; i < count; i++) {
        kt_panel panel = kt_panel_describe(document, options, i);
        for (kt_curve curve = {0}; kt_panel_next_curve(&panel, &curve);)
            put_curve(&csv, &panel, &curve);
    }
    kt_put_throughput_points(copies, &csv);
}
