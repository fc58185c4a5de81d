/* SPDX-License-Identifier: MIT */
/* The face for loaders: libvulkan opens the stub as a driver, by the manifest in the build folder.
 */
#include "stub.h"

#include <vulkan/vk_icd.h>

#define EXPORT __attribute__((visibility("default")))

/* A loader writes its own table over it. */
__attribute__((constructor)) static void set_magic(void)
{
    objects_table = (const void *)(uintptr_t)ICD_LOADER_MAGIC;
}

EXPORT VkResult vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version)
{
    enum { KNOWN = 5 };
    if (*version > KNOWN)
        *version = KNOWN;
    return VK_SUCCESS;
}

EXPORT PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance instance, const char *name)
{
    return vkGetInstanceProcAddr(instance, name);
}

/* ---- what loaders ask each driver for; the stub has no images ---- */

void vkGetPhysicalDeviceFormatProperties(VkPhysicalDevice physical, VkFormat format,
                                         VkFormatProperties *out)
{
    ENTER_VOID(vkGetPhysicalDeviceFormatProperties, NULL);
    memset(out, 0, sizeof *out);
}

VkResult vkGetPhysicalDeviceImageFormatProperties(VkPhysicalDevice physical, VkFormat format,
                                                  VkImageType type, VkImageTiling tiling,
                                                  VkImageUsageFlags usage, VkImageCreateFlags flags,
                                                  VkImageFormatProperties *out)
{
    ENTER(vkGetPhysicalDeviceImageFormatProperties);
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
}

void vkGetPhysicalDeviceSparseImageFormatProperties(VkPhysicalDevice physical, VkFormat format,
                                                    VkImageType type, VkSampleCountFlagBits samples,
                                                    VkImageUsageFlags usage, VkImageTiling tiling,
                                                    uint32_t *count,
                                                    VkSparseImageFormatProperties *out)
{
    ENTER_VOID(vkGetPhysicalDeviceSparseImageFormatProperties, NULL);
    *count = 0;
}
