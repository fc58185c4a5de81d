/* Words that are given for SPIR-V: what is let through is a module with the shader that was asked for, and what is
 * told of it stands there. */
#include "backends/vulkan/spirv.h"

#include "fuzz.h"

#include <kerntime/status.h>

#define ENTRY       "main"
#define HEADER      5
#define MODEL       5  /* GLCompute */
#define ENTRY_POINT 15 /* opcodes, ... */
#define CAPABILITY  17
#define FUNCTION    54
#define VARIABLE    59
#define DECORATE    71
#define SPEC_ID     1 /* ... decorations, ... */
#define BINDING     33
#define SET         34
#define CONSTANT    0 /* ... and storage classes of the specification */
#define PUSH        9

/* A second look, by asking for all instructions of one kind at a time. */
static size_t find(const uint32_t *words, size_t count, uint32_t opcode, size_t from)
{
    for (size_t at = from; at < count; at += words[at] >> 16) {
        CHECK(words[at] >> 16 > 0 && words[at] >> 16 <= count - at);
        if ((words[at] & 0xFFFF) == opcode)
            return at;
    }
    return 0;
}

static size_t next(const uint32_t *words, size_t count, uint32_t opcode, size_t at)
{
    return find(words, count, opcode, at ? at + (words[at] >> 16) : HEADER);
}

static int has_entry(const uint32_t *words, size_t count)
{
    for (size_t at = 0; (at = next(words, count, ENTRY_POINT, at)) != 0;) {
        const uint32_t *operands = words + at + 1;
        size_t bytes = ((words[at] >> 16) - 1) * sizeof *words;
        if (bytes < 2 * sizeof *words + sizeof ENTRY || operands[0] != MODEL ||
            memcmp(operands + 2, ENTRY, sizeof ENTRY) != 0)
            continue;
        for (size_t body = 0; (body = next(words, count, FUNCTION, body)) != 0;)
            if (words[body] >> 16 >= 3 && words[body + 2] == operands[1])
                return 1;
    }
    return 0;
}

/* Each is of a kind that a device may lack, or of those that all have, or unknown. */
static void check_capabilities(const uint32_t *words, size_t count, const spirv_kernel *kernel)
{
    static const uint32_t had[] = {0, 1, 61, 62, 63, 64, 65, 66, 67, 68};
    static const uint32_t lacked[] = {10, 11, 22, 9, 39, 4433, 4448, 4449, 4435, 4450};
    uint32_t capabilities = 0, unknown = 0;
    for (size_t at = 0; (at = next(words, count, CAPABILITY, at)) != 0;) {
        bool known = words[at] >> 16 < 2;
        for (unsigned i = 0; i < 10 && !known; i++)
            if (words[at + 1] == lacked[i]) {
                capabilities |= 1u << i;
                known = true;
            }
        for (unsigned i = 0; i < 10 && !known; i++)
            known = words[at + 1] == had[i];
        if (!known)
            unknown = words[at + 1];
    }
    CHECK(kernel->capabilities == capabilities);
    CHECK(kernel->unknown == unknown);
}

static void check_decorations(const uint32_t *words, size_t count, const spirv_kernel *kernel)
{
    uint32_t bindings = 0;
    int sizes[3] = {0};
    for (size_t at = 0; (at = next(words, count, DECORATE, at)) != 0;) {
        const uint32_t *operands = words + at + 1;
        if (words[at] >> 16 < 4)
            continue;
        CHECK(operands[1] != SET || operands[2] == 0);
        if (operands[1] == BINDING && operands[2] + 1 > bindings)
            bindings = operands[2] + 1;
        if (operands[1] == SPEC_ID && operands[2] < 3)
            sizes[operands[2]] = 1;
    }
    CHECK(kernel->binding_count == bindings);
    for (int i = 0; i < 3; i++)
        CHECK(kernel->any_size[i] == sizes[i]);
}

static void check_variables(const uint32_t *words, size_t count, const spirv_kernel *kernel)
{
    int push = 0;
    for (size_t at = 0; (at = next(words, count, VARIABLE, at)) != 0;)
        if (words[at] >> 16 >= 4) {
            CHECK(words[at + 3] != CONSTANT);
            push |= words[at + 3] == PUSH;
        }
    CHECK(kernel->takes_push == push);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    size_t count = bytes / sizeof(uint32_t);
    uint32_t *words = calloc(count ? count : 1, sizeof *words);
    CHECK(words);
    if (count)
        memcpy(words, data, count * sizeof *words);
    spirv_kernel kernel;
    kt_status status = vulkan_spirv_parse(words, count, ENTRY, &kernel);
    if (status == KT_OK) {
        CHECK(count > HEADER && words[0] == 0x07230203);
        CHECK(kernel.version == words[1]);
        CHECK(has_entry(words, count));
        check_capabilities(words, count, &kernel);
        check_decorations(words, count, &kernel);
        check_variables(words, count, &kernel);
    } else {
        CHECK(status == KT_BUILD_FAILED || status == KT_INVALID || status == KT_UNSUPPORTED);
        fuzz_check_sentence(kt_error_text(), strlen(kt_error_text()) + 1);
    }
    free(words);
    return 0;
}
