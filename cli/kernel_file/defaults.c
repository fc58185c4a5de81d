/* SPDX-License-Identifier: MIT */
/* defaults.c - options that a file's own comment gives: "// kerntime: -n 16Mi". */
#include "cli/kernel_file/kernel_file.h"

#include <stdio.h>
#include <string.h>

#define LINES_MAX 50

/* Behind the sign that begins a comment, and spaces; NULL: the line is no comment. */
static const char *skip_sign(const char *at, const char *end)
{
    size_t signs = 0;
    for (; at < end && (*at == ' ' || *at == '\t'); at++)
        ;
    for (; at < end && strchr("/#*;", *at); at++)
        signs++;
    for (; at < end && (*at == ' ' || *at == '\t'); at++)
        ;
    return signs ? at : NULL;
}

/* The words behind "kerntime:" or "kerntime ENTRY:"; NULL: the line has none for this kernel. */
static const char *find_words(const char *at, const char *end, const char *entry)
{
    static const char name[] = "kerntime";
    at = skip_sign(at, end);
    if (!at || (size_t)(end - at) < sizeof name || memcmp(at, name, sizeof name - 1) != 0)
        return NULL;
    at += sizeof name - 1;
    if (*at == ':')
        return at + 1;
    size_t length = strlen(entry);
    if (*at != ' ' || !length || (size_t)(end - at) < length + 2 ||
        memcmp(at + 1, entry, length) != 0 || at[1 + length] != ':')
        return NULL;
    return at + length + 2;
}

/* Cuts white space and the end of a comment. */
static const char *trim_end(const char *from, const char *end)
{
    while (end > from && strchr(" \t\r", end[-1]))
        end--;
    if (end - from >= 2 && end[-2] == '*' && end[-1] == '/')
        end -= 2;
    while (end > from && strchr(" \t\r", end[-1]))
        end--;
    return end;
}

bool kernel_file_defaults(const kernel_file *file, const char *entry, size_t index, char *words,
                          size_t bytes)
{
    bool is_binary = file->language & (KT_LANGUAGE_SPIRV_SHADER | KT_LANGUAGE_SPIRV_KERNEL);
    if (is_binary && !file->is_glsl)
        return false;
    const char *at = file->text, *end = file->text + file->bytes;
    for (unsigned line = 0; line < LINES_MAX && at < end; line++) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        line_end = line_end ? line_end : end;
        const char *found = find_words(at, line_end, entry);
        if (found && index-- == 0) {
            found += strspn(found, " \t");
            found = found < line_end ? found : line_end;
            snprintf(words, bytes, "%.*s", (int)(trim_end(found, line_end) - found), found);
            return true;
        }
        at = line_end + 1;
    }
    return false;
}
