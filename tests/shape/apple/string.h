/* SPDX-License-Identifier: MIT */
/* What the Metal backend calls of this header, to compile it for macOS where its headers are
 * not. */
#ifndef APPLE_STRING_H
#define APPLE_STRING_H
#include <stddef.h>
void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *memory, int byte, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t bytes);
char *strchr(const char *text, int c);
char *strstr(const char *text, const char *part);
size_t strlen(const char *text);
size_t strcspn(const char *text, const char *ends);
#endif
