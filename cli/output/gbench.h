/* SPDX-License-Identifier: MIT */
/*
 * gbench.h - JSON as Google Benchmark writes it (docs/user_guide.md and src/json_reporter.cc there,
 * version 1.9), for its tools/compare.py and others that read it.
 */
#ifndef CLI_GBENCH_H
#define CLI_GBENCH_H

#include "cli/options/options.h"
#include "cli/output/json.h"

#include <kerntime/kerntime.h>

/* A time of one repetition. */
typedef struct gbench_row {
    const char *name;
    uint32_t repetition, repetitions;
    uint64_t iterations;
    double time_ns;          /* of one iteration; NaN: it failed */
    double cpu_ns;           /* NaN: as time_ns, since readers require one */
    const char *label;       /* NULL: none */
    const char *error;       /* why it failed; NULL: it did not */
    double bytes_per_second; /* NaN: unknown */
} gbench_row;

/* The document without rows. `executable`: what was measured. */
json_t *gbench_begin(json_builder *b, const kt_report_origin *origin, const char *executable);
/* Adds a row. Rows of one name must follow each other. */
void gbench_add(json_builder *b, json_t *document, const gbench_row *row);

/* Writes a report: an entry each with its median, or with --gbench-repetitions its samples. Returns
 * false if memory ran out. */
bool gbench_write(const kt_report *report, const cli_options *options, FILE *file);

#endif
