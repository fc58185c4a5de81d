/* SPDX-License-Identifier: MIT */
#include "output/script.h"

#include "output/text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Whether the next characters would be markup in an SVG: gnuplot escapes all markup but these
 * two. */
static bool makes_markup(char before, char next)
{
    return (before == '&' && next == '#') || (before == ']' && next == '>');
}

static void put_character(kt_writer *writer, char before, const char *text, size_t length)
{
    if (length == 0 || (unsigned char)*text < 0x20 || *text == 0x7F) {
        kt_put(writer, " "); /* a blank replaces a character that SVG does not allow */
        return;
    }
    if (makes_markup(before, *text))
        kt_put(writer, " ");
    if (*text == '\'')
        kt_put(writer, "'");
    kt_put_bytes(writer, text, length);
}

static size_t step(const char *text)
{
    size_t length = kt_utf8_length(text);
    return length ? length : 1;
}

size_t kt_script_characters(const char *text)
{
    size_t count = 0;
    for (; *text; text += step(text))
        count++;
    return count;
}

size_t kt_script_bytes(const char *text, size_t characters)
{
    size_t bytes = 0;
    while (characters-- > 0 && text[bytes])
        bytes += step(text + bytes);
    return bytes;
}

char *kt_cut_middle(char out[KT_CUT_BYTES], const char *text, size_t max)
{
    size_t count = kt_script_characters(text), head = count > max ? max / 2 : count;
    const char *tail = text + kt_script_bytes(text, count > max ? count - max / 2 : count);
    snprintf(out, KT_CUT_BYTES, "%.*s%s%s", (int)kt_script_bytes(text, head), text,
             count > max ? "..." : "", tail);
    return out;
}

char *kt_cut_end(char out[KT_CUT_BYTES], const char *text, size_t max)
{
    bool fits = kt_script_characters(text) <= max;
    size_t bytes = kt_script_bytes(text, max), word = bytes;
    while (!fits && word > bytes / 2 && !strchr(" ,(", text[word]))
        word--;
    bytes = word > bytes / 2 ? word : bytes;
    while (!fits && bytes > 0 && strchr(" ,(", text[bytes - 1]))
        bytes--;
    snprintf(out, KT_CUT_BYTES, "%.*s%s", (int)bytes, text, fits ? "" : " ...");
    return out;
}

void kt_put_script_bytes(kt_writer *writer, const char *text, size_t bytes)
{
    char before = '\0';
    for (const char *end = text + bytes; text < end; text += step(text)) {
        put_character(writer, before, text, kt_utf8_length(text));
        before = *text;
    }
}

void kt_put_script_text(kt_writer *writer, const char *text, size_t max)
{
    char cut[KT_CUT_BYTES];
    kt_cut_middle(cut, text, max);
    kt_put_script_bytes(writer, cut, strlen(cut));
}

void kt_put_decimals(kt_writer *writer, double value, int decimals)
{
    double scale = pow(10, decimals);
    /* adding 0.0 removes the sign of -0 */
    kt_put_number(writer, round(value * scale) / scale + 0.0);
}

void kt_put_value(kt_writer *writer, double value)
{
    kt_put(writer, " ");
    if (isfinite(value))
        kt_put_number(writer, value);
    else
        kt_put(writer, isnan(value) ? "NaN" : value > 0 ? "Inf" : "-Inf");
}

void kt_begin_script_label(kt_writer *writer, const char *at, double right, double up, int points)
{
    kt_putf(writer, "set label at %s offset %.0f, %.0f font ',%d' noenhanced '", at, right, up,
            points);
}
