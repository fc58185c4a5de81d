/* SPDX-License-Identifier: MIT */
/* specification.h - content of one argument as -a says it: "random:0:1 x n", "@x.npy", "3.5". */
#ifndef CLI_SPECIFICATION_H
#define CLI_SPECIFICATION_H

#include "cli/kernel_file/signature.h"
#include "cli/run/expression.h"

#define SPECIFICATION_REASON_BYTES 256
#define SPECIFICATION_NUMBERS_MAX  16

typedef enum specification_kind {
    SPECIFICATION_NUMBERS = 0, /* "3", "(1,2,3)": a scalar or a vector; "n/2": an expression */
    SPECIFICATION_ZEROS,
    SPECIFICATION_IOTA,
    SPECIFICATION_RANDOM, /* low to high */
    SPECIFICATION_FILL,   /* numbers[0] everywhere */
    SPECIFICATION_NPY,    /* `file` */
    SPECIFICATION_BIN,    /* `file` */
    SPECIFICATION_NULL,
    SPECIFICATION_LOCAL, /* local memory of so many bytes */
    SPECIFICATION_SAME   /* as another argument, `other` */
} specification_kind;

typedef struct specification {
    specification_kind kind;
    double numbers[SPECIFICATION_NUMBERS_MAX];
    size_t number_count;
    double low, high; /* SPECIFICATION_RANDOM; equal: not given */
    char file[1024];  /* SPECIFICATION_NPY and _BIN */
    char other[SIGNATURE_NAME_BYTES];
    int64_t local_bytes; /* SPECIFICATION_LOCAL */
    int64_t count;       /* elements, behind " x "; 0: not given */
} specification;

/* Splits "NAME=SPEC" of -a: `name` gets the name or number. Returns SPEC, or NULL with a sentence. */
const char *specification_split(const char *text, char name[SIGNATURE_NAME_BYTES],
                                char reason[SPECIFICATION_REASON_BYTES]);
/* Reads SPEC with the values of n, the -D names, GX.. and LX... Returns 0, or -1 with a sentence. */
int specification_read(const char *text, expression_lookup lookup, const void *names,
                       specification *out, char reason[SPECIFICATION_REASON_BYTES]);

/* Elements of an argument: `count`, or what the file has, or `usual`. -1 with a sentence if the
 * file cannot be read, is no .npy, or does not fit the element type. */
int64_t specification_count(const specification *spec, const element_type *element, int64_t usual,
                            char reason[SPECIFICATION_REASON_BYTES]);
/* Writes one number. Returns 0, or -1 with a sentence if the type has no such number. */
int specification_put(double value, const element_type *type, void *data,
                      char reason[SPECIFICATION_REASON_BYTES]);
/* Fills `count` elements. `seed` makes random numbers differ between arguments; equal seeds give
 * equal numbers on every machine. Structures and unknown types are filled as bytes. Returns 0, or
 * -1 with a sentence. */
int specification_fill(const specification *spec, const element_type *element, uint64_t seed,
                       void *data, int64_t count, char reason[SPECIFICATION_REASON_BYTES]);

#endif
