/* SPDX-License-Identifier: MIT */
#include "cli/run/specification.h"

#include "cli/options/suggest.h"
#include "cli/run/half.h"
#include "cli/run/npy.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REFUSE(...) (snprintf(reason, SPECIFICATION_REASON_BYTES, __VA_ARGS__), -1)

/* Doubles hold all whole numbers below it. */
#define WHOLE_END 0x1p53
/* Largest random number of integers where no range is given. */
#define RANDOM_WHOLE_MAX 99

typedef struct context {
    expression_lookup lookup;
    const void *names;
    specification *out;
    char *reason;
} context;

/* ---- the words of -a ---- */

const char *specification_split(const char *text, char name[SIGNATURE_NAME_BYTES],
                                char reason[SPECIFICATION_REASON_BYTES])
{
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;
    if (length == 0 || !equals[1]) {
        snprintf(reason, SPECIFICATION_REASON_BYTES,
                 "it takes NAME=SPEC, such as x=random or n=64");
        return NULL;
    }
    if (length >= SIGNATURE_NAME_BYTES) {
        snprintf(reason, SPECIFICATION_REASON_BYTES, "\"%.60s...\" is no argument's name", text);
        return NULL;
    }
    memcpy(name, text, length);
    name[length] = '\0';
    return equals + 1;
}

/* A number as it is written: "3.5", "-1e-3", "0x10", "nan". */
static bool read_literal(const char *text, double *value)
{
    char *end;
    if (!*text || strchr(" \t\n", *text))
        return false;
    *value = strtod(text, &end);
    return end > text && !*end;
}

static int read_number(const context *c, const char *text, double *value)
{
    char *reason = c->reason;
    if (read_literal(text, value)) {
        bool is_whole = !strpbrk(text, ".eEnN") && fabs(*value) >= WHOLE_END;
        return is_whole ? REFUSE("%.60s is not below 2^53, so it may not be exact", text) : 0;
    }
    if (strchr(text, '.'))
        return expression_evaluate_number(text, c->lookup, c->names, value, reason);
    int64_t whole;
    if (expression_evaluate(text, c->lookup, c->names, &whole, reason) != 0)
        return -1;
    if (fabs((double)whole) >= WHOLE_END)
        return REFUSE("%.60s is not below 2^53, so it may not be exact", text);
    *value = (double)whole;
    return 0;
}

/* Splits at each `separator` outside of parentheses, and reads the parts as numbers. `text` is
 * changed. */
static int read_numbers(const context *c, char *text, char separator, double *numbers, size_t most,
                        size_t *count)
{
    char *reason = c->reason, *part = text;
    size_t depth = 0;
    *count = 0;
    for (char *at = text;; at++) {
        depth += *at == '(';
        depth -= *at == ')' && depth;
        if (*at && (*at != separator || depth))
            continue;
        bool last = !*at;
        *at = '\0';
        if (*count == most)
            return REFUSE("more than %zu numbers", most);
        part += strspn(part, " ");
        if (read_number(c, part, &numbers[*count]) != 0)
            return -1;
        ++*count;
        part = at + 1;
        if (last)
            return 0;
    }
}

/* Whether the text is a vector: parentheses around all of it, and a comma just within them. */
static bool is_vector(const char *text)
{
    size_t depth = 0;
    bool comma = false;
    for (const char *at = text; *at; at++) {
        depth += *at == '(';
        comma |= *at == ',' && depth == 1;
        depth -= *at == ')' && depth;
        if (depth == 0 && (*text != '(' || at[1]))
            return false;
    }
    return comma && depth == 0;
}

static const char *const plain_words[] = {"zeros", "iota", "random", "null"};
static const char *const words_with_more[] = {"fill", "local", "same", "random"};

/* Suggests a word of the specification for one that is neither a number nor a name. */
static int refuse_word(const context *c, const char *text)
{
    char *reason = c->reason;
    size_t length = strcspn(text, ":");
    suggestion s = suggest_begin(text, length);
    for (size_t i = 0; !text[length] && i < sizeof plain_words / sizeof plain_words[0]; i++)
        suggest_consider(&s, plain_words[i]);
    for (size_t i = 0; text[length] && i < sizeof words_with_more / sizeof words_with_more[0]; i++)
        suggest_consider(&s, words_with_more[i]);
    if (s.word)
        return REFUSE("\"%.60s\" is no content; did you mean \"%s%.40s\"?", text, s.word,
                      text + length);
    return -1;
}

