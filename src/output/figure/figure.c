/* SPDX-License-Identifier: MIT */
#include "output/figure/figure.h"

#include "report/runs.h"

#include <math.h>
#include <string.h>

static bool same_curve(const kt_series *a, const kt_series *b)
{
    return kt_same_text(a->workload, b->workload) && kt_same_text(a->device, b->device) &&
           kt_same_text(a->variant, b->variant);
}

static int64_t size_of(const kt_param *params, uint32_t count)
{
    return count ? params[0].value : 1;
}

/* ---- points ---- */

/* The series of a curve at one size. A device time is that of the only step or of all steps
 * together. */
static const kt_series *find_series(const kt_panel *panel, const kt_curve *curve, int64_t size)
{
    const kt_series *found = NULL;
    for (uint32_t i = 0; i < panel->document->series_count; i++) {
        const kt_series *series = &panel->document->series[i];
        bool wall = curve->kind == KT_CURVE_WALL;
        if (!same_curve(series, curve->first) || kt_series_is_wall(series) != wall ||
            size_of(series->params, series->param_count) != size)
            continue;
        if (strcmp(series->step, wall ? "wall" : "total") == 0)
            return series;
        if (!found && !wall)
            found = series;
    }
    return found;
}

const kt_baseline *kt_panel_baseline(const kt_panel *panel, const char *name, const int64_t *size)
{
    for (uint32_t i = 0; i < panel->document->baseline_count; i++) {
        const kt_baseline *baseline = &panel->document->baselines[i];
        if (kt_same_text(baseline->workload, panel->workload) &&
            kt_same_text(baseline->name, name) &&
            (!size || size_of(baseline->params, baseline->param_count) == *size))
            return baseline;
    }
    return NULL;
}

const char *kt_panel_reference(const kt_panel *panel)
{
    return panel->values == KT_FIGURE_SPEEDUP        ? "sequential"
           : panel->values == KT_FIGURE_SPEEDUP_BEST ? "best"
                                                     : NULL;
}

const char *kt_curve_baseline(const kt_curve *curve)
{
    return curve->kind == KT_CURVE_SEQUENTIAL ? "sequential"
           : curve->kind == KT_CURVE_BEST     ? "best"
                                              : NULL;
}

void kt_find_bar(const kt_document *document, const kt_series *series, double *low, double *high)
{
    const kt_summary *summary = &series->summary;
    bool spread = kt_has_spread(document, series);
    *low = *high = NAN;
    if (spread || document->run_count <= 1) {
        *low = spread ? summary->min : summary->ci95_low;
        *high = spread ? summary->max : summary->ci95_high;
    }
}

kt_point kt_rate_point(double amount, double ns, double low_ns, double high_ns)
{
    return (kt_point){kt_rate(amount, ns), kt_rate(amount, high_ns),
                      low_ns <= 0 ? INFINITY : kt_rate(amount, low_ns)};
}

/* Bytes or operations of the work at one size: the most of its series, which is the whole. */
static double amount_at(const kt_panel *panel, int64_t size)
{
    double amount = NAN;
    for (uint32_t i = 0; i < panel->document->series_count; i++) {
        const kt_series *series = &panel->document->series[i];
        if (kt_same_text(series->workload, panel->workload) &&
            size_of(series->params, series->param_count) == size)
            amount = fmax(amount, panel->values == KT_FIGURE_GBS ? series->bytes : series->flops);
    }
    return amount;
}

/* The baseline that is 1 in a panel of speed-ups, at one size; NULL: none. */
static const kt_baseline *reference_at(const kt_panel *panel, int64_t size)
{
    const char *name = kt_panel_reference(panel);
    return name ? kt_panel_baseline(panel, name, &size) : NULL;
}

/* Dividend of a panel's rates: the time of the baseline that is 1, or bytes or operations. */
static double dividend(const kt_panel *panel, int64_t size)
{
    const kt_baseline *baseline = reference_at(panel, size);
    if (baseline)
        return baseline->summary.median;
    return kt_panel_reference(panel) ? NAN : amount_at(panel, size);
}

/* Adds the uncertainty of the baseline to that of a speed-up, as kt_ratio_of_medians() does. */
static void widen(const kt_panel *panel, int64_t size, kt_point *point)
{
    const kt_baseline *baseline = reference_at(panel, size);
    if (!baseline)
        return;
    const kt_summary *below = &baseline->summary;
    point->low = point->value *
                 exp(-hypot(log(below->median / below->ci95_low), log(point->value / point->low)));
    point->high = point->value * exp(hypot(log(below->ci95_high / below->median),
                                           log(point->high / point->value)));
    if (isnan(point->low) || isnan(point->high))
        point->low = point->high = NAN;
}

