/* SPDX-License-Identifier: MIT */
/*
 * events.c - pools of events, and the current context of the thread that uses them.
 *
 * While any thread captures a stream in the global mode, cuEventQuery, cuMemAlloc and similar calls
 * on other threads fail and invalidate that capture. So kt_cuda_enter() switches its thread to the
 * relaxed mode until kt_cuda_leave() (cuThreadExchangeStreamCaptureMode).
 */
#include "backends/cuda_hip/internal.h"
#include "support/alloc.h"

/* ---- the calling thread's context ---- */

static kt_status enter_cuda(const cuda_api *api, cuda_context context, cuda_scope *scope)
{
    cuda_context current = NULL;
    kt_status status = CUDA_DO(api, cuCtxGetCurrent, &current);
    if (status != KT_OK || current == context)
        return status;
    status = CUDA_DO(api, cuCtxPushCurrent, context);
    scope->changed = status == KT_OK;
    return status;
}

static kt_status enter_hip(const cuda_api *api, cuda_ordinal ordinal, cuda_scope *scope)
{
    kt_status status = CUDA_DO(api, hipGetDevice, &scope->before);
    if (status != KT_OK || scope->before == ordinal)
        return status;
    status = CUDA_DO(api, hipSetDevice, ordinal);
    scope->changed = status == KT_OK;
    return status;
}

/* Switches the thread to the relaxed mode until kt_cuda_leave(). */
static kt_status relax(const cuda_api *api, cuda_scope *scope)
{
    if (!api->cuThreadExchangeStreamCaptureMode)
        return KT_OK;
    kt_status status = CUDA_DO(api, cuThreadExchangeStreamCaptureMode, &scope->mode);
    scope->relaxed = status == KT_OK;
    return status;
}

kt_status kt_cuda_enter_to_record(const cuda_api *api, cuda_context context, cuda_ordinal ordinal,
                                  cuda_scope *scope)
{
    *scope = (cuda_scope){.api = api, .mode = CUDA_CAPTURE_MODE_RELAXED};
    return api->kind == CUDA_KIND_HIP ? enter_hip(api, ordinal, scope)
                                      : enter_cuda(api, context, scope);
}

kt_status kt_cuda_enter(const cuda_api *api, cuda_context context, cuda_ordinal ordinal,
                        cuda_scope *scope)
{
    kt_status status = kt_cuda_enter_to_record(api, context, ordinal, scope);
    return status == KT_OK ? relax(api, scope) : status;
}

/* Calls the driver without the tests' fault injection: an injected failure would leak objects
 * here. */
void kt_cuda_enter_to_end(const cuda_api *api, cuda_context context, cuda_ordinal ordinal,
                          cuda_scope *scope)
{
    *scope = (cuda_scope){.api = api, .mode = CUDA_CAPTURE_MODE_RELAXED};
    if (api->kind == CUDA_KIND_CUDA)
        scope->changed = api->cuCtxPushCurrent(context) == CUDA_OK;
    else if (api->hipGetDevice(&scope->before) == CUDA_OK && scope->before != ordinal)
        scope->changed = api->hipSetDevice(ordinal) == CUDA_OK;
    if (api->cuThreadExchangeStreamCaptureMode)
        scope->relaxed = api->cuThreadExchangeStreamCaptureMode(&scope->mode) == CUDA_OK;
}

void kt_cuda_leave(const cuda_scope *scope)
{
    cuda_context popped = NULL;
    cuda_capture_mode mode = scope->mode;
    if (scope->relaxed)
        scope->api->cuThreadExchangeStreamCaptureMode(&mode);
    if (!scope->changed)
        return;
    if (scope->api->kind == CUDA_KIND_HIP)
        scope->api->hipSetDevice(scope->before);
    else
        scope->api->cuCtxPopCurrent(&popped);
}

/* ---- the event pool ---- */

