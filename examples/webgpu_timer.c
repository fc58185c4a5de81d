/* SPDX-License-Identifier: MIT */
/* webgpu_timer.c - pi, by throwing darts: a program that owns its WebGPU device. */
#include <kerntime/snapshot.h>
#include <kerntime/timer/webgpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <webgpu/webgpu.h>

enum { PLAYERS = 16384, GROUP = 64, DARTS = 64, FRAMES = 20 };
enum { BYTES = (2 * PLAYERS + GROUP) * 4, SUMS_AT = 2 * PLAYERS * 4, SUMS_BYTES = GROUP * 4 };

/* Seeds of the players, their hits, and sums of those. */
static const char source[] =
    "@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;\n"
    "const players = 16384u;\n"
    "@compute @workgroup_size(64) fn throw_darts(@builtin(global_invocation_id) id: vec3u) {\n"
    "    var seed = numbers[id.x];\n"
    "    var hits = numbers[players + id.x];\n"
    "    if (seed == 0u) { seed = (id.x + 1u) * 2654435761u; }\n"
    "    for (var dart = 0; dart < 64; dart++) {\n"
    "        seed = seed * 1664525u + 1013904223u;\n"
    "        let x = f32(seed >> 8u) / 16777216.0;\n"
    "        seed = seed * 1664525u + 1013904223u;\n"
    "        let y = f32(seed >> 8u) / 16777216.0;\n"
    "        if (x * x + y * y < 1.0) { hits++; }\n"
    "    }\n"
    "    numbers[id.x] = seed;\n"
    "    numbers[players + id.x] = hits;\n"
    "}\n"
    "@compute @workgroup_size(64) fn add_hits(@builtin(local_invocation_id) id: vec3u) {\n"
    "    var sum = 0u;\n"
    "    for (var i = id.x; i < players; i += 64u) { sum += numbers[players + i]; }\n"
    "    numbers[2u * players + id.x] = sum;\n"
    "}\n";

static WGPUInstance instance;
static WGPUAdapter adapter;
static WGPUDevice device;
static WGPUBuffer numbers, readable;

typedef struct kernel {
    WGPUComputePipeline pipeline;
    WGPUBindGroup group;
} kernel;

/* A program with more to do would do it between two looks. */
static void wait_for(WGPUFuture future)
{
    WGPUFutureWaitInfo info = {.future = future};
    while (wgpuInstanceWaitAny(instance, 1, &info, 0) == WGPUWaitStatus_TimedOut)
        ;
}

static void take_adapter(WGPURequestAdapterStatus status, WGPUAdapter found, WGPUStringView message,
                         void *unused1, void *unused2)
{
    (void)status, (void)message, (void)unused1, (void)unused2;
    adapter = found;
}

static void take_device(WGPURequestDeviceStatus status, WGPUDevice made, WGPUStringView message,
                        void *unused1, void *unused2)
{
    (void)status, (void)message, (void)unused1, (void)unused2;
    device = made;
}

static void take_error(WGPUDevice const *of, WGPUErrorType type, WGPUStringView message,
                       void *unused1, void *unused2)
{
    (void)of, (void)unused1, (void)unused2;
    fprintf(stderr, "webgpu_timer: error %d: %.*s\n", (int)type, (int)message.length, message.data);
    exit(1);
}

static void take_sums(WGPUMapAsyncStatus status, WGPUStringView message, void *hits, void *unused)
{
    (void)message, (void)unused;
    if (status != WGPUMapAsyncStatus_Success)
        exit(1);
    const uint32_t *sums = wgpuBufferGetConstMappedRange(readable, 0, SUMS_BYTES);
    *(uint32_t *)hits = 0;
    for (int i = 0; i < GROUP; i++)
        *(uint32_t *)hits += sums[i];
    wgpuBufferUnmap(readable);
}

static int find_adapter(void)
{
    instance = wgpuCreateInstance(NULL);
    wait_for(wgpuInstanceRequestAdapter(
        instance, NULL,
        (WGPURequestAdapterCallbackInfo){.mode = WGPUCallbackMode_WaitAnyOnly,
                                         .callback = take_adapter}));
    return adapter != NULL;
}

static WGPUBuffer make_buffer(uint64_t bytes, WGPUBufferUsage usage)
{
    return wgpuDeviceCreateBuffer(device, &(WGPUBufferDescriptor){.size = bytes, .usage = usage});
}

static WGPUStringView text(const char *zero_terminated)
{
    return (WGPUStringView){zero_terminated, WGPU_STRLEN};
}

static WGPUShaderModule make_module(void)
{
    WGPUShaderSourceWGSL wgsl = {.chain.sType = WGPUSType_ShaderSourceWGSL, .code = text(source)};
    return wgpuDeviceCreateShaderModule(device,
                                        &(WGPUShaderModuleDescriptor){.nextInChain = &wgsl.chain});
}

