/* SPDX-License-Identifier: MIT */
/* spirv_kernel.c - what SPIR-V kernels of OpenCL take, which SPIRV-Cross does not read. */
#include "cli/kernel_file/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_WORDS   5
#define TYPE_DEPTH_MAX 16
#define TYPES_MAX      10000 /* types within types that are looked at */

enum {
    OP_NAME = 5,
    OP_EXECUTION_MODE = 16,
    OP_TYPE_BOOL = 20,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_IMAGE = 25,
    OP_TYPE_SAMPLER = 26,
    OP_TYPE_SAMPLED_IMAGE = 27,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_OPAQUE = 31,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_FUNCTION = 54,
    OP_FUNCTION_PARAMETER = 55,
    OP_FUNCTION_END = 56,
    OP_FUNCTION_CALL = 57,
    OP_DECORATE = 71
};

enum {
    MODE_LOCAL_SIZE = 17,
    CLASS_UNIFORM_CONSTANT = 0,
    CLASS_WORKGROUP = 4,
    CLASS_CROSS_WORKGROUP = 5,
    CLASS_FUNCTION = 7,
    DECORATION_PACKED = 10, /* CPacked */
    DECORATION_ATTRIBUTE = 38,
    ATTRIBUTE_NO_WRITE = 6
};

typedef struct module {
    const uint32_t *words;
    size_t count;
    size_t *defined; /* by id: where its type or constant is defined; 0: nowhere */
    size_t bound;
    size_t *types_seen; /* how many types were looked at */
} module;

static uint32_t opcode_at(const module *m, size_t at)
{
    return m->words[at] & 0xFFFF;
}

static size_t length_at(const module *m, size_t at)
{
    return m->words[at] >> 16;
}

/* The next instruction of that opcode from word `at` on, with at least `least` words; 0: none. */
static size_t find(const module *m, uint32_t opcode, size_t least, size_t at)
{
    while (at < m->count && (opcode_at(m, at) != opcode || length_at(m, at) < least))
        at += length_at(m, at);
    return at < m->count ? at : 0;
}

/* Words that the definitions of types and constants have at least. */
static size_t least_words(uint32_t opcode)
{
    switch (opcode) {
    case OP_TYPE_FLOAT: return 3;
    case OP_TYPE_INT:
    case OP_TYPE_VECTOR:
    case OP_TYPE_ARRAY:
    case OP_TYPE_POINTER: return 4;
    case OP_TYPE_BOOL:
    case OP_TYPE_IMAGE:
    case OP_TYPE_SAMPLER:
    case OP_TYPE_SAMPLED_IMAGE:
    case OP_TYPE_OPAQUE:
    case OP_TYPE_STRUCT: return 2;
    default: return 0;
    }
}

static void index_types(module *m)
{
    for (size_t at = HEADER_WORDS; at < m->count; at += length_at(m, at)) {
        size_t least = least_words(opcode_at(m, at));
        if (least && length_at(m, at) >= least && m->words[at + 1] < m->bound)
            m->defined[m->words[at + 1]] = at;
        else if (opcode_at(m, at) == OP_CONSTANT && length_at(m, at) >= 4 &&
                 m->words[at + 2] < m->bound)
            m->defined[m->words[at + 2]] = at;
    }
}

static size_t definition(const module *m, uint32_t id)
{
    return id < m->bound ? m->defined[id] : 0;
}

static void name_of(const module *m, uint32_t id, char text[SIGNATURE_NAME_BYTES])
{
    text[0] = '\0';
    for (size_t at = find(m, OP_NAME, 3, HEADER_WORDS); at;
         at = find(m, OP_NAME, 3, at + length_at(m, at)))
        if (m->words[at + 1] == id)
            spirv_copy_text(m->words + at + 2, length_at(m, at) - 2, text, SIGNATURE_NAME_BYTES);
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7F)
            *text = '?';
}

static bool has_decoration(const module *m, uint32_t id, uint32_t decoration, uint32_t value)
{
    for (size_t at = find(m, OP_DECORATE, 3, HEADER_WORDS); at;
         at = find(m, OP_DECORATE, 3, at + length_at(m, at)))
        if (m->words[at + 1] == id && m->words[at + 2] == decoration &&
            (length_at(m, at) == 3 || m->words[at + 3] == value))
            return true;
    return false;
}

/* ---- types ---- */

typedef struct memory_type {
    element_type element;
    uint32_t size, align;
    char text[SIGNATURE_NAME_BYTES];
} memory_type;

static memory_type read_type(const module *m, uint32_t id, unsigned depth);

static memory_type number(scalar_kind scalar, uint32_t bits, const char *name)
{
    memory_type made = {.size = bits / 8, .align = bits / 8};
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
        return (memory_type){0};
    made.element = (element_type){scalar, bits / 8, 1, bits / 8};
    snprintf(made.text, sizeof made.text, "%s", name);
    return made;
}

