/* What works, and what the script's keys change. */
#include "selftest.h"

#include <string.h>

enum { FILL_NS = 10000, GAP_NS = 2000, GRID_NS = 42 };

/* ---- what works ---- */

static void fill_in_pass(struct world *w, id to, ns_uint first)
{
    id e = encoder(to, "compute", make_pass(w, "Compute", first, first + 1));
    dispatch_fill(w, e, w->private, WORDS);
    end(e);
}

static void copy_in_pass(struct world *w, id to, ns_uint first)
{
    id e = encoder(to, "blit", make_pass(w, "Blit", first, first + 1));
    copy(w, e);
    end(e);
}

static bool is_filled(struct world *w)
{
    const uint32_t *words = GET(const void *, w->shared, "contents");
    return words && words[0] == words[WORDS - 1] && words[0] != 0xCDCDCDCD;
}

static bool is_about(uint64_t value, uint64_t wanted, uint64_t off)
{
    return value + off >= wanted && value <= wanted + off;
}

/* What a pass writes is there when it is complete, and its samples are within the times of the command buffer. */
static void sound(struct world *w)
{
    uint64_t values[4] = {0};
    id to = commands(w);
    fill_in_pass(w, to, 0);
    copy_in_pass(w, to, 2);
    commit(to);
    CHECK(await(to) == DONE);
    CHECK(is_filled(w) && resolve(w, values, 4));
    CHECK(is_about(values[1] - values[0], FILL_NS, GRID_NS));
    CHECK(is_about(values[2] - values[1], GAP_NS, GRID_NS));
    CHECK(is_about(values[3] - values[2], FILL_NS, GRID_NS));
    CHECK(GET(double, to, "GPUStartTime") * 1e9 < (double)values[0] + 1);
    CHECK(GET(double, to, "GPUEndTime") * 1e9 + 1 > (double)values[3]);
    CHECK(GET(id, to, "error") == NULL && GET(id, to, "device") == w->device);
}

static void waits(struct world *w)
{
    id to = commands(w);
    fill_in_pass(w, to, 0);
    copy_in_pass(w, to, 2);
    commit(to);
    GET(void, to, "waitUntilCompleted");
    CHECK(GET(ns_uint, to, "status") == DONE && is_filled(w));
}

/* What is under way keeps what it uses. */
static void released_early(struct world *w)
{
    id to = commands(w);
    copy_in_pass(w, to, 0);
    commit(to);
    release(w->private);
    w->private = NULL;
    CHECK(await(to) == DONE);
}

/* An encoder that does nothing is dropped, so its samples stay 0 and may be taken again. */
static void empty_encoder(struct world *w)
{
    uint64_t values[2] = {1, 1};
    id to = commands(w);
    end(encoder(to, "compute", make_pass(w, "Compute", 0, 1)));
    commit(to);
    CHECK(await(to) == DONE && resolve(w, values, 2) && values[0] == 0 && values[1] == 0);
    to = commands(w);
    fill_in_pass(w, to, 0);
    commit(to);
    CHECK(await(to) == DONE && resolve(w, values, 2) && values[0] && values[1] > values[0]);
}

static void draws(struct world *w)
{
    uint64_t values[2] = {0};
    id to = commands(w), e = encoder(to, "render", make_pass(w, "Render", 0, 1));
    SEND(void, (id, SEL, ns_uint, ns_uint, ns_uint), e,
         "drawPrimitives:vertexStart:vertexCount:", (ns_uint)3, (ns_uint)0, (ns_uint)3);
    end(e);
    commit(to);
    CHECK(await(to) == DONE && resolve(w, values, 2));
    CHECK(is_about(values[1] - values[0], FILL_NS, GRID_NS));
}

static void sample(struct world *w, id e, ns_uint index)
{
    SEND(void, (id, SEL, id, ns_uint, ns_bool), e,
         "sampleCountersInBuffer:atSampleIndex:withBarrier:", w->samples, index, (ns_bool)1);
}

