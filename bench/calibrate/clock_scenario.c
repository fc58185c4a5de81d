/* SPDX-License-Identifier: MIT */
#include "bench/calibrate/clock_scenario.h"

#include "bench/calibrate/noise.h"

#include <math.h>
#include <string.h>

#define RAMP_EVERY_S  120.0
#define RAMP_FIRST_S  60.0
#define RAMP_TAKES_S  30.0
#define WANDER_S      60.0
#define OUTLIERS      0.02
#define OUTLIER_NS    5e6
#define FRAME_JITTER  0.1 /* an interval between pairs is longer or shorter by up to this share */
#define STEADY_NS     2e7 /* so long, or shorter, the rate does not change */
#define HOST_START_NS 1e18

/* drift_ppm as it is at a moment, without what wanders. */
static double planned_ppm(const clock_scenario *of, double seconds)
{
    double ppm = of->drift_ppm, since = seconds - RAMP_FIRST_S;
    if (!(of->ramp_ppm > 0) || since < 0)
        return ppm;
    double before = floor(since / RAMP_EVERY_S);
    double share = fmin((since - before * RAMP_EVERY_S) / RAMP_TAKES_S, 1);
    bool back = fmod(before, 2) != 0;
    return ppm + of->ramp_ppm * (back ? 1 - share : share);
}

/* The rate wanders on by so many seconds. */
static void wander(clock_run *run, double seconds)
{
    double stay = 1 - seconds / WANDER_S;
    run->wander_ppm = stay * run->wander_ppm +
                      run->of->wander_ppm * sqrt(1 - stay * stay) * noise_normal(&run->random);
}

/* Where the counter stands at the edges of the pieces from begin_ns to end_ns. */
static void go_on(clock_run *run)
{
    const clock_scenario *of = run->of;
    double length_ns = run->end_ns - run->begin_ns;
    run->pieces = length_ns > STEADY_NS ? CLOCK_PIECES : 1;
    double piece_ns = length_ns / run->pieces;
    for (int i = 0; i < run->pieces; i++) {
        double middle_s = (run->begin_ns + (i + 0.5) * piece_ns) * 1e-9;
        if (of->wander_ppm > 0)
            wander(run, piece_ns * 1e-9);
        double ppm = planned_ppm(of, middle_s) + run->wander_ppm;
        run->phase[i + 1] = run->phase[i] + piece_ns / (of->period_ns * (1 + ppm * 1e-6));
    }
}

/* The newest step of the counter. Doubles hold the ticks where a step is no whole number. */
static uint64_t to_step(double step_ticks, uint64_t ticks)
{
    if (!(step_ticks > 0))
        return ticks;
    uint64_t whole = (uint64_t)step_ticks;
    if ((double)whole == step_ticks)
        return ticks - ticks % whole;
    return (uint64_t)(floor((double)ticks / step_ticks) * step_ticks);
}

/* The ticks of a counter of 64 bits. */
static uint64_t count_at(const clock_run *run, double at_ns)
{
    double piece_ns = (run->end_ns - run->begin_ns) / run->pieces;
    double at = (at_ns - run->begin_ns) / piece_ns;
    int i = (int)fmin(fmax(floor(at), 0), run->pieces - 1); /* outside of them, the rate stays */
    double phase = run->phase[i] + (at - i) * (run->phase[i + 1] - run->phase[i]);
    return to_step(run->of->step_ticks, run->ticks_start + (uint64_t)(int64_t)floor(phase));
}

static uint64_t shown(const clock_run *run, uint64_t unwrapped)
{
    return run->of->bits >= 64 ? unwrapped : unwrapped & ((UINT64_C(1) << run->of->bits) - 1);
}

/* Anywhere within its range, but one of many bits does not turn over during the run. */
static void start_counter(clock_run *run)
{
    uint32_t bits = run->of->bits < 62 ? run->of->bits : 62;
    run->ticks_start = (uint64_t)(noise_share(&run->random) * ldexp(1, (int)bits));
    run->phase[0] = noise_share(&run->random);
}

clock_run clock_run_begin(const clock_scenario *of, uint64_t seed)
{
    clock_run run = {.of = of, .random = seed * UINT64_C(0x2545f4914f6cdd1d)};
    run.next_reset_s = of->reset_s;
    run.asked = ~run.random;
    run.again = run.random ^ UINT64_C(0x5555555555555555);
    for (int i = 0; i < 4; i++)
        noise_share(&run.random);
    run.host_start_ns = (int64_t)(noise_share(&run.random) * HOST_START_NS);
    run.wander_ppm = of->wander_ppm * noise_normal(&run.random);
    start_counter(&run);
    return run;
}

