/* internal.h - the state of an OpenCL device, and its error texts. */
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

/* What a callback of the driver tells a thread that waits; used by one wait at a time. */
typedef struct opencl_waiter {
    kt_signal *completed; /* raised to `number` by the callback */
    uint64_t number;      /* of the latest wait */
    cl_int code;          /* execution status that the callback was told */
} opencl_waiter;

/* What flushing the device's caches needs; made when that is first asked for. */
typedef struct opencl_caches {
    kt_mutex *mutex; /* one job flushes at a time */
    cl_mem buffer;
    cl_program program;
    cl_kernel kernel; /* made last */
    size_t lines;     /* of the buffer */
} opencl_caches;

typedef struct opencl_device {
    const opencl_api *api;
    const kt_device_info *info;
    cl_device_id id;
    cl_device_type type;
    cl_context context;
    cl_command_queue queue; /* for set-up and checking, one transfer at a time */
    opencl_waiter waiter;   /* of these transfers */
    opencl_caches caches;
    kt_host_clock host;
    bool has_timer; /* its version has clGetDeviceAndHostTimer, ... */
    _Atomic(const char *)
        timer_answered; /* ... which said so, before, and does not work; else NULL */
} opencl_device;

typedef struct opencl_memory opencl_memory;

/* What memory of the host stands for: a region of device memory that steps map. */
typedef struct opencl_view {
    opencl_memory *of; /* NULL: for itself */
    size_t offset, bytes;
    uint32_t step_count; /* that map it */
    /* of these, that hand it to the device: what is written goes there, too */
    uint32_t writer_count;
    bool is_read_through;
} opencl_view;

struct opencl_memory {
    opencl_device *device;
    cl_mem buffer; /* NULL for heap memory; of shared memory the same bytes as a buffer */
    void *host;    /* where the host finds it at any time; NULL for device and shared memory */
    void *svm;     /* NULL but for shared memory */
    bool is_heap;
    opencl_view view;
    /* Of device memory: where it is mapped, or NULL; as the view of which memory (NULL once that is
     * closed); and for what. */
    void *mapped;
    opencl_memory *mapped_as;
    cl_map_flags mapped_for;
};

typedef struct opencl_program {
    opencl_device *device;
    cl_program program;
    char *entry;
} opencl_program;

/* A step with what enqueueing it needs. */
typedef struct opencl_step {
    const kt_backend_step *desc;
    opencl_memory *view; /* the memory of the host that a map opened */
    cl_kernel kernel;
    size_t global[3], local[3];
    cl_event first,
        last; /* of the latest stamped submission; the same one if there is one command */
} opencl_step;

typedef struct opencl_job {
    opencl_device *device;
    opencl_step *steps;
    uint32_t step_count;
    cl_command_queue queue; /* profiling makes every command dearer, so stamped submissions ... */
    cl_command_queue profiled_queue; /* ... have a queue of their own */
    cl_program empty_program;        /* of empty steps */
    cl_event done;                   /* of the last command; one of the steps' events if stamped */
    bool done_is_own;
    opencl_waiter waiter;
    bool in_flight; /* commands were queued that nobody has seen end */
} opencl_job;

/* The program's own device, and the queues of it that are known. */
typedef struct opencl_native {
    opencl_api api;
    cl_context context;
    cl_device_id device;
    cl_command_queue *queues;
    size_t queue_count, queue_room;
} opencl_native;

/* Two markers, or what was handed over of one command. */
typedef struct opencl_mark {
    cl_event first, last;
    bool is_command; /* then they are the same event */
} opencl_mark;

/* Opens the driver. */
kt_status opencl_open(opencl_api *api);

/* "CL_OUT_OF_RESOURCES", or "unknown code". */
const char *opencl_code_name(cl_int code);
/* Fails with the call and its code in the text. */
kt_status opencl_fail(const char *call, cl_int code);

/* KT_OK: completed; KT_NOT_READY: not yet, without a sentence; else what went wrong. */
kt_status opencl_ask(const opencl_api *api, cl_event event);

/* When the command behind a completed event was queued, submitted, started and ended. */
kt_stamp_state opencl_read_event(const opencl_api *api, cl_event event, cl_ulong ticks[4]);

