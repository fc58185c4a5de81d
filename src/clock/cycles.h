/* SPDX-License-Identifier: MIT */
/*
 * cycles.h - the clock of kt_cycles_now(), for the registry and timers.
 *
 * Kept durations are in ticks. Who reads them applies the mean period known by then. So a better
 * period also corrects what was kept before, and no record has to wait for it.
 */
#ifndef KT_CLOCK_CYCLES_H
#define KT_CLOCK_CYCLES_H

#include "clock/host_counter.h"

#include <kerntime/cycles.h>

/* Sources of facts and readings. Tests replace them before the first reading of the process. */
typedef struct kt_cycles_calls {
    void (*read_facts)(kt_counter_facts *out);
    kt_counter_pair_reader *pair;
    void (*compare_cores)(int64_t limit_ns, kt_core_agreement *out);
    void *user; /* passed to `pair` */
} kt_cycles_calls;

extern kt_cycles_calls kt_cycles_sources;

/* Mean period of a tick known now; 1 if the counter was never used. */
double kt_cycles_period_ns(void);

/* Its 99 % uncertainty; 0 if the counter was never used. */
double kt_cycles_period_uncertainty_ns(void);

#endif
