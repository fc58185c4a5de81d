/* What works. */
#include "selftest.h"

#include <string.h>

/* ---- passes ---- */

/* What a pass writes is there when it is complete, and its samples are within the times of the
 * command buffer. */
void sound(struct world *w)
{
    uint64_t values[4] = {0};
    id to = commands(w);
    fill_in_pass(w, to, 0);
    copy_in_pass(w, to, 2);
    commit(to);
    CHECK(await(to) == DONE);
    CHECK(is_filled(w) && resolve(w, values, 4));
    CHECK(is_about(values[1] - values[0], FILL_NS, RESOLUTION_NS));
    CHECK(is_about(values[2] - values[1], GAP_NS, RESOLUTION_NS));
    CHECK(is_about(values[3] - values[2], FILL_NS, RESOLUTION_NS));
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
    CHECK(is_about(values[1] - values[0], FILL_NS, RESOLUTION_NS));
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

const struct test_case cases[] = {
    {"", sound, NULL, false},
    {"timebase=1/1", sound, NULL, false},
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
    {NULL, NULL, NULL, false},
};
