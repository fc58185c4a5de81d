/* SPDX-License-Identifier: MIT */
/* table.c - for a person: text of at most 80 columns where names allow, or Markdown. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/fleet/fleet.h"
#include "cli/output/grid.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define WORKLOADS_MAX 10 /* rows of a summary, unless --verbose */
#define PLACES_MAX    20
#define SLOWEST_MIN   5 /* devices that are shown in any case */
#define UNDECIDED_MAX 10
#define BAD_MAX       10
#define RANKS_MAX     40 /* characters of a list of ranks */
#define SHORT_NAME    16 /* columns of names of devices and workloads on a narrow screen */
#define NUMBER_WIDTH  56 /* of the other columns of devices, but their nodes' */

typedef struct printer {
    const fleet *of;
    FILE *file;
    unsigned width;
    bool color, markdown;
    unsigned name_width; /* most columns of a name of a device or a workload */
    size_t left_out;     /* rows of the last table */
} printer;

/* ---- cells ---- */

/* A text as a cell, of at most so many columns. */
static void set_text(grid *g, unsigned column, const char *text, unsigned width)
{
    char *cut = text_cut(text, width);
    if (cut)
        grid_set(g, column, cut);
    free(cut);
}

static const char *put_z(text_number out, double z)
{
    snprintf(out, TEXT_NUMBER_BYTES, isnan(z) ? "-" : "%.1f", fabs(z) < 0.05 ? 0.0 : z);
    return out;
}

/* "+4.8", in percent; "0.0" has no sign. */
static const char *put_percent(text_number out, double share)
{
    double percent = 100 * share;
    snprintf(out, TEXT_NUMBER_BYTES, fabs(percent) < 0.05 ? "0.0" : "%+.1f", percent);
    return out;
}

static void set_effect(grid *g, unsigned column, double effect)
{
    text_number text, percent;
    snprintf(text, sizeof text, isnan(effect) ? "-" : "%.20s %%", put_percent(percent, effect));
    grid_set(g, column, text);
}

static void set_count(grid *g, unsigned column, size_t count)
{
    text_number text;
    grid_set(g, column, text_count(text, count));
}

static size_t limit(const printer *p, size_t most)
{
    return p->of->options->verbose || p->markdown ? SIZE_MAX : most;
}

static void print_grid(printer *p, const grid_column *columns, unsigned count,
                       void (*rows)(grid *g, const void *user))
{
    grid g = {.columns = columns,
              .count = count,
              .width = p->width,
              .markdown = p->markdown,
              .color = p->color};
    grid_print(&g, p->file, rows, p);
    if (p->left_out)
        fprintf(p->file, "%s%zu more with --verbose\n", p->markdown ? "\n" : "", p->left_out);
    p->left_out = 0;
    fputc('\n', p->file);
}

/* ---- by model ---- */

enum {
    MODEL_WORKLOAD,
    MODEL_DEVICES,
    MODEL_RUNS,
    MODEL_MEDIAN,
    MODEL_SPREAD,
    MODEL_NOISE,
    MODEL_SLOW,
    MODEL_COLUMNS
};

static const grid_column model_columns[] = {
    [MODEL_WORKLOAD] = {.head = "WORKLOAD", .left = true},
    [MODEL_DEVICES] = {.head = "DEVICES"},
    [MODEL_RUNS] = {.head = "RUNS", .rank = 3},
    [MODEL_MEDIAN] = {.head = "MEDIAN"},
    [MODEL_SPREAD] = {.head = "SPREAD"},
    [MODEL_NOISE] = {.head = "NOISE", .rank = 2},
    [MODEL_SLOW] = {.head = "SLOW"},
};

