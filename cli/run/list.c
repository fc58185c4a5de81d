/* SPDX-License-Identifier: MIT */
#include "cli/run/list.h"

#include "cli/run/guess.h"
#include "cli/run/subject.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN_MAX 26 /* of names and of types: a line has 80 columns */
#define TEXT_BYTES 200

/* ---- texts of a row ---- */

/* A parameter without a name goes by its number, as in -a. */
static void put_name(const char *name, size_t index, char text[TEXT_BYTES])
{
    if (*name)
        snprintf(text, TEXT_BYTES, "%s", name);
    else
        snprintf(text, TEXT_BYTES, "%zu", index);
}

static void put_type(const char *written, const element_type *type, char text[TEXT_BYTES])
{
    if (*written)
        snprintf(text, TEXT_BYTES, "%s", written);
    else if (type->stride)
        snprintf(text, TEXT_BYTES, "%" PRIu32 " bytes", type->stride);
    else
        snprintf(text, TEXT_BYTES, "?");
}

static void put_guess(const parameter *p, char text[TEXT_BYTES])
{
    specification spec;
    char content[80];
    switch (p->kind) {
    case PARAMETER_LOCAL: snprintf(text, TEXT_BYTES, "one element a work-item (guess)"); return;
    case PARAMETER_NOT_SUPPORTED: snprintf(text, TEXT_BYTES, "not supported"); return;
    default: break;
    }
    guess_content(p, 0, &spec);
    guess_text(p, &spec, content, sizeof content);
    if (p->kind == PARAMETER_VALUE && !p->element.stride)
        snprintf(text, TEXT_BYTES, "needs -a: its size is unknown");
    else if (parameter_is_count(p))
        snprintf(text, TEXT_BYTES, "n (guess)");
    else
        snprintf(text, TEXT_BYTES, "%s (guess)", content);
}

static const char *kind_of(const parameter *p)
{
    switch (p->kind) {
    case PARAMETER_BUFFER: return p->is_read_only ? "buffer, read" : "buffer";
    case PARAMETER_VALUE: return "value";
    case PARAMETER_LOCAL: return "local";
    default: return "-";
    }
}

static void put_value(const constant *c, char text[TEXT_BYTES])
{
    if (!c->has_value)
        snprintf(text, TEXT_BYTES, "needs -D");
    else if (c->type.scalar == SCALAR_BOOL)
        snprintf(text, TEXT_BYTES, "%s", c->value != 0 ? "true" : "false");
    else
        snprintf(text, TEXT_BYTES, "%.10g", c->value);
}

static void put_scalar(const element_type *type, char text[TEXT_BYTES])
{
    static const char *const names[] = {"?", "i", "u", "f", "bool"};
    if (type->scalar == SCALAR_BOOL || type->scalar == SCALAR_UNKNOWN)
        snprintf(text, TEXT_BYTES, "%s", names[type->scalar]);
    else
        snprintf(text, TEXT_BYTES, "%s%" PRIu32, names[type->scalar], 8 * type->scalar_bytes);
}

/* A constant without a name goes by its id, as in -D. */
static void put_constant_name(const constant *c, char text[TEXT_BYTES])
{
    if (*c->name)
        snprintf(text, TEXT_BYTES, "%s", c->name);
    else
        snprintf(text, TEXT_BYTES, "%" PRIu32, c->id);
}

/* What -a says of a parameter, by its name or number; the last one counts. NULL: nothing. */
static const char *find_argument(const run_texts *arguments, const parameter *p, size_t index)
{
    char number[TEXT_BYTES], name[SIGNATURE_NAME_BYTES], reason[SPECIFICATION_REASON_BYTES];
    const char *found = NULL;
    put_name("", index, number);
    for (size_t i = 0; i < arguments->count; i++) {
        const char *words = specification_split(arguments->texts[i], name, reason);
        if (words && ((*p->name && strcmp(p->name, name) == 0) || strcmp(number, name) == 0))
            found = words;
    }
    return found;
}

/* ---- rows ---- */

typedef struct columns {
    int name, type;
} columns;

static void widen(int *column, const char *text)
{
    int length = (int)strlen(text);
    if (length > *column)
        *column = length < COLUMN_MAX ? length : COLUMN_MAX;
}

static columns measure_columns(const signature *s)
{
    columns widths = {0, 0};
    char text[TEXT_BYTES];
    for (size_t i = 0; i < s->parameter_count; i++) {
        put_name(s->parameters[i].name, i, text);
        widen(&widths.name, text);
        put_type(s->parameters[i].type, &s->parameters[i].element, text);
        widen(&widths.type, text);
    }
    for (size_t i = 0; i < s->constant_count; i++) {
        put_constant_name(&s->constants[i], text);
        widen(&widths.name, text);
        put_scalar(&s->constants[i].type, text);
        widen(&widths.type, text);
    }
    return widths;
}

