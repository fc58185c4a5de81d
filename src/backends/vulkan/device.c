/* SPDX-License-Identifier: MIT */
#include "backends/vulkan/internal.h"
#include "support/alloc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define EXTENSIONS_MAX 1024 /* most extensions read from one driver */
#define USED_MAX       3    /* most device extensions that this file enables */
#define HEAP_EXTENSION VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME

const char *kt_vulkan_code_name(VkResult code)
{
#define NAME(code) \
    case code: return #code
    switch (code) {
        NAME(VK_NOT_READY);
        NAME(VK_TIMEOUT);
        NAME(VK_INCOMPLETE);
        NAME(VK_ERROR_OUT_OF_HOST_MEMORY);
        NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY);
        NAME(VK_ERROR_INITIALIZATION_FAILED);
        NAME(VK_ERROR_DEVICE_LOST);
        NAME(VK_ERROR_MEMORY_MAP_FAILED);
        NAME(VK_ERROR_LAYER_NOT_PRESENT);
        NAME(VK_ERROR_EXTENSION_NOT_PRESENT);
        NAME(VK_ERROR_FEATURE_NOT_PRESENT);
        NAME(VK_ERROR_INCOMPATIBLE_DRIVER);
        NAME(VK_ERROR_TOO_MANY_OBJECTS);
        NAME(VK_ERROR_FRAGMENTED_POOL);
        NAME(VK_ERROR_FRAGMENTATION);
        NAME(VK_ERROR_OUT_OF_POOL_MEMORY);
        NAME(VK_ERROR_INVALID_EXTERNAL_HANDLE);
        NAME(VK_ERROR_UNKNOWN);
    default: return "unknown code";
    }
#undef NAME
}

kt_status kt_vulkan_fail(const char *call, VkResult code)
{
    bool no_memory = code == VK_ERROR_OUT_OF_HOST_MEMORY || code == VK_ERROR_OUT_OF_DEVICE_MEMORY ||
                     code == VK_ERROR_OUT_OF_POOL_MEMORY;
    kt_status status = no_memory                      ? KT_NO_MEMORY
                       : code == VK_ERROR_DEVICE_LOST ? KT_DEVICE_LOST
                                                      : KT_DRIVER_ERROR;
    return kt_fail(status, "%s failed: %s (%d)", call, kt_vulkan_code_name(code), (int)code);
}

kt_status kt_vulkan_find_extension(const vulkan_api *api, VkPhysicalDevice device, const char *name,
                                   bool *found)
{
    uint32_t count = EXTENSIONS_MAX;
    VkExtensionProperties *extensions = kt_alloc(EXTENSIONS_MAX, sizeof *extensions);
    *found = false;
    if (!extensions)
        return KT_NO_MEMORY;
    VkResult code =
        device
            ? VK_CALL(api, vkEnumerateDeviceExtensionProperties, device, NULL, &count, extensions)
            : VK_CALL(api, vkEnumerateInstanceExtensionProperties, NULL, &count, extensions);
    /* On failure the device is used without extensions. */
    for (uint32_t i = 0; code >= 0 && i < count && i < EXTENSIONS_MAX; i++)
        *found |= strcmp(extensions[i].extensionName, name) == 0;
    kt_free(extensions);
    return KT_OK;
}

/* ---- device description ---- */

static kt_device_type device_type(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return KT_DEVICE_CPU;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return KT_DEVICE_GPU;
    default: return KT_DEVICE_OTHER;
    }
}

/* Vendors with compute devices: PCI ids, and Khronos ids of vendors without a PCI id. */
static const char *vendor_name(uint32_t id)
{
    switch (id) {
    case 0x1002: return "AMD";
    case 0x1010: return "Imagination";
    case 0x106b: return "Apple";
    case 0x10de: return "NVIDIA";
    case 0x13b5: return "Arm";
    case 0x14e4: return "Broadcom";
    case 0x1ae0: return "Google";
    case 0x5143: return "Qualcomm";
    case 0x8086: return "Intel";
    case 0x10005: return "Mesa";
    default: return "";
    }
}

/* Fills in a property structure added in version `since`. Older devices leave it unchanged. */
static void ask_properties(const vulkan_api *api, const vulkan_place *place, uint32_t since,
                           void *properties)
{
    VkPhysicalDeviceProperties2 chain = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = properties};
    if (place->version >= since && api->vkGetPhysicalDeviceProperties2)
        api->vkGetPhysicalDeviceProperties2(place->device, &chain);
}

