/* SPDX-License-Identifier: MIT */
/*
 * plot.c - all devices by effect, with intervals. Slow ones have names beside the figure, each with
 * a line from its point, and so have those without a time that counts.
 *
 * Names occur only inside single quotes, where gnuplot expands nothing.
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/output/plot_file.h"

#include "cli/fleet/fleet.h"
#include "cli/output/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH        1000.0 /* of the figure in pixels, and its height over it */
#define ASPECT       0.56
#define NAMES_MAX    20
#define NAME_COLUMNS 28
#define NAME_SHARE   0.4  /* most of the figure's width for names */
#define LINE_HEIGHT  15.0 /* of a name in pixels */
#define LETTER_WIDTH 6.8
#define HEIGHT_SHARE 0.8 /* the plot's of the figure, about */
#define KEY_SHARE    0.2
#define BAR_SHARE    0.5 /* how far an interval may widen the axis, over the points' range */
#define TICKS        10  /* most of the axis of devices */
#define TICKS_NARROW 4
#define NARROW       500 /* pixels: fewer have no room for long texts */

/* Of points, where there is room. */
#define POINT_SIZE       0.5
#define POINT_SIZE_MIN   0.15
#define POINTS_PER_PIXEL 0.06 /* size of points that are a pixel apart */

/* By answer; a device that was wrong or measured twice has no time. */
static const char *const colours[FLEET_ANSWER_COUNT] = {
    [FLEET_ANSWER_GOOD] = "0072B2",   [FLEET_ANSWER_UNDECIDED] = "909090",
    [FLEET_ANSWER_FAILED] = "CC79A7", [FLEET_ANSWER_SLOW] = "D55E00",
    [FLEET_ANSWER_TWICE] = "E69F00",  [FLEET_ANSWER_WRONG] = "000000"};
/* Of intervals: the same, paler. */
static const char *const pale_colours[FLEET_ANSWER_COUNT] = {
    [FLEET_ANSWER_GOOD] = "8CC1E2",   [FLEET_ANSWER_UNDECIDED] = "D0D0D0",
    [FLEET_ANSWER_FAILED] = "E8C4D8", [FLEET_ANSWER_SLOW] = "F0B48C",
    [FLEET_ANSWER_TWICE] = "F5D591",  [FLEET_ANSWER_WRONG] = "A0A0A0"};

typedef struct script {
    FILE *file;
    bool no_memory;
} script;

__attribute__((format(printf, 2, 3))) static void put(script *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(to->file, format, arguments);
    va_end(arguments);
}

/* The inside of a quoted string. gnuplot escapes all markup of an SVG but "&#" and "]>". */
static void put_quoted(script *to, const char *text)
{
    char before = '\0';
    for (; *text; before = *text++) {
        if (*text == '\'')
            put(to, "''");
        else
            put(to, "%s%c",
                (before == '&' && *text == '#') || (before == ']' && *text == '>') ? " " : "",
                *text);
    }
}

/* A text as a terminal would show it, of at most so many columns, within quotes. */
static void put_shown(script *to, const char *text, unsigned width)
{
    char *shown = text_cut(text, width);
    put_quoted(to, shown ? shown : "");
    to->no_memory |= !shown;
    free(shown);
}

/* Devices with an effect, the fastest first: the table's order turned around, and sorted. */
typedef struct sorted {
    const fleet_device *device;
    double effect;
} sorted;

static int by_effect(const void *a, const void *b)
{
    const sorted *one = a, *other = b;
    int order = (one->effect > other->effect) - (one->effect < other->effect);
    return order ? order : (one->device > other->device) - (one->device < other->device);
}

static sorted *sort_devices(const fleet *of, size_t *count)
{
    sorted *all = calloc(of->device_count + 1, sizeof *all);
    *count = 0;
    for (size_t i = 0; all && i < of->device_count; i++) {
        const fleet_device *d = &of->devices[i];
        if (d->cell && !isnan(d->cell->effect))
            all[(*count)++] = (sorted){d, d->cell->effect};
    }
    if (all && *count)
        qsort(all, *count, sizeof *all, by_effect);
    return all;
}

