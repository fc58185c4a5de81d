/* SPDX-License-Identifier: MIT */
/* cuda_timer.c - a rod cools: a program that owns its CUDA stream, by the driver API. */
#include <cuda.h>
#include <kerntime/snapshot.h>
#include <kerntime/timer/cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 20, BLOCK = 256, FRAMES = 20, STEPS = 10 };
static float rod[N];

/* heat[i] *= 63 / 64, by N threads */
static const char source[] = ".version 6.0\n"
                             ".target sm_50\n"
                             ".address_size 64\n"
                             ".visible .entry cool(.param .u64 heat) {\n"
                             "  .reg .f32 %f;\n"
                             "  .reg .b32 %block, %size, %thread;\n"
                             "  .reg .b64 %at, %heat;\n"
                             "  ld.param.u64 %heat, [heat];\n"
                             "  mov.u32 %block, %ctaid.x;\n"
                             "  mov.u32 %size, %ntid.x;\n"
                             "  mov.u32 %thread, %tid.x;\n"
                             "  mad.lo.s32 %thread, %block, %size, %thread;\n"
                             "  mul.wide.u32 %at, %thread, 4;\n"
                             "  add.u64 %at, %at, %heat;\n"
                             "  ld.global.f32 %f, [%at];\n"
                             "  mul.f32 %f, %f, 0f3F7C0000;\n"
                             "  st.global.f32 [%at], %f;\n"
                             "  ret;\n"
                             "}\n";

static void must(CUresult error)
{
    if (error != CUDA_SUCCESS) {
        fprintf(stderr, "cuda_timer: CUDA answers %d\n", error);
        exit(1);
    }
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUstream stream;
    CUmodule module;
    CUfunction cool;
    CUdeviceptr heat, host = (uintptr_t)rod;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS) {
        fprintf(stderr, "cuda_timer: there is no CUDA device here\n");
        return 0;
    }
    must(cuDevicePrimaryCtxRetain(&context, device));
    must(cuCtxSetCurrent(context));
    must(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));

    kt_cuda_import import = {.size = sizeof import, .stream = stream}; /* of this context */
    kt_timer_context *timer_context = NULL;
    kt_timer *cooling = NULL, *reading = NULL;
    if (kt_timer_context_import_cuda(&import, &timer_context) != KT_OK)
        fprintf(stderr, "cuda_timer: not timed: %s\n", kt_error_text());
    kt_timer_create(timer_context, "cool", &cooling);
    kt_timer_create(timer_context, "read", &reading);

    for (int i = 0; i < N; i++)
        rod[i] = 100;
    must(cuModuleLoadDataEx(&module, source, 0, NULL, NULL));
    must(cuModuleGetFunction(&cool, module, "cool"));
    must(cuMemAlloc(&heat, sizeof rod));
    must(cuMemcpyAsync(heat, host, sizeof rod, stream));

    void *args[] = {&heat};
    for (int frame = 0; frame < FRAMES; frame++) {
        kt_timer_start(cooling, stream);
        for (int i = 0; i < STEPS; i++)
            must(cuLaunchKernel(cool, N / BLOCK, 1, 1, BLOCK, 1, 1, 0, stream, args, NULL));
        kt_timer_stop(cooling, stream);
        kt_timer_start(reading, stream);
        must(cuMemcpyAsync(host, heat, sizeof rod, stream));
        kt_timer_stop(reading, stream);
        must(cuStreamSynchronize(stream)); /* from here on the rod could be shown */
        kt_collect(timer_context);
    }
    printf("after %d steps its ends have %.2f and %.2f degrees\n", FRAMES * STEPS, rod[0],
           rod[N - 1]);

    kt_registry_print(stdout);
    kt_timer_destroy(&cooling);
    kt_timer_destroy(&reading);
    kt_timer_context_close(&timer_context); /* before its context goes */

    cuMemFree(heat);
    cuModuleUnload(module);
    cuStreamDestroy(stream);
    cuCtxSetCurrent(NULL);
    cuDevicePrimaryCtxRelease(device);
    return 0;
}
