/* SPDX-License-Identifier: MIT */
/* queues.c - queues. All give timestamps, if the driver lets them, and the program sees them as it
 * asked for them. */
#include "layer.h"

#include "support/alloc.h"

#include <stdint.h>
#include <string.h>

enum { BUCKETS = 256, PROPERTIES_MAX = 64 };

/* A queue as the program sees it, until the driver gives its handle to another one: events may ask
 * for it when the program has released it, and what it had is another queue's. */
typedef struct entry {
    struct entry *next;
    cl_command_queue handle;
    _Atomic(layer_queue *) queue;    /* NULL: not to be traced */
    _Atomic(bool) is_changed;        /* it has profiling, which the program did not ask for */
    _Atomic(bool) is_profiled;       /* in the program's eyes */
    cl_queue_properties *properties; /* as asked for, if changed; NULL: none */
    size_t properties_bytes;
} entry;

static _Atomic(entry *) entries[BUCKETS];
static _Atomic(layer_queue *) queues;
static uint32_t numbers; /* under the lock */

layer_queue *layer_queues(void)
{
    return atomic_load_explicit(&queues, memory_order_acquire);
}

/* ---- what is known of a handle ---- */

static _Atomic(entry *) *bucket_of(cl_command_queue handle)
{
    return &entries[((uintptr_t)handle * UINT64_C(0x9E3779B97F4A7C15) >> 32) % BUCKETS];
}

static entry *find_entry(cl_command_queue handle)
{
    entry *e = atomic_load_explicit(bucket_of(handle), memory_order_acquire);
    while (e && e->handle != handle)
        e = e->next;
    return e;
}

/* Finds or adds. NULL: no memory. Under the lock. */
static entry *entry_of(cl_command_queue handle)
{
    entry *e = find_entry(handle);
    if (!e && (e = kt_alloc(1, sizeof *e)) != NULL) {
        e->handle = handle;
        e->next = atomic_load(bucket_of(handle));
        atomic_store(bucket_of(handle), e);
    }
    return e;
}

static bool is_hidden(const entry *e)
{
    return e && atomic_load(&e->is_changed) && !atomic_load(&e->is_profiled);
}

bool layer_hides_times(cl_command_queue handle)
{
    return is_hidden(find_entry(handle));
}

/* ---- adding ---- */

/* One that the program has released and that has nothing in flight, or a new one; NULL: no memory.
 * Under the lock. */
static layer_queue *take_queue(void)
{
    layer_queue *queue = layer_queues();
    while (queue && (atomic_load(&queue->references) || atomic_load(&queue->requests) ||
                     atomic_load(&queue->head) != atomic_load(&queue->tail)))
        queue = queue->next;
    if (queue || !(queue = kt_alloc(1, sizeof *queue)))
        return queue;
    queue->next = layer_queues();
    atomic_store_explicit(&queues, queue, memory_order_release);
    return queue;
}

typedef struct made {
    cl_command_queue handle;
    cl_command_queue_properties asked, given;
    const cl_queue_properties *properties; /* as asked for; NULL: none */
    cl_uint references;
} made;

static size_t bytes_of(const cl_queue_properties *properties)
{
    size_t count = 0;
    while (properties && properties[count])
        count += 2;
    return properties ? (count + 1) * sizeof *properties : 0;
}

