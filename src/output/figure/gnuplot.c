/* SPDX-License-Identifier: MIT */
/*
 * gnuplot.c - writes a document's figure as a gnuplot script with inline data.
 *
 * Texts of drivers and users occur only inside single quotes, where gnuplot expands no variables,
 * commands or escapes.
 */
#include "output/formats.h"

#include "output/figure/draw.h"
#include "output/figure/points.h"
#include "output/script.h"
#include "report/runs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LABELS_MAX   8   /* labelled sizes of an axis */
#define NOTE_BYTES   900 /* an id, a name and a driver with what separates them */
#define VARIANTS_MAX 14  /* characters of a device and of its variant in one legend */

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Shapes are filled for device time and open for wall time. Seven colours and five shapes
 * distinguish 35 curves. */
static const struct {
    int filled, open;
} shapes[] = {{7, 6}, {5, 4}, {9, 8}, {13, 12}, {11, 10}};

/* What the values of an axis are called. */
static const struct {
    const char *label, *title;
} words[] = {
    [KT_FIGURE_SPEEDUP] = {"speed-up (sequential CPU = 1)", "speed-up over one CPU core"},
    [KT_FIGURE_SPEEDUP_BEST] = {"speed-up (best CPU = 1)", "speed-up over the best CPU code"},
    [KT_FIGURE_TIME] = {"time per dispatch", "time"},
    [KT_FIGURE_GBS] = {"throughput (GB/s)", "throughput"},
    [KT_FIGURE_GFLOPS] = {"arithmetic (GFLOP/s)", "arithmetic"},
};

typedef struct figure {
    const kt_document *document;
    const kt_figure_options *options;
    const kt_throughput *copies;
    unsigned count; /* number of panels of workloads */
    kt_layout layout;
} figure;

/* ---- head and notes ---- */

/* Writes notes at the foot, or only counts their lines. */
typedef struct notes {
    const kt_layout *layout;
    kt_writer *writer; /* NULL: count */
    unsigned line, lines;
} notes;

/* Bytes of the first line of a text, which ends behind a word if it can. */
static size_t line_bytes(const char *text, size_t columns)
{
    size_t bytes = kt_script_bytes(text, columns), end = bytes;
    if (!text[bytes])
        return bytes;
    while (end > 0 && text[end] != ' ')
        end--;
    return end ? end : bytes;
}

static void put_note(notes *to, const char *text)
{
    unsigned columns = kt_layout_note_columns(to->layout);
    for (size_t bytes; *text; text += bytes + strspn(text + bytes, " "), to->line++) {
        bytes = line_bytes(text, columns);
        if (!to->writer)
            continue;
        kt_begin_foot_note(to->layout, to->line, to->lines, to->writer);
        kt_put_script_bytes(to->writer, text, bytes);
        kt_put(to->writer, "'\n");
    }
}

static void put_origin(const figure *f, notes *to)
{
    char text[NOTE_BYTES], cpu[KT_CUT_BYTES], version[KT_CUT_BYTES];
    const kt_report_origin *origin = f->document->desc.origin;
    snprintf(text, sizeof text, "%s, %u core%s, %.10s, kerntime %s",
             kt_cut_end(cpu, origin->cpu ? origin->cpu : origin->os, KT_NAME_MAX), origin->cores,
             origin->cores == 1 ? "" : "s", origin->started,
             kt_cut_end(version, origin->version, KT_LABEL_MAX));
    if (f->layout.print) {
        put_note(to, text);
        return;
    }
    kt_begin_script_label(to->writer, "screen 0, screen 1", 1, -1, 10);
    kt_put_script_bytes(to->writer, text, strlen(text));
    kt_put(to->writer, "'\n");
}

static kt_cut cut_of(const kt_panel *panel, const kt_curve *curve)
{
    kt_cut cut = {false, false};
    for (int64_t size = INT64_MIN; kt_panel_next_size(panel, &size);) {
        kt_point point = kt_curve_point(panel, curve, size);
        kt_cut_include(&cut, &panel->y, &point);
    }
    return cut;
}

static bool has_cut_bars(const figure *f)
{
    kt_cut cut = f->copies->cut;
    for (unsigned i = 0; i < f->count; i++) {
        kt_panel panel = kt_panel_describe(f->document, f->options, i);
        for (kt_curve curve = {0}; kt_panel_next_curve(&panel, &curve);) {
            kt_cut of_curve = cut_of(&panel, &curve);
            cut.below |= of_curve.below || of_curve.above;
        }
    }
    return cut.below || cut.above;
}

