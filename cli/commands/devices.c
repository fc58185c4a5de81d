/* SPDX-License-Identifier: MIT */
/*
 * devices.c - the command `devices`. It opens each device, since no driver reports the relation of
 * its clock to the host's, and to read its state. Each device has 5 s; a device that fails is listed
 * with the reason.
 */
#include "cli/commands/commands.h"
#include "cli/doctor/host.h"
#include "cli/options/select.h"
#include "cli/output/output.h"
#include "cli/terminal/terminal.h"

#include <kerntime/cycles.h>
#include <stdio.h>
#include <string.h>

/* Time limit per device: short, so that one device cannot delay the list. */
#define TIMEOUT_NS   INT64_C(5000000000)
#define REASON_BYTES 256

/* Keeps the first line of the last error text, since compiler messages are long, without the device
 * name, which the list shows anyway. */
static void keep_reason(const kt_device_info *info, char *reason)
{
    const char *text = kt_error_text();
    size_t length = strlen(info->id);
    if (strncmp(text, info->id, length) == 0 && strncmp(text + length, ": ", 2) == 0)
        text += length + 2;
    size_t end = strcspn(text, "\n");
    end -= end > 0 && text[end - 1] == ':'; /* drops a colon that introduced further lines */
    snprintf(reason, REASON_BYTES, "%.*s", (int)end, text);
}

/* Calibrates all clocks of an open device. `reason` stays unchanged unless one fails. */
static void find_clocks(kt_device *device, char *reason)
{
    kt_status status = KT_OK;
    const kt_device_info *info = kt_device_get_info(device);
    for (uint32_t i = 0; i < info->clock_count && status != KT_TIMEOUT; i++) {
        kt_clock *clock = NULL;
        if (!kt_clock_has_place(&info->clocks[i]))
            continue; /* such a clock has no relation to the host's, which is no failure */
        status = kt_clock_open(device, i, NULL, &clock);
        kt_clock_close(&clock);
        if (status != KT_OK)
            keep_reason(info, reason);
    }
}

/* Lists a device that cannot be opened as its driver describes it. */
static kt_status add_device(kt_context *context, const kt_device_info *info, kt_report *report)
{
    char reason[REASON_BYTES] = "";
    kt_device *device = NULL;
    kt_device_state state = {0};
    if (kt_device_open(context, info->id, &device) == KT_OK) {
        (void)kt_device_get_state(device, &state); /* leaves it without a source if it fails */
        find_clocks(device, reason);
    } else {
        keep_reason(info, reason);
    }
    kt_status status =
        kt_report_add_device(report, device ? kt_device_get_info(device) : info, NULL);
    kt_device_close(&device);
    if (status == KT_OK && reason[0])
        status = kt_report_set_clock_error(report, info->id, reason);
    if (status == KT_OK)
        status = kt_report_set_device_state(report, info->id, &state);
    return status;
}

/* Prints the clock of KT_SCOPE and of timers of the CPU, beside the device that it is of. */
static void print_scope_clock(void)
{
    kt_cycles_info clock;
    char text[SCOPE_CLOCK_BYTES];
    if (kt_cycles_get_info(&clock) != KT_OK)
        return;
    putchar('\n');
    terminal_print_text("clock of scopes", doctor_scope_clock_text(text, &clock));
}

static bool has_cpu(const cli_selection *selected)
{
    bool has = false;
    for (size_t i = 0; i < selected->count; i++)
        has |= strcmp(selected->devices[i].info.backend, "cpu") == 0;
    return has;
}

static int list(const cli_options *options, const cli_selection *selected)
{
    kt_report *report = NULL;
    kt_report_desc desc = output_describe(options, "devices");
    int code = EXIT_FAILED;
    if (has_cpu(selected))
        kt_cycles_now(); /* chooses the clock, whose period is known better at the end */
    kt_status status = kt_report_create(&report, &desc);
    for (size_t i = 0; i < selected->count && status == KT_OK; i++)
        status = add_device(selected->context, &selected->devices[i].info, report);
    if (status == KT_OK && selection_list_backends(selected, options, report) == KT_OK)
        code = output_write(options, report, NULL);
    else
        fprintf(stderr, "kerntime: %s\n", kt_error_text());
    kt_report_destroy(&report);
    if (code == EXIT_DONE && output_has_table(options) && has_cpu(selected))
        print_scope_clock();
    return code;
}

int cmd_devices(const cli_options *options)
{
    cli_selection selected = {0};
    cli_options limited = *options;
    limited.measure.timeout_ns = TIMEOUT_NS;
    int code = output_check(options);
    if (code == EXIT_DONE)
        code = options_refuse_operands(options, "a device is named with -d");
    if (code == EXIT_DONE)
        code = selection_make(&limited, &selected);
    if (code == EXIT_DONE)
        code = list(options, &selected);
    selection_free(&selected);
    return code;
}
