/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* posix_spawnp, fileno, strdup, strsignal */
#include "cli/terminal/process.h"

#include "cli/terminal/process_lines.h"
#include "cli/terminal/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <time.h>
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

int64_t process_number(bool of_starter)
{
    return of_starter ? getppid() : getpid();
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

/* Starts a program. Returns 0 or an errno. `path` NULL: looks for the program in PATH. A stream of
 * -1 stays unchanged. */
static int start(const char *path, const char *const *arguments, const int *streams,
                 char **variables, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    for (int i = 0; i < 3 && !error; i++)
        if (streams[i] >= 0)
            error = posix_spawn_file_actions_adddup2(&actions, streams[i], i);
    /* posix_spawn() only reads the words, despite its type. */
    char *const *words;
    memcpy(&words, &arguments, sizeof words);
    if (!error)
        error = path ? posix_spawn(pid, path, &actions, NULL, words, variables)
                     : posix_spawnp(pid, words[0], &actions, NULL, words, variables);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* `signal_number`: 0 if it ended by itself. */
static int wait_for(pid_t pid, int *signal_number)
{
    int status;
    *signal_number = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return PROCESS_BROKEN;
    *signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + *signal_number;
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
    const int numbers[] = {fileno(streams[0]), fileno(streams[1]), fileno(streams[2])};
    int error = start(NULL, arguments, numbers, variables, &pid);
    if (error) {
        errno = error;
        return error == ENOENT ? PROCESS_MISSING : PROCESS_BROKEN;
    }
    int ignored, code = wait_for(pid, &ignored);
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
    int ignored;
    return wait_for(pid, &ignored);
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
    FILE *file = tmpfile();
    const int streams[] = {-1, file ? fileno(file) : -1, -1};
    int error = file ? start(own_path(), arguments, streams, environment(), &pid) : errno;
    if (!error) {
        code = wait_together(pid);
        out->output = read_all(file, &out->output_bytes);
        error = out->output ? 0 : errno;
    }
    if (error) {
        code = PROCESS_BROKEN;
        out->errors = strdup(strerror(error));
    }
    if (file)
        fclose(file);
    return code;
}

void process_free(process_output *output)
{
    free(output->output);
    free(output->errors);
    *output = (process_output){0};
}

/* ---- lines ---- */

#define LOOK_MS 100 /* how often a waiting process looks for Ctrl-C, and for the end of the child */
#define END_NS  10000000000 /* a process that closed its pipe is ended after this time */

int process_start_again(const char *const *arguments, process_child *child)
{
    *child = (process_child){.pipe = -1};
    int ends[2];
    if (pipe(ends) != 0)
        return errno;
    pid_t pid = 0;
    const int streams[] = {-1, ends[1], -1};
    fcntl(ends[0], F_SETFD, FD_CLOEXEC); /* else the child would hold its own pipe open */
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    int error = start(own_path(), arguments, streams, environment(), &pid);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        return error;
    }
    child->pipe = ends[0];
    child->pid = pid;
    terminal_pass_on_to(pid);
    return 0;
}

static int64_t now_ns(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Reads what the pipe has. Returns false at its end, or if memory runs out. */
static bool read_more(process_child *child)
{
    if (!process_make_room(child))
        return false;
    ssize_t count = read(child->pipe, child->text + child->length, child->room - child->length);
    child->length += count > 0 ? (size_t)count : 0;
    return count > 0 || (count < 0 && errno == EINTR);
}

static bool has_ended(const process_child *child)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOWAIT | WNOHANG) == 0 && info.si_pid;
}

process_event process_read_line(process_child *child, int64_t limit_ns, bool obeys, char **line)
{
    int64_t end_ns = now_ns() + limit_ns;
    /* A process that the child started may hold the pipe open for longer. */
    for (bool ended = false;;) {
        if ((*line = process_take_line(child)) != NULL)
            return PROCESS_LINE;
        struct pollfd of_pipe = {.fd = child->pipe, .events = POLLIN};
        if (poll(&of_pipe, 1, ended ? 0 : LOOK_MS) > 0) {
            if (!read_more(child))
                return PROCESS_ENDED;
            continue;
        }
        if (ended)
            return PROCESS_ENDED;
        ended = has_ended(child);
        if (terminal_ended() || (obeys && terminal_interrupted()))
            return PROCESS_INTERRUPTED;
        if (!ended && now_ns() >= end_ns)
            return PROCESS_SILENT;
    }
}

int process_finish(process_child *child, bool forced, char *how, size_t bytes)
{
    siginfo_t info;
    close(child->pipe);
    for (int64_t end_ns = now_ns() + END_NS; !forced && !has_ended(child);) {
        poll(NULL, 0, 1);
        forced = now_ns() >= end_ns;
    }
    if (forced)
        kill(child->pid, SIGKILL);
    while (waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        ;
    terminal_pass_on_to(0);
    int number, code = wait_for(child->pid, &number);
    if (number)
        snprintf(how, bytes, "was ended by signal %d (%s)", number, strsignal(number));
    else
        snprintf(how, bytes, "ended with exit code %d", code);
    free(child->text);
    *child = (process_child){.pipe = -1};
    return code;
}

/* Makes this process end with the one that started it, however that ends. Leaves if it is gone
 * already: nobody reads the pipe then. */
static void end_with_parent(void)
{
#ifdef __linux__
    struct pollfd of_pipe = {.fd = STDOUT_FILENO};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (poll(&of_pipe, 1, 0) > 0 && (of_pipe.revents & POLLERR))
        process_leave(EXIT_FAILURE);
#endif
}

FILE *process_open_lines(void)
{
    end_with_parent();
    int number = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (number < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return NULL;
    FILE *lines = fdopen(number, "w");
    if (lines)
        setvbuf(lines, NULL, _IOLBF, 0);
    return lines;
}

_Noreturn void process_leave(int code)
{
    _exit(code);
}
