/* SPDX-License-Identifier: MIT */
/* Queues, fences, and execution of lists. */
#include "tracers/level_zero/layer.h"

#include "support/alloc.h"

static _Atomic(uint32_t) lanes = 1000; /* apart from those of immediate lists */

/* A fence, and the submission that signals it. */
typedef struct layer_fence {
    layer_queue *queue;
    uint64_t submission;
} layer_fence;

static layer_queue *ending; /* whose fences forget it */

static void forget_queue(void *object)
{
    layer_fence *fence = object;
    if (fence->queue == ending)
        fence->queue = NULL;
}

/* ---- begin and end ---- */

ze_result_t layer_CommandQueueCreate(ze_context_handle_t context, ze_device_handle_t device,
                                     const ze_command_queue_desc_t *desc,
                                     ze_command_queue_handle_t *out)
{
    ze_result_t code = layer_next.CommandQueueCreate(context, device, desc, out);
    if (code != ZE_RESULT_SUCCESS)
        return code;
    layer_lock();
    layer_queue *queue = kt_alloc(1, sizeof *queue);
    if (queue) {
        queue->handle = *out;
        queue->is_synchronous = desc && desc->mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
        queue->number = atomic_fetch_add(&lanes, 1);
        if (!object_add(OBJECT_QUEUE, *out, queue))
            kt_free(queue);
    }
    layer_unlock();
    return code;
}

ze_result_t layer_CommandQueueDestroy(ze_command_queue_handle_t handle)
{
    layer_lock();
    layer_queue *queue = object_find(OBJECT_QUEUE, handle);
    if (queue) {
        layer_settle_queue(queue, UINT64_MAX, LAYER_LEAVE);
        layer_flush();
    }
    layer_unlock();
    ze_result_t code = layer_next.CommandQueueDestroy(handle);
    if (queue && code == ZE_RESULT_SUCCESS) {
        layer_lock();
        while (queue->waiting)
            layer_leave_queue(queue->waiting);
        ending = queue;
        object_each(OBJECT_FENCE, forget_queue);
        object_remove(OBJECT_QUEUE, handle, queue);
        kt_free(queue);
        layer_unlock();
    }
    return code;
}

ze_result_t layer_ContextDestroy(ze_context_handle_t context)
{
    layer_lock();
    layer_context_ends(context);
    layer_unlock();
    return layer_next.ContextDestroy(context);
}

/* ---- reading ---- */

void layer_settle_queue(layer_queue *queue, uint64_t submission, int reason)
{
    for (layer_list **at = &queue->waiting; *at;) {
        layer_list *list = *at;
        bool has_ended = list->submission && list->submission <= submission;
        if (!has_ended || (list->is_repeated && reason == LAYER_LEAVE) ||
            !layer_settle_list(list, reason)) {
            at = &list->next_waiting;
            continue;
        }
        layer_leave_queue(list);
    }
}

/* Up to that submission, all has ended. */
static void read_queue(layer_queue *queue, uint64_t submission)
{
    if (!layer_has_pending())
        return;
    layer_lock();
    trace_reading reading = tracer_begin_reading(1);
    layer_settle_queue(queue, submission, TRACE_UNTRUSTED);
    layer_flush();
    tracer_end_reading(&reading);
    layer_unlock();
}

static uint64_t submissions_of(layer_queue *queue)
{
    layer_lock();
    uint64_t submissions = queue ? queue->submissions : 0;
    layer_unlock();
    return submissions;
}

ze_result_t layer_CommandQueueSynchronize(ze_command_queue_handle_t handle, uint64_t timeout)
{
    layer_queue *queue = layer_has_pending() ? object_find(OBJECT_QUEUE, handle) : NULL;
    uint64_t submissions = submissions_of(queue);
    ze_result_t code = layer_next.CommandQueueSynchronize(handle, timeout);
    if (queue && code == ZE_RESULT_SUCCESS)
        read_queue(queue, submissions);
    return code;
}

/* ---- execution ---- */

static void begin_slot(layer_slot *slot, bool is_on, const trace_timing *timing)
{
    if (slot->is_untimed) {
        if (is_on && !(slot->is_kernel && !tracer_wants_kernel())) {
            tracer_enqueued(1);
            tracer_untimed(slot->row, TRACE_NO_TIMESTAMPS, 1);
        }
        return;
    }
    layer_slot *user = slot->program ? atomic_load(&slot->program->user) : NULL;
    if (user)
        layer_settle(user, TRACE_OVERWRITTEN);
    slot->is_ignored = !is_on || (slot->is_kernel && !tracer_wants_kernel());
    if (!slot->is_ignored)
        tracer_enqueued(1);
    slot->thread = timing->reads_clock ? tracer_thread() : 0;
    slot->call_begin_ns = timing->call_begin_ns;
    slot->is_pending = true;
    layer_set_pending();
    if (slot->program)
        atomic_store(&slot->program->user, slot);
}

