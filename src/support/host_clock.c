/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* CLOCK_MONOTONIC_RAW, sched_getaffinity */
#include "support/host_clock.h"

#include "support/error.h"
#include "support/host_state.h"
#include "support/options.h"

#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

#define NS_PER_S INT64_C(1000000000)

/* Indexed by kt_host_domain. */
static const struct {
    const char *name;
    bool here;
    clockid_t id;
} domains[KT_HOST_DOMAIN_COUNT] = {
#ifdef CLOCK_MONOTONIC_RAW
    [KT_HOST_MONOTONIC_RAW] = {"CLOCK_MONOTONIC_RAW", true, CLOCK_MONOTONIC_RAW},
#else
    [KT_HOST_MONOTONIC_RAW] = {.name = "CLOCK_MONOTONIC_RAW"},
#endif
    [KT_HOST_MONOTONIC] = {"CLOCK_MONOTONIC", true, CLOCK_MONOTONIC},
#ifdef CLOCK_BOOTTIME
    [KT_HOST_BOOTTIME] = {"CLOCK_BOOTTIME", true, CLOCK_BOOTTIME},
#else
    [KT_HOST_BOOTTIME] = {.name = "CLOCK_BOOTTIME"},
#endif
    [KT_HOST_REALTIME] = {"CLOCK_REALTIME", true, CLOCK_REALTIME},
#ifdef CLOCK_UPTIME_RAW
    [KT_HOST_UPTIME_RAW] = {"CLOCK_UPTIME_RAW", true, CLOCK_UPTIME_RAW},
#else
    [KT_HOST_UPTIME_RAW] = {.name = "CLOCK_UPTIME_RAW"},
#endif
};

#if defined(CLOCK_MONOTONIC_RAW)
#define HOST_DOMAIN KT_HOST_MONOTONIC_RAW
#else
#define HOST_DOMAIN KT_HOST_MONOTONIC
#endif

static int64_t read_domain(kt_host_domain domain)
{
    struct timespec t;
    clock_gettime(domains[domain].id, &t);
    return t.tv_sec * NS_PER_S + t.tv_nsec;
}

static int64_t system_now(void *user)
{
    (void)user;
    return read_domain(HOST_DOMAIN);
}

static void system_sleep(void *user, int64_t duration_ns)
{
    (void)user;
    struct timespec left = {.tv_sec = (time_t)(duration_ns / NS_PER_S),
                            .tv_nsec = (long)(duration_ns % NS_PER_S)};
    while (nanosleep(&left, &left) != 0)
        ; /* repeat after a signal interrupted the sleep */
}

const kt_host_clock kt_system_clock = {.now = system_now, .sleep = system_sleep};

int64_t kt_host_now_ns(void)
{
    return system_now(NULL);
}

const char *kt_system_clock_name(void)
{
    return domains[HOST_DOMAIN].name;
}

const char *kt_host_domain_name(kt_host_domain domain)
{
    return (unsigned)domain < KT_HOST_DOMAIN_COUNT ? domains[domain].name : "unknown";
}

kt_status kt_host_domain_now(kt_host_domain domain, int64_t *now_ns)
{
    KT_NEED(now_ns);
    if ((unsigned)domain >= KT_HOST_DOMAIN_COUNT)
        return kt_fail(KT_INVALID, "there is no host clock with number %u", (unsigned)domain);
    if (!domains[domain].here)
        return kt_fail(KT_UNSUPPORTED, "this system has no %s", domains[domain].name);
    *now_ns = read_domain(domain);
    return KT_OK;
}

#if defined(__APPLE__) || defined(__wasi__)
/* On macOS some clocks resolve 1 us, others one tick: 41.667 ns on Apple's processors. Browsers
 * round to 5 us or more. */
double kt_host_step_ns(kt_host_domain domain)
{
    struct timespec t = {.tv_nsec = 1};
    clock_getres(domains[domain].id, &t);
    return (double)(t.tv_sec * NS_PER_S + t.tv_nsec);
}
#else
/* On Linux clock_getres() returns the resolution of timers, not of clocks. */
double kt_host_step_ns(kt_host_domain domain)
{
    (void)domain;
    return 1;
}
#endif

#define COARSE_NS 5000

uint64_t kt_host_coarse_step(uint64_t divisor)
{
    return divisor % COARSE_NS == 0 ? divisor : 0;
}

void kt_host_read_all(kt_host_instants *out)
{
    for (int d = 0; d < KT_HOST_DOMAIN_COUNT; d++) {
        out->here[d] = domains[d].here;
        out->ns[d] = domains[d].here ? read_domain((kt_host_domain)d) : 0;
    }
}

bool kt_host_domain_find(const char *name, kt_host_domain *out)
{
    for (int d = 0; d < KT_HOST_DOMAIN_COUNT; d++) {
        if (!domains[d].here || strcmp(name, domains[d].name) != 0)
            continue;
        *out = (kt_host_domain)d;
        return true;
    }
    return false;
}

/* Reads `inner` between two readings of `outer` and returns the narrowest of several tries. False
 * if `outer` was set back during each of them. */
static bool read_between(kt_host_domain outer, kt_host_domain inner, kt_clock_pair *out)
{
    bool found = false;
    for (int i = 0; i < KT_PAIR_TRIES; i++) {
        kt_clock_pair pair = {.host_before_ns = read_domain(outer)};
        pair.ticks = (uint64_t)read_domain(inner);
        pair.host_after_ns = read_domain(outer);
        kt_keep_narrower(out, &found, &pair);
    }
    return found;
}

