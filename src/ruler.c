/*
 * How fine a device's clock really is, measured with empty steps: drivers tell too little about it,
 * and some tell wrong.
 */
#include "interval.h"
#include "submission.h"
#include "support/alloc.h"
#include "ticks.h"

#include <math.h>
#include <stdio.h>

#define WARMUP_PAIRS  8  /* the first empty steps compile, page in and wake up */
#define PAIRS_MIN     32 /* enough for a median and for stamps to be caught standing still */
#define PAIRS_MAX     1024
#define RULER_TIME_NS INT64_C(100000000) /* a tenth of a second: unnoticed beside any measurement */
#define EMPTY_MAX_NS  1e9                /* a longer empty step is a broken stamp */

/* What the empty steps showed. */
typedef struct readings {
    double *span_ns, *stamped_wall_ns, *wall_ns; /* PAIRS_MAX each */
    size_t span_count, pair_count;               /* in the arrays */
    size_t pairs_taken;                          /* at all, after warm-up */
    kt_stamp_state last_bad;                     /* of the stamps that were not ok */
    bool has_previous;
    uint64_t previous_ticks;
    uint64_t grid_ticks; /* divides all distances between stamps; 0: none moved */
    uint64_t first_start_ticks;
    double period_ns;
    bool moves; /* not every step started at the same tick */
    int64_t begin_ns, end_ns;
} readings;

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The distance between two stamps, whichever came first. */
static uint64_t distance(uint64_t a, uint64_t b, uint32_t valid_bits)
{
    uint64_t forward = kt_ticks_delta(a, b, valid_bits), back = kt_ticks_delta(b, a, valid_bits);
    return forward < back ? forward : back;
}

static void add_stamp(readings *r, const kt_device *device, const kt_stamp *stamp)
{
    const kt_clock_info *clock = &device->info.clocks[stamp->clock];
    double longest_ns = fmin(EMPTY_MAX_NS, kt_ticks_wrap_ns(clock) / 2);
    double span_ns = 0;
    kt_stamp_state state = stamp->state;
    if (state == KT_STAMP_OK)
        state = kt_ticks_span(clock, stamp->start_ticks, stamp->end_ticks, 0, longest_ns, &span_ns);
    if (state != KT_STAMP_OK) {
        r->last_bad = state;
        return;
    }
    if (!r->has_previous)
        r->first_start_ticks = stamp->start_ticks;
    else
        r->grid_ticks = greatest_common_divisor(
            distance(r->previous_ticks, stamp->start_ticks, clock->valid_bits), r->grid_ticks);
    r->moves |= stamp->start_ticks != r->first_start_ticks;
    r->grid_ticks = greatest_common_divisor(
        distance(stamp->start_ticks, stamp->end_ticks, clock->valid_bits), r->grid_ticks);
    r->previous_ticks = stamp->end_ticks;
    r->has_previous = true;
    r->period_ns = clock->period_ns;
    r->span_ns[r->span_count++] = span_ns;
}

static kt_status take_readings(kt_device *device, void *job_state, int64_t timeout_ns, readings *r)
{
    kt_stamp stamp;
    kt_submission submission;
    r->begin_ns = kt_device_now(device);
    for (uint32_t i = 0;; i++) {
        stamp = (kt_stamp){0};
        kt_status status =
            kt_submit_and_wait(device, job_state, 1, timeout_ns, &stamp, &submission);
        if (status != KT_OK)
            return status;
        double stamped_wall_ns = kt_submission_wall_ns(&submission);
        status = kt_submit_and_wait(device, job_state, 1, timeout_ns, NULL, &submission);
        if (status != KT_OK)
            return status;
        if (i < WARMUP_PAIRS) {
            r->begin_ns = kt_device_now(device);
            continue;
        }
        r->pairs_taken++;
        add_stamp(r, device, &stamp);
        r->stamped_wall_ns[r->pair_count] = stamped_wall_ns;
        r->wall_ns[r->pair_count++] = kt_submission_wall_ns(&submission);
        r->end_ns = kt_device_now(device);
        bool full = r->pair_count == PAIRS_MAX;
        bool long_enough = r->end_ns - r->begin_ns >= RULER_TIME_NS;
        if ((full && (r->moves || !r->has_previous)) || (long_enough && r->pair_count >= PAIRS_MIN))
            return KT_OK;
        /* A coarse clock on a quick device: only time can tell it from one that stands. */
        if (full)
            r->pair_count = r->span_count = 0;
    }
}

/* Sorts them. */
static double median(double *values, size_t n)
{
    kt_sort(values, n);
    return kt_median(values, n);
}

/* Rule 10: a device whose stamps are found to be fake keeps no device time. */
static void judge(kt_ruler *ruler, const readings *r)
{
    ruler->believed = 1;
    if (r->span_count == 0) {
        ruler->believed = 0;
        snprintf(ruler->why, sizeof ruler->why,
                 "not one of %zu empty steps had usable stamps; the last was %s", r->pairs_taken,
                 kt_stamp_state_name(r->last_bad));
    } else if (!r->moves) {
        ruler->believed = 0;
        snprintf(ruler->why, sizeof ruler->why,
                 "its stamps are made up: %zu empty steps in %.0f ms all started at tick %llu",
                 r->pairs_taken, (double)(r->end_ns - r->begin_ns) * 1e-6,
                 (unsigned long long)r->first_start_ticks);
    }
}

static void conclude(kt_device *device, readings *r)
{
    kt_ruler *ruler = &device->ruler;
    *ruler = (kt_ruler){.grid_ns = NAN, .floor_ns = NAN, .stamp_cost_ns = NAN};
    judge(ruler, r);
    ruler->overhead_ns = median(r->wall_ns, r->pair_count);
    if (ruler->believed) {
        ruler->grid_ns = (double)r->grid_ticks * r->period_ns;
        ruler->floor_ns = median(r->span_ns, r->span_count);
        ruler->stamp_cost_ns = median(r->stamped_wall_ns, r->pair_count) - ruler->overhead_ns;
    }
    device->has_ruler = true;
}

static kt_status make_ruler(kt_device *device, int64_t timeout_ns)
{
    static const kt_backend_step empty = {
        .kind = KT_STEP_EMPTY, .groups = {1, 1, 1}, .group_size = {1, 1, 1}};
    static const kt_backend_job empty_job = {.steps = &empty, .step_count = 1, .repeatable = true};
    readings r = {0};
    kt_status status = KT_NO_MEMORY;
    void *job_state = NULL;
    double *values = kt_alloc(3 * (size_t)PAIRS_MAX, sizeof *values);
    if (!values)
        goto fail;
    r.span_ns = values;
    r.stamped_wall_ns = values + PAIRS_MAX;
    r.wall_ns = values + 2 * (size_t)PAIRS_MAX;
    job_state = kt_alloc(1, device->backend->job_size);
    if (!job_state)
        goto fail;
    status = device->backend->job_init(job_state, device->state, &empty_job);
    if (status == KT_OK)
        status = take_readings(device, job_state, timeout_ns, &r);
    if (status == KT_OK)
        conclude(device, &r);
fail:
    if (job_state && device->hung) {
        kt_abandon(job_state);
    } else if (job_state) {
        if (device->backend->job_fini)
            device->backend->job_fini(job_state);
        kt_free(job_state);
    }
    kt_free(values);
    return status;
}

kt_status kt_ruler_ensure(kt_device *device, int64_t timeout_ns)
{
    kt_mutex_lock(device->ruler_mutex);
    kt_status status = device->has_ruler ? KT_OK : make_ruler(device, timeout_ns);
    kt_mutex_unlock(device->ruler_mutex);
    return status;
}
