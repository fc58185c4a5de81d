/* SPDX-License-Identifier: MIT */
/* markdown.c - prints the tables as Markdown for GitHub descriptions and comments. */
#include "output/table/tables.h"

void kt_print_markdown(const kt_document *document, kt_writer *writer)
{
    if (!kt_is_device_list(document) && !kt_is_doctor(document)) {
        kt_print_tables(document, &kt_style_markdown, writer);
        return;
    }
    kt_put(writer, "```text\n");
    kt_print_table(document, writer);
    kt_put(writer, "```\n");
}
