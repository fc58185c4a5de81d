/* SPDX-License-Identifier: MIT */
/* timestamps_judge.c - judges the observations of a device's timestamps. Pure. */
#include "cli/doctor/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COARSE_NS 1000 /* a coarser resolution limits measurements on any device */
/* A resolution above this that also exceeds the reported one deserves a warning. */
#define UNLIKE_NS        100
#define MIN_SPAN_NOTE_NS 10e3 /* kernels of some us are common */
#define MIN_SPAN_WARN_NS 1e6  /* kernels of 1 ms are of interest to most users */
#define COST_NOTE_NS     1e3
#define COST_WARN_NS     10e3 /* timestamp overhead as long as many kernels */
/* Uncertainty above which the overhead is unknown, as a share of a submission. */
#define LOOSE_SHARE    0.2
#define USELESS_SHARE  0.5    /* share of bad timestamps above which the rest is suspect */
#define WEBGPU_STEP_NS 65536. /* Dawn rounds timestamps to multiples of this, in ns */

static double reported_tick_ns(const timestamps_seen *seen)
{
    return isnan(seen->reported.period_ns) ? seen->clock.period_ns : seen->reported.period_ns;
}

static bool is_cut_by_dawn(const timestamps_seen *seen)
{
    double steps = seen->limits.resolution_ns / WEBGPU_STEP_NS;
    return strcmp(seen->backend, "webgpu") == 0 && steps >= 1 && steps == floor(steps);
}

/* An elapsed-only clock has no tick to compare with, and a coarse unit hides the resolution. */
static void judge_resolution_of_distances(const timestamps_seen *seen, doctor_diagnostics *out)
{
    double resolution_ns = seen->limits.resolution_ns;
    bool coarse = resolution_ns >= COARSE_NS;
    doctor_diagnostic *f =
        doctor_next(out, "resolution", coarse ? KT_SEVERITY_WARNING : KT_SEVERITY_GOOD);
    doctor_value(f, "resolution_ns", resolution_ns);
    if (isnan(resolution_ns)) {
        f->severity = KT_SEVERITY_NOTE;
        doctor_seen(
            f, "clock resolution unknown: no elapsed time was short enough for a float to show ns");
        return;
    }
    doctor_seen(f, "clock resolution %s", DOCTOR_NS(resolution_ns));
    doctor_means(
        f,
        "device times have an error of up to %s, and long ones that of a float (1 us at 8 s)%s%s%s",
        DOCTOR_NS(resolution_ns), coarse ? "; 1 % accuracy needs " : "",
        coarse ? DOCTOR_NS(100 * resolution_ns) : "", coarse ? " between two events" : "");
    if (coarse)
        doctor_advise(f, "time more work at once: larger sizes or --trials");
}

static void judge_resolution(const timestamps_seen *seen, doctor_diagnostics *out)
{
    double resolution_ns = seen->limits.resolution_ns, tick_ns = reported_tick_ns(seen);
    bool unlike = resolution_ns >= 1.5 * tick_ns;
    bool coarse = resolution_ns >= COARSE_NS || (unlike && resolution_ns >= UNLIKE_NS);
    doctor_diagnostic *f = doctor_next(out, "resolution",
                                       coarse   ? KT_SEVERITY_WARNING
                                       : unlike ? KT_SEVERITY_NOTE
                                                : KT_SEVERITY_GOOD);
    doctor_value(f, "resolution_ns", resolution_ns);
    doctor_value(f, "tick_ns", tick_ns);
    if (is_cut_by_dawn(seen))
        doctor_seen(f, "clock resolution %.0f ns: timestamp quantization is on", resolution_ns);
    else if (unlike)
        doctor_seen(f, "clock resolution %s, although the driver reports a tick of %s",
                    DOCTOR_NS(resolution_ns), DOCTOR_NS(tick_ns));
    else
        doctor_seen(f, "clock resolution %s, one tick", DOCTOR_NS(resolution_ns));
    if (unlike || coarse)
        doctor_means(
            f,
            "device times have an error of up to %s; 1 %% accuracy needs %s between two timestamps",
            DOCTOR_NS(resolution_ns), DOCTOR_NS(100 * resolution_ns));
    if (is_cut_by_dawn(seen))
        doctor_advise(f, "disable the toggle timestamp_quantization (Chrome: chrome://flags, "
                         "WebGPU developer features)");
    else if (coarse)
        doctor_advise(f, "time more work at once: larger sizes or --trials");
}

