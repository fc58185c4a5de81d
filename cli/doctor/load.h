/* SPDX-License-Identifier: MIT */
/* load.h - work that keeps a device busy. */
#ifndef CLI_DOCTOR_LOAD_H
#define CLI_DOCTOR_LOAD_H

#include "cli/doctor/doctor.h"
#include "workloads/workload.h"

/* A kernel, or an empty step if the device runs no kernel. Zero it before doctor_load_open(), and
 * do not move it until doctor_load_close(). */
typedef struct doctor_load {
    workload_run run; /* first member: its callbacks receive it */
    const workload *which;
    workload workload; /* the original, with a different check of results */
    void *problem;
    doctor *doctor;
    kt_job *empty; /* used where the device runs no kernel */
    kt_job *job;
    /* Wall time of a dispatch minus that of an empty submission; NaN: no kernel. */
    double dispatch_ns;
    uint32_t groups; /* groups per dispatch */
} doctor_load;

/* Opens a kernel of 1 ms if possible. Its results count with those of the other kernels. Call
 * doctor_load_close() in any case. */
kt_status doctor_load_open(doctor *d, doctor_load *load);
void doctor_load_close(doctor_load *load);

/* Number of dispatches that take `wanted_ns`, limited to what does not look like a hung device. */
uint32_t doctor_load_trials(const doctor_load *load, double wanted_ns);

#endif
