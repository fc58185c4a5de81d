/* SPDX-License-Identifier: MIT */
/* The interval of a median in a process file holds the true median as often as it says. */
#include "tests/unit/testing.h"

#include "tests/unit/tracers/process_image.h"
#include "tracers/common/batches.h"
#include "tracers/common/collect.h"

#define SERIES 400
#define MEDIAN 10000.0

static _Alignas(64) unsigned char image[PROCESS_IMAGE_BYTES];

static double normal(uint64_t *state)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)(random_bits(state) >> 11) * 0x1p-53;
    return sum;
}

/* Share of series of `count` times, which resemble their neighbours by `phi`, whose interval holds
 * the median. `*width` is the mean width relative to the median. */
static double coverage_of(double phi, int count, double *width)
{
    size_t used = make_process_image(image);
    trace_statistics *statistics = &process_image_row(image)->statistics;
    int holds = 0;
    *width = 0;
    for (uint64_t seed = 1; seed <= SERIES; seed++) {
        uint64_t random = seed << 20;
        memset(statistics, 0, sizeof *statistics);
        double deviation = normal(&random) / sqrt(1 - phi * phi);
        for (int i = 0; i < count; i++) {
            deviation = phi * deviation + normal(&random);
            double time = MEDIAN * (1 + 0.3 * sqrt(1 - phi * phi) * deviation);
            trace_statistics_add(statistics, time < 1 ? 1 : time);
        }
        trace_totals totals;
        assert_int_equal(trace_collect_bytes(image, used, &totals), 0);
        assert_string_equal(totals.rows[0].name, "matmul");
        holds += totals.rows[0].low_ns <= MEDIAN && totals.rows[0].high_ns >= MEDIAN;
        *width += (totals.rows[0].high_ns - totals.rows[0].low_ns) / MEDIAN / SERIES;
        trace_free(&totals);
    }
    return (double)holds / SERIES;
}

static void independent_times(void **state)
{
    double width, coverage = coverage_of(0, 300, &width);
    assert_true(coverage >= 0.94);
    /* 2 x 1.96 x 1.25 x 0.3 / sqrt(300) = 0.085, and two halves of a bucket */
    EXPECT_NEAR(width, 0.085 + 0.03, 0.03);
}

/* Without the inflation, a third of the intervals would miss. */
static void autocorrelated_times(void **state)
{
    double width;
    assert_true(coverage_of(0.9, 2000, &width) >= 0.92);
    assert_true(coverage_of(0.9, 600, &width) >= 0.9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_times),
        cmocka_unit_test(autocorrelated_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
