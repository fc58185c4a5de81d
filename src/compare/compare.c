/* SPDX-License-Identifier: MIT */
/*
 * compare.c - computes the changes of rows, their confidence and verdicts from numbers alone.
 *
 * All rows share degrees of freedom by variance shrinkage (Smyth 2004), since a few runs estimate a
 * variance poorly.
 */
#include <kerntime/compare.h>

#include "compare/common_mode.h"
#include "compare/groups.h"
#include "compare/run_statistics.h"
#include "statistics/interval.h"
#include "statistics/ratio.h"
#include "statistics/shrinkage.h"
#include "support/options.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define POWER_80       0.84162123357291442 /* normal quantile of the test's power, 80 % */
#define SCATTER_MIN    5                   /* groups needed to estimate how rows scatter */
#define WIDENED        3    /* factor on the run noise of a single run, which may be an outlier */
#define UNRULY         0.5  /* run noise is at least this share of the spread of samples */
#define ASSUMED        3    /* degrees of freedom of an assumed variance */
#define APART_MAX      690  /* largest difference of logarithms whose ratio fits into a double */
#define DEVIATION_MIN  1e-6 /* least relative deviation, the precision of numbers */
#define EXCEPTIONS_MAX 0.1  /* largest share of groups that need not show a common-mode shift */
#define RUNS_MAX       1000
#define ROUNDS         60

/* ---- rows ---- */

typedef struct work {
    kt_side base, new;
    double shift;     /* log of the ratio of the means */
    double variance;  /* variance of one run's median: shrunk or assumed */
    double degrees;   /* degrees of freedom of the variance */
    double error;     /* standard error of the shift */
    double run_noise; /* assumed part of the deviation; 0: measured */
    bool compared;
} work;

typedef struct comparing {
    const kt_compare_row *rows;
    size_t count, compared;
    kt_compare_options options;
    work *work;
    kt_change *out;
    kt_groups groups;
    /* Scratch: two per row, and the largest of one more per row, kt_runs_scratch(), and two per run
     * of both sides. */
    double *numbers;
    kt_prior prior;
    double middle;              /* median of the shifts */
    double common;              /* common-mode shift that rows are judged without, as a logarithm */
    double common_error;        /* its standard error */
    double seen;                /* total degrees of freedom of all groups */
    size_t base_most, new_most; /* largest number of runs of any row, per side */
} comparing;

static bool is_single(const work *w)
{
    return w->base.runs == 1 && w->new.runs == 1;
}

static void look_at_row(comparing *c, size_t i)
{
    const kt_compare_row *row = &c->rows[i];
    work *w = &c->work[i];
    kt_change *out = &c->out[i];
    *w = (work){0};
    w->base = kt_summarize_runs(row->baseline_runs, row->baseline_count, c->numbers);
    w->new = kt_summarize_runs(row->contender_runs, row->contender_count, c->numbers);
    *out = (kt_change){.baseline_runs = w->base.runs,
                       .contender_runs = w->new.runs,
                       .baseline_ns = w->base.mean,
                       .contender_ns = w->new.mean,
                       .shift = NAN,
                       .shift_low = NAN,
                       .shift_high = NAN,
                       .deviation = NAN,
                       .p = NAN,
                       .q = NAN,
                       .rank_p = NAN,
                       .p_longer = NAN,
                       .min_detectable_effect = NAN};
    w->shift = log(w->new.mean) - log(w->base.mean);
    w->compared = fabs(w->shift) < APART_MAX; /* also false if the shift is NaN */
    if (!w->compared)
        return;
    c->compared++;
    out->identical = row->identical != 0;
}

/* ---- variances ---- */

/* Least variance that clock resolution and number precision let a row show. */
static double least_variance(const work *w)
{
    double resolution = fmax(w->base.resolution, w->new.resolution);
    return fmax(resolution * resolution / 12, DEVIATION_MIN * DEVIATION_MIN);
}

/* If all runs round to the same tick, none shows where within that tick the time lies. */
static double variance_of_steps(const work *w)
{
    return (w->base.resolution * w->base.resolution + w->new.resolution * w->new.resolution) / 12;
}

