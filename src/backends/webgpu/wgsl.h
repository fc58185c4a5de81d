/*
 * wgsl.h - the group size that WGSL states as numbers. The compiler checks all else, but WebGPU
 * runs such a kernel in groups of that size, whatever group size the step has.
 */
#ifndef KT_WEBGPU_WGSL_H
#define KT_WEBGPU_WGSL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wgsl_kernel {
    bool is_entry; /* of compute */
    /* where it is written as numbers; 0: not told, as of names and expressions */
    uint32_t group_size[3];
} wgsl_kernel;

/* Looks in a text, which need not end with a zero, for the function of that name. False: there is
 * none. Of a text that does not compile anything may be told. */
bool webgpu_wgsl_parse(const char *text, size_t bytes, const char *name, wgsl_kernel *kernel);

#endif
