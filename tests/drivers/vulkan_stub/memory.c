/* SPDX-License-Identifier: MIT */
/* Devices, memory and buffers. */
#include "stub.h"

/* ---- devices ---- */

static VkResult check_extensions(const VkDeviceCreateInfo *info, struct device *device)
{
    const char *here[EXTENSIONS_MAX];
    uint32_t count = device_extensions(here);
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        bool found = false;
        for (uint32_t k = 0; k < count; k++)
            found |= strcmp(info->ppEnabledExtensionNames[i], here[k]) == 0;
        if (!found)
            return VK_ERROR_EXTENSION_NOT_PRESENT;
        bool of_host = strcmp(info->ppEnabledExtensionNames[i],
                              VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME) == 0;
        device->takes_host_pointers |= of_host;
        device->calibrated |= !of_host; /* there are no others */
    }
    return VK_SUCCESS;
}

static VkResult check_queues(const VkDeviceCreateInfo *info, struct device *device)
{
    const VkDeviceQueueCreateInfo *queue = info->pQueueCreateInfos;
    EXPECT_USE(info->queueCreateInfoCount == 1, "the stub gives one queue");
    EXPECT_TYPE(queue, VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    EXPECT_USE(queue->queueFamilyIndex < script.families.count && queue->queueCount == 1,
               "no such queue");
    device->family = queue->queueFamilyIndex;
    return queue->queueFamilyIndex < script.families.count ? VK_SUCCESS
                                                           : VK_ERROR_INITIALIZATION_FAILED;
}

static bool enables_resets(const VkDeviceCreateInfo *info)
{
    for (const VkBaseInStructure *at = info->pNext; at; at = at->pNext) {
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES)
            return ((const VkPhysicalDeviceHostQueryResetFeatures *)(const void *)at)
                ->hostQueryReset;
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES)
            return ((const VkPhysicalDeviceVulkan12Features *)(const void *)at)->hostQueryReset;
    }
    return false;
}

VkResult vkCreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                        const VkAllocationCallbacks *allocator, VkDevice *out)
{
    ENTER(vkCreateDevice);
    if (!USE(physical, KIND_PHYSICAL))
        return VK_ERROR_INITIALIZATION_FAILED;
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    struct device *device = object_create(KIND_DEVICE, sizeof *device, NULL);
    device->resets_queries = script.api >= 2 && enables_resets(info);
    VkResult code = check_extensions(info, device);
    if (code == VK_SUCCESS)
        code = check_queues(info, device);
    if (code != VK_SUCCESS) {
        object_destroy(device);
        return code;
    }
    device->queue = object_create(KIND_QUEUE, sizeof *device->queue, NULL);
    device->queue->base.implicit = true;
    device->queue->family = device->family;
    device->queue->order_epoch = device->queue->write_epoch = device->queue->host_epoch = 1;
    *out = HANDLE(VkDevice, device);
    return VK_SUCCESS;
}

void vkDestroyDevice(VkDevice handle, const VkAllocationCallbacks *allocator)
{
    ENTER_VOID(vkDestroyDevice, NULL);
    struct device *device = handle ? USE(handle, KIND_DEVICE) : NULL;
    if (device)
        object_end(device->queue, KIND_QUEUE);
    object_end(device, KIND_DEVICE);
}

void vkGetDeviceQueue(VkDevice handle, uint32_t family, uint32_t index, VkQueue *out)
{
    ENTER_VOID(vkGetDeviceQueue, NULL);
    const struct device *device = USE(handle, KIND_DEVICE);
    EXPECT_USE(device && device->family == family && index == 0, "no such queue");
    *out = HANDLE(VkQueue, device ? device->queue : NULL);
}

/* ---- memory ---- */

static uint64_t allocated;

static bool is_aligned(const void *pointer)
{
    return (uintptr_t)pointer % script.host_alignment == 0;
}

