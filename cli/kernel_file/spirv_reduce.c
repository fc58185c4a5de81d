/* SPDX-License-Identifier: MIT */
/*
 * spirv_reduce.c - a SPIR-V module without all that SPIRV-Cross need not see.
 *
 * SPIRV-Cross takes modules to be valid: ids out of range, instructions that are too short and types
 * that contain themselves end the process. What a shader takes is said by the declarations alone, so
 * they are checked and copied one by one, and of all functions only an empty entry point is left.
 * Numbers are from the SPIR-V specification.
 */
#include "cli/kernel_file/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_WORDS   5
#define MEMBERS_MAX    16384 /* of a structure, as the specification limits them */
#define TYPE_DEPTH_MAX 32

enum {
    OP_UNDEF = 1,
    OP_NAME = 5,
    OP_MEMBER_NAME = 6,
    OP_MEMORY_MODEL = 14,
    OP_ENTRY_POINT = 15,
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
    OP_TYPE_VOID = 19,
    OP_TYPE_BOOL = 20,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_MATRIX = 24,
    OP_TYPE_IMAGE = 25,
    OP_TYPE_SAMPLER = 26,
    OP_TYPE_SAMPLED_IMAGE = 27,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_RUNTIME_ARRAY = 29,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_TYPE_FUNCTION = 33,
    OP_CONSTANT_TRUE = 41,
    OP_CONSTANT = 43,
    OP_CONSTANT_COMPOSITE = 44,
    OP_SPEC_CONSTANT_TRUE = 48,
    OP_SPEC_CONSTANT = 50,
    OP_SPEC_CONSTANT_COMPOSITE = 51,
    OP_SPEC_CONSTANT_OP = 52,
    OP_FUNCTION = 54,
    OP_FUNCTION_END = 56,
    OP_VARIABLE = 59,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    OP_GROUP_DECORATE = 74,
    OP_GROUP_MEMBER_DECORATE = 75,
    OP_LABEL = 248,
    OP_RETURN = 253,
    OP_EXECUTION_MODE_ID = 331,
    OP_TYPE_ACCELERATION_STRUCTURE = 5341
};

enum { DECORATION_OFFSET = 35 };
enum { MODE_LOCAL_SIZE = 17, MODE_LOCAL_SIZE_ID = 38 };
enum { CLASS_UNIFORM_CONSTANT = 0, CLASS_UNIFORM = 2, CLASS_PUSH = 9, CLASS_STORAGE = 12 };

typedef struct defined {
    uint16_t opcode; /* 0: nothing defines it */
    uint16_t depth;  /* of types within it */
    bool has_layout; /* of a structure: has_layout() said so */
    size_t at;
} defined;

typedef struct reduction {
    const uint32_t *words;
    size_t count;
    uint32_t bound, entry_id;
    const char *entry;
    defined *ids;
    uint32_t *out; /* as long as the module, and a function */
    size_t out_count;
    char *sentence;
    bool failed;
} reduction;

static void refuse(reduction *r, const char *sentence)
{
    if (!r->failed)
        snprintf(r->sentence, KERNEL_FILE_REASON_BYTES, "%s", sentence);
    r->failed = true;
}

static void copy(reduction *r, size_t at, size_t length)
{
    memcpy(r->out + r->out_count, r->words + at, length * sizeof *r->out);
    r->out[r->out_count] = (uint32_t)length << 16 | (r->words[at] & 0xFFFF);
    r->out_count += length;
}

static uint16_t opcode_of(const reduction *r, uint32_t id)
{
    return id < r->bound ? r->ids[id].opcode : 0;
}

static bool is_type(const reduction *r, uint32_t id)
{
    uint16_t opcode = opcode_of(r, id);
    return (opcode >= OP_TYPE_VOID && opcode <= OP_TYPE_FUNCTION) ||
           opcode == OP_TYPE_ACCELERATION_STRUCTURE;
}

