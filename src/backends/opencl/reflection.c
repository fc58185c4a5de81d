/* SPDX-License-Identifier: MIT */
/* reflection.c - what a driver says of a kernel. A query that fails leaves its value unknown. */
#include "backends/kernel.h"
#include "backends/opencl/internal.h"
#include "support/alloc.h"
#include "support/keep.h"

#include <string.h>

uint64_t kt_opencl_local_bytes(const opencl_device *device, cl_kernel kernel)
{
    cl_ulong bytes = 0;
    cl_int code = CL_CODE(device->api, clGetKernelWorkGroupInfo, kernel, device->id,
                          CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    return code == CL_SUCCESS ? bytes : 0;
}

static uint32_t work_items(const opencl_device *device, cl_kernel kernel,
                           cl_kernel_work_group_info what)
{
    size_t items = 0;
    cl_int code = CL_CODE(device->api, clGetKernelWorkGroupInfo, kernel, device->id, what,
                          sizeof items, &items, NULL);
    return code == CL_SUCCESS && items <= UINT32_MAX ? (uint32_t)items : 0;
}

/* Sets *out to a text of a parameter, which stays NULL if the driver has none. */
static kt_status get_text(const opencl_api *api, cl_kernel kernel, cl_uint index,
                          cl_kernel_arg_info what, kt_reflection *reflection, const char **out)
{
    size_t bytes = 0;
    if (CL_CODE(api, clGetKernelArgInfo, kernel, index, what, 0, NULL, &bytes) != CL_SUCCESS ||
        bytes <= 1)
        return KT_OK;
    char *text = kt_keep(&reflection->kept, &reflection->kept_count, kt_alloc(bytes + 1, 1));
    if (!text)
        return KT_NO_MEMORY;
    if (CL_CODE(api, clGetKernelArgInfo, kernel, index, what, bytes, text, NULL) == CL_SUCCESS &&
        text[0])
        *out = text;
    return KT_OK;
}

static bool begins_with(const char *text, const char *begin)
{
    return text && strncmp(text, begin, strlen(begin)) == 0;
}

static void classify(const opencl_api *api, cl_kernel kernel, cl_uint index, kt_parameter *out)
{
    cl_kernel_arg_address_qualifier space = 0;
    cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
    cl_kernel_arg_type_qualifier is = 0;
    if (CL_CODE(api, clGetKernelArgInfo, kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                sizeof space, &space, NULL) != CL_SUCCESS)
        return;
    CL_CODE(api, clGetKernelArgInfo, kernel, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access,
            &access, NULL);
    CL_CODE(api, clGetKernelArgInfo, kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof is, &is,
            NULL);
    if (access != CL_KERNEL_ARG_ACCESS_NONE && !strchr(out->type ? out->type : "", '*'))
        out->kind = begins_with(out->type, "image") ? KT_PARAMETER_IMAGE : KT_PARAMETER_UNKNOWN;
    else if (space == CL_KERNEL_ARG_ADDRESS_LOCAL)
        out->kind = KT_PARAMETER_LOCAL;
    else if (space == CL_KERNEL_ARG_ADDRESS_GLOBAL || space == CL_KERNEL_ARG_ADDRESS_CONSTANT)
        out->kind = KT_PARAMETER_BUFFER;
    else if (space == CL_KERNEL_ARG_ADDRESS_PRIVATE)
        out->kind = begins_with(out->type, "sampler_t") ? KT_PARAMETER_SAMPLER : KT_PARAMETER_VALUE;
    out->is_read_only =
        (out->kind == KT_PARAMETER_IMAGE && access == CL_KERNEL_ARG_ACCESS_READ_ONLY) ||
        (out->kind == KT_PARAMETER_BUFFER &&
         (space == CL_KERNEL_ARG_ADDRESS_CONSTANT || is & CL_KERNEL_ARG_TYPE_CONST));
}

static kt_status describe(const opencl_device *device, cl_kernel kernel, kt_reflection *reflection)
{
    const opencl_api *api = device->api;
    kt_program_info *info = &reflection->info;
    size_t required[3] = {0};
    cl_uint count = 0;
    if (CL_CODE(api, clGetKernelWorkGroupInfo, kernel, device->id,
                CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required, NULL) == CL_SUCCESS)
        for (int i = 0; i < 3; i++)
            info->group_size[i] = (uint32_t)required[i];
    info->group_multiple = work_items(device, kernel, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
    info->max_group_size = work_items(device, kernel, CL_KERNEL_WORK_GROUP_SIZE);
    info->local_bytes = kt_opencl_local_bytes(device, kernel);
    cl_int code =
        CL_CODE(api, clGetKernelInfo, kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    if (code != CL_SUCCESS)
        return kt_opencl_fail("clGetKernelInfo", code);
    kt_parameter *parameters = kt_reflect_parameters(reflection, count);
    kt_status status = parameters ? KT_OK : KT_NO_MEMORY;
    for (cl_uint i = 0; i < count && status == KT_OK && device->has_arg_info; i++) {
        status = get_text(api, kernel, i, CL_KERNEL_ARG_NAME, reflection, &parameters[i].name);
        if (status == KT_OK)
            status =
                get_text(api, kernel, i, CL_KERNEL_ARG_TYPE_NAME, reflection, &parameters[i].type);
        classify(api, kernel, i, &parameters[i]);
    }
    return status;
}

kt_status kt_opencl_program_reflect(void *program, kt_reflection *reflection)
{
    const opencl_program *p = program;
    cl_kernel kernel = NULL;
    kt_status status = kt_opencl_kernel_create(p->device, p->program, p->entry, &kernel);
    if (status == KT_OK)
        status = describe(p->device, kernel, reflection);
    if (kernel)
        p->device->api->clReleaseKernel(kernel);
    return status;
}