static int read_file_name(const context *c, const char *path)
{
    char *reason = c->reason;
    static const char *const raw[] = {".bin", ".raw", ".dat"};
    const char *ending = strrchr(path, '.');
    if (!*path)
        return REFUSE("no name of a file follows \"@\"");
    if (strlen(path) >= sizeof c->out->file)
        return REFUSE("\"%.40s...\" is too long for the name of a file", path);
    snprintf(c->out->file, sizeof c->out->file, "%s", path);
    c->out->kind = SPECIFICATION_NPY;
    if (ending && strcmp(ending, ".npy") == 0)
        return 0;
    c->out->kind = SPECIFICATION_BIN;
    for (size_t i = 0; ending && i < sizeof raw / sizeof raw[0]; i++)
        if (strcmp(ending, raw[i]) == 0)
            return 0;
    return REFUSE("%.100s ends neither in .npy nor in .bin (the bytes of a buffer)", path);
}

static int read_range(const context *c, char *text)
{
    char *reason = c->reason;
    double limits[2];
    size_t count;
    if (read_numbers(c, text, ':', limits, 2, &count) != 0)
        return -1;
    if (count != 2 || !(limits[0] < limits[1]) || !isfinite(limits[1] - limits[0]))
        return REFUSE("it takes random:LOW:HIGH with LOW below HIGH, such as random:-1:1");
    c->out->low = limits[0];
    c->out->high = limits[1];
    return 0;
}

static int read_local(const context *c, const char *text)
{
    char *reason = c->reason;
    if (expression_evaluate(text, c->lookup, c->names, &c->out->local_bytes, reason) != 0)
        return -1;
    return c->out->local_bytes >= 1
               ? 0
               : REFUSE("local memory of %" PRId64 " bytes; it takes at least 1",
                        c->out->local_bytes);
}

static int read_other(const context *c, const char *text)
{
    char *reason = c->reason;
    if (!*text || strlen(text) >= sizeof c->out->other)
        return REFUSE("it takes same:OTHER with the name or number of another argument");
    snprintf(c->out->other, sizeof c->out->other, "%s", text);
    return 0;
}

/* The text behind "WORD:", or NULL. */
static char *behind(char *text, const char *word)
{
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && text[length] == ':' ? text + length + 1 : NULL;
}

static int read_content(const context *c, char *text)
{
    static const specification_kind plain_kinds[] = {SPECIFICATION_ZEROS, SPECIFICATION_IOTA,
                                                     SPECIFICATION_RANDOM, SPECIFICATION_NULL};
    specification *out = c->out;
    char *more;
    for (size_t i = 0; i < sizeof plain_words / sizeof plain_words[0]; i++)
        if (strcmp(text, plain_words[i]) == 0) {
            out->kind = plain_kinds[i];
            return 0;
        }
    if (*text == '@')
        return read_file_name(c, text + 1);
    if ((more = behind(text, "random")) != NULL) {
        out->kind = SPECIFICATION_RANDOM;
        return read_range(c, more);
    }
    if ((more = behind(text, "fill")) != NULL) {
        out->kind = SPECIFICATION_FILL;
        out->number_count = 1;
        return read_number(c, more, &out->numbers[0]);
    }
    if ((more = behind(text, "local")) != NULL) {
        out->kind = SPECIFICATION_LOCAL;
        return read_local(c, more);
    }
    if ((more = behind(text, "same")) != NULL) {
        out->kind = SPECIFICATION_SAME;
        return read_other(c, more);
    }
    out->kind = SPECIFICATION_NUMBERS;
    if (is_vector(text)) {
        text[strlen(text) - 1] = '\0';
        return read_numbers(c, text + 1, ',', out->numbers, SPECIFICATION_NUMBERS_MAX,
                            &out->number_count);
    }
    out->number_count = 1;
    return read_number(c, text, &out->numbers[0]) == 0 ? 0 : refuse_word(c, text);
}

