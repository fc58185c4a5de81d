/* SPDX-License-Identifier: MIT */
/* note_list.h - collects notes about a table, so that the most important ones come first and a
 * screen shows a few. */
#ifndef KT_OUTPUT_TABLE_NOTE_LIST_H
#define KT_OUTPUT_TABLE_NOTE_LIST_H

#include "output/style.h"

/* Importance of a note, highest first. */
typedef enum kt_note_level { KT_NOTE_ERROR, KT_NOTE_WARNING, KT_NOTE_FACT } kt_note_level;

typedef struct kt_note {
    kt_note_level level;
    char *text; /* text of the note, escaped in the list's style */
} kt_note;

typedef struct kt_note_list {
    const kt_style *style;
    kt_note *notes;
    size_t count, room;
    bool failed;     /* the list lacks a note, for lack of memory */
    char line[2048]; /* note being built, escaped; a longer one is truncated */
} kt_note_list;

/* Build a note from texts of the project and of drivers, escaping each. */
void kt_begin_note(kt_note_list *list);
void kt_put_note(kt_note_list *list, const char *text);
/* Adds a driver's text, which may have several lines. */
void kt_quote_note(kt_note_list *list, const char *text);
void kt_putf_note(kt_note_list *list, const char *format, ...) KT_PRINTF(2, 3);
void kt_end_note(kt_note_list *list, kt_note_level level);

/* Adds a note made of `texts`, which end with NULL, and a driver's text (`quoted`), or NULL. */
void kt_add_note(kt_note_list *list, kt_note_level level, const char *const *texts,
                 const char *quoted);

/* Prints the notes by importance, then in order of addition, and frees them. A screen shows only as
 * many as fit, and their total number. */
void kt_print_note_list(kt_note_list *list, kt_writer *writer);

#endif
