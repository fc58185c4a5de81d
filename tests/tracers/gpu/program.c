/* SPDX-License-Identifier: MIT */
/*
 * program.c - a program that uses CUDA or HIP as its arguments say, and knows nothing of tracers. It
 * opens the driver by its name, as programs do.
 *
 *     gpu_program cuda kernel work 4 1 64 100 copy up 3 4096
 *
 * After the API, each with its own arguments:
 *   kernel NAME X Y SIZE COUNT   COUNT launches of X * Y groups of SIZE
 *   copy up|down|across COUNT BYTES, fill COUNT BYTES
 *   device N, stream             what follows is on another device, on a new stream
 *   finish                       waits for the stream
 *   cpp                          loads the runtime of C++
 *   touch FILE, await FILE       makes a file; waits until there is one
 *   fork                         a child does nothing and ends by exit()
 *   kill                         ends by SIGKILL
 *   leave                        ends by _exit(), the context is left
 *
 * KT_OPEN_FIRST: a library that it opens before the driver.
 */
#define _POSIX_C_SOURCE 200809L
#include "tests/drivers/cuda_hip_stub/entry_points.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BYTES_MAX = 1 << 20, CODE_BYTES = 8192 };

static struct {
#define SHARED_MEMBER(name, cuda, hip, parameters) cuda_code(*name) parameters;
#define ALONE_MEMBER(name, symbol, parameters)     cuda_code(*name) parameters;
    SHARED_ENTRIES(SHARED_MEMBER)
    CUDA_ENTRIES(ALONE_MEMBER)
    HIP_ENTRIES(ALONE_MEMBER)
} gpu;

static bool is_hip;
static cuda_ordinal device;
static cuda_context context;
static cuda_stream stream;
static cuda_address a, b;
static void *host;

#define GOOD(call)                                             \
    do {                                                       \
        int code_ = (call);                                    \
        if (code_ != CUDA_OK) {                                \
            fprintf(stderr, "%s answered %d\n", #call, code_); \
            exit(1);                                           \
        }                                                      \
    } while (0)

static void load(const char *name)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_GLOBAL), *address;
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
#define LOAD(member, symbol)          \
    address = dlsym(library, symbol); \
    memcpy(&gpu.member, &address, sizeof address);
#define SHARED_LOAD(member, cuda, hip, parameters) LOAD(member, is_hip ? #hip : #cuda)
#define ALONE_LOAD(member, symbol, parameters)     LOAD(member, #symbol)
    SHARED_ENTRIES(SHARED_LOAD)
    CUDA_ENTRIES(ALONE_LOAD)
    HIP_ENTRIES(ALONE_LOAD)
}

static void open_device(void)
{
    if (is_hip) {
        GOOD(gpu.hipSetDevice(device));
    } else {
        GOOD(gpu.cuDevicePrimaryCtxRetain(&context, device));
        GOOD(gpu.cuCtxPushCurrent(context));
    }
    GOOD(gpu.cuStreamCreate(&stream, CUDA_STREAM_NON_BLOCKING));
    GOOD(gpu.cuMemAlloc(&a, BYTES_MAX));
    GOOD(gpu.cuMemAlloc(&b, BYTES_MAX));
    GOOD(gpu.cuMemHostAlloc(&host, BYTES_MAX, CUDA_HOST_PORTABLE));
}

static void close_device(void)
{
    GOOD(gpu.cuStreamSynchronize(stream));
    GOOD(gpu.cuMemFreeHost(host));
    GOOD(gpu.cuMemFree(b));
    GOOD(gpu.cuMemFree(a));
    GOOD(gpu.cuStreamDestroy(stream));
    if (is_hip)
        return;
    GOOD(gpu.cuCtxPopCurrent(&context));
    GOOD(gpu.cuDevicePrimaryCtxRelease(device));
}

