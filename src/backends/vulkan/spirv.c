/* SPDX-License-Identifier: MIT */
/* spirv.c - parses SPIR-V modules. All numbers are from the SPIR-V specification: a header of five
 * words, then instructions. The first word of an instruction holds its length above its opcode. */
#include "backends/vulkan/spirv.h"
#include "support/error.h"

#include <string.h>

#define MAGIC        UINT32_C(0x07230203)
#define HEADER_WORDS 5
#define SINCE_1_4    UINT32_C(0x10400)
#define IDS_MAX      4194303 /* highest SPIR-V id that every driver must accept */

enum {
    OP_ENTRY_POINT = 15,
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_RUNTIME_ARRAY = 29,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_CONSTANT_COMPOSITE = 44,
    OP_SPEC_CONSTANT = 50,
    OP_SPEC_CONSTANT_COMPOSITE = 51,
    OP_FUNCTION = 54,
    OP_FUNCTION_END = 56,
    OP_VARIABLE = 59,
    OP_DECORATE = 71,
    OP_GROUP_DECORATE = 74,
    OP_EXECUTION_MODE_ID = 331
};

enum {
    DECORATION_SPEC_ID = 1,
    DECORATION_BUFFER_BLOCK = 3,
    DECORATION_BUILTIN = 11,
    DECORATION_BINDING = 33,
    DECORATION_SET = 34
};

enum {
    MODEL_GLCOMPUTE = 5,
    MODE_LOCAL_SIZE = 17,
    MODE_LOCAL_SIZE_ID = 38,
    BUILTIN_WORKGROUP_SIZE = 25,
    CLASS_UNIFORM_CONSTANT = 0,
    CLASS_UNIFORM = 2,
    CLASS_PUSH_CONSTANT = 9,
    CLASS_STORAGE_BUFFER = 12
};

typedef struct module {
    const uint32_t *words;
    size_t count;
    const char *entry;
    size_t entry_at;  /* word of the entry point; 0: not found */
    uint32_t entries; /* number of entry points of any name and kind */
    bool defined;     /* the entry point's function is defined */
    bool whole;       /* the end of the latest function was found */
    spirv_kernel *kernel;
} module;

static size_t length_at(const module *m, size_t at)
{
    return m->words[at] >> 16;
}

/* ---- structure ---- */

static void see_capability(spirv_kernel *kernel, uint32_t capability)
{
    uint32_t bit = kt_vulkan_capability_bit(capability);
    kernel->capabilities |= bit;
    if (capability > 1 && !bit) /* 0 and 1 are Matrix and Shader, which every device has */
        kernel->unknown = capability;
}

/* Words of a name, four characters each from the lowest byte up; 0: it is another name. */
static size_t match_name(const uint32_t *words, size_t count, const char *name)
{
    for (size_t i = 0; i < 4 * count; i++) {
        if ((char)(words[i / 4] >> 8 * (i % 4) & 0xFF) != name[i])
            return 0;
        if (name[i] == '\0')
            return i / 4 + 1;
    }
    return 0;
}

/* Looks at an instruction of `count` words behind its first. */
static void see(module *m, size_t at, size_t count)
{
    const uint32_t *operands = m->words + at + 1;
    uint32_t entry_id = m->entry_at ? m->words[m->entry_at + 2] : 0;
    switch (m->words[at] & 0xFFFF) {
    case OP_CAPABILITY:
        if (count >= 1)
            see_capability(m->kernel, operands[0]);
        break;
    case OP_ENTRY_POINT:
        m->entries++;
        if (!m->entry_at && count > 2 && operands[0] == MODEL_GLCOMPUTE &&
            match_name(operands + 2, count - 2, m->entry))
            m->entry_at = at;
        break;
    case OP_EXECUTION_MODE: /* execution modes follow all entry points */
        if (count >= 5 && entry_id && operands[0] == entry_id && operands[1] == MODE_LOCAL_SIZE)
            memcpy(m->kernel->group_size, operands + 2, sizeof m->kernel->group_size);
        break;
    case OP_FUNCTION:
        m->whole = false;
        m->defined |= entry_id && count >= 2 && operands[1] == entry_id;
        break;
    case OP_FUNCTION_END: m->whole = true; break;
    default: break;
    }
}

static kt_status walk(module *m)
{
    for (size_t at = HEADER_WORDS; at < m->count; at += length_at(m, at)) {
        size_t length = length_at(m, at);
        if (length == 0 || length > m->count - at)
            return kt_fail(KT_BUILD_FAILED, "kernel %s: the SPIR-V breaks off at word %zu of %zu",
                           m->entry, at, m->count);
        see(m, at, length - 1);
    }
    if (!m->whole || (m->entry_at && !m->defined))
        return kt_fail(KT_BUILD_FAILED, "kernel %s: the SPIR-V ends too early", m->entry);
    return m->entry_at ? KT_OK
                       : kt_fail(KT_INVALID, "the SPIR-V has no compute shader %s", m->entry);
}

