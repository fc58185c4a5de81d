/* SPDX-License-Identifier: MIT */
/* fill.h - every element of an array of u32 gets the same value. */
#ifndef WORKLOAD_FILL_H
#define WORKLOAD_FILL_H

#include "../workload.h"
#include "value.h"

typedef struct fill_problem {
    uint32_t n;
    uint32_t *output; /* of the latest baseline */
} fill_problem;

/* The textbook loop on one core, one element at a time. */
void fill_sequential(void *problem);
extern const char fill_sequential_flags[];
/* Vectorised, on one core and on all. */
void fill_best_serial(void *problem);
void fill_best_parallel(void *problem);
extern const char fill_best_flags[];

/* The kernel for devices that run C functions; arguments array, n. */
void fill_c(const kt_c_group *group, void *const *args);

#endif
