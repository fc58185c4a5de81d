/* notes.c - what stands behind the numbers, and what there is to know about them, one sentence
 * each. */
#include "tables.h"

#include <stdio.h>
#include <string.h>

typedef struct notes {
    const kt_style *style;
    kt_writer *writer;
} notes;

/* One sentence of several texts, up to NULL: of our own and of drivers, so each is spelled. What a
 * driver has to say may have lines and comes last; NULL: nothing. */
static void put_item(const notes *to, const char *const *texts, const char *said)
{
    kt_put(to->writer, to->style->item);
    for (; *texts; texts++)
        kt_put_spelled(to->writer, to->style->spell, *texts);
    if (said)
        kt_put_spelled(to->writer, to->style->spell_lines, said);
    kt_put(to->writer, "\n");
}

/* How the device's times were obtained: one line a device. */
static void print_device(const notes *to, const kt_document_device *device)
{
    const kt_device_info *info = &device->info;
    const kt_ruler *ruler = &device->ruler;
    char times[128] = "", grid[32], floor[32], cost[32];
    if (device->has_ruler && ruler->believed)
        snprintf(times, sizeof times, "; %s, grid %s, floor %s, stamp cost %s",
                 kt_method_name(info->clocks[0].method),
                 kt_format_ns(grid, sizeof grid, ruler->grid_ns),
                 kt_format_ns(floor, sizeof floor, ruler->floor_ns),
                 kt_format_ns(cost, sizeof cost, ruler->stamp_cost_ns));
    put_item(to, (const char *[]){info->id, ": ", info->name, ", ", info->driver, times, NULL},
             NULL);
    if (device->has_ruler && !ruler->believed)
        put_item(to, (const char *[]){info->id, ": no device time is kept: ", NULL}, ruler->why);
}

/* The same sentence stands in each series of a measurement. */
static bool is_repeated(const kt_document *document, uint32_t index)
{
    const kt_series *series = &document->series[index];
    return index > 0 && kt_same_measurement(series, series - 1) &&
           kt_same_text(series->error, series[-1].error);
}

static void print_errors(const notes *to, const kt_document *document)
{
    for (uint32_t i = 0; i < document->series_count; i++) {
        const kt_series *series = &document->series[i];
        if (series->error && series->status != KT_SERIES_NOT_POSSIBLE && !is_repeated(document, i))
            put_item(to,
                     (const char *[]){kt_series_status_name(series->status), " ", series->name,
                                      " on ", series->device, ": ", NULL},
                     series->error);
    }
}

static void print_legend(const notes *to, const kt_document *document)
{
    bool below_floor = false;
    const char *flags = NULL;
    for (uint32_t i = 0; i < document->series_count; i++)
        below_floor |= document->series[i].status == KT_SERIES_BELOW_FLOOR;
    for (uint32_t i = 0; i < document->baseline_count && !flags; i++)
        if (strcmp(document->baselines[i].name, "sequential") == 0)
            flags = document->baselines[i].flags;
    if (flags)
        put_item(to,
                 (const char *[]){"SPEED-UP is over sequential, one core, compiled with ", flags,
                                  ".", NULL},
                 NULL);
    if (below_floor)
        put_item(to,
                 (const char *[]){"\"< x\": no longer than an empty step, so no number to rank by; "
                                  "--trials N puts more work between two stamps.",
                                  NULL},
                 NULL);
}

void kt_print_notes(const kt_document *document, const kt_style *style, kt_writer *writer)
{
    const notes to = {style, writer};
    for (uint32_t i = 0; i < document->device_count; i++)
        print_device(&to, &document->devices[i]);
    print_errors(&to, document);
    print_legend(&to, document);
}
