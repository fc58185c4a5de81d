/* compare.c - what changed, and how surely: numbers in, verdicts out. */
#include <kerntime/compare.h>

#include "core.h"
#include "interval.h"
#include "moderation.h"
#include "ratio.h"
#include "sides.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define POWER_80      0.84162123357291442 /* quantile of the normal law */
#define COMMON_MIN    10 /* rows, to tell what is common to all, and how they scatter */
#define BIWEIGHT      3 /* deviations; 4.685 is usual, but is dragged along more by rows that changed */
#define WIDENED       3 /* times the run noise: one pair of runs could not show that it is larger */
#define DEVIATION_MIN 1e-6 /* relative; what varies less does not vary */
#define RUNS_MAX      1000
#define ROUNDS        60

const char *kt_verdict_name(kt_verdict verdict)
{
    static const char *const names[] = {"none", "same", "faster", "slower", "inconclusive"};
    return (unsigned)verdict < sizeof names / sizeof names[0] ? names[verdict] : "unknown";
}

/* ---- rows ---- */

typedef struct work {
    kt_side base, new;
    double shift;     /* logarithm of the ratio of the means */
    double variance;  /* of one run's median: seen and moderated, or assumed */
    double degrees;   /* that it is known by */
    double error;     /* standard error of the shift */
    double run_noise; /* of it, assumed; 0: seen */
} work;

typedef struct comparing {
    const kt_compare_row *rows;
    size_t count, compared;
    kt_compare_options options;
    work *work;
    kt_change *out;
    double *numbers; /* scratch: two for each row, and what kt_sides_scratch() says */
    kt_prior prior;
    double seen; /* degrees of freedom of all rows together */
} comparing;

static bool is_compared(const work *w)
{
    return w->base.runs > 0 && w->new.runs > 0;
}

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
    w->base = kt_look_at_side(row->base_runs, row->base_count, c->numbers);
    w->new = kt_look_at_side(row->new_runs, row->new_count, c->numbers);
    *out = (kt_change){.base_runs = w->base.runs,
                       .new_runs = w->new.runs,
                       .base_ns = w->base.median_ns,
                       .new_ns = w->new.median_ns,
                       .shift = NAN,
                       .shift_low = NAN,
                       .shift_high = NAN,
                       .deviation = NAN,
                       .p = NAN,
                       .q = NAN,
                       .rank_p = NAN};
    if (!is_compared(w))
        return;
    c->compared++;
    out->identical = kt_sides_are_identical(row);
    w->shift = log(w->new.mean / w->base.mean);
}

/* ---- how much a run varies ---- */

/* What a clock that moves in steps, and numbers of finite length, do not show. */
static double least_variance(const work *w)
{
    double grid = fmax(w->base.grid, w->new.grid);
    return fmax(grid * grid / 12, DEVIATION_MIN * DEVIATION_MIN);
}

/* Where all runs fall on the same step of a clock, none tells where within it. */
static double variance_of_steps(const work *w)
{
    return (w->base.grid * w->base.grid + w->new.grid * w->new.grid) / 12;
}

/* A run that stands alone may be a wild one: its variance is no smaller than its own samples say, nor than assumed. */
static double variance_of_side(const comparing *c, const work *w, const kt_side *of)
{
    if (of->runs > 1)
        return w->variance / of->runs;
    double assumed = WIDENED * c->options.run_noise;
    return fmax(fmax(w->variance, of->last), assumed * assumed);
}

/* From run to run, as it was seen, moderated across rows. */
static void see_variances(comparing *c)
{
    double *variances = c->numbers, *degrees = c->numbers + c->count;
    size_t n = 0;
    for (size_t i = 0; i < c->count; i++) {
        work *w = &c->work[i];
        if (!is_compared(w) || is_single(w))
            continue;
        w->degrees = (double)w->base.runs + w->new.runs - 2;
        w->variance = (w->base.squares + w->new.squares) / w->degrees;
        variances[n] = fmax(w->variance, least_variance(w));
        degrees[n++] = w->degrees;
        c->seen += w->degrees;
    }
    c->prior = kt_fit_prior(variances, degrees, n);
    for (size_t i = 0; i < c->count; i++) {
        work *w = &c->work[i];
        if (!is_compared(w) || is_single(w))
            continue;
        /* What rows have, but no less than the samples of this one say. */
        kt_prior prior = c->prior;
        prior.variance = fmax(prior.variance, (w->base.within + w->new.within) / 2);
        kt_moderate(&prior, c->seen, &w->variance, &w->degrees);
        w->variance = fmax(w->variance, least_variance(w));
        w->error = sqrt(variance_of_side(c, w, &w->base) + variance_of_side(c, w, &w->new) +
                        variance_of_steps(w));
    }
}

