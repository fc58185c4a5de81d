#include "output/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD"

/* Doubles below this are exact whole numbers, and short enough to be written out. */
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
            return 0; /* also at the end of the text, whose zero is below `low` */
        low = 0x80;
        high = 0xBF;
    }
    return length;
}

/* C0, DEL and C1 (U+009B begins an escape, too), and what separates lines or turns the direction of
 * the text (U+2028 .. U+202E, U+2066 .. U+2069). */
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

void kt_put_number(kt_writer *writer, double value)
{
    char text[40];
    int digits = 0;
    do
        snprintf(text, sizeof text, "%.*g", ++digits, value);
    while (digits < 17 && strtod(text, NULL) != value);
    /* 100000, not 1e+05. To most readers -0 is an integer, which has no sign. */
    if (fabs(value) < WHOLE_MAX && floor(value) == value)
        snprintf(text, sizeof text, "%.*f", value == 0 && signbit(value) ? 1 : 0, value);
    /* The program may have set a locale with another decimal point. */
    char *point = text + strspn(text, "-+0123456789eE");
    if (*point) {
        size_t length = strcspn(point, "0123456789eE");
        *point = '.';
        memmove(point + 1, point + length, strlen(point + length) + 1);
    }
    kt_put(writer, text);
}
