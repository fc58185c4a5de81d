/* SPDX-License-Identifier: MIT */
/* signature.h - what a kernel takes: parameters, constants fixed at build time, group size. */
#ifndef CLI_SIGNATURE_H
#define CLI_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIGNATURE_NAME_BYTES     128
#define SIGNATURE_PARAMETERS_MAX 64
#define SIGNATURE_CONSTANTS_MAX  64
#define SIGNATURE_NO_ID          UINT32_MAX

typedef enum parameter_kind {
    PARAMETER_BUFFER = 0,   /* memory of the device */
    PARAMETER_VALUE,        /* a scalar, a vector or a structure by value */
    PARAMETER_LOCAL,        /* local memory of a group, whose size the host sets */
    PARAMETER_NOT_SUPPORTED /* an image, a sampler, ...: `type` names it */
} parameter_kind;

/* How an argument reaches the kernel. */
typedef enum parameter_place {
    PLACE_ORDER = 0, /* by its place in the order of parameters */
    PLACE_BINDING,   /* set and binding; a value is a member of the uniform buffer there */
    PLACE_PUSH       /* a member of the push constants */
} parameter_place;

typedef enum scalar_kind {
    SCALAR_UNKNOWN = 0, /* a structure, or the language does not say */
    SCALAR_SIGNED,
    SCALAR_UNSIGNED,
    SCALAR_FLOAT,
    SCALAR_BOOL
} scalar_kind;

/* A value, or an element of a buffer. */
typedef struct element_type {
    scalar_kind scalar;
    uint32_t scalar_bytes; /* 1, 2, 4 or 8; 0: unknown */
    uint32_t lanes;        /* numbers in a vector or matrix; 1: a scalar; 0: unknown */
    uint32_t stride; /* bytes from one element to the next; of a value: its size; 0: unknown */
} element_type;

typedef struct parameter {
    char name[SIGNATURE_NAME_BYTES]; /* empty: unknown */
    char type
        [SIGNATURE_NAME_BYTES]; /* as the language writes it: "const float4 *"; empty: unknown */
    parameter_kind kind;
    bool is_read_only; /* the kernel cannot write it, as far as is known */
    bool is_constant;  /* OpenCL C: a buffer of constant memory, of which 64 KiB are sure */
    element_type element;
    parameter_place place;
    uint32_t set, binding; /* PLACE_BINDING */
    /* Of a value: byte in its uniform buffer or in the push constants. Of a buffer: bytes in front of
     * its elements, which lie behind other members. */
    uint32_t offset;
    /* Of a member: bytes of the whole uniform buffer or of all push constants, the same for all its
     * members. 0: it is no member. */
    uint32_t block_bytes;
    /* Of a value that is an array: its elements; 0 counts as 1. Of a buffer: elements that it has at
     * least, as its type says; 0: as many as the host likes. */
    uint32_t count;
    /* As the text tells. Of an integer: the number of a work-item is compared with it. */
    bool is_bound;
    /* Of memory: its indices are below factor * n^power; a factor of 0: unknown. */
    uint8_t power;
    uint16_t factor;
} parameter;

/* A specialisation constant of SPIR-V, or an override of WGSL. */
typedef struct constant {
    char name[SIGNATURE_NAME_BYTES]; /* empty: unknown */
    uint32_t id; /* SIGNATURE_NO_ID: WGSL finds it by its name; else WebGPU wants it as a number */
    element_type type;
    bool has_value; /* the text gives it a value */
    double value;
} constant;

typedef struct signature {
    /* That a device is asked for: of PTX the mangled name, of CUDA C with its namespaces. */
    char entry[SIGNATURE_NAME_BYTES];
    parameter parameters[SIGNATURE_PARAMETERS_MAX];
    size_t parameter_count;
    constant constants[SIGNATURE_CONSTANTS_MAX];
    size_t constant_count;
    uint32_t group_size[3]; /* that the kernel is fixed to; 0: the host chooses */
    uint8_t dimensions;     /* of work-items, that the text asks for; 0: unknown */
    bool is_left_out;       /* an #if leaves the kernel out, unless a -D brings it back */
    /* Index into `constants` of what sets the group size; -1: none does. */
    int group_constant[3];
} signature;

/* Whether a value is an integer that is likely the number of elements: by its name, such as "n" or
 * "num_items", or because the number of a work-item is compared with it. */
bool parameter_is_count(const parameter *p);

/* The constant of that name, or else of that number; NULL: there is none. */
const constant *signature_find_constant(const signature *s, const char *name);

#endif
