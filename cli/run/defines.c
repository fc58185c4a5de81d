/* SPDX-License-Identifier: MIT */
/* defines.c - values of -D: "TILE=8,16,32", "WPT=1..8" (doubling), "PAD=0:32:8". */
#include "cli/options/suggest.h"
#include "cli/run/specification.h"
#include "cli/run/subject.h"
#include "cli/terminal/terminal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

static int refuse(const char *text, const char *format, const char *word)
{
    char why[512];
    snprintf(why, sizeof why, format, word);
    terminal_sayf("kerntime run", "-D %.50s%s: %s", text, strlen(text) > 50 ? "..." : "", why);
    return EXIT_USAGE;
}

/* ---- values ---- */

/* Makes room for one more value: doubles it at each power of two. */
static bool make_room(run_define *define)
{
    size_t count = define->value_count, room = count ? 2 * count : 1;
    if (count & (count - 1))
        return true;
    char **values = realloc(define->values, room * sizeof *values);
    if (values)
        define->values = values;
    int64_t *numbers = realloc(define->numbers, room * sizeof *numbers);
    if (numbers)
        define->numbers = numbers;
    return values && numbers;
}

/* Adds a value, unless it is among the first `before` values. */
static int add_value(run_define *define, const char *text, size_t length, size_t before)
{
    for (size_t i = 0; i < before; i++)
        if (strlen(define->values[i]) == length && memcmp(define->values[i], text, length) == 0)
            return EXIT_DONE;
    char reason[EXPRESSION_REASON_BYTES], *copy = malloc(length + 1);
    if (!make_room(define) || !copy) {
        free(copy);
        return run_out();
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    int64_t *number = &define->numbers[define->value_count];
    if (expression_evaluate(copy, NULL, NULL, number, reason) != 0)
        *number = INT64_MIN;
    define->values[define->value_count++] = copy;
    return EXIT_DONE;
}

static int add_whole(run_define *define, int64_t value, size_t before)
{
    char text[24];
    int length = snprintf(text, sizeof text, "%" PRId64, value);
    return add_value(define, text, (size_t)length, before);
}

/* Reads "8..64": doubling. */
static int add_doubling(run_define *define, const char *text, const char *value, const char *dots)
{
    char reason[EXPRESSION_REASON_BYTES], first_text[32];
    int64_t first, last;
    snprintf(first_text, sizeof first_text, "%.*s", (int)(dots - value), value);
    if (expression_evaluate(first_text, NULL, NULL, &first, reason) != 0 ||
        expression_evaluate(dots + 2, NULL, NULL, &last, reason) != 0)
        return refuse(text, "%s", reason);
    if (first < 1 || last < first)
        return refuse(text, "\"%.40s\" is no range: it takes 1 <= A <= B in A..B", value);
    int code = EXIT_DONE;
    size_t before = define->value_count;
    for (int64_t at = first; code == EXIT_DONE && at <= last; at *= 2) {
        code = add_whole(define, at, before);
        if (at > INT64_MAX / 2)
            break;
    }
    return code;
}

/* Reads "0:32:8": from, to, step. */
static int add_steps(run_define *define, const char *text, const char *value)
{
    char reason[EXPRESSION_REASON_BYTES], parts[3][32];
    int64_t numbers[3];
    const char *at = value;
    for (int i = 0; i < 3; i++) {
        size_t length = strcspn(at, ":");
        if (length >= sizeof parts[i] || (at[length] == ':') != (i < 2))
            return refuse(text, "\"%.40s\" is no range: it takes FROM:TO:STEP", value);
        snprintf(parts[i], sizeof parts[i], "%.*s", (int)length, at);
        at += length + (i < 2);
        if (expression_evaluate(parts[i], NULL, NULL, &numbers[i], reason) != 0)
            return refuse(text, "%s", reason);
    }
    if (numbers[2] < 1 || numbers[1] < numbers[0])
        return refuse(text, "\"%.40s\" is no range: it takes FROM <= TO and a STEP of 1 or more",
                      value);
    uint64_t steps = ((uint64_t)numbers[1] - (uint64_t)numbers[0]) / (uint64_t)numbers[2];
    if (steps >= RUN_CONFIGURATIONS_MAX)
        return refuse(text, "\"%.40s\" has more values than configurations can be measured", value);
    int code = EXIT_DONE;
    size_t before = define->value_count;
    for (uint64_t i = 0; code == EXIT_DONE && i <= steps; i++)
        code = add_whole(define, numbers[0] + (int64_t)i * numbers[2], before);
    return code;
}

/* Reads one item of the list. */
static int add_item(run_define *define, const char *text, const char *value)
{
    size_t digits = strspn(value, DIGITS);
    bool is_number = digits || (*value == '-' && strspn(value + 1, DIGITS));
    const char *dots = strstr(value, "..");
    char reason[EXPRESSION_REASON_BYTES];
    int64_t whole;
    if (!*value)
        return refuse(text, "a value is missing%s", "");
    if (is_number && dots)
        return add_doubling(define, text, value, dots);
    if (is_number && strchr(value, ':'))
        return add_steps(define, text, value);
    /* compilers do not know "16Mi" */
    if (digits && value[digits] && strchr("KkMGT", value[digits]) &&
        expression_evaluate(value, NULL, NULL, &whole, reason) == 0)
        return add_whole(define, whole, define->value_count);
    return add_value(define, value, strlen(value), define->value_count);
}

/* Splits the list at commas outside of parentheses, brackets and quotation marks. */
static int add_items(run_define *define, const char *text, const char *list)
{
    char *copy = text_copy(list);
    if (!copy)
        return run_out();
    int code = EXIT_DONE, depth = 0;
    bool quoted = false, last = false;
    char *item = copy;
    for (char *at = copy; code == EXIT_DONE && !last; at++) {
        depth += *at == '(' || *at == '[' || *at == '{' || *at == '<';
        depth -= (*at == ')' || *at == ']' || *at == '}' || *at == '>') && depth > 0;
        quoted ^= *at == '"';
        last = !*at;
        if (!last && (*at != ',' || depth || quoted))
            continue;
        *at = '\0';
        code = add_item(define, text, item);
        item = at + 1;
    }
    free(copy);
    return code;
}

/* ---- names ---- */

static bool is_identifier(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    return strchr(letters, *name) &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz"
                        "ABCDEFGHIJKLMNOPQRSTUVWXYZ_" DIGITS) == strlen(name);
}

