/* spirv.c - parses SPIR-V modules. All numbers are from the SPIR-V specification: a header of five
 * words, then instructions. The first word of an instruction holds its length above its opcode. */
#include "backends/vulkan/spirv_types.h"
#include "support/alloc.h"
#include "support/error.h"

#include <string.h>

#define MAGIC          UINT32_C(0x07230203)
#define SINCE_1_4      UINT32_C(0x10400)
#define BINDINGS_MAX   1024    /* most buffer bindings of a kernel; no device has as many */
#define IDS_MAX        4194303 /* highest SPIR-V id that every driver must accept */
#define GROUP_SIZE_IDS 3       /* specialisation constants that hold the group size */

enum {
    MODEL_GLCOMPUTE = 5,
    MODE_LOCAL_SIZE = 17,
    CLASS_UNIFORM_CONSTANT = 0,
    CLASS_UNIFORM = 2,
    CLASS_WORKGROUP = 4,
    CLASS_PUSH_CONSTANT = 9,
    CLASS_STORAGE_BUFFER = 12
};

typedef struct module {
    const uint32_t *words;
    size_t count;
    const char *entry;
    uint32_t entry_id;
    uint32_t entries; /* number of entry points of any name and kind */
    bool found;
    bool defined; /* the entry point's function is defined */
    bool whole;   /* the end of the latest function was found */
    spirv_ids ids;
    spirv_kernel *kernel;
} module;

static void see_capability(spirv_kernel *kernel, uint32_t capability)
{
    uint32_t bit = vulkan_capability_bit(capability);
    kernel->capabilities |= bit;
    if (capability > 1 && !bit) /* 0 and 1 are Matrix and Shader, which every device has */
        kernel->unknown = capability;
}

/* Returns the length of a literal string in words, four characters per word from the lowest byte
 * up, or 0 if the string has no end. */
static size_t text_words(const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < 4 * count; i++)
        if ((words[i / 4] >> (8 * (i % 4)) & 0xFF) == 0)
            return i / 4 + 1;
    return 0;
}

static bool is_text(const uint32_t *words, const char *text)
{
    for (size_t i = 0;; i++) {
        char character = (char)(words[i / 4] >> (8 * (i % 4)) & 0xFF);
        if (character != text[i])
            return false;
        if (character == '\0')
            return true;
    }
}

static void see_entry(module *m, const uint32_t *operands, size_t count)
{
    size_t name_words = count > 2 ? text_words(operands + 2, count - 2) : 0;
    m->entries++;
    if (m->found || name_words == 0 || operands[0] != MODEL_GLCOMPUTE ||
        !is_text(operands + 2, m->entry))
        return;
    m->entry_id = operands[1];
    m->found = true;
    for (size_t i = 2 + name_words; i < count; i++)
        vulkan_spirv_id(&m->ids, operands[i])->listed = true;
}

static void see_decoration(module *m, const uint32_t *operands, size_t count)
{
    spirv_id *id = vulkan_spirv_id(&m->ids, operands[0]);
    uint32_t value = count > 2 ? operands[2] : 0;
    if (operands[1] == DECORATION_BUFFER_BLOCK)
        id->buffer_block = true;
    if (count < 3)
        return;
    switch (operands[1]) {
    case DECORATION_SPEC_ID:
        if (value < GROUP_SIZE_IDS)
            id->from_group_size = m->kernel->any_size[value] = true;
        break;
    case DECORATION_ARRAY_STRIDE: id->stride = value; break;
    case DECORATION_SET: id->set = value; break;
    case DECORATION_BINDING:
        id->binding = value;
        id->bound = true;
        break;
    default: break;
    }
}

static kt_status see_buffer(module *m, const spirv_id *variable, const spirv_id *type,
                            uint32_t storage_class)
{
    if (variable->set != 0)
        return kt_fail(KT_UNSUPPORTED,
                       "kernel %s uses descriptor set %u, but memories are in set 0 alone",
                       m->entry, variable->set);
    if (variable->binding >= BINDINGS_MAX)
        return kt_fail(KT_UNSUPPORTED, "kernel %s uses binding %u", m->entry, variable->binding);
    if (type->opcode == OP_TYPE_ARRAY || type->opcode == OP_TYPE_RUNTIME_ARRAY)
        return kt_fail(KT_UNSUPPORTED,
                       "kernel %s has an array of buffers at binding %u, but a binding takes one "
                       "memory",
                       m->entry, variable->binding);
    if (storage_class == CLASS_UNIFORM && !type->buffer_block)
        return kt_fail(KT_UNSUPPORTED,
                       "kernel %s has a uniform buffer at binding %u, but memories are storage "
                       "buffers",
                       m->entry, variable->binding);
    if (variable->bound && variable->binding >= m->kernel->binding_count)
        m->kernel->binding_count = variable->binding + 1;
    return KT_OK;
}

/* Whether the entry point uses the variable: from SPIR-V 1.4 on, it lists all that it uses. */
static bool is_used(const module *m, const spirv_id *variable)
{
    return m->words[1] >= SINCE_1_4 ? variable->listed : m->entries == 1;
}

