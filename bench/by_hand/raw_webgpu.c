/* SPDX-License-Identifier: MIT */
#include "backends/webgpu/webgpu.h"
#include "bench/by_hand/raw.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT_NS UINT64_C(10000000000)
#define TIMESTAMPS 2

static const char kernel[] = "@compute @workgroup_size(1) fn empty() {}";

typedef struct state {
    void *library;
#define POINTER(result, name, parameters) result(*name) parameters;
    WGPU_FUNCTIONS_OF_INSTANCES(POINTER)
    WGPU_FUNCTIONS_OF_FUTURES(POINTER)
    WGPU_FUNCTIONS_OF_TIMESTAMPS(POINTER)
    WGPU_FUNCTIONS_OF_WORK(POINTER)
#undef POINTER
    bool early; /* the ABI of spring 2025 */
    WGPUInstance instance;
    WGPUAdapter adapter;
    WGPUDevice device;
    WGPUQueue queue;
    WGPUShaderModule shader;
    WGPUComputePipeline pipeline;
    WGPUQuerySet queries;
    WGPUBuffer resolved, readable;
} state;

static bool load(state *raw, const char *path)
{
    raw->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!raw->library)
        return false;
    bool all = true;
#define LOAD(result, name, parameters)              \
    {                                               \
        void *symbol = dlsym(raw->library, #name);  \
        memcpy(&raw->name, &symbol, sizeof symbol); \
        all = all && symbol;                        \
    }
    WGPU_FUNCTIONS_OF_INSTANCES(LOAD)
    WGPU_FUNCTIONS_OF_FUTURES(LOAD)
    WGPU_FUNCTIONS_OF_TIMESTAMPS(LOAD)
    WGPU_FUNCTIONS_OF_WORK(LOAD)
#undef LOAD
    raw->early = dlsym(raw->library, "wgpuGetInstanceCapabilities") != NULL;
    return all;
}

static bool answered(const state *raw, WGPUFuture future)
{
    WGPUFutureWaitInfo info = {.future = future};
    return raw->wgpuInstanceWaitAny(raw->instance, 1, &info, TIMEOUT_NS) == WGPUWaitStatus_Success;
}

static void take_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter,
                         WGPUStringView message, void *to, void *unused)
{
    (void)status, (void)message, (void)unused;
    *(WGPUAdapter *)to = adapter;
}

static bool make_adapter(state *raw)
{
    static const WGPUInstanceFeatureName feature = WGPUInstanceFeatureName_TimedWaitAny;
    const WGPUInstanceDescriptor today = {.requiredFeatureCount = 1, .requiredFeatures = &feature};
    const WGPUEarlyInstanceDescriptor early = {.capabilities = {.timedWaitAnyEnable = 1}};
    const WGPURequestAdapterOptions options = {.featureLevel = WGPUFeatureLevel_Core,
                                               .powerPreference =
                                                   WGPUPowerPreference_HighPerformance};
    raw->instance = raw->wgpuCreateInstance(raw->early ? (const void *)&early : &today);
    return raw->instance &&
           answered(raw, raw->wgpuInstanceRequestAdapter(
                             raw->instance, &options,
                             (WGPURequestAdapterCallbackInfo){.mode = WGPUCallbackMode_WaitAnyOnly,
                                                              .callback = take_adapter,
                                                              .userdata1 = &raw->adapter})) &&
           raw->adapter;
}

static void take_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message,
                        void *to, void *unused)
{
    (void)status, (void)message, (void)unused;
    *(WGPUDevice *)to = device;
}

static bool make_device(state *raw)
{
    static const char *const off[] = {"timestamp_quantization"};
    WGPUDawnTogglesDescriptor toggles = {.chain = {.sType = WGPUSType_DawnTogglesDescriptor},
                                         .disabledToggleCount = 1,
                                         .disabledToggles = off};
    const WGPUFeatureName feature =
        raw->early ? WGPU_EARLY_FEATURE_TIMESTAMP_QUERY : WGPUFeatureName_TimestampQuery;
    const WGPUDeviceDescriptor descriptor = {
        .nextInChain = &toggles.chain, .requiredFeatureCount = 1, .requiredFeatures = &feature};
    bool works =
        answered(raw, raw->wgpuAdapterRequestDevice(
                          raw->adapter, &descriptor,
                          (WGPURequestDeviceCallbackInfo){.mode = WGPUCallbackMode_WaitAnyOnly,
                                                          .callback = take_device,
                                                          .userdata1 = &raw->device})) &&
        raw->device;
    raw->queue = works ? raw->wgpuDeviceGetQueue(raw->device) : NULL;
    return raw->queue;
}

static bool make_pipeline(state *raw)
{
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL},
                                   .code = {kernel, sizeof kernel - 1}};
    const WGPUShaderModuleDescriptor shader = {.nextInChain = &source.chain};
    raw->shader = raw->wgpuDeviceCreateShaderModule(raw->device, &shader);
    const WGPUComputePipelineDescriptor pipeline = {
        .compute = {.module = raw->shader, .entryPoint = {"empty", 5}}};
    raw->pipeline = raw->wgpuDeviceCreateComputePipeline(raw->device, &pipeline);
    return raw->pipeline;
}

