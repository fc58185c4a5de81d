/* SPDX-License-Identifier: MIT */
#include "bench/accuracy/compared.h"

#include "statistics/interval.h"
#include "statistics/ranks.h"
#include "statistics/ratio.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define VALUE 100000.0 /* ns */

static const noise kinds[COMPARED_CHANGED] = {
    {.value = VALUE, .spread = 0.002},
    {.value = VALUE, .spread = 0.005},
    {.shape = NOISE_LOGNORMAL, .value = VALUE, .spread = 0.02},
    {.shape = NOISE_PARETO, .value = VALUE, .spread = 0.02},
    {.shape = NOISE_STUDENT, .value = VALUE, .spread = 0.01},
    {.shape = NOISE_STUDENT, .value = VALUE, .spread = 0.02},
    {.value = VALUE, .spread = 0.01, .level = 0.08, .level_share = 0.15},
    {.value = VALUE, .spread = 0.01, .level = 0.08, .level_share = 0.3},
    {.value = VALUE, .spread = 0.02, .correlation = 0.5},
    {.value = VALUE, .spread = 0.02, .correlation = 0.7},
};
static const noise quiet_kind = {.value = VALUE, .spread = 0.003};

/* A run of a row; each has a seed of its own. */
static void fill_run(compared_side *side, int row, int run, uint64_t seed, double run_noise,
                     const noise *of, double factor)
{
    noise_run taken = noise_begin(of, seed);
    uint64_t random = seed ^ UINT64_C(0x5851f42d4c957f2d);
    factor *= 1 + run_noise * noise_normal(&random);
    double *samples = side->samples[row][run], scratch[COMPARED_SAMPLES];
    for (int i = 0; i < COMPARED_SAMPLES; i++)
        samples[i] = noise_next(&taken) * factor;
    kt_summary *summary = &side->summaries[row][run];
    kt_summarize(samples, COMPARED_SAMPLES, 0, scratch, summary);
    side->runs[row][run] = (kt_compare_run){samples, summary};
}

static uint64_t seed_of(uint64_t side, int row, int run)
{
    return (side * COMPARED_ROWS + (uint64_t)row) * COMPARED_RUNS + (uint64_t)run;
}

static void fill_row(compared_side *side, int row, uint64_t seed, double run_noise, int quiet,
                     double factor)
{
    const noise *of = quiet ? &quiet_kind : &kinds[row % COMPARED_CHANGED];
    for (int run = 0; run < COMPARED_RUNS; run++)
        fill_run(side, row, run, seed_of(seed, row, run), run_noise, of, factor);
}

void compared_fill(compared_file *file, uint64_t seed, double run_noise, int quiet)
{
    file->rows = COMPARED_ROWS;
    file->job = 0;
    for (int row = 0; row < COMPARED_ROWS; row++) {
        fill_row(&file->baseline, row, 2 * seed, run_noise, quiet, 1);
        fill_row(&file->contender, row, 2 * seed + 1, run_noise, quiet, 1);
    }
}

void compared_change(compared_file *file, uint64_t seed, double run_noise, int quiet, int row,
                     double change)
{
    fill_row(&file->contender, row, 2 * seed + 1, run_noise, quiet, 1 + change);
}

void compared_fill_mixed(compared_file *file, uint64_t seed, const compared_mix *mix)
{
    uint64_t random = seed;
    compared_side *sides[] = {&file->baseline, &file->contender};
    file->rows = COMPARED_ROWS;
    file->job = 0;
    for (int side = 0; side < 2; side++)
        for (int run = 0; run < COMPARED_RUNS; run++) {
            double process = 1 + mix->process * noise_normal(&random);
            for (int row = 0; row < COMPARED_ROWS; row++)
                fill_run(sides[side], row, run, seed_of(2 * seed + (uint64_t)side, row, run),
                         row % 2 ? 0.02 : 0.002, &quiet_kind,
                         process * (side && row < mix->changed ? 1 + mix->change : 1));
        }
}

void compared_fill_scenario(compared_file *file, uint64_t seed, const compared_scenario *of)
{
    static const double noises[] = {0.007, 0.01, 0.014};
    compared_side *sides[] = {&file->baseline, &file->contender};
    file->rows = of->rows;
    file->job = 0;
    for (int side = 0; side < 2; side++)
        for (int row = 0; row < of->rows; row++) {
            uint64_t device = (uint64_t)(row * of->devices / of->rows);
            double run_noise = of->devices == 1 ? 0.01 : noises[(seed + device) % 3];
            for (int run = 0; run < COMPARED_SCENARIO_RUNS; run++)
                fill_run(sides[side], row, run, seed_of(2 * seed + (uint64_t)side, row, run),
                         run_noise, &quiet_kind, side && row < of->slower ? 1 + of->change : 1);
        }
}

void compared_fill_jobs(compared_file *file, uint64_t seed, double run_noise, int job)
{
    uint64_t random = seed;
    double off[COMPARED_RUNS];
    compared_side *sides[] = {&file->baseline, &file->contender};
    file->rows = COMPARED_ROWS;
    file->job = job;
    for (int side = 0; side < 2; side++)
        for (int row = 0; row < COMPARED_ROWS; row++)
            for (int run = 0; run < COMPARED_RUNS; run++) {
                if (row % job == 0)
                    off[run] = 1 + run_noise * noise_normal(&random);
                fill_run(sides[side], row, run, seed_of(2 * seed + (uint64_t)side, row, run), 0,
                         &quiet_kind, off[run]);
            }
}

/* ---- what people do ---- */

const char *compared_way_name(compared_way way)
{
    static const char *const names[] = {"means", "minima", "t-test", "u-test"};
    return names[way];
}