/* The newest interval is over; the counter goes on into the next one, or begins anew. */
static bool begin_interval(clock_run *run)
{
    const clock_scenario *of = run->of;
    run->begin_ns = run->end_ns;
    double begin_s = run->begin_ns * 1e-9;
    if (begin_s >= of->seconds)
        return false;
    double jitter = FRAME_JITTER * (2 * noise_share(&run->random) - 1);
    double interval_s = (1 + jitter) / of->pairs_hz;
    if (of->gap_s > 0 && !run->has_paused && begin_s >= of->seconds / 2) {
        run->has_paused = true;
        interval_s += of->gap_s;
    }
    run->end_ns = run->begin_ns + interval_s * 1e9;
    if (run->started)
        run->phase[0] = run->phase[run->pieces];
    run->started = true;
    return true;
}

static bool reset_now(clock_run *run)
{
    const clock_scenario *of = run->of;
    if (!(run->next_reset_s > 0) || run->begin_ns * 1e-9 < run->next_reset_s)
        return false;
    run->next_reset_s = of->reset_every_s > 0 ? run->next_reset_s + of->reset_every_s : 0;
    run->ticks_start = 0;
    run->phase[0] = 1e6 * noise_share(&run->random);
    return true;
}

/* The host's clock counts whole ns. */
static int64_t host_at(const clock_run *run, double at_ns)
{
    return run->host_start_ns + (int64_t)floor(at_ns);
}

/* As a share of the bracket. */
static double place_in_bracket(const clock_scenario *of, uint64_t *random)
{
    double anywhere = noise_share(random);
    if (!(of->read_at > 0))
        return anywhere;
    if (!(of->read_spread > 0))
        return of->read_at;
    return fmin(1, fmax(0, of->read_at + of->read_spread * noise_normal(random)));
}

/* A pair that begins at a moment. */
static kt_clock_pair read_both(clock_run *run, double begin_ns, uint64_t *random,
                               uint64_t *unwrapped)
{
    const clock_scenario *of = run->of;
    double width_ns = of->width_ns * (1 + 0.2 * noise_exponential(random));
    if (noise_share(random) < (of->interrupted > 0 ? of->interrupted : OUTLIERS))
        width_ns += noise_log_uniform(random, of->width_ns, OUTLIER_NS);
    double read_ns = width_ns * place_in_bracket(of, random);
    if (of->outside > 0 && noise_share(random) < of->outside) {
        double by_ns = of->outside_by * of->width_ns * noise_share(random);
        read_ns = noise_share(random) < 0.5 ? -by_ns : width_ns + by_ns;
    }
    run->free_ns = begin_ns + width_ns;
    *unwrapped = count_at(run, begin_ns + read_ns);
    return (kt_clock_pair){.host_before_ns = host_at(run, begin_ns),
                           .ticks = shown(run, *unwrapped),
                           .host_after_ns = host_at(run, run->free_ns)};
}

bool clock_run_pair(clock_run *run, clock_taken *taken)
{
    if (!begin_interval(run))
        return false;
    taken->reset = reset_now(run);
    go_on(run);
    taken->seconds = run->begin_ns * 1e-9;
    taken->pair = read_both(run, run->begin_ns, &run->random, &taken->unwrapped);
    return true;
}

bool clock_run_again(clock_run *run, kt_clock_pair *pair)
{
    /* The widest one would end before the next interval begins. */
    if (run->of->once || run->end_ns - run->free_ns < OUTLIER_NS + 20 * run->of->width_ns)
        return false;
    uint64_t unwrapped;
    *pair = read_both(run, run->free_ns, &run->again, &unwrapped);
    return true;
}

clock_instant clock_run_ask(clock_run *run, int part, int parts)
{
    double share = (part + noise_share(&run->asked)) / parts;
    double at_ns = run->free_ns + share * (run->end_ns - run->free_ns);
    clock_instant instant = {.unwrapped = count_at(run, at_ns),
                             .host_ns = host_at(run, at_ns),
                             .fraction_ns = at_ns - floor(at_ns),
                             .seconds = at_ns * 1e-9};
    instant.ticks = shown(run, instant.unwrapped);
    return instant;
}

double clock_error_ns(const clock_instant *instant, int64_t host_ns)
{
    return (double)(host_ns - instant->host_ns) - instant->fraction_ns;
}

/* ---- those of the bench ---- */

