/* SPDX-License-Identifier: MIT */
/* selftest LIBRARY: one run that uses the library rightly from open to close, commands at once and
 * held, and one case for each kind of misuse that is WebGPU's own. */
#include "entry_points.h"
#include "tests/drivers/frame/cases.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The stub is opened at run time, as kerntime opens it. */
static struct {
#define API_MEMBER(name) __typeof__(&(name)) name; // NOLINT(bugprone-macro-parentheses)
    ALL_ENTRIES(API_MEMBER)
    API_MEMBER(wgpuStubExecute)
#undef API_MEMBER
} gpu;

static bool early; /* the library's ABI */

enum { BYTES = 256, LARGE = 1 << 20, N = 40 };

#define LONG_NS  UINT64_C(1000000000)
#define NO_QUERY WGPU_QUERY_SET_INDEX_UNDEFINED

struct world {
    WGPUInstance instance;
    WGPUAdapter adapter;
    WGPUDevice device;
    WGPUQueue queue;
    WGPUQuerySet queries;
    /* for kernels and copies, resolved timestamps, what the host reads */
    WGPUBuffer a, resolved, readable;
    WGPUCommandEncoder encoder;
};

struct test_case {
    const char *script;
    void (*run)(struct world *world);
    const char *report; /* as stub_case_run() takes it */
};

/* ---- the world ---- */

static bool await(const struct world *w, WGPUFuture future)
{
    WGPUFutureWaitInfo info = {.future = future};
    return gpu.wgpuInstanceWaitAny(w->instance, 1, &info, LONG_NS) == WGPUWaitStatus_Success &&
           info.completed;
}

static void take_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView text,
                         void *world, void *unused)
{
    (void)status, (void)text, (void)unused;
    ((struct world *)world)->adapter = adapter;
}

static void take_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView text,
                        void *world, void *unused)
{
    (void)status, (void)text, (void)unused;
    ((struct world *)world)->device = device;
}

static void take_error(const WGPUDevice *device, WGPUErrorType type, WGPUStringView text,
                       void *world, void *unused)
{
    (void)device, (void)type, (void)text, (void)world, (void)unused;
}

static void request_device(struct world *w)
{
    const WGPUFeatureName timestamps =
        early ? WGPU_EARLY_FEATURE_TIMESTAMP_QUERY : WGPUFeatureName_TimestampQuery;
    const char *const off[] = {"timestamp_quantization"};
    WGPUDawnTogglesDescriptor toggles = {.chain = {.sType = WGPUSType_DawnTogglesDescriptor},
                                         .disabledToggleCount = 1,
                                         .disabledToggles = off};
    const WGPUDeviceDescriptor d = {.nextInChain = &toggles.chain,
                                    .requiredFeatureCount = 1,
                                    .requiredFeatures = &timestamps,
                                    .uncapturedErrorCallbackInfo = {.callback = take_error}};
    const WGPURequestDeviceCallbackInfo info = {
        .mode = WGPUCallbackMode_WaitAnyOnly, .callback = take_device, .userdata1 = w};
    CHECK(await(w, gpu.wgpuAdapterRequestDevice(w->adapter, &d, info)) && w->device);
}

static WGPUBuffer make_buffer(const struct world *w, WGPUFlags usage, uint64_t bytes)
{
    const WGPUBufferDescriptor d = {.usage = usage, .size = bytes};
    return gpu.wgpuDeviceCreateBuffer(w->device, &d);
}

static void world_open(struct world *w)
{
    const WGPUInstanceFeatureName timed = WGPUInstanceFeatureName_TimedWaitAny;
    const WGPUInstanceDescriptor todays = {.requiredFeatureCount = 1, .requiredFeatures = &timed};
    const WGPUEarlyInstanceDescriptor earlys = {.capabilities = {.timedWaitAnyEnable = 1}};
    const WGPUQuerySetDescriptor set = {.type = WGPUQueryType_Timestamp, .count = 4};
    const WGPURequestAdapterCallbackInfo info = {
        .mode = WGPUCallbackMode_WaitAnyOnly, .callback = take_adapter, .userdata1 = w};
    w->instance = gpu.wgpuCreateInstance(early ? (const void *)&earlys : (const void *)&todays);
    CHECK(w->instance && await(w, gpu.wgpuInstanceRequestAdapter(w->instance, NULL, info)));
    request_device(w);
    w->queue = gpu.wgpuDeviceGetQueue(w->device);
    w->a = make_buffer(
        w, WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst, BYTES);
    w->resolved = make_buffer(w, WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc, BYTES);
    w->readable = make_buffer(w, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst, 2 * BYTES);
    w->queries = gpu.wgpuDeviceCreateQuerySet(w->device, &set);
    w->encoder = gpu.wgpuDeviceCreateCommandEncoder(w->device, NULL);
    CHECK(w->queue && w->a && w->resolved && w->readable && w->queries && w->encoder);
}

