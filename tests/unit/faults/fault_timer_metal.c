/* SPDX-License-Identifier: MIT */
/*
 * The Nth allocation and the Nth message or call of kerntime fails or answers nil, N = 1, 2, ...
 * until none is left to fail, in a Metal program with timers of its passes, encoders and command
 * buffers. The program's own never fail. No crash, no leak (the sanitizer's and the stub's part),
 * one error that tells what failed, and every span is counted somewhere.
 *
 * What fails while the samples are tried out leaves whole command buffers to be timed, or what
 * copies alone; a reading of the clocks is taken again.
 */
#include "tests/unit/backends/metal/metal_time.h"
#include "tests/unit/faults/fault_run.h"

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

/* ---- one program ---- */

static bool fell_back(const fault_run *r)
{
    return r->timer_context && !kt_timer_context_get_clock(r->timer_context, GPU_CLOCK);
}

static bool open_timer_context(fault_run *r)
{
    const kt_metal_import desc = user_describe(&u);
    return fault_ok(r, kt_timer_context_import_metal(&desc, &r->timer_context)) &&
           fault_create_timers(r, SPANS);
}

/* The program goes on, whatever becomes of its timers. */
static bool encode_pass(fault_run *r, void *commands, int which)
{
    void *descriptor = user_pass_descriptor(&u, (user_kind)which);
    bool ok = fault_ok(r, kt_timer_pass_metal(r->timers[which], commands, descriptor));
    r->spans += ok;
    user_pass(&u, commands, (user_kind)which, descriptor);
    user_release(&u, descriptor);
    return ok;
}

static bool encode_span(fault_run *r, void *commands, int which)
{
    void *encoder = user_begin(&u, commands, (user_kind)which, NULL);
    bool ok = fault_ok(r, kt_timer_start_metal(r->timers[which], commands, encoder));
    r->spans += ok;
    user_work(&u, encoder, (user_kind)which, 1);
    kt_status stopped = kt_timer_stop_metal(r->timers[which], encoder);
    user_end(&u, encoder);
    return ok && fault_ok(r, stopped);
}

static bool encode_and_commit(fault_run *r)
{
    bool ok = true;
    void *commands = user_commands(&u);
    for (int i = 0; i < SPANS - 1 && !fell_back(r); i++)
        ok = (by_passes ? encode_pass(r, commands, i) : encode_span(r, commands, i)) && ok;
    user_pass(&u, commands, USER_BLIT, NULL);
    if (ok) {
        ok = fault_ok(r, kt_timer_add_metal_commands(r->timers[SPANS - 1], commands));
        r->spans += ok;
    }
    user_commit(&u, commands);
    user_wait(&u, commands);
    user_release(&u, commands);
    return ok;
}

static void go(fault_run *r, uint64_t nth)
{
    double elapsed_ns;
    bool ok = open_timer_context(r);
    for (int i = 0; i < RUNS && ok; i++) {
        ok = encode_and_commit(r);
        u.stub.advance(100000000);
        ok = ok && fault_ok(r, kt_timer_context_calibrate(r->timer_context)) &&
             (!(i & 1) || fault_ok(r, kt_collect(r->timer_context)));
    }
    if (ok && fault_ok(r, kt_timer_context_wait(r->timer_context, 0)))
        fault_ok(r, kt_timer_elapsed(r->timers[SPANS - 1], &elapsed_ns));
}

/* ---- what must be true of it ---- */

/* check_call() knows what may become of each call. */
static kt_status expect(const char *fired, const char **part)
{
    *part = "";
    return KT_OK;
}

static bool may_pass(const char *fired)
{
    return true;
}

static unsigned find_outcome(const fault_run *r)
{
    uint64_t discarded;
    fault_counts(r, &discarded);
    return r->failures ? FAILS : fell_back(r) ? FALLS_BACK : discarded ? LOSES : MADE_GOOD;
}

static void check_call(const fault_run *r, const char *fired)
{
    unsigned became = find_outcome(r);
    for (size_t i = 0; i < CALL_COUNT; i++) {
        if (strcmp(calls[i].name, fired) != 0)
            continue;
        has_failed[i] = true;
        if (!(calls[i].becomes & became))
            fail_msg("%s failed, and then: %s", fired,
                     r->failures       ? r->text
                     : became == LOSES ? "a span was lost"
                                       : "nobody noticed");
        if (r->failures && strcmp(r->text, FAULT_STALE) == 0)
            fail_msg("%s failed without a sentence", fired);
        return;
    }
    fail_msg("%s is not in the list of calls that fail", fired);
}

static void check(const fault_run *r, const char *fired)
{
    uint64_t discarded;
    kt_timer_context_counts counts = fault_counts(r, &discarded);
    if (fired)
        check_call(r, fired);
    if (!r->failures)
        assert_int_equal(counts.recorded + discarded, RUNS * (fell_back(r) ? 1 : SPANS));
}

static const fault_program program = {.go = go,
                                      .expect = expect,
                                      .may_pass = may_pass,
                                      .check = check,
                                      .spans = (uint64_t)RUNS * SPANS};

static void every_allocation(void **state)
{
    /* The native, its state, mutexes, a clock, slots, timers with names. */
    assert_true(fault_each(KT_FAULT_ALLOC, &program) >= 12);
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
    fault_each(KT_FAULT_DRIVER, &program);
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
