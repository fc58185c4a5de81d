/* The cases of the selftest: one for what works, one for each misuse, and what a script changes. */
#include "selftest.h"

#include <pthread.h>
#include <string.h>

#define MS     UINT64_C(1000000)
#define NO_END WGPU_QUERY_SET_INDEX_UNDEFINED

static WGPUCommandEncoder encoder(const struct world *w)
{
    return gpu.wgpuDeviceCreateCommandEncoder(w->device, NULL);
}

/* ---- what works ---- */

static void sound(struct world *w)
{
    uint32_t words[BYTES / 4];
    world_fill(w);
    for (uint32_t i = 0; i < BYTES / 4; i++)
        words[i] = 3 * i;
    gpu.wgpuQueueWriteBuffer(w->queue, w->a, 0, words, sizeof words);
    WGPUCommandEncoder e = encoder(w);
    gpu.wgpuCommandEncoderCopyBufferToBuffer(e, w->a, 0, w->b, 0, BYTES);
    gpu.wgpuCommandEncoderCopyBufferToBuffer(e, w->b, 0, w->readable, 0, BYTES);
    submit(w, e);
    CHECK(await_work(w));
    CHECK(map(w, w->readable, WGPUMapMode_Read) == WGPUMapAsyncStatus_Success);
    const void *data = gpu.wgpuBufferGetConstMappedRange(w->readable, 0, BYTES);
    CHECK(data && memcmp(data, words, BYTES) == 0);
    gpu.wgpuBufferUnmap(w->readable);
    CHECK(w->error[0] == '\0');
}

/* What is in group 0 decides which buffers a kernel gets. */
static void fills(struct world *w)
{
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
    const uint32_t n = 40;
    uint32_t words[64] = {0};
    world_fill(w);
    WGPUBuffer values = make_buffer(w, WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst, 16);
    gpu.wgpuQueueWriteBuffer(w->queue, values, 0, &n, 4);
    WGPUComputePipeline pipeline = make_pipeline(w, text, "fill", 16);
    WGPUBindGroupLayout layout = gpu.wgpuComputePipelineGetBindGroupLayout(pipeline, 0);
    const WGPUBindGroupEntry entries[] = {{.binding = 0, .buffer = w->a, .size = WGPU_WHOLE_SIZE},
                                          {.binding = 1, .buffer = values, .size = 16}};
    const WGPUBindGroupDescriptor d = {.layout = layout, .entryCount = 2, .entries = entries};
    WGPUBindGroup group = gpu.wgpuDeviceCreateBindGroup(w->device, &d);
    WGPUCommandEncoder e = encoder(w);
    WGPUComputePassEncoder p = gpu.wgpuCommandEncoderBeginComputePass(e, NULL);
    gpu.wgpuComputePassEncoderSetPipeline(p, pipeline);
    gpu.wgpuComputePassEncoderSetBindGroup(p, 0, group, 0, NULL);
    gpu.wgpuComputePassEncoderDispatchWorkgroups(p, 3, 1, 1);
    gpu.wgpuComputePassEncoderEnd(p);
    gpu.wgpuComputePassEncoderRelease(p);
    gpu.wgpuCommandEncoderCopyBufferToBuffer(e, w->a, 0, w->readable, 0, BYTES);
    submit(w, e);
    CHECK(map(w, w->readable, WGPUMapMode_Read) == WGPUMapAsyncStatus_Success);
    memcpy(words, gpu.wgpuBufferGetConstMappedRange(w->readable, 0, BYTES), BYTES);
    gpu.wgpuBufferUnmap(w->readable);
    CHECK(words[0] != 0 && words[39] == words[0] && words[40] == 0);
    gpu.wgpuBindGroupRelease(group);
    gpu.wgpuBindGroupLayoutRelease(layout);
    gpu.wgpuComputePipelineRelease(pipeline);
    gpu.wgpuBufferRelease(values);
}

static void by_name(struct world *w)
{
    WGPUProc found = gpu.wgpuGetProcAddress((WGPUStringView){"wgpuQueueSubmit", WGPU_STRLEN});
    CHECK((void (*)(void))gpu.wgpuQueueSubmit == found);
    CHECK(!gpu.wgpuGetProcAddress((WGPUStringView){"wgpuQueueSubmit", 9}));
    (void)w;
}

static void no_adapter(struct world *w)
{
    CHECK(!w->adapter && strcmp(w->error, "there is no adapter") == 0);
}

