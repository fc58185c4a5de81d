/* SPDX-License-Identifier: MIT */
/*
 * job.c - encodes, submits and reads jobs. Each step has its own pass. A WebGPU command buffer can
 * be submitted once, so each submission is encoded anew, as programs do. Copies from and to the
 * heap are calls of the host between two submissions.
 *
 * Each wall time therefore includes the encoding. Each step has a pair of queries. A copy lies
 * between the end of one empty pass and the start of another. All queries are resolved together
 * after the last pass. Copies by the host are timed by the host's clock, the device's second clock.
 */
#include "backends/webgpu/internal.h"
#include "support/alloc.h"

#include <string.h>

#define QUERIES_MAX 4096                 /* most queries of a query set, by the specification */
#define MAP_NS      INT64_C(10000000000) /* time limit to map timestamps of completed work */

/* ---- creating a job ---- */

static const char axes[] = "xyz";

#define UNIFORM_ALIGN 16 /* the size of a uniform structure is a multiple of this at most */

/* Places a value in the uniform structure after the previous one, at a multiple of its size. */
static size_t place_value(size_t used, size_t bytes)
{
    return (used + bytes - 1) / bytes * bytes;
}

/* Counts memories and the bytes of the uniform structure, or of the largest uniform buffer. */
static kt_status count_args(const kt_backend_step *desc, uint32_t *memory_count,
                            size_t *values_bytes)
{
    size_t widest = 1;
    for (uint32_t i = 0; i < desc->arg_count; i++) {
        const kt_backend_arg *arg = &desc->args[i];
        if (arg->memory && ((const webgpu_memory *)arg->memory)->heap)
            return kt_fail(KT_UNSUPPORTED, "argument %u: kernels do not work on heap memory", i);
        if (arg->memory) {
            ++*memory_count;
            continue;
        }
        if (arg->place == KT_PLACE_PUSH)
            return kt_fail(KT_UNSUPPORTED, "argument %u: WGSL has no push constants", i);
        if (arg->place == KT_PLACE_BINDING) {
            widest = UNIFORM_ALIGN;
            *values_bytes = arg->value_bytes > *values_bytes ? arg->value_bytes : *values_bytes;
            continue;
        }
        if (arg->value_bytes != 4 && arg->value_bytes != 8 && arg->value_bytes != 16)
            return kt_fail(KT_UNSUPPORTED, "argument %u: values are of 4, 8 or 16 bytes, not %zu",
                           i, arg->value_bytes);
        *values_bytes = place_value(*values_bytes, arg->value_bytes) + arg->value_bytes;
        widest = arg->value_bytes > widest ? arg->value_bytes : widest;
    }
    *values_bytes = place_value(*values_bytes, widest); /* size of the uniform structure */
    return KT_OK;
}

static kt_status check_limits(const webgpu_device *d, const kt_backend_step *desc,
                              uint32_t memory_count, size_t values_bytes)
{
    const WGPULimits *limits = &d->place->limits;
    const uint32_t sizes_max[3] = {limits->maxComputeWorkgroupSizeX,
                                   limits->maxComputeWorkgroupSizeY,
                                   limits->maxComputeWorkgroupSizeZ};
    for (int i = 0; i < 3; i++) {
        if (desc->groups[i] > limits->maxComputeWorkgroupsPerDimension)
            return kt_fail(KT_LIMIT, "%s takes at most %u groups in dimension %c, not %u",
                           d->info->id, limits->maxComputeWorkgroupsPerDimension, axes[i],
                           desc->groups[i]);
        if (desc->group_size[i] > sizes_max[i])
            return kt_fail(KT_LIMIT,
                           "%s takes groups of at most %u work-items in dimension %c, not %u",
                           d->info->id, sizes_max[i], axes[i], desc->group_size[i]);
    }
    if (memory_count > limits->maxStorageBuffersPerShaderStage)
        return kt_fail(KT_LIMIT, "kernels of %s take at most %u memories, not %u", d->info->id,
                       limits->maxStorageBuffersPerShaderStage, memory_count);
    if (values_bytes > limits->maxUniformBufferBindingSize)
        return kt_fail(KT_LIMIT, "%s takes at most %llu bytes of values, not %zu", d->info->id,
                       (unsigned long long)limits->maxUniformBufferBindingSize, values_bytes);
    return KT_OK;
}

/* Checks the group size. The library would silently run another number of work-items than the step
 * has. */
