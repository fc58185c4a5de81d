/* SPDX-License-Identifier: MIT */
#include "cli/result_file/read_json.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_reader read_begin(json_t *document, char *reason)
{
    return (json_reader){.reason = reason, .levels = {{.object = document}}, .depth = 1};
}

/* ---- error messages ---- */

/* Writes the current place in the document, such as "series[3].raw[5]: "; nothing for the document
 * itself. */
static size_t put_place(const json_reader *r, char *text, size_t bytes)
{
    size_t used = 0;
    for (unsigned i = 1; i < r->depth && used < bytes; i++) {
        used +=
            (size_t)snprintf(text + used, bytes - used, "%s%s", i > 1 ? "." : "", r->levels[i].key);
        if (r->levels[i].index != READ_ALONE && used < bytes)
            used += (size_t)snprintf(text + used, bytes - used, "[%zu]", r->levels[i].index);
    }
    if (r->depth > 1 && used < bytes)
        used += (size_t)snprintf(text + used, bytes - used, ": ");
    return used < bytes ? used : bytes - 1;
}

void read_make_printable(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7F)
            *text = '?';
}

void read_refuse(json_reader *r, const char *format, ...)
{
    if (r->failed)
        return;
    r->failed = true;
    size_t used = put_place(r, r->reason, READ_REASON_BYTES);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->reason + used, READ_REASON_BYTES - used, format, arguments);
    va_end(arguments);
    read_make_printable(r->reason);
}

void read_run_out(json_reader *r)
{
    if (r->failed)
        return;
    r->failed = r->no_memory = true;
    snprintf(r->reason, READ_REASON_BYTES, "out of memory");
}

/* `key` or `key`[index], for error messages. */
typedef struct value_name {
    char text[64];
} value_name;

static value_name name_of(const char *key, size_t index)
{
    value_name name;
    if (index == READ_ALONE)
        snprintf(name.text, sizeof name.text, "\"%s\"", key);
    else
        snprintf(name.text, sizeof name.text, "%s[%zu]", key, index);
    return name;
}

static void refuse_value(json_reader *r, const char *key, size_t index, const char *sentence)
{
    read_refuse(r, "%s %s", name_of(key, index).text, sentence);
}

/* ---- look-up ---- */

bool read_has(const json_reader *r, const char *key)
{
    return !r->failed && json_object_get(r->levels[r->depth - 1].object, key);
}

bool read_is_null(const json_reader *r, const char *key)
{
    return !r->failed && json_is_null(json_object_get(r->levels[r->depth - 1].object, key));
}

/* The value of `key`, or of its item `index`; NULL if missing or after an earlier failure. */
static json_t *find(json_reader *r, const char *key, size_t index)
{
    if (r->failed)
        return NULL;
    json_t *value = json_object_get(r->levels[r->depth - 1].object, key);
    if (!value)
        read_refuse(r, "\"%s\" is missing", key);
    return value && index != READ_ALONE ? json_array_get(value, index) : value;
}

/* Like find(), but also returns NULL for the JSON value null. */
static const json_t *find_known(json_reader *r, const char *key)
{
    const json_t *value = find(r, key, READ_ALONE);
    return json_is_null(value) ? NULL : value;
}

void read_enter(json_reader *r, const char *key, size_t index)
{
    json_t *object = find(r, key, index);
    if (object && !json_is_object(object))
        refuse_value(r, key, index, "is not an object");
    r->levels[r->depth].object = object;
    r->levels[r->depth].key = key;
    r->levels[r->depth].index = index;
    r->depth++;
}

void read_leave(json_reader *r)
{
    r->depth--;
}

size_t read_list(json_reader *r, const char *key, size_t most)
{
    const json_t *list = find(r, key, READ_ALONE);
    if (list && !json_is_array(list))
        refuse_value(r, key, READ_ALONE, "is not a list");
    else if (json_array_size(list) > most)
        read_refuse(r, "\"%s\" has %zu items, which is more than %zu", key, json_array_size(list),
                    most);
    return r->failed ? 0 : json_array_size(list);
}

/* ---- texts ---- */

static const char *text_of(json_reader *r, const char *key, size_t index, const json_t *value)
{
    if (value && !json_is_string(value))
        refuse_value(r, key, index, "is not a text");
    return json_string_value(value);
}

const char *read_text(json_reader *r, const char *key, size_t index)
{
    return text_of(r, key, index, find(r, key, index));
}