static void set_model_row(grid *g, const fleet *of, size_t number)
{
    const fleet_workload *w = &of->workloads[number];
    const kt_fleet_population *population = &of->populations[number];
    text_number text;
    if (w->runs_max)
        snprintf(text, sizeof text, w->runs_min == w->runs_max ? "%u" : "%u..%u", w->runs_min,
                 w->runs_max);
    else
        snprintf(text, sizeof text, "0");
    grid_set(g, MODEL_RUNS, text);
    set_count(g, MODEL_DEVICES, w->device_count);
    grid_name(g, w->label, NULL);
    grid_set(g, MODEL_MEDIAN, text_time(text, population->median_ns));
    bool is_alone = population->count < 2;
    grid_set(g, MODEL_SPREAD, text_share(text, is_alone ? NAN : population->spread));
    grid_set(g, MODEL_NOISE, text_share(text, population->noise));
    set_count(g, MODEL_SLOW, w->slow_count);
}

static void model_rows(grid *g, const void *user)
{
    const printer *p = user;
    const fleet *of = p->of;
    size_t most = limit(p, WORKLOADS_MAX);
    for (size_t i = 0; i < of->workload_count && i < most; i++) {
        const fleet_group *group = &of->groups[of->workloads[i].group];
        if (i == 0 || of->workloads[i - 1].group != of->workloads[i].group)
            grid_heading(g, group->name, group->label[0] ? group->label : NULL);
        set_model_row(g, of, i);
        grid_end_row(g);
    }
}

/* ---- by node, by slot ---- */

enum { PLACE_NAME, PLACE_DEVICES, PLACE_SLOW, PLACE_BAD, PLACE_MEDIAN, PLACE_WORST, PLACE_COLUMNS };

#define PLACE_COLUMNS_OF(what)                                                                \
    {                                                                                         \
        [PLACE_NAME] = {.head = what, .left = true}, [PLACE_DEVICES] = {.head = "DEVICES"},   \
        [PLACE_SLOW] = {.head = "SLOW"}, [PLACE_BAD] = {.head = "BAD", .optional = true},     \
        [PLACE_MEDIAN] = {.head = "MEDIAN EFFECT"}, [PLACE_WORST] = {.head = "WORST EFFECT"}, \
    }

static const grid_column node_columns[] = PLACE_COLUMNS_OF("NODE");
static const grid_column slot_columns[] = PLACE_COLUMNS_OF("SLOT");

static void place_rows(grid *g, const fleet_place *places, size_t count, size_t most)
{
    size_t bad = 0;
    for (size_t i = 0; i < count && i < most; i++)
        bad += places[i].bad_count;
    for (size_t i = 0; i < count && i < most; i++) {
        grid_name(g, places[i].name, NULL);
        set_count(g, PLACE_DEVICES, places[i].device_count);
        set_count(g, PLACE_SLOW, places[i].slow_count);
        if (bad)
            set_count(g, PLACE_BAD, places[i].bad_count);
        set_effect(g, PLACE_MEDIAN, places[i].median);
        set_effect(g, PLACE_WORST, places[i].worst);
        grid_end_row(g);
    }
}

static void node_rows(grid *g, const void *user)
{
    const printer *p = user;
    place_rows(g, p->of->nodes, p->of->node_count, limit(p, PLACES_MAX));
}

static void slot_rows(grid *g, const void *user)
{
    const printer *p = user;
    place_rows(g, p->of->slots, p->of->slot_count, limit(p, PLACES_MAX));
}

static size_t beyond(size_t count, size_t most)
{
    return count > most ? count - most : 0;
}

static void print_summary(printer *p)
{
    const fleet *of = p->of;
    p->left_out = beyond(of->workload_count, limit(p, WORKLOADS_MAX));
    if (of->workload_count)
        print_grid(p, model_columns, MODEL_COLUMNS, model_rows);
    if (of->options->fleet.by == FLEET_BY_NODE) {
        p->left_out = beyond(of->node_count, limit(p, PLACES_MAX));
        print_grid(p, node_columns, PLACE_COLUMNS, node_rows);
    }
    if (of->options->fleet.by == FLEET_BY_SLOT) {
        p->left_out = beyond(of->slot_count, limit(p, PLACES_MAX));
        print_grid(p, slot_columns, PLACE_COLUMNS, slot_rows);
    }
}