static kt_status check_kernel(const webgpu_program *program, const kt_backend_step *desc)
{
    const uint32_t *fixed = program->kernel.group_size;
    for (int i = 0; i < 3; i++)
        if (fixed[i] && fixed[i] != desc->group_size[i])
            return kt_fail(KT_INVALID,
                           "kernel %s is made for groups of %u in dimension %c, not of %u",
                           program->entry, fixed[i], axes[i], desc->group_size[i]);
    return KT_OK;
}

static void set_memory(webgpu_binding *binding, const kt_backend_arg *arg)
{
    binding->buffer = ((const webgpu_memory *)arg->memory)->buffer;
    binding->offset = arg->memory_offset;
    binding->bytes = arg->memory_bytes;
}

static kt_status add_value(webgpu_device *d, webgpu_step *step, const void *values, size_t bytes,
                           webgpu_binding *binding)
{
    WGPUBuffer *buffer = &step->values[step->value_count++];
    kt_status status = kt_webgpu_uniform_create(d, values, bytes, buffer);
    binding->buffer = *buffer;
    return status;
}

/* Binds the arguments in order: memories, then a structure of all values. */
static kt_status bind_in_order(webgpu_device *d, webgpu_step *step, unsigned char *values,
                               size_t values_bytes, webgpu_binding *bindings, uint32_t *count)
{
    const kt_backend_step *desc = step->desc;
    size_t used = 0;
    for (uint32_t i = 0; i < desc->arg_count; i++) {
        const kt_backend_arg *arg = &desc->args[i];
        if (arg->memory) {
            bindings[*count].binding = *count;
            set_memory(&bindings[(*count)++], arg);
            continue;
        }
        used = place_value(used, arg->value_bytes);
        memcpy(values + used, arg->value, arg->value_bytes);
        used += arg->value_bytes;
    }
    if (values_bytes == 0)
        return KT_OK;
    bindings[*count].binding = *count;
    return add_value(d, step, values, values_bytes, &bindings[(*count)++]);
}

/* Binds the arguments where they say, each value as a buffer of its own. */
static kt_status bind_in_places(webgpu_device *d, webgpu_step *step, uint32_t group_count,
                                unsigned char *values, webgpu_binding *bindings, uint32_t *count)
{
    const kt_backend_step *desc = step->desc;
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < desc->arg_count && status == KT_OK; i++) {
        const kt_backend_arg *arg = &desc->args[i];
        webgpu_binding *binding = &bindings[(*count)++];
        *binding = (webgpu_binding){.group = arg->set, .binding = arg->binding};
        if (arg->set >= group_count)
            return kt_fail(KT_LIMIT, "argument %u: %s has groups below %u, not group %u", i,
                           d->info->id, group_count, arg->set);
        if (arg->memory) {
            set_memory(binding, arg);
            continue;
        }
        size_t bytes = place_value(arg->value_bytes, UNIFORM_ALIGN);
        memset(values, 0, bytes);
        memcpy(values, arg->value, arg->value_bytes);
        status = add_value(d, step, values, bytes, binding);
    }
    return status;
}

static kt_status bind_args(webgpu_device *d, webgpu_step *step, size_t values_bytes)
{
    const kt_backend_step *desc = step->desc;
    bool has_places = desc->arg_count > 0 && desc->args[0].place == KT_PLACE_BINDING;
    uint32_t count = 0, groups = d->place->limits.maxBindGroups;
    webgpu_binding *bindings = kt_alloc((size_t)desc->arg_count + 1, sizeof *bindings);
    unsigned char *values = kt_alloc(values_bytes, 1);
    kt_status status = KT_NO_MEMORY;
    groups = groups < WEBGPU_GROUPS_MAX ? groups : WEBGPU_GROUPS_MAX;
    step->values = kt_alloc((size_t)desc->arg_count + 1, sizeof(WGPUBuffer));
    if (bindings && values && step->values)
        status = has_places ? bind_in_places(d, step, groups, values, bindings, &count)
                            : bind_in_order(d, step, values, values_bytes, bindings, &count);
    const webgpu_arguments_desc arguments = {.entry =
                                                 ((const webgpu_program *)desc->program)->entry,
                                             .bindings = bindings,
                                             .binding_count = count,
                                             .group_count = has_places ? groups : count > 0};
    if (status == KT_OK)
        status = kt_webgpu_arguments_create(d, step->pipeline, &arguments, &step->arguments);
    kt_free(bindings);
    kt_free(values);
    return status;
}

