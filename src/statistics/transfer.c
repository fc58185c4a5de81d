/* SPDX-License-Identifier: MIT */
/*
 * transfer.c - fits copy times by size with a line: latency and bandwidth.
 *
 * The fit starts from the lines through any two sizes, so that no outlier can spoil it. Weighted
 * least squares then refines the line and finds the sizes between which it holds. Intervals:
 * latency and bandwidth are weighted sums of the times, so their variances are sums of the times'
 * variances times squared weights. Weights that fall with the residual understate the scatter;
 * Huber's formula corrects for that by dividing by the slope of the weighted residuals instead of
 * by the weights. `./dev bench transfer` prints the coverage of the intervals.
 */
#include <kerntime/transfer.h>

#include "statistics/interval.h"
#include "statistics/ratio.h"
#include "statistics/sample_warnings.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define FENCES          9    /* outlier limit in distances of the quartile from the median */
#define INFLATION_N_MIN 20   /* least samples to estimate the inflation, as in stats.c */
#define TOLERANCE       0.1  /* a size lies on the line within this share of its time, */
#define ERRORS          3    /* or this many standard errors of a size's time */
#define ERROR_MIN       0.02 /* least error, as a share of the time of a size */
#define OFF_SHARE       4    /* sizes on the line required for each skipped size between them */
#define IMPOSSIBLE      10   /* no copy is faster than the fastest memory times this, or */
#define IMPOSSIBLE_GB   1e5  /* than this in bytes per ns, if no bandwidth is known */
#define NORMAL_95       1.959964
#define ROUNDS          50
#define SAME            1e-12 /* relative difference of lines that count as equal */

/* ---- Time of a size ---- */

kt_transfer_point kt_transfer_point_of(double bytes, const double *samples_ns, size_t n,
                                       double *scratch)
{
    kt_transfer_point point = {bytes, NAN, 0};
    if (n == 0)
        return point;
    memcpy(scratch, samples_ns, n * sizeof *scratch);
    kt_sort(scratch, n);
    double median = kt_median(scratch, n), mad = kt_median_distance(scratch, n, median);
    double first = kt_quantile(scratch, n, 0.25), third = kt_quantile(scratch, n, 0.75);
    double resolution = kt_visible_resolution(scratch, n);
    double low = median - FENCES * fmax(median - first, resolution / 2);
    double high = median + FENCES * fmax(third - median, resolution / 2);
    double mean = 0, squares = 0, inside = 0;
    for (size_t i = 0; i < n; i++) {
        if (samples_ns[i] < low || samples_ns[i] > high)
            continue;
        inside++;
        double distance = samples_ns[i] - median - mean;
        mean += distance / inside;
        squares += distance * (samples_ns[i] - median - mean);
    }
    point.time_ns = median + mean;
    double inflation =
        n >= INFLATION_N_MIN ? kt_sample_inflation(samples_ns, n, median, mad, scratch) : 1;
    if (inside >= 2)
        point.error_ns = sqrt(squares / (inside - 1) / inside * inflation);
    return point;
}

/* ---- Sizes ---- */

/* Time of copies of one size, merged from one or more points. */
typedef struct size_times {
    double bytes, time_ns, error_ns;
    double n, squares, error_squares; /* points; sums of squared deviations and errors */
} size_times;

typedef struct sweep {
    size_times at[KT_TRANSFER_SIZES_MAX]; /* sizes, by ascending bytes */
    size_t n;
    double most; /* bytes per ns: anything faster is not a copy */
} sweep;

static bool is_positive(double value)
{
    return value > 0 && isfinite(value);
}

