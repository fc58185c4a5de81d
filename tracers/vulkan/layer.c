/* SPDX-License-Identifier: MIT */
/*
 * layer.c - the loader's way in, after its "Layer interface to the loader", version 2. The tracer
 * enables two extensions of devices for itself: host query reset, without which queues that only
 * copy cannot be timed, and calibrated timestamps for the time line. The program's structs are not
 * written to, since they may lie in memory that cannot be.
 */
#include "tracers/vulkan/layer.h"

#include "support/alloc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <vulkan/vk_layer.h>

#define DEVICES_MAX 64
#define COPIES_MAX  8

struct instance {
    VkInstance handle;
    uint32_t version; /* of Vulkan, as the program asked for */
    PFN_vkGetInstanceProcAddr get;
    PFN_vkDestroyInstance destroy; /* asked for in time: layers forget instances that go */
};

static handle_map instances, devices; /* by dispatch key */
static atomic_bool is_traced;         /* this process is to be */
static PFN_vkVoidFunction get_instance_function(VkInstance handle, const char *name);
static PFN_vkVoidFunction get_device_function(VkDevice handle, const char *name);

/* The loader's table, which is the first word behind each dispatchable handle. */
static uint64_t key_of(const void *handle)
{
    const void *table;
    memcpy(&table, handle, sizeof table);
    return NUMBER(table);
}

device *device_of(const void *handle)
{
    return map_find(&devices, key_of(handle));
}

static bool remember(handle_map *map, uint64_t key, void *value)
{
    kt_mutex_lock(kt_mutex_of_library());
    bool known = map_put(map, key, value);
    kt_mutex_unlock(kt_mutex_of_library());
    return known;
}

static void *forget(handle_map *map, uint64_t key)
{
    kt_mutex_lock(kt_mutex_of_library());
    void *value = map_take(map, key);
    kt_mutex_unlock(kt_mutex_of_library());
    return value;
}

/* ---- instances ---- */

/* A function below the tracer. */
#define BELOW(i, name) ((PFN_##name)(i)->get((i)->handle, #name))

static VkResult create_instance(const VkInstanceCreateInfo *info,
                                const VkAllocationCallbacks *allocator, VkInstance *out)
{
    const VkLayerInstanceCreateInfo *link = info->pNext;
    while (link && !(link->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO &&
                     link->function == VK_LAYER_LINK_INFO))
        link = link->pNext;
    if (!link || !link->u.pLayerInfo)
        return VK_ERROR_INITIALIZATION_FAILED;
    PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)get(VK_NULL_HANDLE, "vkCreateInstance");
    instance *i = create ? kt_alloc(1, sizeof *i) : NULL;
    if (!i)
        return create ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_INITIALIZATION_FAILED;
    /* The struct is the loader's, which expects its layers to write this. */
    ((VkLayerInstanceCreateInfo *)(uintptr_t)link)->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkResult code = create(info, allocator, out);
    if (code != VK_SUCCESS) {
        kt_free(i);
        return code;
    }
    const VkApplicationInfo *application = info->pApplicationInfo;
    i->handle = *out;
    i->version =
        application && application->apiVersion ? application->apiVersion : VK_API_VERSION_1_0;
    i->get = get;
    i->destroy = BELOW(i, vkDestroyInstance);
    atomic_store(&is_traced, tracer_open(TRACE_VULKAN));
    if (remember(&instances, key_of(*out), i))
        return VK_SUCCESS;
    i->destroy(*out, allocator);
    kt_free(i);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

static void destroy_instance(VkInstance handle, const VkAllocationCallbacks *allocator)
{
    instance *i = handle ? forget(&instances, key_of(handle)) : NULL;
    if (!i)
        return;
    i->destroy(handle, allocator);
    kt_free(i);
}

/* ---- what the tracer wants of a device ---- */

