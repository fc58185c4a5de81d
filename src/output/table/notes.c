/* SPDX-License-Identifier: MIT */
/* notes.c - writes the legend of a table and the notes on its numbers. */
#include "output/table/note_list.h"
#include "output/table/tables.h"
#include "report/runs.h"
#include "report/transfers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- legend ---- */

/* Timing methods of the device's clocks, in the order of their first use, such as
 * "event-pair-blocked and event-pair". */
static void list_methods(const kt_document *document, const kt_device_info *info, char *text,
                         size_t bytes)
{
    uint32_t listed = 0;
    int length = 0;
    for (uint32_t i = 0; i < document->series_count; i++) {
        const kt_series *series = &document->series[i];
        if (!series->clock || strcmp(series->device, info->id) != 0 || listed >> series->method & 1)
            continue;
        length += snprintf(text + length, bytes - (size_t)length, "%s%s", listed ? " and " : "",
                           kt_method_name(series->method));
        listed |= 1u << series->method;
    }
    if (!listed)
        snprintf(text, bytes, "%s", kt_method_name(info->clocks[0].method));
}

static char *min_span_text(double min_span_ns, double resolution_ns, char *text, size_t bytes)
{
    char ns[32];
    bool hidden = resolution_ns > 0 && !(min_span_ns >= resolution_ns);
    snprintf(text, bytes, "%s%s", hidden ? "< " : "",
             kt_format_ns(ns, sizeof ns, hidden ? resolution_ns : min_span_ns));
    return text;
}

/* For example "event-profile, resolution 1.000 ns, shortest span 922.0 ns, overhead 782.0 ns". */
static void timer_text(const kt_document *document, const kt_document_device *device, char *text,
                       size_t bytes)
{
    const kt_timer_limits *limits = &device->limits;
    char methods[128], resolution[32], span[40], copies[40], overhead[32];
    double copies_ns = NAN; /* another clock than that of empty steps times copies */
    bool has_copies = false;
    for (int i = 0; i < KT_CLOCKS_MAX; i++)
        if (limits->clocks[i].name[0] && !limits->clocks[i].reason[0]) {
            has_copies = true;
            copies_ns = limits->clocks[i].min_span_ns;
        }
    list_methods(document, &device->info, methods, sizeof methods);
    snprintf(text, bytes, "%s, resolution %s, shortest span %s%s%s%s, overhead %s", methods,
             kt_format_ns(resolution, sizeof resolution, limits->resolution_ns),
             min_span_text(limits->min_span_ns, limits->resolution_ns, span, sizeof span),
             has_copies ? " (copies " : "",
             has_copies ? min_span_text(copies_ns, limits->resolution_ns, copies, sizeof copies)
                        : "",
             has_copies ? ")" : "",
             limits->timestamp_overhead_ns < 0 ||
                     limits->timestamp_overhead_ns <= limits->timestamp_overhead_error_ns
                 ? "below noise"
                 : kt_format_ns(overhead, sizeof overhead, limits->timestamp_overhead_ns));
}

/* Writes a line of the legend, cut at the screen's edge. */
static void put_legend(const kt_style *style, kt_writer *writer, const char *const *texts)
{
    char line[1024] = "";
    unsigned width = writer->sink->width;
    for (; *texts; texts++)
        kt_append_spelled(style->spell, *texts, line, sizeof line);
    kt_put(writer, style->item);
    kt_put_cut(writer, line, width ? width : kt_text_width(line));
    kt_put(writer, "\n");
}

static void print_device(const kt_document *document, const kt_document_device *device,
                         const kt_style *style, kt_writer *writer)
{
    const kt_device_info *info = &device->info;
    bool timed = device->has_timer_limits && device->limits.trusted;
    char times[320] = "";
    if (timed)
        timer_text(document, device, times, sizeof times);
    if (writer->sink->width == 0 || !timed) {
        put_legend(style, writer,
                   (const char *[]){info->id, ": ", info->name, ", ", info->driver,
                                    timed ? "; " : "", times, NULL});
        return;
    }
    put_legend(style, writer,
               (const char *[]){info->id, ": ", info->name, ", ", info->driver, NULL});
    kt_put(writer, "  ");
    kt_put_wrapped(writer, times, 2, 4, writer->sink->width);
    kt_put(writer, "\n");
}

