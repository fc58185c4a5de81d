/* SPDX-License-Identifier: MIT */
/* points.h - the points of a figure as rows of CSV. */
#ifndef KT_OUTPUT_FIGURE_POINTS_H
#define KT_OUTPUT_FIGURE_POINTS_H

#include "output/csv_writer.h"
#include "output/figure/figure.h"
#include "output/figure/throughput.h"

typedef struct kt_points_row {
    const char *workload, *variant, *device; /* NULL: empty */
    const char *time;                        /* "device", "wall", or the name of a baseline */
    double size;
    const char *quantity; /* of the value, with its unit */
    kt_point point;
} kt_points_row;

/* Writes a row, in the head the names of its columns; nothing for a point without a value. */
void kt_put_points_row(kt_csv *csv, const kt_points_row *row);
void kt_put_throughput_points(const kt_throughput *t, kt_csv *csv);
void kt_print_points(const kt_document *document, const kt_figure_options *options,
                     const kt_throughput *copies, kt_writer *writer);

#endif
