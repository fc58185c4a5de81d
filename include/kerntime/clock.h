/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Clocks of the host and of devices, and where a device's timestamps lie on the host's clock.
 */
#ifndef KERNTIME_CLOCK_H
#define KERNTIME_CLOCK_H

#include <kerntime/api.h>
#include <kerntime/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A clock of the host. Zeroed means the system's clock.
 *
 * Give another one to kt_context_create() to drive measurements by a clock of your own, as tests
 * do. Any thread may call both functions.
 */
typedef struct kt_host_clock {
    int64_t (*now)(void *user); /**< returns ns since any fixed moment; never goes back */
    void (*sleep)(void *user, int64_t duration_ns); /**< sleeps for at least `duration_ns` */
    void *user;                                     /**< passed to both; the program's */
} kt_host_clock;

/**
 * Reads the system's host clock: CLOCK_MONOTONIC_RAW where the system has it.
 *
 * Threads: any.
 *
 * @return now, in ns
 */
KT_API int64_t kt_host_now_ns(void);

/** Clocks of the system. An instant is an int64_t in ns since the zero of its own clock. */
typedef enum kt_host_domain {
    KT_HOST_MONOTONIC_RAW = 0, /**< never adjusted; this is kerntime's host clock */
    KT_HOST_MONOTONIC,         /**< its rate is adjusted to that of UTC */
    KT_HOST_BOOTTIME,          /**< as KT_HOST_MONOTONIC, and runs while the system is suspended */
    KT_HOST_REALTIME,          /**< UTC since 1970; may be set at any time */
    /** macOS only: mach_absolute_time() in ns. It stops while the system is suspended, unlike
     * KT_HOST_MONOTONIC_RAW of macOS. */
    KT_HOST_UPTIME_RAW,
    KT_HOST_DOMAIN_COUNT /**< number of clocks */
} kt_host_domain;

/**
 * Name of a host clock, such as "CLOCK_MONOTONIC_RAW".
 *
 * Threads: any.
 *
 * @param domain any value
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_host_domain_name(kt_host_domain domain);

/**
 * Reads a host clock.
 *
 * Threads: any.
 *
 * @param domain the clock
 * @param[out] now_ns now, in ns since the zero of that clock
 * @return KT_OK, or
 * - KT_INVALID: no such clock
 * - KT_UNSUPPORTED: this system lacks the clock
 */
KT_API kt_status kt_host_domain_now(kt_host_domain domain, int64_t *now_ns);

/**
 * Converts an instant of one host clock to another by the present distance of the two clocks.
 *
 * - It reads both clocks a few times and uses the narrowest reading.
 * - `uncertainty_ns` is the sum of half the width of that reading, the resolution of each clock,
 *   and 0.05 % of the time between now and the instant, since ntpd changes a rate by at most that
 *   much.
 * - A clock that was set between the instant and now is not noticed, nor is a suspend, which stops
 *   some clocks and not others.
 * - From a clock to itself the instant stays the same.
 * - Threads: any.
 *
 * @param from clock of the instant
 * @param from_ns the instant, in ns
 * @param to clock to convert to
 * @param[out] to_ns the instant on that clock, in ns
 * @param[out] uncertainty_ns uncertainty in ns; NULL if not needed
 * @return KT_OK, or
 * - KT_INVALID: no such clock, or the instant lies outside the range of the other clock
 * - KT_UNSUPPORTED: this system lacks one of the clocks
 * - KT_NOT_READY: a clock was set during the reading; call again
 */
KT_API kt_status kt_host_convert(kt_host_domain from, int64_t from_ns, kt_host_domain to,
                                 int64_t *to_ns, double *uncertainty_ns);

/** Method by which a duration was obtained. Durations of different methods are not comparable. */
typedef enum kt_method {
    KT_METHOD_NONE = 0,         /**< none */
    KT_METHOD_DEVICE_TIMESTAMP, /**< two timestamps written by the device */
    KT_METHOD_EVENT_PROFILE,    /**< start and end of one command, from its event */
    KT_METHOD_EVENT_PAIR,       /**< elapsed time between two events */
    /** elapsed time between two events, with all work between them queued while a blocking kernel
     * blocks the stream, so that it has no gaps of launching */
    KT_METHOD_EVENT_PAIR_BLOCKED,
    KT_METHOD_COMMAND_BUFFER, /**< start and end of a whole command buffer */
    KT_METHOD_HOST_WALL,      /**< host clock before submission and after completion */
    KT_METHOD_SIMULATED       /**< a script; no device took part */
} kt_method;

/**
 * Name of a method as in the result file, such as "event-profile".
 *
 * Threads: any.
 *
 * @param method any value
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_method_name(kt_method method);

/**
 * Whether a method belongs to an elapsed-only clock (CUDA and HIP events).
 *
 * - Such a clock reports the time between two timestamps, and not when either of them was.
 * - It has no ticks: its period, frequency and width are unknown.
 * - It shares its zero with no host clock, and kt_clock_open() cannot follow it.
 *
 * @param method any value
 * @return 1 or 0
 */
