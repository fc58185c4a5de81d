/* SPDX-License-Identifier: MIT */
/*
 * layer.h - what the files of the tracer of Level Zero share.
 *
 * The tracer is a layer of Level Zero's loader: it takes the place of the loader's tracing layer
 * (libze_tracing_layer.so.1), which the loader opens by name when ZE_ENABLE_TRACING_LAYER=1. So
 * every program is reached that uses a loader, linked or opened by dlopen, over any number of
 * drivers, and no process that uses none. (LD_PRELOAD would be in all processes, would end programs
 * of the address sanitizer, and would not see programs that open the loader themselves. The
 * loader's own tracing layer allocates memory in each call.)
 *
 *   layer.c    exchanges functions in the loader's tables
 *   objects.c  from handles to what is known of them
 *   devices.c  devices, and ticks to spans
 *   lists.c    lists and their slots: one for each command, with an event; reading of events
 *   appends.c  kernels, copies and fills
 *   queues.c   queues, fences and execution of lists
 *   events.c   events and pools of the program
 *
 * A kernel or copy without an event gets one of ours. One with an event keeps it: pools of the
 * program get the flag for timestamps, and queries that would have failed without it still do.
 *
 * Room tracers/level_zero: may know tracers/common, support, statistics, clock,
 * backends/level_zero/timestamps.h.
 */
#ifndef TRACERS_LEVEL_ZERO_LAYER_H
#define TRACERS_LEVEL_ZERO_LAYER_H

#include "clock/ticks.h"
#include "tracers/common/tracer.h"
#include "tracers/level_zero/objects.h"

#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>

/* ---- functions ---- */

/* Functions whose place the tracer takes: X(table, function, minor version of the API). */
#define LAYER_HOOKS(X)                                     \
    X(Driver, GetExtensionFunctionAddress, 1)              \
    X(Context, Destroy, 0)                                 \
    X(CommandQueue, Create, 0)                             \
    X(CommandQueue, Destroy, 0)                            \
    X(CommandQueue, ExecuteCommandLists, 0)                \
    X(CommandQueue, Synchronize, 0)                        \
    X(CommandList, Create, 0)                              \
    X(CommandList, CreateImmediate, 0)                     \
    X(CommandList, Destroy, 0)                             \
    X(CommandList, Reset, 0)                               \
    X(CommandList, AppendMemoryCopy, 0)                    \
    X(CommandList, AppendMemoryFill, 0)                    \
    X(CommandList, AppendMemoryCopyRegion, 0)              \
    X(CommandList, AppendMemoryCopyFromContext, 0)         \
    X(CommandList, AppendImageCopy, 0)                     \
    X(CommandList, AppendImageCopyRegion, 0)               \
    X(CommandList, AppendImageCopyToMemory, 0)             \
    X(CommandList, AppendImageCopyFromMemory, 0)           \
    X(CommandList, AppendImageCopyToMemoryExt, 3)          \
    X(CommandList, AppendImageCopyFromMemoryExt, 3)        \
    X(CommandList, AppendEventReset, 0)                    \
    X(CommandList, AppendQueryKernelTimestamps, 0)         \
    X(CommandList, AppendLaunchKernel, 0)                  \
    X(CommandList, AppendLaunchCooperativeKernel, 0)       \
    X(CommandList, AppendLaunchKernelIndirect, 0)          \
    X(CommandList, AppendLaunchMultipleKernelsIndirect, 0) \
    X(Fence, Create, 0)                                    \
    X(Fence, Destroy, 0)                                   \
    X(Fence, HostSynchronize, 0)                           \
    X(Fence, QueryStatus, 0)                               \
    X(EventPool, Create, 0)                                \
    X(EventPool, Destroy, 0)                               \
    X(Event, Create, 0)                                    \
    X(Event, Destroy, 0)                                   \
    X(Event, HostSynchronize, 0)                           \
    X(Event, QueryStatus, 0)                               \
    X(Event, HostReset, 0)                                 \
    X(Event, QueryKernelTimestamp, 0)                      \
    X(EventExp, QueryTimestampsExp, 2)                     \
    X(Kernel, Create, 0)                                   \
    X(Kernel, Destroy, 0)                                  \
    X(Kernel, SetGroupSize, 0)

/* Functions that it only calls. */
#define LAYER_CALLS(X)                           \
    X(Driver, Get, 0)                            \
    X(Device, Get, 0)                            \
    X(Device, GetProperties, 0)                  \
    X(Device, GetSubDevices, 0)                  \
    X(Device, GetCommandQueueGroupProperties, 0) \
    X(Device, GetGlobalTimestamps, 1)            \
    X(Mem, GetAllocProperties, 0)                \
    X(Kernel, GetName, 0)

