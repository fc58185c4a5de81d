/* SPDX-License-Identifier: MIT */
/*
 * submissions.c - submissions of a queue, oldest first, until it is known that they have ended. The
 * end of a fence or semaphore is also that of all that was submitted to its queue before.
 *
 * Where reading waits for the whole device (reads_wait), what has ended is read once nothing else is
 * open. A submission that waits for a value that the program has yet to signal would never end.
 */
#include "tracers/vulkan/layer.h"

#include "support/alloc.h"

#include <string.h>

#define OPEN_MAX 4096 /* submissions of a queue that nobody waits for */

static handle_map queues; /* by handle, of all devices */

/* ---- queues ---- */

static void add_queue(device *d, VkQueue handle, uint32_t family_number)
{
    kt_mutex_lock(kt_mutex_of_library());
    kt_mutex_lock(d->mutex);
    queue *q = map_find(&queues, NUMBER(handle)) || family_number >= d->family_count
                   ? NULL
                   : kt_alloc(1, sizeof *q);
    if (q) {
        *q = (queue){.next = d->queues,
                     .handle = handle,
                     .device = d,
                     .family = &d->families[family_number],
                     .number = d->queues ? d->queues->number + 1 : 0};
        if (map_put(&queues, NUMBER(handle), q))
            d->queues = q;
        else
            kt_free(q);
    }
    kt_mutex_unlock(d->mutex);
    kt_mutex_unlock(kt_mutex_of_library());
}

void trace_vkGetDeviceQueue(VkDevice handle, uint32_t family_number, uint32_t index, VkQueue *out)
{
    device *d = device_of(handle);
    d->next.vkGetDeviceQueue(handle, family_number, index, out);
    if (*out)
        add_queue(d, *out, family_number);
}

void trace_vkGetDeviceQueue2(VkDevice handle, const VkDeviceQueueInfo2 *info, VkQueue *out)
{
    device *d = device_of(handle);
    d->next.vkGetDeviceQueue2(handle, info, out);
    if (*out)
        add_queue(d, *out, info->queueFamilyIndex);
}

/* ---- fences and semaphores ---- */

/* Under the mutex. NULL: out of memory. */
static waitable *waitable_of(handle_map *map, uint64_t handle)
{
    waitable *w = map_find(map, handle);
    if (w)
        return w;
    w = kt_alloc(1, sizeof *w);
    if (!w)
        return NULL;
    atomic_init(&w->lowest, UINT64_MAX);
    if (map_put(map, handle, w))
        return w;
    kt_free(w);
    return NULL;
}

static void update_lowest(waitable *w)
{
    atomic_store_explicit(&w->lowest, w->first ? w->first->value : UINT64_MAX,
                          memory_order_release);
}

/* Values rise with submissions of a queue, so the place is near the end. */
static void link_signal(signaller *s, waitable *w)
{
    s->of = w;
    s->previous = w->last;
    while (s->previous && s->previous->value > s->value)
        s->previous = s->previous->previous;
    s->next = s->previous ? s->previous->next : w->first;
    *(s->previous ? &s->previous->next : &w->first) = s;
    *(s->next ? &s->next->previous : &w->last) = s;
    update_lowest(w);
}

static void unlink_signal(signaller *s)
{
    waitable *w = s->of;
    if (!w)
        return;
    *(s->previous ? &s->previous->next : &w->first) = s->next;
    *(s->next ? &s->next->previous : &w->last) = s->previous;
    s->of = NULL;
    update_lowest(w);
}

static void unlink_signals(submission *s)
{
    for (size_t i = 0; i < s->signal_count; i++)
        unlink_signal(&s->signals[i]);
    s->signal_count = 0;
    s->fence = VK_NULL_HANDLE;
}

/* The end of a submission can be learnt from this. */
static void add_signal(submission *s, handle_map *map, uint64_t handle, uint64_t value)
{
    waitable *w = s && s->signal_count < SIGNALS_MAX ? waitable_of(map, handle) : NULL;
    if (!w)
        return;
    signaller *added = &s->signals[s->signal_count++];
    *added = (signaller){.submission = s, .value = value};
    link_signal(added, w);
}

