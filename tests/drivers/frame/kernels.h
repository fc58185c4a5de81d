/* SPDX-License-Identifier: MIT */
/*
 * kernels.h - the kernels that stub drivers know by their names: the workloads', and those of
 * the conformance suite. They run as their C functions. Arguments are memories of 4-byte elements,
 * then numbers, of which n is the first.
 */
#ifndef FRAME_KERNELS_H
#define FRAME_KERNELS_H

#include "tests/drivers/frame/group_kernels.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL: it is not known. A kernel without a function does nothing. */
const group_kernel *named_kernel_find(const char *name);
size_t named_kernel_memories(const group_kernel *kernel);
/* The least elements of a memory; n is the first number. */
uint64_t named_kernel_elements(const group_kernel *kernel, unsigned memory, uint32_t n,
                               const uint32_t groups[3], const uint32_t group_size[3]);

/* A number as wide as the kernel's parameter is. */
typedef union named_kernel_number {
    uint32_t word;
    int64_t wide;
} named_kernel_number;

#define NAMED_KERNEL_NUMBERS_MAX 3

typedef struct named_kernel_launch {
    const group_kernel *kernel; /* NULL: nothing runs */
    void *const *memories;
    const named_kernel_number *numbers;
    const uint32_t *groups, *group_size; /* 3 each */
    bool wrong;                          /* one element of the result is to be so */
} named_kernel_launch;

void named_kernel_run(const named_kernel_launch *launch);

#endif
