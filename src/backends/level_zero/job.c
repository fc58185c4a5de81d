/* SPDX-License-Identifier: MIT */
/*
 * job.c - records a job in command lists, runs it and reads its timestamps.
 *
 * A list is recorded once per number of trials, with and without timestamps, when it is first
 * submitted: recording a copy makes drivers compile, which belongs to first use. A list has no
 * order, so barriers separate the dispatches. Each job has a queue of its own. The host clears
 * timestamps and resets events before each run. A reset at the head of the list would leave a
 * moment in which they still have old values, and would add device work to timestamped submissions
 * only.
 *
 * A span needs both timestamps from one counter, so a job uses one clock throughout. "kernel" is
 * read from the events of dispatches, with no barrier in the span. "global" is used if the job has
 * a copy, with a barrier on both sides of each timestamp, since drivers may make several kernels of
 * one copy. The context clock is reported beside "kernel" and decides nothing. The host reads the
 * event of a single step, and results of each tile. With several steps, the list writes all results
 * behind them.
 */
#include "backends/kernel.h"
#include "backends/level_zero/internal.h"
#include "support/alloc.h"

#include <string.h>

/* ---- making a job ---- */

static const char axes[] = "xyz";

static kt_status check_limits(const level_zero_device *d, const kt_backend_step *desc)
{
    for (int i = 0; i < 3; i++) {
        if (d->groups_max[i] && desc->groups[i] > d->groups_max[i])
            return kt_fail(KT_LIMIT, "%s takes at most %u groups in dimension %c, not %u",
                           d->info->id, d->groups_max[i], axes[i], desc->groups[i]);
        if (d->group_max[i] && desc->group_size[i] > d->group_max[i])
            return kt_fail(KT_LIMIT,
                           "%s takes groups of at most %u work-items in dimension %c, not %u",
                           d->info->id, d->group_max[i], axes[i], desc->group_size[i]);
    }
    return KT_OK;
}

/* Checks the step's group size and arguments against the kernel's properties. */
static kt_status check_kernel(const level_zero_device *d, const level_zero_step *step)
{
    const ze_api *api = d->base.api;
    const kt_backend_step *desc = step->desc;
    const level_zero_program *program = desc->program;
    ze_kernel_properties_t says = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
    kt_status status = ZE_DO(api, zeKernelGetProperties, step->kernel, &says);
    if (status != KT_OK)
        return status;
    const uint32_t required[3] = {says.requiredGroupSizeX, says.requiredGroupSizeY,
                                  says.requiredGroupSizeZ};
    if (says.numKernelArgs != desc->arg_count)
        return kt_fail(KT_INVALID, "kernel %s takes %u arguments, not %u", program->entry,
                       says.numKernelArgs, desc->arg_count);
    for (int i = 0; i < 3; i++)
        if (required[i] && required[i] != desc->group_size[i])
            return kt_fail(KT_INVALID,
                           "kernel %s is made for groups of %u in dimension %c, not of %u",
                           program->entry, required[i], axes[i], desc->group_size[i]);
    return kt_check_local(desc, program->entry, says.localMemSize, d->info->local_memory_bytes);
}

static kt_status set_group_size(const level_zero_device *d, const level_zero_step *step)
{
    const level_zero_program *program = step->desc->program;
    const uint32_t *size = step->desc->group_size;
    ze_result_t code =
        ZE_CODE(d->base.api, zeKernelSetGroupSize, step->kernel, size[0], size[1], size[2]);
    if (code == ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION)
        return kt_fail(KT_LIMIT, "kernel %s does not take groups of %u x %u x %u on %s",
                       program->entry, size[0], size[1], size[2], d->info->id);
    return level_zero_check("zeKernelSetGroupSize", code);
}

