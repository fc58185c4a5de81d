/* SPDX-License-Identifier: MIT */
/*
 * fleet.c - judges the devices of a fleet from numbers alone.
 *
 * Times are compared as logarithms. The distance to the median has the error of the device's runs
 * and of the median's, whose variance is at most that of a mean times pi / 2. How devices differ is
 * no error: the median is that of these devices. Rounding by the clock is no chance, so runs do not
 * show it: it is added to that error. Devices of a model have one clock, so the median's is taken to
 * be the device's.
 *
 * A noisy device among quiet ones would be named for a variance that is not its own. So each
 * variance of the larger half is compared with that of all below it (F test), which is at least that
 * of rounding.
 */
#include <kerntime/fleet.h>

#include "statistics/interval.h"
#include "statistics/shrinkage.h"
#include "support/alloc.h"
#include "support/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MEDIAN_VARIANCE 1.5707963267948966 /* of a median of normal values, over that of the mean */
#define NOISY           0.001 /* chance that an ordinary device is taken for a noisy one */
#define DUST            1e-24 /* variance that arithmetic alone makes of equal times, at most */

/* A question: is this cell slower by more than the minimum effect? */
typedef struct question {
    kt_fleet_cell *cell;
    double degrees, error; /* of the distance to the median */
} question;

/* How the runs of a cell scatter. */
typedef struct scatter {
    kt_fleet_cell *cell;
    double squares, degrees;
    double squares_below, degrees_below; /* of all cells with less variance */
} scatter;

typedef struct judging {
    kt_fleet_population *populations;
    size_t count;
    double min_effect, min_shift, alpha;
    question *questions; /* room for all cells */
    size_t question_count;
    /* Scratch, one for each cell of the largest population. */
    double *numbers;
    scatter *scatters;
} judging;

/* ---- one population ---- */

/* Rounding of its time and the median's by the clock, at most, as a share. */
static double rounding_of(const kt_fleet_cell *cell)
{
    return fmax(0, cell->resolution_ns) / cell->time_ns; /* NaN becomes 0 */
}

static double mean_log(const kt_fleet_cell *cell)
{
    double sum = 0;
    for (size_t i = 0; i < cell->run_count; i++)
        sum += log(cell->medians_ns[i]);
    return sum / (double)cell->run_count;
}

/* Sum of squared distances from the mean. */
static double squares_of(const kt_fleet_cell *cell)
{
    double mean = log(cell->time_ns), sum = 0;
    for (size_t i = 0; i < cell->run_count; i++) {
        double distance = log(cell->medians_ns[i]) - mean;
        sum += distance * distance;
    }
    return sum;
}

/* Fills the times, and returns how many there are. */
static size_t take_times(judging *j, kt_fleet_population *p)
{
    size_t known = 0;
    p->median_ns = p->spread = p->noise = NAN;
    for (size_t i = 0; i < p->count; i++) {
        kt_fleet_cell *cell = &p->cells[i];
        cell->time_ns = cell->noise = cell->effect = cell->low = cell->high = cell->p = NAN;
        cell->robust_z = NAN;
        cell->answer = KT_FLEET_UNDECIDED;
        if (cell->run_count)
            cell->time_ns = exp(j->numbers[known++] = mean_log(cell));
    }
    return known;
}

/* Effects as shares, and how they scatter. `median` of the logarithms of `count` times. */
static void take_effects(judging *j, kt_fleet_population *p, double median, size_t count)
{
    size_t known = 0;
    p->median_ns = exp(median);
    if (count < KT_FLEET_DEVICES_MIN)
        return;
    for (size_t i = 0; i < p->count; i++)
        if (p->cells[i].run_count) {
            double shift = log(p->cells[i].time_ns) - median;
            p->cells[i].effect = expm1(shift);
            j->numbers[known++] = fabs(shift);
        }
    kt_sort(j->numbers, known);
    p->spread = KT_MAD_SCALE * kt_median(j->numbers, known);
    for (size_t i = 0; i < p->count; i++)
        if (p->spread > 0)
            p->cells[i].robust_z = log1p(p->cells[i].effect) / p->spread;
}

