/* SPDX-License-Identifier: MIT */
/* What KT_STUB_WEBGPU asks for. README.md holds the table of keys. */
#ifndef WEBGPU_STUB_SCRIPT_H
#define WEBGPU_STUB_SCRIPT_H

#include "tests/drivers/frame/script.h"

enum script_passes { PASSES_TIMED, PASSES_ZERO };
enum script_adapter { ADAPTER_GPU, ADAPTER_INTEGRATED, ADAPTER_CPU, ADAPTER_NULL, ADAPTER_NONE };
enum script_toggle { TOGGLE_HEEDED, TOGGLE_IGNORED };
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

#define BYTES_MAX (UINT64_C(1) << 40)

/* Ordinals count from 1, 0 is never. */
#define SCRIPT_KEYS(X)                                                                 \
    X(timestamp_query, 1, NULL, 0, 1)                                                  \
    X(synchronises, 0, NULL, 0, 1)                                                     \
    X(timed_wait, 1, NULL, 0, 1)                                                       \
    X(max_buffer, UINT64_C(1) << 30, NULL, 1, BYTES_MAX)                               \
    X(max_binding, UINT64_C(1) << 27, NULL, 1, BYTES_MAX)                              \
    X(max_groups, 65535, NULL, 1, UINT32_MAX)                                          \
    X(max_group_size, 1024, NULL, 1, UINT32_MAX)                                       \
    X(max_invocations, 1024, NULL, 1, UINT32_MAX)                                      \
    X(max_storage_buffers, 10, NULL, 1, 15)                                            \
    X(memory, UINT64_MAX, NULL, 1, UINT64_MAX)                                         \
    X(toggle, TOGGLE_HEEDED, "heeded ignored", 0, 0)                                   \
    X(resolution, 1, NULL, 1, BYTES_MAX)                                               \
    X(kernel_ns, 1000, NULL, 0, BYTES_MAX)                                             \
    X(empty_ns, 1, NULL, 0, BYTES_MAX)                                                 \
    X(empty_passes, PASSES_TIMED, "timed zero", 0, 0)                                  \
    X(timestamps, TIMESTAMPS_GOOD, "good zero backwards zero_begin zero_end", 0, 0)    \
    X(every, 1, NULL, 1, UINT32_MAX)                                                   \
    X(commands, COMMANDS_AT_ONCE, "at_once held", 0, 0)                                \
    X(late, 0, NULL, 0, UINT32_MAX)                                                    \
    X(ready_ns, 0, NULL, 0, BYTES_MAX)                                                 \
    X(hang, 0, NULL, 0, UINT64_MAX)                                                    \
    X(lost, 0, NULL, 0, UINT64_MAX)                                                    \
    X(lost_done, STATUS_SUCCESS, "success error", 0, 0)                                \
    X(done, STUB_EARLY ? DONE_PLAIN : DONE_MESSAGE, "plain message", 0, 0)             \
    X(scopes, STUB_EARLY ? SCOPES_OF_DEVICE : SCOPES_OF_THREAD, "device thread", 0, 0) \
    X(threads, THREADS_CALLS, "calls waits any", 0, 0)                                 \
    X(build, BUILD_GOOD, "good fail", 0, 0)                                            \
    X(lax, 0, NULL, 0, 1)                                                              \
    X(error, ERROR_VALIDATION, "validation out_of_memory internal null", 0, 0)

/* Written once, before the first call answers; read freely after that. */
extern struct script {
    SCRIPT_KEYS(SCRIPT_MEMBER)
    struct script_list adapters;
} script;

#endif
