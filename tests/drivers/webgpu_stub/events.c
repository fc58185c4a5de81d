/* SPDX-License-Identifier: MIT */
/* Futures: what is answered later, to whom, and when. */
#include "stub.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* What all structures of callbacks begin with. */
struct any_info {
    WGPUChainedStruct *nextInChain;
    WGPUCallbackMode mode;
    WGPUProc callback;
    void *userdata1, *userdata2;
};

static _Thread_local struct event *due, **due_end;

struct event *events_take_due(void)
{
    struct event *taken = due;
    due = NULL;
    due_end = NULL;
    return taken;
}

void event_post_due(struct event *event)
{
    if (!due)
        due_end = &due;
    event->next = NULL;
    *due_end = event;
    due_end = &event->next;
}

struct event *event_create_due(enum event_kind kind, WGPUProc callback, void *userdata1,
                               void *userdata2)
{
    struct event *event = calloc(1, sizeof *event);
    if (!event)
        abort();
    *event = (struct event){.kind = kind, .callback = callback, .userdata = {userdata1, userdata2}};
    return event;
}

struct event *event_create(struct WGPUInstanceImpl *instance, enum event_kind kind,
                           const void *info)
{
    const struct any_info *any = info;
    EXPECT_USE(!any->nextInChain, "something is chained");
    EXPECT_USE(any->mode >= WGPUCallbackMode_WaitAnyOnly &&
                   any->mode <= WGPUCallbackMode_AllowSpontaneous,
               "mode %d", (int)any->mode);
    EXPECT_USE(any->callback, "no callback");
    struct event *event = event_create_due(kind, any->callback, any->userdata1, any->userdata2);
    event->mode = any->mode;
    event->instance = instance;
    event->begin_ns = clock_host_ns(CLOCK_MONOTONIC);
    event->late = kind == EVENT_MAP || kind == EVENT_DONE ? script.late : 0;
    return event;
}

/* ---- calling ---- */

/* Just as long as it says, so that who looks for a terminating zero is seen. */
static WGPUStringView view_of(const struct event *event, char **bytes)
{
    size_t length = event->message ? strlen(event->message) : 0;
    *bytes = length ? malloc(length) : NULL;
    if (*bytes)
        memcpy(*bytes, event->message, length);
    return (WGPUStringView){*bytes, *bytes ? length : 0};
}

typedef void (*object_callback)(uint32_t status, void *object, WGPUStringView message,
                                void *userdata1, void *userdata2);
typedef void (*message_callback)(uint32_t status, WGPUStringView message, void *userdata1,
                                 void *userdata2);
typedef void (*plain_callback)(uint32_t status, void *userdata1, void *userdata2);

static void call(const struct event *event, WGPUStringView message)
{
    void *one = event->userdata[0], *two = event->userdata[1];
    WGPUProc callback = event->callback;
    WGPUDevice device = event->object;
    switch (event->kind) {
    case EVENT_ADAPTER:
        ((WGPURequestAdapterCallback)callback)(event->status, event->object, message, one, two);
        break;
    case EVENT_DEVICE:
        ((WGPURequestDeviceCallback)callback)(event->status, event->object, message, one, two);
        break;
    case EVENT_SCOPE:
        ((WGPUPopErrorScopeCallback)callback)(event->status, event->type, message, one, two);
        break;
    case EVENT_MAP: ((WGPUBufferMapCallback)callback)(event->status, message, one, two); break;
    case EVENT_DONE:
        if (script.done == DONE_MESSAGE)
            ((message_callback)callback)(event->status, message, one, two);
        else
            ((plain_callback)callback)(event->status, one, two);
        break;
    case EVENT_LOST:
        ((WGPUDeviceLostCallback)callback)(&device, event->status, message, one, two);
        break;
    case EVENT_UNCAUGHT:
        ((WGPUUncapturedErrorCallback)callback)(&device, event->type, message, one, two);
        break;
    }
}

void events_call(struct event *list)
{
    while (list) {
        struct event *event = list;
        list = event->next;
        char *bytes;
        WGPUStringView message = view_of(event, &bytes);
        call(event, message);
        free(bytes);
        free(event->message);
        free(event);
    }
}

/* ---- being ready ---- */

static bool is_complete(const struct event *event)
{
    return !event->device || event->device->queue->completed >= event->serial ||
           event->device->lost;
}

/* One more look. */
static bool is_ready(struct event *event)
{
    bool answered = event->kind == EVENT_MAP && !event->buffer->pending;
    bool takes_time = event->kind == EVENT_MAP || event->kind == EVENT_DONE;
    if (!answered && !is_complete(event))
        return false;
    if (!answered && takes_time &&
        clock_host_ns(CLOCK_MONOTONIC) - event->begin_ns < script.ready_ns)
        return false;
    if (event->late == 0 || answered)
        return true;
    event->late--;
    return false;
}

/* What the answer says is as of now. */
static void settle(struct event *event)
{
    if (event->kind == EVENT_MAP) {
        buffer_settle(event->buffer, event);
        counted_drop(event->buffer);
    }
    if (event->kind == EVENT_DONE && event->device->lost && script.lost_done == STATUS_ERROR)
        event->status = 3;
    counted_drop(event->device);
    event->device = NULL;
    event_post_due(event);
}

