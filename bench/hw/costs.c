/* What a timed launch costs, and how fast copies are, each beside the same written by hand. */
#include "hw.h"

#include "bench.h"
#include "copies.h"
#include "launches.h"
#include "raw_cuda.h"

#include "workloads/copy/copy.h"

#include <kerntime/native/cuda.h>
#include <kerntime/native/hip.h>
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
    return s->raw != NULL;
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

/* As a job, which kerntime runs and waits for. Where it holds the stream while it queues, that is a launch more. */
static bool compare_job(hw_device *d, hw_launch *l)
{
    subject s;
    static double ns[LAUNCH_WAYS][LAUNCH_ROUNDS_MAX];
    kt_job_desc desc = {.size = sizeof desc, .name = "empty"};
    bool works = open_raw(d, &s) &&
                 subject_open(&s, d->info.id, workload_find("empty"), 1, &desc) &&
                 launches_compare(&s, 1, ROUNDS, ns) == 0;
    subject_close(&s);
    if (works)
        tell(l, ns[LAUNCH_PLAIN], ns[LAUNCH_STAMPED], ns[LAUNCH_KERNTIME]);
    return works;
}

typedef struct timed {
    void *raw;
    const raw_api *api;
    kt_native *native;
    kt_timer *timer;
} timed;

static bool launch_by_timer(const timed *t)
{
    void *stream = raw_cuda_stream(t->raw);
    return kt_timer_start(t->timer, stream) == KT_OK && raw_cuda_launch(t->raw) &&
           kt_timer_stop(t->timer, stream) == KT_OK && raw_cuda_wait(t->raw) &&
           kt_collect(t->native) == KT_OK;
}

/* ns of a launch in a slice of one way; NaN if something failed. */
static double slice_ns(const timed *t, int way)
{
    bool works = true;
    int64_t begin_ns = kt_host_now_ns();
    for (int i = 0; i < SLICE && works; i++)
        works = way == LAUNCH_KERNTIME ? launch_by_timer(t)
                                       : t->api->dispatch(t->raw, way == LAUNCH_STAMPED, 1);
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
        const kt_hip_import desc = {.size = sizeof desc, .stream = raw_cuda_stream(t->raw)};
        return kt_native_import_hip(&desc, &t->native);
    }
    const kt_cuda_import desc = {.size = sizeof desc, .stream = raw_cuda_stream(t->raw)};
    return kt_native_import_cuda(&desc, &t->native);
}

/* Every span must have been taken in, or something else was measured. */
static bool compare_timer(hw_device *d, hw_launch *l)
{
    subject s;
    timed t = {0};
    kt_native_counts counts = {0};
    static double ns[LAUNCH_WAYS][LAUNCH_ROUNDS_MAX];
    bool works = open_raw(d, &s);
    t.raw = s.raw;
    t.api = s.api;
    works = works && import(d, &t) == KT_OK &&
            kt_timer_create(t.native, "launch", &t.timer) == KT_OK && take_slices(&t, ns);
    if (works)
        kt_native_get_counts(t.native, &counts);
    works &= counts.recorded >= UINT64_C(2) * ROUNDS * SLICE && counts.in_flight == 0;
    kt_timer_destroy(&t.timer);
    kt_native_close(&t.native);
    subject_close(&s);
    if (works)
        tell(l, ns[LAUNCH_PLAIN], ns[LAUNCH_STAMPED], ns[LAUNCH_KERNTIME]);
    return works;
}

void hw_check_launches(hw_device *d)
{
    bool (*const ways[HW_LAUNCHES])(hw_device *, hw_launch *) = {compare_timer, compare_job};
    d->are_launches_taken = true;
    for (int i = 0; i < HW_LAUNCHES; i++) {
        hw_launch *l = &d->launches[i];
        *l = (hw_launch){NAN, NAN, NAN, NAN, NAN, NAN, HW_NOT_JUDGED, ""};
        if (!ways[i](d, l))
            snprintf(l->error, sizeof l->error, "a launch by hand or by kerntime failed: %s",
                     kt_error_text());
        if (i == HW_BY_TIMER)
            l->verdict = l->ratio <= HW_LAUNCH_RATIO ? HW_WITHIN : HW_BEYOND;
    }
}

/* ---- copies ---- */

/* One round of a direction; memories are made anew for each, since how fast a copy is depends on their pages. */
static bool take_round(hw_device *d, const copy_direction *direction, const char *name,
                       size_t bytes, double ns[COPIES_WAYS])
{
    subject s;
    kt_job_desc desc = {.size = sizeof desc, .name = "copy", .variant = name};
    bool works = open_raw(d, &s) && raw_cuda_copy_kinds(s.raw, direction->src, direction->dst) &&
                 s.api->make_copy(s.raw, bytes) &&
                 subject_open(&s, d->info.id, &workload_copy, bytes, &desc) &&
                 copies_compare(&s, ns) == 0;
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
        if (!take_round(d, direction, c->direction, bytes, of_round)) {
            snprintf(c->error, sizeof c->error, "a copy by hand or by kerntime failed: %s",
                     kt_error_text());
            return;
        }
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
