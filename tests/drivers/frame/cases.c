/* SPDX-License-Identifier: MIT */
#include "tests/drivers/frame/cases.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CASE_SECONDS = 60, TEXT_MAX = 8192 };

static int failures; /* of the case */

void check(bool good, const char *text, const char *file, int line)
{
    if (good)
        return;
    failures++;
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, text);
}

/* Begins with a line end, so that every line has one on both sides. */
static void read_file(const char *path, char text[TEXT_MAX])
{
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text + 1, 1, TEXT_MAX - 2, file) : 0;
    text[0] = '\n';
    text[length + 1] = '\0';
    if (file)
        fclose(file);
}

static _Noreturn void run_child(const struct stub *stub, const char *path, const char *script,
                                const char *report_path, int errors, const struct test_case *test)
{
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    alarm(CASE_SECONDS);
    setenv(stub->script_variable, script, 1);
    setenv(stub->report_variable, report_path, 1);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        exit(1);
    /* Below stdio: a reopened stream is buffered, and abort drops its buffer. */
    if (errors >= 0)
        dup2(errors, STDERR_FILENO);
    stub->run(test, library);
    exit(failures ? 1 : 0);
}

bool stub_case_run(const struct stub *stub, const char *library, const char *script,
                   const char *report, const struct test_case *test)
{
    char path[] = "/tmp/stub_report.XXXXXX", text[TEXT_MAX], lines[2000];
    bool aborts = report && strncmp(report, "abort", strlen("abort")) == 0;
    int state = 0, file = mkstemp(path);
    failures = 0;
    CHECK(file >= 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_child(stub, library, script, path, aborts ? file : -1, test);
    CHECK(child > 0 && waitpid(child, &state, 0) == child);
    CHECK(aborts ? WIFSIGNALED(state) && WTERMSIG(state) == SIGABRT
                 : WIFEXITED(state) && WEXITSTATUS(state) == 0);
    close(file);
    read_file(path, text);
    snprintf(lines, sizeof lines, "\n%s\n", report ? report : "");
    if (aborts)
        CHECK(strstr(text, report[strlen("abort")] ? report + strlen("abort: ") : "") != NULL);
    else if (!report)
        CHECK(text[1] && !strstr(text, "\nleak") && !strstr(text, "\nmisuse"));
    else if (!*report)
        CHECK(!text[1]);
    else
        CHECK(strstr(text, lines) != NULL);
    unlink(path);
    printf("%s '%s' %s\n", failures ? "FAIL" : "ok  ", script, report ? report : "");
    if (failures)
        printf("%s", text + 1);
    return failures == 0;
}
