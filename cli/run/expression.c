/* SPDX-License-Identifier: MIT */
#include "cli/run/expression.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS    "0123456789"
#define DEPTH_MAX 100 /* of parentheses and unary operators */

/* A fraction, or a double where the parser is in doubles. The denominator is at least 1, and 1
 * outside of ceil(). */
typedef struct number {
    int64_t top, bottom;
    double real;
} number;

typedef struct parser {
    const char *text, *at;
    expression_lookup lookup;
    const void *names;
    char *reason;
    bool failed;
    bool real;      /* in doubles */
    unsigned exact; /* depth of ceil() */
    unsigned
        unneeded; /* depth of operands that && and || leave out: their arithmetic cannot fail */
    unsigned depth;
} parser;

static number parse_or(parser *p);

static number whole(int64_t value)
{
    return (number){.top = value, .bottom = 1, .real = (double)value};
}

__attribute__((format(printf, 2, 3))) static number fail(parser *p, const char *format, ...)
{
    if (!p->failed) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(p->reason, EXPRESSION_REASON_BYTES, format, arguments);
        va_end(arguments);
        p->failed = true;
    }
    return whole(1);
}

/* Refuses what stands between `begin` and the place of the parser. */
static number fail_there(parser *p, const char *begin, const char *sentence)
{
    int length = (int)(p->at - begin < 60 ? p->at - begin : 60);
    while (length > 0 && strchr(" \t\n", begin[length - 1]))
        length--;
    return p->unneeded ? whole(1) : fail(p, "\"%.*s\" %s", length, begin, sentence);
}

/* ---- arithmetic ---- */

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A fraction in its lowest terms. Returns false if it is beyond 2^63. */
static bool reduce(number *n)
{
    if (n->top == INT64_MIN || n->bottom == INT64_MIN)
        return n->bottom == 1;
    int64_t divisor = common_divisor(n->top, n->bottom);
    n->top /= divisor;
    n->bottom /= divisor;
    if (n->bottom < 0) {
        n->top = -n->top;
        n->bottom = -n->bottom;
    }
    return true;
}

static bool multiply(number a, number b, number *out)
{
    return !__builtin_mul_overflow(a.top, b.top, &out->top) &&
           !__builtin_mul_overflow(a.bottom, b.bottom, &out->bottom) && reduce(out);
}

/* a + sign * b */
static bool add(number a, number b, int sign, number *out)
{
    int64_t left, right;
    if (__builtin_mul_overflow(a.top, b.bottom, &left) ||
        __builtin_mul_overflow(b.top, a.bottom, &right) ||
        __builtin_mul_overflow(a.bottom, b.bottom, &out->bottom))
        return false;
    return !(sign > 0 ? __builtin_add_overflow(left, right, &out->top)
                      : __builtin_sub_overflow(left, right, &out->top)) &&
           reduce(out);
}

static bool power(number base, int64_t exponent, number *out)
{
    *out = whole(1);
    bool is_unit = base.bottom == 1 && base.top >= -1 && base.top <= 1;
    if (is_unit && exponent > 2)
        exponent = 2 - exponent % 2; /* the same power of -1, 0 and 1 */
    for (int64_t i = 0; i < exponent; i++)
        if (i > 63 || !multiply(*out, base, out))
            return false;
    return true;
}

static number divide(parser *p, const char *begin, number a, number b)
{
    number out = whole(0);
    if (b.top == 0)
        return fail_there(p, begin, "divides by zero");
    if (!multiply(a, (number){.top = b.bottom, .bottom = b.top}, &out))
        return fail_there(p, begin, "is beyond 2^63");
    return p->exact ? out : whole(out.top / out.bottom);
}

static number calculate_real(parser *p, const char *begin, char operation, double a, double b)
{
    double value = 0;
    if (b == 0 && (operation == '/' || operation == '%'))
        return fail_there(p, begin, "divides by zero");
    switch (operation) {
    case '+': value = a + b; break;
    case '-': value = a - b; break;
    case '*': value = a * b; break;
    case '/': value = a / b; break;
    case '%': value = fmod(a, b); break;
    default: value = pow(a, b); break;
    }
    if (!isfinite(value))
        return fail_there(p, begin, "is beyond all numbers");
    return (number){.bottom = 1, .real = value};
}

