/* SPDX-License-Identifier: MIT */
/*
 * calibrate.h - relates a counter's ticks to the host clock. Pure functions.
 *
 * A calibration takes clock pairs (kt_clock_pair) one after another, keeps a fixed amount of state,
 * and can be queried at any time. A clock pair is a counter reading between two host clock
 * readings, its bracket. Nothing is assumed about where in the bracket the counter was read.
 */
#ifndef KT_CLOCK_CALIBRATE_H
#define KT_CLOCK_CALIBRATE_H

#include "clock/track.h"

#include <kerntime/clock.h>
#include <stdbool.h>
#include <stdint.h>

/* Known properties of the counter. */
typedef struct kt_calibration_rule {
    double period_ns;    /* tick length reported by the driver; NaN: not reported */
    uint32_t valid_bits; /* counter width, 1..64; 0: not reported */
    double step_ticks;   /* reported clock resolution in ticks; at least 1 */
    double host_step_ns; /* resolution of the host clock; 0: to be learnt from the clock pairs */
} kt_calibration_rule;

/* Result of adding a clock pair. */
typedef enum kt_pair_outcome {
    KT_PAIR_TAKEN,
    /* the pair was discarded: the counter or the host clock did not increase, or the counter value
     * is impossible. Take another pair at once */
    KT_PAIR_AGAIN,
    KT_PAIR_RESET /* the counter was reset; this pair starts a new line */
} kt_pair_outcome;

/* A measured period, and the number of clock pairs that agree with it. */
typedef struct kt_found_period {
    double ns, uncertainty_ns; /* NaN: the period is unknown */
    uint64_t pairs;
} kt_found_period;

/* Maps counter values to host time: `ticks` is at `host_ns`, others follow from their distance. */
typedef struct kt_line {
    /* ns per tick, reported or first found; `track` has rates relative to it. NaN: unknown */
    double period_ns;
    uint64_t ticks;
    int64_t host_ns;
    kt_track track; /* offset and rate of the host clock, from host_ns on */
} kt_line;

#define KT_SEEN_DISTANCES 24

/* Clock resolution as the distances between pairs show it. */
typedef struct kt_seen_step {
    double ticks;     /* the resolution as known now, or as reported */
    uint64_t divisor; /* ticks: all distances are multiples of this */
    double found;     /* ticks: step of a counter that advances by no whole number; 0: none */
    bool searched;
    uint32_t count; /* distances between pairs, the first of them: */
    double distances[KT_SEEN_DISTANCES];
    double clash_ns; /* largest error of the ends of pairs that the track found */
} kt_seen_step;

typedef struct kt_calibration {
    kt_calibration_rule rule;
    bool has_pair;
    kt_clock_pair newest;
    kt_clock_pair base;    /* start of the search for the period */
    uint32_t suspects;     /* consecutive pairs with impossible counter values, ... */
    kt_clock_pair suspect; /* ... and the last such pair: a reset may precede it */
    kt_line line;
    uint64_t agreeing; /* clock pairs that agree with the period of `line` */
    /* trusted period before a new search; no search yet if its pairs are 0 */
    kt_found_period doubted;
    kt_line former; /* line before the last reset; the reset was between these times: */
    int64_t former_end_ns, begin_ns;
    uint64_t host_step_ns; /* host clock resolution: its readings differ by multiples of this */
    kt_seen_step seen;
    kt_clock_state state;
} kt_calibration;

void kt_calibration_init(kt_calibration *c, const kt_calibration_rule *rule);

/* Adds a clock pair. Pairs must be added in the order in which they were taken. */
kt_pair_outcome kt_calibration_add(kt_calibration *c, const kt_clock_pair *pair);

/* Host time of a timestamp, see kt_clock_to_host(). False if the period is not known yet. */
bool kt_calibration_place(const kt_calibration *c, uint64_t ticks, int64_t *host_ns,
                          double *uncertainty_ns);

/* Sets all members of kt_clock_state but `source`. */
void kt_calibration_get_state(const kt_calibration *c, kt_clock_state *out);

#endif
