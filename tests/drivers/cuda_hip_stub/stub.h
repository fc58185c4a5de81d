/* SPDX-License-Identifier: MIT */
/* What every file of the stub shares: entering a call, objects with their lifetimes, the clock, and
 * misuse. */
#ifndef CUDA_HIP_STUB_H
#define CUDA_HIP_STUB_H

#include "entry_points.h"
#include "script.h"
#include "tests/drivers/frame/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* HIP does not tell of the last one. */
enum { GROUP_X_Y_MAX = 1024, GROUP_Z_MAX = 64, GROUPS_Y_Z_MAX = STUB_HIP ? 65536 : 65535 };
/* Shared memory of a launch, of one that was told so, and what one of CUDA may have at most. */
enum { SHARED_BYTES = 49152, SHARED_BYTES_MAX = STUB_HIP ? SHARED_BYTES : 232448 };
enum { NAME_MAX_BYTES = 64, ENTRIES_MAX = 32, PARAMETERS_MAX = 16 };

/* PCI bus of the first device; each further one has the next bus. */
enum { PCI_BUS = 0x3b };

/* What begins machine code, before the number of the architecture that it is for. */
#define CODE_BEGIN "\x7fstub sm_"

/* kerntime's own kernel that holds a stream, and its words: see
 * src/backends/cuda_hip/blocking_ptx.h. */
#define BLOCKING_ENTRY "kt_block"
/* That of kerntime-hw-check which knows how long it ran. */
#define SPIN_ENTRY "hw_spin"
/* kerntime's own kernel that measures the clock: see src/backends/cuda_hip/clock_ptx.h. */
#define CLOCK_ENTRY "kt_clock"
enum { BLOCKING_WORDS_BYTES = 68, CLOCK_NS = 100000 };

/* Of cuda.h, beside those of types.h; HIP's are the same. */
enum {
    CODE_NOT_INITIALIZED = 3,
    CODE_INVALID_CONTEXT = 201,
    CODE_NOT_SUPPORTED = 801,
    CODE_CAPTURE_INVALIDATED = 901
};

/* ---- calls (report.c) ---- */

/* What a call needs. NO_LUCK: it ends something, so it does its work though the device is lost.
 * NO_DEVICE: it is of this thread, and knows nothing of that. */
enum {
    NEEDS_NOTHING = 0,
    NEEDS_INIT = 1,
    NEEDS_CONTEXT = 2,
    NEEDS_NO_LUCK = 4,
    NEEDS_NO_DEVICE = 8
};

/* What a call must answer without doing anything, or CUDA_OK. */
cuda_code stub_enter(enum entry entry, unsigned needs);
void stub_leave(const cuda_code *code);

