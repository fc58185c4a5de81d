/* SPDX-License-Identifier: MIT */
/* selftest LIBRARY: one run that uses the driver rightly from open to close, and one case for each
 * kind of misuse that is OpenCL's own. */
#include "entry_points.h"
#include "tests/drivers/frame/cases.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The stub is opened at run time, as kerntime opens it. */
static struct {
#define API_MEMBER(name) __typeof__(&(name)) name; // NOLINT(bugprone-macro-parentheses)
    ENTRY_POINTS(API_MEMBER)
#undef API_MEMBER
} cl;

enum { BYTES = 8192, PIECE = 100, WORDS = 16 };

struct world {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* in order, with profiling */
    cl_program program;
    cl_kernel kernel;
    cl_mem buffer; /* of BYTES, byte i is i % 256 */
};

struct test_case {
    const char *script;
    void (*run)(struct world *world);
    const char *report; /* as stub_case_run() takes it */
};

static void world_open(struct world *w)
{
    static const char *source = "kernel void empty() {} kernel void scan_offsets() {}";
    unsigned char bytes[BYTES];
    cl_platform_id platform = NULL;
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)i;
    CHECK(cl.clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
    CHECK(cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &w->device, NULL) == CL_SUCCESS);
    w->context = cl.clCreateContext(NULL, 1, &w->device, NULL, NULL, NULL);
    w->queue = cl.clCreateCommandQueue(w->context, w->device, CL_QUEUE_PROFILING_ENABLE, NULL);
    w->program = cl.clCreateProgramWithSource(w->context, 1, &source, NULL, NULL);
    CHECK(cl.clBuildProgram(w->program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS);
    w->kernel = cl.clCreateKernel(w->program, "empty", NULL);
    w->buffer = cl.clCreateBuffer(w->context, CL_MEM_COPY_HOST_PTR, BYTES, bytes, NULL);
    CHECK(w->context && w->queue && w->program && w->kernel && w->buffer);
}

static void world_close(const struct world *w)
{
    CHECK(cl.clReleaseMemObject(w->buffer) == CL_SUCCESS);
    CHECK(cl.clReleaseKernel(w->kernel) == CL_SUCCESS);
    CHECK(cl.clReleaseProgram(w->program) == CL_SUCCESS);
    CHECK(cl.clReleaseCommandQueue(w->queue) == CL_SUCCESS);
    CHECK(cl.clReleaseContext(w->context) == CL_SUCCESS);
}

static cl_event dispatch(const struct world *w)
{
    const size_t global = 64;
    cl_event event = NULL;
    CHECK(cl.clEnqueueNDRangeKernel(w->queue, w->kernel, 1, NULL, &global, NULL, 0, NULL, &event) ==
          CL_SUCCESS);
    return event;
}

static cl_event mark(const struct world *w)
{
    cl_event event = NULL;
    CHECK(cl.clEnqueueMarkerWithWaitList(w->queue, 0, NULL, &event) == CL_SUCCESS);
    return event;
}

static cl_int status_of(cl_event event)
{
    cl_int status = 12345;
    CHECK(cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                            NULL) == CL_SUCCESS);
    return status;
}

static void timestamps_of(cl_event event, cl_ulong timestamps[4])
{
    for (cl_uint i = 0; i < 4; i++)
        CHECK(cl.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof *timestamps,
                                         &timestamps[i], NULL) == CL_SUCCESS);
}

static unsigned char *map(const struct world *w, cl_map_flags flags)
{
    return cl.clEnqueueMapBuffer(w->queue, w->buffer, CL_TRUE, flags, 8, PIECE, 0, NULL, NULL,
                                 NULL);
}

static cl_int unmap(const struct world *w, void *at)
{
    return cl.clEnqueueUnmapMemObject(w->queue, w->buffer, at, 0, NULL, NULL);
}

static cl_int read_buffer(const struct world *w, size_t at, void *to, size_t bytes)
{
    return cl.clEnqueueReadBuffer(w->queue, w->buffer, CL_TRUE, at, bytes, to, 0, NULL, NULL);
}

/* Whether a process of this program may do so. */
static bool may_touch(unsigned char *at, bool writes)
{
    int state = 0;
    pid_t child = fork();
    if (child == 0) {
        volatile unsigned char *byte = at;
        signal(SIGSEGV, SIG_DFL);
        unsigned char value = *byte;
        if (writes)
            *byte = value;
        _exit(0);
    }
    CHECK(child > 0 && waitpid(child, &state, 0) == child);
    return WIFEXITED(state);
}

/* ---- what works ---- */

/* Commands follow each other by 200 + 5000 + 37 ns; an empty kernel takes 150. */
static void run_events(struct world *w)
{
    cl_ulong first[4], second[4];
    cl_event events[2] = {dispatch(w), mark(w)};
    CHECK(status_of(events[0]) == CL_SUBMITTED && status_of(events[0]) == CL_COMPLETE);
    CHECK(cl.clFlush(w->queue) == CL_SUCCESS && cl.clWaitForEvents(2, events) == CL_SUCCESS);
    timestamps_of(events[0], first);
    timestamps_of(events[1], second);
    CHECK(first[1] == first[0] + 100 && first[2] == first[0] + 200 && first[3] == first[2] + 150);
    CHECK(second[0] == first[0] + 5237 && second[3] == second[2] + 5000);
    for (int i = 0; i < 2; i++)
        CHECK(cl.clReleaseEvent(events[i]) == CL_SUCCESS);
}

