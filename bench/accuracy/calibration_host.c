/* SPDX-License-Identifier: MIT */
/*
 * How exactly the host's counter is placed on the system's clock, and how exactly durations are
 * told of it, by what the library does with it (src/clock/host_counter.c): on counters whose true
 * course is known. No clock takes part, so the figures are the same on every machine.
 *
 * A pair is the narrowest of eight tries, each 30 ns and more wide; 2 % of them are interrupted. A
 * program collects at random times, every 0.1 s in the mean. Before each collection it asks for an
 * instant and for a duration that ends then.
 *
 * A suspend or a move to another machine happens half-way. Whoever asks after that and before the
 * next collection cannot know yet; these instants are not counted. Then the counter is to be given
 * up, and without such an event never.
 */
#include "bench/bench.h"
#include "bench/calibrate/noise.h"
#include "clock/host_counter.h"
#include "statistics/interval.h"

#include <math.h>
#include <stdio.h>

#define RUNS        200
#define SECONDS     60.0
#define ASKED_MAX   700 /* more than collections in a run */
#define COLLECT_S   0.1
#define SETTLED_S   1.0 /* after the start */
#define WANDER_S    60.0
#define P99_GOAL_NS 100.0

typedef struct host_scenario {
    const char *name;
    double period_ns;  /* in the mean */
    double wander_ppm; /* standard deviation of the rate, an Ornstein-Uhlenbeck process of 60 s */
    int64_t step_ns;   /* resolution of the system's clock */
    double step_ticks; /* steps of the counter */
    double jump_ns;    /* half-way */
    double slower_ppm; /* from then on */
    double goal_ns;    /* p99 of instants; 0: none */
} host_scenario;

static const host_scenario scenarios[] = {
    {"steady", 1 / 2.3, 0, 1, 1, 0, 0, P99_GOAL_NS},
    {"wandering", 1 / 2.3, 0.1, 1, 1, 0, 0, P99_GOAL_NS},
    {"steps-of-the-clock", 1 / 2.3, 0, 279, 1, 0, 0, P99_GOAL_NS},
    {"steps-of-the-counter", 1 / 3.0, 0, 1, 78, 0, 0, P99_GOAL_NS},
    {"arm64-24MHz", 1e3 / 24, 0.05, 1, 1, 0, 0, P99_GOAL_NS},
    {"suspended-reset", 1 / 2.3, 0, 1, 1, -1e15, 0, 0},
    {"suspended-counting", 1 / 2.3, 0, 1, 1, 2.5e12, 0, 0},
    {"migrated-jump", 1 / 2.3, 0, 1, 1, -3e7, 0, 0},
    {"migrated-rate", 1 / 2.3, 0, 1, 1, 0, 80, 0},
    {"migrated-other-cpu", 1 / 2.3, 0, 1, 1, 4e9, -9e4, 0},
};

/* ---- the counter ---- */

typedef struct host_run {
    const host_scenario *of;
    uint64_t random;
    double at_ns;  /* true time since the start */
    double ticks;  /* of the counter, then, without its steps */
    double rate;   /* relative error */
    double mean;   /* relative error in the mean of the run */
    bool happened; /* what happens half-way */
    int64_t host_start_ns;
} host_run;

static void move_on(host_run *run, double ns)
{
    const host_scenario *of = run->of;
    if (!run->happened && run->at_ns + ns >= SECONDS / 2 * 1e9) {
        run->happened = true;
        run->ticks = fmax(0, run->ticks + of->jump_ns / of->period_ns);
        run->mean -= of->slower_ppm * 1e-6;
    }
    double decay = exp(-ns * 1e-9 / WANDER_S);
    if (of->wander_ppm > 0 && ns > 1e5)
        run->rate = run->rate * decay +
                    of->wander_ppm * 1e-6 * sqrt(1 - decay * decay) * noise_normal(&run->random);
    run->at_ns += ns;
    run->ticks += ns / of->period_ns * (1 + run->mean + run->rate);
}

static int64_t host_now(const host_run *run)
{
    int64_t ns = run->host_start_ns + (int64_t)floor(run->at_ns);
    return ns / run->of->step_ns * run->of->step_ns;
}

static uint64_t counter_now(const host_run *run)
{
    return (uint64_t)(floor(run->ticks / run->of->step_ticks) * run->of->step_ticks);
}

static bool read_pair(void *user, kt_clock_pair *out)
{
    host_run *run = user;
    bool found = false;
    for (int i = 0; i < 8; i++) {
        kt_clock_pair pair = {.host_before_ns = host_now(run)};
        double width_ns = 30 * (1 + 0.3 * noise_exponential(&run->random));
        double first_ns = width_ns * noise_share(&run->random);
        if (noise_share(&run->random) < 0.02)
            first_ns += noise_log_uniform(&run->random, 1e3, 5e6);
        move_on(run, first_ns);
        pair.ticks = counter_now(run);
        move_on(run, width_ns * noise_share(&run->random));
        pair.host_after_ns = host_now(run);
        int64_t is_ns = pair.host_after_ns - pair.host_before_ns;
        if (found && is_ns >= out->host_after_ns - out->host_before_ns)
            continue;
        *out = pair;
        found = true;
    }
    return true;
}