/* ---- variables ---- */

/* The next instruction of that opcode from word `at` on, with at least `least` words; 0: none. */
static size_t find(const module *m, uint32_t opcode, size_t least, size_t at)
{
    while (at < m->count && ((m->words[at] & 0xFFFF) != opcode || length_at(m, at) < least))
        at += length_at(m, at);
    return at < m->count ? at : 0;
}

/* The instruction of that opcode whose operand `place`, from 1 on, is `id`; 0: none. */
static size_t find_id(const module *m, uint32_t opcode, size_t least, size_t place, uint32_t id)
{
    size_t at = find(m, opcode, least, HEADER_WORDS);
    while (at && m->words[at + place] != id)
        at = find(m, opcode, least, at + length_at(m, at));
    return at;
}

static size_t find_type(const module *m, uint32_t opcode, size_t least, uint32_t id)
{
    return find_id(m, opcode, least, 1, id);
}

/* The value of a decoration of the id; `missing` if it has none. */
static uint32_t decoration_of(const module *m, uint32_t id, uint32_t decoration, uint32_t missing)
{
    for (size_t at = find(m, OP_DECORATE, 4, HEADER_WORDS); at;
         at = find(m, OP_DECORATE, 4, at + length_at(m, at)))
        if (m->words[at + 1] == id && m->words[at + 2] == decoration)
            missing = m->words[at + 3];
    return missing;
}

/* The id that has the decoration with that value; 0: none. */
static uint32_t decorated_with(const module *m, uint32_t decoration, uint32_t value)
{
    for (size_t at = find(m, OP_DECORATE, 4, HEADER_WORDS); at;
         at = find(m, OP_DECORATE, 4, at + length_at(m, at)))
        if (m->words[at + 2] == decoration && m->words[at + 3] == value)
            return m->words[at + 1];
    return 0;
}

/* Whether the entry point uses the variable: from SPIR-V 1.4 on, it lists all that it uses. */
static bool is_used(const module *m, uint32_t variable)
{
    if (m->words[1] < SINCE_1_4)
        return m->entries == 1;
    size_t end = m->entry_at + length_at(m, m->entry_at);
    size_t name = m->entry_at + 3;
    for (size_t i = name + match_name(m->words + name, end - name, m->entry); i < end; i++)
        if (m->words[i] == variable)
            return true;
    return false;
}

/* Whether the block is a storage buffer as modules before SPIR-V 1.3 have it. */
static bool is_buffer_block(const module *m, uint32_t type)
{
    size_t at = find(m, OP_DECORATE, 3, HEADER_WORDS);
    while (at && (m->words[at + 1] != type || m->words[at + 2] != DECORATION_BUFFER_BLOCK))
        at = find(m, OP_DECORATE, 3, at + length_at(m, at));
    return at;
}

static kt_status see_buffer(const module *m, const uint32_t *variable)
{
    spirv_kernel *kernel = m->kernel;
    size_t pointer = find_type(m, OP_TYPE_POINTER, 4, variable[1]);
    uint32_t type = pointer ? m->words[pointer + 3] : 0;
    const spirv_buffer buffer = {.set = decoration_of(m, variable[2], DECORATION_SET, 0),
                                 .binding = decoration_of(m, variable[2], DECORATION_BINDING, 0),
                                 .is_uniform =
                                     variable[3] == CLASS_UNIFORM && !is_buffer_block(m, type)};
    if (buffer.binding >= SPIRV_BINDINGS_MAX || kernel->buffer_count == SPIRV_BUFFERS_MAX)
        return kt_fail(KT_UNSUPPORTED,
                       "kernel %s uses binding %u and %u more buffers; kernels of %d buffers at "
                       "bindings below %d run",
                       m->entry, buffer.binding, kernel->buffer_count, SPIRV_BUFFERS_MAX,
                       SPIRV_BINDINGS_MAX);
    if (find_type(m, OP_TYPE_ARRAY, 4, type) || find_type(m, OP_TYPE_RUNTIME_ARRAY, 3, type))
        return kt_fail(KT_UNSUPPORTED,
                       "kernel %s has an array of buffers at binding %u, but a binding takes one "
                       "memory",
                       m->entry, buffer.binding);
    kernel->buffers[kernel->buffer_count++] = buffer;
    return KT_OK;
}

