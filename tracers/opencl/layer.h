/* SPDX-License-Identifier: MIT */
/*
 * layer.h - the tracer of OpenCL: a layer that the loader puts between program and driver
 * (CL/cl_layer.h; ocl-icd since 2.3.0, Khronos' loader since 2021).
 *
 *   layer.c       the loader's entry points, and which functions are hooked
 *   commands.c    clEnqueue...: an event for each command
 *   extensions.c  functions that programs take past the layer's table
 *   queues.c      queues: profiling on all of them, and what the program is told about it
 *   harvest.c     events in flight, and reading their timestamps
 *   names.c       kernels and their rows
 *   devices.c     devices, and their clocks
 *
 * Programs use objects from any thread. What the way of a command needs is found without a lock:
 * lists only grow at their head, by a store that makes a whole item visible.
 *
 * Room tracers/opencl: OpenCL's tracer. May know: support, tracers/common.
 */
#ifndef TRACERS_OPENCL_LAYER_H
#define TRACERS_OPENCL_LAYER_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include "tracers/common/tracer.h"

#include <CL/cl_layer.h>

/* The functions behind the layer; NULL: the loader has none. */
extern cl_icd_dispatch layer_next;

/* Guards what is rarely changed. No driver is called while it is held: a driver may call the
 * program back under its own locks. */
void layer_lock(void);
void layer_unlock(void);
/* Registers the last harvest once more: it has to run before what drivers registered up to now. */
void layer_harvest_at_exit(void);

/* ---- devices (devices.c) ---- */

/* Rows of a device besides its kernels, in the order of devices.c. */
typedef enum layer_row {
    ROW_WRITE,
    ROW_READ,
    ROW_COPY,
    ROW_WRITE_IMAGE,
    ROW_READ_IMAGE,
    ROW_COPY_IMAGE,
    ROW_SVM_COPY,
    ROW_MIGRATE,
    ROW_FILL,
    ROW_FILL_IMAGE,
    ROW_FILL_SVM,
    ROW_MAP,
    ROW_MAP_IMAGE,
    ROW_MAP_SVM,
    ROW_UNMAP,
    ROW_NATIVE_KERNEL,
    ROW_COMMAND_BUFFER,
    ROW_COUNT
} layer_row;

/* A relation of two clocks: host - device, in ns, lies between both. */
typedef struct layer_bounds {
    double low, high;
} layer_bounds;

#define LAYER_NO_BOUNDS ((layer_bounds){-INFINITY, INFINITY})

typedef struct layer_device {
    struct layer_device *next;
    cl_device_id id; /* the whole device, if the queue is a sub-device's */
    cl_platform_id platform;
    trace_device *trace;
    bool has_timer;                       /* clGetDeviceAndHostTimer works */
    _Atomic(trace_row *) rows[ROW_COUNT]; /* NULL: not looked for; or a mark of devices.c */
    layer_bounds offset;                  /* under the lock */
    double error_ns;                      /* by how much bounds contradicted each other, in all */
} layer_device;

/* Finds or adds the device. NULL: no room. */
layer_device *layer_device_of(cl_device_id id);
/* The row, or NULL: it is not wanted. */
trace_row *layer_device_row(layer_device *device, layer_row row);
/* Bounds of the device's clock, from a command. */
void layer_device_narrow(layer_device *device, layer_bounds bounds);

/* ---- kernels (names.c) ---- */

/* Row of a dispatch, or NULL: it is not wanted. */
trace_row *layer_kernel_row(layer_device *device, cl_kernel kernel, cl_uint dimensions,
                            const size_t *global, const size_t *local);
/* The handle is a new kernel's: another kernel may have had it. */
void layer_kernel_is_new(cl_kernel kernel);

/* ---- queues and what they have in flight (queues.c, harvest.c) ---- */

/* Commands in flight of a queue. Drivers keep memory for each event. */
#define LAYER_IN_FLIGHT 32768
/* Calls after which what has ended is read. */
#define LAYER_HARVEST_CALLS 4096

/* A command in flight. */
typedef struct layer_command {
    _Atomic(void *) event; /* cl_event, or a mark of harvest.c; NULL: not written yet */
    trace_row *row;
    uint64_t bytes;
} layer_command;

/* Of the time line: the call that enqueued it. */
typedef struct layer_origin {
    int64_t begin_ns, end_ns;
    uint32_t thread;
} layer_origin;

