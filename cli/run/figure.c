/* SPDX-License-Identifier: MIT */
/*
 * figure.c - a panel for each contest: a row for each configuration, the fastest on top, with its
 * time and interval.
 *
 * Texts of drivers and users occur only inside single quotes, where gnuplot expands no variables,
 * commands or escapes. Lengths are pixels of 1/96 inch.
 */
#include "cli/run/figure.h"

#include "cli/output/plot_file.h"
#include "cli/output/text.h"

#include <inttypes.h>
#include <kerntime/kerntime.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX       60 /* of all panels together, ... */
#define PANEL_ROWS_MIN 5  /* ... unless there are many panels */
#define PANELS_MAX     12
#define LABEL_MAX      48   /* characters */
#define LOG_RATIO      8    /* slowest over fastest from which the axis is logarithmic */
#define TICS_MAX       7    /* about so many on an axis, if each has ... */
#define TIC_CHARACTERS 9    /* ... so much room */
#define PADDING        0.03 /* of the axis, on either side of what it shows */

#define SET_COLOUR   "0072B2"
#define OTHER_COLOUR "606060"
#define BAND_COLOUR  "E3EFF8"

/* Sizes for a screen and for print. */
typedef struct sizes {
    unsigned width, row, character, above, below, head, note, right, margin;
    unsigned title_font, small_font;
} sizes;

static const sizes screen = {.width = 1000,
                             .row = 20,
                             .character = 7,
                             .above = 62,
                             .below = 66,
                             .head = 36,
                             .note = 18,
                             .right = 84,
                             .margin = 26,
                             .title_font = 15,
                             .small_font = 10};
static const sizes paper = {.row = 14,
                            .character = 6,
                            .above = 40,
                            .below = 42,
                            .head = 6,
                            .note = 12,
                            .right = 60,
                            .margin = 14,
                            .title_font = 10,
                            .small_font = 9};

typedef struct panel {
    const answer_contest *contest;
    size_t rows;      /* that it shows */
    double low, high; /* ends of the axis, in ns */
    bool is_log;
} panel;

typedef struct figure {
    const cli_options *options;
    const kt_report *report;
    const answer_contest *contests;
    size_t contest_count;
    panel panels[PANELS_MAX];
    size_t panel_count;
    sizes sizes;
    unsigned left, height;
    bool has_runs; /* some time is of several runs */
} figure;

/* ---- texts ---- */

typedef struct script {
    const kt_sink *sink;
    bool failed;
    bool in_tics;
} script;

static void put_bytes(script *to, const char *bytes, size_t count)
{
    if (count > 0 && !to->failed)
        to->failed = to->sink->write(to->sink->user, bytes, count) != 0;
}

__attribute__((format(printf, 2, 3))) static void put(script *to, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put_bytes(to, text, strlen(text));
}

/* Writes the inside of a quoted string. gnuplot escapes all markup of an SVG but "&#" and "]>".
 * Labels of tics are formats. */
static void put_inside(script *to, const char *text, size_t count)
{
    for (char before = '\0'; *text && count > 0; count--) {
        size_t bytes = text_sequence(text);
        if (bytes == 0 || (unsigned char)*text < 0x20 || *text == 0x7F)
            put(to, " ");
        else if (*text == '\'')
            put(to, "''");
        else if (*text == '%' && to->in_tics)
            put(to, "%%%%");
        else {
            if ((before == '&' && *text == '#') || (before == ']' && *text == '>'))
                put(to, " ");
            put_bytes(to, text, bytes);
        }
        before = *text;
        text += text_next(text);
    }
}

/* Likewise of at most `max` characters: what differs is at the ends. */
static void put_cut(script *to, const char *text, size_t max)
{
    size_t count = text_width(text), half = max / 2;
    if (count <= max) {
        put_inside(to, text, count);
        return;
    }
    put_inside(to, text, half - 1);
    put(to, "...");
    for (size_t skip = count - (max - half - 2); skip > 0; skip--)
        text += text_next(text);
    put_inside(to, text, max);
}

static const char *label_of(const answer_row *row)
{
    return row->text && *row->text ? row->text : "without a name";
}

/* ---- layout ---- */

