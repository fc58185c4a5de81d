/* SPDX-License-Identifier: MIT */
/*
 * clock_baselines.h - how a device's timestamps are usually placed on the host's clock: what kerntime's
 * calibration is compared with. Each is written as somebody would who knows the matter. That the
 * counter has a width and may begin anew is kept from them: they get its unwrapped ticks, and are
 * told of a reset.
 */
#ifndef BENCH_CLOCK_BASELINES_H
#define BENCH_CLOCK_BASELINES_H

#include "bench/calibrate/clock_scenario.h"

typedef enum clock_method {
    CLOCK_TWO_SAMPLE, /* period: ratio of the last two pairs; from the newest pair on */
    CLOCK_FILTER, /* period: that ratio through a gain that shrinks from 0.5 and stops; the same */
    CLOCK_NARROW, /* from the newest pair on that is not wider than 1.3 times the narrowest so far; period:
                         ratio over ten seconds between such pairs */
    CLOCK_METHOD_COUNT
} clock_method;

/* "two-sample" */
const char *clock_method_name(clock_method method);

/* More than come within ten seconds. */
#define CLOCK_KEPT 1024

typedef struct clock_mark {
    /* both ends of the bracket added up: twice its middle, without a remainder */
    int64_t twice_host_ns;
    uint64_t ticks;
    int64_t width_ns;
} clock_mark;

typedef struct clock_baseline {
    clock_method method;
    double period_ns; /* as told, until there is a ratio */
    double reported_ns;
    double gain;
    int64_t narrowest_ns;
    uint32_t count, oldest; /* marks kept since the counter began, and where the oldest one is */
    clock_mark newest;
    clock_mark kept[CLOCK_KEPT];
} clock_baseline;

void clock_baseline_init(clock_baseline *b, clock_method method, double reported_ns);

void clock_baseline_add(clock_baseline *b, const clock_taken *taken);

/* After at least one pair. */
int64_t clock_baseline_place(const clock_baseline *b, uint64_t unwrapped);

#endif
