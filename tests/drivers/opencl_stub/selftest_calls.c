/* Cases without a fault: what the calls do, refuse and count. */
#include "selftest.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void case_info(void)
{
    struct world world;
    char text[64] = "";
    cl_ulong number = 0;
    size_t bytes = 0;
    cl_uint count = 0;
    world_open(&world);
    CHECK(cl.clGetPlatformIDs(0, NULL, NULL) == CL_INVALID_VALUE);
    CHECK(cl.clGetPlatformInfo(world.platform, CL_PLATFORM_NAME, sizeof text, text, NULL) == 0);
    CHECK(strcmp(text, "kerntime stub platform") == 0);
    CHECK(cl.clGetDeviceInfo(world.device, CL_DEVICE_NAME, sizeof text, text, &bytes) == 0);
    CHECK(strcmp(text, "kerntime stub device 0") == 0 && bytes == strlen(text) + 1);
    CHECK(cl.clGetDeviceInfo(world.device, CL_DEVICE_NAME, 3, text, NULL) == CL_INVALID_VALUE);
    CHECK(cl.clGetDeviceInfo(world.device, CL_DEVICE_TYPE, sizeof number, &number, NULL) == 0);
    CHECK(number == CL_DEVICE_TYPE_GPU);
    CHECK(cl.clGetDeviceInfo(world.device, 0xffff, 0, NULL, &bytes) == CL_INVALID_VALUE);
    CHECK(cl.clGetDeviceIDs(world.platform, CL_DEVICE_TYPE_CPU, 0, NULL, &count) ==
          CL_DEVICE_NOT_FOUND);
    CHECK(count == 0);
    CHECK(cl.clGetHostTimer(world.device, &number) == CL_INVALID_OPERATION);
    world_close(&world);
}

static void case_buffers(void)
{
    struct world world;
    unsigned char in[256];
    unsigned char out[256] = {0};
    const cl_uint pattern = 0x04030201;
    cl_int error = CL_SUCCESS;
    world_open(&world);
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)i;
    cl_mem a = cl.clCreateBuffer(world.context, CL_MEM_COPY_HOST_PTR, sizeof in, in, &error);
    cl_mem b = cl.clCreateBuffer(world.context, 0, sizeof in, NULL, &error);
    CHECK(a && b && error == CL_SUCCESS);
    cl_command_queue q = world.queue;
    CHECK(cl.clEnqueueCopyBuffer(q, a, b, 0, 0, sizeof in, 0, NULL, NULL) == 0);
    CHECK(cl.clEnqueueReadBuffer(q, b, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL) == 0);
    CHECK(memcmp(in, out, sizeof in) == 0);
    CHECK(cl.clEnqueueWriteBuffer(q, a, CL_TRUE, 8, 8, "abcdefgh", 0, NULL, NULL) == 0);
    CHECK(cl.clEnqueueFillBuffer(q, a, &pattern, sizeof pattern, 16, 8, 0, NULL, NULL) == 0);
    unsigned char *map =
        cl.clEnqueueMapBuffer(q, a, CL_TRUE, CL_MAP_READ, 8, 16, 0, NULL, NULL, &error);
    CHECK(map && error == 0 && memcmp(map, "abcdefgh", 8) == 0 &&
          memcmp(map + 8, &pattern, 4) == 0);
    CHECK(cl.clEnqueueUnmapMemObject(q, a, map, 0, NULL, NULL) == 0);
    CHECK(cl.clEnqueueReadBuffer(q, b, CL_TRUE, 1, 256, out, 0, NULL, NULL) == CL_INVALID_VALUE);
    CHECK(cl.clEnqueueReadBuffer(q, b, CL_TRUE, 0, 8, NULL, 0, NULL, NULL) == CL_INVALID_VALUE);
    CHECK(cl.clEnqueueCopyBuffer(q, a, a, 0, 8, 16, 0, NULL, NULL) == CL_MEM_COPY_OVERLAP);
    CHECK(cl.clEnqueueFillBuffer(q, a, &pattern, 3, 0, 9, 0, NULL, NULL) == CL_INVALID_VALUE);
    CHECK(!cl.clCreateBuffer(world.context, 0, 0, NULL, &error) && error == CL_INVALID_BUFFER_SIZE);
    CHECK(!cl.clCreateBuffer(world.context, 0, 8, in, &error) && error == CL_INVALID_HOST_PTR);
    CHECK(cl.clReleaseMemObject(a) == 0 && cl.clReleaseMemObject(b) == 0);
    world_close(&world);
}

