/* SPDX-License-Identifier: MIT */
/* Every fault that a scenario of sim can have is found by `kerntime doctor`, and what is none is no
 * fault. */
#include "cli/doctor/doctor.h"
#include "tests/unit/testing.h"

#include <stdio.h>

/* What is said about a device under such a scenario. */
typedef struct expectation {
    const char *scenario;
    const char *check; /* that says so, ... */
    kt_severity severity;
    const char *seen; /* ... with these words; NULL: any */
} expectation;

static const expectation faults[] = {
    /* 16 bits of a ns are over in 65.5 us, 24 in 16.8 ms, 32 in 4.3 s, 36 of 52 ns in an hour. */
    {"bits=32", "width", KT_SEVERITY_NOTE, "32 bits, wraps every 4.295 s"},
    {"bits=36,period_ns=52.083333", "width", KT_SEVERITY_NOTE, "36 bits"},
    {"bits=24", "width", KT_SEVERITY_WARNING, "16.78 ms"},
    {"bits=16", "width", KT_SEVERITY_WARNING, "65.54 us"},
    /* A submission takes 7 us, so a turn of 256 ns is never seen. */
    {"bits=8", "states", KT_SEVERITY_FAULT, "ambiguous"},
    {"bits_reported=0", "width", KT_SEVERITY_NOTE, "width not reported"},
    {"bits_reported=0,bits=24", "width", KT_SEVERITY_WARNING, "measured 24 bits"},
    {"bits_reported=0,bits=16", "untrusted", KT_SEVERITY_FAULT, "ambiguous"},
    {"period_ns=1000000", "resolution", KT_SEVERITY_WARNING, "1.000 ms"},
    {"period_reported=0,period_ns=83.333", "period", KT_SEVERITY_NOTE, "83.33"},
    {"period_reported=0,period_ns=83.333,calibrated_timestamps=0", "period", KT_SEVERITY_NOTE,
     "by bracketed submissions"},
    {"drift_ppm=30", "drift", KT_SEVERITY_NOTE, "30 +- "},
    {"drift_ppm=30,calibrated_timestamps=0", "drift", KT_SEVERITY_NOTE, "30 +- "},
    {"drift_ppm=-200", "drift", KT_SEVERITY_NOTE, "slower"},
    {"drift_ppm=1500", "drift", KT_SEVERITY_WARNING, "1500 +- "},
    {"drift_ppm=5000,calibrated_timestamps=0", "drift", KT_SEVERITY_WARNING, "faster"},
    {"drift_ppm=50000", "drift", KT_SEVERITY_FAULT, "50000 +- "},
    {"drift_ppm=-100000", "drift", KT_SEVERITY_FAULT, "slower"},
    {"resolution_ns=10", "resolution", KT_SEVERITY_NOTE, "10.0 ns"},
    {"resolution_ns=256", "resolution", KT_SEVERITY_WARNING, "256.0 ns, although the driver"},
    {"resolution_ns=65536", "resolution", KT_SEVERITY_WARNING, "65.54 us"},
    {"min_span_ns=50000", "min_span", KT_SEVERITY_NOTE, "span 50.00 us"},
    {"min_span_ns=2000000", "min_span", KT_SEVERITY_WARNING, "span 2.000 ms"},
    {"gap_ns=-50", "steps", KT_SEVERITY_WARNING, "by up to 50.0 ns"},
    {"gap_ns=-5000", "steps", KT_SEVERITY_WARNING, "overlap, by up to 100.0 ns"},
    {"jitter_ns=20000", "spread", KT_SEVERITY_NOTE, NULL},
    {"jitter_share=0.1", "spread", KT_SEVERITY_NOTE, NULL},
    /* A pair is two of its jitters wide, at least. */
    {"calibration_jitter_ns=100000", "calibration", KT_SEVERITY_NOTE, "within"},
    {"calibration_jitter_ns=5000000", "calibration", KT_SEVERITY_WARNING, "within"},
    {"kernel_ns=3000000000", "steady", KT_SEVERITY_NOTE, "the kernel ran too few times in 9.000 s"},
    {"calibrated_timestamps=0", "calibration", KT_SEVERITY_NOTE, "has no calibrated timestamps"},
    {"zero=0.05", "states", KT_SEVERITY_WARNING, "\"zero\""},
    {"zero=0.8", "states", KT_SEVERITY_FAULT, "\"zero\""},
    {"zero=1", "untrusted", KT_SEVERITY_FAULT, "the last was zero"},
    {"negative=0.05", "states", KT_SEVERITY_WARNING, "\"negative\""},
    {"negative=1", "untrusted", KT_SEVERITY_FAULT, "the last was negative"},
    {"lost=0.05", "states", KT_SEVERITY_WARNING, "never written"},
    {"lost=1", "untrusted", KT_SEVERITY_FAULT, "the last was lost"},
    {"reset=1", "reset", KT_SEVERITY_FAULT, "counter reset"},
    {"reset=50", "reset", KT_SEVERITY_FAULT, "counter reset"},
    {"wrong=1", "results", KT_SEVERITY_FAULT, "submission 1 of"},
    {"wrong=300", "results", KT_SEVERITY_FAULT, "wrong result"},
    {"reset=300", "reset", KT_SEVERITY_FAULT, "counter reset"},
    {"throttled=1", "throttled", KT_SEVERITY_WARNING, "thermal, at 92 C"},
    {"power_w=300", "throttled", KT_SEVERITY_GOOD, NULL},
    {"power_w=300", "power_limit", KT_SEVERITY_GOOD, "375 W"},
};

