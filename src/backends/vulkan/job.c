/* SPDX-License-Identifier: MIT */
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

/* Offset of a value in the push constants, which are `used` bytes long before it. */
static uint64_t push_offset(const kt_backend_arg *arg, uint64_t used)
{
    return arg->place == KT_PLACE_PUSH ? arg->offset : place_push((uint32_t)used, arg->value_bytes);
}

/* Places of a step's arguments. */
typedef struct places {
    vulkan_binding *bindings; /* buffers of uniforms are missing until they exist */
    uint32_t binding_count, memory_count;
    uint64_t push_bytes;
} places;

static bool is_bound(const kt_backend_arg *arg)
{
    return arg->memory || arg->place == KT_PLACE_BINDING;
}

static kt_status place_buffer(const vulkan_device *d, const kt_backend_arg *arg, uint32_t number,
                              places *p)
{
    const VkPhysicalDeviceLimits *limits = &d->limits;
    vulkan_binding binding = {.binding = p->memory_count,
                              .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                              .offset = arg->memory_offset,
                              .bytes = arg->memory_bytes};
    uint32_t sets = limits->maxBoundDescriptorSets;
    sets = sets < VULKAN_SETS_MAX ? sets : VULKAN_SETS_MAX;
    if (arg->place == KT_PLACE_BINDING) {
        binding.set = arg->set;
        binding.binding = arg->binding;
    }
    if (arg->memory)
        binding.buffer = ((const vulkan_memory *)arg->memory)->buffer.buffer;
    else
        binding.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    if (binding.set >= sets || binding.binding >= SPIRV_BINDINGS_MAX)
        return kt_fail(KT_LIMIT,
                       "argument %u: %s has descriptor sets below %u and bindings below %d, not "
                       "set %u, binding %u",
                       number, d->info->id, sets, SPIRV_BINDINGS_MAX, binding.set, binding.binding);
    if (arg->value_bytes > limits->maxUniformBufferRange)
        return kt_fail(KT_LIMIT,
                       "argument %u: uniform buffers of %s have at most %u bytes, not %zu", number,
                       d->info->id, limits->maxUniformBufferRange, arg->value_bytes);
    for (uint32_t i = 0; i < p->binding_count && arg->place == KT_PLACE_BINDING; i++)
        if (p->bindings[i].set == binding.set && p->bindings[i].binding == binding.binding)
            return kt_fail(KT_INVALID, "argument %u: set %u, binding %u has an argument already",
                           number, binding.set, binding.binding);
    p->memory_count += arg->memory ? 1 : 0;
    p->bindings[p->binding_count++] = binding;
    return KT_OK;
}

static kt_status place_args(const vulkan_device *d, const kt_backend_step *desc, places *p)
{
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < desc->arg_count && status == KT_OK; i++) {
        const kt_backend_arg *arg = &desc->args[i];
        if (is_bound(arg)) {
            status = place_buffer(d, arg, i, p);
            continue;
        }
        if (arg->place == KT_PLACE_ORDER && !is_alignment(arg->value_bytes))
            return kt_fail(KT_UNSUPPORTED,
                           "argument %u: values are of 1, 2, 4, 8 or 16 bytes, not %zu", i,
                           arg->value_bytes);
        uint64_t end = push_offset(arg, p->push_bytes) + arg->value_bytes;
        p->push_bytes = end > p->push_bytes ? end : p->push_bytes;
        if (p->push_bytes > d->limits.maxPushConstantsSize)
            return kt_fail(KT_LIMIT, "%s takes at most %u bytes of values, not %llu", d->info->id,
                           d->limits.maxPushConstantsSize, (unsigned long long)p->push_bytes);
    }
    return status;
}

static kt_status check_limits(const vulkan_device *d, const kt_backend_step *desc,
                              const uint32_t group_size[3], const places *p)
{
    const VkPhysicalDeviceLimits *limits = &d->limits;
    uint32_t uniform_count = p->binding_count - p->memory_count;
    uint64_t items = 1;
    for (int i = 0; i < 3; i++) {
        if (desc->groups[i] > limits->maxComputeWorkGroupCount[i])
            return kt_fail(KT_LIMIT, "%s takes at most %u groups in dimension %c, not %u",
                           d->info->id, limits->maxComputeWorkGroupCount[i], axes[i],
                           desc->groups[i]);
        if (group_size[i] > limits->maxComputeWorkGroupSize[i])
            return kt_fail(KT_LIMIT,
                           "%s takes groups of at most %u work-items in dimension %c, not %u",
                           d->info->id, limits->maxComputeWorkGroupSize[i], axes[i], group_size[i]);
        items *= group_size[i];
        if (items > limits->maxComputeWorkGroupInvocations)
            return kt_fail(KT_LIMIT, "%s takes groups of at most %u work-items, not %llu",
                           d->info->id, limits->maxComputeWorkGroupInvocations,
                           (unsigned long long)items);
    }
    if (p->memory_count > limits->maxPerStageDescriptorStorageBuffers)
        return kt_fail(KT_LIMIT, "kernels of %s take at most %u memories, not %u", d->info->id,
                       limits->maxPerStageDescriptorStorageBuffers, p->memory_count);
    if (uniform_count > limits->maxPerStageDescriptorUniformBuffers)
        return kt_fail(KT_LIMIT, "kernels of %s take at most %u uniform buffers, not %u",
                       d->info->id, limits->maxPerStageDescriptorUniformBuffers, uniform_count);
    return KT_OK;
}

