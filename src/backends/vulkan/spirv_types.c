/* spirv_types.c - computes the sizes of types. Each size is a lower bound. */
#include "backends/vulkan/spirv_types.h"

#define MOST (UINT64_C(1) << 62) /* maximum type size in bytes; larger sizes saturate */

static uint64_t at_most(uint64_t bytes)
{
    return bytes < MOST ? bytes : MOST;
}

uint64_t vulkan_spirv_add(uint64_t a, uint64_t b)
{
    return at_most(at_most(a) + at_most(b));
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    return b && a > MOST / b ? MOST : a * b;
}

spirv_id *vulkan_spirv_id(spirv_ids *ids, uint32_t number)
{
    bool sound = number > 0 && number < ids->bound;
    if (!sound)
        ids->fault = "an id beyond its bound";
    return &ids->of[sound ? number : 0];
}

spirv_id *vulkan_spirv_define(spirv_ids *ids, uint32_t number, uint32_t opcode)
{
    spirv_id *id = vulkan_spirv_id(ids, number);
    if (id->opcode)
        ids->fault = "an id twice";
    id->opcode = opcode;
    return id;
}

/* ---- structures ---- */

typedef struct layout {
    bool placed, row_major;
    uint32_t offset, stride;
} layout;

static layout layout_of(const spirv_ids *ids, uint32_t structure, uint32_t member)
{
    layout l = {0};
    const uint32_t *words = ids->words;
    for (size_t at = ids->first_member; at && at <= ids->last_member; at += words[at] >> 16) {
        const uint32_t *operands = words + at + 1;
        size_t count = (words[at] >> 16) - 1;
        if ((words[at] & 0xFFFF) != OP_MEMBER_DECORATE || count < 3 || operands[0] != structure ||
            operands[1] != member)
            continue;
        if (operands[2] == DECORATION_ROW_MAJOR)
            l.row_major = true;
        if (operands[2] == DECORATION_MATRIX_STRIDE && count > 3)
            l.stride = operands[3];
        if (operands[2] == DECORATION_OFFSET && count > 3) {
            l.offset = operands[3];
            l.placed = true;
        }
    }
    return l;
}

/* Returns the end of a member from the start of its structure, in bytes, without padding after a
 * matrix's last row or column. */
static uint64_t member_end(const spirv_id *type, layout l)
{
    uint64_t bytes = vulkan_spirv_add(l.offset, type->laid_bytes);
    uint32_t lines = l.row_major ? type->rows : type->columns;
    uint32_t in_line = l.row_major ? type->columns : type->rows;
    if (type->columns == 0 || lines == 0)
        return bytes;
    bytes = vulkan_spirv_add(bytes, multiply(lines - 1, l.stride));
    return vulkan_spirv_add(bytes, multiply(in_line, type->scalar_bytes));
}

static void see_structure(spirv_ids *ids, const uint32_t *operands, size_t count)
{
    uint64_t bytes = 0, laid_bytes = 0;
    for (size_t i = 1; i < count; i++) {
        const spirv_id *type = vulkan_spirv_id(ids, operands[i]);
        layout l = layout_of(ids, operands[0], (uint32_t)i - 1);
        uint64_t end = l.placed ? member_end(type, l) : 0;
        bytes = vulkan_spirv_add(bytes, type->bytes);
        if (end > laid_bytes)
            laid_bytes = end;
    }
    spirv_id *id = vulkan_spirv_define(ids, operands[0], OP_TYPE_STRUCT);
    id->bytes = bytes;
    id->laid_bytes = laid_bytes;
}

/* ---- other types ---- */

static void see_array(spirv_ids *ids, const uint32_t *operands)
{
    const spirv_id element = *vulkan_spirv_id(ids, operands[1]);
    uint64_t length = vulkan_spirv_id(ids, operands[2])->value;
    spirv_id *id = vulkan_spirv_define(ids, operands[0], OP_TYPE_ARRAY);
    if (length == 0)
        length = 1; /* an array of unknown length has at least one element */
    id->scalar_bytes = element.scalar_bytes;
    id->rows = element.rows;
    id->columns = element.columns;
    id->bytes = multiply(length, element.bytes);
    id->laid_bytes = vulkan_spirv_add(multiply(length - 1, id->stride), element.laid_bytes);
}

static void see_vector(spirv_ids *ids, uint32_t opcode, const uint32_t *operands)
{
    const spirv_id part = *vulkan_spirv_id(ids, operands[1]);
    spirv_id *id = vulkan_spirv_define(ids, operands[0], opcode);
    if (opcode == OP_TYPE_MATRIX && (operands[2] < 2 || operands[2] > 4))
        ids->fault = "a matrix of other than 2, 3 or 4 columns";
    id->scalar_bytes = part.scalar_bytes;
    id->rows = opcode == OP_TYPE_VECTOR ? operands[2] : part.rows;
    id->columns = opcode == OP_TYPE_VECTOR ? 0 : operands[2];
    id->bytes = multiply(operands[2], part.bytes);
    id->laid_bytes = opcode == OP_TYPE_VECTOR ? id->bytes : 0;
}

static void see_scalar(spirv_ids *ids, uint32_t opcode, const uint32_t *operands)
{
    spirv_id *id = vulkan_spirv_define(ids, operands[0], opcode);
    id->scalar_bytes = operands[1] / 8;
    id->bytes = id->laid_bytes = id->scalar_bytes;
}

static void see_constant(spirv_ids *ids, uint32_t opcode, const uint32_t *operands, size_t count)
{
    spirv_id *id = vulkan_spirv_define(ids, operands[1], opcode);
    if (!id->from_group_size)
        id->value = operands[2] | (count > 3 ? (uint64_t)operands[3] << 32 : 0);
}

void vulkan_spirv_see_type(spirv_ids *ids, size_t at)
{
    uint32_t opcode = ids->words[at] & 0xFFFF;
    const uint32_t *operands = ids->words + at + 1;
    size_t count = (ids->words[at] >> 16) - 1;
    if (opcode == OP_TYPE_STRUCT && count >= 1)
        see_structure(ids, operands, count);
    if (opcode == OP_TYPE_RUNTIME_ARRAY && count >= 2)
        vulkan_spirv_define(ids, operands[0], opcode);
    if ((opcode == OP_TYPE_INT || opcode == OP_TYPE_FLOAT) && count >= 2)
        see_scalar(ids, opcode, operands);
    if (count < 3)
        return;
    switch (opcode) {
    case OP_TYPE_VECTOR:
    case OP_TYPE_MATRIX: see_vector(ids, opcode, operands); break;
    case OP_TYPE_ARRAY: see_array(ids, operands); break;
    case OP_TYPE_POINTER:
        vulkan_spirv_define(ids, operands[0], opcode)->pointee = operands[2];
        break;
    case OP_CONSTANT:
    case OP_SPEC_CONSTANT: see_constant(ids, opcode, operands, count); break;
    default: break;
    }
}
