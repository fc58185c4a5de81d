#include "raw_cuda.h"

#include "backends/cuda_hip/api.h"

#include <dlfcn.h>
#include <kerntime/clock.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a program by hand calls, and kerntime does not. X(name, CUDA's symbol, HIP's symbol, (parameters)) */
#define WAITING(X)                                                               \
    X(cuEventSynchronize, cuEventSynchronize, hipEventSynchronize, (cuda_event)) \
    X(cuStreamSynchronize, cuStreamSynchronize, hipStreamSynchronize, (cuda_stream))

/* Of hiprtc, which HIP kernels are built by; in a library of its own from HIP 6 on. */
#define HIPRTC(X)                                                                           \
    X(hiprtcCreateProgram,                                                                  \
      (void **, const char *, const char *, int, const char *const *, const char *const *)) \
    X(hiprtcCompileProgram, (void *, int, const char *const *))                             \
    X(hiprtcGetCodeSize, (void *, size_t *))                                                \
    X(hiprtcGetCode, (void *, char *))                                                      \
    X(hiprtcDestroyProgram, (void **))

typedef struct state {
    bool hip;
#define POINTER(name, of_cuda, of_hip, parameters) cuda_code(*name) parameters;
    CUDA_FUNCTIONS(POINTER)
    WAITING(POINTER)
    cuda_code (*cuMemAllocManaged)(cuda_address *, size_t,
                                   unsigned); /* NULL in an old driver, and so are the next */
    cuda_code (*cuDevicePrimaryCtxRelease)(cuda_ordinal);
    cuda_code (*cuDeviceGetPCIBusId)(char *, int, cuda_ordinal);
#undef POINTER
#define POINTER(name, symbol, parameters) cuda_code(*name) parameters;
    CUDA_ALONE(POINTER)
    HIP_ALONE(POINTER)
#undef POINTER
    cuda_ordinal device;
    cuda_context context;
    cuda_stream stream;
    cuda_event start, end;
    cuda_module module, spin_module;
    cuda_function empty, spin;
    uint32_t spin_groups, spin_group_size;
    cuda_address stamps;
    size_t stamps_bytes;
    kt_memory_kind kinds[2]; /* what is copied: from, to */
    union {
        cuda_address address;
        void *pointer; /* the same, of what the host sees; HIP has no other */
    } ends[2];
    size_t copy_bytes;
} state;

static const char empty_ptx[] = ".version 4.0\n.target sm_50\n.address_size 64\n"
                                ".visible .entry empty()\n{\n    ret;\n}\n";
static const char empty_hip[] = "extern \"C\" __global__ void empty() {}";

/* ---- the library ---- */

static void *library_of(const char *path, bool hip)
{
    static const char *const of_cuda[] = {"libcuda.so.1", "libcuda.so", NULL};
    static const char *const of_hip[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                         "libamdhip64.so", NULL};
    if (path)
        return dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *library = NULL;
    for (const char *const *name = hip ? of_hip : of_cuda; *name && !library; name++)
        library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
    return library;
}

static bool load_one(void *library, const char *symbol, void *to)
{
    void *address = dlsym(library, symbol);
    memcpy(to, &address, sizeof address);
    return address != NULL;
}

