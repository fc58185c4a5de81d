/* SPDX-License-Identifier: MIT */
/*
 * Mappings. Memory of the device is shown in pages of its own: what is mapped for reading cannot be
 * written to, nothing reaches the device before it is unmapped, and who looks at it later crashes.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "stub.h"

#include <sys/mman.h>

static const cl_map_flags WRITES = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

static unsigned alive;

unsigned maps_alive(void)
{
    return alive;
}

/* Memory that the driver took from the host is where the host finds it. */
static bool is_copied(cl_mem buffer)
{
    return !(buffer->flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_USE_HOST_PTR));
}

static bool overlaps(const struct mapping *a, const struct mapping *b)
{
    return a->at && a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

static unsigned char *show(cl_mem buffer, const struct mapping *mapping, bool runs)
{
    if (!is_copied(buffer)) {
        if (buffer->svm)
            svm_open(buffer->svm);
        return buffer->data + mapping->offset;
    }
    unsigned char *pages =
        mmap(NULL, mapping->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    if (mapping->flags & CL_MAP_WRITE_INVALIDATE_REGION)
        memset(pages, 0xA5, mapping->size);
    else if (runs)
        memcpy(pages, buffer->data + mapping->offset, mapping->size);
    if (!(mapping->flags & WRITES))
        mprotect(pages, mapping->size, PROT_READ);
    return pages;
}

static cl_int add_mapping(cl_mem buffer, struct mapping *mapping, bool runs)
{
    struct mapping *place = NULL;
    for (int i = 0; i < MAPPINGS_MAX; i++) {
        struct mapping *other = &buffer->mappings[i];
        if (overlaps(other, mapping) && (mapping->flags | other->flags) & WRITES)
            return CL_INVALID_OPERATION;
        if (!other->at)
            place = other;
    }
    mapping->at = place ? show(buffer, mapping, runs) : NULL;
    if (!mapping->at)
        return CL_MAP_FAILURE;
    *place = *mapping;
    alive++;
    return CL_SUCCESS;
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                         cl_map_flags flags, size_t offset, size_t size, cl_uint wait_count,
                         const cl_event *wait_list, cl_event *event, cl_int *errcode_ret)
{
    ENTER(clEnqueueMapBuffer);
    cl_int error = buffer_check_range(queue, buffer, offset, size);
    if (error)
        return refuse(errcode_ret, error);
    bool discards = (flags & CL_MAP_WRITE_INVALIDATE_REGION) != 0;
    if (discards && (flags != CL_MAP_WRITE_INVALIDATE_REGION || !version_is_since(1, 2)))
        error = CL_INVALID_VALUE;
    struct command command;
    if (!error)
        error = command_begin(&command, queue, CL_COMMAND_MAP_BUFFER,
                              (struct waits){wait_count, wait_list});
    if (error)
        return refuse(errcode_ret, error);
    struct mapping mapping = {NULL, offset, size, flags};
    error = add_mapping(buffer, &mapping, command_runs(&command));
    if (!error)
        error = command_end(&command, blocking, event);
    return answer(errcode_ret, error, error ? NULL : mapping.at);
}

static void hide(cl_mem buffer, struct mapping *mapping, bool runs)
{
    if (!is_copied(buffer)) {
        buffer_close(buffer);
    } else {
        if (runs && mapping->flags & WRITES)
            memcpy(buffer->data + mapping->offset, mapping->at, mapping->size);
        munmap(mapping->at, mapping->size);
    }
    mapping->at = NULL;
    alive--;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void *pointer,
                               cl_uint wait_count, const cl_event *wait_list, cl_event *event)
{
    ENTER(clEnqueueUnmapMemObject);
    cl_int error = buffer_check_range(queue, buffer, 0, 1);
    if (error)
        return error;
    int i = 0;
    while (i < MAPPINGS_MAX && (!pointer || buffer->mappings[i].at != pointer))
        i++;
    REQUIRE(i < MAPPINGS_MAX, CL_INVALID_VALUE, "it is not mapped");
    struct command command;
    error = command_begin(&command, queue, CL_COMMAND_UNMAP_MEM_OBJECT,
                          (struct waits){wait_count, wait_list});
    if (error)
        return error;
    hide(buffer, &buffer->mappings[i], command_runs(&command));
    return command_end(&command, false, event);
}
