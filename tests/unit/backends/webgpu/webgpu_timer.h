/* SPDX-License-Identifier: MIT */
/* webgpu_timer.h - tests of timers of passes, over the stub library in one of its moods
 * (webgpu_timer.sh). An empty pass takes 1000 ns there, unless a script says else. */
#ifndef WEBGPU_TIMER_H
#define WEBGPU_TIMER_H

#include "tests/unit/backends/webgpu/webgpu_user.h"
#include "tests/unit/moods.h"
#include "tests/unit/timer/context_counts.h"

#define PASS_NS 1000

/* Each ends with name NULL. */
extern const struct CMUnitTest timer_frame_moods[], timer_timestamp_moods[], timer_misuse_moods[],
    timer_thread_moods[];

/* Of the timer context; what stands behind a test's state first, where there is one. */
typedef struct frame_limits {
    uint32_t frames_max, passes_max;
} frame_limits;

/* One of each, which most tests need. */
extern user u;
extern kt_timer *timer;

void open_user(const user_options *options);
void open_timer_context(uint32_t frames_max, uint32_t passes_max);
/* WebGPU must have told the program of no error. */
void close_all(void);

/* An encoder with so many empty passes of `timer`. */
WGPUCommandEncoder encode(unsigned passes);
/* An empty pass of a timer, which must be timed. */
void pass(WGPUCommandEncoder encoder, kt_timer *of);
/* Resolves, submits, says so, and has the encoder released. */
void submit(WGPUCommandEncoder encoder);

/* The newest span of a timer. */
#define EXPECT_NEWEST(of, ns) expect_newest(of, ns, __FILE__, __LINE__)
void expect_newest(const kt_timer *of, double ns, const char *file, int line);
#define EXPECT_REFUSED(call, status, sentence)      \
    do {                                            \
        EXPECT_STATUS(call, status);                \
        EXPECT_TEXT_HAS(kt_error_text(), sentence); \
    } while (0)

#endif
