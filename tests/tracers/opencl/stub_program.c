/* SPDX-License-Identifier: MIT */
/* stub_program CASE [N]: what tests let it do over the stub driver. */
#define _POSIX_C_SOURCE 200809L
#include "world.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 4096, PIECE = 64, THREADS = 8 };

static const char source[] = "kernel void empty() {} kernel void busy() {}";
static world w;
static long number; /* N */

/* Each kind of command that the stub knows, with and without an event of the program. */
static void run_mix(void)
{
    char host[PIECE] = {0};
    cl_kernel empty = world_kernel(&w, "empty"), busy = world_kernel(&w, "busy");
    cl_mem a = w.clCreateBuffer(w.context, CL_MEM_READ_WRITE, BYTES, NULL, NULL);
    cl_mem b = w.clCreateBuffer(w.context, CL_MEM_READ_WRITE, BYTES, NULL, NULL);
    cl_event event;
    for (int i = 0; i < 10; i++)
        world_dispatch(&w, w.queue, empty, NULL);
    for (int i = 0; i < 5; i++) {
        world_dispatch(&w, w.queue, busy, &event);
        EXPECT(w.clReleaseEvent(event) == CL_SUCCESS);
    }
    for (int i = 0; i < 3; i++)
        EXPECT(!w.clEnqueueWriteBuffer(w.queue, a, i == 1, 0, PIECE, host, 0, NULL, NULL));
    EXPECT(!w.clEnqueueReadBuffer(w.queue, a, CL_TRUE, 0, PIECE, host, 0, NULL, NULL));
    EXPECT(!w.clEnqueueCopyBuffer(w.queue, a, b, 0, 0, 2 * PIECE, 0, NULL, NULL));
    EXPECT(!w.clEnqueueFillBuffer(w.queue, a, host, 4, 0, PIECE, 0, NULL, NULL));
    void *mapped =
        w.clEnqueueMapBuffer(w.queue, a, CL_TRUE, CL_MAP_READ, 0, PIECE, 0, NULL, &event, NULL);
    EXPECT(mapped && !w.clWaitForEvents(1, &event) && !w.clReleaseEvent(event));
    EXPECT(!w.clEnqueueUnmapMemObject(w.queue, a, mapped, 0, NULL, NULL));
    /* What is refused is no command. */
    EXPECT(w.clEnqueueReadBuffer(w.queue, a, CL_TRUE, 0, 2 * BYTES, host, 0, NULL, NULL));
    EXPECT(!w.clFinish(w.queue));
    EXPECT(!w.clReleaseMemObject(a) && !w.clReleaseMemObject(b));
    EXPECT(!w.clReleaseKernel(empty) && !w.clReleaseKernel(busy));
    world_close(&w);
}

/* What the program is told, which is the same without a tracer. */
static void run_answers(void)
{
    for (int profiled = 0; profiled < 2; profiled++) {
        cl_command_queue queue = w.clCreateCommandQueue(
            w.context, w.device, profiled ? CL_QUEUE_PROFILING_ENABLE : 0, NULL);
        cl_kernel kernel = world_kernel(&w, "busy");
        cl_command_queue_properties properties = 99;
        cl_uint queue_count = 99, event_count = 99, later_count = 99;
        cl_ulong start = 99;
        cl_event event;
        world_dispatch(&w, queue, kernel, &event);
        EXPECT(!w.clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof event_count, &event_count,
                                 NULL));
        EXPECT(!w.clRetainEvent(event) && !w.clFinish(queue));
        EXPECT(!w.clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof later_count, &later_count,
                                 NULL));
        const cl_int code = w.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
                                                      sizeof start, &start, NULL);
        const cl_int bad_code =
            w.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, 1, &start, NULL);
        EXPECT(!w.clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties,
                                        NULL));
        EXPECT(!w.clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof queue_count,
                                        &queue_count, NULL));
        printf("profiling %d: properties %u, references %u, of the event %u and %u, "
               "start %d %llu, too small %d\n",
               profiled, (unsigned)properties, queue_count, event_count, later_count, code,
               (unsigned long long)start, bad_code);
        EXPECT(!w.clReleaseEvent(event) && !w.clReleaseEvent(event));
        EXPECT(!w.clReleaseKernel(kernel) && !w.clReleaseCommandQueue(queue));
    }
    world_close(&w);
}

static cl_event run_and_release(cl_command_queue_properties asked, cl_kernel kernel)
{
    cl_command_queue queue = w.clCreateCommandQueue(w.context, w.device, asked, NULL);
    cl_event event;
    world_dispatch(&w, queue, kernel, &event);
    EXPECT(!w.clFinish(queue) && !w.clReleaseCommandQueue(queue));
    return event;
}