/* Variance of a single run, which may be an outlier: at least that of its own samples, and at least
 * the assumed one. A large spread of samples suggests a large spread of runs. */
static double variance_alone(const comparing *c, const work *w, const kt_side *of)
{
    double assumed = WIDENED * fmax(c->options.run_noise, UNRULY * of->spread);
    return fmax(fmax(w->variance, of->own), assumed * assumed);
}

/* Standard error of the shift and its degrees of freedom (Welch 1947). */
static void find_error(const comparing *c, work *w)
{
    const kt_side *const sides[] = {&w->base, &w->new};
    double total = variance_of_steps(w), doubt = 0;
    for (int i = 0; i < 2; i++) {
        bool alone = sides[i]->runs == 1;
        double variance = alone ? variance_alone(c, w, sides[i]) : w->variance / sides[i]->runs;
        total += variance;
        doubt += alone ? variance * variance / ASSUMED : 0;
    }
    w->error = sqrt(total);
    if (doubt > 0)
        w->degrees = fmin(w->degrees, total * total / doubt);
}

/* Fits the prior over all rows. Its degrees of freedom count groups, since rows of a group vary
 * together. */
static void find_prior(comparing *c)
{
    double *variances = c->numbers, *degrees = c->numbers + c->count;
    double *said = c->numbers + 2 * c->count;
    size_t n = 0;
    for (size_t i = 0; i < c->count; i++) {
        work *w = &c->work[i];
        said[i] = NAN;
        if (!w->compared || is_single(w))
            continue;
        said[i] = w->degrees = (double)w->base.runs + w->new.runs - 2;
        w->variance = (w->base.squares + w->new.squares) / w->degrees;
        variances[n] = fmax(w->variance, least_variance(w));
        degrees[n++] = w->degrees;
    }
    c->prior = kt_fit_prior(variances, degrees, n);
    size_t groups = kt_ask_groups(&c->groups, said, 1, degrees);
    for (size_t i = 0; i < groups; i++)
        c->seen += degrees[i];
    /* Few groups may have similar variances by chance, so they limit the prior. */
    c->prior.degrees = fmin(c->prior.degrees, (double)groups / 2);
}

/* Variances from run to run as measured, shrunk towards the prior. */
static void see_variances(comparing *c)
{
    find_prior(c);
    for (size_t i = 0; i < c->count; i++) {
        work *w = &c->work[i];
        if (!w->compared || is_single(w))
            continue;
        /* At least the variance of this row's own samples: a run is not more certain than its
         * samples. */
        double within = (w->base.within + w->new.within) / 2;
        double unruly = UNRULY * fmax(w->base.spread, w->new.spread);
        kt_prior prior = c->prior;
        prior.variance = fmax(fmax(prior.variance, within), unruly * unruly);
        kt_shrink_variance(&prior, c->seen, &w->variance, &w->degrees);
        w->variance = fmax(fmax(w->variance, within), least_variance(w));
        find_error(c, w);
    }
}

/* Variances of rows with one run per side: that of the samples, plus an assumed run noise. */
static void assume_variances(comparing *c, double run_noise)
{
    for (size_t i = 0; i < c->count; i++) {
        work *w = &c->work[i];
        if (!w->compared || !is_single(w))
            continue;
        double within = (w->base.own + w->new.own) / 2;
        w->run_noise = fmax(run_noise, UNRULY * fmax(w->base.spread, w->new.spread));
        w->variance = fmax(within + w->run_noise * w->run_noise, least_variance(w));
        w->degrees = ASSUMED;
        w->error = sqrt(2 * w->variance);
    }
}

static bool tells_of_all(const comparing *c, size_t i)
{
    return c->work[i].compared && !c->out[i].identical;
}

/* Per group, takes the median of `number` over its rows, so that one changed row cannot shift the
 * group. The median of the errors claims no more than one row's knowledge, since the rows may vary
 * as one. Returns the number of groups. */