/* Returns name and version text of the driver. All zeros before Vulkan 1.2. */
static VkPhysicalDeviceDriverProperties driver_of(const vulkan_api *api, const vulkan_place *place)
{
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    ask_properties(api, place, VK_API_VERSION_1_2, &driver);
    return driver;
}

/* Describes the driver. Without a name, only its version number, in a vendor-specific format. */
static void describe_driver(const vulkan_api *api, const vulkan_place *place,
                            const VkPhysicalDeviceProperties *properties, kt_device_info *info)
{
    VkPhysicalDeviceDriverProperties driver = driver_of(api, place);
    char name[VK_MAX_DRIVER_NAME_SIZE + VK_MAX_DRIVER_INFO_SIZE + 2];
    uint32_t version = properties->driverVersion;
    if (driver.driverName[0] && driver.driverInfo[0])
        snprintf(name, sizeof name, "%s %s", driver.driverName, driver.driverInfo);
    else if (driver.driverName[0]) /* SwiftShader 5.0 leaves driverInfo empty */
        snprintf(name, sizeof name, "%s %u.%u.%u", driver.driverName, VK_VERSION_MAJOR(version),
                 VK_VERSION_MINOR(version), VK_VERSION_PATCH(version));
    else
        snprintf(name, sizeof name, "version 0x%x", version);
    if (driver.driverID == VK_DRIVER_ID_MESA_LLVMPIPE)
        snprintf(info->quirk, sizeof info->quirk, "%s", kt_quirk_of_llvmpipe(driver.driverInfo));
    snprintf(info->driver, sizeof info->driver, "%.*s (Vulkan %u.%u.%u)",
             (int)(sizeof info->driver - 32), name, VK_VERSION_MAJOR(properties->apiVersion),
             VK_VERSION_MINOR(properties->apiVersion), VK_VERSION_PATCH(properties->apiVersion));
}

/* The UUID of a driver for CPUs is that of its version. */
static kt_status describe_identity(const vulkan_api *api, const vulkan_place *place,
                                   kt_device_info *info)
{
    VkPhysicalDeviceIDProperties id = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
    VkPhysicalDevicePCIBusInfoPropertiesEXT pci = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT,
        .pciBus = UINT32_MAX};
    bool found = false;
    if (info->type == KT_DEVICE_CPU)
        return KT_OK;
    ask_properties(api, place, VK_API_VERSION_1_1, &id);
    kt_tell_uuid(info, id.deviceUUID);
    kt_status status =
        kt_vulkan_find_extension(api, place->device, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME, &found);
    if (found)
        ask_properties(api, place, VK_API_VERSION_1_1, &pci);
    kt_tell_pci_address(info, pci.pciDomain, pci.pciBus, pci.pciDevice, pci.pciFunction);
    return status;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Heap memory needs VK_EXT_external_memory_host and Vulkan 1.1. Only the creation of a buffer shows
 * whether it works: SwiftShader 5.0 denies support when asked, but takes such buffers. */
static kt_status describe_heap(const vulkan_api *api, const vulkan_place *place,
                               const VkPhysicalDeviceMemoryProperties *memory, kt_device_info *info)
{
    uint32_t type;
    bool found = false;
    kt_status status = KT_OK;
    if (place->version >= VK_API_VERSION_1_1 && api->vkGetPhysicalDeviceProperties2 &&
        kt_vulkan_find_kind(memory, UINT32_MAX, KT_MEMORY_HEAP, &type))
        status = kt_vulkan_find_extension(api, place->device, HEAP_EXTENSION, &found);
    if (found)
        info->memory_kinds |= 1u << KT_MEMORY_HEAP;
    return status;
}

