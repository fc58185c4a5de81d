/* SPDX-License-Identifier: MIT */
/* selftest LIBRARY: a run that uses the stub rightly, and a case for each kind of misuse of
 * Metal. */
#include "runtime.h"
#include "tests/drivers/frame/cases.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As kerntime has them: through the one library that is the stub with the runtime behind it. */
#define API(X)                                                                                  \
    X(id, objc_getClass, (const char *name))                                                    \
    X(SEL, sel_registerName, (const char *name))                                                \
    X(Class, object_getClass, (id object))                                                      \
    X(IMP, class_getMethodImplementation, (Class of, SEL selector))                             \
    X(unsigned char, class_respondsToSelector, (Class of, SEL selector))                        \
    X(void *, objc_autoreleasePoolPush, (void))                                                 \
    X(void, objc_autoreleasePoolPop, (void *pool))                                              \
    X(void, objc_setAssociatedObject, (id object, const void *key, id value, uintptr_t policy)) \
    X(id, MTLCopyAllDevices, (void))                                                            \
    X(int64_t, ktStubNow, (void))

static struct api {
#define MEMBER(result, name, parameters) result(*name) parameters;
    API(MEMBER)
} mtl;

typedef unsigned long ns_uint;
typedef unsigned char ns_bool;
struct mtl_size {
    ns_uint width, height, depth;
};
struct ns_range {
    ns_uint location, length;
};

enum { FILL_NS = 10000, GAP_NS = 2000, RESOLUTION_NS = 42 }; /* as the script has them by itself */
enum { BYTES = 4096, WORDS = BYTES / 4, SAMPLES = 8, PRIVATE = 32, DONE = 4 };

static struct {
    void *pool;
    id device, queue, set, samples;
    id private, shared; /* buffers */
    id library, fill;   /* its pipeline */
} w;

/* ---- messages ---- */

static bool has_method(id object, const char *selector)
{
    return mtl.class_respondsToSelector(mtl.object_getClass(object),
                                        mtl.sel_registerName(selector));
}

static IMP implementation(id object, const char *selector)
{
    return mtl.class_getMethodImplementation(mtl.object_getClass(object),
                                             mtl.sel_registerName(selector));
}

static bool knows(id object, const char *selector)
{
    static const char asks[] = "respondsToSelector:";
    return ((ns_bool(*)(id, SEL, SEL))implementation(object, asks))(
        object, mtl.sel_registerName(asks), mtl.sel_registerName(selector));
}

static IMP find(id object, const char *selector)
{
    if (object && (has_method(object, selector) || knows(object, selector)))
        return implementation(object, selector);
    fprintf(stderr, "%s is sent to %s\n", selector, object ? "what does not know it" : "nil");
    exit(1);
}

/* SEND(result, (types), object, "selector:", arguments); GET: without arguments */
#define SEND(result, types, object, selector, ...)                                        \
    ((result(*) types)find((object), selector))((object), mtl.sel_registerName(selector), \
                                                __VA_ARGS__)
#define GET(result, object, selector) \
    ((result(*)(id, SEL))find((object), selector))((object), mtl.sel_registerName(selector))

static id text(const char *text)
{
    return SEND(id, (id, SEL, const char *), mtl.objc_getClass("NSString"),
                "stringWithUTF8String:", text);
}

static void release(id object)
{
    GET(void, object, "release");
}

static id at(id list, const char *selector, ns_uint index)
{
    return SEND(id, (id, SEL, ns_uint), list, selector, index);
}

/* ---- the world ---- */

static id make_samples(void)
{
    id of = GET(id, mtl.objc_getClass("MTLCounterSampleBufferDescriptor"), "new");
    SEND(void, (id, SEL, id), of, "setCounterSet:", w.set);
    SEND(void, (id, SEL, ns_uint), of, "setStorageMode:", 0);
    SEND(void, (id, SEL, ns_uint), of, "setSampleCount:", SAMPLES);
    id made = SEND(id, (id, SEL, id, id *), w.device,
                   "newCounterSampleBufferWithDescriptor:error:", of, NULL);
    release(of);
    return made;
}