static kt_status prepare_dispatch(webgpu_device *d, webgpu_step *step)
{
    const kt_backend_step *desc = step->desc;
    webgpu_program *program = desc->program;
    uint32_t memory_count = 0;
    size_t values_bytes = 0;
    kt_status status = count_args(desc, &memory_count, &values_bytes);
    if (status == KT_OK)
        status = check_limits(d, desc, memory_count, values_bytes);
    if (status == KT_OK)
        status = check_kernel(program, desc);
    if (status == KT_OK)
        status = kt_webgpu_program_compile(program, desc->group_size, KT_INVALID, &step->pipeline);
    return status == KT_OK ? bind_args(d, step, values_bytes) : status;
}

static kt_status check_copy(webgpu_step *step)
{
    const kt_backend_step *desc = step->desc;
    const webgpu_memory *src = desc->src, *dst = desc->dst;
    if ((desc->src_offset_bytes | desc->dst_offset_bytes | desc->copy_bytes) % WEBGPU_WORD)
        return kt_fail(KT_UNSUPPORTED,
                       "WebGPU copies whole words of %d bytes: both offsets and the size must be "
                       "multiples of it",
                       WEBGPU_WORD);
    if (src == dst)
        return kt_fail(KT_UNSUPPORTED, "WebGPU does not copy within one buffer");
    step->by_host = src->heap || dst->heap;
    return KT_OK;
}

/* Size of the results: bytes up to the last step's timestamps, and no more: Dawn (at least the
 * early library) converts the whole rest of the buffer to ns, which costs time. */
static size_t results_bytes(const webgpu_job *job)
{
    uint32_t first = job->steps[job->step_count - 1].first;
    return (size_t)WEBGPU_RESOLVE_BYTES * first +
           2 * sizeof(uint64_t) * (size_t)(job->step_count - first);
}

/* Creates queries and buffers. Queries resolve into a buffer that the host cannot map, so a second
 * buffer is needed. */
static kt_status create_queries(webgpu_job *job)
{
    webgpu_device *d = job->device;
    const WGPUQuerySetDescriptor set = {.type = WGPUQueryType_Timestamp,
                                        .count = 2 * job->step_count};
    size_t bytes = results_bytes(job);
    if (!d->place->has_timestamps)
        return KT_OK;
    if (set.count > QUERIES_MAX)
        return kt_fail(KT_LIMIT, "WebGPU timestamps at most %d steps of a job, not %u",
                       QUERIES_MAX / 2, job->step_count);
    job->results = kt_alloc(bytes, 1);
    if (!job->results)
        return KT_NO_MEMORY;
    kt_webgpu_catch(d);
    job->queries = WEBGPU_CALL(d->api, wgpuDeviceCreateQuerySet, NULL, d->device, &set);
    kt_status status = kt_webgpu_caught(d, KT_DRIVER_ERROR, "wgpuDeviceCreateQuerySet failed");
    if (status == KT_OK && !job->queries)
        status = kt_fail(KT_DRIVER_ERROR, "wgpuDeviceCreateQuerySet gives nothing");
    if (status == KT_OK)
        status = kt_webgpu_buffer_create(d, WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc,
                                         bytes, &job->resolved);
    if (status == KT_OK)
        status = kt_webgpu_buffer_create(d, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst,
                                         bytes, &job->readable);
    return status;
}

/* Dawn's Metal writes zeros as the timestamps of a pass that dispatches nothing
 * (https://github.com/gfx-rs/wgpu-native/issues/625), so each pass runs a kernel. */
static kt_status prepare_empty(webgpu_device *d)
{
    static const char text[] = "@compute @workgroup_size(1) fn kt_empty() {}";
    static const uint32_t one[3] = {1, 1, 1};
    WGPUConstantEntry constants[3];
    kt_status status = KT_OK;
    if (!d->empty.module)
        status = kt_webgpu_module_create(d, text, sizeof text - 1, "kt_empty", &d->empty.module);
    if (status == KT_OK && !d->empty.pipeline)
        status = kt_webgpu_pipeline_create(d, d->empty.module, "kt_empty", constants, 0, one,
                                           KT_DRIVER_ERROR, &d->empty.pipeline);
    return status;
}

void kt_webgpu_empty_fini(webgpu_device *device)
{
    if (device->empty.pipeline)
        device->api->wgpuComputePipelineRelease(device->empty.pipeline);
    if (device->empty.module)
        device->api->wgpuShaderModuleRelease(device->empty.module);
}

