/* SPDX-License-Identifier: MIT */
/* The tracer of OpenCL over the stub driver, by the system's loader: exact counts and times. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "tests/tracers/opencl/traced.h"

#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Settings for the next run, of which it takes a script, too. */
static traced_run run;
static char script[256], counts[64], report[16384];
static trace_totals totals;

static int begin(void **state)
{
    (void)state;
    run = (traced_run){0};
    snprintf(script, sizeof script, "KT_STUB_OPENCL=noise=0");
    return 0;
}

static void read_report(const char *path)
{
    FILE *file = fopen(path, "r");
    size_t bytes = file ? fread(report, 1, sizeof report - 1, file) : 0;
    report[bytes] = '\0';
    if (file)
        fclose(file);
    remove(path);
}

/* Runs a case of the program. What the driver says of leaks and misuse is in `report`. */
static void run_case(const char *keys, const char *name, const char *number)
{
    char program[] = PROGRAM, path[] = "/tmp/kerntime-stub.XXXXXX";
    char *const words[] = {program, (char *)(uintptr_t)name, (char *)(uintptr_t)number, NULL};
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    snprintf(script, sizeof script, "KT_STUB_OPENCL=noise=0%s", keys);
    snprintf(counts, sizeof counts, "KT_STUB_OPENCL_COUNTS=%s", path);
    run.environment[0] = "OCL_ICD_VENDORS=" STUB;
    run.environment[1] = script;
    run.environment[2] = counts;
    traced(&run, words, &totals);
    read_report(path);
    if (WIFEXITED(run.status) && WEXITSTATUS(run.status) == 77)
        skip();
}

static void trace(const char *keys, const char *name, const char *number)
{
    run_case(keys, name, number);
    assert_true(totals.hooked[TRACE_OPENCL]);
}

static int end(void **state)
{
    (void)state;
    trace_free(&totals);
    return 0;
}

static void assert_row(trace_kind kind, const char *name, uint64_t calls, double total_ns,
                       double bytes)
{
    const trace_total *row = traced_row(&totals, kind, name);
    assert_int_equal(row->calls, calls);
    assert_int_equal(row->timed, calls);
    assert_true(row->total_ns == total_ns);
    assert_true(bytes == 0 ? row->bytes != row->bytes : row->bytes == bytes);
}

static void assert_clean(void)
{
    if (strstr(report, "misuse") || strstr(report, "leak"))
        fail_msg("%s", report);
}

/* The same, by hand: of each command the time that the script gives it. */
static void every_command_is_in_its_row(void **state)
{
    (void)state;
    trace(",kernel_ns=1000,empty_ns=700", "mix", NULL);
    assert_int_equal(run.status, 0);
    assert_clean();
    assert_row(TRACE_KERNEL, "empty", 10, 7000, 0);
    assert_row(TRACE_KERNEL, "busy", 5, 5000, 0);
    assert_row(TRACE_COPY, "host to device", 3, 3000, 3 * 64);
    assert_row(TRACE_COPY, "device to host", 1, 1000, 64);
    assert_row(TRACE_COPY, "device to device", 1, 1000, 128);
    assert_row(TRACE_FILL, "fill", 1, 1000, 64);
    assert_row(TRACE_MAP, "map", 1, 1000, 64);
    assert_row(TRACE_MAP, "unmap", 1, 1000, 0);
    assert_int_equal(totals.row_count, 8);
    assert_int_equal(totals.in_flight, 0);
    assert_int_equal(totals.device_count, 1);
    assert_string_equal(totals.devices[0].id, "opencl:0");
    assert_string_equal(totals.devices[0].name, "kerntime stub device 0");
    assert_true(totals.devices[0].busy_ns == 20000);
    assert_int_equal(totals.gap_count, 0);
}

static void rows_are_split_by_size(void **state)
{
    (void)state;
    run.settings.by_size = true;
    trace("", "dispatches", "7");
    assert_string_equal(traced_row(&totals, TRACE_KERNEL, "busy")->size, "64 / 16");
}

static void untimed(const char *keys, const char *name, const char *number, trace_reason reason,
                    uint64_t timed, uint64_t not_timed)
{
    trace(keys, name, number);
    const trace_total *row = traced_row(&totals, TRACE_KERNEL, "busy");
    assert_int_equal(row->timed, timed);
    assert_int_equal(row->untimed[reason], not_timed);
    assert_int_equal(row->calls, timed + not_timed);
}

static void a_failed_command_has_no_time(void **state)
{
    (void)state;
    untimed(",event_error=3", "finish", "9", TRACE_FAILED, 8, 1);
}

static void a_queue_that_refuses_profiling_has_no_times(void **state)
{
    (void)state;
    untimed(",profiling=0", "finish", "9", TRACE_NO_TIMESTAMPS, 0, 9);
}

static void a_driver_without_timestamps_gives_none(void **state)
{
    (void)state;
    untimed(",no_profiling_info=1", "finish", "9", TRACE_NO_TIMESTAMPS, 0, 9);
}

