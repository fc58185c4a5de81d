/*
 * Which pairs tell something, and what: how many ticks a counter went on from one to the next.
 * Where it then is between them is track.c's.
 *
 * A pair foretells where the counter is at the next one, within the widths of both and what its
 * rate may be wrong by. If its width is known, the count that is nearest to that, of all with the
 * low bits that it shows, is how far it went. If not, and it is short by just a power of two, it
 * has turned over there, and that is its width. Whatever else is not where it can be is left out at
 * first, as a single wrong answer of a driver would be the end of all that is known; if the pair
 * after it agrees with it and not with what was known, the counter has begun anew, or the host's
 * clock has jumped. If many pairs agree with nothing, either they are wrong, as of a driver that
 * waits between its two readings while the device is busy, or the period is not what it was held
 * for. It is sought anew; but a tick does not change its length, so that the new one has to be
 * agreed with by more pairs than the one before was, if they are not the same.
 *
 * A period that nobody tells is the ratio of two pairs, once they are so far apart that it is known
 * well enough (FOUND) for all of the above.
 */
#include "clock/calibrate.h"

#include "clock/ticks.h"

#include <math.h>

#define PERIOD_MAX    1e12 /* ns: what is longer, or shorter than its inverse, is no clock */
#define PRIOR_RATE    1e5 /* ns per s: a told period, and an oscillator, are meant to be so exact */
#define WRONG_RATE    2e6 /* ns per s: yet some drivers tell whole ns */
#define REGAINED_RATE 1e3 /* ns per s: what a reset may do to the rate */

/* A counter has jumped if it is off by more than so many deviations, this share of the time
 * elapsed, and so many ns. */
#define JUMP_DEVIATIONS 8
#define JUMP_RATE       1e-4
#define JUMP_NS         1000

#define SUSPECTS_MAX 8    /* so many pairs in a row that agree with nothing: the period is wrong */
#define AGREEING     8    /* so many pairs on it: a period that was sought anew may be right */
#define SAME_PERIOD  1e-3 /* no clock drifts by so much */
#define FOUND        0.01 /* mean bracket over time elapsed: the period can be told */
#define TURN_SURE    8    /* a turn is so many tolerances, or it could be mistaken for noise */

#define EXACT_NS   1e-6                /* a period of 1 ns that is known within so much is exact */
#define DEVIATIONS 2.6                 /* that 99 % of a normal law are within */
#define HOST_PAIRS 8                   /* so many pairs show which step the host's clock goes in */
#define GRAIN      0.28867513459481287 /* deviation of a number anywhere in 0..1 */

/* ---- times that cannot overflow ---- */

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

/* From the middle of one pair to that of another. */
static double between_ns(const kt_clock_pair *a, const kt_clock_pair *b)
{
    return (double)span(a->host_before_ns, b->host_before_ns) + (width_ns(b) - width_ns(a)) / 2;
}

/* ---- counts ---- */

/* Ticks from one count to another on a counter of that width (0: not known), the shorter way
 * round. */
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

/* The same, as many times round as it takes to be nearest to what is expected. */
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

/* ---- what blurs a pair ---- */

static double tick_ns(const kt_calibration *c)
{
    return c->rule.step_ticks * c->line.period_ns;
}

/* Some host clocks move in steps of 100 ns, or of 1 us. */
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
    return c->state.pairs >= HOST_PAIRS ? (double)c->host_step_ns : 1;
}

/* ---- the course of a calibration ---- */

void kt_calibration_init(kt_calibration *c, const kt_calibration_rule *rule)
{
    bool told = rule->period_ns >= 1 / PERIOD_MAX && rule->period_ns <= PERIOD_MAX;
    *c = (kt_calibration){.rule = *rule, .line.period_ns = told ? rule->period_ns : NAN};
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

static void begin_line(kt_calibration *c, const kt_clock_pair *pair, kt_estimate rate)
{
    c->line.ticks = pair->ticks;
    c->line.host_ns = middle_ns(pair);
    double half = (width_ns(pair) + host_step_ns(c) + tick_ns(c)) / 2;
    kt_track_start(&c->line.track, -half, half, rate);
}

/* Goes on to a pair that is so many ticks further. The line's origin goes along, so that what is
 * added up in doubles remains small. */
static void go_on(kt_calibration *c, const kt_clock_pair *pair, double ticks)
{
    kt_line *line = &c->line;
    double ns = ticks * line->period_ns, seconds = ns * 1e-9;
    double shift = nearbyint(ns + kt_track_offset(&line->track, seconds).mean);
    kt_track_advance(&line->track, seconds, shift - ns);
    line->ticks = pair->ticks;
    line->host_ns = later(line->host_ns, shift);
    double low = (double)span(line->host_ns, pair->host_before_ns);
    double tick = tick_ns(c), step = host_step_ns(c);
    kt_track_observe(&line->track, low, low + width_ns(pair), GRAIN * hypot(tick, step),
                     tick / 2 + step);
}

/* Until the period is known. */
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
    } else if (ticks < 0 || width <= then / 2) { /* a far better beginning */
        c->base = *pair;
    }
    return take(c, pair);
}

