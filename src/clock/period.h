/*
 * period.h - how long a tick is at least and at most, by pairs alone: whatever a device or a driver
 * did while one was taken, both of its readings are within it.
 *
 * A period that is reported in whole ns is rounded, and counts as unknown: it is found, more
 * exactly than one of which nothing is reported.
 */
#ifndef KT_CLOCK_PERIOD_H
#define KT_CLOCK_PERIOD_H

#include <kerntime/clock.h>
#include <stdbool.h>

/* Zeroed: nothing is known. */
typedef struct kt_period {
    kt_clock_pair base; /* what distances are taken from */
    uint32_t count;     /* pairs that were seen */
    double least_ns, most_ns;
} kt_period;

/* `step_ticks`: a stamp is off by less than that. `longest_ns`: a pair that is further away says
 * nothing, as the counter may have turned over since. */
void kt_period_add(kt_period *period, const kt_clock_pair *pair, uint32_t valid_bits,
                   double step_ticks, double longest_ns);

/* By how much the middle of both may be off, as a share; infinite until it is known. */
double kt_period_error(const kt_period *period);

/* The estimate where that is possible, else the nearest that is; the middle where `error` is all
 * that it may be off. NaN if it is neither known so well nor estimated. */
double kt_period_within(const kt_period *period, double estimate_ns, double error);

#endif
