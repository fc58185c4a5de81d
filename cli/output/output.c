/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/output/output.h"

#include "cli/options/select.h"
#include "cli/output/action.h"
#include "cli/output/bmf.h"
#include "cli/output/gbench.h"
#include "cli/output/plot_file.h"
#include "cli/output/text.h"
#include "cli/terminal/terminal.h"
#include "workloads/workload.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Source of the documents: a comparison, or a report and perhaps a trace. */
typedef struct source {
    const cli_options *options;
    const kt_report *report;
    const kt_report_comparison *comparison;
    kt_trace *trace;
} source;

/* Writers of other programs' formats; NULL: the library writes the document. Each returns false if
 * memory ran out. */
typedef bool (*report_writer)(const kt_report *report, const cli_options *options, FILE *file);

static const report_writer writers[OUTPUT_COUNT] = {
    [OUTPUT_GBENCH] = gbench_write, [OUTPUT_BMF] = bmf_write, [OUTPUT_ACTION] = action_write};

#define OPTION(NAME, name, option, report, compare, snapshot, meaning) \
    [KT_FORMAT_##NAME] = "--" #name,
static const char *const option_names[] = {[OUTPUT_TRACE] = "--trace",
                                           [OUTPUT_GBENCH] = "--gbench",
                                           [OUTPUT_BMF] = "--bmf",
                                           [OUTPUT_ACTION] = "--action",
                                           KT_FORMATS_(OPTION)};

const char *output_option(int output)
{
    return option_names[output];
}

static bool is_standard_output(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* The document on standard output: the table unless another replaces it. */
static int on_standard_output(const cli_options *options)
{
    for (int output = 0; output < OUTPUT_COUNT; output++)
        if (is_standard_output(options->files[output]))
            return output;
    return KT_FORMAT_TABLE;
}

bool output_is_silent(const cli_options *options)
{
    return options->quiet && options->measures && options->files[KT_FORMAT_JSON] &&
           on_standard_output(options) == KT_FORMAT_TABLE && launch_is_one_of_several(options);
}

static bool is_same_place(const char *one, const char *other)
{
    if (!one || is_standard_output(one) || is_standard_output(other))
        return is_standard_output(one) && is_standard_output(other);
    return kt_path_is_same(one, other);
}

/* The first document with the same file as `output`; `output` itself if no earlier one has it. */
static int same_place(const cli_options *options, int output)
{
    int other = 0;
    while (other < output && !is_same_place(options->files[other], options->files[output]))
        other++;
    return other;
}

static int refuse_place(const char *one, const char *other, const char *path)
{
    fprintf(stderr, "kerntime: %s and %s cannot both go to %s\n", one, other,
            is_standard_output(path) ? "standard output" : path);
    return EXIT_USAGE;
}

/* Refuses a file of the figure, or one beside it with that end, if a document goes there. */
static int check_plot_place(const cli_options *options, const char *option, const char *end)
{
    char *name = end ? plot_file_beside(options->plot, end) : NULL;
    const char *path = name ? name : options->plot;
    int code = EXIT_DONE;
    for (int i = 0; i < OUTPUT_COUNT && code == EXIT_DONE; i++)
        if (is_same_place(options->files[i], path))
            code = refuse_place(option_names[i], option, path);
    free(name);
    return code;
}

static int check_plot(const cli_options *options)
{
    int code = check_plot_place(options, "--plot", NULL);
    if (code == EXIT_DONE && options->plot_data)
        code = check_plot_place(options, "--plot-data", ".gp");
    if (code == EXIT_DONE && options->plot_data)
        code = check_plot_place(options, "--plot-data", ".csv");
    return code == EXIT_DONE ? plot_check(options) : code;
}

/* Refuses options of a figure where there is none. */
static int check_no_plot(const cli_options *options)
{
    const char *option = options->plot_values     ? "--plot-what"
                         : options->plot_width_mm ? "--plot-width"
                         : options->plot_plain    ? "--plot-plain"
                         : options->plot_data     ? "--plot-data"
                                                  : NULL;
    if (!option)
        return EXIT_DONE;
    fprintf(stderr, "kerntime %s: %s needs --plot FILE\n", options->command, option);
    return EXIT_USAGE;
}

/* The file of --t4, which is no document of the library. */
static int check_t4(const cli_options *options)
{
    const char *path = options->run.t4;
    for (int i = 0; i < OUTPUT_COUNT && path; i++)
        if (is_same_place(options->files[i], path))
            return refuse_place(option_names[i], "--t4", path);
    if (options->plot && path && is_same_place(path, options->plot))
        return refuse_place("--t4", "--plot", path);
    if (!path || is_standard_output(path) || kt_path_check_writable(path) == KT_OK)
        return EXIT_DONE;
    fprintf(stderr, "kerntime: --t4: %s\n", kt_error_text());
    return EXIT_USAGE;
}

static int check_repetitions(const cli_options *options)
{
    if (!options->gbench_repetitions || options->files[OUTPUT_GBENCH])
        return EXIT_DONE;
    fprintf(stderr, "kerntime %s: --gbench-repetitions needs --gbench FILE\n", options->command);
    return EXIT_USAGE;
}

int output_check(const cli_options *options)
{
    if (options->files[OUTPUT_TRACE] && options->runs > 1) {
        fprintf(stderr,
                "kerntime %s: --trace: it shows one process, and --runs %u measures in %u\n",
                options->command, options->runs, options->runs);
        return EXIT_USAGE;
    }
    for (int i = 0; i < OUTPUT_COUNT; i++) {
        const char *path = options->files[i];
        int other = path ? same_place(options, i) : i;
        if (other != i)
            return refuse_place(option_names[other], option_names[i], path);
        if (!path || is_standard_output(path) || kt_path_check_writable(path) == KT_OK)
            continue;
        fprintf(stderr, "kerntime: %s: %s\n", option_names[i], kt_error_text());
        return EXIT_USAGE;
    }
    int code = check_repetitions(options);
    if (code == EXIT_DONE)
        code = check_t4(options);
    if (code == EXIT_DONE)
        code = options->plot ? check_plot(options) : check_no_plot(options);
    return code;
}

/* Makes a document in a format of another program. Returns its text, to be freed, or NULL. */
static char *make_text(const source *from, int output, size_t *bytes)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, bytes);
    bool complete = file && writers[output](from->report, from->options, file) && !ferror(file);
    if (file && fclose(file) == 0 && complete)
        return text;
    free(text);
    return NULL;
}

