/* SPDX-License-Identifier: MIT */
/*
 * Calls every public function with arguments that it cannot use: arguments.py makes the calls from
 * the headers, and says what has to come of each.
 */
#include <kerntime/kerntime.h>
#include <kerntime/timer/cpu.h>
#include <kerntime/timer/cuda.h>
#include <kerntime/timer/hip.h>
#include <kerntime/timer/level_zero.h>
#include <kerntime/timer/metal.h>
#include <kerntime/timer/opencl.h>
#include <kerntime/timer/vulkan.h>
#include <kerntime/timer/webgpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static _Alignas(64) unsigned char zeros[1 << 16]; /* what calls may read, or write to */

static void begin(const char *what)
{
    printf("%s\n", what);
    memset(zeros, 0, sizeof zeros);
    fflush(stdout); /* the last line names the call that ended the process */
    kt_host_domain_now((kt_host_domain)77, &(int64_t){0});
}

static void check(int right, const char *what, kt_status status)
{
    if (right)
        return;
    failures++;
    printf("  WRONG: %s gave %s, \"%s\"\n", what, kt_status_name(status), kt_error_text());
}

/* Refused, with a sentence of its own. */
static void refused(const char *what, kt_status status)
{
    check(status == KT_INVALID && *kt_error_text() && !strstr(kt_error_text(), "number 77"), what,
          status);
}

#define GIVES_INVALID(what, call)     (begin(what), refused(what, call))
#define GIVES_UNAVAILABLE(what, call) (begin(what), unavailable(what, call))
#define GIVES_ANY(what, call)         (begin(what), (void)(call))
#define RETURNS(what, call)           (begin(what), (void)(call))
#define GIVES_NOTHING(what, call)     (begin(what), check((call) == NULL, what, KT_OK))
#define GIVES_UNKNOWN(what, call) \
    (begin(what), check(strncmp(call, "unknown", 7) == 0, what, KT_OK))

static void unavailable(const char *what, kt_status status)
{
    check(status == KT_UNAVAILABLE, what, status);
}

static void must(kt_status status)
{
    if (status == KT_OK)
        return;
    printf("%s\n", kt_error_text());
    exit(1);
}

static int swallow(void *user, const char *data, size_t bytes)
{
    (void)user, (void)data, (void)bytes;
    return 0;
}

int main(void)
{
    const kt_sink sink = {.write = swallow};
    kt_context *context = NULL;
    kt_device *device = NULL;
    kt_clock *clock = NULL;
    kt_memory *memory = NULL;
    kt_job *job = NULL;
    kt_result *result = NULL;
    kt_report *report = NULL, *measured = NULL;
    kt_report_comparison *changes = NULL;
    kt_snapshot *snapshot = NULL;
    kt_comparison *comparison = NULL;
    kt_trace *trace = NULL;
    kt_timer_context *timers = NULL;
    kt_timer *timer = NULL;
    must(kt_context_create(&context, NULL));
    must(kt_device_open(context, "sim:0", &device));
    must(kt_clock_open(device, 0, NULL, &clock));
    must(kt_memory_create(device, KT_MEMORY_DEFAULT, 64, &memory));
    const kt_step step = {.kind = KT_STEP_COPY, .src = memory, .dst = memory, .copy_bytes = 16};
    const kt_job_desc desc = {.size = sizeof desc, .name = "copy", .steps = &step, .step_count = 1};
    must(kt_job_create(device, &desc, &job));
    const kt_measure_options few = {.size = sizeof few, .samples_min = 3, .samples_max = 3};
    must(kt_measure(job, &few, &result));
    must(kt_report_create(&report, NULL));
    must(kt_report_add_device(report, kt_device_get_info(device), NULL));
    must(kt_report_add_series(report, kt_result_series(result, 0)));
    must(kt_report_create(&measured, NULL));
    must(kt_report_add_device(measured, kt_device_get_info(device), NULL));
    const kt_report *one[] = {report}, *other[] = {measured};
    const kt_compare_side sides[] = {{.reports = one, .count = 1}, {.reports = other, .count = 1}};
    must(kt_report_compare(&sides[0], &sides[1], NULL, NULL, &changes));
    must(kt_snapshot_take(&snapshot));
    must(kt_snapshot_compare(NULL, snapshot, &comparison));
    must(kt_trace_create(&trace, NULL));
    must(kt_timer_context_import_cpu(&timers));
    must(kt_timer_create(timers, "timer", &timer));
    void *made = NULL;

#include "arguments.inc"

    kt_timer_destroy(&timer);
    kt_timer_context_close(&timers);
    kt_trace_destroy(&trace);
    kt_comparison_destroy(&comparison);
    kt_snapshot_destroy(&snapshot);
    kt_report_comparison_destroy(&changes);
    kt_report_destroy(&measured);
    kt_report_destroy(&report);
    kt_result_destroy(&result);
    kt_job_destroy(&job);
    kt_memory_destroy(&memory);
    kt_clock_close(&clock);
    kt_device_close(&device);
    kt_context_destroy(&context);
    if (made)
        printf("left over\n");
    return failures ? 1 : 0;
}
