/* SPDX-License-Identifier: MIT */
/*
 * How often a comparison is right: 300 seeded pairs of result files, equal and with known changes,
 * by kerntime's rules and by what people do by habit. No clock takes part, so the figures are the
 * same on every machine.
 */
#include "bench/accuracy/compared.h"
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>

#define FILES 300

static const size_t run_counts[] = {1, 2, 5, 10};
#define RUN_COUNTS 4

static compared_file file;

static double percent(int count, int of)
{
    return of ? 100.0 * count / of : NAN;
}

/* "power/run-noise-0.5%/3%/runs-5/kerntime/found" */
static void report(const char *what, const char *noise_name, const char *change, size_t runs,
                   const char *way, const char *figure, double value, const char *unit)
{
    char text[128];
    snprintf(text, sizeof text, "%s/%s/%s%sruns-%zu/%s%s%s", what, noise_name, change,
             *change ? "/" : "", runs, way, *figure ? "/" : "", figure);
    bench_report(text, value, unit);
}

typedef struct kind_of_change {
    const char *name;
    double size;
    int one_way; /* else every other row is faster */
} kind_of_change;

static const kind_of_change changes[] = {
    {"3%", 0.03, 0},
    {"3%-slower", 0.03, 1},
    {"5%", 0.05, 0},
};
#define CHANGES (sizeof changes / sizeof changes[0])
#define MOVED   0.012
#define HABITS  2 /* of run_counts: for whom changes are counted */

typedef struct all_counts {
    compared_counts equal[RUN_COUNTS], moved[RUN_COUNTS], changed[CHANGES][RUN_COUNTS];
    compared_counts equal_habits[RUN_COUNTS][COMPARED_WAYS], changed_habits[CHANGES][COMPARED_WAYS];
} all_counts;

static void count_changed(uint64_t seed, double run_noise, size_t i, all_counts *counts)
{
    double sizes[COMPARED_CHANGED];
    for (int row = 0; row < COMPARED_CHANGED; row++) {
        sizes[row] = changes[i].one_way || row % 2 == 0 ? changes[i].size : -changes[i].size;
        compared_change(&file, seed, run_noise, 0, row, sizes[row]);
    }
    for (int j = 0; j < RUN_COUNTS; j++)
        compared_count(&file, run_counts[j], sizes, 0, &counts->changed[i][j]);
    compared_count_habits(&file, run_counts[HABITS], sizes, counts->changed_habits[i]);
}

static void count_file(uint64_t seed, double run_noise, all_counts *counts)
{
    compared_fill(&file, seed, run_noise, 0);
    for (int j = 0; j < RUN_COUNTS; j++) {
        compared_count(&file, run_counts[j], NULL, 0, &counts->equal[j]);
        compared_count_habits(&file, run_counts[j], NULL, counts->equal_habits[j]);
    }
    for (size_t i = 0; i < CHANGES; i++)
        count_changed(seed, run_noise, i, counts);
    for (int row = 0; row < COMPARED_ROWS; row++)
        compared_change(&file, seed, run_noise, 0, row, MOVED);
    for (int j = 0; j < RUN_COUNTS; j++)
        compared_count(&file, run_counts[j], NULL, MOVED, &counts->moved[j]);
}

static void report_change(const char *noise_name, const char *name, size_t runs, const char *way,
                          const compared_counts *of)
{
    report("power", noise_name, name, runs, way, "found", percent(of->found, of->changed),
           "% of changed rows");
    report("power", noise_name, name, runs, way, "wrong", percent(of->wrong, of->called),
           "% of rows called");
}

static void report_changes(const char *noise_name, const all_counts *counts)
{
    for (size_t i = 0; i < CHANGES; i++) {
        for (int j = 0; j < RUN_COUNTS; j++)
            report_change(noise_name, changes[i].name, run_counts[j], "kerntime",
                          &counts->changed[i][j]);
        for (compared_way way = 0; way < COMPARED_WAYS; way++)
            report_change(noise_name, changes[i].name, run_counts[HABITS], compared_way_name(way),
                          &counts->changed_habits[i][way]);
    }
}

static void report_any(const char *noise_name, const char *change, size_t runs, const char *way,
                       const compared_counts *of)
{
    report("aa", noise_name, change, runs, way, "", percent(of->with_any, of->files),
           "% of files with a row called");
}

static void report_equal(const char *noise_name, const all_counts *counts)
{
    for (int j = 0; j < RUN_COUNTS; j++) {
        size_t runs = run_counts[j];
        const compared_counts *of = &counts->equal[j], *moved = &counts->moved[j];
        report_any(noise_name, "", runs, "kerntime", of);
        for (compared_way way = 0; way < COMPARED_WAYS; way++)
            report_any(noise_name, "", runs, compared_way_name(way), &counts->equal_habits[j][way]);
        report("aa", noise_name, "", runs, "same", "", percent(of->same, of->unchanged),
               "% of rows");
        report("aa", noise_name, "", runs, "inconclusive", "",
               percent(of->inconclusive, of->unchanged), "% of rows");
        report_any(noise_name, "all-1.2%", runs, "kerntime", moved);
        report("aa", noise_name, "all-1.2%", runs, "named", "",
               percent(moved->common, moved->files), "% of files");
        report("aa", noise_name, "all-1.2%", runs, "covered", "",
               percent(moved->common_right, moved->files), "% of files");
    }
}

