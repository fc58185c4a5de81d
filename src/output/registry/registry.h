/* SPDX-License-Identifier: MIT */
/*
 * registry.h - declarations shared by the output of the registry.
 *
 * Room output/registry: snapshots in each format.
 * May know: support, registry, output.
 */
#ifndef KT_OUTPUT_REGISTRY_REGISTRY_H
#define KT_OUTPUT_REGISTRY_REGISTRY_H

#include "output/formats.h"

#include <kerntime/snapshot.h>

typedef struct kt_registry_document {
    const kt_report_origin *origin; /* `started` is the time of writing */
    const kt_row *(*row)(const void *rows, uint32_t index);
    const void *rows;
    uint32_t row_count;
    uint64_t dropped;
} kt_registry_document;

/* Name of a row's backend as in device ids, such as "cuda"; NULL: the row has no backend. */
const char *kt_row_backend(kt_backend_id backend);

typedef struct kt_comparison_document {
    const kt_row_change *changes;
    uint32_t change_count;
    uint64_t dropped_before, dropped_after;
} kt_comparison_document;

void kt_print_comparison(const kt_comparison_document *document, kt_writer *writer);

#endif