static void launch(const char *name, unsigned x, unsigned y, unsigned size, long count)
{
    const char *architecture = is_hip ? "--offload-arch=gfx90a" : "--gpu-architecture=sm_75";
    char source[256], code[CODE_BYTES] = "";
    cuda_source program = NULL;
    cuda_module module = NULL;
    cuda_function function = NULL;
    snprintf(source, sizeof source, "extern \"C\" __global__ void %s() {}\n", name);
    GOOD(gpu.rtcCreateProgram(&program, source, "k", 0, NULL, NULL));
    GOOD(gpu.rtcCompileProgram(program, 1, &architecture));
    GOOD(is_hip ? gpu.rtcGetCode(program, code) : gpu.nvrtcGetCUBIN(program, code));
    GOOD(gpu.rtcDestroyProgram(&program));
    GOOD(gpu.cuModuleLoadDataEx(&module, code, 0, NULL, NULL));
    GOOD(gpu.cuModuleGetFunction(&function, module, name));
    for (long i = 0; i < count; i++)
        GOOD(gpu.cuLaunchKernel(function, x, y, 1, size, 1, 1, 0, stream, NULL, NULL));
    GOOD(gpu.cuStreamSynchronize(stream));
    GOOD(gpu.cuModuleUnload(module));
}

static void copy(const char *direction, long count, size_t bytes)
{
    cuda_address memory = (cuda_address)(uintptr_t)host;
    cuda_address from = strcmp(direction, "up") == 0 ? memory : a;
    cuda_address to = strcmp(direction, "down") == 0 ? memory : b;
    for (long i = 0; i < count; i++)
        /* Addresses are numbers in CUDA. NOLINTBEGIN(performance-no-int-to-ptr) */
        GOOD(is_hip ? gpu.hipMemcpyAsync((void *)to, (const void *)from, bytes, HIP_COPY_DEFAULT,
                                         stream)
                    : gpu.cuMemcpyAsync(to, from, bytes, stream));
    /* NOLINTEND(performance-no-int-to-ptr) */
}

static void await(const char *path)
{
    while (access(path, F_OK) != 0)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void fork_once(void)
{
    pid_t child = fork();
    if (child == 0)
        exit(0);
    waitpid(child, NULL, 0);
}

static long number(const char *text)
{
    return strtol(text, NULL, 10);
}

/* Does one of the arguments, and returns how many it had. */
static int act(char **argv)
{
    const char *what = argv[0];
    if (strcmp(what, "kernel") == 0)
        return launch(argv[1], (unsigned)number(argv[2]), (unsigned)number(argv[3]),
                      (unsigned)number(argv[4]), number(argv[5])),
               5;
    if (strcmp(what, "copy") == 0)
        return copy(argv[1], number(argv[2]), (size_t)number(argv[3])), 3;
    if (strcmp(what, "fill") == 0) {
        for (long i = 0; i < number(argv[1]); i++)
            GOOD(gpu.cuMemsetD8Async(a, 1, (size_t)number(argv[2]), stream));
        return 2;
    }
    if (strcmp(what, "device") == 0) {
        close_device();
        device = (cuda_ordinal)number(argv[1]);
        open_device();
        return 1;
    }
    if (strcmp(what, "stream") == 0) {
        GOOD(gpu.cuStreamSynchronize(stream));
        GOOD(gpu.cuStreamDestroy(stream));
        GOOD(gpu.cuStreamCreate(&stream, CUDA_STREAM_NON_BLOCKING));
        return 0;
    }
    if (strcmp(what, "finish") == 0)
        return gpu.cuStreamSynchronize(stream), 0;
    if (strcmp(what, "cpp") == 0)
        return dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL) ? 0 : (exit(77), 0);
    if (strcmp(what, "touch") == 0)
        return fclose(fopen(argv[1], "w")), 1;
    if (strcmp(what, "await") == 0)
        return await(argv[1]), 1;
    if (strcmp(what, "fork") == 0)
        return fork_once(), 0;
    if (strcmp(what, "kill") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(what, "leave") == 0)
        _exit(0);
    fprintf(stderr, "what is %s?\n", what);
    exit(2);
}

int main(int argc, char **argv)
{
    const char *first = getenv("KT_OPEN_FIRST");
    if (first)
        (void)dlopen(first, RTLD_NOW | RTLD_LOCAL);
    is_hip = argc > 1 && strcmp(argv[1], "hip") == 0;
    load(is_hip ? "libamdhip64.so.5" : "libcuda.so.1");
    GOOD(gpu.cuInit(0));
    open_device();
    for (int i = 2; i < argc; i++)
        i += act(argv + i);
    close_device();
    printf("done\n");
    return 0;
}
