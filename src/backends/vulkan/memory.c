/* SPDX-License-Identifier: MIT */
/*
 * memory.c - allocates, reads and writes memory. The device's memory types determine the kinds. Two
 * kinds that the driver allocates never share a type. A device whose whole memory is host-visible
 * has only `shared`.
 *
 * `heap` is imported process memory (VK_EXT_external_memory_host; missing without the extension).
 * The driver chooses its type, which may be that of another kind. Only an import shows whether it
 * works.
 */
#include "backends/transfer.h"
#include "backends/vulkan/internal.h"
#include "support/alloc.h"

#include <string.h>

/* Memory that the host cannot see is copied in pieces of this size. */
#define STAGING_BYTES ((VkDeviceSize)4 << 20)

/* ---- types of memory ---- */

#define DEVICE_LOCAL  VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
#define HOST_VISIBLE  VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT
#define HOST_COHERENT VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
#define HOST_CACHED   VK_MEMORY_PROPERTY_HOST_CACHED_BIT
/* Other properties mark special memory: protected, lazily allocated, or uncached on the device and
 * slow. */
#define USUAL       (DEVICE_LOCAL | HOST_VISIBLE | HOST_COHERENT | HOST_CACHED)
#define OF_THE_HEAP VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT

static unsigned bits_of(VkMemoryPropertyFlags flags)
{
    unsigned count = 0;
    for (; flags; flags &= flags - 1)
        count++;
    return count;
}

/* Finds the memory type with all of `required`, none of `forbidden` and most of `preferred`
 * properties. Returns false if there is none. */
static bool find_type(const VkPhysicalDeviceMemoryProperties *memory, uint32_t allowed,
                      VkMemoryPropertyFlags required, VkMemoryPropertyFlags forbidden,
                      VkMemoryPropertyFlags preferred, uint32_t *type)
{
    bool found = false;
    unsigned best = 0;
    for (uint32_t i = 0; i < memory->memoryTypeCount; i++) {
        VkMemoryPropertyFlags flags = memory->memoryTypes[i].propertyFlags;
        unsigned score = bits_of(flags & preferred);
        if (!(allowed & 1u << i) || (flags & required) != required || flags & forbidden ||
            flags & ~(VkMemoryPropertyFlags)USUAL || (found && score <= best))
            continue;
        *type = i;
        best = score;
        found = true;
    }
    return found;
}

/*
 * Kinds differ in memory type. Where all memory is device-local and host-visible, as on integrated
 * devices, only `shared` exists.
 */
bool kt_vulkan_find_kind(const VkPhysicalDeviceMemoryProperties *memory, uint32_t allowed,
                         kt_memory_kind kind, uint32_t *type)
{
    switch (kind) {
    case KT_MEMORY_DEVICE: return find_type(memory, allowed, DEVICE_LOCAL, HOST_VISIBLE, 0, type);
    case KT_MEMORY_SHARED:
        return find_type(memory, allowed, DEVICE_LOCAL | HOST_VISIBLE, 0,
                         HOST_COHERENT | HOST_CACHED, type);
    case KT_MEMORY_HOST: /* host reads of uncached memory are many times slower */
        return find_type(memory, allowed, HOST_VISIBLE | HOST_CACHED, DEVICE_LOCAL, HOST_COHERENT,
                         type);
    default: /* heap, whose type the driver chooses, and default memory */
        return find_type(memory, allowed, HOST_VISIBLE, 0, HOST_COHERENT | HOST_CACHED, type);
    }
}

/* Allocates process memory in multiples of the import alignment and fills in `import`. Reduces
 * `needs` to the memory types that the driver allows for it. */
static kt_status make_heap(vulkan_device *d, VkMemoryRequirements *needs, vulkan_buffer *b,
                           VkImportMemoryHostPointerInfoEXT *import)
{
    VkMemoryHostPointerPropertiesEXT here = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    if (!d->api.vkGetMemoryHostPointerPropertiesEXT)
        return kt_fail(KT_DRIVER_ERROR,
                       "the Vulkan driver has no vkGetMemoryHostPointerPropertiesEXT");
    size_t unit = (size_t)d->heap_alignment, units = (size_t)((needs->size + unit - 1) / unit);
    b->heap = kt_alloc_aligned(unit, units * unit);
    if (!b->heap)
        return KT_NO_MEMORY;
    import->pHostPointer = b->heap;
    VkResult code = VK_CALL(&d->api, vkGetMemoryHostPointerPropertiesEXT, d->device,
                            import->handleType, import->pHostPointer, &here);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkGetMemoryHostPointerPropertiesEXT", code);
    needs->size = (VkDeviceSize)units * unit;
    needs->memoryTypeBits &= here.memoryTypeBits;
    return KT_OK;
}