static kt_status write_text(const source *from, int output, const kt_sink *sink)
{
    size_t bytes = 0;
    char *text = make_text(from, output, &bytes);
    kt_status status = text ? KT_OK : KT_NO_MEMORY;
    if (text && sink->write(sink->user, text, bytes) != 0)
        status = KT_IO_ERROR;
    free(text);
    return status;
}

static kt_status write_document(const source *from, int output, const kt_sink *sink)
{
    if (writers[output])
        return write_text(from, output, sink);
    if (output == OUTPUT_TRACE)
        return kt_trace_write(from->trace, sink);
    return from->comparison ? kt_report_comparison_write(from->comparison, (kt_format)output, sink)
                            : kt_report_write(from->report, (kt_format)output, sink);
}

#define NOTES_MAX 3 /* most notes above a table on a terminal */
#define WIDTH_MIN 40

/* A sink for standard output: a file gets full tables, a terminal gets tables cut to its width. */
static kt_sink open_standard_output(const cli_options *options)
{
    kt_sink sink = kt_file_sink(stdout);
    unsigned width = terminal_width();
    if (width && !options->wide)
        sink.width = width < WIDTH_MIN ? WIDTH_MIN : width;
    if (width && !options->verbose)
        sink.notes_max = NOTES_MAX;
    /* A launcher may give ranks a terminal of its own, and write to a file what they print. */
    sink.color = options->color == COLOR_ALWAYS ||
                 (options->color == COLOR_AUTO && width && !terminal_is_plain() &&
                  !launch_is_one_of_several(options));
    return sink;
}

