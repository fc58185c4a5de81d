/* SPDX-License-Identifier: MIT */
/* backend.c - the backend of Level Zero, for any driver behind the system's loader. Kernel
 * timestamps of events time kernels; global timestamps in lists time copies. */
#include "backend.h"

#include "backends/level_zero/internal.h"
#include "backends/level_zero/timer_context.h"
#include "support/alloc.h"
#include "support/dl.h"

#define DRIVERS_MAX 16
#define DEVICES_MAX 64

static const char library_variable[] = "KERNTIME_LIB_LEVEL_ZERO";

#define ZE_NAME(name)               KT_DL_NAME("ze" #name)
#define ZE_MAY(name)                KT_DL_OPTIONAL("ze" #name)
#define ZE_MAY_BE(name, parameters) KT_DL_OPTIONAL("ze" #name)
static const char names[] = ZE_FUNCTIONS(ZE_NAME) ZE_OPTIONAL(ZE_MAY) ZE_LATER(ZE_MAY_BE);

/* Checks the pointer types against the functions' types. _Generic links nothing. */
#define ZE_CHECK(name)                                                     \
    _Static_assert(_Generic(&ze##name, ze_pfn##name##_t : 1, default : 0), \
                   "ze" #name " differs from ze_ddi.h");
ZE_FUNCTIONS(ZE_CHECK)
ZE_OPTIONAL(ZE_CHECK)
#undef ZE_CHECK

KT_DL_NAMES(library_names, "level-zero", "Measuring Level Zero devices", "libze_loader.so.1");

static kt_status load(ze_api *api)
{
    const char *chosen = kt_environment(library_variable);
    void *library = NULL;
    kt_status status = kt_dl_open(library_variable, library_names, &library);
    if (status != KT_OK && chosen)
        return status; /* the error text names the missing library */
    if (status != KT_OK)
        return kt_fail(status, "%s; install the loader (Debian: libze1)", kt_error_text());
    status = kt_dl_load(library, names, api);
    return status == KT_OK ? KT_OK
                           : kt_fail(status, "%s: %s is no loader of Level Zero", kt_error_text(),
                                     chosen ? chosen : library_names[0]);
}

/* The loader returns one code for no driver and for drivers none of which has found a device. */
static kt_status no_driver(void)
{
    if (kt_environment("ZE_ENABLE_ALT_DRIVERS"))
        return kt_fail(KT_UNAVAILABLE, "the Level Zero loader is there, and finds no driver or no "
                                       "device among those of ZE_ENABLE_ALT_DRIVERS");
    return kt_fail(KT_UNAVAILABLE,
                   "the Level Zero loader is there, and finds no driver or no device: install a "
                   "driver (Debian: intel-opencl-icd), and see that you may open "
                   "/dev/dri/renderD* (group render)");
}

kt_status kt_level_zero_open(ze_api *api)
{
    kt_status status = load(api);
    if (status != KT_OK)
        return status;
    ze_result_t code = ZE_CODE(api, zeInit, 0);
    return code == ZE_RESULT_ERROR_UNINITIALIZED ? no_driver() : level_zero_check("zeInit", code);
}

/* Chooses the queue group for the work: the first that runs kernels and copies, else the first that
 * runs kernels. In the second case, fills and copies go to the group of a copy engine. A device
 * without a group that runs kernels cannot compute. */
static kt_status find_group(const ze_api *api, level_zero_place *place, bool *found)
{
    ze_command_queue_group_properties_t groups[KT_QUEUE_GROUPS_MAX];
    uint32_t count = 0;
    bool transfers = false;
    kt_status status = kt_level_zero_groups(api, place->device, groups, &count);
    for (uint32_t i = 0; i < count && !place->copies; i++) {
        bool computes = groups[i].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE;
        bool copies = groups[i].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
        if (copies && (!transfers || computes))
            place->transfer_ordinal = i;
        transfers |= copies;
        if (!computes || (*found && !copies))
            continue;
        place->ordinal = i;
        place->copies = copies;
        *found = true;
    }
    if (!transfers)
        place->transfer_ordinal = place->ordinal;
    return status;
}

/* Appends the root devices of one driver. A device that fails hides no other; status and error text
 * are those of the last failure. */
static kt_status list_devices(level_zero_lib *lib, ze_driver_handle_t driver, uint32_t *count)
{
    ze_device_handle_t devices[DEVICES_MAX] = {NULL};
    uint32_t room = DEVICES_MAX - *count, found = 0;
    kt_status status = ZE_DO(&lib->api, zeDeviceGet, driver, &found, NULL);
    found = found < room ? found : room;
    if (status == KT_OK && found > 0)
        status = ZE_DO(&lib->api, zeDeviceGet, driver, &found, devices);
    if (status != KT_OK)
        return status;
    for (uint32_t i = 0; i < found; i++) {
        level_zero_place place = {.driver = driver, .device = devices[i]};
        ze_device_properties_t properties;
        bool computes = false;
        kt_status asked = kt_level_zero_properties(&lib->api, devices[i], &properties);
        if (asked == KT_OK)
            asked = find_group(&lib->api, &place, &computes);
        if (computes && properties.type != ZE_DEVICE_TYPE_VPU) /* an NPU takes no kernels */
            lib->places[(*count)++] = place;
        status = asked == KT_OK ? status : asked;
    }
    return status;
}

static kt_status fail_empty(uint32_t driver_count)
{
    if (driver_count == 0)
        return no_driver();
    if (driver_count == 1)
        return kt_fail(KT_UNAVAILABLE, "Level Zero's driver has no device that can compute");
    return kt_fail(KT_UNAVAILABLE, "none of Level Zero's %u drivers has a device that can compute",
                   driver_count);
}

/* A driver that fails hides no other. If there are no devices, the last failure gives the
 * reason. */
static kt_status list_drivers(level_zero_lib *lib, uint32_t *device_count)
{
    ze_driver_handle_t drivers[DRIVERS_MAX] = {NULL};
    uint32_t count = 0;
    kt_status status = ZE_DO(&lib->api, zeDriverGet, &count, NULL);
    count = count < DRIVERS_MAX ? count : DRIVERS_MAX;
    if (status == KT_OK && count > 0)
        status = ZE_DO(&lib->api, zeDriverGet, &count, drivers);
    if (status != KT_OK)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        kt_status listed = list_devices(lib, drivers[i], device_count);
        status = listed == KT_OK ? status : listed;
    }
    if (*device_count > 0)
        return KT_OK;
    return status == KT_OK ? fail_empty(count) : status;
}

static kt_status lib_init(void *lib, uint32_t *device_count)
{
    level_zero_lib *l = lib;
    kt_status status = kt_level_zero_open(&l->api);
    if (status != KT_OK)
        return status;
    l->places = kt_alloc(DEVICES_MAX, sizeof *l->places);
    return l->places ? list_drivers(l, device_count) : KT_NO_MEMORY;
}

static void lib_fini(void *lib)
{
    kt_free(((level_zero_lib *)lib)->places);
}

static const kt_instrumentation instrumentation = {
    .timer_context_size = sizeof(level_zero_timer_context),
    .mark_size = sizeof(level_zero_mark),
    .recording_size = sizeof(level_zero_recording),
    .timer_context_init = kt_level_zero_timer_context_init,
    .timer_context_fini = kt_level_zero_timer_context_fini,
    .stream_init = kt_level_zero_stream_init,
    .mark_start = kt_level_zero_mark_start,
    .mark_stop = kt_level_zero_mark_stop,
    .mark_hand_out = kt_level_zero_mark_hand_out,
    .mark_read = kt_level_zero_mark_read,
    .mark_fini = kt_level_zero_mark_fini,
    .recording_init = kt_level_zero_recording_init,
    .recording_fini = kt_level_zero_recording_fini,
    .recording_begin = kt_level_zero_recording_begin,
    .recording_timestamp = kt_level_zero_recording_timestamp,
    .recording_hand_out = kt_level_zero_recording_hand_out,
    .recording_submit = kt_level_zero_recording_submit,
    .recording_reset = kt_level_zero_recording_reset,
    .recording_read = kt_level_zero_recording_read,
};

const kt_backend kt_backend_level_zero = {
    .name = "level_zero",
    .title = "Level Zero",
    .lib_size = sizeof(level_zero_lib),
    .lib_init = lib_init,
    .lib_fini = lib_fini,
    .device_fini = kt_level_zero_device_fini,
    .clock_pair = kt_level_zero_clock_pair,
    .languages_with_local = KT_LANGUAGE_SPIRV_KERNEL,
    .program_fini = kt_level_zero_program_fini,
    .program_reflect = kt_level_zero_program_reflect,
    .job_flush_caches = kt_level_zero_job_flush_caches,
    .instrumentation = &instrumentation,
    KT_SLOTS(level_zero),
};
