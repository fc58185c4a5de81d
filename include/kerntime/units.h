/* units.h - durations are double ns everywhere in kerntime; these say them in other units. */
#ifndef KERNTIME_UNITS_H
#define KERNTIME_UNITS_H

/** ns as us, ms and s, and back; rounded once. NaN stays NaN. Any thread. */
static inline double kt_ns_to_us(double ns)
{
    return ns / 1e3;
}

static inline double kt_ns_to_ms(double ns)
{
    return ns / 1e6;
}

static inline double kt_ns_to_s(double ns)
{
    return ns / 1e9;
}

static inline double kt_us_to_ns(double us)
{
    return us * 1e3;
}

static inline double kt_ms_to_ns(double ms)
{
    return ms * 1e6;
}

static inline double kt_s_to_ns(double s)
{
    return s * 1e9;
}

#endif
