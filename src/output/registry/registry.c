/* SPDX-License-Identifier: MIT */
/* registry.c - writes the registry for programs: JSON and CSV (docs/result-file.md). */
#include "output/registry/registry.h"

#include "output/csv_writer.h"
#include "output/json_writer.h"

#include <stdio.h>

const char *kt_row_backend(kt_backend_id backend)
{
    return backend > KT_BACKEND_NONE && backend < KT_BACKEND_ID_COUNT ? kt_backend_id_name(backend)
                                                                      : NULL;
}

/* ---- JSON ---- */

static void print_json_row(kt_json *json, const kt_row *row)
{
    kt_json_open(json, '{');
    kt_json_text_member(json, "name", row->name);
    kt_json_text_member(json, "backend", kt_row_backend(row->backend));
    kt_json_integer_member(json, "n", (int64_t)row->count);
    kt_json_number_member(json, "total_ns", row->total_ns);
    kt_json_number_member(json, "min_ns", row->min_ns);
    kt_json_number_member(json, "mean_ns", row->mean_ns);
    kt_json_number_member(json, "max_ns", row->max_ns);
    kt_json_number_member(json, "last_ns", row->last_ns);
    kt_json_number_member(json, "stddev_ns", row->stddev_ns);
    kt_json_number_member(json, "p50_ns", row->p50_ns);
    kt_json_number_member(json, "p95_ns", row->p95_ns);
    kt_json_number_member(json, "p99_ns", row->p99_ns);
    kt_json_integer_member(json, "stop_late", (int64_t)row->stop_late);
    kt_json_number_member(json, "period_uncertainty", row->period_uncertainty);
    kt_json_key(json, "discarded");
    kt_json_open_line(json, '{');
    for (int state = 1; state < KT_TIMESTAMP_STATE_COUNT; state++)
        kt_json_integer_member(json, kt_timestamp_state_name((kt_timestamp_state)state),
                               (int64_t)row->discarded[state]);
    kt_json_close(json, '}');
    kt_json_close(json, '}');
}

void kt_print_registry_json(const kt_registry_document *document, kt_writer *writer)
{
    kt_json json = {.writer = writer};
    kt_json_open(&json, '{');
    kt_json_text_member(&json, "schema", "kerntime/1");
    kt_json_text_member(&json, "document", "registry");
    kt_json_text_member(&json, "version", document->origin->version);
    kt_json_text_member(&json, "written", document->origin->started);
    kt_print_json_host(&json, document->origin);
    kt_json_integer_member(&json, "dropped", (int64_t)document->dropped);
    kt_json_key(&json, "rows");
    kt_json_open(&json, '[');
    for (uint32_t i = 0; i < document->row_count; i++)
        print_json_row(&json, document->row(document->rows, i));
    kt_json_close(&json, ']');
    kt_json_close(&json, '}');
}

/* ---- CSV ---- */

static void print_csv_row(kt_csv *csv, const kt_registry_document *document, const kt_row *row)
{
    kt_csv_text(csv, "name", row->name);
    kt_csv_text(csv, "backend", kt_row_backend(row->backend));
    kt_csv_count(csv, "n", row->count);
    kt_csv_number(csv, "total_ns", row->total_ns);
    kt_csv_number(csv, "min_ns", row->min_ns);
    kt_csv_number(csv, "mean_ns", row->mean_ns);
    kt_csv_number(csv, "max_ns", row->max_ns);
    kt_csv_number(csv, "last_ns", row->last_ns);
    kt_csv_number(csv, "stddev_ns", row->stddev_ns);
    kt_csv_number(csv, "p50_ns", row->p50_ns);
    kt_csv_number(csv, "p95_ns", row->p95_ns);
    kt_csv_number(csv, "p99_ns", row->p99_ns);
    kt_csv_count(csv, "stop_late", row->stop_late);
    kt_csv_number(csv, "period_uncertainty", row->period_uncertainty);
    for (int state = 1; state < KT_TIMESTAMP_STATE_COUNT; state++) {
        char key[32];
        snprintf(key, sizeof key, "discarded_%s",
                 kt_timestamp_state_name((kt_timestamp_state)state));
        kt_csv_count(csv, key, row->discarded[state]);
    }
    kt_csv_count(csv, "dropped", document->dropped);
    kt_csv_text(csv, "written", document->origin->started);
    kt_csv_text(csv, "host", document->origin->host);
    kt_csv_end_row(csv);
}

void kt_print_registry_csv(const kt_registry_document *document, kt_writer *writer)
{
    kt_csv csv = {.writer = writer, .head = true};
    print_csv_row(&csv, document, &(kt_row){.name = ""});
    csv.head = false;
    for (uint32_t i = 0; i < document->row_count; i++)
        print_csv_row(&csv, document, document->row(document->rows, i));
}
