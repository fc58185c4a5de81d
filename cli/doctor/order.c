/* SPDX-License-Identifier: MIT */
/* order.c - evaluates the order of timestamps. Pure. */
#include "cli/doctor/judge.h"

#include <math.h>

/* A jump exceeds the host's uncertainty by this share of the time between two timestamps. Smaller
 * deviations may be a wrong rate, which other checks find. */
#define JUMP_SHARE 0.2
#define JUMP_NS    1000
/* Browsers round the host's clock to a multiple of this: 5 us, 100 us or 1 ms. */
#define HOST_COARSE_NS 5000
/* The deficit of a counter wrap must exceed the uncertainty by this factor to be recognised. */
#define TURN_SURE 4
/* The factor for a wrap that contradicts the driver: a reset may land near a power of two by
 * chance. */
#define EARLY_SURE 64

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

double doctor_host_step_ns(const kt_raw *raw, size_t count)
{
    int64_t divisor = 0;
    for (size_t i = 0; i < count && divisor != 1; i++) {
        int64_t since = raw[i].host_before_ns - raw[0].host_before_ns;
        int64_t width = raw[i].host_after_ns - raw[i].host_before_ns;
        divisor = common_divisor(since, common_divisor(width, divisor));
    }
    return divisor % HOST_COARSE_NS == 0 ? (double)divisor : 0;
}

double doctor_ticks_between(uint64_t from, uint64_t to, uint32_t bits)
{
    uint64_t forward = to - from;
    if (bits > 0 && bits < 64) {
        uint64_t half = UINT64_C(1) << (bits - 1);
        forward = ((forward + half) & (2 * half - 1)) - half;
    }
    return forward <= INT64_MAX ? (double)forward : -(double)(0 - forward);
}

double doctor_turn_ns(const kt_clock_info *clock)
{
    return clock->valid_bits > 0 && clock->valid_bits < 64
               ? ldexp(clock->period_ns, (int)clock->valid_bits)
               : INFINITY;
}

/* Time by which the device counter deviates from the host's time, modulo wraps. */
static double off_ns(const kt_clock_info *clock, double device_ns, double host_ns)
{
    double turn_ns = doctor_turn_ns(clock), off = device_ns - host_ns;
    return isinf(turn_ns) ? off : off - turn_ns * nearbyint(off / turn_ns);
}

/* Width of a counter whose deficit is a power of two, at least `times` the uncertainty `open_ns`.
 * 0: none. */
static uint32_t turn_bits(const kt_clock_info *clock, double missing_ns, double open_ns,
                          double times)
{
    double bits = nearbyint(log2(missing_ns / clock->period_ns));
    double turn_ns = exp2(bits) * clock->period_ns;
    bool fits = fabs(missing_ns - turn_ns) <= open_ns && turn_ns >= times * open_ns;
    return fits && bits >= 1 && bits < 64 ? (uint32_t)bits : 0;
}

typedef enum step { UNKNOWN, FORWARD, TURNED, TURNED_EARLY, BACKWARD, JUMPED } step;

/*
 * A counter of unknown width has wrapped. A counter of known width wrapped early if the deficit is
 * a smaller power of two and its values stay below that; otherwise it was reset.
 */
static step turn_or_jump(const kt_clock_info *clock, const kt_raw *a, const kt_raw *b,
                         double missing_ns, double open_ns)
{
    bool known = clock->valid_bits > 0;
    uint32_t bits = turn_bits(clock, missing_ns, open_ns, known ? EARLY_SURE : TURN_SURE);
    if (bits == 0)
        return JUMPED;
    if (!known)
        return TURNED;
    bool within = (a->end_ticks >> bits) == 0 && (b->start_ticks >> bits) == 0;
    return bits < clock->valid_bits && within ? TURNED_EARLY : JUMPED;
}

/* Classifies how the counter went on to a later submission. `by_ns`: distance from the possible
 * range. */
static step step_between(const kt_clock_info *clock, double resolution_ns, const kt_raw *a,
                         const kt_raw *b, double *by_ns)
{
    double width_a = (double)(a->host_after_ns - a->host_before_ns);
    double width_b = (double)(b->host_after_ns - b->host_before_ns);
    double host_ns = (double)(b->host_before_ns - a->host_before_ns) + (width_b - width_a) / 2;
    double open_ns = (width_a + width_b) / 2 + JUMP_SHARE * host_ns +
                     2 * (isnan(resolution_ns) ? 0 : resolution_ns) + JUMP_NS;
    if (doctor_turn_ns(clock) < TURN_SURE * open_ns)
        return UNKNOWN;
    double device_ns =
        doctor_ticks_between(a->end_ticks, b->start_ticks, clock->valid_bits) * clock->period_ns;
    double off = off_ns(clock, device_ns, host_ns);
    bool falls = b->start_ticks < a->end_ticks;
    *by_ns = fabs(off);
    if (fabs(off) > open_ns)
        return turn_or_jump(clock, a, b, -off, open_ns);
    if (host_ns + off >= 0)
        return falls ? TURNED : FORWARD;
    *by_ns = -(host_ns + off);
    return BACKWARD;
}

