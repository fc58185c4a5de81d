/* SPDX-License-Identifier: MIT */
/* Programs: the text is kept, not compiled. */
#include "stub.h"

#include <stdlib.h>

RELEASES(clReleaseProgram, cl_program, KIND_PROGRAM, CL_INVALID_PROGRAM)

static void end_program(void *self)
{
    cl_program program = self;
    free(program->source);
    free(program->options);
}

static size_t piece_length(const char *piece, const size_t *lengths, cl_uint index)
{
    return lengths && lengths[index] ? lengths[index] : strlen(piece);
}

static char *join(cl_uint count, const char *const *strings, const size_t *lengths)
{
    size_t total = 0;
    for (cl_uint i = 0; i < count; i++)
        total += piece_length(strings[i], lengths, i);
    char *text = malloc(total + 1);
    if (!text)
        abort();
    char *at = text;
    for (cl_uint i = 0; i < count; i++) {
        size_t length = piece_length(strings[i], lengths, i);
        memcpy(at, strings[i], length);
        at += length;
    }
    *at = '\0';
    return text;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
                                     const size_t *lengths, cl_int *errcode_ret)
{
    ENTER(clCreateProgramWithSource);
    if (!object_use(context, KIND_CONTEXT))
        return refuse(errcode_ret, CL_INVALID_CONTEXT);
    for (cl_uint i = 0; i < count; i++)
        if (!strings || !strings[i])
            return refuse(errcode_ret, CL_INVALID_VALUE);
    if (count == 0)
        return refuse(errcode_ret, CL_INVALID_VALUE);
    cl_program program = counted_create(KIND_PROGRAM, sizeof *program, context);
    program->base.object.end = end_program;
    program->context = context;
    program->status = CL_BUILD_NONE;
    program->source = join(count, strings, lengths);
    return answer(errcode_ret, CL_SUCCESS, program);
}

static cl_int check_device(cl_program program, cl_device_id device)
{
    return device_use(device) && context_has_device(program->context, device) ? CL_SUCCESS
                                                                              : CL_INVALID_DEVICE;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                      const char *options,
                      void(CL_CALLBACK *notify)(cl_program program, void *user), void *user)
{
    ENTER(clBuildProgram);
    if (!object_use(program, KIND_PROGRAM))
        return CL_INVALID_PROGRAM;
    if ((count == 0) != (devices == NULL) || (!notify && user))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++)
        if (check_device(program, devices[i]))
            return CL_INVALID_DEVICE;
    free(program->options);
    program->options = strdup(options ? options : "");
    if (script.build == BUILD_HANG)
        stub_sleep_forever();
    bool failed = script.build == BUILD_FAIL;
    program->status = failed ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
    if (notify) {
        call_unlock();
        notify(program, user);
        call_lock();
    }
    return failed ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info name,
                             size_t bytes, void *out, size_t *used)
{
    ENTER(clGetProgramBuildInfo);
    const struct room room = {bytes, out, used};
    if (!object_use(program, KIND_PROGRAM))
        return CL_INVALID_PROGRAM;
    if (check_device(program, device))
        return CL_INVALID_DEVICE;
    const char *log = program->status == CL_BUILD_ERROR
                          ? "<source>:3:7: error: use of undeclared identifier 'k'"
                          : "";
    return name == CL_PROGRAM_BUILD_LOG ? reply_text(log, room) : CL_INVALID_VALUE;
}

cl_int program_has_kernel(cl_program program, const char *name)
{
    if (program->status != CL_BUILD_SUCCESS)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    if (!name)
        return CL_INVALID_VALUE;
    /* The nearest thing to a compiler's table of kernels; a macro may bring the name by option. */
    bool named = *name && (strstr(program->source, name) || strstr(program->options, name));
    return named ? CL_SUCCESS : CL_INVALID_KERNEL_NAME;
}
