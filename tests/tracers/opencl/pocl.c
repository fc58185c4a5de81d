/* SPDX-License-Identifier: MIT */
/* The tracer of OpenCL over PoCL: every kind of command is counted, and a program computes and sees
 * what it does without. */
#define _POSIX_C_SOURCE 200809L /* fileno */
#include "tests/tracers/opencl/traced.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

static trace_totals totals;

static void run(bool with_tracer, char *text, size_t bytes)
{
    char program[] = PROGRAM;
    char *const words[] = {program, NULL};
    FILE *file = tmpfile();
    assert_non_null(file);
    traced_run r = {.layers = with_tracer ? NULL : "",
                    .environment = {"OCL_ICD_VENDORS=pocl.icd", "POCL_CACHE_DIR=" CACHE},
                    .output = fileno(file)};
    r.settings.memory_bytes = UINT64_C(1) << 22;
    traced(&r, words, &totals);
    rewind(file);
    text[fread(text, 1, bytes - 1, file)] = '\0';
    fclose(file);
    if (WIFEXITED(r.status) && WEXITSTATUS(r.status) == 77)
        skip();
    assert_int_equal(r.status, 0);
    assert_int_equal(totals.hooked[TRACE_OPENCL], with_tracer);
}

static void assert_row(trace_kind kind, const char *name, uint64_t calls, double bytes)
{
    const trace_total *row = traced_row(&totals, kind, name);
    assert_int_equal(row->calls, calls);
    assert_int_equal(row->timed, calls);
    assert_true(bytes == 0 ? isnan(row->bytes) : row->bytes == bytes);
}

static void every_command_is_counted(void **state)
{
    (void)state;
    char without[1024], with[1024];
    const double bytes = 16 * 16 * 4, half = bytes / 4;
    run(false, without, sizeof without);
    trace_free(&totals);
    run(true, with, sizeof with);
    assert_string_equal(with, without);
    assert_non_null(strstr(without, "out of order: start -7 99, properties 1, "));
    assert_non_null(strstr(without, "without properties: end -7 99, list of 0 bytes"));
    const bool has_buffers = strstr(without, "\ncommand buffers\n") != NULL;
    assert_row(TRACE_KERNEL, "add", 26, 0);
    assert_row(TRACE_KERNEL, "(native kernel)", 1, 0);
    assert_row(TRACE_COPY, "host to device", 2, bytes + half);
    assert_row(TRACE_COPY, "device to host", 5, 3 * bytes + 2 * half);
    assert_row(TRACE_COPY, "device to device", 3, bytes + 2 * half);
    assert_row(TRACE_COPY, "host to device (image)", 1, bytes);
    assert_row(TRACE_COPY, "device to host (image)", 1, bytes);
    assert_row(TRACE_COPY, "device to device (image)", 3, 2 * bytes + half);
    assert_row(TRACE_COPY, "shared memory", 1, bytes);
    assert_row(TRACE_COPY, "migration", 1, 0);
    assert_row(TRACE_FILL, "fill", 1, bytes / 2);
    assert_row(TRACE_FILL, "fill (image)", 1, bytes);
    assert_row(TRACE_FILL, "fill (shared memory)", 1, bytes);
    assert_row(TRACE_MAP, "map", 1, bytes);
    assert_row(TRACE_MAP, "map (image)", 1, bytes);
    assert_row(TRACE_MAP, "map (shared memory)", 1, bytes);
    assert_row(TRACE_MAP, "unmap", 3, 0);
    if (has_buffers)
        assert_row(TRACE_KERNEL, "(command buffer)", 2, 0);
    assert_int_equal(totals.row_count, 17 + has_buffers);
    assert_int_equal(totals.gap_count, has_buffers);
    assert_int_equal(totals.in_flight, 0);
}

/* PoCL's clock is the host's. */
static bool take_event(void *user, const trace_total_event *event)
{
    unsigned *count = user;
    ++*count;
    if (!(event->uncertainty_ns < 1e6))
        fail_msg("uncertainty of %g ns", event->uncertainty_ns);
    if ((double)event->begin_ns < (double)event->call_begin_ns - event->uncertainty_ns)
        fail_msg("begins before its call");
    return true;
}

static void events_are_on_the_hosts_clock(void **state)
{
    (void)state;
    char text[1024];
    unsigned count = 0;
    trace_free(&totals);
    run(true, text, sizeof text);
    trace_each_event(&totals, take_event, &count);
    assert_true(count >= 53);
    trace_free(&totals);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_is_counted),
        cmocka_unit_test(events_are_on_the_hosts_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
