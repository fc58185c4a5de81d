/* SPDX-License-Identifier: MIT */
/* documents.h - documents made by hand, down to the nastiest one, and their bytes. */
#ifndef DOCUMENTS_H
#define DOCUMENTS_H

#include "output/formats.h"
#include "output/json/json.h"
#include "output/table/tables.h"
#include "tests/unit/testing.h"

typedef void document_printer(const kt_document *document, kt_writer *writer);

/* Limit of the sink on notes, such as those of a terminal; 0: all. */
extern unsigned document_notes_max;

/* What the latest document_print() printed. */
extern const char *const document_output;

const char *document_print(document_printer *format, const kt_document *document);

/* Parameters of all series below, and of others. */
extern const kt_param size_8[1], size_9[1];

/* A kernel on "work" with size_8 of which nothing is known but its median. */
kt_series make_series(const char *name, const char *device, double median_ns);
/* A baseline of "work" with size_8 of which nothing is known but its median. */
kt_baseline make_work_baseline(const char *name, double median_ns);
kt_document make_document(kt_series *series, uint32_t count);
/* One whose name, driver, clock, domain and quirk are `name`. */
kt_document_device make_device(const char *id, const char *name);

/* Names that nobody should choose. */
#define NASTY_COUNT 29
extern const char *const nasty[NASTY_COUNT];

/* Every other series has no variant: together they make a matrix of two blocks. */
#define MATRIX_LINES ((NASTY_COUNT + 1) / 2)

/* Every text of a series is one of them, and so are the names of parameters and devices. Two
 * baselines belong to one of the series. */
typedef struct nasty_document {
    kt_document document;
    kt_series series[NASTY_COUNT];
    kt_param params[NASTY_COUNT][2];
    kt_document_device devices[NASTY_COUNT];
    kt_baseline baselines[2];
} nasty_document;

void make_nasty(nasty_document *n);

/* No control characters but line feeds, and all of it UTF-8: no single byte is left of what was
 * none. */
void expect_printable(const char *text);
/* Pipes that end a cell in a line of Markdown. */
unsigned count_borders(const char *line);

#endif
