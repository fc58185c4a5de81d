/* SPDX-License-Identifier: MIT */
/* backend.c - the template backend: one device, whose kernels are C functions that the submitting
 * thread calls. It is the smallest complete backend and the starting point for new ones. In a copy,
 * name the API and the source of its timestamps here. */
#include "backends/template/internal.h"

/* Load the driver (kt_dl_open, kt_dl_load) and count its devices; create nothing on them. Without a
 * driver return KT_UNAVAILABLE, with an error text that says what to install. */
static kt_status lib_init(void *lib, uint32_t *device_count)
{
    (void)lib;
    *device_count = 1;
    return KT_OK;
}

/* The instrumentation API, for an API with queues. src/backend.h also has slots for recordings,
 * passes and handed-out events. Omit the struct if the API cannot have timers. */
static const kt_instrumentation instrumentation = {
    .timer_context_size = sizeof(template_timer_context),
    .mark_size = sizeof(template_mark),
    .timer_context_init = kt_template_timer_context_init,
    .stream_init = kt_template_stream_init,
    .mark_start = kt_template_mark_start,
    .mark_stop = kt_template_mark_stop,
    .mark_read = kt_template_mark_read,
    .mark_fini = kt_template_mark_fini,
};

/*
 * Omit a slot that the API cannot fill or that has nothing to do. Slots omitted here:
 *   lib_size, lib_fini   needed if lib_init keeps anything; the driver itself stays loaded
 *   device_fini          needed if device_init opens anything
 *   device_run           for devices with simulated noise, as ../sim
 *   device_host_clock    for devices with a virtual host clock, as ../sim
 *   program_fini         needed if program_init builds anything
 *   program_reflect      if the driver describes kernels
 *   languages_with_places, languages_with_local
 *                        if arguments have a place (kt_arg_place), or may be local memory
 *   job_flush_caches     for measuring with cold caches, if the device has caches
 *   simulated            true if the device is not real: it is used only when named
 *   takes_scenario       as ../sim
 */
const kt_backend kt_backend_template = {
    .name = "template",
    .title = "template",
    .lib_init = lib_init,
    .clock_pair = kt_template_clock_pair,
    .instrumentation = &instrumentation,
    KT_SLOTS(template),
};