/* Types of the functions are named as in the header: ze_pfnCommandListCreate_t. That of the
 * extension's is without Exp in the name of its table. */
typedef ze_pfnEventQueryTimestampsExp_t ze_pfnEventExpQueryTimestampsExp_t;

/* Functions of later APIs, which the header may not declare: X(name, its place in the table of
 * lists, version, (parameters)). */
typedef struct layer_group_size {
    uint32_t x, y, z;
} layer_group_size;
#define LAYER_LATER(X)                                                                            \
    X(HostSynchronize, 28, 6, (ze_command_list_handle_t list, uint64_t timeout))                  \
    X(AppendLaunchKernelWithParameters, 36, 14,                                                   \
      (ze_command_list_handle_t list, ze_kernel_handle_t kernel, const ze_group_count_t *groups,  \
       const void *next, ze_event_handle_t event, uint32_t wait_count, ze_event_handle_t *waits)) \
    X(AppendLaunchKernelWithArguments, 37, 14,                                                    \
      (ze_command_list_handle_t list, ze_kernel_handle_t kernel, ze_group_count_t groups,         \
       layer_group_size size, void **arguments, const void *next, ze_event_handle_t event,        \
       uint32_t wait_count, ze_event_handle_t *waits))

/* What the tracer calls: the loader's or the driver's functions. NULL: it has none. */
typedef struct layer_functions {
#define FUNCTION(table, function, version) ze_pfn##table##function##_t table##function;
    LAYER_HOOKS(FUNCTION)
    LAYER_CALLS(FUNCTION)
#undef FUNCTION
#define FUNCTION(name, place, version, parameters) \
    ze_result_t(ZE_APICALL *CommandList##name) parameters;
    LAYER_LATER(FUNCTION)
#undef FUNCTION
} layer_functions;

extern layer_functions layer_next;

#define PROTOTYPE(table, function, version) \
    __typeof__(*(ze_pfn##table##function##_t)NULL) layer_##table##function;
LAYER_HOOKS(PROTOTYPE)
#undef PROTOTYPE
#define PROTOTYPE(name, place, version, parameters) ze_result_t layer_CommandList##name parameters;
LAYER_LATER(PROTOTYPE)
#undef PROTOTYPE

/* Protects all that is not of one list alone. */
void layer_lock(void);
void layer_unlock(void);
/* The driver has destroyed what the handle stood for: frees what is known of it. */
void layer_forget(object_kind kind, const void *handle, void *object);

/* ---- devices ---- */

/* Place of memory, by the name that it has in rows of copies. */
enum { PLACE_HOST, PLACE_DEVICE, PLACE_SHARED, PLACE_IMAGE, PLACE_COUNT };

typedef struct layer_device {
    struct layer_device *next;
    ze_device_handle_t handle;
    trace_device *device; /* NULL: the tracer has no room for it */
    kt_clock_info clock;
    double wrap_ns; /* until it begins again; infinite: never */
    uint32_t tiles;
    trace_row *_Atomic copies[PLACE_COUNT][PLACE_COUNT], *_Atomic fill;
    /* A moment: ticks of kernel timestamps, ns of the device's clock, and the host's clock. */
    bool has_moment, is_checked, has_offset;
    uint64_t moment_ticks;
    double moment_ns;
    int64_t moment_host_ns;
    double offset_ns, uncertainty_ns;
} layer_device;

/* Finds or adds a device. NULL: no memory. Under layer_lock(). */
layer_device *layer_device_of(ze_device_handle_t handle);
/*
 * Converts a result of a query to a span. `since_ns`: the host's time before the command was
 * submitted; `now_ns`: when it was known to have ended. False: it contradicts the host's clock or
 * was never written. Under layer_lock().
 */
bool layer_span(layer_device *device, const ze_kernel_timestamp_result_t *result, int64_t since_ns,
                int64_t now_ns, trace_span *out);

/* ---- kernels ---- */

/* A row of a kernel on a device, by size if rows are split. */
typedef struct kernel_row {
    struct kernel_row *next;
    const layer_device *device;
    uint32_t sizes[6]; /* groups, work-items of a group; 0: unknown */
    trace_row *row;    /* NULL: not wanted */
} kernel_row;

typedef struct layer_kernel {
    _Atomic(uint32_t) group[3];
    kernel_row *_Atomic rows;
    char name[]; /* whole: names of SYCL are long and differ at their end */
} layer_kernel;

/* ---- lists ---- */

/* An immediate list has at most so many commands in flight; its chunks are those in flight. */
enum { CHUNK_SLOTS = 64, RING_CHUNKS = 1024, RING_SLOTS = CHUNK_SLOTS * RING_CHUNKS };

typedef struct layer_event layer_event;
typedef struct layer_list layer_list;

/* A command of a list. */
typedef struct layer_slot {
    ze_event_handle_t own; /* our event, which stays with the slot */
    layer_event *program;  /* the program's, if the command has one; NULL: ours is used */
    layer_list *list;
    trace_row *row;
    uint64_t bytes;
    bool is_kernel, is_untimed; /* the program's event gives no timestamps */
    bool is_reset_later;        /* the list resets its event behind it */
    bool is_pending;            /* submitted, and neither timed nor counted */
    bool is_ignored;            /* its event is read, and not recorded */
    int64_t call_begin_ns, call_end_ns;
    uint32_t thread;
} layer_slot;

/* Events of a pool of ours, with their slots. Those that are not used wait in `next`. */
typedef struct layer_chunk {
    struct layer_chunk *next;
    ze_context_handle_t context;
    layer_device *device;
    ze_event_pool_handle_t pool;
    layer_slot slots[CHUNK_SLOTS];
} layer_chunk;

typedef struct layer_queue {
    ze_command_queue_handle_t handle;
    bool is_synchronous;
    uint32_t number;
    uint64_t submissions;       /* finished calls that execute lists */
    struct layer_list *waiting; /* lists in flight */
} layer_queue;

/* Commands are numbered. An immediate list forgets them when they are settled, and others keep
 * them until they are reset. */
struct layer_list {
    ze_command_list_handle_t handle;
    ze_context_handle_t context;
    layer_device *device;
    bool is_immediate, is_synchronous;
    uint32_t number; /* of its lane */
    layer_chunk **chunks;
    size_t chunk_count, chunk_room;
    _Atomic(uint64_t) begun,
        ended;        /* ring: commands appended, and settled. Others: `begun` alone */
    int64_t since_ns; /* host's time before the oldest one was submitted */
    /* Not immediate: */
    layer_queue *queue; /* that executes it; NULL: none does */
    layer_list *next_waiting;
    uint64_t submission; /* of the queue; 0: the call has not returned yet */
    bool is_repeated;    /* submitted again while in flight: its events may be of either run */
};

/* A command that is about to be appended. */
typedef struct layer_append {
    layer_list *list;
    layer_slot *slot;
    trace_row *row;
    trace_timing timing;
} layer_append;

/* Returns the event to append the command with: the program's or ours. `row` NULL: not wanted. */
ze_event_handle_t layer_append_begin(layer_append *append, layer_list *list, trace_row *row,
                                     bool is_kernel, uint64_t bytes, ze_event_handle_t event);
/* The command was appended, or was not. Returns the code. */
ze_result_t layer_append_end(layer_append *append, ze_result_t code);

/* All of these under layer_lock(). `reason`: of commands without a timestamp; LAYER_LEAVE: they
 * stay pending. */
enum { LAYER_LEAVE = -1 };
layer_slot *layer_slot_at(const layer_list *list, uint64_t number);
void layer_leave_queue(layer_list *list);
/* False: it is still pending. */
bool layer_settle(layer_slot *slot, int reason);
/* Returns whether nothing of the list is pending. */
bool layer_settle_list(layer_list *list, int reason);
void layer_settle_queue(layer_queue *queue, uint64_t submission, int reason);
/* Hands over what was read. */
void layer_flush(void);

/* Reads what has ended, wherever it is. Takes the lock. */
void layer_sweep(void);
/* Something was submitted that may not have been read yet. */
bool layer_has_pending(void);
void layer_set_pending(void);

/* Frees what the context's lists left. Before the context ends. */
void layer_context_ends(ze_context_handle_t context);
void layer_forget_pending(void); /* in a child process */

/* ---- events of the program ---- */

struct layer_event {
    ze_event_handle_t handle;
    bool has_timestamps;          /* as its pool was created, by us or by the program */
    bool shows_timestamps;        /* the program asked for them */
    layer_slot *_Atomic user;     /* that is to signal it, and is pending */
    layer_slot *_Atomic recorded; /* the last slot of a list that was appended with it */
};

#endif
