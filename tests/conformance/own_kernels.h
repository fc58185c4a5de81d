/* SPDX-License-Identifier: MIT */
/* own_kernels.h - kernels of the tests' own as C functions: for devices that take these, and for
 * stub drivers, which run them by their names. */
#ifndef OWN_KERNELS_H
#define OWN_KERNELS_H

#include <kerntime/kerntime.h>

/* out[3 + i] = in[i] * factor + add for i < n; (in, out, uint32_t n, int32_t factor, int64_t
 * add) */
void scale_c(const kt_c_group *group, void *const *args);
/* Each item writes where it is; (out) */
void place_c(const kt_c_group *group, void *const *args);
/* out = 2 in, out = in + 1; (in, out) */
void twice_c(const kt_c_group *group, void *const *args);
void plus_one_c(const kt_c_group *group, void *const *args);
/* Each group writes its part of `in` in reverse order; (in, out). Kernels do so by local memory. */
void reverse_c(const kt_c_group *group, void *const *args);

#endif
