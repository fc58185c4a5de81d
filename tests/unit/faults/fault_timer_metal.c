/*
 * The Nth allocation and the Nth message or call of kerntime fails or answers nil, N = 1, 2, ...
 * until none is left to fail, in a Metal program with timers of its passes, encoders and command
 * buffers. The program's own never fail. No crash, no leak (the sanitizer's and the stub's part),
 * one error that tells what failed, and every span is counted somewhere.
 *
 * What fails while the samples are tried out leaves whole command buffers to be timed, or what
 * copies alone; a reading of the clocks is taken again.
 */
#include "support/error.h"
#include "support/fault.h"
#include "tests/unit/backends/metal/metal_time.h"

#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 3, SPANS = 3, GPU_CLOCK = 0 };

/* What may become of the program when a call fails; LOSES: a span, which is counted. */
enum { FAILS = 1, FALLS_BACK = 2, MADE_GOOD = 4, LOSES = 8 };

static const struct call {
    const char *name;
    unsigned becomes;
} calls[] = {
    {"mach_timebase_info", FAILS},
    {"objc_getClass", FAILS | FALLS_BACK | MADE_GOOD},
    {"alloc", FAILS | FALLS_BACK},
    {"initWithBytes:length:encoding:", FAILS | FALLS_BACK},
    {"new", FAILS | FALLS_BACK},
    {"newCommandQueueWithMaxCommandBufferCount:", FAILS},
    {"newLibraryWithSource:options:error:", FAILS},
    {"newFunctionWithName:", FAILS},
    {"newComputePipelineStateWithFunction:error:", FAILS},
    {"counterSets", FALLS_BACK},
    {"objectAtIndex:", FALLS_BACK},
    {"name", FALLS_BACK},
    {"newCounterSampleBufferWithDescriptor:error:", FAILS | FALLS_BACK},
    {"commandBuffer", FAILS | FALLS_BACK | MADE_GOOD},
    {"computeCommandEncoder", FAILS | FALLS_BACK},
    {"computeCommandEncoderWithDescriptor:", FAILS | FALLS_BACK},
    {"computePassDescriptor", FAILS | FALLS_BACK | MADE_GOOD},
    {"newBufferWithLength:options:", FAILS | MADE_GOOD},
    {"blitPassDescriptor", FAILS | MADE_GOOD},
    {"blitCommandEncoder", FAILS | MADE_GOOD},
    {"blitCommandEncoderWithDescriptor:", FAILS | MADE_GOOD},
    {"sampleBufferAttachments", FAILS | FALLS_BACK | MADE_GOOD},
    {"objectAtIndexedSubscript:", FAILS | FALLS_BACK | MADE_GOOD},
    {"status", FAILS | FALLS_BACK | MADE_GOOD},
    {"resolveCounterRange:", FAILS | FALLS_BACK | MADE_GOOD},
    {"sampleTimestamps:gpuTimestamp:", MADE_GOOD},
    /* Those that answer a number, or what is there already: 0 in its place. */
    {"functionType", FAILS},
    {"count", FALLS_BACK},
    {"UTF8String", FALLS_BACK | MADE_GOOD},
    {"supportsCounterSampling:", FAILS | FALLS_BACK | MADE_GOOD},
    {"bytes", FAILS | FALLS_BACK | MADE_GOOD},
    {"length", FAILS | FALLS_BACK | MADE_GOOD},
    {"GPUStartTime", FAILS | LOSES | MADE_GOOD},
    {"GPUEndTime", FAILS | LOSES | MADE_GOOD},
    {"device", FAILS},
    {"sampleBuffer", MADE_GOOD},
};
#define CALL_COUNT (sizeof calls / sizeof calls[0])

static user u;
static bool by_passes;
static bool has_failed[CALL_COUNT];

typedef struct run {
    kt_timer_context *timer_context;
    kt_timer *timers[SPANS];
    kt_snapshot *snapshot;
    uint64_t spans; /* that were begun */
    bool fell_back;
} run;

