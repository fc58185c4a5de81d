/* SPDX-License-Identifier: MIT */
/* Events and pools of the program. All of its pools get timestamps, but those that it shares with
 * other processes, whose flags have to be equal there. */
#include "tracers/level_zero/layer.h"

#include "support/alloc.h"

/* Of API 1.2, as older headers lack it. */
enum { FLAG_IPC = ZE_EVENT_POOL_FLAG_IPC, FLAG_MAPPED_TIMESTAMP = 1 << 3 };
#define FLAGS_TIMESTAMP (ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | FLAG_MAPPED_TIMESTAMP)

typedef struct layer_pool {
    bool has_timestamps, shows_timestamps;
} layer_pool;

/* ---- pools ---- */

ze_result_t layer_EventPoolCreate(ze_context_handle_t context, const ze_event_pool_desc_t *desc,
                                  uint32_t device_count, ze_device_handle_t *devices,
                                  ze_event_pool_handle_t *out)
{
    if (!desc || !out)
        return layer_next.EventPoolCreate(context, desc, device_count, devices, out);
    ze_event_pool_desc_t with = *desc;
    if (!(desc->flags & (FLAGS_TIMESTAMP | FLAG_IPC)))
        with.flags |= ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
    ze_result_t code = layer_next.EventPoolCreate(context, &with, device_count, devices, out);
    if (code != ZE_RESULT_SUCCESS && with.flags != desc->flags) {
        with.flags = desc->flags;
        code = layer_next.EventPoolCreate(context, desc, device_count, devices, out);
    }
    if (code != ZE_RESULT_SUCCESS)
        return code;
    layer_lock();
    layer_pool *pool = kt_alloc(1, sizeof *pool);
    if (pool) {
        pool->has_timestamps = with.flags & FLAGS_TIMESTAMP;
        pool->shows_timestamps = desc->flags & FLAGS_TIMESTAMP;
        if (!object_add(OBJECT_POOL, *out, pool))
            kt_free(pool);
    }
    layer_unlock();
    return code;
}

ze_result_t layer_EventPoolDestroy(ze_event_pool_handle_t handle)
{
    layer_pool *pool = object_find(OBJECT_POOL, handle);
    ze_result_t code = layer_next.EventPoolDestroy(handle);
    if (pool && code == ZE_RESULT_SUCCESS)
        layer_forget(OBJECT_POOL, handle, pool);
    return code;
}

/* ---- events ---- */

ze_result_t layer_EventCreate(ze_event_pool_handle_t pool_handle, const ze_event_desc_t *desc,
                              ze_event_handle_t *out)
{
    ze_result_t code = layer_next.EventCreate(pool_handle, desc, out);
    if (code != ZE_RESULT_SUCCESS)
        return code;
    layer_lock();
    layer_pool *pool = object_find(OBJECT_POOL, pool_handle);
    layer_event *event = pool ? kt_alloc(1, sizeof *event) : NULL;
    if (event) {
        event->handle = *out;
        event->has_timestamps = pool->has_timestamps;
        event->shows_timestamps = pool->shows_timestamps;
        if (!object_add(OBJECT_EVENT, *out, event))
            kt_free(event);
    }
    layer_unlock();
    return code;
}

/* The last moment to read the event. */
static void read_event(layer_event *event)
{
    if (!event || !atomic_load(&event->user))
        return;
    layer_lock();
    layer_slot *user = atomic_load(&event->user);
    if (user)
        layer_settle(user, TRACE_OVERWRITTEN);
    layer_flush();
    layer_unlock();
}

ze_result_t layer_EventDestroy(ze_event_handle_t handle)
{
    layer_event *event = object_find(OBJECT_EVENT, handle);
    read_event(event);
    ze_result_t code = layer_next.EventDestroy(handle);
    if (event && code == ZE_RESULT_SUCCESS)
        layer_forget(OBJECT_EVENT, handle, event);
    return code;
}

ze_result_t layer_EventHostReset(ze_event_handle_t handle)
{
    read_event(object_find(OBJECT_EVENT, handle));
    return layer_next.EventHostReset(handle);
}

ze_result_t layer_CommandListAppendEventReset(ze_command_list_handle_t list_handle,
                                              ze_event_handle_t handle)
{
    layer_list *list = object_find(OBJECT_LIST, list_handle);
    layer_event *event = object_find(OBJECT_EVENT, handle);
    layer_slot *slot = event ? atomic_load(&event->recorded) : NULL;
    if (list && list->is_immediate)
        read_event(event);
    ze_result_t code = layer_next.CommandListAppendEventReset(list_handle, handle);
    if (code == ZE_RESULT_SUCCESS && slot && slot->list == list && slot->program == event)
        slot->is_reset_later = true;
    return code;
}

/* ---- what the program asks ---- */

ze_result_t layer_EventHostSynchronize(ze_event_handle_t handle, uint64_t timeout)
{
    ze_result_t code = layer_next.EventHostSynchronize(handle, timeout);
    if (code == ZE_RESULT_SUCCESS)
        layer_sweep();
    return code;
}

ze_result_t layer_EventQueryStatus(ze_event_handle_t handle)
{
    ze_result_t code = layer_next.EventQueryStatus(handle);
    if (code == ZE_RESULT_SUCCESS)
        layer_sweep();
    return code;
}

/* Whether the program would not get timestamps without us. */
static bool hides_timestamps(ze_event_handle_t handle)
{
    layer_event *event = object_find(OBJECT_EVENT, handle);
    return event && event->has_timestamps && !event->shows_timestamps;
}

ze_result_t layer_EventQueryKernelTimestamp(ze_event_handle_t event,
                                            ze_kernel_timestamp_result_t *out)
{
    if (hides_timestamps(event))
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    return layer_next.EventQueryKernelTimestamp(event, out);
}

ze_result_t layer_EventExpQueryTimestampsExp(ze_event_handle_t event, ze_device_handle_t device,
                                             uint32_t *count, ze_kernel_timestamp_result_t *out)
{
    if (hides_timestamps(event))
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    return layer_next.EventExpQueryTimestampsExp(event, device, count, out);
}

ze_result_t layer_CommandListAppendQueryKernelTimestamps(
    ze_command_list_handle_t list, uint32_t count, ze_event_handle_t *events, void *out,
    const size_t *offsets, ze_event_handle_t event, uint32_t wait_count, ze_event_handle_t *waits)
{
    for (uint32_t i = 0; events && i < count; i++)
        if (hides_timestamps(events[i]))
            return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    return layer_next.CommandListAppendQueryKernelTimestamps(list, count, events, out, offsets,
                                                             event, wait_count, waits);
}
