/* SPDX-License-Identifier: MIT */
/* kt_fleet_judge(): exact small cases, and what holds for every fleet. */
#include "tests/unit/testing.h"

#include <kerntime/fleet.h>

enum { RUNS_MAX = 4, DEVICES_MAX = 128 };

#define PI 3.14159265358979323846

/* A population in the making: `runs` medians for each device, evenly about its time. */
typedef struct made {
    double medians[DEVICES_MAX][RUNS_MAX];
    kt_fleet_cell cells[DEVICES_MAX];
    kt_fleet_population population;
} made;

static void add(made *to, double time_ns, double scatter, size_t runs)
{
    size_t number = to->population.count++;
    for (size_t i = 0; i < runs; i++)
        to->medians[number][i] = time_ns * exp(i + 1 == runs && runs % 2 ? 0
                                               : i % 2                   ? scatter
                                                                         : -scatter);
    to->cells[number] =
        (kt_fleet_cell){.medians_ns = runs ? to->medians[number] : NULL, .run_count = runs};
    to->population.cells = to->cells;
}

static void judge(made *of, double min_effect, double alpha)
{
    EXPECT_OK(kt_fleet_judge(&of->population, 1, min_effect, alpha));
}

/* P(t > x) with three degrees of freedom, in closed form. */
static double above_3(double x)
{
    double t = x / sqrt(3);
    return 0.5 - (t / (1 + t * t) + atan(t)) / PI;
}

/* Three devices of two runs. Each run is 0.01 off, so squares sum up to 6e-4, with 3 degrees. */
static void three_devices(void **state)
{
    made of = {0};
    add(&of, 99, 0.01, 2);
    add(&of, 100, 0.01, 2);
    add(&of, 110, 0.01, 2);
    judge(&of, 0.03, 0.01);
    EXPECT_NEAR(of.population.median_ns, 100, 1e-9);
    EXPECT_NEAR(of.population.noise, sqrt(2e-4), 1e-9);
    EXPECT_NEAR(of.population.spread, 1.4826022 * -log(0.99), 1e-7);
    const kt_fleet_cell *slow = &of.cells[2];
    double error = sqrt(2e-4 / 2 * (1 + PI / 2 / 3)), half = 3.182446305 * error;
    EXPECT_NEAR(slow->time_ns, 110, 1e-9);
    EXPECT_NEAR(slow->effect, 0.1, 1e-9);
    EXPECT_NEAR(slow->low, 1.1 * exp(-half) - 1, 1e-6);
    EXPECT_NEAR(slow->high, 1.1 * exp(half) - 1, 1e-6);
    EXPECT_NEAR(slow->p, above_3(log(1.1 / 1.03) / error), 1e-9);
    EXPECT_NEAR(slow->robust_z, log(1.1) / of.population.spread, 1e-9);
    EXPECT_NEAR(of.cells[0].effect, -0.01, 1e-9);
    /* p is 0.0065: of three questions, 0.01 / 3 is the first line, and 0.05 / 3 with another alpha. */
    assert_int_equal(slow->answer, KT_FLEET_UNDECIDED);
    judge(&of, 0.03, 0.05);
    assert_int_equal(slow->answer, KT_FLEET_SLOW);
    assert_int_not_equal(of.cells[0].answer, KT_FLEET_SLOW);
}

/* Runs that agree have no error, so the effect alone decides. */
static void runs_that_agree(void **state)
{
    made of = {0};
    add(&of, 100, 0, 3);
    add(&of, 100, 0, 3);
    add(&of, 100, 0, 3);
    add(&of, 102.9, 0, 3);
    add(&of, 103.1, 0, 3);
    judge(&of, 0.03, 0.01);
    for (int i = 0; i < 4; i++)
        assert_int_equal(of.cells[i].answer, KT_FLEET_GOOD);
    assert_int_equal(of.cells[4].answer, KT_FLEET_SLOW);
    EXPECT_NUMBER(of.cells[3].p, 1);
    EXPECT_NUMBER(of.cells[4].p, 0);
    EXPECT_NUMBER(of.population.spread, 0);
    EXPECT_NUMBER(of.cells[4].robust_z, NAN);
}

