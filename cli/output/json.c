/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/output/json.h"

#include "cli/output/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE_MAX 1e15 /* whole numbers below are exact as doubles, and written as such */
#define DIGITS    15   /* of others: shorter than a double needs, but never wrong in the last one */

void json_set(json_builder *b, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        b->failed = true;
}

void json_add(json_builder *b, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        b->failed = true;
}

json_t *json_text(const char *text)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    if (!text)
        return json_null();
    char *repaired = malloc(strlen(text) * (sizeof replacement - 1) + 1);
    size_t used = 0;
    if (!repaired)
        return NULL;
    while (*text) {
        size_t length = text_sequence(text);
        memcpy(repaired + used, length ? text : replacement,
               length ? length : sizeof replacement - 1);
        used += length ? length : sizeof replacement - 1;
        text += text_next(text);
    }
    json_t *value = json_stringn_nocheck(repaired, used);
    free(repaired);
    return value;
}

json_t *json_number(double value)
{
    if (!isfinite(value))
        return json_null();
    return floor(value) == value && fabs(value) < WHOLE_MAX ? json_integer((json_int_t)value)
                                                            : json_real(value);
}

json_t *json_count(uint64_t value)
{
    return json_integer(value < INT64_MAX ? (json_int_t)value : INT64_MAX);
}

/* ---- text ---- */

static void put_indent(FILE *to, unsigned indent)
{
    fprintf(to, "%*s", 2 * (int)indent, "");
}

static void put_line(FILE *to, unsigned indent, bool is_first)
{
    fputs(is_first ? "\n" : ",\n", to);
    put_indent(to, indent);
}

static bool put_flat(FILE *to, const json_t *value)
{
    return json_dumpf(value, to, JSON_ENCODE_ANY | JSON_REAL_PRECISION(DIGITS)) == 0;
}

/* Whether a value has neither objects nor lists in it. */
static bool is_plain(json_t *value)
{
    for (size_t i = 0; i < json_array_size(value); i++)
        if (json_is_array(json_array_get(value, i)) || json_is_object(json_array_get(value, i)))
            return false;
    for (void *at = json_object_iter(value); at; at = json_object_iter_next(value, at))
        if (json_is_array(json_object_iter_value(at)) || json_is_object(json_object_iter_value(at)))
            return false;
    return true;
}

/* Depth is small and the caller's. NOLINTNEXTLINE(misc-no-recursion) */
static bool put_value(FILE *to, json_t *value, unsigned indent, unsigned depth)
{
    if (depth == 0 || is_plain(value))
        return put_flat(to, value);
    bool ok = true, is_first = true;
    fputs(json_is_object(value) ? "{" : "[", to);
    for (size_t i = 0; i < json_array_size(value); i++) {
        put_line(to, indent + 1, i == 0);
        ok = put_value(to, json_array_get(value, i), indent + 1, depth - 1) && ok;
    }
    for (void *at = json_object_iter(value); at; at = json_object_iter_next(value, at)) {
        json_t *key = json_string(json_object_iter_key(at));
        put_line(to, indent + 1, is_first);
        ok = put_flat(to, key) && ok;
        fputs(": ", to);
        json_decref(key);
        ok = put_value(to, json_object_iter_value(at), indent + 1, depth - 1) && ok;
        is_first = false;
    }
    fputs("\n", to);
    put_indent(to, indent);
    fputs(json_is_object(value) ? "}" : "]", to);
    return ok;
}

bool json_write(json_builder *b, json_t *document, unsigned depth, FILE *file)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = document && !b->failed ? open_memstream(&text, &bytes) : NULL;
    bool ok = memory && put_value(memory, document, 0, depth) && fputs("\n", memory) >= 0;
    if (memory)
        ok = fclose(memory) == 0 && ok;
    if (ok)
        fwrite(text, 1, bytes, file);
    json_decref(document);
    free(text);
    return ok;
}
