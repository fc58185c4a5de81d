/* SPDX-License-Identifier: MIT */
/* registry_text.c - writes the registry, and changes between two snapshots, as text for people. */
#include "output/grid.h"
#include "output/registry/registry.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { COLUMN_NAME, COLUMN_BACKEND };

static void set_time(kt_grid *grid, unsigned column, double ns)
{
    char text[32];
    kt_grid_set(grid, column, "%s", kt_format_ns(text, sizeof text, ns));
}

static void set_key(kt_grid *grid, const char *name, kt_backend_id backend)
{
    kt_grid_set(grid, COLUMN_NAME, "%s", name);
    const char *done_by = kt_row_backend(backend);
    kt_grid_set(grid, COLUMN_BACKEND, "%s", done_by ? done_by : "-");
}

static void print_heads(kt_grid *grid, const char *const *heads)
{
    for (unsigned i = 0; i < grid->columns; i++)
        kt_grid_set(grid, i, "%s", heads[i]);
    kt_grid_end_head(grid);
}

static void print_grid(kt_writer *writer, unsigned columns,
                       void (*rows)(kt_grid *grid, const void *user), const void *user)
{
    kt_grid grid = {.style = &kt_style_aligned, .columns = columns};
    grid.left[COLUMN_NAME] = grid.left[COLUMN_BACKEND] = true;
    kt_grid_print(&grid, writer, rows, user);
}

/* ---- spans without a duration, or with a doubtful one ---- */

static void print_key(kt_writer *writer, const char *when, const kt_row *row)
{
    kt_put(writer, when);
    kt_put_spelled(writer, kt_spell_plain, row->name);
    if (kt_row_backend(row->backend))
        kt_putf(writer, " on %s", kt_row_backend(row->backend));
}

/* Says so of most spans of a row. A few come late in any program, whose thread may be interrupted
 * before the stop. */
static void print_late(kt_writer *writer, const char *when, const kt_row *row)
{
    if (!row || row->stop_late == 0 || row->stop_late < row->count - row->stop_late)
        return;
    print_key(writer, when, row);
    kt_putf(writer,
            ": %" PRIu64 " of %" PRIu64
            " spans contain host time; for blocking calls use kt_timer_event_opencl()\n",
            row->stop_late, row->count);
}

/* Prints, for example, "3 spans without a duration: 2 lost, 1 overwritten". */
static void print_discarded(kt_writer *writer, const char *when, const kt_row *row)
{
    uint64_t sum = 0;
    for (int state = 1; row && state < KT_TIMESTAMP_STATE_COUNT; state++)
        sum += row->discarded[state];
    if (sum == 0)
        return;
    print_key(writer, when, row);
    kt_putf(writer, ": %" PRIu64 " span%s without a duration", sum, sum == 1 ? "" : "s");
    const char *separator = ": ";
    for (int state = 1; state < KT_TIMESTAMP_STATE_COUNT; state++)
        if (row->discarded[state]) {
            kt_putf(writer, "%s%" PRIu64 " %s", separator, row->discarded[state],
                    kt_timestamp_state_name((kt_timestamp_state)state));
            separator = ", ";
        }
    if (row->discarded[KT_TIMESTAMP_BELOW_MIN_SPAN] && row->count)
        kt_put(writer, "; the short ones are missing, so avg, min and p95 are too high");
    kt_put(writer, "\n");
}

static void print_dropped(kt_writer *writer, const char *when, uint64_t dropped)
{
    if (dropped)
        kt_putf(writer,
                "%s%" PRIu64
                " duration%s dropped: below 0, not finite, above 31 years, no name, no such "
                "backend, or no room\n",
                when, dropped, dropped == 1 ? "" : "s");
}

/* ---- the registry ---- */

enum { REGISTRY_AVG = 2, REGISTRY_MIN, REGISTRY_MAX, REGISTRY_N, REGISTRY_P95, REGISTRY_TOTAL };

static void print_registry_rows(kt_grid *grid, const void *user)
{
    static const char *const heads[] = {"name", "backend", "avg", "min",
                                        "max",  "n",       "p95", "total"};
    const kt_registry_document *document = user;
    print_heads(grid, heads);
    for (uint32_t i = 0; i < document->row_count; i++) {
        const kt_row *row = document->row(document->rows, i);
        set_key(grid, row->name, row->backend);
        set_time(grid, REGISTRY_AVG, row->mean_ns);
        set_time(grid, REGISTRY_MIN, row->min_ns);
        set_time(grid, REGISTRY_MAX, row->max_ns);
        kt_grid_set(grid, REGISTRY_N, "%" PRIu64, row->count);
        set_time(grid, REGISTRY_P95, row->p95_ns);
        set_time(grid, REGISTRY_TOTAL, row->count ? row->total_ns : NAN);
        kt_grid_end_row(grid);
    }
}

