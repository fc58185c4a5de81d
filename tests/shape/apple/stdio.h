/* SPDX-License-Identifier: MIT */
/* As string.h here. */
#ifndef APPLE_STDIO_H
#define APPLE_STDIO_H
#include <stddef.h>
typedef struct apple_file FILE;
size_t fwrite(const void *data, size_t bytes, size_t count, FILE *file);
int snprintf(char *text, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#endif
