/* stubs.c - for as long as the collector and the formats are not here. */
#include "cli/trace/trace.h"

int trace_collect(const char *folder, trace_totals *out, char *reason, size_t reason_bytes)
{
    (void)folder, (void)reason, (void)reason_bytes;
    *out = (trace_totals){0};
    return 0;
}

void trace_free(trace_totals *totals)
{
    (void)totals;
}

void trace_print_table(const trace_document *document, FILE *file, int width, bool color)
{
    (void)width, (void)color;
    const trace_totals *totals = &document->runs[0].totals;
    for (size_t i = 0; i < totals->row_count; i++)
        fprintf(file, "%-40s %12.0f ns %10llu calls, median %.0f ns\n", totals->rows[i].name,
                totals->rows[i].total_ns, (unsigned long long)totals->rows[i].calls,
                totals->rows[i].median_ns);
}
