/* SPDX-License-Identifier: MIT */
/*
 * calibrate.c - decides which clock pairs are valid, and counts the ticks between them. track.c
 * estimates when between its two host clock readings the counter was read.
 *
 * A pair predicts the counter at the next one, within the widths of both and the uncertainty of the
 * rate. If the counter's width is known, the tick count is the one nearest to the prediction that
 * has the shown low bits. If the width is unknown and the count is short by a power of two, the
 * counter wrapped there, which is its width. Any other mismatch is discarded at first, since one
 * wrong answer of a driver must not end the calibration. If the next pair agrees with the mismatch,
 * the counter was reset, or the host clock jumped. If many pairs agree with nothing, either the
 * pairs are wrong, as from a driver that waits between its two readings while the device is busy,
 * or the period is wrong. Then the period is searched again. Ticks do not change their length, so a
 * different new period needs more agreeing pairs than the old one had.
 *
 * Until that next pair comes, a timestamp is placed by the old count or by the mismatched pair,
 * whichever puts it nearer to the present. If both put it between the last pairs, the uncertainty
 * covers both.
 *
 * A clock resolution of several ticks that nobody reported shows in the pairs: all distances are
 * multiples of it. Distances of a clock that counts single ticks have a common divisor g by chance
 * with a probability of about 1 / g^(n - 1) after n distances. Once pairs contradict each other, a
 * step that is no whole number of ticks is searched among the first distances, too (step.c).
 *
 * An unreported period is the ratio of two pairs that are far enough apart (FOUND) for all of the
 * above.
 */
#include "clock/calibrate.h"

#include "clock/step.h"
#include "clock/ticks.h"
#include "support/common_divisor.h"

#include <math.h>

#define PERIOD_MAX    1e12 /* ns: a period above this, or below its inverse, is invalid */
#define PRIOR_RATE    1e5  /* ns per s: usual rate error of a reported period */
#define WRONG_RATE    2e6  /* ns per s: rate error of a period reported in whole ns */
#define REGAINED_RATE 1e3  /* ns per s: a counter reset may change the rate by this */

/* The counter has jumped if a clock pair differs from the prediction by more than this many
 * standard deviations, plus this share of the elapsed time, plus this many ns. */
#define JUMP_DEVIATIONS 8
#define JUMP_RATE       1e-4
#define JUMP_NS         1000

#define SUSPECTS_MAX 8    /* consecutive mismatched pairs until the period counts as wrong */
#define AGREEING     8    /* agreeing clock pairs until a new period may count as right */
#define SAME_PERIOD  1e-3 /* relative difference of two equal periods; no clock drifts more */
#define FOUND        0.01 /* mean pair width over elapsed time at which the period is known */
#define TURN_SURE    8    /* least length of a wrap in tolerances; less could be noise */

#define EXACT_NS    1e-6   /* a period of 1 ns, known within this, is exact */
#define DEVIATIONS  2.6    /* standard deviations that contain 99 % of a normal distribution */
#define HOST_PAIRS  8      /* clock pairs needed to know the resolution of the host clock */
#define HOST_STEPS  4      /* steps of a coarse host clock by which two readings may be off */
#define DOUBT       10.0   /* -ln of the probability that distances have a divisor by chance */
#define STEP_PAIRS  4      /* longest resolution that needs no other evidence, in narrowest pairs */
#define COARSE      0.1    /* share of the narrowest pair: a finer resolution changes little */
#define EXACT_TICKS 0x1p53 /* a double holds every whole number up to this */
#define GRAIN       0.28867513459481287 /* standard deviation of a uniform number in 0..1 */

/* ---- Saturating times ---- */

static int64_t span(int64_t from, int64_t to)
{
    if (from < 0 ? to > INT64_MAX + from : to < INT64_MIN + from)
        return to > from ? INT64_MAX : INT64_MIN;
    return to - from;
}

static int64_t later(int64_t from, double ns)
{
    int64_t by = fabs(ns) < 0x1p62 ? llround(ns) : ns > 0 ? INT64_MAX : INT64_MIN;
    if (by > 0 ? from > INT64_MAX - by : from < INT64_MIN - by)
        return by > 0 ? INT64_MAX : INT64_MIN;
    return from + by;
}

