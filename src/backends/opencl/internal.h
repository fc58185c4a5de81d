/* SPDX-License-Identifier: MIT */
/* internal.h - state of an OpenCL device, shared by the files of this folder. */
#ifndef KT_OPENCL_INTERNAL_H
#define KT_OPENCL_INTERNAL_H

#include "backend.h"
#include "backends/opencl/api.h"
#include "support/thread.h"

#include <math.h>

typedef struct opencl_place {
    cl_platform_id platform;
    cl_device_id device;
} opencl_place;

typedef struct opencl_lib {
    opencl_api api;
    opencl_place *places; /* all devices of all platforms */
} opencl_lib;

/* Passes completion from the driver's callback to the waiting thread; used by one wait at a
 * time. */
typedef struct opencl_waiter {
    kt_signal *completed; /* the callback raises this signal to `number` */
    uint64_t number;      /* number of the latest wait */
    cl_int code;          /* execution status passed to the callback */
} opencl_waiter;

/* Objects that flush the device's caches, created by the first flush. */
typedef struct opencl_caches {
    kt_mutex *mutex; /* one job flushes at a time */
    cl_mem buffer;
    cl_program program;
    cl_kernel kernel; /* the kernel that flushes; not NULL once all objects exist */
    size_t lines;     /* size of the flush buffer in cache lines */
} opencl_caches;

typedef struct opencl_device {
    const opencl_api *api;
    const kt_device_info *info;
    cl_device_id id;
    cl_device_type type;
    cl_context context;
    cl_command_queue queue; /* for transfers of set-up and checking, one at a time */
    opencl_waiter waiter;   /* the waiter of these transfers */
    opencl_caches caches;
    kt_host_clock host;
    bool maps_each_event; /* two events' times differ by the error of two clock readings */
    bool has_timer;       /* the driver has clGetDeviceAndHostTimer */
    bool has_arg_info;    /* the driver has clGetKernelArgInfo and its flag */
    _Atomic(const char *) timer_answered; /* how that call failed; NULL: it never failed */
} opencl_device;

typedef struct opencl_memory opencl_memory;

/* The region of device memory that a host memory stands for, and that steps map. */
typedef struct opencl_view {
    opencl_memory *of; /* the device memory; NULL: the host memory stands for itself */
    size_t offset, bytes;
    uint32_t step_count; /* steps that map the region */
    /* Steps that unmap the region for the device: host writes go to the mapping, too. */
    uint32_t writer_count;
    bool is_read_through;
} opencl_view;

struct opencl_memory {
    opencl_device *device;
    cl_mem buffer; /* NULL for heap memory; for shared memory a buffer of the same bytes */
    void *host;    /* host address; NULL for device and shared memory */
    void *svm;     /* address of shared memory; NULL for other kinds */
    bool is_heap;
    opencl_view view;
    /* Device memory: its mapped address or NULL, the host memory that it is mapped as (NULL once
     * that view is closed), and the flags of the map. */
    void *mapped;
    opencl_memory *mapped_as;
    cl_map_flags mapped_for;
};

typedef struct opencl_program {
    opencl_device *device;
    cl_program program;
    char *entry;
} opencl_program;

/* A step, prepared for submission. */
typedef struct opencl_step {
    const kt_backend_step *desc;
    opencl_memory *view; /* map steps: the host memory that stands for the region */
    cl_kernel kernel;
    cl_mem *parts; /* by argument: the part of its memory, or NULL; NULL: the kernel takes none */
    size_t global[3], local[3];
    /* Events of the latest timestamped submission: of its first and last command, or of each. */
    cl_event *events;
    size_t event_count, event_room;
} opencl_step;

typedef struct opencl_job {
    opencl_device *device;
    opencl_step *steps;
    uint32_t step_count;
    cl_command_queue queue; /* for submissions without timestamps: profiling slows commands */
    cl_command_queue profiled_queue; /* for timestamped submissions */
    cl_program empty_program;        /* the program with the kernel of empty steps */
    cl_event done;                   /* event of the last command; a step's event if timestamped */
    bool done_is_own;
    opencl_waiter waiter;
    bool in_flight; /* queued commands may still run: their end was not seen */
} opencl_job;

/* A device of the program, and its imported queues. */
typedef struct opencl_timer_context {
    opencl_api api;
    cl_context context;
    cl_device_id device;
    /* how long a marker in an idle queue takes at most from being enqueued to its end; 0: unknown */
    cl_ulong at_once_ticks;
    cl_mem filled; /* a fill of it is the timestamp, since markers do not wait; NULL: a marker is */
    cl_command_queue *queues;
    size_t queue_count, queue_room;
} opencl_timer_context;

