#include "advice.h"
#include "bench.h"
#include "output.h"
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>

void bench_say(bench *b, const char *who, const char *where, const char *what)
{
    progress_clear(&b->progress);
    fprintf(stderr, "kerntime: ");
    if (b->progress.runs)
        fprintf(stderr, "run %u of %u: ", b->progress.run + 1, b->progress.runs);
    fprintf(stderr, "%s%s%s: %s\n", who, where ? " on " : "", where ? where : "", what);
}

void bench_out_of_memory(bench *b)
{
    bench_say(b, "bench", NULL, "out of memory");
    b->failed = true;
}

/* An estimate for all runs; the baselines are those of one. */
static double all_runs_ns(const bench *b, double run_ns)
{
    if (b->options->runs <= 1)
        return run_ns;
    cli_plan others = b->plan;
    others.baselines = false;
    return run_ns + (b->options->runs - 1) * plan_total_ns(&others, b->options, &b->selected);
}

static void print_plan(const bench *b, double run_ns)
{
    char time[32], runs[32] = "";
    size_t cases = plan_case_count(&b->plan);
    if (b->options->runs > 1)
        snprintf(runs, sizeof runs, ", %u runs", b->options->runs);
    fprintf(stderr, "%zu size%s on %zu device%s%s%s: %s\n", cases, cases == 1 ? "" : "s",
            b->selected.count, b->selected.count == 1 ? "" : "s",
            b->plan.baselines ? " and the CPU baselines" : "", runs,
            progress_format_time(time, all_runs_ns(b, run_ns)));
}

static int prepare(bench *b)
{
    int code = selection_create_context(b->options, &b->context);
    if (code == EXIT_DONE)
        code = selection_make(b->context, b->options, &b->selected);
    if (code == EXIT_DONE)
        code = plan_make(b->options, &b->selected, &b->plan);
    if (code == EXIT_DONE && !b->options->is_run)
        code = output_check(b->options);
    if (code != EXIT_DONE)
        return code;
    if (!b->options->is_run)
        selection_warn(b->context, b->options);
    if (b->selected.count == 0) {
        fprintf(stderr, "kerntime: there is no device here; \"kerntime devices\" tells why\n");
        return EXIT_UNAVAILABLE;
    }
    kt_report_desc desc = output_describe(b->options, "result");
    b->devices = calloc(b->selected.count, sizeof *b->devices);
    bool traced = b->options->files[OUTPUT_TRACE];
    if (!b->devices || kt_report_create(&b->report, &desc) != KT_OK ||
        (traced && kt_trace_create(&b->trace, NULL) != KT_OK)) {
        fprintf(stderr, "kerntime: out of memory\n");
        return EXIT_FAILED;
    }
    for (size_t i = 0; i < b->selected.count; i++) {
        b->devices[i].selected = &b->selected.devices[i];
        if (kt_report_add_device(b->report, &b->selected.devices[i].info, NULL) != KT_OK)
            return EXIT_FAILED;
    }
    return EXIT_DONE;
}

/* The exit code that tells what came of everything, if it could be written. */
static int outcome(const bench *b)
{
    if (b->failed)
        return EXIT_FAILED;
    /* Within a sweep, sizes that a device cannot hold are an answer; alone they are a wrong
     * question. */
    return b->not_possible && !b->measured ? EXIT_USAGE : EXIT_DONE;
}

static void give_advice(const bench *b, const kt_host_state *before, const kt_host_state *after)
{
    char text[ADVICE_BYTES];
    const advice_facts facts = {.report = b->report,
                                .measure = &b->options->measure,
                                .runs = b->options->runs,
                                .before = before,
                                .after = after};
    if (!b->options->quiet && !terminal_interrupted() && advice_choose(&facts, text))
        fprintf(stderr, "advice: %s\n", text);
}

static int finish(bench *b)
{
    progress_clear(&b->progress);
    if (terminal_interrupted()) {
        fprintf(stderr, "kerntime: interrupted; what was measured so far follows\n");
        b->failed = true;
    }
    int code = output_write(b->options, b->report, b->trace);
    return code == EXIT_DONE ? outcome(b) : code;
}

/* One run of several: the process that has asked for it does the rest. */
static int measure_run(bench *b, double run_ns)
{
    terminal_catch_passed_on();
    progress_begin(&b->progress, b->options->quiet, run_ns, b->options->measure.run,
                   b->options->runs);
    bench_measure_plan(b);
    progress_clear(&b->progress);
    b->failed |= terminal_interrupted();
    int code = output_hand_over(b->report);
    return code == EXIT_DONE ? outcome(b) : code;
}

static int measure(bench *b)
{
    plan_calibrate(&b->plan);
    double run_ns = plan_total_ns(&b->plan, b->options, &b->selected);
    if (b->options->is_run)
        return measure_run(b, run_ns);
    if (!b->options->quiet)
        print_plan(b, run_ns);
    int code = EXIT_DONE;
    kt_host_state before, after;
    kt_host_state_read(&before);
    terminal_catch_interrupt();
    progress_begin(&b->progress, b->options->quiet, run_ns, 0, 0);
    if (b->options->runs > 1)
        code = bench_measure_runs(b);
    else
        bench_measure_plan(b);
    kt_host_state_read(&after);
    if (code != EXIT_DONE)
        return code;
    code = finish(b);
    give_advice(b, &before, &after);
    return code;
}

int cmd_bench(const cli_options *options)
{
    bench b = {.options = options};
    int code = prepare(&b);
    if (code == EXIT_DONE)
        code = measure(&b);
    for (size_t i = 0; b.devices && i < b.selected.count; i++)
        kt_device_close(&b.devices[i].device);
    free(b.devices);
    kt_report_destroy(&b.report);
    kt_trace_destroy(&b.trace);
    selection_free(&b.selected);
    kt_context_destroy(&b.context);
    return code;
}
