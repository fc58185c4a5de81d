/* SPDX-License-Identifier: MIT */
/*
 * wait.c - waits for asynchronous answers and collects errors.
 *
 * An answer may arrive as late as the release of the instance. So each has its own memory, which is
 * abandoned, not freed, while the answer is open.
 *
 * Error scopes enclose calls that create objects; their text becomes part of the error text. An
 * encoding error is reported to the device, and the next wait fails with it.
 */
#include "backends/webgpu/internal.h"
#include "support/alloc.h"
#include "support/host_clock.h"

#include <stdio.h>
#include <string.h>

#define SCOPE_NS INT64_C(10000000000) /* time limit of error scopes, which answer at once */

void kt_webgpu_copy_text(char *to, size_t bytes, WGPUStringView from)
{
    size_t length = from.length == WGPU_STRLEN ? (from.data ? strlen(from.data) : 0) : from.length;
    if (length >= bytes)
        length = bytes - 1;
    if (length)
        memcpy(to, from.data, length);
    to[length] = '\0';
}

webgpu_answer *kt_webgpu_answer_create(void)
{
    return kt_alloc(1, sizeof(webgpu_answer));
}

void kt_webgpu_answer_destroy(webgpu_answer *answer)
{
    if (answer && answer->open)
        kt_abandon(answer);
    else
        kt_free(answer);
}

/* Waits for a future. KT_TIMEOUT has no error text. */
static kt_status ask(const webgpu_api *api, WGPUInstance instance, WGPUFuture future,
                     int64_t timeout_ns, const char *asked)
{
    WGPUFutureWaitInfo info = {.future = future};
    if (future.id == 0)
        return kt_fail(KT_DRIVER_ERROR, "%s has failed", asked);
    WGPUWaitStatus status = WEBGPU_CALL(api, wgpuInstanceWaitAny, WGPUWaitStatus_Error, instance, 1,
                                        &info, (uint64_t)timeout_ns);
    if (status == WGPUWaitStatus_TimedOut)
        return KT_TIMEOUT;
    if (status != WGPUWaitStatus_Success || !info.completed)
        return kt_fail(KT_DRIVER_ERROR, "wgpuInstanceWaitAny for %s has failed (%d)", asked,
                       (int)status);
    return KT_OK;
}

kt_status kt_webgpu_wait(const webgpu_api *api, WGPUInstance instance, WGPUFuture future,
                         int64_t timeout_ns, const char *asked)
{
    kt_status status = ask(api, instance, future, timeout_ns, asked);
    return status == KT_TIMEOUT ? kt_fail_timeout(timeout_ns) : status;
}

/* ---- errors ---- */

webgpu_errors *kt_webgpu_errors_create(void)
{
    webgpu_errors *errors = kt_alloc(1, sizeof *errors);
    if (errors && kt_mutex_create(&errors->mutex) != KT_OK) {
        kt_free(errors);
        errors = NULL;
    }
    return errors;
}

void kt_webgpu_errors_destroy(webgpu_errors *errors, bool open)
{
    if (!errors)
        return;
    if (open) {
        kt_abandon(errors);
        return;
    }
    kt_mutex_destroy(errors->mutex);
    kt_free(errors);
}

void kt_webgpu_note_error(webgpu_device *device, const char *message)
{
    webgpu_errors *errors = device->errors;
    kt_mutex_lock(errors->mutex);
    if (!errors->error[0])
        snprintf(errors->error, sizeof errors->error, "%s", message);
    kt_mutex_unlock(errors->mutex);
}

kt_status kt_webgpu_take_error(webgpu_device *device)
{
    webgpu_errors *errors = device->errors;
    kt_status status = KT_OK;
    kt_mutex_lock(errors->mutex);
    if (errors->lost) {
        status = kt_fail(KT_DEVICE_LOST, "the device was lost: %s", errors->loss);
    } else if (errors->error[0]) {
        status = kt_fail(KT_DRIVER_ERROR, "WebGPU: %s", errors->error);
        errors->error[0] = '\0';
    }
    kt_mutex_unlock(errors->mutex);
    return status;
}

void kt_webgpu_catch(webgpu_device *device)
{
    device->api->wgpuDevicePushErrorScope(device->device, WGPUErrorFilter_Internal);
    device->api->wgpuDevicePushErrorScope(device->device, WGPUErrorFilter_OutOfMemory);
    device->api->wgpuDevicePushErrorScope(device->device, WGPUErrorFilter_Validation);
}

static void take_caught(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message,
                        void *answer, void *unused)
{
    (void)unused;
    webgpu_answer *a = answer;
    a->status = status;
    a->open--;
    if (status != WGPUPopErrorScopeStatus_Success || type == WGPUErrorType_NoError)
        return;
    a->caught = type;
    kt_webgpu_copy_text(a->message, sizeof a->message, message);
}