/* The object goes. */
static void forget_waitable(device *d, handle_map *map, uint64_t handle)
{
    if (!map_find(map, handle))
        return;
    kt_mutex_lock(d->mutex);
    waitable *w = map_take(map, handle);
    while (w && w->first)
        unlink_signal(w->first);
    kt_mutex_unlock(d->mutex);
    kt_free(w);
}

/* A semaphore is known to have a value. */
static void raise_value(waitable *w, uint64_t value)
{
    uint64_t known = w ? atomic_load_explicit(&w->reached, memory_order_relaxed) : value;
    while (known < value && !atomic_compare_exchange_weak(&w->reached, &known, value))
        continue;
}

/* ---- waits for semaphores ---- */

static void add_wait(submission *s, VkSemaphore semaphore, uint64_t value)
{
    if (!s || value == 0 || !s->queue->device->reads_wait || s->wait_count > WAITS_MAX)
        return;
    bool is_known = waitable_of(&s->queue->device->semaphores, NUMBER(semaphore));
    if (is_known && s->wait_count < WAITS_MAX) {
        s->waits[s->wait_count].semaphore = NUMBER(semaphore);
        s->waits[s->wait_count].value = value;
        s->wait_count++;
    } else
        s->wait_count = WAITS_MAX + 1;
}

/* Whether what it waits for was or will be signalled by an earlier submission of its queue. A
 * semaphore that is gone had nobody waiting. */
static bool is_certain(const submission *s)
{
    bool is_certain = s->wait_count <= WAITS_MAX;
    for (size_t i = 0; is_certain && i < s->wait_count; i++) {
        uint64_t value = s->waits[i].value;
        waitable *w = map_find(&s->queue->device->semaphores, s->waits[i].semaphore);
        is_certain = !w || atomic_load(&w->reached) >= value;
        for (const signaller *by = w ? w->last : NULL; by && by->value >= value; by = by->previous)
            is_certain |= by->submission->queue == s->queue && by->submission->number < s->number;
    }
    return is_certain;
}

bool submissions_let_read(device *d)
{
    for (const queue *q = d->reads_wait ? d->queues : NULL; q; q = q->next)
        for (const submission *s = q->first; s; s = s->next)
            if (!is_certain(s))
                return false;
    return true;
}

/* ---- ends ---- */

static submission *take_submission(device *d)
{
    submission *s = d->free_submissions;
    if (!s)
        return kt_alloc(1, sizeof *s);
    d->free_submissions = s->next;
    s->next = NULL;
    s->count = s->wait_count = 0;
    return s;
}

static bool has_open(device *d)
{
    return atomic_load_explicit(&d->open, memory_order_acquire) > 0;
}

/* Under the mutex, so that one thread at a time writes. */
static void set_open(device *d, uint32_t open)
{
    atomic_store_explicit(&d->open, open, memory_order_release);
}

static void free_submission(device *d, submission *s)
{
    s->next = d->free_submissions;
    d->free_submissions = s;
}

static void read_submission(const submission *s, int64_t now_ns)
{
    for (size_t i = 0; i < s->count; i++) {
        commands *c = s->list[i].commands;
        if (c->is_unread && c->recording == s->list[i].recording &&
            c->submission == s->list[i].submission)
            commands_read(c, false, now_ns);
    }
}

static submission *take_ended(device *d)
{
    submission *s = d->ended;
    d->ended = s->next;
    d->ended_count--;
    if (!d->ended)
        d->ended_end = &d->ended;
    return s;
}

/* To be read once nothing is open. Its command buffers are read later still if it is left out. */
static void add_ended(device *d, submission *s)
{
    if (d->ended_count == OPEN_MAX)
        free_submission(d, take_ended(d));
    s->next = NULL;
    *d->ended_end = s;
    d->ended_end = &s->next;
    d->ended_count++;
}

/* The oldest submission has ended, or is forgotten. */
static void end_first(queue *q, bool is_read, int64_t now_ns)
{
    device *d = q->device;
    submission *s = q->first;
    q->first = s->next;
    q->length--;
    s->number = 0;
    for (size_t i = 0; is_read && i < s->signal_count; i++)
        raise_value(s->signals[i].of, s->signals[i].value);
    unlink_signals(s);
    set_open(d, d->open - 1);
    if (is_read && d->reads_wait)
        add_ended(d, s);
    else {
        if (is_read)
            read_submission(s, now_ns);
        free_submission(d, s);
    }
    if (!q->first)
        q->open = 0;
}

