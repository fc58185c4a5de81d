/* SPDX-License-Identifier: MIT */
/* ptx.c - what the kernels of PTX take: its parameters have sizes, the demangled name has types. */
#include "cli/kernel_file/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if HAVE_SPIRV_CROSS /* which brings the C++ library in */
char *__cxa_demangle(const char *name, char *buffer, size_t *bytes, int *status);

static char *demangle(const char *name)
{
    int status = 0;
    return name[0] == '_' && name[1] == 'Z' ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
}
#else
static char *demangle(const char *name)
{
    (void)name;
    return NULL;
}
#endif

typedef struct kernel {
    char name[SIGNATURE_NAME_BYTES];
    size_t open, close; /* brackets of its parameters; the same: it has none */
    size_t body, end;   /* braces; both `end` of the file: none */
} kernel;

static bool is_directive(const tokens *words, size_t at, const char *name)
{
    return at + 1 < words->count && token_is(&words->list[at], ".") &&
           token_is(&words->list[at + 1], name);
}

/* Finds the next kernel from `at` on, and goes behind its head. */
static bool next_kernel(const tokens *words, size_t *at, kernel *out)
{
    const token *list = words->list;
    for (; *at + 2 < words->count; ++*at) {
        if (!is_directive(words, *at, "entry") || list[*at + 2].kind != TOKEN_NAME)
            continue;
        *out = (kernel){.body = words->count, .end = words->count};
        token_copy(&list[*at + 2], out->name, sizeof out->name);
        bool is_cut = list[*at + 2].length >= sizeof out->name;
        *at += 3;
        out->open = out->close = *at;
        if (token_is(&list[*at], "(")) {
            out->open = *at;
            out->close = tokens_close(list, *at, words->count);
            *at = out->close;
        }
        size_t body = *at;
        while (body < words->count && !token_is(&list[body], "{") && !token_is(&list[body], ";"))
            body++;
        out->body = body;
        out->end = token_is(&list[body], "{") ? tokens_close(list, body, words->count) : body;
        if (!is_cut)
            return true;
    }
    return false;
}

static int ptx_entries(const kernel_file *file, kernel_entries *out, char *reason)
{
    tokens words;
    kernel next;
    size_t at = 0;
    int failed = tokens_read(file->text, file->bytes, TOKENS_PTX, &words)
                     ? 0
                     : reader_no_memory(reason, file);
    while (!failed && next_kernel(&words, &at, &next))
        entries_add(out, next.name);
    tokens_free(&words);
    return failed;
}

/* ---- the demangled name ---- */

typedef struct demangled {
    char *text;
    tokens words;
    size_t open, close; /* of the list of types; both 0: there is none */
} demangled;

static void read_name(const char *name, demangled *out)
{
    *out = (demangled){.text = demangle(name)};
    if (!out->text || !tokens_read(out->text, strlen(out->text), TOKENS_C, &out->words))
        return;
    for (size_t i = 0; i < out->words.count; i++) {
        size_t close = token_among(&out->words.list[i], "( <")
                           ? tokens_close(out->words.list, i, out->words.count)
                           : i;
        if (token_is(&out->words.list[i], "(") && close + 1 == out->words.count) {
            out->open = i;
            out->close = close;
        }
        i = close < out->words.count ? close : i;
    }
}

static void free_name(demangled *name)
{
    free(name->text); /* from malloc(), as the C++ ABI says */
    tokens_free(&name->words);
}

/* Whether "axpy<float,4>" or "axpy" means that name. */
static bool means(const demangled *name, const tokens *asked)
{
    size_t from = name->words.count && token_is(&name->words.list[0], "void");
    if (!name->open)
        return false;
    for (size_t i = 0; i <= asked->count; i++) {
        if (i == asked->count)
            return from + i == name->open || token_is(&name->words.list[from + i], "<");
        if (from + i >= name->open || !token_equal(&name->words.list[from + i], &asked->list[i]))
            return false;
    }
    return false;
}

static bool find_kernel(const tokens *words, const char *entry, kernel *out)
{
    tokens asked = {0};
    size_t at = 0;
    bool found = false;
    while (!found && next_kernel(words, &at, out))
        found = strcmp(out->name, entry) == 0;
    if (!found && tokens_read(entry, strlen(entry), TOKENS_C, &asked) && asked.count)
        for (at = 0; !found && next_kernel(words, &at, out);) {
            demangled name;
            read_name(out->name, &name);
            found = means(&name, &asked);
            free_name(&name);
        }
    tokens_free(&asked);
    return found;
}