static const answer_row *row_of(const panel *p, size_t index)
{
    return &p->contest->rows[p->contest->by_median[index]];
}

static void close_axis(panel *p)
{
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < p->rows; i++) {
        const answer_row *row = row_of(p, i);
        low = fmin(low, fmin(row->median_ns, row->low_ns)); /* which ignore NaN */
        high = fmax(high, fmax(row->median_ns, row->high_ns));
    }
    p->is_log = low > 0 && high > LOG_RATIO * low;
    if (p->is_log) {
        double factor = pow(high / low, PADDING);
        p->low = low / factor;
        p->high = high * factor;
        return;
    }
    double padding = high > low ? PADDING * (high - low) : PADDING * high;
    p->low = fmax(low - padding, 0);
    p->high = high + padding;
}

static size_t rows_per_panel(size_t panels)
{
    size_t rows = ROWS_MAX / panels;
    return rows > PANEL_ROWS_MIN ? rows : PANEL_ROWS_MIN;
}

/* Chooses the panels: contests that have times, or the first if none has. */
static void choose_panels(figure *f)
{
    for (size_t i = 0; i < f->contest_count && f->panel_count < PANELS_MAX; i++)
        if (f->contests[i].measured_count > 0)
            f->panels[f->panel_count++] = (panel){.contest = &f->contests[i]};
    if (f->panel_count == 0)
        f->panels[f->panel_count++] = (panel){.contest = f->contests};
    for (size_t i = 0; i < f->panel_count; i++) {
        panel *p = &f->panels[i];
        size_t most = rows_per_panel(f->panel_count), measured = p->contest->measured_count;
        /* Device and wall times do not share an axis. */
        while (p->rows < measured && p->rows < most &&
               answer_row_is_wall(p->contest, row_of(p, p->rows)) == p->contest->is_wall)
            p->rows++;
        close_axis(p);
        for (size_t k = 0; k < p->rows; k++)
            f->has_runs |= answer_times_of(p->contest, row_of(p, k))->run_count > 1;
    }
}

static unsigned panel_height(const figure *f, const panel *p)
{
    return f->sizes.row * (unsigned)(p->rows > 3 ? p->rows : 3);
}

/* Widths of what stands left of the axes; heights are known with the lines of notes. */
static void lay_out(figure *f, unsigned note_lines)
{
    bool print = f->options->plot_width_mm > 0;
    size_t longest = 0;
    f->sizes = print ? paper : screen;
    if (print)
        f->sizes.width = (unsigned)(f->options->plot_width_mm * 96 / 25.4);
    for (size_t i = 0; i < f->panel_count; i++)
        for (size_t k = 0; k < f->panels[i].rows; k++) {
            size_t length = text_width(label_of(row_of(&f->panels[i], k)));
            longest = length > longest ? length : longest;
        }
    size_t most = f->sizes.width / 2 / f->sizes.character;
    most = most < LABEL_MAX ? most : LABEL_MAX;
    f->left = f->sizes.margin + f->sizes.character * (unsigned)(longest < most ? longest : most);
    f->height = (f->options->plot_plain ? 0 : f->sizes.head + (note_lines + 1) * f->sizes.note);
    for (size_t i = 0; i < f->panel_count; i++)
        f->height += f->sizes.above + panel_height(f, &f->panels[i]) + f->sizes.below;
}

static size_t label_characters(const figure *f)
{
    return (f->left - f->sizes.margin) / f->sizes.character;
}

/* ---- notes ---- */

/* Writes the notes at the foot, or counts them without a script. */
typedef struct notes {
    const figure *figure;
    script *script;
    unsigned line, lines;
} notes;

static void put_note(notes *to, const char *text)
{
    const sizes *s = &to->figure->sizes;
    if (to->script) {
        put(to->script, "set label '");
        put_cut(to->script, text, s->width * 2 / s->small_font);
        put(to->script, "' at screen 8.0 / width, screen %u.0 / height font ',%u' noenhanced\n",
            (to->lines - to->line) * s->note, s->small_font);
    }
    to->line++;
}

