/* SPDX-License-Identifier: MIT */
/* c_kernel.c - kernels of OpenCL C, CUDA C and MSL, as their text declares them. */
#include "cli/kernel_file/c_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRUCT_DEPTH  8 /* of structures within structures */
#define TEMPLATES_MAX 16
#define TYPE_MAX      64 /* tokens of a parameter */

static bool read_words(const kernel_file *file, bool all, tokens *out)
{
    return tokens_read_defined(file->text, file->bytes, all ? TOKENS_C_ALL : TOKENS_C,
                               file->defines, file->define_count, out);
}

static int c_entries(const kernel_file *file, kernel_entries *out, char *reason)
{
    scan *s = malloc(sizeof *s);
    int failed = 0;
    out->count = 0;
    if (!s)
        return reader_no_memory(reason, file);
    /* Kernels that #if leaves out come last: a -D may bring them back. */
    for (unsigned all = 0; all < 2 && !failed; all++) {
        tokens words;
        kernel found;
        if (!read_words(file, all > 0, &words))
            failed = reader_no_memory(reason, file);
        c_scan_begin(s, &words, file->language);
        while (!failed && c_scan_next(s, &found))
            entries_add(out, found.name);
        tokens_free(&words);
    }
    free(s);
    return failed;
}

/* ---- template arguments ---- */

/* "axpy<float,4>" in parts. */
typedef struct entry_words {
    char name[SIGNATURE_NAME_BYTES];
    range arguments;
} entry_words;

static void split_entry(const tokens *words, entry_words *out)
{
    size_t used = 0, at = 0;
    *out = (entry_words){{0}, {0}};
    for (; at < words->count && !token_is(&words->list[at], "<"); at++) {
        char part[SIGNATURE_NAME_BYTES];
        token_copy(&words->list[at], part, sizeof part);
        if (used + strlen(part) < sizeof out->name)
            used += (size_t)snprintf(out->name + used, sizeof out->name - used, "%s", part);
    }
    if (at < words->count)
        out->arguments = (range){words->list, at + 1, tokens_close(words->list, at, words->count)};
}

/* Template parameters, and the arguments that stand for them. */
typedef struct substitution {
    const token *names[TEMPLATES_MAX];
    range values[TEMPLATES_MAX];
    size_t count;
} substitution;

/* "T,N" of "typename T, int N = 4". */
static void join_names(range templates, char *text, size_t bytes)
{
    size_t used = 0;
    for (size_t from = templates.from; from < templates.to && used < bytes;) {
        size_t comma = tokens_comma(templates.list, from, templates.to), equals = from;
        while (equals < comma && !token_is(&templates.list[equals], "="))
            equals++;
        char name[SIGNATURE_NAME_BYTES] = "";
        if (equals > from)
            token_copy(&templates.list[equals - 1], name, sizeof name);
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", used ? "," : "", name);
        from = comma + 1;
    }
}

/* Returns the name of a parameter without an argument, or NULL. */
static const token *substitute(range templates, range arguments, substitution *out)
{
    out->count = 0;
    size_t at = arguments.from;
    for (size_t from = templates.from; from < templates.to && out->count < TEMPLATES_MAX;) {
        size_t comma = tokens_comma(templates.list, from, templates.to), equals = from;
        while (equals < comma && !token_is(&templates.list[equals], "="))
            equals++;
        if (equals == from)
            break;
        const token *name = &templates.list[equals - 1];
        range value = {0};
        if (arguments.list && at < arguments.to) {
            size_t end = tokens_comma(arguments.list, at, arguments.to);
            value = (range){arguments.list, at, end};
            at = end + 1;
        } else if (equals < comma) {
            value = (range){templates.list, equals + 1, comma};
        } else {
            return name;
        }
        out->names[out->count] = name;
        out->values[out->count++] = value;
        from = comma + 1;
    }
    return NULL;
}

/* ---- parameters ---- */

typedef struct declared {
    token type[TYPE_MAX];
    size_t count;
    const token *name;
    unsigned pointers, references;
    bool is_const, is_local, is_constant, is_device, is_position, is_opaque, is_function;
    bool has_buffer;
    uint32_t buffer;
    position_kind position; /* if is_position */
} declared;

static bool begins(const token *t, const char *text)
{
    return t->length >= strlen(text) && memcmp(t->text, text, strlen(text)) == 0;
}

