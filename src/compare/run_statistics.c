/* SPDX-License-Identifier: MIT */
#include "compare/run_statistics.h"

#include "statistics/interval.h"
#include "statistics/ranks.h"
#include "support/error.h"
#include "support/options.h"

#include <math.h>

#define NORMAL_95     1.95996398454005423552
#define RELATIVE_MAX  1e6    /* limit of relative deviations; larger ones say no more */
#define MEDIAN_ERRORS 1.2533 /* a median's standard error over a mean's: sqrt(pi / 2) */

kt_status kt_take_compare_options(kt_compare_options *out, const kt_compare_options *options)
{
    kt_status status = kt_take_options(out, sizeof *out, options, "kt_compare_options");
    if (status != KT_OK)
        return status;
    out->size = sizeof *out;
    if (!(out->min_effect >= 0 && out->min_effect <= 1))
        return kt_fail(KT_INVALID, "the smallest change that matters is not between 0 and 1");
    if (!(out->alpha >= 0 && out->alpha <= 0.5))
        return kt_fail(KT_INVALID, "alpha is not between 0 and 0.5");
    if (!(out->run_noise >= 0 && out->run_noise <= 1))
        return kt_fail(KT_INVALID, "the noise from run to run is not between 0 and 1");
    if (out->timing > KT_TIMING_WALL)
        return kt_fail(KT_INVALID, "there is no timing %d", (int)out->timing);
    if (!(out->min_effect > 0))
        out->min_effect = KT_MIN_EFFECT_DEFAULT;
    if (!(out->alpha > 0))
        out->alpha = KT_ALPHA_DEFAULT;
    if (!(out->run_noise > 0))
        out->run_noise = KT_RUN_NOISE_DEFAULT;
    return KT_OK;
}

static bool counts(const kt_compare_run *run)
{
    return run->summary->n > 0 && run->summary->median > 0 && isfinite(run->summary->median);
}

/* The valid runs' medians times `factor`, sorted. */
static size_t take_medians(const kt_compare_run *runs, size_t count, double factor, double *medians)
{
    size_t taken = 0;
    for (size_t i = 0; i < count; i++)
        if (counts(&runs[i]))
            medians[taken++] = runs[i].summary->median * factor;
    kt_sort(medians, taken);
    return taken;
}

/* |value| / to, at most RELATIVE_MAX. Unknown values count as 0. */
static double relative(double value, double to)
{
    return isnan(value) ? 0 : fmin(fabs(value) / to, RELATIVE_MAX);
}

/* Relative variance of a run's median by its samples. A run that drifts or is bimodal has no
 * interval, and its time may lie anywhere in the covered range. */
static double variance_within(const kt_summary *summary)
{
    double deviation = (summary->ci95_high - summary->ci95_low) / (2 * NORMAL_95);
    if (isnan(deviation)) {
        double inflation = summary->inflation >= 1 ? summary->inflation : 1;
        deviation = MEDIAN_ERRORS * summary->robust_stddev * sqrt(inflation / (double)summary->n);
        if (summary->warnings & KT_WARNING_BIMODAL)
            deviation = summary->cluster_high - summary->cluster_low;
        if (summary->warnings & KT_WARNING_DRIFT)
            deviation = summary->drift * summary->median;
    }
    deviation = relative(deviation, summary->median);
    return deviation * deviation;
}

/* The mean of equal medians is exactly their value. */
static double mean_of(const double *medians, size_t n)
{
    double beyond = 0;
    for (size_t i = 1; i < n; i++)
        beyond += medians[i] / (double)n - medians[0] / (double)n;
    return medians[0] + beyond;
}

/* Adds a run's own samples to the side's statistics. */
static void look_at_run(kt_side *of, const kt_summary *summary, double taken, double *enclosed)
{
    double variance = variance_within(summary);
    of->own += variance / taken;
    of->resolution = fmax(of->resolution, relative(summary->resolution, of->mean));
    of->spread += relative(summary->robust_stddev, summary->median) / taken;
    if (isnan(summary->ci95_high))
        return;
    ++*enclosed;
    of->within += (variance - of->within) / *enclosed;
}

