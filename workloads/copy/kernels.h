/* SPDX-License-Identifier: MIT */
/* kernels.h - the kernel of copies by all cores. */
#ifndef WORKLOAD_COPY_KERNELS_H
#define WORKLOAD_COPY_KERNELS_H

#include <kerntime/program.h>

/* Arguments: source, destination, bytes as uint64_t. */
void copy_c(const kt_c_group *group, void *const *args);

#endif
