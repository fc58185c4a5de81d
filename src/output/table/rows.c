/* SPDX-License-Identifier: MIT */
/* rows.c - prints one line per measured time. The columns follow the reading order: what, where,
 * how long, how fast. */
#include "output/table/cells.h"
#include "output/table/tables.h"
#include "report/runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    COLUMN_NAME,
    COLUMN_VARIANT,
    COLUMN_DEVICE,
    COLUMN_STEP,
    COLUMN_TRIALS,
    COLUMN_MEDIAN,
    COLUMN_BETWEEN_RUNS,
    COLUMN_INTERVAL,
    COLUMN_HALF_INTERVAL,
    COLUMN_MEAN,
    COLUMN_WALL,
    COLUMN_RUNS,
    COLUMN_SAMPLES,
    COLUMN_BYTES_RATE,
    COLUMN_FLOPS_RATE,
    COLUMN_ENERGY,
    COLUMN_FLOPS_PER_ENERGY,
    COLUMN_SPEEDUP,
    COLUMN_SPEEDUP_INTERVAL,
    COLUMN_OVER_BEST,
    COLUMN_OVER_BEST_INTERVAL,
    COLUMN_WALL_SPEEDUP,
    COLUMN_CLOCK,
    COLUMN_POWER,
    COLUMN_COUNT
};

/* Columns that many results do not need are optional. */
static const kt_column columns[COLUMN_COUNT] = {
    [COLUMN_NAME] = {.head = "NAME", .left = true},
    [COLUMN_VARIANT] = {.head = "VARIANT", .left = true, .optional = true, .rank = KT_RANK_SAME},
    [COLUMN_DEVICE] = {.head = "DEVICE", .left = true},
    [COLUMN_STEP] = {.head = "STEP", .left = true, .optional = true},
    [COLUMN_TRIALS] = {.head = "TRIALS", .optional = true, .rank = 3},
    [COLUMN_MEDIAN] = {.head = "DEVICE TIME"},
    [COLUMN_BETWEEN_RUNS] = {.head = "RUN-TO-RUN RANGE", .optional = true, .rank = 5},
    [COLUMN_INTERVAL] = {.head = "95% INTERVAL", .rank = 6},
    [COLUMN_HALF_INTERVAL] = {.head = "±95%", .stands_in = true},
    [COLUMN_MEAN] = {.head = "MEAN", .rank = 9},
    [COLUMN_WALL] = {.head = "WALL"},
    [COLUMN_RUNS] = {.head = "RUNS", .optional = true, .rank = 4},
    [COLUMN_SAMPLES] = {.head = "SAMPLES", .rank = 8},
    [COLUMN_BYTES_RATE] = {.head = "GB/s", .optional = true, .rank = 2},
    [COLUMN_FLOPS_RATE] = {.head = "GFLOP/s", .optional = true, .rank = 2},
    [COLUMN_ENERGY] = {.head = "ENERGY", .optional = true},
    [COLUMN_FLOPS_PER_ENERGY] = {.head = "GFLOP/J", .optional = true, .rank = 2},
    [COLUMN_SPEEDUP] = {.head = "SPEED-UP", .optional = true, .rank = 1},
    [COLUMN_SPEEDUP_INTERVAL] = {.head = "95% INTERVAL", .optional = true, .rank = 10},
    [COLUMN_OVER_BEST] = {.head = "OVER BEST", .optional = true, .rank = 7},
    [COLUMN_OVER_BEST_INTERVAL] = {.head = "95% INTERVAL", .optional = true, .rank = 11},
    [COLUMN_WALL_SPEEDUP] = {.head = "WALL SPEED-UP", .optional = true, .rank = 7},
    [COLUMN_CLOCK] = {.head = "CLOCK", .optional = true, .rank = 12},
    [COLUMN_POWER] = {.head = "POWER", .optional = true, .rank = 13},
};

