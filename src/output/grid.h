/* SPDX-License-Identifier: MIT */
/*
 * grid.h - prints aligned columns without storing the rows: one pass measures, a second one prints.
 *
 * Text and Markdown print the same rows in two styles. The style escapes each character of a
 * driver's or user's text.
 */
#ifndef KT_OUTPUT_GRID_H
#define KT_OUTPUT_GRID_H

#include "output/style.h"

#define KT_GRID_COLUMNS    24
#define KT_GRID_CELL_BYTES 512 /* a cell has room for a device id with its scenario */
#define KT_RANK_SAME       100

typedef struct kt_grid {
    const kt_style *style;
    unsigned columns;
    bool left[KT_GRID_COLUMNS];     /* texts are aligned left, numbers right */
    bool optional[KT_GRID_COLUMNS]; /* the column is left out if empty below its head */
    /* On a narrow screen the column of the highest rank is dropped first; 0: never. KT_RANK_SAME:
     * dropped only if all its cells are equal. */
    unsigned char rank[KT_GRID_COLUMNS];
    bool stands_in[KT_GRID_COLUMNS]; /* shown only if the previous column was dropped */

    kt_writer *writer; /* NULL while measuring */
    bool filled[KT_GRID_COLUMNS];
    bool hidden[KT_GRID_COLUMNS];
    bool differs[KT_GRID_COLUMNS]; /* the column has two different cells */
    unsigned filled_cells[KT_GRID_COLUMNS];
    size_t last_hash[KT_GRID_COLUMNS]; /* hash of the column's last cell; 0: all cells empty */
    kt_color colors[KT_GRID_COLUMNS];  /* colours of the current row's cells */
    unsigned widths[KT_GRID_COLUMNS];
    char cells[KT_GRID_COLUMNS][KT_GRID_CELL_BYTES];
} kt_grid;

/* Sets a cell of the current row, escaped in the grid's style. Unset cells are empty. */
void kt_grid_set(kt_grid *grid, unsigned column, const char *format, ...) KT_PRINTF(3, 4);
/* Sets a cell to a drawing of kerntime's own: not escaped, and marked as monospaced where the style
 * can. */
void kt_grid_draw(kt_grid *grid, unsigned column, const char *drawing);
/* Sets the colour of a cell of the current row, on screens with colours. */
void kt_grid_color(kt_grid *grid, unsigned column, kt_color color);
/* Ends the current row: measures its cells in the first pass, prints them in the second. */
void kt_grid_end_row(kt_grid *grid);
/* Ends the row of column names: measures or prints it. */
void kt_grid_end_head(kt_grid *grid);

/* Prints the rows that `rows` sets; calls it twice and expects the same rows each time. Between the
 * two passes drops columns, then shortens texts, until a row fits the sink's screen. */
void kt_grid_print(kt_grid *grid, kt_writer *writer, void (*rows)(kt_grid *grid, const void *user),
                   const void *user);

#endif
