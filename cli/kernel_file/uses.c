/* SPDX-License-Identifier: MIT */
/*
 * uses.c - what the text of a kernel tells about sizes that nobody gave.
 *
 * Bounds of expressions are polynomials of n, kept as their highest term: the number of a work-item
 * is n, what a name is ever set to bounds the name, sums take the larger one, products multiply. So
 * "A[i * width + k]" needs n * n elements. No control flow is followed: a bound may be too large, or
 * too small where an index comes from memory or from a function of the text.
 */
#include "cli/kernel_file/reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MAX   512
#define DEPTH_MAX   48
#define FACTOR_MAX  8192 /* larger numbers are no sizes, but make random ones */
#define GROUP_ITEMS 256
#define POWER_MAX   3
#define TOKENS_MAX  16384   /* a longer text is not read */
#define STEPS_MAX   1000000 /* then a text is left, which no kernel needs */
#define LOOPS_MAX   16
#define SWEEPS      3 /* names may be set after they are used, in a loop */

/* At most factor * n^power. */
typedef struct bound {
    unsigned power, factor;
    bool is_group;    /* the number of a group, which a group's size makes one of a work-item */
    bool is_position; /* its .y is the number in the second dimension */
    bool is_number;   /* of the text alone, so that its value is known: factor */
    bool is_data;     /* read from memory: integers there are below n, as they may be indices */
} bound;

typedef struct named {
    token name;
    bound value;
} named;

typedef struct text {
    const token *list;
    size_t from, end, at;
    signature *out;
    named names[NAMES_MAX];
    size_t name_count;
    unsigned depth;
    size_t steps; /* that are left */
} text;

static const bound one = {.factor = 1};
static const bound linear = {.power = 1, .factor = 1};

static void raise_parameter(parameter *p, bound to)
{
    if (to.power > p->power || (to.power == p->power && to.factor > p->factor)) {
        p->power = (uint8_t)to.power;
        p->factor = (uint16_t)to.factor;
    }
}

/* ---- names of counts ---- */

/* Copies the word at `*at` in small letters and moves behind it: "localMem_bytes" has three. */
static bool next_word(const char **at, char word[32])
{
    size_t length = 0;
    const char *p = *at;
    while (*p && !isalnum((unsigned char)*p))
        p++;
    while (isalnum((unsigned char)*p) && length + 1 < 32) {
        bool is_camel = length > 0 && isupper((unsigned char)*p) && islower((unsigned char)p[-1]);
        if (is_camel)
            break;
        word[length++] = (char)tolower((unsigned char)*p++);
    }
    word[length] = 0;
    *at = p;
    return length > 0;
}

static bool is_one_of(const char *word, const char *words)
{
    const token t = {.text = word, .length = strlen(word)};
    return token_among(&t, words);
}

/* "n", "size", "numItems", "data_len", "npoints" are counts; "tile_size" is a size of something
 * else. */
static bool tells_count(const char *name)
{
    static const char last[] = "n size count len length elements elems numel width height total "
                               "rows cols columns nx ny nz";
    static const char others[] =
        "block blocks tile tiles group groups local work warp warps wave waves thread threads "
        "filter mask window item element elem type chunk radius iterations iters steps rounds "
        "channels bins border";
    char word[32], latest[32] = "";
    bool is_first = true, is_count = false;
    if (strlen(name) == 1 && strchr("MNKWH", name[0]))
        return true;
    while (next_word(&name, word)) {
        size_t length = strlen(word);
        if (is_one_of(word, others) || (word[0] == 'n' && is_one_of(word + 1, others)))
            return false;
        is_count |=
            is_first && (is_one_of(word, "n num number no") || strncmp(word, "num", 3) == 0 ||
                         (length > 3 && word[0] == 'n' && word[length - 1] == 's'));
        is_first = false;
        memcpy(latest, word, sizeof latest);
    }
    return is_count || is_one_of(latest, last);
}

static bool is_integer(const element_type *type)
{
    return (type->scalar == SCALAR_SIGNED || type->scalar == SCALAR_UNSIGNED) && type->lanes <= 1;
}

bool parameter_is_count(const parameter *p)
{
    return p->kind == PARAMETER_VALUE && is_integer(&p->element) &&
           (p->is_bound || tells_count(p->name));
}

/* ---- bounds ---- */

static bound larger(bound a, bound b)
{
    bool first = a.power != b.power ? a.power > b.power : a.factor >= b.factor;
    bound made = first ? a : b;
    made.is_group = a.power == b.power ? a.is_group && b.is_group : made.is_group;
    made.is_position = a.is_position || b.is_position;
    made.is_number = a.is_number && b.is_number;
    made.is_data = a.is_data || b.is_data;
    return made;
}

