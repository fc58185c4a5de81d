/*
 * A clock of a device that is followed: where its pairs come from, and when they are taken. What they tell
 * is calibrate.c's.
 */
#include "calibrate.h"
#include "core.h"
#include "support/alloc.h"

#include <math.h>

/* A pair may cost so much of the time between two. */
#define PAIR_SHARE_MAX 0.01

struct kt_clock {
    kt_device *device;
    uint32_t index;
    int64_t interval_ns, next_ns; /* host clock: no pair before that */
    kt_clock_source source;
    kt_calibration calibration;
};

static kt_status take_pair(kt_clock *clock)
{
    kt_clock_pair pair;
    kt_status status = kt_device_clock_pair(clock->device, clock->index, &pair);
    if (status != KT_OK)
        return status;
    kt_calibration_add(&clock->calibration, &pair);
    double cost_ns = (double)(pair.host_after_ns - pair.host_before_ns);
    double interval_ns = fmax((double)clock->interval_ns, cost_ns / PAIR_SHARE_MAX);
    clock->next_ns = pair.host_after_ns + (int64_t)interval_ns;
    return KT_OK;
}

kt_status kt_clock_open(kt_device *device, uint32_t index, const kt_clock_options *options,
                        kt_clock **out)
{
    kt_clock_options given;
    kt_status status = kt_take_options(&given, sizeof given, options, "kt_clock_options");
    if (status != KT_OK)
        return status;
    kt_clock *clock = kt_alloc(1, sizeof *clock);
    if (!clock)
        return KT_NO_MEMORY;
    clock->device = device;
    clock->index = index;
    clock->interval_ns = given.interval_ns ? given.interval_ns : KT_CLOCK_INTERVAL_DEFAULT_NS;
    clock->source = KT_SOURCE_PAIRS;
    const kt_clock_info *info = &device->info.clocks[index];
    kt_calibration_init(&clock->calibration, &(kt_calibration_rule){.period_ns = info->period_ns,
                                                                    .valid_bits = info->valid_bits,
                                                                    .step_ticks = 1});
    uint32_t pairs = given.pairs ? given.pairs : KT_CLOCK_PAIRS_DEFAULT;
    for (uint32_t i = 0; i < pairs && status == KT_OK; i++)
        status = take_pair(clock);
    if (status == KT_OK)
        *out = clock;
    else
        kt_clock_close(&clock);
    return status;
}

void kt_clock_close(kt_clock **clock)
{
    kt_free(*clock);
    *clock = NULL;
}

kt_status kt_clock_update(kt_clock *clock)
{
    return kt_device_now(clock->device) < clock->next_ns ? KT_OK : take_pair(clock);
}

kt_status kt_clock_to_host(const kt_clock *clock, uint64_t ticks, int64_t *host_ns,
                           double *uncertainty_ns)
{
    if (kt_calibration_place(&clock->calibration, ticks, host_ns, uncertainty_ns))
        return KT_OK;
    return kt_fail(KT_NOT_READY, "%s: the period of its clock \"%s\" is not known yet",
                   clock->device->info.id, clock->device->info.clocks[clock->index].name);
}

void kt_clock_get_state(const kt_clock *clock, kt_clock_state *out)
{
    kt_calibration_get_state(&clock->calibration, out);
    out->source = clock->source;
}
