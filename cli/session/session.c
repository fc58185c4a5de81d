/* SPDX-License-Identifier: MIT */
#include "cli/session/session.h"

#include "cli/output/output.h"
#include "cli/output/text.h"
#include "cli/session/advice.h"
#include "cli/session/start.h"
#include "cli/terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void session_say(session *s, const char *who, const char *where, const char *what)
{
    progress_clear(&s->progress);
    char run[48] = "";
    if (s->progress.runs)
        snprintf(run, sizeof run, "run %u of %u: ", s->progress.run + 1, s->progress.runs);
    const char *on = where ? " on " : "", *at = where ? where : "";
    if (strchr(what, '\n')) /* a compiler's lines */
        fprintf(stderr, "kerntime: %s%s%s%s: %s\n", run, who, on, at, what);
    else
        terminal_sayf("kerntime", "%s%s%s%s: %s", run, who, on, at, what);
}

void session_out_of_memory(session *s)
{
    session_say(s, s->options->command, NULL, "out of memory");
    s->failed = true;
}

/* Estimated time of all runs, of which only one measures baselines. */
static double all_runs_ns(const session *s, double run_ns)
{
    if (s->options->runs <= 1)
        return run_ns;
    cli_plan others = s->plan;
    others.baselines = false;
    return run_ns + (s->options->runs - 1) * plan_total_ns(&others, s->options, &s->selected);
}

static void print_plan(const session *s, double run_ns)
{
    char time[32], runs[32] = "";
    size_t directions = plan_direction_count(&s->plan, &s->selected);
    size_t cases = directions ? s->plan.items[0].sizes.count : plan_case_count(&s->plan);
    if (s->options->runs > 1)
        snprintf(runs, sizeof runs, ", %u runs", s->options->runs);
    if (directions)
        fprintf(stderr, "%zu direction%s, ", directions, text_plural(directions));
    fprintf(stderr, "%zu size%s on %zu device%s%s%s: %s\n", cases, text_plural(cases),
            s->selected.count, text_plural(s->selected.count),
            s->plan.baselines ? " and the CPU baselines" : "", runs,
            progress_format_plan(time, all_runs_ns(s, run_ns)));
    for (size_t i = 0; i < s->selected.count; i++)
        if (s->selected.devices[i].added)
            fprintf(stderr,
                    "%s is measured, too: this machine's memory stands beside every device\n",
                    s->selected.devices[i].info.id);
}

static int prepare(session *s, session_planner make_plan)
{
    int code = selection_make(s->options, &s->selected);
    if (code == EXIT_DONE)
        code = options_check_measure(s->options);
    if (code == EXIT_DONE)
        selection_leave_out_software(&s->selected, s->options);
    if (code == EXIT_DONE)
        code = make_plan(s->options, &s->selected, &s->plan);
    if (code == EXIT_DONE && !s->options->is_run)
        code = output_check(s->options);
    if (code == EXIT_DONE && !s->options->is_run)
        code = start_check(s->options);
    if (code != EXIT_DONE)
        return code;
    if (!s->options->is_run)
        selection_warn(&s->selected, s->options);
    code = selection_check(&s->selected);
    if (code != EXIT_DONE)
        return code;
    kt_report_desc desc = output_describe(s->options, "result");
    s->devices = calloc(s->selected.count, sizeof *s->devices);
    bool traced = s->options->files[OUTPUT_TRACE];
    if (!s->devices || kt_report_create(&s->report, &desc) != KT_OK ||
        (traced && kt_trace_create(&s->trace, NULL) != KT_OK)) {
        fprintf(stderr, "kerntime: out of memory\n");
        return EXIT_FAILED;
    }
    for (size_t i = 0; i < s->selected.count; i++) {
        s->devices[i].selected = &s->selected.devices[i];
        if (kt_report_add_device(s->report, &s->selected.devices[i].info, NULL) != KT_OK)
            return EXIT_FAILED;
    }
    return EXIT_DONE;
}

/* The exit code of a session whose results were written. */
static int outcome(const session *s)
{
    if (s->failed)
        return EXIT_FAILED;
    /* In a sweep, a size too large for the device is a result; alone it is wrong usage. */
    return s->not_possible && !s->measured ? EXIT_USAGE : EXIT_DONE;
}

/* Whether somebody may compare a result file that has a single run. */
static bool is_to_compare(const session *s)
{
    const cli_options *options = s->options;
    return options->files[KT_FORMAT_JSON] && !options->runs && !options->is_run &&
           !options->quiet && !s->failed && !terminal_interrupted() &&
           strcmp(options->command, "bench") == 0;
}