/* The program's description of a device, and what the tracer adds. */
typedef struct description {
    VkDeviceCreateInfo info;
    const char **extensions;
    VkPhysicalDeviceHostQueryResetFeatures reset;
    union {
        VkBaseOutStructure base;
        VkLayerDeviceCreateInfo loader;
        VkPhysicalDeviceFeatures2 features;
        VkPhysicalDeviceVulkan11Features of_1_1;
        VkPhysicalDeviceVulkan12Features of_1_2;
        VkPhysicalDeviceVulkan13Features of_1_3;
        VkPhysicalDeviceHostQueryResetFeatures reset;
    } copies[COPIES_MAX];
    bool resets, calibrates;
} description;

/* Bytes of those structs that stand before features in programs; 0: unknown. */
static size_t bytes_of(VkStructureType type)
{
    switch ((int)type) {
    case VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO: return sizeof(VkLayerDeviceCreateInfo);
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2: return sizeof(VkPhysicalDeviceFeatures2);
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES:
        return sizeof(VkPhysicalDeviceVulkan11Features);
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES:
        return sizeof(VkPhysicalDeviceVulkan12Features);
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES:
        return sizeof(VkPhysicalDeviceVulkan13Features);
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES:
        return sizeof(VkPhysicalDeviceHostQueryResetFeatures);
    default: return 0;
    }
}

static VkBool32 *reset_in(VkBaseOutStructure *at)
{
    switch ((int)at->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES:
        return &((VkPhysicalDeviceVulkan12Features *)(void *)at)->hostQueryReset;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES:
        return &((VkPhysicalDeviceHostQueryResetFeatures *)(void *)at)->hostQueryReset;
    default: return NULL;
    }
}

/* Enables the feature in copies of the program's structs up to the one that holds it. False: one of
 * them is unknown. */
static bool enable_in_copies(description *wanted)
{
    const void *first = wanted->info.pNext;
    VkBaseOutStructure *previous = NULL;
    const VkBaseInStructure *at = first;
    for (int i = 0; at && i < COPIES_MAX && bytes_of(at->sType); i++, at = at->pNext) {
        VkBaseOutStructure *copy = &wanted->copies[i].base;
        memcpy(copy, at, bytes_of(at->sType));
        if (previous)
            previous->pNext = copy;
        else
            wanted->info.pNext = copy;
        previous = copy;
        if (reset_in(copy)) {
            *reset_in(copy) = VK_TRUE;
            return true;
        }
    }
    wanted->info.pNext = first;
    return false;
}

static bool enable_reset(description *wanted)
{
    const VkBaseInStructure *at = wanted->info.pNext;
    while (at && !reset_in((VkBaseOutStructure *)(uintptr_t)at))
        at = at->pNext;
    if (at)
        return *reset_in((VkBaseOutStructure *)(uintptr_t)at) || enable_in_copies(wanted);
    wanted->reset = (VkPhysicalDeviceHostQueryResetFeatures){
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES,
        (void *)(uintptr_t)wanted->info.pNext, VK_TRUE};
    wanted->info.pNext = &wanted->reset;
    return true;
}

static bool has_reset(const instance *i, VkPhysicalDevice physical)
{
    VkPhysicalDeviceHostQueryResetFeatures reset = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &reset};
    PFN_vkGetPhysicalDeviceFeatures2 ask = BELOW(i, vkGetPhysicalDeviceFeatures2);
    if (ask)
        ask(physical, &features);
    return reset.hostQueryReset;
}

/* Enables an extension if the device has it. */
static bool enable_extension(description *wanted, const VkExtensionProperties *there,
                             uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < wanted->info.enabledExtensionCount; i++)
        if (strcmp(wanted->info.ppEnabledExtensionNames[i], name) == 0)
            return true;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(there[i].extensionName, name) == 0) {
            wanted->extensions[wanted->info.enabledExtensionCount++] = name;
            return true;
        }
    return false;
}

