/* notes.c - what stands behind the numbers, and what there is to know about them, one sentence
 * each. */
#include "output/table/tables.h"
#include "report/runs.h"
#include "report/transfers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct notes {
    const kt_style *style;
    kt_writer *writer;
} notes;

void kt_print_item(const kt_style *style, kt_writer *writer, const char *const *texts,
                   const char *said)
{
    kt_put(writer, style->item);
    for (; *texts; texts++)
        kt_put_spelled(writer, style->spell, *texts);
    if (said)
        kt_put_spelled(writer, style->spell_lines, said);
    kt_put(writer, "\n");
}

static void put_item(const notes *to, const char *const *texts, const char *said)
{
    kt_print_item(to->style, to->writer, texts, said);
}

/* How the times of its clocks were obtained, in the order in which that first comes:
 * "event-pair-held and event-pair". */
static void list_methods(const kt_document *document, const kt_device_info *info, char *text,
                         size_t bytes)
{
    uint32_t listed = 0;
    int length = 0;
    for (uint32_t i = 0; i < document->series_count; i++) {
        const kt_series *series = &document->series[i];
        if (!series->clock || strcmp(series->device, info->id) != 0 || listed >> series->method & 1)
            continue;
        length += snprintf(text + length, bytes - (size_t)length, "%s%s", listed ? " and " : "",
                           kt_method_name(series->method));
        listed |= 1u << series->method;
    }
    if (!listed)
        snprintf(text, bytes, "%s", kt_method_name(info->clocks[0].method));
}

static void copy_floor_text(const kt_ruler *ruler, char *text, size_t bytes)
{
    char floor[32];
    bool hidden = ruler->grid_ns > 0 && !(ruler->copy_floor_ns >= ruler->grid_ns);
    kt_format_ns(floor, sizeof floor, hidden ? ruler->grid_ns : ruler->copy_floor_ns);
    snprintf(text, bytes, " (of copies %s%s)", hidden ? "< " : "", floor);
}

/* How the device's times were obtained: one line a device. */
static void print_device(const notes *to, const kt_document *document,
                         const kt_document_device *device)
{
    const kt_device_info *info = &device->info;
    const kt_ruler *ruler = &device->ruler;
    char times[320] = "", methods[128], grid[32], floor[32], copies[64] = "", cost[32];
    /* Of what most empty steps do not show, no more is known for sure. */
    bool hidden = ruler->grid_ns > 0 && !(ruler->floor_ns >= ruler->grid_ns);
    list_methods(document, info, methods, sizeof methods);
    if (ruler->copy_clock[0] && !ruler->copy_why[0])
        copy_floor_text(ruler, copies, sizeof copies);
    if (device->has_ruler && ruler->believed)
        snprintf(times, sizeof times, "; %s, grid %s, floor %s%s%s, stamp cost %s", methods,
                 kt_format_ns(grid, sizeof grid, ruler->grid_ns), hidden ? "< " : "",
                 kt_format_ns(floor, sizeof floor, hidden ? ruler->grid_ns : ruler->floor_ns),
                 copies, kt_format_ns(cost, sizeof cost, ruler->stamp_cost_ns));
    put_item(to, (const char *[]){info->id, ": ", info->name, ", ", info->driver, times, NULL},
             NULL);
    if (device->has_ruler && !ruler->believed)
        put_item(to, (const char *[]){info->id, ": no device time is kept: ", NULL}, ruler->why);
    bool by_commands = info->clock_count && info->clocks[0].method == KT_METHOD_COMMAND_BUFFER;
    if (by_commands && info->quirk[0]) /* its reason */
        put_item(to, (const char *[]){info->id, ": ", NULL}, info->quirk);
}

/* By so much a clock may be faster or slower than told before it is said; oscillators keep to a
 * tenth of it. */
#define DRIFT_SAID_PPM 1000