/* ---- a run ---- */

typedef struct host_tally {
    double errors[RUNS * ASKED_MAX], stated[RUNS * ASKED_MAX];
    size_t asked, covered, durations, durations_covered, early_covered;
    int lost, lost_early;
    double found_s; /* sum, until the counter was given up */
} host_tally;

/* A reading of the past, and the true time of it. */
typedef struct host_mark {
    double at_ns;
    uint64_t ticks;
} host_mark;

static void ask_instant(const kt_host_counter *counter, const host_run *run, host_tally *t)
{
    int64_t host_ns = 0;
    double uncertainty_ns = 0, error_ns = INFINITY;
    if (kt_host_counter_place(counter, counter_now(run), &host_ns, &uncertainty_ns))
        error_ns = (double)(host_ns - run->host_start_ns) - run->at_ns;
    t->errors[t->asked] = fabs(error_ns);
    t->stated[t->asked++] = uncertainty_ns;
    t->covered += fabs(error_ns) <= uncertainty_ns;
}

static bool is_covered(const kt_host_counter *counter, host_mark begin, host_mark end)
{
    double ticks = (double)(end.ticks - begin.ticks);
    double error_ns = ticks * counter->period_ns - (end.at_ns - begin.at_ns);
    double stated_ns = ticks * counter->period_uncertainty_ns + kt_host_counter_step_ns(counter);
    return fabs(error_ns) <= stated_ns;
}

static void run_once(const host_scenario *of, uint64_t seed, host_tally *t)
{
    static kt_host_counter counter;
    host_run run = {.of = of, .random = seed * UINT64_C(0x2545f4914f6cdd1d) + 11};
    for (int i = 0; i < 4; i++)
        noise_share(&run.random);
    run.ticks = 1e15 * noise_share(&run.random);
    run.host_start_ns = (int64_t)(1e15 * noise_share(&run.random));
    run.mean = 50e-6 * (2 * noise_share(&run.random) - 1);
    bool breaks = of->jump_ns != 0 || of->slower_ppm != 0;
    host_mark first = {0}, settled = {0};
    if (!kt_host_counter_begin(&counter, read_pair, &run)) {
        t->lost_early++;
        return;
    }
    for (int asked = 0; run.at_ns < SECONDS * 1e9 && !counter.lost && asked < ASKED_MAX; asked++) {
        double wait_ns = COLLECT_S * 1e9 * noise_exponential(&run.random) + 1e3;
        double share = noise_share(&run.random);
        move_on(&run, wait_ns * share);
        host_mark since = {run.at_ns, counter_now(&run)};
        move_on(&run, wait_ns * (1 - share));
        host_mark now = {run.at_ns, counter_now(&run)};
        if (first.at_ns == 0)
            first = since;
        if (run.at_ns > SETTLED_S * 1e9 && settled.at_ns == 0)
            settled = now;
        if (run.at_ns > SETTLED_S * 1e9 && !(breaks && run.happened)) {
            ask_instant(&counter, &run, t);
            t->durations++;
            t->durations_covered += is_covered(&counter, since, now);
            t->early_covered += is_covered(&counter, first, settled);
        }
        if (host_now(&run) >= counter.next_ns)
            kt_host_counter_follow(&counter);
    }
    if (!counter.lost)
        return;
    if (!breaks || !run.happened)
        t->lost_early++;
    else
        t->lost++;
    t->found_s += run.at_ns * 1e-9 - SECONDS / 2;
}

/* ---- figures ---- */

static void report(const host_scenario *of, const char *what, double value, const char *unit)
{
    char text[128];
    snprintf(text, sizeof text, "calibration/host/%s/%s", of->name, what);
    bench_report(text, value, unit);
}

static void report_scenario(const host_scenario *of, host_tally *t)
{
    bool breaks = of->jump_ns != 0 || of->slower_ppm != 0;
    kt_sort(t->errors, t->asked);
    kt_sort(t->stated, t->asked);
    report(of, "p99", kt_quantile(t->errors, t->asked, 0.99),
           of->goal_ns > 0 ? "ns; goal <= 100" : "ns");
    report(of, "stated", kt_median(t->stated, t->asked), "ns, median");
    report(of, "covered", 100.0 * (double)t->covered / (double)t->asked,
           "% of instants; goal >= 99");
    report(of, "covered-durations", 100.0 * (double)t->durations_covered / (double)t->durations,
           "% of durations; goal >= 99");
    report(of, "covered-first-second", 100.0 * (double)t->early_covered / (double)t->durations,
           "% of looks; goal >= 99");
    report(of, "given-up-wrongly", 100.0 * t->lost_early / RUNS, "% of runs; goal 0");
    if (!breaks)
        return;
    report(of, "given-up", 100.0 * t->lost / RUNS, "% of runs; goal 100");
    report(of, "given-up-after", t->lost ? t->found_s / t->lost : NAN, "s, mean");
}

int bench_calibration_host(void)
{
    static host_tally t;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        t = (host_tally){.asked = 0};
        for (int run = 0; run < RUNS; run++)
            run_once(&scenarios[i], i * RUNS + (uint64_t)run + 1, &t);
        report_scenario(&scenarios[i], &t);
    }
    return 0;
}