static void end_until(queue *q, const submission *last)
{
    device *d = q->device;
    d->reading = tracer_begin_reading(1);
    int64_t now_ns = clock_now_ns(d);
    const submission *behind = last ? last->next : NULL;
    while (q->first && q->first != behind)
        end_first(q, true, now_ns);
    while (d->ended && !has_open(d)) {
        submission *s = take_ended(d);
        read_submission(s, now_ns);
        free_submission(d, s);
    }
    tracer_end_reading(&d->reading);
}

/* Of a queue, or of all with `q` NULL. */
static void end_all(device *d, queue *q)
{
    if (!has_open(d))
        return;
    kt_mutex_lock(d->mutex);
    for (queue *at = q ? q : d->queues; at; at = q ? NULL : at->next)
        if (at->first)
            end_until(at, NULL);
    kt_mutex_unlock(d->mutex);
}

/* A fence is signalled, or a semaphore has this value. No lock unless that ends something. */
static void end_with(device *d, handle_map *map, uint64_t handle, uint64_t value)
{
    waitable *w = map_find(map, handle);
    if (d->reads_wait)
        raise_value(w, value);
    if (!w || atomic_load_explicit(&w->lowest, memory_order_acquire) > value)
        return;
    kt_mutex_lock(d->mutex);
    while (w->first && w->first->value <= value) {
        const signaller *last = w->first;
        while (last->next && last->next->value <= value)
            last = last->next;
        end_until(last->submission->queue, last->submission);
    }
    kt_mutex_unlock(d->mutex);
}

static void end_fences(device *d, uint32_t count, const VkFence *fences)
{
    for (uint32_t i = 0; i < count; i++)
        end_with(d, &d->fences, NUMBER(fences[i]), 0);
}

void submissions_end(device *d)
{
    end_all(d, NULL);
    while (d->queues) {
        queue *q = d->queues;
        d->queues = q->next;
        kt_mutex_lock(kt_mutex_of_library());
        map_take(&queues, NUMBER(q->handle));
        kt_mutex_unlock(kt_mutex_of_library());
        kt_free(q);
    }
    while (d->ended)
        free_submission(d, take_ended(d));
    while (d->free_submissions) {
        submission *s = d->free_submissions;
        d->free_submissions = s->next;
        kt_free(s->list);
        kt_free(s);
    }
    map_clear(&d->fences, kt_free);
    map_clear(&d->semaphores, kt_free);
}

VkResult trace_vkQueueWaitIdle(VkQueue handle)
{
    device *d = device_of(handle);
    queue *q = map_find(&queues, NUMBER(handle));
    VkResult code = d->next.vkQueueWaitIdle(handle);
    if (code == VK_SUCCESS && q)
        end_all(d, q);
    return code;
}

VkResult trace_vkDeviceWaitIdle(VkDevice handle)
{
    device *d = device_of(handle);
    VkResult code = d->next.vkDeviceWaitIdle(handle);
    if (code == VK_SUCCESS)
        end_all(d, NULL);
    return code;
}

VkResult trace_vkWaitForFences(VkDevice handle, uint32_t count, const VkFence *fences, VkBool32 all,
                               uint64_t timeout_ns)
{
    device *d = device_of(handle);
    VkResult code = d->next.vkWaitForFences(handle, count, fences, all, timeout_ns);
    if (code == VK_SUCCESS && (all || count == 1))
        end_fences(d, count, fences);
    for (uint32_t i = 0; code == VK_SUCCESS && !all && count > 1 && i < count; i++)
        if (d->next.vkGetFenceStatus(handle, fences[i]) == VK_SUCCESS)
            end_fences(d, 1, &fences[i]);
    return code;
}

VkResult trace_vkGetFenceStatus(VkDevice handle, VkFence fence)
{
    device *d = device_of(handle);
    VkResult code = d->next.vkGetFenceStatus(handle, fence);
    if (code == VK_SUCCESS)
        end_fences(d, 1, &fence);
    return code;
}

/* Only a fence whose submission has ended may be reset or destroyed. */
VkResult trace_vkResetFences(VkDevice handle, uint32_t count, const VkFence *fences)
{
    device *d = device_of(handle);
    end_fences(d, count, fences);
    return d->next.vkResetFences(handle, count, fences);
}