/* What is not shown. */
static void put_left_out(notes *to)
{
    const figure *f = to->figure;
    char text[200];
    size_t rows = 0, timed = 0, shown = 0, contests = 0;
    for (size_t i = 0; i < f->contest_count; i++) {
        rows += f->contests[i].row_count;
        timed += f->contests[i].measured_count;
        contests += f->contests[i].measured_count > 0;
    }
    for (size_t i = 0; i < f->panel_count; i++)
        shown += f->panels[i].rows;
    if (contests > f->panel_count) {
        snprintf(text, sizeof text, "The first %zu of %zu devices and sizes are shown.",
                 f->panel_count, contests);
        put_note(to, text);
    }
    if (shown < timed) {
        snprintf(text, sizeof text, "The %zu fastest of %zu configurations%s are shown.", shown,
                 timed, f->panel_count > 1 ? ", by device and size," : "");
        put_note(to, text);
    }
    if (timed < rows) {
        snprintf(text, sizeof text,
                 "Without a time: %zu of %zu configurations, which failed or gave wrong results.",
                 rows - timed, rows);
        put_note(to, text);
    }
}

/* The devices of the panels, each once. */
static void put_devices(notes *to)
{
    const figure *f = to->figure;
    char text[1100];
    for (uint32_t i = 0; i < kt_report_device_count(f->report); i++) {
        const kt_device_info *info = kt_report_device(f->report, i);
        bool is_shown = false;
        for (size_t k = 0; k < f->panel_count; k++)
            is_shown |= strcmp(f->panels[k].contest->device, info->id) == 0;
        if (!is_shown)
            continue;
        snprintf(text, sizeof text, "%s: %s, %s", info->id, info->name, info->driver);
        put_note(to, text);
    }
}

/* Above the figure on a screen, the first note in print: machine, day and version. */
static void put_origin(notes *to, bool print)
{
    const kt_report_origin *origin = kt_report_get_desc(to->figure->report)->origin;
    char text[300];
    snprintf(text, sizeof text, "%s, %u core%s, %.10s, kerntime %s",
             origin->cpu ? origin->cpu : origin->os, origin->cores, text_plural(origin->cores),
             origin->started, origin->version);
    if (print) {
        put_note(to, text);
    } else if (to->script) {
        put(to->script, "set label '");
        put_cut(to->script, text, LABEL_MAX * 2);
        put(to->script, "' at screen 8.0 / width, screen 1 - 16.0 / height font ',%u' noenhanced\n",
            to->figure->sizes.small_font);
    }
}

/* Returns how many lines they have. */
static unsigned put_notes(const figure *f, unsigned lines, script *to)
{
    notes n = {.figure = f, .script = to, .lines = lines};
    if (f->options->plot_plain)
        return 0;
    put_origin(&n, f->options->plot_width_mm > 0);
    put_note(&n, f->has_runs ? "Medians over several runs, bars from the lowest to the highest."
                             : "Bars: 95 % interval of the median.");
    put_left_out(&n);
    put_devices(&n);
    return n.line;
}

/* ---- axes ---- */

typedef struct unit {
    const char *name;
    double ns;
} unit;

static unit unit_of(const panel *p)
{
    static const unit units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
    size_t i = 0;
    while (units[i].ns > 1 && row_of(p, 0)->median_ns < units[i].ns)
        i++;
    return units[i];
}

static void put_tic(script *to, const char *before, double ns, double step_ns, const unit *in)
{
    double step = step_ns / in->ns;
    int decimals = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
    put(to, "%s'%.*f' %.17g", before, decimals, ns / in->ns, ns / in->ns);
}

/* 1, 2 and 5 times powers of ten, or those powers alone. */
static void put_log_tics(script *to, const panel *p, const unit *in, size_t most)
{
    bool all = 3 * log10(p->high / p->low) <= (double)most;
    const char *before = "";
    int last = (int)floor(log10(p->high));
    for (int power = (int)floor(log10(p->low)); power <= last; power++)
        for (int i = 0; i < (all ? 3 : 1); i++) {
            double decade = pow(10, power), ns = decade * (i == 0 ? 1 : i == 1 ? 2 : 5);
            if (ns < p->low || ns > p->high)
                continue;
            put_tic(to, before, ns, decade, in);
            before = ", ";
        }
}

