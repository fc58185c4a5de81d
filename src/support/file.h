/* file.h - files that are there whole or not at all. */
#ifndef KT_SUPPORT_FILE_H
#define KT_SUPPORT_FILE_H

#include <kerntime/result.h>
#include <stddef.h>

typedef struct kt_file kt_file;

/* Starts a temporary file beside `path`. KT_IO_ERROR with the reason. A path that exists and is no
 * regular file (a pipe, /dev/stdout) is written directly. */
kt_status kt_file_create(const char *path, kt_file **out);
/* KT_OK if kt_file_create() could start now; leaves nothing behind. */
kt_status kt_file_check(const char *path);
/* 0, or -1 once any write has failed; kt_file_commit() tells why. */
int kt_file_write(kt_file *file, const char *data, size_t bytes);
/* Puts the whole file in its place, or removes it and answers KT_IO_ERROR. Frees `file`. */
kt_status kt_file_commit(kt_file *file);
/* All that `write` puts into a sink, as such a file. */
kt_status kt_file_write_whole(const char *path,
                              kt_status (*write)(const void *document, int format,
                                                 const kt_sink *sink),
                              const void *document, int format);
/* Removes what was written. Frees `file`; NULL is fine. */
void kt_file_abandon(kt_file *file);

#endif