void trace_vkDestroyFence(VkDevice handle, VkFence fence, const VkAllocationCallbacks *allocator)
{
    device *d = device_of(handle);
    end_fences(d, 1, &fence);
    forget_waitable(d, &d->fences, NUMBER(fence));
    d->next.vkDestroyFence(handle, fence, allocator);
}

void trace_vkDestroySemaphore(VkDevice handle, VkSemaphore semaphore,
                              const VkAllocationCallbacks *allocator)
{
    device *d = device_of(handle);
    forget_waitable(d, &d->semaphores, NUMBER(semaphore));
    d->next.vkDestroySemaphore(handle, semaphore, allocator);
}

#define HOOK_SEMAPHORES(wait, value_of)                                                          \
    VkResult trace_##value_of(VkDevice handle, VkSemaphore semaphore, uint64_t *value)           \
    {                                                                                            \
        device *d = device_of(handle);                                                           \
        VkResult code = d->next.value_of(handle, semaphore, value);                              \
        if (code == VK_SUCCESS)                                                                  \
            end_with(d, &d->semaphores, NUMBER(semaphore), *value);                              \
        return code;                                                                             \
    }                                                                                            \
    VkResult trace_##wait(VkDevice handle, const VkSemaphoreWaitInfo *info, uint64_t timeout)    \
    {                                                                                            \
        device *d = device_of(handle);                                                           \
        VkResult code = d->next.wait(handle, info, timeout);                                     \
        for (uint32_t i = 0; code == VK_SUCCESS && i < info->semaphoreCount; i++) {              \
            uint64_t value = info->pValues[i];                                                   \
            bool is_any = info->flags & VK_SEMAPHORE_WAIT_ANY_BIT && info->semaphoreCount > 1;   \
            if (!is_any || d->next.value_of(handle, info->pSemaphores[i], &value) == VK_SUCCESS) \
                end_with(d, &d->semaphores, NUMBER(info->pSemaphores[i]), value);                \
        }                                                                                        \
        return code;                                                                             \
    }
HOOK_SEMAPHORES(vkWaitSemaphores, vkGetSemaphoreCounterValue)
HOOK_SEMAPHORES(vkWaitSemaphoresKHR, vkGetSemaphoreCounterValueKHR)

#define HOOK_SIGNAL(name)                                                                \
    VkResult trace_##name(VkDevice handle, const VkSemaphoreSignalInfo *info)            \
    {                                                                                    \
        device *d = device_of(handle);                                                   \
        VkResult code = d->next.name(handle, info);                                      \
        if (code == VK_SUCCESS)                                                          \
            raise_value(map_find(&d->semaphores, NUMBER(info->semaphore)), info->value); \
        return code;                                                                     \
    }
HOOK_SIGNAL(vkSignalSemaphore)
HOOK_SIGNAL(vkSignalSemaphoreKHR)

/* ---- submitting ---- */

/* Of one submitting call. */
typedef struct call {
    queue *queue;
    trace_timing timing;
    int64_t begin_ns; /* on the host's clock, if it is needed */
    uint32_t thread;
    bool is_on;
    submission *first; /* that it added; NULL: none */
    uint64_t number;   /* of that */
} call;

/* Asks for fences that the program has not asked for yet. Under the mutex. */
static void poll_fences(queue *q)
{
    const device *d = q->device;
    const submission *last = NULL;
    for (const submission *s = q->first; s; s = s->next) {
        if (s->fence && d->next.vkGetFenceStatus(d->handle, s->fence) != VK_SUCCESS)
            break; /* later ones are signalled later */
        if (s->fence)
            last = s;
    }
    if (last)
        end_until(q, last);
}

/* Whether the run that was not read is known to have ended. Under the mutex. */
static bool has_ended(const commands *c)
{
    for (const submission *s = c->device->ended; s; s = s->next)
        for (size_t i = 0; i < s->count; i++)
            if (s->list[i].commands == c && s->list[i].submission == c->submission)
                return true;
    return false;
}