static char *speedup_text(double speedup, char *text, size_t bytes)
{
    snprintf(text, bytes,
             speedup >= 99.5     ? "%.0fx"
             : speedup >= 9.95   ? "%.1fx"
             : speedup >= 0.0995 ? "%.2fx"
                                 : "%.2gx",
             speedup);
    return text;
}

static void set_speedup(kt_grid *grid, unsigned column, double speedup)
{
    char text[32];
    if (!isnan(speedup))
        kt_grid_set(grid, column, "%s", speedup_text(speedup, text, sizeof text));
}

static void set_speedup_interval(kt_grid *grid, unsigned column, const kt_speedup *over)
{
    char low[32], high[32];
    if (!isnan(over->low))
        kt_grid_set(grid, column, "%s .. %s", speedup_text(over->low, low, sizeof low),
                    speedup_text(over->high, high, sizeof high));
}

/* Sets the speed-ups of a device time over both baselines. */
static void set_speedups(const kt_document *document, kt_grid *grid, const kt_series *series)
{
    const kt_speedup over = kt_speedup_over(document, series, "sequential"),
                     over_best = kt_speedup_over(document, series, "best");
    set_speedup(grid, COLUMN_SPEEDUP, series->speedup);
    set_speedup_interval(grid, COLUMN_SPEEDUP_INTERVAL, &over);
    set_speedup(grid, COLUMN_OVER_BEST, over_best.ratio);
    set_speedup_interval(grid, COLUMN_OVER_BEST_INTERVAL, &over_best);
}

static void set_rates(kt_grid *grid, double bytes, double flops, double ns)
{
    kt_set_rate(grid, COLUMN_BYTES_RATE, kt_rate(bytes, ns));
    kt_set_rate(grid, COLUMN_FLOPS_RATE, kt_rate(flops, ns));
}

/* Mean core clock and power during the measurement. */
static void set_state(kt_grid *grid, const kt_state_summary *state)
{
    if (state->readings && !isnan(state->core_clock_mhz))
        kt_grid_set(grid, COLUMN_CLOCK, "%.0f MHz", state->core_clock_mhz);
    if (state->readings && !isnan(state->power_w))
        kt_grid_set(grid, COLUMN_POWER, state->power_w < 99.95 ? "%.1f W" : "%.0f W",
                    state->power_w);
}

/* The time with that role in the same measurement as `series`; NULL: no such time. */
static const kt_series *find_beside(const kt_document *document, const kt_series *series,
                                    kt_series_role role)
{
    for (uint32_t i = 0; i < document->series_count; i++)
        if (kt_series_get_role(&document->series[i]) == role &&
            kt_same_measurement(&document->series[i], series))
            return &document->series[i];
    return NULL;
}

static unsigned count_steps(const kt_document *document, const kt_series *series)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < document->series_count; i++)
        count +=
            kt_is_step(&document->series[i]) && kt_same_measurement(&document->series[i], series);
    return count;
}

static const kt_timer_limits *find_timer_limits(const kt_document *document,
                                                const kt_series *series)
{
    const kt_document_device *device = kt_find_device(document, series->device);
    return device && device->has_timer_limits && device->limits.trusted ? &device->limits : NULL;
}

/* Upper bound of a time below the shortest measurable span, which includes the clock resolution. A
 * total has one such span per step; if its steps do not overlap, the span from first to last limits
 * it, too. */
static double bound_of(const kt_document *document, const kt_series *series,
                       const kt_timer_limits *limits)
{
    double finest_ns =
        fmax(kt_timer_limits_get_min_span(limits, series->clock), limits->resolution_ns) /
        series->trials;
    if (kt_series_get_role(series) != KT_ROLE_TOTAL)
        return finest_ns;
    unsigned steps = count_steps(document, series);
    const kt_series *gaps = find_beside(document, series, KT_ROLE_GAPS),
                    *span = find_beside(document, series, KT_ROLE_SPAN);
    double total_ns = (steps ? steps : 1) * finest_ns;
    return gaps && span && !isnan(gaps->summary.median) ? fmin(total_ns, span->summary.median)
                                                        : total_ns;
}

