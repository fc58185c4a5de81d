/* internal.h - the state of a WebGPU device, and what its parts know of each other. */
#ifndef KT_WEBGPU_INTERNAL_H
#define KT_WEBGPU_INTERNAL_H

#include "backend.h"
#include "backends/webgpu/webgpu.h"
#include "backends/webgpu/wgsl.h"
#include "support/dl.h"
#include "support/fault.h"
#include "support/thread.h"

#include <math.h>
/* What is called of the library. */
#define WEBGPU_POINTER(result, name, parameters) result(*name) parameters;
typedef struct webgpu_api {
    WGPU_FUNCTIONS_OF_INSTANCES(WEBGPU_POINTER)
    WGPU_FUNCTIONS_OF_FUTURES(WEBGPU_POINTER)
    WGPU_FUNCTIONS_OF_STAMPS(WEBGPU_POINTER)
    WGPU_FUNCTIONS_OF_WORK(WEBGPU_POINTER)
} webgpu_api;

/* A call that answers; in the fault loop it may answer `on_fault`. */
#define WEBGPU_CALL(api, function, on_fault, ...) KT_CALL(api, function, on_fault, __VA_ARGS__)
/* One that answers nothing: WebGPU tells of its errors elsewhere, and so does the fault loop. */
#define WEBGPU_DO(device, function, ...)                                                       \
    (kt_fault(KT_FAULT_DRIVER, #function) ? webgpu_note_error(device, #function " has failed") \
                                          : (device)->api->function(__VA_ARGS__))

/* The longest text of the library that is kept, with its zero: of a shader, Dawn shows each line
 * that is wrong. */
#define WEBGPU_MESSAGE_BYTES 2048

/* What was answered to a question: a future's callback writes it, within wgpuInstanceWaitAny() or
 * later, when nobody waits any more. So it lives as long as what was asked. */
typedef struct webgpu_answer {
    uint32_t status; /* 1: success; 0: none yet */
    uint32_t open;   /* questions whose answer has not come, if they are counted */
    WGPUErrorType caught;
    void *object;
    char message[WEBGPU_MESSAGE_BYTES];
} webgpu_answer;

/* An adapter that computes, by how it is asked for: an adapter gives but one device. */
typedef struct webgpu_place {
    WGPUPowerPreference preference;
    bool fallback;
    bool has_stamps;
    bool synchronises; /* calls of several threads */
    WGPUBackendType backend;
    WGPUAdapterType type;
    uint32_t vendor_id, device_id;
    char vendor[128], name[256], driver[256];
    WGPULimits limits;
} webgpu_place;

#define WEBGPU_PLACES_MAX 3

typedef struct webgpu_lib {
    webgpu_api api;
    bool early; /* the ABI of spring 2025 */
    WGPUInstance instance;
    webgpu_answer answer;
    webgpu_place places[WEBGPU_PLACES_MAX];
} webgpu_lib;

/* What a kernel works on. */
typedef struct webgpu_arguments {
    WGPUBindGroup group; /* NULL: it takes none */
    WGPUBuffer values;
} webgpu_arguments;

/* What flushing the device's caches needs; made when that is first asked for. */
typedef struct webgpu_caches {
    WGPUBuffer buffer;
    WGPUShaderModule module;
    WGPUComputePipeline pipeline;
    webgpu_arguments arguments;
    bool ready;
} webgpu_caches;

/* What no call answers with, told on any thread, from before there is a device until it is gone. */
typedef struct webgpu_errors {
    kt_mutex *mutex;
    char error[512]; /* the first that no call has told of yet; empty: none */
    bool lost;
    char loss[512]; /* why */
} webgpu_errors;

typedef struct webgpu_device {
    const webgpu_api *api;
    WGPUInstance instance;
    const kt_device_info *info;
    const webgpu_place *place;
    kt_host_clock host;
    WGPUDevice device;
    WGPUQueue queue;
    /* Calls on a device are for one thread at a time, its queue and what it made among them. While
     * waiting it is held only where the library does not see to that itself. */
    kt_mutex *mutex;
    webgpu_answer *answer;
    webgpu_errors *errors;
    WGPUBuffer staging; /* from the device to the host; made when needed */
    webgpu_caches caches;
} webgpu_device;

typedef struct webgpu_memory {
    webgpu_device *device;
    WGPUBuffer buffer;
    void *heap; /* in place of a buffer */
} webgpu_memory;

/* A kernel, compiled for a group size. */
typedef struct webgpu_compiled {
    uint32_t group_size[3];
    WGPUComputePipeline pipeline;
} webgpu_compiled;

typedef struct webgpu_program {
    webgpu_device *device;
    WGPUShaderModule module;
    char *entry;
    wgsl_kernel kernel;
    /* for each group size that was asked for: compiling takes long, SwiftShader a second */
    webgpu_compiled *compiled;
    size_t compiled_count, compiled_room;
} webgpu_program;

typedef struct webgpu_step {
    const kt_backend_step *desc;
    WGPUComputePipeline pipeline; /* the program's */
    webgpu_arguments arguments;
    bool by_host;             /* a copy from or to the heap */
    uint32_t first;           /* of the steps that are encoded together with it */
    int64_t begin_ns, end_ns; /* of the latest one by the host */
} webgpu_step;

typedef struct webgpu_job {
    webgpu_device *device;
    webgpu_step *steps;
    uint32_t step_count;
    uint32_t next;   /* step of the latest submission that has not been handed over yet */
    WGPUFuture done; /* of what was handed over last */
    bool stamped;    /* the latest submission */
    uint32_t trials;
    WGPUQuerySet queries; /* two for each step; NULL: the device gives no stamps */
    WGPUBuffer resolved, readable;
    uint64_t *results; /* room for what is read of them */
    webgpu_answer *answer;
} webgpu_job;

/* ---- the program's own device ---- */

/* What is called of the library that the program uses. */
typedef struct webgpu_native_api {
    WGPU_FUNCTIONS_OF_FUTURES(WEBGPU_POINTER)
    WGPU_FUNCTIONS_OF_STAMPS(WEBGPU_POINTER)
    WGPU_FUNCTIONS_OF_TIMERS(WEBGPU_POINTER)
} webgpu_native_api;

typedef enum webgpu_frame_phase {
    WEBGPU_FRAME_FREE = 0,
    WEBGPU_FRAME_OPEN,      /* passes get their pairs */
    WEBGPU_FRAME_RESOLVED,  /* no more of them */
    WEBGPU_FRAME_SUBMITTED, /* its stamps were asked for */
    WEBGPU_FRAME_READ       /* they are there, or never will be */
} webgpu_frame_phase;

/* An encoder with passes that are timed. Its objects stay for the next one. */
typedef struct webgpu_frame {
    webgpu_frame_phase phase;
    WGPUCommandEncoder commands; /* known by its address, and so kept; NULL: free */
    WGPUQuerySet queries;        /* two for each pass */
    WGPUBuffer resolved, readable;
    kt_stamp *stamps;      /* once they were read, unless that failed */
    kt_status failure;     /* KT_OK: it did not; else the answer's message says why */
    bool is_spoilt;        /* what its objects hold is not known: the next encoder gets others */
    uint32_t pair_count;   /* handed out */
    uint32_t mark_count;   /* not done with */
    uint64_t newest_ticks; /* of all stamps when the frame was last read */
    WGPUFuture future;     /* of the mapping */
    webgpu_answer answer;
} webgpu_frame;

typedef struct webgpu_native {
    webgpu_native_api api;
    WGPUInstance instance;
    WGPUDevice device;
    uint32_t frames_max, passes_max;
    kt_mutex *mutex; /* guards the frames, but what one that was submitted is asked for */
    webgpu_frame *frames;
    webgpu_answer *caught; /* by the latest error scopes */
    uint64_t seen_ticks;   /* all bits that stamps have shown so far */
    bool unanswered;       /* there is a question whose answer may come when all is closed */
} webgpu_native;

typedef struct webgpu_mark {
    webgpu_frame *frame; /* NULL: it got none */
    uint32_t pair;
} webgpu_mark;

/* Steps resolve their queries from an offset on that is a multiple of that. */
#define WEBGPU_RESOLVE_BYTES 256

/* ---- backend.c ---- */

/* Opens the library, unless it is one that cannot be used. */
kt_status webgpu_open_library(void **library, bool *early);
/* The same: from then on there are its functions. */
kt_status webgpu_open(webgpu_api *api, bool *early);

/* Its wgpuInstanceWaitAny() ends the process: it is not implemented (29.0). */
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
/* What a library says, cut off where it is too long. */
void webgpu_copy_text(char *to, size_t bytes, WGPUStringView from);

/* Room for answers. After a failure to wait one may come when the library is closed, so then it is
 * not freed. */
webgpu_answer *webgpu_answer_create(void);
void webgpu_answer_destroy(webgpu_answer *answer); /* NULL: nothing */

/* Waits for what was asked: KT_OK, KT_TIMEOUT, KT_DRIVER_ERROR. `asked` is the call, for
 * messages. */
kt_status webgpu_wait(const webgpu_api *api, WGPUInstance instance, WGPUFuture future,
                      int64_t timeout_ns, const char *asked);
/* When all that was submitted so far is done. The mutex is held, as for what follows. */
WGPUFuture webgpu_work_done(webgpu_device *device);
/* Waits for that, and lets others go on meanwhile: also KT_DEVICE_LOST. */
kt_status webgpu_wait_for_work(webgpu_device *device, WGPUFuture done, int64_t timeout_ns);
/* A buffer's content is there for the host: also KT_DEVICE_LOST. Who called unmaps it; after
 * KT_TIMEOUT only if the device is used again. */
kt_status webgpu_map(webgpu_device *device, WGPUBuffer buffer, size_t bytes, webgpu_answer *answer,
                     int64_t timeout_ns, const void **content);

webgpu_errors *webgpu_errors_create(void);
/* NULL is fine. `open`: who tells of errors may still come, so they are abandoned. */
void webgpu_errors_destroy(webgpu_errors *errors, bool open);
/* An error that no call answers with. Any thread. */
void webgpu_note_error(webgpu_device *device, const char *message);
/* Fails with what was noted since it was last asked, or with the loss of the device. KT_OK:
 * nothing. */
kt_status webgpu_take_error(webgpu_device *device);

/* Between the two, errors of the calls of this thread are caught. End it in any case. KT_OK, or
 * `on_error` with the library's words behind `what`; running out of memory is KT_LIMIT. The mutex
 * is held. */
void webgpu_catch(webgpu_device *device);
kt_status webgpu_caught(webgpu_device *device, kt_status on_error, const char *what);

/* ---- pipeline.c ---- */

kt_status webgpu_module_create(webgpu_device *device, const char *text, size_t bytes,
                               const char *entry, WGPUShaderModule *out);

kt_status webgpu_pipeline_create(webgpu_device *device, WGPUShaderModule module, const char *entry,
                                 const uint32_t group_size[3], kt_status on_error,
                                 WGPUComputePipeline *out);

/* What arguments are made of; destroy them also after a failure. */
typedef struct webgpu_arguments_desc {
    const char *entry;         /* for messages */
    const WGPUBuffer *buffers; /* at the bindings 0, 1, ... */
    uint32_t buffer_count;
    const void *values; /* at the next one */
    size_t values_bytes;
} webgpu_arguments_desc;

kt_status webgpu_arguments_create(webgpu_device *device, WGPUComputePipeline pipeline,
                                  const webgpu_arguments_desc *desc, webgpu_arguments *out);
void webgpu_arguments_destroy(webgpu_device *device, webgpu_arguments *arguments);

/* ---- program.c ---- */

/* The kernel for a group size, compiled if it was not yet; lives as long as the program. The mutex
 * is held. */
kt_status webgpu_program_compile(webgpu_program *program, const uint32_t group_size[3],
                                 kt_status on_error, WGPUComputePipeline *out);

/* ---- memory.c ---- */

/* What buffers are made of is a multiple of this, and so is what is copied. */
#define WEBGPU_WORD 4

kt_status webgpu_buffer_create(webgpu_device *device, WGPUFlags usage, uint64_t bytes,
                               WGPUBuffer *out);
/* Whole words from a buffer to the host, by way of the staging buffer. The mutex is held. */
kt_status webgpu_read_words(webgpu_device *device, WGPUBuffer buffer, size_t offset, void *data,
                            size_t bytes, int64_t timeout_ns);
/* Whole words to a buffer; done when it returns. The mutex is held. */
kt_status webgpu_write_words(webgpu_device *device, WGPUBuffer buffer, size_t offset,
                             const void *data, size_t bytes, int64_t timeout_ns);
/* Ends an encoder and submits what is in it. The mutex is held. */
kt_status webgpu_submit(webgpu_device *device, WGPUCommandEncoder encoder);

/* ---- slots of the contract ---- */

kt_status webgpu_device_info(void *lib, uint32_t index, const char *scenario, kt_device_info *info);
kt_status webgpu_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                             const kt_device_info *info, const kt_host_clock *host);
void webgpu_device_fini(void *device);
kt_status webgpu_clock_pair(void *device, uint32_t clock, kt_clock_pair *pair);
kt_status webgpu_list_places(webgpu_lib *lib, uint32_t *count);

