/* SPDX-License-Identifier: MIT */
#include "tests/unit/json_check.h"

#include <stdint.h>
#include <string.h>

#define DEPTH_MAX 64
#define TEXT_MAX  8192

typedef struct reader {
    const unsigned char *at, *end;
    json_scalar scalar;
    void *user;
    int depth;
} reader;

/* The bytes that a code point is written with: the definition, by arithmetic. */
static size_t encode(uint32_t point, unsigned char bytes[4])
{
    if (point < 0x80) {
        bytes[0] = (unsigned char)point;
        return 1;
    }
    size_t length = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; point /= 64)
        bytes[i] = (unsigned char)(128 + point % 64);
    static const unsigned char leads[5] = {0, 0, 192, 224, 240};
    bytes[0] = (unsigned char)(leads[length] + point);
    return length;
}

/* A sequence is valid if it is what its own code point would be written with. */
size_t json_utf8(const unsigned char *text, size_t length)
{
    for (size_t n = 1; n <= 4 && n <= length; n++) {
        uint32_t point = n == 1 ? text[0] : text[0] & (0x7Fu >> n);
        for (size_t i = 1; i < n; i++)
            point = point * 64 + text[i] % 64;
        unsigned char bytes[4];
        bool legal = point < 0x110000 && (point < 0xD800 || point > 0xDFFF);
        if (legal && encode(point, bytes) == n && memcmp(bytes, text, n) == 0)
            return n;
    }
    return 0;
}

static bool take(reader *r, char expected)
{
    if (r->at == r->end || *r->at != (unsigned char)expected)
        return false;
    r->at++;
    return true;
}

static void skip_blanks(reader *r)
{
    while (r->at < r->end && *r->at && strchr(" \t\n\r", *r->at))
        r->at++;
}

static bool digits(reader *r)
{
    const unsigned char *begin = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
        r->at++;
    return r->at > begin;
}

static bool number(reader *r)
{
    take(r, '-');
    bool zero = take(r, '0');
    if (!zero && !digits(r))
        return false;
    if (take(r, '.') && !digits(r))
        return false;
    if (take(r, 'e') || take(r, 'E')) {
        if (!take(r, '+'))
            take(r, '-');
        return digits(r);
    }
    return true;
}

static bool hex4(reader *r, uint32_t *value)
{
    *value = 0;
    for (int i = 0; i < 4; i++) {
        static const char all[] = "0123456789abcdef0123456789ABCDEF";
        const char *found = r->at < r->end && *r->at ? strchr(all, *r->at) : NULL;
        if (!found)
            return false;
        *value = *value * 16 + (uint32_t)(found - all) % 16;
        r->at++;
    }
    return true;
}

static bool escape(reader *r, char *out, size_t *used)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    if (r->at == r->end)
        return false;
    unsigned char letter = *r->at++;
    const char *found = letter ? strchr(from, letter) : NULL;
    if (found) {
        out[(*used)++] = to[found - from];
        return true;
    }
    uint32_t point, low;
    if (letter != 'u' || !hex4(r, &point))
        return false;
    if (point >= 0xD800 && point < 0xDC00) {
        if (!take(r, '\\') || !take(r, 'u') || !hex4(r, &low) || low < 0xDC00 || low > 0xDFFF)
            return false;
        point = 0x10000 + (point - 0xD800) * 1024 + (low - 0xDC00);
    } else if (point >= 0xDC00 && point < 0xE000) {
        return false;
    }
    *used += encode(point, (unsigned char *)out + *used);
    return true;
}

static bool string(reader *r, bool is_key)
{
    char text[TEXT_MAX];
    size_t used = 0;
    if (!take(r, '"'))
        return false;
    while (!take(r, '"')) {
        if (used + 4 > sizeof text)
            return false;
        if (take(r, '\\')) {
            if (!escape(r, text, &used))
                return false;
            continue;
        }
        size_t length =
            r->at < r->end && *r->at >= 0x20 ? json_utf8(r->at, (size_t)(r->end - r->at)) : 0;
        if (length == 0)
            return false;
        memcpy(text + used, r->at, length);
        used += length;
        r->at += length;
    }
    if (r->scalar && !is_key)
        r->scalar(r->user, text, used, true);
    return true;
}

static bool value(reader *r);

static bool list(reader *r, char close, bool keys)
{
    if (++r->depth > DEPTH_MAX)
        return false;
    r->at++;
    skip_blanks(r);
    if (take(r, close))
        return r->depth--;
    for (;;) {
        skip_blanks(r);
        if (keys && !string(r, true))
            return false;
        skip_blanks(r);
        if (keys && !take(r, ':'))
            return false;
        if (!value(r))
            return false;
        if (take(r, close))
            return r->depth--;
        if (!take(r, ','))
            return false;
    }
}

static bool word(reader *r, const char *expected)
{
    size_t length = strlen(expected);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, expected, length) != 0)
        return false;
    r->at += length;
    return true;
}

static bool value(reader *r)
{
    skip_blanks(r);
    const unsigned char *begin = r->at;
    unsigned char first = r->at < r->end ? *r->at : 0;
    bool scalar = false;
    bool ok = first == '{'   ? list(r, '}', true)
              : first == '[' ? list(r, ']', false)
              : first == '"'
                  ? string(r, false)
                  : (scalar = word(r, "null") || word(r, "true") || word(r, "false") || number(r));
    if (ok && scalar && r->scalar)
        r->scalar(r->user, (const char *)begin, (size_t)(r->at - begin), false);
    skip_blanks(r);
    return ok;
}

bool json_check(const char *text, size_t length, json_scalar scalar, void *user)
{
    reader r = {.at = (const unsigned char *)text,
                .end = (const unsigned char *)text + length,
                .scalar = scalar,
                .user = user};
    return value(&r) && r.at == r.end;
}