static kt_status set_arg(const level_zero_device *d, const level_zero_step *step, uint32_t index)
{
    const level_zero_program *program = step->desc->program;
    const kt_backend_arg *arg = &step->desc->args[index];
    const level_zero_memory *memory = arg->memory;
    if (memory && memory->kind == KT_MEMORY_HEAP && !d->heap_args)
        return kt_fail(KT_UNSUPPORTED,
                       "argument %u: kernels take device, shared or host memory, not heap", index);
    /* a size and no value: local memory */
    const char *address = memory ? (const char *)memory->address + arg->memory_offset : NULL;
    size_t bytes = memory ? sizeof address : arg->value_bytes;
    const void *value = memory ? (const void *)&address : arg->value;
    ze_result_t code =
        ZE_CODE(d->base.api, zeKernelSetArgumentValue, step->kernel, index, bytes, value);
    if (code == ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE)
        return kt_fail(KT_INVALID, "argument %u of kernel %s does not have %zu bytes", index,
                       program->entry, bytes);
    return level_zero_check("zeKernelSetArgumentValue", code);
}

static kt_status prepare_dispatch(const level_zero_device *d, level_zero_step *step)
{
    kt_status status = check_limits(d, step->desc);
    if (status == KT_OK)
        status = kt_level_zero_kernel_create(step->desc->program, &step->kernel);
    if (status == KT_OK)
        status = check_kernel(d, step);
    if (status == KT_OK)
        status = set_group_size(d, step);
    for (uint32_t i = 0; i < step->desc->arg_count && status == KT_OK; i++)
        status = set_arg(d, step, i);
    return status;
}

static kt_status prepare_steps(level_zero_job *job, const kt_backend_job *desc)
{
    kt_status status = KT_OK;
    job->is_global = desc->clock == LEVEL_ZERO_GLOBAL;
    for (uint32_t i = 0; i < desc->step_count && status == KT_OK; i++) {
        level_zero_step *step = &job->steps[i];
        step->desc = &desc->steps[i];
        if (step->desc->kind == KT_STEP_DISPATCH)
            status = prepare_dispatch(job->device, step);
        else if (step->desc->kind == KT_STEP_COPY)
            status = kt_check_overlap("Level Zero", step->desc);
        job->is_global |= step->desc->kind == KT_STEP_COPY;
    }
    return status;
}

static size_t slot_bytes(const level_zero_job *job)
{
    return 2 * (size_t)job->step_count * sizeof *job->slots;
}

/* Number of events for the first and last trials of all steps. With one trial, a step has one
 * event. */
static uint32_t event_count(const level_zero_job *job, uint32_t trials)
{
    return trials > 1 ? 2 * job->step_count : job->step_count;
}

static size_t result_bytes(const level_zero_job *job)
{
    return job->timestamps.count * sizeof *job->results;
}

/* With several steps, the device writes all results by one command, which replaces a call for each
 * event. That command does not tell tiles apart, and for one event it costs more than the call. */
static kt_status make_events(level_zero_job *job)
{
    const level_zero_base *base = &job->device->base;
    void *results = NULL;
    kt_status status = kt_level_zero_events_create(base, ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
                                                   2 * job->step_count, &job->timestamps);
    if (status == KT_OK && job->step_count > 1 && !job->device->by_tile)
        status = kt_level_zero_host_alloc(base, result_bytes(job), &results);
    job->results = results;
    return status;
}

static kt_status make_timestamps(level_zero_job *job)
{
    void *slots = NULL;
    if (!job->is_global)
        return make_events(job);
    kt_status status = kt_level_zero_host_alloc(&job->device->base, slot_bytes(job), &slots);
    job->slots = slots;
    return status;
}

kt_status kt_level_zero_job_init(void *job, void *device, const kt_backend_job *desc)
{
    level_zero_job *j = job;
    j->device = device;
    j->steps = kt_alloc(desc->step_count, sizeof *j->steps);
    if (!j->steps)
        return KT_NO_MEMORY;
    j->step_count = desc->step_count;
    kt_status status = prepare_steps(j, desc);
    if (status == KT_OK)
        status = kt_level_zero_queue_create(j->device, &j->queue);
    for (int i = 0; i < 2 && status == KT_OK; i++)
        status = kt_level_zero_list_create(j->device, &j->lists[i].list);
    if (status == KT_OK)
        status = kt_level_zero_events_create(&j->device->base, 0, 1, &j->done);
    return status == KT_OK ? make_timestamps(j) : status;
}

