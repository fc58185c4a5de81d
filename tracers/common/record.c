/* SPDX-License-Identifier: MIT */
#include "tracers/common/batches.h"
#include "tracers/common/busy.h"
#include "tracers/common/writer.h"

static uint64_t chunk_count; /* of this process; guarded by its lock */

/* The chunk that has room for an event. NULL: the time line is full. It has at least one chunk. */
static trace_file_chunk *open_chunk(trace_file_head *head)
{
    uint64_t offset = atomic_load_explicit(&head->chunks, memory_order_relaxed);
    if (offset) {
        trace_file_chunk *chunk = tracer_at(offset);
        if (atomic_load_explicit(&chunk->count, memory_order_relaxed) < TRACE_CHUNK_EVENTS)
            return chunk;
    } else {
        chunk_count = 0; /* also in a child of fork() */
    }
    if (chunk_count > 0 &&
        (chunk_count + 1) * sizeof(trace_file_chunk) > tracer_state.settings->memory_bytes)
        return NULL;
    uint64_t next = offset;
    offset = tracer_file_reserve(sizeof(trace_file_chunk));
    if (!offset)
        return NULL;
    chunk_count++;
    trace_file_chunk *chunk = tracer_at(offset);
    chunk->next = next;
    atomic_store_explicit(&head->chunks, offset, memory_order_release);
    return chunk;
}

static void keep_event(trace_file_head *head, const trace_span *span)
{
    trace_file_chunk *chunk = open_chunk(head);
    if (!chunk) {
        head->lost_events++;
        return;
    }
    uint32_t count = atomic_load_explicit(&chunk->count, memory_order_relaxed);
    chunk->events[count] = (trace_event){.begin_ns = span->begin_ns,
                                         .end_ns = span->end_ns,
                                         .call_begin_ns = span->call_begin_ns,
                                         .call_end_ns = span->call_end_ns,
                                         .row = tracer_offset(span->row),
                                         .thread = span->thread,
                                         .queue = span->queue};
    atomic_store_explicit(&chunk->count, count + 1, memory_order_release);
}

static void add_bytes(trace_statistics *statistics, uint64_t bytes, double duration_ns)
{
    if (bytes == TRACE_BYTES_UNKNOWN)
        return;
    statistics->bytes += bytes;
    statistics->bytes_count++;
    statistics->bytes_ns += duration_ns;
}

/* Doubles the room of a window. Without disk space it stays as it is. */
static void widen(trace_window *window)
{
    uint32_t room = window->room;
    if (room < TRACE_WINDOW_SPANS &&
        tracer_file_back(window->sides[0].spans + room, room * sizeof(trace_interval)) &&
        tracer_file_back(window->sides[1].spans + room, room * sizeof(trace_interval)))
        window->room = 2 * room;
}

static void record(trace_file_head *head, trace_window *window, const trace_span *span)
{
    if (!span->row)
        return;
    trace_kind kind = tracer_unnamed_kind(span->row);
    trace_file_row *row = kind == TRACE_KIND_COUNT ? (trace_file_row *)span->row : NULL;
    if (span->end_ns < span->begin_ns) {
        if (row)
            atomic_fetch_add_explicit(&row->untimed[TRACE_UNTRUSTED], 1, memory_order_relaxed);
        else
            atomic_fetch_add_explicit(&head->unnamed[kind], 1, memory_order_relaxed);
        return;
    }
    if (window) {
        if (trace_window_is_full(window))
            widen(window);
        trace_window_add(window, span->begin_ns, span->end_ns);
    }
    if (!row) {
        atomic_fetch_add_explicit(&head->unnamed[kind], 1, memory_order_relaxed);
        return;
    }
    /* As doubles the moments would lose their last digits after 104 days. */
    double duration_ns = (double)((uint64_t)span->end_ns - (uint64_t)span->begin_ns);
    trace_statistics_add(&row->statistics, duration_ns);
    add_bytes(&row->statistics, span->bytes, duration_ns);
    row->statistics.overlapped += span->overlapped;
    if (tracer_state.settings->memory_bytes > 0)
        keep_event(head, span);
}

static uint64_t make_window(void)
{
    uint64_t offset = tracer_file_reserve_range(sizeof(trace_window));
    trace_window *window = offset ? tracer_at(offset) : NULL;
    size_t first = TRACE_WINDOW_FIRST * sizeof(trace_interval);
    size_t begin = offsetof(trace_window, sides[0].spans) + first;
    size_t side = sizeof window->sides[0] - sizeof window->sides[0].spans + first;
    if (!window || !tracer_file_back(window, begin) || !tracer_file_back(&window->sides[1], side))
        return 0;
    window->room = TRACE_WINDOW_FIRST;
    return offset;
}

static trace_window *window_of(trace_file_device *device)
{
    uint64_t offset = atomic_load_explicit(&device->window, memory_order_relaxed);
    if (!offset && device->spans == 0) { /* else the first spans would be missing */
        offset = make_window();
        atomic_store_explicit(&device->window, offset, memory_order_release);
    }
    return offset ? tracer_at(offset) : NULL;
}

void tracer_record(trace_device *device, const trace_span *spans, size_t count)
{
    trace_file_head *head = device && count ? tracer_lock_for(count) : NULL;
    if (!head)
        return;
    trace_file_device *at = (trace_file_device *)device;
    trace_window *window = window_of(at);
    for (size_t i = 0; i < count; i++)
        record(head, window, &spans[i]);
    at->spans += count;
    tracer_count(head, TRACE_COUNTER_SETTLED, count);
    tracer_unlock();
}

void tracer_untimed(trace_row *row, trace_reason reason, uint64_t count)
{
    trace_file_head *head = tracer_head();
    if (!head || !row || (unsigned)reason >= TRACE_REASON_COUNT)
        return;
    trace_kind kind = tracer_unnamed_kind(row);
    _Atomic(uint64_t) *counter =
        kind == TRACE_KIND_COUNT ? &((trace_file_row *)row)->untimed[reason] : &head->unnamed[kind];
    atomic_fetch_add_explicit(counter, count, memory_order_relaxed);
    tracer_count(head, TRACE_COUNTER_SETTLED, count);
}

void tracer_enqueued(uint64_t count)
{
    trace_file_head *head = tracer_head();
    if (head)
        tracer_count(head, TRACE_COUNTER_ENQUEUED, count);
}