/* The list is about to be executed: its events are read first, if they have not been. */
static void begin_list(layer_list *list, layer_queue *queue, const trace_timing *timing)
{
    bool is_on = tracer_is_on(), is_repeated = !layer_settle_list(list, LAYER_LEAVE);
    layer_settle_list(list, TRACE_OVERWRITTEN);
    layer_leave_queue(list);
    list->is_repeated = is_repeated;
    list->since_ns = tracer_now_ns();
    uint64_t count = atomic_load(&list->begun);
    for (uint64_t i = 0; i < count; i++)
        begin_slot(layer_slot_at(list, i), is_on, timing);
    list->submission = 0;
    list->queue = queue;
    list->next_waiting = queue->waiting;
    queue->waiting = list;
}

static void end_list(layer_list *list, layer_queue *queue, ze_result_t code,
                     const trace_timing *timing)
{
    uint64_t count = atomic_load(&list->begun);
    list->submission = queue->submissions;
    for (uint64_t i = 0; timing->call_end_ns && i < count; i++)
        layer_slot_at(list, i)->call_end_ns = timing->call_end_ns;
    if (code == ZE_RESULT_SUCCESS)
        return;
    layer_settle_list(list, TRACE_FAILED);
    layer_leave_queue(list);
}

ze_result_t layer_CommandQueueExecuteCommandLists(ze_command_queue_handle_t handle, uint32_t count,
                                                  ze_command_list_handle_t *lists,
                                                  ze_fence_handle_t fence)
{
    layer_queue *queue = object_find(OBJECT_QUEUE, handle);
    if (!queue || !lists)
        return layer_next.CommandQueueExecuteCommandLists(handle, count, lists, fence);
    trace_timing timing = tracer_begin();
    layer_lock();
    for (uint32_t i = 0; i < count; i++) {
        layer_list *list = object_find(OBJECT_LIST, lists[i]);
        if (list && !list->is_immediate && atomic_load(&list->begun) > 0)
            begin_list(list, queue, &timing);
    }
    layer_flush();
    layer_unlock();
    tracer_pause(&timing);
    ze_result_t code = layer_next.CommandQueueExecuteCommandLists(handle, count, lists, fence);
    tracer_resume(&timing);
    layer_lock();
    queue->submissions++;
    for (uint32_t i = 0; i < count; i++) {
        layer_list *list = object_find(OBJECT_LIST, lists[i]);
        if (list && list->queue == queue && !list->submission)
            end_list(list, queue, code, &timing);
    }
    layer_fence *given = object_find(OBJECT_FENCE, fence);
    if (given)
        *given = (layer_fence){queue, queue->submissions};
    uint64_t submissions = queue->submissions;
    layer_unlock();
    tracer_end(&timing);
    if (code == ZE_RESULT_SUCCESS && queue->is_synchronous)
        read_queue(queue, submissions);
    return code;
}

/* ---- fences ---- */

ze_result_t layer_FenceCreate(ze_command_queue_handle_t queue, const ze_fence_desc_t *desc,
                              ze_fence_handle_t *out)
{
    ze_result_t code = layer_next.FenceCreate(queue, desc, out);
    if (code != ZE_RESULT_SUCCESS)
        return code;
    layer_lock();
    layer_fence *fence = kt_alloc(1, sizeof *fence);
    if (fence && !object_add(OBJECT_FENCE, *out, fence))
        kt_free(fence);
    layer_unlock();
    return code;
}

ze_result_t layer_FenceDestroy(ze_fence_handle_t handle)
{
    layer_fence *fence = object_find(OBJECT_FENCE, handle);
    ze_result_t code = layer_next.FenceDestroy(handle);
    if (fence && code == ZE_RESULT_SUCCESS)
        layer_forget(OBJECT_FENCE, handle, fence);
    return code;
}

/* The submission of the fence has ended. Events show whether earlier ones have. */
static ze_result_t read_fence(ze_fence_handle_t handle, ze_result_t code)
{
    if (code != ZE_RESULT_SUCCESS || !layer_has_pending())
        return code;
    layer_lock();
    layer_fence *fence = object_find(OBJECT_FENCE, handle);
    for (layer_list *list = fence && fence->queue ? fence->queue->waiting : NULL, *next; list;
         list = next) {
        next = list->next_waiting;
        if (list->submission != fence->submission)
            continue;
        layer_settle_list(list, TRACE_UNTRUSTED);
        layer_leave_queue(list);
    }
    layer_flush();
    layer_unlock();
    layer_sweep();
    return code;
}

ze_result_t layer_FenceHostSynchronize(ze_fence_handle_t fence, uint64_t timeout)
{
    return read_fence(fence, layer_next.FenceHostSynchronize(fence, timeout));
}

ze_result_t layer_FenceQueryStatus(ze_fence_handle_t fence)
{
    return read_fence(fence, layer_next.FenceQueryStatus(fence));
}