static void add_point(sweep *all, const kt_transfer_point *point)
{
    if (!is_positive(point->bytes) || !is_positive(point->time_ns))
        return;
    size_t i = 0;
    while (i < all->n && all->at[i].bytes < point->bytes)
        i++;
    size_times *size = &all->at[i];
    if (i == all->n || size->bytes > point->bytes) {
        if (all->n == KT_TRANSFER_SIZES_MAX)
            return;
        memmove(size + 1, size, (all->n++ - i) * sizeof *size);
        *size = (size_times){.bytes = point->bytes};
    }
    double distance = point->time_ns - size->time_ns, error = point->error_ns;
    size->n++;
    size->time_ns += distance / size->n;
    size->squares += distance * (point->time_ns - size->time_ns);
    size->error_squares += is_positive(error) ? error * error : 0;
    double scatter = size->n > 1 ? size->squares / (size->n - 1) : 0;
    size->error_ns = sqrt(fmax(scatter, size->error_squares / size->n) / size->n);
}

static bool is_too_fast(const size_times *size, double most)
{
    return size->bytes > most * ((1 + TOLERANCE) * size->time_ns + ERRORS * size->error_ns);
}

/*
 * True if the time grows less from size i to size k than a copy needs, even with both errors. False
 * if memory could move the larger size in its time: then something else, such as cores busy with
 * other work, slowed down the smaller size.
 */
static bool grows_too_little(const sweep *all, size_t i, size_t k)
{
    const size_times *small = &all->at[i], *large = &all->at[k];
    if (large->bytes <= all->most / IMPOSSIBLE * large->time_ns)
        return false;
    double grown = (1 + TOLERANCE) * large->time_ns - (1 - TOLERANCE) * small->time_ns +
                   ERRORS * hypot(small->error_ns, large->error_ns);
    return large->bytes - small->bytes > all->most * fmax(grown, 0);
}

/* True if large sizes are too fast for a copy. Small sizes may be fast because of caches. */
static bool is_zero_copy(const sweep *all)
{
    bool few = all->n < KT_TRANSFER_SIZES_MIN;
    size_t fast = 0, last = all->n - 1;
    for (size_t i = few ? last : last - 2; i <= last; i++)
        fast += is_too_fast(&all->at[i], all->most);
    if (few)
        return fast > 0;
    return fast > 1 || (grows_too_little(all, 0, last) && grows_too_little(all, 1, last - 1));
}

/* ---- Lines ---- */

typedef struct line {
    double latency_ns, ns_per_byte;
} line;

/* A range of sizes whose first two and last two lie on the line. A single size next to one that is
 * off the line may lie on it by chance, where another line crosses. */
typedef struct stretch {
    size_t from, to, points;
} stretch;

static double time_on(const line *l, const size_times *size)
{
    return l->latency_ns + size->bytes * l->ns_per_byte;
}

/* Largest deviation from the line that a size may have. */
static double reach_of(const line *l, const size_times *size)
{
    return fmax(TOLERANCE * time_on(l, size), ERRORS * size->error_ns);
}

static bool holds(const line *l, const size_times *size)
{
    return fabs(size->time_ns - time_on(l, size)) <= reach_of(l, size);
}

static stretch longest_stretch(const sweep *all, const line *l)
{
    stretch best = {0};
    bool on_line[KT_TRANSFER_SIZES_MAX];
    for (size_t i = 0; i < all->n; i++)
        on_line[i] = holds(l, &all->at[i]);
    for (size_t from = 0; from + 1 < all->n; from++) {
        if (!on_line[from] || !on_line[from + 1])
            continue;
        size_t points = 1;
        for (size_t to = from + 1, on = from; to < all->n && to - on <= 2; to++) {
            if (!on_line[to])
                continue;
            on = to;
            points++;
            if (on_line[to - 1] && points >= best.points &&
                OFF_SHARE * (to + 1 - from - points) <= points)
                best = (stretch){from, to, points};
        }
    }
    return best;
}

/* Sets the line through sizes i and k. If its latency would be negative: a line through the origin,
 * between the origin lines of both sizes. False if the line is faster than any copy. */
