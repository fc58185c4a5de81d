/*
 * The thread that runs what the jobs of a device submit, in the order of submission. There is one,
 * since libgomp gives each thread that begins a parallel region a team of its own. With more
 * threads in teams than cores libgomp lets them sleep between regions: a kernel of 2 us then takes
 * 20 us.
 *
 * The thread lives as long as there are jobs: without jobs the cores are free for the team of
 * whoever uses OpenMP then. Baselines end their teams for the same reason. It also flushes the
 * caches, since they are those of the cores that run the kernels.
 */
#include "backends/cpu/internal.h"

/* NULL: there will be no more. */
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
        cpu_run_job(job);
        kt_signal_raise(job->completed, job->number);
    }
}

kt_status cpu_worker_init(cpu_worker *worker)
{
    kt_status status = kt_mutex_create(&worker->jobs_mutex);
    if (status == KT_OK)
        status = kt_mutex_create(&worker->queue_mutex);
    return status == KT_OK ? kt_signal_create(&worker->submitted) : status;
}

void cpu_worker_fini(cpu_worker *worker)
{
    kt_signal_destroy(worker->submitted);
    kt_mutex_destroy(worker->queue_mutex);
    kt_mutex_destroy(worker->jobs_mutex);
}

kt_status cpu_worker_enter(cpu_worker *worker)
{
    kt_mutex_lock(worker->jobs_mutex);
    kt_status status = worker->jobs ? KT_OK : kt_thread_start(work, worker, &worker->thread);
    worker->jobs += status == KT_OK;
    kt_mutex_unlock(worker->jobs_mutex);
    return status;
}

void cpu_worker_leave(cpu_worker *worker)
{
    kt_mutex_lock(worker->jobs_mutex);
    if (--worker->jobs == 0) {
        kt_signal_raise(worker->submitted, ++worker->number);
        kt_thread_join(worker->thread);
    }
    kt_mutex_unlock(worker->jobs_mutex);
}

void cpu_worker_submit(cpu_worker *worker, cpu_job *job)
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
    kt_signal_raise(worker->submitted, number);
}