static void put_notes(const figure *f, notes *to)
{
    char text[NOTE_BYTES], id[KT_CUT_BYTES];
    bool copies = f->copies->panels > 0, workloads = f->count > 0 || !copies;
    int used = f->document->run_count > 1
                   ? snprintf(text, sizeof text,
                              "Medians over %u runs, bars from the lowest to the highest.",
                              f->document->run_count)
                   : snprintf(text, sizeof text, "Bars: 95 %% interval of the median.");
    if (has_cut_bars(f))
        used += snprintf(text + used, sizeof text - (size_t)used,
                         " Arrows: bars that end beyond the axis.");
    if (workloads) {
        snprintf(text + used, sizeof text - (size_t)used,
                 " A gap: not measured, or nothing to compare with.");
        put_note(to, text);
        used = 0;
    }
    if (copies) {
        snprintf(text + used, sizeof text - (size_t)used,
                 "%sA gap: not measured, or too short to rank. Device time, if not called wall "
                 "time.%s",
                 used ? " " : "", f->copies->yardstick ? " Grey: heap-heap of cpu:0." : "");
        put_note(to, text);
    }
    for (uint32_t i = 0; i < f->document->device_count; i++) {
        const kt_device_info *info = &f->document->devices[i].info;
        snprintf(text, sizeof text, "%s: %s, %s", kt_cut_middle(id, info->id, KT_LABEL_MAX),
                 info->name, info->driver);
        put_note(to, text);
    }
}

/* Writes head and foot, of so many lines; with no writer, counts the lines of the foot. */
static unsigned put_foot(const figure *f, unsigned lines, kt_writer *writer)
{
    notes to = {.layout = &f->layout, .writer = writer, .lines = lines};
    if (!f->layout.notes)
        return 0;
    if (f->layout.print || writer)
        put_origin(f, &to);
    put_notes(f, &to);
    return to.line;
}

/* ---- curves ---- */

/* Writes a curve's points. A size without a value is NaN, which leaves a gap in the line. */
static void put_data(const kt_panel *panel, const kt_curve *curve, kt_writer *writer)
{
    kt_putf(writer, "$curve%u << EOD\n", curve->number);
    for (int64_t size = INT64_MIN; kt_panel_next_size(panel, &size);) {
        kt_point point = kt_curve_point(panel, curve, size);
        kt_putf(writer, "%" PRId64, size);
        kt_put_point(writer, &point);
    }
    kt_put(writer, "EOD\n");
}

/* The name of a curve in the legend. */
static char *curve_title(const kt_panel *panel, const kt_curve *curve, char *text, size_t bytes)
{
    char device[KT_CUT_BYTES], variant[KT_CUT_BYTES];
    const char *name = kt_curve_baseline(curve);
    if (name) {
        const kt_baseline *baseline = kt_panel_baseline(panel, name, NULL);
        bool flags = baseline && baseline->flags && *baseline->flags;
        snprintf(text, bytes, "%s CPU%s%s%s", name, flags ? " (" : "",
                 flags ? kt_cut_end(device, baseline->flags, KT_LABEL_MAX) : "", flags ? ")" : "");
        return text;
    }
    bool variants = panel->variants && curve->first->variant;
    size_t max = variants ? VARIANTS_MAX : KT_LABEL_MAX;
    snprintf(text, bytes, "%s%s%s %s time", kt_cut_middle(device, curve->first->device, max),
             variants ? " " : "",
             variants ? kt_cut_middle(variant, curve->first->variant, max) : "",
             curve->kind == KT_CURVE_WALL ? "wall" : "device");
    return text;
}

static void put_curve_title(const kt_panel *panel, const kt_curve *curve, kt_writer *writer)
{
    char text[NOTE_BYTES];
    curve_title(panel, curve, text, sizeof text);
    kt_put(writer, " title '");
    kt_put_script_bytes(writer, text, strlen(text));
    kt_put(writer, "' noenhanced");
}

