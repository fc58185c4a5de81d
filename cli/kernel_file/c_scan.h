/* SPDX-License-Identifier: MIT */
/* c_scan.h - goes through OpenCL C, CUDA C or MSL from kernel to kernel, and keeps what stands around
 * them: namespaces, templates, names of types, structures. */
#ifndef CLI_KERNEL_C_SCAN_H
#define CLI_KERNEL_C_SCAN_H

#include "cli/kernel_file/reader.h"

#define ALIASES_MAX 256
#define STRUCTS_MAX 128
#define BRACES_MAX  64

/* Tokens `from` to `to` of a list. */
typedef struct range {
    const token *list;
    size_t from, to;
} range;

typedef struct alias {
    const token *name;
    range type;
} alias;

typedef struct kernel {
    char name[SIGNATURE_NAME_BYTES]; /* with its namespaces */
    size_t open, close;              /* brackets of its parameters */
    range templates;                 /* "typename T, int N"; empty: it is no template */
    range body;                      /* empty: a declaration alone */
    uint32_t group_size[3];
} kernel;

/* A structure, whose members stand between braces. */
typedef struct structure {
    const token *name;
    range members;
} structure;

/* Goes through a file from kernel to kernel. */
typedef struct scan {
    const token *list;
    size_t count, at;
    kt_language language;
    char spaces[SIGNATURE_NAME_BYTES]; /* namespaces around `at`: "a::b::" */
    size_t lengths[BRACES_MAX];        /* of `spaces` outside of each brace */
    size_t depth;
    range templates;        /* of the declaration at hand */
    const token *host_name; /* MSL: [[host_name("NAME")]] */
    uint32_t group_size[3];
    alias aliases[ALIASES_MAX];
    size_t alias_count;
    structure structs[STRUCTS_MAX];
    size_t struct_count;
    position positions[POSITIONS_MAX]; /* of the kernel at hand; MSL */
    size_t position_count;
} scan;

/* Begins before the first token. The words outlive the scan. */
void c_scan_begin(scan *s, const tokens *words, kt_language language);
/* Finds the next kernel; false: there is none. */
bool c_scan_next(scan *s, kernel *out);

/* Behind an attribute at `at`, [[...]] or NAME(...); `at` itself if there is none. Sets `size` where
 * it says a group size; NULL: nobody asks. */
size_t c_skip_attribute(const scan *s, size_t at, uint32_t size[3]);
/* Index of the name of the namespace whose brace is at `at`; `at`: it has none; SIZE_MAX: the brace
 * is no namespace's. */
size_t c_find_namespace(const token *list, size_t at);

#endif
