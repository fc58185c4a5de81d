/* SPDX-License-Identifier: MIT */
/* run_settings.h - what the options of `run` say, as typed; room cli/run gives it a meaning. */
#ifndef CLI_RUN_SETTINGS_H
#define CLI_RUN_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#define RUN_OPTIONS_MAX 64 /* most times that one option may be repeated */

/* The values of an option that may be repeated, in their order. */
typedef struct run_texts {
    const char *texts[RUN_OPTIONS_MAX];
    size_t count;
} run_texts;

/* NULL or a count of 0: not given. */
typedef struct run_settings {
    run_texts arguments;    /* -a: "x=random x n" */
    run_texts defines;      /* -D: "TILE=8,16,32" */
    run_texts conditions;   /* --if: "TILE % WPT == 0" */
    run_texts locals;       /* --local: "TILE,TILE/WPT" or "64..1024"; each is one alternative */
    run_texts expectations; /* --expect: "y=@reference.npy" */
    const char *global;     /* --global: "n/WPT,n", in work-items */
    const char *groups;     /* --groups: likewise, in groups */
    const char *check;      /* --check: "gemm.cl:naive" */
    const char *tolerance;  /* --tolerance: "1e-5,1e-3" */
    const char *flops;      /* --flops: "2*n^3", of one dispatch */
    const char *bytes;      /* --bytes: "3*4*n", of one dispatch */
    const char *t1, *t4;    /* files of autotuners, read and written */
    bool no_reset;          /* --no-reset: inputs stay as the kernel leaves them */
} run_settings;

#endif
