/* SPDX-License-Identifier: MIT */
#include "cli/kernel_file/tokens.h"

#include <stdlib.h>
#include <string.h>

#define MACROS_MAX     1024
#define CONDITIONS_MAX 64
#define DEPTH_MAX      8     /* of macros within macros */
#define EXPANDED_MAX   32768 /* tokens that macros may add */
#define MACRO_MAX      512   /* and one use of a macro */

/* What compilers define, as far as texts ask for it. */
static const char predefined[] = "__OPENCL_VERSION__ __OPENCL_C_VERSION__ cl_khr_fp64 cl_khr_fp16 "
                                 "__CUDACC__ __CUDA_ARCH__ __cplusplus __METAL_VERSION__";

typedef struct macro {
    token name;
    const char *body;
    size_t length;
    bool is_plain; /* without arguments */
} macro;

typedef struct condition {
    bool outer, taken; /* whether what is around it counts; whether a branch was taken */
    bool is_zero;      /* the branch at hand is that of #if 0 */
} condition;

typedef struct reader {
    const char *text, *end;
    token_dialect dialect;
    bool keeps_all;
    tokens *out;
    macro *macros;
    size_t macro_count;
    condition conditions[CONDITIONS_MAX];
    size_t condition_count, too_deep;
    size_t zeros; /* branches of #if 0 around */
    bool is_off, no_memory;
    size_t expanded, expanded_here; /* tokens that came of macros, and of the one at hand */
} reader;

bool token_is(const token *t, const char *text)
{
    return t->length == strlen(text) && memcmp(t->text, text, t->length) == 0;
}

bool token_among(const token *t, const char *words)
{
    for (const char *at = words; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (length > 0 && length == t->length && memcmp(at, t->text, length) == 0)
            return true;
        at += length;
    }
    return false;
}