WGPUFuture event_post(struct event *event)
{
    WGPUFuture future = {++event->instance->next_id};
    event->id = future.id;
    counted_hold(event->device);
    counted_hold(event->buffer);
    event->next = event->instance->events;
    event->instance->events = event;
    if (event->mode == WGPUCallbackMode_AllowSpontaneous)
        events_look(event->instance);
    return future;
}

/* Takes out what `mode` allows to come now. */
static void look(struct WGPUInstanceImpl *instance, WGPUCallbackMode mode)
{
    struct event *ready[64];
    int count = 0;
    for (struct event **at = &instance->events; *at && count < 64;) {
        if ((*at)->mode >= mode && is_ready(*at)) {
            ready[count] = *at;
            *at = ready[count++]->next;
        } else {
            at = &(*at)->next;
        }
    }
    while (count > 0) /* the oldest first */
        settle(ready[--count]);
}

void events_look(struct WGPUInstanceImpl *instance)
{
    look(instance, WGPUCallbackMode_AllowSpontaneous);
}

void events_cancel(struct WGPUInstanceImpl *instance)
{
    while (instance->events) {
        struct event *event = instance->events;
        instance->events = event->next;
        event->status = event->kind == EVENT_LOST ? WGPUDeviceLostReason_CallbackCancelled : 2;
        if (event->kind == EVENT_MAP && event->buffer->pending == event)
            event->buffer->pending = NULL;
        if (event->kind == EVENT_MAP)
            counted_drop(event->buffer);
        if (event->object && (event->kind == EVENT_ADAPTER || event->kind == EVENT_DEVICE)) {
            counted_release(event->object);
            event->object = NULL;
        }
        counted_drop(event->device);
        event_post_due(event);
    }
}

void wgpuInstanceProcessEvents(WGPUInstance handle)
{
    ENTER(wgpuInstanceProcessEvents, NULL);
    struct WGPUInstanceImpl *instance = object_use(handle, KIND_INSTANCE);
    if (instance)
        look(instance, WGPUCallbackMode_AllowProcessEvents);
}

/* ---- waiting ---- */

/* True: it has been answered, now or before. */
static bool answer(struct WGPUInstanceImpl *instance, uint64_t id)
{
    for (struct event **at = &instance->events; *at; at = &(*at)->next)
        if ((*at)->id == id) {
            struct event *event = *at;
            if (!is_ready(event))
                return false;
            *at = event->next;
            settle(event);
            return true;
        }
    return true;
}

/* Who waits gives the device the time that it takes. */
static void execute_before(struct WGPUInstanceImpl *instance, uint64_t id)
{
    for (const struct event *event = instance->events; event; event = event->next)
        if (event->id == id && event->device) {
            queue_execute(event->device->queue, UINT64_MAX);
            return;
        }
}

/* The device that is awaited, where that may not be done on two threads at once; or NULL. Looked for
 * before the call, which is one on that device. */
static const void *awaited(WGPUInstance instance, size_t count, const WGPUFutureWaitInfo *infos)
{
    const struct WGPUDeviceImpl *device = NULL;
    if (script.threads != THREADS_WAITS || count == 0)
        return NULL;
    call_lock();
    for (const struct event *event = instance ? instance->events : NULL; event; event = event->next)
        if (event->id == infos[0].future.id)
            device = event->device;
    call_unlock();
    return device;
}

static bool wait_is_sound(struct WGPUInstanceImpl *instance, size_t count,
                          const WGPUFutureWaitInfo *infos, uint64_t timeout_ns)
{
    bool sound = instance != NULL;
    if (instance && timeout_ns > 0 && !instance->waits_with_limit) {
        misuse("the instance was made without timed waits");
        sound = false;
    }
    EXPECT_USE(timeout_ns < UINT64_MAX / 2, "may wait for ever");
    for (size_t i = 0; instance && i < count; i++)
        if (infos[i].future.id == 0 || infos[i].future.id > instance->next_id) {
            misuse("no future");
            sound = false;
        }
    return sound;
}

/* False: not yet. */
static bool ask(struct WGPUInstanceImpl *instance, size_t count, WGPUFutureWaitInfo *infos,
                bool execute)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (execute)
            execute_before(instance, infos[i].future.id);
        infos[i].completed = answer(instance, infos[i].future.id);
        any = any || infos[i].completed;
    }
    return any;
}

WGPUWaitStatus wgpuInstanceWaitAny(WGPUInstance handle, size_t count, WGPUFutureWaitInfo *infos,
                                   uint64_t timeout_ns)
{
    uint64_t begin_ns = clock_host_ns(CLOCK_MONOTONIC), passed_ns = 0;
    ENTER(wgpuInstanceWaitAny, awaited(handle, count, infos));
    struct WGPUInstanceImpl *instance = object_use(handle, KIND_INSTANCE);
    if (fails || !wait_is_sound(instance, count, infos, timeout_ns))
        return WGPUWaitStatus_Error;
    bool any = ask(instance, count, infos, timeout_ns > 0) || count == 0;
    while (!any && (passed_ns = clock_host_ns(CLOCK_MONOTONIC) - begin_ns) < timeout_ns) {
        call_unlock();
        uint64_t left_ns = timeout_ns - passed_ns;
        nanosleep(&(struct timespec){.tv_nsec = left_ns < 1000000 ? (long)left_ns : 1000000}, NULL);
        call_lock();
        any = ask(instance, count, infos, true);
    }
    return any ? WGPUWaitStatus_Success : WGPUWaitStatus_TimedOut;
}
