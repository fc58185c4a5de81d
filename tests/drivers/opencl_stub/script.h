/* What KT_STUB_OPENCL asks for. README.md holds the table of keys. */
#ifndef OPENCL_STUB_SCRIPT_H
#define OPENCL_STUB_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

enum script_type { TYPE_GPU, TYPE_CPU };
enum script_timestamps {
    TIMESTAMPS_GOOD,
    TIMESTAMPS_FAKE,
    TIMESTAMPS_ZERO,
    TIMESTAMPS_SWAPPED,
    TIMESTAMPS_BACKWARDS,
    TIMESTAMPS_COARSE
};
enum script_build { BUILD_GOOD, BUILD_FAIL };
enum script_clock { CLOCK_SIMULATED, CLOCK_HOST, CLOCK_OWN };
enum script_svm { SVM_COARSE, SVM_NONE };
enum script_timer { TIMER_USUAL, TIMER_NONE, TIMER_ZERO, TIMER_FAIL };

enum { MAX_DEVICES = 16 };

/* What is left to be asked of an event that has been waited for. */
enum { ASKS_ENDED = 255 };

/* All 64 bits wide so that one table row describes any key. Ordinals count from 1, 0 is never. */
struct script {
    uint64_t platforms;
    uint64_t devices;
    uint64_t type;
    uint64_t timer_resolution;
    uint64_t kernel_ns;
    uint64_t empty_ns;
    uint64_t timestamps;
    uint64_t spoil_from; /* the first event with timestamps that is not good */
    uint64_t no_profiling_info;
    uint64_t build;
    uint64_t hang;
    uint64_t lost;
    uint64_t event_error;
    uint64_t wrong;
    uint64_t skip;
    uint64_t skip_copy;
    uint64_t half_copy;
    uint64_t late; /* questions */
    uint64_t lag;  /* commands */
    uint64_t noise;
    uint64_t max_alloc;
    uint64_t memory; /* of all buffers together */
    uint64_t clock;
    uint64_t svm;
    uint64_t timer;   /* what clGetDeviceAndHostTimer answers */
    uint64_t version; /* of OpenCL, by its place in the list of choices */
};

/* Written once, before the first call answers; read freely after that. */
extern struct script script;

/* Whether events are said to have ended later than they did. */
static inline bool script_is_late(void)
{
    return script.late != 0 || script.lag != 0;
}

void script_read(void);

#endif