static void bench_quiet(double run_noise)
{
    compared_counts counts = {0};
    for (uint64_t seed = 1; seed <= FILES; seed++) {
        compared_fill(&file, seed, run_noise, 1);
        compared_count(&file, 5, NULL, 0, &counts);
    }
    bench_report("aa/quiet/runs-5/same", percent(counts.same, counts.unchanged), "% of rows");
    bench_report("aa/quiet/runs-5/inconclusive", percent(counts.inconclusive, counts.unchanged),
                 "% of rows");
}

static void report_change_of(const char *name, const compared_counts *of)
{
    report("mixed", name, "", 5, "kerntime", "found", percent(of->found, of->changed),
           "% of changed rows");
    report("mixed", name, "", 5, "kerntime", "wrong", percent(of->wrong, of->called),
           "% of rows called");
}

/* Rows that are not alike, of which many changed one way; and processes that are off as a whole. */
static void bench_mixed(void)
{
    static const struct {
        const char *name;
        compared_mix mix;
    } mixes[] = {
        {"equal", {0, 0, 0}},
        {"40%-of-rows-5%", {0, 0.05, 20}},
        {"50%-of-rows-5%", {0, 0.05, 25}},
        {"process-1%", {0.01, 0, 0}},
    };
    for (size_t i = 0; i < sizeof mixes / sizeof mixes[0]; i++) {
        compared_counts of = {0};
        for (uint64_t seed = 1; seed <= FILES; seed++) {
            compared_fill_mixed(&file, seed, &mixes[i].mix);
            compared_count_slower(&file, 5, mixes[i].mix.changed, mixes[i].mix.change, &of);
        }
        const char *name = mixes[i].name;
        if (of.changed)
            report_change_of(name, &of);
        report("mixed", name, "", 5, "kerntime", "called", percent(of.called, of.intervals),
               "% of rows");
        report("mixed", name, "", 5, "kerntime", "covered", percent(of.held, of.intervals),
               "% of rows");
        report("mixed", name, "", 5, "common_mode", "matters", percent(of.common, of.files),
               "% of files");
        report("mixed", name, "", 5, "common_mode", "covered", percent(of.common_right, of.files),
               "% of files");
    }
}

/* "shares/rows-12/devices-3/90%-of-rows-5%/wrong" */
static void report_scenario(const compared_scenario *at, int share, const compared_counts *of)
{
    char text[96];
    int length = snprintf(text, sizeof text, "shares/rows-%d/devices-%d/%d%%-of-rows-%.0f%%/",
                          at->rows, at->devices, share, 100 * at->change);
    const struct {
        const char *name, *unit;
        double value;
    } figures[] = {
        {"found", "% of slower rows", percent(of->found, of->changed)},
        {"wrong", "% of rows called", 100 * of->wrong_share / of->files},
        {"slower", "% of files", percent(of->slower, of->files)},
        {"common_mode", "% of files", percent(of->common, of->files)},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        snprintf(text + length, sizeof text - (size_t)length, "%s", figures[i].name);
        bench_report(text, figures[i].value, figures[i].unit);
    }
}

/* From none to all rows are slower, with three runs: is it the rows or the machine? */
static void bench_shares(void)
{
    static const int shares[] = {0, 10, 25, 50, 75, 90, 100}, rows[] = {12, COMPARED_ROWS};
    static const double shifts[] = {0.03, 0.05, 0.1};
    for (size_t i = 0; i < 2 * 2 * 3 * 7; i++) {
        int share = shares[i % 7], count = rows[i / 42];
        compared_scenario at = {count, i / 21 % 2 ? 3 : 1, (count * share + 50) / 100,
                                shifts[i / 7 % 3]};
        compared_counts of = {0};
        for (uint64_t seed = 1; seed <= FILES; seed++) {
            compared_fill_scenario(&file, seed, &at);
            compared_count_slower(&file, COMPARED_SCENARIO_RUNS, at.slower, at.change, &of);
        }
        report_scenario(&at, share, &of);
    }
}

/* Rows that vary as one, where runs differ by much: each call of one is a call of all. */
static void bench_jobs(void)
{
    static const int jobs[] = {10, COMPARED_ROWS};
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        compared_counts of[RUN_COUNTS] = {{0}};
        char rows[32];
        for (uint64_t seed = 1; seed <= FILES; seed++) {
            compared_fill_jobs(&file, seed, 0.03, jobs[i]);
            for (int j = 0; j < RUN_COUNTS; j++)
                compared_count(&file, run_counts[j], NULL, 0, &of[j]);
        }
        snprintf(rows, sizeof rows, "%d-rows-a-job", jobs[i]);
        for (int j = 0; j < RUN_COUNTS; j++) {
            report_any("run-noise-3%", rows, run_counts[j], "kerntime", &of[j]);
            report("aa", "run-noise-3%", rows, run_counts[j], "named", "",
                   percent(of[j].common, of[j].files), "% of files");
        }
    }
}

int bench_compare(void)
{
    static const struct {
        const char *name;
        double deviation;
    } noises[] = {{"run-noise-0.5%", 0.005}, {"run-noise-1%", 0.01}};
    static all_counts counts[2];
    bench_quiet(0.005);
    bench_mixed();
    bench_shares();
    bench_jobs();
    for (int i = 0; i < 2; i++) {
        for (uint64_t seed = 1; seed <= FILES; seed++)
            count_file(seed, noises[i].deviation, &counts[i]);
        report_equal(noises[i].name, &counts[i]);
        report_changes(noises[i].name, &counts[i]);
    }
    return 0;
}
