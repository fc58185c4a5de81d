/* SPDX-License-Identifier: MIT */
#include <kerntime/device.h>

#include <math.h>
#include <string.h>

double kt_timer_limits_get_min_span(const kt_timer_limits *limits, const char *clock)
{
    if (!limits)
        return NAN;
    for (int i = 0; i < KT_CLOCKS_MAX && clock; i++)
        if (strcmp(limits->clocks[i].name, clock) == 0)
            return limits->clocks[i].min_span_ns;
    return limits->min_span_ns;
}