/* Whether the library chose the number of dispatches per sample, and chose more than one. */
static bool are_chosen(const kt_series *series)
{
    const workload *w = workload_find(series->workload);
    return series->trials > 1 && !kt_series_is_wall(series) && !(w && w->size_is_trials);
}

/* Whether this process let the library choose the table's TRIALS. */
static bool has_chosen_trials(const source *from)
{
    return from->report && !from->options->measure.trials &&
           strcmp(from->options->command, "convert") != 0;
}

/* Explains the table's TRIALS column if the library chose its values. */
static void say_trials(const kt_report *report, uint32_t device)
{
    const char *id = kt_report_device(report, device)->id;
    const kt_timer_limits *limits = kt_report_timer_limits(report, device);
    const char *what = "copies";
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < kt_report_series_count(report); i++) {
        const kt_series *series = kt_report_series(report, i);
        if (strcmp(series->device, id) != 0 || kt_series_is_wall(series))
            continue;
        if (series->kind != KT_SERIES_COPY)
            what = "dispatches";
        uint32_t trials = are_chosen(series) ? series->trials : 1;
        least = trials < least ? trials : least;
        most = trials > most ? trials : most;
    }
    char resolution[32], text[160];
    if (!limits || most <= 1)
        return;
    snprintf(text, sizeof text,
             "clock resolution %s, so %s%u %s share two timestamps (--trials 1: one)",
             kt_format_ns(resolution, sizeof resolution, limits->resolution_ns),
             least < most ? "up to " : "", most, what);
    terminal_print_text(id, text);
}

/* Writes a document to standard output. */
static bool write_standard_output(const cli_options *options, const source *from, int output)
{
    kt_sink sink = open_standard_output(options);
    uint32_t devices = output == KT_FORMAT_TABLE && has_chosen_trials(from)
                           ? kt_report_device_count(from->report)
                           : 0;
    for (uint32_t i = 0; i < devices; i++)
        say_trials(from->report, i);
    if (write_document(from, output, &sink) == KT_OK && fflush(stdout) == 0)
        return true;
    fprintf(stderr, "kerntime: standard output: the result could not be written\n");
    return false;
}

/* Names the series as in the table; prints no variant for a workload without variants. */
static void begin_raw(const kt_series *series)
{
    const char *variant = series->variant ? series->variant : "";
    printf("raw %s%s%s %s %s", series->name, variant[0] ? " " : "", variant, series->device,
           series->step);
}

/* Prints the clock that converts the ticks below. */
static void print_raw_clock(const kt_series *series, const kt_device_info *device)
{
    const kt_clock_info *clock = kt_series_clock(series, device);
    if (!clock || kt_method_is_elapsed_only(clock->method) || series->raw_count == 0)
        return;
    begin_raw(series);
    printf(" clock=\"%s\"", clock->name);
    if (!isnan(clock->frequency_hz))
        printf(" frequency_hz=%.12g", clock->frequency_hz);
    if (clock->reported_period_ns)
        printf(" reported_period_ns=%" PRIu32, clock->reported_period_ns);
    double period_ns = series->clock_period_ns > 0 ? series->clock_period_ns : clock->period_ns;
    if (!isnan(period_ns))
        printf(" period_ns=%.12g", period_ns);
    if (clock->valid_bits)
        printf(" valid_bits=%" PRIu32, clock->valid_bits);
    else
        printf(" valid_bits_min=%" PRIu32, clock->valid_bits_min);
    printf(" trials=%" PRIu32 "\n", series->trials);
}

/* Prints the timestamps in the order of reading: a context clock is read between those of the
 * other. */
