/* SPDX-License-Identifier: MIT */
/*
 * caches.c - empties the caches: a kernel modifies a buffer larger than all of them. A kernel does
 * it because kernels under test run on the same compute units.
 */
#include "backends/flush.h"
#include "backends/vulkan/internal.h"
#include "flush.comp.h"

#define LINE_BYTES 16 /* bytes of one uvec4, which a work-item modifies at a time */
#define GROUPS     2048
static const uint32_t group_size[3] = {128, 1, 1}; /* every Vulkan device allows groups of 128 */

static kt_status record(vulkan_device *d)
{
    vulkan_caches *c = &d->caches;
    kt_status status = kt_vulkan_commands_begin(d, &c->commands);
    if (status != KT_OK)
        return status;
    kt_vulkan_pipeline_bind(d, c->commands.buffer, &c->pipeline, NULL);
    kt_vulkan_barrier(d, c->commands.buffer);
    d->api.vkCmdDispatch(c->commands.buffer, GROUPS, 1, 1);
    return kt_vulkan_commands_end(d, &c->commands);
}

static void destroy(vulkan_device *d)
{
    vulkan_caches *c = &d->caches;
    kt_vulkan_commands_destroy(d, &c->commands);
    kt_vulkan_pipeline_destroy(d, &c->pipeline);
    if (c->program.device)
        kt_vulkan_program_fini(&c->program);
    c->program = (vulkan_program){0};
    kt_vulkan_buffer_destroy(d, &c->buffer);
}

static kt_memory_kind kind_of_memory(const vulkan_device *d)
{
    return d->info->memory_kinds & 1u << KT_MEMORY_DEVICE ? KT_MEMORY_DEVICE : KT_MEMORY_SHARED;
}

static kt_status prepare(vulkan_device *d)
{
    vulkan_caches *c = &d->caches;
    /* Vulkan reports no cache sizes. */
    kt_status status = kt_vulkan_buffer_create(d, kind_of_memory(d),
                                               kt_flush_bytes(d->info, 0, LINE_BYTES), &c->buffer);
    const kt_program_desc kernel = {
        .entry = "main", .source = (const char *)flush_comp, .source_bytes = flush_comp_bytes};
    if (status == KT_OK)
        status = kt_vulkan_program_init(&c->program, d, &kernel);
    const vulkan_binding binding = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                    .buffer = c->buffer.buffer};
    const vulkan_pipeline_desc desc = {
        .program = &c->program, .bindings = &binding, .binding_count = 1, .group_size = group_size};
    if (status == KT_OK)
        status = kt_vulkan_pipeline_create(d, &desc, &c->pipeline);
    if (status == KT_OK)
        status = kt_vulkan_commands_create(d, &c->commands);
    if (status == KT_OK)
        status = record(d);
    c->ready = status == KT_OK;
    if (!c->ready)
        destroy(d);
    return status;
}

kt_status kt_vulkan_job_flush_caches(void *job, int64_t timeout_ns)
{
    vulkan_device *d = ((vulkan_job *)job)->device;
    if (flush_comp_bytes == 0)
        return kt_fail(KT_UNSUPPORTED, "kerntime was built without glslc, which makes the kernel "
                                       "that flushes the caches of a Vulkan device");
    kt_mutex_lock(d->caches.mutex);
    kt_status status = d->caches.ready ? KT_OK : prepare(d);
    if (status == KT_OK)
        status = kt_vulkan_commands_submit(d, &d->caches.commands);
    if (status == KT_OK)
        status = kt_vulkan_commands_wait(d, &d->caches.commands, timeout_ns);
    kt_mutex_unlock(d->caches.mutex);
    return status;
}

kt_status kt_vulkan_caches_init(vulkan_device *device)
{
    return kt_mutex_create(&device->caches.mutex);
}

void kt_vulkan_caches_fini(vulkan_device *device)
{
    destroy(device);
    kt_mutex_destroy(device->caches.mutex);
}
