/* SPDX-License-Identifier: MIT */
/* Kernels, copies and fills that the program appends to lists. */
#include "tracers/level_zero/layer.h"

#include "support/alloc.h"

#include <stdio.h>
#include <string.h>

/* ---- kernels ---- */

ze_result_t layer_KernelCreate(ze_module_handle_t module, const ze_kernel_desc_t *desc,
                               ze_kernel_handle_t *out)
{
    ze_result_t code = layer_next.KernelCreate(module, desc, out);
    if (code != ZE_RESULT_SUCCESS)
        return code;
    const char *name = desc->pKernelName ? desc->pKernelName : "";
    layer_kernel *kernel = kt_alloc(1, sizeof *kernel + strlen(name) + 1);
    if (kernel)
        memcpy(kernel->name, name, strlen(name));
    layer_lock();
    if (kernel && !object_add(OBJECT_KERNEL, *out, kernel))
        kt_free(kernel);
    layer_unlock();
    return code;
}

ze_result_t layer_KernelDestroy(ze_kernel_handle_t handle)
{
    layer_kernel *kernel = object_find(OBJECT_KERNEL, handle);
    ze_result_t code = layer_next.KernelDestroy(handle);
    if (!kernel || code != ZE_RESULT_SUCCESS)
        return code;
    layer_lock();
    object_remove(OBJECT_KERNEL, handle, kernel);
    layer_unlock();
    for (kernel_row *at = atomic_load(&kernel->rows), *next; at; at = next) {
        next = at->next;
        kt_free(at);
    }
    kt_free(kernel);
    return code;
}

static void set_group(ze_kernel_handle_t handle, uint32_t x, uint32_t y, uint32_t z)
{
    layer_kernel *kernel = object_find(OBJECT_KERNEL, handle);
    if (!kernel)
        return;
    atomic_store_explicit(&kernel->group[0], x, memory_order_relaxed);
    atomic_store_explicit(&kernel->group[1], y, memory_order_relaxed);
    atomic_store_explicit(&kernel->group[2], z, memory_order_relaxed);
}

ze_result_t layer_KernelSetGroupSize(ze_kernel_handle_t handle, uint32_t x, uint32_t y, uint32_t z)
{
    ze_result_t code = layer_next.KernelSetGroupSize(handle, x, y, z);
    if (code == ZE_RESULT_SUCCESS)
        set_group(handle, x, y, z);
    return code;
}

/* ---- rows of kernels ---- */

static int put_size(char *out, size_t bytes, const uint64_t *size)
{
    int dimensions = size[2] > 1 ? 3 : size[1] > 1 ? 2 : 1, used = 0;
    for (int i = 0; i < dimensions; i++)
        used += snprintf(out + used, bytes - (size_t)used, i ? "x%llu" : "%llu",
                         (unsigned long long)size[i]);
    return used;
}

/* "1024x1024 / 16x16": work-items in all and of a group. */
static void put_sizes(char *out, size_t bytes, const uint32_t *sizes)
{
    uint64_t all[3], group[3];
    for (int i = 0; i < 3; i++) {
        group[i] = sizes[3 + i];
        all[i] = (uint64_t)sizes[i] * group[i];
    }
    int used = put_size(out, bytes, all);
    used += snprintf(out + used, bytes - (size_t)used, " / ");
    put_size(out + used, bytes - (size_t)used, group);
}

static kernel_row *find_row(const layer_kernel *kernel, const layer_device *device,
                            const uint32_t *sizes)
{
    kernel_row *at = atomic_load_explicit(&kernel->rows, memory_order_acquire);
    while (at && (at->device != device || memcmp(at->sizes, sizes, sizeof at->sizes) != 0))
        at = at->next;
    return at;
}

static kernel_row *add_row(layer_kernel *kernel, const layer_device *device, const uint32_t *sizes)
{
    char text[160];
    layer_lock();
    kernel_row *row = find_row(kernel, device, sizes);
    if (!row)
        row = kt_alloc(1, sizeof *row);
    if (row && !row->device) {
        put_sizes(text, sizeof text, sizes);
        row->device = device;
        memcpy(row->sizes, sizes, sizeof row->sizes);
        row->row = tracer_row(device->device, TRACE_KERNEL, kernel->name, sizes[0] ? text : NULL);
        row->next = atomic_load(&kernel->rows);
        atomic_store_explicit(&kernel->rows, row, memory_order_release);
    }
    layer_unlock();
    return row;
}

