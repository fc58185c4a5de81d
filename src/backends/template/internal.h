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

kt_status template_device_info(void *lib, uint32_t index, const char *scenario,
                               kt_device_info *info);
kt_status template_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                               const kt_device_info *info, const kt_host_clock *host);
kt_status template_clock_pair(void *device, uint32_t clock, kt_clock_pair *pair);

kt_status template_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes);
void template_memory_fini(void *memory);
kt_status template_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                               int64_t timeout_ns);
kt_status template_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                                int64_t timeout_ns);

kt_status template_program_init(void *program, void *device, const kt_program_desc *desc);

kt_status template_job_init(void *job, void *device, const kt_backend_job *desc);
void template_job_fini(void *job);
kt_status template_job_submit(void *job, bool timestamped, uint32_t trials);
kt_status template_job_wait(void *job, int64_t timeout_ns);
kt_status template_job_read(void *job, kt_timestamp *timestamps);

kt_status template_timer_context_init(void *context, const void *desc, kt_clock_info *clocks);
kt_status template_stream_init(void *context, void *stream, bool *in_order);
kt_status template_mark_start(void *context, void *stream, void *mark);
kt_status template_mark_stop(void *context, void *stream, void *mark);
kt_status template_mark_read(void *context, void *mark, kt_timestamp *timestamp);
void template_mark_fini(void *context, void *mark);

#endif
