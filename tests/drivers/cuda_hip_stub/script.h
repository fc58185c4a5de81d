/* What KT_STUB_CUDA or KT_STUB_HIP asks for. README.md holds the table of keys. */
#ifndef CUDA_HIP_STUB_SCRIPT_H
#define CUDA_HIP_STUB_SCRIPT_H

#include <stdint.h>

enum script_clock { CLOCK_SIMULATED, CLOCK_HOST };
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

/* All numbers 64 bits wide so that one table row describes any key. Ordinals count from 1, 0 is
 * never. */
struct script {
    uint64_t init, devices, version;
    uint64_t clock, start, call_ns, poll_ns, late;
    uint64_t kernel_ns, empty_ns, copy_ns, record_ns, launch_gap_ns, step_ns;
    uint64_t elapsed, every, events_ppm;
    uint64_t blocking, give_up, give_up_every, depth;
    uint64_t total_bytes, free_bytes, l2_bytes, managed, concurrent;
    uint64_t capability, units, max_threads;
    uint64_t capturing, build, wrong, skip_copy, hang, hang_copy, lost, error;
};

/* Written once, before the first call answers; read freely after that. */
extern struct script script;

#endif
