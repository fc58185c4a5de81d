/* SPDX-License-Identifier: MIT */
/* internal.h - state of the cpu backend, whose device is the host's own cores. */
#ifndef KT_CPU_INTERNAL_H
#define KT_CPU_INTERNAL_H

#include "backend.h"
#include "support/thread.h"

/* The thread and the queue that run all jobs of a device (worker.c). */
typedef struct cpu_worker {
    kt_mutex *jobs_mutex; /* guards `thread` and `jobs` */
    kt_thread *thread;
    uint32_t jobs;
    kt_mutex *queue_mutex;        /* guards `first`, `last` and `number` */
    struct cpu_job *first, *last; /* submitted jobs that the thread has not taken yet */
    uint64_t number;              /* counts submissions and the thread's stop requests */
    kt_signal *submitted;         /* signal that is raised to `number` */
    uint64_t taken;               /* submissions taken so far; used by the thread alone */
} cpu_worker;

typedef struct cpu_device {
    const kt_device_info *info;
    kt_host_clock host;
    cpu_worker worker;
    kt_mutex *flush_mutex; /* guards the next two fields */
    unsigned char *flush;  /* buffer larger than all caches; NULL before the first flush */
    size_t flush_bytes;
} cpu_device;

typedef struct cpu_memory {
    unsigned char *bytes;
} cpu_memory;

typedef struct cpu_program {
    kt_c_kernel function;
} cpu_program;

/* The device's thread runs a job's submissions, so kt_cpu_job_submit() does not wait. */
typedef struct cpu_job {
    cpu_device *device;
    struct cpu_job *next; /* the next job in the worker's queue */
    bool entered;         /* the worker counts this job */
    kt_host_clock host;
    const kt_backend_job *desc;
    void ***args;             /* per step, the argument list of its kernel */
    kt_timestamp *timestamps; /* timestamps of the latest submission, one per step */
    bool timestamped;         /* the latest submission records timestamps */
    bool flushes;             /* the latest submission only flushes the caches */
    uint32_t trials;
    uint64_t number; /* counts this job's submissions */
    kt_signal *completed;
} cpu_job;

/* Number of threads in an OpenMP parallel region; 1 without OpenMP. */
uint32_t kt_cpu_thread_count(void);
/* Calls a kernel for all groups of the step, in parallel, and returns when all are done. */
void kt_cpu_run_groups(kt_c_kernel function, const kt_backend_step *step, void *const *args);

KT_DECLARE_SLOTS(cpu)

kt_status kt_cpu_worker_init(cpu_worker *worker);
void kt_cpu_worker_fini(cpu_worker *worker);
/* A job enters before its first submission and leaves when none of its submissions is running. */
kt_status kt_cpu_worker_enter(cpu_worker *worker);
void kt_cpu_worker_leave(cpu_worker *worker);
/* Queues the job's next submission. The thread runs it with kt_cpu_run_job(), then raises
 * job->completed to the submission's number. */
void kt_cpu_worker_submit(cpu_worker *worker, cpu_job *job);

/* Allocates the flush buffer, once. */
kt_status kt_cpu_prepare_flush(cpu_device *device);
/* Flushes the caches of all cores of the calling thread's OpenMP team. */
void kt_cpu_flush(const cpu_device *device);

/* Runs the job's latest submission, on the worker's thread. */
void kt_cpu_run_job(cpu_job *job);

#endif
