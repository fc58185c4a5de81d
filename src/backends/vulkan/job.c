/*
 * job.c - records, submits and reads jobs. Commands are recorded once per number of trials, with
 * and without timestamps, and submitted repeatedly. They include the reset of the queries. An empty
 * step is two timestamps with nothing between them, the shortest span that Vulkan can time.
 */
#include "backends/vulkan/internal.h"
#include "support/alloc.h"

#include <string.h>

/* ---- creating a job ---- */

static const char axes[] = "xyz";

/* Places a value after the previous push constant, at a multiple of its size. */
static uint32_t place_push(uint32_t used, size_t bytes)
{
    uint32_t alignment = (uint32_t)bytes;
    return (used + alignment - 1) / alignment * alignment;
}

static bool is_alignment(size_t bytes)
{
    return bytes <= 16 && (bytes & (bytes - 1)) == 0;
}

/* Lays out a step's value arguments as push constants and counts its memory arguments. */
static kt_status count_args(const kt_backend_step *desc, uint32_t *memory_count,
                            uint32_t *push_bytes)
{
    for (uint32_t i = 0; i < desc->arg_count; i++) {
        const kt_backend_arg *arg = &desc->args[i];
        if (arg->memory) {
            ++*memory_count;
            continue;
        }
        if (!is_alignment(arg->value_bytes))
            return kt_fail(KT_UNSUPPORTED,
                           "argument %u: values are of 1, 2, 4, 8 or 16 bytes, not %zu", i,
                           arg->value_bytes);
        *push_bytes = place_push(*push_bytes, arg->value_bytes) + (uint32_t)arg->value_bytes;
    }
    return KT_OK;
}

static kt_status check_limits(const vulkan_device *d, const kt_backend_step *desc,
                              uint32_t memory_count, uint32_t push_bytes)
{
    const VkPhysicalDeviceLimits *limits = &d->limits;
    for (int i = 0; i < 3; i++) {
        if (desc->groups[i] > limits->maxComputeWorkGroupCount[i])
            return kt_fail(KT_LIMIT, "%s takes at most %u groups in dimension %c, not %u",
                           d->info->id, limits->maxComputeWorkGroupCount[i], axes[i],
                           desc->groups[i]);
        if (desc->group_size[i] > limits->maxComputeWorkGroupSize[i])
            return kt_fail(
                KT_LIMIT, "%s takes groups of at most %u work-items in dimension %c, not %u",
                d->info->id, limits->maxComputeWorkGroupSize[i], axes[i], desc->group_size[i]);
    }
    if (memory_count > limits->maxPerStageDescriptorStorageBuffers)
        return kt_fail(KT_LIMIT, "kernels of %s take at most %u memories, not %u", d->info->id,
                       limits->maxPerStageDescriptorStorageBuffers, memory_count);
    if (push_bytes > limits->maxPushConstantsSize)
        return kt_fail(KT_LIMIT, "%s takes at most %u bytes of values, not %u", d->info->id,
                       limits->maxPushConstantsSize, push_bytes);
    return KT_OK;
}

/* Compares the kernel's declarations with the step's arguments. */
static kt_status check_kernel(const vulkan_program *program, const kt_backend_step *desc,
                              uint32_t memory_count, uint32_t push_bytes)
{
    const spirv_kernel *kernel = &program->kernel;
    if (kernel->binding_count > memory_count)
        return kt_fail(KT_INVALID, "kernel %s uses bindings up to %u, but is given %u memories",
                       program->entry, kernel->binding_count - 1, memory_count);
    if (kernel->takes_push && push_bytes == 0)
        return kt_fail(KT_INVALID, "kernel %s has push constants, but is given no values",
                       program->entry);
    for (int i = 0; i < 3; i++)
        if (!kernel->any_size[i] && kernel->group_size[i] &&
            kernel->group_size[i] != desc->group_size[i])
            return kt_fail(KT_INVALID,
                           "kernel %s is made for groups of %u in dimension %c, not of %u",
                           program->entry, kernel->group_size[i], axes[i], desc->group_size[i]);
    return KT_OK;
}

static void fill_push(vulkan_step *step)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < step->desc->arg_count; i++) {
        const kt_backend_arg *arg = &step->desc->args[i];
        if (arg->memory)
            continue;
        used = place_push(used, arg->value_bytes);
        memcpy(step->push + used, arg->value, arg->value_bytes);
        used += (uint32_t)arg->value_bytes;
    }
}

