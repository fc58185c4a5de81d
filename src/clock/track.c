/* SPDX-License-Identifier: MIT */
/*
 * track.c - tracks a clock with interacting multiple models (IMM) and interval observations.
 *
 * Motion models. The clock's offset x from a straight line, its rate v, and its drift rate b, as of
 * a clock that warms up, change as
 *
 *     dx = v dt,  dv = b dt + q dW,  db = -b dt / DRIFT_RATE_S + r dW'   (W, W': Wiener processes)
 *
 * so over a time dt the process noise q adds the covariance q^2 (dt^3/3, dt^2/2; dt^2/2, dt) to x
 * and v. The process noise r adds the covariance of an Ornstein-Uhlenbeck process, integrated
 * twice. It is computed exactly, so that one long step adds as much as many short ones. A clock's q
 * and r are unknown and may change. So several models run side by side, each weighted by how well
 * it predicted the intervals. The models switch every SWITCH_S on average, which mixes their
 * estimates: the interacting multiple models of Blom and Bar-Shalom, IEEE Transactions on Automatic
 * Control 33 (1988), with one switching probability to all models. Mixing preserves the moments of
 * the mixture.
 *
 * Observations. A clock pair gives an interval low <= x <= high, uniform in between. To assume that
 * x is in the middle would claim an error of width / sqrt(N) after N intervals. The information is
 * in the ends: of N intervals one ends within width / N of the truth. So an interval truncates the
 * normal distribution at both ends, and the new moments are those of the truncated distribution. A
 * wide interval changes nothing unless the distribution reaches its ends. The ends have normal
 * noise of variance s^2 (a timestamp may be anywhere within its tick), so z = x + noise is
 * truncated, with the variance S^2 = var x + s^2. With l = (low - x)/S, h = (high - x)/S,
 * Z = Phi(h) - Phi(l), and c the covariance of a state with x,
 *
 *     m = (phi(l) - phi(h)) / Z,     V = 1 + (l phi(l) - h phi(h)) / Z - m^2
 *     each state += c m/S,           the covariance of two states -= c c' (1 - V)/S^2
 *
 * and Z is the likelihood that updates the model's weight.
 *
 * Wrong ends. Some drivers read the device shortly before or after the interval. Intervals without
 * a common offset show a wrong end (Marzullo and Owicki, Maintaining the Time in a Distributed
 * System, 1983), off by what is missing between them beyond the clock's drift. A clock that jumps
 * leaves earlier intervals on one side, wrong ends do so on both. What was missing on both sides,
 * the slack, is noise of all ends from then on, and widens the room below. What was missing on one
 * side, and what few intervals may not have shown yet, only widens the bound.
 *
 * Place in the interval. If a driver always reads the device near one point of the interval, only
 * the middles of intervals tell the clock's motion. Successive differences of these middles give
 * the spread of the place without a model of the motion (von Neumann et al., The Mean Square
 * Successive Difference, Annals of Mathematical Statistics 12, 1941). Intervals are narrowed to
 * that spread around their middle. A uniform place narrows nothing. The place itself stays unknown,
 * so what was cut off is added to the bound.
 *
 * Error bound. If a driver always reads the device at the same point of the interval, repeated
 * truncation at the same place makes the distribution too narrow. So the room that the intervals
 * left on either side is kept as well: the truth is not below x by more than the least x - low so
 * far, nor above x by more than the least high - x. Both limits move with x and grow with the
 * uncertainty of the rate. If the device is read anywhere in the interval, both limits shrink with
 * the number of intervals; if always at one point, their sum stays at the width of the narrowest
 * interval.
 */
#include "clock/track.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/*
 * Process noise q (ns per s) and r (ns per s^2), each after one second, and the model's probability
 * at the start and when models switch. From an oscillator in an oven to one beside a fan, and one
 * that warms up.
 */
typedef struct motion_model {
    double process_noise, drift_noise, prior;
} motion_model;

static const motion_model motion_models[KT_TRACK_MODELS] = {
    {0.3, 0, 0.1}, {5, 0, 0.1}, {5, 50, 0.005}, {40, 0, 0.2}, {200, 0, 0.295}, {1000, 0, 0.3}};

