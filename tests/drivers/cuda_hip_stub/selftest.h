/* What the files of the selftest share. */
#ifndef CUDA_HIP_STUB_SELFTEST_H
#define CUDA_HIP_STUB_SELFTEST_H

#include "entry_points.h"
#include "tests/drivers/frame/cases.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The stub is opened at run time, as kerntime opens it; what its API or its age has not is NULL. */
struct api {
#define SHARED_MEMBER(name, cuda, hip, parameters) cuda_code(*name) parameters;
#define ALONE_MEMBER(name, symbol, parameters)     cuda_code(*name) parameters;
    SHARED_ENTRIES(SHARED_MEMBER)
    CUDA_ENTRIES(ALONE_MEMBER)
    HIP_ENTRIES(ALONE_MEMBER)
#undef SHARED_MEMBER
#undef ALONE_MEMBER
    int64_t (*ktStubNow)(void);
    void (*ktStubAdvance)(int64_t ns);
};

extern struct api gpu;
extern bool is_hip;
/* One option, without which hiprtc of 5.2 compiles nothing: the device's, as the case has it. */
extern const char *const own_architecture[1];

enum { BYTES = 4096 };

struct world {
    cuda_context context;
    cuda_stream stream;
    cuda_event begin, end;
    cuda_module module;
    cuda_function work, hold;
    cuda_address a, b;
    /* pinned: [0] is where tickets are released, [16] tells of those that nobody released */
    uint32_t *words;
};

/* Up to a current context; then what is in it. */
void world_open(struct world *world);
void world_fill(struct world *world);
void world_close(struct world *world);

/* One launch of what does nothing but take its time. */
cuda_code launch(const struct world *world);
/* Holds the stream until the ticket is released, for `limit_ns` at most. */
cuda_code hold(const struct world *world, uint32_t ticket, uint64_t limit_ns);
/* Asks until the stream has ended; how often it was asked in vain. */
unsigned drain(const struct world *world);
/* Record, launch, record, and wait; the distance, NaN if there is none. */
float pair(const struct world *world);
cuda_code copy(cuda_address dst, cuda_address src, size_t bytes, cuda_stream stream);

struct test_case {
    const char *script;
    void (*run)(struct world *world);
    const char *report; /* a line that the report must hold; NULL: neither leak nor misuse */
    enum { BOTH, CUDA_ALONE_CASE, HIP_ALONE_CASE, EARLY } where;
    bool bare; /* `run` opens what it needs */
};

/* Each ends with run == NULL. */
extern const struct test_case cases[], cases_of_events[];

#endif