/* Until the function returns. One that ends something and could do it answers stub_lost(). */
#define ENTER(name, needs)                                                                  \
    cuda_code code_ __attribute__((cleanup(stub_leave))) = stub_enter(ENTRY_##name, needs); \
    if (code_ != CUDA_OK)                                                                   \
    return code_

/* What every call answers from now on, but those that end something. */
void stub_lose(cuda_code code);
cuda_code stub_lost(void);
void stub_initialised(void);

/* The most shared memory that a launch asked for. */
void report_shared(unsigned bytes);
/* Calls that waited because too many commands stood behind a blocking kernel. */
void report_blocked(void);

/* ---- objects ---- */

enum kind { KIND_CONTEXT, KIND_STREAM, KIND_EVENT, KIND_MODULE, KIND_PROGRAM, KIND_COUNT };

struct cuda_context_opaque {
    struct object base;
    cuda_ordinal device;
    bool primary;
    unsigned retained;
    cuda_context parent;   /* of a green context the primary one, else NULL */
    unsigned long long id; /* what was made or reset later has a larger one */
    struct cuda_stream_opaque *null_stream;
};

struct cuda_event_opaque {
    struct object base;
    bool recorded, captured, without_timing, fences;
    bool waiting;                      /* its record stands behind a blocking kernel */
    uint64_t serial;                   /* of its latest record */
    struct cuda_stream_opaque *stream; /* where that was; NULL: the stream is gone */
    int64_t timestamp_ns;
    uint64_t late; /* how often it will still be asked in vain */
};

struct cuda_function_opaque {
    char name[NAME_MAX_BYTES];
    const group_kernel *kernel; /* NULL: the stub does not run it */
    bool holds, spins, clocks;
    unsigned shared_max; /* most shared memory of a launch */
    unsigned count;      /* of its parameters */
    size_t bytes[PARAMETERS_MAX];
    cuda_module module;
};

struct cuda_module_opaque {
    struct object base;
    unsigned count;
    struct cuda_function_opaque functions[ENTRIES_MAX];
};

/* ---- tools (tools.c) ---- */

/* Loads the tool that the environment names, once, as drivers do when they are begun. Without the
 * lock, as the next one. */
void tools_load(void);
void tools_tell_context(int is_made);

/* ---- contexts (context.c) ---- */

/* That of this thread; NULL: none. */
cuda_context context_current(void);
/* Streams and events of the two meet: they are one, or one is a green context of the other. */
bool contexts_meet(const struct cuda_context_opaque *a, const struct cuda_context_opaque *b);
/* Ends all contexts' own things, for the report. */
unsigned contexts_pushed(void);

/* ---- NVML (nvml.c) ---- */

/* Calls of nvmlInitWithFlags without an nvmlShutdown. */
unsigned nvml_open_count(void);

/* ---- streams and what stands in them (stream.c) ---- */

enum op { OP_LAUNCH, OP_BLOCKING, OP_COPY, OP_SET, OP_FENCE, OP_RECORD };

struct command {
    struct command *next;
    enum op op;
    bool was_idle; /* the stream, when it was put there */
    int64_t queued_ns;
    uint64_t serial;
    int64_t duration_ns;
    bool skipped, wrong, hangs, loses;
    /* launches */
    const char *name;
    const group_kernel *kernel;
    uint32_t groups[3], group_size[3];
    void *memories[GROUP_KERNEL_MEMORIES_MAX];
    named_kernel_number numbers[NAMED_KERNEL_NUMBERS_MAX];
    uint64_t *spin_timestamps; /* of the one that spins, else NULL */
    uint64_t *clock_words;     /* cycles and ns of the one that measures the clock, else NULL */
    /* holds */
    /* where the host releases tickets, and is told of those that nobody released */
    unsigned char *words;
    uint32_t ticket;
    int64_t limit_ns, begin_ns;
    bool begun, given_up;
    /* copies and fillings */
    unsigned char *dst;
    const unsigned char *src;
    size_t bytes;
    unsigned char value;
    cuda_event event;
};

struct cuda_stream_opaque {
    struct object base;
    uint32_t number;
    struct command *first, *last; /* behind a blocking kernel */
    uint64_t waiting;
    int64_t end_ns; /* of all that was executed */
    uint64_t serial,
        done_serial; /* of its commands: the latest; up to which all were seen to be done */
    uint64_t late;
    /* whose default stream it is; NULL: the context's, or one that was made */
    const void *of_thread;
    cuda_capture_status capture;
    cuda_capture_mode capture_mode;
    const void *capture_thread;
};

/* The stream if it is one of the current context's (NULL, 1: its own; 2: that of this thread); else
 * NULL and a misuse. */
cuda_stream stream_use(cuda_stream handle);
#if STUB_HIP
/* One that there is, of any device; NULL: there is none. No misuse. */
cuda_stream stream_find(cuda_stream handle);
#endif
/* A default stream of the current context's, of this handle; NULL: it is of none. */
cuda_stream stream_implicit(cuda_stream handle);
/* Something in the context's streams never ends. */
bool streams_hang(const struct cuda_context_opaque *context);
cuda_stream stream_create(cuda_context context);
/* Puts a copy of the command there, and does what can be done. Waits if too many stand behind a
 * blocking kernel. */
void stream_add(cuda_stream stream, const struct command *command);
/* Does what can be done by now. */
void stream_settle(cuda_stream stream);
/* Somebody asked in vain: time passes. */
void stream_poll(cuda_stream stream);
/* Until all of it has ended. */
void stream_finish(cuda_stream stream);
bool stream_ended(const struct cuda_stream_opaque *stream);
bool stream_is_blocked(const struct cuda_stream_opaque *stream);
/* Tells who wants to know what ran and when. */
void observe(cuda_stream stream, const struct command *command, int64_t begin_ns, int64_t end_ns);
/* Runs what a command does, but holding and recording. */
void command_run(const struct command *command);
/* What an event learns when its record is executed. */
void event_timestamp(cuda_event event, uint64_t serial, int64_t moment_ns);
void events_forget_stream(const struct cuda_stream_opaque *stream);

/* This call would spoil a capture that is under way: what it must answer, or CUDA_OK. */
cuda_code capture_check(void);

/* ---- memory (memory.c) ---- */

enum memory_kind { MEMORY_DEVICE, MEMORY_PINNED, MEMORY_MANAGED, MEMORY_KIND_COUNT };

/* Those of the context are freed; how many they were. */
unsigned memory_drop(const struct cuda_context_opaque *context);

/* ---- kernels (kernels.c) ---- */

/* Takes the arguments out of the parameters, each of so many bytes; false: a memory is too small,
 * or none. */
bool kernel_take(const size_t *bytes, void *const *parameters, struct command *command);
bool spin_take(void *const *parameters, struct command *command);
bool cycles_take(void *const *parameters, struct command *command);
void cycles_run(const struct command *command);
/* When it began is among what it writes. */
void spin_run(const struct command *command, int64_t begin_ns);

#endif