/* One of MSL's attributes: [[buffer(0)]], [[thread_position_in_grid]]. */
static void see_attribute(const scan *s, size_t at, size_t end, declared *d)
{
    const token *t = &s->list[at];
    double value;
    if (token_is(t, "buffer") && at + 2 < end && token_is(t + 1, "(")) {
        size_t close = tokens_close(s->list, at + 1, end);
        d->has_buffer = tokens_evaluate(s->list, at + 2, close, NULL, NULL, &value) && value >= 0 &&
                        value < SIGNATURE_PARAMETERS_MAX;
        if (d->has_buffer)
            d->buffer = (uint32_t)value;
    } else if (token_among(t, "texture sampler")) {
        d->is_opaque = true;
    } else if (!token_is(t, "threadgroup") &&
               (begins(t, "thread") || begins(t, "simd") || begins(t, "quad") ||
                begins(t, "dispatch_") || begins(t, "grid_") || token_is(t, "stage_in"))) {
        d->is_position = true;
        d->position = token_among(t, "thread_position_in_grid threads_per_grid") ? POSITION_GLOBAL
                      : begins(t, "threadgroup_position") || begins(t, "threadgroups")
                          ? POSITION_GROUP
                          : POSITION_LOCAL;
    }
}

static void add_type(declared *d, const substitution *arguments, const token *t)
{
    for (size_t i = 0; i < arguments->count; i++)
        if (token_equal(arguments->names[i], t)) {
            range value = arguments->values[i];
            for (size_t k = value.from; k < value.to && d->count < TYPE_MAX; k++)
                if (!token_is(&value.list[k], "const"))
                    d->type[d->count++] = value.list[k];
            return;
        }
    if (d->count < TYPE_MAX)
        d->type[d->count++] = *t;
}

/* True for an address space or a qualifier, which is no part of the type; notes it. */
static bool see_qualifier(const scan *s, const token *t, declared *d)
{
    const char *local = s->language == KT_LANGUAGE_OPENCL_C ? "__local local"
                        : s->language == KT_LANGUAGE_MSL    ? "threadgroup"
                                                            : "";
    if (token_among(t, local))
        d->is_local = true;
    else if (token_among(t, "__constant constant") && s->language != KT_LANGUAGE_CUDA_C)
        d->is_constant = true;
    else if (token_is(t, "device") && s->language == KT_LANGUAGE_MSL)
        d->is_device = true;
    else if (token_is(t, "const"))
        d->is_const |= d->pointers == 0;
    else if (!token_among(t, "__global global __private private volatile restrict __restrict "
                             "__restrict__ register typename __grid_constant__ __const "
                             "__read_only read_only __write_only write_only __read_write "
                             "read_write coherent thread inline") ||
             (s->language == KT_LANGUAGE_CUDA_C &&
              token_among(t, "global private read_only write_only read_write coherent thread")))
        return false;
    return true;
}

/* True if the last word of a declaration is its name. */
static bool has_name(const declared *d)
{
    const token *last = &d->type[d->count - 1];
    return d->count >= 2 && last->kind == TOKEN_NAME && !token_is(last - 1, "::") &&
           !token_among(last, "unsigned signed int char short long float double") &&
           !(d->count == 2 && token_among(last - 1, "struct union enum class"));
}

static void read_declared(const scan *s, range at, const substitution *arguments, declared *d)
{
    memset(d, 0, sizeof *d);
    for (size_t i = at.from; i < at.to && !token_is(&s->list[i], "="); i++) {
        const token *t = &s->list[i];
        size_t behind = c_skip_attribute(s, i, NULL);
        if (token_is(t, "[") && token_is(t + 1, "["))
            see_attribute(s, i + 2, at.to, d);
        else if (token_is(t, "*") || token_is(t, "["))
            d->pointers++;
        else if (token_is(t, "&"))
            d->references++;
        else if (token_is(t, "(") || token_is(t, "."))
            d->is_function = true;
        else if (behind == i && !see_qualifier(s, t, d)) {
            if (d->pointers || d->references)
                d->name = t;
            else
                add_type(d, arguments, t);
        }
        if (behind > i)
            i = behind - 1;
    }
    if (!d->name && d->count && has_name(d))
        d->name = &d->type[--d->count];
}

/* Puts what typedef and using say in place of a type's name. */
static void resolve_aliases(const scan *s, declared *d)
{
    for (unsigned depth = 0; depth < 8 && d->count == 1; depth++) {
        const alias *found = NULL;
        for (size_t i = 0; i < s->alias_count; i++)
            if (token_equal(s->aliases[i].name, &d->type[0]))
                found = &s->aliases[i];
        if (!found || found->type.to - found->type.from > TYPE_MAX)
            return;
        d->count = 0;
        for (size_t i = found->type.from; i < found->type.to; i++)
            if (!token_among(&found->type.list[i], "const volatile"))
                d->type[d->count++] = found->type.list[i];
    }
}

