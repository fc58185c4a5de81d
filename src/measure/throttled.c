/* SPDX-License-Identifier: MIT */
#include "measure/throttled.h"

#include <math.h>

#define COST_SHARE 0.01              /* part of the time that readings may take */
#define WAIT_NS    INT64_C(50000000) /* between two looks at a device that recovers */

static void clear_summary(kt_watch *watch)
{
    kt_state_summary *summary = &watch->summary;
    *summary = (kt_state_summary){.core_clock_mhz = NAN,
                                  .core_clock_low_mhz = NAN,
                                  .core_clock_high_mhz = NAN,
                                  .memory_clock_mhz = NAN,
                                  .temperature_c = NAN,
                                  .power_w = NAN,
                                  .left_out = summary->left_out,
                                  .read_s = summary->read_s,
                                  .waited_s = summary->waited_s};
    watch->clocks = watch->memory_clocks = watch->powers = 0;
}

static void read_state(kt_watch *watch)
{
    int64_t before_ns = kt_device_now(watch->device);
    kt_status status = kt_device_read_state(watch->device, true, &watch->seen, &watch->latest);
    if (status != KT_OK)
        kt_state_clear(&watch->latest);
    watch->cost_ns = kt_device_now(watch->device) - before_ns;
}

/* Unknown reasons are those of the reference: a reading that failed is no recovery. */
static uint32_t reasons(const kt_watch *watch)
{
    double mask = watch->latest.value[KT_STATE_THROTTLE];
    return isnan(mask) ? watch->rule.reasons : (uint32_t)mask & KT_THROTTLE_MASK;
}

/* A CPU lowers the clock of a core that has nothing to do, and raises it above that of the others
 * where few have. So its clock says nothing of how its kernels ran. */
static double judged_clock(const kt_watch *watch)
{
    return watch->device->info.type == KT_DEVICE_CPU ? NAN
                                                     : watch->latest.value[KT_STATE_CORE_CLOCK];
}

/* The first reading opens the sources, so its cost says nothing of the next one's. A device whose
 * state cannot be read is no reason to end a measurement. */
kt_status kt_watch_begin(kt_watch *watch, kt_device *device, int64_t patience_ns)
{
    *watch = (kt_watch){.device = device, .patience_ns = patience_ns};
    clear_summary(watch);
    kt_status status = kt_device_read_state(device, true, &watch->seen, &watch->latest);
    watch->silent = status != KT_OK || !watch->latest.source[0];
    if (!watch->silent)
        read_state(watch);
    return status == KT_NO_MEMORY ? status : KT_OK;
}

bool kt_watch_is_due(const kt_watch *watch, int64_t elapsed_ns, bool last)
{
    double window_ns = (double)(elapsed_ns - watch->window_from_ns);
    return !watch->silent && (last || window_ns * COST_SHARE >= (double)watch->cost_ns);
}

static void add_mean(double *mean, uint32_t *count, double value)
{
    if (isnan(value))
        return;
    ++*count;
    *mean = *count == 1 ? value : *mean + (value - *mean) / *count;
}

static void add(kt_watch *watch)
{
    const double *value = watch->latest.value;
    kt_state_summary *summary = &watch->summary;
    summary->readings++;
    add_mean(&summary->core_clock_mhz, &watch->clocks, value[KT_STATE_CORE_CLOCK]);
    add_mean(&summary->memory_clock_mhz, &watch->memory_clocks, value[KT_STATE_MEMORY_CLOCK]);
    add_mean(&summary->power_w, &watch->powers, value[KT_STATE_POWER]);
    summary->core_clock_low_mhz = fmin(summary->core_clock_low_mhz, value[KT_STATE_CORE_CLOCK]);
    summary->core_clock_high_mhz = fmax(summary->core_clock_high_mhz, value[KT_STATE_CORE_CLOCK]);
    summary->temperature_c = fmax(summary->temperature_c, value[KT_STATE_TEMPERATURE]);
    summary->throttle |= reasons(watch);
}

kt_window_verdict kt_watch_end_window(kt_watch *watch, int64_t elapsed_ns, uint32_t samples)
{
    uint32_t before = watch->rule.reasons;
    int64_t window_ns = elapsed_ns - watch->window_from_ns;
    watch->window_from_ns = elapsed_ns;
    read_state(watch);
    watch->summary.read_s += (double)watch->cost_ns * 1e-9;
    kt_window_verdict verdict =
        kt_throttling_judge(&watch->rule, reasons(watch), judged_clock(watch));
    if (verdict == KT_WINDOW_LEAVE_OUT && watch->patience_ns <= 0) {
        watch->summary.kept_throttled += samples;
        verdict = KT_WINDOW_KEEP;
    }
    if (verdict == KT_WINDOW_BETTER) {
        watch->summary.left_out |= before | watch->summary.throttle;
        clear_summary(watch);
    }
    if (verdict == KT_WINDOW_LEAVE_OUT) {
        watch->summary.left_out |= reasons(watch) & ~watch->rule.reasons;
        watch->patience_ns -= window_ns;
        watch->summary.waited_s += (double)window_ns * 1e-9;
    } else {
        add(watch);
    }
    return verdict;
}

bool kt_watch_is_throttled(const kt_watch *watch)
{
    return (reasons(watch) & ~watch->rule.reasons) != 0;
}

void kt_watch_wait(kt_watch *watch)
{
    int64_t from_ns = kt_device_now(watch->device);
    kt_device_sleep(watch->device, WAIT_NS);
    read_state(watch);
    watch->patience_ns -= WAIT_NS;
    watch->summary.waited_s += (double)(kt_device_now(watch->device) - from_ns) * 1e-9;
}
