/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "cli/trace/trace.h"

#include "cli/output/file_names.h"
#include "cli/output/output.h"
#include "cli/terminal/program.h"
#include "cli/terminal/terminal.h"
#include "cli/trace/command.h"
#include "tracers/common/settings.h"

#include <stdlib.h>
#include <string.h>

/* A file to write: the table, a document, or the time line. */
typedef struct place {
    const char *option;
    const char *pattern;                                       /* NULL: not asked for */
    bool (*print)(const trace_document *document, FILE *file); /* NULL: the time line */
    char *path;
} place;

enum { PLACE_COUNT = 6 };

typedef struct command {
    const cli_options *options;
    place places[PLACE_COUNT];
    kt_report *report; /* owns the document's origin */
    trace_document document;
} command;

static bool print_plain_table(const trace_document *document, FILE *file)
{
    return trace_print_table(document, file, 0, document->options->color == COLOR_ALWAYS);
}

static void list_places(command *c)
{
    const cli_options *o = c->options;
    const place places[PLACE_COUNT] = {
        {"--output", o->trace.output, print_plain_table, NULL},
        {"--json", o->files[KT_FORMAT_JSON], trace_print_json, NULL},
        {"--csv", o->files[KT_FORMAT_CSV], trace_print_csv, NULL},
        {"--markdown", o->files[KT_FORMAT_MARKDOWN], trace_print_markdown, NULL},
        {"--gbench", o->files[OUTPUT_GBENCH], trace_print_gbench, NULL},
        {"--trace", o->files[OUTPUT_TRACE], NULL, NULL}};
    memcpy(c->places, places, sizeof places);
}

static int refuse(const char *option, const char *sentence)
{
    fprintf(stderr, "kerntime trace: %s: %s\n", option, sentence);
    return TRACE_EXIT_FAILED;
}

/* ---- before the program starts ---- */

/* Whether ranks would write one file. With --ranks N a single one writes. */
static bool is_shared(const cli_options *o, const kt_launch *launch, const char *pattern,
                      char *reason, size_t reason_bytes)
{
    bool is_one = o->trace.ranks && !strpbrk(o->trace.ranks, ",-");
    return !is_one && file_name_is_shared(launch, pattern, reason, reason_bytes);
}

/* Sets the paths of the files. Returns 0, or an exit code. */
static int name_places(command *c, int64_t process)
{
    char reason[256];
    kt_launch launch;
    const char *variable = c->options->rank_variable;
    kt_status status = kt_launch_read(variable, &launch);
    /* PROGRAM may be the launcher, which sets the variable for its ranks alone. */
    if (status == KT_INVALID && !(variable && !getenv(variable)))
        return refuse(variable ? "--rank-var" : "rank", kt_error_text());
    const file_name_facts facts = {.host = c->document.origin->host,
                                   .launch = status == KT_OK ? &launch : NULL,
                                   .process = process};
    for (int i = 0; i < PLACE_COUNT; i++) {
        place *p = &c->places[i];
        free(p->path);
        p->path = NULL;
        if (p->pattern && !is_shared(c->options, facts.launch, p->pattern, reason, sizeof reason))
            p->path = file_name_make(&facts, p->pattern, reason, sizeof reason);
        if (p->pattern && !p->path)
            return refuse(p->option, reason);
    }
    return 0;
}

/* Whether a file is PROGRAM's standard output. That of a terminal, which standard error has too, is
 * shared in any case. */
static bool is_output_of_program(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
           (kt_path_is_same(path, "/dev/stdout") && !kt_path_is_same(path, "/dev/stderr") &&
            !kt_path_is_same(path, "/dev/null"));
}

static int check_place(const command *c, int index)
{
    const place *p = &c->places[index];
    if (is_output_of_program(p->path))
        return refuse(p->option, "standard output is PROGRAM's; name a file, such as /dev/stderr");
    for (int i = 0; i < index; i++)
        if (c->places[i].path && kt_path_is_same(c->places[i].path, p->path)) {
            fprintf(stderr, "kerntime trace: %s and %s cannot both go to %s\n", c->places[i].option,
                    p->option, p->path);
            return TRACE_EXIT_FAILED;
        }
    return kt_path_check_writable(p->path) == KT_OK ? 0 : refuse(p->option, kt_error_text());
}

static int check_places(command *c)
{
    int code = name_places(c, 0);
    for (int i = 0; i < PLACE_COUNT && !code; i++)
        if (c->places[i].path)
            code = check_place(c, i);
    return code;
}

/* Whether lists of patterns fit the settings, each with a 0 behind it. */
static bool fit(const char *const *lists, size_t count)
{
    size_t bytes = 1;
    for (size_t i = 0; i < count; i++)
        bytes += strlen(lists[i]) + 1;
    return bytes <= TRACE_GLOBS_BYTES;
}

/* Whether a range of a list as "0,4-7" is empty. */
static bool has_empty_range(const char *list)
{
    for (const char *at = list; at; at = strchr(at, ',')) {
        char *end;
        at += *at == ',';
        long low = strtol(at, &end, 10);
        if (*end == '-' && strtol(end + 1, NULL, 10) < low)
            return true;
    }
    return false;
}

