/* clock.h - the host's clock, and what is known of a device's clocks. */
#ifndef KERNTIME_CLOCK_H
#define KERNTIME_CLOCK_H

#include <kerntime/api.h>
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

/** How a duration was obtained. Two durations of different methods are not comparable. */
typedef enum kt_method {
    KT_METHOD_NONE = 0,
    KT_METHOD_DEVICE_TIMESTAMP, /**< two stamps written by the device itself */
    KT_METHOD_EVENT_PROFILE,    /**< the start and end of one command, as its event tells */
    KT_METHOD_EVENT_PAIR,       /**< the distance of two events */
    KT_METHOD_COMMAND_BUFFER,   /**< start and end of a whole command buffer */
    KT_METHOD_HOST_WALL,        /**< the host's clock before submission and after completion */
    KT_METHOD_SIMULATED         /**< a script; no device took part */
} kt_method;

/** As in the result file: "event-profile". Never NULL. */
KT_API const char *kt_method_name(kt_method method);

/** Most clocks that one device may have. */
#define KT_CLOCKS_MAX 4

/** One clock of a device. Unknown doubles are NaN. */
typedef struct kt_clock_info {
    char name[24]; /**< "kernel" */
    kt_method method;
    double period_ns;      /**< length of one tick */
    double frequency_hz;   /**< as the driver tells it; NaN where it tells a period or nothing */
    uint32_t valid_bits;   /**< 1..64; a stamp is taken modulo 2 to this power */
    char domain[32];       /**< host clock that it shares its zero and rate with; empty: unknown */
    double uncertainty_ns; /**< of its relation to the host clock */
} kt_clock_info;

/** A moment of a device's clock between two moments of the host's clock. */
typedef struct kt_clock_pair {
    int64_t host_before_ns;
    uint64_t ticks;
    int64_t host_after_ns;
} kt_clock_pair;

#ifdef __cplusplus
}
#endif

#endif
