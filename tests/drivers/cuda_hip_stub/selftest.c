/* selftest cuda|hip LIBRARY EARLY: each case of selftest_cases.c and selftest_events.c over the
 * stub, and what its report says. */
#include "selftest.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct api gpu;
bool is_hip;

/* ---- the world ---- */

static const char cuda_ptx[] =
    ".version 6.0\n.target sm_50\n"
    ".visible .entry work()\n{\n}\n"
    ".visible .entry fill(.param .u64 a, .param .u32 n)\n{\n}\n"
    ".visible .entry kt_block(.param .u64 w, .param .u32 t, .param .u64 l)\n"
    "{\n}\n";
static const char source[] = "extern \"C\" __global__ void work() {}\n"
                             "extern \"C\" __global__ void fill(unsigned *a, unsigned n) {}\n"
                             "extern \"C\" __global__ void kt_block(unsigned *w, unsigned t, \n"
                             "    unsigned long long *l) {}\n";

static char architecture[64];
const char *const own_architecture[1] = {architecture};

void world_open(struct world *w)
{
    CHECK(gpu.cuInit(0) == CUDA_OK);
    if (is_hip)
        return;
    CHECK(gpu.cuDevicePrimaryCtxRetain(&w->context, 0) == CUDA_OK);
    CHECK(gpu.cuCtxPushCurrent(w->context) == CUDA_OK);
}

static void load(struct world *w)
{
    static char code[8192];
    const char *text = cuda_ptx;
    if (is_hip) {
        cuda_source program = NULL;
        CHECK(gpu.rtcCreateProgram(&program, source, "k", 0, NULL, NULL) == CUDA_OK);
        CHECK(gpu.rtcCompileProgram(program, 1, own_architecture) == CUDA_OK);
        CHECK(gpu.rtcGetCode(program, code) == CUDA_OK);
        CHECK(gpu.rtcDestroyProgram(&program) == CUDA_OK);
        text = code;
    }
    CHECK(gpu.cuModuleLoadDataEx(&w->module, text, 0, NULL, NULL) == CUDA_OK);
    CHECK(gpu.cuModuleGetFunction(&w->work, w->module, "work") == CUDA_OK);
    CHECK(gpu.cuModuleGetFunction(&w->hold, w->module, "kt_block") == CUDA_OK);
}

void world_fill(struct world *w)
{
    CHECK(gpu.cuStreamCreate(&w->stream, CUDA_STREAM_NON_BLOCKING) == CUDA_OK);
    CHECK(gpu.cuEventCreate(&w->begin, 0) == CUDA_OK && gpu.cuEventCreate(&w->end, 0) == CUDA_OK);
    CHECK(gpu.cuMemAlloc(&w->a, BYTES) == CUDA_OK && gpu.cuMemAlloc(&w->b, BYTES) == CUDA_OK);
    CHECK(gpu.cuMemHostAlloc((void **)&w->words, 128, CUDA_HOST_PORTABLE) == CUDA_OK);
    memset(w->words, 0, 128);
    load(w);
}

void world_close(struct world *w)
{
    if (w->stream) {
        CHECK(gpu.cuModuleUnload(w->module) == CUDA_OK);
        CHECK(gpu.cuMemFreeHost(w->words) == CUDA_OK);
        CHECK(gpu.cuMemFree(w->a) == CUDA_OK && gpu.cuMemFree(w->b) == CUDA_OK);
        CHECK(gpu.cuEventDestroy(w->begin) == CUDA_OK && gpu.cuEventDestroy(w->end) == CUDA_OK);
        CHECK(gpu.cuStreamDestroy(w->stream) == CUDA_OK);
    }
    if (w->context) {
        cuda_context popped = NULL;
        CHECK(gpu.cuCtxPopCurrent(&popped) == CUDA_OK && popped == w->context);
        CHECK(gpu.cuDevicePrimaryCtxRelease(0) == CUDA_OK);
    }
}

/* ---- what the cases do ---- */

