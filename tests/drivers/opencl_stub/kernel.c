/* SPDX-License-Identifier: MIT */
/* Kernels: arguments and dispatch. Known ones run as their C functions. */
#include "stub.h"

#include <stdlib.h>

/* The device tells a cache of 1 MiB: less than twice that would not empty it. */
enum { FLUSH_BYTES = 2 << 20 };

RELEASES(clReleaseKernel, cl_kernel, KIND_KERNEL, CL_INVALID_KERNEL)

static void end_kernel(void *self)
{
    free(((cl_kernel)self)->name);
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *errcode_ret)
{
    ENTER(clCreateKernel);
    if (!object_use(program, KIND_PROGRAM))
        return refuse(errcode_ret, CL_INVALID_PROGRAM);
    cl_int error = program_has_kernel(program, name);
    if (error)
        return refuse(errcode_ret, error);
    cl_kernel kernel = counted_create(KIND_KERNEL, sizeof *kernel, program);
    kernel->context = program->context;
    kernel->base.object.end = end_kernel;
    kernel->name = strdup(name);
    /* The prefix of kerntime's own kernel does not count. */
    kernel->is_empty = strstr(name, "empty") != NULL;
    kernel->is_flush = strcmp(name, "kt_flush") == 0;
    kernel->named = kernel->is_empty ? NULL : named_kernel_find(name);
    return answer(errcode_ret, CL_SUCCESS, kernel);
}

static cl_int set_buffer(cl_kernel kernel, union arg_value *arg, size_t size, const void *value)
{
    if (size != sizeof(cl_mem))
        return CL_INVALID_ARG_SIZE;
    if (!value)
        return CL_INVALID_ARG_VALUE;
    memcpy(&arg->buffer, value, sizeof(cl_mem));
    if (!object_use(arg->buffer, KIND_BUFFER))
        return CL_INVALID_MEM_OBJECT;
    return arg->buffer->context == kernel->context ? CL_SUCCESS : CL_INVALID_ARG_VALUE;
}

/* How many arguments are buffers, and how many there are; of an unknown kernel any number. */
static cl_uint memories_of(cl_kernel kernel)
{
    return kernel->named ? (cl_uint)named_kernel_memories(kernel->named) : kernel->is_flush;
}

static cl_uint args_of(cl_kernel kernel)
{
    return kernel->named      ? memories_of(kernel) + kernel->named->numbers
           : kernel->is_flush ? 1
                              : ARG_COUNT_MAX;
}

cl_int kernel_set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    union arg_value arg = {.bytes = {0}};
    if (index >= args_of(kernel))
        return CL_INVALID_ARG_INDEX;
    if (index < memories_of(kernel)) {
        cl_int error = set_buffer(kernel, &arg, size, value);
        if (error)
            return error;
    } else {
        if (kernel->named && !value)
            return CL_INVALID_ARG_VALUE;
        if (kernel->named ? size != sizeof arg.number.word && size != sizeof arg.number.wide
                          : size == 0 || (value && size > sizeof arg.bytes))
            return CL_INVALID_ARG_SIZE;
        if (value) /* without a value it is local memory of that size */
            memcpy(arg.bytes, value, size);
    }
    kernel->args[index] = arg;
    kernel->args_set |= 1U << index;
    return CL_SUCCESS;
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    ENTER(clSetKernelArg);
    return object_use(kernel, KIND_KERNEL) ? kernel_set_arg(kernel, index, size, value)
                                           : CL_INVALID_KERNEL;
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info name, size_t bytes, void *out, size_t *used)
{
    ENTER(clGetKernelInfo);
    const struct room room = {bytes, out, used};
    if (!object_use(kernel, KIND_KERNEL))
        return CL_INVALID_KERNEL;
    const cl_uint args = kernel->named || kernel->is_flush ? args_of(kernel) : 0;
    switch (name) {
    case CL_KERNEL_NUM_ARGS: return reply(&args, sizeof args, room);
    case CL_KERNEL_FUNCTION_NAME: return reply_text(kernel->name, room);
    default: return CL_INVALID_VALUE;
    }
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info name, size_t bytes, void *out,
                                size_t *used)
{
    ENTER(clGetKernelWorkGroupInfo);
    static const size_t most = WORK_GROUP_MAX, multiple = 16, required[3] = {0, 0, 0};
    static const cl_ulong local = 0;
    const struct room room = {bytes, out, used};
    if (!object_use(kernel, KIND_KERNEL))
        return CL_INVALID_KERNEL;
    if (!device_use(device))
        return CL_INVALID_DEVICE;
    switch (name) {
    case CL_KERNEL_WORK_GROUP_SIZE: return reply(&most, sizeof most, room);
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return reply(&multiple, sizeof multiple, room);
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: return reply(required, sizeof required, room);
    case CL_KERNEL_LOCAL_MEM_SIZE: return reply(&local, sizeof local, room);
    default: return CL_INVALID_VALUE;
    }
}