#define DRIFT_RATE_S 30.0  /* s: mean duration of a drift */
#define SWITCH_S     250.0 /* s: mean time between switches of the motion model */
#define BRIEF        0.01  /* share of DRIFT_RATE_S for which the drift rate counts as constant */
#define STEP_S       30.0  /* s: longest time step, since models switch at its start */
#define STEPS        16    /* most time steps of one advance; by then nearly all switched */

/* An interval that misses the offset by more standard deviations is not noise: the clock has
 * jumped, or the interval is wrong. */
#define SURPRISE 6

/* Truncation beyond this many standard deviations changes nothing. */
#define NOTHING_LEFT 7

/* Probability outside the error bound, and a factor on the bound, because truncated distributions
 * are not quite normal. Both found by trial with simulated clocks. */
#define OUTSIDE 0.003
#define STRETCH 1.4

/* Number of standard deviations that bounds the clock's motion since the newest interval. */
#define CERTAIN 5

/* Share of the ends' error that is kept when the next interval is added. */
#define MEMORY 0.998

/* Error of the ends that may not have shown yet, and of the rate that follows from them: at the
 * start this share of an interval's width, of which each interval leaves so much. */
#define UNTESTED 0.2
#define TESTED   0.997

/* An interval up to NARROW times as wide as the narrowest recent one shows the place of the offset.
 * The narrowest one is forgotten at the rate of AGEING for each interval. */
#define NARROW 1.25
#define AGEING 1.001

/* The spread of the place is a mean over this many narrow intervals, and counts as uniform for the
 * first few. */
#define PLACES       32
#define PLACES_FIRST 4

/* Width that is kept of an interval, as a multiple of the spread: so much more than 1 that a spread
 * learned from uniform places cuts nothing off (in none of 3,000,000 by trial). For normal places
 * these are 2.8 standard deviations on either side. PLACE_LEAST: no place is more exact than this
 * share. */
#define PLACE_KEPT  1.6
#define PLACE_LEAST 0.05

/* Within less time, a place that moves slowly looks like a wrong rate, and nothing is narrowed. */
#define PLACE_S 1.0

/* ---- Truncated normal distribution ---- */

#define SQRT_HALF    0.70710678118654752
#define SQRT_HALF_PI 1.2533141373155003
#define DENSITY_0    0.39894228040143268

typedef struct cut {
    double mass, mean, variance;
} cut;

/* Mills' ratio: upper tail over density at x >= 0. Uses a continued fraction for large x. */
static double mills(double x)
{
    if (x < 5)
        return SQRT_HALF_PI * erfc(x * SQRT_HALF) * exp(x * x / 2);
    double fraction = x;
    for (int i = 16; i >= 1; i--)
        fraction = x + i / fraction;
    return 1 / fraction;
}

/* Truncates the standard normal distribution to a..b, where a is nearer to 0 than b and b - a is
 * not small. */
static cut cut_near(double a, double b)
{
    double low, high, mass, scale = 1;
    if (a > 0) { /* computed relative to the density at a, which may underflow */
        scale = DENSITY_0 * exp(-a * a / 2);
        low = 1;
        high = exp((a - b) * (a + b) / 2);
        mass = mills(a) - (high > 0 ? high * mills(b) : 0);
    } else {
        bool open = b > NOTHING_LEFT;
        low = DENSITY_0 * exp(-a * a / 2);
        high = open ? 0 : DENSITY_0 * exp(-b * b / 2);
        mass = (erfc(a * SQRT_HALF) - (open ? 0 : erfc(b * SQRT_HALF))) / 2;
    }
    double mean = (low - high) / mass;
    double variance = 1 + (a * low - (high > 0 ? b * high : 0)) / mass - mean * mean;
    return (cut){scale * mass, mean, fmin(1, fmax(variance, 0))};
}

static cut cut_normal(double a, double b)
{
    if (b - a < 0.02) { /* nearly uniform: the exact formulas would lose all digits */
        double middle = (a + b) / 2;
        return (cut){DENSITY_0 * exp(-middle * middle / 2) * (b - a), middle,
                     (b - a) * (b - a) / 12};
    }
    if (a + b >= 0)
        return cut_near(a, b);
    cut mirrored = cut_near(-b, -a);
    mirrored.mean = -mirrored.mean;
    return mirrored;
}