/* One run a side: what its samples say, and what the next process would do. */
static void assume_variances(comparing *c, double run_noise)
{
    for (size_t i = 0; i < c->count; i++) {
        work *w = &c->work[i];
        if (!is_compared(w) || !is_single(w))
            continue;
        double within = (w->base.last + w->new.last) / 2;
        w->run_noise = run_noise;
        w->variance = fmax(within + run_noise * run_noise, least_variance(w));
        w->degrees = INFINITY;
        w->error = sqrt(2 * w->variance);
    }
}

static bool tells_of_all(const comparing *c, size_t i)
{
    return is_compared(&c->work[i]) && !c->out[i].identical;
}

/* Median of the distances from `center`, in standard errors; of rows with one run a side, or of all. */
static double median_distance(comparing *c, double center, bool single, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < c->count; i++)
        if (tells_of_all(c, i) && (is_single(&c->work[i]) || !single))
            c->numbers[(*n)++] = fabs(c->work[i].shift - center) / c->work[i].error;
    kt_sort(c->numbers, *n);
    return *n ? kt_median(c->numbers, *n) * KT_MAD_SCALE : NAN;
}

/* Median of the shifts. */
static double middle(comparing *c, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < c->count; i++)
        if (tells_of_all(c, i))
            c->numbers[(*n)++] = c->work[i].shift;
    kt_sort(c->numbers, *n);
    return *n ? kt_median(c->numbers, *n) : NAN;
}

/* Most rows have not changed. If they scatter more than the assumed noise of runs explains, it is larger. */
static double find_run_noise(comparing *c)
{
    size_t n;
    double noise = c->options.run_noise, center = middle(c, &n), low = noise, high = noise;
    assume_variances(c, noise);
    double scatter = median_distance(c, center, true, &n);
    if (n < COMMON_MIN || scatter <= 1)
        return noise;
    for (int i = 0; i < ROUNDS && scatter > 1; i++) {
        high *= 2;
        assume_variances(c, high);
        scatter = median_distance(c, center, true, &n);
    }
    for (int i = 0; i < ROUNDS; i++) {
        double half = (low + high) / 2;
        assume_variances(c, half);
        if (median_distance(c, center, true, &n) > 1)
            low = half;
        else
            high = half;
    }
    assume_variances(c, high);
    return high;
}

/* ---- what is common to all rows ---- */

/* An estimate of what is common. */
typedef struct estimate {
    double at, error;
    size_t inside; /* rows that have weight */
} estimate;

/* One step of Tukey's biweight (Beaton and Tukey, Technometrics 16 (1974)): rows far away, in their own standard errors
 * times `scale`, have no weight. The standard error is Huber's, of an M-estimate. */
static estimate move(const comparing *c, estimate from, double scale)
{
    double weights = 0, sum = 0, slopes = 0, squares = 0;
    estimate to = {from.at, from.error, 0};
    for (size_t i = 0; i < c->count; i++) {
        const work *w = &c->work[i];
        double distance = w->shift - from.at, u = distance / (BIWEIGHT * scale * w->error);
        if (!tells_of_all(c, i) || fabs(u) >= 1)
            continue;
        double inside = 1 - u * u, precision = 1 / (w->error * w->error);
        double pull = inside * inside * precision;
        weights += pull;
        sum += pull * distance;
        squares += pull * distance * pull * distance;
        slopes += inside * (1 - 5 * u * u) * precision;
        to.inside++;
    }
    if (weights > 0 && slopes > 0) {
        to.at += sum / weights;
        to.error = sqrt(squares) / slopes;
    }
    return to;
}

