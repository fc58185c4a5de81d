/* SPDX-License-Identifier: MIT */
/* backend.c - the Metal backend, through the Objective-C runtime. Timestamps come from counter
 * sample buffers, else from the times of command buffers. */
#include "backends/metal/internal.h"
#include "backends/metal/timer_context.h"
#include "support/dl.h"

static kt_status keep(metal_lib *lib, objc_id device)
{
    if (device && lib->device_count < METAL_DEVICES_MAX)
        lib->devices[lib->device_count++] = metal_retain(&lib->api, device);
    return KT_OK;
}

/*
 * In a sandbox the device list may be empty although MTLCreateSystemDefaultDevice returns a GPU
 * (seen on macOS 26.6). That call needs CoreGraphics, which a program without windows has not
 * loaded; the call returns nil if CoreGraphics cannot be opened.
 */
static objc_id default_device(const metal_api *api)
{
    static const char *const names[] = {
        "/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics", NULL};
    void *graphics = NULL;
    (void)kt_dl_open(NULL, names, &graphics);
    return api->MTLCreateSystemDefaultDevice ? api->MTLCreateSystemDefaultDevice() : NULL;
}

static kt_status list_devices(metal_lib *lib)
{
    metal_api *api = &lib->api;
    objc_id list = NULL, only = NULL;
    if (kt_fault(KT_FAULT_DRIVER, "MTLCopyAllDevices"))
        return kt_fail(KT_UNAVAILABLE, "Metal finds no device");
    if (api->MTLCopyAllDevices)
        list = api->MTLCopyAllDevices();
    size_t count = metal_count(api, list);
    if (count == 0)
        only = default_device(api);
    kt_status status = keep(lib, only);
    for (size_t i = 0; i < count && status == KT_OK; i++)
        status = keep(lib, metal_object_at(api, list, i));
    metal_release(api, only);
    metal_release(api, list);
    if (lib->device_count == 0)
        return kt_fail(KT_UNAVAILABLE, "Metal finds no device");
    return status;
}

static kt_status lib_init(void *lib, uint32_t *device_count)
{
    metal_lib *l = lib;
    kt_status status = kt_metal_open(&l->api);
    if (status != KT_OK)
        return status;
    METAL_WITHIN_POOL(&l->api, status, list_devices(l));
    *device_count = l->device_count;
    return status;
}

static void lib_fini(void *lib)
{
    metal_lib *l = lib;
    void *pool = l->device_count ? metal_pool_push(&l->api) : NULL;
    for (uint32_t i = 0; i < l->device_count; i++)
        metal_release(&l->api, l->devices[i]);
    if (pool)
        metal_pool_pop(&l->api, pool);
}

static const kt_instrumentation instrumentation = {
    .timer_context_size = sizeof(metal_timer_context),
    .mark_size = sizeof(metal_mark),
    .timer_context_init = kt_metal_timer_context_init,
    .timer_context_fini = kt_metal_timer_context_fini,
    .timer_context_clock_pair = kt_metal_timer_context_clock_pair,
    .mark_stop = kt_metal_mark_stop,
    .mark_take = kt_metal_mark_take,
    .mark_fill = kt_metal_mark_fill,
    .mark_unfill = kt_metal_mark_unfill,
    .mark_encode = kt_metal_mark_encode,
    .mark_read = kt_metal_mark_read,
    .mark_fini = kt_metal_mark_fini,
};

const kt_backend kt_backend_metal = {
    .name = "metal",
    .title = "Metal",
    .lib_size = sizeof(metal_lib),
    .lib_init = lib_init,
    .lib_fini = lib_fini,
    .device_fini = kt_metal_device_fini,
    .device_found = kt_metal_device_found,
    .clock_pair = kt_metal_clock_pair,
    .languages_with_local = KT_LANGUAGE_MSL,
    .program_fini = kt_metal_program_fini,
    .program_reflect = kt_metal_program_reflect,
    .job_flush_caches = kt_metal_job_flush_caches,
    .instrumentation = &instrumentation,
    KT_SLOTS(metal),
};
