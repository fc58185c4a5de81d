/* SPDX-License-Identifier: MIT */
#include "cli/kernel_file/c_scan.h"

#include <stdio.h>
#include <string.h>

/* ---- finding kernels ---- */

static bool is_marker(const scan *s, const token *t)
{
    switch (s->language) {
    case KT_LANGUAGE_CUDA_C: return token_is(t, "__global__");
    case KT_LANGUAGE_MSL: return token_is(t, "kernel");
    default: return token_among(t, "__kernel kernel");
    }
}

/* The numbers of reqd_work_group_size(X, Y, Z) within an attribute's brackets. */
static void read_group_size(const token *list, size_t at, size_t end, uint32_t size[3])
{
    while (at < end && !token_among(&list[at], "reqd_work_group_size __reqd_work_group_size__"))
        at++;
    if (at + 1 >= end || !token_is(&list[at + 1], "("))
        return;
    size_t close = tokens_close(list, at + 1, end);
    at += 2;
    for (unsigned i = 0; i < 3 && at < close; i++) {
        size_t comma = tokens_comma(list, at, close);
        double value;
        if (!tokens_evaluate(list, at, comma, NULL, NULL, &value) ||
            !(value >= 1 && value <= 65536))
            break;
        size[i] = (uint32_t)value;
        at = comma + 1;
    }
}

size_t c_skip_attribute(const scan *s, size_t at, uint32_t size[3])
{
    const token *t = &s->list[at];
    size_t open = at + 1;
    if (token_is(t, "[")) {
        open = at;
    } else if (at + 1 == s->count || !token_is(t + 1, "(") ||
               !token_among(t, "__attribute__ __attribute __launch_bounds__ alignas __align__ "
                               "__cluster_dims__ __maxnreg__ __declspec")) {
        return at;
    }
    size_t close = tokens_close(s->list, open, s->count);
    if (close == s->count)
        return at;
    if (size && !token_is(t, "["))
        read_group_size(s->list, open, close, size);
    return close + 1;
}

static void put_name(const scan *s, const token *name, kernel *out)
{
    token plain = *name;
    if (s->host_name && s->host_name->length > 2)
        plain = (token){.text = s->host_name->text + 1, .length = s->host_name->length - 2};
    size_t used = s->host_name ? 0 : strlen(s->spaces);
    memcpy(out->name, s->spaces, used);
    token_copy(&plain, out->name + used, sizeof out->name - used);
}

/* Reads what follows a marker: attributes, void, a name and parameters. */
static bool read_kernel(const scan *s, kernel *out)
{
    const token *list = s->list, *name = NULL;
    bool is_void = false, is_instance = false;
    size_t at = s->at + 1;
    *out = (kernel){.templates = s->templates};
    memcpy(out->group_size, s->group_size, sizeof out->group_size);
    if (at + 1 < s->count && token_is(&list[at], "]")) /* [[kernel]] */
        at += 2;
    for (; at < s->count && !token_is(&list[at], "("); at++) {
        size_t behind = c_skip_attribute(s, at, out->group_size);
        if (behind > at) {
            at = behind - 1;
        } else if (list[at].kind == TOKEN_NAME) {
            is_void |= token_is(&list[at], "void");
            name = &list[at];
        } else if (token_is(&list[at], "<") && name) { /* of an instance or a specialisation */
            is_instance = !s->host_name;
            at = tokens_close(list, at, s->count);
        } else if (!token_is(&list[at], "::")) {
            return false;
        }
    }
    if (at >= s->count || !is_void || !name || token_is(name, "void") || is_instance)
        return false;
    out->open = at;
    out->close = tokens_close(list, at, s->count);
    put_name(s, name, out);
    for (at = out->close + 1; at < s->count;) {
        size_t behind = c_skip_attribute(s, at, out->group_size);
        if (behind == at)
            break;
        at = behind;
    }
    if (at < s->count && token_is(&list[at], "{"))
        out->body = (range){list, at, tokens_close(list, at, s->count)};
    else if (at < s->count && !token_is(&list[at], ";"))
        return false;
    return out->close < s->count;
}

/* ---- what stands around them ---- */

size_t c_find_namespace(const token *list, size_t at)
{
    size_t from = at;
    while (from > 0 && (list[from - 1].kind == TOKEN_NAME || token_is(&list[from - 1], "::")) &&
           !token_is(&list[from - 1], "namespace") && at - from < 16)
        from--;
    return from > 0 && token_is(&list[from - 1], "namespace") ? from : SIZE_MAX;
}