const char *read_text_or_null(json_reader *r, const char *key)
{
    return text_of(r, key, READ_ALONE, find_known(r, key));
}

static void copy_chars(json_reader *r, const char *key, const char *text, char *to, size_t bytes)
{
    if (text && strlen(text) >= bytes)
        read_refuse(r, "\"%s\" is longer than %zu bytes", key, bytes - 1);
    snprintf(to, bytes, "%s", text ? text : "");
}

void read_chars(json_reader *r, const char *key, char *to, size_t bytes)
{
    copy_chars(r, key, read_text(r, key, READ_ALONE), to, bytes);
}

void read_chars_or_null(json_reader *r, const char *key, char *to, size_t bytes)
{
    copy_chars(r, key, read_text_or_null(r, key), to, bytes);
}

int read_word(json_reader *r, const char *key, size_t index, const char *(*word_of)(int value),
              int first)
{
    const char *text = read_text(r, key, index);
    if (!text)
        return 0;
    for (int value = first; strcmp(word_of(value), "unknown") != 0; value++)
        if (strcmp(word_of(value), text) == 0)
            return value;
    read_refuse(r, "%s is \"%.40s\", which this version does not know", name_of(key, index).text,
                text);
    return 0;
}

/* ---- numbers ---- */

static double number_of(json_reader *r, const char *key, size_t index, const json_t *value,
                        double least)
{
    if (!value)
        return NAN;
    double number = json_number_value(value);
    if (!json_is_number(value))
        refuse_value(r, key, index, "is not a number");
    else if (number < least)
        read_refuse(r, "%s is %g, which is too low", name_of(key, index).text, number);
    return number;
}

double read_number(json_reader *r, const char *key, size_t index, double least)
{
    return number_of(r, key, index, find(r, key, index), least);
}

double read_number_or_null(json_reader *r, const char *key, double least)
{
    return number_of(r, key, READ_ALONE, find_known(r, key), least);
}

int64_t read_whole(json_reader *r, const char *key, int64_t least, int64_t most)
{
    const json_t *value = find(r, key, READ_ALONE);
    if (!value)
        return 0;
    int64_t whole = json_integer_value(value);
    if (!json_is_integer(value))
        refuse_value(r, key, READ_ALONE, "is not a whole number");
    else if (whole < least || whole > most)
        read_refuse(r, "\"%s\" is %lld, not from %lld to %lld", key, (long long)whole,
                    (long long)least, (long long)most);
    return whole;
}

uint64_t read_count_or_null(json_reader *r, const char *key, uint64_t most)
{
    double number = read_number_or_null(r, key, 1);
    if (r->failed || isnan(number))
        return 0;
    if (number > (double)most || floor(number) != number) {
        read_refuse(r, "\"%s\" is %g, which is not a whole number up to %g", key, number,
                    (double)most);
        return 0;
    }
    /* 2^64 - 1 is written as its nearest double, 2^64. */
    return number >= 0x1p64 ? UINT64_MAX : (uint64_t)number;
}

bool read_bool(json_reader *r, const char *key)
{
    const json_t *value = find(r, key, READ_ALONE);
    if (value && !json_is_boolean(value))
        refuse_value(r, key, READ_ALONE, "is neither true nor false");
    return json_is_true(value);
}

/* ---- all members of an object ---- */

size_t read_count(const json_reader *r)
{
    return r->failed ? 0 : json_object_size(r->levels[r->depth - 1].object);
}

static void *next_member(const json_reader *r, void *member, const char **key)
{
    if (r->failed)
        return NULL;
    json_t *object = r->levels[r->depth - 1].object;
    member = member ? json_object_iter_next(object, member) : json_object_iter(object);
    if (member)
        *key = json_object_iter_key(member);
    return member;
}

void *read_next(json_reader *r, void *member, const char **key, int64_t *value)
{
    member = next_member(r, member, key);
    if (member)
        *value = read_whole(r, *key, INT64_MIN, INT64_MAX);
    return r->failed ? NULL : member;
}

void *read_next_number(json_reader *r, void *member, const char **key, double *value)
{
    member = next_member(r, member, key);
    if (member)
        *value = read_number_or_null(r, *key, -DBL_MAX);
    return r->failed ? NULL : member;
}

void *read_alloc(json_reader *r, size_t count, size_t bytes)
{
    void *memory = r->failed ? NULL : calloc(count ? count : 1, bytes);
    if (!memory)
        read_run_out(r);
    return memory;
}
