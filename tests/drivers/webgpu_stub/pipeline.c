/* Shaders, pipelines, and what is bound to them. */
#include "stub.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* An object, or nothing, where the script says so. */
static void *given(void *object, enum kind kind, bool fails, const char *caller)
{
    if (!fails || script.error != ERROR_NULL)
        return object;
    object_release(object, kind, caller);
    return NULL;
}

/* ---- shaders ---- */

static void end_shader(void *object)
{
    free(((struct WGPUShaderModuleImpl *)object)->text);
}

static bool compile(struct WGPUShaderModuleImpl *shader, const WGPUShaderModuleDescriptor *d)
{
    static const char call[] = "wgpuDeviceCreateShaderModule";
    struct WGPUDeviceImpl *device = shader->base.device;
    const WGPUShaderSourceWGSL *source = (const void *)d->nextInChain;
    if (!REQUIRE(device, source && source->chain.sType == WGPUSType_ShaderSourceWGSL, "%s: no WGSL",
                 call))
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

WGPUShaderModule wgpuDeviceCreateShaderModule(WGPUDevice handle,
                                              const WGPUShaderModuleDescriptor *descriptor)
{
    bool fails = ENTER(wgpuDeviceCreateShaderModule, handle);
    struct WGPUDeviceImpl *device = USE(handle, KIND_DEVICE);
    struct WGPUShaderModuleImpl *shader = NULL;
    if (device) {
        shader = object_create(KIND_SHADER, sizeof *shader, device);
        shader->base.end = end_shader;
        if (fails)
            device_forced(device, __func__);
        shader->base.invalid = fails || !compile(shader, descriptor);
        shader = given(shader, KIND_SHADER, fails, __func__);
    }
    stub_leave();
    return shader;
}

void wgpuShaderModuleRelease(WGPUShaderModule shader)
{
    ENTER(wgpuShaderModuleRelease, shader);
    object_release(shader, KIND_SHADER, __func__);
    stub_leave();
}

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
                     "wgpuDeviceCreateComputePipeline: the text has no override %s", key) ||
            !REQUIRE(device, value >= 1 && value <= UINT32_MAX && value == floor(value),
                     "wgpuDeviceCreateComputePipeline: %s is %g", key, value))
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
                     "wgpuDeviceCreateComputePipeline: a group size beyond the limits");
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
    device_error(device, WGPUErrorType_Validation,
                 "wgpuDeviceCreateComputePipeline: %u storage buffers", storage);
    return false;
}

static bool fill_pipeline(struct WGPUComputePipelineImpl *pipeline,
                          const WGPUComputePipelineDescriptor *d)
{
    static const char call[] = "wgpuDeviceCreateComputePipeline";
    struct WGPUDeviceImpl *device = pipeline->base.device;
    const struct WGPUShaderModuleImpl *shader = object_use(d->compute.module, KIND_SHADER, call);
    if (!shader || !device_takes(device, shader, call) ||
        !REQUIRE(device, !d->nextInChain && !d->compute.nextInChain && !d->layout,
                 "%s: something is chained, or there is a layout", call))
        return false;
    view_copy(d->compute.entryPoint, pipeline->entry, sizeof pipeline->entry);
    if (!wgsl_has_entry(shader->text, pipeline->entry)) {
        device_error(device, WGPUErrorType_Validation, "%s: entry point \"%s\" doesn't exist", call,
                     pipeline->entry);
        return false;
    }
    const char *wrong = wgsl_bindings(shader->text, pipeline->entry, pipeline->layout->bindings);
    if (wrong)
        device_error(device, WGPUErrorType_Validation, "%s: %s", call, wrong);
    return !wrong && take_constants(device, shader->text, d) &&
           bindings_fit(device, pipeline->layout->bindings) &&
           take_group_size(pipeline, shader->text, d);
}

static void end_pipeline(void *object)
{
    object_drop(((struct WGPUComputePipelineImpl *)object)->layout);
}

WGPUComputePipeline wgpuDeviceCreateComputePipeline(WGPUDevice handle,
                                                    const WGPUComputePipelineDescriptor *descriptor)
{
    bool fails = ENTER(wgpuDeviceCreateComputePipeline, handle);
    struct WGPUDeviceImpl *device = USE(handle, KIND_DEVICE);
    struct WGPUComputePipelineImpl *pipeline = NULL;
    if (device) {
        pipeline = object_create(KIND_PIPELINE, sizeof *pipeline, device);
        pipeline->base.end = end_pipeline;
        pipeline->layout = object_create(KIND_LAYOUT, sizeof *pipeline->layout, device);
        pipeline->layout->base.refs = 0; /* until it is asked for */
        if (fails)
            device_forced(device, __func__);
        pipeline->base.invalid = fails || !fill_pipeline(pipeline, descriptor);
        pipeline->layout->base.invalid = pipeline->base.invalid;
        pipeline->function = kernel_find(pipeline->entry);
        pipeline = given(pipeline, KIND_PIPELINE, fails, __func__);
    }
    stub_leave();
    return pipeline;
}

void wgpuComputePipelineRelease(WGPUComputePipeline pipeline)
{
    ENTER(wgpuComputePipelineRelease, pipeline);
    object_release(pipeline, KIND_PIPELINE, __func__);
    stub_leave();
}

