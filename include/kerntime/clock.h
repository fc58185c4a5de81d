/* clock.h - the host's clocks, what is known of a device's clocks, and where their ticks lie on the
 * host's time line. */
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
 * A clock of the host. Zeroed means the system's own. Give another to kt_context_create() to drive
 * measurements by a clock of yours, as tests do. Both functions may be called from any thread.
 */
typedef struct kt_host_clock {
    int64_t (*now)(void *user); /**< ns since any fixed moment; never goes back */
    void (*sleep)(void *user, int64_t duration_ns); /**< returns no earlier than that much later */
    void *user;
} kt_host_clock;

/** Now on the system's host clock (CLOCK_MONOTONIC_RAW where there is one), in ns. Any thread. */
KT_API int64_t kt_host_now_ns(void);

/** Clocks that the system keeps. Instants of each are int64_t ns since its own zero. */
typedef enum kt_host_domain {
    KT_HOST_MONOTONIC_RAW = 0, /**< the system's own time, never adjusted: kerntime's host clock */
    KT_HOST_MONOTONIC,         /**< its rate is adjusted to that of the world's time */
    KT_HOST_BOOTTIME,          /**< the same, and goes on while the system is suspended */
    KT_HOST_REALTIME,          /**< since 1970 in UTC; may be set at any time */
    /** of macOS alone: mach_absolute_time() in ns. It stops while the system is suspended, which
     * KT_HOST_MONOTONIC_RAW does not there */
    KT_HOST_UPTIME_RAW,
    KT_HOST_DOMAIN_COUNT
} kt_host_domain;

/** "CLOCK_MONOTONIC_RAW". Never NULL. */
KT_API const char *kt_host_domain_name(kt_host_domain domain);

/** Now in a domain. KT_UNSUPPORTED: this system has none such. Any thread. */
KT_API kt_status kt_host_domain_now(kt_host_domain domain, int64_t *now_ns);

/**
 * The moment of one domain that is `from_ns` in another, by the distance that the two have now,
 * read a few times. `uncertainty_ns` is half the narrowest reading, the step in which the system
 * tells each of them, and 0.05 % of the time between now and that moment, since that is by how much
 * ntpd lets a clock run faster or slower; a clock that was set in between is not noticed; NULL: not
 * asked for. Of one domain to itself it is that very moment. Any thread. KT_INVALID: no such
 * domain, or no such moment there; KT_UNSUPPORTED; KT_NOT_READY: a clock was set while it was read,
 * so ask again.
 */
KT_API kt_status kt_host_convert(kt_host_domain from, int64_t from_ns, kt_host_domain to,
                                 int64_t *to_ns, double *uncertainty_ns);

/** How a duration was obtained. Two durations of different methods are not comparable. */
typedef enum kt_method {
    KT_METHOD_NONE = 0,
    KT_METHOD_DEVICE_TIMESTAMP, /**< two stamps written by the device itself */
    KT_METHOD_EVENT_PROFILE,    /**< the start and end of one command, as its event tells */
    KT_METHOD_EVENT_PAIR,       /**< the distance of two events */
    KT_METHOD_EVENT_PAIR_HELD,  /**< the same, with all that lies between them queued while a short
                                     kernel held the queue: no pause of launching is in it */
    KT_METHOD_COMMAND_BUFFER,   /**< start and end of a whole command buffer */
    KT_METHOD_HOST_WALL,        /**< the host's clock before submission and after completion */
    KT_METHOD_SIMULATED         /**< a script; no device took part */
} kt_method;

/** As in the result file: "event-profile". Never NULL. */
KT_API const char *kt_method_name(kt_method method);

/**
 * Whether a clock of this method gives distances: it tells how far apart two stamps are, and of
 * neither when it was. So it has no ticks: its period, frequency and width are unknown, it shares
 * its zero with no clock of the host, and it cannot be followed (kt_clock_open()).
 */
static inline int kt_method_gives_distances(kt_method method)
{
    return method == KT_METHOD_EVENT_PAIR || method == KT_METHOD_EVENT_PAIR_HELD;
}

/** Most clocks that one device may have. */
#define KT_CLOCKS_MAX 4

/** How something about a clock is known. */
typedef enum kt_clock_source {
    KT_SOURCE_NONE = 0, /**< it is not known, or was not yet looked for */
    KT_SOURCE_TOLD,     /**< the driver says it, or the API's specification */
    KT_SOURCE_PAIRS,    /**< found from pairs that the API gives: both clocks at one moment */
    KT_SOURCE_BRACKETS  /**< found from commands between two readings of the host's clocks */
} kt_clock_source;

/** As in the result file: "brackets". Never NULL. */
KT_API const char *kt_clock_source_name(kt_clock_source source);

/** One clock of a device. Unknown doubles are NaN. What is not told is written when it is found: by
 * kt_clock_open(), kt_device_find_clocks() and the first measurement. Read it when none of them is
 * under way. */
