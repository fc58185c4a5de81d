/* SPDX-License-Identifier: MIT */
/* plugin.c - two kernels on the CPU and on OpenCL: 20 frames, an optimisation, 20 frames, and what
 * it brought. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <kerntime/snapshot.h>
#include <kerntime/timer/cpu.h>
#include <kerntime/timer/opencl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 256, R = 5, WINDOW = (2 * R + 1) * (2 * R + 1), FRAMES = 20 };
typedef unsigned picture[N * N];
static picture input, rows, blurred, of_cpu, of_opencl;

static kt_timer_context *cpu_timer_context, *opencl_timer_context;
static kt_timer *cpu_blur, *opencl_blur, *opencl_tone;

/* ---- On the CPU. ---- */

static int inside(int i)
{
    return i < 0 ? 0 : i < N ? i : N - 1;
}

/* Each pixel adds up its window. */
static void blur(void)
{
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            unsigned sum = 0;
            for (int v = -R; v <= R; v++)
                for (int u = -R; u <= R; u++)
                    sum += input[inside(y + v) * N + inside(x + u)];
            blurred[y * N + x] = sum / WINDOW;
        }
}

/* The optimisation: each pixel adds up a row, then a column of such sums. */
static void blur_optimised(void)
{
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            unsigned sum = 0;
            for (int u = -R; u <= R; u++)
                sum += input[y * N + inside(x + u)];
            rows[y * N + x] = sum;
        }
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            unsigned sum = 0;
            for (int v = -R; v <= R; v++)
                sum += rows[inside(y + v) * N + x];
            blurred[y * N + x] = sum / WINDOW;
        }
}

static void tone(void)
{
    KT_SCOPE("tone");
    for (int i = 0; i < N * N; i++)
        of_cpu[i] = blurred[i] * blurred[i] / 255;
}

static void cpu_frame(int optimised)
{
    kt_timer_start(cpu_blur, NULL);
    if (optimised)
        blur_optimised();
    else
        blur();
    kt_timer_stop(cpu_blur, NULL);
    tone();
}

/* ---- The same on OpenCL. ---- */

static const char source[] =
    "int inside(int i, int n) { return clamp(i, 0, n - 1); }\n"
    "__kernel void blur(__global const uint *from, __global uint *to)\n"
    "{ int n = get_global_size(0), x = get_global_id(0), y = get_global_id(1); uint sum = 0;\n"
    "  for (int v = -R; v <= R; v++) for (int u = -R; u <= R; u++)\n"
    "      sum += from[inside(y + v, n) * n + inside(x + u, n)];\n"
    "  to[y * n + x] = sum / ((2 * R + 1) * (2 * R + 1)); }\n"
    "__kernel void blur_rows(__global const uint *from, __global uint *to)\n"
    "{ int n = get_global_size(0), x = get_global_id(0), y = get_global_id(1); uint sum = 0;\n"
    "  for (int u = -R; u <= R; u++) sum += from[y * n + inside(x + u, n)];\n"
    "  to[y * n + x] = sum; }\n"
    "__kernel void blur_columns(__global const uint *from, __global uint *to)\n"
    "{ int n = get_global_size(0), x = get_global_id(0), y = get_global_id(1); uint sum = 0;\n"
    "  for (int v = -R; v <= R; v++) sum += from[inside(y + v, n) * n + x];\n"
    "  to[y * n + x] = sum / ((2 * R + 1) * (2 * R + 1)); }\n"
    "__kernel void tone(__global const uint *from, __global uint *to)\n"
    "{ int i = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
    "  to[i] = from[i] * from[i] / 255; }\n";

enum { INPUT, ROWS, BLURRED, OUTPUT, BUFFERS };
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem buffers[BUFFERS];
static cl_kernel cl_blur, cl_blur_rows, cl_blur_columns, cl_tone;

static void must(cl_int error)
{
    if (error != CL_SUCCESS) {
        fprintf(stderr, "plugin: OpenCL answers %d\n", error);
        exit(1);
    }
}

static cl_kernel make_kernel(const char *name, int from, int to)
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    must(error);
    must(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffers[from]));
    must(clSetKernelArg(kernel, 1, sizeof(cl_mem), &buffers[to]));
    return kernel;
}

