/*
 * internal.h - the state of a device of CUDA or HIP, and what the files of this folder share. HIP
 * is CUDA's driver API under other names, so one code serves both: what is named cuda_ serves HIP
 * too, and cuda_api.kind tells where they differ.
 */
#ifndef KT_CUDA_INTERNAL_H
#define KT_CUDA_INTERNAL_H

#include "backend.h"
#include "backends/cuda_hip/api.h"
#include "support/fault.h"
#include "support/thread.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* ---- the libraries ---- */

typedef enum cuda_kind { CUDA_KIND_CUDA, CUDA_KIND_HIP, CUDA_KIND_COUNT } cuda_kind;

/* The driver. What the library of this kind has not is NULL. */
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

/* For cuda_fail(): CUDA_CALL_cuMemAlloc ... Each is the number of its row among the symbols of its
 * library (api.c). */
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

/* What a call answers when a test makes it fail. */
#define CUDA_FAULT CUDA_UNKNOWN

/* A call that answers a code. */
#define CUDA_CODE(api, function, ...) KT_CALL(api, function, CUDA_FAULT, __VA_ARGS__)
/* The same as a kt_status, with the sentence if it fails. */
#define CUDA_DO(api, function, ...) \
    cuda_check(api, CUDA_CALL_##function, CUDA_CODE(api, function, __VA_ARGS__))

/* Opens and initialises the driver: KT_UNAVAILABLE with a sentence if there is none, or no
 * device. */
kt_status cuda_open(cuda_api *api, cuda_kind kind);
/* KT_UNAVAILABLE with a sentence if there is none: an init that succeeds need not have found
 * any. */
kt_status cuda_count_devices(const cuda_api *api, uint32_t *count);

/* Fails with the call's real name and the driver's own words for the code: KT_NO_MEMORY,
 * KT_DEVICE_LOST where the context answers nothing else from then on, or KT_DRIVER_ERROR. */
kt_status cuda_fail(const cuda_api *api, cuda_call which, cuda_code code);
/* "cuMemAlloc_v2", "hipMalloc". */
const char *cuda_call_name(const cuda_api *api, cuda_call which);
/* "CUDA_ERROR_NO_DEVICE", or "unknown code". */
const char *cuda_code_name(const cuda_api *api, cuda_code code);

static inline kt_status cuda_check(const cuda_api *api, cuda_call which, cuda_code code)
{
    return code == CUDA_OK ? KT_OK : cuda_fail(api, which, code);
}

/* The number of an attribute in this API: CUDA_ATTRIBUTE(api, L2_CACHE_SIZE). */
#define CUDA_ATTRIBUTE(api, name) \
    ((api)->kind == CUDA_KIND_HIP ? CUDA_ATTRIBUTE_HIP_##name : CUDA_ATTRIBUTE_CUDA_##name)
enum {
#define CUDA_NUMBER(name, cuda, hip) \
    CUDA_ATTRIBUTE_CUDA_##name = (cuda), CUDA_ATTRIBUTE_HIP_##name = (hip),
    CUDA_ATTRIBUTES(CUDA_NUMBER)
#undef CUDA_NUMBER
};
/* An attribute of a device; 0, which stands for unknown, where the driver does not tell. */
uint64_t cuda_attribute_of(const cuda_api *api, cuda_ordinal ordinal, cuda_attribute attribute);

/* ---- the calling thread's context ---- */

/* What a thread had before. */
typedef struct cuda_scope {
    const cuda_api *api;
    cuda_ordinal before; /* HIP */
    cuda_capture_mode mode;
    bool changed, relaxed;
} cuda_scope;

/*
 * Makes the context (HIP: the device) that of the calling thread, for calls that take none;
 * cuda_leave() gives the thread back what it had. Nor does it matter meanwhile what other threads
 * capture: allocating memory, and making or asking an event, is an error while one captures in the
 * global mode, and spoils that capture. Leave also what could not be entered.
 */
kt_status cuda_enter(const cuda_api *api, cuda_context context, cuda_ordinal ordinal,
                     cuda_scope *scope);
void cuda_leave(const cuda_scope *scope);
/* The same before something is ended, where there is nothing to be done about a failure. */
void cuda_enter_to_end(const cuda_api *api, cuda_context context, cuda_ordinal ordinal,
                       cuda_scope *scope);

/* ---- events ---- */

/*
 * Distance of two events in ms, as the driver gave it; NaN before it was asked and if it wrote
 * none. KT_STAMP_NOT_READY: one has not come yet (600). KT_STAMP_LOST: one was never recorded
 * (400), or went into a graph in place of a stream (907), so there is no stamp. KT_STAMP_ERROR: any
 * other code. In a thread that has entered.
 */
kt_stamp_state cuda_elapsed(const cuda_api *api, cuda_event start, cuda_event end, float *ms);

/*
 * Events that know times, made once per context and used again. Of one pool: take and give by any
 * thread, in a thread that has entered the context. Destroyed with the pool, also those that were
 * not given back.
 */
typedef struct cuda_pool {
    const cuda_api *api;
    kt_mutex *mutex;
    cuda_event *all;  /* that were made */
    cuda_event *free; /* that may be taken */
    size_t all_count, all_room, free_count, free_room;
} cuda_pool;

kt_status cuda_pool_init(cuda_pool *pool, const cuda_api *api);
/* Copes with a zeroed pool, and with one whose init failed. */
void cuda_pool_fini(cuda_pool *pool);
/* All `count` of them, or none: then out[] is NULL. */
kt_status cuda_pool_take(cuda_pool *pool, cuda_event *out, size_t count);
/* Cannot fail. NULL ones are skipped, and all become NULL. One that has not come yet may be given
 * back: it is recorded anew. */
void cuda_pool_give(cuda_pool *pool, cuda_event *events, size_t count);

/* ---- the compiler of CUDA C ---- */

/* NVRTC or hiprtc. What it lacks is NULL. */
typedef struct cuda_compiler {
    bool is_here;
    char why[160]; /* it is not, where a variable named it; else empty */
    cuda_kind kind;
#define CUDA_POINTER(name, cuda, hip, parameters) cuda_compiler_code(*name) parameters;
    CUDA_COMPILER(CUDA_POINTER)
#undef CUDA_POINTER
#define CUDA_POINTER(name, symbol, parameters) cuda_compiler_code(*name) parameters;
    CUDA_COMPILER_OPTIONAL(CUDA_POINTER)
#undef CUDA_POINTER
#define CUDA_POINTER(name, cuda, hip, parameters) const char *(*name)parameters;
    CUDA_COMPILER_TEXTS(CUDA_POINTER)
#undef CUDA_POINTER
} cuda_compiler;

#define COMPILER_CODE(compiler, function, ...) \
    KT_CALL(compiler, function, CUDA_COMPILER_FAULT, __VA_ARGS__)

/* Leaves it not here where there is none, with the reason: then devices take no CUDA C. */
void cuda_compiler_open(cuda_compiler *compiler, const cuda_api *api);

/* ---- the benchmark API ---- */

typedef struct cuda_lib {
    cuda_api api;
    cuda_compiler compiler;
    char driver_version[96]; /* "580.65.06"; empty: it is not known */
} cuda_lib;

/* The version of NVIDIA's driver, which its driver API does not tell; empty: nor does anything
 * else. */
void cuda_nvml_version(char *version, size_t bytes);

/* Whether launches are held on this device; see hold.c. */
typedef struct cuda_hold {
    kt_mutex *mutex; /* while it is made */
    cuda_module module;
    cuda_function function;
    bool was_tried; /* to make it */
    atomic_bool is_off;
    /* As far as the trial goes: held submissions whose end was seen, and those given up. */
    atomic_uint tried, given_up;
} cuda_hold;

/* What a job shares with the kernel that holds its stream: host memory that the device can read. */
typedef struct cuda_hold_words {
    _Atomic uint32_t released; /* ticket of the latest submission that need not wait any more */
    char far[60];              /* the device writes to a line of its own */
    uint32_t expired;          /* ticket of the latest one that nobody had released in time */
} cuda_hold_words;

/* What flushing the device's caches needs; made when that is first asked for. */
typedef struct cuda_caches {
    kt_mutex *mutex;
    cuda_address buffer; /* 0: not made yet */
    size_t bytes;
} cuda_caches;

typedef struct cuda_device {
    const cuda_api *api;
    const cuda_compiler *compiler;
    const kt_device_info *info;
    cuda_ordinal ordinal;
    cuda_context context; /* the primary one; NULL for HIP, whose contexts are its devices */
    cuda_stream stream;   /* for set-up and checking, one transfer at a time */
    cuda_pool events;
    cuda_caches caches;
    cuda_hold hold;
    uint32_t grid_max[3];  /* groups; 0: not told */
    uint32_t group_max[3]; /* work-items of one, in each dimension; 0: not told */
    void *staging;         /* pinned, for transfers; NULL: there was none yet */
} cuda_device;

typedef struct cuda_memory {
    cuda_device *device;
    kt_memory_kind kind;
    void *host;           /* heap and host memory: where the host finds it at any time; else NULL */
    cuda_address address; /* by which driver and kernels know it */
} cuda_memory;

typedef struct cuda_program {
    cuda_device *device;
    cuda_module module;
    cuda_function function;
    char *entry;
    uint32_t max_group_size; /* that its registers allow; 0: not told */
} cuda_program;

/* A step with what submitting it needs. */
typedef struct cuda_step {
    const kt_backend_step *desc;
    cuda_event start, stop;
    void **args;             /* where each argument lies, as cuLaunchKernel takes them */
    cuda_address *addresses; /* of those that are memories */
} cuda_step;

typedef struct cuda_job {
    cuda_device *device;
    cuda_step *steps;
    uint32_t step_count;
    cuda_stream stream;
    bool in_flight; /* commands were queued that nobody has seen end */
    bool is_warm;   /* all of it has run once */
    bool is_held;   /* the latest stamped submission was */
    /* If it may be held at all: */
    cuda_hold_words *words;
    uint32_t ticket;          /* of the latest held submission */
    uint16_t latest_given_up; /* a bit for each held submission: it was not released in time */
    bool is_held_no_more;     /* too many were not */
} cuda_job;

/*
 * Puts the kernel before the commands of a submission that is stamped, if it may be held: then
 * job->is_held, and the job waits until cuda_hold_release(), 10 ms at most.
 */
void cuda_hold_begin(cuda_job *job, uint32_t trials);
void cuda_hold_release(cuda_job *job);
/* Once it has ended: what its stamps are, and of which clock. */
kt_stamp_state cuda_hold_end(cuda_job *job, uint32_t *clock);
kt_status cuda_hold_init(cuda_hold *hold);
void cuda_hold_fini(cuda_hold *hold, const cuda_api *api);
/* For a job that may be held. That it cannot be is no failure. */
void cuda_hold_prepare(cuda_job *job);

kt_status cuda_caches_init(cuda_caches *caches);
void cuda_caches_fini(cuda_caches *caches, const cuda_api *api);

/* Ends what transfers need, in a thread that has entered. */
void cuda_staging_fini(cuda_device *device);

/* Waits until all in a stream has ended, in a thread that has entered: KT_OK, KT_DRIVER_ERROR,
 * KT_DEVICE_LOST, or KT_TIMEOUT. */
kt_status cuda_wait(const cuda_api *api, cuda_stream stream, int64_t timeout_ns);

/* One copy, in a thread that has entered. */
kt_status cuda_copy(const cuda_api *api, cuda_address to, cuda_address from, size_t bytes,
                    cuda_stream stream);

/* "gfx90a:sramecc+:xnack-" of a device of HIP; empty: it was not found. KT_NO_MEMORY,
 * KT_DRIVER_ERROR, KT_DEVICE_LOST. */
kt_status cuda_hip_arch(const cuda_api *api, cuda_ordinal ordinal, char *arch, size_t bytes);

/*
 * CUDA C into what cuda_load() takes, in a thread that has entered. The caller frees *code also
 * after a failure. KT_BUILD_FAILED with the compiler's log.
 */
kt_status cuda_compile(const cuda_device *device, const kt_program_desc *desc, const char *text,
                       char **code);
/* PTX, up to its zero, or a compiler's code. KT_BUILD_FAILED with the driver's log. */
kt_status cuda_load(const cuda_api *api, const char *code, const char *entry, cuda_module *out);

static inline kt_status cuda_device_enter(const cuda_device *device, cuda_scope *scope)
{
    return cuda_enter(device->api, device->context, device->ordinal, scope);
}

static inline void cuda_device_enter_to_end(const cuda_device *device, cuda_scope *scope)
{
    cuda_enter_to_end(device->api, device->context, device->ordinal, scope);
}

kt_status cuda_device_info(void *lib, uint32_t index, const char *scenario, kt_device_info *info);
kt_status cuda_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                           const kt_device_info *info, const kt_host_clock *host);
void cuda_device_fini(void *device);

kt_status cuda_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes);
void cuda_memory_fini(void *memory);
kt_status cuda_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                           int64_t timeout_ns);
kt_status cuda_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                            int64_t timeout_ns);

