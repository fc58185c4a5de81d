/* SPDX-License-Identifier: MIT */
/* reader.h - inside the room: one reader for each language, and what they share. */
#ifndef CLI_KERNEL_READER_H
#define CLI_KERNEL_READER_H

#include "cli/kernel_file/kernel_file.h"
#include "cli/kernel_file/tokens.h"

typedef char reader_reason[KERNEL_FILE_REASON_BYTES];

/* Each lists kernels, and says what one takes; 0, or -1 with a sentence. */
typedef struct kernel_reader {
    int (*entries)(const kernel_file *file, kernel_entries *out, char *reason);
    int (*signature)(const kernel_file *file, const char *entry, signature *out, char *reason);
} kernel_reader;

extern const kernel_reader c_reader; /* OpenCL C, CUDA C, MSL */
extern const kernel_reader wgsl_reader;
extern const kernel_reader ptx_reader;
extern const kernel_reader shader_reader; /* SPIR-V for shaders */
extern const kernel_reader spirv_kernel_reader;

/* Replaces control characters. */
void reader_make_printable(char *text);
/* Writes "PATH: " and a sentence, without control characters; -1. */
__attribute__((format(printf, 3, 4))) int reader_fail(char *reason, const kernel_file *file,
                                                      const char *format, ...);
int reader_no_memory(char *reason, const kernel_file *file);
/* The file has no such kernel: names those that it has. */
int reader_no_entry(char *reason, const kernel_file *file, const char *entry);

/* Adds a name that is not there yet. False: there are too many, or it is too long. */
bool entries_add(kernel_entries *list, const char *name);

/* The next free parameter, zeroed but for a stride of 0 and 1 lane; NULL: there are too many. */
parameter *signature_add(signature *of);
/* Likewise for a member of a block: its name, or BLOCK.NAME if another parameter has that. */
parameter *signature_add_member(signature *of, const char *block, const char *name);
/* By set and binding, buffers and values alike, push constants last. */
void signature_sort(signature *of);
constant *signature_add_constant(signature *of);

/* ---- types of C-like languages ---- */

/* Reads the tokens of a type without pointers, address spaces and cv-qualifiers: "unsigned int",
 * "float4", "metal::packed_float3". Of what is unknown, all is 0. */
element_type type_read(const token *list, size_t from, size_t to, kt_language language);
/* Whether it is a kind of parameter that is not supported: an image, a sampler, ... */
bool type_is_opaque(const token *name);

/* A type as OpenCL's drivers write it, "float4*". */
element_type type_of_text(const char *text, kt_language language);

/* ---- how the text uses parameters ---- */

/* A parameter that has the number of a work-item, or how many there are. */
typedef enum position_kind {
    POSITION_GLOBAL, /* among all */
    POSITION_GROUP,  /* of its group among groups */
    POSITION_LOCAL   /* within its group */
} position_kind;

typedef struct position {
    token name;
    position_kind kind;
} position;

#define POSITIONS_MAX 16

/* Finds dimensions, bounds and sizes that the tokens of a kernel's body tell. */
void signature_see_uses(const token *list, size_t from, size_t to, const position *positions,
                        size_t count, signature *out);

/* ---- PTX ---- */

/* "f32" and the like; lanes of 0: it is no type. */
element_type ptx_type(const token *t);
/* Looks how the body of a kernel uses its parameters of 64 bits, whose tokens are `names`: what is
 * an address points to what is read and written there, what never is one is a value. */
void ptx_see_uses(const tokens *words, size_t body, size_t end, const token *const *names,
                  signature *out);

/* ---- SPIR-V ---- */

/* Models of execution. */
enum { SPIRV_MODEL_COMPUTE = 5, SPIRV_MODEL_KERNEL = 6 };

/* Looks at the content of a file: brings its words into the order of this machine, and sets the
 * language by its capabilities. What it lets through has instructions that end where they should,
 * which is what a parser needs in order not to read elsewhere. */
int spirv_see(kernel_file *out, char *reason);
/* Copies text that lies in words, four characters each from the lowest byte up, up to its zero.
 * Returns the words that it takes; 0: it does not end. */
size_t spirv_copy_text(const uint32_t *words, size_t count, char *text, size_t bytes);
/* The next entry point of that model from word `at` on, which spirv_see() let through; 0: none. */
size_t spirv_entry_point(const uint32_t *words, size_t count, uint32_t model, size_t at,
                         char name[SIGNATURE_NAME_BYTES]);

/* Lists the entry points of that model. */
void spirv_entries(const kernel_file *file, uint32_t model, kernel_entries *out);

/* The declarations of a module that spirv_see() let through, checked, and an empty body of that
 * entry point: what SPIRV-Cross can read without harm. The caller's to free(); NULL: refused, with a
 * sentence. */
uint32_t *spirv_reduce(const uint32_t *words, size_t count, const char *entry, size_t *out_count,
                       char sentence[KERNEL_FILE_REASON_BYTES]);

#endif
