/*
 * writer.h - bytes out: a sink whose first refusal ends the writing.
 *
 * Room output: bytes: text, JSON, CSV, tables and scripts. What is printed with them is for the
 * rooms within. May know: support.
 */
#ifndef KT_OUTPUT_WRITER_H
#define KT_OUTPUT_WRITER_H

#include "support/error.h"

#include <kerntime/result.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct kt_writer {
    const kt_sink *sink;
    kt_status status; /* once it is not KT_OK, nothing more is written */
    size_t used;
    char buffer[4096];
} kt_writer;

void kt_put_bytes(kt_writer *writer, const char *data, size_t bytes);
void kt_put(kt_writer *writer, const char *text);
/* For lines of known length: cut off after 512 bytes. Texts of a driver or user go through
 * kt_put(). */
void kt_putf(kt_writer *writer, const char *format, ...) KT_PRINTF(2, 3);
void kt_flush(kt_writer *writer);
/* Hands the rest to the sink. KT_IO_ERROR, "the <what> could not be written": the sink refused. */
kt_status kt_end_writing(kt_writer *writer, const char *what);

#endif
