/* SPDX-License-Identifier: MIT */
/*
 * How often the interval holds the truth, how many samples that takes, and what is named rightly or
 * falsely: 1,000 seeded runs of kerntime's rules on each kind of noise, beside what people do by
 * habit. No clock takes part, so the figures are the same on every machine.
 */
#include "bench/accuracy/sampling.h"
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RUNS  1000
#define VALUE 100000.0 /* ns */

/* Seeds of different questions do not overlap. */
enum { SEED_ADAPTIVE = 1, SEED_HABIT = 1000001, SEED_ORACLE = 2000001, SEED_FIXED = 3000001 };

typedef struct subject {
    const char *name;
    noise of;
    int width; /* compare it with the oracle's */
} subject;

static const subject subjects[] = {
    {"normal", {.value = VALUE, .spread = 0.01}, 1},
    {"uniform", {.shape = NOISE_UNIFORM, .value = VALUE, .spread = 0.02}, 1},
    {"log-normal", {.shape = NOISE_LOGNORMAL, .value = VALUE, .spread = 0.02}, 1},
    {"pareto", {.shape = NOISE_PARETO, .value = VALUE, .spread = 0.02}, 1},
    {"student", {.shape = NOISE_STUDENT, .value = VALUE, .spread = 0.02}, 1},
    {"mixture-50/50", {.value = VALUE, .spread = 0.01, .level = 0.08, .level_share = 0.5}, 0},
    {"mixture-70/30", {.value = VALUE, .spread = 0.01, .level = 0.08, .level_share = 0.3}, 1},
    {"mixture-85/15", {.value = VALUE, .spread = 0.01, .level = 0.08, .level_share = 0.15}, 1},
    {"resolution-0.1%",
     {.shape = NOISE_LOGNORMAL, .value = VALUE, .spread = 0.01, .resolution = 0.001},
     0},
    {"resolution-2%",
     {.shape = NOISE_LOGNORMAL, .value = VALUE, .spread = 0.01, .resolution = 0.02},
     0},
    {"resolution-10%",
     {.shape = NOISE_LOGNORMAL, .value = VALUE, .spread = 0.01, .resolution = 0.1},
     0},
    {"ar-0.7", {.value = VALUE, .spread = 0.02, .correlation = 0.7}, 1},
    {"ar-0.7-1%", {.value = VALUE, .spread = 0.01, .correlation = 0.7}, 1},
};
#define SUBJECTS (sizeof subjects / sizeof subjects[0])

static void report(const char *what, const char *name, const char *how, double value,
                   const char *unit)
{
    char text[96];
    snprintf(text, sizeof text, "%s/%s/%s", what, name, how);
    bench_report(text, value, unit);
}

static double percent(int count, int of)
{
    return of ? 100.0 * count / of : NAN;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Distance of the 2.5 % and 97.5 % quantiles of the median of n samples: what somebody would give
 * who knew the noise. */
static double oracle_width(const noise *of, size_t n)
{
    static double medians[RUNS], samples[SAMPLING_MAX];
    for (int i = 0; i < RUNS; i++) {
        noise_run run = noise_begin(of, SEED_ORACLE + (uint64_t)i);
        for (size_t k = 0; k < n; k++)
            samples[k] = noise_next(&run);
        qsort(samples, n, sizeof *samples, compare_doubles);
        medians[i] = (samples[(n - 1) / 2] + samples[n / 2]) / 2;
    }
    qsort(medians, RUNS, sizeof *medians, compare_doubles);
    return medians[(RUNS * 975) / 1000] - medians[(RUNS * 25) / 1000 - 1];
}

/* Of the numbers of samples at which the rule may stop, each is asked for once. */
static double known_oracle_width(const noise *of, size_t n, double *widths)
{
    if (!(widths[n] > 0))
        widths[n] = oracle_width(of, n);
    return widths[n];
}

typedef struct accumulator {
    int covered, given, drift, bimodal, by_resolution;
    double samples, width;
} accumulator;

static accumulator measure(const subject *s, double rel_err, double *widths)
{
    accumulator t = {0};
    for (int i = 0; i < RUNS; i++) {
        noise_run run = noise_begin(&s->of, SEED_ADAPTIVE + (uint64_t)i);
        double truth = noise_median(&run);
        kt_summary summary;
        kt_stop stop = sampling_adaptive(&run, rel_err, &summary);
        t.samples += (double)summary.n / RUNS;
        t.given += sampling_given(&summary);
        t.covered += sampling_covers(&summary, truth);
        t.drift += (summary.warnings & KT_WARNING_DRIFT) != 0;
        t.bimodal += (summary.warnings & KT_WARNING_BIMODAL) != 0;
        t.by_resolution += stop == KT_STOP_RESOLUTION;
        if (s->width && sampling_given(&summary))
            t.width += (summary.ci95_high - summary.ci95_low) /
                       known_oracle_width(&s->of, summary.n, widths);
    }
    return t;
}

/* Without any rule of stopping. */
static void bench_fixed(const subject *s)
{
    static const size_t sizes[] = {6, 10, 20, 30, 100};
    for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++) {
        int covered = 0, given = 0;
        for (int i = 0; i < RUNS; i++) {
            noise_run run = noise_begin(&s->of, SEED_FIXED + (uint64_t)i);
            kt_summary summary;
            sampling_fixed(&run, sizes[j], NULL, &summary);
            given += sampling_given(&summary);
            covered += sampling_covers(&summary, noise_median(&run));
        }
        char how[24];
        snprintf(how, sizeof how, "n=%zu", sizes[j]);
        report("coverage", s->name, how, percent(covered, given), "% of intervals");
        report("given", s->name, how, percent(given, RUNS), "% of runs");
    }
}

