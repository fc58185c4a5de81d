/* SPDX-License-Identifier: MIT */
/* triad.h - a = b + S c, arrays of f32. */
#ifndef WORKLOAD_TRIAD_H
#define WORKLOAD_TRIAD_H

#include "../workload.h"
#include "factor.h"

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
