/* SPDX-License-Identifier: MIT */
/* internal.h - state of a CUDA or HIP device, shared by the files of this folder. HIP is CUDA's
 * driver API under other names, so one implementation serves both: cuda_ in a name means both APIs,
 * and cuda_api.kind tells them apart. */
#ifndef KT_CUDA_INTERNAL_H
#define KT_CUDA_INTERNAL_H

#include "backend.h"
#include "backends/cuda_hip/api.h"
#include "support/fault.h"
#include "support/thread.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* ---- the driver's library ---- */

typedef enum cuda_kind { CUDA_KIND_CUDA, CUDA_KIND_HIP, CUDA_KIND_COUNT } cuda_kind;

/* The driver's functions. Functions that the library of this kind lacks are NULL. */
typedef struct cuda_api {
    cuda_kind kind;
    void *library;
#define CUDA_POINTER(name, cuda, hip, parameters) cuda_code(*name) parameters;
    CUDA_FUNCTIONS(CUDA_POINTER)
    CUDA_OPTIONAL(CUDA_POINTER)
#undef CUDA_POINTER
#define CUDA_POINTER(name, symbol, parameters) cuda_code(*name) parameters;
    CUDA_ALONE(CUDA_POINTER)
    CUDA_ALONE_OPTIONAL(CUDA_POINTER)
    HIP_ALONE(CUDA_POINTER)
    HIP_ALONE_OPTIONAL(CUDA_POINTER)
#undef CUDA_POINTER
#define CUDA_POINTER(name, symbol, parameters) const char *(*name)parameters;
    HIP_TEXTS(CUDA_POINTER)
#undef CUDA_POINTER
} cuda_api;

/* Call numbers for kt_cuda_fail(), such as CUDA_CALL_cuMemAlloc. Each is an index into the symbol
 * table of its library (api.c). */
typedef enum cuda_call {
#define CUDA_NUMBER(name, cuda, hip, parameters) CUDA_CALL_##name,
    CUDA_FUNCTIONS(CUDA_NUMBER) CUDA_OPTIONAL(CUDA_NUMBER)
#undef CUDA_NUMBER
        CUDA_CALL_OF_BOTH,
    CUDA_CALL_BEFORE_CUDA = CUDA_CALL_OF_BOTH - 1,
#define CUDA_NUMBER(name, symbol, parameters) CUDA_CALL_##name,
    CUDA_ALONE(CUDA_NUMBER) CUDA_ALONE_OPTIONAL(CUDA_NUMBER) CUDA_CALL_BEFORE_HIP =
        CUDA_CALL_OF_BOTH - 1,
    HIP_ALONE(CUDA_NUMBER) HIP_ALONE_OPTIONAL(CUDA_NUMBER)
#undef CUDA_NUMBER
} cuda_call;

/* The code that a driver call returns when a test makes the call fail. */
#define CUDA_FAULT CUDA_UNKNOWN

