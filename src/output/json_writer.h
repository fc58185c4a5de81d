/* SPDX-License-Identifier: MIT */
/*
 * json_writer.h - streams JSON: commas, indentation, escapes and numbers, without allocating
 * memory. Objects and arrays nest up to KT_JSON_DEPTH deep.
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

/* Begin and end objects and arrays. Those opened on one line keep their whole content on it. */
void kt_json_open(kt_json *json, char bracket);
void kt_json_open_line(kt_json *json, char bracket);
void kt_json_close(kt_json *json, char bracket);

/* Writes the key of the next value. Required before each value of an object. */
void kt_json_key(kt_json *json, const char *key);
/* Writes a text. NULL becomes null; bytes that are not UTF-8 become U+FFFD. */
void kt_json_text(kt_json *json, const char *text);
/* Write one text assembled from parts, with nothing between them. */
void kt_json_begin_text(kt_json *json);
void kt_json_add_text(kt_json *json, const char *part);
void kt_json_end_text(kt_json *json);
/* Writes the shortest decimal that reads back as the same double. NaN and infinity, which JSON
 * lacks, become null. */
void kt_json_number(kt_json *json, double value);
void kt_json_integer(kt_json *json, int64_t value);
/* Writes a duration in ns as us with three decimals, without rounding. */
void kt_json_us(kt_json *json, uint64_t ns);
void kt_json_bool(kt_json *json, bool value);
/* Writes 64-bit ticks as text, since many readers store numbers as doubles and would round them. */
void kt_json_ticks(kt_json *json, uint64_t ticks);
/* Writes an instant of a host clock in ns, also as text. */
void kt_json_instant(kt_json *json, int64_t ns);

/* Write a key and its value. */
void kt_json_text_member(kt_json *json, const char *key, const char *text);
void kt_json_number_member(kt_json *json, const char *key, double value);
void kt_json_integer_member(kt_json *json, const char *key, int64_t value);

/* Prints the member "host" of a document. */
void kt_print_json_host(kt_json *json, const kt_report_origin *origin);

#endif