/* Upper bound of gaps: each may be just below the clock resolution without showing. NaN: gaps are
 * resolved. */
static double bound_of_gaps(const kt_document *document, const kt_series *series)
{
    const kt_timer_limits *limits = find_timer_limits(document, series);
    if (kt_series_get_role(series) != KT_ROLE_GAPS || !limits ||
        !(series->summary.median * series->trials < limits->resolution_ns))
        return NAN;
    unsigned steps = count_steps(document, series);
    return (steps > 1 ? steps - 1 : 1) * limits->resolution_ns / series->trials;
}

bool kt_is_bound(const kt_document *document, const kt_series *series)
{
    return series->status == KT_SERIES_BELOW_MIN_SPAN || !isnan(bound_of_gaps(document, series));
}

char *kt_device_time_text(const kt_document *document, const kt_series *series, char *text,
                          size_t bytes)
{
    if (!kt_is_bound(document, series))
        return kt_format_ns(text, bytes, series->summary.median);
    const kt_timer_limits *limits = find_timer_limits(document, series);
    double bound_ns = bound_of_gaps(document, series);
    char bound[24] = "shortest span";
    if (limits)
        kt_format_ns(bound, sizeof bound,
                     isnan(bound_ns) ? bound_of(document, series, limits) : bound_ns);
    snprintf(text, bytes, "< %s", bound);
    return text;
}

static void set_device_time(const kt_document *document, kt_grid *grid, const kt_series *series)
{
    char text[32];
    kt_grid_set(grid, COLUMN_MEDIAN, "%s",
                kt_device_time_text(document, series, text, sizeof text));
    if (isnan(series->summary.median))
        return;
    if (kt_is_bound(document, series)) {
        /* If some samples show a resolution step, the mean is correct, and means add up to the
         * total. */
        if (series->summary.mean > 0)
            kt_set_time(grid, COLUMN_MEAN, series->summary.mean);
        return;
    }
    kt_set_between_runs(document, grid, COLUMN_BETWEEN_RUNS, series);
    kt_set_interval(grid, COLUMN_INTERVAL, &series->summary);
    kt_set_half_interval(grid, COLUMN_HALF_INTERVAL, &series->summary);
    kt_set_time(grid, COLUMN_MEAN, series->summary.mean);
    set_rates(grid, series->bytes, series->flops, series->summary.median);
    set_speedups(document, grid, series);
}

/* Bytes and operations of a baseline's work, taken from the last series of a measurement of the
 * same work, which covers all steps. NaN: unknown. */
static void find_work(const kt_document *document, const kt_baseline *baseline, double *bytes,
                      double *flops)
{
    *bytes = *flops = NAN;
    for (uint32_t i = 0; i < document->series_count; i++) {
        const kt_series *series = &document->series[i];
        if (!kt_same_work(series, baseline))
            continue;
        *bytes = isnan(series->bytes) ? *bytes : series->bytes;
        *flops = isnan(series->flops) ? *flops : series->flops;
    }
}

static void print_baselines(const kt_document *document, kt_grid *grid, const kt_series *series)
{
    for (uint32_t i = 0; i < document->baseline_count; i++) {
        const kt_baseline *baseline = &document->baselines[i];
        if (!kt_same_work(series, baseline))
            continue;
        kt_grid_set(grid, COLUMN_NAME, "%s", series->name);
        kt_grid_set(grid, COLUMN_DEVICE, "%s", baseline->name);
        kt_set_interval(grid, COLUMN_INTERVAL, &baseline->summary);
        kt_set_half_interval(grid, COLUMN_HALF_INTERVAL, &baseline->summary);
        kt_set_time(grid, COLUMN_WALL, baseline->summary.median);
        double bytes, flops;
        find_work(document, baseline, &bytes, &flops);
        set_rates(grid, bytes, flops, baseline->summary.median);
        kt_grid_set(grid, COLUMN_SAMPLES, "%zu", baseline->n);
        kt_grid_end_row(grid);
    }
}

