/* SPDX-License-Identifier: MIT */
/*
 * trial.h - tests with real passes whether a device's counter sample buffers can be trusted, for
 * both APIs. Some systems always return zeros (macOS 26 on some machines, wgpu issue 9414), and no
 * API reports the length of a tick.
 *
 * The trial runs at least two passes of one thread at the boundary that the GPU supports, and
 * compares their samples with the times of their command buffers. The result corrects the device's
 * clocks, and its reason becomes the device's quirk (kt_metal_device_found()).
 */
#ifndef KT_METAL_TRIAL_H
#define KT_METAL_TRIAL_H

#include "backends/metal/pairs.h"
#include "backends/metal/work.h"

typedef struct metal_sampling {
    metal_strategy strategy;
    /* Sampling points that the device reports. The trial tests kernels at the first of stage and
     * dispatch, and copies. */
    bool at_stage, at_draw, at_dispatch, at_blit;
    bool of_copies;      /* copies are timestamped like kernels; if not, `reason` says why */
    objc_id counter_set; /* the timestamp counter set, retained; NULL: METAL_BY_COMMANDS */
    bool has_times;      /* command buffers have GPUStartTime and GPUEndTime */
    char reason[200];    /* why METAL_BY_COMMANDS serves all steps or copies; a sentence */
} metal_sampling;

/* Returns the strategy that the device's answers suggest, without a trial. Needs an autorelease
 * pool. */
metal_strategy kt_metal_ask_strategy(const metal_api *api, objc_id device);

/*
 * Runs the trial: about 25 ms, or 150 ms if the two clocks do not agree at once. Untrusted samples
 * and a pass that fails only with samples are results, not failures. Call kt_metal_sampling_fini() in
 * any case.
 *
 * KT_TIMEOUT: a pass did not end; release nothing of the device.
 * KT_DRIVER_ERROR: the device runs nothing.
 */
kt_status kt_metal_try_samples(const metal_work *work, const metal_pairs *pairs,
                               metal_sampling *out);
void kt_metal_sampling_fini(const metal_api *api, metal_sampling *sampling);

#endif
