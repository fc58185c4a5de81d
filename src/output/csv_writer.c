/* SPDX-License-Identifier: MIT */
#include "output/csv_writer.h"

#include "output/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Writes a character of a quoted field: quotes are doubled; line breaks and tabs stay. */
static size_t spell(const char *text, size_t at, char *out)
{
    if (text[at] != '"' && text[at] != '\r')
        return kt_spell_lines(text, at, out);
    out[0] = out[1] = text[at];
    out[text[at] == '"' ? 2 : 1] = '\0';
    return 1;
}

void kt_csv_put(kt_csv *csv, const char *before, const char *text)
{
    const char *quote = strpbrk(text, ",\"\r\n") ? "\"" : "";
    kt_put(csv->writer, quote);
    kt_put(csv->writer, before);
    kt_put_spelled(csv->writer, spell, text);
    kt_put(csv->writer, quote);
}

bool kt_csv_begin(kt_csv *csv, const char *key)
{
    if (csv->begun)
        kt_put(csv->writer, ",");
    csv->begun = true;
    if (csv->head)
        kt_put(csv->writer, key);
    return !csv->head;
}

void kt_csv_end_row(kt_csv *csv)
{
    kt_put(csv->writer, "\n");
    csv->begun = false;
}

/* Whether a spreadsheet may take the text for a formula: = + - @ in front, also of full width (U+FF1D,
 * U+FF0B, U+FF0D, U+FF20), or what it skips. */
static bool is_like_formula(const char *text)
{
    static const char *const wide[] = {"\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D",
                                       "\xEF\xBC\xA0"};
    bool found = text[0] && strchr("=+-@\t\r\n", text[0]);
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        found |= strncmp(text, wide[i], 3) == 0;
    return found;
}

/* A spreadsheet executes formulas, and the driver chooses a device's name. An apostrophe marks the
 * field as text. */
void kt_csv_text(kt_csv *csv, const char *key, const char *text)
{
    if (kt_csv_begin(csv, key) && text)
        kt_csv_put(csv, is_like_formula(text) ? "'" : "", text);
}

void kt_csv_number(kt_csv *csv, const char *key, double value)
{
    if (kt_csv_begin(csv, key) && isfinite(value))
        kt_put_number(csv->writer, value);
}

void kt_csv_count(kt_csv *csv, const char *key, uint64_t value)
{
    if (kt_csv_begin(csv, key))
        kt_putf(csv->writer, "%" PRIu64, value);
}

void kt_csv_bool(kt_csv *csv, const char *key, bool value)
{
    if (kt_csv_begin(csv, key))
        kt_put(csv->writer, value ? "true" : "false");
}
