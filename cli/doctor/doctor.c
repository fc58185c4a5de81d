/* SPDX-License-Identifier: MIT */
/* doctor.c - the list of checks and their shared functions. */
#include "cli/doctor/doctor.h"

#include <kerntime/cycles.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The checks, in order of execution and display. */
static const doctor_check checks[] = {
    {"device_state", doctor_check_state, 1e8},    /* before the device has any work */
    {"timestamps", doctor_check_timestamps, 6e8}, /* measures the timer limits for all others */
    {"clocks", doctor_check_clocks, 1.5e9},       /* follows the clocks while kernels run */
    /* measures the length of kernels for the checks below */
    {"loops", doctor_check_loops, 1.2e9},
    {"first_use", doctor_check_first_use, 6e8}, /* first run of a kernel unused by earlier checks */
    {"agreement", doctor_check_agreement, 2e9}, /* runs increasingly long kernels */
    {"steady", doctor_check_steady, 1.5e9},     /* repeats one kernel for a while */
};

#define CHECK_COUNT (sizeof checks / sizeof checks[0])

/* Checks that do not use the device. They also run after the device failed or the user
 * interrupted. */
static const doctor_check afterwards[] = {
    {"results", doctor_check_results, 1e6},
    {"host", doctor_check_host, 1e6},
    {"shortest", doctor_check_shortest, 1e6},
};

#define AFTERWARDS_COUNT (sizeof afterwards / sizeof afterwards[0])

/* Estimated duration of a check; 0 for a simulated device, whose time takes no real time. */
static double estimate_of(const doctor_check *check, const kt_device_info *info)
{
    return info->type == KT_DEVICE_SIMULATED ? check->estimate_ns * 1e-3 : check->estimate_ns;
}

double doctor_estimate_ns(const kt_device_info *info)
{
    double sum_ns = 0;
    for (size_t i = 0; i < CHECK_COUNT; i++)
        sum_ns += estimate_of(&checks[i], info);
    for (size_t i = 0; i < AFTERWARDS_COUNT; i++)
        sum_ns += estimate_of(&afterwards[i], info);
    return sum_ns;
}

/* Reports the driver's failure, which ends the examination, as a diagnostic. */
static kt_status add_failure(doctor *d, const char *check, cli_progress *progress)
{
    doctor_diagnostic f = doctor_begin(check, KT_SEVERITY_FAULT);
    const char *reason = d->reason ? d->reason : kt_error_text();
    doctor_seen(&f, "check failed: %s", reason);
    doctor_means(&f, "the remaining checks were skipped%s",
                 d->found ? "; earlier results stand" : "");
    d->failed = true;
    progress_clear(progress);
    fprintf(stderr, "kerntime: doctor on %s: %s\n", d->info->id, reason);
    return doctor_add(d, &f);
}

kt_status doctor_no_memory(doctor *d)
{
    d->reason = kt_status_name(KT_NO_MEMORY);
    return KT_NO_MEMORY;
}

/* Progress callback, called between two samples of a check. Returns 0 to stop. */
static int go_on(void *user, const kt_progress *progress)
{
    const doctor *d = user;
    (void)progress;
    progress_part_update(d->progress, 0); /* only shows activity: the check's progress is unknown */
    return !d->interrupted();
}

static kt_status run_check(doctor *d, const doctor_check *check, cli_progress *progress)
{
    char label[96];
    progress_part part;
    snprintf(label, sizeof label, "%.60s %s", d->info->id, check->name);
    progress_part_begin(&part, progress, label, estimate_of(check, d->info));
    d->progress = &part;
    kt_status status = check->run(d);
    progress_part_end(&part);
    progress_round_over(progress);
    return status;
}

/* Marks the report as incomplete after an interruption. */
static kt_status add_interruption(doctor *d, size_t from)
{
    char names[DOCTOR_TEXT_BYTES / 2] = "";
    doctor_diagnostic f = doctor_begin("interrupted", KT_SEVERITY_NOTE);
    d->failed = true;
    for (size_t i = from; i < CHECK_COUNT; i++) {
        size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "", checks[i].name);
    }
    doctor_seen(&f, "interrupted by the user; incomplete checks: %s", names);
    doctor_means(&f, "the results of these checks are missing or incomplete");
    return doctor_add(d, &f);
}

/* Ends the checks with a check's status. A device may fail before an interruption is noticed; then
 * reports both. */
static kt_status end_checks(doctor *d, size_t at, kt_status status, cli_progress *progress)
{
    bool cancelled = status == KT_CANCELLED;
    kt_status added = cancelled ? KT_OK : add_failure(d, checks[at].name, progress);
    if (added == KT_OK && (cancelled || d->interrupted()))
        added = add_interruption(d, at);
    return added;
}

static kt_status run_checks(doctor *d, cli_progress *progress)
{
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        kt_status status = d->interrupted() ? KT_CANCELLED : run_check(d, &checks[i], progress);
        if (status != KT_OK)
            return end_checks(d, i, status, progress);
    }
    return KT_OK;
}

static kt_status run_afterwards(doctor *d, cli_progress *progress)
{
    kt_status status = KT_OK;
    for (size_t i = 0; i < AFTERWARDS_COUNT && status == KT_OK; i++)
        status = run_check(d, &afterwards[i], progress);
    return status;
}

int doctor_examine(doctor *d, kt_context *context, const kt_device_info *info,
                   cli_progress *progress)
{
    kt_device_info opened; /* opening may add clock properties to it */
    d->info = info;
    d->limits = NULL;
    d->clock = 0;
    d->empty_jitter_ns = d->wall_jitter_ns = NAN;
    d->timestamp_fault = d->other_fault = d->reason = NULL;
    d->busy = d->failed = false;
    d->found = 0;
    d->measure.progress = go_on;
    d->measure.progress_user = d;
    d->kernels = (doctor_kernels){.dispatch_ns = NAN, .iteration_ns = NAN};
    double load = d->host_before.load;
    kt_host_state_read(&d->host_before);
    kt_cycles_now(); /* chooses the clock of scopes, whose period is known better at the end */
    if (d->examined++ > 0) /* from the second device on, this program itself causes load */
        d->host_before.load = load;
    kt_status status = kt_report_add_device(d->report, info, NULL);
    if (status == KT_OK && kt_device_open(context, info->id, &d->device) != KT_OK)
        status = add_failure(d, "open", progress);
    else if (status == KT_OK) {
        opened = *kt_device_get_info(d->device);
        d->info = &opened;
        status = run_checks(d, progress);
    }
    if (status == KT_OK)
        status = run_afterwards(d, progress);
    if (status == KT_OK && d->device)
        status = kt_report_add_device(d->report, kt_device_get_info(d->device),
                                      kt_device_get_timer_limits(d->device));
    kt_device_close(&d->device);
    if (status == KT_OK)
        return d->failed ? EXIT_FAILED : EXIT_DONE;
    progress_clear(progress);
    fprintf(stderr, "kerntime: %s\n", kt_error_text());
    return EXIT_FAILED;
}
