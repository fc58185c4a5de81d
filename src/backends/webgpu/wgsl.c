/* SPDX-License-Identifier: MIT */
#include "backends/webgpu/wgsl.h"

#include <string.h>

/* ---- tokens ---- */

/* A token: a word, a number, or one other byte. Empty at the end of the text. */
typedef struct token {
    const char *at;
    size_t bytes;
} token;

typedef struct reader {
    const char *at, *end;
} reader;

static bool starts(const reader *r, const char *text)
{
    size_t bytes = strlen(text);
    return (size_t)(r->end - r->at) >= bytes && memcmp(r->at, text, bytes) == 0;
}

/* Line breaks come first: each of them ends a line comment. */
static const char blanks[][4] = {"\n",       "\v",           "\f",           "\r",
                                 "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9", " ",
                                 "\t",       "\xE2\x80\x8E", "\xE2\x80\x8F"};
enum { LINE_BREAKS = 7, BLANKS = sizeof blanks / sizeof blanks[0] };

/* Returns the bytes of the blank at r->at, of the first `count` kinds. 0: there is no blank. */
static size_t blank_bytes(const reader *r, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (starts(r, blanks[i]))
            return strlen(blanks[i]);
    return 0;
}

/* Skips a block comment; block comments nest. */
static void skip_block(reader *r)
{
    size_t depth = 0;
    do {
        bool begins = starts(r, "/*"), ends = starts(r, "*/");
        depth += begins;
        depth -= ends;
        r->at += begins || ends ? 2 : 1;
    } while (depth > 0 && r->at < r->end);
}

static void skip_blanks(reader *r)
{
    for (size_t bytes; r->at < r->end;) {
        if (starts(r, "//"))
            while (r->at < r->end && !blank_bytes(r, LINE_BREAKS))
                r->at++;
        else if (starts(r, "/*"))
            skip_block(r);
        else if ((bytes = blank_bytes(r, BLANKS)) > 0)
            r->at += bytes;
        else
            return;
    }
}

/* Treats all non-ASCII bytes as letters: in code, only names contain them. */
static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static token next_token(reader *r)
{
    skip_blanks(r);
    token t = {r->at, 0};
    while (r->at < r->end && is_word(*r->at) && !blank_bytes(r, BLANKS))
        r->at++;
    if (r->at == t.at && r->at < r->end)
        r->at++;
    t.bytes = (size_t)(r->at - t.at);
    return t;
}

static bool is(token t, const char *text)
{
    return t.bytes == strlen(text) && memcmp(t.at, text, t.bytes) == 0;
}

static bool is_next(reader r, const char *text)
{
    return is(next_token(&r), text);
}

/* ---- numbers ---- */

static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 16;
}

/* Returns the value of an integer literal, or 0 if the token is no literal or too large. */
static uint32_t number_of(token t)
{
    bool hex = t.bytes > 2 && t.at[0] == '0' && (t.at[1] == 'x' || t.at[1] == 'X');
    size_t first = hex ? 2 : 0, end = t.bytes;
    uint64_t base = hex ? 16 : 10, value = 0;
    if (end > 0 && (t.at[end - 1] == 'u' || t.at[end - 1] == 'i'))
        end--;
    for (size_t i = first; i < end; i++) {
        uint64_t digit = (uint64_t)digit_of(t.at[i]);
        if (digit >= base)
            return 0;
        value = value * base + digit;
        if (value > UINT32_MAX)
            return 0;
    }
    return (uint32_t)value;
}

/* ---- attributes ---- */

/* Whether a token is one that no size expression contains, except '<': <> may enclose commas of its
 * own. */
static bool is_foreign(token t)
{
    return t.bytes == 0 || is(t, ";") || is(t, "@") || is(t, "{") || is(t, "}") || is(t, "<");
}

/* Reads one expression up to the ',' or ')' after it, which goes to *end. Returns its number, or 0.
 * Any other token in *end: the list is not understood. */
static uint32_t read_size(reader *r, token *end)
{
    uint32_t value = 0;
    for (size_t count = 0, depth = 0;; count++) {
        token t = *end = next_token(r);
        if (is_foreign(t))
            return 0;
        if (depth == 0 && (is(t, ",") || is(t, ")")))
            return count == 1 ? value : 0;
        if (is(t, "(") || is(t, "["))
            depth++;
        else if (depth > 0 && (is(t, ")") || is(t, "]")))
            depth--;
        value = number_of(t);
    }
}

/* Whether the list of sizes ends here, possibly after a trailing ','. */
static bool list_ends(reader r, token end)
{
    return is(end, ")") || is_next(r, ")");
}

/* Reads the list after @workgroup_size. Missing sizes are 1. */
static void read_group_size(reader r, uint32_t group_size[3])
{
    token end = next_token(&r);
    bool is_list = is(end, "(");
    memset(group_size, 0, 3 * sizeof *group_size);
    for (int i = 0; i < 3 && is_list; i++) {
        group_size[i] = i > 0 && list_ends(r, end) ? 1 : read_size(&r, &end);
        is_list = is(end, ",") || is(end, ")");
    }
}

static void read_attribute(reader r, wgsl_kernel *kernel)
{
    token name = next_token(&r);
    if (is(name, "compute"))
        kernel->is_entry = true;
    else if (is(name, "workgroup_size"))
        read_group_size(r, kernel->group_size);
}

/* A function's attributes begin where the previous declaration ended. */
bool kt_webgpu_wgsl_parse(const char *text, size_t bytes, const char *name, wgsl_kernel *kernel)
{
    reader r = {text, text + bytes};
    *kernel = (wgsl_kernel){0};
    for (token t; (t = next_token(&r)).bytes > 0;) {
        if (is(t, ";") || is(t, "}"))
            *kernel = (wgsl_kernel){0};
        else if (is(t, "@"))
            read_attribute(r, kernel);
        else if (is(t, "fn") && is_next(r, name))
            return true;
    }
    *kernel = (wgsl_kernel){0};
    return false;
}
