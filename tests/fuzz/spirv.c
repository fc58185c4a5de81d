/* Words that are given for SPIR-V: what is let through is a module with the shader that was asked
 * for, and what is told of it stands there. */
#include "backends/vulkan/spirv.h"

#include "fuzz.h"

#include <kerntime/status.h>

#define ENTRY     "main"
#define HEADER    5
#define MODEL     5       /* GLCompute */
#define SINCE_1_4 0x10400 /* a shader's interface is all that it uses */

enum { /* opcodes, ... */
       ENTRY_POINT = 15,
       CAPABILITY = 17,
       INT = 21,
       FLOAT = 22,
       VECTOR = 23,
       MATRIX = 24,
       ARRAY = 28,
       RUNTIME_ARRAY = 29,
       STRUCT = 30,
       POINTER = 32,
       CONSTANT = 43,
       SPEC_CONSTANT = 50,
       FUNCTION = 54,
       VARIABLE = 59,
       DECORATE = 71,
       MEMBER_DECORATE = 72
};
enum { /* ... decorations, ... */
       SPEC_ID = 1,
       BUFFER_BLOCK = 3,
       ROW_MAJOR = 4,
       ARRAY_STRIDE = 6,
       MATRIX_STRIDE = 7,
       BINDING = 33,
       SET = 34,
       OFFSET = 35
};
enum { IMAGES = 0, UNIFORM = 2, SHARED = 4, PUSH = 9, STORAGE = 12 }; /* ... and storage classes */

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

