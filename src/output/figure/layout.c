/* SPDX-License-Identifier: MIT */
#include "output/figure/layout.h"

#include "output/script.h"

#include <stdio.h>

#define LINE_HEIGHT 18

/* Fonts beside the usual one of 12 pixels; for print, of 10. */
#define TITLE_FONT  15
#define SMALL_FONT  10
#define PRINT_FONT  10
#define PRINT_SMALL 9

/* For a screen: the legend is on the right. */
#define SCREEN_WIDTH      1000
#define SCREEN_LEFT       110
#define SCREEN_ABOVE      54
#define SCREEN_BELOW      72
#define HEAD_LINES        2
#define LEGEND_WIDTH      275
#define LEGEND_WIDER      400 /* with names of devices */
#define LEGEND_LINE       23
#define SCREEN_HEIGHT_MIN 324
/* Most panels in one column and in two. */
#define ONE_COLUMN_MAX  4
#define TWO_COLUMNS_MAX 12

/* For print: pixels of 1/96 inch and a font of 10 of them, which is 7.5 points. Panels stand side by
 * side where each has 80 mm. */
#define PRINT_LEFT       68
#define PRINT_RIGHT      18
#define PRINT_BELOW      46
#define PRINT_PANEL      300
#define PRINT_LINE       13 /* of a legend */
#define PRINT_NOTE       12
#define PRINT_TITLE      16
#define PRINT_GAP        6
#define PRINT_HEIGHT_MIN 130
#define PRINT_HEIGHT_MAX 280
#define LEGEND_LEFT      30 /* of the axes' left end */
#define CHARACTER_WIDTH  6
#define SAMPLE_WIDTH     44 /* of a legend's entry before its text */
/* Tenths of a pixel of a character in notes. */
#define SCREEN_NOTE_WIDTH 54
#define PRINT_NOTE_WIDTH  49

void kt_legend_include(kt_legend *legend, const char *title)
{
    size_t length = kt_script_characters(title);
    legend->longest = length > legend->longest ? length : legend->longest;
}

static unsigned at_least(unsigned value, unsigned least)
{
    return value > least ? value : least;
}

/* Rows of a legend above the axes, whose columns all have the width of its longest entry. */
static unsigned legend_rows(const kt_layout *layout, const kt_legend *legend)
{
    unsigned entry = SAMPLE_WIDTH + CHARACTER_WIDTH * (unsigned)legend->longest;
    unsigned columns = at_least((layout->axes_width + layout->right + LEGEND_LEFT) / entry, 1);
    return (legend->entries + columns - 1) / columns;
}

static void lay_out_print(kt_layout *layout, double width_mm, unsigned count, const kt_legend *most)
{
    layout->width = width_mm * 96 / 25.4;
    unsigned width = (unsigned)layout->width, columns = at_least(width / PRINT_PANEL, 1);
    layout->columns = columns < count ? columns : at_least(count, 1);
    layout->left = PRINT_LEFT;
    layout->right = PRINT_RIGHT;
    layout->axes_width = width / layout->columns - PRINT_LEFT - PRINT_RIGHT;
    layout->axes_height = at_least(layout->axes_width * 5 / 8, PRINT_HEIGHT_MIN);
    if (layout->axes_height > PRINT_HEIGHT_MAX)
        layout->axes_height = PRINT_HEIGHT_MAX;
    layout->above =
        PRINT_LINE * legend_rows(layout, most) + 2 * PRINT_GAP + (layout->titles ? PRINT_TITLE : 0);
    layout->below = PRINT_BELOW + (layout->notes ? PRINT_NOTE * most->notes : 0);
    layout->head = PRINT_GAP;
}

static void lay_out_screen(kt_layout *layout, unsigned count, bool workloads, const kt_legend *most)
{
    layout->columns = 1 + (count > ONE_COLUMN_MAX) + (count > TWO_COLUMNS_MAX);
    layout->width = SCREEN_WIDTH * layout->columns;
    layout->left = SCREEN_LEFT;
    layout->right = workloads ? LEGEND_WIDER : LEGEND_WIDTH;
    layout->above = SCREEN_ABOVE;
    layout->below = SCREEN_BELOW;
    layout->head = layout->notes ? HEAD_LINES * LINE_HEIGHT : 0;
    layout->axes_width = SCREEN_WIDTH - layout->left - layout->right;
    layout->axes_height = at_least((most->entries + most->notes) * LEGEND_LINE, SCREEN_HEIGHT_MIN);
}