static kt_status describe_memory(const vulkan_api *api, const vulkan_place *place,
                                 uint64_t argument_bytes, kt_device_info *info)
{
    VkPhysicalDeviceMemoryProperties memory;
    VkPhysicalDeviceMaintenance3Properties most = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES,
        .maxMemoryAllocationSize = UINT64_MAX};
    api->vkGetPhysicalDeviceMemoryProperties(place->device, &memory);
    ask_properties(api, place, VK_API_VERSION_1_1, &most);
    for (kt_memory_kind kind = KT_MEMORY_HOST; kind < KT_MEMORY_KIND_COUNT; kind++) {
        uint32_t type;
        if (!kt_vulkan_find_kind(&memory, UINT32_MAX, kind, &type))
            continue;
        info->memory_kinds |= 1u << kind;
        /* Reports the size of the memory that kernels use by default. */
        if (kind == KT_MEMORY_SHARED && info->memory_kinds & 1u << KT_MEMORY_DEVICE)
            continue;
        info->memory_bytes = memory.memoryHeaps[memory.memoryTypes[type].heapIndex].size;
    }
    kt_status status = describe_heap(api, place, &memory, info);
    kt_offer_all_copies(info);
    info->max_memory_bytes = least(info->memory_bytes, most.maxMemoryAllocationSize);
    info->max_argument_bytes = least(info->max_memory_bytes, argument_bytes);
    return status;
}

kt_clock_info kt_vulkan_clock(const VkPhysicalDeviceLimits *limits, uint32_t bits)
{
    return (kt_clock_info){.name = "queue",
                           .method = KT_METHOD_DEVICE_TIMESTAMP,
                           .period_ns = (double)limits->timestampPeriod,
                           .frequency_hz = NAN,
                           .valid_bits = bits,
                           .uncertainty_ns = NAN};
}

kt_status kt_vulkan_device_info(void *lib, uint32_t index, const char *scenario,
                                kt_device_info *info)
{
    (void)scenario;
    const vulkan_lib *l = lib;
    const vulkan_place *place = &l->places[index];
    VkPhysicalDeviceProperties properties;
    l->api.vkGetPhysicalDeviceProperties(place->device, &properties);
    snprintf(info->name, sizeof info->name, "%s", properties.deviceName);
    snprintf(info->vendor, sizeof info->vendor, "%s", vendor_name(properties.vendorID));
    describe_driver(&l->api, place, &properties, info);
    info->type = device_type(properties.deviceType);
    info->vendor_id = properties.vendorID;
    kt_status status = describe_identity(&l->api, place, info);
    if (status != KT_OK)
        return status;
    info->max_group_size = properties.limits.maxComputeWorkGroupInvocations;
    info->local_memory_bytes = properties.limits.maxComputeSharedMemorySize;
    info->languages = KT_LANGUAGE_SPIRV_SHADER;
    info->clock_count = place->timestamp_bits ? 1 : 0;
    info->clocks[0] = kt_vulkan_clock(&properties.limits, place->timestamp_bits);
    return describe_memory(&l->api, place, properties.limits.maxStorageBufferRange, info);
}

/* ---- opening ---- */

/* Enables all features that kernels may use, and no others: robustBufferAccess, for example, checks
 * every access and would slow kernels down. */
typedef struct wanted_features {
    VkPhysicalDeviceFeatures2 core;
    VkPhysicalDeviceVulkan11Features since_1_1;
    VkPhysicalDeviceVulkan12Features since_1_2;
    bool chained;
} wanted_features;