static void world_close(const struct world *w)
{
    gpu.wgpuBufferRelease(w->resolved);
    gpu.wgpuBufferRelease(w->readable);
    gpu.wgpuQuerySetRelease(w->queries);
    gpu.wgpuQueueRelease(w->queue);
    gpu.wgpuDeviceRelease(w->device);
    gpu.wgpuAdapterRelease(w->adapter);
    gpu.wgpuInstanceRelease(w->instance);
}

/* ---- what the cases do ---- */

static void take_map(WGPUMapAsyncStatus status, WGPUStringView text, void *out, void *unused)
{
    (void)text, (void)unused;
    *(unsigned *)out = status;
}

static const void *map(const struct world *w)
{
    unsigned status = 0;
    const WGPUBufferMapCallbackInfo info = {
        .mode = WGPUCallbackMode_WaitAnyOnly, .callback = take_map, .userdata1 = &status};
    CHECK(await(w, gpu.wgpuBufferMapAsync(w->readable, WGPUMapMode_Read, 0, 2 * BYTES, info)));
    CHECK(status == WGPUMapAsyncStatus_Success);
    return gpu.wgpuBufferGetConstMappedRange(w->readable, 0, 2 * BYTES);
}

static void pass(const struct world *w, uint32_t begin, uint32_t end, WGPUComputePipeline pipeline,
                 WGPUBindGroup group)
{
    const WGPUPassTimestampWrites writes = {
        .querySet = w->queries, .beginningOfPassWriteIndex = begin, .endOfPassWriteIndex = end};
    const WGPUComputePassDescriptor d = {.timestampWrites = &writes};
    WGPUComputePassEncoder p = gpu.wgpuCommandEncoderBeginComputePass(w->encoder, &d);
    if (pipeline) {
        gpu.wgpuComputePassEncoderSetPipeline(p, pipeline);
        gpu.wgpuComputePassEncoderSetBindGroup(p, 0, group, 0, NULL);
        gpu.wgpuComputePassEncoderDispatchWorkgroups(p, 3, 1, 1);
    }
    gpu.wgpuComputePassEncoderEnd(p);
    gpu.wgpuComputePassEncoderRelease(p);
}

static void copy_out(const struct world *w, WGPUBuffer source, uint64_t to)
{
    gpu.wgpuCommandEncoderCopyBufferToBuffer(w->encoder, source, 0, w->readable, to, BYTES);
}

static void resolve(const struct world *w, uint32_t count)
{
    gpu.wgpuCommandEncoderResolveQuerySet(w->encoder, w->queries, 0, count, w->resolved, 0);
}

static WGPUCommandBuffer submit(const struct world *w)
{
    WGPUCommandBuffer commands = gpu.wgpuCommandEncoderFinish(w->encoder, NULL);
    gpu.wgpuQueueSubmit(w->queue, 1, &commands);
    return commands;
}