bool token_equal(const token *a, const token *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

void token_copy(const token *t, char *text, size_t bytes)
{
    size_t length = t->length < bytes ? t->length : bytes - 1;
    memcpy(text, t->text, length);
    text[length] = '\0';
}

/* ---- characters ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80 || is_digit(c);
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

/* Ends behind a comment that begins at `at`; WGSL's comments nest. */
static const char *skip_comment(const char *at, const char *end, token_dialect dialect)
{
    if (at[1] == '/') {
        while (at < end && *at != '\n')
            at++;
        return at;
    }
    size_t depth = 1;
    for (at += 2; at < end && depth > 0; at++) {
        bool two = at + 1 < end;
        if (two && at[0] == '*' && at[1] == '/') {
            depth--;
            at++;
        } else if (two && at[0] == '/' && at[1] == '*' && dialect == TOKENS_WGSL) {
            depth++;
            at++;
        }
    }
    return at;
}

static bool is_comment(const char *at, const char *end)
{
    return at + 1 < end && at[0] == '/' && (at[1] == '/' || at[1] == '*');
}

static const char *skip_string(const char *at, const char *end)
{
    char quote = *at++;
    for (; at < end && *at != quote && *at != '\n'; at++)
        if (*at == '\\' && at + 1 < end)
            at++;
    return at < end ? at + 1 : end;
}

static const char *skip_number(const char *at, const char *end)
{
    const char *begin = at;
    for (; at < end; at++) {
        bool exponent = (*at == '+' || *at == '-') && at > begin && strchr("eEpP", at[-1]) &&
                        !(begin[0] == '0' && (begin[1] == 'x' || begin[1] == 'X') &&
                          (at[-1] == 'e' || at[-1] == 'E'));
        if (!is_name(*at) && *at != '.' && !exponent)
            break;
    }
    return at;
}

/* Behind white space, comments, and backslashes at the end of a line. */
static const char *skip_space(const char *at, const char *end, token_dialect dialect)
{
    while (at < end) {
        if (is_comment(at, end))
            at = skip_comment(at, end, dialect);
        else if (is_space(*at) || (*at == '\\' && dialect == TOKENS_C))
            at++;
        else
            break;
    }
    return at;
}

/* Reads the token at `at`, which is no space, and returns what is behind it. */
static const char *read_token(const char *at, const char *end, token_dialect dialect, token *out)
{
    const char *begin = at;
    *out = (token){.kind = TOKEN_MARK, .text = begin};
    if (is_digit(*at) || (*at == '.' && at + 1 < end && is_digit(at[1]))) {
        out->kind = TOKEN_NUMBER;
        at = skip_number(at, end);
    } else if (is_name(*at)) {
        out->kind = TOKEN_NAME;
        while (at < end && is_name(*at))
            at++;
    } else if (*at == '"' || (*at == '\'' && dialect == TOKENS_C)) {
        out->kind = TOKEN_STRING;
        at = skip_string(at, end);
    } else {
        at += at + 1 < end && at[0] == ':' && at[1] == ':' ? 2 : 1;
    }
    out->length = (size_t)(at - begin);
    return at;
}

/* ---- the list ---- */

static bool put_token(reader *r, token next)
{
    tokens *out = r->out;
    if (out->count + 1 >= out->capacity) { /* the last one is for TOKEN_END */
        size_t capacity = out->capacity ? 2 * out->capacity : 256;
        token *list = realloc(out->list, capacity * sizeof *list);
        if (!list) {
            r->no_memory = true;
            return false;
        }
        out->list = list;
        out->capacity = capacity;
    }
    out->list[out->count++] = next;
    return true;
}

static const macro *find_macro(const reader *r, const token *name)
{
    for (size_t i = r->macro_count; i-- > 0;)
        if (token_equal(&r->macros[i].name, name))
            return &r->macros[i];
    return NULL;
}

/* Adds a token, or what stands for it. */
static void put_expanded(reader *r, token next, unsigned depth)
{
    const macro *found = next.kind == TOKEN_NAME && r->macro_count && depth < DEPTH_MAX
                             ? find_macro(r, &next)
                             : NULL;
    if (r->is_off && (!r->keeps_all || r->zeros))
        return;
    if (depth == 0)
        r->expanded_here = 0;
    if (!found || !found->is_plain || r->expanded >= EXPANDED_MAX) {
        put_token(r, next);
        return;
    }
    const char *at = found->body, *end = found->body + found->length;
    while ((at = skip_space(at, end, r->dialect)) < end && r->expanded < EXPANDED_MAX &&
           r->expanded_here < MACRO_MAX) {
        token part;
        at = read_token(at, end, r->dialect, &part);
        r->expanded++;
        r->expanded_here++;
        if (token_equal(&part, &next)) /* a macro that names itself stays */
            put_token(r, part);
        else
            put_expanded(r, part, depth + 1);
    }
}

/* ---- preprocessor ---- */

static bool look_up_macro(const void *context, const token *name, double *value)
{
    const reader *r = context;
    const macro *found = find_macro(r, name);
    *value = 0; /* as C has it of a name without a definition */
    if (found) {
        token number;
        const char *end = found->body + found->length;
        const char *at = skip_space(found->body, end, r->dialect);
        if (at == end)
            return false;
        read_token(at, end, r->dialect, &number);
        return number.kind == TOKEN_NUMBER && tokens_evaluate(&number, 0, 1, NULL, NULL, value);
    }
    return true;
}

static bool is_defined(const reader *r, const token *name)
{
    return find_macro(r, name) || token_among(name, predefined);
}

/* Puts 1 or 0 for "defined NAME" and "defined(NAME)", in place. */
static size_t replace_defined(const reader *r, token *list, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!token_is(&list[i], "defined") || i + 1 == count) {
            list[kept++] = list[i];
            continue;
        }
        bool brackets = token_is(&list[i + 1], "(") && i + 3 < count;
        const token *name = &list[i + 1 + brackets];
        token value = {.kind = TOKEN_NUMBER, .text = is_defined(r, name) ? "1" : "0", .length = 1};
        i += brackets ? 3 : 1;
        list[kept++] = value;
    }
    return kept;
}

/* Whether a condition holds; one that the text alone does not decide does. */
static bool is_true(const reader *r, const char *at, const char *end)
{
    token list[64];
    size_t count = 0;
    while ((at = skip_space(at, end, TOKENS_C)) < end) {
        if (count == sizeof list / sizeof list[0])
            return true;
        at = read_token(at, end, TOKENS_C, &list[count++]);
    }
    double value;
    count = replace_defined(r, list, count);
    return !tokens_evaluate(list, 0, count, look_up_macro, r, &value) || value != 0;
}

