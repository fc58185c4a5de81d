/* SPDX-License-Identifier: MIT */
/* vulkan_timer.h - tests of timers in recorded commands, over the stub driver in one of its moods
 * (vulkan.sh). */
#ifndef VULKAN_TIMER_H
#define VULKAN_TIMER_H

#include "tests/unit/backends/vulkan/vulkan_user.h"
#include "tests/unit/moods.h"
#include "tests/unit/timer/context_counts.h"

#define ALL_COMMANDS UINT64_MAX
#define LATE_ASKS    64 /* more than any script is late */

/* Each ends with MOODS_END. */
extern const struct CMUnitTest timer_run_moods[], timer_stale_moods[], timer_timestamp_moods[],
    timer_misuse_moods[], timer_thread_moods[];

/* One of each, which most tests need: made by open_all(), with native spans_max 0. */
extern user u;
extern work w;
extern kt_timer *timer;
extern kt_recording *recording;

/* The stub, with the feature hostQueryReset unless a mood says else. */
void open_user(void);
void open_all(void);
void close_all(void);

kt_timer *make_timer(const char *name);
kt_recording *make_recording(uint32_t spans_max);
void begin(const work *in, kt_recording *r);
void record_span(const work *in, kt_recording *r, kt_timer *t, unsigned copies);
/* A span of `copies` copies, in commands of nothing else. */
void record_copies(const work *in, kt_recording *r, kt_timer *t, unsigned copies);
/* Says so to the recording and submits; what is held stays so. */
void submit(const work *in, kt_recording *r);
/* The host's clock moves on by more than any span of these tests takes on the simulated one. */
void nap(void);
/* All that is held is executed, and seen to have ended. */
void finish(const work *in);
/* Submitted and finished, of the one recording: so many copies recorded now, or what it has. */
void run_copies(unsigned copies);
void run_again(void);

/* The newest span of a timer. */
#define EXPECT_NEWEST(t, ns) expect_newest(t, ns, __FILE__, __LINE__)
void expect_newest(const kt_timer *t, double ns, const char *file, int line);
/* The registry's row of a name must be there and have so many durations. The snapshot is the
 * caller's. */
const kt_row *find_row(kt_snapshot **snapshot, const char *name, uint64_t count);
/* The same, and how many are discarded for that reason. Without a duration there is no mean. */
void expect_row(const char *name, uint64_t count, kt_timestamp_state state, uint64_t discarded);

#endif