static WGPUComputePipeline make_pipeline(const struct world *w, const char *constant)
{
    /* What is in group 0 and used by the entry decides which buffers the kernel gets. */
    static const char text[] =
        "/* a */ struct Values { n: u32 } // b\n"
        "override kt_group_x: u32 = 1;\n"
        "@group(0) @binding(0) var<storage, read_write> words: array<u32>;\n"
        "@group(0) @binding(1) var<uniform> values: Values;\n"
        "@group(0) @binding(1) var<storage, read> another: array<u32>;\n"
        "@compute @workgroup_size(kt_group_x, 1)\n"
        "fn fill(@builtin(global_invocation_id) id: vec3u) { words[id.x] = number(); }\n"
        "fn number() -> u32 { return values.n; }\n"
        "@compute @workgroup_size(1) fn other() { another[0] = 1; }\n";
    const WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL},
                                         .code = {text, strlen(text)}};
    const WGPUShaderModuleDescriptor d = {.nextInChain = (WGPUChainedStruct *)&source.chain};
    WGPUShaderModule module = gpu.wgpuDeviceCreateShaderModule(w->device, &d);
    const WGPUConstantEntry x = {.key = {constant, WGPU_STRLEN}, .value = 16};
    const WGPUComputePipelineDescriptor pipeline = {.compute = {.module = module,
                                                                .entryPoint = {"fill", WGPU_STRLEN},
                                                                .constantCount = 1,
                                                                .constants = &x}};
    WGPUComputePipeline made = gpu.wgpuDeviceCreateComputePipeline(w->device, &pipeline);
    gpu.wgpuShaderModuleRelease(module);
    return made;
}

/* ---- what works ---- */

/* 3 groups of 16 fill 40 of 64 words between two timestamps, and what the commands use is released
 * before they run. */
static void sound(struct world *w)
{
    const uint32_t n = N;
    const uint64_t *times;
    WGPUBuffer values = make_buffer(w, WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst, 16);
    WGPUComputePipeline pipeline = make_pipeline(w, "kt_group_x");
    WGPUBindGroupLayout layout = gpu.wgpuComputePipelineGetBindGroupLayout(pipeline, 0);
    const WGPUBindGroupEntry entries[] = {{.binding = 0, .buffer = w->a, .size = WGPU_WHOLE_SIZE},
                                          {.binding = 1, .buffer = values, .size = 16}};
    const WGPUBindGroupDescriptor d = {.layout = layout, .entryCount = 2, .entries = entries};
    WGPUBindGroup group = gpu.wgpuDeviceCreateBindGroup(w->device, &d);
    gpu.wgpuQueueWriteBuffer(w->queue, values, 0, &n, 4);
    pass(w, 0, 1, pipeline, group);
    copy_out(w, w->a, 0);
    resolve(w, 2);
    copy_out(w, w->resolved, BYTES);
    gpu.wgpuCommandBufferRelease(submit(w));
    gpu.wgpuCommandEncoderRelease(w->encoder);
    gpu.wgpuBindGroupRelease(group);
    gpu.wgpuBindGroupLayoutRelease(layout);
    gpu.wgpuComputePipelineRelease(pipeline);
    gpu.wgpuBufferRelease(values);
    gpu.wgpuBufferRelease(w->a);
    const uint32_t *words = map(w);
    CHECK(words && words[0] == 0x12345678 && words[N - 1] == words[0] && words[N] == 0);
    times = (const void *)(words + BYTES / 4);
    CHECK(times[0] > 5000 && times[0] < 5100 && times[1] - times[0] == 777);
    gpu.wgpuBufferUnmap(w->readable);
    world_close(w);
}

/* A wait gives the device the time that it takes; until then the commands are held. */
static void sound_held(struct world *w)
{
    gpu.wgpuQueueWriteBuffer(w->queue, w->a, 0, "word", 4);
    CHECK(gpu.wgpuStubExecute(w->queue, 0) == 1 && gpu.wgpuStubExecute(w->queue, 1) == 0);
    sound(w);
}

/* ---- misuse ---- */

static void written_twice(struct world *w)
{
    pass(w, 0, 1, NULL, NULL);
    pass(w, 2, 1, NULL, NULL);
}

static void resolved_unwritten(struct world *w)
{
    pass(w, 0, NO_QUERY, NULL, NULL);
    resolve(w, 2);
}

static void finished_twice(struct world *w)
{
    gpu.wgpuCommandEncoderFinish(w->encoder, NULL);
    gpu.wgpuCommandEncoderFinish(w->encoder, NULL);
}

static void submitted_twice(struct world *w)
{
    WGPUCommandBuffer commands = submit(w);
    gpu.wgpuQueueSubmit(w->queue, 1, &commands);
}

static void submitted_mapped(struct world *w)
{
    CHECK(map(w));
    copy_out(w, w->a, 0);
    submit(w);
}

static void pass_not_ended(struct world *w)
{
    gpu.wgpuComputePassEncoderRelease(gpu.wgpuCommandEncoderBeginComputePass(w->encoder, NULL));
}