static id make_library(id options)
{
    return SEND(id, (id, SEL, id, id, id *), w.device,
                "newLibraryWithSource:options:error:", text("kernel void fill() {}"), options,
                NULL);
}

static id make_buffer(ns_uint options)
{
    return SEND(id, (id, SEL, ns_uint, ns_uint), w.device, "newBufferWithLength:options:", BYTES,
                options);
}

static void make_kernel(void)
{
    w.library = make_library(NULL);
    id function = SEND(id, (id, SEL, id), w.library, "newFunctionWithName:", text("fill"));
    w.fill = SEND(id, (id, SEL, id, id *), w.device,
                  "newComputePipelineStateWithFunction:error:", function, NULL);
    release(function);
}

static void world_open(void)
{
    w.pool = mtl.objc_autoreleasePoolPush();
    id all = mtl.MTLCopyAllDevices();
    w.device = GET(id, at(all, "objectAtIndex:", 0), "retain");
    release(all);
    w.queue = GET(id, w.device, "newCommandQueue");
    w.set = at(GET(id, w.device, "counterSets"), "objectAtIndex:", 0);
    w.samples = make_samples();
    w.private = make_buffer(PRIVATE);
    w.shared = make_buffer(0);
    if (!strstr(getenv("KT_STUB_METAL"), "precise=1"))
        make_kernel();
}

static void world_close(void)
{
    const id all[] = {w.fill, w.library, w.shared, w.private, w.samples, w.queue, w.device};
    mtl.objc_autoreleasePoolPop(w.pool); /* with the command buffers, which write to the samples */
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        release(all[i]);
}

static id make_pass(const char *class, const char *make, ns_uint start)
{
    id pass = GET(id, mtl.objc_getClass(class), make);
    id of = at(GET(id, pass, "sampleBufferAttachments"), "objectAtIndexedSubscript:", 0);
    SEND(void, (id, SEL, id), of, "setSampleBuffer:", w.samples);
    SEND(void, (id, SEL, ns_uint), of, "setStartOfEncoderSampleIndex:", start);
    SEND(void, (id, SEL, ns_uint), of, "setEndOfEncoderSampleIndex:", start + 1);
    return pass;
}

static id compute_pass(ns_uint start)
{
    return make_pass("MTLComputePassDescriptor", "computePassDescriptor", start);
}

static id blit_pass(ns_uint start)
{
    return make_pass("MTLBlitPassDescriptor", "blitPassDescriptor", start);
}

static id commands(void)
{
    return GET(id, w.queue, "commandBuffer");
}

static id compute(id to)
{
    return GET(id, to, "computeCommandEncoder");
}

static id compute_in(id to, id pass)
{
    return SEND(id, (id, SEL, id), to, "computeCommandEncoderWithDescriptor:", pass);
}

static void dispatch(id to, ns_uint threads)
{
    const struct mtl_size groups = {WORDS / 64, 1, 1}, size = {threads, 1, 1};
    SEND(void, (id, SEL, struct mtl_size, struct mtl_size), to,
         "dispatchThreadgroups:threadsPerThreadgroup:", groups, size);
}

static void set_buffer(id to, id buffer, ns_uint offset)
{
    SEND(void, (id, SEL, id, ns_uint, ns_uint), to, "setBuffer:offset:atIndex:", buffer, offset, 0);
}

static void set_bytes(id to, const void *bytes, ns_uint length)
{
    SEND(void, (id, SEL, const void *, ns_uint, ns_uint), to, "setBytes:length:atIndex:", bytes,
         length, 1);
}

static void fill(id to, id buffer, uint32_t n)
{
    SEND(void, (id, SEL, id), to, "setComputePipelineState:", w.fill);
    set_buffer(to, buffer, 0);
    set_bytes(to, &n, sizeof n);
    dispatch(to, 64);
}

