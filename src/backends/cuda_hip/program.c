/* SPDX-License-Identifier: MIT */
#include "backends/cuda_hip/internal.h"
#include "backends/kernel.h"
#include "support/alloc.h"

#include <string.h>

#define LOG_BYTES      4096
#define PARAMETERS_MAX 1024 /* parameters have 32,764 bytes at most, and few kernels have so many */

/* Whether a driver's code blames the loaded kernel code, not the device or its memory. */
static bool is_build_failure(cuda_code code)
{
    switch (code) {
    case CUDA_INVALID_IMAGE:
    case CUDA_NO_BINARY_FOR_DEVICE:
    case CUDA_INVALID_PTX:
    case CUDA_JIT_COMPILER_NOT_FOUND:
    case CUDA_UNSUPPORTED_PTX_VERSION:
    case CUDA_JIT_COMPILATION_DISABLED: return true;
    default: return false;
    }
}

kt_status kt_cuda_load(const cuda_api *api, const char *code, const char *entry, cuda_module *out)
{
    char *log = kt_alloc(LOG_BYTES, 1);
    if (!log)
        return KT_NO_MEMORY;
    cuda_jit_option options[] = {CUDA_JIT_ERROR_LOG, CUDA_JIT_ERROR_LOG_BYTES};
    /* A driver option that is a number is passed in place of a pointer.
     * NOLINTNEXTLINE(performance-no-int-to-ptr) */
    void *values[] = {log, (void *)(uintptr_t)(LOG_BYTES - 1)};
    /* HIP 5.2 rejects options whose numbers it does not know, and writes no log. */
    unsigned count = api->kind == CUDA_KIND_HIP ? 0 : 2;
    cuda_code answer = CUDA_CODE(api, cuModuleLoadDataEx, out, code, count, options, values);
    kt_status status = cuda_check(api, CUDA_CALL_cuModuleLoadDataEx, answer);
    if (status != KT_OK)
        *out = NULL;
    if (is_build_failure(answer))
        status =
            kt_fail(KT_BUILD_FAILED, "kernel %s is not taken by the driver: %s (%d)%s%s", entry,
                    kt_cuda_code_name(api, answer), (int)answer, log[0] ? ":\n" : "", log);
    kt_free(log);
    return status;
}

/* Makes code for kt_cuda_load() from PTX or CUDA C. *symbol stays NULL if it is the entry. */
static kt_status make_code(const cuda_program *p, const kt_program_desc *desc, char **code,
                           char **symbol)
{
    char *text = kt_alloc(desc->source_bytes + 1, 1); /* the source may lack a final zero */
    if (!text)
        return KT_NO_MEMORY;
    memcpy(text, desc->source, desc->source_bytes);
    if (desc->language == KT_LANGUAGE_PTX) {
        *code = text;
        return KT_OK;
    }
    kt_status status = kt_cuda_compile(p->device, desc, text, code, symbol);
    kt_free(text);
    return status;
}

static kt_status find_entry(cuda_program *p, const char *symbol)
{
    const cuda_api *api = p->device->api;
    int most = 0, shared = 0;
    cuda_code answer = CUDA_CODE(api, cuModuleGetFunction, &p->function, p->module, symbol);
    if (answer == CUDA_NOT_FOUND)
        return kt_fail(KT_INVALID, "the source has no kernel %s", p->entry);
    if (answer != CUDA_OK)
        return kt_cuda_fail(api, CUDA_CALL_cuModuleGetFunction, answer);
    kt_status status =
        CUDA_DO(api, cuFuncGetAttribute, &most, CUDA_FUNCTION_MAX_THREADS, p->function);
    if (status == KT_OK)
        status = CUDA_DO(api, cuFuncGetAttribute, &shared, CUDA_FUNCTION_SHARED_BYTES, p->function);
    p->max_group_size = most > 0 ? (uint32_t)most : 0;
    p->shared_bytes = shared > 0 ? (uint32_t)shared : 0;
    return status;
}

kt_status kt_cuda_program_init(void *program, void *device, const kt_program_desc *desc)
{
    cuda_program *p = program;
    cuda_scope scope;
    char *code = NULL, *symbol = NULL;
    p->device = device;
    p->entry = kt_copy_text(desc->entry);
    if (!p->entry)
        return KT_NO_MEMORY;
    kt_status status = cuda_device_enter(p->device, &scope);
    if (status == KT_OK)
        status = make_code(p, desc, &code, &symbol);
    if (status == KT_OK)
        status = kt_cuda_load(p->device->api, code, p->entry, &p->module);
    if (code && desc->language == KT_LANGUAGE_CUDA_C)
        status = kt_cuda_explain_versions(p->device, status);
    if (status == KT_OK)
        status = find_entry(p, symbol ? symbol : p->entry);
    kt_cuda_leave(&scope);
    kt_free(symbol);
    kt_free(code);
    return status;
}

/* Of parameters CUDA says how many there are and their sizes, from 12.4 on. */
static kt_status reflect_parameters(const cuda_program *p, kt_reflection *reflection)
{
    const cuda_api *api = p->device->api;
    size_t sizes[PARAMETERS_MAX], offset = 0;
    uint32_t count = 0;
    cuda_code code = CUDA_OK;
    while (count < PARAMETERS_MAX && code == CUDA_OK) {
        code = CUDA_CODE(api, cuFuncGetParamInfo, p->function, count, &offset, &sizes[count]);
        count += code == CUDA_OK;
    }
    if (code != CUDA_INVALID_VALUE)
        return code == CUDA_OK ? KT_OK : kt_cuda_fail(api, CUDA_CALL_cuFuncGetParamInfo, code);
    kt_parameter *parameters = kt_reflect_parameters(reflection, count);
    for (uint32_t i = 0; parameters && i < count; i++)
        parameters[i].bytes = sizes[i];
    return parameters ? KT_OK : KT_NO_MEMORY;
}

kt_status kt_cuda_program_reflect(void *program, kt_reflection *reflection)
{
    const cuda_program *p = program;
    const cuda_api *api = p->device->api;
    cuda_scope scope;
    kt_program_info *info = &reflection->info;
    info->max_group_size = p->max_group_size;
    info->local_bytes = p->shared_bytes;
    info->group_multiple =
        (uint32_t)kt_cuda_attribute_of(api, p->device->ordinal, CUDA_ATTRIBUTE(api, WARP_SIZE));
    if (!api->cuFuncGetParamInfo)
        return KT_OK;
    kt_status status = cuda_device_enter(p->device, &scope);
    if (status == KT_OK)
        status = reflect_parameters(p, reflection);
    kt_cuda_leave(&scope);
    return status;
}

void kt_cuda_program_fini(void *program)
{
    cuda_program *p = program;
    cuda_scope scope;
    if (p->module) {
        cuda_device_enter_to_end(p->device, &scope);
        p->device->api->cuModuleUnload(p->module);
        kt_cuda_leave(&scope);
    }
    kt_free(p->entry);
}
