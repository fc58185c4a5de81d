/* SPDX-License-Identifier: MIT */
/* The tracer of Vulkan over the stub driver, by the system's loader: exact counts and times. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "tests/tracers/opencl/traced.h"

#include <math.h>
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

#define BYTES     16384  /* of a copy of the program */
#define KERNEL_NS 1000.0 /* what the stub takes for a command */

/* Settings for the next run. */
static traced_run run;
static trace_totals totals;
static char script[256], counts[64], report[16384];

static int begin(void **state)
{
    (void)state;
    run = (traced_run){.layers = ""};
    return 0;
}

static int end(void **state)
{
    (void)state;
    trace_free(&totals);
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

/* Runs a scenario of the program. What the driver says of leaks and misuse is in `report`. */
static void trace(const char *keys, const char *name, const char *count, const char *threads)
{
    char program[] = PROGRAM, path[] = "/tmp/kerntime-stub.XXXXXX";
    char *const words[] = {program, (char *)(uintptr_t)name, (char *)(uintptr_t)count,
                           (char *)(uintptr_t)threads, NULL};
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    snprintf(script, sizeof script, "KT_STUB_VULKAN=%s", keys);
    snprintf(counts, sizeof counts, "KT_STUB_VULKAN_COUNTS=%s", path);
    run.environment[0] = "VK_DRIVER_FILES=" STUB;
    run.environment[1] = "VK_ICD_FILENAMES=" STUB; /* loaders before 1.3.207 */
    run.environment[2] = "VK_ADD_LAYER_PATH=" LAYERS;
    run.environment[3] = "VK_INSTANCE_LAYERS=VK_LAYER_kerntime_trace";
    run.environment[4] = script;
    run.environment[5] = counts;
    traced(&run, words, &totals);
    read_report(path);
    if (WIFEXITED(run.status) && WEXITSTATUS(run.status) == 77)
        skip();
    assert_true(totals.hooked[TRACE_VULKAN]);
}

static void trace_well(const char *keys, const char *name, const char *count)
{
    trace(keys, name, count, "1");
    assert_true(WIFEXITED(run.status));
    assert_int_equal(WEXITSTATUS(run.status), 0);
    assert_null(strstr(report, "misuse"));
    assert_null(strstr(report, "leak"));
    assert_int_equal(totals.in_flight, 0);
}

static const trace_total *kernel(void)
{
    for (size_t i = 0; i < totals.row_count; i++)
        if (totals.rows[i].kind == TRACE_KERNEL)
            return &totals.rows[i];
    fail_msg("no kernel");
    return NULL;
}

/* All calls are timed, and each took as long as the stub says. */
static void assert_times(const trace_total *row, uint64_t calls, double each_ns)
{
    assert_int_equal(row->calls, calls);
    assert_int_equal(row->timed, calls);
    assert_true(fabs(row->total_ns - (double)calls * each_ns) <= 0.5 * (double)calls);
    assert_true(row->min_ns >= each_ns - 1 && row->max_ns <= each_ns + 1);
}

static void assert_untimed(const trace_total *row, uint64_t calls, trace_reason reason)
{
    assert_int_equal(row->calls, calls);
    assert_int_equal(row->untimed[reason], calls);
    assert_int_equal(row->timed, 0);
}

/* ---- command buffers ---- */

static void dispatches_and_copies(void **state)
{
    (void)state;
    trace_well("memory=discrete", "dispatch", "5");
    assert_times(kernel(), 5, KERNEL_NS);
    assert_int_equal(kernel()->overlapped, 0);
    assert_memory_equal(kernel()->name, "main #", 6); /* and a checksum */
    const trace_total *in = traced_row(&totals, TRACE_COPY, "host to device"),
                      *out = traced_row(&totals, TRACE_COPY, "device to host");
    assert_times(in, 1, KERNEL_NS);
    assert_times(out, 1, KERNEL_NS);
    assert_true(in->bytes == BYTES && out->bytes == BYTES);
    assert_string_equal(totals.devices[0].id, "vulkan:0");
    assert_string_equal(totals.devices[0].name, "stub device 0");
    assert_int_equal(totals.devices[0].spans, 7);
    assert_true(totals.devices[0].busy_ns == 7 * KERNEL_NS);
}

/* More than the queries of a pool, with each way to reset them. */
static void many_in_one(void **state)
{
    (void)state;
    static const char *const keys[] = {"", "host_reset=1"};
    for (int i = 0; i < 2; i++) {
        begin(state);
        trace_well(keys[i], "dispatch", "1000");
        assert_times(kernel(), 1000, KERNEL_NS);
        end(state);
    }
    begin(state);
    trace_well("", "dispatch", "1");
}

static void submitted_again(void **state)
{
    (void)state;
    static const char *const keys[] = {"", "host_reset=1"}, *const names[] = {"resubmit",
                                                                              "rerecord"};
    for (int i = 0; i < 4; i++) {
        begin(state);
        trace_well(keys[i % 2], names[i / 2], "50");
        assert_times(kernel(), 50, KERNEL_NS);
        end(state);
    }
    begin(state);
    trace_well("", "resubmit", "1");
}

static void submitted_again_unread(void **state)
{
    (void)state;
    trace_well("host_reset=1", "simultaneous", "5");
    assert_int_equal(kernel()->calls, 5);
    assert_int_equal(kernel()->timed, 1);
    assert_int_equal(kernel()->untimed[TRACE_OVERWRITTEN], 4);
}

static void without_barriers(void **state)
{
    (void)state;
    trace("", "unordered", "3", "1");
    const trace_total *copies = traced_row(&totals, TRACE_COPY, "device to device");
    assert_int_equal(copies->timed, 6); /* and three that have barriers */
    assert_int_equal(copies->overlapped, 3);
}

static void with_exact(void **state)
{
    (void)state;
    run.settings.exact = true;
    trace_well("", "unordered", "3"); /* else the stub tells of missing barriers */
    assert_int_equal(traced_row(&totals, TRACE_COPY, "device to device")->overlapped, 0);
}

static void eight_threads(void **state)
{
    (void)state;
    trace("", "resubmit", "50", "8");
    assert_null(strstr(report, "misuse"));
    assert_times(kernel(), 400, KERNEL_NS);
}

static void unseen(void **state)
{
    (void)state;
    trace_well("", "sparse", "3");
    assert_int_equal(totals.gap_count, 1);
    assert_string_equal(totals.gaps[0].text, "vkQueueBindSparse is not traced");
    assert_int_equal(totals.gaps[0].calls, 3);
}

/* ---- clocks ---- */

static void narrow_counters(void **state)
{
    (void)state;
    trace_well("bits=36,start=68719471736", "dispatch", "10"); /* 5,000 ticks before it wraps */
    assert_times(kernel(), 10, KERNEL_NS);
    assert_int_equal(totals.devices[0].late, 0);
    assert_true(totals.devices[0].busy_ns == 12 * KERNEL_NS);
    assert_true(totals.devices[0].span_ns < 20 * KERNEL_NS);
}

/* A program may make a device object for each piece of work. The clock is that of the GPU, and has
 * turned before the second one. */
static void a_device_for_each_run(void **state)
{
    (void)state;
    static const char *const keys[] = {"", "bits=36,start=68719471736"};
    for (int i = 0; i < 2; i++) {
        begin(state);
        trace_well(keys[i], "devices", "3");
        assert_times(kernel(), 70 * 3, KERNEL_NS);
        assert_int_equal(totals.gap_count, 0);
        assert_int_equal(totals.device_count, 1);
        const trace_total_device *device = &totals.devices[0];
        assert_int_equal(device->spans, 70 * 5);
        assert_int_equal(device->late, 0);
        assert_int_equal(device->process_count, 1);
        assert_true(device->busy_ns == 70 * 5 * KERNEL_NS);
        assert_true(device->overlap_ns == 0);
        assert_true(device->span_ns < 2 * device->busy_ns);
        end(state);
    }
    begin(state);
    trace_well("", "dispatch", "1");
}

/* Turns of 134 ms: several of them between two submissions are seen by the host's clock alone. */
static void narrow_and_slow(void **state)
{
    (void)state;
    trace_well("clock=host,bits=27", "slow", "4");
    assert_int_equal(kernel()->timed, 4);
    assert_true(totals.devices[0].span_ns >= 3 * 200e6);
}

static void long_ticks(void **state)
{
    (void)state;
    trace_well("period=52.0833", "dispatch", "10");
    assert_times(kernel(), 10, KERNEL_NS * (double)52.0833f);
}

static void no_timestamps(void **state)
{
    (void)state;
    trace_well("bits=0", "dispatch", "5");
    assert_untimed(kernel(), 5, TRACE_NO_TIMESTAMPS);
}

/* Only the host can reset queries of a queue that only copies. */
static void copying_queue(void **state)
{
    (void)state;
    trace_well("families=transfer", "copies", "3");
    assert_untimed(traced_row(&totals, TRACE_COPY, "device to device"), 8, TRACE_NO_TIMESTAMPS);
    end(state);
    begin(state);
    trace_well("families=transfer,host_reset=1", "copies", "3");
    assert_times(traced_row(&totals, TRACE_COPY, "device to device"), 8, KERNEL_NS);
}

static void bad_timestamps(void **state)
{
    (void)state;
    static const char *const keys[] = {"timestamps=backwards", "timestamps=zero",
                                       "availability=never", "bits=36,timestamps=backwards"};
    for (int i = 0; i < 4; i++) {
        begin(state);
        trace_well(keys[i], "resubmit", "5");
        assert_untimed(kernel(), 5, TRACE_UNTRUSTED);
        end(state);
    }
    begin(state);
    trace_well("availability=2", "resubmit", "5");
    assert_times(kernel(), 5, KERNEL_NS);
}

/* A fence may be signalled before the queries show it. They are read later then. */
static void late_queries(void **state)
{
    (void)state;
    trace_well("late=1", "resubmit", "5");
    assert_times(kernel(), 5, KERNEL_NS);
}

static size_t events;

static bool check_event(void *user, const trace_total_event *event)
{
    double *worst_ns = user;
    events++;
    assert_true(event->uncertainty_ns >= 0);
    /* Known to lie between the call and the wait for it. */
    double early_ns = (double)(event->call_begin_ns - event->begin_ns) - event->uncertainty_ns;
    *worst_ns = early_ns > *worst_ns ? early_ns : *worst_ns;
    return true;
}

static void time_line(void **state)
{
    (void)state;
    static const char *const keys[] = {"clock=host", "clock=host,calibrated=ext"};
    for (int i = 0; i < 2; i++) {
        double worst_ns = -INFINITY;
        events = 0;
        begin(state);
        run.settings.memory_bytes = 1 << 24;
        trace_well(keys[i], "resubmit", "5");
        trace_each_event(&totals, check_event, &worst_ns);
        assert_int_equal(events, 7);
        assert_true(worst_ns <= 0);
        assert_int_equal(kernel()->timed, 5);
        end(state);
    }
    begin(state);
    trace_well("", "dispatch", "1");
}

/* ---- what the user asks for ---- */

static void sizes(void **state)
{
    (void)state;
    run.settings.by_size = true;
    trace_well("", "dispatch", "2");
    assert_string_equal(kernel()->size, "2048 / 64");
}

static void skipped(void **state)
{
    (void)state;
    run.settings.skip = 2;
    run.settings.count = 3;
    trace_well("", "resubmit", "9");
    assert_times(kernel(), 3, KERNEL_NS);
}

/* ---- failures ---- */

static void no_queries(void **state)
{
    (void)state;
    trace_well("fail=vkCreateQueryPool:0", "dispatch", "5");
    assert_untimed(kernel(), 5, TRACE_NO_MEMORY);
}

/* The tracer asks for more than the program did, and then for no more. */
static void no_device_with_more(void **state)
{
    (void)state;
    trace_well("host_reset=1,fail=vkCreateDevice:1", "dispatch", "5");
    assert_times(kernel(), 5, KERNEL_NS);
}

static void refused(void **state)
{
    (void)state;
    trace("fail=vkQueueSubmit:2", "dispatch", "5", "1");
    assert_int_equal(WEXITSTATUS(run.status), 1); /* the program gives up */
    assert_untimed(kernel(), 5, TRACE_FAILED);
}

/* More batches than the tracer follows. */
static void many_refused(void **state)
{
    (void)state;
    trace("fail=vkQueueSubmit:2", "batches", "5000", "1");
    assert_int_equal(WEXITSTATUS(run.status), 1);
    assert_untimed(kernel(), 1, TRACE_FAILED);
}

static void killed(void **state)
{
    (void)state;
    trace("", "killed", "7", "1");
    assert_true(WIFSIGNALED(run.status) && WTERMSIG(run.status) == SIGKILL);
    assert_times(kernel(), 7, KERNEL_NS);
}

static void left_in_flight(void **state)
{
    (void)state;
    trace("", "exit", "5", "1");
    assert_int_equal(WEXITSTATUS(run.status), 3);
    assert_int_equal(kernel()->timed, 5);
    assert_int_equal(totals.in_flight, 1);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(dispatches_and_copies),
        TEST(many_in_one),
        TEST(submitted_again),
        TEST(submitted_again_unread),
        TEST(without_barriers),
        TEST(with_exact),
        TEST(eight_threads),
        TEST(unseen),
        TEST(narrow_counters),
        TEST(a_device_for_each_run),
        TEST(narrow_and_slow),
        TEST(long_ticks),
        TEST(no_timestamps),
        TEST(copying_queue),
        TEST(bad_timestamps),
        TEST(late_queries),
        TEST(time_line),
        TEST(sizes),
        TEST(skipped),
        TEST(no_queries),
        TEST(no_device_with_more),
        TEST(refused),
        TEST(many_refused),
        TEST(killed),
        TEST(left_in_flight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