static int by_variance(const void *a, const void *b)
{
    const scatter *one = a, *other = b;
    double first = one->squares / one->degrees, second = other->squares / other->degrees;
    return (first > second) - (first < second);
}

/* Cells with several runs, those of least variance first. Returns their number. */
static size_t list_scatters(judging *j, kt_fleet_population *p)
{
    size_t count = 0;
    double squares = 0, degrees = 0;
    for (size_t i = 0; i < p->count; i++) {
        kt_fleet_cell *cell = &p->cells[i];
        if (cell->run_count > 1)
            j->scatters[count++] = (scatter){
                .cell = cell, .squares = squares_of(cell), .degrees = (double)cell->run_count - 1};
    }
    qsort(j->scatters, count, sizeof *j->scatters, by_variance);
    for (size_t i = 0; i < count; i++) {
        j->scatters[i].squares_below = squares;
        j->scatters[i].degrees_below = degrees;
        squares += j->scatters[i].squares;
        degrees += j->scatters[i].degrees;
    }
    return count;
}

static bool is_noisy(const scatter *s)
{
    double rounding = rounding_of(s->cell);
    double below = fmax(s->squares_below / s->degrees_below, rounding * rounding / 12);
    double ratio = s->squares / s->degrees / below;
    return below > DUST && ratio > 1 && kt_f_above(ratio, s->degrees, s->degrees_below) < NOISY;
}

/* Variance from run to run of all devices together, without noisy ones, which get their own noise.
 * Returns its degrees of freedom. */
static double pool_variance(judging *j, kt_fleet_population *p, double *variance)
{
    double squares = 0, degrees = 0;
    size_t count = list_scatters(j, p), ordinary = count;
    /* Of several noisy ones, the largest do not hide each other: those above a noisy one are noisy. */
    for (size_t i = count; i-- > count / 2 + 1;)
        if (is_noisy(&j->scatters[i]))
            ordinary = i;
    for (size_t i = 0; i < count; i++) {
        const scatter *s = &j->scatters[i];
        if (i >= ordinary) {
            s->cell->noise = sqrt(s->squares / s->degrees);
            continue;
        }
        squares += s->squares;
        degrees += s->degrees;
    }
    *variance = degrees > 0 ? squares / degrees : NAN;
    return degrees;
}

/* Mean of 1 / runs over the devices with a time. */
static double mean_of_inverse_runs(const kt_fleet_population *p, size_t known)
{
    double sum = 0;
    for (size_t i = 0; i < p->count; i++)
        sum += p->cells[i].run_count ? 1 / (double)p->cells[i].run_count : 0;
    return sum / (double)known;
}

static void ask(judging *j, kt_fleet_population *p, size_t known)
{
    double variance, degrees = pool_variance(j, p, &variance);
    double of_median = variance * MEDIAN_VARIANCE / (double)known * mean_of_inverse_runs(p, known);
    p->noise = sqrt(variance);
    for (size_t i = 0; i < p->count; i++) {
        kt_fleet_cell *cell = &p->cells[i];
        if (!cell->run_count)
            continue;
        bool is_noisy = !isnan(cell->noise);
        double runs = (double)cell->run_count;
        if (!is_noisy)
            cell->noise = p->noise;
        if (known < KT_FLEET_DEVICES_MIN || isnan(variance))
            continue;
        j->questions[j->question_count++] =
            (question){cell, is_noisy ? runs - 1 : degrees,
                       sqrt(cell->noise * cell->noise / runs + of_median)};
    }
}

static void judge_population(judging *j, kt_fleet_population *p)
{
    size_t known = take_times(j, p);
    if (!known)
        return;
    kt_sort(j->numbers, known);
    take_effects(j, p, kt_median(j->numbers, known), known);
    ask(j, p, known);
}

/* ---- all questions ---- */

/* Critical value of Student's t. Most questions have the degrees of freedom of the one before. */
typedef struct critical {
    double p, degrees, value;
} critical;

static double critical_at(critical *last, double p, double degrees)
{
    if (last->p != p || last->degrees != degrees)
        *last = (critical){p, degrees, kt_student_at(p, degrees)};
    return last->value;
}

