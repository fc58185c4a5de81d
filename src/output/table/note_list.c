/* SPDX-License-Identifier: MIT */
/* note_list.c - notes about a table, most important first. */
#include "output/table/note_list.h"

#include "support/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void kt_begin_note(kt_note_list *list)
{
    list->line[0] = '\0';
}

void kt_put_note(kt_note_list *list, const char *text)
{
    kt_append_spelled(list->style->spell, text, list->line, sizeof list->line);
}

void kt_quote_note(kt_note_list *list, const char *text)
{
    kt_append_spelled(list->style->spell_lines, text, list->line, sizeof list->line);
}

void kt_putf_note(kt_note_list *list, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    kt_put_note(list, text);
}

void kt_end_note(kt_note_list *list, kt_note_level level)
{
    char *text = kt_copy_text(list->line);
    kt_note *notes = kt_make_room(list->notes, &list->room, list->count + 1, sizeof *notes);
    if (notes)
        list->notes = notes;
    if (text && notes) {
        notes[list->count++] = (kt_note){level, text};
        return;
    }
    kt_free(text);
    list->failed = true;
}

void kt_add_note(kt_note_list *list, kt_note_level level, const char *const *texts,
                 const char *quoted)
{
    kt_begin_note(list);
    for (; *texts; texts++)
        kt_put_note(list, *texts);
    if (quoted)
        kt_quote_note(list, quoted);
    kt_end_note(list, level);
}

static void print_note(const kt_note_list *list, const kt_note *note, kt_writer *writer)
{
    static const char labels[][10] = {"error: ", "warning: ", "note: "};
    static const kt_color colors[] = {KT_COLOR_BAD, KT_COLOR_WARNING, KT_COLOR_NONE};
    const char *label = labels[note->level], *end = strchr(note->text, '\n');
    kt_put(writer, list->style->item);
    kt_begin_color(writer, colors[note->level]);
    kt_put(writer, label);
    kt_end_color(writer, colors[note->level]);
    if (end)
        kt_put(writer, note->text); /* unwrapped, so that a driver's line breaks stay */
    else
        kt_put_wrapped(writer, note->text, (unsigned)strlen(label), 2, writer->sink->width);
    kt_put(writer, "\n");
}

void kt_print_note_list(kt_note_list *list, kt_writer *writer)
{
    size_t most = writer->sink->notes_max ? writer->sink->notes_max : list->count, shown = 0;
    for (int level = KT_NOTE_ERROR; level <= KT_NOTE_FACT; level++)
        for (size_t i = 0; i < list->count && shown < most; i++)
            if (list->notes[i].level == (kt_note_level)level) {
                print_note(list, &list->notes[i], writer);
                shown++;
            }
    if (shown < list->count)
        kt_putf(writer, "%zu more note%s: --verbose\n", list->count - shown,
                list->count - shown == 1 ? "" : "s");
    if (list->failed)
        writer->status = KT_NO_MEMORY;
    for (size_t i = 0; i < list->count; i++)
        kt_free(list->notes[i].text);
    kt_free(list->notes);
    list->notes = NULL;
    list->count = list->room = 0;
}
