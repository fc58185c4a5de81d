/* SPDX-License-Identifier: MIT */
/* internal.h - state of a simulated device. */
#ifndef KT_SIM_INTERNAL_H
#define KT_SIM_INTERNAL_H

#include "backend.h"
#include "backends/sim/scenario.h"
#include "support/thread.h"

typedef struct sim_device {
    kt_sim_scenario scenario;
    _Atomic(uint64_t) calls; /* driver calls so far, for fail=N; some are made without the lock */
    kt_mutex *mutex;         /* guards the fields below; jobs may run on different threads */
    double now_ns;           /* the virtual host clock; only calls advance it */
    double free_ns;          /* when the device will have finished its submissions */
    uint64_t random;         /* generator state for durations and faults */
    uint64_t pair_random;    /* generator state for clock pairs, which must not change durations */
    uint64_t submissions;    /* submissions of jobs with work, for hang=N and wrong=N */
    bool result_wrong;       /* the latest submission gives a wrong result */
    double energy_at_ns;     /* up to when energy_j is known */
    double energy_j;         /* energy since the device was opened */
    double counter_j;        /* energy_j at the latest update of the counter */
    uint64_t contents;       /* incremented when any memory may have changed */
} sim_device;

typedef struct sim_memory {
    sim_device *device;
    unsigned char *bytes;
    size_t size;
} sim_memory;

typedef struct sim_program {
    kt_c_kernel function;
} sim_program;

/* A job's last effect on one of its memories, which is replayed instead of computed again. */
typedef struct sim_effect {
    const sim_memory *memory;
    unsigned char *before, *after;
    bool changed;
} sim_effect;

typedef struct sim_job {
    sim_device *device;
    const kt_backend_job *desc;
    kt_timestamp *timestamps; /* timestamps of the latest timestamped submission, one per step */
    void **args;              /* argument list, with room for the step with most arguments */
    uint64_t contents;        /* device->contents after this job last ran */
    sim_effect *effects;      /* jobs with kernels: one per memory; else NULL */
    uint32_t effect_count;
    uint32_t remembered; /* number of trials that gave the effects; 0: no effects yet */
    bool hangs;          /* the latest submission never completes */
} sim_job;

/* Begins every slot that stands for a driver call; with fail=N, the N-th such call fails. */
kt_status kt_sim_call(sim_device *device, const char *call);

/* Returns the device's next random number. The caller must hold device->mutex. */
uint64_t kt_sim_random(sim_device *device);
/* Returns a random number of a skewed distribution with mean 0 and standard deviation 1. The caller
 * must hold device->mutex. */
double kt_sim_noise(sim_device *device);
/* True if the device is hot at a moment of the virtual host clock, and therefore slow. */
bool kt_sim_is_throttled(const sim_device *device, double at_ns);
/* Counts the energy up to a moment. The caller must hold device->mutex. */
void kt_sim_count_energy(sim_device *device, double to_ns, bool works);
/* The device's counter at a moment of the virtual host clock. */
uint64_t kt_sim_ticks(const sim_device *device, double at_ns);

KT_DECLARE_SLOTS(sim)

#endif
