/* selftest LIBRARY: each case of selftest_cases.c over the stub, and what its report says. */
#include "selftest.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct api gpu;
bool early;

void copy_view(WGPUStringView view, char text[256])
{
    size_t length = view.length < 255 ? view.length : 255;
    if (length)
        memcpy(text, view.data, length);
    text[length] = '\0';
}

/* ---- the world ---- */

static void take_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView text,
                         void *world, void *unused)
{
    struct world *w = world;
    (void)unused;
    w->adapter = status == WGPURequestAdapterStatus_Success ? adapter : NULL;
    copy_view(text, w->error);
}

static void take_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView text,
                        void *world, void *unused)
{
    struct world *w = world;
    (void)unused;
    w->device = status == WGPURequestDeviceStatus_Success ? device : NULL;
    copy_view(text, w->error);
}

static void take_loss(const WGPUDevice *device, WGPUDeviceLostReason reason, WGPUStringView text,
                      void *world, void *unused)
{
    (void)device, (void)text, (void)unused;
    ((struct world *)world)->lost = reason;
}

static void take_error(const WGPUDevice *device, WGPUErrorType type, WGPUStringView text,
                       void *world, void *unused)
{
    (void)device, (void)type, (void)unused;
    copy_view(text, ((struct world *)world)->error);
}

bool await(const struct world *w, WGPUFuture future, uint64_t ns)
{
    WGPUFutureWaitInfo info = {.future = future};
    return gpu.wgpuInstanceWaitAny(w->instance, 1, &info, ns) == WGPUWaitStatus_Success &&
           info.completed;
}

static void request_device(struct world *w)
{
    const WGPUFeatureName timestamps =
        early ? WGPU_EARLY_FEATURE_TIMESTAMP_QUERY : WGPUFeatureName_TimestampQuery;
    const char *const off[] = {"timestamp_quantization"};
    WGPUDawnTogglesDescriptor toggles = {.chain = {.sType = WGPUSType_DawnTogglesDescriptor},
                                         .disabledToggleCount = 1,
                                         .disabledToggles = off};
    WGPULimits limits = {0};
    CHECK(gpu.wgpuAdapterGetLimits(w->adapter, &limits) == WGPUStatus_Success);
    const WGPUDeviceDescriptor d = {
        .nextInChain = &toggles.chain,
        .requiredFeatureCount = gpu.wgpuAdapterHasFeature(w->adapter, timestamps),
        .requiredFeatures = &timestamps,
        .requiredLimits = &limits,
        .deviceLostCallbackInfo = {.mode = WGPUCallbackMode_AllowSpontaneous,
                                   .callback = take_loss,
                                   .userdata1 = w},
        .uncapturedErrorCallbackInfo = {.callback = take_error, .userdata1 = w}};
    const WGPURequestDeviceCallbackInfo info = {
        .mode = WGPUCallbackMode_WaitAnyOnly, .callback = take_device, .userdata1 = w};
    CHECK(await(w, gpu.wgpuAdapterRequestDevice(w->adapter, &d, info), 1));
}

void world_open(struct world *w)
{
    const WGPUInstanceFeatureName timed = WGPUInstanceFeatureName_TimedWaitAny;
    const WGPUInstanceDescriptor todays = {.requiredFeatureCount = 1, .requiredFeatures = &timed};
    const WGPUEarlyInstanceDescriptor earlys = {.capabilities = {.timedWaitAnyEnable = 1}};
    w->instance = gpu.wgpuCreateInstance(early ? (const void *)&earlys : (const void *)&todays);
    CHECK(w->instance);
    const WGPURequestAdapterCallbackInfo info = {
        .mode = WGPUCallbackMode_WaitAnyOnly, .callback = take_adapter, .userdata1 = w};
    CHECK(await(w, gpu.wgpuInstanceRequestAdapter(w->instance, NULL, info), 1));
    if (w->adapter)
        request_device(w);
    if (w->device)
        w->queue = gpu.wgpuDeviceGetQueue(w->device);
}

