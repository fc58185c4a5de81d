/* SPDX-License-Identifier: MIT */
#include "tests/unit/faults/fault_run.h"

#include "support/error.h"
#include "tests/unit/faults/fault_calls.h"

#include <stdio.h>

#define TIMERS (sizeof((fault_run *)NULL)->timers / sizeof(kt_timer *))

bool fault_ok(fault_run *r, kt_status status)
{
    if (status != KT_OK && r->failures++ == 0) {
        r->status = status;
        snprintf(r->text, sizeof r->text, "%s", kt_error_text());
    }
    return status == KT_OK;
}

bool fault_create_timers(fault_run *r, int count)
{
    bool ok = true;
    for (int i = 0; i < count && ok; i++) {
        char name[32];
        static unsigned number;
        snprintf(name, sizeof name, "fault %u", number++);
        ok = fault_ok(r, kt_timer_create(r->timer_context, name, &r->timers[i]));
    }
    return ok;
}

kt_timer_context_counts fault_counts(const fault_run *r, uint64_t *discarded)
{
    kt_timer_context_counts counts;
    kt_timer_context_get_counts(r->timer_context, &counts);
    *discarded = 0;
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        *discarded += counts.discarded[i];
    return counts;
}

/* One error that tells what failed. What went on without memory is told how much was dropped. */
static void check_failure(const fault_run *r, const fault_program *program, kt_fault_kind kind,
                          const char *fired)
{
    const char *part = "memory";
    kt_status expected = KT_NO_MEMORY;
    if (kind == KT_FAULT_DRIVER) {
        part = fired;
        expected = program->expect(fired, &part);
    }
    if (r->failures && ((expected != KT_OK && r->status != expected) || !strstr(r->text, part)))
        fail_msg("%s failed: \"%s\", \"%s\"", fired, kt_status_name(r->status), r->text);
    bool noticed =
        r->failures || (kind == KT_FAULT_ALLOC ? kt_snapshot_dropped(r->snapshot) > 0
                                               : program->may_pass && program->may_pass(fired));
    if (!noticed)
        fail_msg("%s failed and nobody noticed", fired);
}

/* Spans that ended are in the registry, or counted there as dropped; all others are counted, too. */
static void check_counts(const fault_run *r, const fault_program *program, bool fired)
{
    uint64_t discarded, in_registry = kt_snapshot_dropped(r->snapshot);
    kt_timer_context_counts counts = fault_counts(r, &discarded);
    assert_int_equal(counts.recorded + discarded + counts.pending, r->spans);
    if (program->settles || (!r->failures && !r->recording))
        assert_int_equal(counts.pending, 0);
    else if (r->recording)
        assert_int_equal(counts.pending, counts.in_flight);
    for (uint32_t i = 0; i < kt_snapshot_count(r->snapshot); i++)
        in_registry += kt_snapshot_row(r->snapshot, i)->count;
    assert_int_equal(in_registry, counts.recorded);
    if (!fired) {
        assert_int_equal(r->failures, 0);
        assert_int_equal(counts.recorded, program->spans);
    }
}

uint64_t fault_each(kt_fault_kind kind, const fault_program *program)
{
    for (uint64_t nth = 1;; nth++) {
        fault_run r = {0};
        kt_reset();
        kt_fail(KT_INVALID, FAULT_STALE);
        kt_fault_set(kind, nth);
        program->go(&r, nth);
        if (!r.failures)
            fault_ok(&r, kt_snapshot_take(&r.snapshot));
        const char *fired = kt_fault_fired(kind);
        kt_fault_set(kind, 0);
        if (!fired && r.failures)
            fail_msg("nothing failed: \"%s\", \"%s\"", kt_status_name(r.status), r.text);
        if (fired && kind == KT_FAULT_DRIVER)
            fault_calls_note(fired);
        kt_recording_reset(r.recording); /* what was timestamped and is left */
        if (!r.snapshot)
            EXPECT_OK(kt_snapshot_take(&r.snapshot));
        if (fired)
            check_failure(&r, program, kind, fired);
        check_counts(&r, program, fired != NULL);
        if (program->check)
            program->check(&r, kind == KT_FAULT_DRIVER ? fired : NULL);
        kt_snapshot_destroy(&r.snapshot);
        kt_recording_destroy(&r.recording);
        for (size_t i = 0; i < TIMERS; i++)
            kt_timer_destroy(&r.timers[i]);
        kt_timer_context_close(&r.timer_context);
        if (!fired) {
            print_message("%llu could fail\n", (unsigned long long)nth - 1);
            return nth - 1;
        }
    }
}
