/* SPDX-License-Identifier: MIT */
#include "backends/level_zero/internal.h"
#include "support/alloc.h"

#include <stdio.h>
#include <string.h>

#define VENDOR_INTEL   0x8086
#define EXTENSIONS_MAX 256
#define MEMORIES_MAX   8

/* ---- codes ---- */

const char *kt_level_zero_code_name(ze_result_t code)
{
    static const struct {
        ze_result_t code;
        const char *name;
    } names[] = {
#define NAME(name) {name, #name}
        NAME(ZE_RESULT_NOT_READY),
        NAME(ZE_RESULT_ERROR_DEVICE_LOST),
        NAME(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY),
        NAME(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY),
        NAME(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE),
        NAME(ZE_RESULT_ERROR_MODULE_LINK_FAILURE),
        NAME(ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET),
        NAME(ZE_RESULT_ERROR_DEVICE_IN_LOW_POWER_STATE),
        NAME(ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS),
        NAME(ZE_RESULT_ERROR_NOT_AVAILABLE),
        NAME(ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE),
        NAME(ZE_RESULT_ERROR_UNINITIALIZED),
        NAME(ZE_RESULT_ERROR_UNSUPPORTED_VERSION),
        NAME(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE),
        NAME(ZE_RESULT_ERROR_INVALID_ARGUMENT),
        NAME(ZE_RESULT_ERROR_INVALID_NULL_HANDLE),
        NAME(ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE),
        NAME(ZE_RESULT_ERROR_INVALID_NULL_POINTER),
        NAME(ZE_RESULT_ERROR_INVALID_SIZE),
        NAME(ZE_RESULT_ERROR_UNSUPPORTED_SIZE),
        NAME(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT),
        NAME(ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT),
        NAME(ZE_RESULT_ERROR_INVALID_ENUMERATION),
        NAME(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION),
        NAME(ZE_RESULT_ERROR_INVALID_NATIVE_BINARY),
        NAME(ZE_RESULT_ERROR_INVALID_KERNEL_NAME),
        NAME(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION),
        NAME(ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION),
        NAME(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX),
        NAME(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE),
        NAME(ZE_RESULT_ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE),
        NAME(ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED),
        NAME(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE),
        NAME(ZE_RESULT_ERROR_OVERLAPPING_REGIONS),
        NAME(ZE_RESULT_ERROR_UNKNOWN),
#undef NAME
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].code == code)
            return names[i].name;
    return "unknown code";
}

kt_status kt_level_zero_fail(const char *call, ze_result_t code)
{
    kt_status status = KT_DRIVER_ERROR;
    if (code == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY || code == ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)
        status = KT_NO_MEMORY;
    else if (code == ZE_RESULT_ERROR_DEVICE_LOST || code == ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET)
        status = KT_DEVICE_LOST;
    return kt_fail(status, "%s failed: %s (0x%x)", call, kt_level_zero_code_name(code),
                   (unsigned)code);
}

/* ---- properties of a device ---- */

/* Lists the queue groups. Here as elsewhere, the count is queried first, and the room given is
 * never larger than the count: Intel's driver (22.43) fills the excess with memory behind its own
 * table and leaves the count as it was. */
kt_status kt_level_zero_groups(const ze_api *api, ze_device_handle_t device,
                               ze_command_queue_group_properties_t *groups, uint32_t *count)
{
    for (uint32_t i = 0; i < KT_QUEUE_GROUPS_MAX; i++)
        groups[i] = (ze_command_queue_group_properties_t){
            .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES};
    uint32_t found = 0;
    kt_status status = ZE_DO(api, zeDeviceGetCommandQueueGroupProperties, device, &found, NULL);
    found = found < KT_QUEUE_GROUPS_MAX ? found : KT_QUEUE_GROUPS_MAX;
    if (status == KT_OK && found > 0)
        status = ZE_DO(api, zeDeviceGetCommandQueueGroupProperties, device, &found, groups);
    if (status == KT_OK)
        *count = found;
    return status;
}