/* ---- One motion model ---- */

enum {
    OFFSET = KT_TRACK_OFFSET,
    RATE = KT_TRACK_RATE,
    DRIFT_RATE = KT_TRACK_DRIFT_RATE,
    STATES = KT_TRACK_STATES
};

/* Coefficients of a time step: the drift rate's two integrals and its decay, and the covariances
 * that q = 1 and r = 1 add. */
typedef struct way {
    double seconds, once, twice, kept;
    double process_noise[STATES][STATES], drift_noise[STATES][STATES];
} way;

/*
 * Covariance added by r = 1. With s = u / DRIFT_RATE_S, noise at a time u before the end adds
 *
 *     exp(-s) to the drift rate,  DRIFT_RATE_S (1 - exp(-s)) to the rate,
 *     DRIFT_RATE_S^2 (s - 1 + exp(-s)) to the offset,
 *
 * and the covariances are the integrals of the products. They nearly cancel for short times, so the
 * drift rate then counts as constant.
 */
static void set_drift_noise(way *w, double t, double sign)
{
    if (t < BRIEF * DRIFT_RATE_S) {
        double t2 = t * t, t3 = t2 * t;
        const double brief[STATES][STATES] = {
            {t3 * t2 / 20}, {sign * t3 * t / 8, t3 / 3}, {t3 / 6, sign * t2 / 2, t}};
        memcpy(w->drift_noise, brief, sizeof brief);
        return;
    }
    double n = t / DRIFT_RATE_S, kept = w->kept, lost = 1 - kept;
    double rate2 = n - lost - lost * lost / 2;
    double offset2 = n * n * n / 3 - n * n + n + lost - 2 * n * kept - lost * lost / 2;
    double with_drift_rate = lost - lost * lost / 2 - n * kept;
    const double exact[STATES][STATES] = {
        {pow(DRIFT_RATE_S, 5) * offset2},
        {sign * w->twice * w->twice / 2, pow(DRIFT_RATE_S, 3) * rate2},
        {pow(DRIFT_RATE_S, 3) * with_drift_rate, sign * w->once * w->once / 2,
         DRIFT_RATE_S * lost * (2 - lost) / 2}};
    memcpy(w->drift_noise, exact, sizeof exact);
}

/* A step back in time adds as much uncertainty as a step forward. */
static way way_of(double seconds)
{
    double t = fabs(seconds), sign = seconds < 0 ? -1 : 1;
    double decayed = -expm1(-t / DRIFT_RATE_S), once = DRIFT_RATE_S * decayed;
    way w = {
        .seconds = seconds,
        .once = sign * once,
        .twice = DRIFT_RATE_S * (t - once),
        .kept = 1 - decayed,
        .process_noise = {{t * t * t / 3}, {sign * t * t / 2, t}, {0, 0, 0}},
    };
    set_drift_noise(&w, t, sign);
    return w;
}

/* Advances the estimate of one motion model by a time step. */
static void go(kt_track_law *law, const way *w, double process_noise2, double drift_noise2)
{
    double *mean = law->mean, t = w->seconds;
    mean[OFFSET] += t * mean[RATE] + w->twice * mean[DRIFT_RATE];
    mean[RATE] += w->once * mean[DRIFT_RATE];
    mean[DRIFT_RATE] *= w->kept;
    /* Covariances of the new offset with the old states, and of the new rate with the old drift
     * rate; then of all new states. */
    double(*c)[STATES] = law->covariance;
    double xx = c[OFFSET][OFFSET] + t * c[RATE][OFFSET] + w->twice * c[DRIFT_RATE][OFFSET];
    double xv = c[RATE][OFFSET] + t * c[RATE][RATE] + w->twice * c[DRIFT_RATE][RATE];
    double xb =
        c[DRIFT_RATE][OFFSET] + t * c[DRIFT_RATE][RATE] + w->twice * c[DRIFT_RATE][DRIFT_RATE];
    double vb = c[DRIFT_RATE][RATE] + w->once * c[DRIFT_RATE][DRIFT_RATE];
    c[OFFSET][OFFSET] = xx + t * xv + w->twice * xb;
    c[RATE][OFFSET] = xv + w->once * xb;
    c[RATE][RATE] += w->once * (c[DRIFT_RATE][RATE] + vb);
    c[DRIFT_RATE][OFFSET] = w->kept * xb;
    c[DRIFT_RATE][RATE] = w->kept * vb;
    c[DRIFT_RATE][DRIFT_RATE] *= w->kept * w->kept;
    for (int i = 0; i < STATES; i++)
        for (int j = 0; j <= i; j++)
            c[i][j] +=
                process_noise2 * w->process_noise[i][j] + drift_noise2 * w->drift_noise[i][j];
}