static size_t ask(comparing *c, double (*number)(const comparing *c, const work *w), double *out)
{
    double *said = c->numbers + 2 * c->count;
    for (size_t i = 0; i < c->count; i++)
        said[i] = tells_of_all(c, i) ? number(c, &c->work[i]) : NAN;
    return kt_ask_groups(&c->groups, said, 0.5, out);
}

static double shift_of(const comparing *c, const work *w)
{
    (void)c;
    return w->shift;
}

static double error_of(const comparing *c, const work *w)
{
    (void)c;
    return w->error;
}

/* Distance from the middle in standard errors, for rows with one run per side. */
static double distance_of(const comparing *c, const work *w)
{
    return is_single(w) ? fabs(w->shift - c->middle) / w->error : NAN;
}

/* Median distance over the `n` groups that have one, scaled to a standard deviation. */
static double median_distance(comparing *c, size_t *n)
{
    *n = ask(c, distance_of, c->numbers);
    kt_sort(c->numbers, *n);
    return *n ? kt_median(c->numbers, *n) * KT_MAD_SCALE : NAN;
}

/* Median of the shifts of all groups. */
static double find_middle(comparing *c)
{
    size_t n = ask(c, shift_of, c->numbers);
    kt_sort(c->numbers, n);
    return n ? kt_median(c->numbers, n) : NAN;
}

/* Most rows have not changed. If they scatter more than the assumed run noise explains, the noise
 * is larger: finds the value that explains the scatter. */
static double find_run_noise(comparing *c)
{
    size_t n;
    double noise = c->options.run_noise, low = noise, high = noise;
    c->middle = find_middle(c);
    assume_variances(c, noise);
    double scatter = median_distance(c, &n);
    if (n < SCATTER_MIN || scatter <= 1)
        return noise;
    for (int i = 0; i < ROUNDS && scatter > 1; i++) {
        high *= 2;
        assume_variances(c, high);
        scatter = median_distance(c, &n);
    }
    for (int i = 0; i < ROUNDS; i++) {
        double half = (low + high) / 2;
        assume_variances(c, half);
        if (median_distance(c, &n) > 1)
            low = half;
        else
            high = half;
    }
    assume_variances(c, high);
    return high;
}

/* ---- common-mode shift ---- */

/* A run may shift all its rows alike, which rows alone cannot show; the scatter of the runs'
 * centers does. A side with a single run gets the noise assumed for a row. */
static kt_doubt find_doubt_of_runs(comparing *c, double run_noise)
{
    double *shares = c->numbers + c->count, *said = shares + c->count;
    for (size_t i = 0; i < c->count; i++)
        said[i] = tells_of_all(c, i) ? 1 : NAN;
    kt_share_in_groups(&c->groups, said, shares);
    double *sums[] = {said, said + 2 * c->base_most};
    size_t most[] = {c->base_most, c->new_most};
    memset(sums[0], 0, 2 * (c->base_most + c->new_most) * sizeof *sums[0]);
    for (size_t i = 0; i < c->count; i++) {
        const work *w = &c->work[i];
        if (!tells_of_all(c, i))
            continue;
        double weight = shares[i] / (w->error * w->error);
        kt_add_to_centers(c->rows[i].baseline_runs, c->rows[i].baseline_count, weight, sums[0]);
        kt_add_to_centers(c->rows[i].contender_runs, c->rows[i].contender_count, weight, sums[1]);
    }
    return kt_doubt_of_runs(sums, most, WIDENED * run_noise, ASSUMED);
}

/* Whether a shift, as a logarithm, reaches the minimum effect. A factor up counts like the same
 * factor down. */
static bool is_large(const comparing *c, double size)
{
    return size >= log1p(c->options.min_effect);
}

/* Finds the common-mode shift, to be subtracted if it is significant: one that is only noise would
 * add that noise to every row. `run_noise`: assumed, or NaN. Returns half the width of its 95 %
 * interval. */
