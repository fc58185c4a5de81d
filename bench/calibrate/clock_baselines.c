/* SPDX-License-Identifier: MIT */
#include "bench/calibrate/clock_baselines.h"

#include <math.h>

#define GAIN_FIRST  0.5
#define GAIN_SHRINK 0.9
#define GAIN_LAST   1e-4 /* below it, the period stays as it is */
#define NARROW      1.3
#define BASE_NS     INT64_C(10000000000)

const char *clock_method_name(clock_method method)
{
    switch (method) {
    case CLOCK_TWO_SAMPLE: return "two-sample";
    case CLOCK_FILTER: return "filter";
    case CLOCK_NARROW: return "narrow";
    case CLOCK_METHOD_COUNT: break;
    }
    return "?";
}

void clock_baseline_init(clock_baseline *b, clock_method method, double reported_ns)
{
    *b = (clock_baseline){.method = method, .reported_ns = reported_ns, .narrowest_ns = INT64_MAX};
}

static double ratio(const clock_mark *from, const clock_mark *to)
{
    double ns = (double)(to->twice_host_ns - from->twice_host_ns) / 2;
    return ns / (double)(to->ticks - from->ticks);
}

static void add_filter(clock_baseline *b, const clock_mark *mark)
{
    if (b->gain < GAIN_LAST)
        return;
    b->period_ns += b->gain * (ratio(&b->newest, mark) - b->period_ns);
    b->gain *= GAIN_SHRINK;
}

static bool is_narrow(const clock_baseline *b, const clock_mark *mark)
{
    return (double)mark->width_ns <= NARROW * (double)b->narrowest_ns;
}

static const clock_mark *kept_at(const clock_baseline *b, uint32_t index)
{
    return &b->kept[(b->oldest + index) % CLOCK_KEPT];
}

/* How much earlier than the newest one. */
static int64_t age_ns(const clock_baseline *b, uint32_t index)
{
    return (b->newest.twice_host_ns - kept_at(b, index)->twice_host_ns) / 2;
}

static void drop_oldest(clock_baseline *b)
{
    b->oldest = (b->oldest + 1) % CLOCK_KEPT;
    b->count--;
}

/* Of what was taken for narrow at first, some is not, as is seen when a narrower one comes. */
static void add_narrow(clock_baseline *b, const clock_mark *mark)
{
    if (!is_narrow(b, mark))
        return;
    b->newest = *mark;
    if (b->count == CLOCK_KEPT)
        drop_oldest(b);
    b->kept[(b->oldest + b->count++) % CLOCK_KEPT] = *mark;
    while (b->count > 1 && (age_ns(b, 1) >= BASE_NS || !is_narrow(b, kept_at(b, 0))))
        drop_oldest(b);
    if (b->count > 1)
        b->period_ns = ratio(kept_at(b, 0), mark);
}

void clock_baseline_add(clock_baseline *b, const clock_taken *taken)
{
    const kt_clock_pair *pair = &taken->pair;
    const clock_mark mark = {.twice_host_ns = pair->host_before_ns + pair->host_after_ns,
                             .ticks = taken->unwrapped,
                             .width_ns = pair->host_after_ns - pair->host_before_ns};
    if (mark.width_ns < b->narrowest_ns)
        b->narrowest_ns = mark.width_ns;
    if (taken->reset)
        b->count = 0;
    if (b->count == 0) {
        b->period_ns = b->reported_ns;
        b->gain = GAIN_FIRST;
        b->newest = b->kept[b->oldest = 0] = mark;
        b->count = 1;
        return;
    }
    switch (b->method) {
    case CLOCK_TWO_SAMPLE: b->period_ns = ratio(&b->newest, &mark); break;
    case CLOCK_FILTER: add_filter(b, &mark); break;
    case CLOCK_NARROW: add_narrow(b, &mark); return;
    case CLOCK_METHOD_COUNT: return;
    }
    b->newest = mark;
}

int64_t clock_baseline_place(const clock_baseline *b, uint64_t unwrapped)
{
    double ticks = (double)(int64_t)(unwrapped - b->newest.ticks);
    /* Half of an odd number is not whole: it is added to what is rounded. */
    double half_ns = (double)(b->newest.twice_host_ns % 2) / 2;
    return b->newest.twice_host_ns / 2 + llround(ticks * b->period_ns + half_ns);
}
