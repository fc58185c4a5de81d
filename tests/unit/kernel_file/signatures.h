/* SPDX-License-Identifier: MIT */
/* signatures.h - signatures as texts, which tests compare. */
#ifndef SIGNATURES_H
#define SIGNATURES_H

#include "cli/kernel_file/kernel_file.h"
#include "tests/unit/testing.h"

#include <stdio.h>

/* "const float *" and "f32x4/16", or "?/12" of what is no number. */
static inline size_t put_parameter(const parameter *p, char *text, size_t bytes)
{
    static const char *const kinds[] = {"buffer", "value", "local", "not supported"};
    char number[32] = "?";
    if (p->element.lanes)
        snprintf(number, sizeof number, "%c%ux%u", "?iufb"[p->element.scalar],
                 8 * p -> element.scalar_bytes, p->element.lanes);
    size_t used = (size_t)snprintf(text, bytes, "%s %s: %s, %s/%u%s", kinds[p->kind], p->name,
                                   p->type, number, p->element.stride,
                                   p->kind == PARAMETER_BUFFER && p->is_read_only ? ", read" : "");
    if (p->place == PLACE_BINDING)
        used += (size_t)snprintf(text + used, bytes - used, ", at %u.%u", p->set, p->binding);
    if (p->place == PLACE_PUSH)
        used += (size_t)snprintf(text + used, bytes - used, ", push");
    if (p->block_bytes || p->offset)
        used += (size_t)snprintf(text + used, bytes - used, " +%u", p->offset);
    if (p->block_bytes)
        used += (size_t)snprintf(text + used, bytes - used, " of %u", p->block_bytes);
    if (p->count)
        used += (size_t)snprintf(text + used, bytes - used, ", %u times", p->count);
    return used + (size_t)snprintf(text + used, bytes - used, "\n");
}

/* A line for each parameter, each constant and the group size, if there is one. */
static inline const char *describe(const signature *s)
{
    static char text[16384];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < s->parameter_count; i++)
        used += put_parameter(&s->parameters[i], text + used, sizeof text - used);
    for (size_t i = 0; i < s->constant_count; i++) {
        const constant *c = &s->constants[i];
        used += (size_t)snprintf(text + used, sizeof text - used, "constant %s: %c%u", c->name,
                                 "?iufb"[c->type.scalar], 8 * c -> type.scalar_bytes);
        if (c->id != SIGNATURE_NO_ID)
            used += (size_t)snprintf(text + used, sizeof text - used, ", id %u", c->id);
        if (c->has_value)
            used += (size_t)snprintf(text + used, sizeof text - used, " = %g", c->value);
        used += (size_t)snprintf(text + used, sizeof text - used, "\n");
    }
    bool is_sized = false;
    for (unsigned i = 0; i < 3; i++)
        is_sized |= s->group_size[i] || s->group_constant[i] >= 0;
    for (unsigned i = 0; i < 3 && is_sized; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", i ? " x " : "group ",
                                 s->group_size[i]);
    for (unsigned i = 0; i < 3; i++)
        if (s->group_constant[i] >= 0)
            used += (size_t)snprintf(text + used, sizeof text - used, ", %c is constant %d",
                                     "xyz"[i], s -> group_constant[i]);
    snprintf(text + used, sizeof text - used, is_sized ? "\n" : "");
    return text;
}

static inline kernel_file file_of(const char *path, kt_language language, const char *text)
{
    static char copy[65536];
    snprintf(copy, sizeof copy, "%s", text);
    return (kernel_file){.path = path, .language = language, .text = copy, .bytes = strlen(copy)};
}

static inline void expect_signature(const kernel_file *file, const char *entry,
                                    const char *expected, const char *source, int line)
{
    static signature told;
    char reason[KERNEL_FILE_REASON_BYTES];
    if (kernel_file_signature(file, entry, &told, reason) != 0) {
        print_error("refused: %s\n", reason);
        _fail(source, line);
    }
    if (strcmp(describe(&told), expected) != 0) {
        print_error("is:\n%sand not:\n%s", describe(&told), expected);
        _fail(source, line);
    }
}

#define EXPECT_SIGNATURE(file, entry, expected) \
    expect_signature(file, entry, expected, __FILE__, __LINE__)

static inline void expect_refused(const kernel_file *file, const char *entry, const char *part,
                                  const char *source, int line)
{
    static signature told;
    char reason[KERNEL_FILE_REASON_BYTES];
    if (kernel_file_signature(file, entry, &told, reason) == 0) {
        print_error("not refused:\n%s", describe(&told));
        _fail(source, line);
    }
    expect_text_has(reason, part, source, line);
}

#define EXPECT_REFUSED(file, entry, part) expect_refused(file, entry, part, __FILE__, __LINE__)

/* Names of kernels, separated by spaces. */
static inline void expect_entries(const kernel_file *file, const char *expected, const char *source,
                                  int line)
{
    static kernel_entries entries;
    char reason[KERNEL_FILE_REASON_BYTES], names[4096] = "";
    if (kernel_file_entries(file, &entries, reason) != 0) {
        print_error("refused: %s\n", reason);
        _fail(source, line);
    }
    for (size_t i = 0, used = 0; i < entries.count; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? " " : "",
                                 entries.names[i]);
    if (strcmp(names, expected) != 0) {
        print_error("the kernels are \"%s\", not \"%s\"\n", names, expected);
        _fail(source, line);
    }
}

#define EXPECT_ENTRIES(file, expected) expect_entries(file, expected, __FILE__, __LINE__)

#endif