static double find_common_mode(comparing *c, double run_noise, kt_common_mode_shift *common)
{
    double *shifts = c->numbers, *errors = c->numbers + c->count;
    size_t n = ask(c, shift_of, shifts);
    ask(c, error_of, errors);
    *common = (kt_common_mode_shift){.rows = c->compared,
                                     .groups = n,
                                     .shift_low = NAN,
                                     .shift_high = NAN,
                                     .run_noise = run_noise};
    kt_common_mode found = kt_find_common_mode(shifts, errors, n, c->numbers + 2 * c->count);
    if (!found.known)
        return NAN;
    kt_doubt runs = find_doubt_of_runs(c, isnan(run_noise) ? c->options.run_noise : run_noise);
    double half = fmax(kt_student_95((double)n - 1) * found.error,
                       kt_student_95(fmax(1, runs.degrees)) * runs.error);
    common->shift_low = expm1(found.at - half);
    common->shift_high = expm1(found.at + half);
    if (!(fabs(found.at) > half))
        return half;
    common->shift = expm1(found.at);
    common->matters = is_large(c, fabs(found.at)) &&
                      fabs(found.at) - half >= log1p(c->options.min_effect / 2); /* as in judge() */
    common->unclear = fabs(found.at) + half > log1p(2 * c->options.min_effect);
    c->common = found.at;
    return half;
}

/* ---- each row ---- */

/* P that a row with a true shift of at most `bound` lies at least this far off (McCarthy and Smyth,
 * Bioinformatics 25 (2009), 765). */
static double p_beyond(double shift, double bound, double error, double degrees)
{
    double size = fabs(shift);
    return fmin(1, kt_student_above((size - bound) / error, degrees) +
                       kt_student_above((size + bound) / error, degrees));
}

/* Shift of a row without the common-mode shift, and its standard error. */
static double own_shift(const comparing *c, const work *w)
{
    return w->shift - c->common;
}

static double own_error(const comparing *c, const work *w)
{
    return hypot(w->error, c->common_error);
}

static bool has_several(const work *w)
{
    return w->base.runs >= 2 && w->new.runs >= 2;
}

/* With this value as minimum effect, p_apart() of the row would equal alpha. */
static double find_min_detectable_effect(const comparing *c, const work *w)
{
    if (!has_several(w))
        return NAN;
    double beyond = kt_student_at(c->options.alpha, w->degrees) * own_error(c, w);
    return expm1(fabs(own_shift(c, w)) + beyond) / 2;
}

/* A single run may be an outlier: widens the error of a row that has no other. */
static void widen(work *w)
{
    w->variance += (WIDENED * WIDENED - 1) * w->run_noise * w->run_noise;
    w->error = sqrt(2 * w->variance);
}

/* Computes shift, interval and p of a row. */
static void test_row(comparing *c, size_t i)
{
    const work *w = &c->work[i];
    kt_change *out = &c->out[i];
    out->deviation = sqrt(w->variance);
    if (out->identical) {
        out->shift = out->shift_low = out->shift_high = 0;
        out->p = 1;
        out->min_detectable_effect = 0;
        return;
    }
    double shift = own_shift(c, w), error = own_error(c, w);
    double half = kt_student_95(fmax(1, w->degrees)) * error;
    out->shift = expm1(shift);
    out->shift_low = expm1(shift - half);
    out->shift_high = expm1(shift + half);
    out->p = p_beyond(shift, log1p(c->options.min_effect / 2), error, w->degrees);
    out->min_detectable_effect = find_min_detectable_effect(c, w);
}

/* q = min of p * rows / rank over this rank and all higher ones. */
static void adjust(comparing *c)
{
    double *sorted = c->numbers, *adjusted = c->numbers + c->count;
    size_t n = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->work[i].compared)
            sorted[n++] = c->out[i].p;
    kt_sort(sorted, n);
    double least = 1;
    for (size_t i = n; i-- > 0;)
        adjusted[i] = least = fmin(least, sorted[i] * (double)n / (double)(i + 1));
    for (size_t i = 0; i < c->count; i++)
        if (c->work[i].compared)
            c->out[i].q = adjusted[kt_count_below(sorted, n, c->out[i].p)];
}

/* P against equivalence within twice the minimum effect: two one-sided tests (Schuirmann 1987). */
static double p_apart(const comparing *c, double size, double error, double degrees)
{
    return kt_student_above((log1p(2 * c->options.min_effect) - size) / error, degrees);
}

