/* SPDX-License-Identifier: MIT */
/*
 * launch_build.c - builds the program of a configuration.
 *
 * Values of -D go before the text of OpenCL C, CUDA C and MSL as #define lines, which all of them
 * have, followed by #line, so that a compiler's log names the file and its lines.
 */
#include "cli/run/build_log.h"
#include "cli/run/guess.h"
#include "cli/run/launch_parts.h"
#include "cli/run/subject.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLAGS_BYTES 1200

/* The constants of a program, and the room of their values. */
typedef struct build {
    launch *launch;
    launch_result *result;
    bool is_constant[RUN_DEFINES_MAX]; /* by define: a constant of the shader */
    kt_constant constants[RUN_DEFINES_MAX + 3];
    uint64_t values[RUN_DEFINES_MAX + 3];
    char numbers[RUN_DEFINES_MAX + 3][12];
    uint32_t constant_count;
    bool has_group[3]; /* a -D sets the group size in this dimension */
} build;

static const char *value_of(const launch *l, size_t define)
{
    return l->defines[define].values[l->configuration->value_of[define]];
}

static bool is_shader(const launch *l)
{
    return l->subject->file.language == KT_LANGUAGE_SPIRV_SHADER ||
           l->subject->file.language == KT_LANGUAGE_WGSL;
}

/* ---- constants ---- */

/* Fails for a number that the constant cannot have. SPIR-V wants its bytes, four of a bool. */
static int add_constant(build *b, const constant *which, double value)
{
    uint32_t i = b->constant_count++;
    char reason[SPECIFICATION_REASON_BYTES];
    bool is_known = which->type.scalar != SCALAR_UNKNOWN; /* else it is an override, by number */
    b->constants[i] = (kt_constant){.name = which->name,
                                    .id = which->id,
                                    .number = value,
                                    .data = &b->values[i],
                                    .data_bytes = is_known ? which->type.scalar_bytes : 4};
    if (!is_known || specification_put(value, &which->type, &b->values[i], reason) == 0)
        return 0;
    return launch_fail(b->result, OUTCOME_ARGUMENTS, "constant %s: %s", which->name, reason);
}

/* The values of -D that are constants of the shader. */
static int add_constants(build *b)
{
    const launch *l = b->launch;
    const signature *s = &l->signature;
    for (size_t i = 0; is_shader(l) && i < l->define_count; i++) {
        const constant *found = signature_find_constant(s, l->defines[i].name);
        double value;
        if (!found && l->subject->file.is_glsl && !isdigit((unsigned char)l->defines[i].name[0]))
            continue; /* compile_glsl() made a define of it */
        if (!found)
            return launch_fail(b->result, OUTCOME_ARGUMENTS, "%s has no constant %s, which -D sets",
                               l->subject->label, l->defines[i].name);
        if (!defines_number(value_of(l, i), &value))
            return launch_fail(b->result, OUTCOME_ARGUMENTS,
                               "-D %s=%s: a constant of a shader takes a number",
                               l->defines[i].name, value_of(l, i));
        if (add_constant(b, found, value) != 0)
            return -1;
        for (int d = 0; d < 3; d++)
            b->has_group[d] |= s->group_constant[d] == found - s->constants;
    }
    return 0;
}

/* Constants that set the group size get it, unless a -D gave it. */
static int add_group_constants(build *b)
{
    int code = 0;
    const launch *l = b->launch;
    const signature *s = &l->signature;
    for (int d = 0; d < 3 && code == 0; d++) {
        bool is_again = false; /* one constant may set several sizes */
        for (int before = 0; before < d; before++)
            is_again |= s->group_constant[before] == s->group_constant[d];
        if (s->group_constant[d] >= 0 && !b->has_group[d] && !is_again)
            code = add_constant(b, &s->constants[s->group_constant[d]], l->geometry.local[d]);
    }
    return code;
}

/* ---- geometry ---- */

/* Group sizes that constants set: those of -D are fixed, other ones a suggestion. */
static void read_group_constants(const build *b, geometry_request *r)
{
    const signature *s = &b->launch->signature;
    for (int d = 0; d < 3; d++) {
        int index = s->group_constant[d];
        if (index < 0)
            continue;
        const constant *which = &s->constants[index];
        if (which->has_value && which->value >= 1 && which->value <= UINT32_MAX)
            r->suggested[d] = (uint32_t)which->value;
        r->fixed[d] = 0;
        for (uint32_t i = 0; b->has_group[d] && i < b->constant_count; i++)
            if (b->constants[i].id == which->id && strcmp(b->constants[i].name, which->name) == 0)
                r->fixed[d] = (uint32_t)b->constants[i].number;
    }
}

