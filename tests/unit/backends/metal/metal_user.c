/* SPDX-License-Identifier: MIT */
#include "tests/unit/backends/metal/metal_user.h"

#include <dlfcn.h>
#include <stdint.h>

enum { GROUPS_MAX = 4096, GROUP = 64, WORDS = GROUPS_MAX * GROUP };
enum { PRIVATE_STORAGE = 2 << 4, DRAW_TRIANGLE = 3 };

/* Like Metal's, which are three and two NSUInteger, by value. */
typedef struct user_size {
    unsigned long width, height, depth;
} user_size;
typedef struct user_range {
    unsigned long location, length;
} user_range;

static const char kernel[] =
    "#include <metal_stdlib>\n"
    "kernel void work(device uint *numbers [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n"
    "    uint n = numbers[i] + i;\n"
    "    for (uint k = 0; k < 200; k++) n = n * 1664525u + 1013904223u;\n"
    "    numbers[i] = n;\n"
    "}\n";

/* ---- messages: each by a pointer of its exact type ---- */

static void (*method(const user *u, void *object, const char *selector))(void)
{
    void (*found)(void) = u->objc.class_getMethodImplementation(u->objc.object_getClass(object),
                                                                u->objc.sel_registerName(selector));
    if (!found)
        fail_msg("there is no %s", selector);
    return found;
}

#define SELECTOR(name) u->objc.sel_registerName(name)
#define ASK(result, object, selector) \
    ((result(*)(void *, void *))method(u, object, selector))(object, SELECTOR(selector))
#define SEND(result, types, object, selector, ...)                          \
    ((result(*)(void *, void *, UNPACK types))method(u, object, selector))( \
        object, SELECTOR(selector), __VA_ARGS__)
#define UNPACK(...) __VA_ARGS__

void user_retain(const user *u, void *object)
{
    (void)ASK(void *, object, "retain");
}

void user_release(const user *u, void *object)
{
    if (object)
        ASK(void, object, "release");
}

/* One that was handed out for the pool, kept beyond it. */
static void *kept(const user *u, void *object)
{
    assert_non_null(object);
    user_retain(u, object);
    return object;
}

static void *find_class(const user *u, const char *name)
{
    void *class = u->objc.objc_getClass(name);
    if (!class)
        fail_msg("there is no %s", name);
    return class;
}

static void *text(const user *u, const char *utf8)
{
    return SEND(void *, (const char *), find_class(u, "NSString"), "stringWithUTF8String:", utf8);
}

/* ---- making it ---- */

static bool load(user *u, const char *library)
{
    u->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!u->library)
        return false;
