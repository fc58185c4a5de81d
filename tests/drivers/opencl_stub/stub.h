/* SPDX-License-Identifier: MIT */
/* What every file of the stub shares: entering a call, answering it, objects, commands, time. */
#ifndef OPENCL_STUB_H
#define OPENCL_STUB_H

#include "entry_points.h"
#include "script.h"
#include "tests/drivers/frame/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- calls ---- */

enum entry {
#define ENTRY_ID(name) ENTRY_##name,
    ENTRY_POINTS(ENTRY_ID)
#undef ENTRY_ID
        ENTRY_COUNT
};

/* Counts the call and takes the stub's lock, until the function returns. */
static inline bool stub_enter(enum entry entry)
{
    return call_enter((int)entry);
}

static inline void stub_leave(const bool *entered)
{
    (void)entered;
    call_leave();
}

#define ENTER(name) \
    const bool entered __attribute__((cleanup(stub_leave), unused)) = stub_enter(ENTRY_##name)

/* Without the lock. */
_Noreturn void stub_sleep_forever(void);

/* Answers that code, and counts why, unless the condition holds. */
#define REQUIRE(condition, code, ...) \
    do {                              \
        if (!(condition)) {           \
            misuse(__VA_ARGS__);      \
            return (code);            \
        }                             \
    } while (0)

/* For calls that return an object: stores the code, gives back the object. */
static inline void *answer(cl_int *errcode_ret, cl_int code, void *object)
{
    if (errcode_ret)
        *errcode_ret = code;
    return object;
}

static inline void *refuse(cl_int *errcode_ret, cl_int code)
{
    return answer(errcode_ret, code, NULL);
}

/* The answer of every clGet*Info. */
struct room {
    size_t bytes;
    void *out;
    size_t *used;
};

static inline cl_int reply(const void *data, size_t bytes, struct room room)
{
    if (room.out) {
        if (room.bytes < bytes)
            return CL_INVALID_VALUE;
        memcpy(room.out, data, bytes);
    }
    if (room.used)
        *room.used = bytes;
    return CL_SUCCESS;
}

static inline cl_int reply_text(const char *text, struct room room)
{
    return reply(text, strlen(text) + 1, room);
}

/* ---- platform and devices (info.c) ---- */

/* What the device says of itself and a dispatch is held to. */
#define WORK_GROUP_MAX 1024
#define WORK_ITEM_MAX  \
    {                  \
        1024, 1024, 64 \
    }

/* False, and a misuse: it is none. */
bool platform_use(cl_platform_id handle);
bool device_use(cl_device_id handle);

/* Whether platform and device are of this version of OpenCL or a later one. */
bool version_is_since(cl_uint major, cl_uint minor);
/* Whether shared virtual memory, and clGetDeviceAndHostTimer, are supported. */
bool svm_works(void);
bool timer_works(void);

/* ---- for loaders (icd.c) ---- */

extern const struct _cl_icd_dispatch icd_table;

/* ---- objects ---- */

enum kind {
    KIND_CONTEXT,
    KIND_QUEUE,
    KIND_BUFFER,
    KIND_SVM,
    KIND_PROGRAM,
    KIND_KERNEL,
    KIND_EVENT,
    KIND_COUNT
};

/* clRetain... and clRelease..., which answer `error` of what is none. */
#define COUNTED_CALL(name, change, type, kind, error) \
    cl_int name(type handle)                          \
    {                                                 \
        ENTER(name);                                  \
        if (!object_use(handle, kind))                \
            return error;                             \
        change(handle);                               \
        return CL_SUCCESS;                            \
    }
#define RETAINS(name, type, kind, error)  COUNTED_CALL(name, counted_retain, type, kind, error)
#define RELEASES(name, type, kind, error) COUNTED_CALL(name, counted_release, type, kind, error)

struct _cl_context {
    struct counted base;
    cl_uint device_count;
    cl_device_id devices[MAX_DEVICES];
};

bool context_has_device(cl_context context, cl_device_id device);

struct _cl_command_queue {
    struct counted base;
    cl_context context;
    cl_device_id device;
    cl_command_queue_properties properties;
    bool stuck;            /* a command of this queue will never complete */
    cl_ulong latest_start; /* of the commands that it was given; 0: none */
    uint64_t ended; /* what it was given up to this ordinal is seen to have ended (late, lag) */
};

cl_command_queue queue_create(cl_context context, cl_device_id device,
                              cl_command_queue_properties properties);

static inline bool queue_is_profiled(cl_command_queue queue)
{
    return (queue->properties & CL_QUEUE_PROFILING_ENABLE) != 0;
}

static inline bool queue_is_out_of_order(cl_command_queue queue)
{
    return (queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
}

/* All that it was given up to this ordinal is seen to have ended. */
static inline void queue_has_ended(cl_command_queue queue, uint64_t ordinal)
{
    if (queue->ended < ordinal)
        queue->ended = ordinal;
}

/* ---- time (clock.c) ---- */

struct timestamps {
    cl_ulong queued, submit, start, end;
};

/* How many commands have been enqueued in this process, of any queue: the ordinal of the newest. */
extern uint64_t clock_commands;

/* From script.lost on, the device is gone. */
static inline bool device_is_lost(void)
{
    return script.lost != 0 && clock_commands >= script.lost;
}

/* begin before the command's work, end after it and only for an event that can be asked for them.
 * The simulated clock takes duration_ns for the work, the host's clock whatever it took. */
void timestamps_begin(struct timestamps *timestamps, uint64_t ordinal);
void timestamps_end(struct timestamps *timestamps, uint64_t duration_ns);

/* ---- events, and what all commands have in common (event.c, command.c) ---- */

struct _cl_event {
    struct counted base;
    cl_command_queue queue;
    cl_command_type type;
    cl_int fate;      /* the status it will stay in: known at once, as commands run when enqueued */
    uint64_t asks;    /* so often it is still said to have been submitted, with script.late */
    bool ended;       /* it has been waited for */
    uint64_t ordinal; /* of its command */
    struct timestamps timestamps;
};

struct command {
    struct _cl_event event; /* what its event will hold */
    uint64_t duration_ns;   /* on the simulated clock; may be changed between begin and end */
};

struct waits {
    cl_uint count;
    const cl_event *list;
};

/* Kerntime makes no wait lists. Gives the command its ordinal and decides its fate. The queue has been
 * checked. On CL_SUCCESS, do the work if command_runs(), then call command_end(). */
cl_int command_begin(struct command *command, cl_command_queue queue, cl_command_type type,
                     struct waits waits);

static inline bool command_runs(const struct command *command)
{
    return command->event.fate == CL_COMPLETE;
}

/* Hands out the event if one is wanted; a blocking command that never completes never returns. */
cl_int command_end(struct command *command, bool blocking, cl_event *event);

/* ---- memory (memory.c, map.c, svm.c) ---- */

enum { MAPPINGS_MAX = 8 };

struct mapping {
    unsigned char *at; /* NULL: none */
    size_t offset, size;
    cl_map_flags flags;
};

struct svm;

struct _cl_mem {
    struct counted base;
    cl_context context;
    cl_mem_flags flags;
    size_t size;
    unsigned char *data;
    struct block *block; /* the data's, or NULL: it is the host's */
    struct svm *svm;     /* over which it lies, or NULL */
    cl_mem whole;        /* of which it is a part, or NULL */
    struct mapping mappings[MAPPINGS_MAX];
};

cl_int buffer_check_range(cl_command_queue queue, cl_mem buffer, size_t offset, size_t size);

/* What a command reads or writes, until it is closed. A command on memory that is mapped, other
 * than reading what is mapped for reading, is a misuse. */
unsigned char *buffer_open(cl_mem buffer, bool writes);
void buffer_close(cl_mem buffer);

unsigned maps_alive(void);

/* Shared virtual memory, coarse-grained: nobody but a command may touch it. */

/* The allocation in which the pointer lies, or NULL. */
struct svm *svm_find(const void *pointer);
/* Whether so many bytes from there lie in an allocation of that context. */
cl_int svm_check(cl_context context, const void *pointer, size_t size);
/* Lets this command at its bytes. */
void svm_open(struct svm *svm);
void svm_close(struct svm *svm);
/* A buffer lies over it, or no longer. */
void svm_cover(struct svm *svm, int buffers);

/* ---- programs and kernels ---- */

enum { ARG_COUNT_MAX = 16, ARG_BYTES_MAX = 128 };

struct _cl_program {
    struct counted base;
    cl_context context;
    char *source;
    char *options;
    cl_build_status status;
};

union arg_value {
    cl_mem buffer;
    named_kernel_number number;
    unsigned char bytes[ARG_BYTES_MAX];
};

struct _cl_kernel {
    struct counted base;
    cl_context context;
    char *name;
    const group_kernel *named; /* NULL: it takes any arguments and does nothing */
    bool is_empty;             /* it takes the script's empty_ns */
    bool is_flush;             /* kerntime's own, to empty the caches */
    cl_uint args_set;          /* bit i: argument i has a value */
    union arg_value args[ARG_COUNT_MAX];
};

cl_int kernel_set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value);

/* Built, and its text mentions the name. */
cl_int program_has_kernel(cl_program program, const char *name);

#endif
