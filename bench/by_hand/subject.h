/* SPDX-License-Identifier: MIT */
/* subject.h - one piece of work on a device, as it is done by hand and by kerntime. */
#ifndef BENCH_SUBJECT_H
#define BENCH_SUBJECT_H

#include "bench/by_hand/raw.h"

#include "workloads/workload.h"

typedef struct subject {
    const char *name; /* in sentences */
    const raw_api *api;
    void *raw; /* opened by it; NULL: it could not be */
    kt_context *context;
    kt_device *device;
    workload_run run;
    kt_method method;    /* which the kernels' times were obtained by (launches_compare()) */
    bool failed_by_hand; /* which side it was that failed last, and what it says */
    char reason[256];
} subject;

/* Keeps that, and says it on standard error. False. */
bool subject_fail(subject *s, bool by_hand, const char *reason);

/* What follows `raw`, which was zeroed. False after a sentence on standard error; close it in any
 * case. */
bool subject_open(subject *s, const char *device, const workload *which, uint64_t size,
                  kt_job_desc *desc);
void subject_close(subject *s);

#endif