static void begin_condition(reader *r, bool holds, bool is_zero)
{
    if (r->condition_count == CONDITIONS_MAX) {
        r->too_deep++;
        return;
    }
    r->conditions[r->condition_count++] =
        (condition){.outer = !r->is_off, .taken = holds, .is_zero = is_zero};
    r->is_off |= !holds;
    r->zeros += is_zero;
}

static void end_branch(reader *r, condition *now)
{
    r->zeros -= now->is_zero;
    now->is_zero = false;
}

static void next_branch(reader *r, bool holds)
{
    if (r->too_deep || !r->condition_count)
        return;
    condition *now = &r->conditions[r->condition_count - 1];
    end_branch(r, now);
    r->is_off = !now->outer || now->taken || !holds;
    now->taken |= holds;
}

static void end_condition(reader *r)
{
    if (r->too_deep) {
        r->too_deep--;
    } else if (r->condition_count) {
        condition *now = &r->conditions[--r->condition_count];
        end_branch(r, now);
        r->is_off = !now->outer;
    }
}

static void define(reader *r, const char *at, const char *end)
{
    if (r->is_off || r->macro_count == MACROS_MAX || at == end || !is_name(*at) || is_digit(*at))
        return;
    macro *made = &r->macros[r->macro_count];
    at = read_token(at, end, TOKENS_C, &made->name);
    made->is_plain = at == end || *at != '(';
    made->body = at;
    made->length = (size_t)(end - at);
    r->macro_count++;
}

static void undefine(reader *r, const token *name)
{
    for (size_t i = 0; i < r->macro_count && !r->is_off; i++)
        if (token_equal(&r->macros[i].name, name))
            r->macros[i] = r->macros[--r->macro_count];
}

/* A line behind its #. */
static void read_directive(reader *r, const char *at, const char *end)
{
    token word, name = {0};
    at = skip_space(at, end, TOKENS_C);
    if (at == end)
        return;
    at = skip_space(read_token(at, end, TOKENS_C, &word), end, TOKENS_C);
    if (at < end)
        read_token(at, end, TOKENS_C, &name);
    if (token_is(&word, "define"))
        define(r, at, end);
    else if (token_is(&word, "undef"))
        undefine(r, &name);
    else if (token_is(&word, "ifdef"))
        begin_condition(r, is_defined(r, &name), false);
    else if (token_is(&word, "ifndef"))
        begin_condition(r, !is_defined(r, &name), false);
    else if (token_is(&word, "if"))
        begin_condition(r, is_true(r, at, end), token_is(&name, "0"));
    else if (token_is(&word, "elif"))
        next_branch(r, is_true(r, at, end));
    else if (token_is(&word, "else"))
        next_branch(r, true);
    else if (token_is(&word, "endif"))
        end_condition(r);
}

/* The end of a line that a backslash may continue. */
static const char *line_end(const char *at, const char *end)
{
    for (; at < end && *at != '\n'; at++) {
        if (*at == '\\' && at + 1 < end)
            at += at[1] == '\r' && at + 2 < end ? 2 : 1;
        else if (is_comment(at, end) && at[1] == '*')
            at = skip_comment(at, end, TOKENS_C) - 1;
    }
    return at < end ? at : end;
}

static void read_all(reader *r)
{
    const char *at = r->text;
    bool at_line = true; /* only space stands in front of it */
    while (at < r->end && !r->no_memory) {
        const char *before = at;
        at = skip_space(at, r->end, r->dialect);
        at_line |= memchr(before, '\n', (size_t)(at - before)) != NULL;
        if (at == r->end)
            break;
        if (*at == '#' && at_line && r->dialect == TOKENS_C) {
            const char *end = line_end(at, r->end);
            read_directive(r, at + 1, end);
            at = end;
            continue;
        }
        token next;
        at = read_token(at, r->end, r->dialect, &next);
        at_line = false;
        put_expanded(r, next, 0);
    }
}

