/* SPDX-License-Identifier: MIT */
/* The way in, and what the device says of itself. */
#include "stub.h"

#include <stdio.h>

typedef struct {
    const char *name;
    PFN_vkVoidFunction function;
} row;

#define ROW(name) {#name, (PFN_vkVoidFunction)(name)},
static const row global_rows[] = {GLOBAL_ENTRIES(ROW){NULL, NULL}};
static const row instance_rows[] = {INSTANCE_ENTRIES(ROW){NULL, NULL}};
static const row device_rows[] = {DEVICE_ENTRIES(ROW){NULL, NULL}};
static const row control_rows[] = {CONTROL_ENTRIES(ROW){NULL, NULL}};
#undef ROW

/* ---- functions by name ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool has_host_pointers(void)
{
    return script.host_pointers && script.api >= 1;
}

static bool has_timer(const char *suffix)
{
    return script.calibrated == CALIBRATED_BOTH ||
           script.calibrated == (ends_with(suffix, "KHR") ? CALIBRATED_KHR : CALIBRATED_EXT);
}

/* The extension of a function. */
static bool has_extension(const char *name)
{
    return strcmp(name, "vkGetMemoryHostPointerPropertiesEXT") == 0 ? has_host_pointers()
                                                                    : has_timer(name);
}

static PFN_vkVoidFunction find(const row *rows, const char *name)
{
    if (script.missing == entry_find(name))
        return NULL;
    for (; rows->name; rows++)
        if (strcmp(rows->name, name) == 0) {
            bool extension = ends_with(name, "KHR") || ends_with(name, "EXT");
            bool core_1_1 = ends_with(name, "2") || strcmp(name, "vkEnumerateInstanceVersion") == 0;
            bool core_1_2 = strcmp(name, "vkResetQueryPool") == 0;
            return (extension && !has_extension(name)) || (core_1_1 && script.api < 1) ||
                           (core_1_2 && script.api < 2)
                       ? NULL
                       : rows->function;
        }
    return NULL;
}

PFN_vkVoidFunction vkGetDeviceProcAddr(VkDevice device, const char *name)
{
    ENTER_VOID(vkGetDeviceProcAddr, NULL);
    return USE(device, KIND_DEVICE) ? find(device_rows, name) : NULL;
}

__attribute__((visibility("default"))) PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance instance,
                                                                                const char *name)
{
    ENTER_VOID(vkGetInstanceProcAddr, NULL);
    PFN_vkVoidFunction function = find(global_rows, name);
    if (!function)
        function = find(control_rows, name);
    if (function || !instance || !USE(instance, KIND_INSTANCE))
        return function;
    function = find(instance_rows, name);
    return function ? function : find(device_rows, name);
}

/* ---- instances ---- */

static uint32_t api_version(void)
{
    return VK_MAKE_API_VERSION(0, 1, (uint32_t)script.api, 0);
}

VkResult vkEnumerateInstanceVersion(uint32_t *version)
{
    ENTER(vkEnumerateInstanceVersion);
    *version = api_version();
    return VK_SUCCESS;
}

VkResult vkEnumerateInstanceExtensionProperties(const char *layer, uint32_t *count,
                                                VkExtensionProperties *properties)
{
    ENTER(vkEnumerateInstanceExtensionProperties);
    *count = 0;
    return VK_SUCCESS;
}

VkResult vkCreateInstance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *allocator,
                          VkInstance *out)
{
    ENTER(vkCreateInstance);
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    const VkApplicationInfo *application = info->pApplicationInfo;
    if (application)
        EXPECT_TYPE(application, VK_STRUCTURE_TYPE_APPLICATION_INFO);
    if (info->enabledLayerCount)
        return VK_ERROR_LAYER_NOT_PRESENT;
    if (info->enabledExtensionCount)
        return VK_ERROR_EXTENSION_NOT_PRESENT;
    if (script.api == 0 && application && application->apiVersion > VK_API_VERSION_1_0 + 0xFFF)
        return VK_ERROR_INCOMPATIBLE_DRIVER;
    struct instance *instance = object_create(KIND_INSTANCE, sizeof *instance, NULL);
    for (uint32_t i = 0; i < script.devices; i++) {
        instance->physical[i] = object_create(KIND_PHYSICAL, sizeof(struct physical), NULL);
        instance->physical[i]->base.implicit = true;
        instance->physical[i]->index = i;
    }
    *out = HANDLE(VkInstance, instance);
    return VK_SUCCESS;
}

void vkDestroyInstance(VkInstance handle, const VkAllocationCallbacks *allocator)
{
    ENTER_VOID(vkDestroyInstance, NULL);
    struct instance *instance = handle ? USE(handle, KIND_INSTANCE) : NULL;
    for (uint32_t i = 0; instance && i < script.devices; i++)
        object_end(instance->physical[i], KIND_PHYSICAL);
    object_end(instance, KIND_INSTANCE);
}

