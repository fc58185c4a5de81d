/* SPDX-License-Identifier: MIT */
/* trace_options.h - the options of `kerntime trace` alone. */
#ifndef CLI_TRACE_OPTIONS_H
#define CLI_TRACE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_GLOBS_MAX 64

typedef struct trace_options {
    uint32_t apis;      /* bits 1 << trace_api; 0: all */
    const char *output; /* file of the table; NULL: standard error */
    const char *wanted[TRACE_GLOBS_MAX], *unwanted[TRACE_GLOBS_MAX]; /* globs of kernel names */
    size_t wanted_count, unwanted_count;
    bool by_size;          /* a row per launch size */
    bool exact;            /* Vulkan: barriers around each command */
    bool paused;           /* begins paused; SIGUSR2 toggles */
    bool no_follow;        /* only PROGRAM itself, not the processes that it starts */
    uint32_t top;          /* rows to show; 0: all */
    uint64_t skip, count;  /* kernels to pass over, and to record then; count 0: all */
    uint64_t memory_bytes; /* for events of the time line; 0: the default */
    const char *ranks;     /* NULL: not given */
    char *const *program;  /* PROGRAM and its arguments, ended by NULL */
} trace_options;

#endif
