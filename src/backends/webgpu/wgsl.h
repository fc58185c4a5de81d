/* SPDX-License-Identifier: MIT */
/*
 * wgsl.h - parses the group size that a WGSL kernel states as numbers. The compiler checks
 * everything else, but WebGPU runs the kernel with its own group size, whatever the step's group
 * size is.
 */
#ifndef KT_WEBGPU_WGSL_H
#define KT_WEBGPU_WGSL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wgsl_kernel {
    bool is_entry; /* the function is a compute entry point */
    /* group size given as numbers; 0: unknown, as with names and expressions */
    uint32_t group_size[3];
} wgsl_kernel;

/* Finds the function `name` in a text, which needs no terminating zero. Returns false if it is
 * missing. The result is arbitrary if the text does not compile. */
bool kt_webgpu_wgsl_parse(const char *text, size_t bytes, const char *name, wgsl_kernel *kernel);

#endif
