/* SPDX-License-Identifier: MIT */
/* wgsl_kernel.c - what kernels in WGSL take. Sizes and alignments are those of its specification,
 * "Memory Layout". */
#include "cli/kernel_file/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DECLARATIONS_MAX 1024
#define TYPE_DEPTH_MAX   16

typedef enum declaration_kind {
    DECLARATION_FUNCTION,
    DECLARATION_VARIABLE,
    DECLARATION_OVERRIDE,
    DECLARATION_CONST,
    DECLARATION_STRUCT,
    DECLARATION_ALIAS
} declaration_kind;

/* A declaration of the module, as places of tokens. */
typedef struct declaration {
    declaration_kind kind;
    const token *name;
    size_t attributes;           /* where its attributes begin; `from` if it has none */
    size_t from, to;             /* of the whole, without attributes */
    size_t type_from, type_to;   /* empty: none */
    size_t value_from, value_to; /* empty: none */
    size_t space_from, space_to; /* of a variable, within <>; empty: none */
    bool is_used;                /* by the kernel at hand */
} declaration;

typedef struct module {
    const kernel_file *file;
    char *reason;
    tokens words;
    declaration *list;
    size_t count;
    unsigned depth;
    unsigned *nesting; /* of constants within constants */
} module;

/* ---- declarations ---- */

static bool is_mark(const module *m, size_t at, const char *text)
{
    return at < m->words.count && token_is(&m->words.list[at], text);
}

/* Behind the attributes at `at`: @NAME or @NAME(...). */
static size_t skip_attributes(const module *m, size_t at)
{
    while (is_mark(m, at, "@")) {
        at += 2;
        if (is_mark(m, at, "("))
            at = tokens_close(m->words.list, at, m->words.count) + 1;
    }
    return at < m->words.count ? at : m->words.count;
}

/* Where an attribute's argument begins: behind "@NAME("; 0: there is no such attribute. */
static size_t find_attribute(const module *m, size_t from, size_t to, const char *name)
{
    for (size_t at = from; at + 1 < to; at++) {
        if (is_mark(m, at, "@") && is_mark(m, at + 1, name))
            return is_mark(m, at + 2, "(") ? at + 3 : at + 2;
        if (is_mark(m, at, "("))
            at = tokens_close(m->words.list, at, to);
    }
    return 0;
}

/* Behind the next ; outside of braces, or behind a closing brace that ends the declaration. */
static size_t end_of(const module *m, size_t at, bool has_body)
{
    for (; at < m->words.count; at++) {
        if (is_mark(m, at, "(") || is_mark(m, at, "[")) {
            at = tokens_close(m->words.list, at, m->words.count);
        } else if (is_mark(m, at, "{")) {
            at = tokens_close(m->words.list, at, m->words.count);
            if (has_body)
                break;
        } else if (is_mark(m, at, ";")) {
            break;
        }
    }
    return at < m->words.count ? at + 1 : m->words.count;
}

/* NAME [: TYPE] [= VALUE]; behind the keyword. */
static void read_name_type_value(const module *m, size_t at, declaration *d)
{
    size_t end = d->to > d->from && is_mark(m, d->to - 1, ";") ? d->to - 1 : d->to;
    d->name = &m->words.list[at++];
    if (is_mark(m, at, ":") && at < end) {
        d->type_from = ++at;
        while (at < end && !is_mark(m, at, "=")) {
            if (is_mark(m, at, "<")) {
                size_t close = tokens_close(m->words.list, at, end);
                at = close < end ? close : at;
            }
            at++;
        }
        d->type_to = at;
    }
    if (is_mark(m, at, "=") && at < end) {
        d->value_from = at + 1;
        d->value_to = end;
    }
}

static bool read_declaration(const module *m, size_t at, declaration *d)
{
    static const struct {
        const char *word;
        declaration_kind kind;
    } kinds[] = {{"fn", DECLARATION_FUNCTION},       {"var", DECLARATION_VARIABLE},
                 {"override", DECLARATION_OVERRIDE}, {"const", DECLARATION_CONST},
                 {"struct", DECLARATION_STRUCT},     {"alias", DECLARATION_ALIAS}};
    *d = (declaration){.attributes = at};
    d->from = skip_attributes(m, at);
    size_t kind = 0;
    while (kind < 6 && !is_mark(m, d->from, kinds[kind].word))
        kind++;
    if (kind == 6) {
        d->to = d->from + 1; /* a directive, or what is no WGSL */
        return false;
    }
    d->kind = kinds[kind].kind;
    d->to = end_of(m, d->from, d->kind == DECLARATION_FUNCTION || d->kind == DECLARATION_STRUCT);
    at = d->from + 1;
    if (d->kind == DECLARATION_VARIABLE && is_mark(m, at, "<")) {
        d->space_from = at + 1;
        d->space_to = tokens_close(m->words.list, at, d->to);
        at = d->space_to + 1;
    }
    if (at >= d->to || m->words.list[at].kind != TOKEN_NAME)
        return false;
    read_name_type_value(m, at, d);
    return true;
}

