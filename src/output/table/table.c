/* SPDX-License-Identifier: MIT */
/* table.c - prints results as aligned text that is safe for a terminal. */
#include "output/table/tables.h"
#include "report/runs.h"
#include "support/alloc.h"

#include <string.h>

void kt_print_tables(const kt_document *document, const kt_style *style, kt_writer *writer)
{
    kt_over_runs over;
    if (!kt_gather_runs(&over, document)) {
        writer->status = KT_NO_MEMORY;
        return;
    }
    uint32_t copies = over.document.series_count - over.others;
    kt_print_legend(&over.document, style, writer);
    kt_print_notes(&over.document, style, writer);
    kt_put(writer, "\n");
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
        kt_print_copies(&part, style, writer);
    kt_free_runs(&over);
}

/* ---- lists, in lines as wide as the screen ---- */

typedef struct text {
    char *bytes;
    size_t used, room;
} text;

static int append(void *user, const char *data, size_t bytes)
{
    text *t = user;
    char *grown = kt_make_room(t->bytes, &t->room, t->used + bytes + 1, 1);
    if (!grown)
        return 1;
    t->bytes = grown;
    memcpy(grown + t->used, data, bytes);
    t->used += bytes;
    grown[t->used] = '\0';
    return 0;
}

/* Further lines of a list begin at this column, below the text of "    label    text". */
#define LIST_INDENT 13

static void put_lines(kt_writer *writer, char *lines)
{
    for (char *line = lines, *end; *line; line = end + 1) {
        end = line + strcspn(line, "\n");
        bool last = !*end;
        *end = '\0';
        kt_put_wrapped(writer, line, 0, line[0] == ' ' ? LIST_INDENT : 2, writer->sink->width);
        kt_put(writer, "\n");
        if (last)
            break;
    }
}

static void print_list(const kt_document *document, kt_writer *writer,
                       void (*print)(const kt_document *document, kt_writer *writer))
{
    if (!writer->sink->width) {
        print(document, writer);
        return;
    }
    text all = {0};
    kt_sink sink = *writer->sink;
    sink.write = append;
    sink.user = &all;
    kt_writer inner = {.sink = &sink};
    print(document, &inner);
    kt_flush(&inner);
    if (inner.status != KT_OK)
        writer->status = KT_NO_MEMORY;
    else if (all.bytes)
        put_lines(writer, all.bytes);
    kt_free(all.bytes);
}

void kt_print_table(const kt_document *document, kt_writer *writer)
{
    if (kt_is_device_list(document))
        print_list(document, writer, kt_print_devices);
    else if (kt_is_doctor(document))
        print_list(document, writer, kt_print_doctor);
    else
        kt_print_tables(document, &kt_style_aligned, writer);
}