static void print_drift(const notes *to, const kt_device_info *info)
{
    for (uint32_t i = 0; i < info->clock_count; i++) {
        const kt_clock_info *clock = &info->clocks[i];
        char share[32];
        if (!(fabs(clock->drift_ppm) >= DRIFT_SAID_PPM))
            continue;
        bool fast = clock->drift_ppm > 0;
        kt_share_text(fabs(clock->drift_ppm) * 1e-6, share, sizeof share);
        put_item(to,
                 (const char *[]){info->id, ": its clock \"", clock->name, "\" runs ", share,
                                  fast ? " faster than told: device times are as much too long"
                                       : " slower than told: device times are as much too short",
                                  NULL},
                 NULL);
    }
}

char *kt_share_text(double share, char *text, size_t bytes)
{
    double percent = 100 * share, size = fabs(percent);
    if (share >= 10)
        snprintf(text, bytes, "a factor of %.*g", share < 9999 ? 4 : 2, 1 + share);
    else
        snprintf(text, bytes,
                 size >= 9.95    ? "%.0f %%"
                 : size >= 0.095 ? "%.1f %%"
                                 : "%.1g %%",
                 percent);
    return text;
}

/* ---- errors ---- */

/* What is not possible since its stamps are not believed stands in the device's own line. */
static bool has_error(const kt_document *document, const kt_series *series)
{
    const kt_document_device *device = kt_find_device(document, series->device);
    bool told = device && device->has_ruler && !device->ruler.believed;
    return series->error && !(told && series->status == KT_SERIES_NOT_POSSIBLE);
}

/* How many of the first `count` runs say so. */
static uint32_t count_error(const kt_document *document, const kt_runs *runs, uint32_t count,
                            const char *error)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += has_error(document, runs->series[i]) && strcmp(runs->series[i]->error, error) == 0;
    return found;
}

/* The same sentence stands in each time of a job. */
static bool is_said(const kt_document *document, const kt_series *time, const char *error)
{
    for (const kt_series *at = time; at > document->series && kt_same_measurement(&at[-1], time);
         at--) {
        const kt_runs *runs = kt_runs_of(document, &at[-1]);
        if (count_error(document, runs, runs->count, error))
            return true;
    }
    return false;
}

/* But for numbers, such as sizes. */
static bool is_same_cause(const char *a, const char *b)
{
    static const char digits[] = "0123456789";
    for (;; a++, b++) {
        size_t number = strspn(a, digits);
        if ((number > 0) != (strspn(b, digits) > 0))
            return false;
        a += number;
        b += strspn(b, digits);
        if (*a != *b || !*a)
            return *a == *b;
    }
}

/* A time of another size for whose runs the same sentence holds, if all are of a transfer: 18 sizes
 * have one sentence. */
static bool shares_cause(const kt_document *document, const kt_series *time, const kt_series *one)
{
    if (!kt_same_direction(time, one) || strcmp(time->name, one->name) == 0)
        return false;
    const kt_runs *runs = kt_runs_of(document, time);
    for (uint32_t i = 0; i < runs->count; i++)
        if (runs->series[i]->status == one->status && has_error(document, runs->series[i]) &&
            is_same_cause(runs->series[i]->error, one->error))
            return true;
    return false;
}

/* Of how many further sizes it is said with it; UINT32_MAX: it is said with one before. */
static uint32_t count_sizes(const kt_document *document, const kt_series *time,
                            const kt_series *one)
{
    uint32_t count = 0;
    const kt_series *end = document->series + document->series_count, *last = time;
    for (const kt_series *at = document->series; at < end; at++) {
        if (!shares_cause(document, at, one))
            continue;
        if (at < time)
            return UINT32_MAX;
        count += strcmp(at->name, last->name) != 0;
        last = at;
    }
    return count;
}

static void print_errors_of(const notes *to, const kt_document *document, const kt_series *time)
{
    const kt_runs *runs = kt_runs_of(document, time);
    for (uint32_t i = 0; i < runs->count; i++) {
        const kt_series *series = runs->series[i];
        if (!has_error(document, series) || count_error(document, runs, i, series->error) ||
            is_said(document, time, series->error))
            continue;
        uint32_t sizes = count_sizes(document, time, series);
        if (sizes == UINT32_MAX)
            continue;
        char in_runs[48] = "", more[48] = "";
        if (document->run_count > 1)
            snprintf(in_runs, sizeof in_runs, " in %u of %u runs",
                     count_error(document, runs, runs->count, series->error), document->run_count);
        if (sizes)
            snprintf(more, sizeof more, " and %u more size%s,", sizes, sizes > 1 ? "s" : "");
        bool transfer = kt_is_transfer(series, NULL, NULL);
        put_item(to,
                 (const char *[]){kt_series_status_name(series->status), " ", series->name, more,
                                  transfer ? " " : "", transfer ? series->variant : "", " on ",
                                  series->device, in_runs, ": ", NULL},
                 series->error);
    }
}

