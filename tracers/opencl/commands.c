/* SPDX-License-Identifier: MIT */
/* commands.c - each command gets an event, if the program wants none itself, and is kept until it
 * has ended. */
#include "layer.h"

static layer_queue *begin_queue(layer_call *c, cl_command_queue handle, cl_event *out)
{
    if (!tracer_is_on())
        return NULL;
    tracer_start(&c->timing);
    c->event = NULL;
    c->out = out;
    c->queue = layer_queue_find(handle);
    return c->queue;
}

static bool begin_row(layer_call *c, trace_row *row)
{
    c->row = row;
    if (!row)
        return false;
    c->has_room = layer_has_room(c->queue, &c->refusal);
    c->is_kept = c->has_room && c->queue->has_timestamps;
    tracer_pause(&c->timing);
    return true;
}

bool layer_begin(layer_call *c, cl_command_queue handle, layer_row row, cl_event *out)
{
    return begin_queue(c, handle, out) && begin_row(c, layer_device_row(c->queue->device, row));
}

static bool begin_kernel(layer_call *c, cl_command_queue handle, cl_kernel kernel,
                         cl_uint dimensions, const size_t *global, const size_t *local,
                         cl_event *out)
{
    if (!begin_queue(c, handle, out))
        return false;
    trace_row *row = layer_kernel_row(c->queue->device, kernel, dimensions, global, local);
    return row && tracer_wants_kernel() && begin_row(c, row);
}

void layer_end(layer_call *c, cl_int code, uint64_t bytes, cl_bool blocking)
{
    tracer_resume(&c->timing);
    if (code != CL_SUCCESS)
        return;
    cl_event kept = c->is_kept ? c->event : NULL;
    if (c->out) {
        *c->out = c->event;
        if (kept && layer_next.clRetainEvent(kept) != CL_SUCCESS)
            kept = NULL;
    } else if (c->event && !kept) { /* of a command buffer, which always gets one */
        layer_next.clReleaseEvent(c->event);
    }
    if (c->has_room)
        layer_keep(c->queue, c->row, kept, bytes, &c->timing);
    else
        layer_refuse(c->row, c->refusal);
    tracer_end(&c->timing);
    if (blocking)
        layer_harvest(c->queue);
}

/* ---- bytes ---- */

static uint64_t region_bytes(const size_t *region)
{
    return (uint64_t)region[0] * region[1] * region[2];
}

static uint64_t image_bytes(cl_mem image, const size_t *region)
{
    size_t element = 0;
    if (layer_next.clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, NULL) !=
        CL_SUCCESS)
        return TRACE_BYTES_UNKNOWN;
    return element * region_bytes(region);
}

/* ---- commands that are alike ---- */

/* X(function, row, bytes, whether it blocks, (parameters), (arguments)): what differs between
 * commands. All begin with the queue and end with a wait list and an event. */
