/* SPDX-License-Identifier: MIT */
/*
 * The Nth allocation and the Nth driver call of kerntime fail, N = 1, 2, ... until none is left to
 * fail, in a WebGPU program with timers of its passes. The program's own calls never fail. No
 * crash, no leak (the sanitizer's and the stub library's part), one error that tells what failed,
 * and every span is counted somewhere.
 */
#include "tests/unit/backends/webgpu/webgpu_user.h"
#include "tests/unit/faults/fault_calls.h"
#include "tests/unit/faults/fault_run.h"

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
static user u;

/* ---- one program ---- */

static bool open_timer_context(fault_run *r, uint64_t nth)
{
    kt_webgpu_import desc = user_describe(&u);
    if (nth & 1) /* kerntime opens the library by itself */
        desc.get_proc_address = NULL;
    return fault_ok(r, kt_timer_context_import_webgpu(&desc, &r->timer_context)) &&
           fault_create_timers(r, PASSES);
}

/* The program goes on, whatever becomes of its timers. */
static bool encode_and_submit(fault_run *r)
{
    bool ok = true;
    WGPUCommandEncoder encoder = user_encode(&u);
    for (int i = 0; i < PASSES && ok; i++) {
        WGPUPassTimestampWrites writes;
        const WGPUPassTimestampWrites *filled =
            kt_timer_pass_webgpu(r->timers[i], encoder, &writes);
        user_pass(&u, encoder, filled, 0);
        r->spans += filled != NULL;
        ok = fault_ok(r, filled ? KT_OK : KT_NO_MEMORY); /* its sentence alone tells why */
    }
    ok = ok && fault_ok(r, kt_timer_context_resolve_webgpu(r->timer_context, encoder));
    user_submit(&u, encoder);
    return ok && fault_ok(r, kt_timer_context_submitted_webgpu(r->timer_context, NULL));
}

static void go(fault_run *r, uint64_t nth)
{
    double elapsed_ns;
    bool ok = open_timer_context(r, nth);
    for (int i = 0; i < RUNS && ok; i++) {
        ok = encode_and_submit(r);
        if (ok && i & 1)
            ok = fault_ok(r, kt_collect(r->timer_context));
    }
    if (ok && fault_ok(r, kt_timer_context_wait(r->timer_context, 0)))
        fault_ok(r, kt_timer_elapsed(r->timers[0], &elapsed_ns));
}

static kt_status expect(const char *fired, const char **part)
{
    return KT_OK;
}

static void check(const fault_run *r, const char *fired)
{
    if (u.errors)
        fail_msg("WebGPU told the program: %s", u.error);
}

static const fault_program program = {
    .go = go, .expect = expect, .check = check, .spans = (uint64_t)RUNS * PASSES};

static void every_allocation(void **state)
{
    /* The native, its state, frames and slots, timers with names, timestamps of a frame. */
    assert_true(fault_each(KT_FAULT_ALLOC, &program) >= 10);
}

static void every_driver_call(void **state)
{
    fault_each(KT_FAULT_DRIVER, &program);
    fault_calls_expect_all(calls, sizeof calls / sizeof calls[0]);
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
