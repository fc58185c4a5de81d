/* SPDX-License-Identifier: MIT */
/*
 * How exactly a device's timestamps are placed on the host's clock: kerntime's calibration and the
 * usual ways, on the same pairs and the same random instants, each placed by the pairs taken before
 * it. No clock takes part, so all figures but the cost are the same on every machine.
 */
#include "bench/bench.h"
#include "bench/calibrate/clock_baselines.h"
#include "clock/calibrate.h"
#include "statistics/interval.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RUNS         4     /* of each scenario, by different seeds; their instants are pooled */
#define INSTANTS_MAX 40000 /* of a run */
#define SETTLED_S    5.0   /* after the start, a reset or a gap */
#define RANDOM_RUNS  400
#define RETAKES      3

/* The usual ways, and kerntime behind them. */
enum { KERNTIME = CLOCK_METHOD_COUNT, METHODS };

static const char *method_name(int method)
{
    return method == KERNTIME ? "kerntime" : clock_method_name((clock_method)method);
}

static void report(const char *scenario, const char *method, const char *what, double value,
                   const char *unit)
{
    char text[128];
    snprintf(text, sizeof text, "calibration/%s/%s/%s", scenario, method, what);
    bench_report(text, value, unit);
}

static bool is_hard(const clock_scenario *of)
{
    return of->class >= CLOCK_STEPS;
}

/* By how much kerntime's p99 is to be less than that of the others; 0: no goal. */
static double goal(const clock_scenario *of, int method)
{
    static const struct {
        clock_class class;
        double width_ns;
        double factors[CLOCK_METHOD_COUNT];
    } goals[] = {
        {CLOCK_STEADY, 2e3, {220, 130, 13}},     {CLOCK_WANDERING, 2e3, {75, 45, 4.5}},
        {CLOCK_WANDERING, 2e4, {28, 15, 11}},    {CLOCK_RAMP, 2e3, {135, 80, 8}},
        {CLOCK_SLOW_STEADY, 2e3, {70, 45, 4.5}}, {CLOCK_SLOW_WANDERING, 2e3, {18, 11, 1.2}},
        {CLOCK_ONE_PLACE, 2e3, {18, 11, 1}},
    };
    if (is_hard(of))
        return method == CLOCK_NARROW ? 1 : 0;
    for (size_t i = 0; i < sizeof goals / sizeof goals[0]; i++)
        if (goals[i].class == of->class && goals[i].width_ns == of->width_ns)
            return goals[i].factors[method];
    return 0;
}

/* ---- what is gathered ---- */

typedef struct accumulator {
    double *errors[METHODS]; /* absolute, of all instants */
    double *stated;          /* of those once settled */
    size_t instants, settled, covered, first, first_covered;
    uint64_t resets, retaken; /* noticed, and pairs that told nothing */
    double squares[METHODS], settled_squares;
    double stated_least; /* over half the narrowest bracket */
} accumulator;

static bool tally_begin(accumulator *t)
{
    *t = (accumulator){.stated_least = INFINITY};
    t->stated = malloc(RUNS * INSTANTS_MAX * sizeof *t->stated);
    bool all = t->stated != NULL;
    for (int m = 0; m < METHODS; m++) {
        t->errors[m] = malloc(RUNS * INSTANTS_MAX * sizeof *t->errors[m]);
        all = all && t->errors[m];
    }
    return all;
}

static void tally_clear(accumulator *t)
{
    t->instants = t->settled = t->covered = t->first = t->first_covered = 0;
    t->settled_squares = 0;
    t->resets = t->retaken = 0;
    t->stated_least = INFINITY;
    for (int m = 0; m < METHODS; m++)
        t->squares[m] = 0;
}

static void tally_end(accumulator *t)
{
    free(t->stated);
    for (int m = 0; m < METHODS; m++)
        free(t->errors[m]);
}

