/* SPDX-License-Identifier: MIT */
/* Calls, and the ends of objects. */
#include "stub.h"

static struct report_entry entries[ENTRY_COUNT] = {
#define ENTRY_NAME(name_) {.name = #name_},
    ALL_ENTRIES(ENTRY_NAME)
#undef ENTRY_NAME
};

const struct report_of report_of = {"vulkan_stub", "KT_STUB_VULKAN_COUNTS", entries, ENTRY_COUNT};

const char *const kind_names[KIND_COUNT + 1] = {
    "instance",     "physical device", "device",          "queue",     "memory",          "buffer",
    "shader",       "set layout",      "pipeline layout", "pipeline",  "descriptor pool", "set",
    "command pool", "command buffer",  "fence",           "query pool"};

VkResult stub_enter(enum entry entry, const void *alone)
{
    static const VkResult errors[] = {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY,
                                      VK_ERROR_DEVICE_LOST, VK_ERROR_INITIALIZATION_FAILED};
    const struct object *object = alone;
    bool met, forced = call_enter_alone((int)entry, object, &met);
    EXPECT_USE(!met, "%s is used by two threads at once", kind_names[object->kind]);
    return forced ? errors[script.error] : VK_SUCCESS;
}

void stub_leave(const VkResult *code)
{
    call_leave();
}

void *stub_create(VkDevice device, enum kind kind, size_t bytes)
{
    return object_create(kind, bytes, USE(device, KIND_DEVICE));
}

uint32_t stub_fit(uint32_t *count, const void *out, uint32_t there)
{
    uint32_t given = !out ? 0 : *count < there ? *count : there;
    *count = out ? given : there;
    return given;
}

/* All that came from a pool goes with it. */
#define DESTROY(name, type, kind, part)                                             \
    void name(VkDevice device, type handle, const VkAllocationCallbacks *allocator) \
    {                                                                               \
        ENTER_VOID(name, NULL);                                                     \
        USE(device, KIND_DEVICE);                                                   \
        if ((part) != KIND_COUNT && handle)                                         \
            objects_drop(part, OBJECT(handle));                                     \
        object_end(OBJECT(handle), kind);                                           \
    }

DESTROY(vkFreeMemory, VkDeviceMemory, KIND_MEMORY, KIND_COUNT)
DESTROY(vkDestroyBuffer, VkBuffer, KIND_BUFFER, KIND_COUNT)
DESTROY(vkDestroyShaderModule, VkShaderModule, KIND_SHADER, KIND_COUNT)
DESTROY(vkDestroyDescriptorSetLayout, VkDescriptorSetLayout, KIND_SET_LAYOUT, KIND_COUNT)
DESTROY(vkDestroyPipelineLayout, VkPipelineLayout, KIND_LAYOUT, KIND_COUNT)
DESTROY(vkDestroyPipeline, VkPipeline, KIND_PIPELINE, KIND_COUNT)
DESTROY(vkDestroyDescriptorPool, VkDescriptorPool, KIND_SET_POOL, KIND_SET)
DESTROY(vkDestroyCommandPool, VkCommandPool, KIND_COMMAND_POOL, KIND_COMMANDS)
DESTROY(vkDestroyFence, VkFence, KIND_FENCE, KIND_COUNT)
DESTROY(vkDestroyQueryPool, VkQueryPool, KIND_QUERIES, KIND_COUNT)

void report_own(FILE *file)
{
    call_lock();
    objects_report(file);
    report_caller = "exit";
    memory_check_all();
    call_unlock();
}
