/* SPDX-License-Identifier: MIT */
/*
 * figure.h - a document as curves: a panel per workload, with device time and wall time of each
 * device by size, over all runs. Copies have their own panels (throughput.h).
 *
 * Room output/figure: documents as curves, drawn by gnuplot.
 * May know: support, report, output, output/table.
 */
#ifndef KT_OUTPUT_FIGURE_FIGURE_H
#define KT_OUTPUT_FIGURE_FIGURE_H

#include "output/axis.h"
#include "report/document.h"

#include <kerntime/result.h>

/* The panel of one workload. */
typedef struct kt_panel {
    const kt_document *document; /* made by kt_gather_runs() */
    const char *workload;
    const char *variant;     /* variant of all series; NULL: no variant, or several */
    bool variants;           /* the panel has several variants */
    const char *unit;        /* what its sizes count; NULL: their name says it */
    kt_figure_values values; /* what y shows, never KT_FIGURE_USUAL */
    unsigned measured;       /* number of curves of devices */
    unsigned curves;         /* number of all curves */
    unsigned points;         /* points of the curve that has most */
    kt_axis x, y;
} kt_panel;

typedef enum kt_curve_kind {
    KT_CURVE_DEVICE = 0,
    KT_CURVE_WALL,
    KT_CURVE_SEQUENTIAL,
    KT_CURVE_BEST
} kt_curve_kind;

/* A curve of a panel. A zeroed one precedes the first; see kt_panel_next_curve(). */
typedef struct kt_curve {
    kt_curve_kind kind;
    /* any series of the curve's device and variant; NULL: the curve is a baseline's */
    const kt_series *first;
    unsigned number; /* number of the curve in its panel, from 1 on; device curves first */
    uint32_t next;   /* index of the series where kt_panel_next_curve() continues */
} kt_curve;

/* A point of a curve with its error bar. NaN: not measured; no bar: both ends are NaN. */
typedef struct kt_point {
    /* low, high: 95 % interval; for several runs, the range of their medians. High may be infinite:
     * a time that may be 0. */
    double value, low, high;
} kt_point;

/* The error bar of a time: the range of medians of several runs, else the 95 % interval; NaN: no
 * error bar. */
void kt_find_bar(const kt_document *document, const kt_series *series, double *low, double *high);

/* The point of `amount` / time for the bar of a time. */
kt_point kt_rate_point(double amount, double ns, double low_ns, double high_ns);

unsigned kt_panel_count(const kt_document *document);
/* Describes panel `number`, from 0 on, in the order of the workloads' first series. */
kt_panel kt_panel_describe(const kt_document *document, const kt_figure_options *options,
                           unsigned number);
/* Advance to the next curve, or to the next larger size (INT64_MIN precedes the first). Return
 * false at the end. */
bool kt_panel_next_curve(const kt_panel *panel, kt_curve *curve);
bool kt_panel_next_size(const kt_panel *panel, int64_t *size);

/* Whether the curve is a baseline's; its name, "sequential" or "best". */
const char *kt_curve_baseline(const kt_curve *curve);
/* The baseline that is 1 in the panel; NULL: it shows no speed-ups. */
const char *kt_panel_reference(const kt_panel *panel);

kt_point kt_curve_point(const kt_panel *panel, const kt_curve *curve, int64_t size);
/* Index of the style of a device's curve: the same for a device in each panel, different for its
 * variants within one panel. */
unsigned kt_curve_style(const kt_panel *panel, const kt_curve *curve);
/* The panel's baseline with that name and size; `size` NULL: any size. Returns NULL if the panel
 * has no such baseline. */
const kt_baseline *kt_panel_baseline(const kt_panel *panel, const char *name, const int64_t *size);

/* Writes the figure of a document, or its points. */
void kt_print_figure(const kt_document *document, const kt_figure_options *options,
                     kt_writer *writer);

#endif