/* ---- devices ---- */

enum {
    DEVICE_NODE,
    DEVICE_NAME,
    DEVICE_ANSWER,
    DEVICE_EFFECT,
    DEVICE_INTERVAL,
    DEVICE_Z,
    DEVICE_SLOW_IN,
    DEVICE_WORKLOAD,
    DEVICE_COLUMNS
};

static const grid_column device_columns[] = {
    [DEVICE_NODE] = {.head = "NODE", .left = true},
    [DEVICE_NAME] = {.head = "DEVICE", .left = true},
    [DEVICE_ANSWER] = {.head = "ANSWER", .left = true},
    [DEVICE_EFFECT] = {.head = "VS MEDIAN"},
    [DEVICE_INTERVAL] = {.head = "95% INTERVAL"},
    [DEVICE_Z] = {.head = "ROBUST Z", .rank = 3},
    [DEVICE_SLOW_IN] = {.head = "SLOW IN", .optional = true, .rank = 2},
    [DEVICE_WORKLOAD] = {.head = "WORKLOAD", .left = true, .optional = true},
};

/* In how many of its workloads the device is slow: "3 of 8". */
static void set_slow_in(grid *g, const fleet *of, const fleet_device *d)
{
    size_t slow = fleet_slow_count(of, d);
    text_number text;
    snprintf(text, sizeof text, "%zu of %zu", slow, d->cell_count);
    if (slow && d->cell_count > 1)
        grid_set(g, DEVICE_SLOW_IN, text);
}

static void set_device_row(grid *g, const printer *p, const fleet_device *d,
                           const kt_fleet_cell *cell, size_t number, const char *answer)
{
    const fleet *of = p->of;
    text_number text, low, high;
    grid_name(g, d->node, NULL);
    set_text(g, DEVICE_NAME, d->label, p->name_width);
    grid_set(g, DEVICE_ANSWER, answer);
    set_effect(g, DEVICE_EFFECT, of->populations[number].count < 2 ? NAN : cell->effect);
    if (isnan(cell->low))
        snprintf(text, sizeof text, "-");
    else
        snprintf(text, sizeof text, "%.20s .. %.20s %%", put_percent(low, cell->low),
                 put_percent(high, cell->high));
    grid_set(g, DEVICE_INTERVAL, text);
    grid_set(g, DEVICE_Z, put_z(text, cell->robust_z));
    if (of->workload_count > 1)
        set_text(g, DEVICE_WORKLOAD, of->workloads[number].label, p->name_width);
}

/* Of the first workload in which it lacks a time. */
static void set_missing_row(grid *g, const printer *p, const fleet_device *d)
{
    const kt_fleet_cell none = {.effect = NAN, .low = NAN, .high = NAN, .robust_z = NAN};
    set_device_row(g, p, d, &none, d->missing_in, "undecided");
    grid_end_row(g);
}

/* A row for each of its workloads, and for the first one in which it lacks a time. */
static void set_all_rows(grid *g, const printer *p, const fleet_device *d)
{
    for (size_t i = 0; i < d->cell_count; i++) {
        const kt_fleet_cell *cell = fleet_cell_of(p->of, d, i);
        set_device_row(g, p, d, cell, fleet_workload_of(p->of, cell), fleet_cell_word(cell));
        grid_end_row(g);
    }
    if (d->missing_in != FLEET_NONE)
        set_missing_row(g, p, d);
}

/* Whether it is undecided for a time that it has not. */
static bool lacks_time(const fleet_device *d)
{
    return d->answer == FLEET_ANSWER_UNDECIDED && (d->missing_in != FLEET_NONE || !d->cell);
}

/* Whether the table shows a device, after `slowest` others that are not slow. */
static bool is_shown(const printer *p, const fleet_device *d, size_t slowest)
{
    if (!d->cell)
        return false;
    if (fleet_is_slow(d))
        return true;
    bool is_undecided = d->answer == FLEET_ANSWER_UNDECIDED;
    return slowest < limit(p, is_undecided ? UNDECIDED_MAX : SLOWEST_MIN);
}