#define USUAL     .pairs_hz = 60, .seconds = 600
#define SLOW      .pairs_hz = 4, .seconds = 600
#define RAMP      .class = CLOCK_RAMP, .ramp_ppm = 5
#define WANDERING .class = CLOCK_WANDERING, .wander_ppm = 1
#define STEPS     .class = CLOCK_STEPS, .width_ns = 2e3
#define RESTARTED                                                                                  \
    .class = CLOCK_RESTARTED, .width_ns = 2e3, .reset_s = 10, .reset_every_s = 2.03, .once = true, \
    .only_restarted = true
#define WANDERING_PLACE .class = CLOCK_WANDERING_PLACE, .read_at = 0.15
#define ALL                                                                          \
    .class = CLOCK_ALL_AT_ONCE, .wander_ppm = 1, .reset_s = 41, .reset_every_s = 67, \
    .interrupted = 0.25
#define ALL_OFTEN                                                                      \
    .class = CLOCK_ALL_AT_ONCE, .wander_ppm = 1, .reset_s = 10, .reset_every_s = 1.13, \
    .interrupted = 0.25
#define ALL_LOADED                                                                   \
    .class = CLOCK_ALL_AT_ONCE, .wander_ppm = 1, .reset_s = 41, .reset_every_s = 67, \
    .interrupted = 0.7
#define OUTSIDE .class = CLOCK_OUTSIDE, .outside = 0.075, .outside_by = 0.1

