#include "cli/result_file/read_lists.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many digits fit in 64 bits. */
#define DIGITS_MAX 19
/* Powers of ten that are still far from the ends of a double. */
#define EXPONENT_MAX 280

/* What is left to read, and where the shorter text goes. */
typedef struct scanner {
    read_lists *lists;
    const char *at, *end;
    char *to;
} scanner;

static bool has(const scanner *s, char what)
{
    return s->at < s->end && *s->at == what;
}

static bool has_digit(const scanner *s)
{
    return s->at < s->end && *s->at >= '0' && *s->at <= '9';
}

static void skip_blanks(scanner *s)
{
    while (has(s, ' ') || has(s, '\n') || has(s, '\t') || has(s, '\r'))
        s->at++;
}

/* ---- numbers ---- */

/* Digits without a point, of which `used` are significant. */
typedef struct decimal {
    uint64_t digits;
    int used, exponent;
} decimal;

/* Returns how many there are. */
static int take_digits(scanner *s, decimal *d)
{
    int count = 0;
    for (; has_digit(s) && d->used <= DIGITS_MAX; s->at++, count++) {
        d->digits = 10 * d->digits + (uint64_t)(*s->at - '0');
        d->used += d->digits != 0;
    }
    return count;
}

static bool take_exponent(scanner *s, decimal *d)
{
    if (!has(s, 'e') && !has(s, 'E'))
        return true;
    s->at++;
    bool is_negative = has(s, '-');
    s->at += is_negative || has(s, '+');
    int exponent = 0, count = 0;
    for (; has_digit(s) && count < 4; s->at++, count++)
        exponent = 10 * exponent + (*s->at - '0');
    d->exponent += is_negative ? -exponent : exponent;
    return count > 0;
}

static double power_of_ten(int exponent)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    return (size_t)exponent < sizeof powers / sizeof powers[0] ? powers[exponent]
                                                               : pow(10, exponent);
}

/* A number as JSON has it; false: it is none, negative, or too long. */
static bool take_number(scanner *s, double *out)
{
    decimal d = {0};
    const char *begin = s->at;
    int whole = take_digits(s, &d);
    if (!whole || (whole > 1 && *begin == '0'))
        return false;
    if (has(s, '.')) {
        s->at++;
        int count = take_digits(s, &d);
        d.exponent = -count;
        if (!count)
            return false;
    }
    if (!take_exponent(s, &d) || d.used > DIGITS_MAX || abs(d.exponent) > EXPONENT_MAX)
        return false;
    *out = d.exponent < 0 ? (double)d.digits / power_of_ten(-d.exponent)
                          : (double)d.digits * power_of_ten(d.exponent);
    return true;
}

/* ---- lists ---- */

static bool add_number(read_lists *lists, double number)
{
    if (lists->number_count == lists->number_room) {
        size_t room = lists->number_room ? 2 * lists->number_room : 1024;
        double *longer = realloc(lists->numbers, room * sizeof *longer);
        if (!longer)
            return false;
        lists->numbers = longer;
        lists->number_room = room;
    }
    lists->numbers[lists->number_count++] = number;
    return true;
}

static bool end_list(read_lists *lists)
{
    if (lists->count == lists->room) {
        size_t room = lists->room ? 2 * lists->room : 64;
        size_t *longer = realloc(lists->ends, room * sizeof *longer);
        if (!longer)
            return false;
        lists->ends = longer;
        lists->room = room;
    }
    lists->ends[lists->count++] = lists->number_count;
    return true;
}

/* Moves from [ behind ]. */
static bool take_list(scanner *s)
{
    double number;
    bool has_more;
    s->at++;
    skip_blanks(s);
    if (!has(s, ']'))
        do {
            if (!take_number(s, &number) || !add_number(s->lists, number))
                return false;
            skip_blanks(s);
            has_more = has(s, ',');
            s->at += has_more;
            skip_blanks(s);
        } while (has_more);
    if (!has(s, ']'))
        return false;
    s->at++;
    return end_list(s->lists);
}

/* ---- the text ---- */

static void copy_until(scanner *s, const char *end)
{
    size_t bytes = (size_t)(end - s->at);
    memcpy(s->to, s->at, bytes);
    s->to += bytes;
    s->at = end;
}

/* Copies a text with its quotation marks. False: it has no end. */
static bool copy_text(scanner *s)
{
    const char *end = s->at + 1;
    while (end < s->end && *end != '"')
        end += *end == '\\' ? 2 : 1;
    if (end >= s->end)
        return false;
    copy_until(s, end + 1);
    return true;
}

/* Behind the key: puts the list's number in its place. */
static bool replace_list(scanner *s)
{
    const char *begin = s->at;
    char number[32];
    skip_blanks(s);
    if (!has(s, ':'))
        return true; /* it is a value */
    s->at++;
    skip_blanks(s);
    if (!has(s, '[') || !take_list(s))
        return false;
    int length = snprintf(number, sizeof number, ":%zu", s->lists->count - 1);
    if (length > s->at - begin)
        return false; /* it would be longer */
    memcpy(s->to, number, (size_t)length);
    s->to += length;
    return true;
}

static bool take_out(scanner *s)
{
    static const char key[] = "\"" LISTS_KEY "\"";
    while (s->at < s->end) {
        const char *text = memchr(s->at, '"', (size_t)(s->end - s->at));
        copy_until(s, text ? text : s->end);
        if (!text)
            break;
        bool is_key =
            (size_t)(s->end - text) >= sizeof key && memcmp(text, key, sizeof key - 1) == 0;
        if (!copy_text(s) || (is_key && !replace_list(s)))
            return false;
    }
    return true;
}

char *lists_take_out(read_lists *lists, const char *text, size_t *bytes)
{
    char *out = malloc(*bytes + 1);
    scanner s = {.lists = lists, .at = text, .end = text + *bytes, .to = out};
    if (out && take_out(&s)) {
        *bytes = (size_t)(s.to - out);
        return out;
    }
    free(out);
    return NULL;
}

const double *lists_find(const read_lists *lists, size_t list, size_t *count)
{
    static const double none = 0;
    if (list >= lists->count)
        return NULL;
    size_t begin = list ? lists->ends[list - 1] : 0;
    *count = lists->ends[list] - begin;
    return *count ? lists->numbers + begin : &none;
}

void lists_free(read_lists *lists)
{
    free(lists->numbers);
    free(lists->ends);
    *lists = (read_lists){0};
}