static kt_status map(vulkan_device *d, uint32_t type, vulkan_buffer *b)
{
    VkMemoryPropertyFlags flags = d->memory.memoryTypes[type].propertyFlags;
    if (!(flags & HOST_VISIBLE))
        return KT_OK;
    b->coherent = flags & HOST_COHERENT;
    void *host = NULL;
    VkResult code = VK_CALL(&d->api, vkMapMemory, d->device, b->memory, 0, VK_WHOLE_SIZE, 0, &host);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkMapMemory", code);
    b->host = host;
    return KT_OK;
}

static kt_status allocate(vulkan_device *d, kt_memory_kind kind, vulkan_buffer *b)
{
    VkImportMemoryHostPointerInfoEXT import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT, .handleType = OF_THE_HEAP};
    VkMemoryRequirements needs;
    uint32_t type;
    d->api.vkGetBufferMemoryRequirements(d->device, b->buffer, &needs);
    kt_status status = kind == KT_MEMORY_HEAP ? make_heap(d, &needs, b, &import) : KT_OK;
    if (status != KT_OK)
        return status;
    if (!kt_vulkan_find_kind(&d->memory, needs.memoryTypeBits, kind, &type))
        return kt_fail(KT_UNSUPPORTED, "buffers cannot be in %s memory of this device",
                       kt_memory_kind_name(kind));
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .pNext = kind == KT_MEMORY_HEAP ? &import : NULL,
                                       .allocationSize = needs.size,
                                       .memoryTypeIndex = type};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VkResult code = VK_CALL(&d->api, vkAllocateMemory, d->device, &info, NULL, &memory);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkAllocateMemory", code);
    b->memory = memory;
    code = VK_CALL(&d->api, vkBindBufferMemory, d->device, b->buffer, memory, 0);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkBindBufferMemory", code);
    return map(d, type, b);
}

kt_status kt_vulkan_buffer_create(vulkan_device *device, kt_memory_kind kind, VkDeviceSize bytes,
                                  vulkan_buffer *out)
{
    static const VkExternalMemoryBufferCreateInfo of_the_heap = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, .handleTypes = OF_THE_HEAP};
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = kind == KT_MEMORY_HEAP ? &of_the_heap : NULL,
        .size = bytes,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE};
    VkBuffer buffer = VK_NULL_HANDLE;
    VkResult code = VK_CALL(&device->api, vkCreateBuffer, device->device, &info, NULL, &buffer);
    if (code != VK_SUCCESS)
        return kt_vulkan_fail("vkCreateBuffer", code);
    out->buffer = buffer;
    out->bytes = bytes;
    return allocate(device, kind, out);
}

void kt_vulkan_buffer_destroy(vulkan_device *device, vulkan_buffer *buffer)
{
    device->api.vkDestroyBuffer(device->device, buffer->buffer, NULL);
    device->api.vkFreeMemory(device->device, buffer->memory, NULL); /* unmaps the memory, too */
    kt_free(buffer->heap);
    *buffer = (vulkan_buffer){0};
}

kt_status kt_vulkan_memory_init(void *memory, void *device, kt_memory_kind kind, size_t bytes)
{
    vulkan_memory *m = memory;
    m->device = device;
    return kt_vulkan_buffer_create(device, kind, bytes, &m->buffer);
}

void kt_vulkan_memory_fini(void *memory)
{
    vulkan_memory *m = memory;
    kt_vulkan_buffer_destroy(m->device, &m->buffer);
}

/* ---- reading and writing ---- */

/* Makes host writes visible to the device, or device writes visible to the host. Covers the whole
 * buffer, since parts would have to align with the device's cache lines. */
static kt_status synchronise(vulkan_device *d, const vulkan_buffer *buffer, bool written)
{
    const VkMappedMemoryRange range = {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
                                       .memory = buffer->memory,
                                       .size = VK_WHOLE_SIZE};
    if (buffer->coherent)
        return KT_OK;
    VkResult code = written
                        ? VK_CALL(&d->api, vkFlushMappedMemoryRanges, d->device, 1, &range)
                        : VK_CALL(&d->api, vkInvalidateMappedMemoryRanges, d->device, 1, &range);
    if (code == VK_SUCCESS)
        return KT_OK;
    return kt_vulkan_fail(written ? "vkFlushMappedMemoryRanges" : "vkInvalidateMappedMemoryRanges",
                          code);
}

