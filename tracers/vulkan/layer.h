/* SPDX-License-Identifier: MIT */
/*
 * layer.h - the Vulkan tracer: a layer between program and driver (docs/tracing-vulkan.md).
 *
 *   layer.c        the loader's way in; instances, devices, and the functions that are handed out
 *   objects.c      names of pipelines, and the memory behind buffers and images
 *   shader.c       names and group sizes in SPIR-V
 *   recording.c    command buffers: where timestamps go, and what stands between them
 *   commands.c     each command that is timed
 *   unseen.c       commands that are not timed
 *   submissions.c  submissions, and when their timestamps can be read
 *   clock.c        the device's clock
 *   map.c          what is known of a handle
 *
 * A command buffer has its own queries, one pair for each timed command, and they are read once it
 * is known that the device has executed it: the program waits for a fence, asks for a semaphore's
 * value, or does what Vulkan allows only then, such as recording the command buffer again.
 *
 * Locks: a command buffer is recorded without one, since Vulkan lets one thread record it at a
 * time. device.mutex protects what submissions and readers share.
 */
#ifndef TRACERS_VULKAN_LAYER_H
#define TRACERS_VULKAN_LAYER_H

#include "support/thread.h"
#include "tracers/common/tracer.h"
#include "tracers/vulkan/map.h"

#include <kerntime/clock.h>
#include <vulkan/vulkan.h>

#define CHUNK_QUERIES  128 /* of a query pool */
#define RESET_QUERIES  16  /* that one command resets; even, and a divisor of the number above */
#define FAMILIES_MAX   32
#define EXTENSIONS_MAX 2 /* that the tracer enables */
#define WAITS_MAX      8 /* semaphores that a submission waits for */
#define SIGNALS_MAX    5 /* semaphores of a submission that are followed, and a fence */

/* ---- functions ---- */