/* What is placed nowhere is not covered, and infinitely far off. */
static void count_stated(accumulator *t, double error_ns, double uncertainty_ns,
                         double narrowest_ns, bool settled)
{
    bool covers = fabs(error_ns) <= uncertainty_ns;
    if (!settled) {
        t->first++;
        t->first_covered += covers;
        return;
    }
    t->stated[t->settled++] = uncertainty_ns;
    t->covered += covers;
    t->settled_squares += error_ns * error_ns;
    t->stated_least = fmin(t->stated_least, uncertainty_ns / (narrowest_ns / 2));
}

/* ---- one run ---- */

typedef struct contest {
    clock_baseline usual[CLOCK_METHOD_COUNT];
    kt_calibration ours;
    double narrowest_ns, unsettled_until_s;
} contest;

static void contest_begin(contest *c, const clock_scenario *of)
{
    for (int m = 0; m < CLOCK_METHOD_COUNT; m++)
        clock_baseline_init(&c->usual[m], (clock_method)m, of->period_ns);
    const kt_calibration_rule rule = {
        .period_ns = of->period_ns, .valid_bits = of->bits, .step_ticks = 1};
    kt_calibration_init(&c->ours, &rule);
    c->narrowest_ns = INFINITY;
    c->unsettled_until_s = SETTLED_S;
}

/* A pair that tells nothing is taken again at once, as kt_clock does. */
static void add_to_ours(contest *c, clock_run *run, kt_clock_pair pair)
{
    bool more = true;
    for (int i = 0; i <= RETAKES && more; i++) {
        c->narrowest_ns = fmin(c->narrowest_ns, (double)(pair.host_after_ns - pair.host_before_ns));
        more = kt_calibration_add(&c->ours, &pair) == KT_PAIR_AGAIN && clock_run_again(run, &pair);
    }
}

static void contest_add(contest *c, clock_run *run, const clock_taken *taken)
{
    for (int m = 0; m < CLOCK_METHOD_COUNT; m++)
        clock_baseline_add(&c->usual[m], taken);
    add_to_ours(c, run, taken->pair);
    bool gap = run->end_ns - run->begin_ns > 1e9;
    if (taken->reset || gap)
        c->unsettled_until_s = (gap ? run->end_ns * 1e-9 : taken->seconds) + SETTLED_S;
}

static void contest_ask(const contest *c, const clock_instant *instant, accumulator *t)
{
    for (int m = 0; m < CLOCK_METHOD_COUNT; m++) {
        int64_t host_ns = clock_baseline_place(&c->usual[m], instant->unwrapped);
        double error_ns = clock_error_ns(instant, host_ns);
        t->errors[m][t->instants] = fabs(error_ns);
        t->squares[m] += error_ns * error_ns;
    }
    int64_t host_ns;
    double error_ns = INFINITY, uncertainty_ns = 0;
    if (kt_calibration_place(&c->ours, instant->ticks, &host_ns, &uncertainty_ns))
        error_ns = clock_error_ns(instant, host_ns);
    t->errors[KERNTIME][t->instants++] = fabs(error_ns);
    t->squares[KERNTIME] += error_ns * error_ns;
    count_stated(t, error_ns, uncertainty_ns, c->narrowest_ns,
                 instant->seconds >= c->unsettled_until_s);
}

static void contest_run(const clock_scenario *of, uint64_t seed, accumulator *t)
{
    static contest c;
    clock_run run = clock_run_begin(of, seed);
    clock_taken taken;
    int parts = of->pairs_hz < 10 ? 8 : 1;
    size_t end = t->instants + INSTANTS_MAX;
    contest_begin(&c, of);
    while (clock_run_pair(&run, &taken)) {
        contest_add(&c, &run, &taken);
        if (of->only_restarted && !taken.reset)
            continue;
        for (int part = 0; part < parts && t->instants < end; part++) {
            clock_instant instant = clock_run_ask(&run, part, parts);
            contest_ask(&c, &instant, t);
        }
    }
    kt_clock_state state;
    kt_calibration_get_state(&c.ours, &state);
    t->resets += state.resets;
    t->retaken += state.retaken;
}

/* ---- figures ---- */

static double percent(size_t count, size_t of)
{
    return of ? 100.0 * (double)count / (double)of : NAN;
}

