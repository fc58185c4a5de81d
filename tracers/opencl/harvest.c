/* SPDX-License-Identifier: MIT */
/* harvest.c - commands in flight, and reading their timestamps when they have ended.
 *
 * Each queue has a ring. Whoever enqueues takes the next place and writes the event last. A harvest
 * reads from the oldest place on; in a queue in order it stops at the first command that has not
 * ended. In one out of order, those that have not ended stay together at the tail: where one ends,
 * the oldest takes its place. A harvest never waits: the command may wait for an event that this
 * thread is about to set. */
#include "layer.h"

#include "support/alloc.h"

#include <math.h>
#include <stdint.h>

static char mark;
#define NO_EVENT ((void *)&mark) /* the queue gives no timestamps */

enum {
    SPANS = 128, /* recorded at once */
    /* At so many a harvest of a queue out of order ends: of those known, and of further ones. */
    UNFINISHED_MAX = 32,
    YOUNGEST_CLOCK_NS = 1000,
    CLOCK_READS = 8, /* commands of a harvest that tell of the device's clock */
};

static layer_command *command_at(const layer_queue *queue, uint64_t number)
{
    return atomic_load_explicit(&queue->commands, memory_order_acquire) + number % LAYER_IN_FLIGHT;
}

/* ---- what a harvest has read ---- */

typedef struct harvest {
    layer_queue *queue;
    uint64_t tail;
    trace_span spans[SPANS];
    size_t span_count;
    /* Consecutive calls without a time. */
    trace_row *row;
    trace_reason reason;
    uint64_t untimed;
    layer_bounds bounds;
    unsigned clock_reads;
} harvest;

static void flush_untimed(harvest *h)
{
    if (h->untimed)
        tracer_untimed(h->row, h->reason, h->untimed);
    h->untimed = 0;
}

static void add_untimed(harvest *h, trace_row *row, trace_reason reason)
{
    if (h->untimed && (h->row != row || h->reason != reason))
        flush_untimed(h);
    h->row = row;
    h->reason = reason;
    h->untimed++;
}

static void flush_spans(harvest *h)
{
    if (h->span_count)
        tracer_record(h->queue->device->trace, h->spans, h->span_count);
    h->span_count = 0;
}

static void flush(harvest *h)
{
    flush_spans(h);
    flush_untimed(h);
    if (h->clock_reads)
        layer_device_narrow(h->queue->device, h->bounds);
}

/* ---- one command ---- */

static bool read_time(cl_event event, cl_profiling_info which, int64_t *ns)
{
    cl_ulong value = 0;
    if (layer_next.clGetEventProfilingInfo(event, which, sizeof value, &value, NULL) != CL_SUCCESS)
        return false;
    *ns = (int64_t)value;
    return true;
}

/* A command is queued during its call, and starts after the call has begun. */
static void read_clock(harvest *h, cl_event event, const trace_span *span)
{
    int64_t queued_ns;
    layer_bounds *b = &h->bounds;
    h->clock_reads++;
    b->low = fmax(b->low, (double)span->call_begin_ns - (double)span->begin_ns);
    if (read_time(event, CL_PROFILING_COMMAND_QUEUED, &queued_ns) && queued_ns) {
        b->low = fmax(b->low, (double)span->call_begin_ns - (double)queued_ns);
        b->high = fmin(b->high, (double)span->call_end_ns - (double)queued_ns);
    }
}

static void read_origin(harvest *h, uint64_t number, cl_event event, trace_span *span)
{
    const layer_origin *origin = &h->queue->origins[number % LAYER_IN_FLIGHT];
    span->call_begin_ns = origin->begin_ns;
    span->call_end_ns = origin->end_ns;
    span->thread = origin->thread;
    if (origin->end_ns && h->clock_reads < CLOCK_READS)
        read_clock(h, event, span);
}

/* Some drivers give each command the same times (rusticl of Mesa 22.3: START is 2 ns). No clock is
 * so young, and in a queue in order no two commands run at once. */
static bool is_made_up(layer_queue *queue, const trace_span *span)
{
    if (span->begin_ns < YOUNGEST_CLOCK_NS)
        return true;
    const bool same = span->begin_ns == queue->last_begin_ns &&
                      span->end_ns == queue->last_end_ns && span->end_ns > span->begin_ns;
    queue->last_begin_ns = span->begin_ns;
    queue->last_end_ns = span->end_ns;
    return same && atomic_load_explicit(&queue->is_in_order, memory_order_relaxed);
}

