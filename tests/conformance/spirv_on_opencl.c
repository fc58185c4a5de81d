/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL library that builds the workloads' kernels of what Level Zero gets, not of their text:
 * the SPIR-V, turned back into LLVM's by llvm-spirv -r, which PoCL takes (cl_khr_spir). All else is
 * the system's library, which it is linked with.
 *
 * SPIRV_FOLDER has the files, NAME.bc each. SPIRV_USED gets the name of each one that was taken.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS "-x spir -spir-std=1.2"

__attribute__((visibility("default"))) cl_program clCreateProgramWithSource(
    cl_context context, cl_uint count, const char **texts, const size_t *lengths, cl_int *code);
__attribute__((visibility("default"))) cl_int clBuildProgram(
    cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
    void(CL_CALLBACK *notify)(cl_program, void *), void *user);

#include <dlfcn.h>

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

/* One program at a time: the suite has one thread. */
static cl_program translated;

/* The file whose kernels the text has. */
static FILE *open_file(const char *text)
{
    static const char *const names[] = {"fill", "saxpy", "matmul", "reduce",
                                        "scan", "sort",  "loop"};
    char path[4096], head[64];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(head, sizeof head, "KERNEL void %s", names[i]);
        if (!strstr(text, head))
            continue;
        FILE *used = fopen(getenv("SPIRV_USED"), "a");
        if (used) {
            fprintf(used, "%s\n", names[i]);
            fclose(used);
        }
        snprintf(path, sizeof path, "%s/%s.bc", getenv("SPIRV_FOLDER"), names[i]);
        return fopen(path, "rb");
    }
    return NULL;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts,
                                     const size_t *lengths, cl_int *code)
{
    static unsigned char bytes[1 << 20];
    char *text = calloc(lengths[0] + 1, 1);
    memcpy(text, texts[0], lengths[0]);
    FILE *file = open_file(text);
    free(text);
    if (!file) {
        __typeof__(&clCreateProgramWithSource) create;
        *(void **)&create = next("clCreateProgramWithSource");
        return create(context, count, texts, lengths, code);
    }
    size_t size = fread(bytes, 1, sizeof bytes, file);
    const unsigned char *binary = bytes;
    cl_device_id device = NULL;
    fclose(file);
    clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof(cl_device_id), &device, NULL);
    translated = clCreateProgramWithBinary(context, 1, &device, &size, &binary, NULL, code);
    return translated;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                      void *user)
{
    __typeof__(&clBuildProgram) build;
    *(void **)&build = next("clBuildProgram");
    return build(program, count, devices, program == translated ? OPTIONS : options, notify, user);
}