static int find_geometry(build *b)
{
    launch *l = b->launch;
    const configuration *c = l->configuration;
    geometry_request r = {.n = c->n,
                          .dimensions = l->signature.dimensions,
                          .multiple = l->multiple,
                          .device_max = l->pool->info->max_group_size,
                          .kernel_max = l->kernel_max,
                          .knows_n = l->sees_length,
                          .device = l->pool->info->id};
    memcpy(r.global, c->global, sizeof r.global);
    memcpy(r.groups, c->groups, sizeof r.groups);
    memcpy(r.local, c->local, sizeof r.local);
    memcpy(r.fixed, l->signature.group_size, sizeof r.fixed);
    read_group_constants(b, &r);
    for (size_t i = 0; i < l->signature.parameter_count; i++)
        r.knows_n |= parameter_is_count(&l->signature.parameters[i]);
    launch_outcome outcome = geometry_decide(&r, &l->geometry, b->result->reason);
    if (outcome != OUTCOME_OK) {
        b->result->outcome = outcome;
        return -1;
    }
    for (int d = 0; d < 3; d++) {
        l->names.local[d] = l->geometry.local[d];
        l->names.global[d] = l->geometry.global[d];
    }
    return 0;
}

/* ---- text ---- */

/* Fails with a compiler's sentence, or with the name that its log calls undefined; takes the log. */
static int fail_build(const launch *l, const char *sentence, char *log, launch_result *result)
{
    char word[BUILD_LOG_WORD_BYTES];
    result->log = log;
    if (log && build_log_undefined(log, word))
        return launch_fail(result, OUTCOME_BUILD,
                           "%s does not compile: %s is not defined; -D %s=... may be missing",
                           l->subject->label, word, word);
    return launch_fail(result, OUTCOME_BUILD, "%s", sentence);
}

/* Whether SPIR-V or WGSL asks for the length of an array, in which no guard zone may count. */
static bool asks_length(const kernel_file *file)
{
    enum { OP_ARRAY_LENGTH = 68, HEADER_WORDS = 5 };
    if (file->language == KT_LANGUAGE_WGSL)
        return strstr(file->text, "arrayLength") != NULL;
    if (file->language != KT_LANGUAGE_SPIRV_SHADER)
        return false;
    size_t words = file->bytes / 4;
    for (size_t at = HEADER_WORDS; at < words;) {
        uint32_t word;
        memcpy(&word, file->text + at * 4, 4);
        if ((word & 0xFFFF) == OP_ARRAY_LENGTH || word >> 16 == 0)
            return true;
        at += word >> 16;
    }
    return false;
}

static int compile_glsl(build *b)
{
    launch *l = b->launch;
    const char *defines[RUN_DEFINES_MAX];
    size_t count;
    char reason[KERNEL_FILE_REASON_BYTES] = "the host is out of memory", *log = NULL;
    char *text = defines_join(&l->subject->file, l->defines, l->define_count,
                              l->configuration->value_of, defines, &count);
    int code = -1;
    if (text)
        code = kernel_file_compile(&l->subject->file, defines, count, &l->compiled, &log, reason);
    free(text);
    if (code == 0)
        code = kernel_file_signature(&l->compiled, "main", &l->signature, reason);
    if (code == 0) {
        kernel_file_see_glsl(&l->subject->file, &l->signature);
        return 0;
    }
    return fail_build(l, reason, log, b->result);
}

/* The text with its #define lines; free() it. */
static char *text_with_defines(const launch *l)
{
    const kernel_file *file = &l->subject->file;
    const char *name = strrchr(file->path, '/');
    name = name ? name + 1 : file->path;
    size_t bytes = file->bytes + strlen(name) + 32, length = 0;
    for (size_t i = 0; i < l->define_count; i++)
        bytes += strlen(l->defines[i].name) + strlen(value_of(l, i)) + 16;
    char *text = malloc(bytes);
    if (!text)
        return NULL;
    for (size_t i = 0; i < l->define_count; i++)
        length += (size_t)snprintf(text + length, bytes - length, "#define %s %s\n",
                                   l->defines[i].name, value_of(l, i));
    if (strpbrk(name, "\"\\\n"))
        length += (size_t)snprintf(text + length, bytes - length, "#line 1\n");
    else
        length += (size_t)snprintf(text + length, bytes - length, "#line 1 \"%s\"\n", name);
    memcpy(text + length, file->text, file->bytes);
    text[length + file->bytes] = 0;
    return text;
}

/* Files that the text includes stand beside it. A folder whose name has a blank cannot be named. */
static void write_flags(const launch *l, char flags[FLAGS_BYTES])
{
    const kernel_file *file = &l->subject->file;
    const char *end = strrchr(file->path, '/');
    int length = end ? (int)(end - file->path) : 1;
    flags[0] = 0;
    if (file->language != KT_LANGUAGE_OPENCL_C && file->language != KT_LANGUAGE_CUDA_C)
        return;
    const char *folder = end == file->path ? "/" : end ? file->path : ".";
    if (strstr(file->text, "#include") && (size_t)length + 4 < FLAGS_BYTES &&
        !memchr(folder, ' ', (size_t)length))
        snprintf(flags, FLAGS_BYTES, "-I%.*s", length, folder);
}