static bool line_through(const sweep *all, size_t i, size_t k, line *out)
{
    const size_times *a = &all->at[i], *b = &all->at[k];
    out->ns_per_byte = (b->time_ns - a->time_ns) / (b->bytes - a->bytes);
    out->latency_ns = a->time_ns - out->ns_per_byte * a->bytes;
    if (out->latency_ns < 0)
        *out = (line){0, sqrt(a->time_ns / a->bytes * (b->time_ns / b->bytes))};
    return out->ns_per_byte * all->most >= 1;
}

/* Of the lines through two sizes, finds the one that holds for most adjacent sizes. No outlier can
 * spoil it. */
static stretch find_line(const sweep *all, line *out)
{
    stretch best = {0};
    for (size_t i = 0; i < all->n; i++)
        for (size_t k = i + 1; k < all->n; k++) {
            line l;
            if (!line_through(all, i, k, &l))
                continue;
            stretch s = longest_stretch(all, &l);
            if (s.points > best.points || (s.points == best.points && s.to > best.to)) {
                best = s;
                *out = l;
            }
        }
    return best;
}

/* ---- Fit ---- */

/* Residual of a size over its tolerance. */
static double off_by(const line *l, const size_times *size)
{
    return (size->time_ns - time_on(l, size)) / reach_of(l, size);
}

static double bisquare(double off)
{
    return fabs(off) < 1 ? (1 - off * off) * (1 - off * off) : 0;
}

/* Weight of a size by its distance from the previous line; 0 leaves it out of the next fit. */
static double weight_of(const line *l, const size_times *size)
{
    double least = ERROR_MIN * time_on(l, size);
    return bisquare(off_by(l, size)) / (size->error_ns * size->error_ns + least * least);
}

typedef struct sums {
    double weight; /* sum of the weights of all sizes */
    double bytes;  /* weighted mean of the sizes */
    double spread; /* weighted sum of squared deviations from `bytes` */
} sums;

static sums sum_up(const sweep *all, const stretch *s, const line *l)
{
    sums of = {0};
    for (size_t i = s->from; i <= s->to; i++) {
        double weight = weight_of(l, &all->at[i]);
        of.weight += weight;
        of.bytes += weight * all->at[i].bytes;
    }
    of.bytes /= of.weight;
    for (size_t i = s->from; i <= s->to; i++) {
        double distance = all->at[i].bytes - of.bytes;
        of.spread += weight_of(l, &all->at[i]) * distance * distance;
    }
    return of;
}

/* One step of least squares with the weights of the previous line. Sums are about the mean, so that
 * large sizes do not cost digits of the latency. */
static line next_line(const sweep *all, const stretch *s, const line *l)
{
    sums of = sum_up(all, s, l);
    double mean_ns = 0, product = 0, origin_product = 0, origin_squares = 0;
    for (size_t i = s->from; i <= s->to; i++)
        mean_ns += weight_of(l, &all->at[i]) * all->at[i].time_ns / of.weight;
    for (size_t i = s->from; i <= s->to; i++) {
        const size_times *size = &all->at[i];
        double weight = weight_of(l, size);
        product += weight * (size->bytes - of.bytes) * (size->time_ns - mean_ns);
        origin_product += weight * size->bytes * size->time_ns;
        origin_squares += weight * size->bytes * size->bytes;
    }
    line next = {.ns_per_byte = product / of.spread};
    next.latency_ns = mean_ns - next.ns_per_byte * of.bytes;
    if (next.latency_ns < 0)
        next = (line){0, origin_product / origin_squares};
    return next;
}

static bool is_same(double a, double b)
{
    return fabs(a - b) <= SAME * fabs(b);
}

static stretch refine(const sweep *all, stretch s, line *l)
{
    for (int i = 0; i < ROUNDS && s.points >= KT_TRANSFER_SIZES_MIN; i++) {
        line next = next_line(all, &s, l);
        bool same =
            is_same(next.latency_ns, l->latency_ns) && is_same(next.ns_per_byte, l->ns_per_byte);
        *l = next;
        if (!(next.ns_per_byte * all->most >= 1))
            return (stretch){0};
        s = longest_stretch(all, l);
        if (same)
            break;
    }
    return s;
}