kt_status webgpu_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes);
void webgpu_memory_fini(void *memory);
kt_status webgpu_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                             int64_t timeout_ns);
kt_status webgpu_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                              int64_t timeout_ns);

kt_status webgpu_program_init(void *program, void *device, const kt_program_desc *desc);
void webgpu_program_fini(void *program);

kt_status webgpu_job_init(void *job, void *device, const kt_backend_job *desc);
void webgpu_job_fini(void *job);
kt_status webgpu_job_submit(void *job, bool stamped, uint32_t trials);
kt_status webgpu_job_wait(void *job, int64_t timeout_ns);
kt_status webgpu_job_flush_caches(void *job, int64_t timeout_ns);
kt_status webgpu_job_read(void *job, kt_stamp *stamps);

void webgpu_caches_fini(webgpu_device *device);

kt_status webgpu_native_init(void *native, const void *desc, kt_clock_info *clocks);
void webgpu_native_fini(void *native);
kt_status webgpu_mark_fill(void *native, void *commands, void *descriptor, void *mark);
kt_status webgpu_commands_resolve(void *native, void *commands);
kt_status webgpu_commands_submitted(void *native, void *commands);
kt_status webgpu_mark_read(void *native, void *mark, kt_stamp *stamp);
void webgpu_mark_fini(void *native, void *mark);

/* ns by the specification, whatever grid they really move in. */
static inline kt_clock_info webgpu_clock(void)
{
    return (kt_clock_info){.name = "pass",
                           .method = KT_METHOD_DEVICE_TIMESTAMP,
                           .period_ns = 1,
                           .frequency_hz = NAN,
                           .valid_bits = 64,
                           .uncertainty_ns = NAN,
                           .drift_ppm = NAN,
                           .period_source = KT_SOURCE_TOLD};
}

#endif
