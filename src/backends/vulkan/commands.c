/* SPDX-License-Identifier: MIT */
/* commands.c - records and submits command buffers, and waits for them with a time limit. */
#include "backends/vulkan/internal.h"

kt_status kt_vulkan_commands_create(vulkan_device *device, vulkan_commands *out)
{
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                               .queueFamilyIndex = device->place->family};
    const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer buffer = VK_NULL_HANDLE;
    VkFence fence = VK_NULL_HANDLE;
    VkResult code =
        VK_CALL(&device->api, vkCreateCommandPool, device->device, &pool_info, NULL, &pool);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkCreateCommandPool", code);
    out->pool = pool;
    const VkCommandBufferAllocateInfo buffer_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1};
    code = VK_CALL(&device->api, vkAllocateCommandBuffers, device->device, &buffer_info, &buffer);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkAllocateCommandBuffers", code);
    out->buffer = buffer; /* the command buffer is freed with its pool */
    code = VK_CALL(&device->api, vkCreateFence, device->device, &fence_info, NULL, &fence);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkCreateFence", code);
    out->fence = fence;
    return KT_OK;
}

void kt_vulkan_commands_destroy(vulkan_device *device, vulkan_commands *commands)
{
    device->api.vkDestroyFence(device->device, commands->fence, NULL);
    device->api.vkDestroyCommandPool(device->device, commands->pool, NULL);
    *commands = (vulkan_commands){0};
}

kt_status kt_vulkan_commands_begin(vulkan_device *device, const vulkan_commands *commands)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    /* vkBeginCommandBuffer() resets implicitly, but not after a failed vkEndCommandBuffer(). */
    VkResult code = VK_CALL(&device->api, vkResetCommandPool, device->device, commands->pool, 0);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkResetCommandPool", code);
    code = VK_CALL(&device->api, vkBeginCommandBuffer, commands->buffer, &info);
    return code == VK_SUCCESS ? KT_OK : kt_vulkan_fail("vkBeginCommandBuffer", code);
}

kt_status kt_vulkan_commands_end(vulkan_device *device, const vulkan_commands *commands)
{
    VkResult code = VK_CALL(&device->api, vkEndCommandBuffer, commands->buffer);
    return code == VK_SUCCESS ? KT_OK : kt_vulkan_fail("vkEndCommandBuffer", code);
}

#define WORK_STAGES (VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT)
#define WORK_WRITES (VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT)
#define WORK_READS  (VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT)

void kt_vulkan_barrier(const vulkan_device *device, VkCommandBuffer buffer)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = WORK_WRITES,
                                     .dstAccessMask = WORK_READS | WORK_WRITES};
    /* The barrier covers all stages, so that a timestamp at the top of the pipe waits, too. */
    device->api.vkCmdPipelineBarrier(buffer, WORK_STAGES, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                                     &barrier, 0, NULL, 0, NULL);
}

void kt_vulkan_barrier_to_host(const vulkan_device *device, VkCommandBuffer buffer)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = WORK_WRITES,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    device->api.vkCmdPipelineBarrier(buffer, WORK_STAGES, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                                     &barrier, 0, NULL, 0, NULL);
}

kt_status kt_vulkan_commands_submit(vulkan_device *device, const vulkan_commands *commands)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands->buffer};
    VkResult code = VK_CALL(&device->api, vkResetFences, device->device, 1, &commands->fence);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkResetFences", code);
    kt_mutex_lock(device->queue_mutex);
    code = VK_CALL(&device->api, vkQueueSubmit, device->queue, 1, &info, commands->fence);
    kt_mutex_unlock(device->queue_mutex);
    return code == VK_SUCCESS ? KT_OK : kt_vulkan_fail("vkQueueSubmit", code);
}

/* Polls the fence, because polling is faster than being woken. Blocks if the device runs on the
 * host's cores, where polling would take one of them. */
static VkResult wait_for_fence(vulkan_device *device, const vulkan_commands *commands,
                               int64_t timeout_ns)
{
    if (device->on_host)
        return VK_CALL(&device->api, vkWaitForFences, device->device, 1, &commands->fence, VK_TRUE,
                       (uint64_t)timeout_ns);
    int64_t begin_ns = kt_host_now_ns();
    for (;;) {
        VkResult code = VK_CALL(&device->api, vkGetFenceStatus, device->device, commands->fence);
        if (code != VK_NOT_READY)
            return code;
        if (kt_host_now_ns() - begin_ns >= timeout_ns)
            return VK_TIMEOUT;
    }
}

kt_status kt_vulkan_commands_wait(vulkan_device *device, const vulkan_commands *commands,
                                  int64_t timeout_ns)
{
    VkResult code = wait_for_fence(device, commands, timeout_ns);
    /* After a failed wait the commands may still run and use memory that the caller frees next. */
    if (code != VK_SUCCESS && code != VK_TIMEOUT &&
        device->api.vkWaitForFences(device->device, 1, &commands->fence, VK_TRUE,
                                    (uint64_t)timeout_ns) == VK_TIMEOUT)
        code = VK_TIMEOUT;
    if (code == VK_TIMEOUT)
        return kt_fail_timeout(timeout_ns);
    return code == VK_SUCCESS
               ? KT_OK
               : kt_vulkan_fail(device->on_host ? "vkWaitForFences" : "vkGetFenceStatus", code);
}
