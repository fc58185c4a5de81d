#include "output/script.h"

#include "output/text.h"

#include <math.h>

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

void kt_put_script_text(kt_writer *writer, const char *text, size_t max)
{
    size_t count = 0, at = 0, length;
    for (const char *c = text; *c; c += length ? length : 1, count++)
        length = kt_utf8_length(c);
    size_t gap = count > max ? max / 2 : count, gap_end = count > max ? count - max / 2 : count;
    for (char before = '\0'; *text; text += length ? length : 1, at++) {
        length = kt_utf8_length(text);
        if (at == gap)
            kt_put(writer, "...");
        if (at < gap || at >= gap_end)
            put_character(writer, before, text, length);
        before = *text;
    }
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
        kt_put(writer, "NaN");
}

void kt_begin_script_label(kt_writer *writer, const char *at, double right, double up, int points)
{
    kt_putf(writer, "set label at %s offset %.0f, %.0f font ',%d' noenhanced '", at, right, up,
            points);
}
