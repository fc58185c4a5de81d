/* SPDX-License-Identifier: MIT */
/* subject.c - from "FILE:KERNEL" to kernels of files with their settings. */
#include "cli/run/subject.h"

#include "cli/options/suggest.h"
#include "cli/terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int run_out(void)
{
    fprintf(stderr, "kerntime run: out of memory\n");
    return EXIT_FAILED;
}

char *text_copy(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = malloc(bytes);
    if (copy)
        memcpy(copy, text, bytes);
    return copy;
}

/* ---- operands ---- */

static bool is_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

/* Copies the path of an operand, and sets `kernel` to what follows it, or NULL. A name of a file may
 * have colons, and so may that of a kernel: the longest file that exists is meant. */
static char *split_operand(const char *operand, const char **kernel)
{
    char *path = text_copy(operand);
    *kernel = NULL;
    if (!path)
        return NULL;
    while (!is_file(path)) {
        char *colon = strrchr(path, ':');
        if (!colon || colon == path)
            break;
        *colon = '\0';
    }
    if (!is_file(path)) { /* the file that was meant, for the message */
        memcpy(path, operand, strlen(operand) + 1);
        for (char *colon = strchr(path, ':'); colon; colon = strchr(colon + 1, ':')) {
            *colon = '\0';
            if (kernel_file_has_ending(path))
                return path;
            *colon = ':';
        }
        return path;
    }
    if (operand[strlen(path)])
        *kernel = operand + strlen(path) + 1;
    return path;
}

/* ---- kernels of a file ---- */

/* Whether a kernel that is named so is this entry: "ns::axpy<float,4>" is the entry "axpy". */
static bool is_entry(const char *named, const char *entry)
{
    size_t length = strcspn(named, "<"), entry_length = strlen(entry);
    if (strcmp(named, entry) == 0)
        return true;
    if (length < entry_length || memcmp(named + length - entry_length, entry, entry_length) != 0)
        return false;
    return length == entry_length || named[length - entry_length - 1] == ':';
}

static int refuse_entry(const char *path, const kernel_entries *entries, const char *kernel)
{
    suggestion s = suggest_begin(kernel, strcspn(kernel, "<"));
    for (size_t i = 0; i < entries->count; i++)
        suggest_consider(&s, entries->names[i]);
    fprintf(stderr, "kerntime run: %s has no kernel \"%.80s\"; ", path, kernel);
    if (s.word)
        fprintf(stderr, "did you mean \"%s\"?\n", s.word);
    else if (entries->count == 1)
        fprintf(stderr, "it has %s\n", entries->names[0]);
    else
        fprintf(stderr, "\"kerntime run %s --list\" lists them\n", path);
    return EXIT_USAGE;
}

#define ENTRIES_SHOWN 3

static int refuse_choice(const char *path, const kernel_entries *entries)
{
    fprintf(stderr, "kerntime run: %s has %zu kernels", path, entries->count);
    for (size_t i = 0; i < entries->count && entries->count <= ENTRIES_SHOWN; i++)
        fprintf(stderr, "%s %s", i ? "," : ":", entries->names[i]);
    fprintf(stderr, "; name one as %s:%s%s\n", path, entries->names[0],
            entries->count > ENTRIES_SHOWN ? "; --list lists them" : "");
    return EXIT_USAGE;
}

/* ---- names ---- */

/* Names of a subject in messages and results. Several instances of a template differ by entry. */
static void name_subject(run_subject *subject, bool alone)
{
    alone = alone && !strchr(subject->entry, '<');
    const char *slash = strrchr(subject->path, '/');
    const char *file = slash ? slash + 1 : subject->path;
    snprintf(subject->label, sizeof subject->label, "%s%s%s", file, alone ? "" : ":",
             alone ? "" : subject->entry);
    if (strcmp(subject->entry, "main") != 0)
        memcpy(subject->name, subject->entry, sizeof subject->name);
    else
        snprintf(subject->name, sizeof subject->name, "%.*s", (int)strcspn(file, "."), file);
}