static void put_tics(script *to, const panel *p, const unit *in, size_t most)
{
    double rough = (p->high - p->low) / (double)most, decade = pow(10, floor(log10(rough)));
    double apart = rough > 5 * decade ? 10 * decade : rough > 2 * decade ? 5 * decade : 2 * decade;
    const char *before = "";
    for (double at = ceil(p->low / apart); at * apart <= p->high; at++) {
        put_tic(to, before, at * apart, apart, in);
        before = ", ";
    }
}

/* The time of the fastest row, and how much slower others are. */
static void put_right_tic(script *to, const panel *p, size_t index)
{
    double median_ns = row_of(p, index)->median_ns, times = median_ns / row_of(p, 0)->median_ns;
    char text[32];
    if (index == 0)
        kt_format_ns(text, sizeof text, median_ns);
    else if (times >= 10)
        snprintf(text, sizeof text, "%.3gx", times);
    else
        snprintf(text, sizeof text, fabs(times - 1) < 0.0995 ? "%+.1f %%%%" : "%+.0f %%%%",
                 100 * (times - 1));
    put(to, "%s'%s' %zu", index ? ", " : "", text, index);
}

static void put_rows_tics(script *to, const figure *f, const panel *p)
{
    to->in_tics = true;
    put(to, "set ytics nomirror scale 0 (");
    for (size_t i = 0; i < p->rows; i++) {
        put(to, "%s'", i ? ", " : "");
        put_cut(to, label_of(row_of(p, i)), label_characters(f));
        put(to, "' %zu", i);
    }
    to->in_tics = false;
    put(to, ") noenhanced\nset y2tics scale 0 (");
    for (size_t i = 0; i < p->rows; i++)
        put_right_tic(to, p, i);
    put(to, ")\n");
}

static void put_axes(script *to, const figure *f, const panel *p)
{
    unit in = unit_of(p);
    size_t room =
               (f->sizes.width - f->left - f->sizes.right) / (f->sizes.character * TIC_CHARACTERS),
           most = room < 1          ? 1
                  : room < TICS_MAX ? room
                                    : TICS_MAX;
    put(to, "set xlabel '%s time per dispatch (%s)'\n", p->contest->is_wall ? "wall" : "device",
        in.name);
    put(to, "%s logscale x\nset xrange [%.17g:%.17g]\nset xtics nomirror out scale 0.6 (",
        p->is_log ? "set" : "unset", p->low / in.ns, p->high / in.ns);
    if (p->is_log)
        put_log_tics(to, p, &in, most);
    else
        put_tics(to, p, &in, most);
    put(to, ")\nset yrange [%zu.5:-0.5]\nset y2range [%zu.5:-0.5]\n", p->rows - 1, p->rows - 1);
    put_rows_tics(to, f, p);
}

/* ---- rows ---- */

typedef enum row_state { STATE_SET = 0, STATE_SLOWER, STATE_DROPPED, STATE_COUNT } row_state;

/* `brief`: where there is no room for the title. */
static const struct {
    const char *title, *brief, *colour;
    int shape;
} looks[STATE_COUNT] = {
    [STATE_SET] = {"fastest, not told apart", "not told apart", SET_COLOUR, 7},
    [STATE_SLOWER] = {"slower", "slower", OTHER_COLOUR, 7},
    [STATE_DROPPED] = {"slower, dropped early", "dropped early", OTHER_COLOUR, 6},
};

static row_state state_of(const answer_row *row)
{
    return row->in_set ? STATE_SET : row->is_dropped ? STATE_DROPPED : STATE_SLOWER;
}

static void put_value(script *to, double value)
{
    if (isnan(value))
        put(to, " NaN");
    else
        put(to, " %.12g", value);
}

/* Returns how many rows have that state. */
static size_t put_data(script *to, const panel *p, row_state state)
{
    unit in = unit_of(p);
    size_t count = 0;
    for (size_t i = 0; i < p->rows; i++) {
        const answer_row *row = row_of(p, i);
        if (state_of(row) != state)
            continue;
        if (count++ == 0)
            put(to, "$rows%d << EOD\n", (int)state);
        put(to, "%zu", i);
        put_value(to, row->median_ns / in.ns);
        put_value(to, row->low_ns / in.ns);
        put_value(to, row->high_ns / in.ns);
        put(to, "\n");
    }
    if (count)
        put(to, "EOD\n");
    return count;
}

