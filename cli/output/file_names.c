/* SPDX-License-Identifier: MIT */
#include "cli/output/file_names.h"

#include "cli/options/select.h"
#include "cli/output/output.h"
#include "cli/terminal/process.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES   4096
#define REASON_BYTES 256

/* ---- one name ---- */

/* What a name becomes. */
typedef struct name {
    const file_name_facts *facts;
    char text[NAME_BYTES];
    size_t length;
    char *reason;
    size_t reason_bytes;
} name;

static bool refuse(name *n, const char *what, int length, const char *sentence)
{
    snprintf(n->reason, n->reason_bytes, "%.*s: %s", length, what, sentence);
    return false;
}

static bool put(name *n, const char *text, size_t length)
{
    if (length >= NAME_BYTES - n->length)
        return refuse(n, text, 20, "the name becomes too long");
    memcpy(n->text + n->length, text, length);
    n->length += length;
    n->text[n->length] = '\0';
    return true;
}

/* Replaces "%{NAME}" at `at`. */
static bool put_variable(name *n, const char *at)
{
    char variable[256];
    size_t length = strcspn(at + 2, "}");
    if (!at[2 + length] || !length || length >= sizeof variable)
        return refuse(n, "%{", 2, "it takes the name of a variable, as in %{USER}");
    memcpy(variable, at + 2, length);
    variable[length] = '\0';
    const char *value = getenv(variable);
    if (!value)
        return refuse(n, at, (int)length + 3, "this variable is not set");
    return put(n, value, strlen(value));
}

static bool put_known(name *n, const char *at, const char *text, const char *otherwise)
{
    return text && *text ? put(n, text, strlen(text)) : refuse(n, at, 2, otherwise);
}

/* Replaces what begins with the % at *at, and moves behind it. */
static bool put_field(name *n, const char **at)
{
    char process[32], rank[32] = "";
    const char *begin = *at;
    const kt_launch *launch = n->facts->launch;
    *at += begin[1] == '{' ? strcspn(begin, "}") + 1 : 2;
    snprintf(process, sizeof process, "%" PRId64, n->facts->process);
    if (launch)
        snprintf(rank, sizeof rank, "%" PRIu32, launch->rank);
    switch (begin[1]) {
    case '%': return put(n, "%", 1);
    case 'p': return put(n, process, strlen(process));
    case 'h':
        return put_known(n, begin, launch && launch->node[0] ? launch->node : n->facts->host,
                         "the name of the host is not known");
    case 'r': return put_known(n, begin, rank, "no variable has a rank; --rank-var names one");
    case 'j': return put_known(n, begin, launch ? launch->job : NULL, "no launcher names its job");
    case '{': return put_variable(n, begin);
    default:
        return refuse(n, begin, begin[1] ? 2 : 1,
                      "names take %h, %r, %p, %j, %{VARIABLE}, and %% for %");
    }
}

char *file_name_make(const file_name_facts *facts, const char *pattern, char *reason,
                     size_t reason_bytes)
{
    name n = {.facts = facts, .reason = reason, .reason_bytes = reason_bytes};
    for (const char *at = pattern; *at;) {
        size_t length = strcspn(at, "%");
        if (!put(&n, at, length))
            return NULL;
        at += length;
        if (*at && !put_field(&n, &at))
            return NULL;
    }
    char *copy = malloc(n.length + 1);
    if (copy)
        memcpy(copy, n.text, n.length + 1);
    else
        refuse(&n, pattern, 20, "out of memory");
    return copy;
}

/* ---- ranks ---- */

/* Whether a name has this field, such as %r. */
static bool has_field(const char *pattern, char field)
{
    for (const char *at = strchr(pattern, '%'); at; at = strchr(at, '%')) {
        if (at[1] == field)
            return true;
        at += at[1] ? 2 : 1;
    }
    return false;
}