static void open_brace(scan *s)
{
    size_t at = s->at, used = strlen(s->spaces);
    if (s->depth < BRACES_MAX)
        s->lengths[s->depth] = used;
    s->depth++;
    if (s->depth > BRACES_MAX)
        return;
    for (size_t from = c_find_namespace(s->list, at); from < at; from++) {
        char name[SIGNATURE_NAME_BYTES];
        token_copy(&s->list[from], name, sizeof name);
        if (s->list[from].kind == TOKEN_NAME && used + strlen(name) + 2 < sizeof s->spaces)
            used += (size_t)snprintf(s->spaces + used, sizeof s->spaces - used, "%s::", name);
    }
}

static void close_brace(scan *s)
{
    if (s->depth > 0 && --s->depth < BRACES_MAX)
        s->spaces[s->lengths[s->depth]] = '\0';
}

/* "typedef TYPE NAME;" and "using NAME = TYPE;" of types without brackets. */
static void read_alias(scan *s)
{
    size_t from = s->at + 1, to = from;
    while (to < s->count && !token_among(&s->list[to], "; { } ( [ *"))
        to++;
    if (to >= s->count || !token_is(&s->list[to], ";") || s->alias_count == ALIASES_MAX)
        return;
    alias made = {&s->list[to - 1], {s->list, from, to - 1}};
    if (token_is(&s->list[s->at], "using")) {
        if (to < from + 3 || !token_is(&s->list[from + 1], "="))
            return;
        made = (alias){&s->list[from], {s->list, from + 2, to}};
    }
    if (made.name->kind == TOKEN_NAME && made.type.from < made.type.to)
        s->aliases[s->alias_count++] = made;
}

static void add_struct(scan *s, const token *name, range members)
{
    if (s->struct_count < STRUCTS_MAX && name->kind == TOKEN_NAME)
        s->structs[s->struct_count++] = (structure){name, members};
}

/* "struct NAME { ... }" and "typedef struct { ... } NAME;". */
static void read_struct(scan *s)
{
    size_t open = s->at + 1;
    open += s->list[open].kind == TOKEN_NAME;
    if (open >= s->count || !token_is(&s->list[open], "{"))
        return;
    size_t close = tokens_close(s->list, open, s->count);
    if (close == s->count)
        return;
    range members = {s->list, open + 1, close};
    add_struct(s, &s->list[open - 1], members);
    if (s->at > 0 && token_is(&s->list[s->at - 1], "typedef") && close + 2 < s->count &&
        token_is(&s->list[close + 2], ";"))
        add_struct(s, &s->list[close + 1], members);
}

/* Ends a declaration: what was said in front of it is over. */
static void end_declaration(scan *s)
{
    s->templates = (range){0};
    s->host_name = NULL;
    memset(s->group_size, 0, sizeof s->group_size);
}

/* Sees the token at `at`, which begins no kernel, and goes behind it. */
static void see(scan *s)
{
    const token *t = &s->list[s->at];
    if (token_is(t, "{")) {
        open_brace(s);
        end_declaration(s);
    } else if (token_is(t, "}")) {
        close_brace(s);
        end_declaration(s);
    } else if (token_is(t, ";")) {
        end_declaration(s);
    } else if (token_is(t, "template") && token_is(t + 1, "<")) {
        size_t close = tokens_close(s->list, s->at + 1, s->count);
        if (close < s->count) {
            s->templates = (range){s->list, s->at + 2, close};
            s->at = close;
        }
    } else if (token_among(t, "typedef using")) {
        read_alias(s);
    } else if (token_is(t, "struct")) {
        read_struct(s);
    } else if (token_is(t, "host_name") && s->at + 2 < s->count && t[2].kind == TOKEN_STRING) {
        s->host_name = t + 2;
    } else if (token_is(t, "__attribute__")) {
        size_t behind = c_skip_attribute(s, s->at, s->group_size);
        s->at = behind > s->at ? behind - 1 : s->at;
    }
    s->at++;
}

bool c_scan_next(scan *s, kernel *out)
{
    while (s->at < s->count) {
        if (is_marker(s, &s->list[s->at]) && read_kernel(s, out)) {
            s->at = out->close + 1;
            if (!out->body.list)
                end_declaration(s);
            return true;
        }
        see(s);
    }
    return false;
}

void c_scan_begin(scan *s, const tokens *words, kt_language language)
{
    memset(s, 0, sizeof *s);
    s->list = words->list;
    s->count = words->count;
    s->language = language;
}
