/* text.h - texts and numbers for every format: whole characters, nothing that moves a cursor or
 * breaks a line unasked, and doubles that read back as the same. */
#ifndef KT_OUTPUT_TEXT_H
#define KT_OUTPUT_TEXT_H

#include "output/writer.h"

#include <stddef.h>

/* Length of the UTF-8 sequence at `text`, 0 if it is not one (RFC 3629: no surrogates, no overlong
 * forms). */
size_t kt_utf8_length(const char *text);

#define KT_SPELLED_BYTES 8

/* How a format spells the character at text[at]: written to `out`, which has KT_SPELLED_BYTES, with
 * a terminating zero. Returns how many bytes of the text it stands for. */
typedef size_t kt_spelling(const char *text, size_t at, char *out);

/* For a terminal and one line: blanks in place of line breaks and tabs, U+FFFD in place of other
 * control characters (an escape could repaint the screen) and of bytes that are not UTF-8. */
size_t kt_spell_plain(const char *text, size_t at, char *out);
/* The same with line breaks and tabs left as they are. */
size_t kt_spell_lines(const char *text, size_t at, char *out);

void kt_put_spelled(kt_writer *writer, kt_spelling *spell, const char *text);

/* The shortest decimal that reads back as the same double, with a point in any locale. `value` is
 * finite. */
void kt_put_number(kt_writer *writer, double value);

#endif