/* By the specification's rules for all modules. */
static void check_matrices(const uint32_t *words, size_t count)
{
    for (size_t at = 0; (at = next(words, count, MATRIX, at)) != 0;)
        CHECK(words[at] >> 16 < 4 || (words[at + 3] >= 2 && words[at + 3] <= 4));
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

/* Whether what begins at a word is decorated so before that; *value of the last such decoration. */
static bool decorated(const uint32_t *words, size_t before, uint32_t id, uint32_t what,
                      uint32_t *value)
{
    bool found = false;
    for (size_t at = 0; (at = next(words, before, DECORATE, at)) != 0;) {
        uint32_t length = words[at] >> 16;
        if (length < 3 || words[at + 1] != id || words[at + 2] != what)
            continue;
        if (length > 3)
            *value = words[at + 3];
        found |= length > 3 || what == BUFFER_BLOCK;
    }
    return found;
}

static bool member_decorated(const uint32_t *words, size_t before, uint32_t id, uint32_t member,
                             uint32_t what, uint32_t *value)
{
    bool found = false;
    for (size_t at = 0; (at = next(words, before, MEMBER_DECORATE, at)) != 0;) {
        uint32_t length = words[at] >> 16;
        if (length < 4 || words[at + 1] != id || words[at + 2] != member || words[at + 3] != what)
            continue;
        if (length > 4)
            *value = words[at + 4];
        found |= length > 4 || what == ROW_MAJOR;
    }
    return found;
}

/* Where a type or constant is defined before that word; 0: nowhere. */
static size_t defined(const uint32_t *words, size_t before, uint32_t id)
{
    for (size_t at = HEADER; at < before; at += words[at] >> 16) {
        uint32_t opcode = words[at] & 0xFFFF, length = words[at] >> 16;
        bool constant = opcode == CONSTANT || opcode == SPEC_CONSTANT;
        bool vector = opcode == VECTOR || opcode == MATRIX || opcode == ARRAY || opcode == POINTER;
        bool type = opcode == INT || opcode == FLOAT || opcode == RUNTIME_ARRAY;
        if ((constant && length >= 4 && words[at + 2] == id) ||
            (vector && length >= 4 && words[at + 1] == id) ||
            (type && length >= 3 && words[at + 1] == id) ||
            (opcode == STRUCT && length >= 2 && words[at + 1] == id))
            return at;
    }
    return 0;
}

/* Counted in floating point, which has no largest number to fall over. */
static double length_of(const uint32_t *words, size_t before, uint32_t id)
{
    uint32_t spec = 3;
    size_t at = defined(words, before, id);
    uint32_t opcode = words[at] & 0xFFFF;
    if (!at || (opcode != CONSTANT && opcode != SPEC_CONSTANT))
        return 1;
    for (size_t d = 0; (d = next(words, at, DECORATE, d)) != 0;)
        if (words[d] >> 16 >= 4 && words[d + 1] == id && words[d + 2] == SPEC_ID &&
            words[d + 3] < 3)
            spec = words[d + 3];
    if (spec < 3)
        return 1;
    double value = words[at + 3] + (words[at] >> 16 > 4 ? 4294967296.0 * words[at + 4] : 0);
    return value > 0 ? value : 1;
}

static int budget; /* of types to look at: one may hold another a thousandfold */

static double size_of(const uint32_t *words, size_t before, uint32_t id)
{
    size_t at = defined(words, before, id);
    uint32_t scalar_bytes = at ? words[at + 2] / 8 : 0;
    double bytes = 0;
    if (!at || --budget < 0)
        return 0;
    switch (words[at] & 0xFFFF) {
    case INT:
    case FLOAT: return scalar_bytes;
    case VECTOR:
    case MATRIX: return words[at + 3] * size_of(words, at, words[at + 2]);
    case ARRAY: return length_of(words, at, words[at + 3]) * size_of(words, at, words[at + 2]);
    case STRUCT:
        for (uint32_t i = 2; i < words[at] >> 16; i++)
            bytes += size_of(words, at, words[at + i]);
        return bytes;
    default: return 0;
    }
}

/* Of a type within a structure, with the distance of lines of its matrix. */
static double extent_of(const uint32_t *words, size_t before, uint32_t id, uint32_t stride,
                        bool row_major)
{
    size_t at = defined(words, before, id);
    uint32_t opcode = words[at] & 0xFFFF, step = 0;
    double end = 0;
    if (!at || --budget < 0)
        return 0;
    if (opcode == ARRAY) {
        decorated(words, at, id, ARRAY_STRIDE, &step);
        return (length_of(words, at, words[at + 3]) - 1) * step +
               extent_of(words, at, words[at + 2], stride, row_major);
    }
    if (opcode == MATRIX) {
        size_t column = defined(words, at, words[at + 2]);
        double columns = words[at + 3], rows = 0, scalar = 0;
        if (!column || (words[column] & 0xFFFF) != VECTOR)
            budget = 0; /* no matrix: it is not asked what that may be */
        else
            rows = words[column + 3], scalar = size_of(words, column, words[column + 2]);
        double lines = row_major ? rows : columns;
        return lines > 0 && columns > 0
                   ? (lines - 1) * stride + (row_major ? columns : rows) * scalar
                   : 0;
    }
    if (opcode == VECTOR) {
        size_t part = defined(words, at, words[at + 2]);
        if (part && (words[part] & 0xFFFF) != INT && (words[part] & 0xFFFF) != FLOAT)
            budget = 0;
    }
    for (uint32_t i = 2; opcode == STRUCT && i < words[at] >> 16; i++) {
        uint32_t offset = 0, distance = 0, none;
        if (!member_decorated(words, at, id, i - 2, OFFSET, &offset))
            continue;
        member_decorated(words, at, id, i - 2, MATRIX_STRIDE, &distance);
        double here = offset + extent_of(words, at, words[at + i], distance,
                                         member_decorated(words, at, id, i - 2, ROW_MAJOR, &none));
        end = here > end ? here : end;
    }
    return opcode == STRUCT ? end : size_of(words, before, id);
}

static void expect_bytes(uint64_t reported, double expected)
{
    if (budget > 0 && expected < 4503599627370496.0) /* exact below 2^52 */
        CHECK((double)reported == expected);
}

static bool is_used(const uint32_t *words, size_t count, size_t variable)
{
    size_t entry = find_entry(words, variable);
    uint32_t entries = 0;
    for (size_t at = 0; (at = next(words, variable, ENTRY_POINT, at)) != 0;)
        entries++;
    if (words[1] < SINCE_1_4)
        return entries == 1;
    if (!entry || count == 0)
        return false;
    size_t name_words = sizeof ENTRY / 4 + 1;
    for (size_t i = entry + 3 + name_words; i < entry + (words[entry] >> 16); i++)
        if (words[i] == words[variable + 2])
            return true;
    return false;
}

static void check_variables(const uint32_t *words, size_t count, const spirv_kernel *kernel)
{
    bool push = false;
    uint32_t bindings = 0;
    double push_bytes = 0, shared_bytes = 0;
    budget = 10000;
    for (size_t at = 0; (at = next(words, count, VARIABLE, at)) != 0;) {
        if (words[at] >> 16 < 4 || !is_used(words, count, at))
            continue;
        size_t pointer = defined(words, at, words[at + 1]);
        if (!pointer || (words[pointer] & 0xFFFF) != POINTER)
            continue;
        uint32_t type = words[pointer + 3], class = words[at + 3], value = 0;
        size_t body = defined(words, at, type);
        CHECK(class != IMAGES);
        if (class == UNIFORM || class == STORAGE) {
            CHECK(!decorated(words, at, words[at + 2], SET, &value) || value == 0);
            CHECK((words[body] & 0xFFFF) != ARRAY && (words[body] & 0xFFFF) != RUNTIME_ARRAY);
            CHECK(class == STORAGE || decorated(words, at, type, BUFFER_BLOCK, &value));
            if (decorated(words, at, words[at + 2], BINDING, &value) && value + 1 > bindings)
                bindings = value + 1;
        }
        if (class == PUSH) {
            CHECK((words[body] & 0xFFFF) == STRUCT);
            double bytes = extent_of(words, at, type, 0, false);
            push = true;
            push_bytes = bytes > push_bytes ? bytes : push_bytes;
        }
        if (class == SHARED)
            shared_bytes += size_of(words, at, type);
    }
    CHECK(kernel->takes_push == push);
    CHECK(kernel->binding_count == bindings);
    expect_bytes(kernel->push_bytes, push_bytes);
    expect_bytes(kernel->shared_bytes, shared_bytes);
}

static void check_group_size(const uint32_t *words, size_t count, const spirv_kernel *kernel)
{
    bool any[3] = {false};
    for (size_t at = 0; (at = next(words, count, DECORATE, at)) != 0;)
        if (words[at] >> 16 >= 4 && words[at + 2] == SPEC_ID && words[at + 3] < 3)
            any[words[at + 3]] = true;
    for (int i = 0; i < 3; i++)
        CHECK(kernel->any_size[i] == any[i]);
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
        check_group_size(words, count, &kernel);
        check_matrices(words, count);
        check_variables(words, count, &kernel);
    } else {
        CHECK(status == KT_BUILD_FAILED || status == KT_INVALID || status == KT_UNSUPPORTED);
        fuzz_check_sentence(kt_error_text(), strlen(kt_error_text()) + 1);
    }
    free(words);
    return 0;
}
