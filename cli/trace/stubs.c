/* stubs.c - for as long as the collector and the formats are not here. */
#include "cli/trace/trace.h"

void trace_print_table(const trace_document *document, FILE *file, int width, bool color)
{
    (void)width, (void)color;
    const trace_totals *totals = &document->runs[0].totals;
    for (size_t i = 0; i < totals->row_count; i++)
        fprintf(file, "%-40s %12.0f ns %10llu calls, median %.0f ns\n", totals->rows[i].name,
                totals->rows[i].total_ns, (unsigned long long)totals->rows[i].calls,
                totals->rows[i].median_ns);
}

void trace_print_markdown(const trace_document *document, FILE *file)
{
    (void)document, (void)file;
}
void trace_print_json(const trace_document *document, FILE *file)
{
    (void)document, (void)file;
}
void trace_print_csv(const trace_document *document, FILE *file)
{
    (void)document, (void)file;
}
void trace_print_gbench(const trace_document *document, FILE *file)
{
    (void)document, (void)file;
}
int trace_write_timeline(const trace_document *document, const char *path)
{
    (void)document, (void)path;
    return 0;
}
