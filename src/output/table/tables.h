/* SPDX-License-Identifier: MIT */
/*
 * tables.h - prints a result for people in any style: its rows, its matrices of sizes and devices,
 * and notes on the numbers.
 *
 * Room output/table: documents for people. May know: support, report, output.
 */
#ifndef KT_OUTPUT_TABLE_TABLES_H
#define KT_OUTPUT_TABLE_TABLES_H

#include "output/formats.h"
#include "output/table/note_list.h"
#include "report/document.h"

/* Prints the list of devices. */
void kt_print_devices(const kt_document *document, kt_writer *writer);
/* Prints missing backends with reasons, below a list of devices. */
void kt_print_missing(const kt_document *document, kt_writer *writer);
/* Prints the diagnostics of each device. */
void kt_print_doctor(const kt_document *document, kt_writer *writer);

/* Prints all tables. The functions from here on take documents made by kt_gather_runs(). */
void kt_print_tables(const kt_document *document, const kt_style *style, kt_writer *writer);

/* Prints one line per time. */
void kt_print_rows(const kt_document *document, const kt_style *style, kt_writer *writer);
/* Prints a table of sizes and devices for each workload with several of both. */
void kt_print_matrices(const kt_document *document, const kt_style *style, kt_writer *writer);
/* Prints copies, which have their own tables, and the models over their sizes. */
void kt_print_copies(const kt_document *document, const kt_style *style, kt_writer *writer);

/* Prints how the times of each device were measured: a line or two each. */
void kt_print_legend(const kt_document *document, const kt_style *style, kt_writer *writer);
/* Prints the notes on the rows. */
void kt_print_notes(const kt_document *document, const kt_style *style, kt_writer *writer);
/* Adds the sample warnings, a note for each kind of warning and device. */
void kt_add_sample_warnings(const kt_document *document, kt_note_list *list);
/* Adds the sample warnings of the baselines, and baselines slower than they should be. */
void kt_add_baseline_notes(const kt_document *document, kt_note_list *list);
/* Adds notes on throttling, and on energy that could not be measured. */
void kt_add_state_notes(const kt_document *document, kt_note_list *list);
/* Adds notes on the tables of copies. */
void kt_add_copies_notes(const kt_document *document, kt_note_list *list);

/* Whether only an upper bound of the time is known: the shortest measurable span, or for gaps the
 * clock resolution. */
bool kt_is_bound(const kt_document *document, const kt_series *series);
/* The median, "< x" if only an upper bound is known, or "-". Returns `text`; 32 bytes suffice. */
char *kt_device_time_text(const kt_document *document, const kt_series *series, char *text,
                          size_t bytes);

/* Fewer runs give no interval of their medians; see kt_summary. */
#define KT_RUNS_FOR_INTERVAL 6

/* Whether a job's name is ambiguous on its device without its variant. */
bool kt_has_variants(const kt_document *document, const kt_series *job);
/* Whether a larger --size makes the work longer: of some work the size is a number of dispatches. */
bool kt_has_size(const kt_series *series);

/* A change in percent, "8.3 %", from ten on "a factor of 11". Returns `text`; 32 bytes suffice. */
char *kt_share_text(double share, char *text, size_t bytes);

#endif
