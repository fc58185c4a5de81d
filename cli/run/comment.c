/* SPDX-License-Identifier: MIT */
/* comment.c - options in a comment of the file: "kerntime: -n 16Mi --flops 2*n". */
#include "cli/run/subject.h"
#include "cli/terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 1024

/* The options that a comment may have: none that writes a file or chooses a device. */
typedef struct comment_option {
    const char *name;
    char letter;
    size_t texts; /* offset of its run_texts, or SIZE_MAX */
    size_t text;  /* offset of its text, or SIZE_MAX */
} comment_option;

#define TEXTS(field) offsetof(run_settings, field), SIZE_MAX
#define TEXT(field)  SIZE_MAX, offsetof(run_settings, field)

static const comment_option options[] = {
    {"size", 'n', SIZE_MAX, SIZE_MAX}, {"arg", 'a', TEXTS(arguments)},
    {"define", 'D', TEXTS(defines)},   {"if", 0, TEXTS(conditions)},
    {"local", 0, TEXTS(locals)},       {"global", 0, TEXT(global)},
    {"groups", 0, TEXT(groups)},       {"tolerance", 0, TEXT(tolerance)},
    {"flops", 0, TEXT(flops)},         {"bytes", 0, TEXT(bytes)},
};

/* ---- words ---- */

/* Copies the next word to `out`, which has room for the line: quotation marks keep blanks, and are
 * left out. Sets `at` behind it. Returns false behind the last one. */
static bool next_word(const char **at, char *out, bool *open)
{
    const char *c = *at + strspn(*at, " \t");
    char mark = '\0';
    bool any = *c != '\0';
    for (; *c && (mark || !strchr(" \t", *c)); c++) {
        if (mark ? *c == mark : *c == '\'' || *c == '"')
            mark = mark ? '\0' : *c;
        else
            *out++ = *c;
    }
    *out = '\0';
    *open = mark != '\0';
    *at = c;
    return any;
}

/* A line being read; its words go to `room`. */
typedef struct reading {
    const char *path, *line, *at;
    char **room;
    run_settings *to;
    parse_sizes *sizes;
} reading;

static int refuse(const reading *r, const char *format, const char *word)
{
    char why[512];
    snprintf(why, sizeof why, format, word);
    terminal_sayf("kerntime run", "%s: \"kerntime: %.60s%s\": %s", r->path, r->line,
                  strlen(r->line) > 60 ? "..." : "", why);
    return EXIT_USAGE;
}

/* The next word in the room, or NULL. */
static char *take_word(reading *r, bool *open)
{
    char *word = *r->room;
    if (!next_word(&r->at, word, open))
        return NULL;
    *r->room += strlen(word) + 1;
    return word;
}

/* Finds the option of a word: "-n", "-n16", "--size" or "--size=16"; sets `value` to what is joined
 * to it. */
static const comment_option *find_option(const char *word, const char **value)
{
    *value = NULL;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const comment_option *o = &options[i];
        size_t length = strlen(o->name);
        if (word[0] == '-' && o->letter && word[1] == o->letter) {
            *value = word[2] ? word + 2 : NULL;
            return o;
        }
        if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, o->name, length) != 0)
            continue;
        if (word[2 + length] == '=')
            *value = word + 3 + length;
        if (word[2 + length] == '\0' || *value)
            return o;
    }
    return NULL;
}

static int set_option(const reading *r, const comment_option *option, const char *value)
{
    char reason[PARSE_WHY_BYTES];
    if (option->text != SIZE_MAX) {
        *(const char **)(void *)((char *)r->to + option->text) = value;
        return EXIT_DONE;
    }
    if (option->texts == SIZE_MAX)
        return parse_size_list(value, r->sizes, reason) == 0 ? EXIT_DONE
                                                             : refuse(r, "-n: %s", reason);
    run_texts *texts = (run_texts *)(void *)((char *)r->to + option->texts);
    if (texts->count == RUN_OPTIONS_MAX)
        return refuse(r, "--%s is given too often", option->name);
    texts->texts[texts->count++] = value;
    return EXIT_DONE;
}