static number calculate(parser *p, const char *begin, char operation, number a, number b)
{
    number out = whole(0);
    bool fits = true;
    if (p->failed)
        return whole(1);
    if (p->real)
        return calculate_real(p, begin, operation, a.real, b.real);
    switch (operation) {
    case '+': fits = add(a, b, 1, &out); break;
    case '-': fits = add(a, b, -1, &out); break;
    case '*': fits = multiply(a, b, &out); break;
    case '/': return divide(p, begin, a, b);
    case '%':
        if (b.top == 0)
            return fail_there(p, begin, "divides by zero");
        if (a.bottom != 1 || b.bottom != 1)
            return fail_there(p, begin, "is the rest of a fraction");
        return whole(b.top == -1 ? 0 : a.top % b.top); /* INT64_MIN % -1 is undefined */
    default:
        if (b.top < 0 || b.bottom != 1)
            return fail_there(p, begin, "is no power with a whole exponent of 0 or more");
        fits = power(a, b.top, &out);
    }
    return fits ? out : fail_there(p, begin, "is beyond 2^63");
}

/* -1, 0 or 1 as a is below, equal to or above b. */
static int compare(parser *p, const char *begin, number a, number b)
{
    if (p->real)
        return (a.real > b.real) - (a.real < b.real);
    int64_t left, right;
    if (__builtin_mul_overflow(a.top, b.bottom, &left) ||
        __builtin_mul_overflow(b.top, a.bottom, &right))
        return (int)fail_there(p, begin, "is beyond 2^63").top;
    return (left > right) - (left < right);
}

static bool is_true(const parser *p, number n)
{
    return p->real ? n.real != 0 : n.top != 0;
}

/* ---- words ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (is_letter(text[length]) || (length && strspn(text + length, DIGITS)))
        length++;
    return length;
}

static void skip_blanks(parser *p)
{
    p->at += strspn(p->at, " \t\n");
}

/* Takes an operator that is not the beginning of a longer one of the characters `but`. */
static bool take(parser *p, const char *symbol, const char *but)
{
    skip_blanks(p);
    size_t length = strlen(symbol);
    if (strncmp(p->at, symbol, length) != 0 || (p->at[length] && strchr(but, p->at[length])))
        return false;
    p->at += length;
    return true;
}

static bool take_word(parser *p, const char *word)
{
    skip_blanks(p);
    if (name_length(p->at) != strlen(word) || strncmp(p->at, word, strlen(word)) != 0)
        return false;
    p->at += strlen(word);
    return true;
}

/* ---- numbers and names ---- */

/* Takes the unit behind a number: Ki, KiB, k, kB ... Returns 0 if what follows is none. */
static int64_t take_unit(parser *p)
{
    static const char units[] = "kMGT";
    size_t length = name_length(p->at);
    const char *at = p->at;
    if (length == 0)
        return 1;
    const char *unit = strchr(units, *at == 'K' ? 'k' : *at);
    if (!unit)
        return 0;
    bool binary = at[1] == 'i';
    if ((*at == 'K' && !binary) || (*at == 'k' && binary))
        return 0;
    at += binary ? 2 : 1;
    at += *at == 'B';
    if (at != p->at + length)
        return 0;
    p->at = at;
    int64_t value = 1;
    for (const char *u = units; u <= unit; u++)
        value *= binary ? 1024 : 1000;
    return value;
}

static number parse_real(parser *p)
{
    char digits[64];
    size_t length = strspn(p->at, DIGITS ".");
    size_t sign = p->at[length] == 'e' && p->at[length + 1] && strchr("+-", p->at[length + 1]);
    if (p->at[length] == 'e' && strspn(p->at + length + 1 + sign, DIGITS))
        length += 1 + sign + strspn(p->at + length + 1 + sign, DIGITS);
    snprintf(digits, sizeof digits, "%.*s", (int)(length < 63 ? length : 63), p->at);
    char *end;
    double value = strtod(digits, &end);
    if (length > 63 || *end || !isfinite(value))
        return fail(p, "\"%.40s\" is no number", digits);
    p->at += length;
    return (number){.bottom = 1, .real = value};
}

static number parse_whole(parser *p)
{
    int64_t value = 0;
    bool fits = true;
    const char *begin = p->at;
    for (; strspn(p->at, DIGITS); p->at++)
        fits = fits && !__builtin_mul_overflow(value, 10, &value) &&
               !__builtin_add_overflow(value, *p->at - '0', &value);
    if (*p->at == '.') {
        p->at += 1 + strspn(p->at + 1, DIGITS);
        return fail_there(p, begin, "is no whole number");
    }
    return fits ? whole(value) : fail_there(p, begin, "is beyond 2^63");
}

