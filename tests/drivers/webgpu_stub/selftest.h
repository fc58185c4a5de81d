/* What the two files of the selftest share. */
#ifndef WEBGPU_STUB_SELFTEST_H
#define WEBGPU_STUB_SELFTEST_H

#include "entry_points.h"
#include "tests/drivers/frame/cases.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The stub is opened at run time, as kerntime opens it. */
struct api {
#define API_MEMBER(name) __typeof__(&(name)) name; // NOLINT(bugprone-macro-parentheses)
    ALL_ENTRIES(API_MEMBER)
    API_MEMBER(wgpuStubExecute)
    API_MEMBER(wgpuStubAdvance)
#undef API_MEMBER
};

extern struct api gpu;
extern bool early; /* the library's ABI */

enum { BYTES = 256, QUERIES = 4 };

struct world {
    WGPUInstance instance;
    WGPUAdapter adapter; /* NULL: there is none */
    WGPUDevice device;
    WGPUQueue queue;
    WGPUQuerySet queries;
    /* for kernels and copies, the same, resolved timestamps, what the host reads */
    WGPUBuffer a, b, resolved, readable;
    char error[256]; /* the latest that nobody caught */
    unsigned lost;   /* the reason; 0: it is not */
    int fillings;    /* by each of two threads */
};

/* Up to the device; then what is on it. */
void world_open(struct world *world);
void world_fill(struct world *world);
void world_close(struct world *world);
void copy_view(WGPUStringView view, char text[256]);

/* True: answered, within that time. */
bool await(const struct world *world, WGPUFuture future, uint64_t ns);
bool await_work(const struct world *world);
WGPUBuffer make_buffer(const struct world *world, WGPUFlags usage, uint64_t bytes);
/* What the latest error scope has caught; its text is in world->error. */
WGPUErrorType pop(struct world *world);
/* The content of `readable` as timestamps. */
bool read_timestamps(const struct world *world, uint64_t timestamps[2]);
/* Status of the answer; 0: none yet. */
unsigned map(const struct world *world, WGPUBuffer buffer, WGPUFlags mode);

/* An empty pass with those queries. */
void pass(const struct world *world, WGPUCommandEncoder encoder, uint32_t begin, uint32_t end);
void resolve(const struct world *world, WGPUCommandEncoder encoder, uint32_t count);
/* Ends, submits once, and releases. */
void submit(const struct world *world, WGPUCommandEncoder encoder);
/* Passes around a copy, with timestamps that are resolved. */
void timestamp_copy(const struct world *world);
/* A pipeline of `text` for its entry "k"; `x` is the group size if the text asks for it. */
WGPUComputePipeline make_pipeline(const struct world *world, const char *text, const char *entry,
                                  double x);

struct test_case {
    const char *script; /* KT_STUB_WEBGPU */
    void (*run)(struct world *world);
    const char *report; /* a line that the report must hold; NULL: neither leak nor misuse */
};

extern const struct test_case cases[]; /* ends with run == NULL */

#endif