/* Pops the inner scopes first, and all three whatever they return. */
kt_status kt_webgpu_caught(webgpu_device *device, kt_status on_error, const char *what)
{
    kt_status status = KT_OK;
    webgpu_answer *answer = device->answer;
    answer->caught = WGPUErrorType_NoError;
    answer->message[0] = '\0';
    for (int i = 0; i < 3; i++) {
        answer->status = 0;
        WGPUFuture future = device->api->wgpuDevicePopErrorScope(
            device->device, (WGPUPopErrorScopeCallbackInfo){.mode = WGPUCallbackMode_WaitAnyOnly,
                                                            .callback = take_caught,
                                                            .userdata1 = answer});
        answer->open += future.id != 0;
        kt_status waited = kt_webgpu_wait(device->api, device->instance, future, SCOPE_NS,
                                          "wgpuDevicePopErrorScope");
        if (waited == KT_OK && answer->status != WGPUPopErrorScopeStatus_Success)
            waited =
                kt_fail(KT_DRIVER_ERROR, "wgpuDevicePopErrorScope has failed (%u)", answer->status);
        if (status == KT_OK)
            status = waited;
    }
    if (status == KT_OK && answer->caught == WGPUErrorType_OutOfMemory)
        return kt_fail(KT_LIMIT, "%s: no memory is left: %s", what, answer->message);
    if (status == KT_OK && answer->caught != WGPUErrorType_NoError)
        return kt_fail(on_error, "%s:\n%s", what, answer->message);
    return status;
}

/* ---- the queue ---- */

/* Status of this thread's finished work. Thread-local: only the status has the same place among the
 * callback's arguments in all libraries, so the callback gets no user data. */
static _Thread_local uint32_t work_done_status;

static void take_work_done(uint32_t status, void *unknown1, void *unknown2)
{
    (void)unknown1, (void)unknown2;
    work_done_status = status;
}

/* Polls the future, because polling is faster than being woken. Blocks if the device runs on the
 * host's cores, where polling would take one of them. */
static kt_status wait_for_device(webgpu_device *device, WGPUFuture future, int64_t timeout_ns,
                                 const char *asked)
{
    const webgpu_api *api = device->api;
    if (device->place->type == WGPUAdapterType_CPU)
        return kt_webgpu_wait(api, device->instance, future, timeout_ns, asked);
    int64_t begin_ns = kt_host_now_ns();
    kt_status status;
    do
        status = ask(api, device->instance, future, 0, asked);
    while (status == KT_TIMEOUT && kt_host_now_ns() - begin_ns < timeout_ns);
    return status == KT_TIMEOUT ? kt_fail_timeout(timeout_ns) : status;
}

WGPUFuture kt_webgpu_work_done(webgpu_device *device)
{
    return WEBGPU_CALL(device->api, wgpuQueueOnSubmittedWorkDone, (WGPUFuture){0}, device->queue,
                       (WGPUQueueWorkDoneCallbackInfo){.mode = WGPUCallbackMode_WaitAnyOnly,
                                                       .callback = take_work_done});
}

kt_status kt_webgpu_wait_for_work(webgpu_device *device, WGPUFuture done, int64_t timeout_ns)
{
    work_done_status = 0;
    if (device->place->synchronises)
        kt_mutex_unlock(device->mutex);
    kt_status status = wait_for_device(device, done, timeout_ns, "wgpuQueueOnSubmittedWorkDone");
    if (device->place->synchronises)
        kt_mutex_lock(device->mutex);
    if (status == KT_TIMEOUT)
        return status;
    kt_status error = kt_webgpu_take_error(device);
    if (error != KT_OK)
        return error;
    if (status == KT_OK && work_done_status != WGPUStatus_Success)
        return kt_fail(KT_DRIVER_ERROR,
                       "wgpuQueueOnSubmittedWorkDone: the submitted commands have failed (%u)",
                       work_done_status);
    return status;
}

/* ---- mapping ---- */

static void take_map(WGPUMapAsyncStatus status, WGPUStringView message, void *answer, void *unused)
{
    (void)unused;
    webgpu_answer *a = answer;
    a->status = status;
    a->open--;
    kt_webgpu_copy_text(a->message, sizeof a->message, message);
}

kt_status kt_webgpu_map(webgpu_device *device, WGPUBuffer buffer, size_t bytes,
                        webgpu_answer *answer, int64_t timeout_ns, const void **content)
{
    const webgpu_api *api = device->api;
    answer->status = 0;
    WGPUFuture future = WEBGPU_CALL(
        api, wgpuBufferMapAsync, (WGPUFuture){0}, buffer, WGPUMapMode_Read, 0, bytes,
        (WGPUBufferMapCallbackInfo){
            .mode = WGPUCallbackMode_WaitAnyOnly, .callback = take_map, .userdata1 = answer});
    answer->open += future.id != 0;
    kt_status status = wait_for_device(device, future, timeout_ns, "wgpuBufferMapAsync");
    if (status == KT_TIMEOUT)
        return status;
    kt_status error = kt_webgpu_take_error(device);
    if (error != KT_OK || status != KT_OK)
        return error != KT_OK ? error : status;
    if (answer->status != WGPUMapAsyncStatus_Success)
        return kt_fail(KT_DRIVER_ERROR, "wgpuBufferMapAsync failed: %s", answer->message);
    *content = WEBGPU_CALL(api, wgpuBufferGetConstMappedRange, NULL, buffer, 0, bytes);
    return *content ? KT_OK
                    : kt_fail(KT_DRIVER_ERROR, "wgpuBufferGetConstMappedRange gives nothing");
}