#define COMMANDS(X)                                                                               \
    X(clEnqueueReadBuffer, ROW_READ, size, blocking,                                              \
      (cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void *to),                    \
      (buffer, blocking, offset, size, to))                                                       \
    X(clEnqueueWriteBuffer, ROW_WRITE, size, blocking,                                            \
      (cl_mem buffer, cl_bool blocking, size_t offset, size_t size, const void *from),            \
      (buffer, blocking, offset, size, from))                                                     \
    X(clEnqueueCopyBuffer, ROW_COPY, size, CL_FALSE,                                              \
      (cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size),                \
      (from, to, from_offset, to_offset, size))                                                   \
    X(clEnqueueReadBufferRect, ROW_READ, region_bytes(region), blocking,                          \
      (cl_mem buffer, cl_bool blocking, const size_t *origin, const size_t *host_origin,          \
       const size_t *region, size_t row, size_t slice, size_t host_row, size_t host_slice,        \
       void *to),                                                                                 \
      (buffer, blocking, origin, host_origin, region, row, slice, host_row, host_slice, to))      \
    X(clEnqueueWriteBufferRect, ROW_WRITE, region_bytes(region), blocking,                        \
      (cl_mem buffer, cl_bool blocking, const size_t *origin, const size_t *host_origin,          \
       const size_t *region, size_t row, size_t slice, size_t host_row, size_t host_slice,        \
       const void *from),                                                                         \
      (buffer, blocking, origin, host_origin, region, row, slice, host_row, host_slice, from))    \
    X(clEnqueueCopyBufferRect, ROW_COPY, region_bytes(region), CL_FALSE,                          \
      (cl_mem from, cl_mem to, const size_t *from_origin, const size_t *to_origin,                \
       const size_t *region, size_t from_row, size_t from_slice, size_t to_row, size_t to_slice), \
      (from, to, from_origin, to_origin, region, from_row, from_slice, to_row, to_slice))         \
    X(clEnqueueReadImage, ROW_READ_IMAGE, image_bytes(image, region), blocking,                   \
      (cl_mem image, cl_bool blocking, const size_t *origin, const size_t *region, size_t row,    \
       size_t slice, void *to),                                                                   \
      (image, blocking, origin, region, row, slice, to))                                          \
    X(clEnqueueWriteImage, ROW_WRITE_IMAGE, image_bytes(image, region), blocking,                 \
      (cl_mem image, cl_bool blocking, const size_t *origin, const size_t *region, size_t row,    \
       size_t slice, const void *from),                                                           \
      (image, blocking, origin, region, row, slice, from))                                        \
    X(clEnqueueCopyImage, ROW_COPY_IMAGE, image_bytes(from, region), CL_FALSE,                    \
      (cl_mem from, cl_mem to, const size_t *from_origin, const size_t *to_origin,                \
       const size_t *region),                                                                     \
      (from, to, from_origin, to_origin, region))                                                 \
    X(clEnqueueCopyImageToBuffer, ROW_COPY_IMAGE, image_bytes(from, region), CL_FALSE,            \
      (cl_mem from, cl_mem to, const size_t *origin, const size_t *region, size_t offset),        \
      (from, to, origin, region, offset))                                                         \
    X(clEnqueueCopyBufferToImage, ROW_COPY_IMAGE, image_bytes(to, region), CL_FALSE,              \
      (cl_mem from, cl_mem to, size_t offset, const size_t *origin, const size_t *region),        \
      (from, to, offset, origin, region))                                                         \
    X(clEnqueueFillBuffer, ROW_FILL, size, CL_FALSE,                                              \
      (cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset, size_t size),      \
      (buffer, pattern, pattern_size, offset, size))                                              \
    X(clEnqueueFillImage, ROW_FILL_IMAGE, image_bytes(image, region), CL_FALSE,                   \
      (cl_mem image, const void *color, const size_t *origin, const size_t *region),              \
      (image, color, origin, region))                                                             \
    X(clEnqueueUnmapMemObject, ROW_UNMAP, TRACE_BYTES_UNKNOWN, CL_FALSE,                          \
      (cl_mem memory, void *mapped), (memory, mapped))                                            \
    X(clEnqueueMigrateMemObjects, ROW_MIGRATE, TRACE_BYTES_UNKNOWN, CL_FALSE,                     \
      (cl_uint count, const cl_mem *memories, cl_mem_migration_flags flags),                      \
      (count, memories, flags))                                                                   \
    X(clEnqueueNativeKernel, ROW_NATIVE_KERNEL, TRACE_BYTES_UNKNOWN, CL_FALSE,                    \
      (void(CL_CALLBACK * function)(void *), void *args, size_t bytes, cl_uint count,             \
       const cl_mem *memories, const void **places),                                              \
      (function, args, bytes, count, memories, places))                                           \
    X(clEnqueueSVMMemcpy, ROW_SVM_COPY, size, blocking,                                           \
      (cl_bool blocking, void *to, const void *from, size_t size), (blocking, to, from, size))    \
    X(clEnqueueSVMMemFill, ROW_FILL_SVM, size, CL_FALSE,                                          \
      (void *to, const void *pattern, size_t pattern_size, size_t size),                          \
      (to, pattern, pattern_size, size))                                                          \
    X(clEnqueueSVMMap, ROW_MAP_SVM, size, blocking,                                               \
      (cl_bool blocking, cl_map_flags flags, void *memory, size_t size),                          \
      (blocking, flags, memory, size))                                                            \
    X(clEnqueueSVMUnmap, ROW_UNMAP, TRACE_BYTES_UNKNOWN, CL_FALSE, (void *memory), (memory))      \
    X(clEnqueueSVMMigrateMem, ROW_MIGRATE, TRACE_BYTES_UNKNOWN, CL_FALSE,                         \
      (cl_uint count, const void **pointers, const size_t *sizes, cl_mem_migration_flags flags),  \
      (count, pointers, sizes, flags))