kt_status cuda_program_init(void *program, void *device, const kt_program_desc *desc);
void cuda_program_fini(void *program);

kt_status cuda_job_init(void *job, void *device, const kt_backend_job *desc);
void cuda_job_fini(void *job);
kt_status cuda_job_flush_caches(void *job, int64_t timeout_ns);
kt_status cuda_job_submit(void *job, bool stamped, uint32_t trials);
kt_status cuda_job_wait(void *job, int64_t timeout_ns);
kt_status cuda_job_read(void *job, kt_stamp *stamps);

/* Distances of events: float ms, in steps of about 0.5 us by CUDA's documentation, finer on later
 * devices. */
static inline kt_clock_info cuda_clock(bool is_held)
{
    kt_clock_info clock = {.name = "events",
                           .method = is_held ? KT_METHOD_EVENT_PAIR_HELD : KT_METHOD_EVENT_PAIR,
                           .period_ns = NAN,
                           .frequency_hz = NAN,
                           .uncertainty_ns = NAN,
                           .drift_ppm = NAN};
    if (is_held)
        memcpy(clock.name, "held events", sizeof "held events");
    return clock;
}

/* ---- the instrumentation API ---- */

/* A context of the program's own (HIP: a device), and events for spans in its streams. */
typedef struct cuda_native {
    cuda_api api;
    cuda_context context;
    /* 0: not told. A context that was reset has the same handle and another one */
    unsigned long long context_id;
    cuda_ordinal ordinal; /* HIP */
    cuda_pool pool;
} cuda_native;

/* Start and stop. */
typedef struct cuda_mark {
    cuda_event events[2];
} cuda_mark;

kt_status cuda_native_init(void *native, const void *desc, kt_clock_info *clocks);
kt_status hip_native_init(void *native, const void *desc, kt_clock_info *clocks);
void cuda_native_fini(void *native);
kt_status cuda_stream_init(void *native, void *stream, bool *in_order);
kt_status cuda_mark_start(void *native, void *stream, void *mark);
kt_status cuda_mark_stop(void *native, void *stream, void *mark);
kt_status cuda_mark_read(void *native, void *mark, kt_stamp *stamp);
void cuda_mark_fini(void *native, void *mark);

#endif
