/* SPDX-License-Identifier: MIT */
/* What KT_STUB_METAL asks for. README.md holds the table of keys. */
#ifndef METAL_STUB_SCRIPT_H
#define METAL_STUB_SCRIPT_H

#include "tests/drivers/frame/script.h"

#include <stdint.h>

enum script_sampling { SAMPLING_APPLE, SAMPLING_AMD, SAMPLING_INTEL, SAMPLING_NONE };
enum script_timestamps {
    TIMESTAMPS_GOOD,
    TIMESTAMPS_ZERO,
    TIMESTAMPS_ERROR,
    TIMESTAMPS_BACKWARDS,
    TIMESTAMPS_EQUAL
};
enum script_timestamps_of { TIMESTAMPS_OF_ALL, TIMESTAMPS_OF_KERNELS, TIMESTAMPS_OF_COPIES };
enum script_host_side { HOST_SIDE_NS, HOST_SIDE_TICKS };
enum script_read_at { READ_ANYWHERE, READ_BEGIN, READ_MIDDLE, READ_END, READ_APART };
enum script_timebase { TIMEBASE_125_3, TIMEBASE_1_1 };
enum script_error_domain { ERRORS_OF_METAL, ERRORS_OF_OTHERS };
enum script_build { BUILD_GOOD, BUILD_FAIL };

enum { DEVICES_MAX = 4, MISSING_MAX = 8 };

#define AS_SAMPLING   UINT64_MAX
#define START_AS_HOST (UINT64_MAX - 1)
#define LONGEST_NS    (UINT64_C(1) << 50)
#define BYTES_MAX     (UINT64_C(1) << 44)
#define NUMBER_MAX    UINT32_MAX

/* X(name, default, choices, min, max). Ordinals count from 1, 0 is never. */
#define SCRIPT_KEYS(X)                                        \
    X(sampling, 0, "apple amd intel none", 0, 0)              \
    X(blits, 1, NULL, 0, 1)                                   \
    X(devices, 1, NULL, 0, DEVICES_MAX)                       \
    X(unlisted, 0, NULL, 0, 1)                                \
    X(low_power, 0, NULL, 0, 1)                               \
    X(proxy, 0, NULL, 0, 1)                                   \
    X(max_buffer, UINT64_C(1) << 30, NULL, 1, BYTES_MAX)      \
    X(max_threads, 1024, NULL, 1, 1024)                       \
    X(empty_threads, 1024, NULL, 1, 1024)                     \
    X(device_threads, AS_SAMPLING, NULL, 1, 1024)             \
    X(max_samples, 4096, NULL, 1, NUMBER_MAX)                 \
    X(max_sample_buffers, 32, NULL, 0, NUMBER_MAX)            \
    X(poll_ns, 0, NULL, 0, LONGEST_NS)                        \
    X(late, 0, NULL, 0, NUMBER_MAX)                           \
    X(timebase, AS_SAMPLING, "125/3 1/1", 0, 0)               \
    X(start, AS_SAMPLING, NULL, 0, UINT64_MAX - 1)            \
    X(bits, 64, NULL, 8, 64)                                  \
    X(pair_ns, 2000, NULL, 0, LONGEST_NS)                     \
    X(host_side, 0, "ns ticks", 0, 0)                         \
    X(read_at, 0, "anywhere begin middle end apart", 0, 0)    \
    X(block_ns, 0, NULL, 0, LONGEST_NS)                       \
    X(block_every, 0, NULL, 0, NUMBER_MAX)                    \
    X(pairs_percent, 100, NULL, 1, 1000)                      \
    X(timestamps, 0, "good zero error backwards equal", 0, 0) \
    X(timestamps_of, 0, "all kernels copies", 0, 0)           \
    X(every, 1, NULL, 1, NUMBER_MAX)                          \
    X(first, UINT64_MAX, NULL, 0, UINT64_MAX)                 \
    X(after, 0, NULL, 0, UINT64_MAX)                          \
    X(kernel_ns, 10000, NULL, 0, LONGEST_NS)                  \
    X(empty_ns, 1000, NULL, 0, LONGEST_NS)                    \
    X(copy_ns, AS_SAMPLING, NULL, 0, LONGEST_NS)              \
    X(build, 0, "good fail", 0, 0)                            \
    X(precise, 0, NULL, 0, 1)                                 \
    X(hang, 0, NULL, 0, UINT64_MAX)                           \
    X(error, 0, NULL, 0, UINT64_MAX)                          \
    X(error_times, 1, NULL, 1, UINT64_MAX)                    \
    X(error_code, 2, NULL, 0, NUMBER_MAX)                     \
    X(error_domain, 0, "metal other", 0, 0)                   \
    X(wrong, 0, NULL, 0, UINT64_MAX)

/* Written once, before the first call answers; read freely after that. */
extern struct script {
    SCRIPT_KEYS(SCRIPT_MEMBER)
    double ns_per_tick, drift_ppm; /* of the device's clock; the first by `sampling` */
    const char *name;              /* NULL: as is usual */
    const char *missing[MISSING_MAX];
} script;

#endif
