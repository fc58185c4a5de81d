/* SPDX-License-Identifier: MIT */
/*
 * timestamps.h - interprets the numbers of a device: its clocks, and the timestamps of its events.
 * Pure functions.
 *
 * Kernel timestamps and global timestamps come from two counters, kernelTimestampValidBits and
 * timestampValidBits wide. The counters share nothing but the period of a tick.
 */
#ifndef KT_LEVEL_ZERO_TIMESTAMPS_H
#define KT_LEVEL_ZERO_TIMESTAMPS_H

#include "backend.h"

#include <level_zero/ze_api.h>

/* The clock numbers of a device, and of a timer context, which may lack some. */
enum {
    LEVEL_ZERO_KERNEL,  /* ze_kernel_timestamp_result_t.global */
    LEVEL_ZERO_GLOBAL,  /* zeCommandListAppendWriteGlobalTimestamp, zeDeviceGetGlobalTimestamps */
    LEVEL_ZERO_CONTEXT, /* ze_kernel_timestamp_result_t.context */
    LEVEL_ZERO_CLOCK_COUNT
};

/* Describes clock `which` (LEVEL_ZERO_KERNEL, ...) of a device from its properties, of either
 * structure. */
kt_clock_info kt_level_zero_clock(const ze_device_properties_t *properties, int which);

/* Combines the results of several tiles, from the earliest start to the latest end on a counter of
 * that many bits (0: unknown). Starts are at most half a wrap apart, and so are ends. A result of
 * zeros is of a tile that did nothing. */
ze_kernel_timestamp_result_t kt_level_zero_combine(const ze_kernel_timestamp_result_t *tiles,
                                                   uint32_t count, uint32_t valid_bits);

/* The timestamp from the start of one result to the end of another, with the context clock's.
 * KT_TIMESTAMP_ZERO: one of them was not written. */
kt_timestamp kt_level_zero_timestamp_of(const ze_kernel_timestamp_result_t *first,
                                        const ze_kernel_timestamp_result_t *last);

#endif
