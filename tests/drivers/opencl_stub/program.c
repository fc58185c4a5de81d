/* Programs: the text is kept, not compiled. */
#include "program.h"
#include "script.h"

#include <stdio.h>
#include <stdlib.h>

static void drop_program(struct object *self)
{
    cl_program program = (cl_program)self;
    free(program->source);
    free(program->options);
    program->source = NULL;
    program->options = NULL;
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
        return NULL;
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
    if (!object_ok(context, KIND_CONTEXT))
        return refuse(errcode_ret, misused(CL_INVALID_CONTEXT));
    if (count == 0 || !strings)
        return refuse(errcode_ret, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < count; i++) {
        if (!strings[i])
            return refuse(errcode_ret, CL_INVALID_VALUE);
    }
    cl_program program = object_create(KIND_PROGRAM, sizeof *program, drop_program);
    if (!program)
        return refuse(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    program->context = context;
    program->status = CL_BUILD_NONE;
    program->source = join(count, strings, lengths);
    if (!program->source) {
        object_release(program);
        return refuse(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    }
    return accept_object(errcode_ret, program);
}

static cl_int check_build_devices(cl_program program, cl_uint count, const cl_device_id *devices)
{
    if ((count == 0) != (devices == NULL))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++) {
        if (!object_ok(devices[i], KIND_DEVICE) ||
            !context_has_device(program->context, devices[i]))
            return misused(CL_INVALID_DEVICE);
    }
    return CL_SUCCESS;
}

cl_int clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *device_list,
                      const char *options,
                      void(CL_CALLBACK *pfn_notify)(cl_program program, void *user_data),
                      void *user_data)
{
    ENTER(clBuildProgram);
    if (!object_ok(program, KIND_PROGRAM))
        return misused(CL_INVALID_PROGRAM);
    cl_int error = check_build_devices(program, num_devices, device_list);
    if (error)
        return error;
    if (!pfn_notify && user_data)
        return CL_INVALID_VALUE;
    char *kept = strdup(options ? options : "");
    if (!kept)
        return CL_OUT_OF_HOST_MEMORY;
    free(program->options);
    program->options = kept;
    bool failed = script.build == BUILD_FAIL;
    program->status = failed ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
    if (pfn_notify)
        pfn_notify(program, user_data);
    return failed ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device,
                             cl_program_build_info param_name, size_t param_value_size,
                             void *param_value, size_t *param_value_size_ret)
{
    ENTER(clGetProgramBuildInfo);
    if (!object_ok(program, KIND_PROGRAM))
        return misused(CL_INVALID_PROGRAM);
    if (!object_ok(device, KIND_DEVICE) || !context_has_device(program->context, device))
        return misused(CL_INVALID_DEVICE);
    const char *log = program->status == CL_BUILD_ERROR
                          ? "<source>:3:7: error: use of undeclared identifier 'k'"
                          : "";
    cl_program_binary_type type = program->status == CL_BUILD_SUCCESS
                                      ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE
                                      : CL_PROGRAM_BINARY_TYPE_NONE;
    switch (param_name) {
    case CL_PROGRAM_BUILD_STATUS:
        return reply(&program->status, sizeof program->status, param_value_size, param_value,
                     param_value_size_ret);
    case CL_PROGRAM_BUILD_LOG:
        return reply_text(log, param_value_size, param_value, param_value_size_ret);
    case CL_PROGRAM_BUILD_OPTIONS:
        return reply_text(program->options ? program->options : "", param_value_size, param_value,
                          param_value_size_ret);
    case CL_PROGRAM_BINARY_TYPE:
        return reply(&type, sizeof type, param_value_size, param_value, param_value_size_ret);
    default: return CL_INVALID_VALUE;
    }
}

cl_int clRetainProgram(cl_program program)
{
    ENTER(clRetainProgram);
    if (!object_ok(program, KIND_PROGRAM))
        return misused(CL_INVALID_PROGRAM);
    object_retain(program);
    return CL_SUCCESS;
}

cl_int clReleaseProgram(cl_program program)
{
    ENTER(clReleaseProgram);
    if (!object_ok(program, KIND_PROGRAM))
        return misused(CL_INVALID_PROGRAM);
    object_release(program);
    return CL_SUCCESS;
}

bool program_macro(cl_program program, const char *macro, cl_uint *number)
{
    char flag[32], line[32];
    snprintf(flag, sizeof flag, "-D%s=", macro);
    snprintf(line, sizeof line, "#define %s ", macro);
    const char *option = strstr(program->options, flag), *defined = strstr(program->source, line);
    if (!option && !defined)
        return false;
    *number = (cl_uint)strtoul(option ? option + strlen(flag) : defined + strlen(line), NULL, 0);
    return true;
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
