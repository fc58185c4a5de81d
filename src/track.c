/*
 * The clock's offset x from a straight line, and its rate v, change as
 *
 *     dx = v dt,    dv = q dW,                                                    (W: a Wiener process)
 *
 * so over a time dt they gain the covariance q^2 (dt^3/3, dt^2/2; dt^2/2, dt). How restless the rate is, q, is not
 * known, and may change: a few laws run side by side, one for each q, and each is held to be as likely as it
 * foretold the brackets. Now and then (SWITCH_S) the clock's manner changes, which mixes them all: the
 * interacting multiple models of Blom and Bar-Shalom, IEEE Transactions on Automatic Control 33 (1988), with
 * one chance to change, to any model alike. Mixing leaves the moments of the whole as they are.
 *
 * A bracket says that low <= x <= high, and of what is in between, all alike. It does not say that x is in the
 * middle: that would be to believe in an error of its width, and N brackets would err by width / sqrt(N). What
 * they tell, they tell at their ends: of N brackets one ends within width / N of the truth, and cuts off what
 * is beyond. So a law's moments become those of the normal law cut off at both ends, and a wide bracket tells
 * nothing unless it is in the way. Its limits are blurred by a normal law of variance s^2 (a stamp may be
 * anywhere within its tick): then it is z = x + noise that is cut off, with the variance S^2 = oo + s^2. With
 * a = (low - x)/S, b = (high - x)/S, Z = Phi(b) - Phi(a),
 *
 *     m = (phi(a) - phi(b)) / Z,     V = 1 + (a phi(a) - b phi(b)) / Z - m^2
 *     x += oo m/S,   v += ro m/S,    oo -= oo^2 (1 - V)/S^2,   ro -= oo ro (1 - V)/S^2,   rr -= ro^2 (1 - V)/S^2
 *
 * and Z is by how much the model's weight changes.
 *
 * What is said of the error may not rest on that alone. Where a device is read at the same place of every
 * bracket, cutting again and again at the same place makes a law sure of what it cannot know. So, apart from
 * the laws, it is remembered how much room the brackets left on either side: the truth is not below x by more
 * than the least x - low so far, nor above it by more than the least high - x, both moved along with x and
 * widened by as much as the rate may be wrong. If a device is read anywhere in its brackets, both shrink
 * with the number of brackets; if always at one place, their sum remains the narrowest bracket.
 */
#include "track.h"

#include <math.h>
#include <stdbool.h>

/* ns per s, after a second: from an oscillator in an oven to one beside a fan. */
static const double unrest[KT_TRACK_MODELS] = {0.3, 5, 40, 200, 1000};
/* How likely each is, before anything is known or when it changes. */
static const double prior[KT_TRACK_MODELS] = {0.1, 0.1, 0.2, 0.3, 0.3};

#define SWITCH_S 250.0 /* mean time until the clock's manner changes */

/* A bracket so many deviations off is not noise: the clock has jumped, or its limits lie. */
#define SURPRISE 6

/* Beyond this many deviations a law has nothing to be cut off. */
#define NOTHING_LEFT 7

/* What a law leaves outside, and by how much what it says is stretched, since laws that were cut off are not quite
 * normal. Found by trial, with clocks of known course. */
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

/* What is beyond x >= 0, over the density there (Mills' ratio); far out by its continued fraction. */
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

static void drift(kt_track_law *law, double seconds, double q2)
{
    double gained = q2 * fabs(seconds);
    law->offset += law->rate * seconds;
    law->oo += seconds * (2 * law->ro + seconds * (law->rr + gained / 3));
    law->ro += seconds * (law->rr + gained / 2);
    law->rr += gained;
}

/* Moments of a mixture of two, `share` of it the other. */
static void mix(kt_track_law *law, const kt_track_law *other, double share)
{
    double offset = other->offset - law->offset, rate = other->rate - law->rate;
    double keep = 1 - share, spread = share * keep;
    law->offset += share * offset;
    law->rate += share * rate;
    law->oo = keep * law->oo + share * other->oo + spread * offset * offset;
    law->ro = keep * law->ro + share * other->ro + spread * offset * rate;
    law->rr = keep * law->rr + share * other->rr + spread * rate * rate;
}

/* Returns how likely that was. */
static double observe(kt_track_law *law, double low, double high, double noise)
{
    double variance = law->oo + noise, sd = sqrt(variance);
    double a = (low - law->offset) / sd, b = (high - law->offset) / sd;
    if (a < -NOTHING_LEFT && b > NOTHING_LEFT)
        return 1;
    cut c = cut_normal(a, b);
    law->offset += law->oo * c.mean / sd;
    law->rate += law->ro * c.mean / sd;
    /* As in the formulas above, but without differences of numbers that are nearly the same. */
    double kept = (noise + law->oo * c.variance) / variance;
    double shared = law->ro * law->ro / law->oo;
    law->rr = fmax(0, law->rr - shared) + kept * shared;
    law->oo *= kept;
    law->ro *= kept;
    return c.mass;
}

/* ---- all of them ---- */

