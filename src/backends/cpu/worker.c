/* SPDX-License-Identifier: MIT */
/*
 * worker.c - the thread that runs all submissions of a device, in the order of submission.
 *
 * One thread serves all jobs, because libgomp gives each thread that begins a parallel region a
 * team of its own. If the teams have more threads than there are cores, libgomp lets threads sleep
 * between regions, and a kernel of 2 us takes 20 us.
 *
 * The thread ends with the last job, so that other OpenMP teams of the process have the cores to
 * themselves. Baselines end their teams for the same reason. The thread also flushes the caches,
 * because its team's cores run the kernels.
 */
#include "backends/cpu/internal.h"

/* The next job in the queue. NULL: the thread is to stop. */
static cpu_job *take_job(cpu_worker *worker)
{
    kt_mutex_lock(worker->queue_mutex);
    cpu_job *job = worker->first;
    if (job)
        worker->first = job->next;
    kt_mutex_unlock(worker->queue_mutex);
    return job;
}

static void work(void *user)
{
    cpu_worker *worker = user;
    for (;;) {
        kt_signal_wait(worker->submitted, ++worker->taken, -1);
        cpu_job *job = take_job(worker);
        if (!job)
            return;
        kt_cpu_run_job(job);
        kt_signal_raise(job->completed, job->number);
    }
}

kt_status kt_cpu_worker_init(cpu_worker *worker)
{
    kt_status status = kt_mutex_create(&worker->jobs_mutex);
    if (status == KT_OK)
        status = kt_mutex_create(&worker->queue_mutex);
    return status == KT_OK ? kt_signal_create(&worker->submitted) : status;
}

void kt_cpu_worker_fini(cpu_worker *worker)
{
    kt_signal_destroy(worker->submitted);
    kt_mutex_destroy(worker->queue_mutex);
    kt_mutex_destroy(worker->jobs_mutex);
}

kt_status kt_cpu_worker_enter(cpu_worker *worker)
{
    kt_mutex_lock(worker->jobs_mutex);
    kt_status status = worker->jobs ? KT_OK : kt_thread_start(work, worker, &worker->thread);
    worker->jobs += status == KT_OK;
    kt_mutex_unlock(worker->jobs_mutex);
    return status;
}

void kt_cpu_worker_leave(cpu_worker *worker)
{
    kt_mutex_lock(worker->jobs_mutex);
    if (--worker->jobs == 0) {
        kt_signal_raise(worker->submitted, ++worker->number);
        kt_thread_join(worker->thread);
    }
    kt_mutex_unlock(worker->jobs_mutex);
}

void kt_cpu_worker_submit(cpu_worker *worker, cpu_job *job)
{
    job->next = NULL;
    job->number++;
    kt_mutex_lock(worker->queue_mutex);
    if (worker->first)
        worker->last->next = job;
    else
        worker->first = job;
    worker->last = job;
    uint64_t number = ++worker->number;
    kt_mutex_unlock(worker->queue_mutex);
    kt_signal_raise_kept(worker->submitted, number);
}
