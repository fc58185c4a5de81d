/* SPDX-License-Identifier: MIT */
#include "backends/cuda_hip/internal.h"
#include "backends/kernel.h"
#include "support/alloc.h"

#include <string.h>

/* ---- making a job ---- */

static kt_status check_groups(const cuda_device *d, const kt_backend_step *desc)
{
    const cuda_program *program = desc->program;
    uint64_t items = (uint64_t)desc->group_size[0] * desc->group_size[1] * desc->group_size[2];
    if (program->max_group_size && items > program->max_group_size)
        return kt_fail(KT_LIMIT, "kernel %s takes groups of at most %u work-items on %s, not %llu",
                       program->entry, program->max_group_size, d->info->id,
                       (unsigned long long)items);
    for (int i = 0; i < 3; i++) {
        uint64_t along = (uint64_t)desc->groups[i] * desc->group_size[i];
        if (d->group_max[i] && desc->group_size[i] > d->group_max[i])
            return kt_fail(KT_LIMIT,
                           "%s takes groups of at most %u work-items in dimension %d, not %u",
                           d->info->id, d->group_max[i], i, desc->group_size[i]);
        if (d->grid_max[i] && desc->groups[i] > d->grid_max[i])
            return kt_fail(KT_LIMIT, "%s takes at most %u groups in dimension %d, not %u",
                           d->info->id, d->grid_max[i], i, desc->groups[i]);
        if (d->api->kind == CUDA_KIND_HIP && along > UINT32_MAX) /* launch returns 9 */
            return kt_fail(KT_LIMIT, "%s takes at most %u work-items in dimension %d, not %llu",
                           d->info->id, UINT32_MAX, i, (unsigned long long)along);
    }
    return KT_OK;
}

static bool is_shared(const kt_backend_arg *arg)
{
    return !arg->memory && !arg->value;
}

/* Checks the number of arguments: the driver would read beyond a list that is too short. Drivers
 * before CUDA 12.4, and HIP, do not report a kernel's parameters. */
static kt_status check_args(const cuda_device *d, const cuda_step *step)
{
    const kt_backend_step *desc = step->desc;
    const cuda_program *program = desc->program;
    const kt_backend_arg *arg = desc->args;
    size_t offset = 0, bytes = 0;
    if (!d->api->cuFuncGetParamInfo)
        return KT_OK;
    for (uint32_t i = 0; i <= step->arg_count; i++) {
        cuda_code code =
            CUDA_CODE(d->api, cuFuncGetParamInfo, program->function, i, &offset, &bytes);
        if (code != CUDA_OK && code != CUDA_INVALID_VALUE)
            return kt_cuda_fail(d->api, CUDA_CALL_cuFuncGetParamInfo, code);
        bool is_there = code == CUDA_OK;
        if (is_there != (i < step->arg_count))
            return kt_fail(KT_INVALID, "kernel %s takes %s than %u arguments", program->entry,
                           is_there ? "more" : "fewer", step->arg_count);
        if (!is_there)
            break;
        while (is_shared(arg))
            arg++;
        size_t given = arg->memory ? sizeof(cuda_address) : arg->value_bytes;
        arg++;
        if (given != bytes)
            return kt_fail(KT_INVALID, "argument %u of kernel %s has %zu bytes, not %zu", i,
                           program->entry, bytes, given);
    }
    return KT_OK;
}

static kt_status set_args(cuda_step *step)
{
    const kt_backend_step *desc = step->desc;
    step->args = kt_alloc(desc->arg_count, sizeof *step->args);
    step->addresses = kt_alloc(desc->arg_count, sizeof *step->addresses);
    if (!step->args || !step->addresses)
        return KT_NO_MEMORY;
    for (uint32_t i = 0; i < desc->arg_count; i++) {
        const cuda_memory *memory = desc->args[i].memory;
        uint32_t at = step->arg_count;
        if (is_shared(&desc->args[i]))
            continue;
        if (memory && memory->kind == KT_MEMORY_HEAP)
            return kt_fail(KT_UNSUPPORTED,
                           "argument %u: kernels take device, shared or host memory, not heap", i);
        if (memory)
            step->addresses[at] = memory->address + desc->args[i].memory_offset;
        step->args[at] = memory ? (void *)&step->addresses[at] : desc->args[i].value;
        step->arg_count++;
    }
    return KT_OK;
}