static kt_status see_variable(module *m, const uint32_t *operands)
{
    spirv_kernel *kernel = m->kernel;
    const spirv_id *variable = vulkan_spirv_define(&m->ids, operands[1], OP_VARIABLE);
    const spirv_id *pointer = vulkan_spirv_id(&m->ids, operands[0]);
    if (pointer->opcode != OP_TYPE_POINTER || !is_used(m, variable))
        return KT_OK;
    const spirv_id *type = vulkan_spirv_id(&m->ids, pointer->pointee);
    switch (operands[2]) {
    case CLASS_UNIFORM_CONSTANT:
        return kt_fail(KT_UNSUPPORTED,
                       "kernel %s uses images or samplers, but memories are storage buffers",
                       m->entry);
    case CLASS_UNIFORM:
    case CLASS_STORAGE_BUFFER: return see_buffer(m, variable, type, operands[2]);
    case CLASS_PUSH_CONSTANT:
        if (type->opcode != OP_TYPE_STRUCT)
            return kt_fail(KT_BUILD_FAILED, "kernel %s has push constants that are no structure",
                           m->entry);
        kernel->takes_push = true;
        if (type->laid_bytes > kernel->push_bytes)
            kernel->push_bytes = type->laid_bytes;
        break;
    case CLASS_WORKGROUP:
        kernel->shared_bytes = vulkan_spirv_add(kernel->shared_bytes, type->bytes);
        break;
    default: break;
    }
    return KT_OK;
}

static kt_status see(module *m, size_t at)
{
    const uint32_t *operands = m->words + at + 1;
    size_t count = (m->words[at] >> 16) - 1;
    switch (m->words[at] & 0xFFFF) {
    case OP_CAPABILITY:
        if (count >= 1)
            see_capability(m->kernel, operands[0]);
        break;
    case OP_ENTRY_POINT: see_entry(m, operands, count); break;
    case OP_EXECUTION_MODE: /* execution modes follow all entry points */
        if (count >= 5 && m->found && operands[0] == m->entry_id && operands[1] == MODE_LOCAL_SIZE)
            memcpy(m->kernel->group_size, operands + 2, sizeof m->kernel->group_size);
        break;
    case OP_FUNCTION:
        m->whole = false;
        m->defined |= m->found && count >= 2 && operands[1] == m->entry_id;
        break;
    case OP_FUNCTION_END: m->whole = true; break;
    case OP_DECORATE:
        if (count >= 2)
            see_decoration(m, operands, count);
        break;
    case OP_MEMBER_DECORATE:
        m->ids.last_member = at;
        if (m->ids.first_member == 0)
            m->ids.first_member = at;
        break;
    case OP_GROUP_DECORATE:
    case OP_GROUP_MEMBER_DECORATE:
        return kt_fail(KT_UNSUPPORTED, "kernel %s has decorations in groups, which are not read",
                       m->entry);
    case OP_VARIABLE: return count >= 3 ? see_variable(m, operands) : KT_OK;
    default: vulkan_spirv_see_type(&m->ids, at);
    }
    return KT_OK;
}

/* Whether a word of the header is a SPIR-V version: 0x10300 means 1.3. */
static bool is_version(uint32_t word)
{
    return (word & 0xFF0000FF) == 0 && word >= 0x10000;
}

static kt_status check_header(const uint32_t *words, size_t count, const char *entry)
{
    if (count > 0 && words[0] == UINT32_C(0x03022307))
        return kt_fail(KT_BUILD_FAILED, "kernel %s: the SPIR-V is of the other byte order", entry);
    if (count < SPIRV_HEADER_WORDS || words[0] != MAGIC || !is_version(words[1]))
        return kt_fail(KT_BUILD_FAILED,
                       "kernel %s: this is not SPIR-V, which compilers like glslc make", entry);
    if (words[3] > IDS_MAX)
        return kt_fail(KT_BUILD_FAILED, "kernel %s: the SPIR-V has %u ids, but %u are the most",
                       entry, words[3], (unsigned)IDS_MAX);
    return KT_OK;
}

static kt_status walk(module *m)
{
    kt_status status = KT_OK;
    for (size_t at = SPIRV_HEADER_WORDS; at < m->count && status == KT_OK;) {
        size_t length = m->words[at] >> 16;
        if (length == 0 || length > m->count - at)
            return kt_fail(KT_BUILD_FAILED, "kernel %s: the SPIR-V breaks off at word %zu of %zu",
                           m->entry, at, m->count);
        status = see(m, at);
        if (m->ids.fault)
            return kt_fail(KT_BUILD_FAILED, "kernel %s: the SPIR-V has %s at word %zu", m->entry,
                           m->ids.fault, at);
        at += length;
    }
    if (status != KT_OK)
        return status;
    if (!m->whole || (m->found && !m->defined))
        return kt_fail(KT_BUILD_FAILED, "kernel %s: the SPIR-V ends too early", m->entry);
    return m->found ? KT_OK : kt_fail(KT_INVALID, "the SPIR-V has no compute shader %s", m->entry);
}

kt_status vulkan_spirv_parse(const uint32_t *words, size_t count, const char *entry,
                             spirv_kernel *out)
{
    *out = (spirv_kernel){0};
    kt_status status = check_header(words, count, entry);
    if (status != KT_OK)
        return status;
    out->version = words[1];
    module m = {.words = words,
                .count = count,
                .entry = entry,
                .ids = {.words = words, .bound = words[3]},
                .kernel = out};
    /* One entry more than the module has ids, so that the array is never empty. */
    m.ids.of = kt_alloc((size_t)m.ids.bound + 1, sizeof *m.ids.of);
    if (!m.ids.of)
        return KT_NO_MEMORY;
    status = walk(&m);
    kt_free(m.ids.of);
    return status;
}
