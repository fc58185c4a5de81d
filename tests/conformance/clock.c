/* SPDX-License-Identifier: MIT */
/*
 * Where a device's timestamps lie on the host's clock: each within its submission, widened by no more
 * than what is said to be unsure. Where they are ns of one of the host's monotonic clocks, and that
 * clock is read before and after, to the ns: t0 <= start < end <= t1.
 *
 *   conformance_cpu_clock [DEVICE DOMAIN SIZE SAMPLES]   exits with 77 if the device is not here, having said why
 *   conformance_cpu_clock DEVICE DOMAIN share            how much of the wall time long kernels take
 *   conformance_cpu_clock DEVICE DOMAIN ask              the first, or that there is no clock, as OpenCL's driver answers
 *
 * DOMAIN is the clock of the host that the device's is, or "own" for a device with a counter of its
 * own.
 */
#define _GNU_SOURCE /* CLOCK_MONOTONIC_RAW */
#include "tests/opencl_can.h"
#include "tests/unit/testing.h"
#include "workloads/workload.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SKIPPED 77
#define NEAR_NS 1e6 /* clocks that differ by less cannot surely be told apart by brackets */

static kt_context *context;
static kt_device *device;
static const char *device_id = "cpu:0", *domain = "CLOCK_MONOTONIC_RAW";
static int64_t size = 48;
static uint32_t samples = 150;

/* kerntime's host clock is the one that is meant: read between two readings of it by other means.
 * */
static void the_host_clock_is_monotonic_raw(void **state)
{
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC_RAW, &before);
    int64_t now_ns = kt_host_now_ns();
    clock_gettime(CLOCK_MONOTONIC_RAW, &after);
    assert_true(now_ns >= before.tv_sec * INT64_C(1000000000) + before.tv_nsec);
    assert_true(now_ns <= after.tv_sec * INT64_C(1000000000) + after.tv_nsec);
}

/* Whether this machine's clocks are so near to each other that none of them may have been found. */
static bool domains_agree(void)
{
    int64_t raw_ns, monotonic_ns;
    double uncertainty_ns;
    EXPECT_OK(kt_host_domain_now(KT_HOST_MONOTONIC_RAW, &raw_ns));
    EXPECT_OK(kt_host_convert(KT_HOST_MONOTONIC_RAW, raw_ns, KT_HOST_MONOTONIC, &monotonic_ns,
                              &uncertainty_ns));
    return fabs((double)(monotonic_ns - raw_ns)) < NEAR_NS;
}

static void the_domain_is_found(void **state)
{
    const kt_clock_info *info = &kt_device_get_info(device)->clocks[0];
    EXPECT_OK(kt_device_find_clocks(device));
    if (info->domain[0] == '\0' && strcmp(domain, "own") != 0 && domains_agree()) {
        print_message(
            "CLOCK_MONOTONIC and CLOCK_MONOTONIC_RAW agree here within a ms: none was found\n");
        assert_int_equal(info->relation_source, KT_SOURCE_BRACKETED_SUBMISSIONS);
        return;
    }
    assert_string_equal(info->domain, strcmp(domain, "own") == 0 ? "" : domain);
    assert_int_not_equal(info->relation_source, KT_SOURCE_NONE);
    print_message("%s, by %s, within %g ns\n", info->domain,
                  kt_clock_source_name(info->relation_source), info->uncertainty_ns);
    assert_true(info->uncertainty_ns < 100e3);
}

static void timestamps_that_are_fake_are_no_clock(void **state)
{
    kt_clock *clock = NULL;
    EXPECT_STATUS(kt_clock_open(device, 0, NULL, &clock), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "stands still");
    EXPECT_OK(kt_device_find_clocks(device));
    const kt_clock_info *info = &kt_device_get_info(device)->clocks[0];
    assert_string_equal(info->domain, "");
    assert_int_equal(info->relation_source, KT_SOURCE_NONE);
}

/* A clock of its own is known by empty commands alone, which take their time on a busy machine. */
static int64_t place(const kt_clock *clock, uint64_t ticks, double *uncertainty_ns)
{
    int64_t host_ns = 0;
    double most_ns = strcmp(domain, "own") == 0 ? 1e7 : 1e6;
    EXPECT_OK(kt_clock_to_host(clock, ticks, &host_ns, uncertainty_ns));
    assert_true(*uncertainty_ns >= 0 && *uncertainty_ns < most_ns);
    return host_ns;
}

