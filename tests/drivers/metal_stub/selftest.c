/* selftest LIBRARY: each case of the other files over the stub, and what its report says. */
#include "selftest.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct api mtl;

/* ---- messages ---- */

bool has_method(id object, const char *selector)
{
    return mtl.class_respondsToSelector(mtl.object_getClass(object),
                                        mtl.sel_registerName(selector));
}

bool knows(id object, const char *selector)
{
    SEL asks = mtl.sel_registerName("respondsToSelector:");
    IMP method = mtl.class_getMethodImplementation(mtl.object_getClass(object), asks);
    return ((ns_bool(*)(id, SEL, SEL))method)(object, asks, mtl.sel_registerName(selector));
}

IMP find(id object, const char *selector)
{
    if (object && (has_method(object, selector) || knows(object, selector)))
        return mtl.class_getMethodImplementation(mtl.object_getClass(object),
                                                 mtl.sel_registerName(selector));
    fprintf(stderr, "%s is sent to %s\n", selector, object ? "what does not know it" : "nil");
    exit(1);
}

id text(const char *text)
{
    return SEND(id, (id, SEL, const char *), mtl.objc_getClass("NSString"),
                "stringWithUTF8String:", text);
}

void release(id object)
{
    if (object)
        GET(void, object, "release");
}

/* ---- the world ---- */

id make_samples(struct world *w, ns_uint count, id *error)
{
    id of = GET(id, mtl.objc_getClass("MTLCounterSampleBufferDescriptor"), "new");
    SEND(void, (id, SEL, id), of, "setCounterSet:", w->set);
    SEND(void, (id, SEL, id), of, "setLabel:", text("samples"));
    SEND(void, (id, SEL, ns_uint), of, "setStorageMode:", 0);
    SEND(void, (id, SEL, ns_uint), of, "setSampleCount:", count);
    id made = SEND(id, (id, SEL, id, id *), w->device,
                   "newCounterSampleBufferWithDescriptor:error:", of, error);
    release(of);
    return made;
}

id make_library(struct world *w, const char *source, id *error)
{
    id options = GET(id, mtl.objc_getClass("MTLCompileOptions"), "new");
    SEND(void, (id, SEL, ns_bool), options, "setFastMathEnabled:", 0);
    id made = SEND(id, (id, SEL, id, id, id *), w->device,
                   "newLibraryWithSource:options:error:", text(source), options, error);
    release(options);
    return made;
}

static id make_buffer(struct world *w, ns_uint options)
{
    return SEND(id, (id, SEL, ns_uint, ns_uint), w->device,
                "newBufferWithLength:options:", (ns_uint)BYTES, options);
}

static void make_kernel(struct world *w)
{
    id function;
    w->library = make_library(w,
                              "/* kernel void none() {} */\n"
                              "kernel  void\tfill (device uint *a [[buffer(0)]]) { a[0] = 1; }\n"
                              "kernel void other() {} // }",
                              NULL);
    function = SEND(id, (id, SEL, id), w->library, "newFunctionWithName:", text("fill"));
    w->fill = SEND(id, (id, SEL, id, id *), w->device,
                   "newComputePipelineStateWithFunction:error:", function, NULL);
    release(function);
}

void world_open(struct world *w)
{
    w->pool = mtl.objc_autoreleasePoolPush();
    id all = mtl.MTLCopyAllDevices();
    w->device = SEND(id, (id, SEL, ns_uint), all, "objectAtIndex:", 0);
    GET(id, w->device, "retain");
    release(all);
    w->queue = GET(id, w->device, "newCommandQueue");
    id sets = GET(id, w->device, "counterSets");
    if (sets) {
        w->set = SEND(id, (id, SEL, ns_uint), sets, "objectAtIndex:", 0);
        w->samples = make_samples(w, SAMPLES, NULL);
    }
    w->private = make_buffer(w, PRIVATE);
    w->shared = make_buffer(w, 0);
    make_kernel(w);
}

void world_close(struct world *w)
{
    const id all[] = {w->fill, w->library, w->shared, w->private, w->samples, w->queue, w->device};
    mtl.objc_autoreleasePoolPop(w->pool); /* with the command buffers, which write to the samples */
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        release(all[i]);
}

/* ---- what the cases do ---- */

id make_pass(struct world *w, const char *kind, ns_uint start, ns_uint end)
{
    char name[64], make[64] = "";
    snprintf(name, sizeof name, "MTL%sPassDescriptor", kind);
    snprintf(make, sizeof make, "%sPassDescriptor",
             kind[0] == 'C'   ? "compute"
             : kind[0] == 'B' ? "blit"
                              : "render");
    id pass = GET(id, mtl.objc_getClass(name), make);
    id at = SEND(id, (id, SEL, ns_uint), GET(id, pass, "sampleBufferAttachments"),
                 "objectAtIndexedSubscript:", 0);
    SEND(void, (id, SEL, id), at, "setSampleBuffer:", w->samples);
    if (kind[0] == 'R') {
        SEND(void, (id, SEL, ns_uint), at, "setStartOfVertexSampleIndex:", start);
        SEND(void, (id, SEL, ns_uint), at, "setEndOfVertexSampleIndex:", DONT_SAMPLE);
        SEND(void, (id, SEL, ns_uint), at, "setStartOfFragmentSampleIndex:", DONT_SAMPLE);
        SEND(void, (id, SEL, ns_uint), at, "setEndOfFragmentSampleIndex:", end);
    } else {
        SEND(void, (id, SEL, ns_uint), at, "setStartOfEncoderSampleIndex:", start);
        SEND(void, (id, SEL, ns_uint), at, "setEndOfEncoderSampleIndex:", end);
    }
    return pass;
}