static bool any_cold(const kt_document *document)
{
    for (uint32_t i = 0; i < document->series_count; i++)
        if (document->series[i].cold)
            return true;
    return false;
}

void kt_print_legend(const kt_document *document, const kt_style *style, kt_writer *writer)
{
    bool cold = any_cold(document);
    const char *flags = NULL;
    for (uint32_t i = 0; i < document->device_count; i++)
        print_device(document, &document->devices[i], style, writer);
    for (uint32_t i = 0; i < document->baseline_count && !flags; i++)
        if (strcmp(document->baselines[i].name, "sequential") == 0)
            flags = document->baselines[i].flags;
    if (cold)
        put_legend(style, writer,
                   (const char *[]){"cold: caches were flushed before each submission",
                                    flags ? "; baselines ran warm, so there is no SPEED-UP" : "",
                                    NULL});
    if (flags && !cold)
        put_legend(style, writer,
                   (const char *[]){"SPEED-UP: sequential (one core, ", flags, ") over device time",
                                    NULL});
}

/* ---- devices ---- */

static void add_untrusted(kt_note_list *to, const kt_document_device *device)
{
    const kt_device_info *info = &device->info;
    const kt_timer_limits *limits = &device->limits;
    if (device->has_timer_limits && !limits->trusted)
        kt_add_note(to, KT_NOTE_WARNING,
                    (const char *[]){info->id, ": untrusted timestamps, no device time: ", NULL},
                    limits->reason);
    bool by_commands = info->clock_count && info->clocks[0].method == KT_METHOD_COMMAND_BUFFER;
    if (by_commands && info->quirk[0]) /* the quirk is why only whole command buffers are timed */
        kt_add_note(to, KT_NOTE_FACT, (const char *[]){info->id, ": ", NULL}, info->quirk);
}

/* Rate error of a clock from which on it deserves a note; real oscillators stay below a tenth. */
#define DRIFT_SAID_PPM 1000

static void add_drift(kt_note_list *to, const kt_device_info *info)
{
    for (uint32_t i = 0; i < info->clock_count; i++) {
        const kt_clock_info *clock = &info->clocks[i];
        char share[32];
        if (!(fabs(clock->drift_ppm) >= DRIFT_SAID_PPM))
            continue;
        bool fast = clock->drift_ppm > 0;
        kt_share_text(fabs(clock->drift_ppm) * 1e-6, share, sizeof share);
        kt_add_note(
            to, KT_NOTE_WARNING,
            (const char *[]){info->id, ": clock \"", clock->name, "\" runs ", share,
                             fast ? " faster than reported, device times are as much too long"
                                  : " slower than reported, device times are as much too short",
                             "; use WALL", NULL},
            NULL);
    }
}

char *kt_share_text(double share, char *text, size_t bytes)
{
    double percent = 100 * share, size = fabs(percent);
    if (share >= 10)
        snprintf(text, bytes, "a factor of %.*g", share < 9999 ? 4 : 2, 1 + share);
    else
        snprintf(text, bytes,
                 size >= 9.95    ? "%.0f %%"
                 : size >= 0.095 ? "%.1f %%"
                                 : "%.1g %%",
                 percent);
    return text;
}

/* ---- errors ---- */

/* Whether a series needs a note on its error. If it is not possible because of untrusted
 * timestamps, the device's own note covers it. */
static bool has_error(const kt_document *document, const kt_series *series)
{
    const kt_document_device *device = kt_find_device(document, series->device);
    bool reported = device && device->has_timer_limits && !device->limits.trusted;
    return series->error && !(reported && series->status == KT_SERIES_NOT_POSSIBLE);
}

/* How many of the first `count` runs have this error. */
static uint32_t count_error(const kt_document *document, const kt_runs *runs, uint32_t count,
                            const char *error)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += has_error(document, runs->series[i]) && strcmp(runs->series[i]->error, error) == 0;
    return found;
}

/* Whether an earlier time of the same measurement has this error: all times of a job repeat it. */
static bool is_said(const kt_document *document, const kt_series *time, const char *error)
{
    for (const kt_series *at = time; at > document->series && kt_same_measurement(&at[-1], time);
         at--) {
        const kt_runs *runs = kt_runs_of(document, &at[-1]);
        if (count_error(document, runs, runs->count, error))
            return true;
    }
    return false;
}