/* The wall time stands on the line of the last device time of its measurement. */
static void set_wall(kt_grid *grid, const kt_series *wall)
{
    kt_set_time(grid, COLUMN_WALL, wall->summary.median);
    set_speedup(grid, COLUMN_WALL_SPEEDUP, wall->speedup);
}

/* Only the first line of a measurement has the common cells, so that its lines read as one. */
static void begin_line(const kt_document *document, kt_grid *grid, const kt_series *series,
                       bool is_first)
{
    if (is_first) {
        kt_grid_set(grid, COLUMN_NAME, "%s", series->name);
        if (series->variant)
            kt_grid_set(grid, COLUMN_VARIANT, "%s", series->variant);
        kt_grid_set(grid, COLUMN_DEVICE, "%s", series->device);
        kt_grid_color(grid, COLUMN_DEVICE, KT_COLOR_DEVICE);
    }
    if (is_first)
        set_state(grid, &series->state);
    kt_set_energy(grid, COLUMN_ENERGY, series);
    if (series->energy)
        kt_set_rate(grid, COLUMN_FLOPS_PER_ENERGY, kt_gflop_per_j(series));
    if (series->trials > 1)
        kt_grid_set(grid, COLUMN_TRIALS, "%u", series->trials);
    kt_set_counts(document, grid, COLUMN_SAMPLES, COLUMN_RUNS, series);
}

/* Prints the `count` series of one measurement, from `first` on. */
static void print_measurement(const kt_document *document, kt_grid *grid, const kt_series *first,
                              uint32_t count)
{
    const kt_series *wall = NULL;
    uint32_t times = 0, printed = 0;
    for (uint32_t i = 0; i < count; i++) {
        times += !kt_series_is_wall(&first[i]);
        if (kt_series_get_role(&first[i]) == KT_ROLE_WALL)
            wall = &first[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        if (kt_series_is_wall(&first[i]))
            continue;
        begin_line(document, grid, &first[i], printed == 0);
        if (times > 1)
            kt_grid_set(grid, COLUMN_STEP, "%s", first[i].step);
        set_device_time(document, grid, &first[i]);
        if (++printed == times && wall)
            set_wall(grid, wall);
        if (first->status == KT_SERIES_NOT_POSSIBLE && wall) { /* then no device time is possible */
            kt_set_between_runs(document, grid, COLUMN_BETWEEN_RUNS, wall);
            kt_set_counts(document, grid, COLUMN_SAMPLES, COLUMN_RUNS, wall);
        }
        kt_grid_end_row(grid);
    }
    if (times > 0 || !wall)
        return;
    begin_line(document, grid, wall, true);
    kt_grid_set(grid, COLUMN_MEDIAN, "-");
    kt_set_between_runs(document, grid, COLUMN_BETWEEN_RUNS, wall);
    set_wall(grid, wall);
    kt_grid_end_row(grid);
}

static void print_rows(kt_grid *grid, const void *user)
{
    const kt_document *document = user;
    for (uint32_t i = 0; i < document->series_count;) {
        const kt_series *first = &document->series[i];
        if (i == 0 || strcmp(first->name, first[-1].name) != 0)
            print_baselines(document, grid, first);
        uint32_t count = 1;
        while (i + count < document->series_count && kt_same_measurement(first, &first[count]))
            count++;
        print_measurement(document, grid, first, count);
        i += count;
    }
}

void kt_print_rows(const kt_document *document, const kt_style *style, kt_writer *writer)
{
    kt_print_columns(columns, COLUMN_COUNT, style, writer, print_rows, document);
}