/* Adds to `wanted`, a copy of the program's own, whose extensions the caller frees. */
static void want_more(description *wanted, const instance *i, VkPhysicalDevice physical,
                      uint32_t version)
{
    const VkDeviceCreateInfo *info = &wanted->info;
    PFN_vkEnumerateDeviceExtensionProperties list = BELOW(i, vkEnumerateDeviceExtensionProperties);
    uint32_t count = 0;
    if (version < VK_API_VERSION_1_1 || !list || list(physical, NULL, &count, NULL) != VK_SUCCESS)
        return;
    VkExtensionProperties *there = kt_alloc(count, sizeof *there);
    wanted->extensions =
        kt_alloc(info->enabledExtensionCount + EXTENSIONS_MAX, sizeof *wanted->extensions);
    if (there && wanted->extensions && list(physical, NULL, &count, there) == VK_SUCCESS) {
        if (info->enabledExtensionCount)
            memcpy(wanted->extensions, info->ppEnabledExtensionNames,
                   info->enabledExtensionCount * sizeof *wanted->extensions);
        wanted->info.ppEnabledExtensionNames = wanted->extensions;
        wanted->resets =
            has_reset(i, physical) &&
            (version >= VK_API_VERSION_1_2 ||
             enable_extension(wanted, there, count, VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME)) &&
            enable_reset(wanted);
        wanted->calibrates =
            tracer_keeps_events() &&
            enable_extension(wanted, there, count, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
    }
    kt_free(there);
}

/* ---- devices ---- */

/* Numbers those that compute, as the command does. -1: it is none of them. */
static int number_of(const instance *i, VkPhysicalDevice physical)
{
    VkPhysicalDevice all[DEVICES_MAX];
    uint32_t count = DEVICES_MAX;
    int number = 0;
    VkResult code = BELOW(i, vkEnumeratePhysicalDevices)(i->handle, &count, all);
    if (code != VK_SUCCESS && code != VK_INCOMPLETE)
        return -1;
    for (uint32_t k = 0; k < count; k++) {
        VkQueueFamilyProperties families[FAMILIES_MAX];
        uint32_t family_count = FAMILIES_MAX;
        bool computes = false;
        BELOW(i, vkGetPhysicalDeviceQueueFamilyProperties)(all[k], &family_count, families);
        for (uint32_t f = 0; f < family_count; f++)
            computes |= families[f].queueFlags & VK_QUEUE_COMPUTE_BIT && families[f].queueCount;
        if (all[k] == physical)
            return computes ? number : -1;
        number += computes;
    }
    return -1;
}

static void describe_families(device *d, double period_ns)
{
    VkQueueFamilyProperties families[FAMILIES_MAX];
    d->family_count = FAMILIES_MAX;
    BELOW(d->instance, vkGetPhysicalDeviceQueueFamilyProperties)
    (d->physical, &d->family_count, families);
    for (uint32_t i = 0; i < d->family_count; i++) {
        d->wraps |= families[i].timestampValidBits > 0 && families[i].timestampValidBits < 64;
        d->families[i] =
            (family){.flags = families[i].queueFlags,
                     .clock = {.method = KT_METHOD_DEVICE_TIMESTAMP,
                               .period_ns = period_ns,
                               .valid_bits = families[i].timestampValidBits},
                     .half_ns = ldexp(period_ns, (int)families[i].timestampValidBits - 1)};
    }
}

/* Makes a device that the tracer follows. False: it does not. */
static bool follow(device *d, const description *wanted)
{
    VkPhysicalDeviceProperties properties;
    char id[24];
    BELOW(d->instance, vkGetPhysicalDeviceProperties)(d->physical, &properties);
    BELOW(d->instance, vkGetPhysicalDeviceMemoryProperties)(d->physical, &d->memory);
    int number = number_of(d->instance, d->physical);
    if (number < 0)
        snprintf(id, sizeof id, "vulkan:?");
    else
        snprintf(id, sizeof id, "vulkan:%d", number);
    describe_families(d, (double)properties.limits.timestampPeriod);
    /* lavapipe does. */
    d->reads_wait = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    d->ended_end = &d->ended;
    d->uncertainty_ns = NAN;
    d->calibrates = wanted->calibrates && d->next.vkGetCalibratedTimestampsEXT;
    if (wanted->resets)
        d->reset_queries =
            d->next.vkResetQueryPool ? d->next.vkResetQueryPool : d->next.vkResetQueryPoolEXT;
    if (kt_mutex_create(&d->mutex) != KT_OK)
        return false;
    d->trace =
        tracer_add_device(id, properties.deviceName, (double)properties.limits.timestampPeriod);
    if (d->trace)
        clock_calibrate(d);
    return d->trace;
}

static void load_device(device *d, PFN_vkGetDeviceProcAddr get)
{
    d->next.vkGetDeviceProcAddr = get;
#define LOAD(name) d->next.name = (PFN_##name)get(d->handle, #name);
    LAYER_HOOKS(LOAD)
    LAYER_CALLS(LOAD)
#undef LOAD
    unseen_load(d);
}

/* Creates it with what the tracer wants, else as the program said. */
static VkResult create_with(description *wanted, const instance *i, VkPhysicalDevice physical,
                            const VkDeviceCreateInfo *info, VkLayerDeviceCreateInfo *link,
                            const VkAllocationCallbacks *allocator, VkDevice *out)
{
    PFN_vkCreateDevice create = BELOW(i, vkCreateDevice);
    VkLayerDeviceLink *layer = link->u.pLayerInfo->pNext;
    VkPhysicalDeviceProperties properties;
    BELOW(i, vkGetPhysicalDeviceProperties)(physical, &properties);
    link->u.pLayerInfo = layer;
    if (is_traced)
        want_more(wanted, i, physical,
                  properties.apiVersion < i->version ? properties.apiVersion : i->version);
    if (wanted->resets || wanted->calibrates) {
        if (create(physical, &wanted->info, allocator, out) == VK_SUCCESS)
            return VK_SUCCESS;
        wanted->resets = wanted->calibrates = false;
        link->u.pLayerInfo = layer; /* those below have moved it on */
    }
    return create(physical, info, allocator, out);
}

static VkResult create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkDevice *out)
{
    instance *i = map_find(&instances, key_of(physical));
    const VkLayerDeviceCreateInfo *link = info->pNext;
    while (link && !(link->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO &&
                     link->function == VK_LAYER_LINK_INFO))
        link = link->pNext;
    if (!i || !link || !link->u.pLayerInfo)
        return VK_ERROR_INITIALIZATION_FAILED;
    PFN_vkGetDeviceProcAddr get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    device *d = kt_alloc(1, sizeof *d);
    if (!d)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    description wanted = {.info = *info};
    VkResult code = create_with(&wanted, i, physical, info,
                                (VkLayerDeviceCreateInfo *)(uintptr_t)link, allocator, out);
    if (code == VK_SUCCESS) {
        d->handle = *out;
        d->instance = i;
        d->physical = physical;
        load_device(d, get);
        if (!remember(&devices, key_of(*out), d)) {
            d->next.vkDestroyDevice(*out, allocator);
            code = VK_ERROR_OUT_OF_HOST_MEMORY;
        } else if (is_traced)
            follow(d, &wanted);
    }
    kt_free(wanted.extensions);
    if (code != VK_SUCCESS)
        kt_free(d);
    return code;
}