static void put_point(script *to, const fleet *of, const fleet_device *d)
{
    const char *const texts[] = {d->node, d->label, of->groups[d->group].name,
                                 d->cell ? of->workloads[d->workload].label : ""};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        text_put_csv(to->file, texts[i]);
        put(to, ",");
    }
    put(to, "%s,", fleet_answer(d));
    if (d->cell && !isnan(d->cell->effect))
        put(to, "%.12g", d->cell->effect);
    if (!d->cell || isnan(d->cell->low))
        put(to, ",,\n");
    else
        put(to, ",%.12g,%.12g\n", d->cell->low, d->cell->high);
}

static bool has_effect(const fleet_device *d)
{
    return d->cell && !isnan(d->cell->effect);
}

/* Those without an effect come last, in the order of the table. */
static void put_points(script *to, const fleet *of, const sorted *all, size_t count)
{
    put(to, "node,device,model,workload,answer,effect,effect_low,effect_high\n");
    for (size_t i = 0; i < count; i++)
        put_point(to, of, all[i].device);
    for (size_t i = 0; i < of->device_count; i++)
        if (!has_effect(&of->devices[of->order[i]]))
            put_point(to, of, &of->devices[of->order[i]]);
}

/* ---- the figure ---- */

/* Its measures. */
typedef struct layout {
    double width, height;    /* pixels */
    double bottom, top;      /* of the axis of effects, in percent */
    double point_size;       /* of good devices */
    double line;             /* height of a name, as a share of the plot's */
    size_t names_max;        /* lines for names */
    size_t bad_count;        /* names of devices without a time that counts, at the top */
    size_t slow_count;       /* names of slow devices, below */
    size_t more;             /* of both that have no line */
    unsigned name_width;     /* columns */
    const char *domain;      /* that all nodes share, with its dot: it tells none of them apart */
    double names[NAMES_MAX]; /* heights of the names of slow devices, the slowest first */
} layout;

static double low_of(const kt_fleet_cell *cell)
{
    return 100 * (isnan(cell->low) ? cell->effect : cell->low);
}

static double high_of(const kt_fleet_cell *cell)
{
    return 100 * (isnan(cell->high) ? cell->effect : cell->high);
}

/* Points have most of the height, however long an interval is. */
static void find_range(layout *out, const fleet *of, const sorted *all, size_t count)
{
    double bottom = 0, top = 100 * of->min_effect;
    for (size_t i = 0; i < count; i++) {
        bottom = fmin(bottom, 100 * all[i].effect);
        top = fmax(top, 100 * all[i].effect);
    }
    double most = BAR_SHARE * (top - bottom);
    out->bottom = bottom;
    out->top = top;
    for (size_t i = 0; i < count; i++) {
        out->bottom = fmin(out->bottom, fmax(low_of(all[i].device->cell), bottom - most));
        out->top = fmax(out->top, fmin(high_of(all[i].device->cell), top + most));
    }
    double range = out->top - out->bottom;
    out->bottom -= 0.05 * range;
    out->top += KEY_SHARE * range; /* no point is behind the key */
}

/* Whether all nodes are in the domain; addresses in digits are in none. */
static bool is_domain(const fleet *of, const char *domain)
{
    size_t bytes = strlen(domain);
    if (strspn(domain, ".0123456789") == bytes)
        return false;
    for (size_t i = 0; i < of->node_count; i++) {
        const char *name = of->nodes[i].name;
        if (strlen(name) <= bytes || strcmp(name + strlen(name) - bytes, domain) != 0)
            return false;
    }
    return true;
}

static const char *find_domain(const fleet *of)
{
    const char *domain = of->node_count ? strchr(of->nodes->name, '.') : NULL;
    while (domain && !is_domain(of, domain))
        domain = strchr(domain + 1, '.');
    return domain ? domain : "";
}

