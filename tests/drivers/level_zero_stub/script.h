/* SPDX-License-Identifier: MIT */
/* What KT_STUB_LEVEL_ZERO asks for. README.md holds the table of keys. */
#ifndef LEVEL_ZERO_STUB_SCRIPT_H
#define LEVEL_ZERO_STUB_SCRIPT_H

#include "tests/drivers/frame/script.h"

#include <stdint.h>

enum script_unit { UNIT_BOTH, UNIT_OLD, UNIT_REFUSED, UNIT_HZ, UNIT_ZERO };
enum script_groups {
    GROUPS_ONE,
    GROUPS_PVC,
    GROUPS_DG2,
    GROUPS_COPY_FIRST,
    GROUPS_NONE,
    GROUPS_APART
};
enum script_pairs { PAIRS_GOOD, PAIRS_UNSUPPORTED, PAIRS_LOST, PAIRS_MISSING, PAIRS_SLOW };
enum script_timestamps {
    TIMESTAMPS_GOOD,
    TIMESTAMPS_ZERO,
    TIMESTAMPS_UNWRITTEN,
    TIMESTAMPS_BACKWARDS,
    TIMESTAMPS_NOT_READY,
    TIMESTAMPS_ERROR
};
enum script_immediate { IMMEDIATE_LATE, IMMEDIATE_AT_ONCE };
enum script_signalled { SIGNALLED_ASKED, SIGNALLED_CACHED };
enum script_build { BUILD_GOOD, BUILD_FAIL, BUILD_LATE };
enum script_error {
    ERROR_DEVICE_MEMORY,
    ERROR_HOST_MEMORY,
    ERROR_LOST,
    ERROR_UNINITIALIZED,
    ERROR_UNKNOWN
};

enum { VENDOR_INTEL = 0x8086, DRIVERS_MAX = 4, DEVICES_MAX = 4, TILES_MAX = 32 };

#define AS_OTHER   UINT64_MAX
#define LONGEST_NS (UINT64_C(1) << 50)
#define BYTES_MAX  (UINT64_C(1) << 44)

/* X(name, default, choices, min, max). Ordinals count from 1, 0 is never. */
#define SCRIPT_KEYS(X)                                                                    \
    X(drivers, 1, NULL, 0, DRIVERS_MAX)                                                   \
    X(devices, 1, NULL, 0, DEVICES_MAX)                                                   \
    X(integrated, 0, NULL, 0, 1)                                                          \
    X(npu, 0, NULL, 0, 1)                                                                 \
    X(vendor, VENDOR_INTEL, NULL, 0, UINT16_MAX)                                          \
    X(groups, GROUPS_ONE, "one pvc dg2 copy_first none apart", 0, 0)                      \
    X(call_ns, 20, NULL, 0, LONGEST_NS)                                                   \
    X(poll_ns, 0, NULL, 0, LONGEST_NS)                                                    \
    X(late, 0, NULL, 0, UINT32_MAX)                                                       \
    X(unit, UNIT_BOTH, "both old refused hz zero", 0, 0)                                  \
    X(hz, 19200000, NULL, 1000, 1000000000)                                               \
    X(bits, 36, NULL, 1, 64)                                                              \
    X(kernel_bits, 32, NULL, 1, 64)                                                       \
    X(garbage, 0, NULL, 0, 1)                                                             \
    X(context_percent, 100, NULL, 1, 100)                                                 \
    X(tiles, 1, NULL, 1, TILES_MAX)                                                       \
    X(extension, 1, NULL, 0, 1)                                                           \
    X(calibrated_timestamps, PAIRS_GOOD, "good unsupported lost missing slow", 0, 0)      \
    X(kernel_ns, 10000, NULL, 0, LONGEST_NS)                                              \
    X(kernel_ticks, 0, NULL, 0, LONGEST_NS)                                               \
    X(copy_ns, AS_OTHER, NULL, 0, LONGEST_NS)                                             \
    X(barrier_ticks, 3, NULL, 0, UINT32_MAX)                                              \
    X(gap_ns, 2000, NULL, 0, LONGEST_NS)                                                  \
    X(timestamps, TIMESTAMPS_GOOD, "good zero unwritten backwards not_ready error", 0, 0) \
    X(every, 1, NULL, 1, UINT32_MAX)                                                      \
    X(query_ns, 0, NULL, 0, LONGEST_NS)                                                   \
    X(signalled, SIGNALLED_ASKED, "asked cached", 0, 0)                                   \
    X(aub, 0, NULL, 0, 1)                                                                 \
    X(immediate, IMMEDIATE_LATE, "late at_once", 0, 0)                                    \
    X(total_bytes, UINT64_C(1) << 30, NULL, 1, BYTES_MAX)                                 \
    X(max_alloc, AS_OTHER, NULL, 1, BYTES_MAX)                                            \
    X(build, BUILD_GOOD, "good fail late", 0, 0)                                          \
    X(hang, 0, NULL, 0, UINT64_MAX)                                                       \
    X(lost, 0, NULL, 0, UINT64_MAX)                                                       \
    X(error, ERROR_DEVICE_MEMORY, "device_memory host_memory lost uninitialized unknown", 0, 0)

/* Written once, before the first call answers; read freely after that. */
extern struct script {
    SCRIPT_KEYS(SCRIPT_MEMBER)
} script;

#endif
