/* SPDX-License-Identifier: MIT */
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
bool complain(complaint *reason, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define FLAGS_MAX 12

/* A target, and how a program shows that a text or words have a kernel for it. */
typedef struct target {
    workload_target bit;
    const char *name;
    const char *flags[FLAGS_MAX];
    const char *mark; /* in what clang makes of it, around the name of the kernel */
} target;

/* ---- programs.c ---- */

/* Finds out which program this is: clang, ptxas, spirv-val or ocloc, each by its path, or by what
 * CMake has in its place where it is not here. NULL: it is here, and takes kernels for this target,
 * in a folder of its own; else why not. */
const char *program_open(const char *path, const target *for_whom);
void program_close(void);
/* Does it find nothing wrong with this kernel? */
bool program_takes(const workload_kernel *kernel, complaint *reason);
/* Is it one that makes code of SPIR-V? */
bool program_compiles_words(void);

#define SPIRV_HEADER_BYTES (5 * sizeof(uint32_t))

typedef struct kernel_words {
    const uint32_t *words;
    size_t bytes;
} kernel_words;

/* The kernel in SPIR-V, for a target that is of it. */
kernel_words words_of(const workload_kernel *kernel, const target *of);
/* Where in such words the name of the kernel stands, or NULL. */
const uint32_t *find_entry(const workload_kernel *kernel, kernel_words in, const target *of);

/* ---- ptx.c ---- */

/* Is it PTX that every driver for sm_50 and later takes, with this kernel of the same parameters as
 * in the source? */
bool ptx_is_good(const workload_kernel *kernel, complaint *reason);
/* A test of that. */
void what_ptx_must_have(void **state);

/* ---- msl/own.c ---- */

/* A test of the kernels in Metal's language that are no workload's. */
void own_kernels_in_msl(void **state);

/* ---- msl/pointers.c ---- */

/* A test of the workloads' texts. */
void pointers_in_msl_say_where(void **state);

/* ---- runtime_compilers.c ---- */

/* Loads NVRTC or hiprtc ("nvrtc", "hiprtc"). NULL: it is there; else why not. */
const char *runtime_compiler_open(const char *name);
/* Does it make this kernel of the source, without a word? */
bool runtime_compiler_takes(const workload_kernel *kernel, complaint *reason);

#endif
