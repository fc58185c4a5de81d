/*
 * The Nth allocation and the Nth driver call of kerntime fail, N = 1, 2, ... until none is left to
 * fail, in a WebGPU program with timers of its passes. The program's own calls never fail. No
 * crash, no leak (the sanitizer's and the stub library's part), one error that tells what failed,
 * and every span is counted somewhere.
 */
#include "support/fault.h"
#include "tests/unit/backends/webgpu/webgpu_user.h"

#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 3, PASSES = 2 };

/* Every call of the backend that can fail. */
static const char *const calls[] = {"wgpuDeviceCreateQuerySet",
                                    "wgpuDeviceCreateBuffer",
                                    "wgpuCommandEncoderResolveQuerySet",
                                    "wgpuCommandEncoderCopyBufferToBuffer",
                                    "wgpuBufferMapAsync",
                                    "wgpuInstanceWaitAny",
                                    "wgpuBufferGetConstMappedRange"};
#define CALL_COUNT (sizeof calls / sizeof calls[0])

static user u;
static bool has_failed[CALL_COUNT];

typedef struct run {
    kt_timer_context *timer_context;
    kt_timer *timers[PASSES];
    kt_snapshot *snapshot;
    uint64_t filled; /* spans */
} run;

/* ---- one program ---- */

static kt_status open_timer_context(run *r, uint64_t nth)
{
    kt_webgpu_import desc = user_describe(&u);
    if (nth & 1) /* kerntime opens the library by itself */
        desc.get_proc_address = NULL;
    kt_status status = kt_timer_context_import_webgpu(&desc, &r->timer_context);
    for (int i = 0; i < PASSES && status == KT_OK; i++) {
        char name[32]; /* rows of the registry last, so each run needs new ones */
        static unsigned number;
        snprintf(name, sizeof name, "fault %u", number++);
        status = kt_timer_create(r->timer_context, name, &r->timers[i]);
    }
    return status;
}

/* The program goes on, whatever becomes of its timers. */
static kt_status encode_and_submit(run *r)
{
    kt_status first = KT_OK;
    WGPUCommandEncoder encoder = user_encode(&u);
    for (int i = 0; i < PASSES; i++) {
        WGPUPassTimestampWrites writes;
        const WGPUPassTimestampWrites *filled =
            kt_timer_pass_webgpu(r->timers[i], encoder, &writes);
        user_pass(&u, encoder, filled, 0);
        r->filled += filled != NULL;
        if (!filled)
            return user_submit(&u, encoder), KT_DRIVER_ERROR;
    }
    first = kt_timer_context_resolve_webgpu(r->timer_context, encoder);
    user_submit(&u, encoder);
    return first == KT_OK ? kt_timer_context_submitted_webgpu(r->timer_context, NULL) : first;
}

static kt_status go(run *r, uint64_t nth)
{
    double elapsed_ns;
    kt_status status = open_timer_context(r, nth);
    for (int i = 0; i < RUNS && status == KT_OK; i++) {
        status = encode_and_submit(r);
        if (status == KT_OK && i & 1)
            status = kt_collect(r->timer_context);
    }
    if (status == KT_OK)
        status = kt_timer_context_wait(r->timer_context, 0);
    if (status == KT_OK)
        status = kt_timer_elapsed(r->timers[0], &elapsed_ns);
    if (status == KT_OK)
        status = kt_snapshot_take(&r->snapshot);
    return status;
}

/* ---- what must be true of it ---- */

static void check_failure(kt_fault_kind kind, const char *fired)
{
    const char *text = fired && kind == KT_FAULT_DRIVER ? fired : "memory";
    if (!fired || !strstr(kt_error_text(), text))
        fail_msg("%s failed: \"%s\"", fired ? fired : "nothing", kt_error_text());
}

static void note_call(const char *fired)
{
    for (size_t i = 0; i < CALL_COUNT; i++)
        if (strcmp(calls[i], fired) == 0) {
            has_failed[i] = true;
            return;
        }
    fail_msg("%s is not in the list of calls that fail", fired);
}

static kt_timer_context_counts count(const run *r, uint64_t *discarded)
{
    kt_timer_context_counts counts;
    kt_timer_context_get_counts(r->timer_context, &counts);
    *discarded = 0;
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        *discarded += counts.discarded[i];
    return counts;
}

/* Spans that ended are in the registry, or counted there as dropped; those that did not are
 * held. */
static void check_counts(const run *r, kt_fault_kind kind, bool fired)
{
    uint64_t discarded, in_registry;
    kt_timer_context_counts counts = count(r, &discarded);
    assert_int_equal(counts.recorded + discarded + counts.pending, r->filled);
    if (!r->snapshot)
        return;
    assert_int_equal(counts.pending, 0);
    in_registry = kt_snapshot_dropped(r->snapshot);
    for (uint32_t i = 0; i < kt_snapshot_count(r->snapshot); i++)
        in_registry += kt_snapshot_row(r->snapshot, i)->count;
    assert_int_equal(in_registry, counts.recorded);
    if (!fired)
        assert_int_equal(counts.recorded, RUNS * PASSES);
    else if (kind == KT_FAULT_ALLOC) /* of what went on without, it is told how much */
        assert_true(kt_snapshot_dropped(r->snapshot) > 0);
    else
        fail_msg("a driver call failed and nobody noticed");
}

static void clean_up(run *r)
{
    kt_snapshot_destroy(&r->snapshot);
    for (int i = 0; i < PASSES; i++)
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
        if (fired && kind == KT_FAULT_DRIVER)
            note_call(fired);
        if (status != KT_OK)
            check_failure(kind, fired);
        check_counts(&r, kind, fired != NULL);
        clean_up(&r);
        if (u.errors)
            fail_msg("WebGPU told the program: %s", u.error);
        if (!fired)
            return nth - 1;
    }
}

static void every_allocation(void **state)
{
    uint64_t count = fail_each(KT_FAULT_ALLOC);
    print_message("%llu allocations\n", (unsigned long long)count);
    assert_true(
        count >=
        10); /* the native, its state, frames and slots, timers with names, timestamps of a frame */
}

static void every_driver_call(void **state)
{
    uint64_t count = fail_each(KT_FAULT_DRIVER);
    print_message("%llu driver calls\n", (unsigned long long)count);
    for (size_t i = 0; i < CALL_COUNT; i++)
        if (!has_failed[i])
            fail_msg("%s never failed", calls[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation),
        cmocka_unit_test(every_driver_call),
    };
    const char *library = getenv("KERNTIME_LIB_WEBGPU");
    if (!library || !user_open(&u, library, &(user_options){0}))
        return 1;
    int failed = cmocka_run_group_tests_name("timers of passes", tests, NULL, NULL);
    user_close(&u);
    return failed;
}
