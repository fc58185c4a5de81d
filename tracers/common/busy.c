/* SPDX-License-Identifier: MIT */
#include "tracers/common/busy.h"

#include <string.h>

/* Length of the sorted part at the begin of `spans`. */
static size_t run_length(const trace_interval *spans, size_t count)
{
    size_t n = count > 0;
    while (n < count && spans[n - 1].begin_ns <= spans[n].begin_ns)
        n++;
    return n;
}

static void merge(const trace_interval *a, size_t n, const trace_interval *b, size_t m,
                  trace_interval *out)
{
    while (n && m) {
        if (b->begin_ns < a->begin_ns) {
            *out++ = *b++;
            m--;
        } else {
            *out++ = *a++;
            n--;
        }
    }
    memcpy(out, a, n * sizeof *a);
    memcpy(out + n, b, m * sizeof *b);
}

/* Merges neighbouring sorted parts until one is left. */
void trace_sort_intervals(trace_interval *spans, trace_interval *scratch, size_t count)
{
    trace_interval *from = spans, *to = scratch;
    while (run_length(from, count) < count) {
        for (size_t done = 0; done < count;) {
            size_t n = run_length(from + done, count - done);
            size_t m = run_length(from + done + n, count - done - n);
            merge(from + done, n, from + done + n, m, to + done);
            done += n + m;
        }
        trace_interval *merged = to;
        to = from;
        from = merged;
    }
    if (from != spans)
        memcpy(spans, from, count * sizeof *spans);
}

/* Of moments in their order: as doubles they would lose their last digits after 104 days. */
static double between(int64_t begin_ns, int64_t end_ns)
{
    return (double)((uint64_t)end_ns - (uint64_t)begin_ns);
}

static void fold(trace_union *to, trace_interval span)
{
    if (to->spans++ == 0) {
        *to = (trace_union){.spans = 1, .first_ns = span.begin_ns, .last_ns = span.begin_ns};
        to->folded_ns = span.begin_ns;
    }
    if (span.begin_ns < to->folded_ns)
        to->late++;
    else
        to->folded_ns = span.begin_ns;
    if (span.begin_ns < to->last_ns)
        to->overlap_ns +=
            between(span.begin_ns, span.end_ns < to->last_ns ? span.end_ns : to->last_ns);
    if (span.end_ns <= to->last_ns)
        return;
    to->busy_ns += between(span.begin_ns > to->last_ns ? span.begin_ns : to->last_ns, span.end_ns);
    to->last_ns = span.end_ns;
}

void trace_fold(trace_union *to, const trace_interval *sorted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fold(to, sorted[i]);
}

static uint32_t room_of(const trace_window *window)
{
    return window->room ? window->room : TRACE_WINDOW_SPANS;
}

/* Makes the other side from this one. */
static uint32_t fold_half(trace_window *window, uint32_t current)
{
    static trace_interval scratch[TRACE_WINDOW_SPANS];
    uint32_t other = !current, room = room_of(window), half = room / 2;
    trace_interval *spans = window->sides[other].spans;
    memcpy(spans, window->sides[current].spans, room * sizeof *spans);
    trace_sort_intervals(spans, scratch, room);
    window->sides[other].folded = window->sides[current].folded;
    trace_fold(&window->sides[other].folded, spans, half);
    memmove(spans, spans + half, (room - half) * sizeof *spans);
    atomic_store_explicit(&window->sides[other].count, room - half, memory_order_relaxed);
    atomic_store_explicit(&window->current, other, memory_order_release);
    return other;
}

bool trace_window_is_full(const trace_window *window)
{
    uint32_t current = atomic_load_explicit(&window->current, memory_order_relaxed) & 1;
    return atomic_load_explicit(&window->sides[current].count, memory_order_relaxed) >=
           room_of(window);
}

void trace_window_add(trace_window *window, int64_t begin_ns, int64_t end_ns)
{
    uint32_t current = atomic_load_explicit(&window->current, memory_order_relaxed) & 1;
    if (trace_window_is_full(window))
        current = fold_half(window, current);
    uint32_t count = atomic_load_explicit(&window->sides[current].count, memory_order_relaxed);
    window->sides[current].spans[count] = (trace_interval){begin_ns, end_ns};
    atomic_store_explicit(&window->sides[current].count, count + 1, memory_order_release);
}
