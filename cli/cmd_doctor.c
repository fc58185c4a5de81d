/* The command `doctor`: what the clocks of each device can and cannot resolve. */
#include "doctor/doctor.h"
#include "output.h"
#include "select.h"

#include <stdio.h>

/* Of one device everything is found before the next one is opened, so that none disturbs another. */
static int examine_all(kt_context *context, doctor *d, const cli_selection *selected)
{
    int code = EXIT_DONE;
    cli_progress progress;
    progress_begin(&progress, d->options->quiet, doctor_estimate_ns() * (double)selected->count, 0,
                   0);
    for (size_t i = 0; i < selected->count; i++)
        if (doctor_examine(d, context, &selected->devices[i].info, &progress) != EXIT_DONE)
            code = EXIT_FAILED;
    progress_clear(&progress);
    return code;
}

static int examine(kt_context *context, const cli_options *options, const cli_selection *selected)
{
    doctor d = {.options = options,
                .measure = {.size = sizeof d.measure, .timeout_ns = options->measure.timeout_ns}};
    kt_report_desc desc = output_describe(options, "doctor");
    int code = EXIT_FAILED;
    if (kt_report_create(&d.report, &desc) == KT_OK) {
        code = examine_all(context, &d, selected);
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
    kt_context *context = NULL;
    cli_selection selected = {0};
    int code = output_check(options);
    if (code == EXIT_DONE && options->operand_count) {
        fprintf(stderr, "kerntime doctor: \"%s\" is too much; a device is named with -d\n",
                options->operands[0]);
        code = EXIT_USAGE;
    }
    if (code == EXIT_DONE)
        code = selection_create_context(options, &context);
    if (code == EXIT_DONE)
        code = selection_make(context, options, &selected);
    if (code == EXIT_DONE)
        code = examine(context, options, &selected);
    selection_free(&selected);
    kt_context_destroy(&context);
    return code;
}