id commands(struct world *w)
{
    return GET(id, w->queue, "commandBuffer");
}

id encoder(id to, const char *kind, id pass)
{
    char selector[64];
    snprintf(selector, sizeof selector, "%sCommandEncoder%s", kind, pass ? "WithDescriptor:" : "");
    return pass ? SEND(id, (id, SEL, id), to, selector, pass) : GET(id, to, selector);
}

void dispatch_fill(struct world *w, id to, id buffer, uint32_t n)
{
    const struct mtl_size groups = {(n + 63) / 64, 1, 1}, size = {64, 1, 1};
    SEND(void, (id, SEL, id), to, "setComputePipelineState:", w->fill);
    SEND(void, (id, SEL, id, ns_uint, ns_uint), to, "setBuffer:offset:atIndex:", buffer, 0, 0);
    SEND(void, (id, SEL, const void *, ns_uint, ns_uint), to, "setBytes:length:atIndex:", &n,
         sizeof n, 1);
    SEND(void, (id, SEL, struct mtl_size, struct mtl_size), to,
         "dispatchThreadgroups:threadsPerThreadgroup:", groups, size);
}

void copy(struct world *w, id to)
{
    SEND(void, (id, SEL, id, ns_uint, id, ns_uint, ns_uint), to,
         "copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:", w->private, 0, w->shared,
         0, (ns_uint)BYTES);
}

void end(id of)
{
    GET(void, of, "endEncoding");
}

void commit(id of)
{
    GET(void, of, "commit");
}

ns_uint await(id of)
{
    ns_uint status = 0;
    for (int i = 0; i < 1000 && status < DONE; i++)
        status = GET(ns_uint, of, "status");
    return status;
}

bool resolve(struct world *w, uint64_t *values, ns_uint count)
{
    const struct ns_range range = {0, count};
    id data = SEND(id, (id, SEL, struct ns_range), w->samples, "resolveCounterRange:", range);
    if (!data || GET(ns_uint, data, "length") != count * sizeof *values)
        return false;
    memcpy(values, GET(const void *, data, "bytes"), count * sizeof *values);
    return true;
}

void fill_in_pass(struct world *w, id to, ns_uint first)
{
    id e = encoder(to, "compute", make_pass(w, "Compute", first, first + 1));
    dispatch_fill(w, e, w->private, WORDS);
    end(e);
}

void copy_in_pass(struct world *w, id to, ns_uint first)
{
    id e = encoder(to, "blit", make_pass(w, "Blit", first, first + 1));
    copy(w, e);
    end(e);
}

bool is_filled(struct world *w)
{
    const uint32_t *words = GET(const void *, w->shared, "contents");
    return words && words[0] == words[WORDS - 1] && words[0] != 0xCDCDCDCD;
}

bool is_about(uint64_t value, uint64_t wanted, uint64_t off)
{
    return value + off >= wanted && value <= wanted + off;
}

/* ---- the runner ---- */

static void load_api(void *library)
{
#define ROW(name)                         \
    {                                     \
#name, offsetof(struct api, name) \
    }
    static const struct {
        const char *symbol;
        size_t offset;
    } rows[] = {ROW(objc_getClass),
                ROW(sel_registerName),
                ROW(object_getClass),
                ROW(class_getMethodImplementation),
                ROW(class_respondsToSelector),
                ROW(objc_autoreleasePoolPush),
                ROW(objc_autoreleasePoolPop),
                ROW(objc_setAssociatedObject),
                ROW(mach_absolute_time),
                ROW(mach_timebase_info),
                ROW(MTLCopyAllDevices),
                ROW(MTLCreateSystemDefaultDevice),
                ROW(ktStubNow),
                ROW(ktStubAdvance),
                ROW(ktStubTake),
                ROW(ktStubObserve)};
#undef ROW
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        void *symbol = dlsym(library, rows[i].symbol);
        CHECK(symbol != NULL);
        memcpy((char *)&mtl + rows[i].offset, &symbol, sizeof symbol);
    }
}

static void run_test(const struct test_case *test, void *library)
{
    struct world world = {0};
    load_api(library);
    if (!test->bare)
        world_open(&world);
    test->run(&world);
    if (!test->report && !test->bare)
        world_close(&world);
}

int main(int argc, char **argv)
{
    static const struct stub stub = {"KT_STUB_METAL", "KT_STUB_METAL_COUNTS", run_test};
    bool good = true;
    if (argc != 2) {
        fprintf(stderr, "usage: selftest LIBRARY\n");
        return 2;
    }
    const struct test_case *const lists[] = {cases, script_cases, misuse_cases};
    for (int i = 0; i < 3; i++)
        for (const struct test_case *test = lists[i]; test->run; test++)
            good &= stub_case_run(&stub, argv[1], test->script, test->report, test);
    return good ? 0 : 1;
}
