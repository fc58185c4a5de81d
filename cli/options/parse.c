/* SPDX-License-Identifier: MIT */
#include "cli/options/parse.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

int parse_refuse(char *reason, const char *sentence)
{
    snprintf(reason, PARSE_WHY_BYTES, "%s", sentence);
    return -1;
}

#define REFUSE(...) (snprintf(reason, PARSE_WHY_BYTES, __VA_ARGS__), -1)

/* Reads a whole number at the start of `text`; *end points after it. 0, or -1 if there is none or
 * it is too large; *end then stays unchanged. */
static int leading_whole(const char *text, uint64_t *value, const char **end)
{
    size_t digits = strspn(text, DIGITS);
    if (digits == 0)
        return -1;
    errno = 0;
    *value = strtoull(text, NULL, 10);
    if (errno)
        return -1;
    *end = text + digits;
    return 0;
}

static int add_size(parse_sizes *sizes, uint64_t value, char *reason)
{
    for (size_t i = 0; i < sizes->count; i++)
        if (sizes->values[i] == value)
            return 0; /* ranges may overlap; each size is kept once */
    if (sizes->count == PARSE_SIZES_MAX)
        return REFUSE("more than %d sizes", PARSE_SIZES_MAX);
    sizes->values[sizes->count++] = value;
    return 0;
}

/* Reads the number at the start of an item, a size or bytes. Returns 0, or -1 with a message. */
typedef int (*leading)(const char *text, uint64_t *value, const char **end, char *reason);

static int leading_size(const char *text, uint64_t *value, const char **end, char *reason)
{
    if (*text == '-')
        return REFUSE("a size is 1 or more");
    if (leading_whole(text, value, end) == 0)
        return *value ? 0 : REFUSE("a size is 1 or more");
    return strspn(text, DIGITS) ? REFUSE("a size is below 2^64")
                                : REFUSE("\"%.40s\" does not begin with a whole number", text);
}

static const struct size_unit {
    const char *name;
    uint64_t factor;
} size_units[] = {
    {"Ki", UINT64_C(1) << 10},   {"Mi", UINT64_C(1) << 20},      {"Gi", UINT64_C(1) << 30},
    {"Ti", UINT64_C(1) << 40},   {"k", UINT64_C(1000)},          {"M", UINT64_C(1000000)},
    {"G", UINT64_C(1000000000)}, {"T", UINT64_C(1000000000000)},
};

/* Like leading_size(), with a unit or without. */
static int leading_units(const char *text, uint64_t *value, const char **end, char *reason)
{
    if (leading_size(text, value, end, reason) != 0)
        return -1;
    for (size_t i = 0; i < sizeof size_units / sizeof size_units[0]; i++) {
        size_t length = strlen(size_units[i].name);
        if (strncmp(*end, size_units[i].name, length) != 0)
            continue;
        if (*value > UINT64_MAX / size_units[i].factor)
            return REFUSE("a size is below 2^64");
        *value *= size_units[i].factor;
        *end += length;
        break;
    }
    return 0;
}

/* Units in ascending order within each base: each is a multiple of the one before. */
static const struct byte_unit {
    const char *name;
    uint64_t bytes;
} byte_units[] = {
    {"", 1},
    {"B", 1},
    {"KiB", UINT64_C(1) << 10},
    {"MiB", UINT64_C(1) << 20},
    {"GiB", UINT64_C(1) << 30},
    {"TiB", UINT64_C(1) << 40},
    {"kB", UINT64_C(1000)},
    {"MB", UINT64_C(1000000)},
    {"GB", UINT64_C(1000000000)},
    {"TB", UINT64_C(1000000000000)},
};

static const struct byte_unit *unit_of(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof byte_units / sizeof byte_units[0]; i++)
        if (strlen(byte_units[i].name) == length && strncmp(text, byte_units[i].name, length) == 0)
            return &byte_units[i];
    return NULL;
}

/* Refuses "1.5MiB" and suggests "1536KiB" if that is a whole number. */
static int refuse_fraction(const char *text, char *reason)
{
    size_t digits = strspn(text, DIGITS "."), length = strcspn(text + digits, ".,");
    const struct byte_unit *unit = unit_of(text + digits, length);
    double value = digits < 20 ? strtod(text, NULL) : 0;
    if (!unit || unit->bytes == 1 || !(value > 0 && value < 1e6))
        return REFUSE("a number of bytes is whole: 1536MiB, not 1.5GiB");
    const struct byte_unit *smaller = unit->bytes == 1000 ? &byte_units[1] : unit - 1;
    double count = value * ((double)unit->bytes / (double)smaller->bytes);
    if (count != (double)(uint64_t)count)
        return REFUSE("a number of bytes is whole, and so is one of %s", unit->name);
    return REFUSE("a number of bytes is whole: %.0f%s, not %.*s", count, smaller->name,
                  (int)(digits + length), text);
}

/* Like leading_size(), for a number of bytes with a unit. */
static int leading_bytes(const char *text, uint64_t *value, const char **end, char *reason)
{
    const char *unit;
    size_t digits = strspn(text, DIGITS);
    if (digits && text[digits] == '.' && text[digits + 1] != '.')
        return refuse_fraction(text, reason);
    if (leading_size(text, value, &unit, reason) != 0)
        return -1;
    size_t length = strcspn(unit, ".,");
    const struct byte_unit *found = unit_of(unit, length);
    if (!found)
        return REFUSE("\"%.*s\" is no unit of bytes: there are B, kB, MB, GB, TB (1000) and "
                      "KiB, MiB, GiB, TiB (1024)",
                      length < 20 ? (int)length : 20, unit);
    if (*value > UINT64_MAX / found->bytes)
        return REFUSE("a size is below 2^64 bytes");
    *value *= found->bytes;
    *end = unit + length;
    return 0;
}

