/* SPDX-License-Identifier: MIT */
/*
 * timer_limits.c - measures the timer limits of a device with empty submissions, because drivers
 * report too little about their clocks, and some report wrong values.
 *
 * The clock resolution is the greatest common divisor of all distances between timestamps. If that
 * is a single tick, step.c looks for a step of a fractional number of ticks, or for the step that
 * the driver reports. The shortest measurable span is the median span of an empty submission.
 * Submissions with and without timestamps give the timestamp overhead. Timestamps that never move
 * are untrusted, and the device then has no device time.
 *
 * An elapsed-only clock has no period, width or place on the host's time line, so nothing looks for
 * these. Its resolution is the common divisor of the times of empty submissions, and each row adds
 * the step of the largest sample's float. A clock that times other steps than
 * empty ones has limits of its own, by empty submissions on that clock.
 */
#include "measure/timer_limits.h"

#include "clock/device/clocks.h"
#include "clock/step.h"
#include "clock/ticks.h"
#include "device/submission.h"
#include "statistics/interval.h"
#include "support/alloc.h"
#include "support/common_divisor.h"
#include "support/host_clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WARMUP_PAIRS         8  /* the first empty steps compile, page in and wake the device */
#define PAIRS_MIN            32 /* enough for medians, and to detect timestamps that never move */
#define PAIRS_MAX            1024
#define TIMER_LIMITS_TIME_NS INT64_C(100000000) /* 0.1 s is little beside any measurement */
#define EMPTY_MAX_NS         1e9 /* an empty step that took longer has a broken timestamp */
/* An empty step may seem this much longer than its submission on a coarse clock. */
#define UNKNOWN_WIDTH_SLACK_NS 1e6

/* Readings from empty submissions. */
typedef struct readings {
    double *span_ns, *timestamped_wall_ns, *wall_ns; /* arrays of PAIRS_MAX values each */
    size_t span_count, pair_count; /* number of values in span_ns; in the other two */
    /* 2 * PAIRS_MAX distances between timestamps; unused by an elapsed-only clock */
    double *distance_ticks;
    size_t distance_count;
    size_t pairs_taken; /* pairs of submissions since warm-up, with and without timestamps */
    kt_timestamp_state last_bad; /* state of the last unusable timestamp */
    bool has_previous;
    uint64_t previous_ticks;
    /* Greatest common divisor of all distances between timestamps; 0: no timestamp moved. In ns for
     * an elapsed-only clock. */
    uint64_t resolution_ticks;
    uint64_t first_start_ticks;
    uint64_t host_divisor; /* greatest common divisor of all distances between host readings */
    int64_t last_host_ns;
    kt_clock_info clocks[KT_CLOCKS_MAX]; /* clocks of the device */
    uint32_t clock;                      /* index of the clock of the latest timestamp */
    bool moves; /* steps started at different ticks, or had elapsed times above 0 */
    int64_t begin_ns, end_ns;
} readings;

/* Upper bound of an empty step's span. Close to the wall time for a counter of unknown width, which
 * may wrap within a longer span. */
static double longest_ns(const kt_clock_info *clock, double wall_ns)
{
    return clock->valid_bits ? fmin(EMPTY_MAX_NS, kt_ticks_wrap_ns(clock) / 2)
                             : 2 * wall_ns + UNKNOWN_WIDTH_SLACK_NS;
}

static void look_at_ticks(readings *r, const kt_clock_info *clock, uint64_t from, uint64_t to)
{
    uint64_t distance = kt_ticks_distance(from, to, clock->valid_bits);
    r->resolution_ticks = kt_common_divisor(distance, r->resolution_ticks);
    r->distance_ticks[r->distance_count++] = (double)distance;
}

static void look_at_timestamps(readings *r, const kt_clock_info *clock,
                               const kt_timestamp *timestamp)
{
    if (!r->has_previous)
        r->first_start_ticks = timestamp->start_ticks;
    else
        look_at_ticks(r, clock, r->previous_ticks, timestamp->start_ticks);
    r->moves |= timestamp->start_ticks != r->first_start_ticks;
    look_at_ticks(r, clock, timestamp->start_ticks, timestamp->end_ticks);
    r->previous_ticks = timestamp->end_ticks;
}

/* Adds an elapsed time. A float too large to show single ns is left out of the common divisor. */
static void look_at_distance(readings *r, const kt_timestamp *timestamp, double span_ns)
{
    r->moves |= span_ns > 0;
    if (kt_elapsed_step_ns(timestamp->elapsed_ms) == 0)
        r->resolution_ticks = kt_common_divisor((uint64_t)llround(span_ns), r->resolution_ticks);
}

