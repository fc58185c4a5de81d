/* SPDX-License-Identifier: MIT */
#include "output/table/cells.h"

#include <math.h>
#include <stdio.h>

typedef struct table {
    const kt_column *columns;
    void (*rows)(kt_grid *grid, const void *user);
    const void *user;
} table;

static void print_head_and_rows(kt_grid *grid, const void *user)
{
    const table *t = user;
    for (unsigned i = 0; i < grid->columns; i++)
        kt_grid_set(grid, i, "%s", t->columns[i].head);
    kt_grid_end_head(grid);
    t->rows(grid, t->user);
}

void kt_print_columns(const kt_column *columns, unsigned count, const kt_style *style,
                      kt_writer *writer, void (*rows)(kt_grid *grid, const void *user),
                      const void *user)
{
    kt_grid grid = {.style = style, .columns = count};
    for (unsigned i = 0; i < count; i++) {
        grid.left[i] = columns[i].left;
        grid.optional[i] = columns[i].optional;
        grid.stands_in[i] = columns[i].stands_in;
        grid.rank[i] = columns[i].rank;
    }
    kt_grid_print(&grid, writer, print_head_and_rows, &(table){columns, rows, user});
}

void kt_set_time(kt_grid *grid, unsigned column, double ns)
{
    char text[32];
    kt_grid_set(grid, column, "%s", kt_format_ns(text, sizeof text, ns));
}

void kt_set_range(kt_grid *grid, unsigned column, double low_ns, double high_ns, const char *after)
{
    char low[32], high[32];
    kt_grid_set(grid, column, "%s .. %s%s", kt_format_ns(low, sizeof low, low_ns),
                kt_format_ns(high, sizeof high, high_ns), after);
}

/* "-" for a missing interval, so that the cell does not look forgotten. */
void kt_set_interval(kt_grid *grid, unsigned column, const kt_summary *summary)
{
    if (isnan(summary->ci95_low))
        kt_grid_set(grid, column, "-");
    else
        kt_set_range(grid, column, summary->ci95_low, summary->ci95_high, "");
}

void kt_set_half_interval(kt_grid *grid, unsigned column, const kt_summary *summary)
{
    double half = fmax(summary->ci95_high - summary->median, summary->median - summary->ci95_low);
    char share[32];
    if (isnan(half))
        kt_grid_set(grid, column, "-");
    else if (half == 0)
        kt_grid_set(grid, column, "±0 %%");
    else
        kt_grid_set(grid, column, "±%s",
                    kt_share_text(half / summary->median, share, sizeof share));
}

/* Four significant digits. */
static char *energy_text(double joules, char *text, size_t bytes)
{
    static const struct {
        double scale;
        char unit[4];
    } units[] = {{1, "J"}, {1e3, "mJ"}, {1e6, "uJ"}, {1e9, "nJ"}};
    size_t i = 0;
    while (i < 3 && joules * units[i].scale < 0.9995)
        i++;
    double value = joules * units[i].scale;
    snprintf(text, bytes, "%.*f %s",
             value < 9.9995   ? 3
             : value < 99.995 ? 2
                              : value < 999.95,
             value, units[i].unit);
    return text;
}

void kt_set_energy(kt_grid *grid, unsigned column, const kt_series *series)
{
    const kt_energy *energy = series->energy;
    char joules[32], share[32];
    if (!energy)
        return;
    if (energy->reason) {
        kt_grid_set(grid, column, "-");
        return;
    }
    double half = (energy->ci95_high_j - energy->dispatch_j) / energy->dispatch_j;
    bool known = isfinite(half); /* not without an interval, and not of 0 J */
    kt_grid_set(grid, column, "%s%s%s", energy_text(energy->dispatch_j, joules, sizeof joules),
                known ? " ±" : "", known ? kt_share_text(half, share, sizeof share) : "");
}

/* Sets the range of medians of the runs, from lowest to highest. */
void kt_set_between_runs(const kt_document *document, kt_grid *grid, unsigned column,
                         const kt_series *series)
{
    const kt_summary *summary = &series->summary;
    if (!kt_has_spread(document, series))
        return;
    double spread = kt_spread(summary->min, summary->max);
    char share[32], after[48] = "";
    if (spread >= 10)
        snprintf(after, sizeof after, " (%.4gx)", 1 + spread);
    else if (!isnan(spread))
        snprintf(after, sizeof after, " (+%s)", kt_share_text(spread, share, sizeof share));
    kt_set_range(grid, column, summary->min, summary->max, after);
}

/* Sets the number of samples and of the runs that they come from. */
void kt_set_counts(const kt_document *document, kt_grid *grid, unsigned samples_column,
                   unsigned runs_column, const kt_series *series)
{
    uint32_t counted = kt_runs_of(document, series)->counted, all = document->run_count;
    kt_grid_set(grid, samples_column, "%zu", series->summary.n);
    if (all > 1 && counted < all)
        kt_grid_set(grid, runs_column, "%u of %u", counted, all);
    else if (all > 1)
        kt_grid_set(grid, runs_column, "%u", counted);
}

char *kt_rate_text(double rate, char *text, size_t bytes)
{
    snprintf(text, bytes,
             isnan(rate)       ? "-"
             : rate >= 999.95  ? "%.0f"
             : rate >= 99.995  ? "%.1f"
             : rate >= 9.9995  ? "%.2f"
             : rate >= 0.09995 ? "%.3f"
                               : "%#.3g",
             rate);
    return text;
}

void kt_set_rate(kt_grid *grid, unsigned column, double rate)
{
    char text[32];
    if (!isnan(rate))
        kt_grid_set(grid, column, "%s", kt_rate_text(rate, text, sizeof text));
}

void kt_set_rates(kt_grid *grid, unsigned column, double low, double high)
{
    char from[32], to[32];
    kt_grid_set(grid, column, "%s .. %s", kt_rate_text(low, from, sizeof from),
                kt_rate_text(high, to, sizeof to));
}