static int read_line(reading *r)
{
    char *word;
    bool open = false;
    while ((word = take_word(r, &open)) != NULL) {
        const char *value;
        const comment_option *option = find_option(word, &value);
        if (!option)
            return refuse(r, "a comment cannot have %s, only options of one dispatch", word);
        if (!value && !open)
            value = take_word(r, &open);
        if (open)
            return refuse(r, "a quotation mark is not closed%s", "");
        if (!value || !*value)
            return refuse(r, "a value has to follow %s", word);
        int code = set_option(r, option, value);
        if (code != EXIT_DONE)
            return code;
    }
    return EXIT_DONE;
}

/* ---- lines ---- */

/* The name of a kernel in comments: "axpy" of "ns::axpy<float,4>". */
static void name_in_comments(const char *entry, char name[SIGNATURE_NAME_BYTES])
{
    size_t length = strcspn(entry, "<"), begin = length;
    while (begin > 0 && entry[begin - 1] != ':')
        begin--;
    snprintf(name, SIGNATURE_NAME_BYTES, "%.*s", (int)(length - begin), entry + begin);
}

/* Whether line `index` of a kernel's is one of all kernels: those are what a kernel without a name
 * gets, in the same order. `*of_all` counts them. */
static comment_layer layer_of(const run_subject *subject, const char *words, size_t *of_all)
{
    char general[LINE_BYTES];
    if (!kernel_file_defaults(&subject->file, "", *of_all, general, sizeof general) ||
        strcmp(general, words) != 0)
        return COMMENT_OF_KERNEL;
    ++*of_all;
    return COMMENT_OF_ALL;
}

int comment_read(run_subject *subject, run_settings layers[COMMENT_LAYERS],
                 parse_sizes sizes[COMMENT_LAYERS])
{
    char line[LINE_BYTES], name[SIGNATURE_NAME_BYTES];
    size_t bytes = 1, of_all = 0;
    name_in_comments(subject->entry, name);
    for (size_t i = 0; kernel_file_defaults(&subject->file, name, i, line, sizeof line); i++)
        bytes += strlen(line) + 2; /* a zero behind each word, where a blank was */
    subject->comment = malloc(bytes);
    if (!subject->comment)
        return run_out();
    char *room = subject->comment;
    int code = EXIT_DONE;
    for (size_t i = 0;
         code == EXIT_DONE && kernel_file_defaults(&subject->file, name, i, line, sizeof line);
         i++) {
        comment_layer layer = layer_of(subject, line, &of_all);
        reading r = {.path = subject->path,
                     .line = line,
                     .at = line,
                     .room = &room,
                     .to = &layers[layer],
                     .sizes = &sizes[layer]};
        code = read_line(&r);
    }
    return code;
}

/* ---- layers ---- */

/* Whether two "NAME=..." have the same name. */
static bool same_name(const char *a, const char *b)
{
    size_t length = strcspn(a, "=");
    return length == strcspn(b, "=") && strncmp(a, b, length) == 0;
}

/* Joins texts; with `by_name`, one above replaces all below of its name. */
static bool join(run_texts *below, const run_texts *above, bool by_name)
{
    run_texts joined = {.count = 0};
    for (size_t i = 0; i < below->count; i++) {
        bool replaced = false;
        for (size_t k = 0; k < above->count && by_name; k++)
            replaced |= same_name(below->texts[i], above->texts[k]);
        if (!replaced)
            joined.texts[joined.count++] = below->texts[i];
    }
    if (joined.count + above->count > RUN_OPTIONS_MAX)
        return false;
    for (size_t i = 0; i < above->count; i++)
        joined.texts[joined.count++] = above->texts[i];
    *below = joined;
    return true;
}

bool settings_lay_over(run_settings *below, const run_settings *above)
{
    run_settings out = *below;
    if (!join(&out.arguments, &above->arguments, true) ||
        !join(&out.defines, &above->defines, true) ||
        !join(&out.conditions, &above->conditions, false) ||
        !join(&out.expectations, &above->expectations, true))
        return false;
    if (above->locals.count)
        out.locals = above->locals;
    if (above->global || above->groups) {
        out.global = above->global;
        out.groups = above->groups;
    }
    if (above->tolerance)
        out.tolerance = above->tolerance;
    if (above->flops)
        out.flops = above->flops;
    if (above->bytes)
        out.bytes = above->bytes;
    out.no_reset |= above->no_reset;
    *below = out;
    return true;
}