static void add_timestamp(readings *r, const kt_timestamp *timestamp, double wall_ns)
{
    const kt_clock_info *clock = &r->clocks[timestamp->clock];
    const kt_span_bounds host = {.most_ns = longest_ns(clock, wall_ns)};
    double span_ns = 0;
    kt_timestamp_state state = kt_timestamp_span(clock, timestamp, host, &span_ns);
    r->clock = timestamp->clock;
    if (state != KT_TIMESTAMP_OK) {
        r->last_bad = state;
        return;
    }
    if (kt_method_is_elapsed_only(clock->method))
        look_at_distance(r, timestamp, span_ns);
    else
        look_at_timestamps(r, clock, timestamp);
    r->has_previous = true;
    r->span_ns[r->span_count++] = span_ns;
}

/* Empty steps take such equal times that a few of them have a larger common divisor than the clock
 * resolution. The first ones differ more. */
static void look_at_warm_up(readings *r, const kt_timestamp *timestamp, double wall_ns)
{
    const kt_clock_info *clock = &r->clocks[timestamp->clock];
    const kt_span_bounds host = {.most_ns = longest_ns(clock, wall_ns)};
    double span_ns = 0;
    if (kt_method_is_elapsed_only(clock->method) &&
        kt_timestamp_span(clock, timestamp, host, &span_ns) == KT_TIMESTAMP_OK)
        look_at_distance(r, timestamp, span_ns);
}

static void look_at_host(readings *r, const kt_submission *submission)
{
    const int64_t read_ns[] = {submission->host_before_ns, submission->host_after_ns};
    for (int i = 0; i < 2; i++) {
        if (r->last_host_ns)
            r->host_divisor =
                kt_common_divisor((uint64_t)(read_ns[i] - r->last_host_ns), r->host_divisor);
        r->last_host_ns = read_ns[i];
    }
}

static kt_status take_readings(kt_device *device, void *job_state, int64_t timeout_ns, readings *r)
{
    kt_timestamp timestamp;
    kt_submission submission;
    r->begin_ns = kt_device_now(device);
    for (uint32_t i = 0;; i++) {
        timestamp = (kt_timestamp){0};
        kt_status status =
            kt_submit_and_wait(device, job_state, 1, timeout_ns, &timestamp, false, &submission);
        if (status != KT_OK)
            return status;
        double timestamped_wall_ns = kt_submission_wall_ns(&submission);
        look_at_host(r, &submission);
        status = kt_submit_and_wait(device, job_state, 1, timeout_ns, NULL, false, &submission);
        if (status != KT_OK)
            return status;
        look_at_host(r, &submission);
        if (i < WARMUP_PAIRS) {
            look_at_warm_up(r, &timestamp, timestamped_wall_ns);
            r->begin_ns = kt_device_now(device);
            continue;
        }
        r->pairs_taken++;
        add_timestamp(r, &timestamp, timestamped_wall_ns);
        r->timestamped_wall_ns[r->pair_count] = timestamped_wall_ns;
        r->wall_ns[r->pair_count++] = kt_submission_wall_ns(&submission);
        r->end_ns = kt_device_now(device);
        bool full = r->pair_count == PAIRS_MAX;
        bool long_enough = r->end_ns - r->begin_ns >= TIMER_LIMITS_TIME_NS;
        if ((full && (r->moves || !r->has_previous)) || (long_enough && r->pair_count >= PAIRS_MIN))
            return KT_OK;
        /* A coarse clock on a fast device: only more time can tell it from a clock that never
         * moves. */
        if (full)
            r->pair_count = r->span_count = r->distance_count = 0;
    }
}

/* Median of the values, which it sorts. */
static double median(double *values, size_t n)
{
    kt_sort(values, n);
    return kt_median(values, n);
}

/* Half the 95 % interval of the median of sorted values; NAN if there are too few. */
static double median_error(const double *sorted, size_t n)
{
    double low, high;
    if (!kt_interval_ranks(n, 0.5, 1, &low, &high))
        return NAN;
    return (kt_at_rank(sorted, n, high) - kt_at_rank(sorted, n, low)) / 2;
}

/* If timestamps rarely move within an empty step, the step is shorter than the clock resolution.
 * Its length is then the resolution times the share of steps that show a move; NAN if none does. */