/* Nothing is compiled, so nothing is known of arguments. */
cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t bytes,
                          void *out, size_t *used)
{
    ENTER(clGetKernelArgInfo);
    (void)name, (void)bytes, (void)out, (void)used;
    if (!object_use(kernel, KIND_KERNEL))
        return CL_INVALID_KERNEL;
    return index < args_of(kernel) ? CL_KERNEL_ARG_INFO_NOT_AVAILABLE : CL_INVALID_ARG_INDEX;
}

struct size {
    uint32_t groups[3], group_size[3];
};

static cl_int take_size(cl_uint dimensions, const size_t *global, const size_t *local,
                        struct size *size)
{
    static const size_t local_max[3] = WORK_ITEM_MAX;
    size_t items = 1;
    *size = (struct size){{1, 1, 1}, {1, 1, 1}};
    if (dimensions < 1 || dimensions > 3)
        return CL_INVALID_WORK_DIMENSION;
    for (cl_uint i = 0; i < dimensions; i++) {
        if (!global || global[i] == 0)
            return CL_INVALID_GLOBAL_WORK_SIZE;
        const size_t length = local ? local[i] : 1;
        if (length > local_max[i])
            return CL_INVALID_WORK_ITEM_SIZE;
        if (length == 0 || global[i] % length != 0)
            return CL_INVALID_WORK_GROUP_SIZE;
        items *= length;
        size->groups[i] = (uint32_t)(global[i] / length);
        size->group_size[i] = (uint32_t)length;
    }
    return items <= WORK_GROUP_MAX ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE;
}

/* For a kernel whose arguments are not known, a gap between those set is all that can be seen. */
static cl_int check_args(cl_kernel kernel, const struct size *size)
{
    cl_uint memories = memories_of(kernel), set = kernel->args_set;
    bool known = kernel->named || kernel->is_flush;
    if (known ? set != (1U << args_of(kernel)) - 1 : (set & (set + 1)) != 0)
        return CL_INVALID_KERNEL_ARGS;
    for (cl_uint i = 0; i < memories; i++) {
        cl_mem buffer = object_use(kernel->args[i].buffer, KIND_BUFFER);
        if (!buffer) /* released since it was set */
            return CL_INVALID_MEM_OBJECT;
        uint64_t elements =
            kernel->named
                ? named_kernel_elements(kernel->named, i, kernel->args[memories].number.word,
                                        size->groups, size->group_size)
                : FLUSH_BYTES / sizeof(uint32_t);
        if (buffer->size / sizeof(uint32_t) < elements)
            return CL_INVALID_KERNEL_ARGS;
    }
    return CL_SUCCESS;
}

/* The script counts the dispatches that have a result. */
static void run(cl_kernel kernel, const struct size *size)
{
    static uint64_t results;
    void *memories[GROUP_KERNEL_MEMORIES_MAX];
    named_kernel_number numbers[NAMED_KERNEL_NUMBERS_MAX];
    cl_uint count = memories_of(kernel);
    if (!kernel->named || !kernel->named->function || ++results == script.skip)
        return;
    for (cl_uint i = 0; i < count; i++)
        memories[i] = buffer_open(kernel->args[i].buffer, true);
    for (cl_uint i = 0; i < kernel->named->numbers; i++)
        numbers[i] = kernel->args[count + i].number;
    const named_kernel_launch launch = {.kernel = kernel->named,
                                        .memories = memories,
                                        .numbers = numbers,
                                        .groups = size->groups,
                                        .group_size = size->group_size,
                                        .wrong = results == script.wrong};
    named_kernel_run(&launch);
    for (cl_uint i = 0; i < count; i++)
        buffer_close(kernel->args[i].buffer);
}

/* Any offset is as good as another to a kernel that isn't one. */
cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    ENTER(clEnqueueNDRangeKernel);
    struct size size;
    struct command command;
    (void)offset;
    if (!object_use(queue, KIND_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!object_use(kernel, KIND_KERNEL))
        return CL_INVALID_KERNEL;
    if (kernel->context != queue->context)
        return CL_INVALID_CONTEXT;
    cl_int error = take_size(dimensions, global, local, &size);
    if (!error)
        error = check_args(kernel, &size);
    if (!error)
        error = command_begin(&command, queue, CL_COMMAND_NDRANGE_KERNEL,
                              (struct waits){wait_count, wait_list});
    if (error)
        return error;
    if (kernel->is_empty)
        command.duration_ns = script.empty_ns;
    if (command_runs(&command))
        run(kernel, &size);
    return command_end(&command, false, event);
}