static void settle(harvest *h, uint64_t number, cl_event event, bool has_failed)
{
    layer_queue *queue = h->queue;
    const layer_command *command = command_at(queue, number);
    trace_span *span = &h->spans[h->span_count];
    if (has_failed) {
        add_untimed(h, command->row, TRACE_FAILED);
    } else if (!read_time(event, CL_PROFILING_COMMAND_START, &span->begin_ns) ||
               !read_time(event, CL_PROFILING_COMMAND_END, &span->end_ns)) {
        add_untimed(h, command->row, TRACE_NO_TIMESTAMPS);
    } else if (is_made_up(queue, span)) {
        add_untimed(h, command->row, TRACE_UNTRUSTED);
    } else {
        span->row = command->row;
        span->bytes = command->bytes;
        span->queue = queue->number;
        span->overlapped = false;
        span->call_end_ns = 0;
        if (queue->origins)
            read_origin(h, number, event, span);
        if (++h->span_count == SPANS)
            flush_spans(h);
    }
}

/* False: it has not ended. */
static bool take(harvest *h, uint64_t number, void *kept)
{
    if (kept == NO_EVENT) {
        add_untimed(h, command_at(h->queue, number)->row, TRACE_NO_TIMESTAMPS);
        return true;
    }
    cl_event event = kept;
    cl_int status = CL_COMPLETE;
    const cl_int code = layer_next.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                                  sizeof status, &status, NULL);
    if (code == CL_SUCCESS && status > CL_COMPLETE)
        return false;
    settle(h, number, event, code != CL_SUCCESS || status < 0);
    layer_next.clReleaseEvent(event);
    return true;
}

/* ---- a queue ---- */

/* Who looks for an event from tail to head finds it. */
static void move_oldest(harvest *h, uint64_t number)
{
    const layer_queue *queue = h->queue;
    const layer_command *from = command_at(queue, h->tail);
    layer_command *to = command_at(queue, number);
    to->row = from->row;
    to->bytes = from->bytes;
    if (queue->origins)
        queue->origins[number % LAYER_IN_FLIGHT] = queue->origins[h->tail % LAYER_IN_FLIGHT];
    void *kept = atomic_load_explicit(&from->event, memory_order_relaxed);
    atomic_store_explicit(&to->event, kept, memory_order_release);
}

/* The place of a command that has ended. */
static inline void free_place(harvest *h, uint64_t number)
{
    if (number != h->tail)
        move_oldest(h, number);
    atomic_store_explicit(&command_at(h->queue, h->tail)->event, NULL, memory_order_release);
    h->tail++;
}

/* At those that had not ended, from where it was last left. */
static void look_again(harvest *h)
{
    layer_queue *queue = h->queue;
    unsigned unfinished = 0;
    for (uint64_t left = queue->scanned - h->tail; left && unfinished < UNFINISHED_MAX; left--) {
        queue->cursor %= queue->scanned - h->tail;
        const uint64_t number = queue->scanned - 1 - queue->cursor;
        if (take(h, number,
                 atomic_load_explicit(&command_at(queue, number)->event, memory_order_relaxed))) {
            free_place(h, number);
        } else {
            queue->cursor++;
            unfinished++;
        }
    }
}

/* At those behind, up to one that its call has not written yet. */
static void look_on(harvest *h)
{
    layer_queue *queue = h->queue;
    const uint64_t head = atomic_load_explicit(&queue->head, memory_order_acquire);
    const bool in_order = atomic_load_explicit(&queue->is_in_order, memory_order_relaxed);
    unsigned unfinished = 0;
    uint64_t number = queue->scanned;
    for (; number != head && unfinished < UNFINISHED_MAX; number++) {
        layer_command *command = command_at(queue, number);
        void *kept = atomic_load_explicit(&command->event, memory_order_acquire);
        if (kept && take(h, number, kept))
            free_place(h, number);
        else if (!kept || in_order)
            break;
        else
            unfinished++;
    }
    queue->scanned = number;
}

static void CL_CALLBACK harvest_on_callback(cl_event event, cl_int status, void *queue)
{
    (void)event, (void)status;
    layer_harvest(queue);
}

/* No call of the program need follow its last release of a queue, which lives as long as events of
 * ours. So the driver is asked to call back, if in order for the newest one alone. */
static void hand_over(const harvest *h)
{
    layer_queue *queue = h->queue;
    const uint64_t head = atomic_load_explicit(&queue->head, memory_order_acquire);
    if (queue->handed_over == head || !layer_next.clSetEventCallback)
        return;
    queue->handed_over = head;
    const bool in_order = atomic_load_explicit(&queue->is_in_order, memory_order_relaxed);
    for (uint64_t number = in_order && head != h->tail ? head - 1 : h->tail; number != head;
         number++) {
        void *kept = atomic_load_explicit(&command_at(queue, number)->event, memory_order_acquire);
        if (kept && kept != NO_EVENT)
            layer_next.clSetEventCallback(kept, CL_COMPLETE, harvest_on_callback, queue);
    }
}

