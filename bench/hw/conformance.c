/* The suite of tests/conformance on a device, as the process of its own that it is. */
#define _POSIX_C_SOURCE 200809L /* posix_spawn */
#include "hw.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define SKIPPED 77 /* as the suite says it */

extern char **environ;

/* Its exit code, or -1. What it prints goes to the end of the log. */
static int run(const char *program, const char *device, const char *profile, const char *log)
{
    const char *const words[] = {program, device, profile, NULL};
    const char *const *given = words;
    char *const *arguments; /* as posix_spawn() has them, which changes nothing */
    memcpy(&arguments, &given, sizeof arguments);
    posix_spawn_file_actions_t files;
    pid_t child;
    int code = -1, ended = 0;
    if (posix_spawn_file_actions_init(&files) != 0)
        return -1;
    if (posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0644) ==
            0 &&
        posix_spawn_file_actions_adddup2(&files, 1, 2) == 0 &&
        posix_spawn(&child, program, &files, NULL, arguments, environ) == 0) {
        pid_t waited;
        do
            waited = waitpid(child, &ended, 0);
        while (waited < 0 && errno == EINTR);
        if (waited == child && WIFEXITED(ended))
            code = WEXITSTATUS(ended);
    }
    posix_spawn_file_actions_destroy(&files);
    return code;
}

void hw_check_conformance(hw_device *d, const char *program, const char *log)
{
    hw_conformance *c = &d->conformance;
    c->asked = true;
    c->exit_code = run(program, d->info.id, d->info.backend, log);
    c->verdict = c->exit_code == 0 ? HW_WITHIN : HW_BEYOND;
    if (c->exit_code == 0)
        snprintf(c->said, sizeof c->said, "all of the suite passes");
    else if (c->exit_code == SKIPPED)
        snprintf(c->said, sizeof c->said, "the suite does not find the device: see %s", log);
    else if (c->exit_code < 0)
        snprintf(c->said, sizeof c->said, "the suite could not be run, or was ended by a signal");
    else
        snprintf(c->said, sizeof c->said, "the suite fails: see %s", log);
}
