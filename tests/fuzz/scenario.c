/* SPDX-License-Identifier: MIT */
/* Scenarios of simulated devices: "period_ns=52.083333,bits=32". */
#include "backends/sim/scenario.h"

#include "fuzz.h"
#include "support/error.h"

#include <kerntime/kerntime.h>
#include <math.h>

/* The limits of the design, once more. */
static void check_ranges(const kt_sim_scenario *s)
{
    CHECK(s->period_ns >= 1e-3 && s->period_ns <= 1e9);
    CHECK(s->bits >= 8 && s->bits <= 64);
    CHECK(s->drift_ppm >= -1e5 && s->drift_ppm <= 1e5);
    CHECK(s->resolution_ns >= 0 && s->resolution_ns <= 1e9);
    CHECK(s->min_span_ns >= 0 && s->min_span_ns <= 1e9);
    CHECK(s->kernel_ns >= 0 && s->kernel_ns <= 1e13);
    CHECK(s->copy_gbs >= 1e-6 && s->copy_gbs <= 1e6);
    CHECK(s->latency_ns >= 0 && s->latency_ns <= 1e9);
    CHECK(s->jitter_ns >= 0 && s->jitter_ns <= 1e12);
    CHECK(s->jitter_share >= 0 && s->jitter_share <= 1);
    CHECK(s->calibration_jitter_ns >= 0 && s->calibration_jitter_ns <= 1e9);
    CHECK(isnan(s->calibration_place) || (s->calibration_place >= 0 && s->calibration_place <= 1));
    CHECK(s->zero >= 0 && s->zero <= 1);
    CHECK(s->negative >= 0 && s->negative <= 1);
    CHECK(s->lost >= 0 && s->lost <= 1);
    CHECK(s->clock_mhz >= 0 && s->clock_mhz <= 1e5);
    CHECK(s->throttled >= 0 && s->throttled <= 1);
    CHECK(s->power_w >= 0 && s->power_w <= 1e5);
    CHECK(s->energy_step_ms >= 0 && s->energy_step_ms <= 1e6);
    CHECK(s->reset_ms >= 0 && s->reset_ms <= 1e9);
    CHECK(s->period_reported <= 1 && s->bits_reported <= 1 && s->pairs <= 1);
}

/* What is not told of the clock is unknown, and all else is as the scenario says. */
static void check_clock(const kt_device_info *info, const kt_sim_scenario *s)
{
    const kt_clock_info *clock = &info->clocks[0];
    CHECK(info->clock_count == 1);
    CHECK(s->period_reported ? clock->period_ns == s->period_ns : isnan(clock->period_ns));
    CHECK(clock->valid_bits == (s->bits_reported ? s->bits : 0));
}

/* A device with the scenario is described if, and only if, the scenario is one. */
static void check_device(const char *scenario, const kt_sim_scenario *parsed)
{
    static kt_context *context;
    const kt_context_options options = {.size = sizeof options, .backends = "sim"};
    CHECK(context || kt_context_create(&context, &options) == KT_OK);
    char id[sizeof((kt_device_info *)0)->id];
    if (snprintf(id, sizeof id, "sim:0:%s", scenario) >= (int)sizeof id)
        return;
    kt_device_info info;
    fuzz_fill(&info, sizeof info);
    kt_status status = kt_device_describe(context, id, &info);
    CHECK(status == (parsed ? KT_OK : KT_INVALID));
    if (!parsed) {
        fuzz_check_untouched(&info, sizeof info);
        return;
    }
    CHECK(strcmp(info.id, id) == 0 && info.type == KT_DEVICE_SIMULATED);
    check_clock(&info, parsed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes);
    kt_sim_scenario scenario;
    kt_status status = kt_sim_scenario_parse(text, &scenario);
    CHECK(status == KT_OK || status == KT_INVALID);
    if (status == KT_OK)
        check_ranges(&scenario);
    else
        fuzz_check_sentence(kt_error_text(), KT_ERROR_TEXT_BYTES);
    check_device(text, status == KT_OK ? &scenario : NULL);
    free(text);
    return 0;
}
