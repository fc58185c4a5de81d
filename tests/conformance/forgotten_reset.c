/* SPDX-License-Identifier: MIT */
/*
 * Writes a timestamp into a query pool that it has not reset: what the validation layer must notice, or
 * its silence about kerntime tells nothing.
 *
 *   forgotten_reset          exits with 0 if all calls succeed
 *   forgotten_reset here     only looks whether there is the layer, and a device whose queue gives timestamps
 *
 * Exits with 77 if one of them is not here, having said so.
 */
#include <stdio.h>
#include <string.h>
#include <vulkan/vulkan.h>

#define LAYER   "VK_LAYER_KHRONOS_validation"
#define SKIPPED 77
#define MANY    64

static VkInstance instance;
static VkPhysicalDevice physical;
static VkDevice device;

/* Whether a call did what was asked; the first that did not is told. */
static int works(const char *call, VkResult code)
{
    if (code != VK_SUCCESS)
        printf("%s answers %d\n", call, (int)code);
    return code == VK_SUCCESS;
}
#define WORKS(function, ...) works(#function, function(__VA_ARGS__))

static int has_layer(void)
{
    VkLayerProperties layers[MANY];
    uint32_t count = MANY;
    if (vkEnumerateInstanceLayerProperties(&count, layers) < 0)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(layers[i].layerName, LAYER) == 0)
            return 1;
    return 0;
}

/* A device whose first queue family gives timestamps, as that of both software drivers does. */
static int find_device(void)
{
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    VkQueueFamilyProperties family;
    uint32_t count = 1;
    if (vkCreateInstance(&info, NULL, &instance) != VK_SUCCESS)
        return 0;
    if (vkEnumeratePhysicalDevices(instance, &count, &physical) < 0 || count == 0)
        return 0;
    count = 1;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, &family);
    return count == 1 && family.timestampValidBits > 0;
}

static int create_device(void)
{
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
    return WORKS(vkCreateDevice, physical, &info, NULL, &device);
}

static int run(VkCommandPool commands, VkQueryPool queries)
{
    const VkCommandBufferAllocateInfo one = {.sType =
                                                 VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = commands,
                                             .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer buffer;
    VkQueue queue;
    vkGetDeviceQueue(device, 0, 0, &queue);
    if (!WORKS(vkAllocateCommandBuffers, device, &one, &buffer) ||
        !WORKS(vkBeginCommandBuffer, buffer, &begin))
        return 0;
    /* Here vkCmdResetQueryPool() is missing. */
    vkCmdWriteTimestamp(buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 0);
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &buffer};
    return WORKS(vkEndCommandBuffer, buffer) &&
           WORKS(vkQueueSubmit, queue, 1, &submit, VK_NULL_HANDLE) && WORKS(vkQueueWaitIdle, queue);
}

static int forget(void)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    const VkQueryPoolCreateInfo two = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                       .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                       .queryCount = 2};
    VkCommandPool commands = VK_NULL_HANDLE;
    VkQueryPool queries = VK_NULL_HANDLE;
    if (!create_device())
        return 0;
    int done = WORKS(vkCreateCommandPool, device, &pool, NULL, &commands) &&
               WORKS(vkCreateQueryPool, device, &two, NULL, &queries) && run(commands, queries);
    vkDestroyQueryPool(device, queries, NULL);
    vkDestroyCommandPool(device, commands, NULL);
    vkDestroyDevice(device, NULL);
    return done;
}

int main(int argc, char **argv)
{
    int code = 0;
    if (!has_layer() || !find_device()) {
        printf("skipped: %s\n", instance      ? "no Vulkan device gives timestamps"
                                : has_layer() ? "there is no Vulkan driver"
                                              : LAYER " is not installed");
        code = SKIPPED;
    } else if (argc < 2 || strcmp(argv[1], "here") != 0) {
        code = forget() ? 0 : 1;
    }
    if (instance)
        vkDestroyInstance(instance, NULL);
    return code;
}
