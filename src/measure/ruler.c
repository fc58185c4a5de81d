/*
 * The timer limits of a device, measured with empty submissions: drivers report too little about
 * their clocks, and some report wrong.
 *
 * The clock resolution is the greatest common divisor of all distances between timestamps. Where
 * that is a single tick, step.c looks for a step of a broken number of ticks, or for the step that
 * the driver reports. The shortest measurable span is the median span of an empty submission;
 * submissions with and without timestamps give the timestamp overhead. Timestamps that never move
 * are untrusted, and the device then has no device time.
 *
 * An elapsed-only clock has no period, width or place on the host's time line, so nothing looks for
 * these. Its resolution is the common divisor of the times of empty submissions, and each row adds
 * the step of the largest sample's float. If a clock of its own times jobs with a copy
 * (kt_backend.copy_clock), empty submissions on that clock give its limits.
 */
#include "measure/ruler.h"

#include "clock/clocks.h"
#include "clock/spans.h"
#include "clock/step.h"
#include "clock/ticks.h"
#include "device/submission.h"
#include "statistics/interval.h"
#include "support/alloc.h"

#include <math.h>
#include <stdio.h>

#define WARMUP_PAIRS  8  /* the first empty steps compile, page in and wake up */
#define PAIRS_MIN     32 /* enough for a median and for stamps to be caught standing still */
#define PAIRS_MAX     1024
#define RULER_TIME_NS INT64_C(100000000) /* a tenth of a second: unnoticed beside any measurement */
#define EMPTY_MAX_NS  1e9                /* a longer empty step is a broken stamp */
/* How much longer than its submission an empty step may seem on a coarse clock. */
#define UNKNOWN_WIDTH_SLACK_NS 1e6

/* What the empty steps showed. */
typedef struct readings {
    double *span_ns, *stamped_wall_ns, *wall_ns; /* PAIRS_MAX each */
    size_t span_count, pair_count;               /* in the arrays */
    double *distance_ticks; /* between stamps, 2 * PAIRS_MAX; not of a clock that gives distances */
    size_t distance_count;
    size_t pairs_taken;      /* at all, after warm-up */
    kt_stamp_state last_bad; /* of the stamps that were not ok */
    bool has_previous;
    uint64_t previous_ticks;
    /* Divides all distances between stamps; 0: none moved. In ns of a clock that gives
     * distances. */
    uint64_t grid_ticks;
    uint64_t first_start_ticks;
    kt_clock_info clocks[KT_CLOCKS_MAX]; /* of the device */
    uint32_t clock;                      /* the latest stamp's */
    bool moves; /* not every step started at the same tick, or was exactly 0 long */
    int64_t begin_ns, end_ns;
} readings;

/* No empty step takes longer. A counter of unknown width may wrap in what is believed beyond
 * need. */
static double longest_ns(const kt_clock_info *clock, double wall_ns)
{
    return clock->valid_bits ? fmin(EMPTY_MAX_NS, kt_ticks_wrap_ns(clock) / 2)
                             : 2 * wall_ns + UNKNOWN_WIDTH_SLACK_NS;
}

static void look_at_ticks(readings *r, const kt_clock_info *clock, uint64_t from, uint64_t to)
{
    uint64_t distance = kt_ticks_distance(from, to, clock->valid_bits);
    r->grid_ticks = kt_common_divisor(distance, r->grid_ticks);
    r->distance_ticks[r->distance_count++] = (double)distance;
}

static void look_at_stamps(readings *r, const kt_clock_info *clock, const kt_stamp *stamp)
{
    if (!r->has_previous)
        r->first_start_ticks = stamp->start_ticks;
    else
        look_at_ticks(r, clock, r->previous_ticks, stamp->start_ticks);
    r->moves |= stamp->start_ticks != r->first_start_ticks;
    look_at_ticks(r, clock, stamp->start_ticks, stamp->end_ticks);
    r->previous_ticks = stamp->end_ticks;
}

/* What a float does not show to the ns divides nothing. */
static void look_at_distance(readings *r, const kt_stamp *stamp, double span_ns)
{
    r->moves |= span_ns > 0;
    if (kt_elapsed_step_ns(stamp->elapsed_ms) == 0)
        r->grid_ticks = kt_common_divisor((uint64_t)llround(span_ns), r->grid_ticks);
}

