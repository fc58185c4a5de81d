/* SPDX-License-Identifier: MIT */
/* Each kind of command that PoCL runs, and a sum of all that they leave. What is printed is the
 * same without a tracer. */
#include "world.h"

#include <CL/cl_ext.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 16, COUNT = SIDE * SIDE, BYTES = COUNT * 4, HALF = SIDE / 2 };

static const char source[] =
    "kernel void add(global uint *data, uint value) { data[get_global_id(0)] += value; }";
static const size_t zero[3], whole[3] = {SIDE, SIDE, 1}, quarter[3] = {HALF, HALF, 1},
                             rect[3] = {4 * HALF, HALF, 1};
static world w;
static uint32_t host[COUNT];
static uint64_t sum = 14695981039346656037u;

static void add_to_sum(const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ ((const unsigned char *)data)[i]) * 1099511628211u;
}

static void run_buffers(cl_mem a, cl_mem b)
{
    EXPECT(!w.clEnqueueWriteBuffer(w.queue, a, CL_FALSE, 0, BYTES, host, 0, NULL, NULL));
    EXPECT(!w.clEnqueueCopyBuffer(w.queue, a, b, 0, 0, BYTES, 0, NULL, NULL));
    EXPECT(!w.clEnqueueFillBuffer(w.queue, b, host, 4, 0, BYTES / 2, 0, NULL, NULL));
    EXPECT(!w.clEnqueueWriteBufferRect(w.queue, a, CL_TRUE, zero, zero, rect, 4 * SIDE, 0, 4 * SIDE,
                                       0, host, 0, NULL, NULL));
    EXPECT(!w.clEnqueueCopyBufferRect(w.queue, a, b, zero, zero, rect, 4 * SIDE, 0, 4 * SIDE, 0, 0,
                                      NULL, NULL));
    EXPECT(!w.clEnqueueReadBufferRect(w.queue, b, CL_TRUE, zero, zero, rect, 4 * SIDE, 0, 4 * SIDE,
                                      0, host, 0, NULL, NULL));
    EXPECT(!w.clEnqueueMigrateMemObjects(w.queue, 1, &a, 0, 0, NULL, NULL));
    uint32_t *mapped = w.clEnqueueMapBuffer(w.queue, b, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                            BYTES, 0, NULL, NULL, NULL);
    EXPECT(mapped);
    mapped[7]++;
    EXPECT(!w.clEnqueueUnmapMemObject(w.queue, b, mapped, 0, NULL, NULL));
    EXPECT(!w.clEnqueueReadBuffer(w.queue, b, CL_TRUE, 0, BYTES, host, 0, NULL, NULL));
    add_to_sum(host, BYTES);
}

static void run_images(cl_mem buffer)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc shape = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    const uint32_t color[4] = {1, 2, 3, 4};
    cl_mem a = w.clCreateImage(w.context, CL_MEM_READ_WRITE, &format, &shape, NULL, NULL);
    cl_mem b = w.clCreateImage(w.context, CL_MEM_READ_WRITE, &format, &shape, NULL, NULL);
    size_t row = 0, slice = 0;
    EXPECT(a && b);
    EXPECT(!w.clEnqueueFillImage(w.queue, b, color, zero, whole, 0, NULL, NULL));
    EXPECT(!w.clEnqueueWriteImage(w.queue, a, CL_FALSE, zero, whole, 0, 0, host, 0, NULL, NULL));
    EXPECT(!w.clEnqueueCopyImage(w.queue, a, b, zero, zero, quarter, 0, NULL, NULL));
    EXPECT(!w.clEnqueueCopyBufferToImage(w.queue, buffer, a, 0, zero, whole, 0, NULL, NULL));
    EXPECT(!w.clEnqueueCopyImageToBuffer(w.queue, b, buffer, zero, whole, 0, 0, NULL, NULL));
    void *mapped = w.clEnqueueMapImage(w.queue, a, CL_TRUE, CL_MAP_READ, zero, whole, &row, &slice,
                                       0, NULL, NULL, NULL);
    EXPECT(mapped);
    add_to_sum(mapped, row * SIDE);
    EXPECT(!w.clEnqueueUnmapMemObject(w.queue, a, mapped, 0, NULL, NULL));
    EXPECT(!w.clEnqueueReadImage(w.queue, b, CL_TRUE, zero, whole, 0, 0, host, 0, NULL, NULL));
    add_to_sum(host, BYTES);
    EXPECT(!w.clReleaseMemObject(a) && !w.clReleaseMemObject(b));
}

static void run_svm(void)
{
    uint32_t *a = w.clSVMAlloc(w.context, CL_MEM_READ_WRITE, BYTES, 0);
    uint32_t *b = w.clSVMAlloc(w.context, CL_MEM_READ_WRITE, BYTES, 0);
    EXPECT(a && b);
    EXPECT(!w.clEnqueueSVMMemFill(w.queue, a, host, 4, BYTES, 0, NULL, NULL));
    EXPECT(!w.clEnqueueSVMMemcpy(w.queue, CL_TRUE, b, a, BYTES, 0, NULL, NULL));
    EXPECT(!w.clEnqueueSVMMap(w.queue, CL_TRUE, CL_MAP_READ, b, BYTES, 0, NULL, NULL));
    add_to_sum(b, BYTES);
    EXPECT(!w.clEnqueueSVMUnmap(w.queue, b, 0, NULL, NULL));
    EXPECT(!w.clFinish(w.queue));
    w.clSVMFree(w.context, a);
    w.clSVMFree(w.context, b);
}