/* Names that expressions have besides those of -D. */
static bool is_taken(const char *name)
{
    static const char *const taken[] = {"n", "LX", "LY", "LZ", "GX", "GY", "GZ"};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (strcmp(name, taken[i]) == 0)
            return true;
    return false;
}

/* Says which constants the kernel has instead. */
static int refuse_constant(const run_subject *subject, const char *name)
{
    const signature *s = &subject->signature;
    const char *what =
        subject->file.language == KT_LANGUAGE_WGSL ? "override" : "specialisation constant";
    suggestion near = suggest_begin(name, strlen(name));
    for (size_t i = 0; i < s->constant_count; i++)
        suggest_consider(&near, s->constants[i].name);
    fprintf(stderr, "kerntime run: -D %.60s: %s has no %s of that name", name, subject->label,
            what);
    if (near.word) {
        fprintf(stderr, "; did you mean \"%s\"?\n", near.word);
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < s->constant_count; i++) {
        fprintf(stderr, "%s ", i == 0 ? "; it has" : ",");
        if (s->constants[i].name[0])
            fprintf(stderr, "%s", s->constants[i].name);
        else
            fprintf(stderr, "%" PRIu32, s->constants[i].id);
    }
    fprintf(stderr, "%s\n", s->constant_count ? "" : ", and no other");
    return EXIT_USAGE;
}

bool defines_number(const char *text, double *value)
{
    char *end;
    bool is_true = strcmp(text, "true") == 0, is_false = strcmp(text, "false") == 0;
    *value = is_true ? 1 : strtod(text, &end);
    return is_true || is_false || (end != text && !*end);
}