kt_status kt_host_domain_pair(kt_host_domain domain, kt_clock_pair *out)
{
    int64_t now_ns;
    kt_status status = kt_host_domain_now(domain, &now_ns);
    if (status != KT_OK)
        return status;
    return read_between(HOST_DOMAIN, domain, out)
               ? KT_OK
               : kt_fail(KT_NOT_READY, "the host clock went back");
}

/* Largest rate correction that ntpd applies to a clock. */
#define SLEW_MAX 500e-6

kt_status kt_host_convert(kt_host_domain from, int64_t from_ns, kt_host_domain to, int64_t *to_ns,
                          double *uncertainty_ns)
{
    KT_NEED(to_ns);
    int64_t now_ns;
    kt_status status = kt_host_domain_now(from, &now_ns);
    if (status == KT_OK)
        status = kt_host_domain_now(to, &now_ns);
    if (status != KT_OK)
        return status;
    if (from == to) {
        *to_ns = from_ns;
        if (uncertainty_ns)
            *uncertainty_ns = 0;
        return KT_OK;
    }
    kt_clock_pair pair;
    if (!read_between(to, from, &pair))
        return kt_fail(KT_NOT_READY, "%s was set while it was read", domains[to].name);
    int64_t width_ns = pair.host_after_ns - pair.host_before_ns;
    int64_t middle_ns = (int64_t)pair.ticks;
    /* Both readings are close to the present, so their difference cannot overflow; `from_ns` can be
     * any value, so the sum below is checked. */
    int64_t distance_ns = pair.host_before_ns + width_ns / 2 - middle_ns;
    if (distance_ns > 0 ? from_ns > INT64_MAX - distance_ns : from_ns < INT64_MIN - distance_ns)
        return kt_fail(KT_INVALID, "%lld ns of %s is no moment of %s", (long long)from_ns,
                       domains[from].name, domains[to].name);
    *to_ns = from_ns + distance_ns;
    if (uncertainty_ns)
        *uncertainty_ns = (double)width_ns / 2 + kt_host_step_ns(from) + kt_host_step_ns(to) +
                          SLEW_MAX * fabs((double)from_ns - (double)middle_ns);
    return KT_OK;
}

void kt_utc_text(char *text, size_t bytes)
{
    time_t now = time(NULL);
    struct tm utc;
    if (!gmtime_r(&now, &utc) || strftime(text, bytes, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        snprintf(text, bytes, "unknown");
}

#ifdef __APPLE__

static void read_cpu_name(char *name, size_t bytes)
{
    if (sysctlbyname("machdep.cpu.brand_string", name, &bytes, NULL, 0) != 0)
        name[0] = '\0';
}

static void read_boot_id(char *id, size_t bytes)
{
    if (sysctlbyname("kern.bootsessionuuid", id, &bytes, NULL, 0) != 0)
        id[0] = '\0';
}

/* macOS has no affinity mask for a process. */
static long usable_cores(void)
{
    return sysconf(_SC_NPROCESSORS_ONLN);
}

#elif defined(__wasi__)

/* The embedder says in environment variables what it knows. */
static const char *host_name(const struct utsname *system)
{
    (void)system;
    const char *known = getenv("KERNTIME_HOST_NAME");
    return known ? known : "";
}

static void read_cpu_name(char *name, size_t bytes)
{
    const char *known = getenv("KERNTIME_HOST");
    snprintf(name, bytes, "%s", known ? known : "");
}

static void read_boot_id(char *id, size_t bytes)
{
    snprintf(id, bytes, "%s", "");
}

/* One thread. */
static long usable_cores(void)
{
    return 1;
}

#else

/* First "model name : ..." line of /proc/cpuinfo; empty on systems without one. */
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

static void read_boot_id(char *id, size_t bytes)
{
    kt_read_line("/proc/sys/kernel/random/boot_id", id, bytes);
}

/* The affinity mask may hold fewer cores than the machine has, for example in a container. */
static long usable_cores(void)
{
    cpu_set_t usable;
    return sched_getaffinity(0, sizeof usable, &usable) == 0 ? CPU_COUNT(&usable)
                                                             : sysconf(_SC_NPROCESSORS_ONLN);
}

#endif

#ifndef __wasi__
/* "(none)" is the name of a system that was given none. */
static const char *host_name(const struct utsname *system)
{
    return strcmp(system->nodename, "(none)") != 0 ? system->nodename : "";
}
#endif

void kt_host_describe(kt_host *host)
{
    struct utsname system;
    bool known = uname(&system) == 0;
    snprintf(host->name, sizeof host->name, "%.64s", known ? host_name(&system) : "");
    if (known)
        snprintf(host->os, sizeof host->os, "%.20s %.40s %.20s", system.sysname, system.release,
                 system.machine);
    else
        snprintf(host->os, sizeof host->os, "unknown");
    read_cpu_name(host->cpu, sizeof host->cpu);
    read_boot_id(host->boot_id, sizeof host->boot_id);
    long cores = usable_cores();
    host->cores = cores > 0 ? (unsigned)cores : 1;
#ifdef _SC_PHYS_PAGES
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    host->memory_bytes = pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : 0;
#else
    host->memory_bytes = 0;
#endif
}
