/*
 * The Nth allocation and the Nth driver call of kerntime fail, N = 1, 2, ... until none is left to
 * fail, in a Vulkan program with timers in its own commands. The program's own calls never fail. No
 * crash, no leak (the sanitizer's and the stub driver's part), one error that tells what failed,
 * and every span is counted somewhere.
 */
#include "support/fault.h"
#include "tests/unit/backends/vulkan/vulkan_user.h"
#include "tests/unit/faults/fault_calls.h"

#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 3, SPANS = 2 };

static user u;
static work w;

typedef struct run {
    kt_timer_context *timer_context;
    kt_timer *timers[SPANS];
    kt_recording *recording;
    kt_snapshot *snapshot;
    uint64_t submitted; /* spans of runs that are timed */
} run;

/* ---- one program ---- */

static kt_status open_timer_context(run *r, uint64_t nth)
{
    kt_vulkan_import desc = user_describe(&u);
    if (nth & 1) /* kerntime opens a loader of its own */
        desc.get_instance_proc_addr = NULL;
    kt_status status = kt_timer_context_import_vulkan(&desc, &r->timer_context);
    for (int i = 0; i < SPANS && status == KT_OK; i++) {
        char name[32]; /* rows of the registry last, so each run needs new ones */
        static unsigned number;
        snprintf(name, sizeof name, "fault %u", number++);
        status = kt_timer_create(r->timer_context, name, &r->timers[i]);
    }
    if (status == KT_OK)
        status = kt_recording_create(r->timer_context, NULL, &r->recording);
    return status;
}

static kt_status record(run *r)
{
    work_begin(&u, &w, 0);
    kt_status status = kt_recording_begin_vulkan(r->recording, w.buffer, 0);
    for (int i = 0; i < SPANS && status == KT_OK; i++) {
        status = kt_recording_start(r->recording, r->timers[i]);
        work_copy(&u, &w);
        if (status == KT_OK)
            status = kt_recording_stop(r->recording, r->timers[i]);
    }
    work_end(&u, &w);
    return status;
}

static kt_status go(run *r, uint64_t nth)
{
    double elapsed_ns;
    kt_status status = open_timer_context(r, nth);
    if (status == KT_OK)
        status = record(r);
    for (int i = 0; i < RUNS && status == KT_OK; i++) {
        status = kt_recording_submit(r->recording);
        if (status != KT_OK)
            break;
        r->submitted += SPANS;
        work_submit(&u, &w);
        assert_true(work_has_ended(&u, &w));
        if (i & 1)
            status = kt_collect(r->timer_context);
    }
    if (status == KT_OK)
        status = kt_timer_wait(r->timers[0], 0);
    if (status == KT_OK)
        status = kt_timer_elapsed(r->timers[0], &elapsed_ns);
    if (status == KT_OK)
        status = kt_snapshot_take(&r->snapshot);
    return status;
}

/* ---- what must be true of it ---- */

static void check_failure(kt_fault_kind kind, const char *fired, kt_status status)
{
    /* The code that is put in place of the driver's is that for a host without memory. */
    const char *text = fired && kind == KT_FAULT_DRIVER ? fired : "memory";
    if (fired && status == KT_NO_MEMORY && strstr(kt_error_text(), text))
        return;
    fail_msg("%s failed: \"%s\", \"%s\"", fired ? fired : "nothing", kt_status_name(status),
             kt_error_text());
}

/* Spans that ended are in the registry, or counted there as dropped; those that did not are counted
 * as such. */
static void check_counts(const run *r, kt_fault_kind kind, bool fired)
{
    kt_timer_context_counts counts;
    kt_timer_context_get_counts(r->timer_context, &counts);
    uint64_t discarded = 0;
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        discarded += counts.discarded[i];
    assert_int_equal(counts.recorded + discarded, r->submitted);
    if (!r->snapshot)
        return;
    uint64_t in_registry = kt_snapshot_dropped(r->snapshot);
    for (uint32_t i = 0; i < kt_snapshot_count(r->snapshot); i++)
        in_registry += kt_snapshot_row(r->snapshot, i)->count;
    assert_int_equal(in_registry, counts.recorded);
    if (!fired)
        assert_int_equal(counts.recorded, RUNS * SPANS);
    else if (kind == KT_FAULT_ALLOC) /* of what went on without, it is told how much */
        assert_true(kt_snapshot_dropped(r->snapshot) > 0);
    else
        fail_msg("a driver call failed and nobody noticed");
}

static void clean_up(run *r)
{
    kt_snapshot_destroy(&r->snapshot);
    kt_recording_destroy(&r->recording);
    for (int i = 0; i < SPANS; i++)
        kt_timer_destroy(&r->timers[i]);
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
        kt_status status = go(&r, nth);
        const char *fired = kt_fault_fired(kind);
        kt_fault_set(kind, 0);
        if (fired)
            fault_calls_note(fired);
        if (status != KT_OK)
            check_failure(kind, fired, status);
        kt_recording_reset(r.recording); /* what was timestamped and is left */
        check_counts(&r, kind, fired != NULL);
        clean_up(&r);
        if (!fired)
            return nth - 1;
    }
}

static void every_allocation(void **state)
{
    uint64_t count = fail_each(KT_FAULT_ALLOC);
    print_message("%llu allocations\n", (unsigned long long)count);
    assert_true(count >=
                10); /* the native and its state, timers with names, the recording's five */
}

static void every_driver_call(void **state)
{
    uint64_t count = fail_each(KT_FAULT_DRIVER);
    print_message("%llu driver calls\n", (unsigned long long)count);
    assert_int_equal(fault_calls_print_wrong_of_timers(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation),
        cmocka_unit_test(every_driver_call),
    };
    const char *loader = getenv("KERNTIME_LIB_VULKAN");
    if (!loader || !user_open(&u, loader, 0, true))
        return 1;
    work_open(&u, &w);
    int failed = cmocka_run_group_tests_name("timers in Vulkan", tests, NULL, NULL);
    work_close(&u, &w);
    user_close(&u);
    return failed;
}