/* However slow one is: one run shows no noise, and of two devices none is the median. */
static void too_little(void **state)
{
    made single = {0}, two = {0};
    add(&single, 100, 0.01, 1);
    add(&single, 101, 0.01, 1);
    add(&single, 200, 0.01, 1);
    judge(&single, 0.03, 0.01);
    EXPECT_NUMBER(single.population.noise, NAN);
    add(&two, 100, 0.001, 3);
    add(&two, 200, 0.001, 3);
    judge(&two, 0.03, 0.01);
    EXPECT_NUMBER(two.cells[1].effect, NAN);
    EXPECT_NUMBER(two.population.spread, NAN);
    EXPECT_NEAR(two.population.median_ns, 100 * sqrt(2), 1e-9);
    for (int i = 0; i < 2; i++) {
        const kt_fleet_cell *cell = i ? &two.cells[1] : &single.cells[2];
        assert_int_equal(cell->answer, KT_FLEET_UNDECIDED);
        EXPECT_NUMBER(cell->low, NAN);
        EXPECT_NUMBER(cell->p, NAN);
    }
}

/* A device without a time is no device of the median, and has no answer. */
static void a_device_without_time(void **state)
{
    made with = {0}, without = {0};
    for (int i = 0; i < 4; i++) {
        add(&with, 100 + i, 0.002, 3);
        add(&without, 100 + i, 0.002, 3);
        if (i == 1)
            add(&with, 1, 0, 0);
    }
    judge(&with, 0.03, 0.01);
    judge(&without, 0.03, 0.01);
    EXPECT_NUMBER(with.population.median_ns, without.population.median_ns);
    EXPECT_NUMBER(with.cells[4].p, without.cells[3].p);
    EXPECT_NUMBER(with.cells[2].time_ns, NAN);
    EXPECT_NUMBER(with.cells[2].effect, NAN);
    assert_int_equal(with.cells[2].answer, KT_FLEET_UNDECIDED);
}

static const double times[] = {100, 100.4, 99.1, 104.9, 100.2, 99.6, 101.3, 112};
enum { TIMES = sizeof times / sizeof times[0] };

/* Times in another unit, and devices in another order, have the same answers. */
static void unit_and_order(void **state)
{
    made of = {0}, scaled = {0}, turned = {0};
    for (int i = 0; i < TIMES; i++) {
        add(&of, times[i], 0.003, 3);
        add(&scaled, 1e6 * times[i], 0.003, 3);
        add(&turned, times[TIMES - 1 - i], 0.003, 3);
    }
    judge(&of, 0.03, 0.01);
    judge(&scaled, 0.03, 0.01);
    judge(&turned, 0.03, 0.01);
    for (int i = 0; i < TIMES; i++) {
        const kt_fleet_cell *others[] = {&scaled.cells[i], &turned.cells[TIMES - 1 - i]};
        for (int k = 0; k < 2; k++) {
            EXPECT_NEAR(others[k]->effect, of.cells[i].effect, 1e-12);
            EXPECT_NEAR(others[k]->p, of.cells[i].p, 1e-9);
            assert_int_equal(others[k]->answer, of.cells[i].answer);
        }
    }
    assert_int_equal(of.cells[7].answer, KT_FLEET_SLOW);
}

/* A device is named in one workload less easily if many others are asked for. */
static void all_questions_count(void **state)
{
    static made few, many;
    memset(&few, 0, sizeof few);
    memset(&many, 0, sizeof many);
    for (int i = 0; i < 6; i++)
        add(&few, i == 5 ? 105.7 : 100, 0.01, 2);
    for (int i = 0; i < DEVICES_MAX; i++)
        add(&many, 100, 0.01, 2);
    judge(&few, 0.03, 0.2);
    double p = few.cells[5].p;
    assert_true(p > 0.2 / (6 + DEVICES_MAX) && p < 0.2 / 6);
    assert_int_equal(few.cells[5].answer, KT_FLEET_SLOW);
    kt_fleet_population both[] = {few.population, many.population};
    EXPECT_OK(kt_fleet_judge(both, 2, 0.03, 0.2));
    EXPECT_NUMBER(few.cells[5].p, p);
    assert_int_equal(few.cells[5].answer, KT_FLEET_UNDECIDED);
}

/* The answer never contradicts the interval: good ends below the minimum effect. */
static void good_ends_below(void **state)
{
    made equal = {0}, edge = {0};
    for (int i = 0; i < 30; i++)
        add(&equal, 100, 0.01, 3);
    judge(&equal, 0.03, 0.01);
    double half = log1p(equal.cells[0].high);
    assert_true(half > 0.01 && half < 0.02);
    for (int i = 0; i < 27; i++)
        add(&edge, 100, 0.01, 3);
    add(&edge, 103 * exp(-half) * (1 - 1e-4), 0.01, 3);
    add(&edge, 103 * exp(-half) * (1 + 1e-4), 0.01, 3);
    /* So slow that its interval lies above, though among so many it is not named. */
    add(&edge, 103 * exp(half) * (1 + 1e-4), 0.01, 3);
    judge(&edge, 0.03, 0.01);
    for (int i = 0; i < 30; i++)
        assert_int_equal(edge.cells[i].answer == KT_FLEET_GOOD, edge.cells[i].high < 0.03);
    assert_int_equal(edge.cells[27].answer, KT_FLEET_GOOD);
    assert_int_equal(edge.cells[28].answer, KT_FLEET_UNDECIDED);
    const kt_fleet_cell *above = &edge.cells[29];
    assert_true(above->low > 0.03 && above->p < 0.025);
    assert_int_equal(above->answer, KT_FLEET_UNDECIDED);
}