/* Lets the launches of a kernel use more shared memory than the 48 KiB that all devices have. Always
 * as much as there is, since jobs of other sizes share the kernel. */
static kt_status raise_shared(const cuda_device *d, const kt_backend_step *desc)
{
    const cuda_program *program = desc->program;
    kt_status status = kt_check_local(desc, program->entry, program->shared_bytes, d->shared_max);
    uint64_t usual = d->info->local_memory_bytes;
    if (status != KT_OK || desc->local_bytes == 0 || d->shared_max <= usual || usual == 0 ||
        desc->local_bytes + program->shared_bytes <= usual)
        return status;
    return CUDA_DO(d->api, cuFuncSetAttribute, program->function, CUDA_FUNCTION_MAX_DYNAMIC_BYTES,
                   (int)(d->shared_max - program->shared_bytes));
}

static kt_status prepare_step(cuda_job *job, cuda_step *step)
{
    kt_status status = KT_OK;
    if (step->desc->kind == KT_STEP_DISPATCH) {
        status = check_groups(job->device, step->desc);
        if (status == KT_OK)
            status = set_args(step);
        if (status == KT_OK)
            status = check_args(job->device, step);
        if (status == KT_OK)
            status = raise_shared(job->device, step->desc);
    }
    cuda_event pair[2] = {NULL, NULL};
    if (status == KT_OK)
        status = kt_cuda_pool_take(&job->device->events, pair, 2);
    step->start = pair[0];
    step->stop = pair[1];
    return status;
}

static kt_status prepare(cuda_job *job, const kt_backend_job *desc)
{
    kt_status status =
        CUDA_DO(job->device->api, cuStreamCreate, &job->stream, CUDA_STREAM_NON_BLOCKING);
    for (uint32_t i = 0; i < desc->step_count && status == KT_OK; i++) {
        job->steps[i].desc = &desc->steps[i];
        status = prepare_step(job, &job->steps[i]);
    }
    if (status == KT_OK)
        kt_cuda_blocking_prepare(job);
    return status;
}

kt_status kt_cuda_job_init(void *job, void *device, const kt_backend_job *desc)
{
    cuda_job *j = job;
    cuda_scope scope;
    j->device = device;
    j->steps = kt_alloc(desc->step_count, sizeof *j->steps);
    if (!j->steps)
        return KT_NO_MEMORY;
    j->step_count = desc->step_count;
    kt_status status = cuda_device_enter(j->device, &scope);
    if (status == KT_OK)
        status = prepare(j, desc);
    kt_cuda_leave(&scope);
    return status;
}

static void free_step(cuda_job *job, cuda_step *step, bool is_stuck)
{
    cuda_event pair[2] = {step->start, step->stop};
    if (!is_stuck) /* events of a stuck job are left to the device's pool */
        kt_cuda_pool_give(&job->device->events, pair, 2);
    kt_free(step->args);
    kt_free(step->addresses);
}

void kt_cuda_job_fini(void *job)
{
    cuda_job *j = job;
    const cuda_api *api = j->device->api;
    cuda_scope scope;
    bool is_stuck = false;
    cuda_device_enter_to_end(j->device, &scope);
    /* Commands of a failed submission may still run and use memory that is freed next. A stream
     * that does not end is leaked with its words, because the driver would wait for its end before
     * freeing them. */
    if (j->in_flight)
        is_stuck = kt_cuda_wait(api, j->stream, KT_TIMEOUT_DEFAULT_NS) == KT_TIMEOUT;
    for (uint32_t i = 0; i < j->step_count; i++)
        free_step(j, &j->steps[i], is_stuck);
    if (j->stream && !is_stuck)
        api->cuStreamDestroy(j->stream);
    if (j->words && !is_stuck)
        api->cuMemFreeHost(j->words);
    kt_cuda_leave(&scope);
    kt_free(j->steps);
}

/* ---- submitting ---- */