static inline int kt_method_is_elapsed_only(kt_method method)
{
    return method == KT_METHOD_EVENT_PAIR || method == KT_METHOD_EVENT_PAIR_BLOCKED;
}

/** Largest number of clocks of one device. */
#define KT_CLOCKS_MAX 4

/** Source of what is known about a clock. */
typedef enum kt_clock_source {
    KT_SOURCE_NONE = 0,              /**< unknown, or not measured yet */
    KT_SOURCE_REPORTED,              /**< reported by the driver, or from the API's specification */
    KT_SOURCE_CALIBRATED_TIMESTAMPS, /**< measured; the API reads both clocks at once */
    KT_SOURCE_BRACKETED_SUBMISSIONS  /**< measured; commands between two host clock readings */
} kt_clock_source;

/**
 * Name of a source as in the result file, such as "bracketed_submissions".
 *
 * Threads: any.
 *
 * @param source any value
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_clock_source_name(kt_clock_source source);

/**
 * One clock of a device. An unknown `double` is NaN.
 *
 * kt_clock_open(), kt_device_find_clocks() and the first measurement write what they measure into
 * it: read it only while none of them runs.
 */
typedef struct kt_clock_info {
    char name[24];    /**< name within the device: "kernel" */
    kt_method method; /**< how its durations are obtained */
    /** 1: a context clock (Level Zero). It stops while the device works for others, so its
     * timestamps have no place on the host's clock. */
    int pauses;
    double period_ns; /**< length of one tick in ns */
    /** 99 % uncertainty of a measured period_ns, in ns; 0: a tick is exactly 1 ns. NaN: the period
     * is reported, unknown, or measured without an uncertainty. A duration has the same relative
     * uncertainty, plus one step of the clock. */
    double period_uncertainty_ns;
    /** Length of one tick as the driver reports it in whole ns; 0: not reported so. Too coarse for
     * durations (83 ns for 83.333 ns is 0.4 % off), so kerntime measures period_ns instead. */
    uint32_t reported_period_ns;
    /** Timer id. Clocks of one device with the same nonzero timer id count the same ticks: a period
     * measured for one holds for all. */
    uint32_t timer;
    double frequency_hz;     /**< reported by the driver; NaN: it reports a period, or neither */
    uint32_t valid_bits;     /**< 1..64: timestamps are modulo 2 to this power; 0: unknown */
    uint32_t valid_bits_min; /**< least number of bits if valid_bits is 0; 0: none known */
    char domain[32];         /**< host clock with the same zero and rate; empty: none */
    double uncertainty_ns;   /**< of its relation to the host clock, when last measured */
    /** By how much it runs faster on the host clock than reported, in ppm; NaN: not known within
     * 10 ppm. */
    double drift_ppm;
    kt_clock_source period_source;   /**< source of period_ns */
    kt_clock_source relation_source; /**< source of domain, uncertainty_ns and drift_ppm */
} kt_clock_info;

/**
 * Whether timestamps of a clock have a place on the host's clock.
 *
 * @param clock any clock
 * @return 1, or 0 for an elapsed-only clock and a context clock
 */
static inline int kt_clock_has_place(const kt_clock_info *clock)
{
    return !kt_method_is_elapsed_only(clock->method) && !clock->pauses;
}

/** A clock pair: one reading of a device's clock between two readings of the host's clock. */
typedef struct kt_clock_pair {
    int64_t host_before_ns; /**< host clock before the reading, in ns */
    uint64_t ticks;         /**< device clock, in ticks */
    int64_t host_after_ns;  /**< host clock after the reading, in ns */
} kt_clock_pair;

/* ---- placing a device's timestamps on the host's clock ---- */

/** A device (device.h). */
typedef struct kt_device kt_device;

/**
 * A followed clock of a device: converts its timestamps to the host's clock, with an uncertainty.
 *
 * - It takes clock pairs now and then, and estimates offset and rate from them.
 * - The host's clock is that of kt_host_now_ns(), unless the context or the device has another one.
 * - Threads: one at a time per clock. A device may have several, and may be measured on meanwhile.
 * - Lifetime: close it before its device.
 */
typedef struct kt_clock kt_clock;

/** Clock pairs of kt_clock_open() if kt_clock_options.pairs is 0. */
#define KT_CLOCK_PAIRS_DEFAULT 32
/** Least interval of kt_clock_update() if kt_clock_options.interval_ns is 0, in ns. */
#define KT_CLOCK_INTERVAL_DEFAULT_NS INT64_C(10000000)

/** Options of kt_clock_open(). Zero everything but `size` for the defaults. */
typedef struct kt_clock_options {
    size_t size;    /**< sizeof(kt_clock_options) */
    uint32_t pairs; /**< clock pairs to take, within about 100 ms; 0: 32 */
    /** Least time between two clock pairs of kt_clock_update(), in ns; 0: 10 ms, or a hundred times
     * the cost of a pair if that is longer. */
    int64_t interval_ns;
} kt_clock_options;