static void want_features(const vulkan_api *api, const vulkan_place *place, wanted_features *w)
{
    *w = (wanted_features){.core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    w->since_1_1.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
    w->since_1_2.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    w->chained = place->version >= VK_API_VERSION_1_2 && api->vkGetPhysicalDeviceFeatures2;
    wanted_features here = *w;
    here.core.pNext = &here.since_1_1;
    here.since_1_1.pNext = &here.since_1_2;
    if (w->chained)
        api->vkGetPhysicalDeviceFeatures2(place->device, &here.core);
    else
        api->vkGetPhysicalDeviceFeatures(place->device, &here.core.features);
    w->core.features.shaderFloat64 = here.core.features.shaderFloat64;
    w->core.features.shaderInt64 = here.core.features.shaderInt64;
    w->core.features.shaderInt16 = here.core.features.shaderInt16;
    w->since_1_1.storageBuffer16BitAccess = here.since_1_1.storageBuffer16BitAccess;
    w->since_1_1.uniformAndStorageBuffer16BitAccess =
        here.since_1_1.uniformAndStorageBuffer16BitAccess;
    w->since_1_1.storagePushConstant16 = here.since_1_1.storagePushConstant16;
    w->since_1_1.variablePointersStorageBuffer = here.since_1_1.variablePointersStorageBuffer;
    w->since_1_1.variablePointers = here.since_1_1.variablePointers;
    w->since_1_2.storageBuffer8BitAccess = here.since_1_2.storageBuffer8BitAccess;
    w->since_1_2.uniformAndStorageBuffer8BitAccess =
        here.since_1_2.uniformAndStorageBuffer8BitAccess;
    w->since_1_2.storagePushConstant8 = here.since_1_2.storagePushConstant8;
    w->since_1_2.shaderFloat16 = here.since_1_2.shaderFloat16;
    w->since_1_2.shaderInt8 = here.since_1_2.shaderInt8;
    w->since_1_2.shaderBufferInt64Atomics = here.since_1_2.shaderBufferInt64Atomics;
    w->since_1_2.vulkanMemoryModel = here.since_1_2.vulkanMemoryModel;
    w->since_1_2.vulkanMemoryModelDeviceScope = here.since_1_2.vulkanMemoryModelDeviceScope;
    /* Allows types of other than 32 bits in subgroups. No SPIR-V capability covers this feature. */
    w->since_1_2.shaderSubgroupExtendedTypes = here.since_1_2.shaderSubgroupExtendedTypes;
    w->core.pNext = &w->since_1_1;
    w->since_1_1.pNext = &w->since_1_2;
}

static uint32_t capabilities_of(const wanted_features *w)
{
    const struct {
        VkBool32 here;
        spirv_capability bit;
    } features[] = {
        {w->core.features.shaderFloat64, SPIRV_FLOAT64},
        {w->core.features.shaderInt64, SPIRV_INT64},
        {w->core.features.shaderInt16, SPIRV_INT16},
        {w->since_1_2.shaderFloat16, SPIRV_FLOAT16},
        {w->since_1_2.shaderInt8, SPIRV_INT8},
        {w->since_1_1.storageBuffer16BitAccess, SPIRV_STORAGE16},
        {w->since_1_2.storageBuffer8BitAccess, SPIRV_STORAGE8},
        {w->since_1_1.uniformAndStorageBuffer16BitAccess, SPIRV_UNIFORM16},
        {w->since_1_2.uniformAndStorageBuffer8BitAccess, SPIRV_UNIFORM8},
        {w->since_1_1.storagePushConstant16, SPIRV_PUSH16},
        {w->since_1_2.storagePushConstant8, SPIRV_PUSH8},
        {w->since_1_2.shaderBufferInt64Atomics, SPIRV_ATOMICS64},
        {w->since_1_1.variablePointersStorageBuffer, SPIRV_POINTERS},
        {w->since_1_1.variablePointers, SPIRV_ALL_POINTERS},
        {w->since_1_2.vulkanMemoryModel, SPIRV_MEMORY_MODEL},
        {w->since_1_2.vulkanMemoryModelDeviceScope, SPIRV_DEVICE_SCOPE},
    };
    uint32_t bits = 0;
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++)
        bits |= features[i].here ? (uint32_t)features[i].bit : 0u;
    return bits;
}

/* Returns the subgroup operations as capability bits. Vulkan reports them as a property. */
static uint32_t subgroups_of(const vulkan_api *api, const vulkan_place *place)
{
    VkPhysicalDeviceSubgroupProperties subgroups = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    ask_properties(api, place, VK_API_VERSION_1_1, &subgroups);
    bool computes = subgroups.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT;
    return computes ? (subgroups.supportedOperations & 0xFF) * SPIRV_SUBGROUPS : 0;
}

/* Loads all functions of the device or none, because device cleanup calls many of them. */
static kt_status load(vulkan_device *d, const vulkan_api *api)
{
    kt_status status = kt_vulkan_load_device(api, d->device, VULKAN_DEVICE(VULKAN_NAME), &d->api);
    if (status == KT_OK)
        return KT_OK;
    if (d->api.vkDestroyDevice)
        d->api.vkDestroyDevice(d->device, NULL);
    d->api = (vulkan_device_api){0};
    return status;
}