static void put_measured(const kt_panel *panel, const kt_curve *curve, kt_writer *writer)
{
    unsigned style = kt_curve_style(panel, curve);
    const char *colour = kt_colours[style % KT_COLOURS];
    bool wall = curve->kind == KT_CURVE_WALL;
    kt_put_bars(writer, curve->number, colour, cut_of(panel, curve));
    /* An open point hides the line below it. */
    bool line = panel->points >= KT_LINE_POINTS;
    kt_putf(writer, "  '' using 1:2 with %s lc rgb '#%s' lw 2 ps 1.1 %spt %d",
            line ? "linespoints" : "points", colour,
            !line  ? ""
            : wall ? "pi -1 dt (8,5) "
                   : "dt 1 ",
            wall ? shapes[style % COUNT(shapes)].open : shapes[style % COUNT(shapes)].filled);
    put_curve_title(panel, curve, writer);
}

static void put_curve(const kt_panel *panel, const kt_curve *curve, kt_writer *writer)
{
    if (!kt_curve_baseline(curve)) {
        put_measured(panel, curve, writer);
        return;
    }
    bool best = curve->kind == KT_CURVE_BEST, line = panel->points >= KT_LINE_POINTS;
    kt_put_bars(writer, curve->number, "707070", cut_of(panel, curve));
    kt_putf(writer, "  '' using 1:2 with %s lc rgb '#707070' lw 1 %spt %d ps 0.6",
            line ? "linespoints" : "points",
            !line  ? ""
            : best ? "dt '-.' "
                   : "dt 1 ",
            best ? 2 : 1);
    put_curve_title(panel, curve, writer);
}

/* ---- axes ---- */

static bool is_measured(const kt_panel *panel, int64_t size)
{
    for (kt_curve curve = {0}; kt_panel_next_curve(panel, &curve);)
        if (curve.first && !isnan(kt_curve_point(panel, &curve, size).value))
            return true;
    return false;
}

/* Gives each measured size a tic, and labels some. */
static void put_size_tics(const kt_panel *panel, kt_writer *writer)
{
    unsigned count = 0, index = 0, stride = 1;
    for (int64_t size = INT64_MIN; kt_panel_next_size(panel, &size);)
        count += is_measured(panel, size);
    while (stride * LABELS_MAX < count)
        stride++;
    kt_put(writer, "set xtics nomirror out (");
    for (int64_t size = INT64_MIN; kt_panel_next_size(panel, &size);) {
        if (!is_measured(panel, size))
            continue;
        char label[32];
        bool labelled = index % stride == 0;
        kt_putf(writer, "%s'%s' %" PRId64 "%s", index++ ? ", " : "",
                labelled ? kt_size_label(label, sizeof label, size) : "", size,
                labelled ? "" : " 1");
    }
    kt_put(writer, ")\n");
}

static const char *param_name(const kt_panel *panel)
{
    for (uint32_t i = 0; i < panel->document->series_count; i++) {
        const kt_series *series = &panel->document->series[i];
        if (series->param_count && strcmp(series->workload, panel->workload) == 0)
            return series->params[0].name;
    }
    return "size";
}

static void put_axes(const kt_panel *panel, kt_writer *writer)
{
    kt_put(writer, "set xlabel '");
    kt_put_script_text(writer, param_name(panel), KT_LABEL_MAX);
    if (panel->unit) {
        kt_put(writer, " (");
        kt_put_script_text(writer, panel->unit, KT_LABEL_MAX);
        kt_put(writer, ")");
    }
    kt_putf(writer, "' noenhanced\nset ylabel '%s'\n", words[panel->values].label);
    kt_axis_put(&panel->x, writer, 'x', 2);
    kt_axis_put(&panel->y, writer, 'y', 10);
    put_size_tics(panel, writer);
    kt_axis_put_tics(&panel->y, writer, panel->values == KT_FIGURE_TIME);
    kt_put_ends(writer, &panel->y);
}

/* ---- panels ---- */

/* For print, the axes tell the rest. */
static void put_title(const figure *f, const kt_panel *panel, const kt_legend *legend,
                      kt_writer *writer)
{
    if (!f->layout.titles)
        return;
    kt_begin_title(&f->layout, legend, writer);
    kt_put_script_text(writer, panel->workload, KT_LABEL_MAX);
    if (panel->variant) {
        kt_put(writer, ", ");
        kt_put_script_text(writer, panel->variant, KT_LABEL_MAX);
    }
    if (!f->layout.print && f->layout.notes) {
        kt_putf(writer, ": %s by ", words[panel->values].title);
        kt_put_script_text(writer, param_name(panel), KT_LABEL_MAX);
    }
    kt_put(writer, "'\n");
}

