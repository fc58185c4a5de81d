/* SPDX-License-Identifier: MIT */
/* Errors of a device: the scopes that catch them, and the loss of it all. */
#include "stub.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT_MAX = 256 };

/* An address that is this thread's alone. */
static _Thread_local char thread;

static bool is_mine(const struct scope *scope)
{
    return script.scopes == SCOPES_OF_DEVICE || scope->thread == &thread;
}

static bool wants(const struct scope *scope, WGPUErrorType type)
{
    return is_mine(scope) && (int)scope->filter == (int)type - 1; /* errors begin with "none" */
}

static void tell(struct WGPUDeviceImpl *device, WGPUErrorType type, const char *said)
{
    char text[2 * TEXT_MAX];
    if (device->lost)
        return;
    snprintf(text, sizeof text, "%s: %s", report_caller, said);
    struct scope *scope = device->scopes;
    while (scope && !wants(scope, type))
        scope = scope->outer;
    if (scope && scope->message) /* the first one stays */
        return;
    if (scope) {
        scope->type = type;
        scope->message = strdup(text);
        return;
    }
    EXPECT_USE(device->on_error.callback, "an error that nobody hears of: %s", text);
    if (!device->on_error.callback)
        return;
    struct event *event = event_create_due(EVENT_UNCAUGHT, (WGPUProc)device->on_error.callback,
                                           device->on_error.userdata1, device->on_error.userdata2);
    event->type = type;
    event->message = strdup(text);
    event->object = device;
    event_post_due(event);
}

void device_error(struct WGPUDeviceImpl *device, WGPUErrorType type, const char *format, ...)
{
    char text[TEXT_MAX];
    va_list list;
    va_start(list, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    tell(device, type, text);
}

void device_refuses(struct WGPUDeviceImpl *device, const char *format, ...)
{
    char text[TEXT_MAX];
    va_list list;
    va_start(list, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    misuse("%s", text);
    tell(device, WGPUErrorType_Validation, text);
}

void device_forced(struct WGPUDeviceImpl *device)
{
    static const WGPUErrorType types[] = {WGPUErrorType_Validation, WGPUErrorType_OutOfMemory,
                                          WGPUErrorType_Internal, WGPUErrorType_OutOfMemory};
    device_error(device, types[script.error], "the script wants it to fail");
}

bool device_takes(struct WGPUDeviceImpl *device, const void *object)
{
    if (!((const struct base *)object)->invalid)
        return true;
    device_error(device, WGPUErrorType_Validation, "an object is invalid");
    return false;
}

/* ---- scopes ---- */

void wgpuDevicePushErrorScope(WGPUDevice handle, WGPUErrorFilter filter)
{
    ENTER(wgpuDevicePushErrorScope, handle);
    struct WGPUDeviceImpl *device = object_use(handle, KIND_DEVICE);
    struct scope *scope = device ? calloc(1, sizeof *scope) : NULL;
    EXPECT_USE(filter >= WGPUErrorFilter_Validation && filter <= WGPUErrorFilter_Internal,
               "filter %d", (int)filter);
    if (scope) {
        *scope = (struct scope){.outer = device->scopes,
                                .filter = filter,
                                .type = WGPUErrorType_NoError,
                                .thread = &thread};
        device->scopes = scope;
    }
}

static void pop(struct WGPUDeviceImpl *device, struct event *event)
{
    struct scope **at = &device->scopes;
    while (*at && !is_mine(*at))
        at = &(*at)->outer;
    struct scope *scope = *at;
    event->status = WGPUPopErrorScopeStatus_Success;
    event->type = WGPUErrorType_NoError;
    if (!scope) {
        misuse("there is no scope");
        event->status = WGPUPopErrorScopeStatus_Error;
        return;
    }
    *at = scope->outer;
    event->type = device->lost ? WGPUErrorType_NoError : scope->type;
    event->message = scope->message;
    free(scope);
}

WGPUFuture wgpuDevicePopErrorScope(WGPUDevice handle, WGPUPopErrorScopeCallbackInfo info)
{
    ENTER(wgpuDevicePopErrorScope, handle);
    struct WGPUDeviceImpl *device = object_use(handle, KIND_DEVICE);
    if (!device)
        return (WGPUFuture){0};
    struct event *event = event_create(device->instance, EVENT_SCOPE, &info);
    pop(device, event);
    if (fails)
        event->status = WGPUPopErrorScopeStatus_Error;
    return event_post(event);
}

/* ---- losing it ---- */

void device_lose(struct WGPUDeviceImpl *device, WGPUDeviceLostReason reason, const char *message)
{
    if (device->lost)
        return;
    device->lost = true;
    /* Nothing is awaited any more, nor done. */
    queue_forget(device->queue);
    for (struct WGPUBufferImpl *b = NULL; (b = object_next(KIND_BUFFER, b)) != NULL;)
        if (b->base.device == device && b->pending) {
            b->pending->status = WGPUMapAsyncStatus_Aborted;
            b->pending->message = strdup("the device is lost");
            b->pending = NULL;
            b->state = BUFFER_UNMAPPED;
        }
    if (device->on_lost.callback) {
        struct event *event = event_create(device->instance, EVENT_LOST, &device->on_lost);
        event->status = reason;
        event->message = strdup(message);
        event->object = device;
        event_post(event);
    }
    events_look(device->instance);
}
