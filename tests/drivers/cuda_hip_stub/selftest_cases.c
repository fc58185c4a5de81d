/* That keys work, and misuse is seen. */
#include "selftest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nothing in kerntime's way of working may be misuse; a later row shows that such a case can
 * fail. */
static void nothing(struct world *w)
{
    (void)w;
}

/* ---- memory ---- */

static void copies(struct world *w)
{
    unsigned char out[BYTES], in[BYTES];
    for (int i = 0; i < BYTES; i++)
        in[i] = (unsigned char)(i * 7);
    CHECK(copy(w->a, (cuda_address)in, BYTES, w->stream) == CUDA_OK);
    CHECK(copy(w->b, w->a, BYTES, w->stream) == CUDA_OK);
    CHECK(gpu.cuMemsetD8Async(w->b, 3, 8, w->stream) == CUDA_OK);
    CHECK(copy((cuda_address)out, w->b, BYTES, w->stream) == CUDA_OK);
    CHECK(out[0] == 3 && out[7] == 3 && memcmp(out + 8, in + 8, BYTES - 8) == 0);
}

static void copy_beyond(struct world *w)
{
    CHECK(copy(w->b, w->a + 1, BYTES, w->stream) == CUDA_INVALID_VALUE);
}

static void pageable_copy_behind_blocking(struct world *w)
{
    static unsigned char in[BYTES];
    CHECK(hold(w, 1, 50000) == CUDA_OK);
    CHECK(copy(w->a, (cuda_address)in, BYTES, w->stream) == CUDA_OK);
    CHECK(w->words[16] == 1);
}

static void written_beyond(struct world *w)
{
    ((unsigned char *)w->a)[BYTES] = 1;
    CHECK(gpu.cuMemFree(w->a) == CUDA_OK);
}

static void memory_is_counted(struct world *w)
{
    (void)w;
    size_t free_bytes = 0, total_bytes = 0;
    cuda_address more = 0;
    CHECK(gpu.cuMemGetInfo(&free_bytes, &total_bytes) == CUDA_OK);
    CHECK(free_bytes == 10000 - 2 * BYTES && total_bytes == 20000);
    CHECK(gpu.cuMemAlloc(&more, free_bytes + 1) == CUDA_OUT_OF_MEMORY);
    CHECK(gpu.cuMemAllocManaged(&more, 50000, CUDA_ATTACH_GLOBAL) == CUDA_OK);
    CHECK(gpu.cuMemFree(more) == CUDA_OK);
}

static void managed_is_missing(struct world *w)
{
    cuda_address more = 0;
    (void)w;
    CHECK(gpu.cuMemAllocManaged(&more, 4, CUDA_ATTACH_GLOBAL) != CUDA_OK);
}

/* ---- kernels ---- */

static void fills(struct world *w)
{
    uint32_t n = BYTES / 4;
    cuda_function fill = NULL;
    void *parameters[] = {&w->a, &n};
    CHECK(gpu.cuModuleGetFunction(&fill, w->module, "fill") == CUDA_OK);
    CHECK(gpu.cuLaunchKernel(fill, n / 256, 1, 1, 256, 1, 1, 0, w->stream, parameters, NULL) ==
          CUDA_OK);
    drain(w);
    const uint32_t *values = (const uint32_t *)w->a;
    for (uint32_t i = 0; i < n; i++)
        CHECK(values[i] == 0x12345678u);
}

static void too_small(struct world *w)
{
    uint32_t n = BYTES / 4 + 1;
    cuda_function fill = NULL;
    void *parameters[] = {&w->a, &n};
    CHECK(gpu.cuModuleGetFunction(&fill, w->module, "fill") == CUDA_OK);
    CHECK(gpu.cuLaunchKernel(fill, 1, 1, 1, 256, 1, 1, 0, w->stream, parameters, NULL) != CUDA_OK);
}

