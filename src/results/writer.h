/* writer.h - bytes out: a sink whose first refusal ends the writing. */
#ifndef KT_RESULTS_WRITER_H
#define KT_RESULTS_WRITER_H

#include <kerntime/result.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct kt_writer {
    const kt_sink *sink;
    bool failed;
    size_t used;
    char buffer[4096];
} kt_writer;

void kt_put_bytes(kt_writer *writer, const char *data, size_t bytes);
void kt_put(kt_writer *writer, const char *text);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
/* For short texts: cut off after 512 bytes. */
void
kt_putf(kt_writer *writer, const char *format, ...);
void kt_flush(kt_writer *writer);

#endif
