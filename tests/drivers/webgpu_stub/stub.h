/* SPDX-License-Identifier: MIT */
/* What every file of the stub shares: entering a call, objects, errors and answers. */
#ifndef WEBGPU_STUB_STUB_H
#define WEBGPU_STUB_STUB_H

#include "entry_points.h"
#include "script.h"
#include "tests/drivers/frame/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* bytes are a mapping's alignment, and that of where queries are resolved to and of what is
 * bound */
enum {
    BINDINGS_MAX = 16,
    NAME_MAX_BYTES = 64,
    QUERIES_MAX = 4096,
    MAP_ALIGN = 8,
    BIND_ALIGN = 256
};

enum {
    FEATURE_TIMESTAMPS =
        STUB_EARLY ? WGPU_EARLY_FEATURE_TIMESTAMP_QUERY : WGPUFeatureName_TimestampQuery
};

/* ---- calls (report.c); all that follows is under the lock ---- */

struct WGPUDeviceImpl;

/* `on` is the object that the call is on, or NULL. True: the script wants the call to fail. */
bool stub_enter(enum entry entry, const void *on);
/* Lets the lock go; then the callbacks that are due are called. */
void stub_leave(const bool *fails);
#define ENTER(name, on) \
    const bool fails __attribute__((cleanup(stub_leave), unused)) = stub_enter(ENTRY_##name, on)

/* Lives beside objects: texts of adapters. */
void report_infos(int change);

/* ---- objects (report.c) ---- */

enum kind {
    KIND_INSTANCE,
    KIND_ADAPTER,
    KIND_DEVICE,
    KIND_QUEUE,
    KIND_BUFFER,
    KIND_QUERIES,
    KIND_SHADER,
    KIND_PIPELINE,
    KIND_LAYOUT,
    KIND_GROUP,
    KIND_ENCODER,
    KIND_PASS,
    KIND_COMMANDS
};

struct base {
    struct counted counted;
    bool invalid;                  /* the API's way to say that it was not made */
    struct WGPUDeviceImpl *device; /* NULL: instances and adapters have none */
};

/* An object of this device, which it holds; `end` lets go what it holds besides, or is NULL. An
 * invalid one, or NULL, where the script wants the call to fail. */
void *create(enum kind kind, size_t bytes, WGPUDevice device, bool fails, void (*end)(void *));

#define RELEASES(name, type, kind)    \
    void name(type handle)            \
    {                                 \
        ENTER(name, handle);          \
        if (object_use(handle, kind)) \
            counted_release(handle);  \
    }

/* ---- errors (errors.c) ---- */

/* Goes to the innermost scope that wants it, else to the callback for what nobody caught; begins
 * with the name of the call. */
__attribute__((format(printf, 3, 4))) void device_error(struct WGPUDeviceImpl *device,
                                                        WGPUErrorType type, const char *format,
                                                        ...);
/* The error that the script wants of this call. */
void device_forced(struct WGPUDeviceImpl *device);
/* One that a program should not make: told, and counted as misuse. */
__attribute__((format(printf, 2, 3))) void device_refuses(struct WGPUDeviceImpl *device,
                                                          const char *format, ...);
/* False, and an error, unless the condition holds. */
#define REQUIRE(device, condition, ...) \
    ((condition) ? true : (device_refuses(device, __VA_ARGS__), false))
/* The same where the reason is an object that the API itself has given as an error: no misuse. */
bool device_takes(struct WGPUDeviceImpl *device, const void *object);
void device_lose(struct WGPUDeviceImpl *device, WGPUDeviceLostReason reason, const char *message);

/* ---- answers (events.c) ---- */

enum event_kind {
    EVENT_ADAPTER,
    EVENT_DEVICE,
    EVENT_SCOPE,
    EVENT_MAP,
    EVENT_DONE,
    EVENT_LOST,
    EVENT_UNCAUGHT
};

struct event {
    struct event *next;
    uint64_t id;
    enum event_kind kind;
    WGPUCallbackMode mode;
    WGPUProc callback;
    void *userdata[2];
    uint32_t status, type;
    void *object; /* adapter or device that is given; or the device that it is about */
    char *message;
    struct WGPUInstanceImpl *instance;
    struct WGPUDeviceImpl *device; /* whose submissions must be complete; or NULL */
    uint64_t serial;               /* up to which */
    uint64_t late;                 /* how often it will still be asked in vain */
    uint64_t begin_ns;             /* host time when it was asked for */
    struct WGPUBufferImpl *buffer; /* that is being mapped */
};

/* A future: comes in its time. `info` is any of the structures of callbacks, which begin alike. */
struct event *event_create(struct WGPUInstanceImpl *instance, enum event_kind kind,
                           const void *info);
WGPUFuture event_post(struct event *event);
/* One that is due at once, of which no future is known. */
struct event *event_create_due(enum event_kind kind, WGPUProc callback, void *userdata1,
                               void *userdata2);
void event_post_due(struct event *event);
/* Those that come by themselves, where their time has come. */
void events_look(struct WGPUInstanceImpl *instance);
void events_cancel(struct WGPUInstanceImpl *instance);
/* Calls what is due, without the lock. */
void events_call(struct event *list);
/* What this thread's call has made due. */
struct event *events_take_due(void);

/* ---- what objects are ---- */

struct WGPUInstanceImpl {
    struct base base;
    bool waits_with_limit;
    uint64_t next_id;
    struct event *events; /* newest first */
};

struct WGPUAdapterImpl {
    struct base base;
    struct WGPUInstanceImpl *instance;
    uint64_t kind; /* enum script_adapter */
    uint32_t index;
};

struct scope {
    struct scope *outer;
    WGPUErrorFilter filter;
    WGPUErrorType type; /* caught */
    char *message;
    const void *thread;
};

struct WGPUDeviceImpl {
    struct base base;
    struct WGPUInstanceImpl *instance;
    struct WGPUQueueImpl *queue;
    struct scope *scopes; /* innermost first */
    WGPULimits limits;
    bool has_timestamps, synchronised, quantised;
    bool lost;
    WGPUDeviceLostCallbackInfo on_lost;
    WGPUUncapturedErrorCallbackInfo on_error;
    uint64_t memory_bytes; /* of all buffers of it */
};

struct WGPUQueueImpl {
    struct base base;
    uint64_t submitted, completed;
    struct submission *held, *newest_held;
    bool stuck; /* by a submission that never completes */
};

struct WGPUBufferImpl {
    struct base base;
    WGPUFlags usage;
    uint64_t bytes;
    unsigned char *data;
    enum { BUFFER_UNMAPPED, BUFFER_PENDING, BUFFER_MAPPED } state;
    uint64_t map_offset, map_bytes;
    WGPUFlags map_mode;
    unsigned char *mapping; /* a copy, gone when it is unmapped */
    struct event *pending;
    uint64_t last_use; /* the latest submission that uses it */
};

struct query {
    uint64_t ns;
    bool written;
};

struct WGPUQuerySetImpl {
    struct base base;
    uint32_t count;
    struct query *queries;
};

enum binding { BINDING_NONE, BINDING_READ, BINDING_WRITE, BINDING_UNIFORM };

struct WGPUShaderModuleImpl {
    struct base base;
    char *text; /* without comments */
};

struct WGPUBindGroupLayoutImpl {
    struct base base;
    enum binding bindings[BINDINGS_MAX];
};

struct WGPUComputePipelineImpl {
    struct base base;
    struct WGPUBindGroupLayoutImpl *layout;
    char entry[NAME_MAX_BYTES];
    const group_kernel *kernel; /* NULL: unknown */
    uint32_t group_size[3];
};

struct binding_entry {
    struct WGPUBufferImpl *buffer;
    uint64_t offset, bytes;
};

struct WGPUBindGroupImpl {
    struct base base;
    struct WGPUBindGroupLayoutImpl *layout;
    struct binding_entry entries[BINDINGS_MAX];
};

enum op { OP_BEGIN, OP_END, OP_DISPATCH, OP_COPY, OP_RESOLVE, OP_WRITE };

struct command {
    enum op op;
    struct WGPUBufferImpl *src, *dst;
    uint64_t src_offset, dst_offset, bytes;
    struct WGPUQuerySetImpl *queries; /* NULL: no timestamp */
    uint32_t first, count;
    struct WGPUComputePipelineImpl *pipeline;
    struct WGPUBindGroupImpl *group;
    uint32_t groups[3];
    unsigned char *data; /* of a write */
};

struct commands {
    struct command *list;
    uint32_t count, room;
};

struct WGPUCommandEncoderImpl {
    struct base base;
    struct commands commands;
    char *error; /* the first; told at the end */
    struct WGPUComputePassEncoderImpl *pass;
    bool finished;
};

struct WGPUComputePassEncoderImpl {
    struct base base;
    struct WGPUCommandEncoderImpl *encoder;
    struct WGPUQuerySetImpl *queries;
    uint32_t end_query;
    bool ended;
    struct WGPUComputePipelineImpl *pipeline;
    struct WGPUBindGroupImpl *group;
};

struct WGPUCommandBufferImpl {
    struct base base;
    struct commands commands;
    bool submitted;
};

/* Puts a command there and holds what it names. */
void commands_add(struct commands *commands, const struct command *command);
void commands_end(struct commands *commands);

/* ---- features (instance.c), limits (limits.c) ---- */

bool adapter_has(WGPUFeatureName feature);

void limits_of_adapter(WGPULimits *limits);
/* None is beyond the adapter's. */
bool limits_are_there(const WGPULimits *wanted);
/* The usual ones where no more is wanted; NULL: nowhere. */
void limits_of_device(const WGPULimits *wanted, WGPULimits *limits);

/* ---- buffers ---- */

/* The mapping that was asked for is there, if `event` can still have it. */
void buffer_settle(struct WGPUBufferImpl *buffer, struct event *event);

/* ---- texts of shaders (wgsl.c) ---- */

/* Without comments; the caller's. */
char *wgsl_strip(const char *text, size_t bytes);
/* What is wrong with it, or NULL. */
const char *wgsl_wrong(const char *text);
bool wgsl_has_entry(const char *text, const char *entry);
bool wgsl_has_override(const char *text, const char *name);
/* Of group 0, those that the entry uses; NULL, or what is wrong. */
const char *wgsl_bindings(const char *text, const char *entry, enum binding bindings[BINDINGS_MAX]);
/* Word number `which` of workgroup_size of this entry; "" if there is none. */
void wgsl_group_size(const char *text, const char *entry, int which, char word[NAME_MAX_BYTES]);

/* ---- kernels, time, execution ---- */

/* A timestamp as of now, as coarse as the device's are. */
uint64_t device_timestamp(const struct WGPUDeviceImpl *device);

/* One after another; `device` has the clock. */
void execute(const struct commands *commands, const struct WGPUDeviceImpl *device);
/* The queue goes on with what it holds. */
void queue_execute(struct WGPUQueueImpl *queue, uint64_t submissions);
/* What it holds will never be run. */
void queue_forget(struct WGPUQueueImpl *queue);

/* A view as a text of the caller's, cut off at `bytes`. */
void view_copy(WGPUStringView view, char *to, size_t bytes);

#endif
