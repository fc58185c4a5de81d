/* internal.h - the host's own cores as a device. */
#ifndef KT_CPU_INTERNAL_H
#define KT_CPU_INTERNAL_H

#include "../../backend.h"
#include "../../support/thread.h"

typedef struct cpu_device {
    kt_host_clock host;
    kt_mutex *flush_mutex; /* one job flushes the caches at a time */
    unsigned char *flush;  /* larger than all caches; NULL until it is needed */
    size_t flush_bytes;
} cpu_device;

typedef struct cpu_memory {
    unsigned char *bytes;
} cpu_memory;

typedef struct cpu_program {
    kt_c_kernel function;
} cpu_program;

/* Submissions are numbered; a thread of the job's own runs them, so that submitting does not
 * wait. */
typedef struct cpu_job {
    cpu_device *device;
    kt_host_clock host;
    const kt_backend_job *desc;
    void ***args;     /* per step, what its kernel is called with */
    kt_stamp *stamps; /* of the latest submission, per step */
    bool stamped;     /* the latest submission */
    bool flushes;     /* it is none of the job's: it flushes the caches */
    uint32_t trials;
    bool stop;
    uint64_t number; /* of the latest submission */
    kt_signal *submitted, *completed;
    kt_thread *thread; /* NULL until everything it needs is there */
} cpu_job;

/* Threads that a parallel region will have. */
uint32_t cpu_thread_count(void);
/* Calls a kernel for all its groups, in parallel, and returns when all are done. */
void cpu_run_groups(kt_c_kernel function, const kt_backend_step *step, void *const *args);

kt_status cpu_device_info(void *lib, uint32_t index, const char *scenario, kt_device_info *info);
kt_status cpu_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                          const kt_device_info *info, const kt_host_clock *host);
void cpu_device_fini(void *device);
/* Makes what flushing needs. The mutex must be held. */
kt_status cpu_prepare_flush(cpu_device *device);
/* Empties the caches of all cores that run kernels for the thread that calls. */
void cpu_flush(const cpu_device *device);
kt_status cpu_clock_pair(void *device, uint32_t clock, kt_clock_pair *pair);

kt_status cpu_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes);
void cpu_memory_fini(void *memory);
kt_status cpu_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                          int64_t timeout_ns);
kt_status cpu_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                           int64_t timeout_ns);

kt_status cpu_program_init(void *program, void *device, const kt_program_desc *desc);

kt_status cpu_job_init(void *job, void *device, const kt_backend_job *desc);
void cpu_job_fini(void *job);
kt_status cpu_job_flush_caches(void *job, int64_t timeout_ns);
kt_status cpu_job_submit(void *job, bool stamped, uint32_t trials);
kt_status cpu_job_wait(void *job, int64_t timeout_ns);
kt_status cpu_job_read(void *job, kt_stamp *stamps);

#endif
