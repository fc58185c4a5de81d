#include "calibrate.h"

#include <math.h>
#include <string.h>

#define PRIOR_RATE    1e5 /* ns per s: a told period is meant to be so exact */
#define REGAINED_RATE 1e3 /* ns per s: and the rate after a reset */
#define JUMP_RATE \
    1e-4 /* a counter that is off by more than this share of the time elapsed has jumped */
#define JUMP_DEVIATIONS 8
#define FOUND           0.01 /* mean bracket over time elapsed: the period can be told */
#define EXACT_NS        1e-6
#define DEVIATIONS      2.6
#define GRAIN           0.28867513459481287 /* deviation of anywhere in 0..1 */

/* ---- times that cannot overflow ---- */

static int64_t span(int64_t from, int64_t to)
{
    int64_t difference;
    if (!__builtin_sub_overflow(to, from, &difference))
        return difference;
    return to > from ? INT64_MAX : INT64_MIN;
}

static int64_t later(int64_t from, double ns)
{
    if (!(fabs(ns) < 0x1p62))
        ns = copysign(0x1p62, ns);
    int64_t sum;
    if (!__builtin_add_overflow(from, llround(ns), &sum))
        return sum;
    return ns > 0 ? INT64_MAX : INT64_MIN;
}

static double width_ns(const kt_clock_pair *pair)
{
    return (double)span(pair->host_before_ns, pair->host_after_ns);
}

/* From the middle of one pair to that of another. */
static double between_ns(const kt_clock_pair *a, const kt_clock_pair *b)
{
    return (double)span(a->host_before_ns, b->host_before_ns) + (width_ns(b) - width_ns(a)) / 2;
}

/* ---- counts ---- */

/* Ticks from one count to another, forward or backward, on a counter of that width (0: not known). */
static double ticks_between(uint64_t from, uint64_t to, uint32_t bits)
{
    uint64_t forward = to - from;
    if (bits > 0 && bits < 64) {
        uint64_t half = UINT64_C(1) << (bits - 1);
        forward = ((forward + half) & (2 * half - 1)) - half;
    }
    return forward <= INT64_MAX ? (double)forward : -(double)(0 - forward);
}

/* The same, where about so many are expected: the nearest count with these low bits. */
static double ticks_elapsed(uint64_t from, uint64_t to, uint32_t bits, double expected)
{
    double ticks = ticks_between(from, to, bits);
    if (bits == 0)
        return ticks;
    double turn = ldexp(1, (int)bits);
    return ticks + turn * nearbyint((expected - ticks) / turn);
}

static uint32_t bits_of(uint64_t ticks)
{
    uint32_t bits = 1;
    while (bits < 64 && ticks >> bits)
        bits++;
    return bits;
}

/* ---- the course of a calibration ---- */

static double grain_ns(const kt_calibration *c)
{
    return c->rule.step_ticks * c->period_ns;
}

void kt_calibration_init(kt_calibration *c, const kt_calibration_rule *rule)
{
    *c = (kt_calibration){.rule = *rule, .period_ns = rule->period_ns};
    c->state.period_ns = rule->period_ns;
    c->state.period_uncertainty_ns = c->state.uncertainty_ns = c->state.narrowest_ns = NAN;
    c->state.valid_bits = rule->valid_bits;
    c->state.valid_bits_min = rule->valid_bits ? rule->valid_bits : 1;
}

/* It is the newest one that counts. */
static kt_pair_outcome take(kt_calibration *c, const kt_clock_pair *pair)
{
    c->has_pair = true;
    c->newest = *pair;
    c->has_suspect = false;
    c->state.pairs++;
    c->state.narrowest_ns = fmin(c->state.narrowest_ns, width_ns(pair));
    if (c->rule.valid_bits == 0 && c->state.valid_bits == 0)
        c->state.valid_bits_min = (uint32_t)fmax(c->state.valid_bits_min, bits_of(pair->ticks));
    return KT_PAIR_TAKEN;
}

static void begin_line(kt_calibration *c, const kt_clock_pair *pair, kt_estimate rate)
{
    c->line.ticks = pair->ticks;
    c->line.host_ns = later(pair->host_before_ns, width_ns(pair) / 2);
    double half = width_ns(pair) / 2 + 0.5 + grain_ns(c) / 2;
    kt_track_start(&c->line.track, -half, half, rate);
}