static bool make_queries(state *raw)
{
    const WGPUQuerySetDescriptor queries = {.type = WGPUQueryType_Timestamp, .count = TIMESTAMPS};
    WGPUBufferDescriptor buffer = {.usage = WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc,
                                   .size = TIMESTAMPS * sizeof(uint64_t)};
    raw->queries = raw->wgpuDeviceCreateQuerySet(raw->device, &queries);
    raw->resolved = raw->wgpuDeviceCreateBuffer(raw->device, &buffer);
    buffer.usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst;
    raw->readable = raw->wgpuDeviceCreateBuffer(raw->device, &buffer);
    return raw->queries && raw->resolved && raw->readable;
}

static void raw_close(void *opened)
{
    state *raw = opened;
#define RELEASE(member, function) \
    if (raw->member)              \
        raw->function(raw->member);
    RELEASE(readable, wgpuBufferRelease)
    RELEASE(resolved, wgpuBufferRelease)
    RELEASE(queries, wgpuQuerySetRelease)
    RELEASE(pipeline, wgpuComputePipelineRelease)
    RELEASE(shader, wgpuShaderModuleRelease)
    RELEASE(queue, wgpuQueueRelease)
    RELEASE(device, wgpuDeviceDestroy)
    RELEASE(device, wgpuDeviceRelease)
    RELEASE(adapter, wgpuAdapterRelease)
    RELEASE(instance, wgpuInstanceRelease)
#undef RELEASE
    free(raw);
}

static void *raw_open(const char *library)
{
    state *raw = calloc(1, sizeof *raw);
    if (raw && load(raw, library) && make_adapter(raw) && make_device(raw) && make_pipeline(raw) &&
        make_queries(raw))
        return raw;
    fprintf(stderr, "kerntime-bench: %s: no WebGPU device could be set up\n", library);
    if (raw)
        raw_close(raw);
    return NULL;
}

/* A command buffer is for one submission, so all of it is made each time. */
static void submit(state *raw, bool timestamped)
{
    const WGPUPassTimestampWrites writes = {
        .querySet = raw->queries, .beginningOfPassWriteIndex = 0, .endOfPassWriteIndex = 1};
    const WGPUComputePassDescriptor descriptor = {.timestampWrites = timestamped ? &writes : NULL};
    WGPUCommandEncoder encoder = raw->wgpuDeviceCreateCommandEncoder(raw->device, NULL);
    WGPUComputePassEncoder pass = raw->wgpuCommandEncoderBeginComputePass(encoder, &descriptor);
    raw->wgpuComputePassEncoderSetPipeline(pass, raw->pipeline);
    raw->wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
    raw->wgpuComputePassEncoderEnd(pass);
    raw->wgpuComputePassEncoderRelease(pass);
    if (timestamped) {
        raw->wgpuCommandEncoderResolveQuerySet(encoder, raw->queries, 0, TIMESTAMPS, raw->resolved,
                                               0);
        raw->wgpuCommandEncoderCopyBufferToBuffer(encoder, raw->resolved, 0, raw->readable, 0,
                                                  TIMESTAMPS * sizeof(uint64_t));
    }
    WGPUCommandBuffer commands = raw->wgpuCommandEncoderFinish(encoder, NULL);
    raw->wgpuQueueSubmit(raw->queue, 1, &commands);
    raw->wgpuCommandBufferRelease(commands);
    raw->wgpuCommandEncoderRelease(encoder);
}

static uint32_t work_done_status;

static void take_work_done(uint32_t status, void *unknown1, void *unknown2)
{
    (void)unknown1, (void)unknown2;
    work_done_status = status;
}

static bool wait_for_work(state *raw)
{
    work_done_status = 0;
    return answered(raw, raw->wgpuQueueOnSubmittedWorkDone(
                             raw->queue,
                             (WGPUQueueWorkDoneCallbackInfo){.mode = WGPUCallbackMode_WaitAnyOnly,
                                                             .callback = take_work_done})) &&
           work_done_status == WGPUStatus_Success;
}

static void take_map(WGPUMapAsyncStatus status, WGPUStringView message, void *to, void *unused)
{
    (void)message, (void)unused;
    *(WGPUMapAsyncStatus *)to = status;
}

static bool read_timestamps(state *raw, uint64_t *sum)
{
    WGPUMapAsyncStatus status = WGPUMapAsyncStatus_Error;
    if (!answered(raw, raw->wgpuBufferMapAsync(
                           raw->readable, WGPUMapMode_Read, 0, TIMESTAMPS * sizeof(uint64_t),
                           (WGPUBufferMapCallbackInfo){.mode = WGPUCallbackMode_WaitAnyOnly,
                                                       .callback = take_map,
                                                       .userdata1 = &status})) ||
        status != WGPUMapAsyncStatus_Success)
        return false;
    const uint64_t *ns =
        raw->wgpuBufferGetConstMappedRange(raw->readable, 0, TIMESTAMPS * sizeof(uint64_t));
    if (ns)
        *sum += ns[1] - ns[0];
    raw->wgpuBufferUnmap(raw->readable);
    return ns;
}

static bool raw_dispatch(void *opened, bool timestamped, uint32_t count)
{
    state *raw = opened;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        submit(raw, timestamped);
        if (!wait_for_work(raw) || (timestamped && !read_timestamps(raw, &sum)))
            return false;
    }
    return true;
}

const raw_api raw_webgpu = {raw_open, raw_close, raw_dispatch, NULL, NULL};