static void times_that_run_backwards_are_untrusted(void **state)
{
    (void)state;
    untimed(",timestamps=backwards", "finish", "9", TRACE_UNTRUSTED, 7, 2);
}

static void times_that_are_always_the_same_are_untrusted(void **state)
{
    (void)state;
    untimed(",timestamps=fake", "finish", "9", TRACE_UNTRUSTED, 0, 9);
    trace_free(&totals);
    untimed(",timestamps=zero", "finish", "9", TRACE_UNTRUSTED, 0, 9);
    trace_free(&totals);
    /* Steps of 65536 ns: commands that seem to start and end together last no time. */
    untimed(",timestamps=coarse", "finish", "9", TRACE_UNTRUSTED, 9, 0);
}

/* The stub's second command hangs, so all behind it in the queue do. */
static void commands_in_flight_are_bounded(void **state)
{
    (void)state;
    trace(",hang=2", "dispatches", "40000");
    const trace_total *row = traced_row(&totals, TRACE_KERNEL, "busy");
    assert_int_equal(run.status, 0);
    assert_int_equal(row->timed, 1);
    assert_int_equal(row->untimed[TRACE_TOO_MANY] + totals.in_flight, 39999);
    assert_true(totals.in_flight == 32768 || totals.in_flight == 32767);
}

static void what_is_refused_is_no_command(void **state)
{
    (void)state;
    trace(",hang=1", "refused", "32768");
    assert_int_equal(run.status, 0);
    assert_int_equal(totals.in_flight, 32768);
    for (size_t i = 0; i < totals.row_count; i++)
        assert_true(totals.rows[i].kind == TRACE_KERNEL || totals.rows[i].calls == 0);
}

static void assert_all_but(uint64_t unfinished)
{
    const trace_total *busy = traced_row(&totals, TRACE_KERNEL, "busy");
    const trace_total *empty = traced_row(&totals, TRACE_KERNEL, "empty");
    assert_int_equal(totals.in_flight, unfinished);
    assert_int_equal(busy->timed + empty->timed + unfinished, 40000);
    assert_int_equal(busy->untimed[TRACE_TOO_MANY] + empty->untimed[TRACE_TOO_MANY], 0);
    assert_true(busy->total_ns == 1000 * (double)busy->timed);
    assert_true(empty->total_ns == 700 * (double)empty->timed);
}

/* The third command hangs; then, each has ended when 300 more have been enqueued. */
static void commands_out_of_order_do_not_hold_up_others(void **state)
{
    (void)state;
    trace(",kernel_ns=1000,empty_ns=700,hang=3", "out-of-order", "40000");
    assert_all_but(1);
    trace_free(&totals);
    trace(",kernel_ns=1000,empty_ns=700,lag=300", "out-of-order", "40000");
    assert_all_but(300);
}

static void what_has_ended_is_read_at_exit(void **state)
{
    (void)state;
    trace("", "dispatches", "100");
    assert_row(TRACE_KERNEL, "busy", 100, 100000, 0);
    assert_null(strstr(report, "leak event"));
}

/* The last harvest still calls it. */
static void a_loader_may_be_closed_before(void **state)
{
    (void)state;
    trace("", "close", "10");
    assert_int_equal(run.status, 0);
    assert_row(TRACE_KERNEL, "busy", 10, 10000, 0);
}

static void names_follow_kernels_and_not_handles(void **state)
{
    (void)state;
    trace(",kernel_ns=1000,empty_ns=1000", "names", "50000");
    assert_clean();
    assert_row(TRACE_KERNEL, "empty", 25000, 25e6, 0);
    assert_row(TRACE_KERNEL, "busy", 25000, 25e6, 0);
}

/* `late`: no command is seen to have ended at the first look. */
static void queues_are_not_kept_alive(void **state)
{
    (void)state;
    trace("", "queues", "3000");
    assert_clean();
    assert_row(TRACE_KERNEL, "busy", 3000, 3e6, 0);
    trace_free(&totals);
    trace(",late=1", "queues", "300");
    assert_row(TRACE_KERNEL, "busy", 300, 3e5, 0);
    trace_free(&totals);
    trace("", "released", "100");
    assert_row(TRACE_KERNEL, "busy", 100, 1e5, 0);
    trace_free(&totals);
    trace(",late=1", "released", "100"); /* the driver calls back */
    assert_row(TRACE_KERNEL, "busy", 100, 1e5, 0);
}

static void eight_threads_are_counted_exactly(void **state)
{
    (void)state;
    trace("", "threads", "3000");
    assert_clean();
    assert_row(TRACE_KERNEL, "busy", 48000, 48e6, 0);
    assert_int_equal(totals.in_flight, 0);
}

static void a_killed_program_leaves_what_it_finished(void **state)
{
    (void)state;
    trace("", "kill", "500");
    assert_int_equal(WTERMSIG(run.status), SIGKILL);
    assert_row(TRACE_KERNEL, "busy", 500, 5e5, 0);
}