void trace_vkDestroyDevice(VkDevice handle, const VkAllocationCallbacks *allocator)
{
    device *d = handle ? forget(&devices, key_of(handle)) : NULL;
    if (!d)
        return;
    if (d->mutex) {
        submissions_end(d);
        recording_end(d);
        objects_end(d);
    }
    d->next.vkDestroyDevice(handle, allocator);
    kt_mutex_destroy(d->mutex);
    kt_free(d);
}

trace_row *fixed_row(device *d, fixed_name name)
{
    static const struct {
        trace_kind kind;
        const char *name;
    } rows[NAME_COUNT] = {
        [NAME_COPY] = {TRACE_COPY, "device to device"},
        [NAME_COPY + 1] = {TRACE_COPY, "device to host"},
        [NAME_COPY + 2] = {TRACE_COPY, "host to device"},
        [NAME_COPY + 3] = {TRACE_COPY, "host to host"},
        [NAME_COPY + 4] = {TRACE_COPY, "device to device (image)"},
        [NAME_COPY + 5] = {TRACE_COPY, "device to host (image)"},
        [NAME_COPY + 6] = {TRACE_COPY, "host to device (image)"},
        [NAME_COPY + 7] = {TRACE_COPY, "host to host (image)"},
        [NAME_FILL] = {TRACE_FILL, "fill"},
        [NAME_UPDATE] = {TRACE_FILL, "update"},
        [NAME_CLEAR] = {TRACE_FILL, "clear (image)"},
        [NAME_BLIT] = {TRACE_COPY, "blit (image)"},
        [NAME_RESOLVE] = {TRACE_COPY, "resolve (image)"},
        [NAME_RENDER] = {TRACE_RENDER, "render pass"},
        [NAME_BUILD] = {TRACE_KERNEL, "build acceleration structures"},
        [NAME_TRACE_RAYS] = {TRACE_KERNEL, "trace rays"},
        [NAME_UNKNOWN_KERNEL] = {TRACE_KERNEL, "unknown pipeline"},
    };
    lazy_row *lazy = &d->rows[name];
    if (!atomic_load_explicit(&lazy->is_known, memory_order_acquire)) {
        atomic_store(&lazy->row, tracer_row(d->trace, rows[name].kind, rows[name].name, NULL));
        atomic_store_explicit(&lazy->is_known, true, memory_order_release);
    }
    return atomic_load_explicit(&lazy->row, memory_order_relaxed);
}

