/*
 * json_writer.h - streaming JSON: correct commas, indentation, escapes and numbers, no memory of
 * its own. Objects and arrays nest up to KT_JSON_DEPTH deep.
 */
#ifndef KT_OUTPUT_JSON_WRITER_H
#define KT_OUTPUT_JSON_WRITER_H

#include "output/writer.h"

#include <stdint.h>

#define KT_JSON_DEPTH 16

typedef struct kt_json {
    kt_writer *writer;
    unsigned depth;
    bool after_key;
    struct {
        bool has_items, one_line;
    } levels[KT_JSON_DEPTH];
} kt_json;

/* Begin and end; what is opened on one line stays on it with all that it holds. */
void kt_json_open(kt_json *json, char bracket);
void kt_json_open_line(kt_json *json, char bracket);
void kt_json_close(kt_json *json, char bracket);

/* Inside an object each value follows its key. */
void kt_json_key(kt_json *json, const char *key);
/* NULL is null. Bytes that are not UTF-8 become U+FFFD. */
void kt_json_text(kt_json *json, const char *text);
/* A text made of parts; nothing else is put between them. */
void kt_json_begin_text(kt_json *json);
void kt_json_add_text(kt_json *json, const char *part);
void kt_json_end_text(kt_json *json);
/* The shortest decimal that reads back as the same double; NaN and infinities, unknown to JSON,
 * are null. */
void kt_json_number(kt_json *json, double value);
void kt_json_integer(kt_json *json, int64_t value);
/* ns as us, with three decimals: exact. */
void kt_json_us(kt_json *json, uint64_t ns);
void kt_json_bool(kt_json *json, bool value);
/* 64-bit ticks as text: many readers hold numbers as doubles and would round them. */
void kt_json_ticks(kt_json *json, uint64_t ticks);
/* The same for a moment of a host clock. */
void kt_json_instant(kt_json *json, int64_t ns);

/* A key with its value. */
void kt_json_text_member(kt_json *json, const char *key, const char *text);
void kt_json_number_member(kt_json *json, const char *key, double value);
void kt_json_integer_member(kt_json *json, const char *key, int64_t value);

/* The member "host" of a document. */
void kt_print_json_host(kt_json *json, const kt_report_origin *origin);

#endif
