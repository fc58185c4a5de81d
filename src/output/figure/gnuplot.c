/*
 * gnuplot.c - writes a document's figure as a gnuplot script with inline data.
 *
 * Texts of drivers and users occur only inside single quotes, where gnuplot expands no variables,
 * commands or escapes.
 */
#include "output/formats.h"

#include "output/figure/figure.h"
#include "output/figure/throughput.h"
#include "output/script.h"
#include "report/runs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Assumptions of the layout: width and text line in pixels; heights in lines; digits that an axis
 * has room for beside the longest legend; longest texts in characters. */
#define WIDTH        1000
#define LINE_HEIGHT  18
#define HEAD_LINES   1.5
#define FOOT_LINES   1.7 /* height of the notes, without the lines of the devices */
#define PANEL_LINES  30
#define AROUND_LINES 8    /* height of a panel's parts above and below its axes */
#define LEGEND_LINES 1.25 /* height of a curve's legend entry */
#define AXIS_DIGITS  44
#define LEFT         0.012 /* left edge of texts, as a share of the width */
/* Distance between points of one size, as a share of the x axis. The points of one size together
 * take at most SPREAD_SHARE of the axis, and SPREAD_GAP of the distance to the next size. */
#define PLACE_SHARE  0.014
#define SPREAD_SHARE 0.1
#define SPREAD_GAP   0.4

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Okabe and Ito's colours, distinguishable by colour-blind readers, ordered so that neighbours
 * differ in lightness. Shapes are filled for device time and open for wall time. Seven colours and
 * five shapes distinguish 35 curves. */
static const char *const colours[] = {"0072B2", "E69F00", "000000", "D55E00",
                                      "56B4E9", "009E73", "CC79A7"};
static const struct {
    int filled, open;
} shapes[] = {{7, 6}, {5, 4}, {9, 8}, {13, 12}, {11, 10}};

/* Layout of a figure. Positions and heights are in lines of text, positions from the top. */
typedef struct layout {
    double lines; /* height of the whole figure */
    double foot;  /* position of the notes below all panels */
    unsigned columns;
    bool workloads, both; /* figure has panels of workloads; of workloads and of copies */
    const kt_throughput *copies;
} layout;

/* ---- texts ---- */

static void begin_label(const layout *l, kt_writer *writer, double line, int points)
{
    kt_begin_script_label(writer, LEFT / l->columns, 1 - line / l->lines, points);
}

static void put_foot(const kt_document *document, const layout *l, kt_writer *writer)
{
    double line = l->foot + 0.5;
    begin_label(l, writer, line, 10);
    if (document->run_count > 1)
        kt_putf(writer, "Medians over %u runs, bars from the lowest to the highest. ",
                document->run_count);
    else
        kt_put(writer, "Bars: 95 % interval of the median. ");
    if (l->workloads)
        kt_put(writer, "Points of one size are side by side. "
                       "A gap: not measured, or nothing to compare with.'\n");
    if (l->both)
        begin_label(l, writer, line += 1, 10);
    if (l->copies->panels)
        kt_putf(writer,
                "A gap: not measured, or too short to rank. Device time, if not called wall "
                "time.%s'\n",
                l->copies->yardstick ? " Grey: heap-heap of cpu:0." : "");
    for (uint32_t i = 0; i < document->device_count; i++) {
        const kt_device_info *info = &document->devices[i].info;
        begin_label(l, writer, line += 1, 10);
        kt_put_script_text(writer, info->id, KT_LABEL_MAX);
        kt_put(writer, ": ");
        kt_put_script_text(writer, info->name, KT_NAME_MAX);
        kt_put(writer, ", ");
        kt_put_script_text(writer, info->driver, KT_DRIVER_MAX);
        kt_put(writer, "'\n");
    }
}

static void put_head(const kt_document *document, const layout *l, kt_writer *writer)
{
    begin_label(l, writer, 1, 10);
    const kt_report_origin *origin = document->origin;
    kt_put_script_text(writer, origin->cpu ? origin->cpu : origin->os, KT_DRIVER_MAX);
    kt_putf(writer, ", %u core%s, ", origin->cores, origin->cores == 1 ? "" : "s");
    char date[sizeof "2026-01-31"];
    snprintf(date, sizeof date, "%s", origin->started);
    kt_put_script_text(writer, date, sizeof date);
    kt_put(writer, ", kerntime ");
    kt_put_script_text(writer, origin->version, KT_LABEL_MAX);
    kt_put(writer, "'\n");
}

/* ---- curves ---- */

