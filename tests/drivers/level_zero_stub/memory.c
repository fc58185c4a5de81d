/* SPDX-License-Identifier: MIT */
/* Memory of the host, the device and both. */
#include "stub.h"

static uint64_t used_bytes; /* of the device's memory */

static ze_result_t allocate(ze_context_handle_t context, size_t bytes, size_t alignment,
                            enum memory_kind kind, void **out)
{
    USE(context, context, KIND_CONTEXT);
    REQUIRE(out, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    REQUIRE(bytes > 0, ZE_RESULT_ERROR_INVALID_SIZE, "no bytes");
    REQUIRE((alignment & (alignment - 1)) == 0 && alignment <= 4096,
            ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, "alignment %zu", alignment);
    if (bytes > script.max_alloc)
        return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
    if (kind != MEMORY_HOST && bytes > script.total_bytes - used_bytes)
        return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
    struct block *block = memory_create(kind, context, bytes, alignment);
    if (!block)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    used_bytes += kind == MEMORY_HOST ? 0 : bytes;
    *out = block->data;
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_MemAllocHost(ze_context_handle_t context, const ze_host_mem_alloc_desc_t *desc,
                              size_t bytes, size_t alignment, void **out)
{
    ENTER(MemAllocHost, NEEDS_INIT);
    REQUIRE_TYPE(desc, ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC);
    return allocate(context, bytes, alignment, MEMORY_HOST, out);
}

ze_result_t stub_MemAllocDevice(ze_context_handle_t context, const ze_device_mem_alloc_desc_t *desc,
                                size_t bytes, size_t alignment, ze_device_handle_t device,
                                void **out)
{
    ENTER(MemAllocDevice, NEEDS_INIT);
    REQUIRE_TYPE(desc, ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC);
    REQUIRE(desc->ordinal == 0, ZE_RESULT_ERROR_INVALID_ARGUMENT, "memory %u", desc->ordinal);
    return device_use(device) ? allocate(context, bytes, alignment, MEMORY_DEVICE, out)
                              : ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
}

ze_result_t stub_MemAllocShared(ze_context_handle_t context,
                                const ze_device_mem_alloc_desc_t *device_desc,
                                const ze_host_mem_alloc_desc_t *host_desc, size_t bytes,
                                size_t alignment, ze_device_handle_t device, void **out)
{
    ENTER(MemAllocShared, NEEDS_INIT);
    REQUIRE_TYPE(device_desc, ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC);
    REQUIRE_TYPE(host_desc, ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC);
    if (device && !device_use(device))
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    return allocate(context, bytes, alignment, MEMORY_SHARED, out);
}

ze_result_t stub_MemFree(ze_context_handle_t context, void *address)
{
    ENTER(MemFree, NEEDS_INIT | NEEDS_NO_LUCK);
    USE(context, context, KIND_CONTEXT);
    struct block *block = memory_find(address);
    REQUIRE(block && block->data == address, ZE_RESULT_ERROR_INVALID_ARGUMENT,
            "no memory begins there");
    REQUIRE(block->context == context, ZE_RESULT_ERROR_INVALID_ARGUMENT,
            "memory of another context");
    if (engines_use_block(block))
        misuse("memory is in use");
    if (block->kind != MEMORY_HOST)
        used_bytes -= block->bytes;
    memory_end(block);
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_MemGetAllocProperties(ze_context_handle_t context, const void *address,
                                       ze_memory_allocation_properties_t *out,
                                       ze_device_handle_t *device)
{
    ENTER(MemGetAllocProperties, NEEDS_INIT);
    static const ze_memory_type_t types[MEMORY_KIND_COUNT] = {
        ZE_MEMORY_TYPE_HOST, ZE_MEMORY_TYPE_DEVICE, ZE_MEMORY_TYPE_SHARED};
    USE(context, context, KIND_CONTEXT);
    REQUIRE_TYPE(out, ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES);
    const struct block *block = memory_find(address);
    out->type = block ? types[block->kind] : ZE_MEMORY_TYPE_UNKNOWN;
    out->id = 0;
    out->pageSize = 4096;
    if (device)
        *device = NULL;
    return ZE_RESULT_SUCCESS;
}