/* ---- settings ---- */

static int run_out_of_options(const run_subject *subject)
{
    terminal_sayf("kerntime run", "%s: an option is given more than %d times", subject->label,
                  RUN_OPTIONS_MAX);
    return EXIT_USAGE;
}

/* Where a comment of the very kernel of --check says something of its geometry, that counts: the
 * reference may have another than what is measured. */
static run_settings settings_of_reference(const run_settings *given, const run_settings *own)
{
    run_settings out = *given;
    if (own->locals.count)
        out.locals.count = 0;
    if (own->global || own->groups)
        out.global = out.groups = NULL;
    if (own->arguments.count)
        out.arguments.count = 0;
    return out;
}

/* Leaves out each -a of a parameter that the reference does not have: it is for what is measured. */
static void drop_foreign_arguments(const run_subject *subject, run_texts *arguments)
{
    const signature *s = &subject->signature;
    size_t kept = 0;
    for (size_t i = 0; i < arguments->count; i++) {
        const char *text = arguments->texts[i];
        size_t length = strcspn(text, "=");
        bool has = strspn(text, "0123456789") == length;
        for (size_t k = 0; k < s->parameter_count; k++)
            has |= !s->parameters[k].name[0] || (strlen(s->parameters[k].name) == length &&
                                                 memcmp(s->parameters[k].name, text, length) == 0);
        if (has)
            arguments->texts[kept++] = text;
    }
    arguments->count = kept;
}

/* Lays the command line over the comments. */
static int settle(const run_plan *plan, run_subject *subject, bool is_reference)
{
    run_settings layers[COMMENT_LAYERS] = {{.global = NULL}};
    parse_sizes sizes[COMMENT_LAYERS] = {{.count = 0}};
    int code = comment_read(subject, layers, sizes);
    if (code != EXIT_DONE)
        return code;
    const run_settings *own = &layers[COMMENT_OF_KERNEL];
    run_settings given = plan->t1.settings;
    if (!settings_lay_over(&given, &plan->options->run))
        return run_out_of_options(subject);
    if (is_reference)
        given = settings_of_reference(&given, own);
    subject->settings = layers[COMMENT_OF_ALL];
    if (!settings_lay_over(&subject->settings, own) ||
        !settings_lay_over(&subject->settings, &given))
        return run_out_of_options(subject);
    if (is_reference && subject->has_signature)
        drop_foreign_arguments(subject, &subject->settings.arguments);
    subject->settings.check = plan->options->run.check;
    subject->sizes = plan->options->sizes.count       ? plan->options->sizes
                     : plan->t1.operand               ? plan->t1.sizes
                     : sizes[COMMENT_OF_KERNEL].count ? sizes[COMMENT_OF_KERNEL]
                                                      : sizes[COMMENT_OF_ALL];
    return EXIT_DONE;
}

/* Each -D with its first value: what #if leaves out depends on it. */
typedef struct first_defines {
    char texts[RUN_OPTIONS_MAX][SIGNATURE_NAME_BYTES];
    const char *list[RUN_OPTIONS_MAX];
} first_defines;

static void set_defines(const run_plan *plan, first_defines *defines, kernel_file *file)
{
    size_t count = 0;
    for (int from = 0; from < 2; from++) {
        const run_texts *given = from ? &plan->t1.settings.defines : &plan->options->run.defines;
        for (size_t i = 0; i < given->count && count < RUN_OPTIONS_MAX; i++) {
            const char *text = given->texts[i];
            size_t name = strcspn(text, "="), length = name + strcspn(text + name, ",:");
            const char *dots = strstr(text + name, "..");
            if (dots && (size_t)(dots - text) < length)
                length = (size_t)(dots - text);
            snprintf(defines->texts[count], SIGNATURE_NAME_BYTES, "%.*s", (int)length, text);
            defines->list[count] = defines->texts[count];
            count++;
        }
    }
    file->defines = defines->list;
    file->define_count = count;
}