/* These end the examination. The timer limits makes five calls for each of 1032 pairs of submissions, and
 * the first check as many for each of its 330. */
static const expectation failures[] = {
    {"fail=10", "timestamps", KT_SEVERITY_FAULT, "fail=10"},
    {"fail=5000", "timestamps", KT_SEVERITY_FAULT, "fail=5000"},
    {"fail=7400", "clocks", KT_SEVERITY_FAULT, "fail=7400"},
    {"hang=1", "clocks", KT_SEVERITY_FAULT, "did not answer within"},
    {"hang=40", "clocks", KT_SEVERITY_FAULT, "did not answer within"},
};

static const kt_diagnostic *find(const kt_report *report, const char *check)
{
    for (uint32_t i = 0; i < kt_report_diagnostic_count(report); i++)
        if (strcmp(kt_report_diagnostic(report, i)->check, check) == 0)
            return kt_report_diagnostic(report, i);
    return NULL;
}

static bool never(void)
{
    return false;
}

static const kt_report *watched; /* of the device that is examined */

/* Asked once after the check of loops, no other is begun yet; asked again, the next one is under
 * way. */
static bool within_first_use(void)
{
    static uint32_t asked;
    uint32_t count = kt_report_diagnostic_count(watched);
    bool loops = count && !strcmp(kt_report_diagnostic(watched, count - 1)->check, "loops");
    asked = loops ? asked + 1 : 0;
    return asked > 1 || (count && find(watched, "first_use"));
}

#define ANY_CODE (-1)

static kt_report *examine_until(bool (*interrupted)(void), const char *scenario, int expected_code)
{
    static const kt_report_desc desc = {.size = sizeof desc, .document = "doctor"};
    static const cli_options options = {.quiet = true};
    kt_context *context = NULL;
    kt_device_info info;
    cli_progress progress;
    char id[128];
    snprintf(id, sizeof id, "sim:0%s%s", *scenario ? ":" : "", scenario);
    doctor d = {
        .options = &options, .interrupted = interrupted, .measure = {.size = sizeof d.measure}};
    EXPECT_OK(kt_context_create(&context, NULL));
    EXPECT_OK(kt_device_describe(context, id, &info));
    EXPECT_OK(kt_report_create(&d.report, &desc));
    watched = d.report;
    progress_begin(&progress, true, 1, 0, 0);
    int code = doctor_examine(&d, context, &info, &progress);
    if (expected_code != ANY_CODE && code != expected_code)
        fail_msg("%s: exit code %d, not %d", scenario, code, expected_code);
    kt_context_destroy(&context);
    return d.report;
}

static kt_report *examine(const char *scenario, int expected_code)
{
    return examine_until(never, scenario, expected_code);
}

static void expect_diagnostic(const expectation *expected, int code)
{
    kt_report *report = examine(expected->scenario, code);
    const kt_diagnostic *diagnostic = find(report, expected->check);
    if (!diagnostic)
        fail_msg("%s: nothing is said of \"%s\"", expected->scenario, expected->check);
    if (diagnostic->severity != expected->severity ||
        (expected->seen && !strstr(diagnostic->seen, expected->seen)))
        fail_msg("%s: \"%s\" is a %s, not a %s: %s", expected->scenario, expected->check,
                 kt_severity_name(diagnostic->severity), kt_severity_name(expected->severity),
                 diagnostic->seen);
    kt_report_destroy(&report);
}

static void every_fault_is_found(void **state)
{
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        expect_diagnostic(&faults[i], EXIT_DONE);
}

static void a_failure_is_a_diagnostic(void **state)
{
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++)
        expect_diagnostic(&failures[i], EXIT_FAILED);
}

/* Submissions of about 0.3 ms, and a host clock of 1 ms. */
#define BROWSER                                                                               \
    "host_resolution_ns=1000000,calibrated_timestamps=0,min_span_ns=300000,kernel_ns=700000," \
    "jitter_ns=100000"

