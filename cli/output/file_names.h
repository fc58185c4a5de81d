/* SPDX-License-Identifier: MIT */
/* file_names.h - %h, %r, %p, %j and %{VAR} in names of output files. */
#ifndef CLI_FILE_NAMES_H
#define CLI_FILE_NAMES_H

#include "cli/options/options.h"

#define FILE_NAMES_MAX (OUTPUT_COUNT + 2) /* documents, figure and T4 file */

/* What names are made of. */
typedef struct file_name_facts {
    const char *host;        /* NULL: unknown */
    const kt_launch *launch; /* place among the ranks of a launcher; NULL: none */
    int64_t process;         /* its number */
} file_name_facts;

/*
 * Replaces %h (the launcher's name of the node, else the host), %r (rank), %p (process), %j (job),
 * %{VAR} and %% in a name. The caller frees it. NULL with a sentence in `reason` for any other %,
 * and for what is unknown.
 */
char *file_name_make(const file_name_facts *facts, const char *pattern, char *reason,
                     size_t reason_bytes);

/* Whether ranks of the launcher may write to one file of this name; then `reason` is a sentence on
 * it. Only %r differs for certain: processes in containers have equal numbers, hosts several ranks. */
bool file_name_is_shared(const kt_launch *launch, const char *pattern, char *reason,
                         size_t reason_bytes);

/* Names that were made; all NULL before. */
typedef struct file_names {
    char *names[FILE_NAMES_MAX];
} file_names;

/* Makes the names of all files that these options name, but those of `kerntime trace`. Returns an
 * exit code, after a sentence on standard error unless it is EXIT_DONE. */
int file_names_make(cli_options *options, file_names *out);
void file_names_free(file_names *names);

#endif
