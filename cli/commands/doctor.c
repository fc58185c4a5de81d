/* SPDX-License-Identifier: MIT */
/* doctor.c - the command `doctor`: shows what the clocks of each device can and cannot resolve. */
#include "cli/doctor/doctor.h"
#include "cli/commands/commands.h"
#include "cli/options/select.h"
#include "cli/output/output.h"
#include "cli/output/text.h"
#include "cli/terminal/terminal.h"

#include <stdio.h>

/* Time limit of each check, including compilation. A device that exceeds it is given up. */
#define TIMEOUT_NS INT64_C(10000000000)

static double estimate_ns(const cli_selection *selected)
{
    double sum_ns = 0;
    for (size_t i = 0; i < selected->count; i++)
        sum_ns += doctor_estimate_ns(&selected->devices[i].info);
    return sum_ns;
}

static void say_plan(const cli_options *options, const cli_selection *selected, double total_ns)
{
    char time[32];
    if (!options->quiet)
        fprintf(stderr, "%zu device%s: %s\n", selected->count, text_plural(selected->count),
                progress_format_plan(time, total_ns));
}

static void say_interrupted(size_t left_out)
{
    fprintf(stderr, "kerntime: interrupted; ");
    if (left_out)
        fprintf(stderr, "%zu device%s %s left out; ", left_out, text_plural(left_out),
                left_out == 1 ? "was" : "were");
    fprintf(stderr, "what was found so far follows\n");
}

/* Finishes all checks of one device before opening the next, so that devices do not disturb each
 * other. */
static int examine_all(doctor *d, const cli_selection *selected)
{
    int code = EXIT_DONE;
    size_t at = 0;
    cli_progress progress;
    double total_ns = estimate_ns(selected);
    terminal_catch_interrupt();
    say_plan(d->options, selected, total_ns);
    progress_begin(&progress, d->options->quiet, total_ns, 0, 0);
    for (; at < selected->count && !terminal_interrupted(); at++)
        if (doctor_examine(d, selected->context, &selected->devices[at].info, &progress) !=
            EXIT_DONE)
            code = EXIT_FAILED;
    progress_clear(&progress);
    if (!terminal_interrupted())
        return code;
    say_interrupted(selected->count - at);
    return EXIT_FAILED;
}

static int examine(const cli_options *options, const cli_selection *selected)
{
    doctor d = {.options = options,
                .interrupted = terminal_interrupted,
                .measure = {.size = sizeof d.measure, .timeout_ns = options->measure.timeout_ns}};
    kt_report_desc desc = output_describe(options, "doctor");
    int code = EXIT_FAILED;
    if (kt_report_create(&d.report, &desc) == KT_OK &&
        selection_list_backends(selected, options, d.report) == KT_OK) {
        code = examine_all(&d, selected);
        int written = output_write(options, d.report, NULL);
        code = written != EXIT_DONE ? written : code;
    } else {
        fprintf(stderr, "kerntime: %s\n", kt_error_text());
    }
    kt_report_destroy(&d.report);
    return code;
}

int cmd_doctor(const cli_options *options)
{
    cli_selection selected = {0};
    cli_options completed = *options;
    if (!completed.measure.timeout_ns)
        completed.measure.timeout_ns = TIMEOUT_NS;
    int code = output_check(&completed);
    if (code == EXIT_DONE)
        code = options_refuse_operands(options, "a device is named with -d");
    if (code == EXIT_DONE)
        code = selection_make(&completed, &selected);
    if (code == EXIT_DONE)
        code = selection_check(&selected);
    if (code == EXIT_DONE) {
        selection_warn(&selected, &completed);
        selection_leave_out_software(&selected, &completed);
        code = examine(&completed, &selected);
    }
    selection_free(&selected);
    return code;
}