static bool load(state *raw, const char *path)
{
    void *library = library_of(path, raw->hip);
    if (!library)
        return false;
    bool all = true;
#define LOAD(name, of_cuda, of_hip, parameters) \
    all &= load_one(library, raw->hip ? #of_hip : #of_cuda, &raw->name);
    CUDA_FUNCTIONS(LOAD)
    WAITING(LOAD)
#undef LOAD
#define LOAD(name, symbol, parameters) all &= load_one(library, #symbol, &raw->name);
    if (raw->hip) {
        HIP_ALONE(LOAD)
    } else {
        CUDA_ALONE(LOAD)
    }
#undef LOAD
    load_one(library, raw->hip ? "hipMallocManaged" : "cuMemAllocManaged", &raw->cuMemAllocManaged);
    load_one(library, raw->hip ? "hipDeviceGetPCIBusId" : "cuDeviceGetPCIBusId",
             &raw->cuDeviceGetPCIBusId);
    /* Before CUDA 11 there is the first one alone. */
    if (!load_one(library, "cuDevicePrimaryCtxRelease_v2", &raw->cuDevicePrimaryCtxRelease))
        load_one(library, "cuDevicePrimaryCtxRelease", &raw->cuDevicePrimaryCtxRelease);
    return all;
}

static bool is_here(const char *path, bool hip)
{
    void *library = library_of(path, hip);
    cuda_code (*init)(unsigned), (*get_count)(int *);
    int count = 0;
    return library && load_one(library, hip ? "hipInit" : "cuInit", &init) &&
           load_one(library, hip ? "hipGetDeviceCount" : "cuDeviceGetCount", &get_count) &&
           init(0) == CUDA_OK && get_count(&count) == CUDA_OK && count > 0;
}

bool raw_cuda_is_here(const char *library)
{
    return is_here(library, false);
}

bool raw_hip_is_here(const char *library)
{
    return is_here(library, true);
}

/* ---- kernels ---- */

/* The code is the caller's to free; NULL: hiprtc is not here, or failed. */
static char *compile_hip(const char *text)
{
    static const char *const libraries[] = {"libhiprtc.so.7", "libhiprtc.so.6", "libamdhip64.so.5"};
    static const size_t count = sizeof libraries / sizeof libraries[0];
    void *library = NULL, *program = NULL;
    const char *given = getenv("KERNTIME_LIB_HIP"); /* a stub driver has both */
    if (given && given[0])
        library = dlopen(given, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < count && !library; i++)
        library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return NULL;
    size_t bytes = 0;
    char *code = NULL;
#define POINTER(name, parameters) \
    cuda_code(*name) parameters;  \
    bool has_##name = load_one(library, #name, &name);
    HIPRTC(POINTER)
#undef POINTER
    if (!has_hiprtcCreateProgram || !has_hiprtcCompileProgram || !has_hiprtcGetCodeSize ||
        !has_hiprtcGetCode || !has_hiprtcDestroyProgram ||
        hiprtcCreateProgram(&program, text, "raw.hip", 0, NULL, NULL) != CUDA_OK)
        return NULL;
    if (hiprtcCompileProgram(program, 0, NULL) == CUDA_OK &&
        hiprtcGetCodeSize(program, &bytes) == CUDA_OK)
        code = malloc(bytes);
    if (code && hiprtcGetCode(program, code) != CUDA_OK) {
        free(code);
        code = NULL;
    }
    hiprtcDestroyProgram(&program);
    return code;
}

static bool build(state *raw, const char *text, const char *entry, cuda_module *module,
                  cuda_function *function)
{
    char *code = raw->hip ? compile_hip(text) : NULL;
    if (raw->hip && !code)
        return false;
    bool works = raw->cuModuleLoadDataEx(module, code ? code : text, 0, NULL, NULL) == CUDA_OK &&
                 raw->cuModuleGetFunction(function, *module, entry) == CUDA_OK;
    free(code);
    return works;
}

/* ---- open and close ---- */

static bool set_up(state *raw, int device)
{
    if (raw->cuInit(0) != CUDA_OK || raw->cuDeviceGet(&raw->device, device) != CUDA_OK)
        return false;
    /* It stays the thread's until it is closed, as in a program that has one device. */
    if (raw->hip ? raw->hipSetDevice(raw->device) != CUDA_OK
                 : raw->cuDevicePrimaryCtxRetain(&raw->context, raw->device) != CUDA_OK ||
                       raw->cuCtxPushCurrent(raw->context) != CUDA_OK)
        return false;
    return raw->cuStreamCreate(&raw->stream, CUDA_STREAM_NON_BLOCKING) == CUDA_OK &&
           raw->cuEventCreate(&raw->start, 0) == CUDA_OK &&
           raw->cuEventCreate(&raw->end, 0) == CUDA_OK &&
           build(raw, raw->hip ? empty_hip : empty_ptx, "empty", &raw->module, &raw->empty);
}

static void free_copy(state *raw);

static void raw_close(void *opened)
{
    state *raw = opened;
    cuda_context popped;
    free_copy(raw);
    if (raw->stamps)
        raw->cuMemFree(raw->stamps);
    if (raw->spin_module)
        raw->cuModuleUnload(raw->spin_module);
    if (raw->module)
        raw->cuModuleUnload(raw->module);
    if (raw->start)
        raw->cuEventDestroy(raw->start);
    if (raw->end)
        raw->cuEventDestroy(raw->end);
    if (raw->stream)
        raw->cuStreamDestroy(raw->stream);
    if (raw->context) {
        raw->cuCtxPopCurrent(&popped);
        if (raw->cuDevicePrimaryCtxRelease)
            raw->cuDevicePrimaryCtxRelease(raw->device);
    }
    free(raw);
}

static void *open_device(const char *library, int device, bool hip)
{
    state *raw = calloc(1, sizeof *raw);
    if (!raw)
        return NULL;
    raw->hip = hip;
    raw->kinds[0] = KT_MEMORY_HEAP;
    raw->kinds[1] = KT_MEMORY_DEVICE;
    if (load(raw, library)) {
        if (set_up(raw, device))
            return raw;
        raw_close(raw);
    } else {
        free(raw);
    }
    fprintf(stderr, "%s: no %s device could be set up by hand\n", library ? library : "the driver",
            hip ? "HIP" : "CUDA");
    return NULL;
}

void *raw_cuda_open(const char *library, int device)
{
    return open_device(library, device, false);
}

void *raw_hip_open(const char *library, int device)
{
    return open_device(library, device, true);
}

static void *open_first_cuda(const char *library)
{
    return open_device(library, 0, false);
}

static void *open_first_hip(const char *library)
{
    return open_device(library, 0, true);
}

/* ---- dispatches ---- */

static bool launch(state *raw, cuda_function function, uint32_t groups, uint32_t group_size,
                   void **arguments)
{
    return raw->cuLaunchKernel(function, groups, 1, 1, group_size, 1, 1, 0, raw->stream, arguments,
                               NULL) == CUDA_OK;
}

/* Waits for the second event and tells the distance. */
static bool finish(state *raw, double *elapsed_ns)
{
    float elapsed_ms = 0;
    bool works = raw->cuEventRecord(raw->end, raw->stream) == CUDA_OK &&
                 raw->cuEventSynchronize(raw->end) == CUDA_OK &&
                 raw->cuEventElapsedTime(&elapsed_ms, raw->start, raw->end) == CUDA_OK;
    *elapsed_ns = (double)elapsed_ms * 1e6;
    return works;
}

static bool raw_dispatch(void *opened, bool stamped, uint32_t count)
{
    state *raw = opened;
    double sum_ns = 0;
    for (uint32_t i = 0; i < count; i++) {
        double elapsed_ns = 0;
        if (stamped && raw->cuEventRecord(raw->start, raw->stream) != CUDA_OK)
            return false;
        if (!launch(raw, raw->empty, 1, 1, NULL))
            return false;
        if (stamped ? !finish(raw, &elapsed_ns) : raw->cuStreamSynchronize(raw->stream) != CUDA_OK)
            return false;
        sum_ns += elapsed_ns;
    }
    return sum_ns >= 0; /* a distance below 0 is none */
}

void *raw_cuda_stream(void *opened)
{
    return ((state *)opened)->stream;
}

bool raw_cuda_launch(void *opened)
{
    state *raw = opened;
    return launch(raw, raw->empty, 1, 1, NULL);
}

bool raw_cuda_wait(void *opened)
{
    state *raw = opened;
    return raw->cuStreamSynchronize(raw->stream) == CUDA_OK;
}

/* ---- copies ---- */

static void free_end(state *raw, int which)
{
    if (!raw->ends[which].address)
        return;
    if (raw->kinds[which] == KT_MEMORY_HEAP)
        free(raw->ends[which].pointer);
    else if (raw->kinds[which] == KT_MEMORY_HOST)
        raw->cuMemFreeHost(raw->ends[which].pointer);
    else
        raw->cuMemFree(raw->ends[which].address);
    raw->ends[which].address = 0;
}

static void free_copy(state *raw)
{
    free_end(raw, 0);
    free_end(raw, 1);
}

bool raw_cuda_copy_kinds(void *opened, kt_memory_kind src, kt_memory_kind dst)
{
    state *raw = opened;
    free_copy(raw);
    raw->kinds[0] = src;
    raw->kinds[1] = dst;
    return raw->cuMemAllocManaged || (src != KT_MEMORY_SHARED && dst != KT_MEMORY_SHARED);
}

/* The host touches what it sees, so that its pages are there. */
static bool make_end(state *raw, int which)
{
    size_t bytes = raw->copy_bytes;
    bool works = true;
    switch (raw->kinds[which]) {
    case KT_MEMORY_HEAP: raw->ends[which].pointer = aligned_alloc(RAW_PAGE_BYTES, bytes); break;
    case KT_MEMORY_HOST:
        works =
            raw->cuMemHostAlloc(&raw->ends[which].pointer, bytes, CUDA_HOST_PORTABLE) == CUDA_OK;
        break;
    case KT_MEMORY_SHARED:
        works =
            raw->cuMemAllocManaged(&raw->ends[which].address, bytes, CUDA_ATTACH_GLOBAL) == CUDA_OK;
        break;
    default: return raw->cuMemAlloc(&raw->ends[which].address, bytes) == CUDA_OK;
    }
    if (!works || !raw->ends[which].address)
        return false;
    memset(raw->ends[which].pointer, 1, bytes);
    return true;
}

static bool raw_copy(void *opened, double *duration_ns)
{
    state *raw = opened;
    bool works = raw->cuEventRecord(raw->start, raw->stream) == CUDA_OK;
    if (works && raw->hip)
        works = raw->hipMemcpyAsync(raw->ends[1].pointer, raw->ends[0].pointer, raw->copy_bytes,
                                    HIP_COPY_DEFAULT, raw->stream) == CUDA_OK;
    else if (works)
        works = raw->cuMemcpyAsync(raw->ends[1].address, raw->ends[0].address, raw->copy_bytes,
                                   raw->stream) == CUDA_OK;
    return works && finish(raw, duration_ns);
}

static bool raw_make_copy(void *opened, size_t bytes)
{
    state *raw = opened;
    double first_ns;
    free_copy(raw);
    raw->copy_bytes = bytes;
    return make_end(raw, 0) && make_end(raw, 1) && raw_copy(raw, &first_ns);
}

/* ---- the kernel that spins ---- */

bool raw_cuda_make_spin(void *opened, const char *text, const char *entry, uint32_t groups,
                        uint32_t group_size, size_t bytes)
{
    state *raw = opened;
    raw->spin_groups = groups;
    raw->spin_group_size = group_size;
    raw->stamps_bytes = bytes;
    return build(raw, text, entry, &raw->spin_module, &raw->spin) &&
           raw->cuMemAlloc(&raw->stamps, bytes) == CUDA_OK;
}

bool raw_cuda_spin(void *opened, uint64_t duration_ns, double *elapsed_ns, double *wall_ns,
                   void *stamps)
{
    state *raw = opened;
    uint64_t address = raw->stamps;
    void *arguments[] = {&address, &duration_ns};
    if (raw->cuMemsetD8Async(raw->stamps, 0, raw->stamps_bytes, raw->stream) != CUDA_OK ||
        raw->cuStreamSynchronize(raw->stream) != CUDA_OK)
        return false;
    int64_t before_ns = kt_host_now_ns();
    bool works = raw->cuEventRecord(raw->start, raw->stream) == CUDA_OK &&
                 launch(raw, raw->spin, raw->spin_groups, raw->spin_group_size, arguments) &&
                 finish(raw, elapsed_ns);
    *wall_ns = (double)(kt_host_now_ns() - before_ns);
    return works &&
           raw->cuMemcpyAsync((cuda_address)stamps, raw->stamps, raw->stamps_bytes, raw->stream) ==
               CUDA_OK &&
           raw->cuStreamSynchronize(raw->stream) == CUDA_OK;
}

/* ---- what the driver tells ---- */

void raw_cuda_clocks(void *opened, int *clock_khz, int *memory_khz)
{
    enum { CLOCK_RATE = 13, MEMORY_CLOCK_RATE = 36 };
    state *raw = opened;
    *clock_khz = *memory_khz = 0;
    if (raw->hip) /* whose numbers differ between its versions */
        return;
    if (raw->cuDeviceGetAttribute(clock_khz, CLOCK_RATE, raw->device) != CUDA_OK)
        *clock_khz = 0;
    if (raw->cuDeviceGetAttribute(memory_khz, MEMORY_CLOCK_RATE, raw->device) != CUDA_OK)
        *memory_khz = 0;
}

bool raw_cuda_bus(void *opened, char *text, int bytes)
{
    state *raw = opened;
    return raw->cuDeviceGetPCIBusId &&
           raw->cuDeviceGetPCIBusId(text, bytes, raw->device) == CUDA_OK;
}

const raw_api raw_cuda = {open_first_cuda, raw_close, raw_dispatch, raw_make_copy, raw_copy};
const raw_api raw_hip = {open_first_hip, raw_close, raw_dispatch, raw_make_copy, raw_copy};