static double width_ns(const kt_clock_pair *pair)
{
    return (double)span(pair->host_before_ns, pair->host_after_ns);
}

static int64_t middle_ns(const kt_clock_pair *pair)
{
    return later(pair->host_before_ns, width_ns(pair) / 2);
}

/* Host time from the middle of clock pair `a` to the middle of clock pair `b`. */
static double between_ns(const kt_clock_pair *a, const kt_clock_pair *b)
{
    return (double)span(a->host_before_ns, b->host_before_ns) + (width_ns(b) - width_ns(a)) / 2;
}

/* ---- Tick counts ---- */

/* Ticks between two values of a counter with `bits` bits (0: unknown), the shorter way around. */
static double ticks_between(uint64_t from, uint64_t to, uint32_t bits)
{
    uint64_t forward = to - from;
    if (bits > 0 && bits < 64) {
        uint64_t half = UINT64_C(1) << (bits - 1);
        forward = ((forward + half) & (2 * half - 1)) - half;
    }
    return forward <= INT64_MAX ? (double)forward : -(double)(0 - forward);
}

static double turn_ticks(uint32_t bits)
{
    return ldexp(1, (int)bits);
}

/* Ticks between two counter values, with the number of wraps that comes nearest to `expected`. */
static double ticks_elapsed(uint64_t from, uint64_t to, uint32_t bits, double expected)
{
    double ticks = ticks_between(from, to, bits);
    if (bits == 0)
        return ticks;
    return ticks + turn_ticks(bits) * nearbyint((expected - ticks) / turn_ticks(bits));
}

static uint32_t bits_of(uint64_t ticks)
{
    uint32_t bits = 1;
    while (bits < 64 && ticks >> bits)
        bits++;
    return bits;
}

/* ---- Resolution of both clocks ---- */

/* A divisor far wider than the narrowest pair is that of pairs taken at even intervals, unless
 * pairs contradict each other by so much. */
static double best_step(const kt_calibration *c)
{
    const kt_seen_step *seen = &c->seen;
    double step = seen->found, divisor = (double)seen->divisor;
    if (seen->divisor > 1 && (seen->count - 1) * log(divisor) >= DOUBT)
        step = fmax(step, divisor);
    double most_ns = STEP_PAIRS * c->state.narrowest_ns + 2 * seen->clash_ns;
    return step * c->line.period_ns <= most_ns ? fmax(c->rule.step_ticks, step)
                                               : c->rule.step_ticks;
}

static double tick_ns(const kt_calibration *c)
{
    return c->seen.ticks * c->line.period_ns;
}

/* Adds a distance between pairs. True if the resolution is much worse than was known. */
static bool learn_step(kt_calibration *c, double ticks)
{
    kt_seen_step *seen = &c->seen;
    if ((seen->divisor == 1 && seen->searched) || !(ticks >= 1 && ticks <= EXACT_TICKS))
        return false;
    const kt_track *track = &c->line.track;
    seen->divisor = kt_common_divisor((uint64_t)ticks, seen->divisor);
    if (seen->count < KT_SEEN_DISTANCES)
        seen->distances[seen->count++] = ticks;
    seen->clash_ns = fmax(seen->clash_ns, kt_track_slack(track));
    bool clash = fmax(track->rose, track->fell) > tick_ns(c);
    if (seen->count == KT_SEEN_DISTANCES && clash && !seen->searched) {
        seen->searched = true;
        double found = kt_step_find(seen->distances, seen->count);
        seen->found = isnan(found) ? 0 : found;
    }
    double was = seen->ticks;
    seen->ticks = best_step(c);
    return seen->ticks > was && tick_ns(c) > COARSE * c->state.narrowest_ns;
}

/* Some host clocks have a resolution of 100 ns or 1 us. */
static void learn_host_step(kt_calibration *c, const kt_clock_pair *pair)
{
    if (c->host_step_ns == 1)
        return;
    uint64_t since = (uint64_t)pair->host_before_ns - (uint64_t)c->newest.host_before_ns;
    uint64_t width = (uint64_t)pair->host_after_ns - (uint64_t)pair->host_before_ns;
    c->host_step_ns = kt_common_divisor(kt_common_divisor(c->host_step_ns, since), width);
}

