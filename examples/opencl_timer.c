/* SPDX-License-Identifier: MIT */
/* opencl_timer.c - heat spreads in a plate and is drawn: a program that owns its OpenCL queue. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <kerntime/snapshot.h>
#include <kerntime/timer/opencl.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 512, FRAMES = 20, STEPS = 10 };
static float plate[N * N];
static cl_uchar picture[N * N];

static const char source[] =
    "__kernel void spread(__global const float *from, __global float *to)"
    "{ size_t n = get_global_size(0), x = get_global_id(0), y = get_global_id(1), i = y * n + x;"
    "  int edge = x == 0 || y == 0 || x == n - 1 || y == n - 1;"
    "  to[i] = edge ? from[i] : (from[i - 1] + from[i + 1] + from[i - n] + from[i + n]) / 4; }"
    "__kernel void shade(__global const float *heat, __global uchar *picture)"
    "{ size_t i = get_global_id(0); picture[i] = convert_uchar_sat(heat[i]); }";

static void must(cl_int error)
{
    if (error != CL_SUCCESS) {
        fprintf(stderr, "opencl_timer: OpenCL answers %d\n", error);
        exit(1);
    }
}

static cl_device_id find_device(void)
{
    cl_platform_id platforms[8];
    cl_uint count = 0;
    cl_device_id device = NULL;
    clGetPlatformIDs(8, platforms, &count);
    for (cl_uint i = 0; i < count && i < 8 && !device; i++)
        clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    return device;
}

static cl_mem make_buffer(cl_context context, void *content, size_t bytes)
{
    cl_int error;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, content, &error);
    must(error);
    return buffer;
}

static cl_kernel make_kernel(cl_program program, const char *name, cl_mem from, cl_mem to)
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    must(error);
    must(clSetKernelArg(kernel, 0, sizeof from, &from));
    must(clSetKernelArg(kernel, 1, sizeof to, &to));
    return kernel;
}

int main(void)
{
    cl_device_id device = find_device();
    if (!device) {
        fprintf(stderr, "opencl_timer: there is no OpenCL device here\n");
        return 0;
    }
    cl_int error;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    must(error);
    cl_command_queue queue =
        clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
    must(error);

    kt_opencl_import import = {.size = sizeof import, .queue = queue};
    kt_timer_context *timer_context = NULL;
    kt_timer *spreading = NULL, *shading = NULL, *reading = NULL;
    if (kt_timer_context_import_opencl(&import, &timer_context) != KT_OK)
        fprintf(stderr, "opencl_timer: not timed: %s\n", kt_error_text());
    kt_timer_create(timer_context, "spread", &spreading);
    kt_timer_create(timer_context, "shade", &shading);
    kt_timer_create(timer_context, "read", &reading);

    for (int x = 0; x < N; x++)
        plate[x] = 255; /* one edge is hot */
    cl_mem heat[2] = {make_buffer(context, plate, sizeof plate),
                      make_buffer(context, plate, sizeof plate)};
    cl_mem shades = make_buffer(context, picture, sizeof picture);
    const char *text = source;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    must(error);
    must(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel forth = make_kernel(program, "spread", heat[0], heat[1]);
    cl_kernel back = make_kernel(program, "spread", heat[1], heat[0]);
    cl_kernel shade = make_kernel(program, "shade", heat[0], shades);

    const size_t square[2] = {N, N}, all = (size_t)N * N;
    for (int frame = 0; frame < FRAMES; frame++) {
        kt_timer_start(spreading, queue);
        for (int i = 0; i < STEPS; i++) {
            must(clEnqueueNDRangeKernel(queue, forth, 2, NULL, square, NULL, 0, NULL, NULL));
            must(clEnqueueNDRangeKernel(queue, back, 2, NULL, square, NULL, 0, NULL, NULL));
        }
        kt_timer_stop(spreading, queue);
        kt_timer_start(shading, queue);
        must(clEnqueueNDRangeKernel(queue, shade, 1, NULL, &all, NULL, 0, NULL, NULL));
        kt_timer_stop(shading, queue);
        must(clEnqueueReadBuffer(queue, shades, CL_TRUE, 0, sizeof picture, picture, 0, NULL,
                                 kt_timer_event_opencl(reading)));
        kt_collect(timer_context); /* from here on the picture could be shown */
    }
    printf("%d steps; below the hot edge it is %d, in the middle %d\n", FRAMES * STEPS * 2,
           picture[N + N / 2], picture[N * N / 2 + N / 2]);

    kt_collect(timer_context);
    kt_registry_print(stdout);
    kt_timer_destroy(&spreading);
    kt_timer_destroy(&shading);
    kt_timer_destroy(&reading);
    kt_timer_context_close(&timer_context);

    clReleaseKernel(forth);
    clReleaseKernel(back);
    clReleaseKernel(shade);
    clReleaseProgram(program);
    clReleaseMemObject(heat[0]);
    clReleaseMemObject(heat[1]);
    clReleaseMemObject(shades);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
