/* SPDX-License-Identifier: MIT */
/* launches.h - what an empty dispatch takes, by hand and by kerntime in turn, there and back: what
 * changes evenly within a round is alike in all ways. */
#ifndef BENCH_LAUNCHES_H
#define BENCH_LAUNCHES_H

#include "bench/by_hand/subject.h"

#define LAUNCH_ROUNDS_MAX 128

/* By hand without and with its times asked for, and by kerntime, timestamped. */
enum { LAUNCH_PLAIN, LAUNCH_TIMESTAMPED, LAUNCH_KERNTIME, LAUNCH_WAYS };

/* The median dispatch of each way in each round, of slices of so many dispatches. 0, or 1 after a
 * sentence. */
int launches_compare(subject *s, uint32_t slice, int rounds,
                     double rounds_ns[LAUNCH_WAYS][LAUNCH_ROUNDS_MAX]);

#endif