/* The row of a launch. `groups` NULL: the device knows how many. NULL: not wanted. */
static trace_row *row_of(ze_kernel_handle_t handle, const layer_list *list,
                         const ze_group_count_t *groups)
{
    layer_kernel *kernel = object_find(OBJECT_KERNEL, handle);
    uint32_t sizes[6] = {0};
    if (!kernel)
        return NULL;
    if (groups && tracer_splits_by_size()) {
        sizes[0] = groups->groupCountX;
        sizes[1] = groups->groupCountY;
        sizes[2] = groups->groupCountZ;
        for (int i = 0; i < 3; i++)
            sizes[3 + i] = atomic_load_explicit(&kernel->group[i], memory_order_relaxed);
    }
    kernel_row *row = find_row(kernel, list->device, sizes);
    if (!row)
        row = add_row(kernel, list->device, sizes);
    return row ? row->row : NULL;
}

/* ---- launches ---- */

/* The list of a handle. NULL: the command is passed through. Lists that are executed later may be
 * executed when the tracer is on again. */
static layer_list *find_list(ze_command_list_handle_t handle)
{
    layer_list *list = object_find(OBJECT_LIST, handle);
    return list && list->is_immediate && !tracer_is_on() ? NULL : list;
}

/* Around a call of the driver, with `event` to be passed on. */
#define APPEND(the_row, is_kernel, bytes, call)                                            \
    do {                                                                                   \
        layer_list *list = find_list(handle);                                              \
        if (!list)                                                                         \
            return layer_next.call;                                                        \
        layer_append append = {.timing = tracer_begin()};                                  \
        event = layer_append_begin(&append, list, (the_row), (is_kernel), (bytes), event); \
        return layer_append_end(&append, layer_next.call);                                 \
    } while (0)
#define KERNEL_(groups, call) APPEND(row_of(kernel, list, groups), true, TRACE_BYTES_UNKNOWN, call)

ze_result_t layer_CommandListAppendLaunchKernel(ze_command_list_handle_t handle,
                                                ze_kernel_handle_t kernel,
                                                const ze_group_count_t *groups,
                                                ze_event_handle_t event, uint32_t wait_count,
                                                ze_event_handle_t *waits)
{
    KERNEL_(groups,
            CommandListAppendLaunchKernel(handle, kernel, groups, event, wait_count, waits));
}

ze_result_t layer_CommandListAppendLaunchCooperativeKernel(
    ze_command_list_handle_t handle, ze_kernel_handle_t kernel, const ze_group_count_t *groups,
    ze_event_handle_t event, uint32_t wait_count, ze_event_handle_t *waits)
{
    KERNEL_(groups, CommandListAppendLaunchCooperativeKernel(handle, kernel, groups, event,
                                                             wait_count, waits));
}

ze_result_t layer_CommandListAppendLaunchKernelIndirect(
    ze_command_list_handle_t handle, ze_kernel_handle_t kernel, const ze_group_count_t *groups,
    ze_event_handle_t event, uint32_t wait_count, ze_event_handle_t *waits)
{
    KERNEL_(NULL, CommandListAppendLaunchKernelIndirect(handle, kernel, groups, event, wait_count,
                                                        waits));
}

/* One event for all of them: they are one call of the first kernel's, and a gap says so. */
ze_result_t layer_CommandListAppendLaunchMultipleKernelsIndirect(
    ze_command_list_handle_t handle, uint32_t count, ze_kernel_handle_t *kernels,
    const uint32_t *launched, const ze_group_count_t *groups, ze_event_handle_t event,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    ze_kernel_handle_t kernel = kernels && count ? kernels[0] : NULL;
    tracer_gap("kernels of zeCommandListAppendLaunchMultipleKernelsIndirect are timed as one", 1);
    KERNEL_(NULL, CommandListAppendLaunchMultipleKernelsIndirect(handle, count, kernels, launched,
                                                                 groups, event, wait_count, waits));
}

