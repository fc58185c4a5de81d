/*
 * plot.c - all devices by effect, with intervals; the suspects have names.
 *
 * Names occur only inside single quotes, where gnuplot expands nothing.
 */
#include "cli/output/plot_file.h"

#include "cli/fleet/fleet.h"
#include "cli/output/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MAX        20
#define NAME_MAX         40 /* characters */
#define GOOD_COLOUR      "0072B2"
#define SLOW_COLOUR      "D55E00"
#define UNDECIDED_COLOUR "909090"

typedef struct script {
    const kt_sink *sink;
    bool failed;
} script;

__attribute__((format(printf, 2, 3))) static void put(script *to, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!to->failed)
        to->failed = to->sink->write(to->sink->user, text, strlen(text)) != 0;
}

/* The inside of a quoted string. gnuplot escapes all markup of an SVG but "&#" and "]>". */
static void put_name(script *to, const char *text)
{
    char before = '\0';
    for (size_t count = 0; *text && count < NAME_MAX; count++) {
        size_t bytes = text_sequence(text);
        if (bytes == 0 || (unsigned char)*text < 0x20 || *text == 0x7F)
            put(to, " ");
        else if (*text == '\'')
            put(to, "''");
        else
            put(to, "%s%.*s",
                (before == '&' && *text == '#') || (before == ']' && *text == '>') ? " " : "",
                (int)bytes, text);
        before = *text;
        text += text_next(text);
    }
}

static void put_field(script *to, const char *text)
{
    put(to, "\"%s", text_is_formula(text) ? "'" : "");
    for (; *text; text += text_next(text)) {
        size_t bytes = text_sequence(text);
        if (bytes == 0 || (unsigned char)*text < 0x20)
            put(to, "\xEF\xBF\xBD"); /* U+FFFD */
        else if (*text == '"')
            put(to, "\"\"");
        else
            put(to, "%.*s", (int)bytes, text);
    }
    put(to, "\",");
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

static void put_points(script *to, const fleet *of, const sorted *all, size_t count)
{
    put(to, "node,device,model,workload,answer,effect,effect_low,effect_high\n");
    for (size_t i = 0; i < count; i++) {
        const fleet_device *d = all[i].device;
        put_field(to, d->node);
        put_field(to, d->label);
        put_field(to, of->groups[d->group].name);
        put_field(to, of->workloads[d->workload].label);
        put(to, "%s,%.12g", fleet_answer(d), all[i].effect);
        if (isnan(d->cell->low))
            put(to, ",,\n");
        else
            put(to, ",%.12g,%.12g\n", d->cell->low, d->cell->high);
    }
}

/* Numbers of one answer, as gnuplot's data. */
static void put_data(script *to, const char *name, kt_fleet_answer answer, const sorted *all,
                     size_t count)
{
    put(to, "$%s << END\n", name);
    for (size_t i = 0; i < count; i++) {
        const kt_fleet_cell *cell = all[i].device->cell;
        double low = isnan(cell->low) ? cell->effect : cell->low,
               high = isnan(cell->high) ? cell->effect : cell->high;
        if (cell->answer == answer)
            put(to, "%zu %.6g %.6g %.6g\n", i + 1, 100 * cell->effect, 100 * low, 100 * high);
    }
    put(to, "END\n");
}

/* To the left of its point: the slowest are at the right edge. */
static void put_names(script *to, const sorted *all, size_t count)
{
    size_t named = 0;
    for (size_t i = count; i-- > 0 && named < NAMES_MAX;) {
        const fleet_device *d = all[i].device;
        if (!fleet_is_slow(d))
            continue;
        named++;
        put(to, "set label '");
        put_name(to, d->node);
        put(to, " ");
        put_name(to, d->label);
        put(to, "' at %zu, %.6g right offset -1, 0 font ',10' noenhanced\n", i + 1,
            100 * all[i].effect);
    }
}

static void put_script(script *to, const fleet *of, const sorted *all, size_t count)
{
    bool is_plain = of->options->plot_plain;
    static const char *const names[] = {
        [KT_FLEET_GOOD] = "good", [KT_FLEET_SLOW] = "slow", [KT_FLEET_UNDECIDED] = "undecided"};
    static const char *const colours[] = {[KT_FLEET_GOOD] = GOOD_COLOUR,
                                          [KT_FLEET_SLOW] = SLOW_COLOUR,
                                          [KT_FLEET_UNDECIDED] = UNDECIDED_COLOUR};
    double width = of->options->plot_width_mm > 0 ? of->options->plot_width_mm * 96 / 25.4 : 1000;
    put(to, "width = %.0f; height = %.0f; lines = 1\n", width, 0.56 * width);
    put(to, "reset\nset encoding utf8\nset border 3 lc rgb '#404040'\n"
            "set grid ytics lc rgb '#e4e4e4' lw 1 dt 1\nset xtics nomirror\nset ytics nomirror\n"
            "set key top left\nset xlabel 'devices, the fastest first'\n"
            "set ylabel 'slower than the median of the model (%%)'\n");
    if (!is_plain)
        put(to, "set title '%zu devices: %zu slow' noenhanced\n", of->device_count,
            of->counts.slow);
    for (int i = 0; i <= KT_FLEET_UNDECIDED; i++)
        put_data(to, names[i], (kt_fleet_answer)i, all, count);
    put_names(to, all, count);
    put(to,
        "set xrange [0:%zu]\nplot %.6g with lines lc rgb '#404040' dt 2 title "
        "'smallest effect that counts'",
        count + 1, 100 * of->min_effect);
    for (int i = 0; i <= KT_FLEET_UNDECIDED; i++) {
        size_t points = 0;
        for (size_t k = 0; k < count; k++)
            points += all[k].device->cell->answer == (kt_fleet_answer)i;
        if (points)
            put(to, ", $%s with yerrorbars pt 7 ps 0.5 lc rgb '#%s' title '%s (%zu)'", names[i],
                colours[i], names[i], points);
    }
    put(to, "\n");
}

static kt_status write_script(const void *user, bool points, const kt_sink *sink)
{
    const fleet *of = user;
    script to = {.sink = sink};
    size_t count;
    sorted *all = sort_devices(of, &count);
    if (!all)
        return KT_NO_MEMORY;
    if (points)
        put_points(&to, of, all, count);
    else
        put_script(&to, of, all, count);
    free(all);
    return to.failed ? KT_IO_ERROR : KT_OK;
}

int fleet_plot(const fleet *of)
{
    return plot_draw(of->options, write_script, of);
}
