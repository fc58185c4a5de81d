/* SPDX-License-Identifier: MIT */
/* webgpu_user.h - a WebGPU program as users write it: its own device, encoders and passes, and
 * timers of them. */
#ifndef WEBGPU_USER_H
#define WEBGPU_USER_H

#include "tests/unit/testing.h"

#include "backends/webgpu/webgpu.h"

#include <kerntime/kerntime.h>
#include <kerntime/timer/webgpu.h>
#include <stdatomic.h>

#define USER_FUNCTIONS(X)                                           \
    WGPU_FUNCTIONS_OF_INSTANCES(X)                                  \
    WGPU_FUNCTIONS_OF_FUTURES(X)                                    \
    WGPU_FUNCTIONS_OF_TIMESTAMPS(X)                                 \
    WGPU_FUNCTIONS_OF_WORK(X)                                       \
    X(void, wgpuCommandEncoderAddRef, (WGPUCommandEncoder encoder)) \
    X(WGPUProc, wgpuGetProcAddress, (WGPUStringView name))

/* What a program has; user_open() fills it. */
typedef struct user {
#define USER_POINTER(result, name, parameters) result(*name) parameters;
    struct {
        USER_FUNCTIONS(USER_POINTER)
        void (*wgpuInstanceProcessEvents)(WGPUInstance instance); /* NULL: it is not exported */
        /* Of the stub alone, else NULL: up to so many submissions are executed, and how many are
         * left; the clock moves on. */
        uint64_t (*wgpuStubExecute)(WGPUQueue queue, uint64_t submissions);
        void (*wgpuStubAdvance)(uint64_t ns);
    } wgpu;
#undef USER_POINTER
    void *library;
    bool early; /* ABI */
    WGPUInstance instance;
    WGPUAdapter adapter;
    WGPUDevice device;
    WGPUQueue queue;
    WGPUComputePipeline pipeline; /* NULL: passes of this program are empty */
    WGPUBindGroup group;
    WGPUBuffer numbers;
    atomic_uint errors; /* that WebGPU told the program */
    char error[512];    /* the last of them */
} user;

typedef struct user_options {
    bool without_timestamps; /* the device is made without the feature */
    bool is_quantised;       /* and with Dawn's cut timestamps */
    bool synchronises;       /* and takes calls of several threads */
    bool has_kernel;         /* its passes run one, of some us for each group on a CPU */
} user_options;

/* False: there is no library at that path, or it has no adapter. */
bool user_open(user *u, const char *library, const user_options *options);
void user_close(user *u);
/* What kerntime is told of it. */
kt_webgpu_import user_describe(const user *u);

WGPUCommandEncoder user_encode(const user *u);
/* One of `groups` workgroups; 0: of nothing. */
void user_pass(const user *u, WGPUCommandEncoder encoder, const WGPUPassTimestampWrites *writes,
               uint32_t groups);
/* Ends and submits an encoder, and releases it. */
void user_submit(user *u, WGPUCommandEncoder encoder);
/* Until all that was submitted has ended. The program waits, not kerntime. */
void user_wait(user *u);

#endif