VkResult vkEnumeratePhysicalDevices(VkInstance handle, uint32_t *count, VkPhysicalDevice *devices)
{
    ENTER(vkEnumeratePhysicalDevices);
    const struct instance *instance = USE(handle, KIND_INSTANCE);
    if (!instance)
        return VK_ERROR_INITIALIZATION_FAILED;
    uint32_t there = (uint32_t)script.devices;
    uint32_t given = stub_fit(count, devices, there);
    for (uint32_t i = 0; i < given; i++)
        devices[i] = HANDLE(VkPhysicalDevice, instance->physical[i]);
    return devices && given < there ? VK_INCOMPLETE : VK_SUCCESS;
}

/* ---- physical devices ---- */

uint32_t family_bits(uint32_t family)
{
    uint64_t last = script.bits.count - 1;
    return (uint32_t)script.bits.items[family < last ? family : last];
}

VkQueueFlags family_flags(uint32_t family)
{
    static const VkQueueFlags flags[] = {
        [FAMILY_ALL] = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
        [FAMILY_COMPUTE] = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
        [FAMILY_TRANSFER] = VK_QUEUE_TRANSFER_BIT,
        [FAMILY_GRAPHICS] = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_TRANSFER_BIT};
    return flags[script.families.items[family]];
}

static VkBool32 all_have_timestamps(void)
{
    for (uint32_t i = 0; i < script.families.count; i++)
        if (family_bits(i) == 0)
            return VK_FALSE;
    return VK_TRUE;
}

static void fill_limits(VkPhysicalDeviceLimits *limits)
{
    limits->maxStorageBufferRange = (uint32_t)script.max_range;
    limits->maxPushConstantsSize = (uint32_t)script.max_push;
    limits->maxMemoryAllocationCount = 4096;
    limits->maxBoundDescriptorSets = SETS_MAX;
    limits->maxPerStageDescriptorStorageBuffers = BINDINGS_MAX;
    limits->maxPerStageDescriptorUniformBuffers = BINDINGS_MAX;
    limits->maxUniformBufferRange = 16384;
    limits->maxDescriptorSetStorageBuffers = BINDINGS_MAX;
    limits->maxPerStageResources = BINDINGS_MAX;
    limits->maxComputeSharedMemorySize = 32768;
    limits->maxComputeWorkGroupInvocations = (uint32_t)script.max_invocations;
    for (int i = 0; i < 3; i++) {
        limits->maxComputeWorkGroupCount[i] = (uint32_t)script.max_groups;
        limits->maxComputeWorkGroupSize[i] =
            (uint32_t)(i == 2 && script.max_group_size > 64 ? 64 : script.max_group_size);
    }
    limits->minMemoryMapAlignment = ATOM_BYTES;
    limits->minStorageBufferOffsetAlignment = ATOM_BYTES;
    limits->nonCoherentAtomSize = ATOM_BYTES;
    limits->timestampComputeAndGraphics = all_have_timestamps();
    limits->timestampPeriod = (float)device_clock.period;
}

static void fill_properties(VkPhysicalDevice handle, VkPhysicalDeviceProperties *properties)
{
    const struct physical *physical = USE(handle, KIND_PHYSICAL);
    memset(properties, 0, sizeof *properties);
    properties->apiVersion = api_version();
    properties->driverVersion = VK_MAKE_API_VERSION(0, 1, 2, 3);
    properties->vendorID = 0x4b54;
    properties->deviceID = 1;
    properties->deviceType = script.type ? VK_PHYSICAL_DEVICE_TYPE_CPU
                             : script.memory == MEMORY_UNIFIED
                                 ? VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU
                                 : VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    snprintf(properties->deviceName, sizeof properties->deviceName, "stub device %u",
             physical ? physical->index : 0);
    fill_limits(&properties->limits);
}

void vkGetPhysicalDeviceProperties(VkPhysicalDevice physical, VkPhysicalDeviceProperties *out)
{
    ENTER_VOID(vkGetPhysicalDeviceProperties, NULL);
    fill_properties(physical, out);
}

void vkGetPhysicalDeviceProperties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *out)
{
    ENTER_VOID(vkGetPhysicalDeviceProperties2, NULL);
    fill_properties(physical, &out->properties);
    EXPECT_TYPE(out, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    for (VkBaseOutStructure *at = out->pNext; at; at = at->pNext) {
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES && script.api >= 2) {
            VkPhysicalDeviceDriverProperties *driver = (void *)at;
            snprintf(driver->driverName, sizeof driver->driverName, "vulkan stub");
            snprintf(driver->driverInfo, sizeof driver->driverInfo, "scripted");
        }
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES && script.api >= 1)
            for (unsigned i = 0; i < VK_UUID_SIZE; i++)
                ((VkPhysicalDeviceIDProperties *)(void *)at)->deviceUUID[i] = (uint8_t)(0xf0 + i);
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT) {
            VkPhysicalDevicePCIBusInfoPropertiesEXT *pci = (void *)at;
            pci->pciDomain = pci->pciFunction = 0;
            pci->pciBus = 0x3b;
            pci->pciDevice = 0;
        }
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES)
            ((VkPhysicalDeviceMaintenance3Properties *)(void *)at)->maxMemoryAllocationSize =
                script.max_alloc;
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT &&
            has_host_pointers())
            ((VkPhysicalDeviceExternalMemoryHostPropertiesEXT *)(void *)at)
                ->minImportedHostPointerAlignment = script.host_alignment;
    }
}

