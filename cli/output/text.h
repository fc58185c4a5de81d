/* SPDX-License-Identifier: MIT */
/* text.h - texts of programs and drivers, and numbers, for tables: whole characters, none of them a
 * control character. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TEXT_NUMBER_BYTES 48

/* Bytes of the UTF-8 sequence at `text`; 0: invalid. */
size_t text_sequence(const char *text);

/* Bytes that one column shows: a sequence, or an invalid byte. */
size_t text_next(const char *text);

/* Whether a spreadsheet may take the text for a formula: = + - @ in front, also of full width, or
 * what it skips. An apostrophe then marks it as text. */
bool text_is_formula(const char *text);

/* Columns of a text on the screen, at one column a character. */
unsigned text_width(const char *text);

/* Writes a text of at most `width` columns: of a longer one the begin and the end, since names of
 * C++ differ at both. Control characters become blanks or U+FFFD. Markdown: escapes markup. */
void text_put(FILE *file, const char *text, unsigned width, bool markdown);

/* A text as text_put() shortens it, to be freed; NULL: out of memory. */
char *text_cut(const char *text, unsigned width);

/* Writes a field of CSV (docs/csv.md), in quotation marks where they are needed. */
void text_put_csv(FILE *file, const char *text);

/* Writes a sentence as lines of `width` columns, further ones indented; 0: one line. */
void text_put_sentence(FILE *file, const char *text, unsigned width, bool markdown);

/* What ends a noun of so many: "s", or nothing. */
static inline const char *text_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* Each formats into `out`, and returns it. "-": NaN. */
typedef char text_number[TEXT_NUMBER_BYTES];
char *text_count(text_number out, uint64_t count); /* "20,462" */
char *text_mean(text_number out, double count);    /* also "20,462.5" */
char *text_share(text_number out, double share);   /* "45 %" */
char *text_rate(text_number out, double gb_per_s); /* "12.34" */
char *text_time(text_number out, double ns);       /* "12.3 us" */
char *text_bytes(text_number out, double bytes);   /* "1.5 GiB": at most four digits */
/* "±0.4 %": half an interval over its middle. */
char *text_half(text_number out, double middle, double low, double high);

#endif
