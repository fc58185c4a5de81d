/* selftest LIBRARY: each case of selftest_cases.c over the stub, and what its report says. */
#include "selftest.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct api vk;

/* ---- the world ---- */

static void load(VkInstance instance)
{
    PFN_vkVoidFunction function;
#define LOAD(name)                                        \
    function = vk.vkGetInstanceProcAddr(instance, #name); \
    memcpy(&vk.name, &function, sizeof function);
    if (instance) {
        ALL_ENTRIES(LOAD)
    } else {
        LOAD(vkCreateInstance)
    }
#undef LOAD
}

static void open_room(const struct world *world, uint32_t type, struct room *room)
{
    const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .size = BYTES,
                                       .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                                VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                                VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = BYTES,
                                         .memoryTypeIndex = type};
    void *host = NULL;
    VkPhysicalDeviceMemoryProperties types;
    vk.vkGetPhysicalDeviceMemoryProperties(world->physical, &types);
    CHECK(vk.vkCreateBuffer(world->device, &buffer, NULL, &room->buffer) == VK_SUCCESS);
    CHECK(vk.vkAllocateMemory(world->device, &memory, NULL, &room->memory) == VK_SUCCESS);
    CHECK(vk.vkBindBufferMemory(world->device, room->buffer, room->memory, 0) == VK_SUCCESS);
    if (types.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
        CHECK(vk.vkMapMemory(world->device, room->memory, 0, BYTES, 0, &host) == VK_SUCCESS);
    room->host = host;
}

static void close_room(const struct world *world, const struct room *room)
{
    vk.vkDestroyBuffer(world->device, room->buffer, NULL);
    vk.vkFreeMemory(world->device, room->memory, NULL);
}

static void open_device(struct world *world)
{
    const VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &(const float){1}};
    VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                 .queueCreateInfoCount = 1,
                                 .pQueueCreateInfos = &queue};
    VkExtensionProperties extension;
    uint32_t count = 1;
    load(NULL);
    CHECK(vk.vkCreateInstance(&instance, NULL, &world->instance) == VK_SUCCESS);
    load(world->instance);
    CHECK(vk.vkEnumeratePhysicalDevices(world->instance, &count, &world->physical) >= 0);
    count = 1;
    vk.vkEnumerateDeviceExtensionProperties(world->physical, NULL, &count, &extension);
    device.enabledExtensionCount = count;
    device.ppEnabledExtensionNames = &(const char *){extension.extensionName};
    CHECK(vk.vkCreateDevice(world->physical, &device, NULL, &world->device) == VK_SUCCESS);
    vk.vkGetDeviceQueue(world->device, 0, 0, &world->queue);
}

void world_open(struct world *world, uint32_t type)
{
    open_device(world);
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
    CHECK(vk.vkCreateCommandPool(world->device, &pool, NULL, &world->pool) == VK_SUCCESS);
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = world->pool,
        .commandBufferCount = 1};
    CHECK(vk.vkAllocateCommandBuffers(world->device, &commands, &world->commands) == VK_SUCCESS);
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    CHECK(vk.vkCreateFence(world->device, &fence, NULL, &world->fence) == VK_SUCCESS);
    const VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                           .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                           .queryCount = QUERIES};
    CHECK(vk.vkCreateQueryPool(world->device, &queries, NULL, &world->queries) == VK_SUCCESS);
    open_room(world, type, &world->a);
    open_room(world, type, &world->b);
}

void world_close(struct world *world)
{
    close_room(world, &world->a);
    close_room(world, &world->b);
    vk.vkDestroyQueryPool(world->device, world->queries, NULL);
    vk.vkDestroyFence(world->device, world->fence, NULL);
    vk.vkDestroyCommandPool(world->device, world->pool, NULL);
    vk.vkDestroyDevice(world->device, NULL);
    vk.vkDestroyInstance(world->instance, NULL);
}

/* ---- what the cases do ---- */

void begin(const struct world *world)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    CHECK(vk.vkBeginCommandBuffer(world->commands, &info) == VK_SUCCESS);
}

void copy(const struct world *world, VkBuffer src, VkBuffer dst)
{
    vk.vkCmdCopyBuffer(world->commands, src, dst, 1, &(const VkBufferCopy){.size = BYTES});
}

void barrier(const struct world *world)
{
    const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                 .dstAccessMask =
                                     VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_HOST_READ_BIT};
    vk.vkCmdPipelineBarrier(world->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                            VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                            &all, 0, NULL, 0, NULL);
}

void timestamp(const struct world *world, VkPipelineStageFlagBits stage, uint32_t query)
{
    vk.vkCmdWriteTimestamp(world->commands, stage, world->queries, query);
}

VkResult submit(const struct world *world)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &world->commands};
    return vk.vkQueueSubmit(world->queue, 1, &info, world->fence);
}

void run(const struct world *world)
{
    CHECK(vk.vkEndCommandBuffer(world->commands) == VK_SUCCESS);
    CHECK(vk.vkResetFences(world->device, 1, &world->fence) == VK_SUCCESS);
    CHECK(submit(world) == VK_SUCCESS);
    CHECK(vk.vkWaitForFences(world->device, 1, &world->fence, VK_TRUE, 1000000000) == VK_SUCCESS);
}

VkResult results(const struct world *world, uint64_t values[4])
{
    return vk.vkGetQueryPoolResults(world->device, world->queries, 0, 2, 4 * sizeof values[0],
                                    values, 2 * sizeof values[0],
                                    VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
}

/* ---- the runner ---- */

static void run_test(const struct test_case *test, void *library)
{
    struct world world = {0};
    void *symbol = dlsym(library, "vkGetInstanceProcAddr");
    if (!symbol)
        exit(1);
    memcpy(&vk.vkGetInstanceProcAddr, &symbol, sizeof symbol);
    world_open(&world, test->type);
    test->run(&world);
    if (!test->report)
        world_close(&world);
}

int main(int argc, char **argv)
{
    static const struct stub stub = {"KT_STUB_VULKAN", "KT_STUB_VULKAN_COUNTS", run_test};
    bool good = true;
    if (argc != 2) {
        fprintf(stderr, "usage: selftest LIBRARY\n");
        return 2;
    }
    for (const struct test_case *test = cases; test->run; test++)
        good &= stub_case_run(&stub, argv[1], test->script, test->report, test);
    return good ? 0 : 1;
}
