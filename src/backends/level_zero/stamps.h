/*
 * stamps.h - what the numbers of a device mean: its clocks, and the timestamps that its events
 * hold. Pure.
 *
 * Timestamps of kernels and global timestamps are of two counters, kernelTimestampValidBits and
 * timestampValidBits wide. They share nothing but the length of a tick.
 */
#ifndef KT_LEVEL_ZERO_STAMPS_H
#define KT_LEVEL_ZERO_STAMPS_H

#include "backend.h"

#include <level_zero/ze_api.h>

/* The clocks of a device, and of a native as far as it has them. */
enum {
    LEVEL_ZERO_KERNEL,  /* ze_kernel_timestamp_result_t.global */
    LEVEL_ZERO_GLOBAL,  /* zeCommandListAppendWriteGlobalTimestamp, zeDeviceGetGlobalTimestamps */
    LEVEL_ZERO_CONTEXT, /* ze_kernel_timestamp_result_t.context */
    LEVEL_ZERO_CLOCK_COUNT
};

/* LEVEL_ZERO_KERNEL, ... of a device with these properties, by whichever structure they were
 * asked. */
kt_clock_info level_zero_clock(const ze_device_properties_t *properties, int which);

/* One result for several tiles, from the earliest start to the latest end on a counter of so many
 * bits (0: unknown). Starts are no more than half a turn apart, nor are ends. A result of zeros is
 * of a tile that had no part in it. */
ze_kernel_timestamp_result_t level_zero_combine(const ze_kernel_timestamp_result_t *tiles,
                                                uint32_t count, uint32_t valid_bits);

/* From the start of one result to the end of another, as a stamp with its context. KT_STAMP_ZERO:
 * one of them was not written. */
kt_stamp level_zero_stamp_of(const ze_kernel_timestamp_result_t *first,
                             const ze_kernel_timestamp_result_t *last);

#endif
