/* SPDX-License-Identifier: MIT */
/* npy.h - the header of a .npy file, as numpy.save() writes it (versions 1 to 3). */
#ifndef CLI_RUN_NPY_H
#define CLI_RUN_NPY_H

#include <stddef.h>
#include <stdint.h>

#define NPY_REASON_BYTES 160
/* As many bytes of a file as npy_read_header() needs; shorter files are taken whole. */
#define NPY_HEADER_MAX 8192

typedef struct npy_header {
    char kind;      /* of its numbers, as numpy names it: 'f', 'i', 'u' or 'b' (bool) */
    uint32_t bytes; /* of a number: 1, 2, 4 or 8 */
    uint64_t count; /* numbers in all */
    uint64_t begin; /* of the numbers, in bytes from the beginning of the file */
} npy_header;

/* Reads the header at the beginning of a file of `file_bytes` bytes. Refuses byte orders, types and
 * orders that are not supported, and a file that is not as long as its header says. Returns 0, or
 * -1 with what follows the file's name in a sentence: "holds 8-byte complex numbers". */
int npy_read_header(const void *data, size_t bytes, uint64_t file_bytes, npy_header *out,
                    char reason[NPY_REASON_BYTES]);

#endif
