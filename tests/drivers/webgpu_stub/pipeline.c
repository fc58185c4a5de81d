/* SPDX-License-Identifier: MIT */
/* Shaders, pipelines, and what is bound to them. */
#include "stub.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- shaders ---- */

static void end_shader(void *object)
{
    free(((struct WGPUShaderModuleImpl *)object)->text);
}

static bool compile(struct WGPUShaderModuleImpl *shader, const WGPUShaderModuleDescriptor *d)
{
    struct WGPUDeviceImpl *device = shader->base.device;
    const WGPUShaderSourceWGSL *source = (const void *)d->nextInChain;
    if (!REQUIRE(device, source && source->chain.sType == WGPUSType_ShaderSourceWGSL, "no WGSL"))
        return false;
    size_t bytes =
        source->code.length == WGPU_STRLEN ? strlen(source->code.data) : source->code.length;
    shader->text = wgsl_strip(source->code.data, bytes);
    const char *wrong =
        script.build == BUILD_FAIL ? "error: the script wants no shader" : wgsl_wrong(shader->text);
    if (wrong)
        device_error(device, WGPUErrorType_Validation, "Error while parsing WGSL: :1:1 %s", wrong);
    return !wrong;
}

WGPUShaderModule wgpuDeviceCreateShaderModule(WGPUDevice device,
                                              const WGPUShaderModuleDescriptor *d)
{
    ENTER(wgpuDeviceCreateShaderModule, device);
    if (!object_use(device, KIND_DEVICE))
        return NULL;
    WGPUShaderModule shader = create(KIND_SHADER, sizeof *shader, device, fails, end_shader);
    if (shader && !fails)
        shader->base.invalid = !compile(shader, d);
    return shader;
}

RELEASES(wgpuShaderModuleRelease, WGPUShaderModule, KIND_SHADER)

/* ---- pipelines ---- */

/* The value of a constant; 1, which kerntime's are, if it is left out. */
static double constant(const WGPUComputePipelineDescriptor *d, const char *name)
{
    char key[NAME_MAX_BYTES];
    for (size_t i = 0; i < d->compute.constantCount; i++) {
        view_copy(d->compute.constants[i].key, key, sizeof key);
        if (strcmp(key, name) == 0)
            return d->compute.constants[i].value;
    }
    return 1;
}

static bool take_constants(struct WGPUDeviceImpl *device, const char *text,
                           const WGPUComputePipelineDescriptor *d)
{
    char key[NAME_MAX_BYTES];
    for (size_t i = 0; i < d->compute.constantCount; i++) {
        view_copy(d->compute.constants[i].key, key, sizeof key);
        double value = d->compute.constants[i].value;
        if (!REQUIRE(device, !d->compute.constants[i].nextInChain && wgsl_has_override(text, key),
                     "the text has no override %s", key) ||
            !REQUIRE(device, value >= 1 && value <= UINT32_MAX && value == floor(value), "%s is %g",
                     key, value))
            return false;
    }
    return true;
}

/* True: a size that this device has. Wrong sizes are for the caller to be told of: no misuse. */
static bool take_group_size(struct WGPUComputePipelineImpl *pipeline, const char *text,
                            const WGPUComputePipelineDescriptor *d)
{
    const WGPULimits *limits = &pipeline->base.device->limits;
    const uint32_t most[] = {limits->maxComputeWorkgroupSizeX, limits->maxComputeWorkgroupSizeY,
                             limits->maxComputeWorkgroupSizeZ};
    double invocations = 1;
    bool good = true;
    for (int i = 0; i < 3; i++) {
        char word[NAME_MAX_BYTES], *end;
        wgsl_group_size(text, pipeline->entry, i, word);
        double size = word[0] ? strtod(word, &end) : 1;
        if (word[0] && *end)
            size = constant(d, word);
        good = good && size >= 1 && size <= most[i];
        invocations *= size;
        pipeline->group_size[i] = good ? (uint32_t)size : 1;
    }
    good = good && invocations <= limits->maxComputeInvocationsPerWorkgroup;
    if (!good)
        device_error(pipeline->base.device, WGPUErrorType_Validation,
                     "a group size beyond the limits");
    return good;
}

/* As many buffers as a stage may have. */
static bool bindings_fit(struct WGPUDeviceImpl *device, const enum binding *bindings)
{
    uint32_t storage = 0;
    for (int i = 0; i < BINDINGS_MAX; i++)
        storage += bindings[i] == BINDING_READ || bindings[i] == BINDING_WRITE;
    if (storage <= device->limits.maxStorageBuffersPerShaderStage)
        return true;
    device_error(device, WGPUErrorType_Validation, "%u storage buffers", storage);
    return false;
}

static bool fill_pipeline(struct WGPUComputePipelineImpl *pipeline,
                          const WGPUComputePipelineDescriptor *d)
{
    struct WGPUDeviceImpl *device = pipeline->base.device;
    const struct WGPUShaderModuleImpl *shader = object_use(d->compute.module, KIND_SHADER);
    if (!shader || !device_takes(device, shader) ||
        !REQUIRE(device, !d->nextInChain && !d->compute.nextInChain && !d->layout,
                 "something is chained, or there is a layout"))
        return false;
    view_copy(d->compute.entryPoint, pipeline->entry, sizeof pipeline->entry);
    if (!wgsl_has_entry(shader->text, pipeline->entry)) {
        device_error(device, WGPUErrorType_Validation, "entry point \"%s\" doesn't exist",
                     pipeline->entry);
        return false;
    }
    const char *wrong = wgsl_bindings(shader->text, pipeline->entry, pipeline->layout->bindings);
    if (wrong)
        device_error(device, WGPUErrorType_Validation, "%s", wrong);
    return !wrong && take_constants(device, shader->text, d) &&
           bindings_fit(device, pipeline->layout->bindings) &&
           take_group_size(pipeline, shader->text, d);
}

