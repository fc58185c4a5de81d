#include "internal.h"

#include "../../support/alloc.h"

#include <string.h>

static kt_status check_capabilities(const vulkan_program *program)
{
    const vulkan_features *has = &program->device->features;
    const struct {
        uint32_t bit;
        bool here;
        const char *what;
    } needs[] = {
        {SPIRV_FLOAT64, has->float64, "64-bit floating point"},
        {SPIRV_INT64, has->int64, "64-bit integers"},
        {SPIRV_INT16, has->int16, "16-bit integers"},
        {SPIRV_FLOAT16, has->float16, "16-bit floating point"},
        {SPIRV_INT8, has->int8, "8-bit integers"},
        {SPIRV_STORAGE16, has->storage16, "16-bit elements of memories"},
        {SPIRV_STORAGE8, has->storage8, "8-bit elements of memories"},
    };
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        if (program->kernel.capabilities & needs[i].bit && !needs[i].here)
            return kt_fail(KT_UNSUPPORTED, "kernel %s needs %s, which %s does not have",
                           program->entry, needs[i].what, program->device->info->id);
    return KT_OK;
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
    if (desc->source_bytes % sizeof(uint32_t) != 0)
        return kt_fail(KT_BUILD_FAILED, "kernel %s: %zu bytes are not whole words of SPIR-V",
                       desc->entry, desc->source_bytes);
    /* The caller's bytes may lie anywhere. */
    uint32_t *words = kt_alloc(1, desc->source_bytes);
    if (!words)
        return KT_NO_MEMORY;
    memcpy(words, desc->source, desc->source_bytes);
    kt_status status =
        vulkan_spirv_parse(words, desc->source_bytes / sizeof *words, desc->entry, &p->kernel);
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