static kt_status prepare_step(webgpu_job *job, const kt_backend_step *desc, uint32_t index)
{
    webgpu_step *step = &job->steps[index];
    step->desc = desc;
    kt_status status = desc->kind == KT_STEP_DISPATCH ? prepare_dispatch(job->device, step)
                       : desc->kind == KT_STEP_COPY   ? check_copy(step)
                                                      : KT_OK;
    if (status == KT_OK && desc->kind != KT_STEP_DISPATCH && !step->by_host)
        status = prepare_empty(job->device);
    bool joins = index > 0 && !step->by_host && !job->steps[index - 1].by_host;
    step->first = joins ? job->steps[index - 1].first : index;
    return status;
}

kt_status kt_webgpu_job_init(void *job, void *device, const kt_backend_job *desc)
{
    webgpu_job *j = job;
    webgpu_device *d = device;
    j->device = d;
    j->answer = kt_webgpu_answer_create();
    j->steps = j->answer ? kt_alloc(desc->step_count, sizeof *j->steps) : NULL;
    if (!j->steps)
        return KT_NO_MEMORY;
    j->step_count = desc->step_count;
    kt_mutex_lock(d->mutex);
    kt_status status = KT_OK;
    for (uint32_t i = 0; i < desc->step_count && status == KT_OK; i++)
        status = prepare_step(j, &desc->steps[i], i);
    if (status == KT_OK)
        status = create_queries(j);
    kt_mutex_unlock(d->mutex);
    return status;
}

void kt_webgpu_job_fini(void *job)
{
    webgpu_job *j = job;
    const webgpu_api *api = j->device->api;
    kt_mutex_lock(j->device->mutex);
    for (uint32_t i = 0; i < j->step_count; i++) {
        kt_webgpu_arguments_destroy(j->device, &j->steps[i].arguments);
        for (uint32_t k = 0; k < j->steps[i].value_count; k++)
            if (j->steps[i].values[k])
                api->wgpuBufferRelease(j->steps[i].values[k]);
        kt_free(j->steps[i].values);
    }
    if (j->queries)
        api->wgpuQuerySetRelease(j->queries);
    if (j->resolved)
        api->wgpuBufferRelease(j->resolved);
    if (j->readable)
        api->wgpuBufferRelease(j->readable);
    kt_mutex_unlock(j->device->mutex);
    kt_webgpu_answer_destroy(j->answer);
    kt_free(j->results);
    kt_free(j->steps);
}

/* ---- encoding ---- */

/* Begins a pass with these timestamp queries. WGPU_QUERY_SET_INDEX_UNDEFINED: no timestamp. */
static kt_status begin_pass(const webgpu_job *job, WGPUCommandEncoder encoder, uint32_t begin,
                            uint32_t end, WGPUComputePassEncoder *pass)
{
    const WGPUPassTimestampWrites writes = {
        .querySet = job->queries, .beginningOfPassWriteIndex = begin, .endOfPassWriteIndex = end};
    bool timestamped = job->timestamped && job->queries;
    const WGPUComputePassDescriptor descriptor = {.timestampWrites = timestamped ? &writes : NULL};
    *pass = WEBGPU_CALL(job->device->api, wgpuCommandEncoderBeginComputePass, NULL, encoder,
                        &descriptor);
    return *pass ? KT_OK
                 : kt_fail(KT_DRIVER_ERROR, "wgpuCommandEncoderBeginComputePass gives nothing");
}

static void end_pass(const webgpu_device *d, WGPUComputePassEncoder pass)
{
    d->api->wgpuComputePassEncoderEnd(pass);
    d->api->wgpuComputePassEncoderRelease(pass);
}

/* Makes a pass that only writes timestamps. */
static kt_status empty_pass(const webgpu_job *job, WGPUCommandEncoder encoder, uint32_t begin,
                            uint32_t end)
{
    webgpu_device *d = job->device;
    WGPUComputePassEncoder pass = NULL;
    kt_status status = begin_pass(job, encoder, begin, end, &pass);
    if (status != KT_OK)
        return status;
    WEBGPU_DO(d, wgpuComputePassEncoderSetPipeline, pass, d->empty.pipeline);
    WEBGPU_DO(d, wgpuComputePassEncoderDispatchWorkgroups, pass, 1, 1, 1);
    end_pass(d, pass);
    return KT_OK;
}