VkResult vkGetMemoryHostPointerPropertiesEXT(VkDevice handle,
                                             VkExternalMemoryHandleTypeFlagBits handle_type,
                                             const void *pointer,
                                             VkMemoryHostPointerPropertiesEXT *out)
{
    ENTER(vkGetMemoryHostPointerPropertiesEXT);
    const struct device *device = USE(handle, KIND_DEVICE);
    EXPECT_USE(device && device->takes_host_pointers, "the extension is not enabled");
    EXPECT_TYPE(out, VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT);
    EXPECT_USE(handle_type == VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
               "handle type");
    EXPECT_USE(is_aligned(pointer), "not aligned");
    out->memoryTypeBits = (uint32_t)script.host_types & ((1u << memory_type_count()) - 1);
    return is_aligned(pointer) ? VK_SUCCESS : VK_ERROR_INVALID_EXTERNAL_HANDLE;
}

/* The process's own memory, if the chain brings some. False: it cannot be used. */
static bool find_import(const struct device *device, const VkMemoryAllocateInfo *info,
                        unsigned char **pointer)
{
    const VkImportMemoryHostPointerInfoEXT *import = info->pNext;
    *pointer = NULL;
    if (!import)
        return true;
    EXPECT_USE(import->sType == VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
               "sType of what is chained");
    EXPECT_USE(device->takes_host_pointers, "the extension is not enabled");
    EXPECT_USE(import->handleType == VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
               "handle type");
    bool sound =
        is_aligned(import->pHostPointer) && info->allocationSize % script.host_alignment == 0;
    EXPECT_USE(sound, "pointer or size is not aligned");
    EXPECT_USE(script.host_types >> info->memoryTypeIndex & 1,
               "the pointer cannot be of this type");
    *pointer = import->pHostPointer;
    return sound && device->takes_host_pointers;
}

static void touch(volatile unsigned char *bytes, VkDeviceSize count)
{
    bytes[0] = bytes[0];
    bytes[count - 1] = bytes[count - 1];
}

static void end_memory(void *handle)
{
    struct memory *memory = handle;
    allocated -= memory->bytes;
    if (memory->imported) /* sanitizers see it if the process has freed it before */
        touch(memory->imported, memory->bytes);
    for (int i = 0; i < 3; i++)
        if (memory->blocks[i])
            memory_end(memory->blocks[i]);
}

/* What the device and the host see, and what they saw last: one content, if the type is coherent,
 * else three. */
static bool make_contents(struct memory *memory)
{
    VkMemoryPropertyFlags flags = memory_type_flags(memory->type);
    bool coherent = flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    bool visible = flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    int own = visible && !coherent ? 3 : 1, hosts = own == 3 ? 1 : 0;
    unsigned char *contents[3] = {NULL};
    for (int i = 0; i < own; i++) {
        contents[i] = memory->imported;
        if (memory->imported && i == hosts)
            continue;
        memory->blocks[i] = memory_create(KIND_MEMORY, memory, memory->bytes, ATOM_BYTES);
        if (!memory->blocks[i])
            return false;
        contents[i] = memory->blocks[i]->data;
    }
    if (own == 3) /* what the process wrote before has to be flushed, too */
        memcpy(contents[2], contents[1], memory->bytes);
    memory->data = contents[0];
    memory->host = coherent ? memory->data : contents[1];
    memory->synced = coherent ? NULL : contents[2];
    return true;
}

