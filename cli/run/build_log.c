/* SPDX-License-Identifier: MIT */
#include "cli/run/build_log.h"

#include <stdio.h>
#include <string.h>

/* Copies the word between `before` and `after` behind it. */
static bool find_quoted(const char *log, const char *before, char after,
                        char word[BUILD_LOG_WORD_BYTES])
{
    const char *begin = strstr(log, before);
    const char *end = begin ? strchr(begin + strlen(before), after) : NULL;
    if (!end)
        return false;
    begin += strlen(before);
    if (end == begin || end - begin >= BUILD_LOG_WORD_BYTES)
        return false;
    snprintf(word, BUILD_LOG_WORD_BYTES, "%.*s", (int)(end - begin), begin);
    return true;
}

bool build_log_undefined(const char *log, char word[BUILD_LOG_WORD_BYTES])
{
    static const char *const phrases[] = {
        "use of undeclared identifier '", /* clang, and drivers that are made of it */
        "identifier \"",                  /* NVRTC */
        "unresolved value '",             /* Dawn */
        "unknown type name '",
    };
    for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++)
        if (find_quoted(log, phrases[i], i == 1 ? '"' : '\'', word))
            return true;
    const char *end = strstr(log, "' : undeclared identifier"); /* glslang */
    const char *begin = end;
    while (begin && begin > log && begin[-1] != '\'')
        begin--;
    if (!begin || end - begin >= BUILD_LOG_WORD_BYTES || end == begin)
        return false;
    snprintf(word, BUILD_LOG_WORD_BYTES, "%.*s", (int)(end - begin), begin);
    return true;
}