const clock_scenario clock_scenarios[] = {
    {"steady-1ns", .period_ns = 1, .drift_ppm = 30, .width_ns = 2e3, .bits = 64, USUAL},
    {"steady-41.667ns", .period_ns = 41.667, .drift_ppm = 0, .width_ns = 2e3, .bits = 36, USUAL},
    {"steady-52.083ns", .period_ns = 52.083, .drift_ppm = 100, .width_ns = 2e3, .bits = 64, USUAL},
    {"steady-83.333ns", .period_ns = 83.333, .drift_ppm = 30, .width_ns = 2e3, .bits = 32, USUAL},
    {"steady-1ns-32bits", .period_ns = 1, .drift_ppm = 100, .width_ns = 2e3, .bits = 32, USUAL},
    {"steady-1ns-of-200ns", .period_ns = 1, .drift_ppm = 100, .width_ns = 200, .bits = 36, USUAL},
    {"steady-52.083ns-of-200ns", .period_ns = 52.083, .drift_ppm = 30, .width_ns = 200, .bits = 32,
     USUAL},
    {"steady-1ns-of-20us", .period_ns = 1, .drift_ppm = 0, .width_ns = 2e4, .bits = 64, USUAL},
    {"steady-41.667ns-of-20us", .period_ns = 41.667, .drift_ppm = 30, .width_ns = 2e4, .bits = 64,
     USUAL},
    {"wandering-1ns", WANDERING, .period_ns = 1, .drift_ppm = 0, .width_ns = 2e3, .bits = 32,
     USUAL},
    {"wandering-41.667ns", WANDERING, .period_ns = 41.667, .drift_ppm = 100, .width_ns = 2e3,
     .bits = 64, USUAL},
    {"wandering-83.333ns", WANDERING, .period_ns = 83.333, .drift_ppm = 30, .width_ns = 2e3,
     .bits = 36, USUAL},
    {"wandering-1ns-of-200ns", WANDERING, .period_ns = 1, .drift_ppm = 30, .width_ns = 200,
     .bits = 64, USUAL},
    {"wandering-1ns-of-20us", WANDERING, .period_ns = 1, .drift_ppm = 100, .width_ns = 2e4,
     .bits = 36, USUAL},
    {"wandering-52.083ns-of-20us", WANDERING, .period_ns = 52.083, .drift_ppm = 0, .width_ns = 2e4,
     .bits = 32, USUAL},
    {"ramp-1ns", RAMP, .period_ns = 1, .drift_ppm = 100, .width_ns = 2e3, .bits = 36, USUAL},
    {"ramp-52.083ns", RAMP, .period_ns = 52.083, .drift_ppm = 30, .width_ns = 2e3, .bits = 64,
     USUAL},
    {"ramp-83.333ns", RAMP, .period_ns = 83.333, .drift_ppm = 0, .width_ns = 2e3, .bits = 32,
     USUAL},
    {"ramp-1ns-of-200ns", RAMP, .period_ns = 1, .drift_ppm = 0, .width_ns = 200, .bits = 64, USUAL},
    {"ramp-41.667ns-of-20us", RAMP, .period_ns = 41.667, .drift_ppm = 30, .width_ns = 2e4,
     .bits = 36, USUAL},
    {"slow-steady-1ns", .class = CLOCK_SLOW_STEADY, .period_ns = 1, .drift_ppm = 30,
     .width_ns = 2e3, .bits = 36, SLOW},
    {"slow-steady-83.333ns", .class = CLOCK_SLOW_STEADY, .period_ns = 83.333, .drift_ppm = 100,
     .width_ns = 2e3, .bits = 64, SLOW},
    {"slow-wandering-1ns", .class = CLOCK_SLOW_WANDERING, .period_ns = 1, .drift_ppm = 100,
     .wander_ppm = 1, .width_ns = 2e3, .bits = 64, SLOW},
    {"slow-wandering-52.083ns", .class = CLOCK_SLOW_WANDERING, .period_ns = 52.083, .drift_ppm = 0,
     .wander_ppm = 1, .width_ns = 2e3, .bits = 32, SLOW},
    {"at-15%-1ns", .class = CLOCK_ONE_PLACE, .period_ns = 1, .drift_ppm = 30, .width_ns = 2e3,
     .read_at = 0.15, .bits = 64, USUAL},
    {"at-85%-41.667ns", .class = CLOCK_ONE_PLACE, .period_ns = 41.667, .drift_ppm = 100,
     .width_ns = 2e3, .read_at = 0.85, .bits = 36, USUAL},
    {"at-15%-1ns-of-200ns", .class = CLOCK_ONE_PLACE, .period_ns = 1, .drift_ppm = 0,
     .width_ns = 200, .read_at = 0.15, .bits = 32, USUAL},
    {"at-85%-52.083ns-of-20us", .class = CLOCK_ONE_PLACE, .period_ns = 52.083, .drift_ppm = 0,
     .width_ns = 2e4, .read_at = 0.85, .bits = 32, USUAL},
    {"reset-1ns", .class = CLOCK_BROKEN, .period_ns = 1, .drift_ppm = 30, .width_ns = 2e3,
     .bits = 64, .reset_s = 300, USUAL},
    {"reset-52.083ns-32bits", .class = CLOCK_BROKEN, .period_ns = 52.083, .drift_ppm = 100,
     .width_ns = 2e3, .bits = 32, .reset_s = 300, USUAL},
    {"reset-wandering-1ns-36bits", .class = CLOCK_BROKEN, .period_ns = 1, .drift_ppm = 0,
     .wander_ppm = 1, .width_ns = 2e4, .bits = 36, .reset_s = 300, USUAL},
    {"gap-1ns", .class = CLOCK_BROKEN, .period_ns = 1, .drift_ppm = 100, .width_ns = 2e3,
     .bits = 36, .gap_s = 10, USUAL},
    {"gap-wandering-83.333ns", .class = CLOCK_BROKEN, .period_ns = 83.333, .drift_ppm = 30,
     .wander_ppm = 1, .width_ns = 2e3, .bits = 36, .gap_s = 10, USUAL},
    {"steps-1024ns", STEPS, .period_ns = 1, .step_ticks = 1024, .drift_ppm = 30, .bits = 64, USUAL},
    {"steps-1000ns-32bits", STEPS, .period_ns = 1, .step_ticks = 1000, .drift_ppm = 100, .bits = 32,
     USUAL},
    {"steps-1024ns-wandering", STEPS, .period_ns = 1, .step_ticks = 1024, .drift_ppm = 0,
     .wander_ppm = 1, .bits = 36, USUAL},
    {"steps-12x83.333ns", STEPS, .period_ns = 83.333, .step_ticks = 12, .drift_ppm = 30, .bits = 36,
     USUAL},
    {"slow-steps-1024ns", STEPS, .period_ns = 1, .step_ticks = 1024, .drift_ppm = 30, .bits = 64,
     SLOW},
    {"steps-2048ns", STEPS, .period_ns = 1, .step_ticks = 2048, .drift_ppm = 30, .bits = 64, USUAL},
    {"steps-1024.5ns", STEPS, .period_ns = 1, .step_ticks = 1024.5, .drift_ppm = 30, .bits = 36,
     USUAL},
    {"restarted-1ns", RESTARTED, .period_ns = 1, .drift_ppm = 30, .bits = 64, USUAL},
    {"restarted-52.083ns-32bits", RESTARTED, .period_ns = 52.083, .drift_ppm = 100, .bits = 32,
     USUAL},
    {"restarted-1ns-32bits", RESTARTED, .period_ns = 1, .drift_ppm = 0, .wander_ppm = 1, .bits = 32,
     USUAL},
    {"wandering-at-15%-1ns", WANDERING_PLACE, .period_ns = 1, .drift_ppm = 30, .wander_ppm = 1,
     .width_ns = 2e3, .bits = 64, USUAL},
    {"wandering-at-15%-41.667ns", WANDERING_PLACE, .read_spread = 0.02, .period_ns = 41.667,
     .drift_ppm = 0, .wander_ppm = 1, .width_ns = 2e3, .bits = 36, USUAL},
    {"wandering-at-15%-1ns-of-20us", WANDERING_PLACE, .read_spread = 0.05, .period_ns = 1,
     .drift_ppm = 100, .wander_ppm = 3, .width_ns = 2e4, .bits = 32, USUAL},
    {"wandering-at-15%-1ns-of-200ns", WANDERING_PLACE, .period_ns = 1, .drift_ppm = 0,
     .wander_ppm = 0.3, .width_ns = 200, .bits = 36, USUAL},
    {"slow-wandering-at-15%-1ns", WANDERING_PLACE, .period_ns = 1, .drift_ppm = 30,
     .wander_ppm = 0.3, .width_ns = 2e3, .bits = 64, SLOW},
    {"all-1ns-32bits", ALL, .period_ns = 1, .drift_ppm = 100, .width_ns = 2e3, .bits = 32, USUAL},
    {"all-1ns-32bits-once", ALL, .once = true, .period_ns = 1, .drift_ppm = 100, .width_ns = 2e3,
     .bits = 32, USUAL},
    {"all-52.083ns-32bits-once", ALL, .once = true, .period_ns = 52.083, .drift_ppm = 30,
     .width_ns = 2e3, .bits = 32, USUAL},
    {"all-often-1ns-32bits", ALL_OFTEN, .period_ns = 1, .drift_ppm = 100, .width_ns = 2e3,
     .bits = 32, USUAL},
    {"all-often-1ns-32bits-once", ALL_OFTEN, .once = true, .period_ns = 1, .drift_ppm = 30,
     .width_ns = 2e3, .bits = 32, USUAL},
    {"all-at-15%-1ns-32bits", ALL, .read_at = 0.15, .period_ns = 1, .drift_ppm = 100,
     .width_ns = 2e3, .bits = 32, USUAL},
    {"all-loaded-1ns-32bits", ALL_LOADED, .period_ns = 1, .drift_ppm = 100, .width_ns = 2e3,
     .bits = 32, USUAL},
    {"all-1ns-32bits-of-20us", ALL, .period_ns = 1, .drift_ppm = 30, .width_ns = 2e4, .bits = 32,
     USUAL},
    {"outside-1ns", OUTSIDE, .period_ns = 1, .drift_ppm = 30, .width_ns = 2e3, .bits = 64, USUAL},
    {"outside-52.083ns", OUTSIDE, .period_ns = 52.083, .drift_ppm = 100, .width_ns = 2e3,
     .bits = 36, USUAL},
    {"outside-wandering-1ns", OUTSIDE, .period_ns = 1, .drift_ppm = 0, .wander_ppm = 1,
     .width_ns = 2e3, .bits = 32, USUAL},
    {"outside-1ns-of-20us", OUTSIDE, .period_ns = 1, .drift_ppm = 30, .width_ns = 2e4, .bits = 64,
     USUAL},
};
const size_t clock_scenario_count = sizeof clock_scenarios / sizeof clock_scenarios[0];