/* The last " x " of a text, or NULL. */
static char *find_count(char *text)
{
    char *found = NULL;
    for (char *at = strstr(text, " x "); at; at = strstr(at + 1, " x "))
        found = at;
    return found;
}

static int read_all(const context *c, char *text)
{
    char *reason = c->reason, *count = find_count(text);
    if (count) {
        *count = '\0';
        if (expression_evaluate(count + 3, c->lookup, c->names, &c->out->count, reason) != 0)
            return -1;
        if (c->out->count < 1)
            return REFUSE("%.60s is %" PRId64 "; a count of elements is 1 or more", count + 3,
                          c->out->count);
    }
    text += strspn(text, " ");
    for (size_t length = strlen(text); length && text[length - 1] == ' '; length--)
        text[length - 1] = '\0';
    if (!*text)
        return REFUSE("it takes content, such as random, zeros, 3.5 or @x.npy");
    return read_content(c, text);
}

int specification_read(const char *text, expression_lookup lookup, const void *names,
                       specification *out, char reason[SPECIFICATION_REASON_BYTES])
{
    specification found = {.kind = SPECIFICATION_NUMBERS};
    context c = {lookup, names, &found, reason};
    size_t bytes = strlen(text) + 1;
    char *words = malloc(bytes);
    if (!words)
        return REFUSE("out of memory");
    memcpy(words, text, bytes);
    int code = read_all(&c, words);
    free(words);
    if (code == 0)
        *out = found;
    return code;
}

/* ---- types ---- */

/* Bytes from one element to the next; bytes themselves where the type is unknown. */
static size_t stride_of(const element_type *element)
{
    return element->stride ? element->stride : 1;
}

static bool is_known(const element_type *element)
{
    return element->scalar != SCALAR_UNKNOWN && element->scalar_bytes && element->lanes &&
           (size_t)element->scalar_bytes * element->lanes <= stride_of(element);
}

static const char *name_of(scalar_kind kind)
{
    switch (kind) {
    case SCALAR_FLOAT: return "floats";
    case SCALAR_SIGNED: return "signed integers";
    case SCALAR_UNSIGNED: return "unsigned integers";
    case SCALAR_BOOL: return "bools";
    default: return "numbers";
    }
}

static scalar_kind kind_of(char npy)
{
    return npy == 'f'   ? SCALAR_FLOAT
           : npy == 'i' ? SCALAR_SIGNED
           : npy == 'u' ? SCALAR_UNSIGNED
                        : SCALAR_BOOL;
}

static int check_type(const specification *spec, const element_type *element,
                      const npy_header *header, char *reason)
{
    scalar_kind kind = kind_of(header->kind);
    if (!is_known(element) || (kind == element->scalar && header->bytes == element->scalar_bytes))
        return 0;
    /* numpy's bools are bytes of 0 and 1, and some languages have no other */
    if (kind == SCALAR_BOOL && element->scalar_bytes == 1)
        return 0;
    return REFUSE("%.100s holds %u-byte %s, it takes %u-byte %s", spec->file, header->bytes,
                  name_of(kind), element->scalar_bytes, name_of(element->scalar));
}

/* ---- files ---- */

/* Opens a file and finds its length. Returns NULL with a sentence. */
static FILE *open_file(const specification *spec, uint64_t *bytes, char *reason)
{
    errno = 0;
    FILE *file = fopen(spec->file, "rb");
    /* a folder can be opened, but not read */
    bool reads = file && (fgetc(file) != EOF || !ferror(file));
    long end = reads && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (end >= 0 && fseek(file, 0, SEEK_SET) == 0) {
        *bytes = (uint64_t)end;
        return file;
    }
    (void)REFUSE("%.120s cannot be read: %s", spec->file, errno ? strerror(errno) : "no file");
    if (file)
        fclose(file);
    return NULL;
}

