/* SPDX-License-Identifier: MIT */
/* agreement_judge.c - judges device and wall times of increasingly long kernels. Pure. */
#include "cli/doctor/kernels_judge.h"

#include <math.h>

/* Device time over wall time of kernels that agree; the rest is launching and waiting. */
#define AGREE_FROM  0.95
#define AGREE_TO    1.02 /* upper limit of that ratio: drift of clocks stays below it */
#define SOME_FROM   0.8
#define SLOPE_SLACK 0.03
#define SAME_SLACK  0.1 /* relative variation up to which device over wall time is constant */
/* Shortest span known to within 5 %, in resolution steps of the device clock. */
#define RESOLUTIONS_MIN 20

double agreement_ratio(const agreement_rung *rung)
{
    return rung->device_ns / rung->wall_ns;
}

/* ---- spans ---- */

/* Span of a timestamp discarded because the host saw less time pass. A wrong tick length looks like
 * this. NaN if the counter may have wrapped. */
static double refused_span_ns(const kt_clock_info *clock, const kt_raw *raw, double wall_ns)
{
    if (raw->has_elapsed && raw->state == KT_TIMESTAMP_AMBIGUOUS)
        return (double)raw->elapsed_ms * 1e6;
    if (!clock || !raw->has_timestamps || clock->valid_bits == 0)
        return NAN;
    uint64_t mask = clock->valid_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << clock->valid_bits) - 1;
    double span_ns = (double)((raw->end_ticks - raw->start_ticks) & mask) * clock->period_ns;
    double wrap_ns = ldexp(clock->period_ns, (int)clock->valid_bits);
    bool wraps = wrap_ns < 100 * wall_ns; /* a step back equals most of a wrap forward */
    return raw->state == KT_TIMESTAMP_AMBIGUOUS && !wraps && span_ns < wrap_ns / 2 ? span_ns : NAN;
}

static void add_span(agreement_spans *spans, double device_ns, double wall_ns)
{
    if (spans->count++ > 0 && device_ns / wall_ns <= spans->device_ns / spans->wall_ns)
        return;
    spans->device_ns = device_ns;
    spans->wall_ns = wall_ns;
}

/* A wrong tick length makes all spans too long, except where the host was delayed. A single misread
 * counter makes one span any length. So the larger group counts. */
static void choose_span(agreement_rung *rung)
{
    const agreement_spans *spans =
        rung->refused.count > rung->usable.count ? &rung->refused : &rung->usable;
    if (spans->count == 0)
        return;
    rung->device_ns = spans->device_ns;
    rung->wall_ns = spans->wall_ns;
}

void agreement_look(agreement_rung *rung, const kt_clock_info *clock, const kt_series *series)
{
    size_t ok = 0;
    for (size_t i = 0; i < series->raw_count; i++) {
        const kt_raw *raw = &series->raw[i];
        rung->has_ticks |= !raw->has_elapsed;
        bool usable = raw->state == KT_TIMESTAMP_OK;
        double wall_ns = (double)(raw->host_after_ns - raw->host_before_ns);
        double device_ns = usable ? series->samples_ns[ok++] * series->trials
                                  : refused_span_ns(clock, raw, wall_ns);
        if (!isnan(device_ns)) {
            add_span(usable ? &rung->usable : &rung->refused, device_ns, wall_ns);
            continue;
        }
        rung->unusable++;
        rung->ambiguous += raw->state == KT_TIMESTAMP_AMBIGUOUS;
        rung->state = raw->state;
    }
    choose_span(rung);
}

/* ---- evaluation ---- */

/* Index of the longest kernel length with a device time; `count` if no length has one. */
static uint32_t find_top(const agreement_seen *seen)
{
    for (uint32_t i = seen->count; i-- > 0;)
        if (!isnan(seen->rungs[i].device_ns))
            return i;
    return seen->count;
}

static bool is_too_long(const agreement_seen *seen, const agreement_rung *rung)
{
    return agreement_ratio(rung) > AGREE_TO + 2 * seen->resolution_ns / rung->wall_ns;
}

bool agreement_is_doubtful(const agreement_seen *seen)
{
    const agreement_rung *last = &seen->rungs[seen->count - 1];
    return !(agreement_ratio(last) >= AGREE_FROM) || is_too_long(seen, last);
}

