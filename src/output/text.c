/* SPDX-License-Identifier: MIT */
#include "output/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD"

/* Whole numbers below this are exact as doubles, and short enough to write in full. */
#define WHOLE_MAX 1e15

size_t kt_utf8_length(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char first = bytes[0], low = 0x80, high = 0xBF;
    size_t length = first < 0x80                     ? 1
                    : first >= 0xC2 && first <= 0xDF ? 2
                    : first >= 0xE0 && first <= 0xEF ? 3
                    : first >= 0xF0 && first <= 0xF4 ? 4
                                                     : 0;
    if (first == 0xE0)
        low = 0xA0;
    else if (first == 0xED)
        high = 0x9F;
    else if (first == 0xF0)
        low = 0x90;
    else if (first == 0xF4)
        high = 0x8F;
    for (size_t i = 1; i < length; i++) {
        if (bytes[i] < low || bytes[i] > high)
            return 0; /* also a text that ends early: its zero is below `low` */
        low = 0x80;
        high = 0xBF;
    }
    return length;
}

/* C0, DEL and C1 (U+009B also begins an escape), line and paragraph separators and direction
 * controls (U+2028 .. U+202E, U+2066 .. U+2069). */
static bool is_control(const unsigned char *text, size_t length)
{
    if (length == 1)
        return text[0] < 0x20 || text[0] == 0x7F;
    if (length == 2)
        return text[0] == 0xC2 && text[1] < 0xA0;
    return length == 3 && text[0] == 0xE2 &&
           ((text[1] == 0x80 && text[2] >= 0xA8 && text[2] <= 0xAE) ||
            (text[1] == 0x81 && text[2] >= 0xA6 && text[2] <= 0xA9));
}

size_t kt_spell_plain(const char *text, size_t at, char *out)
{
    const char *spelled = text + at;
    size_t length = kt_utf8_length(spelled), bytes = length;
    if (length == 1 && *spelled >= '\t' && *spelled <= '\r') {
        spelled = " ";
    } else if (length == 0 || is_control((const unsigned char *)spelled, length)) {
        spelled = REPLACEMENT;
        bytes = sizeof REPLACEMENT - 1;
    }
    memcpy(out, spelled, bytes);
    out[bytes] = '\0';
    return length ? length : 1;
}

size_t kt_spell_lines(const char *text, size_t at, char *out)
{
    if (text[at] != '\n' && text[at] != '\t')
        return kt_spell_plain(text, at, out);
    out[0] = text[at];
    out[1] = '\0';
    return 1;
}

void kt_put_spelled(kt_writer *writer, kt_spelling *spell, const char *text)
{
    char spelled[KT_SPELLED_BYTES];
    for (size_t at = 0; text[at];) {
        at += spell(text, at, spelled);
        kt_put(writer, spelled);
    }
}

void kt_append_spelled(kt_spelling *spell, const char *text, char *out, size_t bytes)
{
    char spelled[KT_SPELLED_BYTES];
    size_t used = strlen(out);
    for (size_t at = 0; text[at];) {
        at += spell(text, at, spelled);
        size_t length = strlen(spelled);
        if (used + length >= bytes)
            return;
        memcpy(out + used, spelled, length + 1);
        used += length;
    }
}

void kt_put_number(kt_writer *writer, double value)
{
    char text[40];
    int digits = 0;
    do
        snprintf(text, sizeof text, "%.*g", ++digits, value);
    while (digits < 17 && strtod(text, NULL) != value);
    /* Writes 100000, not 1e+05. Writes -0.0, since most readers take -0 for an integer, which has
     * no sign. */
    if (fabs(value) < WHOLE_MAX && floor(value) == value)
        snprintf(text, sizeof text, "%.*f", value == 0 && signbit(value) ? 1 : 0, value);
    /* The program's locale may have another decimal point. */
    char *point = text + strspn(text, "-+0123456789eE");
    if (*point) {
        size_t length = strcspn(point, "0123456789eE");
        *point = '.';
        memmove(point + 1, point + length, strlen(point + length) + 1);
    }
    kt_put(writer, text);
}

/* ---- screens ---- */

void kt_begin_color(kt_writer *writer, kt_color color)
{
    static const char begins[][8] = {
        [KT_COLOR_NONE] = "",        [KT_COLOR_HEAD] = "\033[1m",  [KT_COLOR_DEVICE] = "\033[36m",
        [KT_COLOR_BAD] = "\033[31m", [KT_COLOR_GOOD] = "\033[32m", [KT_COLOR_WARNING] = "\033[33m",
    };
    if (writer->sink->color)
        kt_put(writer, begins[color]);
}

void kt_end_color(kt_writer *writer, kt_color color)
{
    if (writer->sink->color && color)
        kt_put(writer, "\033[0m");
}

/* Escape sequences of colours take no columns. */
static unsigned columns_of(const char *text, size_t bytes)
{
    unsigned columns = 0;
    bool escaped = false;
    for (size_t i = 0; i < bytes; i++) {
        escaped |= text[i] == '\033';
        columns += !escaped && ((unsigned char)text[i] & 0xC0) != 0x80;
        escaped &= text[i] != 'm';
    }
    return columns;
}

unsigned kt_text_width(const char *text)
{
    return columns_of(text, strlen(text));
}

void kt_put_cut(kt_writer *writer, const char *text, unsigned width)
{
    size_t bytes = 0;
    bool fits = kt_text_width(text) <= width;
    for (unsigned left = width - 1; !fits && left && text[bytes]; left--)
        bytes += kt_utf8_length(text + bytes);
    if (fits)
        kt_put(writer, text);
    else
        kt_put_bytes(writer, text, bytes);
    kt_put(writer, fits ? "" : "…");
}

#define UNIT_MAX 3 /* words up to this length, such as "ns,", stay with a number before */

/* Bytes of the first word of a text, with the unit behind a number. */
static size_t measure_word(const char *text)
{
    size_t bytes = strcspn(text, " ");
    size_t unit = text[bytes] ? strcspn(text + bytes + 1, " ") : 0;
    bool number = bytes && strchr("0123456789", text[bytes - 1]);
    return number && unit && unit <= UNIT_MAX ? bytes + 1 + unit : bytes;
}

void kt_put_wrapped(kt_writer *writer, const char *text, unsigned at, unsigned indent,
                    unsigned width)
{
    bool first = true;
    while (*text) {
        size_t blanks = strspn(text, " "), bytes = measure_word(text + blanks);
        unsigned columns = columns_of(text + blanks, bytes);
        if (!first && width && at + blanks + columns > width) {
            kt_putf(writer, "\n%*s", (int)indent, "");
            at = indent;
        } else {
            kt_put_bytes(writer, text, blanks);
            at += (unsigned)blanks;
        }
        kt_put_bytes(writer, text + blanks, bytes);
        at += columns;
        text += blanks + bytes;
        first = false;
    }
}
