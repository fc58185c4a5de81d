/* SPDX-License-Identifier: MIT */
/* Pools of events, events, and what they tell. */
#include "stub.h"

#include <stdlib.h>
#include <string.h>

/* ---- pools ---- */

ze_result_t stub_EventPoolCreate(ze_context_handle_t context, const ze_event_pool_desc_t *desc,
                                 uint32_t device_count, ze_device_handle_t *devices,
                                 ze_event_pool_handle_t *out)
{
    ENTER(EventPoolCreate, NEEDS_INIT);
    USE(context, context, KIND_CONTEXT);
    REQUIRE_TYPE(desc, ZE_STRUCTURE_TYPE_EVENT_POOL_DESC);
    REQUIRE(desc->count, ZE_RESULT_ERROR_INVALID_SIZE, "no events");
    REQUIRE(out && !device_count == !devices, ZE_RESULT_ERROR_INVALID_NULL_POINTER,
            "a pointer is NULL");
    REQUIRE(device_count <= DEVICES_MAX, ZE_RESULT_ERROR_INVALID_SIZE, "too many devices");
    for (uint32_t i = 0; i < device_count; i++)
        if (!device_use(devices[i]))
            return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    ze_event_pool_handle_t pool = object_create(KIND_POOL, sizeof *pool, context);
    pool->count = desc->count;
    pool->flags = desc->flags;
    pool->device_count = device_count;
    for (uint32_t i = 0; i < device_count; i++)
        pool->devices[i] = devices[i];
    pool->taken = calloc(desc->count, sizeof *pool->taken);
    if (!pool->taken)
        abort();
    *out = pool;
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_EventPoolDestroy(ze_event_pool_handle_t pool)
{
    ENTER(EventPoolDestroy, NEEDS_INIT | NEEDS_NO_LUCK);
    USE(pool, pool, KIND_POOL);
    for (uint32_t i = 0; i < pool->count; i++)
        if (pool->taken[i]) {
            misuse("an event of the pool is there");
            break;
        }
    free(pool->taken);
    pool->taken = NULL;
    pool->count = 0;
    object_destroy(pool);
    return ZE_RESULT_SUCCESS;
}

/* ---- events ---- */

ze_result_t stub_EventCreate(ze_event_pool_handle_t pool, const ze_event_desc_t *desc,
                             ze_event_handle_t *out)
{
    ENTER(EventCreate, NEEDS_INIT);
    USE(pool, pool, KIND_POOL);
    REQUIRE_TYPE(desc, ZE_STRUCTURE_TYPE_EVENT_DESC);
    REQUIRE(out, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    REQUIRE(desc->index < pool->count, ZE_RESULT_ERROR_INVALID_ARGUMENT, "beyond the pool's end");
    REQUIRE(!pool->taken[desc->index], ZE_RESULT_ERROR_INVALID_ARGUMENT,
            "an event of this index is there");
    ze_event_handle_t event = object_create(KIND_EVENT, sizeof *event, pool->base.context);
    pool->taken[desc->index] = true;
    event->pool = pool;
    event->index = desc->index;
    event->signal = desc->signal;
    event->wait = desc->wait;
    *out = event;
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_EventDestroy(ze_event_handle_t event)
{
    ENTER(EventDestroy, NEEDS_INIT | NEEDS_NO_LUCK);
    USE(event, event, KIND_EVENT);
    engines_settle();
    if (engines_use_event(event))
        misuse("the event is in use");
    if (event->pool->taken)
        event->pool->taken[event->index] = false;
    object_destroy(event);
    return ZE_RESULT_SUCCESS;
}

bool event_is_for(const struct _ze_event_handle_t *event, ze_device_handle_t device)
{
    const struct _ze_event_pool_handle_t *pool = event->pool;
    for (uint32_t i = 0; i < pool->device_count; i++)
        if (pool->devices[i] == device)
            return true;
    return pool->device_count == 0;
}

#define USE_VISIBLE(event)                                         \
    USE(event, event, KIND_EVENT);                                 \
    REQUIRE((event)->pool->flags &ZE_EVENT_POOL_FLAG_HOST_VISIBLE, \
            ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT, "the host does not see the event")

/* What the host learns from it, it may only use if the device has made it visible there. */
#define USE_REPORTED(event)                                                              \
    USE_VISIBLE(event);                                                                  \
    REQUIRE((event)->signal &ZE_EVENT_SCOPE_FLAG_HOST, ZE_RESULT_ERROR_INVALID_ARGUMENT, \
            "the host asks an event whose signal is not for it")

ze_result_t stub_EventHostSignal(ze_event_handle_t event)
{
    ENTER(EventHostSignal, NEEDS_INIT);
    USE_VISIBLE(event);
    REQUIRE(event->wait & ZE_EVENT_SCOPE_FLAG_HOST, ZE_RESULT_ERROR_INVALID_ARGUMENT,
            "the host signals an event for which nobody waits for it");
    if (event->signalled)
        misuse("an event was signalled again without a reset");
    event->signalled = true;
    event->begin_ticks = event->end_ticks = counter_now();
    return ZE_RESULT_SUCCESS;
}

ze_result_t stub_EventHostReset(ze_event_handle_t event)
{
    ENTER(EventHostReset, NEEDS_INIT);
    USE_VISIBLE(event);
    engines_settle();
    if (engines_use_event(event))
        misuse("the event is in use");
    event->signalled = event->cached = false;
    return ZE_RESULT_SUCCESS;
}

/* ---- asking ---- */

static bool is_signalled(void *of)
{
    ze_event_handle_t event = of;
    if (event->cached)
        return true;
    if (event->signalled && event->late) {
        event->late--;
        return false;
    }
    event->cached = event->signalled && script.signalled == SIGNALLED_CACHED;
    return event->signalled;
}

ze_result_t stub_EventQueryStatus(ze_event_handle_t event)
{
    ENTER(EventQueryStatus, NEEDS_INIT);
    USE_REPORTED(event);
    engines_settle();
    if (is_signalled(event)) {
        if (event->signalled)
            engines_seen_event(event);
        return ZE_RESULT_SUCCESS;
    }
    engines_poll();
    return ZE_RESULT_NOT_READY;
}

ze_result_t stub_EventHostSynchronize(ze_event_handle_t event, uint64_t timeout_ns)
{
    ENTER(EventHostSynchronize, NEEDS_INIT);
    USE_REPORTED(event);
    if (script.aub)
        return ZE_RESULT_SUCCESS;
    ze_result_t code = engines_wait(is_signalled, event, timeout_ns);
    if (code == ZE_RESULT_SUCCESS && event->signalled)
        engines_seen_event(event);
    return code;
}

/* ---- timestamps ---- */

/* The last tile tells the whole, those before it begin later and end earlier. */
ze_kernel_timestamp_result_t event_tile(const struct _ze_event_handle_t *event, unsigned tile)
{
    uint64_t ticks = event->end_ticks - event->begin_ticks, inner = 0;
    if (tile + 1 < script.tiles)
        inner = ticks / 8 < 100 ? ticks / 8 : 100;
    return (ze_kernel_timestamp_result_t){
        .global = {counter_kernel(event->begin_ticks + inner),
                   counter_kernel(event->end_ticks - inner)},
        .context = {counter_kernel(event->context_begin), counter_kernel(event->context_end)}};
}

bool event_timestamps(const struct _ze_event_handle_t *event, ze_kernel_timestamp_result_t *out)
{
    static uint64_t asked;
    ze_kernel_timestamp_result_t timestamps = event_tile(event, 0);
    bool bad = script.timestamps != TIMESTAMPS_GOOD && ++asked % script.every == 0;
    if (bad && script.timestamps == TIMESTAMPS_UNWRITTEN)
        return false;
    if (bad && script.timestamps == TIMESTAMPS_ZERO)
        memset(&timestamps, 0, sizeof timestamps);
    if (bad && script.timestamps == TIMESTAMPS_BACKWARDS)
        timestamps.global = (ze_kernel_timestamp_data_t){timestamps.global.kernelEnd,
                                                         timestamps.global.kernelStart};
    memcpy(out, &timestamps, sizeof timestamps);
    return true;
}

static ze_result_t check_timestamps(ze_event_handle_t event)
{
    USE_REPORTED(event);
    REQUIRE(event->pool->flags & ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
            ZE_RESULT_ERROR_INVALID_ARGUMENT, "the pool is without timestamps");
    engines_settle();
    if (event->signalled || event->cached)
        return ZE_RESULT_SUCCESS;
    engines_poll();
    return ZE_RESULT_NOT_READY;
}

static ze_result_t spoilt(void)
{
    static uint64_t asked;
    if ((script.timestamps != TIMESTAMPS_NOT_READY && script.timestamps != TIMESTAMPS_ERROR) ||
        ++asked % script.every)
        return ZE_RESULT_SUCCESS;
    return script.timestamps == TIMESTAMPS_ERROR ? ZE_RESULT_ERROR_UNKNOWN : ZE_RESULT_NOT_READY;
}

ze_result_t stub_EventQueryKernelTimestamp(ze_event_handle_t event,
                                           ze_kernel_timestamp_result_t *out)
{
    ENTER(EventQueryKernelTimestamp, NEEDS_INIT);
    ze_result_t code = check_timestamps(event);
    REQUIRE(out, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    if (code == ZE_RESULT_SUCCESS)
        code = spoilt();
    if (code == ZE_RESULT_SUCCESS)
        event_timestamps(event, out);
    return code;
}

ze_result_t stub_EventQueryTimestampsExp(ze_event_handle_t event, ze_device_handle_t device,
                                         uint32_t *count, ze_kernel_timestamp_result_t *out)
{
    ENTER(EventQueryTimestampsExp, NEEDS_INIT);
    ze_result_t code = check_timestamps(event);
    REQUIRE(count, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "a pointer is NULL");
    REQUIRE(script.extension, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "without its extension");
    if (!device_use(device))
        return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    REQUIRE(event_is_for(event, device), ZE_RESULT_ERROR_INVALID_ARGUMENT,
            "an event that is not for the device");
    if (code == ZE_RESULT_SUCCESS)
        code = spoilt();
    if (code != ZE_RESULT_SUCCESS)
        return code;
    bool asks = *count == 0 || !out;
    if (asks || *count > script.tiles)
        *count = (uint32_t)script.tiles;
    for (uint32_t i = 0; i < *count && !asks; i++)
        if (script.tiles == 1)
            event_timestamps(event, out);
        else
            out[i] = event_tile(event, i);
    return ZE_RESULT_SUCCESS;
}
