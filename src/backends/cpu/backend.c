/* SPDX-License-Identifier: MIT */
/* backend.c - the cpu backend: runs kernels as C functions on the host's cores, in parallel if
 * built with OpenMP. */
#include "backends/cpu/internal.h"

static kt_status lib_init(void *lib, uint32_t *device_count)
{
    (void)lib;
    *device_count = 1;
    return KT_OK;
}

const kt_backend kt_backend_cpu = {
    .name = "cpu",
    .title = "CPU",
    .lib_init = lib_init,
    .device_fini = kt_cpu_device_fini,
    .clock_pair = kt_cpu_clock_pair,
    .job_flush_caches = kt_cpu_job_flush_caches,
    KT_SLOTS(cpu),
};