static void a_child_counts_its_own_commands(void **state)
{
    (void)state;
    trace("", "fork", "5");
    assert_int_equal(run.status, 0);
    assert_row(TRACE_KERNEL, "busy", 8, 8000, 0);
    assert_int_equal(totals.process_count, 2);
}

/* A program that opens a second loader: fork() returns. */
static void a_second_loader_changes_nothing(void **state)
{
    (void)state;
    trace("", "twice", "5");
    assert_int_equal(run.status, 0);
    assert_row(TRACE_KERNEL, "busy", 8, 8000, 0);
}

/* Runs a case and returns what it prints. */
static void print(const char *layers, const char *keys, const char *name, char *text, size_t bytes)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    run.layers = layers;
    run.output = fileno(file);
    run_case(keys, name, NULL);
    rewind(file);
    text[fread(text, 1, bytes - 1, file)] = '\0';
    fclose(file);
    assert_int_equal(run.status, 0);
}

static void the_program_is_told_what_it_is_told_without(void **state)
{
    (void)state;
    /* late: in flight when they are asked for */
    static const char *const keys[] = {"", "", "", ",late=9"};
    static const char *const names[] = {"later", "property", "answers", "answers"};
    char without[2048] = "", with[2048];
    for (int i = 0; i < 4; i++) {
        print("", keys[i], names[i], without, sizeof without);
        assert_false(totals.hooked[TRACE_OPENCL]);
        trace_free(&totals);
        print(NULL, keys[i], names[i], with, sizeof with);
        assert_true(totals.hooked[TRACE_OPENCL]);
        assert_string_equal(with, without);
        trace_free(&totals);
    }
    totals = (trace_totals){0};
    assert_non_null(strstr(without, "profiling 0: properties 0, references 1"));
    assert_non_null(strstr(without, "start -7 99"));
}

/* The trivial layer counts what it passes on. */
static void another_layer_works_beside_it(void **state)
{
    (void)state;
    static const char *const layers[] = {TRACER ":" OTHER_LAYER, OTHER_LAYER ":" TRACER};
    for (int i = 0; i < 2; i++) {
        char path[] = "/tmp/kerntime-layer.XXXXXX", variable[64], seen[32] = "";
        close(mkstemp(path));
        snprintf(variable, sizeof variable, "KT_OTHER_LAYER=%s", path);
        run.layers = layers[i];
        run.environment[3] = variable;
        trace("", "finish", "12");
        assert_row(TRACE_KERNEL, "busy", 12, 12000, 0);
        read_report(path);
        snprintf(seen, sizeof seen, "12 dispatches\n");
        assert_string_equal(report, seen);
        trace_free(&totals);
        totals = (trace_totals){0};
    }
}

static void functions_of_extensions_are_wrapped_or_named(void **state)
{
    (void)state;
    trace("", "extension", NULL);
    assert_int_equal(run.status, 0);
    assert_clean();
    assert_row(TRACE_COPY, "shared memory", 1, 1000, 64);
    assert_int_equal(totals.gap_count, 1);
    assert_string_equal(totals.gaps[0].text,
                        "calls of clEnqueueNothingKERNTIME, if there are any, are not traced");
}

/* The tracer asks for an event to learn of the queue. */
static void a_command_buffer_leaves_no_event(void **state)
{
    (void)state;
    trace(",profiling=0", "command-buffer", NULL);
    assert_int_equal(run.status, 0);
    assert_clean();
    assert_int_equal(traced_row(&totals, TRACE_KERNEL, "(command buffer)")->calls, 1);
}

/* Loaders leave the first entry of the list. */
static void processes_that_the_program_starts_find_the_tracer(void **state)
{
    (void)state;
    char list[8192], path[] = "KT_OTHER_LAYER=/dev/null";
    run.environment[3] = path;
    print(OTHER_LAYER ":" TRACER, "", "environment", list, sizeof list);
    assert_string_equal(list, OTHER_LAYER ":" TRACER "\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(every_command_is_in_its_row),
        TEST(rows_are_split_by_size),
        TEST(a_failed_command_has_no_time),
        TEST(a_queue_that_refuses_profiling_has_no_times),
        TEST(a_driver_without_timestamps_gives_none),
        TEST(times_that_run_backwards_are_untrusted),
        TEST(times_that_are_always_the_same_are_untrusted),
        TEST(commands_in_flight_are_bounded),
        TEST(what_is_refused_is_no_command),
        TEST(commands_out_of_order_do_not_hold_up_others),
        TEST(what_has_ended_is_read_at_exit),
        TEST(a_loader_may_be_closed_before),
        TEST(names_follow_kernels_and_not_handles),
        TEST(queues_are_not_kept_alive),
        TEST(eight_threads_are_counted_exactly),
        TEST(a_killed_program_leaves_what_it_finished),
        TEST(a_child_counts_its_own_commands),
        TEST(a_second_loader_changes_nothing),
        TEST(the_program_is_told_what_it_is_told_without),
        TEST(another_layer_works_beside_it),
        TEST(functions_of_extensions_are_wrapped_or_named),
        TEST(a_command_buffer_leaves_no_event),
        TEST(processes_that_the_program_starts_find_the_tracer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