static double min_span_of(double *span_ns, size_t n, double resolution_ns)
{
    double middle_ns = median(span_ns, n);
    if (middle_ns > 0)
        return middle_ns;
    size_t zeros = 0;
    while (zeros < n && span_ns[zeros] == 0)
        zeros++;
    return zeros < n ? resolution_ns * (double)(n - zeros) / (double)n : NAN;
}

/* Sets the reason why timestamps are untrusted; empty if they are trusted. A device with untrusted
 * timestamps has no device time. */
static void judge(const readings *r, bool has_clock, char *reason, size_t bytes)
{
    const kt_clock_info *clock = &r->clocks[r->clock];
    bool distances = kt_method_is_elapsed_only(clock->method);
    double took_ms = (double)(r->end_ns - r->begin_ns) * 1e-6;
    *reason = '\0';
    if (!has_clock)
        snprintf(reason, bytes, "its driver gives no timestamps");
    else if (isnan(clock->period_ns) && !distances)
        snprintf(
            reason, bytes,
            "the driver does not tell how long a tick of its clock \"%s\" is, and it could not "
            "be found",
            clock->name);
    else if (r->span_count == 0)
        snprintf(reason, bytes, "not one of %zu empty steps had usable timestamps; the last was %s",
                 r->pairs_taken, kt_timestamp_state_name(r->last_bad));
    else if (!r->moves && distances)
        snprintf(reason, bytes, "%zu pairs of events over %.0f ms were all exactly 0 apart",
                 r->pairs_taken, took_ms);
    else if (!r->moves)
        snprintf(reason, bytes, "%zu empty submissions over %.0f ms all returned tick %llu",
                 r->pairs_taken, took_ms, (unsigned long long)r->first_start_ticks);
}

/* Clock resolution in ns. NaN for an elapsed-only clock if no float showed its time to the ns. */
static double resolution_of(const kt_device *device, readings *r)
{
    const kt_clock_info *clock = &r->clocks[r->clock];
    if (kt_method_is_elapsed_only(clock->method))
        return r->resolution_ticks ? (double)r->resolution_ticks : NAN;
    double reported_ticks = (double)kt_device_reported_step(device, r->clock);
    if (kt_step_fits(r->distance_ticks, r->distance_count, reported_ticks,
                     (double)r->resolution_ticks))
        return reported_ticks * clock->period_ns;
    double step_ticks =
        r->resolution_ticks == 1 ? kt_step_find(r->distance_ticks, r->distance_count) : NAN;
    return (isnan(step_ticks) ? (double)r->resolution_ticks : step_ticks) * clock->period_ns;
}

static void conclude(kt_device *device, readings *r)
{
    kt_timer_limits *limits = &device->limits;
    *limits = (kt_timer_limits){.resolution_ns = NAN,
                                .min_span_ns = NAN,
                                .timestamp_overhead_ns = NAN,
                                .timestamp_overhead_error_ns = NAN};
    judge(r, device->info.clock_count > 0, limits->reason, sizeof limits->reason);
    limits->trusted = !limits->reason[0];
    device->host_step_ns = (double)kt_host_coarse_step(r->host_divisor);
    limits->overhead_ns = median(r->wall_ns, r->pair_count);
    if (limits->trusted) {
        limits->resolution_ns = resolution_of(device, r);
        limits->min_span_ns = min_span_of(r->span_ns, r->span_count, limits->resolution_ns);
        limits->timestamp_overhead_ns =
            median(r->timestamped_wall_ns, r->pair_count) - limits->overhead_ns;
        limits->timestamp_overhead_error_ns =
            hypot(median_error(r->timestamped_wall_ns, r->pair_count),
                  median_error(r->wall_ns, r->pair_count));
    }
}

/* The host's clock, which times copies by the host, has no empty steps. */
static void limit_host_clocks(kt_device *device)
{
    double step_ns = device->host_step_ns;
    for (uint32_t i = 1; i < device->info.clock_count && step_ns > 0; i++) {
        kt_clock_limits *limits = &device->limits.clocks[i];
        if (device->info.clocks[i].method != KT_METHOD_HOST_WALL || limits->name[0])
            continue;
        memcpy(limits->name, device->info.clocks[i].name, sizeof limits->name);
        limits->min_span_ns = step_ns;
    }
}

/* Clocks that count the same ticks as that of empty steps share its resolution. */
static bool may_time_steps(const kt_device *device, uint32_t clock)
{
    const kt_clock_info *clocks = device->info.clocks;
    return kt_is_same_timer(&clocks[0], &clocks[clock]) && kt_clock_has_place(&clocks[clock]);
}