kt_status kt_level_zero_find_extension(const ze_api *api, ze_driver_handle_t driver,
                                       const char *name, bool *found)
{
    uint32_t count = 0;
    kt_status status = ZE_DO(api, zeDriverGetExtensionProperties, driver, &count, NULL);
    if (status != KT_OK || count == 0 || count > EXTENSIONS_MAX)
        return status;
    ze_driver_extension_properties_t *all = kt_alloc(count, sizeof *all);
    if (!all)
        return KT_NO_MEMORY;
    status = ZE_DO(api, zeDriverGetExtensionProperties, driver, &count, all);
    for (uint32_t i = 0; i < count && status == KT_OK; i++)
        *found |= strncmp(all[i].name, name, sizeof all[i].name) == 0;
    kt_free(all);
    return status;
}

kt_status kt_level_zero_find_tiles(const ze_api *api, ze_driver_handle_t driver,
                                   ze_device_handle_t device, uint32_t *tiles, bool *by_tile)
{
    uint32_t count = 0;
    kt_status status = KT_OK;
    if (api->zeDeviceGetSubDevices)
        status = ZE_DO(api, zeDeviceGetSubDevices, device, &count, NULL);
    *tiles = count > 1 ? count : 1;
    *by_tile = false;
    /* A device may have tiles even if its driver cannot report them. */
    bool may_be_split = count > 1 || !api->zeDeviceGetSubDevices;
    if (status == KT_OK && may_be_split && api->zeEventQueryTimestampsExp)
        status =
            kt_level_zero_find_extension(api, driver, ZE_EVENT_QUERY_TIMESTAMPS_EXP_NAME, by_tile);
    return status;
}

/* Reports a device whose events have no result for each tile. Such an event covers one tile or all
 * tiles, as the driver chooses. */
static kt_status note_tiles(const ze_api *api, const level_zero_place *place, kt_device_info *info)
{
    uint32_t tiles = 1;
    bool by_tile = false;
    kt_status status =
        kt_level_zero_find_tiles(api, place->driver, place->device, &tiles, &by_tile);
    if (tiles > 1 && !by_tile)
        snprintf(info->quirk, sizeof info->quirk,
                 "it splits kernels over %u tiles and its driver does not tell the times of each "
                 "(" ZE_EVENT_QUERY_TIMESTAMPS_EXP_NAME "), so a time may be that of one tile",
                 tiles);
    return status;
}

static kt_status tell_groups(const ze_api *api, ze_device_handle_t device, kt_device_info *info)
{
    static const struct {
        ze_command_queue_group_property_flags_t flag;
        kt_queue_kind kind;
    } kinds[] = {{ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE, KT_QUEUE_COMPUTE},
                 {ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY, KT_QUEUE_COPY},
                 {ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS, KT_QUEUE_COOPERATIVE},
                 {ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_METRICS, KT_QUEUE_METRICS}};
    ze_command_queue_group_properties_t groups[KT_QUEUE_GROUPS_MAX];
    kt_status status = kt_level_zero_groups(api, device, groups, &info->queue_group_count);
    for (uint32_t i = 0; i < info->queue_group_count; i++) {
        info->queue_groups[i].queue_count = groups[i].numQueues;
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            if (groups[i].flags & kinds[k].flag)
                info->queue_groups[i].kinds |= (uint32_t)kinds[k].kind;
    }
    return status;
}

/* Intel's driver packs 1.3.24595 as 8, 8 and 16 bits (read in the sources of 22.43 to 25.13). Other
 * vendors' packing is unknown. */
static kt_status tell_driver(const ze_api *api, ze_driver_handle_t driver, kt_device_info *info)
{
    ze_driver_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
    ze_api_version_t version = 0;
    char text[32];
    kt_status status = ZE_DO(api, zeDriverGetProperties, driver, &properties);
    if (status == KT_OK)
        status = ZE_DO(api, zeDriverGetApiVersion, driver, &version);
    unsigned number = properties.driverVersion;
    if (info->vendor_id == VENDOR_INTEL)
        snprintf(text, sizeof text, "%u.%u.%u", number >> 24, number >> 16 & 0xff, number & 0xffff);
    else
        snprintf(text, sizeof text, "0x%08x", number);
    snprintf(info->driver, sizeof info->driver, "Level Zero %s (API %u.%u)", text,
             (unsigned)ZE_MAJOR_VERSION(version), (unsigned)ZE_MINOR_VERSION(version));
    return status;
}