/* ---- parameters ---- */

/* .param [.align N] .TYPE [.ptr [.SPACE] [.align N]] NAME [[COUNT]], likewise .shared. */
typedef struct declared {
    element_type type; /* lanes of 0: none is given */
    const token *name;
    bool is_array, is_opaque;
    double count;
} declared;

static declared read_declared(const tokens *words, size_t at, size_t to)
{
    declared d = {.count = 1};
    for (; at < to; at++) {
        const token *t = &words->list[at];
        bool dotted = at > 0 && token_is(t - 1, ".");
        element_type type = ptx_type(t);
        if (dotted && type.lanes)
            d.type = type;
        if (dotted && token_among(t, "texref samplerref surfref"))
            d.is_opaque = true;
        else if (!dotted && t->kind == TOKEN_NAME)
            d.name = t;
        if (token_is(t, "[")) {
            size_t close = tokens_close(words->list, at, to);
            d.is_array = true;
            if (!tokens_evaluate(words->list, at + 1, close, NULL, NULL, &d.count))
                d.count = 0;
        }
    }
    return d;
}

static void put_type(const element_type *type, parameter *p)
{
    snprintf(p->type, sizeof p->type, ".%c%u", "bsuf"[type->scalar], 8 * type -> scalar_bytes);
}

/* What PTX alone says: a number of 64 bits may be a pointer, and mostly is. */
static void describe(const declared *d, parameter *p)
{
    p->is_read_only = false;
    if (d->is_opaque || !d->type.lanes) {
        p->kind = PARAMETER_NOT_SUPPORTED;
        snprintf(p->type, sizeof p->type, "texture or sampler");
        return;
    }
    put_type(&d->type, p);
    bool is_pointer = !d->is_array && d->type.scalar_bytes == 8 && d->type.scalar != SCALAR_FLOAT;
    p->kind = is_pointer ? PARAMETER_BUFFER : PARAMETER_VALUE;
    if (is_pointer)
        return;
    p->is_read_only = true;
    p->element = d->type;
    if (d->is_array && d->count > 0 && d->count < 65536)
        p->element = (element_type){.stride = d->type.scalar_bytes * (uint32_t)d->count};
}

/* What the demangled name says of the same parameter: "float const*". */
static void describe_type(const tokens *words, size_t from, size_t to, parameter *p)
{
    bool is_pointer = token_is(&words->list[to - 1], "*");
    uint32_t bytes = p->kind == PARAMETER_BUFFER ? 8 : p->element.stride;
    char text[SIGNATURE_NAME_BYTES];
    const token *last = &words->list[to - 1], *first = &words->list[from];
    token whole = {.text = first->text,
                   .length = (size_t)(last->text + last->length - first->text)};
    token_copy(&whole, text, sizeof text);
    if (is_pointer) {
        size_t end = to - 1;
        p->is_read_only = end > from && token_is(&words->list[end - 1], "const");
        end -= p->is_read_only;
        p->kind = end > from && token_is(&words->list[end - 1], "*") ? PARAMETER_NOT_SUPPORTED
                                                                     : PARAMETER_BUFFER;
        p->element = type_read(words->list, from, end, KT_LANGUAGE_CUDA_C);
    } else {
        element_type element = type_read(words->list, from, to, KT_LANGUAGE_CUDA_C);
        p->kind = PARAMETER_VALUE;
        p->is_read_only = true;
        p->element = element.stride == bytes ? element : (element_type){.stride = bytes};
    }
    snprintf(p->type, sizeof p->type, "%s", text);
}

/* Returns false if the name tells no types. */
static bool describe_types(const char *name, signature *out)
{
    demangled types_of;
    read_name(name, &types_of);
    const token *list = types_of.words.list;
    size_t count = 0;
    for (size_t at = types_of.open + 1; at < types_of.close; count++)
        at = tokens_comma(list, at, types_of.close) + 1;
    bool fits = types_of.open && count == out->parameter_count;
    if (fits)
        for (size_t at = types_of.open + 1, i = 0; i < count; i++) {
            size_t comma = tokens_comma(list, at, types_of.close);
            if (comma > at && out->parameters[i].kind != PARAMETER_NOT_SUPPORTED)
                describe_type(&types_of.words, at, comma, &out->parameters[i]);
            at = comma + 1;
        }
    free_name(&types_of);
    return fits;
}