static kt_status read_mapped(vulkan_device *d, const vulkan_buffer *buffer, size_t offset,
                             void *data, size_t bytes)
{
    kt_status status = synchronise(d, buffer, false);
    if (status == KT_OK)
        memcpy(data, (const char *)buffer->host + offset, bytes);
    return status;
}

static kt_status write_mapped(vulkan_device *d, const vulkan_buffer *buffer, size_t offset,
                              const void *data, size_t bytes)
{
    /* The device's copy of the surrounding bytes may be newer than the host's caches. */
    kt_status status = synchronise(d, buffer, false);
    if (status != KT_OK)
        return status;
    memcpy((char *)buffer->host + offset, data, bytes);
    return synchronise(d, buffer, true);
}

/* Copies between two buffers at an offset of the device's one, and synchronises both. */
static kt_status copy_buffer(vulkan_device *d, const vulkan_buffer *from, const vulkan_buffer *to,
                             const VkBufferCopy *region, int64_t timeout_ns)
{
    kt_status status = kt_vulkan_commands_begin(d, &d->transfer);
    if (status != KT_OK)
        return status;
    kt_vulkan_barrier(d, d->transfer.buffer);
    d->api.vkCmdCopyBuffer(d->transfer.buffer, from->buffer, to->buffer, 1, region);
    kt_vulkan_barrier_to_host(d, d->transfer.buffer);
    status = kt_vulkan_commands_end(d, &d->transfer);
    if (status == KT_OK)
        status = kt_vulkan_commands_submit(d, &d->transfer);
    return status == KT_OK ? kt_vulkan_commands_wait(d, &d->transfer, timeout_ns) : status;
}

static kt_status copy_piece(const void *memory, size_t offset, char *out, const char *in,
                            size_t bytes, int64_t timeout_ns)
{
    const vulkan_memory *m = memory;
    vulkan_device *d = m->device;
    const vulkan_buffer *buffer = &m->buffer, *staging = &d->staging;
    const VkBufferCopy region = {
        .srcOffset = out ? offset : 0, .dstOffset = out ? 0 : offset, .size = bytes};
    kt_status status = in ? write_mapped(d, staging, 0, in, bytes) : KT_OK;
    if (status == KT_OK)
        status = copy_buffer(d, in ? staging : buffer, in ? buffer : staging, &region, timeout_ns);
    return status == KT_OK && out ? read_mapped(d, staging, 0, out, bytes) : status;
}

static kt_status prepare_staging(vulkan_device *d)
{
    if (d->staging.host)
        return KT_OK;
    kt_vulkan_buffer_destroy(d, &d->staging);
    kt_status status = kt_vulkan_buffer_create(d, KT_MEMORY_DEFAULT, STAGING_BYTES, &d->staging);
    if (status == KT_OK && !d->staging.host)
        return kt_fail(KT_DRIVER_ERROR, "%s gives no memory that the host can see", d->info->id);
    return status;
}

/* Transfers memory that the host cannot see. */
static kt_status transfer(const vulkan_memory *m, size_t offset, char *out, const char *in,
                          size_t bytes, int64_t timeout_ns)
{
    static const kt_transfer pieces = {
        .piece_bytes = STAGING_BYTES, .word_bytes = 1, .copy = copy_piece};
    kt_status status = prepare_staging(m->device);
    return status == KT_OK ? kt_transfer_run(&pieces, m, offset, out, in, bytes, timeout_ns)
                           : status;
}

kt_status kt_vulkan_memory_read(void *memory, size_t offset, void *data, size_t bytes,
                                int64_t timeout_ns)
{
    const vulkan_memory *m = memory;
    if (m->buffer.host)
        return read_mapped(m->device, &m->buffer, offset, data, bytes);
    return transfer(m, offset, data, NULL, bytes, timeout_ns);
}

kt_status kt_vulkan_memory_write(void *memory, size_t offset, const void *data, size_t bytes,
                                 int64_t timeout_ns)
{
    const vulkan_memory *m = memory;
    if (m->buffer.host)
        return write_mapped(m->device, &m->buffer, offset, data, bytes);
    return transfer(m, offset, NULL, data, bytes, timeout_ns);
}