/* Adds one kernel; the subject owns a file and path of its own. */
static int add_kernel(run_plan *plan, const char *path, const char *entry, bool alone,
                      bool is_reference)
{
    char reason[KERNEL_FILE_REASON_BYTES];
    run_subject *subject = &plan->subjects[plan->subject_count];
    *subject = (run_subject){.has_signature = false};
    if (is_reference)
        plan->has_reference = true;
    else
        plan->subject_count++;
    subject->path = text_copy(path);
    if (!subject->path)
        return run_out();
    if (kernel_file_read(subject->path, &subject->file, reason) != 0) {
        terminal_say("kerntime run", reason);
        return EXIT_USAGE;
    }
    snprintf(subject->entry, sizeof subject->entry, "%s", entry);
    name_subject(subject, alone);
    first_defines defines;
    set_defines(plan, &defines, &subject->file);
    if (!subject->file.is_glsl)
        subject->has_signature =
            kernel_file_signature(&subject->file, subject->entry, &subject->signature, reason) == 0;
    else
        kernel_file_see_glsl(&subject->file, &subject->signature);
    subject->file.defines = NULL;
    subject->file.define_count = 0;
    return settle(plan, subject, is_reference);
}

void subject_free(run_subject *subject)
{
    kernel_file_free(&subject->file);
    free(subject->path);
    free(subject->comment);
    *subject = (run_subject){.has_signature = false};
}

/* Whether a file has a kernel that is not listed. */
static bool is_within(const kernel_file *file, const char *kernel)
{
    char reason[KERNEL_FILE_REASON_BYTES];
    signature *found = calloc(1, sizeof *found);
    bool is = found && kernel_file_signature(file, kernel, found, reason) == 0;
    free(found);
    return is;
}

/* Adds the kernels of a file that are meant: the named one, the only one, or all. */
static int add_chosen(run_plan *plan, const kernel_file *file, const kernel_entries *entries,
                      const char *kernel, bool all, bool is_reference)
{
    bool alone = entries->count == 1;
    if (kernel) {
        for (size_t i = 0; i < entries->count; i++)
            if (is_entry(kernel, entries->names[i]))
                return add_kernel(plan, file->path, kernel, alone, is_reference);
        /* it may stand behind an #if, which a -D opens */
        if (is_within(file, kernel))
            return add_kernel(plan, file->path, kernel, false, is_reference);
        return refuse_entry(file->path, entries, kernel);
    }
    if (!alone && !all)
        return refuse_choice(file->path, entries);
    int code = EXIT_DONE;
    for (size_t i = 0; i < entries->count && code == EXIT_DONE; i++) {
        if (plan->subject_count == RUN_SUBJECTS_MAX) {
            terminal_sayf("kerntime run", "%s: %zu of %zu kernels are listed; name others as %s:%s",
                          file->path, i, entries->count, file->path, entries->names[i]);
            return EXIT_DONE;
        }
        code = add_kernel(plan, file->path, entries->names[i], alone, is_reference);
    }
    return code;
}

int subject_add(run_plan *plan, const char *operand, bool all, bool is_reference)
{
    const char *kernel;
    char reason[KERNEL_FILE_REASON_BYTES];
    if (plan->subject_count == RUN_SUBJECTS_MAX && !is_reference) {
        fprintf(stderr, "kerntime run: there are more than %d kernels\n", RUN_SUBJECTS_MAX);
        return EXIT_USAGE;
    }
    char *path = split_operand(operand, &kernel);
    kernel_file file = {.path = path};
    kernel_entries *entries = calloc(1, sizeof *entries);
    first_defines defines;
    int code = EXIT_DONE;
    int failed = path ? kernel_file_read(path, &file, reason) : 0;
    set_defines(plan, &defines, &file);
    if (!path || !entries) {
        code = run_out();
    } else if (failed || kernel_file_entries(&file, entries, reason) != 0) {
        terminal_say("kerntime run", reason);
        code = EXIT_USAGE;
    } else {
        code = add_chosen(plan, &file, entries, kernel, all, is_reference);
    }
    free(entries);
    kernel_file_free(&file);
    free(path);
    return code;
}
