/* SPDX-License-Identifier: MIT */
/* The device's counters, which count the ticks of its clock. */
#include "stub.h"

#include <stdatomic.h>

enum { NS_PER_S = 1000000000, START_TICKS = 1000003 };

static int64_t begin_ns;
static _Atomic(uint64_t) taken_ticks, global_start, kernel_start;

void counters_begin(void)
{
    begin_ns = clock_now();
    atomic_store(&global_start, START_TICKS);
    atomic_store(&kernel_start, START_TICKS);
}

uint64_t counter_now(void)
{
    uint64_t ns = (uint64_t)(clock_now() - begin_ns);
    return ns / NS_PER_S * script.hz + ns % NS_PER_S * script.hz / NS_PER_S;
}

int64_t counter_moment(uint64_t ticks)
{
    uint64_t rest = (ticks % script.hz * NS_PER_S + script.hz - 1) / script.hz;
    return begin_ns + (int64_t)(ticks / script.hz * NS_PER_S + rest);
}

uint64_t counter_length(uint64_t ns)
{
    uint64_t ticks =
        ns / NS_PER_S * script.hz + (ns % NS_PER_S * script.hz + NS_PER_S / 2) / NS_PER_S;
    return ns && !ticks ? 1 : ticks;
}

uint64_t counter_duration(uint64_t scripted_ns)
{
    uint64_t taken = atomic_load(&taken_ticks);
    if (taken)
        return taken;
    return script.kernel_ticks ? script.kernel_ticks : counter_length(scripted_ns);
}

uint64_t counter_global(uint64_t ticks)
{
    uint64_t count = clock_cut(atomic_load(&global_start) + ticks, script.bits);
    /* What stands above the width means nothing, and is another thing each time. */
    uint64_t above = script.garbage ? (ticks * 2654435761U) << 20 | UINT64_C(1) << 63 : 0;
    return count | (above & ~clock_cut(UINT64_MAX, script.bits));
}

uint64_t counter_kernel(uint64_t ticks)
{
    uint64_t count = clock_cut(atomic_load(&kernel_start) + ticks, script.kernel_bits);
    uint64_t above = script.garbage ? (ticks * 40503U) << 33 | UINT64_C(1) << 62 : 0;
    return count | (above & ~clock_cut(UINT64_MAX, script.kernel_bits));
}

int64_t ktStubNow(void)
{
    report_begin();
    return clock_now();
}

void ktStubAdvance(int64_t ns)
{
    report_begin();
    clock_advance(ns);
}

void ktStubTake(uint64_t ticks)
{
    atomic_store(&taken_ticks, ticks);
}

void ktStubSetCounters(uint64_t global_ticks, uint64_t kernel_ticks)
{
    report_begin();
    uint64_t now = counter_now();
    atomic_store(&global_start, global_ticks - now);
    atomic_store(&kernel_start, kernel_ticks - now);
}
