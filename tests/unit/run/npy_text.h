/* SPDX-License-Identifier: MIT */
/* npy_text.h - .npy files made by hand. */
#ifndef NPY_TEXT_H
#define NPY_TEXT_H

#include <stddef.h>
#include <string.h>

/* Writes a file with this dictionary and content; returns its bytes. */
static inline size_t npy_text(char *out, int version, const char *dictionary, const void *data,
                              size_t bytes)
{
    size_t length = strlen(dictionary) + 1, begin = version == 1 ? 10 : 12;
    memcpy(out, "\x93NUMPY", 6);
    out[6] = (char)version;
    out[7] = 0;
    out[8] = (char)(length & 255);
    out[9] = (char)(length >> 8);
    out[10] = out[11] = 0;
    memcpy(out + begin, dictionary, length - 1);
    out[begin + length - 1] = '\n';
    if (bytes)
        memcpy(out + begin + length, data, bytes);
    return begin + length + bytes;
}

#endif
