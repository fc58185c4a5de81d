/* SPDX-License-Identifier: MIT */
#include "backends/kernel.h"
#include "backends/level_zero/internal.h"
#include "support/alloc.h"

#include <string.h>

#define LOG_BYTES_MAX ((size_t)1 << 20)

/*
 * ---- checking SPIR-V before a driver sees it ----
 *
 * Intel's driver (22.43) ends the process by exit(1) if the words break off or are no SPIR-V, and
 * makes a module without kernels of a mere header.
 */

enum {
    SPIRV_MAGIC = 0x07230203,
    SPIRV_MAGIC_SWAPPED = 0x03022307,
    SPIRV_HEADER_WORDS = 5,
    SPIRV_OP_ENTRY_POINT = 15,
    SPIRV_OP_FUNCTION = 54,
    SPIRV_OP_FUNCTION_END = 56,
    SPIRV_MODEL_KERNEL = 6
};

static uint32_t word_at(const kt_program_desc *desc, size_t index)
{
    uint32_t word;
    memcpy(&word, desc->source + index * sizeof word, sizeof word);
    return word;
}

/* Whether the instruction at `at` is the kernel's entry point: execution model, function, then a
 * zero-terminated name. */
static bool is_entry(const kt_program_desc *desc, size_t at, size_t length)
{
    size_t name_bytes = strlen(desc->entry) + 1;
    return (word_at(desc, at) & 0xffff) == SPIRV_OP_ENTRY_POINT && length > 3 &&
           word_at(desc, at + 1) == SPIRV_MODEL_KERNEL && name_bytes <= (length - 3) * 4 &&
           memcmp(desc->source + (at + 3) * 4, desc->entry, name_bytes) == 0;
}

static kt_status look_at(const kt_program_desc *desc)
{
    size_t count = desc->source_bytes / 4;
    if (desc->source_bytes % 4 != 0)
        return kt_fail(KT_BUILD_FAILED, "kernel %s: %zu bytes are not whole words of SPIR-V",
                       desc->entry, desc->source_bytes);
    uint32_t magic = count > 0 ? word_at(desc, 0) : 0;
    if (magic == SPIRV_MAGIC_SWAPPED)
        return kt_fail(KT_BUILD_FAILED, "kernel %s: the SPIR-V is of the other byte order",
                       desc->entry);
    if (magic != SPIRV_MAGIC || count < SPIRV_HEADER_WORDS)
        return kt_fail(KT_BUILD_FAILED, "kernel %s: this is no SPIR-V", desc->entry);
    bool found = false, is_open = false;
    size_t at = SPIRV_HEADER_WORDS, length = 0;
    for (; at < count; at += length) {
        uint32_t operation = word_at(desc, at) & 0xffff;
        length = word_at(desc, at) >> 16;
        if (length == 0 || length > count - at)
            break;
        found |= is_entry(desc, at, length);
        is_open = (is_open || operation == SPIRV_OP_FUNCTION) && operation != SPIRV_OP_FUNCTION_END;
    }
    if (at < count || is_open)
        return kt_fail(KT_BUILD_FAILED, "kernel %s: the SPIR-V breaks off at word %zu of %zu",
                       desc->entry, at, count);
    return found ? KT_OK : kt_fail(KT_INVALID, "the SPIR-V has no kernel %s", desc->entry);
}

/* ---- building ---- */

static kt_status fail_build(const ze_api *api, const char *entry, ze_result_t code,
                            ze_module_build_log_handle_t log)
{
    size_t bytes = 0;
    char *text = NULL;
    if (log && ZE_CODE(api, zeModuleBuildLogGetString, log, &bytes, NULL) == ZE_RESULT_SUCCESS &&
        bytes > 0 && bytes < LOG_BYTES_MAX)
        text = kt_alloc(bytes + 1, 1);
    if (text && ZE_CODE(api, zeModuleBuildLogGetString, log, &bytes, text) != ZE_RESULT_SUCCESS)
        text[0] = '\0';
    bool reported = text && text[0];
    kt_status status = kt_fail(
        KT_BUILD_FAILED, "kernel %s is not taken by the driver: %s (0x%x)%s%s", entry,
        kt_level_zero_code_name(code), (unsigned)code, reported ? ":\n" : "", reported ? text : "");
    kt_free(text);
    return status;
}

