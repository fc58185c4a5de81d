/* SPDX-License-Identifier: MIT */
/* What -a says of an argument, and the bytes that it makes for elements of each type. */
#include "cli/run/specification.h"
#include "fuzz.h"

#include <math.h>

#define COUNT 17

static const element_type types[] = {
    {SCALAR_FLOAT, 2, 1, 2},     {SCALAR_FLOAT, 4, 3, 16}, {SCALAR_FLOAT, 8, 1, 8},
    {SCALAR_SIGNED, 1, 4, 4},    {SCALAR_SIGNED, 8, 1, 8}, {SCALAR_UNSIGNED, 4, 1, 4},
    {SCALAR_UNSIGNED, 8, 2, 16}, {SCALAR_BOOL, 1, 1, 1},   {SCALAR_UNKNOWN, 0, 0, 12},
    {SCALAR_UNKNOWN, 0, 0, 0},
};

static bool look_up(const void *names, const char *name, size_t length, int64_t *value,
                    char reason[EXPRESSION_REASON_BYTES])
{
    (void)reason;
    CHECK(!names);
    *value = *name == 'n' ? 1000 : -5;
    return length == 1;
}

static void check_fill(const specification *spec, const element_type *type)
{
    char reason[SPECIFICATION_REASON_BYTES];
    size_t bytes = COUNT * (size_t)(type->stride ? type->stride : 1);
    char *data = malloc(bytes), *again = malloc(bytes);
    CHECK(data && again);
    fuzz_fill(reason, sizeof reason);
    memset(data, 1, bytes);
    memset(again, 2, bytes);
    if (specification_fill(spec, type, 3, data, COUNT, reason) != 0) {
        fuzz_check_sentence(reason, sizeof reason);
    } else {
        CHECK(specification_fill(spec, type, 3, again, COUNT, reason) == 0);
        CHECK(memcmp(data, again, bytes) == 0); /* all is written, and is the same each time */
    }
    free(data);
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes);
    char reason[SPECIFICATION_REASON_BYTES], name[SIGNATURE_NAME_BYTES];
    specification spec;
    fuzz_fill(reason, sizeof reason);
    const char *content = specification_split(text, name, reason);
    if (!content)
        fuzz_check_sentence(reason, sizeof reason);
    fuzz_fill(&spec, sizeof spec);
    fuzz_fill(reason, sizeof reason);
    if (specification_read(content ? content : text, look_up, NULL, &spec, reason) != 0) {
        fuzz_check_untouched(&spec, sizeof spec);
        fuzz_check_sentence(reason, sizeof reason);
    } else if (spec.kind != SPECIFICATION_NPY && spec.kind != SPECIFICATION_BIN) {
        CHECK(spec.count >= 0 && spec.number_count <= SPECIFICATION_NUMBERS_MAX);
        for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
            check_fill(&spec, &types[i]);
    }
    free(text);
    return 0;
}