static void CL_CALLBACK native(void *args)
{
    ++**(unsigned **)args;
}

static void run_kernels(cl_mem buffer)
{
    const size_t global = COUNT, local = SIDE;
    const cl_uint three = 3;
    unsigned native_runs = 0, *place = &native_runs;
    cl_kernel add = world_kernel(&w, "add");
    EXPECT(!w.clSetKernelArg(add, 0, sizeof buffer, &buffer));
    EXPECT(!w.clSetKernelArg(add, 1, sizeof three, &three));
    for (int i = 0; i < 20; i++)
        EXPECT(!w.clEnqueueNDRangeKernel(w.queue, add, 1, NULL, &global, i % 2 ? &local : NULL, 0,
                                         NULL, NULL));
    EXPECT(!w.clEnqueueTask(w.queue, add, 0, NULL, NULL));
    EXPECT(!w.clEnqueueNativeKernel(w.queue, native, &place, sizeof place, 0, NULL, NULL, 0, NULL,
                                    NULL));
    EXPECT(!w.clEnqueueReadBuffer(w.queue, buffer, CL_TRUE, 0, BYTES, host, 0, NULL, NULL));
    EXPECT(native_runs == 1);
    add_to_sum(host, BYTES);
    EXPECT(!w.clReleaseKernel(add));
}

/* A command that waits for what this thread does later: whoever waited for it would wait for
 * ever. */
static void run_out_of_order(cl_mem buffer)
{
    const cl_queue_properties wanted[] = {CL_QUEUE_PROPERTIES,
                                          CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    const size_t global = COUNT;
    const cl_uint one = 1;
    cl_int code = 99;
    cl_ulong start = 99;
    cl_command_queue_properties flags = 99;
    cl_queue_properties list[8] = {99};
    size_t bytes = 99;
    cl_command_queue queue =
        w.clCreateCommandQueueWithProperties(w.context, w.device, wanted, &code);
    cl_event gate = w.clCreateUserEvent(w.context, NULL), gated, free_event;
    cl_kernel add = world_kernel(&w, "add");
    EXPECT(queue && gate && code == CL_SUCCESS);
    EXPECT(!w.clSetKernelArg(add, 0, sizeof buffer, &buffer));
    EXPECT(!w.clSetKernelArg(add, 1, sizeof one, &one));
    EXPECT(!w.clEnqueueNDRangeKernel(queue, add, 1, NULL, &global, NULL, 1, &gate, &gated));
    EXPECT(!w.clEnqueueNDRangeKernel(queue, add, 1, NULL, &global, NULL, 0, NULL, &free_event));
    EXPECT(!w.clFlush(queue) && !w.clWaitForEvents(1, &free_event));
    EXPECT(!w.clSetUserEventStatus(gate, CL_COMPLETE) && !w.clFinish(queue));
    code = w.clGetEventProfilingInfo(gated, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    EXPECT(!w.clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof flags, &flags, NULL));
    EXPECT(!w.clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof list, list, &bytes));
    printf("out of order: start %d %llu, properties %u, list %u %u %u of %zu bytes\n", code,
           (unsigned long long)start, (unsigned)flags, (unsigned)list[0], (unsigned)list[1],
           (unsigned)list[2], bytes);
    EXPECT(!w.clReleaseEvent(gate) && !w.clReleaseEvent(gated) && !w.clReleaseEvent(free_event));
    EXPECT(!w.clReleaseKernel(add) && !w.clReleaseCommandQueue(queue));
}

/* A quarter of the buffer by a part of it, and two slices of four rows. */
static void run_parts(cl_mem buffer)
{
    const cl_buffer_region upper = {BYTES / 2, BYTES / 2};
    const size_t box[3] = {4 * HALF, 4, 2};
    cl_mem part =
        w.clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &upper, NULL);
    EXPECT(part);
    EXPECT(!w.clEnqueueCopyBuffer(w.queue, buffer, part, 0, 0, BYTES / 4, 0, NULL, NULL));
    EXPECT(!w.clEnqueueReadBufferRect(w.queue, part, CL_TRUE, zero, zero, box, 4 * HALF, BYTES / 8,
                                      4 * HALF, BYTES / 8, host, 0, NULL, NULL));
    add_to_sum(host, BYTES);
    EXPECT(!w.clReleaseMemObject(part));
}

static cl_event all_called;

static void CL_CALLBACK call_last(cl_event event, cl_int status, void *user)
{
    (void)user;
    EXPECT(status == CL_COMPLETE && !w.clReleaseEvent(event));
    EXPECT(!w.clSetUserEventStatus(all_called, CL_COMPLETE));
}

