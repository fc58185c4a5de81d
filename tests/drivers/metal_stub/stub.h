/* SPDX-License-Identifier: MIT */
/* What every file of the stub shares: entering a message, objects with their lifetimes, the clock,
 * commands, and misuse. */
#ifndef METAL_STUB_H
#define METAL_STUB_H

#include "entry_points.h"
#include "runtime.h"
#include "script.h"
#include "tests/drivers/frame/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Metal's types and values ---- */

typedef unsigned long ns_uint; /* NSUInteger */
typedef unsigned char ns_bool;
struct ns_range {
    ns_uint location, length;
};
struct mtl_size {
    ns_uint width, height, depth;
};

enum { AT_STAGE = 0, AT_DRAW = 1, AT_DISPATCH = 2, AT_BLIT = 4 };
enum { STORAGE_SHARED = 0, STORAGE_MANAGED = 1, STORAGE_PRIVATE = 2 };
enum { OBJC_ASSOCIATION_RETAIN = 0x301 };
enum { UTF8_ENCODING = 4, FUNCTION_KERNEL = 3 };
enum { STATUS_NONE = 0, STATUS_SCHEDULED = 3, STATUS_COMPLETED = 4, STATUS_ERROR = 5 };

#define DONT_SAMPLE  ((ns_uint)-1)
#define ERROR_SAMPLE UINT64_MAX

enum {
    BINDINGS_MAX = 31, /* of a compute encoder */
    BYTES_MAX_BOUND = 4096,
    NAME_MAX_BYTES = 64,
    SAMPLE_PLACES = 4,   /* of a render pass; of the others two */
    COMMANDS_ALIVE = 64, /* of a queue of which nothing else is said */
    CALL_NS = 20,        /* what a message or function takes */
    GROUP_MEMORY_BYTES = 32768,
    GAP_NS = 2000 /* before command buffers, and between encoders that wait for each other */
};

/* ---- messages and functions (report.c) ---- */

enum kind {
    KIND_DEVICE,
    KIND_QUEUE,
    KIND_COMMANDS,
    KIND_ENCODER,
    KIND_FENCE,
    KIND_BUFFER,
    KIND_LIBRARY,
    KIND_FUNCTION,
    KIND_PIPELINE,
    KIND_REFLECTION,
    KIND_ARGUMENT,
    KIND_OPTIONS,
    KIND_COUNTER_SET,
    KIND_COUNTER,
    KIND_SAMPLES,
    KIND_SAMPLES_DESCRIPTOR,
    KIND_PASS,
    KIND_ATTACHMENTS,
    KIND_ATTACHMENT,
    KIND_STRING,
    KIND_ARRAY,
    KIND_DATA,
    KIND_ERROR,
    KIND_PROCESS,
    KIND_COUNT
};

/* Takes the stub's lock, counts the message and lets time pass. The object, or NULL: it is none of
 * that kind, or the script wants the message to fail. */
void *stub_enter(enum entry entry, id self, enum kind kind);
/* For a class method or a function; false: it is to fail. */
bool stub_enter_call(enum entry entry);
void stub_leave(void *entered);
/* Of what one of the two has answered: the function's return leaves. */
#define LEAVES __attribute__((cleanup(stub_leave)))
/* A method begins: `it` is the object. */
#define ENTER(type, it, entry, kind) LEAVES type *it = stub_enter(ENTRY_##entry, self, kind)

/* The whole of a method that asks; `it` is the object. */
#define ANSWER(result, entry, type, kind, expression) \
    ENTER(const type, it, entry, kind);               \
    return it ? (result)(expression) : (result)0

/* ---- objects (objects.c) ---- */

/* What a thing keeps for others, each by a key. */
struct association {
    const void *key;
    struct thing *value;
    struct association *next;
};

struct thing {
    struct object base;
    Class isa; /* whose address is the object's id */
    long refs;
    void (*end)(void *thing); /* or NULL */
    struct association *associations;
};

/* Its one reference is the caller's. Of the class that `kind` has; `which` is among those of one
 * kind. */
void *thing_create(enum kind kind, unsigned which, size_t bytes, void (*end)(void *thing));
id thing_id(void *thing);
/* NULL: nil, or not alive or of that kind, which is a misuse. */
void *thing_use(id object, enum kind kind);
void *thing_retain(void *thing); /* NULL: nothing */
void thing_drop(void *of);
/* Left to the innermost pool, and its id; NULL: nil. */
id thing_leave(void *thing);
/* Of all threads. */
unsigned pools_open(void);

