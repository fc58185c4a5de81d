/* What KT_STUB_LEVEL_ZERO asks for. README.md holds the table of keys. */
#ifndef LEVEL_ZERO_STUB_SCRIPT_H
#define LEVEL_ZERO_STUB_SCRIPT_H

#include <stdint.h>

enum script_clock { CLOCK_SIMULATED, CLOCK_HOST };
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

enum { VENDOR_INTEL = 0x8086, DRIVERS_MAX = 4, DEVICES_MAX = 4 };

/* All numbers 64 bits wide so that one table row describes any key. Ordinals count from 1, 0 is
 * never. */
struct script {
    uint64_t drivers, devices, integrated, vendor, groups;
    uint64_t clock, call_ns, poll_ns, late;
    uint64_t unit, hz, bits, kernel_bits, garbage;
    uint64_t context_percent, tiles, extension, calibrated_timestamps;
    uint64_t kernel_ns, kernel_ticks, copy_ns, barrier_ticks, gap_ns;
    uint64_t timestamps, every, query_ns, signalled;
    uint64_t aub, immediate;
    uint64_t total_bytes, max_alloc;
    uint64_t build, hang, lost, error;
};

/* Written once, before the first call answers; read freely after that. */
extern struct script script;

#endif