void kt_level_zero_job_fini(void *job)
{
    level_zero_job *j = job;
    const level_zero_base *base = &j->device->base;
    const ze_api *api = base->api;
    /* Nobody has waited for this submission. If it does not end, the objects that it uses are
     * leaked. */
    bool is_stuck = j->in_flight && api->zeCommandQueueSynchronize(
                                        j->queue, KT_TIMEOUT_DEFAULT_NS) == ZE_RESULT_NOT_READY;
    for (int i = 0; i < 2 && !is_stuck; i++)
        if (j->lists[i].list)
            api->zeCommandListDestroy(j->lists[i].list);
    if (j->queue && !is_stuck)
        api->zeCommandQueueDestroy(j->queue);
    for (uint32_t i = 0; i < j->step_count && !is_stuck; i++)
        if (j->steps[i].kernel)
            api->zeKernelDestroy(j->steps[i].kernel);
    if (!is_stuck) {
        kt_level_zero_events_destroy(base, &j->timestamps);
        kt_level_zero_events_destroy(base, &j->done);
        kt_level_zero_free(base, j->results);
        kt_level_zero_free(base, j->slots);
    }
    kt_free(j->steps);
}

/* ---- recording ---- */

/* Records one kernel or copy, or for a timestamped empty step a barrier. */
static kt_status record_work(const level_zero_job *job, ze_command_list_handle_t list,
                             const level_zero_step *step, ze_event_handle_t signal)
{
    const ze_api *api = job->device->base.api;
    const kt_backend_step *desc = step->desc;
    if (desc->kind == KT_STEP_EMPTY)
        return kt_level_zero_barrier(api, list, signal);
    if (desc->kind == KT_STEP_COPY) {
        const level_zero_memory *src = desc->src, *dst = desc->dst;
        return ZE_DO(
            api, zeCommandListAppendMemoryCopy, list, (char *)dst->address + desc->dst_offset_bytes,
            (const char *)src->address + desc->src_offset_bytes, desc->copy_bytes, signal, 0, NULL);
    }
    const ze_group_count_t groups = {desc->groups[0], desc->groups[1], desc->groups[2]};
    return ZE_DO(api, zeCommandListAppendLaunchKernel, list, step->kernel, &groups, signal, 0,
                 NULL);
}

/* Records a global timestamp after all earlier commands and before all later ones. */
static kt_status record_global(const level_zero_job *job, ze_command_list_handle_t list,
                               uint64_t *slot)
{
    const ze_api *api = job->device->base.api;
    kt_status status = kt_level_zero_barrier(api, list, NULL);
    if (status == KT_OK)
        status = ZE_DO(api, zeCommandListAppendWriteGlobalTimestamp, list, slot, NULL, 0, NULL);
    return status == KT_OK ? kt_level_zero_barrier(api, list, NULL) : status;
}

/* Only barriers order the commands of a list. The first and last trial of a step signal its
 * events. */
static kt_status record_step(const level_zero_job *job, ze_command_list_handle_t list,
                             uint32_t index, bool timestamped, uint32_t trials)
{
    const level_zero_step *step = &job->steps[index];
    const ze_api *api = job->device->base.api;
    const ze_event_handle_t *events =
        timestamped && !job->is_global ? &job->timestamps.events[index] : NULL;
    uint64_t *slots = timestamped && job->is_global ? &job->slots[2 * (size_t)index] : NULL;
    kt_status status = slots ? record_global(job, list, &slots[0]) : KT_OK;
    for (uint32_t t = 0; t < trials && status == KT_OK; t++) {
        ze_event_handle_t signal = NULL;
        if (events && (t == 0 || t == trials - 1))
            signal = events[t == 0 ? 0 : job->step_count];
        if (t > 0 || (index > 0 && !slots))
            status = kt_level_zero_barrier(api, list, NULL);
        if (status == KT_OK)
            status = record_work(job, list, step, signal);
    }
    return status == KT_OK && slots ? record_global(job, list, &slots[1]) : status;
}

/* Drivers append a kernel for zeCommandListAppendQueryKernelTimestamps; the queue group of the work
 * runs kernels. */
static kt_status record_results(const level_zero_job *job, ze_command_list_handle_t list,
                                uint32_t trials)
{
    const ze_api *api = job->device->base.api;
    kt_status status = kt_level_zero_barrier(api, list, NULL);
    return status == KT_OK ? ZE_DO(api, zeCommandListAppendQueryKernelTimestamps, list,
                                   event_count(job, trials), job->timestamps.events, job->results,
                                   NULL, NULL, 0, NULL)
                           : status;
}