/* Compares a buffer of the kernel with the arguments. */
static kt_status check_buffer(const vulkan_program *program, const spirv_buffer *buffer,
                              const places *p)
{
    const vulkan_binding *given = NULL;
    for (uint32_t i = 0; i < p->binding_count && !given; i++)
        if (p->bindings[i].set == buffer->set && p->bindings[i].binding == buffer->binding)
            given = &p->bindings[i];
    if (!given)
        return kt_fail(KT_INVALID, "kernel %s uses set %u, binding %u, but is given nothing there",
                       program->entry, buffer->set, buffer->binding);
    if (buffer->is_uniform != (given->type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER))
        return kt_fail(KT_INVALID, "kernel %s has a %s at set %u, binding %u, and is given a %s",
                       program->entry, buffer->is_uniform ? "uniform buffer" : "storage buffer",
                       buffer->set, buffer->binding, buffer->is_uniform ? "memory" : "value");
    return KT_OK;
}

static kt_status check_group_size(const vulkan_program *program, const uint32_t group_size[3])
{
    const spirv_kernel *kernel = &program->kernel;
    for (int i = 0; i < 3; i++) {
        uint32_t fixed = kernel->size_ids[i] == SPIRV_NO_ID ? kernel->group_size[i] : 0;
        for (int k = 0; k < i && !fixed; k++)
            if (kernel->size_ids[k] == kernel->size_ids[i] && kernel->size_ids[i] != SPIRV_NO_ID)
                fixed = group_size[k];
        if (fixed && fixed != group_size[i])
            return kt_fail(KT_INVALID,
                           "kernel %s is made for groups of %u in dimension %c, not of %u",
                           program->entry, fixed, axes[i], group_size[i]);
    }
    return KT_OK;
}

/* Compares the kernel's declarations with the step's arguments. */
static kt_status check_kernel(const vulkan_program *program, const uint32_t group_size[3],
                              const places *p)
{
    const spirv_kernel *kernel = &program->kernel;
    kt_status status = check_group_size(program, group_size);
    for (uint32_t i = 0; i < kernel->buffer_count && status == KT_OK; i++)
        status = check_buffer(program, &kernel->buffers[i], p);
    if (status == KT_OK && kernel->takes_push && p->push_bytes == 0)
        status = kt_fail(KT_INVALID, "kernel %s has push constants, but is given no values",
                         program->entry);
    return status;
}

/* Makes a uniform buffer of a value. Its padding lets a kernel read the last vector whole. */
static kt_status create_uniform(vulkan_device *d, vulkan_step *step, const kt_backend_arg *arg)
{
    kt_memory_kind kind =
        d->info->memory_kinds & 1u << KT_MEMORY_SHARED ? KT_MEMORY_SHARED : KT_MEMORY_DEFAULT;
    vulkan_memory *memory = &step->uniforms[step->uniform_count++];
    kt_status status = kt_vulkan_memory_init(memory, d, kind, (arg->value_bytes + 15) / 16 * 16);
    /* The host sees it, so this takes no time on the device. */
    return status == KT_OK ? kt_vulkan_memory_write(memory, 0, arg->value, arg->value_bytes, 0)
                           : status;
}

/* Writes the values, into push constants and uniform buffers. */
static kt_status fill_values(vulkan_device *d, vulkan_step *step, places *p)
{
    const kt_backend_step *desc = step->desc;
    uint64_t used = 0;
    uint32_t next = 0;
    kt_status status = KT_OK;
    step->push = kt_alloc(1, (size_t)p->push_bytes + 3); /* whole words are written */
    step->uniforms = kt_alloc(p->binding_count - p->memory_count, sizeof *step->uniforms);
    if (!step->push || !step->uniforms)
        return KT_NO_MEMORY;
    for (uint32_t i = 0; i < desc->arg_count && status == KT_OK; i++) {
        const kt_backend_arg *arg = &desc->args[i];
        if (!is_bound(arg)) {
            uint64_t at = push_offset(arg, used);
            memcpy(step->push + at, arg->value, arg->value_bytes);
            used = at + arg->value_bytes;
        } else if (!arg->memory) {
            status = create_uniform(d, step, arg);
            p->bindings[next].buffer = step->uniforms[step->uniform_count - 1].buffer.buffer;
        }
        next += is_bound(arg) ? 1 : 0;
    }
    return status;
}

