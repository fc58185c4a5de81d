#define _GNU_SOURCE /* CLOCK_MONOTONIC_RAW, sched_getaffinity */
#include "host_clock.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)

#if defined(CLOCK_MONOTONIC_RAW)
#define HOST_CLOCK      CLOCK_MONOTONIC_RAW
#define HOST_CLOCK_NAME "CLOCK_MONOTONIC_RAW"
#else
#define HOST_CLOCK      CLOCK_MONOTONIC
#define HOST_CLOCK_NAME "CLOCK_MONOTONIC"
#endif

static int64_t system_now(void *user)
{
    (void)user;
    struct timespec t;
    clock_gettime(HOST_CLOCK, &t);
    return t.tv_sec * NS_PER_S + t.tv_nsec;
}

static void system_sleep(void *user, int64_t duration_ns)
{
    (void)user;
    struct timespec left = {.tv_sec = (time_t)(duration_ns / NS_PER_S),
                            .tv_nsec = (long)(duration_ns % NS_PER_S)};
    while (nanosleep(&left, &left) != 0)
        ; /* a signal cut it short */
}

const kt_host_clock kt_system_clock = {.now = system_now, .sleep = system_sleep};

int64_t kt_host_now_ns(void)
{
    return system_now(NULL);
}

const char *kt_system_clock_name(void)
{
    return HOST_CLOCK_NAME;
}

void kt_utc_text(char *text, size_t bytes)
{
    time_t now = time(NULL);
    struct tm utc;
    if (!gmtime_r(&now, &utc) || strftime(text, bytes, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        snprintf(text, bytes, "unknown");
}

/* The value of the first "model name : ..." line of /proc/cpuinfo; other systems leave it empty. */
static void read_cpu_name(char *name, size_t bytes)
{
    name[0] = '\0';
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file)
        return;
    char line[256];
    while (!name[0] && fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value)
            continue;
        value += 1 + strspn(value + 1, " \t");
        snprintf(name, bytes, "%.*s", (int)strcspn(value, "\n"), value);
    }
    fclose(file);
}

void kt_host_describe(kt_host *host)
{
    struct utsname system;
    if (uname(&system) == 0)
        snprintf(host->os, sizeof host->os, "%.20s %.40s %.20s", system.sysname, system.release,
                 system.machine);
    else
        snprintf(host->os, sizeof host->os, "unknown");
    read_cpu_name(host->cpu, sizeof host->cpu);
    /* What this process may use, which in a container is less than what the machine has. */
    cpu_set_t usable;
    long cores = sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable)
                                                                   : sysconf(_SC_NPROCESSORS_ONLN);
    host->cores = cores > 0 ? (unsigned)cores : 1;
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    host->memory_bytes = pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : 0;
}