/* Whether empty jobs on this clock are timestamped by it. */
static kt_status find_out(kt_device *device, void *job_state, uint32_t clock, int64_t timeout_ns,
                          bool *times)
{
    kt_timestamp timestamp = {0};
    kt_submission submission;
    kt_status status =
        kt_submit_and_wait(device, job_state, 1, timeout_ns, &timestamp, false, &submission);
    *times = timestamp.clock == clock;
    return status;
}

/* Measures the limits of another clock than that of empty steps. */
static kt_status measure_clock(kt_device *device, uint32_t clock, int64_t timeout_ns, readings *r)
{
    kt_clock_limits *limits = &device->limits.clocks[clock];
    void *job_state = NULL;
    bool times = false;
    *r = (readings){.span_ns = r->span_ns,
                    .timestamped_wall_ns = r->timestamped_wall_ns,
                    .wall_ns = r->wall_ns,
                    .distance_ticks = r->distance_ticks};
    kt_device_copy_clocks(device, r->clocks);
    kt_status status = kt_empty_job_init(device, clock, &job_state);
    if (status == KT_OK)
        status = find_out(device, job_state, clock, timeout_ns, &times);
    if (status == KT_OK && times)
        status = take_readings(device, job_state, timeout_ns, r);
    kt_empty_job_fini(device, &job_state);
    if (status != KT_OK || !times)
        return status;
    snprintf(limits->name, sizeof limits->name, "%s", r->clocks[clock].name);
    judge(r, true, limits->reason, sizeof limits->reason);
    limits->min_span_ns =
        limits->reason[0] ? NAN
                          : min_span_of(r->span_ns, r->span_count, device->limits.resolution_ns);
    return KT_OK;
}

static kt_status make_timer_limits(kt_device *device, int64_t timeout_ns)
{
    readings r = {0};
    void *job_state = NULL;
    kt_clock *followed[KT_CLOCKS_MAX] = {NULL};
    const kt_clock_options defaults = {.size = sizeof defaults};
    double *values = kt_alloc(5 * (size_t)PAIRS_MAX, sizeof *values);
    if (!values)
        return KT_NO_MEMORY;
    r.span_ns = values;
    r.timestamped_wall_ns = values + PAIRS_MAX;
    r.wall_ns = values + 2 * (size_t)PAIRS_MAX;
    r.distance_ticks = values + 3 * (size_t)PAIRS_MAX;
    kt_status status = kt_empty_job_init(device, 0, &job_state);
    if (status == KT_OK)
        status = kt_clocks_open(device, &defaults, job_state, timeout_ns, followed);
    kt_device_copy_clocks(device, r.clocks);
    if (status == KT_OK)
        status = take_readings(device, job_state, timeout_ns, &r);
    if (status == KT_OK)
        status = kt_clocks_renew(followed);
    kt_device_copy_clocks(device, r.clocks);
    if (status == KT_OK)
        conclude(device, &r);
    for (uint32_t i = 1; i < device->info.clock_count && device->limits.trusted; i++)
        if (status == KT_OK && may_time_steps(device, i))
            status = measure_clock(device, i, timeout_ns, &r);
    limit_host_clocks(device);
    device->has_timer_limits = status == KT_OK;
    kt_clocks_close(followed);
    kt_empty_job_fini(device, &job_state);
    kt_free(values);
    return status;
}

kt_status kt_timer_limits_ensure(kt_device *device, int64_t timeout_ns)
{
    kt_mutex_lock(device->timer_limits_mutex);
    kt_status status = device->has_timer_limits ? KT_OK : make_timer_limits(device, timeout_ns);
    kt_mutex_unlock(device->timer_limits_mutex);
    return status;
}

/* ---- Limits of a job ---- */

const char *kt_job_untrusted_reason(const kt_job *job)
{
    const kt_timer_limits *limits = &job->device->limits;
    if (!limits->trusted)
        return limits->reason;
    const char *reason = limits->clocks[job->clock].reason;
    return reason[0] ? reason : NULL;
}

double kt_clock_min_span_ns(const kt_device *device, uint32_t clock)
{
    const kt_clock_limits *own = &device->limits.clocks[clock];
    return own->name[0] ? own->min_span_ns : device->limits.min_span_ns;
}

double kt_clock_resolution_ns(const kt_device *device, uint32_t clock)
{
    bool by_host = device->info.clocks[clock].method == KT_METHOD_HOST_WALL;
    return by_host ? fmax(device->limits.resolution_ns, device->host_step_ns)
                   : device->limits.resolution_ns;
}