static void on_event(cl_event event, cl_int status, void *user)
{
    *(cl_int *)user = status;
    CHECK(cl.clReleaseEvent(event) == CL_SUCCESS);
}

static void run_callbacks(struct world *w)
{
    cl_int reported = 99;
    cl_ulong end = 0;
    cl_event user = cl.clCreateUserEvent(w->context, NULL), event = mark(w);
    CHECK(cl.clSetEventCallback(event, CL_COMPLETE, on_event, &reported) == CL_SUCCESS);
    CHECK(reported == CL_COMPLETE);
    CHECK(status_of(user) == CL_SUBMITTED);
    CHECK(cl.clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS);
    CHECK(status_of(user) == CL_COMPLETE);
    CHECK(cl.clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) ==
          CL_PROFILING_INFO_NOT_AVAILABLE);
    CHECK(cl.clRetainEvent(user) == CL_SUCCESS && cl.clReleaseEvent(user) == CL_SUCCESS);
    CHECK(cl.clReleaseEvent(user) == CL_SUCCESS && cl.clFinish(w->queue) == CL_SUCCESS);
}

/* Prefix sums of one buffer in another. */
static void run_kernel(struct world *w)
{
    const size_t one = 1;
    const cl_uint n = WORDS;
    cl_uint out[WORDS] = {0};
    cl_kernel kernel = cl.clCreateKernel(w->program, "scan_offsets", NULL);
    cl_mem sums = cl.clCreateBuffer(w->context, 0, sizeof out, NULL, NULL);
    for (int i = 0; i < WORDS; i++)
        out[i] = 3;
    CHECK(cl.clEnqueueWriteBuffer(w->queue, w->buffer, CL_TRUE, 0, sizeof out, out, 0, NULL,
                                  NULL) == CL_SUCCESS);
    CHECK(cl.clSetKernelArg(kernel, 0, sizeof sums, &w->buffer) == CL_SUCCESS);
    CHECK(cl.clSetKernelArg(kernel, 1, sizeof sums, &sums) == CL_SUCCESS);
    CHECK(cl.clEnqueueNDRangeKernel(w->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL) ==
          CL_INVALID_KERNEL_ARGS);
    CHECK(cl.clSetKernelArg(kernel, 2, sizeof n, &n) == CL_SUCCESS);
    CHECK(cl.clEnqueueNDRangeKernel(w->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL) ==
          CL_SUCCESS);
    CHECK(cl.clEnqueueCopyBuffer(w->queue, sums, w->buffer, 0, BYTES / 2, sizeof out, 0, NULL,
                                 NULL) == CL_SUCCESS);
    CHECK(read_buffer(w, BYTES / 2, out, sizeof out) == CL_SUCCESS);
    CHECK(out[0] == 0 && out[1] == 3 && out[WORDS - 1] == 3 * (WORDS - 1));
    CHECK(cl.clReleaseMemObject(sums) == CL_SUCCESS && cl.clReleaseKernel(kernel) == CL_SUCCESS);
}

/* What is mapped for reading may be read; what is written comes with the end of its mapping. */
static void run_maps(struct world *w)
{
    unsigned char byte = 0, *at = map(w, CL_MAP_READ);
    CHECK(at && at[0] == 8 && may_touch(at, false) && !may_touch(at, true));
    CHECK(read_buffer(w, 8, &byte, 1) == CL_SUCCESS && byte == 8);
    CHECK(!map(w, CL_MAP_WRITE));
    CHECK(unmap(w, at) == CL_SUCCESS && !may_touch(at, false));
    at = map(w, CL_MAP_WRITE_INVALIDATE_REGION);
    CHECK(at && at[0] == 0xA5);
    memset(at, 7, PIECE);
    CHECK(unmap(w, at) == CL_SUCCESS);
    CHECK(read_buffer(w, 8 + PIECE - 1, &byte, 1) == CL_SUCCESS && byte == 7);
}

