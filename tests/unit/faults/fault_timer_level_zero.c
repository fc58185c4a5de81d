/*
 * The Nth allocation and the Nth driver call of kerntime fail, N = 1, 2, ... until none is left to
 * fail, in a Level Zero program with timers in its own lists. The program's own calls never fail.
 * No crash, no leak (the sanitizer's and the stub driver's part), one error that tells what failed,
 * and every span is counted somewhere.
 */
#include "support/fault.h"
#include "tests/unit/backends/level_zero/level_zero_user.h"
#include "tests/unit/faults/fault_calls.h"

#include <stdio.h>

enum { ROUNDS = 2, RUNS = 3, STUB_HZ = 19200000 };

static user u;
static work now, later;
static bool
    /* the timer is told in whole ns, so each import measures its period; the program does nothing
     * else */
    measures;

typedef struct run {
    kt_timer_context *timer_context;
    kt_timer *timer;
    kt_recording *recording;
    kt_snapshot *snapshot;
    uint64_t spans; /* that were begun */
} run;

/* ---- one program ---- */

static kt_status open_timer_context(run *r)
{
    const kt_level_zero_import desc = user_describe(&u);
    char name[32]; /* rows of the registry last, so each run needs new ones */
    static unsigned number;
    snprintf(name, sizeof name, "fault %u", number++);
    kt_status status = kt_timer_context_import_level_zero(&desc, &r->timer_context);
    if (status == KT_OK)
        status = kt_timer_context_add_level_zero_list(r->timer_context, now.list);
    if (status == KT_OK)
        status = kt_timer_create(r->timer_context, name, &r->timer);
    if (status == KT_OK)
        status = kt_recording_create(r->timer_context, NULL, &r->recording);
    return status;
}

/* Kerntime says why there is no event in its text alone. */
static kt_status status_of(const void *event)
{
    return event ? KT_OK : KT_NO_MEMORY;
}

static kt_status stream(run *r)
{
    kt_status status = kt_timer_start(r->timer, now.list);
    r->spans += status == KT_OK;
    work_fill(&u, &now, NULL);
    if (status == KT_OK)
        status = kt_timer_stop(r->timer, now.list);
    if (status != KT_OK)
        return status;
    ze_event_handle_t event = kt_timer_event_level_zero(r->timer);
    r->spans += event != NULL;
    work_fill(&u, &now, event);
    return status_of(event);
}

static kt_status record(run *r)
{
    work_begin(&u, &later);
    kt_status status = kt_recording_begin_level_zero(r->recording, later.list);
    if (status == KT_OK)
        status = kt_recording_start(r->recording, r->timer);
    work_fill(&u, &later, NULL);
    if (status == KT_OK)
        status = kt_recording_stop(r->recording, r->timer);
    ze_event_handle_t event = NULL;
    if (status == KT_OK)
        status = status_of(event = kt_recording_event_level_zero(r->recording, r->timer));
    work_fill(&u, &later, event);
    if (status == KT_OK)
        status = kt_recording_stop(r->recording, r->timer);
    work_end(&u, &later);
    return status;
}

static kt_status run_recorded(run *r)
{
    kt_status status = KT_OK;
    for (int i = 0; i < RUNS && status == KT_OK; i++) {
        status = kt_recording_submit(r->recording);
        if (status != KT_OK)
            break;
        r->spans += 2;
        work_submit(&u, &later);
        work_wait(&u, &later);
        if (i & 1)
            status = kt_collect(r->timer_context);
    }
    return status;
}

static kt_status go(run *r)
{
    double elapsed_ns;
    kt_status status = open_timer_context(r);
    if (measures)
        return status;
    for (int round = 0; round < ROUNDS && status == KT_OK; round++) {
        status = stream(r);
        work_wait(&u, &now);
        if (status == KT_OK)
            status = record(r);
        if (status == KT_OK)
            status = run_recorded(r);
        if (status == KT_OK)
            status = kt_timer_wait(r->timer, 0);
    }
    if (status == KT_OK) {
        status = kt_timer_elapsed(r->timer, &elapsed_ns);
        if (status == KT_DRIVER_ERROR) /* it failed, and is counted so */
            status = KT_OK;
    }
    if (status == KT_OK)
        status = kt_snapshot_take(&r->snapshot);
    return status;
}