static int read_module(module *m)
{
    m->list = malloc(DECLARATIONS_MAX * sizeof *m->list);
    if (!m->list || !tokens_read(m->file->text, m->file->bytes, TOKENS_WGSL, &m->words))
        return reader_no_memory(m->reason, m->file);
    for (size_t at = 0; at < m->words.count;) {
        declaration next;
        if (read_declaration(m, at, &next)) {
            if (m->count == DECLARATIONS_MAX)
                return reader_fail(m->reason, m->file, "it has more than %d declarations",
                                   DECLARATIONS_MAX);
            m->list[m->count++] = next;
        }
        at = next.to > at ? next.to : at + 1;
    }
    return 0;
}

static void free_module(module *m)
{
    free(m->list);
    tokens_free(&m->words);
}

static declaration *find_declaration(const module *m, const token *name)
{
    for (size_t i = 0; i < m->count; i++)
        if (token_equal(m->list[i].name, name))
            return &m->list[i];
    return NULL;
}

static bool is_kernel(const module *m, const declaration *d)
{
    return d->kind == DECLARATION_FUNCTION && find_attribute(m, d->attributes, d->from, "compute");
}

/* ---- values ---- */

/* Numbers and const-declarations; an override has no value before a pipeline is made. */
static bool look_up(const void *context, const token *name, double *value)
{
    const module *m = context;
    const declaration *d = find_declaration(m, name);
    if (!d || d->kind != DECLARATION_CONST || *m->nesting == TYPE_DEPTH_MAX)
        return false;
    ++*m->nesting;
    bool found = tokens_evaluate(m->words.list, d->value_from, d->value_to, look_up, m, value);
    --*m->nesting;
    return found;
}

static bool evaluate(module *m, size_t from, size_t to, double *value)
{
    return tokens_evaluate(m->words.list, from, to, look_up, m, value);
}

/* A number of bytes, elements or a binding: at most 2^31; UINT32_MAX: it is none. */
static uint32_t evaluate_count(module *m, size_t from, size_t to)
{
    double value;
    if (!evaluate(m, from, to, &value) || !(value >= 0 && value <= 2147483648.0) ||
        value != (double)(uint32_t)value)
        return UINT32_MAX;
    return (uint32_t)value;
}

/* The number in @NAME(NUMBER); UINT32_MAX: there is none. */
static uint32_t attribute_number(module *m, size_t from, size_t to, const char *name)
{
    size_t at = find_attribute(m, from, to, name);
    if (!at)
        return UINT32_MAX;
    size_t end = at;
    while (end < to && !is_mark(m, end, ")") && !is_mark(m, end, ","))
        end += is_mark(m, end, "(") ? tokens_close(m->words.list, end, to) - end + 1 : 1;
    return end <= to ? evaluate_count(m, at, end) : UINT32_MAX;
}

/* ---- types ---- */

typedef struct layout {
    uint32_t size, align;
    element_type element; /* of an array: its elements */
    bool is_array;
    uint32_t count;  /* elements of an array; 0: as many as there is memory */
    uint32_t offset; /* of the elements: bytes in front of them */
    bool is_known;
} layout;

static layout layout_of(module *m, size_t from, size_t to);

static uint64_t round_up(uint64_t value, uint32_t to)
{
    return to ? (value + to - 1) / to * to : value;
}

static layout plain(scalar_kind scalar, uint32_t bytes, uint32_t columns, uint32_t lanes)
{
    uint32_t padded = lanes == 3 ? 4 : lanes;
    layout made = {.is_known = true, .align = padded * bytes};
    made.size = columns > 1 ? columns * padded * bytes : lanes * bytes;
    made.element = (element_type){scalar, bytes, columns * lanes, made.size};
    if (columns > 1 && lanes == 3) /* columns with gaps are no row of numbers */
        made.element = (element_type){.stride = made.size};
    return made;
}