/* ---- one program ---- */

static kt_status open_timer_context(run *r)
{
    const kt_metal_import desc = user_describe(&u);
    kt_status status = kt_timer_context_import_metal(&desc, &r->timer_context);
    for (int i = 0; i < SPANS && status == KT_OK; i++) {
        char name[32]; /* rows of the registry last, so each run needs new ones */
        static unsigned number;
        snprintf(name, sizeof name, "fault %u", number++);
        status = kt_timer_create(r->timer_context, name, &r->timers[i]);
    }
    r->fell_back = status == KT_OK && !kt_timer_context_get_clock(r->timer_context, GPU_CLOCK);
    return status;
}

static kt_status keep_first(kt_status first, kt_status next)
{
    return first == KT_OK ? next : first;
}

/* The program goes on, whatever becomes of its timers. */
static kt_status encode_pass(run *r, void *commands, int which)
{
    void *descriptor = user_pass_descriptor(&u, (user_kind)which);
    kt_status status = kt_timer_pass_metal(r->timers[which], commands, descriptor);
    r->spans += status == KT_OK;
    user_pass(&u, commands, (user_kind)which, descriptor);
    user_release(&u, descriptor);
    return status;
}

static kt_status encode_span(run *r, void *commands, int which)
{
    void *encoder = user_begin(&u, commands, (user_kind)which, NULL);
    kt_status status = kt_timer_start_metal(r->timers[which], commands, encoder);
    r->spans += status == KT_OK;
    user_work(&u, encoder, (user_kind)which, 1);
    kt_status stopped = kt_timer_stop_metal(r->timers[which], encoder);
    user_end(&u, encoder);
    return keep_first(status, stopped);
}

static kt_status encode_and_commit(run *r)
{
    kt_status first = KT_OK;
    void *commands = user_commands(&u);
    for (int i = 0; i < SPANS - 1 && !r->fell_back; i++)
        first = keep_first(first,
                           by_passes ? encode_pass(r, commands, i) : encode_span(r, commands, i));
    user_pass(&u, commands, USER_BLIT, NULL);
    if (first == KT_OK) {
        first = kt_timer_add_metal_commands(r->timers[SPANS - 1], commands);
        r->spans += first == KT_OK;
    }
    user_commit(&u, commands);
    user_wait(&u, commands);
    user_release(&u, commands);
    return first;
}

static kt_status go(run *r)
{
    double elapsed_ns;
    kt_status status = open_timer_context(r);
    for (int i = 0; i < RUNS && status == KT_OK; i++) {
        status = encode_and_commit(r);
        u.stub.advance(100000000);
        if (status == KT_OK)
            status = kt_timer_context_calibrate(r->timer_context);
        if (status == KT_OK && i & 1)
            status = kt_collect(r->timer_context);
    }
    if (status == KT_OK)
        status = kt_timer_context_wait(r->timer_context, 0);
    if (status == KT_OK)
        status = kt_timer_elapsed(r->timers[SPANS - 1], &elapsed_ns);
    if (status == KT_OK)
        status = kt_snapshot_take(&r->snapshot);
    return status;
}

/* ---- what must be true of it ---- */

static uint64_t count_discarded(const run *r)
{
    kt_timer_context_counts counts;
    uint64_t discarded = 0;
    kt_timer_context_get_counts(r->timer_context, &counts);
    for (int i = 0; i < KT_TIMESTAMP_STATE_COUNT; i++)
        discarded += counts.discarded[i];
    return discarded;
}

static unsigned find_outcome(const run *r, kt_status status)
{
    return status != KT_OK      ? FAILS
           : r->fell_back       ? FALLS_BACK
           : count_discarded(r) ? LOSES
                                : MADE_GOOD;
}

