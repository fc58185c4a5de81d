/* SPDX-License-Identifier: MIT */
/* launch_parts.h - what the files of a launch share; for launch*.c, buffers.c, expected.c alone. */
#ifndef CLI_RUN_LAUNCH_PARTS_H
#define CLI_RUN_LAUNCH_PARTS_H

#include "cli/run/comparing.h"
#include "cli/run/geometry.h"
#include "cli/run/specification.h"

#define ZONE_BYTES        4096
#define LAUNCH_LINE_BYTES 200

/* ---- buffers.c ---- */

/* What a buffer holds before each submission. Equal ones of a contest are one memory. */
typedef struct buffer_request {
    uint32_t contest;
    uint64_t seed;
    element_type element; /* that the content is made for */
    specification spec;
    int64_t count;
    size_t bytes;
    size_t in_front; /* bytes in front of the elements, zeros unless a file has them */
} buffer_request;

typedef struct pool_buffer {
    struct pool_buffer *next;
    size_t references;
    buffer_request request;
    size_t part_bytes; /* that kernels may use: its bytes, of WebGPU whole words */
    size_t zone_bytes; /* of the zone before and the zone behind; 0: they would exceed the device */
    size_t room_bytes; /* of the memory, with zones */
    uint8_t *initial;  /* room_bytes: a zone, the part, a zone */
    kt_memory *memory;
    bool is_changed; /* the device's content may differ from `initial` */
} pool_buffer;

/* Fills zeros with the content: elements behind what is in front, or a file as a whole. Returns 0, or
 * -1 with a sentence. */
int buffer_fill(const buffer_request *request, uint8_t *content,
                char reason[SPECIFICATION_REASON_BYTES]);
/* Makes a buffer, or takes one that there is. */
launch_outcome buffer_take(launch_pool *pool, const buffer_request *request, pool_buffer **out,
                           char reason[LAUNCH_REASON_BYTES]);
void buffer_release(pool_buffer **buffer);
/* Writes the content again if it may have changed; with its zones. */
kt_status buffer_reset(pool_buffer *buffer);
/* Reads content and zones, and returns the content, between them; the bytes live until the next
 * call. NULL: `status` says why. */
const uint8_t *buffer_read(launch_pool *pool, pool_buffer *buffer, kt_status *status);
/* Frees buffers of other contests that no launch uses. */
void buffers_forget(launch_pool *pool, uint32_t contest);

/* ---- expected.c ---- */

/* A buffer of the first kernel of a set. */
typedef struct expected_buffer {
    char name[SIGNATURE_NAME_BYTES];
    uint64_t seed; /* of its content */
    element_type element;
    size_t in_front;        /* bytes in front of its elements */
    bool is_output, varies; /* varies: the first kernel itself writes something else each time */
    uint64_t bytes;
    uint8_t *data; /* of an output: what it should be */
} expected_buffer;

/* What all configurations with this value of configuration.expected should write. */
typedef struct expected_outputs {
    struct expected_outputs *next;
    uint32_t set;
    size_t references; /* launches that are compared with them */
    bool is_known;
    bool varies; /* one of the buffers does, so that nothing is compared */
    expected_buffer buffers[SIGNATURE_PARAMETERS_MAX];
    size_t count;
} expected_outputs;

/* The outputs of a set, read from the folder if they are there and were not yet. NULL, with a sentence,
 * if memory runs out or a file is broken. */
expected_outputs *expected_find(launch_pool *pool, uint32_t set, char reason[LAUNCH_REASON_BYTES]);
/* Writes them to the folder. Returns 0, or -1 with a sentence. */
int expected_write(const launch_pool *pool, const expected_outputs *e,
                   char reason[LAUNCH_REASON_BYTES]);
/* Forgets what was expected. */
void expected_empty(expected_outputs *e);
/* Frees those of other sets that no launch is compared with. */
void expected_forget(launch_pool *pool, uint32_t set);

/* ---- launch.c ---- */

struct launch_pool {
    const run_plan *plan;
    kt_device *device;
    const kt_device_info *info;
    char *folder;
    bool is_shared; /* several subjects run on this device */
    pool_buffer *buffers;
    expected_outputs *expected;
    uint8_t *scratch; /* what was read back */
    size_t scratch_bytes;
};

/* An argument, by parameter of the signature. */
typedef struct launch_argument {
    specification spec;
    bool is_guessed;
    int64_t count;       /* elements of a buffer */
    uint64_t bytes;      /* of a buffer of its own; else 0 */
    pool_buffer *buffer; /* NULL: none yet, or no buffer */
    bool is_output;      /* it changes the buffer */
    size_t expected;     /* index of what it should be, of expected_outputs; SIZE_MAX: none */
    uint8_t *value;      /* its bytes; NULL: none */
    size_t value_bytes;  /* of a value, or of local memory */
} launch_argument;

struct launch {
    launch_pool *pool;
    const configuration *configuration;
    const run_subject *subject;
    const run_define *defines;
    size_t define_count;
    signature signature;
    kernel_file compiled; /* of GLSL; else empty */
    geometry geometry;
    run_names names;
    bool sees_length; /* the kernel may ask how long its buffers are */
    uint32_t multiple, kernel_max;
    kt_program *program;
    launch_argument *arguments; /* by parameter; NULL: launch_bind() did not begin */
    expected_outputs *expected;
    kt_job *job;
    bool is_checking;                 /* the submission belongs to launch_check() */
    bool runs_on;                     /* likewise, and it works on its own output */
    bool changes_itself;              /* on its own output it writes something else */
    char nan[LAUNCH_REASON_BYTES];    /* launch_nan(); empty: there is none */
    char varies[LAUNCH_REASON_BYTES]; /* launch_varies(); empty: it does not, or it is known */
    uint32_t trials_max;
    double flops;
    uint64_t bytes;
    char (*lines)[LAUNCH_LINE_BYTES];
    size_t line_count;
};

/* Ends an attempt: fills in outcome and sentence. Returns -1. */
int launch_fail(launch_result *result, launch_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Likewise for a call of the library that failed. */
int launch_fail_status(launch_result *result, kt_status status);
/* Name of a parameter for messages, which may be written to `text`. */
const char *launch_name(const launch *launch, size_t index, char text[SIGNATURE_NAME_BYTES]);
/* Adds a line of launch_describe(). */
void launch_note(launch *launch, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- launch_build.c ---- */

/* Finds the signature and the geometry, and builds the program. */
int launch_build(launch *launch, launch_result *result);

/* ---- launch_arguments.c ---- */

/* Makes all arguments: those of -a, and guesses for the rest. */
int launch_bind(launch *launch, launch_result *result);

/* ---- launch_job.c ---- */

/* Creates the job, again if there is one. */
int launch_make_job(launch *launch, launch_result *result);

/* ---- launch_check.c ---- */

kt_status launch_reset(void *user, char *reason, size_t reason_bytes);
kt_status launch_verify(void *user, char *reason, size_t reason_bytes);

#endif