static layout scalar_layout(const token *t, uint32_t columns, uint32_t lanes)
{
    if (token_among(t, "f32 f"))
        return plain(SCALAR_FLOAT, 4, columns, lanes);
    if (token_among(t, "f16 h"))
        return plain(SCALAR_FLOAT, 2, columns, lanes);
    if (token_among(t, "u32 u"))
        return plain(SCALAR_UNSIGNED, 4, columns, lanes);
    if (token_among(t, "i32 i"))
        return plain(SCALAR_SIGNED, 4, columns, lanes);
    if (token_is(t, "bool"))
        return plain(SCALAR_BOOL, 4, columns, lanes);
    return (layout){0};
}

/* vec3<f32>, vec3f, mat4x3<f32>, mat4x3f. */
static layout vector_layout(const module *m, size_t at, size_t to)
{
    const token *t = &m->words.list[at];
    bool is_vector = t->length >= 4 && memcmp(t->text, "vec", 3) == 0;
    bool is_matrix = t->length >= 6 && memcmp(t->text, "mat", 3) == 0 && t->text[4] == 'x';
    size_t used = is_vector ? 4 : 6;
    if (!is_vector && !is_matrix)
        return (layout){0};
    uint32_t columns = is_vector ? 1 : (uint32_t)(t->text[3] - '0');
    uint32_t lanes = (uint32_t)(t->text[used - 1] - '0');
    if (columns > 4 || (is_matrix && columns < 2) || lanes < 2 || lanes > 4)
        return (layout){0};
    token suffix = {.text = t->text + used, .length = t->length - used};
    if (suffix.length == 1)
        return scalar_layout(&suffix, columns, lanes);
    if (suffix.length == 0 && at + 3 < to + 1 && is_mark(m, at + 1, "<"))
        return scalar_layout(t + 2, columns, lanes);
    return (layout){0};
}

static layout array_layout(module *m, size_t from, size_t to)
{
    size_t close = tokens_close(m->words.list, from + 1, to);
    size_t comma = tokens_comma(m->words.list, from + 2, close);
    layout inner = layout_of(m, from + 2, comma);
    layout made = {.is_array = true, .align = inner.align};
    uint64_t stride = round_up(inner.size, inner.align);
    if (!inner.is_known || stride > UINT32_MAX)
        return made;
    if (comma < close) {
        size_t end = is_mark(m, close - 1, ",") ? close - 1 : close;
        made.count = evaluate_count(m, comma + 1, end);
        if (made.count == UINT32_MAX || made.count * stride > UINT32_MAX)
            return (layout){0};
    }
    made.element = inner.is_array ? (element_type){0} : inner.element;
    made.element.stride = (uint32_t)stride;
    made.size = (uint32_t)(made.count * stride);
    made.is_known = true;
    return made;
}

/* A member of a structure: [@ATTRIBUTE...] NAME : TYPE */
typedef struct struct_member {
    const token *name;
    size_t type_from, type_to;
    layout layout;
    uint32_t offset;
} struct_member;

/* Reads the member at `at` and sets `next` behind its comma; `end` is the offset so far. */
static bool read_member(module *m, size_t at, size_t close, uint64_t *end, struct_member *out,
                        size_t *next)
{
    size_t name = skip_attributes(m, at);
    *next = tokens_comma(m->words.list, at, close) + 1;
    if (name + 2 >= close || !is_mark(m, name + 1, ":"))
        return false;
    out->name = &m->words.list[name];
    out->type_from = name + 2;
    out->type_to = *next - 1;
    out->layout = layout_of(m, out->type_from, out->type_to);
    uint32_t align = attribute_number(m, at, name, "align");
    uint32_t size = attribute_number(m, at, name, "size");
    if (align != UINT32_MAX && align > 0)
        out->layout.align = align;
    if (size != UINT32_MAX && size > out->layout.size)
        out->layout.size = size;
    uint64_t offset = round_up(*end, out->layout.align);
    if (!out->layout.is_known || offset + out->layout.size > UINT32_MAX)
        return false;
    out->offset = (uint32_t)offset;
    *end = offset + out->layout.size;
    return true;
}

