/* SPDX-License-Identifier: MIT */
/* What a timed launch costs, and how fast copies are, each beside the same written by hand. */
#include "bench/bench.h"
#include "bench/by_hand/copies.h"
#include "bench/by_hand/launches.h"
#include "bench/by_hand/raw_cuda.h"
#include "bench/hw/hw.h"
#include "workloads/copy/copy.h"

#include <kerntime/timer/cuda.h>
#include <kerntime/timer/hip.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS     64
#define SLICE      100 /* launches of one way */
#define WARM_UP_NS INT64_C(200000000)

static bool open_raw(hw_device *d, subject *s)
{
    *s = (subject){.name = d->info.id, .api = d->is_hip ? &raw_hip : &raw_cuda};
    s->raw =
        d->is_hip ? raw_hip_open(hw_library(d), d->index) : raw_cuda_open(hw_library(d), d->index);
    return s->raw || subject_fail(s, true, "the device could not be set up");
}

/* Which side failed, and that side's words. */
static void tell_failure(const subject *s, char *error, size_t bytes)
{
    if (s->failed_by_hand)
        snprintf(error, bytes, "by hand: %.100s: %.140s", s->reason, raw_cuda_reason());
    else
        snprintf(error, bytes, "by kerntime: %.240s", s->reason);
}

/* Median and interval of what kerntime takes over what it takes by hand. */
static double ratio_of(const double *kerntime_ns, const double *by_hand_ns, size_t rounds,
                       double *low, double *high)
{
    double ratios[BENCH_VALUES_MAX];
    for (size_t i = 0; i < rounds; i++)
        ratios[i] = kerntime_ns[i] / by_hand_ns[i];
    return bench_median_ci95(ratios, rounds, low, high);
}

/* ---- launches ---- */

static void tell(hw_launch *l, const double *untimed_ns, const double *by_hand_ns,
                 const double *kerntime_ns)
{
    l->untimed_ns = bench_median(untimed_ns, ROUNDS);
    l->by_hand_ns = bench_median(by_hand_ns, ROUNDS);
    l->kerntime_ns = bench_median(kerntime_ns, ROUNDS);
    l->ratio = ratio_of(kerntime_ns, by_hand_ns, ROUNDS, &l->ratio_low, &l->ratio_high);
}

/* As a job, which kerntime runs and waits for. Where it blocks the stream while it queues, that is a
 * launch more, of which nothing is asked. */
static void compare_job(hw_device *d, hw_launch *l)
{
    subject s;
    static double ns[LAUNCH_WAYS][LAUNCH_ROUNDS_MAX];
    kt_job_desc desc = {.size = sizeof desc, .name = "empty"};
    bool works = open_raw(d, &s) &&
                 subject_open(&s, d->info.id, workload_find("empty"), 1, &desc) &&
                 launches_compare(&s, 1, ROUNDS, ns) == 0;
    l->method = s.method;
    if (!works)
        tell_failure(&s, l->error, sizeof l->error);
    subject_close(&s);
    if (works)
        tell(l, ns[LAUNCH_PLAIN], ns[LAUNCH_TIMESTAMPED], ns[LAUNCH_KERNTIME]);
}

typedef struct timed {
    subject *s; /* the stream is its own */
    kt_timer_context *context;
    kt_timer *timer;
} timed;

static bool works_by_kerntime(const timed *t, kt_status status)
{
    return status == KT_OK || subject_fail(t->s, false, kt_error_text());
}

static bool works_by_hand(const timed *t, bool works)
{
    return works || subject_fail(t->s, true, "a launch failed");
}

static bool launch_by_timer(const timed *t)
{
    void *raw = t->s->raw, *stream = raw_cuda_stream(raw);
    return works_by_kerntime(t, kt_timer_start(t->timer, stream)) &&
           works_by_hand(t, raw_cuda_launch(raw)) &&
           works_by_kerntime(t, kt_timer_stop(t->timer, stream)) &&
           works_by_hand(t, raw_cuda_wait(raw)) && works_by_kerntime(t, kt_collect(t->context));
}

/* ns of a launch in a slice of one way; NaN if something failed. */
static double slice_ns(const timed *t, int way)
{
    bool works = true;
    int64_t begin_ns = kt_host_now_ns();
    for (int i = 0; i < SLICE && works; i++)
        works =
            way == LAUNCH_KERNTIME
                ? launch_by_timer(t)
                : works_by_hand(t, t->s->api->dispatch(t->s->raw, way == LAUNCH_TIMESTAMPED, 1));
    double all_ns = (double)(kt_host_now_ns() - begin_ns);
    return works ? all_ns / SLICE : NAN;
}

/* There and back: what changes evenly within a round is alike in all ways. */
static bool take_slices(const timed *t, double ns[LAUNCH_WAYS][LAUNCH_ROUNDS_MAX])
{
    bool works = true;
    for (int64_t begin_ns = kt_host_now_ns(); kt_host_now_ns() - begin_ns < WARM_UP_NS && works;)
        for (int way = 0; way < LAUNCH_WAYS; way++)
            works &= !isnan(slice_ns(t, way));
    for (int round = 0; round < ROUNDS && works; round++) {
        for (int way = 0; way < LAUNCH_WAYS; way++)
            ns[way][round] = 0;
        for (int i = 0; i < 2 * LAUNCH_WAYS; i++) {
            int way = i < LAUNCH_WAYS ? i : 2 * LAUNCH_WAYS - 1 - i;
            ns[way][round] += slice_ns(t, way) / 2;
        }
        for (int way = 0; way < LAUNCH_WAYS; way++)
            works &= !isnan(ns[way][round]);
    }
    return works;
}

