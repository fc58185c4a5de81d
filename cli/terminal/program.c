/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* execvpe, pipe2 */
#define _DARWIN_C_SOURCE
#include "cli/terminal/program.h"

#include <dlfcn.h>
#ifdef __linux__
#include <elf.h>
#include <sys/xattr.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef __linux__
extern char **environ; /* else of unistd.h */
#endif

/* ---- environment ---- */

program_environment program_environment_copy(void)
{
    program_environment copy = {0};
    size_t count = 0;
    while (environ[count])
        count++;
    copy.variables = calloc(count + 1, sizeof *copy.variables);
    for (; copy.variables && copy.count < count; copy.count++)
        if ((copy.variables[copy.count] = strdup(environ[copy.count])) == NULL)
            program_environment_free(&copy);
    return copy;
}

void program_environment_free(program_environment *environment)
{
    for (size_t i = 0; environment->variables && environment->variables[i]; i++)
        free(environment->variables[i]);
    free(environment->variables);
    *environment = (program_environment){0};
}

/* Index of a variable; environment->count: it is not set. */
static size_t find(const program_environment *environment, const char *name)
{
    size_t i = 0, length = strlen(name);
    while (i < environment->count && (strncmp(environment->variables[i], name, length) != 0 ||
                                      environment->variables[i][length] != '='))
        i++;
    return i;
}

const char *program_environment_get(const program_environment *environment, const char *name)
{
    size_t i = find(environment, name);
    return i < environment->count ? environment->variables[i] + strlen(name) + 1 : NULL;
}

int program_environment_set(program_environment *environment, const char *name, const char *value)
{
    size_t i = find(environment, name), bytes = strlen(name) + 1 + strlen(value) + 1;
    char *text = malloc(bytes);
    if (!text)
        return -1;
    snprintf(text, bytes, "%s=%s", name, value);
    if (i == environment->count) {
        char **more = realloc(environment->variables, (i + 2) * sizeof *more);
        if (!more) {
            free(text);
            return -1;
        }
        environment->variables = more;
        environment->variables[i] = environment->variables[i + 1] = NULL;
        environment->count++;
    }
    free(environment->variables[i]);
    environment->variables[i] = text;
    return 0;
}

static bool has_entry(const char *list, const char *entry)
{
    size_t length = strcspn(entry, ":"); /* one may end in a colon */
    for (; *list; list += strcspn(list, ":"), list += *list == ':')
        if (strcspn(list, ":") == length && strncmp(list, entry, length) == 0)
            return true;
    return false;
}

static int add_entry(program_environment *environment, const char *name, const char *value,
                     bool is_first)
{
    const char *others = program_environment_get(environment, name);
    if (!others || !*others)
        return program_environment_set(environment, name, value);
    if (has_entry(others, value))
        return 0;
    size_t bytes = strlen(others) + 1 + strlen(value) + 1;
    char *both = malloc(bytes);
    if (!both)
        return -1;
    snprintf(both, bytes, "%s:%s", is_first ? value : others, is_first ? others : value);
    int failed = program_environment_set(environment, name, both);
    free(both);
    return failed;
}

int program_environment_append(program_environment *environment, const char *name,
                               const char *value)
{
    return add_entry(environment, name, value, false);
}

int program_environment_prepend(program_environment *environment, const char *name,
                                const char *value)
{
    return add_entry(environment, name, value, true);
}

/* ---- signals ---- */

/* A process that is signalled alone and with its group gets each signal twice, as by timeout(1). A
 * second one this soon is the same one. */
#define SAME_NS 300000000

static const int passed_on[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1, SIGWINCH,
                                SIGALRM, SIGTSTP, SIGCONT, SIGTTIN, SIGTTOU};
#define PASSED_ON_COUNT (sizeof passed_on / sizeof passed_on[0])

static volatile sig_atomic_t program_number; /* 0: none runs */
static volatile sig_atomic_t interrupted;    /* the last request to end; 0: none */
static volatile sig_atomic_t catching;
/* NULL between programs. Changes while signals are blocked. */
static _Atomic(uint32_t) *volatile toggle;
static struct sigaction before[PASSED_ON_COUNT + 4]; /* and of SIGUSR2, SIGPIPE, SIGXFSZ, SIGCHLD */
static atomic_llong passed_ns[PASSED_ON_COUNT];

static long long now_ns(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    int error = errno;
    size_t i = 0;
    while (passed_on[i] != number)
        i++;
    long long last_ns = atomic_load(&passed_ns[i]), at_ns = now_ns();
    if (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT)
        interrupted = number;
    bool is_stop = number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
    if (info->si_code <= 0 && program_number && (!last_ns || at_ns - last_ns >= SAME_NS)) {
        atomic_store(&passed_ns[i], at_ns);
        kill(program_number, number);
    }
    if (is_stop) /* the shell waits for us to stop */
        raise(SIGSTOP);
    errno = error;
}