/* Calls `take` with each device that is shown, in order. */
static void each_shown(const printer *p, void (*take)(void *user, const fleet_device *d),
                       void *user)
{
    size_t others = 0;
    for (size_t i = 0; i < p->of->device_count; i++) {
        const fleet_device *d = &p->of->devices[p->of->order[i]];
        if (!is_shown(p, d, others))
            continue;
        others += !fleet_is_slow(d);
        take(user, d);
    }
}

typedef struct rows_of_devices {
    const printer *p;
    grid *g;
} rows_of_devices;

static void take_device(void *user, const fleet_device *d)
{
    const rows_of_devices *r = user;
    if (r->p->of->options->verbose) {
        set_all_rows(r->g, r->p, d);
        return;
    }
    if (lacks_time(d) && d->cell->answer == KT_FLEET_GOOD) {
        set_missing_row(r->g, r->p, d); /* its answer is of no other row */
        return;
    }
    set_device_row(r->g, r->p, d, d->cell, d->workload, fleet_answer(d));
    set_slow_in(r->g, r->p->of, d);
    grid_end_row(r->g);
}

static void device_rows(grid *g, const void *user)
{
    rows_of_devices rows = {user, g};
    each_shown(user, take_device, &rows);
}

/* Widest names among the shown devices. */
typedef struct name_widths {
    const fleet *of;
    size_t count; /* devices */
    unsigned node, device, workload;
} name_widths;

static void take_widths(void *user, const fleet_device *d)
{
    name_widths *w = user;
    unsigned node = text_width(d->node), device = text_width(d->label);
    w->count++;
    w->node = node > w->node ? node : w->node;
    w->device = device > w->device ? device : w->device;
    for (size_t i = 0; i < d->cell_count && w->of->workload_count > 1; i++) {
        size_t number = fleet_workload_of(w->of, fleet_cell_of(w->of, d, i));
        unsigned label = text_width(w->of->workloads[number].label);
        w->workload = label > w->workload ? label : w->workload;
    }
}

/* Names are whole unless a screen is too narrow for them. */
static void print_devices(printer *p)
{
    name_widths w = {.of = p->of};
    each_shown(p, take_widths, &w);
    bool fits = !p->width || w.node + w.device + w.workload + NUMBER_WIDTH <= p->width;
    p->name_width = fits ? UINT32_MAX : SHORT_NAME;
    for (size_t i = 0; i < p->of->device_count; i++)
        p->left_out += p->of->devices[i].cell != NULL;
    p->left_out -= w.count;
    if (w.count)
        print_grid(p, device_columns, DEVICE_COLUMNS, device_rows);
}

/* ---- sentences ---- */

static void say(const printer *p, const char *text)
{
    text_put_sentence(p->file, text, p->width, p->markdown);
}

__attribute__((format(printf, 2, 3))) static void sayf(const printer *p, const char *format, ...)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    if (fclose(file) == 0)
        say(p, text);
    free(text);
}

/* Devices of one answer and one reason. */
typedef struct alike {
    const fleet_device *first;
    size_t count;
} alike;

/* The one with this device's answer and reason, else a new one; NULL: there are too many. */
static alike *find_alike(alike *all, size_t *count, const fleet_device *d)
{
    for (size_t i = 0; i < *count; i++)
        if (all[i].first->reason == d->reason &&
            strcmp(fleet_answer(all[i].first), fleet_answer(d)) == 0)
            return &all[i];
    if (*count == BAD_MAX)
        return NULL;
    all[*count].first = d;
    return &all[(*count)++];
}

static void say_bad(const printer *p, const fleet_device *d, size_t others)
{
    char more[64] = "";
    if (others)
        snprintf(more, sizeof more, " and %zu more (--verbose names them)", others);
    sayf(p, "%s: %s %s%s: %s", fleet_is_slow(d) ? "failed" : fleet_answer(d), d->node, d->label,
         more, d->reason ? d->reason : "");
}