ze_result_t layer_CommandListAppendLaunchKernelWithParameters(
    ze_command_list_handle_t handle, ze_kernel_handle_t kernel, const ze_group_count_t *groups,
    const void *next, ze_event_handle_t event, uint32_t wait_count, ze_event_handle_t *waits)
{
    KERNEL_(groups, CommandListAppendLaunchKernelWithParameters(handle, kernel, groups, next, event,
                                                                wait_count, waits));
}

ze_result_t layer_CommandListAppendLaunchKernelWithArguments(
    ze_command_list_handle_t handle, ze_kernel_handle_t kernel, ze_group_count_t groups,
    layer_group_size size, void **arguments, const void *next, ze_event_handle_t event,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    set_group(kernel, size.x, size.y, size.z);
    KERNEL_(&groups, CommandListAppendLaunchKernelWithArguments(
                         handle, kernel, groups, size, arguments, next, event, wait_count, waits));
}

/* ---- copies ---- */

static int place_of(ze_context_handle_t context, const void *memory)
{
    ze_memory_allocation_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
    ze_device_handle_t device = NULL;
    if (!layer_next.MemGetAllocProperties ||
        layer_next.MemGetAllocProperties(context, memory, &properties, &device) !=
            ZE_RESULT_SUCCESS)
        return PLACE_HOST;
    switch (properties.type) {
    case ZE_MEMORY_TYPE_DEVICE: return PLACE_DEVICE;
    case ZE_MEMORY_TYPE_SHARED: return PLACE_SHARED;
    default: return PLACE_HOST;
    }
}

static trace_row *row_of_copy(layer_list *list, int from, int to)
{
    static const char *const names[] = {"host", "device", "shared", "image"};
    char name[32];
    trace_row *row = atomic_load_explicit(&list->device->copies[from][to], memory_order_acquire);
    if (row)
        return row;
    snprintf(name, sizeof name, "%s to %s", names[from], names[to]);
    row = tracer_row(list->device->device, TRACE_COPY, name, NULL);
    atomic_store_explicit(&list->device->copies[from][to], row, memory_order_release);
    return row;
}

/* Of a copy between memories. */
static trace_row *row_of_memories(layer_list *list, ze_context_handle_t from_context,
                                  const void *from, const void *to)
{
    if (!from_context)
        from_context = list->context;
    return row_of_copy(list, place_of(from_context, from), place_of(list->context, to));
}

/* Of a copy with an image on one side. */
static trace_row *row_of_image(layer_list *list, const void *from, const void *to)
{
    return row_of_copy(list, from ? place_of(list->context, from) : PLACE_IMAGE,
                       to ? place_of(list->context, to) : PLACE_IMAGE);
}

static trace_row *row_of_fill(layer_list *list)
{
    trace_row *row = atomic_load_explicit(&list->device->fill, memory_order_acquire);
    if (!row) {
        row = tracer_row(list->device->device, TRACE_FILL, "fill", NULL);
        atomic_store_explicit(&list->device->fill, row, memory_order_release);
    }
    return row;
}

ze_result_t layer_CommandListAppendMemoryCopy(ze_command_list_handle_t handle, void *to,
                                              const void *from, size_t bytes,
                                              ze_event_handle_t event, uint32_t wait_count,
                                              ze_event_handle_t *waits)
{
    APPEND(row_of_memories(list, NULL, from, to), false, bytes,
           CommandListAppendMemoryCopy(handle, to, from, bytes, event, wait_count, waits));
}

ze_result_t layer_CommandListAppendMemoryCopyFromContext(
    ze_command_list_handle_t handle, void *to, ze_context_handle_t context, const void *from,
    size_t bytes, ze_event_handle_t event, uint32_t wait_count, ze_event_handle_t *waits)
{
    APPEND(row_of_memories(list, context, from, to), false, bytes,
           CommandListAppendMemoryCopyFromContext(handle, to, context, from, bytes, event,
                                                  wait_count, waits));
}

