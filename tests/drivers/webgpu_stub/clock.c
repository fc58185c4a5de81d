/* The device's clock: a simulated one that moves with the commands, the host's, or one of its
 * own. */
#include "stub.h"

#include <stdatomic.h>
#include <time.h>

static _Atomic(uint64_t) simulated;

static uint64_t now_ns(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

uint64_t clock_host_ns(void)
{
    return now_ns(CLOCK_MONOTONIC);
}

/* Began at `start` with the first look, and runs 100 ppm fast. Under the lock. */
static uint64_t own_ns(void)
{
    static uint64_t first_ns;
    uint64_t now = now_ns(CLOCK_MONOTONIC_RAW);
    if (!first_ns)
        first_ns = now;
    return script.start + (uint64_t)((double)(now - first_ns) * 1.0001);
}

/* The API's timestamps are ns, whatever the device counts by. */
uint64_t clock_timestamp(const struct WGPUDeviceImpl *device)
{
    uint64_t ns = script.clock == CLOCK_SIMULATED ? script.start + atomic_load(&simulated)
                  : script.clock == CLOCK_OWN     ? own_ns()
                                                  : now_ns(CLOCK_MONOTONIC);
    ns -= ns % script.resolution;
    return device->quantised ? ns - ns % script.quantum : ns;
}

void clock_advance(uint64_t ns)
{
    atomic_fetch_add(&simulated, ns);
}

void wgpuStubAdvance(uint64_t ns)
{
    clock_advance(ns);
}

void clock_advance_noise(void)
{
    static uint64_t noise;
    clock_advance(1 + (noise++ * UINT64_C(0x9E3779B97F4A7C15) >> 60));
}