/* Half-widths of the 95 % intervals of latency and ns per byte: see the head of this file. */
static void spread_out(const sweep *all, const stretch *s, const line *l, line *half)
{
    sums of = sum_up(all, s, l);
    double weighted = 0, steepness = 0, scatter = 0;
    line reported = {0}, seen = {0}; /* variances by the times' errors; per unit of scatter */
    for (size_t i = s->from; i <= s->to; i++) {
        const size_times *size = &all->at[i];
        double weight = weight_of(l, size);
        if (!(weight > 0))
            continue;
        double slope = weight * (size->bytes - of.bytes) / of.spread;
        double latency = weight / of.weight - slope * of.bytes;
        double off_ns = size->time_ns - time_on(l, size), off = off_by(l, size);
        double error = size->error_ns * size->error_ns;
        reported.ns_per_byte += slope * slope * error;
        reported.latency_ns += latency * latency * error;
        seen.ns_per_byte += slope * slope / weight;
        seen.latency_ns += latency * latency / weight;
        weighted += bisquare(off);
        steepness += (1 - off * off) * (1 - 5 * off * off);
        scatter += weight * off_ns * off_ns * bisquare(off);
    }
    double degrees = (double)s->points - 2, t = kt_student_95(degrees);
    steepness = fmax(steepness, weighted / 4);
    scatter *= weighted * (double)s->points / (steepness * steepness);
    scatter *= t * t / degrees;
    half->ns_per_byte =
        sqrt(fmax(reported.ns_per_byte * NORMAL_95 * NORMAL_95, seen.ns_per_byte * scatter));
    half->latency_ns =
        sqrt(fmax(reported.latency_ns * NORMAL_95 * NORMAL_95, seen.latency_ns * scatter));
}

/* Largest relative deviation from the line among sizes `from` to `end`, exclusive. */
static double most_off(const sweep *all, const line *l, size_t from, size_t end)
{
    double most = NAN;
    for (size_t i = from; i < end; i++) {
        double ratio = all->at[i].time_ns / time_on(l, &all->at[i]);
        if (isnan(most) || fabs(log(ratio)) > fabs(log(most)))
            most = ratio;
    }
    return most - 1;
}

static void describe(const sweep *all, const stretch *s, const line *l, kt_transfer_model *out)
{
    line half;
    spread_out(all, s, l, &half);
    out->state = KT_TRANSFER_OK;
    out->latency_ns = l->latency_ns;
    out->latency_low_ns = fmax(0, l->latency_ns - half.latency_ns);
    out->latency_high_ns = l->latency_ns + half.latency_ns;
    out->gb_per_s = 1 / l->ns_per_byte;
    out->gb_per_s_low = 1 / (l->ns_per_byte + half.ns_per_byte);
    if (half.ns_per_byte < l->ns_per_byte)
        out->gb_per_s_high = 1 / (l->ns_per_byte - half.ns_per_byte);
    out->half_bytes = l->latency_ns / l->ns_per_byte;
    out->from_bytes = all->at[s->from].bytes;
    out->to_bytes = all->at[s->to].bytes;
    out->points = s->points;
    out->below = most_off(all, l, 0, s->from);
    out->above = most_off(all, l, s->to + 1, all->n);
}

static const kt_transfer_model no_model = {.latency_ns = NAN,
                                           .latency_low_ns = NAN,
                                           .latency_high_ns = NAN,
                                           .gb_per_s = NAN,
                                           .gb_per_s_low = NAN,
                                           .gb_per_s_high = NAN,
                                           .half_bytes = NAN,
                                           .from_bytes = NAN,
                                           .to_bytes = NAN,
                                           .below = NAN,
                                           .above = NAN};