/* "NAME=VALUE"; as compilers have it, a name alone is 1. */
static void define_text(reader *r, const char *text)
{
    size_t length = strcspn(text, "=");
    if (r->macro_count == MACROS_MAX || !length)
        return;
    const char *value = text[length] ? text + length + 1 : "1";
    r->macros[r->macro_count++] =
        (macro){.name = {.kind = TOKEN_NAME, .text = text, .length = length},
                .body = value,
                .length = strlen(value),
                .is_plain = true};
}

bool tokens_read_defined(const char *text, size_t bytes, token_dialect dialect,
                         const char *const *defines, size_t define_count, tokens *out)
{
    *out = (tokens){0};
    reader r = {.text = text, .end = text + bytes, .dialect = dialect, .out = out};
    r.keeps_all = dialect == TOKENS_C_ALL;
    if (r.keeps_all)
        dialect = r.dialect = TOKENS_C;
    r.macros = dialect == TOKENS_C ? malloc(MACROS_MAX * sizeof *r.macros) : NULL;
    r.no_memory = dialect == TOKENS_C && !r.macros;
    for (size_t i = 0; r.macros && i < define_count; i++)
        define_text(&r, defines[i]);
    read_all(&r);
    r.is_off = false;
    if (!r.no_memory && put_token(&r, (token){.kind = TOKEN_END, .text = text + bytes}))
        out->count--;
    free(r.macros);
    return !r.no_memory;
}

bool tokens_read(const char *text, size_t bytes, token_dialect dialect, tokens *out)
{
    return tokens_read_defined(text, bytes, dialect, NULL, 0, out);
}

void tokens_free(tokens *words)
{
    free(words->list);
    *words = (tokens){0};
}

/* ---- brackets ---- */

static int opens(const token *t)
{
    return t->kind == TOKEN_MARK && t->length == 1 ? (strchr("([{", *t->text) ? 1 : 0) : 0;
}

static int closes(const token *t)
{
    return t->kind == TOKEN_MARK && t->length == 1 ? (strchr(")]}", *t->text) ? 1 : 0) : 0;
}

size_t tokens_close(const token *list, size_t open, size_t end)
{
    bool angle = token_is(&list[open], "<");
    size_t depth = 0, angles = 0;
    for (size_t i = open; i < end; i++) {
        if (opens(&list[i])) {
            depth++;
        } else if (closes(&list[i])) {
            if (depth == 0)
                return end;
            if (--depth == 0 && !angle)
                return i;
        } else if (angle && depth == 0 && token_is(&list[i], "<")) {
            angles++;
        } else if (angle && depth == 0 && token_is(&list[i], ">") && --angles == 0) {
            return i;
        }
    }
    return end;
}

size_t tokens_comma(const token *list, size_t at, size_t end)
{
    for (; at < end && !token_is(&list[at], ","); at++)
        if (opens(&list[at]) || token_is(&list[at], "<")) {
            size_t close = tokens_close(list, at, end);
            if (close < end)
                at = close;
        }
    return at;
}

/* ---- expressions ---- */

typedef struct evaluation {
    const token *list;
    size_t at, end;
    token_lookup lookup;
    const void *context;
    unsigned depth;
    bool is_float; /* one of its numbers is: a division is exact */
    bool failed;
} evaluation;

static double evaluate_rank(evaluation *e, unsigned rank);

static bool take(evaluation *e, const char *mark)
{
    size_t length = strlen(mark);
    if (e->end - e->at < length)
        return false;
    for (size_t i = 0; i < length; i++) {
        const token *t = &e->list[e->at + i];
        if (t->length != 1 || *t->text != mark[i] || t->text != e->list[e->at].text + i)
            return false;
    }
    e->at += length;
    return true;
}

static bool read_number(const token *t, double *value)
{
    char text[64], *end;
    if (t->length >= sizeof text)
        return false;
    token_copy(t, text, sizeof text);
    *value = strtod(text, &end);
    size_t suffix = strspn(end, "uUlLfFhHi");
    bool octal = text[0] == '0' && is_digit(text[1]) && !strpbrk(text, ".eE");
    if (octal)
        *value = (double)strtoull(text, NULL, 8);
    return end[suffix] == '\0' && *value - *value == 0;
}