/* Whether two error texts are equal except for numbers, such as sizes. */
static bool is_same_cause(const char *a, const char *b)
{
    static const char digits[] = "0123456789";
    for (;; a++, b++) {
        size_t number = strspn(a, digits);
        if ((number > 0) != (strspn(b, digits) > 0))
            return false;
        a += number;
        b += strspn(b, digits);
        if (*a != *b || !*a)
            return *a == *b;
    }
}

/* Whether `time` is of another size of the same transfer as `one`, with the same error in a run:
 * all sizes share one note. */
static bool shares_cause(const kt_document *document, const kt_series *time, const kt_series *one)
{
    if (!kt_same_direction(time, one) || strcmp(time->name, one->name) == 0)
        return false;
    const kt_runs *runs = kt_runs_of(document, time);
    for (uint32_t i = 0; i < runs->count; i++)
        if (runs->series[i]->status == one->status && has_error(document, runs->series[i]) &&
            is_same_cause(runs->series[i]->error, one->error))
            return true;
    return false;
}

/* Number of further sizes that share the error of series `one`; UINT32_MAX: the note on an earlier
 * size covers this one. */
static uint32_t count_sizes(const kt_document *document, const kt_series *time,
                            const kt_series *one)
{
    uint32_t count = 0;
    const kt_series *end = document->series + document->series_count, *last = time;
    for (const kt_series *at = document->series; at < end; at++) {
        if (!shares_cause(document, at, one))
            continue;
        if (at < time)
            return UINT32_MAX;
        count += strcmp(at->name, last->name) != 0;
        last = at;
    }
    return count;
}

/* Whether a copy has no time because its clock is untrusted. Copies and kernels of a device may
 * have different clocks. */
static bool is_untrusted_copy(const kt_document *document, const kt_series *series)
{
    const kt_document_device *device = kt_find_device(document, series->device);
    if (!device || !device->has_timer_limits || series->status != KT_SERIES_NOT_POSSIBLE)
        return false;
    for (int i = 0; i < KT_CLOCKS_MAX; i++)
        if (strcmp(series->error, device->limits.clocks[i].reason) == 0)
            return true;
    return false;
}

static void add_errors_of(kt_note_list *to, const kt_document *document, const kt_series *time)
{
    const kt_runs *runs = kt_runs_of(document, time);
    for (uint32_t i = 0; i < runs->count; i++) {
        const kt_series *series = runs->series[i];
        if (!has_error(document, series) || count_error(document, runs, i, series->error) ||
            is_said(document, time, series->error))
            continue;
        uint32_t sizes = count_sizes(document, time, series);
        if (sizes == UINT32_MAX)
            continue;
        char in_runs[48] = "", more[48] = "";
        if (document->run_count > 1)
            snprintf(in_runs, sizeof in_runs, " in %u of %u runs",
                     count_error(document, runs, runs->count, series->error), document->run_count);
        if (sizes)
            snprintf(more, sizeof more, " and %u more size%s,", sizes, sizes > 1 ? "s" : "");
        bool named = kt_is_transfer(series, NULL, NULL) ||
                     (series->variant && kt_has_variants(document, series));
        kt_add_note(to, series->status == KT_SERIES_FAILED ? KT_NOTE_ERROR : KT_NOTE_WARNING,
                    (const char *[]){
                        kt_series_status_name(series->status), " ", series->name, more,
                        named ? " " : "", named ? series->variant : "", " on ", series->device,
                        in_runs, ": ",
                        is_untrusted_copy(document, series) ? "untrusted timestamps: " : "", NULL},
                    series->error);
    }
}

/* ---- words in the table ---- */

bool kt_has_size(const kt_series *series)
{
    for (uint32_t i = 0; i < series->param_count; i++)
        if (strcmp(series->params[i].name, "size") == 0)
            return true;
    return false;
}

/* Fewer runs give no interval of their medians, and fewer samples none of theirs; see
 * kt_summary. */
#define RUNS_FOR_INTERVAL    6
#define SAMPLES_FOR_INTERVAL 6