/* Moments of a mixture of `law` and, with weight `share`, `other`. */
static void mix(kt_track_law *law, const kt_track_law *other, double share)
{
    double keep = 1 - share, apart[STATES];
    for (int i = 0; i < STATES; i++)
        apart[i] = other->mean[i] - law->mean[i];
    for (int i = 0; i < STATES; i++) {
        law->mean[i] += share * apart[i];
        for (int j = 0; j <= i; j++)
            law->covariance[i][j] = keep * law->covariance[i][j] + share * other->covariance[i][j] +
                                    share * keep * apart[i] * apart[j];
    }
}

/* Truncates one model's offset to low..high. Returns the likelihood of the interval. */
static double observe(kt_track_law *law, double low, double high, double noise)
{
    double own = law->covariance[OFFSET][OFFSET], variance = own + noise, sd = sqrt(variance);
    double a = (low - law->mean[OFFSET]) / sd, b = (high - law->mean[OFFSET]) / sd;
    if (a < -NOTHING_LEFT && b > NOTHING_LEFT)
        return 1;
    cut c = cut_normal(a, b);
    /* As the formulas at the head, without cancellation: the part of a covariance that is shared
     * with the offset is scaled by `kept`, and the rest stays. */
    double kept = (noise + own * c.variance) / variance, with[STATES];
    for (int i = 0; i < STATES; i++)
        with[i] = law->covariance[i][OFFSET];
    for (int i = 0; i < STATES; i++) {
        law->mean[i] += with[i] * c.mean / sd;
        for (int j = 0; j <= i; j++) {
            double shared = with[i] * with[j] / own;
            double rest = j == OFFSET ? 0 : law->covariance[i][j] - shared;
            law->covariance[i][j] = (i == j ? fmax(0, rest) : rest) + kept * shared;
        }
    }
    return c.mass;
}

/* ---- All motion models ---- */

static void sum_up(kt_track *t)
{
    kt_track_law all = {.mean = {0}};
    for (int m = 0; m < KT_TRACK_MODELS; m++)
        for (int i = 0; i < STATES; i++)
            all.mean[i] += t->weights[m] * t->models[m].mean[i];
    for (int m = 0; m < KT_TRACK_MODELS; m++) {
        const kt_track_law *law = &t->models[m];
        double apart[STATES];
        for (int i = 0; i < STATES; i++)
            apart[i] = law->mean[i] - all.mean[i];
        for (int i = 0; i < STATES; i++)
            for (int j = 0; j <= i; j++)
                all.covariance[i][j] +=
                    t->weights[m] * (law->covariance[i][j] + apart[i] * apart[j]);
    }
    t->all = all;
}

static double variance_of(const kt_track_law *law, int state)
{
    return fmax(0, law->covariance[state][state]);
}

/* Probability that the motion model has switched within a time. */
static double change_in(double seconds)
{
    return -expm1(-fabs(seconds) / SWITCH_S);
}

static double weight_after(const kt_track *t, int model, double change)
{
    return (1 - change) * t->weights[model] + change * motion_models[model].prior;
}

/* Advances the mixture. Each model has its weight before or after the step, whichever is larger. */
static void go_as_whole(kt_track_law *law, const way *w, const kt_track *t, double change)
{
    double process_noise2 = 0, drift_noise2 = 0;
    for (int m = 0; m < KT_TRACK_MODELS; m++) {
        double is = t->weights[m], will_be = weight_after(t, m, change);
        double weight = is > will_be ? is : will_be;
        process_noise2 += weight * motion_models[m].process_noise * motion_models[m].process_noise;
        drift_noise2 += weight * motion_models[m].drift_noise * motion_models[m].drift_noise;
    }
    go(law, w, process_noise2, drift_noise2);
}

