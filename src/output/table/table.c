/* table.c - results as aligned text for people, safe to print on a terminal. */
#include "output/table/tables.h"
#include "report/runs.h"

void kt_print_tables(const kt_document *document, const kt_style *style, kt_writer *writer)
{
    kt_over_runs over;
    if (!kt_gather_runs(&over, document)) {
        writer->status = KT_NO_MEMORY;
        return;
    }
    uint32_t copies = over.document.series_count - over.others;
    kt_document part = over.document;
    part.series_count = over.others;
    if (over.others || !copies) {
        kt_print_rows(&part, style, writer);
        kt_print_matrices(&part, style, writer);
    }
    part.series += over.others;
    part.runs += over.others;
    part.series_count = copies;
    if (over.others && copies)
        kt_put(writer, "\n");
    if (copies)
        kt_print_copies(&part, style, writer, false);
    kt_put(writer, "\n");
    kt_print_notes(&over.document, style, writer);
    kt_free_runs(&over);
}

void kt_print_table(const kt_document *document, kt_writer *writer)
{
    if (kt_is_device_list(document))
        kt_print_devices(document, writer);
    else if (kt_is_doctor(document))
        kt_print_doctor(document, writer);
    else
        kt_print_tables(document, &kt_style_aligned, writer);
}