/* The median has the error of its own runs: many runs of one device do not make it exact. */
static void runs_of_the_others(void **state)
{
    made of = {0};
    for (int i = 0; i < 4; i++)
        add(&of, i ? 100 : 102, 0.01, i ? 2 : 4);
    judge(&of, 0.03, 0.01);
    double variance = (4 * 1e-4 + 3 * 2e-4) / (3 + 3), mean = (1. / 4 + 3. / 2) / 4;
    EXPECT_NEAR(of.population.noise, sqrt(variance), 1e-9);
    for (int i = 0; i < 4; i++) {
        double error = sqrt(variance * (1. / (i ? 2 : 4) + PI / 2 / 4 * mean));
        double half = log1p(of.cells[i].high) - log1p(of.cells[i].effect);
        EXPECT_NEAR(half, 2.446911851 * error, 1e-6); /* 6 degrees */
    }
}

/* A noisy device has its own noise and its own degrees of freedom, and leaves the others alone. */
static void noisy_devices(void **state)
{
    made quiet = {0}, with = {0};
    for (int i = 0; i < 30; i++)
        add(&quiet, 100, 0.001, 3);
    with = quiet;
    for (int i = 0; i < 30; i++)
        with.cells[i].medians_ns = with.medians[i];
    with.population.cells = with.cells;
    add(&with, 108, 0.06, 3);
    add(&with, 92, 0.05, 3);
    /* The largest of ordinary ones, 2.5 times the variance, is ordinary. */
    add(&with, 100, 0.001 * sqrt(2.5), 3);
    judge(&quiet, 0.03, 0.01);
    judge(&with, 0.03, 0.01);
    EXPECT_NEAR(quiet.population.noise, 0.001, 1e-9);
    EXPECT_NEAR(with.population.noise, 0.001 * sqrt((30 + 2.5) / 31), 1e-9);
    EXPECT_NUMBER(with.cells[0].noise, with.population.noise);
    EXPECT_NUMBER(with.cells[32].noise, with.population.noise);
    const kt_fleet_cell *noisy = &with.cells[30];
    EXPECT_NEAR(noisy->noise, 0.06, 1e-9);
    EXPECT_NEAR(with.cells[31].noise, 0.05, 1e-9);
    /* 2 degrees; the median adds next to nothing. */
    double half = log1p(noisy->high) - log1p(noisy->effect);
    EXPECT_NEAR(half, 4.302652730 * 0.06 / sqrt(3), 1e-4);
    assert_int_equal(noisy->answer, KT_FLEET_UNDECIDED);
    assert_int_equal(with.cells[31].answer, KT_FLEET_UNDECIDED);
    for (int i = 0; i < 30; i++)
        assert_int_equal(with.cells[i].answer, KT_FLEET_GOOD);
}

/* Two noisy devices of eight do not hide each other. */
static void two_noisy_devices(void **state)
{
    made of = {0};
    for (int i = 0; i < 8; i++)
        add(&of, 100, i == 2 ? 0.06 : i == 5 ? 0.05 : 0.001, 3);
    judge(&of, 0.03, 0.01);
    EXPECT_NEAR(of.population.noise, 0.001, 1e-9);
    for (int i = 0; i < 8; i++)
        EXPECT_NEAR(of.cells[i].noise, i == 2 ? 0.06 : i == 5 ? 0.05 : 0.001, 1e-9);
}

