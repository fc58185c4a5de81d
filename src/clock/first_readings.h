/*
 * first_readings.h - what the first readings of a clock show before anything of it is trusted:
 * whether it moves, in which steps, and whether it is one of the host's.
 *
 * A clock of which the driver reports neither period nor width may be the host's. If its first
 * readings, taken as ns, lie within all readings of a clock of the host around them, it is that
 * clock, of exactly 1 ns and 64 bits. A counter of ns with a zero of its own stays a clock with a
 * period.
 */
#ifndef KT_CLOCK_FIRST_READINGS_H
#define KT_CLOCK_FIRST_READINGS_H

#include "clock/domain.h"
#include "clock/pairs.h"

#define KT_FIRST_READINGS_MAX 32

/* Zeroed: nothing was read. */
typedef struct kt_first_readings {
    /* The first ones and, behind them, the newest: of a clock that moves now and then, what lies
     * further apart tells more. */
    kt_clock_pair pairs[KT_FIRST_READINGS_MAX];
    uint32_t count;
    bool moves, stands; /* some of them showed other ticks than the ones before, some the same */
    uint64_t last_start, last_ticks;
    uint64_t divisor; /* of all distances */
    uint32_t distances;
    kt_domain_search search;
} kt_first_readings;

/* One that is usable. */
void kt_first_readings_add(kt_first_readings *first, uint32_t valid_bits,
                           const kt_pairs_reading *reading);

/* Whether more time than what has gone by would tell a clock that stands from a coarse one, and how
 * coarse it is. */
bool kt_first_readings_want_time(const kt_first_readings *first, int64_t elapsed_ns);

/* What all stamps are multiples of; 1 until that is no accident. Where they are seen to move in
 * steps of `told_ticks`, rounded to such multiples, it is that and what the rounding adds. */
uint64_t kt_first_readings_step(const kt_first_readings *first, uint32_t valid_bits,
                                uint64_t told_ticks);

#endif
