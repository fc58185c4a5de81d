/* SPDX-License-Identifier: MIT */
/*
 * commands.c - command lists, the queue that runs them, the events they signal, and waiting with a
 * time limit.
 *
 * A successful wait alone proves nothing: Intel's driver without a GPU (22.43, "AUB mode") executes
 * nothing and returns success. So an event behind all commands must be signalled as well. Set-up
 * transfers have one, too, which finds such a driver at the first byte.
 */
#include "backends/level_zero/internal.h"
#include "support/alloc.h"

#define TILES_MAX 16

/* ---- events ---- */

kt_status kt_level_zero_events_create(const level_zero_base *base, ze_event_pool_flags_t flags,
                                      uint32_t count, level_zero_events *out)
{
    const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                            .flags = flags | ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                            .count = count};
    ze_device_handle_t device = base->device;
    ze_event_pool_handle_t pool = NULL;
    out->events = kt_alloc(count, sizeof *out->events);
    if (!out->events)
        return KT_NO_MEMORY;
    kt_status status =
        ZE_DO(base->api, zeEventPoolCreate, base->context, &pool_desc, 1, &device, &pool);
    if (status != KT_OK)
        return status;
    out->pool = pool;
    for (uint32_t i = 0; i < count && status == KT_OK; i++) {
        const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
                                      .index = i,
                                      .signal = ZE_EVENT_SCOPE_FLAG_HOST,
                                      .wait = ZE_EVENT_SCOPE_FLAG_HOST};
        ze_event_handle_t event = NULL;
        status = ZE_DO(base->api, zeEventCreate, pool, &desc, &event);
        if (status == KT_OK)
            out->events[out->count++] = event;
    }
    return status;
}

void kt_level_zero_events_destroy(const level_zero_base *base, level_zero_events *events)
{
    for (uint32_t i = 0; i < events->count; i++)
        base->api->zeEventDestroy(events->events[i]);
    if (events->pool)
        base->api->zeEventPoolDestroy(events->pool);
    kt_free(events->events);
    *events = (level_zero_events){0};
}

static ze_result_t ask_event(const level_zero_base *base, ze_event_handle_t event, bool by_tile,
                             uint32_t valid_bits, ze_kernel_timestamp_result_t *out)
{
    ze_kernel_timestamp_result_t tiles[TILES_MAX] = {{{0, 0}, {0, 0}}};
    uint32_t count = 0;
    /* Of the two queries, only zeEventQueryKernelTimestamp reports whether the event is
     * signalled. */
    ze_result_t code = ZE_CODE(base->api, zeEventQueryKernelTimestamp, event, &tiles[0]);
    *out = tiles[0];
    if (code != ZE_RESULT_SUCCESS || !by_tile)
        return code;
    code = ZE_CODE(base->api, zeEventQueryTimestampsExp, event, base->device, &count, NULL);
    if (code != ZE_RESULT_SUCCESS || count < 2)
        return code;
    if (count > TILES_MAX) /* a tile left out may have the first start or last end */
        return ZE_RESULT_ERROR_INVALID_SIZE;
    /* A driver that is asked for more tiles than there are may report none. */
    code = ZE_CODE(base->api, zeEventQueryTimestampsExp, event, base->device, &count, tiles);
    if (code == ZE_RESULT_SUCCESS && count > 0)
        *out = kt_level_zero_combine(tiles, count < TILES_MAX ? count : TILES_MAX, valid_bits);
    return code;
}

kt_timestamp_state kt_level_zero_read_event(const level_zero_base *base, ze_event_handle_t event,
                                            bool by_tile, uint32_t valid_bits,
                                            ze_kernel_timestamp_result_t *out)
{
    ze_result_t code = ask_event(base, event, by_tile, valid_bits, out);
    if (code == ZE_RESULT_SUCCESS)
        return KT_TIMESTAMP_OK;
    return code == ZE_RESULT_NOT_READY ? KT_TIMESTAMP_NOT_READY : KT_TIMESTAMP_ERROR;
}

/* ---- command lists ---- */

static ze_command_queue_desc_t queue_desc(uint32_t ordinal)
{
    return (ze_command_queue_desc_t){.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                     .ordinal = ordinal,
                                     .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
}

kt_status kt_level_zero_queue_create(const level_zero_device *device,
                                     ze_command_queue_handle_t *out)
{
    const ze_command_queue_desc_t desc = queue_desc(device->place->ordinal);
    ze_command_queue_handle_t queue = NULL;
    kt_status status = ZE_DO(device->base.api, zeCommandQueueCreate, device->base.context,
                             device->base.device, &desc, &queue);
    if (status == KT_OK)
        *out = queue;
    return status;
}

kt_status kt_level_zero_list_create(const level_zero_device *device, ze_command_list_handle_t *out)
{
    const ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
                                         .commandQueueGroupOrdinal = device->place->ordinal};
    ze_command_list_handle_t list = NULL;
    kt_status status = ZE_DO(device->base.api, zeCommandListCreate, device->base.context,
                             device->base.device, &desc, &list);
    if (status == KT_OK)
        *out = list;
    return status;
}

