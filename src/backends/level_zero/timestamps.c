/* SPDX-License-Identifier: MIT */
#include "backends/level_zero/timestamps.h"

#include <math.h>
#include <string.h>

/* timerResolution is in ns up to this number and in Hz above: no tick is longer than this many ns,
 * and no counter is as slow as 100 kHz. */
#define WHOLE_NS_MAX 100000

kt_clock_info kt_level_zero_clock(const ze_device_properties_t *properties, int which)
{
    static const char names[][8] = {"kernel", "global", "context"};
    const uint64_t reported = properties->timerResolution;
    bool in_hz = reported > WHOLE_NS_MAX;
    uint32_t bits = which == LEVEL_ZERO_GLOBAL ? properties->timestampValidBits
                                               : properties->kernelTimestampValidBits;
    kt_clock_info clock = {.method = KT_METHOD_DEVICE_TIMESTAMP,
                           .period_ns = in_hz ? 1e9 / (double)reported : NAN,
                           .reported_period_ns = in_hz ? 0 : (uint32_t)reported,
                           .timer = 1, /* all clocks share the device's timer */
                           .frequency_hz = in_hz ? (double)reported : NAN,
                           .valid_bits = bits <= 64 ? bits : 0,
                           .pauses = which == LEVEL_ZERO_CONTEXT,
                           .uncertainty_ns = NAN,
                           .drift_ppm = NAN};
    memcpy(clock.name, names[which], sizeof names[which]);
    return clock;
}

/* Whether `a` comes before `b` on a counter of that many bits, the shorter way round. */
static bool is_before(uint64_t a, uint64_t b, uint32_t valid_bits)
{
    uint32_t unused = valid_bits > 0 && valid_bits < 64 ? 64 - valid_bits : 0;
    uint64_t from_a_to_b = (b - a) << unused;
    return from_a_to_b != 0 && from_a_to_b < UINT64_C(1) << 63;
}

static void widen(ze_kernel_timestamp_data_t *all, const ze_kernel_timestamp_data_t *one,
                  uint32_t valid_bits)
{
    if (is_before(one->kernelStart, all->kernelStart, valid_bits))
        all->kernelStart = one->kernelStart;
    if (is_before(all->kernelEnd, one->kernelEnd, valid_bits))
        all->kernelEnd = one->kernelEnd;
}

static bool is_empty(const ze_kernel_timestamp_result_t *result)
{
    return !result->global.kernelStart && !result->global.kernelEnd &&
           !result->context.kernelStart && !result->context.kernelEnd;
}

ze_kernel_timestamp_result_t kt_level_zero_combine(const ze_kernel_timestamp_result_t *tiles,
                                                   uint32_t count, uint32_t valid_bits)
{
    uint32_t first = 0;
    while (first + 1 < count && is_empty(&tiles[first]))
        first++;
    ze_kernel_timestamp_result_t all = tiles[first];
    for (uint32_t i = first + 1; i < count; i++) {
        if (is_empty(&tiles[i]))
            continue;
        widen(&all.global, &tiles[i].global, valid_bits);
        widen(&all.context, &tiles[i].context, valid_bits);
    }
    return all;
}

kt_timestamp kt_level_zero_timestamp_of(const ze_kernel_timestamp_result_t *first,
                                        const ze_kernel_timestamp_result_t *last)
{
    return (kt_timestamp){.state = is_empty(first) || is_empty(last) ? KT_TIMESTAMP_ZERO
                                                                     : KT_TIMESTAMP_OK,
                          .clock = LEVEL_ZERO_KERNEL,
                          .start_ticks = first->global.kernelStart,
                          .end_ticks = last->global.kernelEnd,
                          .has_context = true,
                          .context_clock = LEVEL_ZERO_CONTEXT,
                          .context_start_ticks = first->context.kernelStart,
                          .context_end_ticks = last->context.kernelEnd};
}