static void check_samples(const kt_clock *clock, const kt_series *series)
{
    uint32_t outside = 0;
    assert_int_equal(series->raw_count, samples);
    assert_int_equal(series->summary.n, samples);
    for (size_t i = 0; i < samples; i++) {
        const kt_raw *raw = &series->raw[i];
        double start_by_ns, end_by_ns;
        int64_t start_ns = place(clock, raw->start_ticks, &start_by_ns);
        int64_t end_ns = place(clock, raw->end_ticks, &end_by_ns);
        assert_true(start_ns < end_ns);
        outside += (double)(raw->host_before_ns - start_ns) > start_by_ns ||
                   (double)(end_ns - raw->host_after_ns) > end_by_ns;
    }
    if (outside > samples / 100)
        fail_msg("%u of %u samples lie outside of their submissions", outside, samples);
}

/* Measures a matrix multiplication, with timestamps alone and all of them kept. */
static kt_result *measure_matmul(kt_device *on, const char *variant, int64_t n, uint32_t count)
{
    const workload *matmul = workload_find("matmul");
    const kt_param param = {"size", n};
    kt_job_desc desc = {.size = sizeof desc,
                        .name = "matmul",
                        .variant = variant,
                        .params = &param,
                        .param_count = 1};
    const kt_measure_options options = {.size = sizeof options,
                                        .samples_min = count,
                                        .samples_max = count,
                                        .timing = KT_TIMING_DEVICE,
                                        .keep_raw = 1};
    void *problem = NULL;
    workload_run run = {0};
    kt_result *result = NULL;
    EXPECT_OK(matmul->problem_create(n, &problem));
    EXPECT_OK(workload_open(&run, matmul, problem, on, (uint64_t)n, &desc));
    EXPECT_OK(kt_measure(run.job, &options, &result));
    assert_int_equal(kt_result_find(result, "matmul")->raw_count, count);
    workload_close(&run);
    matmul->problem_destroy(problem);
    return result;
}

static const char *const variants[] = {"naive", "tiled"};

static void every_sample_lies_within_its_submission(void **state)
{
    kt_clock *clock = NULL;
    EXPECT_OK(kt_clock_open(device, 0, NULL, &clock));
    for (int i = 0; i < 2; i++) {
        kt_result *result = measure_matmul(device, variants[i], size, samples);
        EXPECT_OK(kt_clock_update(clock));
        check_samples(clock, kt_result_find(result, "matmul"));
        kt_result_destroy(&result);
    }
    kt_clock_close(&clock);
}

/* ---- with the clock of the device as that of the host ---- */