/* A band behind each row of the set, since colours may be lost in print. */
static void put_bands(script *to, const panel *p)
{
    for (size_t i = 0; i < p->rows; i++)
        if (row_of(p, i)->in_set)
            put(to,
                "set object rectangle from graph 0, first %zu - 0.5 to graph 1, first %zu + 0.5 "
                "behind fillcolor rgb '#%s' fillstyle solid noborder\n",
                i, i, BAND_COLOUR);
}

static void put_plot(script *to, const panel *p)
{
    const char *before = "plot ";
    size_t counts[STATE_COUNT];
    for (int state = 0; state < STATE_COUNT; state++)
        counts[state] = put_data(to, p, (row_state)state);
    for (int state = 0; state < STATE_COUNT; state++) {
        if (counts[state] == 0)
            continue;
        put(to,
            "%s$rows%d using ($3 <= $4 ? $2 : NaN):1:3:4 with xerrorbars lc rgb '#%s' lw 1.5 "
            "pt -1 ps 0.5 notitle",
            before, state, looks[state].colour);
        if (state == STATE_DROPPED) /* hollow */
            put(to, ", \\\n  '' using 2:1 with points lc rgb '#ffffff' pt 7 ps 0.9 notitle");
        put(to, ", \\\n  '' using 2:1 with points lc rgb '#%s' pt %d ps 0.9 lw 1.2 notitle",
            looks[state].colour, looks[state].shape);
        before = ", \\\n  ";
    }
    put(to, "\n");
}

/* ---- legend ---- */

/* Text of a state in the legend; NULL: no row has it. */
static const char *legend_text(const panel *p, row_state state, bool brief)
{
    size_t count = 0;
    for (size_t i = 0; i < p->rows; i++)
        count += state_of(row_of(p, i)) == state;
    if (count == 0)
        return NULL;
    if (state == STATE_SET && p->contest->set_count == 1)
        return "fastest";
    return brief ? looks[state].brief : looks[state].title;
}

static unsigned entry_width(const figure *f, const char *text)
{
    return text ? f->sizes.character * (unsigned)(strlen(text) + 5) : 0;
}

static unsigned legend_width(const figure *f, const panel *p, bool brief)
{
    unsigned width = 0;
    for (int state = 0; state < STATE_COUNT; state++)
        width += entry_width(f, legend_text(p, (row_state)state, brief));
    return width;
}

/* gnuplot's own legend has columns of equal width, and breaks lines where it likes. */
static void put_legend(script *to, const figure *f, const panel *p, unsigned axes_top)
{
    bool brief = f->left + legend_width(f, p, false) > f->sizes.width;
    unsigned left = f->left + f->sizes.character, y = axes_top - f->sizes.row * 2 / 3;
    if (left + legend_width(f, p, brief) > f->sizes.width)
        left = f->sizes.margin;
    for (int state = 0; state < STATE_COUNT; state++) {
        const char *text = legend_text(p, (row_state)state, brief);
        if (!text)
            continue;
        put(to,
            "set label '' at screen %u.0 / width, screen 1 - %u.0 / height point pt %d ps 0.9 "
            "lc rgb '#%s' lw 1.2\nset label '%s' at screen %u.0 / width, screen 1 - %u.0 / "
            "height\n",
            left, y, looks[state].shape, looks[state].colour, text,
            left + f->sizes.character * 3 / 2, y);
        left += entry_width(f, text);
    }
}

/* ---- panels ---- */

static void put_title(script *to, const figure *f, const panel *p)
{
    const answer_contest *contest = p->contest;
    if (f->options->plot_plain && f->panel_count == 1)
        return;
    put(to, "set label '");
    put_cut(to, contest->kernel ? contest->kernel : "", LABEL_MAX);
    put(to, "%sn=%" PRIu64 " on ", contest->kernel ? ", " : "", contest->n);
    put_cut(to, contest->device, LABEL_MAX);
    put(to, "' at screen %u.0 / width, graph 1 + %u.0 / %u font ',%u' noenhanced\n",
        f->sizes.margin, f->sizes.above - f->sizes.title_font, panel_height(f, p),
        f->sizes.title_font);
}

