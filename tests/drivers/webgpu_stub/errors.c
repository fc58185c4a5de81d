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

static void tell(struct WGPUDeviceImpl *device, WGPUErrorType type, const char *text)
{
    if (device->lost)
        return;
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

void device_forced(struct WGPUDeviceImpl *device, const char *call)
{
    static const WGPUErrorType types[] = {WGPUErrorType_Validation, WGPUErrorType_OutOfMemory,
                                          WGPUErrorType_Internal, WGPUErrorType_OutOfMemory};
    device_error(device, types[script.error], "%s: the script wants it to fail", call);
}

bool device_takes(struct WGPUDeviceImpl *device, const void *object, const char *caller)
{
    if (!((const struct object *)object)->invalid)
        return true;
    device_error(device, WGPUErrorType_Validation, "%s: an object is invalid", caller);
    return false;
}

/* ---- scopes ---- */

void wgpuDevicePushErrorScope(WGPUDevice handle, WGPUErrorFilter filter)
{
    ENTER(wgpuDevicePushErrorScope, handle);
    struct WGPUDeviceImpl *device = USE(handle, KIND_DEVICE);
    struct scope *scope = device ? calloc(1, sizeof *scope) : NULL;
    EXPECT_USE(filter >= WGPUErrorFilter_Validation && filter <= WGPUErrorFilter_Internal,
               "%s: filter %d", __func__, (int)filter);
    if (scope) {
        *scope = (struct scope){.outer = device->scopes,
                                .filter = filter,
                                .type = WGPUErrorType_NoError,
                                .thread = &thread};
        device->scopes = scope;
    }
    stub_leave();
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
        misuse("wgpuDevicePopErrorScope: there is no scope");
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
    bool fails = ENTER(wgpuDevicePopErrorScope, handle);
    WGPUFuture future = {0};
    struct WGPUDeviceImpl *device = USE(handle, KIND_DEVICE);
    if (device) {
        struct event *event = event_create(device->instance, EVENT_SCOPE, &info, __func__);
        pop(device, event);
        if (fails)
            event->status = WGPUPopErrorScopeStatus_Error;
        future = event_post(event);
    }
    stub_leave();
    return future;
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
        struct event *event =
            event_create(device->instance, EVENT_LOST, &device->on_lost, "wgpuDeviceLostCallback");
        event->status = reason;
        event->message = strdup(message);
        event->object = device;
        event_post(event);
    }
    events_look(device->instance);
}