/* Two steps in one encoder, as on AMD and Intel: what stands between two samples. */
static void boundaries(struct world *w, uint64_t *values)
{
    id to = commands(w), e = encoder(to, "compute", NULL);
    for (ns_uint i = 0; i < 4; i++) {
        sample(w, e, i);
        if (i % 2 == 0)
            dispatch_fill(w, e, w->private, WORDS);
    }
    end(e);
    commit(to);
    CHECK(await(to) == DONE && resolve(w, values, 4));
}

static void amd(struct world *w)
{
    uint64_t values[4] = {0};
    boundaries(w, values);
    CHECK(values[1] - values[0] == FILL_NS && values[2] == values[1]);
    CHECK(values[3] - values[2] == FILL_NS);
    CHECK(!GET(ns_bool, w->device, "hasUnifiedMemory"));
}

/* 10 us are 120.0005 ticks of 83.333 ns. */
static void intel(struct world *w)
{
    uint64_t values[4] = {0};
    boundaries(w, values);
    CHECK(is_about(values[1] - values[0], 120, 1) && is_about(values[3] - values[0], 240, 1));
}

static void no_samples(struct world *w)
{
    CHECK(!w->set && GET(id, w->device, "counterSets") == NULL);
    for (ns_uint point = 0; point < 5; point++)
        CHECK(!SEND(ns_bool, (id, SEL, ns_uint), w->device, "supportsCounterSampling:", point));
}

static bool samples_at(struct world *w, ns_uint point)
{
    return SEND(ns_bool, (id, SEL, ns_uint), w->device, "supportsCounterSampling:", point);
}

static void points_of_apple(struct world *w)
{
    CHECK(samples_at(w, 0));
    CHECK(!samples_at(w, 1) && !samples_at(w, 2) && !samples_at(w, 3) && !samples_at(w, 4));
}

static void points_of_amd(struct world *w)
{
    CHECK(!samples_at(w, 0) && !samples_at(w, 3));
    CHECK(samples_at(w, 1) && samples_at(w, 2) && samples_at(w, 4));
}

/* ---- Foundation and lifetimes ---- */

static void objects(struct world *w)
{
    id string = text("abc"), raw = GET(id, mtl.objc_getClass("NSString"), "alloc");
    id made = SEND(id, (id, SEL, const void *, ns_uint, ns_uint), raw,
                   "initWithBytes:length:encoding:", "defg", (ns_uint)3, (ns_uint)4);
    CHECK(strcmp(GET(const char *, string, "UTF8String"), "abc") == 0);
    CHECK(strcmp(GET(const char *, made, "UTF8String"), "def") == 0);
    CHECK(GET(ns_uint, made, "retainCount") == 1);
    CHECK(GET(id, made, "retain") == made && GET(ns_uint, made, "retainCount") == 2);
    release(made);
    GET(id, made, "autorelease");
    id system = GET(id, GET(id, mtl.objc_getClass("NSProcessInfo"), "processInfo"),
                    "operatingSystemVersionString");
    CHECK(strncmp(GET(const char *, system, "UTF8String"), "Version ", 8) == 0);
    CHECK(strcmp(GET(const char *, GET(id, w->device, "name"), "UTF8String"), "Apple M2") == 0);
    CHECK(GET(double, commands(w), "GPUEndTime") == 0);
}

static void pools_within(struct world *w)
{
    void *pool = mtl.objc_autoreleasePoolPush();
    commands(w);
    mtl.objc_autoreleasePoolPop(pool);
}

static void three_devices(struct world *w)
{
    id all = mtl.MTLCopyAllDevices();
    CHECK(GET(ns_uint, all, "count") == 3);
    id second = SEND(id, (id, SEL, ns_uint), all, "objectAtIndex:", (ns_uint)1);
    CHECK(second != w->device);
    CHECK(GET(uint64_t, second, "registryID") != GET(uint64_t, w->device, "registryID"));
    release(all);
    id first = mtl.MTLCreateSystemDefaultDevice();
    CHECK(first == w->device);
    release(first);
}

