/* load.h - work for a device that is to be busy. */
#ifndef CLI_DOCTOR_LOAD_H
#define CLI_DOCTOR_LOAD_H

#include "cli/doctor/doctor.h"
#include "workloads/workload.h"

/* A kernel if the device can have one, or else an empty step. Zero it before doctor_load_open(),
 * and do not move it until it is closed. */
typedef struct doctor_load {
    workload_run run; /* the first member: its callbacks are given it */
    const workload *which;
    workload workload; /* the same, but for what looks at its results */
    void *problem;
    doctor *doctor;
    kt_job *empty; /* in place of a kernel */
    kt_job *job;
    /* wall time of one, less that of an empty submission; NaN: there is no kernel */
    double dispatch_ns;
    uint32_t groups; /* of one */
} doctor_load;

/* As long as 1 ms where the device can be made to. Its results are counted with those of the other
 * kernels. doctor_load_close() follows in any case. */
kt_status doctor_load_open(doctor *d, doctor_load *load);
void doctor_load_close(doctor_load *load);

/* Dispatches for so much time, by what was found, and no more than the device may take before it
 * counts as hung. */
uint32_t doctor_load_trials(const doctor_load *load, double wanted_ns);

#endif
