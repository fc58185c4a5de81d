/* SPDX-License-Identifier: MIT */
#include "cli/run/npy.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define REFUSE(...) (snprintf(reason, NPY_REASON_BYTES, __VA_ARGS__), -1)

static const char not_npy[] = "is no .npy file";
static const char damaged[] = "has a header that cannot be read";

/* The dictionary of the header: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } */
typedef struct cursor {
    const char *at, *end;
} cursor;

typedef struct text {
    const char *begin;
    size_t length;
} text;

static bool is_text(text t, const char *word)
{
    return t.length == strlen(word) && memcmp(t.begin, word, t.length) == 0;
}

static bool is_one_of(const char *characters, char c)
{
    return c && strchr(characters, c);
}

static void skip_blanks(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t'))
        c->at++;
}

static bool take(cursor *c, char wanted)
{
    skip_blanks(c);
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

/* A text in quotation marks, without them. */
static bool take_text(cursor *c, text *out)
{
    char mark = '\'';
    if (!take(c, mark) && !take(c, mark = '"'))
        return false;
    const char *end = memchr(c->at, mark, (size_t)(c->end - c->at));
    if (!end)
        return false;
    *out = (text){c->at, (size_t)(end - c->at)};
    c->at = end + 1;
    return true;
}

static bool take_word(cursor *c, const char *word)
{
    skip_blanks(c);
    size_t length = strlen(word);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0)
        return false;
    c->at += length;
    return true;
}

static bool take_number(cursor *c, uint64_t *out)
{
    skip_blanks(c);
    const char *begin = c->at;
    uint64_t value = 0;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*c->at - '0'), &value))
            return false;
    *out = value;
    return c->at > begin;
}

typedef struct dictionary {
    text type;
    bool has_type, has_order, has_shape;
    bool fortran;
    uint64_t count;
    unsigned dimensions;
} dictionary;

static bool take_shape(cursor *c, dictionary *out)
{
    out->count = 1;
    out->dimensions = 0;
    if (!take(c, '('))
        return false;
    while (!take(c, ')')) {
        uint64_t extent;
        if (!take_number(c, &extent) || __builtin_mul_overflow(out->count, extent, &out->count))
            return false;
        out->dimensions++;
        if (!take(c, ',') && (c->at == c->end || *c->at != ')'))
            return false;
    }
    return true;
}

static bool take_order(cursor *c, dictionary *out)
{
    out->fortran = take_word(c, "True");
    return out->fortran || take_word(c, "False");
}

static bool take_dictionary(cursor *c, dictionary *out)
{
    if (!take(c, '{'))
        return false;
    while (!take(c, '}')) {
        text key;
        if (!take_text(c, &key) || !take(c, ':'))
            return false;
        if (is_text(key, "descr"))
            out->has_type = take_text(c, &out->type);
        else if (is_text(key, "fortran_order"))
            out->has_order = take_order(c, out);
        else if (is_text(key, "shape"))
            out->has_shape = take_shape(c, out);
        else
            return false;
        take(c, ',');
    }
    return out->has_type && out->has_order && out->has_shape;
}

/* Reads "<f4". */
static int read_type(text type, npy_header *out, char reason[NPY_REASON_BYTES])
{
    int shown = (int)(type.length < 20 ? type.length : 20);
    if (type.length < 3 || !is_one_of("<>|=", type.begin[0]))
        return REFUSE("holds \"%.*s\", which is no type of numbers", shown, type.begin);
    out->kind = type.begin[1];
    uint64_t bytes;
    cursor rest = {type.begin + 2, type.begin + type.length};
    if (!take_number(&rest, &bytes) || rest.at < rest.end)
        return REFUSE("holds \"%.*s\", which is no type of numbers", shown, type.begin);
    if (out->kind == 'c')
        return REFUSE("holds complex numbers, which no kernel takes");
    bool fits = out->kind == 'b'   ? bytes == 1
                : out->kind == 'f' ? bytes == 2 || bytes == 4 || bytes == 8
                                   : bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    if (!is_one_of("fiub", out->kind) || !fits)
        return REFUSE("holds \"%.*s\": integers, floats and bools of 1 to 8 bytes are supported",
                      shown, type.begin);
    if (type.begin[0] == '>' && bytes > 1)
        return REFUSE("has its bytes in big-endian order, which is not supported");
    out->bytes = (uint32_t)bytes;
    return 0;
}

int npy_read_header(const void *data, size_t bytes, uint64_t file_bytes, npy_header *out,
                    char reason[NPY_REASON_BYTES])
{
    const unsigned char *at = data;
    if (bytes < 10 || memcmp(at, "\x93NUMPY", 6) != 0)
        return REFUSE("%s", not_npy);
    if (at[6] < 1 || at[6] > 3)
        return REFUSE("is of version %d of .npy; 1 to 3 are supported", at[6]);
    size_t begin = at[6] == 1 ? 10 : 12;
    if (bytes < begin)
        return REFUSE("%s", damaged);
    uint64_t length = at[8] | (uint64_t)at[9] << 8;
    if (begin == 12)
        length |= (uint64_t)at[10] << 16 | (uint64_t)at[11] << 24;
    if (length > bytes - begin)
        return REFUSE("%s", damaged);
    cursor c = {(const char *)at + begin, (const char *)at + begin + length};
    dictionary found = {.count = 0};
    if (c.at < c.end && memchr(c.at, '[', length))
        return REFUSE("holds structures, which are not supported; write them as .bin");
    if (!take_dictionary(&c, &found))
        return REFUSE("%s", damaged);
    npy_header header = {.count = found.count, .begin = begin + length};
    if (read_type(found.type, &header, reason) != 0)
        return -1;
    if (found.fortran && found.dimensions > 1)
        return REFUSE("is in Fortran order; numpy.ascontiguousarray() gives the order of C");
    uint64_t wanted;
    if (__builtin_mul_overflow(header.count, header.bytes, &wanted) || file_bytes < header.begin ||
        file_bytes - header.begin != wanted)
        return REFUSE(
            "has %" PRIu64 " bytes of numbers, but its header says %" PRIu64 " numbers of %u bytes",
            file_bytes < header.begin ? 0 : file_bytes - header.begin, header.count, header.bytes);
    *out = header;
    return 0;
}
