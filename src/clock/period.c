/* SPDX-License-Identifier: MIT */
#include "clock/period.h"

#include "clock/ticks.h"

#include <math.h>

/* First clock pairs that are ignored: a driver's first calls are slow, and unevenly before and
 * after the device reading. */
#define COLD_PAIRS 4
#define BASE_PAIRS 64 /* the narrowest of this many first clock pairs is the base */

static double width_ns(const kt_clock_pair *pair)
{
    return (double)(pair->host_after_ns - pair->host_before_ns);
}

static void begin(kt_period *period, const kt_clock_pair *pair)
{
    period->base = *pair;
    period->least_ns = 0;
    period->most_ns = INFINITY;
}

void kt_period_add(kt_period *period, const kt_clock_pair *pair, uint32_t valid_bits,
                   double step_ticks, double longest_ns)
{
    const kt_clock_pair *base = &period->base;
    if (period->count++ <= COLD_PAIRS) {
        begin(period, pair);
        return;
    }
    double least_ns = (double)(pair->host_before_ns - base->host_after_ns);
    double most_ns = (double)(pair->host_after_ns - base->host_before_ns);
    double ticks = (double)kt_ticks_distance(base->ticks, pair->ticks, valid_bits);
    if (least_ns <= 0 || most_ns > longest_ns || ticks <= step_ticks)
        return;
    least_ns = fmax(period->least_ns, least_ns / (ticks + step_ticks));
    most_ns = fmin(period->most_ns, most_ns / (ticks - step_ticks));
    if (least_ns > most_ns) { /* the counter was reset, or the host clock jumped */
        begin(period, pair);
        return;
    }
    period->least_ns = least_ns;
    period->most_ns = most_ns;
    if (period->count <= BASE_PAIRS && width_ns(pair) < width_ns(base))
        period->base = *pair;
}

double kt_period_error(const kt_period *period)
{
    bool known = period->least_ns > 0 && !isinf(period->most_ns);
    return known ? (period->most_ns - period->least_ns) / (period->most_ns + period->least_ns)
                 : INFINITY;
}

double kt_period_within(const kt_period *period, double estimate_ns, double error)
{
    if (period->count == 0)
        return estimate_ns;
    if (kt_period_error(period) <= error)
        return (period->least_ns + period->most_ns) / 2;
    if (isnan(estimate_ns)) /* fmax() and fmin() would turn NaN into a bound */
        return estimate_ns;
    return fmin(fmax(estimate_ns, period->least_ns), period->most_ns);
}
