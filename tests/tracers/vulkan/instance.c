/* SPDX-License-Identifier: MIT */
#include "tests/tracers/vulkan/instance.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

VkInstance instance;
VkPhysicalDevice physical;
bool is_checked;
static PFN_vkGetInstanceProcAddr get;
static VkDebugUtilsMessengerEXT messenger;
static unsigned long messages; /* of the validation layer */

PFN_vkVoidFunction instance_function(const char *name)
{
    return get(instance, name);
}

void expect(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}

static VKAPI_ATTR VkBool32 VKAPI_CALL tell(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                           VkDebugUtilsMessageTypeFlagsEXT types,
                                           const VkDebugUtilsMessengerCallbackDataEXT *data,
                                           void *user)
{
    (void)user;
    if (severity < VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT ||
        !(types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT))
        return VK_FALSE;
    messages++;
    fprintf(stderr, "validation: %s\n", data->pMessage);
    return VK_FALSE;
}

static const VkDebugUtilsMessengerCreateInfoEXT listener = {
    .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
    .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
    .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
    .pfnUserCallback = tell};

void open_instance(uint32_t version, bool checked)
{
    void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "vkGetInstanceProcAddr") : NULL;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = version};
    const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = checked ? &listener : NULL,
                                       .pApplicationInfo = &application,
                                       .enabledExtensionCount = checked,
                                       .ppEnabledExtensionNames = extensions};
    VkInstance opened;
    uint32_t count = 1;
    if (!symbol)
        exit(77);
    memcpy(&get, &symbol, sizeof get);
    if (OF_INSTANCE(vkCreateInstance)(&info, NULL, &opened) != VK_SUCCESS)
        exit(77);
    instance = opened;
    is_checked = checked;
    if (checked)
        EXPECT(OF_INSTANCE(vkCreateDebugUtilsMessengerEXT)(instance, &listener, NULL, &messenger));
    if (OF_INSTANCE(vkEnumeratePhysicalDevices)(instance, &count, &physical) < 0 || count == 0)
        exit(77);
}

void close_instance(void)
{
    if (is_checked)
        OF_INSTANCE(vkDestroyDebugUtilsMessengerEXT)(instance, messenger, NULL);
    OF_INSTANCE(vkDestroyInstance)(instance, NULL);
    instance = VK_NULL_HANDLE;
}

int tell_messages(void)
{
    printf("%lu messages\n", messages);
    return messages ? 1 : 0;
}
