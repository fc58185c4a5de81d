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
    uint32_t opcode; /* opcode of the id's definition; 0: undefined or irrelevant */
    /* The id's decorations, which precede its definition. */
    uint32_t set, binding, stride; /* stride of an array, in bytes */
    bool bound;                    /* the id has a binding */
    bool buffer_block;             /* the type of a storage buffer under Vulkan 1.0 */
    bool from_group_size;          /* a constant that takes the job's group size */
    bool listed;                   /* a variable in the interface of the requested shader */
    /* Members of types. Parts of unknown size count 0 bytes. */
    uint32_t pointee;
    uint32_t scalar_bytes, rows, columns; /* of a vector, a matrix or an array's elements */
    uint64_t bytes;                       /* size without padding */
    uint64_t laid_bytes;                  /* size with strides and offsets; matrices count 0 */
    uint64_t value;                       /* value of a constant; 0: unknown */
} spirv_id;

typedef struct spirv_ids {
    const uint32_t *words;
    spirv_id *of;
    uint32_t bound;
    size_t first_member, last_member; /* words where member decorations begin and end */
    const char *fault;                /* why the module is invalid; NULL: valid */
} spirv_ids;

/* Returns the entry of an id. An invalid id gets a dummy entry that nothing reads. */
spirv_id *vulkan_spirv_id(spirv_ids *ids, uint32_t number);
/* Returns the entry of an id that an instruction defines. A second definition is a fault. */
spirv_id *vulkan_spirv_define(spirv_ids *ids, uint32_t number, uint32_t opcode);
/* Records the type or constant defined by the instruction at word `at`. */
void vulkan_spirv_see_type(spirv_ids *ids, size_t at);
/* Returns a + b, limited so that sums never overflow. */
uint64_t vulkan_spirv_add(uint64_t a, uint64_t b);

#endif