static void no_device(struct world *w)
{
    id all = mtl.MTLCopyAllDevices();
    (void)w;
    CHECK(all && GET(ns_uint, all, "count") == 0 && !mtl.MTLCreateSystemDefaultDevice());
    release(all);
}

static void memory_of_the_process(struct world *w)
{
    static _Alignas(65536) unsigned char memory[65536];
    id made = SEND(id, (id, SEL, void *, ns_uint, ns_uint, void *), w->device,
                   "newBufferWithBytesNoCopy:length:options:deallocator:", memory,
                   (ns_uint)sizeof memory, (ns_uint)0, NULL);
    CHECK(made && GET(void *, made, "contents") == memory);
    CHECK(GET(void *, w->private, "contents") == NULL);
    release(made);
}

static void buffer_too_long(struct world *w)
{
    CHECK(!SEND(id, (id, SEL, ns_uint, ns_uint), w->device,
                "newBufferWithLength:options:", (ns_uint)BYTES + 1, (ns_uint)0));
}

static void only_kernels_that_are_there(struct world *w)
{
    CHECK(!SEND(id, (id, SEL, id), w->library, "newFunctionWithName:", text("none")));
    id other = SEND(id, (id, SEL, id), w->library, "newFunctionWithName:", text("other"));
    CHECK(other && GET(ns_uint, other, "functionType") == 3);
    release(other);
}

/* Behind a macro, too, but in no comment. */
static void kernels_are_found(struct world *w)
{
    static const struct {
        const char *name;
        bool there;
    } kernels[] = {{"plain", true}, {"marked", true}, {"absent", false}, {"helper", false}};
    id library = make_library(w,
                              "#define OTHER device\n#define MARK  kernel\n"
                              "kernel void plain() {}\nMARK void marked() {}\n"
                              "// MARK void absent() {}\nOTHER void helper() {}\n",
                              NULL);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        id function =
            SEND(id, (id, SEL, id), library, "newFunctionWithName:", text(kernels[i].name));
        CHECK((function != NULL) == kernels[i].there);
        release(function);
    }
    release(library);
}

static void does_not_compile(struct world *w)
{
    id error = NULL;
    CHECK(!make_library(w, "kernel void k() {", &error));
    CHECK(error && strstr(GET(const char *, GET(id, error, "localizedDescription"), "UTF8String"),
                          "error: expected '}'"));
}

static void builds_nothing(struct world *w)
{
    id error = NULL;
    w->pool = mtl.objc_autoreleasePoolPush();
    w->device = mtl.MTLCreateSystemDefaultDevice();
    CHECK(!make_library(w, "kernel void k() {}", &error) && error);
    release(w->device);
    mtl.objc_autoreleasePoolPop(w->pool);
}

/* ---- the clocks ---- */

static void pair(struct world *w, uint64_t *host, uint64_t *gpu)
{
    SEND(void, (id, SEL, uint64_t *, uint64_t *), w->device, "sampleTimestamps:gpuTimestamp:", host,
         gpu);
}

/* Of one moment, within the call, and now here and now there. */
static void pairs_of_apple(struct world *w)
{
    int64_t least = INT64_MAX, most = 0;
    for (int i = 0; i < 100; i++) {
        uint64_t host = 0, gpu = 0;
        int64_t before = mtl.ktStubNow();
        pair(w, &host, &gpu);
        int64_t after = mtl.ktStubNow(), in = (int64_t)host - before;
        CHECK(host == gpu && in >= -GRID_NS && (int64_t)host <= after && after - before < 3000);
        least = in < least ? in : least;
        most = in > most ? in : most;
    }
    CHECK(least < 400 && most > 1600);
}

