#include "tracers/common/writer.h"

#include <kerntime/clock.h>

#define TIMED_FIRST 16 /* calls of a thread that are timed, all but the first; then every */
#define TIMED_EVERY 61 /* a prime, so that it does not follow a pattern of the program */
#define TRIES       32

static int64_t clock_ns; /* time for reading the clock */

void tracer_cost_init(void)
{
    clock_ns = INT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        int64_t begin_ns = kt_host_now_ns(), spent_ns = kt_host_now_ns() - begin_ns;
        clock_ns = spent_ns < clock_ns ? spent_ns : clock_ns;
    }
}

static _Thread_local uint32_t calls; /* of this thread */

void tracer_start(trace_timing *timing)
{
    *timing = (trace_timing){0};
    trace_file_head *head = tracer_head();
    if (!head)
        return;
    tracer_count(head, TRACE_COUNTER_CALLS, 1);
    uint32_t number = calls++;
    timing->is_timed = number > 0 && (number <= TIMED_FIRST || number % TIMED_EVERY == 0);
    timing->reads_clock = timing->is_timed || tracer_state.settings->memory_bytes > 0;
    if (timing->is_timed)
        timing->begin_ns = kt_host_now_ns();
}

/* Each difference of two clock readings contains the cost of one reading, which is subtracted. With
 * the time line, the two readings around the driver's call are tracing's own. */
void tracer_add_timed(const trace_timing *timing)
{
    trace_file_head *head = tracer_head();
    if (!head)
        return;
    int64_t own_ns = kt_host_now_ns() - timing->begin_ns - clock_ns;
    if (timing->call_end_ns)
        own_ns -= timing->call_end_ns - timing->call_begin_ns;
    if (timing->call_end_ns)
        own_ns += tracer_state.settings->memory_bytes > 0 ? clock_ns : -clock_ns;
    uint32_t bucket = kt_histogram_bucket(own_ns > 0 ? (double)own_ns : 0);
    atomic_fetch_add_explicit(&head->cost.timed[bucket], 1, memory_order_relaxed);
}

void tracer_add_reading(int64_t ns)
{
    trace_file_head *head = ns > 0 ? tracer_head() : NULL;
    if (head)
        atomic_fetch_add_explicit(&head->cost.reading_ns, (uint64_t)ns, memory_order_relaxed);
}
