/* SPDX-License-Identifier: MIT */
/*
 * cases.h - runs the cases of a stub driver's selftest. Each case has a process of its own,
 * because a stub reads its script once; at the end the stub's report is looked at.
 */
#ifndef FRAME_CASES_H
#define FRAME_CASES_H

#include <stdbool.h>

/* Counts a failure and says where; the case goes on. */
#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)

void check(bool good, const char *text, const char *file, int line);

struct test_case; /* each selftest has its own */

struct stub {
    const char *script_variable, *report_variable;
    /* In the process of the case, with the stub's library open: a world, and the case in it. */
    void (*run)(const struct test_case *test, void *library);
};

/* What the report must hold: that line, or lines that follow each other; NULL: neither leak nor misuse; "": nothing; "abort":
 * nothing, the process aborts, with "abort: TEXT" having said that. True: all was as it should
 * be. */
bool stub_case_run(const struct stub *stub, const char *library, const char *script,
                   const char *report, const struct test_case *test);

#endif
