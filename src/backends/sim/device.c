/* SPDX-License-Identifier: MIT */
#include "backends/sim/internal.h"
#include "backends/sim/noise.h"
#include "support/device_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define HOST_START_NS 1e9 /* start of the host clock; 0 would look like a missing timestamp */
#define PAIR_SEED     UINT64_C(0x5DEECE66D5DEECE6) /* arbitrary: separates the two random streams */

kt_status kt_sim_call(sim_device *device, const char *call)
{
    if (++device->calls != device->scenario.fail)
        return KT_OK;
    return kt_fail(KT_DRIVER_ERROR, "%s failed, as its scenario says (fail=%llu)", call,
                   (unsigned long long)device->scenario.fail);
}

/* Random generator SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number
 * generators, OOPSLA 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

uint64_t kt_sim_random(sim_device *device)
{
    return next_random(&device->random);
}

static double noise_of(uint64_t random)
{
    unsigned step = (unsigned)(random % KT_SIM_NOISE_STEPS);
    double between = (double)(random >> 32) * 0x1p-32;
    double low = kt_sim_noise_table[step], high = kt_sim_noise_table[step + 1];
    return (low + (high - low) * between) / KT_SIM_NOISE_UNIT;
}

double kt_sim_noise(sim_device *device)
{
    return noise_of(kt_sim_random(device));
}

uint64_t kt_sim_ticks(const sim_device *device, double at_ns)
{
    const kt_sim_scenario *s = &device->scenario;
    double device_ns = at_ns * (1 + s->drift_ppm * 1e-6);
    if (s->reset_ms > 0)
        device_ns = fmod(device_ns, s->reset_ms * 1e6);
    /* 2^64 ticks of 1 ps are half a year; longer times wrap as the counter would. */
    uint64_t ticks = s->start + (uint64_t)fmod(device_ns / s->period_ns, 0x1p64);
    uint64_t resolution = (uint64_t)(s->resolution_ns / s->period_ns + 0.5);
    if (resolution > 1)
        ticks -= ticks % resolution;
    return s->bits >= 64 ? ticks : ticks & ((UINT64_C(1) << s->bits) - 1);
}

/* Hash FNV-1a (Fowler, Noll and Vo). */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

/* Devices of different numbers or scenarios are different ones, unless these name one number. */
static void tell_identity(const kt_sim_scenario *s, uint32_t index, const char *scenario,
                          kt_device_info *info)
{
    uint64_t state = UINT64_C(0xcbf29ce484222325) + (s->uuid ? s->uuid : index);
    unsigned char uuid[KT_UUID_BYTES];
    if (!s->uuid)
        state = hash_text(state, scenario ? scenario : "");
    for (size_t i = 0; i < sizeof uuid; i++)
        uuid[i] = (unsigned char)(next_random(&state) & 0xff);
    kt_tell_uuid(info, uuid);
    snprintf(info->serial, sizeof info->serial, "SIM%08" PRIX32,
             (uint32_t)(next_random(&state) >> 32));
    uint64_t bus = s->pci == KT_SIM_PCI_BY_INDEX ? index + UINT64_C(1) : s->pci;
    kt_tell_pci_address(info, 0, (uint32_t)(bus & 0xff), 0, 0);
}

kt_status kt_sim_device_info(void *lib, uint32_t index, const char *scenario, kt_device_info *info)
{
    (void)lib;
    kt_sim_scenario s;
    kt_status status = kt_sim_scenario_parse(scenario, &s);
    if (status != KT_OK)
        return status;
    snprintf(info->name, sizeof info->name, "simulated device");
    snprintf(info->vendor, sizeof info->vendor, "kerntime");
    snprintf(info->driver, sizeof info->driver, "scripted");
    info->type = KT_DEVICE_SIMULATED;
    tell_identity(&s, index, scenario, info);
    info->clock_count = 1;
    info->clocks[0] = (kt_clock_info){.name = "device",
                                      .method = KT_METHOD_SIMULATED,
                                      .period_ns = s.period_reported ? s.period_ns : NAN,
                                      .frequency_hz = NAN,
                                      .valid_bits = s.bits_reported ? (uint32_t)s.bits : 0,
                                      .uncertainty_ns = NAN};
    info->languages = KT_LANGUAGE_C_FUNCTION;
    info->memory_kinds = 1u << KT_MEMORY_HEAP | 1u << KT_MEMORY_HOST | 1u << KT_MEMORY_DEVICE |
                         1u << KT_MEMORY_SHARED;
    kt_offer_all_copies(info);
    info->maps = 1u << KT_MEMORY_DEVICE | 1u << KT_MEMORY_SHARED;
    info->compute_units = 1;
    info->max_group_size = 1024;
    info->memory_bytes = UINT64_C(8) << 30;
    info->max_memory_bytes = UINT64_C(2) << 30;
    return KT_OK;
}

static void seed_noise(sim_device *device, uint64_t seed)
{
    device->random = seed;
    device->pair_random = seed ^ PAIR_SEED;
}

kt_status kt_sim_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                             const kt_device_info *info, const kt_host_clock *host)
{
    (void)lib, (void)index, (void)info, (void)host;
    sim_device *d = device;
    kt_status status = kt_sim_scenario_parse(scenario, &d->scenario);
    if (status != KT_OK)
        return status;
    seed_noise(d, d->scenario.seed);
    d->now_ns = d->energy_at_ns = HOST_START_NS;
    status = kt_mutex_create(&d->mutex);
    return status == KT_OK ? kt_sim_call(d, "opening the device") : status;
}

void kt_sim_device_fini(void *device)
{
    sim_device *d = device;
    kt_mutex_destroy(d->mutex);
}

