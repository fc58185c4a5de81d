/*
 * report.c - writes a report in each format. Each format is a file in a room of output/ and a line
 * here.
 *
 * Room output/report.
 * May know: support, report, output, output/table, output/json, output/csv, output/figure.
 */
#include "report/report.h"
#include "output/csv/csv.h"
#include "output/figure/gnuplot.h"
#include "output/json/json.h"
#include "output/table/tables.h"
#include "support/file.h"

typedef void (*printer)(const kt_document *document, kt_writer *writer);
static const printer printers[] = {
    [KT_FORMAT_TABLE] = kt_print_table,     [KT_FORMAT_JSON] = kt_print_json,
    [KT_FORMAT_CSV] = kt_print_csv,         [KT_FORMAT_MARKDOWN] = kt_print_markdown,
    [KT_FORMAT_GNUPLOT] = kt_print_gnuplot,
};

kt_status kt_report_write(const kt_report *report, kt_format format, const kt_sink *sink)
{
    if ((unsigned)format >= sizeof printers / sizeof printers[0])
        return kt_fail(KT_INVALID, "there is no format %d", (int)format);
    kt_writer writer = {.sink = sink};
    printers[format](&report->document, &writer);
    return kt_end_writing(&writer, "result");
}

static kt_status write_to(const void *report, int format, const kt_sink *sink)
{
    return kt_report_write(report, (kt_format)format, sink);
}

kt_status kt_report_write_file(const kt_report *report, kt_format format, const char *path)
{
    return kt_file_write_whole(path, write_to, report, (int)format);
}

kt_status kt_path_check_writable(const char *path)
{
    return kt_file_check(path);
}

kt_status kt_path_write(const char *path, const void *data, size_t bytes)
{
    kt_file *file;
    kt_status status = kt_file_create(path, &file);
    if (status != KT_OK)
        return status;
    kt_file_write(file, data, bytes);
    return kt_file_commit(file); /* after a refused write it removes the file and says why */
}