/* Whether a device knows that version of OpenCL, or a later one. */
bool opencl_is_since(const opencl_api *api, cl_device_id id, unsigned long major,
                     unsigned long minor);

/*
 * Maps. A mapping stays until the step is submitted again, or until something else needs the
 * device's memory. An unmap gets an event only where it is what is measured: there are drivers that
 * crash when such an event is asked for its stamps.
 */
kt_status opencl_view_open(opencl_step *step);
/* After all that uses it has ended. */
void opencl_view_close(opencl_step *step);
/* One map or unmap, after what must come before it; `event` is that of the one that is measured,
 * and may be NULL. */
kt_status opencl_enqueue_map(const opencl_step *step, cl_command_queue queue, cl_event *event);
/* What a map to the host shows may be read, now that it has ended. */
void opencl_map_ended(const opencl_step *step);
/* Unmaps memory that a command will read, or write to, if that may not be while it is mapped. */
kt_status opencl_release(opencl_memory *memory, cl_command_queue queue, bool writes);
/* Maps device memory as this view of it, to be written to, and waits for that. */
kt_status opencl_map_for_writing(opencl_memory *host, int64_t timeout_ns);

/* Waits for what was put into the device's own queue with `code` for an answer. */
kt_status opencl_finish_transfer(opencl_device *device, const char *call, cl_int code,
                                 cl_event event, int64_t timeout_ns);

kt_status opencl_waiter_init(opencl_waiter *waiter);
void opencl_waiter_fini(opencl_waiter *waiter);
/* Waits until the command behind a flushed event has completed: KT_OK, KT_DRIVER_ERROR,
 * KT_DEVICE_LOST, or KT_TIMEOUT. */
kt_status opencl_wait(const opencl_device *device, opencl_waiter *waiter, cl_event event,
                      int64_t timeout_ns);

kt_status opencl_caches_init(opencl_caches *caches);
void opencl_caches_fini(opencl_caches *caches, const opencl_api *api);

/* A number of a device of `bytes` bytes; 0, which stands for unknown, where the driver has none. */
uint64_t opencl_device_number(const opencl_api *api, cl_device_id id, cl_device_info what,
                              size_t bytes);

/* Builds a kernel's source. The caller releases *out also after a failure. */
kt_status opencl_build(opencl_device *device, const char *source, size_t bytes, const char *flags,
                       const char *entry, cl_program *out);

kt_status opencl_device_info(void *lib, uint32_t index, const char *scenario, kt_device_info *info);
kt_status opencl_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                             const kt_device_info *info, const kt_host_clock *host);
void opencl_device_fini(void *device);
kt_status opencl_clock_pair(void *device, uint32_t clock, kt_clock_pair *pair);
uint64_t opencl_clock_step(void *device, uint32_t clock);

kt_status opencl_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes);
void opencl_memory_fini(void *memory);
kt_status opencl_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                             int64_t timeout_ns);
kt_status opencl_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                              int64_t timeout_ns);

kt_status opencl_program_init(void *program, void *device, const kt_program_desc *desc);
void opencl_program_fini(void *program);

kt_status opencl_job_init(void *job, void *device, const kt_backend_job *desc);
void opencl_job_fini(void *job);
kt_status opencl_job_flush_caches(void *job, int64_t timeout_ns);
kt_status opencl_job_submit(void *job, bool stamped, uint32_t trials);
kt_status opencl_job_wait(void *job, int64_t timeout_ns);
kt_status opencl_job_read(void *job, kt_stamp *stamps);

kt_status opencl_native_init(void *native, const void *desc, kt_clock_info *clocks);
void opencl_native_fini(void *native);
kt_status opencl_stream_init(void *native, void *stream, bool *in_order);
kt_status opencl_mark_start(void *native, void *stream, void *mark);
kt_status opencl_mark_stop(void *native, void *stream, void *mark);
kt_status opencl_mark_take(void *native, void *object, void *mark);
kt_status opencl_mark_read(void *native, void *mark, kt_stamp *stamp);
void opencl_mark_fini(void *native, void *mark);

/* Event stamps are 64-bit ns by the specification, whatever grid they really move in. */
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
