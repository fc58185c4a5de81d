/* SPDX-License-Identifier: MIT */
/* As much of WGSL as tells whether what is given to a kernel fits it. */
#include "stub.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

void view_copy(WGPUStringView view, char *to, size_t bytes)
{
    size_t length = !view.data ? 0 : view.length == WGPU_STRLEN ? strlen(view.data) : view.length;
    length = length < bytes ? length : bytes - 1;
    if (view.data)
        memcpy(to, view.data, length);
    to[length] = '\0';
}

char *wgsl_strip(const char *text, size_t bytes)
{
    char *out = calloc(1, bytes + 1);
    if (!out)
        abort();
    for (size_t i = 0, at = 0; i < bytes; i++) {
        if (text[i] == '/' && i + 1 < bytes && text[i + 1] == '/') {
            while (i < bytes && text[i] != '\n')
                i++;
            out[at++] = '\n';
        } else if (text[i] == '/' && i + 1 < bytes && text[i + 1] == '*') {
            for (i += 2; i + 1 < bytes && !(text[i] == '*' && text[i + 1] == '/');)
                i++;
            i++;
            out[at++] = ' ';
        } else {
            out[at++] = text[i];
        }
    }
    return out;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The word, not a part of another one, from `from` up to `end`. */
static const char *find_word(const char *from, const char *end, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = from; (at = strstr(at, word)) != NULL && at + length <= end; at++)
        if ((at == from || !is_word(at[-1])) && !is_word(at[length]))
            return at;
    return NULL;
}

static const char *find_in(const char *text, const char *word)
{
    return find_word(text, text + strlen(text), word);
}

static const char *skip_space(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

static bool is_name_at(const char *at, const char *name)
{
    size_t length = strlen(name);
    at = skip_space(at);
    return strncmp(at, name, length) == 0 && !is_word(at[length]);
}

const char *wgsl_wrong(const char *text)
{
    int depth = 0;
    for (const char *at = text; *at; at++) {
        depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
        if (depth < 0)
            return "error: unexpected token '}'";
    }
    if (depth != 0)
        return "error: expected '}'";
    if (!find_in(text, "fn"))
        return "error: there is no function";
    return NULL;
}

/* "fn NAME", NULL: none; the next one after `from`. */
static const char *find_function(const char *from)
{
    return find_in(from, "fn");
}

static const char *find_entry(const char *text, const char *entry)
{
    for (const char *at = text; (at = find_function(at)) != NULL; at += 2)
        if (is_name_at(at + 2, entry))
            return at;
    return NULL;
}

/* Where the attributes of the function at `at` begin: after what ended before. */
static const char *attributes_of(const char *text, const char *at)
{
    while (at > text && at[-1] != '}' && at[-1] != ';')
        at--;
    return at;
}

static bool is_entry(const char *text, const char *at)
{
    return find_word(attributes_of(text, at), at, "compute") != NULL;
}

bool wgsl_has_entry(const char *text, const char *entry)
{
    const char *at = find_entry(text, entry);
    return at && is_entry(text, at);
}

bool wgsl_has_override(const char *text, const char *name)
{
    for (const char *at = text; (at = find_in(at, "override")) != NULL; at++)
        if (is_name_at(at + strlen("override"), name))
            return true;
    return false;
}

/* The end of the body of the function at `at`. */
static const char *end_of(const char *at)
{
    int depth = 0;
    for (at = strchr(at, '{'); at && *at; at++) {
        depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
        if (depth == 0)
            return at;
    }
    return at ? at : "";
}

static void name_at(const char *at, char name[NAME_MAX_BYTES])
{
    at = skip_space(at);
    memset(name, 0, NAME_MAX_BYTES);
    for (size_t i = 0; i + 1 < NAME_MAX_BYTES && is_word(at[i]); i++)
        name[i] = at[i];
}

/* In the function at `function`, or in one that it calls; WGSL knows no recursion. */
static bool is_used(const char *text, const char *function, const char *name, int depth)
{
    char called[NAME_MAX_BYTES];
    if (find_word(strchr(function, '('), end_of(function), name))
        return true;
    for (const char *at = text; depth > 0 && (at = find_function(at)) != NULL; at += 2) {
        name_at(at + 2, called);
        if (at != function && find_word(strchr(function, '('), end_of(function), called) &&
            is_used(text, at, name, depth - 1))
            return true;
    }
    return false;
}

static enum binding kind_of(const char *type, const char *end)
{
    if (find_word(type, end, "uniform"))
        return BINDING_UNIFORM;
    if (!find_word(type, end, "storage"))
        return BINDING_NONE;
    return find_word(type, end, "read_write") ? BINDING_WRITE : BINDING_READ;
}

const char *wgsl_bindings(const char *text, const char *entry, enum binding bindings[BINDINGS_MAX])
{
    memset(bindings, 0, BINDINGS_MAX * sizeof *bindings);
    for (const char *at = text; (at = strstr(at, "@binding")) != NULL; at++) {
        const char *number = strchr(at, '('), *type = strstr(at, "var<");
        const char *end = type ? strchr(type, '>') : NULL;
        char name[NAME_MAX_BYTES];
        if (!number || !end)
            return "a binding without a variable";
        unsigned long binding = strtoul(number + 1, NULL, 10);
        name_at(end + 1, name);
        if (!is_used(text, find_entry(text, entry), name, 8))
            continue;
        if (binding >= BINDINGS_MAX || bindings[binding] != BINDING_NONE)
            return "a binding twice, or too many";
        bindings[binding] = kind_of(type, end);
    }
    return NULL;
}

void wgsl_group_size(const char *text, const char *entry, int which, char word[NAME_MAX_BYTES])
{
    const char *function = find_entry(text, entry);
    const char *at =
        function ? find_word(attributes_of(text, function), function, "workgroup_size") : NULL;
    word[0] = '\0';
    at = at ? strchr(at, '(') : NULL;
    for (int i = 0; at && i < which; i++) {
        at += strcspn(at + 1, ",)") + 1;
        if (*at == ')')
            return;
    }
    if (!at)
        return;
    at = skip_space(at + 1);
    for (size_t i = 0; i + 1 < NAME_MAX_BYTES && is_word(at[i]); i++) {
        word[i] = at[i];
        word[i + 1] = '\0';
    }
}