static kt_status record(level_zero_job *job, level_zero_list *out, bool timestamped,
                        uint32_t trials)
{
    const ze_api *api = job->device->base.api;
    out->trials = 0;
    kt_status status = ZE_DO(api, zeCommandListReset, out->list);
    for (uint32_t i = 0; i < job->step_count && status == KT_OK; i++)
        status = record_step(job, out->list, i, timestamped, trials);
    if (status == KT_OK && timestamped && job->results)
        status = record_results(job, out->list, trials);
    if (status == KT_OK)
        status = kt_level_zero_barrier(api, out->list, job->done.events[0]);
    if (status == KT_OK)
        status = ZE_DO(api, zeCommandListClose, out->list);
    if (status == KT_OK)
        out->trials = trials;
    return status;
}

/* ---- running ---- */

/* The previous run's timestamps must not be taken for this run's. The host resets them, as the head
 * of this file explains. */
static kt_status reset_timestamps(level_zero_job *job, uint32_t trials)
{
    const ze_api *api = job->device->base.api;
    uint32_t count = job->is_global ? 0 : event_count(job, trials);
    kt_status status = KT_OK;
    job->trials = trials;
    if (job->slots)
        memset(job->slots, 0, slot_bytes(job));
    if (job->results)
        memset(job->results, 0, result_bytes(job));
    for (uint32_t i = 0; i < count && status == KT_OK; i++)
        status = ZE_DO(api, zeEventHostReset, job->timestamps.events[i]);
    return status;
}

/* The first submission, in first use or warm-up, records the list; later ones execute it again. */
kt_status kt_level_zero_job_submit(void *job, bool timestamped, uint32_t trials)
{
    level_zero_job *j = job;
    level_zero_list *list = &j->lists[timestamped ? 1 : 0];
    kt_status status = KT_OK;
    if (list->trials != trials)
        status = record(j, list, timestamped, trials);
    if (status == KT_OK && timestamped)
        status = reset_timestamps(j, trials);
    return status == KT_OK ? kt_level_zero_submit(j, list) : status;
}

kt_status kt_level_zero_job_wait(void *job, int64_t timeout_ns)
{
    return kt_level_zero_wait(job, timeout_ns);
}

/* ---- timestamps ---- */

static kt_timestamp_state read_event(const level_zero_job *job, uint32_t index,
                                     ze_kernel_timestamp_result_t *out)
{
    const level_zero_device *d = job->device;
    if (!job->results)
        return kt_level_zero_read_event(&d->base, job->timestamps.events[index], d->by_tile,
                                        d->info->clocks[LEVEL_ZERO_KERNEL].valid_bits, out);
    *out = job->results[index];
    return KT_TIMESTAMP_OK;
}

static kt_timestamp read_events(const level_zero_job *job, uint32_t index)
{
    ze_kernel_timestamp_result_t first, last;
    kt_timestamp_state state = read_event(job, index, &first);
    last = first;
    if (state == KT_TIMESTAMP_OK && job->trials > 1)
        state = read_event(job, job->step_count + index, &last);
    if (state != KT_TIMESTAMP_OK)
        return (kt_timestamp){.state = state, .clock = LEVEL_ZERO_KERNEL};
    return kt_level_zero_timestamp_of(&first, &last);
}

/* A timestamp that was not written is 0. A counter that wrapped may be 0, too, once in 2^32
 * runs. */
static kt_timestamp read_slots(const level_zero_job *job, uint32_t index)
{
    const uint64_t *slots = &job->slots[2 * (size_t)index];
    return (kt_timestamp){.state = slots[0] && slots[1] ? KT_TIMESTAMP_OK : KT_TIMESTAMP_ZERO,
                          .clock = LEVEL_ZERO_GLOBAL,
                          .start_ticks = slots[0],
                          .end_ticks = slots[1]};
}

kt_status kt_level_zero_job_read(void *job, kt_timestamp *timestamps)
{
    const level_zero_job *j = job;
    for (uint32_t i = 0; i < j->step_count; i++)
        timestamps[i] = j->is_global ? read_slots(j, i) : read_events(j, i);
    return KT_OK;
}
