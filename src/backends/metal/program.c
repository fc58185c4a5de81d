/* SPDX-License-Identifier: MIT */
#include "backends/kernel.h"
#include "backends/metal/internal.h"
#include "support/alloc.h"
#include "support/keep.h"

static kt_status build(metal_program *p, const kt_program_desc *desc)
{
    const metal_api *api = p->device->api;
    objc_id device = p->device->device;
    kt_status status = kt_metal_library_create(api, device, desc->source, desc->source_bytes,
                                               desc->entry, &p->library);
    if (status == KT_OK)
        status = kt_metal_pipeline_create(api, device, p->library, desc->entry, NULL, &p->pipeline);
    if (status == KT_OK)
        p->max_threads = metal_max_threads(api, p->pipeline);
    if (status == KT_OK && METAL_KNOWS(api, p->pipeline, own_threadgroup_memory))
        p->local_bytes = metal_own_threadgroup_memory(api, p->pipeline);
    return status;
}

kt_status kt_metal_program_init(void *program, void *device, const kt_program_desc *desc)
{
    metal_program *p = program;
    kt_status status;
    p->device = device;
    p->entry = kt_copy_text(desc->entry);
    if (!p->entry)
        return KT_NO_MEMORY;
    METAL_WITHIN_POOL(p->device->api, status, build(p, desc));
    return status;
}

/* ---- reflection ---- */

/* Kinds of MTLArgument by its type. */
static const kt_parameter_kind kinds[] = {[METAL_IS_BUFFER] = KT_PARAMETER_BUFFER,
                                          [METAL_IS_LOCAL] = KT_PARAMETER_LOCAL,
                                          [METAL_IS_TEXTURE] = KT_PARAMETER_IMAGE,
                                          [METAL_IS_SAMPLER] = KT_PARAMETER_SAMPLER};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Metal does not tell a reference to `constant` from a pointer: both are buffers. */
static kt_status describe(const metal_api *api, objc_id argument, kt_reflection *reflection,
                          kt_parameter *out)
{
    size_t type = metal_type(api, argument);
    objc_id name = metal_name(api, argument);
    const char *text = name ? metal_utf8(api, name) : NULL;
    out->kind = type < KINDS ? kinds[type] : KT_PARAMETER_UNKNOWN;
    bool is_buffer = out->kind == KT_PARAMETER_BUFFER;
    if (is_buffer || out->kind == KT_PARAMETER_IMAGE)
        out->is_read_only = metal_access(api, argument) == METAL_READ_ONLY;
    if (is_buffer)
        out->bytes = metal_data_size(api, argument);
    if (!text)
        return KT_OK;
    out->name = kt_keep(&reflection->kept, &reflection->kept_count, kt_copy_text(text));
    return out->name ? KT_OK : KT_NO_MEMORY;
}

/* Arguments of a job are given by their order, so parameters whose indices have gaps, or another
 * order, are not told. */
static kt_status describe_all(const metal_api *api, objc_id arguments, kt_reflection *reflection)
{
    size_t next[KINDS] = {0}, count = arguments ? metal_count(api, arguments) : 0;
    kt_parameter *parameters =
        arguments ? kt_reflect_parameters(reflection, (uint32_t)count) : NULL;
    kt_status status = arguments && !parameters ? KT_NO_MEMORY : KT_OK;
    bool is_in_order = arguments != NULL;
    for (size_t i = 0; i < count && status == KT_OK; i++) {
        objc_id argument = metal_object_at(api, arguments, i);
        size_t type = metal_type(api, argument);
        is_in_order &= type >= KINDS || metal_index(api, argument) == next[type]++;
        status = describe(api, argument, reflection, &parameters[i]);
    }
    if (!is_in_order) {
        reflection->info.parameters = NULL;
        reflection->info.parameter_count = 0;
        reflection->info.has_parameters = 0;
    }
    return status;
}

static kt_status reflect(const metal_program *p, kt_reflection *reflection)
{
    const metal_api *api = p->device->api;
    objc_id pipeline = NULL, found = NULL;
    kt_program_info *info = &reflection->info;
    kt_status status =
        kt_metal_pipeline_create(api, p->device->device, p->library, p->entry, &found, &pipeline);
    info->group_multiple = (uint32_t)metal_execution_width(api, p->pipeline);
    info->max_group_size = (uint32_t)p->max_threads;
    info->local_bytes = p->local_bytes;
    if (status == KT_OK)
        status = describe_all(
            api, METAL_KNOWS(api, found, arguments) ? metal_arguments(api, found) : NULL,
            reflection);
    metal_release(api, pipeline);
    return status;
}

kt_status kt_metal_program_reflect(void *program, kt_reflection *reflection)
{
    const metal_program *p = program;
    kt_status status;
    METAL_WITHIN_POOL(p->device->api, status, reflect(p, reflection));
    return status;
}

void kt_metal_program_fini(void *program)
{
    metal_program *p = program;
    const metal_api *api = p->device->api;
    void *pool = metal_pool_push(api);
    metal_release(api, p->pipeline);
    metal_release(api, p->library);
    metal_pool_pop(api, pool);
    kt_free(p->entry);
}