static kt_status prepare_dispatch(vulkan_device *d, vulkan_step *step)
{
    const kt_backend_step *desc = step->desc;
    const vulkan_program *program = desc->program;
    uint32_t memory_count = 0, push_bytes = 0;
    kt_status status = count_args(desc, &memory_count, &push_bytes);
    if (status == KT_OK)
        status = check_limits(d, desc, memory_count, push_bytes);
    if (status == KT_OK)
        status = check_kernel(program, desc, memory_count, push_bytes);
    if (status != KT_OK)
        return status;
    step->push = kt_alloc(1, (size_t)push_bytes + 3); /* whole words are written to the device */
    const vulkan_buffer **buffers = kt_alloc(memory_count, sizeof *buffers);
    if (!step->push || !buffers) {
        kt_free(buffers);
        return KT_NO_MEMORY;
    }
    fill_push(step);
    for (uint32_t i = 0, next = 0; i < desc->arg_count; i++)
        if (desc->args[i].memory)
            buffers[next++] = &((const vulkan_memory *)desc->args[i].memory)->buffer;
    const vulkan_pipeline_desc pipeline = {.module = program->module,
                                           .entry = program->entry,
                                           .buffers = buffers,
                                           .buffer_count = memory_count,
                                           .push_bytes = push_bytes,
                                           .group_size = desc->group_size};
    status = vulkan_pipeline_create(d, &pipeline, &step->pipeline);
    kt_free(buffers);
    return status;
}

static kt_status create_queries(vulkan_job *job)
{
    vulkan_device *d = job->device;
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 2 * job->step_count};
    VkQueryPool queries = VK_NULL_HANDLE;
    if (d->place->timestamp_bits == 0)
        return KT_OK;
    job->results = kt_alloc(2 * (size_t)info.queryCount, sizeof *job->results);
    if (!job->results)
        return KT_NO_MEMORY;
    VkResult code = VK_CALL(&d->api, vkCreateQueryPool, d->device, &info, NULL, &queries);
    if (code != VK_SUCCESS)
        return vulkan_fail("vkCreateQueryPool", code);
    job->queries = queries;
    return KT_OK;
}

kt_status vulkan_job_init(void *job, void *device, const kt_backend_job *desc)
{
    vulkan_job *j = job;
    j->device = device;
    j->steps = kt_alloc(desc->step_count, sizeof *j->steps);
    if (!j->steps)
        return KT_NO_MEMORY;
    j->step_count = desc->step_count;
    kt_status status = create_queries(j);
    for (int i = 0; i < 2 && status == KT_OK; i++)
        status = vulkan_commands_create(j->device, &j->commands[i]);
    for (uint32_t i = 0; i < desc->step_count && status == KT_OK; i++) {
        j->steps[i].desc = &desc->steps[i];
        if (desc->steps[i].kind == KT_STEP_DISPATCH)
            status = prepare_dispatch(j->device, &j->steps[i]);
        else if (desc->steps[i].kind == KT_STEP_COPY)
            status = kt_check_overlap("Vulkan", &desc->steps[i]);
    }
    return status;
}

void vulkan_job_fini(void *job)
{
    vulkan_job *j = job;
    for (int i = 0; i < 2; i++)
        vulkan_commands_destroy(j->device, &j->commands[i]);
    for (uint32_t i = 0; i < j->step_count; i++) {
        vulkan_pipeline_destroy(j->device, &j->steps[i].pipeline);
        kt_free(j->steps[i].push);
    }
    j->device->api.vkDestroyQueryPool(j->device->device, j->queries, NULL);
    kt_free(j->results);
    kt_free(j->steps);
}

/* ---- recording ---- */

static void record_work(const vulkan_device *d, VkCommandBuffer buffer, const vulkan_step *step)
{
    const kt_backend_step *desc = step->desc;
    if (desc->kind == KT_STEP_DISPATCH) {
        d->api.vkCmdDispatch(buffer, desc->groups[0], desc->groups[1], desc->groups[2]);
    } else if (desc->kind == KT_STEP_COPY) {
        const vulkan_memory *src = desc->src, *dst = desc->dst;
        const VkBufferCopy region = {.srcOffset = desc->src_offset_bytes,
                                     .dstOffset = desc->dst_offset_bytes,
                                     .size = desc->copy_bytes};
        d->api.vkCmdCopyBuffer(buffer, src->buffer.buffer, dst->buffer.buffer, 1, &region);
    }
}