static int check_values(const run_define *define, const constant *found, const char *text)
{
    char reason[SPECIFICATION_REASON_BYTES];
    double value;
    uint64_t bytes;
    for (size_t i = 0; i < define->value_count; i++) {
        if (!defines_number(define->values[i], &value))
            return refuse(text, "a constant of a shader takes a number, not \"%.40s\"",
                          define->values[i]);
        if (found->type.scalar != SCALAR_UNKNOWN &&
            specification_put(value, &found->type, &bytes, reason) != 0)
            return refuse(text, "%s", reason);
    }
    return EXIT_DONE;
}

/* Whether a text may use a name: it has the word, or includes other texts. */
static bool may_use(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at += length) {
        bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (begins && !isalnum((unsigned char)at[length]) && at[length] != '_')
            return true;
    }
    return strstr(text, "#include") != NULL;
}

/* Whether the language takes a -D of this name. Where it is no constant of GLSL, it is a define. */
static int check_name(const run_subject *subject, const run_define *define, const char *text,
                      bool must_use)
{
    bool is_number = strspn(define->name, DIGITS) == strlen(define->name);
    const constant *found =
        subject->has_signature ? signature_find_constant(&subject->signature, define->name) : NULL;
    switch (subject->file.language) {
    case KT_LANGUAGE_PTX: return refuse(text, "%s is PTX, which takes no -D", subject->label);
    case KT_LANGUAGE_SPIRV_KERNEL:
        return refuse(text, "%s is SPIR-V of OpenCL, which takes no -D", subject->label);
    case KT_LANGUAGE_WGSL:
    case KT_LANGUAGE_SPIRV_SHADER:
        if (found)
            return check_values(define, found, text);
        if (!subject->has_signature)
            return EXIT_DONE;
        if (!subject->file.is_glsl)
            return refuse_constant(subject, define->name);
        break;
    default: break;
    }
    if (is_number)
        return refuse(text, "%s has no constant of that number", subject->label);
    return must_use && !may_use(subject->file.text, define->name)
               ? refuse(text, "%s uses no such name", subject->label)
               : EXIT_DONE;
}

/* Whether GLSL has "layout(constant_id = 3) const uint NAME": a define of that name would spoil it.
 * What it has only after its preprocessor ran is not seen. */
static bool declares_constant(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, "constant_id")) != NULL;) {
        at += strcspn(at, "=;"); /* of the id */
        at += *at ? 1 : 0;
        const char *end = at + strcspn(at, "=;"); /* of the value */
        while (end > at && isspace((unsigned char)end[-1]))
            end--;
        const char *begin = end;
        while (begin > at && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
            begin--;
        if ((size_t)(end - begin) == length && strncmp(begin, name, length) == 0)
            return true;
    }
    return false;
}

char *defines_join(const kernel_file *file, const run_define *defines, size_t define_count,
                   const uint32_t *value_of, const char *out[RUN_DEFINES_MAX], size_t *count)
{
    size_t bytes = 1, used = 0;
    for (size_t i = 0; i < define_count; i++)
        if (defines[i].value_count)
            bytes += strlen(defines[i].name) + strlen(defines[i].values[value_of[i]]) + 2;
    char *text = malloc(bytes);
    *count = 0;
    for (size_t i = 0; text && i < define_count; i++) {
        const char *name = defines[i].name;
        if (!defines[i].value_count || isdigit((unsigned char)*name) ||
            (file->is_glsl && declares_constant(file->text, name)))
            continue;
        out[(*count)++] = text + used;
        used += (size_t)snprintf(text + used, bytes - used, "%s=%s", name,
                                 defines[i].values[value_of[i]]) +
                1;
    }
    return text;
}

/* The signature of GLSL is that of its SPIR-V, compiled with the first values. Where it does not
 * compile, each configuration will say so. */