/* ---- timestamps ---- */

static void timestamps_of(struct world *w, uint64_t from, uint64_t length)
{
    uint64_t timestamps[2] = {0};
    world_fill(w);
    timestamp_copy(w);
    CHECK(read_timestamps(w, timestamps));
    CHECK(timestamps[0] >= from && timestamps[0] < from + 100 &&
          timestamps[1] - timestamps[0] == length);
}

/* The empty pass before it has taken 5. */
static void timestamps(struct world *w)
{
    timestamps_of(w, 5000, 777);
}

/* 65536 * 15258 = 999,948,288 comes before 1,000,000,007, and a copy of 65536 ns ends in the next
 * step. */
static void timestamps_cut(struct world *w)
{
    timestamps_of(w, 999948288, 65536);
}

/* 100,000,000,7 is cut to a multiple of 80. */
static void timestamps_coarse(struct world *w)
{
    timestamps_of(w, 1000000000, 800);
}

static void timestamps_zero(struct world *w)
{
    timestamps_of(w, 0, 0);
}

/* Of an empty pass: `empty_ns` and no noise in between. */
static void empty_pass(struct world *w)
{
    uint64_t values[2] = {0};
    world_fill(w);
    WGPUCommandEncoder e = encoder(w);
    pass(w, e, 0, 1);
    resolve(w, e, 2);
    submit(w, e);
    CHECK(read_timestamps(w, values) && values[1] - values[0] == 5);
}

static void written_twice(struct world *w)
{
    world_fill(w);
    WGPUCommandEncoder e = encoder(w);
    pass(w, e, 0, 1);
    pass(w, e, 2, 1);
}

static void resolved_unwritten(struct world *w)
{
    world_fill(w);
    WGPUCommandEncoder e = encoder(w);
    pass(w, e, 0, NO_END);
    resolve(w, e, 2);
}

static void resolved_aside(struct world *w)
{
    world_fill(w);
    WGPUCommandEncoder e = encoder(w);
    pass(w, e, 0, 1);
    gpu.wgpuCommandEncoderResolveQuerySet(e, w->queries, 0, 2, w->resolved, 8);
}

static void query_beyond(struct world *w)
{
    world_fill(w);
    pass(w, encoder(w), 0, QUERIES);
}

static void no_feature(struct world *w)
{
    world_fill(w);
}

/* ---- submissions ---- */

static void submitted_twice(struct world *w)
{
    world_fill(w);
    WGPUCommandEncoder e = encoder(w);
    WGPUCommandBuffer commands = gpu.wgpuCommandEncoderFinish(e, NULL);
    gpu.wgpuQueueSubmit(w->queue, 1, &commands);
    gpu.wgpuQueueSubmit(w->queue, 1, &commands);
}

static void submitted_mapped(struct world *w)
{
    world_fill(w);
    CHECK(map(w, w->readable, WGPUMapMode_Read) == WGPUMapAsyncStatus_Success);
    timestamp_copy(w);
}

static void copy_of_odd_bytes(struct world *w)
{
    world_fill(w);
    gpu.wgpuCommandEncoderCopyBufferToBuffer(encoder(w), w->a, 0, w->b, 0, 7);
}

static void copy_to_itself(struct world *w)
{
    world_fill(w);
    gpu.wgpuCommandEncoderCopyBufferToBuffer(encoder(w), w->a, 0, w->a, 128, 64);
}

static void held(struct world *w)
{
    uint64_t values[2] = {0};
    world_fill(w);
    timestamp_copy(w);
    gpu.wgpuStubAdvance(1);
    CHECK(gpu.wgpuStubExecute(w->queue, 0) == 1);
    CHECK(gpu.wgpuStubExecute(w->queue, 1) == 0);
    CHECK(read_timestamps(w, values) && values[1] - values[0] == 1000);
}

/* Who polls gives the device no time, and who waits does. */
static void held_until_awaited(struct world *w)
{
    world_fill(w);
    timestamp_copy(w);
    CHECK(gpu.wgpuStubExecute(w->queue, 0) == 1);
    CHECK(await_work(w));
    CHECK(gpu.wgpuStubExecute(w->queue, 0) == 0);
}

static void hangs(struct world *w)
{
    world_fill(w);
    submit(w, encoder(w));
    CHECK(!await_work(w));
}