VkResult vkAllocateMemory(VkDevice handle, const VkMemoryAllocateInfo *info,
                          const VkAllocationCallbacks *allocator, VkDeviceMemory *out)
{
    ENTER(vkAllocateMemory);
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    unsigned char *imported;
    struct device *device = USE(handle, KIND_DEVICE);
    bool sound = info->memoryTypeIndex < memory_type_count() && info->allocationSize > 0;
    EXPECT_USE(sound, "no such type, or no bytes");
    if (!device || !sound)
        return VK_ERROR_INITIALIZATION_FAILED;
    if (!find_import(device, info, &imported))
        return VK_ERROR_INVALID_EXTERNAL_HANDLE;
    if (info->allocationSize > script.max_alloc || info->allocationSize > script.heap - allocated)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    struct memory *memory = object_create(KIND_MEMORY, sizeof *memory, device);
    memory->base.end = end_memory;
    memory->type = info->memoryTypeIndex;
    memory->bytes = info->allocationSize;
    memory->imported = imported;
    allocated += memory->bytes;
    if (!make_contents(memory)) {
        object_destroy(memory);
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    *out = HANDLE(VkDeviceMemory, memory);
    return VK_SUCCESS;
}

/* Written by the device with no barrier to the host behind it. */
static bool is_unseen(const struct memory *memory)
{
    const struct device *device = memory->base.context;
    return memory->host_epoch && memory->host_epoch == device->queue->host_epoch;
}

VkResult vkMapMemory(VkDevice device, VkDeviceMemory handle, VkDeviceSize offset,
                     VkDeviceSize bytes, VkMemoryMapFlags flags, void **out)
{
    ENTER(vkMapMemory);
    struct memory *memory = USE(handle, KIND_MEMORY);
    if (!USE(device, KIND_DEVICE) || !memory)
        return VK_ERROR_MEMORY_MAP_FAILED;
    EXPECT_USE(flags == 0, "flags");
    EXPECT_USE(memory->host, "the host cannot see this memory");
    EXPECT_USE(!memory->mapped, "is mapped already");
    EXPECT_USE(!is_unseen(memory), "no barrier to the host since the device wrote");
    if (bytes == VK_WHOLE_SIZE && offset < memory->bytes)
        bytes = memory->bytes - offset;
    bool inside = offset < memory->bytes && bytes > 0 && bytes <= memory->bytes - offset;
    EXPECT_USE(inside, "beyond the end");
    if (!memory->host || !inside)
        return VK_ERROR_MEMORY_MAP_FAILED;
    memory->mapped = true;
    memory->map_offset = offset;
    memory->map_bytes = bytes;
    *out = memory->host + offset;
    return VK_SUCCESS;
}

void vkUnmapMemory(VkDevice device, VkDeviceMemory handle)
{
    ENTER_VOID(vkUnmapMemory, NULL);
    struct memory *memory = USE(handle, KIND_MEMORY);
    if (!USE(device, KIND_DEVICE) || !memory)
        return;
    EXPECT_USE(memory->mapped, "is not mapped");
    memory->mapped = false;
}

/* ---- memory that is not coherent ---- */

/* The memory of a range whose ends are sound. */
static struct memory *check_range(const VkMappedMemoryRange *range, VkDeviceSize *bytes)
{
    EXPECT_USE(range->sType == VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, "sType");
    struct memory *memory = USE(range->memory, KIND_MEMORY);
    if (!memory)
        return NULL;
    EXPECT_USE(memory->mapped, "is not mapped");
    VkDeviceSize map_end = memory->map_offset + memory->map_bytes;
    bool inside = range->offset >= memory->map_offset && range->offset < map_end;
    *bytes = inside && range->size == VK_WHOLE_SIZE ? map_end - range->offset : range->size;
    inside = inside && *bytes <= map_end - range->offset;
    EXPECT_USE(inside, "beyond what is mapped");
    EXPECT_USE(range->offset % ATOM_BYTES == 0 &&
                   (*bytes % ATOM_BYTES == 0 || range->offset + *bytes == memory->bytes ||
                    range->size == VK_WHOLE_SIZE),
               "not in whole atoms");
    return inside && memory->mapped ? memory : NULL;
}

/* What the host wrote lies between the first and the last byte that it changed. */
static void flush(struct memory *memory, VkDeviceSize begin, VkDeviceSize bytes)
{
    VkDeviceSize end = begin + bytes;
    while (begin < end && memory->host[begin] == memory->synced[begin])
        begin++;
    while (begin < end && memory->host[end - 1] == memory->synced[end - 1])
        end--;
    memcpy(memory->data + begin, memory->host + begin, end - begin);
    memcpy(memory->synced + begin, memory->host + begin, end - begin);
}

VkResult vkFlushMappedMemoryRanges(VkDevice device, uint32_t count,
                                   const VkMappedMemoryRange *ranges)
{
    ENTER(vkFlushMappedMemoryRanges);
    USE(device, KIND_DEVICE);
    for (uint32_t i = 0; i < count; i++) {
        VkDeviceSize bytes;
        struct memory *memory = check_range(&ranges[i], &bytes);
        if (memory && memory->synced)
            flush(memory, ranges[i].offset, bytes);
    }
    return VK_SUCCESS;
}

VkResult vkInvalidateMappedMemoryRanges(VkDevice device, uint32_t count,
                                        const VkMappedMemoryRange *ranges)
{
    ENTER(vkInvalidateMappedMemoryRanges);
    USE(device, KIND_DEVICE);
    for (uint32_t i = 0; i < count; i++) {
        VkDeviceSize bytes, offset = ranges[i].offset;
        struct memory *memory = check_range(&ranges[i], &bytes);
        if (!memory || !memory->synced)
            continue;
        EXPECT_USE(!is_unseen(memory), "no barrier to the host since the device wrote");
        EXPECT_USE(memcmp(memory->host + offset, memory->synced + offset, bytes) == 0,
                   "loses what the host wrote and did not flush");
        memcpy(memory->host + offset, memory->data + offset, bytes);
        memcpy(memory->synced + offset, memory->data + offset, bytes);
    }
    return VK_SUCCESS;
}

void memory_written(struct memory *memory, VkDeviceSize offset, VkDeviceSize bytes,
                    const struct queue *queue)
{
    memory->host_epoch = queue->host_epoch;
    for (VkDeviceSize i = offset; memory->synced && i < offset + bytes; i++)
        memory->host[i] = memory->synced[i] = (unsigned char)~memory->data[i];
}

/* ---- buffers ---- */

static bool is_external(const VkExternalMemoryBufferCreateInfo *info)
{
    if (!info)
        return false;
    EXPECT_USE(info->sType == VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
               "sType of what is chained");
    EXPECT_USE(info->handleTypes == VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
               "handle types");
    return true;
}

VkResult vkCreateBuffer(VkDevice device, const VkBufferCreateInfo *info,
                        const VkAllocationCallbacks *allocator, VkBuffer *out)
{
    ENTER(vkCreateBuffer);
    EXPECT_TYPE(info, VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    EXPECT_USE(info->size > 0 && info->usage != 0, "no size or no usage");
    EXPECT_USE(info->sharingMode == VK_SHARING_MODE_EXCLUSIVE, "sharing mode");
    struct buffer *buffer = stub_create(device, KIND_BUFFER, sizeof *buffer);
    buffer->bytes = info->size;
    buffer->usage = info->usage;
    buffer->of_host_pointers = is_external(info->pNext);
    *out = HANDLE(VkBuffer, buffer);
    return VK_SUCCESS;
}

/* A real one rounds up as well: so that nobody takes it for the size of the buffer. */
static VkDeviceSize needed_bytes(const struct buffer *buffer)
{
    return (buffer->bytes + ATOM_BYTES - 1) / ATOM_BYTES * ATOM_BYTES;
}

void vkGetBufferMemoryRequirements(VkDevice device, VkBuffer handle, VkMemoryRequirements *out)
{
    ENTER_VOID(vkGetBufferMemoryRequirements, NULL);
    USE(device, KIND_DEVICE);
    const struct buffer *buffer = USE(handle, KIND_BUFFER);
    *out = (VkMemoryRequirements){.size = buffer ? needed_bytes(buffer) : ATOM_BYTES,
                                  .alignment = ATOM_BYTES,
                                  .memoryTypeBits = (1u << memory_type_count()) - 1};
}

VkResult vkBindBufferMemory(VkDevice device, VkBuffer handle, VkDeviceMemory memory_handle,
                            VkDeviceSize offset)
{
    ENTER(vkBindBufferMemory);
    USE(device, KIND_DEVICE);
    struct buffer *buffer = USE(handle, KIND_BUFFER);
    struct memory *memory = USE(memory_handle, KIND_MEMORY);
    if (!buffer || !memory)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    EXPECT_USE(!buffer->memory, "is bound already");
    EXPECT_USE(buffer->of_host_pointers == !!memory->imported,
               "one of buffer and memory is of a host pointer");
    bool inside = offset <= memory->bytes && needed_bytes(buffer) <= memory->bytes - offset;
    EXPECT_USE(inside, "the memory is too small");
    EXPECT_USE(offset % ATOM_BYTES == 0, "not aligned");
    if (!inside)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    buffer->memory = memory;
    buffer->offset = offset;
    return VK_SUCCESS;
}