const clock_scenario *clock_scenario_find(const char *name)
{
    for (size_t i = 0; i < clock_scenario_count; i++)
        if (strcmp(clock_scenarios[i].name, name) == 0)
            return &clock_scenarios[i];
    return NULL;
}

/* One of `count` values. */
static double any(uint64_t *random, const double *values, int count)
{
    return values[(int)(noise_share(random) * count)];
}

clock_scenario clock_scenario_random(uint64_t seed)
{
    static const double periods[] = {1, 41.667, 52.083, 83.333}, bits[] = {32, 36, 64};
    static const double ramps[] = {0, 0, 5}, wanders[] = {0, 0.1, 1, 3}, hz[] = {60, 60, 4};
    uint64_t random = ~(seed * UINT64_C(0x2545f4914f6cdd1d));
    /* One after another: the order within an initialiser is the compiler's. */
    clock_scenario of = {.name = "random"};
    of.period_ns = any(&random, periods, 4);
    of.drift_ppm = 200 * noise_share(&random) - 100;
    of.ramp_ppm = any(&random, ramps, 3);
    of.wander_ppm = any(&random, wanders, 4);
    of.width_ns = noise_log_uniform(&random, 100, 4e4);
    of.pairs_hz = any(&random, hz, 3);
    of.bits = (uint32_t)any(&random, bits, 3);
    of.seconds = noise_log_uniform(&random, 10, 120);
    return of;
}
