/* SPDX-License-Identifier: MIT */
/* gbench.c - rows as Google Benchmark writes its results: the median of each run is the time of a
 * repetition. */
#include "cli/output/gbench.h"
#include "cli/trace/lines.h"

#include <math.h>

#define NAME_BYTES 1024

/* "NAME", after its kind if it is no kernel; then what else tells rows apart. */
static void put_name(const trace_line *line, const char *device, char out[NAME_BYTES])
{
    bool is_kernel = line->kind == TRACE_KERNEL;
    snprintf(out, NAME_BYTES, "%s%s%.600s%s%.100s%s%s",
             is_kernel ? "" : trace_kind_name(line->kind), is_kernel ? "" : "/", line->name,
             line->size ? "/" : "", line->size ? line->size : "", *device ? "/" : "", device);
}

static void add_line(json_builder *b, json_t *to, const trace_document *document,
                     const trace_line *line, bool has_devices)
{
    char name[NAME_BYTES], label[TRACE_LABEL_BYTES];
    put_name(line, has_devices ? trace_device_label(document, line->device, label) : "", name);
    for (uint32_t i = 0; i < line->run_count; i++) {
        const trace_total *row = line->runs[i].row;
        if (isnan(row->median_ns))
            continue;
        gbench_add(b, to,
                   &(gbench_row){.name = name,
                                 .repetition = (uint32_t)line->runs[i].run,
                                 .repetitions = (uint32_t)document->run_count,
                                 .iterations = row->timed,
                                 .time_ns = row->median_ns,
                                 .cpu_ns = NAN,
                                 .bytes_per_second = 1e9 * trace_rate(row)});
    }
}

bool trace_print_gbench(const trace_document *document, FILE *file)
{
    json_builder b = {.failed = false};
    trace_lines all;
    json_t *out = NULL;
    b.failed = !trace_merge(document, &all);
    if (!b.failed)
        out = gbench_begin(&b, document->origin, document->options->trace.program[0]);
    for (size_t i = 0; out && i < all.line_count; i++)
        add_line(&b, out, document, &all.lines[i], all.device_count > 1);
    bool written = json_write(&b, out, 3, file);
    trace_free_lines(&all);
    return written;
}