static void print_row(const columns *widths, const char *name, const char *type, const char *kind,
                      const char *content)
{
    printf("    %-*s  %-*s  %-12s  %s\n", widths->name, name, widths->type, type, kind, content);
}

static void put_group_constant(const constant *c, char text[TEXT_BYTES])
{
    char name[TEXT_BYTES];
    put_constant_name(c, name);
    snprintf(text, TEXT_BYTES, "(-D %.150s)", name);
}

static void print_group_size(const signature *s)
{
    bool is_known = false;
    for (unsigned i = 0; i < 3; i++)
        is_known |= s->group_size[i] || s->group_constant[i] >= 0;
    if (!is_known)
        return;
    printf("    group size");
    for (unsigned i = 0; i < 3; i++) {
        char text[TEXT_BYTES] = "any";
        if (s->group_constant[i] >= 0)
            put_group_constant(&s->constants[s->group_constant[i]], text);
        else if (s->group_size[i])
            snprintf(text, sizeof text, "%" PRIu32, s->group_size[i]);
        printf("%s %s", i ? " x" : "", text);
    }
    printf("\n");
}

static void print_signature(const signature *s, const run_settings *settings)
{
    columns widths = measure_columns(s);
    char name[TEXT_BYTES], type[TEXT_BYTES], content[TEXT_BYTES];
    if (!s->parameter_count)
        printf("    takes nothing\n");
    for (size_t i = 0; i < s->parameter_count; i++) {
        const parameter *p = &s->parameters[i];
        put_name(p->name, i, name);
        put_type(p->type, &p->element, type);
        const char *given = find_argument(&settings->arguments, p, i);
        if (given)
            snprintf(content, sizeof content, "%s", given);
        else
            put_guess(p, content);
        print_row(&widths, name, type, kind_of(p), content);
    }
    for (size_t i = 0; i < s->constant_count; i++) {
        put_constant_name(&s->constants[i], name);
        put_scalar(&s->constants[i].type, type);
        put_value(&s->constants[i], content);
        print_row(&widths, name, type, "constant, -D", content);
    }
    print_group_size(s);
}

/* ---- kernels ---- */

/* What a shader in GLSL takes, compiled as it is: with -D it may take other things. */
static int compile(run_subject *subject, char reason[KERNEL_FILE_REASON_BYTES])
{
    char *log = NULL;
    kernel_file compiled;
    if (kernel_file_compile(&subject->file, NULL, 0, &compiled, &log, reason) != 0) {
        if (log)
            fprintf(stderr, "%s", log);
        free(log);
        return -1;
    }
    int failed = kernel_file_signature(&compiled, subject->entry, &subject->signature, reason);
    kernel_file_free(&compiled);
    if (!failed)
        kernel_file_see_glsl(&subject->file, &subject->signature);
    return failed;
}

/* The options that the file's own comments give. */
static void print_options(const run_subject *subject)
{
    char words[1024];
    for (size_t i = 0; kernel_file_defaults(&subject->file, subject->entry, i, words, sizeof words);
         i++)
        printf("    in the file: %s\n", words);
}

/* If what a kernel takes is unknown, its row says why. */
static void print_kernel(run_subject *subject)
{
    char reason[KERNEL_FILE_REASON_BYTES];
    int failed = subject->file.is_glsl    ? compile(subject, reason)
                 : subject->has_signature ? 0
                                          : kernel_file_signature(&subject->file, subject->entry,
                                                                  &subject->signature, reason);
    printf("  %s%s\n", failed ? subject->entry : subject->signature.entry,
           !failed && subject->signature.is_left_out ? " (left out by #if: needs -D)" : "");
    if (failed) {
        printf("    %s\n", reason + strlen(subject->file.path) + 2);
        print_options(subject);
        return;
    }
    print_signature(&subject->signature, &subject->settings);
    print_options(subject);
}

int run_list(const cli_options *options)
{
    run_plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return run_out();
    int code = run_plan_subjects(options, plan);
    const char *last = "";
    for (size_t i = 0; i < plan->subject_count && code == EXIT_DONE; i++) {
        run_subject *subject = &plan->subjects[i];
        if (strcmp(last, subject->file.path) != 0)
            printf("%s%s (%s)\n", *last ? "\n" : "", subject->file.path,
                   kernel_file_language(&subject->file));
        last = subject->file.path;
        print_kernel(subject);
    }
    run_plan_free(plan);
    free(plan);
    return code;
}
