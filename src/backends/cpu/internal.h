/* internal.h - the host's own cores as a device. */
#ifndef KT_CPU_INTERNAL_H
#define KT_CPU_INTERNAL_H

#include "backend.h"
#include "support/thread.h"

/* What all jobs of a device submit to (worker.c). */
typedef struct cpu_worker {
    kt_mutex *jobs_mutex; /* of the next two */
    kt_thread *thread;
    uint32_t jobs;
    kt_mutex *queue_mutex;        /* of the next three */
    struct cpu_job *first, *last; /* submitted and not yet taken */
    uint64_t number;              /* of submissions, and of the thread's ends */
    kt_signal *submitted;         /* carries that number */
    uint64_t taken;               /* the thread's own */
} cpu_worker;

typedef struct cpu_device {
    kt_host_clock host;
    cpu_worker worker;
    kt_mutex *flush_mutex; /* of the next two */
    unsigned char *flush;  /* larger than all caches; NULL until it is needed */
    size_t flush_bytes;
} cpu_device;

typedef struct cpu_memory {
    unsigned char *bytes;
} cpu_memory;

typedef struct cpu_program {
    kt_c_kernel function;
} cpu_program;

/* Submissions are numbered; the device's thread runs them, so that submitting does not wait. */
typedef struct cpu_job {
    cpu_device *device;
    struct cpu_job *next; /* in the queue */
    bool entered;         /* the worker counts it */
    kt_host_clock host;
    const kt_backend_job *desc;
    void ***args;     /* per step, what its kernel is called with */
    kt_stamp *stamps; /* of the latest submission, per step */
    bool stamped;     /* the latest submission */
    bool flushes;     /* it is none of the job's: it flushes the caches */
    uint32_t trials;
    uint64_t number; /* of the latest submission */
    kt_signal *completed;
} cpu_job;

/* Threads that a parallel region will have. */
uint32_t cpu_thread_count(void);
/* Calls a kernel for all its groups, in parallel, and returns when all are done. */
void cpu_run_groups(kt_c_kernel function, const kt_backend_step *step, void *const *args);

kt_status cpu_device_info(void *lib, uint32_t index, const char *scenario, kt_device_info *info);
kt_status cpu_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                          const kt_device_info *info, const kt_host_clock *host);
void cpu_device_fini(void *device);

kt_status cpu_worker_init(cpu_worker *worker);
void cpu_worker_fini(cpu_worker *worker);
/* A job that submits must have entered; it leaves when nothing of it is under way. */
kt_status cpu_worker_enter(cpu_worker *worker);
void cpu_worker_leave(cpu_worker *worker);
/* Gives the job its next number, and has cpu_run_job() run; then `completed` is raised to that
 * number. */
void cpu_worker_submit(cpu_worker *worker, cpu_job *job);

/* Makes what flushing needs, once. */
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

/* What was submitted last, by the worker. */
void cpu_run_job(cpu_job *job);
kt_status cpu_job_init(void *job, void *device, const kt_backend_job *desc);
void cpu_job_fini(void *job);
kt_status cpu_job_flush_caches(void *job, int64_t timeout_ns);
kt_status cpu_job_submit(void *job, bool stamped, uint32_t trials);
kt_status cpu_job_wait(void *job, int64_t timeout_ns);
kt_status cpu_job_read(void *job, kt_stamp *stamps);

#endif
