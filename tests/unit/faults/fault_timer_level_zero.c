/* SPDX-License-Identifier: MIT */
/*
 * The Nth allocation and the Nth driver call of kerntime fail, N = 1, 2, ... until none is left to
 * fail, in a Level Zero program with timers in its own lists. The program's own calls never fail.
 * No crash, no leak (the sanitizer's and the stub driver's part), one error that tells what failed,
 * and every span is counted somewhere.
 */
#include "tests/unit/backends/level_zero/level_zero_user.h"
#include "tests/unit/faults/fault_calls.h"
#include "tests/unit/faults/fault_run.h"

enum { ROUNDS = 2, RUNS = 3, STUB_HZ = 19200000 };

static user u;
static work now, later;
static bool
    /* the timer is told in whole ns, so each import measures its period; the program does nothing
     * else */
    measures;

/* ---- one program ---- */

static bool open_timer_context(fault_run *r)
{
    const kt_level_zero_import desc = user_describe(&u);
    return fault_ok(r, kt_timer_context_import_level_zero(&desc, &r->timer_context)) &&
           fault_ok(r, kt_timer_context_add_level_zero_list(r->timer_context, now.list)) &&
           fault_create_timers(r, 1) &&
           fault_ok(r, kt_recording_create(r->timer_context, NULL, &r->recording));
}

/* Kerntime says why there is no event in its text alone. */
static kt_status status_of(const void *event)
{
    return event ? KT_OK : KT_NO_MEMORY;
}

static bool stream(fault_run *r)
{
    bool ok = fault_ok(r, kt_timer_start(r->timers[0], now.list));
    r->spans += ok;
    work_fill(&u, &now, NULL);
    if (!ok || !fault_ok(r, kt_timer_stop(r->timers[0], now.list)))
        return false;
    ze_event_handle_t event = kt_timer_event_level_zero(r->timers[0]);
    r->spans += event != NULL;
    ok = fault_ok(r, status_of(event));
    work_fill(&u, &now, event);
    return ok;
}

static bool record(fault_run *r)
{
    ze_event_handle_t event = NULL;
    work_begin(&u, &later);
    bool ok = fault_ok(r, kt_recording_begin_level_zero(r->recording, later.list)) &&
              fault_ok(r, kt_recording_start(r->recording, r->timers[0]));
    work_fill(&u, &later, NULL);
    ok = ok && fault_ok(r, kt_recording_stop(r->recording, r->timers[0]));
    if (ok) {
        event = kt_recording_event_level_zero(r->recording, r->timers[0]);
        ok = fault_ok(r, status_of(event));
    }
    work_fill(&u, &later, event);
    ok = ok && fault_ok(r, kt_recording_stop(r->recording, r->timers[0]));
    work_end(&u, &later);
    return ok;
}

static bool run_recorded(fault_run *r)
{
    bool ok = true;
    for (int i = 0; i < RUNS && ok; i++) {
        if (!fault_ok(r, kt_recording_submit(r->recording)))
            return false;
        r->spans += 2;
        work_submit(&u, &later);
        work_wait(&u, &later);
        ok = !(i & 1) || fault_ok(r, kt_collect(r->timer_context));
    }
    return ok;
}

static void go(fault_run *r, uint64_t nth)
{
    double elapsed_ns;
    bool ok = open_timer_context(r);
    if (measures)
        return;
    for (int round = 0; round < ROUNDS && ok; round++) {
        ok = stream(r);
        work_wait(&u, &now);
        ok = ok && record(r) && run_recorded(r) && fault_ok(r, kt_timer_wait(r->timers[0], 0));
    }
    kt_status status = ok ? kt_timer_elapsed(r->timers[0], &elapsed_ns) : KT_OK;
    if (status != KT_DRIVER_ERROR) /* it failed, and is counted so */
        fault_ok(r, status);
}

/* ---- what must be true of it ---- */

