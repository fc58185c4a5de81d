/* SPDX-License-Identifier: MIT */
/* All figures as JSON, for whoever compares machines. */
#include "bench/hw/hw.h"
#include "output/json_writer.h"

#include <math.h>

static const char *const verdicts[] = {
    [HW_NOT_JUDGED] = NULL, [HW_WITHIN] = "within", [HW_BEYOND] = "beyond"};

static const char *said(const char *text)
{
    return text[0] ? text : NULL;
}

static void put_timer_limits(kt_json *json, const hw_device *d)
{
    kt_json_key(json, "timer_limits");
    if (!d->measured) {
        kt_json_text(json, NULL);
        return;
    }
    kt_json_open(json, '{');
    kt_json_number_member(json, "resolution_ns", d->limits.resolution_ns);
    kt_json_number_member(json, "min_span_ns", d->limits.min_span_ns);
    kt_json_number_member(json, "timestamp_overhead_ns", d->limits.timestamp_overhead_ns);
    kt_json_number_member(json, "overhead_ns", d->limits.overhead_ns);
    kt_json_key(json, "trusted");
    kt_json_bool(json, d->limits.trusted != 0);
    kt_json_text_member(json, "reason", said(d->limits.reason));
    kt_json_close(json, '}');
}

static void put_conformance(kt_json *json, const hw_conformance *c)
{
    kt_json_key(json, "conformance");
    kt_json_open(json, '{');
    kt_json_key(json, "is_run");
    kt_json_bool(json, c->is_run);
    kt_json_number_member(json, "exit_code", c->is_run ? c->exit_code : NAN);
    kt_json_text_member(json, "verdict", verdicts[c->verdict]);
    kt_json_text_member(json, "said", c->said);
    kt_json_number_member(json, "passed", c->is_run ? c->passed : NAN);
    kt_json_number_member(json, "skipped", c->is_run ? c->skipped : NAN);
    kt_json_key(json, "skips");
    kt_json_open(json, '[');
    for (unsigned i = 0; i < c->skipped && i < HW_SKIPS_MAX; i++) {
        kt_json_open_line(json, '{');
        kt_json_text_member(json, "test", c->skips[i].test);
        kt_json_text_member(json, "reason", c->skips[i].reason);
        kt_json_close(json, '}');
    }
    kt_json_close(json, ']');
    kt_json_close(json, '}');
}

static void put_discarded(kt_json *json, const hw_kernel *k)
{
    kt_json_key(json, "discarded");
    kt_json_open_line(json, '{');
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        if (k->discarded[i])
            kt_json_integer_member(json, kt_timestamp_state_name((kt_timestamp_state)i),
                                   k->discarded[i]);
    kt_json_close(json, '}');
}

static void put_kernel(kt_json *json, const hw_kernel *k)
{
    kt_json_open(json, '{');
    kt_json_number_member(json, "nominal_ns", k->nominal_ns);
    kt_json_text_member(json, "method", hw_method_name(k));
    kt_json_key(json, "beside_copy");
    kt_json_bool(json, k->beside_copy);
    kt_json_integer_member(json, "samples", (int64_t)k->samples);
    put_discarded(json, k);
    kt_json_number_member(json, "device_ns", k->device_ns);
    kt_json_number_member(json, "in_kernel_ns", k->truth_ns);
    kt_json_number_member(json, "apart_ns", k->difference_ns);
    kt_json_number_member(json, "allowed_ns", k->allowed_ns);
    kt_json_number_member(json, "wall_ns", k->wall_ns);
    kt_json_number_member(json, "cupti_ns", k->cupti_ns);
    kt_json_number_member(json, "cupti_apart_ns", k->cupti_difference_ns);
    kt_json_text_member(json, "verdict", verdicts[k->verdict]);
    kt_json_text_member(json, "error", said(k->error));
    kt_json_close(json, '}');
}

static void put_times(kt_json *json, double by_hand_ns, double kerntime_ns, double ratio,
                      double low, double high)
{
    kt_json_number_member(json, "by_hand_ns", by_hand_ns);
    kt_json_number_member(json, "kerntime_ns", kerntime_ns);
    kt_json_number_member(json, "ratio", ratio);
    kt_json_number_member(json, "ratio_low", low);
    kt_json_number_member(json, "ratio_high", high);
}

