/* Numbers are of the SPIR-V specification: a header of five words, then instructions, the first word of each with
 * its length above its opcode. */
#include "spirv.h"

#include "../../error.h"

#include <string.h>

#define MAGIC        UINT32_C(0x07230203)
#define HEADER_WORDS 5

enum opcode {
    OP_ENTRY_POINT = 15,
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
    OP_FUNCTION = 54,
    OP_FUNCTION_END = 56,
    OP_VARIABLE = 59,
    OP_DECORATE = 71
};

enum {
    MODEL_GLCOMPUTE = 5,
    MODE_LOCAL_SIZE = 17,
    CLASS_UNIFORM_CONSTANT = 0,
    CLASS_PUSH_CONSTANT = 9,
    DECORATION_SPEC_ID = 1,
    DECORATION_BINDING = 33,
    DECORATION_SET = 34
};

#define BINDINGS_MAX 1024 /* more than any device binds at once */

typedef struct module {
    const uint32_t *words;
    size_t count;
    const char *entry;
    uint32_t entry_id;
    bool found;
    bool defined; /* the entry's function is there, too */
    bool whole;   /* the latest function has ended */
    spirv_kernel *kernel;
} module;

static uint32_t capability_bit(uint32_t capability)
{
    switch (capability) {
    case 9: return SPIRV_FLOAT16;
    case 10: return SPIRV_FLOAT64;
    case 11: return SPIRV_INT64;
    case 22: return SPIRV_INT16;
    case 39: return SPIRV_INT8;
    case 4433: return SPIRV_STORAGE16;
    case 4435: return SPIRV_PUSH16;
    case 4448: return SPIRV_STORAGE8;
    case 4449: return SPIRV_UNIFORM8;
    case 4450: return SPIRV_PUSH8;
    default: return 0;
    }
}

static void see_capability(spirv_kernel *kernel, uint32_t capability)
{
    kernel->capabilities |= capability_bit(capability);
    /* Matrix and Shader; and those of subgroups, which are no features of a device. */
    bool usual = capability <= 1 || (capability >= 61 && capability <= 68);
    if (!usual && capability_bit(capability) == 0)
        kernel->unknown = capability;
}

/* Whether a literal string, four characters a word from the lowest byte up, is this text. */
static bool is_text(const uint32_t *words, size_t count, const char *text)
{
    for (size_t i = 0; i < 4 * count; i++) {
        char character = (char)(words[i / 4] >> (8 * (i % 4)) & 0xFF);
        if (character != text[i])
            return false;
        if (character == '\0')
            return true;
    }
    return false;
}

static void see_entry(module *m, const uint32_t *operands, size_t count)
{
    if (m->found || count < 3 || operands[0] != MODEL_GLCOMPUTE ||
        !is_text(operands + 2, count - 2, m->entry))
        return;
    m->entry_id = operands[1];
    m->found = true;
}

static kt_status see_decoration(module *m, const uint32_t *operands)
{
    spirv_kernel *kernel = m->kernel;
    uint32_t value = operands[2];
    if (operands[1] == DECORATION_SPEC_ID && value < 3)
        kernel->any_size[value] = true;
    if (operands[1] == DECORATION_SET && value != 0)
        return kt_fail(KT_UNSUPPORTED,
                       "kernel %s uses descriptor set %u, but memories are in set 0 alone",
                       m->entry, value);
    if (operands[1] == DECORATION_BINDING && value >= BINDINGS_MAX)
        return kt_fail(KT_UNSUPPORTED, "kernel %s uses binding %u", m->entry, value);
    if (operands[1] == DECORATION_BINDING && value >= kernel->binding_count)
        kernel->binding_count = value + 1;
    return KT_OK;
}

static kt_status see_variable(module *m, uint32_t storage_class)
{
    if (storage_class == CLASS_UNIFORM_CONSTANT)
        return kt_fail(KT_UNSUPPORTED,
                       "kernel %s uses images or samplers, but memories are storage buffers",
                       m->entry);
    m->kernel->takes_push |= storage_class == CLASS_PUSH_CONSTANT;
    return KT_OK;
}

static kt_status see(module *m, uint32_t opcode, const uint32_t *operands, size_t count)
{
    switch (opcode) {
    case OP_CAPABILITY:
        if (count >= 1)
            see_capability(m->kernel, operands[0]);
        break;
    case OP_ENTRY_POINT: see_entry(m, operands, count); break;
    case OP_EXECUTION_MODE: /* these come after all entry points */
        if (count >= 5 && m->found && operands[0] == m->entry_id && operands[1] == MODE_LOCAL_SIZE)
            memcpy(m->kernel->group_size, operands + 2, sizeof m->kernel->group_size);
        break;
    case OP_FUNCTION:
        m->whole = false;
        m->defined |= m->found && count >= 2 && operands[1] == m->entry_id;
        break;
    case OP_FUNCTION_END: m->whole = true; break;
    case OP_DECORATE: return count >= 3 ? see_decoration(m, operands) : KT_OK;
    case OP_VARIABLE: return count >= 3 ? see_variable(m, operands[2]) : KT_OK;
    default: break;
    }
    return KT_OK;
}

static kt_status check_header(const uint32_t *words, size_t count, const char *entry)
{
    if (count > 0 && words[0] == UINT32_C(0x03022307))
        return kt_fail(KT_BUILD_FAILED, "kernel %s: the SPIR-V is of the other byte order", entry);
    if (count < HEADER_WORDS || words[0] != MAGIC)
        return kt_fail(KT_BUILD_FAILED, "kernel %s: this is not SPIR-V", entry);
    return KT_OK;
}

kt_status vulkan_spirv_parse(const uint32_t *words, size_t count, const char *entry,
                             spirv_kernel *out)
{
    *out = (spirv_kernel){0};
    module m = {.words = words, .count = count, .entry = entry, .kernel = out};
    kt_status status = check_header(words, count, entry);
    if (status == KT_OK)
        out->version = words[1];
    for (size_t at = HEADER_WORDS; at < count && status == KT_OK;) {
        size_t length = words[at] >> 16;
        if (length == 0 || length > count - at)
            return kt_fail(KT_BUILD_FAILED, "kernel %s: the SPIR-V breaks off at word %zu of %zu",
                           entry, at, count);
        status = see(&m, words[at] & 0xFFFF, words + at + 1, length - 1);
        at += length;
    }
    if (status != KT_OK)
        return status;
    if (!m.whole || (m.found && !m.defined))
        return kt_fail(KT_BUILD_FAILED, "kernel %s: the SPIR-V ends too early", entry);
    return m.found ? KT_OK : kt_fail(KT_INVALID, "the SPIR-V has no compute shader %s", entry);
}