static memory_type read_vector(const module *m, size_t at, unsigned depth)
{
    memory_type made = read_type(m, m->words[at + 2], depth + 1);
    uint32_t lanes = m->words[at + 3];
    if (made.element.lanes != 1 || lanes < 2 || lanes > 16)
        return (memory_type){0};
    made.element.lanes = lanes;
    made.size = made.align = made.element.stride =
        made.element.scalar_bytes * (lanes == 3 ? 4 : lanes);
    char digits[8];
    snprintf(digits, sizeof digits, "%u", lanes);
    strncat(made.text, digits, sizeof made.text - strlen(made.text) - 1);
    return made;
}

static memory_type read_array(const module *m, size_t at, unsigned depth)
{
    memory_type made = read_type(m, m->words[at + 2], depth + 1);
    size_t length = definition(m, m->words[at + 3]);
    uint64_t count = length && opcode_at(m, length) == OP_CONSTANT ? m->words[length + 3] : 0;
    if (!made.size || count * made.size == 0 || count * made.size > UINT32_MAX)
        return (memory_type){0};
    made.size = (uint32_t)count * made.size;
    made.element = (element_type){.stride = made.size};
    return made;
}

static memory_type read_struct(const module *m, size_t at, unsigned depth)
{
    memory_type made = {.align = 1};
    uint64_t end = 0;
    bool is_packed = has_decoration(m, m->words[at + 1], DECORATION_PACKED, 0);
    bool is_known = true;
    for (size_t i = 2; i < length_at(m, at) && is_known && i < 258; i++) {
        memory_type member = read_type(m, m->words[at + i], depth + 1);
        uint32_t align = is_packed || !member.align ? 1 : member.align;
        end = (end + align - 1) / align * align + member.size;
        made.align = align > made.align ? align : made.align;
        is_known = member.size && end < UINT32_MAX / 2;
    }
    end = (end + made.align - 1) / made.align * made.align;
    made.size = is_known && length_at(m, at) < 258 ? (uint32_t)end : 0;
    made.element = (element_type){.stride = made.size};
    name_of(m, m->words[at + 1], made.text);
    return made;
}

static memory_type read_type(const module *m, uint32_t id, unsigned depth)
{
    size_t at = definition(m, id);
    if (!at || depth > TYPE_DEPTH_MAX || ++*m->types_seen > TYPES_MAX)
        return (memory_type){0};
    switch (opcode_at(m, at)) {
    case OP_TYPE_BOOL: return number(SCALAR_BOOL, 8, "bool");
    case OP_TYPE_INT:
        return number(SCALAR_UNSIGNED, m->words[at + 2], /* SPIR-V of OpenCL has no signs */
                      m->words[at + 2] == 8    ? "uchar"
                      : m->words[at + 2] == 16 ? "ushort"
                      : m->words[at + 2] == 32 ? "uint"
                                               : "ulong");
    case OP_TYPE_FLOAT:
        return number(SCALAR_FLOAT, m->words[at + 2],
                      m->words[at + 2] == 16   ? "half"
                      : m->words[at + 2] == 32 ? "float"
                                               : "double");
    case OP_TYPE_VECTOR: return read_vector(m, at, depth);
    case OP_TYPE_ARRAY: return read_array(m, at, depth);
    case OP_TYPE_STRUCT: return read_struct(m, at, depth);
    case OP_TYPE_POINTER: return number(SCALAR_UNKNOWN, 64, "pointer");
    default: return (memory_type){0};
    }
}

/* ---- parameters ---- */

static void describe(const module *m, uint32_t type_id, uint32_t id, parameter *p)
{
    size_t at = definition(m, type_id);
    bool is_pointer = at && opcode_at(m, at) == OP_TYPE_POINTER;
    uint32_t storage = is_pointer ? m->words[at + 2] : CLASS_FUNCTION;
    uint32_t inner = is_pointer ? m->words[at + 3] : type_id;
    size_t inner_at = definition(m, inner);
    memory_type type = read_type(m, inner, 0);
    bool is_value = storage == CLASS_FUNCTION; /* a structure by value is a pointer, too */
    bool is_opaque = inner_at && (opcode_at(m, inner_at) == OP_TYPE_IMAGE ||
                                  opcode_at(m, inner_at) == OP_TYPE_SAMPLER ||
                                  opcode_at(m, inner_at) == OP_TYPE_SAMPLED_IMAGE);
    p->kind = is_opaque                    ? PARAMETER_NOT_SUPPORTED
              : is_value                   ? PARAMETER_VALUE
              : storage == CLASS_WORKGROUP ? PARAMETER_LOCAL
              : storage == CLASS_CROSS_WORKGROUP || storage == CLASS_UNIFORM_CONSTANT
                  ? PARAMETER_BUFFER
                  : PARAMETER_NOT_SUPPORTED;
    p->element = type.element;
    p->is_read_only = p->kind == PARAMETER_VALUE ||
                      (p->kind == PARAMETER_BUFFER &&
                       (storage == CLASS_UNIFORM_CONSTANT ||
                        has_decoration(m, id, DECORATION_ATTRIBUTE, ATTRIBUTE_NO_WRITE)));
    snprintf(p->type, sizeof p->type, "%.120s%s", is_opaque ? "image or sampler" : type.text,
             is_value || is_opaque || !type.text[0] ? "" : " *");
}