WGPUBindGroupLayout wgpuComputePipelineGetBindGroupLayout(WGPUComputePipeline handle,
                                                          uint32_t group_index)
{
    bool fails = ENTER(wgpuComputePipelineGetBindGroupLayout, handle);
    const struct WGPUComputePipelineImpl *pipeline = USE(handle, KIND_PIPELINE);
    struct WGPUBindGroupLayoutImpl *layout = NULL;
    if (pipeline && fails)
        device_forced(pipeline->base.device, __func__);
    if (pipeline && (!fails || script.error != ERROR_NULL)) {
        EXPECT_USE(group_index == 0, "%s: group %u", __func__, group_index);
        device_takes(pipeline->base.device, pipeline, __func__);
        layout = pipeline->layout;
        if (fails) {
            layout = object_create(KIND_LAYOUT, sizeof *layout, pipeline->base.device);
            layout->base.invalid = true;
        } else if (layout->base.refs++ == 0) {
            object_retain(layout);
        }
    }
    stub_leave();
    return layout;
}

void wgpuBindGroupLayoutRelease(WGPUBindGroupLayout layout)
{
    ENTER(wgpuBindGroupLayoutRelease, layout);
    object_release(layout, KIND_LAYOUT, __func__);
    stub_leave();
}

/* ---- bind groups ---- */

static void end_group(void *object)
{
    struct WGPUBindGroupImpl *group = object;
    object_drop(group->layout);
    for (int i = 0; i < BINDINGS_MAX; i++)
        object_drop(group->entries[i].buffer);
}

static bool bind(struct WGPUBindGroupImpl *group, const WGPUBindGroupEntry *entry)
{
    static const char call[] = "wgpuDeviceCreateBindGroup";
    struct WGPUDeviceImpl *device = group->base.device;
    struct WGPUBufferImpl *buffer = object_use(entry->buffer, KIND_BUFFER, call);
    if (!buffer || !device_takes(device, buffer, call) ||
        !REQUIRE(device, !entry->nextInChain && !entry->sampler && !entry->textureView,
                 "%s: more than a buffer", call) ||
        !REQUIRE(device,
                 entry->binding < BINDINGS_MAX && group->layout->bindings[entry->binding] &&
                     !group->entries[entry->binding].buffer,
                 "%s: the kernel has no binding %u", call, entry->binding))
        return false;
    bool uniform = group->layout->bindings[entry->binding] == BINDING_UNIFORM;
    uint64_t bytes = entry->size == WGPU_WHOLE_SIZE ? buffer->bytes - entry->offset : entry->size;
    uint64_t most = uniform ? device->limits.maxUniformBufferBindingSize
                            : device->limits.maxStorageBufferBindingSize;
    if (!REQUIRE(device,
                 buffer->usage & (uniform ? WGPUBufferUsage_Uniform : WGPUBufferUsage_Storage),
                 "%s: a buffer of another usage", call) ||
        !REQUIRE(device,
                 entry->offset % BIND_ALIGN == 0 && entry->offset < buffer->bytes && bytes > 0 &&
                     bytes <= buffer->bytes - entry->offset,
                 "%s: not of the buffer", call) ||
        !REQUIRE(device, bytes <= most && (uniform || bytes % 4 == 0), "%s: %llu bytes", call,
                 (unsigned long long)bytes))
        return false;
    group->entries[entry->binding] = (struct binding_entry){buffer, entry->offset, bytes};
    object_retain(buffer);
    return true;
}

static bool fill_group(struct WGPUBindGroupImpl *group, const WGPUBindGroupDescriptor *d)
{
    static const char call[] = "wgpuDeviceCreateBindGroup";
    struct WGPUDeviceImpl *device = group->base.device;
    struct WGPUBindGroupLayoutImpl *layout = object_use(d->layout, KIND_LAYOUT, call);
    if (!layout || !device_takes(device, layout, call))
        return false;
    group->layout = layout;
    object_retain(layout);
    size_t wanted = 0;
    for (int i = 0; i < BINDINGS_MAX; i++)
        wanted += layout->bindings[i] != BINDING_NONE;
    if (!REQUIRE(device, d->entryCount == wanted, "%s: %zu entries, the kernel uses %zu", call,
                 d->entryCount, wanted))
        return false;
    for (size_t i = 0; i < d->entryCount; i++)
        if (!bind(group, &d->entries[i]))
            return false;
    return true;
}

WGPUBindGroup wgpuDeviceCreateBindGroup(WGPUDevice handle,
                                        const WGPUBindGroupDescriptor *descriptor)
{
    bool fails = ENTER(wgpuDeviceCreateBindGroup, handle);
    struct WGPUDeviceImpl *device = USE(handle, KIND_DEVICE);
    struct WGPUBindGroupImpl *group = NULL;
    if (device) {
        group = object_create(KIND_GROUP, sizeof *group, device);
        group->base.end = end_group;
        if (fails)
            device_forced(device, __func__);
        group->base.invalid = fails || !fill_group(group, descriptor);
        group = given(group, KIND_GROUP, fails, __func__);
    }
    stub_leave();
    return group;
}

void wgpuBindGroupRelease(WGPUBindGroup group)
{
    ENTER(wgpuBindGroupRelease, group);
    object_release(group, KIND_GROUP, __func__);
    stub_leave();
}
