/* SPDX-License-Identifier: MIT */
/*
 * backend.c - the sim backend: a scripted device. Kernels run as C functions for their results
 * only. Times come from a scenario, on a virtual host clock that never sleeps: a scenario gives the
 * same numbers on any machine.
 *
 * The virtual clock advances only when a call is made. A job with kernels remembers its effect on
 * its memories and replays it for the same contents. Calibrated timestamps draw from a random
 * stream of their own and take whole ns, so that they do not change kernel times.
 */
#include "backends/sim/internal.h"

#define DEVICE_COUNT 4 /* sim:0 to sim:3, identical but for their scenarios */

static kt_status lib_init(void *lib, uint32_t *device_count)
{
    (void)lib;
    *device_count = DEVICE_COUNT;
    return KT_OK;
}

const kt_backend kt_backend_sim = {
    .name = "sim",
    .title = "simulated",
    .simulated = true,
    .takes_scenario = true,
    .lib_init = lib_init,
    .device_fini = kt_sim_device_fini,
    .device_run = kt_sim_device_run,
    .device_state = kt_sim_device_state,
    .device_host_clock = kt_sim_device_host_clock,
    .clock_pair = kt_sim_clock_pair,
    KT_SLOTS(sim),
};