/* Where a counter starts, and where in its bracket it is read, cannot be seen and need not be. */
static void nothing_is_said_without_reason(void **state)
{
    static const char *const healthy[] = {"",
                                          "period_ns=52.083333",
                                          "start=18446744073709500000",
                                          "start=123456789,kernel_ns=2000000",
                                          "calibration_place=0",
                                          "calibration_place=1",
                                          "calibration_jitter_ns=0",
                                          BROWSER,
                                          "seed=2"};
    for (size_t i = 0; i < sizeof healthy / sizeof healthy[0]; i++) {
        kt_report *report = examine(healthy[i], EXIT_DONE);
        assert_true(kt_report_diagnostic_count(report) >= 10);
        for (uint32_t k = 0; k < kt_report_diagnostic_count(report); k++) {
            const kt_diagnostic *diagnostic = kt_report_diagnostic(report, k);
            if (diagnostic->severity > KT_SEVERITY_NOTE)
                fail_msg("%s: %s: %s", healthy[i], diagnostic->check, diagnostic->seen);
        }
        kt_report_destroy(&report);
    }
}

/* A fault shows in its own check and not in those that it is no business of. */
static void one_fault_is_not_taken_for_another(void **state)
{
    static const struct {
        const char *scenario, *silent;
    } rows[] = {{"reset=50", "placement"},
                {"bits=24", "placement"},
                {"bits=32,start=4294900000", "reset"},
                {"resolution_ns=65536", "drift"},
                {"drift_ppm=1500", "reset"},
                {"zero=0.05", "order"},
                {"negative=0.05", "order"},
                {"reset=50", "order"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kt_report *report = examine(rows[i].scenario, EXIT_DONE);
        const kt_diagnostic *diagnostic = find(report, rows[i].silent);
        if (diagnostic && diagnostic->severity > KT_SEVERITY_NOTE)
            fail_msg("%s: %s: %s", rows[i].scenario, diagnostic->check, diagnostic->seen);
        kt_report_destroy(&report);
    }
}

/* A check that runs kernels ends where it is, and the report says what is missing. */
static void an_interruption_ends_a_check(void **state)
{
    kt_report *report = examine_until(within_first_use, "", EXIT_FAILED);
    const kt_diagnostic *diagnostic = find(report, "interrupted");
    assert_non_null(diagnostic);
    EXPECT_TEXT_HAS(diagnostic->seen, "incomplete checks: first_use, agreement, steady");
    assert_null(find(report, "first_use"));
    assert_non_null(find(report, "shortest"));
    kt_report_destroy(&report);
}

/* ---- the host's memory ---- */

static uint32_t allocations_left; /* until the one that fails; 0: none does */
static bool allocation_failed;

static bool is_failing(void)
{
    bool fails = allocations_left == 1;
    allocations_left -= allocations_left > 0;
    allocation_failed |= fails;
    return fails;
}

/* The linker puts these in place of the calls of doctor and of the workloads; the library's are its
 * own. */
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
/* GNU ld 2.40 takes the library's calls for calls of these where a sanitizer has others, and must
 * be able to see them. */
__attribute__((visibility("default"))) void *__wrap_calloc(size_t count, size_t bytes);
__attribute__((visibility("default"))) void *__wrap_realloc(void *old, size_t bytes);

void *__wrap_calloc(size_t count, size_t bytes)
{
    return is_failing() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return is_failing() ? NULL : __real_realloc(old, bytes);
}

/* Whatever it is short of, the report goes on to its end, and says what is the matter: not what
 * failed before, which is here that the driver has no pairs. */
static void out_of_memory_is_a_diagnostic(void **state)
{
    for (uint32_t i = 1;; i++) {
        allocations_left = i;
        allocation_failed = false;
        kt_report *report = examine_until(never, "calibrated_timestamps=0", ANY_CODE);
        allocations_left = 0;
        uint32_t reported = 0;
        for (uint32_t k = 0; k < kt_report_diagnostic_count(report); k++)
            reported +=
                strcmp(kt_report_diagnostic(report, k)->seen, "check failed: out of memory") == 0;
        if (reported != allocation_failed)
            fail_msg("allocation %u: %u diagnostics", i, reported);
        assert_non_null(find(report, "shortest"));
        kt_report_destroy(&report);
        if (!allocation_failed)
            break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_is_found),
        cmocka_unit_test(a_failure_is_a_diagnostic),
        cmocka_unit_test(nothing_is_said_without_reason),
        cmocka_unit_test(one_fault_is_not_taken_for_another),
        cmocka_unit_test(an_interruption_ends_a_check),
        cmocka_unit_test(out_of_memory_is_a_diagnostic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