static void harvest_once(layer_queue *queue)
{
    const uint64_t tail = atomic_load_explicit(&queue->tail, memory_order_relaxed);
    const uint64_t head = atomic_load_explicit(&queue->head, memory_order_acquire);
    trace_reading reading = tracer_begin_reading(head - tail);
    harvest h; /* not as a whole set to 0: it is large */
    h.queue = queue;
    h.span_count = 0;
    h.row = NULL;
    h.untimed = 0;
    h.bounds = LAYER_NO_BOUNDS;
    h.clock_reads = 0;
    h.tail = atomic_load_explicit(&queue->tail, memory_order_relaxed);
    look_again(&h);
    look_on(&h);
    if (atomic_load(&queue->references) == 0)
        hand_over(&h);
    atomic_store_explicit(&queue->tail, h.tail, memory_order_release);
    flush(&h);
    tracer_end_reading(&reading);
}

bool layer_is_idle(const layer_queue *queue)
{
    return atomic_load_explicit(&queue->head, memory_order_relaxed) ==
           atomic_load_explicit(&queue->tail, memory_order_relaxed);
}

void layer_harvest(layer_queue *queue)
{
    if (layer_is_idle(queue) || atomic_fetch_add(&queue->requests, 1) != 0)
        return;
    uint32_t done = 1, left;
    do {
        harvest_once(queue);
        left = atomic_fetch_sub(&queue->requests, done) - done;
        done = left;
    } while (left);
}

void layer_harvest_all(void)
{
    for (layer_queue *queue = layer_queues(); queue; queue = queue->next)
        layer_harvest(queue);
}

void layer_forget_all(void)
{
    for (layer_queue *queue = layer_queues(); queue; queue = queue->next) {
        const layer_command *any = atomic_load(&queue->commands);
        for (uint64_t number = queue->tail; any && number != queue->head; number++)
            atomic_store(&command_at(queue, number)->event, NULL);
        queue->scanned = atomic_load(&queue->head);
        atomic_store(&queue->tail, queue->scanned);
        atomic_store(&queue->requests, 0);
    }
}

/* ---- adding ---- */

static bool add_ring(layer_queue *queue)
{
    static _Atomic(bool) is_registered;
    layer_command *commands = kt_alloc_pages(LAYER_IN_FLIGHT * sizeof *commands);
    layer_origin *origins =
        tracer_keeps_events() ? kt_alloc_pages(LAYER_IN_FLIGHT * sizeof *origins) : NULL;
    layer_lock();
    const bool is_made = commands && !atomic_load(&queue->commands);
    if (is_made) {
        queue->origins = origins;
        atomic_store_explicit(&queue->commands, commands, memory_order_release);
    }
    layer_unlock();
    if (!is_made) {
        kt_free_pages(commands, LAYER_IN_FLIGHT * sizeof *commands);
        kt_free_pages(origins, LAYER_IN_FLIGHT * sizeof *origins);
    } else if (!atomic_exchange(&is_registered, true)) {
        layer_harvest_at_exit();
    }
    return atomic_load(&queue->commands) != NULL;
}

static uint64_t in_flight(const layer_queue *queue)
{
    const uint64_t tail = atomic_load_explicit(&queue->tail, memory_order_acquire);
    return atomic_load_explicit(&queue->head, memory_order_relaxed) - tail;
}

void layer_refuse(trace_row *row, trace_reason refusal)
{
    tracer_enqueued(1);
    tracer_untimed(row, refusal, 1);
}

bool layer_has_room(layer_queue *queue, trace_reason *refusal)
{
    if (!atomic_load_explicit(&queue->commands, memory_order_acquire) && !add_ring(queue)) {
        *refusal = TRACE_NO_MEMORY;
        return false;
    }
    if (in_flight(queue) < LAYER_IN_FLIGHT)
        return true;
    *refusal = TRACE_TOO_MANY;
    layer_harvest(queue);
    return in_flight(queue) < LAYER_IN_FLIGHT;
}

/* Takes the next place. False: none is left. */
static bool take_place(layer_queue *queue, uint64_t *place)
{
    uint64_t head = atomic_load_explicit(&queue->head, memory_order_relaxed);
    do {
        if (head - atomic_load_explicit(&queue->tail, memory_order_acquire) >= LAYER_IN_FLIGHT)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&queue->head, &head, head + 1,
                                                    memory_order_acq_rel, memory_order_relaxed));
    *place = head;
    return true;
}

