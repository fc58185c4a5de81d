/* cells.h - cells that several tables have: times, intervals, rates, and what is behind them. */
#ifndef KT_RESULTS_CELLS_H
#define KT_RESULTS_CELLS_H

#include "grid.h"
#include "runs.h"
#include "tables.h"

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
