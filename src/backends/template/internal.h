/* internal.h - the state of a template device. */
#ifndef KT_TEMPLATE_INTERNAL_H
#define KT_TEMPLATE_INTERNAL_H

#include "backend.h"

/*
 * Private memory, one struct for each kind of handle. It arrives zeroed, and a fini may see it half
 * filled, so let zero mean "not made yet". What this one has no need of is a template_lib, with the
 * driver's functions (see ../opencl/api.h).
 */
typedef struct template_device {
    kt_host_clock host; /* in its place: the driver's context, and its functions */
} template_device;

typedef struct template_memory {
    unsigned char *bytes; /* in its place: the driver's buffer */
} template_memory;

typedef struct template_program {
    kt_c_kernel function; /* in its place: the driver's module or program */
} template_program;

/* Whatever submitting needs is made in job_init: here room for arguments and stamps. */
typedef struct template_job {
    kt_host_clock host;
    const kt_backend_job *desc; /* lives as long as the job: no need of a copy */
    void **args;                /* of the step that has most */
    kt_stamp *stamps;           /* of the latest stamped submission, one a step */
} template_job;

/* For timers of programs. A native is the program's device, a mark the two timestamps of a span. */
typedef struct template_native {
    void *device; /* in its place: what was imported, and the driver's functions */
} template_native;

typedef struct template_mark {
    uint64_t start_ticks, end_ticks; /* in their place: the driver's events or queries */
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
kt_status template_job_submit(void *job, bool stamped, uint32_t trials);
kt_status template_job_wait(void *job, int64_t timeout_ns);
kt_status template_job_read(void *job, kt_stamp *stamps);

kt_status template_native_init(void *native, const void *desc, kt_clock_info *clocks);
kt_status template_stream_init(void *native, void *stream, bool *in_order);
kt_status template_mark_start(void *native, void *stream, void *mark);
kt_status template_mark_stop(void *native, void *stream, void *mark);
kt_status template_mark_read(void *native, void *mark, kt_stamp *stamp);
void template_mark_fini(void *native, void *mark);

#endif
