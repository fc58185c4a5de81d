#include "backends/vulkan/internal.h"
#include "support/alloc.h"

#include <string.h>

static kt_status check_capabilities(const vulkan_program *program)
{
    const vulkan_device *d = program->device;
    uint32_t unknown = program->kernel.unknown;
    uint32_t lacking = program->kernel.capabilities & ~d->capabilities;
    if (lacking)
        return kt_fail(KT_UNSUPPORTED, "kernel %s needs %s, which %s does not have", program->entry,
                       vulkan_capability_text(lacking & -lacking), d->info->id);
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

kt_status vulkan_module_create(vulkan_device *device, const uint32_t *words, size_t bytes,
                               VkShaderModule *out)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes, .pCode = words};
    VkShaderModule module = VK_NULL_HANDLE;
    VkResult code =
        VK_CALL(&device->api, vkCreateShaderModule, device->device, &info, NULL, &module);
    if (code != VK_SUCCESS)
        return vulkan_fail("vkCreateShaderModule", code);
    *out = module;
    return KT_OK;
}

kt_status vulkan_program_init(void *program, void *device, const kt_program_desc *desc)
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
        vulkan_spirv_parse(words, desc->source_bytes / sizeof *words, desc->entry, &p->kernel);
    if (status == KT_OK && desc->source_bytes % sizeof *words != 0)
        status = kt_fail(KT_BUILD_FAILED, "kernel %s: %zu bytes are not whole words of SPIR-V",
                         desc->entry, desc->source_bytes);
    if (status == KT_OK)
        status = check_version(p);
    if (status == KT_OK)
        status = check_capabilities(p);
    if (status == KT_OK)
        status = vulkan_module_create(p->device, words, desc->source_bytes, &p->module);
    kt_free(words);
    return status;
}

void vulkan_program_fini(void *program)
{
    vulkan_program *p = program;
    p->device->api.vkDestroyShaderModule(p->device->device, p->module, NULL);
    kt_free(p->entry);
}