static bool is_constant(const reduction *r, uint32_t id)
{
    uint16_t opcode = opcode_of(r, id);
    return (opcode >= OP_CONSTANT_TRUE && opcode <= OP_SPEC_CONSTANT_OP) || opcode == OP_UNDEF;
}

/* ---- declarations ---- */

/* The operands `from` to `to` of an instruction, counted from its first word, are types. */
static bool are_types(const reduction *r, const uint32_t *words, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (!is_type(r, words[i]))
            return false;
    return true;
}

static bool is_number_type(const reduction *r, uint32_t id)
{
    uint16_t opcode = opcode_of(r, id);
    return opcode == OP_TYPE_INT || opcode == OP_TYPE_FLOAT || opcode == OP_TYPE_BOOL;
}

static bool is_width(uint32_t bits)
{
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

static bool is_valid_type(const reduction *r, const uint32_t *w, size_t length)
{
    switch (w[0] & 0xFFFF) {
    case OP_TYPE_VOID:
    case OP_TYPE_BOOL:
    case OP_TYPE_SAMPLER:
    case OP_TYPE_ACCELERATION_STRUCTURE: return length >= 2;
    case OP_TYPE_INT: return length >= 4 && is_width(w[2]);
    case OP_TYPE_FLOAT: return length == 3 && is_width(w[2]) && w[2] > 8;
    case OP_TYPE_VECTOR: return length >= 4 && is_number_type(r, w[2]) && w[3] >= 2 && w[3] <= 4;
    case OP_TYPE_MATRIX:
        return length >= 4 && opcode_of(r, w[2]) == OP_TYPE_VECTOR && w[3] >= 2 && w[3] <= 4;
    case OP_TYPE_IMAGE: return length >= 9 && is_type(r, w[2]);
    case OP_TYPE_SAMPLED_IMAGE: return length >= 3 && opcode_of(r, w[2]) == OP_TYPE_IMAGE;
    case OP_TYPE_ARRAY:
        return length >= 4 && is_type(r, w[2]) &&
               (opcode_of(r, w[3]) == OP_CONSTANT || opcode_of(r, w[3]) == OP_SPEC_CONSTANT ||
                opcode_of(r, w[3]) == OP_SPEC_CONSTANT_OP);
    case OP_TYPE_RUNTIME_ARRAY: return length >= 3 && is_type(r, w[2]);
    case OP_TYPE_STRUCT: return length >= 2 && are_types(r, w, 2, length);
    case OP_TYPE_POINTER: return length >= 4 && is_type(r, w[3]);
    case OP_TYPE_FUNCTION: return length >= 3 && are_types(r, w, 2, length);
    default: return false;
    }
}

static uint16_t depth_of(const reduction *r, const uint32_t *w, size_t length)
{
    uint32_t opcode = w[0] & 0xFFFF;
    size_t from = opcode == OP_TYPE_POINTER ? 3 : 2;
    size_t to = opcode == OP_TYPE_STRUCT || opcode == OP_TYPE_FUNCTION ? length : from + 1;
    bool is_plain = opcode <= OP_TYPE_FLOAT || opcode == OP_TYPE_SAMPLER ||
                    opcode == OP_TYPE_ACCELERATION_STRUCTURE;
    uint16_t depth = 0;
    for (size_t i = from; i < to && i < length && !is_plain; i++)
        if (w[i] < r->bound && r->ids[w[i]].depth > depth)
            depth = r->ids[w[i]].depth;
    return (uint16_t)(depth + 1);
}

/* Of a number the words that its width needs. */
static bool is_valid_number(const reduction *r, const uint32_t *w, size_t length)
{
    uint16_t opcode = opcode_of(r, w[1]);
    if (opcode != OP_TYPE_INT && opcode != OP_TYPE_FLOAT)
        return false;
    return length == (r->words[r->ids[w[1]].at + 2] > 32 ? 5 : 4);
}

static bool is_valid_constant(const reduction *r, const uint32_t *w, size_t length)
{
    uint32_t opcode = w[0] & 0xFFFF;
    if (length < 3 || !is_type(r, w[1]))
        return false;
    switch (opcode) {
    case OP_UNDEF:
    case OP_CONSTANT_TRUE:
    case OP_CONSTANT_TRUE + 1: /* false */
    case OP_SPEC_CONSTANT_TRUE:
    case OP_SPEC_CONSTANT_TRUE + 1: return true;
    case OP_CONSTANT:
    case OP_SPEC_CONSTANT: return is_valid_number(r, w, length);
    case OP_CONSTANT_COMPOSITE:
    case OP_SPEC_CONSTANT_COMPOSITE: /* a group size; others are of no use here */
        for (size_t i = 3; i < length; i++)
            if (!is_constant(r, w[i]))
                return false;
        return length > 3 && length <= 7 && opcode_of(r, w[1]) == OP_TYPE_VECTOR;
    case OP_SPEC_CONSTANT_OP:
        for (size_t i = 4; i < length; i++) /* an index may be among them */
            if (w[i] >= r->bound)
                return false;
        return length >= 5;
    default: return false;
    }
}

/* Whether each member of a structure has an offset, which decorations in front of it say. */
static bool has_offsets(const reduction *r, uint32_t id, size_t members)
{
    bool *seen = calloc(members + 1, sizeof *seen);
    size_t found = 0;
    for (size_t at = HEADER_WORDS; seen && at < r->out_count; at += r->out[at] >> 16) {
        const uint32_t *w = r->out + at;
        if ((w[0] & 0xFFFF) == OP_MEMBER_DECORATE && w[0] >> 16 >= 5 && w[1] == id &&
            w[2] < members && w[3] == DECORATION_OFFSET && !seen[w[2]]) {
            seen[w[2]] = true;
            found++;
        }
    }
    free(seen);
    return found == members;
}

/* Whether a buffer's type says where its parts lie, structures within it included. */
static bool has_layout(reduction *r, uint32_t id)
{
    defined *type = &r->ids[id];
    const uint32_t *w = r->words + type->at;
    switch (type->opcode) {
    case OP_TYPE_ARRAY:
    case OP_TYPE_RUNTIME_ARRAY: return has_layout(r, w[2]);
    case OP_TYPE_STRUCT:
        if (type->has_layout)
            return true;
        for (size_t i = 2; i < w[0] >> 16; i++)
            if (!has_layout(r, w[i]))
                return false;
        type->has_layout = has_offsets(r, id, (w[0] >> 16) - 2);
        return type->has_layout;
    default: return true;
    }
}

static bool is_resource_class(uint32_t class)
{
    return class == CLASS_UNIFORM_CONSTANT || class == CLASS_UNIFORM || class == CLASS_PUSH ||
           class == CLASS_STORAGE;
}

/* Whether a variable is a block with a layout, or an image or sampler; refuses what should be one. */
static bool is_resource(reduction *r, const uint32_t *w)
{
    uint32_t type = r->words[r->ids[w[1]].at + 3];
    if (!is_resource_class(w[3]))
        return false;
    while (opcode_of(r, type) == OP_TYPE_ARRAY || opcode_of(r, type) == OP_TYPE_RUNTIME_ARRAY)
        type = r->words[r->ids[type].at + 2];
    uint16_t opcode = opcode_of(r, type);
    bool is_opaque = opcode == OP_TYPE_IMAGE || opcode == OP_TYPE_SAMPLER ||
                     opcode == OP_TYPE_SAMPLED_IMAGE || opcode == OP_TYPE_ACCELERATION_STRUCTURE;
    if (w[3] == CLASS_UNIFORM_CONSTANT ? is_opaque
                                       : opcode == OP_TYPE_STRUCT && has_layout(r, type))
        return true;
    refuse(r, "the SPIR-V has a buffer whose members have no offsets");
    return false;
}

/* Copies a type, a constant or a variable whose parts were all defined before it. */
static void see_declaration(reduction *r, size_t at, size_t length)
{
    const uint32_t *w = r->words + at;
    uint32_t opcode = w[0] & 0xFFFF;
    bool is_variable = opcode == OP_VARIABLE;
    bool is_constant_row =
        opcode == OP_UNDEF || (opcode >= OP_CONSTANT_TRUE && opcode <= OP_SPEC_CONSTANT_OP);
    size_t result = is_variable || is_constant_row ? 2 : 1;
    if (length <= result || w[result] == 0 || w[result] >= r->bound) {
        refuse(r, "the SPIR-V has a declaration without an id");
        return;
    }
    if (r->ids[w[result]].opcode) {
        refuse(r, "the SPIR-V defines an id twice");
        return;
    }
    if (is_variable && length < 4)
        return;
    bool is_valid = is_variable       ? opcode_of(r, w[1]) == OP_TYPE_POINTER
                    : is_constant_row ? is_valid_constant(r, w, length)
                                      : is_valid_type(r, w, length);
    if (!is_valid) {
        /* Types of extensions, which bodies alone use, are left out in peace. */
        if (is_variable && is_resource_class(w[3]))
            refuse(r, "the SPIR-V has a buffer of a type that is not read");
        return;
    }
    if (is_variable && !is_resource(r, w))
        return;
    uint16_t depth = is_variable || is_constant_row ? 0 : depth_of(r, w, length);
    if (depth > TYPE_DEPTH_MAX || length > MEMBERS_MAX) {
        refuse(r, "the SPIR-V has a type that is too deep or too long");
        return;
    }
    r->ids[w[result]] = (defined){.opcode = (uint16_t)opcode, .depth = depth, .at = at};
    copy(r, at, is_variable ? 4 : length);
}

/* ---- what stands around them ---- */

/* Whether the text from word `from` of an instruction on ends within it. */
static bool has_text(const uint32_t *w, size_t from, size_t length)
{
    char text[4];
    return from < length && spirv_copy_text(w + from, length - from, text, sizeof text) > 0;
}

static void see_mode(reduction *r, size_t at, size_t length)
{
    const uint32_t *w = r->words + at;
    bool is_fixed = (w[0] & 0xFFFF) == OP_EXECUTION_MODE && length >= 6 && w[2] == MODE_LOCAL_SIZE;
    bool is_id =
        (w[0] & 0xFFFF) == OP_EXECUTION_MODE_ID && length >= 6 && w[2] == MODE_LOCAL_SIZE_ID;
    if ((is_fixed || is_id) && w[1] == r->entry_id)
        copy(r, at, 6);
}

static void see_entry_point(reduction *r, size_t at, size_t length)
{
    const uint32_t *w = r->words + at;
    char name[SIGNATURE_NAME_BYTES];
    if (r->entry_id || length < 4 || w[1] != SPIRV_MODEL_COMPUTE ||
        !spirv_copy_text(w + 3, length - 3, name, sizeof name) || strcmp(name, r->entry) != 0)
        return;
    r->entry_id = w[2];
    for (size_t i = 3 + strlen(name) / 4 + 1; i < length; i++)
        if (w[i] >= r->bound)
            refuse(r, "the entry point of the SPIR-V names ids that are out of range");
    copy(r, at, length);
}

/* An empty body in place of the entry point's. */
static void see_function(reduction *r, size_t at, size_t length)
{
    const uint32_t *w = r->words + at;
    if (length < 5 || w[2] != r->entry_id || !r->entry_id || opcode_of(r, w[2]))
        return;
    if (w[2] >= r->bound || !is_type(r, w[1]) || opcode_of(r, w[4]) != OP_TYPE_FUNCTION) {
        refuse(r, "the entry point of the SPIR-V is damaged");
        return;
    }
    r->ids[w[2]] = (defined){.opcode = OP_FUNCTION, .at = at};
    copy(r, at, 5);
    const uint32_t body[] = {2 << 16 | OP_LABEL, r->bound, 1 << 16 | OP_RETURN,
                             1 << 16 | OP_FUNCTION_END};
    memcpy(r->out + r->out_count, body, sizeof body);
    r->out_count += sizeof body / sizeof body[0];
}

static void see(reduction *r, size_t at, size_t length)
{
    const uint32_t *w = r->words + at;
    uint32_t opcode = w[0] & 0xFFFF;
    switch (opcode) {
    case OP_CAPABILITY:
        if (length == 2)
            copy(r, at, length);
        break;
    case OP_MEMORY_MODEL:
        if (length == 3)
            copy(r, at, length);
        break;
    case OP_ENTRY_POINT: see_entry_point(r, at, length); break;
    case OP_EXECUTION_MODE:
    case OP_EXECUTION_MODE_ID: see_mode(r, at, length); break;
    case OP_NAME:
        if (length >= 3 && w[1] < r->bound && has_text(w, 2, length))
            copy(r, at, length);
        break;
    case OP_MEMBER_NAME:
        if (length >= 4 && w[1] < r->bound && w[2] < MEMBERS_MAX && has_text(w, 3, length))
            copy(r, at, length);
        break;
    case OP_DECORATE:
        if (length >= 3 && w[1] < r->bound)
            copy(r, at, length);
        break;
    case OP_MEMBER_DECORATE:
        if (length >= 4 && w[1] < r->bound && w[2] < MEMBERS_MAX)
            copy(r, at, length);
        break;
    case OP_GROUP_DECORATE:
    case OP_GROUP_MEMBER_DECORATE:
        refuse(r, "the SPIR-V has decorations in groups, which are not read");
        break;
    case OP_FUNCTION: see_function(r, at, length); break;
    default:
        if ((opcode >= OP_TYPE_VOID && opcode <= OP_TYPE_FUNCTION) || opcode == OP_UNDEF ||
            opcode == OP_TYPE_ACCELERATION_STRUCTURE || opcode == OP_VARIABLE ||
            (opcode >= OP_CONSTANT_TRUE && opcode <= OP_SPEC_CONSTANT_OP))
            see_declaration(r, at, length);
    }
}

/* Constants that set the group size are defined behind what names them. */
static void check_size_ids(reduction *r)
{
    for (size_t at = HEADER_WORDS; at < r->out_count; at += r->out[at] >> 16)
        for (size_t i = 3; i < 6 && (r->out[at] & 0xFFFF) == OP_EXECUTION_MODE_ID; i++) {
            uint16_t opcode = opcode_of(r, r->out[at + i]);
            if (opcode != OP_CONSTANT && opcode != OP_SPEC_CONSTANT)
                refuse(r, "the group size of the SPIR-V is no constant");
        }
}

uint32_t *spirv_reduce(const uint32_t *words, size_t count, const char *entry, size_t *out_count,
                       char sentence[KERNEL_FILE_REASON_BYTES])
{
    reduction r = {.words = words,
                   .count = count,
                   .bound = words[3],
                   .entry = entry,
                   .ids = calloc((size_t)words[3] + 1, sizeof *r.ids),
                   .out = malloc((count + 16) * sizeof *r.out),
                   .sentence = sentence};
    if (!r.ids || !r.out)
        refuse(&r, "out of memory");
    bool is_outside = true; /* of functions */
    for (size_t at = HEADER_WORDS; at < count && !r.failed; at += words[at] >> 16) {
        uint32_t opcode = words[at] & 0xFFFF;
        if (at == HEADER_WORDS) {
            memcpy(r.out, words, HEADER_WORDS * sizeof *words);
            r.out[3] = r.bound + 1; /* the label of the empty body */
            r.out_count = HEADER_WORDS;
        }
        if (is_outside)
            see(&r, at, words[at] >> 16);
        is_outside = opcode == OP_FUNCTION ? false : opcode == OP_FUNCTION_END ? true : is_outside;
    }
    if (!r.failed)
        check_size_ids(&r);
    if (!r.failed && opcode_of(&r, r.entry_id) != OP_FUNCTION)
        refuse(&r, "the SPIR-V ends before the body of its entry point");
    free(r.ids);
    if (r.failed) {
        free(r.out);
        return NULL;
    }
    *out_count = r.out_count;
    return r.out;
}
