/* SPDX-License-Identifier: MIT */
/* layout.h - where a figure has its panels, legends, titles and notes, in pixels. */
#ifndef KT_OUTPUT_FIGURE_LAYOUT_H
#define KT_OUTPUT_FIGURE_LAYOUT_H

#include "output/writer.h"

#include <kerntime/result.h>

/* What a panel needs room for. */
typedef struct kt_legend {
    unsigned entries; /* lines of the legend */
    unsigned notes;   /* lines of notes below it */
    size_t longest;   /* characters of the longest entry */
} kt_legend;

void kt_legend_include(kt_legend *legend, const char *title);

typedef struct kt_layout {
    bool print;  /* legends above the axes and notes below, in place of both on the right */
    bool titles; /* panels have titles */
    bool notes;  /* the figure has a head and notes */
    double width;
    unsigned height, rows, columns;
    unsigned left, right, above, below; /* of a panel, around its axes */
    unsigned head, foot;                /* of the figure, around its panels */
    unsigned axes_width, axes_height;
} kt_layout;

/* Lays out `count` panels: `most` has the highest numbers of all. The notes of the figure are
 * given afterwards, by kt_layout_close(). */
kt_layout kt_layout_begin(const kt_figure_options *options, unsigned count, bool workloads,
                          const kt_legend *most);
void kt_layout_close(kt_layout *layout, unsigned note_lines);
/* Characters that a note at the foot has room for. */
unsigned kt_layout_note_columns(const kt_layout *layout);

/* Writes sizes and grid of panels. */
void kt_put_layout(const kt_layout *layout, kt_writer *writer);
/* Writes where the legend of the next panel is. */
void kt_put_legend(const kt_layout *layout, const kt_legend *legend, kt_writer *writer);
/* Begin the title of a panel with that legend, its note number `line` of `lines`, and a note at the foot, from 0 on,
 * of `lines`. Each ends with "'\n". */
void kt_begin_title(const kt_layout *layout, const kt_legend *legend, kt_writer *writer);
void kt_begin_panel_note(const kt_layout *layout, unsigned line, unsigned lines, kt_writer *writer);
void kt_begin_foot_note(const kt_layout *layout, unsigned line, unsigned lines, kt_writer *writer);

#endif