/* Increase of the device time over increase of the wall time from length to length; NaN: only one
 * length. */
static double find_slope(const agreement_seen *seen, uint32_t top)
{
    const agreement_rung *high = &seen->rungs[top];
    for (uint32_t i = 0; i < top; i++) {
        const agreement_rung *low = &seen->rungs[i];
        if (!isnan(low->device_ns))
            return (high->device_ns - low->device_ns) / (high->wall_ns - low->wall_ns);
    }
    return NAN;
}

static bool rung_agrees(const agreement_seen *seen, const agreement_rung *rung)
{
    return agreement_ratio(rung) >= AGREE_FROM && !is_too_long(seen, rung) &&
           rung->device_ns >= RESOLUTIONS_MIN * seen->resolution_ns;
}

/* Index of the shortest kernel length from which device and wall times of all lengths agree. */
static uint32_t find_agreement(const agreement_seen *seen, uint32_t top)
{
    uint32_t from = top;
    for (uint32_t i = top; i-- > 0;) {
        if (isnan(seen->rungs[i].device_ns))
            continue; /* no device time for this length */
        if (!rung_agrees(seen, &seen->rungs[i]))
            break;
        from = i;
    }
    return from;
}

/* Whether wall times of kernels shorter than `from` contain launch time. Lengths too short for the
 * clock show nothing. */
static bool has_launching(const agreement_seen *seen, uint32_t from)
{
    for (uint32_t i = 0; i < from; i++)
        if (agreement_ratio(&seen->rungs[i]) < AGREE_FROM)
            return true;
    return false;
}

static void say_agreement(doctor_diagnostic *f, const agreement_seen *seen, uint32_t top)
{
    uint32_t from = find_agreement(seen, top);
    doctor_value(f, "from_ns", seen->rungs[from].device_ns);
    doctor_seen(f, "device time is %.3f of wall time at %s, and at least %.2f from %s on",
                agreement_ratio(&seen->rungs[top]), DOCTOR_NS(seen->rungs[top].wall_ns), AGREE_FROM,
                DOCTOR_NS(seen->rungs[from].device_ns));
    if (has_launching(seen, from))
        doctor_means(
            f,
            "wall times of shorter kernels are mostly launch time: compare those by device time");
}

/* Name of the value that is wrong: the tick length or the elapsed time. */
static const char *reported_unit(const agreement_rung *rung)
{
    return rung->has_ticks ? "the true tick length" : "the true unit of elapsed times";
}

static void say_too_long(doctor_diagnostic *f, const agreement_rung *rung, double ratio)
{
    doctor_seen(f, "device time is %.3g times the wall time, which is impossible", ratio);
    doctor_means(f, "%s is probably %.3g times the assumed one", reported_unit(rung), 1 / ratio);
    doctor_advise(f, "use wall times on this device (--timing wall)");
}

static void say_too_short(doctor_diagnostic *f, const agreement_rung *rung, double ratio,
                          double slope)
{
    doctor_seen(f, "device time is only %.3g of wall time, for kernels of any length", ratio);
    if (fabs(slope / ratio - 1) <= SAME_SLACK)
        doctor_means(f, "%s is probably %.3g times the assumed one", reported_unit(rung),
                     1 / ratio);
    else
        doctor_means(f, "the timestamps miss a part that grows with the kernel");
    doctor_advise(f, "use wall times on this device (--timing wall), with kernels of some ms");
}

static void say_single(doctor_diagnostic *f, const agreement_rung *rung)
{
    doctor_seen(f, "only one kernel could be timed: device time is %.3g of its wall time, %s",
                agreement_ratio(rung), DOCTOR_NS(rung->wall_ns));
    doctor_means(f, "the rest is launch time, or %s is longer than assumed: one kernel cannot tell",
                 reported_unit(rung));
    doctor_advise(f, "compare kernels by device and wall time (--timing both)");
}

static void say_constant(doctor_diagnostic *f, const agreement_rung *top)
{
    doctor_seen(f, "wall time is about %s longer than device time, for kernels of any length",
                DOCTOR_NS(top->wall_ns - top->device_ns));
    doctor_means(f, "launching and waiting take that time: compare kernels by device time");
}