static void copy(id to, ns_uint from, id buffer, ns_uint bytes)
{
    SEND(void, (id, SEL, id, ns_uint, id, ns_uint, ns_uint), to,
         "copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:", w.private, from, buffer, 0,
         bytes);
}

static void end(id of)
{
    GET(void, of, "endEncoding");
}

static void fill_in_pass(id to)
{
    id e = compute_in(to, compute_pass(0));
    fill(e, w.private, WORDS);
    end(e);
}

static void run(id of)
{
    ns_uint status = 0;
    GET(void, of, "commit");
    for (int i = 0; i < 10 && status < DONE; i++)
        status = GET(ns_uint, of, "status");
    CHECK(status == DONE);
}

static const uint64_t *resolve(ns_uint count)
{
    const struct ns_range range = {0, count};
    id data = SEND(id, (id, SEL, struct ns_range), w.samples, "resolveCounterRange:", range);
    return data ? GET(const void *, data, "bytes") : NULL;
}

/* ---- what is right ---- */

static bool is_about(uint64_t value, uint64_t wanted)
{
    return value + RESOLUTION_NS >= wanted && value <= wanted + RESOLUTION_NS;
}

static void used_rightly(void)
{
    id to = commands();
    fill_in_pass(to);
    id e = SEND(id, (id, SEL, id), to, "blitCommandEncoderWithDescriptor:", blit_pass(2));
    copy(e, 0, w.shared, BYTES);
    end(e);
    run(to);
    const uint32_t *words = GET(const void *, w.shared, "contents");
    const uint64_t *values = resolve(4);
    CHECK(words[0] == 0x12345678 && words[WORDS - 1] == 0x12345678);
    CHECK(is_about(values[1] - values[0], FILL_NS) && is_about(values[2] - values[1], GAP_NS) &&
          is_about(values[3] - values[2], FILL_NS));
    CHECK(GET(double, to, "GPUStartTime") * 1e9 < (double)values[0] + 1);
    CHECK(GET(double, to, "GPUEndTime") * 1e9 + 1 > (double)values[3]);
    world_close();
}

/* ---- keys that other tests would not miss ---- */

static void passes_on(void)
{
    CHECK(!has_method(w.device, "hasUnifiedMemory") && knows(w.device, "hasUnifiedMemory"));
    CHECK(has_method(w.queue, "commandBuffer") && !knows(w.queue, "hasUnifiedMemory"));
    used_rightly();
}

/* Each of the two words turns off what it is for. */
static void compiles_when_precise(void)
{
    id options = GET(id, mtl.objc_getClass("MTLCompileOptions"), "new");
    CHECK(!make_library(options));
    SEND(void, (id, SEL, ns_uint), options, "setMathMode:", 0);
    CHECK(!make_library(options));
    SEND(void, (id, SEL, ns_bool), options, "setFastMathEnabled:", 0);
    CHECK(make_library(options) != NULL);
}

/* Every second one. */
static void pairs_blocked(void)
{
    for (int i = 0; i < 4; i++) {
        uint64_t host = 0, gpu = 0;
        int64_t before = mtl.ktStubNow();
        SEND(void, (id, SEL, uint64_t *, uint64_t *), w.device,
             "sampleTimestamps:gpuTimestamp:", &host, &gpu);
        CHECK((mtl.ktStubNow() - before > 5000000) == (i % 2 == 1));
    }
    world_close();
}

/* ---- misuse ---- */

static void nothing(void) {}

static void references(void)
{
    for (int i = 0; i < 3; i++)
        release(w.device);                                             /* the queue holds it, too */
    mtl.objc_setAssociatedObject(commands(), w.samples, w.samples, 0); /* ..._ASSIGN */
    void *pool = mtl.objc_autoreleasePoolPush();
    mtl.objc_autoreleasePoolPush();
    mtl.objc_autoreleasePoolPop(pool);
    mtl.objc_autoreleasePoolPop(pool);
    mtl.objc_autoreleasePoolPop(w.pool);
    commands();
}