void vkGetPhysicalDeviceFeatures(VkPhysicalDevice handle, VkPhysicalDeviceFeatures *features)
{
    ENTER_VOID(vkGetPhysicalDeviceFeatures, NULL);
    USE(handle, KIND_PHYSICAL);
    memset(features, 0, sizeof *features);
}

/* What is chained behind is left as it is: zeroed by whoever asks, so it is not there. */
void vkGetPhysicalDeviceFeatures2(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *out)
{
    ENTER_VOID(vkGetPhysicalDeviceFeatures2, NULL);
    EXPECT_TYPE(out, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    USE(physical, KIND_PHYSICAL);
    memset(&out->features, 0, sizeof out->features);
    for (VkBaseOutStructure *at = out->pNext; at; at = at->pNext)
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES)
            ((VkPhysicalDeviceHostQueryResetFeatures *)(void *)at)->hostQueryReset =
                script.host_reset && script.api >= 2;
}

#define VISIBLE  (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
#define COHERENT (VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)
#define CACHED   (VK_MEMORY_PROPERTY_HOST_CACHED_BIT)
#define LOCAL    (VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)

static const struct {
    uint32_t count;
    VkMemoryPropertyFlags types[4];
} memories[] = {
    [MEMORY_UNIFIED] = {1, {LOCAL | VISIBLE | COHERENT | CACHED}},
    [MEMORY_DISCRETE] = {3, {LOCAL, VISIBLE | COHERENT, VISIBLE | COHERENT | CACHED}},
    [MEMORY_BAR] = {4,
                    {LOCAL, VISIBLE | COHERENT, VISIBLE | COHERENT | CACHED,
                     LOCAL | VISIBLE | COHERENT}},
    /* One type has to be coherent. */
    [MEMORY_NONCOHERENT] = {3, {LOCAL, VISIBLE | COHERENT, VISIBLE | CACHED}},
};

uint32_t memory_type_count(void)
{
    return memories[script.memory].count;
}

VkMemoryPropertyFlags memory_type_flags(uint32_t type)
{
    return memories[script.memory].types[type];
}

void vkGetPhysicalDeviceMemoryProperties(VkPhysicalDevice handle,
                                         VkPhysicalDeviceMemoryProperties *properties)
{
    ENTER_VOID(vkGetPhysicalDeviceMemoryProperties, NULL);
    USE(handle, KIND_PHYSICAL);
    memset(properties, 0, sizeof *properties);
    properties->memoryHeapCount = script.memory == MEMORY_UNIFIED ? 1 : 2;
    for (uint32_t i = 0; i < properties->memoryHeapCount; i++)
        properties->memoryHeaps[i].size = script.heap;
    properties->memoryHeaps[0].flags = VK_MEMORY_HEAP_DEVICE_LOCAL_BIT;
    properties->memoryTypeCount = memory_type_count();
    for (uint32_t i = 0; i < properties->memoryTypeCount; i++) {
        properties->memoryTypes[i].propertyFlags = memory_type_flags(i);
        properties->memoryTypes[i].heapIndex = memory_type_flags(i) & LOCAL ? 0 : 1;
    }
}

void vkGetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice handle, uint32_t *count,
                                              VkQueueFamilyProperties *families)
{
    ENTER_VOID(vkGetPhysicalDeviceQueueFamilyProperties, NULL);
    USE(handle, KIND_PHYSICAL);
    uint32_t given = stub_fit(count, families, (uint32_t)script.families.count);
    for (uint32_t i = 0; i < given; i++)
        families[i] = (VkQueueFamilyProperties){
            .queueFlags = family_flags(i), .queueCount = 1, .timestampValidBits = family_bits(i)};
}

uint32_t device_extensions(const char *names[EXTENSIONS_MAX])
{
    uint32_t count = 0;
    if (has_timer("EXT"))
        names[count++] = "VK_EXT_calibrated_timestamps";
    if (has_timer("KHR"))
        names[count++] = "VK_KHR_calibrated_timestamps";
    if (has_host_pointers())
        names[count++] = VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME;
    if (script.api >= 1)
        names[count++] = VK_EXT_PCI_BUS_INFO_EXTENSION_NAME;
    return count;
}

VkResult vkEnumerateDeviceExtensionProperties(VkPhysicalDevice handle, const char *layer,
                                              uint32_t *count, VkExtensionProperties *out)
{
    ENTER(vkEnumerateDeviceExtensionProperties);
    if (!USE(handle, KIND_PHYSICAL))
        return VK_ERROR_INITIALIZATION_FAILED;
    const char *names[EXTENSIONS_MAX];
    uint32_t there = device_extensions(names);
    uint32_t given = stub_fit(count, out, there);
    for (uint32_t i = 0; i < given; i++) {
        memset(&out[i], 0, sizeof out[i]);
        snprintf(out[i].extensionName, sizeof out[i].extensionName, "%s", names[i]);
        out[i].specVersion = 2;
    }
    return out && given < there ? VK_INCOMPLETE : VK_SUCCESS;
}