/* A span's two timestamps, or the event of the command that the span times. */
typedef struct opencl_mark {
    cl_event first, last;
    bool is_command; /* `first` and `last` are the same event */
} opencl_mark;

/* Loads the OpenCL library. */
kt_status kt_opencl_open(opencl_api *api);

/* The name of a driver's code: "CL_OUT_OF_RESOURCES", or "unknown code". */
const char *kt_opencl_code_name(cl_int code);
/* Sets an error text with the driver call and its code, and returns the failure. */
kt_status kt_opencl_fail(const char *call, cl_int code);

/* Queries an event. KT_OK: the event has completed. KT_NOT_READY without an error text: it has not
 * completed yet. Any other status: the event's command failed. */
kt_status kt_opencl_ask(const opencl_api *api, cl_event event);

/* Reads the times at which the event's command was queued, submitted, started and ended. */
kt_timestamp_state kt_opencl_read_event(const opencl_api *api, cl_event event, cl_ulong ticks[4]);

/* Whether a device supports OpenCL major.minor or later. */
bool kt_opencl_is_since(const opencl_api *api, cl_device_id id, unsigned long major,
                        unsigned long minor);

/* Calls for map steps. A mapping stays until the step is submitted again, or until something else
 * needs the device memory. An unmap gets an event only if the unmap is measured: some drivers crash
 * when such an event is queried for its timestamps. */
kt_status kt_opencl_view_open(opencl_step *step);
/* Closes a step's view. Call it after all commands that use the view have ended. */
void kt_opencl_view_close(opencl_step *step);
/* Enqueues a step's map or unmap, and before it any unmap or map that it needs. *event becomes the
 * event of the measured command; `event` may be NULL. */
kt_status kt_opencl_enqueue_map(const opencl_step *step, cl_command_queue queue, cl_event *event);
/* Notes that a step's map to the host has ended: the host now reads through the mapping. */
void kt_opencl_map_ended(const opencl_step *step);
/* Unmaps memory before a command that may not use it while mapped. `writes`: the command writes to
 * it. */
kt_status kt_opencl_release(opencl_memory *memory, cl_command_queue queue, bool writes);
/* Maps the device memory that `host` stands for, for writing, and waits for the map. */
kt_status kt_opencl_map_for_writing(opencl_memory *host, int64_t timeout_ns);

/* Finishes a transfer in the device's own queue: `code` is what enqueueing it by `call` returned.
 * Waits, and releases `event`. */
kt_status kt_opencl_finish_transfer(opencl_device *device, const char *call, cl_int code,
                                    cl_event event, int64_t timeout_ns);

kt_status kt_opencl_waiter_init(opencl_waiter *waiter);
void kt_opencl_waiter_fini(opencl_waiter *waiter);
/* Waits until the command behind a flushed event has completed: KT_OK, KT_DRIVER_ERROR,
 * KT_DEVICE_LOST, or KT_TIMEOUT. */
kt_status kt_opencl_wait(const opencl_device *device, opencl_waiter *waiter, cl_event event,
                         int64_t timeout_ns);

kt_status kt_opencl_caches_init(opencl_caches *caches);
void kt_opencl_caches_fini(opencl_caches *caches, const opencl_api *api);

/* Queries a numeric property of a device, of `bytes` bytes; 0 (unknown) if the driver has none. */
uint64_t kt_opencl_device_number(const opencl_api *api, cl_device_id id, cl_device_info what,
                                 size_t bytes);

/* Builds a kernel's source. The caller releases *out even after a failure. */
kt_status kt_opencl_build(opencl_device *device, const char *source, size_t bytes,
                          const char *flags, const char *entry, cl_program *out);

/* Creates a kernel with arguments of its own. KT_INVALID: the program has none of that name. */
kt_status kt_opencl_kernel_create(const opencl_device *device, cl_program program,
                                  const char *entry, cl_kernel *out);
/* Local memory that a kernel takes with the arguments set so far; 0 if unknown. */
uint64_t kt_opencl_local_bytes(const opencl_device *device, cl_kernel kernel);

KT_DECLARE_SLOTS(opencl)
KT_DECLARE_TIMER_SLOTS(opencl)

/* Event timestamps are 64-bit ns by the specification, whatever the clock's resolution is. */
static inline kt_clock_info opencl_clock(void)
{
    return (kt_clock_info){.name = "kernel",
                           .method = KT_METHOD_EVENT_PROFILE,
                           .period_ns = 1,
                           .frequency_hz = NAN,
                           .valid_bits = 64,
                           .uncertainty_ns = NAN};
}

#endif