typedef struct kt_clock_info {
    char name[24]; /**< "kernel" */
    kt_method method;
    /** 1: it stands still while the device works for others, so it lies nowhere on the host's time
     * line */
    int pauses;
    double period_ns; /**< length of one tick */
    /** By how much that may be wrong where it was found, in 99 of 100 cases; 0: it is plainly a ns.
     * NaN: it was told, is not known yet, or was found without knowing how well. A duration may be
     * wrong by as large a share, and by a step of the clock. */
    double period_uncertainty_ns;
    /** Length of one tick as the driver tells it, where that is in whole ns: too coarse to reckon
     * with (83 ns of 83.333 are 0.4 %), so period_ns is found in its place. 0: it tells another
     * way. */
    uint32_t told_period_ns;
    /** Clocks of one device with the same number, not 0, count the same ticks: what is found of
     * one's length is that of all. */
    uint32_t timer;
    double frequency_hz; /**< as the driver tells it; NaN where it tells a period or nothing */
    uint32_t valid_bits; /**< 1..64; a stamp is taken modulo 2 to this power; 0: unknown, ... */
    /** ... and then it has at least so many; 0: none is known to be valid */
    uint32_t valid_bits_min;
    char domain[32]; /**< clock of the host that it shares its zero and rate with; empty: none */
    double uncertainty_ns; /**< of its relation to the host clock, when it was last looked for */
    double drift_ppm;      /**< by how much it runs faster on the host clock than told, if known
                              within 10 */
    kt_clock_source period_source;   /**< how period_ns is known */
    kt_clock_source relation_source; /**< how domain, uncertainty_ns and drift_ppm are known */
} kt_clock_info;

/** Whether stamps of the clock can lie anywhere on the host's time line: not of one that gives
 * distances, or pauses. */
static inline int kt_clock_has_place(const kt_clock_info *clock)
{
    return !kt_method_gives_distances(clock->method) && !clock->pauses;
}

/** A moment of a device's clock between two moments of the host's clock. */
typedef struct kt_clock_pair {
    int64_t host_before_ns;
    uint64_t ticks;
    int64_t host_after_ns;
} kt_clock_pair;

/* ---- placing a device's stamps on the host's time line ---- */

typedef struct kt_device kt_device; /* device.h */

/**
 * A clock of a device that is followed: from pairs taken now and then it knows where any stamp lies
 * on the host's clock (that of kt_host_now_ns(), unless the context or the device has one of its
 * own), and how surely. One thread at a time per clock; a device may have several, and be measured
 * on meanwhile.
 */
typedef struct kt_clock kt_clock;

/** What the members of kt_clock_options mean when they are 0. */
#define KT_CLOCK_PAIRS_DEFAULT       32
#define KT_CLOCK_INTERVAL_DEFAULT_NS INT64_C(10000000)

/** Options of a clock. Zero everything but `size` for the defaults. */
typedef struct kt_clock_options {
    size_t size;    /**< sizeof(kt_clock_options) */
    uint32_t pairs; /**< taken when it is opened, if that takes no longer than 100 ms; 0: 32 */
    /** least time between two pairs of kt_clock_update(); 0: 10 ms, or a hundred times what a pair
     * costs, if that is more */
    int64_t interval_ns;
} kt_clock_options;

/**
 * Starts following clock number `index` of a device: finds out how pairs can be had, takes some,
 * and writes what it found into the device's info. Pairs come from the API where it can read both
 * clocks, from the host alone where the device's clock is one of the host's, and else from empty
 * commands between two readings of the host's clock. Takes some ms, longer where the period has to
 * be found, or where the API has to build an empty command first (some 100 ms). Where each pair
 * takes long, as of a device that is busy: up to some 2 s, or as long as some 20 of them take.
 * KT_INVALID, KT_NO_MEMORY, KT_UNSUPPORTED (no stamps to be believed, or of a clock whose stamps
 * lie nowhere, see kt_clock_has_place()), KT_NOT_READY (the period could not be found), KT_TIMEOUT,
 * KT_DEVICE_LOST, KT_DRIVER_ERROR.
 */
KT_API kt_status kt_clock_open(kt_device *device, uint32_t index, const kt_clock_options *options,
                               kt_clock **out);
/** Before its device is closed. */
KT_API void kt_clock_close(kt_clock **clock);

/**
 * Takes one pair if it is time. Made to be called every frame, or whenever there is nothing else to
 * do: it limits itself. Without it the clock is extrapolated, and the uncertainty grows. Errors as
 * above; then what was known stays.
 */
KT_API kt_status kt_clock_update(kt_clock *clock);

/**
 * Where a stamp of this clock lies on the host's clock: the best estimate, and a distance within
 * which the truth is in 99 of 100 cases (NULL: not asked for). Stamps may be older or newer than
 * the newest pair; the counter's width is taken into account, for stamps within half a turn of it.
 * Where the width is not known, stamps from after its first turn are taken for such from before
 * until a pair has shown that turn. A stamp is taken to be read anywhere within its tick.
 * KT_NOT_READY: the period is not known yet.
 */
KT_API kt_status kt_clock_to_host(const kt_clock *clock, uint64_t ticks, int64_t *host_ns,
                                  double *uncertainty_ns);

/** What is known of a clock that is followed, at its newest pair. Unknown doubles are NaN. */
typedef struct kt_clock_state {
    kt_clock_source source;       /**< of its pairs */
    double period_ns;             /**< of the host's clock, per tick */
    double period_uncertainty_ns; /**< 99 % */
    int period_exact;             /**< plainly 1 ns: the device counts ns of the host's clock */
    uint64_t ticks;               /**< the newest pair's, ... */
    int64_t host_ns;              /**< ... where they lie on the host's clock, ... */
    double uncertainty_ns;        /**< ... 99 % */
    uint32_t valid_bits;          /**< 0: not known, for it did not wrap yet; then it has ... */
    uint32_t valid_bits_min;      /**< ... at least so many */
    double narrowest_ns;          /**< the narrowest pair's width */
    uint64_t pairs, retaken, wraps, resets; /**< so far; `retaken` for telling nothing */
} kt_clock_state;

KT_API void kt_clock_get_state(const kt_clock *clock, kt_clock_state *out);

#ifdef __cplusplus
}
#endif

#endif
