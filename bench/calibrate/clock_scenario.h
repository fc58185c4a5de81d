/* SPDX-License-Identifier: MIT */
/*
 * clock_scenario.h - a device's clock whose true course is known, and the pairs that a host takes
 * of it: what calibrations are tested on. By numbers of its own, so that a seed gives the same
 * pairs on every machine.
 *
 *     clock_run run = clock_run_begin(&scenario, seed);
 *     clock_taken taken;
 *     while (clock_run_pair(&run, &taken))
 *         for (int i = 0; i < 4; i++) {
 *             clock_instant instant = clock_run_ask(&run, i, 4);
 *             ... place instant.ticks by the pairs so far, and see clock_error_ns(&instant, placed)
 *         }
 */
#ifndef BENCH_CLOCK_SCENARIO_H
#define BENCH_CLOCK_SCENARIO_H

#include <kerntime/clock.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the scenario is an example of. */
typedef enum clock_class {
    CLOCK_STEADY,         /* the rate stays, 60 pairs a second */
    CLOCK_WANDERING,      /* it wanders slowly */
    CLOCK_RAMP,           /* it changes by 5 ppm within 30 s, now and then */
    CLOCK_SLOW_STEADY,    /* 4 pairs a second */
    CLOCK_SLOW_WANDERING, /* the same */
    CLOCK_ONE_PLACE,      /* the device is always read at the same place of the bracket */
    CLOCK_BROKEN,         /* the counter begins anew, or no pairs come for a while */
    CLOCK_STEPS,     /* the counter moves in steps of about half a bracket; nobody reports it */
    CLOCK_RESTARTED, /* only one pair has shown that the counter began anew */
    CLOCK_WANDERING_PLACE, /* CLOCK_ONE_PLACE, or nearly, and wandering */
    CLOCK_ALL_AT_ONCE,     /* drift, wander, resets, wraps and a loaded host */
    CLOCK_OUTSIDE,         /* some readings are just outside of their bracket */
    CLOCK_CLASS_COUNT
} clock_class;

typedef struct clock_scenario {
    const char *name;
    clock_class class;
    uint32_t bits;
    double period_ns; /* as told; the true one is longer by all of the following */
    double drift_ppm;
    double ramp_ppm; /* every two minutes the drift changes by so much within 30 s, there or back */
    double wander_ppm;  /* standard deviation of an Ornstein-Uhlenbeck process of 60 s */
    double width_ns;    /* R: a pair takes R (1 + 0.2 Exp(1)), and some from R to 5 ms more: ... */
    double interrupted; /* ... this share; 0: 2 % */
    double pairs_hz;
    double read_at;       /* the device is read at this share of the bracket; 0: anywhere in it */
    double read_spread;   /* standard deviation of that share */
    double outside;       /* share of readings that are before or after the bracket, ... */
    double outside_by;    /* ... by up to this share of R */
    double reset_s;       /* the counter begins anew then; 0: never */
    double reset_every_s; /* and again whenever this has passed; 0: once */
    double gap_s;         /* in the middle of the run no pair comes for so long */
    double step_ticks;    /* the counter shows multiples of it alone, as nobody reports; 0: all */
    bool once;            /* no pair is taken again */
    bool only_restarted;  /* instants are asked only after the first pair since a reset */
    double seconds;
} clock_scenario;

/* Those of the bench. */
extern const clock_scenario clock_scenarios[];
extern const size_t clock_scenario_count;

/* NULL: there is none of that name. */
const clock_scenario *clock_scenario_find(const char *name);

/* One of any kind, with the name "random", 10 to 120 s long. */
clock_scenario clock_scenario_random(uint64_t seed);

/* Between two pairs the rate changes in steps. */
#define CLOCK_PIECES 16

typedef struct clock_run {
    const clock_scenario *of;
    /* Of the pairs, of what is asked, and of pairs taken again: neither of these changes the
     * pairs. */
    uint64_t random, asked, again;
    int64_t host_start_ns;
    uint64_t ticks_start;
    double wander_ppm;
    bool started, has_paused;
    double next_reset_s; /* 0: none */
    /* From the newest pair to the next one. Times are ns since the start of the run, phases ticks
     * since the counter began: below 2^40, so that a double holds them to 0.001. */
    double begin_ns, end_ns, free_ns; /* free_ns: when the newest pair was done */
    double phase[CLOCK_PIECES + 1];   /* at the edges of equally long pieces */
    int pieces;
} clock_run;

/* A pair, and what is known of it besides. */
typedef struct clock_taken {
    kt_clock_pair pair;
    uint64_t unwrapped; /* the ticks of a counter of 64 bits */
    bool reset;         /* the counter began anew before this pair */
    double seconds;     /* since the start of the run */
} clock_taken;

/* A moment when the device wrote a timestamp: at host_ns + fraction_ns. */
typedef struct clock_instant {
    uint64_t ticks, unwrapped;
    int64_t host_ns;
    double fraction_ns; /* 0..1 */
    double seconds;     /* since the start of the run */
} clock_instant;

clock_run clock_run_begin(const clock_scenario *of, uint64_t seed);

/* False: the run is over. */
bool clock_run_pair(clock_run *run, clock_taken *taken);

/* Another pair, taken at once after the newest one, and as random. False: there is no time left for
 * it. */
bool clock_run_again(clock_run *run, kt_clock_pair *pair);

/* A random moment within part number `part` (from 0) of `parts` equally long ones between the
 * newest pair and the next one. */
clock_instant clock_run_ask(clock_run *run, int part, int parts);

/* How much later than the truth. */
double clock_error_ns(const clock_instant *instant, int64_t host_ns);

#endif