static void pairs_in_ticks(struct world *w)
{
    uint64_t host = 0, gpu = 0, before = mtl.mach_absolute_time();
    uint32_t timebase[2] = {0};
    pair(w, &host, &gpu);
    CHECK(host >= before && host <= mtl.mach_absolute_time());
    CHECK(mtl.mach_timebase_info(timebase) == 0 && timebase[0] == 125 && timebase[1] == 3);
    CHECK(host * 125 / 3 == gpu);
}

static void pairs_apart(struct world *w)
{
    bool differ = false;
    for (int i = 0; i < 10; i++) {
        uint64_t host = 0, gpu = 0;
        pair(w, &host, &gpu);
        differ |= host != gpu;
    }
    CHECK(differ);
}

/* Every second one. */
static void pairs_blocked(struct world *w)
{
    for (int i = 0; i < 10; i++) {
        uint64_t host = 0, gpu = 0;
        int64_t before = mtl.ktStubNow();
        pair(w, &host, &gpu);
        CHECK((mtl.ktStubNow() - before > 5000000) == (i % 2 == 1));
    }
}

/* How many ticks pass in a second of the stub's. */
static uint64_t ticks_in_a_second(struct world *w)
{
    uint64_t host[2] = {0}, gpu[2] = {0};
    pair(w, &host[0], &gpu[0]);
    mtl.ktStubAdvance(1000000000 - (int64_t)(mtl.ktStubNow() - (int64_t)host[0]));
    pair(w, &host[1], &gpu[1]);
    return (uint64_t)((double)(gpu[1] - gpu[0]) * 1e9 / (double)(host[1] - host[0]));
}

static void clock_of_intel(struct world *w)
{
    CHECK(is_about(ticks_in_a_second(w), 12000048, 2)); /* 1e9 / 83.333 */
}

static void clock_drifts(struct world *w)
{
    CHECK(is_about(ticks_in_a_second(w), 1000100000, 2));
}

static void pairs_are_wrong(struct world *w)
{
    CHECK(is_about(ticks_in_a_second(w), 1100000000, 2));
}

/* 8 bits: 256 us hold it 1000 times, 999 of them ended. */
static void rolls_over(struct world *w)
{
    uint64_t host = 0, gpu = 0, after = 0;
    pair(w, &host, &gpu);
    CHECK(gpu < 256);
    mtl.ktStubAdvance(256000);
    uint64_t was = host;
    pair(w, &host, &after);
    CHECK(after < 256 && ((gpu + host - was) & 255) == after);
}

static void begins_there(struct world *w)
{
    uint64_t host = 0, gpu = 0;
    pair(w, &host, &gpu);
    CHECK(gpu - 77 == host - 5000);
}

static void host_clock(struct world *w)
{
    int64_t before = mtl.ktStubNow();
    sound(w);
    CHECK(mtl.ktStubNow() - before > FILL_NS * 2 + GAP_NS);
}

static void take(struct world *w)
{
    uint64_t values[2] = {0};
    id to = commands(w);
    mtl.ktStubTake(5000000);
    fill_in_pass(w, to, 0);
    commit(to);
    CHECK(await(to) == DONE && resolve(w, values, 2));
    CHECK(is_about(values[1] - values[0], 5000000, GRID_NS));
}

static struct {
    int count;
    int64_t ns[2];
    uint64_t ticks[2];
} seen;

static void note(const void *samples, uint64_t index, uint64_t ticks, int64_t ns)
{
    (void)samples;
    seen.count++;
    seen.ns[index] = ns;
    seen.ticks[index] = ticks;
}

/* The truth has no grid. */
static void observed(struct world *w)
{
    uint64_t values[2] = {0};
    id to = commands(w);
    mtl.ktStubObserve(note);
    fill_in_pass(w, to, 0);
    commit(to);
    CHECK(await(to) == DONE && resolve(w, values, 2));
    CHECK(seen.count == 2 && seen.ns[1] - seen.ns[0] == FILL_NS);
    CHECK(seen.ticks[0] == values[0] && seen.ticks[1] == values[1]);
}