static double host_step_ns(const kt_calibration *c)
{
    double seen_ns = c->state.pairs >= HOST_PAIRS ? (double)c->host_step_ns : 1;
    return fmax(seen_ns, c->rule.host_step_ns);
}

/* ---- Calibration ---- */

void kt_calibration_init(kt_calibration *c, const kt_calibration_rule *rule)
{
    bool reported = rule->period_ns >= 1 / PERIOD_MAX && rule->period_ns <= PERIOD_MAX;
    *c = (kt_calibration){.rule = *rule,
                          .seen.ticks = rule->step_ticks,
                          .line.period_ns = reported ? rule->period_ns : NAN};
    c->state.period_ns = c->line.period_ns;
    c->state.period_uncertainty_ns = c->state.uncertainty_ns = c->state.narrowest_ns = NAN;
    c->state.valid_bits = rule->valid_bits;
    c->state.valid_bits_min = 1;
}

static kt_pair_outcome leave_out(kt_calibration *c)
{
    c->state.retaken++;
    return KT_PAIR_AGAIN;
}

static kt_pair_outcome take(kt_calibration *c, const kt_clock_pair *pair)
{
    if (c->has_pair)
        learn_host_step(c, pair);
    c->has_pair = true;
    c->newest = *pair;
    c->suspects = 0;
    c->state.pairs++;
    c->state.narrowest_ns = fmin(c->state.narrowest_ns, width_ns(pair));
    uint32_t bits = bits_of(pair->ticks);
    if (bits > c->state.valid_bits_min)
        c->state.valid_bits_min = bits;
    return KT_PAIR_TAKEN;
}

static kt_line line_from(const kt_calibration *c, const kt_clock_pair *pair, kt_estimate rate)
{
    kt_line line = {
        .period_ns = c->line.period_ns, .ticks = pair->ticks, .host_ns = middle_ns(pair)};
    double half = (width_ns(pair) + host_step_ns(c) + tick_ns(c)) / 2;
    kt_track_start(&line.track, -half, half, rate);
    return line;
}

/* Moves the line to a clock pair that is `ticks` later. The line's origin moves along, so that sums
 * in doubles stay small. */
static void go_on(kt_calibration *c, const kt_clock_pair *pair, double ticks)
{
    kt_line *line = &c->line;
    double ns = ticks * line->period_ns, seconds = ns * 1e-9;
    if (learn_step(c, ticks)) { /* the pairs so far are less exact than was assumed */
        kt_estimate rate = kt_track_rate(&line->track);
        rate.sd = hypot(rate.sd, tick_ns(c) / seconds);
        *line = line_from(c, pair, rate);
        return;
    }
    double shift = nearbyint(ns + kt_track_offset(&line->track, seconds).mean);
    kt_track_advance(&line->track, seconds, shift - ns);
    line->ticks = pair->ticks;
    line->host_ns = later(line->host_ns, shift);
    double low = (double)span(line->host_ns, pair->host_before_ns);
    double tick = tick_ns(c), step = host_step_ns(c);
    kt_track_observe(&line->track, low, low + width_ns(pair), GRAIN * hypot(tick, step),
                     tick / 2 + step);
}

/* Adds a clock pair while the period is unknown. */
static kt_pair_outcome search(kt_calibration *c, const kt_clock_pair *pair)
{
    double ticks = ticks_between(c->base.ticks, pair->ticks, c->state.valid_bits);
    if (ticks == 0)
        return leave_out(c);
    if (ticks < 0 && c->state.valid_bits > 0)
        ticks += turn_ticks(c->state.valid_bits);
    double elapsed_ns = between_ns(&c->base, pair);
    double then = width_ns(&c->base) + 1, width = width_ns(pair) + 1;
    if (ticks > 0 && (then + width) / 2 <= FOUND * elapsed_ns) {
        c->line.period_ns = elapsed_ns / ticks;
        c->line.ticks = pair->ticks;
        c->line.host_ns = middle_ns(pair);
        double tick = tick_ns(c);
        kt_track_start_pair(&c->line.track, then + tick, width + tick, elapsed_ns * 1e-9);
        c->agreeing = 2;
    } else if (ticks < 0 || width <= then / 2) { /* this pair is a far narrower base */
        c->base = *pair;
    }
    return take(c, pair);
}