static void states_of_commands(void)
{
    id to = commands(), e;
    GET(void, to, "waitUntilCompleted");
    e = compute(to);
    CHECK(!GET(id, to, "blitCommandEncoder"));
    GET(void, to, "commit");
    end(e);
    end(e);
    run(to);
    GET(void, to, "commit");
    CHECK(!compute(to));
    void *pool = mtl.objc_autoreleasePoolPush();
    compute(commands());
    mtl.objc_autoreleasePoolPop(pool);
    id queue = at(w.device, "newCommandQueueWithMaxCommandBufferCount:", 2);
    for (int i = 0; i < 3; i++)
        GET(id, queue, "commandBuffer");
}

static void sample_at(id e, ns_bool barrier)
{
    SEND(void, (id, SEL, id, ns_uint, ns_bool), e,
         "sampleCountersInBuffer:atSampleIndex:withBarrier:", w.samples, 0, barrier);
}

/* The first ones' commands have completed, and are still there; their descriptor is not. */
static void samples(void)
{
    id to = commands();
    void *pool = mtl.objc_autoreleasePoolPush();
    fill_in_pass(to);
    mtl.objc_autoreleasePoolPop(pool);
    run(to);
    release(w.samples);
    w.samples = make_samples();
    to = commands();
    fill_in_pass(to);
    CHECK(resolve(1) != NULL);
    run(to);
    CHECK(!resolve(SAMPLES + 1));
    compute_in(commands(), compute_pass(1));
    compute_in(commands(), compute_pass(SAMPLES - 1));
    compute_in(commands(), blit_pass(4));
    sample_at(compute(commands()), 0);
}

static void samples_between(void)
{
    compute_in(commands(), compute_pass(0));
    sample_at(GET(id, commands(), "blitCommandEncoder"), 2);
}

static void encoders(void)
{
    static const char bytes[4097];
    const struct ns_range odd = {0, 7};
    id to = commands(), e = compute(to), fence = GET(id, w.device, "newFence");
    dispatch(e, 64);
    fill(e, w.private, WORDS + 1);
    fill(e, NULL, WORDS);
    dispatch(e, 2048);
    set_buffer(e, w.private, BYTES);
    set_bytes(e, bytes, sizeof bytes);
    SEND(void, (id, SEL, id), e, "updateFence:", fence);
    SEND(void, (id, SEL, id), e, "waitForFence:", fence);
    end(e);
    e = GET(id, to, "blitCommandEncoder");
    copy(e, 4, w.shared, BYTES);
    copy(e, 256, w.private, 512);
    SEND(void, (id, SEL, id, struct ns_range, unsigned char), e,
         "fillBuffer:range:value:", w.private, odd, 1);
    end(e);
}

static void devices(void)
{
    static _Alignas(65536) unsigned char memory[65536];
    CHECK(!SEND(id, (id, SEL, void *, ns_uint, ns_uint, void *), w.device,
                "newBufferWithBytesNoCopy:length:options:deallocator:", memory + 64, 64, 0, NULL));
    make_buffer(2);
    CHECK(!at(GET(id, w.device, "counterSets"), "objectAtIndex:", 1));
    CHECK(!at(GET(id, compute_pass(0), "sampleBufferAttachments"), "objectAtIndexedSubscript:", 1));
}

/* ---- the runner ---- */

struct test_case {
    const char *script;
    void (*run)(void);
    const char *report; /* lines that follow each other in it; NULL: neither leak nor misuse */
};

#define MISUSE(sentence) "misuse 1 " sentence
#define DISPATCH         "dispatchThreadgroups:threadsPerThreadgroup:: "
#define COPY             "copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:: "
#define COMPUTE          "computeCommandEncoderWithDescriptor:: "
#define SAMPLE           "sampleCountersInBuffer:atSampleIndex:withBarrier:: "

