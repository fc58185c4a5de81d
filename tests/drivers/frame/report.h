/* SPDX-License-Identifier: MIT */
/*
 * report.h - the calls of a stub driver: how often each was made, which of them its script
 * wants to fail, and what was used wrongly; all of it is written at exit. Safe from any thread,
 * under whatever lock the stub has.
 */
#ifndef FRAME_REPORT_H
#define FRAME_REPORT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct report_entry {
    const char *name; /* NULL: this library has no such function */
    atomic_ullong calls;
};

/* ---- what each stub has of its own ---- */

extern const struct report_of {
    const char *stub, *variable; /* who speaks; the variable that names the report's file */
    struct report_entry *entries;
    int entry_count;
} report_of;

void script_read(void);
/* Its own lines: what was leaked, above all. */
void report_own(FILE *file);

/* ---- calls ---- */

/* Reads the script, if nobody has. */
void report_begin(void);
/* Counts the call. True: the script wants it to fail. */
bool report_call(int entry);
/* Of that name; -1: none. */
int entry_find(const char *name);

/* For the keys strict and fail=NAME:NTH, fail=any:NTH; NTH 0 is each time. */
extern uint64_t report_strict;
void report_read_fail(char *text);
/* Of that name, which the script must not get wrong. */
int report_read_entry(const char *name);

/* A command of the device hangs from now on: creates the file that KT_STUB_AT_HANG names, if any. */
void report_hang(void);

/* ---- what is counted ---- */

/* What stands before this thread's misuses; NULL: their sentences name the call themselves. */
extern _Thread_local const char *report_caller;

/* Counts a use that the API does not allow, or that kerntime must not make; each sentence with a
 * count of its own. */
__attribute__((format(printf, 1, 2))) void misuse(const char *format, ...);

#define EXPECT_USE(condition, ...) \
    do {                           \
        if (!(condition))          \
            misuse(__VA_ARGS__);   \
    } while (0)

/* Launches of this kernel; `known`: the stub runs it. */
void report_kernel(const char *name, bool known);
/* One that has no name either. */
void report_unknown_kernel(void);
/* Nothing if there are none. */
void report_leak(FILE *file, const char *what, unsigned long long count);

#endif
