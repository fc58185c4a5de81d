/*
 * read_json.h - takes values out of a JSON document by their keys, and says in one sentence, with
 * the place, what is not as it must be. The first thing that is wrong counts: from then on nothing
 * is looked at, and every function answers 0, NULL or NaN, so that callers need to ask only once,
 * at the end.
 */
#ifndef CLI_READ_JSON_H
#define CLI_READ_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define READ_WHY_BYTES 256

/* Objects in objects: the document, a series of it, a raw stamp of that. */
#define READ_DEPTH 3

typedef struct json_reader {
    char *why; /* the sentence, of READ_WHY_BYTES */
    bool failed;
    bool no_memory; /* that is why it failed */
    struct {
        json_t *object;
        const char *key; /* that it has in the object around it */
        size_t index;    /* in a list there, or READ_ALONE */
    } levels[READ_DEPTH];
    unsigned depth;
} json_reader;

#define READ_ALONE SIZE_MAX

/* `document` stays the caller's, and must live as long as what is taken out of it. */
json_reader read_begin(json_t *document, char *why);

/* Everything below is about the object that was entered last. To enter: the object `key`, or item
 * `index` of the list `key`. */
void read_enter(json_reader *r, const char *key, size_t index);
void read_leave(json_reader *r);

/* Fails for want of memory. */
void read_run_out(json_reader *r);

/* Fails with this sentence; the place is put in front. */
__attribute__((format(printf, 2, 3))) void read_refuse(json_reader *r, const char *format, ...);

/* A sentence may quote the document, and must not command the terminal. */
void read_make_printable(char *text);

bool read_has(const json_reader *r, const char *key);
bool read_is_null(const json_reader *r, const char *key);
/* Number of items in a list. */
size_t read_list(json_reader *r, const char *key, size_t most);
/* Value of a key, or of item `index` of the list `key`. */
const char *read_text(json_reader *r, const char *key, size_t index);
const char *read_text_or_null(json_reader *r, const char *key);
double read_number(json_reader *r, const char *key, size_t index, double least);
double read_number_or_null(json_reader *r, const char *key, double least); /* null: NaN */
int64_t read_whole(json_reader *r, const char *key, int64_t least, int64_t most);
/* A number from 1 on that is written as a double; null: 0. */
uint64_t read_count_or_null(json_reader *r, const char *key, uint64_t most);
bool read_bool(json_reader *r, const char *key);
/* Copies a text into an array of `bytes`. */
void read_chars(json_reader *r, const char *key, char *to, size_t bytes);
void read_chars_or_null(json_reader *r, const char *key, char *to, size_t bytes); /* null: "" */

/* The value whose word stands there, `first` being the lowest: word_of() gives that of each, and
 * "unknown" beyond the last. */
int read_word(json_reader *r, const char *key, size_t index, const char *(*word_of)(int value),
              int first);

/* The members of the object that was entered, each a whole number: read_next() steps from NULL on
 * and returns NULL after the last. The same of numbers, or null: NaN. */
size_t read_count(const json_reader *r);
void *read_next(json_reader *r, void *member, const char **key, int64_t *value);
void *read_next_number(json_reader *r, void *member, const char **key, double *value);

/* Zeroed, to be freed with free(). */
void *read_alloc(json_reader *r, size_t count, size_t bytes);

#endif
