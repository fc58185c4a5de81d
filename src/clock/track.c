/*
 * The clock's offset x from a straight line, its rate v, and the bend b of that, as of a clock that
 * warms up, change as
 *
 *     dx = v dt,    dv = b dt + q dW,    db = -b dt / BEND_S + r dW',             (W, W': Wiener processes)
 *
 * so over a time dt x and v gain the covariance q^2 (dt^3/3, dt^2/2; dt^2/2, dt), and what r adds
 * to all three is that of a process of Ornstein and Uhlenbeck, integrated twice: exactly, so that a
 * long step adds what many short ones do. How restless a clock is, q and r, is not known, and may
 * change: a few laws run side by side, one for each manner, and each is held to be as likely as it
 * foretold the brackets. Now and then (SWITCH_S) the clock's manner changes, which mixes them all:
 * the interacting multiple models of Blom and Bar-Shalom, IEEE Transactions on Automatic Control 33
 * (1988), with one chance to change, to any model alike. Mixing leaves the moments of the whole as
 * they are.
 *
 * A bracket says that low <= x <= high, and of what is in between, all alike. It does not say that
 * x is in the middle: that would be to believe in an error of its width, and N brackets would err
 * by width / sqrt(N). What they tell, they tell at their ends: of N brackets one ends within width
 * / N of the truth, and cuts off what is beyond. So a law's moments become those of the normal law
 * cut off at both ends, and a wide bracket tells nothing unless it is in the way. Its limits are
 * blurred by a normal law of variance s^2 (a stamp may be anywhere within its tick): then it is z =
 * x + noise that is cut off, with the variance S^2 = var x + s^2. With l = (low - x)/S, h = (high -
 * x)/S, Z = Phi(h) - Phi(l), and c the covariance of a state with x,
 *
 *     m = (phi(l) - phi(h)) / Z,     V = 1 + (l phi(l) - h phi(h)) / Z - m^2
 *     each state += c m/S,           the covariance of two states -= c c' (1 - V)/S^2
 *
 * and Z is by how much the model's weight changes.
 *
 * What is said of the error may not rest on that alone. Where a device is read at the same place of
 * every bracket, cutting again and again at the same place makes a law sure of what it cannot know.
 * So, apart from the laws, it is remembered how much room the brackets left on either side: the
 * truth is not below x by more than the least x - low so far, nor above it by more than the least
 * high - x, both moved along with x and widened by as much as the rate may be wrong. If a device is
 * read anywhere in its brackets, both shrink with the number of brackets; if always at one place,
 * their sum remains the narrowest bracket.
 */
#include "clock/track.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Manners of a clock: q in ns per s, r in ns per s^2, each after a second; and how likely it is,
 * before anything is known or when it changes. From an oscillator in an oven to one beside a fan,
 * and one that warms up. */
typedef struct manner {
    double unrest, bending, prior;
} manner;

static const manner manners[KT_TRACK_MODELS] = {{0.3, 0, 0.1}, {5, 0, 0.1},     {5, 50, 0.005},
                                                {40, 0, 0.2},  {200, 0, 0.295}, {1000, 0, 0.3}};

#define BEND_S   30.0  /* mean time that a bend lasts */
#define SWITCH_S 250.0 /* mean time until the clock's manner changes */
#define BRIEF    0.01  /* share of the time that a bend lasts in which it is as good as straight */
#define STEP_S   30.0  /* manners change at the beginning of a step: so it is no longer, ... */
#define STEPS    16    /* ... if there are no more of them; by then nearly all have changed */

/* A bracket so many deviations off is not noise: the clock has jumped, or its limits lie. */
#define SURPRISE 6

/* Beyond this many deviations a law has nothing to be cut off. */
#define NOTHING_LEFT 7

/* What a law leaves outside, and by how much what it says is stretched, since laws that were cut
 * off are not quite normal. Found by trial, with clocks of known course. */
#define OUTSIDE 0.003
#define STRETCH 1.4

/* Beyond so many deviations of its rate, a clock has not come since the newest bracket. */
#define CERTAIN 5

/* How much of being missed is remembered from one bracket to the next. */
#define MEMORY 0.99

/* ---- a normal law cut off ---- */

#define SQRT_HALF    0.70710678118654752
#define SQRT_HALF_PI 1.2533141373155003
#define DENSITY_0    0.39894228040143268

typedef struct cut {
    double mass, mean, variance;
} cut;

/* What is beyond x >= 0, over the density there (Mills' ratio); far out by its continued
 * fraction. */
static double mills(double x)
{
    if (x < 5)
        return SQRT_HALF_PI * erfc(x * SQRT_HALF) * exp(x * x / 2);
    double fraction = x;
    for (int i = 16; i >= 1; i--)
        fraction = x + i / fraction;
    return 1 / fraction;
}

