/* triad.h - a = b + S c, arrays of f32. */
#ifndef WORKLOAD_TRIAD_H
#define WORKLOAD_TRIAD_H

#include "../workload.h"

/* Small whole numbers make every result exact, so that it can be compared bit by bit. */
#define TRIAD_S 3.0f

/* What all devices and baselines work on at one size. */
typedef struct triad_problem {
    uint32_t n;
    float *b, *c;
    float *reference;
    float *output; /* of the latest baseline */
} triad_problem;

/* What the device is compared with: the textbook loop on one core. */
void triad_sequential(void *problem);
extern const char triad_sequential_flags[];

#endif
