/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* mkdtemp, nftw */
#include "traced.h"

#include <kerntime/kerntime.h>

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void require(bool condition, const char *what)
{
    if (condition)
        return;
    perror(what);
    exit(1);
}

static void write_settings(const char *folder, trace_settings *settings)
{
    char path[4096];
    settings->magic = TRACE_SETTINGS_MAGIC;
    snprintf(settings->version, sizeof settings->version, "%s", kt_version());
    snprintf(path, sizeof path, "%s/" TRACE_SETTINGS_FILE, folder);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    require(file >= 0 && write(file, settings, sizeof *settings) == (ssize_t)sizeof *settings,
            path);
    close(file);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static _Noreturn void become(const traced_run *run, const char *folder, char *const *program)
{
    setenv(TRACE_VARIABLE, folder, 1);
    setenv("OPENCL_LAYERS", run->layers ? run->layers : TRACER, 1);
    for (int i = 0; i < 8 && run->environment[i]; i++)
        putenv((char *)(uintptr_t)run->environment[i]);
    if (run->output)
        dup2(run->output, STDOUT_FILENO);
    execvp(program[0], program);
    perror(program[0]);
    _exit(127);
}

void traced(traced_run *run, char *const *program, trace_totals *out)
{
    char folder[] = "/tmp/kerntime-traced.XXXXXX", reason[256];
    require(mkdtemp(folder) != NULL, folder);
    write_settings(folder, &run->settings);
    pid_t child = fork();
    require(child >= 0, "fork");
    if (child == 0)
        become(run, folder, program);
    require(waitpid(child, &run->status, 0) == child, "waitpid");
    if (trace_collect(folder, out, reason, sizeof reason) != 0) {
        fprintf(stderr, "%s\n", reason);
        exit(1);
    }
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const trace_total *traced_row(const trace_totals *totals, trace_kind kind, const char *name)
{
    for (size_t i = 0; i < totals->row_count; i++)
        if (totals->rows[i].kind == kind && strcmp(totals->rows[i].name, name) == 0)
            return &totals->rows[i];
    fprintf(stderr, "no row %s of kind %s\n", name, trace_kind_name(kind));
    exit(1);
}
