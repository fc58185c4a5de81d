/* Mapped buffers and shared virtual memory: what may be touched when, and by whom. */
#include "selftest.h"

#include <setjmp.h>
#include <signal.h>
#include <string.h>

enum { BYTES = 8192 };

static sigjmp_buf crashed;

static void on_crash(int number)
{
    (void)number;
    siglongjmp(crashed, 1);
}

/* Whether this process may not touch a byte. */
static bool is_forbidden(unsigned char *at, bool writes)
{
    struct sigaction action = {.sa_handler = on_crash}, before;
    volatile bool forbidden = true;
    sigaction(SIGSEGV, &action, &before);
    if (sigsetjmp(crashed, 1) == 0) {
        volatile unsigned char *byte = at;
        unsigned char value = *byte;
        if (writes)
            *byte = value;
        forbidden = false;
    }
    sigaction(SIGSEGV, &before, NULL);
    return forbidden;
}

static unsigned char content[BYTES];

static cl_mem make_buffer(const struct world *world, cl_mem_flags flags, void *at)
{
    for (size_t i = 0; i < BYTES; i++)
        content[i] = (unsigned char)(i * 7 + i / 256);
    cl_mem buffer = cl.clCreateBuffer(world->context, flags, BYTES, at, NULL);
    CHECK(buffer && cl.clEnqueueWriteBuffer(world->queue, buffer, CL_TRUE, 0, BYTES, content, 0,
                                            NULL, NULL) == 0);
    return buffer;
}

static unsigned char byte_of(const struct world *world, cl_mem buffer, size_t at)
{
    unsigned char byte = 0;
    CHECK(cl.clEnqueueReadBuffer(world->queue, buffer, CL_TRUE, at, 1, &byte, 0, NULL, NULL) == 0);
    return byte;
}

static unsigned char *map(const struct world *world, cl_mem buffer, cl_map_flags flags,
                          size_t offset, cl_int *error)
{
    return cl.clEnqueueMapBuffer(world->queue, buffer, CL_TRUE, flags, offset, 100, 0, NULL, NULL,
                                 error);
}

static cl_int unmap(const struct world *world, cl_mem buffer, void *at)
{
    return cl.clEnqueueUnmapMemObject(world->queue, buffer, at, 0, NULL, NULL);
}

static void case_maps(void)
{
    struct world world;
    cl_int error = 1;
    world_open(&world);
    cl_mem buffer = make_buffer(&world, 0, NULL);
    unsigned char *read = map(&world, buffer, CL_MAP_READ, 1000, &error);
    CHECK(read && error == 0 && memcmp(read, content + 1000, 100) == 0);
    CHECK(is_forbidden(read, true) && !is_forbidden(read, false));
    CHECK(byte_of(&world, buffer, 1000) ==
          content[1000]); /* what is mapped for reading may be read */
    CHECK(!map(&world, buffer, CL_MAP_WRITE, 1099, &error) && error == CL_INVALID_OPERATION);
    unsigned char *again = map(&world, buffer, CL_MAP_READ, 1050, &error);
    CHECK(again && unmap(&world, buffer, read) == 0 && unmap(&world, buffer, again) == 0);
    CHECK(is_forbidden(read, false));
    unsigned char *written = map(&world, buffer, CL_MAP_WRITE, 1000, &error);
    CHECK(written && written[5] == content[1005]);
    CHECK(!map(&world, buffer, CL_MAP_READ, 1000, &error) && error == CL_INVALID_OPERATION);
    written[5] = (unsigned char)~content[1005];
    CHECK(unmap(&world, buffer, written) == 0);
    CHECK(byte_of(&world, buffer, 1005) == (unsigned char)~content[1005]);
    CHECK(byte_of(&world, buffer, 1006) == content[1006]);
    written = map(&world, buffer, CL_MAP_WRITE_INVALIDATE_REGION, 0, &error);
    CHECK(written && written[0] == 0xA5 && written[99] == 0xA5); /* all of it is lost */
    CHECK(unmap(&world, buffer, written) == 0);
    CHECK(cl.clReleaseMemObject(buffer) == 0);
    world_close(&world);
}

/* A failed command has mapped memory nevertheless: the unmap hands over what is there. */
static void case_failed_map(void)
{
    struct world world;
    world_open(&world);
    cl_mem buffer = make_buffer(&world, 0, NULL); /* enqueue 1 */
    cl_event event = NULL;
    cl_int error = 1;
    unsigned char *at = cl.clEnqueueMapBuffer(world.queue, buffer, CL_FALSE, CL_MAP_READ, 0, 100, 0,
                                              NULL, &event, &error); /* 2 */
    CHECK(at && error == 0 && status_of(event) == CL_OUT_OF_RESOURCES);
    CHECK(at[1] == 0 && content[1] != 0); /* nothing came */
    CHECK(cl.clReleaseEvent(event) == 0 && unmap(&world, buffer, at) == 0);
    CHECK(cl.clReleaseMemObject(buffer) == 0);
    world_close(&world);
}

