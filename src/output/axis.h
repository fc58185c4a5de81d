/* axis.h - an axis of a figure: from where to where it goes, whether it is logarithmic, and which
 * numbers stand at it. */
#ifndef KT_OUTPUT_AXIS_H
#define KT_OUTPUT_AXIS_H

#include "output/writer.h"

#include <stdint.h>

typedef struct kt_axis {
    double low, high; /* of the values included; after closing, the ends of the axis */
    bool used;        /* a value was included */
    bool log;
} kt_axis;

/* NaN adds nothing. */
void kt_axis_include(kt_axis *axis, double value);

/* Settles ends and scale. All values are positive, sizes need not be. Sizes: logarithmic if they
 * span more than a factor of four, or if there is but one. Values: logarithmic from a factor of ten
 * on, else from 0. */
void kt_axis_close_sizes(kt_axis *axis);
void kt_axis_close_values(kt_axis *axis);
/* Always logarithmic: sizes of memory; rates, from a labelled tic to a labelled one. */
void kt_axis_close_bytes(kt_axis *axis);
void kt_axis_close_rates(kt_axis *axis);

/* Where a value stands: 0 at the low end, 1 at the high one. */
double kt_axis_share(const kt_axis *axis, double value);

/* Range and scale of axis `which`, 'x' or 'y', as commands of gnuplot. */
void kt_axis_put(const kt_axis *axis, kt_writer *writer, char which, int base);
/* Tics of the y axis, labelled with plain numbers or with durations, the values being ns. */
void kt_axis_put_tics(const kt_axis *axis, kt_writer *writer, bool durations);
/* Tics of the x axis at powers of two: 8 KiB, 64 KiB. */
void kt_axis_put_byte_tics(const kt_axis *axis, kt_writer *writer);

/* A size in few characters that say exactly this number: 96, 64Ki, 3M. Returns `text`. */
char *kt_size_label(char *text, size_t bytes, int64_t size);

#endif