bool file_name_is_shared(const kt_launch *launch, const char *pattern, char *reason,
                         size_t reason_bytes)
{
    char count[32] = "all";
    if (!launch || strcmp(pattern, "-") == 0 || strncmp(pattern, "/dev/", 5) == 0)
        return false;
    if (launch->larger[0]) { /* the rank is 0 in each of them */
        snprintf(reason, reason_bytes,
                 "%.100s: all would write this file: %s says rank 0 of 1, but %s more; use one "
                 "launcher, not two",
                 pattern, launch->variable, launch->larger);
        return true;
    }
    if (!launch_has_several(launch) || has_field(pattern, 'r'))
        return false;
    if (launch->size != KT_LAUNCH_UNKNOWN)
        snprintf(count, sizeof count, "%" PRIu32, launch->size);
    snprintf(reason, reason_bytes, "%.160s: %s ranks would write this file; add %%r to its name",
             pattern, count);
    return true;
}

/* ---- all names ---- */

/* Name of this machine, copied to `host`; false: unknown. */
static bool find_host(char *host, size_t bytes)
{
    const kt_report_desc desc = {.size = sizeof desc};
    kt_report *report = NULL;
    const char *known =
        kt_report_create(&report, &desc) == KT_OK ? kt_report_get_desc(report)->origin->host : NULL;
    snprintf(host, bytes, "%s", known ? known : "");
    kt_report_destroy(&report);
    return *host;
}

typedef struct maker {
    const cli_options *options;
    file_name_facts facts;
    char host[256];
    bool measures; /* each rank has results of its own */
} maker;

/* Makes the name at *pattern. Returns an exit code. */
static int make_one(maker *m, const char *option, const char **pattern, char **made)
{
    char reason[REASON_BYTES];
    if (!*pattern)
        return EXIT_DONE;
    if (!m->facts.host && has_field(*pattern, 'h') && find_host(m->host, sizeof m->host))
        m->facts.host = m->host;
    if (!m->measures || !file_name_is_shared(m->facts.launch, *pattern, reason, sizeof reason))
        *made = file_name_make(&m->facts, *pattern, reason, sizeof reason);
    if (*made)
        *pattern = *made;
    else
        fprintf(stderr, "kerntime %s: %s: %s\n", m->options->command, option, reason);
    return *made ? EXIT_DONE : EXIT_USAGE;
}

/* Sets *launch if a launcher has started this process. Returns an exit code. */
static int find_launch(const cli_options *options, kt_launch *place, const kt_launch **launch)
{
    kt_status status = kt_launch_read(options->rank_variable, place);
    *launch = status == KT_OK ? place : NULL;
    if (status != KT_INVALID || !(options->measures || options->rank_variable))
        return EXIT_DONE;
    fprintf(stderr, "kerntime %s: %s%s\n", options->command,
            options->rank_variable ? "--rank-var: " : "", kt_error_text());
    return EXIT_USAGE;
}

int file_names_make(cli_options *options, file_names *out)
{
    kt_launch place;
    /* A process that kerntime itself starts writes the files of the one that started it. */
    bool is_started = options->is_run || options->stage;
    maker m = {.options = options,
               .facts = {.process = process_number(is_started)},
               .measures = options->measures};
    int code = find_launch(options, &place, &m.facts.launch);
    for (int i = 0; i < OUTPUT_COUNT && code == EXIT_DONE; i++)
        code = make_one(&m, output_option(i), &options->files[i], &out->names[i]);
    if (code == EXIT_DONE)
        code = make_one(&m, "--plot", &options->plot, &out->names[OUTPUT_COUNT]);
    if (code == EXIT_DONE)
        code = make_one(&m, "--t4", &options->run.t4, &out->names[OUTPUT_COUNT + 1]);
    return code;
}

void file_names_free(file_names *names)
{
    for (int i = 0; i < FILE_NAMES_MAX; i++)
        free(names->names[i]);
}
