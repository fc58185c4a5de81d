/* SPDX-License-Identifier: MIT */
/*
 * first_readings.h - evaluates the first readings of a clock: whether it advances, its resolution,
 * and whether it is a host clock.
 *
 * If the driver reports neither period nor width, the clock may be a host clock. It is one if all
 * its first readings, taken as ns, lie between the readings of that host clock around them. Its
 * tick is then exactly 1 ns, and it has 64 bits. A counter of ns with another zero stays a clock
 * with a measured period.
 */
#ifndef KT_CLOCK_FIRST_READINGS_H
#define KT_CLOCK_FIRST_READINGS_H

#include "clock/device/clock_pairs.h"
#include "clock/domain.h"

#define KT_FIRST_READINGS_MAX 32

/* First readings of a clock. Start with a zeroed one. */
typedef struct kt_first_readings {
    /* The first readings, and the newest one in the last place: if a clock advances rarely, distant
     * readings show more. */
    kt_clock_pair pairs[KT_FIRST_READINGS_MAX];
    uint32_t count;
    bool moves, stands; /* a reading differed from the previous one; a reading equaled it */
    uint64_t last_start, last_ticks;
    uint64_t divisor; /* greatest common divisor, in ticks, of all distances between readings */
    uint32_t distances;
    kt_domain_search search;
} kt_first_readings;

/* Adds a usable reading. */
void kt_first_readings_add(kt_first_readings *first, uint32_t valid_bits,
                           const kt_pairs_reading *reading);

/* True if waiting longer would tell a stopped clock from a coarse one, or show its resolution. */
bool kt_first_readings_want_time(const kt_first_readings *first, int64_t elapsed_ns);

/*
 * Clock resolution in ticks: the greatest common divisor of all distances, or 1 while that may be
 * an accident. If timestamps fit steps of `reported_ticks`, rounded to that divisor:
 * `reported_ticks` plus the divisor.
 */
uint64_t kt_first_readings_step(const kt_first_readings *first, uint32_t valid_bits,
                                uint64_t reported_ticks);

/* Resolution of the host's clock in ns if it is coarse, as in browsers; else 0. From the readings
 * before the device's: the time of an empty step is taken from those after it. */
uint64_t kt_first_readings_host_step(const kt_first_readings *first);

#endif
