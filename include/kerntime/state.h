/* SPDX-License-Identifier: MIT */
/**
 * @file
 * State of a device at this moment: clocks, throttling, temperature, power and energy.
 */
#ifndef KERNTIME_STATE_H
#define KERNTIME_STATE_H

#include <kerntime/api.h>
#include <kerntime/device.h>
#include <kerntime/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The values: X(ID, key, label, least, most). `key` is its name in the result file, with the unit.
 * A reading outside of least to most is no valid one.
 */
#define KT_STATE_VALUES_(X)                                                   \
    X(CORE_CLOCK, core_clock_mhz, "core clock", 1, 1e5)                       \
    X(CORE_CLOCK_MAX, core_clock_max_mhz, "largest core clock", 1, 1e5)       \
    X(MEMORY_CLOCK, memory_clock_mhz, "memory clock", 1, 1e5)                 \
    X(TEMPERATURE, temperature_c, "temperature", -273, 1000)                  \
    X(POWER, power_w, "power", 0, 1e5)                                        \
    X(POWER_LIMIT, power_limit_w, "power limit", 1e-3, 1e5)                   \
    X(POWER_LIMIT_DEFAULT, power_limit_default_w, "default limit", 1e-3, 1e5) \
    X(ENERGY, energy_j, "energy counter", 0, 1e15)                            \
    X(ENERGY_PERIOD, energy_period_ms, "update period of energy", 1e-6, 1e6)  \
    X(THROTTLE, throttle, "throttling", 0, 4294967295.0)                      \
    X(OTHERS, other_processes, "processes of others", 0, 1e6)                 \
    X(CLOCKS_LOCKED, clocks_locked, "clocks locked", 0, 1)                    \
    X(PERSISTENCE, persistence, "persistence mode", 0, 1)

#define KT_STATE_ID_(ID, key, label, least, most) KT_STATE_##ID,

/**
 * Values of a kt_device_state. Their units are in the names: MHz, degrees Celsius, W, J, ms.
 *
 * - KT_STATE_ENERGY: energy since some moment in the past. It moves every KT_STATE_ENERGY_PERIOD,
 *   which is unknown until kerntime has watched it move.
 * - KT_STATE_THROTTLE: a bit mask of kt_throttle, 0 if nothing limits the clock.
 * - KT_STATE_OTHERS: processes besides this one that work on the device.
 * - KT_STATE_CLOCKS_LOCKED: 1 if the core clock is fixed to one rate.
 * - KT_STATE_PERSISTENCE: 1 if the driver stays loaded without a program.
 */
typedef enum kt_state_value {
    KT_STATE_VALUES_(KT_STATE_ID_)
    /** number of values */
    KT_STATE_VALUE_COUNT
} kt_state_value;

/** Outcome of reading a value. */
typedef enum kt_reading {
    KT_READING_UNSUPPORTED = 0, /**< no source reports it for this device */
    KT_READING_OK,              /**< valid */
    KT_READING_DENIED,          /**< the system or the driver allows it only to others */
    KT_READING_INVALID,         /**< the source gave a value that cannot be */
    KT_READING_FAILED,          /**< the source is here, and reading it failed */
    KT_READING_ASLEEP           /**< the device sleeps, and reading would wake it */
} kt_reading;

/** Reasons for a lower clock; a bit mask. */
typedef enum kt_throttle {
    KT_THROTTLE_POWER_CAP = 1, /**< the power limit */
    KT_THROTTLE_THERMAL = 2,   /**< temperature */
    KT_THROTTLE_HARDWARE = 4,  /**< the hardware's own protection, such as a brake by the supply */
    KT_THROTTLE_CURRENT = 8,   /**< limits of current or voltage */
    KT_THROTTLE_OTHER = 16,    /**< another limit, or one without a name */
    KT_THROTTLE_IDLE = 32,     /**< nothing to do; no throttling */
    KT_THROTTLE_SETTING = 64   /**< a user's setting of the clock; no throttling */
} kt_throttle;