static void add_runs(kt_note_list *to, const kt_document *document)
{
    char runs[32];
    snprintf(runs, sizeof runs, "%u runs: ", document->run_count);
    if (document->run_count > 1)
        kt_add_note(to, KT_NOTE_FACT,
                    (const char *[]){runs, "times are medians of the runs' medians",
                                     document->run_count < KT_RUNS_FOR_INTERVAL
                                         ? "; an interval takes six runs: --runs 6"
                                         : "",
                                     NULL},
                    NULL);
}

/* Whether a series has a median but no interval, and no sample warning that explains it. Gaps never
 * have warnings. */
static bool has_too_few(const kt_document *document, const kt_series *series)
{
    const kt_summary *summary = &series->summary;
    return document->run_count <= 1 && !kt_series_is_wall(series) && !isnan(summary->median) &&
           isnan(summary->ci95_low) && kt_series_get_role(series) != KT_ROLE_GAPS &&
           !(summary->warnings & (KT_WARNING_DRIFT | KT_WARNING_BIMODAL));
}

static void add_words(kt_note_list *to, const kt_document *document)
{
    bool bound = false, sizes = false, trials = false, too_few = false, few_runs = false;
    for (uint32_t i = 0; i < document->series_count; i++) {
        const kt_series *series = &document->series[i];
        bool is_bound = kt_is_bound(document, series);
        bound |= is_bound;
        sizes |= is_bound && kt_has_size(series);
        trials |=
            is_bound && kt_has_size(series) && !series->cold && !kt_is_transfer(series, NULL, NULL);
        too_few |= has_too_few(document, series);
    }
    for (uint32_t i = 0; i < document->baseline_count; i++) {
        const kt_baseline *baseline = &document->baselines[i];
        few_runs |= baseline->n < SAMPLES_FOR_INTERVAL && !isnan(baseline->summary.median);
    }
    if (bound)
        kt_add_note(
            to, KT_NOTE_FACT,
            (const char *[]){"\"< x\": shorter than the shortest measurable span, so not to be "
                             "ranked",
                             trials  ? "; raise --trials or --size"
                             : sizes ? "; raise --size"
                                     : "",
                             NULL},
            NULL);
    if (too_few)
        kt_add_note(
            to, KT_NOTE_FACT,
            (const char *[]){"\"-\": too few independent samples for an interval; raise --samples "
                             "or --max-time",
                             NULL},
            NULL);
    if (few_runs)
        kt_add_note(to, KT_NOTE_FACT,
                    (const char *[]){"\"-\" of a baseline: too few samples for an interval, which "
                                     "takes six; --baseline-samples 6",
                                     NULL},
                    NULL);
}

/* ---- what DEVICE TIME contains ---- */

static bool is_time(const kt_series *series)
{
    kt_series_role role = kt_series_get_role(series);
    return !kt_series_is_wall(series) && role != KT_ROLE_GAPS && !isnan(series->summary.median);
}

/* Whether the host's work between two commands is in the time: the device's streams can be blocked,
 * and the stream of this time was not. */
static bool has_launches(const kt_document *document, const kt_series *series)
{
    const kt_document_device *device = kt_find_device(document, series->device);
    bool can_block = false;
    for (uint32_t i = 0; device && i < device->info.clock_count; i++)
        can_block |= device->info.clocks[i].method == KT_METHOD_EVENT_PAIR_BLOCKED;
    return can_block && series->method == KT_METHOD_EVENT_PAIR && is_time(series);
}

/* Compares the time with its job's wall time. It is above only if their intervals are apart, as noise
 * does not make them, by more than 1 % and two clock resolutions, as rounding does not. */
static bool is_above_wall(const kt_document *document, const kt_series *series)
{
    const kt_series *end = document->series + document->series_count;
    double step_ns = series->clock_resolution_ns > 0 ? series->clock_resolution_ns : 0;
    for (const kt_series *at = series; at < end && kt_same_measurement(at, series); at++)
        if (kt_series_get_role(at) == KT_ROLE_WALL)
            return is_time(series) && series->summary.ci95_low > at->summary.ci95_high &&
                   series->summary.median > 1.01 * at->summary.median + 2 * step_ns;
    return false;
}

/* Host time, in ns, beyond twice the device time and an empty submission that no real device needs
 * for a kernel. */
#define UNEXPLAINED_NS 100e3

/* Whether even the shortest submission of a kernel took over twice its time: timestamps that are
 * written while the kernel still runs give such times. */
