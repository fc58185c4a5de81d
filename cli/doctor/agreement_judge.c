/* What is made of device and wall times of ever longer kernels: pure. */
#include "cli/doctor/kernels_judge.h"

#include <math.h>

#define AGREE_FROM  0.95 /* of the wall time around them; launching and waiting are the rest */
#define AGREE_TO    1.02 /* more than what clocks drift */
#define SOME_FROM   0.8
#define SLOPE_SLACK 0.03
#define SAME_SLACK  0.1 /* a factor that is the same at all lengths */
#define GRIDS_MIN   20  /* in what is shorter, nothing is seen to within 5 % */

double agreement_ratio(const agreement_rung *rung)
{
    return rung->device_ns / rung->wall_ns;
}

/* ---- spans ---- */

/* A span that was discarded because the host saw less time pass: just what a wrong length of its
 * ticks looks like. Only of a counter that surely did not wrap. */
static double refused_span_ns(const kt_clock_info *clock, const kt_raw *raw, double wall_ns)
{
    if (raw->has_elapsed && raw->state == KT_STAMP_AMBIGUOUS)
        return (double)raw->elapsed_ms * 1e6;
    if (!clock || !raw->has_stamps || clock->valid_bits == 0)
        return NAN;
    uint64_t mask = clock->valid_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << clock->valid_bits) - 1;
    double span_ns = (double)((raw->end_ticks - raw->start_ticks) & mask) * clock->period_ns;
    double wrap_ns = ldexp(clock->period_ns, (int)clock->valid_bits);
    bool wraps = wrap_ns < 100 * wall_ns; /* backwards is most of a turn forwards */
    return raw->state == KT_STAMP_AMBIGUOUS && !wraps && span_ns < wrap_ns / 2 ? span_ns : NAN;
}

static void add_span(agreement_spans *spans, double device_ns, double wall_ns)
{
    if (spans->count++ > 0 && device_ns / wall_ns <= spans->device_ns / spans->wall_ns)
        return;
    spans->device_ns = device_ns;
    spans->wall_ns = wall_ns;
}

/* Ticks of a wrong length make spans be refused one and all, but where the host was held up; a
 * counter that is misread once makes one of them any length. So the greater number counts. */
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
        bool usable = raw->state == KT_STAMP_OK;
        double wall_ns = (double)(raw->host_after_ns - raw->host_before_ns);
        double device_ns = usable ? series->samples_ns[ok++] * series->trials
                                  : refused_span_ns(clock, raw, wall_ns);
        if (!isnan(device_ns)) {
            add_span(usable ? &rung->usable : &rung->refused, device_ns, wall_ns);
            continue;
        }
        rung->unusable++;
        rung->ambiguous += raw->state == KT_STAMP_AMBIGUOUS;
        rung->state = raw->state;
    }
    choose_span(rung);
}

/* ---- what they come to ---- */

/* Index of the longest with a device time; `count`: there is none. */
static uint32_t find_top(const agreement_seen *seen)
{
    for (uint32_t i = seen->count; i-- > 0;)
        if (!isnan(seen->rungs[i].device_ns))
            return i;
    return seen->count;
}

static bool is_too_long(const agreement_seen *seen, const agreement_rung *rung)
{
    return agreement_ratio(rung) > AGREE_TO + 2 * seen->grid_ns / rung->wall_ns;
}

bool agreement_is_doubtful(const agreement_seen *seen)
{
    const agreement_rung *last = &seen->rungs[seen->count - 1];
    return !(agreement_ratio(last) >= AGREE_FROM) || is_too_long(seen, last);
}

/* What a longer kernel adds to the device time, over what it adds to the wall time; NaN: there is
 * but one length. */
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
           rung->device_ns >= GRIDS_MIN * seen->grid_ns;
}

/* The shortest from which on all agree. */
static uint32_t find_agreement(const agreement_seen *seen, uint32_t top)
{
    uint32_t from = top;
    for (uint32_t i = top; i-- > 0;) {
        if (isnan(seen->rungs[i].device_ns))
            continue; /* nothing is known of it */
        if (!rung_agrees(seen, &seen->rungs[i]))
            break;
        from = i;
    }
    return from;
}

/* Of those shorter: the others may be but too short for the clock. */
static bool has_launching(const agreement_seen *seen, uint32_t from)
{
    for (uint32_t i = 0; i < from; i++)
        if (agreement_ratio(&seen->rungs[i]) < AGREE_FROM)
            return true;
    return false;
}

static void say_agreement(doctor_finding *f, const agreement_seen *seen, uint32_t top)
{
    uint32_t from = find_agreement(seen, top);
    doctor_value(f, "from_ns", seen->rungs[from].device_ns);
    doctor_seen(f, "device time is %.3f of wall time at %s, and at least %.2f from %s on",
                agreement_ratio(&seen->rungs[top]), DOCTOR_NS(seen->rungs[top].wall_ns), AGREE_FROM,
                DOCTOR_NS(seen->rungs[from].device_ns));
    if (has_launching(seen, from))
        doctor_means(f,
                     "the wall time of shorter kernels is to a large part that of launching them: "
                     "compare those by device time");
}