#define COMMAND_HOOK(name, ...) LAYER_COMMAND(hook_##name, layer_next.name, __VA_ARGS__)
COMMANDS(COMMAND_HOOK)

/* ---- kernels, and maps, which return a pointer ---- */

static cl_int CL_API_CALL hook_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                                      cl_uint dimensions, const size_t *offset,
                                                      const size_t *global, const size_t *local,
                                                      cl_uint wait_count, const cl_event *waits,
                                                      cl_event *event)
{
    layer_call c;
    if (!begin_kernel(&c, queue, kernel, dimensions, global, local, event))
        return layer_next.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
                                                 wait_count, waits, event);
    const cl_int code = layer_next.clEnqueueNDRangeKernel(
        queue, kernel, dimensions, offset, global, local, wait_count, waits, LAYER_EVENT(&c));
    layer_end(&c, code, TRACE_BYTES_UNKNOWN, CL_FALSE);
    return code;
}

static cl_int CL_API_CALL hook_clEnqueueTask(cl_command_queue queue, cl_kernel kernel,
                                             cl_uint wait_count, const cl_event *waits,
                                             cl_event *event)
{
    static const size_t one = 1;
    layer_call c;
    if (!begin_kernel(&c, queue, kernel, 1, &one, &one, event))
        return layer_next.clEnqueueTask(queue, kernel, wait_count, waits, event);
    const cl_int code = layer_next.clEnqueueTask(queue, kernel, wait_count, waits, LAYER_EVENT(&c));
    layer_end(&c, code, TRACE_BYTES_UNKNOWN, CL_FALSE);
    return code;
}

static void *CL_API_CALL hook_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer,
                                                 cl_bool blocking, cl_map_flags flags,
                                                 size_t offset, size_t size, cl_uint wait_count,
                                                 const cl_event *waits, cl_event *event,
                                                 cl_int *code)
{
    layer_call c;
    if (!layer_begin(&c, queue, ROW_MAP, event))
        return layer_next.clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size,
                                             wait_count, waits, event, code);
    cl_int own_code = CL_SUCCESS;
    void *mapped = layer_next.clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size,
                                                 wait_count, waits, LAYER_EVENT(&c), &own_code);
    layer_end(&c, own_code, size, blocking);
    if (code)
        *code = own_code;
    return mapped;
}

static void *CL_API_CALL hook_clEnqueueMapImage(cl_command_queue queue, cl_mem image,
                                                cl_bool blocking, cl_map_flags flags,
                                                const size_t *origin, const size_t *region,
                                                size_t *row, size_t *slice, cl_uint wait_count,
                                                const cl_event *waits, cl_event *event,
                                                cl_int *code)
{
    layer_call c;
    if (!layer_begin(&c, queue, ROW_MAP_IMAGE, event))
        return layer_next.clEnqueueMapImage(queue, image, blocking, flags, origin, region, row,
                                            slice, wait_count, waits, event, code);
    cl_int own_code = CL_SUCCESS;
    void *mapped =
        layer_next.clEnqueueMapImage(queue, image, blocking, flags, origin, region, row, slice,
                                     wait_count, waits, LAYER_EVENT(&c), &own_code);
    layer_end(&c, own_code, own_code == CL_SUCCESS ? image_bytes(image, region) : 0, blocking);
    if (code)
        *code = own_code;
    return mapped;
}

void layer_hook_commands(cl_icd_dispatch *table)
{
#define HOOK(name, ...) LAYER_HOOK(table, name);
    COMMANDS(HOOK)
    LAYER_HOOK(table, clEnqueueNDRangeKernel);
    LAYER_HOOK(table, clEnqueueTask);
    LAYER_HOOK(table, clEnqueueMapBuffer);
    LAYER_HOOK(table, clEnqueueMapImage);
}
