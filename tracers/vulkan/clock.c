/* clock.c - a place on one time line for each timestamp, and the relation of that line to the
 * host's clock. */
#include "tracers/vulkan/layer.h"

#include "clock/ticks.h"

#include <math.h>
#include <pthread.h>

#define TRIES 5

/* Under the lock. A process has no more lines than devices. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static clock_line lines[TRACE_DEVICES_MAX];

/* The line of the device, which begins at `position` if it is new. */
static clock_line *line_of(const device *d, uint64_t position)
{
    int64_t now_ns = tracer_now_ns();
    pthread_mutex_lock(&lock);
    clock_line *line = lines;
    while (line->trace && line->trace != d->trace)
        line++;
    if (!line->trace)
        *line = (clock_line){d->trace, position, now_ns, NAN};
    pthread_mutex_unlock(&lock);
    return line;
}

/* First position of a family's counter, which may have turned since the line began. */
static uint64_t first_position(const clock_line *line, const kt_clock_info *clock, uint64_t ticks)
{
    if (clock->valid_bits >= 64)
        return ticks;
    double turn = ldexp(1, (int)clock->valid_bits);
    double passed = (double)(tracer_now_ns() - line->base_host_ns) / clock->period_ns;
    double turns = round((passed + (double)line->base - (double)ticks) / turn);
    return ticks + ((uint64_t)llround(turns) << clock->valid_bits);
}

/* Queues may be read out of order, so a timestamp may lie before the latest one. */
int64_t clock_position_ns(device *d, family *f, uint64_t ticks)
{
    kt_clock_info whole = f->clock;
    double ns = 0;
    if (!d->line)
        d->line = line_of(d, ticks);
    if (f->has_ticks) {
        uint64_t forward = kt_ticks_delta(f->ticks, ticks, f->clock.valid_bits);
        uint64_t back = kt_ticks_delta(ticks, f->ticks, f->clock.valid_bits);
        f->position = forward <= back ? f->position + forward : f->position - back;
    } else
        f->position = first_position(d->line, &f->clock, ticks);
    f->has_ticks = true;
    f->ticks = ticks;
    uint64_t base = d->line->base;
    whole.valid_bits = 64;
    bool is_later = (int64_t)(f->position - base) >= 0;
    if (f->position == base ||
        kt_ticks_span(&whole, is_later ? base : f->position, is_later ? f->position : base, 0,
                      ldexp(whole.period_ns, 63), &ns) != KT_TIMESTAMP_OK)
        return 0;
    return is_later ? llround(ns) : -llround(ns);
}

int64_t clock_now_ns(const family *f)
{
    return f->clock.valid_bits < 64 || tracer_keeps_events() ? tracer_now_ns() : 0;
}

static void set_offset(device *d, int64_t device_ns, int64_t from_ns, int64_t to_ns)
{
    double uncertainty_ns = (double)(to_ns - from_ns) / 2;
    if (!isnan(d->uncertainty_ns) && uncertainty_ns >= d->uncertainty_ns)
        return;
    d->uncertainty_ns = uncertainty_ns;
    pthread_mutex_lock(&lock);
    bool is_better = !(d->line->uncertainty_ns <= uncertainty_ns);
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
            set_offset(d, clock_position_ns(d, &d->families[0], ticks), before_ns, after_ns);
    }
    d->calibrates = !isnan(d->uncertainty_ns); /* else it is bracketed */
}

void clock_bracket(device *d, int64_t submitted_ns, const trace_span *s, int64_t ended_ns)
{
    int64_t from_ns = submitted_ns, to_ns = ended_ns - (s->end_ns - s->begin_ns);
    if (!d->calibrates && tracer_keeps_events() && from_ns <= to_ns)
        set_offset(d, s->begin_ns, from_ns, to_ns);
}
