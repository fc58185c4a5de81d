/* SPDX-License-Identifier: MIT */
/* work.h - kerntime's own queue and empty kernel on a device, and creation, waiting and times of
 * command buffers, for both APIs. */
#ifndef KT_METAL_WORK_H
#define KT_METAL_WORK_H

#include "backend.h"
#include "backends/metal/api.h"

typedef struct metal_work {
    const metal_api *api;
    objc_id device; /* Metal device, not retained */
    objc_id queue;
    /* Pipeline of an empty kernel: Metal drops passes without a dispatch, and their timestamps with
     * them. */
    objc_id empty;
} metal_work;

/* Source of a step's timestamps. */
typedef enum metal_strategy {
    METAL_BY_COMMANDS = 0, /* GPU start and end times of a whole command buffer */
    METAL_BY_STAGE,        /* samples by attachments of a pass descriptor */
    METAL_BY_BOUNDARY      /* samples between commands of an encoder */
} metal_strategy;

/* Unfinished command buffers per queue. Metal blocks the creation of one more until one ends. */
#define METAL_COMMANDS_MAX 1024

/* Creates the queue and the empty kernel. Call kt_metal_work_fini() also after a failure or on a
 * zeroed structure. */
kt_status kt_metal_work_init(metal_work *work, const metal_api *api, objc_id device);
void kt_metal_work_fini(metal_work *work);

/* Fails with KT_DRIVER_ERROR and names the message that returned nil without an error. */
kt_status kt_metal_fail_nil(const char *message);
/* Turns KT_BUILD_FAILED and KT_INVALID into KT_DRIVER_ERROR: a failure of kerntime's own kernel is
 * not the program's error. */
kt_status kt_metal_own_failure(kt_status status);

/* Returns the text of an NSError, or a fallback text. The autorelease pool owns the text. */
const char *kt_metal_words_of(const metal_api *api, objc_id error);

/* Creates an NSString that the caller owns. Returns NULL if the bytes are not valid UTF-8. */
objc_id kt_metal_text_create(const metal_api *api, const char *bytes, size_t count);

/* Compiles `source` without fast math; `entry` is for the error text. KT_BUILD_FAILED, with the
 * compiler's message. The caller owns the library. */
kt_status kt_metal_library_create(const metal_api *api, objc_id device, const char *source,
                                  size_t source_bytes, const char *entry, objc_id *out);
/* Creates the pipeline of kernel `entry`. KT_INVALID: the library has no such kernel. The caller
 * owns it. `reflection`: where its reflection goes, autoreleased; NULL: none is made. */
kt_status kt_metal_pipeline_create(const metal_api *api, objc_id device, objc_id library,
                                   const char *entry, objc_id *reflection, objc_id *out);

/* Creates a command buffer, retained for the caller. KT_DRIVER_ERROR. */
kt_status kt_metal_commands_create(const metal_api *api, objc_id queue, objc_id *out);

/* Waits for a command buffer to end, by polling. KT_OK, KT_TIMEOUT, or KT_DRIVER_ERROR or
 * KT_DEVICE_LOST with Metal's text. */
kt_status kt_metal_wait(const metal_api *api, objc_id commands, int64_t timeout_ns);
/* Fails with the error of an ended command buffer: KT_NO_MEMORY, KT_DEVICE_LOST,
 * KT_DRIVER_ERROR. */
kt_status kt_metal_fail_ended(const metal_api *api, objc_id commands);

/* Reads the times of an ended command buffer, in ns of mach_absolute_time(). Returns false if the
 * command buffer has no times. */
bool kt_metal_commands_times(const metal_api *api, objc_id commands, uint64_t *start_ns,
                             uint64_t *end_ns);

/* Encodes one thread of the empty kernel. */
void kt_metal_encode_empty(const metal_work *work, objc_id encoder);

/* Begin and end of a pass: its two timestamps, and the fence that orders it. */
typedef struct metal_timestamps {
    metal_strategy strategy; /* METAL_BY_COMMANDS: the pass takes no samples */
    objc_id buffer;
    size_t first;  /* index of the pass's first sample of two */
    objc_id fence; /* fence that the pass updates at its end; NULL: no fence */
    bool waits;    /* the pass waits for the fence's latest update */
} metal_timestamps;

/* Begins and ends an encoder of compute or blit commands. The command buffer must already keep the
 * sample buffer (kt_metal_keep()). KT_DRIVER_ERROR. */
kt_status kt_metal_pass_begin(const metal_api *api, objc_id commands, bool copies,
                              const metal_timestamps *timestamps, objc_id *encoder);
void kt_metal_pass_end(const metal_api *api, objc_id encoder, const metal_timestamps *timestamps);

/* One pass in its own command buffer on the work's queue, run synchronously: begin, let the caller
 * encode, run, fini. */
typedef struct metal_single {
    objc_id commands, encoder;
} metal_single;

/* Begins the pass. KT_DRIVER_ERROR. Call kt_metal_single_fini() in any case. */
kt_status kt_metal_single_begin(const metal_work *work, bool copies,
                                const metal_timestamps *timestamps, metal_single *out);
/* Ends the pass, commits it and waits. Returns what kt_metal_wait() returns. */
kt_status kt_metal_single_run(const metal_work *work, const metal_timestamps *timestamps,
                              const metal_single *single, int64_t timeout_ns);
/* Releases the pass, but not after KT_TIMEOUT, since the GPU may still be running. */
void kt_metal_single_fini(const metal_work *work, metal_single *single, kt_status status);

#endif