/* As logarithms. The scale begins where all that most rows do is inside, and shrinks while half of them still are: rows that changed
 * widen it at first. */
static double find_common(comparing *c, double *half)
{
    size_t n;
    estimate found = {middle(c, &n), 0, 0};
    *half = NAN;
    if (n < COMMON_MIN)
        return 0;
    double scale = fmax(1, median_distance(c, found.at, false, &n));
    for (int i = 0; i < ROUNDS; i++) {
        double narrower = fmax(1, scale * 0.8);
        estimate next = move(c, found, narrower);
        if (2 * next.inside >= n)
            scale = narrower;
        else
            next = move(c, found, scale);
        found = next;
    }
    *half = kt_student_95((double)n - 1) * found.error;
    return found.at;
}

static bool is_large(const comparing *c, double size)
{
    return size >= c->options.min_effect;
}

static double report_common(comparing *c, kt_change_common *common)
{
    double half, at = find_common(c, &half);
    common->rows = c->compared;
    common->shift = expm1(at);
    common->shift_low = expm1(at - half);
    common->shift_high = expm1(at + half);
    double half_effect = c->options.min_effect / 2; /* as for a row */
    common->matters = is_large(c, fabs(common->shift)) &&
                      (common->shift_low >= half_effect || common->shift_high <= -half_effect);
    return at;
}

/* ---- each row ---- */

/* P that a row whose true shift is `bound` or less looks as far off (McCarthy and Smyth, Bioinformatics 25 (2009), 765). */
static double p_beyond(double shift, double bound, double error, double degrees)
{
    double size = fabs(shift);
    return fmin(1, kt_student_above((size - bound) / error, degrees) +
                       kt_student_above((size + bound) / error, degrees));
}

/* Shift, interval and p of a row. */
static void test_row(comparing *c, size_t i, double center)
{
    work *w = &c->work[i];
    kt_change *out = &c->out[i];
    if (w->run_noise > 0) {
        w->variance += (WIDENED * WIDENED - 1) * w->run_noise * w->run_noise;
        w->error = sqrt(2 * w->variance);
    }
    out->deviation = sqrt(w->variance);
    w->shift -= center;
    if (out->identical) {
        out->shift = out->shift_low = out->shift_high = w->shift = 0;
        out->p = out->rank_p = 1;
        return;
    }
    double half = kt_student_95(fmax(1, w->degrees)) * w->error;
    out->shift = expm1(w->shift);
    out->shift_low = expm1(w->shift - half);
    out->shift_high = expm1(w->shift + half);
    out->p = p_beyond(w->shift, log1p(c->options.min_effect / 2), w->error, w->degrees);
}

/* q = the smallest p (rows) / rank over this and all higher ranks. */
static void adjust(comparing *c)
{
    double *sorted = c->numbers, *adjusted = c->numbers + c->count;
    size_t n = 0;
    for (size_t i = 0; i < c->count; i++)
        if (is_compared(&c->work[i]))
            sorted[n++] = c->out[i].p;
    kt_sort(sorted, n);
    double least = 1;
    for (size_t i = n; i-- > 0;)
        adjusted[i] = least = fmin(least, sorted[i] * (double)n / (double)(i + 1));
    for (size_t i = 0; i < c->count; i++)
        if (is_compared(&c->work[i]))
            c->out[i].q = adjusted[kt_count_below(sorted, n, c->out[i].p)];
}

/* Shown to be within twice the minimum effect, on either side: two one-sided tests (Schuirmann 1987). */
static double p_apart(const comparing *c, double size, double error, double degrees)
{
    return kt_student_above((log1p(2 * c->options.min_effect) - size) / error, degrees);
}

/* ---- verdicts ---- */

static kt_verdict judge(const comparing *c, const work *w, const kt_change *change, double least)
{
    double alpha = c->options.alpha;
    if (change->identical)
        return KT_VERDICT_SAME;
    if (change->q <= alpha && is_large(c, fabs(change->shift)) &&
        change->rank_p <= fmax(alpha, least * (1 + 1e-9)))
        return change->shift > 0 ? KT_VERDICT_SLOWER : KT_VERDICT_FASTER;
    if (w->base.runs >= 2 && w->new.runs >= 2 &&
        p_apart(c, fabs(w->shift), w->error, w->degrees) <= alpha)
        return KT_VERDICT_SAME;
    return KT_VERDICT_INCONCLUSIVE;
}