/* Asks to be called for another event, from within. */
static void CL_CALLBACK call_first(cl_event event, cl_int status, void *second)
{
    EXPECT(status == CL_COMPLETE && !w.clReleaseEvent(event));
    EXPECT(!w.clSetEventCallback(second, CL_COMPLETE, call_last, NULL));
}

/* Events that go before or while their callbacks run, on a queue without properties. */
static void run_callbacks(cl_mem buffer)
{
    const size_t global = COUNT;
    const cl_uint two = 2;
    cl_int code = 99;
    size_t bytes = 99;
    cl_ulong start = 99;
    cl_command_queue queue = w.clCreateCommandQueueWithProperties(w.context, w.device, NULL, &code);
    cl_event events[3];
    cl_kernel add = world_kernel(&w, "add");
    all_called = w.clCreateUserEvent(w.context, NULL);
    EXPECT(queue && code == CL_SUCCESS && all_called);
    EXPECT(!w.clSetKernelArg(add, 0, sizeof buffer, &buffer));
    EXPECT(!w.clSetKernelArg(add, 1, sizeof two, &two));
    for (int i = 0; i < 3; i++)
        EXPECT(!w.clEnqueueNDRangeKernel(queue, add, 1, NULL, &global, NULL, 0, NULL, &events[i]));
    EXPECT(!w.clSetEventCallback(events[0], CL_COMPLETE, call_first, events[1]));
    EXPECT(!w.clWaitForEvents(1, &events[2]));
    code =
        w.clGetEventProfilingInfo(events[2], CL_PROFILING_COMMAND_END, sizeof start, &start, NULL);
    EXPECT(!w.clReleaseEvent(events[2]) && !w.clWaitForEvents(1, &all_called));
    EXPECT(!w.clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, 0, NULL, &bytes));
    printf("without properties: end %d %llu, list of %zu bytes\n", code, (unsigned long long)start,
           bytes);
    EXPECT(!w.clReleaseEvent(all_called) && !w.clReleaseKernel(add) &&
           !w.clReleaseCommandQueue(queue));
}

/* Those of command buffers come past the loader's table. */
static void run_command_buffer(cl_mem buffer)
{
#define EXTENSION(name) \
    name##_fn name;     \
    *(void **)&name = w.clGetExtensionFunctionAddressForPlatform(w.platform, #name)
    EXTENSION(clCreateCommandBufferKHR);
    EXTENSION(clCommandNDRangeKernelKHR);
    EXTENSION(clFinalizeCommandBufferKHR);
    EXTENSION(clEnqueueCommandBufferKHR);
    EXTENSION(clReleaseCommandBufferKHR);
    if (!clCreateCommandBufferKHR || !clCommandNDRangeKernelKHR || !clFinalizeCommandBufferKHR ||
        !clEnqueueCommandBufferKHR || !clReleaseCommandBufferKHR) {
        puts("no command buffers");
        return;
    }
    const size_t global = COUNT;
    const cl_uint five = 5;
    cl_kernel add = world_kernel(&w, "add");
    EXPECT(!w.clSetKernelArg(add, 0, sizeof buffer, &buffer));
    EXPECT(!w.clSetKernelArg(add, 1, sizeof five, &five));
    cl_command_buffer_khr commands = clCreateCommandBufferKHR(1, &w.queue, NULL, NULL);
    EXPECT(commands);
    EXPECT(!clCommandNDRangeKernelKHR(commands, NULL, NULL, add, 1, NULL, &global, NULL, 0, NULL,
                                      NULL, NULL));
    EXPECT(!clFinalizeCommandBufferKHR(commands));
    for (int i = 0; i < 2; i++)
        EXPECT(!clEnqueueCommandBufferKHR(0, NULL, commands, 0, NULL, NULL) &&
               !w.clFinish(w.queue));
    EXPECT(!clReleaseCommandBufferKHR(commands) && !w.clReleaseKernel(add));
    puts("command buffers");
}

int main(void)
{
    world_open(&w, source);
    for (uint32_t i = 0; i < COUNT; i++)
        host[i] = i * 2654435761u;
    cl_mem a = w.clCreateBuffer(w.context, CL_MEM_READ_WRITE, BYTES, NULL, NULL);
    cl_mem b = w.clCreateBuffer(w.context, CL_MEM_READ_WRITE, BYTES, NULL, NULL);
    run_buffers(a, b);
    run_images(b);
    run_svm();
    run_kernels(b);
    run_parts(b);
    run_out_of_order(b);
    run_callbacks(b);
    run_command_buffer(b);
    EXPECT(!w.clEnqueueReadBuffer(w.queue, b, CL_TRUE, 0, BYTES, host, 0, NULL, NULL));
    add_to_sum(host, BYTES);
    EXPECT(!w.clReleaseMemObject(a) && !w.clReleaseMemObject(b) && !w.clFinish(w.queue));
    printf("sum %016llx\n", (unsigned long long)sum);
    world_close(&w);
    return 0;
}
