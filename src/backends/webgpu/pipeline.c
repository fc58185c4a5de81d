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

kt_status webgpu_module_create(webgpu_device *device, const char *text, size_t bytes,
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
    webgpu_catch(device);
    WGPUShaderModule module =
        WEBGPU_CALL(device->api, wgpuDeviceCreateShaderModule, NULL, device->device, &descriptor);
    snprintf(what, sizeof what, "kernel %s does not compile", entry);
    kt_status status = webgpu_caught(device, KT_BUILD_FAILED, what);
    kt_free(code);
    if (status == KT_OK && !module)
        status = kt_fail(KT_DRIVER_ERROR, "wgpuDeviceCreateShaderModule gives nothing");
    if (status == KT_OK)
        *out = module;
    else if (module)
        device->api->wgpuShaderModuleRelease(module);
    return status;
}

kt_status webgpu_pipeline_create(webgpu_device *device, WGPUShaderModule module, const char *entry,
                                 const uint32_t group_size[3], kt_status on_error,
                                 WGPUComputePipeline *out)
{
    const WGPUConstantEntry constants[3] = {
        {.key = webgpu_view("kt_group_x"), .value = group_size[0]},
        {.key = webgpu_view("kt_group_y"), .value = group_size[1]},
        {.key = webgpu_view("kt_group_z"), .value = group_size[2]}};
    const WGPUComputePipelineDescriptor descriptor = {.compute = {.module = module,
                                                                  .entryPoint = webgpu_view(entry),
                                                                  .constantCount = 3,
                                                                  .constants = constants}};
    char what[160];
    webgpu_catch(device);
    WGPUComputePipeline pipeline = WEBGPU_CALL(device->api, wgpuDeviceCreateComputePipeline, NULL,
                                               device->device, &descriptor);
    snprintf(what, sizeof what, "kernel %s makes no pipeline", entry);
    kt_status status = webgpu_caught(device, on_error, what);
    if (status == KT_OK && !pipeline)
        status = kt_fail(KT_DRIVER_ERROR, "wgpuDeviceCreateComputePipeline gives nothing");
    if (status == KT_OK)
        *out = pipeline;
    else if (pipeline)
        device->api->wgpuComputePipelineRelease(pipeline);
    return status;
}

/* Creates a uniform buffer of whole words that holds the kernel's values. */
static kt_status create_values(webgpu_device *device, const webgpu_arguments_desc *desc,
                               webgpu_arguments *out)
{
    kt_status status =
        webgpu_buffer_create(device, WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst,
                             desc->values_bytes, &out->values);
    if (status == KT_OK)
        WEBGPU_DO(device, wgpuQueueWriteBuffer, device->queue, out->values, 0, desc->values,
                  desc->values_bytes);
    return status == KT_OK ? webgpu_take_error(device) : status;
}

static kt_status create_group(webgpu_device *device, WGPUComputePipeline pipeline,
                              const webgpu_arguments_desc *desc, webgpu_arguments *out)
{
    const webgpu_api *api = device->api;
    uint32_t count = desc->buffer_count + (out->values ? 1 : 0);
    if (count == 0)
        return KT_OK;
    WGPUBindGroupEntry *entries = kt_alloc(count, sizeof *entries);
    if (!entries)
        return KT_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++)
        entries[i] =
            (WGPUBindGroupEntry){.binding = i,
                                 .buffer = i < desc->buffer_count ? desc->buffers[i] : out->values,
                                 .size = WGPU_WHOLE_SIZE};
    char what[320];
    webgpu_catch(device);
    WGPUBindGroupLayout layout =
        WEBGPU_CALL(api, wgpuComputePipelineGetBindGroupLayout, NULL, pipeline, 0);
    const WGPUBindGroupDescriptor descriptor = {
        .layout = layout, .entryCount = count, .entries = entries};
    if (layout)
        out->group = WEBGPU_CALL(api, wgpuDeviceCreateBindGroup, NULL, device->device, &descriptor);
    snprintf(
        what, sizeof what,
        "kernel %s does not take these %u arguments; an argument that the kernel does not use is "
        "not there for WebGPU, and arguments are in group 0",
        desc->entry, count);
    kt_status status = webgpu_caught(device, KT_INVALID, what);
    if (status == KT_OK && !out->group)
        status =
            kt_fail(KT_DRIVER_ERROR, "%s gives nothing",
                    layout ? "wgpuDeviceCreateBindGroup" : "wgpuComputePipelineGetBindGroupLayout");
    if (layout)
        api->wgpuBindGroupLayoutRelease(layout);
    kt_free(entries);
    return status;
}

kt_status webgpu_arguments_create(webgpu_device *device, WGPUComputePipeline pipeline,
                                  const webgpu_arguments_desc *desc, webgpu_arguments *out)
{
    kt_status status = desc->values_bytes ? create_values(device, desc, out) : KT_OK;
    return status == KT_OK ? create_group(device, pipeline, desc, out) : status;
}

void webgpu_arguments_destroy(webgpu_device *device, webgpu_arguments *arguments)
{
    if (arguments->group)
        device->api->wgpuBindGroupRelease(arguments->group);
    if (arguments->values)
        device->api->wgpuBufferRelease(arguments->values);
    *arguments = (webgpu_arguments){0};
}