static kt_status prepare_dispatch(vulkan_device *d, vulkan_step *step)
{
    const kt_backend_step *desc = step->desc;
    const vulkan_program *program = desc->program;
    places p = {.bindings = kt_alloc(desc->arg_count, sizeof *p.bindings)};
    uint32_t group_size[3];
    if (!p.bindings)
        return KT_NO_MEMORY;
    for (int i = 0; i < 3; i++)
        group_size[i] = program->group_size[i] ? program->group_size[i] : desc->group_size[i];
    kt_status status = place_args(d, desc, &p);
    if (status == KT_OK)
        status = check_limits(d, desc, group_size, &p);
    if (status == KT_OK)
        status = check_kernel(program, group_size, &p);
    if (status == KT_OK)
        status = fill_values(d, step, &p);
    const vulkan_pipeline_desc pipeline = {.program = program,
                                           .bindings = p.bindings,
                                           .binding_count = p.binding_count,
                                           .push_bytes = (uint32_t)p.push_bytes,
                                           .group_size = group_size};
    if (status == KT_OK)
        status = kt_vulkan_pipeline_create(d, &pipeline, &step->pipeline);
    kt_free(p.bindings);
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
        return kt_vulkan_fail("vkCreateQueryPool", code);
    job->queries = queries;
    return KT_OK;
}

kt_status kt_vulkan_job_init(void *job, void *device, const kt_backend_job *desc)
{
    vulkan_job *j = job;
    j->device = device;
    j->steps = kt_alloc(desc->step_count, sizeof *j->steps);
    if (!j->steps)
        return KT_NO_MEMORY;
    j->step_count = desc->step_count;
    kt_status status = create_queries(j);
    for (int i = 0; i < 2 && status == KT_OK; i++)
        status = kt_vulkan_commands_create(j->device, &j->commands[i]);
    for (uint32_t i = 0; i < desc->step_count && status == KT_OK; i++) {
        j->steps[i].desc = &desc->steps[i];
        if (desc->steps[i].kind == KT_STEP_DISPATCH)
            status = prepare_dispatch(j->device, &j->steps[i]);
        else if (desc->steps[i].kind == KT_STEP_COPY)
            status = kt_check_overlap("Vulkan", &desc->steps[i]);
    }
    return status;
}

void kt_vulkan_job_fini(void *job)
{
    vulkan_job *j = job;
    for (int i = 0; i < 2; i++)
        kt_vulkan_commands_destroy(j->device, &j->commands[i]);
    for (uint32_t i = 0; i < j->step_count; i++) {
        kt_vulkan_pipeline_destroy(j->device, &j->steps[i].pipeline);
        kt_free(j->steps[i].push);
        for (uint32_t k = 0; k < j->steps[i].uniform_count; k++)
            kt_vulkan_memory_fini(&j->steps[i].uniforms[k]);
        kt_free(j->steps[i].uniforms);
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
        kt_vulkan_pipeline_bind(d, buffer, &step->pipeline, step->push);
    kt_vulkan_barrier(d, buffer);
    if (timestamped)
        d->api.vkCmdWriteTimestamp(buffer, d->first_stage, job->queries, 2 * index);
    for (uint32_t t = 0; t < trials; t++) {
        if (t > 0 && step->desc->kind != KT_STEP_EMPTY)
            kt_vulkan_barrier(d, buffer);
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
    kt_status status = kt_vulkan_commands_begin(d, commands);
    if (status != KT_OK)
        return status;
    if (timestamped)
        d->api.vkCmdResetQueryPool(commands->buffer, job->queries, 0, 2 * job->step_count);
    for (uint32_t i = 0; i < job->step_count; i++)
        record_step(job, commands->buffer, i, timestamped, trials);
    kt_vulkan_barrier_to_host(d, commands->buffer);
    status = kt_vulkan_commands_end(d, commands);
    if (status == KT_OK)
        job->recorded[which] = trials;
    return status;
}

/* ---- running ---- */

/* Records the commands at the first run or warm-up and submits that recording again later. */
kt_status kt_vulkan_job_submit(void *job, bool timestamped, uint32_t trials)
{
    vulkan_job *j = job;
    int which = timestamped ? 1 : 0;
    if (j->recorded[which] != trials) {
        kt_status status = record(j, which, trials);
        if (status != KT_OK)
            return status;
    }
    j->latest = which;
    return kt_vulkan_commands_submit(j->device, &j->commands[which]);
}

kt_status kt_vulkan_job_wait(void *job, int64_t timeout_ns)
{
    vulkan_job *j = job;
    return kt_vulkan_commands_wait(j->device, &j->commands[j->latest], timeout_ns);
}

/* Each result is a value and its availability: SwiftShader 5.0 returns 2 for available, others
 * 1. */
kt_timestamp kt_vulkan_timestamp_of(const uint64_t *results, uint32_t pair)
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

kt_status kt_vulkan_job_read(void *job, kt_timestamp *timestamps)
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
            timestamps[i] = kt_vulkan_timestamp_of(j->results, i);
    }
    return KT_OK;
}