static void add_stamp(readings *r, const kt_stamp *stamp, double wall_ns)
{
    const kt_clock_info *clock = &r->clocks[stamp->clock];
    const kt_span_bounds host = {.most_ns = longest_ns(clock, wall_ns)};
    double span_ns = 0;
    kt_stamp_state state = kt_stamp_span(clock, stamp, host, &span_ns);
    r->clock = stamp->clock;
    if (state != KT_STAMP_OK) {
        r->last_bad = state;
        return;
    }
    if (kt_method_gives_distances(clock->method))
        look_at_distance(r, stamp, span_ns);
    else
        look_at_stamps(r, clock, stamp);
    r->has_previous = true;
    r->span_ns[r->span_count++] = span_ns;
}

/* Empty steps take so much alike that a few of their distances have a larger divisor than what they
 * move in. The first ones differ more. */
static void look_at_warm_up(readings *r, const kt_stamp *stamp, double wall_ns)
{
    const kt_clock_info *clock = &r->clocks[stamp->clock];
    const kt_span_bounds host = {.most_ns = longest_ns(clock, wall_ns)};
    double span_ns = 0;
    if (kt_method_gives_distances(clock->method) &&
        kt_stamp_span(clock, stamp, host, &span_ns) == KT_STAMP_OK)
        look_at_distance(r, stamp, span_ns);
}

static kt_status take_readings(kt_device *device, void *job_state, int64_t timeout_ns, readings *r)
{
    kt_stamp stamp;
    kt_submission submission;
    r->begin_ns = kt_device_now(device);
    for (uint32_t i = 0;; i++) {
        stamp = (kt_stamp){0};
        kt_status status =
            kt_submit_and_wait(device, job_state, 1, timeout_ns, &stamp, false, &submission);
        if (status != KT_OK)
            return status;
        double stamped_wall_ns = kt_submission_wall_ns(&submission);
        status = kt_submit_and_wait(device, job_state, 1, timeout_ns, NULL, false, &submission);
        if (status != KT_OK)
            return status;
        if (i < WARMUP_PAIRS) {
            look_at_warm_up(r, &stamp, stamped_wall_ns);
            r->begin_ns = kt_device_now(device);
            continue;
        }
        r->pairs_taken++;
        add_stamp(r, &stamp, stamped_wall_ns);
        r->stamped_wall_ns[r->pair_count] = stamped_wall_ns;
        r->wall_ns[r->pair_count++] = kt_submission_wall_ns(&submission);
        r->end_ns = kt_device_now(device);
        bool full = r->pair_count == PAIRS_MAX;
        bool long_enough = r->end_ns - r->begin_ns >= RULER_TIME_NS;
        if ((full && (r->moves || !r->has_previous)) || (long_enough && r->pair_count >= PAIRS_MIN))
            return KT_OK;
        /* A coarse clock on a quick device: only time can tell it from one that stands. */
        if (full)
            r->pair_count = r->span_count = r->distance_count = 0;
    }
}

/* Sorts them. */
static double median(double *values, size_t n)
{
    kt_sort(values, n);
    return kt_median(values, n);
}

/* Where stamps hardly ever move within an empty step, it is shorter than a step of the clock, and
 * the share of those that such a step falls into says by how much; NAN: into none. */
static double floor_of(double *span_ns, size_t n, double grid_ns)
{
    double middle_ns = median(span_ns, n);
    if (middle_ns > 0)
        return middle_ns;
    size_t zeros = 0;
    while (zeros < n && span_ns[zeros] == 0)
        zeros++;
    return zeros < n ? grid_ns * (double)(n - zeros) / (double)n : NAN;
}

/* Rule 10: a device whose stamps are found to be fake keeps no device time. Empty: they are
 * believed. */
static void judge(const readings *r, bool has_clock, char *why, size_t bytes)
{
    const kt_clock_info *clock = &r->clocks[r->clock];
    bool distances = kt_method_gives_distances(clock->method);
    double took_ms = (double)(r->end_ns - r->begin_ns) * 1e-6;
    *why = '\0';
    if (!has_clock)
        snprintf(why, bytes, "its driver gives no stamps");
    else if (isnan(clock->period_ns) && !distances)
        snprintf(
            why, bytes,
            "the driver does not tell how long a tick of its clock \"%s\" is, and it could not "
            "be found",
            clock->name);
    else if (r->span_count == 0)
        snprintf(why, bytes, "not one of %zu empty steps had usable stamps; the last was %s",
                 r->pairs_taken, kt_stamp_state_name(r->last_bad));
    else if (!r->moves && distances)
        snprintf(why, bytes,
                 "its times are made up: %zu pairs of events in %.0f ms were all exactly 0 apart",
                 r->pairs_taken, took_ms);
    else if (!r->moves)
        snprintf(why, bytes,
                 "its stamps are made up: %zu empty steps in %.0f ms all started at tick %llu",
                 r->pairs_taken, took_ms, (unsigned long long)r->first_start_ticks);
}