/* A command buffer runs again. What it left is lost, unless the device has ended with it. */
static void settle_before(commands *c, const call *of)
{
    if (c->is_unread && c->is_simultaneous)
        poll_fences(c->queue);
    if (c->is_unread && (!c->is_simultaneous || has_ended(c)))
        commands_settle(c, of->begin_ns);
    c->is_mixed |= c->is_unread && c->queue != of->queue;
    commands_lose(c, TRACE_OVERWRITTEN);
}

/* `open`: classes of commands that may still run when it begins. */
static void submit_commands(commands *c, const call *of, submission *to, uint8_t open)
{
    uint64_t counted = 0;
    bool is_on = of->is_on && to;
    settle_before(c, of);
    for (size_t i = 0; i < c->span_count; i++) {
        span *s = &c->spans[i];
        s->is_counted = is_on && s->row && (!s->is_kernel || tracer_wants_kernel());
        s->is_overlapped = s->is_unordered || s->earlier & open;
        counted += s->is_counted;
    }
    tracer_enqueued(counted);
    for (size_t i = 0; i < c->span_count; i++)
        if (c->spans[i].is_counted && c->spans[i].query == NO_QUERY)
            tracer_untimed(c->spans[i].row, c->spans[i].reason, 1);
    c->is_unread = c->query_count > 0;
    c->read_count = 0;
    if (c->is_mixed)
        commands_lose(c, TRACE_OVERWRITTEN);
    c->submission = ++c->device->runs;
    c->queue = of->queue;
    c->begin_ns = of->begin_ns;
    c->end_ns = 0;
    c->thread = of->thread;
    submitted *list = to ? kt_make_room(to->list, &to->room, to->count + 1, sizeof *list) : NULL;
    if (list) { /* else it is read when it is recorded again */
        to->list = list;
        list[to->count++] = (submitted){c, c->recording, c->submission};
    }
}

/* A command buffer with the secondary ones in it, which may hold others. `open` as above. */
static void submit_all(commands *c, const call *of, submission *to, uint8_t open)
{
    submit_commands(c, of, to, open);
    for (size_t i = 0; i < c->execution_count; i++) {
        uint8_t before = c->executions[i].open;
        submit_all(c->executions[i].commands, of, to,
                   (uint8_t)((before & WORK_ALL) | (before >> WORK_EARLIER & open)));
    }
}

static void submit_primary(VkCommandBuffer handle, const call *of, submission *to)
{
    commands *c = commands_find(handle);
    queue *q = of->queue;
    if (!c)
        return;
    submit_all(c, of, to, q->open);
    uint8_t left = 0;
    for (int i = 0; i < WORK_CLASSES; i++)
        left |= (uint8_t)((c->open[i] & WORK_ALL) | (c->open[i] >> WORK_EARLIER & q->open));
    q->open = left;
}

/* A batch of a submitting call. NULL: out of memory. */
static submission *add_submission(call *of)
{
    queue *q = of->queue;
    if (q->length == OPEN_MAX)
        end_first(q, false, of->begin_ns);
    submission *s = take_submission(q->device);
    if (!s)
        return NULL;
    if (q->first)
        q->last->next = s;
    else
        q->first = s;
    q->last = s;
    q->length++;
    s->queue = q;
    s->number = ++q->device->submissions;
    set_open(q->device, q->device->open + 1);
    if (!of->first) {
        of->first = s;
        of->number = s->number;
    }
    return s;
}

/* `value` 0: the semaphore is none of a time line. One place is left for a fence. */
static void add_semaphore(const call *of, submission *s, VkSemaphore semaphore, uint64_t value)
{
    if (value > 0 && s && s->signal_count + 1 < SIGNALS_MAX)
        add_signal(s, &of->queue->device->semaphores, NUMBER(semaphore), value);
}

static void add_batch(call *of, const VkSubmitInfo *info)
{
    submission *s = add_submission(of);
    for (uint32_t i = 0; i < info->commandBufferCount; i++)
        submit_primary(info->pCommandBuffers[i], of, s);
    const VkTimelineSemaphoreSubmitInfo *timeline = info->pNext;
    while (timeline && timeline->sType != VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO)
        timeline = timeline->pNext;
    for (uint32_t i = 0; timeline && i < timeline->waitSemaphoreValueCount; i++)
        if (i < info->waitSemaphoreCount)
            add_wait(s, info->pWaitSemaphores[i], timeline->pWaitSemaphoreValues[i]);
    for (uint32_t i = 0; timeline && i < timeline->signalSemaphoreValueCount; i++)
        if (i < info->signalSemaphoreCount)
            add_semaphore(of, s, info->pSignalSemaphores[i], timeline->pSignalSemaphoreValues[i]);
}

