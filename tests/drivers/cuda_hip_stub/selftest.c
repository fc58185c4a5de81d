/* SPDX-License-Identifier: MIT */
/*
 * selftest cuda|hip LIBRARY: one program that uses the API rightly, and one case for each kind of
 * misuse, and of answers to it, that is the API's own.
 */
#include "entry_points.h"
#include "tests/drivers/frame/cases.h"

#include <dlfcn.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BYTES = 4096, RELEASED = 0, GIVEN_UP = 16 /* words of the blocking kernel */ };

#define GOOD(call) CHECK((call) == CUDA_OK)

struct test_case {
    const char *script;
    void (*run)(void);
    const char *cuda,
        *hip; /* a line that the report must hold; NULL: the case is not of this API */
};

/* The stub is opened at run time, as kerntime opens it; what its API lacks is NULL. */
static struct api {
#define SHARED_MEMBER(name, cuda, hip, parameters) cuda_code(*name) parameters;
#define ALONE_MEMBER(name, symbol, parameters)     cuda_code(*name) parameters;
    SHARED_ENTRIES(SHARED_MEMBER)
    CUDA_ENTRIES(ALONE_MEMBER)
    HIP_ENTRIES(ALONE_MEMBER)
    int64_t (*ktStubNow)(void);
} gpu;

static bool is_hip;

/* ---- a program ---- */

static cuda_context context;
static cuda_stream stream;
static cuda_event begin, end;
static cuda_module module;
static cuda_function work, fill, hold;
static cuda_address a, b;
static uint32_t *words; /* pinned */

static void open_context(void)
{
    GOOD(gpu.cuInit(0));
    if (is_hip)
        return;
    GOOD(gpu.cuDevicePrimaryCtxRetain(&context, 0));
    GOOD(gpu.cuCtxPushCurrent(context));
}

static cuda_code compile(const char *architecture, char code[8192])
{
    static const char source[] = "extern \"C\" __global__ void work() {}\n"
                                 "extern \"C\" __global__ void fill(unsigned *a, unsigned n) {}\n"
                                 "extern \"C\" __global__ void kt_block(unsigned *w, unsigned t, \n"
                                 "    unsigned long long *l) {}\n";
    cuda_source program = NULL;
    GOOD(gpu.rtcCreateProgram(&program, source, "k", 0, NULL, NULL));
    cuda_code compiled = gpu.rtcCompileProgram(program, architecture != NULL, &architecture);
    if (compiled == CUDA_OK)
        GOOD(is_hip ? gpu.rtcGetCode(program, code) : gpu.nvrtcGetCUBIN(program, code));
    GOOD(gpu.rtcDestroyProgram(&program));
    return compiled;
}

static void open_all(void)
{
    char code[8192] = "";
    open_context();
    GOOD(gpu.cuStreamCreate(&stream, CUDA_STREAM_NON_BLOCKING));
    GOOD(gpu.cuEventCreate(&begin, 0));
    GOOD(gpu.cuEventCreate(&end, 0));
    GOOD(gpu.cuMemAlloc(&a, BYTES));
    GOOD(gpu.cuMemAlloc(&b, BYTES));
    GOOD(gpu.cuMemHostAlloc((void **)&words, 128, CUDA_HOST_PORTABLE));
    memset(words, 0, 128);
    GOOD(compile(is_hip ? "--offload-arch=gfx90a" : "--gpu-architecture=sm_75", code));
    GOOD(gpu.cuModuleLoadDataEx(&module, code, 0, NULL, NULL));
    GOOD(gpu.cuModuleGetFunction(&work, module, "work"));
    GOOD(gpu.cuModuleGetFunction(&fill, module, "fill"));
    GOOD(gpu.cuModuleGetFunction(&hold, module, "kt_block"));
}

static void close_context(void)
{
    cuda_context popped = NULL;
    if (is_hip)
        return;
    CHECK(gpu.cuCtxPopCurrent(&popped) == CUDA_OK && popped == context);
    GOOD(gpu.cuDevicePrimaryCtxRelease(0));
}

static void close_all(void)
{
    GOOD(gpu.cuModuleUnload(module));
    GOOD(gpu.cuMemFreeHost(words));
    GOOD(gpu.cuMemFree(a));
    GOOD(gpu.cuMemFree(b));
    GOOD(gpu.cuEventDestroy(begin));
    GOOD(gpu.cuEventDestroy(end));
    GOOD(gpu.cuStreamDestroy(stream));
    close_context();
}

static cuda_code launch(cuda_function kernel, uint32_t threads, void **parameters)
{
    return gpu.cuLaunchKernel(kernel, 1, 1, 1, threads, 1, 1, 0, stream, parameters, NULL);
}

/* Until the ticket is released, for 50 us at most. */
static void block(uint32_t ticket)
{
    uint64_t address = (uint64_t)(uintptr_t)words, limit_ns = 50000;
    GOOD(launch(hold, 1, (void *[]){&address, &ticket, &limit_ns}));
}