static unsigned limited(uint64_t factor)
{
    return factor > FACTOR_MAX ? FACTOR_MAX : (unsigned)factor;
}

static bound smaller(bound a, bound b)
{
    return a.power < b.power || (a.is_number && b.is_number && a.factor < b.factor) ? a : b;
}

static bound sum(bound a, bound b)
{
    bound made = larger(a, b);
    if (a.power == b.power && (a.power || made.is_number))
        made.factor = limited((uint64_t)a.factor + b.factor);
    made.is_position = false;
    return made;
}

static bound product(bound a, bound b)
{
    bound made = {.power = a.power + b.power,
                  .factor = limited((uint64_t)a.factor * b.factor),
                  .is_number = a.is_number && b.is_number,
                  .is_data = a.is_data || b.is_data};
    /* A number is a group's size, or elements of each of n / 256 groups. */
    if ((a.is_group && !b.power) || (b.is_group && !a.power))
        made.factor = made.factor > GROUP_ITEMS ? made.factor / GROUP_ITEMS : 1;
    if (made.power > POWER_MAX)
        made.power = POWER_MAX;
    return made;
}

/* ---- names ---- */

static const token *at_token(const text *x, size_t at)
{
    static const token none = {.text = ""};
    return at < x->end && at >= x->from ? &x->list[at] : &none;
}

static bool is_at(const text *x, size_t at, const char *mark)
{
    return token_is(at_token(x, at), mark);
}

static void spend(text *x, size_t steps)
{
    x->steps -= steps < x->steps ? steps : x->steps;
}

static named *find_name(text *x, const token *name)
{
    spend(x, 1 + x->name_count / 8);
    for (size_t i = x->name_count; i-- > 0;)
        if (token_equal(&x->names[i].name, name))
            return &x->names[i];
    return NULL;
}

static void raise_name(text *x, const token *name, bound to)
{
    named *found = find_name(x, name);
    if (found) {
        found->value = larger(found->value, to);
    } else if (x->name_count < NAMES_MAX) {
        x->names[x->name_count++] = (named){*name, to};
    }
}

/* The parameter of that name: of "block.n" its last word, too. */
static parameter *find_parameter(const text *x, const token *name)
{
    for (size_t i = 0; name->kind == TOKEN_NAME && i < x->out->parameter_count; i++) {
        parameter *p = &x->out->parameters[i];
        const char *dot = strrchr(p->name, '.');
        if (token_is(name, p->name) || (dot && token_is(name, dot + 1)))
            return p;
    }
    return NULL;
}

static void see_dimension(text *x, unsigned dimension)
{
    if (x->out->dimensions < dimension)
        x->out->dimensions = (uint8_t)dimension;
}

/* Components of a position: .y and .xy have a second dimension. */
static void see_components(text *x, const token *t)
{
    if (strspn(t->text, "xyz") < t->length)
        return;
    if (memchr(t->text, 'z', t->length))
        see_dimension(x, 3);
    else if (memchr(t->text, 'y', t->length))
        see_dimension(x, 2);
}

/* ---- expressions ---- */

static bound read_sum(text *x, size_t end);

static size_t close_of(text *x, size_t open, size_t end)
{
    size_t close = tokens_close(x->list, open, end);
    spend(x, close - open);
    return close;
}

/* Operators that are no arithmetic have the larger operand. */
static bound read_any(text *x, size_t end)
{
    bound made = read_sum(x, end);
    while (x->at < end && x->steps) {
        bool is_mask = is_at(x, x->at, "&") && !is_at(x, x->at + 1, "&");
        size_t before = x->at++;
        bound next = read_sum(x, end);
        made = is_mask ? smaller(made, next) : larger(made, next);
        if (x->at <= before)
            x->at = before + 1;
    }
    return made;
}