/** The reasons that count as throttling. */
#define KT_THROTTLE_MASK 31u

/** Longest text of kt_throttle_names(), with its end. */
#define KT_THROTTLE_NAMES_BYTES 96

/** State of a device at one moment. A value is valid only if its reading is KT_READING_OK; else it
 * is NaN. */
typedef struct kt_device_state {
    int64_t host_ns; /**< moment of the reading, on the host clock; 0: no source */
    double value[KT_STATE_VALUE_COUNT];       /**< by kt_state_value; NaN: see `reading` */
    kt_reading reading[KT_STATE_VALUE_COUNT]; /**< by kt_state_value */
    char source[64]; /**< sources that gave values: "NVML", "amdgpu, hwmon"; empty: none */
} kt_device_state;

/**
 * State of a device during a measurement, by readings between its turns. An unknown value is NaN.
 *
 * - Means, ends and `throttle` are of the readings whose samples were kept.
 * - Units are in the names: MHz, degrees Celsius, W.
 */
typedef struct kt_state_summary {
    uint32_t readings;     /**< readings behind the values; 0: none, and nothing else is valid */
    double core_clock_mhz; /**< mean of the core clock */
    double core_clock_low_mhz;  /**< lowest core clock */
    double core_clock_high_mhz; /**< highest core clock */
    double memory_clock_mhz;    /**< mean of the memory clock */
    double temperature_c;       /**< highest temperature */
    double power_w;             /**< mean of the power */
    uint32_t throttle;          /**< reasons for throttling (kt_throttle) while samples were kept */
    /** Reasons of the samples that were left out (KT_TIMESTAMP_THROTTLED). 0: their core clock was
     * more than KT_CLOCK_SHARE_MAX below that of the others, without a reason. */
    uint32_t left_out;
    uint32_t kept_throttled; /**< samples kept although throttled: waiting longer would not help */
    double read_s;   /**< time spent on these readings and those whose samples were left out */
    double waited_s; /**< time in which the device was to recover: waits, and samples left out */
} kt_state_summary;

/** Samples are left out if the core clock is lower than that of the others by this share. */
#define KT_CLOCK_SHARE_MAX 0.1

/**
 * Reads the state of a device.
 *
 * - Sources: NVML, amdgpu, i915, xe, Level Zero Sysman, cpufreq and powercap of Linux. They are
 *   opened at the first call, which may take a second where a driver must load; later calls take
 *   some us to some ms.
 * - The device is found in them by its PCI address, never by its number.
 * - Threads: any, one at a time per device; others wait.
 *
 * @param device any device
 * @param[out] out state; owned by the caller
 * @return KT_OK, also if no value could be read, or
 * - KT_INVALID: a required pointer is NULL
 * - KT_DEVICE_LOST: the device hung before
 * - KT_NO_MEMORY: the host is out of memory
 */
KT_API kt_status kt_device_get_state(kt_device *device, kt_device_state *out);

/**
 * Name of a value as in the result file, with its unit, such as "power_w".
 *
 * Threads: any.
 *
 * @param value any value
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_state_value_name(kt_state_value value);

/**
 * Name of an outcome as in the result file, such as "denied".
 *
 * Threads: any.
 *
 * @param reading any value
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_reading_name(kt_reading reading);

/**
 * Name of one reason, such as "power_cap".
 *
 * Threads: any.
 *
 * @param reason one bit of kt_throttle
 * @return static string, never NULL; "unknown" for any other value
 */
KT_API const char *kt_throttle_name(kt_throttle reason);

/**
 * Names of all reasons in a mask, as people read them: "power cap, thermal"; empty for 0.
 *
 * Threads: any.
 *
 * @param mask bit mask of kt_throttle
 * @param[out] text buffer
 * @param bytes size of the buffer; KT_THROTTLE_NAMES_BYTES is always enough
 * @return `text`
 */
KT_API char *kt_throttle_names(uint32_t mask, char *text, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