static bool is_build_failure(ze_result_t code)
{
    return code == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE ||
           code == ZE_RESULT_ERROR_MODULE_LINK_FAILURE ||
           code == ZE_RESULT_ERROR_INVALID_NATIVE_BINARY;
}

static kt_status build(level_zero_program *p, const kt_program_desc *desc)
{
    const level_zero_base *base = &p->device->base;
    const ze_module_desc_t module_desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                          .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                          .inputSize = desc->source_bytes,
                                          .pInputModule = (const uint8_t *)desc->source};
    ze_module_build_log_handle_t log = NULL;
    ze_module_handle_t module = NULL;
    ze_result_t code = ZE_CODE(base->api, zeModuleCreate, base->context, base->device, &module_desc,
                               &module, &log);
    kt_status status = KT_OK;
    if (code == ZE_RESULT_SUCCESS)
        p->module = module;
    else if (is_build_failure(code))
        status = fail_build(base->api, p->entry, code, log);
    else
        status = kt_level_zero_fail("zeModuleCreate", code);
    if (log)
        base->api->zeModuleBuildLogDestroy(log);
    return status;
}

kt_status kt_level_zero_kernel_create(const level_zero_program *program, ze_kernel_handle_t *out)
{
    const ze_api *api = program->device->base.api;
    const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
                                   .pKernelName = program->entry};
    ze_kernel_handle_t kernel = NULL;
    ze_result_t code = ZE_CODE(api, zeKernelCreate, program->module, &desc, &kernel);
    if (code == ZE_RESULT_ERROR_INVALID_KERNEL_NAME)
        return kt_fail(KT_INVALID, "the driver finds no kernel %s in the SPIR-V", program->entry);
    if (code == ZE_RESULT_SUCCESS)
        *out = kernel;
    return level_zero_check("zeKernelCreate", code);
}

/* Jobs create kernels of their own, since group size and arguments are a kernel's state. This
 * kernel only shows that the driver finds the entry point. */
kt_status kt_level_zero_program_init(void *program, void *device, const kt_program_desc *desc)
{
    level_zero_program *p = program;
    ze_kernel_handle_t kernel = NULL;
    p->device = device;
    p->entry = kt_copy_text(desc->entry);
    if (!p->entry)
        return KT_NO_MEMORY;
    kt_status status = look_at(desc);
    if (status == KT_OK)
        status = build(p, desc);
    if (status == KT_OK)
        status = kt_level_zero_kernel_create(p, &kernel);
    if (status == KT_OK)
        p->device->base.api->zeKernelDestroy(kernel);
    return status;
}

/* The driver says how many parameters there are, and nothing more of them. */
kt_status kt_level_zero_program_reflect(void *program, kt_reflection *reflection)
{
    const level_zero_program *p = program;
    const ze_api *api = p->device->base.api;
    kt_program_info *info = &reflection->info;
    ze_kernel_properties_t says = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
    ze_kernel_handle_t kernel = NULL;
    kt_status status = kt_level_zero_kernel_create(p, &kernel);
    if (status != KT_OK)
        return status;
    status = ZE_DO(api, zeKernelGetProperties, kernel, &says);
    api->zeKernelDestroy(kernel);
    if (status != KT_OK)
        return status;
    info->group_size[0] = says.requiredGroupSizeX;
    info->group_size[1] = says.requiredGroupSizeY;
    info->group_size[2] = says.requiredGroupSizeZ;
    info->group_multiple = says.maxSubgroupSize;
    info->local_bytes = says.localMemSize;
    return kt_reflect_parameters(reflection, says.numKernelArgs) ? KT_OK : KT_NO_MEMORY;
}

void kt_level_zero_program_fini(void *program)
{
    level_zero_program *p = program;
    if (p->module)
        p->device->base.api->zeModuleDestroy(p->module);
    kt_free(p->entry);
}
