/* clocked.h - what has clocks that can be followed: a device, or one of the program's own. */
#ifndef KT_CLOCK_CLOCKED_H
#define KT_CLOCK_CLOCKED_H

#include "device/device.h"
#include "support/host_clock.h"

typedef struct kt_clocked {
    const char *name;     /* for sentences */
    kt_mutex *mutex;      /* guards the two that follow */
    kt_clock_info *infos; /* KT_CLOCKS_MAX, of which those that have a name are there */
    uint64_t *steps;      /* of the stamps of each: kt_first_readings_step(); 0: not yet */
    const kt_host_clock *host;
    kt_status (*pair)(void *owner, uint32_t clock, kt_clock_pair *out); /* as clock_pair */
    void *owner;
    kt_device *device; /* whose empty commands give pairs, too; NULL: there are none */
} kt_clocked;

/* Of a device: as long as that is open. */
kt_clocked kt_clocked_device(kt_device *device);

static inline int64_t kt_clocked_now(const kt_clocked *of)
{
    return of->host->now(of->host->user);
}

/* Lets time pass; nothing where the host clock cannot. */
static inline void kt_clocked_sleep(const kt_clocked *of, int64_t duration_ns)
{
    if (of->host->sleep)
        of->host->sleep(of->host->user, duration_ns);
}

/* Whether its host clock is the system's, so that its domains mean something to it. */
static inline bool kt_clocked_by_system(const kt_clocked *of)
{
    return of->host->now == kt_system_clock.now;
}

#endif