/* ---- functions by name ---- */

typedef struct hook {
    const char *name;
    PFN_vkVoidFunction function;
} hook;

static PFN_vkVoidFunction find(const hook *hooks, const char *name)
{
    for (; hooks->name; hooks++)
        if (strcmp(hooks->name, name) == 0)
            return hooks->function;
    return NULL;
}

static PFN_vkVoidFunction find_device_hook(const char *name)
{
#define HOOK(name) {#name, (PFN_vkVoidFunction)(trace_##name)},
    static const hook hooks[] = {LAYER_HOOKS(HOOK){NULL, NULL}};
#undef HOOK
    PFN_vkVoidFunction ours = find(hooks, name);
    return ours ? ours : unseen_hook(name);
}

static PFN_vkVoidFunction get_device_function(VkDevice handle, const char *name)
{
    device *d = device_of(handle);
    if (!d)
        return NULL;
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)get_device_function;
    PFN_vkVoidFunction below = d->next.vkGetDeviceProcAddr(handle, name);
    bool is_ours = below && (d->trace || strcmp(name, "vkDestroyDevice") == 0);
    PFN_vkVoidFunction ours = is_ours ? find_device_hook(name) : NULL;
    return ours ? ours : below;
}

static PFN_vkVoidFunction get_instance_function(VkInstance handle, const char *name)
{
    static const hook hooks[] = {
        {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)get_instance_function},
        {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
        {"vkDestroyInstance", (PFN_vkVoidFunction)destroy_instance},
        {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)get_device_function},
        {NULL, NULL}};
    PFN_vkVoidFunction ours = find(hooks, name);
    if (ours || !handle)
        return ours;
    const instance *i = map_find(&instances, key_of(handle));
    if (!i)
        return NULL;
    PFN_vkVoidFunction below = i->get(handle, name);
    ours = below && is_traced ? find_device_hook(name) : NULL;
    return ours ? ours : below;
}

__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *version)
{
    if (version->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
        version->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    version->loaderLayerInterfaceVersion = 2;
    version->pfnGetInstanceProcAddr = get_instance_function;
    version->pfnGetDeviceProcAddr = get_device_function;
    version->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