/* The code that is put in place of the driver's is that for a device without memory. */
static kt_status expect(const char *fired, const char **part)
{
    return KT_NO_MEMORY;
}

/* Of an event that cannot be reset the native makes no more use, and of one that cannot be read the
 * span is counted. A clock is read several times. */
static bool may_pass(const char *fired)
{
    return strcmp(fired, "zeEventHostReset") == 0 ||
           strcmp(fired, "zeDeviceGetGlobalTimestamps") == 0 ||
           strcmp(fired, "zeEventQueryKernelTimestamp") == 0 ||
           strcmp(fired, "zeEventQueryTimestampsExp") == 0;
}

/* What a measured period is, whichever reading of the clock has failed. */
static void check_period(const fault_run *r, const char *fired)
{
    if (!measures || r->failures)
        return;
    const kt_clock_info *info = kt_timer_context_get_clock(r->timer_context, 1);
    assert_non_null(info);
    assert_int_equal(info->period_source, KT_SOURCE_CALIBRATED_TIMESTAMPS);
    EXPECT_NEAR(info->period_ns, 1e9 / STUB_HZ, 1e-3 * 1e9 / STUB_HZ);
}

static fault_program program = {.go = go,
                                .expect = expect,
                                .may_pass = may_pass,
                                .check = check_period,
                                .spans = (uint64_t)ROUNDS * (2 + 2 * RUNS)};

static void every_allocation(void **state)
{
    /* Natives and timers, the recording's five, two blocks of cells. */
    assert_true(fault_each(KT_FAULT_ALLOC, &program) >= 10);
}

static void every_driver_call(void **state)
{
    static const char *const names[] = {"zeInit",
                                        "zeDeviceGetProperties",
                                        "zeDriverGet",
                                        "zeDeviceGet",
                                        "zeDeviceGetSubDevices",
                                        "zeDriverGetExtensionProperties",
                                        "zeCommandListIsImmediate",
                                        "zeCommandListGetContextHandle",
                                        "zeCommandListGetDeviceHandle",
                                        "zeEventPoolCreate",
                                        "zeMemAllocHost",
                                        "zeEventCreate",
                                        "zeEventHostReset",
                                        "zeEventQueryStatus",
                                        "zeEventQueryKernelTimestamp",
                                        "zeEventQueryTimestampsExp",
                                        "zeCommandListAppendBarrier",
                                        "zeCommandListAppendEventReset",
                                        "zeCommandListAppendWriteGlobalTimestamp"};
    static const fault_reason none[] = {{NULL, NULL}};
    fault_each(KT_FAULT_DRIVER, &program);
    assert_int_equal(fault_calls_count_wrong(names, sizeof names / sizeof names[0], none), 0);
}

/* Where the timer is told in whole ns its true period is measured, at each import. How often the
 * clock is read depends on how quickly it answers, so of what is called later another call may be
 * the Nth in each run. */
static void opening_measures(void **state)
{
    static const char *const names[] = {"zeInit", "zeDeviceGetProperties",
                                        "zeDeviceGetGlobalTimestamps"};
    static const fault_reason none[] = {{NULL, NULL}};
    program.spans = 0;
    fault_each(KT_FAULT_DRIVER, &program);
    assert_int_equal(fault_calls_count_wrong(names, sizeof names / sizeof names[0], none), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest measuring[] = {cmocka_unit_test(opening_measures)};

    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation),
        cmocka_unit_test(every_driver_call),
    };
    measures = argc > 1 && strcmp(argv[1], "measures") == 0;
    user_open(&u);
    work_open(&u, &later);
    work_open_immediate(&u, &now, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    int failed = measures ? cmocka_run_group_tests_name("told in whole ns", measuring, NULL, NULL)
                          : cmocka_run_group_tests_name("timers in Level Zero", tests, NULL, NULL);
    work_close(&u, &now);
    work_close(&u, &later);
    user_close(&u);
    return failed;
}