/* ---- verdicts ---- */

/* Verdict on a row of one run a side that is not sure: a large change whose samples hardly overlap.
 * The rank test needs enough samples to show that, and not one autocorrelated stretch. */
static kt_verdict guess(const comparing *c, const work *w, const kt_change *change)
{
    bool slower = change->shift > 0;
    double apart = slower ? change->p_longer : 1 - change->p_longer;
    if (is_single(w) && fabs(own_shift(c, w)) >= log(KT_LIKELY_RATIO) && apart >= KT_LIKELY_P &&
        change->rank_p <= c->options.alpha)
        return slower ? KT_VERDICT_LIKELY_SLOWER : KT_VERDICT_LIKELY_FASTER;
    return KT_VERDICT_INCONCLUSIVE;
}

static kt_verdict judge(const comparing *c, const work *w, const kt_change *change, double least)
{
    double alpha = c->options.alpha;
    if (change->identical)
        return KT_VERDICT_SAME;
    double size = fabs(own_shift(c, w));
    /* Few runs cannot make the rank test object, but their scatter was measured. Of one run a side
     * it was not, so the samples have to show the change. */
    double most = is_single(w) ? alpha : fmax(alpha, least * (1 + 1e-9));
    if (change->q <= alpha && is_large(c, size) && change->rank_p <= most)
        return change->shift > 0 ? KT_VERDICT_SLOWER : KT_VERDICT_FASTER;
    if (has_several(w) && p_apart(c, size, own_error(c, w), w->degrees) <= alpha)
        return KT_VERDICT_SAME;
    return guess(c, w, change);
}

/* Whether `runs` per side would give a verdict with a probability of about 80 %, if the true values
 * are the measured ones. */
static bool would_decide(const comparing *c, const work *w, double runs, double cutoff)
{
    double seen = w->variance, degrees = 2 * runs - 2;
    if (w->run_noise > 0)
        seen -= (WIDENED * WIDENED - 1) * w->run_noise * w->run_noise;
    else
        degrees = fmin(degrees + c->prior.degrees, fmax(degrees, c->seen));
    double error = sqrt(2 * seen / runs + variance_of_steps(w) + c->common_error * c->common_error);
    double size = fabs(own_shift(c, w)), margin = POWER_80 * error;
    bool same = p_apart(c, size + margin, error, degrees) <= c->options.alpha;
    bool different =
        is_large(c, size - margin) &&
        p_beyond(size - margin, log1p(c->options.min_effect / 2), error, degrees) <= cutoff;
    return same || different;
}

static uint32_t count_needed(const comparing *c, const work *w, double cutoff)
{
    uint32_t fewest = w->base.runs < w->new.runs ? w->base.runs : w->new.runs;
    uint32_t low = fewest < 2 ? 1 : fewest, high = RUNS_MAX + 1;
    while (high - low > 1) {
        uint32_t runs = low + (high - low) / 2;
        if (would_decide(c, w, runs, cutoff))
            high = runs;
        else
            low = runs;
    }
    return high > RUNS_MAX ? 0 : high;
}

static void give_verdicts(comparing *c)
{
    double called = 0;
    for (size_t i = 0; i < c->count; i++)
        called += c->out[i].q <= c->options.alpha;
    /* The largest p that would let one more row pass. */
    double cutoff = c->options.alpha * fmin(1, (called + 1) / (double)c->compared);
    for (size_t i = 0; i < c->count; i++) {
        work *w = &c->work[i];
        if (!w->compared)
            continue;
        kt_run_ranks ranks = {.p = 1, .least = 1, .longer = NAN};
        if (!c->out[i].identical)
            ranks = kt_rank_runs(&c->rows[i], exp(-c->common), c->numbers);
        c->out[i].rank_p = ranks.p;
        c->out[i].p_longer = ranks.longer;
        c->out[i].verdict = judge(c, w, &c->out[i], ranks.least);
        bool open = c->out[i].verdict >= KT_VERDICT_INCONCLUSIVE;
        c->out[i].runs_needed = open ? count_needed(c, w, cutoff) : 0;
    }
}

