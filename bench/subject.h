/* subject.h - one piece of work on a device, as it is done by hand and by kerntime. */
#ifndef BENCH_SUBJECT_H
#define BENCH_SUBJECT_H

#include "raw.h"

#include "workloads/workload.h"

typedef struct subject {
    const char *name; /* in sentences */
    const raw_api *api;
    void *raw; /* opened by it; NULL: it could not be */
    kt_context *context;
    kt_device *device;
    workload_run run;
} subject;

/* What follows `raw`, which was zeroed. False after a sentence on standard error; close it in any case. */
bool subject_open(subject *s, const char *device, const workload *which, uint64_t size,
                  kt_job_desc *desc);
void subject_close(subject *s);

#endif
