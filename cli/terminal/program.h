/* SPDX-License-Identifier: MIT */
/* program.h - runs another program in the place of this one: on its streams, with its signals. */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The environment of a program: a copy of ours, and changes. */
typedef struct program_environment {
    char **variables; /* "NAME=VALUE", ended by NULL; NULL: out of memory */
    size_t count;
} program_environment;

program_environment program_environment_copy(void);
void program_environment_free(program_environment *environment);
/* NULL: not set. Valid until the next change. */
const char *program_environment_get(const program_environment *environment, const char *name);
/* Returns 0, or -1 if memory runs out: the environment is then as before. */
int program_environment_set(program_environment *environment, const char *name, const char *value);
/* Adds a value behind or before those of others, with a colon between. Does nothing if it is there
 * already. */
int program_environment_append(program_environment *environment, const char *name,
                               const char *value);
int program_environment_prepend(program_environment *environment, const char *name,
                                const char *value);

typedef struct program_plan {
    char *const *words;                     /* the program and its arguments, ended by NULL */
    const program_environment *environment; /* what it gets */
    _Atomic(uint32_t) *toggle;              /* changed between 0 and 1 by SIGUSR2; NULL: none */
    int64_t *number; /* its number, written before it begins, in shared memory; NULL: nowhere */
} program_plan;

typedef struct program_end {
    int code;        /* exit code, or 128 + signal */
    int signal;      /* that ended it; 0: none */
    int64_t process; /* its number */
    double wall_ns;
} program_end;

/* From now on, signals do not end this process: see program_run(). For good, SIGPIPE and SIGXFSZ are
 * ignored, and SIGCHLD is not. */
void program_catch_signals(void);

/*
 * Starts the program, looked for in PATH, and waits for its end. Standard streams, process group,
 * signal mask and ignored signals are ours. Meanwhile signals that end, stop or wake a process have
 * no effect on us but are passed on to it, unless they come from the terminal, which reaches both.
 * Returns 0, or the errno of what could not be started.
 */
int program_run(const program_plan *plan, program_end *out);

/* Whether a process of this number exists and has not ended. */
bool program_is_alive(int64_t process);

/* The last signal that asked to end since program_catch_signals(); 0: none. A program is not started
 * then. */
int program_interrupted(void);
/* Signals have their usual effect on us again. */
void program_let_signals(void);

/* What keeps libraries of ours out of a program. */
typedef enum program_kind {
    PROGRAM_ORDINARY,
    PROGRAM_PRIVILEGED, /* setuid, setgid, or with capabilities: the system drops variables */
    PROGRAM_STATIC      /* loads no libraries */
} program_kind;

/* Of a program looked for in PATH. One that cannot be found or read is ordinary. */
program_kind program_look(const char *name);

/* Path of a shared library as the system's loader finds it, by its folders alone: nothing is loaded.
 * The caller frees it. NULL: it is not installed. */
char *program_find_library(const char *name);
/* Whether a file contains a text. False if it cannot be read. */
bool program_file_contains(const char *path, const char *text);

/* Path of the folder of this program's own file, without a slash at its end; the caller frees it.
 * NULL: unknown. */
char *program_own_folder(void);
bool program_has_file(const char *path);

#endif
