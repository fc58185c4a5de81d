/* SPDX-License-Identifier: MIT */
/*
 * timers.c - timers of a page's own passes, for web/timers.js, which has one device at a time.
 *
 * Nothing here waits: error scopes answer at once, and timestamps are asked for when JavaScript
 * knows that they have arrived.
 */
#include <kerntime/kerntime.h>
#include <kerntime/snapshot.h>
#include <kerntime/timer/webgpu.h>
#include <stdbool.h>
#include <stdio.h>

/* Begins the definition of a function that JavaScript calls. */
#define EXPORT(result, name, parameters)                        \
    __attribute__((export_name(#name))) result name parameters; \
    result name parameters

static kt_timer_context *context;

/* Imports a device in place of the one before. */
EXPORT(kt_status, kerntime_timers_open,
       (struct WGPUInstanceImpl * instance, struct WGPUDeviceImpl *device, uint32_t frames_max,
        uint32_t passes_max))
{
    kt_timer_context_close(&context);
    const kt_webgpu_import desc = {.size = sizeof desc,
                                   .instance = instance,
                                   .device = device,
                                   .frames_max = frames_max,
                                   .passes_max = passes_max};
    return kt_timer_context_import_webgpu(&desc, &context);
}

EXPORT(void, kerntime_timers_close, (void))
{
    kt_timer_context_close(&context);
}

/* Returns a timer, or NULL with an error text. */
EXPORT(kt_timer *, kerntime_timers_create, (const char *name))
{
    kt_timer *timer = NULL;
    return kt_timer_create(context, name, &timer) == KT_OK ? timer : NULL;
}

EXPORT(void, kerntime_timers_destroy, (kt_timer * timer))
{
    kt_timer_destroy(&timer);
}

/* Fills the timestamp writes of a pass. False if the pass is not timed. */
EXPORT(bool, kerntime_timers_pass,
       (kt_timer * timer, struct WGPUCommandEncoderImpl *encoder,
        struct WGPUPassTimestampWrites *writes))
{
    return kt_timer_pass_webgpu(timer, encoder, writes) != NULL;
}

EXPORT(kt_status, kerntime_timers_resolve, (struct WGPUCommandEncoderImpl * encoder))
{
    return kt_timer_context_resolve_webgpu(context, encoder);
}

EXPORT(kt_status, kerntime_timers_submitted, (struct WGPUCommandEncoderImpl * encoder))
{
    return kt_timer_context_submitted_webgpu(context, encoder);
}

EXPORT(kt_status, kerntime_timers_collect, (void))
{
    return kt_collect(context);
}

/* Writes the registry as JSON to standard output. */
EXPORT(kt_status, kerntime_timers_write, (void))
{
    const kt_sink sink = kt_file_sink(stdout);
    kt_snapshot *snapshot = NULL;
    kt_status status = kt_snapshot_take(&snapshot);
    if (status == KT_OK)
        status = kt_snapshot_write(snapshot, KT_FORMAT_JSON, &sink);
    kt_snapshot_destroy(&snapshot);
    fflush(stdout);
    return status;
}

EXPORT(const char *, kerntime_error_text, (void))
{
    return kt_error_text();
}