/* Sums up a structure, and calls `member`, if there is one, for each. */
static bool walk_struct(module *m, const declaration *d, layout *out,
                        bool (*member)(void *context, const struct_member *member), void *context)
{
    size_t open = d->from;
    while (open < d->to && !is_mark(m, open, "{"))
        open++;
    size_t close = tokens_close(m->words.list, open, d->to);
    uint64_t end = 0;
    *out = (layout){.align = 1};
    for (size_t at = open + 1; at < close;) {
        struct_member next;
        if (!read_member(m, at, close, &end, &next, &at) || (member && !member(context, &next)))
            return false;
        if (next.layout.align > out->align)
            out->align = next.layout.align;
        bool is_alone = at > close && next.offset == 0 && out->count == 0;
        out->element = next.layout.is_array || is_alone ? next.layout.element : (element_type){0};
        out->is_array = next.layout.is_array;
        out->offset = next.offset;
        out->count++;
        if (next.layout.is_array && next.layout.count == 0 && at <= close)
            return false; /* only the last member may be without end */
    }
    out->size = (uint32_t)round_up(end, out->align);
    out->is_known = out->count > 0;
    return out->is_known;
}

static layout struct_layout(module *m, const declaration *d)
{
    layout made;
    if (!walk_struct(m, d, &made, NULL, NULL))
        return (layout){0};
    return (layout){
        .is_known = true, .size = made.size, .align = made.align, .element = {.stride = made.size}};
}

static layout layout_of(module *m, size_t from, size_t to)
{
    layout made = {0};
    if (from >= to || to > m->words.count || m->depth == TYPE_DEPTH_MAX)
        return made;
    const token *t = &m->words.list[from];
    m->depth++;
    const declaration *d = find_declaration(m, t);
    if (d && d->kind == DECLARATION_ALIAS)
        made = layout_of(m, d->value_from, d->value_to);
    else if (d && d->kind == DECLARATION_STRUCT)
        made = struct_layout(m, d);
    else if (token_is(t, "array") && is_mark(m, from + 1, "<"))
        made = array_layout(m, from, to);
    else if (token_is(t, "atomic") && is_mark(m, from + 1, "<"))
        made = layout_of(m, from + 2, tokens_close(m->words.list, from + 1, to));
    else {
        made = scalar_layout(t, 1, 1);
        if (!made.is_known)
            made = vector_layout(m, from, to);
    }
    m->depth--;
    return made;
}

/* The structure that a type names, through aliases; NULL: it is something else. */
static const declaration *struct_of(const module *m, size_t from, size_t to)
{
    for (unsigned depth = 0; depth < TYPE_DEPTH_MAX && from < to; depth++) {
        const declaration *d = find_declaration(m, &m->words.list[from]);
        if (!d || (d->kind != DECLARATION_ALIAS && d->kind != DECLARATION_STRUCT))
            return NULL;
        if (d->kind == DECLARATION_STRUCT)
            return d;
        from = d->value_from;
        to = d->value_to;
    }
    return NULL;
}

static void put_type(const module *m, size_t from, size_t to, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = from; i < to && used < bytes; i++) {
        char part[SIGNATURE_NAME_BYTES];
        token_copy(&m->words.list[i], part, sizeof part);
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", part,
                                 token_is(&m->words.list[i], ",") ? " " : "");
    }
}

/* ---- what a kernel uses ---- */

/* Marks what the tokens name, and what that names. */
static void use(module *m, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (m->words.list[i].kind != TOKEN_NAME)
            continue;
        declaration *d = find_declaration(m, &m->words.list[i]);
        if (d && !d->is_used && m->depth < DECLARATIONS_MAX) {
            d->is_used = true;
            m->depth++;
            use(m, d->attributes, d->to);
            m->depth--;
        }
    }
}

/* ---- parameters ---- */

static int too_many(const module *m, const char *what)
{
    return reader_fail(m->reason, m->file, "the kernel has too many %s", what);
}

typedef struct values {
    module *m;
    signature *out;
    const declaration *block;
    uint32_t set, binding, bytes;
    bool is_full;
} values;

static bool add_value(void *context, const struct_member *member)
{
    values *v = context;
    char block[SIGNATURE_NAME_BYTES], name[SIGNATURE_NAME_BYTES];
    token_copy(v->block->name, block, sizeof block);
    token_copy(member->name, name, sizeof name);
    parameter *p = signature_add_member(v->out, block, name);
    v->is_full |= !p;
    if (!p)
        return false;
    put_type(v->m, member->type_from, member->type_to, p->type, sizeof p->type);
    p->element = member->layout.element;
    p->count = member->layout.is_array ? member->layout.count : 0;
    p->place = PLACE_BINDING;
    p->set = v->set;
    p->binding = v->binding;
    p->offset = member->offset;
    return true;
}