/* Goes on to a pair that is so many ticks further. */
static void go_on(kt_calibration *c, const kt_clock_pair *pair, double ticks)
{
    kt_line *line = &c->line;
    double ns = ticks * c->period_ns;
    double shift = nearbyint(ns + kt_track_offset(&line->track, ns * 1e-9).mean);
    kt_track_advance(&line->track, ns * 1e-9, shift - ns);
    line->host_ns = later(line->host_ns, shift);
    double low = (double)span(line->host_ns, pair->host_before_ns);
    double step = grain_ns(c);
    kt_track_observe(&line->track, low, low + width_ns(pair) + 1, GRAIN * step + 0.5, step / 2);
    line->ticks = pair->ticks;
}

/* Until the period is known. */
static kt_pair_outcome search(kt_calibration *c, const kt_clock_pair *pair)
{
    double ticks = ticks_between(c->base.ticks, pair->ticks, c->state.valid_bits);
    double seconds = between_ns(&c->base, pair) * 1e-9;
    double then = width_ns(&c->base) + 1, width = width_ns(pair) + 1;
    if (!(ticks > 0)) {
        c->base = *pair;
        take(c, pair);
        return KT_PAIR_TAKEN;
    }
    take(c, pair);
    if ((then + width) / 2 <= FOUND * seconds * 1e9) {
        c->period_ns = seconds * 1e9 / ticks;
        double step = grain_ns(c);
        c->line.ticks = pair->ticks;
        c->line.host_ns = later(pair->host_before_ns, width / 2);
        kt_track_start_pair(&c->line.track, then + step, width + step, seconds);
    } else if (width <= then / 2) {
        c->base = *pair;
    }
    return KT_PAIR_TAKEN;
}

static kt_pair_outcome leave_out(kt_calibration *c)
{
    c->state.retaken++;
    return KT_PAIR_AGAIN;
}

/* How far from where it is expected a pair may be, in ns, after so much time. */
static double tolerance_ns(const kt_calibration *c, const kt_track *track, double elapsed_ns,
                           double widths_ns)
{
    double sd = track ? kt_track_offset(track, elapsed_ns * 1e-9).sd
                      : kt_track_rate(&c->line.track).sd * elapsed_ns * 1e-9;
    return widths_ns / 2 + JUMP_DEVIATIONS * sd + JUMP_RATE * elapsed_ns + 2 * grain_ns(c) + 100;
}

/* A counter that is short of what is expected by a power of two has wrapped there. */
static bool find_width(kt_calibration *c, double missing, double tolerance)
{
    if (c->rule.valid_bits > 0)
        return false;
    for (uint32_t bits = 64; bits-- > c->state.valid_bits_min;) {
        double turn = ldexp(1, (int)bits);
        if (turn > fabs(missing) + tolerance)
            continue;
        if (turn < 8 * tolerance)
            return false;
        if (fabs(missing - turn * nearbyint(missing / turn)) <= tolerance) {
            c->state.valid_bits = c->state.valid_bits_min = bits;
            return true;
        }
    }
    return false;
}

/* The counter has begun anew before the suspect. */
static kt_pair_outcome begin_anew(kt_calibration *c, const kt_clock_pair *pair, double ticks)
{
    kt_clock_pair first = c->suspect;
    kt_estimate rate = kt_track_rate(&c->line.track);
    rate.sd = hypot(2 * rate.sd, REGAINED_RATE);
    c->former = c->line;
    c->former_end_ns = c->newest.host_before_ns;
    c->begin_ns = first.host_after_ns;
    c->state.resets++;
    begin_line(c, &first, rate);
    take(c, &first);
    go_on(c, pair, ticks);
    take(c, pair);
    return KT_PAIR_RESET;
}

static kt_pair_outcome suspect(kt_calibration *c, const kt_clock_pair *pair)
{
    if (c->has_suspect && pair->host_before_ns > c->suspect.host_before_ns) {
        double elapsed_ns = between_ns(&c->suspect, pair);
        double expected =
            elapsed_ns / (c->period_ns * (1 + kt_track_rate(&c->line.track).mean * 1e-9));
        double ticks = ticks_elapsed(c->suspect.ticks, pair->ticks, c->state.valid_bits, expected);
        double widths_ns = width_ns(&c->suspect) + width_ns(pair);
        double tolerance = tolerance_ns(c, NULL, elapsed_ns, widths_ns) / c->period_ns;
        if (ticks > 0 && fabs(ticks - expected) <= tolerance)
            return begin_anew(c, pair, ticks);
    }
    c->has_suspect = true;
    c->suspect = *pair;
    return leave_out(c);
}