/* Enqueues one kernel or copy; nothing for an empty step. */
static kt_status enqueue(const cuda_job *job, const cuda_step *step)
{
    const cuda_api *api = job->device->api;
    const kt_backend_step *desc = step->desc;
    if (desc->kind == KT_STEP_EMPTY)
        return KT_OK;
    if (desc->kind == KT_STEP_COPY) {
        const cuda_memory *src = desc->src, *dst = desc->dst;
        return kt_cuda_copy(api, dst->address + desc->dst_offset_bytes,
                            src->address + desc->src_offset_bytes, desc->copy_bytes, job->stream);
    }
    const cuda_program *program = desc->program;
    return CUDA_DO(api, cuLaunchKernel, program->function, desc->groups[0], desc->groups[1],
                   desc->groups[2], desc->group_size[0], desc->group_size[1], desc->group_size[2],
                   (unsigned)desc->local_bytes, job->stream, step->args, NULL);
}

/* An empty step without timestamps records its start event, too. Without any command its submission
 * would be empty, and its overhead that of querying an idle stream. */
static kt_status enqueue_step(const cuda_job *job, const cuda_step *step, bool timestamped,
                              uint32_t trials)
{
    const cuda_api *api = job->device->api;
    kt_status status = KT_OK;
    if (timestamped || step->desc->kind == KT_STEP_EMPTY)
        status = CUDA_DO(api, cuEventRecord, step->start, job->stream);
    for (uint32_t t = 0; t < trials && status == KT_OK; t++)
        status = enqueue(job, step);
    if (status == KT_OK && timestamped)
        status = CUDA_DO(api, cuEventRecord, step->stop, job->stream);
    return status;
}

kt_status kt_cuda_job_submit(void *job, bool timestamped, uint32_t trials)
{
    cuda_job *j = job;
    cuda_scope scope;
    kt_status status = cuda_device_enter(j->device, &scope);
    j->in_flight |= status == KT_OK;
    if (status == KT_OK && timestamped)
        kt_cuda_blocking_begin(j, trials);
    for (uint32_t i = 0; i < j->step_count && status == KT_OK; i++)
        status = enqueue_step(j, &j->steps[i], timestamped, trials);
    if (timestamped)
        kt_cuda_blocking_release(j);
    kt_cuda_leave(&scope);
    return status;
}

kt_status kt_cuda_job_wait(void *job, int64_t timeout_ns)
{
    cuda_job *j = job;
    cuda_scope scope;
    kt_status status = cuda_device_enter(j->device, &scope);
    if (status == KT_OK)
        status = kt_cuda_wait(j->device->api, j->stream, timeout_ns);
    if (status == KT_OK)
        j->in_flight = false;
    j->is_warm |= status == KT_OK;
    kt_cuda_leave(&scope);
    return status;
}

/* ---- timestamps ---- */

/* Reads a step's timestamp. `before` is the preceding step, or NULL for the first step. */
static void read_step(const cuda_api *api, const cuda_step *step, const cuda_step *before,
                      kt_timestamp *timestamp)
{
    timestamp->gap_ms = 0;
    timestamp->state = kt_cuda_elapsed(api, step->start, step->stop, &timestamp->elapsed_ms);
    if (before && timestamp->state == KT_TIMESTAMP_OK)
        timestamp->state = kt_cuda_elapsed(api, before->stop, step->start, &timestamp->gap_ms);
}

kt_status kt_cuda_job_read(void *job, kt_timestamp *timestamps)
{
    cuda_job *j = job;
    cuda_scope scope;
    uint32_t clock = 0;
    kt_status status = cuda_device_enter(j->device, &scope);
    kt_timestamp_state state = kt_cuda_blocking_end(j, &clock);
    for (uint32_t i = 0; i < j->step_count && status == KT_OK; i++) {
        timestamps[i].clock = clock;
        read_step(j->device->api, &j->steps[i], i ? &j->steps[i - 1] : NULL, &timestamps[i]);
        if (timestamps[i].state == KT_TIMESTAMP_OK)
            timestamps[i].state = state;
    }
    kt_cuda_leave(&scope);
    return status;
}
