/* doctor.c - the command `doctor`: shows what the clocks of each device can and cannot resolve. */
#include "cli/doctor/doctor.h"
#include "cli/commands/commands.h"
#include "cli/options/select.h"
#include "cli/output/output.h"
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
        fprintf(stderr, "%zu device%s: %s\n", selected->count, selected->count == 1 ? "" : "s",
                progress_format_time(time, total_ns));
}

static void say_interrupted(size_t left_out)
{
    fprintf(stderr, "kerntime: interrupted; ");
    if (left_out)
        fprintf(stderr, "%zu device%s %s left out; ", left_out, left_out == 1 ? "" : "s",
                left_out == 1 ? "was" : "were");
    fprintf(stderr, "what was found so far follows\n");
}

/* Finishes all checks of one device before opening the next, so that devices do not disturb each
 * other. */
static int examine_all(kt_context *context, doctor *d, const cli_selection *selected)
{
    int code = EXIT_DONE;
    size_t at = 0;
    cli_progress progress;
    double total_ns = estimate_ns(selected);
    terminal_catch_interrupt();
    say_plan(d->options, selected, total_ns);
    progress_begin(&progress, d->options->quiet, total_ns, 0, 0);
    for (; at < selected->count && !terminal_interrupted(); at++)
        if (doctor_examine(d, context, &selected->devices[at].info, &progress) != EXIT_DONE)
            code = EXIT_FAILED;
    progress_clear(&progress);
    if (!terminal_interrupted())
        return code;
    say_interrupted(selected->count - at);
    return EXIT_FAILED;
}

/* Without -d, includes every backend, so that the list gives the reason for each missing one. */
static kt_status add_backends(kt_context *context, const cli_options *options, kt_report *report)
{
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < kt_backend_count(context) && status == KT_OK; i++) {
        const kt_backend_info *backend = options->device_count ? NULL : kt_backend_get(context, i);
        if (backend && !backend->simulated)
            status = kt_report_add_backend(report, backend);
    }
    return status;
}

static int examine(kt_context *context, const cli_options *options, const cli_selection *selected)
{
    doctor d = {.options = options,
                .interrupted = terminal_interrupted,
                .measure = {.size = sizeof d.measure, .timeout_ns = options->measure.timeout_ns}};
    kt_report_desc desc = output_describe(options, "doctor");
    int code = EXIT_FAILED;
    if (kt_report_create(&d.report, &desc) == KT_OK &&
        add_backends(context, options, d.report) == KT_OK) {
        code = examine_all(context, &d, selected);
        int written = output_write(options, d.report, NULL);
        code = written != EXIT_DONE ? written : code;
    } else {
        fprintf(stderr, "kerntime: %s\n", kt_error_text());
    }
    kt_report_destroy(&d.report);
    return code;
}

static int check_words(const cli_options *options)
{
    if (!options->operand_count)
        return EXIT_DONE;
    fprintf(stderr, "kerntime doctor: \"%s\" is too much; a device is named with -d\n",
            options->operands[0]);
    return EXIT_USAGE;
}

int cmd_doctor(const cli_options *options)
{
    kt_context *context = NULL;
    cli_selection selected = {0};
    cli_options completed = *options;
    if (!completed.measure.timeout_ns)
        completed.measure.timeout_ns = TIMEOUT_NS;
    int code = output_check(&completed);
    if (code == EXIT_DONE)
        code = check_words(&completed);
    if (code == EXIT_DONE)
        code = selection_create_context(&completed, &context);
    if (code == EXIT_DONE)
        code = selection_make(context, &completed, &selected);
    if (code == EXIT_DONE && selected.count == 0) {
        fprintf(stderr, "kerntime: there is no device here; \"kerntime devices\" tells why\n");
        code = EXIT_UNAVAILABLE;
    }
    if (code == EXIT_DONE) {
        selection_warn(context, &completed);
        code = examine(context, &completed, &selected);
    }
    selection_free(&selected);
    kt_context_destroy(&context);
    return code;
}