/* What events tell of a queue that the program has released, when there is another one. */
static void run_later(void)
{
    cl_kernel kernel = world_kernel(&w, "busy");
    for (int profiled = 0; profiled < 2; profiled++) {
        const cl_command_queue_properties asked = profiled ? CL_QUEUE_PROFILING_ENABLE : 0;
        cl_ulong start = 99;
        cl_event event = run_and_release(asked, kernel);
        cl_command_queue other =
            w.clCreateCommandQueue(w.context, w.device, asked ^ CL_QUEUE_PROFILING_ENABLE, NULL);
        const cl_int code = w.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
                                                      sizeof start, &start, NULL);
        printf("profiling %d: start %d %llu\n", profiled, code, (unsigned long long)start);
        EXPECT(!w.clReleaseEvent(event) && !w.clReleaseCommandQueue(other));
    }
    EXPECT(!w.clReleaseKernel(kernel));
    world_close(&w);
}

/* N dispatches, and the end without a wait. */
static void run_dispatches(void)
{
    cl_kernel kernel = world_kernel(&w, "busy");
    for (long i = 0; i < number; i++)
        world_dispatch(&w, w.queue, kernel, NULL);
}

/* The same, and clFinish. */
static void run_finish(void)
{
    run_dispatches();
    EXPECT(!w.clFinish(w.queue));
}

/* N dispatches, none of which ends, and what the driver refuses. */
static void run_refused(void)
{
    char host[PIECE];
    cl_mem buffer = w.clCreateBuffer(w.context, CL_MEM_READ_WRITE, BYTES, NULL, NULL);
    run_dispatches();
    EXPECT(w.clEnqueueReadBuffer(w.queue, buffer, CL_FALSE, 2 * BYTES, PIECE, host, 0, NULL, NULL));
    exit(0);
}

/* Two kernels in turn, looked at every now and then. */
static void run_out_of_order(void)
{
    cl_command_queue queue =
        w.clCreateCommandQueue(w.context, w.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, NULL);
    cl_kernel kernels[] = {world_kernel(&w, "busy"), world_kernel(&w, "empty")};
    for (long i = 0; i < number; i++) {
        world_dispatch(&w, queue, kernels[i % 2], NULL);
        if (i % 50 == 0)
            EXPECT(!w.clFlush(queue));
    }
}

/* Two names in turn at what may be the same handle. */
static void run_names(void)
{
    for (long i = 0; i < number; i++) {
        cl_kernel kernel = world_kernel(&w, i % 2 ? "empty" : "busy");
        world_dispatch(&w, w.queue, kernel, NULL);
        EXPECT(!w.clReleaseKernel(kernel));
    }
    world_close(&w);
}

/* Queues that come and go with commands that nobody waits for. */
static void run_queues(void)
{
    cl_kernel kernel = world_kernel(&w, "busy");
    for (long i = 0; i < number; i++) {
        cl_command_queue queue = w.clCreateCommandQueue(w.context, w.device, 0, NULL);
        world_dispatch(&w, queue, kernel, NULL);
        EXPECT(!w.clReleaseCommandQueue(queue));
    }
    EXPECT(!w.clReleaseKernel(kernel));
    world_close(&w);
}

/* Nothing but the release of its queue tells that a command has ended. */
static void run_released(void)
{
    cl_kernel kernel = world_kernel(&w, "busy");
    for (long i = 0; i < number; i++)
        world_dispatch(&w, w.queue, kernel, NULL);
    EXPECT(!w.clReleaseCommandQueue(w.queue));
    raise(SIGKILL);
}

/* Each thread with a queue of its own, and all with a shared one. */
static void *run_thread(void *unused)
{
    cl_command_queue own = w.clCreateCommandQueue(w.context, w.device, 0, NULL);
    cl_kernel kernel = world_kernel(&w, "busy");
    (void)unused;
    for (long i = 0; i < number; i++) {
        world_dispatch(&w, own, kernel, NULL);
        world_dispatch(&w, w.queue, kernel, NULL);
        if (i % 100 == 0)
            EXPECT(!w.clFinish(i % 200 ? own : w.queue));
    }
    EXPECT(!w.clReleaseKernel(kernel) && !w.clReleaseCommandQueue(own));
    return NULL;
}

static void run_threads(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        EXPECT(!pthread_create(&threads[i], NULL, run_thread, NULL));
    for (int i = 0; i < THREADS; i++)
        EXPECT(!pthread_join(threads[i], NULL));
    world_close(&w);
}

static void run_kill(void)
{
    run_finish();
    raise(SIGKILL);
}