/* Where the numbers of a file begin, and how many elements they are; -1 with a sentence. */
static int64_t measure_file(const specification *spec, const element_type *element, FILE *file,
                            uint64_t file_bytes, uint64_t *begin, char *reason)
{
    *begin = 0;
    uint64_t bytes = file_bytes, unit = stride_of(element);
    if (spec->kind == SPECIFICATION_NPY) {
        char header_bytes[NPY_HEADER_MAX], sentence[NPY_REASON_BYTES];
        npy_header header;
        size_t got = fread(header_bytes, 1, sizeof header_bytes, file);
        if (npy_read_header(header_bytes, got, file_bytes, &header, sentence) != 0)
            return REFUSE("%.90s %s", spec->file, sentence);
        if (check_type(spec, element, &header, reason) != 0)
            return -1;
        *begin = header.begin;
        bytes = header.count * header.bytes;
        if (is_known(element))
            unit = (uint64_t)element->scalar_bytes * element->lanes;
    }
    if (bytes == 0)
        return REFUSE("%.100s holds no numbers", spec->file);
    if (bytes % unit)
        return REFUSE("%.100s holds %" PRIu64 " bytes, no multiple of an element's %" PRIu64,
                      spec->file, bytes, unit);
    int64_t count = (int64_t)(bytes / unit);
    if (spec->count > count)
        return REFUSE("%.100s holds %" PRId64 " elements, fewer than %" PRId64, spec->file, count,
                      spec->count);
    return spec->count ? spec->count : count;
}

int64_t specification_count(const specification *spec, const element_type *element, int64_t usual,
                            char reason[SPECIFICATION_REASON_BYTES])
{
    if (spec->kind != SPECIFICATION_NPY && spec->kind != SPECIFICATION_BIN)
        return spec->count ? spec->count : usual;
    uint64_t bytes, begin;
    FILE *file = open_file(spec, &bytes, reason);
    if (!file)
        return -1;
    int64_t count = measure_file(spec, element, file, bytes, &begin, reason);
    fclose(file);
    return count;
}

/* Reads elements that stand without gaps in the file; in `data` they may have gaps. */
static bool read_elements(FILE *file, const element_type *element, bool packed, char *data,
                          int64_t count)
{
    size_t stride = stride_of(element);
    size_t unit = packed ? (size_t)element->scalar_bytes * element->lanes : stride;
    if (unit == stride)
        return fread(data, stride, (size_t)count, file) == (size_t)count;
    for (int64_t i = 0; i < count; i++)
        if (fread(data + (size_t)i * stride, unit, 1, file) != 1)
            return false;
    return true;
}

static int fill_from_file(const specification *spec, const element_type *element, char *data,
                          int64_t count, char *reason)
{
    uint64_t bytes, begin;
    FILE *file = open_file(spec, &bytes, reason);
    if (!file)
        return -1;
    int code = -1;
    int64_t has = measure_file(spec, element, file, bytes, &begin, reason);
    bool packed = spec->kind == SPECIFICATION_NPY && is_known(element);
    if (has >= 0 && has < count)
        (void)REFUSE("%.100s holds %" PRId64 " elements, fewer than %" PRId64, spec->file, has,
                     count);
    else if (has >= 0 && (fseek(file, (long)begin, SEEK_SET) != 0 ||
                          !read_elements(file, element, packed, data, count)))
        (void)REFUSE("%.100s cannot be read to its end", spec->file);
    else if (has >= 0)
        code = 0;
    fclose(file);
    return code;
}

/* ---- numbers as bytes ---- */

/* Whole numbers of a type: from `least` to below `end`. */
static void whole_limits(const element_type *type, double *least, double *end)
{
    int bits = 8 * (int)type->scalar_bytes;
    bool is_signed = type->scalar == SCALAR_SIGNED;
    *least = is_signed ? -ldexp(1, bits - 1) : 0;
    *end = type->scalar == SCALAR_BOOL ? 2 : ldexp(1, bits - is_signed);
}