static bool is_usable(const kt_raw *raw)
{
    return raw->state == KT_TIMESTAMP_OK && raw->has_timestamps;
}

/* Whether the counter continues from here, as after a reset; after a misread value it does not. */
static bool goes_on(const kt_clock_info *clock, double resolution_ns, const kt_raw *raw,
                    size_t count)
{
    double by_ns;
    for (size_t next = 1; next < count; next++)
        if (is_usable(&raw[next]))
            return step_between(clock, resolution_ns, raw, &raw[next], &by_ns) != JUMPED;
    return true;
}

/* Counts a classified pair of timestamps. Returns true if later timestamps are compared with this
 * one. */
static bool count_step(step which, double by_ns, bool new_line, doctor_order *out)
{
    bool misplaced = which == BACKWARD || (which == JUMPED && !new_line);
    out->compared += which != UNKNOWN;
    out->turns += which == TURNED;
    out->early_turns += which == TURNED_EARLY;
    out->jumps += which == JUMPED && new_line;
    out->misplaced += misplaced;
    if (misplaced)
        out->misplaced_ns = fmax(out->misplaced_ns, by_ns);
    return which != JUMPED || new_line;
}

void doctor_order_find(const kt_clock_info *clock, double resolution_ns, const kt_raw *raw,
                       size_t count, doctor_order *out)
{
    const kt_raw *previous = NULL, *first = NULL;
    uint64_t moved = 0;
    *out = (doctor_order){0};
    for (size_t i = 0; i < count && !isnan(clock->period_ns); i++) {
        if (!is_usable(&raw[i]))
            continue;
        bool keep = true;
        first = first ? first : &raw[i];
        moved |=
            (raw[i].start_ticks ^ first->start_ticks) | (raw[i].end_ticks ^ first->start_ticks);
        out->turns += raw[i].end_ticks < raw[i].start_ticks;
        if (previous) {
            double by_ns = 0;
            step which = step_between(clock, resolution_ns, previous, &raw[i], &by_ns);
            bool new_line = which == JUMPED && goes_on(clock, resolution_ns, &raw[i], count - i);
            keep = count_step(which, by_ns, new_line, out);
            if (which == TURNED_EARLY)
                out->early_bits = (uint32_t)nearbyint(log2(by_ns / clock->period_ns));
        }
        if (keep)
            previous = &raw[i];
    }
    for (; moved; moved >>= 1)
        out->moved_bits++;
}

/* ---- within one submission ---- */

static void count_neighbours(const kt_clock_info *clock, double room_ns, const kt_raw *a,
                             const kt_raw *b, doctor_neighbours *out)
{
    double gap_ns =
        doctor_ticks_between(a->end_ticks, b->start_ticks, clock->valid_bits) * clock->period_ns;
    double begin_ns =
        doctor_ticks_between(a->start_ticks, b->start_ticks, clock->valid_bits) * clock->period_ns;
    out->compared++;
    out->swapped += begin_ns < -room_ns;
    if (gap_ns >= -room_ns)
        return;
    out->overlaps++;
    out->overlap_ns = fmax(out->overlap_ns, -gap_ns);
}

void doctor_neighbours_find(const kt_clock_info *clock, double resolution_ns,
                            const kt_raw *const *steps, uint32_t step_count, size_t count,
                            doctor_neighbours *out)
{
    double room_ns = isnan(resolution_ns) ? 0 : resolution_ns;
    *out = (doctor_neighbours){0};
    for (size_t i = 0; i < count && !isnan(clock->period_ns); i++)
        for (uint32_t k = 1; k < step_count; k++)
            if (is_usable(&steps[k - 1][i]) && is_usable(&steps[k][i]))
                count_neighbours(clock, room_ns, &steps[k - 1][i], &steps[k][i], out);
}

/* ---- rates ---- */

doctor_rate doctor_rate_between(const kt_clock_info *clock, double resolution_ns,
                                const kt_clock_pair *from, const kt_clock_pair *to)
{
    double width_from = (double)(from->host_after_ns - from->host_before_ns);
    double width_to = (double)(to->host_after_ns - to->host_before_ns);
    double host_ns =
        (double)(to->host_before_ns - from->host_before_ns) + (width_to - width_from) / 2;
    double open_ns = (width_from + width_to) / 2 + fmax(resolution_ns, clock->period_ns);
    double device_ns =
        doctor_ticks_between(from->ticks, to->ticks, clock->valid_bits) * clock->period_ns;
    double off = off_ns(clock, device_ns, host_ns);
    doctor_rate rate = {NAN, NAN};
    bool can_be_reported = host_ns > 0 && open_ns < host_ns &&
                           doctor_turn_ns(clock) >= TURN_SURE * (open_ns + JUMP_SHARE * host_ns);
    if (!can_be_reported || !(fabs(off) <= open_ns + JUMP_SHARE * host_ns))
        return rate;
    rate.ppm = off / host_ns * 1e6;
    rate.error_ppm = open_ns / host_ns * 1e6;
    return rate;
}