/* ---- what must be true of it ---- */

static void check_failure(kt_fault_kind kind, const char *fired, kt_status status)
{
    /* The code that is put in place of the driver's is that for a device without memory. */
    const char *text = fired && kind == KT_FAULT_DRIVER ? fired : "memory";
    if (fired && status == KT_NO_MEMORY && strstr(kt_error_text(), text))
        return;
    fail_msg("%s failed: \"%s\", \"%s\"", fired ? fired : "nothing", kt_status_name(status),
             kt_error_text());
}

/* Of an event that cannot be reset the native makes no more use, and of one that cannot be read the
 * span is counted. A clock is read several times. */
static bool may_go_on_after(const char *fired)
{
    return strcmp(fired, "zeEventHostReset") == 0 ||
           strcmp(fired, "zeDeviceGetGlobalTimestamps") == 0 ||
           strcmp(fired, "zeEventQueryKernelTimestamp") == 0 ||
           strcmp(fired, "zeEventQueryTimestampsExp") == 0;
}

/* Spans that ended are in the registry, or counted there as dropped; those that did not are counted
 * as such. */
static void check_counts(const run *r, kt_fault_kind kind, const char *fired)
{
    kt_timer_context_counts counts;
    kt_timer_context_get_counts(r->timer_context, &counts);
    uint64_t counted = counts.recorded + counts.in_flight;
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        counted += counts.discarded[i];
    assert_int_equal(counted, r->spans);
    if (!r->snapshot)
        return;
    uint64_t in_registry = kt_snapshot_dropped(r->snapshot);
    for (uint32_t i = 0; i < kt_snapshot_count(r->snapshot); i++)
        in_registry += kt_snapshot_row(r->snapshot, i)->count;
    assert_int_equal(in_registry, counts.recorded);
    if (!fired)
        assert_int_equal(counts.recorded, ROUNDS * (2 + 2 * RUNS));
    else if (kind == KT_FAULT_ALLOC) /* of what went on without, it is told how much */
        assert_true(kt_snapshot_dropped(r->snapshot) > 0);
}

/* What a measured period is, whichever reading of the clock has failed. */
static void check_period(const run *r)
{
    const kt_clock_info *info = kt_timer_context_get_clock(r->timer_context, 1);
    assert_non_null(info);
    assert_int_equal(info->period_source, KT_SOURCE_CALIBRATED_TIMESTAMPS);
    EXPECT_NEAR(info->period_ns, 1e9 / STUB_HZ, 1e-3 * 1e9 / STUB_HZ);
}

static void clean_up(run *r)
{
    kt_snapshot_destroy(&r->snapshot);
    kt_recording_destroy(&r->recording);
    kt_timer_destroy(&r->timer);
    kt_timer_context_close(&r->timer_context);
}

/* How many there were to fail. */
static uint64_t fail_each(kt_fault_kind kind)
{
    for (uint64_t nth = 1;; nth++) {
        run r = {0};
        kt_reset();
        kt_path_check_writable(""); /* leaves an error text that is nobody's below */
        kt_fault_set(kind, nth);
        kt_status status = go(&r);
        const char *fired = kt_fault_fired(kind);
        kt_fault_set(kind, 0);
        if (fired)
            fault_calls_note(fired);
        if (status != KT_OK)
            check_failure(kind, fired, status);
        else if (fired && kind == KT_FAULT_DRIVER && !may_go_on_after(fired))
            fail_msg("%s failed and nobody noticed", fired);
        else if (measures)
            check_period(&r);
        kt_recording_reset(r.recording); /* what was timestamped and is left */
        check_counts(&r, kind, fired);
        clean_up(&r);
        if (!fired)
            return nth - 1;
    }
}

static void every_allocation(void **state)
{
    uint64_t count = fail_each(KT_FAULT_ALLOC);
    print_message("%llu allocations\n", (unsigned long long)count);
    assert_true(count >= 10); /* natives and timers, the recording's five, two blocks of cells */
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
    uint64_t count = fail_each(KT_FAULT_DRIVER);
    print_message("%llu driver calls\n", (unsigned long long)count);
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
    print_message("%llu driver calls\n", (unsigned long long)fail_each(KT_FAULT_DRIVER));
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
