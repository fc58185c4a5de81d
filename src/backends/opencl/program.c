/* SPDX-License-Identifier: MIT */
#include "backends/opencl/internal.h"
#include "support/alloc.h"

#include <stdio.h>
#include <string.h>

/* Fails with the compiler's log in the error text. */
static kt_status build_failed(opencl_device *device, cl_program program, const char *entry)
{
    size_t bytes = 0;
    char *log = NULL;
    if (CL_CODE(device->api, clGetProgramBuildInfo, program, device->id, CL_PROGRAM_BUILD_LOG, 0,
                NULL, &bytes) == CL_SUCCESS)
        log = kt_alloc(bytes + 1, 1);
    bool has_log = log && CL_CODE(device->api, clGetProgramBuildInfo, program, device->id,
                                  CL_PROGRAM_BUILD_LOG, bytes, log, NULL) == CL_SUCCESS;
    kt_fail(KT_BUILD_FAILED, "kernel %s does not compile:\n%s", entry,
            has_log && log[0] ? log : "(the driver gives no log)");
    kt_free(log);
    return KT_BUILD_FAILED;
}

kt_status kt_opencl_build(opencl_device *device, const char *source, size_t bytes,
                          const char *flags, const char *entry, cl_program *out)
{
    const opencl_api *api = device->api;
    cl_int code = OPENCL_FAULT;
    *out = CL_OBJECT(api, clCreateProgramWithSource, device->context, 1, &source, &bytes, &code);
    if (!*out)
        return kt_opencl_fail("clCreateProgramWithSource", code);
    code = CL_CODE(api, clBuildProgram, *out, 1, &device->id, flags ? flags : "", NULL, NULL);
    if (code == CL_BUILD_PROGRAM_FAILURE)
        return build_failed(device, *out, entry);
    if (code != CL_SUCCESS)
        return kt_opencl_fail("clBuildProgram", code);
    return KT_OK;
}

kt_status kt_opencl_kernel_create(const opencl_device *device, cl_program program,
                                  const char *entry, cl_kernel *out)
{
    cl_int code = OPENCL_FAULT;
    *out = CL_OBJECT(device->api, clCreateKernel, program, entry, &code);
    if (!*out && code == CL_INVALID_KERNEL_NAME)
        return kt_fail(KT_INVALID, "the source has no kernel %s", entry);
    return *out ? KT_OK : kt_opencl_fail("clCreateKernel", code);
}

/* Adds the flag that keeps names and types of parameters for reflection. It changes no code. */
static kt_status add_flag(const opencl_device *device, const char *flags, char **out)
{
    static const char keep[] = "-cl-kernel-arg-info";
    if (!device->has_arg_info || (flags && strstr(flags, keep)))
        return KT_OK;
    size_t bytes = sizeof keep + 1 + (flags ? strlen(flags) : 0);
    *out = kt_alloc(bytes, 1);
    if (!*out)
        return KT_NO_MEMORY;
    snprintf(*out, bytes, "%s%s%s", flags ? flags : "", flags ? " " : "", keep);
    return KT_OK;
}

/* Each step creates its own kernel later, since arguments are part of a kernel. */
kt_status kt_opencl_program_init(void *program, void *device, const kt_program_desc *desc)
{
    opencl_program *p = program;
    char *flags = NULL;
    cl_kernel kernel = NULL;
    p->device = device;
    p->entry = kt_copy_text(desc->entry);
    if (!p->entry)
        return KT_NO_MEMORY;
    kt_status status = add_flag(device, desc->build_flags, &flags);
    if (status == KT_OK)
        status = kt_opencl_build(device, desc->source, desc->source_bytes,
                                 flags ? flags : desc->build_flags, desc->entry, &p->program);
    if (status == KT_OK)
        status = kt_opencl_kernel_create(device, p->program, p->entry, &kernel);
    if (kernel)
        p->device->api->clReleaseKernel(kernel);
    kt_free(flags);
    return status;
}

void kt_opencl_program_fini(void *program)
{
    opencl_program *p = program;
    if (p->program)
        p->device->api->clReleaseProgram(p->program);
    kt_free(p->entry);
}
