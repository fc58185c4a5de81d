/* SPDX-License-Identifier: MIT */
/* cupti.h - CUPTI's records of kernels, where it is installed: how long each launch ran as NVIDIA's
 * own tools tell it. */
#ifndef BENCH_HW_CUPTI_H
#define BENCH_HW_CUPTI_H

#include <stdbool.h>
#include <stdint.h>

/* Opens CUPTI: `library`, or NULL for the newest that the system's loader finds. False, with a
 * sentence in cupti_reason(). */
bool cupti_open(const char *library);
const char *cupti_reason(void);
uint32_t cupti_version(void); /* its CUPTI_API_VERSION, 0: not told */

/* From now on kernels whose name begins with `name` are recorded, the records before forgotten.
 * False: it does not work. */
bool cupti_begin(const char *name);
/* Ends that; `count` is how many there are. False: it does not work. */
bool cupti_end(uint64_t *count);
/* The duration of the kernel that began so many before the last; NaN: not told. Of the CUPTI_KEPT
 * that began last. */
#define CUPTI_KEPT 256
double cupti_back_ns(uint64_t launches_back);

#endif