/* Whether a goal was met is for people to judge; that there is one is said beside the number. */
static void report_goal(const char *scenario, const char *method, const char *what, double value,
                        const char *unit, const char *relation, double wanted)
{
    char text[96];
    snprintf(text, sizeof text, "%s; goal %s %g", unit, relation, wanted);
    report(scenario, method, what, value, wanted > 0 ? text : unit);
}

static void report_errors(const clock_scenario *of, accumulator *t)
{
    double p99[METHODS];
    for (int m = METHODS - 1; m >= 0; m--) {
        kt_sort(t->errors[m], t->instants);
        p99[m] = kt_quantile(t->errors[m], t->instants, 0.99);
        double rms = sqrt(t->squares[m] / (double)t->instants), most = 0;
        if (m == KERNTIME && of->class == CLOCK_STEADY && of->width_ns == 2e3)
            most = fmax(0.35 * of->period_ns, 0.015 * of->width_ns);
        report_goal(of->name, method_name(m), "rms", rms, "ns", "<=", most);
        report(of->name, method_name(m), "p99", p99[m], "ns");
        report(of->name, method_name(m), "worst", t->errors[m][t->instants - 1], "ns");
        if (m != KERNTIME)
            report_goal(of->name, method_name(m), "factor", p99[m] / p99[KERNTIME],
                        "times kerntime's p99", ">=", goal(of, m));
    }
}

static void report_stated(const clock_scenario *of, accumulator *t)
{
    report_goal(of->name, "kerntime", "covered-at-first", percent(t->first_covered, t->first),
                "% of instants", ">=", is_hard(of) ? 99 : 97);
    if (t->settled > 0) {
        kt_sort(t->stated, t->settled);
        double rms = sqrt(t->settled_squares / (double)t->settled);
        report_goal(of->name, "kerntime", "covered", percent(t->covered, t->settled),
                    "% of instants", ">=", 99);
        report_goal(of->name, "kerntime", "stated", kt_median(t->stated, t->settled) / rms,
                    "median, of the true RMS", "<=", 10);
    }
    report(of->name, "kerntime", "retaken", (double)t->retaken / RUNS, "pairs a run");
    if (of->class == CLOCK_BROKEN)
        report(of->name, "kerntime", "resets", (double)t->resets / RUNS,
               of->reset_s > 0 ? "a run; there is 1" : "a run; there is none");
    if (of->class == CLOCK_ONE_PLACE)
        report_goal(of->name, "kerntime", "stated-least", t->stated_least,
                    "of half the narrowest pair", ">=", 1);
}

/* Short runs of any kind: how many of them cover what they say. */
static void bench_random(accumulator *t)
{
    size_t covering = 0, covering_first = 0;
    uint64_t resets = 0;
    for (uint64_t i = 0; i < RANDOM_RUNS; i++) {
        clock_scenario of = clock_scenario_random(i);
        tally_clear(t);
        contest_run(&of, i, t);
        resets += t->resets;
        covering += percent(t->covered, t->settled) >= 99;
        covering_first += percent(t->first_covered, t->first) >= 97;
    }
    report_goal("random", "kerntime", "covered", percent(covering, RANDOM_RUNS),
                "% of runs, 99 % of instants", ">=", 99.75);
    report_goal("random", "kerntime", "covered-at-first", percent(covering_first, RANDOM_RUNS),
                "% of runs, 97 % of instants", ">=", 99.75);
    report("random", "kerntime", "resets", (double)resets, "in all runs; there is none");
}

int bench_calibration(void)
{
    static accumulator t;
    bool begun = tally_begin(&t);
    if (!begun)
        fprintf(stderr, "kerntime-bench: no memory for the errors of calibrations\n");
    for (size_t i = 0; begun && i < clock_scenario_count; i++) {
        const clock_scenario *of = &clock_scenarios[i];
        tally_clear(&t);
        for (uint64_t run = 0; run < RUNS; run++)
            contest_run(of, i * RUNS + run, &t);
        report_errors(of, &t);
        report_stated(of, &t);
    }
    if (begun)
        bench_random(&t);
    tally_end(&t);
    return begun ? bench_calibration_host() || bench_calibration_metal() ||
                       bench_calibration_unknown()
                 : 1;
}
