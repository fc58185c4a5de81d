/* table.c - results as aligned text for people. */
#include "document.h"
#include "grid.h"

#include <math.h>
#include <string.h>

enum {
    COLUMN_NAME,
    COLUMN_VARIANT,
    COLUMN_DEVICE,
    COLUMN_STEP,
    COLUMN_TRIALS,
    COLUMN_MEDIAN,
    COLUMN_INTERVAL,
    COLUMN_MEAN,
    COLUMN_WALL,
    COLUMN_SAMPLES,
    COLUMN_SPEEDUP,
    COLUMN_WALL_SPEEDUP,
    COLUMN_COUNT
};

static const kt_document_device *find_device(const kt_document *document, const char *id)
{
    for (uint32_t i = 0; i < document->device_count; i++)
        if (strcmp(document->devices[i].info.id, id) == 0)
            return &document->devices[i];
    return NULL;
}

/* Whether two series belong to one measurement: one line of the table, or a few under each
 * other. */
static bool same_measurement(const kt_series *a, const kt_series *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->device, b->device) == 0 && a->run == b->run &&
           strcmp(a->variant ? a->variant : "", b->variant ? b->variant : "") == 0;
}

static bool is_step(const kt_series *series, const char *step)
{
    return series && strcmp(series->step, step) == 0;
}

static void set_time(kt_grid *grid, unsigned column, double ns)
{
    char text[32];
    kt_grid_set(grid, column, "%s", kt_format_ns(text, sizeof text, ns));
}

static void set_interval(kt_grid *grid, double low_ns, double high_ns)
{
    if (isnan(low_ns))
        return;
    char low[32], high[32];
    kt_grid_set(grid, COLUMN_INTERVAL, "%s .. %s", kt_format_ns(low, sizeof low, low_ns),
                kt_format_ns(high, sizeof high, high_ns));
}

static void set_speedup(kt_grid *grid, unsigned column, double speedup)
{
    if (!isnan(speedup))
        kt_grid_set(grid, column,
                    speedup >= 99.5     ? "%.0fx"
                    : speedup >= 9.95   ? "%.1fx"
                    : speedup >= 0.0995 ? "%.2fx"
                                        : "%.2gx",
                    speedup);
}

static void set_device_time(const kt_document *document, kt_grid *grid, const kt_series *series)
{
    if (series->status == KT_SERIES_BELOW_FLOOR) {
        const kt_document_device *device = find_device(document, series->device);
        char text[32] = "floor";
        if (device)
            kt_format_ns(text, sizeof text, fmax(device->ruler.floor_ns, device->ruler.grid_ns));
        kt_grid_set(grid, COLUMN_MEDIAN, "< %s", text);
        return;
    }
    set_time(grid, COLUMN_MEDIAN, series->summary.median);
    if (isnan(series->summary.median))
        return;
    set_interval(grid, series->summary.ci95_low, series->summary.ci95_high);
    set_time(grid, COLUMN_MEAN, series->summary.mean);
    set_speedup(grid, COLUMN_SPEEDUP, series->speedup);
}

static void print_baselines(const kt_document *document, kt_grid *grid, const kt_series *series)
{
    for (uint32_t i = 0; i < document->baseline_count; i++) {
        const kt_baseline *baseline = &document->baselines[i];
        if (!kt_same_work(series, baseline))
            continue;
        kt_grid_set(grid, COLUMN_NAME, "%s", series->name);
        kt_grid_set(grid, COLUMN_DEVICE, "%s", baseline->name);
        set_time(grid, COLUMN_WALL, baseline->median_ns);
        kt_grid_set(grid, COLUMN_SAMPLES, "%zu", baseline->n);
        kt_grid_end_row(grid);
    }
}

/* The wall time stands beside the last device time of its measurement. */
static void set_wall(kt_grid *grid, const kt_series *wall)
{
    set_time(grid, COLUMN_WALL, wall->summary.median);
    set_speedup(grid, COLUMN_WALL_SPEEDUP, wall->speedup);
}

static void begin_line(kt_grid *grid, const kt_series *series)
{
    kt_grid_set(grid, COLUMN_NAME, "%s", series->name);
    if (series->variant)
        kt_grid_set(grid, COLUMN_VARIANT, "%s", series->variant);
    kt_grid_set(grid, COLUMN_DEVICE, "%s", series->device);
    if (series->trials > 1)
        kt_grid_set(grid, COLUMN_TRIALS, "%u", series->trials);
    kt_grid_set(grid, COLUMN_SAMPLES, "%zu", series->summary.n);
}

/* All series of one measurement, `count` of them from `first` on. */
static void print_measurement(const kt_document *document, kt_grid *grid, const kt_series *first,
                              uint32_t count)
{
    const kt_series *wall = NULL;
    uint32_t times = 0;
    for (uint32_t i = 0; i < count; i++) {
        times += first[i].kind != KT_SERIES_WALL;
        if (is_step(&first[i], "wall"))
            wall = &first[i];
    }
    for (uint32_t i = 0; i < times; i++) {
        begin_line(grid, &first[i]);
        if (times > 1)
            kt_grid_set(grid, COLUMN_STEP, "%s", first[i].step);
        set_device_time(document, grid, &first[i]);
        if (i + 1 == times && wall)
            set_wall(grid, wall);
        if (first[i].status == KT_SERIES_NOT_POSSIBLE && wall)
            kt_grid_set(grid, COLUMN_SAMPLES, "%zu", wall->summary.n);
        kt_grid_end_row(grid);
    }
    if (times > 0 || !wall)
        return;
    begin_line(grid, wall);
    kt_grid_set(grid, COLUMN_MEDIAN, "-");
    set_wall(grid, wall);
    kt_grid_end_row(grid);
}