static void case_programs(void)
{
    struct world world;
    cl_int error = CL_SUCCESS;
    size_t global = 64;
    size_t local = 48;
    cl_build_status status = CL_BUILD_NONE;
    world_open(&world);
    CHECK(cl.clGetProgramBuildInfo(world.program, world.device, CL_PROGRAM_BUILD_STATUS,
                                   sizeof status, &status, NULL) == 0);
    CHECK(status == CL_BUILD_SUCCESS);
    CHECK(!cl.clCreateKernel(world.program, "absent", &error) && error == CL_INVALID_KERNEL_NAME);
    cl_kernel matmul = cl.clCreateKernel(world.program, "matmul_naive", &error);
    CHECK(matmul && error == CL_SUCCESS);
    CHECK(cl.clSetKernelArg(matmul, 4, 4, &error) == CL_INVALID_ARG_INDEX);
    CHECK(cl.clSetKernelArg(matmul, 3, 8, &global) == CL_INVALID_ARG_SIZE);
    CHECK(cl.clEnqueueNDRangeKernel(world.queue, matmul, 1, NULL, &global, NULL, 0, NULL, NULL) ==
          CL_INVALID_KERNEL_ARGS);
    CHECK(cl.clEnqueueNDRangeKernel(world.queue, world.empty, 1, NULL, &global, &local, 0, NULL,
                                    NULL) == CL_INVALID_WORK_GROUP_SIZE);
    CHECK(cl.clEnqueueNDRangeKernel(world.queue, world.empty, 4, NULL, &global, NULL, 0, NULL,
                                    NULL) == CL_INVALID_WORK_DIMENSION);
    CHECK(cl.clGetKernelWorkGroupInfo(matmul, world.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof local,
                                      &local, NULL) == 0);
    CHECK(local == 1024);
    CHECK(cl.clReleaseKernel(matmul) == CL_SUCCESS);
    world_close(&world);
}

static void on_event(cl_event event, cl_int status, void *user)
{
    (void)event;
    *(cl_int *)user = status;
}

