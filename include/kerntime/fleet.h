/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Which devices of a fleet are slow.
 */
#ifndef KERNTIME_FLEET_H
#define KERNTIME_FLEET_H

#include <kerntime/api.h>
#include <kerntime/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Fewest devices of a population that can be judged: fewer have no meaningful median. */
#define KT_FLEET_DEVICES_MIN 3

/** What is shown of a device. */
typedef enum kt_fleet_answer {
    KT_FLEET_GOOD = 0, /**< not slow; its interval ends below the minimum effect */
    KT_FLEET_SLOW,     /**< surely slower than the median by more than the minimum effect */
    KT_FLEET_UNDECIDED /**< neither is shown, or there are too few runs or devices */
} kt_fleet_answer;

/** A device in one workload. An unknown `double` is NaN. */
typedef struct kt_fleet_cell {
    const double *medians_ns; /**< in: run_count medians, one of each run, above 0 */
    size_t run_count;         /**< in: number of runs; 0: no time is known */
    double resolution_ns;     /**< in: clock resolution of the medians; 0 or NaN: unknown */
    double time_ns;           /**< geometric mean of its runs */
    double noise;             /**< standard deviation from run to run that counts for it, a share */
    double effect;            /**< share by which it is slower than the median device: 0.05: 5 %;
                                   NaN: fewer than KT_FLEET_DEVICES_MIN devices have a time */
    double low;      /**< lower end of the 95 % interval of `effect`, for this device alone */
    double high;     /**< upper end of it */
    double p;        /**< probability of such times if it is slower by the minimum effect or less */
    double robust_z; /**< `effect` in robust standard deviations of its population */
    kt_fleet_answer answer; /**< what is shown */
} kt_fleet_cell;

/** Devices of one model with one driver, in one workload. */
typedef struct kt_fleet_population {
    kt_fleet_cell *cells; /**< `count` cells, owned by the caller */
    size_t count;         /**< number of devices */
    double median_ns;     /**< median of the devices' times; NaN: there is none */
    double spread;        /**< robust standard deviation of effects; NaN: there are none */
    double noise;         /**< standard deviation from run to run, as a share of the time, of the
                               devices that differ by as much as most; NaN: unknown */
} kt_fleet_population;

/**
 * Judges all devices of a fleet.
 *
 * It asks of each device in each workload whether it is slower than the median device by more than
 * `min_effect`. The error is that of its runs and of the median's. Few runs show their variance
 * poorly, so that of a population is pooled.
 *
 * - The clock rounds the device's time and the median by up to half its resolution each. So the
 *   interval is wider by one resolution at both ends, and a slow device is slower by one more.
 * - A noisy device has its own variance, which does not count for the others. For each of the
 *   noisier half of the devices, an F test at a level of 0.1 % compares its variance with that of
 *   all below it. Of 2,000 equal devices, about one is called noisy by chance.
 * - `alpha` is the expected share of wrong names among all that are named (Benjamini and Hochberg
 *   1995).
 *
 * Threads: any; it has no state.
 *
 * @param populations `count` populations, whose answers are written; NULL only if `count` is 0
 * @param count number of populations
 * @param min_effect smallest share that matters, above 0, such as 0.03
 * @param alpha above 0, at most 0.5, such as 0.01
 * @return KT_OK, or
 * - KT_INVALID: a number is out of range, a median is not above 0 and finite, a resolution is below
 *   0 or infinite, or the medians of a population are too far apart for a double
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_fleet_judge(kt_fleet_population *populations, size_t count, double min_effect,
                                double alpha);

#ifdef __cplusplus
}
#endif

#endif