static void end_pipeline(void *object)
{
    counted_drop(((struct WGPUComputePipelineImpl *)object)->layout);
}

WGPUComputePipeline wgpuDeviceCreateComputePipeline(WGPUDevice device,
                                                    const WGPUComputePipelineDescriptor *d)
{
    ENTER(wgpuDeviceCreateComputePipeline, device);
    if (!object_use(device, KIND_DEVICE))
        return NULL;
    WGPUComputePipeline pipeline =
        create(KIND_PIPELINE, sizeof *pipeline, device, fails, end_pipeline);
    if (!pipeline)
        return NULL;
    pipeline->layout = create(KIND_LAYOUT, sizeof *pipeline->layout, device, false, NULL);
    counted_hide(pipeline->layout);
    pipeline->base.invalid = fails || !fill_pipeline(pipeline, d);
    pipeline->layout->base.invalid = pipeline->base.invalid;
    pipeline->kernel = named_kernel_find(pipeline->entry);
    return pipeline;
}

RELEASES(wgpuComputePipelineRelease, WGPUComputePipeline, KIND_PIPELINE)

WGPUBindGroupLayout wgpuComputePipelineGetBindGroupLayout(WGPUComputePipeline pipeline,
                                                          uint32_t group_index)
{
    ENTER(wgpuComputePipelineGetBindGroupLayout, pipeline);
    if (!object_use(pipeline, KIND_PIPELINE))
        return NULL;
    EXPECT_USE(group_index < pipeline->base.device->limits.maxBindGroups, "group %u", group_index);
    if (fails || group_index > 0) /* no kernel of the stub uses other groups */
        return create(KIND_LAYOUT, sizeof *pipeline->layout, pipeline->base.device, fails, NULL);
    device_takes(pipeline->base.device, pipeline);
    counted_lend(pipeline->layout);
    return pipeline->layout;
}

RELEASES(wgpuBindGroupLayoutRelease, WGPUBindGroupLayout, KIND_LAYOUT)

/* ---- bind groups ---- */

static void end_group(void *object)
{
    struct WGPUBindGroupImpl *group = object;
    counted_drop(group->layout);
    for (int i = 0; i < BINDINGS_MAX; i++)
        counted_drop(group->entries[i].buffer);
}

static bool bind(struct WGPUBindGroupImpl *group, const WGPUBindGroupEntry *entry)
{
    struct WGPUDeviceImpl *device = group->base.device;
    struct WGPUBufferImpl *buffer = object_use(entry->buffer, KIND_BUFFER);
    if (!buffer || !device_takes(device, buffer) ||
        !REQUIRE(device, !entry->nextInChain && !entry->sampler && !entry->textureView,
                 "more than a buffer") ||
        !REQUIRE(device,
                 entry->binding < BINDINGS_MAX && group->layout->bindings[entry->binding] &&
                     !group->entries[entry->binding].buffer,
                 "the kernel has no binding %u", entry->binding))
        return false;
    bool uniform = group->layout->bindings[entry->binding] == BINDING_UNIFORM;
    uint64_t bytes = entry->size == WGPU_WHOLE_SIZE ? buffer->bytes - entry->offset : entry->size;
    uint64_t most = uniform ? device->limits.maxUniformBufferBindingSize
                            : device->limits.maxStorageBufferBindingSize;
    if (!REQUIRE(device,
                 buffer->usage & (uniform ? WGPUBufferUsage_Uniform : WGPUBufferUsage_Storage),
                 "a buffer of another usage") ||
        !REQUIRE(device,
                 entry->offset % BIND_ALIGN == 0 && entry->offset < buffer->bytes && bytes > 0 &&
                     bytes <= buffer->bytes - entry->offset,
                 "not of the buffer") ||
        !REQUIRE(device, bytes <= most && (uniform || bytes % 4 == 0), "%llu bytes",
                 (unsigned long long)bytes))
        return false;
    group->entries[entry->binding] = (struct binding_entry){buffer, entry->offset, bytes};
    counted_hold(buffer);
    return true;
}

static bool fill_group(struct WGPUBindGroupImpl *group, const WGPUBindGroupDescriptor *d)
{
    struct WGPUDeviceImpl *device = group->base.device;
    struct WGPUBindGroupLayoutImpl *layout = object_use(d->layout, KIND_LAYOUT);
    if (!layout || !device_takes(device, layout))
        return false;
    group->layout = layout;
    counted_hold(layout);
    size_t wanted = 0;
    for (int i = 0; i < BINDINGS_MAX; i++)
        wanted += layout->bindings[i] != BINDING_NONE;
    if (!REQUIRE(device, d->entryCount == wanted, "%zu entries, the kernel uses %zu", d->entryCount,
                 wanted))
        return false;
    for (size_t i = 0; i < d->entryCount; i++)
        if (!bind(group, &d->entries[i]))
            return false;
    return true;
}

WGPUBindGroup wgpuDeviceCreateBindGroup(WGPUDevice device, const WGPUBindGroupDescriptor *d)
{
    ENTER(wgpuDeviceCreateBindGroup, device);
    if (!object_use(device, KIND_DEVICE))
        return NULL;
    WGPUBindGroup group = create(KIND_GROUP, sizeof *group, device, fails, end_group);
    if (group && !fails)
        group->base.invalid = !fill_group(group, d);
    return group;
}

RELEASES(wgpuBindGroupRelease, WGPUBindGroup, KIND_GROUP)
