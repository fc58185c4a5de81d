/*
 * grid.h - columns that line up, without keeping the rows: one pass measures, a second one prints.
 *
 * Text and Markdown print the same rows by two styles. A style says how each character of a
 * driver's or user's text is spelled, so nothing leaves unescaped.
 */
#ifndef KT_OUTPUT_GRID_H
#define KT_OUTPUT_GRID_H

#include "output/style.h"

#define KT_GRID_COLUMNS    16
#define KT_GRID_CELL_BYTES 512 /* a device with its scenario */

typedef struct kt_grid {
    const kt_style *style;
    unsigned columns;
    bool left[KT_GRID_COLUMNS];     /* to the left; numbers stand to the right */
    bool optional[KT_GRID_COLUMNS]; /* left out if nothing stands below its head */

    kt_writer *writer; /* NULL while measuring */
    bool filled[KT_GRID_COLUMNS];
    unsigned widths[KT_GRID_COLUMNS];
    char cells[KT_GRID_COLUMNS][KT_GRID_CELL_BYTES];
} kt_grid;

/* Sets a cell of the current row, spelled in the grid's style; cells not set are empty. */
void kt_grid_set(kt_grid *grid, unsigned column, const char *format, ...) KT_PRINTF(3, 4);
/* Sets a cell to what we have drawn: as it is, and where the style has a sign for text whose
 * characters are of one width between two of them. */
void kt_grid_draw(kt_grid *grid, unsigned column, const char *drawing);
/* Ends the row: widens the columns, or prints it. A column without any text is left out. */
void kt_grid_end_row(kt_grid *grid);
/* The same for the first row, if it holds the names of the columns. */
void kt_grid_end_head(kt_grid *grid);

/* Prints what `rows` sets; it is called twice and does the same each time. */
void kt_grid_print(kt_grid *grid, kt_writer *writer, void (*rows)(kt_grid *grid, const void *user),
                   const void *user);

#endif