/* ---- classes (classes.c) ---- */

enum encoder_type { ENCODER_COMPUTE, ENCODER_BLIT, ENCODER_RENDER, ENCODER_TYPES };

struct method {
    enum entry entry;
    IMP function;
    const char *types; /* as the compiler encodes them, without offsets */
};
#define METHOD(entry, function, types)        \
    {                                         \
        ENTRY_##entry, (IMP)(function), types \
    }
#define METHODS_END             \
    {                           \
        ENTRY_COUNT, NULL, NULL \
    }

/* Each ends with METHODS_END. Those of a class itself come second. */
extern const struct method device_methods[], queue_methods[], commands_methods[], compute_methods[],
    blit_methods[], render_methods[], fence_methods[], buffer_methods[], library_methods[],
    function_methods[], pipeline_methods[], reflection_methods[], argument_methods[],
    options_methods[], counter_set_methods[], counter_methods[], samples_methods[],
    samples_descriptor_methods[], pass_methods[], attachments_methods[], attachment_methods[],
    render_attachment_methods[], string_methods[], array_methods[], data_methods[], error_methods[],
    process_methods[];
extern const struct method options_class_methods[], samples_descriptor_class_methods[],
    compute_pass_class_methods[], blit_pass_class_methods[], render_pass_class_methods[],
    string_class_methods[], process_class_methods[];

bool class_is_known(const char *name);
Class class_of(enum kind kind, unsigned which);

/* ---- Foundation (foundation.c) ---- */

struct string {
    struct thing thing;
    char text[];
};

struct string *string_create(const char *text);
struct array {
    struct thing thing;
    size_t count;
    struct thing *items[];
};
/* Holds its items. */
struct array *array_create(struct thing *const *items, size_t count);
struct data {
    struct thing thing;
    size_t length;
    unsigned char bytes[];
};
struct data *data_create(const void *bytes, size_t length);
/* Domains of errors, and the code of a sample buffer that does not fit any more. */
#define IN_COMMANDS  "MTLCommandBufferErrorDomain"
#define IN_COUNTERS  "MTLCounterErrorDomain"
#define IN_LIBRARIES "MTLLibraryErrorDomain"
enum { NO_ROOM = 0, NOT_VALID = 1, NOT_COMPILED = 3 };
/* Through what may be NULL, an autoreleased NSError. */
__attribute__((format(printf, 4, 5))) void error_tell(id *to, const char *domain, long code,
                                                      const char *format, ...);

/* ---- the clock (clock.c) ---- */

void clock_begin(void);
/* The simulated clock moves to that moment, unless it is past; the host's is waited for, with
 * others let in. */
void clock_wait(int64_t moment_ns);
/* What the moment is on the device's clock, in its ticks, cut to its width; in the ns or ticks of
 * mach_absolute_time. */
uint64_t clock_gpu_ticks(int64_t ns);
uint64_t clock_mach_ticks(int64_t ns);
/* Back to where the device's clock last moved. */
int64_t clock_on_resolution(int64_t ns);
/* A pair, as sampleTimestamps:gpuTimestamp: reads it: while it takes its time. */
void clock_pair(uint64_t *host, uint64_t *gpu);

/* ---- devices (device.c) ---- */

struct device {
    struct thing thing;
    unsigned ordinal;
    int64_t begin_ns;               /* of the latest that was committed */
    struct commands *first, *last;  /* committed, and not complete */
    struct counter_set *timestamps; /* NULL: it cannot sample */
};

bool device_samples_at(ns_uint point);
/* Does what can be done by now, on all devices. */
void devices_settle(void);

/* ---- buffers (buffer.c) ---- */

struct buffer {
    struct thing thing;
    struct device *device;
    struct block *block; /* NULL: the memory is the process's */
    unsigned char *data;
    size_t bytes;
    ns_uint storage;
    int64_t end_ns; /* of the latest pass that uses it */
};

struct buffer *buffer_create(struct device *device, ns_uint bytes, ns_uint options, void *memory);

/* ---- programs (program.c) ---- */

struct library {
    struct thing thing;
    char *text;
};
struct library *library_create(id source, id options, id *error);

struct function {
    struct thing thing;
    char name[NAME_MAX_BYTES];
    const group_kernel *known; /* NULL: the stub does not run it */
    char *parameters;          /* "(device float *x, ...)" */
};
/* What a pipeline is made with; left to the innermost pool. */
enum { REFLECT_ARGUMENTS = 1, REFLECT_TYPES = 2 };
id reflection_create(id function);
struct pipeline {
    struct thing thing;
    struct function *function;
};
struct pipeline *pipeline_create(id function, id *error);

