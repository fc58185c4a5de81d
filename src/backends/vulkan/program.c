/* SPDX-License-Identifier: MIT */
#include "backends/vulkan/internal.h"
#include "support/alloc.h"

#include <string.h>

static kt_status check_capabilities(const vulkan_program *program)
{
    const vulkan_device *d = program->device;
    uint32_t unknown = program->kernel.unknown;
    uint32_t missing = program->kernel.capabilities & ~d->capabilities;
    if (missing)
        return kt_fail(KT_UNSUPPORTED, "kernel %s needs %s, which %s does not have", program->entry,
                       kt_vulkan_capability_text(missing & -missing), d->info->id);
    if (unknown)
        return kt_fail(KT_UNSUPPORTED,
                       "kernel %s needs capability %u of SPIR-V, which kerntime does not enable",
                       program->entry, unknown);
    return KT_OK;
}

/* Checks the SPIR-V version against the device's Vulkan version. */
static kt_status check_version(const vulkan_program *program)
{
    const vulkan_place *place = program->device->place;
    uint32_t version = program->kernel.version;
    uint32_t latest = place->version >= VK_API_VERSION_1_2   ? 0x10500
                      : place->version >= VK_API_VERSION_1_1 ? 0x10300
                                                             : 0x10000;
    if (version <= latest)
        return KT_OK;
    return kt_fail(KT_UNSUPPORTED, "kernel %s is of SPIR-V %u.%u, and %s takes %u.%u at most",
                   program->entry, version >> 16, version >> 8 & 0xFF, program->device->info->id,
                   latest >> 16, latest >> 8 & 0xFF);
}

/* Checks the constant against the module: drivers read as many bytes as they are told. */
static kt_status take_constant(vulkan_program *p, const uint32_t *words, size_t count,
                               const kt_constant *from)
{
    size_t bytes = kt_vulkan_spirv_constant_bytes(words, count, from->id);
    vulkan_constant *to = &p->constants[p->constant_count];
    if (bytes == 0)
        return kt_fail(KT_INVALID, "kernel %s has no specialisation constant %u", p->entry,
                       from->id);
    if (!from->data || from->data_bytes != bytes || bytes > sizeof to->data)
        return kt_fail(KT_INVALID,
                       "specialisation constant %u of kernel %s has %zu bytes, and is given %zu",
                       from->id, p->entry, bytes, from->data ? from->data_bytes : 0);
    for (uint32_t i = 0; i < p->constant_count; i++)
        if (p->constants[i].id == from->id)
            return kt_fail(KT_INVALID, "specialisation constant %u of kernel %s is given twice",
                           from->id, p->entry);
    to->id = from->id;
    to->bytes = (uint32_t)bytes;
    memcpy(&to->data, from->data, bytes);
    p->constant_count++;
    for (int i = 0; i < 3; i++) {
        if (p->kernel.size_ids[i] != from->id || bytes != sizeof p->group_size[i])
            continue;
        memcpy(&p->group_size[i], from->data, bytes);
        if (p->group_size[i] == 0)
            return kt_fail(KT_INVALID,
                           "specialisation constant %u of kernel %s is the size of its groups, and "
                           "is given as 0",
                           from->id, p->entry);
    }
    return KT_OK;
}

static kt_status take_constants(vulkan_program *p, const uint32_t *words, size_t count,
                                const kt_program_desc *desc)
{
    kt_status status = KT_OK;
    p->constants = kt_alloc(desc->constant_count, sizeof *p->constants);
    if (!p->constants)
        return KT_NO_MEMORY;
    for (uint32_t i = 0; i < desc->constant_count && status == KT_OK; i++)
        status = take_constant(p, words, count, &desc->constants[i]);
    return status;
}

static kt_status create_module(vulkan_program *p, const uint32_t *words, size_t bytes)
{
    vulkan_device *d = p->device;
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes, .pCode = words};
    VkShaderModule module = VK_NULL_HANDLE;
    VkResult code = VK_CALL(&d->api, vkCreateShaderModule, d->device, &info, NULL, &module);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkCreateShaderModule", code);
    p->module = module;
    return KT_OK;
}

kt_status kt_vulkan_program_init(void *program, void *device, const kt_program_desc *desc)
{
    vulkan_program *p = program;
    p->device = device;
    p->entry = kt_copy_text(desc->entry);
    if (!p->entry)
        return KT_NO_MEMORY;
    /* The SPIR-V words are copied, because the caller's bytes may be unaligned. */
    uint32_t *words = kt_alloc(1, desc->source_bytes);
    if (!words)
        return KT_NO_MEMORY;
    memcpy(words, desc->source, desc->source_bytes);
    kt_status status =
        kt_vulkan_spirv_parse(words, desc->source_bytes / sizeof *words, desc->entry, &p->kernel);
    if (status == KT_OK && desc->source_bytes % sizeof *words != 0)
        status = kt_fail(KT_BUILD_FAILED, "kernel %s: %zu bytes are not whole words of SPIR-V",
                         desc->entry, desc->source_bytes);
    if (status == KT_OK)
        status = check_version(p);
    if (status == KT_OK)
        status = check_capabilities(p);
    if (status == KT_OK)
        status = take_constants(p, words, desc->source_bytes / sizeof *words, desc);
    if (status == KT_OK)
        status = create_module(p, words, desc->source_bytes);
    kt_free(words);
    return status;
}

void kt_vulkan_program_fini(void *program)
{
    vulkan_program *p = program;
    p->device->api.vkDestroyShaderModule(p->device->device, p->module, NULL);
    kt_free(p->constants);
    kt_free(p->entry);
}