/* Writes a curve's points. A size without a value is NaN, which leaves a gap in the line. */
static void put_data(const kt_panel *panel, const kt_curve *curve, kt_writer *writer)
{
    kt_putf(writer, "$curve%u << EOD\n", curve->number);
    for (int64_t size = INT64_MIN; kt_panel_next_size(panel, &size);) {
        kt_point point = kt_curve_point(panel, curve, size);
        kt_putf(writer, "%" PRId64, size);
        kt_put_value(writer, point.value);
        kt_put_value(writer, point.low);
        kt_put_value(writer, point.high);
        kt_put(writer, "\n");
    }
    kt_put(writer, "EOD\n");
}

static void put_measured(const kt_panel *panel, const kt_curve *curve, kt_writer *writer)
{
    unsigned style = kt_curve_style(panel, curve), number = curve->number;
    const char *colour = colours[style % COUNT(colours)];
    bool wall = curve->kind == KT_CURVE_WALL;
    /* Distance from the middle of the points of one size, in half places. */
    int halves = 2 * (int)number - (int)panel->measured - 1;
    kt_putf(writer,
            "$curve%u using (at($1, %d)):2:3:4 with yerrorbars lc rgb '#%s' lw 1 pt -1 ps 0.5 "
            "notitle, \\\n",
            number, halves, colour);
    /* An open point hides the line below it. */
    kt_putf(writer, "  '' using (at($1, %d)):2 with linespoints lc rgb '#%s' lw 2 ps 1.1 %s pt %d",
            halves, colour, wall ? "pi -1 dt (8,5)" : "dt 1",
            wall ? shapes[style % COUNT(shapes)].open : shapes[style % COUNT(shapes)].filled);
    kt_put(writer, " title '");
    kt_put_script_text(writer, curve->first->device, KT_LABEL_MAX);
    if (panel->variants && curve->first->variant) {
        kt_put(writer, " ");
        kt_put_script_text(writer, curve->first->variant, KT_LABEL_MAX);
    }
    kt_put(writer, wall ? " wall time' noenhanced" : " device time' noenhanced");
}

static void put_baseline_name(const kt_panel *panel, const char *name, kt_writer *writer)
{
    const kt_baseline *baseline = kt_panel_baseline(panel, name, NULL);
    kt_putf(writer, " title '%s CPU", name);
    if (baseline && baseline->flags) {
        kt_put(writer, " (");
        kt_put_script_text(writer, baseline->flags, KT_LABEL_MAX);
        kt_put(writer, ")");
    }
    kt_put(writer, "' noenhanced");
}

static void put_curve(const kt_panel *panel, const kt_curve *curve, kt_writer *writer)
{
    if (curve->kind != KT_CURVE_BEST) {
        put_measured(panel, curve, writer);
        return;
    }
    kt_putf(writer, "$curve%u using 1:2 with linespoints lc rgb '#707070' lw 1 dt '-.' pt 2 ps 0.6",
            curve->number);
    put_baseline_name(panel, "best", writer);
}

/* ---- axes ---- */

static bool is_measured(const kt_panel *panel, int64_t size)
{
    for (kt_curve curve = {0}; kt_panel_next_curve(panel, &curve);)
        if (curve.kind != KT_CURVE_BEST && !isnan(kt_curve_point(panel, &curve, size).value))
            return true;
    return false;
}

/* Whether each `stride`th measured size has room for its label. */
static bool labels_fit(const kt_panel *panel, unsigned stride)
{
    double free_from = -INFINITY; /* the first label always fits */
    unsigned index = 0;
    for (int64_t size = INT64_MIN; kt_panel_next_size(panel, &size);) {
        if (!is_measured(panel, size) || index++ % stride)
            continue;
        char label[32];
        double half = strlen(kt_size_label(label, sizeof label, size)) / 2.0 / AXIS_DIGITS;
        double share = kt_axis_share(&panel->x, (double)size);
        if (share - half < free_from)
            return false;
        free_from = share + half + 2.0 / AXIS_DIGITS;
    }
    return true;
}

