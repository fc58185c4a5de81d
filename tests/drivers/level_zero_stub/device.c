/* SPDX-License-Identifier: MIT */
/* Drivers, devices and what they tell of themselves, and contexts. */
#include "stub.h"

#include <stdio.h>
#include <string.h>

#define EXTENSION "ZE_experimental_event_query_timestamps"

enum { DEVICE_ID = 0x0bd5, NS_PER_S = 1000000000 };

struct _ze_driver_handle_t {
    unsigned index;
};

static struct _ze_driver_handle_t drivers[DRIVERS_MAX];
static struct _ze_device_handle_t devices[DRIVERS_MAX][DEVICES_MAX];
static struct _ze_device_handle_t parts[DRIVERS_MAX][DEVICES_MAX][TILES_MAX];

static ze_driver_handle_t driver_use(ze_driver_handle_t handle)
{
    for (unsigned i = 0; i < script.drivers; i++)
        if (handle == &drivers[i])
            return handle;
    misuse("no driver");
    return NULL;
}

ze_device_handle_t device_use(ze_device_handle_t handle)
{
    for (unsigned i = 0; i < script.drivers; i++)
        for (unsigned k = 0; k < script.devices; k++) {
            if (handle == &devices[i][k])
                return handle;
            for (unsigned tile = 0; tile < script.tiles; tile++)
                if (handle == &parts[i][k][tile])
                    return handle;
        }
    misuse("no device");
    return NULL;
}

#define USE_DRIVER(handle)   \
    if (!driver_use(handle)) \
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE
#define USE_DEVICE(handle)   \
    if (!device_use(handle)) \
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE

