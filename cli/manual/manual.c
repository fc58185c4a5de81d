/* SPDX-License-Identifier: MIT */
/* kerntime-manual - writes the man page of kerntime, and the completions of shells:
 *
 *     kerntime-manual man|glossary|fields|bash|zsh|fish FILE
 */
#include "cli/manual/manual.h"

#include "cli/options/directions.h"
#include "workloads/workload.h"

#include <stdlib.h>
#include <string.h>

/* Files of kernels. A test compares these with what the program reads. */
#define KERNEL_ENDINGS "cl|comp|spv|wgsl|cu|ptx|metal"

const manual_placeholder *manual_find(const manual *m, const char *placeholder)
{
    for (const manual_placeholder *p = m->placeholders; placeholder && p->name; p++)
        if (strcmp(p->name, placeholder) == 0)
            return p;
    return NULL;
}

void manual_put_words(FILE *to, const char *const *words, const char *between)
{
    for (const char *const *word = words; *word; word++)
        fprintf(to, "%s%s", word == words ? "" : between, *word);
}

/* Adds a word unless the list has it. */
static void add_word(const char **words, const char *word)
{
    size_t count = 0;
    for (; words[count]; count++)
        if (strcmp(words[count], word) == 0)
            return;
    if (count + 1 == MANUAL_WORDS_MAX) {
        fprintf(stderr, "kerntime-manual: no room for \"%s\"\n", word);
        exit(EXIT_FAILED);
    }
    words[count] = word;
}

/* A context describes the backends that it excludes, too, and opens none of their drivers. */
static kt_status fill(manual *m)
{
    kt_context_options options = {.size = sizeof options, .backends = "sim"};
    kt_status status = kt_context_create(&m->context, &options);
    if (status != KT_OK)
        return status;
    for (uint32_t i = 0; i < kt_backend_count(m->context); i++)
        add_word(m->devices, kt_backend_get(m->context, i)->name);
    add_word(m->devices, "gpu");
    for (const workload *const *w = workloads; *w; w++) {
        add_word(m->workloads, (*w)->name);
        for (const char *const *variant = (*w)->variants; variant && *variant; variant++)
            add_word(m->variants, *variant);
    }
    for (const cli_term *kind = copy_kinds; kind->name; kind++)
        add_word(m->kinds, kind->name);
    copy_direction all[COPY_DIRECTIONS_MAX];
    for (size_t i = 0, count = directions_all(all); i < count; i++)
        add_word(m->directions, copy_direction_name(&all[i], m->direction_names[i]));
    static const char *const none[] = {NULL}; /* nothing to complete */
    const manual_placeholder placeholders[] = {
        {"DEV", m->devices, true, NULL},
        {"FILE", NULL, false, NULL},
        {"DIR", NULL, false, NULL},
        {"NAME", m->variants, false, NULL},
        {"HOW", order_words, false, NULL},
        {"VALUES", plot_words, false, NULL},
        {"VERDICT", gate_words, false, NULL},
        {"WHAT", timing_words, false, NULL},
        {"GROUP", fleet_by_words, false, NULL},
        {"WHEN", color_words, false, NULL},
        {"APIS", trace_api_words, false, NULL},
        {"ANSWER", yes_no_words, false, NULL},
        {"FILE|FOLDER...", NULL, true, NULL},
        {"PROGRAM [ARG]...", NULL, true, NULL},
        {"WORKLOAD...", m->workloads, true, NULL},
        {"BASELINE CONTENDER", NULL, true, NULL},
        {"RESULT", NULL, true, NULL},
        {"KIND", m->kinds, true, NULL},
        {"DIRECTION", m->directions, true, NULL},
        {"FILE[:KERNEL]...", NULL, true, KERNEL_ENDINGS},
        {"FILE[:KERNEL]", NULL, false, KERNEL_ENDINGS},
        {"NAME=SPEC", none, true, NULL},
        {"NAME=V,...", none, true, NULL},
        {"NAME=@FILE", none, true, NULL},
    };
    memcpy(m->placeholders, placeholders, sizeof placeholders);
    return KT_OK;
}

static const struct {
    const char *name;
    void (*write)(FILE *to, const manual *m);
} kinds[] = {
    {"man", manual_page},      {"glossary", manual_glossary}, {"fields", manual_fields},
    {"bash", completion_bash}, {"zsh", completion_zsh},       {"fish", completion_fish},
};

int main(int argc, char **argv)
{
    size_t kind = 0;
    while (kind < sizeof kinds / sizeof kinds[0] &&
           (argc != 3 || strcmp(argv[1], kinds[kind].name) != 0))
        kind++;
    if (kind == sizeof kinds / sizeof kinds[0]) {
        fprintf(stderr, "usage: kerntime-manual man|glossary|fields|bash|zsh|fish FILE\n");
        return EXIT_USAGE;
    }
    manual m = {0};
    if (fill(&m) != KT_OK) {
        fprintf(stderr, "kerntime-manual: %s\n", kt_error_text());
        return EXIT_FAILED;
    }
    FILE *file = fopen(argv[2], "w");
    if (file)
        kinds[kind].write(file, &m);
    kt_context_destroy(&m.context);
    bool failed = !file || ferror(file);
    if (file)
        failed |= fclose(file) != 0;
    if (failed)
        fprintf(stderr, "kerntime-manual: \"%s\" cannot be written\n", argv[2]);
    return failed ? EXIT_FAILED : EXIT_DONE;
}
