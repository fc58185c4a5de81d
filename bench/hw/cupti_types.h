/* SPDX-License-Identifier: MIT */
/*
 * cupti_types.h - the few types and numbers of CUPTI that are used, of our own: no package brings
 * its headers to every machine. tests/shape/cupti_header.c checks them against cupti.h where it is
 * installed.
 */
#ifndef BENCH_HW_CUPTI_TYPES_H
#define BENCH_HW_CUPTI_TYPES_H

#include <stdint.h>

enum { CUPTI_CONCURRENT_KERNEL = 10 };
enum { CUPTI_FLUSH_FORCED = 1 };

/* What each record begins with. */
typedef struct cupti_record {
    uint32_t kind;
} cupti_record;

/*
 * A kernel's record begins so since CUDA 7.0 (CUpti_ActivityKernel3); newer ones only grew at their
 * end, up to that of CUDA 13 (CUpti_ActivityKernel10). Members without a name here are not used.
 */
typedef struct cupti_kernel {
    uint32_t kind;
    uint32_t settings[3];
    uint64_t start_ns, end_ns, completed_ns;
    uint32_t device, context, stream;
    int32_t grid[3], block[3];
    int32_t memory[2];
    uint32_t local[2];
    uint32_t correlation;
    int64_t grid_id;
    const char *name;
} cupti_kernel;

#endif
