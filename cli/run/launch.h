/* SPDX-License-Identifier: MIT */
/*
 * launch.h - one configuration on one open device: its program, memories, arguments and job.
 *
 * Memories and expected outputs are shared by all launches of a contest that take the same, so that
 * hundreds of configurations fit into the device. Around each buffer lie guard zones.
 */
#ifndef CLI_RUN_LAUNCH_H
#define CLI_RUN_LAUNCH_H

#include "cli/run/plan.h"

#include <kerntime/kerntime.h>

#define LAUNCH_REASON_BYTES 512

/* How an attempt ended. The order is that of outcome_words. */
typedef enum launch_outcome {
    OUTCOME_OK = 0,
    OUTCOME_BUILD,     /* it does not compile; `log` has the compiler's text */
    OUTCOME_LIMIT,     /* beyond a limit of the device: group size, memory, local memory */
    OUTCOME_ARGUMENTS, /* its arguments cannot be made: a type is unknown, a file does not fit */
    OUTCOME_WRONG,     /* its output differs from what is expected */
    OUTCOME_NAN,       /* its output has NaN where none is expected */
    OUTCOME_OUTSIDE,   /* it writes outside of a buffer */
    OUTCOME_NOTHING,   /* it changes no buffer */
    OUTCOME_FAILED,    /* a call of the driver failed */
    OUTCOME_TIMEOUT,   /* it did not end in time; set by the process that waits for it, too */
    OUTCOME_CRASHED,   /* its process ended; set by the process that waits for it */
    OUTCOME_COUNT
} launch_outcome;

extern const char *const outcome_words[OUTCOME_COUNT]; /* "ok", "build", ... */

typedef struct launch_result {
    launch_outcome outcome;
    char reason[LAUNCH_REASON_BYTES]; /* one sentence; empty if OK */
    char *log;                        /* the compiler's text, or NULL; free() it */
    double build_ns, first_use_ns;    /* NaN: unknown */
} launch_result;

/* All launches on one device. */
typedef struct launch_pool launch_pool;
typedef struct launch launch;

/* `folder`: files with the expected outputs of contests, one process writes them and later ones
 * read them. */
kt_status launch_pool_create(const run_plan *plan, kt_device *device, const char *folder,
                             launch_pool **out);
void launch_pool_destroy(launch_pool **pool);

/* Builds and binds a configuration. Returns 0, or -1 with `result` set. */
int launch_create(launch_pool *pool, const configuration *configuration, launch **out,
                  launch_result *result);
/* Runs it once: looks at guard zones, finds which buffers it writes, compares them with the expected
 * output of the contest. `is_reference`: its output is what is expected, and is written to the
 * folder. Returns 0, or -1 with `result` set. */
int launch_check(launch *launch, bool is_reference, launch_result *result);
/* The sentence that the outputs of its contest differ from run to run, so that none is verified, if
 * this launch found it, in launch_check() or while its job was measured; else NULL. */
const char *launch_varies(const launch *launch);
/* A sentence on NaN in outputs of a kernel that is compared with itself alone, or NULL. */
const char *launch_nan(const launch *launch);
/* Its job, once it passed launch_check(): resets its inputs and spoils its outputs before each
 * submission, and compares them with the expected ones after it. */
kt_job *launch_job(const launch *launch);
void launch_destroy(launch **opened);

/* Line `index` of what was guessed or found about its arguments and geometry: "y: float *, n
 * elements, random 0..1 (guess)". Returns false after the last. */
bool launch_describe(const launch *launch, size_t index, char *text, size_t bytes);

#endif
