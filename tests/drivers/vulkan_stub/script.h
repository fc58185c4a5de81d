/* SPDX-License-Identifier: MIT */
/* What KT_STUB_VULKAN asks for. README.md holds the table of keys. */
#ifndef VULKAN_STUB_SCRIPT_H
#define VULKAN_STUB_SCRIPT_H

#include "tests/drivers/frame/script.h"

enum script_memory { MEMORY_UNIFIED, MEMORY_DISCRETE, MEMORY_BAR, MEMORY_NONCOHERENT };
enum script_family { FAMILY_ALL, FAMILY_COMPUTE, FAMILY_TRANSFER, FAMILY_GRAPHICS };
enum script_availability { AVAILABLE_ONE, AVAILABLE_TWO, AVAILABLE_NEVER };
enum script_writing { WRITING_HIDDEN, WRITING_SHOWN };
enum script_undefined { UNDEFINED_UNAVAILABLE, UNDEFINED_GARBAGE };
enum script_timestamps { TIMESTAMPS_GOOD, TIMESTAMPS_ZERO, TIMESTAMPS_BACKWARDS, TIMESTAMPS_EARLY };
enum script_calibrated { CALIBRATED_NONE, CALIBRATED_EXT, CALIBRATED_KHR, CALIBRATED_BOTH };
enum script_domain { DOMAIN_DEVICE, DOMAIN_MONOTONIC, DOMAIN_RAW, DOMAIN_UNKNOWN };
enum script_device_values { VALUES_TRUE, VALUES_EPOCH, VALUES_RATE };
enum script_commands { COMMANDS_AT_ONCE, COMMANDS_HELD };
enum script_error { ERROR_HOST_MEMORY, ERROR_DEVICE_MEMORY, ERROR_LOST, ERROR_INITIALIZATION };

enum { DEVICES_MAX = 4, PUSH_MAX = 256 };

#define BYTES_MAX  (UINT64_C(1) << 40)
#define NUMBER_MAX UINT32_MAX

/* X(name, default, choices, min, max). Ordinals count from 1, 0 is never. */
#define SCRIPT_KEYS(X)                                                  \
    X(devices, 1, NULL, 0, DEVICES_MAX)                                 \
    X(type, 0, "gpu cpu", 0, 0)                                         \
    X(api, 3, "1.0 1.1 1.2 1.3", 0, 0)                                  \
    X(memory, MEMORY_UNIFIED, "unified discrete bar noncoherent", 0, 0) \
    X(heap, UINT64_C(1) << 30, NULL, 1, BYTES_MAX)                      \
    X(max_alloc, UINT64_C(1) << 30, NULL, 1, BYTES_MAX)                 \
    X(host_pointers, 1, NULL, 0, 1)                                     \
    X(host_alignment, 4096, NULL, 1, NUMBER_MAX)                        \
    X(host_types, 15, NULL, 0, NUMBER_MAX)                              \
    X(host_reset, 0, NULL, 0, 1)                                        \
    X(kernel_ticks, 1000, NULL, 0, BYTES_MAX)                           \
    X(empty_ticks, 1, NULL, 0, BYTES_MAX)                               \
    X(availability, AVAILABLE_ONE, "1 2 never", 0, 0)                   \
    X(undefined, UNDEFINED_UNAVAILABLE, "unavailable garbage", 0, 0)    \
    X(writing, WRITING_HIDDEN, "hidden shown", 0, 0)                    \
    X(late, 0, NULL, 0, NUMBER_MAX)                                     \
    X(timestamps, TIMESTAMPS_GOOD, "good zero backwards early", 0, 0)   \
    X(every, 1, NULL, 1, NUMBER_MAX)                                    \
    X(calibrated, CALIBRATED_NONE, "none ext khr both", 0, 0)           \
    X(deviation, 1, NULL, 0, BYTES_MAX)                                 \
    X(deviation_grows, 0, NULL, 0, 1)                                   \
    X(device_values, VALUES_TRUE, "true epoch rate", 0, 0)              \
    X(max_range, UINT64_C(1) << 27, NULL, 1, NUMBER_MAX)                \
    X(max_groups, 65535, NULL, 1, NUMBER_MAX)                           \
    X(max_group_size, 1024, NULL, 1, NUMBER_MAX)                        \
    X(max_invocations, 1024, NULL, 1, NUMBER_MAX)                       \
    X(max_push, 128, NULL, 4, PUSH_MAX)                                 \
    X(commands, COMMANDS_AT_ONCE, "at_once held", 0, 0)                 \
    X(progress, 0, NULL, 0, NUMBER_MAX)                                 \
    X(hang, 0, NULL, 0, UINT64_MAX)                                     \
    X(lost, 0, NULL, 0, UINT64_MAX)                                     \
    X(late_fence, 0, NULL, 0, NUMBER_MAX)                               \
    X(error, ERROR_HOST_MEMORY, "host_memory device_memory lost initialization", 0, 0)

/* Written once, before the first call answers; read freely after that. */
extern struct script {
    SCRIPT_KEYS(SCRIPT_MEMBER)
    struct script_list families, bits, domains;
    int missing; /* an entry that is not there, or ENTRY_COUNT */
} script;

#endif