static kt_moments moments_of(const double *samples, size_t n)
{
    kt_moments of = {.n = n};
    for (size_t i = 0; i < n; i++)
        of.mean += samples[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        of.stddev += (samples[i] - of.mean) * (samples[i] - of.mean);
    of.stddev = sqrt(of.stddev / (double)(n - 1));
    return of;
}

static int direction(double ratio)
{
    return ratio > 1 ? 1 : -1;
}

static int apart(double ratio)
{
    return fabs(ratio - 1) >= 0.01 ? direction(ratio) : 0;
}

/* All samples of both sides, sorted. What each says: 1 slower, -1 faster, 0 no difference. */
static void decide(const double *base, const double *new, size_t n, int *said)
{
    kt_moments of_base = moments_of(base, n), of_new = moments_of(new, n);
    double ratio, low, high, scratch[KT_RANK_SCRATCH];
    kt_ratio_of_means(&of_new, &of_base, &ratio, &low, &high);
    bool ranks_differ = kt_rank_p(base, n, new, n, 1, scratch) <= 0.05;
    said[COMPARED_MEANS] = apart(ratio);
    said[COMPARED_MINIMA] = apart(new[0] / base[0]);
    said[COMPARED_T_TEST] = low > 1 || high < 1 ? direction(ratio) : 0;
    said[COMPARED_U_TEST] = ranks_differ ? direction(kt_median(new, n) / kt_median(base, n)) : 0;
}

/* ---- counting ---- */

static int true_direction(const double *changes, int row)
{
    double change = changes && row < COMPARED_CHANGED ? changes[row] : 0;
    return (change > 0) - (change < 0);
}

static void count(const int *said, size_t stride, const double *changes, compared_counts *counts)
{
    int called = 0;
    for (int row = 0; row < COMPARED_ROWS; row++) {
        int truth = true_direction(changes, row), of_row = said[(size_t)row * stride];
        counts->changed += truth != 0;
        counts->found += truth != 0 && of_row == truth;
        counts->wrong += of_row != 0 && of_row != truth;
        called += of_row != 0;
    }
    counts->called += called;
    counts->with_any += called > 0;
    counts->files++;
}

void compared_count_habits(const compared_file *file, size_t runs, const double *changes,
                           compared_counts *counts)
{
    static double base[COMPARED_RUNS * COMPARED_SAMPLES], new[COMPARED_RUNS * COMPARED_SAMPLES];
    int said[COMPARED_ROWS][COMPARED_WAYS];
    size_t n = runs * COMPARED_SAMPLES;
    for (int row = 0; row < COMPARED_ROWS; row++) {
        memcpy(base, file->baseline.samples[row], n * sizeof *base);
        memcpy(new, file->contender.samples[row], n * sizeof *new);
        kt_sort(base, n);
        kt_sort(new, n);
        decide(base, new, n, said[row]);
    }
    for (int way = 0; way < COMPARED_WAYS; way++)
        count(&said[0][way], COMPARED_WAYS, changes, &counts[way]);
}

static void compare(const compared_file *file, size_t runs, kt_change *out,
                    kt_common_mode_shift *all)
{
    static double scratch[32 * 1024];
    kt_compare_row rows[COMPARED_ROWS];
    for (int row = 0; row < file->rows; row++)
        rows[row] = (kt_compare_row){.baseline_runs = file->baseline.runs[row],
                                     .contender_runs = file->contender.runs[row],
                                     .baseline_count = runs,
                                     .contender_count = runs,
                                     .group = file->job ? (uint32_t)(row / file->job) + 1 : 0};
    kt_compare_rows(rows, (size_t)file->rows, NULL, scratch, out, all);
}

static int said_of(const kt_change *change)
{
    return (change->verdict == KT_VERDICT_SLOWER) - (change->verdict == KT_VERDICT_FASTER);
}

static int holds(double low, double high, double truth)
{
    return low <= truth && truth <= high;
}

void compared_count_slower(const compared_file *file, size_t runs, int changed, double change,
                           compared_counts *counts)
{
    kt_change out[COMPARED_ROWS];
    kt_common_mode_shift all;
    int called = 0, wrong = 0, slower = 0;
    compare(file, runs, out, &all);
    for (int row = 0; row < file->rows; row++) {
        double truth = row < changed ? change : 0;
        int said = said_of(&out[row]), right = (truth > 0) - (truth < 0);
        counts->intervals++;
        counts->held += holds(out[row].shift_low, out[row].shift_high, truth);
        counts->changed += right != 0;
        counts->found += right != 0 && said == right;
        called += said != 0;
        wrong += said != 0 && said != right;
        slower |= said > 0;
    }
    counts->files++;
    counts->called += called;
    counts->wrong += wrong;
    counts->wrong_share += called ? (double)wrong / called : 0;
    counts->slower += slower;
    counts->common += all.matters;
    counts->common_right += holds(all.shift_low, all.shift_high, 0);
}

void compared_count(const compared_file *file, size_t runs, const double *changes, double common,
                    compared_counts *counts)
{
    kt_change out[COMPARED_ROWS];
    kt_common_mode_shift all;
    int said[COMPARED_ROWS];
    compare(file, runs, out, &all);
    for (int row = 0; row < COMPARED_ROWS; row++) {
        kt_verdict verdict = out[row].verdict;
        said[row] = said_of(&out[row]);
        if (true_direction(changes, row))
            continue;
        counts->unchanged++;
        counts->same += verdict == KT_VERDICT_SAME;
        counts->inconclusive += verdict == KT_VERDICT_INCONCLUSIVE;
    }
    count(said, 1, changes, counts);
    counts->common += all.matters;
    counts->common_right += holds(all.shift_low, all.shift_high, common);
}
