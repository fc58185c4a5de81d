/* cells.h - cells that several tables have: times, intervals, rates, and what is behind them. */
#ifndef KT_OUTPUT_TABLE_CELLS_H
#define KT_OUTPUT_TABLE_CELLS_H

#include "output/grid.h"
#include "output/table/tables.h"
#include "report/runs.h"

/* A column of a table. Without pointers, which would have to be relocated when the library is
 * loaded. */
typedef struct kt_column {
    char head[14]; /* "KERNTIME GB/s" and its end */
    bool left, optional;
} kt_column;

/* Prints a table of these columns: their heads, and what `rows` sets, which is called twice as by
 * kt_grid_print(). */
void kt_print_columns(const kt_column *columns, unsigned count, const kt_style *style,
                      kt_writer *writer, void (*rows)(kt_grid *grid, const void *user),
                      const void *user);

/* Three or four significant digits, "-" for NaN. Returns `text`; 32 bytes are enough. */
char *kt_rate_text(double rate, char *text, size_t bytes);

void kt_set_time(kt_grid *grid, unsigned column, double ns);
void kt_set_range(kt_grid *grid, unsigned column, double low_ns, double high_ns, const char *after);
void kt_set_interval(kt_grid *grid, unsigned column, const kt_summary *summary);
/* Nothing if it is NaN. */
void kt_set_rate(kt_grid *grid, unsigned column, double rate);
/* From one to the other; "-" for an end that is NaN. */
void kt_set_rates(kt_grid *grid, unsigned column, double low, double high);
void kt_set_between_runs(const kt_document *document, kt_grid *grid, unsigned column,
                         const kt_series *series);
void kt_set_counts(const kt_document *document, kt_grid *grid, unsigned samples_column,
                   unsigned runs_column, const kt_series *series);

#endif