kt_layout kt_layout_begin(const kt_figure_options *options, unsigned count, bool workloads,
                          const kt_legend *most)
{
    kt_layout layout = {.print = options->width_mm > 0,
                        .titles = !options->plain || count > 1,
                        .notes = !options->plain};
    if (layout.print)
        lay_out_print(&layout, options->width_mm, count, most);
    else
        lay_out_screen(&layout, count, workloads, most);
    layout.rows = at_least((count + layout.columns - 1) / layout.columns, 1);
    return layout;
}

void kt_layout_close(kt_layout *layout, unsigned note_lines)
{
    unsigned line = layout->print ? PRINT_NOTE : LINE_HEIGHT;
    layout->foot = note_lines ? (note_lines + 1) * line : 0;
    layout->height = layout->head + layout->foot +
                     layout->rows * (layout->above + layout->axes_height + layout->below);
}

unsigned kt_layout_note_columns(const kt_layout *layout)
{
    return (unsigned)layout->width * 10 / (layout->print ? PRINT_NOTE_WIDTH : SCREEN_NOTE_WIDTH);
}

void kt_put_layout(const kt_layout *l, kt_writer *writer)
{
    kt_put(writer, "width = ");
    kt_put_decimals(writer, l->width, 3);
    kt_putf(writer, "; height = %u; lines = 1\n", l->height);
    kt_put(writer, "reset\nset encoding utf8\n"
                   "set key at graph 1.02, graph 1 left top Left reverse noenhanced spacing 1.2 "
                   "samplen 3\nset border 3 lc rgb '#404040'\nset bars 0.7\n"
                   "set grid ytics lc rgb '#d8d8d8' lw 1 dt 1\n");
    if (l->print)
        kt_put(writer, "set xlabel offset 0, 0.4\nset ylabel offset 1, 0\n");
    kt_putf(writer,
            "set multiplot layout %u, %u margins %u.0 / width, 1 - %u.0 / width, %u.0 / height, "
            "1 - %u.0 / height spacing %u.0 / width, %u.0 / height\n",
            l->rows, l->columns, l->left, l->right, l->foot + l->below, l->head + l->above,
            l->left + l->right, l->above + l->below);
}

void kt_put_legend(const kt_layout *layout, const kt_legend *legend, kt_writer *writer)
{
    if (layout->print)
        kt_putf(writer,
                "set key at graph -%d.0 / %u, graph 1 + %d.0 / %u left bottom vertical maxrows %u "
                "spacing lines samplen 3\n",
                LEGEND_LEFT, layout->axes_width, PRINT_GAP, layout->axes_height,
                legend_rows(layout, legend));
}

void kt_begin_title(const kt_layout *layout, const kt_legend *legend, kt_writer *writer)
{
    char at[64] = "graph 0, graph 1";
    if (layout->print)
        snprintf(at, sizeof at, "graph 0, graph 1 + %u.0 / %u",
                 PRINT_LINE * legend_rows(layout, legend) + PRINT_GAP + PRINT_TITLE / 2,
                 layout->axes_height);
    kt_begin_script_label(writer, at, 0, layout->print ? 0 : 1,
                          layout->print ? PRINT_FONT : TITLE_FONT);
}

void kt_begin_panel_note(const kt_layout *layout, unsigned line, unsigned lines, kt_writer *writer)
{
    char at[64] = "graph 1.03, graph 0";
    if (layout->print)
        snprintf(at, sizeof at, "graph 0, graph 0 - %u.0 / %u", PRINT_BELOW + PRINT_NOTE * line,
                 layout->axes_height);
    kt_begin_script_label(writer, at, 0, layout->print ? 0 : lines - line - 1.0,
                          layout->print ? PRINT_SMALL : SMALL_FONT);
}

void kt_begin_foot_note(const kt_layout *layout, unsigned line, unsigned lines, kt_writer *writer)
{
    char at[64];
    int height = layout->print ? PRINT_NOTE : LINE_HEIGHT;
    snprintf(at, sizeof at, "screen 8.0 / width, screen %u.0 / height", (lines - line) * height);
    kt_begin_script_label(writer, at, 0, 0, layout->print ? PRINT_SMALL : SMALL_FONT);
}