static void answer_one(const judging *j, const question *q, critical *half_at)
{
    kt_fleet_cell *cell = q->cell;
    double shift = log1p(cell->effect), rounding = rounding_of(cell);
    double beyond = shift - rounding - j->min_shift;
    double half = critical_at(half_at, 0.025, q->degrees) * q->error + rounding;
    cell->low = expm1(shift - half);
    cell->high = expm1(shift + half);
    /* Equal times have no error. */
    cell->p = q->error > 0 ? kt_student_above(beyond / q->error, q->degrees) : beyond > 0 ? 0 : 1;
}

static int by_p(const void *a, const void *b)
{
    const question *one = a, *other = b;
    return (one->cell->p > other->cell->p) - (one->cell->p < other->cell->p);
}

/* Names those whose p is at most that of the last one below the line alpha * rank / questions. */
static void answer_all(judging *j)
{
    size_t count = j->question_count, named = 0;
    critical half = {0};
    for (size_t i = 0; i < count; i++)
        answer_one(j, &j->questions[i], &half);
    qsort(j->questions, count, sizeof *j->questions, by_p);
    for (size_t i = 0; i < count; i++)
        if (j->questions[i].cell->p <= j->alpha * (double)(i + 1) / (double)count)
            named = i + 1;
    for (size_t i = 0; i < count; i++) {
        kt_fleet_cell *cell = j->questions[i].cell;
        cell->answer = i < named                    ? KT_FLEET_SLOW
                       : cell->high < j->min_effect ? KT_FLEET_GOOD
                                                    : KT_FLEET_UNDECIDED;
    }
}

static kt_status check(const kt_fleet_population *p, size_t number)
{
    double least = INFINITY, most = 0;
    if (p->count && !p->cells)
        return kt_fail(KT_INVALID, "population %zu has no cells", number);
    for (size_t i = 0; i < p->count; i++) {
        if (p->cells[i].resolution_ns < 0 || isinf(p->cells[i].resolution_ns))
            return kt_fail(KT_INVALID, "a resolution of population %zu is below 0 or infinite",
                           number);
        for (size_t run = 0; run < p->cells[i].run_count; run++) {
            double median = p->cells[i].medians_ns ? p->cells[i].medians_ns[run] : NAN;
            if (!(median > 0) || isinf(median))
                return kt_fail(KT_INVALID, "a median of population %zu is not above 0", number);
            least = fmin(least, median);
            most = fmax(most, median);
        }
    }
    return isinf(most / least) ? kt_fail(KT_INVALID, "medians of population %zu are %g and %g ns",
                                         number, least, most)
                               : KT_OK;
}

kt_status kt_fleet_judge(kt_fleet_population *populations, size_t count, double min_effect,
                         double alpha)
{
    size_t all = 0, most = 0;
    if ((!populations && count) || !(min_effect > 0) || isinf(min_effect) || !(alpha > 0) ||
        !(alpha <= 0.5))
        return kt_fail(KT_INVALID, "kt_fleet_judge() takes populations, a minimum effect above 0, "
                                   "and alpha above 0 and at most 0.5");
    for (size_t i = 0; i < count; i++) {
        kt_status status = check(&populations[i], i);
        if (status != KT_OK)
            return status;
        all += populations[i].count;
        most = populations[i].count > most ? populations[i].count : most;
    }
    judging j = {.populations = populations,
                 .count = count,
                 .min_effect = min_effect,
                 .min_shift = log1p(min_effect),
                 .alpha = alpha,
                 .questions = kt_alloc(all + 1, sizeof *j.questions),
                 .numbers = kt_alloc(most + 1, sizeof *j.numbers),
                 .scatters = kt_alloc(most + 1, sizeof *j.scatters)};
    bool has_room = j.questions && j.numbers && j.scatters;
    for (size_t i = 0; i < count && has_room; i++)
        judge_population(&j, &populations[i]);
    if (has_room)
        answer_all(&j);
    kt_free(j.questions);
    kt_free(j.numbers);
    kt_free(j.scatters);
    return has_room ? KT_OK : kt_fail(KT_NO_MEMORY, "out of memory");
}