static layer_queue *add(const made *m)
{
    cl_device_id id = NULL;
    layer_device *device = NULL;
    if (!(m->given & CL_QUEUE_ON_DEVICE) &&
        layer_next.clGetCommandQueueInfo(m->handle, CL_QUEUE_DEVICE, sizeof id, &id, NULL) ==
            CL_SUCCESS)
        device = layer_device_of(id);
    const size_t bytes = bytes_of(m->properties);
    cl_queue_properties *kept = bytes ? kt_alloc(1, bytes) : NULL;
    if (kept && m->properties)
        memcpy(kept, m->properties, bytes);
    layer_lock();
    entry *e = entry_of(m->handle);
    layer_queue *queue = e && device && (kept || !bytes) ? take_queue() : NULL;
    if (queue) {
        queue->device = device;
        queue->number = numbers++;
        queue->has_timestamps = (m->given & CL_QUEUE_PROFILING_ENABLE) != 0;
        atomic_store(&queue->is_in_order, !(m->given & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
        queue->last_begin_ns = queue->last_end_ns = 0;
        atomic_store(&queue->references, m->references);
    }
    if (e) { /* nobody else has the handle yet, and what had it before is gone */
        cl_queue_properties *old = e->properties;
        e->properties = kept;
        e->properties_bytes = kept ? bytes : 0;
        kept = old;
        atomic_store(&e->is_changed, m->asked != m->given);
        atomic_store(&e->is_profiled, (m->asked & CL_QUEUE_PROFILING_ENABLE) != 0);
        atomic_store_explicit(&e->queue, queue, memory_order_release);
    }
    layer_unlock();
    kt_free(kept);
    return queue;
}

/* A queue that was made past the layer. */
static layer_queue *adopt(cl_command_queue handle)
{
    made m = {.handle = handle, .references = 1};
    if (layer_next.clGetCommandQueueInfo(handle, CL_QUEUE_PROPERTIES, sizeof m.given, &m.given,
                                         NULL) != CL_SUCCESS)
        return NULL;
    layer_next.clGetCommandQueueInfo(handle, CL_QUEUE_REFERENCE_COUNT, sizeof m.references,
                                     &m.references, NULL);
    m.asked = m.given;
    return add(&m);
}

layer_queue *layer_queue_find(cl_command_queue handle)
{
    const entry *e = find_entry(handle);
    return e ? atomic_load_explicit(&e->queue, memory_order_acquire) : adopt(handle);
}

/* ---- creating ---- */

static cl_command_queue CL_API_CALL hook_clCreateCommandQueue(
    cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *code)
{
    const cl_command_queue_properties more = properties | CL_QUEUE_PROFILING_ENABLE;
    made m = {.asked = properties, .given = more, .references = 1};
    m.handle = layer_next.clCreateCommandQueue(context, device, more, code);
    if (!m.handle) {
        m.given = properties;
        m.handle = layer_next.clCreateCommandQueue(context, device, properties, code);
    }
    if (m.handle)
        add(&m);
    return m.handle;
}

/* Copies the list with profiling. False: it is too long. */
static bool with_profiling(const cl_queue_properties *properties, made *m,
                           cl_queue_properties changed[PROPERTIES_MAX + 3])
{
    size_t count = 0;
    cl_queue_properties *flags = NULL;
    for (; properties && properties[count]; count += 2) {
        if (count >= PROPERTIES_MAX)
            return false;
        changed[count] = properties[count];
        changed[count + 1] = properties[count + 1];
        if (properties[count] == CL_QUEUE_PROPERTIES)
            flags = &changed[count + 1];
    }
    if (!flags) {
        changed[count] = CL_QUEUE_PROPERTIES;
        flags = &changed[count + 1];
        *flags = 0;
        count += 2;
    }
    changed[count] = 0;
    m->asked = *flags;
    *flags |= CL_QUEUE_PROFILING_ENABLE;
    m->given = *flags;
    return true;
}

cl_command_queue layer_create_queue(cl_context context, cl_device_id device,
                                    const cl_queue_properties *properties, cl_int *code,
                                    layer_create create)
{
    cl_queue_properties changed[PROPERTIES_MAX + 3];
    made m = {.references = 1};
    if (!with_profiling(properties, &m, changed)) {
        m.handle = create(context, device, properties, code);
        return m.handle; /* adopted by its first command */
    }
    if (!(m.asked & CL_QUEUE_ON_DEVICE) && m.asked != m.given) {
        m.properties = properties;
        m.handle = create(context, device, changed, code);
    }
    if (!m.handle) {
        m.properties = NULL;
        m.given = m.asked;
        m.handle = create(context, device, properties, code);
    }
    if (m.handle)
        add(&m);
    return m.handle;
}

static cl_command_queue CL_API_CALL hook_clCreateCommandQueueWithProperties(
    cl_context context, cl_device_id device, const cl_queue_properties *properties, cl_int *code)
{
    return layer_create_queue(context, device, properties, code,
                              layer_next.clCreateCommandQueueWithProperties);
}

/* ---- references ---- */

static cl_int CL_API_CALL hook_clRetainCommandQueue(cl_command_queue handle)
{
    layer_queue *queue = layer_queue_find(handle);
    const cl_int code = layer_next.clRetainCommandQueue(handle);
    if (queue && code == CL_SUCCESS)
        atomic_fetch_add(&queue->references, 1);
    return code;
}

/* Events hold their queue, and it its context, so what has ended is released first. What has not
 * ended is released by a callback (harvest.c). The driver would flush with the release. */
static cl_int CL_API_CALL hook_clReleaseCommandQueue(cl_command_queue handle)
{
    layer_queue *queue = layer_queue_find(handle);
    if (!queue)
        return layer_next.clReleaseCommandQueue(handle);
    /* Beforehand: another thread may get the handle for its new queue. */
    if (atomic_load(&queue->references) > 0 && atomic_fetch_sub(&queue->references, 1) == 1 &&
        !layer_is_idle(queue))
        layer_next.clFlush(handle);
    layer_harvest_all();
    return layer_next.clReleaseCommandQueue(handle);
}

static cl_int CL_API_CALL hook_clReleaseContext(cl_context context)
{
    layer_harvest_all();
    return layer_next.clReleaseContext(context);
}

static cl_int CL_API_CALL hook_clGetContextInfo(cl_context context, cl_context_info name,
                                                size_t bytes, void *out, size_t *used)
{
    if (name == CL_CONTEXT_REFERENCE_COUNT)
        layer_harvest_all();
    return layer_next.clGetContextInfo(context, name, bytes, out, used);
}

/* ---- what the program is told ---- */

static cl_int answer(const void *value, size_t bytes, size_t room, void *out, size_t *used)
{
    if (out && room < bytes)
        return CL_INVALID_VALUE;
    if (out && bytes)
        memcpy(out, value, bytes);
    if (used)
        *used = bytes;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL hook_clGetCommandQueueInfo(cl_command_queue handle,
                                                     cl_command_queue_info name, size_t bytes,
                                                     void *out, size_t *used)
{
    layer_queue *queue = layer_queue_find(handle);
    if (queue && name == CL_QUEUE_REFERENCE_COUNT)
        layer_harvest(queue);
    const entry *e = find_entry(handle);
    const bool is_changed = e && atomic_load(&e->is_changed);
    if (is_changed && name == CL_QUEUE_PROPERTIES) {
        cl_command_queue_properties properties = 0;
        const cl_int code =
            layer_next.clGetCommandQueueInfo(handle, name, sizeof properties, &properties, NULL);
        if (is_hidden(e))
            properties &= ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE;
        return code == CL_SUCCESS ? answer(&properties, sizeof properties, bytes, out, used) : code;
    }
    if (is_changed && name == CL_QUEUE_PROPERTIES_ARRAY) {
        size_t unused;
        const cl_int code = layer_next.clGetCommandQueueInfo(handle, name, 0, NULL, &unused);
        return code == CL_SUCCESS ? answer(e->properties, e->properties_bytes, bytes, out, used)
                                  : code;
    }
    return layer_next.clGetCommandQueueInfo(handle, name, bytes, out, used);
}

/* Of OpenCL 1.0. Profiling stays on, whatever the program asks for. */
static cl_int CL_API_CALL hook_clSetCommandQueueProperty(cl_command_queue handle,
                                                         cl_command_queue_properties properties,
                                                         cl_bool enable,
                                                         cl_command_queue_properties *old)
{
    layer_queue *queue = layer_queue_find(handle);
    entry *e = find_entry(handle);
    if (!e || !queue || !queue->has_timestamps)
        return layer_next.clSetCommandQueueProperty(handle, properties, enable, old);
    const cl_command_queue_properties profiling = properties & CL_QUEUE_PROFILING_ENABLE;
    cl_command_queue_properties driver_old = 0;
    cl_int code = CL_SUCCESS;
    if (profiling)
        code = layer_next.clSetCommandQueueProperty(handle, profiling, CL_TRUE, &driver_old);
    if (code == CL_SUCCESS && (properties != profiling || !profiling)) {
        code = layer_next.clSetCommandQueueProperty(handle, properties & ~profiling, enable,
                                                    &driver_old);
        if (code == CL_SUCCESS && properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE && enable)
            atomic_store(&queue->is_in_order, false);
    }
    if (code != CL_SUCCESS)
        return code;
    if (!atomic_load(&e->is_profiled))
        driver_old &= ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE;
    if (profiling) {
        if (!enable)
            atomic_store(&e->is_changed, true);
        atomic_store(&e->is_profiled, enable != CL_FALSE);
    }
    if (old)
        *old = driver_old;
    return CL_SUCCESS;
}

void layer_hook_queues(cl_icd_dispatch *table)
{
    LAYER_HOOK(table, clCreateCommandQueue);
    LAYER_HOOK(table, clCreateCommandQueueWithProperties);
    LAYER_HOOK(table, clRetainCommandQueue);
    LAYER_HOOK(table, clReleaseCommandQueue);
    LAYER_HOOK(table, clReleaseContext);
    LAYER_HOOK(table, clGetContextInfo);
    LAYER_HOOK(table, clGetCommandQueueInfo);
    LAYER_HOOK(table, clSetCommandQueueProperty);
}