/* A line for each reason, or for each device. */
static void print_bad(const printer *p)
{
    const fleet *of = p->of;
    bool is_each = limit(p, BAD_MAX) == SIZE_MAX;
    alike all[BAD_MAX] = {{0}};
    size_t count = 0, bad = 0, more = 0;
    for (size_t i = 0; i < of->device_count; i++) {
        const fleet_device *d = &of->devices[of->order[i]];
        if (!fleet_is_bad(d) && !lacks_time(d))
            continue;
        bad++;
        alike *found = is_each ? NULL : find_alike(all, &count, d);
        if (found)
            found->count++;
        else if (is_each)
            say_bad(p, d, 0);
        else
            more++;
    }
    for (size_t i = 0; i < count; i++)
        say_bad(p, all[i].first, all[i].count - 1);
    if (more)
        sayf(p, "%zu more with --verbose", more);
    if (bad)
        fputc('\n', p->file);
}

static void print_places(const printer *p)
{
    const fleet *of = p->of;
    for (size_t i = 0; i < of->node_count; i++) {
        const fleet_place *node = &of->nodes[i];
        if (node->device_count > 1 && node->slow_count == node->device_count)
            sayf(p, "node %s: all %zu devices are slow: look for the cause in the node", node->name,
                 node->device_count);
    }
    for (size_t i = 0; i < of->slot_count; i++)
        if (fleet_is_common(of, &of->slots[i]))
            sayf(p, "slot %s: slow on %zu of %zu nodes: look for a common cause", of->slots[i].name,
                 of->slots[i].slow_nodes, of->slots[i].node_count);
}

/* As many ranks as fit a line. */
static void print_missing(const printer *p)
{
    const fleet *of = p->of;
    for (size_t i = 0; i < of->missing_count; i++) {
        const fleet_missing *m = &of->missing[i];
        size_t length = strlen(m->ranks), shown = length;
        while (shown > RANKS_MAX || (shown < length && m->ranks[shown] != ','))
            shown--;
        char size[32] = "";
        if (m->size != KT_LAUNCH_UNKNOWN)
            snprintf(size, sizeof size, " of %u", (unsigned)m->size);
        sayf(p, "missing: rank%s %.*s%s%s%s%s", text_plural(m->count), (int)shown, m->ranks,
             shown < length ? ",..." : "", size, m->job[0] ? " of job " : "", m->job);
    }
}

static void print_notes(const printer *p)
{
    for (size_t i = 0; i < p->of->note_count; i++)
        sayf(p, "note: %s", p->of->notes[i]);
}

static bool print_verdict(const printer *p)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return false;
    fprintf(file, "verdict: ");
    fleet_print_verdict(p->of, file);
    bool complete = fclose(file) == 0;
    if (complete)
        say(p, text);
    free(text);
    return complete;
}

static bool print_all(printer *p)
{
    const fleet *of = p->of;
    text_number devices, nodes, files;
    bool has_nodes = of->node_count != 1 || strcmp(of->nodes->name, "?") != 0;
    sayf(p, "%s device%s on %s node%s, from %s file%s", text_count(devices, of->device_count),
         text_plural(of->device_count), has_nodes ? text_count(nodes, of->node_count) : "unknown",
         text_plural(has_nodes ? of->node_count : 0), text_count(files, of->counts.read),
         text_plural(of->counts.read));
    fputc('\n', p->file);
    print_bad(p);
    print_summary(p);
    print_devices(p);
    print_places(p);
    print_missing(p);
    print_notes(p);
    return print_verdict(p);
}

bool fleet_print_table(const fleet *of, FILE *file, unsigned width, bool color)
{
    printer p = {.of = of, .file = file, .width = width, .color = color};
    return print_all(&p);
}

bool fleet_print_markdown(const fleet *of, FILE *file)
{
    printer p = {.of = of, .file = file, .markdown = true};
    return print_all(&p);
}
