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
    .device_size = sizeof(sim_device),
    .memory_size = sizeof(sim_memory),
    .program_size = sizeof(sim_program),
    .job_size = sizeof(sim_job),
    .lib_init = lib_init,
    .device_info = sim_device_info,
    .device_init = sim_device_init,
    .device_fini = sim_device_fini,
    .device_run = sim_device_run,
    .device_host_clock = sim_device_host_clock,
    .clock_pair = sim_clock_pair,
    .memory_init = sim_memory_init,
    .memory_fini = sim_memory_fini,
    .memory_read = sim_memory_read,
    .memory_write = sim_memory_write,
    .program_init = sim_program_init,
    .job_init = sim_job_init,
    .job_fini = sim_job_fini,
    .job_submit = sim_job_submit,
    .job_wait = sim_job_wait,
    .job_read = sim_job_read,
};