static void on_toggle(int number)
{
    (void)number;
    if (toggle)
        atomic_fetch_xor(toggle, 1);
}

void program_catch_signals(void)
{
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < PASSED_ON_COUNT; i++) {
        if (!catching)
            sigaction(passed_on[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(passed_on[i], &action, NULL);
    }
    action = (struct sigaction){.sa_handler = on_toggle, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR2, &action, catching ? NULL : &before[PASSED_ON_COUNT]);
    action.sa_handler = SIG_IGN; /* a reader of our text may end early */
    sigaction(SIGPIPE, &action, catching ? NULL : &before[PASSED_ON_COUNT + 1]);
    sigaction(SIGXFSZ, &action, catching ? NULL : &before[PASSED_ON_COUNT + 2]);
    action.sa_handler = SIG_DFL; /* if ignored, the system forgets how a program ended */
    sigaction(SIGCHLD, &action, catching ? NULL : &before[PASSED_ON_COUNT + 3]);
    catching = 1;
}

static void restore_signals(void)
{
    for (size_t i = 0; i < PASSED_ON_COUNT; i++)
        sigaction(passed_on[i], &before[i], NULL);
    sigaction(SIGUSR2, &before[PASSED_ON_COUNT], NULL);
    sigaction(SIGPIPE, &before[PASSED_ON_COUNT + 1], NULL);
    sigaction(SIGXFSZ, &before[PASSED_ON_COUNT + 2], NULL);
    sigaction(SIGCHLD, &before[PASSED_ON_COUNT + 3], NULL);
}

/* ---- the process ---- */

/* Becomes the program, or writes an errno into the pipe. */
static _Noreturn void become(const program_plan *plan, int pipe_end, const sigset_t *mask)
{
    if (plan->number)
        *plan->number = getpid();
    restore_signals();
    sigprocmask(SIG_SETMASK, mask, NULL);
#ifdef __linux__
    execvpe(plan->words[0], plan->words, plan->environment->variables);
#else
    environ = plan->environment->variables;
    execvp(plan->words[0], plan->words);
#endif
    int error = errno; /* not 0 */
    ssize_t written = write(pipe_end, &error, sizeof error);
    (void)written;
    _exit(127);
}

/* Returns 0 once the program runs, or an errno. */
static int start(const program_plan *plan, const sigset_t *mask, pid_t *pid)
{
    int ends[2], error = 0;
    if (pipe(ends) != 0)
        return errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    *pid = fork();
    if (*pid == 0)
        become(plan, ends[1], mask);
    if (*pid < 0)
        error = errno;
    close(ends[1]);
    while (*pid > 0 && read(ends[0], &error, sizeof error) < 0 && errno == EINTR)
        ;
    close(ends[0]);
    if (*pid > 0 && error)
        waitpid(*pid, NULL, 0);
    return error;
}

/* Waits until the program has ended, and only then forgets its number, which could be another's.
 * Signals are blocked before and after. */
static int wait_for(pid_t pid, const sigset_t *mask)
{
    siginfo_t info;
    sigset_t all;
    sigprocmask(SIG_SETMASK, mask, NULL);
    while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
        ;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    program_number = 0;
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

int program_run(const program_plan *plan, program_end *out)
{
    *out = (program_end){0};
    sigset_t all, mask;
    pid_t pid = 0;
    program_catch_signals();
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &mask); /* what comes until the program runs is passed on to it */
    toggle = plan->toggle;
    long long begin_ns = now_ns();
    int error = interrupted ? EINTR : start(plan, &mask, &pid);
    out->process = pid > 0 ? pid : 0;
    if (!error) {
        program_number = pid;
        int status = wait_for(pid, &mask);
        out->wall_ns = (double)(now_ns() - begin_ns);
        out->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        out->code = WIFSIGNALED(status) ? 128 + out->signal : WEXITSTATUS(status);
    }
    toggle = NULL; /* the memory is the caller's */
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return error;
}

int program_interrupted(void)
{
    return interrupted;
}

void program_let_signals(void)
{
    if (catching)
        for (size_t i = 0; i < PASSED_ON_COUNT; i++)
            sigaction(passed_on[i], &before[i], NULL);
}

bool program_is_alive(int64_t process)
{
    char path[64], state = ' ';
    if (process <= 0 || process > INT_MAX || (kill((pid_t)process, 0) != 0 && errno != EPERM))
        return false;
    /* One that has ended may wait for its parent to notice. */
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = ' ';
    if (file)
        fclose(file);
    return state != 'Z' && state != 'X';
}

/* ---- files ---- */

/* A whole file, mapped for reading; NULL: it is empty or cannot be read. */
static const unsigned char *map_file(const char *path, size_t *bytes)
{
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    void *map = MAP_FAILED;
    if (file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
        *bytes = (size_t)about.st_size;
        map = mmap(NULL, *bytes, PROT_READ, MAP_PRIVATE, file, 0);
    }
    if (file >= 0)
        close(file);
    return map == MAP_FAILED ? NULL : map;
}

/* munmap() only reads the address, despite its type. */
static void unmap_file(const unsigned char *map, size_t bytes)
{
    void *address;
    memcpy(&address, &map, sizeof address);
    munmap(address, bytes);
}

static bool contains(const unsigned char *bytes, size_t count, const char *text)
{
    size_t length = strlen(text);
    for (const unsigned char *at = bytes, *end = bytes + count; (size_t)(end - at) >= length; at++)
        if ((at = memchr(at, *text, (size_t)(end - at) - length + 1)) == NULL)
            return false;
        else if (memcmp(at, text, length) == 0)
            return true;
    return false;
}

bool program_file_contains(const char *path, const char *text)
{
    size_t bytes;
    const unsigned char *map = map_file(path, &bytes);
    bool found = map && contains(map, bytes, text);
    if (map)
        unmap_file(map, bytes);
    return found;
}

/* Joins `length` bytes of a folder, and a name. NULL: out of memory, or there is no such file. */
static char *find_in(const char *folder, size_t length, const char *name, int mode)
{
    size_t bytes = length + 1 + strlen(name) + 1;
    char *path = malloc(bytes);
    if (path)
        snprintf(path, bytes, "%.*s/%s", (int)length, folder, name);
    if (path && access(path, mode) == 0)
        return path;
    free(path);
    return NULL;
}

char *program_find_library(const char *name)
{
    static const char *const usual[] = {"/usr/local/lib", "/usr/lib64", "/lib64", "/usr/lib",
                                        "/lib"};
    const char *folders = getenv("LD_LIBRARY_PATH"), *slash;
    char *path = NULL;
    for (const char *at = folders ? folders : ""; !path && *at; at += *at == ':') {
        size_t length = strcspn(at, ":");
        path = *at == '/' ? find_in(at, length, name, R_OK) : NULL;
        at += length;
    }
    Dl_info about; /* libc's folder is that of this kind of machine */
    if (!path && dladdr(dlsym(RTLD_DEFAULT, "printf"), &about) && about.dli_fname &&
        (slash = strrchr(about.dli_fname, '/')) != NULL)
        path = find_in(about.dli_fname, (size_t)(slash - about.dli_fname), name, R_OK);
    for (size_t i = 0; !path && i < sizeof usual / sizeof usual[0]; i++)
        path = find_in(usual[i], strlen(usual[i]), name, R_OK);
    return path;
}

#ifdef __linux__
static char *find_program(const char *name)
{
    if (strchr(name, '/'))
        return strdup(name);
    const char *folders = getenv("PATH");
    char *path = NULL;
    for (const char *at = folders ? folders : "/bin:/usr/bin"; !path && *at; at += *at == ':') {
        size_t length = strcspn(at, ":");
        path = find_in(length ? at : ".", length ? length : 1, name, X_OK);
        at += length;
    }
    return path;
}

/* Whether an ELF file of 64 bits names no loader of libraries. */
static bool is_static(const unsigned char *map, size_t bytes)
{
    Elf64_Ehdr head;
    if (bytes < sizeof head || memcmp(map, ELFMAG, SELFMAG) != 0 || map[EI_CLASS] != ELFCLASS64)
        return false;
    memcpy(&head, map, sizeof head);
    for (size_t i = 0; i < head.e_phnum; i++) {
        Elf64_Phdr part;
        if (head.e_phentsize != sizeof part || head.e_phoff > bytes ||
            (i + 1) * sizeof part > bytes - head.e_phoff)
            return false;
        memcpy(&part, map + head.e_phoff + i * sizeof part, sizeof part);
        if (part.p_type == PT_INTERP)
            return false;
    }
    return head.e_phnum > 0;
}

static bool is_privileged(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return false;
    return ((about.st_mode & S_ISUID) && about.st_uid != getuid()) ||
           ((about.st_mode & S_ISGID) && about.st_gid != getgid()) ||
           (getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0);
}

program_kind program_look(const char *name)
{
    program_kind kind = PROGRAM_ORDINARY;
    char *path = find_program(name);
    size_t bytes = 0;
    const unsigned char *map = path ? map_file(path, &bytes) : NULL;
    if (path && is_privileged(path))
        kind = PROGRAM_PRIVILEGED;
    else if (map && is_static(map, bytes))
        kind = PROGRAM_STATIC;
    if (map)
        unmap_file(map, bytes);
    free(path);
    return kind;
}
#else
program_kind program_look(const char *name)
{
    (void)name;
    return PROGRAM_ORDINARY;
}
#endif

char *program_own_folder(void)
{
#ifdef __linux__
    char *path = realpath("/proc/self/exe", NULL);
    char *slash = path ? strrchr(path, '/') : NULL;
    if (slash)
        *slash = '\0';
    return path;
#else
    return NULL;
#endif
}

bool program_has_file(const char *path)
{
    return access(path, R_OK) == 0;
}
