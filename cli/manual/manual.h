/* SPDX-License-Identifier: MIT */
/* manual.h - writes the man page and the shell completions from the command's tables. */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include "cli/commands/commands.h"

#include <stdio.h>

/* How shells complete a placeholder of the help, such as "DEV" or "FILE". */
typedef struct manual_placeholder {
    const char *name;
    const char *const *words; /* words for the placeholder, NULL-terminated; NULL: file names */
    bool repeated;            /* the option may be repeated */
    const char *endings;      /* of these file names: "cl|cu"; NULL: any */
} manual_placeholder;

#define MANUAL_WORDS_MAX 64

/* Words for the manual and the completions that the option tables lack, such as workloads. */
typedef struct manual {
    kt_context *context; /* a context that opens no driver */
    const char *devices[MANUAL_WORDS_MAX], *variants[MANUAL_WORDS_MAX],
        *workloads[MANUAL_WORDS_MAX], *kinds[MANUAL_WORDS_MAX],
        *directions[MANUAL_WORDS_MAX]; /* each list is NULL-terminated */
    char direction_names[COPY_DIRECTIONS_MAX][COPY_NAME_BYTES];
    manual_placeholder placeholders[25]; /* the last entry has no name */
} manual;

/* Finds a placeholder; NULL: shells cannot complete it. */
const manual_placeholder *manual_find(const manual *m, const char *placeholder);

/* Writes the words, separated by `between`. */
void manual_put_words(FILE *to, const char *const *words, const char *between);

void manual_page(FILE *to, const manual *m);
/* Writes docs/glossary.md. */
void manual_glossary(FILE *to, const manual *m);
void manual_fields(FILE *to, const manual *m);
void completion_bash(FILE *to, const manual *m);
void completion_zsh(FILE *to, const manual *m);
void completion_fish(FILE *to, const manual *m);

#endif
