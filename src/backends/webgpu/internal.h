/* SPDX-License-Identifier: MIT */
/* internal.h - the state of a WebGPU device, and declarations shared by the files of this
 * folder. */
#ifndef KT_WEBGPU_INTERNAL_H
#define KT_WEBGPU_INTERNAL_H

#include "backend.h"
#include "backends/transfer.h"
#include "backends/webgpu/webgpu.h"
#include "backends/webgpu/wgsl.h"
#include "support/dl.h"
#include "support/fault.h"
#include "support/thread.h"

#include <math.h>
/* Pointers to the functions of the WebGPU library. */
#define WEBGPU_POINTER(result, name, parameters) result(*name) parameters;
typedef struct webgpu_api {
    WGPU_FUNCTIONS_OF_INSTANCES(WEBGPU_POINTER)
    WGPU_FUNCTIONS_OF_FUTURES(WEBGPU_POINTER)
    WGPU_FUNCTIONS_OF_TIMESTAMPS(WEBGPU_POINTER)
    WGPU_FUNCTIONS_OF_WORK(WEBGPU_POINTER)
} webgpu_api;

/* A call with a result; the fault loop may replace the result by `on_fault`. */
#define WEBGPU_CALL(api, function, on_fault, ...) KT_CALL(api, function, on_fault, __VA_ARGS__)
/* A call without a result: WebGPU reports its errors separately, and the fault loop does the
 * same. */