/* How many names there are, and how wide. */
static void count_names(layout *out, const fleet *of)
{
    size_t bad = 0, slow = 0;
    unsigned widest = 0;
    for (size_t i = 0; i < of->device_count; i++) {
        const fleet_device *d = &of->devices[i];
        bool is_bad = !has_effect(d), is_slow = fleet_is_slow(d);
        bad += is_bad;
        slow += is_slow;
        if (!is_bad && !is_slow)
            continue;
        unsigned width = text_width(d->node) - text_width(out->domain) + 1 + text_width(d->label) +
                         (is_bad ? text_width(fleet_answer(d)) + 2 : 0);
        widest = width > widest ? width : widest;
    }
    out->names_max = (size_t)fmin(NAMES_MAX, floor(1 / out->line));
    bool is_full = bad + slow > out->names_max;
    size_t room = out->names_max - is_full; /* the last line says how many have none */
    out->bad_count = bad <= room ? bad : room;
    out->slow_count = slow <= room - out->bad_count ? slow : room - out->bad_count;
    out->more = bad + slow - out->bad_count - out->slow_count;
    double most = fmin(NAME_COLUMNS, NAME_SHARE * out->width / LETTER_WIDTH);
    out->name_width = (unsigned)fmin(widest, most);
}

/* As near to its point as names above and below allow. */
static void place_names(layout *out, const sorted *all, size_t count)
{
    size_t named = 0;
    double limit = 1 - out->line * (double)out->bad_count;
    for (size_t i = count; i-- > 0 && named < out->slow_count;)
        if (fleet_is_slow(all[i].device)) {
            double height = (100 * all[i].effect - out->bottom) / (out->top - out->bottom);
            out->names[named] = fmin(height, limit);
            limit = out->names[named++] - out->line;
        }
    double least = out->more ? out->line : 0;
    for (size_t i = named; i-- > 0; least = out->names[i] + out->line)
        out->names[i] = fmax(out->names[i], least);
}

static layout lay_out(const fleet *of, const sorted *all, size_t count)
{
    layout out = {.width = WIDTH, .domain = find_domain(of)};
    if (of->options->plot_width_mm > 0)
        out.width = of->options->plot_width_mm * 96 / 25.4;
    out.height = ASPECT * out.width;
    out.line = LINE_HEIGHT / (HEIGHT_SHARE * out.height);
    double apart = out.width / (double)(count + 1);
    out.point_size = fmax(POINT_SIZE_MIN, fmin(POINT_SIZE, POINTS_PER_PIXEL * apart));
    find_range(&out, of, all, count);
    count_names(&out, of);
    place_names(&out, all, count);
    return out;
}

/* An answer's name in the script. */
static const char *word_of(int answer)
{
    return fleet_answer_word(&(fleet_device){.answer = (fleet_device_answer)answer});
}

/* Numbers of one answer, as gnuplot's data, unless there are none. Returns how many. */
static size_t put_data(script *to, int answer, const layout *l, const sorted *all, size_t count)
{
    size_t points = 0;
    for (size_t i = 0; i < count; i++) {
        const kt_fleet_cell *cell = all[i].device->cell;
        if ((int)all[i].device->answer != answer)
            continue;
        if (points++ == 0)
            put(to, "$%s << END\n", word_of(answer));
        put(to, "%zu %.6g %.6g %.6g\n", i + 1, 100 * cell->effect, fmax(low_of(cell), l->bottom),
            fmin(high_of(cell), l->top));
    }
    if (points)
        put(to, "END\n");
    return points;
}

/* "BEFORE NODE DEVICE", the node without the domain. */
static void put_label(script *to, const char *before, const fleet_device *d, const layout *l,
                      double height)
{
    unsigned used = text_width(before);
    char *name = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&name, &bytes);
    if (file)
        fprintf(file, "%.*s %s", (int)(strlen(d->node) - strlen(l->domain)), d->node, d->label);
    bool complete = file && fclose(file) == 0;
    put(to, "set label '%s", before);
    put_shown(to, complete ? name : "", l->name_width > used + 8 ? l->name_width - used : 8);
    put(to, "' at graph 1.03, graph %.4f font ',10' noenhanced\n", height);
    to->no_memory |= !complete;
    free(name);
}

