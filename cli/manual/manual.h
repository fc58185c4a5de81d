/* manual.h - the man page and the completions of shells, written from the tables of the command. */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include "cli/commands/commands.h"

#include <stdio.h>

/* How a shell completes the word that is shown in the help as "DEV", "FILE", and so on. */
typedef struct manual_placeholder {
    const char *name;
    const char *const *words; /* NULL-terminated; NULL: names of files */
    bool repeated;            /* the option makes sense more than once */
} manual_placeholder;

#define MANUAL_WORDS_MAX 64

/* What the tables of options do not say. */
typedef struct manual {
    kt_context *context; /* opens no driver */
    const char *devices[MANUAL_WORDS_MAX], *variants[MANUAL_WORDS_MAX],
        *workloads[MANUAL_WORDS_MAX], *kinds[MANUAL_WORDS_MAX],
        *directions[MANUAL_WORDS_MAX]; /* NULL-terminated */
    char direction_names[COPY_DIRECTIONS_MAX][COPY_NAME_BYTES];
    manual_placeholder placeholders[12]; /* the last one has no name */
} manual;

/* What is known of a placeholder; NULL: shells cannot help with it. */
const manual_placeholder *manual_find(const manual *m, const char *placeholder);

/* The words with `between` between them. */
void manual_put_words(FILE *to, const char *const *words, const char *between);

void manual_page(FILE *to, const manual *m);
void completion_bash(FILE *to, const manual *m);
void completion_zsh(FILE *to, const manual *m);
void completion_fish(FILE *to, const manual *m);

#endif