/* ---- sizes of structures ---- */

static uint32_t struct_bytes(const scan *s, const token *name, unsigned depth, uint32_t *align);

static uint32_t align_of(const element_type *type, kt_language language)
{
    bool is_whole = type->lanes == 1 || type->lanes == 2 || type->lanes == 4;
    if (language == KT_LANGUAGE_CUDA_C)
        return !is_whole ? type->scalar_bytes : type->stride < 16 ? type->stride : 16;
    /* Packed vectors of 3, and matrices. */
    if (type->lanes == 3 && type->stride == 3 * type->scalar_bytes)
        return type->scalar_bytes;
    return is_whole || type->lanes == 3 || language == KT_LANGUAGE_OPENCL_C ? type->stride : 0;
}

/* Behind the words of a member's type at `at`; its size is 0 if it is unknown. */
static size_t member_type(const scan *s, size_t at, size_t end, unsigned depth, uint32_t *bytes,
                          uint32_t *align)
{
    static const char words[] = "unsigned signed int char short long float double";
    while (at < end && token_among(&s->list[at], "const volatile struct"))
        at++;
    size_t to = at + 1;
    while (to < end && token_among(&s->list[at], words) && token_among(&s->list[to], words))
        to++;
    element_type type = at < end ? type_read(s->list, at, to, s->language) : (element_type){0};
    *bytes = type.stride;
    *align = align_of(&type, s->language);
    if (!*bytes && at < end)
        *bytes = struct_bytes(s, &s->list[at], depth + 1, align);
    return to;
}

/* Adds the members of one declaration, "float x, y[4], *p", to the size so far. */
static bool add_members(const scan *s, size_t at, size_t end, unsigned depth, uint64_t *bytes,
                        uint32_t *align)
{
    uint32_t type_bytes, type_align;
    at = member_type(s, at, end, depth, &type_bytes, &type_align);
    while (at < end) {
        uint64_t size = type_bytes;
        uint32_t own = type_align;
        for (; at < end && token_is(&s->list[at], "*"); at++)
            size = own = 8;
        if (at == end || s->list[at++].kind != TOKEN_NAME || !size || !own)
            return false;
        while (at < end && token_is(&s->list[at], "[")) {
            size_t close = tokens_close(s->list, at, end);
            double count;
            if (!tokens_evaluate(s->list, at + 1, close, NULL, NULL, &count) ||
                !(count >= 1 && count <= 1e6))
                return false;
            size *= (uint64_t)count;
            at = close + 1;
            if (size > UINT32_MAX)
                return false;
        }
        *bytes = (*bytes + own - 1) / own * own + size;
        *align = own > *align ? own : *align;
        if (*bytes > UINT32_MAX / 2 || (at < end && !token_is(&s->list[at++], ",")))
            return false;
    }
    return true;
}

/* Bytes of a structure; 0: it is not one whose members are all plain. */
static uint32_t struct_bytes(const scan *s, const token *name, unsigned depth, uint32_t *align)
{
    size_t i = 0;
    while (i < s->struct_count && !token_equal(s->structs[i].name, name))
        i++;
    if (i == s->struct_count || depth > STRUCT_DEPTH)
        return 0;
    range members = s->structs[i].members;
    uint64_t bytes = 0;
    *align = 1;
    for (size_t at = members.from; at < members.to;) {
        size_t end = at;
        while (end < members.to && !token_is(&s->list[end], ";"))
            end++;
        if (end == members.to || !add_members(s, at, end, depth, &bytes, align))
            return 0;
        at = end + 1;
    }
    /* An attribute behind it may pack or align it. */
    if (token_among(&s->list[members.to + 1], "__attribute__ alignas __align__"))
        return 0;
    return (uint32_t)((bytes + *align - 1) / *align * *align);
}

/* The type of what a parameter points to, or is. */
static element_type element_of(const scan *s, const declared *d)
{
    element_type type = type_read(d->type, 0, d->count, s->language);
    uint32_t align = 0;
    size_t name = d->count == 2 && token_is(&d->type[0], "struct");
    if (!type.stride && d->count == name + 1)
        type.stride = struct_bytes(s, &d->type[name], 0, &align);
    return type;
}

