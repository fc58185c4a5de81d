/* The clock of the stub's world: a simulated one that moves with calls and questions, or the
 * host's. */
#include "stub.h"

#include <stdatomic.h>
#include <time.h>

static _Atomic(int64_t) simulated_ns;

static int64_t host_ns(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (int64_t)now.tv_sec * 1000000000 + (int64_t)now.tv_nsec;
}

int64_t clock_now(void)
{
    return script.clock == CLOCK_HOST ? host_ns()
                                      : (int64_t)script.start + atomic_load(&simulated_ns);
}

void clock_advance(int64_t ns)
{
    atomic_fetch_add(&simulated_ns, ns);
}

void clock_reach(int64_t moment_ns)
{
    const struct timespec little = {.tv_nsec = 20000};
    if (script.clock == CLOCK_HOST)
        while (host_ns() < moment_ns)
            nanosleep(&little, NULL);
    else if (clock_now() < moment_ns)
        clock_advance(moment_ns - clock_now());
}

int64_t ktStubNow(void)
{
    report_begin();
    return clock_now();
}

void ktStubAdvance(int64_t ns)
{
    clock_advance(ns);
}

static _Atomic(int64_t) taken_ns = -1;

int64_t clock_duration(uint64_t scripted_ns)
{
    int64_t taken = atomic_load(&taken_ns);
    return taken < 0 ? (int64_t)scripted_ns : taken;
}

void ktStubTake(int64_t ns)
{
    atomic_store(&taken_ns, ns);
}