void layer_keep(layer_queue *queue, trace_row *row, cl_event event, uint64_t bytes,
                const trace_timing *timing)
{
    uint64_t place;
    if (!take_place(queue, &place)) { /* other threads took the last ones */
        layer_refuse(row, TRACE_TOO_MANY);
        if (event)
            layer_next.clReleaseEvent(event);
        return;
    }
    tracer_enqueued(1);
    layer_command *command = command_at(queue, place);
    command->row = row;
    command->bytes = bytes;
    if (queue->origins)
        queue->origins[place % LAYER_IN_FLIGHT] =
            (layer_origin){timing->call_begin_ns, timing->call_end_ns, tracer_thread()};
    atomic_store_explicit(&command->event, event ? (void *)event : NO_EVENT, memory_order_release);
    if ((place + 1) % LAYER_HARVEST_CALLS == 0)
        layer_harvest(queue);
}

/* ---- what the program is told of events ---- */

bool layer_keeps(layer_queue *queue, cl_event event)
{
    const uint64_t head = atomic_load_explicit(&queue->head, memory_order_acquire);
    for (uint64_t number = atomic_load_explicit(&queue->tail, memory_order_acquire); number != head;
         number++)
        if (atomic_load_explicit(&command_at(queue, number)->event, memory_order_acquire) ==
            (void *)event)
            return true;
    return false;
}

/* NULL: a user event has none. */
static cl_command_queue handle_of(cl_event event)
{
    cl_command_queue handle = NULL;
    layer_next.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof handle, &handle, NULL);
    return handle;
}

layer_queue *layer_queue_of(cl_event event)
{
    cl_command_queue handle = handle_of(event);
    return handle ? layer_queue_find(handle) : NULL;
}

/* The driver's count without the reference that is ours. */
static cl_int count_references(layer_queue *queue, cl_event event, cl_uint *count)
{
    bool kept, is_still_kept;
    cl_int code;
    layer_harvest(queue);
    is_still_kept = layer_keeps(queue, event);
    do {
        kept = is_still_kept;
        code =
            layer_next.clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof *count, count, NULL);
        is_still_kept = layer_keeps(queue, event);
    } while (kept != is_still_kept);
    *count -= kept;
    return code;
}

static cl_int CL_API_CALL hook_clGetEventInfo(cl_event event, cl_event_info name, size_t bytes,
                                              void *out, size_t *used)
{
    const cl_int code = layer_next.clGetEventInfo(event, name, bytes, out, used);
    const bool counts = name == CL_EVENT_REFERENCE_COUNT;
    const bool polls = name == CL_EVENT_COMMAND_EXECUTION_STATUS;
    if (code != CL_SUCCESS || !out || !(counts || (polls && *(const cl_int *)out <= CL_COMPLETE)))
        return code;
    layer_queue *queue = layer_queue_of(event);
    if (queue && counts)
        return count_references(queue, event, out);
    if (queue)
        layer_harvest(queue);
    return code;
}

static cl_int CL_API_CALL hook_clGetEventProfilingInfo(cl_event event, cl_profiling_info name,
                                                       size_t bytes, void *out, size_t *used)
{
    return layer_hides_times(handle_of(event))
               ? CL_PROFILING_INFO_NOT_AVAILABLE
               : layer_next.clGetEventProfilingInfo(event, name, bytes, out, used);
}

/* ---- when work has ended ---- */

static cl_int CL_API_CALL hook_clFinish(cl_command_queue handle)
{
    layer_queue *queue = layer_queue_find(handle);
    const cl_int code = layer_next.clFinish(handle);
    if (queue)
        layer_harvest(queue);
    return code;
}

static cl_int CL_API_CALL hook_clFlush(cl_command_queue handle)
{
    layer_queue *queue = layer_queue_find(handle);
    const cl_int code = layer_next.clFlush(handle);
    if (queue)
        layer_harvest(queue);
    return code;
}

/* Their queues, of which the first few suffice, are asked for beforehand: another thread may
 * release the events. */
static cl_int CL_API_CALL hook_clWaitForEvents(cl_uint count, const cl_event *events)
{
    layer_queue *waited[8];
    unsigned queue_count = 0;
    for (cl_uint i = 0; events && i < count && queue_count < 8; i++) {
        layer_queue *queue = layer_queue_of(events[i]);
        if (queue && (queue_count == 0 || waited[queue_count - 1] != queue))
            waited[queue_count++] = queue;
    }
    const cl_int code = layer_next.clWaitForEvents(count, events);
    for (unsigned i = 0; i < queue_count; i++)
        layer_harvest(waited[i]);
    return code;
}

void layer_hook_harvests(cl_icd_dispatch *table)
{
    LAYER_HOOK(table, clGetEventInfo);
    LAYER_HOOK(table, clGetEventProfilingInfo);
    LAYER_HOOK(table, clFinish);
    LAYER_HOOK(table, clFlush);
    LAYER_HOOK(table, clWaitForEvents);
}
