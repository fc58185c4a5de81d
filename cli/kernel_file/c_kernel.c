/* c_kernel.c - kernels of OpenCL C, CUDA C and MSL, as their text declares them. */
#include "cli/kernel_file/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIASES_MAX   256
#define STRUCTS_MAX   128
#define STRUCT_DEPTH  8 /* of structures within structures */
#define BRACES_MAX    64
#define TEMPLATES_MAX 16
#define TYPE_MAX      64 /* tokens of a parameter */

/* Tokens `from` to `to` of a list. */
typedef struct range {
    const token *list;
    size_t from, to;
} range;

typedef struct alias {
    const token *name;
    range type;
} alias;

typedef struct kernel {
    char name[SIGNATURE_NAME_BYTES]; /* with its namespaces */
    size_t open, close;              /* brackets of its parameters */
    range templates;                 /* "typename T, int N"; empty: it is no template */
    range body;                      /* empty: a declaration alone */
    uint32_t group_size[3];
} kernel;

/* A structure, whose members stand between braces. */
typedef struct structure {
    const token *name;
    range members;
} structure;

/* Goes through a file from kernel to kernel. */
typedef struct scan {
    const token *list;
    size_t count, at;
    kt_language language;
    char spaces[SIGNATURE_NAME_BYTES]; /* namespaces around `at`: "a::b::" */
    size_t lengths[BRACES_MAX];        /* of `spaces` outside of each brace */
    size_t depth;
    range templates;        /* of the declaration at hand */
    const token *host_name; /* MSL: [[host_name("NAME")]] */
    uint32_t group_size[3];
    alias aliases[ALIASES_MAX];
    size_t alias_count;
    structure structs[STRUCTS_MAX];
    size_t struct_count;
    position positions[POSITIONS_MAX]; /* of the kernel at hand; MSL */
    size_t position_count;
} scan;

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

/* Behind an attribute at `at`, [[...]] or NAME(...); `at` itself if there is none. */
static size_t skip_attribute(const scan *s, size_t at, uint32_t size[3])
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
        size_t behind = skip_attribute(s, at, out->group_size);
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
        size_t behind = skip_attribute(s, at, out->group_size);
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

/* Index of the name of the namespace whose brace is at `at`; `at`: it has none; SIZE_MAX: the brace
 * is no namespace's. */
static size_t find_namespace(const token *list, size_t at)
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
    for (size_t from = find_namespace(s->list, at); from < at; from++) {
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
        size_t behind = skip_attribute(s, s->at, s->group_size);
        s->at = behind > s->at ? behind - 1 : s->at;
    }
    s->at++;
}

/* Finds the next kernel; false: there is none. */
static bool next_kernel(scan *s, kernel *out)
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

static void begin_scan(scan *s, const tokens *words, kt_language language)
{
    memset(s, 0, sizeof *s);
    s->list = words->list;
    s->count = words->count;
    s->language = language;
}

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
        begin_scan(s, &words, file->language);
        while (!failed && next_kernel(s, &found))
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
        size_t behind = skip_attribute(s, i, NULL);
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
        if (token_is(&list[i], "{") && !is_within && find_namespace(list, i) == SIZE_MAX &&
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
    while (next_kernel(s, &next))
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
        begin_scan(s, &words, file->language);
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
