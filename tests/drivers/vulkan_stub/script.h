/* What KT_STUB_VULKAN asks for. README.md holds the table of keys. */
#ifndef VULKAN_STUB_SCRIPT_H
#define VULKAN_STUB_SCRIPT_H

#include <stdint.h>

enum script_memory { MEMORY_UNIFIED, MEMORY_DISCRETE, MEMORY_BAR, MEMORY_NONCOHERENT };
enum script_family { FAMILY_ALL, FAMILY_COMPUTE, FAMILY_TRANSFER, FAMILY_GRAPHICS };
enum script_clock { CLOCK_SIMULATED, CLOCK_HOST, CLOCK_OWN };
enum script_availability { AVAILABLE_ONE, AVAILABLE_TWO, AVAILABLE_NEVER };
enum script_writing { WRITING_HIDDEN, WRITING_SHOWN };
enum script_undefined { UNDEFINED_UNAVAILABLE, UNDEFINED_GARBAGE };
enum script_timestamps { TIMESTAMPS_GOOD, TIMESTAMPS_ZERO, TIMESTAMPS_BACKWARDS };
enum script_calibrated { CALIBRATED_NONE, CALIBRATED_EXT, CALIBRATED_KHR, CALIBRATED_BOTH };
enum script_domain { DOMAIN_DEVICE, DOMAIN_MONOTONIC, DOMAIN_RAW, DOMAIN_UNKNOWN };
enum script_device_values { VALUES_TRUE, VALUES_EPOCH, VALUES_RATE };
enum script_commands { COMMANDS_AT_ONCE, COMMANDS_HELD };
enum script_error { ERROR_HOST_MEMORY, ERROR_DEVICE_MEMORY, ERROR_LOST, ERROR_INITIALIZATION };

enum { LIST_MAX = 4, DEVICES_MAX = 4 };

/* Words or numbers with '+' between them. */
struct list {
    uint64_t items[LIST_MAX];
    uint64_t count;
};

/* All numbers 64 bits wide so that one table row describes any key. Ordinals count from 1, 0 is
 * never. */
struct script {
    uint64_t devices, type, api;
    uint64_t memory, heap, max_alloc;
    uint64_t host_pointers, host_alignment, host_types;
    struct list families, bits;
    double period;
    uint64_t clock, start, kernel_ticks, empty_ticks;
    uint64_t availability, undefined, writing, late, timestamps, every;
    uint64_t calibrated, deviation, deviation_grows, device_values;
    struct list domains;
    uint64_t max_range, max_groups, max_group_size, max_invocations, max_push;
    uint64_t commands, progress, hang, lost, late_fence, error;
    int missing; /* an entry that is not there, or ENTRY_COUNT */
};

/* Written once, before the first call answers; read freely after that. */
extern struct script script;

#endif