static kt_device_type type_of(ze_device_type_t type)
{
    switch ((int)type) {
    case ZE_DEVICE_TYPE_GPU: return KT_DEVICE_GPU;
    case ZE_DEVICE_TYPE_CPU: return KT_DEVICE_CPU;
    case ZE_DEVICE_TYPE_FPGA:
    case ZE_DEVICE_TYPE_MCA:
    case ZE_DEVICE_TYPE_VPU: return KT_DEVICE_ACCELERATOR;
    default: return KT_DEVICE_OTHER;
    }
}

static void tell_identity(const ze_device_properties_t *properties, kt_device_info *info)
{
    snprintf(info->name, sizeof info->name, "%.*s", (int)sizeof properties->name, properties->name);
    info->vendor_id = properties->vendorId;
    kt_tell_uuid(info, properties->uuid.id);
    if (info->vendor_id == VENDOR_INTEL) /* Level Zero has no call for a vendor's name */
        snprintf(info->vendor, sizeof info->vendor, "Intel(R) Corporation");
    info->type = type_of(properties->type);
    info->compute_units =
        properties->numSlices * properties->numSubslicesPerSlice * properties->numEUsPerSubslice;
    for (int i = 0; i < LEVEL_ZERO_CLOCK_COUNT; i++)
        info->clocks[info->clock_count++] = kt_level_zero_clock(properties, i);
}

/* Drivers before the extension ZE_extension_pci_properties answer that they lack it. */
static void tell_address(const ze_api *api, ze_device_handle_t device, kt_device_info *info)
{
    ze_pci_ext_properties_t pci = {.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES};
    if (api->zeDevicePciGetPropertiesExt &&
        ZE_CODE(api, zeDevicePciGetPropertiesExt, device, &pci) == ZE_RESULT_SUCCESS)
        kt_tell_pci_address(info, pci.address.domain, pci.address.bus, pci.address.device,
                            pci.address.function);
}

static kt_status tell_memory_size(const ze_api *api, ze_device_handle_t device,
                                  kt_device_info *info)
{
    ze_device_memory_properties_t memories[MEMORIES_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < MEMORIES_MAX; i++)
        memories[i] =
            (ze_device_memory_properties_t){.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES};
    kt_status status = ZE_DO(api, zeDeviceGetMemoryProperties, device, &count, NULL);
    count = count < MEMORIES_MAX ? count : MEMORIES_MAX;
    if (status == KT_OK && count > 0)
        status = ZE_DO(api, zeDeviceGetMemoryProperties, device, &count, memories);
    for (uint32_t i = 0; i < count && status == KT_OK; i++)
        info->memory_bytes += memories[i].totalSize;
    return status;
}

static kt_status ask_access(const ze_api *api, ze_device_handle_t device,
                            ze_device_memory_access_properties_t *access)
{
    *access = (ze_device_memory_access_properties_t){
        .stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES};
    return ZE_DO(api, zeDeviceGetMemoryAccessProperties, device, access);
}

/*
 * Heap memory can be copied if kernels may access it, and with Intel's driver on every device: the
 * driver makes it visible to the device for as long as the list exists. An integrated device with
 * shared memory offers no `host`, because its driver allocates both alike. Device memory is
 * invisible to the host even there.
 */
static kt_status offer_memory(const ze_api *api, const level_zero_place *place,
                              const ze_device_properties_t *properties, kt_device_info *info)
{
    const ze_memory_access_cap_flags_t works = ZE_MEMORY_ACCESS_CAP_FLAG_RW;
    ze_device_memory_access_properties_t access;
    kt_status status = ask_access(api, place->device, &access);
    bool shares = access.sharedSingleDeviceAllocCapabilities & works;
    bool is_one = properties->flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED && shares;
    if (access.sharedSystemAllocCapabilities & works || info->vendor_id == VENDOR_INTEL)
        info->memory_kinds |= 1u << KT_MEMORY_HEAP;
    if (access.hostAllocCapabilities & works && !is_one)
        info->memory_kinds |= 1u << KT_MEMORY_HOST;
    if (access.deviceAllocCapabilities & works)
        info->memory_kinds |= 1u << KT_MEMORY_DEVICE;
    if (shares)
        info->memory_kinds |= 1u << KT_MEMORY_SHARED;
    if (place->copies)
        kt_offer_all_copies(info);
    return status;
}

