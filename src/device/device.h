/* SPDX-License-Identifier: MIT */
/*
 * device.h - internals of contexts, devices, memories, programs and jobs.
 *
 * Room device: contexts, devices, memory, programs and jobs, and one submission of a job. The rooms
 * above evaluate its time. May know: support, state, backends.
 */
#ifndef KT_DEVICE_DEVICE_H
#define KT_DEVICE_DEVICE_H

#include "backend.h"
#include "state/state.h"
#include "support/thread.h"

#include <kerntime/kerntime.h>
#include <stdatomic.h>

/* A backend of one context and its driver, opened at first use. */
typedef struct kt_driver {
    const kt_backend *backend;
    bool allowed, opened;
    void *lib;
    kt_backend_info info;
    char *reason; /* allocated text of info.reason, or NULL */
    bool kept;    /* true if a device hung, so `lib` is never freed */
} kt_driver;

struct kt_context {
    kt_host_clock host;
    int64_t timeout_ns; /* timeout of waits that have no timeout of their own */
    uint32_t run;
    kt_driver *drivers;
    uint32_t driver_count;
};

struct kt_device {
    const kt_backend *backend;
    void *state; /* private memory of the backend */
    kt_device_info info;
    kt_host_clock host;
    int64_t timeout_ns; /* timeout of transfers for set-up and checking */
    kt_driver *driver;
    kt_mutex *mutex; /* serialises calls as backend.h requires, and guards info.clocks */
    kt_mutex *timer_limits_mutex; /* one thread measures the timer limits, others wait for it */
    /* Resolution of each clock, see kt_first_readings_step(); 0: unknown. Guarded by `mutex`. */
    uint64_t clock_steps[KT_CLOCKS_MAX];
    kt_timer_limits limits;
    bool has_timer_limits;
    /* Resolution of the host's clock if coarse, else 0; found with the timer limits. Measurements
     * without timer limits read it while another thread may be finding it. */
    _Atomic(double) host_step_ns;
    kt_mutex *state_mutex;         /* one thread reads the state at a time */
    double energy_period_ms;       /* as it was measured; 0: not yet; guarded by state_mutex */
    kt_state_reader *state_reader; /* NULL: not opened yet; guarded by state_mutex */
    uint64_t throttling_seen;      /* by kt_device_get_state(); guarded by it, too */
    /* A submission never completed. The driver may use anything of this device at any time, so
     * nothing of it is freed from then on; see kt_abandon(). */
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
    kt_language language;
    void *state;
    kt_reflection reflection; /* guarded by the device's mutex */
    bool is_reflected;
};

struct kt_job {
    kt_device *device;
    kt_job_desc desc; /* description of the job; its pointers point to copies */
    kt_backend_job backend_job;
    void *state;
    void **copies; /* memory behind desc and backend_job */
    uint32_t copy_count;
    uint32_t clock; /* clock of the latest timestamps */
};

static inline int64_t kt_device_now(const kt_device *device)
{
    return device->host.now(device->host.user);
}

/* True if the host clock of the device is the system's, so that host domains apply. */
bool kt_has_system_clock(const kt_device *device);

/* Sleeps by the device's host clock. Does nothing if that clock cannot sleep. */
static inline void kt_device_sleep(const kt_device *device, int64_t duration_ns)
{
    if (device->host.sleep)
        device->host.sleep(device->host.user, duration_ns);
}

/* KT_OK, or KT_DEVICE_LOST with a sentence if the device hung before. Its driver may then not be
 * called any more. */
kt_status kt_device_check(const kt_device *device);
/* kt_device_get_state(); `brief` and `seen` as in kt_state_source. */
kt_status kt_device_read_state(kt_device *device, bool brief, uint64_t *seen, kt_device_state *out);
/* Keeps the update period of the energy counter for later readings. */
void kt_device_set_energy_period(kt_device *device, double period_ms);
/* Clock resolution in ticks as the driver reports it; 0 if unknown. */
uint64_t kt_device_reported_step(const kt_device *device, uint32_t clock);

/* KT_OK, or KT_INVALID with a sentence if there is no clock of that number, KT_UNSUPPORTED if the
 * device has no clock at all. */
kt_status kt_device_check_clock(const kt_device *device, uint32_t clock);

/* Copies the infos of the device's clocks. Each measurement can change the originals. */
void kt_device_copy_clocks(kt_device *device, kt_clock_info clocks[KT_CLOCKS_MAX]);

#endif
