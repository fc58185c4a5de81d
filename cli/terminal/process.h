/* SPDX-License-Identifier: MIT */
/* process.h - starts other programs: the system-dependent part besides terminal.h. */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Number of this process, or of the one that started it. */
int64_t process_number(bool of_starter);

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

/* A process of this program whose lines are read while it runs. */
typedef struct process_child {
    int pid;  /* 0: none */
    int pipe; /* its standard output */
    char *text;
    size_t length, taken, room; /* bytes in `text`, bytes of lines returned before, capacity */
} process_child;

typedef enum process_event {
    PROCESS_LINE,       /* a line came */
    PROCESS_ENDED,      /* it ended, and no further line comes */
    PROCESS_SILENT,     /* no line came within the limit */
    PROCESS_INTERRUPTED /* Ctrl-C came */
} process_event;

/* Starts this program again like process_run_again(), with its standard output in a pipe, and goes
 * on. Returns 0, or an errno. */
int process_start_again(const char *const *arguments, process_child *child);
/* Waits for the next line. It has no line end and is valid until the next call. `obeys`: returns
 * PROCESS_INTERRUPTED on Ctrl-C; else the child is waited for. */
process_event process_read_line(process_child *child, int64_t limit_ns, bool obeys, char **line);
/* Waits for the end of the process, which is forced if `forced`, else after 10 s. Returns its exit code, or 128 + the
 * signal that ended it, and writes a clause about it: "was ended by signal 11 (Segmentation
 * fault)". */
int process_finish(process_child *child, bool forced, char *how, size_t bytes);
/* In a process so started: a stream for the lines. What drivers and kernels print to standard output
 * goes to standard error from now on. On Linux it ends with the process that started it. NULL: it
 * cannot be opened. */
FILE *process_open_lines(void);
/* Ends this process at once, without the handlers of drivers, which may hang after a fault. */
_Noreturn void process_leave(int code);

#endif
