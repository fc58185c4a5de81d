/* SPDX-License-Identifier: MIT */
/* The intervals of latency and bandwidth, and the points that they are made of. */
#include "bench/calibrate/noise.h"
#include "tests/unit/statistics/transfer.h"

/* ---- intervals ---- */

/* By hand, of four points around which nothing scatters: with the weights w = 1 / (e^2 + (0.02
 * t)^2), that is 1 / (5 e^2) for e = 1 % of t. Then latency and slope are sums of the times, and
 * their variances those of weighted least squares with the variances e^2: (X' W X)^-1 X' W E W X
 * (X' W X)^-1 = (X' E^-1 X)^-1, W being E^-1 / 5. */
static void intervals_of_known_errors(void **state)
{
    kt_transfer_point points[4];
    double one = 0, x = 0, xx = 0; /* sums of 1, bytes and their squares over e^2 */
    for (int i = 0; i < 4; i++) {
        double bytes = 1000 * (i + 1), ns = 2000 + bytes / 2, error = 0.01 * ns;
        points[i] = (kt_transfer_point){bytes, ns, error};
        one += 1 / (error * error);
        x += bytes / (error * error);
        xx += bytes * bytes / (error * error);
    }
    double determinant = one * xx - x * x;
    double latency = 1.959964 * sqrt(xx / determinant), slope = 1.959964 * sqrt(one / determinant);
    kt_transfer_model m = fit(points, 4, 20);
    expect_model(&m, 2000, 2, 1e-12, 1000, 4000);
    EXPECT_NEAR(m.latency_low_ns, 2000 - latency, 1e-6);
    EXPECT_NEAR(m.latency_high_ns, 2000 + latency, 1e-6);
    EXPECT_NEAR(m.gb_per_s_low, 1 / (0.5 + slope), 1e-9);
    EXPECT_NEAR(m.gb_per_s_high, 1 / (0.5 - slope), 1e-9);
}

typedef struct held {
    double latency, bandwidth; /* shares of the sweeps whose intervals hold the truth */
} held;

/* Times that are off by a normal law of 2 %, which the points tell or do not. */
static held count_held(double reported, int sizes)
{
    enum { SWEEPS = 1000 };
    held of = {0};
    for (uint64_t seed = 1; seed <= SWEEPS; seed++) {
        uint64_t random = seed * UINT64_C(0x9E3779B97F4A7C15);
        kt_transfer_point points[SIZES];
        for (int i = 0; i < sizes; i++) {
            double bytes = size_at(i * (SIZES / sizes)), ns = pcie(bytes);
            points[i] =
                (kt_transfer_point){bytes, ns * (1 + 0.02 * noise_normal(&random)), reported * ns};
        }
        kt_transfer_model m = fit(points, (size_t)sizes, 20);
        of.latency += (m.latency_low_ns <= 10000 && 10000 <= m.latency_high_ns) / (double)SWEEPS;
        of.bandwidth += (m.gb_per_s_low <= 25 && 25 <= m.gb_per_s_high) / (double)SWEEPS;
    }
    return of;
}

/* In 95 %: 1,000 tries tell that within 2.1 points (3 standard errors). The wider one of two
 * intervals holds it somewhat more often. */
static void intervals_hold_the_truth(void **state)
{
    static const int sizes[] = {6, 18};
    for (int i = 0; i < 2; i++) {
        held by_scatter = count_held(0, sizes[i]), by_both = count_held(0.02, sizes[i]);
        EXPECT_NEAR(by_scatter.latency, 0.95, 0.021);
        EXPECT_NEAR(by_scatter.bandwidth, 0.95, 0.021);
        EXPECT_NEAR(by_both.latency, 0.97, 0.021);
        EXPECT_NEAR(by_both.bandwidth, 0.97, 0.021);
    }
}

/* So few sizes, so far off, that the line might as well be level; but they take no one time, as
 * those of the second sweep do. */
