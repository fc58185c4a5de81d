/* Buffers are plain heap, and commands on them really move the data: verification must pass. */
#include "memory.h"
#include "command.h"
#include "script.h"
#include "svm.h"

#include <stdlib.h>

enum { BUFFER_ALIGNMENT = 4096, PATTERN_MAX = 128 };

static const cl_mem_flags ACCESS_FLAGS = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
static const cl_mem_flags HOST_FLAGS =
    CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
static const cl_mem_flags PLACE_FLAGS =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

static bool at_most_one_bit(cl_mem_flags flags)
{
    return (flags & (flags - 1)) == 0;
}

static cl_int check_buffer(cl_mem_flags flags, size_t size, const void *host_ptr)
{
    bool borrowed = (flags & CL_MEM_USE_HOST_PTR) != 0;
    bool allocated = (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    bool wants_pointer = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
    if (flags & ~(ACCESS_FLAGS | HOST_FLAGS | PLACE_FLAGS))
        return CL_INVALID_VALUE;
    if (!at_most_one_bit(flags & ACCESS_FLAGS) || !at_most_one_bit(flags & HOST_FLAGS))
        return CL_INVALID_VALUE;
    if (borrowed && allocated)
        return CL_INVALID_VALUE;
    if (size == 0 || size > script.max_alloc)
        return CL_INVALID_BUFFER_SIZE;
    return wants_pointer == (host_ptr != NULL) ? CL_SUCCESS : CL_INVALID_HOST_PTR;
}

static _Atomic(uint64_t) placed; /* bytes of all buffers that hold data of their own */

static void drop_buffer(struct object *self)
{
    cl_mem buffer = (cl_mem)self;
    if (buffer->owns_data)
        placed -= buffer->size;
    if (buffer->owns_data)
        free(buffer->data);
    buffer->data = NULL;
    if (buffer->svm)
        svm_covered(buffer->svm, false);
}

static bool place_data(cl_mem buffer, void *host_ptr)
{
    if (buffer->flags & CL_MEM_USE_HOST_PTR) {
        buffer->data = host_ptr;
        buffer->svm = svm_find(host_ptr);
        if (buffer->svm)
            svm_covered(buffer->svm, true);
        return true;
    }
    buffer->owns_data = true;
    if ((placed += buffer->size) > script.memory)
        return false;
    size_t pages = (buffer->size + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT;
    buffer->data = aligned_alloc(BUFFER_ALIGNMENT, pages * BUFFER_ALIGNMENT);
    if (buffer->data && host_ptr)
        memcpy(buffer->data, host_ptr, buffer->size);
    return buffer->data != NULL;
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                      cl_int *errcode_ret)
{
    ENTER(clCreateBuffer);
    if (!object_ok(context, KIND_CONTEXT))
        return refuse(errcode_ret, misused(CL_INVALID_CONTEXT));
    cl_int error = check_buffer(flags, size, host_ptr);
    if (!error && flags & CL_MEM_USE_HOST_PTR && svm_find(host_ptr))
        error = svm_check(context, host_ptr, size) ? CL_INVALID_HOST_PTR : CL_SUCCESS;
    if (error)
        return refuse(errcode_ret, error);
    cl_mem buffer = object_create(KIND_BUFFER, sizeof *buffer, drop_buffer);
    if (!buffer)
        return refuse(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    buffer->context = context;
    buffer->flags = flags;
    buffer->size = size;
    if (!place_data(buffer, host_ptr)) {
        object_release(buffer);
        return refuse(errcode_ret, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    }
    return accept_object(errcode_ret, buffer);
}

cl_int clRetainMemObject(cl_mem memobj)
{
    ENTER(clRetainMemObject);
    if (!object_ok(memobj, KIND_BUFFER))
        return misused(CL_INVALID_MEM_OBJECT);
    object_retain(memobj);
    return CL_SUCCESS;
}

cl_int clReleaseMemObject(cl_mem memobj)
{
    ENTER(clReleaseMemObject);
    if (!object_ok(memobj, KIND_BUFFER))
        return misused(CL_INVALID_MEM_OBJECT);
    object_release(memobj);
    return CL_SUCCESS;
}

unsigned char *buffer_open(cl_mem buffer, bool writes)
{
    if (atomic_load(&buffer->maps) != 0)
        map_check_command(buffer, writes);
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
    if (!object_ok(queue, KIND_QUEUE))
        return misused(CL_INVALID_COMMAND_QUEUE);
    if (!object_ok(buffer, KIND_BUFFER))
        return misused(CL_INVALID_MEM_OBJECT);
    if (buffer->context != queue->context)
        return CL_INVALID_CONTEXT;
    if (size == 0 || offset > buffer->size || size > buffer->size - offset)
        return CL_INVALID_VALUE;
    return CL_SUCCESS;
}

cl_int buffer_check_host(cl_mem buffer, bool reads, bool writes)
{
    cl_mem_flags host = buffer->flags & HOST_FLAGS;
    bool may_read = host == 0 || host == CL_MEM_HOST_READ_ONLY;
    bool may_write = host == 0 || host == CL_MEM_HOST_WRITE_ONLY;
    bool refused = (reads && !may_read) || (writes && !may_write);
    return refused ? CL_INVALID_OPERATION : CL_SUCCESS;
}

cl_int clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_read,
                           size_t offset, size_t size, void *ptr, cl_uint num_events_in_wait_list,
                           const cl_event *event_wait_list, cl_event *event)
{
    ENTER(clEnqueueReadBuffer);
    cl_int error = buffer_check_range(command_queue, buffer, offset, size);
    if (!error)
        error = ptr ? buffer_check_host(buffer, true, false) : CL_INVALID_VALUE;
    if (!error && svm_find(ptr)) /* the host may not touch it */
        error = misused(CL_INVALID_VALUE);
    if (error)
        return error;
    struct command command;
    struct waits waits = {num_events_in_wait_list, event_wait_list};
    error = command_begin(&command, command_queue, CL_COMMAND_READ_BUFFER, waits);
    if (error)
        return error;
    if (command_runs(&command)) {
        const unsigned char *data = buffer_open(buffer, false);
        memcpy(ptr, data + offset, size);
        buffer_close(buffer);
    }
    return command_end(&command, blocking_read, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write,
                            size_t offset, size_t size, const void *ptr,
                            cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                            cl_event *event)
{
    ENTER(clEnqueueWriteBuffer);
    cl_int error = buffer_check_range(command_queue, buffer, offset, size);
    if (!error)
        error = ptr ? buffer_check_host(buffer, false, true) : CL_INVALID_VALUE;
    if (!error && svm_find(ptr)) /* the host may not touch it */
        error = misused(CL_INVALID_VALUE);
    if (error)
        return error;
    struct command command;
    struct waits waits = {num_events_in_wait_list, event_wait_list};
    error = command_begin(&command, command_queue, CL_COMMAND_WRITE_BUFFER, waits);
    if (error)
        return error;
    if (command_runs(&command)) {
        unsigned char *data = buffer_open(buffer, true);
        memcpy(data + offset, ptr, size);
        buffer_close(buffer);
    }
    return command_end(&command, blocking_write, event);
}

/* How many of the bytes this copy really copies. */
static size_t copied_bytes(size_t size)
{
    static _Atomic(uint64_t) copies;
    uint64_t ordinal = ++copies;
    return ordinal == script.skip_copy ? 0 : ordinal == script.half_copy ? size / 2 : size;
}

cl_int clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer, cl_mem dst_buffer,
                           size_t src_offset, size_t dst_offset, size_t size,
                           cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                           cl_event *event)
{
    ENTER(clEnqueueCopyBuffer);
    cl_int error = buffer_check_range(command_queue, src_buffer, src_offset, size);
    if (!error)
        error = buffer_check_range(command_queue, dst_buffer, dst_offset, size);
    if (error)
        return error;
    size_t apart = src_offset > dst_offset ? src_offset - dst_offset : dst_offset - src_offset;
    if (src_buffer == dst_buffer && apart < size)
        return CL_MEM_COPY_OVERLAP;
    struct command command;
    struct waits waits = {num_events_in_wait_list, event_wait_list};
    error = command_begin(&command, command_queue, CL_COMMAND_COPY_BUFFER, waits);
    if (error)
        return error;
    if (command_runs(&command)) { /* two buffers may share one host pointer */
        const unsigned char *src = buffer_open(src_buffer, false);
        unsigned char *dst = buffer_open(dst_buffer, true);
        memmove(dst + dst_offset, src + src_offset, copied_bytes(size));
        buffer_close(dst_buffer);
        buffer_close(src_buffer);
    }
    return command_end(&command, false, event);
}

static cl_int check_pattern(const void *pattern, size_t pattern_size, size_t offset, size_t size)
{
    bool power = pattern_size != 0 && (pattern_size & (pattern_size - 1)) == 0;
    if (!pattern || !power || pattern_size > PATTERN_MAX)
        return CL_INVALID_VALUE;
    return offset % pattern_size || size % pattern_size ? CL_INVALID_VALUE : CL_SUCCESS;
}

cl_int clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer, const void *pattern,
                           size_t pattern_size, size_t offset, size_t size,
                           cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                           cl_event *event)
{
    ENTER(clEnqueueFillBuffer);
    cl_int error = buffer_check_range(command_queue, buffer, offset, size);
    if (!error)
        error = check_pattern(pattern, pattern_size, offset, size);
    if (error)
        return error;
    struct command command;
    struct waits waits = {num_events_in_wait_list, event_wait_list};
    error = command_begin(&command, command_queue, CL_COMMAND_FILL_BUFFER, waits);
    if (error)
        return error;
    if (command_runs(&command)) {
        unsigned char *data = buffer_open(buffer, true);
        for (size_t at = 0; at < size; at += pattern_size)
            memcpy(data + offset + at, pattern, pattern_size);
        buffer_close(buffer);
    }
    return command_end(&command, false, event);
}
