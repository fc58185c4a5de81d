/* SPDX-License-Identifier: MIT */
/*
 * The Nth allocation and the Nth driver call of kerntime fail, N = 1, 2, ... until none is left to
 * fail, in a program of CUDA or HIP with timers in its own streams. The program's own calls never
 * fail. No crash, no leak (the sanitizer's and the stub driver's part), one error that tells what
 * failed, and every span is counted somewhere.
 *
 *   unit_fault_timer_cuda cuda|hip        over the stub, on the host's clock
 */
#include "tests/unit/backends/cuda_hip/cuda_user.h"
#include "tests/unit/faults/fault_calls.h"
#include "tests/unit/faults/fault_run.h"

enum { SPANS = 70 }; /* more than importing makes events for */

/* What has to have failed once: of both, of CUDA, of HIP. By the names in the table of
 * functions. */
static const char *const of_both[] = {"cuInit",        "cuThreadExchangeStreamCaptureMode",
                                      "cuEventCreate", "cuStreamCreate",
                                      "cuEventRecord", "cuEventQuery"};
static const char *const of_cuda[] = {"cuCtxGetCurrent", "cuCtxPushCurrent",
                                      "cuStreamGetCtx",  "cuStreamIsCapturing",
                                      "cuCtxGetId",      "cuEventElapsedTime_v2"};
static const char *const of_hip[] = {"hipGetDevice",       "hipSetDevice",
                                     "cuDeviceGetCount",   "cuStreamIsCapturing",
                                     "hipStreamGetDevice", "cuEventElapsedTime"};

/* ---- one program ---- */

/* The thread has no context, or another device, while kerntime is called: it has to set its own and
 * put that back. */
static kt_status elsewhere(kt_status (*call)(kt_timer *, void *), kt_timer *timer,
                           cuda_stream stream)
{
    if (is_hip)
        user.set_device(1);
    else
        user.set_context(NULL);
    kt_status status = call(timer, stream);
    if (is_hip)
        user.set_device(0);
    else
        user.set_context(user_context);
    return status;
}

static void go(fault_run *r, uint64_t nth)
{
    if (!fault_ok(r, user_import(streams[0], 0, &r->timer_context)) ||
        !fault_ok(r, user_add(r->timer_context, streams[1])) || !fault_create_timers(r, 1))
        return;
    for (int i = 0; i < SPANS; i++) {
        if (!fault_ok(r, elsewhere(kt_timer_start, r->timers[0], streams[i % 2])))
            continue;
        r->spans++;
        user_work(streams[i % 2], 1);
        fault_ok(r, elsewhere(kt_timer_stop, r->timers[0], streams[i % 2]));
    }
    fault_ok(r, kt_timer_context_wait(r->timer_context, 0));
    fault_ok(r, kt_timer_context_wait(r->timer_context, 0)); /* that one failed was told once */
}

/* ---- what must be true of it ---- */

static kt_status expect(const char *fired, const char **part)
{
    *part = strcmp(fired, "cuEventElapsedTime_v2") == 0 ? "cuEventElapsedTime"
                                                        : fault_calls_cuda_symbol(fired, is_hip);
    return strcmp(fired, "cuInit") == 0 ? KT_UNAVAILABLE : KT_DRIVER_ERROR;
}

/* A distance that was not told is a state of its span; the version is asked for by the way. */
static bool may_pass(const char *call)
{
    return strncmp(call, "cuEventElapsedTime", 18) == 0 || strcmp(call, "cuDriverGetVersion") == 0;
}

static const fault_program program = {
    .go = go, .expect = expect, .may_pass = may_pass, .spans = SPANS, .settles = true};

static void every_driver_call(void **state)
{
    static const fault_reason none[] = {{NULL, NULL}};
    fault_each(KT_FAULT_DRIVER, &program);
    assert_int_equal(fault_calls_count_wrong(of_both, 6, none), 0);
    assert_int_equal(fault_calls_count_wrong(is_hip ? of_hip : of_cuda, 6, none), 0);
}

static void every_allocation(void **state)
{
    /* The native and its state, two locks each, events, slots, the timer and its name, a row. */
    assert_true(fault_each(KT_FAULT_ALLOC, &program) >= 10);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_driver_call),
        cmocka_unit_test(every_allocation),
    };
    if (argc != 2)
        return 2;
    user_load(argv[1]);
    user_open();
    int wrong = cmocka_run_group_tests_name("timers in streams of CUDA", tests, NULL, NULL);
    user_close();
    return wrong;
}
