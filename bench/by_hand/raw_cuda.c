/* SPDX-License-Identifier: MIT */
#include "bench/by_hand/raw_cuda.h"

#include "backends/cuda_hip/api.h"

#include <dlfcn.h>
#include <kerntime/clock.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a program by hand calls, and kerntime does not. X(name, CUDA's symbol, HIP's symbol,
 * (parameters)) */
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
    HIP_ALONE_OPTIONAL(POINTER)
#undef POINTER
    void *library;
    cuda_ordinal device;
    cuda_context context;
    cuda_stream stream;
    cuda_event start, end;
    cuda_module module, spin_module;
    cuda_function empty, spin;
    uint32_t spin_groups, spin_group_size;
    cuda_address timestamps;
    size_t timestamps_bytes;
    kt_memory_kind kinds[2]; /* what is copied: from, to */
    union {
        cuda_address address;
        void *pointer; /* the same, of what the host sees; HIP has no other */
    } ends[2];
    size_t copy_bytes;
} state;

/* What failed last. */
static char last_why[256];

const char *raw_cuda_reason(void)
{
    return last_why;
}

__attribute__((format(printf, 1, 2))) static bool fail(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(last_why, sizeof last_why, format, list);
    va_end(list);
    return false;
}

/* A function's name as the device's API has it. */
static const char *name_of(bool hip, const char *function)
{
#define ROW(name, of_cuda, of_hip, parameters) {#name, #of_cuda, #of_hip},
    static const char *const names[][3] = {CUDA_FUNCTIONS(ROW) WAITING(ROW){
        "cuMemAllocManaged", "cuMemAllocManaged", "hipMallocManaged"}};
#undef ROW
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i][0], function) == 0)
            return names[i][hip ? 2 : 1];
    return function;
}

static inline bool succeeds(const state *raw, const char *function, cuda_code code)
{
    return code == CUDA_OK || fail("%s answered %d", name_of(raw->hip, function), (int)code);
}

/* Whether it succeeds; raw_cuda_reason() tells if not. */
#define CALL(raw, function, ...) succeeds(raw, #function, (raw)->function(__VA_ARGS__))

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
    void *library = raw->library = library_of(path, raw->hip);
    if (!library)
        return fail("the driver is not here: %s", dlerror());
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
    load_one(library, "hipGetDevicePropertiesR0600", &raw->hipGetDevicePropertiesR0600);
    load_one(library, "hipGetDeviceProperties", &raw->hipGetDeviceProperties);
    return all || fail("the driver lacks a function");
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