/* How many of `all` the caller has room for, as all questions for lists go. */
static ze_result_t count_of(uint32_t *count, const void *out, uint32_t all)
{
    REQUIRE(count, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    if (!out || *count == 0 || *count > all)
        *count = all;
    return ZE_RESULT_SUCCESS;
}

/* ---- drivers ---- */

ze_result_t stub_Init(ze_init_flags_t flags)
{
    ENTER(Init, NEEDS_NOTHING);
    REQUIRE((flags & ~(ze_init_flags_t)(ZE_INIT_FLAG_GPU_ONLY | ZE_INIT_FLAG_VPU_ONLY)) == 0,
            ZE_RESULT_ERROR_INVALID_ENUMERATION, "flags %u", flags);
    stub_initialised();
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_DriverGet(uint32_t *count, ze_driver_handle_t *out)
{
    ENTER(DriverGet, NEEDS_INIT);
    bool asks = !out || !count || *count == 0;
    ze_result_t code = count_of(count, out, (uint32_t)script.drivers);
    for (uint32_t i = 0; code == ZE_RESULT_SUCCESS && !asks && i < *count; i++) {
        drivers[i].index = i;
        out[i] = &drivers[i];
    }
    return code;
}

ze_result_t stub_DriverGetApiVersion(ze_driver_handle_t driver, ze_api_version_t *out)
{
    ENTER(DriverGetApiVersion, NEEDS_INIT);
    USE_DRIVER(driver);
    *out = (ze_api_version_t)ZE_MAKE_VERSION(1, STUB_LOADER ? 9 : 3);
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_DriverGetProperties(ze_driver_handle_t driver, ze_driver_properties_t *out)
{
    ENTER(DriverGetProperties, NEEDS_INIT);
    USE_DRIVER(driver);
    REQUIRE_TYPE(out, ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES);
    memset(&out->uuid, (int)(driver - drivers) + 1, sizeof out->uuid);
    out->driverVersion = 0x01036237; /* 1.3.25143 as Intel's driver writes it */
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_DriverGetExtensionProperties(ze_driver_handle_t driver, uint32_t *count,
                                              ze_driver_extension_properties_t *out)
{
    ENTER(DriverGetExtensionProperties, NEEDS_INIT);
    static const char *const names[] = {"ZE_extension_float_atomics", EXTENSION};
    bool asks = !out || !count || *count == 0;
    USE_DRIVER(driver);
    ze_result_t code = count_of(count, out, script.extension ? 2 : 1);
    for (uint32_t i = 0; code == ZE_RESULT_SUCCESS && !asks && i < *count; i++) {
        snprintf(out[i].name, sizeof out[i].name, "%s", names[i]);
        out[i].version = 0x10000;
    }
    return code;
}

/* ---- devices ---- */

ze_result_t stub_DeviceGet(ze_driver_handle_t driver, uint32_t *count, ze_device_handle_t *out)
{
    ENTER(DeviceGet, NEEDS_INIT);
    bool asks = !out || !count || *count == 0;
    USE_DRIVER(driver);
    ze_result_t code = count_of(count, out, (uint32_t)script.devices);
    for (uint32_t i = 0; code == ZE_RESULT_SUCCESS && !asks && i < *count; i++) {
        ze_device_handle_t device = &devices[driver - drivers][i];
        device->driver = (unsigned)(driver - drivers);
        device->ordinal = i;
        out[i] = device;
    }
    return code;
}

ze_result_t stub_DevicePciGetPropertiesExt(ze_device_handle_t device, ze_pci_ext_properties_t *out)
{
    ENTER(DevicePciGetPropertiesExt, NEEDS_INIT);
    USE_DEVICE(device);
    REQUIRE_TYPE(out, ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES);
    out->address = (ze_pci_address_ext_t){.bus = 0x9a + device->ordinal, .device = 2};
    return ZE_RESULT_SUCCESS;
}

/* A device of several tiles has each as a sub-device; a sub-device has none. */
ze_result_t stub_DeviceGetSubDevices(ze_device_handle_t device, uint32_t *count,
                                     ze_device_handle_t *out)
{
    ENTER(DeviceGetSubDevices, NEEDS_INIT);
    bool asks = !out || !count || *count == 0;
    USE_DEVICE(device);
    bool has_parts = script.tiles > 1 && !device->is_part;
    ze_result_t code = count_of(count, out, has_parts ? (uint32_t)script.tiles : 0);
    for (uint32_t i = 0; code == ZE_RESULT_SUCCESS && !asks && i < *count; i++) {
        ze_device_handle_t part = &parts[device->driver][device->ordinal][i];
        part->driver = device->driver;
        part->ordinal = device->ordinal;
        part->is_part = true;
        out[i] = part;
    }
    return code;
}

static ze_result_t get_resolution(ze_structure_type_t type, uint64_t *out)
{
    uint64_t whole_ns = NS_PER_S / script.hz;
    bool in_cycles = type == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
    if (in_cycles && script.unit == UNIT_REFUSED)
        return ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION;
    if (script.unit == UNIT_HZ)
        in_cycles = true;
    if (script.unit == UNIT_OLD)
        in_cycles = false;
    *out = in_cycles ? script.hz : whole_ns;
    if (script.unit == UNIT_ZERO)
        *out = 0;
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_DeviceGetProperties(ze_device_handle_t device, ze_device_properties_t *out)
{
    ENTER(DeviceGetProperties, NEEDS_INIT);
    USE_DEVICE(device);
    REQUIRE(out, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    ze_structure_type_t type = out->stype;
    REQUIRE((type == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES ||
             type == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2) &&
                !out->pNext,
            ZE_RESULT_ERROR_INVALID_ARGUMENT, "stype or pNext of the device's properties");
    ze_device_property_flags_t flags = 0;
    if (script.integrated)
        flags |= ZE_DEVICE_PROPERTY_FLAG_INTEGRATED;
    if (device->is_part)
        flags |= ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE;
    uint64_t resolution = 0;
    ze_result_t code = get_resolution(type, &resolution);
    if (code != ZE_RESULT_SUCCESS)
        return code;
    *out = (ze_device_properties_t){
        .stype = type,
        .type = script.npu && device->ordinal == 0 ? ZE_DEVICE_TYPE_VPU : ZE_DEVICE_TYPE_GPU,
        .vendorId = (uint32_t)script.vendor,
        .deviceId = DEVICE_ID,
        .flags = flags,
        .coreClockRate = 1600,
        .maxMemAllocSize = script.max_alloc,
        .maxHardwareContexts = 65536,
        .numThreadsPerEU = 8,
        .physicalEUSimdWidth = 16,
        .numEUsPerSubslice = 8,
        .numSubslicesPerSlice = 16,
        .numSlices = 4,
        .timerResolution = resolution,
        .timestampValidBits = (uint32_t)script.bits,
        .kernelTimestampValidBits = (uint32_t)script.kernel_bits,
    };
    for (unsigned i = 0; i < sizeof out->uuid.id; i++)
        out->uuid.id[i] = (uint8_t)(0xf0 + i);
    out->uuid.id[15] -= (uint8_t)(device->driver * DEVICES_MAX + device->ordinal);
    snprintf(out->name, sizeof out->name, "Stub of Level Zero %u", device->ordinal);
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_DeviceGetComputeProperties(ze_device_handle_t device,
                                            ze_device_compute_properties_t *out)
{
    ENTER(DeviceGetComputeProperties, NEEDS_INIT);
    USE_DEVICE(device);
    REQUIRE_TYPE(out, ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES);
    *out = (ze_device_compute_properties_t){
        .stype = out->stype,
        .maxTotalGroupSize = GROUP_MAX,
        .maxGroupSizeX = GROUP_MAX,
        .maxGroupSizeY = GROUP_MAX,
        .maxGroupSizeZ = GROUP_MAX,
        .maxGroupCountX = UINT32_MAX,
        .maxGroupCountY = UINT32_MAX,
        .maxGroupCountZ = UINT32_MAX,
        .maxSharedLocalMemory = LOCAL_BYTES_MAX,
        .numSubGroupSizes = 2,
        .subGroupSizes = {16, 32},
    };
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_DeviceGetModuleProperties(ze_device_handle_t device,
                                           ze_device_module_properties_t *out)
{
    ENTER(DeviceGetModuleProperties, NEEDS_INIT);
    USE_DEVICE(device);
    REQUIRE_TYPE(out, ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES);
    *out = (ze_device_module_properties_t){.stype = out->stype,
                                           .spirvVersionSupported = ZE_MAKE_VERSION(1, 2),
                                           .maxArgumentsSize = 2048,
                                           .printfBufferSize = 4096};
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_DeviceGetMemoryProperties(ze_device_handle_t device, uint32_t *count,
                                           ze_device_memory_properties_t *out)
{
    ENTER(DeviceGetMemoryProperties, NEEDS_INIT);
    bool asks = !out || !count || *count == 0;
    USE_DEVICE(device);
    ze_result_t code = count_of(count, out, 1);
    if (code != ZE_RESULT_SUCCESS || asks)
        return code;
    REQUIRE_TYPE(out, ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES);
    out->flags = 0;
    out->maxClockRate = 3200;
    out->maxBusWidth = script.integrated ? 128 : 1024;
    out->totalSize = script.total_bytes;
    snprintf(out->name, sizeof out->name, "%s", script.integrated ? "DDR" : "HBM");
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_DeviceGetMemoryAccessProperties(ze_device_handle_t device,
                                                 ze_device_memory_access_properties_t *out)
{
    ENTER(DeviceGetMemoryAccessProperties, NEEDS_INIT);
    USE_DEVICE(device);
    REQUIRE_TYPE(out, ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES);
    out->hostAllocCapabilities = ZE_MEMORY_ACCESS_CAP_FLAG_RW;
    out->deviceAllocCapabilities = ZE_MEMORY_ACCESS_CAP_FLAG_RW | ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC;
    out->sharedSingleDeviceAllocCapabilities = ZE_MEMORY_ACCESS_CAP_FLAG_RW;
    out->sharedCrossDeviceAllocCapabilities = 0;
    out->sharedSystemAllocCapabilities = 0;
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_DeviceGetCacheProperties(ze_device_handle_t device, uint32_t *count,
                                          ze_device_cache_properties_t *out)
{
    ENTER(DeviceGetCacheProperties, NEEDS_INIT);
    bool asks = !out || !count || *count == 0;
    USE_DEVICE(device);
    ze_result_t code = count_of(count, out, 1);
    if (code != ZE_RESULT_SUCCESS || asks)
        return code;
    REQUIRE_TYPE(out, ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES);
    out->flags = 0;
    out->cacheSize = 1 << 20;
    return ZE_RESULT_SUCCESS;
}

/* ---- engines ---- */

#define ENGINE(which, pattern, number)                                               \
    {                                                                                \
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES, .flags = (which), \
        .maxMemoryFillPatternSize = (pattern), .numQueues = (number)                 \
    }

/* As Intel's driver shows them, with one of its own for programs that take the first group for the
 * one that computes. */
const ze_command_queue_group_properties_t *device_groups(unsigned *count)
{
    static const ze_command_queue_group_properties_t
        one[] = {ENGINE(7, SIZE_MAX, 1)},
        pvc[] = {ENGINE(7, SIZE_MAX, 1), ENGINE(2, FILL_PATTERN_COPY_ENGINE, 1),
                 ENGINE(2, FILL_PATTERN_COPY_ENGINE, 8)},
        dg2[] = {ENGINE(7, SIZE_MAX, 1), ENGINE(15, SIZE_MAX, 4),
                 ENGINE(2, FILL_PATTERN_COPY_ENGINE, 1)},
        copy_first[] = {ENGINE(2, FILL_PATTERN_COPY_ENGINE, 2), ENGINE(7, SIZE_MAX, 1)},
        apart[] = {ENGINE(5, SIZE_MAX, 1), ENGINE(2, FILL_PATTERN_COPY_ENGINE, 1)};
    static const ze_command_queue_group_properties_t *const all[] = {one,        pvc,  dg2,
                                                                     copy_first, NULL, apart};
    static const unsigned counts[] = {1, 3, 3, 2, 0, 2};
    *count = counts[script.groups];
    return all[script.groups];
}

ze_result_t stub_DeviceGetCommandQueueGroupProperties(ze_device_handle_t device, uint32_t *count,
                                                      ze_command_queue_group_properties_t *out)
{
    ENTER(DeviceGetCommandQueueGroupProperties, NEEDS_INIT);
    unsigned all = 0;
    bool asks = !out || !count || *count == 0;
    USE_DEVICE(device);
    const ze_command_queue_group_properties_t *groups = device_groups(&all);
    ze_result_t code = count_of(count, out, all);
    for (uint32_t i = 0; code == ZE_RESULT_SUCCESS && !asks && i < *count; i++) {
        REQUIRE_TYPE(&out[i], ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES);
        out[i] = groups[i];
    }
    return code;
}

/* ---- the clock ---- */

ze_result_t stub_DeviceGetGlobalTimestamps(ze_device_handle_t device, uint64_t *host,
                                           uint64_t *ticks)
{
    ENTER(DeviceGetGlobalTimestamps, NEEDS_INIT);
    USE_DEVICE(device);
    REQUIRE(host && ticks, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    if (script.calibrated_timestamps == PAIRS_UNSUPPORTED)
        return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    if (script.calibrated_timestamps == PAIRS_LOST || script.aub)
        return ZE_RESULT_ERROR_DEVICE_LOST;
    if (script.calibrated_timestamps == PAIRS_SLOW)
        call_pause();
    *host = (uint64_t)clock_now();
    *ticks = counter_global(counter_now());
    return ZE_RESULT_SUCCESS;
}

/* ---- contexts ---- */

ze_result_t stub_ContextCreate(ze_driver_handle_t driver, const ze_context_desc_t *desc,
                               ze_context_handle_t *out)
{
    ENTER(ContextCreate, NEEDS_INIT);
    USE_DRIVER(driver);
    REQUIRE_TYPE(desc, ZE_STRUCTURE_TYPE_CONTEXT_DESC);
    REQUIRE(out, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    ze_context_handle_t context = object_create(KIND_CONTEXT, sizeof *context, NULL);
    context->driver = driver;
    *out = context;
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_ContextDestroy(ze_context_handle_t context)
{
    ENTER(ContextDestroy, NEEDS_INIT | NEEDS_NO_LUCK);
    USE(context, context, KIND_CONTEXT);
    for (unsigned kind = 0; kind < KIND_COUNT; kind++)
        for (const struct object *o = NULL; (o = object_next(kind, o)) != NULL;)
            if (o->context == context)
                misuse("%s of the context is there", kind_names[kind]);
    if (memory_of_context(context))
        misuse("memory of the context is there");
    object_destroy(context);
    return ZE_RESULT_SUCCESS;
}
