/* SPDX-License-Identifier: MIT */
/* backend.c - the Vulkan backend: every device behind the system's Vulkan loader that has a compute
 * queue. Timestamps come from timestamp queries. */
#include "backend.h"

#include "backends/vulkan/internal.h"
#include "support/alloc.h"
#include "support/dl.h"

#include <string.h>

#define INSTALL_HINT "install a Vulkan driver (Debian: libvulkan1 and mesa-vulkan-drivers)"
#define DEVICES_MAX  64
#define FAMILIES_MAX 32

KT_DL_NAMES_BY_SYSTEM(library_names, "vulkan", "Measuring Vulkan devices", "libvulkan.so.1",
                      "libvulkan.1.dylib", "libMoltenVK.dylib");

static const char global_functions[] =
    VULKAN_GLOBAL(VULKAN_NAME) VULKAN_GLOBAL_OPTIONAL(VULKAN_NAME_OPTIONAL);
static const char instance_functions[] =
    VULKAN_INSTANCE(VULKAN_NAME) VULKAN_INSTANCE_OPTIONAL(VULKAN_NAME_OPTIONAL);

static kt_dl_function find(const void *lib, const char *name)
{
    const vulkan_lib *l = lib;
    return l->api.vkGetInstanceProcAddr(l->instance, name);
}

static kt_status load(vulkan_lib *lib, const char *names, void *table)
{
    const char *missing = kt_dl_fill(find, lib, names, table);
    return missing ? kt_fail(KT_UNAVAILABLE, "the Vulkan driver has no %s", missing) : KT_OK;
}

kt_status kt_vulkan_open(vulkan_lib *lib)
{
    void *library = NULL;
    kt_status status = kt_dl_open("KERNTIME_LIB_VULKAN", library_names, &library);
    if (status == KT_OK)
        status = kt_dl_load(library, KT_DL_NAME("vkGetInstanceProcAddr"), &lib->api);
    return status == KT_OK ? KT_OK : kt_fail(status, "%s; " INSTALL_HINT, kt_error_text());
}

kt_status kt_vulkan_load_instance(vulkan_lib *lib)
{
    return load(lib, instance_functions, &lib->api.vkDestroyInstance);
}

typedef struct from_device {
    PFN_vkGetDeviceProcAddr get;
    VkDevice device;
} from_device;

static kt_dl_function find_of_device(const void *from, const char *name)
{
    const from_device *f = from;
    return f->get(f->device, name);
}

kt_status kt_vulkan_load_device(const vulkan_api *api, VkDevice device, const char *names,
                                void *table)
{
    const from_device from = {api->vkGetDeviceProcAddr, device};
    const char *missing = kt_dl_fill(find_of_device, &from, names, table);
    return missing ? kt_fail(KT_DRIVER_ERROR, "the Vulkan driver has no %s", missing) : KT_OK;
}

static kt_status create_instance(vulkan_lib *lib)
{
    /* The loader lists drivers that do not fully conform (MoltenVK) only with this extension. */
    static const char *const portability[] = {"VK_KHR_portability_enumeration"};
    /* Without vkEnumerateInstanceVersion the loader is 1.0 and refuses other versions. */
    lib->version = VK_API_VERSION_1_0;
    if (lib->api.vkEnumerateInstanceVersion &&
        VK_CALL(&lib->api, vkEnumerateInstanceVersion, &lib->version) != VK_SUCCESS)
        lib->version = VK_API_VERSION_1_0;
    if (lib->version > VK_API_VERSION_1_2)
        lib->version = VK_API_VERSION_1_2;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "kerntime",
                                           .apiVersion = lib->version};
    bool portable;
    kt_status status =
        kt_vulkan_find_extension(&lib->api, VK_NULL_HANDLE, portability[0], &portable);
    if (status != KT_OK)
        return status;
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .flags = portable ? 1u : 0u, /* VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR */
        .pApplicationInfo = &application,
        .enabledExtensionCount = portable,
        .ppEnabledExtensionNames = portability};
    VkInstance instance = VK_NULL_HANDLE;
    VkResult code = VK_CALL(&lib->api, vkCreateInstance, &info, NULL, &instance);
    if (code == VK_ERROR_INCOMPATIBLE_DRIVER)
        return kt_fail(KT_UNAVAILABLE, "the Vulkan loader finds no driver; " INSTALL_HINT);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkCreateInstance", code);
    lib->instance = instance;
    return kt_vulkan_load_instance(lib);
}

