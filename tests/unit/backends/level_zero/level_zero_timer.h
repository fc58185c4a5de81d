/* SPDX-License-Identifier: MIT */
/* level_zero_timer.h - tests of timers in the program's own lists, over the stub driver in one of
 * its moods (level_zero_timer.sh). */
#ifndef LEVEL_ZERO_TIMER_H
#define LEVEL_ZERO_TIMER_H

#include "tests/unit/backends/level_zero/level_zero_user.h"
#include "tests/unit/moods.h"
#include "tests/unit/timer/context_counts.h"

extern const struct CMUnitTest stream_moods[], recording_moods[], event_moods[], timestamp_moods[],
    misuse_moods[], thread_moods[];

/* What most tests need: made by set_up(). `now` is an immediate list that the native knows,
 * `later` a regular one. */
extern user u;
extern work now, later;
extern kt_timer *timer;
extern kt_recording *recording;

kt_timer_context *import(uint32_t spans_max);
kt_timer *make_timer(const char *name);
kt_recording *make_recording(uint32_t spans_max);

/* How long a tick is, by a clock of the native. */
double period_ns(uint32_t clock);
/* From now on a command takes so many ticks. */
void take(uint64_t ticks);
/* What the last command has taken, as the device saw it. */
uint64_t last_ticks(void);
/* The host's clock moves on by more than any command of these tests takes on the simulated one. */
void nap(void);

/* A span of `count` commands in an immediate list, run to its end and not collected. */
void run_span(kt_timer *t, const work *in, unsigned count);
/* Recorded in `in`, in one span of `count` commands. */
void record_span(kt_recording *r, kt_timer *t, const work *in, unsigned count);
/* Recorded in `in`: one command with an event that is handed out. */
void record_event(kt_recording *r, kt_timer *t, const work *in);
/* Says so to the recording, submits and waits. */
void run_recorded(kt_recording *r, const work *in);
/* What the newest span of a timer has, in ticks of a clock. It must be whole ones, and all spans
 * collected. */
#define NEWEST_TICKS(t, clock) newest_ticks(t, clock, __FILE__, __LINE__)
uint64_t newest_ticks(kt_timer *t, uint32_t clock, const char *file, int line);

enum { KERNEL, GLOBAL }; /* clocks of a native */

#endif
