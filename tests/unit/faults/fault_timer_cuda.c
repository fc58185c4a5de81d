/*
 * The Nth allocation and the Nth driver call of kerntime fail, N = 1, 2, ... until none is left to
 * fail, in a program of CUDA or HIP with timers in its own streams. The program's own calls never
 * fail. No crash, no leak (the sanitizer's and the stub driver's part), one error that tells what
 * failed, and every span is counted somewhere.
 *
 *   unit_fault_timer_cuda cuda|hip        over the stub, on the host's clock
 */
#include "support/fault.h"
#include "tests/unit/backends/cuda_hip/cuda_user.h"

#include <kerntime/snapshot.h>
#include <stdio.h>

enum { SPANS = 70 }; /* more than importing makes events for */

/* What has to have failed once: of both, of CUDA, of HIP. By the names in the table of
 * functions. */
static const char *const of_both[] = {"cuInit",
                                      "cuThreadExchangeStreamCaptureMode",
                                      "cuEventCreate",
                                      "cuStreamCreate",
                                      "cuEventRecord",
                                      "cuEventQuery",
                                      NULL};
static const char *const of_cuda[] = {"cuCtxGetCurrent",
                                      "cuCtxPushCurrent",
                                      "cuStreamGetCtx",
                                      "cuStreamIsCapturing",
                                      "cuCtxGetId",
                                      "cuEventElapsedTime_v2",
                                      NULL};
static const char *const of_hip[] = {"hipGetDevice",
                                     "hipSetDevice",
                                     "cuDeviceGetCount",
                                     "cuStreamIsCapturing",
                                     "hipStreamGetDevice",
                                     "cuEventElapsedTime",
                                     NULL};

static char failed[64][48];
static unsigned failed_count;

static void note_failed(const char *call)
{
    for (unsigned i = 0; i < failed_count; i++)
        if (strcmp(failed[i], call) == 0)
            return;
    assert_true(failed_count < 64);
    snprintf(failed[failed_count++], sizeof failed[0], "%s", call);
}

static void expect_failed(const char *const *names)
{
    for (; *names; names++) {
        bool found = false;
        for (unsigned i = 0; i < failed_count; i++)
            found |= strcmp(failed[i], *names) == 0;
        if (!found)
            fail_msg("%s never failed", *names);
    }
}

/* ---- one program ---- */

typedef struct run {
    kt_timer_context *timer_context;
    kt_timer *timer;
    kt_status status; /* the first that was not KT_OK */
    char text[512];
    unsigned failures, started;
} run;

static bool is_good(run *r, kt_status status)
{
    if (status != KT_OK && r->failures++ == 0) {
        r->status = status;
        snprintf(r->text, sizeof r->text, "%s", kt_error_text());
    }
    return status == KT_OK;
}

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

static void go(run *r)
{
    char name[32]; /* rows of the registry last, so each run needs new ones */
    static unsigned number;
    snprintf(name, sizeof name, "fault %u", number++);
    if (!is_good(r, user_import(streams[0], 0, &r->timer_context)) ||
        !is_good(r, user_add(r->timer_context, streams[1])) ||
        !is_good(r, kt_timer_create(r->timer_context, name, &r->timer)))
        return;
    for (int i = 0; i < SPANS; i++) {
        if (!is_good(r, elsewhere(kt_timer_start, r->timer, streams[i % 2])))
            continue;
        r->started++;
        user_work(streams[i % 2], 1);
        is_good(r, elsewhere(kt_timer_stop, r->timer, streams[i % 2]));
    }
    is_good(r, kt_timer_context_wait(r->timer_context, 0));
    is_good(r, kt_timer_context_wait(r->timer_context, 0)); /* that one failed was told once */
}

/* ---- what must be true of it ---- */

/* The symbol of a call that failed, as error texts have it. */
static const char *symbol_of(const char *call)
{
#define ROW(name, cuda, hip, parameters) {#name, {#cuda, #hip}},
#define ALONE(name, symbol, parameters)  {#name, {#symbol, #symbol}},
    static const struct {
        const char *name, *symbols[2];
    } rows[] = {CUDA_FUNCTIONS(ROW) CUDA_OPTIONAL(ROW) CUDA_ALONE(ALONE) HIP_ALONE(ALONE)};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, call) == 0)
            return rows[i].symbols[is_hip];
    return strcmp(call, "cuEventElapsedTime_v2") == 0 ? "cuEventElapsedTime" : call;
}

static void check_failure(kt_fault_kind kind, const char *fired, const run *r)
{
    kt_status status = KT_DRIVER_ERROR;
    const char *part = "memory";
    if (kind == KT_FAULT_ALLOC)
        status = KT_NO_MEMORY;
    else
        part = symbol_of(fired);
    if (kind == KT_FAULT_DRIVER && strcmp(fired, "cuInit") == 0)
        status = KT_UNAVAILABLE;
    if (r->status != status || !strstr(r->text, part))
        fail_msg("%s failed: \"%s\", \"%s\"", fired, kt_status_name(r->status), r->text);
}

/* What the registry lost, and all spans. */
static uint64_t check_counts(const run *r)
{
    kt_timer_context_counts counts;
    kt_timer_context_get_counts(r->timer_context, &counts);
    uint64_t discarded = 0;
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        discarded += counts.discarded[i];
    assert_int_equal(counts.pending, 0);
    assert_int_equal(counts.recorded + discarded, r->started);
    kt_snapshot *snapshot = NULL;
    EXPECT_OK(kt_snapshot_take(&snapshot));
    uint64_t dropped = kt_snapshot_dropped(snapshot);
    kt_snapshot_destroy(&snapshot);
    return dropped;
}

/* A distance that was not told is a state of its span; the version is asked for by the way. */
static bool is_no_error(const char *call)
{
    return strncmp(call, "cuEventElapsedTime", 18) == 0 || strcmp(call, "cuDriverGetVersion") == 0;
}

static uint64_t fail_each(kt_fault_kind kind)
{
    for (uint64_t nth = 1;; nth++) {
        run r = {0};
        kt_reset();
        kt_fault_set(kind, nth);
        go(&r);
        const char *fired = kt_fault_fired(kind);
        kt_fault_set(kind, 0);
        uint64_t dropped = check_counts(&r);
        kt_timer_destroy(&r.timer);
        kt_timer_context_close(&r.timer_context);
        if (!fired) {
            assert_int_equal(r.failures, 0);
            assert_int_equal(r.started, SPANS);
            return nth - 1;
        }
        if (kind == KT_FAULT_DRIVER)
            note_failed(fired);
        if (r.failures > 0)
            check_failure(kind, fired, &r);
        else if (kind == KT_FAULT_ALLOC ? dropped == 0 : !is_no_error(fired))
            fail_msg("%s failed (number %llu) and nobody noticed", fired, (unsigned long long)nth);
    }
}

static void every_driver_call(void **state)
{
    uint64_t count = fail_each(KT_FAULT_DRIVER);
    print_message("%llu driver calls\n", (unsigned long long)count);
    expect_failed(of_both);
    expect_failed(is_hip ? of_hip : of_cuda);
}

static void every_allocation(void **state)
{
    uint64_t count = fail_each(KT_FAULT_ALLOC);
    print_message("%llu allocations\n", (unsigned long long)count);
    assert_true(
        count >=
        /* the native and its state, two locks each, events, slots, the timer and its name, a row */
        10);
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
