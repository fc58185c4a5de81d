/* work.h - a queue and an empty kernel of kerntime's own on a device, command buffers in it and
 * their ends, for both APIs. */
#ifndef KT_METAL_WORK_H
#define KT_METAL_WORK_H

#include "backend.h"
#include "backends/metal/api.h"

typedef struct metal_work {
    const metal_api *api;
    objc_id device; /* not retained */
    objc_id queue;
    /* pipeline of a kernel that does nothing: passes without a dispatch are left out, with their
     * stamps */
    objc_id empty;
} metal_work;

/* How steps are stamped. */
typedef enum metal_strategy {
    METAL_BY_COMMANDS = 0, /* by the times of a whole command buffer */
    METAL_BY_STAGE,        /* by the attachments of a pass's descriptor */
    METAL_BY_BOUNDARY      /* by samples between commands of an encoder */
} metal_strategy;

/* Command buffers of one queue that may be there without having ended: one more, and Metal waits
 * for one of them to end. */
#define METAL_COMMANDS_MAX 1024

/* Finish it also after a failure, or zeroed. */
kt_status metal_work_init(metal_work *work, const metal_api *api, objc_id device);
void metal_work_fini(metal_work *work);

/* KT_DRIVER_ERROR: what answered nil, where Metal tells no more of it. */
kt_status metal_fail_nil(const char *message);
/* What would be the program's error is none of its, where the text is kerntime's own:
 * KT_DRIVER_ERROR in its place. */
kt_status metal_own_failure(kt_status status);

/* What an NSError says, or that it says nothing. Of the pool. */
const char *metal_words_of(const metal_api *api, objc_id error);

/* A string of Foundation's; NULL: it is no text in UTF-8. Owned. */
objc_id metal_text_create(const metal_api *api, const char *bytes, size_t count);

/* Compiles a text for the sake of that kernel, without the liberties of fast mathematics.
 * KT_BUILD_FAILED, with the compiler's words. Owned. */
kt_status metal_library_create(const metal_api *api, objc_id device, const char *source,
                               size_t source_bytes, const char *entry, objc_id *out);
/* A kernel of a library by its name: KT_INVALID if it has none such. Owned. */
kt_status metal_pipeline_create(const metal_api *api, objc_id device, objc_id library,
                                const char *entry, objc_id *out);

/* A command buffer of the queue, retained. KT_DRIVER_ERROR. */
kt_status metal_commands_create(const metal_api *api, objc_id queue, objc_id *out);

/* When it has ended: KT_OK, KT_DRIVER_ERROR or KT_DEVICE_LOST with Metal's words, KT_TIMEOUT. Asks
 * without pause. */
kt_status metal_wait(const metal_api *api, objc_id commands, int64_t timeout_ns);
/* Fails with what Metal says of a command buffer that has ended so: KT_NO_MEMORY, KT_DEVICE_LOST,
 * KT_DRIVER_ERROR. */
kt_status metal_fail_ended(const metal_api *api, objc_id commands);

/* The times of a command buffer that has ended, in ns of the host's clock behind it. False: it has
 * none. */
bool metal_commands_times(const metal_api *api, objc_id commands, uint64_t *start_ns,
                          uint64_t *end_ns);

/* One dispatch of one thread of the empty kernel. */
void metal_encode_empty(const metal_work *work, objc_id encoder);

/* What is at both ends of a pass: its two stamps, and what orders it among others. */
typedef struct metal_stamps {
    metal_strategy strategy; /* METAL_BY_COMMANDS: no stamps */
    objc_id buffer;
    size_t first;  /* of the two samples */
    objc_id fence; /* updated at the end; NULL: none */
    bool waits;    /* nothing of the pass begins before the fence's latest update */
} metal_stamps;

/* An encoder of compute commands, or of copies, and its end. The command buffer keeps the sample
 * buffer already (metal_keep()). KT_DRIVER_ERROR. */
kt_status metal_pass_begin(const metal_api *api, objc_id commands, bool copies,
                           const metal_stamps *stamps, objc_id *encoder);
void metal_pass_end(const metal_api *api, objc_id encoder, const metal_stamps *stamps);

/* A pass in a command buffer of its own, on the work's queue, that is waited for: begun, encoded by
 * the caller, run. */
typedef struct metal_single {
    objc_id commands, encoder;
} metal_single;

/* KT_DRIVER_ERROR. metal_single_fini() in any case. */
kt_status metal_single_begin(const metal_work *work, bool copies, const metal_stamps *stamps,
                             metal_single *out);
/* As metal_wait(). */
kt_status metal_single_run(const metal_work *work, const metal_stamps *stamps,
                           const metal_single *single, int64_t timeout_ns);
/* After KT_TIMEOUT the device may still be at it, so nothing is released. */
void metal_single_fini(const metal_work *work, metal_single *single, kt_status status);

#endif
