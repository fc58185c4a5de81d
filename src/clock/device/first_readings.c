/* SPDX-License-Identifier: MIT */
#include "clock/device/first_readings.h"

#include "clock/step.h"
#include "clock/ticks.h"
#include "support/common_divisor.h"
#include "support/host_clock.h"

#define STEPS_MIN   8                 /* distances needed to exclude an accidental common divisor */
#define STANDING_NS INT64_C(20000000) /* a clock that stands still for longer is unusable */
/* Time to wait for STEPS_MIN distances of a clock that advances rarely. */
#define COARSE_NS INT64_C(100000000)

static void add_distance(kt_first_readings *first, uint32_t valid_bits, uint64_t from, uint64_t to)
{
    uint64_t distance = kt_ticks_distance(from, to, valid_bits);
    first->divisor = kt_common_divisor(distance, first->divisor);
    first->distances += distance > 0;
}

void kt_first_readings_add(kt_first_readings *first, uint32_t valid_bits,
                           const kt_pairs_reading *reading)
{
    const kt_clock_pair *pair = &reading->pair;
    kt_domain_search_add(&first->search, &reading->before, pair->ticks, reading->last_ticks,
                         &reading->after);
    if (first->count) {
        first->moves |= pair->ticks != first->last_start;
        first->stands |= pair->ticks == first->last_start;
        add_distance(first, valid_bits, first->last_ticks, pair->ticks);
    }
    add_distance(first, valid_bits, pair->ticks, reading->last_ticks);
    first->last_start = pair->ticks;
    first->last_ticks = reading->last_ticks;
    if (first->count == KT_FIRST_READINGS_MAX)
        first->count--; /* the array is full: the newest reading replaces the last */
    first->pairs[first->count++] = *pair;
}

bool kt_first_readings_want_time(const kt_first_readings *first, int64_t elapsed_ns)
{
    bool unsure = first->stands && first->distances < STEPS_MIN;
    return unsure && elapsed_ns < (first->moves ? COARSE_NS : STANDING_NS);
}

/* Tests distances from the first reading, since adjacent readings have similar distances. */
static bool fits_reported(const kt_first_readings *first, uint32_t valid_bits,
                          uint64_t reported_ticks)
{
    double distances[KT_FIRST_READINGS_MAX] = {0};
    for (uint32_t i = 0; i < first->count; i++)
        distances[i] =
            (double)kt_ticks_distance(first->pairs[0].ticks, first->pairs[i].ticks, valid_bits);
    return kt_step_fits(distances, first->count, (double)reported_ticks, (double)first->divisor);
}

uint64_t kt_first_readings_step(const kt_first_readings *first, uint32_t valid_bits,
                                uint64_t reported_ticks)
{
    if (fits_reported(first, valid_bits, reported_ticks))
        return reported_ticks + first->divisor;
    bool surely = first->distances >= STEPS_MIN || (first->stands && first->distances);
    return surely ? first->divisor : 1;
}

uint64_t kt_first_readings_host_step(const kt_first_readings *first)
{
    uint64_t divisor = 0;
    uint32_t distances = 0;
    for (uint32_t i = 0; i < first->count; i++) {
        const kt_clock_pair *pair = &first->pairs[i], *previous = i > 0 ? pair - 1 : pair;
        uint64_t since = (uint64_t)pair->host_before_ns - (uint64_t)previous->host_before_ns;
        divisor = kt_common_divisor(since, divisor);
        distances += since > 0;
    }
    return distances > 1 ? kt_host_coarse_step(divisor) : 0;
}