kt_status kt_level_zero_barrier(const ze_api *api, ze_command_list_handle_t list,
                                ze_event_handle_t signal)
{
    return ZE_DO(api, zeCommandListAppendBarrier, list, signal, 0, NULL);
}

/* ---- waiting ---- */

/* Whether a wait's code means that the wait failed. The work may then still run and use memory that
 * is freed next, so the wait is repeated once. */
static bool has_failed(ze_result_t code)
{
    return code != ZE_RESULT_SUCCESS && code != ZE_RESULT_NOT_READY;
}

/* A successful wait counts only if `done`, the event behind all commands, is signalled. The host
 * has reset it before the submission. */
static kt_status finish_wait(const level_zero_base *base, const char *waited, ze_result_t code,
                             ze_event_handle_t done, int64_t timeout_ns)
{
    if (code == ZE_RESULT_NOT_READY)
        return kt_fail_timeout(timeout_ns);
    if (code != ZE_RESULT_SUCCESS)
        return kt_level_zero_fail(waited, code);
    code = ZE_CODE(base->api, zeEventQueryStatus, done);
    if (code == ZE_RESULT_NOT_READY)
        return kt_fail(KT_DRIVER_ERROR,
                       "%s has succeeded, yet the event behind all commands is not ready: nothing "
                       "was executed",
                       waited);
    return level_zero_check("zeEventQueryStatus", code);
}

/* ---- running a job's list ---- */

kt_status kt_level_zero_submit(level_zero_job *job, const level_zero_list *list)
{
    const ze_api *api = job->device->base.api;
    ze_command_list_handle_t handle = list->list;
    kt_status status = ZE_DO(api, zeEventHostReset, job->done.events[0]);
    if (status == KT_OK)
        status = ZE_DO(api, zeCommandQueueExecuteCommandLists, job->queue, 1, &handle, NULL);
    job->in_flight |= status == KT_OK;
    return status;
}

kt_status kt_level_zero_wait(level_zero_job *job, int64_t timeout_ns)
{
    const level_zero_base *base = &job->device->base;
    ze_result_t code =
        ZE_CODE(base->api, zeCommandQueueSynchronize, job->queue, (uint64_t)timeout_ns);
    if (has_failed(code) && base->api->zeCommandQueueSynchronize(
                                job->queue, (uint64_t)timeout_ns) == ZE_RESULT_NOT_READY)
        code = ZE_RESULT_NOT_READY;
    job->in_flight = code == ZE_RESULT_NOT_READY;
    return finish_wait(base, "zeCommandQueueSynchronize", code, job->done.events[0], timeout_ns);
}

/* ---- a single command, submitted immediately ---- */

kt_status kt_level_zero_immediate_create(const level_zero_device *device, level_zero_immediate *out)
{
    const ze_command_queue_desc_t desc = queue_desc(device->place->transfer_ordinal);
    ze_command_list_handle_t list = NULL;
    kt_status status = ZE_DO(device->base.api, zeCommandListCreateImmediate, device->base.context,
                             device->base.device, &desc, &list);
    if (status != KT_OK)
        return status;
    out->list = list;
    return kt_level_zero_events_create(&device->base, 0, 1, &out->done);
}

void kt_level_zero_immediate_destroy(const level_zero_base *base, level_zero_immediate *immediate)
{
    if (immediate->list)
        base->api->zeCommandListDestroy(immediate->list);
    kt_level_zero_events_destroy(base, &immediate->done);
    immediate->list = NULL;
}

static kt_status wait_for_event(const level_zero_base *base, ze_event_handle_t done,
                                int64_t timeout_ns)
{
    ze_result_t code = ZE_CODE(base->api, zeEventHostSynchronize, done, (uint64_t)timeout_ns);
    if (has_failed(code) &&
        base->api->zeEventHostSynchronize(done, (uint64_t)timeout_ns) == ZE_RESULT_NOT_READY)
        code = ZE_RESULT_NOT_READY;
    return finish_wait(base, "zeEventHostSynchronize", code, done, timeout_ns);
}

/* The copy command itself signals the event. If a separate barrier could not be appended, nothing
 * would show when the command has ended. */
kt_status kt_level_zero_copy_now(const level_zero_base *base, const level_zero_immediate *commands,
                                 void *to, const void *from, size_t bytes, int64_t timeout_ns)
{
    ze_event_handle_t done = commands->done.events[0];
    kt_status status = ZE_DO(base->api, zeEventHostReset, done);
    if (status == KT_OK)
        status = ZE_DO(base->api, zeCommandListAppendMemoryCopy, commands->list, to, from, bytes,
                       done, 0, NULL);
    return status == KT_OK ? wait_for_event(base, done, timeout_ns) : status;
}

kt_status kt_level_zero_fill_now(const level_zero_base *base, const level_zero_immediate *commands,
                                 void *to, unsigned char pattern, size_t bytes, int64_t timeout_ns)
{
    ze_event_handle_t done = commands->done.events[0];
    kt_status status = ZE_DO(base->api, zeEventHostReset, done);
    if (status == KT_OK)
        status = ZE_DO(base->api, zeCommandListAppendMemoryFill, commands->list, to, &pattern,
                       sizeof pattern, bytes, done, 0, NULL);
    return status == KT_OK ? wait_for_event(base, done, timeout_ns) : status;
}
