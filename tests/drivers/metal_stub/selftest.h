/* What the files of the selftest share. */
#ifndef METAL_STUB_SELFTEST_H
#define METAL_STUB_SELFTEST_H

#include "runtime.h"
#include "tests/drivers/frame/cases.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As kerntime has them: through the one library that is the stub with the runtime behind it. */
struct api {
    id (*objc_getClass)(const char *name);
    SEL (*sel_registerName)(const char *name);
    Class (*object_getClass)(id object);
    IMP (*class_getMethodImplementation)(Class of, SEL selector);
    unsigned char (*class_respondsToSelector)(Class of, SEL selector);
    void *(*objc_autoreleasePoolPush)(void);
    void (*objc_autoreleasePoolPop)(void *pool);
    void (*objc_setAssociatedObject)(id object, const void *key, id value, uintptr_t policy);
    uint64_t (*mach_absolute_time)(void);
    int (*mach_timebase_info)(uint32_t info[2]);
    id (*MTLCopyAllDevices)(void);
    id (*MTLCreateSystemDefaultDevice)(void);
    int64_t (*ktStubNow)(void);
    void (*ktStubAdvance)(int64_t ns);
    void (*ktStubTake)(int64_t ns);
    void (*ktStubObserve)(void (*who)(const void *, uint64_t, uint64_t, int64_t));
};
extern struct api mtl;

typedef unsigned long ns_uint;
typedef unsigned char ns_bool;
struct mtl_size {
    ns_uint width, height, depth;
};
struct ns_range {
    ns_uint location, length;
};

#define DONT_SAMPLE ((ns_uint)-1)

enum { FILL_NS = 10000, GAP_NS = 2000, RESOLUTION_NS = 42 }; /* as the script has them by itself */
enum { BYTES = 4096, WORDS = BYTES / 4, SAMPLES = 8, PRIVATE = 32, DONE = 4, FAILED = 5 };
enum { RETAIN = 0x301 }; /* OBJC_ASSOCIATION_RETAIN */

/* The object's class has the method; the object, which is no class, takes the message. */
bool has_method(id object, const char *selector);
bool knows(id object, const char *selector);
IMP find(id object, const char *selector);

/* SEND(result, (types), object, "selector:", arguments) */
#define SEND(result, types, object, ...) SEND_(result, types, object, __VA_ARGS__)
#define ARGUMENTS(...)                   __VA_ARGS__
#define SEND_(result, types, object, selector, ...)                                       \
    ((result(*) types)find((object), selector))((object), mtl.sel_registerName(selector), \
                                                __VA_ARGS__)
/* Without arguments. */
#define GET(result, object, selector) \
    ((result(*)(id, SEL))find((object), selector))((object), mtl.sel_registerName(selector))

struct world {
    void *pool;
    id device, queue, set, samples;
    id private, shared; /* buffers */
    id library, fill;   /* its pipeline */
};

void world_open(struct world *world);
void world_close(struct world *world);

id text(const char *text);
void release(id object);
/* NULL: nil. */
id make_samples(struct world *world, ns_uint count, id *error);
id make_library(struct world *world, const char *source, id *error);
/* A pass of that kind ("Compute", "Blit", "Render") that writes samples 0 and 1, or none. */
id make_pass(struct world *world, const char *kind, ns_uint start, ns_uint end);
id commands(struct world *world);
/* An encoder of that kind, through a pass if that is not NULL. */
id encoder(id to, const char *kind, id pass);
void dispatch_fill(struct world *world, id to, id buffer, uint32_t n);
void copy(struct world *world, id to);
void end(id of);
void commit(id of);
/* Until it is complete; its status. */
ns_uint await(id of);
/* Resolves the first ones. */
bool resolve(struct world *world, uint64_t *values, ns_uint count);

/* A pass with its samples, from `first` on: it fills `private`, or copies that to `shared`. */
void fill_in_pass(struct world *world, id to, ns_uint first);
void copy_in_pass(struct world *world, id to, ns_uint first);
/* Both have done so. */
bool is_filled(struct world *world);
bool is_about(uint64_t value, uint64_t wanted, uint64_t off);
/* With both passes: what they write, when they ran, and that all agrees. */
void sound(struct world *world);

struct test_case {
    const char *script;
    void (*run)(struct world *world);
    const char *report; /* a line that the report must hold; NULL: neither leak nor misuse */
    bool bare;          /* `run` opens what it needs */
};

/* Each ends with run == NULL. */
extern const struct test_case cases[], script_cases[], misuse_cases[];

#endif