/* Kernels on arrays, whose numbers come with the build options. */
static void case_arrays(void)
{
    static const char *source = "kernel void saxpy() {} kernel void fill() {}";
    const size_t global = 4;
    const cl_uint n = 3;
    float x[4] = {1, 2, 3, 4};
    float y[4] = {10, 20, 30, 40};
    cl_uint filled[4] = {0};
    cl_int error = CL_SUCCESS;
    struct world world;
    world_open(&world);
    cl_command_queue q = world.queue;
    cl_mem a = cl.clCreateBuffer(world.context, CL_MEM_COPY_HOST_PTR, sizeof x, x, NULL);
    cl_mem b = cl.clCreateBuffer(world.context, CL_MEM_COPY_HOST_PTR, sizeof y, y, NULL);
    cl_program program = cl.clCreateProgramWithSource(world.context, 1, &source, NULL, NULL);
    CHECK(cl.clBuildProgram(program, 0, NULL, "-DFILL_VALUE=0x10u", NULL, NULL) == CL_SUCCESS);
    CHECK(!cl.clCreateKernel(program, "saxpy", &error) && error == CL_INVALID_KERNEL_DEFINITION);
    cl_kernel fill = cl.clCreateKernel(program, "fill", NULL);
    CHECK(cl.clBuildProgram(program, 0, NULL, "-w -DSAXPY_A=2", NULL, NULL) == CL_SUCCESS);
    cl_kernel saxpy = cl.clCreateKernel(program, "saxpy", NULL);
    CHECK(cl.clSetKernelArg(saxpy, 0, sizeof a, &a) == CL_SUCCESS);
    CHECK(cl.clSetKernelArg(saxpy, 1, sizeof b, &b) == CL_SUCCESS);
    CHECK(cl.clSetKernelArg(saxpy, 2, sizeof n, &n) == CL_SUCCESS);
    CHECK(cl.clEnqueueNDRangeKernel(q, saxpy, 1, NULL, &global, NULL, 0, NULL, NULL) == 0);
    CHECK(cl.clEnqueueReadBuffer(q, b, CL_TRUE, 0, sizeof y, y, 0, NULL, NULL) == 0);
    const float want[4] = {12, 24, 36, 40};
    CHECK(memcmp(y, want, sizeof y) == 0);
    CHECK(cl.clSetKernelArg(fill, 0, sizeof a, &a) == CL_SUCCESS);
    CHECK(cl.clSetKernelArg(fill, 1, sizeof n, &n) == CL_SUCCESS);
    CHECK(cl.clEnqueueNDRangeKernel(q, fill, 1, NULL, &global, NULL, 0, NULL, NULL) == 0);
    CHECK(cl.clEnqueueReadBuffer(q, a, CL_TRUE, 0, sizeof filled, filled, 0, NULL, NULL) == 0);
    CHECK(filled[0] == 16 && filled[2] == 16 && memcmp(&filled[3], &x[3], 4) == 0);
    const cl_uint many = 5;
    CHECK(cl.clSetKernelArg(fill, 1, sizeof many, &many) == CL_SUCCESS);
    CHECK(cl.clEnqueueNDRangeKernel(q, fill, 1, NULL, &global, NULL, 0, NULL, NULL) ==
          CL_INVALID_KERNEL_ARGS);
    CHECK(cl.clReleaseKernel(fill) == 0 && cl.clReleaseKernel(saxpy) == 0);
    CHECK(cl.clReleaseProgram(program) == 0);
    CHECK(cl.clReleaseMemObject(a) == 0 && cl.clReleaseMemObject(b) == 0);
    world_close(&world);
}

static void case_events(void)
{
    struct world world;
    cl_ulong timestamps[4];
    cl_ulong former = 0;
    cl_int reported = 99;
    world_open(&world);
    for (int i = 0; i < 8; i++) {
        cl_event event = dispatch(&world);
        CHECK(cl.clFlush(world.queue) == 0 && cl.clWaitForEvents(1, &event) == 0);
        CHECK(status_of(event) == CL_COMPLETE);
        timestamps_of(event, timestamps);
        CHECK(former < timestamps[0] && timestamps[0] < timestamps[1] &&
              timestamps[1] < timestamps[2]);
        CHECK(timestamps[3] - timestamps[2] == 1000);
        former = timestamps[3];
        CHECK(cl.clReleaseEvent(event) == CL_SUCCESS);
    }
    cl_event event = NULL;
    CHECK(cl.clEnqueueMarkerWithWaitList(world.queue, 0, NULL, &event) == CL_SUCCESS);
    CHECK(cl.clSetEventCallback(event, CL_COMPLETE, on_event, &reported) == 0 &&
          reported == CL_COMPLETE);
    CHECK(cl.clFinish(world.queue) == CL_SUCCESS && cl.clReleaseEvent(event) == CL_SUCCESS);
    cl_command_queue plain = new_queue(&world, 0);
    CHECK(cl.clEnqueueMarkerWithWaitList(plain, 0, NULL, &event) == CL_SUCCESS);
    CHECK(cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 8, &former, NULL) ==
          CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK(cl.clReleaseEvent(event) == CL_SUCCESS);
    CHECK(cl.clReleaseCommandQueue(plain) == CL_SUCCESS);
    world_close(&world);
}