/* Makes a driver call and returns its cuda_code. */
#define CUDA_CODE(api, function, ...) KT_CALL(api, function, CUDA_FAULT, __VA_ARGS__)
/* Makes a driver call and returns a kt_status; a failure sets the error text. */
#define CUDA_DO(api, function, ...) \
    cuda_check(api, CUDA_CALL_##function, CUDA_CODE(api, function, __VA_ARGS__))

/* Loads and initialises the driver. KT_UNAVAILABLE with an error text: no driver, or no device. */
kt_status kt_cuda_open(cuda_api *api, cuda_kind kind);
/* Counts the devices. KT_UNAVAILABLE with an error text: no device was found, which can happen even
 * after a successful init. */
kt_status kt_cuda_count_devices(const cuda_api *api, uint32_t *count);

/* Sets an error text with the call's real name and the driver's text for the code. Returns
 * KT_NO_MEMORY, KT_DEVICE_LOST if the context is unusable from then on, else KT_DRIVER_ERROR. */
kt_status kt_cuda_fail(const cuda_api *api, cuda_call which, cuda_code code);
/* The library's symbol of a driver call: "cuMemAlloc_v2", "hipMalloc". */
const char *kt_cuda_call_name(const cuda_api *api, cuda_call which);
/* The name of a driver's code: "CUDA_ERROR_NO_DEVICE", or "unknown code". */
const char *kt_cuda_code_name(const cuda_api *api, cuda_code code);

static inline kt_status cuda_check(const cuda_api *api, cuda_call which, cuda_code code)
{
    return code == CUDA_OK ? KT_OK : kt_cuda_fail(api, which, code);
}

/* The number of a device attribute in this API: CUDA_ATTRIBUTE(api, L2_CACHE_SIZE). */
#define CUDA_ATTRIBUTE(api, name) \
    ((api)->kind == CUDA_KIND_HIP ? CUDA_ATTRIBUTE_HIP_##name : CUDA_ATTRIBUTE_CUDA_##name)
enum {
#define CUDA_NUMBER(name, cuda, hip) \
    CUDA_ATTRIBUTE_CUDA_##name = (cuda), CUDA_ATTRIBUTE_HIP_##name = (hip),
    CUDA_ATTRIBUTES(CUDA_NUMBER)
#undef CUDA_NUMBER
};
/* Value of a device attribute; 0 (unknown) if the driver does not report it. */
uint64_t kt_cuda_attribute_of(const cuda_api *api, cuda_ordinal ordinal, cuda_attribute attribute);

/* ---- the calling thread's context ---- */

/* The calling thread's state before kt_cuda_enter(), which kt_cuda_leave() restores. */
typedef struct cuda_scope {
    const cuda_api *api;
    cuda_ordinal before; /* HIP: the device that was current on the thread; unused on CUDA */
    cuda_capture_mode mode;
    bool changed, relaxed;
} cuda_scope;

/*
 * Makes the context (HIP: the device) current on the calling thread until kt_cuda_leave(); in between,
 * the thread has "entered". Also switches the thread to the relaxed capture mode: in the global
 * mode, allocating memory or creating or querying an event fails while any thread captures a
 * stream, and invalidates that capture. Call kt_cuda_leave() also after a failure.
 */
kt_status kt_cuda_enter(const cuda_api *api, cuda_context context, cuda_ordinal ordinal,
                        cuda_scope *scope);
void kt_cuda_leave(const cuda_scope *scope);
/* kt_cuda_enter() without the relaxed mode, to record events of a pool: that disturbs no capture, and
 * the pool relaxes its thread to create events. */
kt_status kt_cuda_enter_to_record(const cuda_api *api, cuda_context context, cuda_ordinal ordinal,
                                  cuda_scope *scope);
/* kt_cuda_enter() for clean-up code, which ignores failures. */
void kt_cuda_enter_to_end(const cuda_api *api, cuda_context context, cuda_ordinal ordinal,
                          cuda_scope *scope);

/* ---- events ---- */

/*
 * Time between two events in ms as the driver reports it; NaN if it wrote none. Call it in an
 * entered thread. The returned state:
 *   KT_TIMESTAMP_NOT_READY: an event has not completed (600)
 *   KT_TIMESTAMP_LOST: an event was never recorded (400), or was recorded into a graph (907)
 *   KT_TIMESTAMP_ERROR: any other code
 */
kt_timestamp_state kt_cuda_elapsed(const cuda_api *api, cuda_event start, cuda_event end,
                                   float *ms);

/* Events with timing, created once per context and reused. Any entered thread may take and give
 * events. The pool destroys all its events, including those that were not given back. */
typedef struct cuda_pool {
    const cuda_api *api;
    kt_mutex *mutex;
    unsigned flags;   /* of new events */
    cuda_event *all;  /* all events of the pool */
    cuda_event *free; /* events not in use */
    size_t all_count, all_room, free_count, free_room;
} cuda_pool;

kt_status kt_cuda_pool_init(cuda_pool *pool, const cuda_api *api);
/* Accepts a zeroed pool, and one whose init failed. */
void kt_cuda_pool_fini(cuda_pool *pool);
/* Takes `count` events or none; after a failure out[] is all NULL. */
kt_status kt_cuda_pool_take(cuda_pool *pool, cuda_event *out, size_t count);
/* Gives events back; cannot fail. Skips NULL events and sets events[] to NULL. An event that has
 * not completed may be given back: its next use records it anew. */
void kt_cuda_pool_give(cuda_pool *pool, cuda_event *events, size_t count);

/* ---- the compiler of CUDA C ---- */

/* Functions of NVRTC or hiprtc. Missing functions are NULL. */
typedef struct cuda_compiler {
    bool is_here;
    char reason[160]; /* why an environment variable's library failed to load; else empty */
    cuda_kind kind;
#define CUDA_POINTER(name, cuda, hip, parameters) cuda_compiler_code(*name) parameters;
    CUDA_COMPILER(CUDA_POINTER)
#undef CUDA_POINTER
#define CUDA_POINTER(name, cuda, hip, parameters) const char *(*name)parameters;
    CUDA_COMPILER_TEXTS(CUDA_POINTER)
#undef CUDA_POINTER
#define CUDA_POINTER(name, symbol, parameters) cuda_compiler_code(*name) parameters;
    CUDA_COMPILER_OPTIONAL(CUDA_POINTER)
#undef CUDA_POINTER
} cuda_compiler;

#define COMPILER_CODE(compiler, function, ...) \
    KT_CALL(compiler, function, CUDA_COMPILER_FAULT, __VA_ARGS__)

/* Loads the compiler. Without a compiler, is_here stays false and devices do not offer CUDA C. */
void kt_cuda_compiler_open(cuda_compiler *compiler, const cuda_api *api);

/* ---- the benchmark API ---- */

typedef struct cuda_lib {
    cuda_api api;
    cuda_compiler compiler;
    char driver_version[96]; /* NVIDIA's driver version, such as "580.65.06"; empty if unknown */
} cuda_lib;

/* The version of NVIDIA's driver, which the driver API does not report; empty if unknown. */
void kt_cuda_nvml_version(char *version, size_t bytes);

/* The blocking kernel of a device, and whether it is used (blocking_kernel.c). */
typedef struct cuda_blocking {
    kt_mutex *mutex; /* guards loading the blocking kernel */
    cuda_module module;
    cuda_function function;
    bool was_tried; /* loading the blocking kernel was tried */
    atomic_bool is_off;
    /* Counts of the device's trial: blocked submissions that have ended, and those whose kernel
     * timed out. */
    atomic_uint tried, given_up;
} cuda_blocking;

/* Host memory that the device can read: what a job shares with the blocking kernel in its
 * stream. */
typedef struct cuda_blocking_words {
    _Atomic uint32_t released; /* ticket of the latest submission that the host has released */
    char far[60];     /* unused: keeps `expired`, which the device writes, in its own cache line */
    uint32_t expired; /* ticket of the latest submission whose kernel timed out */
} cuda_blocking_words;

/* Host memory that the kernel of clock_probe.c writes. */
typedef struct cuda_clock_words {
    uint64_t cycles, ns;
} cuda_clock_words;

/* The kernel that measures the core clock, made at its first use (clock_probe.c). */
typedef struct cuda_clock_probe {
    cuda_stream stream;
    cuda_module module;
    cuda_function function;
    cuda_clock_words *words;
    bool in_flight; /* its end was not seen */
    bool is_off;    /* it failed before */
} cuda_clock_probe;

/* The buffer that flushes the device's caches, allocated by the first flush. */
typedef struct cuda_caches {
    kt_mutex *mutex;
    cuda_address buffer; /* 0: the flush buffer is not allocated yet */
    size_t bytes;
} cuda_caches;

typedef struct cuda_device {
    const cuda_api *api;
    const cuda_compiler *compiler;
    const kt_device_info *info;
    cuda_ordinal ordinal;
    cuda_context context; /* the primary context; NULL on HIP, where a device is its context */
    cuda_stream stream;   /* for transfers of set-up and checking, one at a time */
    cuda_pool events;
    cuda_caches caches;
    cuda_blocking blocking;
    cuda_clock_probe clock_probe;
    uint32_t grid_max[3];  /* most groups of a grid in each dimension; 0: unknown */
    uint32_t group_max[3]; /* most work-items of a group in each dimension; 0: unknown */
    uint64_t shared_max;   /* most shared memory of a group in bytes */
    void *staging;         /* pinned host buffer for transfers; NULL before the first transfer */
} cuda_device;

typedef struct cuda_memory {
    cuda_device *device;
    kt_memory_kind kind;
    void *host;           /* host address of heap and host memory; NULL for other kinds */
    cuda_address address; /* the memory's address for the driver and kernels */
} cuda_memory;

typedef struct cuda_program {
    cuda_device *device;
    cuda_module module;
    cuda_function function;
    char *entry;
    uint32_t max_group_size; /* most work-items that the kernel's registers allow; 0: unknown */
    uint32_t shared_bytes;   /* shared memory that the text declares; 0: none, or unknown */
} cuda_program;

/* A step, prepared for submission. */
typedef struct cuda_step {
    const kt_backend_step *desc;
    cuda_event start, stop;
    void **args;             /* pointers to the arguments, as cuLaunchKernel takes them */
    cuda_address *addresses; /* device addresses of the arguments that are memories */
    uint32_t arg_count;      /* arguments that are parameters, not shared memory */
} cuda_step;

typedef struct cuda_job {
    cuda_device *device;
    cuda_step *steps;
    uint32_t step_count;
    cuda_stream stream;
    bool in_flight;  /* queued commands may still run: their end was not seen */
    bool is_warm;    /* at least one submission of the job has ended */
    bool is_blocked; /* the latest timestamped submission ran in a blocked stream */
    /* Fields for blocking the job's stream; NULL and 0 if the stream may not be blocked. */
    cuda_blocking_words *words;
    uint32_t ticket;          /* ticket of the job's latest blocked submission */
    uint16_t latest_given_up; /* one bit per blocked submission, 1 if its kernel timed out */
    bool has_managed;         /* a step uses managed memory */
    bool is_blocked_no_more;  /* too many of the job's blocking kernels timed out */
} cuda_job;

/* Launches the blocking kernel ahead of a timestamped submission if the job's stream may be
 * blocked. Then job->is_blocked is set, and the stream waits for kt_cuda_blocking_release(), 10 ms at
 * most. */
void kt_cuda_blocking_begin(cuda_job *job, uint32_t trials);
void kt_cuda_blocking_release(cuda_job *job);
/* Call it after a submission has ended. Returns the state of the submission's timestamps and sets
 * *clock to the number of their clock. */
kt_timestamp_state kt_cuda_blocking_end(cuda_job *job, uint32_t *clock);
kt_status kt_cuda_blocking_init(cuda_blocking *blocking);
void kt_cuda_blocking_fini(cuda_blocking *blocking, const cuda_api *api);
/* Prepares to block a job's stream. A stream that cannot be blocked is no failure. */
void kt_cuda_blocking_prepare(cuda_job *job);

/* Frees the kernel that measures the core clock, in an entered thread. */
void kt_cuda_clock_probe_fini(cuda_clock_probe *probe, const cuda_api *api);

kt_status kt_cuda_caches_init(cuda_caches *caches);
void kt_cuda_caches_fini(cuda_caches *caches, const cuda_api *api);

/* Frees the transfer buffer, in an entered thread. */
void kt_cuda_staging_fini(cuda_device *device);

/* Waits until all commands of a stream have ended, in an entered thread: KT_OK, KT_DRIVER_ERROR,
 * KT_DEVICE_LOST, or KT_TIMEOUT. */
kt_status kt_cuda_wait(const cuda_api *api, cuda_stream stream, int64_t timeout_ns);

/* Enqueues one copy, in an entered thread. */
kt_status kt_cuda_copy(const cuda_api *api, cuda_address to, cuda_address from, size_t bytes,
                       cuda_stream stream);

/* Writes a HIP device's architecture, "gfx90a:sramecc+:xnack-"; empty if not found. KT_NO_MEMORY,
 * KT_DRIVER_ERROR, KT_DEVICE_LOST. */
kt_status kt_cuda_hip_arch(const cuda_api *api, cuda_ordinal ordinal, char *arch, size_t bytes);

/* Compiles CUDA C to code for kt_cuda_load(), in an entered thread, and finds the entry's symbol in it.
 * The caller frees *code and *symbol even after a failure. KT_BUILD_FAILED and KT_INVALID carry the
 * compiler's log. */
kt_status kt_cuda_compile(const cuda_device *device, const kt_program_desc *desc, const char *text,
                          char **code, char **symbol);
/* Call it with the status of loading compiled CUDA C. A failure's error text names the versions if
 * NVRTC is newer than the driver. */
kt_status kt_cuda_explain_versions(const cuda_device *device, kt_status status);
/* Loads zero-terminated PTX, or a compiler's code. KT_BUILD_FAILED carries the driver's log. */
kt_status kt_cuda_load(const cuda_api *api, const char *code, const char *entry, cuda_module *out);

static inline kt_status cuda_device_enter(const cuda_device *device, cuda_scope *scope)
{
    return kt_cuda_enter(device->api, device->context, device->ordinal, scope);
}

static inline void cuda_device_enter_to_end(const cuda_device *device, cuda_scope *scope)
{
    kt_cuda_enter_to_end(device->api, device->context, device->ordinal, scope);
}

KT_DECLARE_SLOTS(cuda)
KT_DECLARE_TIMER_SLOTS(cuda)

/* The elapsed-only clock of events, which reports float ms. CUDA documents a resolution of about
 * 0.5 us; later devices are finer. */
static inline kt_clock_info cuda_clock(bool is_blocked)
{
    kt_clock_info clock = {.name = "events",
                           .method =
                               is_blocked ? KT_METHOD_EVENT_PAIR_BLOCKED : KT_METHOD_EVENT_PAIR,
                           .period_ns = NAN,
                           .frequency_hz = NAN,
                           .uncertainty_ns = NAN,
                           .drift_ppm = NAN};
    if (is_blocked)
        memcpy(clock.name, "blocked events", sizeof "blocked events");
    return clock;
}

/* ---- the instrumentation API ---- */

/* An imported context (HIP: device) of the program, and events for spans in its streams. */
typedef struct cuda_timer_context {
    cuda_api api;
    cuda_context context;
    /* Id of `context`, 0 if unknown. A context that was reset keeps its handle and has a new id. */
    unsigned long long context_id;
    cuda_ordinal ordinal; /* the imported device; HIP only */
    cuda_pool pool;
    cuda_scope reading; /* of the thread that reads marks */
    kt_status reading_status;
} cuda_timer_context;

/* The start and the stop event of a span. */
typedef struct cuda_mark {
    cuda_event events[2];
} cuda_mark;

void kt_cuda_reading_begin(void *timer_context);
void kt_cuda_reading_end(void *timer_context);
kt_status kt_hip_timer_context_init(void *timer_context, const void *desc, kt_clock_info *clocks);

#endif
