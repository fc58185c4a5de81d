/* SPDX-License-Identifier: MIT */
#include "clock.h"

#include <stdatomic.h>

#define OWN_SPEED 1.0001

enum { NS_PER_S = 1000000000, LITTLE_NS = 20000 };

struct device_clock device_clock = {.start = 1000000007, .period = 1, .host = CLOCK_MONOTONIC_RAW};

static _Atomic(int64_t) simulated, taken_ns = -1;
static _Atomic(uint64_t) noise, first_ns;

uint64_t clock_host_ns(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* ns since the first look. */
static double own_ns(void)
{
    uint64_t first = 0, now = clock_host_ns(CLOCK_MONOTONIC_RAW);
    atomic_compare_exchange_strong(&first_ns, &first, now);
    return first && first < now ? (double)(now - first) * OWN_SPEED : 0;
}

uint64_t clock_ticks(void)
{
    uint64_t ns = 0;
    switch ((enum clock_kind)device_clock.kind) {
    case CLOCK_SIMULATED: return device_clock.start + (uint64_t)atomic_load(&simulated);
    case CLOCK_OWN: return device_clock.start + (uint64_t)(own_ns() / device_clock.period);
    case CLOCK_HOST: break;
    }
    ns = clock_host_ns(device_clock.host);
    return device_clock.period == 1 ? ns : (uint64_t)((double)ns / device_clock.period);
}

int64_t clock_now(void)
{
    return (int64_t)clock_ticks();
}

void clock_advance(int64_t ticks)
{
    atomic_fetch_add(&simulated, ticks);
}

void clock_add_noise(void)
{
    clock_advance((int64_t)(atomic_fetch_add(&noise, 1) * UINT64_C(0x9E3779B97F4A7C15) >> 60));
}

void clock_reach(int64_t moment_ns)
{
    int64_t left_ns = moment_ns - clock_now();
    if (device_clock.kind == CLOCK_SIMULATED && left_ns > 0)
        clock_advance(left_ns);
    while (clock_now() < moment_ns)
        nanosleep(&(struct timespec){.tv_nsec = LITTLE_NS}, NULL);
}

int64_t clock_duration(uint64_t scripted_ns)
{
    int64_t taken = atomic_load(&taken_ns);
    return taken < 0 ? (int64_t)scripted_ns : taken;
}

void clock_take(int64_t ns)
{
    atomic_store(&taken_ns, ns);
}

uint64_t clock_cut(uint64_t ticks, uint64_t bits)
{
    return bits == 0 || bits >= 64 ? ticks : ticks & ((UINT64_C(1) << bits) - 1);
}