static void prepare_heap(vulkan_device *d, const vulkan_api *api)
{
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT heap = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
    ask_properties(api, d->place, VK_API_VERSION_1_1, &heap);
    d->heap_alignment = heap.minImportedHostPointerAlignment;
    if (d->heap_alignment < KT_HEAP_ALIGNMENT) /* some drivers report an alignment of 0 */
        d->heap_alignment = KT_HEAP_ALIGNMENT;
    d->api.vkGetMemoryHostPointerPropertiesEXT = (PFN_vkGetMemoryHostPointerPropertiesEXT)(void (*)(
        void))api->vkGetDeviceProcAddr(d->device, "vkGetMemoryHostPointerPropertiesEXT");
}

/* Whether the device was described with heap memory, so that its extension must be enabled. */
static bool has_heap(const vulkan_device *d)
{
    return d->info->memory_kinds & 1u << KT_MEMORY_HEAP;
}

/* Chooses the extensions in use, and VK_KHR_portability_subset, which a device that has it
 * requires. */
static kt_status choose_extensions(vulkan_device *d, const vulkan_lib *lib,
                                   const char *extensions[USED_MAX], uint32_t *count)
{
    static const char portability[] = "VK_KHR_portability_subset";
    bool has = false;
    kt_status status = kt_vulkan_timer_find(d, lib);
    if (status == KT_OK)
        status = kt_vulkan_find_extension(&lib->api, d->place->device, portability, &has);
    if (d->timer.extension)
        extensions[(*count)++] = d->timer.extension;
    if (has_heap(d))
        extensions[(*count)++] = HEAP_EXTENSION;
    if (has)
        extensions[(*count)++] = portability;
    return status;
}

static kt_status create_device(vulkan_device *d, const vulkan_lib *lib)
{
    const vulkan_place *place = d->place;
    const char *extensions[USED_MAX];
    uint32_t extension_count = 0;
    kt_status status = choose_extensions(d, lib, extensions, &extension_count);
    if (status != KT_OK)
        return status;
    wanted_features wanted;
    want_features(&lib->api, place, &wanted);
    d->capabilities = capabilities_of(&wanted) | subgroups_of(&lib->api, place);
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = place->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = wanted.chained ? &wanted.core : NULL,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = extension_count,
                                     .ppEnabledExtensionNames = extensions,
                                     .pEnabledFeatures =
                                         wanted.chained ? NULL : &wanted.core.features};
    VkDevice device = VK_NULL_HANDLE;
    VkResult code = VK_CALL(&lib->api, vkCreateDevice, place->device, &info, NULL, &device);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkCreateDevice", code);
    d->device = device;
    status = load(d, &lib->api);
    if (status == KT_OK && has_heap(d))
        prepare_heap(d, &lib->api);
    return status;
}

kt_status kt_vulkan_device_init(void *device, void *lib, uint32_t index, const char *scenario,
                                const kt_device_info *info, const kt_host_clock *host)
{
    (void)scenario;
    vulkan_device *d = device;
    const vulkan_lib *l = lib;
    d->place = &l->places[index];
    d->info = info;
    d->host = *host;
    VkPhysicalDeviceProperties properties;
    l->api.vkGetPhysicalDeviceProperties(d->place->device, &properties);
    d->limits = properties.limits;
    /* Mesa's Intel driver has written a timestamp at the top of the pipe without waiting for the
     * barrier before it, and delayed that barrier. */
    d->first_stage = driver_of(&l->api, d->place).driverID == VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA
                         ? VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
                         : VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT;
    d->on_host = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    l->api.vkGetPhysicalDeviceMemoryProperties(d->place->device, &d->memory);
    kt_status status = kt_mutex_create(&d->queue_mutex);
    if (status == KT_OK)
        status = create_device(d, l);
    if (status != KT_OK)
        return status;
    d->api.vkGetDeviceQueue(d->device, d->place->family, 0, &d->queue);
    status = kt_vulkan_commands_create(d, &d->transfer);
    if (status == KT_OK)
        status = kt_vulkan_caches_init(d);
    return status == KT_OK ? kt_vulkan_timer_init(d, l) : status;
}

void kt_vulkan_device_fini(void *device)
{
    vulkan_device *d = device;
    if (d->api.vkDestroyDevice) {
        kt_vulkan_timer_fini(d);
        kt_vulkan_caches_fini(d);
        kt_vulkan_commands_destroy(d, &d->transfer);
        kt_vulkan_buffer_destroy(d, &d->staging);
        d->api.vkDestroyDevice(d->device, NULL);
    }
    kt_mutex_destroy(d->queue_mutex);
}
