/* SPDX-License-Identifier: MIT */
/*
 * What a calibration finds where nothing is reported beforehand, the period and the width of the
 * counter, and what a pair costs it.
 */
#include "bench/bench.h"
#include "bench/calibrate/clock_baselines.h"
#include "clock/calibrate.h"
#include "statistics/interval.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#define RUNS        400
#define WIDTH_RUNS  40
#define COST_PAIRS  30000
#define COST_ROUNDS 7

static void report(const char *what, const char *which, double value, const char *unit)
{
    char text[96];
    snprintf(text, sizeof text, "calibration/%s/%s", what, which);
    bench_report(text, value, unit);
}

static kt_calibration begin(double period_ns, uint32_t bits)
{
    const kt_calibration_rule rule = {.period_ns = period_ns, .valid_bits = bits, .step_ticks = 1};
    kt_calibration c;
    kt_calibration_init(&c, &rule);
    return c;
}

static kt_clock_state state_of(const kt_calibration *c)
{
    kt_clock_state state;
    kt_calibration_get_state(c, &state);
    return state;
}

/* ---- the period ---- */

typedef struct period_run {
    bool reported; /* whenever it could be, it was within 10 % */
    double after;  /* s until it was first known; NaN: never */
    double ppm;    /* off after 60 pairs */
    double stated; /* by how much it may be off, as stated then */
    bool exact;
} period_run;

/* A second of it, and 60 pairs. From two pairs on a period can be told as soon as the mean bracket
 * is below 1 % of the time between the first and the last of them. */
static period_run find_period(const clock_scenario *of, uint64_t seed)
{
    clock_run run = clock_run_begin(of, seed);
    kt_calibration c = begin(NAN, of->bits);
    period_run found = {.reported = true, .after = NAN};
    double true_ns = of->period_ns * (1 + of->drift_ppm * 1e-6), widths_ns = 0;
    clock_taken taken;
    for (int n = 1; n <= 60 && clock_run_pair(&run, &taken); n++) {
        kt_calibration_add(&c, &taken.pair);
        kt_clock_state state = state_of(&c);
        widths_ns += (double)(taken.pair.host_after_ns - taken.pair.host_before_ns);
        bool due = n >= 2 && widths_ns / n < 0.01 * taken.seconds * 1e9;
        bool right = fabs(state.period_ns / true_ns - 1) < 0.1;
        if ((due || !isnan(state.period_ns)) && !right)
            found.reported = false;
        if (isnan(found.after) && right)
            found.after = taken.seconds;
        found.ppm = fabs(state.period_ns / true_ns - 1) * 1e6;
        found.stated = state.period_uncertainty_ns / true_ns * 1e6;
        found.exact = state.period_exact;
    }
    return found;
}

static void bench_period(const char *name, double period_ns, double drift_ppm)
{
    static double after_ms[RUNS], ppm[RUNS];
    const clock_scenario of = {.period_ns = period_ns,
                               .drift_ppm = drift_ppm,
                               .width_ns = 2e3,
                               .pairs_hz = 60,
                               .bits = 64,
                               .seconds = 2};
    int reported = 0, exact = 0, covered = 0;
    size_t known = 0;
    for (uint64_t i = 0; i < RUNS; i++) {
        period_run found = find_period(&of, i);
        reported += found.reported;
        exact += found.exact;
        covered += found.ppm <= found.stated;
        ppm[i] = isnan(found.ppm) ? 1e6 : found.ppm; /* not found: all of it */
        if (!isnan(found.after))
            after_ms[known++] = found.after * 1e3;
    }
    kt_sort(ppm, RUNS);
    kt_sort(after_ms, known);
    char what[48];
    snprintf(what, sizeof what, "unknown-period/%s", name);
    report(what, "reported", 100.0 * reported / RUNS,
           "% of runs, right whenever the mean bracket is under 1 %; goal 100");
    report(what, "reported-after", known ? kt_median(after_ms, known) : NAN, "ms, median");
    report(what, "p99", kt_quantile(ppm, RUNS, 0.99), "ppm, 60 pairs in a second; goal <= 1");
    report(what, "covered", 100.0 * covered / RUNS, "% of runs; goal >= 99");
    report(what, "exact", 100.0 * exact / RUNS, "% of runs");
}

/* ---- the width ---- */

typedef struct width_run {
    bool early; /* before the first wrap a width was stated, or a bound above it */
    bool right; /* from the first wrap on */
    bool placed;
} width_run;