static void bench_adaptive(const subject *s)
{
    static const struct {
        const char *name;
        double rel_err;
    } wanted[] = {{"1%", 0.01}, {"0.5%", 0.005}};
    static double widths[SAMPLING_MAX + 1];
    for (size_t i = 0; i <= SAMPLING_MAX; i++)
        widths[i] = 0;
    for (size_t w = 0; w < 2; w++) {
        accumulator t = measure(s, wanted[w].rel_err, widths);
        const char *how = wanted[w].name;
        report("coverage", s->name, how, percent(t.covered, t.given), "% of intervals");
        report("given", s->name, how, percent(t.given, RUNS), "% of runs");
        report("samples", s->name, how, t.samples, "mean");
        if (s->width)
            report("width", s->name, how, t.width / t.given, "of the oracle's");
        if (s->of.resolution > 0)
            report("stopped-by-resolution", s->name, how, percent(t.by_resolution, RUNS),
                   "% of runs");
        report("false-drift", s->name, how, percent(t.drift, RUNS), "% of runs");
        if (!(s->of.level > 0))
            report("false-bimodal", s->name, how, percent(t.bimodal, RUNS), "% of runs");
    }
}

/* Mean of n, with `factor` times its standard error; the truth is the mean then. */
static int mean_covers(const double *samples, size_t n, double factor, double truth)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += samples[i];
    double mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (samples[i] - mean) * (samples[i] - mean);
    return fabs(mean - truth) <= factor * sqrt(squares / (double)(n - 1) / (double)n);
}

/* The minimum has no interval: how often it is within 1 % of the median. */
static void bench_habits(const subject *s)
{
    int of_10 = 0, of_30 = 0, of_100 = 0, near = 0;
    for (int i = 0; i < RUNS; i++) {
        noise_run run = noise_begin(&s->of, SEED_HABIT + (uint64_t)i);
        double samples[100], least = INFINITY;
        for (int k = 0; k < 100; k++) {
            samples[k] = noise_next(&run);
            least = fmin(least, samples[k]);
        }
        of_10 += mean_covers(samples, 10, 1.96, noise_mean(&run));
        of_30 += mean_covers(samples, 30, 2.0452, noise_mean(&run)); /* Student's t, 29 */
        of_100 += mean_covers(samples, 100, 1.96, noise_mean(&run));
        near += fabs(least / noise_median(&run) - 1) <= 0.01;
    }
    report("coverage", s->name, "mean-of-10", percent(of_10, RUNS), "% of intervals");
    report("coverage", s->name, "mean-of-30", percent(of_30, RUNS), "% of intervals");
    report("coverage", s->name, "mean-of-100", percent(of_100, RUNS), "% of intervals");
    report("near", s->name, "minimum-of-100", percent(near, RUNS), "% within 1 %");
}

static const size_t fixed_sizes[] = {50, 100, 300};
#define FIXED_SIZES (sizeof fixed_sizes / sizeof fixed_sizes[0])

