/* SPDX-License-Identifier: MIT */
/* axis.h - an axis of a figure: its range, its scale (linear or logarithmic) and its labelled
 * tics. */
#ifndef KT_OUTPUT_AXIS_H
#define KT_OUTPUT_AXIS_H

#include "output/writer.h"

#include <stdint.h>

typedef struct kt_axis {
    double low, high; /* range of the included values; after kt_axis_close_..(), the ends */
    bool used;        /* the axis includes at least one value */
    bool log;
} kt_axis;

/* Extends the range of the axis to the value; ignores NaN. */
void kt_axis_include(kt_axis *axis, double value);

/* Set ends and scale. All values are positive; sizes need not be. Sizes: logarithmic if they span
 * more than a factor of four, or for a single size. Values: logarithmic from a factor of ten on,
 * else from 0. */
void kt_axis_close_sizes(kt_axis *axis);
void kt_axis_close_values(kt_axis *axis);
/* Set the ends of an axis of memory sizes, and of one of rates, which ends at labelled tics. Both
 * are always logarithmic. */
void kt_axis_close_bytes(kt_axis *axis);
void kt_axis_close_rates(kt_axis *axis);

/* Writes range and scale of axis `which`, 'x' or 'y', as gnuplot commands. */
void kt_axis_put(const kt_axis *axis, kt_writer *writer, char which, int base);
/* Writes the tics of the y axis, labelled with plain numbers, or with durations for values in
 * ns. */
void kt_axis_put_tics(const kt_axis *axis, kt_writer *writer, bool durations);
/* Writes the tics of the x axis at powers of two: 8 KiB, 64 KiB. */
void kt_axis_put_byte_tics(const kt_axis *axis, kt_writer *writer);

/* A short text for exactly this size: 96, 64Ki, 3M. Returns `text`. */
char *kt_size_label(char *text, size_t bytes, int64_t size);

#endif
