/* SPDX-License-Identifier: MIT */
/* cells.h - cells shared by several tables: times, intervals, rates and counts. */
#ifndef KT_OUTPUT_TABLE_CELLS_H
#define KT_OUTPUT_TABLE_CELLS_H

#include "output/grid.h"
#include "output/table/tables.h"
#include "report/runs.h"

/* A column of a table. No member is a pointer: pointers need relocation when the library is
 * loaded. */
typedef struct kt_column {
    char head[18];                  /* column name; has room for "RUN-TO-RUN RANGE" */
    bool left, optional, stands_in; /* see kt_grid */
    unsigned char rank;
} kt_column;

/* Prints a table: the heads of the columns, and what `rows` sets. kt_grid_print() calls `rows`
 * twice. */
void kt_print_columns(const kt_column *columns, unsigned count, const kt_style *style,
                      kt_writer *writer, void (*rows)(kt_grid *grid, const void *user),
                      const void *user);

/* A rate with three or four significant digits, "-" for NaN. Returns `text`; 32 bytes suffice. */
char *kt_rate_text(double rate, char *text, size_t bytes);

void kt_set_time(kt_grid *grid, unsigned column, double ns);
void kt_set_range(kt_grid *grid, unsigned column, double low_ns, double high_ns, const char *after);
/* Sets, for example, "±3 %": distance of the median from the interval's farther end. */
void kt_set_half_interval(kt_grid *grid, unsigned column, const kt_summary *summary);
void kt_set_interval(kt_grid *grid, unsigned column, const kt_summary *summary);
/* Sets a rate; leaves the cell empty for NaN. */
void kt_set_rate(kt_grid *grid, unsigned column, double rate);
/* Sets a range of rates; "-" for an end that is NaN. */
void kt_set_rates(kt_grid *grid, unsigned column, double low, double high);
/* Sets the energy of a dispatch, for example "30.03 mJ ±0.4 %"; "-" where it could not be had. */
void kt_set_energy(kt_grid *grid, unsigned column, const kt_series *series);
void kt_set_between_runs(const kt_document *document, kt_grid *grid, unsigned column,
                         const kt_series *series);
void kt_set_counts(const kt_document *document, kt_grid *grid, unsigned samples_column,
                   unsigned runs_column, const kt_series *series);

#endif
