/* Kernels: arguments and dispatch. */
#include "command.h"
#include "memory.h"
#include "program.h"
#include "script.h"

/* Dispatches that have a result, counted only for a script that wants the Nth of them wrong or left
 * out. */
static _Atomic(uint64_t) results;

cl_kernel clCreateKernel(cl_program program, const char *kernel_name, cl_int *errcode_ret)
{
    ENTER(clCreateKernel);
    if (!object_ok(program, KIND_PROGRAM))
        return refuse(errcode_ret, misused(CL_INVALID_PROGRAM));
    cl_int error = program_has_kernel(program, kernel_name);
    if (error)
        return refuse(errcode_ret, error);
    cl_kernel kernel = object_create(KIND_KERNEL, sizeof *kernel, NULL);
    if (!kernel)
        return refuse(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    kernel->context = program->context;
    kernel->builtin = builtin_find(kernel_name);
    const char *macro = kernel->builtin->macro;
    if (macro && !program_macro(program, macro, &kernel->macro)) {
        object_release(kernel); /* its text would not have compiled */
        return refuse(errcode_ret, CL_INVALID_KERNEL_DEFINITION);
    }
    return accept_object(errcode_ret, kernel);
}

cl_int clRetainKernel(cl_kernel kernel)
{
    ENTER(clRetainKernel);
    if (!object_ok(kernel, KIND_KERNEL))
        return misused(CL_INVALID_KERNEL);
    object_retain(kernel);
    return CL_SUCCESS;
}

cl_int clReleaseKernel(cl_kernel kernel)
{
    ENTER(clReleaseKernel);
    if (!object_ok(kernel, KIND_KERNEL))
        return misused(CL_INVALID_KERNEL);
    object_release(kernel);
    return CL_SUCCESS;
}

static cl_int set_buffer(cl_kernel kernel, union arg_value *arg, size_t size, const void *value)
{
    if (size != sizeof(cl_mem))
        return CL_INVALID_ARG_SIZE;
    if (!value)
        return CL_INVALID_ARG_VALUE;
    memcpy(&arg->buffer, value, sizeof(cl_mem));
    if (!object_ok(arg->buffer, KIND_BUFFER))
        return misused(CL_INVALID_MEM_OBJECT);
    return arg->buffer->context == kernel->context ? CL_SUCCESS : CL_INVALID_ARG_VALUE;
}

static cl_int set_plain(union arg_value *arg, size_t size, const void *value)
{
    if (size == 0 || (value && size > sizeof arg->bytes))
        return CL_INVALID_ARG_SIZE;
    if (value) /* without a value it is local memory of that size */
        memcpy(arg->bytes, value, size);
    return CL_SUCCESS;
}

static cl_int set_number(union arg_value *arg, size_t size, const void *value)
{
    if (!value)
        return CL_INVALID_ARG_VALUE;
    return size == sizeof arg->number ? set_plain(arg, size, value) : CL_INVALID_ARG_SIZE;
}

cl_int kernel_set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    const char *types = kernel->builtin->args;
    if (index >= (types ? strlen(types) : ARG_COUNT_MAX))
        return CL_INVALID_ARG_INDEX;
    union arg_value arg = {.bytes = {0}};
    char type = types ? types[index] : 'p';
    cl_int error = type == 'b'   ? set_buffer(kernel, &arg, size, value)
                   : type == 'u' ? set_number(&arg, size, value)
                                 : set_plain(&arg, size, value);
    if (error)
        return error;
    kernel->args[index] = arg;
    kernel->args_set |= 1U << index;
    return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size, const void *arg_value)
{
    ENTER(clSetKernelArg);
    if (!object_ok(kernel, KIND_KERNEL))
        return misused(CL_INVALID_KERNEL);
    return kernel_set_arg(kernel, arg_index, arg_size, arg_value);
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info param_name, size_t param_value_size,
                                void *param_value, size_t *param_value_size_ret)
{
    ENTER(clGetKernelWorkGroupInfo);
    if (!object_ok(kernel, KIND_KERNEL))
        return misused(CL_INVALID_KERNEL);
    /* NULL stands for the only device of the context. */
    if (device ? !object_ok(device, KIND_DEVICE) || !context_has_device(kernel->context, device)
               : kernel->context->device_count != 1)
        return misused(CL_INVALID_DEVICE);
    static const size_t sizes[] = {WORK_GROUP_MAX, 16};
    static const size_t none[3] = {0, 0, 0};
    static const cl_ulong no_bytes = 0;
    const void *data = &no_bytes;
    size_t bytes = sizeof no_bytes;
    switch (param_name) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        data = &sizes[0];
        bytes = sizeof sizes[0];
        break;
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        data = &sizes[1];
        bytes = sizeof sizes[1];
        break;
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
        data = none;
        bytes = sizeof none;
        break;
    case CL_KERNEL_LOCAL_MEM_SIZE:
    case CL_KERNEL_PRIVATE_MEM_SIZE: break;
    default: return CL_INVALID_VALUE;
    }
    return reply(data, bytes, param_value_size, param_value, param_value_size_ret);
}