/*
 * The start timestamp follows a barrier and is written at the top of the pipe, if the driver makes
 * that wait for the barrier. The end timestamp is written at the bottom, after the step's work. An
 * empty step has only the two timestamps.
 */
static void record_step(const vulkan_job *job, VkCommandBuffer buffer, uint32_t index,
                        bool timestamped, uint32_t trials)
{
    const vulkan_device *d = job->device;
    const vulkan_step *step = &job->steps[index];
    if (step->desc->kind == KT_STEP_DISPATCH)
        vulkan_pipeline_bind(d, buffer, &step->pipeline, step->push);
    vulkan_barrier(d, buffer);
    if (timestamped)
        d->api.vkCmdWriteTimestamp(buffer, d->first_stage, job->queries, 2 * index);
    for (uint32_t t = 0; t < trials; t++) {
        if (t > 0 && step->desc->kind != KT_STEP_EMPTY)
            vulkan_barrier(d, buffer);
        record_work(d, buffer, step);
    }
    if (timestamped)
        d->api.vkCmdWriteTimestamp(buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, job->queries,
                                   2 * index + 1);
}

static kt_status record(vulkan_job *job, int which, uint32_t trials)
{
    vulkan_device *d = job->device;
    vulkan_commands *commands = &job->commands[which];
    bool timestamped = which && job->queries;
    job->recorded[which] = 0;
    kt_status status = vulkan_commands_begin(d, commands);
    if (status != KT_OK)
        return status;
    if (timestamped)
        d->api.vkCmdResetQueryPool(commands->buffer, job->queries, 0, 2 * job->step_count);
    for (uint32_t i = 0; i < job->step_count; i++)
        record_step(job, commands->buffer, i, timestamped, trials);
    vulkan_barrier_to_host(d, commands->buffer);
    status = vulkan_commands_end(d, commands);
    if (status == KT_OK)
        job->recorded[which] = trials;
    return status;
}

/* ---- running ---- */

/* Records the commands at the first run or warm-up and submits that recording again later. */
kt_status vulkan_job_submit(void *job, bool timestamped, uint32_t trials)
{
    vulkan_job *j = job;
    int which = timestamped ? 1 : 0;
    if (j->recorded[which] != trials) {
        kt_status status = record(j, which, trials);
        if (status != KT_OK)
            return status;
    }
    j->latest = which;
    return vulkan_commands_submit(j->device, &j->commands[which]);
}

kt_status vulkan_job_wait(void *job, int64_t timeout_ns)
{
    vulkan_job *j = job;
    return vulkan_commands_wait(j->device, &j->commands[j->latest], timeout_ns);
}

/* Each result is a value and its availability: SwiftShader 5.0 returns 2 for available, others
 * 1. */
kt_timestamp vulkan_timestamp_of(const uint64_t *results, uint32_t pair)
{
    const uint64_t *start = results + 4 * (size_t)pair, *end = start + 2;
    kt_timestamp timestamp = {
        .state = KT_TIMESTAMP_OK, .start_ticks = start[0], .end_ticks = end[0]};
    if (start[1] == 0 || end[1] == 0)
        timestamp.state = KT_TIMESTAMP_NOT_READY;
    else if (start[0] == 0 && end[0] == 0)
        timestamp.state = KT_TIMESTAMP_ZERO;
    return timestamp;
}

kt_status vulkan_job_read(void *job, kt_timestamp *timestamps)
{
    const vulkan_job *j = job;
    const vulkan_device *d = j->device;
    uint32_t count = 2 * j->step_count;
    VkResult code = VK_SUCCESS;
    if (j->queries) {
        size_t bytes = 2 * (size_t)count * sizeof *j->results;
        memset(j->results, 0, bytes);
        code = VK_CALL(&d->api, vkGetQueryPoolResults, d->device, j->queries, 0, count, bytes,
                       j->results, 2 * sizeof *j->results,
                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    }
    for (uint32_t i = 0; i < j->step_count; i++) {
        timestamps[i] =
            (kt_timestamp){.state = j->queries ? KT_TIMESTAMP_ERROR : KT_TIMESTAMP_LOST};
        if (j->queries && (code == VK_SUCCESS || code == VK_NOT_READY))
            timestamps[i] = vulkan_timestamp_of(j->results, i);
    }
    return KT_OK;
}
