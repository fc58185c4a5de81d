/* SPDX-License-Identifier: MIT */
/* kernel_file.h - reads a file with kernels, and finds what its kernels take without a device. */
#ifndef CLI_KERNEL_FILE_H
#define CLI_KERNEL_FILE_H

#include "cli/kernel_file/signature.h"

#include <kerntime/program.h>
#include <stdbool.h>
#include <stddef.h>

#define KERNEL_FILE_REASON_BYTES 256
#define KERNEL_FILE_ENTRIES_MAX  256

typedef struct kernel_file {
    const char *path;     /* as typed, owned by the caller */
    kt_language language; /* that a device gets; of GLSL that of the compiled SPIR-V */
    bool is_glsl;         /* kernel_file_compile() makes SPIR-V of it */
    char *text;           /* content, with a zero behind it */
    size_t bytes;
    /* Texts "TILE=8" that the compiler of OpenCL C, CUDA C or MSL will get, owned by the caller;
     * types and group sizes may depend on them. */
    const char *const *defines;
    size_t define_count;
} kernel_file;

/* Names of the kernels in a file. */
typedef struct kernel_entries {
    char names[KERNEL_FILE_ENTRIES_MAX][SIGNATURE_NAME_BYTES];
    size_t count;
} kernel_entries;

/* True for a name that ends like a file with kernels. */
bool kernel_file_has_ending(const char *path);

/* "OpenCL C". */
const char *kernel_file_language(const kernel_file *file);

/* Reads a file: its ending tells the language, of .spv the content tells which kind of SPIR-V.
 * Returns 0, or -1 with a sentence that begins with the path. Free it in any case. */
int kernel_file_read(const char *path, kernel_file *out, char reason[KERNEL_FILE_REASON_BYTES]);
void kernel_file_free(kernel_file *file);

/* Compiles GLSL with glslc and these defines ("TILE=8") to SPIR-V: replaces text and bytes of
 * `out`, which is a copy of `file` with a content of its own. Returns 0, or -1 with a sentence;
 * `log` is then the compiler's text or NULL, the caller's to free(). */
int kernel_file_compile(const kernel_file *file, const char *const *defines, size_t count,
                        kernel_file *out, char **log, char reason[KERNEL_FILE_REASON_BYTES]);

/* Lists the kernels of a file that is not GLSL source, which has "main". Returns 0, or -1 with a
 * sentence. */
int kernel_file_entries(const kernel_file *file, kernel_entries *out,
                        char reason[KERNEL_FILE_REASON_BYTES]);

/* What a kernel takes, as far as its text tells: of OpenCL C, CUDA C and MSL as written, without a
 * preprocessor, so that a device may know better (kt_program_reflect()). `entry` may have template
 * arguments: "axpy<float,4>". Returns 0, or -1 with a sentence. */
int kernel_file_signature(const kernel_file *file, const char *entry, signature *out,
                          char reason[KERNEL_FILE_REASON_BYTES]);

/* What the text of a shader in GLSL tells beyond its SPIR-V: the dimensions of its work-items, and of
 * the parameters in `out` how they are used. */
void kernel_file_see_glsl(const kernel_file *file, signature *out);

/* Corrects a signature by what a built program says of its parameters; the program may know
 * nothing, and then the signature stays as it is. */
void signature_correct(signature *known, const kt_program_info *info);

/* Line `index`, from 0, of those within the file's first 50 lines that have a comment with
 * "kerntime: WORDS" (of all kernels) or "kerntime KERNEL: WORDS" (of one). Writes the words.
 * Returns false after the last. */
bool kernel_file_defaults(const kernel_file *file, const char *entry, size_t index, char *words,
                          size_t bytes);

#endif