/* ---- Period ---- */

/* Errors of a coarse host clock may all be alike, so their mean is no better than one of them. */
static kt_found_period period_of_line(const kt_calibration *c)
{
    double ns = c->line.period_ns;
    kt_estimate rate = kt_track_rate(&c->line.track);
    double error = DEVIATIONS * rate.sd * 1e-9;
    if (c->rule.host_step_ns > 0)
        error = fmax(error,
                     HOST_STEPS * c->rule.host_step_ns / fmax(1, between_ns(&c->base, &c->newest)));
    return (kt_found_period){ns * (1 + rate.mean * 1e-9), error * ns, c->agreeing};
}

static bool is_line_trusted(const kt_calibration *c)
{
    const kt_found_period is = period_of_line(c), was = c->doubted;
    if (was.pairs == 0)
        return true;
    double same_ns = SAME_PERIOD * was.ns + is.uncertainty_ns + was.uncertainty_ns;
    return is.pairs >= AGREEING && (fabs(is.ns - was.ns) <= same_ns || is.pairs > was.pairs);
}

/* Returns the line's period if it is trusted, else the earlier period. If enough pairs also agree
 * with the line's period, the uncertainty covers both periods. */
static kt_found_period trusted_period(const kt_calibration *c)
{
    const kt_found_period is = period_of_line(c);
    kt_found_period was = c->doubted;
    if (is_line_trusted(c))
        return is;
    if (is.pairs >= AGREEING)
        was.uncertainty_ns = fmax(was.uncertainty_ns, fabs(is.ns - was.ns));
    return was;
}

/* ---- Mismatches ---- */

/* Expected ticks in `elapsed_ns` at the present rate; `sd` of the result is their tolerance. */
static kt_estimate expect(const kt_calibration *c, double elapsed_ns, double sd_ns,
                          double widths_ns)
{
    double true_ns = c->line.period_ns * (1 + kt_track_rate(&c->line.track).mean * 1e-9);
    double tolerance_ns = widths_ns / 2 + JUMP_DEVIATIONS * sd_ns + JUMP_RATE * elapsed_ns +
                          JUMP_NS + 2 * tick_ns(c) + 2 * host_step_ns(c);
    return (kt_estimate){elapsed_ns / true_ns, tolerance_ns / true_ns};
}

static bool is_near(double ticks, kt_estimate expected)
{
    return fabs(ticks - expected.mean) <= expected.sd;
}

/* Finds the width of a counter that is `missing` ticks short, a multiple of a power of two. Takes
 * the largest width that fits, because the next wrap would reveal a smaller one. */
static bool find_width(kt_calibration *c, double missing, double tolerance)
{
    if (c->rule.valid_bits > 0)
        return false;
    for (uint32_t bits = 63; bits >= c->state.valid_bits_min; bits--) {
        double turn = turn_ticks(bits);
        if (turn < TURN_SURE * tolerance)
            return false;
        if (turn <= fabs(missing) + tolerance &&
            fabs(missing - turn * nearbyint(missing / turn)) <= tolerance) {
            c->state.valid_bits = bits;
            return true;
        }
    }
    return false;
}

/* Limits the uncertainty of the rate: otherwise many resets could give any rate. */
static kt_estimate rate_after_reset(const kt_calibration *c)
{
    kt_estimate rate = kt_track_rate(&c->line.track);
    rate.sd = fmin(hypot(2 * rate.sd, REGAINED_RATE), fmax(rate.sd, PRIOR_RATE));
    return rate;
}

/* Starts a new line at the suspect pair, before which the counter was reset, and adds `pair`, which
 * is `ticks` later. */
static kt_pair_outcome begin_anew(kt_calibration *c, const kt_clock_pair *pair, double ticks)
{
    kt_clock_pair first = c->suspect;
    c->former = c->line;
    c->former_end_ns = c->newest.host_before_ns;
    c->begin_ns = first.host_after_ns;
    c->state.resets++;
    c->line = line_from(c, &first, rate_after_reset(c));
    take(c, &first);
    go_on(c, pair, ticks);
    take(c, pair);
    return KT_PAIR_RESET;
}

