/*
 * device.h - what stands behind the public handles of contexts, devices, memories, programs and
 * jobs.
 *
 * Room device: contexts, devices, memory, programs and jobs, and one submission of a job. What it
 * took is for the rooms above. May know: support, backends.
 */
#ifndef KT_DEVICE_DEVICE_H
#define KT_DEVICE_DEVICE_H

#include "backend.h"
#include "support/thread.h"

#include <kerntime/kerntime.h>
#include <stdatomic.h>

/* A backend of one context and its driver, opened when first asked for. */
typedef struct kt_driver {
    const kt_backend *backend;
    bool allowed, opened;
    void *lib;
    kt_backend_info info;
    char *why; /* owns info.why, or NULL */
    bool kept; /* a device of it hung: what it refers to stays, too */
} kt_driver;

struct kt_context {
    kt_host_clock host;
    int64_t timeout_ns; /* of waits that are given no limit of their own */
    uint32_t run;
    kt_driver *drivers;
    uint32_t driver_count;
};

struct kt_device {
    const kt_backend *backend;
    void *state; /* the backend's */
    kt_device_info info;
    kt_host_clock host;
    int64_t timeout_ns; /* of transfers for set-up and checking */
    kt_driver *driver;
    kt_mutex *mutex;       /* serialises what the contract says is serial, and guards info.clocks */
    kt_mutex *ruler_mutex; /* one thread measures the ruler, others wait for it */
    /* Of each clock's stamps: kt_first_readings_step(); 0: not yet. The mutex guards it, too. */
    uint64_t clock_steps[KT_CLOCKS_MAX];
    kt_ruler ruler;
    bool has_ruler;
    /* A submission never completed. The driver may use anything of this device at any time, so from
     * then on nothing of it is freed; see kt_abandon(). */
    atomic_bool hung;
};

struct kt_memory {
    kt_device *device;
    kt_memory_kind kind;
    size_t bytes;
    void *state;
};

struct kt_program {
    kt_device *device;
    void *state;
};

struct kt_job {
    kt_device *device;
    kt_job_desc desc; /* with copies of everything that it points to */
    kt_backend_job backend_job;
    void *state;
    void **copies; /* what the two above point to */
    uint32_t copy_count;
};

static inline int64_t kt_device_now(const kt_device *device)
{
    return device->host.now(device->host.user);
}

/* Whether the host clock of the device is the system's, so that its domains mean something to
 * it. */
bool kt_has_system_clock(const kt_device *device);

/* Lets time pass; nothing where the host clock cannot. */
static inline void kt_device_sleep(const kt_device *device, int64_t duration_ns)
{
    if (device->host.sleep)
        device->host.sleep(device->host.user, duration_ns);
}

/* KT_OK, or KT_DEVICE_LOST with a sentence if the device hung before: then its driver may not be
 * called any more. */
kt_status kt_device_check(const kt_device *device);
/* In steps of how many ticks its driver says that a clock's stamps move; 0: it does not say. */
uint64_t kt_device_told_step(const kt_device *device, uint32_t clock);

/* KT_OK, or KT_INVALID with a sentence if the device has no clock of that number. */
kt_status kt_device_check_clock(const kt_device *device, uint32_t clock);

/* What is known of the device's clocks at this moment: of what is not told, more may be found at
 * any time. */
void kt_device_copy_clocks(kt_device *device, kt_clock_info clocks[KT_CLOCKS_MAX]);

#endif
