/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* getloadavg */
#include "support/host_state.h"

#include "support/alloc.h"
#include "support/host_clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifndef __wasi__
#include <sys/resource.h>
#endif
#ifdef __APPLE__
#include <mach/mach.h>
#include <sys/sysctl.h>
#endif

/* Holds the lines of 1,000 cores. The interrupt lines after them are not read. */
#define STAT_BYTES_MAX (1 << 17)
/* Some drivers take milliseconds to report a core's frequency, so only the first cores are read. */
#define FREQUENCY_CORES_MAX 32
/* The counters advance by 10 ms per core, too coarse for shorter intervals. */
#define OTHERS_SPAN_MIN_NS 5e8

/* ---- Parsing ---- */

#define DIGITS "0123456789"

/* Parses the next number of a space-separated line; NULL at the end. */
static const char *next_number(const char *at, double *value)
{
    at += strspn(at, " \t");
    size_t digits = strspn(at, DIGITS);
    *value = 0;
    for (size_t i = 0; i < digits; i++)
        *value = *value * 10 + (at[i] - '0');
    return digits ? at + digits : NULL;
}

/* Sum of the busy columns of a "cpu ..." line. */
static double busy_ticks(const char *at)
{
    enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, COLUMNS };
    double sum = 0, value;
    int column = 0;
    for (; column < COLUMNS && (at = next_number(at, &value)) != NULL; column++)
        if (column != IDLE && column != IOWAIT)
            sum += value;
    return column > IDLE ? sum : NAN; /* every kernel has the first four */
}

