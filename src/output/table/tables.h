/*
 * tables.h - a result for people, in any style: its rows, its matrices of sizes and devices, and
 * what stands behind the numbers.
 *
 * Room output/table: documents for people. May know: support, report, output.
 */
#ifndef KT_OUTPUT_TABLE_TABLES_H
#define KT_OUTPUT_TABLE_TABLES_H

#include "output/style.h"
#include "report/document.h"

/* Documents in the formats that people read. */
void kt_print_table(const kt_document *document, kt_writer *writer);
void kt_print_markdown(const kt_document *document, kt_writer *writer);
/* The table of a list of devices. */
void kt_print_devices(const kt_document *document, kt_writer *writer);
/* The backends that are not here and why, below a list of devices. */
void kt_print_missing(const kt_document *document, kt_writer *writer);
/* What was found out about each device. */
void kt_print_doctor(const kt_document *document, kt_writer *writer);

/* All of it. What follows is about documents made by kt_gather_runs(). */
void kt_print_tables(const kt_document *document, const kt_style *style, kt_writer *writer);

/* One line for each time. */
void kt_print_rows(const kt_document *document, const kt_style *style, kt_writer *writer);
/* For each workload of several sizes on several devices a table of sizes and devices. */
void kt_print_matrices(const kt_document *document, const kt_style *style, kt_writer *writer);
/* Copies and what the times of their sizes say together, which have tables of their own; or the
 * notes about these. */
void kt_print_copies(const kt_document *document, const kt_style *style, kt_writer *writer,
                     bool notes);
/* One sentence for each device, and one for each thing to know about the rows. */
void kt_print_notes(const kt_document *document, const kt_style *style, kt_writer *writer);
/* One sentence for each thing that was noticed in the samples, a few at most. */
void kt_print_findings(const kt_document *document, const kt_style *style, kt_writer *writer);

/* One sentence of several texts, up to NULL: of our own and of drivers, so each is spelled. What a
 * driver has to say may have lines and comes last; NULL: nothing. */
void kt_print_item(const kt_style *style, kt_writer *writer, const char *const *texts,
                   const char *said);

/* Whether all that is known of it is what it is below: that floor, or of gaps the step of the
 * clock. */
bool kt_is_bound(const kt_document *document, const kt_series *series);
/* The median, "< x" where that is all that is known, or "-". Returns `text`; 32 bytes are
 * enough. */
char *kt_device_time_text(const kt_document *document, const kt_series *series, char *text,
                          size_t bytes);

/* A change in percent, "8.3 %", from ten on "a factor of 11". Returns `text`; 32 bytes are
 * enough. */
char *kt_share_text(double share, char *text, size_t bytes);

#endif