/* Judges another clock than that of empty steps and kernels: the clock of copies. */
static void judge_copies(const kt_clock_limits *limits, double resolution_ns,
                         doctor_diagnostics *out)
{
    bool trusted = !limits->reason[0];
    doctor_diagnostic *f =
        doctor_next(out, "copy_min_span", trusted ? KT_SEVERITY_GOOD : KT_SEVERITY_FAULT);
    doctor_value(f, "copy_min_span_ns", limits->min_span_ns);
    if (!trusted) {
        doctor_seen(f, "copies are timed by the untrusted clock \"%s\": %s", limits->name,
                    limits->reason);
        doctor_means(f, "copies have no device time; kernels use another clock");
        return;
    }
    double least_ns = fmax(fmax(limits->min_span_ns, resolution_ns), 0);
    doctor_seen(f, "shortest measurable span of copies %s (clock \"%s\", drift not checked)",
                DOCTOR_NS(least_ns), limits->name);
    doctor_means(f, "shorter copies are shown as < %s", DOCTOR_NS(least_ns));
}

static void judge_min_span(const timestamps_seen *seen, doctor_diagnostics *out)
{
    double min_span_ns = seen->limits.min_span_ns;
    doctor_diagnostic *f = doctor_next(out, "min_span",
                                       min_span_ns >= MIN_SPAN_WARN_NS   ? KT_SEVERITY_WARNING
                                       : min_span_ns >= MIN_SPAN_NOTE_NS ? KT_SEVERITY_NOTE
                                                                         : KT_SEVERITY_GOOD);
    doctor_value(f, "min_span_ns", min_span_ns);
    if (isnan(min_span_ns))
        doctor_seen(f, "shortest measurable span unknown: less than the clock resolution of %s",
                    DOCTOR_NS(seen->limits.resolution_ns));
    else if (min_span_ns < seen->limits.resolution_ns)
        doctor_seen(f, "shortest measurable span %s, less than the clock resolution",
                    DOCTOR_NS(min_span_ns));
    else
        doctor_seen(f, "shortest measurable span %s (no work between two timestamps)",
                    DOCTOR_NS(min_span_ns));
    doctor_means(f, "shorter kernels cannot be measured; they are shown as < %s",
                 DOCTOR_NS(fmax(min_span_ns, seen->limits.resolution_ns)));
    if (min_span_ns >= MIN_SPAN_NOTE_NS)
        doctor_advise(
            f,
            "put at least %s of work between two timestamps (--trials): its error is below 10 %%",
            DOCTOR_NS(10 * min_span_ns));
}

/* Whether the machine was too busy to show or exclude a timestamp overhead that matters. */
static bool is_cost_unknown(const timestamps_seen *seen, double cost_ns, double room_ns)
{
    bool loose = room_ns >= COST_WARN_NS ||
                 (room_ns >= COST_NOTE_NS && room_ns >= LOOSE_SHARE * seen->plain_ns);
    return loose && cost_ns - room_ns < COST_WARN_NS;
}

static void tell_cost(const timestamps_seen *seen, doctor_diagnostic *f, double cost_ns,
                      double room_ns)
{
    if (is_cost_unknown(seen, cost_ns, room_ns))
        doctor_seen(
            f,
            "timestamp overhead unknown, measurements scatter too much: less than %s on an empty "
            "submission of %s",
            DOCTOR_NS(fmax(room_ns, cost_ns + room_ns)), DOCTOR_NS(seen->plain_ns));
    else if (cost_ns <= room_ns)
        doctor_seen(f, "timestamp overhead below noise: less than %s on an empty submission of %s",
                    DOCTOR_NS(fmax(room_ns, cost_ns + room_ns)), DOCTOR_NS(seen->plain_ns));
    else
        doctor_seen(
            f, "timestamp overhead %s: an empty submission takes %s with timestamps, %s without",
            DOCTOR_NS(cost_ns), DOCTOR_NS(seen->timestamped_ns), DOCTOR_NS(seen->plain_ns));
}

/* The device's own time contains at most the shortest span of this overhead, which bounds its
 * error. */