static void print_timestamps(const kt_raw *raw)
{
    if (raw->has_queue_timestamps)
        printf(" queued=%" PRIu64 " submitted=%" PRIu64, raw->queued_ticks, raw->submitted_ticks);
    if (raw->has_timestamps)
        printf(" start=%" PRIu64, raw->start_ticks);
    if (raw->has_context)
        printf(" context_start=%" PRIu64 " context_end=%" PRIu64, raw->context_start_ticks,
               raw->context_end_ticks);
    if (raw->has_timestamps)
        printf(" end=%" PRIu64, raw->end_ticks);
    if (raw->has_elapsed)
        printf(" elapsed_ms=%.9g gap_ms=%.9g", (double)raw->elapsed_ms, (double)raw->gap_ms);
}

static void print_raw_span(const kt_raw *raw, const kt_raw_span *span)
{
    printf(" ticks=%" PRIu64, span->ticks);
    if (!isnan(span->span_ns))
        printf(" duration_ns=%.12g", span->span_ns);
    if (raw->has_context)
        printf(" context_ticks=%" PRIu64, span->context_ticks);
    if (!isnan(span->context_ns))
        printf(" context_duration_ns=%.12g", span->context_ns);
}

/* Prints the timestamps of a series. Returns false if out of memory. */
static bool print_raw_series(const kt_series *series, const kt_device_info *device)
{
    kt_raw_span *spans = calloc(series->raw_count + 1, sizeof *spans);
    if (!spans)
        return false;
    bool has_clock = kt_series_clock(series, device) != NULL;
    kt_series_get_spans(series, device, spans);
    print_raw_clock(series, device);
    for (size_t i = 0; i < series->raw_count; i++) {
        const kt_raw *raw = &series->raw[i];
        begin_raw(series);
        printf(" %zu %s", i, kt_timestamp_state_name(raw->state));
        print_timestamps(raw);
        if (has_clock && raw->has_timestamps)
            print_raw_span(raw, &spans[i]);
        printf(" host_before_ns=%" PRId64 " host_after_ns=%" PRId64 "\n", raw->host_before_ns,
               raw->host_after_ns);
    }
    free(spans);
    return true;
}

static const kt_device_info *find_device(const kt_report *report, const char *id)
{
    static const kt_device_info none = {.clock_count = 0};
    for (uint32_t i = 0; i < kt_report_device_count(report); i++)
        if (strcmp(kt_report_device(report, i)->id, id) == 0)
            return kt_report_device(report, i);
    return &none;
}