enum { THREADS = 4, ROUNDS = 2000, HELD = 700 };

/* Holds more events than the pool starts with, so that threads make it grow at once. */
static void *churn(void *user)
{
    const struct world *world = user;
    cl_event *events = calloc(HELD, sizeof(cl_event));
    for (int i = 0; events && i < ROUNDS + HELD; i++) {
        cl_event *slot = &events[i % HELD];
        if (*slot)
            CHECK(cl.clReleaseEvent(*slot) == CL_SUCCESS);
        *slot = i < ROUNDS ? dispatch(world) : NULL;
        CHECK(i >= ROUNDS || status_of(*slot) == CL_COMPLETE);
    }
    free(events);
    return NULL;
}

static void case_threads(void)
{
    struct world world;
    pthread_t threads[THREADS];
    world_open(&world);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, churn, &world) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    world_close(&world);
}

static void case_misuse(void)
{
    struct world world;
    cl_int error = CL_SUCCESS;
    cl_int status = 0;
    world_open(&world);
    CHECK(cl.clFlush(NULL) == CL_INVALID_COMMAND_QUEUE); /* 1 */
    CHECK(!cl.clCreateBuffer(NULL, 0, 8, NULL, &error)); /* 2 */
    CHECK(error == CL_INVALID_CONTEXT);
    CHECK(cl.clGetDeviceInfo(NULL, CL_DEVICE_NAME, 0, NULL, NULL) == CL_INVALID_DEVICE); /* 3 */
    cl_event event = dispatch(&world);
    CHECK(cl.clReleaseEvent(event) == CL_SUCCESS);
    CHECK(cl.clReleaseEvent(event) == CL_INVALID_EVENT); /* 4 */
    cl_event newer = dispatch(&world); /* takes the slot of the former: it must not revive it */
    CHECK(cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                            NULL) == CL_INVALID_EVENT); /* 5 */
    CHECK(cl.clEnqueueMarkerWithWaitList(world.queue, 1, &event, NULL) ==
          CL_INVALID_EVENT_WAIT_LIST); /* 6 */
    CHECK(cl.clReleaseEvent(newer) == CL_SUCCESS);
    world_close(&world);
    CHECK(cl.clReleaseKernel(world.empty) == CL_INVALID_KERNEL); /* 7 */
    CHECK(cl.clFinish(world.queue) == CL_INVALID_COMMAND_QUEUE); /* 8 */
}

static void case_leak_event(void)
{
    struct world world;
    world_open(&world);
    dispatch(&world);
    dispatch(&world);
    world_close(&world);
}

static void case_leak_objects(void)
{
    struct world world;
    world_open(&world);
    CHECK(cl.clCreateBuffer(world.context, 0, 64, NULL, NULL) != NULL);
}

static void case_unused(void) {}

const struct test_case call_cases[] = {
    {"", case_info, "clGetHostTimer 1", true},
    {"", case_buffers, "clEnqueueUnmapMemObject 1", true},
    {"", case_programs, "clEnqueueNDRangeKernel 3", true},
    {"", case_arrays, "clEnqueueNDRangeKernel 3", true},
    {"", case_events, "clEnqueueNDRangeKernel 8", true},
    {"", case_threads, "clEnqueueNDRangeKernel 8000", true},
    {"", case_misuse, "misuse 8", false},
    {"", case_leak_event, "leak event 2", false},
    {"", case_leak_objects, "leak context 1", false},
    {"", case_leak_objects, "leak queue 1", false},
    {"", case_leak_objects, "leak buffer 1", false},
    {"", case_leak_objects, "leak program 1", false},
    {"", case_leak_objects, "leak kernel 1", false},
    {"", case_unused, "", true},
    {NULL, NULL, NULL, false},
};