/* Functions of a device that the program gets from the tracer. */
#define LAYER_HOOKS(X)                             \
    X(vkDestroyDevice)                             \
    X(vkGetDeviceQueue)                            \
    X(vkGetDeviceQueue2)                           \
    X(vkSetDebugUtilsObjectNameEXT)                \
    X(vkAllocateMemory)                            \
    X(vkFreeMemory)                                \
    X(vkCreateBuffer)                              \
    X(vkDestroyBuffer)                             \
    X(vkBindBufferMemory)                          \
    X(vkBindBufferMemory2)                         \
    X(vkBindBufferMemory2KHR)                      \
    X(vkCreateImage)                               \
    X(vkDestroyImage)                              \
    X(vkBindImageMemory)                           \
    X(vkBindImageMemory2)                          \
    X(vkBindImageMemory2KHR)                       \
    X(vkCreateShaderModule)                        \
    X(vkDestroyShaderModule)                       \
    X(vkCreateComputePipelines)                    \
    X(vkCreateRayTracingPipelinesKHR)              \
    X(vkDestroyPipeline)                           \
    X(vkCreateCommandPool)                         \
    X(vkDestroyCommandPool)                        \
    X(vkResetCommandPool)                          \
    X(vkAllocateCommandBuffers)                    \
    X(vkFreeCommandBuffers)                        \
    X(vkBeginCommandBuffer)                        \
    X(vkEndCommandBuffer)                          \
    X(vkResetCommandBuffer)                        \
    X(vkQueueSubmit)                               \
    X(vkQueueSubmit2)                              \
    X(vkQueueSubmit2KHR)                           \
    X(vkQueueWaitIdle)                             \
    X(vkDeviceWaitIdle)                            \
    X(vkWaitForFences)                             \
    X(vkGetFenceStatus)                            \
    X(vkResetFences)                               \
    X(vkDestroyFence)                              \
    X(vkWaitSemaphores)                            \
    X(vkWaitSemaphoresKHR)                         \
    X(vkGetSemaphoreCounterValue)                  \
    X(vkGetSemaphoreCounterValueKHR)               \
    X(vkDestroySemaphore)                          \
    X(vkSignalSemaphore)                           \
    X(vkSignalSemaphoreKHR)                        \
    X(vkCmdBindPipeline)                           \
    X(vkCmdPipelineBarrier)                        \
    X(vkCmdPipelineBarrier2)                       \
    X(vkCmdPipelineBarrier2KHR)                    \
    X(vkCmdExecuteCommands)                        \
    X(vkCmdDispatch)                               \
    X(vkCmdDispatchBase)                           \
    X(vkCmdDispatchBaseKHR)                        \
    X(vkCmdDispatchIndirect)                       \
    X(vkCmdTraceRaysKHR)                           \
    X(vkCmdTraceRaysIndirectKHR)                   \
    X(vkCmdBuildAccelerationStructuresKHR)         \
    X(vkCmdBuildAccelerationStructuresIndirectKHR) \
    X(vkCmdBeginRenderPass)                        \
    X(vkCmdBeginRenderPass2)                       \
    X(vkCmdBeginRenderPass2KHR)                    \
    X(vkCmdEndRenderPass)                          \
    X(vkCmdEndRenderPass2)                         \
    X(vkCmdEndRenderPass2KHR)                      \
    X(vkCmdBeginRendering)                         \
    X(vkCmdBeginRenderingKHR)                      \
    X(vkCmdEndRendering)                           \
    X(vkCmdEndRenderingKHR)                        \
    X(vkCmdCopyBuffer)                             \
    X(vkCmdCopyBuffer2)                            \
    X(vkCmdCopyBuffer2KHR)                         \
    X(vkCmdCopyImage)                              \
    X(vkCmdCopyImage2)                             \
    X(vkCmdCopyImage2KHR)                          \
    X(vkCmdCopyBufferToImage)                      \
    X(vkCmdCopyBufferToImage2)                     \
    X(vkCmdCopyBufferToImage2KHR)                  \
    X(vkCmdCopyImageToBuffer)                      \
    X(vkCmdCopyImageToBuffer2)                     \
    X(vkCmdCopyImageToBuffer2KHR)                  \
    X(vkCmdBlitImage)                              \
    X(vkCmdBlitImage2)                             \
    X(vkCmdBlitImage2KHR)                          \
    X(vkCmdResolveImage)                           \
    X(vkCmdResolveImage2)                          \
    X(vkCmdResolveImage2KHR)                       \
    X(vkCmdFillBuffer)                             \
    X(vkCmdUpdateBuffer)                           \
    X(vkCmdClearColorImage)                        \
    X(vkCmdClearDepthStencilImage)

/* Functions of a device that only the tracer calls. */
#define LAYER_CALLS(X)       \
    X(vkCreateQueryPool)     \
    X(vkDestroyQueryPool)    \
    X(vkGetQueryPoolResults) \
    X(vkResetQueryPool)      \
    X(vkResetQueryPoolEXT)   \
    X(vkCmdResetQueryPool)   \
    X(vkCmdWriteTimestamp)   \
    X(vkGetCalibratedTimestampsEXT)

/* Functions that the tracer takes note of alone. */
#define LAYER_UNSEEN(X)                          \
    X(vkCmdBindShadersEXT)                       \
    X(vkCmdTraceRaysIndirect2KHR)                \
    X(vkCmdCopyAccelerationStructureKHR)         \
    X(vkCmdCopyAccelerationStructureToMemoryKHR) \
    X(vkCmdCopyMemoryToAccelerationStructureKHR) \
    X(vkCmdCopyMicromapEXT)                      \
    X(vkCmdCopyMicromapToMemoryEXT)              \
    X(vkCmdCopyMemoryToMicromapEXT)              \
    X(vkCmdBuildMicromapsEXT)                    \
    X(vkCmdDecodeVideoKHR)                       \
    X(vkCmdEncodeVideoKHR)                       \
    X(vkCmdExecuteGeneratedCommandsNV)           \
    X(vkCmdExecuteGeneratedCommandsEXT)          \
    X(vkQueueBindSparse)
enum unseen {
#define LAYER_NUMBER(name) UNSEEN_##name,
    LAYER_UNSEEN(LAYER_NUMBER)
#undef LAYER_NUMBER
        UNSEEN_COUNT
};

