/* SPDX-License-Identifier: MIT */
/* Expressions of `run`: "ceil(n/256)", in whole numbers and in doubles. */
#include "cli/run/expression.h"
#include "fuzz.h"

#include <math.h>

/* Every name of up to three letters has a value, of all sizes; others have none, some with a
 * sentence. */
static bool look_up(const void *names, const char *name, size_t length, int64_t *value,
                    char reason[EXPRESSION_REASON_BYTES])
{
    CHECK(!names && length && *name);
    *value = (int64_t)((uint64_t)(unsigned char)*name << (20 * (length % 3)));
    if (length > 3 && *name == 's')
        snprintf(reason, EXPRESSION_REASON_BYTES, "a sentence");
    return length <= 3;
}

static void check_whole(const char *text)
{
    char reason[EXPRESSION_REASON_BYTES];
    int64_t value, again;
    fuzz_fill(&value, sizeof value);
    fuzz_fill(reason, sizeof reason);
    if (expression_evaluate(text, look_up, NULL, &value, reason) != 0) {
        fuzz_check_untouched(&value, sizeof value);
        fuzz_check_sentence(reason, sizeof reason);
        return;
    }
    /* The same twice over, in parentheses: unless they are nested too deep. */
    size_t bytes = 2 * strlen(text) + 16;
    char *twice = malloc(bytes);
    CHECK(twice);
    snprintf(twice, bytes, "min((%s),(%s))", text, text);
    if (expression_evaluate(twice, look_up, NULL, &again, reason) == 0)
        CHECK(again == value);
    else
        CHECK(strstr(reason, "nested"));
    free(twice);
}

static void check_real(const char *text)
{
    char reason[EXPRESSION_REASON_BYTES];
    double value;
    fuzz_fill(&value, sizeof value);
    fuzz_fill(reason, sizeof reason);
    if (expression_evaluate_number(text, look_up, NULL, &value, reason) == 0) {
        CHECK(isfinite(value));
        return;
    }
    fuzz_check_untouched(&value, sizeof value);
    fuzz_check_sentence(reason, sizeof reason);
}

static void check_parts(const char *text)
{
    char reason[EXPRESSION_REASON_BYTES];
    const char *end = text;
    int64_t value;
    while (expression_evaluate_part(end, look_up, NULL, &value, &end, reason) == 0) {
        CHECK(end >= text && (*end == ',' || !*end));
        if (!*end++)
            break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes);
    check_whole(text);
    check_real(text);
    check_parts(text);
    free(text);
    return 0;
}
