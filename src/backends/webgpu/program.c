#include "internal.h"

#include "../../support/alloc.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether "fn", blanks and that name stand anywhere in the text: without that it surely has no such function. */
static bool has_function(const char *text, size_t bytes, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i + 2 < bytes; i++) {
        if (memcmp(text + i, "fn", 2) != 0 || (i > 0 && is_word(text[i - 1])))
            continue;
        size_t at = i + 2;
        while (at < bytes && isspace((unsigned char)text[at]))
            at++;
        if (at > i + 2 && at + length <= bytes && memcmp(text + at, name, length) == 0 &&
            (at + length == bytes || !is_word(text[at + length])))
            return true;
    }
    return false;
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
    if (status == KT_OK && !has_function(desc->source, desc->source_bytes, desc->entry))
        status = kt_fail(KT_INVALID, "the source has no kernel %s", desc->entry);
    /* What is wrong with the kernel itself is found only here. */
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