static int print_raw(const kt_report *report)
{
    for (uint32_t i = 0; i < kt_report_series_count(report); i++) {
        const kt_series *series = kt_report_series(report, i);
        if (print_raw_series(series, find_device(report, series->device)))
            continue;
        fprintf(stderr, "kerntime: --raw: out of memory\n");
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

/* Returns whether it was written, after a sentence on standard error unless it was. */
static bool write_text_file(const source *from, int output, const char *path)
{
    size_t bytes = 0;
    char *text = make_text(from, output, &bytes);
    bool written = text && kt_path_write(path, text, bytes) == KT_OK;
    if (!written)
        fprintf(stderr, "kerntime: %s: %s\n", option_names[output],
                text ? kt_error_text() : "out of memory");
    free(text);
    return written;
}

static kt_status write_library_file(const source *from, int output, const char *path)
{
    if (output == OUTPUT_TRACE)
        return kt_trace_write_file(from->trace, path);
    return from->comparison
               ? kt_report_comparison_write_file(from->comparison, (kt_format)output, path)
               : kt_report_write_file(from->report, (kt_format)output, path);
}

static bool write_file(const source *from, int output, const char *path)
{
    if (writers[output])
        return write_text_file(from, output, path);
    if (write_library_file(from, output, path) == KT_OK)
        return true;
    fprintf(stderr, "kerntime: %s: %s\n", option_names[output], kt_error_text());
    return false;
}

/* Writes the files of all documents. Sets from->trace to NULL if writing the trace failed. */
static int write_files(const cli_options *options, source *from)
{
    int code = EXIT_DONE;
    for (int i = 0; i < OUTPUT_COUNT; i++) {
        const char *path = options->files[i];
        if (!path || is_standard_output(path) || (i == OUTPUT_TRACE && !from->trace) ||
            write_file(from, i, path))
            continue;
        if (i == OUTPUT_TRACE)
            from->trace = NULL;
        code = EXIT_FAILED;
    }
    return code;
}

/* Says what the trace lacks and how to view it. */
static void say_traced(const cli_options *options, kt_trace *trace)
{
    const char *path = options->files[OUTPUT_TRACE];
    kt_trace_counts counts;
    kt_trace_get_counts(trace, &counts);
    if (counts.lost)
        fprintf(stderr, "kerntime: --trace: it has %u events; %" PRIu64 " more were left out\n",
                counts.events, counts.lost);
    if (options->quiet || is_standard_output(path))
        return;
    fprintf(stderr, "trace: %s (open it in ui.perfetto.dev or chrome://tracing", path);
    if (counts.omitted)
        fprintf(stderr, "; it lacks %" PRIu64 " device step%s that could not be placed",
                counts.omitted, text_plural(counts.omitted));
    fprintf(stderr, ")\n");
}

/* Writes the files first: the reader of the table may end early, and the closed pipe then ends the
 * program. */
static int write_all(const cli_options *options, source *from)
{
    int code = write_files(options, from);
    if (options->plot && plot_write(options, from->report) != EXIT_DONE)
        code = EXIT_FAILED;
    if (output_is_silent(options) ||
        write_standard_output(options, from, on_standard_output(options)))
        return code;
    return EXIT_FAILED;
}

int output_write(const cli_options *options, const kt_report *report, kt_trace *trace)
{
    source from = {.options = options, .report = report, .trace = trace};
    int code = write_all(options, &from);
    bool table = on_standard_output(options) == KT_FORMAT_TABLE;
    if (options->raw && table && print_raw(report) != EXIT_DONE)
        code = EXIT_FAILED;
    if (from.trace)
        say_traced(options, from.trace);
    return code;
}

bool output_has_table(const cli_options *options)
{
    return on_standard_output(options) == KT_FORMAT_TABLE && !is_standard_output(options->run.t4) &&
           !output_is_silent(options);
}

int output_write_parts(const cli_options *options, const kt_report *report, const kt_report *shown)
{
    source from = {.options = options, .report = report};
    source table = {.options = options, .report = shown};
    int output = on_standard_output(options), code = write_files(options, &from);
    bool has_table = output_has_table(options);
    if (has_table ? shown != NULL : output != OUTPUT_TRACE && output != KT_FORMAT_TABLE)
        if (!write_standard_output(options, has_table ? &table : &from, output))
            code = EXIT_FAILED;
    if (options->raw && (has_table || output_is_silent(options)) && print_raw(report) != EXIT_DONE)
        code = EXIT_FAILED;
    return code;
}

int output_write_trace(const cli_options *options, kt_trace *trace, const char *instead)
{
    const char *path = options->files[OUTPUT_TRACE];
    if (kt_trace_write_file(trace, is_standard_output(path) ? instead : path) != KT_OK) {
        fprintf(stderr, "kerntime: --trace: %s\n", kt_error_text());
        return EXIT_FAILED;
    }
    say_traced(options, trace);
    return EXIT_DONE;
}

int output_write_comparison(const cli_options *options, const kt_report_comparison *comparison)
{
    source from = {.comparison = comparison};
    return write_all(options, &from);
}

int output_hand_over(const kt_report *report)
{
    static const cli_options none;
    const source from = {.report = report};
    return write_standard_output(&none, &from, KT_FORMAT_JSON) ? EXIT_DONE : EXIT_FAILED;
}

kt_report_desc output_describe(const cli_options *options, const char *document)
{
    return (kt_report_desc){.size = sizeof(kt_report_desc),
                            .document = document,
                            .command = options->words,
                            .command_count = options->word_count,
                            .rank_variable = options->rank_variable,
                            .anonymous = options->no_identity};
}