#define LAYER_POINTER(name) PFN_##name name;
typedef struct next_functions {
    PFN_vkGetDeviceProcAddr vkGetDeviceProcAddr;
    LAYER_HOOKS(LAYER_POINTER)
    LAYER_CALLS(LAYER_POINTER)
} next_functions;
#undef LAYER_POINTER

/* The hooks: trace_vkDestroyDevice() and so on. The one of layer.c itself is apart. */
#define LAYER_DECLARE(name) __typeof__(name) trace_##name;
LAYER_HOOKS(LAYER_DECLARE)
#undef LAYER_DECLARE

/* Any handle as a number. */
#define NUMBER(handle) ((uint64_t)(uintptr_t)(handle))

/* ---- devices ---- */

/* Rows whose names are known beforehand. */
typedef enum fixed_name {
    /* Copies: 2 bits of the ends (1: to the host, 2: from the host), 4: an image takes part. */
    NAME_COPY,
    NAME_COPY_LAST = NAME_COPY + 7,
    NAME_FILL,
    NAME_UPDATE,
    NAME_CLEAR,
    NAME_BLIT,
    NAME_RESOLVE,
    NAME_RENDER,
    NAME_BUILD,
    NAME_TRACE_RAYS, /* of a pipeline without a name */
    NAME_UNKNOWN_KERNEL,
    NAME_COUNT
} fixed_name;

/* A row that is looked up when it is first needed. */
typedef struct lazy_row {
    _Atomic(trace_row *) row;
    atomic_bool is_known; /* row may be NULL then: its name is not wanted */
} lazy_row;

/* Position of a queue family's timestamps. */
typedef struct family {
    VkQueueFlags flags;
    kt_clock_info clock;
    double half_ns; /* half a turn of its counter */
    bool has_ticks; /* of the latest timestamp */
    uint64_t ticks, position;
} family;

/* The time line of a physical device. All its VkDevices share one clock, and a program may make many
 * of them, at once or one after another. */
typedef struct clock_line {
    const trace_device *trace;
    uint64_t base;          /* position of the first timestamp, which is 0 ns */
    uint32_t base_bits;     /* of its counter */
    double low_ns, high_ns; /* bounds of the host's time at 0 ns, by that timestamp */
    double uncertainty_ns;  /* of the offset; NaN: unknown; under the lock of clock.c */
} clock_line;

typedef struct chunk chunk;
typedef struct commands commands;
typedef struct submission submission;
typedef struct queue queue;
typedef struct instance instance;

typedef struct device {
    next_functions next;
    PFN_vkVoidFunction unseen[UNSEEN_COUNT]; /* the driver's; NULL: it has none */
    VkDevice handle;
    instance *instance;
    VkPhysicalDevice physical;
    trace_device *trace;
    bool wraps;                         /* a counter of timestamps does */
    bool reads_wait;                    /* reading timestamps waits for all that was submitted */
    bool calibrates;                    /* VK_EXT_calibrated_timestamps is enabled */
    PFN_vkResetQueryPool reset_queries; /* from the host; NULL: the device cannot */
    VkPhysicalDeviceMemoryProperties memory;
    family families[FAMILIES_MAX];
    uint32_t family_count;
    lazy_row rows[NAME_COUNT];
    kt_mutex *mutex;
    atomic_uint open; /* submissions that are not known to have ended; written under the mutex */
    /* ---- under the mutex ---- */
    handle_map memories, buffers, images, shaders, pipelines, pools; /* found without it */
    handle_map fences, semaphores;                                   /* and these */
    uint64_t submissions, runs; /* numbers of the latest submission and run of a command buffer */
    queue *queues;
    chunk *free_chunks;
    commands *free_commands;
    submission *free_submissions;
    submission *ended, **ended_end; /* with reads_wait: not read yet, oldest first */
    size_t ended_count;
    trace_reading reading;  /* of what has ended, less what the driver takes */
    clock_line *line;       /* NULL until the first timestamp */
    double low_ns, high_ns; /* bounds of the host's time at 0 ns of the line */
    double uncertainty_ns;  /* of the clock's offset; NaN: unknown */
} device;

