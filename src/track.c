#include "track.h"

#include <math.h>

/* Deviations of the normal law that 99 % are within, and some more as the laws here have longer tails. */
#define DEVIATIONS 3.0

static const double unrest[KT_TRACK_MODELS] = {0.1, 1, 10, 100, 1000};

#define SWITCH_S 100.0

/* ---- a normal law cut off at both ends ---- */

typedef struct cut {
    double mass, mean, variance;
} cut;

/* (1 - Phi(x)) / phi(x), x >= 0 */
static double mills(double x)
{
    if (x < 5)
        return 1.2533141373155003 * erfc(x * 0.7071067811865476) * exp(x * x / 2);
    double f = x;
    for (int i = 16; i >= 1; i--)
        f = x + i / f;
    return 1 / f;
}

static cut cut_normal(double a, double b)
{
    if (a + b < 0) {
        cut mirrored = cut_normal(-b, -a);
        mirrored.mean = -mirrored.mean;
        return mirrored;
    }
    double width = b - a;
    if (width < 0.02) {
        double middle = (a + b) / 2;
        return (cut){0.3989422804014327 * exp(-middle * middle / 2) * width, middle,
                     width * width / 12};
    }
    double mass, low = 0.3989422804014327, high, scale = 1;
    if (a > 0) { /* all in units of the density at a */
        scale = 0.3989422804014327 * exp(-a * a / 2);
        low = 1;
        high = exp((a - b) * (a + b) / 2);
        mass = mills(a) - high * mills(b);
    } else {
        low *= exp(-a * a / 2);
        high = 0.3989422804014327 * exp(-b * b / 2);
        mass = (erfc(a * 0.7071067811865476) - erfc(b * 0.7071067811865476)) / 2;
    }
    double mean = (low - high) / mass;
    double lower = low > 0 ? a * low : 0, upper = high > 0 ? b * high : 0;
    double variance = 1 + (lower - upper) / mass - mean * mean;
    return (cut){mass * scale, mean, fmin(1, fmax(variance, 1e-12))};
}

/* ---- the models together ---- */

static kt_track_model blend(const kt_track *t)
{
    kt_track_model all = {.weight = 1};
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        const kt_track_model *m = &t->models[i];
        all.offset += m->weight * m->offset;
        all.rate += m->weight * m->rate;
    }
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        const kt_track_model *m = &t->models[i];
        double offset = m->offset - all.offset, rate = m->rate - all.rate;
        all.oo += m->weight * (m->oo + offset * offset);
        all.or += m->weight * (m->or +offset * rate);
        all.rr += m->weight * (m->rr + rate * rate);
    }
    return all;
}

/* Moments of a mixture of two. */
static void pull(kt_track_model *m, const kt_track_model *all, double share)
{
    double offset = all->offset - m->offset, rate = all->rate - m->rate,
           spread = share * (1 - share);
    m->offset += share * offset;
    m->rate += share * rate;
    m->oo += share * (all->oo - m->oo) + spread * offset * offset;
    m->or += share * (all->or -m->or) + spread * offset * rate;
    m->rr += share * (all->rr - m->rr) + spread * rate * rate;
}

static void start(kt_track *t, kt_track_model first, double below, double above)
{
    *t = (kt_track){.below = below, .above = above};
    first.weight = 1.0 / KT_TRACK_MODELS;
    for (int i = 0; i < KT_TRACK_MODELS; i++)
        t->models[i] = first;
}

void kt_track_start(kt_track *t, double low, double high, kt_estimate rate)
{
    double width = high - low;
    start(t,
          (kt_track_model){.offset = low + width / 2,
                           .rate = rate.value,
                           .oo = width * width / 12,
                           .rr = rate.sd * rate.sd},
          width / 2, width / 2);
}

void kt_track_start_pair(kt_track *t, double width_then, double low, double high, double seconds)
{
    double width = high - low, here = width * width / 12, then = width_then * width_then / 12;
    start(t,
          (kt_track_model){.offset = low + width / 2,
                           .oo = here,
                           .or = here / seconds,
                           .rr = (here + then) / (seconds * seconds)},
          width / 2, width / 2);
}

void kt_track_advance(kt_track *t, double seconds)
{
    kt_track_model all = blend(t);
    double share = -expm1(-seconds / SWITCH_S);
    double growth = sqrt(all.rr) * seconds;
    t->below += growth;
    t->above += growth;
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        kt_track_model *m = &t->models[i];
        double weight = (1 - share) * m->weight + share / KT_TRACK_MODELS;
        pull(m, &all, share / KT_TRACK_MODELS / weight);
        m->weight = weight;
        double q = unrest[i] * unrest[i] * seconds;
        m->offset += m->rate * seconds;
        m->oo += seconds * (2 * m->or +seconds * (m->rr + q / 3));
        m->or += seconds * (m->rr + q / 2);
        m->rr += q;
    }
}

void kt_track_shift(kt_track *t, double ns)
{
    for (int i = 0; i < KT_TRACK_MODELS; i++)
        t->models[i].offset -= ns;
}

static void observe(kt_track_model *m, double low, double high, double noise)
{
    double variance = m->oo + noise, sd = sqrt(variance);
    double a = (low - m->offset) / sd, b = (high - m->offset) / sd;
    if (a < -7 && b > 7)
        return;
    cut c = cut_normal(a, b);
    double less = (1 - c.variance) / variance, along = m->or, own = m->oo;
    m->weight *= fmax(c.mass, 1e-250);
    m->offset += own * c.mean / sd;
    m->rate += along * c.mean / sd;
    m->oo -= own * own * less;
    m->or -= own * along * less;
    m->rr -= along * along * less;
}

void kt_track_observe(kt_track *t, double low, double high, double grain, double reach)
{
    kt_track_model before = blend(t);
    double noise = grain * grain;
    double beyond = fmax(low - before.offset, before.offset - high);
    double open = beyond > 6 * sqrt(before.oo + noise) ? beyond * beyond : 0;
    double sum = 0;
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        t->models[i].oo += open;
        observe(&t->models[i], low, high, noise);
        sum += t->models[i].weight;
    }
    for (int i = 0; i < KT_TRACK_MODELS; i++)
        t->models[i].weight /= sum;
    kt_track_model after = blend(t);
    double moved = after.offset - before.offset;
    t->below = fmin(t->below + moved, after.offset + reach - low);
    t->above = fmin(t->above - moved, high + reach - after.offset);
}

kt_estimate kt_track_offset(const kt_track *t, double seconds)
{
    double mean = 0, variance = 0, span = fabs(seconds);
    for (int i = 0; i < KT_TRACK_MODELS; i++)
        mean += t->models[i].weight * (t->models[i].offset + t->models[i].rate * seconds);
    for (int i = 0; i < KT_TRACK_MODELS; i++) {
        const kt_track_model *m = &t->models[i];
        double d = m->offset + m->rate * seconds - mean;
        double q = unrest[i] * unrest[i] * span;
        variance += m->weight * (m->oo + seconds * (2 * m->or +seconds * (m->rr + q / 3)) + d * d);
    }
    return (kt_estimate){mean, sqrt(fmax(0, variance))};
}

kt_estimate kt_track_rate(const kt_track *t)
{
    kt_track_model all = blend(t);
    return (kt_estimate){all.rate, sqrt(all.rr)};
}

double kt_track_bound(const kt_track *t, double seconds)
{
    kt_track_model all = blend(t);
    double room = fmax(fabs(t->below), fabs(t->above)) + sqrt(all.rr) * fabs(seconds);
    return fmax(room, DEVIATIONS * kt_track_offset(t, seconds).sd);
}
