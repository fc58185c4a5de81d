/*
 * fleet.c - judges the devices of a fleet from numbers alone.
 *
 * Times are compared as logarithms. The distance to the median has the error of the device's runs
 * and of the median's, whose variance is at most that of a mean times pi / 2. How devices differ is
 * no error: the median is that of these devices.
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
#define POWER           0.1 /* chance that a device twice min_effect slower is missed */

/* A question: is this cell slower by more than the minimum effect? */
typedef struct question {
    kt_fleet_cell *cell;
    double degrees, error; /* of the distance to the median */
} question;

typedef struct judging {
    kt_fleet_population *populations;
    size_t count;
    double min_shift, alpha;
    question *questions; /* room for all cells */
    size_t question_count;
    double *numbers; /* scratch, one for each cell of the largest population */
} judging;

/* ---- one population ---- */

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
        cell->effect = cell->low = cell->high = cell->p = cell->robust_z = cell->time_ns = NAN;
        cell->answer = KT_FLEET_UNDECIDED;
        if (cell->run_count)
            cell->time_ns = exp(j->numbers[known++] = mean_log(cell));
    }
    return known;
}

/* Effects as shares, and how they scatter. `median` of logarithms. */
static void take_effects(judging *j, kt_fleet_population *p, double median)
{
    size_t known = 0;
    p->median_ns = exp(median);
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

/* Variance from run to run, of all devices together. Returns its degrees of freedom. */
static double pool_variance(const kt_fleet_population *p, double *variance)
{
    double sum = 0, degrees = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->cells[i].run_count > 1) {
            sum += squares_of(&p->cells[i]);
            degrees += (double)p->cells[i].run_count - 1;
        }
    *variance = degrees > 0 ? sum / degrees : NAN;
    return degrees;
}

static void ask(judging *j, kt_fleet_population *p, size_t known)
{
    double variance, degrees = pool_variance(p, &variance);
    p->noise = sqrt(variance);
    if (known < KT_FLEET_DEVICES_MIN || isnan(variance))
        return;
    for (size_t i = 0; i < p->count; i++)
        if (p->cells[i].run_count) {
            double of_median = MEDIAN_VARIANCE / (double)known;
            double error = sqrt(variance * (1 + of_median) / (double)p->cells[i].run_count);
            j->questions[j->question_count++] = (question){&p->cells[i], degrees, error};
        }
}

static void judge_population(judging *j, kt_fleet_population *p)
{
    size_t known = take_times(j, p);
    if (!known)
        return;
    kt_sort(j->numbers, known);
    take_effects(j, p, kt_median(j->numbers, known));
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
    double shift = log1p(cell->effect), beyond = shift - j->min_shift;
    double half = critical_at(half_at, 0.025, q->degrees) * q->error;
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
    critical half = {0}, level = {0}, power = {0};
    for (size_t i = 0; i < count; i++)
        answer_one(j, &j->questions[i], &half);
    qsort(j->questions, count, sizeof *j->questions, by_p);
    for (size_t i = 0; i < count; i++)
        if (j->questions[i].cell->p <= j->alpha * (double)(i + 1) / (double)count)
            named = i + 1;
    /* What one more name would have taken. */
    double last = fmin(j->alpha * (double)(named + 1) / (double)count, 0.5);
    for (size_t i = 0; i < count; i++) {
        const question *q = &j->questions[i];
        double found =
            (critical_at(&level, last, q->degrees) + critical_at(&power, POWER, q->degrees)) *
            q->error;
        q->cell->answer = i < named               ? KT_FLEET_SLOW
                          : found <= j->min_shift ? KT_FLEET_GOOD
                                                  : KT_FLEET_UNDECIDED;
    }
}

static bool are_medians(const kt_fleet_cell *cell)
{
    for (size_t i = 0; i < cell->run_count; i++)
        if (!cell->medians_ns || !(cell->medians_ns[i] > 0) || isinf(cell->medians_ns[i]))
            return false;
    return true;
}

kt_status kt_fleet_judge(kt_fleet_population *populations, size_t count, double min_effect,
                         double alpha)
{
    size_t all = 0, most = 0;
    if ((!populations && count) || !(min_effect > 0) || isinf(min_effect) || !(alpha > 0) ||
        !(alpha < 0.5))
        return kt_fail(KT_INVALID, "kt_fleet_judge() takes populations, a minimum effect above 0, "
                                   "and alpha between 0 and 0.5");
    for (size_t i = 0; i < count; i++) {
        const kt_fleet_population *p = &populations[i];
        for (size_t k = 0; k < p->count; k++)
            if (!p->cells || !are_medians(&p->cells[k]))
                return kt_fail(KT_INVALID, "a median of population %zu is not above 0", i);
        all += p->count;
        most = p->count > most ? p->count : most;
    }
    judging j = {.populations = populations,
                 .count = count,
                 .min_shift = log1p(min_effect),
                 .alpha = alpha,
                 .questions = kt_alloc(all + 1, sizeof *j.questions),
                 .numbers = kt_alloc(most + 1, sizeof *j.numbers)};
    bool has_room = j.questions && j.numbers;
    for (size_t i = 0; i < count && has_room; i++)
        judge_population(&j, &populations[i]);
    if (has_room)
        answer_all(&j);
    kt_free(j.questions);
    kt_free(j.numbers);
    return has_room ? KT_OK : kt_fail(KT_NO_MEMORY, "out of memory");
}