static const struct test_case cases[] = {
    {"", used_rightly, NULL},
    {"", used_rightly, "kernel fill 1"},
    {"", used_rightly, "commit 1"},
    {"proxy=1", passes_on, NULL},
    {"precise=1", compiles_when_precise, "leak library 1"},
    {"block_every=2,block_ns=5000000", pairs_blocked, NULL},
    {"", nothing, "leak device reference 2\nleak autorelease pool 1"},
    {"", references,
     MISUSE("release: device was released more often than retained\n")
         MISUSE("objc_setAssociatedObject: policy 0x0\n")
             MISUSE("objc_autoreleasePoolPop: there are pools within it\n")
                 MISUSE("objc_autoreleasePoolPop: no pool of this thread\n")
                     MISUSE("commandBuffer: autoreleased with no pool in place")},
    {"", states_of_commands,
     MISUSE("waitUntilCompleted: it is not committed\n")
         MISUSE("blitCommandEncoder: an encoder is open\n") MISUSE("commit: an encoder is open\n")
             MISUSE("endEncoding: encoding has ended\n") MISUSE("commit: it is committed\n") MISUSE(
                 "computeCommandEncoder: it is committed\n")
                 MISUSE("objc_autoreleasePoolPop: an encoder of it is open at its end\n") MISUSE(
                     "commandBuffer: 2 command buffers are not complete: it would wait for one")},
    {"", samples,
     MISUSE("release: a command buffer that writes to it is not deallocated\n")
         MISUSE("resolveCounterRange:: what writes them is not complete\n")
             MISUSE("resolveCounterRange:: range 0, 9\n")
                 MISUSE(COMPUTE "sample 1 is used before, and never reset\n")
                     MISUSE(COMPUTE "sample 8 is beyond the sample buffer\n")
                         MISUSE(COMPUTE "a descriptor of another kind of pass\n")
                             MISUSE(SAMPLE "this device does not sample there")},
    {"sampling=amd", samples_between,
     MISUSE(COMPUTE "this device does not sample at stages\n") MISUSE(SAMPLE "BOOL 2")},
    {"", encoders,
     MISUSE(DISPATCH "no pipeline\n") MISUSE(DISPATCH "fill: the buffer at 0 is too small\n")
         MISUSE(DISPATCH "fill: no buffer at 0\n") MISUSE(DISPATCH "sizes 16 1 1, 2048 1 1\n")
             MISUSE("setBuffer:offset:atIndex:: offset 4096, index 0\n")
                 MISUSE("setBytes:length:atIndex:: length 4097, index 1\n")
                     MISUSE("waitForFence:: it has updated that fence\n")
                         MISUSE(COPY "4096 bytes from 4 to 0\n") MISUSE(COPY "the parts overlap\n")
                             MISUSE("fillBuffer:range:value:: range 0, 7")},
    {"", devices,
     MISUSE("newBufferWithBytesNoCopy:length:options:deallocator:: the memory is no whole pages\n")
         MISUSE("newBufferWithLength:options:: options 0x2\n") MISUSE("objectAtIndex:: index 1\n")
             MISUSE("objectAtIndexedSubscript:: attachment 1")},
};

static void run_test(const struct test_case *test, void *library)
{
#define SYMBOL(result, name, parameters) {#name, offsetof(struct api, name)},
    static const struct {
        const char *symbol;
        size_t offset;
    } rows[] = {API(SYMBOL)};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        void *symbol = dlsym(library, rows[i].symbol);
        CHECK(symbol != NULL);
        memcpy((char *)&mtl + rows[i].offset, &symbol, sizeof symbol);
    }
    world_open();
    test->run();
}

int main(int argc, char **argv)
{
    static const struct stub stub = {"KT_STUB_METAL", "KT_STUB_METAL_COUNTS", run_test};
    bool good = true;
    if (argc != 2) {
        fprintf(stderr, "usage: selftest LIBRARY\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        good &= stub_case_run(&stub, argv[1], cases[i].script, cases[i].report, &cases[i]);
    return good ? 0 : 1;
}
