/* SPDX-License-Identifier: MIT */
/*
 * fuzz.h - what every fuzzer shares. A fuzzer is a file with LLVMFuzzerTestOneInput(): it gives the
 * bytes to one parser and checks what came of them. libFuzzer looks for bytes that break it
 * (./dev fuzz); every build runs it over the corpus (replay.c, the tests fuzz.*).
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                  \
        }                                                                             \
    } while (0)

/* The bytes as a text, up to the first zero; to be freed. Exactly as long as it is, so that the
 * sanitizer sees what is read beyond its end. */
static inline char *fuzz_text(const uint8_t *data, size_t bytes)
{
    const uint8_t *zero = bytes ? memchr(data, 0, bytes) : NULL;
    size_t length = zero ? (size_t)(zero - data) : bytes;
    char *text = malloc(length + 1);
    CHECK(text);
    if (length)
        memcpy(text, data, length);
    text[length] = '\0';
    return text;
}

/* Fills what a refused parser must leave alone, and a sentence that it must end. */
static inline void fuzz_fill(void *memory, size_t bytes)
{
    memset(memory, 0x5A, bytes);
}

static inline void fuzz_check_untouched(const void *memory, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        CHECK(((const unsigned char *)memory)[i] == 0x5A);
}

/* There is a sentence, and it ends. */
static inline void fuzz_check_sentence(const char *reason, size_t bytes)
{
    CHECK(reason[0] && memchr(reason, '\0', bytes));
}

#endif