static void is_lost(struct world *w)
{
    world_fill(w);
    submit(w, encoder(w));
    CHECK(w->lost == WGPUDeviceLostReason_Unknown);
    CHECK(await_work(w));
    CHECK(map(w, w->readable, WGPUMapMode_Read) == WGPUMapAsyncStatus_Aborted);
}

static void destroyed(struct world *w)
{
    world_fill(w);
    gpu.wgpuDeviceDestroy(w->device);
    CHECK(w->lost == WGPUDeviceLostReason_Destroyed);
}

/* ---- errors ---- */

static void scopes(struct world *w)
{
    gpu.wgpuDevicePushErrorScope(w->device, WGPUErrorFilter_Validation);
    gpu.wgpuDevicePushErrorScope(w->device, WGPUErrorFilter_OutOfMemory);
    WGPUBuffer large = make_buffer(w, WGPUBufferUsage_Storage, 4096);
    CHECK(pop(w) == WGPUErrorType_OutOfMemory && strstr(w->error, "no memory left"));
    CHECK(pop(w) == WGPUErrorType_NoError);
    gpu.wgpuBufferRelease(large);
    large = make_buffer(w, WGPUBufferUsage_Storage, 4096);
    CHECK(strstr(w->error, "no memory left"));
    gpu.wgpuBufferRelease(large);
}

static void *push(void *world)
{
    gpu.wgpuDevicePushErrorScope(((struct world *)world)->device, WGPUErrorFilter_OutOfMemory);
    return NULL;
}

/* The scope of another thread: it catches this one's errors, or does not. */
static void scope_elsewhere(struct world *w)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, push, w) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    WGPUBuffer large = make_buffer(w, WGPUBufferUsage_Storage, 4096);
    CHECK((strstr(w->error, "no memory left") != NULL) == !early);
    gpu.wgpuBufferRelease(large);
}

static void scope_left(struct world *w)
{
    gpu.wgpuDevicePushErrorScope(w->device, WGPUErrorFilter_Validation);
}

static void no_scope(struct world *w)
{
    CHECK(pop(w) == 0);
}

static void fails_as_reported(struct world *w)
{
    WGPUBuffer buffer = make_buffer(w, WGPUBufferUsage_Storage, 16);
    CHECK(buffer && strstr(w->error, "wgpuDeviceCreateBuffer: the script wants it to fail"));
    gpu.wgpuBufferRelease(buffer);
}

static void fails_with_nothing(struct world *w)
{
    CHECK(!make_buffer(w, WGPUBufferUsage_Storage, 16));
}

static void wrong_usage(struct world *w)
{
    make_buffer(w, WGPUBufferUsage_MapRead | WGPUBufferUsage_Storage, 16);
}

/* ---- shaders ---- */

static void does_not_compile(struct world *w)
{
    gpu.wgpuComputePipelineRelease(make_pipeline(w, "fn k() {", "k", 0));
    CHECK(strstr(w->error, "invalid")); /* the latest: the pipeline of a module that is none */
}

static void no_entry(struct world *w)
{
    gpu.wgpuComputePipelineRelease(
        make_pipeline(w, "@compute @workgroup_size(1) fn k() {}", "no", 0));
    CHECK(strstr(w->error, "entry point \"no\" doesn't exist"));
}

static void group_too_large(struct world *w)
{
    gpu.wgpuComputePipelineRelease(
        make_pipeline(w, "@compute @workgroup_size(65) fn k() {}", "k", 0));
    CHECK(strstr(w->error, "group size"));
}

static void no_override(struct world *w)
{
    make_pipeline(w, "@compute @workgroup_size(1) fn k() {}", "k", 4);
}

/* ---- objects ---- */

static void used_after_release(struct world *w)
{
    world_fill(w);
    WGPUCommandEncoder e = encoder(w);
    gpu.wgpuBufferRelease(w->a);
    gpu.wgpuCommandEncoderCopyBufferToBuffer(e, w->a, 0, w->b, 0, 4);
}

static void released_twice(struct world *w)
{
    world_fill(w);
    gpu.wgpuBufferRelease(w->a);
    gpu.wgpuBufferRelease(w->a);
}

static void released_early(struct world *w)
{
    world_fill(w);
    timestamp_copy(w);
    gpu.wgpuBufferRelease(w->a);
    w->a = NULL;
    CHECK(await_work(w));
}

static void leaked(struct world *w)
{
    world_fill(w);
}

static void info_leaked(struct world *w)
{
    WGPUAdapterInfo info = {0};
    CHECK(gpu.wgpuAdapterGetInfo(w->adapter, &info) == WGPUStatus_Success);
}