static bool is_far_below_wall(const kt_document *document, const kt_series *series)
{
    const kt_series *end = document->series + document->series_count;
    const kt_document_device *device = kt_find_device(document, series->device);
    if (!device || !device->has_timer_limits || kt_is_transfer(series, NULL, NULL) ||
        !is_time(series))
        return false;
    double longest_ns = 0, wall_ns = NAN;
    for (const kt_series *at = series; at < end && kt_same_measurement(at, series); at++)
        if (kt_series_get_role(at) == KT_ROLE_WALL)
            wall_ns = at->summary.min;
        else if (is_time(at))
            longest_ns = fmax(longest_ns, at->summary.median);
    return wall_ns > 2 * longest_ns + device->limits.overhead_ns + UNEXPLAINED_NS;
}

/* No waking of threads takes so long, but waiting for the slice of another thread on a core does. */
#define SLICE_NS 1e6
/* Kernels of one thread take up to three times as long as the textbook loop. */
#define FAR_ABOVE 4

/* Whether all cores took far longer than one undisturbed, so that threads of the team waited for a
 * core. */
static bool has_waited(const kt_document *document, const kt_series *series)
{
    const kt_document_device *device = kt_find_device(document, series->device);
    const kt_baseline *sequential = kt_find_baseline(document, series, "sequential");
    return device && strcmp(device->info.backend, "cpu") == 0 && sequential &&
           !isnan(series->speedup) && is_time(series) && device->info.compute_units > 1 &&
           series->summary.median > FAR_ABOVE * sequential->summary.min + SLICE_NS;
}

/* Adds one note on a device's jobs with such a time: the first job, and the number of the others. */
static void add_jobs(kt_note_list *to, kt_note_level level, const kt_document *document,
                     const char *device, bool (*has)(const kt_document *, const kt_series *),
                     const char *text)
{
    const kt_series *first = NULL, *last = NULL;
    uint32_t more = 0;
    for (uint32_t i = 0; i < document->series_count; i++) {
        const kt_series *series = &document->series[i];
        if (strcmp(series->device, device) != 0 || !has(document, series) ||
            (last && kt_same_job(last, series)))
            continue;
        more += first != NULL;
        first = first ? first : series;
        last = series;
    }
    if (!first)
        return;
    char others[32] = "";
    if (more)
        snprintf(others, sizeof others, " and %u more", more);
    bool transfer = kt_is_transfer(first, NULL, NULL);
    kt_add_note(to, level,
                (const char *[]){device, ": DEVICE TIME of ", first->name, transfer ? " " : "",
                                 transfer ? first->variant : "", others, text, NULL},
                NULL);
}

static void add_contents(kt_note_list *to, const kt_document *document)
{
    for (uint32_t i = 0; i < document->device_count; i++) {
        const char *id = document->devices[i].info.id;
        add_jobs(to, KT_NOTE_FACT, document, id, has_launches,
                 " contains the host's work between commands: the stream was not blocked");
        add_jobs(to, KT_NOTE_FACT, document, id, is_above_wall,
                 " is above WALL: submissions with timestamps took longer than those without");
        add_jobs(
            to, KT_NOTE_WARNING, document, id, is_far_below_wall,
            " is less than half of WALL: its timestamps may not wait for the kernel; use WALL");
        add_jobs(to, KT_NOTE_WARNING, document, id, has_waited,
                 " is far above sequential: its threads waited for busy cores; quiet the machine, "
                 "or set OMP_NUM_THREADS");
    }
}

void kt_print_notes(const kt_document *document, const kt_style *style, kt_writer *writer)
{
    kt_note_list to = {.style = style};
    for (uint32_t i = 0; i < document->device_count; i++)
        add_untrusted(&to, &document->devices[i]);
    for (uint32_t i = 0; i < document->device_count; i++)
        add_drift(&to, &document->devices[i].info);
    for (uint32_t i = 0; i < document->series_count; i++)
        add_errors_of(&to, document, &document->series[i]);
    kt_add_state_notes(document, &to);
    kt_add_sample_warnings(document, &to);
    add_contents(&to, document);
    kt_add_baseline_notes(document, &to);
    add_words(&to, document);
    add_runs(&to, document);
    kt_add_copies_notes(document, &to);
    kt_print_note_list(&to, writer);
}
