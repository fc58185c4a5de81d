/* SPDX-License-Identifier: MIT */
/*
 * energy.h - measures the energy of a job by the energy counter of its device.
 *
 * The counter moves in steps, once per update period, which no driver reports. So the counter is
 * watched: first with an idle device, which gives the period and the idle power, then while the job
 * runs without a pause. A window begins and ends where the counter is seen to move: there its value
 * is that of the moment, within the time between two readings. All windows together give the energy
 * of a dispatch. Its interval is that of Student's t over the windows, plus one such time.
 *
 * The output is verified after the last window, not after each submission: checking would leave the
 * device idle.
 */
#ifndef KT_MEASURE_ENERGY_H
#define KT_MEASURE_ENERGY_H

#include "device/device.h"

#define KT_ENERGY_REASON_BYTES 200
/* The run may take this many times the sampling time of the measurement. */
#define KT_ENERGY_BUDGET 5

typedef struct kt_energy_plan {
    kt_job *job;
    int64_t budget_ns;  /* longest time that the job may run for this */
    int64_t timeout_ns; /* limit of one submission */
    bool cold;          /* caches are flushed before each submission */
    /* Called between submissions. Any status but KT_OK ends the measurement. */
    kt_status (*proceed)(void *user);
    kt_status (*reset)(void *user);
    kt_status (*verify)(void *user);
    void *user;
} kt_energy_plan;

/* Measures, or sets `reason` in the buffer and leaves the numbers NaN. Any status but KT_OK ends the
 * measurement of the job. */
kt_status kt_energy_measure(const kt_energy_plan *plan, kt_energy *out,
                            char reason[KT_ENERGY_REASON_BYTES]);

#endif
