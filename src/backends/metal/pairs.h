/* SPDX-License-Identifier: MIT */
/*
 * pairs.h - calibrated timestamps: the GPU's clock and the host's, by
 * sampleTimestamps:gpuTimestamp:, for both APIs. Metal's documentation says that the call reads
 * both clocks at one moment. That holds on Apple's GPUs, where one reading serves as both (wgpu
 * pull request 2528). On other GPUs the duration of the shortest call bounds the distance. The call
 * may block while the GPU works (MoltenVK issue 1983), so its CPU reading places the moment.
 *
 * The host's side of a pair is that moment, plus or minus the shortest call so far, clipped to the
 * host's readings around the call. The whole duration of the call would include the wait for the
 * GPU.
 */
#ifndef KT_METAL_PAIRS_H
#define KT_METAL_PAIRS_H

#include "backends/metal/api.h"
#include "support/thread.h"

#include <kerntime/clock.h>

typedef struct metal_pairs {
    const metal_api *api;
    objc_id device;
    kt_host_clock host;
    kt_mutex *mutex;     /* one reading at a time; protects the fields below */
    int64_t shortest_ns; /* duration of the shortest call so far; 0: no call yet */
    uint64_t last_cpu, last_gpu;
} metal_pairs;

/* Initialises `pairs`, which does not retain the device. Call kt_metal_pairs_fini() also after a
 * failure or on a zeroed structure. */
kt_status kt_metal_pairs_init(metal_pairs *pairs, const metal_api *api, objc_id device,
                              const kt_host_clock *host);
void kt_metal_pairs_fini(metal_pairs *pairs);

/* Reads the GPU's clock and the host's. Retries a few times while either clock does not advance; a
 * counter that wraps looks the same, so this is no failure. KT_UNSUPPORTED: the system lacks the
 * call or returns no GPU time. Thread-safe. */
kt_status kt_metal_pairs_take(metal_pairs *pairs, kt_clock_pair *out);

/* Reads the clock of command-buffer times, in ticks of 1 ns, and the host's clock. */
void kt_metal_uptime_pair(const metal_api *api, const kt_host_clock *host, kt_clock_pair *out);

#endif
