/* SPDX-License-Identifier: MIT */
/* internal.h - state of the template backend. */
#ifndef KT_TEMPLATE_INTERNAL_H
#define KT_TEMPLATE_INTERNAL_H

#include "backend.h"

/* Private memory, one struct for each kind of handle. It arrives zeroed, and a fini may see it
 * partly filled, so let zero mean "not created yet". A real backend also has a template_lib with
 * the driver's functions (see ../opencl/api.h). */
typedef struct template_device {
    kt_host_clock host; /* replace by the driver's context and functions */
} template_device;

typedef struct template_memory {
    unsigned char *bytes; /* replace by the driver's buffer */
} template_memory;

typedef struct template_program {
    kt_c_kernel function; /* replace by the driver's module or program */
} template_program;

/* job_init creates all that submitting needs: here, room for arguments and timestamps. */
typedef struct template_job {
    kt_host_clock host;
    const kt_backend_job *desc; /* lives as long as the job, so no copy is needed */
    void **args;                /* room for the step with most arguments */
    kt_timestamp *timestamps;   /* of the latest timestamped submission, one per step */
} template_job;

/* For the instrumentation API. A timer context is a device of the program; a mark holds the two
 * timestamps of a span. */
typedef struct template_timer_context {
    void *device; /* replace by the imported objects and the driver's functions */
} template_timer_context;

typedef struct template_mark {
    uint64_t start_ticks, end_ticks; /* replace by the driver's events or queries */
} template_mark;

KT_DECLARE_SLOTS(template)
KT_DECLARE_TIMER_SLOTS(template)

#endif