void kt_print_registry_table(const kt_registry_document *document, kt_writer *writer)
{
    if (document->row_count)
        print_grid(writer, REGISTRY_TOTAL + 1, print_registry_rows, document);
    else
        kt_put(writer, "nothing was recorded\n");
    for (uint32_t i = 0; i < document->row_count; i++) {
        const kt_row *row = document->row(document->rows, i);
        print_discarded(writer, "", row);
        print_late(writer, "", row);
    }
    print_dropped(writer, "", document->dropped);
}

/* ---- a comparison ---- */

enum {
    CHANGE_BEFORE = 2,
    CHANGE_AFTER,
    CHANGE_SPEEDUP,
    CHANGE_INTERVAL,
    CHANGE_N_BEFORE,
    CHANGE_N_AFTER
};

/* Shows changes below 1 %, too, since many users look for them. */
static const char *ratio_text(double ratio, char *text, size_t bytes)
{
    snprintf(text, bytes,
             ratio >= 99.95    ? "%.0fx"
             : ratio >= 9.9995 ? "%.1fx"
             : ratio >= 0.0995 ? "%.3fx"
                               : "%.2gx",
             ratio);
    return text;
}

static void set_change(kt_grid *grid, const kt_row_change *change)
{
    char low[32], high[32];
    if (!change->before || !change->after)
        kt_grid_set(grid, CHANGE_SPEEDUP, "only %s", change->before ? "before" : "after");
    else if (isnan(change->speedup))
        kt_grid_set(grid, CHANGE_SPEEDUP, "-");
    else
        kt_grid_set(grid, CHANGE_SPEEDUP, "%s", ratio_text(change->speedup, low, sizeof low));
    if (isnan(change->speedup_low))
        kt_grid_set(grid, CHANGE_INTERVAL, "-");
    else
        kt_grid_set(grid, CHANGE_INTERVAL, "%s .. %s",
                    ratio_text(change->speedup_low, low, sizeof low),
                    ratio_text(change->speedup_high, high, sizeof high));
}

static void set_side(kt_grid *grid, unsigned avg, unsigned n, const kt_row *row)
{
    set_time(grid, avg, row ? row->mean_ns : NAN);
    kt_grid_set(grid, n, "%" PRIu64, row ? row->count : 0);
}

static void print_changes(kt_grid *grid, const void *user)
{
    static const char *const heads[] = {"name",     "backend",       "avg before", "avg after",
                                        "speed-up", "95 % interval", "n before",   "n after"};
    const kt_comparison_document *document = user;
    print_heads(grid, heads);
    for (uint32_t i = 0; i < document->change_count; i++) {
        const kt_row_change *change = &document->changes[i];
        set_key(grid, change->name, change->backend);
        set_side(grid, CHANGE_BEFORE, CHANGE_N_BEFORE, change->before);
        set_side(grid, CHANGE_AFTER, CHANGE_N_AFTER, change->after);
        set_change(grid, change);
        kt_grid_end_row(grid);
    }
}

/* Prints the assumption of the intervals: what they do not cover. */
static void print_assumption(kt_writer *writer, const kt_comparison_document *document)
{
    for (uint32_t i = 0; i < document->change_count; i++)
        if (!isnan(document->changes[i].speedup_low)) {
            kt_put(writer,
                   "intervals take durations as independent of each other; rows that nobody "
                   "changed show how much else changed\n");
            return;
        }
}

void kt_print_comparison(const kt_comparison_document *document, kt_writer *writer)
{
    if (document->change_count)
        print_grid(writer, CHANGE_N_AFTER + 1, print_changes, document);
    else
        kt_put(writer, "nothing was recorded, before or after\n");
    print_assumption(writer, document);
    for (uint32_t i = 0; i < document->change_count; i++) {
        print_discarded(writer, "before: ", document->changes[i].before);
        print_late(writer, "before: ", document->changes[i].before);
        print_discarded(writer, "after: ", document->changes[i].after);
        print_late(writer, "after: ", document->changes[i].after);
    }
    print_dropped(writer, "before: ", document->dropped_before);
    print_dropped(writer, "after: ", document->dropped_after);
}