/* Draws an empty panel without tics, whose numbers nobody measured. */
static void put_nothing(const kt_panel *panel, kt_writer *writer)
{
    kt_putf(writer,
            "unset xtics\nunset ytics\nunset xlabel\nunset ylabel\nunset logscale\n"
            "set label '%s' at graph 0.5, graph 0.5 center\nplot [0:1] [0:1] NaN notitle\n",
            panel->values == KT_FIGURE_TIME ? "nothing was measured" : "there are no such values");
}

/* The baseline that is 1, as a curve without points. */
static kt_curve reference_curve(const kt_panel *panel)
{
    bool best = panel->values == KT_FIGURE_SPEEDUP_BEST;
    return (kt_curve){.kind = best ? KT_CURVE_BEST : KT_CURVE_SEQUENTIAL};
}

static void put_curves(const kt_panel *panel, kt_writer *writer)
{
    for (kt_curve curve = {0}; kt_panel_next_curve(panel, &curve);)
        put_data(panel, &curve, writer);
    kt_put(writer, "plot ");
    for (kt_curve curve = {0}; kt_panel_next_curve(panel, &curve);) {
        kt_put(writer, curve.number > 1 ? ", \\\n  " : "");
        put_curve(panel, &curve, writer);
    }
    if (kt_panel_reference(panel)) {
        kt_curve one = reference_curve(panel);
        kt_put(writer, ", \\\n  1 with lines lc rgb '#707070' lw 1 dt 1");
        put_curve_title(panel, &one, writer);
    }
    kt_put(writer, "\n");
}

static kt_legend legend_of(const kt_panel *panel)
{
    char text[NOTE_BYTES];
    kt_legend legend = {.entries = panel->curves};
    for (kt_curve curve = {0}; kt_panel_next_curve(panel, &curve);)
        kt_legend_include(&legend, curve_title(panel, &curve, text, sizeof text));
    if (kt_panel_reference(panel)) {
        kt_curve one = reference_curve(panel);
        legend.entries++;
        kt_legend_include(&legend, curve_title(panel, &one, text, sizeof text));
    }
    return legend;
}

static void put_panel(const figure *f, unsigned number, kt_writer *writer)
{
    kt_panel panel = kt_panel_describe(f->document, f->options, number);
    kt_legend legend = legend_of(&panel);
    put_title(f, &panel, &legend, writer);
    kt_put_legend(&f->layout, &legend, writer);
    if (panel.measured) {
        put_axes(&panel, writer);
        put_curves(&panel, writer);
    } else {
        put_nothing(&panel, writer);
    }
    kt_put(writer, "unset label\n");
}

static void lay_out(figure *f)
{
    kt_legend most = f->copies->legend;
    for (unsigned i = 0; i < f->count; i++) {
        kt_panel panel = kt_panel_describe(f->document, f->options, i);
        kt_legend legend = legend_of(&panel);
        most.entries = legend.entries > most.entries ? legend.entries : most.entries;
        most.longest = legend.longest > most.longest ? legend.longest : most.longest;
    }
    f->layout = kt_layout_begin(f->options, f->count + f->copies->panels, f->count > 0, &most);
}

static void print_script(figure *f, kt_writer *writer)
{
    lay_out(f);
    unsigned lines = put_foot(f, 0, NULL);
    kt_layout_close(&f->layout, lines);
    kt_put_layout(&f->layout, writer);
    put_foot(f, lines, writer);
    for (unsigned i = 0; i < f->count; i++)
        put_panel(f, i, writer);
    kt_put_throughput(f->copies, &f->layout, writer);
    kt_put(writer, "unset multiplot\n");
}

void kt_print_figure(const kt_document *document, const kt_figure_options *options,
                     kt_writer *writer)
{
    kt_over_runs over;
    kt_throughput copies;
    if (!kt_gather_runs(&over, document)) {
        writer->status = KT_NO_MEMORY;
        return;
    }
    if (kt_gather_throughput(&copies, &over.document)) {
        figure f = {.document = &over.document,
                    .options = options,
                    .copies = &copies,
                    .count = kt_panel_count(&over.document)};
        if (options->points)
            kt_print_points(&over.document, options, &copies, writer);
        else
            print_script(&f, writer);
        kt_free_throughput(&copies);
    } else {
        writer->status = KT_NO_MEMORY;
    }
    kt_free_runs(&over);
}

void kt_print_gnuplot(const kt_document *document, kt_writer *writer)
{
    static const kt_figure_options usual;
    kt_print_figure(document, &usual, writer);
}