/* Whether `runs` a side would decide with a probability of about 80 %, if the true values are those seen. */
static bool would_decide(const comparing *c, const work *w, double runs, double cutoff)
{
    double seen = w->variance, degrees = 2 * runs - 2;
    if (w->run_noise > 0)
        seen -= (WIDENED * WIDENED - 1) * w->run_noise * w->run_noise;
    else
        degrees = fmin(degrees + c->prior.degrees, fmax(degrees, c->seen));
    double error = sqrt(2 * seen / runs + variance_of_steps(w));
    double size = fabs(w->shift), margin = POWER_80 * error;
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

static void give_verdicts(comparing *c, double center)
{
    double called = 0;
    for (size_t i = 0; i < c->count; i++)
        called += c->out[i].q <= c->options.alpha;
    /* What p would have to be for one more. */
    double cutoff = c->options.alpha * fmin(1, (called + 1) / (double)c->compared);
    for (size_t i = 0; i < c->count; i++) {
        work *w = &c->work[i];
        if (!is_compared(w))
            continue;
        double least = 1;
        if (!c->out[i].identical)
            c->out[i].rank_p = kt_sides_rank_p(&c->rows[i], exp(-center), &least, c->numbers);
        c->out[i].verdict = judge(c, w, &c->out[i], least);
        if (c->out[i].verdict == KT_VERDICT_INCONCLUSIVE)
            c->out[i].runs_needed = count_needed(c, w, cutoff);
    }
}

/* ---- all ---- */

size_t kt_compare_scratch_bytes(const kt_compare_row *rows, size_t count)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        size_t needed = kt_sides_scratch(&rows[i]);
        most = needed > most ? needed : most;
    }
    return count * sizeof(work) + (2 * count + most) * sizeof(double);
}

static kt_status take(const kt_compare_options *options, kt_compare_options *out)
{
    kt_status status = kt_take_options(out, sizeof *out, options, "kt_compare_options");
    if (status != KT_OK)
        return status;
    if (!(out->min_effect >= 0 && out->min_effect <= 1))
        return kt_fail(KT_INVALID, "the smallest change that matters is not between 0 and 1");
    if (!(out->alpha >= 0 && out->alpha <= 0.5))
        return kt_fail(KT_INVALID, "alpha is not between 0 and 0.5");
    if (!(out->run_noise >= 0 && out->run_noise <= 1))
        return kt_fail(KT_INVALID, "the noise from run to run is not between 0 and 1");
    if (!(out->min_effect > 0))
        out->min_effect = KT_MIN_EFFECT_DEFAULT;
    if (!(out->alpha > 0))
        out->alpha = KT_ALPHA_DEFAULT;
    if (!(out->run_noise > 0))
        out->run_noise = KT_RUN_NOISE_DEFAULT;
    return KT_OK;
}

kt_status kt_compare_rows(const kt_compare_row *rows, size_t count,
                          const kt_compare_options *options, void *scratch, kt_change *out,
                          kt_change_common *common)
{
    comparing c = {.rows = rows, .count = count, .work = scratch, .out = out};
    kt_status status = take(options, &c.options);
    if (status != KT_OK)
        return status;
    c.numbers = (double *)(c.work + count);
    bool assumed = false;
    for (size_t i = 0; i < count; i++) {
        look_at_row(&c, i);
        assumed |= is_compared(&c.work[i]) && (c.work[i].base.runs == 1 || c.work[i].new.runs == 1);
    }
    see_variances(&c);
    common->run_noise = assumed ? find_run_noise(&c) : NAN;
    double center = report_common(&c, common);
    for (size_t i = 0; i < count; i++)
        if (is_compared(&c.work[i]))
            test_row(&c, i, center);
    adjust(&c);
    give_verdicts(&c, center);
    return KT_OK;
}
