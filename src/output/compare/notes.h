/* SPDX-License-Identifier: MIT */
/* notes.h - the notes around the table of a comparison, and words used in both. */
#ifndef KT_OUTPUT_COMPARE_NOTES_H
#define KT_OUTPUT_COMPARE_NOTES_H

#include "output/compare/compare.h"
#include "output/table/note_list.h"

/* ---- grouping of rows (jobs.c) ---- */

/* Place of a row in its job. */
typedef struct kt_compare_place {
    bool several; /* the row's job has several device times */
    bool alike;   /* all rows of the job are refused for the same reason, or none is */
    bool first;   /* the row is the first of its job */
} kt_compare_place;

/* Rows refused for one reason. */
typedef struct kt_compare_group {
    uint32_t first; /* index of the group's first row in the document */
    uint32_t at, count;
} kt_compare_group;

typedef struct kt_compare_jobs {
    const char *only_device;  /* device id, if common to all rows; NULL: several, or no rows */
    kt_compare_place *rows;   /* place of each row of the document */
    uint32_t *group_of;       /* group of each row, from 1 on; 0: the row was compared */
    uint32_t *refused;        /* indices of refused rows; group g has g.count, from g.at on */
    kt_compare_group *groups; /* in the order of their first rows */
    uint32_t group_count;
} kt_compare_jobs;

/* Finds the jobs and groups of a comparison's rows. Returns false if out of memory. Free the result
 * in either case. */
bool kt_find_compare_jobs(const kt_compare_document *document, kt_compare_jobs *out);
void kt_free_compare_jobs(kt_compare_jobs *jobs);

/* ---- notes ---- */

typedef struct kt_compare_notes {
    const kt_compare_document *document;
    const kt_compare_jobs *jobs;
    const kt_style *style;
    kt_writer *writer;
    kt_note_list *list;
} kt_compare_notes;

/* Prints the overall verdict and the number of rows per verdict. */
void kt_print_compare_whole(const kt_compare_notes *to);
/* Adds a note on the common-mode shift, which explains the rows. */
void kt_add_common_mode(const kt_compare_notes *to);
/* Adds a note for each device whose name or driver differs between baseline and contender. */
void kt_add_changed_drivers(const kt_compare_notes *to);
/* Adds a note for each device whose state differs between baseline and contender. */
void kt_add_state_changes(const kt_compare_notes *to);
/* Says in the current note in how many rows of a verdict it does; nothing if in none. */
void kt_put_state_changes(const kt_compare_notes *to, kt_verdict verdict);
/* Adds the notes that explain no row. `listed`: number of rows in the table, which leaves out the
 * less important ones. */
void kt_add_compare_notes(const kt_compare_notes *to, uint32_t listed);
/* Explains the words of the table. */
void kt_add_compare_words(const kt_compare_notes *to);
/* Prints the origin of baseline and contender, and their devices. */
void kt_print_sources(const kt_compare_notes *to);
/* Adds the rows not compared, with reasons (refused.c). */
void kt_add_not_compared(const kt_compare_notes *to);
/* Adds the rows that have a time although some of their runs failed (refused.c). */
void kt_add_failed(const kt_compare_notes *to);

/* ---- words (words.c) ---- */

/* The series of either side: both have the same name, variant, device and step. */
const kt_series *kt_compare_series(const kt_series_change *row);
/* Length of the device id that both sides share: without the scenario, if that differs. */
int kt_compare_device_length(const kt_series_change *row);
/* What distinguishes a row within its job; NULL: it is the only device time. */
const char *kt_compare_step(const kt_compare_notes *to, uint32_t index);

/* Why a row has no sure verdict. */
typedef enum kt_compare_doubt {
    KT_DOUBT_NONE, /* the verdict is sure, or the doubt unknown */
    KT_DOUBT_NOISE,
    KT_DOUBT_SMALL,
    KT_DOUBT_CHANCE,
    KT_DOUBT_RANKS,
    KT_DOUBT_SINGLE,
    KT_DOUBT_SAMPLES,
    KT_DOUBT_LIKELY,
    KT_DOUBT_COUNT
} kt_compare_doubt;

kt_compare_doubt kt_find_doubt(const kt_compare_document *document, const kt_change *change);
/* The reason in one word, NULL for none, and in one sentence. Returns `text`; 128 bytes suffice. */
const char *kt_doubt_name(kt_compare_doubt doubt);
char *kt_doubt_text(const kt_compare_document *document, kt_compare_doubt doubt, char *text,
                    size_t bytes);

/* The verdict for people: "likely slower". */
const char *kt_verdict_text(kt_verdict verdict);
/* KT_COLOR_HEAD: of no change. */
kt_color kt_verdict_color(kt_verdict verdict);
bool kt_is_likely(const kt_change *change);
/* "2.0x (one run a side; --runs 3 decides)" of a likely change, the larger of the times over the
 * smaller. Returns `text`; 128 bytes suffice. */
char *kt_likely_text(const kt_compare_document *document, const kt_change *change, char *text,
                     size_t bytes);
/* What gives more runs: "--runs 5", or "5 runs each" if a program measured. 32 bytes suffice. */
char *kt_runs_text(const kt_compare_document *document, uint32_t runs, char *text, size_t bytes);

/* Whether a visible common-mode shift was subtracted from the rows. */
bool kt_is_taken_off(const kt_compare_document *document);

/* "+3.1 %", "-" for NaN; from a factor of ten on "11.2x", and down to a tenth "0.09x". Enough
 * decimals to show a tenth of the minimum effect, at least one. Returns `text`; 32 bytes
 * suffice. */
char *kt_change_text(double change, double min_effect, char *text, size_t bytes);
/* "+2.8 .. +3.4 %", "-" for an unknown end. Of an interval that spans a factor of ten, ends beyond
 * ten times are capped: "more than 10x either way". 64 bytes suffice. */
char *kt_change_interval_text(double low, double high, double min_effect, char *text, size_t bytes);
/* Whether kt_change_interval_text() caps an end. */
bool kt_is_capped(double low, double high);
/* "1 %" for an option's share, with no more digits than it has. 32 bytes suffice. */
char *kt_option_text(double share, char *text, size_t bytes);

#endif