static double evaluate_operand(evaluation *e)
{
    double value = 0;
    const token *t = &e->list[e->at];
    if (e->failed || e->at >= e->end || ++e->depth > 64) {
        e->failed = true;
        return 0;
    }
    if (take(e, "-")) {
        value = -evaluate_operand(e);
    } else if (take(e, "+")) {
        value = evaluate_operand(e);
    } else if (take(e, "!")) {
        value = evaluate_operand(e) == 0;
    } else if (take(e, "(")) {
        value = evaluate_rank(e, 0);
        e->failed |= !take(e, ")");
    } else if (t->kind == TOKEN_NUMBER) {
        e->at++;
        e->failed |= !read_number(t, &value);
        e->is_float |= memchr(t->text, '.', t->length) != NULL;
    } else if (t->kind == TOKEN_NAME) {
        e->at++;
        if (token_among(t, "u32 i32 f32 f16 uint int float") && take(e, "(")) {
            value = evaluate_rank(e, 0);
            e->failed |= !take(e, ")");
        } else if (token_among(t, "true false")) {
            value = token_is(t, "true");
        } else {
            e->failed |= !e->lookup || !e->lookup(e->context, t, &value);
        }
    } else {
        e->failed = true;
    }
    if (e->depth > 0)
        e->depth--;
    return value;
}

/* Division of whole numbers rounds towards zero; what is beyond 2^53 is no size. */
static double divide(evaluation *e, double a, double b)
{
    if (b == 0) {
        e->failed = true;
        return 0;
    }
    double exact = a / b;
    bool whole = !e->is_float && a < 9e15 && a > -9e15 && b < 9e15 && b > -9e15 &&
                 a == (double)(int64_t)a && b == (double)(int64_t)b;
    int64_t rounded = whole ? (int64_t)a / (int64_t)b : 0;
    return whole ? (double)rounded : exact;
}

static double remainder_of(evaluation *e, double a, double b)
{
    if (!(a < 9e15 && a > -9e15 && b < 9e15 && b > -9e15) || (int64_t)b == 0) {
        e->failed = true;
        return 0;
    }
    return (double)((int64_t)a % (int64_t)b);
}

static double shift(evaluation *e, double a, double b, bool left)
{
    if (!(a >= 0 && a < 4294967296.0 && b >= 0 && b < 32)) {
        e->failed = true;
        return 0;
    }
    return (double)(left ? (uint64_t)a << (unsigned)b : (uint64_t)a >> (unsigned)b);
}

static double apply(evaluation *e, const char *mark, double a, double b)
{
    switch (mark[0]) {
    case '|': return a != 0 || b != 0;
    case '&': return a != 0 && b != 0;
    case '=': return a == b;
    case '!': return a != b;
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/': return divide(e, a, b);
    case '%': return remainder_of(e, a, b);
    case '<': return mark[1] == '<' ? shift(e, a, b, true) : mark[1] == '=' ? a <= b : a < b;
    default: return mark[1] == '>' ? shift(e, a, b, false) : mark[1] == '=' ? a >= b : a > b;
    }
}

static double evaluate_rank(evaluation *e, unsigned rank)
{
    static const char *const marks[][5] = {
        {"||"},       {"&&"},     {"==", "!="},   {"<=", ">=", "<", ">"},
        {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
    if (rank == sizeof marks / sizeof marks[0])
        return evaluate_operand(e);
    double value = evaluate_rank(e, rank + 1);
    while (!e->failed) {
        unsigned i = 0;
        bool shifts = rank == 3 && e->at + 1 < e->end &&
                      (token_is(&e->list[e->at], "<") || token_is(&e->list[e->at], ">")) &&
                      token_equal(&e->list[e->at], &e->list[e->at + 1]);
        while (!shifts && i < 5 && marks[rank][i] && !take(e, marks[rank][i]))
            i++;
        if (shifts || i == 5 || !marks[rank][i])
            break;
        double right = evaluate_rank(e, rank + 1);
        if (!e->failed)
            value = apply(e, marks[rank][i], value, right);
    }
    return value;
}

bool tokens_evaluate(const token *list, size_t at, size_t end, token_lookup lookup,
                     const void *context, double *value)
{
    evaluation e = {.list = list, .at = at, .end = end, .lookup = lookup, .context = context};
    *value = evaluate_rank(&e, 0);
    return !e.failed && e.at == e.end && *value - *value == 0;
}