/* The device of a dispatchable handle of a device, queue or command buffer. */
device *device_of(const void *handle);
/* Row of a fixed name. NULL: it is not wanted. */
trace_row *fixed_row(device *d, fixed_name name);

/* Asks for the driver's, and finds the hook of a name, NULL: none (unseen.c). */
void unseen_load(device *d);
PFN_vkVoidFunction unseen_hook(const char *name);

/* ---- objects ---- */

typedef struct resource {
    uint64_t bytes;      /* of a buffer */
    bool is_host;        /* its memory is the host's: visible, and not local to the device */
    uint8_t block[2];    /* width and height of an image's blocks; 1: texels */
    uint8_t block_bytes; /* 0: unknown */
} resource;

typedef struct shader shader;

typedef struct pipeline {
    uint64_t serial; /* no other pipeline has had it */
    lazy_row row;
    char *name;
    char *debug_name;  /* the program's own */
    uint32_t group[3]; /* work-items of a group; 0: unknown */
} pipeline;

/* Row of a launch of `groups` groups; NULL groups: unknown. */
trace_row *pipeline_row(device *d, pipeline *p, const uint32_t *groups);

/* Frees what objects.c keeps of a device that goes. */
void objects_end(device *d);

/* What a shader is called, and how large its groups are (shader.c). */
shader *shader_read(const VkShaderModuleCreateInfo *info);
void shader_free(void *freed);
/* A new text, or NULL: out of memory. Fills the size of its groups. */
char *shader_kernel(const shader *s, const VkPipelineShaderStageCreateInfo *stage,
                    uint32_t group[3]);
void shader_set_name(shader *s, const char *name);

/* ---- command buffers ---- */

/* Classes of commands, as bits: a barrier orders some before others. */
enum { WORK_COMPUTE = 1, WORK_TRANSFER = 2, WORK_RENDER = 4, WORK_ALL = 7, WORK_CLASSES = 3 };
#define WORK_EARLIER 3 /* such a command of an earlier command buffer: bits << WORK_EARLIER */

struct chunk {
    chunk *next;
    VkQueryPool queries;
};

#define NO_QUERY UINT32_MAX

/* A timed command in a command buffer. */
typedef struct span {
    trace_row *row;
    uint64_t bytes;
    uint32_t query; /* the first of two; NO_QUERY: it has none, for `reason` */
    trace_reason reason;
    bool is_kernel;
    bool is_unordered; /* no barrier between it and a neighbour */
    uint8_t earlier;   /* classes of earlier command buffers that it may overlap with */
    /* of the latest submission: */
    bool is_counted, is_overlapped;
} span;

/* A secondary command buffer in a primary one. */
typedef struct execution {
    commands *commands;
    uint8_t open; /* what may still run when it begins */
} execution;

#define SIZED_ROWS 32

/* Row of a launch of a size, of the pipeline of that serial. */
typedef struct sized_row {
    uint64_t serial;
    uint32_t groups[3];
    trace_row *row;
} sized_row;

struct commands {
    commands *next; /* of its pool, or of those that are free */
    VkCommandBuffer handle;
    device *device;
    family *family;
    /* ---- of the recording ---- */
    uint64_t recording;   /* rises with each; under the mutex */
    bool resets_itself;   /* by a command, since it may run several times or the host cannot */
    bool is_timed;        /* it can have timestamps */
    bool is_simultaneous; /* may be submitted while it is executed */
    bool is_mixed; /* it ran on two queues at once: its queries are of either. Under the mutex */
    chunk **chunks;
    size_t chunk_count, chunk_room;
    uint32_t query_count;
    span *spans;
    size_t span_count, span_room;
    execution *executions;
    size_t execution_count, execution_room;
    pipeline *bound[2];          /* for dispatches, for rays */
    uint8_t open[WORK_CLASSES];  /* classes of commands that one of this class may overlap with */
    size_t latest[WORK_CLASSES]; /* number of the latest span of a class; 0: none */
    sized_row sized[SIZED_ROWS];
    bool suspends; /* the open render pass, where it ends */
    size_t render; /* number of the span of the render pass that is open; 0: none */
    /* ---- under the mutex ---- */
    bool is_unread;      /* its queries were or will be written */
    bool is_counted;     /* results are to be recorded */
    size_t read_count;   /* spans that were read */
    uint64_t submission; /* number of the latest one, and where it went */
    struct queue *queue;
    int64_t begin_ns, end_ns; /* of the submitting call, on the host's clock */
    uint32_t thread;
};