/* Index of the longest kernel length whose times agree; `top` if no length agrees. */
static uint32_t find_last_agreement(const agreement_seen *seen, uint32_t top)
{
    for (uint32_t i = top; i-- > 0;)
        if (rung_agrees(seen, &seen->rungs[i]))
            return i;
    return top;
}

static void say_falls_behind(doctor_diagnostic *f, const agreement_seen *seen, uint32_t agrees,
                             uint32_t top)
{
    doctor_seen(f, "device and wall time agree at %s, but at %s device time is %.3g of wall time",
                DOCTOR_NS(seen->rungs[agrees].wall_ns), DOCTOR_NS(seen->rungs[top].wall_ns),
                agreement_ratio(&seen->rungs[top]));
    doctor_means(f, "the counter resets during longer kernels");
    doctor_advise(f, "use shorter kernels, or wall times (--timing wall)");
}

static void judge_usable(doctor_diagnostic *f, const agreement_seen *seen, uint32_t top)
{
    const agreement_rung *rung = &seen->rungs[top];
    double ratio = agreement_ratio(rung), slope = find_slope(seen, top);
    uint32_t agrees = find_last_agreement(seen, top);
    doctor_value(f, "ratio", ratio);
    doctor_value(f, "slope", slope);
    doctor_value(f, "longest_ns", rung->wall_ns);
    if (is_too_long(seen, rung)) {
        f->severity = KT_SEVERITY_FAULT;
        say_too_long(f, rung, ratio);
    } else if (ratio >= AGREE_FROM) {
        say_agreement(f, seen, top);
    } else if (isnan(slope)) {
        f->severity = KT_SEVERITY_WARNING;
        say_single(f, rung);
    } else if (fabs(slope - 1) <= SLOPE_SLACK) {
        f->severity = KT_SEVERITY_NOTE;
        say_constant(f, rung);
    } else if (agrees < top) {
        f->severity = ratio < SOME_FROM ? KT_SEVERITY_FAULT : KT_SEVERITY_WARNING;
        say_falls_behind(f, seen, agrees, top);
    } else {
        f->severity = ratio < SOME_FROM ? KT_SEVERITY_FAULT : KT_SEVERITY_WARNING;
        say_too_short(f, rung, ratio, slope);
    }
}

static void judge_none(doctor_diagnostic *f, const agreement_seen *seen)
{
    f->severity = KT_SEVERITY_FAULT;
    doctor_seen(f, "no kernel of %s or more had usable timestamps", DOCTOR_NS(seen->shortest_ns));
    doctor_means(f, "such kernels have no device time");
    doctor_advise(f, "use wall times (--timing wall)");
}

/* Reports that kernels longer than length `top` have no device time. */
static void say_no_longer(doctor_diagnostic *f, const agreement_seen *seen, uint32_t top)
{
    uint32_t unusable = 0, ambiguous = 0;
    for (uint32_t i = top + 1; i < seen->count; i++) {
        unusable += seen->rungs[i].unusable;
        ambiguous += seen->rungs[i].ambiguous;
    }
    f->severity = KT_SEVERITY_WARNING;
    if (unusable > 0 && ambiguous == unusable) {
        doctor_seen(f, "kernels longer than %s have no device time: their timestamps were unusable",
                    DOCTOR_NS(seen->rungs[top].device_ns));
        doctor_means(f, "the counter wraps or resets too often for the host's clock to resolve");
        doctor_advise(f, "use shorter kernels, or compare wall times");
    } else {
        doctor_seen(
            f, "kernels longer than %s: all %u timestamp pairs were unusable, the last was \"%s\"",
            DOCTOR_NS(seen->rungs[top].device_ns), unusable,
            kt_timestamp_state_name(seen->rungs[seen->count - 1].state));
        doctor_means(f, "it is unknown whether device and wall time agree for such kernels");
        doctor_advise(f, "compare such kernels by wall time");
    }
}

doctor_diagnostic judge_agreement(const agreement_seen *seen)
{
    doctor_diagnostic f = doctor_begin("agreement", KT_SEVERITY_GOOD);
    uint32_t top = find_top(seen);
    if (top == seen->count) {
        judge_none(&f, seen);
        return f;
    }
    judge_usable(&f, seen, top);
    if (top == seen->count - 1 || f.severity == KT_SEVERITY_FAULT)
        return f;
    say_no_longer(&f, seen, top);
    return f;
}
