/* SPDX-License-Identifier: MIT */
/*
 * pipeline.c - compiles a kernel for a group size and binds its arguments.
 *
 * A kernel is compiled once per group size and shared by all steps: libraries do not share
 * pipelines with a layout derived from the shader, and SwiftShader takes up to 1 s per pipeline.
 */
#include "backends/webgpu/internal.h"
#include "support/alloc.h"

#include <stdio.h>
#include <string.h>

/* Group size constants that every kernel text may use. They follow the text, so that line numbers
 * in compiler messages match it, and because "enable" must come first. */
static const char group_size_constants[] = "\noverride kt_group_x: u32 = 1;"
                                           "\noverride kt_group_y: u32 = 1;"
                                           "\noverride kt_group_z: u32 = 1;\n";

kt_status kt_webgpu_module_create(webgpu_device *device, const char *text, size_t bytes,
                                  const char *entry, WGPUShaderModule *out)
{
    char what[160];
    char *code = kt_alloc(bytes + sizeof group_size_constants, 1);
    if (!code)
        return KT_NO_MEMORY;
    memcpy(code, text, bytes);
    memcpy(code + bytes, group_size_constants, sizeof group_size_constants);
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL},
                                   .code = webgpu_view(code)};
    const WGPUShaderModuleDescriptor descriptor = {.nextInChain = &source.chain};
    kt_webgpu_catch(device);
    WGPUShaderModule module =
        WEBGPU_CALL(device->api, wgpuDeviceCreateShaderModule, NULL, device->device, &descriptor);
    snprintf(what, sizeof what, "kernel %s does not compile", entry);
    kt_status status = kt_webgpu_caught(device, KT_BUILD_FAILED, what);
    kt_free(code);
    if (status == KT_OK && !module)
        status = kt_fail(KT_DRIVER_ERROR, "wgpuDeviceCreateShaderModule gives nothing");
    if (status == KT_OK)
        *out = module;
    else if (module)
        device->api->wgpuShaderModuleRelease(module);
    return status;
}

static bool is_among(const WGPUConstantEntry *constants, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(constants[i].key.data, name) == 0)
            return true;
    return false;
}

kt_status kt_webgpu_pipeline_create(webgpu_device *device, WGPUShaderModule module,
                                    const char *entry, WGPUConstantEntry *constants,
                                    size_t constant_count, const uint32_t group_size[3],
                                    kt_status on_error, WGPUComputePipeline *out)
{
    static const char *const sizes[] = {"kt_group_x", "kt_group_y", "kt_group_z"};
    size_t count = constant_count;
    for (int i = 0; i < 3; i++)
        if (!is_among(constants, constant_count, sizes[i]))
            constants[count++] =
                (WGPUConstantEntry){.key = webgpu_view(sizes[i]), .value = group_size[i]};
    const WGPUComputePipelineDescriptor descriptor = {.compute = {.module = module,
                                                                  .entryPoint = webgpu_view(entry),
                                                                  .constantCount = count,
                                                                  .constants = constants}};
    char what[160];
    kt_webgpu_catch(device);
    WGPUComputePipeline pipeline = WEBGPU_CALL(device->api, wgpuDeviceCreateComputePipeline, NULL,
                                               device->device, &descriptor);
    snprintf(what, sizeof what, "kernel %s makes no pipeline", entry);
    kt_status status = kt_webgpu_caught(device, on_error, what);
    if (status == KT_OK && !pipeline)
        status = kt_fail(KT_DRIVER_ERROR, "wgpuDeviceCreateComputePipeline gives nothing");
    if (status == KT_OK)
        *out = pipeline;
    else if (pipeline)
        device->api->wgpuComputePipelineRelease(pipeline);
    return status;
}

kt_status kt_webgpu_uniform_create(webgpu_device *device, const void *values, size_t bytes,
                                   WGPUBuffer *out)
{
    kt_status status = kt_webgpu_buffer_create(
        device, WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst, bytes, out);
    if (status == KT_OK)
        WEBGPU_DO(device, wgpuQueueWriteBuffer, device->queue, *out, 0, values, bytes);
    return status == KT_OK ? kt_webgpu_take_error(device) : status;
}

/* Creates the group of these `count` entries, which are all that the kernel may use of it. A group
 * without entries needs not be set, so none is kept. */
static kt_status create_group(webgpu_device *device, WGPUComputePipeline pipeline,
                              const char *entry, uint32_t index, const WGPUBindGroupEntry *entries,
                              uint32_t count, WGPUBindGroup *out)
{
    const webgpu_api *api = device->api;
    char what[320];
    kt_webgpu_catch(device);
    WGPUBindGroupLayout layout =
        WEBGPU_CALL(api, wgpuComputePipelineGetBindGroupLayout, NULL, pipeline, index);
    const WGPUBindGroupDescriptor descriptor = {
        .layout = layout, .entryCount = count, .entries = entries};
    if (layout)
        *out = WEBGPU_CALL(api, wgpuDeviceCreateBindGroup, NULL, device->device, &descriptor);
    snprintf(what, sizeof what,
             "kernel %s does not take these %u arguments in group %u; an argument that the kernel "
             "does not use is not there for WebGPU",
             entry, count, index);
    kt_status status = kt_webgpu_caught(device, KT_INVALID, what);
    if (status == KT_OK && !*out)
        status =
            kt_fail(KT_DRIVER_ERROR, "%s gives nothing",
                    layout ? "wgpuDeviceCreateBindGroup" : "wgpuComputePipelineGetBindGroupLayout");
    if (layout)
        api->wgpuBindGroupLayoutRelease(layout);
    if (*out && count == 0) {
        api->wgpuBindGroupRelease(*out);
        *out = NULL;
    }
    return status;
}

/* Buffers have whole words, so rounding up stays inside. */
static uint64_t size_of(const webgpu_binding *binding)
{
    return binding->bytes ? (binding->bytes + WEBGPU_WORD - 1) / WEBGPU_WORD * WEBGPU_WORD
                          : WGPU_WHOLE_SIZE;
}

kt_status kt_webgpu_arguments_create(webgpu_device *device, WGPUComputePipeline pipeline,
                                     const webgpu_arguments_desc *desc, webgpu_arguments *out)
{
    WGPUBindGroupEntry *entries = kt_alloc(desc->binding_count, sizeof *entries);
    kt_status status = entries ? KT_OK : KT_NO_MEMORY;
    for (uint32_t group = 0; group < desc->group_count && status == KT_OK; group++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < desc->binding_count; i++)
            if (desc->bindings[i].group == group)
                entries[count++] = (WGPUBindGroupEntry){.binding = desc->bindings[i].binding,
                                                        .buffer = desc->bindings[i].buffer,
                                                        .offset = desc->bindings[i].offset,
                                                        .size = size_of(&desc->bindings[i])};
        status =
            create_group(device, pipeline, desc->entry, group, entries, count, &out->groups[group]);
    }
    kt_free(entries);
    return status;
}

void kt_webgpu_arguments_destroy(webgpu_device *device, webgpu_arguments *arguments)
{
    for (int i = 0; i < WEBGPU_GROUPS_MAX; i++)
        if (arguments->groups[i])
            device->api->wgpuBindGroupRelease(arguments->groups[i]);
    *arguments = (webgpu_arguments){0};
}
