/* SPDX-License-Identifier: MIT */
/* file.h - files that are written completely or not at all. */
#ifndef KT_SUPPORT_FILE_H
#define KT_SUPPORT_FILE_H

#include <kerntime/result.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct kt_file kt_file;

/* Opens a temporary file beside `path`. KT_IO_ERROR with the reason. A pipe or device at `path`
 * (/dev/stdout) is written directly. */
kt_status kt_file_create(const char *path, kt_file **out);
/* Returns KT_OK if kt_file_create() would succeed now. Leaves nothing behind. */
kt_status kt_file_check(const char *path);
/* Whether files created at both paths would replace each other. */
bool kt_file_is_same(const char *one, const char *other);
/* Returns 0, or -1 after any failed write. kt_file_commit() reports the reason. */
int kt_file_write(kt_file *file, const char *data, size_t bytes);
/* Moves the complete file to its path, or removes the file and returns KT_IO_ERROR. Copies the
 * content where a file may be written to but not replaced. Frees `file`. */
kt_status kt_file_commit(kt_file *file);
/* Creates the file at `path` and passes `write` a sink that fills the file. */
kt_status kt_file_write_whole(const char *path,
                              kt_status (*write)(const void *document, int format,
                                                 const kt_sink *sink),
                              const void *document, int format);
/* Removes the temporary file. Frees `file`; NULL is fine. */
void kt_file_abandon(kt_file *file);

/* Copies a path, a relative one with the current folder in front: the process may leave that.
 * NULL: out of memory. */
char *kt_file_absolute(const char *path);

/* Streams of the process. */
enum { KT_STREAM_OUTPUT = 1, KT_STREAM_ERROR };
/* Writes to a stream of the process, after what the program printed there. Returns 0 or -1. It
 * waits for no lock, so a thread that prints does not stop it. */
int kt_stream_write(int stream, const char *data, size_t bytes);

#endif