/* The type as it is written, without where it lies. */
static void put_type(const declared *d, char *text, size_t bytes)
{
    size_t used = (size_t)snprintf(text, bytes, "%s", d->is_const ? "const " : "");
    for (size_t i = 0; i < d->count && used < bytes; i++) {
        bool apart = i && ((d->type[i].kind == TOKEN_NAME && d->type[i - 1].kind == TOKEN_NAME) ||
                           token_is(&d->type[i - 1], ","));
        char part[SIGNATURE_NAME_BYTES];
        token_copy(&d->type[i], part, sizeof part);
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", apart ? " " : "", part);
    }
    for (unsigned i = 0; i < d->pointers + d->references && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", i ? "" : " ",
                                 i < d->pointers ? "*" : "&");
}

static parameter_kind kind_of(const scan *s, const declared *d)
{
    bool is_pointer = d->pointers > 0;
    if (d->is_opaque || d->is_function || d->pointers > 1)
        return PARAMETER_NOT_SUPPORTED;
    for (size_t i = 0; i < d->count; i++)
        if (type_is_opaque(&d->type[i]))
            return PARAMETER_NOT_SUPPORTED;
    if (d->is_local)
        return PARAMETER_LOCAL;
    if (s->language == KT_LANGUAGE_MSL)
        return d->is_device || is_pointer ? PARAMETER_BUFFER : PARAMETER_VALUE;
    return is_pointer ? PARAMETER_BUFFER : PARAMETER_VALUE;
}

/* Returns false if there are too many. */
static bool add_parameter(scan *s, range at, const substitution *arguments, signature *out)
{
    declared d;
    read_declared(s, at, arguments, &d);
    if (d.is_position && d.name && s->position_count < POSITIONS_MAX)
        s->positions[s->position_count++] = (position){*d.name, d.position};
    if (d.is_position || (d.count == 1 && token_is(&d.type[0], "void") && !d.pointers))
        return true;
    parameter *made = signature_add(out);
    if (!made)
        return false;
    if (d.name)
        token_copy(d.name, made->name, sizeof made->name);
    put_type(&d, made->type, sizeof made->type);
    resolve_aliases(s, &d);
    made->kind = kind_of(s, &d);
    made->is_read_only = made->kind == PARAMETER_VALUE ||
                         (made->kind == PARAMETER_BUFFER && (d.is_const || d.is_constant));
    made->is_constant =
        made->kind == PARAMETER_BUFFER && d.is_constant && s->language == KT_LANGUAGE_OPENCL_C;
    if (made->kind != PARAMETER_NOT_SUPPORTED)
        made->element = element_of(s, &d);
    made->binding = d.has_buffer ? d.buffer : SIGNATURE_NO_ID;
    return true;
}

static bool uses(range body, const char *name)
{
    for (size_t i = body.from; i < body.to; i++)
        if (token_is(&body.list[i], name))
            return true;
    return false;
}

/* Memory of the group whose size the host sets, "extern __shared__ TYPE NAME[];": in the kernel, or
 * outside of all functions if the kernel has its name. */
static bool add_shared(scan *s, range body, const substitution *arguments, signature *out)
{
    const token *list = s->list;
    for (size_t i = 0; i + 2 < s->count; i++) {
        bool is_within = i >= body.from && i < body.to;
        if (token_is(&list[i], "{") && !is_within && c_find_namespace(list, i) == SIZE_MAX &&
            !(i > 0 && list[i - 1].kind == TOKEN_STRING)) { /* extern "C" { */
            i = tokens_close(list, i, s->count);
            continue;
        }
        if (!token_is(&list[i], "extern") || !token_is(&list[i + 1], "__shared__"))
            continue;
        size_t end = i + 2;
        while (end < s->count && !token_is(&list[end], ";"))
            end++;
        if (!add_parameter(s, (range){list, i + 2, end}, arguments, out))
            return false;
        parameter *made = &out->parameters[out->parameter_count - 1];
        made->kind = PARAMETER_LOCAL;
        made->is_read_only = false;
        out->parameter_count -= !is_within && !uses(body, made->name);
        i = end;
    }
    return true;
}

/* ---- MSL's numbers of buffers ---- */

static bool is_buffer_argument(const parameter *p)
{
    return p->kind == PARAMETER_BUFFER || p->kind == PARAMETER_VALUE;
}

/* Gives numbers to those that have none, sorts, and fills gaps: the arguments of an MSL kernel are
 * its buffers 0, 1, 2 ..., then its threadgroup memories. False: there are too many. */