static int refuse_number(double value, const element_type *type, char *reason)
{
    if (type->scalar == SCALAR_UNKNOWN)
        return REFUSE("%g has no form in a type that is unknown; @file.bin gives its bytes", value);
    bool plain = value == floor(value) && fabs(value) < 1e15;
    return REFUSE("%.*g is none of the %u-byte %s", plain ? 15 : 6, value, type->scalar_bytes,
                  name_of(type->scalar));
}

static int check_number(double value, const element_type *type, char *reason)
{
    if (type->scalar == SCALAR_FLOAT) {
        double most = type->scalar_bytes == 2   ? HALF_MAX
                      : type->scalar_bytes == 4 ? (double)FLT_MAX
                                                : DBL_MAX;
        return isfinite(value) && fabs(value) > most ? refuse_number(value, type, reason) : 0;
    }
    double least, end;
    whole_limits(type, &least, &end);
    bool fits = value >= least && value < end && value == floor(value);
    return fits ? 0 : refuse_number(value, type, reason);
}

static void put_whole(uint64_t value, uint32_t bytes, char *data)
{
    const uint8_t one = (uint8_t)value;
    const uint16_t two = (uint16_t)value;
    const uint32_t four = (uint32_t)value;
    const void *source = bytes == 1   ? (const void *)&one
                         : bytes == 2 ? (const void *)&two
                         : bytes == 4 ? (const void *)&four
                                      : (const void *)&value;
    memcpy(data, source, bytes);
}

/* Writes a number that check_number() let pass. */
static void put_number(double value, const element_type *type, char *data)
{
    if (type->scalar != SCALAR_FLOAT) {
        put_whole(value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value, type->scalar_bytes, data);
    } else if (type->scalar_bytes == 2) {
        put_whole(half_from_double(value), 2, data);
    } else if (type->scalar_bytes == 4) {
        const float real = (float)value;
        memcpy(data, &real, sizeof real);
    } else {
        memcpy(data, &value, sizeof value);
    }
}

int specification_put(double value, const element_type *type, void *data,
                      char reason[SPECIFICATION_REASON_BYTES])
{
    if (check_number(value, type, reason) != 0)
        return -1;
    put_number(value, type, data);
    return 0;
}

/* ---- content ---- */