/* Work-items that OpenCL C, CUDA C and GLSL know by name. */
static bool read_builtin(text *x, const token *name, bound *out)
{
    bool has_dimension = is_at(x, x->at, "(") && is_at(x, x->at + 2, ")");
    const token *number = at_token(x, x->at + 1);
    *out = linear;
    if (token_among(name, "get_global_id get_group_id get_local_id") && has_dimension)
        see_dimension(x, token_is(number, "2") ? 3 : token_is(number, "1") ? 2 : 1);
    if (token_among(name, "get_global_id get_global_size get_global_linear_id"))
        return true;
    out->is_position = token_among(name, "gl_GlobalInvocationID gl_WorkGroupID blockIdx threadIdx "
                                         "gl_LocalInvocationID");
    if (token_is(name, "gl_GlobalInvocationID"))
        return true;
    out->is_group = true;
    if (token_among(name, "get_group_id get_num_groups blockIdx gridDim gl_WorkGroupID "
                          "gl_NumWorkGroups"))
        return true;
    *out = (bound){.factor = 1, .is_position = out->is_position};
    return token_among(name, "get_local_id get_local_size threadIdx blockDim gl_LocalInvocationID "
                             "gl_WorkGroupSize gl_LocalInvocationIndex");
}

/* f(a, b): products and limits that all languages have, else the largest argument. */
static bound read_call(text *x, const token *name)
{
    size_t close = close_of(x, x->at, x->end);
    bound made = one;
    bool is_first = true, is_product = token_among(name, "mul24 __mul24 __umul24 mad24 mad fma");
    x->at++;
    for (size_t i = 0; x->at < close && x->steps; i++) {
        size_t comma = tokens_comma(x->list, x->at, close);
        spend(x, comma - x->at);
        bound next = read_any(x, comma);
        if (is_first)
            made = next;
        else if (token_among(name, "min clamp"))
            made = smaller(made, next);
        else if (is_product && i == 1)
            made = product(made, next);
        else
            made = sum(larger(made, next), one);
        is_first = false;
        x->at = comma + 1;
    }
    x->at = close + 1;
    made.is_group = false;
    return made;
}

/* What follows a name: .x, ->x, [i]. An element of memory has no bound. */
static bound read_members(text *x, const token *name, bound value, size_t end)
{
    const token *last = name;
    while (x->at < end) {
        bool is_arrow = is_at(x, x->at, "-") && is_at(x, x->at + 1, ">");
        if (is_at(x, x->at, "[")) {
            size_t close = close_of(x, x->at, end);
            parameter *p = find_parameter(x, last);
            x->at++;
            bound index = read_any(x, close < end ? close : end);
            if (p && (p->kind == PARAMETER_BUFFER || p->kind == PARAMETER_LOCAL))
                raise_parameter(p, index);
            value = p && p->kind == PARAMETER_BUFFER && is_integer(&p->element) ? linear : one;
            value.is_data = true;
            x->at = close + 1;
        } else if (is_arrow || (is_at(x, x->at, ".") && x->at + 1 < end)) {
            x->at += is_arrow ? 2 : 1;
            last = at_token(x, x->at++);
            parameter *p = find_parameter(x, last);
            if (value.is_position)
                see_components(x, last);
            value.is_position = false;
            if (p && parameter_is_count(p))
                value = linear;
            if (token_is(last, "length") && is_at(x, x->at, "("))
                value = linear;
            if (is_at(x, x->at, "("))
                x->at = close_of(x, x->at, x->end) + 1;
        } else {
            break;
        }
    }
    return value;
}

static bound read_name(text *x, size_t end)
{
    const token *name = at_token(x, x->at++);
    bound value = one;
    named *set = find_name(x, name);
    parameter *p = find_parameter(x, name);
    if (read_builtin(x, name, &value)) {
        if (is_at(x, x->at, "("))
            x->at = close_of(x, x->at, x->end) + 1;
    } else if (token_is(name, "arrayLength") && is_at(x, x->at, "(")) {
        value = linear;
        x->at = close_of(x, x->at, x->end) + 1;
    } else if (is_at(x, x->at, "(")) {
        value = read_call(x, name);
    } else if (set) {
        value = set->value;
    } else if (p && parameter_is_count(p)) {
        value = linear;
    } else if (p && p->kind == PARAMETER_VALUE && is_integer(&p->element)) {
        value.is_number = true; /* it is guessed as 1 */
    }
    return read_members(x, name, value, end);
}

static bound read_number(const token *t)
{
    char digits[24];
    token_copy(t, digits, sizeof digits);
    double value = strtod(digits, NULL);
    bool is_size = value >= 1 && value <= FACTOR_MAX;
    return (bound){.factor = is_size ? (unsigned)value : 1, .is_number = true};
}

/* Whether brackets hold a type: "(const float *)x". */
static bool is_cast(text *x, size_t open, size_t close)
{
    spend(x, 1);
    for (size_t i = open + 1; i < close; i++)
        if (x->list[i].kind != TOKEN_NAME && !token_is(&x->list[i], "*"))
            return false;
    const token *next = at_token(x, close + 1);
    return close > open + 1 &&
           (next->kind == TOKEN_NAME || next->kind == TOKEN_NUMBER || token_is(next, "("));
}