/* How often a pattern is named in n samples. A drift is over all of them. */
static void bench_named(const char *what, const char *name, const noise *of, unsigned warning)
{
    for (size_t j = 0; j < FIXED_SIZES; j++) {
        noise each = *of;
        if (each.drift > 0)
            each.drift_samples = (double)(fixed_sizes[j] - 1);
        int named = 0;
        for (int i = 0; i < RUNS; i++) {
            noise_run run = noise_begin(&each, SEED_FIXED + (uint64_t)i);
            kt_summary summary;
            sampling_fixed(&run, fixed_sizes[j], NULL, &summary);
            named += (summary.warnings & warning) != 0;
        }
        char size[24];
        snprintf(size, sizeof size, "%zu", fixed_sizes[j]);
        report(what, name, size, percent(named, RUNS), "% of runs");
    }
}

static void bench_patterns(void)
{
    static const double spreads[] = {0.005, 0.01, 0.02};
    static const struct {
        const char *name;
        double share;
    } shares[] = {{"50/50", 0.5}, {"70/30", 0.3}, {"85/15", 0.15}};
    char name[48];
    for (size_t i = 0; i < 3; i++) {
        noise of = {.value = VALUE, .spread = spreads[i], .drift = 0.02};
        snprintf(name, sizeof name, "2%%-in-%g%%", spreads[i] * 100);
        bench_named("drift-named", name, &of, KT_WARNING_DRIFT);
        for (size_t k = 0; k < 3; k++) {
            of = (noise){.value = VALUE,
                         .spread = spreads[i],
                         .level = 0.08,
                         .level_share = shares[k].share};
            snprintf(name, sizeof name, "%s-in-%g%%", shares[k].name, spreads[i] * 100);
            bench_named("bimodal-named", name, &of, KT_WARNING_BIMODAL);
        }
    }
    for (size_t i = 0; i < SUBJECTS; i++) {
        bench_named("false-drift", subjects[i].name, &subjects[i].of, KT_WARNING_DRIFT);
        if (!(subjects[i].of.level > 0))
            bench_named("false-bimodal", subjects[i].name, &subjects[i].of, KT_WARNING_BIMODAL);
    }
}

/* Two levels of equal shares that switch seldom. In a run that saw both (at least 4 samples and
 * 5 % on each), an interval would be a guess; one that saw a single level cannot know. */
static void bench_slow(double stay)
{
    const noise of = {
        .value = VALUE, .spread = 0.01, .level = 0.08, .level_share = 0.5, .level_dwell = stay / 2};
    char name[32];
    snprintf(name, sizeof name, "stays-of-%g", stay);
    for (size_t j = 0; j < FIXED_SIZES; j++) {
        size_t n = fixed_sizes[j];
        int seen = 0, named = 0, given = 0, covered = 0;
        static double samples[SAMPLING_MAX];
        for (int i = 0; i < RUNS; i++) {
            noise_run run = noise_begin(&of, SEED_FIXED + (uint64_t)i);
            kt_summary summary;
            sampling_fixed(&run, n, samples, &summary);
            size_t high = 0;
            for (size_t k = 0; k < n; k++)
                high += samples[k] > VALUE * 1.04;
            size_t least = high < n - high ? high : n - high;
            if (least < 4 || least * 20 < n)
                continue;
            seen++;
            named += (summary.warnings & KT_WARNING_BIMODAL) != 0;
            given += sampling_given(&summary);
            covered += sampling_covers(&summary, noise_median(&run));
        }
        char how[24];
        snprintf(how, sizeof how, "%zu", n);
        report("slow-seen", name, how, percent(seen, RUNS), "% of runs");
        report("slow-named", name, how, percent(named, seen), "% of those");
        report("slow-given", name, how, percent(given, seen), "% of those");
        report("slow-pretended", name, how, percent(given - covered, seen), "% of those");
    }
}

int bench_coverage(void)
{
    for (size_t i = 0; i < SUBJECTS; i++) {
        bench_adaptive(&subjects[i]);
        bench_fixed(&subjects[i]);
        bench_habits(&subjects[i]);
    }
    bench_patterns();
    static const double stays[] = {10, 20, 50, 200};
    for (size_t i = 0; i < 4; i++)
        bench_slow(stays[i]);
    return 0;
}
