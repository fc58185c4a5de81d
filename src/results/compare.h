/* compare.h - two sides compared, as text and as JSON. */
#ifndef KT_RESULTS_COMPARE_H
#define KT_RESULTS_COMPARE_H

#include "document.h"
#include "style.h"

#include <kerntime/compare.h>

/* What one side is made of. */
typedef struct kt_compare_source {
    const char *const *names;   /* of its files; NULL: none */
    const char *const *started; /* of each of its reports */
    uint32_t count;             /* of its reports */
    uint32_t runs;              /* of all of them together */
} kt_compare_source;

typedef struct kt_compare_document {
    const kt_document *head; /* command, origin, and the devices of both sides; no series */
    kt_compare_source base_side, new_side;
    kt_compare_options options; /* none of them 0 but timing */
    const kt_series_change *changes;
    uint32_t change_count;
    kt_change_common common;
    kt_verdict verdict; /* of the whole */
} kt_compare_document;

/* Whether both have one name and one driver; their ids are not looked at (compare_words.c). */
bool kt_is_same_make(const kt_device_info *one, const kt_device_info *other);

/* What would decide its inconclusive rows (compare_words.c). */
kt_compare_outlook kt_find_outlook(const kt_compare_document *document);

/* The table with its bars, and what is to be said below it. kt_style_aligned, or Markdown. */
void kt_print_compare(const kt_compare_document *document, const kt_style *style,
                      kt_writer *writer);
/* kt_print_compare() in the style of Markdown (markdown.c). */
void kt_print_compare_markdown(const kt_compare_document *document, kt_writer *writer);
void kt_print_compare_json(const kt_compare_document *document, kt_writer *writer);

#endif
