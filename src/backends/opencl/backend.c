/* SPDX-License-Identifier: MIT */
/* backend.c - the backend of OpenCL, for any driver of OpenCL 1.1 or later behind the system's
 * loader. Times come from event profiling. */
#include "backend.h"

#include "backends/opencl/internal.h"
#include "support/alloc.h"
#include "support/dl.h"

#define INSTALL_HINT       "install an OpenCL driver (Debian: ocl-icd-libopencl1 and pocl-opencl-icd)"
#define PLATFORMS_MAX      16
#define DEVICES_MAX        64
#define PLATFORM_NOT_FOUND (-1001) /* CL_PLATFORM_NOT_FOUND_KHR, of the loader's extension */

#define OPENCL_NAME(result, name, parameters) KT_DL_NAME(#name)
#define OPENCL_MAY(result, name, parameters)  KT_DL_OPTIONAL(#name)
static const char names[] = OPENCL_FUNCTIONS(OPENCL_NAME) OPENCL_OPTIONAL(OPENCL_MAY)
    OPENCL_REFLECTION(OPENCL_MAY) OPENCL_TIMER_CONTEXT(OPENCL_MAY);

/* Checks the list of functions against the header. _Generic links nothing. */
#define OPENCL_CHECK(result, name, parameters)                                         \
    _Static_assert(_Generic(&name, result(CL_API_CALL *) parameters : 1, default : 0), \
                   #name " differs from CL/cl.h");
OPENCL_FUNCTIONS(OPENCL_CHECK)
OPENCL_REFLECTION(OPENCL_CHECK)
OPENCL_TIMER_CONTEXT(OPENCL_CHECK)
#ifdef CL_VERSION_2_1 /* older headers lack these functions */
OPENCL_OPTIONAL(OPENCL_CHECK)
#endif
#undef OPENCL_CHECK

KT_DL_NAMES_BY_SYSTEM(library_names, "opencl", "Measuring OpenCL devices", "libOpenCL.so.1",
                      "/System/Library/Frameworks/OpenCL.framework/OpenCL");

kt_status kt_opencl_open(opencl_api *api)
{
    void *library = NULL;
    kt_status status = kt_dl_open("KERNTIME_LIB_OPENCL", library_names, &library);
    if (status == KT_OK)
        status = kt_dl_load(library, names, api);
    return status == KT_OK ? KT_OK : kt_fail(status, "%s; " INSTALL_HINT, kt_error_text());
}

/* Appends the devices of one platform. Platforms without devices are common and no error. */
static void list_devices(opencl_lib *lib, cl_platform_id platform, uint32_t *count)
{
    cl_device_id devices[DEVICES_MAX];
    cl_uint found = 0;
    cl_uint room = DEVICES_MAX - *count;
    if (room == 0 || CL_CODE(&lib->api, clGetDeviceIDs, platform, CL_DEVICE_TYPE_ALL, room, devices,
                             &found) != CL_SUCCESS)
        return;
    for (cl_uint i = 0; i < found && i < room; i++)
        lib->places[(*count)++] = (opencl_place){platform, devices[i]};
}

static kt_status lib_init(void *lib, uint32_t *device_count)
{
    opencl_lib *l = lib;
    kt_status status = kt_opencl_open(&l->api);
    if (status != KT_OK)
        return status;
    l->places = kt_alloc(DEVICES_MAX, sizeof *l->places);
    if (!l->places)
        return KT_NO_MEMORY;
    cl_platform_id platforms[PLATFORMS_MAX];
    cl_uint count = 0;
    cl_int code = CL_CODE(&l->api, clGetPlatformIDs, PLATFORMS_MAX, platforms, &count);
    if (code == PLATFORM_NOT_FOUND || (code == CL_SUCCESS && count == 0))
        return kt_fail(KT_UNAVAILABLE, "the OpenCL loader finds no platform; " INSTALL_HINT);
    if (code != CL_SUCCESS)
        return kt_opencl_fail("clGetPlatformIDs", code);
    for (cl_uint i = 0; i < count && i < PLATFORMS_MAX; i++)
        list_devices(l, platforms[i], device_count);
    if (*device_count == 0)
        return kt_fail(KT_UNAVAILABLE,
                       "none of the %u OpenCL platforms has a device; " INSTALL_HINT, count);
    return KT_OK;
}

static void lib_fini(void *lib)
{
    kt_free(((opencl_lib *)lib)->places);
}

static const kt_instrumentation instrumentation = {
    .timer_context_size = sizeof(opencl_timer_context),
    .mark_size = sizeof(opencl_mark),
    .timer_context_init = kt_opencl_timer_context_init,
    .timer_context_fini = kt_opencl_timer_context_fini,
    .stream_init = kt_opencl_stream_init,
    .mark_start = kt_opencl_mark_start,
    .mark_stop = kt_opencl_mark_stop,
    .mark_take = kt_opencl_mark_take,
    .object_release = kt_opencl_object_release,
    .mark_read = kt_opencl_mark_read,
    .mark_stopped_at_once = kt_opencl_mark_stopped_at_once,
    .mark_fini = kt_opencl_mark_fini,
};

const kt_backend kt_backend_opencl = {
    .name = "opencl",
    .title = "OpenCL",
    .lib_size = sizeof(opencl_lib),
    .lib_init = lib_init,
    .lib_fini = lib_fini,
    .device_fini = kt_opencl_device_fini,
    .clock_pair = kt_opencl_clock_pair,
    .clock_step = kt_opencl_clock_step,
    .languages_with_local = KT_LANGUAGE_OPENCL_C,
    .program_fini = kt_opencl_program_fini,
    .program_reflect = kt_opencl_program_reflect,
    .job_flush_caches = kt_opencl_job_flush_caches,
    .instrumentation = &instrumentation,
    KT_SLOTS(opencl),
};
