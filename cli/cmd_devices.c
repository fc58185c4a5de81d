#include "output.h"
#include "select.h"

#include <stdio.h>

/* Without -d: every backend, so that what is missing is told with its reason. */
static kt_status fill(kt_context *context, const cli_options *options,
                      const cli_selection *selected, kt_report *report)
{
    kt_status status = KT_OK;
    for (size_t i = 0; i < selected->count && status == KT_OK; i++)
        status = kt_report_add_device(report, &selected->devices[i].info, NULL);
    for (uint32_t i = 0; i < kt_backend_count(context) && status == KT_OK; i++) {
        const kt_backend_info *backend = options->device_count ? NULL : kt_backend_get(context, i);
        if (backend && !backend->simulated)
            status = kt_report_add_backend(report, backend);
    }
    return status;
}

int cmd_devices(const cli_options *options)
{
    kt_context *context = NULL;
    kt_report *report = NULL;
    cli_selection selected = {0};
    int code = output_check(options);
    if (code == EXIT_DONE && options->operand_count) {
        fprintf(stderr, "kerntime devices: \"%s\" is too much; a device is named with -d\n",
                options->operands[0]);
        code = EXIT_USAGE;
    }
    if (code == EXIT_DONE)
        code = selection_create_context(options, &context);
    if (code == EXIT_DONE)
        code = selection_make(context, options, &selected);
    if (code != EXIT_DONE)
        goto done;
    kt_report_desc desc = output_describe(options, "devices");
    if (kt_report_create(&report, &desc) != KT_OK ||
        fill(context, options, &selected, report) != KT_OK) {
        fprintf(stderr, "kerntime: %s\n", kt_error_text());
        code = EXIT_FAILED;
        goto done;
    }
    code = output_write(options, report);
done:
    kt_report_destroy(&report);
    selection_free(&selected);
    kt_context_destroy(&context);
    return code;
}
