/* SPDX-License-Identifier: MIT */
/*
 * clocked.h - an owner of clocks that can be opened: a device or a timer context.
 *
 * Room clock/device: reads the clocks of devices and follows them.
 * May know: support, statistics, backends, device, clock.
 */
#ifndef KT_CLOCK_CLOCKED_H
#define KT_CLOCK_CLOCKED_H

#include "device/device.h"
#include "support/host_clock.h"

typedef struct kt_clocked {
    const char *name;     /* name of the owner for messages */
    kt_mutex *mutex;      /* guards infos and steps */
    kt_clock_info *infos; /* KT_CLOCKS_MAX entries; unused ones have an empty name */
    uint64_t *steps;      /* clock resolutions in ticks, see kt_first_readings_step(); 0: unknown */
    const kt_host_clock *host;
    kt_status (*pair)(void *owner, uint32_t clock, kt_clock_pair *out); /* a backend's clock_pair */
    void *owner;
    kt_device *device; /* runs bracketed submissions; NULL: the owner cannot run any */
} kt_clocked;

/* The clocks of a device. Valid while the device is open. */
kt_clocked kt_clocked_device(kt_device *device);

static inline int64_t kt_clocked_now(const kt_clocked *of)
{
    return of->host->now(of->host->user);
}

/* Sleeps by the owner's host clock. Does nothing if that clock cannot sleep. */
static inline void kt_clocked_sleep(const kt_clocked *of, int64_t duration_ns)
{
    if (of->host->sleep)
        of->host->sleep(of->host->user, duration_ns);
}

/* True if the host clock is the system's, so that host domains apply. */
static inline bool kt_clocked_by_system(const kt_clocked *of)
{
    return of->host->now == kt_system_clock.now;
}

#endif
