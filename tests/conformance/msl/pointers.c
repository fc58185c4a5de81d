/* SPDX-License-Identifier: MIT */
/* What Metal's compiler asks of a text, and those that take it here do not: each pointer says where
 * to. */
#include "tests/conformance/targets.h"

#include "tests/unit/testing.h"
#include "workloads/loop/loop.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* What stands before a `*`, back to where a declaration or a parameter begins: false if that is a
 * type and no place. */
static bool says_where(const char *text, const char *star)
{
    static const char *const places[] = {"GLOBAL ", "TO_LOCAL ", "TO_OWN ", "threadgroup "};
    static const char *const types[] = {"unsigned", "int",  "long",  "float",  "char", "short",
                                        "uint",     "void", "uchar", "ushort", "ulong"};
    const char *end = star, *begin;
    while (end > text && end[-1] == ' ')
        end--;
    bool is_type = false;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        size_t length = strlen(types[i]);
        const char *word = end - length;
        is_type |= word > text && strncmp(word, types[i], length) == 0 && !is_word(word[-1]);
    }
    for (begin = end; begin > text && !strchr(",(;{}\n", begin[-1]);)
        begin--;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const char *place = strstr(begin, places[i]);
        if (place && place < end)
            return true;
    }
    return !is_type;
}

static bool pointers_say_where(const char *text, complaint *reason)
{
    for (const char *star = strchr(text, '*'); star; star = strchr(star + 1, '*'))
        if (!says_where(text, star))
            return complain(reason, "a pointer to nowhere: %.40s", star);
    return true;
}

void pointers_in_msl_say_where(void **state)
{
    static const char *const wrong[] = {
        "FUNCTION void sum(TO_LOCAL unsigned *sums, unsigned *before)",
        "{ float *at = &x; }",
        "{\n    const int *at;",
        "f((unsigned *)at)",
        "{ const char *at;",
        "f((uint *)at)",
        "f(void *at)"};
    complaint reason;
    for (const workload *const *w = workloads; *w; w++)
        if (!pointers_say_where((*w)->kernels->source, &reason))
            fail_msg("%s: %s", (*w)->name, reason.text);
    assert_true(pointers_say_where(workload_loop.kernels->source, &reason));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(pointers_say_where(wrong[i], &reason));
}
