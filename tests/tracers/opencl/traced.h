/* SPDX-License-Identifier: MIT */
/* traced.h - runs a program with the tracer of OpenCL, and collects what it recorded. */
#ifndef TESTS_TRACERS_OPENCL_TRACED_H
#define TESTS_TRACERS_OPENCL_TRACED_H

#include "tracers/common/collect.h"
#include "tracers/common/settings.h"

/* What tests set of it; the rest is filled in. */
typedef struct traced_run {
    trace_settings settings;
    const char *layers;         /* OPENCL_LAYERS; NULL: the tracer alone */
    const char *environment[8]; /* "NAME=VALUE" */
    int output;                 /* becomes the program's standard output; 0: ours */
    int status;                 /* as of waitpid() */
} traced_run;

/* Runs the program and waits for it. Exits after a sentence if that cannot be done. */
void traced(traced_run *run, char *const *program, trace_totals *out);

/* The row of that name and kind, which is there; else the test fails. */
const trace_total *traced_row(const trace_totals *totals, trace_kind kind, const char *name);

#endif
