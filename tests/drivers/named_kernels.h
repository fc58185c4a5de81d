/*
 * named_kernels.h - the kernels that stub drivers know by their names: the workloads', and those of the conformance suite. They run as
 * their C functions. Arguments are memories of 4-byte elements, then numbers, of which n is the first.
 */
#ifndef NAMED_KERNELS_H
#define NAMED_KERNELS_H

#include "tests/drivers/group_kernels.h"

#include <stddef.h>
#include <stdint.h>

/* NULL: it is not known. A kernel without a function does nothing. */
const group_kernel *named_kernel_find(const char *name);
size_t named_kernel_memories(const group_kernel *kernel);
/* The least elements of a memory; n is the first number. */
uint64_t named_kernel_elements(const group_kernel *kernel, unsigned memory, uint32_t n,
                               const uint32_t groups[3], const uint32_t group_size[3]);

#endif