static void print_rows(const kt_document *document, kt_grid *grid)
{
    kt_grid_set(grid, COLUMN_NAME, "NAME");
    kt_grid_set(grid, COLUMN_DEVICE, "DEVICE");
    kt_grid_set(grid, COLUMN_MEDIAN, "DEVICE TIME");
    kt_grid_set(grid, COLUMN_INTERVAL, "95%% INTERVAL");
    kt_grid_set(grid, COLUMN_MEAN, "MEAN");
    kt_grid_set(grid, COLUMN_WALL, "WALL");
    kt_grid_set(grid, COLUMN_SAMPLES, "SAMPLES");
    for (uint32_t i = 0; i < document->series_count; i++) {
        /* Columns that many results have no use for get a head only if they get a value. */
        const kt_series *series = &document->series[i];
        if (series->variant)
            kt_grid_set(grid, COLUMN_VARIANT, "VARIANT");
        if (series->trials > 1)
            kt_grid_set(grid, COLUMN_TRIALS, "TRIALS");
        if (!isnan(series->speedup)) {
            kt_grid_set(grid, COLUMN_SPEEDUP, "SPEED-UP");
            kt_grid_set(grid, COLUMN_WALL_SPEEDUP, "BY WALL");
        }
        if (is_step(series, "span"))
            kt_grid_set(grid, COLUMN_STEP, "STEP");
    }
    kt_grid_end_row(grid);
    for (uint32_t i = 0; i < document->series_count;) {
        const kt_series *first = &document->series[i];
        if (i == 0 || strcmp(first->name, first[-1].name) != 0)
            print_baselines(document, grid, first);
        uint32_t count = 1;
        while (i + count < document->series_count && same_measurement(first, &first[count]))
            count++;
        print_measurement(document, grid, first, count);
        i += count;
    }
}

/* Texts of any length after each other, up to NULL. */
static void put_all(kt_writer *writer, const char *const *texts)
{
    for (; *texts; texts++)
        kt_put(writer, *texts);
}

/* What stands behind the numbers: one line a device. */
static void print_devices(const kt_document *document, kt_writer *writer)
{
    for (uint32_t i = 0; i < document->device_count; i++) {
        const kt_document_device *device = &document->devices[i];
        put_all(writer, (const char *[]){device->info.id, ": ", device->info.name, ", ",
                                         device->info.driver, NULL});
        if (device->has_ruler && device->ruler.believed) {
            char grid[32], floor[32], cost[32];
            kt_putf(writer, "; %s, grid %s, floor %s, stamp cost %s",
                    kt_method_name(device->info.clocks[0].method),
                    kt_format_ns(grid, sizeof grid, device->ruler.grid_ns),
                    kt_format_ns(floor, sizeof floor, device->ruler.floor_ns),
                    kt_format_ns(cost, sizeof cost, device->ruler.stamp_cost_ns));
        }
        kt_put(writer, "\n");
        if (device->has_ruler && !device->ruler.believed)
            put_all(writer, (const char *[]){device->info.id, ": no device time is kept: ",
                                             device->ruler.why, "\n", NULL});
    }
}

static void print_notes(const kt_document *document, kt_writer *writer)
{
    bool below_floor = false;
    const char *flags = NULL;
    for (uint32_t i = 0; i < document->series_count; i++) {
        const kt_series *series = &document->series[i];
        below_floor |= series->status == KT_SERIES_BELOW_FLOOR;
        if (!series->error || series->status == KT_SERIES_NOT_POSSIBLE)
            continue;
        /* The same sentence stands in each series of a measurement. */
        if (i > 0 && same_measurement(series, series - 1) && series[-1].error &&
            strcmp(series->error, series[-1].error) == 0)
            continue;
        put_all(writer, (const char *[]){kt_series_status_name(series->status), " ", series->name,
                                         " on ", series->device, ": ", series->error, "\n", NULL});
    }
    for (uint32_t i = 0; i < document->baseline_count && !flags; i++)
        if (strcmp(document->baselines[i].name, "sequential") == 0)
            flags = document->baselines[i].flags;
    if (flags)
        kt_putf(writer, "SPEED-UP is over sequential, one core, compiled with %s.\n", flags);
    if (below_floor)
        kt_put(writer, "\"< x\": no longer than an empty step, so no number to rank by; "
                       "--trials N puts more work between two stamps.\n");
}

bool kt_same_work(const kt_series *series, const kt_baseline *baseline)
{
    if (strcmp(series->workload, baseline->workload) != 0 ||
        series->param_count != baseline->param_count)
        return false;
    for (uint32_t i = 0; i < series->param_count; i++)
        if (strcmp(series->params[i].name, baseline->params[i].name) != 0 ||
            series->params[i].value != baseline->params[i].value)
            return false;
    return true;
}

void kt_print_table(const kt_document *document, kt_writer *writer)
{
    if (strcmp(document->kind, "devices") == 0) {
        kt_print_devices(document, writer);
        return;
    }
    kt_grid grid = {.columns = COLUMN_COUNT};
    grid.left[COLUMN_NAME] = grid.left[COLUMN_VARIANT] = true;
    grid.left[COLUMN_DEVICE] = grid.left[COLUMN_STEP] = true;
    print_rows(document, &grid);
    grid.writer = writer;
    print_rows(document, &grid);
    kt_put(writer, "\n");
    print_devices(document, writer);
    print_notes(document, writer);
}