#define WEBGPU_DO(device, function, ...)                                                          \
    (kt_fault(KT_FAULT_DRIVER, #function) ? kt_webgpu_note_error(device, #function " has failed") \
                                          : (device)->api->function(__VA_ARGS__))

/* Bytes kept of a text of the library, with the terminating zero. For a shader, Dawn lists each
 * faulty line. */
#define WEBGPU_MESSAGE_BYTES 2048

/* The answer to an asynchronous call. A future's callback writes it, within wgpuInstanceWaitAny()
 * or later when nobody waits any more, so it lives as long as the device. */
typedef struct webgpu_answer {
    uint32_t status; /* status of the answer; 1: success; 0: no answer yet */
    uint32_t open;   /* number of answers still to come, if counted */
    WGPUErrorType caught;
    void *object;
    char message[WEBGPU_MESSAGE_BYTES];
} webgpu_answer;

/* A compute-capable adapter, by the options that request it: one adapter gives only one device. */
typedef struct webgpu_place {
    WGPUPowerPreference preference;
    bool fallback;
    bool has_timestamps;
    bool synchronises; /* the library synchronises calls from several threads */
    WGPUBackendType backend;
    WGPUAdapterType type;
    uint32_t vendor_id, device_id;
    char vendor[128], name[256], driver[256];
    WGPULimits limits;
} webgpu_place;

#define WEBGPU_PLACES_MAX 3

typedef struct webgpu_lib {
    webgpu_api api;
    bool early; /* the library has the ABI of spring 2025 */
    WGPUInstance instance;
    webgpu_answer answer;
    webgpu_place places[WEBGPU_PLACES_MAX];
} webgpu_lib;

#define WEBGPU_GROUPS_MAX 8 /* most bind groups of a kernel; Dawn has 4 */

/* A kernel's arguments. */
typedef struct webgpu_arguments {
    WGPUBindGroup groups[WEBGPU_GROUPS_MAX]; /* NULL: the kernel is given nothing there */
} webgpu_arguments;

/* State for flushing the device's caches, created on first use. */
typedef struct webgpu_caches {
    WGPUBuffer buffer;
    WGPUShaderModule module;
    WGPUComputePipeline pipeline;
    webgpu_arguments arguments;
    bool ready;
} webgpu_caches;

/* The kernel of passes without work, created on first use. */
typedef struct webgpu_empty {
    WGPUShaderModule module;
    WGPUComputePipeline pipeline;
} webgpu_empty;

/* Errors of the device that no call returns. Any thread may report them, from before the device
 * exists until it is gone. */
typedef struct webgpu_errors {
    kt_mutex *mutex;
    char error[512]; /* first error not yet returned by a call; empty: no error */
    bool lost;
    char loss[512]; /* why the device was lost */
} webgpu_errors;

typedef struct webgpu_device {
    const webgpu_api *api;
    WGPUInstance instance;
    const kt_device_info *info;
    const webgpu_place *place;
    kt_host_clock host;
    WGPUDevice device;
    WGPUQueue queue;
    /* One thread at a time may call the device, its queue and its objects. While waiting, a thread
     * keeps the mutex only if the library does not synchronise calls itself. */
    kt_mutex *mutex;
    webgpu_answer *answer;
    webgpu_errors *errors;
    WGPUBuffer staging; /* buffer of reads by the host; created on first use */
    webgpu_caches caches;
    webgpu_empty empty;
} webgpu_device;

typedef struct webgpu_memory {
    webgpu_device *device;
    WGPUBuffer buffer;
    void *heap; /* process memory of KT_MEMORY_HEAP, used instead of a buffer */
} webgpu_memory;

/* A kernel compiled for one group size. */
typedef struct webgpu_compiled {
    uint32_t group_size[3];
    WGPUComputePipeline pipeline;
} webgpu_compiled;

typedef struct webgpu_program {
    webgpu_device *device;
    WGPUShaderModule module;
    char *entry;
    wgsl_kernel kernel;
    bool has_any_size;            /* the text uses kt_group_x, kt_group_y or kt_group_z */
    WGPUConstantEntry *constants; /* as given; room for those of the group's size is behind them */
    char **names;                 /* names of the constants */
    uint32_t constant_count;
    /* One pipeline per group size in use: SwiftShader takes a second to compile one pipeline. */
    webgpu_compiled *compiled;
    size_t compiled_count, compiled_room;
} webgpu_program;

typedef struct webgpu_step {
    const kt_backend_step *desc;
    WGPUComputePipeline pipeline; /* owned by the program */
    webgpu_arguments arguments;
    WGPUBuffer *values; /* uniform buffers */
    uint32_t value_count;
    bool by_host;             /* the step is a copy from or to heap memory, which the host runs */
    uint32_t first;           /* index of the first of the steps encoded together with this one */
    int64_t begin_ns, end_ns; /* host times of the latest copy by the host */
} webgpu_step;

typedef struct webgpu_job {
    webgpu_device *device;
    webgpu_step *steps;
    uint32_t step_count;
    uint32_t next;    /* first step of the latest submission not yet submitted */
    WGPUFuture done;  /* completion of the commands submitted last */
    bool timestamped; /* the latest submission has timestamps */
    uint32_t trials;
    WGPUQuerySet queries; /* two queries per step; NULL: no timestamps */
    WGPUBuffer resolved, readable;
    uint64_t *results; /* timestamps read from the buffer */
    webgpu_answer *answer;
} webgpu_job;

/* ---- the program's device ---- */

/* Functions of the library that the program uses. */
typedef struct webgpu_timer_context_api {
    WGPU_FUNCTIONS_OF_FUTURES(WEBGPU_POINTER)
    WGPU_FUNCTIONS_OF_TIMESTAMPS(WEBGPU_POINTER)
    WGPU_FUNCTIONS_OF_TIMERS(WEBGPU_POINTER)
} webgpu_timer_context_api;

typedef enum webgpu_frame_phase {
    WEBGPU_FRAME_FREE = 0,
    WEBGPU_FRAME_OPEN,      /* passes take pairs of queries */
    WEBGPU_FRAME_RESOLVED,  /* no more passes: the queries are resolved */
    WEBGPU_FRAME_SUBMITTED, /* the frame's timestamps were requested */
    WEBGPU_FRAME_READ       /* the frame's timestamps have arrived or never will */
} webgpu_frame_phase;

/* The timed passes of one encoder. Its objects are reused for the next encoder. */
typedef struct webgpu_frame {
    webgpu_frame_phase phase;
    WGPUCommandEncoder commands; /* the encoder, retained; NULL: the frame is free */
    WGPUQuerySet queries;        /* two queries per pass */
    WGPUBuffer resolved, readable;
    kt_timestamp *timestamps; /* valid once read without a failure */
    kt_status failure;        /* KT_OK, or a failure that the answer's message explains */
    bool is_spoilt;           /* buffer contents unknown: the next encoder gets new objects */
    uint32_t pair_count;      /* number of query pairs taken by passes */
    uint32_t mark_count;      /* number of marks still in use */
    uint64_t newest_ticks;    /* newest timestamp when last read */
    WGPUFuture future;        /* future of the mapping of `readable` */
    webgpu_answer answer;
} webgpu_frame;

typedef struct webgpu_timer_context {
    webgpu_timer_context_api api;
    WGPUInstance instance;
    WGPUDevice device;
    uint32_t frames_max, passes_max;
    kt_mutex *mutex; /* guards the frames, except requests of submitted ones */
    webgpu_frame *frames;
    webgpu_answer *caught; /* errors that the latest error scopes caught */
    uint64_t divisor;      /* greatest common divisor of all timestamps so far */
    bool unanswered;       /* an answer may still come when the instance is released */
} webgpu_timer_context;

typedef struct webgpu_mark {
    webgpu_frame *frame; /* frame of the mark's pass; NULL: no frame was left */
    uint32_t pair;
} webgpu_mark;

/* Byte offsets into a buffer of resolved queries are multiples of this. */
#define WEBGPU_RESOLVE_BYTES 256

/* ---- backend.c ---- */

/* Opens the library. Refuses wgpu-native. */
kt_status kt_webgpu_open_library(void **library, bool *early);
/* Opens the library like kt_webgpu_open_library(), and loads its functions. */
kt_status kt_webgpu_open(webgpu_api *api, bool *early);

/* wgpu-native's wgpuInstanceWaitAny() aborts the process: not implemented (29.0). */
static inline kt_status webgpu_fail_wgpu_native(void)
{
    return kt_fail(KT_UNAVAILABLE, "this library is wgpu-native, which cannot be asked whether "
                                   "something is done, not Dawn");
}

/* ---- wait.c: answers and errors ---- */

static inline WGPUStringView webgpu_view(const char *text)
{
    return (WGPUStringView){text, text ? WGPU_STRLEN : 0};
}
/* Copies a text of the library, truncated to `bytes`. */
void kt_webgpu_copy_text(char *to, size_t bytes, WGPUStringView from);

/* Creates and destroys an answer. After a failed wait the answer may still arrive when the library
 * closes; it is then abandoned, not freed. */
webgpu_answer *kt_webgpu_answer_create(void);
void kt_webgpu_answer_destroy(webgpu_answer *answer); /* does nothing with NULL */

/* Waits for a future: KT_OK, KT_TIMEOUT, KT_DRIVER_ERROR. `asked` names the call in error texts. */
kt_status kt_webgpu_wait(const webgpu_api *api, WGPUInstance instance, WGPUFuture future,
                         int64_t timeout_ns, const char *asked);
/* Returns a future for the completion of all submitted work. The caller holds the mutex, as in the
 * two functions below. */
WGPUFuture kt_webgpu_work_done(webgpu_device *device);
/* Waits for such a future and lets other threads use the device meanwhile. Returns what
 * kt_webgpu_wait() returns, or KT_DEVICE_LOST. */
kt_status kt_webgpu_wait_for_work(webgpu_device *device, WGPUFuture done, int64_t timeout_ns);
/* Maps a buffer for the host to read. Returns what kt_webgpu_wait() returns, or KT_DEVICE_LOST. The
 * caller unmaps the buffer; after KT_TIMEOUT only if it uses the device again. */
kt_status kt_webgpu_map(webgpu_device *device, WGPUBuffer buffer, size_t bytes,
                        webgpu_answer *answer, int64_t timeout_ns, const void **content);

webgpu_errors *kt_webgpu_errors_create(void);
/* Destroys `errors`, which may be NULL. `open`: the library may still report errors, so `errors` is
 * abandoned, not freed. */
void kt_webgpu_errors_destroy(webgpu_errors *errors, bool open);
/* Records an error that no call returns. Thread-safe. */
void kt_webgpu_note_error(webgpu_device *device, const char *message);
/* Fails with the error recorded since the last call, or with the loss of the device. KT_OK:
 * there was no error. */
kt_status kt_webgpu_take_error(webgpu_device *device);

/* kt_webgpu_catch() and kt_webgpu_caught() catch errors of this thread's calls between them. Always call
 * kt_webgpu_caught(): it returns KT_OK, `on_error` with `what` and the library's text, or KT_LIMIT for
 * lack of memory. The caller holds the mutex. */
void kt_webgpu_catch(webgpu_device *device);
kt_status kt_webgpu_caught(webgpu_device *device, kt_status on_error, const char *what);

/* ---- pipeline.c ---- */

kt_status kt_webgpu_module_create(webgpu_device *device, const char *text, size_t bytes,
                                  const char *entry, WGPUShaderModule *out);

/* `constants` has `constant_count` entries and room for 3 more: the group size, if it is not among
 * them. */
kt_status kt_webgpu_pipeline_create(webgpu_device *device, WGPUShaderModule module,
                                    const char *entry, WGPUConstantEntry *constants,
                                    size_t constant_count, const uint32_t group_size[3],
                                    kt_status on_error, WGPUComputePipeline *out);

/* Creates a uniform buffer that holds `bytes` bytes, a multiple of WEBGPU_WORD. */
kt_status kt_webgpu_uniform_create(webgpu_device *device, const void *values, size_t bytes,
                                   WGPUBuffer *out);

/* A buffer and its place. */
typedef struct webgpu_binding {
    uint32_t group, binding; /* group: below WEBGPU_GROUPS_MAX */
    uint64_t offset, bytes;  /* part of the buffer; 0 bytes: up to its end */
    WGPUBuffer buffer;
} webgpu_binding;

/* Description of a kernel's arguments. Destroy the arguments also after a failure. */
typedef struct webgpu_arguments_desc {
    const char *entry; /* name of the kernel for error texts */
    const webgpu_binding *bindings;
    uint32_t binding_count;
    uint32_t group_count; /* groups to compare with what the kernel uses */
} webgpu_arguments_desc;

kt_status kt_webgpu_arguments_create(webgpu_device *device, WGPUComputePipeline pipeline,
                                     const webgpu_arguments_desc *desc, webgpu_arguments *out);
void kt_webgpu_arguments_destroy(webgpu_device *device, webgpu_arguments *arguments);

/* ---- program.c ---- */

/* Returns the kernel for a group size, compiled on first use. It lives as long as the program. The
 * caller holds the mutex. */
kt_status kt_webgpu_program_compile(webgpu_program *program, const uint32_t group_size[3],
                                    kt_status on_error, WGPUComputePipeline *out);

/* ---- memory.c ---- */

/* Sizes and offsets of buffers and copies are multiples of this number of bytes. */
#define WEBGPU_WORD 4

kt_status kt_webgpu_buffer_create(webgpu_device *device, WGPUFlags usage, uint64_t bytes,
                                  WGPUBuffer *out);
/* Transfers of buffers, through the staging buffer. The caller holds the mutex. */
extern const kt_transfer kt_webgpu_pieces;
/* Finishes an encoder and submits its commands. The caller holds the mutex. */
kt_status kt_webgpu_submit(webgpu_device *device, WGPUCommandEncoder encoder);

/* ---- backend functions ---- */

KT_DECLARE_SLOTS(webgpu)
KT_DECLARE_TIMER_SLOTS(webgpu)
kt_status kt_webgpu_list_places(webgpu_lib *lib, uint32_t *count);

void kt_webgpu_caches_fini(webgpu_device *device);
void kt_webgpu_empty_fini(webgpu_device *device);

/* Describes the clock of timestamps. Its unit is ns by the specification, whatever its
 * resolution. */
static inline kt_clock_info webgpu_clock(void)
{
    return (kt_clock_info){.name = "pass",
                           .method = KT_METHOD_DEVICE_TIMESTAMP,
                           .period_ns = 1,
                           .frequency_hz = NAN,
                           .valid_bits = 64,
                           .uncertainty_ns = NAN,
                           .drift_ppm = NAN,
                           .period_source = KT_SOURCE_REPORTED};
}

#endif