/* ---- how long a tick is ---- */

static kt_found_period period_of_line(const kt_calibration *c)
{
    double ns = c->line.period_ns;
    kt_estimate rate = kt_track_rate(&c->line.track);
    return (kt_found_period){ns * (1 + rate.mean * 1e-9), DEVIATIONS * rate.sd * 1e-9 * ns,
                             c->agreeing};
}

static bool is_line_believed(const kt_calibration *c)
{
    const kt_found_period is = period_of_line(c), was = c->doubted;
    if (was.pairs == 0)
        return true;
    double same_ns = SAME_PERIOD * was.ns + is.uncertainty_ns + was.uncertainty_ns;
    return is.pairs >= AGREEING && (fabs(is.ns - was.ns) <= same_ns || is.pairs > was.pairs);
}

/* If another one is agreed with, too, it may be that one: which is told as the uncertainty. */
static kt_found_period believed_period(const kt_calibration *c)
{
    const kt_found_period is = period_of_line(c);
    kt_found_period was = c->doubted;
    if (is_line_believed(c))
        return is;
    if (is.pairs >= AGREEING)
        was.uncertainty_ns = fmax(was.uncertainty_ns, fabs(is.ns - was.ns));
    return was;
}

/* ---- pairs that are not where they were expected ---- */

/* How many ticks the counter went on at the present rate, and by how many that may be wrong. */
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

/* A counter that is short by a power of two has turned over there. Of those that would do, the
 * highest: a lower one would be found out by the next turn. */
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

/* The counter began anew before the suspect, and is now so many ticks further. */
static kt_pair_outcome begin_anew(kt_calibration *c, const kt_clock_pair *pair, double ticks)
{
    kt_clock_pair first = c->suspect;
    kt_estimate rate = kt_track_rate(&c->line.track);
    /* However often it does: a counter that always begins anew would else go at any rate. */
    rate.sd = fmin(hypot(2 * rate.sd, REGAINED_RATE), fmax(rate.sd, PRIOR_RATE));
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

static kt_pair_outcome search_anew(kt_calibration *c, const kt_clock_pair *pair)
{
    if (is_line_believed(c) && c->agreeing >= AGREEING)
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

/* ---- */

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
    bool told = !isnan(c->line.period_ns);
    if (c->has_pair)
        return told ? follow(c, &shown) : search(c, &shown);
    c->base = shown;
    if (told) {
        begin_line(c, &shown, (kt_estimate){0, PRIOR_RATE});
        kt_track_doubt_rate(&c->line.track, WRONG_RATE);
        c->agreeing = 1;
    }
    return take(c, &shown);
}

/* ---- what is asked ---- */

/* The estimate is for the middle of the tick, or of the step, that the stamp was taken in. */
static void place_on(const kt_calibration *c, const kt_line *line, uint64_t ticks, int64_t *host_ns,
                     double *uncertainty_ns)
{
    double ns = ticks_between(line->ticks, ticks, c->state.valid_bits) * line->period_ns;
    double seconds = ns * 1e-9;
    *host_ns = later(line->host_ns, ns + kt_track_offset(&line->track, seconds).mean);
    double tick = c->rule.step_ticks * line->period_ns;
    *uncertainty_ns = kt_track_bound(&line->track, seconds) + tick / 2 + 0.5;
}

static double distance_ns(int64_t a, int64_t b)
{
    return fabs((double)span(a, b));
}

bool kt_calibration_place(const kt_calibration *c, uint64_t ticks, int64_t *host_ns,
                          double *uncertainty_ns)
{
    if (!c->has_pair || isnan(c->line.period_ns))
        return false;
    place_on(c, &c->line, ticks, host_ns, uncertainty_ns);
    if (c->state.resets == 0)
        return true;
    /* Which of both counts does it belong to? */
    int64_t former_ns, now_ns = c->newest.host_after_ns;
    double former_uncertainty_ns;
    place_on(c, &c->former, ticks, &former_ns, &former_uncertainty_ns);
    bool is_later = *host_ns > c->former_end_ns, was_before = former_ns < c->begin_ns;
    bool is_nearer = distance_ns(*host_ns, now_ns) <= distance_ns(former_ns, now_ns);
    if (was_before && !(is_later && is_nearer)) {
        *host_ns = former_ns;
        *uncertainty_ns = former_uncertainty_ns;
    }
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
    kt_found_period period = believed_period(c);
    if (isnan(period.ns)) /* it is sought anew: it stays as it was told */
        return;
    out->period_ns = period.ns;
    out->period_uncertainty_ns = period.uncertainty_ns;
    out->period_exact = out->period_uncertainty_ns <= EXACT_NS &&
                        fabs(out->period_ns - 1) <= out->period_uncertainty_ns;
    if (out->period_exact)
        out->period_ns = 1;
}
