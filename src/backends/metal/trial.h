/*
 * trial.h - whether a device's counter sample buffers are to be believed, found by real passes, for
 * both APIs. Some systems give zeros always (macOS 26 on some machines, wgpu's issue 9414), and no
 * API tells how long a tick is.
 *
 * The trial runs passes of one thread, two at least, at the boundary that the GPU names, and
 * compares their samples with the times of their command buffers. What it finds corrects the
 * device's clocks, and the reason is the quirk (device_found).
 */
#ifndef KT_METAL_TRIAL_H
#define KT_METAL_TRIAL_H

#include "backends/metal/pairs.h"
#include "backends/metal/work.h"

typedef struct metal_sampling {
    metal_strategy strategy;
    /* Points at which the device samples; whether they work was tried of kernels at the first of
     * stage and dispatch, and of copies. */
    bool at_stage, at_draw, at_dispatch, at_blit;
    bool of_copies;      /* copies are stamped as kernels are; where not, `why` is the reason */
    objc_id counter_set; /* that of timestamps, retained; NULL: by commands */
    bool has_times;      /* command buffers tell when they ran */
    char why[200];       /* by commands, or copies are: the reason, as a sentence */
} metal_sampling;

/* How stamps would be had, as the device says, without trying it. Within a pool. */
metal_strategy metal_ask_strategy(const metal_api *api, objc_id device);

/*
 * Finds out, in some 25 ms, or 150 where the two clocks do not agree at once. Not being believed is
 * no failure, but an answer, and so is a pass that fails with samples alone. KT_TIMEOUT: a pass did
 * not end, so nothing of the device may be released; KT_DRIVER_ERROR: the device runs nothing.
 * Finish it in any case.
 */
kt_status metal_try_samples(const metal_work *work, const metal_pairs *pairs, metal_sampling *out);
void metal_sampling_fini(const metal_api *api, metal_sampling *sampling);

#endif