static kt_status encode_dispatch(const webgpu_job *job, WGPUCommandEncoder encoder, uint32_t index)
{
    const webgpu_step *step = &job->steps[index];
    const kt_backend_step *desc = step->desc;
    webgpu_device *d = job->device;
    WGPUComputePassEncoder pass = NULL;
    kt_status status = begin_pass(job, encoder, 2 * index, 2 * index + 1, &pass);
    if (status != KT_OK)
        return status;
    WEBGPU_DO(d, wgpuComputePassEncoderSetPipeline, pass, step->pipeline);
    for (uint32_t i = 0; i < WEBGPU_GROUPS_MAX; i++)
        if (step->arguments.groups[i])
            WEBGPU_DO(d, wgpuComputePassEncoderSetBindGroup, pass, i, step->arguments.groups[i], 0,
                      NULL);
    for (uint32_t t = 0; t < job->trials; t++)
        WEBGPU_DO(d, wgpuComputePassEncoderDispatchWorkgroups, pass, desc->groups[0],
                  desc->groups[1], desc->groups[2]);
    end_pass(d, pass);
    return KT_OK;
}

/* Encodes a copy between two empty passes that hold its timestamps, since no pass can contain
 * it. */
static kt_status encode_copy(const webgpu_job *job, WGPUCommandEncoder encoder, uint32_t index)
{
    const kt_backend_step *desc = job->steps[index].desc;
    const webgpu_memory *src = desc->src, *dst = desc->dst;
    webgpu_device *d = job->device;
    kt_status status = KT_OK;
    if (job->timestamped)
        status = empty_pass(job, encoder, WGPU_QUERY_SET_INDEX_UNDEFINED, 2 * index);
    for (uint32_t t = 0; t < job->trials && status == KT_OK; t++)
        WEBGPU_DO(d, wgpuCommandEncoderCopyBufferToBuffer, encoder, src->buffer,
                  desc->src_offset_bytes, dst->buffer, desc->dst_offset_bytes, desc->copy_bytes);
    if (job->timestamped && status == KT_OK)
        status = empty_pass(job, encoder, 2 * index + 1, WGPU_QUERY_SET_INDEX_UNDEFINED);
    return status;
}

/* Resolves the timestamps of steps `first` to `end` - 1, all of which are written by then. */
static void encode_resolve(const webgpu_job *job, WGPUCommandEncoder encoder, uint32_t first,
                           uint32_t end)
{
    webgpu_device *d = job->device;
    uint64_t offset = (uint64_t)WEBGPU_RESOLVE_BYTES * first;
    uint32_t count = 2 * (end - first);
    WEBGPU_DO(d, wgpuCommandEncoderResolveQuerySet, encoder, job->queries, 2 * first, count,
              job->resolved, offset);
    WEBGPU_DO(d, wgpuCommandEncoderCopyBufferToBuffer, encoder, job->resolved, offset,
              job->readable, offset, count * sizeof(uint64_t));
}

/* Encodes and submits the steps before the next copy by the host. */
static kt_status submit_commands(webgpu_job *job)
{
    webgpu_device *d = job->device;
    uint32_t first = job->next;
    WGPUCommandEncoder encoder =
        WEBGPU_CALL(d->api, wgpuDeviceCreateCommandEncoder, NULL, d->device, NULL);
    if (!encoder)
        return kt_fail(KT_DRIVER_ERROR, "wgpuDeviceCreateCommandEncoder gives nothing");
    kt_status status = KT_OK;
    while (job->next < job->step_count && !job->steps[job->next].by_host && status == KT_OK) {
        uint32_t index = job->next++;
        status = job->steps[index].desc->kind == KT_STEP_COPY ? encode_copy(job, encoder, index)
                 : job->steps[index].desc->kind == KT_STEP_EMPTY
                     ? empty_pass(job, encoder, 2 * index, 2 * index + 1)
                     : encode_dispatch(job, encoder, index);
    }
    if (job->timestamped && job->queries && status == KT_OK)
        encode_resolve(job, encoder, first, job->next);
    if (status == KT_OK)
        status = kt_webgpu_submit(d, encoder);
    if (status == KT_OK)
        job->done = kt_webgpu_work_done(d);
    d->api->wgpuCommandEncoderRelease(encoder);
    return status;
}

/* ---- running ---- */

