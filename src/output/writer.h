/* SPDX-License-Identifier: MIT */
/*
 * writer.h - writes bytes to a sink; the first refused write ends all writing.
 *
 * Room output: bytes: text, JSON, CSV, tables and scripts. The rooms within print documents with
 * them.
 * May know: support.
 */
#ifndef KT_OUTPUT_WRITER_H
#define KT_OUTPUT_WRITER_H

#include "support/error.h"

#include <kerntime/result.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct kt_writer {
    const kt_sink *sink;
    kt_status status; /* status of the first failed write; nothing is written after it */
    size_t used;
    char buffer[4096];
} kt_writer;

void kt_put_bytes(kt_writer *writer, const char *data, size_t bytes);
void kt_put(kt_writer *writer, const char *text);
/* For lines of known length: truncated after 512 bytes. Use kt_put() for texts of a driver or
 * user. */
void kt_putf(kt_writer *writer, const char *format, ...) KT_PRINTF(2, 3);
void kt_flush(kt_writer *writer);
/* Flushes the buffer. KT_IO_ERROR, "the <what> could not be written": the sink refused. */
kt_status kt_end_writing(kt_writer *writer, const char *what);

#endif
