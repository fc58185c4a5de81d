/* SPDX-License-Identifier: MIT */
/* opencl_loop DISPATCHES: prints what a dispatch of an empty kernel takes, in ns of the thread's
 * CPU time. It opens the loader itself. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BATCH = 10000, WARM = 50000 };

#define FUNCTIONS(X)             \
    X(clGetPlatformIDs)          \
    X(clGetDeviceIDs)            \
    X(clCreateContext)           \
    X(clCreateCommandQueue)      \
    X(clCreateProgramWithSource) \
    X(clBuildProgram)            \
    X(clCreateKernel)            \
    X(clEnqueueNDRangeKernel)    \
    X(clFinish)

static struct {
#define MEMBER(name) __typeof__(&(name)) name;
    FUNCTIONS(MEMBER)
} cl;

static void open_loader(void)
{
    void *loader = dlopen("libOpenCL.so.1", RTLD_NOW);
    if (!loader) {
        fprintf(stderr, "%s\n", dlerror());
        exit(77);
    }
#define LOAD(name) *(void **)&cl.name = dlsym(loader, #name);
    FUNCTIONS(LOAD)
}

static double run(cl_command_queue queue, cl_kernel kernel, long dispatches)
{
    const size_t global = 64;
    struct timespec begin, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    for (long i = 1; i <= dispatches; i++) {
        cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
        if (i % BATCH == 0)
            cl.clFinish(queue);
    }
    cl.clFinish(queue);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) /
           (double)dispatches;
}

int main(int argc, char **argv)
{
    static const char *source = "kernel void nothing() {}";
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    long dispatches = argc > 1 ? strtol(argv[1], NULL, 10) : 200000;
    open_loader();
    if (cl.clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return 77;
    cl_context context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = cl.clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = cl.clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    cl.clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    cl_kernel kernel = cl.clCreateKernel(program, "nothing", NULL);
    run(queue, kernel, WARM);
    printf("%.3f\n", run(queue, kernel, dispatches));
    return 0;
}
