/* SPDX-License-Identifier: MIT */
/* The host's clocks, read beside clock_gettime(), and which of them a timestamp is of. */
#define _GNU_SOURCE /* CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME */
#include "clock/domain.h"
#include "tests/unit/testing.h"

#include <string.h>
#include <time.h>

/* Those that Linux has; the one behind them is of macOS alone. */
static const clockid_t ids[] = {CLOCK_MONOTONIC_RAW, CLOCK_MONOTONIC, CLOCK_BOOTTIME,
                                CLOCK_REALTIME};
#define HERE_COUNT ((int)(sizeof ids / sizeof ids[0]))

_Static_assert(HERE_COUNT == (int)KT_HOST_UPTIME_RAW &&
                   (int)KT_HOST_UPTIME_RAW + 1 == (int)KT_HOST_DOMAIN_COUNT,
               "each domain is either read here or known not to be here");

static int64_t read_clock(int domain)
{
    struct timespec t;
    clock_gettime(ids[domain], &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void domains_are_what_they_are_called(void **state)
{
    static const char *const names[] = {"CLOCK_MONOTONIC_RAW", "CLOCK_MONOTONIC", "CLOCK_BOOTTIME",
                                        "CLOCK_REALTIME"};
    for (int d = 0; d < HERE_COUNT; d++) {
        int64_t now_ns = 0, before_ns = read_clock(d);
        EXPECT_OK(kt_host_domain_now((kt_host_domain)d, &now_ns));
        int64_t after_ns = read_clock(d);
        assert_true(before_ns <= now_ns && now_ns <= after_ns);
        assert_string_equal(kt_host_domain_name((kt_host_domain)d), names[d]);
        kt_host_domain found = KT_HOST_DOMAIN_COUNT;
        assert_true(kt_host_domain_find(names[d], &found));
        assert_int_equal(found, d);
    }
    kt_host_domain found;
    assert_false(kt_host_domain_find("", &found));
    assert_false(kt_host_domain_find("CLOCK_MONOTONIC_", &found));
    int64_t now_ns = 17;
    EXPECT_STATUS(kt_host_domain_now(KT_HOST_DOMAIN_COUNT, &now_ns), KT_INVALID);
    EXPECT_STATUS(kt_host_domain_now((kt_host_domain)-1, &now_ns), KT_INVALID);
    assert_int_equal(now_ns, 17);
}

static void what_is_not_here_is_not_read(void **state)
{
    int64_t now_ns = 17;
    double uncertainty_ns = 17;
    kt_clock_pair pair;
    kt_host_domain found;
    assert_string_equal(kt_host_domain_name(KT_HOST_UPTIME_RAW), "CLOCK_UPTIME_RAW");
    assert_false(kt_host_domain_find("CLOCK_UPTIME_RAW", &found));
    EXPECT_STATUS(kt_host_domain_now(KT_HOST_UPTIME_RAW, &now_ns), KT_UNSUPPORTED);
    EXPECT_TEXT_HAS(kt_error_text(), "this system has no CLOCK_UPTIME_RAW");
    EXPECT_STATUS(kt_host_domain_pair(KT_HOST_UPTIME_RAW, &pair), KT_UNSUPPORTED);
    EXPECT_STATUS(
        kt_host_convert(KT_HOST_UPTIME_RAW, 0, KT_HOST_REALTIME, &now_ns, &uncertainty_ns),
        KT_UNSUPPORTED);
    EXPECT_STATUS(
        kt_host_convert(KT_HOST_REALTIME, 0, KT_HOST_UPTIME_RAW, &now_ns, &uncertainty_ns),
        KT_UNSUPPORTED);
    assert_int_equal(now_ns, 17);
    EXPECT_NUMBER(uncertainty_ns, 17);
}

static void all_are_read_at_once(void **state)
{
    int64_t before_ns[HERE_COUNT];
    kt_host_instants all;
    for (int d = 0; d < HERE_COUNT; d++)
        before_ns[d] = read_clock(d);
    kt_host_read_all(&all);
    for (int d = 0; d < HERE_COUNT; d++) {
        assert_true(all.here[d]);
        assert_true(before_ns[d] <= all.ns[d] && all.ns[d] <= read_clock(d));
    }
    assert_false(all.here[KT_HOST_UPTIME_RAW]);
    assert_int_equal(all.ns[KT_HOST_UPTIME_RAW], 0);
}

static void a_pair_brackets_the_domain(void **state)
{
    for (int d = 0; d < HERE_COUNT; d++) {
        kt_clock_pair pair;
        int64_t raw_before_ns = read_clock(KT_HOST_MONOTONIC_RAW), before_ns = read_clock(d);
        EXPECT_OK(kt_host_domain_pair((kt_host_domain)d, &pair));
        int64_t after_ns = read_clock(d), raw_after_ns = read_clock(KT_HOST_MONOTONIC_RAW);
        assert_true(raw_before_ns <= pair.host_before_ns);
        assert_true(pair.host_before_ns <= pair.host_after_ns);
        assert_true(pair.host_after_ns <= raw_after_ns);
        assert_true(before_ns <= (int64_t)pair.ticks && (int64_t)pair.ticks <= after_ns);
    }
}

/* A moment that lies between two readings of one clock, as read on another, is found between
 * them. */
static void moments_are_found_in_other_domains(void **state)
{
    for (int from = 0; from < HERE_COUNT; from++)
        for (int to = 0; to < HERE_COUNT; to++) {
            int64_t before_ns = read_clock(to), moment_ns = read_clock(from),
                    after_ns = read_clock(to);
            int64_t found_ns = 0, back_ns = 0;
            double uncertainty_ns = -1, back_uncertainty_ns = -1;
            EXPECT_OK(kt_host_convert((kt_host_domain)from, moment_ns, (kt_host_domain)to,
                                      &found_ns, &uncertainty_ns));
            EXPECT_OK(kt_host_convert((kt_host_domain)to, found_ns, (kt_host_domain)from, &back_ns,
                                      &back_uncertainty_ns));
            assert_true((double)found_ns >= (double)before_ns - uncertainty_ns - 1);
            assert_true((double)found_ns <= (double)after_ns + uncertainty_ns + 1);
            EXPECT_NEAR((double)(back_ns - moment_ns), 0, uncertainty_ns + back_uncertainty_ns + 1);
            assert_true(uncertainty_ns < 1e6);
            assert_true(from == to ? uncertainty_ns == 0 && found_ns == moment_ns
                                   : uncertainty_ns > 0);
        }
}

static void far_moments_are_less_sure(void **state)
{
    int64_t day_ns = INT64_C(86400000000000), now_ns = read_clock(KT_HOST_MONOTONIC), found_ns;
    double uncertainty_ns = 0;
    EXPECT_OK(kt_host_convert(KT_HOST_MONOTONIC, now_ns - day_ns, KT_HOST_REALTIME, &found_ns,
                              &uncertainty_ns));
    /* 0.05 % of a day are 43.2 s; what has passed since is far below a second. */
    EXPECT_NEAR(uncertainty_ns, 43.2e9, 5e5);
    EXPECT_NEAR((double)(found_ns - (read_clock(KT_HOST_REALTIME) - day_ns)), 0, 1e9);
}

static void what_no_clock_shows_is_refused(void **state)
{
    int64_t found_ns = 17, realtime_ns = read_clock(KT_HOST_REALTIME);
    double uncertainty_ns = 17;
    /* The world's time is ahead of that of a system that has not been up for 50 years. */
    EXPECT_STATUS(
        kt_host_convert(KT_HOST_MONOTONIC, INT64_MAX, KT_HOST_REALTIME, &found_ns, &uncertainty_ns),
        KT_INVALID);
    EXPECT_TEXT_HAS(kt_error_text(), "9223372036854775807 ns of CLOCK_MONOTONIC");
    EXPECT_STATUS(
        kt_host_convert(KT_HOST_REALTIME, INT64_MIN, KT_HOST_MONOTONIC, &found_ns, &uncertainty_ns),
        KT_INVALID);
    EXPECT_STATUS(
        kt_host_convert(KT_HOST_DOMAIN_COUNT, 0, KT_HOST_REALTIME, &found_ns, &uncertainty_ns),
        KT_INVALID);
    EXPECT_STATUS(
        kt_host_convert(KT_HOST_DOMAIN_COUNT, 0, KT_HOST_DOMAIN_COUNT, &found_ns, &uncertainty_ns),
        KT_INVALID);
    EXPECT_STATUS(
        kt_host_convert(KT_HOST_REALTIME, 0, KT_HOST_DOMAIN_COUNT, &found_ns, &uncertainty_ns),
        KT_INVALID);
    assert_int_equal(found_ns, 17);
    EXPECT_NUMBER(uncertainty_ns, 17);
    /* The other ends are moments, if no sensible ones. */
    EXPECT_OK(kt_host_convert(KT_HOST_MONOTONIC, INT64_MIN, KT_HOST_REALTIME, &found_ns,
                              &uncertainty_ns));
    int64_t ahead_ns = realtime_ns - read_clock(KT_HOST_MONOTONIC);
    EXPECT_NEAR((double)(found_ns - INT64_MIN - ahead_ns), 0, 1e9);
    EXPECT_NEAR(uncertainty_ns, 500e-6 * (0x1p63 + (double)read_clock(KT_HOST_MONOTONIC)), 1e9);
    EXPECT_OK(kt_host_convert(KT_HOST_MONOTONIC, INT64_MAX, KT_HOST_MONOTONIC, &found_ns,
                              &uncertainty_ns));
    assert_int_equal(found_ns, INT64_MAX);
    EXPECT_NUMBER(uncertainty_ns, 0);
}

/* ---- which domain timestamps are of ---- */

/* The clocks of Linux at a moment of the first; the second and third are alike, as on most
 * systems. */
static kt_host_instants at(int64_t raw_ns, int64_t monotonic_ahead_ns)
{
    return (kt_host_instants){
        .here = {true, true, true, true},
        .ns = {raw_ns, raw_ns + monotonic_ahead_ns, raw_ns + monotonic_ahead_ns,
               raw_ns + INT64_C(1700000000000000000)},
    };
}

/* Two commands of 20 us in brackets of 60 us, with timestamps `ahead_ns` of the first clock in steps of
 * `step_ns`. */
static bool search(int64_t ahead_ns, int64_t monotonic_ahead_ns, uint64_t step_ns, double slack_ns,
                   kt_host_domain *out)
{
    kt_domain_search found = {0};
    for (int64_t begin_ns = 1000000; begin_ns < 3000000; begin_ns += 1000000) {
        kt_host_instants before = at(begin_ns, monotonic_ahead_ns);
        kt_host_instants after = at(begin_ns + 60000, monotonic_ahead_ns);
        uint64_t start = (uint64_t)(begin_ns + ahead_ns + 20000);
        uint64_t end = start + 20000;
        kt_domain_search_add(&found, &before, start - start % step_ns, end - end % step_ns, &after);
    }
    return kt_domain_search_end(&found, slack_ns, out);
}

static void the_domain_of_timestamps_is_found(void **state)
{
    const int64_t second_ns = 1000000000, realtime_ns = INT64_C(1700000000000000000);
    kt_host_domain domain = KT_HOST_DOMAIN_COUNT;
    assert_true(search(0, second_ns, 1, 0, &domain));
    assert_int_equal(domain, KT_HOST_MONOTONIC_RAW);
    assert_true(search(second_ns, second_ns, 1, 0, &domain));
    assert_int_equal(domain, KT_HOST_MONOTONIC); /* and not BOOTTIME, which is the same here */
    assert_true(search(realtime_ns, second_ns, 256, 256, &domain));
    assert_int_equal(domain, KT_HOST_REALTIME);
    domain = KT_HOST_DOMAIN_COUNT;
    assert_false(search(second_ns / 2, second_ns, 1, 0, &domain)); /* of none of them */
    assert_false(search(-30000, second_ns, 1, 0, &domain));        /* 10 us too early */
    assert_false(search(30000, second_ns, 1, 0, &domain));         /* 10 us too late */
    assert_false(
        search(0, 10000, 1, 0, &domain)); /* RAW and MONOTONIC are too close to each other */
    assert_false(search(0, 0, 1, 0, &domain));
    assert_int_equal(domain, KT_HOST_DOMAIN_COUNT);
    kt_domain_search none = {0};
    assert_false(kt_domain_search_end(&none, 1e18, &domain));
}

/* A clock in coarse steps may show what was before the bracket, by a step. */
static void coarse_timestamps_have_slack(void **state)
{
    kt_host_domain domain = KT_HOST_DOMAIN_COUNT;
    assert_false(search(0, 1000000000, 70000, 0, &domain));
    assert_true(search(0, 1000000000, 70000, 70000, &domain));
    assert_int_equal(domain, KT_HOST_MONOTONIC_RAW);
}

/* BOOTTIME is ahead of MONOTONIC by the time that the system slept. */
static void clocks_of_systems_that_slept_are_reported_apart(void **state)
{
    const kt_host_instants before = {.here = {true, true, true, false}, .ns = {5000, 9000, 70000}};
    const kt_host_instants after = {.here = {true, true, true, false}, .ns = {5100, 9100, 70100}};
    static const uint64_t timestamps[] = {5050, 9050, 70050};
    for (int d = 0; d < 3; d++) {
        kt_domain_search found = {0};
        kt_host_domain domain = KT_HOST_DOMAIN_COUNT;
        kt_domain_search_add(&found, &before, timestamps[d], timestamps[d], &after);
        assert_true(kt_domain_search_end(&found, 0, &domain));
        assert_int_equal(domain, d);
    }
    /* What is not here reads 0, and so do timestamps that were never written. */
    kt_domain_search zero = {0};
    kt_host_domain domain;
    kt_domain_search_add(&zero, &before, 0, 0, &after);
    assert_false(kt_domain_search_end(&zero, 0, &domain));
    /* No clock of the host shows what is beyond an int64_t. */
    kt_domain_search huge = {0};
    kt_domain_search_add(&huge, &before, UINT64_MAX, UINT64_C(1) << 63, &after);
    assert_false(kt_domain_search_end(&huge, 1e15, &domain));
}

/* On macOS MONOTONIC_RAW is ahead of UPTIME_RAW by the time that the system slept; there is no
 * BOOTTIME. */
static void a_clock_that_stops_in_sleep_is_preferred(void **state)
{
    static const bool here[] = {true, true, false, true, true};
    static const int64_t slept_ns[] = {0, 60000};
    static const kt_host_domain expected[][2] = {{KT_HOST_UPTIME_RAW, KT_HOST_UPTIME_RAW},
                                                 {KT_HOST_MONOTONIC_RAW, KT_HOST_UPTIME_RAW}};
    for (int i = 0; i < 2; i++)
        for (int stops = 0; stops < 2; stops++) {
            kt_host_instants before = {.ns = {5000 + slept_ns[i], 900000, 0, 7000000, 5000}};
            kt_host_instants after = {.ns = {5100 + slept_ns[i], 900100, 0, 7000100, 5100}};
            memcpy(before.here, here, sizeof here);
            memcpy(after.here, here, sizeof here);
            uint64_t timestamp = (uint64_t)(stops ? 5050 : 5050 + slept_ns[i]);
            kt_domain_search found = {0};
            kt_host_domain domain = KT_HOST_DOMAIN_COUNT;
            kt_domain_search_add(&found, &before, timestamp, timestamp, &after);
            assert_true(kt_domain_search_end(&found, 0, &domain));
            assert_int_equal(domain, expected[i][stops]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(domains_are_what_they_are_called),
        cmocka_unit_test(what_is_not_here_is_not_read),
        cmocka_unit_test(all_are_read_at_once),
        cmocka_unit_test(a_pair_brackets_the_domain),
        cmocka_unit_test(moments_are_found_in_other_domains),
        cmocka_unit_test(far_moments_are_less_sure),
        cmocka_unit_test(what_no_clock_shows_is_refused),
        cmocka_unit_test(the_domain_of_timestamps_is_found),
        cmocka_unit_test(coarse_timestamps_have_slack),
        cmocka_unit_test(clocks_of_systems_that_slept_are_reported_apart),
        cmocka_unit_test(a_clock_that_stops_in_sleep_is_preferred),
    };
    return cmocka_run_group_tests_name("host_clock", tests, NULL, NULL);
}