/**
 * Starts to follow one clock of a device, and writes what it measures into the device's info.
 *
 * - Source of the clock pairs: the API if it can read both clocks; the host alone if the device's
 *   clock is one of the host's; else empty commands between two readings of the host's clock.
 * - Duration: some ms. Longer if the period has to be measured, or if the API has to build an empty
 *   command first (some 100 ms).
 * - If each pair takes long, as on a busy device: up to some 2 s, or as long as some 20 pairs take.
 *
 * @param device owner of the clock; must outlive it
 * @param index number of the clock, from 0, in kt_device_info.clocks
 * @param options NULL: the defaults
 * @param[out] out the clock; close it with kt_clock_close()
 * @return KT_OK, or
 * - KT_INVALID: no such clock, or an option is out of range
 * - KT_UNSUPPORTED: the device has no clock, its timestamps are untrusted, or they have no place on
 *   the host's clock (kt_clock_has_place())
 * - KT_NOT_READY: the period could not be measured, or the host's clock was set meanwhile
 * - KT_NO_MEMORY: the host or the device is out of memory
 * - KT_TIMEOUT: no answer within the time limit of the context
 * - KT_DEVICE_LOST: the device hung or stopped working
 * - KT_DRIVER_ERROR: a driver call failed
 */
KT_API kt_status kt_clock_open(kt_device *device, uint32_t index, const kt_clock_options *options,
                               kt_clock **out);

/**
 * Stops following a clock. Call it before its device is closed.
 *
 * @param clock address of the handle; set to NULL; may hold NULL
 */
KT_API void kt_clock_close(kt_clock **clock);

/**
 * Takes one clock pair if the interval has passed.
 *
 * - Call it every frame, or whenever there is nothing else to do: it limits itself.
 * - Without it the clock is extrapolated, and the uncertainty grows.
 * - After a failure the clock keeps its earlier state.
 *
 * @param clock a followed clock
 * @return KT_OK, also if it was too early for a pair, or
 * - KT_INVALID: a required pointer is NULL
 * - KT_UNSUPPORTED: the driver can no longer read its clock
 * - KT_NOT_READY: the host's clock was set during the reading
 * - KT_NO_MEMORY: the host or the device is out of memory
 * - KT_TIMEOUT: no answer within the time limit of the context
 * - KT_DEVICE_LOST: the device hung or stopped working
 * - KT_DRIVER_ERROR: a driver call failed
 */
KT_API kt_status kt_clock_update(kt_clock *clock);

/**
 * Converts a timestamp of a followed clock to the host's clock.
 *
 * - The timestamp may be older or newer than the newest clock pair.
 * - The counter's width is taken into account, for timestamps within half a wrap of the newest
 *   pair.
 * - If the width is unknown, a timestamp after the first wrap counts as one before it, until a
 *   clock pair has shown the wrap.
 * - The moment of a timestamp may be anywhere within its tick.
 *
 * @param clock a followed clock
 * @param ticks the timestamp, in ticks
 * @param[out] host_ns best estimate on the host's clock, in ns
 * @param[out] uncertainty_ns distance in ns that contains the truth in 99 of 100 cases; NULL if not
 * needed
 * @return KT_OK, or
 * - KT_INVALID: a required pointer is NULL
 * - KT_NOT_READY: the period is not known yet
 */
KT_API kt_status kt_clock_to_host(const kt_clock *clock, uint64_t ticks, int64_t *host_ns,
                                  double *uncertainty_ns);

/** State of a followed clock at its newest clock pair. An unknown `double` is NaN. */
typedef struct kt_clock_state {
    kt_clock_source source;       /**< source of its clock pairs */
    double period_ns;             /**< length of one tick, in ns of the host's clock */
    double period_uncertainty_ns; /**< 99 % uncertainty of period_ns */
    int period_exact;             /**< 1: exactly 1 ns: the device counts ns of the host's clock */
    uint64_t ticks;               /**< device clock at the newest pair, in ticks */
    int64_t host_ns;              /**< place of `ticks` on the host's clock, in ns */
    double uncertainty_ns;        /**< 99 % uncertainty of host_ns */
    uint32_t valid_bits;     /**< width of the counter; 0: unknown, since it has not wrapped yet */
    uint32_t valid_bits_min; /**< least width of the counter, if valid_bits is 0 */
    double narrowest_ns;     /**< width of the narrowest pair */
    uint64_t pairs,          /**< pairs taken so far */
        retaken,             /**< pairs taken again after a useless reading */
        wraps,               /**< wraps of the counter seen so far */
        resets;              /**< resets of the counter seen so far */
} kt_clock_state;

/**
 * State of a followed clock.
 *
 * @param clock a followed clock
 * @param[out] out its state; owned by the caller
 */
KT_API void kt_clock_get_state(const kt_clock *clock, kt_clock_state *out);

#ifdef __cplusplus
}
#endif

#ifdef KT_COMPILED_OUT
#define KT_GONE_HOST_NOW_
#include <kerntime/compiled_out.h>
#endif

#endif