static void run_svm(struct world *w)
{
    unsigned char in[4] = {1, 2, 3, 4}, out[4] = {0};
    unsigned char *at = cl.clSVMAlloc(w->context, CL_MEM_READ_WRITE, BYTES, 0);
    cl_mem over = cl.clCreateBuffer(w->context, CL_MEM_USE_HOST_PTR, BYTES, at, NULL);
    CHECK(at && over && !may_touch(at, false));
    CHECK(cl.clEnqueueWriteBuffer(w->queue, over, CL_TRUE, 0, 4, in, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(cl.clEnqueueSVMMemcpy(w->queue, CL_TRUE, out, at, 4, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(memcmp(in, out, 4) == 0 && !may_touch(at, false));
    CHECK(cl.clReleaseMemObject(over) == CL_SUCCESS);
    cl.clSVMFree(w->context, at);
}

static void sound(struct world *w)
{
    run_events(w);
    run_callbacks(w);
    run_maps(w);
    run_kernel(w);
    run_svm(w);
    world_close(w);
}

/* ---- misuse ---- */

static void event_released_twice(struct world *w)
{
    cl_event event = mark(w);
    CHECK(cl.clReleaseEvent(event) == CL_SUCCESS);
    CHECK(cl.clReleaseEvent(event) == CL_INVALID_EVENT);
}

static void event_retained(struct world *w)
{
    CHECK(cl.clRetainEvent(mark(w)) == CL_SUCCESS);
    world_close(w); /* which the event outlives */
}

static void status_of_a_command(struct world *w)
{
    CHECK(cl.clSetUserEventStatus(mark(w), CL_COMPLETE) == CL_INVALID_EVENT);
}

static void waits_for_an_event(struct world *w)
{
    cl_event event = mark(w);
    CHECK(cl.clEnqueueMarkerWithWaitList(w->queue, 1, &event, NULL) == CL_INVALID_EVENT_WAIT_LIST);
}

static void marker_before_1_2(struct world *w)
{
    CHECK(cl.clEnqueueMarkerWithWaitList(w->queue, 0, NULL, NULL) == CL_INVALID_OPERATION);
}

static void buffer_used_while_mapped(struct world *w)
{
    unsigned char byte = 0;
    CHECK(map(w, CL_MAP_WRITE));
    CHECK(read_buffer(w, BYTES - 1, &byte, 1) == CL_SUCCESS); /* anywhere in it */
}

static void unmapped_twice(struct world *w)
{
    unsigned char *at = map(w, CL_MAP_READ);
    CHECK(unmap(w, at) == CL_SUCCESS && unmap(w, at) == CL_INVALID_VALUE);
}

static void svm_read_by_the_host(struct world *w)
{
    void *at = cl.clSVMAlloc(w->context, 0, 8, 0);
    CHECK(read_buffer(w, 0, at, 8) == CL_INVALID_VALUE);
}

static void svm_freed_under_a_buffer(struct world *w)
{
    void *at = cl.clSVMAlloc(w->context, 0, 8, 0);
    CHECK(cl.clCreateBuffer(w->context, CL_MEM_USE_HOST_PTR, 8, at, NULL));
    cl.clSVMFree(w->context, at);
}

static void svm_freed_twice(struct world *w)
{
    void *at = cl.clSVMAlloc(w->context, 0, 8, 0);
    cl.clSVMFree(w->context, at);
    cl.clSVMFree(w->context, at);
}

static void no_svm(struct world *w)
{
    CHECK(!cl.clSVMAlloc(w->context, 0, 8, 0));
}

static const struct test_case cases[] = {
    {"noise=0,kernel_ns=5000,empty_ns=150,late=1", sound, NULL},
    {"", event_released_twice, "misuse 1 clReleaseEvent: event was destroyed"},
    {"", event_retained, "leak event 1"},
    {"", status_of_a_command, "misuse 1 clSetUserEventStatus: no user event"},
    {"", waits_for_an_event, "misuse 1 clEnqueueMarkerWithWaitList: there is a wait list"},
    {"version=1.1", marker_before_1_2,
     "misuse 1 clEnqueueMarkerWithWaitList: not before OpenCL 1.2"},
    {"", buffer_used_while_mapped, "misuse 1 clEnqueueReadBuffer: a buffer is mapped"},
    {"", buffer_used_while_mapped, "leak map 1"},
    {"", unmapped_twice, "misuse 1 clEnqueueUnmapMemObject: it is not mapped"},
    {"", svm_read_by_the_host, "misuse 1 clEnqueueReadBuffer: the host touches shared memory"},
    {"", svm_read_by_the_host, "leak svm 1"},
    {"", svm_freed_under_a_buffer, "misuse 1 clSVMFree: a buffer lies over it"},
    {"", svm_freed_twice, "misuse 1 clSVMFree: no shared memory begins there"},
    {"svm=none", no_svm, "misuse 1 clSVMAlloc: there is no shared memory"},
};

static void run_test(const struct test_case *test, void *library)
{
    struct world world;
    void *symbol;
#define LOAD(name)                  \
    symbol = dlsym(library, #name); \
    if (!symbol)                    \
        exit(1);                    \
    memcpy(&cl.name, &symbol, sizeof symbol);
    ENTRY_POINTS(LOAD)
#undef LOAD
    world_open(&world);
    test->run(&world);
}

int main(int argc, char **argv)
{
    static const struct stub stub = {"KT_STUB_OPENCL", "KT_STUB_OPENCL_COUNTS", run_test};
    bool good = argc == 2;
    for (size_t i = 0; argc == 2 && i < sizeof cases / sizeof cases[0]; i++)
        good &= stub_case_run(&stub, argv[1], cases[i].script, cases[i].report, &cases[i]);
    return good ? 0 : 1;
}