static width_run find_width(const clock_scenario *of, uint64_t seed)
{
    clock_run run = clock_run_begin(of, seed);
    kt_calibration c = begin(of->period_ns, 0);
    width_run found = {.right = true, .placed = true};
    clock_taken taken;
    uint64_t before = 0;
    bool wrapped = false;
    while (clock_run_pair(&run, &taken)) {
        wrapped = wrapped || taken.pair.ticks < before;
        before = taken.pair.ticks;
        kt_calibration_add(&c, &taken.pair);
        kt_clock_state state = state_of(&c);
        if (!wrapped && (state.valid_bits != 0 || state.valid_bits_min > of->bits))
            found.early = true;
        if (wrapped && state.valid_bits != of->bits)
            found.right = false;
        clock_instant instant = clock_run_ask(&run, 0, 1);
        int64_t host_ns;
        double uncertainty_ns;
        if (instant.ticks > before && /* else it wrapped first just then */
            (!kt_calibration_place(&c, instant.ticks, &host_ns, &uncertainty_ns) ||
             fabs(clock_error_ns(&instant, host_ns)) > 1e6))
            found.placed = false;
    }
    return found;
}

static void bench_width(const char *name, double period_ns, uint32_t bits)
{
    const clock_scenario of = {.period_ns = period_ns,
                               .drift_ppm = 30,
                               .width_ns = 2e3,
                               .pairs_hz = 60,
                               .bits = bits,
                               .seconds = 2.2 * ldexp(period_ns, (int)bits) * 1e-9};
    int early = 0, right = 0, placed = 0;
    for (uint64_t i = 0; i < WIDTH_RUNS; i++) {
        width_run found = find_width(&of, i);
        early += found.early;
        right += found.right;
        placed += found.placed;
    }
    char what[48];
    snprintf(what, sizeof what, "unknown-width/%s", name);
    report(what, "right", 100.0 * right / WIDTH_RUNS,
           "% of runs, from the first wrap on; goal 100");
    report(what, "too-early", 100.0 * early / WIDTH_RUNS, "% of runs; goal 0");
    report(what, "placed", 100.0 * placed / WIDTH_RUNS, "% of runs, all within 1 ms; goal 100");
}

/* ---- the cost ---- */

static clock_taken cost_pairs[COST_PAIRS];
static clock_instant cost_instants[COST_PAIRS];

static double cpu_ns(void)
{
    return (double)clock() * 1e9 / CLOCKS_PER_SEC;
}

/* CPU time for one of all pairs, and for one of all instants, each of which is placed by the last
 * pair. */
static void cost_of_ours(const clock_scenario *of, double *pair_ns, double *instant_ns)
{
    static kt_calibration c;
    c = begin(of->period_ns, of->bits);
    double began = cpu_ns();
    for (size_t i = 0; i < COST_PAIRS; i++)
        kt_calibration_add(&c, &cost_pairs[i].pair);
    double added = cpu_ns();
    double sum = 0;
    for (size_t i = 0; i < COST_PAIRS; i++) {
        int64_t host_ns = 0;
        double uncertainty_ns = 0;
        kt_calibration_place(&c, cost_instants[i].ticks, &host_ns, &uncertainty_ns);
        sum += uncertainty_ns;
    }
    volatile double kept = sum;
    (void)kept;
    *pair_ns = (added - began) / COST_PAIRS;
    *instant_ns = (cpu_ns() - added) / COST_PAIRS;
}

static double cost_of_usual(const clock_scenario *of, clock_method method)
{
    static clock_baseline b;
    clock_baseline_init(&b, method, of->period_ns);
    double began = cpu_ns();
    for (size_t i = 0; i < COST_PAIRS; i++)
        clock_baseline_add(&b, &cost_pairs[i]);
    return (cpu_ns() - began) / COST_PAIRS;
}

static void bench_cost(void)
{
    const clock_scenario *of = clock_scenario_find("wandering-83.333ns");
    clock_run run = clock_run_begin(of, 1);
    for (size_t i = 0; i < COST_PAIRS && clock_run_pair(&run, &cost_pairs[i]); i++)
        cost_instants[i] = clock_run_ask(&run, 0, 1);
    double pair_ns[COST_ROUNDS], instant_ns[COST_ROUNDS], usual_ns[COST_ROUNDS];
    for (int i = 0; i < COST_ROUNDS; i++)
        cost_of_ours(of, &pair_ns[i], &instant_ns[i]);
    report("cost", "kerntime", bench_median(pair_ns, COST_ROUNDS),
           "ns of CPU a pair; goal <= 1000");
    report("cost", "kerntime/placing", bench_median(instant_ns, COST_ROUNDS),
           "ns of CPU a timestamp");
    for (int m = 0; m < CLOCK_METHOD_COUNT; m++) {
        for (int i = 0; i < COST_ROUNDS; i++)
            usual_ns[i] = cost_of_usual(of, (clock_method)m);
        report("cost", clock_method_name((clock_method)m), bench_median(usual_ns, COST_ROUNDS),
               "ns of CPU a pair");
    }
}

int bench_calibration_unknown(void)
{
    bench_period("1ns", 1, 0);
    bench_period("1ns-30ppm", 1, 30);
    bench_period("52.083ns", 52.083, 30);
    bench_period("83.333ns", 83.333, 100);
    bench_width("32bits-1ns", 1, 32);
    bench_width("32bits-83.333ns", 83.333, 32);
    bench_width("36bits-1ns", 1, 36);
    bench_cost();
    return 0;
}