static kt_point point_of(const kt_panel *panel, int64_t size, double ns, double low, double high)
{
    kt_point point = {ns, low, high};
    if (panel->values != KT_FIGURE_TIME)
        point = kt_rate_point(dividend(panel, size), ns, low, high);
    if (isnan(point.low) || isnan(point.high))
        point.low = point.high = NAN;
    return point;
}

kt_point kt_curve_point(const kt_panel *panel, const kt_curve *curve, int64_t size)
{
    kt_point point = {NAN, NAN, NAN};
    const char *name = kt_curve_baseline(curve);
    const kt_baseline *baseline = name ? kt_panel_baseline(panel, name, &size) : NULL;
    const kt_series *series = curve->first ? find_series(panel, curve, size) : NULL;
    if (baseline) {
        point = point_of(panel, size, baseline->summary.median, baseline->summary.ci95_low,
                         baseline->summary.ci95_high);
        widen(panel, size, &point);
    } else if (series && (series->status == KT_SERIES_OK || series->status == KT_SERIES_PARTIAL)) {
        double low, high;
        kt_find_bar(panel->document, series, &low, &high);
        point = point_of(panel, size, series->summary.median, low, high);
        if (panel->document->run_count <= 1 && !kt_has_spread(panel->document, series))
            widen(panel, size, &point);
    }
    /* A logarithmic axis shows positive values only. */
    if (!isfinite(point.value) || point.value <= 0)
        point.value = point.low = point.high = NAN;
    return point;
}

/* ---- curves ---- */

static bool has_points(const kt_panel *panel, const kt_curve *curve)
{
    for (int64_t size = INT64_MIN; kt_panel_next_size(panel, &size);)
        if (!isnan(kt_curve_point(panel, curve, size).value))
            return true;
    return false;
}

/* Whether series `index` is the first of its device and variant in the panel. */
static bool begins_curve(const kt_panel *panel, uint32_t index)
{
    const kt_series *series = &panel->document->series[index];
    for (uint32_t i = 0; i < index; i++)
        if (same_curve(&panel->document->series[i], series))
            return false;
    return kt_same_text(series->workload, panel->workload);
}

/* Moves to the next curve: device time, then wall time, device after device, then baselines. */
static void step(const kt_panel *panel, kt_curve *curve)
{
    const kt_document *document = panel->document;
    if ((curve->first && curve->kind == KT_CURVE_DEVICE) || kt_curve_baseline(curve)) {
        curve->kind++;
        return;
    }
    while (curve->next < document->series_count && !begins_curve(panel, curve->next))
        curve->next++;
    bool more = curve->next < document->series_count;
    curve->first = more ? &document->series[curve->next++] : NULL;
    curve->kind = more ? KT_CURVE_DEVICE : KT_CURVE_SEQUENTIAL;
}

/* Where a baseline is 1, only the faster one has a curve. */
static bool is_drawn(const kt_panel *panel, const kt_curve *curve)
{
    const char *reference = kt_panel_reference(panel), *baseline = kt_curve_baseline(curve);
    bool left_out = reference && baseline &&
                    (panel->values == KT_FIGURE_SPEEDUP_BEST || strcmp(reference, baseline) == 0);
    return !left_out && has_points(panel, curve);
}

bool kt_panel_next_curve(const kt_panel *panel, kt_curve *curve)
{
    while (curve->kind != KT_CURVE_BEST) {
        step(panel, curve);
        if (!is_drawn(panel, curve))
            continue;
        curve->number++;
        return true;
    }
    return false;
}

unsigned kt_curve_style(const kt_panel *panel, const kt_curve *curve)
{
    const kt_document *document = panel->document;
    unsigned devices = 0, device = 0, variant = 0;
    for (uint32_t i = 0; i < document->series_count; i++) {
        const kt_series *series = &document->series[i];
        bool new_device = true, new_variant = kt_same_text(series->workload, panel->workload);
        for (uint32_t k = 0; k < i; k++) {
            const kt_series *earlier = &document->series[k];
            new_device &= !kt_same_text(earlier->device, series->device);
            new_variant &= !kt_same_text(earlier->workload, panel->workload) ||
                           !kt_same_text(earlier->variant, series->variant);
        }
        if (new_device && kt_same_text(series->device, curve->first->device))
            device = devices;
        devices += new_device;
        /* Counts variants of the panel that appeared before the curve's own. */
        variant += new_variant && series < curve->first &&
                   !kt_same_text(series->variant, curve->first->variant);
    }
    return variant * devices + device;
}