static void no_upper_end(void **state)
{
    const double times[] = {1000, 950, 1250, 1200};
    kt_transfer_point points[4];
    for (int i = 0; i < 4; i++)
        points[i] = (kt_transfer_point){100 * (i + 1), times[i], 45};
    kt_transfer_model m = fit(points, 4, 20);
    assert_string_equal(kt_transfer_state_name(m.state), "ok");
    assert_true(m.gb_per_s_low > 0 && m.gb_per_s_low < m.gb_per_s);
    assert_true(isnan(m.gb_per_s_high));
    for (int i = 0; i < 4; i++)
        points[i] = (kt_transfer_point){1000 + i, 1000 + i, 5};
    m = fit(points, 4, 20);
    assert_string_equal(kt_transfer_state_name(m.state), "flat");
}

/* ---- the point of a size ---- */

static void points_of_samples(void **state)
{
    double scratch[16];
    /* Quartiles 101 and 103 around 102: outliers lie beyond 93 and 111. Of the other seven the mean
     * is 102, the squares are 4 + 1 + 0 + 0 + 0 + 1 + 4. */
    const double samples[] = {102, 500, 100, 102, 104, 1, 103, 102, 101};
    kt_transfer_point p = kt_transfer_point_of(4096, samples, 9, scratch);
    EXPECT_NUMBER(p.bytes, 4096);
    EXPECT_NEAR(p.time_ns, 102, 1e-12);
    EXPECT_NEAR(p.error_ns, sqrt(10. / 6 / 7), 1e-12);
    /* 19 is within nine times 2 above 1, 20 is not; 2 is nothing of the kind below. */
    const double skewed[] = {1, 1, 1, 1.5, 1, 3, 3, 19, 1};
    p = kt_transfer_point_of(1, skewed, 9, scratch);
    EXPECT_NEAR(p.time_ns, 31.5 / 9, 1e-12);
    p = kt_transfer_point_of(1, samples, 0, scratch);
    assert_true(isnan(p.time_ns));
    p = kt_transfer_point_of(1, samples, 1, scratch);
    EXPECT_NUMBER(p.time_ns, 102);
    EXPECT_NUMBER(p.error_ns, 0);
    const double same[] = {7, 7, 7, 7};
    p = kt_transfer_point_of(1, same, 4, scratch);
    EXPECT_NUMBER(p.time_ns, 7);
    EXPECT_NUMBER(p.error_ns, 0);
}

/* On a clock of steps of 100 two values are what there is to be seen of a time between them. */
static void points_of_a_coarse_clock(void **state)
{
    double scratch[10];
    const double samples[] = {100, 100, 100, 200, 100, 100, 200, 100, 100, 100};
    kt_transfer_point p = kt_transfer_point_of(1, samples, 10, scratch);
    EXPECT_NEAR(p.time_ns, 120, 1e-12);
}

/* Each sample resembles the one before: their mean is worth fewer. An AR(1) of 0.7 is worth 3 / 17
 * of its samples. */
static void neighbours_that_resemble(void **state)
{
    enum { N = 2000 };
    static double samples[N], scratch[N];
    const noise of = {.value = 1000, .spread = 0.02, .correlation = 0.7};
    noise_run run = noise_begin(&of, 1);
    for (int i = 0; i < N; i++)
        samples[i] = noise_next(&run);
    kt_transfer_point p = kt_transfer_point_of(1, samples, N, scratch);
    EXPECT_NEAR(p.error_ns, 20 * sqrt(17. / 3 / N), 0.15 * p.error_ns);
}

static void names(void **state)
{
    assert_string_equal(kt_transfer_state_name(KT_TRANSFER_NONE), "none");
    assert_string_equal(kt_transfer_state_name(KT_TRANSFER_OK), "ok");
    assert_string_equal(kt_transfer_state_name(KT_TRANSFER_ZERO_COPY), "zero_copy");
    assert_string_equal(kt_transfer_state_name(KT_TRANSFER_NO_LINE), "no_line");
    assert_string_equal(kt_transfer_state_name(KT_TRANSFER_FLAT), "flat");
    assert_string_equal(kt_transfer_state_name((kt_transfer_state)99), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_of_known_errors),
        cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(no_upper_end),
        cmocka_unit_test(points_of_samples),
        cmocka_unit_test(points_of_a_coarse_clock),
        cmocka_unit_test(neighbours_that_resemble),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests_name("transfer_intervals", tests, NULL, NULL);
}