cuda_code launch(const struct world *w)
{
    void *none[] = {NULL};
    return gpu.cuLaunchKernel(w->work, 1, 1, 1, 1, 1, 1, 0, w->stream, none, NULL);
}

cuda_code hold(const struct world *w, uint32_t ticket, uint64_t limit_ns)
{
    uint64_t words = (uint64_t)(uintptr_t)w->words;
    void *parameters[] = {&words, &ticket, &limit_ns};
    return gpu.cuLaunchKernel(w->hold, 1, 1, 1, 1, 1, 1, 0, w->stream, parameters, NULL);
}

unsigned drain(const struct world *w)
{
    unsigned vain = 0;
    while (gpu.cuStreamQuery(w->stream) == CUDA_NOT_READY)
        vain++;
    return vain;
}

float pair(const struct world *w)
{
    float ms = NAN;
    CHECK(gpu.cuEventRecord(w->begin, w->stream) == CUDA_OK);
    CHECK(launch(w) == CUDA_OK);
    CHECK(gpu.cuEventRecord(w->end, w->stream) == CUDA_OK);
    drain(w);
    return gpu.cuEventElapsedTime(&ms, w->begin, w->end) == CUDA_OK ? ms : NAN;
}

cuda_code copy(cuda_address dst, cuda_address src, size_t bytes, cuda_stream stream)
{
    return is_hip
               ? gpu.hipMemcpyAsync((void *)dst, (const void *)src, bytes, HIP_COPY_DEFAULT, stream)
               : gpu.cuMemcpyAsync(dst, src, bytes, stream);
}

/* ---- the runner ---- */

static void load_api(void *library)
{
    static const struct {
        const char *symbols[2];
        size_t offset;
    } rows[] = {
#define SHARED_ROW(name, cuda, hip, parameters) {{#cuda, #hip}, offsetof(struct api, name)},
#define ALONE_ROW(name, symbol, parameters)     {{#symbol, #symbol}, offsetof(struct api, name)},
        SHARED_ENTRIES(SHARED_ROW) CUDA_ENTRIES(ALONE_ROW) HIP_ENTRIES(ALONE_ROW)
            ALONE_ROW(ktStubNow, ktStubNow, ) ALONE_ROW(ktStubAdvance, ktStubAdvance, )};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        void *symbol = dlsym(library, rows[i].symbols[is_hip]);
        memcpy((char *)&gpu + rows[i].offset, &symbol, sizeof symbol);
    }
}

static void run_test(const struct test_case *test, void *library)
{
    struct world world = {0};
    unsigned capability = 90;
    const char *key = strstr(test->script, "capability=");
    if (key)
        sscanf(key, "capability=%u", &capability);
    snprintf(architecture, sizeof architecture, "--offload-arch=gfx%ua", capability);
    load_api(library);
    if (!test->bare) {
        world_open(&world);
        world_fill(&world);
    }
    test->run(&world);
    if (!test->report && !test->bare)
        world_close(&world);
}

int main(int argc, char **argv)
{
    static const struct stub stubs[] = {{"KT_STUB_CUDA", "KT_STUB_CUDA_COUNTS", run_test},
                                        {"KT_STUB_HIP", "KT_STUB_HIP_COUNTS", run_test}};
    bool good = true;
    if (argc != 4) {
        fprintf(stderr, "usage: selftest cuda|hip LIBRARY EARLY_LIBRARY\n");
        return 2;
    }
    is_hip = strcmp(argv[1], "hip") == 0;
    const struct test_case *const lists[] = {cases_of_events, cases};
    for (int i = 0; i < 2; i++)
        for (const struct test_case *test = lists[i]; test->run; test++)
            if (test->where != (is_hip ? CUDA_ALONE_CASE : HIP_ALONE_CASE))
                good &= stub_case_run(&stubs[is_hip], argv[test->where == EARLY ? 3 : 2],
                                      test->script, test->report, test);
    return good ? 0 : 1;
}
