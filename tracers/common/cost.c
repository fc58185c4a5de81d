/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* CLOCK_THREAD_CPUTIME_ID */
#include "tracers/common/writer.h"

#include <kerntime/clock.h>

#include <time.h>

#define TIMED_FIRST 16 /* calls of a thread that are timed, all but the first; then every */
#define TIMED_EVERY 61 /* a prime, so that it does not follow a pattern of the program */
#define TRIES       32

#define READING_LARGE 64 /* commands, beside which two system calls are cheap */
/* Small readings of a thread: the first ones are timed, then as many by one of 17 each, and then
 * one of 257. */
#define READINGS_FIRST  16
#define READINGS_EVERY  17
#define READINGS_SELDOM 257
#define READINGS_EARLY  (READINGS_FIRST + READINGS_FIRST * READINGS_EVERY)

static int64_t clock_ns, cpu_clock_ns; /* time for reading each clock */

static int64_t now_of_thread_ns(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t time_of(int64_t (*read)(void))
{
    int64_t least_ns = INT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        int64_t begin_ns = read(), spent_ns = read() - begin_ns;
        least_ns = spent_ns < least_ns ? spent_ns : least_ns;
    }
    return least_ns;
}

void tracer_cost_init(void)
{
    clock_ns = time_of(kt_host_now_ns);
    cpu_clock_ns = time_of(now_of_thread_ns);
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

static _Thread_local uint32_t readings; /* small ones of this thread */

/* How many readings the next small one stands for; 0: an earlier one stands for it. */
static uint32_t weight_of_small(void)
{
    uint32_t number = readings++;
    if (number >= READINGS_EARLY)
        return (number - READINGS_EARLY) % READINGS_SELDOM == 0 ? READINGS_SELDOM : 0;
    if (number >= READINGS_FIRST)
        return (number - READINGS_FIRST) % READINGS_EVERY == 0 ? READINGS_EVERY : 0;
    return 1;
}

trace_reading tracer_begin_reading(uint64_t commands)
{
    trace_reading reading = {.weight = commands < READING_LARGE ? weight_of_small() : 1};
    if (reading.weight)
        reading.begin_ns = now_of_thread_ns();
    return reading;
}

void tracer_pause_reading(trace_reading *reading)
{
    if (reading->weight)
        reading->paused_ns = now_of_thread_ns();
}

void tracer_resume_reading(trace_reading *reading)
{
    if (reading->weight)
        reading->begin_ns += now_of_thread_ns() - reading->paused_ns + cpu_clock_ns;
}

void tracer_end_reading(trace_reading *reading)
{
    trace_file_head *head = reading->weight ? tracer_head() : NULL;
    int64_t ns = head ? now_of_thread_ns() - reading->begin_ns - cpu_clock_ns : 0;
    if (ns > 0)
        atomic_fetch_add_explicit(&head->cost.reading_ns, (uint64_t)ns * reading->weight,
                                  memory_order_relaxed);
    reading->weight = 0;
}
