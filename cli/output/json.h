/* SPDX-License-Identifier: MIT */
/* json.h - JSON documents of the command's own: a tree in the making, and its text. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Each step fails once one has, for lack of memory. */
typedef struct json_builder {
    bool failed;
} json_builder;

/* Add a value, which may be NULL after a failure, and which they own. */
void json_set(json_builder *b, json_t *object, const char *key, json_t *value);
void json_add(json_builder *b, json_t *array, json_t *value);

/* NULL: null. Bytes that are no UTF-8 become U+FFFD. */
json_t *json_text(const char *text);
/* NaN and infinity, which JSON lacks: null. */
json_t *json_number(double value);
json_t *json_count(uint64_t value);

/* Writes a document, and frees it. Values nested deeper than `depth`, and those without objects and
 * lists in them, stand on one line. Returns false, and has written nothing, if memory ran out at
 * any step. Errors of `file` are its own. */
bool json_write(json_builder *b, json_t *document, unsigned depth, FILE *file);

#endif
