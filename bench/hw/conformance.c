/* SPDX-License-Identifier: MIT */
/* The suite of tests/conformance on a device, as the process of its own that it is. */
#define _POSIX_C_SOURCE 200809L /* posix_spawn */
#include "bench/hw/hw.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define SKIPPED 77 /* as the suite says it */

extern char **environ;

/* ---- running it ---- */

static const char **kept; /* the environment, without KERNTIME_BACKENDS; or NULL */
static size_t kept_count;

/* Khronos' OpenCL loader cuts OCL_ICD_FILENAMES in place, so the texts are copied. */
void hw_keep_environment(void)
{
    static const char name[] = "KERNTIME_BACKENDS=";
    size_t count = 0;
    while (environ[count])
        count++;
    kept = calloc(count + 2, sizeof *kept);
    for (size_t i = 0; kept && i < count; i++)
        if (strncmp(environ[i], name, sizeof name - 1) != 0)
            if ((kept[kept_count] = strdup(environ[i])))
                kept_count++;
}

/* As posix_spawn() has arrays of words, which changes nothing. */
static char *const *as_words(const char *const *words)
{
    char *const *same;
    memcpy(&same, &words, sizeof same);
    return same;
}

static int wait_for(pid_t child)
{
    int ended = 0;
    pid_t waited;
    do
        waited = waitpid(child, &ended, 0);
    while (waited < 0 && errno == EINTR);
    return waited == child && WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}

/* Its exit code, or -1. What it prints goes to the end of the log. */
static int run(const char *program, const kt_device_info *device, const char *log)
{
    const char *const words[] = {program, device->id, device->backend, NULL};
    char backends[128];
    snprintf(backends, sizeof backends, "KERNTIME_BACKENDS=cpu,%s", device->backend);
    if (kept)
        kept[kept_count] = backends; /* the suite compares with the CPU */
    posix_spawn_file_actions_t files;
    pid_t child;
    int code = -1;
    if (kept && posix_spawn_file_actions_init(&files) == 0) {
        if (posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0644) ==
                0 &&
            posix_spawn_file_actions_adddup2(&files, 1, 2) == 0 &&
            posix_spawn(&child, program, &files, NULL, as_words(words), as_words(kept)) == 0)
            code = wait_for(child);
        posix_spawn_file_actions_destroy(&files);
    }
    if (kept)
        kept[kept_count] = NULL;
    return code;
}

/* ---- what it said ---- */

static const char *after(const char *line, const char *begin)
{
    size_t length = strlen(begin);
    return strncmp(line, begin, length) == 0 ? line + length : NULL;
}

/* cmocka's lines, and the suite's own "skipped: why" before a test that is. */
static void read_line(hw_conformance *c, const char *line, char *reason)
{
    static const char unknown[] = "the suite does not say why";
    const char *test = after(line, "[  SKIPPED ] "), *skipped = after(line, "skipped: ");
    if (after(line, "[ RUN      ] "))
        snprintf(reason, HW_TEXT_BYTES, "%s", unknown);
    else if (skipped)
        snprintf(reason, HW_TEXT_BYTES, "%.*s", HW_TEXT_BYTES - 1, skipped);
    else if (after(line, "[       OK ] "))
        c->passed++;
    else if (test && c->skipped++ < HW_SKIPS_MAX) {
        hw_skip *skip = &c->skips[c->skipped - 1];
        snprintf(skip->test, sizeof skip->test, "%.*s", (int)sizeof skip->test - 1, test);
        snprintf(skip->reason, sizeof skip->reason, "%s", reason);
    }
}

/* Of the log from there on, up to where cmocka sums up. */
static void read_log(hw_conformance *c, const char *log, long from)
{
    char line[512], reason[HW_TEXT_BYTES] = "";
    FILE *file = fopen(log, "r");
    if (!file)
        return;
    bool more = fseek(file, from, SEEK_SET) == 0;
    while (more && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        more = !(after(line, "[==========] ") && strstr(line, "run."));
        read_line(c, line, reason);
    }
    fclose(file);
}

static long length_of(const char *path)
{
    struct stat is;
    return stat(path, &is) == 0 ? (long)is.st_size : 0;
}

void hw_check_conformance(hw_device *d, const char *program, const char *log)
{
    hw_conformance *c = &d->conformance;
    long before = length_of(log);
    c->is_run = true;
    c->exit_code = run(program, &d->info, log);
    read_log(c, log, before);
    c->verdict = c->exit_code == 0 && c->passed > 0 ? HW_WITHIN : HW_BEYOND;
    if (c->exit_code == 0)
        snprintf(c->said, sizeof c->said, "%u pass, %u skipped", c->passed, c->skipped);
    else if (c->exit_code == SKIPPED)
        snprintf(c->said, sizeof c->said, "the suite does not find the device: see %s", log);
    else if (c->exit_code < 0)
        snprintf(c->said, sizeof c->said, "the suite could not be run, or was ended by a signal");
    else
        snprintf(c->said, sizeof c->said, "the suite fails: see %s", log);
}

void hw_leave_out_conformance(hw_device *d, const char *reason)
{
    snprintf(d->conformance.said, sizeof d->conformance.said, "%s", reason);
}
