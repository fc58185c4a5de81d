/* SPDX-License-Identifier: MIT */
/* csv.c - one line per row and run, as RFC 4180 has it (docs/csv.md). */
#include "cli/output/text.h"
#include "cli/trace/lines.h"

#include <inttypes.h>
#include <math.h>

/* One function writes the names of columns and all rows: in the head each field is its key. */
typedef struct csv {
    FILE *file;
    bool head, begun;
} csv;

/* Begins a field. Returns whether its value must follow. */
static bool begin(csv *c, const char *key)
{
    fputs(c->begun ? "," : "", c->file);
    c->begun = true;
    if (c->head)
        fputs(key, c->file);
    return !c->head;
}

static void put_text(csv *c, const char *key, const char *text)
{
    if (begin(c, key) && text)
        text_put_csv(c->file, text);
}

static void put_number(csv *c, const char *key, double value)
{
    if (begin(c, key) && !isnan(value))
        fprintf(c->file, "%.15g", value);
}

static void put_count(csv *c, const char *key, uint64_t value)
{
    if (begin(c, key))
        fprintf(c->file, "%" PRIu64, value);
}

static void put_row(csv *c, const trace_document *document, size_t number, const trace_total *row)
{
    char label[TRACE_LABEL_BYTES];
    const trace_run *run = &document->runs[number];
    put_count(c, "run", number);
    put_text(c, "kind", trace_kind_name(row->kind));
    put_text(c, "name", row->name);
    put_text(c, "size", row->size);
    put_text(c, "device",
             c->head ? NULL
                     : trace_device_label(document, &run->totals.devices[row->device], label));
    put_count(c, "calls", row->calls);
    put_count(c, "n", row->timed);
    for (int reason = 0; reason < TRACE_REASON_COUNT; reason++) {
        char name[TRACE_KEY_BYTES], key[TRACE_KEY_BYTES + 8];
        snprintf(key, sizeof key, "untimed_%s", trace_reason_key((trace_reason)reason, name));
        put_count(c, key, row->untimed[reason]);
    }
    put_count(c, "overlapped", row->overlapped);
    put_number(c, "total_ns", row->timed ? row->total_ns : NAN);
    put_number(c, "min_ns", row->min_ns);
    put_number(c, "median_ns", row->median_ns);
    put_number(c, "ci95_low_ns", row->low_ns);
    put_number(c, "ci95_high_ns", row->high_ns);
    put_number(c, "mean_ns", row->mean_ns);
    put_number(c, "p95_ns", row->p95_ns);
    put_number(c, "p99_ns", row->p99_ns);
    put_number(c, "max_ns", row->max_ns);
    put_number(c, "inflation", row->inflation);
    put_number(c, "bytes", row->bytes);
    put_number(c, "gb_per_s", trace_rate(row));
    put_number(c, "wall_ns", run->wall_ns);
    put_text(c, "started", document->origin->started);
    put_text(c, "host", document->origin->host);
    put_text(c, "device_name", c->head ? NULL : run->totals.devices[row->device].name);
    fputc('\n', c->file);
    c->begun = false;
}

bool trace_print_csv(const trace_document *document, FILE *file)
{
    csv c = {.file = file, .head = true};
    put_row(&c, document, 0, &(trace_total){.name = ""});
    c.head = false;
    for (size_t run = 0; run < document->run_count; run++)
        for (size_t i = 0; i < document->runs[run].totals.row_count; i++)
            put_row(&c, document, run, &document->runs[run].totals.rows[i]);
    return true;
}
