#define _POSIX_C_SOURCE 200809L /* posix_spawnp, fileno, strdup */
#include "cli/terminal/process.h"

#include "cli/terminal/terminal.h"

#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char **kept; /* a copy of the environment, or NULL */

void process_keep_environment(void)
{
    size_t count = 0;
    while (environ[count])
        count++;
    kept = calloc(count + 1, sizeof *kept);
    for (size_t i = 0; kept && i < count; i++)
        if ((kept[i] = strdup(environ[i])) == NULL) {
            while (i > 0)
                free(kept[--i]);
            free(kept);
            kept = NULL;
        }
}

static char **environment(void)
{
    return kept ? kept : environ;
}

/* The environment without one variable. Shares the strings. */
static char **environment_without(const char *hidden)
{
    char **from = environment();
    size_t count = 0, length = strlen(hidden);
    while (from[count])
        count++;
    char **rest = malloc((count + 1) * sizeof *rest), **next = rest;
    for (size_t i = 0; rest && i < count; i++)
        if (strncmp(from[i], hidden, length) != 0 || from[i][length] != '=')
            *next++ = from[i];
    if (rest)
        *next = NULL;
    return rest;
}

/* Starts a program. Returns 0 or an errno. `path` NULL: looks for the program in PATH. A NULL
 * stream stays unchanged. */
static int start(const char *path, const char *const *arguments, FILE *const *streams,
                 char **variables, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    for (int i = 0; i < 3 && !error; i++)
        if (streams[i])
            error = posix_spawn_file_actions_adddup2(&actions, fileno(streams[i]), i);
    /* posix_spawn() only reads the words, despite its type. */
    char *const *words;
    memcpy(&words, &arguments, sizeof words);
    if (!error)
        error = path ? posix_spawn(pid, path, &actions, NULL, words, variables)
                     : posix_spawnp(pid, words[0], &actions, NULL, words, variables);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static int wait_for(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return PROCESS_BROKEN;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Reads a whole file, zero-terminated. Returns NULL with errno set on failure. */
static char *read_all(FILE *file, size_t *bytes)
{
    if (fseek(file, 0, SEEK_END) != 0)
        return NULL;
    long length = ftell(file);
    rewind(file);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (!text)
        return NULL;
    *bytes = fread(text, 1, (size_t)length, file);
    text[*bytes] = '\0';
    return text;
}

/* Uses files instead of pipes, so that no process ever waits for a reader. */
static int run(const char *const *arguments, FILE *const *streams, char **variables,
               process_output *out)
{
    if (fflush(streams[0]) != 0 || fseek(streams[0], 0, SEEK_SET) != 0)
        return PROCESS_BROKEN;
    pid_t pid = 0;
    int error = start(NULL, arguments, streams, variables, &pid);
    if (error) {
        errno = error;
        return error == ENOENT ? PROCESS_MISSING : PROCESS_BROKEN;
    }
    int code = wait_for(pid);
    size_t error_bytes;
    out->output = read_all(streams[1], &out->output_bytes);
    out->errors = read_all(streams[2], &error_bytes);
    return out->output && out->errors ? code : PROCESS_BROKEN;
}

int process_run(const char *const *arguments, FILE *input, const char *hidden, process_output *out)
{
    *out = (process_output){0};
    int code = PROCESS_BROKEN;
    FILE *streams[] = {input, tmpfile(), tmpfile()};
    char **variables = environment_without(hidden);
    if (streams[1] && streams[2] && variables)
        code = run(arguments, streams, variables, out);
    int error = errno;
    free(variables);
    for (int i = 1; i < 3; i++)
        if (streams[i])
            fclose(streams[i]);
    if (code == PROCESS_BROKEN) {
        free(out->errors);
        out->errors = strdup(strerror(error));
    }
    return code;
}

/* Waits for the process and forwards requests to end. Reaps it only after forwarding has stopped,
 * so that its number cannot belong to another process meanwhile. */
static int wait_together(pid_t pid)
{
    siginfo_t info;
    terminal_pass_on_to(pid);
    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        ;
    terminal_pass_on_to(0);
    return wait_for(pid);
}

/* Path of the running program, even if its file was replaced; NULL: unknown. */
static const char *own_path(void)
{
#ifdef __linux__
    static const char path[] = "/proc/self/exe";
    return access(path, X_OK) == 0 ? path : NULL;
#else
    return NULL;
#endif
}

int process_run_again(const char *const *arguments, process_output *out)
{
    *out = (process_output){0};
    int code = PROCESS_BROKEN;
    pid_t pid = 0;
    FILE *streams[] = {NULL, tmpfile(), NULL};
    int error = streams[1] ? start(own_path(), arguments, streams, environment(), &pid) : errno;
    if (!error) {
        code = wait_together(pid);
        out->output = read_all(streams[1], &out->output_bytes);
        error = out->output ? 0 : errno;
    }
    if (error) {
        code = PROCESS_BROKEN;
        out->errors = strdup(strerror(error));
    }
    if (streams[1])
        fclose(streams[1]);
    return code;
}

void process_free(process_output *output)
{
    free(output->output);
    free(output->errors);
    *output = (process_output){0};
}