/* Finds the first compute queue family with timestamps, else the first compute queue family. */
static bool find_family(const vulkan_api *api, vulkan_place *place)
{
    VkQueueFamilyProperties families[FAMILIES_MAX];
    uint32_t count = FAMILIES_MAX;
    bool found = false;
    api->vkGetPhysicalDeviceQueueFamilyProperties(place->device, &count, families);
    for (uint32_t i = 0; i < count && i < FAMILIES_MAX && !place->timestamp_bits; i++) {
        if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) || families[i].queueCount == 0)
            continue;
        if (found && families[i].timestampValidBits == 0)
            continue;
        place->family = i;
        place->timestamp_bits = families[i].timestampValidBits;
        found = true;
    }
    return found;
}

static kt_status list_devices(vulkan_lib *lib, uint32_t *device_count)
{
    VkPhysicalDevice devices[DEVICES_MAX];
    uint32_t count = DEVICES_MAX;
    VkResult code = VK_CALL(&lib->api, vkEnumeratePhysicalDevices, lib->instance, &count, devices);
    if (code == VK_ERROR_INITIALIZATION_FAILED)
        count = 0; /* loader 1.3.239 returns this if no driver found a device */
    else if (code != VK_SUCCESS && code != VK_INCOMPLETE)
        return kt_vulkan_fail("vkEnumeratePhysicalDevices", code);
    if (count == 0)
        return kt_fail(KT_UNAVAILABLE, "the Vulkan drivers here have no device; " INSTALL_HINT);
    for (uint32_t i = 0; i < count; i++) {
        VkPhysicalDeviceProperties properties;
        lib->api.vkGetPhysicalDeviceProperties(devices[i], &properties);
        vulkan_place *place = &lib->places[*device_count];
        *place = (vulkan_place){
            .device = devices[i],
            .version = properties.apiVersion < lib->version ? properties.apiVersion : lib->version};
        *device_count += find_family(&lib->api, place);
    }
    if (*device_count == 0)
        return kt_fail(KT_UNAVAILABLE,
                       "none of the %u Vulkan devices has a queue that computes; " INSTALL_HINT,
                       count);
    return KT_OK;
}

static kt_status lib_init(void *lib, uint32_t *device_count)
{
    vulkan_lib *l = lib;
    kt_status status = kt_vulkan_open(l);
    if (status == KT_OK)
        status = load(l, global_functions, &l->api.vkEnumerateInstanceExtensionProperties);
    if (status != KT_OK)
        return status;
    l->places = kt_alloc(DEVICES_MAX, sizeof *l->places);
    if (!l->places)
        return KT_NO_MEMORY;
    status = create_instance(l);
    return status == KT_OK ? list_devices(l, device_count) : status;
}

static void lib_fini(void *lib)
{
    vulkan_lib *l = lib;
    if (l->instance && l->api.vkDestroyInstance)
        l->api.vkDestroyInstance(l->instance, NULL);
    kt_free(l->places);
}

static const kt_instrumentation instrumentation = {
    .timer_context_size = sizeof(vulkan_timer_context),
    .recording_size = sizeof(vulkan_recording),
    .timer_context_init = kt_vulkan_timer_context_init,
    .recording_init = kt_vulkan_recording_init,
    .recording_fini = kt_vulkan_recording_fini,
    .recording_begin = kt_vulkan_recording_begin,
    .recording_timestamp = kt_vulkan_recording_timestamp,
    .recording_read = kt_vulkan_recording_read,
};

const kt_backend kt_backend_vulkan = {
    .name = "vulkan",
    .title = "Vulkan",
    .languages_with_places = KT_LANGUAGE_SPIRV_SHADER,
    .lib_size = sizeof(vulkan_lib),
    .lib_init = lib_init,
    .lib_fini = lib_fini,
    .device_fini = kt_vulkan_device_fini,
    .clock_pair = kt_vulkan_clock_pair,
    .program_fini = kt_vulkan_program_fini,
    .job_flush_caches = kt_vulkan_job_flush_caches,
    .instrumentation = &instrumentation,
    KT_SLOTS(vulkan),
};