/* Copies from or to heap memory on the host, synchronously, once all earlier work is complete. */
static kt_status run_by_host(webgpu_job *job, webgpu_step *step, const kt_deadline *deadline)
{
    const kt_backend_step *desc = step->desc;
    const webgpu_memory *src = desc->src, *dst = desc->dst;
    webgpu_device *d = job->device;
    kt_status status = KT_OK;
    step->begin_ns = d->host.now(d->host.user);
    for (uint32_t t = 0; t < job->trials && status == KT_OK; t++)
        status = src->heap ? kt_transfer_run(&kt_webgpu_pieces, dst, desc->dst_offset_bytes, NULL,
                                             (const char *)src->heap + desc->src_offset_bytes,
                                             desc->copy_bytes, kt_deadline_left_ns(deadline))
                           : kt_transfer_run(&kt_webgpu_pieces, src, desc->src_offset_bytes,
                                             (char *)dst->heap + desc->dst_offset_bytes, NULL,
                                             desc->copy_bytes, kt_deadline_left_ns(deadline));
    step->end_ns = d->host.now(d->host.user);
    return status;
}

kt_status kt_webgpu_job_submit(void *job, bool timestamped, uint32_t trials)
{
    webgpu_job *j = job;
    j->next = 0;
    j->timestamped = timestamped;
    j->trials = trials;
    if (j->steps[0].by_host)
        return KT_OK; /* job_wait() runs copies by the host, because they block */
    kt_mutex_lock(j->device->mutex);
    kt_status status = submit_commands(j);
    kt_mutex_unlock(j->device->mutex);
    return status;
}

kt_status kt_webgpu_job_wait(void *job, int64_t timeout_ns)
{
    webgpu_job *j = job;
    webgpu_device *d = j->device;
    const kt_deadline deadline = kt_deadline_begin(timeout_ns);
    kt_mutex_lock(d->mutex);
    kt_status status = KT_OK;
    if (j->next > 0)
        status = kt_webgpu_wait_for_work(d, j->done, timeout_ns);
    while (j->next < j->step_count && status == KT_OK) {
        if (j->steps[j->next].by_host) {
            status = run_by_host(j, &j->steps[j->next++], &deadline);
            continue;
        }
        status = submit_commands(j);
        if (status == KT_OK)
            status = kt_webgpu_wait_for_work(d, j->done, kt_deadline_left_ns(&deadline));
    }
    kt_mutex_unlock(d->mutex);
    return status == KT_TIMEOUT ? kt_fail_timeout(timeout_ns) : status;
}

/* ---- timestamps ---- */

static void read_step(const webgpu_job *job, uint32_t index, bool has_results,
                      kt_timestamp *timestamp)
{
    const webgpu_step *step = &job->steps[index];
    *timestamp = (kt_timestamp){.state = KT_TIMESTAMP_OK};
    if (!job->queries) {
        timestamp->state = KT_TIMESTAMP_LOST;
    } else if (step->by_host) {
        timestamp->clock = 1;
        timestamp->start_ticks = (uint64_t)step->begin_ns;
        timestamp->end_ticks = (uint64_t)step->end_ns;
    } else if (!has_results) {
        timestamp->state = KT_TIMESTAMP_ERROR;
    } else {
        const uint64_t *results =
            job->results + step->first * (WEBGPU_RESOLVE_BYTES / sizeof *job->results);
        timestamp->start_ticks = results[2 * (index - step->first)];
        timestamp->end_ticks = results[2 * (index - step->first) + 1];
        /* An unwritten query resolves to 0. */
        if (timestamp->start_ticks == 0 || timestamp->end_ticks == 0)
            timestamp->state = KT_TIMESTAMP_ZERO;
    }
}

kt_status kt_webgpu_job_read(void *job, kt_timestamp *timestamps)
{
    webgpu_job *j = job;
    webgpu_device *d = j->device;
    bool any = false, has_results = false;
    for (uint32_t i = 0; i < j->step_count; i++)
        any |= !j->steps[i].by_host;
    if (any && j->queries) {
        size_t bytes = results_bytes(j);
        const void *content = NULL;
        kt_mutex_lock(d->mutex);
        kt_status status = kt_webgpu_map(d, j->readable, bytes, j->answer, MAP_NS, &content);
        has_results = status == KT_OK;
        if (has_results)
            memcpy(j->results, content, bytes);
        d->api->wgpuBufferUnmap(j->readable);
        kt_mutex_unlock(d->mutex);
        if (status == KT_DEVICE_LOST)
            return status;
    }
    for (uint32_t i = 0; i < j->step_count; i++)
        read_step(j, i, has_results, &timestamps[i]);
    return KT_OK;
}
