/* SPDX-License-Identifier: MIT */
#include "cli/kernel_file/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sentences ---- */

void reader_make_printable(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7F)
            *text = '?';
}

int reader_fail(char *reason, const kernel_file *file, const char *format, ...)
{
    snprintf(reason, KERNEL_FILE_REASON_BYTES, "%s: ", file->path);
    size_t used = strlen(reason);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason + used, KERNEL_FILE_REASON_BYTES - used, format, arguments);
    va_end(arguments);
    reader_make_printable(reason);
    return -1;
}

int reader_no_memory(char *reason, const kernel_file *file)
{
    return reader_fail(reason, file, "out of memory");
}

int reader_no_entry(char *reason, const kernel_file *file, const char *entry)
{
    static kernel_entries all; /* too large for some stacks; nothing here runs in threads */
    char names[120] = "";
    size_t used = 0;
    if (kernel_file_entries(file, &all, reason) != 0)
        return -1;
    for (size_t i = 0; i < all.count; i++) {
        size_t length = strlen(all.names[i]) + 2;
        if (used + length + sizeof ", ..." > sizeof names) {
            snprintf(names + used, sizeof names - used, ", ...");
            break;
        }
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 all.names[i]);
    }
    return reader_fail(reason, file, "no kernel %s; there is %s", entry, names);
}

/* ---- lists ---- */

bool entries_add(kernel_entries *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0)
            return true;
    size_t length = strlen(name);
    if (list->count == KERNEL_FILE_ENTRIES_MAX || length >= SIGNATURE_NAME_BYTES)
        return false;
    memcpy(list->names[list->count++], name, length + 1);
    return true;
}

parameter *signature_add(signature *of)
{
    if (of->parameter_count == SIGNATURE_PARAMETERS_MAX)
        return NULL;
    parameter *made = &of->parameters[of->parameter_count++];
    *made = (parameter){.kind = PARAMETER_BUFFER};
    return made;
}

static bool has_parameter(const signature *of, const char *name)
{
    for (size_t i = 0; i < of->parameter_count; i++)
        if (strcmp(of->parameters[i].name, name) == 0)
            return true;
    return false;
}

parameter *signature_add_member(signature *of, const char *block, const char *name)
{
    bool taken = *name && *block && has_parameter(of, name);
    parameter *made = signature_add(of);
    if (!made)
        return NULL;
    made->kind = PARAMETER_VALUE;
    made->is_read_only = true;
    if (taken)
        snprintf(made->name, sizeof made->name, "%.60s.%.60s", block, name);
    else
        snprintf(made->name, sizeof made->name, "%s", name);
    return made;
}

void signature_sort(signature *of)
{
    for (size_t i = 1; i < of->parameter_count; i++) {
        parameter moved = of->parameters[i];
        size_t to = i;
        for (; to > 0; to--) {
            const parameter *before = &of->parameters[to - 1];
            if (before->place != moved.place       ? before->place < moved.place
                : before->set != moved.set         ? before->set < moved.set
                : before->binding != moved.binding ? before->binding < moved.binding
                                                   : before->offset <= moved.offset)
                break;
            of->parameters[to] = of->parameters[to - 1];
        }
        of->parameters[to] = moved;
    }
}

const constant *signature_find_constant(const signature *s, const char *name)
{
    char *end;
    unsigned long id = strtoul(name, &end, 10);
    bool is_number = end != name && !*end;
    for (size_t i = 0; i < s->constant_count; i++)
        if (*name && strcmp(s->constants[i].name, name) == 0)
            return &s->constants[i];
    for (size_t i = 0; i < s->constant_count && is_number; i++)
        if (s->constants[i].id == id && s->constants[i].id != SIGNATURE_NO_ID)
            return &s->constants[i];
    return NULL;
}

constant *signature_add_constant(signature *of)
{
    if (of->constant_count == SIGNATURE_CONSTANTS_MAX)
        return NULL;
    constant *made = &of->constants[of->constant_count++];
    *made = (constant){.id = SIGNATURE_NO_ID};
    return made;
}