WGPUBuffer make_buffer(const struct world *w, WGPUFlags usage, uint64_t bytes)
{
    const WGPUBufferDescriptor d = {.usage = usage, .size = bytes};
    return gpu.wgpuDeviceCreateBuffer(w->device, &d);
}

void world_fill(struct world *w)
{
    const WGPUFlags copies = WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst;
    const WGPUQuerySetDescriptor set = {.type = WGPUQueryType_Timestamp, .count = QUERIES};
    w->a = make_buffer(w, WGPUBufferUsage_Storage | copies, BYTES);
    w->b = make_buffer(w, WGPUBufferUsage_Storage | copies, BYTES);
    w->resolved = make_buffer(w, WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc, 512);
    w->readable = make_buffer(w, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst, 512);
    w->queries = gpu.wgpuDeviceCreateQuerySet(w->device, &set);
    CHECK(w->a && w->b && w->resolved && w->readable && w->queries);
}

void world_close(struct world *w)
{
    WGPUBuffer buffers[] = {w->a, w->b, w->resolved, w->readable};
    for (int i = 0; i < 4; i++)
        if (buffers[i])
            gpu.wgpuBufferRelease(buffers[i]);
    if (w->queries)
        gpu.wgpuQuerySetRelease(w->queries);
    if (w->queue)
        gpu.wgpuQueueRelease(w->queue);
    if (w->device)
        gpu.wgpuDeviceRelease(w->device);
    if (w->adapter)
        gpu.wgpuAdapterRelease(w->adapter);
    gpu.wgpuInstanceRelease(w->instance);
}

/* ---- what the cases do ---- */

static void take_done(uint32_t status, void *one, void *two)
{
    (void)status, (void)one, (void)two;
}

bool await_work(const struct world *w)
{
    const WGPUQueueWorkDoneCallbackInfo info = {.mode = WGPUCallbackMode_WaitAnyOnly,
                                                .callback = take_done};
    return await(w, gpu.wgpuQueueOnSubmittedWorkDone(w->queue, info), 20000000);
}

static void take_scope(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView text,
                       void *world, void *out)
{
    struct world *w = world;
    *(WGPUErrorType *)out = status == WGPUPopErrorScopeStatus_Success ? type : 0;
    copy_view(text, w->error);
}

WGPUErrorType pop(struct world *w)
{
    WGPUErrorType type = 0;
    const WGPUPopErrorScopeCallbackInfo info = {.mode = WGPUCallbackMode_WaitAnyOnly,
                                                .callback = take_scope,
                                                .userdata1 = w,
                                                .userdata2 = &type};
    CHECK(await(w, gpu.wgpuDevicePopErrorScope(w->device, info), 1));
    return type;
}

static void take_map(WGPUMapAsyncStatus status, WGPUStringView text, void *out, void *unused)
{
    (void)text, (void)unused;
    *(unsigned *)out = status;
}

unsigned map(const struct world *w, WGPUBuffer buffer, WGPUFlags mode)
{
    unsigned status = 0;
    const WGPUBufferMapCallbackInfo info = {
        .mode = WGPUCallbackMode_WaitAnyOnly, .callback = take_map, .userdata1 = &status};
    CHECK(await(w, gpu.wgpuBufferMapAsync(buffer, mode, 0, BYTES, info), 1000 * 1000000));
    return status;
}

bool read_timestamps(const struct world *w, uint64_t timestamps[2])
{
    if (map(w, w->readable, WGPUMapMode_Read) != WGPUMapAsyncStatus_Success)
        return false;
    const void *data = gpu.wgpuBufferGetConstMappedRange(w->readable, 0, 16);
    if (data)
        memcpy(timestamps, data, 16);
    gpu.wgpuBufferUnmap(w->readable);
    return data != NULL;
}