/* ---- what the script spoils ---- */

static void take_two(struct world *w, uint64_t values[4])
{
    for (ns_uint i = 0; i < 4; i += 2) {
        id to = commands(w);
        fill_in_pass(w, to, i);
        commit(to);
        CHECK(await(to) == DONE);
    }
    CHECK(resolve(w, values, 4));
}

static void zeros(struct world *w)
{
    uint64_t v[4];
    take_two(w, v);
    CHECK(v[0] == 0 && v[1] == 0 && v[2] == 0 && v[3] == 0);
}

static void every_second_is_wrong(struct world *w)
{
    uint64_t v[4];
    take_two(w, v);
    CHECK(v[0] != UINT64_MAX && v[1] == UINT64_MAX && v[2] != UINT64_MAX && v[3] == UINT64_MAX);
}

static void first_is_backwards(struct world *w)
{
    uint64_t v[4];
    take_two(w, v);
    CHECK(v[1] == v[0] - 1 && v[3] > v[2]);
}

static void second_is_nothing(struct world *w)
{
    uint64_t v[4];
    take_two(w, v);
    CHECK(v[1] > v[0] && v[3] == v[2]);
}

static void late(struct world *w)
{
    id to = commands(w);
    fill_in_pass(w, to, 0);
    commit(to);
    int asked = 1;
    CHECK(GET(double, to, "GPUStartTime") == 0 && GET(double, to, "GPUEndTime") == 0);
    while (GET(ns_uint, to, "status") < DONE)
        asked++;
    CHECK(asked == 1 + 3 + 1);
}

static void hangs(struct world *w)
{
    id to = commands(w);
    fill_in_pass(w, to, 0);
    commit(to);
    CHECK(await(to) == 3);
}

static void fails_on_the_device(struct world *w)
{
    id to = commands(w);
    fill_in_pass(w, to, 0);
    commit(to);
    CHECK(await(to) == FAILED && GET(id, to, "error") != NULL);
    CHECK(GET(double, to, "GPUEndTime") == 0);
    to = commands(w);
    fill_in_pass(w, to, 0);
    commit(to);
    CHECK(await(to) == DONE);
}

static void second_is_off(struct world *w)
{
    uint32_t first[2] = {0};
    for (int i = 0; i < 2; i++) {
        id to = commands(w), e = encoder(to, "compute", NULL);
        dispatch_fill(w, e, w->shared, WORDS);
        end(e);
        commit(to);
        CHECK(await(to) == DONE);
        memcpy(&first[i], GET(const void *, w->shared, "contents"), sizeof first[i]);
    }
    CHECK(first[1] == first[0] + 1);
}

static void copy_is_skipped(struct world *w)
{
    id to = commands(w);
    fill_in_pass(w, to, 0);
    copy_in_pass(w, to, 2);
    commit(to);
    CHECK(await(to) == DONE && !is_filled(w));
}

static void lacks_pairs(struct world *w)
{
    CHECK(!knows(w->device, "sampleTimestamps:gpuTimestamp:"));
    CHECK(knows(w->device, "counterSets"));
}

static void lacks_a_class(struct world *w)
{
    (void)w;
    CHECK(!mtl.objc_getClass("MTLBlitPassDescriptor"));
    CHECK(mtl.objc_getClass("MTLComputePassDescriptor") != NULL);
}

static void fails_once(struct world *w)
{
    CHECK(commands(w) != NULL);
    CHECK(commands(w) == NULL);
    CHECK(commands(w) != NULL);
}

static void fails_with_an_error(struct world *w)
{
    id error = NULL;
    w->pool = mtl.objc_autoreleasePoolPush();
    w->device = mtl.MTLCreateSystemDefaultDevice();
    CHECK(!make_library(w, "kernel void k() {}", &error) && error);
    release(w->device);
    mtl.objc_autoreleasePoolPop(w->pool);
}

