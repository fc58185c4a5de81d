/* SPDX-License-Identifier: MIT */
#include "bench/calibrate/pairs_csv.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HOST_BEFORE, TICKS, HOST_AFTER, ASKED, HOST, MEANINGS };

static const char *const names[MEANINGS] = {"host_before_ns", "ticks", "host_after_ns", "asked_ns",
                                            "host_ns"};

/* What each kind has: those that it needs, then the one that it may have. */
typedef struct columns {
    size_t needed, most;
    uint8_t order[3];
} columns;

static const columns *columns_of(pairs_csv_kind kind)
{
    static const columns of_pairs = {3, 3, {HOST_BEFORE, TICKS, HOST_AFTER}},
                         of_queries = {1, 2, {TICKS, ASKED}}, of_truth = {1, 1, {HOST}};
    switch (kind) {
    case PAIRS_CSV_PAIRS: return &of_pairs;
    case PAIRS_CSV_QUERIES: return &of_queries;
    case PAIRS_CSV_TRUTH: break;
    }
    return &of_truth;
}

/* Part of a line. */
typedef struct span {
    const char *at;
    size_t length;
} span;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static span trim(const char *begin, const char *end)
{
    while (begin < end && is_blank(*begin))
        begin++;
    while (begin < end && is_blank(end[-1]))
        end--;
    return (span){begin, (size_t)(end - begin)};
}

/* Cuts the first part off; false: there is none left. A comma at the end begins an empty part. */
static bool next_cell(const char **at, const char *end, span *cell)
{
    if (!*at)
        return false;
    const char *comma = memchr(*at, ',', (size_t)(end - *at));
    *cell = trim(*at, comma ? comma : end);
    *at = comma ? comma + 1 : NULL;
    return true;
}

static bool is(span cell, const char *name)
{
    return cell.length == strlen(name) && memcmp(cell.at, name, cell.length) == 0;
}