/* Parses one item: "32" or "32..2048". */
static int parse_item(const char *text, const char **end, leading number, parse_sizes *out,
                      char *reason)
{
    uint64_t first, last;
    if (number(text, &first, end, reason) != 0)
        return -1;
    last = first;
    if (strncmp(*end, "..", 2) == 0) {
        if (!strspn(*end + 2, DIGITS))
            return REFUSE("no whole number follows \"..\"");
        if (number(*end + 2, &last, end, reason) != 0)
            return -1;
    }
    if (last < first)
        return REFUSE("the range ends below its beginning");
    for (uint64_t size = first; size <= last; size *= 2) {
        if (add_size(out, size, reason) != 0)
            return -1;
        if (size > UINT64_MAX / 2)
            break;
    }
    return 0;
}

static int parse_list(const char *text, leading number, parse_sizes *out, char *reason)
{
    parse_sizes sizes = {.count = 0};
    for (;;) {
        if (parse_item(text, &text, number, &sizes, reason) != 0)
            return -1;
        if (*text == '\0')
            break;
        if (*text != ',')
            return REFUSE("\"%.40s\" follows a number", text);
        text++;
    }
    *out = sizes;
    return 0;
}

int parse_size_list(const char *text, parse_sizes *out, char *reason)
{
    return parse_list(text, leading_units, out, reason);
}

int parse_byte_size_list(const char *text, parse_sizes *out, char *reason)
{
    return parse_list(text, leading_bytes, out, reason);
}

int parse_count(const char *text, uint32_t least, uint32_t most, uint32_t *out, char *reason)
{
    uint64_t value;
    const char *end;
    if (leading_whole(text, &value, &end) != 0 || *end || value < least || value > most)
        return REFUSE("it takes a whole number from %u to %u", least, most);
    *out = (uint32_t)value;
    return 0;
}

int parse_count_range(const char *text, uint32_t *least, uint32_t *most, char *reason)
{
    uint64_t first = 0, last = 0;
    const char *end = text;
    bool has_first = leading_whole(text, &first, &end) == 0;
    bool is_range = strncmp(end, "..", 2) == 0;
    bool has_last = is_range && leading_whole(end + 2, &last, &end) == 0;
    if (is_range && !has_last)
        end += 2;
    if (*end || (!has_first && !has_last))
        return REFUSE("it takes MIN..MAX, MIN.., ..MAX or one whole number");
    if (!is_range)
        last = first;
    if ((has_first && first < 1) || (has_last && (last < 1 || last < first)) || first > 1000000 ||
        last > 1000000)
        return REFUSE("it takes 1 <= MIN <= MAX <= 1000000");
    *least = (uint32_t)first;
    *most = (uint32_t)last;
    return 0;
}

/* Reads a number without a sign at the start of `text`. */
static int leading_real(const char *text, double *value, const char **end)
{
    size_t length = strspn(text, DIGITS ".");
    char digits[32];
    if (length == 0 || length >= sizeof digits)
        return -1;
    memcpy(digits, text, length);
    digits[length] = '\0';
    char *stop;
    *value = strtod(digits, &stop);
    *end = text + length;
    return *stop ? -1 : 0;
}

int parse_duration(const char *text, int64_t *ns, char *reason)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {"h", 3600e9}};
    double value;
    const char *unit;
    if (leading_real(text, &value, &unit) != 0)
        return REFUSE("it takes a duration such as 2s or 500ms");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(unit, units[i].name) != 0)
            continue;
        double total = value * units[i].ns;
        if (total < 1 || total > 9e18)
            return REFUSE("it takes a duration from 1ns to some hundred years");
        *ns = (int64_t)total;
        return 0;
    }
    return *unit ? REFUSE("\"%.20s\" is no unit of time: there are ns, us, ms, s, min and h", unit)
                 : REFUSE("a duration needs a unit: ns, us, ms, s, min or h");
}

int parse_width(const char *text, double least_mm, double most_mm, double *mm, char *reason)
{
    static const struct {
        const char *name;
        double mm;
    } units[] = {{"mm", 1}, {"cm", 10}, {"in", 25.4}, {"pt", 25.4 / 72}};
    double value;
    const char *unit;
    if (leading_real(text, &value, &unit) != 0)
        return REFUSE("it takes a width such as 85mm");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(unit, units[i].name) != 0)
            continue;
        if (value * units[i].mm < least_mm || value * units[i].mm > most_mm)
            return REFUSE("it takes a width from %.0fmm to %.0fmm", least_mm, most_mm);
        *mm = value * units[i].mm;
        return 0;
    }
    return *unit ? REFUSE("\"%.20s\" is no unit of width: there are mm, cm, in and pt", unit)
                 : REFUSE("a width needs a unit: mm, cm, in or pt");
}

int parse_percent(const char *text, double *share, char *reason)
{
    double value;
    const char *end;
    if (leading_real(text, &value, &end) != 0 || strcmp(end, "%") != 0 || value <= 0 || value > 100)
        return REFUSE("it takes a percentage such as 0.5%%, above 0 and at most 100%%");
    *share = value / 100;
    return 0;
}

int parse_share(const char *text, double *share, char *reason)
{
    double value;
    const char *end;
    bool plain = leading_real(text, &value, &end) == 0 && !*end;
    /* refuses 1: it would be 100 %, but its author may mean 1 % */
    if (plain && value > 0 && value < 1) {
        *share = value;
        return 0;
    }
    return parse_percent(text, share, reason) == 0
               ? 0
               : REFUSE("it takes a share above 0%% and at most 100%%, such as 5%% or 0.05");
}
