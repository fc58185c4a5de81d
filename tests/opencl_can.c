/* SPDX-License-Identifier: MIT */
/*
 * Asks the driver. As a program, for scripts:
 *
 *   opencl_can times|memory|clocks|unmap     exits with 0 if it can, with 1 if not
 */
#define _POSIX_C_SOURCE          200809L
#define CL_TARGET_OPENCL_VERSION 210
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "tests/opencl_can.h"

#include <stdio.h>
#include <string.h>
#if HAVE_OPENCL_HEADERS
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BYTES 4096
#define ITEMS 256

#define FUNCTIONS(X)             \
    X(clGetPlatformIDs)          \
    X(clGetDeviceIDs)            \
    X(clGetDeviceInfo)           \
    X(clCreateContext)           \
    X(clReleaseContext)          \
    X(clCreateCommandQueue)      \
    X(clReleaseCommandQueue)     \
    X(clCreateBuffer)            \
    X(clReleaseMemObject)        \
    X(clEnqueueWriteBuffer)      \
    X(clEnqueueMapBuffer)        \
    X(clEnqueueUnmapMemObject)   \
    X(clCreateUserEvent)         \
    X(clSetUserEventStatus)      \
    X(clGetEventProfilingInfo)   \
    X(clReleaseEvent)            \
    X(clFinish)                  \
    X(clCreateProgramWithSource) \
    X(clBuildProgram)            \
    X(clCreateKernel)            \
    X(clGetKernelInfo)           \
    X(clSetKernelArg)            \
    X(clEnqueueNDRangeKernel)    \
    X(clSVMAlloc)                \
    X(clSVMFree)                 \
    X(clEnqueueSVMMemcpy)        \
    X(clGetDeviceAndHostTimer)

/* Functions that came after OpenCL 1.2 may be NULL. */
static struct {
#define POINTER(name) __typeof__(&(name)) name; // NOLINT(bugprone-macro-parentheses)
    FUNCTIONS(POINTER)
#undef POINTER
} cl;

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_mem buffer;
static unsigned char bytes[BYTES];

static void must(bool is_so, const char *what)
{
    if (is_so)
        return;
    fprintf(stderr, "opencl_can: %s failed\n", what);
    exit(2);
}

#define MUST(call) must((call) == CL_SUCCESS, #call)

static void load(void)
{
    void *symbol, *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    must(library, "opening libOpenCL.so.1");
#define LOAD(name)                  \
    symbol = dlsym(library, #name); \
    memcpy(&cl.name, &symbol, sizeof symbol);
    FUNCTIONS(LOAD)
#undef LOAD
}

static void begin(void)
{
    cl_platform_id platform;
    cl_int code;
    load();
    MUST(cl.clGetPlatformIDs(1, &platform, NULL));
    MUST(cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    MUST(code);
    queue = cl.clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
    MUST(code);
    buffer = cl.clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &code);
    MUST(code);
}

static void end(void)
{
    MUST(cl.clFinish(queue));
    cl.clReleaseMemObject(buffer);
    cl.clReleaseCommandQueue(queue);
    cl.clReleaseContext(context);
}

static cl_ulong time_of_a_command(cl_profiling_info which)
{
    cl_event event;
    cl_ulong ns = 0;
    MUST(cl.clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, BYTES, bytes, 0, NULL, &event));
    MUST(cl.clFinish(queue));
    MUST(cl.clGetEventProfilingInfo(event, which, sizeof ns, &ns, NULL));
    cl.clReleaseEvent(event);
    return ns;
}

bool opencl_can_tell_times(void)
{
    const struct timespec pause = {0, 20000000};
    begin();
    cl_ulong before = time_of_a_command(CL_PROFILING_COMMAND_END);
    must(nanosleep(&pause, NULL) == 0, "nanosleep");
    cl_ulong after = time_of_a_command(CL_PROFILING_COMMAND_START);
    end();
    return after > before && after - before >= 10000000;
}