static number parse_number(parser *p)
{
    const char *begin = p->at;
    number value = p->real ? parse_real(p) : parse_whole(p);
    if (p->failed)
        return value;
    int length = (int)(p->at - begin < 40 ? p->at - begin : 40);
    int64_t unit = take_unit(p);
    if (unit == 0)
        return fail(p, "\"%.*s%.20s\" is no number: a product needs a \"*\"", length, begin, p->at);
    return unit == 1 ? value : calculate(p, begin, '*', value, whole(unit));
}

/* The arguments of min() and max(), behind the opening parenthesis. */
static number parse_least(parser *p, const char *begin, int sign)
{
    number best = parse_or(p);
    while (take(p, ",", "")) {
        number next = parse_or(p);
        if (!p->failed && sign * compare(p, begin, next, best) < 0)
            best = next;
    }
    return best;
}

static number parse_ceil(parser *p)
{
    p->exact++;
    number inner = parse_or(p);
    p->exact--;
    if (p->real)
        return (number){.bottom = 1, .real = ceil(inner.real)};
    int64_t rounded = inner.top / inner.bottom; /* towards zero: up for what is below it */
    return whole(rounded + (inner.top > 0 && inner.top % inner.bottom != 0));
}

static number close_parenthesis(parser *p, const char *begin, number value)
{
    if (!p->failed && !take(p, ")", ""))
        return fail(p, "\"%.40s\" has no \")\"", begin);
    return value;
}

static number parse_name(parser *p)
{
    const char *begin = p->at;
    size_t length = name_length(begin);
    p->at += length;
    bool calls = begin[length + strspn(begin + length, " \t\n")] == '(';
    if (calls && (length == 3 || length == 4)) {
        take(p, "(", "");
        if (length == 3 && memcmp(begin, "min", 3) == 0)
            return close_parenthesis(p, begin, parse_least(p, begin, 1));
        if (length == 3 && memcmp(begin, "max", 3) == 0)
            return close_parenthesis(p, begin, parse_least(p, begin, -1));
        if (length == 4 && memcmp(begin, "ceil", 4) == 0)
            return close_parenthesis(p, begin, parse_ceil(p));
    }
    int shown = (int)(length < 60 ? length : 60);
    if (calls)
        return fail(p, "there is no function \"%.*s\": there are min, max and ceil", shown, begin);
    int64_t value = 0;
    p->reason[0] = '\0';
    if (p->lookup && p->lookup(p->names, begin, length, &value, p->reason))
        return whole(value);
    if (p->reason[0])
        p->failed = true; /* the look-up's sentence */
    return fail(p, "there is no name \"%.*s\"", shown, begin);
}

static number parse_primary(parser *p)
{
    skip_blanks(p);
    const char *begin = p->at;
    if (strspn(p->at, DIGITS) || (*p->at == '.' && strspn(p->at + 1, DIGITS)))
        return parse_number(p);
    if (name_length(p->at))
        return parse_name(p);
    if (take(p, "(", ""))
        return close_parenthesis(p, begin, parse_or(p));
    if (*p->at == '\0')
        return fail(p, "\"%.60s\" ends where a number or a name is expected", p->text);
    return fail(p, "\"%.40s\" stands where a number or a name is expected", p->at);
}

/* ---- operators, from the last to the first rank ---- */

static number parse_unary(parser *p)
{
    skip_blanks(p);
    const char *begin = p->at;
    if (p->failed)
        return whole(1);
    if (p->depth == DEPTH_MAX)
        return fail(p, "the expression is nested more than %d deep", DEPTH_MAX);
    p->depth++;
    number value;
    if (take(p, "-", "")) {
        number operand = parse_unary(p);
        value = calculate(p, begin, '-', whole(0), operand);
    } else if (take(p, "!", "=")) {
        value = whole(!is_true(p, parse_unary(p)));
    } else {
        value = parse_primary(p);
        if (!p->failed && (take(p, "**", "") || take(p, "^", ""))) {
            number exponent = parse_unary(p);
            value = calculate(p, begin, '^', value, exponent);
        }
    }
    p->depth--;
    return value;
}

static number parse_product(parser *p)
{
    skip_blanks(p);
    const char *begin = p->at;
    number value = parse_unary(p);
    while (!p->failed) {
        char operation = take(p, "*", "*")                       ? '*'
                         : take(p, "//", "") || take(p, "/", "") ? '/'
                         : take(p, "%", "")                      ? '%'
                                                                 : '\0';
        if (!operation)
            break;
        number right = parse_unary(p);
        value = calculate(p, begin, operation, value, right);
    }
    return value;
}