/* ---- panels ---- */

static bool begins_panel(const kt_document *document, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (kt_same_text(document->series[i].workload, document->series[index].workload))
            return false;
    return !kt_is_transfer(&document->series[index], NULL, NULL);
}

unsigned kt_panel_count(const kt_document *document)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < document->series_count; i++)
        count += begins_panel(document, i);
    return count;
}

bool kt_panel_next_size(const kt_panel *panel, int64_t *size)
{
    bool found = false;
    int64_t next = 0;
    for (uint32_t i = 0; i < panel->document->series_count; i++) {
        const kt_series *series = &panel->document->series[i];
        int64_t its = size_of(series->params, series->param_count);
        if (!kt_same_text(series->workload, panel->workload) || its <= *size ||
            (found && its >= next))
            continue;
        next = its;
        found = true;
    }
    if (found)
        *size = next;
    return found;
}

/* Range of drawable values: a logarithmic axis has no 0, and no clock measures values beyond. */
#define DRAWN_MIN 1e-30
#define DRAWN_MAX 1e30

static double if_drawn(double value)
{
    return value >= DRAWN_MIN && value <= DRAWN_MAX ? value : NAN;
}

static void include(kt_panel *panel, const kt_curve *curve, int64_t size)
{
    kt_point point = kt_curve_point(panel, curve, size);
    kt_axis_include(&panel->x, isnan(point.value) ? NAN : (double)size);
    /* At small sizes, the best baseline's start-up may exceed its work; those values are left
     * out. */
    if (kt_curve_baseline(curve) && kt_panel_reference(panel) && point.value < 1)
        return;
    kt_axis_include(&panel->y, if_drawn(point.value));
    kt_axis_include(&panel->y, if_drawn(point.low));
    kt_axis_include(&panel->y, if_drawn(point.high));
}

static void find_ranges(kt_panel *panel)
{
    for (kt_curve curve = {0}; kt_panel_next_curve(panel, &curve);) {
        unsigned points = 0;
        panel->measured += curve.first != NULL;
        panel->curves = curve.number;
        for (int64_t size = INT64_MIN; kt_panel_next_size(panel, &size);) {
            include(panel, &curve, size);
            points += !isnan(kt_curve_point(panel, &curve, size).value);
        }
        panel->points = points > panel->points ? points : panel->points;
    }
    if (kt_panel_reference(panel))
        kt_axis_include(&panel->y, 1);
    kt_axis_close_sizes(&panel->x);
    kt_axis_close_values(&panel->y);
}

/* What the options say of the panel: what y shows by itself is GB/s where its workload is about
 * bandwidth, then speed-ups where there is a baseline, then times. */
static void take_options(kt_panel *panel, const kt_figure_options *options, bool speedups)
{
    kt_figure_values usual = KT_FIGURE_USUAL;
    for (uint32_t i = 0; i < options->workload_count; i++) {
        const kt_figure_workload *workload = &options->workloads[i];
        if (!kt_same_text(workload->name, panel->workload))
            continue;
        panel->unit = workload->unit;
        usual = workload->usual;
    }
    panel->values = options->values ? options->values
                    : usual         ? usual
                    : speedups      ? KT_FIGURE_SPEEDUP
                                    : KT_FIGURE_TIME;
}

kt_panel kt_panel_describe(const kt_document *document, const kt_figure_options *options,
                           unsigned number)
{
    uint32_t first = 0;
    bool speedups = false;
    for (unsigned begun = 0; first < document->series_count; first++)
        if (begins_panel(document, first) && begun++ == number)
            break;
    const kt_series *series = &document->series[first];
    kt_panel panel = {
        .document = document, .workload = series->workload, .variant = series->variant};
    for (uint32_t i = first; i < document->series_count; i++) {
        if (!kt_same_text(document->series[i].workload, panel.workload))
            continue;
        speedups |= isfinite(document->series[i].speedup);
        panel.variants |= !kt_same_text(document->series[i].variant, series->variant);
    }
    if (panel.variants)
        panel.variant = NULL;
    take_options(&panel, options, speedups);
    find_ranges(&panel);
    return panel;
}
