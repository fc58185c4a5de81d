/* SPDX-License-Identifier: MIT */
/*
 * period.h - bounds the length of a tick by clock pairs alone. Pure functions.
 *
 * Each device reading lies between its two host clock readings, whatever the device or the driver
 * did meanwhile. A period that a driver reports in whole ns is rounded and counts as unknown. It is
 * measured, more exactly than an unreported one.
 */
#ifndef KT_CLOCK_PERIOD_H
#define KT_CLOCK_PERIOD_H

#include <kerntime/clock.h>
#include <stdbool.h>

/* Bounds of a tick's length. Start with a zeroed one, which has no bounds. */
typedef struct kt_period {
    kt_clock_pair base; /* clock pair from which all distances are measured */
    uint32_t count;     /* clock pairs added */
    double least_ns, most_ns;
} kt_period;

/* `step_ticks`: clock resolution. `longest_ns`: pairs further from the base are ignored, since the
 * counter may have wrapped. */
void kt_period_add(kt_period *period, const kt_clock_pair *pair, uint32_t valid_bits,
                   double step_ticks, double longest_ns);

/* Largest relative error of the middle of the period's bounds; infinite without bounds. */
double kt_period_error(const kt_period *period);

/* Period in ns: the middle of its bounds if the relative error of that is at most `error`,
 * otherwise `estimate_ns` (may be NaN), moved into the bounds. */
double kt_period_within(const kt_period *period, double estimate_ns, double error);

#endif