static int64_t now_on_clock(void *user)
{
    struct timespec now;
    clock_gettime(*(const clockid_t *)user, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* The clock of that domain if the timestamps of its devices are exact to the ns, else NULL. */
static clockid_t *exact_clock(void)
{
    static clockid_t raw = CLOCK_MONOTONIC_RAW, monotonic = CLOCK_MONOTONIC;
    return strcmp(domain, "CLOCK_MONOTONIC_RAW") == 0 ? &raw
           : strcmp(domain, "CLOCK_MONOTONIC") == 0   ? &monotonic
                                                      : NULL;
}

/* The device once more, whose host_before_ns and host_after_ns are instants of its own clock. */
static kt_device *open_on_its_clock(kt_context **own)
{
    const kt_context_options options = {.size = sizeof options,
                                        .host_clock = {now_on_clock, NULL, exact_clock()}};
    kt_device *again = NULL;
    EXPECT_OK(kt_context_create(own, &options));
    EXPECT_OK(kt_device_open(*own, device_id, &again));
    return again;
}

static void every_sample_is_bracketed_on_its_own_clock(void **state)
{
    if (!exact_clock()) {
        print_message("skipped: timestamps by the clock \"%s\" are not its ns\n", domain);
        skip();
    }
    kt_context *own = NULL;
    kt_device *again = open_on_its_clock(&own);
    for (int i = 0; i < 2; i++) {
        kt_result *result = measure_matmul(again, variants[i], size, samples);
        for (size_t k = 0; k < samples; k++) {
            const kt_raw *raw = &kt_result_find(result, "matmul")->raw[k];
            int64_t start_ns = (int64_t)raw->start_ticks, end_ns = (int64_t)raw->end_ticks;
            assert_int_equal(raw->state, KT_TIMESTAMP_OK);
            if (raw->host_before_ns > start_ns || start_ns >= end_ns || end_ns > raw->host_after_ns)
                fail_msg("sample %zu: %" PRId64 " <= %" PRId64 " < %" PRId64 " <= %" PRId64
                         " is not so",
                         k, raw->host_before_ns, start_ns, end_ns, raw->host_after_ns);
        }
        kt_result_destroy(&result);
    }
    kt_device_close(&again);
    kt_context_destroy(&own);
}

/* ---- long kernels ---- */

#define LONG_NS     20e6
#define LONG_COUNT  21
#define SHARE_LEAST 0.95
#define CHANCES     3

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median share of the wall time that the kernels take; never more than all of it, since both
 * are read on one clock. */
static double median_share(const kt_series *step)
{
    double shares[LONG_COUNT];
    for (size_t i = 0; i < LONG_COUNT; i++) {
        const kt_raw *raw = &step->raw[i];
        double span_ns = (double)(raw->end_ticks - raw->start_ticks);
        double wall_ns = (double)(raw->host_after_ns - raw->host_before_ns);
        assert_int_equal(raw->state, KT_TIMESTAMP_OK);
        if (span_ns > wall_ns)
            fail_msg("sample %zu: %g ns on the device within %g ns", i, span_ns, wall_ns);
        shares[i] = span_ns / wall_ns;
    }
    qsort(shares, LONG_COUNT, sizeof shares[0], by_value);
    double median = shares[LONG_COUNT / 2];
    print_message("from %.1f ms on: share of the wall time %.4f to %.4f, median %.4f\n",
                  step->summary.min / 1e6, shares[0], shares[LONG_COUNT - 1], median);
    return median;
}

/* Where every core is taken by other programs, waking up takes as long as these are given at once.
 * So there is more than one chance, of ever longer kernels. */
static void long_kernels_take_the_wall_time(void **state)
{
    static const int64_t sizes[] = {128, 192, 256, 320, 384, 512, 640, 768, 1024, 1280};
    kt_context *own = NULL;
    kt_device *again = open_on_its_clock(&own);
    double median = 0;
    int chances = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        kt_result *result = measure_matmul(again, "naive", sizes[i], LONG_COUNT);
        const kt_series *step = kt_result_find(result, "matmul");
        bool is_long = step->summary.min >= LONG_NS;
        if (is_long)
            median = median_share(step);
        chances += is_long;
        kt_result_destroy(&result);
        if (median >= SHARE_LEAST || chances == CHANCES)
            break;
    }
    assert_true(median >= SHARE_LEAST);
    kt_device_close(&again);
    kt_context_destroy(&own);
}

int main(int argc, char **argv)
{
    if (kt_context_create(&context, NULL) != KT_OK)
        return 1;
    bool share = argc > 3 && strcmp(argv[3], "share") == 0;
    bool ask = argc > 3 && strcmp(argv[3], "ask") == 0;
    if (argc > 1)
        device_id = argv[1];
    if (argc > 2)
        domain = argv[2];
    if (argc > 4) {
        size = strtol(argv[3], NULL, 10);
        samples = (uint32_t)strtoul(argv[4], NULL, 10);
    }
    kt_status status = kt_device_open(context, device_id, &device);
    if (status != KT_OK) {
        printf("%s: %s\n", status == KT_UNAVAILABLE ? "skipped" : "failed", kt_error_text());
        kt_context_destroy(&context);
        return status == KT_UNAVAILABLE ? SKIPPED : 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_clock_is_monotonic_raw),
        cmocka_unit_test(the_domain_is_found),
        cmocka_unit_test(every_sample_lies_within_its_submission),
        cmocka_unit_test(every_sample_is_bracketed_on_its_own_clock),
    };
    const struct CMUnitTest fake_tests[] = {
        cmocka_unit_test(timestamps_that_are_fake_are_no_clock)};
    const struct CMUnitTest share_tests[] = {cmocka_unit_test(long_kernels_take_the_wall_time)};
    int failed = ask && !opencl_can_tell_times()
                     ? cmocka_run_group_tests_name("clock", fake_tests, NULL, NULL)
                 : share ? cmocka_run_group_tests_name("share", share_tests, NULL, NULL)
                         : cmocka_run_group_tests_name("clock", tests, NULL, NULL);
    kt_device_close(&device);
    kt_context_destroy(&context);
    return failed;
}
