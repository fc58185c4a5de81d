/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/backends/webgpu/webgpu_user.h"

#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

enum { GROUPS_MAX = 4096, GROUP = 64 };

static const char kernel[] =
    "@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;\n"
    "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
    "    var n = numbers[id.x] + id.x;\n"
    "    for (var i = 0u; i < 200u; i++) { n = n * 1664525u + 1013904223u; }\n"
    "    numbers[id.x] = n;\n"
    "}\n";

static WGPUStringView text(const char *zero_terminated)
{
    return (WGPUStringView){zero_terminated, WGPU_STRLEN};
}

/* Asks until it is answered; the future's callback is called here. */
static void wait_for(const user *u, WGPUFuture future)
{
    WGPUFutureWaitInfo info = {.future = future};
    while (u->wgpu.wgpuInstanceWaitAny(u->instance, 1, &info, 0) == WGPUWaitStatus_TimedOut)
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}

/* ---- what is told ---- */

static void take_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter,
                         WGPUStringView message, void *out, void *unused)
{
    (void)message, (void)unused;
    if (status == WGPURequestAdapterStatus_Success)
        *(WGPUAdapter *)out = adapter;
}

static void take_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message,
                        void *out, void *unused)
{
    (void)message, (void)unused;
    if (status == WGPURequestDeviceStatus_Success)
        *(WGPUDevice *)out = device;
}

static void take_error(const WGPUDevice *device, WGPUErrorType type, WGPUStringView message,
                       void *of, void *unused)
{
    user *u = of;
    (void)device, (void)type, (void)unused;
    size_t length = message.length == WGPU_STRLEN ? strlen(message.data) : message.length;
    snprintf(u->error, sizeof u->error, "%.*s", (int)length, message.data ? message.data : "");
    atomic_fetch_add(&u->errors, 1);
}

static void take_loss(const WGPUDevice *device, WGPUDeviceLostReason reason, WGPUStringView message,
                      void *unused1, void *unused2)
{
    (void)device, (void)reason, (void)message, (void)unused1, (void)unused2;
}

/* ---- making it ---- */

static bool load(user *u, const char *library)
{
    u->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!u->library)
        return false;
#define LOAD(result, name, parameters)                  \
    *(void **)&u->wgpu.name = dlsym(u->library, #name); \
    assert_non_null(*(void **)&u->wgpu.name);
    USER_FUNCTIONS(LOAD)
#undef LOAD
    *(void **)&u->wgpu.wgpuInstanceProcessEvents = dlsym(u->library, "wgpuInstanceProcessEvents");
    *(void **)&u->wgpu.wgpuStubExecute = dlsym(u->library, "wgpuStubExecute");
    *(void **)&u->wgpu.wgpuStubAdvance = dlsym(u->library, "wgpuStubAdvance");
    u->early = dlsym(u->library, "wgpuGetInstanceCapabilities") != NULL;
    return true;
}

static void make_device(user *u, const user_options *options)
{
    static const char *const quantisation[] = {"timestamp_quantization"};
    WGPUDawnTogglesDescriptor toggles = {
        {NULL, WGPUSType_DawnTogglesDescriptor}, 0, NULL, 1, quantisation};
    WGPUFeatureName features[2];
    size_t count = 0;
    if (!options->without_timestamps)
        features[count++] =
            u->early ? WGPU_EARLY_FEATURE_TIMESTAMP_QUERY : WGPUFeatureName_TimestampQuery;
    if (options->synchronises)
        features[count++] = WGPUFeatureName_ImplicitDeviceSynchronization;
    const WGPUDeviceDescriptor desc = {
        .nextInChain = options->is_quantised ? NULL : &toggles.chain,
        .requiredFeatureCount = count,
        .requiredFeatures = features,
        .deviceLostCallbackInfo = {.mode = WGPUCallbackMode_AllowProcessEvents,
                                   .callback = take_loss},
        .uncapturedErrorCallbackInfo = {.callback = take_error, .userdata1 = u}};
    wait_for(u, u->wgpu.wgpuAdapterRequestDevice(
                    u->adapter, &desc,
                    (WGPURequestDeviceCallbackInfo){.mode = WGPUCallbackMode_WaitAnyOnly,
                                                    .callback = take_device,
                                                    .userdata1 = &u->device}));
    assert_non_null(u->device);
    u->queue = u->wgpu.wgpuDeviceGetQueue(u->device);
    assert_non_null(u->queue);
}