kt_side kt_summarize_runs(const kt_compare_run *runs, size_t count, double *medians)
{
    kt_side of = {.mean = NAN};
    size_t taken = take_medians(runs, count, 1, medians);
    of.runs = (uint32_t)taken;
    if (taken == 0)
        return of;
    of.mean = mean_of(medians, taken);
    for (size_t i = 0; i < taken; i++) {
        double distance = medians[i] / of.mean - 1;
        of.squares += distance * distance;
    }
    double enclosed = 0;
    for (size_t i = 0; i < count; i++)
        if (counts(&runs[i]))
            look_at_run(&of, runs[i].summary, (double)taken, &enclosed);
    return of;
}

void kt_add_to_centers(const kt_compare_run *runs, size_t count, double weight, double *centers)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < count; i++)
        if (counts(&runs[i])) {
            sum += log(runs[i].summary->median);
            n++;
        }
    for (size_t i = 0; i < count && n >= 2; i++)
        if (counts(&runs[i])) {
            centers[2 * i] += weight * (log(runs[i].summary->median) - sum / n);
            centers[2 * i + 1] += weight;
        }
}

static kt_run_ranks rank_medians(const kt_compare_row *row, double factor, double *scratch)
{
    size_t n = take_medians(row->baseline_runs, row->baseline_count, 1, scratch);
    double *new = scratch + n;
    size_t m = take_medians(row->contender_runs, row->contender_count, factor, new);
    return (kt_run_ranks){.p = kt_rank_p(scratch, n, new, m, 1, new + m),
                          .least = kt_rank_p_least(n, m),
                          .longer = NAN};
}

static const kt_compare_run *first_that_counts(const kt_compare_run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (counts(&runs[i]))
            return &runs[i];
    return NULL;
}

static size_t take_samples(const kt_compare_run *run, double factor, double *samples)
{
    for (size_t i = 0; i < run->summary->n; i++)
        samples[i] = run->samples[i] * factor;
    kt_sort(samples, run->summary->n);
    return run->summary->n;
}

static kt_run_ranks rank_samples(const kt_compare_row *row, double factor, double *scratch)
{
    const kt_compare_run *base_run = first_that_counts(row->baseline_runs, row->baseline_count);
    const kt_compare_run *new_run = first_that_counts(row->contender_runs, row->contender_count);
    size_t n = take_samples(base_run, 1, scratch);
    double *new = scratch + n;
    size_t m = take_samples(new_run, factor, new);
    double inflation = fmax(1, fmax(base_run->summary->inflation, new_run->summary->inflation));
    return (kt_run_ranks){.p = kt_rank_p(scratch, n, new, m, inflation, new + m),
                          .least = kt_rank_p_least(n, m),
                          .longer = kt_rank_larger(scratch, n, new, m)};
}

static size_t count_counting(const kt_compare_run *runs, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        n += counts(&runs[i]);
    return n;
}

kt_run_ranks kt_rank_runs(const kt_compare_row *row, double factor, double *scratch)
{
    bool single = count_counting(row->baseline_runs, row->baseline_count) == 1 &&
                  count_counting(row->contender_runs, row->contender_count) == 1;
    return (single ? rank_samples : rank_medians)(row, factor, scratch);
}

/* Scratch for one side: its samples if it has one run, else its runs. */
static size_t numbers_of(const kt_compare_run *runs, size_t count)
{
    size_t most = count;
    for (size_t i = 0; i < count; i++)
        if (runs[i].summary->n > most)
            most = runs[i].summary->n;
    return most;
}

size_t kt_runs_scratch(const kt_compare_row *row)
{
    return numbers_of(row->baseline_runs, row->baseline_count) +
           numbers_of(row->contender_runs, row->contender_count) + KT_RANK_SCRATCH;
}
