/* SPDX-License-Identifier: MIT */
/*
 * csv_writer.h - writes fields of CSV (RFC 4180, docs/result-file.md). One function writes the head
 * and all rows: in the head each field is its key, else its value, empty if unknown.
 */
#ifndef KT_OUTPUT_CSV_WRITER_H
#define KT_OUTPUT_CSV_WRITER_H

#include "output/writer.h"

#include <stdbool.h>

typedef struct kt_csv {
    kt_writer *writer;
    bool head;  /* the writer writes the row of column names */
    bool begun; /* the current row has a field already */
} kt_csv;

/* Begins the next field. Returns whether a value must follow, which is false in the head. */
bool kt_csv_begin(kt_csv *csv, const char *key);
/* Writes the content of a field, quoted if necessary, after the plain text `before`. */
void kt_csv_put(kt_csv *csv, const char *before, const char *text);
void kt_csv_end_row(kt_csv *csv);

/* Writes a field with a text; empty for NULL. */
void kt_csv_text(kt_csv *csv, const char *key, const char *text);
/* Writes a field with a number; empty for NaN and infinity. */
void kt_csv_number(kt_csv *csv, const char *key, double value);
void kt_csv_count(kt_csv *csv, const char *key, uint64_t value);
void kt_csv_bool(kt_csv *csv, const char *key, bool value);

#endif
