/* SPDX-License-Identifier: MIT */
/*
 * backend.c - the WebGPU backend: the adapters of a library with WebGPU's C ABI. Timestamps come
 * from the timestamp queries of compute passes.
 *
 * The backend refuses wgpu-native, recognised by its function wgpuDevicePoll: its
 * wgpuInstanceWaitAny() aborts the process.
 */
#include "backends/webgpu/internal.h"

#define VARIABLE     "KERNTIME_LIB_WEBGPU"
#define INSTALL_HINT "name a library of Dawn in " VARIABLE

KT_DL_NAMES_BY_SYSTEM(library_names, "webgpu", "Measuring WebGPU devices", "libwebgpu_dawn.so",
                      "libwebgpu_dawn.dylib");

#define NAME(result, name, parameters) KT_DL_NAME(#name)
static const char names[] = WGPU_FUNCTIONS_OF_INSTANCES(NAME) WGPU_FUNCTIONS_OF_FUTURES(NAME)
    WGPU_FUNCTIONS_OF_TIMESTAMPS(NAME) WGPU_FUNCTIONS_OF_WORK(NAME);

/* Functions that only some libraries have. */
typedef struct hallmarks {
    void (*wgpuGetInstanceCapabilities)(void);
    void (*wgpuDevicePoll)(void);
} hallmarks;

static const char hallmark_names[] =
    KT_DL_OPTIONAL("wgpuGetInstanceCapabilities") KT_DL_OPTIONAL("wgpuDevicePoll");

/* No hint if the user has named a library, or cannot. */
static kt_status fail_with_hint(kt_status status)
{
    if (!KT_DL_BY_VARIABLE || kt_environment(VARIABLE))
        return status;
    return kt_fail(status, "%s; " INSTALL_HINT, kt_error_text());
}

kt_status kt_webgpu_open_library(void **library, bool *early)
{
    hallmarks found = {0};
    kt_status status = kt_dl_open(VARIABLE, library_names, library);
    if (status == KT_OK)
        status = kt_dl_load(*library, hallmark_names, &found);
    if (status == KT_OK && found.wgpuDevicePoll)
        status = webgpu_fail_wgpu_native();
    *early = found.wgpuGetInstanceCapabilities != NULL;
    return status == KT_OK ? KT_OK : fail_with_hint(status);
}

kt_status kt_webgpu_open(webgpu_api *api, bool *early)
{
    void *library = NULL;
    kt_status status = kt_webgpu_open_library(&library, early);
    if (status != KT_OK)
        return status;
    status = kt_dl_load(library, names, api);
    return status == KT_OK ? KT_OK : fail_with_hint(status);
}

/* Creates the instance. Waits with a time limit must be requested here. */
static kt_status create_instance(webgpu_lib *lib)
{
    static const WGPUInstanceFeatureName feature = WGPUInstanceFeatureName_TimedWaitAny;
    const WGPUInstanceDescriptor today = {.requiredFeatureCount = 1, .requiredFeatures = &feature};
    const WGPUEarlyInstanceDescriptor early = {.capabilities = {.timedWaitAnyEnable = 1}};
    lib->instance = WEBGPU_CALL(&lib->api, wgpuCreateInstance, NULL,
                                lib->early ? (const void *)&early : (const void *)&today);
    return lib->instance ? KT_OK
                         : kt_fail(KT_DRIVER_ERROR, "wgpuCreateInstance gives no instance that can "
                                                    "wait with a time limit");
}

static kt_status lib_init(void *lib, uint32_t *device_count)
{
    webgpu_lib *l = lib;
    kt_status status = kt_webgpu_open(&l->api, &l->early);
    if (status == KT_OK)
        status = create_instance(l);
    return status == KT_OK ? kt_webgpu_list_places(l, device_count) : status;
}

static void lib_fini(void *lib)
{
    webgpu_lib *l = lib;
    if (l->instance)
        l->api.wgpuInstanceRelease(l->instance);
}

static const kt_instrumentation instrumentation = {
    .timer_context_size = sizeof(webgpu_timer_context),
    .mark_size = sizeof(webgpu_mark),
    .timer_context_init = kt_webgpu_timer_context_init,
    .timer_context_fini = kt_webgpu_timer_context_fini,
    .mark_fill = kt_webgpu_mark_fill,
    .commands_resolve = kt_webgpu_commands_resolve,
    .commands_submitted = kt_webgpu_commands_submitted,
    .mark_read = kt_webgpu_mark_read,
    .mark_fini = kt_webgpu_mark_fini,
};

const kt_backend kt_backend_webgpu = {
    .name = "webgpu",
    .title = "WebGPU",
    .languages_with_places = KT_LANGUAGE_WGSL,
    .lib_size = sizeof(webgpu_lib),
    .lib_init = lib_init,
    .lib_fini = lib_fini,
    .device_fini = kt_webgpu_device_fini,
    .clock_pair = kt_webgpu_clock_pair,
    .program_fini = kt_webgpu_program_fini,
    .job_flush_caches = kt_webgpu_job_flush_caches,
    .instrumentation = &instrumentation,
    KT_SLOTS(webgpu),
};
