/*
 * calibrate.h - where a counter's ticks lie on the host's clock. Pure: it is fed with pairs, one
 * after another, keeps a fixed amount of state, and can be asked at any time. Each pair says that
 * the counter showed its ticks at some moment between two moments of the host's clock; nothing is
 * assumed about where between them.
 */
#ifndef KT_CLOCK_CALIBRATE_H
#define KT_CLOCK_CALIBRATE_H

#include "clock/track.h"

#include <kerntime/clock.h>
#include <stdbool.h>
#include <stdint.h>

/* What is known beforehand. */
typedef struct kt_calibration_rule {
    double period_ns;    /* as told; NaN: to be found */
    uint32_t valid_bits; /* 1..64; 0: to be found */
    double step_ticks;   /* the counter shows no more than every so manieth tick; at least 1 */
} kt_calibration_rule;

/* What became of a pair. */
typedef enum kt_pair_outcome {
    KT_PAIR_TAKEN,
    /* it tells nothing: the two did not both increase, or the counter was not where it can have
     * been. Left out; take another one at once */
    KT_PAIR_AGAIN,
    KT_PAIR_RESET /* the counter has begun anew: this pair is the first of a new line */
} kt_pair_outcome;

/* How long a tick is, and how many pairs agree with that. */
typedef struct kt_found_period {
    double ns, uncertainty_ns; /* NaN: not known */
    uint64_t pairs;
} kt_found_period;

/* Where a counter's ticks lie: one of them on the host's clock, and all others by their distance
 * from it. */
typedef struct kt_line {
    double period_ns; /* as told, or first found; rates are relative to it. NaN: not found yet */
    uint64_t ticks;
    int64_t host_ns;
    kt_track track; /* of the host's clock, from host_ns on */
} kt_line;

typedef struct kt_calibration {
    kt_calibration_rule rule;
    bool has_pair;
    kt_clock_pair newest;
    kt_clock_pair base;    /* where the search for the period began */
    uint32_t suspects;     /* pairs in a row that were not where they can have been, ... */
    kt_clock_pair suspect; /* ... and the last one: the counter may have begun anew before it */
    kt_line line;
    uint64_t agreeing;       /* pairs that agree with the line's period */
    kt_found_period doubted; /* what was known before many agreed with nothing; of 0: nothing */
    kt_line former;          /* before the counter began anew, which was between these two: */
    int64_t former_end_ns, begin_ns;
    uint64_t host_step_ns; /* all of the host's times are multiples of it apart */
    kt_clock_state state;
} kt_calibration;

void kt_calibration_init(kt_calibration *c, const kt_calibration_rule *rule);

/* Pairs in the order in which they were taken. */
kt_pair_outcome kt_calibration_add(kt_calibration *c, const kt_clock_pair *pair);

/* Where such a stamp lies, see kt_clock_to_host(). False: the period is not known yet. */
bool kt_calibration_place(const kt_calibration *c, uint64_t ticks, int64_t *host_ns,
                          double *uncertainty_ns);

/* All of kt_clock_state but `source`. */
void kt_calibration_get_state(const kt_calibration *c, kt_clock_state *out);

#endif
