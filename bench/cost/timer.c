/* SPDX-License-Identifier: MIT */
/*
 * What a timer in a queue of the program costs, over a library whose calls return at once: by hand
 * two markers, whose ends are read once a frame; by kerntime a start and a stop, and kt_collect()
 * once a frame. Both in the same queue.
 *
 * Each round takes both ways, there and back (A B B A), on one core: what changes evenly within it
 * is alike in both, and leaves their difference. Of the rounds the median counts.
 */
#define _GNU_SOURCE /* sched_setaffinity */
#include "bench/bench.h"
#include "bench/by_hand/raw.h"
#include "bench/cost/result.h"

#include <kerntime/kerntime.h>
#include <kerntime/timer/opencl.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS     256
#define FRAMES     20  /* in a slice */
#define SPANS      100 /* in a frame */
#define WARM_UP_NS INT64_C(200000000)

enum { RAW, KERNTIME, WAYS };

typedef struct subject {
    void *raw;
    kt_timer_context *context;
    kt_timer *timer;
} subject;

static void subject_close(subject *s)
{
    kt_timer_destroy(&s->timer);
    kt_timer_context_close(&s->context);
    if (s->raw)
        raw_opencl.close(s->raw);
}

static kt_status subject_open(subject *s)
{
    *s = (subject){.raw = raw_opencl.open(STUB_LIBRARY)};
    if (!s->raw)
        return KT_UNAVAILABLE;
    setenv("KERNTIME_LIB_OPENCL", STUB_LIBRARY, 1);
    const kt_opencl_import desc = {.size = sizeof desc, .queue = raw_opencl_queue(s->raw)};
    kt_status status = kt_timer_context_import_opencl(&desc, &s->context);
    if (status == KT_OK)
        status = kt_timer_create(s->context, "null", &s->timer);
    if (status != KT_OK) {
        fprintf(stderr, "kerntime-bench: %s\n", kt_error_text());
        subject_close(s);
    }
    return status;
}

static bool frame(const subject *s, int way)
{
    if (way == RAW)
        return raw_opencl_spans(s->raw, SPANS);
    void *queue = raw_opencl_queue(s->raw);
    bool works = true;
    for (int i = 0; i < SPANS; i++) {
        works &= kt_timer_start(s->timer, queue) == KT_OK;
        works &= kt_timer_stop(s->timer, queue) == KT_OK;
    }
    return works && kt_collect(s->context) == KT_OK;
}

/* ns for a span; NaN if something failed. */
static double slice_ns(const subject *s, int way)
{
    bool works = true;
    int64_t begin_ns = kt_host_now_ns();
    for (int i = 0; i < FRAMES; i++)
        works &= frame(s, way);
    double all_ns = (double)(kt_host_now_ns() - begin_ns);
    return works ? all_ns / (FRAMES * SPANS) : NAN;
}

static void compare(const subject *s, int rounds, double rounds_ns[WAYS][ROUNDS])
{
    for (int64_t begin_ns = kt_host_now_ns(); kt_host_now_ns() - begin_ns < WARM_UP_NS;)
        for (int way = 0; way < WAYS; way++)
            slice_ns(s, way);
    for (int round = 0; round < rounds; round++) {
        double first_ns = slice_ns(s, RAW), second_ns = slice_ns(s, KERNTIME);
        rounds_ns[KERNTIME][round] = (second_ns + slice_ns(s, KERNTIME)) / 2;
        rounds_ns[RAW][round] = (first_ns + slice_ns(s, RAW)) / 2;
    }
}

/* All spans must have been taken in, or something else was measured. */
static int report(const subject *s, int rounds, double rounds_ns[WAYS][ROUNDS])
{
    double added_ns[ROUNDS], low, high;
    kt_timer_context_counts counts;
    kt_timer_context_get_counts(s->context, &counts);
    for (int round = 0; round < rounds; round++)
        added_ns[round] = rounds_ns[KERNTIME][round] - rounds_ns[RAW][round];
    double median_ns = bench_median_ci95(added_ns, rounds, &low, &high);
    if (isnan(median_ns) || counts.in_flight > 0 ||
        counts.recorded < (uint64_t)2 * rounds * FRAMES * SPANS) {
        fprintf(stderr, "kerntime-bench: a span of the null timer failed\n");
        return 1;
    }
    bench_report("timer/null-raw-markers", bench_median(rounds_ns[RAW], rounds), "ns");
    bench_report("timer/null-start-stop", bench_median(rounds_ns[KERNTIME], rounds), "ns");
    bench_report("timer/null-added", median_ns, "ns");
    bench_report("timer/null-added-low", low, "ns");
    bench_report("timer/null-added-high", high, "ns");
    return result_series("timer", NULL, rounds_ns[KERNTIME], rounds_ns[RAW], (size_t)rounds);
}

int bench_timer(void)
{
    static double rounds_ns[WAYS][ROUNDS];
    int rounds = result_rounds(ROUNDS);
    subject s;
    if (subject_open(&s) != KT_OK)
        return 1;
#ifdef CPU_SET
    cpu_set_t all, one;
    int core = sched_getcpu();
    bool pinned = core >= 0 && sched_getaffinity(0, sizeof all, &all) == 0;
    if (pinned) {
        CPU_ZERO(&one);
        CPU_SET(core, &one);
        sched_setaffinity(0, sizeof one, &one);
    }
#endif
    compare(&s, rounds, rounds_ns);
#ifdef CPU_SET
    if (pinned)
        sched_setaffinity(0, sizeof all, &all);
#endif
    int failed = report(&s, rounds, rounds_ns);
    subject_close(&s);
    return failed;
}