static void sum_up(kt_track *t)
{
    kt_track_law all = {0};
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        all.offset += t->weights[i] * t->models[i].offset;
        all.rate += t->weights[i] * t->models[i].rate;
    }
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        const kt_track_law *law = &t->models[i];
        double w = t->weights[i], offset = law->offset - all.offset, rate = law->rate - all.rate;
        all.oo += w * (law->oo + offset * offset);
        all.ro += w * (law->ro + offset * rate);
        all.rr += w * (law->rr + rate * rate);
    }
    t->all = all;
}

static void start(kt_track *t, const kt_track_law *law, double room)
{
    *t = (kt_track){.all = *law, .below = room, .above = room, .newest = room};
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        t->models[i] = *law;
        t->weights[i] = prior[i];
    }
}

static double variance_within(double width)
{
    return width * width / 12;
}

void kt_track_start(kt_track *t, double low, double high, kt_estimate rate)
{
    kt_track_law law = {.offset = low + (high - low) / 2,
                        .rate = rate.mean,
                        .oo = variance_within(high - low),
                        .rr = rate.sd * rate.sd};
    start(t, &law, (high - low) / 2);
}

void kt_track_doubt_rate(kt_track *t, double sd)
{
    t->models[KT_TRACK_MODELS - 1].rr = sd * sd;
    sum_up(t);
}

void kt_track_start_pair(kt_track *t, double width_then, double width, double seconds)
{
    double then = variance_within(width_then), here = variance_within(width);
    kt_track_law law = {
        .oo = here, .ro = here / seconds, .rr = (then + here) / (seconds * seconds)};
    start(t, &law, width / 2);
}

void kt_track_advance(kt_track *t, double seconds, double shift_ns)
{
    double change = -expm1(-seconds / SWITCH_S), wrong = sqrt(t->all.rr) * seconds, q2 = 0;
    t->below += wrong;
    t->above += wrong;
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        double weight = (1 - change) * t->weights[i] + change * prior[i];
        double own_q2 = unrest[i] * unrest[i];
        mix(&t->models[i], &t->all, change * prior[i] / weight);
        drift(&t->models[i], seconds, own_q2);
        t->models[i].offset -= shift_ns;
        t->weights[i] = weight;
        q2 += weight * own_q2;
    }
    drift(&t->all, seconds, q2);
    t->all.offset -= shift_ns;
}

/* A clock that has changed misses brackets on one side; limits that are not where they are said to be are missed on
 * both. */
static double blur(const kt_track *t)
{
    return fmin(t->under, t->over);
}

void kt_track_observe(kt_track *t, double low, double high, double grain, double reach)
{
    double was = t->all.offset, sd = sqrt(t->all.oo + grain * grain);
    t->under = fmax(MEMORY * t->under, low - was - 3 * sd);
    t->over = fmax(MEMORY * t->over, was - high - 3 * sd);
    double noise = grain * grain + blur(t) * blur(t);
    double beyond = fmax(low - was, was - high);
    double jump = beyond > SURPRISE * sqrt(t->all.oo + noise) ? beyond * beyond : 0;
    double sum = 0;
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        t->models[i].oo += jump;
        t->weights[i] *= fmax(observe(&t->models[i], low, high, noise), 1e-200);
        sum += t->weights[i];
    }
    for (int i = 0; i < KT_TRACK_MODELS; i++)
        t->weights[i] /= sum;
    sum_up(t);
    double is = t->all.offset, moved = is - was;
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

static double mean_q2(const kt_track *t)
{
    double q2 = 0;
    for (int i = 0; i < KT_TRACK_MODELS; i++)
        q2 += t->weights[i] * unrest[i] * unrest[i];
    return q2;
}

kt_estimate kt_track_offset(const kt_track *t, double seconds)
{
    kt_track_law there = t->all;
    drift(&there, seconds, mean_q2(t));
    return (kt_estimate){there.offset, sqrt(fmax(0, there.oo))};
}

kt_estimate kt_track_rate(const kt_track *t)
{
    return (kt_estimate){t->all.rate, sqrt(t->all.rr)};
}

/* Of a law with the weight w, as much as OUTSIDE of the whole is beyond z deviations on both sides, where
 * w exp(-z^2/2) = OUTSIDE: no less, as this bounds the normal law's tails. */
double kt_track_bound(const kt_track *t, double seconds)
{
    double room = fmax(fabs(t->below), fabs(t->above)) + sqrt(t->all.rr) * fabs(seconds);
    double mean = t->all.offset + t->all.rate * seconds, bound = room + blur(t);
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        if (t->weights[i] <= OUTSIDE)
            continue;
        kt_track_law there = t->models[i];
        drift(&there, seconds, unrest[i] * unrest[i]);
        double z = STRETCH * sqrt(2 * log(t->weights[i] / OUTSIDE));
        bound = fmax(bound, fabs(there.offset - mean) + z * sqrt(fmax(0, there.oo)));
    }
    kt_track_law since = {.rr = t->all.rr};
    drift(&since, seconds, mean_q2(t));
    return fmin(bound, t->newest + blur(t) + CERTAIN * sqrt(since.oo));
}