static void judge_cost(const timestamps_seen *seen, doctor_diagnostics *out)
{
    double cost_ns = seen->timestamped_ns - seen->plain_ns;
    double room_ns = 2 * hypot(seen->timestamped_error_ns, seen->plain_error_ns);
    double surely_ns = cost_ns - room_ns;
    if (isnan(surely_ns))
        return;
    bool unknown = is_cost_unknown(seen, cost_ns, room_ns), high = surely_ns >= COST_WARN_NS;
    doctor_diagnostic *f = doctor_next(out, "timestamp_overhead",
                                       high                                   ? KT_SEVERITY_WARNING
                                       : unknown || surely_ns >= COST_NOTE_NS ? KT_SEVERITY_NOTE
                                                                              : KT_SEVERITY_GOOD);
    doctor_value(f, "timestamp_overhead_ns", cost_ns);
    doctor_value(f, "timestamp_overhead_error_ns", room_ns);
    doctor_value(f, "wall_timestamped_ns", seen->timestamped_ns);
    doctor_value(f, "wall_ns", seen->plain_ns);
    tell_cost(seen, f, cost_ns, room_ns);
    if (unknown) {
        doctor_means(f, "wall times with timestamps may not be comparable to those without; column "
                        "WALL is without");
        doctor_advise(f, "run kerntime doctor again");
    } else if (surely_ns >= COST_NOTE_NS) {
        doctor_means(f,
                     "WALL is measured without timestamps; in your own program each pair costs %s "
                     "of host time",
                     DOCTOR_NS(cost_ns));
        if (high)
            doctor_advise(f, "timestamp whole batches, not each kernel; do not compare wall times "
                             "with and without timestamps");
    }
}

static void judge_host_clock(const timestamps_seen *seen, doctor_diagnostics *out)
{
    if (!(seen->host_step_ns > 0))
        return;
    doctor_diagnostic *f = doctor_next(out, "host_clock", KT_SEVERITY_NOTE);
    doctor_value(f, "host_resolution_ns", seen->host_step_ns);
    doctor_seen(f, "the host's clock moves in steps of %s", DOCTOR_NS(seen->host_step_ns));
    doctor_means(f, "WALL and copies by the host have an error of up to %s; device times do not",
                 DOCTOR_NS(seen->host_step_ns));
    doctor_advise(f, "in a browser, serve the page with the headers COOP and COEP: 5 or 20 us");
}

/* Meaning of a timestamp state for programs that read the driver's values themselves. */
static const char *state_means(kt_timestamp_state state, bool distances)
{
    if (distances && state == KT_TIMESTAMP_AMBIGUOUS)
        return "longer than the wall time around them";
    switch (state) {
    case KT_TIMESTAMP_NOT_READY: return "not available when the work was complete";
    case KT_TIMESTAMP_ZERO: return "the driver reported success but wrote nothing";
    case KT_TIMESTAMP_ERROR: return "the driver reported an error";
    case KT_TIMESTAMP_NEGATIVE: return "the end is before the start";
    case KT_TIMESTAMP_LOST: return "never written";
    case KT_TIMESTAMP_OVERWRITTEN: return "overwritten before they were read";
    case KT_TIMESTAMP_AMBIGUOUS:
        return "the counter wrapped or reset, and the time across that is unknown";
    default: return "unusable";
    }
}

static const char *state_advice(kt_timestamp_state state, bool most, bool distances)
{
    if (state == KT_TIMESTAMP_AMBIGUOUS && !distances)
        return most ? "use wall times on this device: its counter wraps or resets too often"
                    : "keep timed work shorter than the time until the counter wraps (see width)";
    return most ? "use wall times on this device; try a newer driver"
                : "check the state of each timestamp in your own program; try a newer driver";
}

static void judge_states(const timestamps_seen *seen, doctor_diagnostics *out)
{
    uint32_t counts[KT_TIMESTAMP_STATE_COUNT] = {0}, bad = 0;
    kt_timestamp_state most = KT_TIMESTAMP_OK;
    for (size_t i = 0; i < seen->count; i++)
        counts[seen->raw[i].state]++;
    for (int state = 1; state < KT_TIMESTAMP_STATE_COUNT; state++) {
        bad += counts[state];
        if (counts[state] > 0 && (most == KT_TIMESTAMP_OK || counts[state] > counts[most]))
            most = (kt_timestamp_state)state;
    }
    if (seen->count == 0)
        return;
    bool distances = kt_method_is_elapsed_only(seen->clock.method);
    double share = (double)bad / (double)seen->count;
    doctor_diagnostic *f = doctor_next(out, "states",
                                       bad == 0                 ? KT_SEVERITY_GOOD
                                       : share <= USELESS_SHARE ? KT_SEVERITY_WARNING
                                                                : KT_SEVERITY_FAULT);
    doctor_value(f, "submissions", (double)seen->count);
    for (int state = 1; state < KT_TIMESTAMP_STATE_COUNT; state++)
        if (counts[state] > 0)
            doctor_value(f, kt_timestamp_state_name((kt_timestamp_state)state), counts[state]);
    if (bad == 0) {
        doctor_seen(f, "all %zu timestamp pairs usable: none missing, zero or negative",
                    seen->count);
        return;
    }
    doctor_seen(f, "%u of %zu timestamp pairs unusable, %u of them \"%s\": %s", bad, seen->count,
                counts[most], kt_timestamp_state_name(most), state_means(most, distances));
    doctor_means(
        f, "kerntime counts and discards them; a program that does not check gets wrong times");
    doctor_advise(f, "%s", state_advice(most, share > USELESS_SHARE, distances));
}

