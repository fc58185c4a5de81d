/* SPDX-License-Identifier: MIT */
#include "backends/template/internal.h"
#include "support/alloc.h"

#include <string.h>

/* Create all that submitting needs: queues, events, argument lists, recorded commands. Return
 * KT_UNSUPPORTED for steps that the API cannot run. The timer limits are measured with a job of one
 * KT_STEP_EMPTY. */
kt_status kt_template_job_init(void *job, void *device, const kt_backend_job *desc)
{
    template_job *j = job;
    j->host = ((template_device *)device)->host;
    j->desc = desc;
    uint32_t arg_count = 0;
    for (uint32_t i = 0; i < desc->step_count; i++)
        arg_count = desc->steps[i].arg_count > arg_count ? desc->steps[i].arg_count : arg_count;
    j->args = kt_alloc(arg_count, sizeof *j->args);
    j->timestamps = kt_alloc(desc->step_count, sizeof *j->timestamps);
    return j->args && j->timestamps ? KT_OK : KT_NO_MEMORY;
}

/* Release what job_init created, even if it failed half-way. After a failed submission, wait for
 * its commands, which may still run. */
void kt_template_job_fini(void *job)
{
    template_job *j = job;
    kt_free(j->args);
    kt_free(j->timestamps);
}

static void run_groups(const template_job *job, const kt_backend_step *step)
{
    for (uint32_t i = 0; i < step->arg_count; i++) {
        const template_memory *memory = step->args[i].memory;
        job->args[i] = memory ? memory->bytes + step->args[i].memory_offset : step->args[i].value;
    }
    const template_program *program = step->program;
    kt_c_group group;
    memcpy(group.groups, step->groups, sizeof group.groups);
    memcpy(group.group_size, step->group_size, sizeof group.group_size);
    for (group.group[2] = 0; group.group[2] < group.groups[2]; group.group[2]++)
        for (group.group[1] = 0; group.group[1] < group.groups[1]; group.group[1]++)
            for (group.group[0] = 0; group.group[0] < group.groups[0]; group.group[0]++)
                program->function(&group, job->args);
}

static void run_step(const template_job *job, const kt_backend_step *step)
{
    if (step->kind == KT_STEP_DISPATCH) {
        run_groups(job, step);
    } else if (step->kind == KT_STEP_COPY) {
        const template_memory *src = step->src, *dst = step->dst;
        memmove(dst->bytes + step->dst_offset_bytes, src->bytes + step->src_offset_bytes,
                step->copy_bytes);
    }
}

/* Enqueue each step `trials` times, between two timestamps if `timestamped`, flush, and return
 * without waiting. Only the template, which has no device, runs the work here. */
kt_status kt_template_job_submit(void *job, bool timestamped, uint32_t trials)
{
    template_job *j = job;
    for (uint32_t i = 0; i < j->desc->step_count; i++) {
        if (timestamped)
            j->timestamps[i].start_ticks = (uint64_t)j->host.now(j->host.user);
        for (uint32_t t = 0; t < trials; t++)
            run_step(j, &j->desc->steps[i]);
        if (timestamped)
            j->timestamps[i].end_ticks = (uint64_t)j->host.now(j->host.user);
    }
    return KT_OK;
}

/* Wait until all commands have ended, or return KT_TIMEOUT after timeout_ns. ../opencl/wait.c has
 * two ways for drivers whose wait has no limit. The template's work has ended already. */
kt_status kt_template_job_wait(void *job, int64_t timeout_ns)
{
    (void)job, (void)timeout_ns;
    return KT_OK;
}

/* Return each step's timestamps as the driver reports them: ticks, never ns. A missing or invalid
 * timestamp is a state (KT_TIMESTAMP_NOT_READY, _ZERO, _ERROR ...), never a 0. */
kt_status kt_template_job_read(void *job, kt_timestamp *timestamps)
{
    const template_job *j = job;
    memcpy(timestamps, j->timestamps, j->desc->step_count * sizeof *timestamps);
    return KT_OK;
}