/* Devices without a time at the top, slow ones beside their points. */
static void put_names(script *to, const fleet *of, const layout *l, const sorted *all, size_t count)
{
    size_t named = 0;
    if (l->name_width)
        put(to, "set rmargin at screen %.4f\n",
            1 - (l->name_width * LETTER_WIDTH + 0.03 * l->width) / l->width);
    for (size_t i = 0; i < of->device_count && named < l->bad_count; i++) {
        const fleet_device *d = &of->devices[of->order[i]];
        char before[32];
        if (has_effect(d))
            continue;
        snprintf(before, sizeof before, "%s: ", fleet_answer(d));
        put_label(to, before, d, l, 1 - l->line * (double)named++);
    }
    named = 0;
    for (size_t i = count; i-- > 0 && named < l->slow_count;) {
        if (!fleet_is_slow(all[i].device))
            continue;
        put(to,
            "set arrow from %zu, %.6g to graph 1.025, graph %.4f nohead lw 0.7 lc rgb "
            "'#b0b0b0' back\n",
            i + 1, 100 * all[i].effect, l->names[named]);
        put_label(to, "", all[i].device, l, l->names[named++]);
    }
    double last = 1 - l->line * (double)l->bad_count;
    if (named)
        last = l->names[named - 1] - l->line;
    if (l->more)
        put(to, "set label 'and %zu more' at graph 1.03, graph %.4f font ',10' noenhanced\n",
            l->more, fmax(0, last));
}

/* What is drawn, if it is one thing, and whether it is doubtful. */
static void put_subject(script *to, const fleet *of, unsigned width)
{
    const char *model = of->group_count == 1 ? of->groups->name : NULL;
    const char *label = of->workload_count == 1 ? of->workloads->label : NULL;
    const char *doubt = of->is_median_doubtful ? "the median is doubtful" : NULL;
    if (!model && !label && !doubt)
        return;
    unsigned rest = doubt ? text_width(doubt) + 2 : 0, each = (width - rest) / 2;
    put(to, ".\"\\n\".'");
    if (model)
        put_shown(to, model, label ? each : width - rest);
    put(to, model && label ? ", " : "");
    if (label)
        put_shown(to, label, each);
    put(to, "%s%s'", (model || label) && doubt ? "; " : "", doubt ? doubt : "");
}

static void put_title(script *to, const fleet *of, const layout *l)
{
    const fleet_counts *c = &of->counts;
    const struct {
        size_t count;
        const char *what;
    } others[] = {{c->wrong, "wrong"},
                  {c->twice, "measured twice"},
                  {c->failed, "failed"},
                  {c->undecided, "undecided"},
                  {c->missing, c->missing == 1 ? "rank missing" : "ranks missing"}};
    text_number devices;
    put(to, "set title '%s device%s: %zu slow", text_count(devices, c->devices),
        text_plural(c->devices), c->slow);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i].count)
            put(to, ", %zu %s", others[i].count, others[i].what);
    put(to, "'");
    if (l->width >= NARROW)
        put_subject(to, of, (unsigned)(l->width / LETTER_WIDTH));
    put(to, " noenhanced\n");
}

