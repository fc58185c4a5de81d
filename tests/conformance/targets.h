/* targets.h - the proofs of targets.c that are more than calling a program. */
#ifndef TARGETS_H
#define TARGETS_H

#include "workloads/workload.h"

#include <stdbool.h>
#include <stddef.h>

/* What a proof found missing. */
typedef struct complaint {
    char text[1024];
} complaint;

/* Says what is missing; returns false. */
bool complain(complaint *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- ptx.c ---- */

/* Is it PTX that every driver for sm_50 and later takes, with this kernel of the same parameters as in the source? */
bool ptx_is_good(const workload_kernel *kernel, complaint *why);
/* A test of that. */
void what_ptx_must_have(void **state);

/* ---- runtime_compilers.c ---- */

/* Loads NVRTC or hiprtc ("nvrtc", "hiprtc"). NULL: it is there; else why not. */
const char *runtime_compiler_open(const char *name);
/* Does it make this kernel of the source, without a word? */
bool runtime_compiler_takes(const workload_kernel *kernel, complaint *why);

#endif