static int fail(pairs_csv *csv, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int fail(pairs_csv *csv, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(csv->reason, sizeof csv->reason, format, arguments);
    va_end(arguments);
    return -1;
}

/* As it may stand in a sentence. */
#define QUOTED_BYTES 28
static const char *quoted(span cell, char *out)
{
    size_t length = cell.length < QUOTED_BYTES - 4 ? cell.length : QUOTED_BYTES - 4;
    for (size_t i = 0; i < length; i++)
        out[i] = isprint((unsigned char)cell.at[i]) ? cell.at[i] : '?';
    snprintf(out + length, 4, "%s", length < cell.length ? "..." : "");
    return out;
}

/* ---- numbers ---- */

bool pairs_csv_bits(const char *text, uint32_t *bits)
{
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return false;
    unsigned long value = strtoul(text, &end, 10);
    if (*end || value < 1 || value > 64)
        return false;
    *bits = (uint32_t)value;
    return true;
}

bool pairs_csv_period(const char *text, double *period_ns)
{
    char *end;
    /* strtod() knows more than that: blanks, nan, hexadecimal digits. */
    if (!isdigit((unsigned char)text[0]) || text[strspn(text, "0123456789.eE+-")])
        return false;
    double value = strtod(text, &end);
    if (*end || !(value >= 1e-6 && value <= 1e12))
        return false;
    *period_ns = value;
    return true;
}

/* Digits at the start of a part, which is then shorter by them. False: there is none, or too
 * many. */
static bool cut_digits(span *rest, uint64_t *value)
{
    size_t i = 0;
    *value = 0;
    for (; i < rest->length && isdigit((unsigned char)rest->at[i]); i++) {
        uint64_t digit = (uint64_t)(rest->at[i] - '0');
        if (*value > (UINT64_MAX - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    rest->at += i;
    rest->length -= i;
    return i > 0;
}

/* ".25"; what is beyond 1e-18 does not matter. */
static double cut_decimals(span *rest)
{
    double value = 0, unit = 1;
    if (!rest->length || *rest->at != '.')
        return 0;
    size_t i = 1;
    for (; i < rest->length && isdigit((unsigned char)rest->at[i]); i++)
        if (i <= 18) {
            unit /= 10;
            value += unit * (rest->at[i] - '0');
        }
    if (i == 1)
        return 0;
    rest->at += i;
    rest->length -= i;
    return value;
}

static int read_ticks(pairs_csv *csv, span cell, uint64_t *ticks)
{
    char text[QUOTED_BYTES];
    span rest = cell;
    if (!cut_digits(&rest, ticks) || rest.length)
        return fail(csv, "ticks: \"%s\" is not a whole number from 0 to 2^64 - 1",
                    quoted(cell, text));
    return 1;
}

/* `fraction_ns` is NULL where there may be none. */
static int read_host(pairs_csv *csv, span cell, int meaning, int64_t *host_ns, double *fraction_ns)
{
    char text[QUOTED_BYTES];
    uint64_t value;
    span rest = cell;
    bool negative = rest.length && *rest.at == '-';
    if (negative) {
        rest.at++;
        rest.length--;
    }
    bool good = cut_digits(&rest, &value) && value <= (uint64_t)PAIRS_CSV_HOST_MAX;
    double fraction = good && fraction_ns ? cut_decimals(&rest) : 0;
    if (!good || rest.length)
        return fail(csv, "%s: \"%s\" is not a %snumber from -4e18 to 4e18", names[meaning],
                    quoted(cell, text), fraction_ns ? "" : "whole ");
    *host_ns = negative ? -(int64_t)value : (int64_t)value;
    if (fraction_ns)
        *fraction_ns = negative ? -fraction : fraction;
    return 1;
}

/* ---- lines ---- */

pairs_csv pairs_csv_begin(pairs_csv_kind kind, const char *text)
{
    /* Spreadsheets mark UTF-8 so. */
    if (strncmp(text, "\xEF\xBB\xBF", 3) == 0)
        text += 3;
    return (pairs_csv){.kind = kind, .at = text, .end = text + strlen(text), .period_ns = NAN};
}

/* A word of a comment: "period_ns=1". */
static int read_word(pairs_csv *csv, span word)
{
    char text[64], shown[QUOTED_BYTES];
    if (word.length >= sizeof text)
        return 1;
    snprintf(text, sizeof text, "%.*s", (int)word.length, word.at);
    if (strncmp(text, "bits=", 5) == 0 && !pairs_csv_bits(text + 5, &csv->bits))
        return fail(csv, "\"%s\": a width is 1 to 64 bits", quoted(word, shown));
    if (strncmp(text, "period_ns=", 10) == 0 && !pairs_csv_period(text + 10, &csv->period_ns))
        return fail(csv, "\"%s\": a period is 1e-6 to 1e12 ns", quoted(word, shown));
    return 1;
}

static int read_comment(pairs_csv *csv, span line)
{
    const char *at = line.at + 1, *end = line.at + line.length;
    while (csv->kind == PAIRS_CSV_PAIRS && at < end) {
        const char *begin = at;
        while (at < end && !is_blank(*at))
            at++;
        if (read_word(csv, (span){begin, (size_t)(at - begin)}) < 0)
            return -1;
        at++;
    }
    return 1;
}

/* Whether one of the columns has the meaning. */
static bool has(const pairs_csv *csv, uint8_t meaning)
{
    return memchr(csv->meaning, meaning, csv->columns) != NULL;
}

static uint8_t meaning_of(const pairs_csv *csv, span name)
{
    for (size_t i = 0; i < columns_of(csv->kind)->most; i++)
        if (is(name, names[columns_of(csv->kind)->order[i]]))
            return columns_of(csv->kind)->order[i];
    return MEANINGS;
}

static void take_in_order(pairs_csv *csv, size_t cells)
{
    csv->columns = cells;
    memcpy(csv->meaning, columns_of(csv->kind)->order, cells);
}

static bool are_enough(const pairs_csv *csv, size_t cells)
{
    return cells >= columns_of(csv->kind)->needed && cells <= columns_of(csv->kind)->most;
}

static int read_names(pairs_csv *csv, span line)
{
    char text[QUOTED_BYTES];
    const char *at = line.at, *end = line.at + line.length;
    bool any = false;
    for (span cell; next_cell(&at, end, &cell);) {
        uint8_t meaning = meaning_of(csv, cell);
        if (csv->columns == PAIRS_CSV_COLUMNS_MAX)
            return fail(csv, "there are more than %d columns", PAIRS_CSV_COLUMNS_MAX);
        if (meaning != MEANINGS && has(csv, meaning))
            return fail(csv, "there are two columns \"%s\"", quoted(cell, text));
        csv->meaning[csv->columns++] = meaning;
        any |= meaning != MEANINGS;
    }
    if (!any && are_enough(csv, csv->columns))
        take_in_order(csv, csv->columns);
    for (size_t i = 0; i < columns_of(csv->kind)->needed; i++)
        if (!has(csv, columns_of(csv->kind)->order[i]))
            return fail(csv, "there is no column \"%s\"", names[columns_of(csv->kind)->order[i]]);
    return 1;
}

/* How many numbers stand in a line without names, which is the first one. */
static int take_order(pairs_csv *csv, span line)
{
    const char *at = line.at, *end = line.at + line.length;
    size_t cells = 0;
    for (span cell; next_cell(&at, end, &cell);)
        cells++;
    if (!are_enough(csv, cells))
        return fail(csv, "%zu numbers and no line of names above them; \"%s\" comes first", cells,
                    names[columns_of(csv->kind)->order[0]]);
    take_in_order(csv, cells);
    return 1;
}

static int read_cell(pairs_csv *csv, span cell, int meaning, pairs_csv_row *row)
{
    switch (meaning) {
    case HOST_BEFORE: return read_host(csv, cell, meaning, &row->pair.host_before_ns, NULL);
    case TICKS: return read_ticks(csv, cell, &row->pair.ticks);
    case HOST_AFTER: return read_host(csv, cell, meaning, &row->pair.host_after_ns, NULL);
    case ASKED: return read_host(csv, cell, meaning, &row->asked_ns, NULL);
    case HOST: return read_host(csv, cell, meaning, &row->host_ns, &row->fraction_ns);
    default: return 1;
    }
}

static int read_row(pairs_csv *csv, span line, pairs_csv_row *row)
{
    const char *at = line.at, *end = line.at + line.length;
    size_t cells = 0;
    *row = (pairs_csv_row){.asked_ns = 0};
    for (span cell; next_cell(&at, end, &cell); cells++)
        if (cells < csv->columns && read_cell(csv, cell, csv->meaning[cells], row) < 0)
            return -1;
    if (cells != csv->columns)
        return fail(csv, "%zu values for %zu columns", cells, csv->columns);
    if (row->pair.host_after_ns < row->pair.host_before_ns)
        return fail(csv, "host_after_ns is before host_before_ns");
    return 1;
}

/* The first line that is neither blank nor a comment. 0: it was one of names. */
static int begin(pairs_csv *csv, span line)
{
    csv->begun = true;
    bool numbers = isdigit((unsigned char)*line.at) || *line.at == '-' || *line.at == '+';
    int state = numbers ? take_order(csv, line) : read_names(csv, line);
    if (state < 0)
        return -1;
    csv->has_asked = has(csv, ASKED);
    return numbers;
}

int pairs_csv_next(pairs_csv *csv, pairs_csv_row *row)
{
    while (csv->at < csv->end) {
        const char *newline = memchr(csv->at, '\n', (size_t)(csv->end - csv->at));
        span line = trim(csv->at, newline ? newline : csv->end);
        csv->at = newline ? newline + 1 : csv->end;
        csv->line++;
        int state = 0;
        if (line.length && *line.at == '#') {
            if (read_comment(csv, line) < 0)
                return -1;
        } else if (line.length) {
            state = csv->begun ? 1 : begin(csv, line);
        }
        if (state != 0)
            return state < 0 ? -1 : read_row(csv, line, row);
    }
    return 0;
}
