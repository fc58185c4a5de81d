/* SPDX-License-Identifier: MIT */
/*
 * Programs that exit in all ways: at_exit.sh says where they report, and sees what is there.
 *
 *   unit_at_exit WAY [PATH]
 */
#define _XOPEN_SOURCE 700 /* fork, setitimer */
#include <dlfcn.h>
#include <kerntime/snapshot.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMIT_S 300 /* for what takes no time: only a hang reaches it */

KT_SITE(site, "work", KT_BACKEND_CPU);

static void record(const char *path)
{
    (void)path;
    printf("printed before\n");
    kt_record(&site, 1000);
}

static void record_nothing(const char *path)
{
    (void)path;
}

static void ask(const char *path)
{
    if (kt_report_at_exit(path) != KT_OK)
        printf("%s\n", kt_error_text());
}

static void ask_and_record(const char *path)
{
    record(path);
    ask("first.txt");
    ask(path);
}

static void go_elsewhere(const char *path)
{
    record(path);
    if (chdir("/") != 0)
        exit(1);
}

static void work_late(void)
{
    KT_SITE(late, "late", KT_BACKEND_CPU);
    kt_record(&late, 1000);
}

static void record_in_exit_handler(const char *path)
{
    (void)path;
    atexit(work_late);
}

/* The parent reports nothing, so that the file is the child's if there is one. */
static void exit_in_child(const char *path)
{
    record(path);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (path)
            ask(path);
        kt_record(&site, 1000);
        exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    _exit(status != 0);
}

static void exit_now(int signal)
{
    (void)signal;
    exit(0);
}

static void exit_in_handler(const char *path)
{
    (void)path;
    signal(SIGVTALRM, exit_now);
    setitimer(ITIMER_VIRTUAL, &(struct itimerval){.it_value = {.tv_usec = 2000}}, NULL);
    for (;;)
        kt_record(&site, 1);
}

static void *record_on(void *user)
{
    (void)user;
    for (;;)
        kt_record(&site, 1000);
    return NULL;
}

static void leave_threads(const char *path)
{
    (void)path;
    pthread_t thread;
    kt_record(&site, 1000);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&thread, NULL, record_on, NULL) != 0)
            exit(1);
}

static void use_plugin(const char *path)
{
    int (*record_times)(int) = NULL;
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (plugin)
        *(void **)&record_times = dlsym(plugin, "plugin_record");
    if (!record_times || record_times(3) != 3 || dlclose(plugin) != 0)
        exit(1);
    printf("unloaded\n");
    fflush(stdout);
    if (system("cat times.csv") != 0) /* what is there before the exit */
        printf("nothing yet\n");
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*work)(const char *path);
    } ways[] = {
        {"record", record},          {"nothing", record_nothing},      {"ask", ask_and_record},
        {"elsewhere", go_elsewhere}, {"late", record_in_exit_handler}, {"fork", exit_in_child},
        {"signal", exit_in_handler}, {"threads", leave_threads},       {"plugin", use_plugin},
    };
    alarm(LIMIT_S);
    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof ways[0]; i++)
        if (strcmp(ways[i].name, argv[1]) == 0) {
            ways[i].work(argc > 2 ? argv[2] : NULL);
            return 3;
        }
    return 2;
}
