/* SPDX-License-Identifier: MIT */
#include "output/writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void kt_flush(kt_writer *writer)
{
    if (writer->used && writer->status == KT_OK &&
        writer->sink->write(writer->sink->user, writer->buffer, writer->used) != 0)
        writer->status = KT_IO_ERROR;
    writer->used = 0;
}

kt_status kt_end_writing(kt_writer *writer, const char *what)
{
    kt_flush(writer);
    return writer->status == KT_IO_ERROR ? kt_fail(KT_IO_ERROR, "the %s could not be written", what)
                                         : writer->status;
}

void kt_put_bytes(kt_writer *writer, const char *data, size_t bytes)
{
    while (bytes) {
        size_t room = sizeof writer->buffer - writer->used;
        size_t part = bytes < room ? bytes : room;
        memcpy(writer->buffer + writer->used, data, part);
        writer->used += part;
        data += part;
        bytes -= part;
        if (writer->used == sizeof writer->buffer)
            kt_flush(writer);
    }
}

void kt_put(kt_writer *writer, const char *text)
{
    kt_put_bytes(writer, text, strlen(text));
}

void kt_putf(kt_writer *writer, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    kt_put(writer, text);
}
