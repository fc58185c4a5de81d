/* SPDX-License-Identifier: MIT */
/* copies.h - one round of a copy by hand and by kerntime in turn, there and back. */
#ifndef BENCH_COPIES_H
#define BENCH_COPIES_H

#include "bench/by_hand/subject.h"

enum { COPIES_RAW, COPIES_KERNTIME, COPIES_WAYS };

/* The median copy of each way, by the device's own timestamps. 0, or 1 after a sentence. */
int copies_compare(subject *s, double round_ns[COPIES_WAYS]);

#endif