/* A uniform buffer: a parameter for each member, or one for a number. */
static int add_uniform(module *m, const declaration *d, uint32_t set, uint32_t binding,
                       signature *out)
{
    values v = {.m = m, .out = out, .block = d, .set = set, .binding = binding};
    size_t first = out->parameter_count;
    layout whole = layout_of(m, d->type_from, d->type_to);
    const declaration *type = struct_of(m, d->type_from, d->type_to);
    if (type) {
        layout ignored;
        walk_struct(m, type, &ignored, add_value, &v);
    } else if (whole.is_known) {
        struct_member alone = {d->name, d->type_from, d->type_to, whole, 0};
        add_value(&v, &alone);
    }
    if (v.is_full)
        return too_many(m, "parameters");
    if (!whole.is_known || !whole.size)
        return reader_fail(m->reason, m->file, "the type of var<uniform> %.*s has no known size",
                           (int)(d->name->length < 60 ? d->name->length : 60), d->name->text);
    for (size_t i = first; i < out->parameter_count; i++)
        out->parameters[i].block_bytes = whole.size;
    return 0;
}

static void describe_storage(module *m, const declaration *d, parameter *p)
{
    layout whole = layout_of(m, d->type_from, d->type_to);
    const declaration *type = struct_of(m, d->type_from, d->type_to);
    p->is_read_only = true;
    for (size_t i = d->space_from; i < d->space_to; i++)
        if (token_among(&m->words.list[i], "read_write write"))
            p->is_read_only = false;
    p->element = whole.element;
    p->count = whole.is_array ? whole.count : 1;
    layout members;
    if (type && walk_struct(m, type, &members, NULL, NULL) && members.is_array) {
        struct_member last;
        (void)last;
        p->element = members.element;
        p->offset = members.offset;
        p->count = 0;
    }
}

static int add_variable(module *m, const declaration *d, signature *out)
{
    uint32_t set = attribute_number(m, d->attributes, d->from, "group");
    uint32_t binding = attribute_number(m, d->attributes, d->from, "binding");
    if (!find_attribute(m, d->attributes, d->from, "binding"))
        return 0; /* memory of the group, or private */
    if (set == UINT32_MAX || binding == UINT32_MAX)
        return reader_fail(m->reason, m->file, "the group or binding of %.*s is no number",
                           (int)(d->name->length < 60 ? d->name->length : 60), d->name->text);
    bool has_space = d->space_from < d->space_to;
    if (has_space && is_mark(m, d->space_from, "uniform"))
        return add_uniform(m, d, set, binding, out);
    parameter *p = signature_add(out);
    if (!p)
        return too_many(m, "parameters");
    token_copy(d->name, p->name, sizeof p->name);
    put_type(m, d->type_from, d->type_to, p->type, sizeof p->type);
    p->place = PLACE_BINDING;
    p->set = set;
    p->binding = binding;
    if (has_space && is_mark(m, d->space_from, "storage"))
        describe_storage(m, d, p);
    else
        p->kind = PARAMETER_NOT_SUPPORTED;
    return 0;
}

/* ---- overrides and the group size ---- */

/* Of an override without a type, its value tells it. */
static element_type override_type(module *m, const declaration *d)
{
    if (d->type_from < d->type_to)
        return layout_of(m, d->type_from, d->type_to).element;
    if (d->value_from < d->value_to) {
        const token *last = &m->words.list[d->value_to - 1];
        char end = last->length ? last->text[last->length - 1] : ' ';
        bool number = last->kind == TOKEN_NUMBER;
        if (token_among(last, "true false"))
            return plain(SCALAR_BOOL, 4, 1, 1).element;
        if (number && (memchr(last->text, '.', last->length) || end == 'f'))
            return plain(SCALAR_FLOAT, 4, 1, 1).element;
        if (number)
            return plain(end == 'u' ? SCALAR_UNSIGNED : SCALAR_SIGNED, 4, 1, 1).element;
    }
    return (element_type){0};
}

static int add_override(module *m, const declaration *d, signature *out)
{
    constant *made = signature_add_constant(out);
    if (!made)
        return too_many(m, "overrides");
    token_copy(d->name, made->name, sizeof made->name);
    uint32_t id = attribute_number(m, d->attributes, d->from, "id");
    made->id = id == UINT32_MAX ? SIGNATURE_NO_ID : id;
    made->type = override_type(m, d);
    made->has_value =
        d->value_from < d->value_to && evaluate(m, d->value_from, d->value_to, &made->value);
    if (!made->has_value)
        made->value = 0;
    return 0;
}