static void sign_glsl(run_plan *plan, size_t index)
{
    static const uint32_t first[RUN_DEFINES_MAX];
    run_subject *subject = &plan->subjects[index];
    const char *defines[RUN_DEFINES_MAX];
    size_t count;
    char *log = NULL, reason[KERNEL_FILE_REASON_BYTES];
    char *text = defines_join(&subject->file, plan->defines[index], plan->define_count[index],
                              first, defines, &count);
    kernel_file compiled = subject->file;
    if (text && kernel_file_compile(&subject->file, defines, count, &compiled, &log, reason) == 0) {
        subject->has_signature =
            kernel_file_signature(&compiled, subject->entry, &subject->signature, reason) == 0;
        kernel_file_free(&compiled);
    }
    free(log);
    free(text);
}

/* ---- all of a subject ---- */

static int read_define(run_define *define, const char *text)
{
    size_t length = strcspn(text, "=");
    if (length == 0 || length >= sizeof define->name)
        return refuse(text, "it takes NAME=VALUE%s", "");
    memcpy(define->name, text, length);
    define->name[length] = '\0';
    if (!is_identifier(define->name) && strspn(define->name, DIGITS) != length)
        return refuse(text, "\"%.60s\" is no name", define->name);
    if (is_taken(define->name))
        return refuse(text, "\"%s\" is a name of expressions already; choose another",
                      define->name);
    return text[length] ? add_items(define, text, text + length + 1) : add_value(define, "1", 1, 0);
}

/* Takes a define away again: the reference of --check has no such constant. */
static void drop_last(run_plan *plan, size_t index)
{
    run_define *define = &plan->defines[index][--plan->define_count[index]];
    for (size_t i = 0; i < define->value_count; i++)
        free(define->values[i]);
    free(define->values);
    free(define->numbers);
    *define = (run_define){.value_count = 0};
}

static bool is_lenient(const run_plan *plan, size_t index, const run_define *define)
{
    const run_subject *subject = &plan->subjects[index];
    bool takes_constants =
        subject->file.language == KT_LANGUAGE_WGSL ||
        (subject->file.language == KT_LANGUAGE_SPIRV_SHADER && !subject->file.is_glsl);
    bool takes_none = subject->file.language == KT_LANGUAGE_PTX ||
                      subject->file.language == KT_LANGUAGE_SPIRV_KERNEL;
    return index == plan->subject_count &&
           (takes_none || (takes_constants && subject->has_signature &&
                           !signature_find_constant(&subject->signature, define->name)));
}

int defines_read(run_plan *plan, size_t index)
{
    run_subject *subject = &plan->subjects[index];
    const run_texts *texts = &subject->settings.defines;
    if (texts->count > RUN_DEFINES_MAX)
        return refuse(texts->texts[RUN_DEFINES_MAX], "there are more than %s -D", "32");
    plan->defines[index] = calloc(RUN_DEFINES_MAX, sizeof *plan->defines[index]);
    if (!plan->defines[index])
        return run_out();
    for (size_t i = 0; i < texts->count; i++) {
        run_define *define = &plan->defines[index][plan->define_count[index]++];
        int code = read_define(define, texts->texts[i]);
        if (code != EXIT_DONE)
            return code;
        for (size_t k = 0; k + 1 < plan->define_count[index]; k++)
            if (strcmp(plan->defines[index][k].name, define->name) == 0)
                return refuse(texts->texts[i], "%s is given twice; a list has all its values",
                              define->name);
        if (is_lenient(plan, index, define))
            drop_last(plan, index);
    }
    if (subject->file.is_glsl)
        sign_glsl(plan, index);
    for (size_t i = 0; i < plan->define_count[index]; i++) {
        const run_define *define = &plan->defines[index][i];
        /* Several files share a -D, which only one of them may use. */
        int code = check_name(subject, define, define->name,
                              index < plan->subject_count && plan->options->operand_count == 1);
        if (code != EXIT_DONE)
            return code;
    }
    return EXIT_DONE;
}

void defines_free(run_plan *plan, size_t index)
{
    while (plan->define_count[index])
        drop_last(plan, index);
    free(plan->defines[index]);
    plan->defines[index] = NULL;
}