/* The compilers' own names say nothing: KERNEL_param_0. */
static bool is_made_up(const char *entry, const char *name)
{
    size_t length = strlen(entry);
    return strncmp(name, entry, length) == 0 && strncmp(name + length, "_param_", 7) == 0;
}

static bool add_parameters(const tokens *words, const kernel *found, signature *out,
                           const token **names)
{
    for (size_t at = found->open + 1; at < found->close;) {
        size_t comma = tokens_comma(words->list, at, found->close);
        declared d = read_declared(words, at, comma);
        parameter *p = signature_add(out);
        if (!p)
            return false;
        describe(&d, p);
        names[p - out->parameters] = d.name;
        if (d.name)
            token_copy(d.name, p->name, sizeof p->name);
        if (is_made_up(found->name, p->name))
            p->name[0] = '\0';
        at = comma + 1;
    }
    return true;
}

/* ---- shared memory and the group size ---- */

/* Whether the kernel, or a function that it may call, names it. */
static bool uses(const tokens *words, const kernel *found, const token *name)
{
    kernel other;
    size_t at = 0;
    bool more = next_kernel(words, &at, &other);
    for (size_t i = 0; i < words->count; i++) {
        while (more && i > other.end)
            more = next_kernel(words, &at, &other);
        bool is_others = more && i > other.body && i < other.end && other.body != found->body;
        if (!is_others && &words->list[i] != name && token_equal(&words->list[i], name))
            return true;
    }
    return false;
}

/* Memory of the group whose size the host sets: .extern .shared .align 16 .b8 NAME[]; */
static bool add_shared(const tokens *words, const kernel *found, signature *out)
{
    for (size_t at = 0; at < words->count; at++) {
        if (!is_directive(words, at, "extern") || !is_directive(words, at + 2, "shared"))
            continue;
        size_t end = at;
        while (end < words->count && !token_is(&words->list[end], ";"))
            end++;
        declared d = read_declared(words, at + 4, end);
        if (!d.name || !d.type.lanes || !uses(words, found, d.name))
            continue;
        parameter *p = signature_add(out);
        if (!p)
            return false;
        p->kind = PARAMETER_LOCAL;
        token_copy(d.name, p->name, sizeof p->name);
        put_type(&d.type, p);
        if (d.type.scalar != SCALAR_UNKNOWN)
            p->element = d.type;
    }
    return true;
}

static void read_group_size(const tokens *words, const kernel *found, signature *out)
{
    size_t at = found->close;
    while (at < found->body && !is_directive(words, at, "reqntid"))
        at++;
    at += 2;
    for (unsigned i = 0; i < 3 && at < found->body; i++, at += 2) {
        double value;
        if (!tokens_evaluate(words->list, at, at + 1, NULL, NULL, &value) ||
            !(value >= 1 && value <= 65536))
            break;
        if (i == 0)
            out->group_size[1] = out->group_size[2] = 1;
        out->group_size[i] = (uint32_t)value;
        if (!token_is(&words->list[at + 1], ","))
            break;
    }
}

static int ptx_signature(const kernel_file *file, const char *entry, signature *out, char *reason)
{
    tokens words;
    kernel found = {{0}, 0, 0, 0, 0};
    int failed = tokens_read(file->text, file->bytes, TOKENS_PTX, &words)
                     ? 0
                     : reader_no_memory(reason, file);
    if (!failed && !find_kernel(&words, entry, &found))
        failed = reader_no_entry(reason, file, entry);
    if (!failed) {
        memcpy(out->entry, found.name, sizeof out->entry);
        const token *names[SIGNATURE_PARAMETERS_MAX];
        bool fits = add_parameters(&words, &found, out, names);
        if (fits && !describe_types(found.name, out))
            ptx_see_uses(&words, found.body, found.end, names, out);
        read_group_size(&words, &found, out);
        if (!fits || !add_shared(&words, &found, out))
            failed = reader_fail(reason, file, "kernel %s has more than %d parameters", entry,
                                 SIGNATURE_PARAMETERS_MAX);
    }
    tokens_free(&words);
    return failed;
}

const kernel_reader ptx_reader = {ptx_entries, ptx_signature};