static kernel make_kernel(WGPUShaderModule module, const char *entry)
{
    WGPUComputePipelineDescriptor desc = {.compute = {.module = module, .entryPoint = text(entry)}};
    WGPUComputePipeline pipeline = wgpuDeviceCreateComputePipeline(device, &desc);
    WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(pipeline, 0);
    WGPUBindGroupEntry all = {.buffer = numbers, .size = BYTES};
    WGPUBindGroupDescriptor group = {.layout = layout, .entryCount = 1, .entries = &all};
    kernel made = {pipeline, wgpuDeviceCreateBindGroup(device, &group)};
    wgpuBindGroupLayoutRelease(layout);
    return made;
}

static void run(WGPUCommandEncoder encoder, const WGPUComputePassDescriptor *desc, kernel k,
                uint32_t groups)
{
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, desc);
    wgpuComputePassEncoderSetPipeline(pass, k.pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, k.group, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(pass, groups, 1, 1);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
}

static void map_sums(uint32_t *hits)
{
    wait_for(wgpuBufferMapAsync(readable, WGPUMapMode_Read, 0, SUMS_BYTES,
                                (WGPUBufferMapCallbackInfo){.mode = WGPUCallbackMode_WaitAnyOnly,
                                                            .callback = take_sums,
                                                            .userdata1 = hits}));
}

static void release(kernel k)
{
    wgpuBindGroupRelease(k.group);
    wgpuComputePipelineRelease(k.pipeline);
}

static void release_all(WGPUQueue queue)
{
    wgpuBufferRelease(numbers);
    wgpuBufferRelease(readable);
    wgpuQueueRelease(queue);
    wgpuDeviceRelease(device);
    wgpuAdapterRelease(adapter);
    wgpuInstanceRelease(instance);
}

int main(void)
{
    if (!find_adapter()) {
        fprintf(stderr, "webgpu_timer: there is no WebGPU adapter here\n");
        return 0;
    }
    const char *exact[] = {"timestamp_quantization"};
    WGPUDawnTogglesDescriptor toggles = {.chain.sType = WGPUSType_DawnTogglesDescriptor,
                                         .disabledToggleCount = 1,
                                         .disabledToggles = exact};
    WGPUFeatureName timestamps = WGPUFeatureName_TimestampQuery;
    WGPUDeviceDescriptor desc = {.nextInChain = &toggles.chain,
                                 .requiredFeatureCount =
                                     wgpuAdapterHasFeature(adapter, timestamps) ? 1 : 0,
                                 .requiredFeatures = &timestamps,
                                 .uncapturedErrorCallbackInfo.callback = take_error};
    wait_for(wgpuAdapterRequestDevice(
        adapter, &desc,
        (WGPURequestDeviceCallbackInfo){.mode = WGPUCallbackMode_WaitAnyOnly,
                                        .callback = take_device}));
    if (!device) {
        fprintf(stderr, "webgpu_timer: there is no WebGPU device here\n");
        return 0;
    }

    kt_webgpu_import import = {.size = sizeof import,
                               .instance = instance,
                               .device = device,
                               .get_proc_address = (void (*)(void))wgpuGetProcAddress};
    kt_timer_context *context = NULL;
    kt_timer *throwing = NULL, *adding = NULL;
    if (kt_timer_context_import_webgpu(&import, &context) != KT_OK)
        fprintf(stderr, "webgpu_timer: not timed: %s\n", kt_error_text());
    kt_timer_create(context, "throw", &throwing);
    kt_timer_create(context, "add", &adding);

    numbers = make_buffer(BYTES, WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc);
    readable = make_buffer(SUMS_BYTES, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    WGPUShaderModule module = make_module();
    kernel throw_darts = make_kernel(module, "throw_darts");
    kernel add_hits = make_kernel(module, "add_hits");
    wgpuShaderModuleRelease(module);
    WGPUQueue queue = wgpuDeviceGetQueue(device);
    uint32_t hits = 0;

    for (int frame = 0; frame < FRAMES; frame++) {
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device, NULL);
        WGPUComputePassDescriptor pass = {.label = text("throw")};
        WGPUPassTimestampWrites writes;
        pass.timestampWrites = kt_timer_pass_webgpu(throwing, encoder, &writes);
        run(encoder, &pass, throw_darts, PLAYERS / GROUP);
        pass.label = text("add");
        pass.timestampWrites = kt_timer_pass_webgpu(adding, encoder, &writes);
        run(encoder, &pass, add_hits, 1);
        wgpuCommandEncoderCopyBufferToBuffer(encoder, numbers, SUMS_AT, readable, 0, SUMS_BYTES);
        kt_timer_context_resolve_webgpu(context, encoder);
        WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
        wgpuQueueSubmit(queue, 1, &commands);
        kt_timer_context_submitted_webgpu(context, encoder);
        wgpuCommandBufferRelease(commands);
        wgpuCommandEncoderRelease(encoder);
        map_sums(&hits);
        kt_collect(context);
    }

    printf("after %d darts pi is about %.3f\n", FRAMES * PLAYERS * DARTS,
           4.0 * hits / FRAMES / PLAYERS / DARTS);

    kt_registry_print(stdout);
    kt_timer_destroy(&throwing);
    kt_timer_destroy(&adding);
    kt_timer_context_close(&context);

    release(throw_darts);
    release(add_hits);
    release_all(queue);
    return 0;
}
