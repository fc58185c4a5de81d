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
        text += length ? length : 1;
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

/* A text that grows. */
typedef struct buffer {
    char *data;
    size_t used, room;
    bool failed;
} buffer;

static int put(const char *data, size_t bytes, void *user)
{
    buffer *to = user;
    if (to->used + bytes > to->room) {
        size_t room = 2 * (to->used + bytes);
        char *longer = realloc(to->data, room);
        if (!longer) {
            to->failed = true;
            return -1;
        }
        to->data = longer;
        to->room = room;
    }
    memcpy(to->data + to->used, data, bytes);
    to->used += bytes;
    return 0;
}

static void put_text(buffer *to, const char *text)
{
    put(text, strlen(text), to);
}

static void put_line(buffer *to, unsigned indent, bool is_first)
{
    put_text(to, is_first ? "\n" : ",\n");
    for (unsigned i = 0; i < indent; i++)
        put_text(to, "  ");
}

static void put_flat(buffer *to, const json_t *value)
{
    if (json_dump_callback(value, put, to, JSON_ENCODE_ANY | JSON_REAL_PRECISION(DIGITS)) != 0)
        to->failed = true;
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
static void put_value(buffer *to, json_t *value, unsigned indent, unsigned depth)
{
    size_t count = json_is_object(value) ? json_object_size(value) : json_array_size(value);
    if (depth == 0 || is_plain(value)) {
        put_flat(to, value);
        return;
    }
    put_text(to, json_is_object(value) ? "{" : "[");
    for (size_t i = 0; json_is_array(value) && i < count; i++) {
        put_line(to, indent + 1, i == 0);
        put_value(to, json_array_get(value, i), indent + 1, depth - 1);
    }
    bool is_first = true;
    for (void *at = json_object_iter(value); at; at = json_object_iter_next(value, at)) {
        json_t *key = json_string(json_object_iter_key(at));
        put_line(to, indent + 1, is_first);
        put_flat(to, key);
        put_text(to, ": ");
        json_decref(key);
        put_value(to, json_object_iter_value(at), indent + 1, depth - 1);
        is_first = false;
    }
    put_text(to, "\n");
    for (unsigned i = 0; i < indent; i++)
        put_text(to, "  ");
    put_text(to, json_is_object(value) ? "}" : "]");
}

bool json_write(json_builder *b, json_t *document, unsigned depth, FILE *file)
{
    buffer text = {.failed = b->failed || !document};
    if (!text.failed) {
        put_value(&text, document, 0, depth);
        put_text(&text, "\n");
    }
    if (!text.failed)
        fwrite(text.data, 1, text.used, file);
    json_decref(document);
    free(text.data);
    return !text.failed;
}
