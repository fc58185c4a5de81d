/* SPDX-License-Identifier: MIT */
/* Words that are given for SPIR-V: what is let through is a module with the shader that was asked
 * for, and what is told of it stands there. */
#include "backends/vulkan/spirv.h"

#include "fuzz.h"

#include <kerntime/status.h>

#define ENTRY     "main"
#define HEADER    5
#define MODEL     5       /* GLCompute */
#define SINCE_1_4 0x10400 /* a shader's interface is all that it uses */

enum { ENTRY_POINT = 15, CAPABILITY = 17, FUNCTION = 54, VARIABLE = 59, DECORATE = 71 };
enum { SPEC_ID = 1, BINDING = 33, SET = 34 };             /* decorations */
enum { IMAGES = 0, UNIFORM = 2, PUSH = 9, STORAGE = 12 }; /* storage classes */

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

/* The entry point of that name, as the word that it begins at. */
static size_t find_entry(const uint32_t *words, size_t count)
{
    for (size_t at = 0; (at = next(words, count, ENTRY_POINT, at)) != 0;) {
        size_t bytes = ((words[at] >> 16) - 1) * sizeof *words;
        if (bytes >= 2 * sizeof *words + sizeof ENTRY && words[at + 1] == MODEL &&
            memcmp(words + at + 3, ENTRY, sizeof ENTRY) == 0)
            return at;
    }
    return 0;
}

static int has_entry(const uint32_t *words, size_t count)
{
    size_t entry = find_entry(words, count);
    for (size_t body = 0; entry && (body = next(words, count, FUNCTION, body)) != 0;)
        if (words[body] >> 16 >= 3 && words[body + 2] == words[entry + 2])
            return 1;
    return 0;
}

/* Each is of a kind that a device may lack, or of those that all have, or unknown. */
static void check_capabilities(const uint32_t *words, size_t count, const spirv_kernel *kernel)
{
    static const uint32_t lacked[] = {10,   11,   22,   9,  39,   4433, 4448, 4449,
                                      4435, 4450, 4434, 12, 4441, 4442, 5345, 5346,
                                      61,   62,   63,   64, 65,   66,   67,   68};
    uint32_t capabilities = 0, unknown = 0;
    for (size_t at = 0; (at = next(words, count, CAPABILITY, at)) != 0;) {
        bool known = words[at] >> 16 < 2;
        for (unsigned i = 0; i < sizeof lacked / sizeof lacked[0] && !known; i++)
            if (words[at + 1] == lacked[i]) {
                capabilities |= 1u << i;
                known = true;
            }
        if (!known && words[at + 1] > 1)
            unknown = words[at + 1];
    }
    CHECK(kernel->capabilities == capabilities);
    CHECK(kernel->unknown == unknown);
}

/* Value of the last such decoration; 0: none. */
static uint32_t decorated(const uint32_t *words, size_t count, uint32_t id, uint32_t what)
{
    uint32_t value = 0;
    for (size_t at = 0; (at = next(words, count, DECORATE, at)) != 0;)
        if (words[at] >> 16 > 3 && words[at + 1] == id && words[at + 2] == what)
            value = words[at + 3];
    return value;
}

static bool is_used(const uint32_t *words, size_t count, size_t variable)
{
    size_t entry = find_entry(words, count);
    uint32_t entries = 0;
    for (size_t at = 0; (at = next(words, count, ENTRY_POINT, at)) != 0;)
        entries++;
    if (words[1] < SINCE_1_4)
        return entries == 1;
    size_t name_words = sizeof ENTRY / 4 + 1;
    for (size_t i = entry + 3 + name_words; i < entry + (words[entry] >> 16); i++)
        if (words[i] == words[variable + 2])
            return true;
    return false;
}

static void check_variables(const uint32_t *words, size_t count, const spirv_kernel *kernel)
{
    bool push = false;
    uint32_t buffers = 0;
    for (size_t at = 0; (at = next(words, count, VARIABLE, at)) != 0;) {
        if (words[at] >> 16 < 4 || !is_used(words, count, at))
            continue;
        uint32_t class = words[at + 3], id = words[at + 2];
        CHECK(class != IMAGES);
        push |= class == PUSH;
        if (class != UNIFORM && class != STORAGE)
            continue;
        CHECK(buffers < kernel->buffer_count);
        const spirv_buffer *buffer = &kernel->buffers[buffers++];
        CHECK(buffer->set == decorated(words, count, id, SET));
        CHECK(buffer->binding == decorated(words, count, id, BINDING) && buffer->binding < 1024);
        CHECK(class == UNIFORM || !buffer->is_uniform);
    }
    CHECK(kernel->takes_push == push);
    CHECK(kernel->buffer_count == buffers);
}

/* A constant of the group's size is one of the module, and no dimension is fixed and open. */
static void check_group_size(const uint32_t *words, size_t count, const spirv_kernel *kernel)
{
    for (int i = 0; i < 3; i++) {
        bool is_there = kernel->size_ids[i] == SPIRV_NO_ID;
        for (size_t at = 0; !is_there && (at = next(words, count, DECORATE, at)) != 0;)
            is_there = words[at] >> 16 >= 4 && words[at + 2] == SPEC_ID &&
                       words[at + 3] == kernel->size_ids[i];
        CHECK(is_there);
        if (kernel->size_ids[i] != SPIRV_NO_ID)
            CHECK(kt_vulkan_spirv_constant_bytes(words, count, kernel->size_ids[i]) <=
                  UINT32_MAX / 8);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    size_t count = bytes / sizeof(uint32_t);
    uint32_t *words = calloc(count ? count : 1, sizeof *words);
    CHECK(words);
    if (count)
        memcpy(words, data, count * sizeof *words);
    spirv_kernel kernel;
    kt_status status = kt_vulkan_spirv_parse(words, count, ENTRY, &kernel);
    if (status == KT_OK) {
        CHECK(count > HEADER && words[0] == 0x07230203);
        CHECK(kernel.version == words[1]);
        CHECK(has_entry(words, count));
        check_capabilities(words, count, &kernel);
        check_group_size(words, count, &kernel);
        check_variables(words, count, &kernel);
    } else {
        CHECK(status == KT_BUILD_FAILED || status == KT_INVALID || status == KT_UNSUPPORTED);
        fuzz_check_sentence(kt_error_text(), strlen(kt_error_text()) + 1);
    }
    free(words);
    return 0;
}
