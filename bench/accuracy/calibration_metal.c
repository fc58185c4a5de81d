/* SPDX-License-Identifier: MIT */
/*
 * How exactly durations are told of a clock like Metal's, of which nothing is known but calls that
 * read it and the host's at one moment: the ratio of two such calls, as programs have it, and
 * kerntime's calibration, fed as its Metal backend does (src/backends/metal/pairs.c).
 *
 * A call takes about as long as the shortest, and longer where the driver waits for the GPU first
 * (before it reads either clock) or where something interrupts it, anywhere in it. It reads the
 * host's clock and the GPU's, one up to half of that shortest time before the other.
 */
#include "bench/bench.h"
#include "bench/calibrate/noise.h"
#include "clock/calibrate.h"
#include "statistics/interval.h"

#include <math.h>
#include <stdio.h>

#define RUNS        1000
#define PAIRS       20
#define FRAME_NS    (1e9 / 60)
#define APART       0.5 /* of the shortest call: how far the two readings of one may be apart */
#define INTERRUPTED 0.02
#define LONGEST_NS  5e6 /* of an interruption, and of waiting for the GPU */
#define DURATIONS   7   /* 10 us, 100 us .. 10 s */
#define SHARE_GOOD  1e-3

typedef struct metal_clock {
    const char *name;
    double period_ns, step_ns; /* timestamps are the ticks at the last of these steps */
    double drift_ppm;          /* up to so much, to either side */
    double quick_ns;           /* that a call takes at least */
    double waits;              /* share of calls that wait for the GPU */
} metal_clock;

static const metal_clock clocks[] = {
    {"apple-1ns", 1, 125.0 / 3, 0, 5e3, 0},
    {"intel-83.333ns", 1e9 / 12e6, 1e9 / 12e6, 100, 2e4, 0.3},
    {"amd-1ns", 1, 1, 100, 2e4, 0.3},
};

/* ---- the clock and its calls ---- */

typedef struct metal_run {
    const metal_clock *of;
    uint64_t random;
    double period_ns; /* of the host's clock, in truth */
    double gpu_start_ns;
    int64_t host_start_ns;
    double shortest_ns;
} metal_run;

/* Both clocks as the call shows them, and when it began and ended. */
typedef struct metal_call {
    int64_t before_ns, cpu_ns, after_ns;
    uint64_t gpu;
} metal_call;

static metal_run begin(const metal_clock *of, uint64_t seed)
{
    metal_run run = {.of = of, .random = seed * UINT64_C(0x2545f4914f6cdd1d)};
    for (int i = 0; i < 4; i++)
        noise_share(&run.random);
    double ppm = of->drift_ppm * (2 * noise_share(&run.random) - 1);
    run.period_ns = of->period_ns * (1 + ppm * 1e-6);
    run.gpu_start_ns = 1e12 * noise_share(&run.random);
    run.host_start_ns = (int64_t)(1e15 * noise_share(&run.random));
    run.shortest_ns = INFINITY;
    return run;
}

static uint64_t gpu_at(const metal_run *run, double at_ns)
{
    double shown_ns = (run->gpu_start_ns + at_ns) * (run->of->period_ns / run->period_ns);
    double steps = floor(shown_ns / run->of->step_ns);
    double ticks = run->of->step_ns / run->of->period_ns; /* of a step */
    return (uint64_t)floor(steps * ticks + 1e-3);
}

static int64_t host_at(const metal_run *run, double at_ns)
{
    return run->host_start_ns + (int64_t)floor(at_ns);
}

static metal_call call(metal_run *run, double begin_ns)
{
    uint64_t *random = &run->random;
    double quick_ns = run->of->quick_ns * (1 + 0.2 * noise_exponential(random));
    double first_ns = quick_ns * (1 - APART) * noise_share(random);
    double second_ns = first_ns + run->of->quick_ns * APART * noise_share(random);
    bool cpu_first = noise_share(random) < 0.5;
    double cpu_ns = cpu_first ? first_ns : second_ns, gpu_ns = cpu_first ? second_ns : first_ns;
    double end_ns = quick_ns;
    if (noise_share(random) < INTERRUPTED) {
        double at_ns = quick_ns * noise_share(random), by_ns;
        by_ns = noise_log_uniform(random, 1e3, LONGEST_NS);
        cpu_ns += cpu_ns >= at_ns ? by_ns : 0;
        gpu_ns += gpu_ns >= at_ns ? by_ns : 0;
        end_ns += by_ns;
    }
    double waited_ns = 0;
    if (noise_share(random) < run->of->waits)
        waited_ns = noise_log_uniform(random, 1e4, LONGEST_NS);
    double from_ns = begin_ns + waited_ns;
    return (metal_call){host_at(run, begin_ns), host_at(run, from_ns + cpu_ns),
                        host_at(run, from_ns + end_ns), gpu_at(run, from_ns + gpu_ns)};
}

/* What becomes of a call: the host's reading, give or take what the shortest call took. */
static kt_clock_pair pair_of(metal_run *run, const metal_call *c)
{
    run->shortest_ns = fmin(run->shortest_ns, (double)(c->after_ns - c->before_ns));
    int64_t slack_ns = (int64_t)run->shortest_ns + 1;
    kt_clock_pair pair = {c->cpu_ns - slack_ns, c->gpu, c->cpu_ns + slack_ns};
    if (pair.host_before_ns < c->before_ns)
        pair.host_before_ns = c->before_ns;
    if (pair.host_after_ns > c->after_ns)
        pair.host_after_ns = c->after_ns;
    return pair;
}