/* The standard normal law between a and b, where a is the nearer end, and b - a not small. */
static cut cut_near(double a, double b)
{
    double low, high, mass, scale = 1;
    if (a > 0) { /* in units of the density at a, which may be too small for a double */
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
    if (b - a < 0.02) { /* even within so little; the formulas would cancel out */
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

/* ---- one law ---- */

enum {
    OFFSET = KT_TRACK_OFFSET,
    RATE = KT_TRACK_RATE,
    BEND = KT_TRACK_BEND,
    STATES = KT_TRACK_STATES
};

/* What a time does: its integrals of a bend, what is kept of that, and what unrest and bending of 1
 * add. */
typedef struct way {
    double seconds, once, twice, kept;
    double unrest[STATES][STATES], bending[STATES][STATES];
} way;

/*
 * Bending of 1 at a time u before the end has become there, if s = u / BEND_S,
 *
 *     exp(-s) of the bend,  BEND_S (1 - exp(-s)) of the rate,  BEND_S^2 (s - 1 + exp(-s)) of the
 *     offset,
 *
 * each the derivative of the next. What is added is the integrals of their products, in which
 * nearly all cancels out where the time is short: then a bend does not decay.
 */
static void set_bending(way *w, double t, double sign)
{
    if (t < BRIEF * BEND_S) {
        double t2 = t * t, t3 = t2 * t;
        const double brief[STATES][STATES] = {
            {t3 * t2 / 20}, {sign * t3 * t / 8, t3 / 3}, {t3 / 6, sign * t2 / 2, t}};
        memcpy(w->bending, brief, sizeof brief);
        return;
    }
    double n = t / BEND_S, kept = w->kept, lost = 1 - kept;
    double rate2 = n - lost - lost * lost / 2;
    double offset2 = n * n * n / 3 - n * n + n + lost - 2 * n * kept - lost * lost / 2;
    double with_bend = lost - lost * lost / 2 - n * kept;
    const double exact[STATES][STATES] = {
        {pow(BEND_S, 5) * offset2},
        {sign * w->twice * w->twice / 2, pow(BEND_S, 3) * rate2},
        {pow(BEND_S, 3) * with_bend, sign * w->once * w->once / 2, BEND_S * lost * (2 - lost) / 2}};
    memcpy(w->bending, exact, sizeof exact);
}

/* Back in time as much is not known as ahead. */
static way way_of(double seconds)
{
    double t = fabs(seconds), sign = seconds < 0 ? -1 : 1;
    double decayed = -expm1(-t / BEND_S), once = BEND_S * decayed;
    way w = {
        .seconds = seconds,
        .once = sign * once,
        .twice = BEND_S * (t - once),
        .kept = 1 - decayed,
        .unrest = {{t * t * t / 3}, {sign * t * t / 2, t}, {0, 0, 0}},
    };
    set_bending(&w, t, sign);
    return w;
}

/* What is thought of the clock there by what is thought of it here. */
static void go(kt_track_law *law, const way *w, double unrest2, double bending2)
{
    double *mean = law->mean, t = w->seconds;
    mean[OFFSET] += t * mean[RATE] + w->twice * mean[BEND];
    mean[RATE] += w->once * mean[BEND];
    mean[BEND] *= w->kept;
    /* Covariances of the offset there with all here, of the rate there with the bend here, then of
     * all there. */
    double(*c)[STATES] = law->covariance;
    double xx = c[OFFSET][OFFSET] + t * c[RATE][OFFSET] + w->twice * c[BEND][OFFSET];
    double xv = c[RATE][OFFSET] + t * c[RATE][RATE] + w->twice * c[BEND][RATE];
    double xb = c[BEND][OFFSET] + t * c[BEND][RATE] + w->twice * c[BEND][BEND];
    double vb = c[BEND][RATE] + w->once * c[BEND][BEND];
    c[OFFSET][OFFSET] = xx + t * xv + w->twice * xb;
    c[RATE][OFFSET] = xv + w->once * xb;
    c[RATE][RATE] += w->once * (c[BEND][RATE] + vb);
    c[BEND][OFFSET] = w->kept * xb;
    c[BEND][RATE] = w->kept * vb;
    c[BEND][BEND] *= w->kept * w->kept;
    for (int i = 0; i < STATES; i++)
        for (int j = 0; j <= i; j++)
            c[i][j] += unrest2 * w->unrest[i][j] + bending2 * w->bending[i][j];
}

/* Moments of a mixture of two, `share` of it the other. */
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

/* Returns how likely that was. */
static double observe(kt_track_law *law, double low, double high, double noise)
{
    double own = law->covariance[OFFSET][OFFSET], variance = own + noise, sd = sqrt(variance);
    double a = (low - law->mean[OFFSET]) / sd, b = (high - law->mean[OFFSET]) / sd;
    if (a < -NOTHING_LEFT && b > NOTHING_LEFT)
        return 1;
    cut c = cut_normal(a, b);
    /* As in the formulas above, but without differences of numbers that are nearly the same: what a
     * state shares with the offset is kept to this share, the rest of it stays. */
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

/* ---- all of them ---- */

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

/* How likely it is that the manner has changed after such a time. */
static double change_in(double seconds)
{
    return -expm1(-fabs(seconds) / SWITCH_S);
}

static double weight_after(const kt_track *t, int model, double change)
{
    return (1 - change) * t->weights[model] + change * manners[model].prior;
}

/* Each manner is as likely as it was or will be, whichever leaves more open. */
static void go_as_whole(kt_track_law *law, const way *w, const kt_track *t, double change)
{
    double unrest2 = 0, bending2 = 0;
    for (int m = 0; m < KT_TRACK_MODELS; m++) {
        double is = t->weights[m], will_be = weight_after(t, m, change);
        double weight = is > will_be ? is : will_be;
        unrest2 += weight * manners[m].unrest * manners[m].unrest;
        bending2 += weight * manners[m].bending * manners[m].bending;
    }
    go(law, w, unrest2, bending2);
}

static void go_in_manner(kt_track_law *law, const way *w, const manner *how)
{
    go(law, w, how->unrest * how->unrest, how->bending * how->bending);
}

static void start(kt_track *t, const kt_track_law *law, double room)
{
    *t = (kt_track){.all = *law, .below = room, .above = room, .newest = room};
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        t->models[i] = *law;
        t->weights[i] = manners[i].prior;
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
    t->below += wrong;
    t->above += wrong;
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        double weight = weight_after(t, i, change);
        mix(&t->models[i], &t->all, change * manners[i].prior / weight);
        go_in_manner(&t->models[i], w, &manners[i]);
        t->weights[i] = weight;
    }
    go_as_whole(&t->all, w, t, 0);
}

/* A way is gone in so many equal steps. */
static int steps_of(double seconds)
{
    return seconds <= STEP_S ? 1 : (int)fmin(STEPS, ceil(seconds / STEP_S));
}

void kt_track_advance(kt_track *t, double seconds, double shift_ns)
{
    int steps = steps_of(seconds);
    way w = way_of(seconds / steps);
    for (int n = 0; n < steps; n++)
        step(t, &w);
    for (int i = 0; i < KT_TRACK_MODELS; i++)
        t->models[i].mean[OFFSET] -= shift_ns;
    t->all.mean[OFFSET] -= shift_ns;
}

/* A clock that has changed misses brackets on one side; limits that are not where they are said to
 * be are missed on both. */
static double blur(const kt_track *t)
{
    return fmin(t->under, t->over);
}

void kt_track_observe(kt_track *t, double low, double high, double grain, double reach)
{
    double was = t->all.mean[OFFSET], variance = variance_of(&t->all, OFFSET);
    double sd = sqrt(variance + grain * grain);
    t->under = fmax(MEMORY * t->under, low - was - 3 * sd);
    t->over = fmax(MEMORY * t->over, was - high - 3 * sd);
    double noise = grain * grain + blur(t) * blur(t);
    double beyond = fmax(low - was, was - high);
    double jump = beyond > SURPRISE * sqrt(variance + noise) ? beyond * beyond : 0;
    double sum = 0;
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        t->models[i].covariance[OFFSET][OFFSET] += jump;
        t->weights[i] *= fmax(observe(&t->models[i], low, high, noise), 1e-200);
        sum += t->weights[i];
    }
    for (int i = 0; i < KT_TRACK_MODELS; i++)
        t->weights[i] /= sum;
    sum_up(t);
    double is = t->all.mean[OFFSET], moved = is - was;
    double below = is - low + reach, above = high - is + reach;
    t->newest = fmax(below, above);
    t->below = fmin(t->below + moved, below);
    t->above = fmin(t->above - moved, above);
    if (t->below + t->above < 0) { /* not all of these brackets can be right: begin with this one */
        t->below = below;
        t->above = above;
    }
}

/* ---- what is asked ---- */

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

/* Of a law with the weight w, as much as OUTSIDE of the whole is beyond z deviations on both sides,
 * where w exp(-z^2/2) = OUTSIDE: no less, as this bounds the normal law's tails. */
double kt_track_bound(const kt_track *t, double seconds)
{
    double wrong = sqrt(variance_of(&t->all, RATE)) * fabs(seconds);
    double bound = fmax(fabs(t->below), fabs(t->above)) + wrong + blur(t);
    double change = change_in(seconds);
    way w = way_of(seconds);
    kt_track_law whole = t->all;
    go_as_whole(&whole, &w, t, change);
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        double weight = fmax(t->weights[i], weight_after(t, i, change));
        if (weight <= OUTSIDE)
            continue;
        kt_track_law there = t->models[i];
        go_in_manner(&there, &w, &manners[i]);
        kt_estimate offset = estimate(&there, OFFSET);
        double z = STRETCH * sqrt(2 * log(weight / OUTSIDE));
        bound = fmax(bound, fabs(offset.mean - whole.mean[OFFSET]) + z * offset.sd);
    }
    kt_track_law since = t->all; /* were it known where it was at the newest bracket */
    for (int i = 0; i < STATES; i++)
        since.covariance[i][OFFSET] = 0;
    go_as_whole(&since, &w, t, change);
    return fmin(bound, t->newest + blur(t) + CERTAIN * sqrt(variance_of(&since, OFFSET)));
}
