/* SPDX-License-Identifier: MIT */
/* text.h - texts and numbers for every format: whole characters, no control characters that move
 * the cursor or break a line, and doubles that read back as the same. */
#ifndef KT_OUTPUT_TEXT_H
#define KT_OUTPUT_TEXT_H

#include "output/writer.h"

#include <stddef.h>

/* Length of the UTF-8 sequence at `text`; 0: invalid (RFC 3629: no surrogates, no overlong
 * forms). */
size_t kt_utf8_length(const char *text);

#define KT_SPELLED_BYTES 8

/* How a format writes the character at text[at], to `out` of KT_SPELLED_BYTES, zero-terminated.
 * Returns the number of bytes of the text that it covers. */
typedef size_t kt_spelling(const char *text, size_t at, char *out);

/* Spells a character for one line of a terminal: blanks for line breaks and tabs, U+FFFD for other
 * control characters (an escape could repaint the screen) and for invalid UTF-8. */
size_t kt_spell_plain(const char *text, size_t at, char *out);
/* Like kt_spell_plain(), but keeps line breaks and tabs. */
size_t kt_spell_lines(const char *text, size_t at, char *out);

void kt_put_spelled(kt_writer *writer, kt_spelling *spell, const char *text);
/* Appends an escaped text to the string `out` of `bytes` bytes; ends before a character that does
 * not fit. */
void kt_append_spelled(kt_spelling *spell, const char *text, char *out, size_t bytes);

/* Terminal colours by meaning. */
typedef enum kt_color {
    KT_COLOR_NONE = 0,
    KT_COLOR_HEAD,
    KT_COLOR_DEVICE,
    KT_COLOR_BAD,
    KT_COLOR_GOOD,
    KT_COLOR_WARNING
} kt_color;

/* Does nothing unless the sink is a screen with colours. */
void kt_begin_color(kt_writer *writer, kt_color color);
void kt_end_color(kt_writer *writer, kt_color color);

/* Number of columns of a text on the screen: UTF-8 continuation bytes take none. */
unsigned kt_text_width(const char *text);

/* Writes at most `width` columns of a text; a longer one ends with "…". */
void kt_put_cut(kt_writer *writer, const char *text, unsigned width);

/* Wraps an escaped text to lines of `width` columns; 0: one line. The first line begins at column
 * `at`, others at column `indent`. A word wider than a line stays whole, a unit stays with its
 * number. */
void kt_put_wrapped(kt_writer *writer, const char *text, unsigned at, unsigned indent,
                    unsigned width);

/* Writes the shortest decimal that reads back as the same double, with a point in any locale.
 * `value` must be finite. */
void kt_put_number(kt_writer *writer, double value);

#endif
