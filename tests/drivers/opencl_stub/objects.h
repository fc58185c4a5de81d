/* Handles: every object but an event starts with this header. A released object keeps its header
 * until exit, so that a late use is found rather than undefined. */
#ifndef OPENCL_STUB_OBJECTS_H
#define OPENCL_STUB_OBJECTS_H

#include "stub.h"

#include "script.h"

#define OBJECT_MAGIC UINT32_C(0x4b544f43)

/* What the device says of itself and a dispatch is held to. */
#define WORK_GROUP_MAX 1024
#define WORK_ITEM_MAX  \
    {                  \
        1024, 1024, 64 \
    }

enum kind {
    KIND_PLATFORM,
    KIND_DEVICE,
    KIND_CONTEXT,
    KIND_QUEUE,
    KIND_BUFFER,
    KIND_PROGRAM,
    KIND_KERNEL,
    KIND_SVM
};

struct object {
    uint32_t magic;
    enum kind kind;
    atomic_uint refs;
    struct object *next;
    void (*drop)(struct object *self); /* frees what the object owns, not the object; or NULL */
};

/* Zeroed, with one reference; bytes is the size of the whole object. NULL when out of memory. */
void *object_create(enum kind kind, size_t bytes, void (*drop)(struct object *self));

/* The object must have passed object_ok. */
void object_retain(void *handle);
void object_release(void *handle);

unsigned long long objects_alive(enum kind kind);

static inline bool object_ok(const void *handle, enum kind kind)
{
    const struct object *object = handle;
    return object && object->magic == OBJECT_MAGIC && object->kind == kind &&
           atomic_load_explicit(&object->refs, memory_order_relaxed) != 0;
}

struct _cl_platform_id {
    struct object base;
};

struct _cl_device_id {
    struct object base;
};

struct _cl_command_queue {
    struct object base;
    cl_context context;
    cl_device_id device;
    cl_command_queue_properties properties;
    atomic_bool stuck; /* a command of this queue will never complete */
    _Atomic(uint64_t)
        ended; /* what it was given up to this ordinal is seen to have ended (late, lag) */
};

struct _cl_context {
    struct object base;
    cl_uint device_count;
    cl_device_id devices[MAX_DEVICES];
    /* no queue of anybody's: what events without a command are of */
    struct _cl_command_queue user_events;
};

enum { MAPPINGS_MAX = 8 };

struct mapping {
    unsigned char *at; /* NULL: none */
    size_t offset, size;
    cl_map_flags flags;
};

struct svm;

struct _cl_mem {
    struct object base;
    cl_context context;
    cl_mem_flags flags;
    size_t size;
    unsigned char *data;
    bool owns_data;
    struct svm *svm;  /* over which it lies, or NULL */
    atomic_uint maps; /* not yet unmapped */
    struct mapping mappings[MAPPINGS_MAX];
};

bool context_has_device(cl_context context, cl_device_id device);

static inline bool queue_is_profiled(cl_command_queue queue)
{
    return (queue->properties & CL_QUEUE_PROFILING_ENABLE) != 0;
}

static inline bool queue_is_out_of_order(cl_command_queue queue)
{
    return (queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
}

/* All that it was given up to this ordinal is seen to have ended. */
static inline void queue_has_ended(cl_command_queue queue, uint64_t ordinal)
{
    if (!script_is_late())
        return;
    uint64_t ended = atomic_load_explicit(&queue->ended, memory_order_relaxed);
    while (ended < ordinal && !atomic_compare_exchange_weak(&queue->ended, &ended, ordinal))
        continue;
}

#endif
