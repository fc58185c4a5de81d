#include "backends/opencl/internal.h"
#include "support/alloc.h"

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

kt_status opencl_build(opencl_device *device, const char *source, size_t bytes, const char *flags,
                       const char *entry, cl_program *out)
{
    const opencl_api *api = device->api;
    cl_int code = OPENCL_FAULT;
    *out = CL_OBJECT(api, clCreateProgramWithSource, device->context, 1, &source, &bytes, &code);
    if (!*out)
        return opencl_fail("clCreateProgramWithSource", code);
    code = CL_CODE(api, clBuildProgram, *out, 1, &device->id, flags ? flags : "", NULL, NULL);
    if (code == CL_BUILD_PROGRAM_FAILURE)
        return build_failed(device, *out, entry);
    if (code != CL_SUCCESS)
        return opencl_fail("clBuildProgram", code);
    return KT_OK;
}

/* Checks that the program has the kernel. Each step creates its own later, since arguments are part
 * of a kernel. */
static kt_status check_entry(const opencl_program *program)
{
    const opencl_api *api = program->device->api;
    cl_int code = OPENCL_FAULT;
    cl_kernel kernel = CL_OBJECT(api, clCreateKernel, program->program, program->entry, &code);
    if (!kernel && code == CL_INVALID_KERNEL_NAME)
        return kt_fail(KT_INVALID, "the source has no kernel %s", program->entry);
    if (!kernel)
        return opencl_fail("clCreateKernel", code);
    api->clReleaseKernel(kernel);
    return KT_OK;
}

kt_status opencl_program_init(void *program, void *device, const kt_program_desc *desc)
{
    opencl_program *p = program;
    p->device = device;
    p->entry = kt_copy_text(desc->entry);
    if (!p->entry)
        return KT_NO_MEMORY;
    kt_status status = opencl_build(device, desc->source, desc->source_bytes, desc->build_flags,
                                    desc->entry, &p->program);
    return status == KT_OK ? check_entry(p) : status;
}

void opencl_program_fini(void *program)
{
    opencl_program *p = program;
    if (p->program)
        p->device->api->clReleaseProgram(p->program);
    kt_free(p->entry);
}