static cl_int check_sizes(cl_uint dimensions, const size_t *global, const size_t *local)
{
    static const size_t local_max[3] = WORK_ITEM_MAX;
    if (dimensions < 1 || dimensions > 3)
        return CL_INVALID_WORK_DIMENSION;
    if (!global)
        return CL_INVALID_GLOBAL_WORK_SIZE;
    size_t group = 1;
    for (cl_uint i = 0; i < dimensions; i++) {
        if (global[i] == 0)
            return CL_INVALID_GLOBAL_WORK_SIZE;
        if (!local)
            continue;
        if (local[i] > local_max[i])
            return CL_INVALID_WORK_ITEM_SIZE;
        if (local[i] == 0 || global[i] % local[i] != 0)
            return CL_INVALID_WORK_GROUP_SIZE;
        group *= local[i];
    }
    return group <= WORK_GROUP_MAX ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE;
}

/* Of a dispatch in its first dimension; a kernel by groups has no other. */
struct size {
    cl_uint groups, group_size;
};

static struct size size_of(const size_t *global, const size_t *local)
{
    if (!local)
        return (struct size){0, 0};
    return (struct size){(cl_uint)(global[0] / local[0]), (cl_uint)local[0]};
}

/* For a kernel whose arguments are not known, a gap between those set is all that can be seen. */
static cl_int check_args(cl_kernel kernel, struct size size)
{
    const struct builtin *builtin = kernel->builtin;
    cl_uint set = kernel->args_set;
    bool complete = builtin->args ? set == (1U << strlen(builtin->args)) - 1 : !(set & (set + 1));
    if (!complete)
        return CL_INVALID_KERNEL_ARGS;
    if (builtin->by_groups)
        return size.group_size ? builtin_check_groups(kernel, size.groups)
                               : CL_INVALID_WORK_GROUP_SIZE;
    return builtin->check ? builtin->check(kernel) : CL_SUCCESS;
}

static void run(cl_kernel kernel, struct size size)
{
    if (!kernel->builtin->run && !kernel->builtin->by_groups)
        return;
    bool counts = script.wrong != 0 || script.skip != 0;
    uint64_t ordinal = counts ? atomic_fetch_add(&results, 1) + 1 : 0;
    if (counts && ordinal == script.skip)
        return;
    bool wrong = counts && ordinal == script.wrong;
    const char *types = kernel->builtin->args;
    for (size_t i = 0; types[i] != '\0'; i++)
        if (types[i] == 'b')
            buffer_open(kernel->args[i].buffer, true);
    if (kernel->builtin->by_groups)
        builtin_run_groups(kernel, size.groups, size.group_size, wrong);
    else
        kernel->builtin->run(kernel, wrong);
    for (size_t i = 0; types[i] != '\0'; i++)
        if (types[i] == 'b')
            buffer_close(kernel->args[i].buffer);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                              const size_t *global_work_offset, const size_t *global_work_size,
                              const size_t *local_work_size, cl_uint num_events_in_wait_list,
                              const cl_event *event_wait_list, cl_event *event)
{
    ENTER(clEnqueueNDRangeKernel);
    (void)global_work_offset; /* any offset is as good as another to a kernel that isn't one */
    if (!object_ok(command_queue, KIND_QUEUE))
        return misused(CL_INVALID_COMMAND_QUEUE);
    if (!object_ok(kernel, KIND_KERNEL))
        return misused(CL_INVALID_KERNEL);
    if (kernel->context != command_queue->context)
        return CL_INVALID_CONTEXT;
    cl_int error = check_sizes(work_dim, global_work_size, local_work_size);
    if (error)
        return error;
    const struct size size = size_of(global_work_size, local_work_size);
    error = check_args(kernel, size);
    if (error)
        return error;
    struct command command;
    struct waits waits = {num_events_in_wait_list, event_wait_list};
    error = command_begin(&command, command_queue, CL_COMMAND_NDRANGE_KERNEL, waits);
    if (error)
        return error;
    if (kernel->builtin->empty)
        command.duration_ns = script.empty_ns;
    if (command_runs(&command))
        run(kernel, size);
    return command_end(&command, false, event);
}
