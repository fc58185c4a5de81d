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
    WGPUComputePipeline pipeline = NULL;
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
    const webgpu_pipeline_desc try = {.module = p->module, .entry = p->entry, .group_size = one};
    if (status == KT_OK)
        status = webgpu_pipeline_compile(d, &try, KT_BUILD_FAILED, &pipeline);
    if (pipeline)
        d->api->wgpuComputePipelineRelease(pipeline);
    kt_mutex_unlock(d->mutex);
    return status;
}

void webgpu_program_fini(void *program)
{
    webgpu_program *p = program;
    if (p->module) {
        kt_mutex_lock(p->device->mutex);
        p->device->api->wgpuShaderModuleRelease(p->module);
        kt_mutex_unlock(p->device->mutex);
    }
    kt_free(p->entry);
}
