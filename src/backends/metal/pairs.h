/*
 * pairs.h - pairs of the GPU's clock and the host's, by sampleTimestamps:gpuTimestamp:, for both
 * APIs. Metal's documentation has the call read both clocks at one moment, which is so on Apple's
 * GPUs, where one reading is both (wgpu's pull request 2528); on others nothing tells how far apart
 * the readings are but what the shortest call takes. It may block while the GPU works (MoltenVK's
 * issue 1983), so the moment is found from its CPU side.
 *
 * The host's side of a calibrated timestamp is that moment, give or take the shortest call so far,
 * cut to the host's readings around the call. The time that the call took would include its wait
 * for the GPU.
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
    kt_mutex *mutex;     /* one reading at a time: what follows is of all of them */
    int64_t shortest_ns; /* that a call has taken; 0: there was none */
    uint64_t last_cpu, last_gpu;
} metal_pairs;

/* Finish it also after a failure, or zeroed. The device is not retained. */
kt_status metal_pairs_init(metal_pairs *pairs, const metal_api *api, objc_id device,
                           const kt_host_clock *host);
void metal_pairs_fini(metal_pairs *pairs);

/* A reading of the GPU's clock, which is taken anew some times while either clock does not go
 * forward. That may be a counter's turn, so it is no failure. KT_UNSUPPORTED: the system has no such
 * call, or it gives no time of the GPU. Any thread. */
kt_status metal_pairs_take(metal_pairs *pairs, kt_clock_pair *out);

/* A reading of the clock that command buffers' times are of, as ticks of 1 ns. */
void metal_uptime_pair(const metal_api *api, const kt_host_clock *host, kt_clock_pair *out);

#endif