static kt_pair_outcome search_anew(kt_calibration *c, const kt_clock_pair *pair)
{
    if (is_line_trusted(c) && c->agreeing >= AGREEING)
        c->doubted = period_of_line(c);
    c->agreeing = 0;
    c->former = c->line;
    c->former_end_ns = c->newest.host_before_ns;
    c->begin_ns = pair->host_after_ns;
    c->state.resets++;
    c->line.period_ns = NAN;
    c->base = *pair;
    take(c, pair);
    return KT_PAIR_RESET;
}

static kt_pair_outcome suspect(kt_calibration *c, const kt_clock_pair *pair)
{
    if (c->suspects > 0 && pair->host_before_ns > c->suspect.host_before_ns) {
        double elapsed_ns = between_ns(&c->suspect, pair);
        double sd_ns = kt_track_rate(&c->line.track).sd * elapsed_ns * 1e-9;
        kt_estimate expected = expect(c, elapsed_ns, sd_ns, width_ns(&c->suspect) + width_ns(pair));
        double ticks =
            ticks_elapsed(c->suspect.ticks, pair->ticks, c->state.valid_bits, expected.mean);
        if (ticks > 0 && is_near(ticks, expected))
            return begin_anew(c, pair, ticks);
    }
    if (++c->suspects >= SUSPECTS_MAX)
        return search_anew(c, pair);
    c->suspect = *pair;
    return leave_out(c);
}

/* ---- Following the counter ---- */

static void count_turns(kt_calibration *c, const kt_clock_pair *pair, double ticks)
{
    if (c->state.valid_bits == 0)
        return;
    double shown = (double)pair->ticks - (double)c->line.ticks;
    double turns = nearbyint((ticks - shown) / turn_ticks(c->state.valid_bits));
    c->state.wraps += turns > 0 ? (uint64_t)turns : 0;
}

static kt_pair_outcome follow(kt_calibration *c, const kt_clock_pair *pair)
{
    const kt_line *line = &c->line;
    double elapsed_ns = (double)span(line->host_ns, pair->host_before_ns) + width_ns(pair) / 2 -
                        kt_track_offset(&line->track, 0).mean;
    double sd_ns = kt_track_offset(&line->track, elapsed_ns * 1e-9).sd;
    kt_estimate expected = expect(c, elapsed_ns, sd_ns, width_ns(pair));
    double ticks = ticks_elapsed(line->ticks, pair->ticks, c->state.valid_bits, expected.mean);
    if (!is_near(ticks, expected) && find_width(c, expected.mean - ticks, expected.sd))
        ticks = ticks_elapsed(line->ticks, pair->ticks, c->state.valid_bits, expected.mean);
    if (!is_near(ticks, expected))
        return suspect(c, pair);
    if (ticks < 0 || (ticks == 0 && elapsed_ns > width_ns(pair) / 2 + 2 * tick_ns(c)))
        return leave_out(c);
    count_turns(c, pair, ticks);
    go_on(c, pair, ticks);
    c->agreeing++;
    return take(c, pair);
}

kt_pair_outcome kt_calibration_add(kt_calibration *c, const kt_clock_pair *pair)
{
    kt_clock_pair shown = *pair;
    if (c->rule.valid_bits > 0 && c->rule.valid_bits < 64)
        shown.ticks &= (UINT64_C(1) << c->rule.valid_bits) - 1;
    if (shown.host_after_ns < shown.host_before_ns ||
        (c->has_pair && shown.host_before_ns <= c->newest.host_before_ns))
        return leave_out(c);
    bool reported = !isnan(c->line.period_ns);
    if (c->has_pair)
        return reported ? follow(c, &shown) : search(c, &shown);
    c->base = shown;
    if (reported) {
        c->line = line_from(c, &shown, (kt_estimate){0, PRIOR_RATE});
        kt_track_doubt_rate(&c->line.track, WRONG_RATE);
        c->agreeing = 1;
    }
    return take(c, &shown);
}