static bound read_operand(text *x, size_t end)
{
    bound value = one;
    while (x->at < end && token_among(at_token(x, x->at), "- + ! ~ * &"))
        x->at++;
    spend(x, 1);
    if (x->at >= end || !x->steps || ++x->depth > DEPTH_MAX) {
        x->at = end;
        return value;
    }
    const token *t = at_token(x, x->at);
    if (token_is(t, "(")) {
        size_t close = close_of(x, x->at, end);
        bool is_type = is_cast(x, x->at, close);
        x->at++;
        value = is_type ? one : read_any(x, close);
        x->at = close + 1;
        value = is_type ? read_operand(x, end) : read_members(x, t, value, end);
    } else if (t->kind == TOKEN_NAME) {
        value = read_name(x, end);
    } else if (t->kind == TOKEN_NUMBER) {
        value = read_number(t);
        x->at++;
    } else {
        x->at++;
    }
    x->depth--;
    return value;
}

static bound read_product(text *x, size_t end)
{
    bound made = read_operand(x, end);
    while (x->at < end && x->steps) {
        bool is_shift = is_at(x, x->at, "<") && is_at(x, x->at + 1, "<");
        const token *t = at_token(x, x->at);
        if (is_shift || token_among(t, "* / %")) {
            x->at += is_shift ? 2 : 1;
            bound next = read_operand(x, end);
            if (is_shift)
                made = product(made, (bound){.factor = 1U << (next.factor < 12 ? next.factor : 0),
                                             .is_number = next.is_number});
            else if (token_is(t, "*"))
                made = product(made, next);
            else if (token_is(t, "%"))
                made = smaller(made, next);
            else if (next.power && made.power)
                made.power = made.power > next.power ? made.power - next.power : 0;
        } else {
            break;
        }
    }
    return made;
}

static bound read_sum(text *x, size_t end)
{
    bound made = read_product(x, end);
    while (x->at < end && token_among(at_token(x, x->at), "+ -")) {
        bool minus = is_at(x, x->at, "-");
        x->at++;
        bound next = read_product(x, end);
        made = minus ? larger(made, (bound){.power = next.power, .factor = 1}) : sum(made, next);
    }
    return made;
}

/* ---- statements ---- */

/* Ends of an expression that begins at `at`. */
static size_t end_of(text *x, size_t at, const char *marks)
{
    size_t from = at;
    for (; at < x->end && !token_among(&x->list[at], marks); at++)
        if (token_among(&x->list[at], "( [ {")) {
            size_t close = close_of(x, at, x->end);
            at = close < x->end ? close : at;
        }
    spend(x, at - from);
    return at;
}

static bound bound_of(text *x, size_t from, size_t to)
{
    x->at = from;
    x->depth = 0;
    return from < to ? read_any(x, to) : one;
}

/* A loop: its header, its body, and how often it runs at most. */
typedef struct loop {
    size_t header_end, end;
    bound count;
} loop;

/* NAME = ..., NAME += ..., and NAME < ... of a loop's header. */
static void see_name(text *x, size_t at, loop *in)
{
    const token *name = &x->list[at];
    bool is_member = at > x->from && token_among(&x->list[at - 1], ". >");
    size_t value = at + 1;
    if (is_member || (find_parameter(x, name) && !find_name(x, name)))
        return;
    if (is_at(x, at + 1, ":")) /* WGSL: let i : u32 = ... */
        value = end_of(x, at + 1, "= ; , )");
    bool adds = token_among(at_token(x, value), "+ |") && is_at(x, value + 1, "=");
    bool is_set = is_at(x, value, "=") && !is_at(x, value + 1, "=");
    bool is_limit = at < in->header_end && is_at(x, at + 1, "<") && !is_at(x, at + 2, "<");
    if (!is_set && !adds && !is_limit)
        return;
    value += is_limit ? 1U + is_at(x, at + 2, "=") : adds ? 2U : 1U;
    bound to = bound_of(x, value, end_of(x, value, "; , ) } &"));
    if (is_limit)
        in->count = to;
    else if (adds && at > in->header_end && at < in->end)
        to = sum(to, product(to, in->count));
    raise_name(x, name, to);
}

