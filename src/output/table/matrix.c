/* SPDX-License-Identifier: MIT */
/* matrix.c - prints sizes as lines and devices as columns, for each workload measured in several
 * sizes on several devices. */
#include "output/grid.h"
#include "output/table/tables.h"

#include <math.h>
#include <string.h>

enum { COLUMN_NAME, COLUMN_VARIANT, COLUMN_DEVICES };

#define DEVICES_MAX 11 /* most devices in one table; more columns are hard to read */

/* The series of one workload and variant, and the devices that fit side by side. */
typedef struct matrix {
    const kt_document *document;
    const kt_series *group; /* first series of the workload and variant */
    const char *devices[DEVICES_MAX];
    unsigned device_count;
} matrix;

static bool same_group(const kt_series *a, const kt_series *b)
{
    return strcmp(a->workload, b->workload) == 0 && kt_same_text(a->variant, b->variant);
}

static bool same_line(const kt_series *a, const kt_series *b)
{
    return strcmp(a->name, b->name) == 0 && same_group(a, b);
}

/* Whether same() is false for all earlier series. Searches backwards, since series of the same line
 * are mostly close. */
static bool is_first(const kt_document *document, const kt_series *series,
                     bool (*same)(const kt_series *a, const kt_series *b))
{
    for (const kt_series *at = series; at > document->series;)
        if (same(--at, series))
            return false;
    return true;
}

static bool is_measured_on(const matrix *m, const char *device)
{
    for (uint32_t i = 0; i < m->document->series_count; i++) {
        const kt_series *series = &m->document->series[i];
        if (strcmp(series->device, device) == 0 && same_group(series, m->group))
            return true;
    }
    return false;
}

static bool has_device_time(const kt_series *series)
{
    return !kt_series_is_wall(series) &&
           (series->status == KT_SERIES_BELOW_MIN_SPAN || !isnan(series->summary.median));
}

/* The series over all steps, for the line that begins with `line`; NULL: none. For a job of several
 * steps this is the total, never a single step. */
static const kt_series *find_cell(const matrix *m, const kt_series *line, const char *device)
{
    const kt_series *end = m->document->series + m->document->series_count, *only = NULL;
    for (const kt_series *at = line; at < end; at++) {
        if (kt_series_is_wall(at) || !same_line(at, line) || strcmp(at->device, device) != 0)
            continue;
        if (kt_series_get_role(at) == KT_ROLE_TOTAL)
            return at;
        only = only ? only : at;
    }
    return only;
}

static void print_line(const matrix *m, kt_grid *grid, const kt_series *line)
{
    kt_grid_set(grid, COLUMN_NAME, "%s", line->name);
    if (line->variant)
        kt_grid_set(grid, COLUMN_VARIANT, "%s", line->variant);
    for (unsigned i = 0; i < m->device_count; i++) {
        char text[32];
        const kt_series *cell = find_cell(m, line, m->devices[i]);
        kt_grid_set(grid, COLUMN_DEVICES + i, "%s",
                    cell ? kt_device_time_text(m->document, cell, text, sizeof text) : "-");
    }
    kt_grid_end_row(grid);
}

static void print_lines(kt_grid *grid, const void *user)
{
    const matrix *m = user;
    kt_grid_set(grid, COLUMN_NAME, "DEVICE TIME");
    kt_grid_set(grid, COLUMN_VARIANT, "VARIANT");
    for (unsigned i = 0; i < m->device_count; i++)
        kt_grid_set(grid, COLUMN_DEVICES + i, "%s", m->devices[i]);
    kt_grid_end_head(grid);
    for (uint32_t i = 0; i < m->document->series_count; i++) {
        const kt_series *series = &m->document->series[i];
        if (same_group(series, m->group) && is_first(m->document, series, same_line))
            print_line(m, grid, series);
    }
}

static void print_block(matrix *m, const kt_style *style, kt_writer *writer)
{
    kt_grid grid = {.style = style,
                    .columns = COLUMN_DEVICES + m->device_count,
                    .left = {[COLUMN_NAME] = true, [COLUMN_VARIANT] = true},
                    .optional = {[COLUMN_VARIANT] = true},
                    .rank = {[COLUMN_VARIANT] = KT_RANK_SAME}};
    kt_put(writer, "\n");
    kt_grid_print(&grid, writer, print_lines, m);
    m->device_count = 0;
}

/* Whether a matrix has several sizes, several devices and at least one time. */
static bool is_worth_it(const matrix *m)
{
    unsigned sizes = 0, devices = 0;
    bool times = false;
    for (uint32_t i = 0; i < m->document->series_count; i++) {
        const kt_series *series = &m->document->series[i];
        if (!same_group(series, m->group))
            continue;
        sizes += is_first(m->document, series, same_line);
        times |= has_device_time(series);
    }
    for (uint32_t i = 0; i < m->document->device_count; i++)
        devices += is_measured_on(m, m->document->devices[i].info.id);
    return sizes > 1 && devices > 1 && times;
}

void kt_print_matrices(const kt_document *document, const kt_style *style, kt_writer *writer)
{
    for (uint32_t i = 0; i < document->series_count; i++) {
        matrix m = {.document = document, .group = &document->series[i]};
        if (!is_first(document, m.group, same_group) || !is_worth_it(&m))
            continue;
        for (uint32_t k = 0; k < document->device_count; k++) {
            const char *device = document->devices[k].info.id;
            if (is_measured_on(&m, device))
                m.devices[m.device_count++] = device;
            if (m.device_count == DEVICES_MAX)
                print_block(&m, style, writer);
        }
        if (m.device_count)
            print_block(&m, style, writer);
    }
}
