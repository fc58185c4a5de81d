/*
 * Where a device's stamps lie on the host's clock: each within its submission, widened by no more than what is said
 * to be unsure. Where device and host share a clock, to the ns: t0 <= start < end <= t1.
 *
 *   conformance_cpu_clock [DEVICE DOMAIN SIZE SAMPLES]   exits with 77 if the device is not here, having said why
 *
 * DOMAIN is the clock of the host that the device's is, "fake" for a device whose stamps are none.
 */
#define _GNU_SOURCE /* CLOCK_MONOTONIC_RAW */
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
static const char *domain = "CLOCK_MONOTONIC_RAW";
static int64_t size = 48;
static uint32_t samples = 150;

/* kerntime's host clock is the one that is meant: read between two readings of it by other means.
 * */
static void the_host_clock_is_monotonic_raw(void **state)
{
    (void)state;
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
    (void)state;
    const kt_clock_info *info = &kt_device_get_info(device)->clocks[0];
    EXPECT_OK(kt_device_find_clocks(device));
    if (info->domain[0] == '\0' && domains_agree()) {
        print_message(
            "CLOCK_MONOTONIC and CLOCK_MONOTONIC_RAW agree here within a ms: none was found\n");
        assert_int_equal(info->relation_source, KT_SOURCE_BRACKETS);
        return;
    }
    assert_string_equal(info->domain, domain);
    assert_int_not_equal(info->relation_source, KT_SOURCE_NONE);
    print_message("%s, by %s, within %g ns\n", info->domain,
                  kt_clock_source_name(info->relation_source), info->uncertainty_ns);
    assert_true(info->uncertainty_ns < 100e3);
}

static void stamps_that_are_fake_are_no_clock(void **state)
{
    (void)state;
    kt_clock *clock = NULL;
    EXPECT_STATUS(kt_clock_open(device, 0, NULL, &clock), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "stands still");
    EXPECT_OK(kt_device_find_clocks(device));
    const kt_clock_info *info = &kt_device_get_info(device)->clocks[0];
    assert_string_equal(info->domain, "");
    assert_int_equal(info->relation_source, KT_SOURCE_NONE);
}

static int64_t place(const kt_clock *clock, uint64_t ticks, double *uncertainty_ns)
{
    int64_t host_ns = 0;
    EXPECT_OK(kt_clock_to_host(clock, ticks, &host_ns, uncertainty_ns));
    assert_true(*uncertainty_ns >= 0 && *uncertainty_ns < 1e6);
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
        if (strcmp(domain, "CLOCK_MONOTONIC_RAW") != 0)
            continue;
        start_ns = (int64_t)raw->start_ticks;
        end_ns = (int64_t)raw->end_ticks;
        if (raw->host_before_ns <= start_ns && start_ns < end_ns && end_ns <= raw->host_after_ns)
            continue;
        fail_msg("sample %zu: %" PRId64 " <= %" PRId64 " < %" PRId64 " <= %" PRId64 " is not so", i,
                 raw->host_before_ns, start_ns, end_ns, raw->host_after_ns);
    }
    if (outside > samples / 100)
        fail_msg("%u of %u samples lie outside of their submissions", outside, samples);
}

static void every_sample_lies_within_its_submission(void **state)
{
    (void)state;
    const workload *matmul = workload_find("matmul");
    const kt_param param = {"size", size};
    const kt_measure_options options = {
        .size = sizeof options, .samples_min = samples, .samples_max = samples, .keep_raw = 1};
    static const char *const variants[] = {"naive", "tiled"};
    void *problem = NULL;
    kt_clock *clock = NULL;
    EXPECT_OK(matmul->problem_create(size, &problem));
    EXPECT_OK(kt_clock_open(device, 0, NULL, &clock));
    for (int i = 0; i < 2; i++) {
        kt_job_desc desc = {.size = sizeof desc,
                            .name = "matmul",
                            .variant = variants[i],
                            .params = &param,
                            .param_count = 1};
        workload_run run = {0};
        kt_result *result = NULL;
        EXPECT_OK(workload_open(&run, matmul, problem, device, size, &desc));
        EXPECT_OK(kt_measure(run.job, &options, &result));
        EXPECT_OK(kt_clock_update(clock));
        check_samples(clock, kt_result_find(result, "matmul"));
        kt_result_destroy(&result);
        workload_close(&run);
    }
    kt_clock_close(&clock);
    matmul->problem_destroy(problem);
}

int main(int argc, char **argv)
{
    if (kt_context_create(&context, NULL) != KT_OK)
        return 1;
    if (argc > 2)
        domain = argv[2];
    if (argc > 4) {
        size = strtol(argv[3], NULL, 10);
        samples = (uint32_t)strtoul(argv[4], NULL, 10);
    }
    kt_status status = kt_device_open(context, argc > 1 ? argv[1] : "cpu:0", &device);
    if (status != KT_OK) {
        printf("%s: %s\n", status == KT_UNAVAILABLE ? "skipped" : "failed", kt_error_text());
        kt_context_destroy(&context);
        return status == KT_UNAVAILABLE ? SKIPPED : 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_clock_is_monotonic_raw),
        cmocka_unit_test(the_domain_is_found),
        cmocka_unit_test(every_sample_lies_within_its_submission),
    };
    const struct CMUnitTest fake_tests[] = {cmocka_unit_test(stamps_that_are_fake_are_no_clock)};
    int failed = strcmp(domain, "fake") == 0
                     ? cmocka_run_group_tests_name("clock", fake_tests, NULL, NULL)
                     : cmocka_run_group_tests_name("clock", tests, NULL, NULL);
    kt_device_close(&device);
    kt_context_destroy(&context);
    return failed;
}