static void case_map_misuse(void)
{
    struct world world;
    cl_int error = 0;
    world_open(&world);
    cl_mem buffer = make_buffer(&world, 0, NULL);
    unsigned char *at = map(&world, buffer, CL_MAP_READ, 0, &error);
    CHECK(cl.clEnqueueWriteBuffer(world.queue, buffer, CL_TRUE, 500, 1, content, 0, NULL, NULL) ==
          0); /* 1: anywhere in it */
    CHECK(unmap(&world, buffer, at) == 0);
    CHECK(unmap(&world, buffer, at) == CL_INVALID_VALUE); /* 2 */
    at = map(&world, buffer, CL_MAP_WRITE, 0, &error);
    byte_of(&world, buffer, 500);                             /* 3 */
    CHECK(unmap(&world, buffer, at + 1) == CL_INVALID_VALUE); /* 4 */
    CHECK(cl.clReleaseMemObject(buffer) == 0);                /* still mapped */
    world_close(&world);
}

static void case_early_map(void)
{
    struct world world;
    cl_int error = 0;
    world_open(&world);
    cl_mem buffer = make_buffer(&world, 0, NULL);
    CHECK(!map(&world, buffer, CL_MAP_WRITE_INVALIDATE_REGION, 0, &error) &&
          error == CL_INVALID_VALUE);
    CHECK(cl.clReleaseMemObject(buffer) == 0);
    world_close(&world);
}

static cl_device_svm_capabilities svm_of(const struct world *world)
{
    cl_device_svm_capabilities can = 99;
    cl_int error =
        cl.clGetDeviceInfo(world->device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL);
    return error == CL_SUCCESS ? can : 98;
}

