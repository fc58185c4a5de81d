/*
 * figure.h - a document as curves: one panel for each workload, in it for each device its device
 * time and its wall time by size, over all runs. Copies have panels of their own (throughput.h).
 *
 * Room output/figure: documents as curves, drawn by gnuplot.
 * May know: support, report, output, output/table.
 */
#ifndef KT_OUTPUT_FIGURE_FIGURE_H
#define KT_OUTPUT_FIGURE_FIGURE_H

#include "output/axis.h"
#include "report/document.h"

/* One workload. */
typedef struct kt_panel {
    const kt_document *document; /* made by kt_gather_runs() */
    const char *workload;
    const char *variant; /* of all series; NULL: there are none, or several */
    bool variants;       /* there are several */
    bool speedups;       /* over the sequential baseline; false: the times themselves, in ns */
    unsigned measured;   /* curves of devices */
    kt_axis x, y;
} kt_panel;

typedef enum kt_curve_kind { KT_CURVE_DEVICE = 0, KT_CURVE_WALL, KT_CURVE_BEST } kt_curve_kind;

/* A curve that has points. Zeroed, it stands before the first. */
typedef struct kt_curve {
    kt_curve_kind kind;
    const kt_series *first; /* any of its device and variant; NULL: KT_CURVE_BEST, the baseline */
    unsigned number;        /* in the panel, from 1 on; those of devices come first */
    uint32_t next;          /* where the search goes on */
} kt_curve;

/* What was not measured is NaN. */
typedef struct kt_point {
    double value, low, high; /* low .. high: 95 % interval; of several runs, their medians */
} kt_point;

/* What a time reaches from and to: between the runs, or else its interval; NaN: not known. */
void kt_find_bar(const kt_document *document, const kt_series *series, double *low, double *high);

unsigned kt_panel_count(const kt_document *document);
/* Describes the panel of the number, from 0 on, in the order of the workloads' first series. */
kt_panel kt_panel_describe(const kt_document *document, unsigned number);
/* Goes on to the next curve, the next larger size (INT64_MIN stands before the first). */
bool kt_panel_next_curve(const kt_panel *panel, kt_curve *curve);
bool kt_panel_next_size(const kt_panel *panel, int64_t *size);

kt_point kt_curve_point(const kt_panel *panel, const kt_curve *curve, int64_t size);
/* A number for the look of a device's curve: the same for a device in every panel, and another for
 * each of its variants within one. */
unsigned kt_curve_style(const kt_panel *panel, const kt_curve *curve);
/* The panel's baseline of that name and size, or of any size if that is NULL; NULL: none. */
const kt_baseline *kt_panel_baseline(const kt_panel *panel, const char *name, const int64_t *size);

#endif