/* Intervals first, so that no point is hidden by one. The key has points that can be seen. */
static void put_plots(script *to, const layout *l, const size_t *points, size_t cut)
{
    for (int i = 0; i < FLEET_ANSWER_COUNT; i++)
        if (points[i])
            put(to, ", $%s using 1:3:(0):($4-$3) with vectors nohead lw 1 lc rgb '#%s' notitle",
                word_of(i), pale_colours[i]);
    for (int i = 0; i < FLEET_ANSWER_COUNT; i++)
        if (points[i])
            put(to, ", $%s using 1:2 with points pt 7 ps %.3g lc rgb '#%s' notitle", word_of(i),
                i == FLEET_ANSWER_GOOD ? l->point_size : fmax(l->point_size, 0.6 * POINT_SIZE),
                colours[i]);
    text_number count;
    for (int i = 0; i < FLEET_ANSWER_COUNT; i++)
        if (points[i])
            put(to, ", NaN with points pt 7 ps %.3g lc rgb '#%s' title '%s (%s)'", POINT_SIZE,
                colours[i], word_of(i), text_count(count, points[i]));
    if (cut)
        put(to, ", NaN with lines lc rgb '#%s' title '%s interval%s longer than shown'",
            pale_colours[FLEET_ANSWER_UNDECIDED], text_count(count, cut),
            cut == 1 ? " is" : "s are");
}

/* Intervals that leave the figure. */
static size_t count_cut(const layout *l, const sorted *all, size_t count)
{
    size_t cut = 0;
    for (size_t i = 0; i < count; i++)
        cut += low_of(all[i].device->cell) < l->bottom || high_of(all[i].device->cell) > l->top;
    return cut;
}

/* 1, 2, 5, 10 and so on: at whole devices. */
static void put_ticks(script *to, size_t count, size_t most)
{
    size_t step = 1;
    for (unsigned i = 0; count / step > most; i++)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    put(to, "set xtics nomirror %zu,%zu,%zu\n", step, step, count ? count : step);
}

static void put_script(script *to, const fleet *of, const sorted *all, size_t count)
{
    layout l = lay_out(of, all, count);
    bool is_narrow = l.width < NARROW;
    size_t points[FLEET_ANSWER_COUNT] = {0};
    put(to, "width = %.0f; height = %.0f; lines = 1\n", l.width, l.height);
    put(to,
        "reset\nset encoding utf8\nset border 3 lc rgb '#404040'\n"
        "set grid ytics lc rgb '#e4e4e4' lw 1 dt 1\nset ytics nomirror\n"
        "set key top left Left reverse samplen %d\nset xlabel 'devices, the fastest first'\n"
        "set ylabel 'slower than the median%s (%%)'\n",
        is_narrow ? 1 : 4, is_narrow ? "" : " of the model");
    put_ticks(to, count, is_narrow ? TICKS_NARROW : TICKS);
    if (!of->options->plot_plain)
        put_title(to, of, &l);
    for (int i = 0; i < FLEET_ANSWER_COUNT; i++)
        points[i] = put_data(to, i, &l, all, count);
    put_names(to, of, &l, all, count);
    if (!count)
        put(to, "unset xtics\n"
                "set label 'no device has a time that counts' at graph 0.5, graph 0.4 center\n");
    put(to,
        "set xrange [0:%zu]\nset yrange [%.6g:%.6g]\nplot %.6g with lines lc rgb '#404040' dt 2 "
        "title '%s'",
        count + 1, l.bottom, l.top, 100 * of->min_effect,
        is_narrow ? "limit" : "smallest effect that counts");
    put_plots(to, &l, points, count_cut(&l, all, count));
    put(to, "\n");
}

static kt_status write_script(const void *user, bool points, const kt_sink *sink)
{
    const fleet *of = user;
    char *text = NULL;
    size_t bytes = 0, count;
    sorted *all = sort_devices(of, &count);
    script to = {.file = all ? open_memstream(&text, &bytes) : NULL};
    if (to.file && points)
        put_points(&to, of, all, count);
    else if (to.file)
        put_script(&to, of, all, count);
    kt_status status = KT_OK;
    if (!to.file || fclose(to.file) != 0 || to.no_memory)
        status = KT_NO_MEMORY;
    else if (sink->write(sink->user, text, bytes) != 0)
        status = KT_IO_ERROR;
    free(text);
    free(all);
    return status;
}

int fleet_plot(const fleet *of)
{
    return plot_draw(of->options, write_script, of);
}