/* The child's three commands are its own; what the parent has in flight stays the parent's. */
static void run_fork(void)
{
    int status;
    run_dispatches();
    pid_t child = fork();
    if (child == 0) {
        number = 3;
        run_finish();
        exit(0);
    }
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
}

/* The end without a wait, and the loader closed before. */
static void run_close(void)
{
    run_dispatches();
    EXPECT(!dlclose(w.loader));
    exit(0);
}

/* Of a second loader in the process, which finds the layer as the first one did, and of a newer one,
 * which starts it by another function. */
static void run_twice(void)
{
    typedef cl_int (*start)(cl_uint, const void *, cl_uint *, const void **);
    typedef cl_int (*new_start)(cl_uint, const void *, cl_uint *, const void **, const void *);
    void *layer = dlopen(getenv("OPENCL_LAYERS"), RTLD_NOW | RTLD_NOLOAD), *functions[1] = {NULL};
    cl_uint count;
    const void *table;
    start again = NULL;
    new_start newer = NULL;
    if (layer) {
        *(void **)&again = dlsym(layer, "clInitLayer");
        *(void **)&newer = dlsym(layer, "clInitLayerWithProperties");
    }
    EXPECT(again && !again(0, functions, &count, &table));
    EXPECT(newer && !newer(0, functions, &count, &table, NULL));
    run_fork();
}

/* What an OpenCL 1.0 program does: profiling on and off again. */
static void run_property(void)
{
    cl_kernel kernel = world_kernel(&w, "busy");
    for (int step = 0; step < 3; step++) {
        cl_command_queue_properties before = 99, after = 99;
        cl_event event;
        EXPECT(!w.clSetCommandQueueProperty(w.queue,
                                            CL_QUEUE_PROFILING_ENABLE |
                                                (step ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0),
                                            step != 1, &before));
        EXPECT(!w.clGetCommandQueueInfo(w.queue, CL_QUEUE_PROPERTIES, sizeof after, &after, NULL));
        world_dispatch(&w, w.queue, kernel, &event);
        EXPECT(!w.clFinish(w.queue));
        cl_ulong start = 99;
        const cl_int code = w.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
                                                      sizeof start, &start, NULL);
        printf("before %u, after %u, start %d %llu\n", (unsigned)before, (unsigned)after, code,
               (unsigned long long)start);
        EXPECT(!w.clReleaseEvent(event));
    }
    EXPECT(!w.clReleaseKernel(kernel));
    world_close(&w);
}

/* Commands that go past the loader's table. */
static void run_extension(void)
{
    cl_int(CL_API_CALL * copy)(cl_command_queue, cl_bool, void *, const void *, size_t, cl_uint,
                               const cl_event *, cl_event *);
    char host[PIECE] = {0}, *shared = w.clSVMAlloc(w.context, CL_MEM_READ_WRITE, PIECE, 0);
    *(void **)&copy =
        w.clGetExtensionFunctionAddressForPlatform(w.platform, "clEnqueueMemcpyINTEL");
    EXPECT(copy && shared);
    EXPECT(w.clGetExtensionFunctionAddressForPlatform(w.platform, "clEnqueueNothingKERNTIME"));
    EXPECT(!w.clGetExtensionFunctionAddressForPlatform(w.platform, "clEnqueueAbsentKERNTIME"));
    EXPECT(!copy(w.queue, CL_TRUE, shared, host, PIECE, 0, NULL, NULL));
    w.clSVMFree(w.context, shared);
    world_close(&w);
}

static void run_command_buffer(void)
{
    cl_int(CL_API_CALL * enqueue)(cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *,
                                  cl_event *);
    *(void **)&enqueue =
        w.clGetExtensionFunctionAddressForPlatform(w.platform, "clEnqueueCommandBufferKHR");
    EXPECT(enqueue && !enqueue(1, &w.queue, NULL, 0, NULL, NULL) && !w.clFinish(w.queue));
    world_close(&w);
}

/* What its children find. */
static void run_environment(void)
{
    puts(getenv("OPENCL_LAYERS"));
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"property", run_property},
    {"extension", run_extension},
    {"command-buffer", run_command_buffer},
    {"environment", run_environment},
    {"released", run_released},
    {"mix", run_mix},
    {"answers", run_answers},
    {"later", run_later},
    {"dispatches", run_dispatches},
    {"finish", run_finish},
    {"refused", run_refused},
    {"out-of-order", run_out_of_order},
    {"names", run_names},
    {"queues", run_queues},
    {"threads", run_threads},
    {"kill", run_kill},
    {"fork", run_fork},
    {"twice", run_twice},
    {"close", run_close},
};

int main(int argc, char **argv)
{
    number = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, argv[1]) == 0) {
            world_open(&w, source);
            cases[i].run();
            return 0;
        }
    return 2;
}
