/* spirv_types.h - the ids of a SPIR-V module: types with their sizes, constants, variables. */
#ifndef KT_VULKAN_SPIRV_TYPES_H
#define KT_VULKAN_SPIRV_TYPES_H

#include "backends/vulkan/spirv.h"

#define SPIRV_HEADER_WORDS 5

enum spirv_opcode {
    OP_ENTRY_POINT = 15,
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_MATRIX = 24,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_RUNTIME_ARRAY = 29,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_SPEC_CONSTANT = 50,
    OP_FUNCTION = 54,
    OP_FUNCTION_END = 56,
    OP_VARIABLE = 59,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    OP_GROUP_DECORATE = 74,
    OP_GROUP_MEMBER_DECORATE = 75
};

enum spirv_decoration {
    DECORATION_SPEC_ID = 1,
    DECORATION_BUFFER_BLOCK = 3,
    DECORATION_ROW_MAJOR = 4,
    DECORATION_ARRAY_STRIDE = 6,
    DECORATION_MATRIX_STRIDE = 7,
    DECORATION_BINDING = 33,
    DECORATION_SET = 34,
    DECORATION_OFFSET = 35
};

typedef struct spirv_id {
    uint32_t opcode; /* of what defines it; 0: nothing has, or what matters to nobody */
    /* Decorations, which come before that. */
    uint32_t set, binding, stride; /* stride: of an array, in bytes */
    bool bound;                    /* it has a binding */
    bool buffer_block;             /* a storage buffer for Vulkan 1.0 */
    bool from_group_size;          /* a constant that a job gives its group size */
    bool listed;                   /* in the interface of the shader that is asked for */
    /* Types; bytes that cannot be told are left out. */
    uint32_t pointee;
    uint32_t scalar_bytes, rows, columns; /* of the vector or matrix, also within arrays */
    uint64_t bytes;                       /* without any padding */
    uint64_t laid_bytes;                  /* with strides and offsets, and without a matrix */
    uint64_t value;                       /* of a constant; 0: not told */
} spirv_id;

typedef struct spirv_ids {
    const uint32_t *words;
    spirv_id *of;
    uint32_t bound;
    size_t first_member, last_member; /* decorations of members lie between; 0: there are none */
    const char *fault;                /* what cannot be in a module, or NULL */
} spirv_ids;

/* The one of that number; if there can be none, one that nobody asks for. */
spirv_id *vulkan_spirv_id(spirv_ids *ids, uint32_t number);
/* The one that an instruction defines: it must be the first to do so. */
spirv_id *vulkan_spirv_define(spirv_ids *ids, uint32_t number, uint32_t opcode);
/* A type or constant, of the instruction at that word. */
void vulkan_spirv_see_type(spirv_ids *ids, size_t at);
/* The sum, never too large to be added up. */
uint64_t vulkan_spirv_add(uint64_t a, uint64_t b);

#endif
