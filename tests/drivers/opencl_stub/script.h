/* SPDX-License-Identifier: MIT */
/* What KT_STUB_OPENCL asks for. README.md holds the table of keys. */
#ifndef OPENCL_STUB_SCRIPT_H
#define OPENCL_STUB_SCRIPT_H

#include "tests/drivers/frame/clock.h"
#include "tests/drivers/frame/script.h"

enum script_type { TYPE_GPU, TYPE_CPU };
enum script_timestamps {
    TIMESTAMPS_GOOD,
    TIMESTAMPS_FAKE,
    TIMESTAMPS_ZERO,
    TIMESTAMPS_SWAPPED,
    TIMESTAMPS_BACKWARDS,
    TIMESTAMPS_COARSE
};
enum script_build { BUILD_GOOD, BUILD_FAIL, BUILD_HANG };
enum script_markers { MARKERS_WAIT, MARKERS_FRONT };
enum script_svm { SVM_COARSE, SVM_NONE };
enum script_timer { TIMER_USUAL, TIMER_NONE, TIMER_ZERO, TIMER_FAIL };

enum { MAX_DEVICES = 16 };

/* Half the range is headroom: a simulated clock of so long kernels must not overflow in a test. */
#define LONGEST_NS (UINT64_C(1) << 40)
/* No duration: what empty_ns is until the script has been read. */
#define AS_KERNEL_NS UINT64_MAX

/* Ordinals count from 1, 0 is never; `version` is a place in the list of choices. */
#define SCRIPT_KEYS(X)                                                              \
    X(platforms, 1, NULL, 0, 1)                                                     \
    X(devices, 1, NULL, 0, MAX_DEVICES)                                             \
    X(cuts_environment, 0, NULL, 0, 1)                                              \
    X(type, TYPE_GPU, "gpu cpu", 0, 0)                                              \
    X(kernel_ns, 1000, NULL, 0, LONGEST_NS)                                         \
    X(empty_ns, AS_KERNEL_NS, NULL, 0, LONGEST_NS)                                  \
    X(timestamps, TIMESTAMPS_GOOD, "good fake zero swapped backwards coarse", 0, 0) \
    X(spoil_from, 0, NULL, 1, UINT64_MAX)                                           \
    X(no_profiling_info, 0, NULL, 0, 1)                                             \
    X(build, BUILD_GOOD, "good fail hang", 0, 0)                                    \
    X(hang, 0, NULL, 0, UINT64_MAX)                                                 \
    X(lost, 0, NULL, 0, UINT64_MAX)                                                 \
    X(event_error, 0, NULL, 0, UINT64_MAX)                                          \
    X(wrong, 0, NULL, 0, UINT64_MAX)                                                \
    X(skip, 0, NULL, 0, UINT64_MAX)                                                 \
    X(skip_copy, 0, NULL, 0, UINT64_MAX)                                            \
    X(half_copy, 0, NULL, 0, UINT64_MAX)                                            \
    X(late, 0, NULL, 0, UINT32_MAX)                                                 \
    X(lag, 0, NULL, 0, UINT32_MAX)                                                  \
    X(profiling, 1, NULL, 0, 1)                                                     \
    X(noise, 1, NULL, 0, 1)                                                         \
    X(max_alloc, UINT64_C(1) << 30, NULL, 1, UINT64_C(1) << 40)                     \
    X(memory, UINT64_MAX, NULL, 0, UINT64_MAX)                                      \
    X(clock, CLOCK_SIMULATED, CLOCK_CHOICES, 0, 0)                                  \
    X(timer, TIMER_USUAL, "usual none zero fail", 0, 0)                             \
    X(markers, MARKERS_WAIT, "wait front", 0, 0)                                    \
    X(svm, SVM_COARSE, "coarse none", 0, 0)                                         \
    X(backlog, 0, NULL, 0, UINT64_MAX)                                              \
    X(event_map_ns, 0, NULL, 0, 1000000)                                            \
    X(version, 0, "3.0 2.1 2.0 1.2 1.1", 0, 0)

/* Written once, before the first call answers; read freely after that. */
extern struct script {
    SCRIPT_KEYS(SCRIPT_MEMBER)
} script;

#endif
