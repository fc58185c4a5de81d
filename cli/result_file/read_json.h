/* SPDX-License-Identifier: MIT */
/*
 * read_json.h - reads values of a JSON document by key. The first error is kept as one sentence
 * with its place. After an error every function returns 0, NULL or NaN, so that callers check only
 * once, at the end.
 */
#ifndef CLI_READ_JSON_H
#define CLI_READ_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define READ_REASON_BYTES 256

/* Maximum depth of nested objects: the document, a device, its state, what is missing of it. */
#define READ_DEPTH 4

typedef struct json_reader {
    char *reason; /* buffer of READ_REASON_BYTES for the error message */
    bool failed;
    bool no_memory; /* the failure was lack of memory */
    struct {
        json_t *object;
        const char *key; /* key of `object` in the enclosing object */
        size_t index;    /* index of `object` in a list, or READ_ALONE */
    } levels[READ_DEPTH];
    unsigned depth;
    bool is_brief; /* the lists of samples are left empty, and baselines are not read */
} json_reader;

#define READ_ALONE SIZE_MAX

/* The caller keeps `document`, which must outlive the values read from it. */
json_reader read_begin(json_t *document, char *reason);

/* The functions below read the object entered last. Entering takes the object `key`, or item
 * `index` of the list `key`. */
void read_enter(json_reader *r, const char *key, size_t index);
void read_leave(json_reader *r);

/* Marks the reader as failed for lack of memory. */
void read_run_out(json_reader *r);

/* Marks the reader as failed, with this message after its place in the document. */
__attribute__((format(printf, 2, 3))) void read_refuse(json_reader *r, const char *format, ...);

/* Makes a message safe to print: it may quote the document, which must not control the terminal. */
void read_make_printable(char *text);

bool read_has(const json_reader *r, const char *key);
bool read_is_null(const json_reader *r, const char *key);
/* Number of items in the list `key`; more than `most` items are an error. */
size_t read_list(json_reader *r, const char *key, size_t most);
/* Text of `key`, or of item `index` of the list `key`. */
const char *read_text(json_reader *r, const char *key, size_t index);
const char *read_text_or_null(json_reader *r, const char *key);
double read_number(json_reader *r, const char *key, size_t index, double least);
double read_number_or_null(json_reader *r, const char *key, double least); /* JSON null: NaN */
int64_t read_whole(json_reader *r, const char *key, int64_t least, int64_t most);
/* Reads a count of at least 1 that the file has as a double; JSON null gives 0. */
uint64_t read_count_or_null(json_reader *r, const char *key, uint64_t most);
bool read_bool(json_reader *r, const char *key);
/* Copies the text of `key` into an array of `bytes` bytes. */
void read_chars(json_reader *r, const char *key, char *to, size_t bytes);
void read_chars_or_null(json_reader *r, const char *key, char *to,
                        size_t bytes); /* JSON null: "" */

/* The value whose name is stored: word_of() names each value from `first` on, and returns "unknown"
 * after the last. */
int read_word(json_reader *r, const char *key, size_t index, const char *(*word_of)(int value),
              int first);

/* Iterates over the members of the current object, each a whole number: read_next() starts at NULL
 * and returns NULL after the last. The second pair does the same for numbers; null: NaN. */
size_t read_count(const json_reader *r);
void *read_next(json_reader *r, void *member, const char **key, int64_t *value);
void *read_next_number(json_reader *r, void *member, const char **key, double *value);

/* Allocates zeroed memory, which the caller frees with free(). */
void *read_alloc(json_reader *r, size_t count, size_t bytes);

#endif