/* Never freed: when the program's queue is gone, another one gets this struct. */
typedef struct layer_queue {
    struct layer_queue *next;
    layer_device *device;
    uint32_t number;
    bool has_timestamps;
    _Atomic(bool) is_in_order;
    _Atomic(uint32_t) references; /* the program's; 0: it is gone */
    /* Commands from tail to head, at their number modulo LAYER_IN_FLIGHT. Any thread adds at head;
     * one at a time takes from tail. */
    _Atomic(layer_command *) commands; /* NULL: there has been none */
    layer_origin *origins;             /* NULL: no time line */
    _Atomic(uint64_t) head, tail;
    /* The harvester's. From tail to `scanned`: commands that had not ended, none if in order. */
    uint64_t scanned, cursor;
    uint64_t handed_over; /* the head when the driver was asked to call back, else any before */
    _Atomic(uint32_t) requests;         /* harvests that were asked for; not 0: a thread harvests */
    int64_t last_begin_ns, last_end_ns; /* the harvester's: timestamps of the command before */
} layer_queue;

/* The queue of a handle; NULL: it is not to be traced. */
layer_queue *layer_queue_find(cl_command_queue handle);
/* Whether the program is told that its events have no times: it has asked for none. */
bool layer_hides_times(cl_command_queue handle);

/* Keeps a command until it has ended. `event`: a reference that is ours now; NULL: the queue gives
 * no timestamps. */
void layer_keep(layer_queue *queue, trace_row *row, cl_event event, uint64_t bytes,
                const trace_timing *timing);
/* False: if the driver takes the call, layer_refuse() is to be told why there is none. */
bool layer_has_room(layer_queue *queue, trace_reason *refusal);
/* Counts a call without a time. */
void layer_refuse(trace_row *row, trace_reason refusal);
/* The queue of an event; NULL: none that is traced. */
layer_queue *layer_queue_of(cl_event event);
/* Whether a command with this event is in flight, so that one reference is ours. */
bool layer_keeps(layer_queue *queue, cl_event event);

/* Reads what has ended. Waits for nothing: if another thread does that now, it does it again. */
void layer_harvest(layer_queue *queue);
void layer_harvest_all(void);
/* Whether nothing is in flight. */
bool layer_is_idle(const layer_queue *queue);
/* In the child of a fork(): what was in flight is the parent's. */
void layer_forget_all(void);
/* All queues that ever were, the newest first. */
layer_queue *layer_queues(void);

/* Headers of 2024 and later do not have the name cl_api_clCreateCommandQueueWithProperties. */
typedef cl_command_queue(CL_API_CALL *layer_create)(cl_context context, cl_device_id device,
                                                    const cl_queue_properties *properties,
                                                    cl_int *code);

/* clCreateCommandQueueWithProperties by the driver's function. */
cl_command_queue layer_create_queue(cl_context context, cl_device_id device,
                                    const cl_queue_properties *properties, cl_int *code,
                                    layer_create create);

/* ---- a call of the program that enqueues a command (commands.c) ---- */

typedef struct layer_call {
    layer_queue *queue;
    trace_row *row;
    trace_timing timing;
    cl_event event;         /* the driver's */
    cl_event *out;          /* where the program wants it; NULL: nowhere */
    bool has_room, is_kept; /* is_kept: with its event */
    trace_reason refusal;   /* unless it has room */
} layer_call;

/* False: the call is to be passed on as it is. Else the driver is asked for LAYER_EVENT(call). */
bool layer_begin(layer_call *call, cl_command_queue handle, layer_row row, cl_event *out);
#define LAYER_EVENT(call) ((call)->is_kept || (call)->out ? &(call)->event : NULL)
/* After the driver's call. `code`: its answer; what was not enqueued is no command. */
void layer_end(layer_call *call, cl_int code, uint64_t bytes, cl_bool blocking);

/* A function like all that begin with the queue and end with a wait list and an event. `next`: the
 * driver's. Parameters and arguments in between are in parentheses. */
#define LAYER_COMMAND(name, next, row_, bytes_, blocking_, parameters, arguments)                  \
    static cl_int CL_API_CALL name(cl_command_queue queue, LAYER_OPEN parameters,                  \
                                   cl_uint wait_count, const cl_event *waits, cl_event *event)     \
    {                                                                                              \
        layer_call c;                                                                              \
        if (!layer_begin(&c, queue, row_, event))                                                  \
            return next(queue, LAYER_OPEN arguments, wait_count, waits, event);                    \
        const cl_int code = next(queue, LAYER_OPEN arguments, wait_count, waits, LAYER_EVENT(&c)); \
        layer_end(&c, code, code == CL_SUCCESS ? (bytes_) : 0, blocking_);                         \
        return code;                                                                               \
    }
#define LAYER_OPEN(...) __VA_ARGS__

/* ---- hooks ---- */

/* Puts the hooks of a file into the table. */
void layer_hook_queues(cl_icd_dispatch *table);
void layer_hook_harvests(cl_icd_dispatch *table);
void layer_hook_commands(cl_icd_dispatch *table);
void layer_hook_names(cl_icd_dispatch *table);
void layer_hook_extensions(cl_icd_dispatch *table);

/* A function that is hooked if the loader has it. */
#define LAYER_HOOK(table, name)          \
    do {                                 \
        if (layer_next.name)             \
            (table)->name = hook_##name; \
    } while (0)

#endif