/* ---- threads ---- */

static void *fill_often(void *world)
{
    static const char bytes[1 << 20];
    struct world *w = world;
    for (int i = 0; i < w->fillings; i++)
        gpu.wgpuQueueWriteBuffer(w->queue, w->a, 0, bytes, sizeof bytes);
    return NULL;
}

static void fill_by_two(struct world *w, int fillings)
{
    pthread_t threads[2];
    w->fillings = fillings;
    w->a = make_buffer(w, WGPUBufferUsage_CopyDst, 1 << 20);
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, fill_often, w) == 0);
    for (int i = 0; i < 2; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}

static void two_threads(struct world *w)
{
    fill_by_two(w, 100);
}

/* The stub ends the process as soon as they meet, which may be late on a busy machine. */
static void two_threads_meet(struct world *w)
{
    fill_by_two(w, 1000000);
}

#define MISUSE "misuse 1 "

const struct test_case cases[] = {
    {"", sound, NULL},
    {"commands=held", sound, NULL},
    {"late=3", sound, NULL},
    {"ready_ns=1000000", sound, NULL},
    {"", fills, NULL},
    {"", by_name, NULL},
    {"adapters=none", no_adapter, NULL},
    {"start=5000,kernel_ns=777,empty_ns=5", timestamps, NULL},
    {"toggle=ignored,kernel_ns=65536", timestamps_cut, NULL},
    {"resolution=80,kernel_ns=800", timestamps_coarse, NULL},
    {"timestamps=zero", timestamps_zero, NULL},
    {"empty_ns=5", empty_pass, NULL},
    {"", written_twice,
     MISUSE "wgpuCommandEncoderBeginComputePass: a query is written twice in one encoder"},
    {"", resolved_unwritten,
     MISUSE "wgpuCommandEncoderResolveQuerySet: a query that no pass of the encoder writes"},
    {"", resolved_aside, MISUSE "wgpuCommandEncoderResolveQuerySet: offset 8"},
    {"", query_beyond, MISUSE "wgpuCommandEncoderBeginComputePass: query 4"},
    {"timestamp_query=0", no_feature,
     MISUSE "wgpuDeviceCreateQuerySet: the feature is not enabled"},
    {"", submitted_twice, MISUSE "wgpuQueueSubmit: the commands were submitted"},
    {"", submitted_mapped, MISUSE "wgpuQueueSubmit: a buffer is mapped"},
    {"", copy_of_odd_bytes, MISUSE "wgpuCommandEncoderCopyBufferToBuffer: alignment"},
    {"", copy_to_itself, MISUSE "wgpuCommandEncoderCopyBufferToBuffer: from a buffer to itself"},
    {"commands=held", held, NULL},
    {"commands=held", held_until_awaited, NULL},
    {"hang=1", hangs, "leak device 1"},
    {"lost=1", is_lost, NULL},
    {"", destroyed, NULL},
    {"memory=4000", scopes, NULL},
    {"memory=4000", scope_elsewhere, "leak error scope 1"},
    {"", scope_left, "leak error scope 1"},
    {"", no_scope, MISUSE "wgpuDevicePopErrorScope: there is no scope"},
    {"fail=wgpuDeviceCreateBuffer:1", fails_as_reported, NULL},
    {"fail=wgpuDeviceCreateBuffer:1,error=null", fails_with_nothing, NULL},
    {"", wrong_usage, MISUSE "wgpuDeviceCreateBuffer: usage 0x81"},
    {"", does_not_compile, NULL},
    {"", no_entry, NULL},
    {"max_group_size=64", group_too_large, NULL},
    {"", no_override,
     MISUSE "wgpuDeviceCreateComputePipeline: the text has no override kt_group_x"},
    {"", used_after_release, MISUSE "wgpuCommandEncoderCopyBufferToBuffer: buffer was released"},
    {"", released_twice, MISUSE "wgpuBufferRelease: buffer was released"},
    {"commands=held", released_early, NULL},
    {"", leaked, "leak buffer 4"},
    {"", info_leaked, "leak adapter info 4"},
    {"synchronises=1,threads=any", two_threads, NULL},
    {"strict=1", two_threads_meet, "abort"},
    {"strict=1", no_scope, "abort"},
    {"colour=red", by_name, "abort"},
    {"late=-1", by_name, "abort"},
    {"fail=wgpuNothing:1", by_name, "abort"},
    {NULL, NULL, NULL},
};