/* ---- samples and passes (samples.c, passes.c) ---- */

struct counter_set {
    struct thing thing;
};
struct samples {
    struct thing thing;
    struct device *device;
    struct string *label; /* or NULL */
    size_t count;
    long writers; /* encoders, and samples between commands, of command buffers that live */
    uint64_t *values;
    enum { SAMPLE_FREE, SAMPLE_ENCODED, SAMPLE_WRITTEN } * states;
};
struct samples *samples_create(struct device *device, id descriptor, id *error);
/* A place to be written; false, and a misuse: there is none such. */
bool samples_take(const struct device *device, struct samples *samples, ns_uint index);
/* Will not be written, or is so at that moment. */
void samples_leave(struct samples *samples, ns_uint index);
/* `ends`: something was begun with the sample before it; `of`: what kind of pass it is of. */
void samples_write(struct samples *samples, ns_uint index, int64_t ns, bool ends,
                   enum encoder_type of);

struct attachment {
    struct thing thing;
    struct samples *samples;
    ns_uint index[SAMPLE_PLACES]; /* start and end, and those of fragments */
};
struct pass {
    struct thing thing;
    enum encoder_type type;
    struct attachments *attachments;
};
struct attachments {
    struct thing thing;
    struct attachment *attachment;
};

/* ---- commands (commands.c, encoder.c, execute.c) ---- */

enum op { OP_DISPATCH, OP_DRAW, OP_COPY, OP_FILL, OP_SAMPLE, OP_WAIT, OP_UPDATE };

struct command {
    enum op op;
    struct thing *held[GROUP_KERNEL_MEMORIES_MAX + 2]; /* what it uses */
    size_t held_count;
    const group_kernel *kernel;
    const char *name;
    uint32_t groups[3], group_size[3];
    void *memories[GROUP_KERNEL_MEMORIES_MAX];
    named_kernel_number numbers[NAMED_KERNEL_NUMBERS_MAX];
    unsigned char *dst;
    const unsigned char *src;
    size_t bytes;
    unsigned char value;
    struct samples *samples;
    ns_uint index;
    int64_t begin_ns;
    bool wrong;
};

struct fence {
    struct thing thing;
    struct device *device;
    int64_t end_ns; /* of the latest pass that updates it */
};
struct fence *fence_create(struct device *device);

struct binding {
    struct buffer *buffer; /* or bytes */
    ns_uint offset;
    size_t length;
    unsigned char *bytes;
};

struct encoder {
    struct thing thing;
    struct encoder *next; /* of the same commands */
    struct commands *commands;
    enum encoder_type type;
    bool ended;
    struct pipeline *pipeline;
    struct binding bindings[BINDINGS_MAX];
    ns_uint group_memory[BINDINGS_MAX]; /* bytes of threadgroup memory */
    struct samples *samples;            /* of its pass, or NULL */
    ns_uint index[SAMPLE_PLACES];
    struct command *list;
    size_t count, room;
    int64_t begin_ns, end_ns;
};
struct encoder *encoder_create(struct commands *commands, enum encoder_type type,
                               struct pass *pass);
/* It will not run: what it was to write is free again. */
void encoder_forget(struct encoder *encoder);
/* Its command buffer is deallocated. */
void encoder_let_go(const struct encoder *encoder);
/* It does something, so its samples are written. */
bool encoder_works(const struct encoder *encoder);

struct queue {
    struct thing thing;
    struct device *device;
    ns_uint depth,
        alive; /* command buffers that were made and are not complete: at most, and how many */
};
struct queue *queue_create(struct device *device, ns_uint depth);

struct commands {
    struct thing thing;
    struct commands *next; /* on the device */
    struct queue *queue;
    struct encoder *first, *last, *open;
    ns_uint status;
    bool hangs, fails;
    uint64_t late; /* how often it will still be asked in vain */
    int64_t begin_ns, end_ns;
};
/* When each begins and ends, from that moment on. */
void commands_schedule(struct commands *commands, int64_t begin_ns);
void commands_execute(struct commands *commands);

/* Takes the arguments that are bound; false, and a misuse: a memory is too small, or missing. */
bool kernel_take(const struct encoder *encoder, struct command *command);
void kernel_run(const struct command *command);

#endif
