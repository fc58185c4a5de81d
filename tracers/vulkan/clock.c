/* SPDX-License-Identifier: MIT */
/* clock.c - a place on one time line for each timestamp, and the relation of that line to the
 * host's clock. */
#include "tracers/vulkan/layer.h"

#include "clock/ticks.h"

#include <float.h>
#include <math.h>
#include <pthread.h>

#define TRIES 5

/* Clocks drift apart: less than this part of a turn is no turn. */
#define TURN_PART 0.25

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static clock_line lines[TRACE_DEVICES_MAX]; /* no more than there are trace_devices */

/* Takes the device's line, which begins at this timestamp if it is new. */
static void take_line(device *d, uint64_t ticks, uint32_t bits, int64_t from_ns, int64_t to_ns)
{
    pthread_mutex_lock(&lock);
    clock_line *line = lines;
    while (line->trace && line->trace != d->trace)
        line++;
    if (!line->trace)
        *line = (clock_line){.trace = d->trace,
                             .base = ticks,
                             .base_bits = bits,
                             .low_ns = (double)from_ns,
                             .high_ns = (double)to_ns,
                             .uncertainty_ns = NAN};
    pthread_mutex_unlock(&lock);
    d->line = line;
    d->low_ns = line->low_ns;
    d->high_ns = line->high_ns;
}

static double position_ns(const device *d, const family *f)
{
    kt_clock_info whole = f->clock;
    double ns = 0;
    whole.valid_bits = 64;
    bool is_later = (int64_t)(f->position - d->line->base) >= 0; /* it may lie below 0 ticks */
    if (f->position == d->line->base ||
        kt_ticks_span(&whole, is_later ? d->line->base : f->position,
                      is_later ? f->position : d->line->base, 0, DBL_MAX, &ns) != KT_TIMESTAMP_OK)
        return 0;
    return is_later ? ns : -ns;
}

/* Adds the turns of a counter that the host's clock has seen, and learns how the two clocks lie. */
static void add_turns(device *d, family *f, uint32_t bits, int64_t from_ns, int64_t to_ns)
{
    kt_clock_info clock = f->clock;
    clock.valid_bits = bits;
    double turn_ns = kt_ticks_wrap_ns(&clock), at_ns = position_ns(d, f), turns = 0;
    double low_ns = (double)from_ns - at_ns, high_ns = (double)to_ns - at_ns;
    if (low_ns > d->high_ns)
        turns = ceil((low_ns - d->high_ns) / turn_ns - TURN_PART);
    else if (high_ns < d->low_ns)
        turns = -ceil((d->low_ns - high_ns) / turn_ns - TURN_PART);
    if (turns != 0) {
        f->position += (uint64_t)(int64_t)turns << bits;
        low_ns -= turns * turn_ns;
        high_ns -= turns * turn_ns;
    }
    bool agrees = low_ns <= d->high_ns && high_ns >= d->low_ns;
    d->low_ns = agrees ? fmax(low_ns, d->low_ns) : low_ns;
    d->high_ns = agrees ? fmin(high_ns, d->high_ns) : high_ns;
}

/* Queues may be read out of order, so a timestamp may lie before the latest one. The way between
 * the two is the shorter one, unless the host's clock tells of more. */
int64_t clock_position_ns(device *d, family *f, uint64_t ticks, int64_t from_ns, int64_t to_ns)
{
    uint32_t bits = f->clock.valid_bits;
    if (!d->line)
        take_line(d, ticks, bits, from_ns, to_ns);
    if (!f->has_ticks) { /* the families of a device count alike, but for their widths */
        f->ticks = f->position = d->line->base;
        bits = d->line->base_bits && d->line->base_bits < bits ? d->line->base_bits : bits;
    }
    uint64_t forward = kt_ticks_delta(f->ticks, ticks, bits);
    uint64_t back = kt_ticks_delta(ticks, f->ticks, bits);
    f->position = forward <= back ? f->position + forward : f->position - back;
    f->has_ticks = true;
    f->ticks = ticks;
    if (d->wraps)
        add_turns(d, f, bits, from_ns, to_ns);
    return llround(position_ns(d, f));
}

int64_t clock_now_ns(const device *d)
{
    return d->wraps || tracer_keeps_events() ? tracer_now_ns() : 0;
}

static void set_offset(device *d, int64_t device_ns, int64_t from_ns, int64_t to_ns)
{
    double uncertainty_ns = (double)(to_ns - from_ns) / 2;
    if (!isnan(d->uncertainty_ns) && uncertainty_ns >= d->uncertainty_ns)
        return;
    d->uncertainty_ns = uncertainty_ns;
    pthread_mutex_lock(&lock);
    bool is_better = !(uncertainty_ns >= d->line->uncertainty_ns); /* or the first one */
    if (is_better) {
        d->line->uncertainty_ns = uncertainty_ns;
        tracer_set_offset(d->trace, (double)(from_ns - device_ns) + uncertainty_ns, uncertainty_ns);
    }
    pthread_mutex_unlock(&lock);
}

void clock_calibrate(device *d)
{
    const VkCalibratedTimestampInfoEXT wanted = {
        .sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
        .timeDomain = VK_TIME_DOMAIN_DEVICE_EXT};
    for (int i = 0; d->calibrates && i < TRIES; i++) {
        uint64_t ticks, deviation_ns;
        int64_t before_ns = tracer_now_ns();
        VkResult code =
            d->next.vkGetCalibratedTimestampsEXT(d->handle, 1, &wanted, &ticks, &deviation_ns);
        int64_t after_ns = tracer_now_ns();
        if (code == VK_SUCCESS)
            set_offset(d, clock_position_ns(d, &d->families[0], ticks, before_ns, after_ns),
                       before_ns, after_ns);
    }
    d->calibrates = !isnan(d->uncertainty_ns); /* else it is bracketed */
}

void clock_bracket(device *d, int64_t submitted_ns, const trace_span *s, int64_t ended_ns)
{
    int64_t from_ns = submitted_ns, to_ns = ended_ns - (s->end_ns - s->begin_ns);
    if (!d->calibrates && tracer_keeps_events() && from_ns <= to_ns)
        set_offset(d, s->begin_ns, from_ns, to_ns);
}
