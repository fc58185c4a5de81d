/* SPDX-License-Identifier: MIT */
/* write.c - writes a comparison in each format. */
#include "output/compare/compare.h"
#include "support/file.h"
#include "support/options.h"

static void (*const printers[])(const kt_compare_document *document,
                                kt_writer *writer) = {KT_FORMATS_(KT_COMPARE_PRINTER)};

kt_status kt_report_comparison_write(const kt_report_comparison *comparison, kt_format format,
                                     const kt_sink *sink)
{
    KT_NEED(comparison);
    KT_NEED(sink);
    KT_NEED(sink->write);
    if ((unsigned)format >= KT_FORMAT_COUNT || !printers[format])
        return kt_fail(KT_INVALID, "there is no format %d of a comparison", (int)format);
    kt_writer writer = {.sink = sink};
    printers[format](&comparison->document, &writer);
    return kt_end_writing(&writer, "comparison");
}

static kt_status write_to(const void *comparison, int format, const kt_sink *sink)
{
    return kt_report_comparison_write(comparison, (kt_format)format, sink);
}

kt_status kt_report_comparison_write_file(const kt_report_comparison *comparison, kt_format format,
                                          const char *path)
{
    KT_NEED(comparison);
    KT_NEED(path);
    return kt_file_write_whole(path, write_to, comparison, (int)format);
}
