/* SPDX-License-Identifier: MIT */
#include "tests/drivers/frame/report.h"

#include "tests/drivers/frame/script.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 64, LINE_MAX_BYTES = 160, NONE = -1, ANY = -2 };

struct lines {
    struct {
        char text[LINE_MAX_BYTES];
        unsigned long long count;
    } line[LINES_MAX + 1]; /* the last one is for all that found no room */
};

uint64_t report_strict;
_Thread_local const char *report_caller;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the lines */
static struct lines misuses, kernels, unknown_kernels;
static atomic_ullong calls_of_all, unknown_dispatches;
static int fail = NONE;
static uint64_t fail_nth;

/* ---- calls ---- */

void report_begin(void)
{
    pthread_once(&once, script_read);
}

bool report_call(int entry)
{
    report_begin();
    uint64_t call = atomic_fetch_add(&report_of.entries[entry].calls, 1) + 1;
    uint64_t any = atomic_fetch_add(&calls_of_all, 1) + 1;
    if (fail != ANY && fail != entry)
        return false;
    return fail_nth == 0 || fail_nth == (fail == ANY ? any : call);
}

void report_hang(void)
{
    const char *path = getenv("KT_STUB_AT_HANG");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file)
        fclose(file);
}

int entry_find(const char *name)
{
    for (int i = 0; i < report_of.entry_count; i++)
        if (report_of.entries[i].name && strcmp(report_of.entries[i].name, name) == 0)
            return i;
    return NONE;
}

int report_read_entry(const char *name)
{
    int entry = entry_find(name);
    if (entry == NONE)
        script_refuse("unknown function", name);
    return entry;
}

void report_read_fail(char *text)
{
    char *nth = strrchr(text, ':'); /* the name of a message has some itself */
    if (!nth)
        script_refuse("no ':'", text);
    *nth++ = '\0';
    fail = strcmp(text, "any") == 0 ? ANY : report_read_entry(text);
    fail_nth = script_number(nth, 0, UINT64_MAX);
}

/* ---- what is counted ---- */

static void count_line(struct lines *lines, const char *text)
{
    int i = 0;
    pthread_mutex_lock(&lock);
    while (i < LINES_MAX && lines->line[i].count != 0 && strcmp(lines->line[i].text, text) != 0)
        i++;
    snprintf(lines->line[i].text, LINE_MAX_BYTES, "%s", i < LINES_MAX ? text : "others");
    lines->line[i].count++;
    pthread_mutex_unlock(&lock);
}

void misuse(const char *format, ...)
{
    char text[LINE_MAX_BYTES] = "";
    int length = report_caller ? snprintf(text, sizeof text, "%s: ", report_caller) : 0;
    va_list list;
    va_start(list, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
    vsnprintf(text + length, sizeof text - (size_t)length, format, list);
    va_end(list);
    if (report_strict) {
        fprintf(stderr, "%s: misuse: %s\n", report_of.stub, text);
        abort();
    }
    count_line(&misuses, text);
}

void report_kernel(const char *name, bool known)
{
    count_line(known ? &kernels : &unknown_kernels, name);
}

void report_unknown_kernel(void)
{
    atomic_fetch_add(&unknown_dispatches, 1);
}

/* ---- the report ---- */

void report_leak(FILE *file, const char *what, unsigned long long count)
{
    if (count)
        fprintf(file, "leak %s %llu\n", what, count);
}

static void write_lines(FILE *file, const char *before, const struct lines *lines)
{
    for (int i = 0; i <= LINES_MAX; i++)
        if (lines->line[i].count)
            fprintf(file, "%s %s %llu\n", before, lines->line[i].text, lines->line[i].count);
}

static void write_report(FILE *file)
{
    for (int i = 0; i < report_of.entry_count; i++) {
        unsigned long long calls = atomic_load(&report_of.entries[i].calls);
        if (calls)
            fprintf(file, "%s %llu\n", report_of.entries[i].name, calls);
    }
    write_lines(file, "kernel", &kernels);
    write_lines(file, "unknown kernel", &unknown_kernels);
    if (atomic_load(&unknown_dispatches))
        fprintf(file, "unknown kernels %llu\n", atomic_load(&unknown_dispatches));
    report_own(file);
    for (int i = 0; i <= LINES_MAX; i++)
        if (misuses.line[i].count)
            fprintf(file, "misuse %llu %s\n", misuses.line[i].count, misuses.line[i].text);
}

/* Also for a library that nobody called: an empty report says "loaded, never used". */
__attribute__((destructor)) static void leave(void)
{
    const char *path = getenv(report_of.variable);
    if (!path || !*path)
        return;
    report_begin();
    FILE *file = fopen(path, "w");
    if (file)
        write_report(file);
    if (!file || fclose(file) != 0)
        fprintf(stderr, "%s: cannot write '%s'\n", report_of.stub, path);
}