static void no_override(struct world *w)
{
    make_pipeline(w, "kt_group_y");
}

static void wrong_usage(struct world *w)
{
    make_buffer(w, WGPUBufferUsage_MapRead | WGPUBufferUsage_Storage, 16);
}

static void waits_for_ever(struct world *w)
{
    gpu.wgpuInstanceWaitAny(w->instance, 0, NULL, UINT64_MAX);
}

static void take_scope(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView text,
                       void *one, void *two)
{
    (void)type, (void)text, (void)one, (void)two;
    CHECK(status == WGPUPopErrorScopeStatus_Error);
}

static void no_scope(struct world *w)
{
    const WGPUPopErrorScopeCallbackInfo info = {.mode = WGPUCallbackMode_WaitAnyOnly,
                                                .callback = take_scope};
    CHECK(await(w, gpu.wgpuDevicePopErrorScope(w->device, info)));
}

static void scope_left(struct world *w)
{
    gpu.wgpuDevicePushErrorScope(w->device, WGPUErrorFilter_Validation);
}

static void info_leaked(struct world *w)
{
    WGPUAdapterInfo info = {0};
    CHECK(gpu.wgpuAdapterGetInfo(w->adapter, &info) == WGPUStatus_Success);
}

static void *fill_often(void *world)
{
    static const char bytes[LARGE];
    const struct world *w = world;
    WGPUBuffer buffer = make_buffer(w, WGPUBufferUsage_CopyDst, LARGE);
    for (int i = 0; i < 1000000; i++)
        gpu.wgpuQueueWriteBuffer(w->queue, buffer, 0, bytes, LARGE);
    return NULL;
}

/* The stub ends the process as soon as they meet, which may be late on a busy machine. */
static void two_threads_meet(struct world *w)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, fill_often, w) == 0);
    fill_often(w);
}

#define MISUSE "misuse 1 wgpu"

static const struct test_case cases[] = {
    {"start=5000,kernel_ns=777,empty_ns=5,late=2,ready_ns=1000000", sound, NULL},
    {"start=5000,kernel_ns=777,empty_ns=5,commands=held", sound_held, NULL},
    {"", written_twice,
     MISUSE "CommandEncoderBeginComputePass: a query is written twice in one encoder"},
    {"", resolved_unwritten,
     MISUSE "CommandEncoderResolveQuerySet: a query that no pass of the encoder writes"},
    {"", finished_twice, MISUSE "CommandEncoderFinish: the encoder is finished"},
    {"", submitted_twice, MISUSE "QueueSubmit: the commands were submitted"},
    {"", submitted_mapped, MISUSE "QueueSubmit: a buffer is mapped"},
    {"", pass_not_ended,
     MISUSE "ComputePassEncoderRelease: a pass is released without having been ended"},
    {"", no_override, MISUSE "DeviceCreateComputePipeline: the text has no override kt_group_y"},
    {"", wrong_usage, MISUSE "DeviceCreateBuffer: usage 0x81"},
    {"", waits_for_ever, MISUSE "InstanceWaitAny: may wait for ever"},
    {"", no_scope, MISUSE "DevicePopErrorScope: there is no scope"},
    {"", scope_left, "leak error scope 1"},
    {"", info_leaked, "leak adapter info 4"},
    {"strict=1", two_threads_meet, "abort: another thread is in a call on the same device"},
};

static void run_test(const struct test_case *test, void *library)
{
    struct world world = {0};
    void *symbol;
#define LOAD(name)                  \
    symbol = dlsym(library, #name); \
    if (!symbol)                    \
        exit(1);                    \
    memcpy(&gpu.name, &symbol, sizeof symbol);
    ALL_ENTRIES(LOAD)
    LOAD(wgpuStubExecute)
#undef LOAD
    early = dlsym(library, "wgpuGetInstanceCapabilities") != NULL;
    world_open(&world);
    test->run(&world);
}

int main(int argc, char **argv)
{
    static const struct stub stub = {"KT_STUB_WEBGPU", "KT_STUB_WEBGPU_COUNTS", run_test};
    bool good = argc == 2;
    for (size_t i = 0; argc == 2 && i < sizeof cases / sizeof cases[0]; i++)
        good &= stub_case_run(&stub, argv[1], cases[i].script, cases[i].report, &cases[i]);
    return good ? 0 : 1;
}