/* Up to HIP 5 it is part of the runtime, from 6 on a library of its own. */
static void *find_hiprtc(const state *raw)
{
    static const char *const names[] = {"libhiprtc.so.7", "libhiprtc.so.6"};
    const char *named = getenv("KERNTIME_LIB_HIPRTC");
    if (named && named[0])
        return dlopen(named, RTLD_NOW | RTLD_LOCAL);
    if (dlsym(raw->library, "hiprtcCompileProgram"))
        return raw->library;
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

/* "--offload-arch=gfx90a:sramecc+:xnack-", without which hiprtc of 5.2 compiles for no device;
 * empty: the driver does not tell. The name is the last text in the structure that begins so,
 * wherever a version has it. */
static bool find_arch_option(const state *raw, char *option, size_t bytes)
{
    enum { PROPERTIES_BYTES = 16384 }; /* 1,472 in HIP 6 */
    option[0] = '\0';
    if (!raw->hipGetDevicePropertiesR0600 && !raw->hipGetDeviceProperties)
        return true;
    char *properties = calloc(1, PROPERTIES_BYTES);
    bool works =
        properties && (raw->hipGetDevicePropertiesR0600
                           ? CALL(raw, hipGetDevicePropertiesR0600, properties, raw->device)
                           : CALL(raw, hipGetDeviceProperties, properties, raw->device));
    for (size_t at = PROPERTIES_BYTES - 4; works && at > 0 && !option[0]; at--)
        if (memcmp(properties + at, "gfx", 3) == 0)
            snprintf(option, bytes, "--offload-arch=%s", properties + at);
    free(properties);
    return works;
}

/* The code is the caller's to free; NULL: hiprtc is not here, or failed. */
static char *compile_hip(const state *raw, const char *text)
{
    size_t bytes = 0;
    char *code = NULL, option[96];
    const char *const options[] = {option};
    void *program = NULL, *library = find_hiprtc(raw);
    if (!library) {
        fail("hiprtc, which compiles kernels, is not here: %s", dlerror());
        return NULL;
    }
    bool all = true;
#define POINTER(name, parameters) \
    cuda_code(*name) parameters;  \
    all &= load_one(library, #name, &name);
    HIPRTC(POINTER)
#undef POINTER
    if (!all) {
        fail("hiprtc lacks a function");
        return NULL;
    }
    if (!find_arch_option(raw, option, sizeof option) ||
        !succeeds(raw, "hiprtcCreateProgram",
                  hiprtcCreateProgram(&program, text, "raw.hip", 0, NULL, NULL)))
        return NULL;
    if (succeeds(raw, "hiprtcCompileProgram",
                 hiprtcCompileProgram(program, option[0] ? 1 : 0, options)) &&
        succeeds(raw, "hiprtcGetCodeSize", hiprtcGetCodeSize(program, &bytes)))
        code = malloc(bytes + 1);
    if (code && !succeeds(raw, "hiprtcGetCode", hiprtcGetCode(program, code))) {
        free(code);
        code = NULL;
    }
    hiprtcDestroyProgram(&program);
    return code;
}

static bool build(state *raw, const char *text, const char *entry, cuda_module *module,
                  cuda_function *function)
{
    char *code = raw->hip ? compile_hip(raw, text) : NULL;
    if (raw->hip && !code)
        return false;
    bool works = CALL(raw, cuModuleLoadDataEx, module, code ? code : text, 0, NULL, NULL) &&
                 CALL(raw, cuModuleGetFunction, function, *module, entry);
    free(code);
    return works;
}

/* ---- open and close ---- */

static bool set_up(state *raw, int device)
{
    if (!CALL(raw, cuInit, 0) || !CALL(raw, cuDeviceGet, &raw->device, device))
        return false;
    /* It stays the thread's until it is closed, as in a program that has one device. */
    if (raw->hip ? !CALL(raw, hipSetDevice, raw->device)
                 : !CALL(raw, cuDevicePrimaryCtxRetain, &raw->context, raw->device) ||
                       !CALL(raw, cuCtxPushCurrent, raw->context))
        return false;
    return CALL(raw, cuStreamCreate, &raw->stream, CUDA_STREAM_NON_BLOCKING) &&
           CALL(raw, cuEventCreate, &raw->start, 0) && CALL(raw, cuEventCreate, &raw->end, 0) &&
           build(raw, raw->hip ? empty_hip : empty_ptx, "empty", &raw->module, &raw->empty);
}

static void free_copy(state *raw);

static void raw_close(void *opened)
{
    state *raw = opened;
    cuda_context popped;
    free_copy(raw);
    if (raw->timestamps)
        raw->cuMemFree(raw->timestamps);
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
    fprintf(stderr, "%s: no %s device could be set up by hand: %s\n",
            library ? library : "the driver", hip ? "HIP" : "CUDA", last_why);
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
    return CALL(raw, cuLaunchKernel, function, groups, 1, 1, group_size, 1, 1, 0, raw->stream,
                arguments, NULL);
}

/* Waits for the second event and tells the distance. */
static bool finish(state *raw, double *elapsed_ns)
{
    float elapsed_ms = 0;
    bool works = CALL(raw, cuEventRecord, raw->end, raw->stream) &&
                 CALL(raw, cuEventSynchronize, raw->end) &&
                 CALL(raw, cuEventElapsedTime, &elapsed_ms, raw->start, raw->end);
    *elapsed_ns = (double)elapsed_ms * 1e6;
    return works;
}

static bool raw_dispatch(void *opened, bool timestamped, uint32_t count)
{
    state *raw = opened;
    double sum_ns = 0;
    for (uint32_t i = 0; i < count; i++) {
        double elapsed_ns = 0;
        if (timestamped && !CALL(raw, cuEventRecord, raw->start, raw->stream))
            return false;
        if (!launch(raw, raw->empty, 1, 1, NULL))
            return false;
        if (timestamped ? !finish(raw, &elapsed_ns) : !CALL(raw, cuStreamSynchronize, raw->stream))
            return false;
        sum_ns += elapsed_ns;
    }
    return sum_ns >= 0 || fail("a distance of events is below 0");
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
    return CALL(raw, cuStreamSynchronize, raw->stream);
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
    return raw->cuMemAllocManaged || (src != KT_MEMORY_SHARED && dst != KT_MEMORY_SHARED) ||
           fail("the driver has no managed memory");
}

/* The host touches what it sees, so that its pages are there. */
static bool make_end(state *raw, int which)
{
    size_t bytes = raw->copy_bytes;
    bool works = true;
    switch (raw->kinds[which]) {
    case KT_MEMORY_HEAP: raw->ends[which].pointer = aligned_alloc(RAW_PAGE_BYTES, bytes); break;
    case KT_MEMORY_HOST:
        works = CALL(raw, cuMemHostAlloc, &raw->ends[which].pointer, bytes, CUDA_HOST_PORTABLE);
        break;
    case KT_MEMORY_SHARED:
        works = CALL(raw, cuMemAllocManaged, &raw->ends[which].address, bytes, CUDA_ATTACH_GLOBAL);
        break;
    default: return CALL(raw, cuMemAlloc, &raw->ends[which].address, bytes);
    }
    if (!works)
        return false;
    if (!raw->ends[which].address)
        return fail("no memory of %zu bytes", bytes);
    memset(raw->ends[which].pointer, 1, bytes);
    return true;
}

static bool raw_copy(void *opened, double *duration_ns)
{
    state *raw = opened;
    bool works = CALL(raw, cuEventRecord, raw->start, raw->stream);
    if (works && raw->hip)
        works = CALL(raw, hipMemcpyAsync, raw->ends[1].pointer, raw->ends[0].pointer,
                     raw->copy_bytes, HIP_COPY_DEFAULT, raw->stream);
    else if (works)
        works = CALL(raw, cuMemcpyAsync, raw->ends[1].address, raw->ends[0].address,
                     raw->copy_bytes, raw->stream);
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
    raw->timestamps_bytes = bytes;
    return build(raw, text, entry, &raw->spin_module, &raw->spin) &&
           CALL(raw, cuMemAlloc, &raw->timestamps, bytes);
}

bool raw_cuda_spin(void *opened, uint64_t duration_ns, double *elapsed_ns, double *wall_ns,
                   void *timestamps)
{
    state *raw = opened;
    uint64_t address = raw->timestamps;
    void *arguments[] = {&address, &duration_ns};
    if (!CALL(raw, cuMemsetD8Async, raw->timestamps, 0, raw->timestamps_bytes, raw->stream) ||
        !CALL(raw, cuStreamSynchronize, raw->stream))
        return false;
    int64_t before_ns = kt_host_now_ns();
    bool works = CALL(raw, cuEventRecord, raw->start, raw->stream) &&
                 launch(raw, raw->spin, raw->spin_groups, raw->spin_group_size, arguments) &&
                 finish(raw, elapsed_ns);
    *wall_ns = (double)(kt_host_now_ns() - before_ns);
    return works &&
           CALL(raw, cuMemcpyAsync, (cuda_address)timestamps, raw->timestamps,
                raw->timestamps_bytes, raw->stream) &&
           CALL(raw, cuStreamSynchronize, raw->stream);
}

/* ---- what the driver tells ---- */

void raw_cuda_clocks(void *opened, int *clock_khz, int *memory_khz)
{
    enum { CLOCK_RATE = 13, MEMORY_CLOCK_RATE = 36 };
    state *raw = opened;
    *clock_khz = *memory_khz = 0;
    if (raw->hip) /* whose numbers differ between its versions */
        return;
    if (!CALL(raw, cuDeviceGetAttribute, clock_khz, CLOCK_RATE, raw->device))
        *clock_khz = 0;
    if (!CALL(raw, cuDeviceGetAttribute, memory_khz, MEMORY_CLOCK_RATE, raw->device))
        *memory_khz = 0;
}

bool raw_cuda_bus(void *opened, char *text, int bytes)
{
    state *raw = opened;
    return raw->cuDeviceGetPCIBusId && CALL(raw, cuDeviceGetPCIBusId, text, bytes, raw->device);
}

const raw_api raw_cuda = {open_first_cuda, raw_close, raw_dispatch, raw_make_copy, raw_copy};
const raw_api raw_hip = {open_first_hip, raw_close, raw_dispatch, raw_make_copy, raw_copy};