/* splitmix64 (Steele, Lea, Flood 2014) of a counter: number `index` needs none before it. */
static uint64_t random_bits(uint64_t seed, uint64_t index)
{
    uint64_t bits =
        seed * UINT64_C(0xD1342543DE82EF95) + (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
    bits = (bits ^ bits >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94D049BB133111EB);
    return bits ^ bits >> 31;
}

static double random_number(const specification *spec, const element_type *type, uint64_t bits)
{
    double low = spec->low, high = spec->high;
    if (low == high) {
        low = 0;
        high = type->scalar == SCALAR_FLOAT || type->scalar == SCALAR_BOOL ? 1 : RANDOM_WHOLE_MAX;
    }
    double share = (double)(bits >> 11) * 0x1p-53;
    if (type->scalar == SCALAR_FLOAT)
        return low + (high - low) * share;
    double value = ceil(low) + floor((floor(high) - ceil(low) + 1) * share);
    return value > high ? floor(high) : value; /* rounded up, of a range beyond 2^53 */
}

/* 0, 1, 2 ..., from 0 again where the type does not hold all whole numbers any more. */
static double iota_number(const element_type *type, uint64_t index)
{
    unsigned bits = 53;
    if (type->scalar == SCALAR_FLOAT)
        bits = type->scalar_bytes == 2 ? 11 : type->scalar_bytes == 4 ? 24 : 53;
    else if (type->scalar == SCALAR_BOOL)
        bits = 1;
    else if (type->scalar_bytes < 8)
        bits = 8 * type->scalar_bytes - (type->scalar == SCALAR_SIGNED);
    return (double)(index & ((UINT64_C(1) << bits) - 1));
}

/* Number `index` of the content. */
static double number_at(const specification *spec, const element_type *type, uint64_t seed,
                        uint64_t index)
{
    switch (spec->kind) {
    case SPECIFICATION_IOTA: return iota_number(type, index);
    case SPECIFICATION_RANDOM: return random_number(spec, type, random_bits(seed, index));
    case SPECIFICATION_NUMBERS: return spec->numbers[index % spec->number_count];
    default: return spec->numbers[0];
    }
}

/* Whether each number of the content is one of the type. */
static int check_numbers(const specification *spec, const element_type *type, uint64_t lanes,
                         int64_t count, char *reason)
{
    size_t given = spec->number_count;
    if (spec->kind == SPECIFICATION_NUMBERS && given > 1 && given != lanes &&
        given != (uint64_t)count * lanes)
        return REFUSE("%zu numbers are given, it takes %" PRIu64, given,
                      count == 1 ? lanes : (uint64_t)count * lanes);
    for (size_t i = 0; i < given; i++)
        if (check_number(spec->numbers[i], type, reason) != 0)
            return -1;
    if (spec->kind != SPECIFICATION_RANDOM || spec->low == spec->high)
        return 0;
    if (type->scalar != SCALAR_FLOAT && ceil(spec->low) > floor(spec->high))
        return REFUSE("there is no whole number from %g to %g", spec->low, spec->high);
    bool is_float = type->scalar == SCALAR_FLOAT;
    return check_number(is_float ? spec->low : ceil(spec->low), type, reason) == 0 &&
                   check_number(is_float ? spec->high : floor(spec->high), type, reason) == 0
               ? 0
               : -1;
}

/* How the numbers of an element are written. An unknown type is bytes, but a number that is given
 * for a value of 1, 2, 4 or 8 bytes is an integer. */
static element_type written_as(const specification *spec, const element_type *element)
{
    if (is_known(element))
        return *element;
    size_t stride = stride_of(element);
    if (spec->kind == SPECIFICATION_NUMBERS &&
        (stride == 1 || stride == 2 || stride == 4 || stride == 8)) {
        bool negative = false;
        for (size_t i = 0; i < spec->number_count; i++)
            negative |= spec->numbers[i] < 0;
        return (element_type){.scalar = negative ? SCALAR_SIGNED : SCALAR_UNSIGNED,
                              .scalar_bytes = (uint32_t)stride,
                              .lanes = 1,
                              .stride = (uint32_t)stride};
    }
    return (element_type){.scalar = SCALAR_UNSIGNED,
                          .scalar_bytes = 1,
                          .lanes = (uint32_t)stride,
                          .stride = (uint32_t)stride};
}

static int fill_numbers(const specification *spec, const element_type *element, uint64_t seed,
                        char *data, int64_t count, char *reason)
{
    element_type type = written_as(spec, element);
    if (spec->kind == SPECIFICATION_NUMBERS && !is_known(element) && type.lanes > 1)
        return REFUSE("a structure of %u bytes takes zeros or @file.bin, not a number",
                      type.stride);
    if (check_numbers(spec, &type, type.lanes, count, reason) != 0) {
        bool guessed = !is_known(element) && spec->kind == SPECIFICATION_NUMBERS;
        return guessed ? refuse_number(spec->numbers[0], element, reason) : -1;
    }
    if ((size_t)type.scalar_bytes * type.lanes < type.stride)
        memset(data, 0, (size_t)type.stride * (size_t)count);
    uint64_t index = 0;
    for (int64_t i = 0; i < count; i++)
        for (uint32_t lane = 0; lane < type.lanes; lane++, index++)
            put_number(number_at(spec, &type, seed, index), &type,
                       data + (size_t)i * type.stride + (size_t)lane * type.scalar_bytes);
    return 0;
}

int specification_fill(const specification *spec, const element_type *element, uint64_t seed,
                       void *data, int64_t count, char reason[SPECIFICATION_REASON_BYTES])
{
    switch (spec->kind) {
    case SPECIFICATION_ZEROS: memset(data, 0, stride_of(element) * (size_t)count); return 0;
    case SPECIFICATION_NPY:
    case SPECIFICATION_BIN: return fill_from_file(spec, element, data, count, reason);
    case SPECIFICATION_NULL:
    case SPECIFICATION_LOCAL:
    case SPECIFICATION_SAME: return REFUSE("null, local and same are no content of a buffer");
    default: return fill_numbers(spec, element, seed, data, count, reason);
    }
}
