/* SPDX-License-Identifier: MIT */
#include "backends/webgpu/internal.h"
#include "support/alloc.h"

#include <string.h>

/* Finds the kernel in the WGSL text and reads its group size. */
static kt_status look_at(const kt_program_desc *desc, wgsl_kernel *kernel)
{
    if (!kt_webgpu_wgsl_parse(desc->source, desc->source_bytes, desc->entry, kernel))
        return kt_fail(KT_INVALID, "the source has no kernel %s", desc->entry);
    if (!kernel->is_entry)
        return kt_fail(KT_INVALID, "the source has no kernel %s: that function is not @compute",
                       desc->entry);
    return KT_OK;
}

static const uint32_t one[3] = {1, 1, 1};

static bool has_text(const char *text, size_t bytes, const char *part)
{
    size_t length = strlen(part);
    for (size_t i = 0; i + length <= bytes; i++)
        if (memcmp(text + i, part, length) == 0)
            return true;
    return false;
}

static kt_status take_constants(webgpu_program *p, const kt_program_desc *desc)
{
    p->constants = kt_alloc((size_t)desc->constant_count + 3, sizeof *p->constants);
    p->names = kt_alloc(desc->constant_count, sizeof *p->names);
    if (!p->constants || !p->names)
        return KT_NO_MEMORY;
    for (uint32_t i = 0; i < desc->constant_count; i++) {
        const kt_constant *constant = &desc->constants[i];
        if (!constant->name)
            return kt_fail(KT_INVALID, "kernel %s: constant %u has no name", desc->entry, i);
        char *name = p->names[p->constant_count++] = kt_copy_text(constant->name);
        if (!name)
            return KT_NO_MEMORY;
        p->constants[i] = (WGPUConstantEntry){.key = webgpu_view(name), .value = constant->number};
    }
    return KT_OK;
}

kt_status kt_webgpu_program_init(void *program, void *device, const kt_program_desc *desc)
{
    webgpu_program *p = program;
    webgpu_device *d = device;
    WGPUComputePipeline pipeline;
    p->device = d;
    p->entry = kt_copy_text(desc->entry);
    if (!p->entry)
        return KT_NO_MEMORY;
    p->has_any_size = has_text(desc->source, desc->source_bytes, "kt_group_");
    kt_status status = take_constants(p, desc);
    if (status != KT_OK)
        return status;
    kt_mutex_lock(d->mutex);
    status = kt_webgpu_module_create(d, desc->source, desc->source_bytes, desc->entry, &p->module);
    if (status == KT_OK)
        status = look_at(desc, &p->kernel);
    /* The compiler checks the kernel only here. */
    if (status == KT_OK)
        status = kt_webgpu_program_compile(p, one, KT_BUILD_FAILED, &pipeline);
    kt_mutex_unlock(d->mutex);
    return status;
}

kt_status kt_webgpu_program_compile(webgpu_program *program, const uint32_t group_size[3],
                                    kt_status on_error, WGPUComputePipeline *out)
{
    if (!program->has_any_size)
        group_size = one;
    for (size_t i = 0; i < program->compiled_count; i++)
        if (memcmp(program->compiled[i].group_size, group_size, 3 * sizeof *group_size) == 0) {
            *out = program->compiled[i].pipeline;
            return KT_OK;
        }
    webgpu_compiled *compiled = kt_make_room(program->compiled, &program->compiled_room,
                                             program->compiled_count + 1, sizeof *compiled);
    if (!compiled)
        return KT_NO_MEMORY;
    program->compiled = compiled;
    kt_status status = kt_webgpu_pipeline_create(program->device, program->module, program->entry,
                                                 program->constants, program->constant_count,
                                                 group_size, on_error, out);
    if (status != KT_OK)
        return status;
    compiled += program->compiled_count++;
    memcpy(compiled->group_size, group_size, sizeof compiled->group_size);
    compiled->pipeline = *out;
    return KT_OK;
}

void kt_webgpu_program_fini(void *program)
{
    webgpu_program *p = program;
    const webgpu_api *api = p->device->api;
    kt_mutex_lock(p->device->mutex);
    for (size_t i = 0; i < p->compiled_count; i++)
        api->wgpuComputePipelineRelease(p->compiled[i].pipeline);
    if (p->module)
        api->wgpuShaderModuleRelease(p->module);
    kt_mutex_unlock(p->device->mutex);
    for (uint32_t i = 0; i < p->constant_count; i++)
        kt_free(p->names[i]);
    kt_free(p->names);
    kt_free(p->constants);
    kt_free(p->compiled);
    kt_free(p->entry);
}