kt_pair_outcome kt_calibration_add(kt_calibration *c, const kt_clock_pair *pair)
{
    if (pair->host_after_ns < pair->host_before_ns)
        return leave_out(c);
    if (!c->has_pair) {
        c->base = *pair;
        if (!isnan(c->period_ns))
            begin_line(c, pair, (kt_estimate){0, PRIOR_RATE});
        return take(c, pair);
    }
    if (pair->host_before_ns <= c->newest.host_before_ns)
        return leave_out(c);
    if (isnan(c->period_ns))
        return search(c, pair);
    double elapsed_ns = (double)span(c->line.host_ns, pair->host_before_ns) + width_ns(pair) / 2 -
                        kt_track_offset(&c->line.track, 0).mean;
    kt_estimate rate = kt_track_rate(&c->line.track);
    double expected = elapsed_ns / (c->period_ns * (1 + rate.mean * 1e-9));
    double tolerance = tolerance_ns(c, &c->line.track, elapsed_ns, width_ns(pair)) / c->period_ns;
    double ticks = ticks_elapsed(c->line.ticks, pair->ticks, c->state.valid_bits, expected);
    if (fabs(ticks - expected) > tolerance && find_width(c, expected - ticks, tolerance))
        ticks = ticks_elapsed(c->line.ticks, pair->ticks, c->state.valid_bits, expected);
    if (!(fabs(ticks - expected) <= tolerance))
        return suspect(c, pair);
    if (ticks < 0 || (ticks == 0 && elapsed_ns > width_ns(pair) / 2 + 2 * grain_ns(c)))
        return leave_out(c);
    if (c->state.valid_bits > 0) {
        double turns = (ticks - ((double)pair->ticks - (double)c->line.ticks)) /
                       ldexp(1, (int)c->state.valid_bits);
        c->state.wraps += (uint64_t)fmax(0, nearbyint(turns));
    }
    go_on(c, pair, ticks);
    return take(c, pair);
}

static void place_on(const kt_calibration *c, const kt_line *line, uint64_t ticks, int64_t *host_ns,
                     double *uncertainty_ns)
{
    double ns = ticks_between(line->ticks, ticks, c->state.valid_bits) * c->period_ns;
    double offset = kt_track_offset(&line->track, ns * 1e-9).mean;
    *host_ns = later(line->host_ns, ns + offset);
    *uncertainty_ns = kt_track_bound(&line->track, ns * 1e-9) + grain_ns(c) / 2 + 0.5;
}

bool kt_calibration_place(const kt_calibration *c, uint64_t ticks, int64_t *host_ns,
                          double *uncertainty_ns)
{
    if (!c->has_pair || isnan(c->period_ns))
        return false;
    place_on(c, &c->line, ticks, host_ns, uncertainty_ns);
    if (c->state.resets == 0)
        return true;
    int64_t former_ns;
    double former_uncertainty_ns;
    place_on(c, &c->former, ticks, &former_ns, &former_uncertainty_ns);
    int64_t now_ns = c->newest.host_after_ns;
    bool may_be_former = former_ns<c->begin_ns, may_be_this = *host_ns> c->former_end_ns;
    if (may_be_former && (!may_be_this || fabs((double)span(former_ns, now_ns)) <
                                              fabs((double)span(now_ns, *host_ns)))) {
        *host_ns = former_ns;
        *uncertainty_ns = former_uncertainty_ns;
    }
    return true;
}

void kt_calibration_get_state(const kt_calibration *c, kt_clock_state *out)
{
    *out = c->state;
    if (!c->has_pair)
        return;
    out->ticks = c->newest.ticks;
    out->host_ns = later(c->newest.host_before_ns, width_ns(&c->newest) / 2);
    out->uncertainty_ns = width_ns(&c->newest) / 2;
    if (isnan(c->period_ns))
        return;
    place_on(c, &c->line, c->newest.ticks, &out->host_ns, &out->uncertainty_ns);
    kt_estimate rate = kt_track_rate(&c->line.track);
    out->period_ns = c->period_ns * (1 + rate.mean * 1e-9);
    out->period_uncertainty_ns = DEVIATIONS * rate.sd * 1e-9 * c->period_ns;
    out->period_exact = out->period_uncertainty_ns <= EXACT_NS &&
                        fabs(out->period_ns - 1) <= out->period_uncertainty_ns;
    if (out->period_exact)
        out->period_ns = 1;
}