/* The function of that id; 0: none. */
static size_t find_function(const module *m, uint32_t id)
{
    size_t at = find(m, OP_FUNCTION, 5, HEADER_WORDS);
    while (at && m->words[at + 2] != id)
        at = find(m, OP_FUNCTION, 5, at + length_at(m, at));
    return at;
}

/* LLVM's translator makes of a kernel a function, and an entry point without names that calls it. */
static size_t wrapped_function(const module *m, size_t function, size_t parameters)
{
    for (size_t at = function; at < m->count && opcode_at(m, at) != OP_FUNCTION_END;
         at += length_at(m, at))
        if (opcode_at(m, at) == OP_FUNCTION_CALL && length_at(m, at) == 4 + parameters)
            return find_function(m, m->words[at + 3]);
    return 0;
}

static void see_names(const module *m, size_t function, signature *out)
{
    size_t i = 0;
    for (size_t at = function + length_at(m, function); at < m->count && i < out->parameter_count;
         at += length_at(m, at)) {
        if (opcode_at(m, at) == OP_FUNCTION_END)
            break;
        if (opcode_at(m, at) != OP_FUNCTION_PARAMETER || length_at(m, at) < 3)
            continue;
        parameter *p = &out->parameters[i++];
        name_of(m, m->words[at + 2], p->name);
        p->is_read_only |=
            p->kind == PARAMETER_BUFFER &&
            has_decoration(m, m->words[at + 2], DECORATION_ATTRIBUTE, ATTRIBUTE_NO_WRITE);
    }
}

static int read_kernel(const module *m, const kernel_file *file, size_t entry, signature *out,
                       char *reason)
{
    uint32_t id = m->words[entry + 2];
    size_t function = find_function(m, id);
    if (!function)
        return reader_fail(reason, file, "the SPIR-V ends before the body of kernel %s",
                           out->entry);
    for (size_t at = function; at < m->count && opcode_at(m, at) != OP_FUNCTION_END;
         at += length_at(m, at)) {
        if (opcode_at(m, at) != OP_FUNCTION_PARAMETER || length_at(m, at) < 3)
            continue;
        parameter *p = signature_add(out);
        if (!p)
            return reader_fail(reason, file, "kernel %s has more than %d parameters", out->entry,
                               SIGNATURE_PARAMETERS_MAX);
        describe(m, m->words[at + 1], m->words[at + 2], p);
    }
    see_names(m, function, out);
    size_t wrapped = out->parameter_count && !out->parameters[0].name[0]
                         ? wrapped_function(m, function, out->parameter_count)
                         : 0;
    if (wrapped)
        see_names(m, wrapped, out);
    for (size_t at = find(m, OP_EXECUTION_MODE, 6, HEADER_WORDS); at;
         at = find(m, OP_EXECUTION_MODE, 6, at + length_at(m, at)))
        if (m->words[at + 1] == id && m->words[at + 2] == MODE_LOCAL_SIZE)
            memcpy(out->group_size, m->words + at + 3, sizeof out->group_size);
    return 0;
}

static int kernel_entries_of(const kernel_file *file, kernel_entries *out, char *reason)
{
    (void)reason;
    spirv_entries(file, SPIRV_MODEL_KERNEL, out);
    return 0;
}

static int kernel_signature(const kernel_file *file, const char *entry, signature *out,
                            char *reason)
{
    size_t types_seen = 0;
    module m = {.words = (const uint32_t *)(const void *)file->text,
                .count = file->bytes / 4,
                .types_seen = &types_seen};
    char name[SIGNATURE_NAME_BYTES];
    size_t at = spirv_entry_point(m.words, m.count, SPIRV_MODEL_KERNEL, 0, name);
    while (at && strcmp(name, entry) != 0)
        at =
            spirv_entry_point(m.words, m.count, SPIRV_MODEL_KERNEL, at + (m.words[at] >> 16), name);
    if (!at)
        return reader_no_entry(reason, file, entry);
    m.bound = m.words[3];
    m.defined = calloc(m.bound ? m.bound : 1, sizeof *m.defined);
    if (!m.defined)
        return reader_no_memory(reason, file);
    index_types(&m);
    int failed = read_kernel(&m, file, at, out, reason);
    free(m.defined);
    return failed;
}

const kernel_reader spirv_kernel_reader = {kernel_entries_of, kernel_signature};
