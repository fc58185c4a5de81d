/* SPDX-License-Identifier: MIT */
/* traced.h - a document of `kerntime trace` made by hand. */
#ifndef TRACED_H
#define TRACED_H

#include "cli/trace/trace.h"

#define TRACED_ROWS 12
#define TRACED_RUNS 8

typedef struct traced {
    trace_total rows[TRACED_RUNS][TRACED_ROWS];
    trace_total_device devices[2];
    trace_total_process process;
    trace_run runs[TRACED_RUNS];
    cli_options options;
    trace_document document;
} traced;

/* One run without rows, of 2 s, on the device "opencl:0". It stays where it is. */
void traced_begin(traced *to);
/* Another run, as the first one. */
void traced_add_run(traced *to);
/* Adds a row of the last run: a call for each time in ns, ended by 0. Other numbers are unknown. */
trace_total *traced_add(traced *to, trace_kind kind, const char *name, const double *times_ns);

/* What a printer writes, in a static buffer. */
const char *traced_print(const traced *of, bool (*print)(const trace_document *, FILE *));
const char *traced_print_table(const traced *of, int width);

#endif
