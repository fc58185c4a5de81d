/* notes.h - what stands around the table of a comparison, and words that both have. */
#ifndef KT_OUTPUT_COMPARE_NOTES_H
#define KT_OUTPUT_COMPARE_NOTES_H

#include "output/compare/compare.h"

/* ---- which rows belong together (jobs.c) ---- */

/* A row in its job. */
typedef struct kt_compare_place {
    bool several; /* its job has several device times */
    bool alike;   /* what is to be said of not comparing it holds for all rows of its job */
    bool first;   /* of its job */
} kt_compare_place;

/* Rows that were not compared for one reason. */
typedef struct kt_compare_group {
    uint32_t first; /* of the document's rows */
    uint32_t at, count;
} kt_compare_group;

typedef struct kt_compare_jobs {
    const char *only_device; /* the id of the one that all rows are of; NULL: several, or no rows */
    kt_compare_place *rows;  /* each row's */
    uint32_t *group_of;      /* each row's group; 0: it was compared */
    uint32_t *refused;       /* the rows of all groups, from `at` on `count` for each */
    kt_compare_group *groups; /* in the order of their first rows */
    uint32_t group_count;
} kt_compare_jobs;

/* false: no memory. To be freed in either case. */
bool kt_find_compare_jobs(const kt_compare_document *document, kt_compare_jobs *out);
void kt_free_compare_jobs(kt_compare_jobs *jobs);

/* ---- sentences ---- */

typedef struct kt_compare_notes {
    const kt_compare_document *document;
    const kt_compare_jobs *jobs;
    const kt_style *style;
    kt_writer *writer;
} kt_compare_notes;

/* A sentence that is put together of parts. */
void kt_begin_note(const kt_compare_notes *to);
void kt_put_note(const kt_compare_notes *to, const char *text);
void kt_end_note(const kt_compare_notes *to);

/* How many rows are what, in one sentence. */
void kt_print_compare_whole(const kt_compare_notes *to);
/* What was taken off all rows: without it nobody understands them. false: nothing. */
bool kt_print_compare_taken_off(const kt_compare_notes *to);
/* Devices that differ between the sides. false: none. */
bool kt_print_compare_drivers(const kt_compare_notes *to);
/* One sentence for each thing to know. `listed`: how many rows the table has; of the others it has
 * those first that matter. */
void kt_print_compare_notes(const kt_compare_notes *to, uint32_t listed);
/* Which rows were not compared, and why (refused.c). */
void kt_print_not_compared(const kt_compare_notes *to);

/* Which rows have a time though some of their runs failed (refused.c). */
void kt_print_failed(const kt_compare_notes *to);

/* ---- words (words.c) ---- */

/* Of either side: its name, variant, device and step are those of both. */
const kt_series *kt_compare_series(const kt_series_change *row);
/* How much of the device's id holds for both sides: of a simulated device with another scenario,
 * what is before that. */
int kt_compare_device_length(const kt_series_change *row);
/* Of a row what tells it from the others of its job; NULL: it is the only device time. */
const char *kt_compare_step(const kt_compare_notes *to, uint32_t index);

/* Why a row is inconclusive. */
typedef enum kt_compare_doubt {
    KT_DOUBT_NONE, /* it is not, or nothing is known */
    KT_DOUBT_NOISE,
    KT_DOUBT_SMALL,
    KT_DOUBT_CHANCE,
    KT_DOUBT_RANKS,
    KT_DOUBT_SINGLE,
    KT_DOUBT_COUNT
} kt_compare_doubt;

kt_compare_doubt kt_find_doubt(const kt_compare_document *document, const kt_change *change);
/* In one word, NULL for none; and in one sentence. Returns `text`; 128 bytes are enough. */
const char *kt_doubt_name(kt_compare_doubt doubt);
char *kt_doubt_text(const kt_compare_document *document, kt_compare_doubt doubt, char *text,
                    size_t bytes);

/* Whether what all rows have in common was taken off them, so much that it can be seen. */
bool kt_is_taken_off(const kt_compare_document *document);

/* "+3.1 %", "-" for NaN; from a factor of ten on "11.2x", and down to a tenth "0.09x". As many
 * decimals as show a tenth of the minimum effect, at least one. Returns `text`; 32 bytes are
 * enough. */
char *kt_change_text(double change, double min_effect, char *text, size_t bytes);
/* "+2.8 .. +3.4 %", "-" where an end is not known. 64 bytes are enough. */
char *kt_change_interval_text(double low, double high, double min_effect, char *text, size_t bytes);
/* "1 %", of an option: no more digits than it has. 32 bytes are enough. */
char *kt_option_text(double share, char *text, size_t bytes);

#endif
