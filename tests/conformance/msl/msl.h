/* SPDX-License-Identifier: MIT */
/* msl.h - the kernels in Metal's language as C functions: a compiler of C++14 has taken their very
 * texts, beside a stand-in for Metal's header. */
#ifndef MSL_H
#define MSL_H

#include <kerntime/program.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NULL: no text has a kernel of that name. */
kt_c_kernel msl_function(const char *entry);

/* ---- group.c ---- */

/* One work-item; `local` is where it is in its group. */
typedef void (*msl_item)(const uint32_t local[3], void *user);

/* Runs all items of a group by turns on this thread. Ends the process where some reach a barrier
 * that others never do. */
void msl_run_group(const uint32_t group_size[3], msl_item item, void *user);
/* Of the item that calls it: returns when all others have come as far. */
void msl_barrier(void);

#ifdef __cplusplus
}
#endif

#endif