static void judge_order(const timestamps_seen *seen, doctor_diagnostics *out)
{
    doctor_order order;
    doctor_order_find(&seen->clock, fmax(seen->limits.resolution_ns, seen->host_step_ns), seen->raw,
                      seen->count, &order);
    if (order.compared == 0)
        return;
    doctor_diagnostic *f =
        doctor_next(out, "order", order.misplaced ? KT_SEVERITY_FAULT : KT_SEVERITY_GOOD);
    doctor_value(f, "compared", order.compared);
    doctor_value(f, "misplaced", order.misplaced);
    if (order.misplaced == 0) {
        doctor_seen(f, "%u consecutive submissions: timestamps in order, no overlap",
                    order.compared + 1);
        return;
    }
    doctor_value(f, "misplaced_ns", order.misplaced_ns);
    doctor_seen(
        f,
        "%u of %u consecutive submissions have timestamps out of order or overlapping, by up to %s",
        order.misplaced, order.compared + 1, DOCTOR_NS(order.misplaced_ns));
    doctor_means(
        f, "the submissions ran one after another, so the timestamps are wrong by up to that much");
    doctor_advise(f, "use wall times on this device");
}

static void judge_steps(const timestamps_seen *seen, doctor_diagnostics *out)
{
    doctor_neighbours found;
    doctor_neighbours_find(&seen->clock, seen->limits.resolution_ns, seen->steps, STEPS_COUNT,
                           seen->steps_count, &found);
    if (found.compared == 0)
        return;
    doctor_diagnostic *f = doctor_next(out, "steps",
                                       found.swapped    ? KT_SEVERITY_FAULT
                                       : found.overlaps ? KT_SEVERITY_WARNING
                                                        : KT_SEVERITY_GOOD);
    doctor_value(f, "compared", found.compared);
    doctor_value(f, "overlaps", found.overlaps);
    doctor_value(f, "swapped", found.swapped);
    doctor_value(f, "step_ns", seen->step_ns);
    if (found.overlaps == 0) {
        doctor_seen(f, "%u commands in one submission: timestamps in order, no overlap%s%s",
                    STEPS_COUNT, isnan(seen->step_ns) ? "" : "; each command adds ",
                    isnan(seen->step_ns) ? "" : DOCTOR_NS(fmax(0, seen->step_ns)));
        return;
    }
    doctor_value(f, "overlap_ns", found.overlap_ns);
    doctor_seen(f,
                "%u of %u pairs of consecutive commands in one submission overlap, by up to %s%s",
                found.overlaps, found.compared, DOCTOR_NS(found.overlap_ns),
                found.swapped ? "; some start before the previous one starts" : "");
    doctor_means(
        f, "these commands run one after another, so single times are wrong by up to that much");
    doctor_advise(f, "time each command in its own submission, or all of them by their total span");
}

static void judge_trusted(const timestamps_seen *seen, doctor_diagnostics *out)
{
    doctor_diagnostic *f = doctor_next(out, "untrusted", KT_SEVERITY_FAULT);
    doctor_value(f, "overhead_ns", seen->limits.overhead_ns);
    doctor_seen(f, "%s", seen->limits.reason);
    doctor_means(f, "no device times, only wall times; an empty submission takes %s",
                 DOCTOR_NS(seen->limits.overhead_ns));
    if (seen->has_clock)
        doctor_advise(f, "do not trust device times of this driver in other tools either");
}

void doctor_judge_timestamps(const timestamps_seen *seen, doctor_diagnostics *out)
{
    if (!seen->limits.trusted) {
        judge_trusted(seen, out);
        return;
    }
    if (kt_method_is_elapsed_only(seen->clock.method))
        judge_resolution_of_distances(seen, out);
    else
        judge_resolution(seen, out);
    judge_min_span(seen, out);
    for (int i = 0; i < KT_CLOCKS_MAX; i++)
        if (seen->limits.clocks[i].name[0])
            judge_copies(&seen->limits.clocks[i], seen->limits.resolution_ns, out);
    judge_cost(seen, out);
    judge_host_clock(seen, out);
    judge_states(seen, out);
    judge_order(seen, out);
    judge_steps(seen, out);
}