static void go_by_model(kt_track_law *law, const way *w, const motion_model *how)
{
    go(law, w, how->process_noise * how->process_noise, how->drift_noise * how->drift_noise);
}

static void start(kt_track *t, const kt_track_law *law, double room)
{
    *t = (kt_track){.all = *law,
                    .below = room,
                    .above = room,
                    .newest = room,
                    .untested = UNTESTED * 2 * room,
                    .doubt = UNTESTED * 2 * room,
                    .place = {.narrowest = 2 * room, .spread = 1, .gain = 1.0 / PLACES_FIRST}};
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        t->models[i] = *law;
        t->weights[i] = motion_models[i].prior;
    }
}

static double variance_within(double width)
{
    return width * width / 12;
}

void kt_track_start(kt_track *t, double low, double high, kt_estimate rate)
{
    kt_track_law law = {.mean = {low + (high - low) / 2, rate.mean}};
    law.covariance[OFFSET][OFFSET] = variance_within(high - low);
    law.covariance[RATE][RATE] = rate.sd * rate.sd;
    start(t, &law, (high - low) / 2);
}

void kt_track_doubt_rate(kt_track *t, double sd)
{
    t->models[KT_TRACK_MODELS - 1].covariance[RATE][RATE] = sd * sd;
    sum_up(t);
}

void kt_track_start_pair(kt_track *t, double width_then, double width, double seconds)
{
    double then = variance_within(width_then), here = variance_within(width);
    kt_track_law law = {.mean = {0}};
    law.covariance[OFFSET][OFFSET] = here;
    law.covariance[RATE][OFFSET] = here / seconds;
    law.covariance[RATE][RATE] = (then + here) / (seconds * seconds);
    start(t, &law, width / 2);
}

static void step(kt_track *t, const way *w)
{
    double change = change_in(w->seconds);
    double wrong = sqrt(variance_of(&t->all, RATE)) * w->seconds;
    t->drifted += wrong;
    t->below += wrong;
    t->above += wrong;
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        double weight = weight_after(t, i, change);
        mix(&t->models[i], &t->all, change * motion_models[i].prior / weight);
        go_by_model(&t->models[i], w, &motion_models[i]);
        t->weights[i] = weight;
    }
    go_as_whole(&t->all, w, t, 0);
}

/* Number of equal steps into which a time is divided. */
static int steps_of(double seconds)
{
    return seconds <= STEP_S ? 1 : (int)fmin(STEPS, ceil(seconds / STEP_S));
}

void kt_track_advance(kt_track *t, double seconds, double shift_ns)
{
    int steps = steps_of(seconds);
    way w = way_of(seconds / steps);
    t->seconds += seconds;
    for (int n = 0; n < steps; n++)
        step(t, &w);
    for (int i = 0; i < KT_TRACK_MODELS; i++)
        t->models[i].mean[OFFSET] -= shift_ns;
    t->all.mean[OFFSET] -= shift_ns;
}

/* Learns the place of the offset `was` in an interval. */
static void learn_place(kt_track *t, double was, double low, double high)
{
    kt_track_place *place = &t->place;
    double width = high - low, middle = low + width / 2 - was;
    place->narrowest = fmin(AGEING * place->narrowest, width);
    if (!(width > 0) || width > NARROW * place->narrowest)
        return;
    double apart = fmin(fabs(middle - place->middle) / width, 1);
    place->middle = middle;
    /* Two independent places differ by twice their variance, and a uniform one has width^2 / 12. */
    place->gain = fmax(1.0 / PLACES, place->gain / (1 + place->gain));
    place->spread += place->gain * (6 * apart * apart - place->spread);
    double kept = fmin(1, fmax(PLACE_LEAST, PLACE_KEPT * sqrt(place->spread)));
    place->unused = t->seconds >= PLACE_S ? (1 - kept) * place->narrowest / 2 : 0;
}

double kt_track_slack(const kt_track *t)
{
    return t->rose < t->fell ? t->rose : t->fell;
}

/* Error of the ends that explains what is missing between the newest interval and the room. */
static double error_by(const kt_track *t, double missing)
{
    return kt_track_slack(t) + fmax(0, missing - (CERTAIN - 1) * t->drifted);
}