ze_result_t layer_CommandListAppendMemoryCopyRegion(
    ze_command_list_handle_t handle, void *to, const ze_copy_region_t *to_region, uint32_t to_pitch,
    uint32_t to_slice, const void *from, const ze_copy_region_t *from_region, uint32_t from_pitch,
    uint32_t from_slice, ze_event_handle_t event, uint32_t wait_count, ze_event_handle_t *waits)
{
    uint64_t bytes = TRACE_BYTES_UNKNOWN;
    if (from_region)
        bytes = (uint64_t)from_region->width * from_region->height *
                (from_region->depth ? from_region->depth : 1);
    APPEND(row_of_memories(list, NULL, from, to), false, bytes,
           CommandListAppendMemoryCopyRegion(handle, to, to_region, to_pitch, to_slice, from,
                                             from_region, from_pitch, from_slice, event, wait_count,
                                             waits));
}

ze_result_t layer_CommandListAppendMemoryFill(ze_command_list_handle_t handle, void *to,
                                              const void *pattern, size_t pattern_bytes,
                                              size_t bytes, ze_event_handle_t event,
                                              uint32_t wait_count, ze_event_handle_t *waits)
{
    APPEND(row_of_fill(list), false, bytes,
           CommandListAppendMemoryFill(handle, to, pattern, pattern_bytes, bytes, event, wait_count,
                                       waits));
}

ze_result_t layer_CommandListAppendImageCopy(ze_command_list_handle_t handle, ze_image_handle_t to,
                                             ze_image_handle_t from, ze_event_handle_t event,
                                             uint32_t wait_count, ze_event_handle_t *waits)
{
    APPEND(row_of_image(list, NULL, NULL), false, TRACE_BYTES_UNKNOWN,
           CommandListAppendImageCopy(handle, to, from, event, wait_count, waits));
}

ze_result_t layer_CommandListAppendImageCopyRegion(ze_command_list_handle_t handle,
                                                   ze_image_handle_t to, ze_image_handle_t from,
                                                   const ze_image_region_t *to_region,
                                                   const ze_image_region_t *from_region,
                                                   ze_event_handle_t event, uint32_t wait_count,
                                                   ze_event_handle_t *waits)
{
    APPEND(row_of_image(list, NULL, NULL), false, TRACE_BYTES_UNKNOWN,
           CommandListAppendImageCopyRegion(handle, to, from, to_region, from_region, event,
                                            wait_count, waits));
}

ze_result_t layer_CommandListAppendImageCopyToMemory(ze_command_list_handle_t handle, void *to,
                                                     ze_image_handle_t from,
                                                     const ze_image_region_t *region,
                                                     ze_event_handle_t event, uint32_t wait_count,
                                                     ze_event_handle_t *waits)
{
    APPEND(row_of_image(list, NULL, to), false, TRACE_BYTES_UNKNOWN,
           CommandListAppendImageCopyToMemory(handle, to, from, region, event, wait_count, waits));
}

ze_result_t layer_CommandListAppendImageCopyFromMemory(ze_command_list_handle_t handle,
                                                       ze_image_handle_t to, const void *from,
                                                       const ze_image_region_t *region,
                                                       ze_event_handle_t event, uint32_t wait_count,
                                                       ze_event_handle_t *waits)
{
    APPEND(
        row_of_image(list, from, NULL), false, TRACE_BYTES_UNKNOWN,
        CommandListAppendImageCopyFromMemory(handle, to, from, region, event, wait_count, waits));
}

ze_result_t layer_CommandListAppendImageCopyToMemoryExt(
    ze_command_list_handle_t handle, void *to, ze_image_handle_t from,
    const ze_image_region_t *region, uint32_t pitch, uint32_t slice, ze_event_handle_t event,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    APPEND(row_of_image(list, NULL, to), false, TRACE_BYTES_UNKNOWN,
           CommandListAppendImageCopyToMemoryExt(handle, to, from, region, pitch, slice, event,
                                                 wait_count, waits));
}

ze_result_t layer_CommandListAppendImageCopyFromMemoryExt(
    ze_command_list_handle_t handle, ze_image_handle_t to, const void *from,
    const ze_image_region_t *region, uint32_t pitch, uint32_t slice, ze_event_handle_t event,
    uint32_t wait_count, ze_event_handle_t *waits)
{
    APPEND(row_of_image(list, from, NULL), false, TRACE_BYTES_UNKNOWN,
           CommandListAppendImageCopyFromMemoryExt(handle, to, from, region, pitch, slice, event,
                                                   wait_count, waits));
}
