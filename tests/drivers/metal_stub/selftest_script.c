/* What the script's keys change: the clocks, and what is spoiled. */
#include "selftest.h"

#include <string.h>

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
        CHECK(host == gpu && in >= -RESOLUTION_NS && (int64_t)host <= after &&
              after - before < 3000);
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

/* What an encoder with a fence, or without one, does to the time in which two are done that share
 * nothing. */
static int64_t two_encoders(struct world *w, id fence)
{
    id to = commands(w), buffers[] = {w->private, w->shared};
    int64_t begin_ns = mtl.ktStubNow();
    for (int i = 0; i < 2; i++) {
        id e = encoder(to, "compute", NULL);
        if (fence && i)
            SEND(void, (id, SEL, id), e, "waitForFence:", fence);
        dispatch_fill(w, e, buffers[i], WORDS);
        if (fence)
            SEND(void, (id, SEL, id), e, "updateFence:", fence);
        end(e);
    }
    commit(to);
    CHECK(await(to) == DONE);
    return mtl.ktStubNow() - begin_ns;
}

static void overlaps(struct world *w)
{
    id fence = GET(id, w->device, "newFence");
    mtl.ktStubTake(10 * FILL_NS);
    CHECK(two_encoders(w, NULL) < 20 * FILL_NS);
    CHECK(two_encoders(w, fence) >= 20 * FILL_NS);
    release(fence);
}

static void in_series(struct world *w)
{
    mtl.ktStubTake(10 * FILL_NS);
    CHECK(two_encoders(w, NULL) >= 20 * FILL_NS);
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
    CHECK(is_about(values[1] - values[0], 5000000, RESOLUTION_NS));
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
    uint32_t last[2] = {0};
    for (int i = 0; i < 2; i++) {
        id to = commands(w), e = encoder(to, "compute", NULL);
        dispatch_fill(w, e, w->shared, WORDS);
        end(e);
        commit(to);
        CHECK(await(to) == DONE);
        last[i] = GET(const uint32_t *, w->shared, "contents")[WORDS - 1];
    }
    CHECK(last[1] == last[0] + 1);
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

static void lacks_unified(struct world *w)
{
    CHECK(!knows(w->device, "hasUnifiedMemory") && knows(w->device, "isLowPower"));
}

static void passes_on(struct world *w)
{
    CHECK(!has_method(w->device, "hasUnifiedMemory") && knows(w->device, "hasUnifiedMemory"));
    CHECK(!knows(w->device, "commandBuffer") && !knows(w->queue, "hasUnifiedMemory"));
    CHECK(has_method(w->queue, "commandBuffer") && knows(w->queue, "commandBuffer"));
    sound(w);
}

/* Each of the two words turns off what it is for. */
static void compiles_when_precise(struct world *w)
{
    id source = text("kernel void other() {}"), error = NULL;
    id options = GET(id, mtl.objc_getClass("MTLCompileOptions"), "new");
    for (int i = 0; i < 3; i++) {
        if (i == 1)
            SEND(void, (id, SEL, ns_uint), options, "setMathMode:", 0);
        if (i == 2)
            SEND(void, (id, SEL, ns_bool), options, "setFastMathEnabled:", 0);
        id made = SEND(id, (id, SEL, id, id, id *), w->device,
                       "newLibraryWithSource:options:error:", source, options, &error);
        CHECK((made != NULL) == (i == 2));
        release(made);
    }
    release(options);
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

const struct test_case script_cases[] = {
    {"", overlaps, NULL, false},
    {"overlap=0", in_series, NULL, false},
    {"clock=host", host_clock, NULL, false},
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
    {"timestamps=zero", zeros, NULL, false},
    {"timestamps=error,every=2", every_second_is_wrong, NULL, false},
    {"timestamps=backwards,first=1", first_is_backwards, NULL, false},
    {"timestamps=equal,every=2", second_is_nothing, NULL, false},
    {"late=3", late, NULL, false},
    {"hang=1", hangs, "leak command buffer 1", false},
    {"error=1", fails_on_the_device, NULL, false},
    {"wrong=2", second_is_off, NULL, false},
    {"skip_copy=1", copy_is_skipped, NULL, false},
    {"missing=sampleTimestamps:gpuTimestamp:", lacks_pairs, NULL, false},
    {"missing=MTLBlitPassDescriptor,missing=count", lacks_a_class, "", true},
    {"fail=commandBuffer:2", fails_once, NULL, false},
    {"fail=newLibraryWithSource:options:error::1", fails_with_an_error, NULL, true},
    {"precise=1", compiles_when_precise, NULL, false},
    {"proxy=1", passes_on, NULL, false},
    {"proxy=1,missing=hasUnifiedMemory", lacks_unified, NULL, false},
    {"fail=any:1", first_call_fails, NULL, true},
    {"max_sample_buffers=2", no_more_sample_buffers, NULL, false},
    {"", too_many_samples, NULL, false},
    {"colour=red", sound, "abort", false},
    {"missing=MTLNothing", sound, "abort", false},
    {"fail=nothing:1", sound, "abort", false},
    {"ns_per_tick=fast", sound, "abort", false},
    {NULL, NULL, NULL, false},
};