/* ---- programs ---- */

static int fail_program(const launch *l, launch_result *result)
{
    const char *text = kt_error_text(), *log = strchr(text, '\n');
    char sentence[LAUNCH_REASON_BYTES];
    size_t length = log ? (size_t)(log - text) : strlen(text);
    size_t bytes = log ? strlen(log + 1) + 1 : 0;
    char *copy = log ? malloc(bytes) : NULL;
    if (copy)
        memcpy(copy, log + 1, bytes);
    while (length && (text[length - 1] == ':' || text[length - 1] == ' '))
        length--;
    snprintf(sentence, sizeof sentence, "%.*s",
             (int)(length < sizeof sentence ? length : sizeof sentence - 1), text);
    return fail_build(l, sentence, copy, result);
}

/* WebGPU knows an override that has an `@id` by its number alone. */
static void name_by_number(build *b)
{
    for (uint32_t i = 0; i < b->constant_count; i++) {
        if (b->constants[i].id == SIGNATURE_NO_ID)
            continue;
        snprintf(b->numbers[i], sizeof b->numbers[i], "%u", (unsigned)b->constants[i].id);
        b->constants[i].name = b->numbers[i];
    }
}

static int create_program(build *b)
{
    launch *l = b->launch;
    const kernel_file *file = l->subject->file.is_glsl ? &l->compiled : &l->subject->file;
    char flags[FLAGS_BYTES];
    bool takes_defines = file->language == KT_LANGUAGE_OPENCL_C ||
                         file->language == KT_LANGUAGE_CUDA_C || file->language == KT_LANGUAGE_MSL;
    write_flags(l, flags);
    name_by_number(b);
    char *text = takes_defines ? text_with_defines(l) : NULL;
    if (takes_defines && !text)
        return launch_fail(b->result, OUTCOME_FAILED, "the host is out of memory");
    const kt_program_desc desc = {.size = sizeof desc,
                                  .language = file->language,
                                  .entry = l->signature.entry,
                                  .source = text ? text : file->text,
                                  .source_bytes = text ? 0 : file->bytes,
                                  .build_flags = flags[0] ? flags : NULL,
                                  .constants = b->constants,
                                  .constant_count = b->constant_count};
    int64_t begin_ns = kt_host_now_ns();
    kt_status status = kt_program_create(l->pool->device, &desc, &l->program);
    b->result->build_ns = (double)(kt_host_now_ns() - begin_ns);
    free(text);
    if (status == KT_BUILD_FAILED)
        return fail_program(l, b->result);
    if (status == KT_INVALID)
        return launch_fail(b->result, OUTCOME_BUILD, "%s", kt_error_text());
    return status == KT_OK ? 0 : launch_fail_status(b->result, status);
}

/* What the driver knows better than the text. */
static void reflect(launch *l)
{
    const kt_program_info *info;
    if (kt_program_reflect(l->program, &info) != KT_OK)
        return;
    signature_correct(&l->signature, info);
    l->multiple = info->group_multiple;
    l->kernel_max = info->max_group_size;
    for (int d = 0; d < 3; d++)
        if (info->group_size[d])
            l->signature.group_size[d] = info->group_size[d];
}

/* Types, group sizes and parts behind #if are those of this configuration's -D. */
static int find_signature(build *b)
{
    launch *l = b->launch;
    const char *defines[RUN_DEFINES_MAX];
    char reason[KERNEL_FILE_REASON_BYTES] = "the host is out of memory";
    kernel_file file = l->subject->file;
    if (file.is_glsl)
        return compile_glsl(b);
    char *text = defines_join(&file, l->defines, l->define_count, l->configuration->value_of,
                              defines, &file.define_count);
    file.defines = defines;
    int code = text ? kernel_file_signature(&file, l->subject->entry, &l->signature, reason) : -1;
    free(text);
    return code ? launch_fail(b->result, OUTCOME_ARGUMENTS, "%s", reason) : 0;
}

int launch_build(launch *l, launch_result *result)
{
    build b = {.launch = l, .result = result};
    int code = find_signature(&b);
    const kernel_file *file = l->subject->file.is_glsl ? &l->compiled : &l->subject->file;
    if (code != 0)
        return code;
    l->sees_length = asks_length(file);
    code = add_constants(&b);
    /* Constants that set the group size need it before the program is built; elsewhere the program
     * tells what it should be. */
    if (code == 0 && is_shader(l))
        code = find_geometry(&b);
    if (code == 0)
        code = add_group_constants(&b);
    if (code == 0)
        code = create_program(&b);
    if (code == 0)
        reflect(l);
    if (code == 0 && !is_shader(l))
        code = find_geometry(&b);
    return code;
}
