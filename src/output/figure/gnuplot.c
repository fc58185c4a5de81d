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

/* Sizes in pixels; heights of texts in lines; longest texts in characters. gnuplot places the panels;
 * around their axes stay a title and the labels of the axes, and the legend on the right. */
#define LINE_HEIGHT   18
#define HEAD_LINES    2
#define COLUMN_WIDTH  1000
#define AXES_LEFT     110
#define LEGEND_WIDTH  275
#define LEGEND_WIDER  400 /* with names of devices */
#define PANEL_LINES   25.0
#define AROUND_LINES  7 /* of a panel above and below its axes */
#define BELOW_HEIGHT  72
#define AROUND_HEIGHT (AROUND_LINES * LINE_HEIGHT)
#define LEGEND_LINES  1.25 /* height of a curve's legend entry */
/* Most panels in one column and in two. */
#define ONE_COLUMN_MAX  4
#define TWO_COLUMNS_MAX 12
#define LABELS_MAX      8 /* labelled sizes of an axis */
/* Distance between points of one size, as a share of the x axis and of the distance of sizes. */
#define PLACE_SHARE 0.014
#define SPREAD_GAP  0.4

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Okabe and Ito's colours, distinguishable by colour-blind readers, ordered so that neighbours
 * differ in lightness. Shapes are filled for device time and open for wall time. Seven colours and
 * five shapes distinguish 35 curves. */
static const char *const colours[] = {"0072B2", "E69F00", "000000", "D55E00",
                                      "56B4E9", "009E73", "CC79A7"};
static const struct {
    int filled, open;
} shapes[] = {{7, 6}, {5, 4}, {9, 8}, {13, 12}, {11, 10}};

/* ---- texts around the panels ---- */

static void begin_foot(kt_writer *writer, unsigned lines_below)
{
    kt_begin_script_label(writer, "screen 0, screen 0", 1, lines_below + 1.0, 10);
}

static void put_foot(const kt_document *document, bool workloads, const kt_throughput *copies,
                     kt_writer *writer)
{
    unsigned line = document->device_count + (workloads && copies->panels);
    begin_foot(writer, line);
    if (document->run_count > 1)
        kt_putf(writer, "Medians over %u runs, bars from the lowest to the highest. ",
                document->run_count);
    else
        kt_put(writer, "Bars: 95 % interval of the median. ");
    if (workloads)
        kt_put(writer, "Points of one size are side by side. "
                       "A gap: not measured, or nothing to compare with.'\n");
    if (workloads && copies->panels)
        begin_foot(writer, --line);
    if (copies->panels)
        kt_putf(writer,
                "A gap: not measured, or too short to rank. Device time, if not called wall "
                "time.%s'\n",
                copies->yardstick ? " Grey: heap-heap of cpu:0." : "");
    for (uint32_t i = 0; i < document->device_count; i++) {
        const kt_device_info *info = &document->devices[i].info;
        begin_foot(writer, --line);
        kt_put_script_text(writer, info->id, KT_LABEL_MAX);
        kt_put(writer, ": ");
        kt_put_script_text(writer, info->name, KT_NAME_MAX);
        kt_put(writer, ", ");
        kt_put_script_text(writer, info->driver, KT_DRIVER_MAX);
        kt_put(writer, "'\n");
    }
}

static void put_head(const kt_document *document, kt_writer *writer)
{
    const kt_report_origin *origin = document->desc.origin;
    kt_begin_script_label(writer, "screen 0, screen 1", 1, -1, 10);
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

/* Points of one size lie side by side: at() shifts a size by a number of half places. */
static void put_places(const kt_panel *panel, kt_writer *writer)
{
    unsigned sizes = 0;
    for (int64_t size = INT64_MIN; kt_panel_next_size(panel, &size);)
        sizes++;
    double share = fmin(PLACE_SHARE, SPREAD_GAP / (sizes * panel->measured));
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

static void put_title(const kt_panel *panel, kt_writer *writer)
{
    kt_begin_script_label(writer, "graph 0, graph 1", 0, 1, 15);
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

/* Begins the figure: rows of equal panels, as high as the longest legend. */
static void begin_figure(const kt_document *document, unsigned count, const kt_throughput *copies,
                         kt_writer *writer)
{
    unsigned all = count + copies->panels, foot = 2 + document->device_count;
    unsigned columns = 1 + (all > ONE_COLUMN_MAX) + (all > TWO_COLUMNS_MAX);
    unsigned rows = all ? (all + columns - 1) / columns : 1;
    int legend = count ? LEGEND_WIDER : LEGEND_WIDTH;
    double lines = fmax(PANEL_LINES, AROUND_LINES + LEGEND_LINES * copies->legend_lines);
    for (unsigned i = 0; i < count; i++) {
        kt_panel panel = kt_panel_describe(document, i);
        lines = fmax(lines, AROUND_LINES + LEGEND_LINES * (panel.measured + 2));
    }
    kt_putf(writer, "width = %u; height = %.0f\n", COLUMN_WIDTH * columns,
            ceil((HEAD_LINES + foot + rows * lines) * LINE_HEIGHT));
    kt_put(writer, "reset\nset encoding utf8\n"
                   "set key at graph 1.02, graph 1 left top Left reverse noenhanced spacing 1.2 "
                   "samplen 3\nset border 3 lc rgb '#404040'\nset bars 0.7\n"
                   "set grid ytics lc rgb '#d8d8d8' lw 1 dt 1\n");
    kt_putf(writer,
            "set multiplot layout %u, %u margins %d.0 / width, 1 - %d.0 / width, %d.0 / height, "
            "1 - %d.0 / height spacing %d.0 / width, %d.0 / height\n",
            rows, columns, AXES_LEFT, legend, (int)foot * LINE_HEIGHT + BELOW_HEIGHT,
            HEAD_LINES * LINE_HEIGHT + AROUND_HEIGHT - BELOW_HEIGHT, AXES_LEFT + legend,
            AROUND_HEIGHT);
}

static void print_script(const kt_document *document, const kt_throughput *copies,
                         kt_writer *writer)
{
    unsigned count = kt_panel_count(document);
    begin_figure(document, count, copies, writer);
    put_head(document, writer);
    put_foot(document, count > 0 || !copies->panels, copies, writer);
    for (unsigned i = 0; i < count; i++) {
        kt_panel panel = kt_panel_describe(document, i);
        put_title(&panel, writer);
        if (panel.measured) {
            put_axes(&panel, writer);
            put_curves(&panel, writer);
        } else {
            put_nothing(writer);
        }
        kt_put(writer, "unset label\n");
    }
    kt_put_throughput(copies, writer);
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
    if (kt_gather_throughput(&copies, &over.document)) {
        print_script(&over.document, &copies, writer);
        kt_free_throughput(&copies);
    } else {
        writer->status = KT_NO_MEMORY;
    }
    kt_free_runs(&over);
}