/* Fits a line to sizes `from` to `end`, exclusive. `s` indexes all sizes. */
static bool fit_line(const sweep *all, size_t from, size_t end, kt_transfer_model *out, stretch *s)
{
    sweep part = {.n = end - from, .most = all->most};
    if (part.n < KT_TRANSFER_SIZES_MIN)
        return false;
    memcpy(part.at, all->at + from, part.n * sizeof *part.at);
    line l = {0};
    *s = refine(&part, find_line(&part, &l), &l);
    s->from += from;
    s->to += from;
    if (s->points < KT_TRANSFER_SIZES_MIN)
        return false;
    *out = no_model;
    describe(all, s, &l, out);
    return true;
}

/* Fits one constant time to all sizes, weighted as for a line. False if a size deviates. The
 * interval is the wider of those from errors and from scatter. */
static bool fit_flat(const sweep *all, kt_transfer_model *out)
{
    double weight = 0, mean_ns = 0, reported = 0, scatter = 0;
    double first_ns = all->at[0].time_ns, least = ERROR_MIN * first_ns;
    for (size_t i = 0; i < all->n; i++) {
        const size_times *size = &all->at[i];
        double one = 1 / (size->error_ns * size->error_ns + least * least);
        weight += one;
        mean_ns += one / weight * (size->time_ns - mean_ns);
        reported += one * one * size->error_ns * size->error_ns;
    }
    const line level = {.latency_ns = mean_ns};
    for (size_t i = 0; i < all->n; i++) {
        const size_times *size = &all->at[i];
        double off_ns = size->time_ns - mean_ns;
        if (!holds(&level, size))
            return false;
        scatter += off_ns * off_ns / (size->error_ns * size->error_ns + least * least) / weight;
    }
    double degrees = (double)all->n - 1;
    double half_ns =
        fmax(NORMAL_95 * sqrt(reported) / weight, kt_student_95(degrees) * sqrt(scatter / degrees));
    *out = no_model;
    out->state = KT_TRANSFER_FLAT;
    out->latency_ns = mean_ns;
    out->latency_low_ns = fmax(0, mean_ns - half_ns);
    out->latency_high_ns = mean_ns + half_ns;
    out->from_bytes = all->at[0].bytes;
    out->to_bytes = all->at[all->n - 1].bytes;
    out->points = all->n;
    return true;
}

/* True if a line fits; `on` is then the range of sizes on which it holds. */
static bool fit(const sweep *all, kt_transfer_model *out, stretch *on)
{
    kt_transfer_model flat;
    *out = no_model;
    if (all->n > 0 && is_zero_copy(all)) {
        out->state = KT_TRANSFER_ZERO_COPY;
        return false;
    }
    if (all->n < KT_TRANSFER_SIZES_MIN)
        return false;
    bool found = fit_line(all, 0, all->n, out, on);
    if (isnan(out->gb_per_s_high) && fit_flat(all, &flat)) {
        *out = flat;
        return false;
    }
    if (!found)
        out->state = KT_TRANSFER_NO_LINE;
    return found;
}

static void gather(const kt_transfer_point *points, size_t count, double most_gb_per_s, sweep *all)
{
    *all = (sweep){.most = is_positive(most_gb_per_s) ? IMPOSSIBLE * most_gb_per_s : IMPOSSIBLE_GB};
    for (size_t i = 0; i < count; i++)
        add_point(all, &points[i]);
}

void kt_transfer_fit(const kt_transfer_point *points, size_t count, double most_gb_per_s,
                     kt_transfer_model *out)
{
    sweep all;
    stretch on;
    gather(points, count, most_gb_per_s, &all);
    fit(&all, out, &on);
}

size_t kt_transfer_fit_lines(const kt_transfer_point *points, size_t count, double most_gb_per_s,
                             kt_transfer_model *out)
{
    sweep all;
    stretch on, further;
    kt_transfer_model best;
    gather(points, count, most_gb_per_s, &all);
    if (!fit(&all, &best, &on)) {
        out[0] = best;
        return 1;
    }
    size_t lines = fit_line(&all, 0, on.from, out, &further);
    out[lines++] = best;
    return lines + fit_line(&all, on.to + 1, all.n, &out[lines], &further);
}
