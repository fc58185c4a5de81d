/* SPDX-License-Identifier: MIT */
#include "device/device.h"
#include "support/alloc.h"
#include "support/keep.h"
#include "support/options.h"

#include <stdio.h>
#include <string.h>

static const char *language_name(kt_language language)
{
    switch (language) {
    case KT_LANGUAGE_C_FUNCTION: return "C functions";
    case KT_LANGUAGE_OPENCL_C: return "OpenCL C";
    case KT_LANGUAGE_SPIRV_SHADER: return "SPIR-V for shaders";
    case KT_LANGUAGE_WGSL: return "WGSL";
    case KT_LANGUAGE_PTX: return "PTX";
    case KT_LANGUAGE_CUDA_C: return "CUDA C";
    case KT_LANGUAGE_SPIRV_KERNEL: return "SPIR-V of OpenCL kernels";
    case KT_LANGUAGE_MSL: return "Metal's shading language";
    }
    return "this language";
}

static bool takes(const kt_device *device, kt_language language)
{
    return (device->info.languages & (uint32_t)language) != 0;
}

/* Fails with "cuda:0 takes PTX and CUDA C, not OpenCL C". */
static kt_status refuse_language(const kt_device_info *info, kt_language language)
{
    char taken[128] = "";
    size_t length = 0;
    uint32_t left = info->languages;
    if (!left)
        return kt_fail(KT_UNSUPPORTED, "%s takes kernels in no language, so not in %s", info->id,
                       language_name(language));
    while (left) {
        uint32_t lowest = left & (~left + 1);
        left &= left - 1;
        const char *before = length == 0 ? "" : left ? ", " : " and ";
        int more = snprintf(taken + length, sizeof taken - length, "%s%s", before,
                            language_name((kt_language)lowest));
        length += (size_t)more;
    }
    return kt_fail(KT_UNSUPPORTED, "%s takes %s, not %s", info->id, taken, language_name(language));
}

static kt_status check(const kt_device *device, const kt_program_desc *desc)
{
    if (!desc->entry || !*desc->entry)
        return kt_fail(KT_INVALID, "a program without the name of its kernel");
    if (!takes(device, desc->language))
        return refuse_language(&device->info, desc->language);
    if (desc->language == KT_LANGUAGE_C_FUNCTION ? !desc->function : !desc->source)
        return kt_fail(KT_INVALID, "kernel %s is not given in %s", desc->entry,
                       language_name(desc->language));
    bool is_spirv =
        desc->language == KT_LANGUAGE_SPIRV_SHADER || desc->language == KT_LANGUAGE_SPIRV_KERNEL;
    if (is_spirv && desc->source_bytes == 0)
        return kt_fail(KT_INVALID,
                       "kernel %s: SPIR-V has no end of its own: give how many bytes it has as "
                       "source_bytes, which is 0",
                       desc->entry);
    if (desc->constant_count && !desc->constants)
        return kt_fail(KT_INVALID, "kernel %s says %u constants and gives none", desc->entry,
                       desc->constant_count);
    if (desc->constant_count &&
        !(device->backend->languages_with_places & (uint32_t)desc->language))
        return kt_fail(KT_UNSUPPORTED, "kernel %s: kernels in %s take no constants", desc->entry,
                       language_name(desc->language));
    return KT_OK;
}

kt_status kt_program_create(kt_device *device, const kt_program_desc *desc, kt_program **out)
{
    KT_NEED(device);
    KT_NEED(desc);
    KT_NEED(out);
    kt_program_desc complete;
    kt_status status = kt_take_options(&complete, sizeof complete, desc, "kt_program_desc");
    if (status == KT_OK)
        status = kt_device_check(device);
    if (status == KT_OK && complete.function && !takes(device, complete.language) &&
        takes(device, KT_LANGUAGE_C_FUNCTION))
        complete.language = KT_LANGUAGE_C_FUNCTION;
    if (status == KT_OK)
        status = check(device, &complete);
    if (status != KT_OK)
        return status;
    if (complete.source && complete.source_bytes == 0)
        complete.source_bytes = strlen(complete.source);
    kt_program *program = kt_alloc(1, sizeof *program);
    if (!program)
        return KT_NO_MEMORY;
    program->device = device;
    program->language = complete.language;
    program->state = kt_alloc(1, device->backend->program_size);
    if (!program->state) {
        status = KT_NO_MEMORY;
        goto fail;
    }
    kt_mutex_lock(device->mutex);
    status = device->backend->program_init(program->state, device->state, &complete);
    kt_mutex_unlock(device->mutex);
    if (status != KT_OK)
        goto fail;
    *out = program;
    return KT_OK;
fail:
    kt_program_destroy(&program);
    return status;
}

kt_status kt_program_reflect(kt_program *program, const kt_program_info **out)
{
    KT_NEED(program);
    KT_NEED(out);
    kt_device *device = program->device;
    kt_status status = kt_device_check(device);
    if (status != KT_OK)
        return status;
    if (!device->backend->program_reflect)
        return kt_fail(KT_UNSUPPORTED, "%s does not describe kernels", device->backend->title);
    kt_reflection *reflection = &program->reflection;
    kt_mutex_lock(device->mutex);
    if (!program->is_reflected) {
        kt_free_kept(&reflection->kept, &reflection->kept_count); /* of a call that failed */
        reflection->info = (kt_program_info){0};
        status = device->backend->program_reflect(program->state, reflection);
        program->is_reflected = status == KT_OK;
    }
    kt_mutex_unlock(device->mutex);
    if (status == KT_OK)
        *out = &reflection->info;
    return status;
}

void kt_program_destroy(kt_program **program)
{
    if (!program || !*program)
        return;
    if ((*program)->device->hung) {
        kt_abandon(*program);
        *program = NULL;
        return;
    }
    kt_device *device = (*program)->device;
    if ((*program)->state && device->backend->program_fini) {
        kt_mutex_lock(device->mutex);
        device->backend->program_fini((*program)->state);
        kt_mutex_unlock(device->mutex);
    }
    kt_free_kept(&(*program)->reflection.kept, &(*program)->reflection.kept_count);
    kt_free((*program)->state);
    kt_free(*program);
    *program = NULL;
}