#define LOAD(name)                                      \
    *(void **)&u->objc.name = dlsym(u->library, #name); \
    if (!*(void **)&u->objc.name)                       \
        fail_msg("%s has no %s", library, #name);
    LOAD(objc_getClass)
    LOAD(sel_registerName)
    LOAD(object_getClass)
    LOAD(class_getMethodImplementation)
    LOAD(objc_autoreleasePoolPush)
    LOAD(objc_autoreleasePoolPop)
    LOAD(MTLCreateSystemDefaultDevice)
    LOAD(MTLCopyAllDevices)
#undef LOAD
    *(void **)&u->stub.now = dlsym(u->library, "ktStubNow");
    *(void **)&u->stub.advance = dlsym(u->library, "ktStubAdvance");
    *(void **)&u->stub.take = dlsym(u->library, "ktStubTake");
    return true;
}

static void make_kernel(user *u)
{
    void *error = NULL;
    void *source = SEND(void *, (void *, void *, void **), u->device,
                        "newLibraryWithSource:options:error:", text(u, kernel), NULL, &error);
    assert_non_null(source);
    void *function = SEND(void *, (void *), source, "newFunctionWithName:", text(u, "work"));
    assert_non_null(function);
    u->pipeline = SEND(void *, (void *, void **), u->device,
                       "newComputePipelineStateWithFunction:error:", function, &error);
    assert_non_null(u->pipeline);
    user_release(u, function);
    user_release(u, source);
}

bool user_open(user *u, const char *library)
{
    *u = (user){.library = NULL};
    if (!load(u, library))
        return false;
    void *pool = u->objc.objc_autoreleasePoolPush();
    u->device = u->objc.MTLCreateSystemDefaultDevice();
    if (u->device) {
        u->queue = user_make_queue(u);
        u->buffer = SEND(void *, (unsigned long, unsigned long), u->device,
                         "newBufferWithLength:options:", WORDS * sizeof(uint32_t), PRIVATE_STORAGE);
        assert_non_null(u->buffer);
        make_kernel(u);
    }
    u->objc.objc_autoreleasePoolPop(pool);
    return u->device != NULL;
}

void user_close(user *u)
{
    user_release(u, u->pipeline);
    user_release(u, u->buffer);
    user_release(u, u->queue);
    user_release(u, u->device);
}

kt_metal_import user_describe(const user *u)
{
    return (kt_metal_import){.size = sizeof(kt_metal_import), .device = u->device};
}

/* ---- work ---- */

void *user_make_queue(const user *u)
{
    void *queue = ASK(void *, u->device, "newCommandQueue");
    assert_non_null(queue);
    return queue;
}

void *user_commands(const user *u)
{
    void *pool = u->objc.objc_autoreleasePoolPush();
    void *commands = kept(u, ASK(void *, u->queue, "commandBuffer"));
    u->objc.objc_autoreleasePoolPop(pool);
    return commands;
}

void *user_pass_descriptor(const user *u, user_kind kind)
{
    static const char *const classes[USER_KIND_COUNT] = {
        "MTLComputePassDescriptor", "MTLBlitPassDescriptor", "MTLRenderPassDescriptor"};
    static const char *const selectors[USER_KIND_COUNT] = {
        "computePassDescriptor", "blitPassDescriptor", "renderPassDescriptor"};
    void *pool = u->objc.objc_autoreleasePoolPush();
    void *descriptor = kept(u, ASK(void *, find_class(u, classes[kind]), selectors[kind]));
    u->objc.objc_autoreleasePoolPop(pool);
    return descriptor;
}

void *user_begin(const user *u, void *commands, user_kind kind, void *descriptor)
{
    static const char *const with[USER_KIND_COUNT] = {
        "computeCommandEncoderWithDescriptor:", "blitCommandEncoderWithDescriptor:",
        "renderCommandEncoderWithDescriptor:"};
    static const char *const without[USER_KIND_COUNT] = {"computeCommandEncoder",
                                                         "blitCommandEncoder", NULL};
    void *pool = u->objc.objc_autoreleasePoolPush();
    void *encoder = descriptor ? SEND(void *, (void *), commands, with[kind], descriptor)
                               : ASK(void *, commands, without[kind]);
    kept(u, encoder);
    u->objc.objc_autoreleasePoolPop(pool);
    return encoder;
}

void user_work(const user *u, void *encoder, user_kind kind, unsigned groups)
{
    const user_size grid = {groups, 1, 1}, group = {GROUP, 1, 1};
    const user_range range = {0, WORDS};
    void *pool = u->objc.objc_autoreleasePoolPush();
    if (kind == USER_COMPUTE) {
        SEND(void, (void *), encoder, "setComputePipelineState:", u->pipeline);
        SEND(void, (void *, unsigned long, unsigned long), encoder,
             "setBuffer:offset:atIndex:", u->buffer, 0, 0);
        SEND(void, (user_size, user_size), encoder,
             "dispatchThreadgroups:threadsPerThreadgroup:", grid, group);
    } else if (kind == USER_BLIT) {
        SEND(void, (void *, user_range, unsigned char), encoder,
             "fillBuffer:range:value:", u->buffer, range, 1);
    } else {
        SEND(void, (unsigned long, unsigned long, unsigned long), encoder,
             "drawPrimitives:vertexStart:vertexCount:", DRAW_TRIANGLE, 0, 3);
    }
    u->objc.objc_autoreleasePoolPop(pool);
}

void user_end(const user *u, void *encoder)
{
    ASK(void, encoder, "endEncoding");
    user_release(u, encoder);
}

void user_pass(const user *u, void *commands, user_kind kind, void *descriptor)
{
    void *encoder = user_begin(u, commands, kind, descriptor);
    user_work(u, encoder, kind, 1);
    user_end(u, encoder);
}

void user_commit(const user *u, void *commands)
{
    void *pool = u->objc.objc_autoreleasePoolPush();
    ASK(void, commands, "commit");
    u->objc.objc_autoreleasePoolPop(pool);
}

void user_wait(const user *u, void *commands)
{
    void *pool = u->objc.objc_autoreleasePoolPush();
    ASK(void, commands, "waitUntilCompleted");
    u->objc.objc_autoreleasePoolPop(pool);
}

/* ---- samples, devices ---- */

static void *attachment(const user *u, void *descriptor)
{
    void *all = ASK(void *, descriptor, "sampleBufferAttachments");
    return SEND(void *, (unsigned long), all, "objectAtIndexedSubscript:", 0);
}

void *user_sample_buffer(const user *u, void *descriptor)
{
    void *pool = u->objc.objc_autoreleasePoolPush();
    void *buffer = ASK(void *, attachment(u, descriptor), "sampleBuffer");
    u->objc.objc_autoreleasePoolPop(pool);
    return buffer;
}

void user_set_sample_buffer(const user *u, void *descriptor, void *buffer)
{
    void *pool = u->objc.objc_autoreleasePoolPush();
    SEND(void, (void *), attachment(u, descriptor), "setSampleBuffer:", buffer);
    u->objc.objc_autoreleasePoolPop(pool);
}

void *user_make_sample_buffer(const user *u)
{
    void *pool = u->objc.objc_autoreleasePoolPush();
    void *error = NULL, *sets = ASK(void *, u->device, "counterSets");
    void *descriptor = ASK(void *, find_class(u, "MTLCounterSampleBufferDescriptor"), "new");
    SEND(void, (void *), descriptor,
         "setCounterSet:", SEND(void *, (unsigned long), sets, "objectAtIndex:", 0));
    SEND(void, (void *), descriptor, "setLabel:", text(u, "kerntime")); /* as anyone may */
    SEND(void, (unsigned long), descriptor, "setStorageMode:", 0);
    SEND(void, (unsigned long), descriptor, "setSampleCount:", 2);
    void *buffer = SEND(void *, (void *, void **), u->device,
                        "newCounterSampleBufferWithDescriptor:error:", descriptor, &error);
    assert_non_null(buffer);
    user_release(u, descriptor);
    u->objc.objc_autoreleasePoolPop(pool);
    return buffer;
}

void *user_find_device(const user *u, unsigned long index)
{
    void *pool = u->objc.objc_autoreleasePoolPush();
    void *all = u->objc.MTLCopyAllDevices(), *device = NULL;
    if (index < ASK(unsigned long, all, "count"))
        device = kept(u, SEND(void *, (unsigned long), all, "objectAtIndex:", index));
    user_release(u, all);
    u->objc.objc_autoreleasePoolPop(pool);
    return device;
}