/* ---- legend ---- */

/* Fewer medians have no interval; see kt_summary. */
#define RUNS_FOR_INTERVAL 6

static void print_runs_legend(const notes *to, const kt_document *document)
{
    char runs[32];
    snprintf(runs, sizeof runs, "%u runs: ", document->run_count);
    if (document->run_count > 1)
        put_item(to,
                 (const char *[]){runs,
                                  "each time is the median of the runs' medians, BETWEEN RUNS is "
                                  "from the lowest of them to the highest",
                                  document->run_count < RUNS_FOR_INTERVAL
                                      ? "; an interval takes six runs."
                                      : ".",
                                  NULL},
                 NULL);
}

/* Whether it has a median but no interval, and no finding says why, as none ever does of gaps. */
static bool has_too_few(const kt_document *document, const kt_series *series)
{
    const kt_summary *summary = &series->summary;
    return document->run_count <= 1 && series->kind != KT_SERIES_WALL && !isnan(summary->median) &&
           isnan(summary->ci95_low) && strcmp(series->step, "gaps") != 0 &&
           !(summary->patterns & (KT_PATTERN_DRIFT | KT_PATTERN_LEVELS));
}

static void print_legend(const notes *to, const kt_document *document)
{
    bool bound = false, kernels_bound = false, too_few = false, cold = false, kernels_cold = false;
    const char *flags = NULL;
    for (uint32_t i = 0; i < document->series_count; i++) {
        bool kernel = !kt_is_transfer(&document->series[i], NULL, NULL);
        bool is_bound = kt_is_bound(document, &document->series[i]);
        bound |= is_bound;
        kernels_bound |= is_bound && kernel;
        too_few |= has_too_few(document, &document->series[i]);
        cold |= document->series[i].cold != 0;
        kernels_cold |= document->series[i].cold && kernel;
    }
    for (uint32_t i = 0; i < document->baseline_count && !flags; i++)
        if (strcmp(document->baselines[i].name, "sequential") == 0)
            flags = document->baselines[i].flags;
    if (cold)
        put_item(to,
                 (const char *[]){
                     "Caches were flushed before each submission",
                     kernels_cold
                         ? "; those of baselines were warm, so nothing is compared with them."
                         : ".",
                     NULL},
                 NULL);
    if (too_few)
        put_item(
            to,
            (const char *[]){"\"-\" for an interval: too few independent samples to tell. It takes "
                             "six, and more where they resemble each other.",
                             NULL},
            NULL);
    if (flags && !cold)
        put_item(to,
                 (const char *[]){"SPEED-UP is over sequential, one core, compiled with ", flags,
                                  ".", NULL},
                 NULL);
    if (bound)
        put_item(to,
                 (const char *[]){
                     "\"< x\": no longer than an empty step or a step of the clock, so no number "
                     "to rank by. What puts more work between two stamps: ",
                     kernels_bound
                         ? "--trials N, where a kernel may run again on its own output, or "
                         : "",
                     "a larger --size.", NULL},
                 NULL);
}

void kt_print_notes(const kt_document *document, const kt_style *style, kt_writer *writer)
{
    const notes to = {style, writer};
    for (uint32_t i = 0; i < document->device_count; i++)
        print_device(&to, document, &document->devices[i]);
    for (uint32_t i = 0; i < document->device_count; i++)
        print_drift(&to, &document->devices[i].info);
    for (uint32_t i = 0; i < document->series_count; i++)
        print_errors_of(&to, document, &document->series[i]);
    kt_print_findings(document, style, writer);
    print_runs_legend(&to, document);
    kt_print_copies(document, style, writer, true);
    print_legend(&to, document);
}