static void copy(cuda_address dst, cuda_address src)
{
    /* Addresses are numbers in CUDA. NOLINTBEGIN(performance-no-int-to-ptr) */
    if (is_hip)
        GOOD(gpu.hipMemcpyAsync((void *)dst, (const void *)src, BYTES, HIP_COPY_DEFAULT, stream));
    else
        GOOD(gpu.cuMemcpyAsync(dst, src, BYTES, stream));
    /* NOLINTEND(performance-no-int-to-ptr) */
}

static void drain(void)
{
    while (gpu.cuStreamQuery(stream) == CUDA_NOT_READY)
        ;
}

/* ---- the right way ---- */

/* Between the events lie 750 ns of work and 250 of recording; the gap before it has passed meanwhile. */
static void time_behind_blocking(void)
{
    float ms = NAN;
    block(1);
    GOOD(gpu.cuEventRecord(begin, stream));
    GOOD(launch(work, 1, NULL));
    GOOD(gpu.cuEventRecord(end, stream));
    CHECK(gpu.cuStreamQuery(stream) == CUDA_NOT_READY);
    CHECK(gpu.cuEventQuery(end) == CUDA_NOT_READY);
    CHECK(gpu.cuEventElapsedTime(&ms, begin, end) == CUDA_NOT_READY && isnan(ms));
    words[RELEASED] = 1;
    drain();
    CHECK(gpu.cuEventElapsedTime(&ms, begin, end) == CUDA_OK && ms == 0.001F);
    CHECK(words[GIVEN_UP] == 0);
}

static void right(void)
{
    static uint32_t in[BYTES / 4], out[BYTES / 4];
    uint32_t count = BYTES / 8, ticket = 7;
    open_all();
    time_behind_blocking();
    memset(in, 5, sizeof in);
    copy(a, (cuda_address)in);
    GOOD(launch(fill, 512, (void *[]){&a, &count}));
    copy(b, a);
    GOOD(gpu.cuMemsetD8Async(b, 3, 8, stream));
    copy((cuda_address)out, b);
    CHECK(out[1] == 0x03030303u && out[2] == 0x12345678u && out[count - 1] == 0x12345678u);
    CHECK(memcmp(out + count, in, BYTES / 2) == 0);
    /* Nobody releases this one. */
    const int64_t before_ns = gpu.ktStubNow();
    block(ticket);
    drain();
    CHECK(words[GIVEN_UP] == ticket && gpu.ktStubNow() - before_ns >= 50000);
    close_all();
}

/* ---- misuse ---- */

static void without_init(void)
{
    int count = 0;
    CHECK(gpu.cuDeviceGetCount(&count) == 3);
}

static void without_context(void)
{
    GOOD(gpu.cuInit(0));
    CHECK(gpu.cuStreamCreate(&stream, 0) == 201);
}

/* Another context of CUDA, or another device of HIP. */
static void other_context(void)
{
    cuda_context other = NULL;
    cuda_stream far = NULL;
    open_all();
    GOOD(is_hip ? gpu.hipSetDevice(1) : gpu.cuCtxCreate(&other, 0, 1));
    GOOD(gpu.cuStreamCreate(&far, 0));
    CHECK(gpu.cuEventRecord(begin, far) == CUDA_INVALID_HANDLE);
}

static void context_with_things(void)
{
    open_all();
    GOOD(gpu.cuCtxPopCurrent(NULL));
    GOOD(gpu.cuDevicePrimaryCtxRelease(0));
}

static void unknown_attribute(void)
{
    int value = 0;
    open_context();
    CHECK(gpu.cuDeviceGetAttribute(&value, is_hip ? 38 : 19, 0) == CUDA_INVALID_VALUE);
}

/* Neither has happened: one was never recorded, the other is in a graph that is being captured. */
static void events_without_a_time(void)
{
    void *graph = NULL;
    float ms = 5;
    open_all();
    CHECK(gpu.cuEventQuery(begin) == CUDA_OK);
    GOOD(gpu.cuEventRecord(begin, stream));
    drain();
    CHECK(gpu.cuEventElapsedTime(&ms, begin, end) == CUDA_INVALID_HANDLE && ms == 5);
    GOOD(gpu.cuStreamBeginCapture(stream, CUDA_CAPTURE_MODE_RELAXED));
    GOOD(gpu.cuEventRecord(end, stream));
    CHECK(gpu.cuEventQuery(end) == CUDA_CAPTURED_EVENT);
    CHECK(gpu.cuEventElapsedTime(&ms, begin, end) == CUDA_CAPTURED_EVENT && ms == 5);
    GOOD(gpu.cuStreamEndCapture(stream, &graph));
    close_all();
}