/* Moves the room to the offset `moved` higher, and restricts it by an interval that leaves `below`
 * and `above`. */
static void restrict_room(kt_track *t, double moved, double below, double above)
{
    double ends = kt_track_slack(t);
    double rose = -(t->above - moved + below + ends), fell = -(t->below + moved + above + ends);
    t->newest = fmax(below, above);
    t->below = fmin(t->below + moved, below + ends);
    t->above = fmin(t->above - moved, above + ends);
    t->rose *= MEMORY;
    t->fell *= MEMORY;
    if (rose > 0 || fell > 0) { /* contradictory intervals: restart from the newest one */
        t->rose = fmax(t->rose, rose > 0 ? error_by(t, rose) : 0);
        t->fell = fmax(t->fell, fell > 0 ? error_by(t, fell) : 0);
        ends = kt_track_slack(t);
        t->below = below + ends;
        t->above = above + ends;
    }
    t->drifted = 0;
    t->doubt = fmax(t->untested, fmax(t->rose, t->fell) - ends);
}

void kt_track_observe(kt_track *t, double low, double high, double grain, double reach)
{
    double was = t->all.mean[OFFSET], variance = variance_of(&t->all, OFFSET);
    double ends = kt_track_slack(t), noise = grain * grain + ends * ends;
    double beyond = fmax(low - was, was - high);
    double jump = beyond > SURPRISE * sqrt(variance + noise) ? beyond * beyond : 0;
    learn_place(t, was, low, high);
    double unused = fmin(t->place.unused, (high - low) / 2), sum = 0;
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        t->models[i].covariance[OFFSET][OFFSET] += jump;
        double likelihood = observe(&t->models[i], low + unused, high - unused, noise);
        t->weights[i] *= fmax(likelihood, 1e-200);
        sum += t->weights[i];
    }
    for (int i = 0; i < KT_TRACK_MODELS; i++)
        t->weights[i] /= sum;
    sum_up(t);
    double is = t->all.mean[OFFSET], moved = is - was;
    t->place.middle -= moved;
    t->untested = TESTED * fmin(t->untested, UNTESTED * (high - low));
    restrict_room(t, moved, is - low + reach, high - is + reach);
}

/* ---- Results ---- */

static kt_estimate estimate(const kt_track_law *law, int state)
{
    return (kt_estimate){law->mean[state], sqrt(variance_of(law, state))};
}

kt_estimate kt_track_offset(const kt_track *t, double seconds)
{
    if (seconds == 0)
        return estimate(&t->all, OFFSET);
    kt_track_law there = t->all;
    way w = way_of(seconds);
    go_as_whole(&there, &w, t, change_in(seconds));
    return estimate(&there, OFFSET);
}

kt_estimate kt_track_rate(const kt_track *t)
{
    return estimate(&t->all, RATE);
}

/* A model of weight w has probability OUTSIDE beyond z standard deviations on both sides, where w
 * exp(-z^2 / 2) = OUTSIDE. That is an upper bound of the normal tails. */
double kt_track_bound(const kt_track *t, double seconds)
{
    double wrong = sqrt(variance_of(&t->all, RATE)) * fabs(seconds);
    double bound = fmax(fabs(t->below), fabs(t->above)) + wrong + t->doubt;
    double change = change_in(seconds);
    way w = way_of(seconds);
    kt_track_law whole = t->all;
    go_as_whole(&whole, &w, t, change);
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        double weight = fmax(t->weights[i], weight_after(t, i, change));
        if (weight <= OUTSIDE)
            continue;
        kt_track_law there = t->models[i];
        go_by_model(&there, &w, &motion_models[i]);
        kt_estimate offset = estimate(&there, OFFSET);
        double z = STRETCH * sqrt(2 * log(weight / OUTSIDE));
        bound =
            fmax(bound, t->place.unused + fabs(offset.mean - whole.mean[OFFSET]) + z * offset.sd);
    }
    kt_track_law since = t->all; /* motion since the newest interval, with an exact offset there */
    for (int i = 0; i < STATES; i++)
        since.covariance[i][OFFSET] = 0;
    go_as_whole(&since, &w, t, change);
    return fmin(bound,
                t->newest + fmax(t->rose, t->fell) + CERTAIN * sqrt(variance_of(&since, OFFSET)));
}
