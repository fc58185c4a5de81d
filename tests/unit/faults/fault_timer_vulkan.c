/* SPDX-License-Identifier: MIT */
/*
 * The Nth allocation and the Nth driver call of kerntime fail, N = 1, 2, ... until none is left to
 * fail, in a Vulkan program with timers in its own commands. The program's own calls never fail. No
 * crash, no leak (the sanitizer's and the stub driver's part), one error that tells what failed,
 * and every span is counted somewhere.
 */
#include "tests/unit/backends/vulkan/vulkan_user.h"
#include "tests/unit/faults/fault_calls.h"
#include "tests/unit/faults/fault_run.h"

#include <stdlib.h>

enum { RUNS = 3, SPANS = 2 };

static user u;
static work w;

/* ---- one program ---- */

static bool open_timer_context(fault_run *r, uint64_t nth)
{
    kt_vulkan_import desc = user_describe(&u);
    if (nth & 1) /* kerntime opens a loader of its own */
        desc.get_instance_proc_addr = NULL;
    return fault_ok(r, kt_timer_context_import_vulkan(&desc, &r->timer_context)) &&
           fault_create_timers(r, SPANS) &&
           fault_ok(r, kt_recording_create(r->timer_context, NULL, &r->recording));
}

static bool record(fault_run *r)
{
    work_begin(&u, &w, 0);
    bool ok = fault_ok(r, kt_recording_begin_vulkan(r->recording, w.buffer, 0));
    for (int i = 0; i < SPANS && ok; i++) {
        ok = fault_ok(r, kt_recording_start(r->recording, r->timers[i]));
        work_copy(&u, &w);
        ok = ok && fault_ok(r, kt_recording_stop(r->recording, r->timers[i]));
    }
    work_end(&u, &w);
    return ok;
}

static void go(fault_run *r, uint64_t nth)
{
    double elapsed_ns;
    bool ok = open_timer_context(r, nth) && record(r);
    for (int i = 0; i < RUNS && ok; i++) {
        ok = fault_ok(r, kt_recording_submit(r->recording));
        if (!ok)
            return;
        r->spans += SPANS;
        work_submit(&u, &w);
        assert_true(work_has_ended(&u, &w));
        if (i & 1)
            ok = fault_ok(r, kt_collect(r->timer_context));
    }
    if (ok && fault_ok(r, kt_timer_wait(r->timers[0], 0)))
        fault_ok(r, kt_timer_elapsed(r->timers[0], &elapsed_ns));
}

/* The code that is put in place of the driver's is that for a host without memory. */
static kt_status expect(const char *fired, const char **part)
{
    return KT_NO_MEMORY;
}

static const fault_program program = {
    .go = go, .expect = expect, .spans = (uint64_t)RUNS * SPANS, .settles = true};

static void every_allocation(void **state)
{
    /* The native and its state, timers with names, the recording's five. */
    assert_true(fault_each(KT_FAULT_ALLOC, &program) >= 10);
}

static void every_driver_call(void **state)
{
    fault_each(KT_FAULT_DRIVER, &program);
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
