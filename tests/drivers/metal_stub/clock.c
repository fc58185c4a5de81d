/* SPDX-License-Identifier: MIT */
/* Waiting on the frame's clock; the host's ticks and the device's counter, which follow it. */
#include "stub.h"

#include <math.h>

enum { LONG_NS = 100000 };

static int64_t begin_ns;

void clock_begin(void)
{
    begin_ns = clock_now();
}

void clock_wait(int64_t moment_ns)
{
    int64_t left_ns = moment_ns - clock_now();
    if (device_clock.kind == CLOCK_SIMULATED && left_ns > 0)
        clock_advance(left_ns);
    while ((left_ns = moment_ns - clock_now()) > 0)
        if (left_ns > LONG_NS)
            call_pause();
}

/* ---- mach_absolute_time ---- */

uint64_t clock_mach_ticks(int64_t ns)
{
    return script.timebase == TIMEBASE_125_3 ? (uint64_t)ns * 3 / 125 : (uint64_t)ns;
}

static int64_t mach_ns(int64_t ns)
{
    return script.timebase == TIMEBASE_125_3 ? (int64_t)(clock_mach_ticks(ns) * 125 / 3) : ns;
}

struct timebase {
    uint32_t numer, denom;
};
uint64_t mach_absolute_time(void);
int mach_timebase_info(struct timebase *info);

__attribute__((visibility("default"))) uint64_t mach_absolute_time(void)
{
    LEAVES bool goes = stub_enter_call(ENTRY_mach_absolute_time);
    (void)goes;
    uint64_t ticks = clock_mach_ticks(clock_now());
    return ticks;
}

__attribute__((visibility("default"))) int mach_timebase_info(struct timebase *info)
{
    enum { GOOD = 0, FAILURE = 5 };
    bool apart = script.timebase == TIMEBASE_125_3;
    LEAVES bool goes = stub_enter_call(ENTRY_mach_timebase_info);
    if (goes)
        *info = (struct timebase){apart ? 125 : 1, apart ? 3 : 1};
    return goes ? GOOD : FAILURE;
}

/* ---- the device's clock ---- */

int64_t clock_on_resolution(int64_t ns)
{
    return script.sampling == SAMPLING_APPLE || script.sampling == SAMPLING_NONE ? mach_ns(ns) : ns;
}

/* long double: a count of ns since the machine was started has no room beside fractions in a
 * double. */
static uint64_t ticks_at(int64_t ns, long double speed)
{
    long double passed_ns = (long double)(clock_on_resolution(ns) - begin_ns) *
                            (1 + (long double)script.drift_ppm / 1000000) * speed;
    uint64_t start = script.start;
    if (script.start == START_AS_HOST) {
        passed_ns += begin_ns;
        start = 0;
    }
    int64_t passed = (int64_t)floorl(passed_ns / (long double)script.ns_per_tick);
    uint64_t ticks = start + (uint64_t)passed;
    return script.bits == 64 ? ticks : ticks & ((UINT64_C(1) << script.bits) - 1);
}

uint64_t clock_gpu_ticks(int64_t ns)
{
    return ticks_at(ns, 1);
}

/* ---- pairs ---- */

/* Below `limit`. */
static int64_t random_below(int64_t limit)
{
    static uint64_t state = 3;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return limit > 0 ? (int64_t)((state >> 11) % (uint64_t)limit) : 0;
}

static int64_t moment_within(int64_t from_ns, int64_t to_ns)
{
    switch (script.read_at) {
    case READ_BEGIN: return from_ns;
    case READ_MIDDLE: return from_ns + (to_ns - from_ns) / 2;
    case READ_END: return to_ns;
    default: return from_ns + random_below(to_ns - from_ns + 1);
    }
}

/* One that is blocked reads before that or after it. */
void clock_pair(uint64_t *host, uint64_t *gpu)
{
    static uint64_t pairs;
    bool blocked = script.block_every && ++pairs % script.block_every == 0;
    int64_t block_ns = blocked ? (int64_t)script.block_ns : 0;
    bool after = blocked && random_below(2);
    int64_t begin = clock_now() + (after ? block_ns : 0), end = begin + (int64_t)script.pair_ns;
    clock_wait(after ? end : end + block_ns);
    int64_t at_ns = moment_within(begin, end), gpu_ns = at_ns;
    if (script.read_at == READ_APART)
        gpu_ns = moment_within(begin, end);
    *host = script.host_side == HOST_SIDE_TICKS ? clock_mach_ticks(at_ns)
                                                : (uint64_t)clock_on_resolution(at_ns);
    *gpu = ticks_at(gpu_ns, (long double)script.pairs_percent / 100);
}

/* ---- for tests ---- */

int64_t ktStubNow(void);
void ktStubAdvance(int64_t ns);
void ktStubTake(int64_t ns);

__attribute__((visibility("default"))) int64_t ktStubNow(void)
{
    return clock_now();
}

__attribute__((visibility("default"))) void ktStubAdvance(int64_t ns)
{
    clock_advance(ns);
}

__attribute__((visibility("default"))) void ktStubTake(int64_t ns)
{
    clock_take(ns);
}