kt_status kt_cuda_pool_init(cuda_pool *pool, const cuda_api *api)
{
    pool->api = api;
    pool->flags = api->kind == CUDA_KIND_HIP ? HIP_EVENT_WITHOUT_FENCE : 0;
    return kt_mutex_create(&pool->mutex);
}

void kt_cuda_pool_fini(cuda_pool *pool)
{
    for (size_t i = 0; i < pool->all_count; i++)
        pool->api->cuEventDestroy(pool->all[i]);
    kt_free(pool->all);
    kt_free(pool->free);
    kt_mutex_destroy(pool->mutex);
}

/* HIP writes back and invalidates the device's caches at each event with a system fence: time that
 * would count, and cold caches for the next command. Runtimes that lack the flag refuse it. */
static cuda_code create_event(cuda_pool *pool, cuda_event *event)
{
    cuda_code code = CUDA_CODE(pool->api, cuEventCreate, event, pool->flags);
    if (code != CUDA_INVALID_VALUE || !pool->flags)
        return code;
    pool->flags = 0;
    return CUDA_CODE(pool->api, cuEventCreate, event, 0);
}

/* Adds an event to the pool. `free` has room for all events, so that giving an event back cannot
 * fail. */
static kt_status make_event(cuda_pool *pool)
{
    cuda_event *all = kt_make_room(pool->all, &pool->all_room, pool->all_count + 1, sizeof *all);
    if (!all)
        return KT_NO_MEMORY;
    pool->all = all;
    cuda_event *free = kt_make_room(pool->free, &pool->free_room, pool->all_room, sizeof *free);
    if (!free)
        return KT_NO_MEMORY;
    pool->free = free;
    cuda_event event = NULL;
    kt_status status = cuda_check(pool->api, CUDA_CALL_cuEventCreate, create_event(pool, &event));
    if (status == KT_OK)
        pool->all[pool->all_count++] = pool->free[pool->free_count++] = event;
    return status;
}

kt_status kt_cuda_pool_take(cuda_pool *pool, cuda_event *out, size_t count)
{
    kt_status status = KT_OK;
    cuda_scope scope = {.api = pool->api, .mode = CUDA_CAPTURE_MODE_RELAXED};
    kt_mutex_lock(pool->mutex);
    if (pool->free_count < count)
        status = relax(pool->api, &scope);
    while (pool->free_count < count && status == KT_OK)
        status = make_event(pool);
    for (size_t i = 0; i < count; i++)
        out[i] = status == KT_OK ? pool->free[--pool->free_count] : NULL;
    kt_mutex_unlock(pool->mutex);
    kt_cuda_leave(&scope);
    return status;
}

void kt_cuda_pool_give(cuda_pool *pool, cuda_event *events, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any |= events[i] != NULL;
    if (!any)
        return;
    kt_mutex_lock(pool->mutex);
    for (size_t i = 0; i < count; i++) {
        if (events[i])
            pool->free[pool->free_count++] = events[i];
        events[i] = NULL;
    }
    kt_mutex_unlock(pool->mutex);
}

/* ---- elapsed times ---- */

kt_timestamp_state kt_cuda_elapsed(const cuda_api *api, cuda_event start, cuda_event end, float *ms)
{
    *ms = NAN; /* some drivers return success and write no elapsed time */
    cuda_code code = api->cuEventElapsedTime_v2
                         ? CUDA_CODE(api, cuEventElapsedTime_v2, ms, start, end)
                         : CUDA_CODE(api, cuEventElapsedTime, ms, start, end);
    switch (code) {
    case CUDA_OK: return KT_TIMESTAMP_OK;
    case CUDA_NOT_READY: return KT_TIMESTAMP_NOT_READY;
    case CUDA_INVALID_HANDLE:
    case CUDA_CAPTURED_EVENT: return KT_TIMESTAMP_LOST;
    default: return KT_TIMESTAMP_ERROR;
    }
}
