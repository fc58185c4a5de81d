/* table.c - results as aligned text for people, safe to print on a terminal. */
#include "runs.h"
#include "tables.h"

const kt_style kt_style_aligned = {
    .spell = kt_spell_plain,
    .spell_lines = kt_spell_lines,
    .row_begin = "",
    .gap = "  ",
    .row_end = "",
    .item = "",
};

void kt_print_tables(const kt_document *document, const kt_style *style, kt_writer *writer)
{
    kt_over_runs over;
    if (!kt_gather_runs(&over, document)) {
        writer->status = KT_NO_MEMORY;
        return;
    }
    kt_print_rows(&over.document, style, writer);
    kt_print_matrices(&over.document, style, writer);
    kt_put(writer, "\n");
    kt_print_notes(&over.document, style, writer);
    kt_free_runs(&over);
}

void kt_print_table(const kt_document *document, kt_writer *writer)
{
    if (kt_is_device_list(document))
        kt_print_devices(document, writer);
    else
        kt_print_tables(document, &kt_style_aligned, writer);
}
