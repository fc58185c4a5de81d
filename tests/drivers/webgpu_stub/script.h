/* What KT_STUB_WEBGPU asks for. README.md holds the table of keys. */
#ifndef WEBGPU_STUB_SCRIPT_H
#define WEBGPU_STUB_SCRIPT_H

#include <stdint.h>

enum script_adapter { ADAPTER_GPU, ADAPTER_INTEGRATED, ADAPTER_CPU, ADAPTER_NULL, ADAPTER_NONE };
enum script_toggle { TOGGLE_HEEDED, TOGGLE_IGNORED };
enum script_clock { CLOCK_SIMULATED, CLOCK_HOST, CLOCK_OWN };
enum script_timestamps {
    TIMESTAMPS_GOOD,
    TIMESTAMPS_ZERO,
    TIMESTAMPS_BACKWARDS,
    TIMESTAMPS_ZERO_BEGIN,
    TIMESTAMPS_ZERO_END
};
enum script_commands { COMMANDS_AT_ONCE, COMMANDS_HELD };
enum script_done { DONE_PLAIN, DONE_MESSAGE };
enum script_status { STATUS_SUCCESS, STATUS_ERROR };
enum script_scopes { SCOPES_OF_DEVICE, SCOPES_OF_THREAD };
enum script_threads { THREADS_CALLS, THREADS_WAITS, THREADS_ANY };
enum script_build { BUILD_GOOD, BUILD_FAIL };
enum script_error { ERROR_VALIDATION, ERROR_OUT_OF_MEMORY, ERROR_INTERNAL, ERROR_NULL };

enum { ADAPTERS_MAX = 4 };

/* All numbers 64 bits wide so that one table row describes any key. Ordinals count from 1, 0 is
 * never. */
struct script {
    uint64_t adapters[ADAPTERS_MAX], adapter_count;
    uint64_t timestamp_query, synchronises, timed_wait;
    uint64_t max_buffer, max_binding, max_groups, max_group_size, max_invocations;
    uint64_t max_storage_buffers, memory;
    uint64_t toggle, quantum, resolution;
    uint64_t clock, start, kernel_ns, empty_ns;
    uint64_t timestamps, every;
    uint64_t commands, late, ready_ns, hang, lost, lost_done;
    uint64_t done, scopes, threads, build, lax, error;
};

/* Written once, before the first call answers; read freely after that. */
extern struct script script;

#endif
