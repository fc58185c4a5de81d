/* SPDX-License-Identifier: MIT */
/* context_counts.h - what a native has counted, for tests of timers in the program's own devices. */
#ifndef CONTEXT_COUNTS_H
#define CONTEXT_COUNTS_H

#include "tests/unit/testing.h"

#include <kerntime/timer.h>

extern kt_timer_context *timer_context; /* each test's own */

kt_timer_context_counts get_counts(void);
/* What the counts are now: durations, and spans discarded for one reason and for none else. */
#define EXPECT_COUNTS(recorded, state, discarded) \
    expect_counts(recorded, state, discarded, __FILE__, __LINE__)
void expect_counts(uint64_t recorded, kt_timestamp_state state, uint64_t discarded,
                   const char *file, int line);
/* Spans that are held, and those of them that were stopped or submitted and not taken in yet. */
#define EXPECT_HELD(count, awaited)                        \
    do {                                                   \
        assert_int_equal(get_counts().pending, count);     \
        assert_int_equal(get_counts().in_flight, awaited); \
    } while (0)

#endif
