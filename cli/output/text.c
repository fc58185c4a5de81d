/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/output/text.h"

#include <inttypes.h>
#include <kerntime/kerntime.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- characters ---- */

/* RFC 3629: no surrogates, no overlong forms. */
size_t text_sequence(const char *text)
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

/* C0, DEL and C1, line and paragraph separators, and controls of direction: some of them repaint a
 * screen. */
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

size_t text_next(const char *text)
{
    size_t length = text_sequence(text);
    return length ? length : 1;
}

unsigned text_width(const char *text)
{
    unsigned width = 0;
    for (; *text; width++)
        text += text_next(text);
    return width;
}

bool text_is_formula(const char *text)
{
    static const char *const wide[] = {"\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D",
                                       "\xEF\xBC\xA0"};
    bool found = text[0] && strchr("=+-@\t\r\n", text[0]);
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        found |= strncmp(text, wide[i], 3) == 0;
    return found;
}

static bool is_letter(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* "_" within a word, as in kernel_ns, emphasises nothing. */
static bool is_markup(const char *text, size_t at)
{
    if (text[at] == '_' && at > 0 && is_letter(text[at - 1]) && is_letter(text[at + 1]))
        return false;
    return strchr("\\|*_[]<>#~&`$", text[at]) != NULL;
}

static void put_character(FILE *file, const char *text, size_t at, bool markdown)
{
    size_t length = text_sequence(text + at);
    if (length == 1 && text[at] >= '\t' && text[at] <= '\r')
        fputc(' ', file);
    else if (length == 0 || is_control((const unsigned char *)text + at, length))
        fputs("\xEF\xBF\xBD", file);
    else
        fprintf(file, "%s%.*s", markdown && is_markup(text, at) ? "\\" : "", (int)length,
                text + at);
}

void text_put(FILE *file, const char *text, unsigned width, bool markdown)
{
    unsigned all = text_width(text);
    unsigned head = all <= width ? all : width / 2, tail = all <= width ? 0 : width - head - 1;
    unsigned column = 0;
    for (size_t at = 0; text[at]; at += text_next(text + at), column++) {
        if (column < head || column + tail >= all)
            put_character(file, text, at, markdown);
        else if (column == head)
            fputs("…", file);
    }
}

char *text_cut(const char *text, unsigned width)
{
    char *cut = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&cut, &bytes);
    if (!file)
        return NULL;
    text_put(file, text, width, false);
    if (fclose(file) == 0)
        return cut;
    free(cut);
    return NULL;
}

void text_put_csv(FILE *file, const char *text)
{
    const char *quote = strpbrk(text, ",\"\r\n") ? "\"" : "";
    fprintf(file, "%s%s", quote, text_is_formula(text) ? "'" : "");
    for (; *text; text += text_next(text))
        if (*text == '"')
            fputs("\"\"", file);
        else if (strchr("\t\r\n", *text))
            fputc(*text, file);
        else
            put_character(file, text, 0, false);
    fputs(quote, file);
}

/* ---- sentences ---- */

#define INDENT   2
#define UNIT_MAX 3 /* words up to this length, such as "ns,", stay with a number before */

/* Bytes of the first word of a text, with the unit behind a number. */
static size_t measure_word(const char *text)
{
    size_t bytes = strcspn(text, " ");
    size_t unit = text[bytes] ? strcspn(text + bytes + 1, " ") : 0;
    bool number = bytes && strchr("0123456789", text[bytes - 1]);
    return number && unit && unit <= UNIT_MAX ? bytes + 1 + unit : bytes;
}

static unsigned columns_of(const char *text, size_t bytes)
{
    unsigned columns = 0;
    for (size_t at = 0; at < bytes; at += text_next(text + at))
        columns++;
    return columns;
}

void text_put_sentence(FILE *file, const char *text, unsigned width, bool markdown)
{
    unsigned column = 0;
    size_t at = 0;
    fputs(markdown ? "- " : "", file);
    while (text[at]) {
        size_t blanks = strspn(text + at, " "),
               end = at + blanks + measure_word(text + at + blanks);
        unsigned columns = columns_of(text + at, end - at);
        if (column > 0 && width && column + columns > width) {
            fprintf(file, "\n%*s", INDENT, "");
            column = INDENT;
            columns -= (unsigned)blanks;
            at += blanks;
        }
        for (; at < end; at += text_next(text + at))
            put_character(file, text, at, markdown);
        column += columns;
    }
    fputc('\n', file);
}

/* ---- numbers ---- */

static char *put_unknown(text_number out)
{
    out[0] = '-';
    out[1] = '\0';
    return out;
}

char *text_count(text_number out, uint64_t count)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count), used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            out[used++] = ',';
        out[used++] = digits[i];
    }
    out[used] = '\0';
    return out;
}

char *text_mean(text_number out, double count)
{
    if (isnan(count))
        return put_unknown(out);
    uint64_t tenths = (uint64_t)llround(10 * count);
    text_count(out, tenths / 10);
    if (tenths % 10) {
        size_t used = strlen(out);
        snprintf(out + used, TEXT_NUMBER_BYTES - used, ".%u", (unsigned)(tenths % 10));
    }
    return out;
}

char *text_share(text_number out, double share)
{
    double percent = 100 * share, size = fabs(percent);
    if (isnan(share))
        return put_unknown(out);
    if (percent > 0 && percent < 0.005)
        snprintf(out, TEXT_NUMBER_BYTES, "<0.01 %%");
    else
        snprintf(out, TEXT_NUMBER_BYTES,
                 size >= 9.95    ? "%.0f %%"
                 : size >= 0.095 ? "%.1f %%"
                                 : "%.1g %%",
                 percent);
    return out;
}

char *text_rate(text_number out, double gb_per_s)
{
    snprintf(out, TEXT_NUMBER_BYTES,
             isnan(gb_per_s)       ? "-"
             : gb_per_s >= 999.95  ? "%.0f"
             : gb_per_s >= 99.995  ? "%.1f"
             : gb_per_s >= 9.9995  ? "%.2f"
             : gb_per_s >= 0.09995 ? "%.3f"
                                   : "%#.3g",
             gb_per_s);
    return out;
}

char *text_time(text_number out, double ns)
{
    return kt_format_ns(out, TEXT_NUMBER_BYTES, ns);
}

char *text_bytes(text_number out, double bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (isnan(bytes))
        return put_unknown(out);
    size_t unit = 0;
    while (bytes >= 1023.5 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1024;
        unit++;
    }
    snprintf(out, TEXT_NUMBER_BYTES, unit == 0 || bytes >= 999.95 ? "%.0f %s" : "%.1f %s", bytes,
             units[unit]);
    return out;
}

char *text_half(text_number out, double middle, double low, double high)
{
    double half = fmax(high - middle, middle - low) / middle;
    static const char sign[] = "±";
    if (isnan(half))
        return put_unknown(out);
    text_share(out, half);
    memmove(out + sizeof sign - 1, out, strlen(out) + 1);
    memcpy(out, sign, sizeof sign - 1);
    return out;
}