/* Times in steps of a coarse clock: the truth is in the interval, and no answer is against it. */
static void a_coarse_clock(void **state)
{
    enum { DEVICES = 40, STEP = 1000 };
    made of = {0};
    for (int i = 0; i < DEVICES; i++) {
        double truth = 20000 + 37 * i; /* up to 3.6 % above the median */
        add(&of, STEP * round(truth / STEP), 0, 3);
        of.cells[i].resolution_ns = STEP;
    }
    add(&of, 24000, 0, 3);
    of.cells[DEVICES].resolution_ns = STEP;
    judge(&of, 0.03, 0.01);
    for (int i = 0; i < DEVICES; i++) {
        double truth = (20000 + 37 * i) / 20740. - 1;
        assert_true(of.cells[i].low < truth && truth < of.cells[i].high);
        assert_int_not_equal(of.cells[i].answer, truth > 0.03 ? KT_FLEET_GOOD : KT_FLEET_SLOW);
    }
    /* 14 % slower, of which 4.2 % may be rounding. */
    const kt_fleet_cell *slow = &of.cells[DEVICES];
    assert_int_equal(slow->answer, KT_FLEET_SLOW);
    EXPECT_NEAR(log1p(slow->low), log(24. / 21) - 1. / 24, 1e-9);
    judge(&of, 0.1, 0.01);
    assert_int_equal(slow->answer, KT_FLEET_UNDECIDED);
    /* Without a known resolution it is named. */
    of.cells[DEVICES].resolution_ns = NAN;
    judge(&of, 0.1, 0.01);
    assert_int_equal(slow->answer, KT_FLEET_SLOW);
}

/* A run that is one step of the clock off is not noise of the device; runs that all agree show none. */
static void noise_of_rounding(void **state)
{
    made of = {0};
    for (int i = 0; i < 30; i++) {
        add(&of, 100 + i * 1e-3, 0, 3);
        of.cells[i].resolution_ns = 1;
    }
    for (int i = 0; i < 5; i++)
        of.medians[i][0] += 1;
    judge(&of, 0.03, 0.01);
    for (int i = 0; i < 30; i++) {
        EXPECT_NUMBER(of.cells[i].noise, of.population.noise);
        of.cells[i].resolution_ns = 0;
        of.medians[i][0] = of.medians[i][1] * (1 + 4e-15) + !i;
    }
    /* Nor are others quiet whose runs differ by arithmetic alone. */
    judge(&of, 0.03, 0.01);
    EXPECT_NUMBER(of.cells[0].noise, of.population.noise);
}

static void what_it_refuses(void **state)
{
    static const double bad_medians[] = {0, -1, INFINITY, NAN};
    static const double bad_shares[] = {0, -0.1, NAN, INFINITY};
    made of = {0};
    for (int i = 0; i < 3; i++)
        add(&of, 100, 0.01, 2);
    for (int i = 0; i < 4; i++) {
        of.medians[1][1] = bad_medians[i];
        EXPECT_STATUS(kt_fleet_judge(&of.population, 1, 0.03, 0.01), KT_INVALID);
        of.medians[1][1] = 100;
        EXPECT_STATUS(kt_fleet_judge(&of.population, 1, bad_shares[i], 0.01), KT_INVALID);
        EXPECT_STATUS(kt_fleet_judge(&of.population, 1, 0.03, bad_shares[i]), KT_INVALID);
    }
    static const double bad_resolutions[] = {-1, INFINITY};
    for (int i = 0; i < 2; i++) {
        of.cells[1].resolution_ns = bad_resolutions[i];
        EXPECT_STATUS(kt_fleet_judge(&of.population, 1, 0.03, 0.01), KT_INVALID);
        of.cells[1].resolution_ns = 0;
    }
    EXPECT_OK(kt_fleet_judge(&of.population, 1, 0.03, 0.5));
    EXPECT_STATUS(kt_fleet_judge(&of.population, 1, 0.03, 0.51), KT_INVALID);
    /* Their ratio is no double. */
    of.medians[0][0] = 1e-300;
    of.medians[1][0] = 1e300;
    EXPECT_STATUS(kt_fleet_judge(&of.population, 1, 0.03, 0.01), KT_INVALID);
    EXPECT_STATUS(kt_fleet_judge(NULL, 1, 0.03, 0.01), KT_INVALID);
    of.cells[0].medians_ns = NULL;
    EXPECT_STATUS(kt_fleet_judge(&of.population, 1, 0.03, 0.01), KT_INVALID);
    EXPECT_OK(kt_fleet_judge(NULL, 0, 0.03, 0.01));
    kt_fleet_population empty = {0};
    EXPECT_OK(kt_fleet_judge(&empty, 1, 0.03, 0.01));
    EXPECT_NUMBER(empty.median_ns, NAN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_devices),   cmocka_unit_test(runs_that_agree),
        cmocka_unit_test(too_little),      cmocka_unit_test(a_device_without_time),
        cmocka_unit_test(unit_and_order),  cmocka_unit_test(all_questions_count),
        cmocka_unit_test(good_ends_below), cmocka_unit_test(runs_of_the_others),
        cmocka_unit_test(noisy_devices),   cmocka_unit_test(two_noisy_devices),
        cmocka_unit_test(a_coarse_clock),  cmocka_unit_test(noise_of_rounding),
        cmocka_unit_test(what_it_refuses),
    };
    return cmocka_run_group_tests_name("fleet", tests, NULL, NULL);
}