/* Leaves the queue NULL if there is no device. */
static void open_opencl(void)
{
    cl_platform_id platforms[8];
    cl_uint count = 0;
    cl_device_id device = NULL;
    clGetPlatformIDs(8, platforms, &count);
    for (cl_uint i = 0; i < count && i < 8 && !device; i++)
        clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    if (!device)
        return;
    cl_int error;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    must(error);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
    must(error);
    for (int i = 0; i < BUFFERS; i++) {
        buffers[i] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof input, input, &error);
        must(error);
    }
    const char *text = source;
    char options[16];
    snprintf(options, sizeof options, "-DR=%d", R);
    program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    must(error);
    must(clBuildProgram(program, 1, &device, options, NULL, NULL));
    cl_blur = make_kernel("blur", INPUT, BLURRED);
    cl_blur_rows = make_kernel("blur_rows", INPUT, ROWS);
    cl_blur_columns = make_kernel("blur_columns", ROWS, BLURRED);
    cl_tone = make_kernel("tone", BLURRED, OUTPUT);
}

static void run(cl_kernel kernel)
{
    const size_t size[2] = {N, N};
    must(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL));
}

static void opencl_frame(int optimised)
{
    kt_timer_start(opencl_blur, queue);
    if (optimised) {
        run(cl_blur_rows);
        run(cl_blur_columns);
    } else {
        run(cl_blur);
    }
    kt_timer_stop(opencl_blur, queue);
    kt_timer_start(opencl_tone, queue);
    run(cl_tone);
    kt_timer_stop(opencl_tone, queue);
    must(clEnqueueReadBuffer(queue, buffers[OUTPUT], CL_TRUE, 0, sizeof of_opencl, of_opencl, 0,
                             NULL, NULL));
}

static void close_opencl(void)
{
    cl_kernel kernels[] = {cl_blur, cl_blur_rows, cl_blur_columns, cl_tone};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        clReleaseKernel(kernels[i]);
    for (int i = 0; i < BUFFERS; i++)
        clReleaseMemObject(buffers[i]);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

/* ---- The frame loop. ---- */

static void frame(int optimised)
{
    cpu_frame(optimised);
    if (queue)
        opencl_frame(optimised);
    kt_collect(opencl_timer_context);
}

/* What 20 frames took, without one before them that compiles and touches memory for the first
 * time. */
static kt_snapshot *frames(int optimised)
{
    frame(optimised);
    kt_timer_context_wait(opencl_timer_context,
                          0); /* so that nothing of that frame is still to come */
    kt_reset();
    for (int i = 0; i < FRAMES; i++)
        frame(optimised);
    kt_timer_context_wait(opencl_timer_context, 0);
    kt_snapshot *times = NULL;
    kt_snapshot_take(&times);
    return times;
}

int main(void)
{
    for (int i = 0; i < N * N; i++)
        input[i] = (unsigned)i * 2654435761u >> 24;
    open_opencl();
    if (!queue)
        fprintf(stderr, "plugin: there is no OpenCL device here, so only the CPU has frames\n");

    kt_opencl_import import = {.size = sizeof import, .queue = queue};
    if (queue && kt_timer_context_import_opencl(&import, &opencl_timer_context) != KT_OK)
        fprintf(stderr, "plugin: OpenCL is not timed: %s\n", kt_error_text());
    kt_timer_context_import_cpu(&cpu_timer_context);
    kt_timer_create(cpu_timer_context, "blur", &cpu_blur);
    kt_timer_create(opencl_timer_context, "blur", &opencl_blur);
    kt_timer_create(opencl_timer_context, "tone", &opencl_tone);

    kt_snapshot *before = frames(0);
    static picture was;
    memcpy(was, of_cpu, sizeof was);
    kt_snapshot *after = frames(1);
    int same =
        memcmp(was, of_cpu, sizeof was) == 0 && (!queue || memcmp(was, of_opencl, sizeof was) == 0);

    kt_comparison *comparison = NULL;
    const kt_sink sink = kt_file_sink(stdout);
    kt_snapshot_write(before, KT_FORMAT_TABLE, &sink);
    puts("");
    kt_snapshot_compare(before, after, &comparison);
    kt_comparison_write(comparison, &sink);
    puts(same ? "\nall pictures are the same" : "\nthe pictures differ");

    kt_comparison_destroy(&comparison);
    kt_snapshot_destroy(&before);
    kt_snapshot_destroy(&after);
    kt_timer_destroy(&cpu_blur);
    kt_timer_destroy(&opencl_blur);
    kt_timer_destroy(&opencl_tone);
    kt_timer_context_close(&cpu_timer_context);
    kt_timer_context_close(&opencl_timer_context);
    if (queue)
        close_opencl();
    return same ? 0 : 1;
}
