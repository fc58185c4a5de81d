/* SPDX-License-Identifier: MIT */
/*
 * grid.h - a table of the command: aligned columns, or Markdown.
 *
 * As the other tables of the command, but names of kernels may be longer than a screen: a name that
 * does not fit its column stands on a line of its own, shortened in the middle at the screen's edge.
 * One pass measures, a second one prints.
 */
#ifndef CLI_OUTPUT_GRID_H
#define CLI_OUTPUT_GRID_H

#include "cli/output/text.h"

#define GRID_COLUMNS    20
#define GRID_CELL_BYTES 256
/* Columns up to this rank are dropped only after the gaps were narrowed. */
#define GRID_RANK_WANTED 5

typedef struct grid_column {
    const char *head;
    bool left;          /* a text; aligned left */
    bool optional;      /* left out if empty below its head */
    bool stands_in;     /* shown only if the column before was dropped */
    unsigned char rank; /* on a narrow screen the highest is dropped first; 0: never */
} grid_column;

typedef struct grid {
    const grid_column *columns; /* the first one holds the names */
    unsigned count;
    unsigned width; /* of the screen; 0: unlimited */
    bool markdown, color;
    FILE *file; /* NULL while measuring */
    bool filled[GRID_COLUMNS], hidden[GRID_COLUMNS];
    unsigned widths[GRID_COLUMNS], gap;
    const char *name, *size; /* of the row: not copied */
    char cells[GRID_COLUMNS][GRID_CELL_BYTES];
} grid;

/* Sets the first cell: "NAME", or "NAME [SIZE]". The texts must live until the row's end. */
void grid_name(grid *g, const char *name, const char *size);
/* Sets another cell. Those that are not set are empty. */
void grid_set(grid *g, unsigned column, const char *text);
void grid_end_row(grid *g);
/* A line before the rows that share it, as grid_name(). It widens no column. */
void grid_heading(grid *g, const char *name, const char *size);

/* Prints what `rows` sets, which is called twice and must do the same each time. */
void grid_print(grid *g, FILE *file, void (*rows)(grid *g, const void *user), const void *user);

#endif
