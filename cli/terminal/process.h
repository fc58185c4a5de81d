/* process.h - other programs: what depends on the system, besides terminal.h. */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include <stddef.h>
#include <stdio.h>

enum {
    PROCESS_MISSING = -1, /* there is no such program in PATH */
    PROCESS_BROKEN = -2   /* it could not be run; `errors` says why */
};

/* What a program wrote. A zero follows each, which is not counted. */
typedef struct process_output {
    char *output, *errors; /* standard output and error; NULL: nothing is known */
    size_t output_bytes;
} process_output;

/*
 * Runs a program found in PATH, without a shell, and waits for it. It reads `input` from its
 * beginning, and does not see the environment variable `hidden`. Returns its exit code, 128 and
 * the number of the signal that ended it, or one of the above. Free the output in any case.
 */
int process_run(const char *const *arguments, FILE *input, const char *hidden, process_output *out);

/*
 * Runs this program once more with other arguments, and waits for it; who asks this one to end asks
 * that one, too. It shares standard input and error, and nobody else sees what it writes to
 * standard output. arguments[0] is how this one was started. Returns as process_run().
 */
int process_run_again(const char *const *arguments, process_output *out);
void process_free(process_output *output);

#endif
