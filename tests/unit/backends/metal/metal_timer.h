/* SPDX-License-Identifier: MIT */
/* metal_timer.h - tests of timers in the program's own passes, encoders and command buffers, over
 * the stub in one of its moods (metal_timer.sh). */
#ifndef METAL_TIMER_H
#define METAL_TIMER_H

#include "tests/unit/backends/metal/metal_time.h"
#include "tests/unit/moods.h"
#include "tests/unit/timer/context_counts.h"

extern const struct CMUnitTest timer_pass_moods[], timer_encoder_moods[], timer_commands_moods[],
    timer_timestamp_moods[], timer_misuse_moods[], timer_thread_moods[];

enum { GPU_CLOCK = 0, COMMANDS_CLOCK = 1 }; /* of a native */

/* One of each, which most tests need: made by set_up(). The host's clocks are the stub's. */
extern user u;
extern kt_timer *timer;

void open_user(void);
void open_timer_context(uint32_t spans_max);
kt_timer *make_timer(const char *name);

/* From now on each command takes so long. */
void take(int64_t ns);
/* Until all that was committed has ended, on the simulated clock. */
void let_it_end(void);

/* A timed pass of one command, by a descriptor of its own. */
void pass(void *commands, user_kind kind, kt_timer *of);
/* A command buffer with so many compute passes of `timer`. */
void *encode(unsigned passes);
/* Commits and releases it. */
void submit(void *commands);
/* What it is good to: a tick or a step of the clock at each end, and what is not known of the
 * tick's length. */
double slack_ns(double ns);

/* The newest span of a timer, to within slack_ns(). */
#define EXPECT_NEWEST(of, ns) expect_newest(of, ns, __FILE__, __LINE__)
void expect_newest(const kt_timer *of, double ns, const char *file, int line);
#define EXPECT_REFUSED(call, status, sentence)      \
    do {                                            \
        EXPECT_STATUS(call, status);                \
        EXPECT_TEXT_HAS(kt_error_text(), sentence); \
    } while (0)

#endif
