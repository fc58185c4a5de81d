/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Conversions of durations, which kerntime passes as `double` ns everywhere.
 *
 * Each conversion rounds once and keeps NaN. Threads: any.
 */
#ifndef KERNTIME_UNITS_H
#define KERNTIME_UNITS_H

/**
 * Converts ns to us.
 * @param ns duration in ns
 * @return duration in us
 */
static inline double kt_ns_to_us(double ns)
{
    return ns / 1e3;
}

/**
 * Converts ns to ms.
 * @param ns duration in ns
 * @return duration in ms
 */
static inline double kt_ns_to_ms(double ns)
{
    return ns / 1e6;
}

/**
 * Converts ns to s.
 * @param ns duration in ns
 * @return duration in s
 */
static inline double kt_ns_to_s(double ns)
{
    return ns / 1e9;
}

/**
 * Converts us to ns.
 * @param us duration in us
 * @return duration in ns
 */
static inline double kt_us_to_ns(double us)
{
    return us * 1e3;
}

/**
 * Converts ms to ns.
 * @param ms duration in ms
 * @return duration in ns
 */
static inline double kt_ms_to_ns(double ms)
{
    return ms * 1e6;
}

/**
 * Converts s to ns.
 * @param s duration in s
 * @return duration in ns
 */
static inline double kt_s_to_ns(double s)
{
    return s * 1e9;
}

#endif