static void spoils_capture(void)
{
    open_all();
    GOOD(gpu.cuStreamBeginCapture(stream, 0));
    CHECK(gpu.cuMemAlloc(&a, 4) == CUDA_CAPTURE_UNSUPPORTED);
}

static void pageable_behind_blocking(void)
{
    static unsigned char in[BYTES];
    open_all();
    block(1);
    copy(a, (cuda_address)in);
    CHECK(words[GIVEN_UP] == 1);
}

/* The fourth launch waits for the blocking kernel. */
static void queue_is_full(void)
{
    open_all();
    block(1);
    for (int i = 0; i < 4; i++)
        GOOD(launch(work, 1, NULL));
    CHECK(words[GIVEN_UP] == 1);
}

static void ends_what_hangs(void)
{
    open_all();
    GOOD(launch(work, 1, NULL));
    GOOD(gpu.cuStreamDestroy(stream));
}

static void small_memory(void)
{
    uint32_t count = BYTES / 4 + 1;
    open_all();
    CHECK(launch(fill, 256, (void *[]){&a, &count}) != CUDA_OK);
}

/* HIP's compiler of 5.2 has to be told which one. */
static void other_architecture(void)
{
    char code[8192] = "";
    open_context();
    GOOD(compile(is_hip ? "--offload-arch=gfx1030" : "--gpu-architecture=sm_80", code));
    CHECK(gpu.cuModuleLoadDataEx(&module, code, 0, NULL, NULL) == CUDA_NO_BINARY_FOR_DEVICE);
    if (is_hip)
        CHECK(compile(NULL, code) == CUDA_COMPILATION);
    close_context();
}

#define CLEAN "" /* neither leak nor misuse */
#define RIGHT "kernel_ns=750,launch_gap_ns=20000"

static const struct test_case cases[] = {
    {RIGHT, right, CLEAN, CLEAN},
    {RIGHT, right, "kernel fill 1", "kernel fill 1"},
    {"", without_init, "misuse 1 cuDeviceGetCount: before cuInit", NULL},
    {"", without_context, "misuse 1 cuStreamCreate: no context is current", NULL},
    {"devices=2", other_context, "misuse 1 cuEventRecord: the event is of another context",
     "misuse 1 hipEventRecord: the event is of another context"},
    {"", context_with_things,
     "misuse 1 cuDevicePrimaryCtxRelease: 7 things of this context are left", NULL},
    {"", open_context, "leak pushed context 1", NULL},
    {"", unknown_attribute, "misuse 1 cuDeviceGetAttribute: attribute 19",
     "misuse 1 hipDeviceGetAttribute: attribute 38"},
    {"", events_without_a_time, CLEAN, CLEAN},
    {"", spoils_capture, "misuse 1 cuMemAlloc_v2: it spoils a capture", NULL},
    {"", pageable_behind_blocking,
     "misuse 1 cuMemcpyAsync: pageable memory, which waits for a stream that is blocked", NULL},
    {"depth=3", queue_is_full, "blocked 1", "blocked 1"},
    {"hang=1", ends_what_hangs, "misuse 1 cuStreamDestroy_v2: the stream hangs", NULL},
    {"", small_memory, "misuse 1 cuLaunchKernel: fill: a memory is too small, or none", NULL},
    {"", other_architecture, CLEAN, CLEAN},
};

/* ---- the runner ---- */

static void run_case(const struct test_case *test, void *library)
{
    static const struct {
        const char *symbols[2];
        size_t offset;
    } rows[] = {
#define SHARED_ROW(name, cuda, hip, parameters) {{#cuda, #hip}, offsetof(struct api, name)},
#define ALONE_ROW(name, symbol, parameters)     {{#symbol, #symbol}, offsetof(struct api, name)},
        SHARED_ENTRIES(SHARED_ROW) CUDA_ENTRIES(ALONE_ROW) HIP_ENTRIES(ALONE_ROW)
            ALONE_ROW(ktStubNow, ktStubNow, )};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        void *symbol = dlsym(library, rows[i].symbols[is_hip]);
        memcpy((char *)&gpu + rows[i].offset, &symbol, sizeof symbol);
    }
    test->run();
}

int main(int argc, char **argv)
{
    static const struct stub stubs[] = {{"KT_STUB_CUDA", "KT_STUB_CUDA_COUNTS", run_case},
                                        {"KT_STUB_HIP", "KT_STUB_HIP_COUNTS", run_case}};
    bool good = true;
    if (argc != 3) {
        fprintf(stderr, "usage: selftest cuda|hip LIBRARY\n");
        return 2;
    }
    is_hip = strcmp(argv[1], "hip") == 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *report = is_hip ? cases[i].hip : cases[i].cuda;
        if (report)
            good &= stub_case_run(&stubs[is_hip], argv[2], cases[i].script, *report ? report : NULL,
                                  &cases[i]);
    }
    return good ? 0 : 1;
}