void pass(const struct world *w, WGPUCommandEncoder encoder, uint32_t begin, uint32_t end)
{
    const WGPUPassTimestampWrites writes = {
        .querySet = w->queries, .beginningOfPassWriteIndex = begin, .endOfPassWriteIndex = end};
    const WGPUComputePassDescriptor d = {.timestampWrites = &writes};
    WGPUComputePassEncoder p = gpu.wgpuCommandEncoderBeginComputePass(encoder, &d);
    gpu.wgpuComputePassEncoderEnd(p);
    gpu.wgpuComputePassEncoderRelease(p);
}

void resolve(const struct world *w, WGPUCommandEncoder encoder, uint32_t count)
{
    gpu.wgpuCommandEncoderResolveQuerySet(encoder, w->queries, 0, count, w->resolved, 0);
    gpu.wgpuCommandEncoderCopyBufferToBuffer(encoder, w->resolved, 0, w->readable, 0, 512);
}

void submit(const struct world *w, WGPUCommandEncoder encoder)
{
    WGPUCommandBuffer commands = gpu.wgpuCommandEncoderFinish(encoder, NULL);
    gpu.wgpuQueueSubmit(w->queue, 1, &commands);
    gpu.wgpuCommandBufferRelease(commands);
    gpu.wgpuCommandEncoderRelease(encoder);
}

void timestamp_copy(const struct world *w)
{
    WGPUCommandEncoder e = gpu.wgpuDeviceCreateCommandEncoder(w->device, NULL);
    pass(w, e, WGPU_QUERY_SET_INDEX_UNDEFINED, 0);
    gpu.wgpuCommandEncoderCopyBufferToBuffer(e, w->a, 0, w->b, 0, BYTES);
    pass(w, e, 1, WGPU_QUERY_SET_INDEX_UNDEFINED);
    resolve(w, e, 2);
    submit(w, e);
}

WGPUComputePipeline make_pipeline(const struct world *w, const char *text, const char *entry,
                                  double x)
{
    const WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL},
                                         .code = {text, strlen(text)}};
    const WGPUShaderModuleDescriptor d = {.nextInChain = (WGPUChainedStruct *)&source.chain};
    WGPUShaderModule module = gpu.wgpuDeviceCreateShaderModule(w->device, &d);
    const WGPUConstantEntry constant = {.key = {"kt_group_x", WGPU_STRLEN}, .value = x};
    const WGPUComputePipelineDescriptor pipeline = {.compute = {.module = module,
                                                                .entryPoint = {entry, WGPU_STRLEN},
                                                                .constantCount = x > 0,
                                                                .constants = &constant}};
    WGPUComputePipeline made = gpu.wgpuDeviceCreateComputePipeline(w->device, &pipeline);
    gpu.wgpuShaderModuleRelease(module);
    return made;
}

/* ---- the runner ---- */

static void load(void *library)
{
    void *symbol;
#define LOAD(name)                  \
    symbol = dlsym(library, #name); \
    if (!symbol)                    \
        exit(1);                    \
    memcpy(&gpu.name, &symbol, sizeof symbol);
    ALL_ENTRIES(LOAD)
    LOAD(wgpuStubExecute)
    LOAD(wgpuStubAdvance)
#undef LOAD
}

static void run_test(const struct test_case *test, void *library)
{
    static struct world world;
    load(library);
    early = dlsym(library, "wgpuGetInstanceCapabilities") != NULL;
    world_open(&world);
    test->run(&world);
    if (!test->report)
        world_close(&world);
}

int main(int argc, char **argv)
{
    static const struct stub stub = {"KT_STUB_WEBGPU", "KT_STUB_WEBGPU_COUNTS", run_test};
    bool good = true;
    if (argc != 2) {
        fprintf(stderr, "usage: selftest LIBRARY\n");
        return 2;
    }
    for (const struct test_case *test = cases; test->run; test++)
        good &= stub_case_run(&stub, argv[1], test->script, test->report, test);
    return good ? 0 : 1;
}
