/* SPDX-License-Identifier: MIT */
/* Buffers, on which commands really move the data: verification must pass. */
#include "stub.h"

#include <stdlib.h>

enum { BUFFER_ALIGNMENT = 4096 };

/* Those that kerntime and its tests know. */
static const cl_mem_flags FLAGS =
    CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

RELEASES(clReleaseMemObject, cl_mem, KIND_BUFFER, CL_INVALID_MEM_OBJECT)

static cl_int check_buffer(cl_mem_flags flags, size_t size, const void *host_ptr)
{
    bool borrowed = (flags & CL_MEM_USE_HOST_PTR) != 0;
    bool allocated = (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    bool wants_pointer = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    if (flags & ~FLAGS || (borrowed && allocated))
        return CL_INVALID_VALUE;
    if (size == 0 || size > script.max_alloc)
        return CL_INVALID_BUFFER_SIZE;
    return wants_pointer == (host_ptr != NULL) ? CL_SUCCESS : CL_INVALID_HOST_PTR;
}

static uint64_t placed; /* bytes of all buffers that hold data of their own */

static void end_buffer(void *self)
{
    cl_mem buffer = self;
    if (buffer->block) {
        placed -= buffer->size;
        memory_end(buffer->block);
    }
    if (buffer->svm)
        svm_cover(buffer->svm, -1);
}

/* False: there is no room. */
static bool place_data(cl_mem buffer, void *host_ptr)
{
    if (buffer->flags & CL_MEM_USE_HOST_PTR) {
        buffer->data = host_ptr;
        buffer->svm = svm_find(host_ptr);
        if (buffer->svm)
            svm_cover(buffer->svm, 1);
        return true;
    }
    if (buffer->size > script.memory - placed)
        return false;
    buffer->block = memory_create(0, buffer->context, buffer->size, BUFFER_ALIGNMENT);
    if (!buffer->block)
        return false;
    placed += buffer->size;
    buffer->data = buffer->block->data;
    if (host_ptr)
        memcpy(buffer->data, host_ptr, buffer->size);
    return true;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                      cl_int *errcode_ret)
{
    ENTER(clCreateBuffer);
    if (!object_use(context, KIND_CONTEXT))
        return refuse(errcode_ret, CL_INVALID_CONTEXT);
    cl_int error = check_buffer(flags, size, host_ptr);
    if (!error && flags & CL_MEM_USE_HOST_PTR && svm_find(host_ptr))
        error = svm_check(context, host_ptr, size) ? CL_INVALID_HOST_PTR : CL_SUCCESS;
    if (error)
        return refuse(errcode_ret, error);
    cl_mem buffer = counted_create(KIND_BUFFER, sizeof *buffer, context);
    buffer->base.object.end = end_buffer;
    buffer->context = context;
    buffer->flags = flags;
    buffer->size = size;
    if (place_data(buffer, host_ptr))
        return answer(errcode_ret, CL_SUCCESS, buffer);
    counted_release(buffer);
    return refuse(errcode_ret, CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

cl_mem clCreateSubBuffer(cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type,
                         const void *info, cl_int *errcode_ret)
{
    ENTER(clCreateSubBuffer);
    const cl_buffer_region *region = info;
    if (!object_use(whole, KIND_BUFFER) || whole->whole || whole->svm)
        return refuse(errcode_ret, CL_INVALID_MEM_OBJECT);
    if (flags != CL_MEM_READ_WRITE || type != CL_BUFFER_CREATE_TYPE_REGION || !region ||
        region->origin > whole->size || region->size > whole->size - region->origin)
        return refuse(errcode_ret, CL_INVALID_VALUE);
    if (region->size == 0)
        return refuse(errcode_ret, CL_INVALID_BUFFER_SIZE);
    if (region->origin % BUFFER_ALIGNMENT)
        return refuse(errcode_ret, CL_MISALIGNED_SUB_BUFFER_OFFSET);
    cl_mem part = counted_create(KIND_BUFFER, sizeof *part, whole);
    part->context = whole->context;
    part->flags = flags;
    part->size = region->size;
    part->data = whole->data + region->origin;
    part->whole = whole;
    return answer(errcode_ret, CL_SUCCESS, part);
}

unsigned char *buffer_open(cl_mem buffer, bool writes)
{
    if (buffer->whole)
        buffer_open(buffer->whole, writes);
    for (int i = 0; i < MAPPINGS_MAX; i++)
        EXPECT_USE(!buffer->mappings[i].at || (!writes && buffer->mappings[i].flags == CL_MAP_READ),
                   "a buffer is mapped");
    if (buffer->svm)
        svm_open(buffer->svm);
    return buffer->data;
}

void buffer_close(cl_mem buffer)
{
    if (buffer->svm)
        svm_close(buffer->svm);
}

cl_int buffer_check_range(cl_command_queue queue, cl_mem buffer, size_t offset, size_t size)
{
    if (!object_use(queue, KIND_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!object_use(buffer, KIND_BUFFER))
        return CL_INVALID_MEM_OBJECT;
    if (buffer->context != queue->context)
        return CL_INVALID_CONTEXT;
    if (size == 0 || offset > buffer->size || size > buffer->size - offset)
        return CL_INVALID_VALUE;
    return CL_SUCCESS;
}

/* Between a buffer and the host, which may not touch shared memory. */
static cl_int transfer(cl_command_queue queue, cl_mem buffer, bool blocking, size_t offset,
                       size_t size, void *to, const void *from, struct waits waits, cl_event *event)
{
    cl_int error = buffer_check_range(queue, buffer, offset, size);
    if (error || (!to && !from))
        return error ? error : CL_INVALID_VALUE;
    REQUIRE(!svm_find(to ? to : from), CL_INVALID_VALUE, "the host touches shared memory");
    struct command command;
    error = command_begin(&command, queue, to ? CL_COMMAND_READ_BUFFER : CL_COMMAND_WRITE_BUFFER,
                          waits);
    if (error)
        return error;
    if (command_runs(&command)) {
        unsigned char *data = buffer_open(buffer, !to) + offset;
        memcpy(to ? to : data, to ? data : from, size);
        buffer_close(buffer);
    }
    return command_end(&command, blocking, event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void *ptr, cl_uint wait_count, const cl_event *wait_list,
                           cl_event *event)
{
    ENTER(clEnqueueReadBuffer);
    return transfer(queue, buffer, blocking, offset, size, ptr, NULL,
                    (struct waits){wait_count, wait_list}, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                            size_t size, const void *ptr, cl_uint wait_count,
                            const cl_event *wait_list, cl_event *event)
{
    ENTER(clEnqueueWriteBuffer);
    return transfer(queue, buffer, blocking, offset, size, NULL, ptr,
                    (struct waits){wait_count, wait_list}, event);
}

/* How many of the bytes this copy really copies. */
static size_t copied_bytes(size_t size)
{
    static uint64_t copies;
    uint64_t ordinal = ++copies;
    return ordinal == script.skip_copy ? 0 : ordinal == script.half_copy ? size / 2 : size;
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                           size_t pattern_size, size_t at, size_t size, cl_uint wait_count,
                           const cl_event *wait_list, cl_event *event)
{
    ENTER(clEnqueueFillBuffer);
    cl_int error = buffer_check_range(queue, buffer, at, size);
    if (error)
        return error;
    if (!pattern || pattern_size == 0 || at % pattern_size || size % pattern_size)
        return CL_INVALID_VALUE;
    struct command command;
    error = command_begin(&command, queue, CL_COMMAND_FILL_BUFFER,
                          (struct waits){wait_count, wait_list});
    if (error)
        return error;
    if (command_runs(&command)) {
        unsigned char *data = buffer_open(buffer, true);
        for (size_t i = 0; i < size; i += pattern_size)
            memcpy(data + at + i, pattern, pattern_size);
        buffer_close(buffer);
    }
    return command_end(&command, false, event);
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem source, cl_mem target, size_t from,
                           size_t to, size_t size, cl_uint wait_count, const cl_event *wait_list,
                           cl_event *event)
{
    ENTER(clEnqueueCopyBuffer);
    cl_int error = buffer_check_range(queue, source, from, size);
    if (!error)
        error = buffer_check_range(queue, target, to, size);
    if (error)
        return error;
    if (source == target && (from > to ? from - to : to - from) < size)
        return CL_MEM_COPY_OVERLAP;
    struct command command;
    error = command_begin(&command, queue, CL_COMMAND_COPY_BUFFER,
                          (struct waits){wait_count, wait_list});
    if (error)
        return error;
    if (command_runs(&command)) { /* two buffers may share one host pointer */
        const unsigned char *source_data = buffer_open(source, false);
        unsigned char *target_data = buffer_open(target, true);
        memmove(target_data + to, source_data + from, copied_bytes(size));
        buffer_close(target);
        buffer_close(source);
    }
    return command_end(&command, false, event);
}
