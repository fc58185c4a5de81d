/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tests/unit/backends/metal/metal_time.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)
/* What reading a clock takes. */
#define READ_NS 23

static int64_t (*now)(void);
static void (*advance)(int64_t ns);

void metal_time_follow(const user *u, bool is_simulated)
{
    now = is_simulated ? u->stub.now : NULL;
    advance = u->stub.advance;
}

/* Far from each other's; the stub's mach_absolute_time() shares that of CLOCK_MONOTONIC_RAW. */
static int64_t zero_of(clockid_t id)
{
    return id == CLOCK_REALTIME    ? INT64_C(1700000000) * NS_PER_S
           : id == CLOCK_MONOTONIC ? 70 * NS_PER_S
           : id == CLOCK_BOOTTIME  ? 7000 * NS_PER_S
                                   : 0;
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t id, struct timespec *out)
{
    if (!now)
        return (int)syscall(SYS_clock_gettime, id, out);
    advance(READ_NS);
    int64_t ns = now() + zero_of(id);
    *out = (struct timespec){.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};
    return 0;
}

__attribute__((visibility("default"))) int nanosleep(const struct timespec *length,
                                                     struct timespec *left)
{
    if (!now)
        return (int)syscall(SYS_nanosleep, length, left);
    advance((int64_t)length->tv_sec * NS_PER_S + (int64_t)length->tv_nsec);
    return 0;
}
