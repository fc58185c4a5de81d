/* What every file of the stub shares: entering a call, objects with their lifetimes, errors,
 * answers, and misuse. */
#ifndef WEBGPU_STUB_STUB_H
#define WEBGPU_STUB_STUB_H

#include "entry_points.h"
#include "script.h"
#include "tests/drivers/stub_report.h"

#include <kerntime/program.h>
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

/* ---- calls (objects.c, report.c); all that follows is under the lock ---- */

struct object;

/* Counts the call, takes the stub's lock, and sees whether another thread is in a call on the same
 * device. True: the script wants the call to fail. `on` is what it is a call on, or NULL. */
bool stub_enter(enum entry entry, const void *on);
/* Lets the lock go; then the callbacks that are due are called. */
void stub_leave(void);
/* For a call that lets the lock go between two looks. */
void stub_lock(void);
/* This thread is in a call on the device until it steps outside again; whether others are, too. */
int stub_step_inside(const void *device, bool *others);
void stub_step_outside(int at);
#define ENTER(name, on) stub_enter(ENTRY_##name, on)

/* Lives beside objects: texts of adapters. */
void report_infos(int change);

/* ---- objects (objects.c) ---- */

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
    KIND_COMMANDS,
    KIND_COUNT
};

/* A released object is kept for a good while, so that a late use is found rather than undefined. */
struct object {
    uint32_t magic;
    enum kind kind;
    unsigned refs;                 /* the program's */
    unsigned holds;                /* of other objects, and one for all refs */
    bool invalid;                  /* the API's way to say that it was not made */
    struct WGPUDeviceImpl *device; /* NULL: instances and adapters have none */
    void (*end)(void *object);     /* lets go what it holds; or NULL */
    struct object *older, *newer;
};

/* Zeroed, with one ref. Aborts when out of memory. */
void *object_create(enum kind kind, size_t bytes, struct WGPUDeviceImpl *device);
/* The object if the program still has it, else NULL and a misuse. */
void *object_use(void *handle, enum kind kind, const char *caller);
#define USE(handle, kind) object_use(handle, kind, __func__)
void object_release(void *handle, enum kind kind, const char *caller);
void object_retain(void *handle); /* NULL: nothing */
void object_drop(void *handle);

/* Each object that is not ended of this kind; `next` NULL: the first. */
void *object_next(enum kind kind, void *previous);

/* ---- errors (errors.c) ---- */

/* Goes to the innermost scope that wants it, else to the callback for what nobody caught. */
__attribute__((format(printf, 3, 4))) void device_error(struct WGPUDeviceImpl *device,
                                                        WGPUErrorType type, const char *format,
                                                        ...);
/* The error that the script wants of this call. */
void device_forced(struct WGPUDeviceImpl *device, const char *call);
/* One that a program should not make: told, and counted as misuse. */
__attribute__((format(printf, 2, 3))) void device_refuses(struct WGPUDeviceImpl *device,
                                                          const char *format, ...);
/* False, and an error, unless the condition holds. */
#define REQUIRE(device, condition, ...) \
    ((condition) ? true : (device_refuses(device, __VA_ARGS__), false))
/* The same where the reason is an object that the API itself has given as an error: no misuse. */
bool device_takes(struct WGPUDeviceImpl *device, const void *object, const char *caller);
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
                           const void *info, const char *caller);
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
    struct object base;
    bool waits_with_limit;
    uint64_t next_id;
    struct event *events; /* newest first */
};

struct WGPUAdapterImpl {
    struct object base;
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
    struct object base;
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
    struct object base;
    uint64_t submitted, completed;
    struct submission *held, *newest_held;
    bool stuck; /* by a submission that never completes */
};

struct WGPUBufferImpl {
    struct object base;
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
    struct object base;
    uint32_t count;
    struct query *queries;
};

enum binding { BINDING_NONE, BINDING_READ, BINDING_WRITE, BINDING_UNIFORM };

struct WGPUShaderModuleImpl {
    struct object base;
    char *text; /* without comments */
};

struct WGPUBindGroupLayoutImpl {
    struct object base;
    enum binding bindings[BINDINGS_MAX];
};

struct WGPUComputePipelineImpl {
    struct object base;
    struct WGPUBindGroupLayoutImpl *layout;
    char entry[NAME_MAX_BYTES];
    kt_c_kernel function; /* NULL: unknown */
    uint32_t group_size[3];
};

struct binding_entry {
    struct WGPUBufferImpl *buffer;
    uint64_t offset, bytes;
};

struct WGPUBindGroupImpl {
    struct object base;
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
    struct object base;
    struct commands commands;
    char *error; /* the first; told at the end */
    struct WGPUComputePassEncoderImpl *pass;
    bool finished;
};

struct WGPUComputePassEncoderImpl {
    struct object base;
    struct WGPUCommandEncoderImpl *encoder;
    struct WGPUQuerySetImpl *queries;
    uint32_t end_query;
    bool ended;
    struct WGPUComputePipelineImpl *pipeline;
    struct WGPUBindGroupImpl *group;
};

struct WGPUCommandBufferImpl {
    struct object base;
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

/* The workloads' C function of that name, or NULL. */
kt_c_kernel kernel_find(const char *entry);

/* A timestamp as of now, as coarse as the device's are. */
uint64_t clock_timestamp(const struct WGPUDeviceImpl *device);
/* The simulated clock moves on; others do so by themselves. */
void clock_advance(uint64_t ns);
/* Some ns of noise between two commands, so that they have no common step. */
void clock_advance_noise(void);
uint64_t clock_host_ns(void);

/* One after another; `device` has the clock. */
void execute(const struct commands *commands, const struct WGPUDeviceImpl *device);
/* The queue goes on with what it holds. */
void queue_execute(struct WGPUQueueImpl *queue, uint64_t submissions);
/* What it holds will never be run. */
void queue_forget(struct WGPUQueueImpl *queue);

/* A view as a text of the caller's, cut off at `bytes`. */
void view_copy(WGPUStringView view, char *to, size_t bytes);

#endif