/* `top`: pixels above the panel. */
static void put_panel(script *to, const figure *f, const panel *p, unsigned top)
{
    unsigned axes_top = top + f->sizes.above, height = panel_height(f, p);
    put(to,
        "set lmargin at screen %u.0 / width\nset rmargin at screen 1 - %u.0 / width\n"
        "set tmargin at screen 1 - %u.0 / height\nset bmargin at screen 1 - %u.0 / height\n",
        f->left, f->sizes.right, axes_top, axes_top + height);
    put_title(to, f, p);
    if (p->rows == 0) {
        put(to, "unset xtics\nunset ytics\nunset y2tics\nunset xlabel\nset label 'nothing was "
                "measured' "
                "at graph 0.5, graph 0.5 center\nplot [0:1] [0:1] NaN notitle\n");
    } else {
        put_legend(to, f, p, axes_top);
        put_axes(to, f, p);
        put_bands(to, p);
        put_plot(to, p);
    }
    put(to, "unset label\nunset object\n");
}

static void put_script(script *to, const figure *f, unsigned note_lines)
{
    unsigned top = f->options->plot_plain ? 0 : f->sizes.head;
    put(to, "width = %u; height = %u; lines = 1\n", f->sizes.width, f->height);
    put(to, "reset\nset encoding utf8\nset border 3 lc rgb '#404040'\nset bars 0.6\n"
            "set grid xtics ytics lc rgb '#e4e4e4' lw 1 dt 1\nunset key\nset multiplot\n");
    put_notes(f, note_lines, to);
    for (size_t i = 0; i < f->panel_count; i++) {
        put_panel(to, f, &f->panels[i], top);
        top += f->sizes.above + panel_height(f, &f->panels[i]) + f->sizes.below;
    }
    put(to, "unset multiplot\n");
}

/* ---- values ---- */

/* A field as docs/csv.md says. */
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
            put_bytes(to, text, bytes);
    }
    put(to, "\",");
}

static void put_values(script *to, const answer_contest *contest)
{
    static const char *const states[] = {
        [STATE_SET] = "not_told_apart", [STATE_SLOWER] = "slower", [STATE_DROPPED] = "dropped"};
    for (size_t i = 0; i < contest->measured_count; i++) {
        size_t index = contest->by_median[i];
        const answer_row *row = &contest->rows[index];
        put_field(to, contest->kernel ? contest->kernel : "");
        put_field(to, label_of(row));
        put_field(to, contest->device);
        put(to, "%s,%" PRIu64 ",%s,%.12g", answer_row_is_wall(contest, row) ? "wall" : "device",
            contest->n, index == contest->fastest ? "fastest" : states[state_of(row)],
            row->median_ns);
        for (int end = 0; end < 2; end++) {
            double ns = end ? row->high_ns : row->low_ns;
            put(to, ",");
            if (!isnan(ns))
                put(to, "%.12g", ns);
        }
        put(to, "\n");
    }
}

kt_status figure_write_script(const figure_source *from, bool points, const kt_sink *sink)
{
    figure f = {.options = from->options,
                .report = from->report,
                .contests = from->contests,
                .contest_count = from->contest_count};
    script to = {.sink = sink};
    if (points) {
        put(&to, "kernel,configuration,device,time,n,state,median_ns,low_ns,high_ns\n");
        for (size_t i = 0; i < f.contest_count; i++)
            put_values(&to, &f.contests[i]);
    } else {
        choose_panels(&f);
        lay_out(&f, 0);
        unsigned lines = put_notes(&f, 0, NULL);
        lay_out(&f, lines);
        put_script(&to, &f, lines);
    }
    return to.failed ? KT_IO_ERROR : KT_OK;
}

static kt_status write_figure(const void *user, bool points, const kt_sink *sink)
{
    return figure_write_script(user, points, sink);
}

int figure_write(const cli_options *options, const kt_report *report,
                 const answer_contest *contests, size_t count)
{
    const figure_source from = {
        .options = options, .report = report, .contests = contests, .contest_count = count};
    bool several = false;
    for (size_t i = 0; i < count; i++)
        several |= contests[i].row_count > 1;
    return several ? plot_draw(options, write_figure, &from) : plot_write(options, report);
}