/* ---- durations ---- */

enum { KERNTIME, TWO_POINT, FIRST_TO_LAST, METHODS };
static const char *const method_names[] = {"metal-kerntime", "metal-two-point",
                                           "metal-two-point-far"};

typedef struct accumulator {
    double errors[METHODS][DURATIONS][RUNS]; /* shares of the duration */
    double squares[METHODS][DURATIONS];
    double stated[DURATIONS][RUNS];
    int good[METHODS], covered[DURATIONS], exact;
} accumulator;

static double two_point(const metal_call *from, const metal_call *to)
{
    return (double)(to->cpu_ns - from->cpu_ns) / (double)(to->gpu - from->gpu);
}

/* A span of about each length begins some time after the last pair: of exactly that, some clocks
 * would show no step. */
static void measure(metal_run *run, double from_ns, const double period_ns[METHODS],
                    double doubt_ns, int number, accumulator *t)
{
    const metal_clock *of = run->of;
    double about_ns = 1e4;
    for (int d = 0; d < DURATIONS; d++, about_ns *= 10) {
        double duration_ns = about_ns * (1 + 0.3 * noise_share(&run->random));
        double start_ns = from_ns + FRAME_NS * noise_share(&run->random);
        uint64_t ticks = gpu_at(run, start_ns + duration_ns) - gpu_at(run, start_ns);
        for (int m = 0; m < METHODS; m++) {
            double error_ns = fabs((double)ticks * period_ns[m] - duration_ns);
            t->good[m] += error_ns <= fmax(SHARE_GOOD * duration_ns, of->step_ns);
            t->errors[m][d][number] = error_ns / duration_ns;
            t->squares[m][d] += error_ns / duration_ns * (error_ns / duration_ns);
        }
        double stated_ns = (double)ticks * doubt_ns + of->step_ns;
        t->stated[d][number] = stated_ns / duration_ns;
        t->covered[d] += t->errors[KERNTIME][d][number] <= t->stated[d][number];
    }
}

static void contest(const metal_clock *of, uint64_t seed, int number, accumulator *t)
{
    metal_run run = begin(of, seed);
    const kt_calibration_rule rule = {.period_ns = NAN, .valid_bits = 0, .step_ticks = 1};
    static kt_calibration c;
    metal_call first = {0}, before = {0}, last = {0};
    double at_ns = 0;
    kt_calibration_init(&c, &rule);
    for (int i = 0; i < PAIRS; i++, at_ns += FRAME_NS) {
        before = last;
        last = call(&run, at_ns);
        kt_clock_pair pair = pair_of(&run, &last);
        kt_calibration_add(&c, &pair);
        if (i == 0)
            first = last;
    }
    kt_clock_state state;
    kt_calibration_get_state(&c, &state);
    const double periods_ns[METHODS] = {state.period_ns, two_point(&before, &last),
                                        two_point(&first, &last)};
    t->exact += state.period_exact;
    measure(&run, at_ns, periods_ns, state.period_uncertainty_ns, number, t);
}

/* ---- figures ---- */

static void report(const metal_clock *of, int method, const char *what, double value,
                   const char *unit)
{
    char text[128];
    snprintf(text, sizeof text, "calibration/%s/%s/%s", method_names[method], of->name, what);
    bench_report(text, value, unit);
}

static void report_clock(const metal_clock *of, accumulator *t)
{
    double p99[METHODS], covered = 1, stated = 0;
    for (int m = 0; m < METHODS; m++) {
        double *of_seconds = t->errors[m][DURATIONS - 1];
        kt_sort(of_seconds, RUNS);
        p99[m] = kt_quantile(of_seconds, RUNS, 0.99);
        report(of, m, "good", 100.0 * t->good[m] / (RUNS * DURATIONS),
               m == KERNTIME ? "% of 10 us .. 10 s, within 0.1 % or a tick; goal 100"
                             : "% of 10 us .. 10 s, within 0.1 % or a tick");
        report(of, m, "p99", p99[m] * 1e6, "ppm of 10 s");
        if (m != KERNTIME)
            report(of, m, "factor", p99[m] / p99[KERNTIME], "times kerntime's p99");
    }
    for (int d = 0; d < DURATIONS; d++) {
        double rms = sqrt(t->squares[KERNTIME][d] / RUNS);
        kt_sort(t->stated[d], RUNS);
        covered = fmin(covered, (double)t->covered[d] / RUNS);
        stated = fmax(stated, kt_median(t->stated[d], RUNS) / rms);
    }
    report(of, KERNTIME, "covered", 100 * covered, "% of the worst length; goal >= 99");
    report(of, KERNTIME, "stated", stated,
           "median, of the true RMS, of the worst length; goal <= 5");
    report(of, KERNTIME, "exact", 100.0 * t->exact / RUNS, "% of runs");
}

int bench_calibration_metal(void)
{
    static accumulator t;
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        t = (accumulator){.exact = 0};
        for (int run = 0; run < RUNS; run++)
            contest(&clocks[i], i * RUNS + (uint64_t)run + 1, run, &t);
        report_clock(&clocks[i], &t);
    }
    return 0;
}
