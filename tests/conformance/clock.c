/*
 * Where device and host share a clock, each sample lies within its submission on it: t0 <= start <
 * end <= t1.
 *
 *   conformance_cpu_clock [DEVICE]     exits with 77 if the device is not here, having said why
 */
#define _GNU_SOURCE /* CLOCK_MONOTONIC_RAW */
#include "tests/unit/testing.h"
#include "workloads/workload.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#define SKIPPED 77
#define SIZE    48
#define SAMPLES 150

static kt_context *context;
static kt_device *device;

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

static void check_samples(const kt_series *series)
{
    assert_int_equal(series->raw_count, SAMPLES);
    assert_int_equal(series->summary.n, SAMPLES);
    for (size_t i = 0; i < SAMPLES; i++) {
        const kt_raw *raw = &series->raw[i];
        int64_t start_ns = (int64_t)raw->start_ticks, end_ns = (int64_t)raw->end_ticks;
        if (raw->host_before_ns <= start_ns && start_ns < end_ns && end_ns <= raw->host_after_ns)
            continue;
        fail_msg("sample %zu: %" PRId64 " <= %" PRId64 " < %" PRId64 " <= %" PRId64 " is not so", i,
                 raw->host_before_ns, start_ns, end_ns, raw->host_after_ns);
    }
}

static void every_sample_lies_within_its_submission(void **state)
{
    (void)state;
    const workload *matmul = workload_find("matmul");
    const kt_param param = {"size", SIZE};
    const kt_measure_options options = {
        .size = sizeof options, .samples_min = SAMPLES, .samples_max = SAMPLES, .keep_raw = 1};
    static const char *const variants[] = {"naive", "tiled"};
    void *problem = NULL;
    EXPECT_OK(matmul->problem_create(SIZE, &problem));
    for (int i = 0; i < 2; i++) {
        kt_job_desc desc = {.size = sizeof desc,
                            .name = "matmul",
                            .variant = variants[i],
                            .params = &param,
                            .param_count = 1};
        workload_run run = {0};
        kt_result *result = NULL;
        EXPECT_OK(workload_open(&run, matmul, problem, device, SIZE, &desc));
        EXPECT_OK(kt_measure(run.job, &options, &result));
        check_samples(kt_result_find(result, "matmul"));
        kt_result_destroy(&result);
        workload_close(&run);
    }
    matmul->problem_destroy(problem);
}

int main(int argc, char **argv)
{
    if (kt_context_create(&context, NULL) != KT_OK)
        return 1;
    kt_status status = kt_device_open(context, argc > 1 ? argv[1] : "cpu:0", &device);
    if (status != KT_OK) {
        printf("%s: %s\n", status == KT_UNAVAILABLE ? "skipped" : "failed", kt_error_text());
        kt_context_destroy(&context);
        return status == KT_UNAVAILABLE ? SKIPPED : 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_clock_is_monotonic_raw),
        cmocka_unit_test(every_sample_lies_within_its_submission),
    };
    int failed = cmocka_run_group_tests_name("clock", tests, NULL, NULL);
    kt_device_close(&device);
    kt_context_destroy(&context);
    return failed;
}