static kt_status see_variables(const module *m)
{
    kt_status status = KT_OK;
    for (size_t at = find(m, OP_VARIABLE, 4, HEADER_WORDS); at && status == KT_OK;
         at = find(m, OP_VARIABLE, 4, at + length_at(m, at))) {
        const uint32_t *variable = m->words + at;
        if (!is_used(m, variable[2]))
            continue;
        if (variable[3] == CLASS_UNIFORM_CONSTANT)
            status = kt_fail(KT_UNSUPPORTED,
                             "kernel %s uses images or samplers, but memories are storage buffers",
                             m->entry);
        else if (variable[3] == CLASS_UNIFORM || variable[3] == CLASS_STORAGE_BUFFER)
            status = see_buffer(m, variable);
        m->kernel->takes_push |= variable[3] == CLASS_PUSH_CONSTANT;
    }
    return status;
}

/* ---- constants ---- */

/* Takes the ids of the constants that are the group's size. Other than a literal and a
 * specialisation constant, they are expressions, which are unknown. */
static void see_sizes(const module *m, const uint32_t ids[3])
{
    for (int i = 0; i < 3; i++) {
        size_t literal = find_id(m, OP_CONSTANT, 4, 2, ids[i]);
        m->kernel->group_size[i] = literal ? m->words[literal + 3] : 0;
        if (find_id(m, OP_SPEC_CONSTANT, 4, 2, ids[i]))
            m->kernel->size_ids[i] = decoration_of(m, ids[i], DECORATION_SPEC_ID, SPIRV_NO_ID);
    }
}

/* The built-in WorkgroupSize wins over a mode of the shader. */
static void see_group_size(const module *m)
{
    for (size_t at = find(m, OP_EXECUTION_MODE_ID, 6, HEADER_WORDS); at;
         at = find(m, OP_EXECUTION_MODE_ID, 6, at + length_at(m, at)))
        if (m->words[at + 1] == m->words[m->entry_at + 2] && m->words[at + 2] == MODE_LOCAL_SIZE_ID)
            see_sizes(m, m->words + at + 3);
    uint32_t size = decorated_with(m, DECORATION_BUILTIN, BUILTIN_WORKGROUP_SIZE);
    size_t at = find_id(m, OP_SPEC_CONSTANT_COMPOSITE, 6, 2, size);
    if (!at)
        at = find_id(m, OP_CONSTANT_COMPOSITE, 6, 2, size);
    if (size && at)
        see_sizes(m, m->words + at + 3);
}

uint32_t kt_vulkan_spirv_constant_bytes(const uint32_t *words, size_t count, uint32_t spec_id)
{
    const module m = {.words = words, .count = count};
    uint32_t id = decorated_with(&m, DECORATION_SPEC_ID, spec_id);
    size_t constant = id ? find_id(&m, OP_SPEC_CONSTANT, 4, 2, id) : 0;
    if (!id || !constant)
        return id ? 4 : 0; /* a truth value is a VkBool32 */
    uint32_t type = words[constant + 1];
    size_t number = find_type(&m, OP_TYPE_INT, 4, type);
    if (!number)
        number = find_type(&m, OP_TYPE_FLOAT, 3, type);
    return number ? words[number + 2] / 8 : 0;
}

/* ---- the module ---- */

/* Whether a word of the header is a SPIR-V version: 0x10300 means 1.3. */
static bool is_version(uint32_t word)
{
    return (word & 0xFF0000FF) == 0 && word >= 0x10000;
}

static kt_status check_header(const uint32_t *words, size_t count, const char *entry)
{
    if (count > 0 && words[0] == UINT32_C(0x03022307))
        return kt_fail(KT_BUILD_FAILED, "kernel %s: the SPIR-V is of the other byte order", entry);
    if (count < HEADER_WORDS || words[0] != MAGIC || !is_version(words[1]))
        return kt_fail(KT_BUILD_FAILED,
                       "kernel %s: this is not SPIR-V, which compilers like glslc make", entry);
    if (words[3] > IDS_MAX)
        return kt_fail(KT_BUILD_FAILED, "kernel %s: the SPIR-V has %u ids, but %u are the most",
                       entry, words[3], (unsigned)IDS_MAX);
    return KT_OK;
}

kt_status kt_vulkan_spirv_parse(const uint32_t *words, size_t count, const char *entry,
                                spirv_kernel *out)
{
    module m = {.words = words, .count = count, .entry = entry, .kernel = out};
    *out = (spirv_kernel){.size_ids = {SPIRV_NO_ID, SPIRV_NO_ID, SPIRV_NO_ID}};
    kt_status status = check_header(words, count, entry);
    if (status != KT_OK)
        return status;
    out->version = words[1];
    status = walk(&m);
    /* A group of decorations could hide a descriptor set. */
    if (status == KT_OK && find(&m, OP_GROUP_DECORATE, 1, HEADER_WORDS))
        status = kt_fail(KT_UNSUPPORTED, "kernel %s has decorations in groups, which are not read",
                         entry);
    if (status != KT_OK)
        return status;
    see_group_size(&m);
    return see_variables(&m);
}