/* ---- Results ---- */

/* Converts a timestamp to host time by `line`. The result is the middle of the tick, or of the
 * clock resolution step, that holds the timestamp. */
static void place_on(const kt_calibration *c, const kt_line *line, uint64_t ticks, int64_t *host_ns,
                     double *uncertainty_ns)
{
    double ns = ticks_between(line->ticks, ticks, c->state.valid_bits) * line->period_ns;
    double seconds = ns * 1e-9;
    *host_ns = later(line->host_ns, ns + kt_track_offset(&line->track, seconds).mean);
    double tick = c->seen.ticks * line->period_ns;
    *uncertainty_ns = kt_track_bound(&line->track, seconds) + tick / 2 + 0.5;
}

static double distance_ns(int64_t a, int64_t b)
{
    return fabs((double)span(a, b));
}

typedef struct place {
    int64_t host_ns;
    double uncertainty_ns;
} place;

static place place_by(const kt_calibration *c, const kt_line *line, uint64_t ticks)
{
    place at;
    place_on(c, line, ticks, &at.host_ns, &at.uncertainty_ns);
    return at;
}

/* The timestamp is from before or after the last reset. */
static void consider_former(const kt_calibration *c, uint64_t ticks, place *at)
{
    place former = place_by(c, &c->former, ticks);
    int64_t now_ns = c->newest.host_after_ns;
    bool is_later = at->host_ns > c->former_end_ns, was_before = former.host_ns < c->begin_ns;
    bool is_nearer = distance_ns(at->host_ns, now_ns) <= distance_ns(former.host_ns, now_ns);
    if (was_before && !(is_later && is_nearer))
        *at = former;
}

/* The suspect pair is wrong, or the counter was reset before it, and the timestamp is from after
 * that. */
static void consider_suspect(const kt_calibration *c, uint64_t ticks, place *at)
{
    kt_line line = line_from(c, &c->suspect, rate_after_reset(c));
    place other = place_by(c, &line, ticks);
    int64_t now_ns = c->suspect.host_after_ns;
    double since_ns = distance_ns(c->newest.host_before_ns, now_ns);
    double old_ns = distance_ns(at->host_ns, now_ns), new_ns = distance_ns(other.host_ns, now_ns);
    if (other.host_ns <= c->newest.host_before_ns)
        return;
    if (fmax(old_ns, new_ns) <= since_ns)
        at->uncertainty_ns = other.uncertainty_ns = distance_ns(at->host_ns, other.host_ns) +
                                                    fmax(at->uncertainty_ns, other.uncertainty_ns);
    if (new_ns < old_ns)
        *at = other;
}

bool kt_calibration_place(const kt_calibration *c, uint64_t ticks, int64_t *host_ns,
                          double *uncertainty_ns)
{
    if (!c->has_pair || isnan(c->line.period_ns))
        return false;
    place at = place_by(c, &c->line, ticks);
    if (c->state.resets > 0)
        consider_former(c, ticks, &at);
    if (c->suspects > 0)
        consider_suspect(c, ticks, &at);
    *host_ns = at.host_ns;
    *uncertainty_ns = at.uncertainty_ns;
    return true;
}

void kt_calibration_get_state(const kt_calibration *c, kt_clock_state *out)
{
    *out = c->state;
    if (out->valid_bits > 0)
        out->valid_bits_min = out->valid_bits;
    if (!c->has_pair)
        return;
    out->ticks = c->newest.ticks;
    out->host_ns = middle_ns(&c->newest);
    out->uncertainty_ns = width_ns(&c->newest) / 2;
    if (!isnan(c->line.period_ns))
        place_on(c, &c->line, out->ticks, &out->host_ns, &out->uncertainty_ns);
    kt_found_period period = trusted_period(c);
    if (isnan(period.ns)) /* the period is searched again: keep the reported one */
        return;
    out->period_ns = period.ns;
    out->period_uncertainty_ns = period.uncertainty_ns;
    out->period_exact = out->period_uncertainty_ns <= EXACT_NS &&
                        fabs(out->period_ns - 1) <= out->period_uncertainty_ns;
    if (out->period_exact)
        out->period_ns = 1;
}
