/* SPDX-License-Identifier: MIT */
/* draw.h - how curves are drawn: looks that panels of workloads and of copies share. */
#ifndef KT_OUTPUT_FIGURE_DRAW_H
#define KT_OUTPUT_FIGURE_DRAW_H

#include "output/figure/figure.h"

/* Curves of fewer points have no line: two points show no course. */
#define KT_LINE_POINTS 3

#define KT_COLOURS 7
/* Okabe and Ito's colours, distinguishable by colour-blind readers, ordered so that neighbours
 * differ in lightness. */
extern const char kt_colours[KT_COLOURS][8];

/* Which ends of a curve's bars lie beyond the axis. */
typedef struct kt_cut {
    bool below, above;
} kt_cut;

void kt_cut_include(kt_cut *cut, const kt_axis *y, const kt_point *point);

/* Writes value and bar behind a size, and ends the line. */
void kt_put_point(kt_writer *writer, const kt_point *point);
/* Defines the ends of the y axis for the bars of a panel. */
void kt_put_ends(kt_writer *writer, const kt_axis *y);
/* Writes the items of a plot that draw the bars of $curve<number>, with an arrow where a bar goes
 * on beyond the axis. */
void kt_put_bars(kt_writer *writer, unsigned number, const char *colour, kt_cut cut);

#endif