/* Gives each measured size a tic, and labels as many as fit. */
static void put_size_tics(const kt_panel *panel, kt_writer *writer)
{
    unsigned stride = 1, index = 0;
    while (!labels_fit(panel, stride))
        stride *= 2;
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

/* Points of one size lie side by side: at() shifts a size by a number of half places. */
static void put_places(const kt_panel *panel, kt_writer *writer)
{
    double share = PLACE_SHARE, before = NAN;
    unsigned count = panel->measured ? panel->measured : 1;
    for (int64_t size = INT64_MIN; kt_panel_next_size(panel, &size);) {
        double at = kt_axis_share(&panel->x, (double)size);
        /* fmin() ignores the NaN of the first size. */
        share = fmin(share, SPREAD_GAP * (at - before) / count);
        before = at;
    }
    share = fmin(share, SPREAD_SHARE / count);
    bool log = panel->x.log;
    kt_put(writer, log ? "at(size, halves) = size * " : "at(size, halves) = size + ");
    kt_put_decimals(writer,
                    log ? pow(panel->x.high / panel->x.low, share / 2)
                        : (panel->x.high - panel->x.low) * share / 2,
                    6);
    kt_put(writer, log ? " ** halves\n" : " * halves\n");
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
    kt_putf(writer, "' noenhanced\nset ylabel '%s'\n",
            panel->speedups ? "speed-up (sequential CPU = 1)" : "time per dispatch");
    kt_axis_put(&panel->x, writer, 'x', 2);
    kt_axis_put(&panel->y, writer, 'y', 10);
    put_size_tics(panel, writer);
    kt_axis_put_tics(&panel->y, writer, !panel->speedups);
    put_places(panel, writer);
}

/* ---- panels ---- */

static double panel_lines(const kt_panel *panel)
{
    return fmax(PANEL_LINES, AROUND_LINES + LEGEND_LINES * (panel->measured + 2));
}

static void begin_panel(const kt_panel *panel, const layout *l, double top, kt_writer *writer)
{
    double height = panel_lines(panel);
    kt_put(writer, "set origin 0, ");
    kt_put_decimals(writer, 1 - (top + height) / l->lines, 4);
    kt_putf(writer, "\nset size %s, ", l->columns > 1 ? "0.5" : "1");
    kt_put_decimals(writer, height / l->lines, 4);
    kt_put(writer, "\n");
    begin_label(l, writer, top + 1, 15);
    kt_put_script_text(writer, panel->workload, KT_LABEL_MAX);
    if (panel->variant) {
        kt_put(writer, ", ");
        kt_put_script_text(writer, panel->variant, KT_LABEL_MAX);
    }
    kt_put(writer, panel->speedups ? ": speed-up over one CPU core by " : ": time by ");
    kt_put_script_text(writer, param_name(panel), KT_LABEL_MAX);
    kt_put(writer, "'\n");
}

/* Draws an empty panel without tics, whose numbers nobody measured. */
static void put_nothing(kt_writer *writer)
{
    kt_put(writer, "unset xtics\nunset ytics\nunset xlabel\nunset ylabel\nunset logscale\n"
                   "set label 'nothing was measured' at graph 0.5, graph 0.5 center\n"
                   "plot [0:1] [0:1] NaN notitle\n");
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
    if (panel->speedups) {
        kt_put(writer, ", \\\n  1 with lines lc rgb '#707070' lw 1 dt 1");
        put_baseline_name(panel, "sequential", writer);
    }
    kt_put(writer, "\n");
}

static layout make_layout(const kt_document *document, const kt_throughput *copies)
{
    layout l = {.foot = HEAD_LINES + copies->lines,
                .copies = copies,
                .columns = copies->panels ? copies->columns : 1};
    unsigned count = kt_panel_count(document);
    for (unsigned i = 0; i < count; i++) {
        kt_panel panel = kt_panel_describe(document, i);
        l.foot += panel_lines(&panel);
    }
    l.workloads = count > 0 || copies->panels == 0;
    l.both = l.workloads && copies->panels > 0;
    l.lines = l.foot + FOOT_LINES + l.both + document->device_count;
    return l;
}

static void print_script(const kt_document *document, const kt_throughput *copies,
                         kt_writer *writer)
{
    layout l = make_layout(document, copies);
    double top = HEAD_LINES;
    unsigned count = kt_panel_count(document);
    kt_putf(writer, "width = %u; height = %.0f\n", WIDTH * l.columns, ceil(l.lines * LINE_HEIGHT));
    kt_put(writer, "reset\nset encoding utf8\n"
                   "set key outside right top Left reverse noenhanced spacing 1.2 samplen 3\n"
                   "set border 3 lc rgb '#404040'\nset bars 0.7\n"
                   "set grid ytics lc rgb '#d8d8d8' lw 1 dt 1\nset tmargin 3\nset lmargin 11\n"
                   "set multiplot\n");
    put_head(document, &l, writer);
    put_foot(document, &l, writer);
    for (unsigned i = 0; i < count; i++) {
        kt_panel panel = kt_panel_describe(document, i);
        begin_panel(&panel, &l, top, writer);
        if (panel.measured) {
            put_axes(&panel, writer);
            put_curves(&panel, writer);
        } else {
            put_nothing(writer);
        }
        kt_put(writer, "unset label\n");
        top += panel_lines(&panel);
    }
    kt_put_throughput(copies, top, l.lines, writer);
    kt_put(writer, "unset multiplot\n");
}

void kt_print_gnuplot(const kt_document *document, kt_writer *writer)
{
    kt_over_runs over;
    kt_throughput copies;
    if (!kt_gather_runs(&over, document)) {
        writer->status = KT_NO_MEMORY;
        return;
    }
    if (kt_lay_out_throughput(&copies, &over.document)) {
        print_script(&over.document, &copies, writer);
        kt_free_throughput(&copies);
    } else {
        writer->status = KT_NO_MEMORY;
    }
    kt_free_runs(&over);
}
