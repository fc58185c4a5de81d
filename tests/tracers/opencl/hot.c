/* SPDX-License-Identifier: MIT */
/* What a dispatch costs besides time, once the tracer is warm: no allocation, lock or system
 * call. */
#define _POSIX_C_SOURCE 200809L /* fileno */
#include "tests/tracers/opencl/traced.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

static void assert_hot(uint64_t memory_bytes, bool by_size)
{
    char program[] = PROGRAM, text[80] = "";
    char *const words[] = {program, NULL};
    trace_totals totals;
    FILE *file = tmpfile();
    assert_non_null(file);
    traced_run run = {.environment = {"OCL_ICD_VENDORS=" NULL_DRIVER}, .output = fileno(file)};
    run.settings.memory_bytes = memory_bytes;
    run.settings.by_size = by_size;
    traced(&run, words, &totals);
    if (WIFEXITED(run.status) && WEXITSTATUS(run.status) == 77)
        skip();
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_int_equal(run.status, 0);
    assert_string_equal(text, "0 allocations, 0 locks\n");
    assert_true(traced_row(&totals, TRACE_KERNEL, "nothing")->timed >= 11 * 4096);
    trace_free(&totals);
}

static void a_summary_is_recorded_without_locks(void **state)
{
    (void)state;
    assert_hot(0, false);
    assert_hot(0, true);
}

/* Its memory is full before the program looks. */
static void a_time_line_is_recorded_without_locks(void **state)
{
    (void)state;
    assert_hot(UINT64_C(1) << 20, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summary_is_recorded_without_locks),
        cmocka_unit_test(a_time_line_is_recorded_without_locks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