static void sweep_names(text *x)
{
    loop loops[LOOPS_MAX] = {{0}};
    size_t depth = 0;
    for (size_t at = x->from; at < x->end && x->steps; at++) {
        while (depth > 0 && at >= loops[depth].end)
            depth--;
        if (token_is(&x->list[at], "for") && is_at(x, at + 1, "(") && depth + 1 < LOOPS_MAX) {
            size_t header_end = close_of(x, at + 1, x->end), end = header_end + 1;
            end = is_at(x, end, "{") ? close_of(x, end, x->end) : end_of(x, end, ";");
            loops[++depth] = (loop){header_end, end, one};
        }
        if (x->list[at].kind == TOKEN_NAME)
            see_name(x, at, &loops[depth]);
    }
}

/* Where the operand in front of an operator begins. */
static size_t begin_of(text *x, size_t at)
{
    unsigned depth = 0;
    size_t from = at;
    while (at > x->from) {
        const token *t = &x->list[at - 1];
        bool is_open = token_among(t, "( [");
        if (depth == 0 && (is_open || token_among(t, "; { } & | , ! ? : = return")))
            break;
        if (is_open)
            depth--;
        else if (token_among(t, ") ]"))
            depth++;
        at--;
    }
    spend(x, from - at);
    return at;
}

static bool is_work_item(bound value)
{
    return value.power > 0 && !value.is_data;
}

/* < or > at `at`, no shift and no arrow. */
static bool compares_at(const text *x, size_t at)
{
    return token_among(at_token(x, at), "< >") && !token_among(at_token(x, at + 1), "< >") &&
           (at == x->from || !token_among(at_token(x, at - 1), "< > -"));
}

/* Whether a work-item's number is compared with the parameter at `at`. */
static bool is_compared(text *x, size_t at)
{
    size_t before = at, behind = end_of(x, at + 1, "< > ; , ) & | ? { = !");
    while (before > x->from && (token_among(&x->list[before - 1], "( .") || is_at(x, before, ".")))
        before--; /* "block.n", "(n)" */
    before -= before > x->from && is_at(x, before - 1, "=");
    if (before > x->from && compares_at(x, before - 1) &&
        is_work_item(bound_of(x, begin_of(x, before - 1), before - 1)))
        return true;
    if (!compares_at(x, behind))
        return false;
    behind += is_at(x, behind + 1, "=") ? 2 : 1;
    return is_work_item(bound_of(x, behind, end_of(x, behind, "; , ) & | ? {")));
}

static void sweep_bounds(text *x)
{
    for (size_t at = x->from; at < x->end && x->steps; at++) {
        parameter *p = find_parameter(x, &x->list[at]);
        if (p && p->kind == PARAMETER_VALUE && !p->is_bound && !find_name(x, &x->list[at]))
            p->is_bound = is_compared(x, at);
    }
}

/* Looks at each index and address, and at each position. */
static void sweep_indices(text *x)
{
    for (size_t at = x->from; at < x->end && x->steps; at++) {
        if (x->list[at].kind != TOKEN_NAME)
            continue;
        x->at = at;
        x->depth = 0;
        read_name(x, x->end);
        parameter *p = find_parameter(x, &x->list[at]);
        if (p && p->kind == PARAMETER_BUFFER && is_at(x, at + 1, "+")) { /* A + i * width */
            size_t from = at + 2 + is_at(x, at + 2, "=");
            bound offset = bound_of(x, from, end_of(x, from, "; , ) ] }"));
            raise_parameter(p, offset);
        }
    }
}

/* Whether each bracket is closed, so that a search for its end ends soon. */
static bool is_balanced(const token *list, size_t from, size_t to)
{
    size_t depth = 0;
    for (size_t i = from; i < to; i++)
        if (token_among(&list[i], "( [ {"))
            depth++;
        else if (token_among(&list[i], ") ] }") && depth-- == 0)
            return false;
    return depth == 0;
}

void signature_see_uses(const token *list, size_t from, size_t to, const position *positions,
                        size_t count, signature *out)
{
    text *x = from < to && to - from <= TOKENS_MAX && is_balanced(list, from, to)
                  ? calloc(1, sizeof *x)
                  : NULL;
    if (!x)
        return; /* guesses are poorer */
    x->list = list;
    x->from = from;
    x->end = to;
    x->out = out;
    x->steps = STEPS_MAX;
    for (size_t i = 0; i < count; i++)
        raise_name(x, &positions[i].name,
                   (bound){.power = positions[i].kind != POSITION_LOCAL,
                           .factor = 1,
                           .is_group = positions[i].kind == POSITION_GROUP,
                           .is_position = true});
    for (unsigned i = 0; i < SWEEPS; i++) {
        sweep_names(x);
        sweep_bounds(x);
    }
    sweep_indices(x);
    free(x);
}