bool opencl_can_share_memory(void)
{
    cl_device_svm_capabilities can = 0;
    bool is_copied = false;
    begin();
    if (cl.clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL) !=
        CL_SUCCESS)
        can = 0;
    void *shared = can & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER && cl.clSVMAlloc && cl.clSVMFree &&
                           cl.clEnqueueSVMMemcpy
                       ? cl.clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0)
                       : NULL;
    if (shared) {
        is_copied = cl.clEnqueueSVMMemcpy(queue, CL_TRUE, shared, bytes, BYTES, 0, NULL, NULL) ==
                    CL_SUCCESS;
        cl.clSVMFree(context, shared);
    }
    end();
    return is_copied;
}

/* The loader may export the call and look for it where an older driver's table has ended. */
static bool is_since_2_1(void)
{
    char text[128] = "";
    int major = 0, minor = 0;
    MUST(cl.clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof text - 1, text, NULL));
    must(sscanf(text, "OpenCL %d.%d", &major, &minor) == 2, "reading the version");
    return major * 100 + minor >= 201;
}

bool opencl_can_read_both_clocks(void)
{
    cl_ulong of_device = 0, of_host = 0;
    begin();
    bool can = cl.clGetDeviceAndHostTimer && is_since_2_1() &&
               cl.clGetDeviceAndHostTimer(device, &of_device, &of_host) == CL_SUCCESS;
    end();
    return can && of_device && of_host;
}

bool opencl_can_unmap_early(void)
{
    cl_int code;
    begin();
    cl_event gate = cl.clCreateUserEvent(context, &code);
    MUST(code);
    void *mapped = cl.clEnqueueMapBuffer(queue, buffer, CL_FALSE, CL_MAP_WRITE, 0, BYTES, 1, &gate,
                                         NULL, &code);
    MUST(code);
    cl_int early = cl.clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL);
    MUST(cl.clSetUserEventStatus(gate, CL_COMPLETE));
    MUST(cl.clFinish(queue));
    if (early != CL_SUCCESS)
        MUST(cl.clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
    cl.clReleaseEvent(gate);
    end();
    return early == CL_SUCCESS;
}

/* Over no elements: whatever its memories are, it leaves them alone. */
static void run(const char *source, const char *entry)
{
    const cl_uint none = 0;
    const size_t items = ITEMS;
    cl_uint count = 0;
    cl_int code;
    begin();
    cl_program program = cl.clCreateProgramWithSource(context, 1, &source, NULL, &code);
    MUST(code);
    MUST(cl.clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = cl.clCreateKernel(program, entry, &code);
    MUST(code);
    MUST(cl.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
    for (cl_uint i = 0; i + 1 < count; i++)
        MUST(cl.clSetKernelArg(kernel, i, sizeof buffer, &buffer));
    MUST(cl.clSetKernelArg(kernel, count - 1, sizeof none, &none));
    MUST(cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
    MUST(cl.clFinish(queue));
}

bool opencl_can_run(const char *source, const char *entry)
{
    int state = 0;
    pid_t child = fork();
    must(child >= 0, "fork");
    if (child == 0) {
        const struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        run(source, entry);
        _exit(0);
    }
    must(waitpid(child, &state, 0) == child, "waitpid");
    return !WIFSIGNALED(state);
}

#else /* then kerntime has no OpenCL device, and nobody asks */
bool opencl_can_run(const char *source, const char *entry)
{
    (void)source, (void)entry;
    return true;
}
bool opencl_can_tell_times(void)
{
    return false;
}
bool opencl_can_share_memory(void)
{
    return false;
}
bool opencl_can_read_both_clocks(void)
{
    return false;
}
bool opencl_can_unmap_early(void)
{
    return false;
}
#endif

#ifdef OPENCL_CAN_PROGRAM
int main(int argc, char **argv)
{
    static const struct {
        const char *what;
        bool (*can)(void);
    } questions[] = {{"times", opencl_can_tell_times},
                     {"memory", opencl_can_share_memory},
                     {"clocks", opencl_can_read_both_clocks},
                     {"unmap", opencl_can_unmap_early}};
    for (size_t i = 0; argc > 1 && i < sizeof questions / sizeof questions[0]; i++)
        if (strcmp(questions[i].what, argv[1]) == 0)
            return questions[i].can() ? 0 : 1;
    fprintf(stderr, "usage: %s times|memory|clocks|unmap\n", argv[0]);
    return 2;
}
#endif
