#include "backends/webgpu/internal.h"
#include "support/alloc.h"

#include <string.h>

/* Finds the kernel in the WGSL text and reads its group size. */
static kt_status look_at(const kt_program_desc *desc, wgsl_kernel *kernel)
{
    if (!webgpu_wgsl_parse(desc->source, desc->source_bytes, desc->entry, kernel))
        return kt_fail(KT_INVALID, "the source has no kernel %s", desc->entry);
    if (!kernel->is_entry)
        return kt_fail(KT_INVALID, "the source has no kernel %s: that function is not @compute",
                       desc->entry);
    return KT_OK;
}

kt_status webgpu_program_init(void *program, void *device, const kt_program_desc *desc)
{
    static const uint32_t one[3] = {1, 1, 1};
    webgpu_program *p = program;
    webgpu_device *d = device;
    WGPUComputePipeline pipeline;
    p->device = d;
    p->entry = kt_copy_text(desc->entry);
    if (!p->entry)
        return KT_NO_MEMORY;
    kt_mutex_lock(d->mutex);
    kt_status status =
        webgpu_module_create(d, desc->source, desc->source_bytes, desc->entry, &p->module);
    if (status == KT_OK)
        status = look_at(desc, &p->kernel);
    /* The compiler checks the kernel only here. */
    if (status == KT_OK)
        status = webgpu_program_compile(p, one, KT_BUILD_FAILED, &pipeline);
    kt_mutex_unlock(d->mutex);
    return status;
}

kt_status webgpu_program_compile(webgpu_program *program, const uint32_t group_size[3],
                                 kt_status on_error, WGPUComputePipeline *out)
{
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
    kt_status status = webgpu_pipeline_create(program->device, program->module, program->entry,
                                              group_size, on_error, out);
    if (status != KT_OK)
        return status;
    compiled += program->compiled_count++;
    memcpy(compiled->group_size, group_size, sizeof compiled->group_size);
    compiled->pipeline = *out;
    return KT_OK;
}

void webgpu_program_fini(void *program)
{
    webgpu_program *p = program;
    const webgpu_api *api = p->device->api;
    kt_mutex_lock(p->device->mutex);
    for (size_t i = 0; i < p->compiled_count; i++)
        api->wgpuComputePipelineRelease(p->compiled[i].pipeline);
    if (p->module)
        api->wgpuShaderModuleRelease(p->module);
    kt_mutex_unlock(p->device->mutex);
    kt_free(p->compiled);
    kt_free(p->entry);
}
