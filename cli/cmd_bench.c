#include "bench.h"
#include "output.h"
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>

void bench_say(bench *b, const char *who, const char *where, const char *what)
{
    progress_clear(&b->progress);
    fprintf(stderr, "kerntime: %s%s%s: %s\n", who, where ? " on " : "", where ? where : "", what);
}

void bench_out_of_memory(bench *b)
{
    bench_say(b, "bench", NULL, "out of memory");
    b->failed = true;
}

static void print_plan(bench *b)
{
    double total_ns = plan_total_ns(&b->plan, b->options, &b->selected);
    size_t cases = plan_case_count(&b->plan);
    if (!b->options->quiet) {
        char time[32];
        fprintf(stderr, "%zu size%s on %zu device%s%s: %s\n", cases, cases == 1 ? "" : "s",
                b->selected.count, b->selected.count == 1 ? "" : "s",
                b->plan.baselines ? " and the CPU baselines" : "",
                progress_format_time(time, total_ns));
    }
    progress_begin(&b->progress, b->options->quiet, total_ns, 0, 0);
}

static int prepare(bench *b)
{
    int code = selection_create_context(b->options, &b->context);
    if (code == EXIT_DONE)
        code = selection_make(b->context, b->options, &b->selected);
    if (code == EXIT_DONE)
        code = plan_make(b->options, &b->selected, &b->plan);
    if (code == EXIT_DONE)
        code = output_check(b->options);
    if (code != EXIT_DONE)
        return code;
    if (b->selected.count == 0) {
        fprintf(stderr, "kerntime: there is no device here; \"kerntime devices\" tells why\n");
        return EXIT_UNAVAILABLE;
    }
    kt_report_desc desc = output_describe(b->options, "result");
    b->devices = calloc(b->selected.count, sizeof *b->devices);
    if (!b->devices || kt_report_create(&b->report, &desc) != KT_OK) {
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

static int finish(bench *b)
{
    progress_clear(&b->progress);
    if (terminal_interrupted()) {
        fprintf(stderr, "kerntime: interrupted; what was measured so far follows\n");
        b->failed = true;
    }
    int code = output_write(b->options, b->report);
    if (code != EXIT_DONE)
        return code;
    if (b->failed)
        return EXIT_FAILED;
    /* Within a sweep, sizes that a device cannot hold are an answer; alone they are a wrong
     * question. */
    return b->not_possible && !b->measured ? EXIT_USAGE : EXIT_DONE;
}

int cmd_bench(const cli_options *options)
{
    bench b = {.options = options};
    int code = prepare(&b);
    if (code == EXIT_DONE) {
        plan_calibrate(&b.plan);
        print_plan(&b);
        terminal_catch_interrupt();
        bench_measure_plan(&b);
        code = finish(&b);
    }
    for (size_t i = 0; b.devices && i < b.selected.count; i++)
        kt_device_close(&b.devices[i].device);
    free(b.devices);
    kt_report_destroy(&b.report);
    selection_free(&b.selected);
    kt_context_destroy(&b.context);
    return code;
}