static void put_launches(kt_json *json, const hw_device *d)
{
    static const char *const names[HW_LAUNCHES] = {[HW_BY_TIMER] = "timer", [HW_BY_JOB] = "job"};
    kt_json_key(json, "launches");
    kt_json_open(json, '[');
    for (int i = 0; i < HW_LAUNCHES && d->are_launches_taken; i++) {
        const hw_launch *l = &d->launches[i];
        kt_json_open(json, '{');
        kt_json_text_member(json, "by", names[i]);
        kt_json_text_member(json, "method",
                            l->method == KT_METHOD_NONE ? NULL : kt_method_name(l->method));
        kt_json_number_member(json, "untimed_ns", l->untimed_ns);
        put_times(json, l->by_hand_ns, l->kerntime_ns, l->ratio, l->ratio_low, l->ratio_high);
        kt_json_text_member(json, "verdict", verdicts[l->verdict]);
        kt_json_text_member(json, "error", said(l->error));
        kt_json_close(json, '}');
    }
    kt_json_close(json, ']');
}

static void put_copies(kt_json *json, const hw_device *d)
{
    kt_json_key(json, "copies");
    kt_json_open(json, '[');
    for (size_t i = 0; i < d->copy_count; i++) {
        const hw_copy *c = &d->copies[i];
        kt_json_open(json, '{');
        kt_json_text_member(json, "direction", c->direction);
        kt_json_number_member(json, "bytes", c->bytes);
        put_times(json, c->by_hand_ns, c->kerntime_ns, c->ratio, c->ratio_low, c->ratio_high);
        kt_json_text_member(json, "error", said(c->error));
        kt_json_close(json, '}');
    }
    kt_json_close(json, ']');
}

/* A number that is not known is null, never 0. */
static void put_known(kt_json *json, const char *key, int64_t value)
{
    kt_json_number_member(json, key, value ? (double)value : NAN);
}

static void put_device(kt_json *json, const hw_device *d)
{
    kt_json_open(json, '{');
    kt_json_text_member(json, "id", d->info.id);
    kt_json_text_member(json, "name", d->info.name);
    kt_json_text_member(json, "backend", d->info.backend);
    kt_json_text_member(json, "driver", d->info.driver);
    kt_json_text_member(json, "kernel_driver", said(d->kernel_driver));
    put_known(json, "clock_khz", d->clock_khz);
    put_known(json, "memory_clock_khz", d->memory_khz);
    put_known(json, "clock_after_mhz", d->clock_now_mhz);
    put_known(json, "memory_clock_after_mhz", d->memory_now_mhz);
    put_known(json, "globaltimer_step_ns", (int64_t)d->step_ns);
    put_known(json, "cupti_version", d->cupti_version);
    kt_json_number_member(json, "fixed_cost_ns", d->fixed_ns);
    kt_json_text_member(json, "error", said(d->error));
    kt_json_text_member(json, "no_kernels", said(d->truth_reason));
    kt_json_text_member(json, "no_kernels_by_hand", said(d->by_hand_reason));
    kt_json_text_member(json, "no_cupti", said(d->cupti_reason));
    put_timer_limits(json, d);
    put_conformance(json, &d->conformance);
    kt_json_key(json, "kernels");
    kt_json_open(json, '[');
    for (size_t i = 0; i < d->kernel_count; i++)
        put_kernel(json, &d->kernels[i]);
    kt_json_close(json, ']');
    put_launches(json, d);
    put_copies(json, d);
    kt_json_key(json, "passes");
    kt_json_bool(json, hw_passes(d));
    kt_json_close(json, '}');
}

kt_status hw_write_json(const hw_report *report, const kt_sink *sink)
{
    kt_writer writer = {.sink = sink};
    kt_json json = {.writer = &writer};
    kt_json_open(&json, '{');
    kt_json_text_member(&json, "schema", "kerntime-hw-check/1");
    kt_json_text_member(&json, "version", report->origin->version);
    kt_json_text_member(&json, "started", report->origin->started);
    kt_print_json_host(&json, report->origin);
    kt_json_key(&json, "command");
    kt_json_open_line(&json, '[');
    for (int i = 0; i < report->command_count; i++)
        kt_json_text(&json, report->command[i]);
    kt_json_close(&json, ']');
    kt_json_key(&json, "asked");
    kt_json_open(&json, '{');
    kt_json_number_member(&json, "share", HW_SHARE);
    kt_json_number_member(&json, "kernels_from_ns", HW_JUDGED_NS);
    kt_json_number_member(&json, "launch_ratio", HW_LAUNCH_RATIO);
    kt_json_number_member(&json, "launch_more_ns", HW_LAUNCH_MORE_NS);
    kt_json_number_member(&json, "fixed_cost_max_ns", HW_FIXED_MAX_NS);
    kt_json_close(&json, '}');
    kt_json_key(&json, "devices");
    kt_json_open(&json, '[');
    for (size_t i = 0; i < report->device_count; i++)
        put_device(&json, &report->devices[i]);
    kt_json_close(&json, ']');
    kt_json_key(&json, "passes");
    kt_json_bool(&json, hw_report_passes(report));
    kt_json_close(&json, '}');
    kt_put(&writer, "\n");
    kt_flush(&writer);
    return writer.status;
}
