/* process.h - starts other programs: the system-dependent part besides terminal.h. */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include <stddef.h>
#include <stdio.h>

enum {
    PROCESS_MISSING = -1, /* the program was not found in PATH */
    PROCESS_BROKEN = -2   /* the program could not be started; see `errors` */
};

/* Output of a program, zero-terminated; sizes do not count the zero. */
typedef struct process_output {
    char *output, *errors; /* text of standard output and of standard error; NULL: unknown */
    size_t output_bytes;
} process_output;

/* Keeps a copy of the environment for the programs that are started later. Call it before a driver
 * is loaded: Khronos' OpenCL loader cuts OCL_ICD_FILENAMES in place. */
void process_keep_environment(void);

/*
 * Runs a program found in PATH, without a shell, and waits for it. The program reads `input` from
 * its beginning and does not see the environment variable `hidden`. Returns its exit code, 128 +
 * the signal that ended it, or one of the above. Free the output in any case.
 */
int process_run(const char *const *arguments, FILE *input, const char *hidden, process_output *out);

/*
 * Runs this program again with other arguments and waits for it. Requests to end go to both. The
 * new process shares standard input and error; its standard output is captured. arguments[0] is the
 * path that started this process. Returns as process_run().
 */
int process_run_again(const char *const *arguments, process_output *out);
void process_free(process_output *output);

#endif
