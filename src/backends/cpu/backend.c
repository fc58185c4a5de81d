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
    .device_size = sizeof(cpu_device),
    .memory_size = sizeof(cpu_memory),
    .program_size = sizeof(cpu_program),
    .job_size = sizeof(cpu_job),
    .lib_init = lib_init,
    .device_info = cpu_device_info,
    .device_init = cpu_device_init,
    .device_fini = cpu_device_fini,
    .clock_pair = cpu_clock_pair,
    .memory_init = cpu_memory_init,
    .memory_fini = cpu_memory_fini,
    .memory_read = cpu_memory_read,
    .memory_write = cpu_memory_write,
    .program_init = cpu_program_init,
    .job_init = cpu_job_init,
    .job_fini = cpu_job_fini,
    .job_submit = cpu_job_submit,
    .job_wait = cpu_job_wait,
    .job_flush_caches = cpu_job_flush_caches,
    .job_read = cpu_job_read,
};
