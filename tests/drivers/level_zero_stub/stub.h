/* SPDX-License-Identifier: MIT */
/* What every file of the stub shares: entering a call, objects with their lifetimes, the clock,
 * engines, and misuse. */
#ifndef LEVEL_ZERO_STUB_H
#define LEVEL_ZERO_STUB_H

#include "entry_points.h"
#include "script.h"
#include "tests/drivers/frame/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NAME_MAX_BYTES = 512,
    ENTRIES_MAX = 32,
    PARAMETERS_MAX = 16,
    PATTERN_MAX = 16,
    GROUP_MAX = 1024, /* work-items */
    EVENTS_MAX = 32,  /* that a command may wait for */
    FILL_PATTERN_COPY_ENGINE = 16
};

/* ---- calls (report.c) ---- */

/* What a call needs. NO_LUCK: it ends something, so it does its work though the device is lost. */
enum { NEEDS_NOTHING = 0, NEEDS_INIT = 1, NEEDS_NO_LUCK = 2 };

/* What the call must answer without doing anything, or success. */
ze_result_t stub_enter(enum entry entry, unsigned needs);
void stub_leave(const ze_result_t *entered);

/* Under the stub's lock until the function returns. */
#define ENTER(name, needs)                                           \
    __attribute__((cleanup(stub_leave))) const ze_result_t entered = \
        stub_enter(ENTRY_##name, (needs));                           \
    if (entered != ZE_RESULT_SUCCESS)                                \
    return entered

void stub_initialised(void);
/* What every call answers from now on, but those that end something. */
void stub_lose(void);
bool stub_is_lost(void);

/* Answers that code, and counts why, unless the condition holds. */
#define REQUIRE(condition, code, ...) \
    do {                              \
        if (!(condition)) {           \
            misuse(__VA_ARGS__);      \
            return (code);            \
        }                             \
    } while (0)

#define REQUIRE_TYPE(desc, type)                                                                   \
    do {                                                                                           \
        REQUIRE((desc) != NULL, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");        \
        REQUIRE((desc)->stype == (type), ZE_RESULT_ERROR_INVALID_ARGUMENT, "stype is not " #type); \
        REQUIRE((desc)->pNext == NULL, ZE_RESULT_ERROR_INVALID_ARGUMENT, "pNext is not NULL");     \
    } while (0)

/* ---- objects ---- */

enum kind {
    KIND_CONTEXT,
    KIND_QUEUE,
    KIND_FENCE,
    KIND_LIST,
    KIND_POOL,
    KIND_EVENT,
    KIND_MODULE,
    KIND_KERNEL,
    KIND_LOG,
    KIND_COUNT
};

#define USE(variable, handle, kind)      \
    variable = object_use(handle, kind); \
    if (!(variable))                     \
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE

/* ---- devices (device.c) ---- */

struct _ze_device_handle_t {
    unsigned driver, ordinal;
    bool is_part;           /* a tile of that device */
    uint64_t context_ticks; /* that something was executed for */
};

/* NULL, and a misuse: it is none. */
ze_device_handle_t device_use(ze_device_handle_t handle);
const ze_command_queue_group_properties_t *device_groups(unsigned *count);

struct _ze_context_handle_t {
    struct object base;
    ze_driver_handle_t driver;
};

/* ---- counters (counters.c) ---- */

void counters_begin(void);
/* Ticks since the stub began: of the moment; the first moment at which there are so many. */
uint64_t counter_now(void);
int64_t counter_moment(uint64_t ticks);
/* How many ticks so many ns are; at least one, but for 0. */
uint64_t counter_length(uint64_t ns);
/* What a command takes: as scripted, unless a test has said something else since. */
uint64_t counter_duration(uint64_t scripted_ns);
/* What the counters show at those ticks, cut to their widths. */
uint64_t counter_global(uint64_t ticks);
uint64_t counter_kernel(uint64_t ticks);

enum memory_kind { MEMORY_HOST, MEMORY_DEVICE, MEMORY_SHARED, MEMORY_KIND_COUNT };

/* ---- events (event.c) ---- */

struct _ze_event_pool_handle_t {
    struct object base;
    uint32_t count, flags;
    bool *taken;
    uint32_t device_count; /* 0: for each device of its context */
    ze_device_handle_t devices[DEVICES_MAX];
};

struct _ze_event_handle_t {
    struct object base;
    ze_event_pool_handle_t pool;
    uint32_t index;
    uint32_t signal, wait; /* scopes */
    bool signalled;
    /* signalled=cached: the host was told once that it is signalled, and is told so again */
    bool cached;
    uint64_t begin_ticks, end_ticks, context_begin, context_end;
    uint64_t late;               /* how often it will still be asked in vain */
    const struct engine *engine; /* that has signalled it */
};

bool event_is_for(const struct _ze_event_handle_t *event, ze_device_handle_t device);
/* Timestamps of one of its tiles, cut to their width. */
ze_kernel_timestamp_result_t event_tile(const struct _ze_event_handle_t *event, unsigned tile);
/* As the driver tells them all: of the first tile. False: they are not written. */
bool event_timestamps(const struct _ze_event_handle_t *event, ze_kernel_timestamp_result_t *out);

/* ---- modules (module.c) ---- */

enum { LOCAL_BYTES_MAX = 65536 }; /* of a group */

struct entry_point {
    char name[NAME_MAX_BYTES];
    unsigned count; /* of its parameters */
    size_t bytes[PARAMETERS_MAX];
    bool pointer[PARAMETERS_MAX], local[PARAMETERS_MAX];
};

struct _ze_module_handle_t {
    struct object base;
    unsigned count;
    struct entry_point entries[ENTRIES_MAX];
};

struct _ze_kernel_handle_t {
    struct object base;
    ze_module_handle_t module;
    const struct entry_point *entry;
    const group_kernel *known; /* NULL: the stub does not run it */
    uint32_t group_size[3];
    bool set[PARAMETERS_MAX];
    union {
        void *memory;
        uint32_t word;
        int64_t wide;
    } values[PARAMETERS_MAX];
};

/* ---- commands, lists and engines (list.c, append.c, engine.c) ---- */

enum op { OP_LAUNCH, OP_COPY, OP_FILL, OP_TIMESTAMP, OP_BARRIER, OP_SIGNAL, OP_RESET, OP_QUERY };

struct range {
    const unsigned char *begin, *end;
    bool written;
};

struct command {
    enum op op;
    ze_event_handle_t signal; /* or NULL */
    ze_event_handle_t waits[EVENTS_MAX];
    uint32_t wait_count;
    const ze_event_handle_t *events; /* that are reset or asked; kept for ever */
    uint32_t event_count;
    struct block *blocks[PARAMETERS_MAX]; /* that it reads or writes */
    uint32_t block_count;
    struct range ranges[PARAMETERS_MAX];
    uint32_t range_count;
    /* launches */
    ze_kernel_handle_t kernel;
    uint32_t groups[3], group_size[3];
    void *memories[GROUP_KERNEL_MEMORIES_MAX];
    named_kernel_number numbers[NAMED_KERNEL_NUMBERS_MAX];
    /* what is written */
    unsigned char *dst;
    const unsigned char *src;
    size_t bytes, pattern_bytes;
    unsigned char pattern[PATTERN_MAX];
};

struct pending {
    struct pending *next;
    struct command command;
    struct _ze_command_list_handle_t *list; /* that it came from, if it is its last one */
    uint64_t ready_ticks, begin_ticks, end_ticks;
    bool begun, hangs;
};

/* What executes: a queue, or an immediate list. */
struct engine {
    struct engine *next;
    struct object *owner;
    ze_device_handle_t device;
    struct pending *first, *last;
    uint64_t barrier_ticks,
        end_ticks; /* from when commands may begin, and until when all were executed */
    uint64_t late;
    bool in_order, synchronous;
    struct command *unordered; /* since the last barrier */
    size_t unordered_count, unordered_room;
};

struct _ze_command_queue_handle_t {
    struct object base;
    struct engine engine;
    uint32_t group;
};

/* Signalled when its queue has executed all that it was given by then. */
struct _ze_fence_handle_t {
    struct object base;
    ze_command_queue_handle_t queue;
    bool given;
};

struct _ze_command_list_handle_t {
    struct object base;
    ze_device_handle_t device;
    uint32_t group;
    bool immediate, closed, in_order;
    uint32_t kinds;     /* flags of its group of queues */
    unsigned in_flight; /* how often */
    struct command *commands;
    size_t count, room;
    struct engine engine; /* of an immediate one */
};

void engine_begin(struct engine *engine, struct object *owner, ze_device_handle_t device);
void engine_end(struct engine *engine);
/* Puts a copy of the command there, and looks whether it depends on one that it is not ordered
 * behind. */
struct pending *engine_add(struct engine *engine, const struct command *command,
                           uint64_t submitted_ticks);
/* Each submission, by a queue or an immediate list: what it must answer. */
ze_result_t engine_submitted(struct engine *engine, struct pending *last);
/* Runs what has ended by now, in all engines. */
void engines_settle(void);
/* Somebody asked in vain: time passes. */
void engines_poll(void);
/* Until `done` holds; settles before each question. */
ze_result_t engines_wait(bool (*done)(void *of), void *of, uint64_t timeout_ns);
bool engine_ended(void *engine);
/* The host knows that all of it has ended, or what signals this event. */
void engine_seen(struct engine *engine);
void engines_seen_event(const struct _ze_event_handle_t *event);
bool engines_use_event(const struct _ze_event_handle_t *event);
bool engines_use_block(const struct block *block);
bool engines_use_kernel(const struct _ze_kernel_handle_t *kernel);
/* What the command refers to is alive; else a misuse. */
bool command_is_alive(const struct command *command);

/* Takes the kernel's arguments as they are; false: a memory is too small, or none. */
bool kernel_take(ze_kernel_handle_t kernel, struct command *command);
void kernel_run(const struct pending *pending);
/* Does what it is for (execute.c). */
void command_run(const struct pending *pending);

#endif
