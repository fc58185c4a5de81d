/* load.h - work for a device that is to be busy. */
#ifndef CLI_DOCTOR_LOAD_H
#define CLI_DOCTOR_LOAD_H

#include "doctor.h"
#include "workloads/workload.h"

/* A kernel if the device can have one, or else an empty step. Zero it before doctor_load_open(). */
typedef struct doctor_load {
    workload_run run;
    const workload *workload;
    void *problem;
    kt_job *empty; /* in place of a kernel */
    kt_job *job;
} doctor_load;

/* doctor_load_close() follows in any case. */
kt_status doctor_load_open(doctor *d, doctor_load *load);
void doctor_load_close(doctor_load *load);

#endif