void kt_parse_cpu_stat(const char *text, kt_cpu_stat *out)
{
    *out = (kt_cpu_stat){.busy_ticks = NAN};
    while (*text) {
        if (strncmp(text, "cpu ", 4) == 0)
            out->busy_ticks = busy_ticks(text + 4);
        else if (strncmp(text, "cpu", 3) == 0 && strspn(text + 3, DIGITS) > 0)
            out->cores++;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
}

double kt_parse_khz(const char *text)
{
    double khz;
    const char *end = next_number(text, &khz);
    return end && !end[strspn(end, " \t\n")] && khz > 0 ? khz * 1e3 : NAN;
}

/* ---- Reading ---- */

/* Reads the beginning of a file; empty text if unreadable. */
static void read_text(const char *root, const char *path, char *text, size_t bytes)
{
    char full[256];
    text[0] = '\0';
    if (snprintf(full, sizeof full, "%s%s", root, path) >= (int)sizeof full)
        return;
    FILE *file = fopen(full, "r");
    if (!file)
        return;
    text[fread(text, 1, bytes - 1, file)] = '\0';
    fclose(file);
}

void kt_read_line(const char *path, char *line, size_t bytes)
{
    read_text("", path, line, bytes);
    line[strcspn(line, "\n")] = '\0';
}

/* Value at which the busy counter wraps, in ticks; 0 if it never wraps. */
#ifdef __APPLE__
#define BUSY_TURN_TICKS 0x1p32
#else
#define BUSY_TURN_TICKS 0.0
#endif

/* Reads by system call what Linux offers as files. Only for the real system, not a test's
 * folder. */
static void ask_system(kt_host_state *out)
{
#ifdef __APPLE__
    host_cpu_load_info_data_t load;
    mach_msg_type_number_t count = HOST_CPU_LOAD_INFO_COUNT;
    mach_port_t host = mach_host_self();
    long ticks = sysconf(_SC_CLK_TCK), cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (host_statistics(host, HOST_CPU_LOAD_INFO, (host_info_t)&load, &count) == KERN_SUCCESS &&
        ticks > 0)
        /* Each counter has 32 bits and covers all cores, so their sum is modulo 2^32: a month of 16
         * busy cores. */
        out->busy_ns =
            (double)(uint32_t)(load.cpu_ticks[CPU_STATE_USER] + load.cpu_ticks[CPU_STATE_SYSTEM] +
                               load.cpu_ticks[CPU_STATE_NICE]) /
            (double)ticks * 1e9;
    mach_port_deallocate(mach_task_self(), host);
    out->cores = cores > 0 ? (unsigned)cores : 0;
#else
    (void)out;
#endif
}

static void read_cpu_stat(const char *root, kt_host_state *out)
{
    kt_cpu_stat stat = {.busy_ticks = NAN};
    char *text = kt_alloc(STAT_BYTES_MAX, 1);
    if (text) {
        read_text(root, "/proc/stat", text, STAT_BYTES_MAX);
        kt_parse_cpu_stat(text, &stat);
    }
    kt_free(text);
    long ticks = sysconf(_SC_CLK_TCK);
    out->busy_ns = ticks > 0 ? stat.busy_ticks / (double)ticks * 1e9 : NAN;
    out->cores = stat.cores;
}

static void read_frequencies(const char *root, kt_host_state *out)
{
    char path[96], text[64];
    for (unsigned i = 0; i < out->cores && i < FREQUENCY_CORES_MAX; i++) {
        static const char folder[] = "/sys/devices/system/cpu/cpu";
        snprintf(path, sizeof path, "%s%u/cpufreq/scaling_cur_freq", folder, i);
        read_text(root, path, text, sizeof text);
        out->frequency_hz = fmax(out->frequency_hz, kt_parse_khz(text));
    }
    read_text(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", out->governor,
              sizeof out->governor);
    out->governor[strcspn(out->governor, " \t\n")] = '\0';
}

#ifdef __wasi__ /* says nothing of the machine */

static double own_ns(void)
{
    return NAN;
}

static double load_average(void)
{
    return NAN;
}

#else

static double used_ns(int who)
{
    struct rusage usage;
    if (getrusage(who, &usage) != 0)
        return NAN;
    return ((double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec) * 1e9 +
           ((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec) * 1e3;
}

static double own_ns(void)
{
    return used_ns(RUSAGE_SELF) + used_ns(RUSAGE_CHILDREN);
}

static double load_average(void)
{
    double load;
    return getloadavg(&load, 1) == 1 ? load : NAN;
}

#endif

void kt_host_state_at(const char *root, kt_host_state *out)
{
    *out = (kt_host_state){
        .at_ns = kt_host_now_ns(), .load = load_average(), .own_ns = own_ns(), .frequency_hz = NAN};
    read_cpu_stat(root, out);
    read_frequencies(root, out);
    if (!*root)
        ask_system(out);
}

void kt_host_state_read(kt_host_state *out)
{
    if (!out)
        return;
    kt_host_state_at("", out);
}

double kt_host_busy_between(double before_ns, double after_ns, double turn_ns)
{
    double busy_ns = after_ns - before_ns;
    return busy_ns < 0 ? busy_ns + turn_ns : busy_ns;
}

double kt_host_others(const kt_host_state *before, const kt_host_state *after)
{
    if (!before || !after)
        return NAN;
    double span_ns = (double)(after->at_ns - before->at_ns);
    if (!(span_ns >= OTHERS_SPAN_MIN_NS))
        return NAN;
    double turn_ns = BUSY_TURN_TICKS / (double)sysconf(_SC_CLK_TCK) * 1e9;
    double busy_ns = kt_host_busy_between(before->busy_ns, after->busy_ns, turn_ns);
    double others_ns = busy_ns - (after->own_ns - before->own_ns);
    /* The kernel counts the two times differently, so their difference can be negative. */
    return isnan(others_ns) ? NAN : fmax(0, others_ns / span_ns);
}

uint64_t kt_host_memory_bytes_at(const char *root)
{
    /* Limits of control groups, versions 2 and 1. Without a limit the file holds no number, or one
     * beyond all memory. */
    static const char *const limits[] = {"/sys/fs/cgroup/memory.max",
                                         "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    kt_host host;
    kt_host_describe(&host);
    double bytes = host.memory_bytes ? (double)host.memory_bytes : INFINITY;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        char text[64];
        double limit;
        read_text(root, limits[i], text, sizeof text);
        if (next_number(text, &limit) && limit > 0)
            bytes = fmin(bytes, limit);
    }
    return bytes < 0x1p63 ? (uint64_t)bytes : 0;
}

uint64_t kt_host_memory_bytes(void)
{
    return kt_host_memory_bytes_at("");
}

/* Parses a sysfs cache size such as "32768K"; 0 if missing. */
static size_t read_cache_bytes(unsigned index)
{
    char path[64], text[64];
    double number;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%u/size", index);
    read_text("", path, text, sizeof text);
    const char *unit = next_number(text, &number);
    return unit ? (size_t)number << (*unit == 'K' ? 10 : *unit == 'M' ? 20 : 0) : 0;
}

#ifdef __APPLE__
/* Performance cores come first, as they have the larger cache. */
static size_t system_cache_bytes(void)
{
    static const char *const names[] = {"hw.l3cachesize", "hw.perflevel0.l2cachesize",
                                        "hw.l2cachesize"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        int64_t value = 0;
        size_t size = sizeof value;
        if (sysctlbyname(names[i], &value, &size, NULL, 0) == 0 && value > 0)
            return (size_t)value;
    }
    return 0;
}
#else
static size_t system_cache_bytes(void)
{
#if defined(_SC_LEVEL3_CACHE_SIZE) && defined(_SC_LEVEL2_CACHE_SIZE)
    static const int levels[] = {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        long bytes = sysconf(levels[i]);
        if (bytes > 0)
            return (size_t)bytes;
    }
#endif
    return 0;
}
#endif

size_t kt_host_cache_bytes(void)
{
    size_t most = 0;
    for (unsigned i = 0; i < 8; i++) {
        size_t bytes = read_cache_bytes(i);
        most = bytes > most ? bytes : most;
    }
    /* Second choice: if groups of cores share a cache, some systems report the sum over groups. */
    return most ? most : system_cache_bytes();
}