static void check_call(const run *r, const char *fired, kt_status status, bool has_text)
{
    unsigned became = find_outcome(r, status);
    for (size_t i = 0; i < CALL_COUNT; i++) {
        if (strcmp(calls[i].name, fired) != 0)
            continue;
        has_failed[i] = true;
        if (!(calls[i].becomes & became))
            fail_msg("%s failed, and then: %s", fired,
                     status != KT_OK   ? kt_error_text()
                     : became == LOSES ? "a span was lost"
                                       : "nobody noticed");
        if (status != KT_OK && !has_text)
            fail_msg("%s failed without a sentence", fired);
        return;
    }
    fail_msg("%s is not in the list of calls that fail", fired);
}

static void check_counts(const run *r, kt_fault_kind kind, bool fired)
{
    kt_timer_context_counts counts;
    uint64_t discarded = count_discarded(r), in_registry;
    kt_timer_context_get_counts(r->timer_context, &counts);
    assert_int_equal(counts.recorded + discarded + counts.pending, r->spans);
    if (!r->snapshot)
        return;
    assert_int_equal(counts.pending, 0);
    in_registry = kt_snapshot_dropped(r->snapshot);
    for (uint32_t i = 0; i < kt_snapshot_count(r->snapshot); i++)
        in_registry += kt_snapshot_row(r->snapshot, i)->count;
    assert_int_equal(in_registry, counts.recorded);
    assert_int_equal(counts.recorded + discarded, RUNS * (r->fell_back ? 1 : SPANS));
    if (fired && kind == KT_FAULT_ALLOC) /* of what went on without, it is told how much */
        assert_true(kt_snapshot_dropped(r->snapshot) > 0);
}

static void clean_up(run *r)
{
    kt_snapshot_destroy(&r->snapshot);
    for (int i = 0; i < SPANS; i++)
        kt_timer_destroy(&r->timers[i]);
    kt_timer_context_close(&r->timer_context);
}

/* How many there were to fail. */
static uint64_t fail_each(kt_fault_kind kind)
{
    static const char stale[] = "nobody's";
    for (uint64_t nth = 1;; nth++) {
        run r = {0};
        kt_reset();
        kt_fail(KT_INVALID, "%s", stale);
        kt_fault_set(kind, nth);
        kt_status status = go(&r);
        const char *fired = kt_fault_fired(kind);
        kt_fault_set(kind, 0);
        bool has_text = strcmp(kt_error_text(), stale) != 0;
        if (fired && kind == KT_FAULT_DRIVER)
            check_call(&r, fired, status, has_text);
        else if (status != KT_OK && !strstr(kt_error_text(), "memory"))
            fail_msg("%s failed: \"%s\"", fired ? fired : "nothing", kt_error_text());
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
                12); /* the native, its state, mutexes, a clock, slots, timers with names */
}

/* Calls of the other way to sample are not made. */
static bool is_of_passes(const char *name)
{
    return strstr(name, "ttachment") || strstr(name, "Subscript") || strstr(name, "Descriptor:") ||
           strcmp(name, "computePassDescriptor") == 0 || strcmp(name, "blitPassDescriptor") == 0 ||
           strcmp(name, "sampleBuffer") == 0;
}

static bool is_of_encoders(const char *name)
{
    return strcmp(name, "blitCommandEncoder") == 0;
}

static void every_driver_call(void **state)
{
    uint64_t count = fail_each(KT_FAULT_DRIVER);
    print_message("%llu messages and calls\n", (unsigned long long)count);
    for (size_t i = 0; i < CALL_COUNT; i++)
        if (!has_failed[i] &&
            !(by_passes ? is_of_encoders(calls[i].name) : is_of_passes(calls[i].name)))
            fail_msg("%s never failed", calls[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation),
        cmocka_unit_test(every_driver_call),
    };
    const char *library = getenv("KERNTIME_LIB_METAL"), *script = getenv("KT_STUB_METAL");
    if (!library || !script || !user_open(&u, library))
        return 1;
    metal_time_follow(&u, true);
    by_passes = strstr(script, "sampling=apple") != NULL;
    int failed = cmocka_run_group_tests_name("timers of Metal", tests, NULL, NULL);
    user_close(&u);
    return failed;
}