static int check_options(const cli_options *o)
{
    const trace_options *t = &o->trace;
    if (!o->operand_count || !o->operands[0][0])
        return refuse("no program is named", "kerntime trace [OPTION]... -- PROGRAM [ARG]...");
    if (!fit(t->wanted, t->wanted_count) || !fit(t->unwanted, t->unwanted_count))
        return refuse(t->wanted_count ? "--kernels" : "--exclude", "the patterns are too long");
    if (o->rank_variable && strlen(o->rank_variable) >= TRACE_RANK_BYTES)
        return refuse("--rank-var", "the name is too long");
    if (t->ranks && strlen(t->ranks) >= TRACE_GLOBS_BYTES)
        return refuse("--ranks", "the list is too long");
    if (t->ranks && has_empty_range(t->ranks))
        return refuse("--ranks", "a range goes upwards, as in 3-5");
    if (t->memory_bytes && !o->files[OUTPUT_TRACE])
        return refuse("--memory", "it is for the time line: --trace FILE");
    if (o->runs > 1 && o->files[OUTPUT_TRACE])
        return refuse("--trace", "it shows one run; leave out --runs");
    return 0;
}

/* ---- after it ---- */

/* Runs the program as often as it is asked for. Returns 0, or an exit code of its own. */
static int run_all(command *c)
{
    uint32_t count = c->options->runs ? c->options->runs : 1;
    c->document.runs = calloc(count, sizeof *c->document.runs);
    if (!c->document.runs)
        return refuse(c->options->trace.program[0], "out of memory");
    int code = 0;
    for (uint32_t i = 0; i < count && !code && !program_interrupted(); i++) {
        code = trace_launch(c->options, &c->document.runs[i]);
        c->document.run_count += !code;
    }
    return c->document.run_count ? 0 : code; /* a program may be gone before its second run */
}

/* The exit code of the first run that has not 0. */
static int code_of(const trace_document *document)
{
    for (size_t i = 0; i < document->run_count; i++)
        if (document->runs[i].code)
            return document->runs[i].code;
    return 0;
}

static bool write_document(const command *c, const place *p)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return refuse(p->option, "out of memory"), false;
    bool complete = p->print(&c->document, file) && !ferror(file);
    complete = fclose(file) == 0 && complete;
    if (!complete)
        refuse(p->option, "out of memory");
    else if (kt_path_write(p->path, text, bytes) != KT_OK) {
        refuse(p->option, kt_error_text());
        complete = false;
    }
    free(text);
    return complete;
}

/* Writes the files first: the terminal may go away. */
static bool write_all(command *c)
{
    bool complete = name_places(c, c->document.runs[0].process) == 0;
    for (int i = 0; i < PLACE_COUNT && complete; i++) {
        const place *p = &c->places[i];
        if (p->path && p->print && !write_document(c, p))
            complete = false;
        if (p->path && !p->print && trace_write_timeline(&c->document, p->path) != 0)
            complete = false;
    }
    if (c->options->trace.output || c->options->quiet)
        return complete;
    unsigned width = terminal_error_width();
    bool color = c->options->color == COLOR_ALWAYS ||
                 (c->options->color == COLOR_AUTO && width && !terminal_is_plain());
    fflush(stderr);
    if (!trace_print_table(&c->document, stderr, c->options->wide ? 0 : (int)width, color))
        return refuse("table", "out of memory"), false;
    return complete;
}

static int run_and_write(command *c)
{
    int code = run_all(c);
    if (code)
        return code;
    code = code_of(&c->document);
    if (c->document.runs[0].is_unwanted)
        return code;
    bool complete = trace_note_all(&c->document);
    if (program_interrupted() && c->document.run_count < c->options->runs)
        complete = trace_note(&c->document, "interrupted: %zu of %u runs", c->document.run_count,
                              (unsigned)c->options->runs) &&
                   complete;
    if (!complete)
        refuse("notes", "out of memory");
    complete = write_all(c) && complete;
    return complete || code ? code : TRACE_EXIT_FAILED;
}

int trace_run_command(const cli_options *options)
{
    cli_options own = *options;
    command c = {.options = &own, .document = {.options = &own}};
    own.trace.program = options->operands;
    kt_report_desc desc = output_describe(&own, NULL);
    list_places(&c);
    int code = check_options(&own);
    if (!code && kt_report_create(&c.report, &desc) != KT_OK)
        code = refuse("document", kt_error_text());
    if (!code) {
        c.document.origin = kt_report_get_desc(c.report)->origin;
        code = check_places(&c);
    }
    code = code ? code : run_and_write(&c);
    for (size_t i = 0; i < c.document.run_count; i++)
        trace_free(&c.document.runs[i].totals);
    free(c.document.runs);
    trace_free_notes(&c.document);
    for (int i = 0; i < PLACE_COUNT; i++)
        free(c.places[i].path);
    kt_report_destroy(&c.report);
    return code;
}