/* What a wrong length of ticks or distances comes to. */
static const char *told_unit(const agreement_rung *rung)
{
    return rung->has_ticks ? "a tick of its clock" : "a distance of its events";
}

static void say_too_long(doctor_finding *f, const agreement_rung *rung, double ratio)
{
    doctor_seen(f, "device time is %.3g of the wall time around it", ratio);
    doctor_means(f,
                 "nothing takes longer than itself: %s is probably %.3g of what it is taken to be",
                 told_unit(rung), 1 / ratio);
    doctor_advise(f, "believe wall times here (--timing wall)");
}

static void say_too_short(doctor_finding *f, const agreement_rung *rung, double ratio, double slope)
{
    doctor_seen(f, "device time is only %.3g of wall time, however long the kernel", ratio);
    if (fabs(slope / ratio - 1) <= SAME_SLACK)
        doctor_means(f, "%s is probably %.3g times as long as it is taken to be", told_unit(rung),
                     1 / ratio);
    else
        doctor_means(f, "what its stamps leave out grows with the kernel");
    doctor_advise(f, "believe wall times here (--timing wall), of kernels of some ms");
}

static void say_single(doctor_finding *f, const agreement_rung *rung)
{
    doctor_seen(f, "device time of the only kernel that could be timed is %.3g of its wall time %s",
                agreement_ratio(rung), DOCTOR_NS(rung->wall_ns));
    doctor_means(f,
                 "launching may take the rest, or %s is longer than it is taken to be: one length "
                 "does not tell which",
                 told_unit(rung));
    doctor_advise(f, "compare such kernels by both times (--timing both)");
}

static void say_constant(doctor_finding *f, const agreement_rung *top)
{
    doctor_seen(f, "wall time is about %s longer than device time, however long the kernel",
                DOCTOR_NS(top->wall_ns - top->device_ns));
    doctor_means(f, "launching and waiting take that long: compare kernels by device time");
}

/* The longest that agrees; `top`: none does. */
static uint32_t find_last_agreement(const agreement_seen *seen, uint32_t top)
{
    for (uint32_t i = top; i-- > 0;)
        if (rung_agrees(seen, &seen->rungs[i]))
            return i;
    return top;
}

static void say_falls_behind(doctor_finding *f, const agreement_seen *seen, uint32_t agrees,
                             uint32_t top)
{
    doctor_seen(f, "device and wall time agree at %s, but at %s device time is %.3g of wall time",
                DOCTOR_NS(seen->rungs[agrees].wall_ns), DOCTOR_NS(seen->rungs[top].wall_ns),
                agreement_ratio(&seen->rungs[top]));
    doctor_means(f, "its counter begins anew within longer kernels");
    doctor_advise(f, "make kernels shorter, or believe their wall times (--timing wall)");
}

static void judge_usable(doctor_finding *f, const agreement_seen *seen, uint32_t top)
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

static void judge_none(doctor_finding *f, const agreement_seen *seen)
{
    f->severity = KT_SEVERITY_FAULT;
    doctor_seen(f, "no kernel of %s or more had stamps that could be used",
                DOCTOR_NS(seen->shortest_ns));
    doctor_means(f, "such kernels have no device time");
    doctor_advise(f, "measure wall times (--timing wall)");
}

/* Longer ones than `top` have no device time. */
static void say_no_longer(doctor_finding *f, const agreement_seen *seen, uint32_t top)
{
    uint32_t unusable = 0, ambiguous = 0;
    for (uint32_t i = top + 1; i < seen->count; i++) {
        unusable += seen->rungs[i].unusable;
        ambiguous += seen->rungs[i].ambiguous;
    }
    f->severity = KT_SEVERITY_WARNING;
    if (unusable > 0 && ambiguous == unusable) {
        doctor_seen(f,
                    "kernels of more than %s have no device time: their stamps could not be used",
                    DOCTOR_NS(seen->rungs[top].device_ns));
        doctor_means(f, "its counter turns over or begins anew too often for the host to tell how "
                        "often it did");
        doctor_advise(f, "make kernels shorter, or compare their wall times");
    } else {
        doctor_seen(
            f,
            "of kernels of more than %s all %u pairs of stamps were of no use, the last for \"%s\"",
            DOCTOR_NS(seen->rungs[top].device_ns), unusable,
            kt_stamp_state_name(seen->rungs[seen->count - 1].state));
        doctor_means(f, "whether device and wall time of such kernels agree is not known");
        doctor_advise(f, "compare their wall times");
    }
}

doctor_finding judge_agreement(const agreement_seen *seen)
{
    doctor_finding f = doctor_begin("agreement", KT_SEVERITY_GOOD);
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