/* ---- all rows ---- */

static void judge_rows(comparing *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->work[i].compared)
            test_row(c, i);
    adjust(c);
    give_verdicts(c);
}

/* Counts the groups of which most rows changed by something else than the common-mode shift.
 * `against`: a row did so in the other direction, so there is an exception at least. */
static size_t count_exceptions(comparing *c, bool *against)
{
    kt_verdict other = c->common > 0 ? KT_VERDICT_FASTER : KT_VERDICT_SLOWER;
    double *said = c->numbers + 2 * c->count;
    size_t exceptions = 0;
    for (size_t i = 0; i < c->count; i++) {
        kt_verdict verdict = c->out[i].verdict;
        bool changed = verdict == KT_VERDICT_SLOWER || verdict == KT_VERDICT_FASTER;
        said[i] = tells_of_all(c, i) ? changed : NAN;
        *against |= verdict == other;
    }
    size_t groups = kt_ask_groups(&c->groups, said, 0.5, c->numbers);
    for (size_t i = 0; i < groups; i++)
        exceptions += c->numbers[i] > 0.5;
    return exceptions ? exceptions : *against;
}

/* The shift is common if nearly all groups show it and no row contradicts. The test that calls rows
 * decides that: without the shift, a row that did not change would be called changed the other
 * way. So no row is called faster because others are slower. */
static void check_common_mode(comparing *c, double half, kt_common_mode_shift *common)
{
    bool against = false;
    judge_rows(c); /* leaves out the error of the shift, which moves all rows alike */
    common->exceptions = count_exceptions(c, &against);
    if (against || common->exceptions > EXCEPTIONS_MAX * (double)common->groups) {
        common->shift = c->common = 0;
        common->matters = common->unclear = 0;
        return;
    }
    c->common_error = half / kt_student_95(INFINITY);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

size_t kt_compare_scratch_bytes(const kt_compare_row *rows, size_t count)
{
    if (!rows)
        return 0;
    size_t most = 0, base = 0, new = 0;
    for (size_t i = 0; i < count; i++) {
        most = larger(most, kt_runs_scratch(&rows[i]));
        base = larger(base, rows[i].baseline_count);
        new = larger(new, rows[i].contender_count);
    }
    size_t numbers = 2 * count + larger(larger(most, count), 2 * (base + new));
    return count * (sizeof(work) + sizeof(kt_group_row)) + numbers * sizeof(double);
}

kt_status kt_compare_rows(const kt_compare_row *rows, size_t count,
                          const kt_compare_options *options, void *scratch, kt_change *out,
                          kt_common_mode_shift *common)
{
    if (count) {
        KT_NEED(rows);
        KT_NEED(scratch);
        KT_NEED(out);
    }
    KT_NEED(common);
    comparing c = {.rows = rows, .count = count, .work = scratch, .out = out};
    kt_status status = kt_take_compare_options(&c.options, options);
    *common = (kt_common_mode_shift){.shift_low = NAN, .shift_high = NAN, .run_noise = NAN};
    if (status != KT_OK || count == 0)
        return status;
    kt_group_row *room = (kt_group_row *)(c.work + count);
    c.groups = kt_find_groups(rows, count, room);
    c.numbers = (double *)(room + count);
    bool assumed = false;
    for (size_t i = 0; i < count; i++) {
        look_at_row(&c, i);
        assumed |= c.work[i].compared && (c.work[i].base.runs == 1 || c.work[i].new.runs == 1);
        c.base_most = larger(c.base_most, rows[i].baseline_count);
        c.new_most = larger(c.new_most, rows[i].contender_count);
    }
    see_variances(&c);
    double half = find_common_mode(&c, assumed ? find_run_noise(&c) : NAN, common);
    for (size_t i = 0; i < count; i++)
        if (c.work[i].run_noise > 0)
            widen(&c.work[i]);
    if (c.common != 0)
        check_common_mode(&c, half, common);
    judge_rows(&c);
    return KT_OK;
}