void kt_sim_device_run(void *device, uint32_t run)
{
    sim_device *d = device;
    seed_noise(d, d->scenario.seed + run);
}

static int64_t host_reading(const sim_device *d, double ns)
{
    return (int64_t)(ns - fmod(ns, d->scenario.host_resolution_ns));
}

static int64_t virtual_now(void *user)
{
    sim_device *d = user;
    kt_mutex_lock(d->mutex);
    int64_t now_ns = host_reading(d, d->now_ns);
    kt_mutex_unlock(d->mutex);
    return now_ns;
}

static void virtual_sleep(void *user, int64_t duration_ns)
{
    sim_device *d = user;
    kt_mutex_lock(d->mutex);
    d->now_ns += (double)duration_ns;
    kt_mutex_unlock(d->mutex);
}

void kt_sim_device_host_clock(void *device, kt_host_clock *host)
{
    *host = (kt_host_clock){.now = virtual_now, .sleep = virtual_sleep, .user = device};
}

kt_status kt_sim_clock_pair(void *device, uint32_t clock, kt_clock_pair *pair)
{
    (void)clock;
    sim_device *d = device;
    if (!d->scenario.pairs)
        return kt_fail(KT_UNSUPPORTED,
                       "its scenario has no calibrated timestamps (calibrated_timestamps=0)");
    kt_mutex_lock(d->mutex);
    kt_status status = kt_sim_call(d, "reading the clocks");
    /* The device's reading lies between the two host readings, whose distance varies. The distance
     * is whole ns, so that later durations are the same without clock pairs. */
    double jitter_ns = d->scenario.calibration_jitter_ns;
    double before_ns = d->now_ns;
    double width_ns = round(2 * jitter_ns + jitter_ns * noise_of(next_random(&d->pair_random)));
    double place = (double)(next_random(&d->pair_random) >> 11) * 0x1p-53;
    if (!isnan(d->scenario.calibration_place))
        place = d->scenario.calibration_place;
    d->now_ns += width_ns;
    pair->host_before_ns = host_reading(d, before_ns);
    pair->ticks = kt_sim_ticks(d, before_ns + width_ns * place);
    pair->host_after_ns = host_reading(d, d->now_ns);
    kt_mutex_unlock(d->mutex);
    return status;
}

/* ---- State ---- */

#define IDLE_POWER      0.25 /* of the power while working */
#define POWER_LIMIT     1.25
#define POWER_MEMORY_NS 1e6 /* how long the reported power is that of the latest work */
#define COOL_C          55
#define HOT_C           92

bool kt_sim_is_throttled(const sim_device *device, double at_ns)
{
    double place = fmod(at_ns - HOST_START_NS, KT_SIM_HEAT_NS) / KT_SIM_HEAT_NS;
    return place >= 1 - device->scenario.throttled;
}

void kt_sim_count_energy(sim_device *device, double to_ns, bool works)
{
    const kt_sim_scenario *s = &device->scenario;
    double power_w = s->power_w * (works ? 1 : IDLE_POWER);
    double step_ns = s->energy_step_ms * 1e6;
    if (step_ns <= 0 || to_ns <= device->energy_at_ns)
        return;
    double update_ns = floor(to_ns / step_ns) * step_ns;
    if (update_ns > device->energy_at_ns)
        device->counter_j = device->energy_j + power_w * (update_ns - device->energy_at_ns) * 1e-9;
    device->energy_j += power_w * (to_ns - device->energy_at_ns) * 1e-9;
    device->energy_at_ns = to_ns;
}

static void tell_state(sim_device *d, kt_device_state *state)
{
    const kt_sim_scenario *s = &d->scenario;
    bool hot = kt_sim_is_throttled(d, d->now_ns);
    if (s->clock_mhz > 0) {
        kt_state_set(state, KT_STATE_CORE_CLOCK, s->clock_mhz * (hot ? KT_SIM_THROTTLED_CLOCK : 1));
        kt_state_set(state, KT_STATE_CORE_CLOCK_MAX, s->clock_mhz);
    }
    kt_state_set(state, KT_STATE_THROTTLE, hot ? KT_THROTTLE_THERMAL : 0);
    kt_state_set(state, KT_STATE_TEMPERATURE, hot ? HOT_C : COOL_C);
    if (s->power_w > 0) {
        bool worked = d->now_ns - d->free_ns < POWER_MEMORY_NS;
        kt_state_set(state, KT_STATE_POWER, s->power_w * (worked ? 1 : IDLE_POWER));
        kt_state_set(state, KT_STATE_POWER_LIMIT, s->power_w * POWER_LIMIT);
        kt_state_set(state, KT_STATE_POWER_LIMIT_DEFAULT, s->power_w * POWER_LIMIT);
    }
    kt_sim_count_energy(d, d->now_ns, false);
    if (s->energy_step_ms > 0)
        kt_state_set(state, KT_STATE_ENERGY, d->counter_j);
}

/* A scenario without keys of the state reports none, and reading it is then no call of a driver. */
kt_status kt_sim_device_state(void *device, bool brief, kt_device_state *state)
{
    (void)brief;
    sim_device *d = device;
    const kt_sim_scenario *s = &d->scenario;
    if (s->clock_mhz <= 0 && s->throttled <= 0 && s->power_w <= 0 && s->energy_step_ms <= 0)
        return KT_OK;
    kt_mutex_lock(d->mutex);
    kt_status status = kt_sim_call(d, "reading the state");
    if (status == KT_OK)
        tell_state(d, state);
    kt_mutex_unlock(d->mutex);
    snprintf(state->source, sizeof state->source, "scenario");
    return status;
}