/* NaN: of distances, whatever their steps are, none was seen to the ns. */
static double grid_of(const kt_device *device, readings *r)
{
    const kt_clock_info *clock = &r->clocks[r->clock];
    if (kt_method_gives_distances(clock->method))
        return r->grid_ticks ? (double)r->grid_ticks : NAN;
    double told_ticks = (double)kt_device_told_step(device, r->clock);
    if (kt_step_fits(r->distance_ticks, r->distance_count, told_ticks, (double)r->grid_ticks))
        return told_ticks * clock->period_ns;
    double step_ticks =
        r->grid_ticks == 1 ? kt_step_find(r->distance_ticks, r->distance_count) : NAN;
    return (isnan(step_ticks) ? (double)r->grid_ticks : step_ticks) * clock->period_ns;
}

static void conclude(kt_device *device, readings *r)
{
    kt_ruler *ruler = &device->ruler;
    *ruler =
        (kt_ruler){.grid_ns = NAN, .floor_ns = NAN, .stamp_cost_ns = NAN, .copy_floor_ns = NAN};
    judge(r, device->info.clock_count > 0, ruler->why, sizeof ruler->why);
    ruler->believed = !ruler->why[0];
    ruler->overhead_ns = median(r->wall_ns, r->pair_count);
    if (ruler->believed) {
        ruler->grid_ns = grid_of(device, r);
        ruler->floor_ns = floor_of(r->span_ns, r->span_count, ruler->grid_ns);
        ruler->stamp_cost_ns = median(r->stamped_wall_ns, r->pair_count) - ruler->overhead_ns;
    }
}

/* The step is that of the clock of empty steps, since both count the same ticks. */
static void conclude_copies(kt_device *device, readings *r)
{
    kt_ruler *ruler = &device->ruler;
    snprintf(ruler->copy_clock, sizeof ruler->copy_clock, "%s",
             r->clocks[device->backend->copy_clock].name);
    judge(r, true, ruler->copy_why, sizeof ruler->copy_why);
    if (!ruler->copy_why[0])
        ruler->copy_floor_ns = floor_of(r->span_ns, r->span_count, ruler->grid_ns);
}

static kt_status measure_copies(kt_device *device, int64_t timeout_ns, readings *r)
{
    void *job_state = NULL;
    *r = (readings){.span_ns = r->span_ns,
                    .stamped_wall_ns = r->stamped_wall_ns,
                    .wall_ns = r->wall_ns,
                    .distance_ticks = r->distance_ticks};
    kt_device_copy_clocks(device, r->clocks);
    kt_status status = kt_empty_job_init(device, true, &job_state);
    if (status == KT_OK)
        status = take_readings(device, job_state, timeout_ns, r);
    if (status == KT_OK)
        conclude_copies(device, r);
    kt_empty_job_fini(device, &job_state);
    return status;
}

static kt_status make_ruler(kt_device *device, int64_t timeout_ns)
{
    readings r = {0};
    void *job_state = NULL;
    kt_clock *followed[KT_CLOCKS_MAX] = {NULL};
    const kt_clock_options defaults = {.size = sizeof defaults};
    double *values = kt_alloc(5 * (size_t)PAIRS_MAX, sizeof *values);
    if (!values)
        return KT_NO_MEMORY;
    r.span_ns = values;
    r.stamped_wall_ns = values + PAIRS_MAX;
    r.wall_ns = values + 2 * (size_t)PAIRS_MAX;
    r.distance_ticks = values + 3 * (size_t)PAIRS_MAX;
    kt_status status = kt_empty_job_init(device, false, &job_state);
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
    if (status == KT_OK && device->ruler.believed && device->backend->copy_clock)
        status = measure_copies(device, timeout_ns, &r);
    device->has_ruler = status == KT_OK;
    kt_clocks_close(followed);
    kt_empty_job_fini(device, &job_state);
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

/* ---- what it says of a job ---- */

static bool is_of_copy_clock(const kt_job *job)
{
    bool has_copy = false;
    for (uint32_t i = 0; i < job->desc.step_count; i++)
        has_copy |= job->desc.steps[i].kind == KT_STEP_COPY;
    return has_copy && job->device->ruler.copy_clock[0];
}

const char *kt_job_distrust(const kt_job *job)
{
    const kt_ruler *ruler = &job->device->ruler;
    if (!ruler->believed)
        return ruler->why;
    return is_of_copy_clock(job) && ruler->copy_why[0] ? ruler->copy_why : NULL;
}

double kt_job_floor_ns(const kt_job *job)
{
    const kt_ruler *ruler = &job->device->ruler;
    return is_of_copy_clock(job) ? ruler->copy_floor_ns : ruler->floor_ns;
}
