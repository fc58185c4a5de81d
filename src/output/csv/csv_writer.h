/* csv_writer.h - fields of CSV (RFC 4180, docs/result-file.md). One function sets all rows: in the
 * head each field is its key, else its value, nothing if that is unknown. */
#ifndef KT_OUTPUT_CSV_CSV_WRITER_H
#define KT_OUTPUT_CSV_CSV_WRITER_H

#include "output/writer.h"

#include <stdbool.h>

typedef struct kt_csv {
    kt_writer *writer;
    bool head;  /* this row is that of the names */
    bool begun; /* a field of this row is there */
} kt_csv;

/* Begins the next field. Whether its value is to follow, which is not so in the head. */
bool kt_csv_begin(kt_csv *csv, const char *key);
/* What stands in a field: quoted where that has to be, with `before` (plain text) in front. */
void kt_csv_put(kt_csv *csv, const char *before, const char *text);
void kt_csv_end_row(kt_csv *csv);

/* NULL is unknown. */
void kt_csv_text(kt_csv *csv, const char *key, const char *text);
/* What is not finite is unknown. */
void kt_csv_number(kt_csv *csv, const char *key, double value);
void kt_csv_count(kt_csv *csv, const char *key, uint64_t value);
void kt_csv_bool(kt_csv *csv, const char *key, bool value);

#endif
