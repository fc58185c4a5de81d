/*
 * Mappings. Memory of the device is shown in pages of its own: what is mapped for reading cannot be
 * written to, nothing reaches the device before it is unmapped, and who looks at it later crashes.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "command.h"
#include "memory.h"
#include "svm.h"

#include <pthread.h>
#include <sys/mman.h>

static const cl_map_flags WRITES = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all mappings */
static atomic_ullong alive;

unsigned long long maps_alive(void)
{
    return atomic_load(&alive);
}

void map_check_command(cl_mem buffer, bool writes)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MAPPINGS_MAX; i++)
        if (buffer->mappings[i].at && (writes || buffer->mappings[i].flags & WRITES))
            stub_misuse();
    pthread_mutex_unlock(&lock);
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

/* The lock is held. */
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
    atomic_fetch_add(&buffer->maps, 1);
    atomic_fetch_add(&alive, 1);
    return CL_SUCCESS;
}

void *clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_map,
                         cl_map_flags map_flags, size_t offset, size_t size,
                         cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                         cl_event *event, cl_int *errcode_ret)
{
    ENTER(clEnqueueMapBuffer);
    cl_int error = buffer_check_range(command_queue, buffer, offset, size);
    if (error)
        return refuse(errcode_ret, error);
    bool discards = (map_flags & CL_MAP_WRITE_INVALIDATE_REGION) != 0;
    error = buffer_check_host(buffer, (map_flags & CL_MAP_READ) != 0, (map_flags & WRITES) != 0);
    if (discards && (map_flags != CL_MAP_WRITE_INVALIDATE_REGION || !version_is_since(1, 2)))
        error = CL_INVALID_VALUE;
    if (error)
        return refuse(errcode_ret, error);
    struct command command;
    struct waits waits = {num_events_in_wait_list, event_wait_list};
    error = command_begin(&command, command_queue, CL_COMMAND_MAP_BUFFER, waits);
    if (error)
        return refuse(errcode_ret, error);
    struct mapping mapping = {NULL, offset, size, map_flags};
    pthread_mutex_lock(&lock);
    error = add_mapping(buffer, &mapping, command_runs(&command));
    pthread_mutex_unlock(&lock);
    if (!error)
        error = command_end(&command, blocking_map, event);
    return error ? refuse(errcode_ret, error) : accept_object(errcode_ret, mapping.at);
}

/* The lock is held. NULL: there is none. */
static struct mapping *find_mapping(cl_mem buffer, const void *pointer)
{
    for (int i = 0; i < MAPPINGS_MAX; i++)
        if (pointer && buffer->mappings[i].at == pointer)
            return &buffer->mappings[i];
    return NULL;
}

/* The lock is held. */
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
    atomic_fetch_sub(&buffer->maps, 1);
    atomic_fetch_sub(&alive, 1);
}

cl_int clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj, void *mapped_ptr,
                               cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                               cl_event *event)
{
    ENTER(clEnqueueUnmapMemObject);
    if (!object_ok(command_queue, KIND_QUEUE))
        return misused(CL_INVALID_COMMAND_QUEUE);
    if (!object_ok(memobj, KIND_BUFFER))
        return misused(CL_INVALID_MEM_OBJECT);
    if (memobj->context != command_queue->context)
        return CL_INVALID_CONTEXT;
    pthread_mutex_lock(&lock);
    struct mapping *mapping = find_mapping(memobj, mapped_ptr);
    struct command command;
    struct waits waits = {num_events_in_wait_list, event_wait_list};
    cl_int error = mapping
                       ? command_begin(&command, command_queue, CL_COMMAND_UNMAP_MEM_OBJECT, waits)
                       : misused(CL_INVALID_VALUE);
    if (!error)
        hide(memobj, mapping, command_runs(&command));
    pthread_mutex_unlock(&lock);
    return error ? error : command_end(&command, false, event);
}