typedef struct pool {
    family *family;
    commands *commands;
} pool;

/* NULL: unknown. */
commands *commands_find(VkCommandBuffer handle);
void recording_end(device *d);

/* What is to be timed. */
typedef struct work {
    trace_row *row; /* NULL: nothing */
    uint8_t kind;   /* one of WORK_ */
    bool is_kernel;
    uint64_t bytes;
} work;

/* Before and after a command. The number of its span; 0: none. */
size_t work_begin(commands *c, const work *w);
void work_end(commands *c, size_t number);

/* Reads what the device has written. Under the mutex. `is_last`: nothing more will come, so what
 * is missing never will. */
void commands_read(commands *c, bool is_last, int64_t now_ns);
/* Reads for the last time, or counts as overwritten if that could wait for ever. Under the mutex. */
void commands_settle(commands *c, int64_t now_ns);
/* Counts what was not read without a time. Under the mutex. */
void commands_lose(commands *c, trace_reason reason);

/* ---- submissions ---- */

/* A command buffer of a submission, if it was not recorded or submitted again. */
typedef struct submitted {
    commands *commands;
    uint64_t recording, submission;
} submitted;

typedef struct waitable waitable;

/* A submission that signals a fence or semaphore. */
typedef struct signaller {
    struct signaller *next, *previous; /* of the same fence or semaphore, by value */
    submission *submission;
    waitable *of; /* NULL: of none any more */
    uint64_t value;
} signaller;

/* A fence or timeline semaphore that the host may wait for. */
struct waitable {
    _Atomic(uint64_t) lowest;  /* value that an open submission signals; UINT64_MAX: none does */
    _Atomic(uint64_t) reached; /* a value that the semaphore is known to have; with reads_wait */
    signaller *first, *last;
};

/* What the host can learn the end of. */
struct submission {
    submission *next;
    uint64_t number; /* rises; 0: it is not open any more */
    struct queue *queue;
    VkFence fence;
    signaller signals[SIGNALS_MAX];
    size_t signal_count;
    struct { /* with reads_wait */
        uint64_t semaphore, value;
    } waits[WAITS_MAX];
    size_t wait_count; /* more than there is room for: unknown */
    submitted *list;
    size_t count, room;
};

struct queue {
    queue *next;
    VkQueue handle;
    device *device;
    family *family;
    uint32_t number;
    /* ---- under the device's mutex ---- */
    submission *first, *last; /* those that are not known to have ended */
    size_t length;
    uint8_t open; /* classes of commands that may still run */
};

void submissions_end(device *d);
/* Whether timestamps can be read without waiting for something that the program has yet to do. Under
 * the mutex. */
bool submissions_let_read(device *d);

/* ---- relation to the host's clock (clock.c), which the time line alone needs ---- */

/* ns from the first timestamp of the physical device to this one, as the family counts. The bounds are times of
 * clock_now_ns(): when it was submitted, and when it had ended. Under the mutex. */
int64_t clock_position_ns(device *d, family *f, uint64_t ticks, int64_t from_ns, int64_t to_ns);
/* The host's time if it is needed: for the time line, and for counters that wrap. 0 otherwise. */
int64_t clock_now_ns(const device *d);
/* Asks the driver, if it can tell. */
void clock_calibrate(device *d);
/* Else: a span lies between the call that submitted it and the moment at which it was known to have
 * ended. Under the mutex. */
void clock_bracket(device *d, int64_t submitted_ns, const trace_span *s, int64_t ended_ns);

#endif