static kt_status import(const hw_device *d, timed *t)
{
    if (d->is_hip) {
        const kt_hip_import desc = {.size = sizeof desc, .stream = raw_cuda_stream(t->s->raw)};
        return kt_timer_context_import_hip(&desc, &t->context);
    }
    const kt_cuda_import desc = {.size = sizeof desc, .stream = raw_cuda_stream(t->s->raw)};
    return kt_timer_context_import_cuda(&desc, &t->context);
}

/* Every span must have been taken in, or something else was measured. */
static bool all_are_taken_in(const timed *t)
{
    char reason[128];
    kt_timer_context_counts counts = {0};
    const unsigned spans = 2 * ROUNDS * SLICE;
    kt_timer_context_get_counts(t->context, &counts);
    if (counts.recorded >= spans && counts.in_flight == 0)
        return true;
    snprintf(reason, sizeof reason, "of %u spans and more %llu have a duration", spans,
             (unsigned long long)counts.recorded);
    return subject_fail(t->s, false, reason);
}

static void compare_timer(hw_device *d, hw_launch *l)
{
    subject s;
    timed t = {.s = &s};
    static double ns[LAUNCH_WAYS][LAUNCH_ROUNDS_MAX];
    bool works = open_raw(d, &s) && works_by_kerntime(&t, import(d, &t)) &&
                 works_by_kerntime(&t, kt_timer_create(t.context, "launch", &t.timer)) &&
                 take_slices(&t, ns) && all_are_taken_in(&t);
    kt_timer_destroy(&t.timer);
    kt_timer_context_close(&t.context);
    if (works)
        tell(l, ns[LAUNCH_PLAIN], ns[LAUNCH_TIMESTAMPED], ns[LAUNCH_KERNTIME]);
    else
        tell_failure(&s, l->error, sizeof l->error);
    subject_close(&s);
}

void hw_check_launches(hw_device *d)
{
    void (*const ways[HW_LAUNCHES])(hw_device *, hw_launch *) = {compare_timer, compare_job};
    d->are_launches_taken = true;
    for (int i = 0; i < HW_LAUNCHES; i++) {
        hw_launch *l = &d->launches[i];
        *l = (hw_launch){.untimed_ns = NAN,
                         .by_hand_ns = NAN,
                         .kerntime_ns = NAN,
                         .ratio = NAN,
                         .ratio_low = NAN,
                         .ratio_high = NAN};
        ways[i](d, l);
        if (l->error[0])
            l->verdict = HW_BEYOND;
        else if (l->method != KT_METHOD_EVENT_PAIR_BLOCKED)
            l->verdict = hw_judge_launch(l);
    }
}

/* ---- copies ---- */

/* One round of a direction; memories are made anew for each, since how fast a copy is depends on
 * their pages. */
static bool take_round(hw_device *d, const copy_direction *direction, hw_copy *c, size_t bytes,
                       double ns[COPIES_WAYS])
{
    subject s;
    kt_job_desc desc = {.size = sizeof desc, .name = "copy", .variant = c->direction};
    bool works = open_raw(d, &s);
    if (works && (!raw_cuda_copy_kinds(s.raw, direction->src, direction->dst) ||
                  !s.api->make_copy(s.raw, bytes)))
        works = subject_fail(&s, true, "its memories could not be made");
    works = works && subject_open(&s, d->info.id, &workload_copy, bytes, &desc) &&
            copies_compare(&s, ns) == 0;
    if (!works)
        tell_failure(&s, c->error, sizeof c->error);
    subject_close(&s);
    return works;
}

static void check_direction(hw_device *d, const copy_direction *direction, size_t bytes, int rounds)
{
    double ns[COPIES_WAYS][BENCH_VALUES_MAX], of_round[COPIES_WAYS];
    hw_copy *c = &d->copies[d->copy_count++];
    *c = (hw_copy){.bytes = (double)bytes,
                   .by_hand_ns = NAN,
                   .kerntime_ns = NAN,
                   .ratio = NAN,
                   .ratio_low = NAN,
                   .ratio_high = NAN};
    copy_direction_name(direction, c->direction);
    for (int i = 0; i < rounds; i++) {
        if (!take_round(d, direction, c, bytes, of_round))
            return;
        for (int way = 0; way < COPIES_WAYS; way++)
            ns[way][i] = of_round[way];
    }
    c->by_hand_ns = bench_median(ns[COPIES_RAW], (size_t)rounds);
    c->kerntime_ns = bench_median(ns[COPIES_KERNTIME], (size_t)rounds);
    c->ratio = ratio_of(ns[COPIES_KERNTIME], ns[COPIES_RAW], (size_t)rounds, &c->ratio_low,
                        &c->ratio_high);
}

void hw_check_copies(hw_device *d, size_t bytes, int rounds)
{
    copy_direction directions[COPY_DIRECTIONS_MAX];
    size_t count = copy_directions_of(&d->info, directions);
    for (size_t i = 0; i < count && d->copy_count < HW_COPIES_MAX; i++)
        if (directions[i].way == COPY_COMMAND)
            check_direction(d, &directions[i], bytes, rounds);
}
