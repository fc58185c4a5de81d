/* What KT_STUB_METAL asks for. README.md holds the table of keys. */
#ifndef METAL_STUB_SCRIPT_H
#define METAL_STUB_SCRIPT_H

#include <stdint.h>

enum script_sampling { SAMPLING_APPLE, SAMPLING_AMD, SAMPLING_INTEL, SAMPLING_NONE };
enum script_clock { CLOCK_SIMULATED, CLOCK_HOST };
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

/* Numbers 64 bits wide so that one table row describes any key. Ordinals count from 1, 0 is
 * never. */
struct script {
    uint64_t sampling, blits, devices, unlisted, low_power, proxy;
    uint64_t max_buffer, max_threads, empty_threads, device_threads, max_samples,
        max_sample_buffers;
    uint64_t clock, poll_ns, late, timebase;
    uint64_t start, bits;
    double ns_per_tick, drift_ppm; /* of the device's clock; the first by `sampling` */
    uint64_t pair_ns, host_side, read_at, block_ns, block_every, pairs_percent;
    uint64_t timestamps, timestamps_of, every, first, after;
    uint64_t kernel_ns, empty_ns, copy_ns;
    uint64_t build, precise, hang, error, error_code, error_domain, wrong;
    const char *name; /* NULL: as is usual */
    const char *missing[MISSING_MAX];
};

/* Written once, before the first call answers; read freely after that. */
extern struct script script;

#endif