static kt_status ask_compute(const ze_api *api, ze_device_handle_t device,
                             ze_device_compute_properties_t *compute)
{
    *compute =
        (ze_device_compute_properties_t){.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
    return ZE_DO(api, zeDeviceGetComputeProperties, device, compute);
}

/* A driver without a compiler reports no SPIR-V version. */
static kt_status offer_languages(const ze_api *api, ze_device_handle_t device, kt_device_info *info)
{
    ze_device_module_properties_t module = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
    kt_status status = ZE_DO(api, zeDeviceGetModuleProperties, device, &module);
    if (module.spirvVersionSupported != 0)
        info->languages = KT_LANGUAGE_SPIRV_KERNEL;
    return status;
}

kt_status kt_level_zero_device_info(void *lib, uint32_t index, const char *scenario,
                                    kt_device_info *info)
{
    (void)scenario;
    const level_zero_lib *l = lib;
    const ze_api *api = &l->api;
    const level_zero_place *place = &l->places[index];
    ze_device_properties_t properties;
    ze_device_compute_properties_t compute;
    kt_status status = kt_level_zero_properties(api, place->device, &properties);
    if (status != KT_OK)
        return status;
    tell_identity(&properties, info);
    tell_address(api, place->device, info);
    info->max_memory_bytes = properties.maxMemAllocSize;
    status = tell_driver(api, place->driver, info);
    if (status == KT_OK)
        status = ask_compute(api, place->device, &compute);
    if (status != KT_OK)
        return status;
    info->max_group_size = compute.maxTotalGroupSize;
    info->local_memory_bytes = compute.maxSharedLocalMemory;
    status = tell_memory_size(api, place->device, info);
    if (status == KT_OK)
        status = offer_memory(api, place, &properties, info);
    if (status == KT_OK)
        status = offer_languages(api, place->device, info);
    if (status == KT_OK)
        status = note_tiles(api, place, info);
    return status == KT_OK ? tell_groups(api, place->device, info) : status;
}

/* ---- an opened device ---- */

static kt_status find_limits(level_zero_device *d)
{
    ze_device_compute_properties_t compute;
    ze_device_memory_access_properties_t access;
    kt_status status = ask_compute(d->base.api, d->base.device, &compute);
    if (status == KT_OK)
        status = ask_access(d->base.api, d->base.device, &access);
    if (status != KT_OK)
        return status;
    d->heap_args = access.sharedSystemAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW;
    const uint32_t groups[3] = {compute.maxGroupCountX, compute.maxGroupCountY,
                                compute.maxGroupCountZ};
    const uint32_t items[3] = {compute.maxGroupSizeX, compute.maxGroupSizeY, compute.maxGroupSizeZ};
    /* Intel's driver (22.43) reports devices whose groups have no work-items if there is no GPU. It
     * refuses all kernels for them, and crashes at the first copy, which is a kernel. */
    if (compute.maxTotalGroupSize == 0)
        return kt_fail(KT_DRIVER_ERROR, "its driver says that groups take no work-items "
                                        "(maxTotalGroupSize is 0), so nothing can run on it");
    memcpy(d->groups_max, groups, sizeof groups);
    memcpy(d->group_max, items, sizeof items);
    return KT_OK;
}

kt_status kt_level_zero_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                                    const kt_device_info *info, const kt_host_clock *host)
{
    (void)scenario;
    static const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    level_zero_device *d = device;
    const level_zero_lib *l = lib;
    const ze_api *api = &l->api;
    ze_context_handle_t context = NULL;
    uint32_t tiles = 1;
    d->place = &l->places[index];
    d->base.api = api;
    d->base.device = d->place->device;
    d->info = info;
    d->host = *host;
    kt_status status = find_limits(d);
    if (status == KT_OK)
        status =
            kt_level_zero_find_tiles(api, d->place->driver, d->base.device, &tiles, &d->by_tile);
    if (status == KT_OK)
        status = ZE_DO(api, zeContextCreate, d->place->driver, &desc, &context);
    if (status != KT_OK)
        return status;
    d->base.context = context;
    status = kt_level_zero_immediate_create(d, &d->transfer);
    return status == KT_OK ? kt_level_zero_caches_init(&d->caches) : status;
}

void kt_level_zero_device_fini(void *device)
{
    level_zero_device *d = device;
    kt_level_zero_caches_fini(&d->base, &d->caches);
    kt_level_zero_free(&d->base, d->staging);
    kt_level_zero_immediate_destroy(&d->base, &d->transfer);
    if (d->base.context)
        d->base.api->zeContextDestroy(d->base.context);
}
