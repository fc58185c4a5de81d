/* write.c - writes a comparison in each format. */
#include "output/compare/compare.h"
#include "support/file.h"

kt_status kt_report_comparison_write(const kt_report_comparison *comparison, kt_format format,
                                     const kt_sink *sink)
{
    const kt_compare_document *document = &comparison->document;
    kt_writer writer = {.sink = sink};
    switch (format) {
    case KT_FORMAT_TABLE: kt_print_compare(document, &kt_style_aligned, &writer); break;
    case KT_FORMAT_MARKDOWN: kt_print_compare(document, &kt_style_markdown, &writer); break;
    case KT_FORMAT_JSON: kt_print_compare_json(document, &writer); break;
    default: return kt_fail(KT_INVALID, "there is no format %d of a comparison", (int)format);
    }
    return kt_end_writing(&writer, "comparison");
}

static kt_status write_to(const void *comparison, int format, const kt_sink *sink)
{
    return kt_report_comparison_write(comparison, (kt_format)format, sink);
}

kt_status kt_report_comparison_write_file(const kt_report_comparison *comparison, kt_format format,
                                          const char *path)
{
    return kt_file_write_whole(path, write_to, comparison, (int)format);
}
