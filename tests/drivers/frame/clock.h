/* SPDX-License-Identifier: MIT */
/*
 * clock.h - the device's clock: a simulated one that moves with calls and commands alone, the
 * host's, or one of its own, which runs 100 ppm fast. Any thread.
 */
#ifndef FRAME_CLOCK_H
#define FRAME_CLOCK_H

#include <stdint.h>
#include <time.h>

enum clock_kind { CLOCK_SIMULATED, CLOCK_HOST, CLOCK_OWN };
#define CLOCK_CHOICES "simulated host own"

/* As the script has it. */
extern struct device_clock {
    uint64_t kind, start; /* where a clock that is not the host's begins */
    double period;        /* ns per tick */
    clockid_t host;
} device_clock;

uint64_t clock_ticks(void);
/* Where a tick is a ns. */
int64_t clock_now(void);
uint64_t clock_host_ns(clockid_t clock);

/* The simulated clock moves on; others do so by themselves. */
void clock_advance(int64_t ticks);
/* By 0 to 15 ticks, so that what happens has no common step. */
void clock_add_noise(void);
/* Moves the simulated clock to that moment unless it is past; waits for others. */
void clock_reach(int64_t moment_ns);

/* What a command takes: as scripted, until a test says otherwise. */
int64_t clock_duration(uint64_t scripted_ns);
void clock_take(int64_t ns);

/* The lowest bits of a counter; 0 counts as 64. */
uint64_t clock_cut(uint64_t ticks, uint64_t bits);

#endif
