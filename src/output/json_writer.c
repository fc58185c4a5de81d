/* SPDX-License-Identifier: MIT */
#include "output/json_writer.h"

#include "output/text.h"

#include <inttypes.h>
#include <math.h>

static void new_line(kt_json *json)
{
    kt_put(json->writer, "\n");
    for (unsigned i = 0; i < json->depth; i++)
        kt_put(json->writer, "  ");
}

/* Writes the comma, line break or blank before a value or key. */
static void separate(kt_json *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    if (json->depth == 0)
        return;
    bool first = !json->levels[json->depth - 1].has_items;
    json->levels[json->depth - 1].has_items = true;
    if (!first)
        kt_put(json->writer, ",");
    if (!json->levels[json->depth - 1].one_line)
        new_line(json);
    else if (!first)
        kt_put(json->writer, " ");
}

static void open_level(kt_json *json, char bracket, bool one_line)
{
    separate(json);
    kt_put_bytes(json->writer, &bracket, 1);
    if (json->depth == KT_JSON_DEPTH) {
        /* Fails instead of writing an invalid file; this would be a bug in kerntime. */
        json->writer->status = kt_fail(KT_INVALID, "JSON is nested too deeply");
        return;
    }
    bool within_line = json->depth > 0 && json->levels[json->depth - 1].one_line;
    json->levels[json->depth].has_items = false;
    json->levels[json->depth].one_line = one_line || within_line;
    json->depth++;
}

void kt_json_open(kt_json *json, char bracket)
{
    open_level(json, bracket, false);
}

void kt_json_open_line(kt_json *json, char bracket)
{
    open_level(json, bracket, true);
}

void kt_json_close(kt_json *json, char bracket)
{
    if (json->depth == 0)
        return;
    json->depth--;
    if (json->levels[json->depth].has_items && !json->levels[json->depth].one_line)
        new_line(json);
    kt_put_bytes(json->writer, &bracket, 1);
    if (json->depth == 0)
        kt_put(json->writer, "\n");
}

static void put_character(kt_writer *writer, const char *text, size_t length)
{
    unsigned char first = (unsigned char)text[0];
    if (length == 0)
        /* U+FFFD stays unescaped, so that reading and writing the file preserves it */
        kt_put(writer, "\xEF\xBF\xBD");
    else if (first == '"' || first == '\\')
        kt_putf(writer, "\\%c", first);
    else if (first == '\n')
        kt_put(writer, "\\n");
    else if (first < 0x20 || first == 0x7F)
        kt_putf(writer, "\\u%04x", first);
    else
        kt_put_bytes(writer, text, length);
}

static void put_characters(kt_writer *writer, const char *text)
{
    while (*text) {
        size_t length = kt_utf8_length(text);
        put_character(writer, text, length);
        text += length ? length : 1;
    }
}

static void put_quoted(kt_writer *writer, const char *text)
{
    kt_put(writer, "\"");
    put_characters(writer, text);
    kt_put(writer, "\"");
}

void kt_json_key(kt_json *json, const char *key)
{
    separate(json);
    put_quoted(json->writer, key);
    kt_put(json->writer, ": ");
    json->after_key = true;
}

void kt_json_text(kt_json *json, const char *text)
{
    separate(json);
    if (text)
        put_quoted(json->writer, text);
    else
        kt_put(json->writer, "null");
}

void kt_json_begin_text(kt_json *json)
{
    separate(json);
    kt_put(json->writer, "\"");
}

void kt_json_add_text(kt_json *json, const char *part)
{
    put_characters(json->writer, part);
}

void kt_json_end_text(kt_json *json)
{
    kt_put(json->writer, "\"");
}

void kt_json_number(kt_json *json, double value)
{
    separate(json);
    if (!isfinite(value)) {
        kt_put(json->writer, "null");
        return;
    }
    kt_put_number(json->writer, value);
}

void kt_json_integer(kt_json *json, int64_t value)
{
    separate(json);
    kt_putf(json->writer, "%" PRId64, value);
}

void kt_json_us(kt_json *json, uint64_t ns)
{
    separate(json);
    kt_putf(json->writer, "%" PRIu64 ".%03" PRIu64, ns / 1000, ns % 1000);
}

void kt_json_bool(kt_json *json, bool value)
{
    separate(json);
    kt_put(json->writer, value ? "true" : "false");
}

void kt_json_ticks(kt_json *json, uint64_t ticks)
{
    separate(json);
    kt_putf(json->writer, "\"%" PRIu64 "\"", ticks);
}

void kt_json_instant(kt_json *json, int64_t ns)
{
    separate(json);
    kt_putf(json->writer, "\"%" PRId64 "\"", ns);
}

void kt_json_text_member(kt_json *json, const char *key, const char *text)
{
    kt_json_key(json, key);
    kt_json_text(json, text);
}

void kt_json_number_member(kt_json *json, const char *key, double value)
{
    kt_json_key(json, key);
    kt_json_number(json, value);
}

void kt_json_integer_member(kt_json *json, const char *key, int64_t value)
{
    kt_json_key(json, key);
    kt_json_integer(json, value);
}

void kt_print_json_host(kt_json *json, const kt_report_origin *origin)
{
    kt_json_key(json, "host");
    kt_json_open_line(json, '{');
    if (origin->host)
        kt_json_text_member(json, "name", origin->host);
    if (origin->boot_id)
        kt_json_text_member(json, "boot_id", origin->boot_id);
    kt_json_text_member(json, "os", origin->os);
    kt_json_text_member(json, "cpu", origin->cpu);
    kt_json_integer_member(json, "cores", origin->cores);
    kt_json_text_member(json, "clock", origin->clock);
    kt_json_close(json, '}');
}