static int read_group_size(module *m, const declaration *d, signature *out)
{
    size_t at = find_attribute(m, d->attributes, d->from, "workgroup_size");
    if (!at || !is_mark(m, at - 1, "("))
        return reader_fail(m->reason, m->file, "kernel %s has no @workgroup_size", out->entry);
    size_t close = tokens_close(m->words.list, at - 1, d->from);
    for (unsigned i = 0; i < 3; i++) {
        size_t comma = tokens_comma(m->words.list, at, close);
        const declaration *named = find_declaration(m, &m->words.list[at]);
        out->group_size[i] = 1;
        if (at < close && comma == at + 1 && named && named->kind == DECLARATION_OVERRIDE) {
            out->group_size[i] = 0;
            for (size_t k = 0; k < out->constant_count; k++) {
                token name = {.text = out->constants[k].name,
                              .length = strlen(out->constants[k].name)};
                if (token_equal(named->name, &name))
                    out->group_constant[i] = (int)k;
            }
        } else if (at < close && comma == at + 1 &&
                   token_among(&m->words.list[at], "kt_group_x kt_group_y kt_group_z")) {
            out->group_size[i] = 0; /* the library's own: the host chooses */
        } else if (at < close) {
            uint32_t size = evaluate_count(m, at, comma);
            if (size == UINT32_MAX || size == 0)
                return reader_fail(m->reason, m->file,
                                   "kernel %s: @workgroup_size needs numbers or names of overrides",
                                   out->entry);
            out->group_size[i] = size;
        }
        at = comma < close ? comma + 1 : close;
    }
    return 0;
}

/* ---- how it uses them ---- */

static void see_uses(const module *m, const declaration *kernel, signature *out)
{
    const token *list = m->words.list;
    position positions[POSITIONS_MAX];
    size_t count = 0, body = kernel->from;
    for (; body < kernel->to && !token_is(&list[body], "{"); body++) {
        const token *t = &list[body];
        if (!token_is(t, "builtin") || body + 4 >= kernel->to || count == POSITIONS_MAX)
            continue;
        position_kind kind = token_is(t + 2, "global_invocation_id")             ? POSITION_GLOBAL
                             : token_among(t + 2, "workgroup_id num_workgroups") ? POSITION_GROUP
                                                                                 : POSITION_LOCAL;
        positions[count++] = (position){t[4], kind};
    }
    signature_see_uses(list, body, kernel->to, positions, count, out);
}

/* ---- the reader ---- */

static int wgsl_entries(const kernel_file *file, kernel_entries *out, char *reason)
{
    unsigned nesting = 0;
    module m = {.file = file, .reason = reason, .nesting = &nesting};
    int failed = read_module(&m);
    for (size_t i = 0; !failed && i < m.count; i++)
        if (is_kernel(&m, &m.list[i])) {
            char name[SIGNATURE_NAME_BYTES];
            token_copy(m.list[i].name, name, sizeof name);
            entries_add(out, name);
        }
    free_module(&m);
    return failed;
}

static int read_kernel(module *m, const declaration *kernel, signature *out)
{
    int failed = 0;
    use(m, kernel->attributes, kernel->to);
    for (size_t i = 0; i < m->count && !failed; i++)
        if (m->list[i].is_used && m->list[i].kind == DECLARATION_VARIABLE)
            failed = add_variable(m, &m->list[i], out);
        else if (m->list[i].is_used && m->list[i].kind == DECLARATION_OVERRIDE)
            failed = add_override(m, &m->list[i], out);
    signature_sort(out);
    see_uses(m, kernel, out);
    return failed ? failed : read_group_size(m, kernel, out);
}

static int wgsl_signature(const kernel_file *file, const char *entry, signature *out, char *reason)
{
    unsigned nesting = 0;
    module m = {.file = file, .reason = reason, .nesting = &nesting};
    token name = {.text = entry, .length = strlen(entry)};
    int failed = read_module(&m);
    if (!failed) {
        const declaration *kernel = find_declaration(&m, &name);
        failed = kernel && is_kernel(&m, kernel) ? read_kernel(&m, kernel, out)
                                                 : reader_no_entry(reason, file, entry);
    }
    free_module(&m);
    return failed;
}

const kernel_reader wgsl_reader = {wgsl_entries, wgsl_signature};