static void make_kernel(user *u)
{
    WGPUShaderSourceWGSL source = {{NULL, WGPUSType_ShaderSourceWGSL}, text(kernel)};
    WGPUShaderModule module = u->wgpu.wgpuDeviceCreateShaderModule(
        u->device, &(WGPUShaderModuleDescriptor){.nextInChain = &source.chain});
    const WGPUComputePipelineDescriptor pipeline = {
        .compute = {.module = module, .entryPoint = text("main")}};
    u->pipeline = u->wgpu.wgpuDeviceCreateComputePipeline(u->device, &pipeline);
    WGPUBindGroupLayout layout = u->wgpu.wgpuComputePipelineGetBindGroupLayout(u->pipeline, 0);
    u->numbers = u->wgpu.wgpuDeviceCreateBuffer(
        u->device, &(WGPUBufferDescriptor){.usage = WGPUBufferUsage_Storage,
                                           .size = GROUPS_MAX * GROUP * sizeof(uint32_t)});
    const WGPUBindGroupEntry entry = {.buffer = u->numbers, .size = WGPU_WHOLE_SIZE};
    u->group = u->wgpu.wgpuDeviceCreateBindGroup(
        u->device,
        &(WGPUBindGroupDescriptor){.layout = layout, .entryCount = 1, .entries = &entry});
    u->wgpu.wgpuBindGroupLayoutRelease(layout);
    u->wgpu.wgpuShaderModuleRelease(module);
    assert_non_null(u->group);
}

bool user_open(user *u, const char *library, const user_options *options)
{
    const WGPURequestAdapterOptions any = {.featureLevel = WGPUFeatureLevel_Core};
    *u = (user){.library = NULL};
    if (!load(u, library))
        return false;
    u->instance = u->wgpu.wgpuCreateInstance(NULL);
    assert_non_null(u->instance);
    wait_for(u, u->wgpu.wgpuInstanceRequestAdapter(
                    u->instance, &any,
                    (WGPURequestAdapterCallbackInfo){.mode = WGPUCallbackMode_WaitAnyOnly,
                                                     .callback = take_adapter,
                                                     .userdata1 = &u->adapter}));
    if (!u->adapter) {
        u->wgpu.wgpuInstanceRelease(u->instance);
        return false;
    }
    make_device(u, options);
    if (options->has_kernel)
        make_kernel(u);
    return true;
}

void user_close(user *u)
{
    if (u->pipeline) {
        u->wgpu.wgpuBindGroupRelease(u->group);
        u->wgpu.wgpuComputePipelineRelease(u->pipeline);
        u->wgpu.wgpuBufferRelease(u->numbers);
    }
    u->wgpu.wgpuQueueRelease(u->queue);
    u->wgpu.wgpuDeviceRelease(u->device);
    u->wgpu.wgpuAdapterRelease(u->adapter);
    u->wgpu.wgpuInstanceRelease(u->instance);
}

kt_webgpu_import user_describe(const user *u)
{
    return (kt_webgpu_import){.size = sizeof(kt_webgpu_import),
                              .instance = u->instance,
                              .device = u->device,
                              .get_proc_address = (void (*)(void))u->wgpu.wgpuGetProcAddress};
}

/* ---- work ---- */

WGPUCommandEncoder user_encode(const user *u)
{
    WGPUCommandEncoder encoder = u->wgpu.wgpuDeviceCreateCommandEncoder(u->device, NULL);
    assert_non_null(encoder);
    return encoder;
}

void user_pass(const user *u, WGPUCommandEncoder encoder, const WGPUPassTimestampWrites *writes,
               uint32_t groups)
{
    const WGPUComputePassDescriptor desc = {.timestampWrites = writes};
    WGPUComputePassEncoder pass = u->wgpu.wgpuCommandEncoderBeginComputePass(encoder, &desc);
    if (groups && u->pipeline) {
        u->wgpu.wgpuComputePassEncoderSetPipeline(pass, u->pipeline);
        u->wgpu.wgpuComputePassEncoderSetBindGroup(pass, 0, u->group, 0, NULL);
        u->wgpu.wgpuComputePassEncoderDispatchWorkgroups(pass, groups, 1, 1);
    }
    u->wgpu.wgpuComputePassEncoderEnd(pass);
    u->wgpu.wgpuComputePassEncoderRelease(pass);
}

void user_submit(user *u, WGPUCommandEncoder encoder)
{
    WGPUCommandBuffer commands = u->wgpu.wgpuCommandEncoderFinish(encoder, NULL);
    u->wgpu.wgpuQueueSubmit(u->queue, 1, &commands);
    u->wgpu.wgpuCommandBufferRelease(commands);
    u->wgpu.wgpuCommandEncoderRelease(encoder);
}

static void take_nothing(uint32_t status, void *unused1, void *unused2)
{
    (void)status, (void)unused1, (void)unused2;
}

void user_wait(user *u)
{
    wait_for(u, u->wgpu.wgpuQueueOnSubmittedWorkDone(
                    u->queue, (WGPUQueueWorkDoneCallbackInfo){.mode = WGPUCallbackMode_WaitAnyOnly,
                                                              .callback = take_nothing}));
}