static void give_advice(const session *s, const kt_host_state *before, const kt_host_state *after)
{
    char text[ADVICE_BYTES];
    const advice_facts facts = {.report = s->report,
                                .measure = &s->options->measure,
                                .runs = s->options->runs,
                                .before = before,
                                .after = after};
    if (!s->options->quiet && !terminal_interrupted() && advice_choose(&facts, text))
        terminal_say("advice", text);
    if (is_to_compare(s))
        terminal_say("advice", "to compare this result with another, measure both with --runs 5");
}

static bool same_measurement(const kt_series *a, const kt_series *b)
{
    const char *variant = a->variant ? a->variant : "", *other = b->variant ? b->variant : "";
    return a->run == b->run && strcmp(a->name, b->name) == 0 && strcmp(variant, other) == 0 &&
           strcmp(a->device, b->device) == 0;
}

/* Counts measurements in the report, where the series of a measurement are adjacent. */
static size_t reported_measurements(const session *s)
{
    size_t count = 0;
    for (uint32_t i = 0; i < kt_report_series_count(s->report); i++)
        count += i == 0 || !same_measurement(kt_report_series(s->report, i - 1),
                                             kt_report_series(s->report, i));
    return count;
}

/* Says how many measurements Ctrl-C left out: those planned without a row in the report. */
static void say_interrupted(const session *s)
{
    size_t planned = plan_measurement_count(&s->plan, &s->selected) *
                     (s->options->runs > 1 ? s->options->runs : 1);
    size_t reported = reported_measurements(s);
    fprintf(stderr, "kerntime: interrupted; ");
    if (reported < planned)
        fprintf(stderr, "%zu of %zu measurement%s %s left out; ", planned - reported, planned,
                text_plural(planned), planned - reported == 1 ? "was" : "were");
    fprintf(stderr, "what was measured so far follows\n");
}

static int say_nothing_measured(void)
{
    fprintf(stderr, "kerntime: interrupted before anything was measured\n");
    return EXIT_INTERRUPTED;
}

static int finish(session *s)
{
    progress_say(&s->progress, ""); /* an empty line ends the rows of finished measurements */
    if (terminal_interrupted() && kt_report_series_count(s->report) == 0)
        return say_nothing_measured();
    if (terminal_interrupted()) {
        say_interrupted(s);
        s->failed = true;
    }
    int code = output_write(s->options, s->report, s->trace);
    return code == EXIT_DONE ? outcome(s) : code;
}

/* Measures as one run of several; the process that started it does the rest. */
static int measure_run(session *s, double run_ns)
{
    terminal_catch_passed_on();
    progress_begin(&s->progress, s->options->quiet, run_ns, s->options->measure.run,
                   s->options->runs);
    char text[48];
    snprintf(text, sizeof text, "run %u of %u", s->options->measure.run + 1, s->options->runs);
    progress_say(&s->progress, text);
    if (s->options->left_out)
        session_leave_out_again(s, s->options->left_out);
    session_measure_plan(s);
    progress_clear(&s->progress);
    s->failed |= terminal_interrupted();
    int code = output_hand_over(s->report);
    return code == EXIT_DONE ? outcome(s) : code;
}

static int measure(session *s)
{
    plan_calibrate(&s->plan);
    double run_ns = plan_total_ns(&s->plan, s->options, &s->selected);
    if (s->options->is_run)
        return measure_run(s, run_ns);
    if (!s->options->quiet)
        print_plan(s, run_ns);
    int code = EXIT_DONE;
    kt_host_state before, after;
    terminal_catch_interrupt();
    start_wait(s->options);
    if (terminal_interrupted())
        return say_nothing_measured();
    kt_host_state_read(&before);
    progress_begin(&s->progress, s->options->quiet, run_ns, 0, 0);
    if (s->options->runs > 1)
        code = session_measure_runs(s);
    else
        session_measure_plan(s);
    kt_host_state_read(&after);
    if (code != EXIT_DONE)
        return code;
    code = finish(s);
    give_advice(s, &before, &after);
    return code;
}

int session_run(const cli_options *options, session_planner make_plan)
{
    session s = {.options = options};
    int code = prepare(&s, make_plan);
    if (code == EXIT_DONE)
        code = measure(&s);
    for (size_t i = 0; s.devices && i < s.selected.count; i++)
        kt_device_close(&s.devices[i].device);
    free(s.devices);
    kt_report_destroy(&s.report);
    kt_trace_destroy(&s.trace);
    selection_free(&s.selected);
    return code;
}