static void first_call_fails(struct world *w)
{
    (void)w;
    CHECK(!mtl.MTLCopyAllDevices());
}

static void no_more_sample_buffers(struct world *w)
{
    id error = NULL, second = make_samples(w, 4, NULL);
    CHECK(second && !make_samples(w, 4, &error) && error);
    release(second);
    second = make_samples(w, 4, NULL);
    CHECK(second != NULL);
    release(second);
}

static void too_many_samples(struct world *w)
{
    id error = NULL;
    CHECK(!make_samples(w, 4097, &error) && error);
}

const struct test_case cases[] = {
    {"", sound, NULL, false},
    {"timebase=1/1", sound, NULL, false},
    {"clock=host", host_clock, NULL, false},
    {"", waits, NULL, false},
    {"clock=host", waits, NULL, false},
    {"", released_early, NULL, false},
    {"", empty_encoder, NULL, false},
    {"", draws, NULL, false},
    {"sampling=amd", amd, NULL, false},
    {"sampling=intel", intel, NULL, false},
    {"sampling=none", no_samples, NULL, false},
    {"", points_of_apple, NULL, false},
    {"sampling=amd", points_of_amd, NULL, false},
    {"", objects, NULL, false},
    {"", pools_within, NULL, false},
    {"devices=3", three_devices, NULL, false},
    {"devices=0", no_device, NULL, true},
    {"", memory_of_the_process, NULL, false},
    {"max_buffer=4096", buffer_too_long, NULL, false},
    {"", only_kernels_that_are_there, NULL, false},
    {"", kernels_are_found, NULL, false},
    {"", does_not_compile, NULL, false},
    {"build=fail", builds_nothing, NULL, true},
    {"", pairs_of_apple, NULL, false},
    {"host_side=ticks", pairs_in_ticks, NULL, false},
    {"read_at=apart", pairs_apart, NULL, false},
    {"block_every=2,block_ns=5000000", pairs_blocked, NULL, false},
    {"sampling=intel", clock_of_intel, NULL, false},
    {"drift_ppm=100", clock_drifts, NULL, false},
    {"pairs_percent=110", pairs_are_wrong, NULL, false},
    {"sampling=amd,bits=8", rolls_over, NULL, false},
    {"sampling=amd,start=77,begin=5000", begins_there, NULL, false},
    {"", take, NULL, false},
    {"", observed, NULL, false},
    {"stamps=zero", zeros, NULL, false},
    {"stamps=error,every=2", every_second_is_wrong, NULL, false},
    {"stamps=backwards,first=1", first_is_backwards, NULL, false},
    {"stamps=equal,every=2", second_is_nothing, NULL, false},
    {"late=3", late, NULL, false},
    {"hang=1", hangs, "leak command buffer 1", false},
    {"error=1", fails_on_the_device, NULL, false},
    {"wrong=2", second_is_off, NULL, false},
    {"skip_copy=1", copy_is_skipped, NULL, false},
    {"missing=sampleTimestamps:gpuTimestamp:", lacks_pairs, NULL, false},
    {"missing=MTLBlitPassDescriptor,missing=count", lacks_a_class, "", true},
    {"fail=commandBuffer:2", fails_once, NULL, false},
    {"fail=newLibraryWithSource:options:error::1", fails_with_an_error, NULL, true},
    {"fail=any:1", first_call_fails, NULL, true},
    {"max_sample_buffers=2", no_more_sample_buffers, NULL, false},
    {"", too_many_samples, NULL, false},
    {"colour=red", sound, "abort", false},
    {"missing=MTLNothing", sound, "abort", false},
    {"fail=nothing:1", sound, "abort", false},
    {"ns_per_tick=fast", sound, "abort", false},
    {NULL, NULL, NULL, false},
};