static number parse_sum(parser *p)
{
    skip_blanks(p);
    const char *begin = p->at;
    number value = parse_product(p);
    while (!p->failed) {
        char operation = take(p, "+", "") ? '+' : take(p, "-", "") ? '-' : '\0';
        if (!operation)
            break;
        number right = parse_product(p);
        value = calculate(p, begin, operation, value, right);
    }
    return value;
}

enum { LESS = 1, EQUAL = 2, MORE = 4 };

/* The orders of two numbers for which the comparison that follows is true; 0: none follows. */
static int take_comparison(parser *p)
{
    return take(p, "==", "")    ? EQUAL
           : take(p, "!=", "")  ? LESS | MORE
           : take(p, "<=", "")  ? LESS | EQUAL
           : take(p, ">=", "")  ? MORE | EQUAL
           : take(p, "<", "<=") ? LESS
           : take(p, ">", ">=") ? MORE
                                : 0;
}

static number parse_comparison(parser *p)
{
    skip_blanks(p);
    const char *begin = p->at;
    number left = parse_sum(p);
    int wanted = p->failed ? 0 : take_comparison(p);
    if (!wanted)
        return left;
    bool holds = true;
    for (; wanted && !p->failed; wanted = take_comparison(p)) {
        number right = parse_sum(p);
        if (p->failed)
            break;
        int order = compare(p, begin, left, right);
        holds &= ((order < 0 ? LESS : order > 0 ? MORE : EQUAL) & wanted) != 0;
        left = right;
    }
    return whole(holds);
}

static number parse_not(parser *p)
{
    bool negated = false, any = false;
    for (; take_word(p, "not"); any = true)
        negated = !negated;
    number value = parse_comparison(p);
    return any ? whole(is_true(p, value) != negated) : value;
}

/* `p->unneeded` counts the operands that cannot change the result: what they divide by does not
 * matter, only whether they can be read. */
static number parse_and(parser *p)
{
    number value = parse_not(p);
    while (!p->failed && (take(p, "&&", "") || take_word(p, "and"))) {
        bool decided = !is_true(p, value);
        p->unneeded += decided;
        number right = parse_not(p);
        p->unneeded -= decided;
        value = whole(!decided && is_true(p, right));
    }
    return value;
}

static number parse_or(parser *p)
{
    number value = parse_and(p);
    while (!p->failed && (take(p, "||", "") || take_word(p, "or"))) {
        bool decided = is_true(p, value);
        p->unneeded += decided;
        number right = parse_and(p);
        p->unneeded -= decided;
        value = whole(decided || is_true(p, right));
    }
    return value;
}

/* ---- whole texts ---- */

static int refuse_rest(parser *p)
{
    if (*p->at == '=')
        fail(p, "\"%.40s\" follows an expression: equality is \"==\"", p->at);
    else
        fail(p, "\"%.40s\" follows an expression", p->at);
    return -1;
}

int expression_evaluate_part(const char *text, expression_lookup lookup, const void *names,
                             int64_t *value, const char **end, char reason[EXPRESSION_REASON_BYTES])
{
    parser p = {.text = text, .at = text, .lookup = lookup, .names = names, .reason = reason};
    number result = parse_or(&p);
    skip_blanks(&p);
    if (p.failed)
        return -1;
    if (*p.at && *p.at != ',')
        return refuse_rest(&p);
    *value = result.top;
    *end = p.at;
    return 0;
}

int expression_evaluate(const char *text, expression_lookup lookup, const void *names,
                        int64_t *value, char reason[EXPRESSION_REASON_BYTES])
{
    int64_t result;
    const char *end;
    if (expression_evaluate_part(text, lookup, names, &result, &end, reason) != 0)
        return -1;
    if (*end) {
        snprintf(reason, EXPRESSION_REASON_BYTES, "\"%.40s\" follows an expression", end);
        return -1;
    }
    *value = result;
    return 0;
}

int expression_evaluate_number(const char *text, expression_lookup lookup, const void *names,
                               double *value, char reason[EXPRESSION_REASON_BYTES])
{
    parser p = {
        .text = text, .at = text, .lookup = lookup, .names = names, .reason = reason, .real = true};
    number result = parse_or(&p);
    skip_blanks(&p);
    if (p.failed)
        return -1;
    if (*p.at)
        return refuse_rest(&p);
    *value = result.real;
    return 0;
}
