/* SPDX-License-Identifier: MIT */
#include "backends/cpu/internal.h"
#include "support/alloc.h"

#include <string.h>

/* Copies on one core, as a user's memcpy would. */
static void copy(const kt_backend_step *step)
{
    const cpu_memory *src = step->src, *dst = step->dst;
    const unsigned char *from = src->bytes + step->src_offset_bytes;
    unsigned char *to = dst->bytes + step->dst_offset_bytes;
    size_t src_offset = step->src_offset_bytes, dst_offset = step->dst_offset_bytes;
    size_t apart = src_offset > dst_offset ? src_offset - dst_offset : dst_offset - src_offset;
    if (src == dst && apart < step->copy_bytes)
        memmove(to, from, step->copy_bytes);
    else
        memcpy(to, from, step->copy_bytes);
}

static void run_once(const cpu_job *job, uint32_t index)
{
    const kt_backend_step *step = &job->desc->steps[index];
    if (step->kind == KT_STEP_DISPATCH) {
        kt_cpu_run_groups(((const cpu_program *)step->program)->function, step, job->args[index]);
    } else if (step->kind == KT_STEP_COPY) {
        copy(step);
    }
}

static void run_steps(cpu_job *job)
{
    for (uint32_t i = 0; i < job->desc->step_count; i++) {
        kt_timestamp *timestamp = &job->timestamps[i];
        if (job->timestamped)
            timestamp->start_ticks = (uint64_t)job->host.now(job->host.user);
        for (uint32_t t = 0; t < job->trials; t++)
            run_once(job, i);
        if (job->timestamped)
            timestamp->end_ticks = (uint64_t)job->host.now(job->host.user);
    }
}

void kt_cpu_run_job(cpu_job *job)
{
    if (job->flushes)
        kt_cpu_flush(job->device);
    else
        run_steps(job);
}

static kt_status prepare_args(cpu_job *job)
{
    for (uint32_t i = 0; i < job->desc->step_count; i++) {
        const kt_backend_step *step = &job->desc->steps[i];
        job->args[i] = kt_alloc(step->arg_count, sizeof *job->args[i]);
        if (!job->args[i])
            return KT_NO_MEMORY;
        for (uint32_t a = 0; a < step->arg_count; a++) {
            const cpu_memory *memory = step->args[a].memory;
            job->args[i][a] =
                memory ? memory->bytes + step->args[a].memory_offset : step->args[a].value;
        }
    }
    return KT_OK;
}

kt_status kt_cpu_job_init(void *job, void *device, const kt_backend_job *desc)
{
    cpu_job *j = job;
    j->device = device;
    j->host = j->device->host;
    j->desc = desc;
    j->args = kt_alloc(desc->step_count, sizeof *j->args);
    j->timestamps = kt_alloc(desc->step_count, sizeof *j->timestamps);
    if (!j->args || !j->timestamps)
        return KT_NO_MEMORY;
    kt_status status = prepare_args(j);
    if (status == KT_OK)
        status = kt_signal_create(&j->completed);
    if (status == KT_OK)
        status = kt_cpu_worker_enter(&j->device->worker);
    j->entered = status == KT_OK;
    return status;
}

void kt_cpu_job_fini(void *job)
{
    cpu_job *j = job;
    if (j->entered)
        kt_cpu_worker_leave(&j->device->worker);
    kt_signal_destroy(j->completed);
    for (uint32_t i = 0; j->args && i < j->desc->step_count; i++)
        kt_free(j->args[i]);
    kt_free(j->args);
    kt_free(j->timestamps);
}

/* The worker flushes, since its OpenMP team runs the kernels. */
kt_status kt_cpu_job_flush_caches(void *job, int64_t timeout_ns)
{
    cpu_job *j = job;
    kt_status status = kt_cpu_prepare_flush(j->device);
    if (status != KT_OK)
        return status;
    j->flushes = true;
    kt_cpu_worker_submit(&j->device->worker, j);
    return kt_cpu_job_wait(j, timeout_ns);
}

kt_status kt_cpu_job_submit(void *job, bool timestamped, uint32_t trials)
{
    cpu_job *j = job;
    j->flushes = false;
    j->timestamped = timestamped;
    j->trials = trials;
    kt_cpu_worker_submit(&j->device->worker, j);
    return KT_OK;
}

kt_status kt_cpu_job_wait(void *job, int64_t timeout_ns)
{
    cpu_job *j = job;
    if (kt_signal_wait(j->completed, j->number, timeout_ns))
        return KT_OK;
    return kt_fail(KT_TIMEOUT, "the CPU did not finish within %g s", (double)timeout_ns * 1e-9);
}

kt_status kt_cpu_job_read(void *job, kt_timestamp *timestamps)
{
    const cpu_job *j = job;
    memcpy(timestamps, j->timestamps, j->desc->step_count * sizeof *timestamps);
    return KT_OK;
}
