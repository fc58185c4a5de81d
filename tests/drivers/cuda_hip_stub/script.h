/* SPDX-License-Identifier: MIT */
/* What KT_STUB_CUDA or KT_STUB_HIP asks for. README.md holds the table of keys. */
#ifndef CUDA_HIP_STUB_SCRIPT_H
#define CUDA_HIP_STUB_SCRIPT_H

#include "tests/drivers/frame/script.h"

enum script_elapsed {
    ELAPSED_GOOD,
    ELAPSED_NEGATIVE,
    ELAPSED_NOTHING,
    ELAPSED_NOT_READY,
    ELAPSED_INVALID,
    ELAPSED_CAPTURED
};
enum script_blocking { BLOCKING_WORKS, BLOCKING_IGNORED, BLOCKING_REFUSED, BLOCKING_PATIENT };
enum script_build { BUILD_GOOD, BUILD_FAIL };

enum { DEVICES_MAX = 8 };

#define AS_KERNEL_NS UINT64_MAX
#define AS_TOTAL     UINT64_MAX
#define LONGEST_NS   (UINT64_C(1) << 50)
#define BYTES_MAX    (UINT64_C(1) << 44)
#define NUMBER_MAX   UINT32_MAX

/* X(name, default, choices, min, max). Ordinals count from 1, 0 is never. */
#define SCRIPT_KEYS(X)                                                                 \
    X(init, 0, NULL, 0, 999)                                                           \
    X(devices, 1, NULL, 0, DEVICES_MAX)                                                \
    X(version, STUB_HIP ? 50221153 : 12040, NULL, 0, INT32_MAX)                        \
    X(nvrtc, 12040, NULL, 11000, 99990)                                                \
    X(call_ns, 20, NULL, 0, LONGEST_NS)                                                \
    X(poll_ns, 0, NULL, 0, LONGEST_NS)                                                 \
    X(late, 0, NULL, 0, NUMBER_MAX)                                                    \
    X(kernel_ns, 1000, NULL, 0, LONGEST_NS)                                            \
    X(empty_ns, AS_KERNEL_NS, NULL, 0, LONGEST_NS)                                     \
    X(copy_ns, AS_KERNEL_NS, NULL, 0, LONGEST_NS)                                      \
    X(record_ns, 250, NULL, 0, LONGEST_NS)                                             \
    X(busy_launch_ns, 0, NULL, 0, LONGEST_NS)                                          \
    X(fence_ns, 0, NULL, 0, LONGEST_NS)                                                \
    X(fence_flag, 1, NULL, 0, 1)                                                       \
    X(launch_gap_ns, 200, NULL, 0, LONGEST_NS)                                         \
    X(step_ns, 500, NULL, 1, LONGEST_NS)                                               \
    X(elapsed, ELAPSED_GOOD, "good negative nothing not_ready invalid captured", 0, 0) \
    X(events_ppm, 0, NULL, 0, 1000000)                                                 \
    X(every, 1, NULL, 1, NUMBER_MAX)                                                   \
    X(blocking, BLOCKING_WORKS, "works ignored refused patient", 0, 0)                 \
    X(give_up, 0, NULL, 0, NUMBER_MAX)                                                 \
    X(give_up_every, 0, NULL, 0, NUMBER_MAX)                                           \
    X(depth, 1024, NULL, 1, NUMBER_MAX)                                                \
    X(total_bytes, UINT64_C(1) << 30, NULL, 1, BYTES_MAX)                              \
    X(free_bytes, AS_TOTAL, NULL, 0, BYTES_MAX)                                        \
    X(l2_bytes, UINT64_C(1) << 20, NULL, 0, NUMBER_MAX / 2)                            \
    X(managed, 1, NULL, 0, 1)                                                          \
    X(concurrent, 1, NULL, 0, 1)                                                       \
    X(managed_waits, 0, NULL, 0, 1)                                                    \
    X(capability, STUB_HIP ? 90 : 75, NULL, 10, 999)                                   \
    X(units, 4, NULL, 1, NUMBER_MAX / 2)                                               \
    X(max_threads, 1024, NULL, 1, 1024)                                                \
    X(capturing, 0, NULL, 0, 1)                                                        \
    X(build, BUILD_GOOD, "good fail", 0, 0)                                            \
    X(wrong, 0, NULL, 0, UINT64_MAX)                                                   \
    X(skip_copy, 0, NULL, 0, UINT64_MAX)                                               \
    X(hang, 0, NULL, 0, UINT64_MAX)                                                    \
    X(hang_copy, 0, NULL, 0, UINT64_MAX)                                               \
    X(lost, 0, NULL, 0, UINT64_MAX)                                                    \
    X(error, CUDA_UNKNOWN, NULL, 1, 999)                                               \
    X(kernel_mhz, 1300, NULL, 0, NUMBER_MAX)                                           \
    X(clock_hangs, 0, NULL, 0, 1)                                                      \
    X(sm_mhz, 1410, NULL, 0, NUMBER_MAX)                                               \
    X(sm_max_mhz, 1980, NULL, 0, NUMBER_MAX)                                           \
    X(memory_mhz, 2619, NULL, 0, NUMBER_MAX)                                           \
    X(temperature_c, 41, NULL, 0, NUMBER_MAX)                                          \
    X(power_mw, 123456, NULL, 0, NUMBER_MAX)                                           \
    X(limit_mw, 650500, NULL, 0, NUMBER_MAX)                                           \
    X(default_limit_mw, 700000, NULL, 0, NUMBER_MAX)                                   \
    X(energy_mj, 5000250, NULL, 0, UINT64_MAX)                                         \
    X(reasons, 0, NULL, 0, UINT64_MAX)                                                 \
    X(others, 0, NULL, 0, NUMBER_MAX)                                                  \
    X(listed, 1, NULL, 0, 1)                                                           \
    X(persistence, 1, NULL, 0, NUMBER_MAX)

/* Written once, before the first call answers; read freely after that. */
extern struct script {
    SCRIPT_KEYS(SCRIPT_MEMBER)
} script;

#endif
