/* SPDX-License-Identifier: MIT */
#include "world.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void world_expect(bool condition, const char *file, int line, const char *text)
{
    if (condition)
        return;
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, text);
    exit(1);
}

static void load(world *w)
{
    w->loader = dlopen("libOpenCL.so.1", RTLD_NOW);
    if (!w->loader)
        exit(77);
#define LOAD(name) *(void **)&w->name = dlsym(w->loader, #name);
    WORLD_FUNCTIONS(LOAD)
}

void world_open(world *w, const char *source)
{
    *w = (world){0};
    load(w);
    if (w->clGetPlatformIDs(1, &w->platform, NULL) != CL_SUCCESS ||
        w->clGetDeviceIDs(w->platform, CL_DEVICE_TYPE_ALL, 1, &w->device, NULL) != CL_SUCCESS)
        exit(77);
    w->context = w->clCreateContext(NULL, 1, &w->device, NULL, NULL, NULL);
    w->queue = w->clCreateCommandQueue(w->context, w->device, 0, NULL);
    w->program = w->clCreateProgramWithSource(w->context, 1, &source, NULL, NULL);
    EXPECT(w->context && w->queue && w->program);
    EXPECT(w->clBuildProgram(w->program, 0, NULL, NULL, NULL, NULL) == CL_SUCCESS);
}

void world_close(const world *w)
{
    EXPECT(w->clReleaseProgram(w->program) == CL_SUCCESS);
    EXPECT(w->clReleaseCommandQueue(w->queue) == CL_SUCCESS);
    EXPECT(w->clReleaseContext(w->context) == CL_SUCCESS);
}

cl_kernel world_kernel(const world *w, const char *name)
{
    cl_kernel kernel = w->clCreateKernel(w->program, name, NULL);
    EXPECT(kernel);
    return kernel;
}

void world_dispatch(const world *w, cl_command_queue queue, cl_kernel kernel, cl_event *event)
{
    const size_t global = 64, local = 16;
    EXPECT(w->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, event) ==
           CL_SUCCESS);
}
