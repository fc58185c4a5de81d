/* SPDX-License-Identifier: MIT */
/*
 * report.c - writes a report in each format of KT_FORMATS_ (docs/adding-a-format.md).
 *
 * Room output/report: the formats of reports, and those without a room of their own.
 * May know: support, report, output, output/table, output/json, output/csv, output/figure.
 */
#include "report/report.h"
#include "output/figure/figure.h"
#include "output/formats.h"
#include "support/file.h"
#include "support/options.h"

static void (*const printers[])(const kt_document *document,
                                kt_writer *writer) = {KT_FORMATS_(KT_REPORT_PRINTER)};

kt_status kt_report_write(const kt_report *report, kt_format format, const kt_sink *sink)
{
    KT_NEED(report);
    KT_NEED(sink);
    KT_NEED(sink->write);
    if ((unsigned)format >= KT_FORMAT_COUNT)
        return kt_fail(KT_INVALID, "there is no format %d", (int)format);
    kt_writer writer = {.sink = sink};
    printers[format](&report->document, &writer);
    return kt_end_writing(&writer, "result");
}

static kt_status check_figure(const kt_figure_options *options)
{
    if ((unsigned)options->values > KT_FIGURE_GFLOPS)
        return kt_fail(KT_INVALID, "a figure has no values %d", (int)options->values);
    if (options->width_mm != 0 && !(options->width_mm >= 40 && options->width_mm <= 1000))
        return kt_fail(KT_INVALID, "a figure is 40 to 1000 mm wide, not %g", options->width_mm);
    if (options->workload_count)
        KT_NEED(options->workloads);
    for (uint32_t i = 0; i < options->workload_count; i++)
        if (!options->workloads[i].name || (unsigned)options->workloads[i].usual > KT_FIGURE_GFLOPS)
            return kt_fail(KT_INVALID, "workload %u of the figure has no name or no such values",
                           i);
    return KT_OK;
}

kt_status kt_report_write_figure(const kt_report *report, const kt_figure_options *options,
                                 const kt_sink *sink)
{
    KT_NEED(report);
    KT_NEED(sink);
    KT_NEED(sink->write);
    kt_figure_options taken;
    kt_status status = kt_take_options(&taken, sizeof taken, options, "kt_figure_options");
    if (status == KT_OK)
        status = check_figure(&taken);
    if (status != KT_OK)
        return status;
    kt_writer writer = {.sink = sink};
    kt_print_figure(&report->document, &taken, &writer);
    return kt_end_writing(&writer, "figure");
}

static kt_status write_to(const void *report, int format, const kt_sink *sink)
{
    return kt_report_write(report, (kt_format)format, sink);
}

kt_status kt_report_write_file(const kt_report *report, kt_format format, const char *path)
{
    KT_NEED(report);
    KT_NEED(path);
    return kt_file_write_whole(path, write_to, report, (int)format);
}

kt_status kt_path_check_writable(const char *path)
{
    KT_NEED(path);
    return kt_file_check(path);
}

int kt_path_is_same(const char *one, const char *other)
{
    return one && other && kt_file_is_same(one, other);
}

kt_status kt_path_write(const char *path, const void *data, size_t bytes)
{
    KT_NEED(path);
    if (bytes)
        KT_NEED(data);
    kt_file *file;
    kt_status status = kt_file_create(path, &file);
    if (status != KT_OK)
        return status;
    kt_file_write(file, data, bytes);
    return kt_file_commit(file); /* after a refused write it removes the file and says why */
}