static bool sort_buffers(signature *out)
{
    static signature sorted; /* too large for some stacks; nothing here runs in threads */
    uint32_t next = 0, found = 0, wanted = 0;
    for (size_t i = 0; i < out->parameter_count; i++) {
        parameter *p = &out->parameters[i];
        if (is_buffer_argument(p)) {
            p->binding = p->binding == SIGNATURE_NO_ID ? next : p->binding;
            next = p->binding + 1;
            wanted++;
        }
    }
    sorted.parameter_count = 0;
    for (uint32_t number = 0; found < wanted; number++) {
        size_t i = 0;
        while (i < out->parameter_count &&
               !(is_buffer_argument(&out->parameters[i]) && out->parameters[i].binding == number))
            i++;
        parameter *made = signature_add(&sorted);
        if (!made)
            return false;
        if (i < out->parameter_count) {
            *made = out->parameters[i];
            out->parameters[i].binding = SIGNATURE_NO_ID; /* another one of that number follows */
            found++;
        } else {
            made->kind = PARAMETER_VALUE;
            made->element = (element_type){SCALAR_UNSIGNED, 4, 1, 4};
        }
    }
    for (size_t i = 0; i < out->parameter_count; i++)
        if (!is_buffer_argument(&out->parameters[i])) {
            parameter *made = signature_add(&sorted);
            if (!made)
                return false;
            *made = out->parameters[i];
        }
    memcpy(out->parameters, sorted.parameters, sizeof out->parameters);
    out->parameter_count = sorted.parameter_count;
    return true;
}

/* ---- signature ---- */

static int too_many(char *reason, const kernel_file *file, const char *entry)
{
    return reader_fail(reason, file, "kernel %s has more than %d parameters", entry,
                       SIGNATURE_PARAMETERS_MAX);
}

static int read_signature(const kernel_file *file, scan *s, const kernel *found, range arguments,
                          signature *out, char *reason)
{
    substitution types;
    const token *missing = substitute(found->templates, arguments, &types);
    if (missing) {
        char names[80] = "";
        join_names(found->templates, names, sizeof names);
        return reader_fail(reason, file,
                           "kernel %s is a template: name it with arguments, '%s<%s>'", found->name,
                           found->name, names);
    }
    memcpy(out->group_size, found->group_size, sizeof out->group_size);
    bool fits = true;
    for (size_t at = found->open + 1; at < found->close && fits;) {
        size_t comma = tokens_comma(s->list, at, found->close);
        fits = add_parameter(s, (range){s->list, at, comma}, &types, out);
        at = comma + 1;
    }
    if (fits && file->language == KT_LANGUAGE_CUDA_C && found->body.list)
        fits = add_shared(s, found->body, &types, out);
    if (fits && file->language == KT_LANGUAGE_MSL)
        fits = sort_buffers(out);
    for (size_t i = 0; i < out->parameter_count; i++)
        out->parameters[i].binding = 0;
    signature_see_uses(s->list, found->body.from + 1, found->body.to, s->positions,
                       s->position_count, out);
    return fits ? 0 : too_many(reason, file, found->name);
}

static bool is_named(const kernel *found, const char *name)
{
    size_t length = strlen(found->name), asked = strlen(name);
    return asked && asked <= length && strcmp(found->name + length - asked, name) == 0 &&
           (asked == length || found->name[length - asked - 1] == ':');
}

/* Finds a kernel, its definition rather than a declaration. */
static bool find_kernel(scan *s, const char *name, kernel *out)
{
    kernel next;
    bool found = false;
    while (c_scan_next(s, &next))
        if (is_named(&next, name) && (!found || (!out->body.list && next.body.list))) {
            *out = next;
            found = true;
        }
    return found;
}

static int c_signature(const kernel_file *file, const char *entry, signature *out, char *reason)
{
    scan *s = malloc(sizeof *s);
    tokens asked = {0};
    if (!s || !tokens_read(entry, strlen(entry), TOKENS_C, &asked)) {
        free(s);
        tokens_free(&asked);
        return reader_no_memory(reason, file);
    }
    entry_words parts;
    split_entry(&asked, &parts);
    bool found = false;
    int failed = 0;
    for (unsigned all = 0; all < 2 && !failed && !found; all++) {
        tokens words;
        kernel chosen;
        if (!read_words(file, all > 0, &words))
            failed = reader_no_memory(reason, file);
        c_scan_begin(s, &words, file->language);
        found = !failed && find_kernel(s, parts.name, &chosen);
        if (found) {
            failed = read_signature(file, s, &chosen, parts.arguments, out, reason);
            snprintf(out->entry, sizeof out->entry, "%s%s", chosen.name,
                     entry + strcspn(entry, "<"));
            out->is_left_out = all > 0;
        }
        tokens_free(&words);
    }
    tokens_free(&asked);
    free(s);
    return found || failed ? failed : reader_no_entry(reason, file, entry);
}

const kernel_reader c_reader = {c_entries, c_signature};
