/*
 * read_lists.h - lists of samples, taken out of a JSON text before it is parsed.
 *
 * Nine tenths of a result file are samples, and a parser that keeps each as an object takes ten
 * times as long as this. Numbers are rounded to within one unit of their last place: good for
 * medians, not to be written again.
 */
#ifndef CLI_READ_LISTS_H
#define CLI_READ_LISTS_H

#include <stdbool.h>
#include <stddef.h>

#define LISTS_KEY "samples_ns"

typedef struct read_lists {
    double *numbers; /* of all lists */
    size_t number_count, number_room;
    size_t *ends; /* of each list, in `numbers` */
    size_t count, room;
} read_lists;

/*
 * Replaces each list with the key "samples_ns" by its number: `"samples_ns":0`. Returns the text,
 * of *bytes bytes; NULL if a list is none of numbers, or the text is none of JSON, so that it has to
 * be read as it is; or if memory ran out. The caller frees it, and the lists in any case.
 */
char *lists_take_out(read_lists *lists, const char *text, size_t *bytes);
/* The numbers of a list; NULL: there is no such list. */
const double *lists_find(const read_lists *lists, size_t list, size_t *count);
void lists_free(read_lists *lists);

#endif