static void case_svm(void)
{
    struct world world;
    unsigned char out[BYTES] = {0};
    world_open(&world);
    cl_command_queue q = world.queue;
    CHECK(svm_of(&world) == CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    unsigned char *a = cl.clSVMAlloc(world.context, CL_MEM_READ_WRITE, BYTES, 0);
    unsigned char *b = cl.clSVMAlloc(world.context, CL_MEM_READ_WRITE, BYTES, 64);
    CHECK(a && b && is_forbidden(a, false));
    cl_mem over = make_buffer(&world, CL_MEM_USE_HOST_PTR, a);
    CHECK(cl.clEnqueueSVMMemcpy(q, CL_FALSE, b + 1, a, 4000, 0, NULL, NULL) == 0);
    CHECK(cl.clEnqueueSVMMemcpy(q, CL_TRUE, out, b + 1, 4000, 0, NULL, NULL) == 0);
    CHECK(memcmp(out, content, 4000) == 0 && out[4000] == 0);
    CHECK(cl.clEnqueueSVMMemcpy(q, CL_TRUE, b, content + 9, 1, 0, NULL, NULL) == 0);
    CHECK(cl.clEnqueueSVMMemcpy(q, CL_TRUE, a, a + 10, 11, 0, NULL, NULL) == CL_MEM_COPY_OVERLAP);
    CHECK(cl.clEnqueueSVMMemcpy(q, CL_TRUE, a, b + 1, BYTES, 0, NULL, NULL) == CL_INVALID_VALUE);
    CHECK(cl.clEnqueueSVMMemcpy(q, CL_TRUE, NULL, b, 1, 0, NULL, NULL) == CL_INVALID_VALUE);
    CHECK(byte_of(&world, over, 77) == content[77] && is_forbidden(b, false));
    CHECK(!cl.clSVMAlloc(world.context, 0, 0, 0) && !cl.clSVMAlloc(world.context, 0, 8, 3));
    CHECK(cl.clReleaseMemObject(over) == 0);
    cl.clSVMFree(world.context, a);
    cl.clSVMFree(world.context, b);
    cl.clSVMFree(world.context, NULL);
    world_close(&world);
}

static void case_svm_kernel(void)
{
    static const char *source = "#define FILL_VALUE 41\nkernel void fill() {}";
    const size_t global = 4;
    const cl_uint n = 4;
    cl_uint out[4] = {0};
    struct world world;
    world_open(&world);
    cl_program program = cl.clCreateProgramWithSource(world.context, 1, &source, NULL, NULL);
    CHECK(cl.clBuildProgram(program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS);
    cl_kernel fill = cl.clCreateKernel(program, "fill", NULL);
    unsigned char *at = cl.clSVMAlloc(world.context, 0, sizeof out, 0);
    CHECK(cl.clSetKernelArgSVMPointer(fill, 0, at + 4) == CL_INVALID_ARG_VALUE);
    CHECK(cl.clSetKernelArgSVMPointer(fill, 2, at) == CL_INVALID_ARG_INDEX);
    CHECK(cl.clSetKernelArgSVMPointer(fill, 0, at) == CL_SUCCESS);
    CHECK(cl.clSetKernelArg(fill, 1, sizeof n, &n) == CL_SUCCESS);
    CHECK(cl.clEnqueueNDRangeKernel(world.queue, fill, 1, NULL, &global, NULL, 0, NULL, NULL) == 0);
    CHECK(cl.clEnqueueSVMMemcpy(world.queue, CL_TRUE, out, at, sizeof out, 0, NULL, NULL) == 0);
    CHECK(out[0] == 41 && out[3] == 41);
    cl.clSVMFree(world.context, at);
    CHECK(cl.clEnqueueNDRangeKernel(world.queue, fill, 1, NULL, &global, NULL, 0, NULL, NULL) ==
          CL_INVALID_MEM_OBJECT); /* misuse 1 */
    CHECK(cl.clReleaseKernel(fill) == 0 && cl.clReleaseProgram(program) == 0);
    world_close(&world);
}

static void case_svm_misuse(void)
{
    struct world world;
    unsigned char byte = 0;
    world_open(&world);
    cl_command_queue q = world.queue;
    unsigned char *a = cl.clSVMAlloc(world.context, CL_MEM_READ_WRITE, BYTES, 0);
    cl_mem over = make_buffer(&world, CL_MEM_USE_HOST_PTR, a);
    cl_mem other = make_buffer(&world, 0, NULL);
    CHECK(cl.clEnqueueReadBuffer(q, other, CL_TRUE, 0, 1, a, 0, NULL, NULL) ==
          CL_INVALID_VALUE); /* 1 */
    CHECK(cl.clEnqueueWriteBuffer(q, other, CL_TRUE, 0, 1, a, 0, NULL, NULL) ==
          CL_INVALID_VALUE);            /* 2 */
    cl.clSVMFree(world.context, a);     /* 3: a buffer lies over it */
    cl.clSVMFree(world.context, &byte); /* 4 */
    CHECK(cl.clReleaseMemObject(over) == 0);
    cl.clSVMFree(world.context, a + 1); /* 5 */
    cl.clSVMFree(world.context, a);
    cl.clSVMFree(world.context, a); /* 6 */
    CHECK(is_forbidden(a, false));
    CHECK(cl.clEnqueueSVMMemcpy(q, CL_TRUE, &byte, a, 1, 0, NULL, NULL) ==
          CL_INVALID_VALUE);                                                   /* 7 */
    CHECK(!cl.clCreateBuffer(world.context, CL_MEM_USE_HOST_PTR, 8, a, NULL)); /* 8 */
    CHECK(cl.clReleaseMemObject(other) == 0);
    world_close(&world);
}

static void case_no_svm(void)
{
    struct world world;
    world_open(&world);
    CHECK(svm_of(&world) == 0);
    CHECK(!cl.clSVMAlloc(world.context, 0, 8, 0));
    world_close(&world);
}

static void case_before_svm(void)
{
    struct world world;
    world_open(&world);
    CHECK(svm_of(&world) == 98);
    world_close(&world);
}

static void case_leak_svm(void)
{
    struct world world;
    world_open(&world);
    CHECK(cl.clSVMAlloc(world.context, 0, 8, 0) != NULL);
    world_close(&world);
}

const struct test_case memory_cases[] = {
    {"", case_maps, "clEnqueueUnmapMemObject 4", true},
    {"event_error=2", case_failed_map, NULL, true},
    {"", case_map_misuse, "misuse 4", false},
    {"", case_map_misuse, "leak map 1", false},
    {"version=1.1", case_early_map, NULL, true},
    {"", case_svm, "clSVMFree 3", true},
    {"", case_svm_kernel, "misuse 1", false},
    {"", case_svm_misuse, "misuse 8", false},
    {"svm=none", case_no_svm, "misuse 1", false},
    {"version=1.2", case_before_svm, NULL, true},
    {"", case_leak_svm, "leak svm 1", false},
    {NULL, NULL, NULL, false},
};