static void add_batch_2(call *of, const VkSubmitInfo2 *info)
{
    submission *s = add_submission(of);
    for (uint32_t i = 0; i < info->commandBufferInfoCount; i++)
        submit_primary(info->pCommandBufferInfos[i].commandBuffer, of, s);
    for (uint32_t i = 0; i < info->waitSemaphoreInfoCount; i++)
        add_wait(s, info->pWaitSemaphoreInfos[i].semaphore, info->pWaitSemaphoreInfos[i].value);
    for (uint32_t i = 0; i < info->signalSemaphoreInfoCount; i++)
        add_semaphore(of, s, info->pSignalSemaphoreInfos[i].semaphore,
                      info->pSignalSemaphoreInfos[i].value);
}

static void begin_call(call *of, queue *q)
{
    *of = (call){.queue = q,
                 .timing = tracer_begin(),
                 .begin_ns = clock_now_ns(q->device),
                 .thread = tracer_thread(),
                 .is_on = tracer_is_on()};
    kt_mutex_lock(q->device->mutex);
}

/* The fence ends with the last batch, or with all before it if there is none. */
static void before_driver(call *of, VkFence fence)
{
    queue *q = of->queue;
    submission *last = of->first ? q->last : fence ? add_submission(of) : NULL;
    if (last && fence) {
        last->fence = fence;
        add_signal(last, &q->device->fences, NUMBER(fence), 0);
    }
    kt_mutex_unlock(q->device->mutex);
    tracer_pause(&of->timing);
}

/* The oldest submission of the call that is open. NULL: none is. Under the mutex. */
static submission *first_of(const call *of)
{
    submission *first = of->first;
    return first && first->number != of->number ? of->queue->first : first;
}

/* The driver has refused the submission. Under the mutex. */
static void take_back(const call *of)
{
    for (submission *s = first_of(of); s; s = s->next) {
        for (size_t i = 0; i < s->count; i++)
            commands_lose(s->list[i].commands, TRACE_FAILED);
        s->count = s->wait_count = 0;
        unlink_signals(s);
    }
}

/* For the time line. Submissions that have ended meanwhile keep an unknown end. Under the mutex. */
static void set_end(const call *of)
{
    for (const submission *s = first_of(of); s; s = s->next)
        for (size_t i = 0; i < s->count; i++)
            if (s->list[i].commands->submission == s->list[i].submission)
                s->list[i].commands->end_ns = of->timing.call_end_ns;
}

static void after_driver(call *of, VkResult code)
{
    tracer_resume(&of->timing);
    if (code != VK_SUCCESS || tracer_keeps_events()) {
        kt_mutex_lock(of->queue->device->mutex);
        if (code != VK_SUCCESS)
            take_back(of);
        else
            set_end(of);
        kt_mutex_unlock(of->queue->device->mutex);
    }
    tracer_end(&of->timing);
}

#define HOOK_SUBMIT(name, info_type, add)                                                        \
    VkResult trace_##name(VkQueue handle, uint32_t count, const info_type *infos, VkFence fence) \
    {                                                                                            \
        queue *q = map_find(&queues, NUMBER(handle));                                            \
        if (!q)                                                                                  \
            return device_of(handle)->next.name(handle, count, infos, fence);                    \
        call of;                                                                                 \
        begin_call(&of, q);                                                                      \
        for (uint32_t i = 0; i < count; i++)                                                     \
            add(&of, &infos[i]);                                                                 \
        before_driver(&of, fence);                                                               \
        VkResult code = q->device->next.name(handle, count, infos, fence);                       \
        after_driver(&of, code);                                                                 \
        return code;                                                                             \
    }
HOOK_SUBMIT(vkQueueSubmit, VkSubmitInfo, add_batch)
HOOK_SUBMIT(vkQueueSubmit2, VkSubmitInfo2, add_batch_2)
HOOK_SUBMIT(vkQueueSubmit2KHR, VkSubmitInfo2, add_batch_2)
