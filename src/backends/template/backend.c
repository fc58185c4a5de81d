/*
 * template - the smallest backend that is complete: one device whose kernels are C functions,
 * called by the thread that submits. Say in this place which API it is, and where its times come
 * from.
 */
#include "backends/template/internal.h"

/* Load the driver (kt_dl_open, kt_dl_load) and count its devices; make nothing on them. Where there
 * is no driver: KT_UNAVAILABLE, and a sentence that says what to install. */
static kt_status lib_init(void *lib, uint32_t *device_count)
{
    (void)lib;
    *device_count = 1;
    return KT_OK;
}

/* Timers of programs, in the shape of queues. Others: recordings, and passes or events that are handed
 * out (src/backend.h). An API without timers has none of this. */
static const kt_instrumentation instrumentation = {
    .native_size = sizeof(template_native),
    .mark_size = sizeof(template_mark),
    .native_init = template_native_init,
    .stream_init = template_stream_init,
    .mark_start = template_mark_start,
    .mark_stop = template_mark_stop,
    .mark_read = template_mark_read,
    .mark_fini = template_mark_fini,
};

/* A slot left out is one that this API cannot fill, or has no work for:
 *   lib_size, lib_fini   as soon as lib_init keeps anything; the driver itself stays loaded
 *   device_fini          as soon as device_init opens anything
 *   device_run           for devices whose noise is made up, as that of ../sim
 *   device_host_clock    for devices that live in a time of their own, as ../sim does
 *   program_fini         as soon as program_init builds anything
 *   job_flush_caches     for measuring with cold caches, where the device has any
 *   simulated            true for what is no real device: then it is used only when named
 *   takes_scenario       as ../sim */
const kt_backend kt_backend_template = {
    .name = "template",
    .title = "template",
    .device_size = sizeof(template_device),
    .memory_size = sizeof(template_memory),
    .program_size = sizeof(template_program),
    .job_size = sizeof(template_job),
    .lib_init = lib_init,
    .device_info = template_device_info,
    .device_init = template_device_init,
    .clock_pair = template_clock_pair,
    .memory_init = template_memory_init,
    .memory_fini = template_memory_fini,
    .memory_read = template_memory_read,
    .memory_write = template_memory_write,
    .program_init = template_program_init,
    .job_init = template_job_init,
    .job_fini = template_job_fini,
    .job_submit = template_job_submit,
    .job_wait = template_job_wait,
    .job_read = template_job_read,
    .instrumentation = &instrumentation,
};
