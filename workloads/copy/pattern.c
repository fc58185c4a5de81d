/* SPDX-License-Identifier: MIT */
#include "pattern.h"

#include <string.h>

#define WORD sizeof(uint64_t)
/* 2^64 over the golden ratio: the multiples of it are spread evenly over all words (a Weyl
 * sequence). */
#define STEP UINT64_C(0x9E3779B97F4A7C15)

/* Word i of submission s is (i + s + s * 2^40) * STEP. The low bits of s make its lowest byte
 * differ from that of the submission before; the high ones tell s from i when the product is
 * undone. */
static uint64_t word(uint64_t number, uint64_t index)
{
    return (index + number + number * COPY_BYTES_MAX) * STEP;
}

void copy_pattern_make(uint64_t number, uint64_t offset, void *bytes, size_t count)
{
    unsigned char *to = bytes;
    uint64_t value = word(number, offset / WORD);
    size_t whole = count / WORD;
    for (size_t i = 0; i < whole; i++, value += STEP)
        memcpy(to + i * WORD, &value, WORD);
    memcpy(to + whole * WORD, &value, count % WORD);
}

bool copy_pattern_is(uint64_t number, uint64_t offset, const void *bytes, size_t count)
{
    const unsigned char *from = bytes;
    uint64_t value = word(number, offset / WORD), differs = 0;
    size_t whole = count / WORD;
    for (size_t i = 0; i < whole; i++, value += STEP) {
        uint64_t is;
        memcpy(&is, from + i * WORD, WORD);
        differs |= is ^ value;
    }
    return differs == 0 && memcmp(from + whole * WORD, &value, count % WORD) == 0;
}

unsigned char copy_pattern_byte(uint64_t number, uint64_t at)
{
    unsigned char bytes[WORD];
    uint64_t value = word(number, at / WORD);
    memcpy(bytes, &value, WORD);
    return bytes[at % WORD];
}