static void no_such_kernel(struct world *w)
{
    cuda_function none = NULL;
    CHECK(gpu.cuModuleGetFunction(&none, w->module, "wor") == CUDA_NOT_FOUND && !none);
    CHECK(gpu.cuLaunchKernel(w->work, 1, 1, 1, 1025, 1, 1, 0, w->stream, NULL, NULL) ==
          CUDA_INVALID_VALUE);
    CHECK(gpu.cuLaunchKernel(w->work, 0, 1, 1, 1, 1, 1, 0, w->stream, NULL, NULL) ==
          CUDA_INVALID_VALUE);
}

static void garbage(struct world *w)
{
    char log[64] = "";
    cuda_jit_option options[] = {CUDA_JIT_ERROR_LOG, CUDA_JIT_ERROR_LOG_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    cuda_module module = NULL;
    (void)w;
    CHECK(gpu.cuModuleLoadDataEx(&module, "no ptx", 2, options, values) == CUDA_INVALID_PTX);
    CHECK(!module && strstr(log, "ptxas"));
}

static void parameters(struct world *w)
{
    size_t offset = 0, bytes = 0;
    CHECK(gpu.cuFuncGetParamInfo(w->hold, 1, &offset, &bytes) == CUDA_OK);
    CHECK(offset == 8 && bytes == 4);
    CHECK(gpu.cuFuncGetParamInfo(w->hold, 2, &offset, &bytes) == CUDA_OK);
    CHECK(offset == 16 && bytes == 8);
    CHECK(gpu.cuFuncGetParamInfo(w->hold, 3, &offset, &bytes) == CUDA_INVALID_VALUE);
}

/* Without extern "C" the name is the mangled one; what does not match is an error with its line. */
static void compiles(struct world *w)
{
    char code[4096], log[256];
    cuda_source program = NULL;
    cuda_module module = NULL;
    cuda_function function = NULL;
    CHECK(gpu.rtcCreateProgram(&program,
                               "// KERNEL void no(int)\n#define KERNEL extern \"C\" __global__\n"
                               "KERNEL __launch_bounds__(64) void one(float *x, unsigned n) { }\n"
                               "__global__ void two() { /* } */ }\n",
                               "k", 0, NULL, NULL) == CUDA_OK);
    CHECK(gpu.rtcCompileProgram(program, is_hip, own_architecture) == CUDA_OK);
    CHECK(gpu.rtcGetCode(program, code) == CUDA_OK);
    CHECK(gpu.rtcDestroyProgram(&program) == CUDA_OK && !program);
    CHECK(gpu.cuModuleLoadDataEx(&module, code, 0, NULL, NULL) == CUDA_OK);
    CHECK(gpu.cuModuleGetFunction(&function, module, "one") == CUDA_OK);
    CHECK(gpu.cuModuleGetFunction(&function, module, "two") == CUDA_NOT_FOUND);
    CHECK(gpu.cuModuleGetFunction(&function, module, "_Z3twov") == CUDA_OK);
    CHECK(gpu.cuModuleGetFunction(&function, module, "no") == CUDA_NOT_FOUND);
    CHECK(gpu.cuModuleUnload(module) == CUDA_OK);
    CHECK(gpu.rtcCreateProgram(&program, "\n\nvoid f( { }", "k", 0, NULL, NULL) == CUDA_OK);
    CHECK(gpu.rtcCompileProgram(program, is_hip, own_architecture) == CUDA_COMPILATION);
    CHECK(gpu.rtcGetProgramLog(program, log) == CUDA_OK && strstr(log, "(3): error"));
    CHECK(gpu.rtcDestroyProgram(&program) == CUDA_OK);
    (void)w;
}

static void machine_code(struct world *w)
{
    static const char *const own[] = {"--gpu-architecture=sm_75"};
    static const char *const other[] = {"--gpu-architecture=sm_80"};
    static const char *const ptx[] = {"--gpu-architecture=compute_60"};
    static const char *const *const options[] = {own, other, ptx};
    static const cuda_code loads[] = {CUDA_OK, CUDA_NO_BINARY_FOR_DEVICE, CUDA_OK};
    (void)w;
    for (int i = 0; i < 3; i++) {
        char code[4096] = "";
        size_t bytes = 7;
        cuda_source program = NULL;
        cuda_module module = NULL;
        CHECK(gpu.rtcCreateProgram(&program, "__global__ void f() { }", "k", 0, NULL, NULL) ==
              CUDA_OK);
        CHECK(gpu.rtcCompileProgram(program, 1, options[i]) == CUDA_OK);
        CHECK(gpu.nvrtcGetCUBINSize(program, &bytes) == CUDA_OK && (bytes == 0) == (i == 2));
        CHECK((i == 2 ? gpu.rtcGetCode(program, code) : gpu.nvrtcGetCUBIN(program, code)) ==
              CUDA_OK);
        CHECK(gpu.cuModuleLoadDataEx(&module, code, 0, NULL, NULL) == loads[i]);
        CHECK(!module || gpu.cuModuleUnload(module) == CUDA_OK);
        CHECK(gpu.rtcDestroyProgram(&program) == CUDA_OK);
    }
}

/* The architecture's name stands among the properties, and code for another one is not taken. */
static void other_architecture(struct world *w)
{
    char properties[2048] = "", code[4096] = "";
    static const char *const other[] = {"--offload-arch=gfx1030"};
    cuda_source program = NULL;
    cuda_module module = NULL;
    (void)w;
    CHECK(gpu.hipGetDevicePropertiesR0600(properties, 0) == CUDA_OK);
    CHECK(strcmp(properties + 1160, "gfx90a:sramecc+:xnack-") == 0);
    CHECK(gpu.hipGetDeviceProperties(properties, 0) == CUDA_OK);
    CHECK(strcmp(properties + 396, "gfx90a:sramecc+:xnack-") == 0);
    CHECK(gpu.rtcCreateProgram(&program, "__global__ void f() { }", "k", 0, NULL, NULL) == CUDA_OK);
    CHECK(gpu.rtcCompileProgram(program, 1, other) == CUDA_OK);
    CHECK(gpu.rtcGetCode(program, code) == CUDA_OK);
    CHECK(gpu.cuModuleLoadDataEx(&module, code, 0, NULL, NULL) == CUDA_NO_BINARY_FOR_DEVICE);
    CHECK(gpu.rtcDestroyProgram(&program) == CUDA_OK);
}

/* What hiprtc of 5.2 says if it is told none. */
static void no_architecture(struct world *w)
{
    char log[256] = "";
    cuda_source program = NULL;
    (void)w;
    CHECK(gpu.rtcCreateProgram(&program, "__global__ void f() { }", "k", 0, NULL, NULL) == CUDA_OK);
    CHECK(gpu.rtcCompileProgram(program, 0, NULL) == CUDA_COMPILATION);
    CHECK(gpu.rtcGetProgramLog(program, log) == CUDA_OK && strstr(log, "provide architecture"));
    CHECK(gpu.rtcDestroyProgram(&program) == CUDA_OK);
}

/* From 6 on it looks at the device. */
static void architecture_of_device(struct world *w)
{
    char code[4096] = "";
    cuda_source program = NULL;
    cuda_module module = NULL;
    (void)w;
    CHECK(gpu.rtcCreateProgram(&program, "__global__ void f() { }", "k", 0, NULL, NULL) == CUDA_OK);
    CHECK(gpu.rtcCompileProgram(program, 0, NULL) == CUDA_OK);
    CHECK(gpu.rtcGetCode(program, code) == CUDA_OK);
    CHECK(gpu.cuModuleLoadDataEx(&module, code, 0, NULL, NULL) == CUDA_OK);
    CHECK(gpu.cuModuleUnload(module) == CUDA_OK);
    CHECK(gpu.rtcDestroyProgram(&program) == CUDA_OK);
}

/* ---- drivers and contexts ---- */

static void init_fails(struct world *w)
{
    (void)w;
    CHECK(gpu.cuInit(0) == CUDA_STUB_LIBRARY);
}

static void no_devices(struct world *w)
{
    int count = 7;
    (void)w;
    CHECK(gpu.cuInit(0) == (is_hip ? CUDA_OK : CUDA_NO_DEVICE));
    if (is_hip)
        CHECK(gpu.cuDeviceGetCount(&count) == CUDA_NO_DEVICE && count == 0);
}

static void forced(struct world *w)
{
    (void)w;
    int count = 0;
    CHECK(gpu.cuInit(0) == CUDA_OK);
    CHECK(gpu.cuDriverGetVersion(&count) == 42);
    CHECK(gpu.cuDriverGetVersion(&count) == CUDA_OK);
}

static void without_init(struct world *w)
{
    int count = 0;
    (void)w;
    CHECK(gpu.cuDeviceGetCount(&count) == 3);
}

static void without_context(struct world *w)
{
    cuda_stream stream = NULL;
    (void)w;
    CHECK(gpu.cuInit(0) == CUDA_OK);
    CHECK(gpu.cuStreamCreate(&stream, 0) == 201);
}

static void other_context(struct world *w)
{
    cuda_context other = NULL;
    cuda_stream stream = NULL;
    CHECK(gpu.cuCtxCreate(&other, 0, 1) == CUDA_OK);
    CHECK(gpu.cuStreamCreate(&stream, 0) == CUDA_OK);
    CHECK(gpu.cuEventRecord(w->begin, stream) == CUDA_INVALID_HANDLE);
}

/* HIP's threads are on a device; what was made there is of it. */
static void other_device(struct world *w)
{
    cuda_stream stream = NULL;
    cuda_ordinal device = 7;
    CHECK(gpu.hipGetDevice(&device) == CUDA_OK && device == 0);
    CHECK(gpu.hipSetDevice(1) == CUDA_OK);
    CHECK(gpu.hipGetDevice(&device) == CUDA_OK && device == 1);
    CHECK(gpu.cuStreamCreate(&stream, 0) == CUDA_OK);
    CHECK(gpu.cuEventRecord(w->begin, stream) == CUDA_INVALID_HANDLE);
}

static void context_with_things(struct world *w)
{
    CHECK(gpu.cuCtxPopCurrent(NULL) == CUDA_OK);
    CHECK(gpu.cuDevicePrimaryCtxRelease(0) == CUDA_OK);
    (void)w;
}

static void stays_pushed(struct world *w)
{
    world_open(w);
}

static void leaks_event(struct world *w)
{
    cuda_event event = NULL;
    CHECK(gpu.cuEventCreate(&event, 0) == CUDA_OK);
    (void)w;
}

static void late_use(struct world *w)
{
    cuda_stream stream = NULL;
    CHECK(gpu.cuStreamCreate(&stream, 0) == CUDA_OK && gpu.cuStreamDestroy(stream) == CUDA_OK);
    CHECK(gpu.cuStreamQuery(stream) == CUDA_INVALID_HANDLE);
    (void)w;
}

static void wrong_attribute(struct world *w)
{
    int value = 0;
    (void)w;
    CHECK(gpu.cuDeviceGetAttribute(&value, is_hip ? 38 : 19, 0) == CUDA_INVALID_VALUE);
}

static void attributes(struct world *w)
{
    int value = 0;
    (void)w;
    CHECK(gpu.cuDeviceGetAttribute(&value, is_hip ? 19 : 38, 0) == CUDA_OK && value == 4096);
    CHECK(gpu.cuDeviceGetAttribute(&value, is_hip ? 23 : 75, 0) == CUDA_OK && value == 8);
    CHECK(gpu.cuDeviceGetAttribute(&value, is_hip ? 61 : 76, 0) == CUDA_OK && value == 6);
}

static void early(struct world *w)
{
    (void)w;
    CHECK(gpu.cuInit(0) == CUDA_OK);
    CHECK(gpu.cuLaunchKernel && gpu.rtcGetCode);
    CHECK(!gpu.cuMemAllocManaged && !gpu.cuStreamIsCapturing && !gpu.cuStreamGetCtx);
    CHECK(!gpu.cuDevicePrimaryCtxRelease_v2 && !gpu.nvrtcGetCUBIN);
    CHECK(is_hip ? !gpu.hipGetDevicePropertiesR0600 : gpu.cuDevicePrimaryCtxRelease != NULL);
}

const struct test_case cases[] = {
    {"", nothing, NULL, BOTH, false},
    {"", copies, NULL, BOTH, false},
    {"", copy_beyond, "misuse 1 cuMemcpyAsync: beyond the end of a memory", CUDA_ALONE_CASE, false},
    {"", copy_beyond, "misuse 1 hipMemcpyAsync: beyond the end of a memory", HIP_ALONE_CASE, false},
    {"", pageable_copy_behind_blocking,
     "misuse 1 cuMemcpyAsync: pageable memory, which waits for a stream that is blocked",
     CUDA_ALONE_CASE, false},
    {"", written_beyond, "misuse 1 cuMemFree_v2: memory was written beyond its ends",
     CUDA_ALONE_CASE, false},
    {"", written_beyond, "leak device memory 1", BOTH, false},
    {"free_bytes=10000,total_bytes=20000", memory_is_counted, NULL, BOTH, false},
    {"managed=0", managed_is_missing, NULL, BOTH, false},
    {"", fills, NULL, BOTH, false},
    {"", fills, "kernel fill 1", BOTH, false},
    {"", too_small, "misuse 1 cuLaunchKernel: fill: a memory is too small, or none",
     CUDA_ALONE_CASE, false},
    {"", no_such_kernel, NULL, BOTH, false},
    {"", garbage, NULL, CUDA_ALONE_CASE, false},
    {"", parameters, NULL, CUDA_ALONE_CASE, false},
    {"", compiles, NULL, BOTH, false},
    {"", machine_code, NULL, CUDA_ALONE_CASE, false},
    {"", other_architecture, NULL, HIP_ALONE_CASE, false},
    {"", no_architecture, NULL, HIP_ALONE_CASE, false},
    {"version=60032830", architecture_of_device, NULL, HIP_ALONE_CASE, false},
    {"init=34", init_fails, NULL, BOTH, true},
    {"devices=0", no_devices, NULL, BOTH, true},
    {"fail=cuDriverGetVersion:1,error=42", forced, NULL, CUDA_ALONE_CASE, true},
    {"fail=hipDriverGetVersion:1,error=42", forced, NULL, HIP_ALONE_CASE, true},
    {"", without_init, "misuse 1 cuDeviceGetCount: before cuInit", CUDA_ALONE_CASE, true},
    {"", without_context, "misuse 1 cuStreamCreate: no context is current", CUDA_ALONE_CASE, true},
    {"devices=2", other_context, "misuse 1 cuEventRecord: the event is of another context",
     CUDA_ALONE_CASE, false},
    {"devices=2", other_device, "misuse 1 hipEventRecord: the event is of another context",
     HIP_ALONE_CASE, false},
    {"", context_with_things,
     "misuse 1 cuDevicePrimaryCtxRelease: 7 things of this context are left", CUDA_ALONE_CASE,
     false},
    {"", stays_pushed, "leak pushed context 1", CUDA_ALONE_CASE, true},
    {"", leaks_event, "leak event 3", BOTH, false},
    {"", late_use, "misuse 1 cuStreamQuery: stream was destroyed", CUDA_ALONE_CASE, false},
    {"strict=1", late_use, "abort", BOTH, false},
    {"no_such_key=1", nothing, "abort", BOTH, false},
    {"", wrong_attribute, "misuse 1 cuDeviceGetAttribute: attribute 19", CUDA_ALONE_CASE, false},
    {"", wrong_attribute, "misuse 1 hipDeviceGetAttribute: attribute 38", HIP_ALONE_CASE, false},
    {"capability=86,l2_bytes=4096", attributes, NULL, BOTH, false},
    {"", early, NULL, EARLY, true},
    {NULL, NULL, NULL, BOTH, false},
};
