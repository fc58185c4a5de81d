/* grid.h - columns that line up, without keeping the rows: one pass measures, a second one
 * prints. */
#ifndef KT_RESULTS_GRID_H
#define KT_RESULTS_GRID_H

#include "writer.h"

#define KT_GRID_COLUMNS    12
#define KT_GRID_CELL_BYTES 512 /* a device with its scenario */

typedef struct kt_grid {
    kt_writer *writer; /* NULL while measuring */
    unsigned columns;
    unsigned widths[KT_GRID_COLUMNS];
    bool left[KT_GRID_COLUMNS]; /* to the left; numbers stand to the right */
    char cells[KT_GRID_COLUMNS][KT_GRID_CELL_BYTES];
} kt_grid;

/* Sets a cell of the current row; cells not set are empty. */
void kt_grid_set(kt_grid *grid, unsigned column, const char *format, ...) KT_PRINTF(3, 4);
/* Ends the row: widens the columns, or prints it. A column without any text is left out. */
void kt_grid_end_row(kt_grid *grid);

#endif
